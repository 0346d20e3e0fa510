/* A table of source and target skeletons: one dance, in files of many conventions that dance.c writes, carried over to models of
 * many kinds, and how far the ends of limbs are then from where they should point, in degrees. Where people's limbs should point
 * is known without reading a file: the dance says it.
 *
 * SINEW_RETARGET_PICTURES=FOLDER draws each pair, one SVG per source. */
#include "clip_helpers.h"

#include "clip/clip.h"
#include "dance.h"
#include "motion/meaning.h"
#include "motion/motion.h"

/* ---------------------------------------------------------------------------------------------------------- targets */

struct target {
    const char *name;
    sn_model *model;
    const char *limb[DANCE_LIMBS][2]; /* bodies: where it begins, and where it ends */
    bool tip[DANCE_LIMBS];            /* it ends at the end of that body's bone, not at its joint */
    double heading;                   /* where it looks in its zero pose, about z from x */
};

static char text[DANCE_TEXT];

static sn_model *from_clip(const struct dance_source *source) {
    sn_clip *clip = parse_clip(source->write(text));
    sn_error error;
    sn_model *model = sn_clip_build_model(clip, 70, &error);
    if (!model) fail_msg("%s: %s", source->name, error.message);
    sn_clip_free(clip);
    return model;
}

/* A character made of a source has its joints' names. */
static struct target target_of(const struct dance_source *source) {
    struct target t = {.name = source->name, .model = from_clip(source), .heading = source->heading};
    for (int i = 0; i < DANCE_LIMBS; i++)
        t.limb[i][0] = source->limb[i][0], t.limb[i][1] = source->limb[i][2];
    return t;
}

enum { PEOPLE = 7, ANIMALS = 5 };

/* Legs and arms of both sides: where they begin, and where they end. */
#define LEGS_AND_ARMS(leg, foot, arm, hand)                                                                  \
    {                                                                                                        \
        {"left_" leg, "left_" foot}, {"right_" leg, "right_" foot}, {"left_" arm, "left_" hand}, {           \
            "right_" arm, "right_" hand                                                                      \
        }                                                                                                    \
    }

static const struct target human_names = {
    "humanoid", NULL, LEGS_AND_ARMS("thigh", "foot", "upper_arm", "forearm"), {false, false, true, true}, 0};
static const struct target robot_names = {
    "robot",
    NULL,
    LEGS_AND_ARMS("hip_pitch_link", "ankle_link", "shoulder_roll_link", "elbow_link"),
    {false, false, true, true},
    0};
static const struct target dog_names = {
    "dog", NULL, LEGS_AND_ARMS("thigh", "hock", "upper_arm", "fore_paw"), {false, false, false, false}, 0};
static const struct target robot_dog_names = {
    "robot dog",
    NULL,
    {{"RL_thigh", "RL_calf"}, {"RR_thigh", "RR_calf"}, {"FL_thigh", "FL_calf"}, {"FR_thigh", "FR_calf"}},
    {true, true, true, true},
    0};

static void make_people(struct target t[PEOPLE]) {
    for (int i = 0; i < 4; i++)
        t[i] = target_of(&dance_people[i]);
    t[4] = human_names, t[5] = t[6] = robot_names;
    t[4].model = sn_builtin_create("humanoid", NULL);
    t[5].name = "robot 3+1", t[5].model = model_of_text(dance_robot(text, 3));
    t[6].name = "robot 2+1", t[6].model = model_of_text(dance_robot(text, 2));
}

static void make_animals(struct target t[ANIMALS]) {
    for (int i = 0; i < 3; i++)
        t[i] = target_of(&dance_animals[i]);
    t[3] = dog_names, t[4] = robot_dog_names;
    t[3].model = sn_builtin_create("dog", NULL);
    t[4].model = model_of_text(dance_robot_dog(text));
}

static void free_targets(struct target *t, int n) {
    for (int i = 0; i < n; i++)
        sn_model_free(t[i].model);
}

/* --------------------------------------------------------------------------------------------------------- measuring */

struct pose {
    double pos[64 * 3], rot[64 * 4];
};

static void pose_at(const sn_motion *motion, const sn_model *model, double time, struct pose *p) {
    double q[512];
    sn_motion_sample(motion, time, q, NULL);
    sn__pose_globals(model, q, p->pos, p->rot);
}

