/* Sinew's own clips, exact: what is written reads back as the same bits.
 *
 *   {"format": "sinew-clip", "version": 1, "loop": true,
 *    "joints": [{"name": "root", "parent": -1, "offset": [0, 0, 0]}, ...],
 *    "frames": [{"time": 0, "position": [x, y, z], "rotation": [w, x, y, z,  w, x, y, z, ...]}, ...]} */
#include "import/json.h"
#include "import/load.h"
#include "import/readers.h"
#include "base/text.h"

#include "base/memory.h"
#include "clip/clip.h"

#include <stdio.h>
#include <string.h>

static bool read_joints(struct clip_draft *draft, const struct sn__json *top, sn_error *error) {
    const struct sn__json joints = sn__json_member(top, "joints");
    if (!sn__json_is_array(&joints) || sn__json_count(&joints) == 0)
        return sn__json_fail(&joints, error, "should be an array of joints");
    for (struct sn__json place = sn__json_first(&joints); place.value; place = sn__json_next(&place)) {
        const char *name = NULL;
        int parent = -1;
        double offset[3] = {0};
        sn_error why = {0};
        if (!sn__json_is_object(&place)) return sn__json_fail(&place, error, "should be an object");
        if (!sn__json_need(&place, "name", error) || !sn__json_string(&place, "name", &name, error) ||
            !sn__json_int(&place, "parent", &parent, error) ||
            !sn__json_doubles(&place, "offset", 3, offset, error))
            return false;
        if (!sn__draft_add_joint(draft, name, parent, offset, &why))
            return sn__json_fail(&place, error, "%s", why.message);
    }
    return true;
}

static bool read_frames(struct clip_draft *draft, const struct sn__json *top, sn_error *error) {
    const struct sn__json frames = sn__json_member(top, "frames");
    if (!sn__json_is_array(&frames) || sn__json_count(&frames) == 0)
        return sn__json_fail(&frames, error, "should be an array of frames");
    for (struct sn__json place = sn__json_first(&frames); place.value; place = sn__json_next(&place)) {
        const size_t at = (size_t)draft->nframe;
        double time = 0;
        sn_error why = {0};
        if (!sn__json_is_object(&place)) return sn__json_fail(&place, error, "should be an object");
        if (!sn__json_need(&place, "time", error) || !sn__json_double(&place, "time", &time, error) ||
            !sn__json_need(&place, "rotation", error))
            return false;
        if (!sn__draft_add_frame(draft, time, &why)) return sn__json_fail(&place, error, "%s", why.message);
        if (!sn__json_doubles(&place, "position", 3, draft->position + 3 * at, error) ||
            !sn__json_doubles(&place, "rotation", 4 * draft->njoint, sn__draft_rotation(draft, (int)at, 0),
                              error))
            return false;
    }
    return true;
}

sn_clip *sn__clip_json_read(const struct cJSON *root, const char *path, const sn_load_def *options,
                            sn_error *error) {
    (void)options;
    const struct sn__json top = sn__json_root(root, path);
    struct clip_draft draft = {0};
    int version = 1;
    char where[960];
    snprintf(where, sizeof where, "%.950s: ", path);
    bool good =
        sn__json_int(&top, "version", &version, error) && sn__json_bool(&top, "loop", &draft.loop, error);
    if (good && version != 1) {
        const struct sn__json place = sn__json_member(&top, "version");
        good = sn__json_fail(&place, error, "%d is not known; this library reads version 1", version);
    }
    if (good && read_joints(&draft, &top, error) && read_frames(&draft, &top, error))
        return sn__draft_finish(&draft, where, error);
    sn__draft_release(&draft);
    return NULL;
}

char *sn__clip_json_write(const sn_clip *clip, size_t *size) {
    const sn_clip_def *def = &clip->def;
    struct sn__text text = {0};
    sn__text_add(&text, "{\n\"format\": \"sinew-clip\",\n\"version\": 1,\n\"loop\": %s,\n\"joints\": [",
                 def->loop ? "true" : "false");
    for (int i = 0; i < def->njoint; i++) {
        sn__text_add(&text, "%s\n{\"name\": ", i > 0 ? "," : "");
        sn__text_json_string(&text, def->joint[i].name);
        sn__text_add(&text, ", \"parent\": %d, \"offset\": [", def->joint[i].parent);
        sn__text_numbers(&text, def->joint[i].offset, 3, ", ");
        sn__text_add(&text, "]}");
    }
    sn__text_add(&text, "],\n\"frames\": [");
    for (int k = 0; k < def->nframe; k++) {
        sn__text_add(&text, "%s\n{\"time\": ", k > 0 ? "," : "");
        sn__text_number(&text, def->time[k]);
        sn__text_add(&text, ", \"position\": [");
        sn__text_numbers(&text, def->position + 3 * (size_t)k, 3, ", ");
        sn__text_add(&text, "], \"rotation\": [");
        sn__text_numbers(&text, def->rotation + 4 * (size_t)k * (size_t)def->njoint, 4 * def->njoint, ", ");
        sn__text_add(&text, "]}");
    }
    sn__text_add(&text, "]\n}\n");
    return sn__text_take(&text, size);
}
