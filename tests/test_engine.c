/* What engines ask for: their threads, memory and log; their data on members, bodies, shapes and ground; time by part. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "refused_memory.h"
#include "engine_helpers.h"

/* ----------------------------------------------------------------------------------------------------- scenes */

/* A humanoid held in a pose falls among boxes that are stacked apart, so that there are several islands. */
static sn_world *make_scene(const sn_world_def *def, struct models m) {
    sn_world *w = world_of(def);
    floor_of(w, NULL);
    for (int i = 0; i < 2; i++)
        add_held(w, m.human, 3 * i, 0.1);
    for (int i = 0; i < 6; i++)
        put_body(w, member_of(w, m.box),
                 (const double[3]){0.2 + 3 * (i % 3), 0.1 * (i % 2), 1.9 + 0.4 * (i / 3)}, NULL, NULL);
    return w;
}

static uint64_t hash_after(const sn_world_def *def, struct models m, int steps) {
    sn_world *w = make_scene(def, m);
    for (int i = 0; i < steps; i++)
        step_world(w);
    const uint64_t hash = sn_world_hash(w);
    sn_world_free(w);
    return hash;
}

/* ------------------------------------------------------------------------------------------------------- jobs */

struct task {
    void (*run)(void *context, int index);
    void *context;
    int index;
};

static void *start_task(void *argument) {
    const struct task *t = argument;
    t->run(t->context, t->index);
    return NULL;
}

