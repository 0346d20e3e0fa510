/* Memory for what a step may want, so that a step need not ask for any. Arrays grow by doubling: a member costs what it
 * is large, not what the world is. The first members get all that they may want at once. In a crowd of many most never
 * meet anybody: those that come later get room for rows and contacts when a step first wants it (struct sn__lack). */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "world/constraints.h"
#include "world/rows.h"
#include "world/steppers.h"

/* ---------------------------------------------------------------------------------------------------- hands */

/* Bytes of a pose and its velocity; and with the places of bodies. */
static size_t backup_of(const struct sn__pack *p) {
    return (sn__pack_bytes(p, p->model->nq + p->model->nv) + 7) & ~(size_t)7;
}

static size_t memory_of(const struct sn__pack *p) {
    return backup_of(p) + SN__PLACE * (size_t)p->model->nbody * sizeof(double);
}

/* Where copies stand in lanes: contact records alone. */
static bool make_ground(struct sn__hand *h) {
    h->memory = h->ground = sn__alloc(1, sizeof *h->ground);
    return h->memory != NULL;
}

/* Else where bodies are placed, and what a member may have to go back to. */
static bool make_memory(struct sn__hand *h) {
    const size_t backup = backup_of(h->pack);
    char *memory = h->memory = sn__alloc_aligned(memory_of(h->pack));
    h->backup = memory;
    h->place = (double *)(void *)(memory + backup);
    return memory != NULL;
}

enum {
    FIRST_MEMBERS = 64, /* that get all they may want */
    FIRST_ROWS = 24     /* of a later one, when it first has any */
};

/* Rows a member may have: contacts of its shapes, limits, and what users add. */
static int member_rows(const sn_world *w, const struct sn__member *m) {
    if (m->number >= FIRST_MEMBERS) return m->rows_wanted;
    int most = 36 * m->nsolid;
    most = most < 48 ? 48 : most > 384 ? 384 : most;
    if (w->def.max_contacts && most > 3 * w->def.max_contacts) most = 3 * w->def.max_contacts;
    most += 2 * (int)m->pack.stop_size + m->model->nv + 12 * w->tie_room; /* a weld of two of its own */
    return most > m->rows_wanted ? most : m->rows_wanted;
}

static bool make_rows(const sn_world *w, struct sn__hand *h) {
    const int rows = member_rows(w, h->member);
    if (rows <= h->row_room) return true;
    struct sn__row *row = sn__alloc((size_t)rows, sizeof *row);
    int *row_of = sn__alloc((size_t)rows, sizeof *row_of);
    if (!row || !row_of) {
        sn__free(row), sn__free(row_of);
        return false;
    }
    sn__free(h->row), sn__free(h->row_of);
    h->row = row, h->row_of = row_of, h->row_room = rows;
    return true;
}

static void release_hand(struct sn__worker *worker, int member) {
    if (member >= worker->hands) return;
    struct sn__hand *h = &worker->hand[member];
    if (h->cloned) sn__pack_release_clone(h->pack);
    if (h->cloned) sn__free(h->pack);
    sn__free(h->memory);
    sn__free(h->brace_memory);
    sn__free(h->row), sn__free(h->row_of);
    memset(h, 0, sizeof *h);
}

/* Workers that take copies up. The others step islands of one copy, with the hands of the first. */
static int benches(const sn_world *w) {
    return w->def.copies > 1 ? w->threads : 1;
}

/* Of all threads: the last has one only if the others have. */
bool sn__hands_are_made(const sn_world *w, const struct sn__member *m) {
    const struct sn__worker *last = &w->worker[benches(w) - 1];
    return m->number < last->hands && last->hand[m->number].member == m;
}

/* A pack of the worker's own, or the member's; and what a hand has for as long as its member is there. */
static bool make_hand(const sn_world *w, struct sn__worker *worker, struct sn__member *m) {
    struct sn__hand *h = &worker->hand[m->number];
    *h = (struct sn__hand){.member = m, .pack = &m->pack};
    if (worker != w->worker) {
        h->pack = sn__alloc(1, sizeof *h->pack);
        h->cloned = h->pack && !sn__pack_clone(&m->pack, h->pack, w->spread ? &worker->loan : NULL);
        if (!h->cloned) sn__free(h->pack);
        if (!h->cloned) return false;
    }
    return w->spread ? make_memory(h) : make_ground(h);
}

