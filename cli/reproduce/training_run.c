#include "training_run.h"

#include "subject.h"
#include "terminal.h"
#include "scenes/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const struct training_way training_ways[WAYS] = {
    [WAY_INSIDE] = {"inside", "MABA, inside the step", SN_DRIVES_INSIDE},
    [WAY_MABA] = {"maba", "MABA, ahead of it", SN_DRIVES_MABA},
    [WAY_DENSE] = {"dense", "dense in lanes, ahead", SN_DRIVES_DENSE},
    [WAY_LAPACK] = {"lapack", "LAPACK, ahead", SN_DRIVES_LAPACK},
};

/* ------------------------------------------------------------------------------------------------------------ tasks */

static bool load_captured(struct training_task *task, sn_error *error) {
    const char *data = getenv("SINEW_DATA");
    if (!data || !*data) {
        snprintf(error->message, sizeof error->message,
                 "SINEW_DATA is not set; it names the folder that holds deepmimic");
        return false;
    }
    const char *both = said(
        "%s/deepmimic/characters/humanoid3d.txt+%s/deepmimic/controllers/humanoid3d_ctrl.txt", data, data);
    task->model = sn_model_load(both, NULL, error);
    const char *clip_path = said("%s/deepmimic/motions/humanoid3d_run.txt", data);
    sn_clip *clip = task->model ? sn_clip_load(clip_path, NULL, error) : NULL;
    if (clip) task->motion = sn_motion_create(clip, task->model, NULL, error);
    sn_clip_free(clip);
    return task->motion != NULL;
}

/* As an environment fills them in: the model's own, or 6 Hz; none at the root. */
static bool fill_gains(struct training_task *task, sn_error *error) {
    const int nv = sn_model_get(task->model)->nv;
    bool none = true;
    task->kp = need_memory(NULL, 2 * (size_t)nv * sizeof *task->kp);
    task->kd = task->kp + nv;
    memcpy(task->kp, sn_model_get(task->model)->kp, (size_t)nv * sizeof *task->kp);
    memcpy(task->kd, sn_model_get(task->model)->kd, (size_t)nv * sizeof *task->kd);
    for (int v = 6; v < nv; v++)
        none = none && !(task->kp[v] > 0);
    const sn_gains_def def = {.struct_size = sizeof(sn_gains_def),
                              .frequency = 6,
                              .dt = 1.0 / 240,
                              .precision = SN_PRECISION_FLOAT,
                              .widen = true};
    if (none && sn_gains_choose(task->model, &def, task->kp, task->kd, error)) return false;
    for (int v = 0; v < 6; v++)
        task->kp[v] = task->kd[v] = 0;
    return true;
}

/* What may touch the ground. */
static void fill_feet(struct training_task *task) {
    static const char *const part[] = {"ankle", "foot", "toe", "paw"};
    const int n = sn_model_get(task->model)->nbody;
    task->foot = need_memory(NULL, (size_t)n);
    for (int i = 0; i < n; i++) {
        task->foot[i] = 0;
        for (int k = 0; k < 4; k++)
            task->foot[i] |= strstr(sn_model_body(task->model, i)->name, part[k]) != NULL;
    }
}

bool training_open(struct training_task *task, int which, sn_error *error) {
    static const struct {
        const char *key, *name, *character, *motion;
    } known[TASKS] = {{"humanoid", "humanoid, run", "humanoid", "run"},
                      {"dog", "dog, canter", "dog", "canter"},
                      {"captured", "DeepMimic's humanoid, run", NULL, NULL}};
    *task = (struct training_task){.key = known[which].key, .name = known[which].name};
    bool good = true;
    if (known[which].character) {
        task->model = sn_builtin_create(known[which].character, error);
        if (task->model) task->motion = sn_builtin_motion_create(known[which].motion, task->model, error);
        good = task->motion != NULL;
    } else {
        good = load_captured(task, error);
    }
    if (good) fill_feet(task);
    if (good && fill_gains(task, error)) return true;
    training_close(task);
    return false;
}

