#include "copies_bits.h"

/* Humanoids that differ; more copies repeat them. */
enum { WHOS = 40 };

static const char *precision_name(sn_precision precision) {
    return precision == SN_PRECISION_DOUBLE ? "double" : "float";
}

/* ---------------------------------------------------------------------------------------------- among others */

/* Each sample alone, against itself in every place where it stands. */
static void compare_with_alone(const struct cast *cast, const struct run *company, const double *values) {
    const int n = run_size(cast, company->scene), samples = in_short() ? 4 : 12;
    double *alone = malloc(sizeof *alone * (size_t)n);
    for (int i = 0; i < samples; i++) {
        const int k = (i * 83 + 1) % company->copies;
        if (company->wild[k]) continue;
        struct run one = *company;
        one.copies = one.threads = 1, one.who = &company->who[k], one.wild = NULL;
        run_scene(cast, &one, alone, NULL);
        for (int j = company->who[k]; j < company->copies; j += WHOS)
            if (!company->wild[j] && memcmp(alone, values + j * n, sizeof *alone * (size_t)n) != 0)
                fail_msg("%s, %s, lanes %s, %d threads: copy %d of %d differs from the same alone",
                         company->scene->name, precision_name(company->precision),
                         company->lanes ? company->lanes : "of its choice", company->threads, j,
                         company->copies);
    }
    free(alone);
}

uint64_t check_company(const struct cast *cast, const struct scene *s, sn_precision precision,
                       const char *lanes, int threads, int copies, int steps) {
    int *who = malloc(sizeof *who * (size_t)copies);
    uint8_t *wild = malloc((size_t)copies);
    double *values = malloc(sizeof *values * (size_t)copies * (size_t)run_size(cast, s));
    for (int k = 0; k < copies; k++)
        who[k] = k % WHOS, wild[k] = k % 7 == 3;
    const struct run run = {s, precision, lanes, threads, copies, steps, who, wild, false, NULL};
    const uint64_t hash = run_scene(cast, &run, values, NULL);
    compare_with_alone(cast, &run, values);
    free(who), free(wild), free(values);
    return hash;
}

void check_threads(const struct cast *cast, const struct scene *s, sn_precision precision, int copies,
                   int steps) {
    const uint64_t one = check_company(cast, s, precision, NULL, 1, copies, steps);
    for (int threads = 2; threads <= 3; threads++)
        if (check_company(cast, s, precision, NULL, threads, copies, steps) != one)
            fail_msg("%s, %s: %d threads give other bits", s->name, precision_name(precision), threads);
}

void check_lanes(const struct cast *cast, const struct scene *s, sn_precision precision, int copies,
                 int steps) {
    for (int l = 0; sn_lanes_get(l); l++)
        if (sn_lanes_get(l)->precision == precision)
            check_company(cast, s, precision, sn_lanes_get(l)->name, 1 + l % 3, copies, steps);
}

/* --------------------------------------------------------------------------------------- lanes of any width */

void check_widths(const struct cast *cast, const struct scene *s, sn_precision precision, int steps) {
    enum { N = 24 };
    int who[N];
    for (int k = 0; k < N; k++)
        who[k] = k;
    for (int fma = 0; fma < 2; fma++) {
        const char *first = NULL;
        uint64_t expected = 0;
        for (int l = 0; sn_lanes_get(l); l++) {
            const sn_lanes_info *info = sn_lanes_get(l);
            if (info->precision != precision || info->fma != fma || info->width < 2) continue;
            const struct run run = {s, precision, info->name, 1, N, steps, who, NULL, false, NULL};
            const uint64_t hash = run_scene(cast, &run, NULL, NULL);
            if (first && hash != expected)
                fail_msg("%s: bits of %s and %s differ", s->name, first, info->name);
            first = info->name, expected = hash;
        }
    }
}

/* ---------------------------------------------------------------------------------------- what the scene has */

