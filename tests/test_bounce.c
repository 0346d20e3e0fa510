/* What bounces keeps its energy: restitution e sends e^2 of it back, whatever the step and wherever in it the impact
 * lies. Steps of semi-implicit Euler put positions on the parabola of the velocity half a step further on, so that
 * energies are compared where that does not matter: at the top of a flight, or with that velocity. */
#include "world_helpers.h"

#include "base/quat.h"

static const double g = 9.81;
static const double rates[] = {240, 60};
static const struct way bouncing[] = {{"rows", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                      {"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                      {"event", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_EVENT}};

static sn_world *world_at(const struct way *way, double rate, double gravity) {
    sn_world_def def = def_of(way);
    def.dt = 1 / rate, def.gravity[2] = -gravity;
    return world_of(&def);
}

/* Of all members, with the velocities half a step further on. */
static double true_energy(sn_world *world, double rate, double gravity) {
    double sum = energy_of(world);
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        sn_summary s;
        assert_int_equal(sn_world_summary(world, i, 0, &s), SN_OK);
        const double more = -0.5 * gravity / rate;
        sum += s.linear_momentum[2] * more + 0.5 * sn_model_get(sn_world_model(world, i))->mass * more * more;
    }
    return sum;
}

/* Energies in metres at the tops of `tops` flights, the first of them the start. */
static void tops_of(sn_world *world, int member, double mass, double rate, int tops, double *energy) {
    double before = 0;
    int n = 0;
    energy[n++] = true_energy(world, rate, g) / (mass * g);
    for (int i = 0; i < 100000 && n < tops; i++) {
        double qd[6];
        step_world(world);
        sn_world_get_state(world, member, NULL, qd);
        if (before > 0 && qd[2] <= 0) energy[n++] = true_energy(world, rate, g) / (mass * g);
        before = qd[2];
    }
    assert_int_equal(n, tops);
}

/* What is dropped; `low` is the height of its middle when it stands on the floor. */
struct thing {
    const char *name;
    sn_shape_def shape;
    double low, spin[3];
};

static void drop(const struct way *way, double rate, const struct thing *thing, double height, int tops,
                 double *energy) {
    sn_world *world = world_at(way, rate, g);
    floor_of(world, NULL);
    sn_model *model = free_body(&thing->shape);
    const int c = member_of(world, model);
    put_body(world, c, (const double[3]){0, 0, thing->low + height}, NULL,
             (const double[6]){0, 0, 0, thing->spin[0], thing->spin[1], thing->spin[2]});
    tops_of(world, c, thing->shape.mass, rate, tops, energy);
    sn_world_free(world);
    sn_model_free(model);
}

TEST(a_hundred_bounces_keep_the_energy) {
    struct thing thing[] = {{"ball", sphere_of(0.1, 1), 0.1, {0, 0, 0}},
                            {"spinning ball", sphere_of(0.1, 1), 0.1, {0, 0, 30}},
                            {"cube", box_of(0.1, 0.1, 0.1, 2), 0.1, {0, 0, 0}}};
    for (int t = 0; t < COUNT(thing); t++)
        thing[t].shape.restitution = 1;
    thing[2].shape.friction = 0; /* it will not stay flat for long, and edges rub */
    static const double heights[] = {0.5, 1, 1.7};
    struct worst worst = {0}, tumbled = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++)
            for (int t = 0; t < COUNT(thing); t++)
                for (int i = 0; i < COUNT(heights); i++) {
                    double energy[101];
                    drop(&bouncing[k], rates[r], &thing[t], heights[i], 101, energy);
                    for (int n = 1; n < COUNT(energy); n++)
                        worst_add(t < 2 || n < 20 ? &worst : &tumbled,
                                  fabs(energy[n] - energy[0]) / heights[i],
                                  "%s, %g Hz, %s from %g m, bounce %d", bouncing[k].name, rates[r],
                                  thing[t].name, heights[i], n);
                }
    assert_worst(&worst, 0.01, "energy over a hundred bounces");
    /* chaotic once it tumbles: over 41 heights the mean of the worst is 0.9 %, the largest 3.4 % */
    assert_worst(&tumbled, 0.04, "the same of a cube that tumbles");
}

TEST(half_the_restitution_leaves_a_quarter_of_the_height) {
    static const double es[] = {0.5, 0.7, 0.9};
    struct worst worst = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++)
            for (int i = 0; i < COUNT(es); i++) {
                double energy[4], right = 2;
                struct thing ball = {"ball", sphere_of(0.1, 1), 0.1, {0, 0, 10}};
                ball.shape.restitution = es[i];
                drop(&bouncing[k], rates[r], &ball, 2, 4, energy);
                const double spun = energy[0] - 2.1;
                for (int n = 1; n < 4; n++) {
                    right *= es[i] * es[i];
                    worst_add(&worst, fabs(energy[n] - spun - 0.1 - right) / right,
                              "%s, %g Hz, e %g, bounce %d", bouncing[k].name, rates[r], es[i], n);
                }
            }
    assert_worst(&worst, 0.02, "height of a bounce");
}

