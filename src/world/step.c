/* The step of a world: blocks of copies are shared out among the workers. */
#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "world/device.h"
#include "world/conduct.h"
#include "world/fields.h"
#include "world/probes.h"
#include "world/step.h"
#include "world/steppers.h"
#include "world/triggers.h"

/* ------------------------------------------------------------------------------- one copy, with rows about */

/* Ground as the world has it; members' shapes keep the places they had where the worker had this copy before. */
static void refresh_solids(struct sn__worker *w) {
    const sn_world *world = w->world;
    if (w->solids_of != world->structure) {
        if (world->nsolid && w->solid != world->solid)
            memcpy(w->solid, world->solid, sizeof *w->solid * (size_t)world->nsolid);
        w->solids_of = world->structure;
        w->placed = -1;
    }
    for (int g = 0; g < world->nground && world->moving; g++)
        if (world->ground[g] >= 0) w->solid[world->ground[g]] = world->solid[world->ground[g]];
}

void sn__worker_take_up(struct sn__worker *w, int copy) {
    struct sn__copy *c = &w->world->copy[copy];
    w->copy = copy;
    refresh_solids(w);
    w->contact = c->contact, w->ncontact = c->ncontact;
    w->last = c->last, w->nlast = c->nlast;
    w->tied = c->tied;
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *h = &w->hand[i];
        h->on = h->member && h->member->active && !sn__member_frozen(h->member, copy) &&
                !(w->world->def.sleep > 0 && h->member->asleep[copy]);
        h->nrow = h->nextra = 0;
        h->stops = h->tied = h->bad = false;
    }
    w->bad = false;
    sn__worker_call_all(w);
    /* somebody may have fallen asleep under another worker since */
    if (w->placed != copy || c->stepped_by != w) sn__worker_place_others(w);
    w->placed = copy;
    c->stepped_by = w;
}

void sn__worker_put_down(struct sn__worker *w) {
    struct sn__copy *c = &w->world->copy[w->copy];
    c->contact = w->contact, c->ncontact = w->ncontact;
    c->last = w->last, c->nlast = w->nlast;
}

static bool anyone_on(const struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++)
        if (w->hand[i].on) return true;
    return false;
}

static int asleep_in(const struct sn__worker *w) {
    int n = 0;
    for (int i = 0; i < w->world->nmember && w->world->def.sleep > 0; i++)
        n += w->hand[i].member && w->hand[i].member->active && w->hand[i].member->asleep[w->copy];
    return n;
}

/* Gains of those who react, whose limbs have modes, or whose root is assisted: before a step, and after it. */
static void begin_conduct(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *h = &w->hand[i];
        if (h->on && h->member->conduct) sn__conduct_begin(w->world, h->member, w->copy, w->world->def.dt);
    }
}

static void end_conduct(struct sn__worker *w) {
    for (int i = 0; i < w->world->nmember; i++) {
        const struct sn__hand *h = &w->hand[i];
        if (h->on && h->member->conduct) sn__conduct_end(w->world, h->member, w->copy, w->world->def.dt);
    }
}

/* A step in which somebody is hit is made again with the gains that this leaves; every body is hit once in it. */
static sn_status step_until_felt(struct sn__worker *w) {
    for (;;) {
        const sn_world_stats before = w->stats;
        begin_conduct(w);
        const sn_status status = w->world->stepping->step_copy(w);
        sn__worker_put_down(w);
        if ((int)status != SN__AGAIN) return status;
        w->stats = before;
        sn__worker_take_up(w, w->copy);
    }
}

/* A step in which some values go beyond all bounds is made again without the members that have them, which are frozen. */
static sn_status step_the_sane(struct sn__worker *w) {
    const sn_world_stats before = w->stats;
    for (;;) {
        const sn_status status = step_until_felt(w);
        if (status == SN_OK || (int)status == SN__SHORT) return status;
        const sn_world_stats bad = w->stats;
        sn__worker_freeze(w);
        w->stats = before;
        w->stats.bad_copy = bad.bad_copy, w->stats.bad_member = bad.bad_member,
        w->stats.bad_dof = bad.bad_dof;
        sn__worker_take_up(w, w->copy);
        if (!anyone_on(w)) return status;
    }
}

