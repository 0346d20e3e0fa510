/* Dogs as they are captured: skeletons named as Biped and AI4Animation have them, whose bones all lie along one axis at rest, on
 * the built-in dog and on robots; clips of robots that are upright at the identity.
 *
 * SINEW_RETARGET_PICTURES=FOLDER draws them. */
#include "parse_helpers.h"
#include "clip_helpers.h"

#include "clip/clip.h"
#include "dance.h"
#include "motion/motion.h"

#include <unistd.h>

enum { FRAMES = 40, JOINTS = 24 };

struct dog_joint {
    const char *biped, *capture; /* names; NULL: there is no such joint */
    int parent;
    double offset[3]; /* standing: X ahead, Y left, Z up, m */
    int leg;          /* 1 to 4: left fore, right fore, left hind, right hind */
    int part;         /* of the leg, from 0 */
};

#define FORE(side, name, y, leg)                                                                             \
    {"Bip01_" side "_Clavicle", name "Shoulder", 3, {.05, .05 * (y), -.04}, 0, 0},                           \
        {"Bip01_" side "_UpperArm", name "Arm", -1, {.05, .03 * (y), -.1}, leg, 0},                          \
        {"Bip01_" side "_Forearm", name "ForeArm", -1, {-.07, 0, -.14}, leg, 1},                             \
        {"Bip01_" side "_Hand", name "Hand", -1, {.02, 0, -.16}, leg, 2}, {                                  \
        "Bip01_" side "_Finger0", name "HandSite", -1, {.02, 0, -.07}, leg, 3                                \
    }
#define HIND(side, name, y, leg)                                                                             \
    {"Bip01_" side "_Thigh", name "UpLeg", 0, {-.03, .06 * (y), -.03}, leg, 0},                              \
        {"Bip01_" side "_Calf", name "Leg", -1, {.07, 0, -.16}, leg, 1},                                     \
        {"Bip01_" side "_HorseLink", name "Foot", -1, {-.12, 0, -.15}, leg, 2}, {                            \
        "Bip01_" side "_Foot", name "FootSite", -1, {.02, 0, -.14}, leg, 3                                   \
    }

/* clang-format off */
static const struct dog_joint dog_joint[JOINTS] = {
    {"Bip01_Pelvis", "Hips", -1, {0, 0, 0}, 0, 0},
    {"Bip01_Spine", "Spine", 0, {.1, 0, .03}, 0, 0},
    {"Bip01_Spine1", "Spine1", 1, {.17, 0, .01}, 0, 0},
    {"Bip01_Spine2", "Spine2", 2, {.1, 0, 0}, 0, 0},
    {"Bip01_Neck", "Neck", 3, {.12, 0, .04}, 0, 0},
    {"Bip01_Head", "Head", 4, {.13, 0, .1}, 0, 0},
    FORE("L", "Left", 1, 1), FORE("R", "Right", -1, 2),
    HIND("L", "Left", 1, 3), HIND("R", "Right", -1, 4),
};
/* clang-format on */

/* A joint without a parent of its own follows the one before it. */
static int parent_of(int joint) {
    return joint == 0 ? -1 : dog_joint[joint].parent >= 0 ? dog_joint[joint].parent : joint - 1;
}

/* The turn in the world of a joint from the pose that stands: a trot, the head nodding. */
static void pose_of(int frame, int joint, double q[4]) {
    const struct dog_joint *j = &dog_joint[joint];
    const double t = 2 * M_PI * frame / 20, phase = t + (j->leg == 2 || j->leg == 3 ? M_PI : 0);
    double pitch = 0.03 * sin(2 * t), yaw = 0.3 + 0.01 * frame;
    if (joint == 4 || joint == 5) pitch += -0.15 + 0.1 * sin(t);
    if (j->leg > 0) {
        static const double bend[4] = {0.35, -0.25, 0.3, 0.1};
        const double lift = fmax(0, cos(phase)); /* a paw that swings forward is up */
        pitch = 0.3 * sin(phase) * -1 + (j->part == 0 ? -1 : j->part == 1 ? 1 : 0) * bend[0] * lift;
    }
    const double about_z[3] = {0, 0, yaw}, about_y[3] = {0, pitch, 0};
    double swing[4];
    dquat_exp(about_z, q);
    dquat_exp(about_y, swing);
    dquat_multiply(q, swing, q);
}

