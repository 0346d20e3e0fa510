/* MuJoCo by the protocol of `sinew bench protocol`: a file as it stands, started and moved by numbers that the command has
 * written, so that both engines do the same. Built against any MuJoCo from 2.2 on (bench/README.md).
 *
 * usage: peer_mujoco_protocol MODEL.xml --plan FILE --worlds N --steps N --dt S [--substeps N] [--servo] [--ground]
 *                             [--bare] [--exact] [--repeat N] [--states FILE]
 *
 * The plan is raw doubles: the pose qpos [nq] that all worlds start from, then [world][step][nv - 6] for each hinge or slide
 * its torque, or with --servo the target of its position actuator. States come out as raw doubles, [world][step][nq]
 * after each step. With --ground, only contacts with geoms of the world remain, and no limits of tendons. With --bare,
 * joints have no dry friction. With --exact, every step is solved to 1e-14 instead of as the file says. --substeps
 * divides dt; the plan is held meanwhile. */
#include "peer.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct protocol {
    const char *model, *plan, *states;
    int worlds, steps, substeps, repeat;
    double dt;
    bool servo, ground, bare, exact;
};

struct found {
    double seconds, contacts, rows;
    bool finite;
    double *least; /* [steps] seconds of each step of a world, the least so far */
};

static void on_error(const char *text) {
    peer_die("MuJoCo", text);
}

static void on_warning(const char *text) {
    (void)text; /* they are counted in mjData */
}

static struct protocol read_arguments(int argc, char **argv) {
    struct protocol p = {.worlds = 1, .steps = 1, .substeps = 1, .repeat = 1, .dt = 0.005};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool *const flag = !strcmp(name, "--servo")    ? &p.servo
                           : !strcmp(name, "--ground") ? &p.ground
                           : !strcmp(name, "--bare")   ? &p.bare
                           : !strcmp(name, "--exact")  ? &p.exact
                                                       : NULL;
        int *const count = !strcmp(name, "--worlds")     ? &p.worlds
                           : !strcmp(name, "--steps")    ? &p.steps
                           : !strcmp(name, "--substeps") ? &p.substeps
                           : !strcmp(name, "--repeat")   ? &p.repeat
                                                         : NULL;
        const char **const text = !strcmp(name, "--plan")     ? &p.plan
                                  : !strcmp(name, "--states") ? &p.states
                                  : name[0] != '-'            ? &p.model
                                                              : NULL;
        if (flag)
            *flag = true;
        else if (text == &p.model)
            p.model = name;
        else if (!value)
            peer_die("a value is missing after", name);
        else if (text)
            *text = argv[++i];
        else if (count)
            *count = atoi(argv[++i]);
        else if (!strcmp(name, "--dt"))
            p.dt = strtod(argv[++i], NULL);
        else
            peer_die("there is no such option", name);
    }
    if (!p.model || !p.plan) peer_die("please give a model and --plan", NULL);
    if (p.worlds < 1 || p.steps < 1 || p.substeps < 1 || !(p.dt > 0))
        peer_die("numbers must be positive", NULL);
    return p;
}

static mjModel *load(const struct protocol *p) {
    char reason[1000] = "";
    mjModel *m = mj_loadXML(p->model, NULL, reason, sizeof reason);
    if (!m) peer_die(p->model, reason);
    m->opt.timestep = p->dt / p->substeps;
    if (p->exact) m->opt.solver = mjSOL_NEWTON, m->opt.iterations = 500, m->opt.tolerance = 1e-14;
#if mjVERSION_HEADER >= 235
    if (p->exact) m->opt.ls_iterations = 200, m->opt.ls_tolerance = 1e-6;
#endif
    return m;
}

/* Bodies get (1, 0) for (contype, conaffinity) and the world's geoms (0, 1), where they touched anything before. Pairs that
   the file names keep only those of one body with the world. */
static void keep_ground_only(mjModel *m) {
    for (int i = 0; i < m->ngeom; i++) {
        if (!m->geom_contype[i] && !m->geom_conaffinity[i]) continue;
        const bool world = m->geom_bodyid[i] == 0;
        m->geom_contype[i] = world ? 0 : 1;
        m->geom_conaffinity[i] = world ? 1 : 0;
    }
    for (int i = 0; i < m->npair; i++)
        if (m->geom_bodyid[m->pair_geom1[i]] && m->geom_bodyid[m->pair_geom2[i]]) m->pair_margin[i] = -1e3;
    for (int i = 0; i < m->ntendon; i++)
        m->tendon_limited[i] = 0;
}

