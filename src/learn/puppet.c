/* Puppets: what the stick task does in its own worlds, for a member of any world. */
#include "sinew/puppet.h"

#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate.h"
#include "learn/policy.h"

#include <math.h>
#include <string.h>

enum { BODIES = 13, ROW = 256, RATE = 30 };

/* Everything that steps change. Plain data. */
struct state {
    uint64_t kind; /* of these bytes */
    struct sn__stick_copy copy;
    double stick[3];
    double ground; /* m, where the feet stand */
    double limp;   /* s for which it is still let go */
    int32_t steps; /* of the world since the last control step */
    int32_t mode;
};
static const uint64_t KIND = 0x31746570707570; /* "puppet1" */

struct sn_puppet {
    sn_world *world;
    sn_member member;
    int copy, every; /* steps of the world in a control step */
    sn_policy *go;
    sn_task task; /* the stick task of this model; its user is an imitation */
    const struct sn__imitate *im;
    struct state now;
    float observation[ROW], action[STRIDE_NV];
    bool due; /* in the running call */
};

/* How much of its gains a ragdoll keeps. */
static const double LIMP_KP = .02, LIMP_KD = .05;

/* ------------------------------------------------------------------------------------------------------------ looked */

struct looked {
    float q[STRIDE_NQ], qd[STRIDE_NV], pose[7 * BODIES], velocity[6 * BODIES];
};

static sn_status get(const sn_puppet *p, sn_field field, int count, float *out) {
    double values[7 * BODIES];
    const sn_status status = sn_world_get(p->world, p->member, field, p->copy, 1, values);
    for (int i = 0; i < count && !status; i++)
        out[i] = (float)values[i];
    return status;
}

static sn_status look(const sn_puppet *p, struct looked *at, struct sn__imitate_view *view) {
    sn_status status = get(p, SN_FIELD_Q, STRIDE_NQ, at->q);
    if (!status) status = get(p, SN_FIELD_QD, STRIDE_NV, at->qd);
    if (!status) status = get(p, SN_FIELD_BODY_POSE, 7 * BODIES, at->pose);
    if (!status) status = get(p, SN_FIELD_BODY_VELOCITY, 6 * BODIES, at->velocity);
    *view = (struct sn__imitate_view){
        .q = at->q, .qd = at->qd, .pose = at->pose, .velocity = at->velocity, .ground = (float)p->now.ground};
    return status;
}

/* The ground is where standing feet are: stairs, a ramp, a lift. Less than 2 cm is how a foot rolls. */
static void feel_ground(sn_puppet *p, const struct sn__imitate_view *view) {
    const struct stride *stride = p->im->stride;
    double low = HUGE_VAL;
    for (int side = 0; side < 2; side++) {
        double ankle[3], pitch, heading;
        if (!sn__stride_foot(stride, &p->now.copy.plan, side, ankle, &pitch, &heading)) continue;
        low = fmin(low, (double)view->pose[7 * stride->human.foot[side] + 2] - ankle[2] - p->now.ground);
    }
    if (low < HUGE_VAL && fabs(low) > .02) p->now.ground += (1 - exp(-1.0 / RATE / .15)) * low;
}

/* Whether its pelvis is too low, or lies. */
static bool is_down(const sn_puppet *p, const struct sn__imitate_view *view) {
    const float *q = view->pose + 3, up = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    return (double)(view->pose[2] - view->ground) < .55 * p->im->stride->human.leg || up < .35f;
}

/* ------------------------------------------------------------------------------------------------------------- modes */

/* Gains are no part of a world's state, so that they are set where a mode begins and where one is restored. */
static sn_status set_gains(const sn_puppet *p) {
    const bool limp = p->now.mode != SN_PUPPET_GOES;
    double kp[STRIDE_NV], kd[STRIDE_NV];
    for (int i = 0; i < STRIDE_NV; i++) {
        kp[i] = p->im->gains[i] * (limp ? LIMP_KP : 1);
        kd[i] = p->im->gains[STRIDE_NV + i] * (limp ? LIMP_KD : 1);
    }
    const sn_status status = sn_world_set(p->world, p->member, SN_FIELD_KP, p->copy, 1, kp);
    return status ? status : sn_world_set(p->world, p->member, SN_FIELD_KD, p->copy, 1, kd);
}

