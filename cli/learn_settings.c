#include "learn_settings.h"

#include "policy_find.h"
#include "ranks.h"
#include "subject.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- the table */

enum kind { TEXT, INT, SEED, REAL, FLAG, CHOICE, WIDTHS };
enum { LAYERS = 4 };

static const char *const targets[] = {"residual", "absolute", NULL};
static const char *const features[] = {"2018", "2021", NULL};
static const char *const terrains[] = {"flat", "bumps", "slopes", "steps", "mixed", NULL};

#define AT(member) offsetof(struct learn_settings, member)
static const struct setting {
    const char *key;
    enum kind kind;
    size_t at;
    double low, high;
    const char *const *choices;
} table[] = {
    {"character", TEXT, AT(character), 0, 0, NULL},
    {"motion", TEXT, AT(motion), 0, 0, NULL},
    {"map", TEXT, AT(map), 0, 0, NULL},
    {"start", REAL, AT(start), 0, 1e6, NULL},
    {"end", REAL, AT(end), 0, 1e6, NULL},
    {"plant", FLAG, AT(plant), 0, 0, NULL},
    {"touch", TEXT, AT(touch), 0, 0, NULL},
    {"copies", INT, AT(environment.copies), 1, 1 << 20, NULL},
    {"seed", SEED, AT(trainer.seed), 0, 9007199254740992.0, NULL},
    {"targets", CHOICE, AT(imitation.targets), 0, 0, targets},
    {"features", CHOICE, AT(imitation.features), 0, 0, features},
    {"action_scale", REAL, AT(imitation.action_scale), 0, 100, NULL},
    {"hide_root", FLAG, AT(imitation.hide_root), 0, 0, NULL},
    {"speed", REAL, AT(imitation.speed), -20, 20, NULL},
    {"push", REAL, AT(imitation.push), 0, 1e6, NULL},
    {"ball", REAL, AT(imitation.ball), 0, 1e4, NULL},
    {"ball_speed", REAL, AT(imitation.ball_speed), 0, 100, NULL},
    {"mass_range", REAL, AT(imitation.mass_range), 0, .95, NULL},
    {"friction_range", REAL, AT(imitation.friction_range), 0, 1, NULL},
    {"gain_range", REAL, AT(imitation.gain_range), 0, .95, NULL},
    {"command", REAL, AT(imitation.command), 0, 1e6, NULL},
    {"command_turn", REAL, AT(imitation.command_turn), 0, 3.15, NULL},
    {"command_slowest", REAL, AT(imitation.command_speed[0]), -20, 20, NULL},
    {"command_fastest", REAL, AT(imitation.command_speed[1]), -20, 20, NULL},
    {"terrain", CHOICE, AT(imitation.terrain), 0, 0, terrains},
    {"terrain_height", REAL, AT(imitation.terrain_height), 0, 5, NULL},
    {"terrain_seed", SEED, AT(imitation.terrain_seed), 0, 9007199254740992.0, NULL},
    {"no_torque_limits", FLAG, AT(no_torque_limits), 0, 0, NULL},
    {"self_contact", FLAG, AT(imitation.self_contact), 0, 0, NULL},
    {"limit", REAL, AT(imitation.limit), .05, 1e5, NULL},
    {"friction", REAL, AT(imitation.friction), 0, 100, NULL},
    {"rate", INT, AT(imitation.rate), 1, 1000, NULL},
    {"substeps", INT, AT(imitation.substeps), 1, 1000, NULL},
    {"hidden", WIDTHS, AT(trainer.hidden), 1, 8192, NULL},
    {"tanh", FLAG, AT(trainer.tanh), 0, 0, NULL},
    {"momentum", FLAG, AT(trainer.momentum), 0, 0, NULL},
    {"horizon", INT, AT(trainer.horizon), 1, 1 << 20, NULL},
    {"minibatch", INT, AT(trainer.minibatch), 16, 1 << 24, NULL},
    {"epochs", INT, AT(trainer.epochs), 1, 1000, NULL},
    {"gamma", REAL, AT(trainer.gamma), 0, 1, NULL},
    {"lambda", REAL, AT(trainer.advantage_decay), 0, 1, NULL},
    {"clip", REAL, AT(trainer.clip), 1e-6, 1e6, NULL},
    {"actor_rate", REAL, AT(trainer.actor_rate), 0, 1e3, NULL},
    {"critic_rate", REAL, AT(trainer.critic_rate), 0, 1e3, NULL},
    {"kl_target", REAL, AT(trainer.kl_target), 0, 1e3, NULL},
    {"gradient_norm", REAL, AT(trainer.gradient_norm), 0, 1e9, NULL},
    {"noise", REAL, AT(trainer.noise), 1e-6, 1e3, NULL},
    {"learn_noise", FLAG, AT(trainer.learn_noise), 0, 0, NULL},
    {"entropy", REAL, AT(trainer.entropy), 0, 1e3, NULL},
    {"normalise_samples", REAL, AT(trainer.normalise_samples), 0, 1e18, NULL},
};
enum { SETTINGS = sizeof table / sizeof *table };

