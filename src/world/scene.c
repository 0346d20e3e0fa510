/* A world from a file: scenes of MuJoCo with all that is in them, or a character on a plane.
 *
 * The file's model is cut into members: a tree of bodies is one, unless exclusions or couplings tie it to others. Bodies that
 * cannot move give their shapes to the ground. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "import/scene.h"
#include "world/constraints.h"
#include "world/scene_touch.h"
#include "model/joint.h"

/* A scene on its way into a world. Arrays by the bodies of the scene's model. */
struct stage {
    const struct sn__scene *scene;
    const sn_model *model; /* the draft of all bodies; NULL: nothing but ground */
    sn_world *world;
    int nbody;
    int *tree;              /* the body that stands for the trees which become one member; fixed ones apart */
    uint8_t *fixed;         /* cannot move */
    uint8_t *take, *shaped; /* of the current member */
    int *member, *place;    /* where it has come: member -1, of those that are ground alone */
    struct sn__frame *frame;      /* of fixed bodies, in the world */
    struct sn__scene_touch touch; /* group and mask of every shape: scene_touch.c */
    double *values;               /* [nq + 2 nv] of a member */
    sn_error *error;
};

/* ------------------------------------------------------------------------------------------------ cutting */

static int root_of(const struct stage *s, int body) {
    while (s->model->body[body].parent >= 0)
        body = s->model->body[body].parent;
    return body;
}

/* The smallest of the roots that belong together. */
static int chief(const struct stage *s, int body) {
    int root = root_of(s, body);
    while (s->tree[root] != root)
        root = s->tree[root];
    return root;
}

static void unite(struct stage *s, int a, int b) {
    const int x = chief(s, a), y = chief(s, b);
    if (s->fixed[a] || s->fixed[b] || x == y) return;
    s->tree[x > y ? x : y] = x > y ? y : x;
}

static void cut(struct stage *s) {
    const sn_model *m = s->model;
    for (int i = 0; i < m->nbody; i++) {
        const sn_body_info *b = &m->body[i];
        s->tree[i] = i;
        s->fixed[i] = b->nv == 0 && (b->parent < 0 || s->fixed[b->parent]);
        if (!s->fixed[i]) continue;
        s->frame[i] = (struct sn__frame){.rot = {1, 0, 0, 0}};
        if (b->parent >= 0) s->frame[i] = s->frame[b->parent];
        double turned[3];
        dquat_rotate(s->frame[i].rot, b->pos, turned);
        for (int k = 0; k < 3; k++)
            s->frame[i].pos[k] += turned[k];
        dquat_multiply(s->frame[i].rot, b->rot, s->frame[i].rot);
    }
    for (int i = 0; i < m->nexclusion; i++)
        unite(s, m->exclusion[i].a, m->exclusion[i].b);
    for (int i = 0; i < m->nconstraint; i++)
        if (sn__tie_couples(m->constraint[i].type) && m->constraint[i].member2 >= 0)
            unite(s, m->constraint[i].body, m->constraint[i].body2);
}

/* ------------------------------------------------------------------------------------------------- ground */

