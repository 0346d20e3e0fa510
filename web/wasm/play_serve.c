/* What the motions with balls, and the mouse, are given: the scenes of spd-2011 sections 4.1 and 4.2. */
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SERVE_NONE, SERVE_KICK, SERVE_PASS, SERVE_CATCH };

PLAY_API void play_scene_throw(struct scene *s, double x, double y, double z, double vx, double vy,
                               double vz);

int serve_kind(const char *motion) {
    return strcmp(motion, "kick") == 0    ? SERVE_KICK
           : strcmp(motion, "pass") == 0  ? SERVE_PASS
           : strcmp(motion, "catch") == 0 ? SERVE_CATCH
                                          : SERVE_NONE;
}

/* Where a ball is met 0.6 s into the round, and how it comes; a kicked one lies there. */
static const struct {
    double place[3], velocity[3];
} served[] = {
    [SERVE_KICK] = {{0.49, -0.085, 0.12}, {0}},
    [SERVE_PASS] = {{0.4, 0, 1.13}, {-3.2, 0, -2.4}},
    [SERVE_CATCH] = {{0.55, 0, 1.155}, {-5, 0, 0}},
};

/* One ball a round, at its beginning. */
void serve_act(struct scene *s) {
    const int kind = s->subject->serve;
    if (!kind || s->copies > 1) return;
    const double round = floor(s->time / s->subject->duration + 1e-9);
    if (s->served >= round || s->time - round * s->subject->duration > 0.3) return;
    const double flight = 0.6 - (s->time - round * s->subject->duration), g = kind == SERVE_KICK ? 0 : 9.81;
    const double *p = served[kind].place, *v = served[kind].velocity;
    s->served = round;
    play_scene_throw(s, p[0] - v[0] * flight, p[1] - v[1] * flight,
                     p[2] - v[2] * flight - 0.5 * g * flight * flight, v[0], v[1], v[2] + g * flight);
}

/* ------------------------------------------------------------------------------------------------------- the mouse */

/* time, place, heading: a round that ends as it began */
static const double keys[][5] = {{0, 0, 0, 0.03, 0},          {1.2, 0.35, 0, 0.03, 0},
                                 {2.4, 0.5, 0.25, 0.03, 1.8}, {3.6, 0.3, 0.45, 0.12, 2.9},
                                 {4.8, 0, 0.3, 0.03, 4.4},    {6, 0, 0, 0.03, 6.283185307179586}};
enum { KEYS = sizeof keys / sizeof *keys };

sn_keyframes *make_mouse_keys(const sn_model *mouse, sn_error *error) {
    const size_t nq = (size_t)sn_model_get(mouse)->nq, nbody = (size_t)sn_model_get(mouse)->nbody;
    double *q = malloc((KEYS * nq + nbody) * sizeof *q), *weight = q + KEYS * nq;
    uint8_t *keyed = calloc(nbody + 1, 1);
    sn_keyframe key[KEYS];
    sn_keyframes_def def = sn_keyframes_def_default();
    sn_keyframes *made = NULL;
    const sn_body_info *root = sn_model_body(mouse, 0);
    if (q && keyed && root && root->joint.type == SN_JOINT_FREE) {
        keyed[0] = 1;
        for (size_t b = 0; b < nbody; b++)
            weight[b] = b ? 1 : 1000;
        for (int i = 0; i < KEYS; i++) {
            double *pose = q + (size_t)i * nq;
            sn_model_zero_pose(mouse, pose);
            memcpy(pose, keys[i] + 1, 3 * sizeof *pose);
            pose[3] = cos(0.5 * keys[i][4]), pose[6] = sin(0.5 * keys[i][4]);
            key[i] = (sn_keyframe){keys[i][0], pose, keyed};
        }
        def.count = KEYS, def.key = key, def.weight = weight;
        made = sn_keyframes_create(mouse, &def, error);
    } else {
        *error = (sn_error){SN_ERROR_ARGUMENT, "these keyframes are for a character with a free root"};
    }
    free(q);
    free(keyed);
    return made;
}
