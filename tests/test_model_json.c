/* Models through Sinew's own JSON and through MJCF, and back. */
#include "file_helpers.h"

#include "base/memory.h"
#include "import/readers.h"
#include "model/model.h"
#include "sinew/dynamics.h"

#include <unistd.h>

/* -------------------------------------------------------------------------------------------- own format */

static sn_model *through_json(const sn_model *model) {
    size_t size;
    char *text = sn__model_json_write(model, &size);
    assert_non_null(text);
    assert_int_equal(size, strlen(text));
    sn_model *again = parse_model(text, NULL);
    size_t size_again;
    char *text_again = sn__model_json_write(again, &size_again);
    assert_string_equal(text, text_again);
    sn__free(text);
    sn__free(text_again);
    return again;
}

/* Kernels read the compiled trees: those must agree too. */
static void assert_same_trees(const sn_model *a, const sn_model *b) {
    for (int i = 0; i < a->nbody; i++) {
        assert_memory_equal(&a->tree_f64.body[i], &b->tree_f64.body[i], sizeof a->tree_f64.body[i]);
        assert_memory_equal(&a->tree_f32.body[i], &b->tree_f32.body[i], sizeof a->tree_f32.body[i]);
    }
}

static sn_body_def random_body(const char *name, const char *parent, sn_joint_type type) {
    sn_body_def body = body_with(name, parent, type);
    sn_joint_def *joint = &body.joint;
    for (int i = 0; i < 3; i++) {
        body.pos[i] = noise();
        body.com[i] = noise() / 3;
        joint->axis[i] = noise();
        joint->axis2[i] = noise();
        if (type != SN_JOINT_FREE) joint->anchor[i] = noise() / 7;
    }
    for (int i = 0; i < 4; i++)
        body.rot[i] = noise(), joint->rest[i] = noise();
    for (int i = 0; i < 7; i++)
        joint->home[i] = noise();
    body.mass = 1 + noise() / 3;
    for (int i = 0; i < 3; i++)
        body.inertia[i] = 0.01 + noise() / 1e3, body.inertia[i + 3] = noise() / 1e3;
    joint->home_given = true;
    joint->limited = noise() > 0;
    joint->lower[0] = -1 + noise() / 3, joint->lower[1] = -1 / 3.0;
    joint->upper[0] = 1 + noise() / 3, joint->upper[1] = 2 / 3.0;
    joint->armature = 0.1 + noise() / 30, joint->damping = 1 / 7.0;
    joint->stiffness = type == SN_JOINT_FREE ? 0 : 1 / 9.0;
    joint->kp = 100 / 3.0, joint->kd = 10 / 3.0;
    joint->torque_limit = noise() > 0 ? 200 / 3.0 : (double)INFINITY;
    return body;
}

static uint32_t random_bits(void) {
    const uint32_t some[] = {0, 1, 6, 0x7fffffff, 0x80000000, 0xffffffff};
    return some[(int)((1 + noise()) * 3)];
}

static void randomise_material(sn_shape_def *shape) {
    shape->friction = noise() > 0 ? 1 : fabs(noise());
    shape->restitution = noise() > 0 ? 0 : fabs(noise());
    shape->group = random_bits();
    shape->mask = random_bits();
}

static void exclude_at_random(sn_builder *builder, char name[][16], int nbody) {
    for (int i = 0; i < nbody; i++)
        for (int k = 0; k < i; k++)
            if (noise() > 0.5) sn_builder_exclude(builder, name[i], name[k]);
}

/* Bodies are found by name; restitution only where the format has it. */
static void assert_same_touch(const sn_model *a, const sn_model *b, bool restitution) {
    for (int i = 0; i < sn_model_get(a)->nbody; i++) {
        const sn_body_info *x = sn_model_body(a, i), *y = body_of(b, x->name);
        for (int k = 0; k < x->nshape; k++) {
            const sn_shape_def *s = (&sn_model_get(a)->shape[x->first_shape + k]),
                               *t = (&sn_model_get(b)->shape[y->first_shape + k]);
            assert_near(s->friction, t->friction, 0);
            if (restitution) assert_near(s->restitution, t->restitution, 0);
            assert_true(s->group == t->group && s->mask == t->mask);
        }
        for (int k = 0; k < sn_model_get(a)->nbody; k++)
            assert_int_equal(sn__model_excluded(a, i, k),
                             sn__model_excluded(b, sn_model_find_body(b, x->name),
                                                sn_model_find_body(b, sn_model_body(a, k)->name)));
    }
}

