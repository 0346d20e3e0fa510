#include "learn_settings.h"

#include "definition_options.h"
#include "policy_find.h"
#include "ranks.h"
#include "subject.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- the table */

enum kind { TEXT, REAL, FLAG };
enum { LAYERS = 4, DEFINITIONS = 3 };

/* What the library's definitions do not have, or have in another form. */
#define AT(member) offsetof(struct learn_settings, member)
static const struct setting {
    const char *key;
    enum kind kind;
    size_t at;
    double low, high;
} table[] = {
    {"character", TEXT, AT(character), 0, 0},
    {"motion", TEXT, AT(motion), 0, 0},
    {"map", TEXT, AT(map), 0, 0},
    {"start", REAL, AT(start), 0, 1e6},
    {"end", REAL, AT(end), 0, 1e6},
    {"plant", FLAG, AT(plant), 0, 0},
    {"touch", TEXT, AT(touch), 0, 0},
    {"command_slowest", REAL, AT(imitation.command_speed[0]), -100, 100},
    {"command_fastest", REAL, AT(imitation.command_speed[1]), -100, 100},
    {"no_torque_limits", FLAG, AT(no_torque_limits), 0, 0},
};
enum { SETTINGS = sizeof table / sizeof *table };

/* All other settings are the members of these definitions, except pointers and what the table has. */
static const struct {
    const char *name;
    size_t at;
    const char *without[5];
} definition[DEFINITIONS] = {
    {"sn_imitation_def", AT(imitation), {"nmotions", "command_speed", "torque_limits", NULL}},
    {"sn_environment_def", AT(environment), {"seed", "threads", "autoreset", NULL}},
    {"sn_trainer_def", AT(trainer), {"threads", NULL}},
};

static const struct setting *find(const char *key) {
    for (int i = 0; i < SETTINGS; i++)
        if (strcmp(table[i].key, key) == 0) return &table[i];
    return NULL;
}

void learn_options_add(struct options *options) {
    if (options->made) return;
    for (int i = 0; i < DEFINITIONS; i++)
        definition_options_append(options, definition[i].name, definition[i].without);
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
    return row->kind == TEXT   ? cJSON_CreateString(*(char *const *)at)
           : row->kind == REAL ? cJSON_CreateNumber(*(const double *)at)
                               : cJSON_CreateBool(*(const bool *)at);
}

/* The settings of a definition as an object, to be deleted. Widths of layers end before the first 0. */
static cJSON *definition_json(const struct learn_settings *s, int which) {
    const void *values = (const char *)s + definition[which].at;
    const size_t size = sn_def_write(definition[which].name, values, NULL, 0);
    char *text = need_memory(NULL, size + 1);
    sn_def_write(definition[which].name, values, text, size + 1);
    cJSON *all = cJSON_Parse(text), *next;
    free(text);
    for (cJSON *item = all ? all->child : NULL; item; item = next) {
        bool out = cJSON_IsNull(item); /* a pointer */
        next = item->next;
        for (int k = 0; definition[which].without[k]; k++)
            out |= strcmp(item->string, definition[which].without[k]) == 0;
        if (out) cJSON_Delete(cJSON_DetachItemViaPointer(all, item));
    }
    cJSON *hidden = cJSON_GetObjectItem(all, "hidden");
    for (int n = cJSON_GetArraySize(hidden); n > 1 && cJSON_GetArrayItem(hidden, n - 1)->valuedouble == 0;
         n--)
        cJSON_DeleteItemFromArray(hidden, n - 1);
    return all;
}

cJSON *learn_settings_json(const struct learn_settings *s) {
    cJSON *root = cJSON_CreateObject();
    for (int i = 0; i < SETTINGS; i++)
        cJSON_AddItemToObject(root, table[i].key, value_json(s, &table[i]));
    for (int i = 0; i < DEFINITIONS; i++) {
        cJSON *part = definition_json(s, i);
        while (part && part->child) {
            cJSON *item = cJSON_DetachItemViaPointer(part, part->child);
            char *key = copy_text(item->string);
            cJSON_AddItemToObject(root, key, item);
            free(key);
        }
        cJSON_Delete(part);
    }
    return root;
}

static bool complain_key(const char *key, const char *from) {
    struct learn_settings usual;
    learn_settings_init(&usual);
    cJSON *all = learn_settings_json(&usual);
    const char **names = need_memory(NULL, ((size_t)cJSON_GetArraySize(all) + 1) * sizeof *names);
    int n = 0;
    char kind[300];
    for (const cJSON *item = all->child; item; item = item->next)
        names[n++] = item->string;
    names[n] = NULL;
    snprintf(kind, sizeof kind, "setting in %s,", from);
    complain_unknown(kind, key, names);
    free(names);
    cJSON_Delete(all);
    learn_settings_free(&usual);
    return false;
}

