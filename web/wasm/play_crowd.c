/* Many characters that follow one motion, each at its own phase. */
#include "play.h"

#include <stdlib.h>
#include <string.h>

struct crowd {
    sn_crowd *crowd;
    const struct subject *subject;
    int drawn;    /* the first so many are drawn */
    double *room; /* [drawn][nbody][7] */
    float *pose;  /* the same */
    sn_error error;
};

PLAY_API void play_crowd_free(struct crowd *c) {
    if (!c) return;
    sn_crowd_free(c->crowd);
    free(c->room);
    free(c->pose);
    free(c);
}

/* Each starts on the motion, at its own phase; golden steps spread them evenly for any count. */
static bool start(struct crowd *c, int count) {
    const struct subject *s = c->subject;
    const int nq = sn_model_nq(s->model), nv = sn_model_nv(s->model);
    double *q = malloc((size_t)(nq + nv) * sizeof *q), phase = 0;
    bool good = q != NULL;
    for (int i = 0; good && i < count; i++) {
        phase = s->loops ? phase + 0.6180339887498949 : 0;
        phase -= (int)phase;
        const double time = phase * s->duration;
        subject_sample(s, time, q, q + nq);
        good = sn_crowd_set_state(c->crowd, i, 1, q, q + nq) == SN_OK;
        if (s->motion)
            good = good && sn_crowd_set(c->crowd, SN_CROWD_PHASE, i, 1, &time) == SN_OK;
        else
            good = good && sn_crowd_set_target(c->crowd, i, 1, q, NULL) == SN_OK;
    }
    free(q);
    return good;
}

/* As with scenes: comes back in any case, with an error or without. */
PLAY_API struct crowd *play_crowd_create(const struct subject *subject, int count, int drawn, int form,
                                         double dt, int substeps) {
    struct crowd *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->subject = subject;
    c->drawn = drawn < count ? drawn : count;
    const size_t values = (size_t)c->drawn * (size_t)sn_model_nbody(subject->model) * 7;
    c->room = malloc((values + 1) * sizeof *c->room);
    c->pose = malloc((values + 1) * sizeof *c->pose);
    sn_crowd_def def = sn_crowd_def_default();
    def.count = count;
    def.substeps = substeps;
    def.character.dt = dt;
    def.character.form = (sn_form)form;
    c->crowd = sn_crowd_create(subject->model, &def, &c->error);
    bool good = c->room && c->pose && c->crowd;
    if (good && subject->motion) good = sn_crowd_set_motion(c->crowd, subject->motion) == SN_OK;
    if (good) good = start(c, count);
    if (good)
        c->error.status = SN_OK;
    else if (!c->error.status)
        c->error = (sn_error){SN_ERROR_MEMORY, "there is no memory for so large a crowd"};
    return c;
}

PLAY_API const char *play_crowd_error(const struct crowd *c) {
    return c->error.status ? c->error.message : "";
}
PLAY_API const char *play_crowd_lanes(const struct crowd *c) {
    return sn_crowd_lanes(c->crowd);
}
PLAY_API int play_crowd_diverged(const struct crowd *c) {
    return sn_crowd_diverged(c->crowd);
}

PLAY_API void play_crowd_set_gains(struct crowd *c, double kp, double kd, double root_kp, double root_kd) {
    const size_t nv = (size_t)sn_model_nv(c->subject->model);
    double *kps = malloc((2 * nv + 1) * sizeof *kps);
    if (!kps) return;
    sn_gains_uniform(c->subject->model, root_kp, root_kd, kp, kd, kps, kps + nv);
    sn_crowd_set_gains(c->crowd, kps, kps + nv);
    free(kps);
}

PLAY_API int play_crowd_step(struct crowd *c) {
    return (int)sn_crowd_step(c->crowd);
}

PLAY_API const float *play_crowd_pose(struct crowd *c) {
    const size_t values = (size_t)c->drawn * (size_t)sn_model_nbody(c->subject->model) * 7;
    if (sn_crowd_get(c->crowd, SN_CROWD_BODY_POSE, 0, c->drawn, c->room) != SN_OK) return NULL;
    for (size_t i = 0; i < values; i++)
        c->pose[i] = (float)c->room[i];
    return c->pose;
}
