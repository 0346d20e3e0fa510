/* Motions written as numbers for one character, to be read together with it.
 *
 * Table   one row per frame, blanks, commas or semicolons between the numbers; '#' begins a comment, of which "# rate 60" and
 *         "# loop" are read. A row has nq numbers (a pose), or nv (angles, shifts and rotation vectors against the zero pose,
 *         one a degree of freedom), in the character's order; with one number more the first is the time. Or the first line
 *         names the columns: "time", a body, or "body.2" for the third number of its pose; what is not named stays in the
 *         zero pose.
 *         Quaternions of poses without named columns are w, x, y, z or x, y, z, w: "# quaternion xyzw" says it, or an
 *         option; else it is decided from the motion (pose_order.c), and this is reported.
 * JSON    "Frames" as motion_imitation has them ("FrameDuration", "LoopMode"): root position, quaternion (x, y, z, w) and
 *         the angles of all hinges in the character's order, Z up. Or as DeepMimic has them ("Loop"): a duration, then the
 *         pose with quaternions (w, x, y, z), in the character's order, Y up. Files mix these; where another of their
 *         orders and axes fits the motion clearly better, it is taken, and this is reported. */
#include "import/json.h"
#include "import/load.h"
#include "import/pose_order.h"
#include "import/readers.h"
#include "import/scan.h"
#include "import/strange.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/joint.h"

#include <cjson/cJSON.h>
#include <string.h>
#include <strings.h>

enum order { ORDER_OPEN, ORDER_W_FIRST, ORDER_W_LAST };

struct poses {
    const sn_model *model;
    const char *path;
    const sn_load_def *options;
    sn_error *error;
    enum order order; /* of quaternions, as the caller or the file says */
    bool bare;        /* the numbers of q as in the file: their order is not known */
    double *time, *q; /* [n], [n][nq] */
    int n, time_room, q_room;
    bool loop;
};

static const char *const order_name[] = {"", "w x y z", "x y z w"};

static enum order order_of(const char *text, size_t length) {
    if (length == 4 && strncasecmp(text, "wxyz", 4) == 0) return ORDER_W_FIRST;
    return length == 4 && strncasecmp(text, "xyzw", 4) == 0 ? ORDER_W_LAST : ORDER_OPEN;
}

static bool fail(struct poses *p, sn_status status, const char *reason) {
    sn__fail(p->error, status, "%s: %s", p->path, reason);
    return false;
}

