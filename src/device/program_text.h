/* The text of the program that devices run, made by scripts/program.awk from src/kernels. */
#ifndef SINEW_DEVICE_PROGRAM_TEXT_H
#define SINEW_DEVICE_PROGRAM_TEXT_H

#include <stddef.h>

/* Pieces, one after the other. Where a piece is NULL, the tables of the world come in. */
extern const char *const SN__PROGRAM[];
extern const int SN__PROGRAM_PIECES;

#endif
