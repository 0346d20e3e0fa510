/* Casts, overlaps and contacts from many threads at once; many rays in one call. `make tsan` runs this, too. */
#include <pthread.h>
#include <string.h>

#include "world_helpers.h"

enum { RAYS = 64, THREADS = 4 };

static sn_world *make_scene(int copies, sn_precision precision, const sn_model *human, const sn_model *box) {
    sn_world_def def = sn_world_def_default();
    def.copies = copies, def.precision = precision, def.dt = 1.0 / 120;
    sn_world *w = world_of(&def);
    floor_of(w, NULL);
    member_of(w, human);
    for (int i = 0; box && i < 4; i++)
        put_body(w, member_of(w, box), (const double[3]){0.5 * i - 1, 0.1, 0.5 + 0.2 * i}, NULL, NULL);
    for (int i = 0; i < (FAST ? 10 : 30); i++)
        step_world(w);
    return w;
}

static void make_rays(sn_ray *ray, int n, uint32_t seed) {
    struct rng rng = {seed};
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            ray[i].origin[k] = uniform(&rng, -2, 2);
        ray[i].origin[2] += 2.5;
        for (int k = 0; k < 3; k++) /* most of them at the humanoid */
            ray[i].way[k] = uniform(&rng, -0.5, 0.5) + 1.5 * ((k == 2) - ray[i].origin[k]);
        ray[i].mask = i % 7 == 3 ? 0 : UINT32_MAX;
    }
}

/* All that one may ask between steps; where bits are compared, structures are zero between their members. */
struct answers {
    sn_hit ray[RAYS], rays[RAYS], shape, overlap[8];
    bool met[RAYS], shape_met;
    int met_rays, overlaps, contacts;
    sn_contact contact[64];
    double q[64];
};

static void ask(const sn_world *w, int copy, const sn_ray *ray, struct answers *a) {
    memset(a, 0, sizeof *a);
    for (int i = 0; i < RAYS; i++)
        a->met[i] = sn_world_cast_ray(w, copy, ray[i].origin, ray[i].way, ray[i].mask, &a->ray[i]);
    a->met_rays = sn_world_cast_rays(w, copy, RAYS, ray, a->rays);
    const sn_shape_def ball = sphere_of(0.3, 1);
    const double from[3] = {0.1, 0.1, 4}, way[3] = {0, 0, -6}, chest[3] = {0, 0, 1};
    a->shape_met = sn_world_cast_shape(w, copy, &ball, from, NULL, way, 1, &a->shape);
    a->overlaps = sn_world_overlap(w, copy, &ball, chest, NULL, UINT32_MAX, a->overlap, COUNT(a->overlap));
    const sn_contact *contact = sn_world_contacts(w, copy, &a->contacts);
    for (int i = 0; i < a->contacts && i < COUNT(a->contact); i++)
        a->contact[i] = contact[i];
    sn_model_zero_pose(sn_world_model(w, 0), a->q);
    assert_int_equal(sn_world_stand(w, 0, a->q), SN_OK);
}

static void assert_hits_equal(const sn_hit *a, const sn_hit *b) {
    assert_true(a->t == b->t);
    assert_int_equal(a->member, b->member);
    assert_int_equal(a->body, b->body);
    assert_int_equal(a->shape, b->shape);
    assert_memory_equal(a->pos, b->pos, sizeof a->pos);
    assert_memory_equal(a->normal, b->normal, sizeof a->normal);
}

static void assert_same_answers(const struct answers *a, const struct answers *b) {
    for (int i = 0; i < RAYS; i++) {
        assert_int_equal(a->met[i], b->met[i]);
        assert_hits_equal(&a->ray[i], &b->ray[i]);
        assert_hits_equal(&a->rays[i], &b->rays[i]);
    }
    assert_int_equal(a->met_rays, b->met_rays);
    assert_true(a->shape_met && b->shape_met);
    assert_hits_equal(&a->shape, &b->shape);
    assert_int_equal(a->overlaps, b->overlaps);
    for (int i = 0; i < a->overlaps && i < COUNT(a->overlap); i++)
        assert_hits_equal(&a->overlap[i], &b->overlap[i]);
    assert_int_equal(a->contacts, b->contacts);
    for (int i = 0; i < a->contacts && i < COUNT(a->contact); i++) {
        assert_memory_equal(a->contact[i].force, b->contact[i].force, sizeof a->contact[i].force);
        assert_memory_equal(a->contact[i].pos, b->contact[i].pos, sizeof a->contact[i].pos);
        assert_int_equal(a->contact[i].phase, b->contact[i].phase);
    }
    assert_memory_equal(a->q, b->q, sizeof a->q);
}

