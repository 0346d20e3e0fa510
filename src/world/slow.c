/* The last resort against energy that a step gains although every law in it holds: limbs that turn by a radian in a step have
 * other inertias at its end, and no velocity product knows them. For all members that rows join, directly or through others,
 *
 *     gained = T(q+, v+) + V(q+) - T(q, v) - V(q) - given,
 *
 * given by drives, the user's pushes (kernels/contact/won.h), ground that moves and constraints that ask for motion: motors,
 * paths, springs and impulses. A rigid constraint gives nothing. If more is gained than lifts all members by a third of a
 * millimetre, the step is made again with a part of all velocities, the same part for all. What stays apart, keeps a limit or
 * holds together still does so, unless something is to move. If the members touch nothing but each other, the velocity of their
 * centre of mass stays, and they keep a part of their velocities relative to it. Members that no row joins are checked one by
 * one. Nothing is checked when something bounces. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "model/joint.h"
#include "solve/islands.h"
#include "world/rows.h"

enum { LOOKS = 3 }; /* at what an island gains, at most */

static const double FAST = 0.3; /* rad/s or m/s: what is slower gains next to nothing */
/* J/kg that a step may gain; more in islands that hang on the world or are moved by constraints, whose energy is known to second
   order in h only. */
static const double LITTLE = 0.003, LITTLE_TIED = 0.05;

/* Whether a member is fast enough to ask, and something acts on it that may have given energy. */
static bool may_win(const struct sn__worker *w, struct sn__hand *m) {
    const int nv = m->pack->model->nv;
    double square = 0;
    const bool touched = m->nrow || m->ground->contacts.count || m->ground->contacts.nlimit;
    const bool in_flight = w->level != SN__LEVEL_STEP && m->pack->model->nbody > 1 && /* after an impact */
                           sn__joint_is_free(&m->pack->model->body[0]);
    if (!m->on || !(touched || in_flight)) return false;
    sn__hand_gather(m, sn__hand_at(w, m, SN__QD), nv, m->qd);
    for (int v = 0; v < nv; v++)
        square += m->qd[v] * m->qd[v];
    return square > FAST * FAST;
}

/* The member that stands for those whom rows join with the one on a seat. */
static struct sn__hand *root_of(const struct sn__worker *w, int seat) {
    return &w->hand[w->seated[sn__islands_root(w->island, seat)]];
}

/* What a row that moves something of its own accord may have given. */
static double given_by(const struct sn__worker *w, int i) {
    const struct sn__contact *c = w->more[i].contact      ? w->more[i].contact
                                  : w->row[i].normal >= 0 ? w->more[w->row[i].normal].contact
                                                          : NULL;
    bool moves = !c && !w->more[i].still;
    double belt = 0; /* what turns it gives its speed times the friction */
    if (c && !w->more[i].contact) belt = fmax(0, w->f[i] * dvec_dot(c->belt, c->tangent[i - c->row - 1]));
    for (int s = 0; c && s < 2; s++)
        moves |= w->solid[c->solid[s]].member < 0 && w->solid[c->solid[s]].moves;
    return belt + (moves ? fmax(0, w->f[i] * sn__worker_row_velocity(w, &w->row[i])) : 0);
}

static struct sn__hand *root_of_row(const struct sn__worker *w, int row) {
    const struct sn__side *side = w->row[row].side;
    return root_of(w, side[0].block >= 0 ? side[0].block : side[1].block);
}

static void join_members(struct sn__worker *w) {
    sn__islands_begin(w->island, w->seats);
    for (int i = 0; i < w->nrow; i++)
        if (w->row[i].side[0].block >= 0 && w->row[i].side[1].block >= 0)
            sn__islands_join(w->island, w->row[i].side[0].block, w->row[i].side[1].block);
}

/* T and V of a member in a state that stands in lanes. */
static void energy_of(const struct sn__worker *w, struct sn__hand *m, const void *q, const void *qd,
                      double *kinetic, double *potential) {
    struct sn__args args = sn__pack_args(m->pack, w->copy);
    double value[11];
    args.q = q, args.qd = qd;
    m->pack->k->summary(&args, m->push);
    sn__hand_gather(m, m->push, 11, value);
    *kinetic = value[0], *potential = value[1]; /* in the order of sn_summary */
}

/* T + V one step ago, at q (-) h qd. */
static double energy_before(const struct sn__worker *w, struct sn__hand *m, const void *q, const void *qd) {
    const struct sn__pack *p = m->pack;
    const size_t nq = sn__pack_bytes(p, p->model->nq);
    char *start = m->start;
    double T, V;
    memcpy(start, q, nq);
    memcpy(start + nq, qd, sn__pack_bytes(p, p->model->nv));
    p->k->integrate(p->tree, -w->world->def.dt, m->zero, start, start + nq, 0);
    energy_of(w, m, start, qd, &T, &V);
    return T + V;
}

