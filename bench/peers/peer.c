/* The scenes and the clock; see peer.h. */
#define _GNU_SOURCE
#include "peer.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *program = "peer";

void peer_die(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s%s%s\n", program, what, detail ? ": " : "", detail ? detail : "");
    exit(1);
}

void *peer_need(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) peer_die("out of memory", NULL);
    return memory;
}

static double *numbers(int count) {
    return peer_need((size_t)count, sizeof(double));
}

char *peer_read_text(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) peer_die("cannot open", path);
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', stream) < 0) peer_die("cannot read", path);
    fclose(stream);
    return text;
}

/* ------------------------------------------------------------------------------------------------- scenes */

struct run {
    const struct peer_engine *engine;
    const struct peer_options *options;
    struct peer_tree tree;
    void *self;
    double *q, *qd;         /* [nq], [nv] the start */
    double *target;         /* [nrow][nq] each for an equal part of the run */
    double *rate;           /* [nrow][nv] of fd and track, else NULL */
    double *tau;            /* [nv] of fd */
    double *now;            /* [nq] */
    double *fastest;        /* [nstep] s, of each step */
    int nrow, nstep, round; /* it starts again after this many steps */
    int chest;              /* what is pushed */
};

struct result {
    int steps; /* taken before the first bad number, or all */
    bool finite;
    double contacts, rows, penetration, drift, height;
    double error; /* the largest of any joint in the last second, rad or m */
};

static bool is_scene(const struct run *r, const char *name) {
    return strcmp(r->options->scene, name) == 0;
}

