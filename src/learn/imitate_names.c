/* Names of the observations and actions of an imitation, in the order of imitate_observe.c. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "learn/imitate.h"

static const char *const axis[] = {"x", "y", "z"};

/* A name, with the zero that ends it. */
static void add(struct sn__text *out, const char *what, const char *which) {
    char name[160];
    const int length = snprintf(name, sizeof name, "%.100s %s", what, which);
    sn__text_bytes(out, name, length + 1);
}

static void add_axes(struct sn__text *out, const char *body, const char *what) {
    for (int k = 0; k < 3; k++) {
        char name[128];
        snprintf(name, sizeof name, "%.80s %s", body, what);
        add(out, name, axis[k]);
    }
}

static void add_rotation(struct sn__text *out, const char *body, sn_features features) {
    if (features == SN_FEATURES_2021) {
        add_axes(out, body, "normal");
        add_axes(out, body, "tangent");
    } else {
        add(out, body, "rotation w");
        add_axes(out, body, "rotation");
    }
}

static void add_bodies(const struct sn__imitate *im, struct sn__text *out) {
    for (int i = 0; i < im->nbody; i++) {
        const char *body = sn_model_body(im->def.model, i)->name;
        add_axes(out, body, "position");
        add_rotation(out, body, im->def.features);
    }
    for (int i = 0; i < im->nbody; i++) {
        const char *body = sn_model_body(im->def.model, i)->name;
        add_axes(out, body, "velocity");
        add_axes(out, body, "angular velocity");
    }
}

static void add_ahead(const struct sn__imitate *im, struct sn__text *out) {
    for (int a = 0; a < SN__AHEAD; a++) {
        char when[32], name[160];
        snprintf(when, sizeof when, "in %d", sn__library_ahead[a]);
        for (int i = 0; i < im->nbody; i++) {
            const struct sn__imitate_body *b = &im->body[i];
            snprintf(name, sizeof name, "%.100s %s", sn_model_body(im->def.model, i)->name, when);
            if (i == 0) add_axes(out, name, "position");
            if (i == 0) add_rotation(out, name, SN_FEATURES_2018);
            if (i > 0 && b->quaternion == 0) add_axes(out, name, "turn");
            for (int k = 0; i > 0 && k < b->nq && b->quaternion < 0; k++)
                add(out, name, axis[k % 3]);
        }
    }
}

static void add_extras(const struct sn__imitate *im, struct sn__text *out) {
    static const char *const root[] = {"heading cos", "heading sin", "ahead", "left"}, *const command[] = {
                                                                                           "heading cos",
                                                                                           "heading sin",
                                                                                           "speed"};
    char name[32];
    for (int i = 0; i < 4 && im->observe_root; i++)
        add(out, "reference", root[i]);
    for (int i = 0; i < 3 && im->def.command > 0; i++)
        add(out, "command", command[i]);
    for (int i = 0; i < SN__TERRAIN_AHEAD * SN__TERRAIN_ACROSS && im->def.terrain; i++) {
        snprintf(name, sizeof name, "%d %d", i / SN__TERRAIN_ACROSS, i % SN__TERRAIN_ACROSS);
        add(out, "ground", name);
    }
    if (im->def.look_ahead) add_ahead(im, out);
    for (int i = 0; i < im->motions && im->motions > 1 && !im->def.look_ahead; i++) {
        snprintf(name, sizeof name, "%d", i);
        add(out, "motion", name);
    }
}

static void add_stick(const struct sn__imitate *im, struct sn__text *out) {
    static const char *const root[] = {"ahead",      "left",       "up",          "rotation w", "rotation x",
                                       "rotation y", "rotation z", "speed ahead", "speed left", "turn"};
    static const char *const rest[][2] = {{"phase", "cos"},   {"phase", "sin"},  {"phase", "activity"},
                                          {"stick", "ahead"}, {"stick", "left"}, {"stick", "turn"}};
    for (int i = 0; i < 10; i++)
        add(out, "reference", root[i]);
    for (int i = 1; i < im->nbody; i++) {
        const char *body = sn_model_body(im->def.model, i)->name;
        if (im->body[i].quaternion == 0)
            add_axes(out, body, "reference");
        else
            add(out, body, "reference");
    }
    for (int i = 0; i < 6; i++)
        add(out, rest[i][0], rest[i][1]);
}

static void add_actions(const struct sn__imitate *im, struct sn__text *out) {
    for (int i = 1; i < im->nbody; i++) {
        const struct sn__imitate_body *b = &im->body[i];
        const char *body = sn_model_body(im->def.model, i)->name;
        char number[16];
        if (b->quaternion == 0 && sn__by_axis(im)) add(out, body, "angle");
        if (b->quaternion == 0) add_axes(out, body, sn__by_axis(im) ? "axis" : "turn");
        for (int k = 0; k < b->nq && b->quaternion < 0; k++) {
            snprintf(number, sizeof number, "%d", k);
            add(out, body, b->nq > 1 ? number : "target");
        }
    }
}

bool sn__imitate_name_all(struct sn__imitate *im) {
    struct sn__text out = {0};
    const int count = im->observations + im->actions;
    if (!im->stride) add(&out, "motion", "phase");
    add(&out, "root", "height");
    add_bodies(im, &out);
    if (im->stride)
        add_stick(im, &out);
    else
        add_extras(im, &out);
    add_actions(im, &out);
    size_t size;
    im->names = sn__text_take(&out, &size);
    im->name = sn__alloc((size_t)count, sizeof *im->name);
    if (!im->names || !im->name) return false;
    const char *at = im->names;
    for (int i = 0; i < count; i++, at += strlen(at) + 1)
        im->name[i] = at;
    return true;
}