/* What a member that swings has gained since the middle of the last step. Velocities are means over steps. So the energy of a
   pendulum at the end of a step, T(q+, v+) + V(q+), goes up and down by h/2 times the rates of V and of the inertia in T. The
   mean over both ends of a step does not:

       gained = (E(q+, v+) + E(q, v+)) / 2 - (E(q, v) + E(q-, v)) / 2,   q- = q (-) h v. */
static double won_swinging(const struct sn__worker *w, struct sn__hand *m, const void *q, const void *qd,
                           double before, double after) {
    double T, V;
    energy_of(w, m, q, sn__hand_at(w, m, SN__QD), &T, &V);
    return 0.5 * (after + T + V - before - energy_before(w, m, q, qd));
}

/* What drives, pushes and the ground may have given a member: at the velocity of the end, or, if it swings, at the mean of
   start and end. */
static double given_to(const struct sn__worker *w, struct sn__hand *m, const struct sn__args *args,
                       bool swings) {
    const struct sn__pack *p = m->pack;
    const bool gives = w->world->moving || w->world->carriers || w->world->filter.call;
    const double end = p->k->rows->given(args, sn__hand_at(w, m, SN__QDD), gives);
    if (!swings) return end;
    return fmax(end, 0.5 * (end + p->k->rows->given(args, m->zero, gives)));
}

/* Energy of an island, kept with the member that stands for it. */
static void add_member(struct sn__worker *w, int member, struct sn__hand *root) {
    struct sn__hand *m = &w->hand[member];
    const struct sn__pack *p = m->pack;
    const char *q = w->level == SN__LEVEL_STEP ? m->backup : m->start,
               *qd = q + sn__pack_bytes(p, p->model->nq);
    struct sn__args args = sn__hand_args(w, m);
    double T[2], V[2];
    args.q = q, args.qd = qd;
    root->won -= given_to(w, m, &args, root->hangs);
    energy_of(w, m, q, qd, &T[0], &V[0]);
    energy_of(w, m, sn__hand_at(w, m, SN__Q), sn__hand_at(w, m, SN__QD), &T[1], &V[1]);
    const double before = T[0] + V[0], after = T[1] + V[1];
    root->won += root->hangs ? won_swinging(w, m, q, qd, before, after) : after - before;
    root->kinetic += T[1], root->risen += V[1] - V[0];
    root->allowed += (root->driven || root->hangs ? LITTLE_TIED : LITTLE) * p->model->mass;
}

/* Whether a member is free, touches no ground and is not pushed by the user. */
static bool flies_alone(const struct sn__worker *w, int member) {
    const struct sn__hand *m = &w->hand[member];
    if (!sn__joint_is_free(&m->pack->model->body[0]) || m->ground->contacts.count) return false;
    if (m->pack->model->has_lift || sn__pack_args(m->pack, w->copy).push) return false;
    for (int i = 0; i < w->nrow; i++) {
        const struct sn__contact *c = w->more[i].contact;
        if (c && w->solid[c->solid[0]].member == member && w->solid[c->solid[1]].member < 0) return false;
        if (c && w->solid[c->solid[1]].member == member && w->solid[c->solid[0]].member < 0) return false;
    }
    return true;
}

static double mass_of(const struct sn__worker *w, const struct sn__hand *m) {
    const void *heavier = sn__pack_args(m->pack, w->copy).mass_scale;
    double scale = 1;
    if (heavier) sn__hand_gather(m, heavier, 1, &scale);
    return scale * m->pack->model->mass;
}

/* Adds the momentum of a member in a state that stands in lanes. */
static void add_momentum(const struct sn__worker *w, struct sn__hand *m, const void *q, const void *qd,
                         double p[3]) {
    double T, V;
    energy_of(w, m, q, qd, &T, &V);
    sn__hand_gather(m, m->push, 11, m->values);
    for (int k = 0; k < 3; k++)
        p[k] += m->values[5 + k]; /* in the order of sn_summary */
}

/* The course of an island that nothing outside acts on but gravity: the velocity of its centre of mass as it is, and as it is due.
   Velocities are solved for in the pose of the start, and have another momentum in that of the end. */
struct course {
    double is[3], due[3], mass;
    bool flies;
};

