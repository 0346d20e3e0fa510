/* Recordings: what the command writes is what the library does, and what is damaged is refused. The numbers are decoded
 * here by code of its own and compared with a run through the library. */
#include "base64_helpers.h"
#include "cli_helpers.h"

#include <math.h>
#include <sinew/dynamics.h>

static cJSON *json_of(const char *name) {
    char *text = read_text(name);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    free(text);
    return json;
}

static cJSON *at(const cJSON *json, const char *key) {
    cJSON *item = cJSON_GetObjectItemCaseSensitive(json, key);
    if (!item) print_error("no '%s'\n", key);
    assert_non_null(item);
    return item;
}

/* ------------------------------------------------------------------------------------- numbers, decoded by hand */

struct numbers {
    double *value;
    size_t count;
    double scale; /* of one unit; 0 for floats */
};

static struct numbers decode(const cJSON *channel) {
    const char *text = cJSON_GetStringValue(at(channel, "data"));
    uint8_t *bytes = malloc(strlen(text) + 1);
    const size_t size = base64_bytes(text, bytes);
    const int wide = strcmp(cJSON_GetStringValue(at(channel, "type")), "f32") == 0;
    struct numbers n = {.count = size / (wide ? 4 : 2), .scale = wide ? 0 : number_of(channel, "scale")};
    assert_int_equal(size % (wide ? 4 : 2), 0);
    n.value = malloc((n.count + 1) * sizeof *n.value);
    for (size_t i = 0; i < n.count; i++) {
        if (wide) {
            float f; /* little-endian, as the machines the tests run on */
            memcpy(&f, bytes + 4 * i, 4);
            n.value[i] = (double)f;
        } else {
            n.value[i] = n.scale * (int16_t)(bytes[2 * i] + 256 * bytes[2 * i + 1]);
        }
    }
    free(bytes);
    return n;
}

/* ------------------------------------------------------------------------------------------- against the library */

enum { STEPS = 240, EVERY = 4, FRAMES = STEPS / EVERY + 1 };

/* The command's run once more. */
struct again {
    sn_model *model;
    sn_motion *motion;
    sn_world *world;
    sn_dynamics *dynamics; /* for the poses of bodies */
    double *q, *qd, *wanted, *wanted_qd, *difference, *torque;
};

static void start_again(struct again *a) {
    const sn_dynamics_def plain = sn_dynamics_def_default();
    sn_world_def def = sn_world_def_default();
    def.report_torque = true;
    def.joint_limits = false;
    a->model = sn_builtin_create("humanoid", NULL);
    a->motion = sn_builtin_motion_create("walk", a->model, NULL);
    a->world = sn_world_create(&def, NULL);
    a->dynamics = sn_dynamics_create(a->model, &plain, NULL);
    assert_int_equal(sn_world_add(a->world, a->model, NULL), 0);
    const size_t nq = (size_t)sn_model_get(a->model)->nq, nv = (size_t)sn_model_get(a->model)->nv;
    a->q = calloc(2 * nq + 4 * nv, sizeof *a->q);
    a->wanted = a->q + nq, a->qd = a->wanted + nq, a->wanted_qd = a->qd + nv;
    a->difference = a->wanted_qd + nv, a->torque = a->difference + nv;
    sn_gains_uniform(a->model, 20000, 2000, 75000, 4000, a->qd, a->difference);
    assert_int_equal(sn_world_set_gains(a->world, 0, a->qd, a->difference), SN_OK);
    sn_motion_sample(a->motion, 0, a->q, a->qd);
    sn_motion_sample(a->motion, 0, a->wanted, NULL);
    sn_world_set_state(a->world, 0, a->q, a->qd);
}

static void step_again(struct again *a, int step) {
    sn_motion_sample(a->motion, step / 240.0, a->wanted, a->wanted_qd);
    sn_world_set_target(a->world, 0, a->wanted, a->wanted_qd);
    assert_int_equal(sn_world_step(a->world), SN_OK);
    sn_world_get_state(a->world, 0, a->q, a->qd);
    sn_world_get(a->world, 0, SN_FIELD_TORQUE, 0, 1, a->torque);
}

