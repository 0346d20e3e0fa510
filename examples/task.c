/* A task of your own: a humanoid learns to stay on its feet while it is pushed around.
 *
 * A task is a table of functions over a world in copies, and the trainer needs nothing else. `task 60` trains for 60 seconds;
 * without a number it trains for a moment, to show that everything works. docs/learning.md explains the functions. */
#include <sinew/learn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NQ = 43, NV = 34, PUSHES = 6 * 13, SEEN = NQ - 2 + NV, ACTIONS = NV - 6, COPIES = 256 };

struct balance {
    sn_model *model;
    double stand[NQ], kp[NV], kd[NV];
};

/* The world of a part: a floor, and a humanoid, member 0, whose drives hold a standing pose. */
static sn_status open_part(void *user, sn_part *part, sn_error *error) {
    struct balance *b = user;
    sn_world_def def = sn_world_def_default();
    def.copies = part->copies, def.precision = SN_PRECISION_FLOAT, def.setting = SN_SETTING_CROWD;
    part->world = sn_world_create(&def, error);
    if (!part->world || sn_world_add(part->world, b->model, error) < 0 ||
        sn_world_add_plane(part->world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) < 0)
        return SN_ERROR_MEMORY;
    sn_world_stand(part->world, 0, b->stand);
    return sn_world_set_gains(part->world, 0, b->kp, b->kd);
}

static sn_status begin(void *user, sn_part *part, const uint8_t *which, sn_error *error) {
    (void)error;
    return sn_world_reset(part->world, 0, which, ((struct balance *)user)->stand, NULL);
}

/* Actions turn joints away from the standing pose. Every 1.5 s a force of up to 120 N pushes the pelvis for 0.2 s. */
static sn_status act(void *user, sn_part *part, const float *action, sn_error *error) {
    const struct balance *b = user;
    double target[SN_MAX_PART_COPIES][NQ], push[SN_MAX_PART_COPIES][PUSHES] = {{0}}, turn[NV] = {0};
    (void)error;
    for (int i = 0; i < part->copies; i++) {
        sn_episode start = part->episode[i]; /* the random numbers of the step in which the push began */
        const int since = start.steps % 45;
        start.steps -= since;
        const double angle = 6.2832 * sn_episode_random(&start, 0),
                     force = 120 * sn_episode_random(&start, 1);
        if (start.steps > 0 && since < 6) push[i][0] = force * cos(angle), push[i][1] = force * sin(angle);
        for (int k = 0; k < ACTIONS; k++)
            turn[6 + k] = fmax(-1, fmin(1, (double)action[i * ACTIONS + k])); /* rad */
        sn_model_pose_add(b->model, 1, b->stand, turn, target[i]);
    }
    sn_world_set(part->world, 0, SN_FIELD_TARGET_Q, 0, part->copies, target[0]);
    sn_world_set(part->world, 0, SN_FIELD_PUSH, 0, part->copies, push[0]);
    for (int i = 0; i < 8; i++)
        sn_world_step(part->world); /* copies that diverge end below */
    return SN_OK;
}

/* Upright and still: the height of the pelvis' own z axis, and its speed. */
static sn_status reward(void *user, sn_part *part, double *term, sn_error *error) {
    const float *q = sn_world_view(part->world, 0, SN_FIELD_Q),
                *qd = sn_world_view(part->world, 0, SN_FIELD_QD);
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++, q += NQ, qd += NV) {
        term[2 * i] = .6 * fmax(0, (double)(1 - 2 * (q[4] * q[4] + q[5] * q[5])));
        term[2 * i + 1] = .4 * exp(-2 * (double)(qd[0] * qd[0] + qd[1] * qd[1]));
    }
    return SN_OK;
}

