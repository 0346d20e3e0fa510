/* The position stepper: a copy's next pose is where an energy is least (pbad-2018 eq. 5), found by sweeps in linear time. A
 * kernel steps a whole block of copies at once (kernels/position/step.h). This file prepares its arguments. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/position_scheme.h"
#include "world/probes.h"
#include "world/setting.h"
#include "world/step.h"
#include "world/steppers.h"
#include "model/joint.h"

/* What a member's steps need beside its pack, the same in all copies. */
struct sn__pack_position {
    struct sn__position_args scheme, plain; /* plain: the weights of PBAD-2 */
    int nextra, nside;
    int32_t *extra_body; /* [nextra] bodies with points over ground */
    uint8_t *wide;       /* [nbody] balls with limits */
    void *damping;       /* [nv] in lanes, or NULL */
    bool armature;
    size_t offset; /* of the step's memory in ground_work */
    double force_scale;
};

/* ------------------------------------------------------------------------------------------------------ the world's */

static enum sn__position_method method_of(const sn_world *w) {
    return w->def.scheme == SN_SCHEME_BDF2 ? SN__BDF2 : SN__PBAD2;
}

int sn__position_past(const sn_world *w) {
    return sn__position_scheme_of(method_of(w)).past - 1;
}

sn_status sn__position_check(const sn_world_def *d, sn_error *error) {
    if (d->contact != SN_CONTACT_ROWS && !d->self_contact && !(d->sleep > 0)) return SN_OK;
    return sn__fail(
        error, SN_ERROR_UNSUPPORTED,
        "the position stepper has implicit contact with the ground: no rows, no members that touch "
        "themselves, no sleep");
}

sn_status sn__position_check_scene(const sn_world *w, sn_error *error) {
    const bool may_meet = w->shaped > 1 && w->def.contact != SN_CONTACT_NONE;
    const char *what = may_meet                     ? "no contact between members: one with shapes, or none"
                       : w->used_ties > 0           ? "no constraints"
                       : w->moving > 0 && w->shaped ? "ground that stands still"
                       : w->carriers > 0            ? "no surfaces with a velocity"
                       : w->def.contact != SN_CONTACT_IMPLICIT ? NULL
                       : w->unprobed > 0                       ? "ground of planes and height fields only"
                       : w->bouncy > 0                         ? "contact without bounces"
                                                               : NULL;
    return what ? sn__fail(error, SN_ERROR_UNSUPPORTED, "the position stepper has %s", what) : SN_OK;
}

void sn__member_restart(struct sn__member *m, int copy) {
    if (m->pack.k && m->pack.field[SN__STEADY]) sn__pack_put_value(&m->pack, SN__STEADY, copy, 0, 0);
}

/* ---------------------------------------------------------------------------------------------------------- memory */

void sn__position_release(struct sn__pack *p) {
    struct sn__pack_position *x = p->position;
    if (!x) return;
    sn__free_all(x->extra_body, x->wide, x->damping, x);
    p->position = NULL;
}

/* The model's damping in lanes; whether some joint has any. */
static bool put_damping(const struct sn__pack *p, struct sn__pack_position *x) {
    const int nv = p->model->nv, width = p->k->info.width;
    bool some = false;
    for (int v = 0; v < nv; v++)
        some |= p->model->damping[v] != 0;
    if (!some) return true;
    x->damping = sn__alloc_aligned(sn__pack_bytes(p, nv));
    for (int i = 0; x->damping && i < nv * width; i++) {
        const double d = p->model->damping[i / width];
        if (p->def.precision == SN_PRECISION_DOUBLE)
            ((double *)x->damping)[i] = d;
        else
            ((float *)x->damping)[i] = (float)d;
    }
    return x->damping != NULL;
}

/* Bodies that points over ground belong to, each once. */
static void list_extra(struct sn__pack_position *x, const struct sn__ground *g) {
    x->nextra = 0;
    for (int i = 0; i < g->nprobed; i++)
        if (!i || g->probed[i].body != g->probed[i - 1].body) x->extra_body[x->nextra++] = g->probed[i].body;
}