/* Room for one more pose, which is the zero pose until it is filled. */
static double *add_pose(struct poses *p, double time) {
    const int nq = sn_model_get(p->model)->nq;
    double *times = sn__grow(p->time, &p->time_room, p->n + 1, sizeof *times);
    if (times) p->time = times;
    double *q = times ? sn__grow(p->q, &p->q_room, p->n + 1, (size_t)nq * sizeof *q) : NULL;
    if (!q) {
        fail(p, SN_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    p->q = q;
    p->time[p->n] = time;
    q += (size_t)p->n++ * (size_t)nq;
    sn_model_zero_pose(p->model, q);
    return q;
}

/* ---------------------------------------------------------------------------------------------------- tables */

enum { TIME_COLUMN = -1 };

struct table {
    int columns;
    int *place; /* [columns] in q, or TIME_COLUMN; NULL: by the number of columns */
    int place_room;
    double rate;
    double *row;
};

/* "# rate 60", "# loop", "# quaternion xyzw". */
static void read_comment(struct poses *p, struct table *t, struct sn__scan *line) {
    struct sn__word word = sn__scan_word_in_line(line);
    if (sn__word_is(word, "#")) word = sn__scan_word_in_line(line);
    double rate;
    if (sn__word_is(word, "loop")) p->loop = true;
    if (sn__word_is(word, "quaternion")) {
        word = sn__scan_word_in_line(line);
        if (p->order == ORDER_OPEN) p->order = order_of(word.text, (size_t)word.length);
        return;
    }
    if (sn__word_is(word, "rate") && sn__word_number(sn__scan_word_in_line(line), &rate) && rate > 0)
        t->rate = rate;
}

/* Where the number of a column goes; -2: nowhere. */
static int find_place(const sn_model *model, struct sn__word word) {
    char name[SN_MAX_NAME + 8];
    if (sn__word_is(word, "time")) return TIME_COLUMN;
    if (word.length >= (int)sizeof name) return -2;
    memcpy(name, word.text, (size_t)word.length);
    name[word.length] = '\0';
    int body = sn_model_find_body(model, name), at = 0;
    char *dot = strrchr(name, '.');
    if (body < 0 && dot && dot[1] >= '0' && dot[1] <= '6' && dot[2] == '\0') {
        at = dot[1] - '0';
        *dot = '\0';
        body = sn_model_find_body(model, name);
    }
    const sn_body_info *info = body >= 0 ? sn_model_body(model, body) : NULL;
    return info && at < info->nq ? info->q_index + at : -2;
}

static bool read_header(struct poses *p, struct table *t, struct sn__scan *scan) {
    for (struct sn__word word; (word = sn__scan_word_in_line(scan)).length > 0; t->columns++) {
        int *grown = sn__grow(t->place, &t->place_room, t->columns + 1, sizeof *grown);
        if (!grown) return fail(p, SN_ERROR_MEMORY, "out of memory");
        t->place = grown;
        t->place[t->columns] = find_place(p->model, word);
        if (t->place[t->columns] < TIME_COLUMN)
            return sn__scan_fail(scan, p->error, "column '%.*s' names no body of the character",
                                 word.length < 64 ? word.length : 64, word.text);
    }
    return true;
}

/* The numbers of a row; their count, -1 after an error. */
static int read_row(struct poses *p, struct sn__scan *scan, double *row, int most) {
    int count = 0;
    for (struct sn__word word; (word = sn__scan_word_in_line(scan)).length > 0; count++) {
        if (count >= most || !sn__word_number(word, &row[count])) {
            sn__scan_fail(scan, p->error,
                          count >= most ? "the row has more numbers than the character"
                                        : "'%.*s' is not a number",
                          word.length < 20 ? word.length : 20, word.text);
            return -1;
        }
    }
    return count;
}

static bool store_row(struct poses *p, struct table *t, const double *row, struct sn__scan *scan) {
    const int nq = sn_model_get(p->model)->nq, nv = sn_model_get(p->model)->nv, n = t->columns;
    const bool timed = !t->place && (n == nq + 1 || (n == nv + 1 && n != nq));
    const double even = p->n / t->rate, *value = row + timed;
    double *q = add_pose(p, timed ? row[0] : even);
    if (!q) return false;
    if (t->place) {
        for (int i = 0; i < n; i++)
            if (t->place[i] == TIME_COLUMN)
                p->time[p->n - 1] = row[i];
            else
                q[t->place[i]] = row[i];
    } else if (n - timed == nq) {
        memcpy(q, value, (size_t)nq * sizeof *q);
        p->bare = true;
    } else if (n - timed == nv) {
        sn_model_pose_add(p->model, 1, q, value, q);
    } else {
        return sn__scan_fail(scan, p->error,
                             "a row of %d numbers is neither a pose of the character (%d) nor its degrees of "
                             "freedom (%d), with or without a time",
                             n, nq, nv);
    }
    return true;
}

static bool read_table(struct poses *p, char *text, size_t size) {
    const int most = sn_model_get(p->model)->nq + 8;
    struct table t = {.rate = 30};
    for (size_t i = 0; i < size; i++)
        if (text[i] == ',' || text[i] == ';') text[i] = ' ';
    struct sn__scan scan = sn__scan_start(text, size, p->path, false);
    t.row = sn__alloc((size_t)most, sizeof *t.row);
    bool good = t.row || fail(p, SN_ERROR_MEMORY, "out of memory"), first = true;
    for (; good && scan.at < scan.end; sn__scan_next_line(&scan)) {
        struct sn__scan ahead = scan;
        const struct sn__word word = sn__scan_word_in_line(&ahead);
        double number;
        if (word.length == 0) continue;
        if (word.text[0] == '#') {
            ahead = scan;
            read_comment(p, &t, &ahead);
            scan = ahead;
            while (sn__scan_word_in_line(&scan).length > 0) {
            }
            continue;
        }
        if (first && !sn__word_number(word, &number)) {
            good = read_header(p, &t, &scan);
        } else {
            const int count = read_row(p, &scan, t.row, most);
            good = count >= 0;
            if (good && t.columns > 0 && count != t.columns)
                good = sn__scan_fail(&scan, p->error, "the row has %d numbers, not %d", count, t.columns);
            t.columns = count;
            good = good && store_row(p, &t, t.row, &scan);
        }
        first = false;
    }
    sn__free_all(t.place, t.row);
    return good && (p->n > 0 || fail(p, SN_ERROR_FORMAT, "there is not a single row"));
}

/* ------------------------------------------------------------------------------------------------------ JSON */

/* A frame has a duration before its pose, where "FrameDuration" does not give one for all. */
static bool read_frames(struct poses *p, const struct cJSON *root) {
    const struct sn__json top = sn__json_root(root, p->path), frames = sn__json_member(&top, "Frames"),
                          even = sn__json_member(&top, "FrameDuration");
    const struct sn__json before_all = sn__json_first(&frames);
    const int nq = sn_model_get(p->model)->nq;
    const bool timed = !even.value || (before_all.value && sn__json_count(&before_all) == nq + 1);
    const int count = nq + timed;
    const char *loop = "";
    double step = 0, time = 0, *row = sn__alloc((size_t)count, sizeof *row);
    bool good = row || fail(p, SN_ERROR_MEMORY, "out of memory");
    good = good && sn__json_string(&top, even.value ? "LoopMode" : "Loop", &loop, p->error) &&
           sn__json_double(&top, "FrameDuration", &step, p->error);
    p->loop = loop[0] == 'w' || loop[0] == 'W';
    for (struct sn__json f = sn__json_first(&frames); f.value && good; f = sn__json_next(&f)) {
        if (sn__json_count(&f) != count)
            good = sn__json_fail(&f, p->error, "has %d numbers; a pose of this character has %d",
                                 sn__json_count(&f), count);
        good = good && sn__json_numbers(&f, count, row, p->error);
        double *q = good ? add_pose(p, time) : NULL;
        good = q != NULL;
        if (good) memcpy(q, row + timed, (size_t)nq * sizeof *q);
        time += timed && good ? row[0] : step;
    }
    sn__free(row);
    return good && (p->n > 0 || fail(p, SN_ERROR_FORMAT, "there is no frame"));
}

/* --------------------------------------------------------------------------------------------------- their order */

static bool has_quaternions(const sn_model *model) {
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        if (sn__joint_quaternion(sn_model_body(model, i)) >= 0) return true;
    }
    return false;
}

/* Readings that differ by less than this are reported as a guess. */
static const double clear = 0.15;

/* A table: one order or the other. */
static bool order_table(struct poses *p) {
    static const struct sn__pose_reading reading[2] = {{false, false}, {true, false}};
    double margin = 1;
    if (!p->bare || !has_quaternions(p->model)) return true;
    const bool given = p->order != ORDER_OPEN;
    const int best = given ? p->order == ORDER_W_LAST
                           : sn__pose_choose(p->model, p->n, p->time, p->q, reading, 2, &margin);
    if (best < 0) return fail(p, SN_ERROR_MEMORY, "out of memory");
    sn__pose_reorder(p->model, p->n, p->q, reading[best]);
    const char *name = order_name[best ? ORDER_W_LAST : ORDER_W_FIRST], *other = best ? "wxyz" : "xyzw";
    if (!given && margin < clear)
        sn__note(
            p->options,
            "%s: quaternions are taken as %s, but the motion hardly tells; say quaternion %s if that looks "
            "wrong",
            p->path, name, other);
    else if (!given)
        sn__note(p->options, "%s: quaternions are %s, decided from where the body touches the ground",
                 p->path, name);
    return true;
}

/* Frames of JSON: as the kind of file usually has them, unless another reading is clearly better. */
static bool order_frames(struct poses *p, bool deepmimic) {
    static const struct sn__pose_reading of[2][3] = {{{true, false}, {false, false}},
                                                     {{false, true}, {true, false}, {false, false}}};
    const struct sn__pose_reading *reading = of[deepmimic];
    double margin = 0;
    if (!has_quaternions(p->model)) return true;
    int best = sn__pose_choose(p->model, p->n, p->time, p->q, reading, deepmimic ? 3 : 2, &margin);
    if (best < 0) return fail(p, SN_ERROR_MEMORY, "out of memory");
    struct sn__pose_reading chosen = reading[margin < clear ? 0 : best];
    if (p->order != ORDER_OPEN)
        chosen.w_last = p->order == ORDER_W_LAST;
    else if (chosen.w_last != reading[0].w_last || chosen.y_up != reading[0].y_up)
        sn__note(p->options,
                 "%s: quaternions are %s and z is up, decided from where the body touches the ground",
                 p->path, order_name[chosen.w_last ? ORDER_W_LAST : ORDER_W_FIRST]);
    sn__pose_reorder(p->model, p->n, p->q, chosen);
    return true;
}

/* ---------------------------------------------------------------------------------------------------- in all */

/* Whether the angles of hinges keep to their limits, 0.2 rad more or less, in nine frames of ten. */
static bool keeps_limits(const struct poses *p) {
    const size_t nq = (size_t)sn_model_get(p->model)->nq;
    int kept = 0;
    for (int k = 0; k < p->n; k++) {
        bool within = true;
        for (int i = 0; i < sn_model_get(p->model)->nbody; i++) {
            const sn_body_info *body = sn_model_body(p->model, i);
            const double angle = p->q[(size_t)k * nq + (size_t)body->q_index];
            if (sn__joint_hinges(body) == 1 && body->joint.limited)
                within = within && angle > body->joint.lower[0] - 0.2 && angle < body->joint.upper[0] + 0.2;
        }
        kept += within;
    }
    return 10 * kept >= 9 * p->n;
}

/* Numbers of the robot that clips of 19 numbers are known for may as well be those of another one with as many: they are, if
   it stands upright with them and keeps its limits. */
static bool suits(const struct cJSON *root, const char *path, const sn_model *model) {
    const sn_load_def silent = sn_load_def_default();
    struct poses p = {.model = model, .path = path, .options = &silent};
    struct sn__pose_look look = {0};
    const bool good = read_frames(&p, root) && keeps_limits(&p) && order_frames(&p, false) &&
                      sn__pose_look(model, p.n, p.time, p.q, &look) && look.upright > 0.6;
    sn__free_all(p.time, p.q);
    return good;
}

/* Whether the numbers are this character's own, rather than those of a skeleton that clips know. */
static bool are_own(const struct cJSON *root, const char *path, const sn_model *model) {
    const struct sn__json top = sn__json_root(root, path), frames = sn__json_member(&top, "Frames"),
                          even = sn__json_member(&top, "FrameDuration"), first = sn__json_first(&frames);
    const int count = first.value ? sn__json_count(&first) : 0, nq = sn_model_get(model)->nq;
    if (count != nq + 1 && !(even.value && count == nq)) return false;
    if (even.value && count == 19) return suits(root, path, model);
    return even.value || (count != 44 && count != 84);
}

/* The first line that is not a comment. */
static const char *after_comments(const char *text) {
    text += strspn(text, " \t\r\n");
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, " \t\r\n");
    }
    return text;
}

