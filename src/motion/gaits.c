/* The motions that come with the library. */
#include "motion/gait.h"

#include "base/error.h"

#include <string.h>

static const struct {
    const char *name;
    gait_maker *make;
} motions[] = {
    {"walk", sn__gait_human},        {"run", sn__gait_human},     {"cartwheel", sn__gait_cartwheel},
    {"backflip", sn__gait_backflip}, {"pace", sn__gait_dog},      {"trot", sn__gait_dog},
    {"canter", sn__gait_dog},        {"slither", sn__gait_snake}, {"kick", sn__gait_ball},
    {"pass", sn__gait_ball},         {"catch", sn__gait_ball},
};

enum { MOTIONS = sizeof motions / sizeof *motions };

const char *sn_builtin_motion_name(int index) {
    return index >= 0 && index < MOTIONS ? motions[index].name : NULL;
}

sn_motion *sn_builtin_motion_create(const char *name, const sn_model *model, sn_error *error) {
    if (!name || !model) {
        sn__fail(error, SN_ERROR_ARGUMENT, "there is no name or no model");
        return NULL;
    }
    for (int i = 0; i < MOTIONS; i++)
        if (strcmp(motions[i].name, name) == 0) return motions[i].make(name, model, error);
    sn__fail(
        error, SN_ERROR_ARGUMENT,
        "there is no built-in motion '%.63s'; there are walk, run, cartwheel, backflip, pace, trot, canter, "
        "slither, kick, pass and catch",
        name);
    return NULL;
}
