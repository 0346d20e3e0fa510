/* Acclaim motions, for the skeleton of an ASF.
 *
 * A frame is its number on a line, then a line a bone with its name and a value for each of its degrees of freedom. With
 * C the axes of the bone and R the product of its angles, that named first turning first, the joint turns by C R C^-1
 * against its parent in the world-aligned rest frames of a clip. A bone that a frame leaves out is at rest.
 * Files say nothing of time unless they have :samples-per-second: 120 frames a second then, as CMU recorded. */
#include "base/memory.h"
#include "base/quat.h"
#include "import/asf.h"
#include "import/load.h"
#include "import/readers.h"
#include "import/source.h"

#include <stdio.h>
#include <string.h>

#define QUOTE(word) ((word).length < 20 ? (word).length : 20), (word).text

struct amc {
    struct sn__scan scan;
    const sn_load_def *options;
    sn_error *error;
    struct asf asf;
    struct clip_draft draft;
    double rate;
    bool degrees, moves_warned, number_warned;
};

static void store_bone(struct amc *amc, const struct asf_bone *bone, const double *value) {
    const int frame = amc->draft.nframe - 1;
    double R[4], back[4], *position = amc->draft.position + 3 * (size_t)frame;
    dquat_identity(R);
    for (int i = 0; i < bone->ndof; i++) {
        const int kind = bone->dof[i];
        if (kind >= ASF_RX && kind <= ASF_RZ) {
            double turn[3] = {0}, q[4];
            turn[kind - ASF_RX] = value[i] * (amc->degrees ? M_PI / 180 : 1);
            dquat_exp(turn, q);
            dquat_multiply(q, R, R);
        } else if (bone == amc->asf.bone && kind <= ASF_TZ) {
            position[kind] = amc->asf.metres * (amc->asf.position[kind] + value[i]);
        } else if (!amc->moves_warned) {
            amc->moves_warned = true;
            sn__warn(amc->options, "%s:%d: bone '%s' changes its place or length; that is left out",
                     amc->scan.path, amc->scan.line, bone->name);
        }
    }
    if (bone == amc->asf.bone) asf_turn(position);
    dquat_multiply(bone->axes, R, R);
    dquat_conjugate(bone->axes, back);
    dquat_multiply(R, back, R);
    asf_turn(R + 1);
    memcpy(sn__draft_rotation(&amc->draft, frame, bone->joint), R, sizeof R);
}

static bool begin_frame(struct amc *amc, double number) {
    const int frame = amc->draft.nframe;
    if (number != frame + 1 && !amc->number_warned) {
        amc->number_warned = true;
        sn__warn(amc->options, "%s:%d: frame number %g follows frame %d", amc->scan.path, amc->scan.line,
                 number, frame);
    }
    return sn__draft_add_frame(&amc->draft, (double)frame / amc->rate, amc->error);
}

static bool read_bone_line(struct amc *amc, struct sn__word name, int *near) {
    const int at = sn__asf_find(&amc->asf, name, *near);
    double value[ASF_DOF_KINDS];
    int count = 0;
    if (at < 0) return sn__scan_fail(&amc->scan, amc->error, "there is no bone '%.*s'", QUOTE(name));
    if (amc->draft.nframe == 0)
        return sn__scan_fail(&amc->scan, amc->error, "a bone before the first frame's number");
    const struct asf_bone *bone = &amc->asf.bone[at];
    for (struct sn__word word; (word = sn__scan_word_in_line(&amc->scan)).length > 0; count++) {
        if (count >= bone->ndof)
            return sn__scan_fail(&amc->scan, amc->error, "bone '%s' has more than %d values", bone->name,
                                 bone->ndof);
        if (!sn__word_number(word, &value[count]))
            return sn__scan_fail(&amc->scan, amc->error, "'%.*s' is not a number", QUOTE(word));
    }
    if (count < bone->ndof)
        return sn__scan_fail(&amc->scan, amc->error, "bone '%s' has %d values, not %d", bone->name, count,
                             bone->ndof);
    store_bone(amc, bone, value);
    *near = at + 1;
    return true;
}

static bool read_keyword(struct amc *amc, struct sn__word word) {
    if (sn__word_is(word, ":degrees")) amc->degrees = true;
    if (sn__word_is(word, ":radians")) amc->degrees = false;
    if (!sn__word_is(word, ":samples-per-second")) return true; /* others do not change what is read */
    if (!sn__scan_numbers(&amc->scan, 1, &amc->rate, ":samples-per-second", amc->error)) return false;
    return (amc->rate > 0 && amc->rate <= 1e6) ||
           sn__scan_fail(&amc->scan, amc->error, ":samples-per-second %g is not a rate between 0 and 1e6",
                         amc->rate);
}

static bool read_frames(struct amc *amc) {
    int near = 0;
    for (struct sn__word word; (word = sn__scan_word(&amc->scan)).length > 0;) {
        double number;
        if (word.text[0] == ':') {
            if (!read_keyword(amc, word)) return false;
        } else if (sn__word_number(word, &number)) {
            if (!begin_frame(amc, number)) return false;
            near = 0;
        } else if (!read_bone_line(amc, word, &near)) {
            return false;
        }
    }
    return amc->draft.nframe > 0 || sn__scan_fail(&amc->scan, amc->error, "there is no frame");
}

sn_clip *sn__asf_amc_read(const struct sn__source *asf, const struct sn__source *motion,
                          const sn_load_def *options, sn_error *error) {
    struct amc amc = {.scan = sn__scan_start(motion->text, motion->size, motion->path, true),
                      .options = options,
                      .error = error,
                      .rate = 120};
    char where[960];
    sn_clip *clip = NULL;
    sn_error why = {0};
    if (sn__asf_parse(&amc.asf, asf->text, asf->size, asf->path, error)) {
        amc.degrees = amc.asf.degrees;
        if (!sn__asf_joints(&amc.asf, &amc.draft, &why)) {
            sn__fail(error, why.status, "%s: %s", asf->path, why.message);
        } else if (read_frames(&amc)) {
            snprintf(where, sizeof where, "%.950s: ", motion->path);
            clip = sn__draft_finish(&amc.draft, where, error);
        }
    }
    sn__draft_release(&amc.draft);
    sn__asf_release(&amc.asf);
    return clip;
}
