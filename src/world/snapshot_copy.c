/* The part of a snapshot that holds the contacts and constraints of one copy. */
#include "world/copy.h"
#include "world/snapshot.h"

static void pass_contact(struct sn__stream *s, const struct sn__plan *p, struct sn__contact *c) {
    sn__pass_u64(s, &c->pair);
    sn__pass_int(s, &c->solid[0], 0, p->nsolid - 1);
    sn__pass_int(s, &c->solid[1], 0, p->nsolid - 1);
    sn__pass_u32(s, &c->feature);
    bool *flag[] = {&c->implicit, &c->probe, &c->sliding, &c->old};
    for (int i = 0; i < 4; i++)
        sn__pass_bool(s, flag[i]);
    double *three[] = {c->pos, c->normal, c->force, c->anchor, c->tangent[0], c->tangent[1], c->impact};
    for (int i = 0; i < 7; i++)
        sn__pass_finite(s, three[i], 3);
    double *one[] = {&c->gap, &c->mu, &c->restitution, &c->approach, &c->lambda};
    for (int i = 0; i < 5; i++)
        sn__pass_finite(s, one[i], 1);
    c->row = -1;
    if (s->task == SN__CHECK && c->solid[0] == c->solid[1]) sn__stream_refuse(s, "a shape touches itself");
}

/* At most `room` contacts of each list; counting takes as many. */
static void pass_contacts(struct sn__stream *s, const struct sn__plan *p, int room, struct sn__contact *list,
                          int *count) {
    int n = s->task == SN__COUNT ? room : *count;
    sn__pass_int(s, &n, 0, room);
    if (n > s->contacts) s->contacts = n;
    for (int i = 0; i < n && !s->refused; i++) {
        struct sn__contact c = {0};
        if (s->task == SN__WRITE) c = list[i];
        pass_contact(s, p, &c);
        if (s->task == SN__TAKE) list[i] = c;
    }
    if (s->task == SN__TAKE) *count = n;
}

void sn__copy_pass(struct sn__stream *s, sn_world *w, const struct sn__plan *p, int room, int number) {
    struct sn__copy empty = {0},
                    *c = s->task == SN__COUNT || s->task == SN__CHECK ? &empty : &w->copy[number];
    s->part = "copy", s->number = number;
    pass_contacts(s, p, room, c->contact, &c->ncontact);
    pass_contacts(s, p, room, c->last, &c->nlast);
    for (int i = 0; i < p->ntie && !s->refused; i++) {
        struct sn__tied none = {0}, *t = c == &empty ? &none : &c->tied[i];
        sn__pass_finite(s, t->target, 7);
        sn__pass_finite(s, t->target_velocity, 6);
        sn__pass_bool(s, &t->followed);
        sn__pass_finite(s, t->last, 7);
        sn__pass_finite(s, t->was, 6);
        sn__pass_finite(s, t->mean, 6);
        sn__pass_bool(s, &t->spent);
        sn__pass_bool(s, &t->broken);
        sn__pass_int(s, &t->rows, 0, 6);
        sn__pass_finite(s, t->force, 6);
    }
}
