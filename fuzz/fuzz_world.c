/* Worlds: the input is a program of calls on one to five copies of a scene that is edited as it runs, with values from
 * sensible to absurd. Nothing may crash; what was removed is refused; what a step reports is finite; a snapshot brings
 * back the same bits, whatever has come and gone since. */
#include "fuzz_input.h"

enum { COPIES = 5, MEMBERS = 4, GROUNDS = 4, HANDLES = 16, MOST_CALLS = 64, MOST_STEPS = 10, PARTS = 3 };

/* What the world must agree with; it goes back with a snapshot. */
struct player {
    sn_world *world;
    sn_constraint live[HANDLES], dead[HANDLES];
    int nlive, ndead;
    bool ground[GROUNDS]; /* which numbers are taken */
};

/* An earlier state: the block, its hash, and what the player knew. */
struct earlier {
    uint8_t *block;
    size_t size;
    uint64_t hash;
    struct player player;
};

struct game {
    struct player p;
    struct earlier earlier;
    int copies, steps;
    bool single; /* one substep per step */
};

/* ------------------------------------------------------------------------------------------------- worlds */

static void choose_flags(sn_world_def *d, uint8_t bits) {
    d->self_contact = bits & 1;
    d->report_torque = bits & 2;
    d->torque_limits = bits & 4;
    d->gains_by_axis = bits & 8;
    d->report_contacts = !(bits & 16);
    d->sleep = bits & 32 ? 0.5 : 0;
    d->substeps = 1 + (bits >> 6 & 1);
    d->threads = bits & 128 ? 2 : 1;
}

static sn_world *make_world(struct input *in, bool *single) {
    sn_world_def d = sn_world_def_default();
    const uint8_t choice = take(in), more = take(in);
    d.copies = 1 + take(in) % COPIES;
    d.precision = (sn_precision)(choice & 1);
    d.contact = (sn_contact_method)((choice >> 1) % 4);
    d.stepper = (sn_stepper)((choice >> 3) % 2 + (choice == 255));
    d.friction = (sn_friction)(choice >> 4 & 3);
    d.row_solver = (sn_row_solver)((choice >> 6) % 3);
    d.response = (sn_row_response)(more % 4);
    d.joint_limits = more >> 2 & 1;
    d.iterations = 1 + (more >> 3 & 15);
    d.max_contacts = 1 + take(in) % (d.row_solver != SN_ROWS_PGS ? 6 : 32); /* pivoting takes long */
    d.compliance = more & 128 ? 1e-5 : 0;
    choose_flags(&d, take(in));
    const uint8_t rare = take(in);
    d.form = (sn_form)(rare & 3);
    d.products = (sn_products)((rare >> 2 & 3) % 3);
    d.setting = (sn_setting)((rare >> 4 & 3) % 3);
    if (rare >> 6 == 1) d.iterations = 0;                                  /* as the setting says */
    if (rare >> 6 == 2 && d.row_solver == SN_ROWS_PGS) d.max_contacts = 0; /* room that grows */
    if (rare > 240) {
        numbers(in, d.gravity, 3);
        d.tolerance = number(in), d.slop = number(in), d.recovery = number(in), d.margin = number(in);
        d.bounce = number(in), d.compliance = number(in), d.sweep_tolerance = number(in);
        d.shortest = number(in), d.dt = number(in), d.sleep = number(in);
        d.recovery_speed = number(in), d.limit_speed = number(in), d.pin_speed = number(in);
        d.sweeps = take(in) % 8, d.copies = take(in) % 4, d.substeps = take(in) % 3;
    }
    if (d.shortest >= 0 && d.shortest < 0.25) d.shortest = 0.25; /* steps that last */
    *single = d.substeps == 1;
    sn_error error = {0};
    sn_world *world = sn_world_create(&d, &error);
    if (!world) MUST(error.status != SN_OK && strlen(error.message) > 8);
    if (world) MUST(sn_world_copies(world) == d.copies);
    return world;
}

/* ------------------------------------------------------------------------------------- members and ground */