/* A shape of which the format has everything, or what MJCF can say: the first of a body is then as usual. */
static sn_shape_def random_shape(int kind, int k, bool mjcf) {
    sn_shape_def shape = shape_with((sn_shape_type)(kind % (mjcf ? SN_SHAPE_CONE : SN_SHAPE_TYPE_COUNT)));
    if (!mjcf) {
        for (int d = 0; d < 4; d++)
            shape.rot[d] = noise();
        shape.pos[0] = noise();
        shape.mass = k;
        shape.density = 1000 / 3.0;
    }
    if (!mjcf || k > 0) randomise_material(&shape);
    return shape;
}

/* Branches; for MJCF a chain, whose ball joints have what the format can say: a spring that rests at zero. */
static sn_model *random_model(bool mjcf) {
    const int nbody = mjcf ? 6 : 8;
    sn_builder *builder = sn_builder_create();
    char name[8][16], *parent = NULL;
    for (int i = 0; i < nbody; i++) {
        sn_joint_type type = i == 0 ? SN_JOINT_FREE : (sn_joint_type)(i % SN_JOINT_FREE);
        snprintf(name[i], sizeof name[i], "body%d", i);
        sn_body_def body = random_body(name[i], parent, type);
        if (mjcf && type == SN_JOINT_BALL) memset(body.joint.rest, 0, sizeof body.joint.rest);
        if (mjcf && type == SN_JOINT_SLIDE) body.joint.torque_limit = 0;
        sn_builder_add_body(builder, &body);
        for (int k = 0; k < i % 3; k++) {
            const sn_shape_def shape = random_shape(i + k, k, mjcf);
            sn_builder_add_shape(builder, name[i], &shape);
        }
        if (mjcf || i % 3 != 2) parent = name[i];
    }
    exclude_at_random(builder, name, nbody);
    return build_and_free(builder);
}

static void assert_json_keeps(sn_model *model) {
    sn_model *again = through_json(model);
    assert_same_model(model, again);
    assert_same_touch(model, again, true);
    assert_same_trees(model, again);
    sn_model_free(model);
    sn_model_free(again);
}

/* Random models, and all that are built in; `keeps` frees them. */
static void try_models(int trials, bool mjcf, void (*keeps)(sn_model *model)) {
    for (int trial = 0; trial < trials; trial++)
        keeps(random_model(mjcf));
    for (int i = 0; sn_builtin_name(i); i++)
        keeps(sn_builtin_create(sn_builtin_name(i), NULL));
}

TEST(own_json_brings_every_bit_back) {
    try_models(200, false, assert_json_keeps);
}

TEST(names_may_hold_anything) {
    sn_builder *builder = sn_builder_create();
    add(builder, "\"quoted\\\" \x01\n\t</x>&amp;", NULL, SN_JOINT_FREE);
    add(builder, "gr\xc3\xbc\xc3\x9f", "\"quoted\\\" \x01\n\t</x>&amp;", SN_JOINT_HINGE);
    sn_model *model = build_and_free(builder), *again = through_json(model);
    assert_same_model(model, again);
    sn_model_free(model);
    sn_model_free(again);
}

TEST(masses_left_out_come_from_the_shapes) {
    sn_model *model =
        parse_model("{\"format\": \"sinew-model\", \"version\": 1, \"bodies\": [{\"name\": \"ball\","
                    "\"joint\": {\"type\": \"free\"}, \"shapes\": [{\"type\": \"sphere\","
                    "\"size\": [0.1], \"mass\": 5}]}]}",
                    NULL);
    assert_near(sn_model_get(model)->mass, 5, 0);
    assert_near(sn_model_body(model, 0)->inertia[0], 0.4 * 5 * 0.01, 1e-15);
    sn_model_free(model);
}