static sn_status change(sn_puppet *p, sn_puppet_mode mode) {
    p->now.mode = mode;
    return set_gains(p);
}

/* A new gait where the character is. */
static void start(sn_puppet *p, const struct sn__imitate_view *view) {
    const double low = fmin((double)view->pose[7 * p->im->stride->human.foot[0] + 2],
                            (double)view->pose[7 * p->im->stride->human.foot[1] + 2]);
    p->now.ground = low - p->im->stride->human.sole.depth;
    if (fabs(p->now.ground) < .02) p->now.ground = 0;
    sn__stick_begin(p->im, &p->now.copy, view);
}

/* One control step of the mode; fills the observation if the policy has to act. */
static sn_status control(sn_puppet *p) {
    struct looked at;
    struct sn__imitate_view view;
    sn_status status = look(p, &at, &view);
    if (status) return status;
    if (p->now.mode == SN_PUPPET_LIMP && (p->now.limp -= 1.0 / RATE) > 0) return SN_OK;
    const bool down = is_down(p, &view);
    if (down) return p->now.mode == SN_PUPPET_LIES ? SN_OK : change(p, SN_PUPPET_LIES);
    if (p->now.mode == SN_PUPPET_GOES) {
        feel_ground(p, &view);
        view.ground = (float)p->now.ground;
        sn__stick_advance(p->im, &p->now.copy, p->now.stick, &view);
    } else {
        start(p, &view);
        view.ground = (float)p->now.ground;
        if ((status = change(p, SN_PUPPET_GOES))) return status;
    }
    sn__stick_observe(p->im, &p->now.copy, &view, p->observation);
    p->due = true;
    return SN_OK;
}

/* ------------------------------------------------------------------------------------------------------------ stepped */

static sn_status set_target(sn_puppet *p) {
    double target[STRIDE_NQ];
    sn__stick_target(p->im, &p->now.copy, p->action, target);
    p->due = false;
    return sn_world_set(p->world, p->member, SN_FIELD_TARGET_Q, p->copy, 1, target);
}

/* One product for the puppets from `first` on that are due and have its policy, some at a time. */
static sn_status act(sn_puppet *const *puppets, int first, int count) {
    enum { SOME = 16 };
    static const size_t width = STRIDE_NV - 6;
    float seen[SOME * ROW] = {0}, action[SOME * STRIDE_NV];
    sn_puppet *group[SOME];
    const int n = puppets[first]->im->observations;
    int rows = 0;
    for (int i = first; i < count && rows < SOME; i++) {
        if (!puppets[i]->due || puppets[i]->go != puppets[first]->go) continue;
        memcpy(seen + rows * n, puppets[i]->observation, (size_t)n * sizeof *seen);
        group[rows++] = puppets[i];
    }
    sn_status status = sn_policy_act(puppets[first]->go, rows, seen, action);
    for (int i = 0; i < rows && !status; i++) {
        memcpy(group[i]->action, action + (size_t)i * width, width * sizeof *action);
        status = set_target(group[i]);
    }
    return status;
}

sn_status sn_puppets_step(sn_puppet *const *puppets, int count, sn_error *error) {
    sn_status status = SN_OK;
    for (int i = 0; i < count && !status; i++) {
        sn_puppet *p = puppets[i];
        p->due = false;
        if (p->now.steps == 0) status = control(p);
        p->now.steps = (p->now.steps + 1) % p->every;
    }
    for (int i = 0; i < count && !status; i++)
        if (puppets[i]->due) status = act(puppets, i, count);
    if (status) return sn__fail(error, status, "a puppet's member is gone, or its state is not finite");
    return sn__succeed(error);
}

/* ---------------------------------------------------------------------------------------------------------------- made */

static sn_status check(const sn_puppet *p, sn_error *error) {
    const struct sn__net *net = &p->go->of.net;
    sn_world_def def = sn_world_def_default();
    sn_world_get_def(p->world, &def);
    const double steps = 1 / (RATE * sn_world_get_info(p->world).dt * def.substeps);
    if (p->copy < 0 || p->copy >= def.copies)
        return sn__fail(error, SN_ERROR_ARGUMENT, "copy %d: the world has %d copies", p->copy, def.copies);
    if (fabs(steps - round(steps)) > 1e-6 || steps < .5)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a puppet needs steps of which a whole number makes 1/30 s; here it is %g", steps);
    if (net->width[0] != p->im->observations || net->width[net->layers] != p->im->actions)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the policy has %d observations and %d actions: one of 'sinew train humanoid stick' is "
                        "needed",
                        net->width[0], net->width[net->layers]);
    return SN_OK;
}

