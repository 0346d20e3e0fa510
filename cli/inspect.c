/* sinew inspect: what is in a model or a clip; sinew convert: the same in another format. */
#include "commands.h"
#include "experiment_print.h"
#include "options.h"
#include "subject.h"
#include "terminal.h"
#include "whole_file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct options inspect_options = {.help =
                                             "--json  print JSON instead of a tree\n" CLIP_OPTIONS
                                             "--allow-missing-mesh  leave out meshes that cannot be read\n"};

static struct options convert_options = {.help = CLIP_OPTIONS
                                         "--allow-missing-mesh  leave out meshes that cannot be read\n"};

void help_inspect(void) {
    printf("usage: sinew inspect FILE [--json] [--allow-missing-mesh]\n\n"
           "Says what is in a character or a clip: a file of any format that can be read, or a built-in\n"
           "model by name.\n\noptions\n");
    options_print(&inspect_options);
}

void help_convert(void) {
    printf("usage: sinew convert FROM TO [--allow-missing-mesh]\n\n"
           "Reads a character or a clip, or takes a built-in model by name, and writes it in the format of\n"
           "TO's ending: .json (Sinew's own, exact), .xml (MJCF, characters), .bvh (clips); or, where TO is "
           "'-',\n"
           "as .json to standard output.\n\noptions\n");
    options_print(&convert_options);
}

/* A model or a clip; both NULL after a complaint. A skeleton file is a clip here, not the character that could be made
   of it. */
struct subject {
    sn_model *model;
    sn_clip *clip;
};

static struct subject load(const char *name, const sn_load_options *options, const struct clip_task *task) {
    struct subject s = {0};
    sn_error clip_error, model_error;
    if (is_builtin_model(name)) {
        s.model = subject_model(name, options);
        return s;
    }
    clip_error = (sn_error){0};
    s.clip = subject_clip(name, options, task, &clip_error);
    if (!s.clip && clip_error.status == SN_OK) return s; /* it was read, but not what was wanted */
    if (!s.clip) s.model = sn_model_load(name, options, &model_error);
    if (!s.clip && !s.model) {
        complain(EXIT_FAILED, "as a character: %s", model_error.message);
        complain(EXIT_FAILED, "as a clip: %s", clip_error.message);
    }
    return s;
}

static void release(struct subject *s) {
    sn_model_free(s->model);
    sn_clip_free(s->clip);
}

static const char *joint_name(sn_joint_type type) {
    static const char *const names[] = {"weld", "hinge", "slide", "universal", "ball", "free"};
    return names[type];
}

/* In the zero pose. */
static void summary_of(const sn_model *model, sn_summary *summary) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double *q = need_memory(NULL, (size_t)(sn_model_nq(model) + 1) * sizeof *q);
    sn_model_zero_pose(model, q);
    *summary = (sn_summary){0};
    if (dynamics) sn_dynamics_summary(dynamics, q, NULL, summary);
    sn_dynamics_free(dynamics);
    free(q);
}

static void print_body(const sn_model *model, int i, int depth) {
    const sn_body_info *b = sn_model_body(model, i);
    printf("%*s%s%s%s  %s", 2 * depth, "", style(stdout, STYLE_BOLD), b->name, style(stdout, STYLE_PLAIN),
           joint_name(b->joint.type));
    if (b->mass > 0) printf("  %.4g kg", b->mass);
    if (b->joint.limited && b->nv == 1) printf("  [%.4g, %.4g]", b->joint.lower[0], b->joint.upper[0]);
    if (b->joint.limited && b->nv == 2)
        printf("  [%.4g, %.4g] [%.4g, %.4g]", b->joint.lower[0], b->joint.upper[0], b->joint.lower[1],
               b->joint.upper[1]);
    if (b->joint.limited && b->nv == 3)
        printf("  twist [%.4g, %.4g] swing %.4g", b->joint.lower[0], b->joint.upper[0], b->joint.upper[1]);
    if (b->joint.kp > 0) printf("  kp %.4g kd %.4g", b->joint.kp, b->joint.kd);
    if (isfinite(b->joint.torque_limit)) printf("  torque %.4g", b->joint.torque_limit);
    printf("\n");
}

static void print_model(const sn_model *model) {
    sn_summary s;
    summary_of(model, &s);
    printf("character: %d bodies, nq %d, nv %d, depth %d, %d shapes\n", sn_model_nbody(model),
           sn_model_nq(model), sn_model_nv(model), sn_model_depth(model), sn_model_nshape(model));
    printf("mass %.6g kg, centre of mass %.4g %.4g %.4g m in the zero pose\n\n", sn_model_mass(model),
           s.com[0], s.com[1], s.com[2]);
    int *depth = need_memory(NULL, (size_t)(sn_model_nbody(model) + 1) * sizeof *depth);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const int parent = sn_model_body(model, i)->parent;
        depth[i] = parent < 0 ? 0 : depth[parent] + 1;
        print_body(model, i, depth[i]);
    }
    free(depth);
}

