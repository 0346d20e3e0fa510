/* Constraints of the user's own, behind handles.
 *
 * A handle is a place and a generation: the generation counts how often the place was given away, so that an old
 * handle never means a new constraint. */
#include <math.h>
#include <string.h>

#include "base/definition.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/quat.h"
#include "world/constraints.h"
#include "world/fields.h"
#include "world/guide.h"
#include "model/joint.h"

const struct sn__tie_kind *sn__tie_kind(sn_constraint_type type) {
    static const struct sn__tie_kind kind[SN_CONSTRAINT_TYPE_COUNT] = {
        [SN_CONSTRAINT_PIN] = {.two_ended = true, .holds = true, .forces = 3, .turn = -1},
        [SN_CONSTRAINT_POINT_PATH] = {3, 3, .path = true, .forces = 3, .turn = -1},
        [SN_CONSTRAINT_JOINT_PATH] = {-1, -1, .path = true, .joint = true, .turn = -1},
        [SN_CONSTRAINT_SPRING] = {3, 3, .forces = 3, .turn = -1},
        [SN_CONSTRAINT_DIRECTION_PATH] = {1, 1, .two_ended = true, .directed = true, .path = true,
                                          .forces = 1, .turn = -1},
        [SN_CONSTRAINT_ORIENTATION_PATH] = {4, 3, .path = true, .turn = 0},
        [SN_CONSTRAINT_WELD] = {4, 0, .two_ended = true, .holds = true, .forces = 3, .turn = 0},
        [SN_CONSTRAINT_POINT_ACCELERATION] = {3, 0, .acceleration = true, .forces = 3, .turn = -1},
        [SN_CONSTRAINT_DIRECTION_ACCELERATION] = {1, 0, .two_ended = true, .directed = true,
                                                  .acceleration = true, .forces = 1, .turn = -1},
        [SN_CONSTRAINT_JOINT_ACCELERATION] = {-1, 0, .acceleration = true, .joint = true, .turn = -1},
        [SN_CONSTRAINT_POINT_IMPULSE] = {3, 0, .impulse = true, .turn = -1},
        [SN_CONSTRAINT_DIRECTION_IMPULSE] = {1, 0, .two_ended = true, .directed = true, .impulse = true,
                                             .turn = -1},
        [SN_CONSTRAINT_JOINT_IMPULSE] = {-1, 0, .impulse = true, .joint = true, .turn = -1},
        [SN_CONSTRAINT_COUPLING] = {1, 1, .two_ended = true, .joint = true, .turn = -1},
        [SN_CONSTRAINT_COUPLING_LIMIT] = {2, 0, .two_ended = true, .joint = true, .turn = -1},
        [SN_CONSTRAINT_JOINT_FRICTION] = {0, 0, .joint = true, .turn = -1},
        [SN_CONSTRAINT_HINGE] = {4, 0, .two_ended = true, .directed = true, .holds = true, .forces = 3,
                                 .turn = 0},
        [SN_CONSTRAINT_SLIDER] = {4, 0, .two_ended = true, .directed = true, .holds = true, .forces = 2,
                                  .turn = 0},
        [SN_CONSTRAINT_ORIENTATION] = {4, 0, .two_ended = true, .holds = true, .turn = 0},
        [SN_CONSTRAINT_DISTANCE] = {1, 0, .two_ended = true, .holds = true, .forces = 1, .turn = -1},
        [SN_CONSTRAINT_ROPE] = {1, 0, .two_ended = true, .holds = true, .forces = 1, .turn = -1},
        [SN_CONSTRAINT_CURVE] = {0, 0, .two_ended = true, .holds = true, .forces = 2, .turn = -1},
        [SN_CONSTRAINT_SURFACE] = {0, 0, .two_ended = true, .directed = true, .holds = true, .forces = 1,
                                   .turn = -1},
        [SN_CONSTRAINT_MOTOR] = {0, 1, .two_ended = true, .directed = true, .motor = true, .turn = -1},
        [SN_CONSTRAINT_LINEAR_MOTOR] = {0, 1, .two_ended = true, .directed = true, .motor = true, .forces = 1,
                                        .turn = -1},
    };
    return &kind[type];
}