/* A point fixed to a body. */
static void point_of(const struct pose *p, int body, const double at[3], double x[3]) {
    dquat_rotate(p->rot + 4 * body, at, x);
    for (int k = 0; k < 3; k++)
        x[k] += p->pos[3 * body + k];
}

/* The end of a bone: as far from the joint as the body's shapes reach along it. */
static void tip_of(const sn_model *model, int body, double tip[3]) {
    const sn_body_info *info = sn_model_body(model, body);
    memset(tip, 0, 3 * sizeof *tip);
    for (int s = info->first_shape; s < info->first_shape + info->nshape; s++) {
        const sn_shape_def *shape = (&sn_model_get(model)->shape[s]);
        const double reach = shape->type == SN_SHAPE_CAPSULE ? shape->size[1] : 0, end[3] = {0, 0, -reach};
        double x[3];
        dquat_rotate(shape->rot, end, x);
        const double sign = dvec_dot(x, shape->pos) < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++)
            x[k] = shape->pos[k] + sign * x[k];
        if (dvec_length(x) > dvec_length(tip)) memcpy(tip, x, sizeof x);
    }
}

static void limb_of(const struct target *t, const struct pose *p, enum dance_limb limb, double d[3]) {
    const int from = sn_model_find_body(t->model, t->limb[limb][0]),
              to = sn_model_find_body(t->model, t->limb[limb][1]);
    if (from < 0 || to < 0) fail_msg("%s has no %s or no %s", t->name, t->limb[limb][0], t->limb[limb][1]);
    double a[3], b[3], end[3];
    memcpy(end, sn_model_body(t->model, to)->joint.anchor, sizeof end);
    if (t->tip[limb]) tip_of(t->model, to, end);
    point_of(p, from, sn_model_body(t->model, from)->joint.anchor, a);
    point_of(p, to, end, b);
    for (int k = 0; k < 3; k++)
        d[k] = b[k] - a[k];
}

/* The same of the clip as it was read. */
static void clip_limb(const sn_clip *clip, const struct dance_source *source, enum dance_limb limb, int frame,
                      double d[3]) {
    const sn_clip_def *def = sn_clip_data(clip);
    double place[64 * 3], turn[64 * 4];
    sn__clip_globals(def, def->position + 3 * frame, def->rotation + 4 * frame * def->njoint, place, turn);
    for (int k = 0; k < 3; k++)
        d[k] = place[3 * joint_of(clip, source->limb[limb][2]) + k] -
               place[3 * joint_of(clip, source->limb[limb][0]) + k];
}

static double between(const double a[3], const double b[3]) {
    double across[3];
    dvec_cross(a, b, across);
    return atan2(dvec_length(across), dvec_dot(a, b)) * 180 / M_PI;
}

struct error {
    double mean, most;
};

static void turn_about_z(double v[3], double angle) {
    const double x = v[0], y = v[1];
    v[0] = cos(angle) * x - sin(angle) * y;
    v[1] = sin(angle) * x + cos(angle) * y;
}

/* Of all limbs and frames. */
static struct error compare(const sn_motion *motion, const sn_clip *clip, const struct dance_source *source,
                            const struct target *t, bool people) {
    struct error e = {0, 0};
    for (int frame = 0; frame < DANCE_FRAMES; frame++) {
        struct pose p;
        pose_at(motion, t->model, sn_clip_data(clip)->time[frame], &p);
        for (int limb = 0; limb < DANCE_LIMBS; limb++) {
            double want[3], got[3];
            if (people)
                dance_direction((enum dance_limb)limb, frame, source->length[limb], want);
            else
                clip_limb(clip, source, (enum dance_limb)limb, frame, want);
            turn_about_z(want, t->heading - (people ? 0 : source->heading));
            limb_of(t, &p, (enum dance_limb)limb, got);
            const double angle = between(want, got);
            e.mean += angle / (DANCE_FRAMES * DANCE_LIMBS);
            e.most = fmax(e.most, angle);
        }
    }
    return e;
}

/* ---------------------------------------------------------------------------------------------------------- pictures */

static FILE *picture;

static void open_picture(const char *name, int rows) {
    const char *folder = getenv("SINEW_RETARGET_PICTURES");
    char path[1024];
    picture = NULL;
    if (!folder || !folder[0]) return;
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    for (char *c = path + strlen(folder) + 1; *c; c++)
        if (*c == ' ') *c = '_';
    picture = fopen(path, "w");
    if (!picture) fail_msg("%s cannot be written", path);
    fprintf(picture,
            "<svg xmlns='http://www.w3.org/2000/svg' width='1400' height='%d' font-family='sans-serif' "
            "font-size='14'><rect width='100%%' height='100%%' fill='white'/>\n",
            rows * 210 + 30);
}

