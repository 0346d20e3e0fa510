/* A task of your own: a humanoid learns to stay on its feet while it is pushed around.
 *
 * A task is a table of functions over a world in copies, and the trainer needs nothing else. `task 60` trains for 60 seconds;
 * without a number it trains for a moment, to show that everything works. docs/learning.md explains the functions. */
#include <sinew/learn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NQ = 43, NV = 34, BODIES = 13, SEEN = NQ - 2 + NV, ACTIONS = NV - 6, HUMAN = 0 };

struct balance { /* shared by all parts, so only `open` may write to it */
    sn_model *model;
    double stand[NQ], kp[NV], kd[NV];
};

/* The world of a part: a floor, and a humanoid whose drives hold a standing pose. */
static sn_status open_part(void *user, sn_part *part, sn_error *error) {
    struct balance *b = user;
    sn_world_def def = sn_world_def_default();
    def.copies = part->copies;
    def.precision = SN_PRECISION_FLOAT;
    def.setting = SN_SETTING_CROWD;
    part->world = sn_world_create(&def, error);
    if (!part->world) return SN_ERROR_MEMORY;
    if (sn_world_add(part->world, b->model, error) != HUMAN) return SN_ERROR_MODEL;
    if (sn_world_add_plane(part->world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) < 0)
        return SN_ERROR_MEMORY;
    sn_model_home_pose(b->model, b->stand);
    const sn_status status = sn_world_stand(part->world, HUMAN, b->stand);
    return status ? status : sn_world_set_gains(part->world, HUMAN, b->kp, b->kd);
}

static sn_status begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    (void)error;
    return sn_world_reset(part->world, HUMAN, which, ((struct balance *)user)->stand, NULL);
}

/* Every 1.5 s a force of up to 150 N on the pelvis, for 0.2 s and from a random side. */
static void choose_push(const sn_episode *now, double push[6 * BODIES]) {
    enum { EVERY = 45, LENGTH = 6 }; /* control steps */
    sn_episode start = *now;         /* the numbers of the step in which the push starts last until it ends */
    start.steps -= now->steps % EVERY;
    const double angle = 6.2832 * sn_episode_random(&start, 0), force = 150 * sn_episode_random(&start, 1);
    memset(push, 0, 6 * BODIES * sizeof *push);
    if (start.steps == 0 || now->steps % EVERY >= LENGTH) return;
    push[0] = force * cos(angle);
    push[1] = force * sin(angle);
}

/* Actions turn joints away from the standing pose; then the world runs for 1/30 s. */
static sn_status act(void *user, sn_part *part, const float *action, sn_error *error) {
    const struct balance *b = user;
    sn_status status = SN_OK;
    (void)error;
    for (int i = 0; i < part->copies && !status; i++, action += ACTIONS) {
        double turn[NV] = {0}, target[NQ], push[6 * BODIES];
        for (int k = 0; k < ACTIONS; k++)
            turn[6 + k] = fmax(-1, fmin(1, (double)action[k])); /* rad */
        sn_model_pose_add(b->model, 1, b->stand, turn, target);
        choose_push(&part->episode[i], push);
        status = sn_world_set(part->world, HUMAN, SN_FIELD_TARGET_Q, i, 1, target);
        if (!status) status = sn_world_set(part->world, HUMAN, SN_FIELD_PUSH, i, 1, push);
    }
    for (int i = 0; i < 8 && !status; i++)
        if ((status = sn_world_step(part->world)) == SN_ERROR_NOT_FINITE) status = SN_OK; /* it ends below */
    return status;
}

static sn_status reward(void *user, sn_part *part, double *term, sn_error *error) {
    const float *q = sn_world_view(part->world, HUMAN, SN_FIELD_Q);
    const float *qd = sn_world_view(part->world, HUMAN, SN_FIELD_QD);
    (void)user, (void)error;
    if (!q || !qd) return SN_ERROR_MEMORY;
    for (int i = 0; i < part->copies; i++, q += NQ, qd += NV) {
        const float up = 1 - 2 * (q[4] * q[4] + q[5] * q[5]); /* height of the pelvis' own z axis */
        term[2 * i] = .6 * fmax(0, (double)up);
        term[2 * i + 1] = .4 * exp(-2 * (double)(qd[0] * qd[0] + qd[1] * qd[1]));
    }
    return SN_OK;
}

