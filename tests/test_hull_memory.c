/* Hulls without memory: whichever allocation fails, the call says so and gives everything back. */
#include "parse_helpers.h"
#include "dynamics_helpers.h"
#include "refused_memory.h"

#if !MEMORY_IS_OWNED

#include <unistd.h>

#include "dance.h"

/* Calls `make` with the first allocation failing, then the second, until none does. It returns whether it succeeded, and
   says why not in the error. */
static void without_memory(bool (*make)(sn_error *error)) {
    bool failed = true;
    int last = 0;
    for (; failed && last < 100000; last++) {
        sn_error error = {.status = SN_OK};
        const long before = memory_held;
        until_refused = last;
        const bool good = make(&error);
        failed = until_refused < 0;
        until_refused = -1;
        assert_true(good || failed); /* what sorts may do without */
        if (!good && error.status != SN_ERROR_MEMORY) assert_non_null(strstr(error.message, "memory"));
        assert_true(memory_held == before);
    }
    assert_in_range(last, 5, 99999);
}

static double points[60][3];

static bool make_hull(sn_error *error) {
    sn_hull *hull = sn_hull_create(points[0], 60, 0, error);
    sn_hull_free(hull);
    return hull != NULL;
}

static const sn_hull *shared;

static bool make_model(sn_error *error) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    body.name = "stone", body.joint = sn_joint_def_default(SN_JOINT_FREE);
    shape.hull = shared;
    if (!builder) {
        error->status = SN_ERROR_MEMORY;
        return false;
    }
    sn_builder_add_body(builder, &body);
    sn_builder_add_shape(builder, "stone", &shape);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    sn_model_free(model);
    return model != NULL;
}

static bool make_ground(sn_error *error) {
    sn_world_def def = sn_world_def_default();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_HULL);
    shape.hull = shared;
    sn_world *world = sn_world_create(&def, error);
    const bool good =
        world && sn_world_add_shape(world, &shape, (double[]){0, 0, 0}, (double[]){1, 0, 0, 0}, error) >= 0;
    sn_world_free(world);
    return good;
}

static bool parses(const char *text, sn_error *error) {
    sn_model *model = model_from(text, strlen(text), "memory", NULL, error);
    sn_model_free(model);
    return model != NULL;
}

/* A mesh in the file itself, without faces. */
static bool read_mjcf(sn_error *error) {
    return parses("<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1'/></asset><worldbody>"
                  "<body name='b'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
                  error);
}

static bool read_json(sn_error *error) {
    return parses("{\"format\":\"sinew-model\",\"bodies\":[{\"name\":\"b\",\"joint\":{\"type\":\"free\"},"
                  "\"shapes\":[{\"type\":\"hull\",\"points\":[0,0,0,1,0,0,0,1,0,0,0,1]}]}]}",
                  error);
}

/* Ground: a mesh, a height field from a picture of the fuzz programs' seeds. */
static bool read_scene(sn_error *error) {
    static const char text[] =
        "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1'/>"
        "<hfield name='h' file='fuzz/corpus/hfield/interlaced.png' size='1 1 1 1'/></asset>"
        "<worldbody><geom type='mesh' mesh='m'/><geom type='hfield' hfield='h'/></worldbody></mujoco>";
    sn_world *world = world_from(text, sizeof text - 1, "memory", NULL, NULL, error);
    sn_world_free(world);
    return world != NULL;
}

TEST(ground_of_scenes_without_memory_is_refused) {
    if (access("fuzz/corpus/hfield/interlaced.png", R_OK) != 0) {
        print_message("  not run in the folder of the sources: skipped\n");
        skip();
    }
    without_memory(read_scene);
}

static sn_clip *clip;
static sn_model *person;

static bool carry_over(sn_error *error) {
    sn_motion *motion = sn_motion_create(clip, person, NULL, error);
    sn_motion_free(motion);
    return motion != NULL;
}

TEST(motions_without_memory_are_refused) {
    static char text[DANCE_TEXT];
    const char *file = dance_people[0].write(text);
    clip = clip_from(file, strlen(file), "text", NULL, NULL);
    person = sn_builtin_create("humanoid", NULL);
    assert_true(clip && person);
    without_memory(carry_over);
    sn_clip_free(clip);
    sn_model_free(person);
}

TEST(hulls_without_memory_are_refused) {
    for (int i = 0; i < 180; i++)
        points[i / 3][i % 3] = sin(1.7 * i * i) * (1 + i % 3);
    without_memory(make_hull);
    sn_hull *hull = sn_hull_create(points[0], 60, 0, NULL);
    shared = hull;
    assert_non_null(shared);
    without_memory(make_model);
    without_memory(make_ground);
    without_memory(read_mjcf);
    without_memory(read_json);
    sn_hull_free(hull);
}

#endif

int main(void) {
    return run_all("hull memory");
}
