#include "trial_helpers.h"

#include <time.h>

bool full_length(void) {
    return getenv("SINEW_DROPS") != NULL;
}

int trial_size(int full, int few, int fewest) {
    if (full_length()) return full;
    return FAST || getenv("SINEW_TEST_SHORT") ? fewest : few;
}

void trial_begin(struct trial *trial, sn_world *world, const char *name) {
    *trial = (struct trial){.world = world, .counts = true, .energy = energy_of(world)};
    snprintf(trial->name, sizeof trial->name, "%s", name);
    if (!getenv("SINEW_FILMS")) return;
    sn_recorder_def def = sn_recorder_def_default();
    def.rate = 30;
    trial->recorder = sn_recorder_create(world, &def, NULL);
}

/* Work in the last step, forces at the velocities it ended with. `given` counts it only where it is positive. */
struct work {
    double all, given; /* J */
};

static void add_work(struct work *work, const double *force, const double *velocity, int n, double dt) {
    for (int i = 0; i < n; i++)
        work->all += dt * force[i] * velocity[i], work->given += fmax(0, dt * force[i] * velocity[i]);
}

/* Of the drives and pushes of a member. */
static void add_member(sn_world *world, int member, struct work *work) {
    const sn_model *model = sn_world_model(world, member);
    const double dt = sn_world_get_info(world).dt;
    double torque[MAX_NV], qd[MAX_NV], push[6 * MAX_NV], velocity[6 * MAX_NV];
    assert_true(sn_model_get(model)->nbody <= MAX_NV);
    if (sn_world_get(world, member, SN_FIELD_TORQUE, 0, 1, torque) == SN_OK) {
        assert_int_equal(sn_world_get(world, member, SN_FIELD_QD, 0, 1, qd), SN_OK);
        add_work(work, torque, qd, sn_model_get(model)->nv, dt);
    }
    assert_int_equal(sn_world_get(world, member, SN_FIELD_PUSH, 0, 1, push), SN_OK);
    assert_int_equal(sn_world_get(world, member, SN_FIELD_BODY_VELOCITY, 0, 1, velocity), SN_OK);
    add_work(work, push, velocity, 6 * sn_model_get(model)->nbody, dt);
}

static struct work work_of_step(sn_world *world) {
    struct work work = {0};
    for (int i = 0; i < sn_world_get_info(world).members; i++)
        if (sn_world_model(world, i)) add_member(world, i, &work);
    return work;
}

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The deepest contact, with the bodies it is between. */
static void add_depth(struct trial *t) {
    int n;
    const sn_contact *c = contacts_of(t->world, &n);
    for (int i = 0; i < n; i++)
        worst_add(&t->deep, -1e3 * c[i].gap, "%s, step %d, %d.%d and %d.%d", t->name, t->steps,
                  c[i].member[0], c[i].body[0], c[i].member[1], c[i].body[1]);
}

static void count_step(struct trial *t) {
    const sn_world_stats s = stats_of(t->world);
    t->with_rows += s.rows > 0, t->at_once += s.rows > 0 && s.rounds == 0, t->unsettled += s.unsettled;
    t->late += s.rounds >= 4;
    if (s.rounds > t->most_rounds) t->most_rounds = s.rounds;
    if (s.sweeps > t->most_sweeps) t->most_sweeps = s.sweeps;
}

static void judge(struct trial *t, double risen) {
    const struct work work = work_of_step(t->world);
    worst_add(&t->won, risen - work.given, "%s, step %d", t->name, t->steps);
    worst_add(&t->strictly, risen - work.all, "%s, step %d", t->name, t->steps);
    worst_add(&t->past, past_all(t->world), "%s, step %d", t->name, t->steps);
    add_depth(t);
}

void trial_step(struct trial *t) {
    const double start = milliseconds();
    step_world(t->world);
    const double took = milliseconds() - start, now = energy_of(t->world);
    t->ms += took, t->worst_ms = fmax(t->worst_ms, took);
    if (t->counts) judge(t, now - t->energy);
    t->energy = now;
    count_step(t), t->steps++;
    if (t->recorder) sn_recorder_take(t->recorder, sn_world_time(t->world));
}

void trial_end(struct trial *t) {
    print_message(
        "  %s: of %d steps with rows %d converged at once, %d took 4 rounds or more (at most %d), %d "
        "are unsettled, at most %d sweeps; %.3f ms a step, longest %.1f\n",
        t->name, t->with_rows, t->at_once, t->late, t->most_rounds, t->unsettled, t->most_sweeps,
        t->ms / t->steps, t->worst_ms);
    print_message("    won %.3g J (%s), strictly %.3g J (%s), limits %.2g degrees (%s), depth %.2f mm (%s)\n",
                  t->won.value, t->won.where, t->strictly.value, t->strictly.where, t->past.value,
                  t->past.where, t->deep.value, t->deep.where);
    if (!t->recorder) return;
    char path[256];
    snprintf(path, sizeof path, "%s/%s.json", getenv("SINEW_FILMS"), t->name);
    assert_int_equal(sn_recorder_save(t->recorder, path, NULL), SN_OK);
    sn_recorder_free(t->recorder);
}
