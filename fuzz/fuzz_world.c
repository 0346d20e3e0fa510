/* Worlds: the input is a program of calls, with values from sensible to absurd. Nothing may crash, a removed handle
 * is refused for ever, and what a step that succeeded reports is finite. */
#include "fuzz_helpers.h"

#include <math.h>

enum { MODELS = 4, MEMBERS = 3, HANDLES = 16, MOST_VALUES = 32, MOST_CALLS = 48, MOST_STEPS = 8 };

struct input {
    const uint8_t *data;
    size_t size;
    bool wild; /* it has had numbers no physics has */
};

static uint8_t take(struct input *in) {
    if (!in->size) return 0;
    in->size--;
    return *in->data++;
}

/* Mostly a small number; now and then one from the edges, or any eight bytes. */
static double any_number(struct input *in) {
    static const double edge[] = {NAN,    INFINITY, -INFINITY, 1e308, -1e308, 1e150, -1e150,
                                  1e40,   -1e40,    1e15,      -1e15, 1e6,    -1e6,  1e-6,
                                  1e-160, 1e-320,   0,         -0.0,  1,      -1};
    const uint8_t kind = take(in);
    if (kind < 200) return ((double)kind - 100) / 50;
    if (kind < 240) return edge[(kind - 200) % (int)(sizeof edge / sizeof *edge)];
    if (kind < 250) return (double)(int8_t)take(in);
    double x;
    uint8_t byte[sizeof x];
    for (size_t i = 0; i < sizeof x; i++)
        byte[i] = take(in);
    memcpy(&x, byte, sizeof x);
    return x;
}

static double number(struct input *in) {
    const double x = any_number(in);
    if (!(fabs(x) <= 1e6) || (x != 0 && fabs(x) < 1e-6)) in->wild = true;
    return x;
}

static void numbers(struct input *in, double *x, int n) {
    for (int i = 0; i < n; i++)
        x[i] = number(in);
}

/* ------------------------------------------------------------------------------------------------- models */

static const sn_joint_type chain[MODELS][3] = {{SN_JOINT_FREE, SN_JOINT_WELD, SN_JOINT_WELD},
                                               {SN_JOINT_FREE, SN_JOINT_BALL, SN_JOINT_WELD},
                                               {SN_JOINT_FREE, SN_JOINT_HINGE, SN_JOINT_UNIVERSAL},
                                               {SN_JOINT_BALL, SN_JOINT_SLIDE, SN_JOINT_WELD}};
static const int length[MODELS] = {1, 2, 3, 2};

static sn_model *make_model(int which) {
    static const char *const name[] = {"a", "b", "c"};
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < length[which]; i++) {
        sn_body_def body = sn_body_def_default();
        sn_shape_def shape = sn_shape_def_default((sn_shape_type)((which + i) % SN_SHAPE_TYPE_COUNT));
        shape.size[0] = 0.1, shape.size[1] = 0.12, shape.size[2] = 0.08;
        shape.restitution = which == 0 ? 0.5 : 0;
        body.name = name[i];
        body.parent = i ? name[i - 1] : NULL;
        body.joint = sn_joint_def_default(chain[which][i]);
        body.joint.limited =
            which > 0 && chain[which][i] != SN_JOINT_FREE && chain[which][i] != SN_JOINT_WELD;
        for (int k = 0; k < 2; k++)
            body.joint.lower[k] = -0.3, body.joint.upper[k] = 0.4;
        if (which == 2 && i == 1) body.joint.torque_limit = 5, body.joint.stiffness = 2;
        if (i) body.joint.anchor[2] = -0.1, body.pos[2] = 0.2;
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, name[i], &shape);
    }
    sn_error error;
    sn_model *model = sn_builder_build(builder, &error);
    if (!model) fprintf(stderr, "%s\n", error.message);
    MUST(model);
    sn_builder_free(builder);
    return model;
}

/* ------------------------------------------------------------------------------------------------- worlds */

struct player {
    sn_world *world;
    const struct input *in;
    sn_constraint live[HANDLES], dead[HANDLES];
    int nlive, ndead, steps, grounds;
};