/* It has fallen if its pelvis is low, or if the copy has diverged. */
static sn_status ends(void *user, sn_part *part, bool *fallen, bool *stopped, sn_error *error) {
    const float *q = sn_world_view(part->world, HUMAN, SN_FIELD_Q);
    const float *diverged = sn_world_view(part->world, HUMAN, SN_FIELD_DIVERGED);
    (void)stopped, (void)error;
    if (!q || !diverged) return SN_ERROR_MEMORY;
    for (int i = 0; i < part->copies; i++)
        fallen[i] = diverged[i] > 0 || (double)q[i * NQ + 2] < .7 * ((struct balance *)user)->stand[2];
    return SN_OK;
}

/* The whole state, except where on the floor it stands. */
static sn_status observe(void *user, sn_part *part, const uint8_t *which, float *seen, sn_error *error) {
    const float *q = sn_world_view(part->world, HUMAN, SN_FIELD_Q);
    const float *qd = sn_world_view(part->world, HUMAN, SN_FIELD_QD);
    (void)user, (void)error;
    if (!q || !qd) return SN_ERROR_MEMORY;
    for (int i = 0; i < part->copies; i++) {
        if (!which[i]) continue;
        memcpy(seen + i * SEEN, q + i * NQ + 2, (NQ - 2) * sizeof *seen);
        memcpy(seen + i * SEEN + NQ - 2, qd + i * NV, NV * sizeof *seen);
    }
    return SN_OK;
}

static const char *const terms[] = {"upright", "still"};

/* --------------------------------------------------------------------------------------------------------- main */

enum { COPIES = 256 };

/* One episode in each copy, without noise. */
static sn_status judge(sn_trainer *trainer, sn_environment *env, sn_error *error) {
    static sn_policy_episode episode[COPIES];
    sn_policy_score score;
    sn_policy *policy = sn_trainer_policy(trainer, NULL, error);
    const sn_status status = policy ? sn_policy_evaluate(policy, env, NULL, episode, error) : SN_ERROR_MEMORY;
    if (!status) {
        sn_policy_add_up(COPIES, episode, &score);
        printf("%d of %d stay up for 10 s; on average they last %.1f s\n", score.lasted, COPIES, score.mean);
    }
    sn_policy_free(policy);
    return status;
}

static sn_status train(sn_trainer *trainer, double seconds, sn_error *error) {
    sn_training now = {0};
    sn_status status = SN_OK;
    double spent = 0;
    while (!status && (spent < seconds || now.iterations < 2)) {
        status = sn_trainer_iterate(trainer, &now, error);
        spent += now.collect_seconds + now.update_seconds;
        if (now.iterations % 25 == 0)
            printf("%3.0f s, %.2f million samples: return %.0f of 300\n", spent, 1e-6 * (double)now.samples,
                   now.mean_return);
    }
    return status;
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 0;
    const sn_gains_def gains = {
        .struct_size = sizeof(sn_gains_def), .frequency = 6, .precision = SN_PRECISION_FLOAT, .widen = true};
    struct balance b = {0};
    sn_error error = {SN_OK, ""};
    b.model = sn_builtin_create("humanoid", &error);
    if (!b.model || sn_gains_choose(b.model, &gains, b.kp, b.kd, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int i = 0; i < 6; i++)
        b.kp[i] = b.kd[i] = 0; /* nothing holds the pelvis */

    const sn_task task = {.user = &b,
                          .name = "balance",
                          .model = b.model,
                          .observations = SEEN,
                          .actions = ACTIONS,
                          .terms = 2,
                          .term_names = terms,
                          .rate = 30,
                          .limit = 10,
                          .open = open_part,
                          .begin = begin,
                          .act = act,
                          .reward = reward,
                          .ends = ends,
                          .observe = observe};
    sn_environment_def def = sn_environment_def_default();
    sn_trainer_def training = sn_trainer_def_default();
    def.copies = seconds > 0 ? COPIES : 32;
    def.seed = training.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    sn_environment *env = sn_environment_create(&task, &def, &error);
    sn_trainer *trainer = env ? sn_trainer_create(env, &training, &error) : NULL;
    sn_status status = trainer ? train(trainer, seconds, &error) : SN_ERROR_MEMORY;
    if (!status && seconds > 0) status = judge(trainer, env, &error);
    if (status) fprintf(stderr, "%s\n", error.message);
    if (!status && !(seconds > 0)) printf("It works. Run it with a number of seconds to train it.\n");
    sn_trainer_free(trainer);
    sn_environment_free(env);
    sn_model_free(b.model);
    return status ? 1 : 0;
}
