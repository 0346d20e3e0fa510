/* Worlds: the input is a program of calls on one to five copies of a scene that is edited as it runs, with values from
 * sensible to absurd. Nothing may crash; what was removed is refused; what a step reports is finite; a snapshot brings
 * back the same bits, whatever has come and gone since. */
#include "world_player.h"

#include <sinew/studies.h>

/* ------------------------------------------------------------------------------------------------- checks */

/* States of all copies are finite, and as many copies have a frozen member as the step says. A step that succeeds leaves somebody
   who moves. */
static void check_states(struct player *p, sn_status status) {
    const int copies = sn_world_get_info(p->world).copies, members = sn_world_get_info(p->world).members;
    double values[COPIES * MOST_VALUES];
    bool frozen[COPIES] = {false}, moves = members == 0;
    sn_world_stats stats;
    sn_world_get_stats(p->world, &stats);
    for (int k = 0; k < members; k++) {
        const sn_member i = sn_world_member(p->world, k);
        const sn_model *model = sn_world_model(p->world, i);
        if (!model) continue;
        MUST(!sn_world_get(p->world, i, SN_FIELD_Q, 0, copies, values));
        MUST(all_finite(values, copies * sn_model_get(model)->nq));
        MUST(!sn_world_get(p->world, i, SN_FIELD_QD, 0, copies, values));
        MUST(all_finite(values, copies * sn_model_get(model)->nv));
        MUST(!sn_world_get(p->world, i, SN_FIELD_DIVERGED, 0, copies, values));
        for (int c = 0; c < copies; c++) {
            frozen[c] |= values[c] != 0;
            moves |= values[c] == 0;
        }
    }
    int count = 0;
    for (int k = 0; k < copies; k++)
        count += frozen[k];
    MUST(count == stats.diverged);
    MUST(status != SN_OK || moves || count == 0);
}

/* Forces are finite, but after wild numbers this cannot be expected. A contact without force has a phase that says so. */
static void check_contacts(const struct player *p, bool wild) {
    const sn_world *world = p->world;
    for (int copy = 0; copy < sn_world_get_info(world).copies; copy++) {
        int n = -1;
        const sn_contact *c = sn_world_contacts(world, copy, &n);
        MUST(n >= 0 && (c || !n));
        for (int i = 0; i < n; i++) {
            MUST(sn_world_model(world, c[i].member[0]));
            MUST(c[i].member[1] == -1 || sn_world_model(world, c[i].member[1]));
            MUST(all_finite(c[i].force, 3) || wild);
            if (c[i].phase == SN_CONTACT_PHASE_NEAR || c[i].phase == SN_CONTACT_PHASE_ENDED)
                MUST(c[i].force[0] == 0 && c[i].force[1] == 0 && c[i].force[2] == 0);
        }
    }
}

static void step(struct game *g, const struct input *in) {
    struct player *p = &g->p;
    if (g->steps++ >= MOST_STEPS) return;
    const uint64_t before = sn_world_hash(p->world);
    const sn_status status = sn_world_step(p->world);
    MUST(status == SN_OK || status == SN_ERROR_NOT_FINITE);
    sn_world_stats stats;
    sn_world_get_stats(p->world, &stats);
    MUST(stats.diverged >= 0 && stats.diverged <= g->copies);
    MUST(status == SN_OK || stats.diverged == g->copies);
    if (status && g->copies == 1 && g->single) MUST(sn_world_hash(p->world) == before); /* as it was */
    check_states(p, status);
    check_contacts(p, in->wild);
    sn_constraint_state state;
    for (int i = 0; i < p->nlive; i++)
        for (int copy = 0; copy < g->copies; copy++) {
            MUST(sn_world_get_constraint(p->world, p->live[i], copy, &state) == SN_OK);
            MUST(state.rows >= 0 && state.rows <= 6);
            MUST(all_finite(state.force, state.rows) || in->wild);
        }
}

/* ---------------------------------------------------------------------------------------------- snapshots */

