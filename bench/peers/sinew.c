/* Sinew itself behind peer.h: one character, double, through the public interface. The model is the name of a built-in
 * one. `--write FILE` writes it as the tree the other programs read, with the accelerations they have to agree on.
 *
 *   maba, dense, lapack, sparse, pcg   without ground: how the drives are solved; maba by a world
 *   implicit, rows                     on the ground: how contacts are solved, the drives by maba */
#include "peer.h"

#include <sinew/dynamics.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct scene {
    sn_model *model;
    sn_world *world;       /* steps it; NULL: the state is here, and dynamics steps it by another solver */
    sn_dynamics *dynamics; /* answers questions */
    double *q, *qd, *target, *kp, *kd, *push, *tau, *qdd;
};

static const char *const methods[] = {"maba", "implicit", "rows", "dense", "lapack", "sparse", "pcg", NULL};

/* ---------------------------------------------------------------------------------------------- the tree */

static void take_body(struct peer_body *b, const sn_body_info *info) {
    *b = (struct peer_body){
        .parent = info->parent, .q = info->q_index, .v = info->v_index, .mass = info->mass};
    snprintf(b->name, sizeof b->name, "%s", info->name);
    static const int joint[SN_JOINT_TYPE_COUNT] = {[SN_JOINT_WELD] = 1 + PEER_WELD,
                                                   [SN_JOINT_HINGE] = 1 + PEER_HINGE,
                                                   [SN_JOINT_BALL] = 1 + PEER_BALL,
                                                   [SN_JOINT_FREE] = 1 + PEER_FREE};
    if (!joint[info->joint.type]) peer_die("free, ball and hinge joints, please", info->name);
    b->joint = joint[info->joint.type] - 1;
    for (int i = 0; i < 3; i++)
        if (info->joint.anchor[i] != 0) peer_die("a joint is not at its body's origin", info->name);
    memcpy(b->pos, info->pos, sizeof b->pos);
    memcpy(b->rot, info->rot, sizeof b->rot);
    memcpy(b->axis, info->joint.axis, sizeof b->axis);
    memcpy(b->com, info->com, sizeof b->com);
    memcpy(b->inertia, info->inertia, sizeof b->inertia);
}

static void take_shape(struct peer_shape *s, const sn_shape_def *def, int body) {
    if (def->type > SN_SHAPE_BOX) peer_die("spheres, capsules and boxes, please", NULL);
    *s = (struct peer_shape){.body = body,
                             .form = def->type == SN_SHAPE_SPHERE    ? PEER_SPHERE
                                     : def->type == SN_SHAPE_CAPSULE ? PEER_CAPSULE
                                                                     : PEER_BOX};
    memcpy(s->size, def->size, sizeof s->size);
    memcpy(s->pos, def->pos, sizeof s->pos);
    memcpy(s->rot, def->rot, sizeof s->rot);
}

static double random_between(uint64_t *state, double size) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return size * ((double)(*state >> 11) * 0x1p-52 - 1);
}

/* Any state and torques; the accelerations by our own articulated-body algorithm. */
static void make_reference(struct peer_tree *tree, const sn_model *model, sn_dynamics *dynamics) {
    const size_t nq = (size_t)tree->nq, nv = (size_t)tree->nv;
    uint64_t seed = 2020;
    double *zero = peer_need(nq, sizeof *zero), *turn = peer_need(nv, sizeof *turn);
    tree->q = peer_need(nq, sizeof *tree->q), tree->qd = peer_need(nv, sizeof *tree->qd);
    tree->tau = peer_need(nv, sizeof *tree->tau), tree->qdd = peer_need(nv, sizeof *tree->qdd);
    for (size_t i = 0; i < nv; i++) {
        turn[i] = random_between(&seed, 0.7);
        tree->qd[i] = random_between(&seed, 1);
        tree->tau[i] = random_between(&seed, 20);
    }
    sn_model_zero_pose(model, zero);
    sn_model_pose_add(model, 1, zero, turn, tree->q);
    if (sn_dynamics_forward(dynamics, tree->q, tree->qd, NULL, tree->tau, tree->qdd) != SN_OK)
        peer_die("no accelerations", NULL);
    free(zero);
    free(turn);
}

static void make_tree(struct peer_tree *tree, const sn_model *model, sn_dynamics *dynamics) {
    *tree = (struct peer_tree){.nbody = sn_model_get(model)->nbody,
                               .nshape = sn_model_get(model)->nshape,
                               .nq = sn_model_get(model)->nq,
                               .nv = sn_model_get(model)->nv};
    tree->body = peer_need((size_t)tree->nbody, sizeof *tree->body);
    tree->shape = peer_need((size_t)tree->nshape, sizeof *tree->shape);
    for (int i = 0; i < tree->nbody; i++) {
        const sn_body_info *info = sn_model_body(model, i);
        take_body(&tree->body[i], info);
        for (int k = info->first_shape; k < info->first_shape + info->nshape; k++)
            take_shape(&tree->shape[k], (&sn_model_get(model)->shape[k]), i);
    }
    make_reference(tree, model, dynamics);
}

/* -------------------------------------------------------------------------------------------------- scene */

static sn_solver solver_of(const char *method) {
    static const struct {
        const char *name;
        sn_solver solver;
    } known[] = {{"dense", SN_SOLVER_DENSE},
                 {"lapack", SN_SOLVER_LAPACK},
                 {"sparse", SN_SOLVER_SPARSE},
                 {"pcg", SN_SOLVER_PCG}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(method, known[i].name) == 0) return known[i].solver;
    return SN_SOLVER_MABA;
}

