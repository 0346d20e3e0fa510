/* Tables of poses: the order of quaternions is seen from the motion. */
#include "room.h"
#include "table_helpers.h"

#include "dance.h"

static char path[] = "/tmp/sinew-order-XXXXXX";

static sn_model *robot(void) {
    static char text[DANCE_TEXT];
    return model_of_text(dance_robot(text, 3));
}

/* Writes the poses with quaternions in one order or the other, of all joints. */
static void write_table(const struct table_maker *m, bool w_last, const char *head) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s", head);
    const int nq = sn_model_get(m->model)->nq;
    for (int k = 0; k < TABLE_FRAMES; k++) {
        double row[TABLE_VALUES];
        memcpy(row, m->q[k], sizeof row);
        for (int i = 0; i < sn_model_get(m->model)->nbody && w_last; i++) {
            const sn_body_info *body = sn_model_body(m->model, i);
            if (body->nq < 4) continue;
            double *q = row + body->q_index + (body->nq == 7 ? 3 : 0), w = q[0];
            memmove(q, q + 1, 3 * sizeof *q);
            q[3] = w;
        }
        for (int i = 0; i < nq; i++)
            fprintf(file, "%.6f%s", row[i], i == nq - 1 ? "\n" : ",");
    }
    fclose(file);
}

/* How far the motion that is read is from the poses, rad and m. */
static double apart(const struct table_maker *m, const sn_motion *motion) {
    double worst = 0;
    for (int k = 0; k < TABLE_FRAMES; k += 7) {
        double q[TABLE_VALUES], dv[TABLE_VALUES];
        sn_motion_sample(motion, k / table_rate, q, NULL);
        sn_model_pose_subtract(m->model, 1, q, m->q[k], dv);
        for (int i = 0; i < sn_model_get(m->model)->nv; i++)
            worst = fmax(worst, fabs(dv[i]));
    }
    return worst;
}

static sn_motion *read_table(const sn_model *model, const sn_load_def *options) {
    sn_error error;
    sn_motion *motion = sn_motion_load(path, model, options, &error);
    if (!motion) fail_msg("%s", error.message);
    return motion;
}

/* Whether the table is read as it was meant. */
static bool reads_right(const struct table_maker *m, bool w_last) {
    const sn_load_def options = listening();
    write_table(m, w_last, "");
    sn_motion *motion = read_table(m->model, &options);
    const bool right = apart(m, motion) < 1e-3;
    sn_motion_free(motion);
    if (!strstr(notes, w_last == right ? "x y z w" : "w x y z")) fail_msg("it was told: %s", notes);
    return right;
}

TEST(the_order_of_quaternions_is_seen_in_forty_motions_of_either_order) {
    static struct table_maker m;
    sn_model *model[2] = {robot(), sn_builtin_create("humanoid", NULL)};
    int wrong = 0, unsure = 0;
    const char *more = getenv("SINEW_TABLES");
    const int tables = more ? atoi(more) : 40;
    for (int i = 0; i < tables; i++) {
        const enum table_kind kind = (enum table_kind)(i % TABLE_KINDS);
        m = (struct table_maker){.model = model[i % 8 == 7], .seed = 77 + (uint64_t)i};
        table_make(&m, kind);
        for (int w_last = 0; w_last < 2; w_last++) {
            const bool right = reads_right(&m, w_last);
            const bool guessed = strstr(notes, "hardly") != NULL;
            unsure += guessed;
            if (right) continue;
            wrong++;
            print_message("motion %d of kind %d, w %s: %s", i, kind, w_last ? "last" : "first", notes);
        }
    }
    print_message("%d tables: %d wrong, %d told as a guess\n", 2 * tables, wrong, unsure);
    sn_model_free(model[0]);
    sn_model_free(model[1]);
    assert_int_equal(wrong, 0);
    assert_true(10 * unsure <= 2 * tables);
}

/* Falls as the library's own physics has them. */
TEST(the_order_of_quaternions_is_seen_in_falls) {
    static struct table_maker m;
    sn_model *model = robot();
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        sn_world_def def = sn_world_def_default();
        sn_world *world = sn_world_create(&def, NULL);
        const double point[3] = {0}, normal[3] = {0, 0, 1};
        double q[TABLE_VALUES];
        m = (struct table_maker){.model = model, .seed = 400 + (uint64_t)i};
        assert_true(sn_world_add_plane(world, point, normal, NULL, NULL) >= 0);
        const int member = sn_world_add(world, model, NULL);
        assert_true(member >= 0);
        table_make(&m, TABLE_STAND);
        memcpy(q, m.q[0], sizeof q);
        q[2] += 0.02;
        sn_world_set(world, member, SN_FIELD_Q, 0, 1, q);
        for (int k = 0; k < TABLE_FRAMES; k++) {
            sn_world_get(world, member, SN_FIELD_Q, 0, 1, m.q[k]);
            sn_world_step(world);
            sn_world_step(world);
        }
        for (int w_last = 0; w_last < 2; w_last++)
            wrong += !reads_right(&m, w_last);
        sn_world_free(world);
    }
    sn_model_free(model);
    assert_int_equal(wrong, 0);
}

