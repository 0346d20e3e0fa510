/* Nothing fast goes through something thin: bullets at plates, in every way of contact and with both steppers.
 * SINEW_BULLETS=1000 fires so many in each way instead of a few. */
#include "world_helpers.h"

#include "base/quat.h"

static const double rates[] = {60, 240};
static const struct way shooting[] = {{"rows", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                      {"implicit", SN_CONTACT_IMPLICIT, SN_FRICTION_CONE, SN_STEPPER_TIME},
                                      {"event", SN_CONTACT_ROWS, SN_FRICTION_CONE, SN_STEPPER_EVENT}};

static int bullets(int few) {
    const char *many = getenv("SINEW_BULLETS");
    return many ? atoi(many) : FAST ? 10 : few;
}

enum plate { PLATE_GROUND, PLATE_FREE, PLATE_HEAVY, PLATE_KINDS };
static const char *const plate_name[] = {"ground", "free", "heavy"};

struct shot {
    sn_shape_def bullet, plate;
    enum plate kind;
    double from[3], velocity[6], rot[4]; /* in the plate's frame; how that stands in the world */
};

/* A bullet that starts on the upper side of a plate of 2 m and flies at its inner part. */
static struct shot random_shot(struct rng *rng, int i) {
    struct shot s = {.kind = (enum plate)(i % PLATE_KINDS)};
    const double r = uniform(rng, 0.01, 0.05), half = uniform(rng, 0.005, 0.025),
                 speed = uniform(rng, 1, 100);
    switch (i / PLATE_KINDS % 6) {
    case 0:
        s.bullet = capsule_of(r, 2 * r, 0.2);
        break;
    case 1:
        s.bullet = box_of(r, r, r, 0.2);
        break;
    default:
        s.bullet = sphere_of(r, 0.2);
    }
    s.plate = box_of(1, 1, half, s.kind == PLATE_HEAVY ? 1e4 : uniform(rng, 1, 20));
    s.bullet.restitution = i % 4 < 2 ? 0 : i % 4 == 2 ? 0.5 : 1;
    const double turn = uniform(rng, 0, 6.28), slant = uniform(rng, 0, 1.2), way = uniform(rng, 0.2, 2);
    const double to[3] = {uniform(rng, -0.3, 0.3), uniform(rng, -0.3, 0.3), half + 3 * r};
    const double d[3] = {sin(slant) * cos(turn), sin(slant) * sin(turn), -cos(slant)};
    for (int k = 0; k < 3; k++) {
        s.from[k] = to[k] - way * d[k];
        s.velocity[k] = speed * d[k];
        s.velocity[3 + k] = uniform(rng, -20, 20);
    }
    random_quaternion(rng, s.rot);
    dquat_normalise(s.rot);
    return s;
}

static double kinetic(sn_world *world) {
    double sum = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        sn_summary s;
        assert_int_equal(sn_world_summary(world, i, 0, &s), SN_OK);
        sum += s.kinetic;
    }
    return sum;
}

struct outcome {
    bool through, lost; /* not finite */
    double won, depth;  /* energy beyond the first, of it; of the centre in the plate, m */
};

static struct outcome fire(const struct way *way, double rate, const struct shot *s) {
    sn_world_def def = def_of(way);
    def.dt = 1 / rate;
    def.gravity[2] = 0;
    sn_world *world = world_of(&def);
    const double zero[3] = {0, 0, 0};
    sn_model *plate = free_body(&s->plate), *bullet = free_body(&s->bullet);
    int p = -1;
    if (s->kind == PLATE_GROUND)
        assert_true(sn_world_add_shape(world, &s->plate, zero, s->rot, NULL) >= 0);
    else
        put_body(world, p = member_of(world, plate), zero, s->rot, NULL);
    const int b = member_of(world, bullet);
    double from[3], velocity[6];
    dquat_rotate(s->rot, s->from, from);
    dquat_rotate(s->rot, s->velocity, velocity);
    memcpy(velocity + 3, s->velocity + 3, 3 * sizeof *velocity);
    put_body(world, b, from, s->rot, velocity);
    struct outcome o = {0};
    const double before = kinetic(world), half = s->plate.size[2];
    double last = s->from[2];
    const int steps = (int)(rate * (4 / norm(s->velocity, 3) + 0.1));
    for (int i = 0; i < steps; i++) {
        double x[3], at[3] = {0, 0, 0}, rot[4], local[3];
        if (sn_world_step(world)) {
            o.lost = true;
            break;
        }
        body_pose(world, b, 0, x, NULL);
        memcpy(rot, s->rot, sizeof rot);
        if (p >= 0) body_pose(world, p, 0, at, rot);
        const double d[3] = {x[0] - at[0], x[1] - at[1], x[2] - at[2]},
                     back[4] = {rot[0], -rot[1], -rot[2], -rot[3]};
        dquat_rotate(back, d, local);
        o.won = fmax(o.won, kinetic(world) / before - 1);
        if (fabs(local[0]) > 0.9 || fabs(local[1]) > 0.9) break; /* round the edge */
        o.through |= local[2] < -half || (local[2] < 0 && last > half);
        o.depth = fmax(o.depth, half - local[2]);
        last = local[2];
    }
    sn_world_free(world);
    sn_model_free(plate), sn_model_free(bullet);
    return o;
}

