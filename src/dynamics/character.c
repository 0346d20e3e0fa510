/* One character: a pack of one, and the questions one can ask it. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "dynamics/character.h"

sn_character_def sn_character_def_default(void) {
    return (sn_character_def){.precision = SN_DOUBLE, .gravity = {0, 0, -9.81}, .dt = 1.0 / 240};
}

struct sn__pack_def sn__pack_def_of(const sn_character_def *d) {
    return (struct sn__pack_def){d->precision,  d->lanes, {d->gravity[0], d->gravity[1], d->gravity[2]},
                                 d->dt,         d->form,  d->solver,
                                 d->integrator, d->route, d->report_torque};
}

sn_character *sn_character_create(const sn_model *model, const sn_character_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_character *c = sn__alloc(1, sizeof *c);
    if (!c) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
        return NULL;
    }
    c->pack.guarded = true;
    const struct sn__pack_def how = def ? sn__pack_def_of(def) : (struct sn__pack_def){0};
    if (sn__pack_init(&c->pack, model, def ? &how : NULL, 1, false, error)) {
        sn__free(c);
        return NULL;
    }
    const size_t pose = 13 * (size_t)model->nbody, rows = 6 * (size_t)model->nv;
    const size_t n = pose > rows ? pose : rows;
    c->out = sn__alloc_aligned(n * c->pack.k->elem_size * (size_t)c->pack.k->info.width);
    c->row = sn__alloc(n, sizeof *c->row);
    if (c->out && c->row) return c;
    sn__fail(error, SN_ERROR_MEMORY, "no memory for a character");
    sn_character_free(c);
    return NULL;
}

void sn_character_free(sn_character *c) {
    if (!c) return;
    sn__pack_release(&c->pack);
    sn__free(c->out);
    sn__free(c->row);
    sn__free(c);
}

const sn_model *sn_character_model(const sn_character *c) {
    return c->pack.model;
}

sn_status sn_character_set_state(sn_character *c, const double *q, const double *qd) {
    return sn__pack_set_state(&c->pack, 0, q, qd);
}

void sn_character_get_state(const sn_character *c, double *q, double *qd) {
    if (q) sn__pack_get(&c->pack, SN__Q, 0, c->pack.model->nq, q);
    if (qd) sn__pack_get(&c->pack, SN__QD, 0, c->pack.model->nv, qd);
}

void sn_character_get_acceleration(const sn_character *c, double *qdd) {
    sn__pack_get(&c->pack, SN__QDD, 0, c->pack.model->nv, qdd);
}

sn_status sn_character_set_gains(sn_character *c, const double *kp, const double *kd) {
    return sn__pack_set_gains(&c->pack, kp, kd);
}

sn_status sn_character_set_target(sn_character *c, const double *q, const double *qd) {
    return sn__pack_set_target(&c->pack, 0, q, qd);
}

sn_status sn_character_set_feedforward(sn_character *c, const double *tau) {
    const int nv = c->pack.model->nv;
    if (tau && !sn__pack_holds(&c->pack, nv, tau)) return SN_ERROR_ARGUMENT;
    c->pack.has_feedforward = tau != NULL;
    if (tau) sn__pack_put(&c->pack, SN__FEEDFORWARD, 0, nv, tau);
    return SN_OK;
}

sn_status sn_character_set_push(sn_character *c, int body, const double force[3], const double torque[3]) {
    const int n = 6 * c->pack.model->nbody;
    if (body < 0 || body >= c->pack.model->nbody) return SN_ERROR_ARGUMENT;
    if ((force && !sn__pack_holds(&c->pack, 3, force)) || (torque && !sn__pack_holds(&c->pack, 3, torque)))
        return SN_ERROR_ARGUMENT;
    sn__pack_get(&c->pack, SN__PUSH, 0, n, c->row);
    for (int i = 0; i < 3; i++) {
        c->row[6 * body + i] = force ? force[i] : 0;
        c->row[6 * body + 3 + i] = torque ? torque[i] : 0;
    }
    c->pack.has_push = false;
    for (int i = 0; i < n; i++)
        c->pack.has_push |= c->row[i] != 0;
    sn__pack_put(&c->pack, SN__PUSH, 0, n, c->row);
    return SN_OK;
}

sn_status sn_character_set_dt(sn_character *c, double dt) {
    if (c->member) return SN_ERROR_ARGUMENT; /* dt is the world's */
    return sn__pack_set_dt(&c->pack, dt);
}

sn_status sn_character_step(sn_character *c) {
    if (c->member) return SN_ERROR_ARGUMENT; /* the world steps it */
    return sn__pack_step(&c->pack);
}

