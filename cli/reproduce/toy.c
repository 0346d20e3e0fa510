/* spd-2011 section 3.2: one degree of freedom, a gain that goes to infinity and explicit Euler steps. */
#include "experiment.h"
#include "need.h"
#include "scenes/papers.h"

#include <math.h>
#include <sinew/dynamics.h>

/* Where it starts, where it should go. */
static const double mass = 0.5, dt = 1.0 / 30.0, p = 0.3, pd = -1.5, q_ref = 2.0;

/* Positions after one and after two steps with gain kp. */
static void two_steps(const sn_model *model, double kp, double q[2]) {
    const double kd = kp * dt; /* the paper's condition kd >= kp dt, met with equality */
    sn_dynamics_def def = sn_dynamics_def_default();
    def.dt = dt;
    def.integrator = SN_INTEGRATOR_EXPLICIT_EULER;
    def.gravity[2] = 0.0;
    sn_dynamics *dynamics = need_dynamics(model, &def);
    const sn_drive drive = {.kp = &kp, .kd = &kd, .target_q = &q_ref};
    double at = p, rate = pd;
    for (int i = 0; i < 2; i++) {
        const sn_status status = sn_dynamics_step(dynamics, &drive, 1, &at, &rate, NULL, NULL);
        q[i] = status ? (double)NAN : at;
    }
    sn_dynamics_free(dynamics);
}

bool run_spd_toy(const struct run_settings *settings, struct result *result) {
    (void)settings;
    sn_error error = {0};
    sn_model *model = need_model(slider_model(mass, &error), &error);
    add_settings(result, {"mass", number(mass)}, {"dt", number(dt)}, {"p", number(p)}, {"pd", number(pd)},
                 {"q_ref", number(q_ref)}, {"kd", text("kp dt")}, {"integrator", text("explicit Euler")},
                 {"gravity", number(0)}, {"damping", text("none but kd")});
    double first = NAN, last = NAN, q[2] = {NAN, NAN};
    for (int power = 3; power <= 12; power++) {
        const double kp = pow(10.0, power);
        two_steps(model, kp, q);
        last = fabs(q[1] - q_ref) / fabs(q_ref);
        if (power == 6) first = last; /* below that the error is not small against 1 */
        add_row(result, NULL, {"kp", number(kp)}, {"q1", number(q[0])}, {"paper_q1", number(p + dt * pd)},
                {"q2", number(q[1])}, {"paper_q2", number(q_ref)}, {"relative_error", number(last)});
    }
    sn_model_free(model);
    /* For a finite gain q2 = q_ref + e (q1 + dt pd - q_ref) with e = m / (kp dt^2) to first order. */
    const double fall = pow(first / last, 1.0 / 6.0);
    add_claims(result,
               {at_most(1e-15, FROM_ROUNDING), number(0.0), number(fabs(q[0] - (p + dt * pd))),
                "after step one the position is p + dt pd: error"},
               {at_most(1e-9, FROM_MEASURED), number(0.0), number(last),
                "after step two it is q_ref: relative error at kp = 1e12"},
               {between(9.9, 10.1, FROM_MEASURED), none(), number(fall),
                "the error falls tenfold for a tenfold gain: mean factor from kp = 1e6 to 1e12"});
    result_close(result,
                 "The paper's limit of an infinite gain is reached as m / (kp dt^2): the second step lands "
                 "on the target to %.1e of its value at kp = 1e12, whatever the start.",
                 last);
    return true;
}
