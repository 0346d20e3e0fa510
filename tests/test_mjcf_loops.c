/* Mechanisms with closed loops, as files of robots have them: four bars, sliders with cranks, grippers. They keep together, stay
 * finite and gain no energy, limp and driven.
 *
 * Velocities are those of the middle of steps. Energy is therefore taken at the poses, with the mean of the velocities before
 * and after. */
#include "parse_helpers.h"
#include "clip_helpers.h"
#include "world_helpers.h"

#include <unistd.h>

#define LINK(name, at, to, mass)                                                                             \
    "<body name='" name "' pos='" at "'><joint name='j" name                                                 \
    "' axis='0 1 0'/><geom type='capsule' size='.01' fromto='0 0 0 " to "' mass='" mass "'/>"
#define END "</body>"
#define FILE_OF(bodies, ties)                                                                                \
    "<mujoco><compiler angle='radian'/><worldbody>" bodies "</worldbody><equality>" ties                     \
    "</equality></mujoco>"
#define FINGER(s, x)                                                                                         \
    LINK(s "1", x ".02 0 0", x ".04 0 .05", ".02")                                                           \
    LINK(s "p", x ".04 0 .05", "0 0 .04", ".03") END END LINK(s "2", x ".05 0 0", x ".04 0 .05", ".02") END
#define CLAW(s, x)                                                                                           \
    LINK(s "d", x ".03 0 0", x ".03 0 .02", ".009")                                                          \
    LINK(s "c", x ".03 0 .02", x ".01 0 .04", ".014")                                                        \
    END END LINK(s "s", x ".01 0 .02", x ".025 0 .04", ".022")                                               \
        LINK(s "f", x ".025 0 .04", x ".02 0 .03", ".0125") END END
#define PALM "<body name='palm' pos='0 0 1'><geom type='box' size='.05 .03 .03' mass='.5'/>"

struct mechanism {
    const char *name, *text;
    double longest; /* s: longer steps are left out */
};

static const struct mechanism mechanism[] = {
    {"four bars",
     FILE_OF(LINK("a", "0 0 1", ".1 0 0", ".2") LINK("b", ".1 0 0", ".2 0 .2", ".3")
                 END END LINK("c", ".4 0 1", "-.1 0 .2", ".25") END,
             "<connect body1='b' body2='c' anchor='.2 0 .2'/>"),
     1},
    {"slider and crank",
     FILE_OF(LINK("a", "0 0 1", "0 0 .1", ".3") LINK("b", "0 0 .1", ".4 0 -.1", ".2") END END
             "<body name='s' pos='.4 0 1'><joint type='slide' axis='1 0 0'/><geom type='box' "
             "size='.03 .03 .03' mass='.5'/></body>",
             "<connect body1='b' body2='s' anchor='.4 0 -.1'/>"),
     1},
    {"parallelogram", /* which comes to be flat twice in each turn */
     FILE_OF(LINK("a", "0 0 1", ".02 0 .2", ".2") LINK("b", ".02 0 .2", ".3 0 0", ".3")
                 END END LINK("c", ".3 0 1", ".02 0 .2", ".2") END,
             "<connect body1='b' body2='c' anchor='.3 0 0'/>"),
     1.0 / 200},
    {"parallel gripper",
     FILE_OF(PALM FINGER("r", "") FINGER("l", "-") END,
             "<connect body1='r2' body2='rp' anchor='.04 0 .05'/><connect body1='l2' body2='lp' anchor='-.04 "
             "0 .05'/>"
             "<joint joint1='jr1' joint2='jl1' polycoef='0 -1 0 0 0'/>"),
     1},
    {"claw",
     FILE_OF(
         PALM CLAW("r", "") CLAW("l", "-") END,
         "<connect body1='rf' body2='rc' anchor='.01 0 .005'/><connect body1='lf' body2='lc' anchor='-.01 0 "
         ".005'/><joint joint1='jrd' joint2='jld' polycoef='0 -1 0 0 0'/>"),
     1},
};
enum { MECHANISMS = sizeof mechanism / sizeof *mechanism, MOST = 64 };

