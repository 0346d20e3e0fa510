/* The order of contacts: by pair of solids, then by feature. Whoever matches contacts of two steps walks through both lists
 * at once.
 *
 * Contacts come in a few runs that are in order already: those of planes, those of pairs, those that kernels report. The
 * runs are merged as linked lists, two of about the same length at a time, so that n contacts in r runs cost n log r
 * comparisons; then every contact moves to its place once. Contacts that are equal keep the order in which they came. No
 * memory is needed beyond the link in each contact. */
#include <string.h>

#include "world/copy.h"

enum { END = -1, LISTS = 32, NEAR = 16 };

bool sn__contact_before(const struct sn__contact *a, const struct sn__contact *b) {
    return a->pair != b->pair ? a->pair < b->pair : a->feature < b->feature;
}

/* Two lists in order, of which the contacts of the first came first; the first of the merged one. */
static int merge(struct sn__contact *c, int a, int b) {
    int head = END, *tail = &head;
    while (a != END && b != END) {
        int *from = sn__contact_before(&c[b], &c[a]) ? &b : &a;
        *tail = *from;
        tail = &c[*from].link;
        *from = *tail;
    }
    *tail = a != END ? a : b;
    return head;
}

/* The run that starts at `from` as a list; where the next one starts. */
static int link_run(struct sn__contact *c, int from, int n) {
    int i = from;
    for (; i + 1 < n && !sn__contact_before(&c[i + 1], &c[i]); i++)
        c[i].link = i + 1;
    c[i].link = END;
    return i + 1;
}

/* All contacts as one list. list[k] holds 2^k runs or none, as the bits of a counter do: older ones stand further up. */
static int link_all(struct sn__contact *c, int n) {
    int list[LISTS], used = 0, head = END;
    for (int from = 0, next; from < n; from = next) {
        next = link_run(c, from, n);
        int run = from, k = 0;
        for (; k < used && list[k] != END; k++) {
            run = merge(c, list[k], run);
            list[k] = END;
        }
        if (k == used) used++;
        list[k] = run;
    }
    for (int k = 0; k < used; k++)
        if (list[k] != END) head = head == END ? list[k] : merge(c, list[k], head);
    return head;
}

/* Points of one pair come in any order: what is out of place by a few is inserted. Whether all are in order then. */
static bool tidy(struct sn__contact *c, int n) {
    bool all = true;
    for (int i = 1; i < n; i++) {
        int k = i;
        while (k > 0 && i - k < NEAR && sn__contact_before(&c[i], &c[k - 1]))
            k--;
        if (k == i) continue;
        if (k > 0 && sn__contact_before(&c[i], &c[k - 1])) {
            all = false;
            continue;
        }
        const struct sn__contact moved = c[i];
        memmove(&c[k + 1], &c[k], sizeof *c * (size_t)(i - k));
        c[k] = moved;
    }
    return all;
}

/* Links say where each contact goes; afterwards, of each place, ~ which contact comes there: cycle by cycle the arrows are
   turned round. */
static void turn_round(struct sn__contact *c, int n) {
    for (int i = 0; i < n; i++) {
        if (c[i].link < 0) continue;
        int from = i;
        for (int at = c[i].link, next; at != i; from = at, at = next) {
            next = c[at].link;
            c[at].link = ~from;
        }
        c[i].link = ~from;
    }
}

/* Every contact to its place, once; a cycle needs one aside. */
static void move_all(struct sn__contact *c, int n) {
    for (int i = 0; i < n; i++) {
        if (c[i].link >= 0 || ~c[i].link == i) continue;
        const struct sn__contact aside = c[i];
        int to = i;
        for (int from = ~aside.link; from != i; to = from, from = ~c[to].link) {
            const int link = c[from].link;
            c[to] = c[from];
            c[to].link = to;
            c[from].link = link;
        }
        c[to] = aside;
        c[to].link = to;
    }
}

void sn__contacts_move(struct sn__contact *c, int n) {
    turn_round(c, n);
    move_all(c, n);
}

void sn__contacts_sort(struct sn__contact *c, int n) {
    if (tidy(c, n)) return;
    for (int i = link_all(c, n), place = 0, next; i != END; i = next) {
        next = c[i].link;
        c[i].link = place++;
    }
    sn__contacts_move(c, n);
}
