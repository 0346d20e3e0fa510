#include "world_helpers.h"

#include "base/hash.h"
#include "base/quat.h"

const struct stepper_case stepper_case[] = {{"time", SN_STEPPER_TIME}, {"event", SN_STEPPER_EVENT}};
const int stepper_count = COUNT(stepper_case);

const struct way *ways(void) {
    static const struct way kind[] = {{"cone", SN_CONTACT_ROWS, SN_FRICTION_CONE, 0},
                                      {"pyramid", SN_CONTACT_ROWS, SN_FRICTION_PYRAMID, 0},
                                      {"one way", SN_CONTACT_ROWS, SN_FRICTION_ONE_WAY, 0},
                                      {"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, 0}};
    static struct way list[COUNT(kind) * COUNT(stepper_case) + 1];
    int n = 0;
    for (int s = 0; s < stepper_count; s++)
        for (int k = 0; k < COUNT(kind); k++) {
            if (kind[k].contact == SN_CONTACT_IMPLICIT && stepper_case[s].stepper != SN_STEPPER_TIME)
                continue;
            list[n] = kind[k], list[n].stepper = stepper_case[s].stepper;
            snprintf(list[n].name, sizeof list[n].name, "%.15s, %.14s", kind[k].name, stepper_case[s].name);
            n++;
        }
    return list;
}

sn_world_def def_of(const struct way *way) {
    sn_world_def def = sn_world_def_default();
    def.contact = way->contact, def.friction = way->friction, def.stepper = way->stepper;
    return def;
}

void for_each_way(sn_model *model, void (*check)(const struct way *way, const sn_model *model)) {
    static const struct way way[] = {{"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                     {"rows", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                     {"rows, event", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_EVENT}};
    for (int k = 0; k < COUNT(way); k++)
        check(&way[k], model);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------- scenes */

sn_world_def rows_def(void) {
    sn_world_def def = sn_world_def_default();
    def.contact = SN_CONTACT_ROWS;
    return def;
}

sn_world *world_of(const sn_world_def *def) {
    sn_error error;
    sn_world *world = sn_world_create(def, &error);
    if (!world) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    return world;
}

unsigned char *snapshot_of(const sn_world *world, size_t *size) {
    *size = sn_world_snapshot(world, NULL, 0);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(sn_world_snapshot(world, bytes, *size), *size);
    return bytes;
}

struct promise promise_of(sn_world *world, double time, double dt) {
    struct promise p = {.time = time, .dt = dt};
    p.bytes = snapshot_of(world, &p.size);
    run_for(world, time, dt);
    p.hash = sn_world_hash(world);
    return p;
}

void keep_promise(sn_world *world, struct promise p) {
    assert_int_equal(sn_world_restore(world, p.bytes, p.size, NULL), SN_OK);
    run_for(world, p.time, p.dt);
    assert_true(sn_world_hash(world) == p.hash);
    free(p.bytes);
}

int member_of(sn_world *world, const sn_model *model) {
    sn_error error;
    const int number = sn_world_add(world, model, &error);
    if (number < 0) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    return number;
}

int floor_of(sn_world *world, const sn_shape_def *material) {
    const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    const int number = sn_world_add_plane(world, zero, up, material, NULL);
    assert_true(number >= 0);
    return number;
}

sn_world_stats stats_of(const sn_world *world) {
    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    return stats;
}

sn_constraint tie_of(sn_world *world, const sn_constraint_def *def) {
    sn_error error = {0};
    const sn_constraint tie = sn_world_add_constraint(world, def, &error);
    if (!tie) fail_msg("%s", error.message);
    return tie;
}

void step_world(sn_world *world) {
    const sn_status status = sn_world_step(world);
    const sn_world_stats stats = stats_of(world);
    if (status == SN_OK && !(stats.diverged && sn_world_get_info(world).copies == 1)) return;
    fail_msg("%s at %g s: copy %d, member %d, degree of freedom %d", sn_status_text(status),
             sn_world_time(world), stats.bad_copy, stats.bad_member, stats.bad_dof);
}

void run_for(sn_world *world, double seconds, double dt) {
    const int steps = (int)(seconds / dt + 0.5);
    for (int i = 0; i < steps; i++)
        step_world(world);
}

sn_model *free_body(const sn_shape_def *shape) {
    sn_error error;
    sn_model *model = scene_body_model(shape, &error);
    if (!model) fail_msg("%s: %s", sn_status_text(error.status), error.message);
    return model;
}

sn_model *limited_arm(void) {
    sn_joint_def joint = sn_joint_def_default(SN_JOINT_HINGE);
    joint.axis[0] = 0, joint.axis[1] = 1, joint.axis[2] = 0;
    joint.limited = true;
    joint.lower[0] = -0.5, joint.upper[0] = 0.5;
    const sn_shape_def shape = capsule_of(0.03, 0.15, 2);
    return one_body_model("arm", &joint, &shape, NULL);
}

sn_model *brick(void) {
    return body_of(box_of(0.1, 0.15, 0.25, 3));
}

sn_model *body_of(sn_shape_def shape) {
    return free_body(&shape);
}

void put_body(sn_world *world, int member, const double pos[3], const double rot[4],
              const double velocity[6]) {
    double q[7] = {pos[0], pos[1], pos[2], 1, 0, 0, 0}, qd[6] = {0};
    if (rot) memcpy(q + 3, rot, 4 * sizeof *rot);
    if (velocity) memcpy(qd, velocity, sizeof qd);
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
    assert_int_equal(sn_world_set_target(world, member, q, NULL), SN_OK);
}

void stand_humanoid(sn_world *world, int member, double *q) {
    double qd[MAX_NV] = {0};
    sn_model_zero_pose(sn_world_model(world, member), q);
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
    q[2] -= lowest_point(world, member);
    assert_int_equal(sn_world_set_state(world, member, q, qd), SN_OK);
    assert_int_equal(sn_world_set_target(world, member, q, NULL), SN_OK);
}

void uniform_gains(sn_world *world, int member, double root_kp, double root_kd, double kp, double kd) {
    double kps[MAX_NV], kds[MAX_NV];
    sn_gains_uniform(sn_world_model(world, member), root_kp, root_kd, kp, kd, kps, kds);
    assert_int_equal(sn_world_set_gains(world, member, kps, kds), SN_OK);
}

void turn_about(const double axis[3], double angle, double rot[4]) {
    const double v[3] = {angle * axis[0], angle * axis[1], angle * axis[2]};
    dquat_exp(v, rot);
}

/* ---------------------------------------------------------------------------------------------- measures */

enum { MAX_BODIES = 256 };

void body_pose(sn_world *world, int member, int body, double pos[3], double rot[4]) {
    double pose[MAX_BODIES][7];
    assert_true(sn_model_get(sn_world_model(world, member))->nbody <= MAX_BODIES);
    assert_int_equal(sn_world_get(world, member, SN_FIELD_BODY_POSE, 0, 1, pose[0]), SN_OK);
    if (pos) memcpy(pos, pose[body], 3 * sizeof *pos);
    if (rot) memcpy(rot, pose[body] + 3, 4 * sizeof *rot);
}

double lowest_point(sn_world *world, int member) {
    const sn_model *model = sn_world_model(world, member);
    double lowest = HUGE_VAL;
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        double pos[3], rot[4];
        if (body->nshape) body_pose(world, member, b, pos, rot);
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++) {
            const sn_shape_def *s = (&sn_model_get(model)->shape[k]);
            double centre[3], turn[4], own[4] = {s->rot[0], s->rot[1], s->rot[2], s->rot[3]}, R[3][3],
                                       down = 0;
            dquat_rotate(rot, s->pos, centre);
            dquat_normalise(own);
            dquat_multiply(rot, own, turn);
            dquat_to_matrix(turn, R);
            if (s->type == SN_SHAPE_SPHERE)
                down = s->size[0];
            else if (s->type == SN_SHAPE_CAPSULE)
                down = s->size[0] + fabs(R[2][2]) * s->size[1];
            else if (s->type == SN_SHAPE_BOX)
                for (int i = 0; i < 3; i++)
                    down += fabs(R[2][i]) * s->size[i];
            else
                continue;
            lowest = fmin(lowest, pos[2] + centre[2] - down);
        }
    }
    return lowest;
}

double past_all(sn_world *world) {
    double worst = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        double q[MAX_NQ];
        if (!sn_world_model(world, i)) continue;
        assert_int_equal(sn_world_get(world, i, SN_FIELD_Q, 0, 1, q), SN_OK);
        worst = fmax(worst, past_limits(sn_world_model(world, i), q));
    }
    return worst * 180 / M_PI;
}

const sn_contact *contacts_of(const sn_world *world, int *count) {
    const sn_contact *contact = sn_world_contacts(world, 0, count);
    while (*count && contact[*count - 1].phase == SN_CONTACT_PHASE_ENDED) /* these come last */
        --*count;
    return contact;
}

int contact_count(const sn_world *world) {
    int count;
    contacts_of(world, &count);
    return count;
}

double penetration(const sn_world *world) {
    int count;
    const sn_contact *contact = contacts_of(world, &count);
    double deepest = 0;
    for (int i = 0; i < count; i++)
        deepest = fmax(deepest, -contact[i].gap);
    return deepest;
}

double energy_of(sn_world *world) {
    double sum = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        sn_summary s;
        if (!sn_world_model(world, i)) continue;
        assert_int_equal(sn_world_summary(world, i, 0, &s), SN_OK);
        sum += s.kinetic + s.potential;
    }
    return sum;
}

void momentum_of(sn_world *world, int member, double p[6]) {
    sn_summary s;
    assert_int_equal(sn_world_summary(world, member, 0, &s), SN_OK);
    double moment[3];
    dvec_cross(s.com, s.linear_momentum, moment);
    for (int k = 0; k < 3; k++)
        p[k] = s.linear_momentum[k], p[3 + k] = s.angular_momentum[k] + moment[k];
}

double fastest(sn_world *world) {
    double most = 0, qd[MAX_NV];
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        if (!sn_world_model(world, i)) continue;
        sn_world_get_state(world, i, NULL, qd);
        for (int v = 0; v < sn_model_get(sn_world_model(world, i))->nv; v++)
            most = fmax(most, fabs(qd[v]));
    }
    return most;
}

