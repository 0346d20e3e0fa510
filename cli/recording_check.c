/* Looking a recording over before anything relies on it: every count, index and checksum. */
#include "channel.h"
#include "recording.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sinew/sinew.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 100 * 1000 * 1000 };

static const cJSON *item(const cJSON *json, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(json, key);
}

static bool refuse(const char *name, const char *what, const char *why) {
    complain(EXIT_FAILED, "%s: %s %s", name, what, why);
    return false;
}

/* A whole number from lower to upper. */
static bool whole(const cJSON *json, double lower, double upper) {
    return cJSON_IsNumber(json) && json->valuedouble >= lower && json->valuedouble <= upper &&
           json->valuedouble == floor(json->valuedouble);
}

static bool numbers(const cJSON *json, int count) {
    const cJSON *each;
    if (!cJSON_IsArray(json) || cJSON_GetArraySize(json) != count) return false;
    cJSON_ArrayForEach(each, json) {
        if (!cJSON_IsNumber(each)) return false;
    }
    return true;
}

static bool check_channel(const char *name, const cJSON *owner, const char *key, size_t count,
                          struct channel *channel) {
    const char *wrong = channel_read(item(owner, key), count, channel);
    return wrong ? refuse(name, key, wrong) : true;
}

static bool check_joint(const cJSON *joint, double nv) {
    if (!cJSON_IsString(item(joint, "type")) || !numbers(item(joint, "anchor"), 3)) return false;
    if (!numbers(item(joint, "axis"), 3) || !numbers(item(joint, "axis2"), 3)) return false;
    return whole(item(joint, "ndof"), 0, 6) &&
           whole(item(joint, "dof"), 0, nv - item(joint, "ndof")->valuedouble);
}

/* Points by threes, and faces of three corners or more, each one of the points. */
static bool check_hull(const cJSON *shape) {
    const cJSON *points = item(shape, "points"), *faces = item(shape, "faces"), *face, *corner;
    const int count = cJSON_IsArray(points) ? cJSON_GetArraySize(points) : 0;
    if (count < 12 || count % 3 != 0 || !numbers(points, count) || !cJSON_IsArray(faces)) return false;
    cJSON_ArrayForEach(face, faces) {
        if (!cJSON_IsArray(face) || cJSON_GetArraySize(face) < 3) return false;
        cJSON_ArrayForEach(corner, face) {
            if (!whole(corner, 0, count / 3 - 1)) return false;
        }
    }
    return true;
}

static bool check_body(const cJSON *body, int index, double nv) {
    const cJSON *shapes = item(body, "shapes"), *shape;
    if (!cJSON_IsString(item(body, "name")) || !whole(item(body, "parent"), -1, index - 1)) return false;
    if (!numbers(item(body, "pos"), 3) || !numbers(item(body, "rot"), 4)) return false;
    if (!check_joint(item(body, "joint"), nv) || !cJSON_IsArray(shapes)) return false;
    cJSON_ArrayForEach(shape, shapes) {
        if (!cJSON_IsString(item(shape, "type")) || !numbers(item(shape, "size"), 3) ||
            !numbers(item(shape, "pos"), 3) || !numbers(item(shape, "rot"), 4))
            return false;
        if (strcmp(item(shape, "type")->valuestring, "hull") == 0 && !check_hull(shape)) return false;
    }
    return true;
}

static bool check_models(const char *name, const cJSON *root) {
    const cJSON *models = item(root, "models"), *model, *body;
    if (!cJSON_IsArray(models) || !models->child) return refuse(name, "models", "are missing");
    cJSON_ArrayForEach(model, models) {
        const cJSON *bodies = item(model, "bodies");
        int index = 0;
        if (!cJSON_IsArray(bodies) || !bodies->child || !whole(item(model, "nv"), 0, 6 * SN_MAX_BODIES))
            return refuse(name, "models", "have no bodies");
        cJSON_ArrayForEach(body, bodies) {
            if (!check_body(body, index++, item(model, "nv")->valuedouble))
                return refuse(name, "models", "have a body that is not sound");
        }
    }
    return true;
}

/* Number of frames of a character: all, or "frames" of them from "first" on; -1: impossible values. */
static double span_of(const cJSON *character, double frames) {
    const cJSON *first = item(character, "first"), *count = item(character, "frames");
    if (!first && !count) return frames;
    if (!whole(first, 0, frames) || !whole(count, 0, frames - first->valuedouble)) return -1;
    return count->valuedouble;
}

