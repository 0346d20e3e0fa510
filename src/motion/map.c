/* Which joint of a clip drives which body of a model: by a map that is given, by equal names, or by what names mean.
 *
 * Names are compared without namespace ("mixamorig:"), case and signs, their side taken off: LeftUpLeg, lThigh, lfemur,
 * left_hip and thigh.L are all the left thigh. A role lists its names by preference, because one convention's shoulder is
 * another's upper arm. */
#include "motion/map.h"

#include "base/error.h"
#include "clip/clip.h"

#include <string.h>

struct role {
    bool sides;
    const char *names[12]; /* the first that is there counts */
};

/* clang-format off */
static const struct role roles[] = {
    {false, {"pelvis", "hips", "root", "hip"}},
    {false, {"chest", "thorax", "spine3", "spine2", "upperchest", "spine1", "torso", "spine"}},
    {false, {"head", "neck1", "upperneck", "neck"}},
    {true,  {"upperarm", "uparm", "humerus", "arm", "shldr", "shoulder"}},
    {true,  {"forearm", "lowerarm", "loarm", "radius", "elbow"}},
    {true,  {"hand", "wrist"}},
    {true,  {"thigh", "upperleg", "upleg", "femur", "hip"}},
    {true,  {"shin", "lowerleg", "loleg", "calf", "tibia", "knee", "leg"}},
    {true,  {"foot", "ankle"}},
    {true,  {"toe", "toes", "toebase"}},
};
/* clang-format on */

enum { ROLES = sizeof roles / sizeof *roles, NAMES = sizeof roles[0].names / sizeof *roles[0].names };

struct meaning {
    int role; /* -1: none      */
    int side; /* 1 left, -1 right, 0 */
    int rank; /* place in the role's list */
};

/* Lower case letters and digits behind the last ':'. */
static void plain_name(const char *name, clip_name plain) {
    const char *colon = strrchr(name, ':');
    int length = 0;
    for (const char *c = colon ? colon + 1 : name; *c && length < SN_MAX_NAME; c++) {
        if (*c >= 'A' && *c <= 'Z')
            plain[length++] = (char)(*c - 'A' + 'a');
        else if ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9'))
            plain[length++] = *c;
    }
    plain[length] = '\0';
}

static struct meaning look_up(const char *core, int side) {
    for (int r = 0; r < ROLES; r++)
        for (int n = 0; n < NAMES && roles[r].names[n] && roles[r].sides == (side != 0); n++)
            if (strcmp(core, roles[r].names[n]) == 0) return (struct meaning){r, side, n};
    return (struct meaning){.role = -1};
}

/* With the side's letters taken off in each way they are written. */
static struct meaning meaning_of(const char *name) {
    static const struct {
        const char *text;
        int side;
    } mark[] = {{"left", 1}, {"right", -1}, {"l", 1}, {"r", -1}};
    clip_name plain, core;
    if (strncmp(name, "__", 2) == 0) return (struct meaning){.role = -1}; /* a helper of the joint proper */
    plain_name(name, plain);
    const size_t length = strlen(plain);
    struct meaning found = look_up(plain, 0);
    for (size_t i = 0; i < sizeof mark / sizeof *mark && found.role < 0; i++) {
        const size_t n = strlen(mark[i].text);
        if (length <= n) continue;
        if (strncmp(plain, mark[i].text, n) == 0) found = look_up(plain + n, mark[i].side);
        if (found.role >= 0 || strcmp(plain + length - n, mark[i].text) != 0) continue;
        memcpy(core, plain, length - n);
        core[length - n] = '\0';
        found = look_up(core, mark[i].side);
    }
    return found;
}

static int find_joint(const sn_clip_def *clip, const char *name) {
    for (int i = 0; i < clip->njoint; i++)
        if (strcmp(clip->joint[i].name, name) == 0) return i;
    return -1;
}

static int map_by_name(const sn_clip_def *clip, const sn_model *model, int *joint) {
    int count = 0;
    for (int i = 0; i < sn_model_nbody(model); i++) {
        joint[i] = find_joint(clip, sn_model_body(model, i)->name);
        count += joint[i] >= 0;
    }
    return count;
}

/* Of the model's bodies with a role, too, only the one with the preferred name counts: in a figure with head and neck the
   neck is not the head. */