uint64_t hash_fields(sn_world *world, int member, int copy) {
    uint64_t hash = 0;
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        double value[7 * MAX_BODIES];
        const int n = sn_world_size(world, member, (sn_field)f);
        assert_true(n >= 0 && n <= COUNT(value));
        if (n == 0 || sn_world_get(world, member, (sn_field)f, copy, 1, value)) continue;
        hash = sn__hash(value, sizeof *value * (size_t)n, hash);
    }
    return hash;
}

uint64_t hash_contacts(const sn_world *world, int copy) {
    int count;
    const sn_contact *c = sn_world_contacts(world, copy, &count);
    uint64_t hash = sn__hash(&count, sizeof count, 0);
    for (int i = 0; i < count; i++) { /* value by value: there may be gaps between them */
        hash = sn__hash(c[i].member, sizeof c[i].member, hash);
        hash = sn__hash(c[i].body, sizeof c[i].body, hash);
        hash = sn__hash(c[i].shape, sizeof c[i].shape, hash);
        hash = sn__hash(&c[i].feature, sizeof c[i].feature, hash);
        hash = sn__hash(&c[i].phase, sizeof c[i].phase, hash);
        hash = sn__hash(c[i].pos, sizeof c[i].pos, hash);
        hash = sn__hash(c[i].normal, sizeof c[i].normal, hash);
        hash = sn__hash(&c[i].gap, sizeof c[i].gap, hash);
        hash = sn__hash(c[i].force, sizeof c[i].force, hash);
        hash = sn__hash(&c[i].sliding, sizeof c[i].sliding, hash);
        hash = sn__hash(&c[i].slip_speed, sizeof c[i].slip_speed, hash);
    }
    return hash;
}