static bool check_character(const char *name, const cJSON *character, const cJSON *model, size_t frames) {
    const double span = span_of(character, (double)frames);
    if (span < 0) return refuse(name, "characters", "have frames that are not there");
    const size_t own = (size_t)span, nbody = (size_t)cJSON_GetArraySize(item(model, "bodies"));
    const size_t nv = (size_t)item(model, "nv")->valuedouble;
    if (!check_channel(name, character, "root", 3 * own, NULL) ||
        !check_channel(name, character, "position", 3 * nbody * own, NULL) ||
        !check_channel(name, character, "rotation", 4 * nbody * own, NULL))
        return false;
    return !item(character, "torque") || check_channel(name, character, "torque", nv * own, NULL);
}

static bool check_characters(const char *name, const cJSON *root, size_t frames) {
    const cJSON *models = item(root, "models"), *characters = item(root, "characters"), *one;
    if (!cJSON_IsArray(characters) || !characters->child) return refuse(name, "characters", "are missing");
    cJSON_ArrayForEach(one, characters) {
        if (!whole(item(one, "model"), 0, cJSON_GetArraySize(models) - 1))
            return refuse(name, "characters", "name a model that is not there");
        const cJSON *model = cJSON_GetArrayItem(models, item(one, "model")->valueint);
        if (!check_character(name, one, model, frames)) return false;
    }
    return true;
}

static bool check_contacts(const char *name, const cJSON *contacts, size_t frames) {
    struct channel count = {0};
    size_t total = 0;
    if (!contacts) return true;
    if (!check_channel(name, contacts, "count", frames, &count)) return false;
    bool sane = true;
    for (size_t i = 0; i < count.count; i++) {
        sane = sane && count.value[i] >= 0;
        total += sane ? (size_t)count.value[i] : 0;
    }
    channel_free(&count);
    if (!sane) return refuse(name, "count", "of contacts is below 0");
    return check_channel(name, contacts, "who", 4 * total, NULL) &&
           check_channel(name, contacts, "point", 3 * total, NULL) &&
           check_channel(name, contacts, "force", 3 * total, NULL);
}

static bool check_version(const char *name, const cJSON *root) {
    const cJSON *version = item(root, "version");
    const char *format = cJSON_GetStringValue(item(root, "format"));
    if (!format || strcmp(format, "sinew-recording") != 0) return refuse(name, "this", "is not a recording");
    if (!whole(version, 1, 1e6)) return refuse(name, "version", "is missing");
    if (version->valueint > RECORDING_VERSION) {
        complain(EXIT_FAILED, "%s: of format version %d, and this command knows up to %d: use a newer sinew",
                 name, version->valueint, RECORDING_VERSION);
        return false;
    }
    if (version->valueint < RECORDING_VERSION)
        return refuse(name, "version", "1 is no longer read: record it again");
    return true;
}

static bool check(const char *name, const cJSON *root, struct recording_facts *facts) {
    struct channel time = {0};
    if (!check_version(name, root)) return false;
    const cJSON *count = item(root, "frames"), *rate = item(root, "rate"), *errors = item(root, "errors"), *e;
    if (!whole(count, 1, MOST_FRAMES)) return refuse(name, "frames", "are missing");
    if (!cJSON_IsNumber(rate) || !(rate->valuedouble > 0)) return refuse(name, "rate", "is missing");
    const size_t frames = (size_t)count->valuedouble;
    if (!check_models(name, root) || !check_characters(name, root, frames)) return false;
    cJSON_ArrayForEach(e, errors) {
        if (!check_channel(name, errors, e->string, frames, NULL)) return false;
    }
    if (!check_contacts(name, item(root, "contacts"), frames)) return false;
    if (!check_channel(name, root, "time", frames, &time)) return false;
    const cJSON *model = item(root, "models")->child;
    *facts = (struct recording_facts){.version = item(root, "version")->valueint,
                                      .frames = count->valueint,
                                      .nbody = cJSON_GetArraySize(item(model, "bodies")),
                                      .rate = rate->valuedouble,
                                      .seconds = (double)time.value[frames - 1]};
    channel_free(&time);
    return true;
}

bool recording_check(const char *text, const char *name, struct recording_facts *facts) {
    const char *end = text;
    cJSON *root = cJSON_ParseWithOpts(text, &end, true);
    bool good = cJSON_IsObject(root);
    if (!good)
        complain(EXIT_FAILED, "%s: not a recording, or cut off: no JSON after byte %ld", name,
                 (long)(end - text));
    else
        good = check(name, root, facts);
    cJSON_Delete(root);
    return good;
}