static sn_model *model_of(const struct mechanism *m) {
    sn_error error = {0};
    sn_model *model = model_from(m->text, strlen(m->text), "loop.xml", NULL, &error);
    if (!model) fail_msg("%s: %s", m->name, error.message);
    return model;
}

/* How far the loops are open. */
static double open_by(const sn_world *world, const sn_model *model) {
    double most = 0, far;
    for (int i = 0; i < sn_model_get(model)->nconstraint; i++) {
        const sn_constraint c = sn_world_model_constraint(world, 0, i);
        assert_int_equal(constraint_error(world, c, 0, &far, NULL), SN_OK);
        most = fmax(most, far);
    }
    return most;
}

struct course {
    double won, least, open; /* J, J, m */
};

/* Steps a world, with a second one of the same definition to weigh energies in. The first step is that of velocities which the
   loops do not allow. */
static struct course run(sn_world *world, sn_world *scale, const sn_model *model, double seconds, double dt) {
    struct course r = {0};
    double q[MOST], before[MOST], after[MOST], unused[MOST], start = 0;
    step_world(world);
    for (int i = 0; i * dt < seconds; i++) {
        sn_world_get_state(world, 0, q, before);
        step_world(world);
        sn_world_get_state(world, 0, unused, after);
        for (int k = 0; k < sn_model_get(model)->nv; k++)
            after[k] = 0.5 * (before[k] + after[k]);
        sn_world_set_state(scale, 0, q, after);
        const double energy = energy_of(scale);
        if (i == 0) start = energy;
        r.won = fmax(r.won, energy - start), r.least = fmin(r.least, energy - start);
        r.open = fmax(r.open, open_by(world, model));
    }
    return r;
}

static struct course let_go(const sn_model *model, const sn_world_def *def, double spin, double seconds) {
    sn_world *world = world_of(def), *scale = world_of(def);
    double q[MOST], qd[MOST];
    assert_true(sn_model_get(model)->nq <= MOST);
    sn_model_home_pose(model, q);
    for (int k = 0; k < sn_model_get(model)->nv; k++)
        qd[k] = k % 2 ? -spin : spin;
    member_of(world, model), member_of(scale, model);
    sn_world_set_state(world, 0, q, qd);
    const struct course r = run(world, scale, model, seconds, def->dt);
    sn_world_free(world), sn_world_free(scale);
    return r;
}

/* A gain is measured against the energy that the mechanism lost, or its weight over 50 mm. */
static double measure(const sn_model *model, const struct course *r) {
    return fmax(-r->least, sn_model_get(model)->mass * 9.81 * 0.05);
}

TEST(limp_loops_win_no_energy) {
    for (int i = 0; i < MECHANISMS; i++) {
        sn_model *model = model_of(&mechanism[i]);
        for (int k = 0; k < 2 * 2 * 2; k++) {
            sn_world_def def = sn_world_def_default();
            def.dt = k & 1 ? 1.0 / 240 : 1.0 / 60;
            if (k & 2) def.contact = SN_CONTACT_ROWS;
            if (def.dt > mechanism[i].longest) continue;
            const struct course r = let_go(model, &def, k & 4 ? 3 : 0, FAST ? 2 : 10);
            const double given = measure(model, &r);
            if (!(r.won < 0.01 * given) || !(r.open < 5e-4))
                fail_msg("%s, 1/%.0f s: %.4f J won of %.3f, %.3f mm open", mechanism[i].name, 1 / def.dt,
                         r.won, given, 1e3 * r.open);
        }
        sn_model_free(model);
    }
}