double past_limits(const sn_model *model, const double *q) {
    double worst = 0;
    for (int b = 0; b < sn_model_get(model)->nbody; b++) {
        const sn_body_info *body = sn_model_body(model, b);
        const sn_joint_def *j = &body->joint;
        const double *x = q + body->q_index;
        if (!j->limited) continue;
        if (j->type == SN_JOINT_BALL) {
            const double *t = j->axis, along = x[1] * t[0] + x[2] * t[1] + x[3] * t[2];
            const double swing = 2 * acos(fmin(1, sqrt(x[0] * x[0] + along * along)));
            const double twist = 2 * atan2(x[0] < 0 ? -along : along, fabs(x[0]));
            worst = fmax(worst, fmax(swing - j->upper[1], fmax(j->lower[0] - twist, twist - j->upper[0])));
            continue;
        }
        for (int k = 0; k < body->nq; k++)
            worst = fmax(worst, fmax(j->lower[k] - x[k], x[k] - j->upper[k]));
    }
    return worst;
}

void slide_box(const sn_world_def *def, const struct slide *slide, double *way, double *speed) {
    const double a = slide->angle, mu = slide->mu;
    const double normal[3] = {-sin(a), 0, cos(a)}, downhill[3] = {-cos(a), 0, -sin(a)}, zero[3] = {0},
                 pos[3] = {0.1 * normal[0], 0, 0.1 * normal[2]},
                 start[6] = {slide->speed * downhill[0], 0, slide->speed * downhill[2]};
    sn_world *world = world_of(def);
    double rot[4], q[7], qd[6];
    turn_about((const double[3]){0, -1, 0}, a, rot);
    if (slide->on_box) {
        sn_shape_def ground = box_of(20, 3, 0.5, 1);
        ground.friction = mu;
        const double below[3] = {-0.5 * normal[0], 0, -0.5 * normal[2]};
        assert_int_equal(sn_world_add_shape(world, &ground, below, rot, NULL), 0);
    } else {
        const sn_shape_def material = material_of(mu, 0);
        assert_int_equal(sn_world_add_plane(world, zero, normal, &material, NULL), 0);
    }
    sn_shape_def box = box_of(0.2, 0.15, 0.1, 3);
    box.friction = mu;
    sn_model *model = free_body(&box);
    const int c = member_of(world, model);
    put_body(world, c, pos, rot, start);
    run_for(world, slide->seconds, def->dt);
    sn_world_get_state(world, c, q, qd);
    *way = (q[0] - pos[0]) * downhill[0] + (q[2] - pos[2]) * downhill[2];
    *speed = dvec_dot(qd, downhill);
    end_scene(world, model);
}

int constraint_force(const sn_world *world, sn_constraint constraint, int copy, double *force) {
    sn_constraint_state state;
    if (sn_world_get_constraint(world, constraint, copy, &state)) return -1;
    if (force) memcpy(force, state.force, sizeof *force * (size_t)state.rows);
    return state.rows;
}

bool constraint_broken(const sn_world *world, sn_constraint constraint, int copy) {
    sn_constraint_state state;
    return sn_world_get_constraint(world, constraint, copy, &state) == SN_OK && state.broken;
}

sn_status constraint_error(const sn_world *world, sn_constraint constraint, int copy, double *distance,
                           double *angle) {
    sn_constraint_state state;
    const sn_status status = sn_world_get_constraint(world, constraint, copy, &state);
    if (!status && distance) *distance = state.distance;
    if (!status && angle) *angle = state.angle;
    return status;
}
