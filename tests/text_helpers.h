/* Long texts for readers, and how long they take. */
#ifndef SINEW_TESTS_TEXT_HELPERS_H
#define SINEW_TESTS_TEXT_HELPERS_H

#include "model_helpers.h"

/* pattern, count times over, between two pieces; to be freed. */
char *repeated(const char *before, const char *pattern, int count, const char *after);
double seconds(void); /* of the processor that this program took: others may be at work on the machine */

#endif
