/* A character from an MJCF file follows a motion from a BVH file.
 *
 * usage: mjcf_bvh [MODEL.xml MOTION.bvh]
 *
 * Without arguments it writes two small files of its own into a temporary folder first: the upper half of a person, and a
 * wave of its hand. Bodies and joints find each other by what their names mean ("pelvis" and "Hips"). */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include <sinew/sinew.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    return 1;
}

/* ------------------------------------------------------------------------------------------------ two small files */

static const char model_text[] =
    "<mujoco>\n"
    "  <worldbody>\n"
    "    <body name='pelvis' pos='0 0 1'>\n"
    "      <freejoint/>\n"
    "      <geom type='sphere' size='0.1' mass='10'/>\n"
    "      <body name='chest' pos='0 0 0.2'>\n"
    "        <joint type='ball'/>\n"
    "        <geom type='capsule' size='0.1' fromto='0 0 0 0 0 0.2' mass='20'/>\n"
    "        <body name='head' pos='0 0 0.35'>\n"
    "          <joint type='ball'/>\n"
    "          <geom type='sphere' size='0.1' pos='0 0 0.1' mass='5'/>\n"
    "        </body>\n"
    "        <body name='left_upper_arm' pos='0 0.2 0.25'>\n"
    "          <joint type='ball'/>\n"
    "          <geom type='capsule' size='0.04' fromto='0 0 0 0 0.25 0' mass='2'/>\n"
    "          <body name='left_forearm' pos='0 0.28 0'>\n"
    "            <joint type='ball'/>\n"
    "            <geom type='capsule' size='0.03' fromto='0 0 0 0 0.2 0' mass='1'/>\n"
    "          </body>\n"
    "        </body>\n"
    "      </body>\n"
    "    </body>\n"
    "  </worldbody>\n"
    "</mujoco>\n";

