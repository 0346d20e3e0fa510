/* The program of a device: a work-item steps one copy of a member, as many steps as the launch is for. All its working memory
 * is private; what all copies share is in tables that the world writes ahead of this text (world/device_text.c):
 *
 *     SN__NBODY SN__NQ SN__NV SN__NPROBE SN__NSIDE SN__NSURFACE SN__WORK_BYTES    sizes
 *     SN__HAS_GROUND  over ground or with joint limits     SN__HAS_SPRINGS  passive springs
 *     SN__HAS_LIMITS  torque limits                        SN__IS_PLAIN     no gain acts on accelerations
 *     SN__HAS_DOUBLE  the device has double precision, which phases of motions need
 *     TREE, PROBED, PROBE, STOPS, SHARE, INERTIA, SURFACE, TERRAIN
 *     sn__device_args(args), sn__device_ground(g)          settings that do not change
 *
 * Everything is read as OpenCL C 1.2 by scripts/check-device.sh. */
#ifndef SINEW_KERNELS_DEVICE_PROGRAM_H
#define SINEW_KERNELS_DEVICE_PROGRAM_H

#include "kernels/contact/ground.h"
#include "kernels/device/fields.h"
#include "kernels/tree/rows.h"

/* ----------------------------------------------------------------------------------------------- values of a copy */

/* Where a copy stands. */
struct spot {
    __global float *state;
    __constant uint *given;
    uint block, lane, width;
};

/* The first of its values of a field; 0: there is none. */
static __global float *values_at(const struct spot *s, int field) {
    const uint at = s->given[SN__GIVEN_AT + field], stride = s->given[SN__GIVEN_BLOCK + field];
    if (at == SN__NOWHERE) return 0;
    return s->state + at + (size_t)stride * s->block + s->lane;
}

/* Copies n values of a field to x and returns it; 0: there is none. */
static float *load_values(const struct spot *s, int field, int n, float *x) {
    __global const float *from = values_at(s, field);
    if (!from) return 0;
    for (int i = 0; i < n; i++)
        x[i] = from[(size_t)i * s->width];
    return x;
}

static void store_values(const struct spot *s, int field, int n, const float *x) {
    __global float *to = values_at(s, field);
    if (!to) return;
    for (int i = 0; i < n; i++)
        to[(size_t)i * s->width] = x[i];
}

/* Everything of a copy while it is stepped. */
struct copy {
    float q[SN__NQ + 1], qd[SN__NV + 1], qdd[SN__NV + 1], frozen[1], residual[1];
    float target_q[SN__NQ + 1], target_qd[SN__NV + 1], feedforward[SN__NV + 1], push[6 * SN__NBODY + 1];
    float kp[SN__NV + 1], kd[SN__NV + 1], kw[SN__NV + 1], K[SN__NV + 1], kw_passive[SN__NV + 1],
        K_passive[SN__NV + 1], limit[SN__NV + 1];
    float mass[1], gravity[3], dt[1], friction[1];
    float spring[SN__NV + 1], torque[SN__NV + 1], middle[SN__NV + 1];
#if SN__HAS_GROUND
    float touch[6 * SN__NPROBE + 1], stop[SN__NSIDE + 1];
    float contact[SN__NPROBE * SN__CONTACT_VALUES + 1], side[SN__NSIDE * SN__LIMIT_VALUES + 1];
    int32_t body[SN__NPROBE + 1], which[SN__NPROBE + 1], limit_body[SN__NSIDE + 1], which_side[SN__NSIDE + 1];
    uint8_t live[SN__NPROBE + SN__NSIDE + 1];
    struct sn__surface surface[SN__NSURFACE + 1];
    struct sn__terrain terrain[SN__NSURFACE + 1];
#endif
};

