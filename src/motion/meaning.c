/* Names are compared without namespace ("mixamorig:"), prefix ("Bip01"), case and signs, their side taken off: LeftUpLeg,
 * lThigh, lfemur, left_hip, thigh.L and Bip01 L Thigh are all the left thigh. Words that name an axis or a kind of part
 * (pitch, link) say nothing. A role lists its names by preference, because one convention's shoulder is another's upper
 * arm.
 *
 * Legs of quadrupeds are named by where they are: FL, FR, RL, RR, HL, HR, LF, RH, or front and hind with a side; then hip,
 * thigh and calf follow, under many names. */
#include "motion/meaning.h"

#include "clip/clip.h"

#include <string.h>

enum { NAMES = 12, MOST_WORDS = 16, WORD = 24 };

struct role_names {
    bool sides;
    const char *names[NAMES];
};

/* clang-format off */
static const struct role_names roles[SN__ROLES] = {
    [SN__PELVIS]    = {false, {"pelvis", "hips", "root", "hip", "trunk", "chassis", "base", "body"}},
    [SN__LOIN]      = {false, {"loin", "spine0", "lowerback", "abdomen", "lowerspine"}},
    [SN__CHEST]     = {false, {"chest", "thorax", "spine3", "spine2", "upperchest", "spine1", "torso", "spine"}},
    [SN__NECK]      = {false, {"neck", "neck0", "lowerneck"}},
    [SN__HEAD]      = {false, {"head", "neck1", "upperneck"}},
    [SN__TAIL]      = {false, {"tail", "tail0"}},
    [SN__TAIL_TIP]  = {false, {"tailtip", "tail1"}},
    [SN__SCAPULA]   = {true,  {"scapula", "shoulder", "clavicle", "collar"}},
    [SN__UPPER_ARM] = {true,  {"upperarm", "uparm", "humerus", "arm", "shldr", "sho"}},
    [SN__FOREARM]   = {true,  {"forearm", "lowerarm", "loarm", "foreleg", "radius", "elbow", "el"}},
    [SN__HAND]      = {true,  {"hand", "wrist", "forepaw"}},
    [SN__THIGH]     = {true,  {"thigh", "upperleg", "upleg", "femur", "hip"}},
    [SN__SHIN]      = {true,  {"shin", "lowerleg", "loleg", "calf", "tibia", "knee", "shank", "leg"}},
    [SN__HOCK]      = {true,  {"hock", "horselink"}},
    [SN__FOOT]      = {true,  {"foot", "ankle", "ank"}},
    [SN__TOE]       = {true,  {"toe", "toes", "toebase", "toe0", "hindpaw"}},
};

/* Parts of a leg that is named by where it is; fore and hind. */
static const struct {
    const char *names[NAMES];
    enum sn__role role[2];
} leg_part[] = {
    {{"hip", "shoulder", "abduction", "abductor", "abad", "haa", "coxa"}, {SN__FORE_HIP, SN__HIND_HIP}},
    {{"thigh", "upperleg", "uleg", "upper", "hfe", "femur", "upleg"}, {SN__UPPER_ARM, SN__THIGH}},
    {{"calf", "shank", "lowerleg", "lleg", "lower", "kfe", "shin", "knee", "tibia", "leg"}, {SN__FOREARM, SN__SHIN}},
    {{"foot", "toe", "paw", "ankle", "toes"}, {SN__HAND, SN__FOOT}},
};
/* clang-format on */

static const struct sn__meaning nothing = {.role = -1};

/* ---------------------------------------------------------------------------------------------------- words */

struct words {
    char word[MOST_WORDS][WORD];
    int count;
};

