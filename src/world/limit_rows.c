/* Joint limits as rows (kokkevis-2004 section 8.2), from the records that kernels make of joints near their limits
 * (kernels/stops.h): a joint may reach its limit in this step and not pass it. */
#include <math.h>

#include "world/world.h"

void sn__worker_limit_rows(struct sn__worker *w, int member, double h) {
    const struct sn__hand *m = &w->hand[member];
    const size_t value = m->pack->k->elem_size * (size_t)m->pack->k->info.width;
    for (int k = 0; k < m->nlimit; k++) {
        double record[SN__LIMIT_GAP + 1];
        sn__hand_gather(m, (const char *)m->ground.contacts.limit + value * SN__LIMIT_VALUES * (size_t)k,
                        SN__LIMIT_GAP + 1, record);
        const struct sn__row r = {
            .body = m->ground.contacts.limit_body[k],
            .joint = 1,
            .w = {record[SN__LIMIT_AXIS], record[SN__LIMIT_AXIS + 1], record[SN__LIMIT_AXIS + 2]}};
        const double gap = record[SN__LIMIT_GAP];
        struct sn__pgs_row *row = sn__worker_add_row(w);
        if (!row) return;
        if (!sn__worker_add_side(w, row, 0, member, &r)) {
            w->nrow--;
            return;
        }
        row->b = sn__worker_row_velocity(w, row);
        if (gap > 0) row->b += gap / h;
        row->lo = 0, row->hi = INFINITY;
        if (gap < 0 && w->level != SN__LEVEL_IMPACT)
            w->more[w->nrow - 1].bias =
                fmin(-gap / sn__world_recovery(w->world, h), w->world->def.limit_speed);
    }
}
