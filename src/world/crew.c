/* Who is at hand. A worker goes through the members of its crew alone: all who take part in the step, or one island of them,
 * whom contacts join. */
#include "world/world.h"

void sn__worker_call_all(struct sn__worker *w) {
    int *last = &w->crew;
    w->seats = 0;
    for (int i = 0; i < w->world->nmember; i++) {
        struct sn__hand *m = &w->hand[i];
        if (!m->on) continue;
        m->seat = w->seats;
        w->seated[w->seats++] = i;
        *last = i;
        last = &m->next;
    }
    *last = -1;
}
