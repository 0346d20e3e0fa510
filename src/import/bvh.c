/* Biovision hierarchy files.
 *
 * The format leaves much open; these rules fill it in.
 *
 * Order       a joint's rotation is the product of its rotation channels in the order written, whatever their place
 *             among position channels.
 * Up          Y, or Z where the skeleton says so: when the joint called head stands over those called foot, ankle or toe
 *             along Z, in the rest pose or else in the first frame. Y-up files are turned: (x, y, z) -> (x, -z, y).
 * Unit        guessed from the stature, which is the way along the bones from a foot to the head (without such names:
 *             the extent of the rest pose, or 1.85 times the root's first height where that is more):
 *             below 4 metres, below 20 decimetres, below 36 inches / 0.45 (as CMU writes), below 80 inches,
 *             below 400 centimetres, else millimetres.
 * Root        position channels give the root's place, OFFSET included, unless the greatest height they reach is nearer
 *             to 0 than to the height of OFFSET: then they are added to OFFSET.
 * Joints      position channels of other joints: when nearer to 0 than to OFFSET they are taken as added to it; else the
 *             first frame's replace OFFSET. Bones do not change length in a clip: if they would, that is warned of.
 * End Site    becomes a joint "name_end" that does not turn; a leaf without one is accepted.
 * Rows        a row a frame. Rows too many are left out, rows too few shorten the clip, an incomplete last row is left
 *             out; each with a warning. A file without MOTION is one frame at rest. */
#include "import/load.h"
#include "import/readers.h"
#include "import/scan.h"

#include "base/memory.h"
#include "base/quat.h"
#include "clip/clip.h"

#include <stdio.h>
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
    const sn_load_options *options;
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
            double turn[4] = {cos(half), 0, 0, 0};
            turn[1 + channel->kind[c] - X_ROTATION] = sin(half);
            dquat_multiply(q, turn, q);
        }
        if (channel->moves) note_position(channel, offset, position, frame == 0);
        if (i == 0) memcpy(bvh->draft.position + 3 * (size_t)frame, position, sizeof position);
    }
    return true;
}

/* The numbers of the next line that is not empty: how many, up to nvalue + 1; -1: one is no number; 0: no more lines. */
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

static bool name_has(const char *name, const char *part) {
    for (; *name; name++) {
        int i = 0;
        while (part[i] && (name[i] | 32) == part[i])
            i++;
        if (!part[i]) return true;
    }
    return false;
}

static bool is_foot(const char *name) {
    return name_has(name, "foot") || name_has(name, "ankle") || name_has(name, "toe");
}

static int find_head(const struct clip_draft *draft) {
    for (int i = 0; i < draft->njoint; i++)
        if (name_has(draft->name[i], "head")) return i;
    return -1;
}

static int find_foot(const struct clip_draft *draft) {
    for (int i = 0; i < draft->njoint; i++)
        if (is_foot(draft->name[i])) return i;
    return -1;
}

/* Where a joint is against the root; rotations NULL: at rest. */
static void place_of(const struct clip_draft *draft, int joint, bool at_rest, double place[3]) {
    memset(place, 0, 3 * sizeof *place);
    for (; joint >= 0; joint = draft->parent[joint]) {
        if (!at_rest) dquat_rotate(sn__draft_rotation(draft, 0, joint), place, place);
        if (joint == 0) break;
        for (int k = 0; k < 3; k++)
            place[k] += draft->offset[3 * (size_t)joint + (size_t)k];
    }
}

/* 1 for Y, 2 for Z. */
static int find_up(const struct clip_draft *draft) {
    const int head = find_head(draft), foot = find_foot(draft);
    if (head < 0 || foot < 0) return 1;
    for (int at_rest = 1; at_rest >= 0; at_rest--) {
        double top[3], bottom[3];
        place_of(draft, head, at_rest, top);
        place_of(draft, foot, at_rest, bottom);
        const double y = top[1] - bottom[1], z = top[2] - bottom[2];
        if (z > 2 * fabs(y)) return 2;
        if (y > 2 * fabs(z)) return 1;
    }
    return 1;
}

static double way_to_root(const struct clip_draft *draft, int joint) {
    double sum = 0;
    for (; joint > 0; joint = draft->parent[joint])
        sum += dvec_length(draft->offset + 3 * (size_t)joint);
    return sum;
}