struct asker {
    const sn_world *w;
    const sn_ray *ray;
    int copies, rounds, first;
    struct answers *answers; /* [copies] */
};

static void *ask_often(void *user) {
    const struct asker *a = user;
    for (int i = 0; i < a->rounds * a->copies; i++)
        ask(a->w, (a->first + i) % a->copies, a->ray, &a->answers[(a->first + i) % a->copies]);
    return NULL;
}

static void ask_from_threads(int copies, sn_precision precision, bool boxes) {
    const sn_shape_def shape = box_of(0.2, 0.2, 0.2, 1);
    sn_model *human = sn_builtin_create("humanoid", NULL), *box = free_body(&shape);
    sn_world *w = make_scene(copies, precision, human, boxes ? box : NULL);
    sn_ray ray[RAYS];
    make_rays(ray, RAYS, 5);
    for (int round = 0; round < 3; round++) { /* steps between them */
        struct answers *alone = malloc(sizeof *alone * (size_t)copies), *all[THREADS];
        struct asker asker[THREADS];
        pthread_t thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            all[t] = malloc(sizeof *alone * (size_t)copies);
            asker[t] = (struct asker){w, ray, copies, FAST ? 1 : 4, t, all[t]};
            assert_int_equal(pthread_create(&thread[t], NULL, ask_often, &asker[t]), 0);
        }
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(thread[t], NULL), 0);
        for (int copy = 0; copy < copies; copy++) {
            ask(w, copy, ray, &alone[copy]);
            assert_true(alone[copy].contacts > 0);
            for (int t = 0; t < THREADS; t++)
                assert_same_answers(&all[t][copy], &alone[copy]);
        }
        for (int t = 0; t < THREADS; t++)
            free(all[t]);
        free(alone);
        step_world(w);
    }
    sn_world_free(w);
    sn_model_free(human);
    sn_model_free(box);
}

TEST(many_threads_may_ask_a_world_between_steps) {
    ask_from_threads(1, SN_PRECISION_DOUBLE, true);
    ask_from_threads(3, SN_PRECISION_FLOAT, true);
    ask_from_threads(9, SN_PRECISION_DOUBLE, false); /* copies side by side in lanes */
}

TEST(many_rays_in_one_call_meet_what_each_meets_alone) {
    const sn_shape_def shape = box_of(0.2, 0.2, 0.2, 1);
    sn_model *human = sn_builtin_create("humanoid", NULL), *box = free_body(&shape);
    sn_world *w = make_scene(2, SN_PRECISION_DOUBLE, human, box);
    enum { MANY = 1000 };
    static sn_ray ray[MANY];
    static sn_hit hit[MANY];
    make_rays(ray, MANY, 9);
    ray[17].way[1] = NAN, ray[18].origin[2] = INFINITY;
    int met = 0, bodies = 0;
    assert_true(sn_world_cast_rays(w, 1, MANY, ray, hit) > 100);
    for (int i = 0; i < MANY; i++) {
        sn_hit one = {0};
        const bool found = sn_world_cast_ray(w, 1, ray[i].origin, ray[i].way, ray[i].mask, &one);
        met += found, bodies += found && one.member >= 0;
        if (found)
            assert_hits_equal(&hit[i], &one);
        else
            assert_true(hit[i].t == 2 && hit[i].member == -2);
    }
    assert_int_equal(sn_world_cast_rays(w, 1, MANY, ray, hit), met);
    assert_true(bodies > 20);
    assert_int_equal(sn_world_cast_rays(w, 2, MANY, ray, hit), 0);
    assert_int_equal(sn_world_cast_rays(w, 0, 0, ray, hit), 0);
    sn_world_free(w);
    sn_model_free(human);
    sn_model_free(box);
}

int main(void) {
    return run_all("engine queries");
}
