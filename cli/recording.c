#include "recording.h"

#include "channel.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Poses of one character: the root's place, and all bodies from there. */
struct poses {
    struct channel root;     /* [frames][3] m */
    struct channel position; /* [frames][nbody][3] m, from the root */
    struct channel rotation; /* [frames][nbody][4] */
};

struct recording {
    const sn_model *model;
    double rate;
    long frames;
    cJSON *head, *events; /* all that is not numbers a frame */
    struct poses simulated, reference;
    struct channel time, torque, effector_error, joint_error;
    struct channel contact_count, contact_who, contact_point, contact_force;
};

/* ------------------------------------------------------------------------------------------------ the model */

static cJSON *numbers(const double *values, int count) {
    return cJSON_CreateDoubleArray(values, count);
}

static cJSON *shapes_json(const sn_model *model, const sn_body_info *body) {
    static const char *const type[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < body->nshape; i++) {
        const sn_shape_def *shape = sn_model_shape(model, body->first_shape + i);
        cJSON *json = cJSON_CreateObject();
        cJSON_AddStringToObject(json, "type", type[shape->type]);
        cJSON_AddItemToObject(json, "size", numbers(shape->size, 3));
        cJSON_AddItemToObject(json, "pos", numbers(shape->pos, 3));
        cJSON_AddItemToObject(json, "rot", numbers(shape->rot, 4));
        cJSON_AddItemToArray(list, json);
    }
    return list;
}

static cJSON *joint_json(const sn_body_info *body) {
    static const char *const type[] = {"weld", "hinge", "slide", "universal", "ball", "free"};
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", type[body->joint.type]);
    cJSON_AddItemToObject(json, "anchor", numbers(body->joint.anchor, 3));
    cJSON_AddItemToObject(json, "axis", numbers(body->joint.axis, 3));
    cJSON_AddItemToObject(json, "axis2", numbers(body->joint.axis2, 3));
    cJSON_AddNumberToObject(json, "dof", body->v_index);
    cJSON_AddNumberToObject(json, "ndof", body->nv);
    return json;
}

static cJSON *model_json(const sn_model *model, const char *name) {
    cJSON *json = cJSON_CreateObject(), *bodies = cJSON_CreateArray();
    cJSON_AddStringToObject(json, "name", name);
    cJSON_AddNumberToObject(json, "nv", sn_model_nv(model));
    cJSON_AddNumberToObject(json, "mass", sn_model_mass(model));
    cJSON_AddItemToObject(json, "bodies", bodies);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *body = sn_model_body(model, i);
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", body->name);
        cJSON_AddNumberToObject(item, "parent", body->parent);
        cJSON_AddItemToObject(item, "pos", numbers(body->pos, 3));
        cJSON_AddItemToObject(item, "rot", numbers(body->rot, 4));
        cJSON_AddItemToObject(item, "joint", joint_json(body));
        cJSON_AddItemToObject(item, "shapes", shapes_json(model, body));
        cJSON_AddItemToArray(bodies, item);
    }
    return json;
}

/* ------------------------------------------------------------------------------------------------- a run */

struct recording *recording_create(const sn_model *model, const char *name, double rate) {
    struct recording *r = need_memory(NULL, sizeof *r);
    *r = (struct recording){
        .model = model, .rate = rate, .head = cJSON_CreateObject(), .events = cJSON_CreateArray()};
    cJSON_AddStringToObject(r->head, "format", "sinew-recording");
    cJSON_AddNumberToObject(r->head, "version", RECORDING_VERSION);
    cJSON_AddStringToObject(r->head, "sinew", sn_version());
    cJSON_AddNumberToObject(r->head, "rate", rate);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(r->head, "models"), model_json(model, name));
    return r;
}

void recording_free(struct recording *r) {
    if (!r) return;
    struct channel *all[] = {&r->simulated.root,
                             &r->simulated.position,
                             &r->simulated.rotation,
                             &r->reference.root,
                             &r->reference.position,
                             &r->reference.rotation,
                             &r->time,
                             &r->torque,
                             &r->effector_error,
                             &r->joint_error,
                             &r->contact_count,
                             &r->contact_who,
                             &r->contact_point,
                             &r->contact_force};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        channel_free(all[i]);
    cJSON_Delete(r->head);
    cJSON_Delete(r->events);
    free(r);
}

void recording_put(struct recording *r, const char *key, cJSON *value) {
    cJSON_DeleteItemFromObjectCaseSensitive(r->head, key);
    cJSON_AddItemToObject(r->head, key, value);
}

