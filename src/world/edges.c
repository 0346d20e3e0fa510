/* Solids near the edges and the border of a height field, for kernels (kernels/contact/edges.h): where a solid of a body at some
 * place touches the field, by src/collide. Each contact takes a slot. The same features of ground and solid should have the
 * same slot from step to step, since forces and slip are remembered by slot, and nothing else is: a contact's feature says
 * where to look for a slot, and contacts come in the order of their features. */
#include <string.h>

#include "base/memory.h"
#include "base/quat.h"
#include "world/probes.h"

struct own {
    struct sn__geom geom, field;
    double pos[3], R[3][3]; /* in the frame of the body that stands at the joint */
};

static void place_own(const struct own *own, const double place[12], struct sn__geom *g) {
    *g = own->geom;
    for (int i = 0; i < 3; i++) {
        const double *R = place + 3 + 3 * i;
        g->pos[i] = place[i] + R[0] * own->pos[0] + R[1] * own->pos[1] + R[2] * own->pos[2];
        for (int j = 0; j < 3; j++)
            g->R[i][j] = R[0] * own->R[0][j] + R[1] * own->R[1][j] + R[2] * own->R[2][j];
    }
}

/* In the order of features; those with the widest gaps go where there are more than slots. */
static int keep_some(struct sn__met *met, int n, int most) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && met[k].touch.feature < met[k - 1].touch.feature; k--) {
            const struct sn__met x = met[k];
            met[k] = met[k - 1], met[k - 1] = x;
        }
    while (n > most) {
        int widest = 0;
        for (int i = 1; i < n; i++)
            if (met[i].touch.gap > met[widest].touch.gap) widest = i;
        memmove(met + widest, met + widest + 1, sizeof *met * (size_t)(n - widest - 1));
        n--;
    }
    return n;
}

static void fill_touch(const struct sn__edge_solid *solid, const struct sn__met *met, const double place[12],
                       struct sn__edge_touch *touch) {
    *touch = (struct sn__edge_touch){.on = true, .gap = met->touch.gap};
    touch->mu = met->touch.feature == SN__CORE ? 0 : solid->mu;
    for (int i = 0; i < 3; i++) {
        touch->point[i] = met->touch.pos[i] - met->back[i] - place[i];
        touch->normal[i] = met->touch.normal[i];
    }
}

static void look(const struct sn__edge_solid *solid, const double place[12], const double rate[6], double dt,
                 double margin, struct sn__edge_touch touch[SN__EDGE_SLOTS]) {
    const struct own *own = solid->own;
    struct sn__met met[SN__MOST_TOUCHES];
    struct sn__geom g;
    double arm[3], v[3];
    place_own(own, place, &g);
    for (int i = 0; i < 3; i++)
        arm[i] = g.pos[i] - place[i];
    dvec_cross(rate + 3, arm, v);
    for (int i = 0; i < 3; i++)
        v[i] += rate[i];
    for (int i = 0; i < solid->slots; i++)
        touch[i].on = false;
    const struct sn__stride stride = sn__stride_over(&g, own->field.field, v, rate + 3, dt, margin);
    const int n = keep_some(met, sn__collide_field(&g, &stride, &own->field, margin, met), (int)solid->slots);
    for (int i = 0; i < n; i++) {
        uint32_t k = (met[i].touch.feature * UINT32_C(2654435761) >> 8) % (uint32_t)solid->slots;
        while (touch[k].on)
            k = (k + 1) % (uint32_t)solid->slots;
        fill_touch(solid, &met[i], place, &touch[k]);
    }
}

/* A ball lies in a corner of three sides at most, or on few edges; a rod has two ends, and edges between them. */
int sn__edge_slots(const struct sn__geom *g) {
    return g->type == SN__GEOM_SPHERE ? 4 : g->type == SN__GEOM_CAPSULE ? 8 : SN__EDGE_SLOTS;
}

size_t sn__edge_own_size(void) {
    return sizeof(struct own);
}

void sn__edge_solid_make(const struct sn__solid *s, const struct sn__solid *ground, double mu, int first,
                         void *memory, struct sn__edge_solid *solid) {
    struct own *own = memory;
    own->geom = s->geom, own->field = ground->geom;
    memcpy(own->pos, s->pos, sizeof own->pos);
    memcpy(own->R, s->R, sizeof own->R);
    *solid = (struct sn__edge_solid){
        .first = first, .slots = sn__edge_slots(&s->geom), .mu = mu, .own = own, .look = look};
}