TEST(limp_loops_in_float_win_none_either) {
    for (int i = 0; i < MECHANISMS; i++) {
        sn_model *model = model_of(&mechanism[i]);
        sn_world_def def = sn_world_def_default();
        def.dt = 1.0 / 240, def.precision = SN_PRECISION_FLOAT;
        const struct course r = let_go(model, &def, 3, FAST ? 2 : 10);
        const double given = measure(model, &r);
        if (!(r.won < 0.01 * given) || !(r.open < 5e-4))
            fail_msg("%s: %.4f J won of %.3f, %.3f mm open", mechanism[i].name, r.won, given, 1e3 * r.open);
        sn_model_free(model);
    }
}

TEST(driven_loops_follow_and_stay_closed) {
    for (int i = 0; i < MECHANISMS; i++) {
        sn_model *model = model_of(&mechanism[i]);
        const double dt = 1.0 / 60;
        sn_world_def def = sn_world_def_default();
        def.dt = dt;
        sn_world *world = world_of(&def);
        const int first = member_of(world, model);
        double q[MOST], target[MOST], kp[MOST], kd[MOST], open = 0;
        sn_model_zero_pose(model, q);
        for (int k = 0; k < sn_model_get(model)->nv; k++)
            kp[k] = 5, kd[k] = 0.2;
        sn_world_set_gains(world, first, kp, kd);
        sn_world_set_state(world, first, q, NULL);
        for (int n = 0; n < (FAST ? 120 : 600); n++) {
            memcpy(target, q, sizeof target);
            target[0] += 0.3 * sin(6 * n * dt);
            sn_world_set_target(world, first, target, NULL);
            step_world(world);
            open = fmax(open, open_by(world, model));
        }
        if (!(open < 2e-4) || !(fastest(world) < 10))
            fail_msg("%s: %.3f mm open, %.1f rad/s", mechanism[i].name, 1e3 * open, fastest(world));
        sn_world_free(world);
        sn_model_free(model);
    }
}

/* Its legs have two loops each. The file closes them with 1.9 mm to spare, which the first steps take out. */
TEST(a_robot_of_closed_loops_falls_and_stays_whole) {
    const char *path = data_path("menagerie_agility_cassie/cassie.xml");
    if (!path) return;
    sn_error error = {0};
    sn_model *model = sn_model_load(path, NULL, &error);
    if (!model) fail_msg("%s", error.message);
    for (int k = 0; k < 2; k++) {
        sn_world_def def = sn_world_def_default();
        def.dt = 1.0 / 60;
        if (k) def.contact = SN_CONTACT_ROWS;
        const struct course r = let_go(model, &def, 3, FAST ? 1 : 5);
        print_message("  %.3f mm open, %.3g J won\n", 1e3 * r.open, r.won);
        assert_true(r.open < 1e-3 && r.won < 0.05);
    }
    sn_model_free(model);
}

/* Through a file and back. The file says nothing of a constraint whose members do not touch. */
TEST(a_model_in_json_says_what_collides) {
    for (int collide = 0; collide < 2; collide++) {
        sn_builder *b = sn_builder_create();
        static const char *const name[] = {"one", "two"};
        const sn_shape_def ball = sphere_of(0.1, 1);
        for (int i = 0; i < 2; i++) {
            sn_body_def body = sn_body_def_default();
            body.name = name[i], body.joint.type = SN_JOINT_FREE;
            sn_builder_add_body(b, &body);
            sn_builder_add_shape(b, name[i], &ball);
        }
        sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
        d.collide = collide;
        sn_builder_add_constraint(b, "one", "two", &d);
        sn_error error = {0};
        sn_model *model = sn_builder_build(b, &error);
        if (!model) fail_msg("%s", error.message);
        sn_builder_free(b);
        char path[64];
        snprintf(path, sizeof path, "/tmp/sinew-collide-%d.json", (int)getpid());
        assert_int_equal(sn_model_save(model, path, &error), SN_OK);
        sn_model *again = sn_model_load(path, NULL, &error);
        unlink(path);
        if (!again) fail_msg("%s", error.message);
        assert_int_equal(sn_model_get(again)->constraint[0].collide, collide);
        sn_model_free(model), sn_model_free(again);
    }
}

int main(void) {
    return run_all("mjcf_loops");
}