static double find_stature(const struct clip_draft *draft, double root_height) {
    const int head = find_head(draft), foot = find_foot(draft);
    if (head > 0 && foot > 0) return way_to_root(draft, head) + way_to_root(draft, foot);
    double least[3] = {0}, most[3] = {0}, extent = 1.85 * root_height;
    for (int i = 0; i < draft->njoint; i++) {
        double place[3];
        place_of(draft, i, true, place);
        for (int k = 0; k < 3; k++)
            least[k] = fmin(least[k], place[k]), most[k] = fmax(most[k], place[k]);
    }
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, most[k] - least[k]);
    return extent;
}

static double unit_for(double stature) {
    static const struct {
        double below, metres;
    } unit[] = {{4, 1}, {20, 0.1}, {36, 0.0254 / 0.45}, {80, 0.0254}, {400, 0.01}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (stature < unit[i].below) return unit[i].metres;
    return 0.001;
}

static void place_root(struct bvh *bvh, int up) {
    struct clip_draft *draft = &bvh->draft;
    double highest = 0;
    for (int k = 0; k < draft->nframe; k++)
        highest = fmax(highest, fabs(draft->position[3 * (size_t)k + (size_t)up]));
    const double height = fabs(draft->offset[up]);
    const bool added = !bvh->channel[0].moves || (height > 0 && highest < 0.5 * height);
    if (added)
        for (size_t k = 0; k < 3 * (size_t)draft->nframe; k++)
            draft->position[k] += draft->offset[k % 3];
    memset(draft->offset, 0, 3 * sizeof *draft->offset); /* the clip's root has its place in every frame */
}

static void settle_joints(struct bvh *bvh, double stature) {
    for (int i = 1; i < bvh->draft.njoint; i++) {
        const struct channels *channel = &bvh->channel[i];
        if (!channel->moves) continue;
        if (channel->apart < channel->largest)
            memcpy(bvh->draft.offset + 3 * (size_t)i, channel->start, sizeof channel->start);
        if (channel->change > 0.01 * stature)
            sn__warn(bvh->options, "%s: joint '%s' moves against its parent; that is left out",
                     bvh->scan.path, bvh->draft.name[i]);
    }
}

static void turn_vector(double *v, int up, double unit) {
    const double x = v[0], y = v[1], z = v[2];
    v[0] = unit * x;
    v[1] = unit * (up == 1 ? -z : y);
    v[2] = unit * (up == 1 ? y : z);
}

/* From the file's axes and unit to Z up and metres. */
static void convert(struct bvh *bvh) {
    struct clip_draft *draft = &bvh->draft;
    const int up = find_up(draft);
    const double height = fabs(draft->position[up]), stature = find_stature(draft, height);
    const double unit = unit_for(stature);
    settle_joints(bvh, stature);
    place_root(bvh, up);
    for (size_t i = 0; i < (size_t)draft->njoint; i++)
        turn_vector(draft->offset + 3 * i, up, unit);
    for (size_t k = 0; k < (size_t)draft->nframe; k++)
        turn_vector(draft->position + 3 * k, up, unit);
    if (up == 1)
        for (size_t k = 0; k < (size_t)draft->nframe * (size_t)draft->njoint; k++)
            turn_vector(draft->rotation + 4 * k + 1, up, 1);
}

sn_clip *sn__bvh_read(const char *text, size_t size, const char *path, const sn_load_options *options,
                      sn_error *error) {
    struct bvh bvh = {.scan = sn__scan_start(text, size, path, false), .options = options, .error = error};
    char where[280];
    sn_clip *clip = NULL;
    snprintf(where, sizeof where, "%.276s: ", path);
    bool done = read_hierarchy(&bvh);
    if (done) {
        bvh.row = sn__alloc((size_t)bvh.nvalue, sizeof *bvh.row);
        done = bvh.row || (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false);
    }
    done = done && read_motion(&bvh);
    if (done) {
        convert(&bvh);
        clip = sn__draft_finish(&bvh.draft, where, error);
    }
    sn__draft_release(&bvh.draft);
    sn__free(bvh.channel);
    sn__free(bvh.row);
    return clip;
}