int sn__tie_forces(sn_constraint_type type, const sn_body_info *b) {
    const struct sn__tie_kind *kind = sn__tie_kind(type);
    if (!kind->joint) return kind->forces;
    return sn__joint_nslide(b);
}

static sn_constraint handle_of(const sn_world *w, const struct sn__tie *t) {
    return (uint64_t)t->generation << 32 | (uint32_t)(t - w->tie + 1);
}

struct sn__tie *sn__tie_find(const sn_world *w, sn_constraint c) {
    const uint32_t place = (uint32_t)c;
    if (place < 1 || place > (uint32_t)w->ntie) return NULL;
    struct sn__tie *t = &w->tie[place - 1];
    return t->used && t->generation == c >> 32 ? t : NULL;
}

/* ------------------------------------------------------------------------------------------------ handles */

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static const sn_body_info *body_at(const sn_world *w, int handle, int body) {
    const struct sn__member *m = sn__world_member(w, handle);
    return m ? sn_model_body(m->model, body) : NULL;
}

static const sn_body_info *body_of(const sn_world *w, int number, int body) {
    const struct sn__member *m = number >= 0 ? w->member[number] : NULL;
    return m ? sn_model_body(m->model, body) : NULL;
}

/* Numbers of members in the place of handles. */
static void take_ends(const sn_world *w, sn_constraint_def *d) {
    const struct sn__member *other = sn__world_member(w, d->member2);
    d->member = sn__world_member(w, d->member)->number;
    d->member2 = other ? other->number : -1;
}

static sn_status check_softness(const sn_constraint_def *d, sn_error *error) {
    if (d->frequency > 0 && (d->stiffness > 0 || d->damping > 0))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "softness is by stiffness and damping or by frequency, not by both");
    return SN_OK;
}

/* The length of a rod, or of a rope. */
static bool length_fits(sn_constraint_type type, const double *target) {
    return type == SN_CONSTRAINT_DISTANCE ? target[0] > 0
           : type == SN_CONSTRAINT_ROPE   ? target[0] >= 0
                                          : true;
}

sn_status sn__tie_check_numbers(const sn_constraint_def *d, const sn_body_info *b, sn_error *error) {
    const struct sn__tie_kind *kind = sn__tie_kind(d->type);
    if (sn__definition_check("sn_constraint_def", d, "", SN_ERROR_ARGUMENT, error)) return SN_ERROR_ARGUMENT;
    double direction[3] = {d->direction[0], d->direction[1], d->direction[2]};
    if (kind->directed && !dvec_normalise(direction))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the direction has no length");
    if (kind->joint && b->nv == 0)
        return sn__fail(error, SN_ERROR_ARGUMENT, "the joint of body %d has no degree of freedom", d->body);
    if (sn__tie_couples(d->type) && b->nv != 1)
        return sn__fail(
            error, SN_ERROR_ARGUMENT,
            "The joint of body %d has %d degrees of freedom. Only joints with one can be coupled.", d->body,
            b->nv);
    if (kind->impulse && (isfinite(d->break_force) || isfinite(d->break_torque)))
        return sn__fail(error, SN_ERROR_ARGUMENT, "an impulse does not break");
    if (kind->holds && check_softness(d, error)) return error->status;
    if (!length_fits(d->type, d->target))
        return sn__fail(error, SN_ERROR_ARGUMENT, "the length, target[0], is %g", d->target[0]);
    if (d->type == SN_CONSTRAINT_SPRING && !(d->stiffness + d->damping > 0))
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "A spring needs a stiffness or a damping above 0: both are 0.");
    return SN_OK;
}

