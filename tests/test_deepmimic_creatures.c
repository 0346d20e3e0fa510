/* DeepMimic's way of writing characters and motions, used for other animals: a dog of 96 numbers per frame, a snake. */
#include "file_helpers.h"

#include "base/quat.h"

#include <unistd.h>

static char scratch[] = "/tmp/sinew-creature-XXXXXX";

enum { DOG_BALLS = 22, SNAKE_BALLS = 12, CREATURE_FRAMES = 6 };

static const int dog_parent[DOG_BALLS + 1] = {-1, 0, 1,  2,  3,  2, 5,  6,  7,  2, 9, 10,
                                              11, 0, 13, 14, 15, 0, 17, 18, 19, 0, 21};

/* Where a joint hangs on its parent, Y up: legs go down, spine and head forwards, tail and snake backwards. */
static void hang(bool dog, int i, double at[3]) {
    static const double down[4][3] = {
        {0.2, -0.1, -0.1}, {0.2, -0.1, 0.1}, {-0.1, -0.1, -0.1}, {-0.1, -0.1, 0.1}};
    static const int leg[4] = {5, 9, 13, 17};
    memcpy(at, (double[3]){dog && i < 5 ? 0.2 : -0.2, 0, 0}, 3 * sizeof *at);
    for (int l = 0; dog && l < 4; l++) {
        if (i == leg[l]) memcpy(at, down[l], sizeof down[l]);
        if (i > leg[l] && i < leg[l] + 4) memcpy(at, (double[3]){0, -0.15, 0}, 3 * sizeof *at);
    }
}

/* Balls on ball joints, none of which says what torque it can bear. */
static sn_model *make_creature(bool dog, struct warnings *warnings) {
    static char text[1 << 14];
    const int n = 1 + (dog ? DOG_BALLS : SNAKE_BALLS);
    int used = sprintf(text, "{\"Skeleton\": {\"Joints\": [");
    for (int i = 0; i < n; i++) {
        double at[3];
        hang(dog, i, at);
        used +=
            sprintf(text + used, "%s{\"Name\": \"j%d\", \"Type\": \"%s\", \"Parent\": %d, \"TorqueLim\": 0",
                    i ? ", " : "", i, i ? "spherical" : "none", dog ? dog_parent[i] : i - 1);
        used +=
            sprintf(text + used, ", \"AttachX\": %g, \"AttachY\": %g, \"AttachZ\": %g}", at[0], at[1], at[2]);
    }
    used += sprintf(text + used, "]}, \"BodyDefs\": [");
    for (int i = 0; i < n; i++)
        used +=
            sprintf(text + used, "%s{\"Shape\": \"sphere\", \"Mass\": 1, \"Param0\": 0.1}", i ? ", " : "");
    sprintf(text + used, "]}");
    return parse_model(text, warnings);
}

/* What the root and a joint turn by, as the file has it: w, x, y, z with Y up. A snake bends to the sides, in waves; the dog
   shifts its weight a little. */
static void turn_in_file(int balls, int frame, int joint, double q[4]) {
    const double phase = 0.5 * frame + 1.1 * joint, a = 0.04 * sin(phase), b = 0.03 * cos(phase);
    double v[3] = {a, b, -a};
    if (balls == SNAKE_BALLS) v[0] = v[2] = 0, v[1] = 0.3 * sin(phase);
    if (joint == 0) v[0] = v[2] = 0, v[1] = 0.1 * frame;
    dquat_exp(v, q);
}

static int write_creature_motion(int balls, double height) {
    FILE *file = fopen(scratch, "w");
    assert_non_null(file);
    fprintf(file, "{\"Loop\": \"none\", \"Frames\": [");
    for (int k = 0; k < CREATURE_FRAMES; k++) {
        fprintf(file, "%s[0.1, %.17g, %.17g, %.17g", k ? ", " : "", 0.1 * k, height, -0.05 * k);
        for (int i = 0; i <= balls; i++) {
            double q[4];
            turn_in_file(balls, k, i, q);
            fprintf(file, ", %.17g, %.17g, %.17g, %.17g", q[0], q[1], q[2], q[3]);
        }
        fprintf(file, "]");
    }
    fprintf(file, "]}");
    fclose(file);
    return 1 + 3 + 4 * (1 + balls);
}

