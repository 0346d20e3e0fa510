/* A recorder, and what its user tells it. */
#include "record/record.h"

#include "base/definition.h"
#include "base/memory.h"
#include "dynamics/gains.h"

#include <math.h>
#include <string.h>

/* Room for one more element in a list of the recorder; false: out of memory. */
#define MAKE_ROOM(list, count, room) make_room((void **)&(list), &(room), (count) + 1, sizeof *(list))

static bool make_room(void **list, int *room, int need, size_t size) {
    void *grown = sn__grow(*list, room, need, size);
    if (grown) *list = grown;
    return grown != NULL;
}

static char *copy_text(const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = sn__alloc(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* False: the name is missing or too long. */
static bool copy_name(char to[SN__RECORD_NAME], const char *name) {
    if (!name || !*name || strlen(name) >= SN__RECORD_NAME) return false;
    memset(to, 0, SN__RECORD_NAME);
    memcpy(to, name, strlen(name));
    return true;
}

/* --------------------------------------------------------------------------------------- making and freeing */

sn_recorder *sn_recorder_create(sn_world *world, const sn_recorder_def *def, sn_error *error) {
    sn_recorder_def own = sn_recorder_def_default();
    sn_error local;
    if (!error) error = &local;
    if (def && !sn__definition_take("sn_recorder_def", def, &own, error)) return NULL;
    def = &own;
    const int copies = world ? sn_world_get_info(world).copies : 1;
    if (def->first < 0 || def->count < 1 || def->first > copies - def->count) {
        sn__fail(error, SN_ERROR_ARGUMENT, "copies %d to %d cannot be recorded: there are %d", def->first,
                 def->first + def->count - 1, copies);
        return NULL;
    }
    if (!(def->rate > 0) || !isfinite(def->rate)) {
        sn__fail(error, SN_ERROR_ARGUMENT, "the rate of a recording must be a number above 0");
        return NULL;
    }
    sn_recorder *r = sn__alloc(1, sizeof *r);
    char *name = r && def->name ? copy_text(def->name) : NULL;
    if (!r || (def->name && !name)) {
        sn__free(r);
        sn__fail(error, SN_ERROR_MEMORY, "out of memory for a recorder");
        return NULL;
    }
    r->world = world;
    r->def = *def;
    r->def.name = name;
    r->def.contacts = def->contacts && world;
    sn__succeed(error);
    return r;
}

static void free_character(struct sn__record_character *c) {
    sn__channel_free(&c->root);
    sn__channel_free(&c->position);
    sn__channel_free(&c->rotation);
    sn__channel_free(&c->torque);
}

static void free_shown(struct sn__record_shown *s) {
    sn_dynamics_free(s->dynamics);
    sn__free(s->q);
}

void sn_recorder_free(sn_recorder *r) {
    if (!r) return;
    for (int i = 0; i < r->nmodel; i++) {
        sn__free(r->model[i].json);
        sn__figure_free(&r->model[i].figure);
    }
    for (int i = 0; i < r->ncharacter; i++)
        free_character(&r->character[i]);
    for (int i = 0; i < r->nshown; i++)
        free_shown(&r->shown[i]);
    for (int i = 0; i < r->nnumber; i++)
        sn__channel_free(&r->number[i].channel);
    for (int i = 0; i < r->nevent; i++)
        sn__free(r->event[i].text);
    for (int i = 0; i < r->nnote; i++)
        sn__free(r->note[i].json);
    struct sn__channel *own[] = {&r->time, &r->contact_count, &r->contact_who, &r->contact_point,
                                 &r->contact_force};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sn__channel_free(own[i]);
    void *const lists[] = {r->model, r->character, r->member, r->shown, r->number,
                           r->event, r->note,      r->values, r->text,  (void *)r->def.name};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sn__free(lists[i]);
    sn__free(r);
}

/* ------------------------------------------------------------------------------ what the world does not know */

static struct sn__record_shown *add_shown(sn_recorder *r, const char *role, const sn_model *model) {
    struct sn__record_shown s = {.model = model, .character = -1};
    if (!copy_name(s.role, role) || !MAKE_ROOM(r->shown, r->nshown, r->shown_room)) return NULL;
    s.q = sn__alloc((size_t)(sn_model_get(model)->nq + sn_model_get(model)->nv), sizeof *s.q);
    s.torque = s.q ? s.q + sn_model_get(model)->nq : NULL;
    s.dynamics = s.q ? sn__dynamics_for_study(model) : NULL;
    if (!s.dynamics) {
        free_shown(&s);
        return NULL;
    }
    r->shown[r->nshown] = s;
    return &r->shown[r->nshown++];
}

sn_status sn_recorder_pose(sn_recorder *r, const char *role, const sn_model *model, const double *q,
                           const double *torque) {
    char name[SN__RECORD_NAME];
    if (!r || !model || !q || !copy_name(name, role)) return SN_ERROR_ARGUMENT;
    struct sn__record_shown *s = NULL;
    for (int i = 0; i < r->nshown; i++)
        if (r->shown[i].model == model && !strcmp(r->shown[i].role, role)) s = &r->shown[i];
    if (!s) {
        s = add_shown(r, role, model);
        if (!s) return SN_ERROR_MEMORY;
        s->has_torque = torque != NULL;
    }
    const size_t nq = (size_t)sn_model_get(model)->nq, nv = (size_t)sn_model_get(model)->nv;
    memcpy(s->q, q, nq * sizeof *q);
    memset(s->torque, 0, nv * sizeof *s->torque);
    if (torque) memcpy(s->torque, torque, nv * sizeof *torque);
    return SN_OK;
}

sn_status sn_recorder_number(sn_recorder *r, const char *name, double value) {
    struct sn__record_number n = {.value = value};
    if (!r || !copy_name(n.name, name)) return SN_ERROR_ARGUMENT;
    for (int i = 0; i < r->nnumber; i++)
        if (!strcmp(r->number[i].name, name)) {
            r->number[i].value = value;
            return SN_OK;
        }
    if (!MAKE_ROOM(r->number, r->nnumber, r->number_room)) return SN_ERROR_MEMORY;
    const double none = (double)NAN; /* in the frames so far */
    bool good = true;
    for (int i = 0; good && i < r->frames; i++)
        good = sn__channel_add(&n.channel, &none, 1);
    if (!good) sn__channel_free(&n.channel);
    if (good) r->number[r->nnumber++] = n;
    return good ? SN_OK : SN_ERROR_MEMORY;
}

sn_status sn_recorder_event(sn_recorder *r, double time, const char *kind, const char *text) {
    struct sn__record_event e = {.time = time};
    if (!r || !isfinite(time) || !text || !copy_name(e.kind, kind)) return SN_ERROR_ARGUMENT;
    e.text = copy_text(text);
    if (!e.text || !MAKE_ROOM(r->event, r->nevent, r->event_room)) {
        sn__free(e.text);
        return SN_ERROR_MEMORY;
    }
    r->event[r->nevent++] = e;
    return SN_OK;
}

/* Keys that the recorder writes itself. */
static bool is_taken(const char *key) {
    static const char *const own[] = {"format", "version", "sinew",      "rate",   "models",  "frames",
                                      "events", "time",    "characters", "errors", "contacts"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(key, own[i])) return true;
    return false;
}

sn_status sn_recorder_note(sn_recorder *r, const char *key, const char *json) {
    struct sn__record_note n = {0};
    if (!r || !json || !*json || !copy_name(n.key, key) || is_taken(key)) return SN_ERROR_ARGUMENT;
    n.json = copy_text(json);
    if (!n.json) return SN_ERROR_MEMORY;
    for (int i = 0; i < r->nnote; i++)
        if (!strcmp(r->note[i].key, key)) {
            sn__free(r->note[i].json);
            r->note[i] = n;
            return SN_OK;
        }
    if (!MAKE_ROOM(r->note, r->nnote, r->note_room)) {
        sn__free(n.json);
        return SN_ERROR_MEMORY;
    }
    r->note[r->nnote++] = n;
    return SN_OK;
}