static uint8_t *block_of(const sn_world *world, size_t *size) {
    *size = sn_world_snapshot(world, NULL, 0);
    uint8_t *block = malloc(*size);
    MUST(block && *size > 0 && sn_world_snapshot(world, block, *size) == *size);
    return block;
}

static void keep(struct game *g) {
    free(g->earlier.block);
    g->earlier.block = block_of(g->p.world, &g->earlier.size);
    g->earlier.hash = sn_world_hash(g->p.world);
    g->earlier.player = g->p;
}

/* A snapshot is accepted by the world it is of, and says the same again; unless something has left what numbers hold,
   such as the turn of ground after 1e300 radians. */
static void go_back(struct game *g, const struct input *in) {
    if (!g->earlier.block) keep(g);
    sn_error error = {0};
    const sn_status status = sn_world_restore(g->p.world, g->earlier.block, g->earlier.size, &error);
    if (status && !in->wild) fprintf(stderr, "%s\n", error.message);
    MUST(status == SN_OK || (status == SN_ERROR_FORMAT && in->wild));
    if (status) return;
    g->p = g->earlier.player;
    MUST(sn_world_hash(g->p.world) == g->earlier.hash);
    size_t size;
    uint8_t *again = block_of(g->p.world, &size);
    MUST(size == g->earlier.size && !memcmp(again, g->earlier.block, size));
    free(again);
}

/* The step after a restored state is the step after the state. */
static void step_twice(struct game *g, const struct input *in) {
    if (g->steps + 2 > MOST_STEPS) return;
    keep(g);
    step(g, in);
    const uint64_t first = sn_world_hash(g->p.world);
    go_back(g, in);
    if (sn_world_hash(g->p.world) != g->earlier.hash) return;
    step(g, in);
    MUST(sn_world_hash(g->p.world) == first || in->wild);
}

/* -------------------------------------------------------------------------------------------------- fields */

/* A member that may be there, often one that is. */
static int pick(struct player *p, struct input *in) {
    const sn_member member = sn_world_member(p->world, take(in) % (MEMBERS + 1));
    return member >= 0 ? member : take(in) % (MEMBERS + 1) - 1;
}

static void set_field(struct player *p, struct input *in) {
    double values[COPIES * MOST_VALUES];
    const int member = pick(p, in), copies = sn_world_get_info(p->world).copies;
    const sn_field field = (sn_field)(take(in) % (SN_FIELD_COUNT + 1));
    const int first = take(in) % (COPIES + 2) - 1, count = take(in) % (COPIES + 1);
    const int size = sn_world_size(p->world, member, field);
    MUST(size >= 0 && size <= MOST_VALUES);
    const int room = count * size;
    numbers(in, values, room < COPIES * MOST_VALUES ? room : COPIES * MOST_VALUES);
    const sn_status status = sn_world_set(p->world, member, field, first, count, values);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT || status == SN_ERROR_UNSUPPORTED);
    if (first < 0 || first + count > copies || !size || field >= SN_FIELD_QDD) MUST(status != SN_OK);
}

/* One value for all, in the world's own precision, of those copies whose bit is set. */
static void put_field(struct player *p, struct input *in, bool narrow) {
    double wide[COPIES * MOST_VALUES];
    float values[COPIES * MOST_VALUES];
    uint8_t which[COPIES];
    const int member = pick(p, in);
    const sn_field field = (sn_field)(take(in) % SN_FIELD_COUNT);
    const uint8_t bits = take(in);
    const int n = sn_world_get_info(p->world).copies * sn_world_size(p->world, member, field);
    const double usual = number(in);
    for (int i = 0; i < n; i++)
        wide[i] = take(in) < 250 ? usual : number(in);
    for (int i = 0; i < n; i++)
        values[i] = (float)wide[i];
    for (int i = 0; i < COPIES; i++)
        which[i] = bits >> i & 1;
    const sn_status status = sn_world_put(p->world, member, field, bits & 128 ? NULL : which,
                                          narrow ? (const void *)values : (const void *)wide);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT || status == SN_ERROR_UNSUPPORTED);
}