sn_status sn_character_get_torque(const sn_character *c, double *tau) {
    if (!c->pack.def.report_torque) return SN_ERROR_ARGUMENT;
    sn__pack_get(&c->pack, SN__TORQUE, 0, c->pack.model->nv, tau);
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------- questions */

/* Lane 0 of what a kernel answered. */
static void gather(const sn_character *c, const void *lanes, size_t n, double *values) {
    const size_t width = (size_t)c->pack.k->info.width;
    for (size_t i = 0; i < n; i++)
        values[i] = c->pack.def.precision == SN_DOUBLE ? ((const double *)lanes)[i * width]
                                                       : (double)((const float *)lanes)[i * width];
}

static sn_status kinematics(sn_character *c, int body) {
    if (body < 0 || body >= c->pack.model->nbody) return SN_ERROR_ARGUMENT;
    const struct sn__args args = sn__pack_args(&c->pack, 0);
    c->pack.k->kinematics(&args, c->out);
    gather(c, c->out, 13 * (size_t)c->pack.model->nbody, c->row);
    return SN_OK;
}

sn_status sn_character_body_pose(sn_character *c, int body, double pos[3], double rot[4]) {
    if (kinematics(c, body)) return SN_ERROR_ARGUMENT;
    if (pos) memcpy(pos, c->row + 13 * body, 3 * sizeof *pos);
    if (rot) memcpy(rot, c->row + 13 * body + 3, 4 * sizeof *rot);
    return SN_OK;
}

sn_status sn_character_body_velocity(sn_character *c, int body, double linear[3], double angular[3]) {
    if (kinematics(c, body)) return SN_ERROR_ARGUMENT;
    if (linear) memcpy(linear, c->row + 13 * body + 7, 3 * sizeof *linear);
    if (angular) memcpy(angular, c->row + 13 * body + 10, 3 * sizeof *angular);
    return SN_OK;
}

sn_status sn_character_summary(sn_character *c, sn_summary *s) {
    if (!s) return SN_ERROR_ARGUMENT;
    const struct sn__args args = sn__pack_args(&c->pack, 0);
    double v[11];
    c->pack.k->summary(&args, c->out);
    gather(c, c->out, 11, v);
    *s = (sn_summary){v[0], v[1], {v[2], v[3], v[4]}, {v[5], v[6], v[7]}, {v[8], v[9], v[10]}};
    return SN_OK;
}

sn_status sn_character_jacobian(sn_character *c, int body, const double point[3], double *J) {
    if (body < 0 || body >= c->pack.model->nbody || !point || !J) return SN_ERROR_ARGUMENT;
    const struct sn__args args = sn__pack_args(&c->pack, 0);
    c->pack.k->jacobian(&args, body, point, c->out);
    gather(c, c->out, 6 * (size_t)c->pack.model->nv, J);
    return SN_OK;
}

sn_status sn_character_mass_matrix(sn_character *c, double *M) {
    if (!M) return SN_ERROR_ARGUMENT;
    const size_t nv = (size_t)c->pack.model->nv;
    if (sn__pack_need_matrix(&c->pack)) return SN_ERROR_MEMORY;
    const struct sn__args args = sn__pack_args(&c->pack, 0);
    c->pack.k->crba(&args, c->pack.field[SN__MATRIX]);
    gather(c, c->pack.field[SN__MATRIX], nv * nv, M);
    for (size_t i = 0; i < nv; i++)
        M[i * nv + i] += c->pack.model->armature[i];
    return SN_OK;
}

/* Force of the passive springs and dampers, [nv], into c->row. */
static void passive_force(sn_character *c, const struct sn__args *args) {
    const sn_model *m = c->pack.model;
    double *force = c->row, *qd = c->row + m->nv;
    memset(force, 0, sizeof *force * (size_t)m->nv);
    if (m->has_stiffness) {
        c->pack.k->springs(args, c->pack.field[SN__TAU]);
        gather(c, c->pack.field[SN__TAU], (size_t)m->nv, force);
    }
    sn__pack_get(&c->pack, SN__QD, 0, m->nv, qd);
    for (int v = 0; v < m->nv; v++)
        force[v] -= m->damping[v] * qd[v];
}

sn_status sn_character_inverse_dynamics(sn_character *c, const double *qdd, double *tau) {
    if (!qdd || !tau) return SN_ERROR_ARGUMENT;
    const sn_model *m = c->pack.model;
    const struct sn__args args = sn__pack_args(&c->pack, 0);
    sn__pack_put_shared(&c->pack, SN__TAU, m->nv, qdd);
    c->pack.k->rnea(&args, c->pack.field[SN__TAU], c->pack.field[SN__TAU2]);
    gather(c, c->pack.field[SN__TAU2], (size_t)m->nv, tau);
    passive_force(c, &args);
    for (int v = 0; v < m->nv; v++)
        tau[v] += m->armature[v] * qdd[v] - c->row[v];
    return SN_OK;
}

sn_status sn_character_forward_dynamics(sn_character *c, const double *tau, double *qdd) {
    if (!tau || !qdd) return SN_ERROR_ARGUMENT;
    const sn_model *m = c->pack.model;
    struct sn__args args = sn__pack_args(&c->pack, 0);
    passive_force(c, &args);
    bool armature = false;
    for (int v = 0; v < m->nv; v++) {
        c->row[v] += tau[v];
        armature |= m->armature[v] != 0;
    }
    sn__pack_put_shared(&c->pack, SN__TAU, m->nv, c->row);
    args.K = armature ? c->pack.field[SN__ARMATURE] : NULL;
    args.per_axis = NULL;
    c->pack.k->aba(&args, c->pack.field[SN__TAU], c->pack.field[SN__TAU2]);
    gather(c, c->pack.field[SN__TAU2], (size_t)m->nv, qdd);
    return SN_OK;
}

sn_status sn_character_drive_acceleration(sn_character *c, double *qdd) {
    if (!qdd) return SN_ERROR_ARGUMENT;
    struct sn__args args = sn__pack_args(&c->pack, 0);
    sn__pack_accelerate(&c->pack, &args, 0, c->pack.field[SN__TAU2]);
    gather(c, c->pack.field[SN__TAU2], (size_t)c->pack.model->nv, qdd);
    return SN_OK;
}

sn_status sn_character_drive_torque(sn_character *c, double *tau) {
    if (!tau) return SN_ERROR_ARGUMENT;
    struct sn__args args = sn__pack_args(&c->pack, 0);
    sn__pack_accelerate(&c->pack, &args, 0, c->pack.field[SN__TAU2]);
    sn__pack_torque(&c->pack, &args, c->pack.field[SN__TAU2], c->pack.field[SN__TAU]);
    gather(c, c->pack.field[SN__TAU], (size_t)c->pack.model->nv, tau);
    return SN_OK;
}