/* One substep; false when there was too little room for it, and nothing has changed. */
static bool step_copy(struct sn__worker *w, int copy) {
    sn_world *world = w->world;
    struct sn__copy *c = &world->copy[copy];
    const sn_world_stats before = w->stats;
    sn__worker_take_up(w, copy);
    for (int i = 0; i < world->nmember && !c->followed; i++) {
        struct sn__hand *h = &w->hand[i];
        if (h->on && h->member->motion) sn__member_follow(world, h->member, h->pack, copy, copy, 1);
    }
    if (!anyone_on(w)) {
        w->stats.asleep += asleep_in(w);
        return true;
    }
    const sn_status status = step_the_sane(w);
    c->followed = (int)status == SN__SHORT;
    if (c->followed) {
        w->stats = before;
        return false;
    }
    end_conduct(w);
    return true;
}

/* ---------------------------------------------------------------------------- a block of copies, in lanes */

int sn__world_copies_in(const sn_world *w, int block) {
    const int width = w->k->info.width, left = w->def.copies - block * width;
    return left < width ? left : width;
}

void sn__worker_report_block(struct sn__worker *w, const struct sn__hand *h, int block) {
    const int start = block * w->world->k->info.width, n = sn__world_copies_in(w->world, block);
    for (int lane = 0; lane < n; lane++) {
        struct sn__copy *c = &w->world->copy[start + lane];
        struct sn__contact *last = c->last;
        c->last = c->contact, c->nlast = c->ncontact;
        c->contact = last, c->ncontact = 0;
        if (h->pack->field[SN__FROZEN] && sn__pack_value(h->pack, SN__FROZEN, start + lane, 0) != 0) continue;
        c->ncontact = sn__probes_report(w->world, h, lane, c->ncontact, c->contact, w->world->contact_room);
        w->stats.contacts += c->ncontact;
    }
}

/* Before and after a step of a block, copy by copy. */
static void conduct_lanes(const struct sn__worker *w, const struct sn__hand *h, int block, bool before) {
    const sn_world *world = w->world;
    const int start = block * world->k->info.width, n = sn__world_copies_in(world, block);
    for (int i = start; i < start + n; i++) {
        if (sn__pack_value(h->pack, SN__FROZEN, i, 0) != 0) continue;
        if (before)
            sn__conduct_begin(world, h->member, i, world->def.dt);
        else
            sn__conduct_end(world, h->member, i, world->def.dt);
    }
}

/* Which copies of a block have the member frozen, as bits: as a rule none, which the kernel sees at once. */
static unsigned frozen_lanes(const struct sn__worker *w, const struct sn__hand *h, int block) {
    const sn_world *world = w->world;
    const int start = block * world->k->info.width, n = sn__world_copies_in(world, block);
    unsigned bits = 0;
    if (world->k->all_below(1, sn__pack_at(h->pack, SN__FROZEN, block), 0.5)) return 0;
    for (int k = 0; k < n; k++)
        if (sn__pack_value(h->pack, SN__FROZEN, start + k, 0) != 0) bits |= 1u << k;
    return bits;
}

/* A kernel froze it in the state before the step: the velocity that the drives alone lead to tells which degree of freedom
   went first. */
static int blame_dof(const struct sn__worker *w, const struct sn__hand *h, int copy) {
    const struct sn__pack *p = h->pack;
    const int width = p->k->info.width;
    const struct sn__args args = sn__pack_args(p, copy / width);
    void *qdd = w->world->scratch[w - w->world->worker];
    int worst = 0;
    double most = -1;
    p->k->maba(&args, qdd);
    for (int v = 0; v < p->model->nv; v++) {
        double x;
        const size_t at = (size_t)(v * width + copy % width) * p->k->elem_size;
        sn__world_widen(w->world, 1, (const char *)qdd + at, &x);
        const double speed = fabs(sn__pack_value(p, SN__QD, copy, v) + w->world->def.dt * x);
        if (!(speed < SN__MOST_SPEED)) return v;
        if (speed > most) most = speed, worst = v;
    }
    return worst;
}

