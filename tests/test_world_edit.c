/* Members and ground come and go at any time: numbers stay, what belonged to the removed goes with them, and nothing
   else notices. */
#include "world_helpers.h"

static const double turn[4] = {1, 0, 0, 0};

static sn_model *ball_model(void) {
    const sn_shape_def ball = sphere_of(0.1, 1);
    return free_body(&ball);
}

static sn_model *box_model(void) {
    const sn_shape_def box = box_of(0.1, 0.1, 0.1, 1);
    return free_body(&box);
}

static int drop(sn_world *world, const sn_model *model, double x, double y, double z) {
    const int member = member_of(world, model);
    put_body(world, member, (const double[3]){x, y, z}, NULL, NULL);
    return member;
}

static const sn_contact_method method[] = {SN_CONTACT_IMPLICIT, SN_CONTACT_ROWS};

/* Runs a check with each method, on a model that is freed afterwards. */
static void with_each_method(sn_model *model, void (*check)(const sn_world_def *def, const sn_model *model)) {
    for (int k = 0; k < COUNT(method); k++) {
        sn_world_def def = sn_world_def_default();
        def.contact = method[k];
        check(&def, model);
    }
    sn_model_free(model);
}

/* A test with every method of contact; the model that the expression makes goes by that name. */
#define TEST_EACH_METHOD(sentence, model, expression)                                                        \
    static void sentence##_by(const sn_world_def *def, const sn_model *model);                               \
    TEST(sentence) {                                                                                         \
        with_each_method(expression, sentence##_by);                                                         \
    }                                                                                                        \
    static void sentence##_by(const sn_world_def *def, const sn_model *model)

/* -------------------------------------------------------------------------------------------------- numbers */

TEST(numbers_of_members_stay_when_others_are_removed) {
    sn_model *ball = ball_model(), *box = box_model();
    const sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    int number[6];
    double q[7], before[7];
    for (int i = 0; i < COUNT(number); i++) {
        number[i] = drop(world, i % 2 ? box : ball, 0.5 * i, 0, 0.5 + 0.1 * i);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(number[k], number[i]);
    }
    step_world(world);
    sn_world_get_state(world, number[3], before, NULL);
    assert_int_equal(sn_world_remove(world, number[1]), SN_OK);
    assert_int_equal(sn_world_remove(world, number[4]), SN_OK);
    sn_world_get_state(world, number[3], q, NULL);
    assert_memory_equal(q, before, sizeof q);
    for (int i = 0; i < COUNT(number); i++) {
        const bool there = i != 1 && i != 4;
        assert_ptr_equal(sn_world_model(world, number[i]), there ? (i % 2 ? box : ball) : NULL);
        assert_true(!there || number[i] < sn_world_get_info(world).members);
        assert_int_equal(sn_world_get_state(world, number[i], q, NULL), there ? SN_OK : SN_ERROR_ARGUMENT);
    }
    assert_int_equal(sn_world_remove(world, number[1]), SN_ERROR_ARGUMENT);
    const int fresh = drop(world, box, 0, 3, 1); /* it may have a number that is free again */
    for (int i = 0; i < COUNT(number); i++)
        assert_true(fresh != number[i] || i == 1 || i == 4);
    assert_ptr_equal(sn_world_model(world, fresh), box);
    step_world(world);
    sn_world_free(world);
    sn_model_free(ball);
    sn_model_free(box);
}

TEST(a_new_member_starts_afresh_under_an_old_number) {
    sn_model *ball = ball_model(), *human = sn_builtin_create("humanoid", NULL);
    const sn_world_def def = sn_world_def_default();
    sn_world *world = world_of(&def);
    const double force[3] = {1, 2, 3}, twice = 2, up[3] = {0, 0, 5};
    const int old = drop(world, ball, 0, 0, 5);
    assert_int_equal(sn_world_push(world, old, 0, force, NULL, INFINITY), SN_OK);
    assert_int_equal(sn_world_set(world, old, SN_FIELD_MASS_SCALE, 0, 1, &twice), SN_OK);
    assert_int_equal(sn_world_set(world, old, SN_FIELD_GRAVITY, 0, 1, up), SN_OK);
    assert_int_equal(sn_world_set_active(world, old, false), SN_OK);
    step_world(world);
    assert_int_equal(sn_world_remove(world, old), SN_OK);
    for (int kind = 0; kind < 2; kind++) { /* the same model; another one */
        sn_model *model = kind ? human : ball;
        const int fresh = member_of(world, model), nv = sn_model_get(model)->nv;
        double q[MAX_NQ], qd[MAX_NV], zero[MAX_NV] = {0}, expected[MAX_NQ];
        double push[6 * MAX_NV], scale, gravity[3];
        sn_model_zero_pose(model, expected);
        assert_int_equal(sn_world_get_state(world, fresh, q, qd), SN_OK);
        assert_memory_equal(q, expected, sizeof *q * (size_t)sn_model_get(model)->nq);
        assert_memory_equal(qd, zero, sizeof *qd * (size_t)nv);
        assert_int_equal(sn_world_get(world, fresh, SN_FIELD_PUSH, 0, 1, push), SN_OK);
        assert_true(norm(push, 6 * sn_model_get(model)->nbody) == 0);
        assert_int_equal(sn_world_get(world, fresh, SN_FIELD_MASS_SCALE, 0, 1, &scale), SN_OK);
        assert_true(scale == 1);
        assert_int_equal(sn_world_get(world, fresh, SN_FIELD_GRAVITY, 0, 1, gravity), SN_OK);
        assert_memory_equal(gravity, def.gravity, sizeof gravity);
        step_world(world);
        sn_world_get_state(world, fresh, q, qd);
        assert_near(qd[2], -9.81 * def.dt, 1e-9); /* active, and falls */
        assert_int_equal(sn_world_remove(world, fresh), SN_OK);
    }
    sn_world_free(world);
    sn_model_free(ball);
    sn_model_free(human);
}

TEST_EACH_METHOD(numbers_of_ground_stay_when_other_ground_is_removed, ball, ball_model()) {
    sn_world *world = world_of(def);
    const sn_shape_def slab = box_of(0.5, 0.5, 0.1, 1);
    const double at[2][3] = {{0, 0, 0.9}, {3, 0, 0.9}};
    const int floor = floor_of(world, NULL);
    const int first = sn_world_add_shape(world, &slab, at[0], turn, NULL);
    const int second = sn_world_add_shape(world, &slab, at[1], turn, NULL);
    const int a = drop(world, ball, 0, 0, 1.1), b = drop(world, ball, 3, 0, 1.1);
    for (int i = 0; i < 60; i++)
        step_world(world);
    assert_int_equal(sn_world_remove_ground(world, first), SN_OK);
    assert_int_equal(sn_world_remove_ground(world, first), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_move(world, first, at[0], turn, NULL, NULL), SN_ERROR_ARGUMENT);
    double q[7];
    bool seen[2] = {false, false};
    for (int i = 0; i < 240; i++) {
        step_world(world);
        int count;
        const sn_contact *c = contacts_of(world, &count);
        for (int j = 0; j < count; j++) {
            assert_int_equal(c[j].member[1], -1);
            assert_int_equal(c[j].body[1], c[j].member[0] == a ? floor : second);
            seen[c[j].member[0] == b] = true;
        }
    }
    assert_true(seen[0] && seen[1]);
    sn_world_get_state(world, a, q, NULL);
    assert_near(q[2], 0.1, 2e-3); /* fell to the floor */
    sn_world_get_state(world, b, q, NULL);
    assert_near(q[2], 1.1, 2e-3); /* still stands */
    assert_int_equal(sn_world_remove_ground(world, floor), SN_OK);
    const int again = sn_world_add_shape(world, &slab, (const double[3]){0, 0, -2}, turn, NULL);
    assert_true(again >= 0 && again != second);
    for (int i = 0; i < 480; i++)
        step_world(world);
    sn_world_get_state(world, a, q, NULL);
    assert_near(q[2], -1.8, 2e-3); /* fell on to the new slab */
    sn_world_free(world);
}

/* ---------------------------------------------------------------------------------- what goes with a member */

TEST_EACH_METHOD(removing_a_member_removes_its_constraints_and_contacts, box, box_model()) {
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    int member[3];
    for (int i = 0; i < 3; i++) /* a stack */
        member[i] = drop(world, box, 0, 0, 0.1 + 0.2 * i);
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    d.stiffness = 10, d.member = member[1], d.target[2] = 0.3;
    const sn_constraint of_middle = sn_world_add_constraint(world, &d, NULL);
    d.member = member[2], d.target[2] = 0.5;
    const sn_constraint of_top = sn_world_add_constraint(world, &d, NULL);
    d = sn_constraint_def_default(SN_CONSTRAINT_PIN);
    d.member = member[2], d.member2 = member[1], d.point[2] = -0.1, d.point2[2] = 0.1;
    const sn_constraint between = sn_world_add_constraint(world, &d, NULL);
    assert_true(of_middle && of_top && between);
    for (int i = 0; i < 120; i++)
        step_world(world);
    double force[6];
    assert_int_equal(constraint_force(world, between, 0, force), 3);
    assert_int_equal(sn_world_remove(world, member[1]), SN_OK);
    assert_int_equal(constraint_force(world, of_middle, 0, force), -1);
    assert_int_equal(constraint_force(world, between, 0, force), -1);
    assert_int_equal(sn_world_remove_constraint(world, between), SN_ERROR_ARGUMENT);
    assert_int_equal(constraint_force(world, of_top, 0, force), 3);
    int count;
    const sn_contact *c = sn_world_contacts(world, 0, &count);
    for (int i = 0; i < count; i++)
        assert_true(c[i].member[0] != member[1] && c[i].member[1] != member[1]);
    assert_int_equal(sn_world_remove_constraint(world, of_top), SN_OK);
    double q[7];
    for (int i = 0; i < 240; i++) {
        step_world(world);
        c = sn_world_contacts(world, 0, &count);
        for (int j = 0; j < count; j++)
            assert_true(c[j].member[0] != member[1] && c[j].member[1] != member[1]);
    }
    sn_world_get_state(world, member[2], q, NULL);
    assert_near(q[2], 0.3, 4e-3); /* the top fell on to the bottom */
    sn_world_free(world);
}

TEST_EACH_METHOD(a_removed_member_leaves_the_others_as_if_it_had_never_been, box, box_model()) {
    sn_world *world = world_of(def), *alone = world_of(def);
    floor_of(world, NULL), floor_of(alone, NULL);
    const int a = drop(world, box, 0, 0, 1), b = drop(world, box, 50, 0, 1);
    const int c = drop(alone, box, 0, 0, 1);
    for (int i = 0; i < 240; i++) {
        if (i == 60) assert_int_equal(sn_world_remove(world, b), SN_OK);
        step_world(world);
        step_world(alone);
    }
    double q[2][7], qd[2][6];
    sn_world_get_state(world, a, q[0], qd[0]);
    sn_world_get_state(alone, c, q[1], qd[1]);
    assert_near_n(q[0], q[1], 7, 1e-4);
    assert_near_n(qd[0], qd[1], 6, 1e-3);
    sn_world_free(world);
    sn_world_free(alone);
}

/* ------------------------------------------------------------------------------------------------ many edits */

TEST(eight_hundred_boxes_can_be_added) {
    enum { N = 800 };
    sn_model *box = box_model();
    sn_world_def def = sn_world_def_default();
    def.max_contacts = 16 * N;
    sn_world *world = world_of(&def);
    floor_of(world, NULL);
    for (int i = 0; i < N; i++)
        assert_int_equal(drop(world, box, 0.4 * (i % 40), 0.4 * (i / 40), 0.1), i);
    for (int i = 0; i < 3; i++)
        step_world(world);
    for (int i = 0; i < N; i++) {
        double q[7];
        assert_int_equal(sn_world_get_state(world, i, q, NULL), SN_OK);
        assert_near(q[2], 0.1, 2e-3);
    }
    for (int i = 0; i < N; i += 2)
        assert_int_equal(sn_world_remove(world, i), SN_OK);
    step_world(world);
    sn_world_free(world);
    sn_model_free(box);
}

enum { MAX_ALIVE = 40, MAX_GROUND = 12, MAX_TIED = 12 };

struct playground {
    sn_world *world;
    const sn_model *model[3];
    int kind[MAX_ALIVE], member[MAX_ALIVE], members;
    int ground[MAX_GROUND], grounds;
    sn_constraint tie[MAX_TIED];
    int owner[MAX_TIED], ties;
};

static int any(struct rng *rng, int n) {
    return (int)uniform(rng, 0, n - 1e-9);
}

static void add_one(struct rng *rng, struct playground *p) {
    if (p->members == MAX_ALIVE) return;
    const int kind = any(rng, 8) ? any(rng, 2) : 2; /* now and then a humanoid */
    const int m = member_of(p->world, p->model[kind]);
    double q[MAX_NQ];
    sn_model_zero_pose(p->model[kind], q);
    q[0] = uniform(rng, -1.5, 1.5), q[1] = uniform(rng, -1.5, 1.5), q[2] = uniform(rng, 1, 3);
    assert_int_equal(sn_world_set_state(p->world, m, q, NULL), SN_OK);
    assert_int_equal(sn_world_set_target(p->world, m, q, NULL), SN_OK);
    if (kind == 2) uniform_gains(p->world, m, 0, 0, 300, 30);
    for (int i = 0; i < p->members; i++)
        assert_int_not_equal(p->member[i], m);
    p->kind[p->members] = kind, p->member[p->members++] = m;
}

static void remove_one(struct rng *rng, struct playground *p) {
    if (!p->members) return;
    const int i = any(rng, p->members), m = p->member[i];
    assert_int_equal(sn_world_remove(p->world, m), SN_OK);
    p->members--;
    p->member[i] = p->member[p->members], p->kind[i] = p->kind[p->members];
    for (int k = 0; k < p->ties;) { /* its constraints are gone, too */
        double force[6];
        if (p->owner[k] != m) {
            assert_true(constraint_force(p->world, p->tie[k], 0, force) >= 0);
            k++;
            continue;
        }
        assert_int_equal(constraint_force(p->world, p->tie[k], 0, force), -1);
        p->ties--;
        p->tie[k] = p->tie[p->ties], p->owner[k] = p->owner[p->ties];
    }
}

static void edit_ground(struct rng *rng, struct playground *p) {
    if (p->grounds && (p->grounds == MAX_GROUND || any(rng, 2))) {
        const int i = any(rng, p->grounds);
        assert_int_equal(sn_world_remove_ground(p->world, p->ground[i]), SN_OK);
        p->ground[i] = p->ground[--p->grounds];
        return;
    }
    const sn_shape_def shape = any(rng, 2) ? sphere_of(0.3, 1) : box_of(0.3, 0.2, 0.1, 1);
    const double pos[3] = {uniform(rng, -1.5, 1.5), uniform(rng, -1.5, 1.5), uniform(rng, 0, 0.3)};
    const double hills[9] = {-0.1, 0, 0.1, 0, 0.1, 0, -0.1, 0, 0};
    const sn_heightfield_def field = {sizeof(sn_heightfield_def),  3,    3, {2, 2},
                                      {pos[0] - 1, pos[1] - 1, 0}, hills};
    const int number = any(rng, 4) ? sn_world_add_shape(p->world, &shape, pos, turn, NULL)
                                   : sn_world_add_heightfield(p->world, &field, NULL, NULL);
    assert_true(number >= 0);
    for (int i = 0; i < p->grounds; i++)
        assert_int_not_equal(p->ground[i], number);
    p->ground[p->grounds++] = number;
}

static void edit_tie(struct rng *rng, struct playground *p) {
    if (p->ties && (p->ties == MAX_TIED || any(rng, 2))) {
        const int i = any(rng, p->ties);
        assert_int_equal(sn_world_remove_constraint(p->world, p->tie[i]), SN_OK);
        p->ties--;
        p->tie[i] = p->tie[p->ties], p->owner[i] = p->owner[p->ties];
        return;
    }
    if (!p->members) return;
    sn_constraint_def d = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    d.member = p->member[any(rng, p->members)];
    d.stiffness = 50, d.damping = 5, d.target[2] = 1;
    p->owner[p->ties] = d.member;
    p->tie[p->ties] = sn_world_add_constraint(p->world, &d, NULL);
    assert_true(p->tie[p->ties++] != 0);
}

/* What the world tells agrees with what was done to it. */
static void assert_consistent(const struct playground *p) {
    const int count = sn_world_get_info(p->world).members;
    int there = 0, ncontact;
    for (int i = 0; i < count; i++)
        there += sn_world_member(p->world, i) >= 0;
    assert_int_equal(there, p->members);
    assert_int_equal(sn_world_member(p->world, count), -1);
    for (int i = 0; i < p->members; i++) {
        double q[MAX_NQ], qd[MAX_NV];
        const sn_model *model = p->model[p->kind[i]];
        assert_ptr_equal(sn_world_model(p->world, p->member[i]), model);
        assert_int_equal(sn_world_get_state(p->world, p->member[i], q, qd), SN_OK);
        assert_true(isfinite(norm(q, sn_model_get(model)->nq)) && isfinite(norm(qd, sn_model_get(model)->nv)));
    }
    const sn_contact *c = sn_world_contacts(p->world, 0, &ncontact);
    for (int i = 0; i < ncontact; i++)
        for (int s = 0; s < 2; s++)
            if (c[i].member[s] >= 0) assert_non_null(sn_world_model(p->world, c[i].member[s]));
    const double from[3] = {0, 0, 10}, way[3] = {0, 0, -20};
    sn_hit hit;
    assert_true(sn_world_cast_ray(p->world, 0, from, way, UINT32_MAX, &hit)); /* there is a floor */
    assert_true(hit.t > 0 && hit.t <= 0.5 + 1e-9);
    if (hit.member >= 0) assert_non_null(sn_world_model(p->world, hit.member));
}

static void switch_one(struct rng *rng, struct playground *p) {
    if (!p->members) return;
    const int member = p->member[any(rng, p->members)];
    assert_int_equal(sn_world_set_active(p->world, member, any(rng, 3)), SN_OK);
}

TEST(a_thousand_random_edits_break_nothing) {
    const sn_shape_def ball = sphere_of(0.1, 1), box = box_of(0.1, 0.15, 0.1, 1);
    sn_model *model[3] = {free_body(&ball), free_body(&box), sn_builtin_create("humanoid", NULL)};
    for (int k = 0; k < COUNT(method); k++) {
        struct rng rng = {(uint64_t)(17 + k)};
        sn_world_def def = sn_world_def_default();
        def.contact = method[k], def.iterations = 30;
        struct playground p = {.world = world_of(&def), .model = {model[0], model[1], model[2]}};
        floor_of(p.world, NULL);
        for (int i = 0; i < (FAST ? 200 : 1000); i++) {
            static void (*const edit[6])(struct rng *, struct playground *) = {
                add_one, add_one, remove_one, edit_ground, edit_tie, switch_one};
            edit[any(&rng, 6)](&rng, &p);
            if (i % 10 == 0) assert_consistent(&p);
            if (any(&rng, 3)) step_world(p.world);
            if (i % 10 == 5) assert_consistent(&p);
        }
        while (p.members)
            remove_one(&rng, &p);
        step_world(p.world);
        assert_consistent(&p);
        sn_world_free(p.world);
    }
    for (int i = 0; i < 3; i++)
        sn_model_free(model[i]);
}

int main(void) {
    return run_all("world edit");
}
