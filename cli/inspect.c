/* sinew inspect: what is in a character, a clip, a motion or a recording. */
#include "commands.h"
#include "experiment_print.h"
#include "options.h"
#include "subject.h"
#include "terminal.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sinew/dynamics.h>
#include <stdlib.h>
#include <string.h>

static struct options inspect_options = {.help =
                                             "--list  name the built-in characters and motions\n"
                                             "--json  print JSON instead of a tree\n"
                                             "--character NAME  whose numbers a table holds\n" CLIP_OPTIONS
                                             "--allow-missing-mesh  leave out meshes that cannot be read\n"};

void help_inspect(void) {
    printf("usage: sinew inspect FILE [OPTIONS]\n       sinew inspect --list\n\n"
           "Says what is in a character or a clip: a file of any format that can be read, or a built-in\n"
           "character or motion by name.\n\noptions\n");
    options_print(&inspect_options);
}

static const char *joint_name(sn_joint_type type) {
    static const char *const names[] = {"weld", "hinge",  "slide",       "universal", "ball",
                                        "free", "planar", "cylindrical", "screw"};
    return names[type];
}

/* In the zero pose. */
static void summary_of(const sn_model *model, sn_summary *summary) {
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    double *q = need_memory(NULL, (size_t)(sn_model_get(model)->nq + 1) * sizeof *q);
    sn_model_zero_pose(model, q);
    *summary = (sn_summary){0};
    if (dynamics) sn_dynamics_bodies(dynamics, q, NULL, NULL, NULL, summary);
    sn_dynamics_free(dynamics);
    free(q);
}

static void print_body(const sn_model *model, int i, int depth) {
    const sn_body_info *b = sn_model_body(model, i);
    printf("%*s%s%s%s  %s", 2 * depth, "", style(stdout, STYLE_BOLD), b->name, style(stdout, STYLE_PLAIN),
           joint_name(b->joint.type));
    if (b->mass > 0) printf("  %.4g kg", b->mass);
    const bool axes = b->nq == b->nv; /* no quaternion */
    for (int k = 0; b->joint.limited && axes && k < b->nv; k++)
        printf("  [%.4g, %.4g]", b->joint.lower[k], b->joint.upper[k]);
    if (b->joint.limited && !axes && b->nv == 3)
        printf("  twist [%.4g, %.4g] swing %.4g", b->joint.lower[0], b->joint.upper[0], b->joint.upper[1]);
    if (b->joint.kp > 0) printf("  kp %.4g kd %.4g", b->joint.kp, b->joint.kd);
    if (isfinite(b->joint.torque_limit)) printf("  torque %.4g", b->joint.torque_limit);
    printf("\n");
}

/* What holds its bodies together besides joints. */
static void print_constraints(const sn_model *model) {
    if (sn_model_get(model)->nconstraint > 0) printf("\n");
    for (int i = 0; i < sn_model_get(model)->nconstraint; i++) {
        const sn_constraint_def *d = (&sn_model_get(model)->constraint[i]);
        const char *other = d->member2 < 0 ? "the world" : sn_model_body(model, d->body2)->name;
        printf("%s %s %s", sn_model_body(model, d->body)->name,
               d->type == SN_CONSTRAINT_PIN    ? "is pinned to"
               : d->type == SN_CONSTRAINT_WELD ? "is welded to"
                                               : "is coupled to",
               other);
        if (d->collide) printf("  and collides with it");
        if (d->type == SN_CONSTRAINT_COUPLING)
            printf("  ratio %.4g %.4g%s", d->ratio[0], d->ratio[1],
                   d->stiffness + d->damping > 0 ? "  spring" : "");
        if (d->type == SN_CONSTRAINT_COUPLING_LIMIT) printf("  [%.4g, %.4g]", d->target[0], d->target[1]);
        printf("\n");
    }
}

static void print_model(const sn_model *model) {
    sn_summary s;
    summary_of(model, &s);
    printf("character: %d bodies, nq %d, nv %d, depth %d, %d shapes\n", sn_model_get(model)->nbody,
           sn_model_get(model)->nq, sn_model_get(model)->nv, sn_model_get(model)->depth,
           sn_model_get(model)->nshape);
    printf("mass %.6g kg, centre of mass %.4g %.4g %.4g m in the zero pose\n\n", sn_model_get(model)->mass,
           s.com[0], s.com[1], s.com[2]);
    int *depth = need_memory(NULL, (size_t)(sn_model_get(model)->nbody + 1) * sizeof *depth);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const int parent = sn_model_body(model, i)->parent;
        depth[i] = parent < 0 ? 0 : depth[parent] + 1;
        print_body(model, i, depth[i]);
    }
    free(depth);
    print_constraints(model);
}

