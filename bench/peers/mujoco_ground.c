/* A character on the ground in MuJoCo, held in a pose by stable PD: how fast, how deep, how far it creeps.
 *
 *   peer_mujoco_ground MODEL.xml --scene stand|fall --method euler|implicit|armature --dt 1/240
 *       --seconds 10 --kp 1000 --kd 100 [--root-free] [--no-limits] [--repeat 5] [--poses targets.json]
 *
 * The model is a bare character as `sinew convert humanoid humanoid.xml` writes it; the ground, the contact
 * masks and the options are put in here. One JSON object is printed.
 *
 * The drive is the same in every method, that of spd-2011 eq. 3, with e = q - target and h = dt:
 *
 *     tau = -kp (e + h qd) - kd (qd + h qdd)
 *
 * The first term is known before the step and goes into qfrc_applied. The methods differ in who solves for the
 * qdd of the second one, and in what the contact solver knows of it:
 *
 *   euler     kd is joint damping, which MuJoCo's Euler integrator takes implicitly: (M + h kd) qdd = ...,
 *             after the contact forces have been found with M alone. Two factorisations a step.
 *   implicit  the same, and the integrator takes the derivatives of the Coriolis terms too.
 *   armature  h kd is added to the joints' armature and -kd qd to the applied force: M + h kd is MuJoCo's mass
 *             matrix, so the contact solver sees the drives as well. One factorisation a step.
 *
 * Without contact euler and armature are the same to rounding. Joint springs or position actuators would not
 * make implicit any more implicit: MuJoCo differentiates forces by velocity only. */
#define _GNU_SOURCE
#include <mujoco/mujoco.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct options {
    const char *model, *scene, *method, *poses;
    double dt, seconds, kp, kd;
    int repeat;
    bool root_free, no_limits;
};

/* A driven joint: where its values are in qpos, and in qvel and the forces. */
struct drive {
    int type, q, v;
};

struct scene {
    mjModel *m;
    mjData *d;
    int root;              /* body with the free joint */
    mjtNum *qpos, *qvel;   /* the start */
    struct drive *drive;   /* [ndrive] */
    mjtNum (*target)[4];   /* [nrow * ndrive] angle, or conjugate of the quaternion */
    int ndrive, nrow;      /* rows of targets, each held for an equal part of the run */
    mjtNum stiff, viscous; /* applied force = -stiff e - viscous qd */
    int nstep;
};

struct result {
    int steps; /* taken before the first bad number, or all */
    bool finite, held;
    int warnings;
    double contacts, constraints, penetration, drift, foot_drift, height;
};

static _Noreturn void die(const char *what, const char *detail) {
    fprintf(stderr, "peer_mujoco_ground: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    exit(1);
}

static void on_error(const char *text) {
    die("MuJoCo", text);
}

/* Warnings are counted in mjData; MuJoCo's own handler would write a log file. */
static void on_warning(const char *text) {
    (void)text;
}

static void *need(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) die("out of memory", NULL);
    return memory;
}

static char *read_text(const char *path) {
    FILE *stream = fopen(path, "rb");
    if (!stream) die("cannot open", path);
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', stream) < 0) die("cannot read", path);
    fclose(stream);
    return text;
}

/* -------------------------------------------------------------------------------------------------- model */

/* The place behind the start tag whose name is the given one, at or after text. */
static const char *behind_tag(const char *text, const char *open) {
    size_t length = strlen(open);
    for (const char *at = strstr(text, open); at; at = strstr(at + length, open))
        if (strchr(" \t\r\n>", at[length])) {
            const char *end = strchr(at, '>');
            if (end && end[-1] != '/') return end + 1;
        }
    die("the model has no such element", open);
}

/* MuJoCo lets two geoms collide when contype of one and conaffinity of the other share a bit. Bodies have
 * (1, 0) and the plane (0, 1): body and plane share one, two bodies do not. Friction is the larger of both. */
static char *scene_text(const struct options *options) {
    static const char plane[] =
        "<geom name=\"peer_ground\" type=\"plane\" size=\"0 0 1\" contype=\"0\" conaffinity=\"1\" "
        "friction=\"1 0.005 0.0001\"/>";
    char *model = read_text(options->model);
    const char *top = behind_tag(model, "<mujoco");
    const char *world = behind_tag(top, "<worldbody");
    const char *body = behind_tag(world, "<body");
    char *text;
    if (asprintf(&text, "%.*s%.*s%s%.*s%s%s", (int)(top - model), model, (int)(world - top), top, plane,
                 (int)(body - world), world,
                 options->root_free && !strstr(model, "\"free\"") ? "<freejoint/>" : "", body) < 0)
        die("out of memory", NULL);
    free(model);
    return text;
}

