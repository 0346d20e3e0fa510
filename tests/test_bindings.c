/* What bindings to other languages ask of the library: reasons for a refusal, definitions read back, values of all copies at
 * once, and copies of copies. */
#include "parse_helpers.h"
#include "base/definition.h"
#include "model_helpers.h"

#include "sinew/dynamics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 37, STEPS = 20 };

/* Humanoids over a plane that stagger, each copy in another way; `boxed`: beside a box, so that the scene has rows. */
static sn_world *staggering(const sn_model *human, const sn_model *box, sn_precision precision, int *member) {
    sn_world_def def = sn_world_def_default();
    def.copies = COPIES, def.precision = precision, def.threads = 2;
    sn_world *world = sn_world_create(&def, NULL);
    assert_non_null(world);
    *member = sn_world_add(world, human, NULL);
    if (box) assert_true(sn_world_add(world, box, NULL) >= 0);
    assert_true(sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, NULL) >= 0);
    const int nq = sn_model_get(human)->nq, nv = sn_model_get(human)->nv;
    double q[64], qd[64] = {0}, kp[64], kd[64];
    assert_true(nq <= 64 && nv <= 64);
    sn_model_home_pose(human, q);
    assert_int_equal(sn_gains_choose(human, NULL, kp, kd, NULL), SN_OK);
    sn_world_set_gains(world, *member, kp, kd);
    sn_world_set_target(world, *member, q, NULL);
    sn_world_stand(world, *member, q);
    for (int i = 0; i < COPIES; i++) {
        qd[0] = 0.1 * i, qd[4] = 0.05 * (i % 7);
        sn_world_set(world, *member, SN_FIELD_Q, i, 1, q);
        sn_world_set(world, *member, SN_FIELD_QD, i, 1, qd);
    }
    for (int i = 0; i < STEPS; i++)
        assert_int_equal(sn_world_step(world), SN_OK);
    return world;
}

/* Four ways: with and without the box, in double and in float. */
static sn_world *staggering_in(int way, const sn_model *human, const sn_model *box, int *member) {
    return staggering(human, way & 1 ? box : NULL, way & 2 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE,
                      member);
}

static sn_model *make_box(void) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_BOX);
    body.name = "box", body.pos[0] = 0.45, body.pos[2] = 0.2;
    body.joint.type = SN_JOINT_FREE;
    shape.size[0] = shape.size[1] = shape.size[2] = 0.2;
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "box", &shape);
    sn_model *box = sn_builder_build(builder, NULL);
    sn_builder_free(builder);
    assert_non_null(box);
    return box;
}

static void assert_says(const sn_world *world, sn_status status, const char *sentence) {
    assert_int_not_equal(status, SN_OK);
    assert_string_equal(sn_world_message(world), sentence);
}

TEST(a_refused_call_says_why) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    int member;
    sn_world *world = staggering(human, NULL, SN_PRECISION_FLOAT, &member);
    const int nq = sn_model_get(human)->nq, nv = sn_model_get(human)->nv;
    float *q = test_calloc(COPIES * 64, sizeof *q);
    double one[64] = {0};
    const uint64_t hash = sn_world_hash(world);
    assert_string_equal(sn_world_message(world), "");
    assert_int_equal(sn_world_take(world, member, SN_FIELD_Q, q), SN_OK);
    q[5 * nq + 12] = NAN;
    q[9 * nq + 1] = NAN;
    assert_says(world, sn_world_put(world, member, SN_FIELD_Q, NULL, q),
                "q of copy 5: value 12 is nan, which is not a number.");
    assert_int_equal(sn_world_take(world, member, SN_FIELD_Q, q), SN_OK);
    for (int i = 3; i < 7; i++)
        q[5 * nq + i] = 0;
    assert_says(world, sn_world_put(world, member, SN_FIELD_Q, NULL, q),
                "q of copy 5 has a quaternion of length zero at value 3 (body 'pelvis').");
    one[nv - 1] = -2;
    assert_says(world, sn_world_set(world, member, SN_FIELD_KP, 7, 1, one),
                "kp of copy 7: value 33 is -2, but it must not be negative.");
    one[nv - 1] = 0, one[1] = 5;
    assert_int_not_equal(sn_world_set_gains(world, member, NULL, (double[64]){-1}), SN_OK);
    assert_string_equal(sn_world_message(world), "kd: value 0 is -1, but it must not be negative.");
    assert_int_not_equal(sn_world_set(world, member, SN_FIELD_KD, 0, 1, one), SN_OK);
    assert_non_null(strstr(sn_world_message(world), "gains_by_axis"));
    assert_says(world, sn_world_set(world, member, SN_FIELD_QDD, 0, 1, one), "qdd can only be read.");
    assert_says(world, sn_world_set(world, member, SN_FIELD_QD, 30, 8, one),
                "Copies 30 to 37 are not all among the world's 37.");
    assert_says(world, sn_world_push(world, member, 99, one, NULL, INFINITY),
                "There is no body 99: the model has 13.");
    assert_says(world, sn_world_set_dt(world, -1), "dt is -1; it must be from 1e-09 to 1000 seconds.");
    assert_int_not_equal(sn_world_set_active(world, 4, true), SN_OK);
    assert_non_null(strstr(sn_world_message(world), "no member"));
    assert_true(sn_world_hash(world) == hash);
    test_free(q);
    sn_world_free(world);
    sn_model_free(human);
}