/* Memory for the step stands behind that of contacts, in ground_work. */
bool sn__position_make(const sn_world *w, struct sn__member *m, const struct sn__ground *g, int nside) {
    struct sn__pack *p = &m->pack;
    const sn_model *model = m->model;
    const size_t nbody = (size_t)model->nbody;
    struct sn__pack_position *x = sn__alloc(1, sizeof *x);
    if (!x) return false;
    p->position = x;
    x->extra_body = sn__alloc(nbody + 1, sizeof *x->extra_body);
    x->wide = sn__alloc(nbody + 1, sizeof *x->wide);
    if (!x->extra_body || !x->wide || !put_damping(p, x)) return false;
    const struct sn__position_scheme scheme = sn__position_scheme_of(method_of(w)),
                                     plain = sn__position_scheme_of(SN__PBAD2);
    sn__position_scheme_put(&scheme, &x->scheme);
    sn__position_scheme_put(&plain, &x->plain);
    x->scheme.tree = p->tree;
    x->scheme.springs = model->has_stiffness;
    memcpy(x->scheme.gravity, w->def.gravity, sizeof x->scheme.gravity);
    x->nside = nside;
    for (int i = 0; i < model->nbody; i++)
        x->wide[i] =
            w->def.joint_limits && model->body[i].joint.limited && sn__joint_is_ball(&model->body[i]);
    for (int v = 0; v < model->nv; v++)
        x->armature |= model->armature[v] != 0;
    list_extra(x, g);
    x->force_scale = sn__position_force_scale(model, w->def.gravity);
    x->offset = (p->ground_bytes + 63) & ~(size_t)63;
    p->ground_bytes =
        x->offset + p->k->position->step_memory(model->nbody, model->nv, model->nq, model->tree_f64.nslot,
                                                g->nprobe, nside, scheme.past);
    return true;
}

/* -------------------------------------------------------------------------------------------------------- the step */

static bool has_gains(const struct sn__pack *p) {
    if (p->stride[SN__KP] || p->stride[SN__KD]) return true;
    for (int v = 0; v < p->model->nv; v++)
        if (p->kp[v] != 0 || p->kd[v] != 0) return true;
    return false;
}

/* Whether nothing pulls the joints to targets: dampers are all there is of drives. */
static bool is_limp(const struct sn__pack *p) {
    if (p->stride[SN__KP]) return false;
    for (int v = 0; v < p->model->nv; v++)
        if (p->kp[v] != 0) return false;
    return true;
}

/* How far the search goes: sinew.h at `sweeps`. */
static void take_effort(const sn_world_def *d, bool ground, bool limp, struct sn__position_step *s) {
    const struct sn__setting *setting = sn__setting_of(d);
    s->hessian = SN__CLAMPED;
    s->tolerance = 0.01 * d->sweep_tolerance;
    s->rounds = setting->rounds;
    s->late = setting->passes;
    s->sweeps = d->sweeps;
    if (s->sweeps) return;
    if (!limp && setting->fixed_sweeps) {
        s->sweeps = ground ? 4 : 2;
        return;
    }
    s->newton = setting->passes;
    s->hessian = s->driven ? SN__CLAMPED : SN__MIRRORED;
}

void sn__worker_step_position(struct sn__worker *w, struct sn__hand *h, int block) {
    struct sn__pack *p = h->pack;
    struct sn__pack_position *x = p->position;
    struct sn__args args = sn__pack_args(p, block);
    struct sn__position_args scheme = x->scheme;
    const sn_form form = w->world->def.form;
    const bool armature = x->armature || p->stride[SN__ARMATURE];
    scheme.dt = p->def.dt;
    if (p->def.report_torque) args.torque = sn__pack_at(p, SN__TORQUE, block);
    struct sn__position_step s = {.args = &args,
                                  .scheme = &scheme,
                                  .ground = h->ground,
                                  .nextra = x->nextra,
                                  .nside = x->nside,
                                  .extra_body = x->extra_body,
                                  .past = sn__pack_at(p, SN__PAST, block),
                                  .steady = sn__pack_at(p, SN__STEADY, block),
                                  .memory = (char *)p->ground_work + x->offset,
                                  .unsettled = args.residual,
                                  .damping = x->damping,
                                  .armature = armature ? sn__pack_at(p, SN__ARMATURE, block) : NULL,
                                  .wide = x->wide,
                                  .plain = scheme.past > 2 ? &x->plain : NULL,
                                  .driven = has_gains(p),
                                  .limp = p->stride[SN__KP] || is_limp(p),
                                  .end_spring = form == SN_FORM_FULL,
                                  .ahead = form == SN_FORM_STABLE,
                                  .explicit_drive = form == SN_FORM_EXPLICIT,
                                  .force_scale = x->force_scale};
    take_effort(&w->world->def, h->ground->nprobed > 0, is_limp(p), &s);
    const int sweeps = p->k->position->step(&s, sn__pack_at(p, SN__Q, block), sn__pack_at(p, SN__QD, block),
                                            sn__pack_at(p, SN__QDD, block));
    if (sweeps > w->stats.sweeps) w->stats.sweeps = sweeps;
    if (s.newton) sn__probes_settled(p, sn__world_copies_in(w->world, block), &w->stats);
    if (w->world->def.report_contacts && h->ground->nprobed) sn__worker_report_block(w, h, block);
}
