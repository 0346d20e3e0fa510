/* The scenes of `sinew bench protocol`, their files and their controls. */
#include "protocol.h"

#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The humanoid: mjwarp-testspeed as it is by default, noise of 0.01 about the middle, and the same with controls of all
   sizes. G1: steps of nanoG1 and of its comparison with MuJoCo Warp, servos within 0.1 rad of the keyframe. */
const struct protocol_scene protocol_scenes[] = {
    {"humanoid", "--humanoid", "mujoco/model/humanoid/humanoid.xml", false, 0.005, false, 0.01, 0},
    {"humanoid-busy", "--humanoid", "mujoco/model/humanoid/humanoid.xml", false, 0.005, false, 1, 0},
    {"g1-4ms", "--g1", "menagerie_unitree_g1/scene_mjx.xml", true, 0.004, true, 0.1, 5},
    {"g1-2ms", "--g1", "menagerie_unitree_g1/scene_mjx.xml", true, 0.002, true, 0.1, 5},
    {0}};

/* ---------------------------------------------------------------------------------------------------- files */

/* All shapes but boxes, and these touch the ground. MJCF names what touches it in pairs, which a model alone has not. */
static void strip_shapes(cJSON *body) {
    cJSON *shapes = cJSON_GetObjectItem(body, "shapes"), *kept = cJSON_CreateArray(), *shape;
    while ((shape = cJSON_DetachItemFromArray(shapes, 0))) {
        const cJSON *type = cJSON_GetObjectItem(shape, "type");
        if (cJSON_IsString(type) && strcmp(type->valuestring, "box") == 0) {
            cJSON_Delete(shape);
            continue;
        }
        cJSON_DeleteItemFromObject(shape, "group");
        cJSON_DeleteItemFromObject(shape, "mask");
        cJSON_AddItemToArray(kept, shape);
    }
    cJSON_DeleteItemFromObject(body, "shapes");
    cJSON_AddItemToObject(body, "shapes", kept);
}

/* What motors can do bounds their controls, which are torques here; springs and dampers come on top. So no drive has a limit. */
static void strip_body(cJSON *body, const struct protocol_scene *scene) {
    cJSON *joint = cJSON_GetObjectItem(body, "joint");
    if (!scene->servo) cJSON_DeleteItemFromObject(joint, "torque_limit");
    if (!scene->bare) return;
    cJSON_DeleteItemFromObject(joint, "friction");
    strip_shapes(body);
}

static sn_model *strip(const sn_model *given, const struct protocol_scene *scene, sn_error *error) {
    const size_t size = sn_model_write(given, NULL, 0) + 1;
    char *text = need_memory(NULL, size);
    sn_model_write(given, text, size);
    cJSON *json = cJSON_Parse(text), *body;
    cJSON_ArrayForEach(body, cJSON_GetObjectItem(json, "bodies")) strip_body(body, scene);
    free(text);
    text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    sn_load_def load = sn_load_def_default();
    load.text = text;
    load.size = strlen(text);
    sn_model *model = sn_model_load("protocol.json", &load, error);
    free(text);
    return model;
}

/* Why a model does not fit; NULL: it does. */
static const char *misfit(const sn_model *model) {
    if (sn_model_body(model, 0)->joint.type != SN_JOINT_FREE) return "the root has to be free";
    for (int i = 1; i < sn_model_get(model)->nbody; i++)
        if (sn_model_body(model, i)->nq > 1) return "joints have to be hinges or slides";
    return NULL;
}

bool protocol_file_open(struct protocol_file *file, const struct protocol_scene *scene, const char *path) {
    sn_load_def load = sn_load_def_default();
    sn_error error = {0};
    load.allow_missing_mesh = true;
    *file = (struct protocol_file){.given = sn_model_load(path, &load, &error), .path = path};
    if (file->given) file->model = strip(file->given, scene, &error);
    const char *wrong = file->model ? misfit(file->model) : error.message;
    if (wrong) {
        complain(EXIT_FAILED, "%s: %s", path, wrong);
        protocol_file_close(file);
        return false;
    }
    file->nq = sn_model_get(file->model)->nq;
    file->nv = sn_model_get(file->model)->nv;
    return true;
}

void protocol_file_close(struct protocol_file *file) {
    sn_model_free(file->given);
    sn_model_free(file->model);
    *file = (struct protocol_file){0};
}

/* ------------------------------------------------------------------------------------------------- controls */

/* i mirrored at the point in its digits. */
static double radical_inverse(unsigned long i, unsigned base) {
    double part = 1, sum = 0;
    for (; i; i /= base) {
        part /= base;
        sum += part * (double)(i % base);
    }
    return sum;
}

void protocol_control_make(struct protocol_control *c, const struct protocol_scene *scene,
                           const struct protocol_file *file) {
    const double usual = 20; /* N m, of a joint whose motor has no limit */
    double *home = need_memory(NULL, (size_t)file->nq * sizeof *home);
    *c = (struct protocol_control){.scene = scene,
                                   .count = file->nv - 6,
                                   .rate = exp(-scene->dt / 0.1),
                                   .middle = need_memory(NULL, (size_t)file->nv * sizeof(double)),
                                   .half = need_memory(NULL, (size_t)file->nv * sizeof(double))};
    c->scale = scene->noise * sqrt(1 - c->rate * c->rate);
    sn_model_home_pose(file->given, home);
    for (int i = 1; i < sn_model_get(file->given)->nbody; i++) {
        const sn_body_info *b = sn_model_body(file->given, i);
        if (b->nv == 0) continue;
        const int at = b->v_index - 6;
        c->middle[at] = scene->servo ? home[b->q_index] : 0;
        c->half[at] = scene->servo ? 1 : isfinite(b->joint.torque_limit) ? b->joint.torque_limit : usual;
    }
    free(home);
}

void protocol_control_free(struct protocol_control *c) {
    free(c->middle);
    free(c->half);
    *c = (struct protocol_control){0};
}

void protocol_control_next(const struct protocol_control *c, int world, int step, double *value) {
    const int hold = c->scene->hold;
    const unsigned long turn =
        (unsigned long)(hold ? step / hold + 1 : step + 1) * (unsigned long)(world + 1);
    if (hold && step % hold) return;
    for (int j = 0; j < c->count; j++) {
        const double random = 2 * radical_inverse(turn, (unsigned)j + 2) - 1,
                     before = step ? value[j] : c->middle[j];
        value[j] = hold ? c->middle[j] + c->scene->noise * random
                        : c->rate * before + (1 - c->rate) * c->middle[j] + c->scale * c->half[j] * random;
        if (!c->scene->servo) value[j] = fmax(-c->half[j], fmin(c->half[j], value[j]));
    }
}