TEST(a_ball_bounces_on_one_that_rests) {
    struct worst worst = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++) {
            if (bouncing[k].contact == SN_CONTACT_IMPLICIT) continue; /* the lower one's ground gives way */
            sn_world *world = world_at(&bouncing[k], rates[r], g);
            floor_of(world, NULL);
            sn_shape_def ball = sphere_of(0.1, 1);
            sn_model *low = free_body(&ball);
            ball.restitution = 1;
            sn_model *high = free_body(&ball);
            const int a = member_of(world, low), b = member_of(world, high);
            put_body(world, a, (const double[3]){0, 0, 0.1}, NULL, NULL);
            put_body(world, b, (const double[3]){0, 0, 1.3}, NULL, NULL);
            double energy[21];
            tops_of(world, b, 1, rates[r], COUNT(energy), energy);
            for (int n = 1; n < COUNT(energy); n++)
                worst_add(&worst, fabs(energy[n] - energy[0]), "%s, %g Hz, bounce %d", bouncing[k].name,
                          rates[r], n);
            sn_world_free(world);
            sn_model_free(low), sn_model_free(high);
        }
    assert_worst(&worst, 0.01, "energy of the upper ball");
}

/* The most that a tumbling cube has gained and lost of its energy. */
static void tumble(const struct way *way, double rate, double friction, uint64_t seed, double *won,
                   double *lost) {
    struct rng rng = {seed};
    double rot[4], v[6] = {0};
    sn_world *world = world_at(way, rate, g);
    floor_of(world, NULL);
    sn_shape_def cube = box_of(0.15, 0.15, 0.15, 2);
    cube.restitution = 1, cube.friction = friction;
    sn_model *model = free_body(&cube);
    const int c = member_of(world, model);
    random_quaternion(&rng, rot);
    for (int k = 3; k < 6; k++)
        v[k] = uniform(&rng, -1, 1);
    put_body(world, c, (const double[3]){0, 0, 1.1}, rot, v);
    const double before = true_energy(world, rate, g);
    *won = *lost = 0;
    for (int i = 0; i < 10 * rate; i++) {
        step_world(world);
        const double now = true_energy(world, rate, g) / before - 1;
        *won = fmax(*won, now), *lost = fmax(*lost, -now);
    }
    sn_world_free(world);
    sn_model_free(model);
}

TEST(a_cube_that_tumbles_wins_no_energy) {
    struct worst smooth = {0}, rough = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++)
            for (uint64_t seed = 1; seed <= 4; seed++) {
                double won, lost;
                tumble(&bouncing[k], rates[r], 0, seed, &won, &lost);
                worst_add(&smooth, fmax(won, lost), "%s, %g Hz, %d", bouncing[k].name, rates[r], (int)seed);
                tumble(&bouncing[k], rates[r], 0.5, seed, &won, &lost);
                worst_add(&rough, won, "%s, %g Hz, %d", bouncing[k].name, rates[r], (int)seed);
            }
    assert_worst(&smooth, 0.02, "energy without friction");
    assert_worst(&rough, 0.003, "energy won with friction");
}