static void add_member(struct player *p, struct input *in) {
    const uint8_t choice = take(in);
    const int which = choice % MODELS;
    int count = 0;
    for (int i = 0; i < sn_world_count(p->world); i++)
        count += sn_world_model(p->world, i) != NULL;
    if (count >= MEMBERS) return;
    const sn_model *model = model_of(which);
    sn_error error = {0};
    const int member = sn_world_add(p->world, model, &error);
    MUST(member >= 0 && member < MEMBERS && sn_world_model(p->world, member) == model);
    double q[MOST_VALUES];
    sn_model_zero_pose(model, q);
    if (chain[which][0] == SN_JOINT_FREE) q[0] = 0.1 * member, q[2] = 0.05 * (double)(take(in) % 16);
    MUST(!sn_world_set_state(p->world, member, q, NULL));
}

/* Its constraints go with it. */
static void remove_member(struct player *p, struct input *in) {
    double force[6];
    const int member = take(in) % (MEMBERS + 1) - 1;
    const bool there = sn_world_model(p->world, member) != NULL;
    MUST(sn_world_remove(p->world, member) == (there ? SN_OK : SN_ERROR_ARGUMENT));
    MUST(!sn_world_model(p->world, member) && sn_world_size(p->world, member, SN_FIELD_Q) == 0);
    MUST(sn_world_set_state(p->world, member, force, NULL) == SN_ERROR_ARGUMENT);
    for (int i = p->nlive - 1; i >= 0; i--) {
        if (sn_world_constraint_force(p->world, p->live[i], 0, force) >= 0) continue;
        if (p->ndead < HANDLES) p->dead[p->ndead++] = p->live[i];
        p->live[i] = p->live[--p->nlive];
    }
}

static void add_ground(struct player *p, struct input *in) {
    sn_shape_def s = sn_shape_def_default((sn_shape_type)(take(in) % 6));
    double x[7], height[9] = {0};
    const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};
    const uint8_t kind = take(in);
    for (int k = 0; k < 3; k++)
        s.size[k] = usual_or_any(in, 0.5);
    s.friction = usual_or_any(in, 0.8), s.restitution = usual_or_any(in, 0.3);
    numbers(in, x, 7);
    if (p->ground[0] && p->ground[1] && p->ground[2] && p->ground[3]) return;
    int place = -1;
    if (kind % 4 == 0) {
        place = sn_world_add_plane(p->world, x, x + 3, kind & 4 ? &s : NULL, NULL);
    } else if (kind % 4 == 1) {
        place = sn_world_add_plane(p->world, origin, up, NULL, NULL);
    } else if (kind % 4 == 2) {
        place = sn_world_add_shape(p->world, &s, x, x + 3, NULL);
    } else {
        numbers(in, height, 9);
        const sn_heightfield_def field = {
            3, 3, {usual_or_any(in, 2), usual_or_any(in, 2)}, {x[0], x[1], x[2]}, height};
        place = sn_world_add_heightfield(p->world, &field, &s, NULL);
    }
    if (place < 0) return;
    MUST(place < GROUNDS && !p->ground[place]);
    p->ground[place] = true;
}

static void remove_ground(struct player *p, struct input *in) {
    const int place = take(in) % GROUNDS;
    MUST(sn_world_remove_ground(p->world, place) == (p->ground[place] ? SN_OK : SN_ERROR_ARGUMENT));
    p->ground[place] = false;
}

static void move_ground(struct player *p, struct input *in) {
    double x[13];
    numbers(in, x, 13);
    const uint8_t which = take(in);
    const sn_status status =
        sn_world_move(p->world, which % (GROUNDS + 1), which & 8 ? NULL : x, which & 16 ? NULL : x + 3,
                      which & 32 ? NULL : x + 7, which & 64 ? NULL : x + 10);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT || status == SN_ERROR_UNSUPPORTED);
}

/* -------------------------------------------------------------------------------------------- constraints */

