/* Worlds on a device against the same on the processor, bit by bit. The bits are those of the strict build: in others a
 * device may fuse multiply-adds where the processor does not, and no device is asked for.
 *
 * SINEW_DEVICE_FULL=1: 4,096 copies, 240 steps, and all scenes (make test-device). Without a device most tests are skipped. */
#include "copies_scenes.h"

static const char *device;

static bool full(void) {
    return getenv("SINEW_DEVICE_FULL") != NULL;
}

static int copies(void) {
    return full() ? 4096 : 50; /* not a multiple of any width */
}

static int steps(void) {
    return full() ? 240 : 40;
}

static void need_device(void) {
    if (device) return;
    print_message("  skipped: %s\n", sn_built_with("strict") ? "there is no OpenCL device on this machine"
                                                             : "bits are compared in the strict build");
    skip();
}

/* ------------------------------------------------------------------------------------------------------ scenes */

/* How many values differ. */
static int differing(const double *a, const double *b, size_t n) {
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += memcmp(&a[i], &b[i], sizeof *a) != 0;
    return count;
}

static void check_scene(const struct cast *cast, const struct scene *s) {
    const int n = copies(), size = run_size(cast, s);
    int *who = malloc(sizeof *who * (size_t)n);
    uint8_t *wild = malloc((size_t)n);
    double *here = malloc(sizeof *here * (size_t)n * (size_t)size),
           *there = malloc(sizeof *there * (size_t)n * (size_t)size);
    for (int k = 0; k < n; k++)
        who[k] = k % STARTS, wild[k] = k % 11 == 3;
    struct run run = {s, SN_PRECISION_FLOAT, NULL, 1, n, steps(), who, wild, false, NULL};
    run_scene(cast, &run, here, NULL);
    run.device = device;
    run_scene(cast, &run, there, NULL);
    const int off = differing(here, there, (size_t)n * (size_t)size);
    print_message("  %s: %d of %d values differ\n", s->name, off, n * size);
    assert_int_equal(off, 0);
    free(who), free(wild), free(here), free(there);
}

/* Ground, limits, pushes, what diverges, parameters of each copy's own: one program. In full: all that a device has. */
TEST(scenes_have_the_bits_of_the_processor) {
    need_device();
    struct cast cast = cast_create();
    for (int i = 0; i < LANE_SCENES; i++)
        if (!scene[i].torque_limits && (full() || i == 1 || i == 5)) check_scene(&cast, &scene[i]);
    cast_free(&cast);
}

/* ------------------------------------------------------------------------------------------------------ motions */

static sn_world *tracking(const sn_model *model, const sn_motion *motion, const char *on, int substeps) {
    sn_world_def def = copies_def(copies(), SN_PRECISION_FLOAT);
    def.device = on, def.substeps = substeps;
    sn_world *w = driven_copies_of(model, &def);
    assert_int_equal(sn_world_set_motion(w, 0, motion), SN_OK);
    struct rng rng = {3};
    for (int i = 0; i < def.copies; i++) {
        const double phase = uniform(&rng, -2, 5);
        assert_int_equal(sn_world_set(w, 0, SN_FIELD_PHASE, i, 1, &phase), SN_OK);
        double q[MAX_NQ], qd[MAX_NV];
        sn_motion_sample(motion, phase, q, qd);
        copy_put(w, 0, i, q, qd);
    }
    return w;
}

static void assert_same_world(sn_world *here, sn_world *there, const char *what) {
    struct values values;
    values_take(here, 0, &values);
    assert_unchanged(there, &values, what);
    values_free(&values);
}

/* Many steps in one launch; what is read between launches changes nothing; phases and targets follow. */
static void check_motion(const char *character, const char *name) {
    sn_model *model = sn_builtin_create(character, NULL);
    sn_motion *motion = sn_builtin_motion_create(name, model, NULL);
    sn_world *here = tracking(model, motion, NULL, 10), *there = tracking(model, motion, device, 10);
    for (int i = 0; i < steps() / 10; i++) {
        step_many(here, 1), step_many(there, 1);
        if (i < 2) assert_same_world(here, there, "on the way");
    }
    print_message("  %s: %s\n", character,
                  sn_world_hash(here) == sn_world_hash(there) ? "the same bits" : "other bits");
    assert_same_world(here, there, "at the end");
    sn_world_free(here), sn_world_free(there);
    sn_motion_free(motion);
    sn_model_free(model);
}

TEST(motions_are_followed_with_the_bits_of_the_processor) {
    need_device();
    check_motion("humanoid", "walk");
    if (full()) check_motion("dog", "canter");
}