struct count {
    int fired, through, lost;
};

/* Balls first, then capsules and cubes, which turn in the impact. */
static void fire_all(const struct way *way, double rate, int n, struct count count[2], struct worst won[2]) {
    struct rng rng = {1};
    double depth = 0;
    int through[PLATE_KINDS] = {0};
    for (int i = 0; i < n; i++) {
        const struct shot s = random_shot(&rng, i);
        const struct outcome o = fire(way, rate, &s);
        struct count *c = &count[s.bullet.type != SN_SHAPE_SPHERE];
        c->fired++, c->through += o.through, c->lost += o.lost;
        through[s.kind] += o.through;
        depth = fmax(depth, o.depth);
        if (s.bullet.type == SN_SHAPE_CAPSULE) continue; /* the energy of its spin is another matter */
        worst_add(&won[s.bullet.type != SN_SHAPE_SPHERE], o.won, "%s, %g Hz, bullet %d at a %s plate",
                  way->name, rate, i, plate_name[s.kind]);
    }
    print_message("  %s, %g Hz: %d, %d, %d through plates that are ground, free, heavy; %.1f mm deep\n",
                  way->name, rate, through[0], through[1], through[2], 1e3 * depth);
}

TEST(no_bullet_goes_through_a_plate) {
    struct count count[2] = {{0}};
    struct worst won[2] = {{0}};
    for (int k = 0; k < COUNT(shooting); k++)
        for (int r = 0; r < COUNT(rates); r++)
            fire_all(&shooting[k], rates[r], bullets(240), count, won);
    for (int k = 0; k < 2; k++)
        print_message("  %d of %d %s through, %d not finite\n", count[k].through, count[k].fired,
                      k ? "capsules and cubes" : "balls", count[k].lost);
    assert_int_equal(count[0].through, 0);
    assert_int_equal(count[0].lost + count[1].lost, 0); /* capsules leave an impact at hundreds of rad/s */
    assert_true(count[1].through <= count[1].fired / 500);
    assert_worst(&won[0], 0.01, "energy won by a ball");
    assert_worst(&won[1], 0.05, "energy won by a cube");
}

/* A ball that passes a plate beside its edge, farther off than the margin, flies on as if nothing were there. */
TEST(what_flies_past_is_left_alone) {
    struct rng rng = {7};
    struct worst worst = {0};
    for (int k = 0; k < COUNT(shooting); k++)
        for (int i = 0; i < 20; i++) {
            sn_world_def def = def_of(&shooting[k]);
            def.dt = 1 / rates[i % 2], def.gravity[2] = 0;
            sn_world *world = world_of(&def);
            const double zero[3] = {0, 0, 0}, none[4] = {1, 0, 0, 0}, r = uniform(&rng, 0.01, 0.05);
            const sn_shape_def plate = box_of(0.5, 0.5, 0.01, 1), ball = sphere_of(r, 0.2);
            assert_true(sn_world_add_shape(world, &plate, zero, none, NULL) >= 0);
            sn_model *model = free_body(&ball);
            const int b = member_of(world, model);
            const double speed = uniform(&rng, 20, 100), far = 0.5 + r + 0.02, from = uniform(&rng, 0.5, 1.5);
            const double start[3] = {far, uniform(&rng, -0.3, 0.3), from}, v[6] = {0, 0, -speed};
            double qd[6];
            put_body(world, b, start, NULL, v);
            for (double t = 0; t < 3 / speed; t += def.dt)
                step_world(world);
            sn_world_get_state(world, b, NULL, qd);
            for (int j = 0; j < 6; j++)
                worst_add(&worst, fabs(qd[j] - v[j]), "%s, %d", shooting[k].name, i);
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_worst(&worst, 1e-6, "speed changed by a plate that is not met");
}

/* A bullet that does not bounce stays where it has stopped, or slides on. */
TEST(what_has_stopped_stays_outside_and_gives_way_to_nothing) {
    struct worst speed = {0}, depth = {0};
    for (int k = 0; k < COUNT(shooting); k++)
        for (int r = 0; r < COUNT(rates); r++) {
            sn_world_def def = def_of(&shooting[k]);
            def.dt = 1 / rates[r];
            sn_world *world = world_of(&def);
            const double at[3] = {0, 0, 1}, none[4] = {1, 0, 0, 0};
            const sn_shape_def plate = box_of(1, 1, 0.01, 1), ball = sphere_of(0.03, 0.2);
            assert_true(sn_world_add_shape(world, &plate, at, none, NULL) >= 0);
            sn_model *model = free_body(&ball);
            const int b = member_of(world, model);
            put_body(world, b, (const double[3]){0, 0, 2.1}, NULL, (const double[6]){0, 0, -70});
            run_for(world, 1, def.dt);
            double q[7], qd[6];
            sn_world_get_state(world, b, q, qd);
            worst_add(&depth, fabs(q[2] - 1.04), "%s, %g Hz", shooting[k].name, rates[r]);
            worst_add(&speed, norm(qd, 6), "%s, %g Hz", shooting[k].name, rates[r]);
            sn_world_free(world);
            sn_model_free(model);
        }
    assert_worst(&depth, 1e-3, "from where it shall rest");
    assert_worst(&speed, 1e-2, "speed at rest");
}

int main(void) {
    return run_all("tunnel");
}