static mjModel *load(const struct options *options) {
    static const char name[] = "scene.xml";
    char *text = scene_text(options), error[1000] = "";
    int size = (int)strlen(text);
    mjVFS *vfs = need(1, sizeof *vfs);
    mj_defaultVFS(vfs);
    if (mj_makeEmptyFileVFS(vfs, name, size) != 0) die("the model is too large", options->model);
    memcpy(vfs->filedata[mj_findFileVFS(vfs, name)], text, (size_t)size);
    mjModel *m = mj_loadXML(name, vfs, error, sizeof error);
    mj_deleteVFS(vfs);
    free(vfs);
    free(text);
    if (!m) die(options->model, error);

    m->opt.timestep = options->dt;
    m->opt.integrator = strcmp(options->method, "implicit") == 0 ? mjINT_IMPLICIT : mjINT_EULER;
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    if (m->nu) m->opt.disableflags |= mjDSBL_ACTUATION; /* the drives here are the only ones */
    if (options->no_limits) m->opt.disableflags |= mjDSBL_LIMIT;
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_bodyid[i])
            m->geom_contype[i] = 1, m->geom_conaffinity[i] = 0; /* whatever the file says */
    return m;
}

/* ------------------------------------------------------------------------------------------------- drives */

static void find_drives(struct scene *s) {
    const mjModel *m = s->m;
    s->drive = need((size_t)m->njnt, sizeof *s->drive);
    s->root = 0;
    for (int j = 0; j < m->njnt; j++) {
        struct drive drive = {m->jnt_type[j], m->jnt_qposadr[j], m->jnt_dofadr[j]};
        if (drive.type != mjJNT_FREE)
            s->drive[s->ndrive++] = drive;
        else if (!s->root)
            s->root = m->jnt_bodyid[j];
    }
    if (!s->root) die("no body has a free joint (see --root-free)", NULL);
}

static void set_gains(struct scene *s, const struct options *options) {
    mjModel *m = s->m;
    bool armature = strcmp(options->method, "armature") == 0;
    s->stiff = options->kp;
    s->viscous = options->kp * options->dt + (armature ? options->kd : 0);
    for (int i = 0; i < s->ndrive; i++)
        for (int k = 0; k < (s->drive[i].type == mjJNT_BALL ? 3 : 1); k++) {
            if (armature)
                m->dof_armature[s->drive[i].v + k] += options->dt * options->kd;
            else
                m->dof_damping[s->drive[i].v + k] += options->kd;
        }
    if (armature) mj_setConst(m, s->d); /* the contact solver scales its softness by the inertia */
}

/* All numbers of nested arrays. The brackets say nothing that the number of values does not. */
static int read_numbers(const char *path, mjtNum **numbers) {
    char *text = read_text(path);
    int count = 0;
    *numbers = need(strlen(text), sizeof **numbers);
    for (char *at = text; *at;) {
        char *end = at + 1;
        if (!strchr("[], \t\r\n", *at)) (*numbers)[count++] = strtod(at, &end);
        if (end == at) die("not an array of arrays of numbers", path);
        at = end;
    }
    free(text);
    return count;
}

/* Rows of nq values in the order of qpos, which is also that of Sinew's q; those of the root are not used. */
static void set_targets(struct scene *s, const char *path) {
    int nq = s->m->nq, count = nq;
    mjtNum *row = s->qpos;
    if (path) count = read_numbers(path, &row);
    if (count == 0 || count % nq) die("a target pose has another number of values than the model", path);
    s->nrow = count / nq;
    s->target = need((size_t)s->nrow * (size_t)s->ndrive, sizeof *s->target);
    for (int i = 0; i < s->nrow * s->ndrive; i++) {
        const struct drive *drive = s->drive + i % s->ndrive;
        const mjtNum *q = row + (i / s->ndrive) * nq + drive->q;
        if (drive->type == mjJNT_BALL) {
            mju_negQuat(s->target[i], q);
            mju_normalize4(s->target[i]);
        } else
            s->target[i][0] = q[0];
    }
    if (path) free(row);
}

