/* Which lane types this machine can run, and which one to take. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernels/tables.h"

static const struct {
    const struct sn__kernels *table;
    int level; /* of the instruction set it needs */
} TABLES[] = {
#define LANE_ROW(bits, width, isa) {&LANE_TABLE(bits, width, isa), LANE_ISA_LEVEL_##isa},
    LANE_TABLES(LANE_ROW)
#undef LANE_ROW
};
enum { NTABLE = sizeof TABLES / sizeof *TABLES };

/* The best instruction set of the machine, or what SINEW_ISA (v2, v3, v4) allows of it. */
static int machine_level(void) {
    int best = 2;
#if SN__HAVE_X86_LANES
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

/* A table counts when the machine can run it and no better build of the same type stands before it. */
const struct sn__kernels *sn__kernels_at(int index) {
    const int level = machine_level();
    for (int i = 0; i < NTABLE; i++) {
        bool counts = TABLES[i].level <= level;
        for (int j = 0; counts && j < i; j++)
            if (TABLES[j].level <= level && !strcmp(TABLES[j].table->info.name, TABLES[i].table->info.name))
                counts = false;
        if (counts && index-- == 0) return TABLES[i].table;
    }
    return NULL;
}

static const struct sn__kernels *find_named(const char *name) {
    const struct sn__kernels *k;
    for (int i = 0; (k = sn__kernels_at(i)); i++)
        if (!strcmp(k->info.name, name)) return k;
    return NULL;
}

const struct sn__kernels *sn__kernels_find(const char *name, sn_precision precision, bool wide,
                                           sn_error *error) {
    const struct sn__kernels *k, *best = NULL;
    const char *wish = getenv("SINEW_LANES");
    if (!name && wish && *wish) {
        k = find_named(wish);
        if (!k) {
            sn__fail(error, SN_ERROR_UNSUPPORTED, "SINEW_LANES: there are no lanes '%.40s' on this machine",
                     wish);
            return NULL;
        }
        if (k->info.precision == precision) return k;
    }
    if (name) {
        k = find_named(name);
        if (!k)
            sn__fail(error, SN_ERROR_UNSUPPORTED, "there are no lanes '%.40s' on this machine", name);
        else if (k->info.precision != precision)
            sn__fail(error, SN_ERROR_ARGUMENT, "lanes '%s' are of the other precision", name);
        else
            return k;
        return NULL;
    }
    for (int i = 0; (k = sn__kernels_at(i)); i++) {
        if (k->info.precision != precision || (k->info.width == 1 && !SN__SCALAR_LANES_ONLY)) continue;
        if (!best || (wide ? k->info.width > best->info.width : k->info.width < best->info.width)) best = k;
    }
    return best;
}

const char *sn__kernels_up_to(sn_precision precision, int width) {
    const struct sn__kernels *k, *best = NULL;
    const char *wish = getenv("SINEW_LANES");
    if (wish && *wish) return NULL;
    for (int i = 0; (k = sn__kernels_at(i)); i++)
        if (k->info.precision == precision && k->info.width <= width &&
            (!best || k->info.width > best->info.width))
            best = k;
    return best ? best->info.name : NULL;
}

int sn_lanes_count(void) {
    int n = 0;
    while (sn__kernels_at(n))
        n++;
    return n;
}

const sn_lanes_info *sn_lanes_get(int index) {
    const struct sn__kernels *k = index >= 0 ? sn__kernels_at(index) : NULL;
    return k ? &k->info : NULL;
}

bool sn_built_strict(void) {
#ifdef SINEW_STRICT
    return true;
#else
    return false;
#endif
}
