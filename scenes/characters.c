/* Scenes with a humanoid, which is member 0. */
#include "kinds.h"
#include "parts.h"

#include <math.h>

enum { BALLS = 10, SECOND = 240 }; /* steps per second at the usual dt */

static void add_humanoid(struct scene *s) {
    const int member = scene_add_builtin(s, "humanoid");
    scene_hold(s, member, 1000, 100);
}

static int find_body(struct scene *s, const char *name) {
    return sn_model_find_body(s->model[0], name);
}

/* ------------------------------------------------------------------------------------------------ one humanoid */

void build_driven(struct scene *s) {
    add_humanoid(s);
    scene_add_floor(s, 1);
}

void build_limp(struct scene *s) {
    scene_add_builtin(s, "humanoid");
    scene_add_floor(s, 1);
}

void build_hills(struct scene *s) {
    add_humanoid(s);
    scene_add_hills(s, 0.05);
}

/* A floor, and a slope that rises from x = 0.1 on. */
void build_slopes(struct scene *s) {
    const double point[3] = {0.1, 0, 0}, normal[3] = {-0.1, 0, 1};
    add_humanoid(s);
    scene_add_floor(s, 1);
    scene_add_plane(s, point, normal, 0.4);
}

void start_stand(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES], qd[SCENE_VALUES] = {0};
    uint64_t random = scene_seed(who, 0);
    scene_pose(s, 0, 0, 0, 0.002, &random, q);
    for (int v = 0; v < sn_model_get(s->model[0])->nv; v++)
        qd[v] = scene_uniform(&random, -0.01, 0.01);
    scene_put(s, 0, copy, q, qd);
}

void start_fall(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES], qd[SCENE_VALUES] = {0};
    uint64_t random = scene_seed(who, 0);
    scene_pose(s, 0, 0, 0, 0.05, &random, q);
    q[2] += 0.2;
    qd[0] = scene_uniform(&random, 1, 2);
    qd[4] = scene_uniform(&random, 0.5, 1.5); /* forward: the root stands upright, so its y is the world's */
    scene_put(s, 0, copy, q, qd);
}

/* Some stand, some lie, some are thrown, all over the field. */
void start_hills(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES], qd[SCENE_VALUES] = {0};
    uint64_t random = scene_seed(who, 0);
    const double x = scene_uniform(&random, -5, 5), y = scene_uniform(&random, -5, 5);
    scene_pose(s, 0, x, y, 0.05, &random, q);
    if (who % 3 == 1) {
        q[2] += scene_uniform(&random, 0, 0.3);
        qd[0] = scene_uniform(&random, -2, 2), qd[1] = scene_uniform(&random, -2, 2);
    } else if (who % 3 == 2) {
        for (int i = 3; i < 7; i++)
            q[i] = scene_uniform(&random, -1, 1);
        if (s->error.status == SN_OK) scene_check(s, sn_world_stand(s->world, 0, q), "sn_world_stand");
    }
    scene_put(s, 0, copy, q, qd);
}

void start_own(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 1);
    const double mass = scene_uniform(&random, 0.5, 2), friction = scene_uniform(&random, 0.2, 1.5);
    const double gravity[3] = {0, 0, scene_uniform(&random, -12, -8)};
    const double gain = scene_uniform(&random, 200, 2000);
    double kp[SCENE_VALUES] = {0};
    start_fall(s, copy, who);
    for (int v = 6; v < sn_model_get(s->model[0])->nv; v++)
        kp[v] = gain;
    scene_set(s, 0, SN_FIELD_MASS_SCALE, copy, &mass);
    scene_set(s, 0, SN_FIELD_FRICTION, copy, &friction);
    scene_set(s, 0, SN_FIELD_GRAVITY, copy, gravity);
    scene_set(s, 0, SN_FIELD_KP, copy, kp);
}

void start_tangle(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES];
    uint64_t random = scene_seed(who, 0);
    scene_pose(s, 0, 0, 0, 0.6, &random, q);
    scene_put(s, 0, copy, q, NULL);
}

