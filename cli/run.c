/* sinew run: a scene from a file, stepped for a while. */
#include "commands.h"
#include "definition_options.h"
#include "experiment_print.h"
#include "options.h"
#include "progress.h"
#include "subject.h"
#include "terminal.h"
#include "timing.h"
#include "scenes/whole.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scene says what these are. */
static const char *const of_the_file[] = {"gravity", "dt", "self_contact", NULL};

static struct options options = {
    .help = "--seconds S  how long (default 5)\n"
            "--dt S  seconds per step, as 0.01 or 1/240 (default: the file's)\n"
            "--key NAME  the keyframe to start from, by name or number (default: the first)\n"
            "--record F  write a recording: .json, .glb or .bvh\n"
            "--rate HZ  frames per second of the recording (default 60)\n"
            "--json  print JSON instead of a table\n"
            "--allow-missing-mesh  leave out meshes that cannot be read\n"};

void help_run_scene(void) {
    printf("usage: sinew run FILE [OPTIONS]\n\n"
           "Steps a scene and says what became of it: an MJCF file with all its bodies, ground, drives and\n"
           "constraints as one world, its controls as a keyframe has them; or a character of any other\n"
           "format, on a plane in its home pose. Exit code 1: it did not stay finite.\n\noptions\n");
    definition_options_add(&options, "sn_world_def", of_the_file);
    options_print(&options);
}

/* What a run is, and what it came to. */
struct run {
    sn_world *world;
    double seconds, dt, rate, wall;
    long steps, done;
    int contacts;      /* the most in any step */
    double start, end; /* energy, J */
    bool diverged, stopped;
};

static double energy_of(sn_world *world) {
    double sum = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        sn_summary s;
        if (sn_world_summary(world, sn_world_member(world, i), 0, &s) == SN_OK)
            sum += s.kinetic + s.potential;
    }
    return sum;
}

/* ------------------------------------------------------------------------------------------------- recording */

/* Ground that has a shape, as a figure that stands still; NULL: there is none. */
static sn_model *ground_figure(const sn_world *world) {
    sn_builder *builder = sn_builder_create();
    int count = 0;
    sn_body_def body = sn_body_def_default();
    body.name = "ground";
    sn_builder_add_body(builder, &body);
    for (int i = 0; i < sn_world_get_info(world).grounds; i++) {
        sn_shape_def shape;
        if (!sn_world_ground_shape(world, i, &shape) || !(shape.size[0] > 0)) continue;
        sn_builder_add_shape(builder, "ground", &shape);
        count++;
    }
    sn_model *model = count ? sn_builder_build(builder, NULL) : NULL;
    sn_builder_free(builder);
    return model;
}