/* It has fallen if its pelvis is low, or if the copy has diverged. */
static sn_status ends(void *user, sn_part *part, bool *fallen, bool *stopped, sn_error *error) {
    const float *q = sn_world_view(part->world, 0, SN_FIELD_Q),
                *bad = sn_world_view(part->world, 0, SN_FIELD_DIVERGED);
    (void)stopped, (void)error;
    for (int i = 0; i < part->copies; i++)
        fallen[i] = bad[i] > 0 || (double)q[i * NQ + 2] < .7 * ((struct balance *)user)->stand[2];
    return SN_OK;
}

/* The whole state, except where on the floor it stands. */
static sn_status observe(void *user, sn_part *part, const uint8_t *which, float *seen, sn_error *error) {
    const float *q = sn_world_view(part->world, 0, SN_FIELD_Q),
                *qd = sn_world_view(part->world, 0, SN_FIELD_QD);
    (void)user, (void)error;
    for (int i = 0; i < part->copies; i++) {
        if (!which[i]) continue;
        memcpy(seen + i * SEEN, q + i * NQ + 2, (NQ - 2) * sizeof *seen);
        memcpy(seen + i * SEEN + NQ - 2, qd + i * NV, NV * sizeof *seen);
    }
    return SN_OK;
}

/* The table that the trainer needs. */
static sn_task make_task(struct balance *b, sn_error *error) {
    static const char *const terms[] = {"upright", "still"};
    sn_gains_def gains = sn_gains_def_default();
    b->model = sn_builtin_create("humanoid", error);
    gains.frequency = 6, gains.precision = SN_PRECISION_FLOAT, gains.widen = true;
    if (b->model && !sn_gains_choose(b->model, &gains, b->kp, b->kd, error))
        sn_model_home_pose(b->model, b->stand);
    memset(b->kp, 0, 6 * sizeof *b->kp), memset(b->kd, 0, 6 * sizeof *b->kd); /* nothing holds the pelvis */
    return (sn_task){.user = b,
                     .name = "balance",
                     .model = b->model,
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
}

/* --------------------------------------------------------------------------------------------------------- main */

/* One episode in each copy, without noise. */
static void judge(sn_trainer *trainer, sn_environment *env, const char *when) {
    static sn_policy_episode episode[COPIES];
    sn_policy_score score;
    sn_policy *policy = sn_trainer_policy(trainer, NULL, NULL);
    if (policy && sn_policy_evaluate(policy, env, NULL, episode, NULL) == SN_OK) {
        sn_policy_add_up(COPIES, episode, &score);
        printf("%s: %d of %d stay up for 10 s; on average they last %.1f s\n", when, score.lasted, COPIES,
               score.mean);
    }
    sn_policy_free(policy);
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 0;
    struct balance b = {0};
    sn_error error = {SN_OK, ""};
    const sn_task task = make_task(&b, &error);
    sn_environment_def def = sn_environment_def_default();
    sn_trainer_def training = sn_trainer_def_default();
    def.copies = seconds > 0 ? COPIES : 32;
    def.threads = 0;
    def.seed = training.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    training.gamma = .97; /* a fall takes about a second: 30 control steps */
    sn_environment *env = sn_environment_create(&task, &def, &error);
    sn_environment *exam = sn_environment_create(&task, &def, &error);
    sn_trainer *trainer = env ? sn_trainer_create(env, &training, &error) : NULL;
    sn_training now = {0};
    double spent = 0;
    if (trainer && seconds > 0) judge(trainer, exam, "before");
    while (trainer && !error.status && (spent < seconds || now.iterations < 2)) {
        if (sn_trainer_iterate(trainer, &now, &error)) break;
        spent += now.collect_seconds + now.update_seconds;
        if (now.iterations % 25 == 0)
            printf("%3.0f s, %.2f million samples: return %.0f of 300\n", spent, 1e-6 * (double)now.samples,
                   now.mean_return);
    }
    if (trainer && seconds > 0) judge(trainer, exam, "after");
    if (error.status) fprintf(stderr, "%s\n", error.message);
    sn_trainer_free(trainer);
    sn_environment_free(env);
    sn_environment_free(exam);
    sn_model_free(b.model);
    return error.status ? 1 : 0;
}