/* What is seen is what is got. */
static void view_field(struct player *p, struct input *in, bool narrow) {
    double got[COPIES * MOST_VALUES];
    const int member = pick(p, in), copies = sn_world_get_info(p->world).copies;
    const sn_field field = (sn_field)(take(in) % (SN_FIELD_COUNT + 1));
    const int n = copies * sn_world_size(p->world, member, field);
    const void *view = sn_world_view(p->world, member, field);
    MUST((view != NULL) == (n > 0));
    if (!view) return;
    MUST(!sn_world_get(p->world, member, field, 0, copies, got));
    for (int i = 0; i < n; i++) {
        const double seen = narrow ? (double)((const float *)view)[i] : ((const double *)view)[i];
        const double here = narrow ? (double)(float)got[i] : got[i];
        MUST(seen == here || (isnan(seen) && isnan(here)));
    }
}

static void reset(struct player *p, struct input *in) {
    double q[MOST_VALUES] = {0}, qd[MOST_VALUES] = {0};
    uint8_t which[COPIES];
    const int member = pick(p, in);
    const uint8_t bits = take(in);
    const sn_model *model = sn_world_model(p->world, member);
    if (model) sn_model_zero_pose(model, q);
    if (model && bits & 32) numbers(in, q, sn_model_get(model)->nq);
    if (model && bits & 64) numbers(in, qd, sn_model_get(model)->nv);
    for (int i = 0; i < COPIES; i++)
        which[i] = bits >> i & 1;
    const sn_status status = sn_world_reset(p->world, member, bits & 128 ? NULL : which, bits & 1 ? q : NULL,
                                            bits & 2 ? qd : NULL);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT);
}

static void set_motion(struct player *p, struct input *in) {
    double q[2 * MOST_VALUES], time[2] = {0, 0};
    const int member = pick(p, in);
    const uint8_t choice = take(in);
    const sn_model *model = sn_world_model(p->world, member);
    if (!model || choice < 64) {
        MUST((sn_world_set_motion(p->world, member, NULL) == SN_OK) == (model != NULL));
        return;
    }
    sn_model_zero_pose(model, q);
    sn_model_zero_pose(model, q + sn_model_get(model)->nq);
    for (int i = 0; i < sn_model_get(model)->nq; i++)
        q[i] += usual_or_any(in, 0.1);
    time[1] = usual_or_any(in, 0.5);
    if (time[1] > 100 && time[1] < 1e9) time[1] = 100; /* tables that fit */
    sn_error error = {0};
    sn_motion *motion = sn_motion_from_poses(model, 2, time, q, choice & 1, &error);
    MUST(motion || strlen(error.message) > 8);
    if (!motion) return;
    const sn_status status = sn_world_set_motion(p->world, member, motion);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT || status == SN_ERROR_TOO_LARGE);
    sn_motion_free(motion);
}

/* The short forms, for all copies. */
static void set_short(struct player *p, struct input *in) {
    double q[MOST_VALUES] = {0}, v[MOST_VALUES] = {0};
    const int member = pick(p, in);
    const uint8_t choice = take(in);
    const sn_model *model = sn_world_model(p->world, member);
    if (model) MUST(!sn_world_get_state(p->world, member, q, v));
    if (model && choice & 8) numbers(in, q, sn_model_get(model)->nq);
    if (model) numbers(in, v, sn_model_get(model)->nv);
    switch (choice % 8) {
    case 0:
        sn_world_set_state(p->world, member, q, choice & 16 ? v : NULL);
        break;
    case 1:
        sn_world_set_target(p->world, member, q, choice & 16 ? v : NULL);
        break;
    case 2:
        sn_world_push(p->world, member, choice >> 4 & 3, q, choice & 8 ? q + 1 : NULL,
                      choice & 16 ? 0.01 * choice : (double)INFINITY);
        break;
    case 3:
        for (int i = 0; i < MOST_VALUES; i++)
            q[i] = 0.1 * (v[i] = fabs(v[0]));
        sn_world_set_gains(p->world, member, v, q);
        break;
    case 4:
        sn_world_stand(p->world, member, q);
        break;
    default:
        sn_world_set_active(p->world, member, choice & 16);
    }
}