void training_close(struct training_task *task) {
    sn_motion_free(task->motion);
    sn_model_free(task->model);
    free(task->kp), free(task->foot);
    task->model = NULL, task->motion = NULL, task->kp = NULL, task->foot = NULL;
}

int training_iterations(const struct training_plan *plan, int task, int way) {
    const int all = plan->iterations[task];
    return way == WAY_LAPACK ? (all + 2) / 3 : all;
}

/* --------------------------------------------------------------------------------------------------------- training */

static double core_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sn_environment *make_environment(const struct training_task *task, sn_drives drives, int copies,
                                        double limit, int seed, sn_error *error) {
    sn_imitation_def imitation = sn_imitation_def_default(task->model, task->motion);
    sn_environment_def def = sn_environment_def_default();
    sn_task table;
    def.copies = copies;
    def.seed = (uint64_t)seed;
    imitation.study = sn_study_find((sn_study_def){.drives = drives});
    imitation.kp = task->kp, imitation.kd = task->kd;
    imitation.foot = task->foot;
    if (limit > 0) imitation.limit = limit;
    if (sn_imitation_task(&table, &imitation, error)) return NULL;
    return sn_environment_create(&table, &def, error);
}

/* Judged over the same starts by all. What LAPACK trained is judged with the dense solver in lanes, which solves the same
   equations in a fraction of the time. */
static bool judge(const struct training_task *task, int way, const struct training_plan *plan,
                  const sn_trainer *trainer, double *score, sn_error *error) {
    const sn_drives drives = training_ways[way == WAY_LAPACK ? WAY_DENSE : way].drives;
    sn_environment *env = make_environment(task, drives, plan->judged, plan->judged_seconds, 1000, error);
    sn_policy *policy = env ? sn_trainer_policy(trainer, NULL, error) : NULL;
    sn_policy_episode *episode = need_memory(NULL, (size_t)plan->judged * sizeof *episode);
    sn_policy_score s = {0};
    const bool good = policy && !sn_policy_evaluate(policy, env, NULL, episode, error);
    if (good) sn_policy_add_up(plan->judged, episode, &s);
    *score = s.normalised;
    free(episode);
    sn_policy_free(policy);
    sn_environment_free(env);
    return good;
}

static bool iterate(const struct training_task *task, int which, int way, const struct training_plan *plan,
                    sn_trainer *trainer, struct training_curve *curve, sn_error *error) {
    const int all = training_iterations(plan, which, way);
    const double samples = (double)plan->copies * plan->horizon;
    double seconds = 0, score;
    curve->us = (double)INFINITY;
    for (int i = 0; i < all && !interrupted(); i++) {
        sn_training t;
        const double before = core_seconds();
        if (sn_trainer_iterate(trainer, &t, error)) return false;
        const double took = core_seconds() - before;
        seconds += took;
        if (i) curve->us = fmin(curve->us, 1e6 * took / samples); /* the first only scales observations */
        if (!i) curve->first = t.mean_reward;
        if (i + 1 < (curve->points + 1) * all / plan->points) continue;
        if (!judge(task, way, plan, trainer, &score, error)) return false;
        curve->point[curve->points++] = (struct training_point){(double)t.samples, seconds, score};
    }
    curve->known = !interrupted();
    return true;
}

bool training_run(const struct training_task *task, int which, int way, int seed,
                  const struct training_plan *plan, struct training_curve *curve) {
    sn_error error = {0};
    sn_trainer_def def = sn_trainer_def_default();
    def.seed = (uint64_t)seed;
    def.threads = 1;
    def.horizon = plan->horizon;
    def.hidden[0] = def.hidden[1] = plan->hidden;
    *curve = (struct training_curve){0};
    sn_environment *env = make_environment(task, training_ways[way].drives, plan->copies, 0, seed, &error);
    sn_trainer *trainer = env ? sn_trainer_create(env, &def, &error) : NULL;
    const bool good = trainer && iterate(task, which, way, plan, trainer, curve, &error);
    sn_trainer_free(trainer);
    sn_environment_free(env);
    return good || complain(EXIT_FAILED, "%s, %s: %s", task->name, training_ways[way].name, error.message) ==
                       EXIT_DONE;
}