TEST(definitions_are_read_back) {
    sn_world_def def = sn_world_def_default(), back = sn_world_def_default();
    def.copies = 3, def.dt = 0.004, def.form = SN_FORM_FULL, def.precision = SN_PRECISION_FLOAT,
    def.sleep = 0.1;
    sn_world *world = sn_world_create(&def, NULL);
    back = *sn_world_get_info(world).definition;
    assert_int_equal(back.copies, 3);
    assert_true(back.dt == 0.004 && back.sleep == 0.1);
    assert_int_equal(back.form, SN_FORM_FULL);
    assert_int_equal(back.precision, SN_PRECISION_FLOAT);
    assert_int_equal(back.iterations, 30); /* of the setting */
    sn_world *twin = sn_world_create(&back, NULL);
    const size_t size = sn_world_snapshot(world, NULL, 0);
    void *bytes = test_malloc(size);
    assert_int_equal(sn_world_snapshot(world, bytes, size), size);
    assert_int_equal(sn_world_restore(twin, bytes, size, NULL), SN_OK); /* it is a world of the same kind */
    test_free(bytes);
    sn_world_free(twin);
    sn_world_free(world);
}

TEST(fields_say_what_they_are) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    int member;
    sn_world *world = staggering(human, NULL, SN_PRECISION_DOUBLE, &member);
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const struct sn__field_meaning *info = sn__field_get((sn_field)f);
        const int rows = strcmp(info->rows, "nq") == 0      ? sn_model_get(human)->nq
                         : strcmp(info->rows, "nv") == 0    ? sn_model_get(human)->nv
                         : strcmp(info->rows, "nbody") == 0 ? sn_model_get(human)->nbody
                                                            : atoi(info->rows);
        const int size = sn_world_size(world, member, (sn_field)f);
        if (f != SN_FIELD_TORQUE && f != SN_FIELD_MIDDLE_QD) assert_int_equal(rows * info->columns, size);
        double values[256];
        assert_true(size <= 256);
        if (!size || sn_world_get(world, member, (sn_field)f, 0, 1, values)) continue;
        if (f == SN_FIELD_TORQUE_LIMIT) continue; /* this world has none */
        assert_int_equal(sn_world_set(world, member, (sn_field)f, 0, 1, values) == SN_OK, info->settable);
    }
    assert_string_equal(sn__field_get(SN_FIELD_BODY_POSE)->name, "body_pose");
    assert_int_equal(sn__field_get(SN_FIELD_BODY_POSE)->columns, 7);
    assert_null(sn__field_get(SN_FIELD_COUNT));
    sn_world_free(world);
    sn_model_free(human);
}

