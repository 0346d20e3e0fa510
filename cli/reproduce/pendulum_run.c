#include "pendulum_run.h"

#include <math.h>

const struct pendulum_method pendulum_method[PENDULUM_METHODS] = {
    {"PD", false, false}, {"PD+qd_ref", false, true}, {"SPD", true, false}, {"SPD+qd_ref", true, true}};

const double pendulum_gain[PENDULUM_GAINS] = {30, 300, 3000, 30000};

const double pendulum_paper[PENDULUM_DOFS][PENDULUM_GAINS][PENDULUM_METHODS][2] = {
    {{{0.4630, 4.0542}, {0.4585, 4.0317}, {0.3164, 3.1939}, {0.3210, 3.1955}},
     {{0.0598, 0.5188}, {0.0505, 0.4658}, {0.0312, 0.4047}, {0.0297, 0.3451}},
     {{0, 0}, {0, 0}, {0.0174, 0.2301}, {0.0023, 0.0330}},
     {{0, 0}, {0, 0}, {0.0167, 0.2293}, {0.0001, 0.0016}}},
    {{{0.2094, 1.8177}, {0.2048, 1.7778}, {0.1049, 1.0817}, {0.1198, 1.0652}},
     {{0.0364, 0.2826}, {0.0225, 0.1601}, {0.0244, 0.2466}, {0.0082, 0.0964}},
     {{0, 0}, {0, 0}, {0.0174, 0.2294}, {0.0008, 0.0087}},
     {{0, 0}, {0, 0}, {0.0167, 0.2295}, {0.0003, 0.0017}}},
};

struct trial trial_default(bool stable, bool velocity, double kp) {
    return (struct trial){.stable = stable,
                          .velocity = velocity,
                          .kp = kp,
                          .kd_over_kp_dt = 1.0,
                          .dt = 1.0 / 60.0,
                          .duration = PENDULUM_DURATION,
                          .reference = REFERENCE_EXACT,
                          .integrator = SN_INTEGRATOR_EXPLICIT_EULER};
}

/* q1 = cos t, q2 = cos t + 1 and their rates, as the controller sees them. */
static void sample_reference(enum reference reference, double t, double q[2], double qd[2]) {
    const double h = 1.0 / 30.0, frame = floor(t / h + 1e-9), t0 = frame * h, a = (t - t0) / h;
    double angle = cos(t), rate = -sin(t);
    if (reference == REFERENCE_LINEAR_30) {
        angle = (1.0 - a) * cos(t0) + a * cos(t0 + h);
        rate = (cos(t0 + h) - cos(t0)) / h;
    } else if (reference == REFERENCE_HELD_30) {
        angle = cos(t0);
        rate = -sin(t0);
    }
    q[0] = angle;
    q[1] = angle + 1.0;
    qd[0] = qd[1] = rate;
}

/* Compares with the exact reference at the end of a step. */
static void add_error(struct tracking *tracking, const double q[2], double t) {
    for (int k = 0; k < 2; k++) {
        const double e = fabs(q[k] - (cos(t) + k));
        if (!(e < 10.0)) tracking->diverged = true; /* more than a turn and a half away */
        if (e > tracking->inf[k]) tracking->inf[k] = e;
        tracking->two[k] += e * e;
    }
}

long trial_steps(const struct trial *trial) {
    return lround(trial->duration / trial->dt);
}

struct tracking trial_run(const sn_model *model, const struct trial *trial) {
    const double kd = trial->kd_over_kp_dt * trial->kp * trial->dt;
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = trial->dt;
    def.form = trial->stable ? SN_FORM_STABLE : SN_FORM_EXPLICIT;
    def.integrator = trial->integrator;
    struct tracking tracking = {0};
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    if (!dynamics) tracking.diverged = true;
    const long steps = trial_steps(trial);
    const double kp[2] = {trial->kp, trial->kp}, kds[2] = {kd, kd};
    double q[2] = {1.0, 2.0}, qd[2] = {0.0, 0.0}; /* on the reference at t = 0 */
    double target[2], rate[2];
    const sn_drive drive = {
        .kp = kp, .kd = kds, .target_q = target, .target_qd = trial->velocity ? rate : NULL};
    for (long i = 0; i < steps && trial->trace; i++)
        trial->trace[i][0] = trial->trace[i][1] = (double)NAN;
    for (long i = 0; i < steps && !tracking.diverged; i++) {
        /* PD compares with the reference now, eq. 1; stable PD with the one at the end of the step, eq. 2. */
        sample_reference(trial->reference, (double)(trial->stable ? i + 1 : i) * trial->dt, target, rate);
        if (sn_dynamics_step(dynamics, &drive, 1, q, qd, NULL, NULL) != SN_OK) tracking.diverged = true;
        add_error(&tracking, q, (double)(i + 1) * trial->dt);
        for (int k = 0; k < 2 && trial->trace && !tracking.diverged; k++)
            trial->trace[i][k] = q[k] - (cos((double)(i + 1) * trial->dt) + k);
    }
    sn_dynamics_free(dynamics);
    for (int k = 0; k < 2; k++) {
        tracking.inf[k] = tracking.diverged ? (double)NAN : tracking.inf[k];
        tracking.two[k] = tracking.diverged ? (double)NAN : sqrt(tracking.two[k]);
    }
    return tracking;
}

double pendulum_deviation(struct tracking run[PENDULUM_GAINS][PENDULUM_METHODS]) {
    double worst = 0.0;
    for (int k = 0; k < PENDULUM_DOFS; k++)
        for (int g = 0; g < PENDULUM_GAINS; g++)
            for (int i = 0; i < PENDULUM_METHODS; i++) {
                const double p = pendulum_paper[k][g][i][1];
                if (p > 0 && run[g][i].diverged) return INFINITY;
                if (p > 0) worst = fmax(worst, fabs(run[g][i].two[k] / p - 1.0));
            }
    return worst;
}

double pendulum_diverges_from(struct tracking run[PENDULUM_GAINS][PENDULUM_METHODS]) {
    double from = (double)NAN;
    for (int g = PENDULUM_GAINS - 1; g >= 0 && run[g][0].diverged && run[g][1].diverged; g--)
        from = pendulum_gain[g];
    for (int g = 0; g < PENDULUM_GAINS; g++)
        if (pendulum_gain[g] < from && (run[g][0].diverged || run[g][1].diverged)) return (double)NAN;
    return from;
}
