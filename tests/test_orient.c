/* What clip files leave open: up axis, unit, root offsets, first frames that do not belong to the motion, and where
   the floor is. */
#include "parse_helpers.h"
#include "clip/clip.h"
#include "clip_helpers.h"

#include "clip/axes.h"

/* ------------------------------------------------------------------------------------------------ a walker as BVH */

/* A walker of 1.6 m, written with any axis up, at rest and in motion, in any unit. */
struct walker {
    int up, rest_up; /* 1: y, 2: z, 0: x */
    double unit;     /* units per metre */
    int first;       /* frames of a T-pose before the walk */
    double lie;      /* rad that the root is turned to the side from the standing pose */
    bool nameless;   /* joints have no names that mean something */
    double root[3];  /* OFFSET of the root, Z up, m */
    bool added;      /* positions are added to it */
    int frames, low; /* low > 0: the frame that is 0.9 m too low */
    double where;    /* m from the origin, along the way */
};

static struct walker a_walker(void) {
    return (struct walker){.up = 1, .rest_up = 1, .unit = 100, .frames = 120};
}

static struct {
    char text[1 << 18];
    int length;
} file;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    file.length +=
        vsnprintf(file.text + file.length, sizeof file.text - (size_t)file.length, format, arguments);
    va_end(arguments);
}

/* From Z up to the file's axes. */
static void to_file(int up, double v[3]) {
    const double x = v[0], y = v[1], z = v[2];
    if (up == 1) v[0] = x, v[1] = z, v[2] = -y;
    if (up == 0) v[0] = z, v[1] = y, v[2] = -x;
}

static void say_vector(const struct walker *w, int up, double x, double y, double z) {
    double v[3] = {w->unit * x, w->unit * y, w->unit * z};
    to_file(up, v);
    say("%.9g %.9g %.9g", v[0], v[1], v[2]);
}

static void say_joint(const struct walker *w, const char *kind, const char *name, int number, double x,
                      double y, double z) {
    if (w->nameless)
        say("%s J%d\n{\nOFFSET ", kind, number);
    else
        say("%s %s\n{\nOFFSET ", kind, name);
    say_vector(w, w->rest_up, x, y, z);
    say("\nCHANNELS %s\n", number == 0 ? "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
                                       : "3 Zrotation Yrotation Xrotation");
}

/* R = Rz Ry Rx in degrees. */
static void say_rotation(const double q[4]) {
    double R[3][3];
    dquat_to_matrix(q, R);
    say(" %.12g %.12g %.12g", atan2(R[1][0], R[0][0]) * 180 / M_PI,
        asin(fmax(-1, fmin(1, -R[2][0]))) * 180 / M_PI, atan2(R[2][1], R[2][2]) * 180 / M_PI);
}

/* A turn given in Z-up axes of the rest pose, in the file's axes. */
static void say_turn(const struct walker *w, double x, double y, double z) {
    double v[3] = {x, y, z}, q[4];
    to_file(w->rest_up, v);
    dquat_exp(v, q);
    say_rotation(q);
}

/* The quaternion of to_file. */
static void turn_of_file(int up, double q[4]) {
    const double x[3] = {-M_PI / 2, 0, 0}, y[3] = {0, M_PI / 2, 0}, none[3] = {0};
    dquat_exp(up == 1 ? x : up == 0 ? y : none, q);
}