static void end_again(struct again *a) {
    sn_world_free(a->world);
    sn_dynamics_free(a->dynamics);
    sn_motion_free(a->motion);
    sn_model_free(a->model);
    free(a->q);
}

/* Half a unit of 16 bits, and what a float loses of numbers of a few metres. */
static double slack(const struct numbers *n) {
    return 0.501 * n->scale + 1e-6;
}

struct recorded_character {
    struct numbers root, position, rotation;
};

static struct recorded_character decode_character(const cJSON *json, int index) {
    const cJSON *c = cJSON_GetArrayItem(at(json, "characters"), index);
    return (struct recorded_character){decode(at(c, "root")), decode(at(c, "position")),
                                       decode(at(c, "rotation"))};
}

static void compare_frame(const struct recorded_character *r, int frame, const struct again *a,
                          const double *q) {
    const int nbody = sn_model_get(a->model)->nbody;
    double *poses = calloc((size_t)nbody * 7, sizeof *poses);
    assert_int_equal(sn_dynamics_bodies(a->dynamics, q, NULL, poses, NULL, NULL), SN_OK);
    for (int b = 0; b < nbody; b++) {
        const double *pos = poses + 7 * b, *rot = pos + 3;
        const double *place = &r->position.value[3 * (frame * nbody + b)];
        const double *turn = &r->rotation.value[4 * (frame * nbody + b)];
        for (int k = 0; k < 3; k++)
            assert_true(fabs(r->root.value[3 * frame + k] + place[k] - pos[k]) < slack(&r->position));
        for (int k = 0; k < 4; k++)
            assert_true(fabs(turn[k] - rot[k]) < slack(&r->rotation));
    }
    free(poses);
}

static void free_character(struct recorded_character *r) {
    free(r->root.value);
    free(r->position.value);
    free(r->rotation.value);
}

TEST(a_recording_is_the_run_the_library_makes) {
    expect_success("track humanoid walk --duration 1 --record r.json");
    cJSON *json = json_of("r.json");
    struct recorded_character simulated = decode_character(json, 0), reference = decode_character(json, 1);
    struct numbers time = decode(at(json, "time"));
    struct numbers torque = decode(at(cJSON_GetArrayItem(at(json, "characters"), 0), "torque"));
    struct numbers joint = decode(at(at(json, "errors"), "joint"));
    struct again a;
    start_again(&a);
    const int nbody = sn_model_get(a.model)->nbody, nv = sn_model_get(a.model)->nv;
    assert_int_equal(number_of(json, "frames"), FRAMES);
    assert_int_equal(time.count, FRAMES);
    assert_int_equal(simulated.position.count, FRAMES * nbody * 3);
    assert_int_equal(reference.rotation.count, FRAMES * nbody * 4);
    assert_int_equal(torque.count, FRAMES * nv);
    assert_true(simulated.position.scale < 2.0 / 32767); /* two metres from the root at most: 0.06 mm */
    for (int step = 0; step <= STEPS; step++) {
        if (step > 0) step_again(&a, step);
        if (step % EVERY) continue;
        const int frame = step / EVERY;
        assert_true(fabs(time.value[frame] - step / 240.0) < 1e-6);
        compare_frame(&simulated, frame, &a, a.q);
        compare_frame(&reference, frame, &a, a.wanted);
        for (int v = 0; v < nv; v++)
            assert_true(fabs(torque.value[frame * nv + v] - a.torque[v]) <= 1e-6 * fabs(a.torque[v]) + 1e-9);
        double worst = 0;
        sn_model_pose_subtract(a.model, 1, a.q, a.wanted, a.difference);
        for (int b = 1; b < nbody; b++) {
            const sn_body_info *body = sn_model_body(a.model, b);
            double square = 0;
            for (int k = 0; k < body->nv; k++)
                square += pow(a.difference[body->v_index + k], 2);
            worst = fmax(worst, sqrt(square));
        }
        assert_true(fabs(joint.value[frame] - worst) < 1e-6);
    }
    end_again(&a);
    free_character(&simulated);
    free_character(&reference);
    free(time.value), free(torque.value), free(joint.value);
    cJSON_Delete(json);
}

