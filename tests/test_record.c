/* Recordings: every number in the text is what the world said in that frame, members have their spans, copies are beside
 * each other. The numbers are decoded here by code of its own. */
#include "base64_helpers.h"
#include "file_helpers.h"
#include "scenes/shapes.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sinew/dynamics.h>
#include <sinew/sinew.h>
#include <stdint.h>

/* ------------------------------------------------------------------------------------- numbers, decoded by hand */

struct numbers {
    double *value;
    size_t count;
    double grain; /* of one unit; 0 for floats */
};

static cJSON *at(const cJSON *json, const char *key) {
    cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!item) print_error("no '%s'\n", key);
    assert_non_null(item);
    return item;
}

/* The remainder of division, bit by bit. */
static uint32_t crc_of(const uint8_t *bytes, size_t size) {
    uint32_t crc = ~0u;
    for (size_t i = 0; i < 8 * size; i++) {
        const uint32_t bit = (bytes[i / 8] >> i % 8 & 1u) ^ (crc & 1u);
        crc = crc >> 1 ^ (bit ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static struct numbers decode(const cJSON *channel) {
    const char *text = cJSON_GetStringValue(at(channel, "data"));
    uint8_t *bytes = malloc(strlen(text) + 1);
    const size_t size = base64_bytes(text, bytes);
    assert_int_equal(crc_of(bytes, size), strtoul(cJSON_GetStringValue(at(channel, "crc")), NULL, 16));
    const bool wide = strcmp(cJSON_GetStringValue(at(channel, "type")), "f32") == 0;
    struct numbers n = {.count = size / (wide ? 4 : 2),
                        .grain = wide ? 0 : at(channel, "scale")->valuedouble};
    n.value = malloc((n.count + 1) * sizeof *n.value);
    for (size_t i = 0; i < n.count; i++) {
        float f; /* little-endian, as the machines the tests run on */
        memcpy(&f, bytes + (wide ? 4 * i : 0), sizeof f);
        n.value[i] = wide ? (double)f : n.grain * (int16_t)(bytes[2 * i] + 256 * bytes[2 * i + 1]);
    }
    free(bytes);
    return n;
}

static cJSON *json_of(sn_recorder *recorder) {
    size_t size = 0;
    const char *text = sn_recorder_text(recorder, &size);
    assert_non_null(text);
    assert_int_equal(size, strlen(text));
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
    assert_non_null(json);
    assert_string_equal(cJSON_GetStringValue(at(json, "format")), "sinew-recording");
    assert_int_equal(at(json, "version")->valueint, 2);
    return json;
}

static const cJSON *character(const cJSON *json, int index) {
    const cJSON *found = cJSON_GetArrayItem(at(json, "characters"), index);
    assert_non_null(found);
    return found;
}

/* Poses of a character in a frame of its span, as the world gives them: wanted [nbody][7]. */
static void expect_pose(const cJSON *c, int frame, int nbody, const double *wanted) {
    struct numbers root = decode(at(c, "root")), position = decode(at(c, "position")),
                   rotation = decode(at(c, "rotation"));
    for (int b = 0; b < nbody; b++)
        for (int k = 0; k < 7; k++) {
            const double got = k < 3 ? root.value[3 * frame + k] + position.value[3 * (frame * nbody + b) + k]
                                     : rotation.value[4 * (frame * nbody + b) + k - 3];
            const double grain = k < 3 ? position.grain + 1e-6 * fabs(wanted[7 * b + k]) : rotation.grain;
            assert_true(fabs(got - wanted[7 * b + k]) <= grain);
        }
    free(root.value);
    free(position.value);
    free(rotation.value);
}

/* ------------------------------------------------------------------------------------------------------ worlds */

enum { EVERY = 4, FRAMES = 31 }; /* steps per frame at 60 frames per second */

struct stage {
    sn_model *human, *ball;
    sn_world *world;
    int nbody, nq, nv;
};

static sn_model *build_ball(void) {
    const sn_joint_def joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = 0.1;
    sn_model *model = one_body_model("a \"ball\"", &joint, &shape, NULL);
    assert_non_null(model);
    return model;
}

/* Humanoids that fall on the ground, each copy from another height. */
static void start(struct stage *s, int copies) {
    const double origin[3] = {0}, up[3] = {0, 0, 1};
    sn_world_def def = sn_world_def_default();
    def.copies = copies;
    def.report_torque = true;
    s->human = sn_builtin_create("humanoid", NULL);
    s->ball = build_ball();
    s->world = sn_world_create(&def, NULL);
    assert_int_equal(sn_world_add(s->world, s->human, NULL), 0);
    assert_int_equal(sn_world_add_plane(s->world, origin, up, NULL, NULL), 0);
    s->nbody = sn_model_get(s->human)->nbody;
    s->nq = sn_model_get(s->human)->nq;
    s->nv = sn_model_get(s->human)->nv;
    double *q = calloc((size_t)(s->nq + 2 * s->nv), sizeof *q), *kp = q + s->nq, *kd = kp + s->nv;
    sn_gains_uniform(s->human, 0, 0, 500, 50, kp, kd);
    sn_model_home_pose(s->human, q);
    assert_int_equal(sn_world_stand(s->world, 0, q), SN_OK);
    sn_world_set_gains(s->world, 0, kp, kd);
    sn_world_set_target(s->world, 0, q, NULL);
    for (int i = 0; i < copies; i++, q[2] += 0.05)
        assert_int_equal(sn_world_set(s->world, 0, SN_FIELD_Q, i, 1, q), SN_OK);
    free(q);
}

static void stop(struct stage *s) {
    sn_world_free(s->world);
    sn_model_free(s->human);
    sn_model_free(s->ball);
}

static void end(struct stage *s, sn_recorder *recorder) {
    sn_recorder_free(recorder);
    stop(s);
}

static sn_recorder *record(struct stage *s, int copies, const sn_recorder_def *def) {
    start(s, copies);
    sn_recorder *recorder = sn_recorder_create(s->world, def, NULL);
    assert_non_null(recorder);
    return recorder;
}

/* Of all copies, at a rate; 0: every step. */
static sn_recorder *record_all(struct stage *s, int copies, double rate) {
    sn_recorder_def def = sn_recorder_def_default();
    def.count = copies;
    if (rate > 0) def.rate = rate;
    return record(s, copies, &def);
}

static void step_and_take(struct stage *s, sn_recorder *recorder) {
    for (int i = 0; i < EVERY; i++) {
        assert_int_equal(sn_world_step(s->world), SN_OK);
        assert_int_equal(sn_recorder_take(recorder, sn_world_time(s->world)), SN_OK);
    }
}

/* ------------------------------------------------------------------------------------------------------- tests */

TEST(a_recording_holds_what_the_world_said_in_each_frame) {
    struct stage s;
    sn_recorder_def def = sn_recorder_def_default();
    def.first = 1, def.count = 2, def.torques = true, def.name = "human";
    sn_recorder *recorder = record(&s, 3, &def);
    double *pose = malloc(sizeof *pose * FRAMES * 2 * 7 * (size_t)s.nbody),
           *torque = malloc(sizeof *torque * FRAMES * 2 * (size_t)s.nv);
    int pushing = 0;
    assert_int_equal(sn_recorder_take(recorder, 0), SN_OK);
    for (int f = 0; f < FRAMES; f++) {
        if (f > 0) step_and_take(&s, recorder);
        sn_world_get(s.world, 0, SN_FIELD_BODY_POSE, 1, 2, pose + f * 2 * 7 * s.nbody);
        sn_world_get(s.world, 0, SN_FIELD_TORQUE, 1, 2, torque + f * 2 * s.nv);
        for (int copy = 1; copy < 3; copy++) {
            int count = 0;
            const sn_contact *contact = sn_world_contacts(s.world, copy, &count);
            for (int i = 0; i < count; i++)
                pushing += contact[i].force[0] != 0 || contact[i].force[1] != 0 || contact[i].force[2] != 0;
        }
    }
    cJSON *json = json_of(recorder);
    assert_int_equal(at(json, "frames")->valueint, FRAMES);
    assert_int_equal(cJSON_GetArraySize(at(json, "models")), 1);
    const cJSON *model = cJSON_GetArrayItem(at(json, "models"), 0);
    assert_string_equal(cJSON_GetStringValue(at(model, "name")), "human");
    assert_int_equal(cJSON_GetArraySize(at(model, "bodies")), s.nbody);
    assert_int_equal(cJSON_GetArraySize(at(json, "characters")), 2);
    for (int c = 0; c < 2; c++) {
        const cJSON *one = character(json, c);
        struct numbers tau = decode(at(one, "torque"));
        assert_int_equal(at(one, "copy")->valueint, 1 + c);
        assert_null(cJSON_GetObjectItem(one, "first"));
        assert_int_equal(tau.count, FRAMES * s.nv);
        for (int f = 0; f < FRAMES; f += 10)
            expect_pose(one, f, s.nbody, pose + (2 * f + c) * 7 * s.nbody);
        for (int f = 0; f < FRAMES; f++)
            for (int v = 0; v < s.nv; v++)
                assert_true(tau.value[f * s.nv + v] == (double)(float)torque[(2 * f + c) * s.nv + v]);
        free(tau.value);
    }
    struct numbers who = decode(at(at(json, "contacts"), "who"));
    assert_true(pushing > 0);
    assert_int_equal(who.count, 4 * pushing);
    for (size_t i = 0; i < who.count; i += 4)
        assert_true((who.value[i] == 0 || who.value[i] == 1) !=
                    (who.value[i + 2] == 0 || who.value[i + 2] == 1));
    free(who.value);
    free(pose);
    free(torque);
    cJSON_Delete(json);
    end(&s, recorder);
}

TEST(members_that_come_and_go_have_spans) {
    struct stage s;
    sn_recorder *recorder = record_all(&s, 2, 0);
    double q[7] = {3, 0, 2, 1, 0, 0, 0}, pose[2 * 7];
    sn_recorder_take(recorder, 0);
    int member = -1;
    for (int f = 1; f < FRAMES; f++) {
        if (f == 10 || f == 25) { /* a ball that falls */
            const sn_member before = member;
            member = sn_world_add(s.world, s.ball, NULL);
            assert_true(member > 0 && member != before); /* the same number of another generation */
            sn_world_set_state(s.world, member, q, NULL);
        }
        if (f == 15) assert_int_equal(sn_world_remove(s.world, member), SN_OK);
        step_and_take(&s, recorder);
        if (f == 12) assert_int_equal(sn_world_get(s.world, member, SN_FIELD_BODY_POSE, 0, 2, pose), SN_OK);
    }
    cJSON *json = json_of(recorder);
    assert_int_equal(cJSON_GetArraySize(at(json, "models")), 2);
    assert_int_equal(cJSON_GetArraySize(at(json, "characters")), 6);
    const int first[3] = {0, 10, 25}, frames[3] = {FRAMES, 5, FRAMES - 25};
    for (int i = 2; i < 6; i++) {
        const cJSON *ball = character(json, i);
        assert_int_equal(at(ball, "model")->valueint, 1);
        assert_int_equal(at(ball, "first")->valueint, first[i / 2]);
        assert_int_equal(at(ball, "frames")->valueint, frames[i / 2]);
        struct numbers root = decode(at(ball, "root"));
        assert_int_equal(root.count, 3 * frames[i / 2]);
        free(root.value);
    }
    expect_pose(character(json, 2), 2, 1, pose);
    expect_pose(character(json, 3), 2, 1, pose + 7);
    cJSON_Delete(json);
    end(&s, recorder);
}

/* 50 frames per second of steps of 1/240 s: a frame is the first step at or after its time. */
TEST(frames_are_taken_when_they_are_due) {
    struct stage s;
    sn_recorder *recorder = record_all(&s, 1, 50);
    const double late = 7; /* the recording need not start at 0 */
    for (int i = 0; i <= 240; i++)
        assert_int_equal(sn_recorder_take(recorder, late + i / 240.0), SN_OK);
    cJSON *json = json_of(recorder);
    struct numbers time = decode(at(json, "time"));
    assert_int_equal(time.count, 51);
    for (int f = 0; f < 51; f++)
        assert_true(fabs(time.value[f] - late - ceil(f / 50.0 * 240 - 1e-6) / 240) < 1e-5);
    free(time.value);
    cJSON_Delete(json);
    end(&s, recorder);
}

TEST(what_no_world_knows_is_recorded_too) {
    sn_model *model = sn_builtin_create("snake36", NULL);
    const int nbody = sn_model_get(model)->nbody, nv = sn_model_get(model)->nv;
    double *q = calloc((size_t)(sn_model_get(model)->nq + nv + 7 * nbody), sizeof *q);
    double *torque = q + sn_model_get(model)->nq, *pose = torque + nv;
    sn_recorder *recorder = sn_recorder_create(NULL, NULL, NULL);
    sn_model_zero_pose(model, q);
    torque[nv - 1] = 2.5;
    for (int f = 0; f < 3; f++) {
        q[0] = f;
        assert_int_equal(sn_recorder_pose(recorder, "simulated", model, q, torque), SN_OK);
        if (f > 0) assert_int_equal(sn_recorder_pose(recorder, "reference", model, q, NULL), SN_OK);
        if (f > 0) assert_int_equal(sn_recorder_number(recorder, "effector", 0.5 * f), SN_OK);
        assert_int_equal(sn_recorder_take(recorder, f / 60.0), SN_OK);
    }
    assert_int_equal(sn_recorder_event(recorder, 0.01, "stopped", "by \"hand\"\n"), SN_OK);
    assert_int_equal(sn_recorder_note(recorder, "settings", "{\"gains\":\"soft\"}"), SN_OK);
    assert_int_equal(sn_recorder_note(recorder, "settings", "{\"gains\":\"hard\"}"), SN_OK);
    sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    sn_dynamics_bodies(dynamics, q, NULL, pose, NULL, NULL);
    sn_dynamics_free(dynamics);
    sn_model_free(model); /* not needed any more */
    cJSON *json = json_of(recorder);
    expect_pose(character(json, 0), 2, nbody, pose);
    expect_pose(character(json, 1), 1, nbody, pose);
    assert_string_equal(cJSON_GetStringValue(at(character(json, 1), "role")), "reference");
    assert_int_equal(at(character(json, 1), "first")->valueint, 1);
    assert_null(cJSON_GetObjectItem(character(json, 1), "torque"));
    struct numbers tau = decode(at(character(json, 0), "torque"));
    struct numbers error = decode(at(at(json, "errors"), "effector"));
    assert_true(tau.count == (size_t)(3 * nv) && tau.value[3 * nv - 1] == 2.5);
    assert_true(error.count == 3 && isnan(error.value[0]) && error.value[1] == 0.5 && error.value[2] == 1);
    const cJSON *event = cJSON_GetArrayItem(at(json, "events"), 0);
    assert_string_equal(cJSON_GetStringValue(at(event, "text")), "by \"hand\"\n");
    assert_string_equal(cJSON_GetStringValue(at(at(json, "settings"), "gains")), "hard");
    free(tau.value);
    free(error.value);
    free(q);
    cJSON_Delete(json);
    sn_recorder_free(recorder);
}

TEST(what_cannot_be_is_refused) {
    struct stage s;
    sn_error error = {0};
    start(&s, 2);
    sn_recorder_def def = sn_recorder_def_default();
    def.count = 3;
    assert_null(sn_recorder_create(s.world, &def, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    def.count = 1, def.rate = 0;
    assert_null(sn_recorder_create(s.world, &def, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    sn_recorder *recorder = sn_recorder_create(s.world, NULL, &error);
    assert_int_equal(error.status, SN_OK);
    assert_null(sn_recorder_text(recorder, NULL)); /* nothing in it yet */
    assert_int_equal(sn_recorder_save(recorder, "nowhere", &error), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_recorder_take(recorder, (double)NAN), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_recorder_note(recorder, "frames", "7"), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_recorder_number(recorder, "", 1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_recorder_take(recorder, 0), SN_OK);
    assert_int_equal(sn_recorder_save(recorder, "/no/such/folder/run.json", &error), SN_ERROR_FILE);
    assert_non_null(strstr(error.message, "/no/such/folder/run.json"));
    sn_recorder_free(recorder);
    sn_recorder_free(NULL);
    stop(&s);
}

int main(void) {
    return run_all("record");
}
