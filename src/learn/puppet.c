/* Puppets: what the stick task does in its own worlds, for a member of any world. */
#include "sinew/learn.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/memory.h"
#include "learn/imitate.h"
#include "learn/policy.h"

#include <math.h>
#include <string.h>

enum { BODIES = 13, ROW = 256, RATE = 30 };

/* Everything that steps change. Plain data. */
struct state {
    struct sn__stick_copy copy;
    double stick[3];        /* as it was given */
    double ground;          /* m, where the feet stand */
    double felt[2];         /* m/s, the velocity of the ground, as feet that stand feel it */
    double way[2], went[2]; /* velocity of the ground that is believed; how far it has gone, m */
    int32_t stood[2];       /* control steps for which each foot stands and touches */
    double rest;            /* s for which it still lies; infinite: it was let go */
    int32_t steps;          /* of the world since the last control step */
    int32_t mode;
};

struct sn_puppet {
    sn_world *world;
    sn_member member;
    int copy, every; /* steps of the world in a control step */
    sn_policy *go, *get_up;
    sn_task task; /* the stick task of this model; its user is an imitation */
    const struct sn__imitate *im;
    struct state now;
    float observation[ROW], action[STRIDE_NV];
    bool due; /* in the running call */
    int32_t
        gains; /* the mode that the gains of the member are those of; a state that is copied back may have another */
};

/* How long a fallen character lies before it gets up, and before it tries again, s. */
static const double DOWN = .8, AGAIN = .4;

/* ------------------------------------------------------------------------------------------------------------ looked */

struct looked {
    float q[STRIDE_NQ], qd[STRIDE_NV], pose[7 * BODIES], velocity[6 * BODIES], touching[BODIES];
};

static sn_status get(const sn_puppet *p, sn_field field, int count, float *out) {
    double values[7 * BODIES];
    const sn_status status = sn_world_get(p->world, p->member, field, p->copy, 1, values);
    for (int i = 0; i < count && !status; i++)
        out[i] = (float)values[i];
    return status;
}

/* On ground that moves, all is seen from the ground. */
static void ride(const sn_puppet *p, struct looked *at) {
    for (int k = 0; k < 2; k++) {
        const float way = (float)p->now.way[k], went = (float)p->now.went[k];
        at->q[k] -= went, at->qd[k] -= way;
        for (int i = 0; i < BODIES; i++)
            at->pose[7 * i + k] -= went, at->velocity[6 * i + k] -= way;
    }
}

static sn_status look(const sn_puppet *p, struct looked *at, struct sn__imitate_view *view) {
    sn_status status = get(p, SN_FIELD_Q, STRIDE_NQ, at->q);
    if (!status) status = get(p, SN_FIELD_QD, STRIDE_NV, at->qd);
    if (!status) status = get(p, SN_FIELD_BODY_POSE, 7 * BODIES, at->pose);
    if (!status) status = get(p, SN_FIELD_BODY_VELOCITY, 6 * BODIES, at->velocity);
    if (!status) status = get(p, SN_FIELD_TOUCHING, BODIES, at->touching);
    ride(p, at);
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
    if (low < HUGE_VAL && fabs(low) > .02) p->now.ground += (1 - sn__exp(-1.0 / RATE / .15)) * low;
}

/* How fast the edge of a sole is about which it rolls: the slower one. */
static void sole_velocity(const sn_puppet *p, const struct looked *at, int foot, float out[2]) {
    const struct sole *sole = &p->im->stride->human.sole;
    const float *pose = at->pose + 7 * foot, *v = at->velocity + 6 * foot, *w = v + 3;
    float least = HUGE_VALF;
    for (int toe = 0; toe < 2; toe++) {
        const float edge[3] = {(float)(toe ? sole->toe : sole->heel), 0, (float)-sole->depth};
        float arm[3];
        sn__turn(pose + 3, edge, arm);
        const float x = v[0] + w[1] * arm[2] - w[2] * arm[1], y = v[1] + w[2] * arm[0] - w[0] * arm[2];
        if (x * x + y * y >= least) continue;
        least = x * x + y * y;
        out[0] = x, out[1] = y;
    }
}

/* m/s from which on ground is believed to move, and below which no more; time constant, s. */
static const double BELIEVED = .5, DOUBTED = .3, TIME = .4;

/* Feet that have stood for a moment go with the ground. It is believed to move when they go faster than feet slip. */
static void feel_way(sn_puppet *p, const struct looked *at) {
    const struct stride *stride = p->im->stride;
    struct state *s = &p->now;
    for (int side = 0; side < 2; side++) {
        const int foot = stride->human.foot[side];
        double ankle[3], pitch, heading;
        float v[2];
        const bool stands =
            at->touching[foot] > 0 && sn__stride_foot(stride, &s->copy.plan, side, ankle, &pitch, &heading);
        s->stood[side] = stands ? s->stood[side] + 1 : 0;
        if (s->stood[side] < 3) continue;
        sole_velocity(p, at, foot, v);
        for (int k = 0; k < 2; k++)
            s->felt[k] += (1 - sn__exp(-1.0 / RATE / TIME)) * (s->way[k] + (double)v[k] - s->felt[k]);
    }
    const double speed = sn__hypot(s->felt[0], s->felt[1]);
    const bool believed = speed > (s->way[0] != 0 || s->way[1] != 0 ? DOUBTED : BELIEVED);
    for (int k = 0; k < 2; k++) {
        s->way[k] = believed ? s->felt[k] : 0;
        s->went[k] += s->way[k] / RATE;
    }
}

