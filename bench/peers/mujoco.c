/* MuJoCo behind peer.h. The model is a bare character in MJCF, as `sinew convert humanoid humanoid.xml` writes it; the
 * ground, the contact masks and the options are put in here.
 *
 * The drive is the same in every method, that of spd-2011 eq. 3, with e = q - target and h = dt:
 *
 *     tau = -kp (e + h qd) - kd (qd + h qdd)
 *
 * The first term is known before the step and goes into qfrc_applied. The methods differ in who solves for the
 * qdd of the second one, and in what the contact solver knows of it:
 *
 *   euler     kd is joint damping, which MuJoCo's Euler integrator takes implicitly: (M + h kd) qdd = ...,
 *             after the contact forces have been found with M alone. Two factorisations a step.
 *   implicit  the same, and the integrator takes the derivatives of the Coriolis terms too.
 *   armature  h kd is added to the joints' armature and -kd qd to the applied force: M + h kd is MuJoCo's mass
 *             matrix, so the contact solver sees the drives as well. One factorisation a step.
 *   armature-cg  the same with the solver that is fastest here, conjugate gradients, ended at 1e-4: about as
 *             accurate as Sinew's implicit contact, ended at 1e-3. The others have MuJoCo's defaults, Newton and 1e-8.
 *
 * Without contact euler and armature are the same to rounding. Joint springs or position actuators would not
 * make implicit any more implicit: MuJoCo differentiates forces by velocity only. */
#define _GNU_SOURCE
#include "peer.h"

#include <mujoco/mujoco.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct scene {
    mjModel *m;
    mjData *d;
    struct peer_tree tree; /* a copy, with the same bodies */
    double *target;        /* [nq] */
    double (*gain)[2];     /* [nbody] applied force = -gain[0] e - gain[1] qd */
};

static void on_error(const char *text) {
    peer_die("MuJoCo", text);
}

/* Warnings are counted in mjData; MuJoCo's own handler would write a log file. */
static void on_warning(const char *text) {
    (void)text;
}

/* -------------------------------------------------------------------------------------------------- model */

/* The place behind the start tag whose name is the given one, at or after text. */
static const char *behind_tag(const char *text, const char *open) {
    size_t length = strlen(open);
    for (const char *at = strstr(text, open); at; at = strstr(at + length, open))
        if (strchr(" \t\r\n>", at[length])) {
            const char *end = strchr(at, '>');
            if (end && end[-1] != '/') return end + 1;
        }
    peer_die("the model has no such element", open);
}

/* MuJoCo lets two geoms collide when contype of one and conaffinity of the other share a bit. Bodies have
 * (1, 0) and the plane (0, 1): body and plane share one, two bodies do not. Friction is the larger of both. */
static char *scene_text(const struct peer_options *options) {
    static const char plane[] =
        "<geom name=\"peer_ground\" type=\"plane\" size=\"0 0 1\" contype=\"0\" conaffinity=\"1\" "
        "friction=\"1 0.005 0.0001\"/>";
    char *model = peer_read_text(options->model);
    const char *top = behind_tag(model, "<mujoco");
    const char *world = behind_tag(top, "<worldbody");
    const char *body = behind_tag(world, "<body");
    char *text;
    if (asprintf(&text, "%.*s%.*s%s%.*s%s%s", (int)(top - model), model, (int)(world - top), top,
                 options->ground ? plane : "", (int)(body - world), world,
                 options->root_free && !strstr(model, "\"free\"") ? "<freejoint/>" : "", body) < 0)
        peer_die("out of memory", NULL);
    free(model);
    return text;
}

static mjModel *load_model(const struct peer_options *options) {
    static const char name[] = "scene.xml";
    char *text = scene_text(options), error[1000] = "";
    int size = (int)strlen(text);
    mjVFS *vfs = peer_need(1, sizeof *vfs);
    mj_defaultVFS(vfs);
    if (mj_makeEmptyFileVFS(vfs, name, size) != 0) peer_die("the model is too large", options->model);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text, (size_t)size);
    mjModel *m = mj_loadXML(name, vfs, error, sizeof error);
    mj_deleteVFS(vfs);
    free(vfs);
    free(text);
    if (!m) peer_die(options->model, error);
    return m;
}