/* What kernels are given (dynamics/drive.c has the same for the processor). */
static void load_copy(const struct spot *s, struct copy *c, struct sn__args *args) {
    __constant float *number = (__constant float *)(s->given + SN__GIVEN_FLOATS);
    sn__device_args(args);
    args->tree = &TREE;
    args->residual = c->residual;
    c->residual[0] = 0;
    args->q = load_values(s, SN__ON_Q, SN__NQ, c->q);
    args->qd = load_values(s, SN__ON_QD, SN__NV, c->qd);
    load_values(s, SN__ON_QDD, SN__NV, c->qdd);
    args->target_q = load_values(s, SN__ON_TARGET_Q, SN__NQ, c->target_q);
    args->target_qd = load_values(s, SN__ON_TARGET_QD, SN__NV, c->target_qd);
    args->feedforward = load_values(s, SN__ON_FEEDFORWARD, SN__NV, c->feedforward);
    args->push = load_values(s, SN__ON_PUSH, 6 * SN__NBODY, c->push);
    args->frozen = load_values(s, SN__ON_FROZEN, 1, c->frozen);
    args->kp = load_values(s, SN__ON_KP, SN__NV, c->kp);
    args->kd = load_values(s, SN__ON_KD, SN__NV, c->kd);
    args->kw = load_values(s, SN__ON_KW, SN__NV, c->kw);
    args->K = load_values(s, SN__ON_K, SN__NV, c->K);
    args->kw_passive = load_values(s, SN__ON_KW_PASSIVE, SN__NV, c->kw_passive);
    args->K_passive = load_values(s, SN__ON_K_PASSIVE, SN__NV, c->K_passive);
#if SN__HAS_LIMITS
    args->limit = load_values(s, SN__ON_LIMIT, SN__NV, c->limit);
#endif
    args->mass_scale = load_values(s, SN__ON_MASS, 1, c->mass);
    args->own_gravity = load_values(s, SN__ON_GRAVITY, 3, c->gravity);
    args->own_dt = load_values(s, SN__ON_DT, 1, c->dt);
    args->friction = load_values(s, SN__ON_FRICTION, 1, c->friction);
    args->torque = load_values(s, SN__ON_TORQUE, SN__NV, c->torque);
    args->middle = load_values(s, SN__ON_MIDDLE, SN__NV, c->middle);
#if SN__HAS_SPRINGS
    args->spring = c->spring;
#endif
    args->dt = number[SN__NUMBER_DT];
    for (int k = 0; k < 3; k++)
        args->gravity[k] = number[SN__NUMBER_GRAVITY + k];
}

static void store_copy(const struct spot *s, const struct copy *c) {
    store_values(s, SN__ON_Q, SN__NQ, c->q);
    store_values(s, SN__ON_QD, SN__NV, c->qd);
    store_values(s, SN__ON_QDD, SN__NV, c->qdd);
    store_values(s, SN__ON_FROZEN, 1, c->frozen);
    store_values(s, SN__ON_TORQUE, SN__NV, c->torque);
    store_values(s, SN__ON_MIDDLE, SN__NV, c->middle);
    if (s->given[SN__GIVEN_MOTION]) {
        store_values(s, SN__ON_TARGET_Q, SN__NQ, c->target_q);
        store_values(s, SN__ON_TARGET_QD, SN__NV, c->target_qd);
    }
}

/* ------------------------------------------------------------------------------------------------------- ground */

#if SN__HAS_GROUND
/* Heights of terrains stand one after the other in `heights`. */
static void load_ground(const struct spot *s, __global float *heights, struct copy *c) {
    load_values(s, SN__ON_TOUCH, 6 * SN__NPROBE, c->touch);
    load_values(s, SN__ON_STOP, SN__NSIDE, c->stop);
    for (int i = 0; i < SN__NPROBE + SN__NSIDE; i++)
        c->live[i] = 1;
    for (int i = 0; i < SN__NSURFACE; i++) {
        c->surface[i] = SURFACE[i];
        c->terrain[i] = TERRAIN[i];
        if (TERRAIN_AT[i] < 0) continue;
        c->terrain[i].height = heights + TERRAIN_AT[i];
        c->surface[i].terrain = &c->terrain[i];
    }
}

static struct sn__ground ground_of(struct copy *c) {
    struct sn__ground g;
    sn__device_ground(&g);
    g.surface = c->surface;
    g.touch = c->touch, g.stop = c->stop, g.live = c->live;
    g.contacts.value = c->contact, g.contacts.limit = c->side;
    g.contacts.body = c->body, g.contacts.limit_body = c->limit_body;
    g.which = c->which, g.which_side = c->which_side;
    return g;
}
#endif

/* ------------------------------------------------------------------------------------------------------- motions */

#if SN__HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* The rows a phase lies between, how far, and the whole rounds gone by (world/motion.c). */
struct between_rows {
    int from, to;
    double part, round;
};

static struct between_rows find_rows(__constant uint *given, double phase) {
    __constant double *motion = (__constant double *)(given + SN__GIVEN_DOUBLES);
    const int pieces = (int)given[SN__GIVEN_PIECES];
    const double duration = motion[SN__MOTION_DURATION];
    struct between_rows s = {0, 0, 0, 0};
    double time = phase;
    if (given[SN__GIVEN_MOTION] & SN__LOOPS) {
        s.round = floor(phase * motion[SN__MOTION_ROUNDS]);
        if (!isfinite(s.round)) s.round = 0;
        time = phase - s.round * duration;
        if (time < 0) time = 0; /* rounding can leave it just outside */
        if (time >= duration) time = 0, s.round += 1;
    }
    if (!(time >= 0) || !(time < duration)) {
        s.from = s.to = time < 0 ? pieces + 1 : pieces + 2;
        return s;
    }
    const double x = time * motion[SN__MOTION_ROWS];
    s.from = x < pieces ? (int)x : pieces - 1;
    s.to = s.from + 1;
    s.part = x - s.from < 1 ? x - s.from : 1;
    return s;
}