TEST(the_order_can_be_given) {
    static struct table_maker m;
    sn_model *model = robot();
    sn_error error;
    m = (struct table_maker){.model = model, .seed = 5};
    table_make(&m, TABLE_WALK);
    for (int w_last = 0; w_last < 2; w_last++) {
        sn_load_def options = listening();
        options.quaternion = w_last ? "wxyz" : "xyzw"; /* the wrong one: it counts all the same */
        write_table(&m, w_last, "");
        sn_motion *motion = read_table(model, &options);
        assert_true(apart(&m, motion) > 0.5);
        assert_string_equal(notes, "");
        sn_motion_free(motion);
        write_table(&m, w_last, w_last ? "# quaternion xyzw\n" : "# quaternion wxyz\n");
        options = listening();
        motion = read_table(model, &options);
        assert_true(apart(&m, motion) < 1e-3);
        assert_string_equal(notes, "");
        sn_motion_free(motion);
    }
    sn_load_def options = listening();
    options.quaternion = "zyxw";
    assert_null(sn_motion_load(path, model, &options, &error));
    assert_message_has(&error, "neither wxyz nor xyzw");
    sn_model_free(model);
}

TEST(a_still_pose_is_told_as_a_guess) {
    static struct table_maker m;
    sn_model *model = robot();
    m = (struct table_maker){.model = model};
    for (int k = 0; k < TABLE_FRAMES; k++) { /* half round: the identity in the other order */
        sn_model_zero_pose(model, m.q[k]);
        m.q[k][2] = 0.88, m.q[k][3] = 0, m.q[k][6] = 1;
    }
    const sn_load_def options = listening();
    write_table(&m, false, "");
    sn_motion_free(read_table(model, &options));
    assert_non_null(strstr(notes, "hardly"));
    sn_model_free(model);
}

TEST(a_piece_of_a_motion_is_as_the_whole) {
    static struct table_maker m;
    sn_model *model = robot();
    m = (struct table_maker){.model = model, .seed = 9};
    table_make(&m, TABLE_TURN);
    write_table(&m, false, "");
    sn_error error;
    sn_motion *motion = read_table(model, NULL), *piece = sn_motion_cut(motion, 1.01, 3.5, &error);
    assert_non_null(piece);
    assert_near(sn_motion_get(piece)->duration, 2.49, 1e-9);
    for (double t = 0; t < 2.49; t += 0.07) {
        double a[TABLE_VALUES], b[TABLE_VALUES];
        sn_motion_sample(motion, 1.01 + t, a, NULL);
        sn_motion_sample(piece, t, b, NULL);
        assert_near_n(a, b, sn_model_get(model)->nq, 1e-9);
    }
    assert_null(sn_motion_cut(motion, 3, 9, &error));
    sn_motion_free(piece);
    sn_motion_free(motion);
    sn_model_free(model);
}

/* Frames of JSON for a robot of 19 numbers, with and without a duration before them. */
static void write_frames(double (*q)[TABLE_VALUES], bool timed, bool own_axes) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "{\"LoopMode\": \"Wrap\", %s \"Frames\": [",
            timed ? "" : "\"FrameDuration\": 0.0333333333333333,");
    for (int k = 0; k < TABLE_FRAMES; k++) {
        double turn[4];
        const double back[4] = {0.5, 0.5, 0.5,
                                0.5}; /* to the axes of the robot that lies on its back at rest */
        memcpy(turn, q[k] + 3, sizeof turn);
        if (own_axes) dquat_multiply(turn, back, turn);
        fprintf(file, "%s[%s%g, %g, %g, %.6f, %.6f, %.6f, %.6f", k ? ",\n" : "",
                timed ? "0.0333333333333333, " : "", q[k][0], q[k][1], q[k][2], turn[1], turn[2], turn[3],
                turn[0]);
        for (int i = 7; i < 19; i++)
            fprintf(file, ", %.6f", q[k][i]);
        fprintf(file, "]");
    }
    fprintf(file, "]}\n");
    fclose(file);
}

TEST(frames_of_19_and_of_20_numbers_belong_to_the_robot_they_were_made_for) {
    static struct table_maker m;
    static char text[DANCE_TEXT];
    dance_robot_dog(text);
    sn_model *model = model_of_text(text);
    assert_int_equal(sn_model_get(model)->nq, 19);
    m = (struct table_maker){.model = model, .seed = 3};
    for (int k = 0; k < TABLE_FRAMES; k++) {
        const double p = 0.25 * k;
        sn_model_zero_pose(model, m.q[k]);
        table_turn_root(&m, k, 0.8 + 0.01 * k, 0.03 * sin(p), 0);
        for (int leg = 0; leg < 4; leg++) {
            const double phase = p + (leg == 1 || leg == 2 ? M_PI : 0);
            m.q[k][7 + 3 * leg] = 0.05;
            m.q[k][8 + 3 * leg] = 0.7 + 0.2 * sin(phase);
            m.q[k][9 + 3 * leg] = -1.4 - 0.2 * (1 + cos(phase));
        }
    }
    table_settle(&m);
    for (int timed = 0; timed < 2; timed++) {
        write_frames(m.q, timed, false);
        assert_true(sn_motion_is_numbers(path, model));
        sn_motion *motion = read_table(model, NULL);
        if (apart(&m, motion) > 2e-3) fail_msg("%s: %g rad off", timed ? "20" : "19", apart(&m, motion));
        sn_motion_free(motion);
    }
    write_frames(m.q, false, true); /* numbers of the other robot: a clip, carried over */
    assert_false(sn_motion_is_numbers(path, model));
    sn_model_free(model);
}

int main(void) {
    return run_all_with_file(path, "pose order");
}