static sn_status make(sn_puppet *p, sn_error *error) {
    sn_imitation_def def = sn_imitation_def_default(sn_world_model(p->world, p->member), NULL);
    if (!def.model) return sn__fail(error, SN_ERROR_ARGUMENT, "the world has no such member");
    def.stick = true;
    sn_status status = sn_imitation_task(&p->task, &def, error);
    if (status) return status;
    p->im = p->task.user;
    if ((status = check(p, error))) return status;
    sn_world_def world = sn_world_def_default();
    sn_world_get_def(p->world, &world);
    p->every = (int)lround(1 / (RATE * sn_world_get_info(p->world).dt * world.substeps));
    struct looked at;
    struct sn__imitate_view view;
    p->now.kind = KIND;
    if (!(status = look(p, &at, &view))) start(p, &view);
    if (!status) status = change(p, SN_PUPPET_GOES);
    return status ? sn__fail(error, status, "the member cannot be a puppet") : SN_OK;
}

sn_puppet *sn_puppet_create(sn_world *world, sn_member member, int copy, sn_policy *go, sn_error *error) {
    sn_puppet *p = sn__alloc(1, sizeof *p);
    if (!world || !go || !p) {
        sn__fail(error, p ? SN_ERROR_ARGUMENT : SN_ERROR_MEMORY,
                 p ? "a puppet needs a world and a policy" : "out of memory");
        sn__free(p);
        return NULL;
    }
    p->world = world, p->member = member, p->copy = copy, p->go = go;
    if (!make(p, error)) {
        sn__succeed(error);
        return p;
    }
    sn_puppet_free(p);
    return NULL;
}

void sn_puppet_free(sn_puppet *puppet) {
    if (!puppet) return;
    if (puppet->task.free) puppet->task.free(puppet->task.user);
    sn__free(puppet);
}

void sn_puppet_stick(sn_puppet *puppet, double ahead, double left, double turn) {
    const double stick[3] = {ahead, left, turn};
    for (int k = 0; k < 3; k++)
        puppet->now.stick[k] = isfinite(stick[k]) ? stick[k] : 0;
}

void sn_puppet_let_go(sn_puppet *puppet, double seconds) {
    if (!(seconds > 0)) return;
    puppet->now.limp = seconds;
    change(puppet, SN_PUPPET_LIMP);
}

sn_puppet_mode sn_puppet_get(const sn_puppet *puppet, double *planned, double *reference) {
    const struct stride_state *plan = &puppet->now.copy.plan;
    if (planned) planned[0] = plan->velocity[0], planned[1] = plan->velocity[1], planned[2] = plan->turn;
    if (reference) {
        memcpy(reference, puppet->now.copy.now.q, sizeof puppet->now.copy.now.q);
        reference[2] += puppet->now.ground;
    }
    return (sn_puppet_mode)puppet->now.mode;
}

/* ------------------------------------------------------------------------------------------------------------ rollback */

size_t sn_puppet_save(const sn_puppet *puppet, void *bytes, size_t size) {
    if (bytes && size >= sizeof puppet->now) memcpy(bytes, &puppet->now, sizeof puppet->now);
    return sizeof puppet->now;
}

sn_status sn_puppet_restore(sn_puppet *puppet, const void *bytes, size_t size, sn_error *error) {
    struct state old;
    if (!bytes || size < sizeof old) return sn__fail(error, SN_ERROR_ARGUMENT, "the state of a puppet is cut off");
    memcpy(&old, bytes, sizeof old);
    if (old.kind != KIND || old.mode < 0 || old.mode > SN_PUPPET_LIMP || old.steps < 0 ||
        old.steps >= puppet->every || !isfinite(old.copy.plan.phase))
        return sn__fail(error, SN_ERROR_ARGUMENT, "these bytes are not the state of a puppet");
    puppet->now = old;
    const sn_status status = set_gains(puppet);
    return status ? sn__fail(error, status, "the puppet's member is gone") : sn__succeed(error);
}