static sn_status check(const sn_world *w, const sn_constraint_def *d, sn_error *error) {
    if ((unsigned)d->type >= SN_CONSTRAINT_TYPE_COUNT)
        return sn__fail(error, SN_ERROR_ARGUMENT, "no such kind of constraint");
    const bool two = sn__tie_kind(d->type)->two_ended;
    const sn_body_info *b = body_at(w, d->member, d->body);
    if (!b) return sn__fail(error, SN_ERROR_ARGUMENT, "no member %d with a body %d", d->member, d->body);
    if (two && d->member2 >= 0 && !body_at(w, d->member2, d->body2))
        return sn__fail(error, SN_ERROR_ARGUMENT, "no member %d with a body %d", d->member2, d->body2);
    if (sn__tie_couples(d->type) && d->member2 >= 0 && body_at(w, d->member2, d->body2)->nv != 1)
        return sn__fail(error, SN_ERROR_ARGUMENT,
                        "the joint of body %d has %d degrees of freedom, and one can be coupled", d->body2,
                        body_at(w, d->member2, d->body2)->nv);
    if (two && d->member == d->member2 && d->body == d->body2)
        return sn__fail(error, SN_ERROR_ARGUMENT, "body %d cannot be tied to itself", d->body);
    return sn__tie_check_numbers(d, b, error);
}

/* A quaternion in the target, made of unit length; one that has none means no turn. */
static void tidy_target(const sn_world *w, const sn_constraint_def *d, double *target) {
    int turn = sn__tie_kind(d->type)->turn;
    if (d->type == SN_CONSTRAINT_JOINT_PATH) turn = sn__quaternion_of(body_of(w, d->member, d->body));
    if (turn >= 0 && !dquat_normalise(target + turn)) dquat_identity(target + turn);
}

/* Room for constraints in every copy. */
bool sn__ties_reserve(sn_world *w, int ties) {
    if (ties <= w->tie_room) return true;
    const int room = ties > 2 * w->tie_room ? ties : 2 * w->tie_room;
    struct sn__tie *tie = sn__alloc((size_t)room, sizeof *tie);
    if (!tie) return false;
    if (w->ntie) memcpy(tie, w->tie, sizeof *tie * (size_t)w->ntie);
    sn__free(w->tie);
    w->tie = tie;
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__tied *tied = sn__alloc((size_t)room, sizeof *tied);
        if (!tied) return false;
        if (w->ntie) memcpy(tied, w->copy[i].tied, sizeof *tied * (size_t)w->ntie);
        sn__free(w->copy[i].tied);
        w->copy[i].tied = tied;
    }
    w->tie_room = room;
    return true;
}

/* The orientation of one body in the frame of the other, or of the world, as it is in a copy. */
static void hold_turn(const sn_world *w, const sn_constraint_def *d, int copy, double turn[4]) {
    struct sn__frame a = sn__frame_now(&w->member[d->member]->pack, copy, d->body), b = {.rot = {1, 0, 0, 0}};
    if (d->member2 >= 0) b = sn__frame_now(&w->member[d->member2]->pack, copy, d->body2);
    dquat_conjugate(b.rot, b.rot);
    dquat_multiply(b.rot, a.rot, turn);
}

static void begin(sn_world *w, int place) {
    const sn_constraint_def *d = &w->tie[place].def;
    const bool open = d->target[0] == 0 && d->target[1] == 0 && d->target[2] == 0 && d->target[3] == 0;
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__tied *t = &w->copy[i].tied[place];
        memset(t, 0, sizeof *t);
        memcpy(t->target, d->target, sizeof t->target);
        memcpy(t->target_velocity, d->target_velocity, sizeof t->target_velocity);
        if (sn__tie_kind(d->type)->holds && sn__tie_kind(d->type)->turn == 0 && open)
            hold_turn(w, d, i, t->target);
        tidy_target(w, d, t->target);
    }
}

/* Whoever a constraint holds is awake. */
static void wake_ends(sn_world *w, const sn_constraint_def *d, int first, int count) {
    sn__member_wake(w->member[d->member], first, count);
    if (sn__tie_kind(d->type)->two_ended && d->member2 >= 0)
        sn__member_wake(w->member[d->member2], first, count);
}