bool sn__hands_make(sn_world *w, struct sn__member *m) {
    for (int t = 0; t < benches(w); t++) {
        struct sn__worker *worker = &w->worker[t];
        if (m->number < worker->hands && worker->hand[m->number].member == m) continue;
        if (m->number >= worker->hands) {
            struct sn__hand *hand = sn__grow(worker->hand, &worker->hand_room, m->number + 1, sizeof *hand);
            if (!hand) return false;
            worker->hand = hand;
            memset(hand + worker->hands, 0, sizeof *hand * (size_t)(m->number + 1 - worker->hands));
            worker->hands = m->number + 1;
        }
        if (!make_hand(w, worker, m)) {
            release_hand(worker, m->number);
            return false;
        }
    }
    return true;
}

void sn__hands_drop(sn_world *w, int member) {
    for (int t = 0; t < w->threads; t++)
        release_hand(&w->worker[t], member);
}

sn_status sn__hands_follow(sn_world *w, struct sn__member *m) {
    sn_status status = SN_OK;
    for (int t = 1; t < benches(w) && !status; t++)
        status = sn__pack_follow(w->worker[t].hand[m->number].pack, &m->pack);
    return status;
}

/* -------------------------------------------------------------------------------------------------- workers */

/* Room for n, and some more: what grows by a quarter at a time costs the same for each that comes. */
static int with_spare(int n) {
    return n + n / 4 + 16;
}

/* An array with room for `count`, whatever was in it. */
static bool renew(void *array, size_t count, size_t size) {
    void **a = array;
    void *fresh = sn__alloc(count ? count : 1, size);
    if (!fresh) return false;
    sn__free(*a);
    *a = fresh;
    return true;
}

/* A single copy has the world's own, unless its stepper moves ground to and fro. */
static bool shares_solids(const sn_world *w) {
    return w->def.copies == 1 && !w->stepping->moves_ground;
}

static bool reserve_solids(const sn_world *w, struct sn__worker *k) {
    k->solids_of = 0; /* to be copied before the next step */
    if (k != w->worker && benches(w) == 1) return true;
    if (shares_solids(w)) {
        k->solid = w->solid;
    } else if (w->nsolid > k->solid_room) {
        k->solid_room = with_spare(w->nsolid);
        if (!renew(&k->solid, (size_t)k->solid_room, sizeof *k->solid)) return false;
    }
    if (w->pairs_wanted > k->pair_room) {
        if (!renew(&k->pair, (size_t)w->pairs_wanted, sizeof *k->pair)) return false;
        k->pair_room = w->pairs_wanted;
    }
    if (w->nsolid <= k->sweeper_room) return true;
    const int room = with_spare(w->nsolid);
    struct sn__sweeper *s = sn__sweeper_create(room);
    if (!s) return false;
    sn__sweeper_free(k->sweeper);
    k->sweeper = s;
    if (!renew(&k->box, (size_t)room, sizeof *k->box) ||
        !renew(&k->moving, (size_t)room, sizeof *k->moving) ||
        !renew(&k->swept, (size_t)room, sizeof *k->swept))
        return false;
    const int pairs = room < FIRST_MEMBERS ? 64 * room : 64 * FIRST_MEMBERS + 4 * room;
    if (pairs > k->pair_room) {
        if (!renew(&k->pair, (size_t)pairs, sizeof *k->pair)) return false;
        k->pair_room = pairs;
    }
    k->sweeper_room = room;
    return true;
}

/* Such an array on a boundary of SN__ALIGNMENT bytes. By calloc, which has large zeros from the system: what no step
   uses is never touched. */
static void *renew_aligned(void **memory, size_t bytes) {
    if (!renew(memory, bytes + SN__ALIGNMENT, 1)) return NULL;
    return (char *)*memory + (SN__ALIGNMENT - (uintptr_t)*memory % SN__ALIGNMENT);
}