int sn__world_blame(const sn_world *w, const struct sn__member *m, int copy) {
    return blame_dof(&w->worker[0], &w->worker[0].hand[m->number], copy);
}

/* The first copy of those that have just been frozen. */
static void blame_lanes(struct sn__worker *w, const struct sn__hand *h, int block, unsigned fresh) {
    if (!fresh) return;
    const int copy = block * w->world->k->info.width + __builtin_ctz(fresh);
    if (w->stats.bad_copy >= 0 && w->stats.bad_copy <= copy) return;
    w->stats.bad_copy = copy, w->stats.bad_member = h->member->number;
    w->stats.bad_dof = blame_dof(w, h, copy);
}

/* Where members may meet, copies have blocks of their own: as a rule there is one here. */
static void step_lanes(struct sn__worker *w, int block) {
    sn_world *world = w->world;
    for (int i = 0; i < world->nmember; i++) {
        struct sn__hand *h = &w->hand[i];
        if (!h->member || !h->member->active) continue;
        if (h->member->motion)
            sn__member_follow(world, h->member, h->pack, block, block * world->k->info.width,
                              sn__world_copies_in(world, block));
        const unsigned before = frozen_lanes(w, h, block);
        if (h->member->conduct) conduct_lanes(w, h, block, true);
        *h->ground = sn__probes_of(h->pack, block);
        sn__worker_time(w, SN_STEP_PART_SOLVE);
        world->stepping->step_block(w, h, block);
        sn__worker_time(w, SN_STEP_PART_OTHER);
        blame_lanes(w, h, block, frozen_lanes(w, h, block) & ~before);
        if (h->member->conduct) conduct_lanes(w, h, block, false);
    }
}

/* ------------------------------------------------------------------------------------------------- the world */

struct stretch {
    sn_world *world;
    int substeps; /* at a stretch, while the block is in the cache */
};

static void step_block(void *user, int thread, int block) {
    const struct stretch *s = user;
    struct sn__worker *w = &s->world->worker[thread];
    sn__worker_time(w, SN_STEP_PART_OTHER);
    if (s->world->spread) {
        int *left = &s->world->copy[block].left;
        while (*left > 0 && step_copy(w, block))
            --*left;
    } else {
        for (int i = 0; i < s->substeps; i++)
            step_lanes(w, block);
    }
    sn__worker_time(w, SN_STEP_PART_ALL);
}

/* All blocks; those that found too little room once more, when there is more of it. */
static sn_status step_blocks(sn_world *w, struct stretch *stretch) {
    for (int i = 0; i < w->def.copies; i++)
        w->copy[i].left = stretch->substeps;
    for (bool again = true; again;) {
        sn__pool_run(w->pool, step_block, stretch, w->blocks);
        again = false;
        for (int t = 0; t < w->threads; t++)
            again |= w->worker[t].lack.any;
        if (!again) break;
        if (!sn__world_grow(w)) return SN_ERROR_MEMORY;
        sn__world_warn(w, "The step at %g s had to ask for more memory: it found more contacts than before.",
                       w->time);
    }
    return SN_OK;
}

static sn_status follow_members(sn_world *w) {
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = w->member[i];
        if (!m) continue;
        if (m->motion && !m->pack.has_target_qd) {
            if (!m->pack.field[SN__TARGET_QD] && sn__pack_own(&m->pack, SN__TARGET_QD))
                return SN_ERROR_MEMORY;
            m->pack.has_target_qd = true, w->synced = 0;
        }
        if (m->conduct && m->conduct->animates && m->pack.plain) m->pack.plain = false, w->synced = 0;
    }
    if (w->synced == w->changed) return SN_OK;
    for (int i = 0; i < w->nmember && w->threads > 1; i++)
        if (w->member[i] && sn__hands_follow(w, w->member[i])) return SN_ERROR_MEMORY;
    w->synced = w->changed;
    return SN_OK;
}