TEST(materials_and_exclusions_are_read_and_the_usual_is_not_written) {
    const char *text = "{\"format\": \"sinew-model\", \"bodies\": ["
                       "{\"name\": \"a\", \"mass\": 1, \"shapes\": [{\"type\": \"sphere\", \"size\": [0.1]}, "
                       "{\"type\": \"sphere\", \"size\": [0.1], \"friction\": 0.25, \"restitution\": 1, "
                       "\"group\": 4, \"mask\": 4294967294}]}, {\"name\": \"b\"}, {\"name\": \"c\"}]%s}";
    const char *const words[] = {"friction", "restitution", "group", "mask", "exclude"};
    char filled[1000];
    snprintf(filled, sizeof filled, text, ", \"exclude\": [[\"c\", \"a\"], [\"b\", \"b\"]]");
    sn_model *model = parse_model(filled, NULL);
    const sn_shape_def *plain = (&sn_model_get(model)->shape[0]), *other = (&sn_model_get(model)->shape[1]);
    assert_shape_material(plain, 1, 0, 1, 0xffffffff);
    assert_shape_material(other, 0.25, 1, 4, 0xfffffffe);
    assert_true(sn__model_excluded(model, sn_model_find_body(model, "a"), sn_model_find_body(model, "c")));
    assert_false(sn__model_excluded(model, sn_model_find_body(model, "a"), sn_model_find_body(model, "b")));
    size_t size;
    char *written = sn__model_json_write(model, &size);
    for (int i = 0; i < COUNT(words); i++) {
        const char *first = strstr(written, words[i]);
        assert_non_null(first);
        assert_null(strstr(first + 1, words[i]));
    }
    assert_non_null(strstr(written, "[\"a\", \"c\"]"));
    sn__free(written);
    sn_model_free(model);
}

#define BODY(text) "{\"format\": \"sinew-model\", \"bodies\": [{\"name\": \"a\", \"mass\": 1,\n" text "}]}"