static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Words in lower case: at signs, and where a capital follows a small letter or starts a word after capitals. */
static void split(const char *name, struct words *w) {
    int length = 0;
    w->count = 0;
    for (const char *c = name; *c; c++) {
        const bool capital = is_upper(*c), part = capital || is_plain(*c);
        const bool begins =
            capital && c > name && (is_plain(c[-1]) || (is_upper(c[-1]) && c[1] >= 'a' && c[1] <= 'z'));
        if ((!part || begins) && length > 0) w->count++, length = 0;
        if (!part || w->count >= MOST_WORDS || length >= WORD - 1) continue;
        w->word[w->count][length++] = capital ? (char)(*c - 'A' + 'a') : *c;
        w->word[w->count][length] = '\0';
    }
    if (length > 0) w->count++;
    if (w->count > MOST_WORDS) w->count = MOST_WORDS;
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static void drop(struct words *w, int at) {
    memmove(w->word[at], w->word[at + 1], (size_t)(w->count - at - 1) * sizeof w->word[0]);
    w->count--;
}

/* Words that say nothing about the part; true: one of them was an axis. */
static bool drop_noise(struct words *w) {
    static const char *const noise[] = {"bip",   "bip01", "bip001", "bip1", "mixamorig", "link",
                                        "joint", "jnt",   "motor",  "bone", "def",       NULL};
    static const char *const axes[] = {"yaw", "pitch", "roll", "pan", "tilt", "x", "y", "z", NULL};
    bool axis = false;
    for (int i = w->count - 1; i >= 0; i--) {
        const bool is_axis = is_one_of(w->word[i], axes);
        if (w->count > 1 && (is_axis || is_one_of(w->word[i], noise))) {
            axis |= is_axis;
            drop(w, i);
        }
    }
    return axis;
}

static void join(const struct words *w, clip_name plain) {
    size_t length = 0;
    for (int i = 0; i < w->count; i++)
        for (const char *c = w->word[i]; *c && length < SN_MAX_NAME; c++)
            plain[length++] = *c;
    plain[length] = '\0';
}

/* ----------------------------------------------------------------------------------------------- one side's part */

static struct sn__meaning look_up(const char *core, int side) {
    for (int r = 0; r < SN__ROLES; r++)
        for (int n = 0; n < NAMES && roles[r].names[n] && roles[r].sides == (side != 0); n++)
            if (strcmp(core, roles[r].names[n]) == 0) return (struct sn__meaning){r, side, n, false, false};
    return nothing;
}

/* With the side's letters taken off in each way they are written. */
static struct sn__meaning of_plain(const char *plain) {
    static const struct {
        const char *text;
        int side;
    } mark[] = {{"left", 1}, {"right", -1}, {"l", 1}, {"r", -1}};
    clip_name core;
    const size_t length = strlen(plain);
    struct sn__meaning found = look_up(plain, 0);
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

/* ------------------------------------------------------------------------------------------------ quadrupeds' legs */

/* Takes the word off that says where the leg is. */
static bool find_leg(struct words *w, int *side, int *hind) {
    static const char *const pair[] = {"fl", "fr", "rl", "rr", "hl", "hr", "bl",
                                       "br", "lf", "rf", "lh", "rh", "lr", NULL};
    static const char *const fore[] = {"front", "fore", "f", NULL}, *const back[] = {"hind", "rear", "back",
                                                                                     "h", NULL};
    static const char *const left[] = {"left", "l", NULL}, *const right[] = {"right", "r", NULL};
    *side = 0, *hind = -1;
    for (int i = w->count - 1; i >= 0; i--) {
        const char *word = w->word[i];
        if (is_one_of(word, pair)) {
            const bool first = word[0] == 'l' || (word[0] == 'r' && (word[1] == 'f' || word[1] == 'h'));
            *side = word[first ? 0 : 1] == 'l' ? 1 : -1;
            *hind = word[first ? 1 : 0] != 'f';
        } else if (is_one_of(word, left) || is_one_of(word, right)) {
            *side = is_one_of(word, left) ? 1 : -1;
        } else if (is_one_of(word, fore) || is_one_of(word, back)) {
            *hind = is_one_of(word, back);
        } else {
            continue;
        }
        drop(w, i);
    }
    return *side != 0 && *hind >= 0;
}

static struct sn__meaning of_leg(struct words *w) {
    int side, hind;
    clip_name core;
    if (!find_leg(w, &side, &hind)) return nothing;
    join(w, core);
    for (size_t p = 0; p < sizeof leg_part / sizeof *leg_part; p++)
        for (int n = 0; n < NAMES && leg_part[p].names[n]; n++)
            if (strcmp(core, leg_part[p].names[n]) == 0)
                return (struct sn__meaning){(int)leg_part[p].role[hind], side, n, false, true};
    return nothing;
}

struct sn__meaning sn__meaning_of(const char *name) {
    struct words words;
    clip_name plain;
    const char *colon = strrchr(name, ':');
    if (strncmp(name, "__", 2) == 0) return nothing; /* a helper of the joint proper */
    split(colon ? colon + 1 : name, &words);
    const bool axis = drop_noise(&words);
    join(&words, plain);
    struct sn__meaning found = of_plain(plain);
    if (found.role < 0) found = of_leg(&words);
    found.axis = axis;
    return found;
}