/* Every field of all copies three ways: view, take, and copy by copy. */
static void compare_ways(sn_world *world, int member, size_t elem) {
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const size_t size = (size_t)sn_world_size(world, member, (sn_field)f), bytes = size * COPIES * elem;
        if (!size) continue;
        unsigned char *mine = test_calloc(bytes + 64, 1);
        memset(mine + bytes, 0x5a, 64);
        assert_int_equal(sn_world_take(world, member, (sn_field)f, mine), SN_OK);
        for (int i = 0; i < 64; i++)
            assert_int_equal(mine[bytes + (size_t)i], 0x5a); /* nothing beyond the last row */
        assert_memory_equal(mine, sn_world_view(world, member, (sn_field)f), bytes);
        double *one = test_calloc(size, sizeof *one);
        for (int i = 0; i < COPIES; i++) {
            assert_int_equal(sn_world_get(world, member, (sn_field)f, i, 1, one), SN_OK);
            for (size_t k = 0; k < size; k++) {
                const size_t at = (size_t)i * size + k;
                const double took = elem == 4 ? (double)((float *)mine)[at] : ((double *)mine)[at];
                if (f == SN_FIELD_CONTACT_FORCE) /* sums in another order */
                    assert_true(fabs(took - one[k]) <= 1e-4 * (1 + fabs(one[k])));
                else
                    assert_true(took == (elem == 4 ? (double)(float)one[k] : one[k]));
            }
        }
        test_free(one);
        test_free(mine);
    }
}

TEST(taking_a_field_gives_what_its_view_shows) {
    sn_model *human = sn_builtin_create("humanoid", NULL), *box = make_box();
    for (int way = 0; way < 4; way++) {
        int member;
        sn_world *world = staggering_in(way, human, box, &member);
        compare_ways(world, member, way & 2 ? 4 : 8);
        sn_world_free(world);
    }
    sn_model_free(box);
    sn_model_free(human);
}

static void assert_same_copies(sn_world *world, int a, int b) {
    static const sn_field fields[] = {
        SN_FIELD_Q,  SN_FIELD_QD, SN_FIELD_QDD,  SN_FIELD_CONTACT_FORCE, SN_FIELD_GRAVITY,
        SN_FIELD_KP, SN_FIELD_KD, SN_FIELD_PUSH, SN_FIELD_PHASE,         SN_FIELD_MASS_SCALE};
    for (int m = 0; m < sn_world_get_info(world).members; m++)
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            double x[256], y[256];
            const int n = sn_world_size(world, m, fields[f]);
            assert_true(n <= 256);
            assert_int_equal(sn_world_get(world, m, fields[f], a, 1, x), SN_OK);
            assert_int_equal(sn_world_get(world, m, fields[f], b, 1, y), SN_OK);
            assert_memory_equal(x, y, sizeof *x * (size_t)n);
        }
}

TEST(a_copied_copy_continues_with_the_same_bits) {
    sn_model *human = sn_builtin_create("humanoid", NULL), *box = make_box();
    for (int way = 0; way < 4; way++) {
        int member;
        sn_world *world = staggering_in(way, human, box, &member);
        sn_world *twin = staggering_in(way, human, box, &member);
        uint8_t which[COPIES] = {0};
        const double heavy = 1.5, down[3] = {0.3, 0, -8};
        for (int i = 0; i < COPIES; i += 5)
            which[i] = 1;
        for (int i = 0; i < 2; i++) { /* what only this copy has */
            sn_world *w = i ? twin : world;
            sn_world_set(w, member, SN_FIELD_MASS_SCALE, 3, 1, &heavy);
            sn_world_set(w, member, SN_FIELD_GRAVITY, 3, 1, down);
            for (int k = 0; k < STEPS; k++)
                assert_int_equal(sn_world_step(w), SN_OK);
        }
        assert_int_equal(sn_world_copy(world, 3, which), SN_OK);
        for (int k = 0; k < 3 * STEPS; k++) {
            assert_int_equal(sn_world_step(world), SN_OK);
            assert_int_equal(sn_world_step(twin), SN_OK);
        }
        for (int i = 0; i < COPIES; i++) {
            double x[64], y[64];
            if (which[i]) assert_same_copies(world, 3, i);
            sn_world_get(world, member, SN_FIELD_Q, i, 1, x); /* the others have heard nothing of it */
            sn_world_get(twin, member, SN_FIELD_Q, i, 1, y);
            const bool same = memcmp(x, y, sizeof *x * (size_t)sn_model_get(human)->nq) == 0;
            assert_int_equal(same, !which[i]);
        }
        assert_int_not_equal(sn_world_copy(world, COPIES, NULL), SN_OK);
        assert_int_equal(sn_world_copy(world, 1, NULL), SN_OK);
        for (int i = 0; i < COPIES; i++)
            assert_same_copies(world, 1, i);
        sn_world_free(world);
        sn_world_free(twin);
    }
    sn_model_free(box);
    sn_model_free(human);
}