/* Whether its pelvis is too low, or lies. */
static bool is_down(const sn_puppet *p, const struct sn__imitate_view *view) {
    const float *q = view->pose + 3, up = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
    return (double)(view->pose[2] - view->ground) < .55 * p->im->stride->human.leg || up < .35f;
}

/* ------------------------------------------------------------------------------------------------------------- modes */

/* Gains are not part of a world's state: they are set where a mode begins, and after a state was copied back. */
static sn_status set_gains(sn_puppet *p) {
    const bool limp = p->now.mode == SN_PUPPET_LIES || p->now.mode == SN_PUPPET_LIMP;
    double kp[STRIDE_NV], kd[STRIDE_NV];
    for (int i = 0; i < STRIDE_NV; i++) {
        kp[i] = p->im->gains[i] * (limp ? SN__LIMP_KP : 1);
        kd[i] = p->im->gains[STRIDE_NV + i] * (limp ? SN__LIMP_KD : 1);
    }
    p->gains = p->now.mode;
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

static sn_status lie(sn_puppet *p, double seconds) {
    p->now.rest = seconds;
    return change(p, SN_PUPPET_LIES);
}

/* The ground is as far below a pelvis that lies as it is thick, where it fell from a step. */
static sn_status get_up(sn_puppet *p, const struct sn__imitate_view *view) {
    const double ground = (double)view->pose[2] - .1;
    if (fabs(ground - p->now.ground) > .15) p->now.ground = ground;
    sn__stick_rise(p->im, &p->now.copy, view->pose);
    return change(p, SN_PUPPET_GETS_UP);
}

static sn_status go(sn_puppet *p, const struct sn__imitate_view *view) {
    start(p, view);
    return change(p, SN_PUPPET_GOES);
}

/* What the mode does with a control step, and the mode that follows. */
static sn_status go_on(sn_puppet *p, const struct sn__imitate_view *view) {
    const bool down = is_down(p, view), over = (p->now.rest -= 1.0 / RATE) <= 0;
    switch ((sn_puppet_mode)p->now.mode) {
    case SN_PUPPET_LIMP:
        if (!over) return SN_OK;
        return down ? lie(p, DOWN) : go(p, view);
    case SN_PUPPET_LIES:
        if (!down) return go(p, view);
        return over && p->get_up ? get_up(p, view) : SN_OK;
    case SN_PUPPET_GETS_UP:
        sn__stick_change_side(&p->now.copy, view->pose);
        if (!sn__stick_advance(p->im, &p->now.copy, p->now.stick, view)) return lie(p, AGAIN);
        return p->now.copy.way == RISE_NONE ? change(p, SN_PUPPET_GOES) : SN_OK;
    case SN_PUPPET_GOES:
        if (down) return lie(p, DOWN);
        feel_ground(p, view);
        sn__stick_advance(p->im, &p->now.copy, p->now.stick, view);
    }
    return SN_OK;
}

/* A control step; fills the observation if a policy has to act. */
static sn_status control(sn_puppet *p) {
    struct looked at;
    struct sn__imitate_view view;
    sn_status status = look(p, &at, &view);
    if (!status && p->now.mode == SN_PUPPET_GOES) feel_way(p, &at);
    if (!status) status = go_on(p, &view);
    if (status || p->now.mode == SN_PUPPET_LIES || p->now.mode == SN_PUPPET_LIMP) return status;
    view.ground = (float)p->now.ground;
    sn__stick_observe(p->im, &p->now.copy, &view, p->observation);
    p->due = true;
    return SN_OK;
}

static sn_policy *policy_of(const sn_puppet *p) {
    return p->now.mode == SN_PUPPET_GETS_UP ? p->get_up : p->go;
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
        if (!puppets[i]->due || policy_of(puppets[i]) != policy_of(puppets[first])) continue;
        memcpy(seen + rows * n, puppets[i]->observation, (size_t)n * sizeof *seen);
        group[rows++] = puppets[i];
    }
    sn_status status = sn_policy_act(policy_of(puppets[first]), rows, seen, action);
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
        if (p->gains != p->now.mode) status = set_gains(p);
        if (p->now.steps == 0 && !status) status = control(p);
        p->now.steps = (p->now.steps + 1) % p->every;
    }
    for (int i = 0; i < count && !status; i++)
        if (puppets[i]->due) status = act(puppets, i, count);
    if (status) return sn__fail(error, status, "a puppet's member is gone, or its state is not finite");
    return sn__succeed(error);
}

