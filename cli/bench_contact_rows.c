/* sinew bench contact --rows: what a step costs with more and more contacts. The tree stays the same, a chain of
 * ten links that lies on the ground; small spheres below it are the contacts. */
#include "bench_contact.h"

#include "experiment.h"
#include "progress.h"
#include "experiment_print.h"
#include "ground_scene.h"
#include "scenes/shapes.h"
#include "scenes/whole.h"
#include "terminal.h"
#include "timing.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>

enum { LINKS = 10, SIZES = 10, WAYS = 4 };

static const int spheres[SIZES] = {3, 7, 13, 20, 27, 34, 42, 50, 58, 66};

/* Spheres stand evenly along the chain, left and right of its middle in turn. */
static void add_spheres(sn_builder *builder, int count) {
    for (int i = 0; i < count; i++) {
        const double along = (i + 0.5) * LINKS / count;
        char name[16];
        snprintf(name, sizeof name, "link%d", (int)along);
        sn_shape_def sphere = sn_shape_def_default(SN_SHAPE_SPHERE);
        sphere.size[0] = 0.02;
        sphere.pos[0] = 0.1 * (along - (int)along);
        sphere.pos[1] = i % 2 ? 0.03 : -0.03;
        sphere.pos[2] = -0.03;
        sn_builder_add_shape(builder, name, &sphere);
    }
}

static sn_model *build_chain(int count, sn_error *error) {
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < LINKS; i++) {
        char name[16], parent[16];
        sn_body_def body = chain_link(i, name, parent);
        body.pos[0] = i > 0 ? 0.14 : 0.0;
        body.joint = sn_joint_def_default(i > 0 ? SN_JOINT_BALL : SN_JOINT_FREE);
        body.mass_given = true;
        body.mass = 2.0;
        body.com[0] = 0.05;
        body.inertia[0] = 0.003;
        body.inertia[1] = body.inertia[2] = 0.006;
        sn_builder_add_body(builder, &body);
    }
    add_spheres(builder, count);
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

struct way {
    struct ground_scene scene;
    double contacts, iterations, us;
};

struct size {
    sn_model *model;
    struct way way[WAYS];
};

static struct ground_scene_def define(const struct contact_settings *settings, int way) {
    struct ground_scene_def def = ground_scene_def_default();
    def.kp = settings->kp;
    def.kd = settings->kd;
    def.world.contact = way / 2 ? SN_CONTACT_IMPLICIT : SN_CONTACT_ROWS;
    def.world.precision = way % 2 ? SN_PRECISION_FLOAT : SN_PRECISION_DOUBLE;
    return def;
}

static bool time_way(struct way *way, int steps) {
    const double start = clock_seconds();
    for (int i = 0; i < steps; i++)
        if (step_whole(way->scene.world) != SN_OK) return false;
    way->us = fmin(way->us, 1e6 * (clock_seconds() - start) / steps);
    return true;
}

static void put_row(struct result *result, int size, const struct way *way) {
    static const char *const key[WAYS] = {"rows_us", "rows_float_us", "implicit_us", "implicit_float_us"};
    struct record *row =
        add_row(result, NULL, {"spheres", number(spheres[size])}, {"contacts", number(way[0].contacts)},
                {"rows", number(3 * way[0].contacts)});
    for (int i = 0; i < WAYS; i++)
        record_put(row, key[i], number(way[i].us));
    record_put(row, "iterations", number(way[0].iterations));
}

/* A chain that has come to rest, once for each way. */
static bool make_size(struct size *size, int count, const struct contact_settings *settings) {
    const double dt = ground_scene_def_default().world.dt, settle = settings->quick ? 0.05 : 0.5;
    sn_error error = {0};
    size->model = build_chain(count, &error);
    bool good = size->model != NULL;
    for (int i = 0; i < WAYS && good; i++) {
        struct way *way = &size->way[i];
        const struct ground_scene_def def = define(settings, i);
        good = ground_scene_create(&way->scene, size->model, &def, &error);
        if (!good) break;
        ground_scene_watch(&way->scene, dt, settle);
        const struct watched w = ground_scene_watch(&way->scene, dt, 0.2 * settle);
        way->contacts = w.contacts;
        way->iterations = w.iterations;
        way->us = INFINITY;
    }
    return good || complain(EXIT_FAILED, "%d contacts: %s", count, error.message) == EXIT_DONE;
}

/* Repetitions go round all sizes, so that a disturbance spoils only one of each. */
static bool measure(struct size size[SIZES], const struct contact_settings *settings) {
    const int repetitions = 5 * settings->repetitions;
    progress_start("bench contact --rows", repetitions);
    for (int r = 0; r < repetitions && !interrupted(); r++) {
        progress_step("repetition %d", r + 1);
        for (int i = 0; i < SIZES * WAYS; i++)
            if (!time_way(&size[i / WAYS].way[i % WAYS], settings->quick ? 1 : 20))
                return complain(EXIT_FAILED, "%d contacts: not finite any more", spheres[i / WAYS]) ==
                       EXIT_DONE;
    }
    progress_end();
    return true;
}

int bench_contact_rows(const struct contact_settings *settings) {
    struct size size[SIZES] = {0};
    struct result rows = {0};
    bool good = true;
    for (int s = 0; s < SIZES && good; s++)
        good = make_size(&size[s], spheres[s], settings);
    good = good && measure(size, settings);
    for (int s = 0; s < SIZES; s++) {
        if (good && isfinite(size[s].way[WAYS - 1].us)) put_row(&rows, s, size[s].way);
        for (int i = 0; i < WAYS; i++)
            ground_scene_free(&size[s].way[i].scene);
        sn_model_free(size[s].model);
    }
    cJSON *json = settings->json ? cJSON_CreateObject() : NULL;
    print_part(json, "rows", "microseconds per step: a chain of ten links (33 degrees of freedom) at rest",
               &rows);
    if (json) print_json(stdout, json);
    if (interrupted()) return complain(EXIT_INTERRUPTED, "interrupted: the result above is not complete");
    return good ? EXIT_DONE : EXIT_FAILED;
}