static double small_or_any(struct input *in, double usual) {
    return take(in) < 224 ? usual : number(in);
}

static sn_world *make_world(struct input *in) {
    sn_world_def d = sn_world_def_default();
    const uint8_t choice = take(in), more = take(in);
    d.precision = (sn_precision)(choice & 1);
    d.contact = (sn_contact_method)((choice >> 1) % 4);
    d.stepper = (sn_stepper)((choice >> 3) % 2 + (choice == 255));
    d.friction = (sn_friction)(choice >> 4 & 3);
    d.row_solver = (sn_row_solver)(choice >> 6 & 1);
    d.response = (sn_row_response)(more % 4);
    d.joint_limits = more >> 2 & 1;
    d.iterations = 1 + (more >> 3 & 15);
    d.max_contacts = 1 + take(in) % (d.row_solver == SN_ROWS_DIRECT ? 6 : 32); /* pivoting takes long */
    d.compliance = more & 128 ? 1e-5 : 0;
    if (take(in) > 240) {
        numbers(in, d.gravity, 3);
        d.tolerance = number(in), d.slop = number(in), d.recovery = number(in), d.margin = number(in);
        d.bounce = number(in), d.compliance = number(in), d.sweep_tolerance = number(in);
        d.shortest = number(in), d.dt = number(in);
        d.sweeps = take(in) % 8;
    }
    if (d.shortest >= 0 && d.shortest < 0.25) d.shortest = 0.25; /* steps that last */
    sn_error error = {0};
    sn_world *world = sn_world_create(&d, &error);
    if (!world) MUST(error.status != SN_OK && strlen(error.message) > 8);
    return world;
}

static void add_member(struct player *p, struct input *in) {
    static sn_model *model[MODELS];
    if (sn_world_count(p->world) >= MEMBERS) return;
    const uint8_t choice = take(in);
    const int which = choice % MODELS;
    if (!model[which]) model[which] = make_model(which);
    sn_member_def def = sn_member_def_default();
    def.form = (sn_form)(choice >> 2 & 3);
    def.self_collision = choice >> 4 & 1;
    def.report_torque = choice >> 5 & 1;
    const int index = sn_world_add(p->world, model[which], &def, NULL);
    MUST(index >= 0);
    double q[MOST_VALUES];
    sn_model_zero_pose(model[which], q);
    if (chain[which][0] == SN_JOINT_FREE) q[0] = 0.1 * index, q[2] = 0.05 * (double)(take(in) % 16);
    MUST(!sn_character_set_state(sn_world_character(p->world, index), q, NULL));
}

static void add_ground(struct player *p, struct input *in) {
    if (p->grounds >= 4) return;
    sn_shape_def s = sn_shape_def_default((sn_shape_type)(take(in) % 6));
    double x[7], height[9] = {0};
    const uint8_t kind = take(in);
    for (int k = 0; k < 3; k++)
        s.size[k] = small_or_any(in, 0.5);
    s.friction = small_or_any(in, 0.8), s.restitution = small_or_any(in, 0.3);
    numbers(in, x, 7);
    int number_of = -1;
    if (kind % 4 == 0) {
        number_of = sn_world_add_plane(p->world, x, x + 3, kind & 4 ? &s : NULL, NULL);
    } else if (kind % 4 == 1) {
        const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};
        number_of = sn_world_add_plane(p->world, origin, up, NULL, NULL);
    } else if (kind % 4 == 2) {
        number_of = sn_world_add_shape(p->world, &s, x, x + 3, NULL);
    } else {
        numbers(in, height, 9);
        const sn_heightfield_def field = {
            3, 3, {small_or_any(in, 2), small_or_any(in, 2)}, {x[0], x[1], x[2]}, height};
        number_of = sn_world_add_heightfield(p->world, &field, &s, NULL);
    }
    if (number_of >= 0) {
        MUST(number_of == p->grounds);
        p->grounds++;
    }
}

/* ------------------------------------------------------------------------------------------------ handles */