/* A job system of four lines: a thread for each task. */
static void run_on_threads(void *user, void (*task)(void *context, int index), void *context, int count) {
    pthread_t thread[8];
    struct task t[8];
    atomic_fetch_add((atomic_int *)user, count);
    for (int i = 0; i < count; i++)
        t[i] = (struct task){task, context, i}, pthread_create(&thread[i], NULL, start_task, &t[i]);
    for (int i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

/* Another one: the caller alone, and backwards. */
static void run_backwards(void *user, void (*task)(void *context, int index), void *context, int count) {
    atomic_fetch_add((atomic_int *)user, count);
    for (int i = count - 1; i >= 0; i--)
        task(context, i);
}

static void assert_jobs_change_no_bit(int copies, sn_precision precision) {
    struct models m = make_models(0.15);
    sn_world_def def = sn_world_def_default();
    def.copies = copies, def.precision = precision, def.dt = 1.0 / 120;
    const uint64_t alone = hash_after(&def, m, 60);
    def.threads = 3;
    assert_true(hash_after(&def, m, 60) == alone);
    def.threads = 1;
    atomic_int tasks = 0;
    sn_jobs jobs = {&tasks, 4, run_on_threads};
    def.jobs = &jobs;
    assert_true(hash_after(&def, m, 60) == alone);
    assert_true(tasks >= 60);
    atomic_store(&tasks, 0);
    jobs.threads = 7, jobs.run = run_backwards;
    assert_true(hash_after(&def, m, 60) == alone);
    assert_true(tasks >= 60);
    free_scene(NULL, m);
}

TEST(a_job_system_of_the_caller_gives_the_bits_of_any_number_of_threads) {
    assert_jobs_change_no_bit(1, SN_PRECISION_DOUBLE);
    assert_jobs_change_no_bit(1, SN_PRECISION_FLOAT);
    assert_jobs_change_no_bit(5, SN_PRECISION_DOUBLE);
}

TEST(a_world_on_a_job_system_starts_no_threads) {
    sn_world_def def = sn_world_def_default();
    atomic_int tasks = 0;
    sn_jobs jobs = {&tasks, 4, run_on_threads};
    def.jobs = &jobs, def.threads = 1000000; /* of which it could not start so many */
    sn_world *w = sn_world_create(&def, NULL);
    assert_non_null(w);
    sn_world_free(w);
}

TEST(a_job_system_without_a_function_or_threads_is_refused_in_words) {
    sn_world_def def = sn_world_def_default();
    sn_error error;
    const sn_jobs bad[] = {{NULL, 4, NULL}, {NULL, 0, run_backwards}, {NULL, 1025, run_backwards}};
    for (int i = 0; i < COUNT(bad); i++) {
        def.jobs = &bad[i];
        assert_null(sn_world_create(&def, &error));
        assert_int_equal(error.status, SN_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "job system"));
    }
}

/* ----------------------------------------------------------------------------------------------------- memory */

/* Counts what it gives, and looks whether the sizes that come back are those that went out. */
struct counted {
    long blocks, bytes, calls, wrong;
    bool copies; /* it has no `resize` */
};

struct stamp {
    size_t bytes, alignment;
    void *start;
};

static void *count_allocate(void *user, size_t bytes, size_t alignment) {
    struct counted *c = user;
    char *start = malloc(bytes + alignment + sizeof(struct stamp));
    if (!start) return NULL;
    char *block = start + sizeof(struct stamp);
    block += (alignment - (size_t)block % alignment) % alignment;
    memcpy(block - sizeof(struct stamp), &(struct stamp){bytes, alignment, start}, sizeof(struct stamp));
    memset(block, 0xa5, bytes); /* need not be zero */
    c->blocks++, c->calls++, c->bytes += (long)bytes;
    c->wrong += (alignment & (alignment - 1)) != 0;
    return block;
}

static void count_release(void *user, void *memory, size_t bytes, size_t alignment) {
    struct counted *c = user;
    struct stamp s;
    memcpy(&s, (char *)memory - sizeof s, sizeof s);
    c->wrong += s.bytes != bytes || s.alignment != alignment;
    c->blocks--, c->calls++, c->bytes -= (long)bytes;
    free(s.start);
}

static void *count_resize(void *user, void *memory, size_t old, size_t bytes, size_t alignment) {
    void *fresh = count_allocate(user, bytes, alignment);
    if (!fresh) return NULL;
    memcpy(fresh, memory, old < bytes ? old : bytes);
    count_release(user, memory, old, alignment);
    return fresh;
}

static sn_memory memory_of(struct counted *c) {
    return (sn_memory){c, count_allocate, c->copies ? NULL : count_resize, count_release};
}

/* Models, files, clips, worlds, snapshots, fields, queries. */
static void use_everything(struct counted *c) {
    struct models m = make_models(0.15);
    atomic_int tasks = 0;
    const sn_jobs jobs = {&tasks, 3, run_backwards};
    sn_world_def def = sn_world_def_default();
    def.jobs = &jobs, def.dt = 1.0 / 120, def.sleep = 0.05;
    sn_world *w = make_scene(&def, m);
    for (int i = 0; i < 30; i++)
        step_world(w);
    const long before = c->calls;
    for (int i = 0; i < 30; i++)
        step_world(w);
    assert_int_equal(c->calls - before, 0);
    size_t size;
    unsigned char *bytes = snapshot_of(w, &size);
    assert_int_equal(sn_world_restore(w, bytes, size, NULL), SN_OK);
    free(bytes);
    sn_hit hit;
    assert_true(sn_world_cast_ray(w, 0, (const double[]){0, 0, 5}, (const double[]){0, 0, -9}, 1, &hit));
    assert_non_null(sn_world_view(w, 0, SN_FIELD_Q));
    assert_true(sn_world_memory(w) <= (size_t)c->bytes);
    sn_world_free(w);
    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sn_hull *hull = sn_hull_create(corner[0], 4, 0, NULL);
    assert_non_null(hull);
    sn_hull_free(hull);
    free_scene(NULL, m);
}

static void count_everything(bool copies) {
    struct counted c = {.copies = copies};
    const sn_memory memory = memory_of(&c);
    assert_int_equal(sn_set_memory(&memory), SN_OK);
    use_everything(&c);
    assert_true(c.calls > 100);
    assert_int_equal(c.blocks, 0);
    assert_int_equal(c.bytes, 0);
    assert_int_equal(c.wrong, 0);
    assert_int_equal(sn_set_memory(NULL), SN_OK);
}

TEST(a_counting_allocator_gets_back_what_it_gave_and_nothing_is_asked_for_inside_steps) {
    count_everything(false);
    count_everything(true);
}

TEST(memory_from_a_hook_changes_no_bit) {
    struct models m = make_models(0.15);
    sn_world_def def = sn_world_def_default();
    const uint64_t plain = hash_after(&def, m, 40);
    free_scene(NULL, m);
    struct counted c = {0};
    const sn_memory memory = memory_of(&c);
    assert_int_equal(sn_set_memory(&memory), SN_OK);
    m = make_models(0.15);
    assert_true(hash_after(&def, m, 40) == plain);
    free_scene(NULL, m);
    assert_int_equal(sn_set_memory(NULL), SN_OK);
}

TEST(a_memory_hook_is_refused_while_the_library_holds_memory) {
    struct counted c = {0};
    sn_memory memory = memory_of(&c);
    sn_model *model = sn_builtin_create("humanoid", NULL);
    assert_int_equal(sn_set_memory(&memory), SN_ERROR_ARGUMENT);
    sn_model_free(model);
    memory.allocate = NULL;
    assert_int_equal(sn_set_memory(&memory), SN_ERROR_ARGUMENT);
    memory = memory_of(&c), memory.release = NULL;
    assert_int_equal(sn_set_memory(&memory), SN_ERROR_ARGUMENT);
    memory = memory_of(&c);
    assert_int_equal(sn_set_memory(&memory), SN_OK);
    model = sn_builtin_create("dog", NULL);
    assert_int_equal(sn_set_memory(NULL), SN_ERROR_ARGUMENT);
    sn_model_free(model);
    assert_int_equal(sn_set_memory(NULL), SN_OK);
    assert_int_equal(c.blocks, 0);
}

#if !MEMORY_IS_OWNED

/* A hook with memory of its own: whatever calls malloc then has gone past the hook. */
static _Alignas(64) char arena[96 << 20];

static void *arena_allocate(void *user, size_t bytes, size_t alignment) {
    size_t *used = user;
    const size_t at = (*used + alignment - 1) / alignment * alignment;
    if (at + bytes > sizeof arena) return NULL;
    *used = at + bytes;
    return arena + at;
}

static void arena_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)memory, (void)bytes, (void)alignment;
}

