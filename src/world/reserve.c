/* Memory for what a world holds, so that a step need not ask for any. */
#include "base/memory.h"
#include "world/world.h"

static bool grow(void *array, size_t count, size_t size) {
    void **a = array;
    void *fresh = sn__alloc(count ? count : 1, size);
    if (!fresh) return false;
    sn__free(*a);
    *a = fresh;
    return true;
}

/* Rows a member may have: contacts of its shapes, limits, and what users add. */
static int member_rows(const sn_world *w, const struct sn__member *m) {
    const sn_model *model = m->character->pack.model;
    int most = 36 * m->nsolid;
    most = most < 96 ? 96 : most > 384 ? 384 : most;
    if (most > 3 * w->def.max_contacts) most = 3 * w->def.max_contacts;
    return most + 2 * m->nlimit + model->nv + 6 * w->tie_room;
}

static bool reserve_member(sn_world *w, struct sn__member *m) {
    const struct sn__pack *p = &m->character->pack;
    const int rows = member_rows(w, m);
    if (rows > m->row_room) {
        if (!grow(&m->row, (size_t)rows, sizeof *m->row)) return false;
        m->row_room = rows;
    }
    if (w->def.contact != SN_CONTACT_IMPLICIT) return true;
    const size_t value = p->k->elem_size * (size_t)p->k->info.width;
    const int contacts = SN__MOST_TOUCHES * m->nsolid, limits = SN__SIDES * m->nlimit;
    if (contacts > m->implicit_room) {
        void *lanes = sn__alloc_aligned(SN__CONTACT_VALUES * value * (size_t)contacts);
        if (!lanes || !grow(&m->implicit_body, (size_t)contacts, sizeof(int32_t)) ||
            !grow(&m->implicit_contact, (size_t)contacts, sizeof(int))) {
            sn__free(lanes);
            return false;
        }
        sn__free(m->implicit_lanes);
        m->implicit_lanes = lanes;
        m->implicit_room = contacts;
    }
    if (limits > m->limit_room) {
        void *lanes = sn__alloc_aligned(SN__LIMIT_VALUES * value * (size_t)limits);
        if (!lanes || !grow(&m->limit_body, (size_t)limits, sizeof(int32_t)) ||
            !grow(&m->limit_side, (size_t)limits, sizeof(int))) {
            sn__free(lanes);
            return false;
        }
        sn__free(m->limit_lanes);
        m->limit_lanes = lanes;
        m->limit_room = limits;
    }
    return true;
}

bool sn__world_reserve(sn_world *w) {
    size_t pool = 1 << 12;
    int rows = 3 * w->def.max_contacts + 6 * w->tie_room;
    for (int i = 0; i < w->nmember; i++) {
        struct sn__member *m = &w->member[i];
        if (!reserve_member(w, m)) return false;
        rows += 2 * m->nlimit + m->character->pack.model->nv;
        const size_t n = ((size_t)m->row_room + 7) & ~(size_t)7;
        pool += n * n / 2 + 16 * n; /* half of the worst; more is dropped, and told */
    }
    if (rows > w->row_room) {
        if (!grow(&w->row, (size_t)rows, sizeof *w->row) || !grow(&w->more, (size_t)rows, sizeof *w->more) ||
            !grow(&w->f, (size_t)rows, sizeof *w->f) || !grow(&w->f_moved, (size_t)rows, sizeof *w->f_moved))
            return false;
        w->row_room = rows;
    }
    if (pool > w->pool_size) {
        double *fresh = sn__alloc_aligned(pool * sizeof *fresh);
        float *single = w->def.precision == SN_FLOAT ? sn__alloc_aligned(pool * sizeof *single) : NULL;
        if (!fresh || (w->def.precision == SN_FLOAT && !single)) {
            sn__free(fresh);
            sn__free(single);
            return false;
        }
        sn__free(w->pool);
        sn__free(w->pool_float);
        w->pool = fresh, w->pool_float = single;
        w->pool_size = pool;
    }
    if (w->nsolid > w->sweeper_room) {
        const int room = 2 * w->nsolid;
        struct sn__sweeper *s = sn__sweeper_create(room);
        if (!s) return false;
        sn__sweeper_free(w->sweeper);
        w->sweeper = s;
        if (!grow(&w->box, (size_t)room, sizeof *w->box) ||
            !grow(&w->moving, (size_t)room, sizeof *w->moving) ||
            !grow(&w->swept, (size_t)room, sizeof *w->swept) ||
            !grow(&w->pair, 64 * (size_t)room, sizeof *w->pair))
            return false;
        w->pair_room = 64 * room;
        w->sweeper_room = room;
    }
    if (!grow(&w->block, (size_t)w->nmember, sizeof *w->block)) return false;
    return sn__problem_reserve(&w->problem_room, w->row_room, w->def.row_solver == SN_ROWS_DIRECT);
}