/* Y is up, as most BVH files have it, and lengths are in metres. */
static const char skeleton_text[] =
    "HIERARCHY\n"
    "ROOT Hips {\n"
    "  OFFSET 0 1 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT Chest {\n"
    "    OFFSET 0 0.2 0\n"
    "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    JOINT Head {\n"
    "      OFFSET 0 0.35 0\n"
    "      CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "      End Site { OFFSET 0 0.2 0 }\n"
    "    }\n"
    "    JOINT LeftArm {\n"
    "      OFFSET 0.2 0.25 0\n"
    "      CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "      JOINT LeftForeArm {\n"
    "        OFFSET 0.28 0 0\n"
    "        CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "        End Site { OFFSET 0.25 0 0 }\n"
    "      }\n"
    "    }\n"
    "  }\n"
    "}\n";

/* Two seconds in which the arm goes up and the forearm waves, 30 frames per second; angles are in degrees. */
static void write_motion(FILE *file) {
    enum { FRAMES = 61 };
    fputs(skeleton_text, file);
    fprintf(file, "MOTION\nFrames: %d\nFrame Time: %.6f\n", FRAMES, 1.0 / 30);
    for (int i = 0; i < FRAMES; i++) {
        const double t = i / 30.0, raise = 60 * fmin(1, 2 * t), wave = 30 * sin(6 * t);
        fprintf(file, "0 1 0 0 0 0 0 0 0 0 0 0 %.4f 0 0 %.4f 0 0\n", raise, wave);
    }
}

/* Returns 1 when both are written. */
static int write_files(const char *model_path, const char *motion_path) {
    FILE *model = fopen(model_path, "w"), *motion = fopen(motion_path, "w");
    if (model) fputs(model_text, model);
    if (motion) write_motion(motion);
    const int model_good = model && fclose(model) == 0, motion_good = motion && fclose(motion) == 0;
    return model_good && motion_good;
}

/* ------------------------------------------------------------------------------------------------ the run */

/* Steps through the motion once and says how far a joint is off, in the mean and at most (rad or, of the root, m). */
static sn_status track(sn_world *world, const sn_motion *motion, const sn_world_def *def) {
    const int nq = sn_world_size(world, 0, SN_FIELD_Q),
              steps = (int)(sn_motion_get(motion)->duration / def->dt + 0.5);
    double *q = malloc(2 * (size_t)nq * sizeof *q), *target = q + nq, sum = 0, most = 0;
    sn_status status = q ? SN_OK : SN_ERROR_MEMORY;
    for (int i = 1; i <= steps && status == SN_OK; i++) {
        status = sn_world_step(world);
        if (status == SN_OK) status = sn_world_get_state(world, 0, q, NULL);
        if (status != SN_OK) break;
        sn_motion_sample(motion, sn_world_time(world), target, NULL);
        double off = 0;
        for (int k = 0; k < nq; k++)
            off = fmax(off, fabs(q[k] - target[k]));
        sum += off;
        most = fmax(most, off);
    }
    if (status == SN_OK)
        printf("%d steps of %.4f s: off by %.4f in the mean, by %.4f at most\n", steps, def->dt, sum / steps,
               most);
    free(q);
    return status;
}

/* Drives that are as stiff as each joint's inertia asks for, and the pose in which the motion begins. */
static sn_status start(sn_world *world, const sn_model *model, const sn_motion *motion) {
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    double *q = malloc((nq + 3 * nv) * sizeof *q), *qd = q + nq, *kp = qd + nv, *kd = kp + nv;
    if (!q) return SN_ERROR_MEMORY;
    sn_motion_sample(motion, 0, q, qd);
    const sn_gains_def gains = {.struct_size = sizeof(sn_gains_def),
                                .q = q,
                                .stance = SN_STANCE_NONE}; /* 8 Hz, critically damped, held by its root */
    sn_status status = sn_gains_choose(model, &gains, kp, kd, NULL);
    if (!status) status = sn_world_set_gains(world, 0, kp, kd);
    if (!status) status = sn_world_set_state(world, 0, q, qd);
    if (!status) status = sn_world_set_motion(world, 0, motion); /* every step sets the next target */
    free(q);
    return status;
}

static int run(const char *model_path, const char *motion_path) {
    sn_error error;
    sn_model *model = sn_model_load(model_path, NULL, &error);
    if (!model) return fail("model", error.message);
    sn_clip *clip = sn_clip_load(motion_path, NULL, &error);
    if (!clip) return fail("motion", error.message);
    printf("%d bodies of %.1f kg, a clip of %d joints and %.2f s\n", sn_model_get(model)->nbody,
           sn_model_get(model)->mass, sn_clip_data(clip)->njoint,
           sn_clip_data(clip)->time[sn_clip_data(clip)->nframe - 1]);
    sn_motion *motion = sn_motion_create(clip, model, NULL, &error);
    if (!motion) return fail("retargeting", error.message);

    const sn_world_def def = sn_world_def_default();
    sn_world *world = sn_world_create(&def, &error);
    if (!world || sn_world_add(world, model, &error) < 0) return fail("world", error.message);
    sn_status status = start(world, model, motion);
    if (status == SN_OK) status = track(world, motion, &def);
    if (status != SN_OK) return fail("run", sn_status_text(status));

    sn_world_free(world);
    sn_motion_free(motion);
    sn_clip_free(clip);
    sn_model_free(model);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3) return run(argv[1], argv[2]);
    if (argc != 1) return fail("usage", "mjcf_bvh [MODEL.xml MOTION.bvh]");

    char folder[] = "/tmp/sinew-XXXXXX", model_path[64], motion_path[64];
    if (!mkdtemp(folder)) return fail(folder, "cannot be made");
    snprintf(model_path, sizeof model_path, "%s/person.xml", folder);
    snprintf(motion_path, sizeof motion_path, "%s/wave.bvh", folder);
    const int result = write_files(model_path, motion_path) ? run(model_path, motion_path)
                                                            : fail(folder, "cannot be written to");
    remove(model_path);
    remove(motion_path);
    rmdir(folder);
    return result;
}