TEST(no_byte_goes_past_a_memory_hook) {
    size_t used = 0;
    const sn_memory memory = {&used, arena_allocate, NULL, arena_release};
    assert_int_equal(sn_set_memory(&memory), SN_OK);
    const int before = memory_calls;
    struct models m = make_models(0.15);
    sn_world_def def = sn_world_def_default();
    sn_world *w = make_scene(&def, m);
    for (int i = 0; i < 30; i++)
        sn_world_step(w);
    int count;
    sn_world_contacts(w, 0, &count);
    free_scene(w, m);
    assert_int_equal(memory_calls - before, 0);
    assert_true(used > 100000);
    assert_int_equal(sn_set_memory(NULL), SN_OK);
}

#endif

/* -------------------------------------------------------------------------------------------------------- log */

struct heard {
    int lines;
    char last[600], all[4000];
};

static void hear(void *user, const char *message) {
    struct heard *h = user;
    h->lines++;
    snprintf(h->last, sizeof h->last, "%s", message);
    if (strlen(h->all) + strlen(message) + 2 < sizeof h->all) strcat(strcat(h->all, message), "\n");
}

TEST(the_log_says_which_member_was_frozen_and_once) {
    struct models m = make_models(0.15);
    struct heard h = {0};
    const sn_log log = {&h, hear};
    sn_world_def def = sn_world_def_default();
    def.log = &log;
    sn_world *w = make_scene(&def, m);
    step_world(w);
    assert_int_equal(h.lines, 0);
    put_body(w, 4, (const double[3]){0, 50, 5}, NULL, (const double[6]){9e4, 0, 0, 0, 0, 9e4});
    const double push[3] = {1e12, 0, 0};
    assert_int_equal(sn_world_push(w, 4, 0, push, NULL, INFINITY), SN_OK);
    for (int i = 0; i < 5; i++)
        assert_int_equal(sn_world_step(w), SN_OK);
    assert_int_equal(h.lines, 1);
    assert_non_null(strstr(h.last, "Member 4 is frozen in copy 0"));
    free_scene(w, m);
}

TEST(the_log_says_that_contacts_are_dropped) {
    struct models m = make_models(0.15);
    struct heard h = {0};
    const sn_log log = {&h, hear};
    sn_world_def def = sn_world_def_default();
    def.log = &log, def.max_contacts = 3, def.contact = SN_CONTACT_ROWS;
    sn_world *w = make_scene(&def, m);
    for (int i = 0; i < 200; i++)
        sn_world_step(w);
    assert_non_null(strstr(h.all, "max_contacts is 3"));
    assert_true(h.lines < 40);
    free_scene(w, m);
}

/* -------------------------------------------------------------------------------------------------- user data */

TEST(members_bodies_shapes_and_ground_carry_pointers_of_the_user) {
    struct models m = make_models(0.15);
    sn_world *w = make_scene(NULL, m);
    int x[5];
    const sn_body_info *foot = sn_model_body(m.human, 3);
    assert_true(foot->nshape > 0);
    assert_null(sn_world_user_data(w, 1, 3, foot->first_shape));
    assert_int_equal(sn_world_set_user_data(w, 1, -1, -1, &x[0]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, 1, 3, -1, &x[1]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, 1, 3, foot->first_shape, &x[2]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, -1, 0, 0, &x[3]), SN_OK);
    assert_ptr_equal(sn_world_user_data(w, 1, -1, -1), &x[0]);
    assert_ptr_equal(sn_world_user_data(w, 1, 3, -1), &x[1]);
    assert_ptr_equal(sn_world_user_data(w, 1, 3, foot->first_shape), &x[2]);
    assert_ptr_equal(sn_world_user_data(w, -1, 0, 0), &x[3]);
    assert_null(sn_world_user_data(w, 0, -1, -1));
    assert_null(sn_world_user_data(w, 1, 2, -1));
    sn_hit hit;
    assert_true(sn_world_cast_ray(w, 0, (const double[]){0, 9, 1}, (const double[]){0, 0, -2}, 1, &hit));
    assert_ptr_equal(sn_world_user_data(w, hit.member, hit.body, hit.shape), &x[3]);
    free_scene(w, m);
}