TEST(own_json_says_where_it_is_wrong) {
    const sn_status format = SN_ERROR_FORMAT;
    assert_text_refused("{\"format\": \"sinew-model\"}", format, "memory:", "'bodies' is missing");
    assert_text_refused("{\"format\": \"sinew-model\", \"version\": 2, \"bodies\": []}", format, "version 2",
                        "not known");
    assert_text_refused("{\"format\": \"sinew-model\", \"bodies\": {}}", format, "bodies:", "array");
    assert_text_refused("{\"format\": \"sinew-model\", \"bodies\": [1]}", format, "bodies[0]:", "object");
    assert_text_refused("{\"format\": \"sinew-model\", \"bodies\": []}", SN_ERROR_MODEL, "", "no bodies");
    assert_text_refused(BODY("\"pos\": [1, 2]"), format, "bodies[0].pos:", "has 2 numbers, but 3");
    assert_text_refused(BODY("\"pos\": [1, 2, 3, 4]"), format, "bodies[0].pos:", "has 4 numbers, but 3");
    assert_text_refused(BODY("\"pos\": [1, 2, \"x\"]"), format, "bodies[0].pos[2]:", "is a text");
    assert_text_refused(BODY("\"pos\": [1, 2, 1e999]"), format, "bodies[0].pos[2]:", "too large");
    assert_text_refused(BODY("\"joint\": {}"), format, "bodies[0].joint:", "'type' is missing");
    assert_text_refused(BODY("\"joint\": {\"type\": \"rope\"}"), format, "bodies[0].joint.type:", "'rope'");
    assert_text_refused(BODY("\"joint\": {\"type\": \"hinge\", \"limited\": 3}"), format, "joint.limited",
                        "true");
    assert_text_refused(BODY("\"shapes\": [{\"type\": \"box\"}]"), format, "shapes[0]:", "'size' is missing");
#define SHAPE(text) BODY("\"shapes\": [{\"type\": \"sphere\", \"size\": [1], " text "}]")
    assert_text_refused(SHAPE("\"friction\": \"ice\""), format, "shapes[0].friction:", "is a text");
    assert_text_refused(SHAPE("\"friction\": -1"), SN_ERROR_MODEL, "body 'a'", "friction is -1. Set it to");
    assert_text_refused(SHAPE("\"restitution\": 2"), SN_ERROR_MODEL, "body 'a'", "restitution is 2");
    assert_text_refused(SHAPE("\"group\": 1.5"), format, "shapes[0].group:", "should be a whole number");
    assert_text_refused(SHAPE("\"group\": -1"), format, "shapes[0].group:", "should be a whole number");
    assert_text_refused(SHAPE("\"mask\": 4294967296"), format, "shapes[0].mask:", "from 0 to 4294967295");
    assert_text_refused(SHAPE("\"mask\": []"), format, "shapes[0].mask:", "");
#undef SHAPE
#define EXCLUDE(text) "{\"format\": \"sinew-model\", \"bodies\": [{\"name\": \"a\"}], \"exclude\": " text "}"
    assert_text_refused(EXCLUDE("3"), format, "exclude:", "should be an array");
    assert_text_refused(EXCLUDE("[3]"), format, "exclude[0]:", "an array of two names");
    assert_text_refused(EXCLUDE("[[\"a\", \"a\"], [\"a\"]]"), format, "exclude[1]:", "an array of two names");
    assert_text_refused(EXCLUDE("[[\"a\", 3]]"), format, "exclude[0]:", "an array of two names");
    assert_text_refused(EXCLUDE("[[\"a\", \"a\", \"a\"]]"), format, "exclude[0]:", "an array of two names");
    assert_text_refused(EXCLUDE("[{\"a\": \"a\", \"b\": \"a\"}]"), format, "exclude[0]:", "two names");
    assert_text_refused(EXCLUDE("[[\"a\", \"z\"]]"), SN_ERROR_MODEL, "body 'z' does not exist", "'a'");
#undef EXCLUDE
    assert_text_refused(BODY("\"parent\": \"b\""), SN_ERROR_MODEL, "body 'a'", "'b' does not exist");
    assert_text_refused(BODY("\"joint\": {\"type\": \"hinge\"}"), SN_ERROR_MODEL, "body 'a'",
                        "without inertia");
    assert_text_refused(BODY("\n\"pos\": [1, 2"), format, "memory:", "");
    assert_text_refused("{\"format\": \"sinew-model\",\n\n \"bodies\" []}", format, "memory:3:", "not JSON");
    assert_text_refused("{\"format\": \"sinew-model\"}\n}", format, "memory:2:", "follows the end");
}

TEST(unknown_keys_are_told) {
    struct warnings warnings;
    sn_model_free(parse_model(BODY("\"weight\": 3"), &warnings));
    assert_int_equal(warnings.count, 1);
    assert_has_warning(&warnings, "'weight'");
}

/* -------------------------------------------------------------------------------------------------- MJCF */

static sn_model *through_mjcf(const sn_model *model) {
    size_t size;
    char *text = sn__mjcf_write(model, &size);
    assert_non_null(text);
    sn_model *again = parse_model(text, NULL);
    sn__free(text);
    return again;
}

