/* Contacts and constraints in the state of a world: rollback.c has the rest. */
#include "world/scene.h"
#include "world/shuttle.h"

enum { CONTACT_WORDS = 26, TIED_WORDS = 39, MOST_CONTACTS = 1 << 20 };

/* A contact as words, or back. */
static void contact_words(struct sn__contact *c, uint64_t *word, bool out) {
    double *part[] = {c->pos,  c->normal, c->force,        c->anchor,    c->tangent[0], c->tangent[1],
                      &c->gap, &c->mu,    &c->restitution, &c->approach, &c->lambda};
    const int size[] = {3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1};
    if (out) {
        word[0] = c->pair;
        word[1] = (uint64_t)(uint32_t)c->solid[0] << 32 | (uint32_t)c->solid[1];
        word[2] = (uint64_t)c->feature << 32 |
                  (uint64_t)(c->implicit | c->probe << 1 | c->sliding << 2 | c->old << 3);
    } else {
        memset(c, 0, sizeof *c);
        c->pair = word[0];
        c->solid[0] = (int)(word[1] >> 32), c->solid[1] = (int)(uint32_t)word[1];
        c->feature = (uint32_t)(word[2] >> 32), c->row = -1;
        c->implicit = word[2] & 1, c->probe = word[2] >> 1 & 1;
        c->sliding = word[2] >> 2 & 1, c->old = word[2] >> 3 & 1;
    }
    word += 3;
    for (size_t i = 0; i < sizeof part / sizeof *part; word += size[i++])
        memcpy(out ? (void *)word : part[i], out ? (void *)part[i] : word, (size_t)size[i] * WORD);
}

static void carry_contact(struct sn__shuttle *s, const sn_world *w, struct sn__contact *c) {
    uint64_t word[CONTACT_WORDS] = {0};
    if (s->task == SN__WRITE) contact_words(c, word, true);
    carry_sparse(s, word, CONTACT_WORDS, 0);
    if (s->wrong) return;
    if (s->task == SN__TAKE) contact_words(c, word, false);
    if (s->task == SN__CHECK &&
        (word[1] >> 32 >= (uint64_t)w->nsolid || (uint32_t)word[1] >= (uint32_t)w->nsolid))
        s->wrong = "a contact names a shape that does not exist";
}

/* How many contacts there are. */
static int carry_count(struct sn__shuttle *s, int count) {
    uint64_t n = (uint64_t)count;
    carry_number(s, &n);
    if (n > MOST_CONTACTS) s->wrong = "a number is out of range";
    if (s->wrong) return 0;
    if ((int)n > s->contacts) s->contacts = (int)n;
    return (int)n;
}

static bool pushes(const struct sn__contact *c) {
    return c->force[0] != 0 || c->force[1] != 0 || c->force[2] != 0;
}

/* Contacts of the step before only tell which have begun and ended: of those that are still there, whether they pushed is
   enough. *k goes on through the contacts of the last step. */
static void carry_earlier(struct sn__shuttle *s, const sn_world *w, struct sn__copy *c, int ncontact, int i,
                          int *k) {
    enum { STILL_THERE = 1, PUSHED = 2 };
    uint64_t which = 0, note = 0;
    if (s->task == SN__WRITE) {
        while (*k < ncontact && sn__contact_before(&c->contact[*k], &c->last[i]))
            ++*k;
        const struct sn__contact *now = *k < ncontact ? &c->contact[*k] : NULL;
        if (now && now->pair == c->last[i].pair && now->feature == c->last[i].feature)
            note = STILL_THERE | (pushes(&c->last[i]) ? PUSHED : 0), which = (uint64_t)*k + 1;
    }
    note = carry_sparse(s, &which, 1, note);
    if (s->wrong) return;
    if (!(note & STILL_THERE)) {
        carry_contact(s, w, s->task == SN__CHECK ? NULL : &c->last[i]);
        return;
    }
    if (which < 1 || which > (uint64_t)ncontact) s->wrong = "a number is out of range";
    if (s->wrong || s->task != SN__TAKE) return;
    const struct sn__contact *now = &c->contact[which - 1];
    c->last[i] = (struct sn__contact){.pair = now->pair, .feature = now->feature, .row = -1};
    memcpy(c->last[i].solid, now->solid, sizeof now->solid);
    c->last[i].force[0] = (note & PUSHED) != 0;
}

static void tied_words(struct sn__tied *t, uint64_t *word, bool out) {
    double *part[] = {t->target, t->target_velocity, t->last, t->was, t->mean, t->force};
    const int size[] = {7, 6, 7, 6, 6, 6};
    if (out) {
        word[0] = (uint64_t)(t->followed | t->spent << 1 | t->broken << 2 | t->rows << 8);
    } else {
        t->followed = word[0] & 1, t->spent = word[0] >> 1 & 1, t->broken = word[0] >> 2 & 1;
        t->rows = (int)(word[0] >> 8);
    }
    word++;
    for (size_t i = 0; i < sizeof part / sizeof *part; word += size[i++])
        memcpy(out ? (void *)word : part[i], out ? (void *)part[i] : word, (size_t)size[i] * WORD);
}

void sn__carry_copy(struct sn__shuttle *s, const sn_world *w, struct sn__copy *c) {
    const int ncontact = carry_count(s, c->ncontact);
    for (int i = 0; i < ncontact && !s->wrong; i++)
        carry_contact(s, w, s->task == SN__CHECK ? NULL : &c->contact[i]);
    const int nlast = carry_count(s, c->nlast);
    for (int i = 0, k = 0; i < nlast && !s->wrong; i++)
        carry_earlier(s, w, c, ncontact, i, &k);
    if (s->task == SN__TAKE) c->ncontact = ncontact, c->nlast = nlast;
    for (int i = 0; i < w->ntie && !s->wrong; i++) {
        uint64_t word[TIED_WORDS] = {0};
        if (s->task == SN__WRITE) tied_words(&c->tied[i], word, true);
        carry_sparse(s, word, TIED_WORDS, 0);
        if (s->task == SN__CHECK && word[0] >> 8 > 6) s->wrong = "a number is out of range";
        if (s->task == SN__TAKE) tied_words(&c->tied[i], word, false);
    }
}