static const char *write_walker(struct walker w) {
    file.length = 0;
    say("HIERARCHY\n");
    say_joint(&w, "ROOT", "Hips", 0, w.root[0], w.root[1], w.root[2]);
    for (int side = 0; side < 2; side++) {
        const double y = side ? -0.1 : 0.1;
        say_joint(&w, "JOINT", side ? "RightUpLeg" : "LeftUpLeg", 1 + 3 * side, 0, y, 0);
        say_joint(&w, "JOINT", side ? "RightLeg" : "LeftLeg", 2 + 3 * side, 0, 0, -0.4);
        say_joint(&w, "JOINT", side ? "RightFoot" : "LeftFoot", 3 + 3 * side, 0, 0, -0.4);
        say("}\n}\n}\n");
    }
    say_joint(&w, "JOINT", "Spine", 7, 0, 0, 0.1);
    say_joint(&w, "JOINT", "Head", 8, 0, 0, 0.6);
    say("}\n");
    for (int side = 0; side < 2; side++) {
        say_joint(&w, "JOINT", side ? "RightArm" : "LeftArm", 9 + 2 * side, 0, side ? -0.2 : 0.2, 0.5);
        say_joint(&w, "JOINT", side ? "RightForeArm" : "LeftForeArm", 10 + 2 * side, 0, side ? -0.3 : 0.3, 0);
        say("}\n}\n");
    }
    say("}\n}\nMOTION\nFrames: %d\nFrame Time: 0.0083333333333\n", w.first + w.frames);
    for (int k = -w.first; k < w.frames; k++) {
        const double t = (k < 0 ? 0 : k) / 120.0, phase = 2 * M_PI * t;
        const double swing = k < 0 ? 0 : 0.5 * sin(phase), arm = k < 0 ? 0 : 1.3;
        const double height = 0.8 * cos(swing) - (k > 0 && k == w.low ? 0.9 : 0);
        double root[4], up[4], rest[4], lie[4], about[3] = {w.lie, 0, 0};
        const double flat = w.lie > 0 ? 0.12 : height;
        say_vector(&w, w.up, w.where + 1.2 * t - (w.added ? w.root[0] : 0), 0,
                   flat - (w.added ? w.root[2] : 0));
        /* the root: from the rest pose's axes to those of the motion */
        turn_of_file(w.up, up), turn_of_file(w.rest_up, rest);
        dquat_exp(about, lie);
        dquat_conjugate(rest, rest);
        dquat_multiply(up, lie, root);
        dquat_multiply(root, rest, root);
        say_rotation(root);
        for (int side = 0; side < 2; side++) {
            say_turn(&w, 0, side ? -swing : swing, 0);
            say_turn(&w, 0, 0, 0), say_turn(&w, 0, 0, 0);
        }
        say_turn(&w, 0, 0, 0), say_turn(&w, 0, 0, 0);
        for (int side = 0; side < 2; side++) {
            say_turn(&w, side ? arm : -arm, 0, 0);
            say_turn(&w, k < 0 ? 0 : 0.3, 0, 0);
        }
        say("\n");
    }
    return file.text;
}