/* Whatever the file says. Nothing that a scene does not need is left switched on. */
static void set_options(mjModel *m, const struct peer_options *options) {
    m->opt.timestep = options->dt;
    m->opt.integrator = strcmp(options->method, "implicit") == 0 ? mjINT_IMPLICIT : mjINT_EULER;
    if (strcmp(options->method, "armature-cg") == 0) m->opt.solver = mjSOL_CG, m->opt.tolerance = 1e-4;
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    m->opt.disableflags |= mjDSBL_ACTUATION; /* the drives here are the only ones */
    if (options->no_limits) m->opt.disableflags |= mjDSBL_LIMIT;
    if (!options->ground) m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT;
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_bodyid[i]) m->geom_contype[i] = 1, m->geom_conaffinity[i] = 0;
}

/* ---------------------------------------------------------------------------------------------- the tree */

static void take_body(struct peer_tree *tree, const mjModel *m, int body) {
    struct peer_body *b = &tree->body[body - 1]; /* body 0 is the world */
    const int joint = m->body_jntadr[body];
    *b = (struct peer_body){.parent = m->body_parentid[body] - 1, .joint = PEER_WELD};
    snprintf(b->name, sizeof b->name, "%s", mj_id2name(m, mjOBJ_BODY, body));
    mju_copy3(b->pos, m->body_pos + 3 * body);
    mju_copy4(b->rot, m->body_quat + 4 * body);
    if (m->body_jntnum[body] == 0) return;
    const int type = m->jnt_type[joint];
    if (m->body_jntnum[body] > 1 || type == mjJNT_SLIDE)
        peer_die("free, ball and hinge joints, one a body, please", b->name);
    b->joint = type == mjJNT_FREE ? PEER_FREE : type == mjJNT_BALL ? PEER_BALL : PEER_HINGE;
    b->q = m->jnt_qposadr[joint];
    b->v = m->jnt_dofadr[joint];
}

static void take_shape(struct peer_shape *shape, const mjModel *m, int geom) {
    const int type = m->geom_type[geom];
    if (type != mjGEOM_SPHERE && type != mjGEOM_CAPSULE && type != mjGEOM_BOX)
        peer_die("geoms must be spheres, capsules or boxes", NULL);
    *shape = (struct peer_shape){.body = m->geom_bodyid[geom] - 1,
                                 .form = type == mjGEOM_SPHERE    ? PEER_SPHERE
                                         : type == mjGEOM_CAPSULE ? PEER_CAPSULE
                                                                  : PEER_BOX};
    mju_copy3(shape->size, m->geom_size + 3 * geom);
    mju_copy3(shape->pos, m->geom_pos + 3 * geom);
    mju_copy4(shape->rot, m->geom_quat + 4 * geom);
}

/* What the scenes have to know; masses stay with MuJoCo. */
static struct peer_tree make_tree(const mjModel *m) {
    struct peer_tree tree = {.nbody = m->nbody - 1, .nq = m->nq, .nv = m->nv};
    tree.body = peer_need((size_t)tree.nbody, sizeof *tree.body);
    tree.shape = peer_need((size_t)m->ngeom, sizeof *tree.shape);
    for (int i = 1; i < m->nbody; i++)
        take_body(&tree, m, i);
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_bodyid[i]) take_shape(&tree.shape[tree.nshape++], m, i);
    return tree;
}

/* ------------------------------------------------------------------------------------------------- drives */

static void set_gains(struct scene *s, const struct peer_options *options) {
    const bool armature = strncmp(options->method, "armature", 8) == 0;
    for (int i = 0; i < s->tree.nbody; i++) {
        const struct peer_body *b = &s->tree.body[i];
        const double kp = peer_kp(options, b), kd = peer_kd(options, b);
        s->gain[i][0] = kp;
        s->gain[i][1] = kp * options->dt + (armature ? kd : 0);
        for (int k = 0; k < peer_nv(b->joint); k++) {
            if (armature)
                s->m->dof_armature[b->v + k] += options->dt * kd;
            else
                s->m->dof_damping[b->v + k] += kd;
        }
    }
    if (armature) mj_setConst(s->m, s->d); /* the contact solver scales its softness by the inertia */
}

