/* Sweep and prune: boxes are sorted by where they begin along one axis; each then meets only those that begin
 * before it ends. Between two steps the order changes little, so that insertion sort, started from the order of the
 * last time, is nearly free.
 *
 * Ties may stand in any order and the axis may be kept from the last time, but the set of pairs does not depend on
 * either, and it is sorted in the end: what came before never shows. */
#include "collide/collide.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    FEW_BOXES = 24, /* up to here every box is held against every other */
    FEW_PAIRS = 24, /* of one box: sorted by insertion up to here */
    WORD = 64,      /* bits in a word */
};

struct entry {
    double begin; /* along the axis */
    int32_t box;
};

/* Where a box lies along the other two axes, coarsely: four fields of 15 bits, each below a bit that is 0.
   A box q overlaps p there only when no field of q's `low` is above that of p's `high`. */
struct coarse {
    uint64_t low;  /* min, min, -max, -max */
    uint64_t high; /* max, max, -min, -min */
};

struct sn__sweeper {
    int axis;              /* of the last time */
    int known;             /* boxes that order knows: it holds 0 .. known - 1 */
    int32_t *order;        /* [boxes] box by box, as they began along the axis the last time */
    struct entry *entry;   /* [boxes] the same with this time's numbers; in the end only true boxes */
    struct entry *spare;   /* [boxes] for merging */
    struct coarse *coarse; /* [boxes] of the boxes in entry */
    int32_t *met;          /* [boxes] the boxes that one box may overlap */
    int32_t *count;        /* [boxes + 1] pairs (a, b) of each a, then where they start */
    uint64_t *bit;         /* [boxes / WORD + 1] a set of boxes; empty between calls */
};

struct sn__sweeper *sn__sweeper_create(int boxes) {
    if (boxes < 0) return NULL;
    struct sn__sweeper *s = sn__alloc(1, sizeof *s);
    if (!s) return NULL;
    size_t n = (size_t)boxes;
    s->order = sn__alloc(n, sizeof *s->order);
    s->entry = sn__alloc(n, sizeof *s->entry);
    s->spare = sn__alloc(n, sizeof *s->spare);
    s->coarse = sn__alloc(n, sizeof *s->coarse);
    s->met = sn__alloc(n, sizeof *s->met);
    s->count = sn__alloc(n + 1, sizeof *s->count);
    s->bit = sn__alloc(n / WORD + 1, sizeof *s->bit);
    if (s->order && s->entry && s->spare && s->coarse && s->met && s->count && s->bit) return s;
    sn__sweeper_free(s);
    return NULL;
}

size_t sn__sweeper_bytes(void) {
    return 3 * sizeof(int32_t) + 2 * sizeof(struct entry) + sizeof(struct coarse);
}

void sn__sweeper_free(struct sn__sweeper *s) {
    if (!s) return;
    sn__free_all(s->order, s->entry, s->spare, s->coarse, s->met, s->count, s->bit, s);
}

/* False for a box with a NaN, or with an end before its beginning: it overlaps nothing. */
static bool is_box(const struct sn__box *box) {
    return box->min[0] <= box->max[0] && box->min[1] <= box->max[1] && box->min[2] <= box->max[2];
}

static bool overlap(const struct sn__box *a, const struct sn__box *b) {
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1] && a->min[2] <= b->max[2] && b->min[2] <= a->max[2];
}

/* The partners b > a of one box, in ascending order, written from `from` on as long as there is room;
   where the next would go. */
static int64_t pairs_of(int a, int n, const struct sn__box *box, const bool *moving, struct sn__pair *pair,
                        int64_t from, int room) {
    if (!is_box(&box[a])) return from;
    for (int b = a + 1; b < n; b++) {
        if (!(moving[a] || moving[b]) || !overlap(&box[a], &box[b]) || !is_box(&box[b])) continue;
        if (from < room) pair[from] = (struct sn__pair){a, b};
        from++;
    }
    return from;
}

/* ---------------------------------------------------------------------------------------------- the order */

/* Centres: mean and standard deviation along each axis. Infinite boxes do not count: they have no centre. */
struct spread {
    double mean[3], deviation[3];
};

static struct spread measure(int n, const struct sn__box *box) {
    double sum[3] = {0}, square[3] = {0};
    int count = 0;
    for (int i = 0; i < n; i++) {
        double centre[3];
        for (int k = 0; k < 3; k++)
            centre[k] = 0.5 * box[i].min[k] + 0.5 * box[i].max[k];
        if (!isfinite(centre[0] + centre[1] + centre[2])) continue;
        count++;
        for (int k = 0; k < 3; k++)
            sum[k] += centre[k], square[k] += centre[k] * centre[k];
    }
    struct spread spread;
    for (int k = 0; k < 3; k++) {
        spread.mean[k] = sum[k] / fmax(count, 1);
        spread.deviation[k] = sqrt(fmax(0, square[k] / fmax(count, 1) - spread.mean[k] * spread.mean[k]));
    }
    return spread;
}

