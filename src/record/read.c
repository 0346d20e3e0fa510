/* A recording read back, so that it can be written in another format. What only people read (settings, results, events)
 * and what has no place in other formats (contacts, torques, numbers per frame) is passed over. */
#include "record/record.h"

#ifndef SN__HAVE_IMPORT

sn_recorder *sn_recorder_load(const char *path, sn_error *error) {
    sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: this build of the library reads no files", path ? path : "");
    return NULL;
}

#else

#include "base/memory.h"
#include "base/quat.h"
#include "import/json.h"
#include "import/load.h"
#include "model/shape.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 1 << 24 };

/* -------------------------------------------------------------------------------------------------- channels */

static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The bytes of base64 text, exactly `size` of them. */
static bool read_base64(const char *text, uint8_t *bytes, size_t size) {
    size_t at = 0;
    uint32_t word = 0;
    int digits = 0;
    for (; *text && *text != '='; text++) {
        const int digit = digit_of(*text);
        if (digit < 0) return false;
        word = word << 6 | (uint32_t)digit;
        if (++digits < 4) continue;
        for (int k = 16; k >= 0; k -= 8) {
            if (at >= size) return false;
            bytes[at++] = (uint8_t)(word >> k);
        }
        word = 0, digits = 0;
    }
    for (int k = 0; k < digits - 1; k++) { /* two digits are one byte more, three are two */
        if (at >= size) return false;
        bytes[at++] = (uint8_t)(word << (6 * (4 - digits)) >> (16 - 8 * k));
    }
    return at == size;
}