/* Rotation vector, in the child's axes, of the quaternion conj(target) q. */
static inline void ball_error(mjtNum e[3], const mjtNum t[4], const mjtNum q[4]) {
    mjtNum w = t[0] * q[0] - t[1] * q[1] - t[2] * q[2] - t[3] * q[3];
    e[0] = t[0] * q[1] + t[1] * q[0] + t[2] * q[3] - t[3] * q[2];
    e[1] = t[0] * q[2] + t[2] * q[0] + t[3] * q[1] - t[1] * q[3];
    e[2] = t[0] * q[3] + t[3] * q[0] + t[1] * q[2] - t[2] * q[1];
    mjtNum length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    mjtNum scale = length > 1e-12 ? 2 * atan2(length, fabs(w)) / length : 2; /* the shorter way round */
    if (w < 0) scale = -scale;
    for (int k = 0; k < 3; k++)
        e[k] *= scale;
}

static void apply_drives(const struct scene *s, int step) {
    const mjtNum *qpos = s->d->qpos, *qvel = s->d->qvel;
    mjtNum *force = s->d->qfrc_applied;
    const mjtNum(*target)[4] = (const mjtNum(*)[4])s->target;
    if (s->nrow > 1) target += (long long)step * s->nrow / s->nstep * s->ndrive;
    for (int i = 0; i < s->ndrive; i++) {
        const struct drive *drive = s->drive + i;
        const mjtNum *v = qvel + drive->v;
        mjtNum *f = force + drive->v;
        if (drive->type == mjJNT_BALL) {
            mjtNum e[3];
            ball_error(e, target[i], qpos + drive->q);
            for (int k = 0; k < 3; k++)
                f[k] = -s->stiff * e[k] - s->viscous * v[k];
        } else
            f[0] = -s->stiff * (qpos[drive->q] - target[i][0]) - s->viscous * v[0];
    }
}

static void step_scene(const struct scene *s, int step) {
    apply_drives(s, step);
    mj_step(s->m, s->d);
}

/* -------------------------------------------------------------------------------------------------- scene */

/* How far a geom reaches below its centre: the support function of its shape along -z. */
static double reach_below(const mjModel *m, const mjData *d, int geom) {
    const mjtNum *size = m->geom_size + 3 * geom,
                 *z = d->geom_xmat + 9 * geom + 6; /* third row: axes' heights */
    switch (m->geom_type[geom]) {
    case mjGEOM_SPHERE:
        return size[0];
    case mjGEOM_CAPSULE:
        return size[0] + size[1] * fabs(z[2]);
    case mjGEOM_CYLINDER:
        return size[0] * sqrt(fmax(0, 1 - z[2] * z[2])) + size[1] * fabs(z[2]);
    case mjGEOM_ELLIPSOID:
        return sqrt(pow(size[0] * z[0], 2) + pow(size[1] * z[1], 2) + pow(size[2] * z[2], 2));
    case mjGEOM_BOX:
        return size[0] * fabs(z[0]) + size[1] * fabs(z[1]) + size[2] * fabs(z[2]);
    default:
        die("geoms must be spheres, capsules, cylinders, ellipsoids or boxes", NULL);
    }
}

/* The zero pose, its lowest point on the plane; to fall, 0.2 m above it, moving forward and tilting. */
static void place(struct scene *s, bool fall) {
    const mjModel *m = s->m;
    mjData *d = s->d;
    mj_resetData(m, d);
    mj_kinematics(m, d);
    double lowest = INFINITY;
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_bodyid[i]) lowest = fmin(lowest, d->geom_xpos[3 * i + 2] - reach_below(m, d, i));
    if (!isfinite(lowest)) die("the model has no geoms", NULL);

    int joint = m->body_jntadr[s->root], q = m->jnt_qposadr[joint], v = m->jnt_dofadr[joint];
    s->qpos = need((size_t)m->nq, sizeof *s->qpos);
    s->qvel = need((size_t)m->nv, sizeof *s->qvel);
    mju_copy(s->qpos, d->qpos, m->nq);
    s->qpos[q + 2] += (fall ? 0.2 : 0) - lowest;
    if (fall) {
        static const mjtNum spin[3] = {0, 1, 0}; /* rad/s in the world; qvel has it in the root's axes */
        mjtNum inverse[4];
        mju_negQuat(inverse, s->qpos + q + 3);
        s->qvel[v] = 1.5;
        mju_rotVecQuat(s->qvel + v + 3, spin, inverse);
    }
}

static struct scene make_scene(const struct options *options) {
    struct scene s = {.m = load(options)};
    s.d = mj_makeData(s.m);
    if (!s.d) die("out of memory", NULL);
    s.nstep = (int)(options->seconds / options->dt + 0.5);
    find_drives(&s);
    place(&s, strcmp(options->scene, "fall") == 0);
    set_gains(&s, options);
    set_targets(&s, options->poses);
    return s;
}