static sn_clip *read_with(const char *text, const sn_load_def *options) {
    sn_error error;
    sn_clip *clip = clip_from(text, strlen(text), "walker.bvh", options, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

static void place_of(const sn_clip *clip, int frame, const char *name, double place[3]) {
    const sn_clip_def *def = sn_clip_data(clip);
    double pos[64 * 3], rot[64 * 4];
    sn__clip_globals(def, def->position + 3 * frame, def->rotation + 4 * frame * def->njoint, pos, rot);
    memcpy(place, pos + 3 * joint_of(clip, name), 3 * sizeof *place);
}

static void assert_stands(const sn_clip *clip, double stature) {
    const sn_clip_def *def = sn_clip_data(clip);
    for (int k = 0; k < def->nframe; k += 7) {
        double head[3], foot[3];
        place_of(clip, k, "Head", head);
        place_of(clip, k, "LeftFoot", foot);
        assert_near(head[2] - foot[2], stature, 0.12 * stature);
    }
}

/* ----------------------------------------------------------------------------------------------------------- tests */

TEST(axes_change_places_by_rotations) {
    static const char *const name[] = {"x", "y", "z", "-x", "-Y", "-z"};
    for (int up = 0; up < 6; up++) {
        assert_int_equal(sn__axis_of(name[up]), up);
        for (int facing = -1; facing < 6; facing++) {
            struct sn__axes axes;
            if (facing >= 0 && facing % 3 == up % 3) {
                assert_false(sn__axes_up_facing(up, facing, &axes));
                continue;
            }
            assert_true(sn__axes_up_facing(up, facing, &axes));
            double e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, cross[3];
            for (int k = 0; k < 3; k++)
                sn__axes_turn(&axes, e[k]);
            dvec_cross(e[0], e[1], cross);
            assert_near_n(cross, e[2], 3, 0);
            assert_near(e[up % 3][2], up < 3 ? 1 : -1, 0);
            if (facing >= 0) assert_near(e[facing % 3][0], facing < 3 ? 1 : -1, 0);
        }
    }
    assert_int_equal(sn__axis_of("w"), -1);
    assert_int_equal(sn__axis_of(""), -1);
    assert_int_equal(sn__axis_of("yy"), -1);
}

TEST(up_and_unit_are_decided_from_the_motion) {
    static const double unit[] = {1, 10, 100, 1000};
    for (int up = 0; up < 3; up++)
        for (int rest = 0; rest < 3; rest++)
            for (int u = 0; u < COUNT(unit); u++) {
                struct walker w = a_walker();
                w.up = up, w.rest_up = rest, w.unit = unit[u];
                const sn_load_def options = listening();
                sn_clip *clip = read_with(write_walker(w), &options);
                char expected[64];
                snprintf(expected, sizeof expected, "%c is up", "xyz"[up]);
                if (!strstr(notes, expected)) fail_msg("up %d, at rest %d: %s", up, rest, notes);
                assert_stands(clip, 1.5);
                /* the rest pose stands as well, whatever its own axes */
                assert_near(sn_clip_data(clip)->joint[joint_of(clip, "Head")].offset[2], 0.6, 1e-9);
                sn_clip_free(clip);
            }
}

/* The same skeleton, small and large, as a family writes it: one unit for all, whatever a stature alone would suggest. */
TEST(skeletons_of_one_family_have_one_unit) {
    static const char *const names[2][3] = {{"LHipJoint", "LowerBack", "Head"}, {"Tail1", "Spine", "Head"}};
    static const double stature[2][4] = {{14, 22, 30, 46}, {30, 45, 70, 150}},
                        unit[2] = {0.0254 / 0.45, 0.01};
    for (int family = 0; family < 2; family++)
        for (int i = 0; i < 4; i++) {
            const double leg = stature[family][i] / 2;
            file.length = 0;
            say("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
                "Yrotation Xrotation\nJOINT %s\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n",
                names[family][0]);
            say("JOINT LeftFoot\n{\nOFFSET 0 %g 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}\n}\n", -leg);
            say("JOINT %s\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n", names[family][1]);
            say("JOINT %s\n{\nOFFSET 0 %g 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n}\n}\n}\n",
                names[family][2], leg);
            say("MOTION\nFrames: 2\nFrame Time: 0.01\n");
            for (int k = 0; k < 2; k++)
                say("0 %g 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", leg);
            const sn_load_def options = listening();
            sn_clip *clip = read_with(file.text, &options);
            assert_near(sn_clip_data(clip)->joint[joint_of(clip, "Head")].offset[2], unit[family] * leg,
                        1e-9);
            sn_clip_free(clip);
        }
}

TEST(who_lies_down_is_not_stood_up) {
    struct walker w = a_walker();
    w.lie = M_PI / 2;
    for (int up = 1; up <= 2; up++) {
        w.up = w.rest_up = up;
        w.where = 3;
        const sn_load_def options = listening();
        sn_clip *clip = read_with(write_walker(w), &options);
        double head[3], foot[3];
        place_of(clip, 20, "Head", head);
        place_of(clip, 20, "LeftFoot", foot);
        if (fabs(head[2] - foot[2]) > 0.3) fail_msg("up %d: %s", up, notes);
        sn_clip_free(clip);
    }
}

TEST(without_names_the_floor_says_that_z_is_up) {
    struct walker w = a_walker();
    w.nameless = true;
    w.where = 2;
    for (int up = 1; up <= 2; up++) {
        w.up = w.rest_up = up;
        sn_clip *clip = parse_clip(write_walker(w));
        assert_near(sn_clip_data(clip)->position[2], 0.8, 1e-6);
        sn_clip_free(clip);
    }
}

TEST(up_scale_and_facing_can_be_overruled) {
    sn_load_def options = listening();
    options.up = "z";
    options.scale = 0.02;
    sn_clip *clip = read_with(write_walker(a_walker()), &options);
    assert_near(sn_clip_data(clip)->joint[joint_of(clip, "Head")].offset[1], 0.02 * 60, 1e-9);
    assert_non_null(strstr(notes, "as was said"));
    sn_clip_free(clip);

    options = listening();
    options.facing = "-x"; /* it walks along x: facing the other way, it comes to walk along -x */
    clip = read_with(write_walker(a_walker()), &options);
    const sn_clip_def *def = sn_clip_data(clip);
    assert_near(def->position[3 * (def->nframe - 1)], -1.2 * 119 / 120, 1e-6);
    sn_clip_free(clip);

    sn_error error;
    options.facing = "y";
    assert_null(clip_from(file.text, strlen(file.text), "walker.bvh", &options, &error));
    assert_message_has(&error, "nobody faces y where y is up");
    options.facing = NULL, options.up = "w";
    assert_null(clip_from(file.text, strlen(file.text), "walker.bvh", &options, &error));
    assert_message_has(&error, "'w'");
}

TEST(a_root_offset_counts_once_for_every_up_axis) {
    for (int up = 1; up <= 2; up++)
        for (int added = 0; added < 2; added++) {
            struct walker w = a_walker();
            w.up = w.rest_up = up, w.added = added;
            w.root[2] = 0.78;
            sn_clip *clip = parse_clip(write_walker(w));
            assert_near(sn_clip_data(clip)->position[2], 0.8, 1e-6);
            sn_clip_free(clip);
        }
}

TEST(first_frames_of_a_pose_apart_are_left_out) {
    for (int first = 0; first < 4; first++) {
        struct walker w = a_walker();
        w.first = first;
        sn_load_def options = listening();
        sn_clip *clip = read_with(write_walker(w), &options);
        assert_int_equal(sn_clip_data(clip)->nframe, 120);
        assert_near(sn_clip_data(clip)->time[0], 0, 0);
        assert_int_equal(strstr(notes, "left out") != NULL, first > 0);
        sn_clip_free(clip);
        options.keep_first = true;
        clip = read_with(file.text, &options);
        assert_int_equal(sn_clip_data(clip)->nframe, 120 + first);
        sn_clip_free(clip);
    }
}

TEST(an_eased_clip_starts_from_rest_and_comes_up_to_its_speed) {
    sn_clip *clip = parse_clip(write_walker(a_walker())), *eased = sn__clip_ease(clip, 0.4, NULL);
    double a[3], b[3], v[3], w[3];
    assert_non_null(eased);
    assert_near(sn__clip_duration(eased), sn__clip_duration(clip) + 0.2, 1e-12);
    sn__clip_sample(eased, 0, a, NULL, v, NULL);
    sn__clip_sample(clip, 0, b, NULL, w, NULL);
    assert_near_n(a, b, 3, 1e-12);
    assert_true(fabs(v[0]) < 0.05 * w[0]);
    sn__clip_sample(eased, 0.7, a, NULL, v, NULL);
    sn__clip_sample(clip, 0.5, b, NULL, w, NULL);
    assert_near_n(a, b, 3, 1e-9);
    assert_near(v[0], w[0], 1e-6);
    assert_null(sn__clip_ease(clip, 0, NULL));
    assert_null(sn__clip_ease(clip, 1000, NULL));
    sn_clip_free(eased);
    sn_clip_free(clip);
}

TEST(one_frame_gone_wrong_does_not_sink_the_floor) {
    struct walker w = a_walker();
    w.low = 50;
    sn_clip *clip = parse_clip(write_walker(w)), *grounded = sn__clip_ground(clip, NULL);
    double foot[3];
    place_of(grounded, 0, "LeftFoot", foot);
    assert_near(foot[2], 0, 1e-6);
    sn_clip_free(grounded);
    sn_clip_free(clip);
}

TEST(velocities_across_a_jump_are_those_beside_it) {
    struct walker w = a_walker();
    sn_clip *clip = parse_clip(write_walker(w));
    const sn_clip_def *def = sn_clip_data(clip);
    double *rotation = (double *)def->rotation; /* the left thigh flips over in the second half */
    for (int k = 60; k < def->nframe; k++) {
        const double flip[3] = {0, 0, 2.5};
        double q[4], *own = rotation + 4 * (k * def->njoint + joint_of(clip, "LeftUpLeg"));
        dquat_exp(flip, q);
        dquat_multiply(own, q, own);
    }
    sn_model *model = sn_clip_build_model(clip, 60, NULL);
    sn_motion *motion = sn_motion_create(clip, model, NULL, NULL);
    double v[64], most = 0;
    for (int k = 0; k < 4 * def->nframe; k++) {
        sn_motion_sample(motion, k / 480.0, NULL, v);
        for (int i = 0; i < sn_model_get(model)->nv; i++)
            most = fmax(most, fabs(v[i]));
    }
    assert_true(most < 5); /* 0.5 rad at 1 Hz turns at 3.1 rad/s; the flip at 300 */
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

TEST(one_frame_that_is_off_gives_no_velocities) {
    struct walker w = a_walker();
    w.low = 50; /* 0.9 m down and up again: 108 m/s */
    sn_clip *clip = parse_clip(write_walker(w));
    sn_model *model = sn_clip_build_model(clip, 60, NULL);
    sn_motion *motion = sn_motion_create(clip, model, NULL, NULL);
    double v[64], most = 0;
    for (int k = 0; k < 480; k++) {
        sn_motion_sample(motion, k / 480.0, NULL, v);
        most = fmax(most, fabs(v[2]));
    }
    assert_true(most < 3);
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

/* A standing foot that slides by 6 cm, and what is left of it. */
static double slide_of(const sn_clip *clip, int first, int last, const char *foot) {
    double a[3], most = 0;
    place_of(clip, first, foot, a);
    for (int k = first; k <= last; k++) {
        double b[3], by[3];
        place_of(clip, k, foot, b);
        for (int i = 0; i < 3; i++)
            by[i] = b[i] - a[i];
        most = fmax(most, dvec_length(by));
    }
    return most;
}

TEST(feet_that_stand_do_not_slide_once_they_are_planted) {
    struct walker w = a_walker();
    sn_clip *clip = parse_clip(write_walker(w));
    const sn_clip_def *def = sn_clip_data(clip);
    double *position = (double *)def->position, *rotation = (double *)def->rotation;
    const int hip = joint_of(clip, "LeftUpLeg"), knee = joint_of(clip, "LeftLeg");
    for (int k = 0; k < def->nframe;
         k++) { /* knees bent; it stands from 40 to 80, drifting, and swings outside */
        const double swing = k < 40 ? 0.02 * (40 - k) : k > 80 ? 0.02 * (k - 80) : 0;
        const double bend[3] = {0, 0.5 + swing, 0}, lift[3] = {0, -0.25 - swing / 2, 0};
        double *own = rotation + 4 * k * def->njoint;
        position[3 * k] = 0.0015 * k, position[3 * k + 2] = 0.78;
        for (int side = 0; side < 2; side++) {
            dquat_exp(lift, own + 4 * (side ? joint_of(clip, "RightUpLeg") : hip));
            dquat_exp(bend, own + 4 * (side ? joint_of(clip, "RightLeg") : knee));
        }
    }
    sn_clip *planted = sn__clip_plant(clip, NULL);
    assert_non_null(planted);
    const double before = slide_of(clip, 40, 80, "LeftFoot"), after = slide_of(planted, 40, 80, "LeftFoot");
    print_message("slides by %.1f mm, planted by %.4f mm\n", 1e3 * before, 1e3 * after);
    assert_true(before > 0.05);
    assert_true(after < 1e-4);
    double a[3], b[3], p[4], q[4]; /* far from the stance nothing changes, and the foot keeps its turn */
    place_of(clip, 5, "LeftFoot", a);
    place_of(planted, 5, "LeftFoot", b);
    assert_near_n(a, b, 3, 1e-9);
    global_rotation(clip, 60, joint_of(clip, "LeftFoot"), p);
    global_rotation(planted, 60, joint_of(planted, "LeftFoot"), q);
    assert_near(angle_between(p, q), 0, 1e-6);
    sn_clip_free(planted);
    sn_clip_free(clip);
}

int main(void) {
    return run_all("orient");
}
