/* The motions that come with the library: planted feet, closed loops, limits, and whom they fit. */
#include "clip_helpers.h"

#include "motion/motion.h"
#include "sinew/dynamics.h"

static const struct {
    const char *name, *model;
    double advance[2]; /* metres a round, x and y: at least (or at most, when negative)   */
    double stands;     /* how much of the time some foot stands; 0: there are no feet     */
} motions[] = {
    {"walk", "humanoid", {1.2, 0}, 0.99},    {"run", "humanoid", {1.8, 0}, 0.62},
    {"cartwheel", "humanoid", {0, 2}, 0.55}, {"backflip", "humanoid", {-0.3, 0}, 0.68},
    {"pace", "dog", {0.6, 0}, 0.99},         {"trot", "dog", {0.6, 0}, 0.86},
    {"canter", "dog", {1.05, 0}, 0.7},       {"slither", "snake36", {1, 0}, 0},
    {"slither", "snake72", {1, 0}, 0},       {"slither", "snake195", {1, 0}, 0},
    {"kick", "humanoid", {0, 0}, 0.99},      {"pass", "humanoid", {0, 0}, 0.99},
    {"catch", "humanoid", {0, 0}, 0.99},
};

enum { MOST = 1024 };

struct scene {
    sn_model *model;
    sn_motion *motion;
    double pos[3 * 64], rot[4 * 64];
};

static struct scene open_scene(int index) {
    struct scene scene = {0};
    sn_error error;
    scene.model = sn_builtin_create(motions[index].model, &error);
    assert_non_null(scene.model);
    scene.motion = sn_builtin_motion_create(motions[index].name, scene.model, &error);
    if (!scene.motion) fail_msg("%s", error.message);
    return scene;
}

static void close_scene(struct scene *scene) {
    sn_motion_free(scene->motion);
    sn_model_free(scene->model);
}

static void pose_at(struct scene *scene, double t) {
    double q[MOST];
    sn_motion_sample(scene->motion, t, q, NULL);
    sn__pose_globals(scene->model, q, scene->pos, scene->rot);
}

static void corner_of(const struct scene *scene, int body, const sn_shape_def *box, int corner,
                      double place[3]) {
    double local[3];
    for (int k = 0; k < 3; k++)
        local[k] = box->pos[k] + (corner >> k & 1 ? 1 : -1) * box->size[k];
    dquat_rotate(scene->rot + 4 * body, local, place);
    for (int k = 0; k < 3; k++)
        place[k] += scene->pos[3 * body + k];
}

TEST(all_names_are_listed) {
    int count = 0;
    for (; sn_builtin_motion_name(count); count++) {
        bool found = false;
        for (int i = 0; i < COUNT(motions); i++)
            found |= strcmp(motions[i].name, sn_builtin_motion_name(count)) == 0;
        assert_true(found);
    }
    assert_int_equal(count, 11);
    assert_null(sn_builtin_motion_name(-1));
}

TEST(a_motion_for_another_figure_is_refused_with_the_body_it_misses) {
    sn_error error;
    for (int i = 0; i < COUNT(motions); i++)
        for (int m = 0; sn_builtin_name(m); m++) {
            const bool fits =
                strcmp(sn_builtin_name(m), motions[i].model) == 0 ||
                (strncmp(sn_builtin_name(m), "snake", 5) == 0 && strncmp(motions[i].model, "snake", 5) == 0);
            sn_model *model = sn_builtin_create(sn_builtin_name(m), NULL);
            sn_motion *motion = sn_builtin_motion_create(motions[i].name, model, &error);
            assert_int_equal(motion != NULL, fits);
            if (!fits) assert_message_has(&error, "does not fit");
            sn_motion_free(motion);
            sn_model_free(model);
        }
    sn_model *model = sn_builtin_create("humanoid", NULL);
    assert_null(sn_builtin_motion_create("moonwalk", model, &error));
    assert_message_has(&error, "moonwalk");
    sn_model_free(model);
}

