/* Why a smaller step does not always mean a smaller error. What refining the step goes to is the solution of the
 * continuous PD control, and that is not the motion:
 *
 *     kp (q_ref - q) + kd (q_ref' - q') = M q'' + C     with a target velocity: what inertia and gravity leave, / kp
 *     kp (q_ref - q) - kd q'            = M q'' + C     without: q comes kd / kp behind, 53 ms for the joints
 *
 * The distance from that solution, here from the same run with a step of 1/2400 s, is what a smaller step can reduce. */
#include "accuracy_run.h"
#include "terminal.h"

#include <math.h>
#include <stdlib.h>

const int accuracy_hertz[ACCURACY_STEPS] = {30, 60, 120, 240, 300, 600, 1200};
const char *const accuracy_step[ACCURACY_STEPS] = {"1/30",  "1/60",  "1/120", "1/240",
                                                   "1/300", "1/600", "1/1200"};

static const struct variant maba = {"MABA, qdd", SN_SOLVER_MABA, SN_ROUTE_DIRECT};

/* Mean distance of the end-effector at the times that both have. */
static double mean_apart(double (*path)[3], int hertz, double (*fine)[3], double duration) {
    const long steps = lround(duration * hertz), stride = FINE_HERTZ / hertz;
    double sum = 0;
    for (long i = 0; i < steps; i++) {
        const double *a = path[i], *b = fine[(i + 1) * stride - 1];
        sum += sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                    (a[2] - b[2]) * (a[2] - b[2]));
    }
    return sum / (double)steps;
}

struct refinement scene_refine(const struct scene *scene, double duration, bool target_velocity) {
    struct refinement r = {.lag = (double)NAN};
    const size_t most = (size_t)lround(duration * FINE_HERTZ) + 1;
    double(*path)[3] = need_memory(NULL, 2 * most * sizeof *path), (*fine)[3] = path + most;
    r.left =
        scene_run(scene, &maba, SN_PRECISION_DOUBLE, 1.0 / FINE_HERTZ, duration, target_velocity, fine).mean;
    for (int h = 0; h < ACCURACY_STEPS; h++) {
        const bool diverged = scene_run(scene, &maba, SN_PRECISION_DOUBLE, 1.0 / accuracy_hertz[h], duration,
                                        target_velocity, path)
                                  .diverged;
        r.apart[h] = diverged ? (double)NAN : mean_apart(path, accuracy_hertz[h], fine, duration);
        if (h > 0) r.falls += r.apart[h] < r.apart[h - 1];
    }
    if (!target_velocity) r.lag = scene_lag(scene, duration);
    free(path);
    return r;
}