static void add_constraint(struct player *p, struct input *in) {
    const uint8_t choice = take(in);
    sn_constraint_def d =
        sn_constraint_def_default((sn_constraint_type)(choice % (SN_CONSTRAINT_TYPE_COUNT + 1)));
    d.member = take(in) % 5 - (choice == 255);
    d.body = take(in) % 4;
    d.member2 = take(in) % 6 - 1;
    d.body2 = take(in) % 4;
    d.stiffness = usual_or_any(in, 50), d.damping = usual_or_any(in, 1);
    d.settle = usual_or_any(in, 0.1), d.max_force = usual_or_any(in, 100);
    if (choice & 64) d.kp = usual_or_any(in, 100), d.kd = usual_or_any(in, 14);
    if (choice & 32) {
        numbers(in, d.point, 3), numbers(in, d.point2, 3), numbers(in, d.direction, 3);
        numbers(in, d.target, 7), numbers(in, d.target_velocity, 6);
    }
    if (p->nlive == HANDLES) return;
    sn_error error = {0};
    const sn_constraint c = sn_world_add_constraint(p->world, &d, &error);
    if (!c) {
        MUST(error.status == SN_ERROR_ARGUMENT && strlen(error.message) > 8);
        return;
    }
    for (int i = 0; i < p->nlive; i++)
        MUST(p->live[i] != c);
    for (int i = 0; i < p->ndead; i++)
        MUST(p->dead[i] != c);
    p->live[p->nlive++] = c;
}

static void remove_constraint(struct player *p, struct input *in) {
    if (!p->nlive || p->ndead == HANDLES) return;
    const int i = take(in) % p->nlive;
    MUST(sn_world_remove_constraint(p->world, p->live[i]) == SN_OK);
    p->dead[p->ndead++] = p->live[i];
    p->live[i] = p->live[--p->nlive];
}

static void set_constraint(struct player *p, struct input *in) {
    double target[7], velocity[6];
    numbers(in, target, 7);
    numbers(in, velocity, 6);
    const uint8_t which = take(in);
    const int copy = take(in) % (COPIES + 2) - 1;
    if (!p->nlive) return;
    const sn_status status = sn_world_set_constraint(
        p->world, p->live[which % p->nlive], copy, which & 64 ? NULL : target, which & 128 ? NULL : velocity);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT);
    if (copy >= sn_world_copies(p->world)) MUST(status == SN_ERROR_ARGUMENT);
}

/* Those removed, and those nobody ever had. */
static void try_dead(struct player *p, struct input *in) {
    double force[6];
    sn_constraint strange = 0;
    for (int i = 0; i < 8; i++)
        strange = strange << 8 | take(in);
    for (int i = 0; i < p->nlive; i++)
        if (strange == p->live[i]) strange = 0;
    for (int i = -1; i < p->ndead; i++) {
        const sn_constraint c = i < 0 ? strange : p->dead[i];
        MUST(sn_world_remove_constraint(p->world, c) == SN_ERROR_ARGUMENT);
        MUST(sn_world_set_constraint(p->world, c, -1, NULL, NULL) == SN_ERROR_ARGUMENT);
        MUST(sn_world_constraint_force(p->world, c, 0, force) == -1);
    }
}

/* ------------------------------------------------------------------------------------------------- checks */

/* States of all copies are finite, and all members agree on which copies are frozen. */
static void check_states(struct player *p) {
    const int copies = sn_world_copies(p->world);
    double values[COPIES * MOST_VALUES];
    sn_world_stats stats;
    sn_world_get_stats(p->world, &stats);
    for (int i = 0; i < sn_world_count(p->world); i++) {
        const sn_model *model = sn_world_model(p->world, i);
        if (!model) continue;
        int frozen = 0;
        MUST(!sn_world_get(p->world, i, SN_FIELD_Q, 0, copies, values));
        MUST(all_finite(values, copies * sn_model_nq(model)));
        MUST(!sn_world_get(p->world, i, SN_FIELD_QD, 0, copies, values));
        MUST(all_finite(values, copies * sn_model_nv(model)));
        MUST(!sn_world_get(p->world, i, SN_FIELD_DIVERGED, 0, copies, values));
        for (int k = 0; k < copies; k++)
            frozen += values[k] != 0;
        MUST(frozen == stats.diverged);
    }
}

