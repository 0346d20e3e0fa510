/* Clips as BVH: Y up, metres, rotations Z, X, Y, and frames at an even rate.
 *
 * A clip whose frames are not evenly spaced is sampled at the rate of its shortest step. Leaves that are called "_end"
 * and do not turn are written as End Site, as the reader made them of one. */
#include "base/elementary.h"
#include "base/text.h"
#include "clip/clip.h"

#include "base/memory.h"
#include "base/quat.h"

#include <string.h>

enum { MOST_SAMPLES = 1 << 20 };

struct writer {
    struct sn__text text;
    const sn_clip_def *def;
    bool *site; /* [njoint] */
    int *order; /* [njoint] joints in the order of the file: depth first */
    int norder;
};

static bool ends_with(const char *name, const char *ending) {
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcmp(name + n - m, ending) == 0;
}

static void find_sites(struct writer *writer) {
    const sn_clip_def *def = writer->def;
    for (int i = 1; i < def->njoint; i++) {
        bool site = ends_with(def->joint[i].name, "_end");
        for (int j = i + 1; j < def->njoint && site; j++)
            site = def->joint[j].parent != i;
        for (int k = 0; k < def->nframe && site; k++)
            site = dvec_length(def->rotation + 4 * ((size_t)k * (size_t)def->njoint + (size_t)i) + 1) == 0;
        writer->site[i] = site;
    }
}

static void indent(struct writer *writer, int depth) {
    for (int i = 0; i < depth; i++)
        sn__text_add(&writer->text, "\t");
}

/* (x, y, z) with Z up is (x, z, -y) with Y up. */
static void write_vector(struct writer *writer, const double v[3]) {
    const double turned[3] = {v[0], v[2], 0.0 - v[1]};
    sn__text_numbers(&writer->text, turned, 3, " ");
}

/* Blanks would be read as the end of the name. */
static void write_name(struct writer *writer, const char *name) {
    clip_name plain;
    strcpy(plain, name);
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == '{' || *c == '}') *c = '_';
    sn__text_add(&writer->text, "%s", plain);
}

static void open_joint(struct writer *writer, int joint, int depth) {
    const sn_clip_joint *info = &writer->def->joint[joint];
    indent(writer, depth);
    if (writer->site[joint]) {
        sn__text_add(&writer->text, "End Site\n");
    } else {
        sn__text_add(&writer->text, joint == 0 ? "ROOT " : "JOINT ");
        write_name(writer, info->name);
        sn__text_add(&writer->text, "\n");
    }
    indent(writer, depth);
    sn__text_add(&writer->text, "{\n");
    indent(writer, depth + 1);
    sn__text_add(&writer->text, "OFFSET ");
    const double zero[3] = {0};
    write_vector(writer, joint == 0 ? zero : info->offset);
    sn__text_add(&writer->text, "\n");
    if (writer->site[joint]) return;
    indent(writer, depth + 1);
    sn__text_add(&writer->text, "CHANNELS %sZrotation Xrotation Yrotation\n",
                 joint == 0 ? "6 Xposition Yposition Zposition " : "3 ");
    writer->order[writer->norder++] = joint;
}

static void write_hierarchy(struct writer *writer, int *next) {
    const sn_clip_def *def = writer->def;
    sn__text_add(&writer->text, "HIERARCHY\n");
    open_joint(writer, 0, 0);
    int depth = 0;
    for (int at = 0; at >= 0;) {
        int child = next[at] > at ? next[at] : at + 1;
        while (child < def->njoint && def->joint[child].parent != at)
            child++;
        next[at] = child + 1;
        if (child < def->njoint) {
            open_joint(writer, child, ++depth);
            at = child;
            continue;
        }
        indent(writer, depth--);
        sn__text_add(&writer->text, "}\n");
        at = def->joint[at].parent;
    }
}

/* R = Rz(a) Rx(b) Ry(c) in Y-up axes, degrees. */
static void write_rotation(struct writer *writer, const double q[4]) {
    const double turned[4] = {q[0], q[1], q[3], -q[2]};
    double R[3][3], angle[3];
    dquat_to_matrix(turned, R);
    const double sine = fmax(-1, fmin(1, R[2][1]));
    angle[1] = sn__asin(sine);
    if (fabs(sine) < 1 - 1e-12) {
        angle[0] = sn__atan2(-R[0][1], R[1][1]);
        angle[2] = sn__atan2(-R[2][0], R[2][2]);
    } else { /* only the sum or the difference of the outer two counts */
        angle[0] = sn__atan2(R[1][0], R[0][0]);
        angle[2] = 0;
    }
    for (int k = 0; k < 3; k++)
        angle[k] = angle[k] * (180 / M_PI) + 0.0;
    sn__text_numbers(&writer->text, angle, 3, " ");
}

static void write_motion(struct writer *writer, const sn_clip *clip, double *pose) {
    const sn_clip_def *def = writer->def;
    const double length = sn__clip_duration(clip);
    double step = def->nframe > 1 ? length : 1.0 / 30;
    for (int k = 1; k < def->nframe; k++)
        step = fmin(step, def->time[k] - def->time[k - 1]);
    const double count = fmin(floor(length / step + 1.5), MOST_SAMPLES);
    if (count > 1) step = length / (count - 1);
    sn__text_add(&writer->text, "MOTION\nFrames: %d\nFrame Time: ", (int)count);
    sn__text_number(&writer->text, step);
    sn__text_add(&writer->text, "\n");
    const bool even = (int)count == def->nframe;
    for (int k = 0; k < (int)count && !writer->text.failed; k++) {
        double position[3];
        /* the last key of a clip that loops cannot be sampled: it is the first one again */
        const double *q = def->rotation + 4 * (size_t)def->njoint * (size_t)(even ? k : def->nframe - 1);
        memcpy(position, def->position + 3 * (size_t)(even ? k : def->nframe - 1), sizeof position);
        if (!even && k < (int)count - 1) {
            sn__clip_sample(clip, k * step, position, pose, NULL, NULL);
            q = pose;
        }
        write_vector(writer, position);
        for (int i = 0; i < writer->norder; i++) {
            sn__text_add(&writer->text, " ");
            write_rotation(writer, q + 4 * (size_t)writer->order[i]);
        }
        sn__text_add(&writer->text, "\n");
    }
}

char *sn__bvh_write(const sn_clip *clip, size_t *size) {
    const size_t n = (size_t)clip->def.njoint;
    struct writer writer = {.def = &clip->def};
    writer.site = sn__alloc(n, sizeof *writer.site);
    writer.order = sn__alloc(n, sizeof *writer.order);
    int *next = sn__alloc(n, sizeof *next);
    double *pose = sn__alloc(n, 4 * sizeof *pose);
    char *text = NULL;
    if (writer.site && writer.order && next && pose) {
        find_sites(&writer);
        write_hierarchy(&writer, next);
        write_motion(&writer, clip, pose);
        text = sn__text_take(&writer.text, size);
    }
    sn__free(writer.site);
    sn__free(writer.order);
    sn__free(next);
    sn__free(pose);
    return text;
}
