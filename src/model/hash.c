#include "model/hash.h"

#include <string.h>

#include "base/hash.h"
#include "model/hull.h"
#include "model/joint.h"

static uint64_t mix_int(uint64_t hash, int64_t x) {
    unsigned char bytes[8]; /* the lowest first, on every machine */
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)x >> (8 * i));
    return sn__hash(bytes, sizeof bytes, hash);
}

static uint64_t mix(uint64_t hash, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        hash = mix_int(hash, bits);
    }
    return hash;
}

static uint64_t mix_joint(uint64_t hash, const sn_joint_def *j) {
    hash = mix_int(mix_int(hash, j->type), j->limited);
    hash = mix(mix(mix(hash, j->anchor, 3), j->axis, 3), j->axis2, 3);
    hash = mix(mix(mix(hash, j->lower, 2), j->upper, 2), j->rest, 4);
    hash = mix(hash, (const double[]){j->armature, j->damping, j->stiffness, j->torque_limit}, 4);
    if (j->pitch != 0) hash = mix(hash, &j->pitch, 1);
    if (sn__joint_kind[j->type].nlimit > 2) hash = mix(mix(hash, &j->lower[2], 1), &j->upper[2], 1);
    return j->friction != 0 ? mix(hash, &j->friction, 1) : hash;
}

static uint64_t mix_constraint(uint64_t hash, const sn_constraint_def *c) {
    hash = mix_int(mix_int(mix_int(mix_int(hash, c->type), c->body), c->member2), c->body2);
    hash = mix(mix(mix(hash, c->point, 3), c->point2, 3), c->target, 7);
    hash = mix(mix(hash, c->target_velocity, 6), c->ratio, 5);
    hash = mix(hash, (const double[]){c->stiffness, c->damping, c->max_force}, 3);
    return c->collide ? mix_int(hash, 1) : hash;
}

/* What came later counts where it is there: models without it keep the hash they had. */
uint64_t sn__model_hash(const sn_model *m) {
    uint64_t hash = mix_int(mix_int(0, m->nbody), m->nshape);
    for (int i = 0; i < m->nbody; i++) {
        const sn_body_info *b = &m->body[i];
        hash = mix_int(mix_int(mix_int(hash, b->parent), b->first_shape), b->nshape);
        hash = mix(mix(mix_joint(hash, &b->joint), b->pos, 3), b->rot, 4);
        hash = mix(mix(mix(hash, &b->mass, 1), b->com, 3), b->inertia, 6);
        if (b->lift != 0) hash = mix(hash, &b->lift, 1);
    }
    for (int i = 0; i < m->nshape; i++) {
        const sn_shape_def *s = &m->shape[i];
        hash = mix_int(mix_int(mix_int(hash, s->type), s->group), s->mask);
        hash = mix(mix(mix(hash, s->size, 3), s->pos, 3), s->rot, 4);
        hash = mix(mix(hash, &s->friction, 1), &s->restitution, 1);
        if (s->hull) hash = mix_int(hash, (int64_t)s->hull->hash);
        const double *belt = s->surface_velocity;
        if (belt[0] != 0 || belt[1] != 0 || belt[2] != 0) hash = mix(hash, belt, 3);
        if (s->trigger) hash = mix_int(hash, 1);
    }
    hash = mix_int(hash, m->nexclusion);
    for (int i = 0; i < m->nexclusion; i++)
        hash = mix_int(mix_int(hash, m->exclusion[i].a), m->exclusion[i].b);
    for (int i = 0; i < m->nconstraint; i++)
        hash = mix_constraint(hash, &m->constraint[i]);
    return hash;
}