static uint64_t run_nine(const struct cast *cast, const struct scene *s, int steps,
                         struct meetings *meetings) {
    static const int who[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const struct run run = {s,    SN_PRECISION_DOUBLE, NULL, 1, COUNT(who), steps, who,
                            NULL, meetings != NULL,    NULL};
    return run_scene(cast, &run, NULL, meetings);
}

void check_meetings(const struct cast *cast, const struct scene *s, int steps) {
    struct meetings m = {0};
    const uint64_t told = run_nine(cast, s, steps, &m);
    print_message("  %s: %d contacts with the ground, %d of a body with its own, %d of members\n", s->name,
                  m.ground, m.self, m.between);
    assert_true(m.ground > steps);
    assert_true((m.self > 0) == s->self_contact);
    assert_true((m.between > 0) == (s->company != ALONE));
    if (run_nine(cast, s, steps, NULL) != told) fail_msg("%s: a list of contacts changes bits", s->name);
}

void check_parts(const struct cast *cast, const struct scene *s, int steps) {
    const uint64_t with = run_nine(cast, s, steps, NULL);
    for (int part = 0; part < 4; part++) {
        struct scene less = *s;
        if (part == 0) less.joint_limits = false;
        if (part == 1) less.torque_limits = false;
        if (part == 2) less.self_contact = false;
        if (part == 3) less.own = false;
        const bool has[] = {s->joint_limits, s->torque_limits, s->self_contact, s->own};
        if (has[part] && run_nine(cast, &less, steps, NULL) == with)
            fail_msg("%s: part %d does nothing", s->name, part);
    }
}

/* -------------------------------------------------------------------------------------------------- golden */

/* Whether the lanes that a world chooses fuse multiply-adds. */
static bool chosen_fuse(const struct cast *cast, sn_precision precision) {
    const sn_world_def def = copies_def(8, precision);
    sn_world *world = copies_of(cast->humanoid, &def);
    bool fused = false;
    for (int l = 0; sn_lanes_get(l); l++)
        if (!strcmp(sn_lanes_get(l)->name, sn_world_get_info(world).lanes)) fused = sn_lanes_get(l)->fma;
    sn_world_free(world);
    return fused;
}

/* Where multiply-adds are fused, the bits are those of gcc 12 without sanitizers; elsewhere they hold for every
   compiler. */
static bool comparable(bool fused) {
#if defined(__clang__) || __GNUC__ != 12
    return !fused;
#else
    return !fused || !FAST;
#endif
}

void check_golden(const struct cast *cast, const struct scene *s, const golden_row *golden, int n) {
    static const int who[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int changed = 0;
    for (int i = 0; i < n; i++) {
        golden_row now;
        memcpy(now, golden[i], sizeof now);
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++) {
            const bool fused = chosen_fuse(cast, (sn_precision)precision);
            const struct run run = {&s[i], (sn_precision)precision, NULL, 1, COUNT(who), 20, who, NULL, false,
                                    NULL};
            const uint64_t hash = run_scene(cast, &run, NULL, NULL);
            if (comparable(fused)) now[precision][fused] = hash;
        }
        const bool differs = memcmp(now, golden[i], sizeof now) != 0;
        changed += differs;
        if (differs || getenv("SINEW_PRINT_GOLDEN"))
            print_message("    {{0x%016llx, 0x%016llx}, {0x%016llx, 0x%016llx}}, /* %s */\n",
                          (unsigned long long)now[0][0], (unsigned long long)now[0][1],
                          (unsigned long long)now[1][0], (unsigned long long)now[1][1], s[i].name);
    }
    if (changed)
        fail_msg("%d of %d scenes have other bits than before: the lines above have the new ones", changed,
                 n);
}

void each_scene(int first, int end,
                void (*check)(const struct cast *cast, const struct scene *s, sn_precision precision)) {
    struct cast cast = cast_create();
    for (int i = first; i < end; i++)
        for (int precision = SN_PRECISION_DOUBLE; precision <= SN_PRECISION_FLOAT; precision++)
            check(&cast, &scene[i], (sn_precision)precision);
    cast_free(&cast);
}