/* Half a second from one shove to the next; each lasts a tenth. */
void act_shove(struct scene *s, int copy, uint64_t who, int step) {
    const int at = (step + (int)(scene_seed(who, -1) % (SECOND / 2))) % (SECOND / 2);
    uint64_t random = scene_seed(who, step);
    if (at != 0 && at != SECOND / 10) return;
    const double angle = scene_uniform(&random, 0, 6.283185307179586);
    const double force[3] = {200 * cos(angle), 200 * sin(angle), 0};
    scene_push(s, 0, copy, find_body(s, "chest"), at == 0 ? force : NULL);
}

/* ------------------------------------------------------------------------------------------------ motion */

/* The gains of maba-2020 section 4.1, root and joints. */
void build_track(struct scene *s) {
    double kp[SCENE_VALUES], kd[SCENE_VALUES];
    if (scene_add_builtin(s, "humanoid") < 0) return;
    s->motion = sn_builtin_motion_create("run", s->model[0], &s->error);
    if (!s->motion) return;
    s->error = (sn_error){0};
    sn_gains_uniform(s->model[0], 20000, 2000, 75000, 4000, kp, kd);
    scene_check(s, sn_world_set_gains(s->world, 0, kp, kd), "sn_world_set_gains");
    scene_check(s, sn_world_set_motion(s->world, 0, s->motion), "sn_world_set_motion");
}

void start_track(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES], qd[SCENE_VALUES];
    uint64_t random = scene_seed(who, 0);
    const double phase = scene_uniform(&random, 0, sn_motion_get(s->motion)->duration);
    sn_motion_sample(s->motion, phase, q, qd);
    scene_set(s, 0, SN_FIELD_Q, copy, q);
    scene_set(s, 0, SN_FIELD_QD, copy, qd);
    scene_set(s, 0, SN_FIELD_PHASE, copy, &phase);
}

/* ------------------------------------------------------------------------------------------------ company */

void build_meet(struct scene *s) {
    add_humanoid(s);
    scene_hold(s, scene_add_again(s, 0), 1000, 100);
    scene_add_floor(s, 1);
}

/* 0.7 m apart, face to face, each at about 1.5 m/s. */
void start_meet(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    for (int member = 0; member < 2; member++) {
        double q[SCENE_VALUES], qd[SCENE_VALUES] = {0};
        scene_pose(s, member, 0.7 * member, scene_uniform(&random, -0.05, 0.05), 0.05, &random, q);
        if (member == 1) q[3] = 0, q[6] = 1; /* half a turn about z */
        qd[0] = scene_uniform(&random, 1, 2) * (member ? -1 : 1);
        scene_put(s, member, copy, q, qd);
    }
}

static int add_balls(struct scene *s, double radius, double mass) {
    sn_shape_def ball = sphere_of(radius, mass);
    ball.restitution = 0.5;
    const int first = scene_add_body(s, &ball);
    for (int i = 1; i < BALLS; i++)
        scene_add_again(s, first);
    return first;
}

void build_balls(struct scene *s) {
    build_driven(s);
    add_balls(s, 0.11, 4);
}

/* They lie in a row beside the humanoid and are thrown one after the other. */
void start_balls(struct scene *s, int copy, uint64_t who) {
    start_stand(s, copy, who);
    for (int i = 0; i < BALLS; i++) {
        const double pos[3] = {0.3 * i, -2, 0.11};
        scene_place(s, 1 + i, copy, pos, NULL, NULL);
    }
}

void act_balls(struct scene *s, int copy, uint64_t who, int step) {
    uint64_t random = scene_seed(who, step);
    if (step % (SECOND / 4) != 0) return;
    const double angle = scene_uniform(&random, 0, 6.283185307179586);
    const double c = cos(angle), d = sin(angle);
    const double pos[3] = {1.5 * c, 1.5 * d, scene_uniform(&random, 0.8, 1.4)};
    const double velocity[6] = {-7 * c, -7 * d, 1, 0, 0, 0};
    scene_place(s, 1 + step / (SECOND / 4) % BALLS, copy, pos, NULL, velocity);
}