/* How the joint's axes lie at rest in a file whose bones all lie along x: the turn that takes x to the bone as it stands. */
static void own_axes(int joint, bool along, double q[4]) {
    const double x[3] = {1, 0, 0};
    dquat_identity(q);
    for (int i = joint + 1; i < JOINTS && along; i++)
        if (parent_of(i) == joint) {
            sn__shortest_turn(x, dog_joint[i].offset, q);
            return;
        }
    if (along && joint > 0) own_axes(parent_of(joint), along, q);
}

/* The clip; along: as it is exported with every bone along its joint's x axis, so that its rest pose is none. */
static sn_clip *make_dog(bool biped, bool along) {
    static sn_clip_joint joint[JOINTS];
    static double time[FRAMES], position[FRAMES][3], rotation[FRAMES][JOINTS][4];
    double axes[JOINTS][4];
    for (int i = 0; i < JOINTS; i++) {
        double back[4];
        own_axes(i, along, axes[i]);
        joint[i].name = biped ? dog_joint[i].biped : dog_joint[i].capture;
        joint[i].parent = parent_of(i);
        memcpy(joint[i].offset, dog_joint[i].offset, sizeof joint[i].offset);
        if (i == 0) continue;
        dquat_conjugate(axes[parent_of(i)], back);
        dquat_rotate(back, joint[i].offset, joint[i].offset);
    }
    for (int k = 0; k < FRAMES; k++) {
        double world[JOINTS][4], lowest = 0, place[JOINTS][3] = {{0}};
        time[k] = k / 30.0;
        for (int i = 0; i < JOINTS; i++) {
            double turn[4], back[4], arm[3];
            pose_of(k, i, turn);
            if (i > 0) {
                double above[4];
                pose_of(k, parent_of(i), above);
                dquat_rotate(above, dog_joint[i].offset, arm);
                for (int c = 0; c < 3; c++)
                    place[i][c] = place[parent_of(i)][c] + arm[c];
            }
            lowest = fmin(lowest, place[i][2]);
            dquat_multiply(turn, axes[i], world[i]);
            memcpy(rotation[k][i], world[i], sizeof world[i]);
            if (i == 0) continue;
            dquat_conjugate(world[parent_of(i)], back);
            dquat_multiply(back, world[i], rotation[k][i]);
        }
        position[k][0] = 0.02 * k, position[k][1] = 0.005 * k, position[k][2] = -lowest + 0.01;
    }
    const sn_clip_def def = {.struct_size = sizeof(sn_clip_def),
                             .njoint = JOINTS,
                             .nframe = FRAMES,
                             .joint = joint,
                             .time = time,
                             .position = position[0],
                             .rotation = rotation[0][0]};
    sn_error error;
    sn_clip *clip = sn_clip_create(&def, &error);
    if (!clip) fail_msg("%s", error.message);
    return clip;
}

/* ----------------------------------------------------------------------------------------------------------- models */

struct animal {
    const char *name;
    sn_model *model;
    const char
        *limb[4][2]; /* left fore, right fore, left hind, right hind: where it begins, and where its paw is */
    bool tip;        /* the paw is the end of that body */
    const char *head; /* NULL: none */
};

/* Another robot: longer shins than thighs, knees that point the other way in front, joints turned about. */
static const char other_robot[] = "<mujoco><compiler angle='radian' autolimits='true'/><worldbody><body "
                                  "name='base' pos='0 0 .5'><freejoint/>"
                                  "<geom type='box' size='.3 .1 .07'/>"
#define LEG(name, x, y, out)                                                                                 \
    "<body name='" name "_hip' pos='" x " " y " 0'><joint axis='1 0 0' range='-1 1'/><geom size='.03'/>"     \
    "<body name='" name "_upper_leg' pos='0 " out " 0'><joint axis='0 1 0' range='-2.2 2.2'/>"               \
    "<geom type='capsule' size='.03' fromto='0 0 0 0 0 -.28'/>"                                              \
    "<body name='" name "_lower_leg' pos='0 0 -.28'><joint axis='0 1 0' range='-2.7 -.1'/>"                  \
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.3'/></body></body></body>"
    LEG("fl", ".3", ".08", ".09") LEG("fr", ".3", "-.08", "-.09") LEG("hl", "-.3", ".08", ".09")
        LEG("hr", "-.3", "-.08", "-.09") "</body></worldbody></mujoco>";