TEST(contacts_of_all_copies_are_those_of_each) {
    sn_model *human = sn_builtin_create("humanoid", NULL), *box = make_box();
    int member, n, sum = 0;
    sn_world *world = staggering(human, box, SN_PRECISION_DOUBLE, &member);
    const sn_contact *c = sn_world_contacts(world, -1, &n);
    assert_true(n > COPIES);
    sn_contact *all = test_calloc((size_t)n, sizeof *all);
    memcpy(all, c, sizeof *all * (size_t)n);
    for (int i = 0; i < COPIES; i++) {
        int count;
        c = sn_world_contacts(world, i, &count);
        assert_true(sum + count <= n);
        assert_memory_equal(all + sum, c, sizeof *c * (size_t)count);
        for (int k = 0; k < count; k++)
            assert_int_equal(c[k].copy, i);
        sum += count;
    }
    assert_int_equal(sum, n);
    test_free(all);
    sn_world_free(world);
    sn_model_free(box);
    sn_model_free(human);
}

TEST(gains_of_all_copies_at_once_are_those_of_each) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    const size_t nv = (size_t)sn_model_get(human)->nv;
    for (int way = 0; way < 2; way++) {
        int member;
        sn_world *one = staggering(human, NULL, way ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE, &member);
        sn_world *all = staggering(human, NULL, way ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE, &member);
        static const sn_field fields[] = {SN_FIELD_KP, SN_FIELD_KD, SN_FIELD_ARMATURE};
        for (int f = 0; f < 3; f++) {
            double *rows = test_calloc(COPIES * nv, sizeof *rows);
            float *narrow = test_calloc(COPIES * nv, sizeof *narrow);
            assert_int_equal(sn_world_get(one, member, fields[f], 0, COPIES, rows), SN_OK);
            for (size_t i = 0; i < COPIES * nv; i++) {
                rows[i] *= 1 + 0.01 * (double)(i / nv);
                if (f == 2) rows[i] = 0.001 * (double)(i / nv);
                narrow[i] = (float)rows[i];
            }
            assert_int_equal(sn_world_set(one, member, fields[f], 0, COPIES, rows), SN_OK);
            assert_int_equal(sn_world_put(all, member, fields[f], NULL, way ? (void *)narrow : (void *)rows),
                             SN_OK);
            test_free(narrow);
            test_free(rows);
        }
        for (int i = 0; i < STEPS; i++) {
            assert_int_equal(sn_world_step(one), SN_OK);
            assert_int_equal(sn_world_step(all), SN_OK);
        }
        assert_true(sn_world_hash(one) == sn_world_hash(all));
        sn_world_free(one);
        sn_world_free(all);
    }
    sn_model_free(human);
}

static const char *const ROBOT =
    "<mujoco><worldbody><body name='base'><freejoint name='root'/><geom type='sphere' size='.1'/>"
    "<body name='arm' pos='0 0 .2'><joint name='shoulder' type='hinge' axis='0 1 0'/>"
    "<joint name='elbow' type='hinge' axis='1 0 0'/><geom type='capsule' size='.03 .1'/></body></body>"
    "</worldbody></mujoco>";