static bool is_table(const char *text, size_t size, const char *path) {
    if (sn__strange_file(text, size)) return false; /* a pointer of Git LFS is a text, too */
    text = after_comments(text);
    return *text >= ' ' && *text < 127 && strncmp(text, "PK", 2) != 0 && *text != '{' && *text != '[' &&
           *text != '<' && *text != ':' && strncmp(text, "HIERARCHY", 9) != 0 && !strstr(path, ".amc") &&
           !strstr(path, ".AMC");
}

/* Whether a line has numbers alone, two at least. */
static bool is_row(const char *line) {
    int count = 0;
    for (;; count++) {
        line += strspn(line, " \t\r,;");
        const size_t length = strcspn(line, " \t\r\n,;");
        double value;
        if (length == 0) return count > 1;
        if (!sn__word_number((struct sn__word){line, (int)(length < 256 ? length : 256)}, &value))
            return false;
        line += length;
    }
}

/* A row of numbers first, or behind one line that names them. */
static bool is_number_table(const char *text, size_t size, const char *path) {
    if (!is_table(text, size, path)) return false;
    const char *line = after_comments(text);
    return is_row(line) || is_row(after_comments(line + strcspn(line, "\n")));
}

static sn_motion *finish(struct poses *p, bool good) {
    sn_error why = {0};
    sn_motion *motion = NULL;
    for (int k = 1; k < p->n && good; k++) /* the first is at 0 */
        p->time[k] -= p->time[0];
    if (good) {
        p->time[0] = 0;
        motion = sn_motion_from_poses(p->model, p->n, p->time, p->q, p->loop, &why);
        if (!motion) sn__fail(p->error, why.status, "%s: %s", p->path, why.message);
    }
    sn__free_all(p->time, p->q);
    return motion;
}