static sn_model *from_text(const char *mjcf) {
    sn_error error;
    sn_model *model = model_from(mjcf, strlen(mjcf), "robot", NULL, &error);
    if (!model) fail_msg("%s", error.message);
    return model;
}

enum { ANIMALS = 3 };

static void make_animals(struct animal a[ANIMALS]) {
    static char text[DANCE_TEXT];
    a[0] = (struct animal){"dog",
                           sn_builtin_create("dog", NULL),
                           {{"left_upper_arm", "left_fore_paw"},
                            {"right_upper_arm", "right_fore_paw"},
                            {"left_thigh", "left_hind_paw"},
                            {"right_thigh", "right_hind_paw"}},
                           false,
                           "head"};
    a[1] = (struct animal){
        "robot dog",
        from_text(dance_robot_dog(text)),
        {{"FL_thigh", "FL_calf"}, {"FR_thigh", "FR_calf"}, {"RL_thigh", "RL_calf"}, {"RR_thigh", "RR_calf"}},
        true,
        NULL};
    a[2] = (struct animal){"other robot",
                           from_text(other_robot),
                           {{"fl_upper_leg", "fl_lower_leg"},
                            {"fr_upper_leg", "fr_lower_leg"},
                            {"hl_upper_leg", "hl_lower_leg"},
                            {"hr_upper_leg", "hr_lower_leg"}},
                           true,
                           NULL};
}

static void end_of(const struct animal *a, int limb, const double *pos, const double *rot, double x[3]) {
    const int body = sn_model_find_body(a->model, a->limb[limb][1]);
    assert_true(body >= 0);
    const sn_body_info *info = sn_model_body(a->model, body);
    memcpy(x, info->joint.anchor, 3 * sizeof *x);
    for (int s = info->first_shape; s < info->first_shape + info->nshape && a->tip; s++) {
        const sn_shape_def *shape = (&sn_model_get(a->model)->shape[s]);
        double end[3] = {0, 0, -shape->size[1]};
        dquat_rotate(shape->rot, end, end);
        for (int k = 0; k < 3; k++)
            end[k] = shape->pos[k] + (end[2] > 0 ? -1 : 1) * end[k];
        memcpy(x, end, sizeof end);
    }
    dquat_rotate(rot + 4 * body, x, x);
    for (int k = 0; k < 3; k++)
        x[k] += pos[3 * body + k];
}

/* ----------------------------------------------------------------------------------------------------------- measuring */

static double between(const double a[3], const double b[3]) {
    double across[3];
    dvec_cross(a, b, across);
    return atan2(dvec_length(across), dvec_dot(a, b)) * 180 / M_PI;
}

struct fit {
    double mean, most; /* degrees between limbs, from where they begin to the paw */
    double paws;       /* m, how far paws that stand are from one level, up or down, at most */
    double head;       /* how far the head's nose points up: sine */
};

/* The joint of the clip where a limb begins, or its paw. */
static int clip_end(const sn_clip *clip, int limb, bool paw) {
    const sn_clip_def *def = sn_clip_data(clip);
    for (int i = 0; i < JOINTS; i++) {
        if (dog_joint[i].leg != limb + 1 || dog_joint[i].part != (paw ? 3 : 0)) continue;
        for (int j = 0; j < def->njoint; j++)
            if (strcmp(def->joint[j].name, dog_joint[i].biped) == 0 ||
                strcmp(def->joint[j].name, dog_joint[i].capture) == 0)
                return j;
    }
    fail_msg("a limb is lost");
    return -1;
}

static FILE *picture;

static void draw(int row, int column, const double a[3], const double b[3], const double centre[3],
                 const char *colour) {
    if (!picture) return;
    double x[2][2];
    for (int i = 0; i < 2; i++) {
        const double *p = i ? b : a;
        x[i][0] = 110 + 200 * column + 150 * (0.95 * (p[0] - centre[0]) - 0.3 * (p[1] - centre[1]));
        x[i][1] = 170 + 200 * row - 150 * (p[2] + 0.1 * (p[1] - centre[1]));
    }
    fprintf(picture, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='4'/>\n",
            x[0][0], x[0][1], x[1][0], x[1][1], colour);
}

static void draw_clip(const sn_clip_def *def, const double *place, int row, int column) {
    for (int i = 1; i < def->njoint; i++) {
        const bool left = strstr(def->joint[i].name, "_L_") || strstr(def->joint[i].name, "Left");
        draw(row, column, place + 3 * def->joint[i].parent, place + 3 * i, place,
             left ? "#c03030" : "#404040");
    }
}