static double *read_plan(const struct protocol *p, const mjModel *m) {
    const size_t size = (size_t)m->nq + (size_t)p->worlds * (size_t)p->steps * (size_t)(m->nv - 6);
    double *plan = peer_need(size, sizeof *plan);
    FILE *file = fopen(p->plan, "rb");
    if (!file || fread(plan, sizeof *plan, size, file) != size) peer_die("the plan is too short", p->plan);
    fclose(file);
    return plan;
}

/* An actuator takes a torque divided by its gear, or a position. */
static void control(const struct protocol *p, const mjModel *m, mjData *d, const double *row) {
    for (int a = 0; a < m->nu; a++) {
        const int joint = m->actuator_trnid[2 * a], v = m->jnt_dofadr[joint];
        if (m->actuator_trntype[a] != mjTRN_JOINT || v < 6)
            peer_die("an actuator does not move a joint", p->model);
        d->ctrl[a] = p->servo ? row[v - 6] : row[v - 6] / m->actuator_gear[6 * a];
    }
}

/* The core's own clock, which does not count while others have the core, as Sinew's on one thread. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One world from its start to its end. */
static void run_world(const struct protocol *p, const mjModel *m, mjData *d, const double *plan, int world,
                      double *states, struct found *found) {
    const size_t row = (size_t)(m->nv - 6);
    mj_resetData(m, d);
    mju_copy(d->qpos, plan, m->nq);
    for (int i = 0; i < p->steps; i++) {
        const size_t at = (size_t)world * (size_t)p->steps + (size_t)i;
        control(p, m, d, plan + m->nq + at * row);
        const double begun = now();
        for (int k = 0; k < p->substeps; k++)
            mj_step(m, d);
        found->least[i] = fmin(found->least[i], now() - begun);
        found->contacts += d->ncon;
        found->rows += d->nefc;
        if (states) mju_copy(states + at * (size_t)m->nq, d->qpos, m->nq);
    }
    for (int i = mjWARN_BADQPOS; i <= mjWARN_BADQACC; i++)
        found->finite = found->finite && !d->warning[i].number;
}

static struct found run(const struct protocol *p, const mjModel *m, const double *plan, double *states) {
    struct found found = {.finite = true, .least = peer_need((size_t)p->steps, sizeof(double))};
    mjData *d = mj_makeData(m);
    if (!d) peer_die("out of memory", NULL);
    for (int w = 0; w < p->worlds; w++) {
        for (int i = 0; i < p->steps; i++)
            found.least[i] = HUGE_VAL;
        for (int r = 0; r < p->repeat || r == 0; r++)
            run_world(p, m, d, plan, w, states, &found);
        for (int i = 0; i < p->steps; i++)
            found.seconds += found.least[i];
    }
    mj_deleteData(d);
    free(found.least);
    return found;
}

static void write_states(const struct protocol *p, const mjModel *m, const double *states) {
    const size_t size = (size_t)p->worlds * (size_t)p->steps * (size_t)m->nq;
    FILE *file = fopen(p->states, "wb");
    const bool good = file && fwrite(states, sizeof *states, size, file) == size;
    if (!file || fclose(file) || !good) peer_die("cannot be written", p->states);
}

int main(int argc, char **argv) {
    const struct protocol p = read_arguments(argc, argv);
    mju_user_error = on_error;
    mju_user_warning = on_warning;
    mjModel *m = load(&p);
    if (m->njnt < 1 || m->jnt_type[0] != mjJNT_FREE) peer_die("the root has to be free", p.model);
    if (p.ground) keep_ground_only(m);
    for (int v = 0; p.bare && v < m->nv; v++)
        m->dof_frictionloss[v] = 0;
    double *plan = read_plan(&p, m), *states = NULL;
    if (p.states) states = peer_need((size_t)p.worlds * (size_t)p.steps * (size_t)m->nq, sizeof *states);
    const struct found found = run(&p, m, plan, states);
    if (states) write_states(&p, m, states);
    const double steps = (double)p.worlds * p.steps, looks = steps * (p.repeat > 1 ? p.repeat : 1);
    printf("{\"engine\": \"mujoco\", \"version\": \"%s\", \"nq\": %d, \"nv\": %d, \"us_per_step\": %.6g, "
           "\"contacts\": %.6g, \"constraints\": %.6g, \"finite\": %s}\n",
           mj_versionString(), (int)m->nq, (int)m->nv, 1e6 * found.seconds / steps, found.contacts / looks,
           found.rows / looks, found.finite ? "true" : "false");
    mj_deleteModel(m);
    free(plan);
    free(states);
    return 0;
}