static bool reserve_rows(const sn_world *w, struct sn__worker *k, int rows, size_t pool) {
    if (rows > k->row_room) {
        const size_t room = (size_t)rows + (size_t)rows / 2;
        if (!renew(&k->row, room, sizeof *k->row) || !renew(&k->more, room, sizeof *k->more) ||
            !renew(&k->tension, room, sizeof *k->tension) || !renew(&k->f, room, sizeof *k->f) ||
            !renew(&k->f_moved, room, sizeof *k->f_moved) || !renew(&k->f_start, room, sizeof *k->f_start) ||
            !renew(&k->df, room, sizeof *k->df) || !renew(&k->way, room, sizeof *k->way) ||
            !renew(&k->goal, room, sizeof *k->goal))
            return false;
        k->row_room = (int)room;
    }
    if (!sn__problem_reserve(&k->problem_room, k->row_room, k->block_room,
                             w->def.study ? w->def.study->rows : NULL))
        return false;
    if (pool <= k->pool_size) return true;
    pool += pool / 2;
    double *fresh = renew_aligned(&k->pool_memory, pool * sizeof *fresh);
    if (!fresh) return false;
    k->pool = fresh;
    if (w->def.precision == SN_PRECISION_FLOAT) {
        float *narrow = renew_aligned(&k->pool_float_memory, pool * sizeof *narrow);
        if (!narrow) return false;
        k->pool_float = narrow;
    }
    k->pool_size = pool;
    return true;
}