static bool complain_value(const struct setting *row, const char *from, const char *wanted) {
    return complain(EXIT_USAGE, "%s: '%s' must be %s", from, row->key, wanted) == EXIT_DONE;
}

static bool take_own(struct learn_settings *s, const struct setting *row, const cJSON *value,
                     const char *from) {
    void *at = (char *)s + row->at;
    char wanted[100];
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
    case REAL:
        snprintf(wanted, sizeof wanted, "a number from %g to %g", row->low, row->high);
        if (!cJSON_IsNumber(value) || !(value->valuedouble >= row->low && value->valuedouble <= row->high))
            return complain_value(row, from, wanted);
        *(double *)at = value->valuedouble;
        return true;
    }
    return false;
}

/* The definition that has the key, -1: none; *now is its present value, to be deleted. */
static int owner_of(const struct learn_settings *s, const char *key, cJSON **now) {
    for (int i = 0; i < DEFINITIONS; i++) {
        cJSON *all = definition_json(s, i);
        *now = cJSON_DetachItemFromObject(all, key);
        cJSON_Delete(all);
        if (*now) return i;
    }
    return -1;
}

/* A list of widths ends where the library's ends with zeros, so that a width of 0 would be lost. */
static bool are_widths(const cJSON *list) {
    const cJSON *width;
    cJSON_ArrayForEach(width, list) {
        if (!(width->valuedouble >= 1)) return false;
    }
    return cJSON_GetArraySize(list) > 0;
}

/* The library knows what the value may be. */
static bool take_defined(struct learn_settings *s, int which, const char *key, const cJSON *value,
                         const char *from) {
    if (strcmp(key, "hidden") == 0 && !are_widths(value)) {
        complain(EXIT_USAGE, "%s: hidden must be a list of one to four widths, each from 1 to 8192", from);
        return false;
    }
    cJSON *object = cJSON_CreateObject(), *copy = cJSON_Duplicate(value, true);
    while (cJSON_IsArray(copy) && strcmp(key, "hidden") == 0 && cJSON_GetArraySize(copy) < LAYERS)
        cJSON_AddItemToArray(copy, cJSON_CreateNumber(0));
    cJSON_AddItemToObject(object, key, copy);
    char *text = cJSON_PrintUnformatted(object);
    sn_error error;
    const bool good =
        sn_def_read(definition[which].name, (char *)s + definition[which].at, text, &error) == SN_OK;
    const size_t name = strlen(definition[which].name);
    const char *why = good ? "" : error.message;
    if (strncmp(why, definition[which].name, name) == 0 && why[name] == ':') why += name + 2;
    if (!good) complain(EXIT_USAGE, "%s: %s", from, why);
    cJSON_free(text);
    cJSON_Delete(object);
    return good;
}

static bool take_value(struct learn_settings *s, const char *key, const cJSON *value, const char *from) {
    if (strcmp(key, "lambda") == 0) key = "gae_lambda"; /* its name in files of 0.2 */
    const struct setting *row = find(key);
    cJSON *now = NULL;
    if (row) return take_own(s, row, value, from);
    const int which = owner_of(s, key, &now);
    cJSON_Delete(now);
    return which < 0 ? complain_key(key, from) : take_defined(s, which, key, value, from);
}

