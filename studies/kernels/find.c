/* Which table of studies belongs to a table of kernels. */
#include "kernels/tables.h"
#include "lanes_built.h" /* LANE_TABLES(X): made by cmake/lanes.cmake */
#include "studies/kernels/table.h"

#ifndef TEST_TABLES /* types that only tests have: cmake/tests.cmake */
#define TEST_TABLES(X)
#endif

#define TABLE_DECLARE(bits, width, isa)                                                                      \
    extern const struct sn__kernels LANE_TABLE(bits, width, isa);                                            \
    extern const struct sn__study_table STUDY_TABLE(bits, width, isa);
LANE_TABLES(TABLE_DECLARE)
TEST_TABLES(TABLE_DECLARE)

static const struct {
    const struct sn__kernels *kernels;
    const struct sn__study_table *study;
} TABLES[] = {
#define TABLE_ROW(bits, width, isa) {&LANE_TABLE(bits, width, isa), &STUDY_TABLE(bits, width, isa)},
    LANE_TABLES(TABLE_ROW) TEST_TABLES(TABLE_ROW)};

const struct sn__study_table *sn__study_table(const struct sn__kernels *k) {
    size_t i = 0;
    while (TABLES[i].kernels != k) /* every table is there */
        i++;
    return TABLES[i].study;
}