static const struct setting *find(const char *key) {
    for (int i = 0; i < SETTINGS; i++)
        if (strcmp(table[i].key, key) == 0) return &table[i];
    return NULL;
}

static bool complain_key(const char *key, const char *from) {
    const char *names[SETTINGS + 1] = {0};
    char kind[300];
    for (int i = 0; i < SETTINGS; i++)
        names[i] = table[i].key;
    snprintf(kind, sizeof kind, "setting in %s,", from);
    complain_unknown(kind, key, names);
    return false;
}

void learn_settings_init(struct learn_settings *s) {
    *s = (struct learn_settings){.character = copy_text(""),
                                 .motion = copy_text(""),
                                 .map = copy_text(""),
                                 .touch = copy_text(""),
                                 .imitation = sn_imitation_def_default(NULL, NULL),
                                 .environment = sn_environment_def_default(),
                                 .trainer = sn_trainer_def_default()};
    s->trainer.seed = 1;
}

void learn_settings_free(struct learn_settings *s) {
    free(s->character);
    free(s->motion);
    free(s->map);
    free(s->touch);
}

/* ------------------------------------------------------------------------------------------------------------- JSON */

static cJSON *value_json(const struct learn_settings *s, const struct setting *row) {
    const void *at = (const char *)s + row->at;
    cJSON *list;
    switch (row->kind) {
    case TEXT:
        return cJSON_CreateString(*(char *const *)at);
    case INT:
        return cJSON_CreateNumber(*(const int *)at);
    case SEED:
        return cJSON_CreateNumber((double)*(const uint64_t *)at);
    case REAL:
        return cJSON_CreateNumber(*(const double *)at);
    case FLAG:
        return cJSON_CreateBool(*(const bool *)at);
    case CHOICE:
        return cJSON_CreateString(row->choices[*(const int *)at]);
    case WIDTHS:
        list = cJSON_CreateArray();
        for (int i = 0; i < LAYERS && ((const int *)at)[i]; i++)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(((const int *)at)[i]));
        return list;
    }
    return NULL;
}

cJSON *learn_settings_json(const struct learn_settings *s) {
    cJSON *root = cJSON_CreateObject();
    for (int i = 0; i < SETTINGS; i++)
        cJSON_AddItemToObject(root, table[i].key, value_json(s, &table[i]));
    return root;
}

static bool complain_value(const struct setting *row, const char *from, const char *wanted) {
    return complain(EXIT_USAGE, "%s: '%s' must be %s", from, row->key, wanted) == EXIT_DONE;
}

static bool take_number(const struct setting *row, const cJSON *value, const char *from, double *number) {
    char wanted[100];
    *number = value->valuedouble;
    const bool whole = row->kind == REAL || *number == floor(*number);
    if (cJSON_IsNumber(value) && whole && *number >= row->low && *number <= row->high) return true;
    snprintf(wanted, sizeof wanted, "a %snumber from %g to %g", row->kind == REAL ? "" : "whole ", row->low,
             row->high);
    return complain_value(row, from, wanted);
}

