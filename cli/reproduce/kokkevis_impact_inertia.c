/* Which inertia an impulse meets. In kokkevis-2004 an impact lasts no time at all, so that drives, whose forces are
 * finite, have no part in it: f = A^-1 v with A = J M^-1 J^T. In the library an impact belongs to a step, and stable PD
 * answers within the step: A = J (M + K)^-1 J^T with K = dt kd + dt^2 kp, which goes to M with the step.
 *
 * A humanoid in its standing pose comes down at 3 m/s on the eight corners of its feet, without friction: the least sum of
 * impulses f >= 0 with A f >= v, f (A f - v) = 0. */
#include "kokkevis_impact.h"

#include "need.h"
#include "paper_world.h"
#include "progress.h"
#include "terminal.h"

#include <math.h>
#include <sinew/studies.h>
#include <stdlib.h>

enum { GAINS = 3, STEPS = 6, MOST = 16 };
static const double gains[GAINS][2] = {{100, 10}, {1000, 100}, {75000, 4000}};
static const int hertz[STEPS] = {60, 240, 960, 3840, 983040, 3932160};
static const double speed = 3;

/* The sum of the impulses that stop n corners, by projected Gauss-Seidel to the end: a handful of rows. */
static double stop_all(const double *A, int n) {
    double f[MOST] = {0}, sum = 0;
    for (int i = 0; i < 20000; i++)
        for (int r = 0; r < n; r++) {
            double w = -speed;
            for (int c = 0; c < n; c++)
                w += A[r * n + c] * f[c];
            f[r] = fmax(0, f[r] - w / A[r * n + r]);
        }
    for (int r = 0; r < n; r++)
        sum += f[r];
    return sum;
}

/* M alone is the explicit form, in which drives are forces of the start of the step. */
struct answer {
    int corners;
    double one;  /* kg, the least inertia a single corner shows: 1 / A_rr */
    double both; /* N s, of all corners together */
};

static struct answer answer_of(const sn_model *model, sn_form form, const double gain[2], int hz) {
    struct ground_scene_def def = ground_scene_def_default();
    def.world = paper_world_def();
    def.world.dt = 1.0 / hz;
    def.world.form = form;
    def.world.friction = SN_FRICTION_NONE;
    def.world.joint_limits = false;
    def.kp = gain[0], def.kd = gain[1];
    struct ground_scene scene = need_ground_scene(model, &def);
    double A[MOST * MOST]; /* n by n of it */
    const int n = sn_study_response_matrix(scene.world, 0, SN_ROW_RESPONSE_DELTAS, A, MOST);
    ground_scene_free(&scene);
    struct answer answer = {.corners = n, .one = INFINITY};
    for (int r = 0; r < n && n <= MOST; r++)
        answer.one = fmin(answer.one, 1 / A[r * n + r]);
    if (n > 0 && n <= MOST) answer.both = stop_all(A, n);
    return answer;
}

void impact_inertia(struct inertia_seen *seen, struct result *result) {
    sn_model *model = need_builtin("humanoid");
    progress_step("M alone, and M + K");
    for (int i = 0; i < GAINS * STEPS && !interrupted(); i++) {
        const int g = i / STEPS, h = i % STEPS;
        const struct answer alone = answer_of(model, SN_FORM_EXPLICIT, gains[g], hertz[h]),
                            both = answer_of(model, SN_FORM_STABLE, gains[g], hertz[h]);
        add_row(
            result,
            "impulses by M alone, as in the paper, and by M + K: a humanoid comes down at 3 m/s on its feet",
            {"kp", number(gains[g][0])}, {"kd", number(gains[g][1])}, {"dt", time_step(1.0 / hertz[h])},
            {"corners", number(both.corners)}, {"corner_kg_M", number(alone.one)},
            {"corner_kg_M+K", number(both.one)}, {"impulse_M", number(alone.both)},
            {"impulse_M+K", number(both.both)}, {"whole_body", number(sn_model_get(model)->mass * speed)});
        if (g == 1 && hertz[h] == 240)
            seen->corner = both.one / alone.one, seen->impulse = both.both / alone.both;
        if (g == 1 && hertz[h] == 983040) seen->coarse = both.one / alone.one - 1;
        if (g == 1 && hertz[h] == 3932160) seen->fine = both.one / alone.one - 1;
    }
    sn_model_free(model);
}
