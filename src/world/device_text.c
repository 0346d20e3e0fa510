/* The tables of a world as text, for the program of its device: sizes, the tree of the model, what may touch what, and settings
 * that do not change. The program is compiled for them (kernels/device/program.h), so that a device needs no pointers between
 * tables and leaves out what the world does not use. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "world/device.h"
#include "world/probes.h"

/* A float by its bits, so that the text means the same number whatever the locale. */
static void put_number(struct sn__text *text, double value) {
    const float x = (float)value;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 23 & 255);
    const unsigned mantissa = (bits & 0x7fffff) << 1;
    const char *sign = bits >> 31 ? "-" : "";
    if (isinf(x))
        sn__text_add(text, "%sINFINITY,", sign);
    else
        sn__text_add(text, "%s0x%d.%06xp%df,", sign, exponent > 0, mantissa,
                     exponent ? exponent - 127 : -126);
}

static void put_numbers(struct sn__text *text, const double *x, int n) {
    sn__text_add(text, "{");
    for (int i = 0; i < n; i++)
        put_number(text, x[i]);
    sn__text_add(text, "},");
}

static void put_floats(struct sn__text *text, const float *x, int n) {
    sn__text_add(text, "{");
    for (int i = 0; i < n; i++)
        put_number(text, (double)x[i]);
    sn__text_add(text, "},");
}

/* ----------------------------------------------------------------------------------------------------- the tree */

static void put_body(struct sn__text *t, const struct tree_body_f32 *b) {
    sn__text_add(t, "{.parent=%d,.joint=%d,.q=%d,.v=%d,.nv=%d,.naxes=%d,.way={%d,%d,%d},.nslide=%d,",
                 b->parent, b->joint, b->q, b->v, b->nv, b->naxes, b->way[0], b->way[1], b->way[2],
                 b->nslide);
    sn__text_add(t, ".rotated=%d,.leaf=%d,.child=%d,.sibling=%d,.slot=%d,.parent_slot=%d,.first=%d,",
                 b->rotated, b->leaf, b->child, b->sibling, b->slot, b->parent_slot, b->first);
    sn__text_add(t, ".has_spring=%d,.diagonal=%d,.offset=", b->has_spring, b->diagonal);
    put_floats(t, b->offset, 3);
    sn__text_add(t, ".rot=");
    put_floats(t, b->rot, 4);
    sn__text_add(t, ".axis={");
    for (int i = 0; i < 3; i++)
        put_floats(t, b->axis[i], 3);
    sn__text_add(t, "},.pitch=");
    put_floats(t, b->pitch, 3);
    sn__text_add(t, ".mass=");
    put_number(t, (double)b->mass);
    sn__text_add(t, ".mc=");
    put_floats(t, b->mc, 3);
    sn__text_add(t, ".J=");
    put_floats(t, b->J, 6);
    sn__text_add(t, ".origin=");
    put_floats(t, b->origin, 3);
    sn__text_add(t, ".stiffness=");
    put_number(t, (double)b->stiffness);
    sn__text_add(t, ".rest=");
    put_floats(t, b->rest, 4);
    sn__text_add(t, ".lift=");
    put_number(t, (double)b->lift);
    sn__text_add(t, "},\n");
}

static void put_tree(struct sn__text *t, const struct tree_f32 *tree) {
    sn__text_add(t, "__constant struct tree_body_f32 BODY[]={\n");
    for (int i = 0; i < tree->nbody; i++)
        put_body(t, &tree->body[i]);
    sn__text_add(t, "};\n__constant struct tree_visit VISIT[]={");
    for (int i = 0; i < 2 * tree->nbody; i++)
        sn__text_add(t, "{%d,%d},", tree->visit[i].body, tree->visit[i].leaving);
    sn__text_add(t, "};\n__constant int32_t DOF_PARENT[]={");
    for (int i = 0; i < tree->nv; i++)
        sn__text_add(t, "%d,", tree->dof_parent[i]);
    sn__text_add(t, "0};\n__constant struct tree_f32 TREE={%d,%d,%d,%d,BODY,VISIT,DOF_PARENT};\n",
                 tree->nbody, tree->nq, tree->nv, tree->nslot);
}

