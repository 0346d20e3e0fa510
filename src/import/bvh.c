/* Biovision hierarchy files.
 *
 * The format leaves much open; these rules fill it in.
 *
 * Order       a joint's rotation is the product of its rotation channels in the order written, whatever their place
 *             among position channels.
 * Up, unit    decided from motion and skeleton (orient.c), or as the options say. Y-up files are turned:
 *             (x, y, z) -> (x, -z, y).
 * Root        position channels give the root's place, OFFSET included, unless the height that they have in the middle
 *             of the motion is nearer to 0 than to the height of OFFSET: then they are added to OFFSET.
 * Joints      position channels of other joints: when nearer to 0 than to OFFSET they are taken as added to it; else the
 *             first frame's replace OFFSET. Bones do not change length in a clip: if they would, that is warned of.
 * End Site    becomes a joint "name_end" that does not turn; a leaf without one is accepted.
 * Rows        one row per frame. Rows too many are left out, rows too few shorten the clip, an incomplete last row is left
 *             out; each with a warning. A file without MOTION is one frame at rest. */
#include "import/load.h"
#include "import/orient.h"
#include "import/readers.h"
#include "import/scan.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/quat.h"
#include "clip/clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X_POSITION, Y_POSITION, Z_POSITION, X_ROTATION, Y_ROTATION, Z_ROTATION, CHANNEL_KINDS };

enum { MOST_FRAMES = 10 << 20 }; /* that a file may claim to have */

struct channels {
    int first, count;                  /* place in a row                       */
    unsigned char kind[CHANNEL_KINDS]; /* in the order written                 */
    bool moves;                        /* has position channels                */
    double start[3];                   /* first frame's position, file's axes  */
    double largest, apart, change;     /* |p|, |p - OFFSET|, |p - start|, the largest of all frames */
};

struct bvh {
    struct sn__scan scan;
    const sn_load_def *options;
    sn_error *error;
    struct clip_draft draft;
    struct channels *channel; /* [draft.njoint] */
    int channel_room;
    int nvalue; /* in a row */
    double *row;
};

/* ------------------------------------------------------------------------------------------------ hierarchy */

static bool expect(struct bvh *bvh, const char *text) {
    struct sn__word word = sn__scan_word(&bvh->scan);
    if (sn__word_is(word, text)) return true;
    return sn__scan_fail(&bvh->scan, bvh->error, "'%s' is expected, not '%.*s'", text,
                         word.length < 20 ? word.length : 20, word.text);
}

/* The rest of the line, or up to a brace; blanks inside become '_'. */
static bool read_name(struct bvh *bvh, clip_name name) {
    int length = 0;
    for (;;) {
        struct sn__scan ahead = bvh->scan;
        struct sn__word word = sn__scan_word_in_line(&ahead);
        if (word.length == 0 || word.text[0] == '{') break;
        if (length + 1 + word.length > SN_MAX_NAME)
            return sn__scan_fail(&bvh->scan, bvh->error, "a joint's name is longer than %d bytes",
                                 SN_MAX_NAME);
        if (length > 0) name[length++] = '_';
        memcpy(name + length, word.text, (size_t)word.length);
        length += word.length;
        bvh->scan = ahead;
    }
    name[length] = '\0';
    return length > 0 || sn__scan_fail(&bvh->scan, bvh->error, "a joint has no name");
}

/* A name that is taken gets a number. */
static bool make_unique(struct bvh *bvh, clip_name name) {
    clip_name tried;
    if (sn__draft_find(&bvh->draft, name) < 0) return true;
    for (int n = 2; n <= SN_MAX_BODIES; n++) {
        snprintf(tried, sizeof tried, "%.50s_%d", name, n);
        if (sn__draft_find(&bvh->draft, tried) >= 0) continue;
        sn__warn(bvh->options, "%s:%d: a second joint '%s' is called '%s'", bvh->scan.path, bvh->scan.line,
                 name, tried);
        memcpy(name, tried, sizeof tried);
        return true;
    }
    return sn__scan_fail(&bvh->scan, bvh->error, "too many joints are called '%s'", name);
}

static bool add_joint(struct bvh *bvh, clip_name name, int parent) {
    const double zero[3] = {0};
    const int at = bvh->draft.njoint;
    sn_error reason;
    if (!make_unique(bvh, name)) return false;
    if (!sn__draft_add_joint(&bvh->draft, name, parent, zero, &reason))
        return sn__scan_fail(&bvh->scan, bvh->error, "%s", reason.message);
    struct channels *grown = sn__grow(bvh->channel, &bvh->channel_room, at + 1, sizeof *grown);
    if (!grown) return sn__fail(bvh->error, SN_ERROR_MEMORY, "out of memory"), false;
    bvh->channel = grown;
    bvh->channel[at] = (struct channels){.first = bvh->nvalue};
    return true;
}

