/* What a game engine asks for: its own memory and threads, its pointers on bodies, a conveyor belt, a trigger, a contact filter,
 * an explosion and many rays.
 *
 *     gcc engine.c $(pkg-config --cflags --libs sinew) -lm -o engine && ./engine */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CRATES = 4, GHOST = 2 };

/* ---- Memory: the engine counts every byte. Steps ask for more only while they find more contacts. */
static size_t held, asked;

static void *allocate(void *user, size_t bytes, size_t alignment) {
    (void)user;
    held += bytes, asked++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)alignment;
    held -= bytes;
    free(memory);
}

/* ---- Jobs: a real engine hands the tasks to its worker threads. This one runs them in turn. */
static void run_jobs(void *user, void (*task)(void *context, int index), void *context, int count) {
    (void)user;
    for (int i = 0; i < count; i++)
        task(context, i);
}

/* ---- Filter: it is asked about pairs with a GHOST. Ghosts pass through everything but the ground. */
static bool filter(void *user, sn_near_pair *pair) {
    (void)user;
    return pair->member[1] == -1;
}

/* A crate with bevelled edges: the hull of the corners of three boxes. */
static sn_model *make_crate(uint32_t group, sn_error *error) {
    double corner[24][3];
    for (int i = 0; i < 24; i++)
        for (int k = 0; k < 3; k++)
            corner[i][k] = (i >> k & 1 ? 1 : -1) * (i / 8 == k ? 0.2 : 0.17);
    sn_hull *hull = sn_hull_create(corner[0], 24, 0, error);
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    shape.hull = hull, shape.density = 200, shape.group = group;
    sn_body_def body = sn_body_def_default();
    body.name = "crate", body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder *builder = sn_builder_create();
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "crate", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    sn_hull_free(hull); /* the model has a share of it */
    return model;
}

/* A belt of 6 m that runs at 1 m/s, and a trigger across its end. */
static int add_belt(sn_world *world, int *gate) {
    const double rot[4] = {1};
    sn_shape_def box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 3, box.size[1] = 0.5, box.size[2] = 0.25, box.surface_velocity[0] = 1;
    const int belt = sn_world_add_shape(world, &box, (double[]){0, 0, 0.25}, rot, NULL);
    box = sn_shape_def_default(SN_SHAPE_BOX);
    box.size[0] = 0.05, box.size[1] = 0.5, box.size[2] = 0.5, box.trigger = true;
    *gate = sn_world_add_shape(world, &box, (double[]){2.5, 0, 1}, rot, NULL);
    return belt;
}

/* Pushes everything within 2 m away from a point. */
static void explode(sn_world *world, const double at[3]) {
    sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
    ball.size[0] = 2;
    sn_hit hit[16];
    const int n = sn_world_overlap(world, 0, &ball, at, (double[]){1, 0, 0, 0}, 0xffffffff, hit, 16);
    for (int i = 0; i < n && i < 16; i++) {
        double pos[3], force[3], distance = 1e-9;
        if (hit[i].member < 0) continue; /* the ground */
        sn_world_body_pose(world, hit[i].member, hit[i].body, pos, NULL);
        for (int k = 0; k < 3; k++)
            distance += (pos[k] - at[k]) * (pos[k] - at[k]);
        for (int k = 0; k < 3; k++)
            force[k] = 800 * (pos[k] - at[k]) / distance;
        sn_world_push(world, hit[i].member, hit[i].body, force, NULL, 0.05);
        printf("the explosion reaches %s\n",
               (const char *)sn_world_user_data(world, hit[i].member, hit[i].body, -1));
    }
}

/* Steps until something enters the gate, then stops the belt. */
static sn_status convey(sn_world *world, int belt, int gate) {
    for (int i = 0; i < 240 * 5; i++) {
        int n;
        const sn_status status = sn_world_step(world);
        if (status) return status;
        const sn_trigger_visit *visit = sn_world_triggers(world, 0, &n);
        for (int k = 0; k < n; k++)
            if (visit[k].trigger_body == gate && visit[k].phase == SN_TRIGGER_PHASE_BEGAN) {
                printf("t = %.1f s: %s enters the gate, the belt stops\n", sn_world_time(world),
                       (const char *)sn_world_user_data(world, visit[k].member, visit[k].body, -1));
                return sn_world_set_surface_velocity(world, belt, (double[]){0, 0, 0});
            }
    }
    return SN_OK;
}

/* 16 rays, level and all around: how far one sees. */
static void look_around(const sn_world *world) {
    sn_ray ray[16];
    sn_hit hit[16];
    for (int i = 0; i < 16; i++) {
        ray[i] = (sn_ray){.origin = {0, 0, 0.7}, .mask = 0xffffffff};
        ray[i].way[0] = 10 * cos(i * 3.14159265 / 8), ray[i].way[1] = 10 * sin(i * 3.14159265 / 8);
    }
    printf("%d of 16 rays meet something\n", sn_world_cast_rays(world, 0, 16, ray, hit));
}

int main(void) {
    static char names[CRATES][32];
    sn_error error = {0};
    const sn_memory memory = {.allocate = allocate, .release = release};
    if (sn_set_memory(&memory)) return puts("the library holds memory already"), 1;
    const sn_jobs jobs = {.threads = 1, .run = run_jobs};
    sn_world_def def = sn_world_def_default();
    def.jobs = &jobs, def.measure_time = true;
    sn_world *world = sn_world_create(&def, &error);
    sn_model *crate = make_crate(1, &error), *ghost = make_crate(1 | GHOST, &error);
    if (!world || !crate || !ghost) return puts(error.message), 1;

    int gate;
    sn_world_add_floor(world);
    const int belt = add_belt(world, &gate);
    for (int i = 0; i < CRATES; i++) { /* the last one is a ghost, in the place of the first */
        const bool last = i == CRATES - 1;
        const sn_member member = sn_world_add(world, last ? ghost : crate, &error);
        const double q[7] = {last ? 0 : -0.8 * i, 0, 0.71, 1, 0, 0, 0};
        snprintf(names[i], sizeof names[i], last ? "the ghost" : "crate %d", i + 1);
        if (sn_world_set_state(world, member, q, NULL)) return puts(error.message), 1;
        sn_world_set_user_data(world, member, 0, -1, names[i]);
    }
    sn_world_set_filter(world, GHOST, filter, NULL);
    sn_world_step(world);

    if (convey(world, belt, gate)) return puts(sn_world_message(world)), 1;
    look_around(world);
    explode(world, (double[]){1.5, 0, 0.5});
    size_t before = 0;
    for (int i = 0; i < 720; i++) {
        if (i == 480) before = asked; /* everything has come to rest */
        if (sn_world_step(world)) return puts(sn_world_message(world)), 1;
    }
    printf("%zu requests for memory in the last 240 steps\n", asked - before);

    sn_world_stats stats;
    sn_world_get_stats(world, &stats);
    fprintf(stderr, "the last step took %.0f us\n", stats.microseconds[SN_STEP_PART_ALL]);
    int body;
    if (sn_world_find_body(world, "crate", &body) >= 0) printf("\"crate\" is body %d of its model\n", body);
    sn_world_free(world);
    sn_model_free(crate), sn_model_free(ghost);
    printf("%zu bytes are still held\n", held);
    return held != 0;
}