static void create_dynamics(struct scene *s, const struct peer_options *options) {
    sn_dynamics_def def = sn_dynamics_def_default();
    sn_error error = {0};
    def.dt = options->dt;
    def.solver = solver_of(options->method);
    s->dynamics = sn_dynamics_create(s->model, &def, &error);
    if (!s->dynamics) peer_die(options->method, error.message);
}

static void create_world(struct scene *s, const struct peer_options *options) {
    sn_world_def def = sn_world_def_default();
    sn_error error = {0};
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    def.dt = options->dt;
    def.contact = strcmp(options->method, "rows") == 0 ? SN_CONTACT_ROWS : SN_CONTACT_IMPLICIT;
    def.joint_limits = options->ground && !options->no_limits;
    s->world = sn_world_create(&def, &error);
    if (!s->world || sn_world_add(s->world, s->model, &error) < 0 ||
        (options->ground && sn_world_add_plane(s->world, origin, up, NULL, &error) < 0))
        peer_die(options->model, error.message);
}

static void set_gains(struct scene *s, const struct peer_options *options, const struct peer_tree *tree) {
    for (int i = 0; i < tree->nbody; i++)
        for (int k = 0; k < peer_nv(tree->body[i].joint); k++) {
            s->kp[tree->body[i].v + k] = peer_kp(options, &tree->body[i]);
            s->kd[tree->body[i].v + k] = peer_kd(options, &tree->body[i]);
        }
    if (s->world) sn_world_set_gains(s->world, 0, s->kp, s->kd);
}

static void *create(const struct peer_options *options, struct peer_tree *tree) {
    struct scene *s = peer_need(1, sizeof *s);
    sn_error error = {0};
    s->model = sn_builtin_create(options->model, &error);
    if (!s->model) peer_die(options->model, error.message);
    const size_t nq = (size_t)sn_model_get(s->model)->nq, nv = (size_t)sn_model_get(s->model)->nv;
    s->q = peer_need(2 * nq + 5 * nv + 6 * (size_t)sn_model_get(s->model)->nbody, sizeof *s->q);
    s->target = s->q + nq, s->qd = s->target + nq, s->kp = s->qd + nv, s->kd = s->kp + nv;
    s->tau = s->kd + nv, s->qdd = s->tau + nv, s->push = s->qdd + nv;
    sn_model_zero_pose(s->model, s->q);
    sn_model_zero_pose(s->model, s->target);
    create_dynamics(s, options);
    if (options->ground || solver_of(options->method) == SN_SOLVER_MABA) create_world(s, options);
    make_tree(tree, s->model, s->dynamics);
    set_gains(s, options, tree);
    return s;
}

static void destroy(void *self) {
    struct scene *s = self;
    sn_world_free(s->world);
    sn_dynamics_free(s->dynamics);
    sn_model_free(s->model);
    free(s->q);
    free(s);
}

static void start(void *self, const double *q, const double *qd) {
    struct scene *s = self;
    memcpy(s->q, q, (size_t)sn_model_get(s->model)->nq * sizeof *q);
    memcpy(s->qd, qd, (size_t)sn_model_get(s->model)->nv * sizeof *qd);
    if (s->world) sn_world_set_state(s->world, 0, q, qd);
}

static void state(void *self, double *q) {
    struct scene *s = self;
    if (s->world)
        sn_world_get_state(s->world, 0, q, NULL);
    else
        memcpy(q, s->q, (size_t)sn_model_get(s->model)->nq * sizeof *q);
}

static void target(void *self, const double *q) {
    struct scene *s = self;
    memcpy(s->target, q, (size_t)sn_model_get(s->model)->nq * sizeof *q);
    if (s->world) sn_world_set_target(s->world, 0, q, NULL);
}

static void push(void *self, int body, const double force[3]) {
    struct scene *s = self;
    memcpy(s->push + 6 * body, force, 3 * sizeof *force);
    if (s->world) sn_world_push(s->world, 0, body, force, NULL, INFINITY);
}

static bool step(void *self) {
    struct scene *s = self;
    if (s->world) return sn_world_step(s->world) == SN_OK;
    const sn_drive drive = {.kp = s->kp, .kd = s->kd, .target_q = s->target, .push = s->push};
    return sn_dynamics_step(s->dynamics, &drive, 1, s->q, s->qd, NULL, NULL) == SN_OK;
}

static void look(void *self, struct peer_look *seen) {
    struct scene *s = self;
    if (!s->world) return;
    sn_world_stats stats;
    sn_world_get_stats(s->world, &stats);
    seen->contacts = stats.contacts;
    seen->rows = stats.rows;
    int count;
    const sn_contact *contact = sn_world_contacts(s->world, 0, &count);
    for (int i = 0; i < count; i++)
        if (-contact[i].gap > seen->penetration) seen->penetration = -contact[i].gap;
}

static void load(void *self, const double *tau) {
    struct scene *s = self;
    memcpy(s->tau, tau, (size_t)sn_model_get(s->model)->nv * sizeof *tau);
}

static void forward(void *self) {
    struct scene *s = self;
    sn_dynamics_forward(s->dynamics, s->q, s->qd, NULL, s->tau, s->qdd);
}

static void acceleration(void *self, double *qdd) {
    struct scene *s = self;
    memcpy(qdd, s->qdd, (size_t)sn_model_get(s->model)->nv * sizeof *qdd);
}

PEER_PROGRAM("sinew", sn_version, 1e-12)