static double number_at(const uint8_t *bytes, size_t i, bool wide, double scale) {
    if (wide) {
        const uint8_t *b = bytes + 4 * i;
        const uint32_t bits =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    const uint8_t *b = bytes + 2 * i;
    return scale * (double)(int16_t)((uint16_t)b[0] | (uint16_t)(b[1] << 8));
}

static bool read_channel(const struct sn__json *object, const char *key, int count,
                         struct sn__channel *channel, sn_error *error) {
    const struct sn__json place = sn__json_member(object, key);
    const char *type = "", *data = "", *crc = "";
    double scale = 1;
    if (!sn__json_is_object(&place)) return sn__json_fail(&place, error, "should be a channel");
    if (!sn__json_string(&place, "type", &type, error) || !sn__json_string(&place, "data", &data, error) ||
        !sn__json_string(&place, "crc", &crc, error) || !sn__json_double(&place, "scale", &scale, error))
        return false;
    const bool wide = strcmp(type, "f32") == 0;
    if (!wide && strcmp(type, "i16") != 0) return sn__json_fail(&place, error, "its type is '%.16s'", type);
    const size_t size = (size_t)count * (wide ? 4 : 2);
    uint8_t *bytes = sn__alloc(size, 1);
    char sum[16];
    bool good = bytes != NULL;
    if (!bytes) sn__fail(error, SN_ERROR_MEMORY, "out of memory");
    if (good && !read_base64(data, bytes, size))
        good = sn__json_fail(&place, error, "does not hold %d numbers", count);
    if (good) snprintf(sum, sizeof sum, "%08x", (unsigned)sn__channel_checksum(bytes, size));
    if (good && strcmp(sum, crc) != 0)
        good = sn__json_fail(&place, error, "is damaged: its checksum is wrong");
    for (int i = 0; i < count && good; i++) {
        const double value = number_at(bytes, (size_t)i, wide, scale);
        good = isfinite(value) ? sn__channel_add(channel, &value, 1) ||
                                     (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false)
                               : sn__json_fail(&place, error, "number %d is not finite", i);
    }
    sn__free(bytes);
    return good;
}

/* ---------------------------------------------------------------------------------------------------- models */

static bool read_shape(struct sn__figure *figure, const struct sn__json *place, sn_error *error) {
    struct sn__figure_shape shape = {.rot = {1, 0, 0, 0}};
    const char *name = "";
    if (!sn__json_string(place, "type", &name, error) ||
        !sn__json_doubles(place, "size", 3, shape.size, error) ||
        !sn__json_doubles(place, "pos", 3, shape.pos, error) ||
        !sn__json_doubles(place, "rot", 4, shape.rot, error))
        return false;
    const int type = sn__shape_type(name);
    if (type < 0) return true; /* a shape of later days is left out */
    shape.type = (sn_shape_type)type;
    for (int k = 0; k < sn__shape_nsize(shape.type); k++)
        if (!(shape.size[k] >= 0)) return sn__json_fail(place, error, "has a size below 0");
    if (!dquat_normalise(shape.rot)) return sn__json_fail(place, error, "has no orientation");
    if (shape.type == SN_SHAPE_HULL && !(shape.hull = sn__json_hull(place, error))) return false;
    return sn__figure_add_shape(figure, &shape) || (sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false);
}

static bool read_body(struct sn__figure *figure, const struct sn__json *place, sn_error *error) {
    struct sn__figure_body body = {.parent = -1, .rot = {1, 0, 0, 0}};
    const char *name = "";
    const struct sn__json joint = sn__json_member(place, "joint"), shapes = sn__json_member(place, "shapes");
    if (!sn__json_string(place, "name", &name, error) ||
        !sn__json_int(place, "parent", &body.parent, error) ||
        !sn__json_doubles(place, "pos", 3, body.pos, error) ||
        !sn__json_doubles(place, "rot", 4, body.rot, error))
        return false;
    if (sn__json_is_object(&joint) && !sn__json_doubles(&joint, "anchor", 3, body.anchor, error))
        return false;
    if (body.parent >= figure->nbody || body.parent < -1)
        return sn__json_fail(place, error, "its parent %d does not stand before it", body.parent);
    if (!dquat_normalise(body.rot)) return sn__json_fail(place, error, "has no orientation");
    snprintf(body.name, sizeof body.name, "%s", name);
    if (!sn__figure_add_body(figure, &body)) return sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false;
    for (struct sn__json s = sn__json_first(&shapes); s.value; s = sn__json_next(&s))
        if (!read_shape(figure, &s, error)) return false;
    return true;
}

static bool read_models(sn_recorder *r, const struct sn__json *top, sn_error *error) {
    const struct sn__json models = sn__json_member(top, "models");
    for (struct sn__json m = sn__json_first(&models); m.value; m = sn__json_next(&m)) {
        struct sn__record_model *grown = sn__grow(r->model, &r->model_room, r->nmodel + 1, sizeof *grown);
        if (!grown) return sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false;
        r->model = grown;
        struct sn__record_model *model = &r->model[r->nmodel++];
        *model = (struct sn__record_model){0};
        const struct sn__json bodies = sn__json_member(&m, "bodies");
        for (struct sn__json b = sn__json_first(&bodies); b.value; b = sn__json_next(&b))
            if (!read_body(&model->figure, &b, error)) return false;
        model->nbody = model->figure.nbody;
        if (model->nbody == 0) return sn__json_fail(&m, error, "has no bodies");
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ characters */

static bool read_character(sn_recorder *r, const struct sn__json *place, sn_error *error) {
    struct sn__record_character c = {.member = -1, .copy = -1, .frames = r->frames};
    const char *role = "simulated";
    if (!sn__json_string(place, "role", &role, error) || !sn__json_int(place, "model", &c.model, error) ||
        !sn__json_int(place, "first", &c.first, error) || !sn__json_int(place, "frames", &c.frames, error))
        return false;
    if (c.model < 0 || c.model >= r->nmodel)
        return sn__json_fail(place, error, "there is no model %d", c.model);
    if (c.first < 0 || c.frames < 1 || c.first > r->frames - c.frames)
        return sn__json_fail(place, error, "its frames are not those of the recording");
    const int nbody = r->model[c.model].nbody;
    if (c.frames > INT_MAX / 16 / nbody) return sn__json_fail(place, error, "it is too large");
    struct sn__record_character *grown =
        sn__grow(r->character, &r->character_room, r->ncharacter + 1, sizeof *grown);
    if (!grown) return sn__fail(error, SN_ERROR_MEMORY, "out of memory"), false;
    r->character = grown;
    snprintf(c.role, sizeof c.role, "%.31s", role);
    r->character[r->ncharacter] = c;
    struct sn__record_character *own = &r->character[r->ncharacter++];
    return read_channel(place, "root", 3 * c.frames, &own->root, error) &&
           read_channel(place, "position", 3 * nbody * c.frames, &own->position, error) &&
           read_channel(place, "rotation", 4 * nbody * c.frames, &own->rotation, error);
}

static bool read_all(sn_recorder *r, const struct sn__json *top, sn_error *error) {
    const char *format = "";
    int version = 0;
    if (!sn__json_string(top, "format", &format, error) || !sn__json_int(top, "version", &version, error) ||
        !sn__json_int(top, "frames", &r->frames, error))
        return false;
    if (strcmp(format, "sinew-recording") != 0) return sn__json_fail(top, error, "it is not a recording");
    if (version != 2) return sn__json_fail(top, error, "version %d is not known", version);
    if (r->frames < 1 || r->frames > MOST_FRAMES)
        return sn__json_fail(top, error, "%d frames are none, or too many", r->frames);
    if (!read_channel(top, "time", r->frames, &r->time, error) || !read_models(r, top, error)) return false;
    for (int k = 1; k < r->frames; k++)
        if (!(r->time.value[k] > r->time.value[k - 1]))
            return sn__json_fail(top, error, "frame %d does not come after the one before", k);
    const struct sn__json list = sn__json_member(top, "characters");
    for (struct sn__json c = sn__json_first(&list); c.value; c = sn__json_next(&c))
        if (!read_character(r, &c, error)) return false;
    return true;
}

sn_recorder *sn__recorder_parse(const char *text, size_t size, const char *path, sn_error *error) {
    sn_recorder *r = sn_recorder_create(NULL, NULL, error);
    struct cJSON *root = r ? sn__json_parse(text, size, path, error) : NULL;
    bool good = false;
    if (root) {
        const struct sn__json top = sn__json_root(root, path);
        good = read_all(r, &top, error);
    }
    sn__json_free(root);
    if (good) {
        r->failed = SN_ERROR_ARGUMENT; /* no more frames */
        return r;
    }
    sn_recorder_free(r);
    return NULL;
}

sn_recorder *sn_recorder_load(const char *path, sn_error *error) {
    size_t size;
    sn__succeed(error);
    if (!path) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no path");
        return NULL;
    }
    char *text = sn__file_read(path, &size, error);
    sn_recorder *r = text ? sn__recorder_parse(text, size, path, error) : NULL;
    sn__free(text);
    return r;
}

#endif