static void add_tie(struct player *p, struct input *in) {
    const uint8_t choice = take(in);
    sn_constraint_def d = sn_constraint_def_default((sn_constraint_type)(choice % 5));
    d.character = take(in) % 5 - (choice == 255);
    d.body = take(in) % 4;
    d.character2 = take(in) % 6 - 1;
    d.body2 = take(in) % 4;
    d.stiffness = small_or_any(in, 50), d.damping = small_or_any(in, 1);
    d.settle = small_or_any(in, 0.1), d.max_force = small_or_any(in, 100);
    if (choice & 32) {
        numbers(in, d.point, 3), numbers(in, d.point2, 3);
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

static void remove_tie(struct player *p, struct input *in) {
    if (!p->nlive || p->ndead == HANDLES) return;
    const int i = take(in) % p->nlive;
    MUST(sn_world_remove_constraint(p->world, p->live[i]) == SN_OK);
    p->dead[p->ndead++] = p->live[i];
    p->live[i] = p->live[--p->nlive];
}

static void set_tie(struct player *p, struct input *in) {
    double target[7], velocity[6];
    numbers(in, target, 7);
    numbers(in, velocity, 6);
    const uint8_t which = take(in);
    if (!p->nlive) return;
    const sn_status status = sn_world_set_constraint(
        p->world, p->live[which % p->nlive], which & 64 ? NULL : target, which & 128 ? NULL : velocity);
    MUST(status == SN_OK || status == SN_ERROR_ARGUMENT);
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
        MUST(sn_world_set_constraint(p->world, c, NULL, NULL) == SN_ERROR_ARGUMENT);
        MUST(sn_world_constraint_force(p->world, c, force) == -1);
    }
}

/* ------------------------------------------------------------------------------------------------- checks */

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static void check_states(struct player *p) {
    double q[MOST_VALUES], qd[MOST_VALUES];
    for (int i = 0; i < sn_world_count(p->world); i++) {
        const sn_character *c = sn_world_character(p->world, i);
        sn_character_get_state(c, q, qd);
        MUST(all_finite(q, sn_model_nq(sn_character_model(c))));
        MUST(all_finite(qd, sn_model_nv(sn_character_model(c))));
    }
}

/* Forces are finite; of dt = 1e-320 nobody can ask that. */
static void check_contacts(const struct player *p) {
    const sn_world *world = p->world;
    const int n = sn_world_contact_count(world);
    const sn_contact *c = sn_world_contacts(world);
    for (int i = 0; i < n; i++) {
        MUST(c[i].character[0] >= 0 && c[i].character[0] < sn_world_count(world));
        MUST(c[i].character[1] >= -1 && c[i].character[1] < sn_world_count(world));
        MUST(all_finite(c[i].force, 3) || p->in->wild);
    }
}

/* Time and states one after the other; how many values. */
static int gather(struct player *p, double *x) {
    int n = 0;
    x[n++] = sn_world_time(p->world);
    for (int i = 0; i < sn_world_count(p->world); i++) {
        const sn_character *c = sn_world_character(p->world, i);
        const int nq = sn_model_nq(sn_character_model(c)), nv = sn_model_nv(sn_character_model(c));
        sn_character_get_state(c, x + n, x + n + nq);
        n += nq + nv;
    }
    return n;
}

static void step(struct player *p) {
    if (p->steps++ >= MOST_STEPS) return;
    double before[1 + 2 * MEMBERS * MOST_VALUES], after[1 + 2 * MEMBERS * MOST_VALUES];
    const int contacts = sn_world_contact_count(p->world), n = gather(p, before);
    const sn_status status = sn_world_step(p->world);
    gather(p, after);
    if (status) { /* nothing has happened */
        MUST(sn_world_contact_count(p->world) == contacts);
        MUST(memcmp(before, after, sizeof *before * (size_t)n) == 0);
    }
    sn_world_stats stats;
    sn_world_get_stats(p->world, &stats);
    MUST(status == SN_OK || status == SN_ERROR_NOT_FINITE);
    MUST((status == SN_OK) == (stats.bad_character < 0));
    check_states(p);
    check_contacts(p);
    double force[6];
    for (int i = 0; i < p->nlive; i++) {
        const int rows = sn_world_constraint_force(p->world, p->live[i], force);
        MUST(rows >= 0 && rows <= 6);
        MUST(all_finite(force, rows) || p->in->wild);
    }
}

/* A snapshot is accepted by the world it is of, and says the same again; unless something has left what numbers
   hold, such as the turn of ground after 1e300 radians. */
static void go_back(struct player *p) {
    static uint8_t block[1 << 16], again[1 << 16];
    const size_t size = sn_world_snapshot_size(p->world);
    MUST(size <= sizeof block && !sn_world_snapshot(p->world, block, size));
    sn_error error = {0};
    const sn_status status = sn_world_restore(p->world, block, size, &error);
    if (status && !p->in->wild) fprintf(stderr, "%s\n", error.message);
    MUST(status == SN_OK || (status == SN_ERROR_FORMAT && p->in->wild));
    if (status) return;
    MUST(!sn_world_snapshot(p->world, again, size) && !memcmp(block, again, size));
}

/* --------------------------------------------------------------------------------------------------- calls */

static void set_character(struct player *p, struct input *in) {
    const uint8_t choice = take(in);
    sn_character *c = sn_world_character(p->world, choice >> 4);
    if (!c) return;
    double q[MOST_VALUES], v[MOST_VALUES];
    const sn_model *model = sn_character_model(c);
    numbers(in, q, choice & 8 ? sn_model_nq(model) : 0);
    if (!(choice & 8)) sn_character_get_state(c, q, NULL);
    numbers(in, v, sn_model_nv(model));
    switch (choice % 8) {
    case 0:
        sn_character_set_state(c, q, v);
        break;
    case 1:
        sn_character_set_target(c, q, choice & 16 ? v : NULL);
        break;
    case 2:
        sn_character_set_feedforward(c, v);
        break;
    case 3:
        sn_character_set_push(c, choice >> 4 & 3, q, choice & 8 ? q + 1 : NULL);
        break;
    case 4:
        for (int i = 0; i < sn_model_nv(model); i++)
            q[i] = 0.1 * (v[i] = fabs(v[i]));
        sn_character_set_gains(c, v, q);
        break;
    case 5:
        sn_character_set_feedforward(c, NULL);
        break;
    case 6:
        MUST(sn_character_step(c) == SN_ERROR_ARGUMENT && sn_character_set_dt(c, 0.1) == SN_ERROR_ARGUMENT);
        break;
    default:
        sn_character_drive_acceleration(c, v);
        sn_world_set_active(p->world, choice >> 4, choice & 8);
    }
}

static void move_ground(struct player *p, struct input *in) {
    double x[13];
    numbers(in, x, 13);
    const uint8_t which = take(in);
    sn_world_move(p->world, which % 5, which & 8 ? NULL : x, which & 16 ? NULL : x + 3,
                  which & 32 ? NULL : x + 7, which & 64 ? NULL : x + 10);
}

static void respond(struct player *p, struct input *in) {
    static double matrix[1 << 14];
    const int n = sn_world_response_matrix(p->world, (sn_row_response)(take(in) % 4), matrix, 1 << 14);
    MUST(n >= -1);
    check_contacts(p);
}

static void call(struct player *p, struct input *in) {
    switch (take(in) % 16) {
    case 0:
        add_tie(p, in);
        break;
    case 1:
        remove_tie(p, in);
        break;
    case 2:
        set_tie(p, in);
        break;
    case 3:
        try_dead(p, in);
        break;
    case 4:
        move_ground(p, in);
        break;
    case 5:
        respond(p, in);
        break;
    case 6:
        add_member(p, in);
        break;
    case 7:
        add_ground(p, in);
        break;
    case 8:
        go_back(p);
        break;
    case 9:
        sn_world_set_dt(p->world, number(in));
        break;
    case 10:
    case 11:
    case 12:
        set_character(p, in);
        break;
    default:
        step(p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input in = {data, size, false};
    struct player p = {.world = make_world(&in), .in = &in};
    if (!p.world) return 0;
    add_ground(&p, &in);
    add_member(&p, &in);
    for (int i = 0; i < MOST_CALLS && in.size; i++)
        call(&p, &in);
    sn_world_free(p.world);
    return 0;
}
