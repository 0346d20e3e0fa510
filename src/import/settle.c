/* What is done to a clip of any format after it has been read. */
#include "clip/jump.h"
#include "import/load.h"
#include "import/orient.h"

bool sn__axes_for(const sn_load_def *options, int up, struct sn__axes *axes, sn_error *error) {
    const int facing = options->facing ? sn__axis_of(options->facing) : -1;
    if (options->facing && facing < 0)
        return sn__fail(error, SN_ERROR_ARGUMENT, "facing is '%s', not an axis as z or -x", options->facing),
               false;
    if (!sn__axes_up_facing(up, facing, axes))
        return sn__fail(error, SN_ERROR_ARGUMENT, "nobody faces %s where %s is up", sn__axis_name(facing),
                        sn__axis_name(up)),
               false;
    return true;
}

static bool overrule(sn_clip *clip, int usual_up, const sn_load_def *options, sn_error *error) {
    const struct sn__axes usual = sn__axes_up(usual_up);
    struct sn__axes wanted;
    const int up = options->up ? sn__axis_of(options->up) : usual_up;
    if (up < 0)
        return sn__fail(error, SN_ERROR_ARGUMENT, "up is '%s', not an axis as y or -z", options->up), false;
    if (!sn__axes_for(options, up, &wanted, error)) return false;
    wanted = sn__axes_instead(&usual, &wanted);
    sn__clip_reframe(clip, &wanted, &wanted, options->scale > 0 ? options->scale : 1);
    return true;
}

/* Without the first frames, which are a pose apart. */
static sn_clip *leave_out(sn_clip *clip, int first, const char *path, const sn_load_def *options,
                          sn_error *error) {
    const sn_clip_def *def = sn_clip_data(clip);
    sn__note(options, "%s: the first %d frame%s a pose apart, which everything jumps from: left out", path,
             first, first == 1 ? " is" : "s are");
    sn_clip *rest = sn__clip_cut(clip, def->time[first], sn__clip_duration(clip), error);
    sn_clip_free(clip);
    return rest;
}

sn_clip *sn__clip_settle(sn_clip *clip, int usual_up, const char *path, const sn_load_def *options,
                         sn_error *error) {
    if (!clip) return NULL;
    if (usual_up >= 0 && (options->up || options->facing || options->scale > 0) &&
        !overrule(clip, usual_up, options, error)) {
        sn_clip_free(clip);
        return NULL;
    }
    const int first = options->keep_first ? 0 : sn__clip_first_pose(sn_clip_data(clip));
    return first > 0 ? leave_out(clip, first, path, options, error) : clip;
}