static cJSON *model_json(const sn_model *model) {
    sn_summary s;
    summary_of(model, &s);
    cJSON *root = cJSON_CreateObject(), *bodies = cJSON_CreateArray();
    cJSON_AddStringToObject(root, "kind", "model");
    cJSON_AddNumberToObject(root, "nbody", sn_model_get(model)->nbody);
    cJSON_AddNumberToObject(root, "nq", sn_model_get(model)->nq);
    cJSON_AddNumberToObject(root, "nv", sn_model_get(model)->nv);
    cJSON_AddNumberToObject(root, "depth", sn_model_get(model)->depth);
    cJSON_AddNumberToObject(root, "mass", sn_model_get(model)->mass);
    cJSON_AddItemToObject(root, "com", cJSON_CreateDoubleArray(s.com, 3));
    cJSON_AddItemToObject(root, "bodies", bodies);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
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

/* Where it stands: centimetres of feet over the floor. */
static void print_floor(const sn_clip *clip) {
    sn_floor floor;
    if (sn_clip_floor(clip, &floor) != SN_OK) return;
    printf("floor at %.3f m; feet above it: 10 %% of the time %.1f cm, half of it %.1f cm, 90 %% %.1f cm\n",
           floor.height, 100 * floor.feet[0], 100 * floor.feet[1], 100 * floor.feet[2]);
    if (!floor.level)
        printf("there is no one floor: feet stand on several levels (stairs, or a capture that drifts), of "
               "which this is "
               "the lowest\n");
    printf("\n");
}

static void print_clip(const sn_clip *clip) {
    const sn_clip_def *d = sn_clip_data(clip);
    printf("clip: %d joints, %d frames, %.4g s at %.4g frames per second%s\n", d->njoint, d->nframe,
           d->time[d->nframe - 1], frame_rate(d), d->loop ? ", loops" : "");
    print_floor(clip);
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
    cJSON_AddNumberToObject(root, "duration", d->time[d->nframe - 1]);
    cJSON_AddNumberToObject(root, "frame_rate", frame_rate(d));
    cJSON_AddBoolToObject(root, "loop", d->loop);
    sn_floor floor;
    if (sn_clip_floor(clip, &floor) == SN_OK) {
        cJSON_AddNumberToObject(root, "floor", floor.height);
        cJSON_AddItemToObject(root, "feet", cJSON_CreateDoubleArray(floor.feet, 3));
        cJSON_AddBoolToObject(root, "level", floor.level);
    }
    cJSON_AddItemToObject(root, "joints", joints);
    for (int i = 0; i < d->njoint; i++)
        cJSON_AddItemToArray(joints, cJSON_CreateString(d->joint[i].name));
    return root;
}

/* How far the root goes in one round or from end to end, m. */
static double way_of(const sn_motion *motion, const sn_model *model) {
    double *q = need_memory(NULL, 2 * (size_t)(sn_model_get(model)->nq + 3) * sizeof *q),
           *end = q + sn_model_get(model)->nq + 3;
    sn_motion_sample(motion, 0, q, NULL);
    sn_motion_sample(motion, sn_motion_get(motion)->duration, end, NULL);
    const bool free_root = sn_model_body(model, 0)->joint.type == SN_JOINT_FREE;
    const double way = free_root ? hypot(end[0] - q[0], end[1] - q[1]) : 0;
    free(q);
    return way;
}

static cJSON *motion_json(const struct subject *s) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "kind", "motion");
    cJSON_AddStringToObject(root, "character", s->character);
    cJSON_AddNumberToObject(root, "duration", sn_motion_get(s->motion)->duration);
    cJSON_AddBoolToObject(root, "loop", sn_motion_get(s->motion)->loops);
    cJSON_AddNumberToObject(root, "way", way_of(s->motion, s->model));
    return root;
}

static void print_motion(const struct subject *s) {
    const double length = sn_motion_get(s->motion)->duration, way = way_of(s->motion, s->model);
    printf("motion of %s%s: %.4g s%s, %.4g m onward (%.3g m/s)\n",
           is_builtin_model(s->character) ? "the built-in " : "", s->character, length,
           sn_motion_get(s->motion)->loops ? ", loops" : "", way, way / length);
}

/* A motion for a character: its numbers, or a clip carried over to it. */
static struct subject load_for(const char *name, const char *character, const sn_load_def *options,
                               const struct clip_task *task) {
    struct subject s = {.character = character, .model = subject_model(character, options)};
    s.motion = s.model ? subject_motion(name, s.model, NULL, options, task) : NULL;
    if (!s.motion) {
        sn_model_free(s.model);
        s.model = NULL;
    }
    return s;
}

static int inspect(const char *name) {
    sn_load_def options = subject_options(option_given(&inspect_options, "--allow-missing-mesh"));
    struct clip_task task;
    const int code = clip_options_read(&inspect_options, &options, &task);
    if (code != EXIT_DONE) return code;
    const char *character = option_text(&inspect_options, "--character", NULL);
    struct subject s =
        character ? load_for(name, character, &options, &task) : subject_load(name, &options, &task);
    if (s.recording) {
        sn_recorder_free(s.recording);
        return complain(EXIT_FAILED, "%s is a recording; 'sinew report' and 'sinew convert' take it", name);
    }
    if (!s.model && !s.clip) return EXIT_FAILED;
    if (option_given(&inspect_options, "--json")) {
        cJSON *json = s.motion ? motion_json(&s) : s.model ? model_json(s.model) : clip_json(s.clip);
        print_json(stdout, json);
    } else if (s.motion) {
        print_motion(&s);
    } else if (s.model) {
        print_model(s.model);
    } else {
        print_clip(s.clip);
    }
    subject_release(&s);
    return EXIT_DONE;
}

static int list_builtin(void) {
    for (int i = 0; sn_builtin_name(i); i++)
        printf("%-10s character\n", sn_builtin_name(i));
    for (int i = 0; sn_builtin_motion_name(i); i++)
        printf("%-10s motion\n", sn_builtin_motion_name(i));
    return EXIT_DONE;
}

int command_inspect(int argc, char **argv) {
    const int code = options_parse(&inspect_options, argc, argv);
    if (code != EXIT_DONE) return code;
    if (option_given(&inspect_options, "--list") && inspect_options.nword == 0) return list_builtin();
    if (inspect_options.nword != 1) return complain(EXIT_USAGE, "usage: sinew inspect FILE");
    return inspect(inspect_options.word[0]);
}