static void assert_moves(const sn_model *model, const sn_motion *motion, int balls, double height) {
    double q[128];
    for (int k = 0; k < CREATURE_FRAMES; k++) {
        sn_motion_sample(motion, 0.1 * k, q, NULL);
        const double place[3] = {0.1 * k, 0.05 * k, height}; /* y of the file is up */
        assert_near_n(q, place, 3, 1e-12);
        for (int i = 0; i <= balls; i++) {
            double wanted[4];
            turn_in_file(balls, k, i, wanted);
            const double turned[4] = {wanted[0], wanted[1], -wanted[3], wanted[2]};
            assert_near_n(q + sn_model_body(model, i)->q_index + (i ? 0 : 3), turned, 4, 1e-12);
        }
    }
}

/* On the ground for two seconds at the default step, with DeepMimic's gains for dogs and nothing that holds the root. */
static void assert_stands_on_the_ground(const sn_model *model, double fall) {
    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, NULL);
    assert_non_null(world);
    const int creature = sn_world_add(world, model, NULL);
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    assert_true(sn_world_add_plane(world, origin, up, NULL, NULL) >= 0);
    double q[128], qd[128], kp[128], kd[128];
    for (int i = 0; i < sn_model_get(model)->nv; i++)
        kp[i] = i < 6 ? 0 : 500, kd[i] = i < 6 ? 0 : 50;
    sn_model_zero_pose(model, q);
    sn_world_set_gains(world, creature, kp, kd);
    sn_world_stand(world, creature, q);
    const double height = q[2];
    sn_world_set_state(world, creature, q, NULL);
    sn_world_set_target(world, creature, q, NULL);
    for (int k = 0; k < 480; k++)
        assert_int_equal(sn_world_step(world), SN_OK);
    sn_world_get_state(world, creature, q, qd);
    if (fabs(q[2] - height) > fall) fail_msg("the root went from %g to %g m", height, q[2]);
    assert_true(fabs(qd[2]) < 0.05);
    sn_world_free(world);
}

/* The dog of 22 ball joints that papers beside DeepMimic use has 96 numbers per frame, and a snake its own number. Both
   are read with the character they were made for. */
TEST(frames_of_96_numbers_and_of_snakes_are_read_with_their_character) {
    for (int dog = 0; dog < 2; dog++) {
        const int balls = dog ? DOG_BALLS : SNAKE_BALLS;
        struct warnings warnings;
        sn_model *model = make_creature(dog, &warnings);
        char told[64];
        snprintf(told, sizeof told, "a torque limit of 0 on %d joints ('j1' first) is taken as none", balls);
        assert_int_equal(warnings.count, 1);
        assert_has_warning(&warnings, told);
        for (int i = 1; i <= balls; i++)
            assert_true(isinf(sn_model_body(model, i)->joint.torque_limit));

        const double height = dog ? 0.6 : 0.05;
        assert_int_equal(write_creature_motion(balls, height), dog ? 96 : 56);
        sn_error error;
        assert_true(sn_motion_is_numbers(scratch, model));
        sn_motion *motion = sn_motion_load(scratch, model, NULL, &error);
        if (!motion) fail_msg("%s", error.message);
        assert_moves(model, motion, balls, height);
        assert_null(sn_clip_load(scratch, NULL, &error));
        assert_message_has(&error, "are read together with it");
        assert_stands_on_the_ground(model, 0.02);
        sn_motion_free(motion);
        sn_model_free(model);
    }
}

int main(void) {
    const int descriptor = mkstemp(scratch);
    if (descriptor < 0) return 1;
    close(descriptor);
    const int failed = run_all("deepmimic creatures");
    remove(scratch);
    return failed;
}