TEST(joint_names_survive_files_and_texts) {
    sn_error error;
    sn_model *robot = model_from(ROBOT, strlen(ROBOT), "robot.xml", NULL, &error);
    assert_non_null(robot);
    const size_t size = sn_model_write(robot, NULL, 0);
    char *text = test_calloc(size + 1, 1);
    assert_int_equal(sn_model_write(robot, text, size + 1), size);
    assert_int_equal(strlen(text), size);
    sn_model *again = model_from(text, size, "robot.json", NULL, &error);
    assert_non_null(again);
    for (int i = 0; i < 2; i++) {
        const sn_model *m = i ? again : robot;
        assert_string_equal(sn_model_body(m, sn_model_find_body(m, "elbow"))->name, "arm");
        assert_string_equal(sn_model_body(m, sn_model_find_body(m, "shoulder"))->name, "arm/shoulder");
        assert_string_equal(sn_model_body(m, 0)->joint.name, "root");
        assert_int_equal(sn_model_find_body(m, "knee"), -1);
        assert_int_equal(sn_model_find_body(m, ""), -1);
    }
    char *twice = test_calloc(size + 1, 1);
    assert_int_equal(sn_model_write(again, twice, size + 1), size);
    assert_string_equal(text, twice);
    assert_int_equal(sn_model_write(again, twice, 10), size);
    assert_int_equal(strlen(twice), 9);
    test_free(twice);
    test_free(text);
    sn_model_free(again);
    sn_model_free(robot);
}

TEST(many_poses_are_each_of_them) {
    sn_model *human = sn_builtin_create("humanoid", NULL);
    sn_motion *walk = sn_builtin_motion_create("walk", human, NULL);
    const size_t nq = (size_t)sn_model_get(human)->nq, nv = (size_t)sn_model_get(human)->nv;
    enum { TIMES = 9 };
    double time[TIMES], q[TIMES * 64], qd[TIMES * 64], dv[TIMES * 64], moved[TIMES * 64], x[64], y[64];
    for (int i = 0; i < TIMES; i++)
        time[i] = 0.37 * i - 0.5;
    sn_motion_sample_many(walk, TIMES, time, q, qd);
    sn_model_pose_add(human, TIMES, q, qd, moved);
    sn_model_pose_subtract(human, TIMES, moved, q, dv);
    for (size_t i = 0; i < TIMES; i++) {
        sn_motion_sample(walk, time[i], x, y);
        assert_memory_equal(x, q + i * nq, nq * sizeof *x);
        assert_memory_equal(y, qd + i * nv, nv * sizeof *x);
        sn_model_pose_add(human, 1, q + i * nq, qd + i * nv, x);
        assert_memory_equal(x, moved + i * nq, nq * sizeof *x);
        sn_model_pose_subtract(human, 1, moved + i * nq, q + i * nq, x);
        assert_memory_equal(x, dv + i * nv, nv * sizeof *x);
    }
    sn_motion_free(walk);
    sn_model_free(human);
}

enum { STATES = 11 };

/* States of a dog, and what is asked about them. */
struct inquiry {
    size_t nq, nv, nbody;
    double *q, *qd, *qdd, *tau, *back, *push, *pose, *velocity, *J, *M;
    sn_summary summary[STATES];
};

static const double AT[3] = {0.1, 0, 0.2}; /* a point of body 3 */

static void ask(sn_dynamics *d, const struct inquiry *a, sn_summary *summary) {
    assert_int_equal(sn_dynamics_bodies(d, a->q, a->qd, a->pose, a->velocity, NULL), SN_OK);
    assert_int_equal(sn_dynamics_bodies(d, a->q, a->qd, NULL, NULL, summary), SN_OK);
    assert_int_equal(sn_dynamics_jacobian(d, a->q, 3, AT, a->J), SN_OK);
    assert_int_equal(sn_dynamics_mass_matrix(d, a->q, a->M), SN_OK);
    assert_int_equal(sn_dynamics_inverse(d, a->q, a->qd, a->push, a->qdd, a->tau), SN_OK);
    assert_int_equal(sn_dynamics_forward(d, a->q, a->qd, a->push, a->tau, a->back), SN_OK);
}