static sn_motion *carry(const char *path, const sn_model *model, const sn_load_def *options,
                        sn_error *error) {
    sn_clip *clip = sn_clip_load(path, options, error);
    sn_motion *motion = clip ? sn_motion_create(clip, model, options->map, error) : NULL;
    sn_clip_free(clip);
    return motion;
}

static bool read_poses(struct poses *p, const struct cJSON *root, char *text, size_t size) {
    if (!root) return read_table(p, text, size) && order_table(p);
    return read_frames(p, root) && order_frames(p, !cJSON_GetObjectItemCaseSensitive(root, "FrameDuration"));
}

/* The text is changed, and has a NUL behind it. */
sn_motion *sn__poses_read(char *text, size_t size, const char *path, const sn_model *model,
                          const sn_load_def *options, bool *is_clip, sn_error *error) {
    struct poses p = {.model = model, .path = path, .options = options, .error = error};
    if (options->quaternion) p.order = order_of(options->quaternion, strlen(options->quaternion));
    struct cJSON *root = text[strspn(text, " \t\r\n")] == '{' ? sn__json_parse(text, size, path, NULL) : NULL;
    const bool own = root && are_own(root, path, model);
    const bool table = !root && is_table(text, size, path);
    sn_motion *motion = NULL;
    *is_clip = !own && !table;
    if (!*is_clip) motion = finish(&p, read_poses(&p, root, text, size));
    sn__json_free(root);
    return motion;
}