TEST(loops_close_in_pose_and_velocity) {
    for (int i = 0; i < COUNT(motions); i++) {
        struct scene scene = open_scene(i);
        const int nq = sn_model_nq(scene.model), nv = sn_model_nv(scene.model);
        const double T = sn_motion_duration(scene.motion);
        double before[MOST], after[MOST], v0[MOST], v1[MOST], dv[MOST], fastest = 0, usual = 0, jump = 0;
        assert_true(sn_motion_loops(scene.motion));
        assert_true(nq < MOST);
        for (int round = 0; round < 3; round++) {
            sn_motion_sample(scene.motion, (round + 1) * T - 1e-9, before, v0);
            sn_motion_sample(scene.motion, (round + 1) * T, after, v1);
            sn_model_pose_subtract(scene.model, after, before, dv);
            for (int n = 0; n < nv; n++)
                assert_near(dv[n], 0, 1e-6);
        }
        /* from one key to the next the velocity changes a little everywhere; at the loop no more than elsewhere */
        for (int k = 0; k < 2000; k++) {
            const double t = T * (k + 0.5) / 2000;
            sn_motion_sample(scene.motion, t, NULL, v0);
            sn_motion_sample(scene.motion, t + 1.0 / 240, NULL, v1);
            for (int n = 0; n < nv && t + 1.0 / 240 < T; n++) {
                fastest = fmax(fastest, fabs(v0[n]));
                usual = fmax(usual, fabs(v1[n] - v0[n]));
            }
        }
        sn_motion_sample(scene.motion, T - 1e-9, NULL, v0);
        sn_motion_sample(scene.motion, T, NULL, v1);
        for (int n = 0; n < nv; n++)
            jump = fmax(jump, fabs(v1[n] - v0[n]));
        print_message("%-10s fastest %.2f, change between keys %.3f, at the loop %.3f\n", motions[i].name,
                      fastest, usual, jump);
        assert_true(jump <= usual + 1e-9);
        assert_true(usual < 0.5 * fastest);
        close_scene(&scene);
    }
}

TEST(feet_stand_still_while_they_stand_and_never_go_below_the_ground) {
    for (int i = 0; i < COUNT(motions); i++) {
        if (motions[i].stands == 0) continue;
        struct scene scene = open_scene(i);
        const double T = sn_motion_duration(scene.motion), d = 1.0 / 240, on_ground = 4e-5;
        double lowest = 1e9, fastest = 0;
        int standing = 0, steps = 0;
        for (double t = 0; t < 2 * T; t += d, steps++) {
            int feet = 0;
            for (int b = 0; b < sn_model_nbody(scene.model); b++) {
                const sn_body_info *body = sn_model_body(scene.model, b);
                const sn_shape_def *box = sn_model_shape(scene.model, body->first_shape);
                if (body->nshape != 1 || box->type != SN_SHAPE_BOX) continue;
                for (int corner = 0; corner < 8; corner++) {
                    double here[3], there[3];
                    pose_at(&scene, t);
                    corner_of(&scene, b, box, corner, here);
                    lowest = fmin(lowest, here[2]);
                    if (here[2] > on_ground) continue;
                    pose_at(&scene, t + d);
                    corner_of(&scene, b, box, corner, there);
                    if (there[2] > on_ground) continue;
                    fastest = fmax(fastest, hypot(there[0] - here[0], there[1] - here[1]) / d);
                    feet++;
                }
            }
            standing += feet > 0;
        }
        print_message("%-10s on the ground %.0f %% of the time, slip %.4f m/s, lowest %.2g m\n",
                      motions[i].name, 100.0 * standing / steps, fastest, lowest);
        assert_true(fastest < 0.05); /* of a foot that has just come down */
        assert_true(lowest > -1e-3);
        assert_true(standing > motions[i].stands * steps);
        close_scene(&scene);
    }
}