void build_heap(struct scene *s) {
    build_meet(s);
    scene_add_walls(s, 2);
    add_balls(s, 0.12, 2);
}

/* One humanoid on the other's head, and a rain of balls. */
void start_heap(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    for (int member = 0; member < 2; member++) {
        double q[SCENE_VALUES];
        scene_pose(s, member, 0.1 * member, 0, 0.02, &random, q);
        q[2] += 1.7 * member;
        scene_put(s, member, copy, q, NULL);
    }
    for (int i = 0; i < BALLS; i++) {
        const double pos[3] = {scene_uniform(&random, -1, 1), scene_uniform(&random, -1, 1), 0.3 + 0.3 * i};
        scene_place(s, 2 + i, copy, pos, NULL, NULL);
    }
}

/* Every twelfth of a second half of all are pushed somewhere with ten times their mass, about their weight. */
void act_heap(struct scene *s, int copy, uint64_t who, int step) {
    uint64_t random = scene_seed(who, step);
    for (int i = 0; i < sn_world_get_info(s->world).members && step % (SECOND / 12) == 0; i++) {
        const sn_member member = sn_world_member(s->world, i);
        const sn_model *model = sn_world_model(s->world, member);
        const int body = (int)scene_uniform(&random, 0, sn_model_get(model)->nbody);
        const double size = 10 * sn_model_get(model)->mass;
        double force[3];
        for (int k = 0; k < 3; k++)
            force[k] = scene_uniform(&random, -size, size);
        scene_push(s, member, copy, body, scene_uniform(&random, 0, 1) < 0.5 ? force : NULL);
    }
}

/* ------------------------------------------------------------------------------------------------ constraints */

static void add_constraint(struct scene *s, const sn_constraint_def *def) {
    sn_error error = {0};
    if (s->error.status != SN_OK) return;
    const sn_constraint constraint = sn_world_add_constraint(s->world, def, &error);
    if (!constraint) scene_fail(s, error.status, error.message);
    if (!s->constraint) s->constraint = constraint;
}

/* A hand is drawn by a spring, which act_held moves about; the other hand is pinned to the head, the pelvis follows a
   point and an elbow an angle. */
void build_held(struct scene *s) {
    build_driven(s);
    if (s->error.status != SN_OK) return;
    sn_constraint_def spring = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    spring.body = find_body(s, "left_forearm");
    spring.point[2] = -0.26;
    spring.stiffness = 500, spring.damping = 50;
    spring.target[0] = 0.4, spring.target[1] = 0.3, spring.target[2] = 1.2;
    add_constraint(s, &spring);
    sn_constraint_def pin = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    pin.body = find_body(s, "right_forearm");
    pin.point[2] = -0.26;
    pin.member2 = 0, pin.body2 = find_body(s, "head");
    pin.point2[1] = -0.15;
    pin.max_force = 300;
    add_constraint(s, &pin);
    sn_constraint_def path = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
    path.body = find_body(s, "pelvis");
    path.target[2] = 0.85;
    path.max_force = 2000;
    add_constraint(s, &path);
    sn_constraint_def joint = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH);
    joint.body = find_body(s, "left_shin");
    joint.target[0] = 0.4;
    joint.max_force = 200;
    add_constraint(s, &joint);
}

void act_held(struct scene *s, int copy, uint64_t who, int step) {
    const double angle = 0.02 * step + (double)(who % 7);
    const double target[7] = {0.4 + 0.2 * cos(angle), 0.3, 1.2 + 0.2 * sin(angle)};
    if (step % 10 != 0) return;
    scene_check(s, sn_world_set_constraint(s->world, s->constraint, copy, target, NULL),
                "sn_world_set_constraint");
}
