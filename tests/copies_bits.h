/* Comparisons of scenes bit by bit: among others, in every lane type, and with what they were. */
#ifndef SINEW_TESTS_COPIES_BITS_H
#define SINEW_TESTS_COPIES_BITS_H

#include "copies_scenes.h"

/* Runs a scene among others, every seventh copy diverging, and compares copies with the same alone; returns the hash. */
uint64_t check_company(const struct cast *cast, const struct scene *scene, sn_precision precision,
                       const char *lanes, int threads, int copies, int steps);
/* With one, two and three threads, in the lanes that the world chooses. */
void check_threads(const struct cast *cast, const struct scene *scene, sn_precision precision, int copies,
                   int steps);
/* In every lane type of the machine. */
void check_lanes(const struct cast *cast, const struct scene *scene, sn_precision precision, int copies,
                 int steps);
/* Among the vector types of one precision that fuse multiply-adds, and among those that do not, all bits agree. */
void check_widths(const struct cast *cast, const struct scene *scene, sn_precision precision, int steps);
/* Scenes from first to before end, in both precisions. */
void each_scene(int first, int end,
                void (*check)(const struct cast *cast, const struct scene *s, sn_precision precision));
/* The lists of contacts say that the scene is what its name says, and asking for them changes no bit. */
void check_meetings(const struct cast *cast, const struct scene *scene, int steps);
/* Limits, self contact and the second member act: without them the bits are others. */
void check_parts(const struct cast *cast, const struct scene *scene, int steps);

typedef uint64_t golden_row[2][2]; /* [precision][fused] */
/* Compares with the table, and prints the rows as they should be when one differs. */
void check_golden(const struct cast *cast, const struct scene *scene, const golden_row *golden, int n);

#endif