static void draw_animal(const struct animal *a, const double *pos, double (*paw)[3], int row, int column) {
    for (int i = 0; i < sn_model_get(a->model)->nbody; i++) {
        const sn_body_info *info = sn_model_body(a->model, i);
        if (info->parent >= 0)
            draw(row, column, pos + 3 * info->parent, pos + 3 * i, pos,
                 strchr("lLFR", info->name[0]) ? "#c03030" : "#404040");
    }
    for (int limb = 0; limb < 4; limb++)
        draw(row, column, pos + 3 * sn_model_find_body(a->model, a->limb[limb][1]), paw[limb], pos,
             limb % 2 ? "#2050c0" : "#c03030");
}

static struct fit measure(const sn_clip *clip, const struct animal *a, int row) {
    const sn_clip_def *def = sn_clip_data(clip);
    sn_error error;
    sn_motion *motion = sn_motion_create(clip, a->model, NULL, &error);
    if (!motion) fail_msg("%s: %s", a->name, error.message);
    struct fit f = {.head = 1};
    double low = 1e9, high = -1e9;
    for (int k = 0; k < FRAMES; k++) {
        double place[3 * 64], turn[4 * 64], q[128], pos[3 * 64], rot[4 * 64], paw[4][3], lowest = 1e9;
        sn__clip_globals(def, def->position + 3 * k, def->rotation + 4 * (size_t)k * (size_t)def->njoint,
                         place, turn);
        sn_motion_sample(motion, def->time[k], q, NULL);
        sn__pose_globals(a->model, q, pos, rot);
        for (int limb = 0; limb < 4; limb++) {
            double want[3], got[3], start[3];
            const int from = sn_model_find_body(a->model, a->limb[limb][0]);
            assert_true(from >= 0);
            dquat_rotate(rot + 4 * from, sn_model_body(a->model, from)->joint.anchor, start);
            end_of(a, limb, pos, rot, paw[limb]);
            for (int c = 0; c < 3; c++) {
                want[c] =
                    place[3 * clip_end(clip, limb, true) + c] - place[3 * clip_end(clip, limb, false) + c];
                got[c] = paw[limb][c] - start[c] - pos[3 * from + c];
            }
            f.mean += between(want, got) / (4 * FRAMES);
            f.most = fmax(f.most, between(want, got));
        }
        double clip_lowest = 1e9;
        for (int limb = 0; limb < 4; limb++)
            clip_lowest = fmin(clip_lowest, place[3 * clip_end(clip, limb, true) + 2]);
        for (int limb = 0; limb < 4; limb++) /* those that stand in the clip */
            if (place[3 * clip_end(clip, limb, true) + 2] < clip_lowest + 0.005) {
                low = fmin(low, paw[limb][2]), high = fmax(high, paw[limb][2]);
                lowest = fmin(lowest, paw[limb][2]);
            }
        if (a->head) {
            const int head = sn_model_find_body(a->model, a->head);
            double up[3] = {0, 0, 1};
            dquat_rotate(rot + 4 * head, up, up);
            f.head = fmin(f.head, up[2]);
        }
        if (k % 8 == 0) {
            draw_clip(def, place, row, 2 * (k / 8));
            draw_animal(a, pos, paw, row, 2 * (k / 8) + 1);
        }
    }
    f.paws = (high - low) / 2;
    sn_motion_free(motion);
    return f;
}

/* As a file of captures has it: BVH with Y up. What is up, at rest and in motion, is for the reader to see. */
static sn_clip *through_file(sn_clip *clip) {
    char path[] = "/tmp/sinew-dogs-XXXXXX.bvh";
    const int descriptor = mkstemps(path, 4);
    sn_error error;
    assert_true(descriptor >= 0);
    close(descriptor);
    if (sn_clip_save(clip, path, &error) != SN_OK) fail_msg("%s", error.message);
    sn_clip_free(clip);
    clip = load_clip(path);
    remove(path);
    return clip;
}