/* The axis along which centres spread most. Another than the last time must be clearly better, since a
   change of axis costs a whole sort. */
static int choose_axis(int last, const double deviation[3]) {
    const double clearly = 1.2;
    int best = last;
    for (int k = 0; k < 3; k++)
        if (deviation[k] > deviation[best]) best = k;
    return deviation[best] > clearly * deviation[last] ? best : last;
}

static void merge_sort(struct entry *entry, struct entry *spare, int n) {
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t from = 0; from < n; from += 2 * width) {
            int64_t middle = from + width < n ? from + width : n,
                    to = middle + width < n ? middle + width : n;
            int64_t i = from, j = middle;
            for (int64_t k = from; k < to; k++)
                spare[k] =
                    i < middle && (j >= to || entry[i].begin <= entry[j].begin) ? entry[i++] : entry[j++];
        }
        memcpy(entry, spare, sizeof *entry * (size_t)n);
    }
}

/* By insertion as long as little is out of place, so that disorder costs no more than a sort from scratch. */
static void sort_entries(struct entry *entry, struct entry *spare, int n) {
    int64_t patience = 16 * (int64_t)n;
    for (int i = 1; i < n; i++) {
        struct entry moved = entry[i];
        int k = i;
        for (; k > 0 && moved.begin < entry[k - 1].begin; k--)
            entry[k] = entry[k - 1];
        entry[k] = moved;
        patience -= i - k;
        if (patience >= 0) continue;
        merge_sort(entry, spare, n);
        return;
    }
}

/* Drops boxes that are no more and adds new ones at the end. Of 0 .. known - 1 none was missing. */
static void know_boxes(struct sn__sweeper *s, int n) {
    int kept = 0;
    for (int i = 0; i < s->known; i++)
        if (s->order[i] < n) s->order[kept++] = s->order[i];
    for (; kept < n; kept++)
        s->order[kept] = kept;
    s->known = n;
}

/* Every box as an entry, in the order in which they begin. */
static void sort_boxes(struct sn__sweeper *s, int n, const struct sn__box *box) {
    if (s->known != n) know_boxes(s, n);
    for (int i = 0; i < n; i++) {
        const struct sn__box *from = &box[s->order[i]];
        s->entry[i].box = s->order[i];
        s->entry[i].begin = is_box(from) ? from->min[s->axis] : (double)INFINITY;
    }
    sort_entries(s->entry, s->spare, n);
    for (int i = 0; i < n; i++)
        s->order[i] = s->entry[i].box;
}

/* ------------------------------------------------------------------------------------- the other two axes */

static const uint64_t guards = UINT64_C(0x8000800080008000); /* the bits above the fields */
static const uint64_t largest = 0x7fff;                      /* that a field holds */

/* From a place on an axis to a field. Three deviations either way of the mean leave out few boxes. */
struct ruler {
    double origin, scale;
};

static struct ruler make_ruler(const struct spread *spread, int axis) {
    double deviation = spread->deviation[axis];
    return (struct ruler){spread->mean[axis] - 3 * deviation, (double)largest / (6 * deviation)};
}

/* A whole number that never falls as x grows, whatever rounding does and whatever the scale is: so that x
   <= y gives field(x) <= field(y). Should the scale be useless, everything becomes 0 or the largest, and
   only the speed is lost. */
static uint64_t field(double x, const struct ruler *ruler) {
    double at = (x - ruler->origin) * ruler->scale;
    return at > 0 ? at < (double)largest ? (uint64_t)at : largest : 0;
}

static struct coarse make_coarse(const struct sn__box *box, int axis1, int axis2,
                                 const struct ruler ruler[2]) {
    uint64_t min1 = field(box->min[axis1], &ruler[0]), max1 = field(box->max[axis1], &ruler[0]);
    uint64_t min2 = field(box->min[axis2], &ruler[1]), max2 = field(box->max[axis2], &ruler[1]);
    return (struct coarse){
        .low = min1 | min2 << 16 | (largest - max1) << 32 | (largest - max2) << 48,
        .high = max1 | max2 << 16 | (largest - min1) << 32 | (largest - min2) << 48,
    };
}

/* Entries and their coarse places, without boxes that overlap nothing; how many there are. */
static int line_up(struct sn__sweeper *s, int n, const struct sn__box *box) {
    struct spread spread = measure(n, box);
    s->axis = choose_axis(s->axis, spread.deviation);
    sort_boxes(s, n, box);
    int axis1 = (s->axis + 1) % 3, axis2 = (s->axis + 2) % 3, count = 0;
    const struct ruler ruler[2] = {make_ruler(&spread, axis1), make_ruler(&spread, axis2)};
    for (int i = 0; i < n; i++) {
        const struct sn__box *own = &box[s->entry[i].box];
        if (!is_box(own)) continue;
        s->coarse[count] = make_coarse(own, axis1, axis2, ruler);
        s->entry[count++] = s->entry[i];
    }
    return count;
}