static void close_picture(void) {
    if (picture) fprintf(picture, "</svg>\n"), fclose(picture);
}

/* A line of the picture in one of its cells: seen from ahead on the left, a little from above. */
struct cell {
    int row, column;
    double scale, centre[3];
};

static void draw(const struct cell *cell, const double a[3], const double b[3], const char *colour,
                 double width) {
    double x[2][2];
    for (int i = 0; i < 2; i++) {
        const double *p = i ? b : a,
                     v[3] = {p[0] - cell->centre[0], p[1] - cell->centre[1], p[2] - cell->centre[2]};
        const double right = (-v[0] * 0.643 + v[1] * 0.766) * -1, depth = v[0] * 0.766 + v[1] * 0.643;
        x[i][0] = 200 + 150 * cell->column + 85 * cell->scale * right;
        x[i][1] = 120 + 210 * cell->row - 85 * cell->scale * (v[2] - 0.2 * depth);
    }
    fprintf(picture,
            "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='%.1f' "
            "stroke-linecap='round'/>\n",
            x[0][0], x[0][1], x[1][0], x[1][1], colour, width);
}

static const char *colour_of(const char *name) {
    const int side = sn__meaning_of(name).side;
    return side > 0 ? "#c03030" : side < 0 ? "#2050c0" : "#404040";
}