/* --------------------------------------------------------------------------------------- what goes in and comes out */

/* A snapshot of one world restored into the other, and resets, give the same world on both sides. */
TEST(state_goes_to_the_device_and_back) {
    need_device();
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_motion *motion = sn_builtin_motion_create("walk", model, NULL);
    sn_world *here = tracking(model, motion, NULL, 10), *there = tracking(model, motion, device, 10);
    assert_same_world(here, there, "before a step");
    step_many(there, 1);
    const size_t size = sn_world_snapshot(there, NULL, 0);
    unsigned char *bytes = malloc(size);
    assert_int_equal(sn_world_snapshot(there, bytes, size), size);
    assert_int_equal(sn_world_restore(here, bytes, size, NULL), SN_OK);
    assert_same_world(here, there, "after a snapshot");
    uint8_t *which = malloc((size_t)copies());
    for (int i = 0; i < copies(); i++)
        which[i] = i % 3 == 1;
    assert_int_equal(sn_world_reset(there, 0, which, NULL, NULL), SN_OK);
    assert_int_equal(sn_world_reset(here, 0, which, NULL, NULL), SN_OK);
    assert_same_world(here, there, "after a reset");
    assert_int_equal(sn_world_copy(there, 2, which), SN_OK);
    assert_int_equal(sn_world_copy(here, 2, which), SN_OK);
    assert_same_world(here, there, "after a copy");
    const double before = sn_world_time(there);
    assert_int_equal(sn_world_restore(there, bytes, size, NULL), SN_OK);
    assert_true(sn_world_time(there) <= before);
    step_many(there, 1);
    const uint64_t once = sn_world_hash(there);
    assert_int_equal(sn_world_restore(there, bytes, size, NULL), SN_OK);
    step_many(there, 1);
    assert_true(sn_world_hash(there) == once);
    free(bytes), free(which);
    sn_world_free(here), sn_world_free(there);
    sn_motion_free(motion);
    sn_model_free(model);
}

/* ------------------------------------------------------------------------------------------------------ refusals */

static void refused_for(const sn_world_def *def, const char *word) {
    sn_error error;
    assert_null(sn_world_create(def, &error));
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    if (!strstr(error.message, word)) fail_msg("\"%s\" does not say \"%s\"", error.message, word);
}

TEST(what_cannot_be_on_a_device_is_refused_with_a_sentence) {
    const sn_world_def good = copies_def(4, SN_PRECISION_FLOAT);
    sn_world_def def = good;
    def.device = "opencl:0", def.precision = SN_PRECISION_DOUBLE;
    refused_for(&def, "single precision");
    def = good, def.device = "opencl:0", def.stepper = SN_STEPPER_EVENT, def.contact = SN_CONTACT_ROWS;
    refused_for(&def, "time stepper");
    def = good, def.device = "opencl:0", def.report_contacts = true;
    refused_for(&def, "report_contacts");
    def = good, def.device = "opencl:0", def.self_contact = true;
    refused_for(&def, "touch themselves");
    def = good, def.device = "opencl:0", def.torque_limits = true;
    refused_for(&def, "torque limits");
    def = good, def.device = "graphics card";
    refused_for(&def, "Devices are called");
    def = good, def.device = "opencl:77";
    refused_for(&def, "There is no device 'opencl:77'");
}

TEST(scenes_that_cannot_be_on_a_device_are_refused) {
    need_device();
    sn_model *model = sn_builtin_create("humanoid", NULL);
    sn_world_def def = copies_def(4, SN_PRECISION_FLOAT);
    sn_error error;
    def.device = device;
    sn_world *w = copies_of(model, &def);
    assert_int_equal(sn_world_add(w, model, &error), -1);
    assert_int_equal(error.status, SN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "one member"));
    const sn_shape_def bouncy = material_of(0.5, 0.5);
    const double point[3] = {0}, normal[3] = {0, 0, 1};
    assert_true(sn_world_add_plane(w, point, normal, &bouncy, &error) < 0);
    assert_non_null(strstr(error.message, "bounces"));
    assert_int_equal(sn_world_set_limb(w, 0, 0, 1, SN_LIMB_LIMP, 0), SN_ERROR_UNSUPPORTED);
    assert_non_null(strstr(sn_world_message(w), "A device has no"));
    sn_world_free(w);
    sn_model_free(model);
}

int main(void) {
    if (!sn_built_with("strict")) setenv("OCL_ICD_VENDORS", "/nowhere", 1); /* no driver is loaded */
    device = sn_lanes_get(-1) ? sn_lanes_get(-1)->name : NULL;
    return run_all("device");
}