/* The first plane, which the page draws. */
static void note_plane(const sn_world *world, sn_recorder *recorder) {
    for (int i = 0; i < sn_world_get_info(world).grounds; i++) {
        sn_shape_def s;
        char text[256];
        if (!sn_world_ground_shape(world, i, &s) || s.size[0] > 0) continue;
        const double *q = s.rot, n[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
        snprintf(text, sizeof text, "{\"point\":[%.17g,%.17g,%.17g],\"normal\":[%.17g,%.17g,%.17g]}",
                 s.pos[0], s.pos[1], s.pos[2], n[0], n[1], n[2]);
        sn_recorder_note(recorder, "ground", text);
        return;
    }
}

static void run_steps(struct run *r, sn_recorder *recorder, const sn_model *figure) {
    double none[1] = {0};
    const double begin = clock_seconds();
    if (recorder && figure) sn_recorder_pose(recorder, "simulated", figure, none, NULL);
    if (recorder) sn_recorder_take(recorder, 0);
    progress_start("run", 100);
    for (long i = 1; i <= r->steps && !r->diverged && !r->stopped; i++) {
        sn_world_stats stats;
        if (i * 100 / r->steps != (i - 1) * 100 / r->steps)
            progress_step("%.2f s of %.2f s", (double)i * r->dt, r->seconds);
        r->diverged = step_whole(r->world) != SN_OK;
        sn_world_get_stats(r->world, &stats);
        r->diverged |= stats.diverged > 0; /* something of it */
        if (stats.contacts > r->contacts) r->contacts = stats.contacts;
        r->done += !r->diverged;
        if (recorder) sn_recorder_take(recorder, sn_world_time(r->world));
        r->stopped = interrupted();
    }
    progress_end();
    r->wall = clock_seconds() - begin;
}

static int record_run(struct run *r, const char *path) {
    sn_recorder_def def = sn_recorder_def_default();
    sn_error error = {0};
    def.rate = r->rate;
    sn_recorder *recorder = path ? sn_recorder_create(r->world, &def, &error) : NULL;
    if (path && !recorder) return complain(EXIT_FAILED, "%s", error.message);
    sn_model *figure = recorder ? ground_figure(r->world) : NULL;
    run_steps(r, recorder, figure);
    int code = EXIT_DONE;
    if (recorder) {
        note_plane(r->world, recorder);
        if (r->diverged)
            sn_recorder_event(recorder, sn_world_time(r->world), "diverged",
                              "the state stopped being finite");
        if (r->stopped) sn_recorder_event(recorder, sn_world_time(r->world), "stopped", "broken off by hand");
        if (sn_recorder_save(recorder, path, &error) != SN_OK)
            code = complain(EXIT_FAILED, "%s", error.message);
    }
    sn_recorder_free(recorder);
    sn_model_free(figure);
    return code;
}

/* -------------------------------------------------------------------------------------------------- telling */

static void print_run(const struct run *r, const char *name) {
    printf("%s: %d member%s, %d ground, %.4g s in %ld steps of %.4g s\n\n", name,
           sn_world_get_info(r->world).members, sn_world_get_info(r->world).members == 1 ? "" : "s",
           sn_world_get_info(r->world).grounds, (double)r->done * r->dt, r->done, r->dt);
    printf("%-24s %6s %6s %10s  %s\n", "member", "bodies", "nv", "mass kg", "centre of mass at the end, m");
    for (int i = 0; i < sn_world_get_info(r->world).members; i++) {
        const sn_member handle = sn_world_member(r->world, i);
        const sn_model *model = sn_world_model(r->world, handle);
        sn_summary s;
        if (!model || sn_world_summary(r->world, handle, 0, &s) != SN_OK) continue;
        printf("%-24s %6d %6d %10.4g  %.4g %.4g %.4g\n", sn_model_body(model, 0)->name,
               sn_model_get(model)->nbody, sn_model_get(model)->nv, sn_model_get(model)->mass, s.com[0],
               s.com[1], s.com[2]);
    }
    printf("\nat most %d contact%s; energy %.6g J at the start, %.6g J at the end\n", r->contacts,
           r->contacts == 1 ? "" : "s", r->start, r->end);
    printf("%.3g s of work, %.3g times real time\n", r->wall, (double)r->done * r->dt / fmax(r->wall, 1e-9));
}

static void print_run_json(const struct run *r) {
    cJSON *root = cJSON_CreateObject(), *members = cJSON_CreateArray();
    cJSON_AddNumberToObject(root, "seconds", (double)r->done * r->dt);
    cJSON_AddNumberToObject(root, "dt", r->dt);
    cJSON_AddNumberToObject(root, "steps", (double)r->done);
    cJSON_AddNumberToObject(root, "ground", sn_world_get_info(r->world).grounds);
    cJSON_AddNumberToObject(root, "contacts", r->contacts);
    cJSON_AddNumberToObject(root, "energy_start", r->start);
    cJSON_AddNumberToObject(root, "energy_end", r->end);
    cJSON_AddNumberToObject(root, "wall", r->wall);
    cJSON_AddBoolToObject(root, "diverged", r->diverged);
    cJSON_AddItemToObject(root, "members", members);
    for (int i = 0; i < sn_world_get_info(r->world).members; i++) {
        const sn_member handle = sn_world_member(r->world, i);
        const sn_model *model = sn_world_model(r->world, handle);
        sn_summary s;
        if (!model || sn_world_summary(r->world, handle, 0, &s) != SN_OK) continue;
        cJSON *member = cJSON_CreateObject();
        cJSON_AddStringToObject(member, "name", sn_model_body(model, 0)->name);
        cJSON_AddNumberToObject(member, "nbody", sn_model_get(model)->nbody);
        cJSON_AddNumberToObject(member, "nv", sn_model_get(model)->nv);
        cJSON_AddNumberToObject(member, "mass", sn_model_get(model)->mass);
        cJSON_AddItemToObject(member, "com", cJSON_CreateDoubleArray(s.com, 3));
        cJSON_AddItemToArray(members, member);
    }
    print_json(stdout, root);
}

/* Which member, and which of its degrees of freedom, stopped being finite. */
static int tell_divergence(const struct run *r) {
    sn_world_stats stats;
    sn_world_get_stats(r->world, &stats);
    const sn_model *model = sn_world_model(r->world, stats.bad_member);
    const char *body = "?";
    for (int i = 0; model && i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        if (stats.bad_dof >= b->v_index && stats.bad_dof < b->v_index + b->nv) body = b->name;
    }
    return complain(EXIT_FAILED,
                    "after %.4g s the joint of '%s' stopped being finite; --dt with a shorter step may help",
                    (double)r->done * r->dt, body);
}

/* --------------------------------------------------------------------------------------------------- together */

static int read_options(struct run *r, sn_world_def *def, sn_load_def *load) {
    *r = (struct run){.seconds = 5, .rate = 60};
    *def = sn_world_def_default();
    *load = subject_options(option_given(&options, "--allow-missing-mesh"));
    load->keyframe = option_text(&options, "--key", NULL);
    int code = option_real(&options, "--seconds", 0, 1e6, &r->seconds);
    if (!code) code = option_real(&options, "--dt", 1e-9, 1, &r->dt);
    if (!code) code = option_real(&options, "--rate", 1e-3, 1e5, &r->rate);
    return code ? code : definition_options_read(&options, "sn_world_def", of_the_file, def);
}

static int run_file(const char *name) {
    struct run r;
    sn_world_def def;
    sn_load_def load;
    sn_error error = {0};
    int code = read_options(&r, &def, &load);
    if (code != EXIT_DONE) return code;
    r.world = sn_world_load(name, &def, &load, &error);
    if (!r.world) return complain(EXIT_FAILED, "%s", error.message);
    if (r.dt > 0 && sn_world_set_dt(r.world, r.dt) != SN_OK)
        code = complain(EXIT_FAILED, "the step cannot be %g s", r.dt);
    r.dt = sn_world_get_info(r.world).dt;
    r.steps = lround(r.seconds / r.dt);
    r.start = energy_of(r.world);
    if (code == EXIT_DONE) code = record_run(&r, option_text(&options, "--record", NULL));
    r.end = energy_of(r.world);
    if (code == EXIT_DONE && option_given(&options, "--json"))
        print_run_json(&r);
    else if (code == EXIT_DONE)
        print_run(&r, name);
    if (code == EXIT_DONE && r.diverged) code = tell_divergence(&r);
    if (code == EXIT_DONE && r.stopped) code = EXIT_INTERRUPTED;
    sn_world_free(r.world);
    return code;
}

int command_run_scene(int argc, char **argv) {
    definition_options_add(&options, "sn_world_def", of_the_file);
    const int code = options_parse(&options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (options.nword != 1)
        return complain(EXIT_USAGE, "run needs a scene or a character; 'sinew help run' tells more");
    return run_file(options.word[0]);
}
