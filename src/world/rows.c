/* Contacts as rows: kokkevis-2004 section 8.1 at velocity level.
 *
 *     normal    u_n >= 0 complementary to f_n >= 0                        eq. 19
 *     friction  u_t = 0 as far as |f_t| <= mu f_n allows                  eq. 20, 21
 *
 * u = J v+ is the velocity the contact gets in this step, J of the pose at its beginning. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "world/rows.h"
#include "world/step.h"
#include "world/tie.h"

struct sn__pgs_row *sn__worker_add_row(struct sn__worker *w) {
    if (w->nrow == w->row_room) {
        w->lack.any = true;
        w->lack.rows = 2 * w->row_room;
        return NULL;
    }
    struct sn__pgs_row *row = &w->row[w->nrow];
    memset(row, 0, sizeof *row);
    row->side[0].block = row->side[1].block = row->normal = -1;
    w->more[w->nrow] = (struct sn__world_row){0};
    w->f[w->nrow++] = 0;
    return row;
}

bool sn__worker_add_side(struct sn__worker *w, struct sn__pgs_row *row, int side, int member,
                         const struct sn__row *r) {
    struct sn__hand *m = &w->hand[member];
    if (m->nrow == m->row_room) {
        m->lacks_rows = w->lack.any = true;
        return false;
    }
    row->side[side] = (struct sn__side){m->seat, m->nrow};
    m->row_of[m->nrow] = (int)(row - w->row);
    m->row[m->nrow++] = *r;
    return true;
}

/* A force of size one along d at a world point of a member's body. */
struct sn__row sn__point_row(const struct sn__hand *m, int body, const double point[3], const double d[3],
                             double sign) {
    const double *x = m->place + SN__PLACE * body;
    const double r[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    const double s[3] = {sign * d[0], sign * d[1], sign * d[2]};
    struct sn__row row = {.body = body, .w = {0, 0, 0, s[0], s[1], s[2]}};
    dvec_cross(r, s, row.w);
    return row;
}

/* A velocity u with what a member adds to it. */
static double add_side_velocity(double u, const struct sn__hand *m, const struct sn__row *r) {
    if (r->joint) {
        const sn_body_info *b = &m->pack->model->body[r->body];
        for (int k = 0; k < b->nv; k++)
            u += r->w[k] * m->qd[b->v_index + k];
        return u;
    }
    const double *rate = m->rate + 6 * r->body;
    u += r->w[0] * rate[3] + r->w[1] * rate[4] + r->w[2] * rate[5];
    return u + (r->w[3] * rate[0] + r->w[4] * rate[1] + r->w[5] * rate[2]);
}

double sn__worker_row_velocity(const struct sn__worker *w, const struct sn__pgs_row *row) {
    double u = 0;
    for (int s = 0; s < 2; s++) {
        if (row->side[s].block < 0) continue;
        const struct sn__hand *m = sn__worker_seat(w, row->side[s]);
        u = add_side_velocity(u, m, &m->row[row->side[s].index]);
    }
    return u;
}

/* ----------------------------------------------------------------------------------------------- contacts */

/* Ground, and members that sleep on: nothing moves them in this step. */
static bool is_wall(const struct sn__worker *w, const struct sn__solid *s) {
    return s->member < 0 || !w->hand[s->member].on;
}

/* Velocity a solid's point gets without rows. */
static void free_velocity(const struct sn__worker *w, const struct sn__solid *s, const double point[3],
                          double v[3]) {
    if (is_wall(w, s)) {
        sn__solid_velocity(w, s, point, v);
        return;
    }
    const struct sn__hand *m = &w->hand[s->member];
    const double *x = m->place + SN__PLACE * s->body, *rate = m->rate + 6 * s->body;
    const double r[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    dvec_cross(rate + 3, r, v);
    for (int k = 0; k < 3; k++)
        v[k] += rate[k];
}

/* The one tangent of eq. 20: against the way it would slide, or where it pointed before. */
static void one_tangent(const struct sn__worker *w, struct sn__contact *c) {
    double u[3], v[3];
    free_velocity(w, &w->solid[c->solid[0]], c->pos, u);
    free_velocity(w, &w->solid[c->solid[1]], c->other, v);
    double n = 0;
    for (int k = 0; k < 3; k++)
        u[k] -= v[k] + c->belt[k], n += u[k] * c->normal[k];
    for (int k = 0; k < 3; k++)
        u[k] = n * c->normal[k] - u[k];
    if (dvec_length(u) > 1e-9) {
        memcpy(c->tangent[0], u, sizeof u);
    } else if (c->old) { /* the last one, laid flat */
        const double along = dvec_dot(c->tangent[0], c->normal);
        for (int k = 0; k < 3; k++)
            c->tangent[0][k] -= along * c->normal[k];
    }
    double basis[2][3];
    sn__across(c->normal, basis);
    if (!dvec_normalise(c->tangent[0])) memcpy(c->tangent, basis, sizeof basis);
}

/* What a row along d at a contact is on either side. */
struct sides {
    struct sn__row row[2];
    int member[2]; /* -1: nothing moves it */
    double u;      /* velocity without rows */
};

static struct sides sides_of(const struct sn__worker *w, const struct sn__contact *c, const double d[3]) {
    struct sides x = {.member = {-1, -1}};
    double ground = 0;
    for (int s = 0; s < 2; s++) {
        const struct sn__solid *solid = &w->solid[c->solid[s]];
        const double *point = s ? c->other : c->pos;
        if (is_wall(w, solid)) {
            double v[3] = {0, 0, 0};
            if (solid->moves) sn__solid_velocity(w, solid, point, v);
            ground = dvec_dot(v, d);
            continue;
        }
        const struct sn__hand *m = &w->hand[solid->member];
        x.member[s] = solid->member;
        x.row[s] = sn__point_row(m, solid->body, point, d, s ? -1 : 1);
        x.u = add_side_velocity(x.u, m, &x.row[s]);
    }
    x.u -= ground;
    return x;
}

/* The row; NULL when there is no room. */
static struct sn__pgs_row *contact_row(struct sn__worker *w, const struct sides *x) {
    struct sn__pgs_row *row = sn__worker_add_row(w);
    bool fits = row != NULL;
    for (int s = 0; s < 2 && row; s++)
        if (x->member[s] >= 0) fits = sn__worker_add_side(w, row, s, x->member[s], &x->row[s]) && fits;
    if (fits) row->b = x->u;
    return fits ? row : NULL;
}

double sn__world_recovery(const sn_world *w, double h) {
    return w->def.recovery > 2 * h ? w->def.recovery : 2 * h;
}

double sn__contact_fall(const struct sn__worker *w, const struct sn__contact *c) {
    double fall = 0;
    for (int s = 0; s < 2; s++) {
        const int member = w->solid[c->solid[s]].member;
        if (member < 0 || !w->hand[member].falls) continue;
        double gravity[3];
        sn__hand_gravity(w, &w->hand[member], gravity);
        fall += (s ? -1 : 1) * dvec_dot(gravity, c->normal);
    }
    return fall;
}

/* The speed a contact should have along its normal, and what positions have beyond it. Bodies apart may come together
   and no further; bounce.c has what bounces. */
static void aim_normal(const struct sn__worker *w, const struct sn__contact *c, double h, double *wanted,
                       double *bias) {
    const sn_world_def *def = &w->world->def;
    *wanted = c->gap > 0 ? -c->gap / h : 0;
    *bias = 0;
    if (w->level == SN__LEVEL_IMPACT) { /* v+ = -e v-, section 8.1, of the velocities half a step further on */
        const double half = 0.5 * def->dt * sn__contact_fall(w, c), impact = c->approach + half;
        *wanted = c->restitution > 0 && impact < -def->bounce ? -c->restitution * impact - half : 0;
        return;
    }
    if (def->compliance > 0 && c->gap < 0) { /* as implicit contact has it */
        *wanted = fmin(-c->gap / sn__world_recovery(w->world, h), def->recovery_speed);
        return;
    }
    const double deep = -c->gap - def->slop;
    if (deep > 0) *bias = fmin(deep / sn__world_recovery(w->world, h), def->recovery_speed);
    if (w->level == SN__LEVEL_ACCELERATION) *wanted = 0; /* neither apart nor together */
}

static void friction_rows(struct sn__worker *w, struct sn__contact *c, double h, double soft) {
    if (!(c->mu > 0) || w->world->def.friction == SN_FRICTION_NONE) return;
    const int normal = c->row;
    const bool one_way = w->world->def.friction == SN_FRICTION_ONE_WAY;
    if (one_way && w->round == 0)
        one_tangent(w, c);
    else if (!one_way)
        sn__across(c->normal, c->tangent);
    for (int t = 0; t < (one_way ? 1 : 2); t++) {
        struct sides x = sides_of(w, c, c->tangent[t]);
        x.u -= dvec_dot(c->belt, c->tangent[t]);
        struct sn__pgs_row *row = contact_row(w, &x);
        if (!row) { /* a lone friction row is as good as a pair */
            w->nrow = normal + 1 + t;
            if (t) w->row[normal + 1].cone = 0;
            return;
        }
        row->normal = normal;
        row->mu = c->mu;
        row->one_way = one_way;
        row->cone = t == 0 && w->world->def.friction == SN_FRICTION_CONE;
        row->soft = soft;
        if (w->level != SN__LEVEL_IMPACT) w->f[normal + 1 + t] = h * dvec_dot(c->force, c->tangent[t]);
        if (one_way && w->f[normal + 1] < 0) w->f[normal + 1] = 0;
    }
}

static void contact_rows(struct sn__worker *w, struct sn__contact *c, double h) {
    const int before = w->nrow;
    c->row = -1;
    c->waits = false;
    if (w->level != SN__LEVEL_STEP && c->gap >= sn__world_touch_gap(w->world)) return;
    const struct sides x = sides_of(w, c, c->normal);
    if (sn__contact_waits(w, c, x.u, h)) {
        c->waits = true;
        w->waiting++;
        return;
    }
    struct sn__pgs_row *row = contact_row(w, &x);
    if (!row) {
        w->nrow = before;
        return;
    }
    double wanted, bias;
    aim_normal(w, c, h, &wanted, &bias);
    row->b -= wanted;
    row->lo = 0, row->hi = INFINITY;
    row->soft = w->world->def.compliance / (sn__world_recovery(w->world, h) * h);
    w->more[before].bias = bias;
    w->more[before].wanted = wanted;
    w->more[before].contact = c;
    c->row = before;
    if (w->level != SN__LEVEL_IMPACT) w->f[before] = fmax(0, h * dvec_dot(c->force, c->normal));
    friction_rows(w, c, h, row->soft);
}

void sn__worker_build_rows(struct sn__worker *w, double h) {
    w->nrow = w->waiting = 0;
    for (int i = w->crew; i >= 0; i = w->hand[i].next)
        w->hand[i].nrow = 0;
    sn__worker_tie_rows(w, h);
    for (int i = 0; i < w->ncontact; i++)
        if (!w->contact[i].implicit && !w->contact[i].called) contact_rows(w, &w->contact[i], h);
    for (int i = 0; i < w->nadded; i++)
        sn__worker_limit_row(w, &w->added[i], h);
    w->lasting = w->nrow;
    for (int i = 0; i < w->ncontact; i++)
        if (w->contact[i].called) contact_rows(w, &w->contact[i], h);
}

/* The lambda of eq. 20 and 21, at velocity level:

       u_t + lambda >= 0  complementary to  f_t >= 0,      mu f_n - f_t >= 0  complementary to  lambda >= 0.

   It is what friction at its bound leaves of the sliding, and zero where it is not. */
static double lambda_of(struct sn__worker *w, const struct sn__contact *c) {
    const int t = c->row + 1;
    if (t >= w->nrow || w->row[t].normal != c->row || !w->row[t].one_way || !c->sliding) return 0;
    double u = w->row[t].b + w->row[t].soft * w->f[t];
    for (int s = 0; s < 2; s++) { /* of all rows of its members */
        const struct sn__side side = w->row[t].side[s];
        if (side.block < 0) continue;
        const struct sn__hand *m = sn__worker_seat(w, side);
        for (int j = 0; j < m->nrow; j++)
            u += m->K[(size_t)side.index * (size_t)m->stride + (size_t)j] * w->f[m->row_of[j]];
    }
    return u < 0 ? -u : 0;
}

void sn__worker_read_contact(const struct sn__worker *w, struct sn__contact *c, double h) {
    memset(c->force, 0, sizeof c->force);
    c->sliding = false;
    if (c->row < 0) return;
    const double fn = w->f[c->row];
    double ft2 = 0;
    int n = 0;
    for (int r = c->row + 1; r < w->nrow && w->row[r].normal == c->row; r++, n++)
        ft2 += w->f[r] * w->f[r];
    for (int k = 0; k < 3; k++) {
        c->force[k] = fn * c->normal[k] / h;
        for (int t = 0; t < n; t++)
            c->force[k] += w->f[c->row + 1 + t] * c->tangent[t][k] / h;
    }
    c->sliding = fn > 0 && ft2 >= c->mu * c->mu * fn * fn * (1 - 1e-9);
}

/* Forces of contacts and constraints from the impulses. */
void sn__worker_read_rows(struct sn__worker *w, double h) {
    for (int i = 0; i < w->ncontact; i++) {
        struct sn__contact *c = &w->contact[i];
        if (c->implicit) continue;
        sn__worker_read_contact(w, c, h);
        c->lambda = 0;
        if (c->row < 0) continue;
        c->lambda = lambda_of(w, c);
    }
    for (int i = 0; i < w->nrow; i++)
        if (w->more[i].owner) *w->more[i].owner = w->f[i] / h;
}
