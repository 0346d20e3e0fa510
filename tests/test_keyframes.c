/* Keyframes: two controllers as one, keys met, files read and refused. */
#include "motion/keyframes.h"
#include "world_helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void assert_says(const sn_error *error, const char *part) {
    if (!strstr(error->message, part)) fail_msg("'%s' does not speak of '%s'", error->message, part);
}

/* A slide and a ball on it. */
static sn_model *crane(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = 0.1, shape.mass = 2;
    body.name = "trolley", body.joint = sn_joint_def_default(SN_JOINT_SLIDE);
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "trolley", &shape);
    body.name = "arm", body.parent = "trolley", body.joint = sn_joint_def_default(SN_JOINT_BALL);
    shape.pos[0] = 0.5, shape.mass = 1;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "arm", &shape);
    return build_and_free(builder);
}

static double half(double a, void *user) {
    return *(double *)user * a;
}

/* q of the crane: slide, then the arm turned about z. */
static void pose_of(double slide, double angle, double q[5]) {
    q[0] = slide, q[1] = cos(0.5 * angle), q[2] = q[3] = 0, q[4] = sin(0.5 * angle);
}

TEST(gains_fade_as_the_profile_says_and_grow_with_the_mass_carried) {
    sn_model *model = crane();
    double a[5], b[5], kp[4], kd[4], target[5], factor = 0.5;
    pose_of(1, 0, a), pose_of(3, 0.8, b);
    const sn_keyframe key[2] = {{.time = 1, .q = a}, {.time = 3, .q = b}};
    sn_keyframes_def def = sn_keyframes_def_default();
    def.count = 2, def.key = key;
    for (int fade = 0; fade < 3; fade++) {
        def.fade = (sn_fade)fade;
        if (fade == SN_FADE_CURVE) def.curve = half, def.user = &factor;
        sn_keyframes *k = sn_keyframes_create(model, &def, NULL);
        assert_non_null(k);
        for (int i = 1; i < 10; i++) {
            const double u = 0.1 * i, q[5] = {1.7, cos(0.1), 0, 0, sin(0.1)};
            const double k1 = fade == 0   ? pow(1 - u, 20)
                              : fade == 1 ? 1 - u
                                          : 0.5 * (1 - u),
                         k2 = fade == 0   ? pow(u, 20) + 0.005
                              : fade == 1 ? u
                                          : 0.5 * u;
            sn__keyframes_drive(k, 1 + 2 * u, 0.01, q, kp, kd, target);
            assert_near(kp[0], 130 * 3 * (k1 + k2), 1e-9); /* trolley and arm */
            assert_near(kp[1], 130 * 1 * (k1 + k2), 1e-9);
            assert_near(kd[0], 10 * 0.01 * kp[0], 1e-12);
            /* the force of both: k1 (q - q1) + k2 (q - q2) */
            assert_near(kp[0] * (q[0] - target[0]), 130 * 3 * (k1 * (q[0] - 1) + k2 * (q[0] - 3)), 1e-9);
            const double turn = 2 * atan2(target[4], target[1]);
            assert_near(kp[1] * (0.2 - turn), 130 * (k1 * (0.2 - 0) + k2 * (0.2 - 0.8)), 1e-9);
        }
        sn__keyframes_drive(k, 0.5, 0.01, a, kp, kd, target); /* before the first key, and after the last */
        assert_near(kp[0], 390, 1e-9);
        assert_near(target[0], 1, 1e-12);
        sn__keyframes_drive(k, 9, 0.01, a, kp, kd, target);
        assert_near(target[0], 3, 1e-12);
        sn_keyframes_free(k);
    }
    sn_model_free(model);
}

/* Each joint goes by its own keys. */
TEST(keys_of_some_joints_leave_the_others_alone) {
    sn_model *model = crane();
    double a[5], b[5], c[5], kp[4], kd[4], target[5], q[5], qd[4];
    pose_of(0, 0, a), pose_of(9, 1, b), pose_of(2, 0, c);
    const uint8_t arm[2] = {0, 1}, trolley[2] = {1, 0};
    const sn_keyframe key[3] = {{0, a, NULL}, {1, b, arm}, {2, c, trolley}};
    sn_keyframes_def def = sn_keyframes_def_default();
    def.count = 3, def.key = key, def.fade = SN_FADE_LINEAR;
    sn_keyframes *k = sn_keyframes_create(model, &def, NULL);
    sn__keyframes_drive(k, 1, 0.01, a, kp, kd, target);
    assert_near(target[0], 1, 1e-12); /* halfway to the trolley's second key, at 2 s */
    assert_near(2 * atan2(target[4], target[1]), 1, 1e-12);
    sn_keyframes_spline(k, 1, q, qd);
    assert_near(q[0], 1, 1e-12);
    assert_near(qd[0], 1.5, 1e-6); /* a cubic from rest to rest */
    sn_keyframes_spline(k, sn_keyframes_get(k)->time[2], q, NULL);
    assert_near(q[0], 2, 1e-12);
    assert_near(2 * atan2(q[4], q[1]), 1, 1e-12);
    sn_keyframes_free(k);
    sn_model_free(model);
}