/* -------------------------------------------------------------------------------------------------------- ground */

static void put_surfaces(struct sn__text *t, const sn_world *w) {
    int at = 0;
    sn__text_add(t, "__constant struct sn__surface SURFACE[]={");
    for (int i = 0; i < w->nsurface; i++) {
        sn__text_add(t, "{.normal=");
        put_numbers(t, w->surface[i].normal, 3);
        sn__text_add(t, ".offset=");
        put_number(t, w->surface[i].offset);
        sn__text_add(t, "},");
    }
    sn__text_add(t, "{.offset=0}};\n__constant struct sn__terrain TERRAIN[]={");
    for (int i = 0; i < w->nsurface; i++) {
        const struct sn__terrain *x = &w->terrain[i];
        const bool there = w->surface[i].terrain != NULL;
        sn__text_add(t, "{.nx=%d,.ny=%d,.origin=", there ? x->nx : 0, there ? x->ny : 0);
        put_numbers(t, x->origin, 3);
        sn__text_add(t, ".cell=");
        put_numbers(t, x->cell, 2);
        sn__text_add(t, ".top=");
        put_number(t, x->top);
        sn__text_add(t, "},");
    }
    sn__text_add(t, "{.nx=0}};\n__constant int32_t TERRAIN_AT[]={");
    for (int i = 0; i < w->nsurface; i++) {
        sn__text_add(t, "%d,", w->surface[i].terrain ? at : -1);
        if (w->surface[i].terrain) at += w->terrain[i].nx * w->terrain[i].ny;
    }
    sn__text_add(t, "-1};\n");
}

static void put_points(struct sn__text *t, const struct sn__ground *g) {
    sn__text_add(t, "__constant struct sn__probed PROBED[]={");
    for (int i = 0; i < g->nprobed; i++) {
        const struct sn__probed *p = &g->probed[i];
        sn__text_add(t, "{.body=%d,.surface=%d,.first=%d,.count=%d,.reach=", p->body, p->surface, p->first,
                     p->count);
        put_number(t, p->reach);
        sn__text_add(t, ".nsolid=0},"); /* edges of height fields are src/collide's */
    }
    sn__text_add(t, "{.body=0}};\n__constant struct sn__probe PROBE[]={");
    for (int i = 0; i < g->nprobe; i++) {
        sn__text_add(t, "{.at=");
        put_numbers(t, g->probe[i].at, 3);
        sn__text_add(t, ".radius=");
        put_number(t, g->probe[i].radius);
        sn__text_add(t, ".mu=");
        put_number(t, g->probe[i].mu);
        sn__text_add(t, "},");
    }
    sn__text_add(t, "{.mu=0}};\n");
}

static void put_stops(struct sn__text *t, const struct sn__ground *g) {
    sn__text_add(t, "__constant struct sn__stops STOPS[]={");
    for (int i = 0; i < g->nstops; i++) {
        const struct sn__stops *s = &g->stops[i];
        sn__text_add(t, "{.body=%d,.side=%d,.nside=%d,.lower=", s->body, s->side, s->nside);
        put_numbers(t, s->lower, 3);
        sn__text_add(t, ".upper=");
        put_numbers(t, s->upper, 3);
        sn__text_add(t, ".inertia=");
        put_numbers(t, s->inertia, 3);
        sn__text_add(t, ".near=");
        put_number(t, s->near);
        sn__text_add(t, "},");
    }
    sn__text_add(t, "{.body=0}};\n");
}