bool sn_motion_is_numbers(const char *path, const sn_model *model) {
    size_t size = 0;
    if (!path || strchr(path, '+')) return false;
    char *text = sn__file_read(path, &size, NULL);
    struct cJSON *root =
        text && text[strspn(text, " \t\r\n")] == '{' ? sn__json_parse(text, size, path, NULL) : NULL;
    const bool numbers =
        root ? model && are_own(root, path, model) : text && is_number_table(text, size, path);
    sn__json_free(root);
    sn__free(text);
    return numbers;
}

sn_motion *sn_motion_load(const char *path, const sn_model *model, const sn_load_def *options,
                          sn_error *error) {
    sn_load_def own;
    size_t size = 0;
    bool is_clip = true;
    if (!sn__load_begin(path, model, options, &own, error)) return NULL;
    options = &own;
    if (options->quaternion && !order_of(options->quaternion, strlen(options->quaternion))) {
        sn__fail(error, SN_ERROR_ARGUMENT, "quaternion is '%s', neither wxyz nor xyzw", options->quaternion);
        return NULL;
    }
    if (strchr(path, '+')) return carry(path, model, options, error); /* two files are a clip */
    char *text = sn__file_read(path, &size, error);
    if (!text) return NULL;
    sn_motion *motion = sn__poses_read(text, size, path, model, options, &is_clip, error);
    sn__free(text);
    return is_clip ? carry(path, model, options, error) : motion;
}