TEST(dogs_as_they_are_captured_move_the_built_in_dog_and_robots) {
    struct animal a[ANIMALS];
    const char *folder = getenv("SINEW_RETARGET_PICTURES");
    char path[512];
    make_animals(a);
    for (int biped = 0; biped < 2; biped++) {
        picture = NULL;
        if (folder && folder[0]) {
            snprintf(path, sizeof path, "%s/captured_%s.svg", folder, biped ? "biped" : "ai4");
            picture = fopen(path, "w");
            if (picture)
                fprintf(picture, "<svg xmlns='http://www.w3.org/2000/svg' width='2100' height='1250'><rect "
                                 "width='100%%' height='100%%' fill='white'/>\n");
        }
        for (int along = 0; along < 2; along++)
            for (int i = 0; i < ANIMALS; i++) {
                sn_clip *clip = through_file(make_dog(biped, along));
                const struct fit f = measure(clip, &a[i], along * ANIMALS + i);
                print_message(
                    "%-8s %-9s on %-12s limbs %.1f degrees, at most %.1f; paws %.1f mm; head %.2f\n",
                    biped ? "Biped" : "capture", along ? "along x" : "standing", a[i].name, f.mean, f.most,
                    1e3 * f.paws, f.head);
                sn_clip_free(clip);
                assert_true(f.mean < 10);
                assert_true(f.paws < 0.02);
                assert_true(f.head > 0.5);
            }
        if (picture) fprintf(picture, "</svg>\n"), fclose(picture);
    }
    for (int i = 0; i < ANIMALS; i++)
        sn_model_free(a[i].model);
}

/* Numbers of a robot whose root is upright at the identity: it stands on all four, and legs point down. */
TEST(a_clip_of_an_upright_robot_stands_on_all_four) {
    char text[4096] = "{\"LoopMode\": \"Wrap\", \"FrameDuration\": 0.03, \"Frames\": [";
    for (int k = 0; k < 4; k++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "%s[%g, 0, 0.28, 0, 0, 0.0998334, 0.9950042", k ? ", " : "", 0.01 * k);
        for (int leg = 0; leg < 4; leg++)
            snprintf(text + strlen(text), sizeof text - strlen(text), ", 0.02, %g, -1.6", 0.8 + 0.02 * k);
        strcat(text, "]");
    }
    strcat(text, "]}");
    sn_clip *clip = parse_clip(text);
    const sn_clip_def *def = sn_clip_data(clip);
    double place[64 * 3], turn[64 * 4];
    sn__clip_globals(def, def->position, def->rotation, place, turn);
    for (int i = 0; i < def->njoint; i++) {
        if (!strstr(def->joint[i].name, "foot")) continue;
        assert_near(place[3 * i + 2], 0, 0.03);
    }
    double ahead[3] = {1, 0, 0};
    dquat_rotate(turn, ahead, ahead);
    assert_near(ahead[2], 0, 1e-6); /* it does not rear */
    static char robot[DANCE_TEXT];
    sn_model *model = from_text(dance_robot_dog(robot));
    sn_motion *motion = sn_motion_create(clip, model, NULL, NULL);
    double q[32];
    sn_motion_sample(motion, 0.03, q, NULL);
    double up[3] = {0, 0, 1};
    dquat_rotate(q + 3, up, up);
    assert_true(up[2] > 0.99);
    assert_true(sn_motion_get(motion)->apart < 0.05);
    sn_motion_free(motion);
    sn_model_free(model);
    sn_clip_free(clip);
}

TEST(a_torque_limit_of_zero_is_none) {
    const char *text = "{\"Skeleton\": {\"Joints\": [{\"Name\": \"root\", \"Type\": \"none\", \"Parent\": "
                       "-1, \"TorqueLim\": 0},"
                       "{\"Name\": \"a\", \"Type\": \"revolute\", \"Parent\": 0, \"TorqueLim\": 0},"
                       "{\"Name\": \"b\", \"Type\": \"revolute\", \"Parent\": 1, \"TorqueLim\": 5}]},"
                       "\"BodyDefs\": [{\"Shape\": \"sphere\", \"Mass\": 1, \"Param0\": 0.1}, {\"Shape\": "
                       "\"sphere\", \"Mass\": 1, \"Param0\": 0.1},"
                       "{\"Shape\": \"sphere\", \"Mass\": 1, \"Param0\": 0.1}]}";
    sn_error error;
    sn_model *model = model_from(text, strlen(text), "dog", NULL, &error);
    if (!model) fail_msg("%s", error.message);
    assert_true(isinf(sn_model_body(model, 1)->joint.torque_limit));
    assert_near(sn_model_body(model, 2)->joint.torque_limit, 5, 0);
    sn_model_free(model);
}

int main(void) {
    return run_all("retarget dogs");
}