/* ---------------------------------------------------------------------------------------------- the sweep */

/* The entries after the p-th that it may overlap: those that begin before it ends, and are not apart along
   the other axes as far as the coarse places tell. A field that is too large borrows the guard bit above
   it. Nothing in the loop branches on the outcome, which no processor could foresee. */
static int meet(const struct entry *restrict entry, const struct coarse *restrict coarse, int p, int nentry,
                double end, int32_t *restrict met) {
    const uint64_t high = coarse[p].high | guards;
    int count = 0;
    for (int q = p + 1; q < nentry && entry[q].begin <= end; q++) {
        met[count] = entry[q].box;
        count += ((high - coarse[q].low) & guards) == guards;
    }
    return count;
}

/* All pairs with a < cut as they are found, as long as there is room, and how many of each a; how many in
   all. */
static int64_t sweep(struct sn__sweeper *s, int nentry, const struct sn__box *box, const bool *moving,
                     int cut, struct sn__pair *pair, int room) {
    int64_t total = 0;
    for (int p = 0; p < nentry; p++) {
        int32_t one = s->entry[p].box;
        int count = meet(s->entry, s->coarse, p, nentry, box[one].max[s->axis], s->met);
        for (int i = 0; i < count; i++) {
            int32_t two = s->met[i];
            if (!(moving[one] || moving[two]) || !overlap(&box[one], &box[two])) continue;
            struct sn__pair found = {one < two ? one : two, one < two ? two : one};
            if (found.a >= cut) continue;
            if (total < room) pair[total] = found;
            s->count[found.a]++;
            total++;
        }
    }
    return total;
}

/* --------------------------------------------------------------------------------------- order of the pairs */

/* One a's pairs by b: by insertion, or, where there are many, by way of a set. */
static void sort_partners(struct sn__sweeper *s, int n, struct sn__pair *pair, int count) {
    if (count > FEW_PAIRS) {
        for (int i = 0; i < count; i++)
            s->bit[pair[i].b / WORD] |= (uint64_t)1 << (pair[i].b % WORD);
        int next = 0;
        for (int w = 0; w <= n / WORD; w++) {
            for (uint64_t left = s->bit[w]; left != 0; left &= left - 1)
                pair[next++].b = w * WORD + __builtin_ctzll(left);
            s->bit[w] = 0;
        }
        return;
    }
    for (int i = 1; i < count; i++) {
        int32_t b = pair[i].b;
        int k = i;
        for (; k > 0 && b < pair[k - 1].b; k--)
            pair[k].b = pair[k - 1].b;
        pair[k].b = b;
    }
}

/* Pairs with a < cut, count[a] of each, into their order, in place: one that stands in the range of
   another a goes to the next place there, and what stood there comes here. */
static void sort_pairs(struct sn__sweeper *s, int n, int cut, struct sn__pair *pair) {
    int32_t *start = s->count, *next = s->met, sum = 0;
    for (int a = 0; a < cut; a++) {
        int32_t count = start[a];
        start[a] = next[a] = sum;
        sum += count;
    }
    start[cut] = sum;
    for (int a = 0; a < cut; a++) {
        while (next[a] < start[a + 1]) {
            struct sn__pair *here = &pair[next[a]];
            if (here->a == a) {
                next[a]++;
                continue;
            }
            struct sn__pair *there = &pair[next[here->a]++], moved = *here;
            *here = *there;
            *there = moved;
        }
        sort_partners(s, n, pair + start[a], start[a + 1] - start[a]);
    }
}

/* The first a whose pairs no longer fit. */
static int first_without_room(const int32_t *count, int n, int room) {
    int64_t sum = 0;
    for (int a = 0; a < n; a++) {
        sum += count[a];
        if (sum > room) return a;
    }
    return n;
}

int sn__sweeper_pairs(struct sn__sweeper *s, int n, const struct sn__box *box, const bool *moving,
                      struct sn__pair *pair, int room) {
    int64_t total = 0;
    if (n <= FEW_BOXES) {
        for (int a = 0; a < n; a++)
            total = pairs_of(a, n, box, moving, pair, total, room);
    } else {
        int nentry = line_up(s, n, box), cut = n;
        memset(s->count, 0, sizeof *s->count * (size_t)n);
        total = sweep(s, nentry, box, moving, cut, pair, room);
        /* Where there are too many, those found first are not the first in order: once more, only those
           that surely belong there, and then what fits of the next box. */
        if (total > room) {
            cut = first_without_room(s->count, n, room);
            memset(s->count, 0, sizeof *s->count * (size_t)n);
            sweep(s, nentry, box, moving, cut, pair, room);
        }
        sort_pairs(s, n, cut, pair);
        if (cut < n) pairs_of(cut, n, box, moving, pair, s->count[cut], room);
    }
    return total < INT_MAX ? (int)total : INT_MAX;
}