/* What the workers saw, in one. */
static void gather_stats(sn_world *w) {
    sn_world_stats *s = &w->stats;
    for (int t = 0; t < w->threads; t++) {
        const sn_world_stats *x = &w->worker[t].stats;
        s->contacts += x->contacts, s->impacts += x->impacts, s->dropped += x->dropped,
            s->fallbacks += x->fallbacks, s->asleep += x->asleep;
        s->unsettled += x->unsettled;
        if (x->sweep_residual > s->sweep_residual) s->sweep_residual = x->sweep_residual;
        if (x->rows > s->rows) s->rows = x->rows;
        if (x->rounds > s->rounds) s->rounds = x->rounds;
        if (x->iterations > s->iterations) s->iterations = x->iterations;
        if (x->residual > s->residual) s->residual = x->residual;
        if (x->apart > s->apart) s->apart = x->apart;
        if (x->sweeps > s->sweeps) s->sweeps = x->sweeps;
        if (x->substeps > s->substeps) s->substeps = x->substeps;
        if (x->bad_copy < 0 || (s->bad_copy >= 0 && s->bad_copy < x->bad_copy)) continue;
        s->bad_copy = x->bad_copy, s->bad_member = x->bad_member, s->bad_dof = x->bad_dof;
    }
}

/* What all threads spent, and when the step began. */
static void begin_timing(sn_world *w) {
    memset(w->spent, 0, sizeof w->spent);
    for (int t = 0; t < w->threads; t++)
        memset(w->worker[t].spent, 0, sizeof w->worker[t].spent);
    w->spent[SN_STEP_PART_ALL] = -sn__platform_nanoseconds();
}

static void end_timing(sn_world *w) {
    for (int t = 0; t < w->threads; t++)
        for (int i = SN_STEP_PART_ALL + 1; i < SN_STEP_PART_COUNT; i++)
            w->spent[i] += w->worker[t].spent[i];
    w->spent[SN_STEP_PART_ALL] += sn__platform_nanoseconds();
}

static sn_status step(sn_world *w) {
    w->version++;
    const sn_world_stats before = w->stats;
    w->stats = (sn_world_stats){.substeps = 1, .bad_copy = -1, .bad_member = -1, .bad_dof = -1};
    for (int t = 0; t < w->threads; t++)
        w->worker[t].stats = w->stats;
    if (w->triggers && (follow_members(w) || sn__triggers_before(w)))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for a step.");
    const bool apart = w->moving || sn__world_pushes_end(w, w->def.substeps * w->def.dt);
    const int outer = apart ? w->def.substeps : 1;
    struct stretch stretch = {w, w->def.substeps / outer};
    for (int i = 0; i < outer; i++) {
        if (w->remote && !follow_members(w)) {
            if (!sn__remote_step(w, stretch.substeps)) return SN_ERROR_UNSUPPORTED;
        } else if (follow_members(w) || step_blocks(w, &stretch))
            return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for a step.");
        if (w->moving) sn__world_move_grounds(w->solid, w, w->def.dt);
        sn__world_pass_pushes(w, stretch.substeps * w->def.dt);
    }
    if (w->triggers && sn__triggers_after(w))
        return sn__world_refuse(w, SN_ERROR_MEMORY, "There is no memory for the visits of triggers.");
    gather_stats(w);
    for (int i = 0; i < w->def.copies && !w->remote; i++)
        w->stats.diverged += sn__world_frozen(w, i);
    sn__world_warn_of_step(w, w->stats.bad_copy >= 0);
    if (w->stats.diverged && w->stats.bad_copy < 0) { /* nothing new */
        w->stats.bad_copy = before.bad_copy, w->stats.bad_member = before.bad_member;
        w->stats.bad_dof = before.bad_dof;
    }
    if (w->stats.diverged == w->def.copies && !sn__world_moves(w))
        return sn__world_refuse(w, SN_ERROR_NOT_FINITE,
                                "All members are frozen: their velocities stopped being finite, in copy %d "
                                "last. Set a state or reset the copy to continue.",
                                w->stats.bad_copy);
    w->time += w->def.substeps * w->def.dt;
    return SN_OK;
}

sn_status sn_world_step(sn_world *w) {
    if (!w->def.measure_time) return step(w);
    begin_timing(w);
    const sn_status status = step(w);
    end_timing(w);
    return status;
}