static bool read_channels(struct bvh *bvh, struct channels *channel) {
    static const char *const kinds[] = {"Xposition", "Yposition", "Zposition",
                                        "Xrotation", "Yrotation", "Zrotation"};
    struct sn__word word = sn__scan_word(&bvh->scan);
    long count;
    if (channel->count > 0) return sn__scan_fail(&bvh->scan, bvh->error, "CHANNELS are given twice");
    if (!sn__word_integer(word, &count) || count < 0 || count > CHANNEL_KINDS)
        return sn__scan_fail(&bvh->scan, bvh->error, "CHANNELS '%.*s' is not a count from 0 to 6",
                             word.length < 20 ? word.length : 20, word.text);
    for (int i = 0; i < count; i++) {
        word = sn__scan_word(&bvh->scan);
        int kind = 0;
        while (kind < CHANNEL_KINDS && !sn__word_is(word, kinds[kind]))
            kind++;
        if (kind == CHANNEL_KINDS || memchr(channel->kind, kind, (size_t)i))
            return sn__scan_fail(&bvh->scan, bvh->error, "channel '%.*s' is %s",
                                 word.length < 20 ? word.length : 20, word.text,
                                 kind == CHANNEL_KINDS ? "not known" : "given twice");
        channel->kind[i] = (unsigned char)kind;
        channel->moves |= kind <= Z_POSITION;
    }
    channel->first = bvh->nvalue;
    channel->count = (int)count;
    bvh->nvalue += (int)count;
    return true;
}

static bool read_end_site(struct bvh *bvh, int parent) {
    clip_name name;
    if (!expect(bvh, "Site")) return false;
    struct sn__scan ahead = bvh->scan;
    if (!sn__word_is(sn__scan_word(&ahead), "{")) { /* some give it a name */
        clip_name ignored;
        if (!read_name(bvh, ignored)) return false;
    }
    snprintf(name, sizeof name, "%.58s_end", bvh->draft.name[parent]);
    if (!expect(bvh, "{") || !expect(bvh, "OFFSET") || !add_joint(bvh, name, parent)) return false;
    double *offset = bvh->draft.offset + 3 * (size_t)(bvh->draft.njoint - 1);
    return sn__scan_numbers(&bvh->scan, 3, offset, "OFFSET", bvh->error) && expect(bvh, "}");
}

static bool open_joint(struct bvh *bvh, int parent) {
    clip_name name;
    return read_name(bvh, name) && expect(bvh, "{") && add_joint(bvh, name, parent);
}