TEST(user_data_of_what_does_not_exist_is_refused) {
    struct models m = make_models(0.15);
    sn_world *w = make_scene(NULL, m);
    const int bad[][3] = {{-2, -1, -1}, {99, -1, -1}, {0, -2, -1}, {0, 999, -1},
                          {0, 0, -2},   {0, 0, 999},  {-1, 1, 0},  {-1, -1, 0}};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(sn_world_set_user_data(w, bad[i][0], bad[i][1], bad[i][2], w), SN_ERROR_ARGUMENT);
        assert_null(sn_world_user_data(w, bad[i][0], bad[i][1], bad[i][2]));
    }
    free_scene(w, m);
}

TEST(user_data_stays_with_what_stays_and_never_passes_to_what_comes_after) {
    struct models m = make_models(0.15);
    sn_world *w = make_scene(NULL, m);
    int x[4];
    const double turn[4] = {1, 0, 0, 0};
    const sn_shape_def wall = box_of(1, 1, 1, 1);
    assert_int_equal(sn_world_add_shape(w, &wall, (const double[3]){9, 0, 0}, turn, NULL), 1);
    assert_int_equal(sn_world_set_user_data(w, 0, -1, -1, &x[0]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, 7, -1, -1, &x[1]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, -1, 0, 0, &x[2]), SN_OK);
    assert_int_equal(sn_world_set_user_data(w, -1, 1, 0, &x[3]), SN_OK);
    const size_t size = sn_world_snapshot(w, NULL, 0);
    void *bytes = malloc(size), *again = malloc(size);
    assert_int_equal(sn_world_snapshot(w, bytes, size), size);
    assert_int_equal(sn_world_set_user_data(w, 0, 2, -1, &x[3]), SN_OK);
    assert_int_equal(sn_world_snapshot(w, again, size), size);
    assert_memory_equal(bytes, again, size); /* snapshots do not contain it */
    assert_int_equal(sn_world_remove(w, 7), SN_OK);
    assert_int_equal(sn_world_remove_ground(w, 1), SN_OK);
    assert_int_equal(sn_world_restore(w, bytes, size, NULL), SN_OK);
    assert_ptr_equal(sn_world_user_data(w, 0, -1, -1), &x[0]);
    assert_ptr_equal(sn_world_user_data(w, -1, 0, 0), &x[2]);
    assert_null(sn_world_user_data(w, 7, -1, -1));
    assert_null(sn_world_user_data(w, -1, 1, 0));
    assert_int_equal(sn_world_remove(w, 0), SN_OK);
    assert_null(
        sn_world_user_data(w, member_of(w, m.box), -1, -1)); /* which has the number of the one that left */
    assert_null(sn_world_user_data(w, 0, -1, -1));
    assert_int_equal(sn_world_remove_ground(w, 0), SN_OK);
    floor_of(w, NULL);
    assert_null(sn_world_user_data(w, -1, 0, 0));
    free(bytes), free(again);
    free_scene(w, m);
}

/* ------------------------------------------------------------------------------------------------------- time */

TEST(the_parts_of_a_step_add_up_to_no_more_than_the_whole_and_only_when_asked_for) {
    struct models m = make_models(0.15);
    for (int stepper = SN_STEPPER_TIME; stepper <= SN_STEPPER_EVENT; stepper++)
        for (int measured = 0; measured < 2; measured++) {
            sn_world_def def = sn_world_def_default();
            def.measure_time = measured, def.stepper = (sn_stepper)stepper;
            if (stepper == SN_STEPPER_EVENT) def.contact = SN_CONTACT_ROWS;
            sn_world *w = make_scene(&def, m);
            for (int i = 0; i < 20; i++)
                step_world(w);
            sn_world_stats stats;
            sn_world_get_stats(w, &stats);
            const double *t = stats.microseconds;
            double sum = 0;
            for (int i = 1; i < SN_STEP_PART_COUNT; i++) {
                assert_true(t[i] >= 0);
                sum += t[i];
            }
            assert_true(measured ? sum > 0 && sum <= t[SN_STEP_PART_ALL]
                                 : sum == 0 && t[SN_STEP_PART_ALL] == 0);
            if (measured) assert_true(t[SN_STEP_PART_FIND] > 0 && t[SN_STEP_PART_MOVE] > 0);
            sn_world_free(w);
        }
    free_scene(NULL, m);
}

TEST(measuring_time_changes_no_bit) {
    struct models m = make_models(0.15);
    sn_world_def def = sn_world_def_default();
    const uint64_t plain = hash_after(&def, m, 40);
    def.measure_time = true;
    assert_true(hash_after(&def, m, 40) == plain);
    free_scene(NULL, m);
}

int main(void) {
    return run_all("engine");
}
