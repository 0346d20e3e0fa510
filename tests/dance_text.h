/* Files are written into one text, piece by piece: how much of it is used, and one more piece. */
#ifndef SINEW_TESTS_DANCE_TEXT_H
#define SINEW_TESTS_DANCE_TEXT_H

#include "dance.h"

extern int used;
void say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