/* ---------------------------------------------------------------------------------------------------------------- made */

static bool acts(const sn_puppet *p, const sn_policy *policy) {
    const struct sn__net *net = &policy->of.net;
    return net->width[0] == p->im->observations && net->width[net->layers] == p->im->actions;
}

/* Steps of the world in a control step. */
static double steps_of(const sn_puppet *p) {
    const sn_world_info info = sn_world_get_info(p->world);
    return 1 / (RATE * info.dt * info.definition->substeps);
}

static sn_status check(const sn_puppet *p, sn_error *error) {
    const double steps = steps_of(p);
    const int copies = sn_world_get_info(p->world).copies;
    if (p->copy < 0 || p->copy >= copies)
        return sn__fail(error, SN_ERROR_ARGUMENT, "copy %d: the world has %d copies", p->copy, copies);
    if (fabs(steps - round(steps)) > 1e-6 || steps < .5)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "a puppet needs world steps of which a whole number makes 1/30 s; here it is %g",
                        steps);
    if (!acts(p, p->go) || (p->get_up && !acts(p, p->get_up)))
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "a puppet needs policies with %d observations and %d actions, of 'sinew train humanoid "
            "stick'",
            p->im->observations, p->im->actions);
    return SN_OK;
}

/* Both feet that go the same way stand on ground that moves. */
static void guess_way(sn_puppet *p, const struct looked *at) {
    const int *foot = p->im->stride->human.foot;
    float v[2][2];
    for (int side = 0; side < 2; side++)
        sole_velocity(p, at, foot[side], v[side]);
    const double apart = sn__hypot((double)(v[0][0] - v[1][0]), (double)(v[0][1] - v[1][1]));
    if (apart > .2 || !(sn__hypot((double)v[0][0], (double)v[0][1]) > BELIEVED)) return;
    for (int k = 0; k < 2; k++)
        p->now.way[k] = p->now.felt[k] = (double)v[0][k];
}

static sn_status make(sn_puppet *p, sn_error *error) {
    sn_imitation_def def = sn_imitation_def_default(sn_world_model(p->world, p->member), NULL);
    if (!def.model) return sn__fail(error, SN_ERROR_ARGUMENT, "the world has no such member");
    def.stick = true;
    sn_status status = sn_imitation_task(&p->task, &def, error);
    if (status) return status;
    p->im = p->task.user;
    if ((status = check(p, error))) return status;
    p->every = (int)lround(steps_of(p));
    struct looked at;
    struct sn__imitate_view view;
    if (!(status = look(p, &at, &view))) {
        guess_way(p, &at);
        ride(p, &at);
        start(p, &view);
    }
    if (!status) status = change(p, SN_PUPPET_GOES);
    return status ? sn__fail(error, status, "the member cannot be a puppet") : SN_OK;
}

sn_puppet *sn_puppet_create(sn_world *world, sn_member member, int copy, sn_policy *go, sn_policy *get_up,
                            sn_error *error) {
    sn_puppet *p = sn__alloc(1, sizeof *p);
    if (!world || !go || !p) {
        sn__fail(error, p ? SN_ERROR_ARGUMENT : SN_ERROR_MEMORY,
                 p ? "a puppet needs a world and a policy" : "out of memory");
        sn__free(p);
        return NULL;
    }
    p->world = world, p->member = member, p->copy = copy, p->go = go, p->get_up = get_up;
    if (make(p, error)) return sn_puppet_free(p), NULL;
    return sn__succeed(error), p;
}

void sn_puppet_free(sn_puppet *puppet) {
    if (!puppet) return;
    if (puppet->task.free) puppet->task.free(puppet->task.user);
    sn__free(puppet);
}

void sn_puppet_stick(sn_puppet *puppet, const double *stick) {
    if (!stick) {
        puppet->now.rest = HUGE_VAL;
        change(puppet, SN_PUPPET_LIMP);
        return;
    }
    for (int k = 0; k < 3; k++)
        puppet->now.stick[k] = isfinite(stick[k]) ? stick[k] : 0;
    if (puppet->now.mode == SN_PUPPET_LIMP) puppet->now.rest = 0;
}

sn_puppet_mode sn_puppet_get(const sn_puppet *puppet, double *planned, double *reference) {
    const struct stride_state *plan = &puppet->now.copy.plan;
    if (planned) planned[0] = plan->velocity[0], planned[1] = plan->velocity[1], planned[2] = plan->turn;
    if (reference) {
        memcpy(reference, puppet->now.copy.now.q, sizeof puppet->now.copy.now.q);
        for (int k = 0; k < 2; k++)
            reference[k] += puppet->now.went[k];
        reference[2] += puppet->now.ground;
    }
    return (sn_puppet_mode)puppet->now.mode;
}

/* ------------------------------------------------------------------------------------------------------------ rollback */

void *sn_puppet_state(sn_puppet *puppet, size_t *size) {
    *size = sizeof puppet->now;
    return &puppet->now;
}