TEST(hands_of_the_cartwheel_carry_it) {
    struct scene scene = open_scene(2);
    const double T = sn_motion_duration(scene.motion), d = 1.0 / 240;
    int on_hands = 0, unsupported = 0;
    for (double t = 0; t < T; t += d) {
        int hands = 0, feet = 0;
        pose_at(&scene, t);
        for (int b = 0; b < sn_model_nbody(scene.model); b++) {
            const sn_body_info *body = sn_model_body(scene.model, b);
            for (int s = 0; s < body->nshape; s++) {
                const sn_shape_def *shape = sn_model_shape(scene.model, body->first_shape + s);
                double place[3];
                if (shape->type == SN_SHAPE_SPHERE && strstr(body->name, "forearm")) {
                    dquat_rotate(scene.rot + 4 * b, shape->pos, place);
                    assert_true(scene.pos[3 * b + 2] + place[2] > shape->size[0] - 1e-3);
                    hands += scene.pos[3 * b + 2] + place[2] < shape->size[0] + 1e-3;
                }
                for (int corner = 0; shape->type == SN_SHAPE_BOX && corner < 8; corner++) {
                    corner_of(&scene, b, shape, corner, place);
                    feet += place[2] < 1e-3;
                }
            }
        }
        on_hands += hands == 2;
        unsupported += hands == 0 && feet == 0;
    }
    assert_true(on_hands * d > 0.1);
    assert_int_equal(unsupported, 0);
    close_scene(&scene);
}

TEST(the_backflip_flies_as_gravity_has_it) {
    struct scene scene = open_scene(3);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(scene.model, &def, NULL);
    double height[3], q[MOST], turned = 0;
    const double d = 12.0 / 240; /* whole keys: between them it is only nearly so */
    for (int k = 204; k < 307; k += 3) {
        const double t = k / 240.0;
        for (int n = 0; n < 3; n++) {
            sn_summary summary;
            sn_motion_sample(scene.motion, t + (n - 1) * d, q, NULL);
            assert_int_equal(sn_dynamics_summary(dynamics, q, NULL, &summary), SN_OK);
            height[n] = summary.com[2];
        }
        assert_near((height[0] - 2 * height[1] + height[2]) / (d * d), -9.81, 0.01);
    }
    for (double t = 0; t < sn_motion_duration(scene.motion); t += 1e-3) {
        double qd[MOST];
        sn_motion_sample(scene.motion, t, NULL, qd);
        turned += 1e-3 * qd[4];
    }
    assert_near(turned, -2 * M_PI, 0.05);
    sn_dynamics_free(dynamics);
    close_scene(&scene);
}

TEST(hinges_keep_within_their_limits_and_the_figure_moves_on) {
    for (int i = 0; i < COUNT(motions); i++) {
        struct scene scene = open_scene(i);
        const double T = sn_motion_duration(scene.motion);
        double q[MOST], later[MOST];
        for (int k = 0; k < 200; k++) {
            sn_motion_sample(scene.motion, T * k / 200, q, NULL);
            for (int b = 0; b < sn_model_nbody(scene.model); b++) {
                const sn_body_info *body = sn_model_body(scene.model, b);
                if (body->joint.type != SN_JOINT_HINGE) continue;
                assert_true(q[body->q_index] >= body->joint.lower[0] &&
                            q[body->q_index] <= body->joint.upper[0]);
            }
        }
        sn_motion_sample(scene.motion, 0, q, NULL);
        sn_motion_sample(scene.motion, T, later, NULL);
        for (int k = 0; k < 2; k++) {
            const double wanted = motions[i].advance[k], got = later[k] - q[k];
            if (wanted > 0) assert_true(got > wanted);
            if (wanted < 0) assert_true(got < wanted);
            if (wanted == 0) assert_near(got, 0, 1e-9);
        }
        assert_near(later[2], q[2], 1e-9);
        close_scene(&scene);
    }
}

int main(void) {
    return run_all("gaits");
}
