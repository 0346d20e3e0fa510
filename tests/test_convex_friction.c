/* Friction of the convex problem is Coulomb's: what slides, what sticks, and what must not creep. */
#include "convex_helpers.h"

#include "base/quat.h"
#include "world/scene.h"

static int frictions(const sn_world *world, double f[][3], int most) {
    int n;
    const sn_contact *c = contacts_of(world, &n);
    for (int i = 0; i < n && i < most; i++) {
        memcpy(f[i], c[i].force, sizeof f[i]);
        axpy(-dvec_dot(f[i], c[i].normal), c[i].normal, f[i], 3);
    }
    return n;
}

/* Each step twice: with bounds that follow mu f_n to the end, and as the world does it. */
TEST(friction_of_falls_is_that_of_coulomb) {
    enum { MOST = 64 };
    sn_model *model = sn_builtin_create("humanoid", NULL);
    double off = 0, all = 0;
    int held = 0, steps = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        sn_world_def def = sn_world_def_default();
        def.dt = 1.0 / 60;
        sn_world *world = drop_of(&def, model, 2, seed);
        struct sn__effort *effort = &world->member[0]->pack.effort;
        const struct sn__effort own = *effort, coulomb = {.sweeps = 2000,
                                                          .refreshes = 1000,
                                                          .majorised = 4,
                                                          .looks = 60,
                                                          .tolerance = 1e-9};
        for (int k = 0; k < 90; k++) {
            double f[MOST][3], right[MOST][3];
            const size_t size = sn_world_snapshot(world, NULL, 0);
            void *bytes = malloc(size);
            assert_non_null(bytes);
            assert_int_equal(sn_world_snapshot(world, bytes, size), size);
            *effort = coulomb;
            step_world(world);
            const int n = frictions(world, right, MOST);
            held += stats_of(world).sweeps > coulomb.refreshes;
            assert_int_equal(sn_world_restore(world, bytes, size, NULL), SN_OK);
            free(bytes);
            *effort = own;
            step_world(world);
            assert_int_equal(stats_of(world).unsettled, 0);
            if (frictions(world, f, MOST) != n) continue;
            for (int i = 0; i < n && i < MOST; i++) {
                axpy(-1, right[i], f[i], 3);
                off += dvec_length(f[i]), all += dvec_length(right[i]);
            }
            steps += n > 0;
        }
        sn_world_free(world);
    }
    sn_model_free(model);
    print_message("  %.2g of the friction of %d steps; %d of them without a fixed point found\n", off / all,
                  steps, held);
    assert_true(off / all <= 0.02);
    assert_true(held <= steps / 50);
}

/* A box on a slope, with some speed down it: how far, and how fast in the end. */
static void on_slope(double hertz, double mu, double angle, double speed, double seconds, double *way,
                     double *v) {
    sn_world_def def = sn_world_def_default();
    def.dt = 1 / hertz;
    slide_box(&def, &(struct slide){.mu = mu, .angle = angle, .speed = speed, .seconds = seconds}, way, v);
}

TEST(a_slope_holds_up_to_the_angle_of_friction) {
    static const double mus[] = {0.3, 0.55, 0.8}, part[] = {0.5, 0.95, 0.97, 0.98, 0.99};
    struct worst sticks = {0}, creeps = {0}, slides = {0};
    for (int m = 0; m < COUNT(mus); m++)
        for (int hertz = 240; hertz >= 60; hertz /= 2) {
            double x, v;
            for (int k = 0; k < COUNT(part); k++) {
                on_slope(hertz, mus[m], part[k] * atan(mus[m]), 0, 2, &x, &v);
                worst_add(k < 2 ? &sticks : &creeps, fabs(v), "mu %g, %d Hz, %g", mus[m], hertz, part[k]);
            }
            const double a = 1.1 * atan(mus[m]), right = 9.81 * (sin(a) - mus[m] * cos(a));
            on_slope(hertz, mus[m], a, 0, 1, &x, &v);
            worst_add(&slides, fabs(v / right - 1), "mu %g, %d Hz", mus[m], hertz);
        }
    assert_worst(&sticks, 1e-9, "speed up to 0.95 of the angle of friction, m/s");
    assert_worst(&creeps, 1.5e-3, "speed from 0.97 to 0.99 of it, m/s");
    assert_worst(&slides, 0.01, "acceleration at 1.1 of it");
}

TEST(what_slides_is_braked_by_mu_g) {
    struct worst worst = {0};
    for (int hertz = 240; hertz >= 60; hertz /= 2) {
        double x, v;
        on_slope(hertz, 0.5, 0, 3, 0.5, &x, &v);
        worst_add(&worst, fabs((3 - v) / (0.5 * 9.81 * 0.5) - 1), "%d Hz", hertz);
    }
    assert_worst(&worst, 2e-3, "braking of 3 m/s");
}

/* How far the foot that touches first moves across, while the pose above it may still find its balance. */
static double creep_of(sn_world *world, int member, double seconds, double dt) {
    int n;
    double from[3], to[3], rot[4];
    const int foot = contacts_of(world, &n)->body[0];
    assert_true(n > 0);
    body_pose(world, member, foot, from, rot);
    run_for(world, seconds, dt);
    body_pose(world, member, foot, to, rot);
    return hypot(to[0] - from[0], to[1] - from[1]);
}

TEST(what_stands_does_not_creep) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct worst worst = {0};
    for (int hertz = 240; hertz >= 30; hertz /= 2)
        for (int g = 3; g <= 5; g++) {
            sn_world *world = standing_world(model, hertz, pow(10, g));
            run_for(world, 2, 1.0 / hertz);
            worst_add(&worst, creep_of(world, 0, FAST ? 1 : 10, 1.0 / hertz), "%d Hz, kp 1e%d", hertz, g);
            sn_world_free(world);
        }
    sn_model_free(model);
    /* 2.8e-7 with fused products, 3.3e-7 without */
    assert_worst(&worst, 1e-6, "creep in 10 s, m");
}

int main(void) {
    return run_all("convex_friction");
}