/* Everything between the root's braces. No recursion: `joint` is the one whose braces are open. */
static bool read_hierarchy(struct bvh *bvh) {
    if (!expect(bvh, "HIERARCHY") || !expect(bvh, "ROOT") || !open_joint(bvh, -1)) return false;
    for (int joint = 0; joint >= 0;) {
        struct sn__word word = sn__scan_word(&bvh->scan);
        if (sn__word_is(word, "OFFSET")) {
            if (!sn__scan_numbers(&bvh->scan, 3, bvh->draft.offset + 3 * (size_t)joint, "OFFSET", bvh->error))
                return false;
        } else if (sn__word_is(word, "CHANNELS")) {
            if (!read_channels(bvh, &bvh->channel[joint])) return false;
        } else if (sn__word_is(word, "JOINT")) {
            if (!open_joint(bvh, joint)) return false;
            joint = bvh->draft.njoint - 1;
        } else if (sn__word_is(word, "End")) {
            if (!read_end_site(bvh, joint)) return false;
        } else if (sn__word_is(word, "}")) {
            joint = bvh->draft.parent[joint];
        } else {
            return sn__scan_fail(&bvh->scan, bvh->error,
                                 "OFFSET, CHANNELS, JOINT, End Site or '}' is expected in '%s', not '%.*s'",
                                 bvh->draft.name[joint], word.length < 20 ? word.length : 20, word.text);
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------- motion */

static void note_position(struct channels *channel, const double offset[3], const double p[3], bool first) {
    double apart[3], change[3];
    if (first) memcpy(channel->start, p, sizeof channel->start);
    for (int k = 0; k < 3; k++)
        apart[k] = p[k] - offset[k], change[k] = p[k] - channel->start[k];
    channel->largest = fmax(channel->largest, dvec_length(p));
    channel->apart = fmax(channel->apart, dvec_length(apart));
    channel->change = fmax(channel->change, dvec_length(change));
}

/* One row into a new frame, still in the file's axes and unit. */
static bool store_row(struct bvh *bvh, double time) {
    const int frame = bvh->draft.nframe;
    if (!sn__draft_add_frame(&bvh->draft, time, bvh->error)) return false;
    for (int i = 0; i < bvh->draft.njoint; i++) {
        struct channels *channel = &bvh->channel[i];
        const double *value = bvh->row + channel->first, *offset = bvh->draft.offset + 3 * (size_t)i;
        double position[3] = {0}, *q = sn__draft_rotation(&bvh->draft, frame, i);
        for (int c = 0; c < channel->count; c++) {
            if (channel->kind[c] <= Z_POSITION) {
                position[channel->kind[c]] = value[c];
                continue;
            }
            if (value[c] == 0) continue;
            const double half = value[c] * (M_PI / 360);
            double turn[4] = {sn__cos(half), 0, 0, 0};
            turn[1 + channel->kind[c] - X_ROTATION] = sn__sin(half);
            dquat_multiply(q, turn, q);
        }
        if (channel->moves) note_position(channel, offset, position, frame == 0);
        if (i == 0) memcpy(bvh->draft.position + 3 * (size_t)frame, position, sizeof position);
    }
    return true;
}

/* The numbers of the next line that is not empty: how many, up to nvalue + 1; -1: one is not a number; 0: no more lines. */
static int read_row(struct bvh *bvh) {
    int count = 0;
    for (;;) {
        struct sn__word word = sn__scan_word_in_line(&bvh->scan);
        if (word.length == 0) {
            if (count > 0 || bvh->scan.at >= bvh->scan.end) return count;
            sn__scan_next_line(&bvh->scan);
            continue;
        }
        double value;
        if (!sn__word_number(word, &value)) {
            sn__scan_fail(&bvh->scan, bvh->error, "'%.*s' is not a number",
                          word.length < 20 ? word.length : 20, word.text);
            return -1;
        }
        if (count < bvh->nvalue) bvh->row[count] = value;
        if (count <= bvh->nvalue) count++;
    }
}

static bool read_rows(struct bvh *bvh, long claimed, double step) {
    long rows = 0;
    for (int count; (count = read_row(bvh)) != 0; rows++) {
        if (count < 0) return false;
        if (rows >= claimed) continue;
        if (count == bvh->nvalue) {
            if (!store_row(bvh, (double)rows * step)) return false;
            continue;
        }
        struct sn__scan ahead = bvh->scan;
        if (count < bvh->nvalue && sn__scan_word(&ahead).length == 0) {
            sn__warn(bvh->options, "%s:%d: the last row is not complete and is left out", bvh->scan.path,
                     bvh->scan.line);
            break;
        }
        return sn__scan_fail(&bvh->scan, bvh->error, "frame %ld has %s numbers than the %d channels",
                             rows + 1, count < bvh->nvalue ? "fewer" : "more", bvh->nvalue);
    }
    if (rows != claimed)
        sn__warn(bvh->options, "%s: %ld frames are announced, %ld rows are there%s", bvh->scan.path, claimed,
                 rows, rows > claimed ? "; the rest is left out" : "");
    return true;
}

static bool read_motion(struct bvh *bvh) {
    if (sn__scan_peek(&bvh->scan).length == 0) {
        sn__warn(bvh->options, "%s: there is no MOTION: one frame at rest", bvh->scan.path);
        return store_row(bvh, 0);
    }
    double step;
    long claimed;
    if (!expect(bvh, "MOTION") || !expect(bvh, "Frames:")) return false;
    struct sn__word word = sn__scan_word(&bvh->scan);
    if (!sn__word_integer(word, &claimed) || claimed < 1 || claimed > MOST_FRAMES)
        return sn__scan_fail(&bvh->scan, bvh->error, "Frames: '%.*s' is not a count from 1 to %d",
                             word.length < 20 ? word.length : 20, word.text, MOST_FRAMES);
    if (!expect(bvh, "Frame") || !expect(bvh, "Time:") ||
        !sn__scan_numbers(&bvh->scan, 1, &step, "Frame Time:", bvh->error))
        return false;
    if (!(step > 0) && claimed > 1)
        return sn__scan_fail(&bvh->scan, bvh->error, "Frame Time: %g is not above 0", step);
    if (!read_rows(bvh, claimed, step)) return false;
    return bvh->draft.nframe > 0 || sn__scan_fail(&bvh->scan, bvh->error, "there is not a single row");
}

/* ----------------------------------------------------------------------------------- up, unit and positions */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The height that the root has in the middle of all frames, in order of size; 0 when out of memory. */
static double middle_height(const struct clip_draft *draft, int axis) {
    double *height = sn__alloc((size_t)draft->nframe, sizeof *height), middle = 0;
    for (int k = 0; k < draft->nframe && height; k++)
        height[k] = draft->position[3 * (size_t)k + (size_t)axis];
    if (height) {
        qsort(height, (size_t)draft->nframe, sizeof *height, by_size);
        middle = height[draft->nframe / 2];
    }
    sn__free(height);
    return middle;
}

/* Position channels are added to OFFSET when they are nearer to 0 than to OFFSET: the root's by its height, in the middle
   of the motion, because it may go anywhere else. */
static bool is_added(double from_zero, double from_offset) {
    return from_zero < from_offset;
}

static void place_root(struct bvh *bvh, int up) {
    struct clip_draft *draft = &bvh->draft;
    const double middle = middle_height(draft, up % 3), height = draft->offset[up % 3];
    if (!bvh->channel[0].moves || (height != 0 && is_added(fabs(middle), fabs(middle - height))))
        for (size_t k = 0; k < 3 * (size_t)draft->nframe; k++)
            draft->position[k] += draft->offset[k % 3];
    memset(draft->offset, 0, 3 * sizeof *draft->offset); /* the clip's root has its place in every frame */
}

static void settle_joints(struct bvh *bvh, double stature) {
    for (int i = 1; i < bvh->draft.njoint; i++) {
        const struct channels *channel = &bvh->channel[i];
        if (!channel->moves) continue;
        if (!is_added(channel->largest, channel->apart))
            memcpy(bvh->draft.offset + 3 * (size_t)i, channel->start, sizeof channel->start);
        if (channel->change > 0.01 * stature)
            sn__warn(bvh->options, "%s: joint '%s' moves against its parent; that is left out",
                     bvh->scan.path, bvh->draft.name[i]);
    }
}

/* What is open, decided or as the options say; before the places of joints and root are settled. */
static bool find_orientation(struct bvh *bvh, struct orientation *o) {
    const sn_load_def *options = bvh->options;
    if (!sn__orient(&bvh->draft, o)) return sn__fail(bvh->error, SN_ERROR_MEMORY, "out of memory"), false;
    const int given = options->up ? sn__axis_of(options->up) : -1;
    if (options->up && given < 0)
        return sn__fail(bvh->error, SN_ERROR_ARGUMENT, "up is '%s', not an axis as y or -z", options->up),
               false;
    if (given >= 0) {
        if (o->rest_up == o->up) o->rest_up = given;
        o->up = given;
        snprintf(o->why, sizeof o->why, "as was said");
    }
    if (options->scale > 0) o->metres = options->scale;
    sn__note(options, "%s: %s is up, %s%s%s; a unit is %.4g m%s: a stature of %.3g m", bvh->scan.path,
             sn__axis_name(o->up), o->why, o->rest_up != o->up ? ", at rest " : "",
             o->rest_up != o->up ? sn__axis_name(o->rest_up) : "", o->metres,
             options->scale > 0 ? " as was said" : "", o->metres * o->stature);
    return true;
}

/* From the file's axes and unit to Z up and metres. */
static sn_clip *convert(struct bvh *bvh, const char *where) {
    struct orientation o = {0};
    struct sn__axes world, rest;
    if (!find_orientation(bvh, &o)) return NULL;
    if (!sn__axes_for(bvh->options, o.up, &world, bvh->error) ||
        !sn__axes_for(bvh->options, o.rest_up, &rest, bvh->error))
        return NULL;
    settle_joints(bvh, o.stature);
    place_root(bvh, o.up);
    sn_clip *clip = sn__draft_finish(&bvh->draft, where, bvh->error);
    if (clip) sn__clip_reframe(clip, &world, &rest, o.metres);
    return clip;
}

sn_clip *sn__bvh_read(const char *text, size_t size, const char *path, const sn_load_def *options,
                      sn_error *error) {
    struct bvh bvh = {.scan = sn__scan_start(text, size, path, false), .options = options, .error = error};
    char where[960];
    sn_clip *clip = NULL;
    snprintf(where, sizeof where, "%.950s: ", path);
    bool done = read_hierarchy(&bvh);
    if (done) {
        bvh.row = sn__alloc((size_t)bvh.nvalue, sizeof *bvh.row);
        done = bvh.row || (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false);
    }
    done = done && read_motion(&bvh);
    if (done) clip = convert(&bvh, where);
    sn__draft_release(&bvh.draft);
    sn__free(bvh.channel);
    sn__free(bvh.row);
    return clip;
}
