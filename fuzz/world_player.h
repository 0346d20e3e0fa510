/* A world that a fuzz program plays with: its members, ground and constraints, which come and go as the input says. */
#ifndef SINEW_FUZZ_WORLD_PLAYER_H
#define SINEW_FUZZ_WORLD_PLAYER_H

#include "fuzz_input.h"

#include <sinew/studies.h>

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
    sn_study_def study = {.row_solver = (sn_row_solver)((choice >> 6) % 3),
                          .response = (sn_row_response)(more % 4)};
    d.joint_limits = more >> 2 & 1;
    d.iterations = 1 + (more >> 3 & 15);
    d.max_contacts =
        1 + take(in) % (study.row_solver != SN_ROW_SOLVER_PGS ? 6 : 32); /* pivoting takes long */
    d.compliance = more & 128 ? 1e-5 : 0;
    choose_flags(&d, take(in));
    const uint8_t rare = take(in);
    d.form = (sn_form)(rare & 3);
    d.products = (sn_products)((rare >> 2 & 3) % 2);
    study.polarised = (rare >> 2 & 3) == 2;
    d.study = sn_study_find(study);
    d.setting = (sn_setting)((rare >> 4 & 3) % 3);
    if (rare >> 6 == 1) d.iterations = 0;                                            /* as the setting says */
    if (rare >> 6 == 2 && study.row_solver == SN_ROW_SOLVER_PGS) d.max_contacts = 0; /* room that grows */
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
    if (world) MUST(sn_world_get_info(world).copies == d.copies);
    return world;
}

/* ------------------------------------------------------------------------------------- members and ground */

static void add_member(struct player *p, struct input *in) {
    const uint8_t choice = take(in);
    const int which = choice % MODELS;
    int count = 0;
    for (int i = 0; i < sn_world_get_info(p->world).members; i++)
        count += sn_world_member(p->world, i) >= 0;
    if (count >= MEMBERS) return;
    const sn_model *model = model_of(which);
    sn_error error = {0};
    const int member = sn_world_add(p->world, model, &error);
    MUST(member >= 0 && sn_world_model(p->world, member) == model);
    MUST(sn_world_member(p->world, member & 1023) == member);
    double q[MOST_VALUES];
    sn_model_zero_pose(model, q);
    if (chain[which][0] == SN_JOINT_FREE) q[0] = 0.1 * (member & 1023), q[2] = 0.05 * (double)(take(in) % 16);
    MUST(!sn_world_set_state(p->world, member, q, NULL));
}

/* Its constraints go with it. */
static void remove_member(struct player *p, struct input *in) {
    double force[6];
    sn_constraint_state state;
    const int member = sn_world_member(p->world, take(in) % (MEMBERS + 1) - 1);
    const bool there = sn_world_model(p->world, member) != NULL;
    MUST(sn_world_remove(p->world, member) == (there ? SN_OK : SN_ERROR_ARGUMENT));
    MUST(!sn_world_model(p->world, member) && sn_world_size(p->world, member, SN_FIELD_Q) == 0);
    MUST(sn_world_set_state(p->world, member, force, NULL) == SN_ERROR_ARGUMENT);
    for (int i = p->nlive - 1; i >= 0; i--) {
        if (sn_world_get_constraint(p->world, p->live[i], 0, &state) == SN_OK) continue;
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
            sizeof(sn_heightfield_def), 3,     3, {usual_or_any(in, 2), usual_or_any(in, 2)},
            {x[0], x[1], x[2]},         height};
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
    d.member = sn_world_member(p->world, take(in) % 5 - (choice == 255));
    d.body = take(in) % 4;
    d.member2 = sn_world_member(p->world, take(in) % 6 - 1);
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
    if (copy >= sn_world_get_info(p->world).copies) MUST(status == SN_ERROR_ARGUMENT);
}

/* Those removed, and those nobody ever had. */
static void try_dead(struct player *p, struct input *in) {
    sn_constraint_state state;
    sn_constraint strange = 0;
    for (int i = 0; i < 8; i++)
        strange = strange << 8 | take(in);
    for (int i = 0; i < p->nlive; i++)
        if (strange == p->live[i]) strange = 0;
    for (int i = -1; i < p->ndead; i++) {
        const sn_constraint c = i < 0 ? strange : p->dead[i];
        MUST(sn_world_remove_constraint(p->world, c) == SN_ERROR_ARGUMENT);
        MUST(sn_world_set_constraint(p->world, c, -1, NULL, NULL) == SN_ERROR_ARGUMENT);
        MUST(sn_world_get_constraint(p->world, c, 0, &state) == SN_ERROR_ARGUMENT);
    }
}

#endif