/* The same motion: what the models' accelerations say at random states. */
static void assert_moves_alike(const sn_model *a, const sn_model *b, double tolerance) {
    assert_int_equal(sn_model_get(a)->nq, sn_model_get(b)->nq);
    assert_int_equal(sn_model_get(a)->nv, sn_model_get(b)->nv);
    int nq = sn_model_get(a)->nq, nv = sn_model_get(a)->nv;
    double *q = sn__alloc((size_t)(nq + 4 * nv), sizeof *q), *qd = q + nq, *tau = qd + nv, *x = tau + nv,
           *y = x + nv;
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *one = sn_dynamics_create(a, &def, NULL), *two = sn_dynamics_create(b, &def, NULL);
    for (int trial = 0; trial < 5; trial++) {
        sn_model_zero_pose(a, q);
        for (int i = 0; i < nv; i++)
            qd[i] = noise(), tau[i] = 10 * noise();
        sn_model_pose_add(a, 1, q, qd, q);
        assert_int_equal(sn_dynamics_forward(one, q, qd, NULL, tau, x), SN_OK);
        assert_int_equal(sn_dynamics_forward(two, q, qd, NULL, tau, y), SN_OK);
        for (int i = 0; i < nv; i++)
            assert_near(x[i], y[i], tolerance * (1 + fabs(x[i])));
    }
    assert_near_n(sn_model_get(a)->kp, sn_model_get(b)->kp, nv, 0);
    assert_near_n(sn_model_get(a)->kd, sn_model_get(b)->kd, nv, 0);
    sn_dynamics_free(one);
    sn_dynamics_free(two);
    sn__free(q);
}

static void assert_alike(const sn_model *a, const sn_model *b) {
    double tolerance = 1e-12;
    for (int i = 0; i < sn_model_get(a)->nbody; i++) {
        const sn_body_info *x = sn_model_body(a, i), *y = body_of(b, x->name);
        assert_near(x->mass, y->mass, tolerance);
        assert_near_n(x->com, y->com, 3, tolerance);
        assert_near_n(x->inertia, y->inertia, 6, tolerance);
        assert_int_equal(x->nshape, y->nshape);
        for (int k = 0; k < x->nshape; k++) {
            const sn_shape_def *s = (&sn_model_get(a)->shape[x->first_shape + k]),
                               *t = (&sn_model_get(b)->shape[y->first_shape + k]);
            assert_int_equal(s->type, t->type);
            assert_near_n(s->size, t->size, s->type == SN_SHAPE_SPHERE ? 1 : 2, tolerance);
            assert_near_n(s->pos, t->pos, 3, tolerance);
            assert_near_n(s->rot, t->rot, 4, tolerance);
        }
        if (x->joint.type == SN_JOINT_UNIVERSAL) continue; /* two bodies there */
        assert_int_equal(x->joint.type, y->joint.type);
        assert_near_n(x->pos, y->pos, 3, tolerance);
        assert_near_n(x->rot, y->rot, 4, tolerance);
        if (x->nv == 0) continue;
        if (isfinite(x->joint.torque_limit) || isfinite(y->joint.torque_limit))
            assert_near(x->joint.torque_limit, y->joint.torque_limit, tolerance);
        if (x->nv > 1) continue;
        assert_int_equal(x->joint.limited, y->joint.limited);
        if (x->joint.limited) assert_near(x->joint.lower[0], y->joint.lower[0], tolerance);
        if (x->joint.limited) assert_near(x->joint.upper[0], y->joint.upper[0], tolerance);
    }
    double qa[2048], qb[2048];
    sn_model_home_pose(a, qa);
    sn_model_home_pose(b, qb);
    assert_near_n(qa, qb, sn_model_get(a)->nq, tolerance);
    assert_moves_alike(a, b, 1e-9);
}

static void assert_mjcf_keeps(sn_model *model) {
    sn_model *again = through_mjcf(model);
    assert_alike(model, again);
    assert_same_touch(model, again, false);
    sn_model_free(model);
    sn_model_free(again);
}

TEST(mjcf_written_reads_back_the_same) {
    try_models(50, true, assert_mjcf_keeps);
}