static void put_table(struct sn__text *t, const char *name, const double *x, int n) {
    sn__text_add(t, "__constant float %s[]={", name);
    for (int i = 0; i < n; i++)
        put_number(t, x[i]);
    sn__text_add(t, "0};\n");
}

/* One member of a structure that the program fills. */
static void set_number(struct sn__text *t, const char *name, double value) {
    sn__text_add(t, "%s=(", name);
    put_number(t, value);
    t->data[t->length - 1] = ')'; /* in place of the comma */
    sn__text_add(t, ";");
}

static void put_ground(struct sn__text *t, const sn_world *w, const struct sn__member *m,
                       const struct sn__ground *g) {
    put_surfaces(t, w);
    put_points(t, g);
    put_stops(t, g);
    put_table(t, "SHARE", g->share, m->model->nbody);
    if (g->inertia) put_table(t, "INERTIA", g->inertia, m->model->nv);
    sn__text_add(t, "static void sn__device_ground(struct sn__ground *g){struct sn__ground x={.nprobed=%d,",
                 g->nprobed);
    sn__text_add(
        t, ".nstops=%d,.probed=PROBED,.probe=PROBE,.stops=STOPS,.share=SHARE,.nprobe=%d,.stops_apart=%d,",
        g->nstops, g->nprobe, g->stops_apart);
    sn__text_add(t, ".inertia=%s};", g->inertia ? "INERTIA" : "0");
    set_number(t, "x.mass", g->mass);
    set_number(t, "x.compliance", g->compliance);
    set_number(t, "x.recovery", g->recovery);
    set_number(t, "x.margin", g->margin);
    set_number(t, "x.recovery_speed", g->recovery_speed);
    set_number(t, "x.limit_speed", g->limit_speed);
    sn__text_add(t, "*g=x;}\n");
}

/* ------------------------------------------------------------------------------------------------------ all of it */

static void put_args(struct sn__text *t, const struct sn__args *a) {
    const struct sn__effort *e = &a->effort;
    sn__text_add(t, "static void sn__device_args(struct sn__args *a){struct sn__args x={.refinements=%d,",
                 a->refinements);
    sn__text_add(t, ".effort={.sweeps=%d,.spare=%d,.late=%d,.refreshes=%d,.majorised=%d,.looks=%d}};",
                 e->sweeps, e->spare, e->late, e->refreshes, e->majorised, e->looks);
    set_number(t, "x.effort.tolerance", e->tolerance);
    set_number(t, "x.refine_to", a->refine_to);
    set_number(t, "x.predict_to", a->predict_to);
    set_number(t, "x.still", a->still);
    sn__text_add(t, "*a=x;}\n");
}

char *sn__device_text(const sn_world *w, const struct sn__member *m, size_t work_bytes) {
    struct sn__text t = {0};
    const struct sn__pack *p = &m->pack;
    const struct sn__ground g = sn__probes_of(p, 0);
    const struct sn__args args = sn__pack_args(p, 0);
    const bool ground = g.nprobed || g.nstops;
    sn__text_add(&t,
                 "#define SN__NBODY %d\n#define SN__NQ %d\n#define SN__NV %d\n#define SN__WORK_BYTES %zu\n",
                 m->model->nbody, m->model->nq, m->model->nv, work_bytes);
    sn__text_add(
        &t,
        "#define SN__NPROBE %d\n#define SN__NSIDE %d\n#define SN__NSURFACE %d\n#define SN__HAS_GROUND %d\n",
        g.nprobe, (int)p->stop_size, w->nsurface, ground);
    sn__text_add(&t, "#define SN__HAS_SPRINGS %d\n#define SN__HAS_LIMITS %d\n#define SN__IS_PLAIN %d\n",
                 p->model->has_stiffness, p->torque_limits, p->plain && !p->torque_limits);
    put_tree(&t, &m->model->tree_f32);
    put_args(&t, &args);
    if (ground) put_ground(&t, w, m, &g);
    size_t size;
    return sn__text_take(&t, &size);
}