TEST(the_mouse_meets_its_keys_and_its_tail_drags) {
    sn_model *mouse = sn_builtin_create("mouse", NULL);
    assert_int_equal(sn_model_get(mouse)->nv, 54);
    double a[128], b[128], q[128], kpose[7];
    uint8_t keyed[32] = {1};
    double weight[32];
    sn_model_zero_pose(mouse, a), sn_model_zero_pose(mouse, b);
    for (int i = 0; i < 32; i++)
        weight[i] = i ? 1 : 1000;
    b[0] = 0.4, b[1] = 0.1, b[3] = cos(0.4), b[6] = sin(0.4);
    const sn_keyframe key[2] = {{0, a, keyed}, {1.5, b, keyed}};
    sn_keyframes_def def = sn_keyframes_def_default();
    def.count = 2, def.key = key, def.weight = weight;
    sn_keyframes *k = sn_keyframes_create(mouse, &def, NULL);
    sn_world_def world_def = sn_world_def_default();
    world_def.dt = 1.0 / 60, world_def.gravity[2] = 0, world_def.contact = SN_CONTACT_NONE;
    double swing[2] = {0, 0};
    for (int form = 0; form < 2; form++) {
        world_def.form = form ? SN_FORM_EXPLICIT : SN_FORM_STABLE;
        sn_world *world = world_of(&world_def);
        member_of(world, mouse);
        sn_world_set_state(world, 0, a, NULL);
        sn_status status = SN_OK;
        for (int i = 1; i <= 90 && !status; i++) {
            assert_int_equal(sn_keyframes_apply(k, world, 0, -1, i / 60.0), SN_OK);
            status = sn_world_step(world);
            sn_world_get_state(world, 0, q, NULL);
            for (int n = 11; n < sn_model_get(mouse)->nq; n++)
                swing[form] =
                    fmax(swing[form], fabs(q[n]) * (n % 4 != 3)); /* vectors of the tail's quaternions */
        }
        if (form) {
            assert_int_equal(status, SN_ERROR_NOT_FINITE);
        } else {
            memcpy(kpose, q, sizeof kpose);
            assert_int_equal(status, SN_OK);
            assert_true(hypot(q[0] - 0.4, q[1] - 0.1) < 0.01 * hypot(0.4, 0.1));
            assert_true(swing[0] > 0.02);
        }
        sn_world_free(world);
    }
    sn_keyframes_free(k);
    sn_model_free(mouse);
}

TEST(wrong_keyframes_are_refused_with_the_key_at_fault) {
    sn_model *model = crane();
    double a[5], b[5];
    pose_of(0, 0, a), pose_of(1, 1, b);
    sn_keyframe key[2] = {{0, a, NULL}, {1, b, NULL}};
    sn_keyframes_def def = sn_keyframes_def_default();
    sn_error error;
    def.count = 1, def.key = key;
    assert_null(sn_keyframes_create(model, &def, &error));
    def.count = 2, key[1].time = 0;
    assert_null(sn_keyframes_create(model, &def, &error));
    assert_says(&error, "keyframe 1");
    key[1].time = 1, b[1] = b[4] = 0;
    assert_null(sn_keyframes_create(model, &def, &error));
    assert_says(&error, "arm");
    pose_of((double)NAN, 1, b);
    assert_null(sn_keyframes_create(model, &def, &error));
    pose_of(1, 1, b);
    def.gain = -1;
    assert_null(sn_keyframes_create(model, &def, &error));
    def.gain = 1, def.fade = SN_FADE_CURVE;
    assert_null(sn_keyframes_create(model, &def, &error));
    assert_null(sn_keyframes_create(NULL, &def, &error));
    sn_keyframes_free(NULL);
    sn_model_free(model);
}

TEST(files_of_keyframes_are_read_and_refused_with_the_place_at_fault) {
    sn_model *model = crane();
    sn_error error;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"[]", "sinew-keyframes"},
        {"{\"format\": \"sinew-keyframes\"}", "keys"},
        {"{\"format\": \"sinew-keyframes\", \"version\": 2, \"keys\": []}", "version"},
        {"{\"format\": \"sinew-keyframes\", \"keys\": [{\"time\": 0}]}", "pose"},
        {"{\"format\": \"sinew-keyframes\", \"keys\": [{\"time\": 0, \"pose\": {\"leg\": 1}}]}", "leg"},
        {"{\"format\": \"sinew-keyframes\", \"keys\": [{\"time\": 0, \"pose\": {\"arm\": 1}}]}", "4 numbers"},
        {"{\"format\": \"sinew-keyframes\", \"keys\": [{\"time\": 0, \"pose\": {\"trolley\": 1}}]}", "two"},
        {"{\"format\": \"sinew-keyframes\", \"fade\": \"slow\", \"keys\": []}", "fade"},
    };
    char path[] = "/tmp/sinew-keys-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < COUNT(bad); i++) {
        FILE *f = fopen(path, "w");
        fputs(bad[i].text, f);
        fclose(f);
        assert_null(sn_keyframes_load(path, model, NULL, &error));
        assert_says(&error, bad[i].message);
    }
    FILE *f = fopen(path, "w");
    fputs("{\"format\": \"sinew-keyframes\", \"fade\": \"linear\", \"gain\": 7, \"weights\": {\"arm\": 2},\n"
          " \"keys\": [{\"time\": 0, \"pose\": {\"trolley\": 1}}, {\"time\": 2, \"pose\": {\"trolley\": [2], "
          "\"arm\": [1, 0, "
          "0, 0]}}]}",
          f);
    fclose(f);
    sn_keyframes *k = sn_keyframes_load(path, model, NULL, &error);
    if (!k) fail_msg("%s", error.message);
    double kp[4], kd[4], target[5], q[5];
    pose_of(0, 0, q);
    sn__keyframes_drive(k, 1, 0.01, q, kp, kd, target);
    assert_near(target[0], 1.5, 1e-12);
    assert_near(kp[0], 21, 1e-12);
    assert_near(kp[1], 14, 1e-12);
    sn_keyframes_free(k);
    assert_null(sn_keyframes_load("/nowhere", model, NULL, &error));
    remove(path);
    sn_model_free(model);
}

int main(void) {
    return run_all("keyframes");
}