/* Makes the curve or the surface of a definition the world's; NULL without an error: it has none. */
static const struct sn__guide *take_guide(sn_world *w, const sn_constraint_def *d, sn_error *error) {
    if (d->type != SN_CONSTRAINT_CURVE && d->type != SN_CONSTRAINT_SURFACE) return NULL;
    struct sn__guide **list = sn__grow(w->guide, &w->guide_room, w->nguide + 1, sizeof *list);
    if (!list) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a constraint");
        return NULL;
    }
    w->guide = list;
    struct sn__guide *g = d->type == SN_CONSTRAINT_CURVE ? sn__guide_of_curve(d->curve, error)
                                                         : sn__guide_of_surface(d->surface, error);
    if (!g) return NULL;
    for (int i = 0; i < w->nguide; i++) {
        if (w->guide[i]->hash != g->hash || w->guide[i]->curve != g->curve) continue;
        sn__guide_free(g);
        return w->guide[i];
    }
    return w->guide[w->nguide++] = g;
}

sn_constraint sn_world_add_constraint(sn_world *w, const sn_constraint_def *def, sn_error *error) {
    sn_error local;
    if (!error) error = &local;
    sn__succeed(error);
    sn_constraint_def own;
    if (!sn__definition_take("sn_constraint_def", def, &own, error)) return 0;
    def = &own;
    if (check(w, def, error)) return 0;
    take_ends(w, &own);
    const struct sn__guide *guide = take_guide(w, def, error);
    if (error->status) return 0;
    int place = 0;
    while (place < w->ntie && w->tie[place].used)
        place++;
    sn__world_touch(w);
    if (!sn__ties_reserve(w, place + 1)) {
        sn__fail(error, SN_ERROR_MEMORY, "no memory for a constraint");
        return 0;
    }
    if (place == w->ntie) w->ntie++;
    struct sn__tie *t = &w->tie[place];
    *t = (struct sn__tie){.def = *def, .guide = guide, .generation = t->generation + 1, .used = true};
    t->def.curve = NULL, t->def.surface = NULL;
    if (t->generation == 0) t->generation = 1;
    if (sn__tie_kind(def->type)->directed) dvec_normalise(t->def.direction);
    begin(w, place);
    w->used_ties++;
    wake_ends(w, def, 0, w->def.copies);
    if (!sn__world_settle(w, error)) return handle_of(w, t);
    t->used = false;
    w->used_ties--;
    return 0;
}

sn_status sn__tie_refuse(const sn_world *w, const struct sn__tie *t, int copy) {
    if (!t) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no such constraint any more.");
    return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no copy %d: the world has %d.", copy,
                            w->def.copies);
}

sn_status sn_world_remove_constraint(sn_world *w, sn_constraint c) {
    struct sn__tie *t = sn__tie_find(w, c);
    if (!t) return sn__tie_refuse(w, t, 0);
    sn__world_touch(w);
    wake_ends(w, &t->def, 0, w->def.copies);
    t->used = false;
    w->used_ties--;
    return sn__world_settle(w, NULL);
}

/* Whether a constraint in use has the member at either end. */
static bool is_end(const struct sn__tie *t, int member) {
    return t->used &&
           (t->def.member == member || (sn__tie_kind(t->def.type)->two_ended && t->def.member2 == member));
}

/* Whether a constraint decides where a body is. */
static bool places(const struct sn__tie *t) {
    const struct sn__tie_kind *kind = sn__tie_kind(t->def.type);
    return t->used && (kind->holds || (kind->path && !kind->joint));
}

/* Whether `body` is on the way from another one to the root, or is that one. */
static bool carries(const sn_model *model, int body, int other) {
    while (other > body)
        other = model->body[other].parent;
    return other == body;
}