void recording_ground(struct recording *r, double height) {
    cJSON *ground = cJSON_CreateObject();
    cJSON_AddItemToObject(ground, "point", numbers((const double[]){0, 0, height}, 3));
    cJSON_AddItemToObject(ground, "normal", numbers((const double[]){0, 0, 1}, 3));
    recording_put(r, "ground", ground);
}

void recording_event(struct recording *r, double time, const char *kind, const char *text) {
    cJSON *event = cJSON_CreateObject();
    cJSON_AddNumberToObject(event, "time", time);
    cJSON_AddStringToObject(event, "kind", kind);
    cJSON_AddStringToObject(event, "text", text);
    cJSON_AddItemToArray(r->events, event);
}

bool recording_due(const struct recording *r, double time) {
    return time * r->rate >= (double)r->frames - 1e-9;
}

static void add_poses(struct poses *poses, const sn_model *model, sn_character *character) {
    double root[3];
    sn_character_body_pose(character, 0, root, NULL);
    channel_add(&poses->root, root, 3);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        double pos[3], rot[4];
        sn_character_body_pose(character, i, pos, rot);
        for (int k = 0; k < 3; k++)
            pos[k] -= root[k];
        channel_add(&poses->position, pos, 3);
        channel_add(&poses->rotation, rot, 4);
    }
}

/* Those that push. */
static void add_contacts(struct recording *r, const sn_world *world) {
    const sn_contact *contact = world ? sn_world_contacts(world) : NULL;
    const int all = world ? sn_world_contact_count(world) : 0;
    double count = 0;
    for (int i = 0; i < all && count < 32767; i++) {
        const double *f = contact[i].force;
        if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
        const double who[4] = {contact[i].character[0], contact[i].body[0], contact[i].character[1],
                               contact[i].body[1]};
        channel_add(&r->contact_who, who, 4);
        channel_add(&r->contact_point, contact[i].pos, 3);
        channel_add(&r->contact_force, f, 3);
        count++;
    }
    channel_add(&r->contact_count, &count, 1);
}

void recording_add(struct recording *r, double time, const struct recorded *now) {
    channel_add(&r->time, &time, 1);
    add_poses(&r->simulated, r->model, now->simulated);
    add_poses(&r->reference, r->model, now->reference);
    channel_add(&r->torque, now->torque, (size_t)sn_model_nv(r->model));
    channel_add(&r->effector_error, &now->effector_error, 1);
    channel_add(&r->joint_error, &now->joint_error, 1);
    add_contacts(r, now->world);
    r->frames++;
}

/* ------------------------------------------------------------------------------------------------ the text */

static cJSON *character_json(const char *role, const struct poses *poses, const struct channel *torque) {
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "role", role);
    cJSON_AddNumberToObject(json, "model", 0);
    cJSON_AddItemToObject(json, "root", channel_json(&poses->root, CHANNEL_F32));
    cJSON_AddItemToObject(json, "position", channel_json(&poses->position, CHANNEL_I16));
    cJSON_AddItemToObject(json, "rotation", channel_json(&poses->rotation, CHANNEL_I16));
    if (torque) cJSON_AddItemToObject(json, "torque", channel_json(torque, CHANNEL_F32));
    return json;
}

char *recording_text(const struct recording *r) {
    cJSON *root = cJSON_Duplicate(r->head, true), *characters = cJSON_CreateArray();
    cJSON *contacts = cJSON_CreateObject(), *errors = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "frames", (double)r->frames);
    cJSON_AddItemToObject(root, "events", cJSON_Duplicate(r->events, true));
    cJSON_AddItemToObject(root, "time", channel_json(&r->time, CHANNEL_F32));
    cJSON_AddItemToObject(root, "characters", characters);
    cJSON_AddItemToArray(characters, character_json("simulated", &r->simulated, &r->torque));
    cJSON_AddItemToArray(characters, character_json("reference", &r->reference, NULL));
    cJSON_AddItemToObject(root, "errors", errors);
    cJSON_AddItemToObject(errors, "effector", channel_json(&r->effector_error, CHANNEL_F32));
    cJSON_AddItemToObject(errors, "joint", channel_json(&r->joint_error, CHANNEL_F32));
    cJSON_AddItemToObject(root, "contacts", contacts);
    cJSON_AddItemToObject(contacts, "count", channel_json(&r->contact_count, CHANNEL_WHOLE));
    cJSON_AddItemToObject(contacts, "who", channel_json(&r->contact_who, CHANNEL_WHOLE));
    cJSON_AddItemToObject(contacts, "point", channel_json(&r->contact_point, CHANNEL_F32));
    cJSON_AddItemToObject(contacts, "force", channel_json(&r->contact_force, CHANNEL_F32));
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
}