/* Left limbs red, right ones blue: the clip turned to face along x, the model beside it. */
static void draw_pair(int row, const sn_clip *clip, const sn_motion *motion, const struct target *t,
                      double heading) {
    if (!picture) return;
    const sn_clip_def *def = sn_clip_data(clip);
    fprintf(picture, "<text x='10' y='%d'>%s</text>\n", 60 + 210 * row, t->name);
    for (int i = 0; i < 4; i++) {
        const int frame = i * (DANCE_FRAMES - 1) / 3;
        double place[64 * 3], rot[64 * 4], turn[4], reach = 0, centre[3] = {0, 0, 0};
        const double about[3] = {0, 0, -heading}, origin[3] = {0};
        dquat_exp(about, turn);
        sn__clip_globals(def, origin, def->rotation + 4 * frame * def->njoint, place, rot);
        for (int j = 0; j < def->njoint; j++) {
            dquat_rotate(turn, place + 3 * j, place + 3 * j);
            reach = fmax(reach, dvec_length(place + 3 * j));
        }
        struct cell cell = {row, 2 * i, 1 / reach, {0, 0, 0}};
        for (int j = 1; j < def->njoint; j++)
            draw(&cell, place + 3 * def->joint[j].parent, place + 3 * j, colour_of(def->joint[j].name), 3);
        struct pose p;
        double joint[64][3];
        pose_at(motion, t->model, def->time[frame], &p);
        const double look[3] = {0, 0, -t->heading};
        dquat_exp(look, turn);
        for (int b = 0; b < sn_model_get(t->model)->nbody; b++) {
            dquat_rotate(turn, p.pos + 3 * b, p.pos + 3 * b);
            dquat_multiply(turn, p.rot + 4 * b, p.rot + 4 * b);
        }
        reach = 0;
        for (int b = 0; b < sn_model_get(t->model)->nbody; b++) {
            point_of(&p, b, sn_model_body(t->model, b)->joint.anchor, joint[b]);
            if (b == 0) memcpy(centre, joint[b], sizeof centre);
            double d[3] = {joint[b][0] - centre[0], joint[b][1] - centre[1], joint[b][2] - centre[2]};
            reach = fmax(reach, dvec_length(d));
        }
        cell = (struct cell){row, 2 * i + 1, 1 / reach, {centre[0], centre[1], centre[2]}};
        for (int b = 0; b < sn_model_get(t->model)->nbody; b++) {
            const sn_body_info *info = sn_model_body(t->model, b);
            double tip[3], end[3];
            tip_of(t->model, b, tip);
            point_of(&p, b, tip, end);
            draw(&cell, joint[b], end, colour_of(info->name), 5);
            if (info->parent >= 0) draw(&cell, joint[info->parent], joint[b], colour_of(info->name), 2);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------- tables */

static void heads(const char *what, const struct target *t, int n) {
    print_message("%-14s", what);
    for (int i = 0; i < n; i++)
        print_message("%15s", t[i].name);
    print_message("\n");
}

/* Every source on every target. */
static void fill_table(const struct dance_source *source, int nsource, struct target *t, int ntarget,
                       bool people) {
    double sum = 0, worst = 0;
    heads("degrees", t, ntarget);
    for (int s = 0; s < nsource; s++) {
        sn_clip *clip = parse_clip(source[s].write(text));
        assert_int_equal(sn_clip_data(clip)->nframe, DANCE_FRAMES);
        print_message("%-14s", source[s].name);
        open_picture(source[s].name, ntarget);
        for (int i = 0; i < ntarget; i++) {
            sn_error error;
            sn_motion *motion = sn_motion_create(clip, t[i].model, NULL, &error);
            if (!motion) fail_msg("%s to %s: %s", source[s].name, t[i].name, error.message);
            const struct error e = compare(motion, clip, &source[s], &t[i], people);
            print_message("%8.1f (%4.1f)", e.mean, e.most);
            draw_pair(i, clip, motion, &t[i], source[s].heading);
            sum += e.mean / (nsource * ntarget);
            worst = fmax(worst, e.mean);
            sn_motion_free(motion);
        }
        close_picture();
        print_message("\n");
        sn_clip_free(clip);
    }
    print_message("mean %.1f, worst pair %.1f\n", sum, worst);
    assert_true(worst < 10);
}

/* The files say what the dance is: the reader's part of the way. */
TEST(the_readers_see_the_dance) {
    for (int s = 0; s < COUNT(dance_people); s++) {
        sn_clip *clip = parse_clip(dance_people[s].write(text));
        for (int frame = 0; frame < DANCE_FRAMES; frame++)
            for (int limb = 0; limb < DANCE_LIMBS; limb++) {
                double want[3], got[3];
                dance_direction((enum dance_limb)limb, frame, dance_people[s].length[limb], want);
                clip_limb(clip, &dance_people[s], (enum dance_limb)limb, frame, got);
                turn_about_z(want, dance_people[s].heading);
                if (between(want, got) > 0.1)
                    fail_msg("%s, frame %d, limb %d: %g degrees", dance_people[s].name, frame, limb,
                             between(want, got));
            }
        sn_clip_free(clip);
    }
}

TEST(people_dance_alike_whatever_their_skeleton) {
    struct target t[PEOPLE];
    make_people(t);
    fill_table(dance_people, COUNT(dance_people), t, PEOPLE, true);
    free_targets(t, PEOPLE);
}

/* Arms that rest held out, slanted or hanging: the dance has hands straight on, whatever the skeleton. */
TEST(hands_go_on_as_forearms_do) {
    static const int handed[] = {0, 1, 3, 4}; /* of the people */
    for (int a = 0; a < COUNT(handed); a++)
        for (int b = 0; b < 3; b++) {
            const struct dance_source *source = &dance_people[handed[a]];
            struct target t = target_of(&dance_people[handed[b]]);
            sn_clip *clip = parse_clip(source->write(text));
            sn_motion *motion = sn_motion_create(clip, t.model, NULL, NULL);
            assert_non_null(motion);
            for (int frame = 0; frame < DANCE_FRAMES; frame += 5)
                for (int limb = LEFT_ARM; limb <= RIGHT_ARM; limb++) {
                    const int elbow = sn_model_find_body(t.model, dance_people[handed[b]].limb[limb][1]),
                              hand = sn_model_find_body(t.model, t.limb[limb][1]);
                    struct pose p;
                    double tip[3], bone[3], forearm[3];
                    pose_at(motion, t.model, sn_clip_data(clip)->time[frame], &p);
                    tip_of(t.model, hand, tip);
                    dquat_rotate(p.rot + 4 * hand, tip, bone);
                    for (int k = 0; k < 3; k++)
                        forearm[k] = p.pos[3 * hand + k] - p.pos[3 * elbow + k];
                    if (between(bone, forearm) > 5)
                        fail_msg("%s to %s: a hand is bent by %.1f degrees", source->name, t.name,
                                 between(bone, forearm));
                }
            sn_motion_free(motion);
            sn_clip_free(clip);
            sn_model_free(t.model);
        }
}

TEST(animals_dance_alike_whatever_their_skeleton) {
    struct target t[ANIMALS];
    make_animals(t);
    fill_table(dance_animals, COUNT(dance_animals), t, ANIMALS, false);
    free_targets(t, ANIMALS);
}

int main(void) {
    return run_all("retarget table");
}