static void free_scene(struct scene *s) {
    free(s->qpos);
    free(s->qvel);
    free(s->drive);
    free(s->target);
    mj_deleteData(s->d);
    mj_deleteModel(s->m);
}

static void start(const struct scene *s) {
    mj_resetData(s->m, s->d);
    mju_copy(s->d->qpos, s->qpos, s->m->nq);
    mju_copy(s->d->qvel, s->qvel, s->m->nv);
}

/* --------------------------------------------------------------------------------------------------- runs */

/* Where bodies are, and which touch the ground, at the state the data hold now. */
struct snapshot {
    mjtNum *xpos;
    bool *touch;
};

static struct snapshot look(const struct scene *s) {
    const mjModel *m = s->m;
    mjData *d = s->d;
    struct snapshot now = {need(3 * (size_t)m->nbody, sizeof(mjtNum)), need((size_t)m->nbody, sizeof(bool))};
    mj_fwdPosition(m, d); /* after a step the poses are those before it */
    mju_copy(now.xpos, d->xpos, 3 * m->nbody);
    for (int i = 0; i < d->ncon; i++) {
        now.touch[m->geom_bodyid[d->contact[i].geom1]] = true;
        now.touch[m->geom_bodyid[d->contact[i].geom2]] = true;
    }
    return now;
}

static void free_snapshot(struct snapshot *snapshot) {
    free(snapshot->xpos);
    free(snapshot->touch);
}

static double travel(const struct snapshot *from, const struct snapshot *to, int body) {
    const mjtNum *a = from->xpos + 3 * body, *b = to->xpos + 3 * body;
    return hypot(b[0] - a[0], b[1] - a[1]);
}

static void compare(struct result *result, const struct scene *s, const struct snapshot *from,
                    const struct snapshot *to) {
    result->drift = travel(from, to, s->root);
    for (int i = 1; i < s->m->nbody; i++)
        if (from->touch[i] && to->touch[i]) {
            result->held = true;
            result->foot_drift = fmax(result->foot_drift, travel(from, to, i));
        }
}

/* MuJoCo starts over, with a warning, when a number is bad: that is the end of a run here. */
static bool is_bad(const mjData *d) {
    return d->warning[mjWARN_BADQPOS].number || d->warning[mjWARN_BADQVEL].number ||
           d->warning[mjWARN_BADQACC].number;
}

/* One run that is watched and not timed. */
static struct result watch(const struct scene *s) {
    struct result result = {.finite = true};
    const mjData *d = s->d;
    struct snapshot early = {NULL, NULL};
    int second = (int)(1 / s->m->opt.timestep + 0.5);
    if (second > s->nstep) second = s->nstep;
    start(s);
    double height = d->qpos[s->m->jnt_qposadr[s->m->body_jntadr[s->root]] + 2];
    for (; result.steps < s->nstep; result.steps++) {
        if (result.steps == second) early = look(s);
        step_scene(s, result.steps);
        if (is_bad(d)) {
            result.finite = false;
            break;
        }
        result.contacts += d->ncon;
        result.constraints += d->nefc;
        for (int i = 0; i < d->ncon; i++)
            result.penetration = fmax(result.penetration, -d->contact[i].dist);
    }
    for (int i = 0; i < mjNWARNING; i++)
        result.warnings += d->warning[i].number;
    if (result.finite) {
        struct snapshot late = look(s);
        result.height = late.xpos[3 * s->root + 2] - height;
        if (early.xpos) compare(&result, s, &early, &late);
        free_snapshot(&late);
    }
    free_snapshot(&early);
    return result;
}

static double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The same run with nothing but the steps, the fastest of several. */
static double steps_per_second(const struct scene *s, int steps, int repeat) {
    double best = INFINITY;
    for (int r = 0; r < repeat; r++) {
        start(s);
        double begin = seconds_now();
        for (int i = 0; i < steps; i++)
            step_scene(s, i);
        best = fmin(best, seconds_now() - begin);
    }
    return steps > 0 && best > 0 && isfinite(best) ? steps / best : 0;
}

/* -------------------------------------------------------------------------------------------------- output */

/* JSON has no NaN: what was not measured is null. */
static void print_number(const char *name, bool known, double value) {
    if (known && isfinite(value))
        printf(", \"%s\": %.9g", name, value);
    else
        printf(", \"%s\": null", name);
}

