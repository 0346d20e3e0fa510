/* Which lane types this machine can run, and which one to take. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernels/select.h"
#include "kernels/tables.h"
#include "lanes_built.h" /* LANE_TABLES(X): made by cmake/lanes.cmake */

#ifndef TEST_TABLES /* types that only tests have, and only by name: cmake/tests.cmake */
#define TEST_TABLES(X)
#endif

#define LANE_DECLARE(bits, width, isa) extern const struct sn__kernels LANE_TABLE(bits, width, isa);
LANE_TABLES(LANE_DECLARE)
TEST_TABLES(LANE_DECLARE)
#undef LANE_DECLARE

_Static_assert(SN_PRECISION_DOUBLE == 0 && SN_PRECISION_FLOAT == 1, "as LANE_INFO has it");

static const struct {
    const struct sn__kernels *table;
    int level;    /* of the instruction set it needs */
    bool by_name; /* taken only by those who name it */
    sn_lanes_info info;
} TABLES[] = {
#define LANE_ROW(bits, width, isa)                                                                           \
    {&LANE_TABLE(bits, width, isa), LANE_ISA_LEVEL_##isa, false, LANE_INFO(bits, width, isa)},
#define TEST_ROW(bits, width, isa)                                                                           \
    {&LANE_TABLE(bits, width, isa), LANE_ISA_LEVEL_##isa, true, LANE_INFO(bits, width, isa)},
    LANE_TABLES(LANE_ROW) TEST_TABLES(TEST_ROW)
#undef LANE_ROW
#undef TEST_ROW
};
enum { NTABLE = sizeof TABLES / sizeof *TABLES };

/* The best instruction set of the machine, or what SINEW_ISA (v2, v3, v4) allows of it. */
static int machine_level(void) {
    int best = 2;
#ifdef __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        best = 3;
    if (best == 3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512vl"))
        best = 4;
#endif
    const char *wish = getenv("SINEW_ISA");
    if (wish && wish[0] == 'v' && wish[1] >= '2' && wish[1] <= '4' && !wish[2] && wish[1] - '0' < best)
        best = wish[1] - '0';
    return best;
}

/* Place in TABLES, or -1. A table counts when the machine can run it and no better build of the same type stands before
   it. */
static int place_of(int index) {
    const int level = machine_level();
    for (int i = 0; i < NTABLE; i++) {
        bool counts = TABLES[i].level <= level;
        for (int j = 0; counts && j < i; j++)
            if (TABLES[j].level <= level && !strcmp(TABLES[j].info.name, TABLES[i].info.name)) counts = false;
        if (counts && index-- == 0) return i;
    }
    return -1;
}

const struct sn__kernels *sn__kernels_at(int index) {
    const int place = place_of(index);
    return place < 0 ? NULL : TABLES[place].table;
}

static const struct sn__kernels *find_named(const char *name) {
    const struct sn__kernels *k;
    for (int i = 0; (k = sn__kernels_at(i)); i++)
        if (!strcmp(k->info.name, name)) return k;
    return NULL;
}

bool sn__kernels_have(const struct sn__kernels *k, enum sn__part part) {
    return part == SN__ROWS ? k->rows != NULL : part == SN__STUDY ? k->study != NULL : true;
}

/* The narrowest or the widest vector type; scalars where there are no vectors, as in a browser without SIMD. */
static const struct sn__kernels *find_best(enum sn__part part, sn_precision precision, bool wide,
                                           sn_error *error) {
    const struct sn__kernels *best = NULL, *scalar = NULL;
    for (int i = 0, place; (place = place_of(i)) >= 0; i++) {
        const struct sn__kernels *k = TABLES[place].table;
        if (TABLES[place].by_name || k->info.precision != precision || !sn__kernels_have(k, part)) continue;
        if (k->info.width == 1)
            scalar = k;
        else if (!best || (wide ? k->info.width > best->info.width : k->info.width < best->info.width))
            best = k;
    }
    if (!best) best = scalar;
    if (!best)
        sn__fail(error, SN_ERROR_UNSUPPORTED,
                 "no lanes of this precision were built that this machine can run");
    return best;
}

/* What SINEW_LANES names; false: it names what this machine has not. */
static bool find_wish(const struct sn__kernels **k, sn_error *error) {
    const char *wish = getenv("SINEW_LANES");
    *k = NULL;
    if (!wish || !*wish || (*k = find_named(wish))) return true;
    sn__fail(error, SN_ERROR_UNSUPPORTED, "SINEW_LANES: there are no lanes '%.40s' on this machine", wish);
    return false;
}

const struct sn__kernels *sn__kernels_with(enum sn__part part, sn_precision precision, bool wide,
                                           sn_error *error) {
    const struct sn__kernels *k;
    if (!find_wish(&k, error)) return NULL;
    if (k && k->info.precision == precision && sn__kernels_have(k, part)) return k;
    return find_best(part, precision, wide, error);
}

const struct sn__kernels *sn__kernels_find(const char *name, sn_precision precision, bool wide,
                                           sn_error *error) {
    if (!name) return sn__kernels_with(SN__NO_PART, precision, wide, error);
    const struct sn__kernels *k = find_named(name);
    if (k && k->info.precision == precision) return k;
    if (k)
        sn__fail(error, SN_ERROR_ARGUMENT, "lanes '%s' are of the other precision", name);
    else
        sn__fail(error, SN_ERROR_UNSUPPORTED, "there are no lanes '%.40s' on this machine", name);
    return NULL;
}

void sn__kernels_names(enum sn__part part, sn_precision precision, size_t size, char *names) {
    const struct sn__kernels *k;
    size_t n = 0;
    *names = 0;
    for (int i = 0; (k = sn__kernels_at(i)); i++) {
        if (k->info.precision != precision || !sn__kernels_have(k, part) || n >= size) continue;
        n += (size_t)snprintf(names + n, size - n, "%s%s", n ? ", " : "", k->info.name);
    }
}

const sn_lanes_info *sn__lanes_at(int index) {
    const int place = index >= 0 ? place_of(index) : -1;
    return place < 0 ? NULL : &TABLES[place].info;
}