/* Forces are finite, but after wild numbers nobody can ask that. Who has no force has a phase that says so. */
static void check_contacts(const struct player *p, bool wild) {
    const sn_world *world = p->world;
    for (int copy = 0; copy < sn_world_copies(world); copy++) {
        int n = -1;
        const sn_contact *c = sn_world_contacts(world, copy, &n);
        MUST(n >= 0 && (c || !n));
        for (int i = 0; i < n; i++) {
            MUST(sn_world_model(world, c[i].member[0]));
            MUST(c[i].member[1] == -1 || sn_world_model(world, c[i].member[1]));
            MUST(all_finite(c[i].force, 3) || wild);
            if (c[i].phase == SN_CONTACT_NEAR || c[i].phase == SN_CONTACT_ENDED)
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
    MUST((status == SN_ERROR_NOT_FINITE) == (stats.diverged == g->copies));
    if (status && g->copies == 1 && g->single) MUST(sn_world_hash(p->world) == before); /* as it was */
    check_states(p);
    check_contacts(p, in->wild);
    double force[6];
    for (int i = 0; i < p->nlive; i++)
        for (int copy = 0; copy < g->copies; copy++) {
            const int rows = sn_world_constraint_force(p->world, p->live[i], copy, force);
            MUST(rows >= 0 && rows <= 6);
            MUST(all_finite(force, rows) || in->wild);
        }
}

/* ---------------------------------------------------------------------------------------------- snapshots */

static uint8_t *block_of(const sn_world *world, size_t *size) {
    *size = sn_world_snapshot_size(world);
    uint8_t *block = malloc(*size);
    MUST(block && *size > 0 && !sn_world_snapshot(world, block, *size));
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
    const int member = take(in) % (MEMBERS + 1);
    return sn_world_model(p->world, member) ? member : take(in) % (MEMBERS + 1) - 1;
}

static void set_field(struct player *p, struct input *in) {
    double values[COPIES * MOST_VALUES];
    const int member = pick(p, in), copies = sn_world_copies(p->world);
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
    const int n = sn_world_copies(p->world) * sn_world_size(p->world, member, field);
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
    const int member = pick(p, in), copies = sn_world_copies(p->world);
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
    if (model && bits & 32) numbers(in, q, sn_model_nq(model));
    if (model && bits & 64) numbers(in, qd, sn_model_nv(model));
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
    sn_model_zero_pose(model, q + sn_model_nq(model));
    for (int i = 0; i < sn_model_nq(model); i++)
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
    if (model && choice & 8) numbers(in, q, sn_model_nq(model));
    if (model) numbers(in, v, sn_model_nv(model));
    switch (choice % 8) {
    case 0:
        sn_world_set_state(p->world, member, q, choice & 16 ? v : NULL);
        break;
    case 1:
        sn_world_set_target(p->world, member, q, choice & 16 ? v : NULL);
        break;
    case 2:
        sn_world_set_push(p->world, member, choice >> 4 & 3, q, choice & 8 ? q + 1 : NULL);
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
    MUST(sn_world_response_matrix(p->world, take(in) % (COPIES + 1), response, matrix, 128) >= -1);
    sn_summary summary;
    for (int i = -1; i <= sn_world_count(p->world); i++) {
        const sn_status status = sn_world_summary(p->world, i, take(in) % COPIES, &summary);
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
    const bool narrow = strncmp(sn_world_lanes(g.p.world), "f32", 3) == 0;
    g.copies = sn_world_copies(g.p.world);
    add_ground(&g.p, &in);
    add_member(&g.p, &in);
    for (int i = 0; i < MOST_CALLS && in.size; i++)
        call(&g, &in, narrow);
    free(g.earlier.block);
    sn_world_free(g.p.world);
    return 0;
}
