/* Records of contacts beside those of a search that only some lanes go on with. */
#ifndef SINEW_KERNELS_POSITION_RECORDS_H
#define SINEW_KERNELS_POSITION_RECORDS_H

#include "kernels/position/begin.h"

static void keep_records(struct stepping *p) {
    const struct sn__ground *g = p->s->ground;
    if (!p->a.touch) return;
    p->nkept = g->contacts.count;
    for (int k = 0; k < p->nkept; k++)
        p->kept_which[2 * k] = g->which[k], p->kept_which[2 * k + 1] = g->contacts.body[k];
    for (int k = 0; k < p->nkept * SN__CONTACT_VALUES; k++)
        p->kept[k] = ((const real *)g->contacts.value)[k];
}

/* One record of two, either of which may be NULL: the new one in the lanes `which`. */
static void merge_record(const real *new, const real *old, mask which, real *to) {
    const mask none = (mask){0}, lacking = !new ? which : !old ? ~which : none;
    if (!new) new = old;
    if (!old) old = new;
    for (int v = 0; v < SN__CONTACT_VALUES; v++)
        to[v] = choose(which, new[v], old[v]);
    if (!any(lacking)) return;
    to[TOUCH_K] = choose(lacking, splat(0), to[TOUCH_K]);
    vec_store(to + SN__FORCE, vec_choose(lacking, vec_zero(), vec_load(to + SN__FORCE)));
}

/* The kept records back in all lanes but `which`, which have others now. Probes ascend in both lists; the merged one is made from
   its end on, so that nothing is overwritten before it is read. */
static void merge_records(struct stepping *p, mask which) {
    struct sn__ground *g = p->s->ground;
    struct sn__contacts *list = &g->contacts;
    if (!p->a.touch) return;
    int i = list->count - 1, j = p->nkept - 1, n = 0;
    for (int a = 0, b = 0; a <= i || b <= j; n++) {
        const int ka = a <= i ? g->which[a] : INT32_MAX, kb = b <= j ? p->kept_which[2 * b] : INT32_MAX;
        a += ka <= kb, b += kb <= ka;
    }
    list->count = n;
    while (--n >= 0) {
        const int ki = i >= 0 ? g->which[i] : -1, kj = j >= 0 ? p->kept_which[2 * j] : -1;
        const int body = ki >= kj ? list->body[i] : p->kept_which[2 * j + 1];
        merge_record(ki >= kj ? contact_at(list, i) : 0, kj >= ki ? p->kept + SN__CONTACT_VALUES * j : 0,
                     which, contact_at(list, n));
        g->which[n] = ki >= kj ? ki : kj;
        ((int32_t *)list->body)[n] = body;
        i -= ki >= kj, j -= kj >= ki;
    }
}

#endif