/* For members first .. nmember - 1; the others have what they want. */
static bool reserve_worker(const sn_world *w, struct sn__worker *k, int first, int rows,
                           const struct sn__wanted *want) {
    for (int i = first; i < w->nmember && i < k->hands; i++) {
        if (w->member[i] && (!make_rows(w, &k->hand[i]) || !sn__braces_reserve(&k->hand[i]))) return false;
    }
    k->tie_room = w->tie_room;
    if (w->nmember > k->block_room) {
        const size_t room = (size_t)with_spare(w->nmember);
        if (!renew(&k->block, room, sizeof *k->block) || !renew(&k->seated, 2 * room, sizeof *k->seated) ||
            !renew(&k->isle, room, sizeof *k->isle) || !renew(&k->island, 3 * room, sizeof *k->island))
            return false;
        k->block_room = (int)room;
    }
    if (!reserve_solids(w, k) || !reserve_rows(w, k, rows, want->pool)) return false;
    if (!sn__worker_reserve_store(k, want->store)) return false;
    if (want->points > k->told_room) {
        if (!renew(&k->told, 2 * (size_t)want->points, sizeof *k->told)) return false;
        k->told_room = 2 * (int)want->points;
    }
    if (want->added > k->added_room) {
        if (!renew(&k->added, 2 * (size_t)want->added, sizeof *k->added)) return false;
        k->added_room = 2 * want->added;
    }
    if (w->stepping->keeps_before && w->contact_room > k->before_room) {
        if (!renew(&k->before, (size_t)w->contact_room, sizeof *k->before)) return false;
        k->before_room = w->contact_room;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------- what members want */

static void add_wants(const sn_world *w, const struct sn__member *m, struct sn__wanted *want) {
    const size_t nv = (size_t)m->model->nv;
    const size_t size = 13 * (size_t)m->model->nbody + (size_t)m->model->nq + nv + 8;
    if (size > want->largest) want->largest = size;
    want->added += (int)(8 * m->pack.stop_size);
    if (w->spread && m->number >= FIRST_MEMBERS) return;
    const size_t n = ((size_t)member_rows(w, m) + 7) & ~(size_t)7;
    want->points += (long)(m->pack.touch_size / 6);
    if (w->spread) want->store += sn__hand_needs(w, &w->worker[0].hand[m->number]);
    want->rows += (int)(m->pack.stop_size + nv);
    want->pool += n * n / 2 + 16 * n;
}

static struct sn__wanted survey(const sn_world *w) {
    struct sn__wanted want = {.largest = 16, .pool = 1 << 12};
    for (int i = 0; i < w->nmember; i++)
        if (w->member[i]) add_wants(w, w->member[i], &want);
    return want;
}

/* --------------------------------------------------------------------------------------------------- copies */

enum { FIRST_CONTACTS = 1024 }; /* of rows, at most, before steps find more */

/* Contacts a copy has room for at first: those of rows, and of the points that kernels look up. */
static int contacts_wanted(const sn_world *w, const struct sn__wanted *want) {
    if (!w->spread && !w->def.report_contacts) return 0;
    long n = want->points;
    const long solids = 24L * w->nsolid > 128 ? 24L * w->nsolid : 128;
    if (w->spread) n += solids < FIRST_CONTACTS ? solids : FIRST_CONTACTS;
    return w->def.max_contacts && n > w->def.max_contacts ? w->def.max_contacts : (int)n;
}

static bool grow_contacts(struct sn__contact **list, int n, int room) {
    struct sn__contact *fresh = sn__alloc((size_t)room, sizeof *fresh);
    if (!fresh) return false;
    if (n) memcpy(fresh, *list, sizeof *fresh * (size_t)n);
    sn__free(*list);
    *list = fresh;
    return true;
}

bool sn__copy_grow_contacts(struct sn__copy *c, int room) {
    if (room <= c->contact_room) return true;
    if (!grow_contacts(&c->contact, c->ncontact, room) || !grow_contacts(&c->last, c->nlast, room))
        return false;
    c->contact_room = room;
    return true;
}

/* For sn_world_contacts: those of the last step, and those that ended in it. Of many copies only those that are asked for have
   a report. */
static bool reserve_reports(sn_world *w, int room) {
    const size_t most = 1 << 20; /* bytes */
    if ((size_t)w->def.copies * (size_t)room * sizeof(sn_contact) > most && w->def.copies > 1) return true;
    for (int i = 0; i < w->def.copies; i++) {
        struct sn__report *report = &w->copy[i].report;
        sn_contact *contact = sn__grow(report->contact, &report->room, room, sizeof *contact);
        if (!contact) return false;
        report->contact = contact;
    }
    return true;
}

bool sn__world_grow_contacts(sn_world *w, int room) {
    if (room <= w->contact_room) return true;
    for (int i = 0; i < w->def.copies; i++)
        if (!sn__copy_grow_contacts(&w->copy[i], room)) return false;
    w->contact_room = room;
    return reserve_reports(w, 2 * room + 1);
}

/* At least `wanted`, by doubling, and no more than the definition allows. */
static bool reserve_contacts(sn_world *w, int wanted) {
    const int twice = 2 * w->contact_room, room = wanted > twice ? wanted : twice, most = w->def.max_contacts;
    return wanted <= w->contact_room || sn__world_grow_contacts(w, most && room > most ? most : room);
}

/* Scratch of each thread for values on their way in and out. */
static bool reserve_scratch(sn_world *w, size_t largest) {
    const size_t lanes = largest * w->k->elem_size * (size_t)w->k->info.width;
    if (largest <= w->largest && lanes <= w->scratch_bytes) return true;
    if (largest > w->largest && !renew(&w->values, (size_t)w->threads * largest, sizeof *w->values))
        return false;
    for (int t = 0; t < w->threads; t++) {
        void *fresh = sn__alloc_aligned(lanes);
        if (!fresh) return false;
        sn__free(w->scratch[t]);
        w->scratch[t] = fresh;
    }
    if (largest > w->largest) w->largest = largest;
    w->scratch_bytes = lanes;
    return true;
}

/* As the world's survey says, for members from `first` on. */
static bool reserve_from(sn_world *w, int first) {
    struct sn__wanted want = w->wanted;
    w->contact_first = contacts_wanted(w, &want);
    if (!reserve_contacts(w, w->contact_first) || !reserve_scratch(w, want.largest)) return false;
    if (!w->spread) return true;
    int rows = 3 * w->contact_first + 6 * w->tie_room + want.rows;
    if (w->rows_wanted > rows) rows = w->rows_wanted;
    if (w->pool_wanted > want.pool) want.pool = w->pool_wanted;
    for (int t = 0; t < w->threads; t++)
        if (!reserve_worker(w, &w->worker[t], first, rows, &want)) return false;
    return true;
}

bool sn__world_reserve(sn_world *w) {
    w->wanted = survey(w);
    if (!sn__ties_join(w)) return false;
    if (w->spread) sn__ties_count_inside(w);
    return reserve_from(w, 0);
}

bool sn__world_reserve_last(sn_world *w) {
    add_wants(w, w->member[w->nmember - 1], &w->wanted);
    return reserve_from(w, w->nmember - 1);
}

/* Rows that the current members should have room for. */
static void want_rows(struct sn__hand *h) {
    const int rows = h->row_room ? 2 * h->row_room : FIRST_ROWS;
    if (h->member && h->lacks_rows && h->member->rows_wanted < rows) h->member->rows_wanted = rows;
    h->lacks_rows = false;
}

/* Workers say what they lacked; what there is room for never makes a difference to what comes out of a step. */
bool sn__world_grow(sn_world *w) {
    int contacts = 0;
    bool memory = true;
    for (int t = 0; t < w->threads; t++) {
        struct sn__worker *k = &w->worker[t];
        if (k->lack.contacts > contacts) contacts = k->lack.contacts;
        if (k->lack.pairs > w->pairs_wanted) w->pairs_wanted = k->lack.pairs + k->lack.pairs / 2;
        if (k->lack.rows > w->rows_wanted) w->rows_wanted = k->lack.rows;
        if (k->lack.pool > w->pool_wanted) w->pool_wanted = k->lack.pool;
        for (int i = 0; i < k->hands; i++)
            want_rows(&k->hand[i]);
        memory &= !k->lack.memory;
        k->lack = (struct sn__lack){0};
    }
    return memory && reserve_contacts(w, contacts) && sn__world_reserve(w);
}

/* What only a worker and its crew have: others may be at work. */
bool sn__worker_grow(struct sn__worker *k) {
    k->lack.memory = true; /* unless all goes well */
    for (int i = k->crew; i >= 0; i = k->hand[i].next) {
        want_rows(&k->hand[i]);
        if (!make_rows(k->world, &k->hand[i])) return false;
    }
    if (!reserve_rows(k->world, k, k->lack.rows, k->lack.pool)) return false;
    k->lack = (struct sn__lack){0};
    return true;
}

void sn__worker_release(struct sn__worker *k) {
    for (int i = 0; i < k->hands; i++)
        release_hand(k, i);
    sn__sweeper_free(k->sweeper);
    sn__problem_release(&k->problem_room);
    if (k->world && shares_solids(k->world)) k->solid = NULL; /* the world's */
    void *memory[] = {k->hand,      k->solid,       k->box,     k->moving,      k->swept,
                      k->pair,      k->before,      k->row,     k->more,        k->added,
                      k->tension,   k->f,           k->f_moved, k->f_start,     k->df,
                      k->way,       k->goal,        k->block,   k->pool_memory, k->pool_float_memory,
                      k->island,    k->seated,      k->isle,    k->told,        k->store,
                      k->loan.work, k->loan.scratch};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        sn__free(memory[i]);
    memset(k, 0, sizeof *k);
}

size_t sn__worker_memory(const struct sn__worker *k) {
    size_t bytes = sizeof *k + (size_t)k->hand_room * sizeof *k->hand;
    bytes += (size_t)k->solid_room * sizeof *k->solid + (size_t)k->pair_room * sizeof *k->pair;
    bytes += (size_t)k->row_room * (sizeof *k->row + sizeof *k->more + sizeof *k->tension + 2 * sizeof *k->f);
    bytes += k->pool_size * (sizeof *k->pool + (k->pool_float ? sizeof *k->pool_float : 0));
    bytes += sn__problem_room_bytes(&k->problem_room);
    bytes += k->store_bytes + k->loan_bytes + k->loan_values * sizeof(double);
    bytes += (size_t)k->told_room * sizeof *k->told;
    bytes += (size_t)k->block_room *
             (sizeof *k->block + 2 * sizeof *k->seated + sizeof *k->isle + 3 * sizeof *k->island);
    bytes += (size_t)k->sweeper_room *
             (sn__sweeper_bytes() + sizeof *k->box + sizeof *k->moving + sizeof *k->swept);
    for (int i = 0; i < k->hands; i++) {
        const struct sn__hand *h = &k->hand[i];
        if (!h->member) continue;
        bytes += (size_t)h->row_room * (sizeof *h->row + sizeof *h->row_of);
        bytes += (size_t)h->brace_room * (sizeof *h->brace + SN__BRACE_VALUES * sizeof(double));
        if (h->cloned) bytes += sizeof *h->pack + sn__pack_memory(h->pack, true);
        bytes += memory_of(h->pack);
    }
    return bytes;
}