bool sn__ties_hold(const sn_world *w, int member) {
    for (int i = 0; i < w->ntie && w->used_ties; i++)
        if (places(&w->tie[i]) && is_end(&w->tie[i], member)) return true;
    return false;
}

bool sn__ties_hold_beyond(const sn_world *w, int member, int body, bool beyond) {
    const sn_model *model = w->member[member]->model;
    for (int i = 0; i < w->ntie && w->used_ties; i++) {
        const struct sn__tie *t = &w->tie[i];
        if (!places(t)) continue;
        if (t->def.member == member && carries(model, body, t->def.body) == beyond) return true;
        if (!sn__tie_kind(t->def.type)->two_ended || t->def.member2 != member) continue;
        if (carries(model, body, t->def.body2) == beyond) return true;
    }
    return false;
}

void sn__ties_drop(sn_world *w, int member) {
    for (int i = 0; i < w->ntie; i++) {
        struct sn__tie *t = &w->tie[i];
        if (!is_end(t, member)) continue;
        t->used = false;
        w->used_ties--;
    }
}

sn_status sn_world_set_constraint(sn_world *w, sn_constraint c, int copy, const double *target,
                                  const double *velocity) {
    struct sn__tie *t = sn__tie_find(w, c);
    if (!t || copy < -1 || copy >= w->def.copies) return sn__tie_refuse(w, t, copy);
    const struct sn__tie_kind *kind = sn__tie_kind(t->def.type);
    const sn_body_info *b = body_of(w, t->def.member, t->def.body);
    const int nq = kind->target >= 0 ? kind->target : kind->path ? b->nq : b->nv;
    const int nv = kind->velocity >= 0 ? kind->velocity : b->nv;
    if (target && nq > 0 && !length_fits(t->def.type, target))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                "The target length is %g, which such a constraint cannot have.", target[0]);
    if ((target && !all_finite(target, nq)) || (velocity && !all_finite(velocity, nv)))
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "The target or its velocity is not finite.");
    const int first = copy < 0 ? 0 : copy, last = copy < 0 ? w->def.copies - 1 : copy;
    for (int i = first; i <= last; i++) {
        struct sn__tied *tied = &w->copy[i].tied[t - w->tie];
        if (target) memcpy(tied->target, target, sizeof *target * (size_t)nq);
        if (velocity) memcpy(tied->target_velocity, velocity, sizeof *velocity * (size_t)nv);
        tidy_target(w, &t->def, tied->target);
        if (target) tied->spent = false;
        if (!target && !velocity) tied->broken = false;
    }
    wake_ends(w, &t->def, first, last - first + 1);
    sn__world_touch(w);
    return SN_OK;
}

/* ----------------------------------------------------------------------------------- those of a model */

sn_status sn__ties_of_model(sn_world *w, int member, sn_error *error) {
    const sn_model *model = w->member[member]->model;
    const int handle = w->member[member]->handle;
    for (int i = 0; i < model->nconstraint; i++) {
        sn_constraint_def def = model->constraint[i];
        def.member = handle;
        if (def.member2 >= 0) def.member2 = handle;
        const sn_constraint c = sn_world_add_constraint(w, &def, error);
        if (!c) return error->status;
        sn__tie_find(w, c)->origin = i + 1;
    }
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        if (!(body->joint.friction > 0) || body->nv == 0) continue;
        sn_constraint_def def = sn_constraint_def_default(SN_CONSTRAINT_JOINT_FRICTION);
        def.member = handle, def.body = i, def.max_force = body->joint.friction;
        if (!sn_world_add_constraint(w, &def, error)) return error->status;
    }
    return SN_OK;
}

sn_constraint sn_world_model_constraint(const sn_world *w, int member, int index) {
    const struct sn__member *m = sn__world_member(w, member);
    for (int i = 0; i < w->ntie && m; i++) {
        const struct sn__tie *t = &w->tie[i];
        if (t->used && t->origin == index + 1 && t->def.member == m->number && index >= 0)
            return handle_of(w, t);
    }
    return 0;
}