static void apply_drives(const struct scene *s) {
    const mjtNum *qpos = s->d->qpos, *qvel = s->d->qvel;
    for (int i = 0; i < s->tree.nbody; i++) {
        const struct peer_body *b = &s->tree.body[i];
        const double *q = qpos + b->q, *t = s->target + b->q, *v = qvel + b->v, *gain = s->gain[i];
        double e[6] = {0};
        if (gain[0] == 0 || b->joint == PEER_WELD) continue;
        if (b->joint == PEER_HINGE) e[0] = q[0] - t[0];
        if (b->joint == PEER_BALL) peer_quat_error(t, q, e);
        if (b->joint == PEER_FREE) {
            mju_sub3(e, q, t);
            peer_quat_error(t + 3, q + 3, e + 3);
        }
        for (int k = 0; k < peer_nv(b->joint); k++)
            s->d->qfrc_applied[b->v + k] = -gain[0] * e[k] - gain[1] * v[k];
    }
}

/* ------------------------------------------------------------------------------------------------- engine */

static void *create(const struct peer_options *options, struct peer_tree *tree) {
    struct scene *s = peer_need(1, sizeof *s);
    mju_user_error = on_error;
    mju_user_warning = on_warning;
    s->m = load_model(options);
    set_options(s->m, options);
    s->d = mj_makeData(s->m);
    if (!s->d) peer_die("out of memory", NULL);
    s->tree = make_tree(s->m);
    *tree = make_tree(s->m);
    s->target = peer_need((size_t)s->m->nq, sizeof *s->target);
    s->gain = peer_need((size_t)s->tree.nbody, sizeof *s->gain);
    set_gains(s, options);
    return s;
}

static void destroy(void *self) {
    struct scene *s = self;
    mj_deleteData(s->d);
    mj_deleteModel(s->m);
    peer_free_tree(&s->tree);
    free(s->target);
    free(s->gain);
    free(s);
}

static void start(void *self, const double *q, const double *qd) {
    struct scene *s = self;
    mj_resetData(s->m, s->d);
    mju_copy(s->d->qpos, q, s->m->nq);
    mju_copy(s->d->qvel, qd, s->m->nv);
}

static void state(void *self, double *q) {
    struct scene *s = self;
    mju_copy(q, s->d->qpos, s->m->nq);
}

static void target(void *self, const double *q) {
    struct scene *s = self;
    mju_copy(s->target, q, s->m->nq);
}

/* MuJoCo takes forces at the centre of mass. */
static void push(void *self, int body, const double force[3]) {
    struct scene *s = self;
    mjtNum *applied = s->d->xfrc_applied + 6 * (body + 1), arm[3];
    mju_sub3(arm, s->d->xpos + 3 * (body + 1), s->d->xipos + 3 * (body + 1));
    mju_copy3(applied, force);
    mju_cross(applied + 3, arm, force);
}

/* MuJoCo starts over, with a warning, when a number is bad: that is the end of a run here. */
static bool step(void *self) {
    struct scene *s = self;
    const mjWarningStat *warning = s->d->warning;
    apply_drives(s);
    mj_step(s->m, s->d);
    return !(warning[mjWARN_BADQPOS].number || warning[mjWARN_BADQVEL].number ||
             warning[mjWARN_BADQACC].number);
}

static void look(void *self, struct peer_look *seen) {
    const mjData *d = ((struct scene *)self)->d;
    seen->contacts = d->ncon;
    seen->rows = d->nefc;
    for (int i = 0; i < d->ncon; i++)
        seen->penetration = fmax(seen->penetration, -d->contact[i].dist);
}

static void load(void *self, const double *tau) {
    struct scene *s = self;
    mju_copy(s->d->qfrc_applied, tau, s->m->nv);
}

static void forward(void *self) {
    struct scene *s = self;
    mj_forward(s->m, s->d);
}

static void acceleration(void *self, double *qdd) {
    struct scene *s = self;
    mju_copy(qdd, s->d->qacc, s->m->nv);
}

static const char *const methods[] = {"euler", "implicit", "armature", "armature-cg", NULL};

PEER_PROGRAM("mujoco", mj_versionString, 1e-6)