static void make_inquiry(struct inquiry *a, const sn_model *model, int states) {
    *a = (struct inquiry){.nq = (size_t)sn_model_get(model)->nq,
                          .nv = (size_t)sn_model_get(model)->nv,
                          .nbody = (size_t)sn_model_get(model)->nbody};
    double **const array[] = {&a->q,    &a->qd,   &a->qdd,      &a->tau, &a->back,
                              &a->push, &a->pose, &a->velocity, &a->J,   &a->M};
    const size_t size[] = {a->nq,        a->nv,        a->nv,        a->nv,     a->nv,
                           6 * a->nbody, 7 * a->nbody, 6 * a->nbody, 6 * a->nv, a->nv * a->nv};
    for (int i = 0; i < 10; i++)
        *array[i] = test_calloc((size_t)states * size[i], sizeof **array[i]);
}

static void free_inquiry(struct inquiry *a) {
    double *const array[] = {a->q, a->qd, a->qdd, a->tau, a->back, a->push, a->pose, a->velocity, a->J, a->M};
    for (int i = 0; i < 10; i++)
        test_free(array[i]);
}

/* State i alone gives the bits that it has among the others. */
static void compare_alone(sn_dynamics *one, const sn_model *model, const struct inquiry *all, size_t i) {
    struct inquiry a;
    const size_t nq = all->nq, nv = all->nv, nbody = all->nbody;
    make_inquiry(&a, model, 1);
    memcpy(a.q, all->q + i * nq, nq * sizeof *a.q);
    memcpy(a.qd, all->qd + i * nv, nv * sizeof *a.q);
    memcpy(a.qdd, all->qdd + i * nv, nv * sizeof *a.q);
    memcpy(a.push, all->push + i * 6 * nbody, 6 * nbody * sizeof *a.q);
    ask(one, &a, a.summary);
    assert_memory_equal(a.pose, all->pose + i * 7 * nbody, 7 * nbody * sizeof *a.q);
    assert_memory_equal(a.velocity, all->velocity + i * 6 * nbody, 6 * nbody * sizeof *a.q);
    assert_memory_equal(a.summary, &all->summary[i], sizeof *a.summary);
    assert_memory_equal(a.J, all->J + i * 6 * nv, 6 * nv * sizeof *a.q);
    assert_memory_equal(a.M, all->M + i * nv * nv, nv * nv * sizeof *a.q);
    assert_memory_equal(a.tau, all->tau + i * nv, nv * sizeof *a.q);
    assert_memory_equal(a.back, all->back + i * nv, nv * sizeof *a.q);
    free_inquiry(&a);
}

TEST(questions_about_many_states_are_those_about_each) {
    sn_model *dog = sn_builtin_create("dog", NULL);
    sn_motion *trot = sn_builtin_motion_create("trot", dog, NULL);
    for (int precision = 0; precision < 2; precision++) {
        struct inquiry a;
        double time[STATES];
        sn_dynamics_def def = sn_dynamics_def_default();
        def.precision = (sn_precision)precision;
        sn_dynamics *one = sn_dynamics_create(dog, &def, NULL);
        def.count = STATES;
        sn_dynamics *all = sn_dynamics_create(dog, &def, NULL);
        make_inquiry(&a, dog, STATES);
        for (int i = 0; i < STATES; i++)
            time[i] = 0.09 * i;
        sn_motion_sample_many(trot, STATES, time, a.q, a.qd);
        for (size_t i = 0; i < STATES * a.nv; i++)
            a.qdd[i] = (double)(i % 13) - 6;
        for (size_t i = 0; i < STATES * 6 * a.nbody; i++)
            a.push[i] = (double)(i % 7);
        ask(all, &a, a.summary);
        for (size_t i = 0; i < STATES; i++)
            compare_alone(one, dog, &a, i);
        for (size_t i = 0; i < STATES * a.nv; i++) /* the way back is another algorithm */
            assert_true(fabs(a.back[i] - a.qdd[i]) < (precision ? 0.5 : 1e-8));
        a.q[4 * a.nq] = NAN;
        assert_int_not_equal(sn_dynamics_bodies(all, a.q, a.qd, a.pose, NULL, NULL), SN_OK);
        free_inquiry(&a);
        sn_dynamics_free(one);
        sn_dynamics_free(all);
    }
    sn_motion_free(trot);
    sn_model_free(dog);
}

int main(void) {
    return run_all("bindings");
}
