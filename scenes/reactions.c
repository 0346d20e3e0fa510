/* Scenes of spd-2011 section 4: characters that are hit and give way, a mouse that goes by keyframes, and a tinkertoy. */
#include "kinds.h"
#include "parts.h"

#include <math.h>

enum { SECOND = 240, MOUSE_KEYS = 4, HELIX_POINTS = 241 }; /* steps per second at the usual dt */

/* A humanoid that follows a motion with these gains, and reacts to blows. */
static void add_follower(struct scene *s, const char *motion, double kp, double kd, double threshold) {
    double kps[SCENE_VALUES], kds[SCENE_VALUES];
    sn_reaction_def reaction = sn_reaction_def_default();
    if (scene_add_builtin(s, "humanoid") < 0) return;
    s->motion = sn_builtin_motion_create(motion, s->model[0], &s->error);
    if (!s->motion) return;
    s->error = (sn_error){0};
    sn_gains_uniform(s->model[0], 20000, 3000, kp, kd, kps, kds);
    reaction.threshold = threshold, reaction.reaction = 0.02, reaction.hold = 0.2, reaction.recover = 0.6;
    scene_check(s, sn_world_set_gains(s->world, 0, kps, kds), "sn_world_set_gains");
    scene_check(s, sn_world_set_motion(s->world, 0, s->motion), "sn_world_set_motion");
    scene_check(s, sn_world_set_reaction(s->world, 0, &reaction), "sn_world_set_reaction");
}

static void start_at(struct scene *s, int copy, double phase) {
    double q[SCENE_VALUES], qd[SCENE_VALUES];
    sn_motion_sample(s->motion, phase, q, qd);
    scene_set(s, 0, SN_FIELD_Q, copy, q);
    scene_set(s, 0, SN_FIELD_QD, copy, qd);
    scene_set(s, 0, SN_FIELD_PHASE, copy, &phase);
}

static void add_ball(struct scene *s, double mass) {
    const sn_shape_def ball = sphere_of(0.11, mass);
    scene_add_body(s, &ball);
    scene_add_floor(s, 1);
}

/* ------------------------------------------------------------------------------------------------------------ hit */

void build_hit(struct scene *s) {
    add_follower(s, "walk", 2000, 150, 10);
    add_ball(s, 5);
}

void start_hit(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    const double place[3] = {-3, -3, 0.11};
    if (s->error.status) return;
    start_at(s, copy, scene_uniform(&random, 0, sn_motion_get(s->motion)->duration));
    scene_place(s, 1, copy, place, NULL, NULL);
}

/* At the chest, at 10 m/s, once per second. */
void act_hit(struct scene *s, int copy, uint64_t who, int step) {
    double pose[SCENE_VALUES];
    uint64_t random = scene_seed(who, step);
    if (step % SECOND != (int)(scene_seed(who, -1) % 20)) return;
    const double angle = scene_uniform(&random, 0, 6.283185307179586), c = cos(angle), d = sin(angle);
    if (!scene_check(s, sn_world_get(s->world, 0, SN_FIELD_BODY_POSE, copy, 1, pose), "sn_world_get")) return;
    const double *chest = pose + 7;
    const double place[3] = {chest[0] + c, chest[1] + d, chest[2] + 0.1},
                 velocity[6] = {-10 * c, -10 * d, 0.5};
    scene_place(s, 1, copy, place, NULL, velocity);
}

/* ----------------------------------------------------------------------------------------------------------- kick */

void build_kick(struct scene *s) {
    add_follower(s, "kick", 2000, 150, 0.5);
    add_ball(s, 2);
}

/* The foot meets it 0.62 s into the motion. */
void start_kick(struct scene *s, int copy, uint64_t who) {
    uint64_t random = scene_seed(who, 0);
    const double place[3] = {0.5, -0.085, 0.11};
    if (s->error.status) return;
    start_at(s, copy, scene_uniform(&random, 0.45, 0.55));
    scene_place(s, 1, copy, place, NULL, NULL);
}

/* ---------------------------------------------------------------------------------------------------------- mouse */

