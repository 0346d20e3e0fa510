/* Velocities of surfaces, and the user's own say in what touches. Both act on the contacts of a step after they were found and
 * sorted, pair by pair, before they are matched with those of the last step. So they act on implicit contacts and on rows alike.
 *
 * A surface velocity changes the motion that friction works against: with b the velocity of the second surface against the
 * first, friction acts against u_t - b instead of u_t. The normal direction does not know of it. */
#include <math.h>

#include "base/quat.h"
#include "world/worker.h"

/* Adds sign times the velocity of a solid's surface, in world axes. */
static void add_belt(const struct sn__worker *w, const struct sn__solid *s, double sign, double belt[3]) {
    if (!s->carries) return;
    if (s->member < 0) {
        for (int k = 0; k < 3; k++)
            belt[k] += sign * w->world->belt[s->body][k];
        return;
    }
    const struct sn__hand *h = &w->hand[s->member];
    const double *R = h->place + SN__PLACE * s->body + 3,
                 *v = h->pack->model->shape[s->shape].surface_velocity;
    for (int k = 0; k < 3; k++)
        belt[k] += sign * (R[3 * k] * v[0] + R[3 * k + 1] * v[1] + R[3 * k + 2] * v[2]);
}

static bool usable(double x, double most) {
    return x >= 0 && x <= most;
}

/* Asks the user about contacts [0, n) of one pair; false: they do not touch. */
static bool ask(const struct sn__worker *w, struct sn__contact *c, int n, double belt[3]) {
    const struct sn__contact_filter *filter = &w->world->filter;
    const struct sn__solid *solid[2] = {&w->solid[c->solid[0]], &w->solid[c->solid[1]]};
    if (!filter->call || !((solid[0]->group | solid[1]->group) & filter->groups)) return true;
    int nearest = 0, rough = 0; /* a contact of cores has no material */
    for (int i = 1; i < n; i++) {
        if (c[i].gap < c[nearest].gap) nearest = i;
        if (c[rough].feature == SN__CORE) rough = i;
    }
    sn_near_pair pair = {
        .copy = w->copy, .gap = c[nearest].gap, .friction = c[rough].mu, .restitution = c[rough].restitution};
    for (int k = 0; k < 3; k++) {
        pair.pos[k] = c[nearest].pos[k], pair.normal[k] = c[nearest].normal[k];
        pair.surface_velocity[k] = belt[k];
    }
    for (int s = 0; s < 2; s++)
        pair.member[s] = sn__world_handle(w->world, solid[s]->member), pair.body[s] = solid[s]->body,
        pair.shape[s] = solid[s]->shape;
    if (!filter->call(filter->user, &pair)) return false;
    for (int i = 0; i < n; i++) {
        if (c[i].feature == SN__CORE) continue;
        if (usable(pair.friction, 1e9)) c[i].mu = pair.friction;
        if (usable(pair.restitution, 1)) c[i].restitution = pair.restitution;
    }
    for (int k = 0; k < 3; k++)
        belt[k] = isfinite(pair.surface_velocity[k]) ? pair.surface_velocity[k] : 0;
    return true;
}

void sn__worker_filter_contacts(struct sn__worker *w) {
    int kept = 0;
    for (int i = 0, end; i < w->ncontact; i = end) {
        struct sn__contact *c = &w->contact[i];
        double belt[3] = {0, 0, 0};
        for (end = i; end < w->ncontact && w->contact[end].pair == c->pair;)
            end++;
        add_belt(w, &w->solid[c->solid[0]], -1, belt);
        add_belt(w, &w->solid[c->solid[1]], 1, belt);
        if (!ask(w, c, end - i, belt)) continue;
        for (int k = i; k < end; k++) {
            struct sn__contact *to = &w->contact[kept++];
            *to = w->contact[k];
            const double across = dvec_dot(belt, to->normal);
            for (int j = 0; j < 3; j++)
                to->belt[j] = belt[j] - across * to->normal[j];
        }
    }
    w->ncontact = kept;
}

sn_status sn_world_set_filter(sn_world *w, uint32_t groups, sn_contact_filter *filter, void *user) {
    if (filter && w->def.stepper == SN_STEPPER_POSITION)
        return sn__world_refuse(w, SN_ERROR_UNSUPPORTED, "The position stepper has no filter of contacts.");
    const struct sn__contact_filter before = w->filter;
    sn__world_touch(w);
    sn__world_wake_all(w);
    w->filter = (struct sn__contact_filter){filter, user, filter ? groups : 0};
    w->surfaces_stale = true;
    w->structure++;
    const sn_status status = w->member ? sn__world_settle(w, NULL) : SN_OK;
    if (!status) return SN_OK;
    w->filter = before;
    w->surfaces_stale = true;
    sn__world_settle(w, NULL);
    return status;
}