TEST(several_joints_of_one_body_stay_so_in_mjcf) {
    sn_model *model = parse_model("<mujoco><worldbody><body name=\"torso\"><freejoint/><geom size=\"0.1\"/>"
                                  "<body name=\"arm\" pos=\"0.1 0.2 0.3\" euler=\"10 20 30\">"
                                  "<joint name=\"x\" axis=\"1 0 0\" pos=\"0 0 0.1\" range=\"-10 20\"/>"
                                  "<joint name=\"y\" axis=\"0 1 0\" damping=\"3\"/><joint name=\"arm\"/>"
                                  "<geom size=\"0.1\" pos=\"0.2 0 0\"/></body></body></worldbody>"
                                  "<contact><exclude body1=\"arm\" body2=\"torso\"/></contact>"
                                  "<actuator><motor joint=\"y\" ctrlrange=\"-7 7\"/></actuator></mujoco>",
                                  NULL);
    assert_int_equal(sn_model_get(model)->nbody, 4);
    size_t size;
    char *text = sn__mjcf_write(model, &size);
    assert_null(strstr(text, "<body name=\"arm/x\"")); /* MuJoCo wants mass in every body that moves */
    sn__free(text);
    sn_model *again = through_mjcf(model);
    assert_int_equal(sn_model_get(again)->nbody, 4);
    assert_alike(model, again);
    int torso = sn_model_find_body(model, "torso"), arm = sn_model_find_body(model, "arm");
    assert_true(sn__model_excluded(model, torso, arm)); /* the last of the chain, which has the shapes */
    assert_int_equal(model->nexclusion, 1);
    assert_same_touch(model, again, false);
    sn_model_free(model);
    sn_model_free(again);
}

/* A step has no shapes, and is not a body of its own in MJCF; a body called world gets another name there. */
TEST(exclusions_of_steps_and_of_a_body_called_world_can_be_written) {
    sn_builder *builder = sn_builder_create();
    add(builder, "world", NULL, SN_JOINT_FREE);
    sn_body_def step = body_with("step", "world", SN_JOINT_HINGE);
    step.mass_given = false;
    sn_builder_add_body(builder, &step);
    sn_body_def limb = body_with("limb", "step", SN_JOINT_HINGE);
    limb.joint.axis[0] = 1, limb.joint.axis[2] = 0;
    sn_builder_add_body(builder, &limb);
    sn_builder_exclude(builder, "world", "step");
    sn_model *model = build_and_free(builder), *again = through_mjcf(model);
    assert_int_equal(again->nexclusion, 0);
    sn_model_free(model);
    sn_model_free(again);

    for (int i = 0; i < 2; i++) { /* the world as the first and as the second of the pair */
        const char *const name[] = {i == 0 ? "world" : "limb", i == 0 ? "limb" : "world"};
        builder = sn_builder_create();
        add(builder, name[0], NULL, SN_JOINT_FREE);
        add(builder, name[1], name[0], SN_JOINT_HINGE);
        sn_builder_exclude(builder, "limb", "world");
        model = build_and_free(builder), again = through_mjcf(model);
        assert_true(sn__model_excluded(again, sn_model_find_body(again, "world_"),
                                       sn_model_find_body(again, "limb")));
        sn_model_free(model);
        sn_model_free(again);
    }
}

/* ------------------------------------------------------------------------------------------------ saving */

TEST(a_saved_model_loads_again) {
    sn_error error;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    static const char *const names[] = {"model_json_saved.json", "model_json_saved.xml"};
    for (int i = 0; i < 2; i++) {
        char path[600];
        const char *folder = getenv("TMPDIR");
        snprintf(path, sizeof path, "%s/%ld_%s", folder ? folder : "/tmp", (long)getpid(), names[i]);
        if (sn_model_save(model, path, &error) != SN_OK) fail_msg("%s", error.message);
        sn_model *again = sn_model_load(path, NULL, &error);
        if (!again) fail_msg("%s", error.message);
        if (i == 0) assert_same_model(model, again);
        assert_alike(model, again);
        sn_model_free(again);
        remove(path);
    }
    assert_int_equal(sn_model_save(model, "model.txt", &error), SN_ERROR_ARGUMENT);
    assert_message_has(&error, ".json or .xml");
    assert_int_equal(sn_model_save(model, "/nowhere/at/all.json", &error), SN_ERROR_FILE);
    assert_message_has(&error, "/nowhere/at/all.json: cannot be written: ");
    assert_int_equal(sn_model_save(NULL, "x.json", &error), SN_ERROR_ARGUMENT);
    sn_model_free(model);
}

int main(void) {
    return run_all("model_json");
}