static struct course course_of(const struct sn__worker *w, const struct sn__hand *root, double h) {
    struct course c = {.flies = !root->hangs};
    for (int i = w->crew; i >= 0 && c.flies; i = w->hand[i].next)
        if (w->hand[i].on && root_of(w, w->hand[i].seat) == root) c.flies = flies_alone(w, i);
    for (int i = w->crew; i >= 0 && c.flies; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on || root_of(w, m->seat) != root) continue;
        const char *q = w->level == SN__LEVEL_STEP ? m->backup : m->start;
        double gravity[3];
        sn__hand_gravity(w, m, gravity);
        add_momentum(w, m, q, q + sn__pack_bytes(m->pack, m->pack->model->nq), c.due);
        add_momentum(w, m, sn__hand_at(w, m, SN__Q), sn__hand_at(w, m, SN__QD), c.is);
        for (int k = 0; k < 3; k++)
            c.due[k] += h * mass_of(w, m) * gravity[k];
        c.mass += mass_of(w, m);
    }
    for (int k = 0; k < 3 && c.flies; k++)
        c.is[k] /= c.mass, c.due[k] /= c.mass;
    return c;
}

/* As it is seen from elsewhere, the energy of the centre of mass may be anything: what an island has and gains is without it.
   Whether the course is so far from the due one that it must be set right. */
static bool take_course_out(struct sn__hand *root, struct course *c, double h, const double gravity[3]) {
    if (!c->flies) return false;
    double was[3], off = 0;
    for (int k = 0; k < 3; k++)
        was[k] = c->due[k] - h * gravity[k];
    const double half = 0.5 * c->mass, own = half * dvec_dot(c->is, c->is);
    off = fabs(own - half * dvec_dot(c->due, c->due));
    root->won -= own - half * dvec_dot(was, was) + root->risen;
    root->kinetic -= own, root->risen = 0;
    if (off > root->allowed) return true;
    memcpy(c->due, c->is, sizeof c->due);
    return false;
}

/* The part of all velocities with which an island gains nothing: kinetic energy grows with the square of the part, and what
   lifts the island with the part itself,  part^2 T + part V = what it had and was given. */
static double part_of(const struct sn__hand *root) {
    const double T = root->kinetic, V = root->risen, had = fmax(0, T + V - root->won);
    const double part = (sqrt(V * V + 4 * T * had) - V) / (2 * T);
    return fmin(fmax(part, 0), 1);
}

/* Marks islands in which a constraint asks for motion. */
static void mark_driven(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].driven = false;
    for (int i = 0; i < w->nrow; i++)
        root_of_row(w, i)->driven |= w->more[i].owner && !w->more[i].still;
}

/* Sums of all islands that move far. */
static void sum_islands(struct sn__worker *w) {
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *m = &w->hand[i];
        m->won = m->kinetic = m->risen = m->allowed = 0;
    }
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *root = root_of(w, w->hand[i].seat);
        if (w->hand[i].on && root->far) add_member(w, i, root);
    }
    for (int i = 0; i < w->nrow; i++)
        root_of_row(w, i)->won -= given_by(w, i);
}

/* Whether any island was slowed, or its course set right. */
static bool slow_islands(struct sn__worker *w, double h) {
    bool any = false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next) {
        struct sn__hand *root = &w->hand[i];
        double gravity[3];
        if (root_of(w, root->seat) != root || !root->far) continue;
        struct course c = course_of(w, root, h);
        sn__hand_gravity(w, root, gravity);
        const bool strays = take_course_out(root, &c, h, gravity);
        const bool wins = root->won > root->allowed && root->kinetic > 0;
        if (!wins && !strays) continue;
        const double part = wins ? part_of(root) : 1;
        for (int j = w->crew; j >= 0; j = w->hand[j].next)
            if (w->hand[j].on && root_of(w, w->hand[j].seat) == root)
                sn__worker_move_less(w, j, &(struct sn__less){part, c.is, c.due}, h);
        any = true;
    }
    return any;
}

void sn__hand_slow(struct sn__hand *m, void *qd, const struct sn__less *less) {
    const double more = less->part - 1;
    double v[3];
    bool flies = false;
    m->pack->k->combine(m->pack->model->nv, qd, 1, &more, (const void *const[]){qd}, qd);
    for (int k = 0; k < 3; k++)
        flies |= less->is[k] != 0 || less->due[k] != 0;
    if (!flies) return;
    sn__hand_gather(m, qd, 3, v);
    for (int k = 0; k < 3; k++)
        v[k] += less->due[k] - less->part * less->is[k];
    sn__hand_spread(m, qd, 0, 3, v);
}

bool sn__worker_slow(struct sn__worker *w, double h) {
    bool any = false, slower = false;
    if (w->bounced || w->world->def.products == SN_PRODUCTS_EXPLICIT) return false;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].far = false;
    join_members(w);
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        if (may_win(w, &w->hand[i])) root_of(w, w->hand[i].seat)->far = any = true;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        root_of(w, w->hand[i].seat)->hangs |= w->hand[i].hangs;
    if (any) mark_driven(w);
    for (int k = 0; k < LOOKS && any; k++) {
        sum_islands(w);
        any = slow_islands(w, h);
        slower |= any;
    }
    return slower;
}