/* The root alone is keyed; the tail is left to physics. */
void build_mouse(struct scene *s) {
    static const double at[MOUSE_KEYS][4] = {{0, 0, 0}, {1, 0.3, 0, 0.5}, {2, 0.4, 0.3, 2}, {3, 0, 0.2, 3}};
    double q[MOUSE_KEYS][SCENE_VALUES], weight[SCENE_VALUES];
    uint8_t keyed[SCENE_VALUES] = {1};
    sn_keyframe key[MOUSE_KEYS];
    sn_keyframes_def def = sn_keyframes_def_default();
    if (scene_add_builtin(s, "mouse") < 0) return;
    for (int b = 0; b < sn_model_get(s->model[0])->nbody; b++)
        weight[b] = b ? 1 : 1000;
    for (int i = 0; i < MOUSE_KEYS; i++) { /* time, x, y, heading */
        sn_model_zero_pose(s->model[0], q[i]);
        q[i][0] = at[i][1], q[i][1] = at[i][2], q[i][2] = 0.1;
        q[i][3] = cos(0.5 * at[i][3]), q[i][6] = sin(0.5 * at[i][3]);
        key[i] = (sn_keyframe){at[i][0], q[i], keyed};
    }
    def.count = MOUSE_KEYS, def.key = key, def.weight = weight;
    s->keys = sn_keyframes_create(s->model[0], &def, &s->error);
    if (s->keys) s->error = (sn_error){0};
}

void start_mouse(struct scene *s, int copy, uint64_t who) {
    double q[SCENE_VALUES];
    const double weightless[3] = {0, 0, 0};
    (void)who;
    if (s->error.status) return;
    sn_keyframes_spline(s->keys, sn_keyframes_get(s->keys)->time[0], q, NULL);
    scene_put(s, 0, copy, q, NULL);
    scene_set(s, 0, SN_FIELD_GRAVITY, copy, weightless);
}

void act_mouse(struct scene *s, int copy, uint64_t who, int step) {
    double dt;
    if (!scene_check(s, sn_world_get(s->world, 0, SN_FIELD_DT, copy, 1, &dt), "sn_world_get")) return;
    const double time = (step + 1) * dt + 0.1 * (double)(who % 7); /* some begin later */
    scene_check(s, sn_keyframes_apply(s->keys, s->world, 0, copy, time), "sn_keyframes_apply");
}

/* ------------------------------------------------------------------------------------------------------ tinkertoy */

static const double toy_rod = 0.25, toy_stiffness = 1e6;

/* Three turns of 0.7 m from 2 m down to 0.7 m. */
static void helix_point(double part, double out[3]) {
    const double angle = 3 * 6.283185307179586 * part;
    out[0] = 0.7 * cos(angle), out[1] = 0.7 * sin(angle), out[2] = 2 - 1.3 * part;
}

static void tie_toy(struct scene *s, sn_constraint_def *def) {
    if (s->error.status) return;
    def->stiffness = toy_stiffness, def->damping = 1.5 * toy_stiffness / SECOND;
    const sn_constraint tie = sn_world_add_constraint(s->world, def, &s->error);
    if (!s->constraint) s->constraint = tie;
    if (tie) s->error = (sn_error){0};
}

void build_tinkertoy(struct scene *s) {
    double points[3 * HELIX_POINTS];
    const sn_shape_def bead = sphere_of(0.06, 1);
    const int first = scene_add_body(s, &bead);
    scene_add_again(s, first);
    scene_add_floor(s, 1);
    for (int i = 0; i < HELIX_POINTS; i++)
        helix_point((double)i / (HELIX_POINTS - 1), points + 3 * (size_t)i);
    sn_constraint_def curve = sn_constraint_def_default(SN_CONSTRAINT_CURVE);
    curve.curve =
        &(sn_curve_def){.struct_size = sizeof(sn_curve_def), .npoint = HELIX_POINTS, .points = points};
    tie_toy(s, &curve);
    sn_constraint_def rod = sn_constraint_def_default(SN_CONSTRAINT_DISTANCE);
    rod.member = 1, rod.member2 = 0, rod.target[0] = toy_rod;
    tie_toy(s, &rod);
}

/* From rest somewhere in the first half, the rod level and outward. */
void start_tinkertoy(struct scene *s, int copy, uint64_t who) {
    double place[3];
    uint64_t random = scene_seed(who, 0);
    helix_point((int)scene_uniform(&random, 0, HELIX_POINTS / 2) / (HELIX_POINTS - 1.0), place);
    scene_place(s, 0, copy, place, NULL, NULL);
    const double out = 1 + toy_rod / 0.7;
    place[0] *= out, place[1] *= out;
    scene_place(s, 1, copy, place, NULL, NULL);
}