/* -------------------------------------------------------------------------------------------------- looking */

static void check_hit(const struct player *p, const sn_hit *hit) {
    MUST(hit->t >= 0 && hit->t <= 1);
    MUST(hit->member == -1 ? hit->body >= 0 && hit->body < GROUNDS && p->ground[hit->body]
                           : sn_world_model(p->world, hit->member) != NULL);
}

static void cast(struct player *p, struct input *in) {
    double x[10];
    sn_hit hit[PARTS] = {{0}};
    sn_shape_def shape = sn_shape_def_default((sn_shape_type)(take(in) % 3));
    const uint8_t choice = take(in);
    const int copy = choice >> 5 & 7;
    const uint32_t mask = choice & 16 ? UINT32_MAX : take(in);
    for (int k = 0; k < 3; k++)
        shape.size[k] = usual_or_any(in, 0.2);
    numbers(in, x, 10);
    if (choice % 3 == 0 && sn_world_cast_ray(p->world, copy, x, x + 3, mask, hit)) check_hit(p, hit);
    if (choice % 3 == 1 && sn_world_cast_shape(p->world, copy, &shape, x, x + 6, x + 3, mask, hit))
        check_hit(p, hit);
    if (choice % 3 != 2) return;
    const int n = sn_world_overlap(p->world, copy, &shape, x, x + 6, mask, hit, PARTS);
    for (int i = 0; i < n && i < PARTS; i++)
        check_hit(p, &hit[i]);
}

static void respond(struct player *p, struct input *in) {
    static double matrix[1 << 14];
    const sn_row_response response = (sn_row_response)(take(in) % 4);
    MUST(sn_study_response_matrix(p->world, take(in) % (COPIES + 1), response, matrix, 128) >= -1);
    sn_summary summary;
    for (int i = -1; i <= sn_world_get_info(p->world).members; i++) {
        const sn_status status =
            sn_world_summary(p->world, sn_world_member(p->world, i), take(in) % COPIES, &summary);
        MUST(status == SN_OK || status == SN_ERROR_ARGUMENT);
    }
}

/* --------------------------------------------------------------------------------------------------- calls */

static void edit(struct player *p, struct input *in) {
    static void (*const way[])(struct player *, struct input *) = {
        add_member,     remove_member,     add_ground,     remove_ground, move_ground,
        add_constraint, remove_constraint, set_constraint, try_dead,
    };
    way[take(in) % (sizeof way / sizeof *way)](p, in);
}

static void set(struct player *p, struct input *in, bool narrow) {
    static void (*const way[])(struct player *, struct input *) = {set_field,  set_short, reset,
                                                                   set_motion, cast,      respond};
    enum { WAYS = sizeof way / sizeof *way };
    const int which = take(in) % (WAYS + 3);
    if (which < WAYS) way[which](p, in);
    if (which == WAYS) put_field(p, in, narrow);
    if (which == WAYS + 1) view_field(p, in, narrow);
    if (which == WAYS + 2) sn_world_set_dt(p->world, number(in));
}

static void call(struct game *g, struct input *in, bool narrow) {
    const uint8_t what = take(in) % 16;
    if (what < 4)
        edit(&g->p, in);
    else if (what < 10)
        set(&g->p, in, narrow);
    else if (what == 10)
        keep(g);
    else if (what == 11)
        go_back(g, in);
    else if (what == 12)
        step_twice(g, in);
    else
        step(g, in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size, false};
    struct game g = {0};
    g.p.world = make_world(&in, &g.single);
    if (!g.p.world) return 0;
    const bool narrow = strncmp(sn_world_get_info(g.p.world).lanes, "f32", 3) == 0;
    g.copies = sn_world_get_info(g.p.world).copies;
    add_ground(&g.p, &in);
    add_member(&g.p, &in);
    for (int i = 0; i < MOST_CALLS && in.size; i++)
        call(&g, &in, narrow);
    free(g.earlier.block);
    sn_world_free(g.p.world);
    return 0;
}
