/* Several changes of a clip in one call. */
#include "base/definition.h"
#include "clip/clip.h"

/* The next clip in the place of the one before, which is freed unless it is the user's. */
static bool follow(const sn_clip *given, sn_clip **clip, sn_clip *next) {
    if (*clip != given) sn_clip_free(*clip);
    *clip = next;
    return next != NULL;
}

sn_clip *sn_clip_edit(const sn_clip *given, const sn_clip_edit_def *edit, sn_error *error) {
    sn_clip_edit_def d;
    if (!sn__definition_take("sn_clip_edit_def", edit, &d, error)) return NULL;
    if (!given) {
        sn__fail(error, SN_ERROR_ARGUMENT, "The clip is NULL.");
        return NULL;
    }
    if (sn__definition_check("sn_clip_edit_def", &d, "", SN_ERROR_ARGUMENT, error)) return NULL;
    sn_clip *clip = (sn_clip *)given; /* never changed: every step makes a new one */
    const double end = d.end > 0 ? d.end : sn__clip_duration(given);
    bool good = true;
    if (d.start > 0 || d.end > 0) good = follow(given, &clip, sn__clip_cut(clip, d.start, end, error));
    if (good && d.mirror) good = follow(given, &clip, sn__clip_mirror(clip, error));
    if (good && d.factor != 1) good = follow(given, &clip, sn__clip_warp(clip, d.factor, error));
    if (good && d.plant) good = follow(given, &clip, sn__clip_plant(clip, error));
    if (good && d.ground) good = follow(given, &clip, sn__clip_ground(clip, error));
    if (good && d.other) good = follow(given, &clip, sn__clip_blend(clip, d.other, d.weight, error));
    if (good && d.ease > 0) good = follow(given, &clip, sn__clip_ease(clip, d.ease, error));
    if (good && d.rate > 0) good = follow(given, &clip, sn__clip_resample(clip, d.rate, error));
    if (!good) return NULL;
    return clip == given ? sn_clip_create(&given->def, error) : clip;
}
