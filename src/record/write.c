/* The recording as JSON text. */
#include "clip/clip.h"
#include "record/record.h"

#include "base/memory.h"

#include <string.h>
#include <strings.h>

static void write_models(struct sn__text *t, const sn_recorder *r) {
    sn__text_add(t, ",\"models\":[");
    for (int i = 0; i < r->nmodel; i++)
        sn__text_add(t, "%s%s", i ? "," : "", r->model[i].json);
    sn__text_add(t, "]");
}

static void write_character(struct sn__text *t, const sn_recorder *r, const struct sn__record_character *c) {
    const int nbody = r->model[c->model].nbody, nv = r->model[c->model].nv;
    sn__text_add(t, "{\"role\":");
    sn__text_json_string(t, c->role);
    sn__text_add(t, ",\"model\":%d", c->model);
    if (c->member >= 0) sn__text_add(t, ",\"member\":%d,\"copy\":%d", c->member, c->copy);
    if (c->frames != r->frames) sn__text_add(t, ",\"first\":%d,\"frames\":%d", c->first, c->frames);
    sn__text_add(t, ",\"root\":");
    sn__channel_write(t, &c->root, 3 * c->frames, SN__CHANNEL_F32);
    sn__text_add(t, ",\"position\":");
    sn__channel_write(t, &c->position, 3 * nbody * c->frames, SN__CHANNEL_I16);
    sn__text_add(t, ",\"rotation\":");
    sn__channel_write(t, &c->rotation, 4 * nbody * c->frames, SN__CHANNEL_I16);
    if (c->torque.count > 0) {
        sn__text_add(t, ",\"torque\":");
        sn__channel_write(t, &c->torque, nv * c->frames, SN__CHANNEL_F32);
    }
    sn__text_add(t, "}");
}

static void write_numbers(struct sn__text *t, const sn_recorder *r) {
    sn__text_add(t, ",\"errors\":{");
    for (int i = 0; i < r->nnumber; i++) {
        if (i) sn__text_add(t, ",");
        sn__text_json_string(t, r->number[i].name);
        sn__text_add(t, ":");
        sn__channel_write(t, &r->number[i].channel, r->frames, SN__CHANNEL_F32);
    }
    sn__text_add(t, "}");
}

static void write_contacts(struct sn__text *t, const sn_recorder *r) {
    int total = 0;
    for (int i = 0; i < r->frames; i++)
        total += (int)r->contact_count.value[i];
    sn__text_add(t, ",\"contacts\":{\"count\":");
    sn__channel_write(t, &r->contact_count, r->frames, SN__CHANNEL_WHOLE);
    sn__text_add(t, ",\"who\":");
    sn__channel_write(t, &r->contact_who, 4 * total, SN__CHANNEL_WHOLE);
    sn__text_add(t, ",\"point\":");
    sn__channel_write(t, &r->contact_point, 3 * total, SN__CHANNEL_F32);
    sn__text_add(t, ",\"force\":");
    sn__channel_write(t, &r->contact_force, 3 * total, SN__CHANNEL_F32);
    sn__text_add(t, "}");
}

static void write_events(struct sn__text *t, const sn_recorder *r) {
    sn__text_add(t, ",\"events\":[");
    for (int i = 0; i < r->nevent; i++) {
        sn__text_add(t, "%s{\"time\":", i ? "," : "");
        sn__text_number(t, r->event[i].time);
        sn__text_add(t, ",\"kind\":");
        sn__text_json_string(t, r->event[i].kind);
        sn__text_add(t, ",\"text\":");
        sn__text_json_string(t, r->event[i].text);
        sn__text_add(t, "}");
    }
    sn__text_add(t, "]");
}

static void write_all(struct sn__text *t, const sn_recorder *r) {
    sn__text_add(t, "{\"format\":\"sinew-recording\",\"version\":2,\"sinew\":\"%s\",\"rate\":", sn_version());
    sn__text_number(t, r->def.rate);
    write_models(t, r);
    for (int i = 0; i < r->nnote; i++) {
        sn__text_add(t, ",");
        sn__text_json_string(t, r->note[i].key);
        sn__text_add(t, ":%s", r->note[i].json);
    }
    sn__text_add(t, ",\"frames\":%d", r->frames);
    write_events(t, r);
    sn__text_add(t, ",\"time\":");
    sn__channel_write(t, &r->time, r->frames, SN__CHANNEL_F32);
    sn__text_add(t, ",\"characters\":[");
    for (int i = 0; i < r->ncharacter && r->character[i].frames > 0; i++) { /* none: of a frame that failed */
        if (i) sn__text_add(t, ",");
        write_character(t, r, &r->character[i]);
    }
    sn__text_add(t, "]");
    write_numbers(t, r);
    if (r->def.contacts) write_contacts(t, r);
    sn__text_add(t, "}");
}

const char *sn_recorder_text(sn_recorder *r, size_t *size) {
    struct sn__text t = {0};
    size_t own;
    if (!r || r->frames == 0 || (r->nmodel > 0 && !r->model[0].json)) return NULL;
    sn__free(r->text);
    write_all(&t, r);
    r->text = sn__text_take(&t, size ? size : &own);
    return r->text;
}

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

static sn_status save_bvh(const sn_recorder *r, const char *path, sn_error *error) {
#ifdef SN__HAVE_IMPORT
    size_t size;
    sn_error why = {0};
    sn_clip *clip = sn__record_clip(r, &why);
    if (!clip) return sn__fail(error, why.status, "%s: %s", path, why.message);
    char *text = sn__bvh_write(clip, &size);
    sn_clip_free(clip);
    const sn_status status = text ? sn__file_write(path, text, size, error)
                                  : sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    sn__free(text);
    return status;
#else
    (void)r;
    return sn__fail(error, SN_ERROR_UNSUPPORTED, "%s: this build of the library writes no BVH", path);
#endif
}

static sn_status save_glb(const sn_recorder *r, const char *path, sn_error *error) {
    size_t size;
    char *file = sn__record_glb(r, &size);
    const sn_status status = file ? sn__file_write(path, file, size, error)
                                  : sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    sn__free(file);
    return status;
}

sn_status sn_recorder_save(sn_recorder *r, const char *path, sn_error *error) {
    size_t size;
    if (!r || !path) return sn__fail(error, SN_ERROR_ARGUMENT, "there is no recorder or no path");
    if (r->frames == 0) return sn__fail(error, SN_ERROR_ARGUMENT, "%s: no frame was taken", path);
    if (ends_with(path, ".bvh")) return save_bvh(r, path, error);
    if (ends_with(path, ".glb")) return save_glb(r, path, error);
    if (r->nmodel > 0 && !r->model[0].json)
        return sn__fail(error, SN_ERROR_ARGUMENT, "%s: a recording that was read is written as .bvh or .glb",
                        path);
    const char *text = sn_recorder_text(r, &size);
    if (!text) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory for the recording", path);
    const sn_status status = sn__file_write(path, text, size, error);
    sn__free(r->text);
    r->text = NULL;
    return status;
}