static bool add_grounds(struct stage *s) {
    static const double origin[3] = {0}, upright[4] = {1, 0, 0, 0}, z[3] = {0, 0, 1};
    for (int i = 0; i < s->scene->nground; i++) {
        const struct sn__scene_ground *g = &s->scene->ground[i];
        sn_shape_def shape = g->shape;
        double normal[3];
        int number = 0;
        sn__scene_touch_put(&s->touch, sn__scene_touch_ground(i), &shape);
        dquat_rotate(shape.rot, z, normal);
        if (g->kind == SN__SCENE_PLANE)
            number = sn_world_add_plane(s->world, shape.pos, normal, &shape, s->error);
        else if (g->kind == SN__SCENE_FIELD)
            number = sn_world_add_heightfield(s->world, &g->field, &shape, s->error);
        else if (g->kind == SN__SCENE_MESH)
            number = sn_world_add_mesh(s->world, &g->mesh, &shape, s->error);
        else
            number = sn_world_add_shape(s->world, &shape, origin, upright, s->error);
        if (number < 0) return false;
    }
    for (int i = 0; i < s->nbody; i++) {
        const sn_body_info *b = &s->model->body[i];
        for (int k = 0; s->fixed[i] && k < b->nshape; k++) {
            const sn_shape_def *shape = &s->model->shape[b->first_shape + k];
            if (!(shape->group | shape->mask)) continue; /* for the eye */
            if (sn_world_add_shape(s->world, shape, s->frame[i].pos, s->frame[i].rot, s->error) < 0)
                return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------------------ members */

/* State, gains and targets of a member, from those of the whole. */
static sn_status start(struct stage *s, int number, const sn_model *part, const double *home) {
    const struct sn__scene *scene = s->scene;
    double *q = s->values, *target = q + s->model->nq, *v = target + s->model->nq, *tv = v + s->model->nv,
           *forward = tv + s->model->nv;
    for (int i = 0; i < s->nbody; i++) {
        if (!s->take[i]) continue;
        const sn_body_info *from = &s->model->body[i], *to = &part->body[s->place[i]];
        for (int k = 0; k < from->nq; k++) {
            q[to->q_index + k] = home[from->q_index + k];
            target[to->q_index + k] =
                scene->target_q ? scene->target_q[from->q_index + k] : home[from->q_index + k];
        }
        for (int k = 0; k < from->nv; k++) {
            v[to->v_index + k] = scene->qd ? scene->qd[from->v_index + k] : 0;
            tv[to->v_index + k] = scene->target_qd ? scene->target_qd[from->v_index + k] : 0;
            forward[to->v_index + k] = scene->forward ? scene->forward[from->v_index + k] : 0;
        }
    }
    bool pushes = false;
    for (int i = 0; i < part->nv; i++)
        pushes |= forward[i] != 0;
    sn_status status = sn_world_set_state(s->world, number, q, v);
    if (!status) status = sn_world_set_gains(s->world, number, part->kp, part->kd);
    if (!status) status = sn_world_set_target(s->world, number, target, tv);
    for (int i = 0; pushes && !status && i < s->world->def.copies; i++)
        status = sn_world_set(s->world, number, SN_FIELD_FEEDFORWARD, i, 1, forward);
    return status;
}

/* The member that the trees of a chief become. */
static bool add_member(struct stage *s, int first, const double *home) {
    int count = 0;
    for (int i = 0; i < s->nbody; i++) {
        s->take[i] = chief(s, i) == first;
        s->shaped[i] = !s->fixed[i];
        if (s->take[i]) s->place[i] = count++;
    }
    sn_model *part = sn__model_part(s->model, s->take, s->shaped, s->error);
    if (!part) return false;
    const int number = sn_world_add(s->world, part, s->error);
    if (number < 0) {
        sn_model_free(part);
        return false;
    }
    s->world->known[s->world->member[number]->known].owned = true;
    for (int i = 0; i < s->nbody; i++)
        if (s->take[i]) s->member[i] = number;
    const sn_status status = start(s, number, part, home);
    if (status)
        sn__fail(s->error, status, "member '%s': its state or gains cannot be set", part->body[0].name);
    return !status;
}

static bool add_members(struct stage *s) {
    double *home = sn__alloc((size_t)s->model->nq + 1, sizeof *home);
    bool good = home != NULL;
    if (!home) sn__fail(s->error, SN_ERROR_MEMORY, "no memory for a scene");
    if (home) sn_model_home_pose(s->model, home);
    for (int i = 0; i < s->nbody; i++)
        s->member[i] = -1;
    for (int i = 0; i < s->nbody && good; i++)
        if (!s->fixed[i] && s->member[i] < 0) good = add_member(s, chief(s, i), home);
    sn__free(home);
    return good;
}

/* -------------------------------------------------------------------------------------------- constraints */

/* An end on a body that is ground alone becomes one of the world. */
static void end_of(const struct stage *s, int body, double point[3], int *member, int *place,
                   double turn[4]) {
    *member = s->member[body], *place = s->place[body];
    dquat_identity(turn);
    if (*member >= 0) return;
    double turned[3];
    *place = 0;
    dquat_rotate(s->frame[body].rot, point, turned);
    for (int k = 0; k < 3; k++)
        point[k] = s->frame[body].pos[k] + turned[k];
    memcpy(turn, s->frame[body].rot, 4 * sizeof *turn);
}

/* Those between members, and between a member and ground: what a model brings along is within it. The target of a weld is
   the first body's orientation in the second's frame, R2^-1 R1. */
static bool add_constraint(struct stage *s, const sn_constraint_def *from) {
    sn_constraint_def d = *from;
    double turn[4], turn2[4], aim[4];
    if (from->member2 < 0) return true; /* a member's own */
    end_of(s, from->body, d.point, &d.member, &d.body, turn);
    end_of(s, from->body2, d.point2, &d.member2, &d.body2, turn2);
    if (d.member == d.member2) return true; /* the member's own, or within the ground */
    if (d.type == SN_CONSTRAINT_WELD) {     /* seen from the world where an end is ground */
        dquat_conjugate(turn, turn);
        dquat_multiply(turn2, d.target, aim);
        dquat_multiply(aim, turn, d.target);
    }
    if (d.member < 0) {
        double point[3];
        memcpy(point, d.point, sizeof point);
        memcpy(d.point, d.point2, sizeof point);
        memcpy(d.point2, point, sizeof point);
        d.member = d.member2, d.body = d.body2, d.member2 = -1, d.body2 = 0;
        if (d.type == SN_CONSTRAINT_WELD) dquat_conjugate(d.target, d.target);
    }
    return sn_world_add_constraint(s->world, &d, s->error) != 0;
}

/* ------------------------------------------------------------------------------------------------ together */

/* Groups and masks into the draft, before members are cut from it. */
static void touch_shapes(const struct stage *s) {
    for (int i = 0; s->model && i < s->model->nshape; i++)
        sn__scene_touch_put(&s->touch, sn__scene_touch_shape(s->scene, i), &s->model->shape[i]);
}

static bool make_stage(struct stage *s) {
    const size_t n = (size_t)s->nbody + 1;
    const size_t values = s->model ? 2 * (size_t)s->model->nq + 5 * (size_t)s->model->nv + 1 : 1;
    s->tree = sn__alloc(n, sizeof *s->tree);
    s->member = sn__alloc(n, sizeof *s->member);
    s->place = sn__alloc(n, sizeof *s->place);
    s->fixed = sn__alloc(n, 1), s->take = sn__alloc(n, 1), s->shaped = sn__alloc(n, 1);
    s->frame = sn__alloc(n, sizeof *s->frame);
    s->values = sn__alloc(values, sizeof *s->values);
    if (s->tree && s->member && s->place && s->fixed && s->take && s->shaped && s->frame && s->values) {
        if (s->model) cut(s);
        if (sn__scene_touch_make(&s->touch, s->scene, s->fixed)) {
            touch_shapes(s);
            return true;
        }
    }
    sn__fail(s->error, SN_ERROR_MEMORY, "no memory for a scene");
    return false;
}

static void drop_stage(struct stage *s) {
    sn__scene_touch_free(&s->touch);
    sn__free_all(s->tree, s->member, s->place, s->fixed, s->take, s->shaped, s->frame, s->values);
}

static bool fill(struct stage *s) {
    if (!add_grounds(s)) return false;
    if (!s->model) return true;
    if (!add_members(s)) return false;
    for (int i = 0; i < s->model->nconstraint; i++)
        if (!add_constraint(s, &s->model->constraint[i])) return false;
    return true;
}

static sn_world *world_of_scene(const struct sn__scene *scene, const sn_world_def *given,
                                const sn_load_def *options, const char *name, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    if (given && !sn__definition_take("sn_world_def", given, &def, error)) return NULL;
    if (!scene->is_level) {
        memcpy(def.gravity, scene->gravity, sizeof def.gravity);
        def.dt = scene->dt;
        def.self_contact = true;
    }
    if (!scene->contact) def.contact = SN_CONTACT_NONE;
    if (!scene->limits) def.joint_limits = false;
    sn_world *world = sn_world_create(&def, error);
    if (!world) return NULL;
    struct stage s = {.scene = scene,
                      .model = scene->model,
                      .world = world,
                      .nbody = scene->model ? scene->model->nbody : 0,
                      .error = error};
    const bool good = make_stage(&s) && fill(&s);
    if (good && s.touch.too_many && options && options->warn) {
        char message[256];
        snprintf(message, sizeof message,
                 "%.120s: contact pairs and exclusions need more than 32 groups: left out", name);
        options->warn(options->user, message);
    }
    drop_stage(&s);
    if (good) return world;
    sn_world_free(world);
    return NULL;
}

/* A character alone: on a plane, in its home pose, held by its own drives. */
static sn_world *world_of_character(struct sn__scene *scene, const sn_world_def *given, sn_error *error) {
    sn_world_def def = sn_world_def_default();
    if (given && !sn__definition_take("sn_world_def", given, &def, error)) return NULL;
    sn_model *model = scene->model;
    double *q = sn__alloc((size_t)model->nq + 1, sizeof *q);
    sn_world *world = q ? sn_world_create(&def, error) : NULL;
    if (!q) sn__fail(error, SN_ERROR_MEMORY, "no memory for a scene");
    bool good =
        world && sn_world_add_plane(world, (double[]){0, 0, 0}, (double[]){0, 0, 1}, NULL, error) >= 0;
    const int member = good ? sn_world_add(world, model, error) : -1;
    if (member >= 0) {
        world->known[sn__world_member(world, member)->known].owned = true;
        scene->model = NULL;
        sn_model_home_pose(model, q);
        if (sn__joint_is_free(&model->body[0])) sn_world_stand(world, member, q);
        const sn_status status = sn_world_set_state(world, member, q, NULL) ? SN_ERROR_MODEL
                                 : sn_world_set_target(world, member, q, NULL)
                                     ? SN_ERROR_MODEL
                                     : sn_world_set_gains(world, member, model->kp, model->kd);
        if (status) sn__fail(error, status, "the pose or the gains of the character cannot be set");
        good = !status;
    }
    sn__free(q);
    if (good && member >= 0) return world;
    sn_world_free(world);
    return NULL;
}

static sn_world *finish(struct sn__scene *scene, const char *name, const sn_world_def *def,
                        const sn_load_def *options, sn_error *error) {
    sn_load_def own;
    if (!scene || !sn__definition_take_or("sn_load_def", options, &own, error)) return NULL;
    options = &own;
    sn_error why = {.status = SN_OK};
    sn_world *world = scene->is_character ? world_of_character(scene, def, &why)
                                          : world_of_scene(scene, def, options, name, &why);
    if (!world) sn__fail(error, why.status, "%.200s: %s", name, why.message);
    sn__scene_free(scene);
    return world;
}

sn_world *sn_world_load(const char *path, const sn_world_def *def, const sn_load_def *options,
                        sn_error *error) {
    return finish(sn__scene_load(path, options, error), path, def, options, error);
}

int sn_world_find_body(const sn_world *world, const char *name, int *body) {
    for (int i = 0; i < world->nmember; i++) {
        const int found = world->member[i] ? sn_model_find_body(world->member[i]->model, name) : -1;
        if (found < 0) continue;
        if (body) *body = found;
        return world->member[i]->handle;
    }
    return -1;
}