static bool take_widths(const struct setting *row, const cJSON *value, const char *from, int *width) {
    const int count = cJSON_GetArraySize(value);
    if (!cJSON_IsArray(value) || count < 1 || count > LAYERS)
        return complain_value(row, from, "a list of one to four widths");
    memset(width, 0, LAYERS * sizeof *width);
    for (int i = 0; i < count; i++) {
        double number;
        if (!take_number(row, cJSON_GetArrayItem(value, i), from, &number)) return false;
        width[i] = (int)number;
    }
    return true;
}

static bool take_choice(const struct setting *row, const cJSON *value, const char *from, int *choice) {
    for (int i = 0; cJSON_IsString(value) && row->choices[i]; i++)
        if (strcmp(value->valuestring, row->choices[i]) == 0) {
            *choice = i;
            return true;
        }
    char wanted[200];
    size_t length = 0;
    for (int i = 0; row->choices[i]; i++)
        length += (size_t)snprintf(wanted + length, sizeof wanted - length, "%s\"%s\"",
                                   !i                    ? ""
                                   : row->choices[i + 1] ? ", "
                                                         : " or ",
                                   row->choices[i]);
    return complain_value(row, from, wanted);
}

static bool take_value(struct learn_settings *s, const struct setting *row, const cJSON *value,
                       const char *from) {
    void *at = (char *)s + row->at;
    double number = 0;
    switch (row->kind) {
    case TEXT:
        if (!cJSON_IsString(value)) return complain_value(row, from, "a text");
        free(*(char **)at);
        *(char **)at = copy_text(value->valuestring);
        return true;
    case FLAG:
        if (!cJSON_IsBool(value)) return complain_value(row, from, "true or false");
        *(bool *)at = cJSON_IsTrue(value);
        return true;
    case CHOICE:
        return take_choice(row, value, from, at);
    case WIDTHS:
        return take_widths(row, value, from, at);
    case INT:
    case SEED:
    case REAL:
        if (!take_number(row, value, from, &number)) return false;
        if (row->kind == REAL) *(double *)at = number;
        if (row->kind == INT) *(int *)at = (int)number;
        if (row->kind == SEED) *(uint64_t *)at = (uint64_t)number;
        return true;
    }
    return false;
}

bool learn_settings_take(struct learn_settings *s, const char *text, const char *from) {
    cJSON *root = cJSON_Parse(text);
    bool good = cJSON_IsObject(root);
    if (!good) complain(EXIT_FAILED, "%s: its settings are not a JSON object", from);
    for (const cJSON *item = good ? root->child : NULL; item && good; item = item->next) {
        const struct setting *row = find(item->string);
        good = row ? take_value(s, row, item, from) : complain_key(item->string, from);
    }
    cJSON_Delete(root);
    return good;
}

bool learn_settings_read(struct learn_settings *s, const char *path) {
    char *text = ranks_read(path);
    const bool good = text && learn_settings_take(s, text, path);
    free(text);
    return good;
}

/* ---------------------------------------------------------------------------------------------------------- options */

/* What an option says, as JSON of the kind that is wanted; NULL: it is no such thing. */
static cJSON *option_json(const struct setting *row, const char *text) {
    double number;
    if (row->kind == FLAG) return cJSON_CreateTrue();
    if (row->kind == TEXT || row->kind == CHOICE) return cJSON_CreateString(text);
    if (row->kind != WIDTHS) return parse_real(text, &number) ? cJSON_CreateNumber(number) : NULL;
    cJSON *list = cJSON_CreateArray();
    for (const char *at = text; list && *at; at += strcspn(at, ","), at += *at == ',') {
        char *one = copy_part(at, strcspn(at, ","));
        if (parse_real(one, &number)) {
            cJSON_AddItemToArray(list, cJSON_CreateNumber(number));
        } else {
            cJSON_Delete(list);
            list = NULL;
        }
        free(one);
        if (!list) return NULL;
    }
    return list;
}