bool learn_settings_take(struct learn_settings *s, const char *text, const char *from) {
    cJSON *root = cJSON_Parse(text);
    bool good = cJSON_IsObject(root);
    if (!good) complain(EXIT_FAILED, "%s: its settings are not a JSON object", from);
    for (const cJSON *item = good ? root->child : NULL; item && good; item = item->next)
        good = take_value(s, item->string, item, from);
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

/* What an option says, as JSON of the kind that the setting has now; NULL: it is no such thing. */
static cJSON *option_json(const cJSON *now, const char *text) {
    double number;
    if (cJSON_IsBool(now)) return cJSON_CreateBool(strcmp(text, "false") != 0);
    if (cJSON_IsString(now)) return cJSON_CreateString(text);
    if (!cJSON_IsArray(now)) return parse_real(text, &number) ? cJSON_CreateNumber(number) : NULL;
    cJSON *list = cJSON_CreateArray();
    for (const char *at = text; list && *at; at += strcspn(at, ", "), at += *at != '\0') {
        char *one = copy_part(at, strcspn(at, ", "));
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

static int take_option(struct learn_settings *s, const struct options *options, const cJSON *now) {
    char name[64], from[80];
    snprintf(name, sizeof name, "--%s", now->string);
    for (char *c = name; *c; c++)
        if (*c == '_') *c = '-';
    const char *text = option_text(options, name, NULL);
    if (!text) return EXIT_DONE;
    cJSON *value = option_json(now, text);
    snprintf(from, sizeof from, "option '%s'", name);
    const bool good = value ? take_value(s, now->string, value, from)
                            : complain(EXIT_USAGE, "%s: '%s' is not a number", from, text) == EXIT_DONE;
    cJSON_Delete(value);
    return good ? EXIT_DONE : EXIT_USAGE;
}

/* The motion "stick" stands for a gait that is made while it is walked. */
static bool is_steered(const struct learn_settings *s) {
    return s->imitation.stick || strcmp(s->motion, "stick") == 0;
}

int learn_settings_options(struct learn_settings *s, const struct options *options) {
    cJSON *all = learn_settings_json(s);
    int code = EXIT_DONE;
    for (const cJSON *now = all->child; now && code == EXIT_DONE; now = now->next)
        code = take_option(s, options, now);
    cJSON_Delete(all);
    return code;
}

int learn_settings_hold(struct learn_settings *s, const struct options *options) {
    if (!option_text(options, "--stick-hold", NULL)) return EXIT_DONE;
    if (!is_steered(s))
        return complain(EXIT_USAGE, "--stick-hold is for a policy of 'sinew train humanoid stick'");
    cJSON *now = cJSON_CreateObject();
    cJSON_AddItemToObject(now, "stick_hold", cJSON_CreateArray());
    s->imitation.stick_time = 0;
    const int code = take_option(s, options, now->child);
    cJSON_Delete(now);
    return code;
}

/* ------------------------------------------------------------------------------------------------------------- tasks */

void learn_settings_words(struct learn_settings *s, const struct options *options) {
    size_t size = 1;
    if (options->nword > 0) {
        free(s->character);
        s->character = copy_text(options->word[0]);
    }
    for (int i = 1; i < options->nword; i++)
        size += strlen(options->word[i]) + 1;
    if (options->nword < 2) return;
    s->motion = need_memory(s->motion, size);
    s->motion[0] = '\0';
    for (int i = 1; i < options->nword; i++) {
        if (i > 1) strcat(s->motion, ",");
        strcat(s->motion, options->word[i]);
    }
}

int learn_settings_motions(const struct learn_settings *s) {
    int count = s->motion[0] != '\0';
    for (const char *at = s->motion; (at = strchr(at, ',')); at++)
        count++;
    return count;
}

char *learn_settings_motion(const struct learn_settings *s, int number) {
    const char *at = s->motion;
    while (number-- > 0)
        at = strchr(at, ',') + 1;
    return copy_part(at, strcspn(at, ","));
}

static sn_motion *load_motion(const struct learn_settings *s, int number, const sn_model *model) {
    const sn_load_def load = subject_options(false);
    const struct clip_task cut = {.start = s->start, .end = s->end, .plant = s->plant};
    char *map = s->map[0] ? read_text(s->map) : NULL, *name = learn_settings_motion(s, number);
    sn_motion *motion = s->map[0] && !map ? NULL : subject_motion(name, model, map, &load, &cut);
    free(map);
    free(name);
    return motion;
}

static bool load_motions(struct learn_task *task, const struct learn_settings *s) {
    const int count = learn_settings_motions(s);
    task->motion = need_memory(NULL, ((size_t)count + 1) * sizeof *task->motion);
    while (task->motions < count) {
        sn_motion *motion = load_motion(s, task->motions, task->model);
        if (!motion) return false;
        task->motion[task->motions++] = motion;
    }
    return true;
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
    imitation.stick = is_steered(s);
    if (!imitation.stick && !load_motions(task, s)) {
        learn_task_close(task);
        return false;
    }
    imitation.model = task->model;
    if (task->motions == 1) imitation.motion = task->motion[0];
    if (task->motions > 1) {
        imitation.motions = (const sn_motion *const *)task->motion;
        imitation.nmotions = task->motions;
    }
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
    for (int i = 0; i < task->motions; i++)
        sn_motion_free(task->motion[i]);
    free(task->motion);
    sn_model_free(task->model);
    *task = (struct learn_task){0};
}

void learn_settings_calm(struct learn_settings *s) {
    sn_imitation_def *e = &s->imitation;
    e->push = e->ball = e->ball_speed = e->mass_range = e->friction_range = e->gain_range = 0;
    e->strength_range = e->action_delay = e->observation_noise = 0;
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
    sn_policy *policy = learn_policy_load(name, s);
    s->imitation.draw_motions = false; /* all motions alike */
    return policy;
}