static double random_uniform(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Every joint swings, as a rule at 1 Hz by 0.25 rad, about an axis and with a phase of its own; so does the root, on the spot.
   The axis stays put, so the angular velocity is axis * rate in the child's axes too. */
static void sway(const struct peer_options *o, const struct peer_tree *tree, double t, double *q,
                 double *qd) {
    const double w = 2 * M_PI * o->hertz, size = o->sway;
    uint64_t seed = 1;
    peer_zero_pose(tree, q);
    memset(qd, 0, (size_t)tree->nv * sizeof *qd);
    for (int i = 0; i < tree->nbody; i++) {
        const struct peer_body *b = &tree->body[i];
        const double z = 2 * random_uniform(&seed) - 1, turn = 2 * M_PI * random_uniform(&seed);
        const double phase = 2 * M_PI * random_uniform(&seed), r = sqrt(1 - z * z);
        const double axis[3] = {r * cos(turn), r * sin(turn), z};
        const double angle = size * sin(w * t + phase), rate = size * w * cos(w * t + phase);
        if (b->joint == PEER_HINGE) q[b->q] = angle, qd[b->v] = rate;
        if (b->joint != PEER_BALL && (b->joint != PEER_FREE || o->root_still)) continue;
        const int skip = b->joint == PEER_FREE ? 3 : 0;
        double turned[4] = {cos(angle / 2)};
        for (int k = 0; k < 3; k++) {
            turned[k + 1] = sin(angle / 2) * axis[k];
            qd[b->v + skip + k] = rate * axis[k];
        }
        peer_quat_multiply(q + b->q + skip, turned, q + b->q + skip);
    }
}

/* The zero pose, its lowest point on the plane; to fall, 0.2 m above it, moving forward and tilting. */
static void place(struct run *r) {
    const struct peer_body *root = &r->tree.body[0];
    peer_zero_pose(&r->tree, r->q);
    if (!r->options->ground) return;
    if (root->joint != PEER_FREE) peer_die("the root has no free joint (see --root-free)", NULL);
    const bool fall = is_scene(r, "fall");
    r->q[root->q + 2] += (fall ? 0.2 : 0) - peer_lowest_point(&r->tree);
    if (!fall) return;
    const double *p = r->q + root->q + 3, inverse[4] = {p[0], -p[1], -p[2], -p[3]};
    r->qd[root->v] = 1.5;
    peer_quat_rotate(inverse, (const double[3]){0, 1, 0}, r->qd + root->v + 3);
}

/* All numbers of nested arrays. The brackets say nothing that the number of values does not. */
static void read_poses(struct run *r, const char *path) {
    char *text = peer_read_text(path);
    int count = 0;
    r->target = numbers((int)strlen(text) + 1);
    for (char *at = text; *at;) {
        char *end = at + 1;
        if (!strchr("[], \t\r\n", *at)) r->target[count++] = strtod(at, &end);
        if (end == at) peer_die("not an array of arrays of numbers", path);
        at = end;
    }
    free(text);
    r->nrow = count / r->tree.nq;
    if (count == 0 || count % r->tree.nq)
        peer_die("a pose has another number of values than the model", path);
}

/* The target is where a step should end. */
static void set_targets(struct run *r) {
    const int nq = r->tree.nq, nv = r->tree.nv;
    if (r->options->ground && r->options->poses) {
        read_poses(r, r->options->poses);
        return;
    }
    r->nrow = r->options->ground ? 1 : r->nstep;
    r->target = numbers(r->nrow * nq);
    if (r->options->ground) {
        memcpy(r->target, r->q, (size_t)nq * sizeof *r->q);
        return;
    }
    r->rate = numbers(r->nrow * nv);
    sway(r->options, &r->tree, 0, r->q, r->qd);
    for (int i = 0; i < r->nrow; i++)
        sway(r->options, &r->tree, (i + 1) * r->options->dt, r->target + i * nq, r->rate + i * nv);
}

static void open_run(struct run *r, const struct peer_engine *engine, const struct peer_options *o) {
    *r = (struct run){.engine = engine, .options = o};
    r->self = engine->create(o, &r->tree);
    r->nstep = (int)(o->seconds / o->dt + 0.5);
    r->round = is_scene(r, "push") ? (int)(2 / o->dt + 0.5) : r->nstep;
    r->q = numbers(r->tree.nq);
    r->qd = numbers(r->tree.nv);
    r->now = numbers(r->tree.nq);
    r->tau = numbers(r->tree.nv);
    r->fastest = numbers(r->nstep);
    for (int i = 0; i < r->tree.nbody; i++)
        if (strcmp(r->tree.body[i].name, "chest") == 0) r->chest = i;
    for (int i = 0; i < r->nstep; i++)
        r->fastest[i] = (double)INFINITY;
    place(r);
    set_targets(r);
}

static void close_run(struct run *r) {
    r->engine->destroy(r->self);
    peer_free_tree(&r->tree);
    free(r->q), free(r->qd), free(r->now), free(r->tau), free(r->fastest), free(r->target), free(r->rate);
}

/* 200 N on the chest for 0.1 s every 0.5 s; direction and the time of the first differ from round to round. */
static void push(const struct run *r, int step) {
    const double golden = 0.6180339887498949, dt = r->options->dt;
    const int round = step / r->round;
    const double t = step % r->round * dt + 0.5 * fmod(golden * round, 1) + 0.01 * dt;
    const double angle = 2 * M_PI * golden * (7 * round + floor(t / 0.5)),
                 size = fmod(t, 0.5) < 0.1 ? 200 : 0;
    r->engine->push(r->self, r->chest, (const double[3]){size * cos(angle), size * sin(angle), 0});
}

/* What comes before a step and is not timed. */
static void prepare(const struct run *r, int step) {
    const int row = (int)((long long)step * r->nrow / r->nstep);
    const int before = step > 0 ? (int)((long long)(step - 1) * r->nrow / r->nstep) : -1;
    if (step % r->round == 0) r->engine->start(r->self, r->q, r->qd);
    if (row != before) r->engine->target(r->self, r->target + row * r->tree.nq);
    if (is_scene(r, "push")) push(r, step);
}

/* Distance of the pose from the target, of the joint that is worst; the root counts where it is driven. */
static double pose_error(const struct run *r, const double *q, const double *target) {
    double worst = 0;
    for (int i = 0; i < r->tree.nbody; i++) {
        const struct peer_body *b = &r->tree.body[i];
        const int skip = b->joint == PEER_FREE ? 3 : 0;
        double e[3] = {0, 0, 0};
        if (b->joint == PEER_WELD || (b->joint == PEER_FREE && !r->options->driven_root)) continue;
        if (b->joint == PEER_HINGE)
            e[0] = q[b->q] - target[b->q];
        else
            peer_quat_error(target + b->q + skip, q + b->q + skip, e);
        const double angle = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        if (!(angle <= worst)) worst = angle; /* and NaN */
        for (int k = 0; k < skip; k++)
            worst = fmax(worst, fabs(q[b->q + k] - target[b->q + k]));
    }
    return worst;
}

static bool is_finite(const struct run *r) {
    for (int i = 0; i < r->tree.nq; i++)
        if (!(fabs(r->now[i]) < 1e6)) return false;
    return true;
}

/* One run that is watched and not timed. */
static struct result watch(const struct run *r) {
    struct result w = {.finite = true};
    const int second = (int)(1 / r->options->dt + 0.5);
    double early[2] = {r->q[0], r->q[1]};
    for (; w.steps < r->nstep; w.steps++) {
        struct peer_look look = {0, 0, 0};
        prepare(r, w.steps);
        w.finite = r->engine->step(r->self);
        r->engine->state(r->self, r->now);
        w.finite = w.finite && is_finite(r);
        if (!w.finite) break;
        r->engine->look(r->self, &look);
        w.contacts += look.contacts, w.rows += look.rows;
        w.penetration = fmax(w.penetration, look.penetration);
        const int row = (int)((long long)w.steps * r->nrow / r->nstep);
        if (w.steps >= r->nstep - second)
            w.error = fmax(w.error, pose_error(r, r->now, r->target + row * r->tree.nq));
        if (w.steps == second) early[0] = r->now[0], early[1] = r->now[1];
    }
    if (w.finite) w.height = r->now[2] - r->q[2], w.drift = hypot(r->now[0] - early[0], r->now[1] - early[1]);
    return w;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The same steps again. Each has a fastest time of its own: whatever disturbs adds to it. */
static void time_steps(const struct run *r, int steps) {
    for (int i = 0; i < steps; i++) {
        prepare(r, i);
        const double begin = seconds_now();
        r->engine->step(r->self);
        r->fastest[i] = fmin(r->fastest[i], seconds_now() - begin);
    }
}

/* Forward dynamics alone, of states along the motion. */
static void time_forward(const struct run *r) {
    for (int i = 0; i < r->nstep; i++) {
        r->engine->start(r->self, r->target + i * r->tree.nq, r->rate + i * r->tree.nv);
        r->engine->load(r->self, r->tau);
        const double begin = seconds_now();
        r->engine->forward(r->self);
        r->fastest[i] = fmin(r->fastest[i], seconds_now() - begin);
    }
}

static double microseconds(const struct run *r, int steps) {
    double sum = 0;
    for (int i = 0; i < steps; i++)
        sum += r->fastest[i];
    return steps > 0 ? 1e6 * sum / steps : (double)INFINITY;
}

/* ------------------------------------------------------------------------------------------------- output */

/* JSON has no NaN: what was not measured is null. */
static void print_number(const char *name, bool known, double value) {
    if (known && isfinite(value))
        printf(", \"%s\": %.9g", name, value);
    else
        printf(", \"%s\": null", name);
}

static const char *verdict(const struct run *r, const struct result *w) {
    if (!w->finite) return "diverges";
    if (is_scene(r, "track")) return w->error < 1 ? "ok" : "off";
    if (is_scene(r, "stand")) return fabs(w->height) < 0.1 ? "ok" : "topples";
    return "ok";
}

static void print_result(const struct run *r, const struct result *w, double us) {
    const struct peer_options *o = r->options;
    const bool fd = is_scene(r, "fd");
    printf("{\"engine\": \"%s\", \"version\": \"%s\", \"precision\": \"%s\", \"scene\": \"%s\", \"method\": "
           "\"%s\"",
           r->engine->name, r->engine->version(), r->engine->precision, o->scene, o->method);
    printf(", \"dt\": %.9g, \"kp\": %g, \"kd\": %g, \"steps\": %d", o->dt, o->kp, o->kd, w->steps);
    print_number("steps_per_s", us > 0, 1e6 / us);
    print_number("us_per_step", us > 0, us);
    print_number("contacts", w->steps > 0 && !fd, w->contacts / w->steps);
    print_number("constraints", w->steps > 0 && !fd, w->rows / w->steps);
    print_number("penetration", !fd, w->penetration);
    print_number("drift", w->finite && !fd && o->seconds > 1, w->drift);
    print_number("height", w->finite && !fd, w->height);
    print_number("error", w->finite && !fd, w->error);
    printf(", \"verdict\": \"%s\", \"finite\": %s}\n", verdict(r, w), w->finite ? "true" : "false");
}

/* Accelerations of the state in the file, beside Sinew's: the largest difference over the largest of them. */
static int check(const struct run *r, const char *path) {
    struct peer_tree tree;
    peer_read_tree(&tree, path);
    if (tree.nq != r->tree.nq || tree.nv != r->tree.nv) peer_die("another model than that of the file", path);
    double *qdd = numbers(tree.nv), off = 0, largest = 0;
    r->engine->start(r->self, tree.q, tree.qd);
    r->engine->load(r->self, tree.tau);
    r->engine->forward(r->self);
    r->engine->acceleration(r->self, qdd);
    for (int i = 0; i < tree.nv; i++) {
        const double difference = fabs(qdd[i] - tree.qdd[i]);
        if (!(difference <= off)) off = difference; /* and NaN */
        largest = fmax(largest, fabs(tree.qdd[i]));
    }
    const bool good = off <= r->engine->tolerance * largest;
    printf("{\"engine\": \"%s\", \"version\": \"%s\", \"precision\": \"%s\", \"difference\": %.3g, "
           "\"agrees\": %s}\n",
           r->engine->name, r->engine->version(), r->engine->precision, off / largest,
           good ? "true" : "false");
    free(qdd);
    peer_free_tree(&tree);
    return good ? 0 : 1;
}

/* ---------------------------------------------------------------------------------------------- arguments */

static const char *const scenes[] = {"stand", "fall", "push", "track", "fd", NULL};

static _Noreturn void usage(const struct peer_engine *engine) {
    fprintf(stderr, "usage: %s MODEL [--scene stand|fall|push|track|fd] [--method ", program);
    for (int i = 0; engine->methods[i]; i++)
        fprintf(stderr, "%s%s", i ? "|" : "", engine->methods[i]);
    fprintf(
        stderr,
        "]\n           [--dt S] [--seconds S] [--kp K] [--kd K] [--root-kp K] [--root-kd K] [--repeat N]\n"
        "           [--root-free] [--no-limits] [--hertz F] [--sway RAD] [--root-still] [--poses FILE] "
        "[--check TREE] [--write TREE]\n");
    exit(2);
}

/* A number not below the least, or a quotient of two such as 1/240. */
static double number(const char *text, double least) {
    char *end;
    double value = strtod(text, &end);
    if (end != text && *end == '/') value /= strtod(end + 1, &end);
    if (end == text || *end || !isfinite(value) || value < least) peer_die("not a fit number", text);
    return value;
}

static const char *choice(const char *text, const char *const *names) {
    for (; *names; names++)
        if (strcmp(text, *names) == 0) return text;
    peer_die("unknown choice", text);
}

static bool take_value(struct peer_options *o, const struct peer_engine *engine, const char *name,
                       const char *value) {
    const struct {
        const char *name;
        double *value, least;
    } option[] = {{"--dt", &o->dt, 1e-9},        {"--seconds", &o->seconds, 1e-9}, {"--kp", &o->kp, 0},
                  {"--hertz", &o->hertz, 1e-9},  {"--sway", &o->sway, 0},          {"--kd", &o->kd, 0},
                  {"--root-kp", &o->root_kp, 0}, {"--root-kd", &o->root_kd, 0}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (strcmp(name, option[i].name) == 0) {
            *option[i].value = number(value, option[i].least);
            return true;
        }
    if (strcmp(name, "--scene") == 0) return (o->scene = choice(value, scenes)) != NULL;
    if (strcmp(name, "--method") == 0) return (o->method = choice(value, engine->methods)) != NULL;
    if (strcmp(name, "--repeat") == 0) return (o->repeat = (int)fmin(number(value, 0), 1e6)) >= 0;
    if (strcmp(name, "--poses") == 0) return (o->poses = value) != NULL;
    if (strcmp(name, "--check") == 0) return (o->check = value) != NULL;
    if (strcmp(name, "--write") == 0) return (o->write = value) != NULL;
    return false;
}

/* Gains of maba-2020 section 4.1 without ground; softer ones on it. */
static void complete(struct peer_options *o) {
    const bool track = strcmp(o->scene, "track") == 0, fd = strcmp(o->scene, "fd") == 0 || o->check;
    o->ground = !track && !fd;
    o->driven_root = track;
    if (o->kp < 0) o->kp = o->ground ? 1000 : 75000;
    if (o->kd < 0) o->kd = o->ground ? 100 : 4000;
    if (fd) o->kp = o->kd = 0;
    if (o->seconds == 0) o->seconds = !o->ground ? 1 : strcmp(o->scene, "fall") == 0 ? 2 : 10;
    if (o->dt > 1) peer_die("steps of at most a second, please", NULL);
    if (o->seconds / o->dt < 1 || o->seconds / o->dt > 1e6) peer_die("from 1 to 1e6 steps, please", NULL);
}

static struct peer_options parse(const struct peer_engine *engine, int argc, char **argv) {
    struct peer_options o = {.scene = "stand",
                             .method = engine->methods[0],
                             .dt = 1 / 240.0,
                             .kp = -1,
                             .kd = -1,
                             .root_kp = 20000,
                             .root_kd = 2000,
                             .hertz = 1,
                             .sway = 0.25,
                             .repeat = 5};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--root-free") == 0)
            o.root_free = true;
        else if (strcmp(argv[i], "--root-still") == 0)
            o.root_still = true;
        else if (strcmp(argv[i], "--no-limits") == 0)
            o.no_limits = true;
        else if (argv[i][0] != '-' && !o.model)
            o.model = argv[i];
        else if (argv[i][0] != '-' || i + 1 == argc || !take_value(&o, engine, argv[i], argv[i + 1]))
            usage(engine);
        else
            i++;
    }
    if (!o.model) usage(engine);
    complete(&o);
    return o;
}

int peer_main(const struct peer_engine *engine, int argc, char **argv) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    if (argc > 0) program = slash ? slash + 1 : argv[0];
    const struct peer_options options = parse(engine, argc, argv);
    struct run run;
    int code = 0;
    open_run(&run, engine, &options);
    if (options.write) {
        peer_write_tree(&run.tree, options.write);
    } else if (options.check) {
        code = check(&run, options.check);
    } else {
        const bool fd = is_scene(&run, "fd");
        const struct result result = fd ? (struct result){.steps = run.nstep, .finite = true} : watch(&run);
        for (int i = 0; i < options.repeat; i++)
            if (fd)
                time_forward(&run);
            else
                time_steps(&run, result.steps);
        print_result(&run, &result, options.repeat > 0 ? microseconds(&run, result.steps) : 0);
    }
    close_run(&run);
    return code;
}