/* ----------------------------------------------------------------------------------------------------- longest step */

enum { DROPPED = 16 };

static sn_world *make_world(const struct training_task *task, sn_drives drives, bool stiff, double dt) {
    sn_world_def def = sn_world_def_default();
    const int nv = sn_model_get(task->model)->nv;
    double *gains = need_memory(NULL, 2 * (size_t)nv * sizeof *gains);
    def.setting = SN_SETTING_CROWD;
    def.precision = SN_PRECISION_FLOAT;
    def.copies = DROPPED;
    def.study = sn_study_find((sn_study_def){.drives = drives});
    def.dt = dt;
    def.report_contacts = false;
    sn_world *world = sn_world_create(&def, NULL);
    bool good = world && sn_world_add(world, task->model, NULL) == 0 &&
                sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL) >= 0;
    if (stiff) sn_gains_uniform(task->model, 0, 0, 75000, 4000, gains, gains + nv);
    good = good && !sn_world_set_gains(world, 0, stiff ? gains : task->kp, stiff ? gains + nv : task->kd);
    free(gains);
    if (good) return world;
    sn_world_free(world);
    return NULL;
}

/* Each copy in a pose of its own of the motion, at rest, which it is to hold. */
static bool drop(sn_world *world, const struct training_task *task) {
    const size_t nq = (size_t)sn_model_get(task->model)->nq, nv = (size_t)sn_model_get(task->model)->nv;
    const double duration = sn_motion_get(task->motion)->duration;
    double *q = need_memory(NULL, (nq + nv) * sizeof *q);
    bool good = true;
    for (int i = 0; i < DROPPED && good; i++) {
        sn_motion_sample(task->motion, duration * i / DROPPED, q, q + nq);
        q[0] = q[1] = 0;
        good = !sn_world_set(world, 0, SN_FIELD_TARGET_Q, i, 1, q);
        q[2] += .05;
        good = good && !sn_world_set(world, 0, SN_FIELD_Q, i, 1, q);
    }
    free(q);
    return good && !sn_world_reset(world, -1, NULL, NULL, NULL);
}

/* Root mean square of the joints' velocities in the last of so many seconds; infinite: a copy diverged. */
static double unrest(sn_world *world, const sn_model *model, double dt, double seconds) {
    const int nv = sn_model_get(model)->nv, steps = (int)lround(seconds / dt);
    double sum = 0;
    long values = 0;
    for (int i = 0; i < steps && !interrupted(); i++) {
        if (step_whole(world)) return (double)INFINITY;
        if (i * dt < seconds - 1) continue;
        const float *qd = sn_world_view(world, 0, SN_FIELD_QD);
        for (int k = 0; k < DROPPED * nv; k++) {
            if (k % nv < 6) continue;
            sum += (double)qd[k] * (double)qd[k];
            values++;
        }
    }
    const float *diverged = sn_world_view(world, 0, SN_FIELD_DIVERGED);
    for (int i = 0; i < DROPPED; i++)
        if (diverged[i] > 0) return (double)INFINITY;
    return values ? sqrt(sum / (double)values) : (double)NAN;
}

static const int rate[] = {960, 480, 240, 160, 120, 80,
                           60,  40,  30,  20,  15}; /* steps per second that are tried */
enum { QUICK_FIRST = 2 };

double training_shortest_step(bool quick) {
    return 1.0 / rate[quick ? QUICK_FIRST : 0];
}

double training_longest_step(const struct training_task *task, int way, bool stiff, bool quick) {
    const double calm = .5; /* rad/s */
    double longest = (double)NAN;
    for (size_t i = quick ? QUICK_FIRST : 0; i < sizeof rate / sizeof *rate && !interrupted(); i++) {
        const double dt = 1.0 / rate[i];
        sn_world *world = make_world(task, training_ways[way].drives, stiff, dt);
        const bool stable = world && drop(world, task) && unrest(world, task->model, dt, 4) < calm;
        sn_world_free(world);
        if (!stable) break;
        longest = dt;
    }
    return longest;
}