TEST(the_model_in_a_recording_is_the_model) {
    expect_success("track dog trot --duration 0.1 --record dog.json");
    cJSON *json = json_of("dog.json");
    const cJSON *model = cJSON_GetArrayItem(at(json, "models"), 0), *item;
    sn_model *dog = sn_builtin_create("dog", NULL);
    int b = 0;
    assert_int_equal(cJSON_GetArraySize(at(model, "bodies")), sn_model_get(dog)->nbody);
    cJSON_ArrayForEach(item, at(model, "bodies")) {
        const sn_body_info *body = sn_model_body(dog, b++);
        assert_string_equal(cJSON_GetStringValue(at(item, "name")), body->name);
        assert_int_equal(number_of(item, "parent"), body->parent);
        assert_int_equal(number_of(at(item, "joint"), "dof"), body->v_index);
        assert_int_equal(number_of(at(item, "joint"), "ndof"), body->nv);
        assert_int_equal(cJSON_GetArraySize(at(item, "shapes")), body->nshape);
        for (int k = 0; k < 3; k++)
            assert_true(cJSON_GetArrayItem(at(item, "pos"), k)->valuedouble == body->pos[k]);
    }
    sn_model_free(dog);
    cJSON_Delete(json);
}

/* A run over the ground is carried by it now and then: forces point up and start at the floor. */
TEST(contacts_lie_on_the_ground) {
    expect_success("track humanoid run --ground --contact rows --duration 2 --record ground.json");
    cJSON *json = json_of("ground.json");
    const double height = cJSON_GetArrayItem(at(at(json, "ground"), "point"), 2)->valuedouble;
    const cJSON *contacts = at(json, "contacts");
    struct numbers count = decode(at(contacts, "count")), point = decode(at(contacts, "point"));
    struct numbers force = decode(at(contacts, "force")), who = decode(at(contacts, "who"));
    size_t total = 0, bare = 0;
    for (size_t i = 0; i < count.count; i++) {
        total += (size_t)count.value[i];
        bare += count.value[i] == 0;
    }
    assert_true(total > 20 && bare > 5); /* it steps, and it flies */
    assert_int_equal(point.count, 3 * total);
    assert_int_equal(force.count, 3 * total);
    assert_int_equal(who.count, 4 * total);
    for (size_t i = 0; i < total; i++) {
        assert_true(fabs(point.value[3 * i + 2] - height) < 0.01);
        assert_true(force.value[3 * i + 2] >= 0);
        assert_true(who.value[4 * i] == 0 && who.value[4 * i + 2] == -1); /* the character, and the ground */
    }
    free(count.value), free(point.value), free(force.value), free(who.value);
    cJSON_Delete(json);
}

/* Height of the root in the last frame over that in the first. */
static double sinks(const char *arguments) {
    char line[160];
    snprintf(line, sizeof line, "track humanoid walk --free-root --duration 0.5 --record r.json %s",
             arguments);
    expect_success(line);
    cJSON *json = json_of("r.json");
    struct recorded_character c = decode_character(json, 0);
    const double way = c.root.value[2] - c.root.value[c.root.count - 1];
    free_character(&c);
    cJSON_Delete(json);
    return way;
}

/* Nothing holds the root: in half a second it falls g t^2 / 2 = 1.23 m, and much less where there is ground. */
TEST(ground_carries_what_nothing_holds) {
    assert_true(fabs(sinks("") - 1.23) < 0.1); /* the motion's own bobbing */
    assert_true(sinks("--ground") < 0.4);
    assert_true(sinks("--ground --contact rows") < 0.4);
    assert_true(sinks("--ground --limits --precision float") < 0.4);
}

TEST(a_run_that_diverges_says_so) {
    struct output o = run("track humanoid run --form explicit --dt 1/60 --record bad.json");
    assert_int_equal(o.code, 1);
    release(&o);
    cJSON *json = json_of("bad.json"), *event = cJSON_GetArrayItem(at(json, "events"), 0);
    assert_string_equal(cJSON_GetStringValue(at(event, "kind")), "diverged");
    assert_true(number_of(event, "time") > 0);
    cJSON_Delete(json);
}