static int map_by_meaning(const sn_clip_def *clip, const sn_model *model, int *joint) {
    int body_of[ROLES][3], body_rank[ROLES][3], joint_of[ROLES][3], joint_rank[ROLES][3], count = 0;
    memset(body_of, -1, sizeof body_of);
    memset(joint_of, -1, sizeof joint_of);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const struct meaning m = meaning_of(sn_model_body(model, i)->name);
        joint[i] = -1;
        if (m.role < 0 || (body_of[m.role][m.side + 1] >= 0 && body_rank[m.role][m.side + 1] <= m.rank))
            continue;
        body_of[m.role][m.side + 1] = i;
        body_rank[m.role][m.side + 1] = m.rank;
    }
    for (int i = 0; i < clip->njoint; i++) {
        const struct meaning m = meaning_of(clip->joint[i].name);
        if (m.role < 0 || (joint_of[m.role][m.side + 1] >= 0 && joint_rank[m.role][m.side + 1] <= m.rank))
            continue;
        joint_of[m.role][m.side + 1] = i;
        joint_rank[m.role][m.side + 1] = m.rank;
    }
    for (int r = 0; r < ROLES; r++)
        for (int s = 0; s < 3; s++) {
            if (body_of[r][s] < 0 || joint_of[r][s] < 0) continue;
            joint[body_of[r][s]] = joint_of[r][s];
            count++;
        }
    return count;
}

/* ---------------------------------------------------------------------------------------------- a map as text */

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

/* A JSON string of at most SN_MAX_NAME bytes; NULL: there is none. Escapes other than of a single character have no place
   in names. */
static const char *read_string(const char *at, clip_name text) {
    int length = 0;
    if (*at != '"') return NULL;
    for (at++; *at != '"'; at++) {
        if (*at == '\\') {
            at++;
            if (*at != '"' && *at != '\\' && *at != '/') return NULL;
        }
        if (*at == '\0' || length >= SN_MAX_NAME) return NULL;
        text[length++] = *at;
    }
    text[length] = '\0';
    return at + 1;
}

static sn_status map_by_text(const sn_clip_def *clip, const sn_model *model, const char *text, int *joint,
                             sn_error *error) {
    for (int i = 0; i < sn_model_nbody(model); i++)
        joint[i] = -1;
    const char *at = skip_blanks(text);
    if (*at++ != '{') return sn__fail(error, SN_ERROR_FORMAT, "the map is not a JSON object");
    for (at = skip_blanks(at); *at != '}';) {
        clip_name body, name;
        at = read_string(at, body);
        if (at) at = skip_blanks(at);
        if (!at || *at != ':')
            return sn__fail(error, SN_ERROR_FORMAT, "the map needs \"body\": \"joint\" pairs");
        at = read_string(skip_blanks(at + 1), name);
        if (!at) return sn__fail(error, SN_ERROR_FORMAT, "the map has no joint name for the body '%s'", body);
        const int b = sn_model_find_body(model, body), j = find_joint(clip, name);
        if (b < 0) return sn__fail(error, SN_ERROR_ARGUMENT, "the map's body '%s' is not in the model", body);
        if (j < 0) return sn__fail(error, SN_ERROR_ARGUMENT, "the map's joint '%s' is not in the clip", name);
        joint[b] = j;
        at = skip_blanks(at);
        if (*at == ',') {
            at = skip_blanks(at + 1);
            if (*at == '}') return sn__fail(error, SN_ERROR_FORMAT, "the map has a comma before its end");
        } else if (*at != '}') {
            return sn__fail(error, SN_ERROR_FORMAT, "the map should go on with ',' or '}' after '%s'", name);
        }
    }
    return *skip_blanks(at + 1) == '\0' ? SN_OK
                                        : sn__fail(error, SN_ERROR_FORMAT, "the map goes on after its end");
}

sn_status sn__map_find(const sn_clip_def *clip, const sn_model *model, const char *text, int *joint,
                       sn_error *error) {
    if (text) return map_by_text(clip, model, text, joint, error);
    const int meant = map_by_meaning(clip, model, joint), equal = map_by_name(clip, model, joint);
    if (equal < meant) map_by_meaning(clip, model, joint);
    if (equal < 2 && meant < 2 && equal < sn_model_nbody(model))
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "the model's bodies ('%s' ...) and the clip's joints ('%s' ...) have no names in common, "
            "and no built-in map fits: give a map",
            sn_model_body(model, 0)->name, clip->joint[0].name);
    return SN_OK;
}
