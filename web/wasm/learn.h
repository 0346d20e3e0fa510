/* The glue of learning: learn.c trains, walkers.c shows. As in play.h, all of it stands on the public headers, and what is
 * marked PLAY_API is called by the page. */
#ifndef SINEW_WEB_LEARN_H
#define SINEW_WEB_LEARN_H

#include <sinew/learn.h>

#include "play.h"

struct learn_body {
    sn_model *model;
    sn_motion *motion;
    struct subject *own; /* of files, which then has the two; NULL: they are built in */
};

/* A character that imitates a motion, both built in or files; `settings` are members of sn_imitation_def as JSON. The body
   must outlive the environment. */
bool learn_task(struct learn_body *body, const char *model, const char *motion, const char *settings,
                sn_task *task, sn_error *error);
void learn_body_free(struct learn_body *body);

struct learner {
    struct learn_body body;
    sn_environment *env;
    sn_trainer *trainer;
    sn_exchange exchange;
    uint64_t samples;
    uint8_t *bytes; /* of the policy asked for last */
    sn_error error;
};

sn_status learn_share(void *user, void *data, const size_t *begin, sn_error *error);

enum { WALKERS_BALLS = 6 };

/* Copies that follow a policy, or, before there is one, the motion without any balance. */
struct walkers {
    struct learn_body body;
    sn_environment *env;
    sn_environment_info info;
    sn_policy *policy;
    sn_environment_out out;
    float *action;
    double *lying; /* [copies] s since the fall; 0: on its feet */
    double *room;
    float *pose; /* [copies][nbody][7], then the balls' */
    sn_model *ball;
    int balls, member[WALKERS_BALLS];
    sn_error error;
};

#endif