/* ------------------------------------------------------------------------------------------- among each other */

/* Balls in a box of six planes. */
static void gas(const struct way *way, double rate, double gravity, struct worst *worst) {
    enum { N = 12 };
    static const double wall[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    sn_world *world = world_at(way, rate, gravity);
    sn_model *model[N];
    struct rng rng = {3};
    for (int i = 0; i < 6; i++) {
        const double at[3] = {-wall[i][0], -wall[i][1], -wall[i][2]};
        assert_true(sn_world_add_plane(world, at, wall[i], NULL, NULL) >= 0);
    }
    for (int i = 0; i < N; i++) {
        sn_shape_def ball = sphere_of(0.15, uniform(&rng, 0.5, 2));
        ball.restitution = 1, ball.friction = 0;
        model[i] = free_body(&ball);
        const int c = member_of(world, model[i]);
        const double pos[3] = {0.8 * (i % 3 - 1), 0.8 * (i / 3 % 2) - 0.4, 0.8 * (i / 6) - 0.4};
        double v[6] = {0};
        for (int k = 0; k < 3; k++)
            v[k] = uniform(&rng, -3, 3);
        put_body(world, c, pos, NULL, v);
    }
    const double before = true_energy(world, rate, gravity);
    for (int i = 0; i < 10 * rate; i++) {
        step_world(world);
        worst_add(worst, fabs(true_energy(world, rate, gravity) / before - 1),
                  "%s, %g Hz, gravity %g, %.2f s", way->name, rate, gravity, i / rate);
    }
    sn_world_free(world);
    for (int i = 0; i < N; i++)
        sn_model_free(model[i]);
}

TEST(balls_in_a_box_keep_their_energy) {
    struct worst worst = {0}, pulled = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++) {
            gas(&bouncing[k], rates[r], 0, &worst);
            gas(&bouncing[k], rates[r], g, &pulled);
        }
    assert_worst(&worst, 0.01, "energy of a gas");
    assert_worst(&pulled, 0.02, "energy of a gas under gravity");
}

/* A row of balls that the first one hits; their speeds in the end. */
static void cradle(const struct way *way, double rate, double apart, double speed[5]) {
    sn_world *world = world_at(way, rate, 0);
    sn_shape_def ball = sphere_of(0.05, 1);
    ball.restitution = 1, ball.friction = 0;
    sn_model *model = free_body(&ball);
    for (int i = 0; i < 5; i++) {
        const int c = member_of(world, model);
        const double pos[3] = {(0.1 + apart) * i - (i ? 0 : 0.1), 0, 0}, v[6] = {i ? 0 : 2};
        put_body(world, c, pos, NULL, v);
    }
    run_for(world, 1, 1 / rate);
    for (int i = 0; i < 5; i++) {
        double qd[6];
        sn_world_get_state(world, i, NULL, qd);
        speed[i] = qd[0];
    }
    sn_world_free(world);
    sn_model_free(model);
}

TEST(the_last_ball_of_a_row_flies_off) {
    struct worst worst = {0}, energy = {0};
    for (int k = 0; k < COUNT(bouncing); k++)
        for (int r = 0; r < COUNT(rates); r++) {
            double v[5], sum = 0, square = 0;
            cradle(&bouncing[k], rates[r], 0.05, v);
            for (int i = 0; i < 5; i++)
                worst_add(&worst, fabs(v[i] - (i == 4 ? 2 : 0)), "%s, %g Hz, ball %d", bouncing[k].name,
                          rates[r], i);
            cradle(&bouncing[k], rates[r], 0,
                   v); /* all at once: momentum and energy are kept, who flies is open */
            for (int i = 0; i < 5; i++)
                sum += v[i], square += v[i] * v[i];
            worst_add(&energy, fabs(sum - 2) + fabs(square - 4), "%s, %g Hz", bouncing[k].name, rates[r]);
        }
    assert_worst(&worst, 1e-3, "speeds of a row");
    assert_worst(&energy, 1e-2, "momentum and energy of a row that touches");
}

int main(void) {
    return run_all("bounce");
}