TEST(frames_come_at_the_rate_asked_for) {
    expect_success("track snake36 slither --duration 1 --rate 25 --record slow.json");
    cJSON *json = json_of("slow.json");
    assert_int_equal(number_of(json, "rate"), 25);
    assert_int_equal(number_of(json, "frames"), 26);
    cJSON_Delete(json);
    struct output o = run("track snake36 slither --rate 0 --no-record");
    assert_int_equal(o.code, 2);
    release(&o);
}

/* ----------------------------------------------------------------------------------------------------- refusals */

static void write_name(const char *name, const char *text, size_t size) {
    FILE *file = fopen(in_room(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static void expect_refusal(const char *text, size_t size, const char *why) {
    write_name("broken.json", text, size);
    struct output o = run("report broken.json out.html");
    if (o.code != 1 || !strstr(o.err, why)) print_error("wanted '%s': %d, %s\n", why, o.code, o.err);
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, why));
    assert_non_null(strstr(o.err, "broken.json"));
    assert_string_equal(o.out, "");
    release(&o);
    assert_int_not_equal(access(in_room("out.html"), F_OK), 0);
}

/* The good text with one piece replaced by another. */
static void expect_refusal_of(const char *good, const char *piece, const char *other, const char *why) {
    const char *where = strstr(good, piece);
    assert_non_null(where);
    const size_t size = strlen(good) + strlen(other) + 1;
    char *bad = malloc(size);
    assert_non_null(bad);
    snprintf(bad, size, "%.*s%s%s", (int)(where - good), good, other, where + strlen(piece));
    expect_refusal(bad, strlen(bad), why);
    free(bad);
}

TEST(damaged_and_newer_recordings_are_refused) {
    expect_success("track humanoid walk --duration 0.2 --record good.json");
    char *good = read_text("good.json");
    const size_t size = strlen(good);
    expect_refusal("", 0, "not a recording");
    expect_refusal("\x89PNG", 4, "not a recording");
    expect_refusal("[1, 2]", 6, "not a recording");
    expect_refusal("{}", 2, "not a recording");
    for (size_t cut = 1; cut < 8; cut++)
        expect_refusal(good, size * cut / 8, "cut off");
    static const struct {
        const char *from, *to, *said;
    } change[] = {{"\"version\":2", "\"version\":3", "newer sinew"},
                  {"\"version\":2", "\"version\":1", "record it again"},
                  {"\"version\":2", "\"version\":\"2\"", "version"},
                  {"sinew-recording", "sinew-model", "not a recording"},
                  {"\"frames\":13", "\"frames\":14", "another length"},
                  {"\"frames\":13", "\"frames\":0", "frames"},
                  {"\"frames\":13", "\"frames\":1e300", "frames"},
                  {"\"model\":0", "\"model\":7", "model that is not there"},
                  {"\"parent\":0", "\"parent\":9", "not sound"},
                  {"\"dof\":6", "\"dof\":600", "not sound"},
                  {"\"type\":\"i16\"", "\"type\":\"i99\"", "type"},
                  {"\"scale\":", "\"scales\":", "scale"},
                  {"\"rotation\":{", "\"turning\":{", "rotation is missing"}};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++)
        expect_refusal_of(good, change[i].from, change[i].to, change[i].said);
    /* One digit of the numbers: the same length, other values. */
    char *inside = strstr(strstr(good, "\"rotation\":{"), "\"data\":\"") + 40;
    *inside = *inside == 'A' ? 'B' : 'A';
    expect_refusal(good, size, "checksum");
    *inside = '*';
    expect_refusal(good, size, "rotation is cut off");
    free(good);
}

TEST(a_folder_is_no_recording) {
    struct output o = run("report . out.html");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "cannot be read"));
    release(&o);
    o = run("report nothing.json out.html");
    assert_int_equal(o.code, 1);
    assert_non_null(strstr(o.err, "nothing.json"));
    release(&o);
}

static int drop_room(void **state) {
    static const char *const names[] = {"r.json",    "dog.json",  "ground.json", "bad.json",
                                        "slow.json", "good.json", "broken.json", NULL};
    remove_names(names);
    return leave_room(state); /* nothing else was left behind */
}

int main(void) {
    return run_tests_in(room, "cli recording", make_room, drop_room);
}
