/* The rotation that fits one set of arms to another. */
#ifndef SINEW_MOTION_FIT_H
#define SINEW_MOTION_FIT_H

#include <stdbool.h>

/* q, with R(q) from[i] as near to to[i] as it can be, all counted alike whatever their length (Horn 1987). False, and
   nothing done, when the arms of one set lie along one line: the turn about it is open then. */
bool sn__fit_rotation(int n, const double from[][3], const double to[][3], double q[4]);

#endif