/* Moves the phase on and sets the targets. */
static void follow_motion(__constant uint *given, __global const float *row, const struct sn__args *args,
                          struct copy *c, double *phase) {
    __constant double *motion = (__constant double *)(given + SN__GIVEN_DOUBLES);
    const uint stride = given[SN__GIVEN_STRIDE];
    float a[SN__NQ + SN__NV + 1], b[SN__NQ + SN__NV + 1], part[1], shift[3];
    if (c->frozen[0] == 0) *phase += (double)step_size(args);
    const struct between_rows s = find_rows(given, *phase);
    for (int i = 0; i < SN__NQ + SN__NV; i++) {
        a[i] = row[(size_t)stride * (size_t)s.from + i];
        b[i] = row[(size_t)stride * (size_t)s.to + i];
    }
    part[0] = (float)s.part;
    for (int k = 0; k < 3; k++)
        shift[k] = (float)(s.round * motion[SN__MOTION_ONWARD + k]);
    const void *from[1] = {a}, *to[1] = {b};
    follow(&TREE, from, to, part, given[SN__GIVEN_MOTION] & SN__MOVES_ON ? shift : 0, c->target_q,
           c->target_qd);
}
#endif

/* --------------------------------------------------------------------------------------------------------- steps */

/* How the solve ended. */
static void tell_sweeps(__global int *told, const struct copy *c, int sweeps) {
    atomic_max(told + SN__TOLD_SWEEPS, sweeps);
    if (!(c->residual[0] > 0)) return;
    atomic_inc(told + SN__TOLD_UNSETTLED);
    atomic_max(told + SN__TOLD_RESIDUAL, bits_of(c->residual[0])); /* of what is positive they are in order */
}

#if SN__HAS_GROUND
static void step_copy(const struct sn__args *args, struct copy *c, __global int *told) {
    struct sn__ground g = ground_of(c);
    const int sweeps = step_ground(args, &g, c->q, c->qd, c->qdd);
    if (g.contacts.count + g.contacts.nlimit > 0 || args->limit) tell_sweeps(told, c, sweeps);
    remember(args, &g);
}
#else
static void step_copy(const struct sn__args *given, struct copy *c, __global int *told) {
    struct sn__args args = *given;
    args.last = args.predict_to > 0 ? c->qdd : 0;
#if SN__HAS_LIMITS
    step(&args, c->q, c->qd, c->qdd);
    tell_sweeps(told, c, 0);
#elif SN__IS_PLAIN
    step_plain(&args, c->q, c->qd, c->qdd);
#else
    maba(&args, c->qdd);
    if (args.torque) torque(&args, c->qdd);
    move_on(&args, c->qdd, c->q, c->qd);
#endif
}
#endif

static void tell_frozen(__global int *told, int copy, int before, int after) {
    if (!after) return;
    atomic_inc(told + SN__TOLD_FROZEN);
    if (!before) atomic_min(told + SN__TOLD_FRESH, copy);
}

#if SN__HAS_DOUBLE
typedef double phase_number;
#else
typedef float phase_number; /* not read */
#endif

__kernel void sn__run(__global float *state, __constant uint *given, __global float *heights,
                      __global const float *row, __global phase_number *phases, __global int *told) {
    const int copy = (int)get_global_id(0);
    if (copy >= (int)given[SN__GIVEN_COPIES]) return;
    char work[SN__WORK_BYTES] __attribute__((aligned(64)));
    struct copy c;
    struct sn__args args;
    const uint width = given[SN__GIVEN_WIDTH];
    const struct spot s = {state, given, (uint)copy / width, (uint)copy % width, width};
    load_copy(&s, &c, &args);
    args.work = work;
    if (given[SN__GIVEN_PER_AXIS]) args.per_axis = (__constant uint8_t *)(given + SN__GIVEN_MARKS);
#if SN__HAS_GROUND
    load_ground(&s, heights, &c);
#endif
    const int before = c.frozen[0] != 0;
#if SN__HAS_DOUBLE
    double phase = phases[copy];
#endif
    for (uint i = 0; i < given[SN__GIVEN_STEPS]; i++) {
#if SN__HAS_DOUBLE
        if (given[SN__GIVEN_MOTION]) follow_motion(given, row, &args, &c, &phase);
#endif
#if SN__HAS_SPRINGS
        springs(&args, c.spring);
#endif
        step_copy(&args, &c, told);
    }
#if SN__HAS_DOUBLE
    phases[copy] = phase;
#endif
    store_copy(&s, &c);
#if SN__HAS_GROUND
    store_values(&s, SN__ON_TOUCH, 6 * SN__NPROBE, c.touch);
    store_values(&s, SN__ON_STOP, SN__NSIDE, c.stop);
#endif
    tell_frozen(told, copy, before, c.frozen[0] != 0);
}

#endif
