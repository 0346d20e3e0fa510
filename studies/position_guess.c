/* Where the search for the next poses begins: extrapolated from the last ones, or moved on as the target moves. */
#include <string.h>

#include "studies/position_inner.h"

/* The pose at a node on the polynomial through the newest `terms` poses, in the chart around the first of them. */
static void extrapolate(struct sn__position *p, int terms, double node, void *q) {
    double value[SN__GUESS_POSES];
    sn__lagrange(terms, p->guess_node, node, value, NULL, NULL);
    memset(p->row, 0, sn__position_bytes(p, p->model->nv));
    for (int j = 1; j < terms; j++) {
        const void *x[2] = {p->row, p->delta[0]};
        const double w[2] = {1, value[j]};
        p->pk->difference(p->args.tree, p->guess_q[j], p->guess_q[0], p->delta[0]);
        p->pk->blend(p->model->nv, 2, w, x, p->row);
    }
    p->pk->move(p->args.tree, p->guess_q[0], p->row, NULL, q);
}

/* As far on as the target moves. */
static void follow_target(struct sn__position *p, int stage, void *q) {
    p->pk->difference(p->args.tree, p->target_q[stage], p->last_target, p->row);
    p->pk->move(p->args.tree, p->past_q[0], p->row, NULL, q);
}

static bool can_follow(const struct sn__position *p, int stage) {
    return p->has_last_target && p->args.target_q[stage];
}

/* Where to begin. */
void sn__position_guess(struct sn__position *p) {
    for (int i = 0; i < p->scheme.m; i++) {
        if (p->nguess && !p->guess_terms && can_follow(p, i)) {
            follow_target(p, i, p->q[i]);
            continue;
        }
        if (p->nguess) {
            extrapolate(p, p->guess_terms ? p->guess_terms : p->scheme.m + 1, p->scheme.node[i], p->q[i]);
            continue;
        }
        const double time = p->scheme.node[i] * p->args.dt; /* evenly on */
        sn__position_put(p, p->part, 1, &time);
        p->pk->move(p->args.tree, p->past_q[0], p->qd, p->part, p->q[i]);
    }
}

static double distance(struct sn__position *p, const void *q, const void *other) {
    double sum = 0;
    p->pk->difference(p->args.tree, q, other, p->delta[0]);
    sn__position_get(p, p->delta[0], p->model->nv, p->x);
    for (int v = 0; v < p->model->nv; v++)
        sum += p->x[v] * p->x[v];
    return sum;
}

/* Which guess would have come closest this time: smooth motion is best followed by all poses, rough motion by one less, stiff
   drives by their target. */
static int best_terms(struct sn__position *p) {
    const int m = p->scheme.m, last = m - 1;
    int terms = m + 1;
    if (!p->nguess) return terms;
    extrapolate(p, terms, 1, p->try_q[0]);
    double best = distance(p, p->try_q[0], p->q[last]);
    if (p->nguess == m + 2) {
        extrapolate(p, m + 2, 1, p->try_q[0]);
        const double smooth = distance(p, p->try_q[0], p->q[last]);
        if (smooth < best) best = smooth, terms = m + 2;
    }
    if (can_follow(p, last)) {
        follow_target(p, last, p->try_q[0]);
        if (distance(p, p->try_q[0], p->q[last]) < best) terms = 0;
    }
    return terms;
}

/* Poses for the next guess, newest first: the stages, where the step began, and one from before. */
void sn__position_remember(struct sn__position *p) {
    const struct sn__position_scheme *s = &p->scheme;
    const int m = s->m, last = m - 1, terms = best_terms(p);
    const size_t bytes = sn__position_bytes(p, p->model->nq);
    p->has_last_target = p->args.target_q[last] != NULL;
    if (p->has_last_target) memcpy(p->last_target, p->target_q[last], bytes);
    if (p->nguess) { /* the newest of those before where this step began */
        memcpy(p->guess_q[m + 1], p->guess_q[1], bytes);
        p->guess_node[m + 1] = p->guess_node[1] - 1;
    }
    memcpy(p->guess_q[m], p->past_q[0], bytes);
    p->guess_node[m] = -1;
    for (int i = 0; i < m; i++) {
        memcpy(p->guess_q[i], p->q[last - i], bytes);
        p->guess_node[i] = s->node[last - i] - 1;
    }
    p->nguess = p->nguess ? m + 2 : m + 1;
    p->guess_terms = terms;
}