int learn_settings_options(struct learn_settings *s, const struct options *options) {
    for (int i = 0; i < SETTINGS; i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", table[i].key);
        for (char *c = name; *c; c++)
            if (*c == '_') *c = '-';
        const char *text = option_text(options, name, NULL);
        if (!text) continue;
        cJSON *value = option_json(&table[i], text);
        char from[80];
        snprintf(from, sizeof from, "option '%s'", name);
        const bool good = value ? take_value(s, &table[i], value, from)
                                : complain(EXIT_USAGE, "%s: '%s' is not a number", from, text) == EXIT_DONE;
        cJSON_Delete(value);
        if (!good) return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* ------------------------------------------------------------------------------------------------------------- tasks */

static sn_motion *load_motion(const struct learn_settings *s, const sn_model *model) {
    const sn_load_def load = subject_options(false);
    const struct clip_task cut = {.start = s->start, .end = s->end, .plant = s->plant};
    char *map = s->map[0] ? read_text(s->map) : NULL;
    sn_motion *motion = s->map[0] && !map ? NULL : subject_motion(s->motion, model, map, &load, &cut);
    free(map);
    return motion;
}

/* Whether one of a list's parts, between commas, is in a name. */
static bool is_listed(const char *list, const char *name) {
    bool found = false;
    for (const char *at = list; *at && !found; at += strcspn(at, ","), at += *at == ',') {
        char *part = copy_part(at, strcspn(at, ","));
        found = part[0] && strstr(name, part);
        free(part);
    }
    return found;
}

/* [nbody] 1: may touch the ground. NULL after a complaint, as where the list names none. */
static uint8_t *touching_bodies(const char *list, const sn_model *model) {
    const int nbody = sn_model_get(model)->nbody;
    const bool all = strcmp(list, "all") == 0;
    uint8_t *foot = need_memory(NULL, (size_t)nbody);
    int count = 0;
    for (int i = 0; i < nbody; i++) {
        foot[i] = all || is_listed(list, sn_model_body(model, i)->name);
        count += foot[i];
    }
    if (count) return foot;
    complain(EXIT_FAILED, "touch '%s': no body has such a name", list);
    free(foot);
    return NULL;
}

bool learn_task_open(struct learn_task *task, const struct learn_settings *s, int copies, double limit) {
    const sn_load_def load = subject_options(false);
    sn_imitation_def imitation = s->imitation;
    sn_environment_def def = s->environment;
    sn_task functions;
    sn_error error = {0};
    *task = (struct learn_task){.model = subject_model(s->character, &load)};
    if (!task->model) return false;
    if (s->motion[0] && !(task->motion = load_motion(s, task->model))) {
        learn_task_close(task);
        return false;
    }
    imitation.model = task->model;
    imitation.motion = task->motion;
    imitation.torque_limits = !s->no_torque_limits;
    def.seed = s->trainer.seed;
    if (copies) def.copies = copies;
    if (limit > 0) imitation.limit = limit;
    uint8_t *foot = s->touch[0] ? touching_bodies(s->touch, task->model) : NULL;
    imitation.foot = foot;
    if ((foot || !s->touch[0]) && sn_imitation_task(&functions, &imitation, &error) == SN_OK)
        task->env = sn_environment_create(&functions, &def, &error);
    free(foot);
    if (task->env) return true;
    if (error.status) complain(EXIT_FAILED, "%s", error.message);
    learn_task_close(task);
    return false;
}

void learn_task_close(struct learn_task *task) {
    sn_environment_free(task->env);
    sn_motion_free(task->motion);
    sn_model_free(task->model);
    *task = (struct learn_task){0};
}

void learn_settings_calm(struct learn_settings *s) {
    sn_imitation_def *e = &s->imitation;
    e->push = e->ball = e->ball_speed = e->mass_range = e->friction_range = e->gain_range = 0;
}

sn_policy *learn_policy_load(const char *name, struct learn_settings *s) {
    sn_error error;
    char *path = policy_find(name);
    sn_policy *policy = path ? sn_policy_load(path, &error) : NULL;
    if (path && !policy) complain(EXIT_FAILED, "%s", error.message);
    free(path);
    if (!policy) return NULL;
    sn_policy_data data;
    sn_policy_get(policy, &data);
    if (!data.note[0])
        complain(EXIT_FAILED, "%s does not say what it was trained for: it was not written by 'sinew train'",
                 name);
    else if (learn_settings_take(s, data.note, name))
        return policy;
    sn_policy_free(policy);
    return NULL;
}

sn_policy *learn_policy_open(const char *name, bool disturbed, struct learn_settings *s) {
    learn_settings_init(s);
    s->disturbed = disturbed;
    return learn_policy_load(name, s);
}
