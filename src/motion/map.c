/* Which joint of a clip drives which body of a model: by a map that is given, by equal names, or by what names mean. */
#include "motion/map.h"

#include "base/error.h"
#include "clip/clip.h"
#include "motion/meaning.h"

#include <string.h>

static int find_joint(const sn_clip_def *clip, const char *name) {
    for (int i = 0; i < clip->njoint; i++)
        if (strcmp(clip->joint[i].name, name) == 0) return i;
    return -1;
}

static int map_by_name(const sn_clip_def *clip, const sn_model *model, int *joint) {
    int count = 0;
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        joint[i] = find_joint(clip, sn_model_body(model, i)->name);
        count += joint[i] >= 0;
    }
    return count;
}

/* What stands for each role and side, -1: nothing. Of several the one with the preferred name counts: in a figure with head
   and neck the neck is not the head. Of hinges in a row the last one counts, which the others turn. */
struct cast {
    int who[SN__ROLES][3], rank[SN__ROLES][3];
    int spine, spine_rank; /* of those that might be the chest the one named least like it, -1: none */
};

static void meet(struct cast *cast, int who, const char *name) {
    const struct sn__meaning m = sn__meaning_of(name);
    if (m.role < 0) return;
    if (m.role == SN__CHEST && m.rank > cast->spine_rank) cast->spine = who, cast->spine_rank = m.rank;
    int *own = &cast->who[m.role][m.side + 1], *rank = &cast->rank[m.role][m.side + 1];
    if (*own >= 0 && (*rank < m.rank || (*rank == m.rank && !m.axis))) return;
    *own = who;
    *rank = m.rank;
}

/* Animals have a hock: what follows the shin. It counts as a foot here, as files without that name have it, and what follows it
   as toes. */
static void shift_paws(struct cast *cast) {
    for (int s = 0; s < 3; s++) {
        int *hock = &cast->who[SN__HOCK][s], *foot = &cast->who[SN__FOOT][s];
        if (*hock < 0) continue;
        if (*foot >= 0) cast->who[SN__TOE][s] = *foot;
        *foot = *hock;
        *hock = -1;
    }
}

/* Who has no head nods with its neck; who has no upper arm moves its shoulder; who has no loin bends the first part
   of its spine. */
static void fill_in(struct cast *cast) {
    shift_paws(cast);
    if (cast->who[SN__LOIN][1] < 0 && cast->spine >= 0 && cast->spine != cast->who[SN__CHEST][1])
        cast->who[SN__LOIN][1] = cast->spine;
    for (int s = 0; s < 3; s++) {
        static const enum sn__role missing[][2] = {{SN__HEAD, SN__NECK}, {SN__UPPER_ARM, SN__SCAPULA}};
        for (int i = 0; i < 2; i++) {
            int *own = &cast->who[missing[i][0]][s], *other = &cast->who[missing[i][1]][s];
            if (*own >= 0) continue;
            *own = *other;
            *other = -1;
        }
    }
}

static int map_by_meaning(const sn_clip_def *clip, const sn_model *model, int *joint) {
    struct cast bodies, joints;
    int count = 0;
    memset(&bodies, -1, sizeof bodies);
    memset(&joints, -1, sizeof joints);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        meet(&bodies, i, sn_model_body(model, i)->name);
        joint[i] = -1;
    }
    for (int i = 0; i < clip->njoint; i++)
        meet(&joints, i, clip->joint[i].name);
    fill_in(&bodies);
    fill_in(&joints);
    for (int r = 0; r < SN__ROLES; r++)
        for (int s = 0; s < 3; s++) {
            if (bodies.who[r][s] < 0 || joints.who[r][s] < 0) continue;
            joint[bodies.who[r][s]] = joints.who[r][s];
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
    for (int i = 0; i < sn_model_get(model)->nbody; i++)
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
    if (equal < 2 && meant < 2 && equal < sn_model_get(model)->nbody)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "the model's bodies ('%s' ...) and the clip's joints ('%s' ...) have no names in common, "
            "and no built-in map fits: give a map",
            sn_model_body(model, 0)->name, clip->joint[0].name);
    return SN_OK;
}