static cJSON *model_json(const sn_model *model) {
    sn_summary s;
    summary_of(model, &s);
    cJSON *root = cJSON_CreateObject(), *bodies = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "kind", "model");
    cJSON_AddNumberToObject(root, "nbody", sn_model_nbody(model));
    cJSON_AddNumberToObject(root, "nq", sn_model_nq(model));
    cJSON_AddNumberToObject(root, "nv", sn_model_nv(model));
    cJSON_AddNumberToObject(root, "depth", sn_model_depth(model));
    cJSON_AddNumberToObject(root, "mass", sn_model_mass(model));
    cJSON_AddItemToObject(root, "com", cJSON_CreateDoubleArray(s.com, 3));
    cJSON_AddItemToObject(root, "bodies", bodies);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *b = sn_model_body(model, i);
        cJSON *body = cJSON_CreateObject();
        cJSON_AddStringToObject(body, "name", b->name);
        cJSON_AddNumberToObject(body, "parent", b->parent);
        cJSON_AddStringToObject(body, "joint", joint_name(b->joint.type));
        cJSON_AddNumberToObject(body, "mass", b->mass);
        cJSON_AddItemToArray(bodies, body);
    }
    return root;
}

static double frame_rate(const sn_clip_def *d) {
    return d->nframe > 1 ? (d->nframe - 1) / d->time[d->nframe - 1] : 0;
}

static void print_clip(const sn_clip *clip) {
    const sn_clip_def *d = sn_clip_data(clip);
    printf("clip: %d joints, %d frames, %.4g s at %.4g frames per second%s\n\n", d->njoint, d->nframe,
           sn_clip_duration(clip), frame_rate(d), d->loop ? ", loops" : "");
    int *depth = need_memory(NULL, (size_t)(d->njoint + 1) * sizeof *depth);
    for (int i = 0; i < d->njoint; i++) {
        const sn_clip_joint *j = &d->joint[i];
        depth[i] = j->parent < 0 ? 0 : depth[j->parent] + 1;
        printf("%*s%s%s%s  %.4g %.4g %.4g\n", 2 * depth[i], "", style(stdout, STYLE_BOLD), j->name,
               style(stdout, STYLE_PLAIN), j->offset[0], j->offset[1], j->offset[2]);
    }
    free(depth);
}

static cJSON *clip_json(const sn_clip *clip) {
    const sn_clip_def *d = sn_clip_data(clip);
    cJSON *root = cJSON_CreateObject(), *joints = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "kind", "clip");
    cJSON_AddNumberToObject(root, "njoint", d->njoint);
    cJSON_AddNumberToObject(root, "nframe", d->nframe);
    cJSON_AddNumberToObject(root, "duration", sn_clip_duration(clip));
    cJSON_AddNumberToObject(root, "frame_rate", frame_rate(d));
    cJSON_AddBoolToObject(root, "loop", d->loop);
    cJSON_AddItemToObject(root, "joints", joints);
    for (int i = 0; i < d->njoint; i++)
        cJSON_AddItemToArray(joints, cJSON_CreateString(d->joint[i].name));
    return root;
}

static int inspect(const char *name) {
    sn_load_options options = subject_options(option_given(&inspect_options, "--allow-missing-mesh"));
    struct clip_task task;
    const int code = clip_options_read(&inspect_options, &options, &task);
    if (code != EXIT_DONE) return code;
    struct subject s = load(name, &options, &task);
    if (!s.model && !s.clip) return EXIT_FAILED;
    if (option_given(&inspect_options, "--json")) {
        cJSON *json = s.model ? model_json(s.model) : clip_json(s.clip);
        print_json(stdout, json);
    } else if (s.model) {
        print_model(s.model);
    } else {
        print_clip(s.clip);
    }
    release(&s);
    return EXIT_DONE;
}

static int save(const struct subject *s, const char *to) {
    sn_error error;
    const sn_status status =
        s->model ? sn_model_save(s->model, to, &error) : sn_clip_save(s->clip, to, &error);
    return status ? complain(EXIT_FAILED, "%s", error.message) : EXIT_DONE;
}

/* As JSON to standard output, by way of a file: the library writes files only. */
static int save_to_output(const struct subject *s) {
    const char *room = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/sinew-convert-XXXXXX.json", room && *room ? room : "/tmp");
    const int descriptor = mkstemps(path, 5);
    if (descriptor < 0) return complain(EXIT_FAILED, "%s cannot be written", path);
    close(descriptor);
    int code = save(s, path);
    size_t size = 0;
    char *text = code == EXIT_DONE ? whole_file_read(path, &size) : NULL;
    if (text)
        fwrite(text, 1, size, stdout);
    else
        code = EXIT_FAILED;
    free(text);
    remove(path);
    return code;
}

static int convert(const char *from, const char *to) {
    sn_load_options options = subject_options(option_given(&convert_options, "--allow-missing-mesh"));
    struct clip_task task;
    const int wrong = clip_options_read(&convert_options, &options, &task);
    if (wrong != EXIT_DONE) return wrong;
    const char *ending = strrchr(to, '.');
    struct subject s = {0};
    if (ending && strcmp(ending, ".xml") == 0) /* a character is wanted, also of a bare skeleton */
        s.model = subject_model(from, &options);
    else
        s = load(from, &options, &task);
    if (!s.model && !s.clip) return EXIT_FAILED;
    const int code = is_standard_output(to) ? save_to_output(&s) : save(&s, to);
    release(&s);
    return code;
}

int command_inspect(int argc, char **argv) {
    const int code = options_parse(&inspect_options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (inspect_options.nword != 1) return complain(EXIT_USAGE, "usage: sinew inspect FILE");
    return inspect(inspect_options.word[0]);
}

int command_convert(int argc, char **argv) {
    const int code = options_parse(&convert_options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (convert_options.nword != 2) return complain(EXIT_USAGE, "usage: sinew convert FROM TO");
    return convert(convert_options.word[0], convert_options.word[1]);
}