static void print_result(const struct options *options, const struct scene *s, const struct result *r,
                         double rate) {
    static const char *solver[] = {"PGS", "CG", "Newton"}, *cone[] = {"pyramidal", "elliptic"};
    const mjOption *opt = &s->m->opt;
    bool late = r->finite && s->nstep * opt->timestep > 1;
    printf("{\"engine\": \"mujoco\", \"version\": \"%s\", \"scene\": \"%s\", \"method\": \"%s\"",
           mj_versionString(), options->scene, options->method);
    printf(", \"solver\": \"%s\", \"cone\": \"%s\", \"iterations\": %d, \"tolerance\": %g",
           solver[opt->solver], cone[opt->cone], opt->iterations, opt->tolerance);
    printf(", \"dt\": %.9g, \"kp\": %g, \"kd\": %g, \"steps\": %d", opt->timestep, options->kp, options->kd,
           r->steps);
    print_number("steps_per_s", rate > 0, rate);
    print_number("us_per_step", rate > 0, 1e6 / rate);
    print_number("contacts", r->steps > 0, r->contacts / r->steps);
    print_number("constraints", r->steps > 0, r->constraints / r->steps);
    print_number("penetration", true, r->penetration);
    print_number("drift", late, r->drift);
    print_number("foot_drift", late && r->held, r->foot_drift);
    print_number("height", r->finite, r->height);
    printf(", \"finite\": %s, \"warnings\": %d}\n", r->finite ? "true" : "false", r->warnings);
}

/* ----------------------------------------------------------------------------------------------- arguments */

static _Noreturn void usage(void) {
    fputs("usage: peer_mujoco_ground MODEL.xml [--scene stand|fall] [--method euler|implicit|armature] [--dt "
          "S]\n"
          "           [--seconds S] [--kp K] [--kd K] [--root-free] [--no-limits] [--repeat N] [--poses "
          "FILE]\n",
          stderr);
    exit(2);
}

/* A number not below the least, or a quotient of two such as 1/240. */
static double number(const char *text, double least) {
    char *end;
    double value = strtod(text, &end);
    if (end != text && *end == '/') value /= strtod(end + 1, &end);
    if (end == text || *end || !isfinite(value) || value < least) die("not a fit number", text);
    return value;
}

static const char *choice(const char *text, const char *const *names) {
    for (; *names; names++)
        if (strcmp(text, *names) == 0) return text;
    die("unknown choice", text);
}

static struct options parse(int argc, char **argv) {
    static const char *const scenes[] = {"stand", "fall", NULL};
    static const char *const methods[] = {"euler", "implicit", "armature", NULL};
    struct options o = {
        .scene = "stand", .method = "euler", .dt = 1 / 240.0, .kp = 1000, .kd = 100, .repeat = 5};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(name, "--root-free") == 0) {
            o.root_free = true;
        } else if (strcmp(name, "--no-limits") == 0) {
            o.no_limits = true;
        } else if (name[0] != '-' && !o.model) {
            o.model = name;
        } else {
            if (name[0] != '-' || !value) usage();
            i++;
            if (strcmp(name, "--scene") == 0)
                o.scene = choice(value, scenes);
            else if (strcmp(name, "--method") == 0)
                o.method = choice(value, methods);
            else if (strcmp(name, "--dt") == 0)
                o.dt = number(value, 1e-9);
            else if (strcmp(name, "--seconds") == 0)
                o.seconds = number(value, 1e-9);
            else if (strcmp(name, "--kp") == 0)
                o.kp = number(value, 0);
            else if (strcmp(name, "--kd") == 0)
                o.kd = number(value, 0);
            else if (strcmp(name, "--repeat") == 0)
                o.repeat = (int)fmin(number(value, 0), 1e6);
            else if (strcmp(name, "--poses") == 0)
                o.poses = value;
            else
                usage();
        }
    }
    if (!o.model) usage();
    if (o.seconds == 0) o.seconds = strcmp(o.scene, "fall") == 0 ? 3 : 10;
    if (o.seconds / o.dt < 1 || o.seconds / o.dt > 1e9) die("from 1 to 1e9 steps, please", NULL);
    return o;
}

int main(int argc, char **argv) {
    mju_user_error = on_error;
    mju_user_warning = on_warning;
    struct options options = parse(argc, argv);
    struct scene scene = make_scene(&options);
    struct result result = watch(&scene);
    double rate = steps_per_second(&scene, result.steps, options.repeat);
    print_result(&options, &scene, &result, rate);
    free_scene(&scene);
    return 0;
}
