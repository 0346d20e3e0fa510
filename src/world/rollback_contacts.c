/* Contacts and constraints in the state of a world: rollback.c has the rest. */
#include "world/scene.h"
#include "world/shuttle.h"

enum { MOST_CONTACTS = 1 << 20 };

/* What of a contact the next step or a report needs. */
struct image {
    uint64_t pair, solids, feature; /* with flags */
    double pos[3], normal[3], force[3], tangent[2][3];
    double anchor[3]; /* or impact */
    double gap, mu, restitution, approach, lambda;
};
enum { CONTACT_WORDS = sizeof(struct image) / WORD };

static struct image image_of(const struct sn__contact *c) {
    const int flags = c->implicit | c->probe << 1 | c->sliding << 2 | c->old << 3;
    struct image x = {.pair = c->pair,
                      .solids = (uint64_t)(uint32_t)c->solid[0] << 32 | (uint32_t)c->solid[1],
                      .feature = (uint64_t)c->feature << 32 | (uint64_t)flags,
                      .gap = c->gap,
                      .mu = c->mu,
                      .restitution = c->restitution,
                      .approach = c->approach,
                      .lambda = c->lambda};
    memcpy(x.pos, c->pos, sizeof x.pos), memcpy(x.normal, c->normal, sizeof x.normal);
    memcpy(x.force, c->force, sizeof x.force), memcpy(x.tangent, c->tangent, sizeof x.tangent);
    memcpy(x.anchor, c->anchor, sizeof x.anchor);
    return x;
}

static void take_image(struct sn__contact *c, const struct image *x) {
    *c = (struct sn__contact){.pair = x->pair,
                              .solid = {(int)(x->solids >> 32), (int)(uint32_t)x->solids},
                              .feature = (uint32_t)(x->feature >> 32),
                              .implicit = x->feature & 1,
                              .probe = x->feature >> 1 & 1,
                              .sliding = x->feature >> 2 & 1,
                              .old = x->feature >> 3 & 1,
                              .gap = x->gap,
                              .mu = x->mu,
                              .restitution = x->restitution,
                              .approach = x->approach,
                              .lambda = x->lambda,
                              .row = -1};
    memcpy(c->pos, x->pos, sizeof x->pos), memcpy(c->normal, x->normal, sizeof x->normal);
    memcpy(c->force, x->force, sizeof x->force), memcpy(c->tangent, x->tangent, sizeof x->tangent);
    memcpy(c->anchor, x->anchor, sizeof x->anchor);
}

/* The shapes of a contact exist; its other words are stepped over. */
static void check_contact(struct sn__shuttle *s, const sn_world *w) {
    enum { PAIR = 1, SOLIDS = 2 };
    uint64_t mask = 0, solids = 0;
    carry_number(s, &mask);
    const size_t at = s->size + (mask & PAIR ? WORD : 0);
    step_over(s, WORD * (size_t)__builtin_popcountll(mask & ((UINT64_C(1) << CONTACT_WORDS) - 1)));
    if (s->wrong) return;
    if (mask & SOLIDS) memcpy(&solids, s->from + at, WORD);
    if (solids >> 32 >= (uint64_t)w->nsolid || (uint32_t)solids >= (uint32_t)w->nsolid)
        s->wrong = "a contact names a shape that does not exist";
}

static void carry_contact(struct sn__shuttle *s, const sn_world *w, struct sn__contact *c) {
    union {
        struct image image;
        uint64_t word[CONTACT_WORDS];
    } x;
    if (s->task == SN__CHECK) {
        check_contact(s, w);
        return;
    }
    if (s->task == SN__WRITE) x.image = image_of(c);
    carry_sparse(s, x.word, CONTACT_WORDS, 0);
    if (s->task == SN__TAKE && !s->wrong) take_image(c, &x.image);
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

/* What a constraint brings from step to step. */
struct tied_image {
    uint64_t flags; /* and rows */
    double target[7], target_velocity[6], last[7], was[6], mean[6], force[6];
};
enum { TIED_WORDS = sizeof(struct tied_image) / WORD };

static struct tied_image tied_image_of(const struct sn__tied *t) {
    struct tied_image x = {.flags = (uint64_t)(t->followed | t->spent << 1 | t->broken << 2 | t->rows << 8)};
    memcpy(x.target, t->target, sizeof x.target), memcpy(x.last, t->last, sizeof x.last);
    memcpy(x.target_velocity, t->target_velocity, sizeof x.target_velocity);
    memcpy(x.was, t->was, sizeof x.was), memcpy(x.mean, t->mean, sizeof x.mean);
    memcpy(x.force, t->force, sizeof x.force);
    return x;
}

static void take_tied_image(struct sn__tied *t, const struct tied_image *x) {
    t->followed = x->flags & 1, t->spent = x->flags >> 1 & 1, t->broken = x->flags >> 2 & 1;
    t->rows = (int)(x->flags >> 8);
    memcpy(t->target, x->target, sizeof x->target), memcpy(t->last, x->last, sizeof x->last);
    memcpy(t->target_velocity, x->target_velocity, sizeof x->target_velocity);
    memcpy(t->was, x->was, sizeof x->was), memcpy(t->mean, x->mean, sizeof x->mean);
    memcpy(t->force, x->force, sizeof x->force);
}

static void carry_tied(struct sn__shuttle *s, struct sn__tied *t) {
    union {
        struct tied_image image;
        uint64_t word[TIED_WORDS];
    } x;
    if (s->task == SN__WRITE) x.image = tied_image_of(t);
    carry_sparse(s, x.word, TIED_WORDS, 0);
    if (s->wrong) return;
    if (s->task == SN__CHECK && x.image.flags >> 8 > 6) s->wrong = "a number is out of range";
    if (s->task == SN__TAKE) take_tied_image(t, &x.image);
}

void sn__carry_copy(struct sn__shuttle *s, const sn_world *w, struct sn__copy *c) {
    const int ncontact = carry_count(s, c->ncontact);
    for (int i = 0; i < ncontact && !s->wrong; i++)
        carry_contact(s, w, s->task == SN__CHECK ? NULL : &c->contact[i]);
    const int nlast = carry_count(s, c->nlast);
    for (int i = 0, k = 0; i < nlast && !s->wrong; i++)
        carry_earlier(s, w, c, ncontact, i, &k);
    if (s->task == SN__TAKE) c->ncontact = ncontact, c->nlast = nlast;
    for (int i = 0; i < w->ntie && !s->wrong; i++)
        carry_tied(s, &c->tied[i]);
}
