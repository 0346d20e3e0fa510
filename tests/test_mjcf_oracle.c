/* The MJCF reader against MuJoCo itself, on every MJCF file under the folder that SINEW_DATA names: masses, inertias,
 * joints, limits, mass matrices and bias forces. A table tells of each file what both made of it. Skipped, with one line,
 * without that folder or without MuJoCo. */
#define _GNU_SOURCE /* nftw */
#include "whole_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if !SN__HAVE_MUJOCO

TEST(mjcf_files_agree_with_mujoco) {
    puts("skipped: MuJoCo (Debian: libmujoco-dev) was not found when this was built");
    skip();
}

#else

#include "mujoco_helpers.h"

#include "model/model.h"
#include "base/memory.h"
#include "base/quat.h"
#include "import/readers.h"
#include "import/xml.h"
#include "model/inertia.h"
#include "sinew/dynamics.h"

#include <ftw.h>
#include <math.h>
#include <string.h>

static const double tolerance = 1e-6;

/* -------------------------------------------------------------------------------------------------- files */

enum { MAX_FILES = 1024, POSES = 5 };

static char *file[MAX_FILES];
static int nfile;

/* Of text that grows. */
struct text {
    char *data;
    size_t size;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool is_mjcf(const char *path) {
    size_t size;
    char *text = read_whole(path, &size);
    sn_error error;
    struct sn__xml *xml = sn__xml_parse(text, size, path, &error);
    bool yes = xml && strcmp(xml->root->name, "mujoco") == 0;
    sn__xml_free(xml);
    free(text);
    return yes;
}

static int visit(const char *path, const struct stat *status, int type, struct FTW *where) {
    (void)status, (void)where;
    size_t length = strlen(path);
    if (type == FTW_F && length > 4 && strcmp(path + length - 4, ".xml") == 0 && nfile < MAX_FILES &&
        is_mjcf(path))
        file[nfile++] = strdup(path);
    return 0;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ------------------------------------------------------------------------------------------------ reduced */

static void add(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *piece = NULL;
    int length = vasprintf(&piece, format, arguments);
    va_end(arguments);
    assert_true(length >= 0);
    text->data = realloc(text->data, text->size + (size_t)length + 1);
    memcpy(text->data + text->size, piece, (size_t)length + 1);
    text->size += (size_t)length;
    free(piece);
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0) return true;
    return false;
}

/* The file without what an older MuJoCo does not know, what needs other files, and what says nothing about the mass. */
static void reduce(struct text *text, const struct sn__xml_node *node) {
    static const char *const elements[] = {
        "asset",  "visual", "statistic", "custom",   "contact",  "equality", "tendon",
        "sensor", "size",   "actuator",  "keyframe", "site",     "camera",   "light",
        "mesh",   "flag",   "position",  "motor",    "velocity", "general",  NULL};
    static const char *const attributes[] = {
        "actuatorfrcrange", "actuatorfrclimited", "actuatorgravcomp", "gravcomp",   "align",
        "alignfree",        "ellipsoidinertia",   "material",         "integrator", NULL};
    if (is_one_of(node->name, elements) || sn__xml_string(node, "mesh")) return;
    add(text, "<%s", node->name);
    for (const struct sn__xml_attribute *a = node->attribute; a; a = a->next)
        if (!is_one_of(a->name, attributes)) add(text, " %s=\"%s\"", a->name, a->value);
    add(text, ">%s", node->parent ? "" : "<compiler autolimits=\"true\"/>");
    for (const struct sn__xml_node *child = node->child; child; child = child->next)
        reduce(text, child);
    add(text, "</%s>\n", node->name);
}

static mjModel *load_reduced(const char *path, char reason[1000]) {
    size_t size;
    char *original = read_whole(path, &size);
    struct sn__xml *xml = sn__xml_parse(original, size, path, NULL);
    assert_non_null(xml);
    struct text text = {0};
    reduce(&text, xml->root);
    mjModel *m = mujoco_of_text(text.data, text.size, reason);
    free(text.data);
    free(original);
    sn__xml_free(xml);
    return m;
}

/* --------------------------------------------------------------------------------------------- differences */

/* The largest found so far, each relative to the size of what is compared. */
struct difference {
    double mass, com, inertia, joint, limit, matrix, bias;
};

static void note(double *worst, double difference, double scale) {
    double relative = scale > 0 ? fabs(difference) / scale : fabs(difference);
    if (!(relative <= *worst)) *worst = relative; /* keeps a nan */
}

static void compare_body(const mjModel *m, int b, const sn_body_info *body, struct difference *worst) {
    note(&worst->mass, body->mass - m->body_mass[b], m->body_mass[b]);
    if (!(m->body_mass[b] > 0)) return;
    double diagonal[6] = {m->body_inertia[3 * b], m->body_inertia[3 * b + 1], m->body_inertia[3 * b + 2]},
           J[6];
    double largest = fmax(diagonal[0], fmax(diagonal[1], diagonal[2]));
    sn__sym_rotate(m->body_iquat + 4 * b, diagonal, J);
    for (int i = 0; i < 6; i++)
        note(&worst->inertia, body->inertia[i] - J[i], largest);
    double size = dvec_length(m->body_ipos + 3 * b) + sqrt(largest / m->body_mass[b]);
    for (int i = 0; i < 3; i++)
        note(&worst->com, body->com[i] - m->body_ipos[3 * b + i], size);
}

static void compare_joint(const mjModel *m, int j, const sn_body_info *body, struct difference *worst) {
    static const sn_joint_type types[] = {SN_JOINT_FREE, SN_JOINT_BALL, SN_JOINT_SLIDE, SN_JOINT_HINGE};
    int type = m->jnt_type[j];
    assert_int_equal(body->joint.type, types[type]);
    assert_int_equal(body->q_index, m->jnt_qposadr[j]);
    assert_int_equal(body->v_index, m->jnt_dofadr[j]);
    double ref = type == mjJNT_HINGE || type == mjJNT_SLIDE ? m->qpos0[m->jnt_qposadr[j]] : 0;
    for (int i = 0; i < 3; i++) {
        if (type == mjJNT_HINGE || type == mjJNT_SLIDE)
            note(&worst->joint, body->joint.axis[i] - m->jnt_axis[3 * j + i], 1);
        if (type != mjJNT_FREE) note(&worst->joint, body->joint.anchor[i] - m->jnt_pos[3 * j + i], 1);
    }
    note(&worst->limit, (double)body->joint.limited - (double)m->jnt_limited[j], 1);
    if (!m->jnt_limited[j]) return;
    double lower = type == mjJNT_BALL ? -m->jnt_range[2 * j + 1] : m->jnt_range[2 * j] - ref;
    note(&worst->limit, body->joint.lower[0] - lower, 1);
    note(&worst->limit, body->joint.upper[0] - (m->jnt_range[2 * j + 1] - ref), 1);
}

/* A body with several joints is as many bodies here, the last of which is the body itself. */
static void compare_tree(const mjModel *m, const sn_model *model, struct difference *worst) {
    int at = 0;
    for (int b = 1; b < m->nbody; b++) {
        int njoint = m->body_jntnum[b];
        for (int k = 0; k < njoint; k++)
            compare_joint(m, m->body_jntadr[b] + k, sn_model_body(model, at + k), worst);
        at += njoint > 0 ? njoint : 1;
        const sn_body_info *body = sn_model_body(model, at - 1);
        assert_non_null(body);
        const char *name = mj_id2name(m, mjOBJ_BODY, b);
        if (name && name[0]) assert_string_equal(name, body->name);
        compare_body(m, b, body, worst);
    }
    assert_int_equal(at, sn_model_get(model)->nbody);
}

/* ------------------------------------------------------------------------------------------------- motion */

static double uniform(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

/* What has no counterpart must not show in the forces. */
static void silence(mjModel *m) {
    m->opt.density = m->opt.viscosity = 0;
    m->opt.disableflags = 0;
    m->opt.gravity[0] = m->opt.gravity[1] = 0;
    m->opt.gravity[2] = -9.81;
    for (int i = 0; i < m->ntendon; i++)
        m->tendon_stiffness[i] = m->tendon_damping[i] = 0;
    for (int j = 0; j < m->njnt; j++)
        if (m->jnt_type[j] == mjJNT_FREE) m->jnt_stiffness[j] = 0;
}

static void random_pose(const mjModel *m, uint64_t *seed, double *q) {
    for (int i = 0; i < m->nq; i++)
        q[i] = 2 * uniform(seed);
    for (int j = 0; j < m->njnt; j++) {
        int at = m->jnt_qposadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
        if (m->jnt_type[j] == mjJNT_FREE || m->jnt_type[j] == mjJNT_BALL) dquat_normalise(q + at);
    }
}

/* Takes off what carries bodies, which this MuJoCo knows nothing of. */
static void lift_bodies(const mjModel *m, mjData *d, const sn_model *model, double *force) {
    int at = 0;
    for (int b = 1; b < m->nbody; b++) {
        at += m->body_jntnum[b] > 0 ? m->body_jntnum[b] : 1;
        const sn_body_info *body = sn_model_body(model, at - 1);
        if (body->lift == 0) continue;
        double up[3] = {0, 0, -body->lift * m->body_mass[b] * m->opt.gravity[2]}, none[3] = {0};
        mj_applyFT(m, d, up, none, d->xipos + 3 * b, b, force);
    }
}

static void compare_motion(mjModel *m, const sn_model *model, struct difference *worst) {
    int nv = m->nv;
    mjData *d = mj_makeData(m);
    const sn_dynamics_def def = sn_dynamics_def_default();
    sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
    assert_non_null(dynamics);
    double *q = calloc((size_t)m->nq + 1, sizeof *q), *v = calloc((size_t)nv + 1, sizeof *v);
    double *zero = calloc((size_t)nv + 1, sizeof *zero), *c = calloc((size_t)nv + 1, sizeof *c);
    double *M = calloc((size_t)nv * (size_t)nv + 1, sizeof *M),
           *N = calloc((size_t)nv * (size_t)nv + 1, sizeof *N);
    silence(m);
    uint64_t seed = 1;
    for (int pose = 0; pose < POSES; pose++) {
        random_pose(m, &seed, q);
        for (int i = 0; i < nv; i++)
            v[i] = uniform(&seed);
        memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
        memcpy(d->qvel, v, (size_t)nv * sizeof *v);
        for (int j = 0; j < m->njnt; j++)
            if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE)
                d->qpos[m->jnt_qposadr[j]] += m->qpos0[m->jnt_qposadr[j]];
        mj_fwdPosition(m, d);
        mj_fwdVelocity(m, d);
        mj_fullM(m, M, d->qM);
        assert_int_equal(sn_dynamics_mass_matrix(dynamics, q, N), SN_OK);
        assert_int_equal(sn_dynamics_inverse(dynamics, q, v, NULL, zero, c), SN_OK);
        double force = 0;
        lift_bodies(m, d, model, d->qfrc_passive);
        for (int i = 0; i < nv; i++)
            force = fmax(force, fmax(fabs(d->qfrc_bias[i]), fabs(d->qfrc_passive[i])));
        for (int i = 0; i < nv; i++) {
            note(&worst->bias, c[i] - (d->qfrc_bias[i] - d->qfrc_passive[i]), force);
            for (int k = 0; k < nv; k++)
                note(&worst->matrix, N[i * nv + k] - M[i * nv + k], sqrt(M[i * nv + i] * M[k * nv + k]));
        }
    }
    free(q), free(v), free(zero), free(c), free(M), free(N);
    sn_dynamics_free(dynamics);
    mj_deleteData(d);
}

/* -------------------------------------------------------------------------------------------------- table */

struct count {
    int both, reduced, ours, theirs, neither, wrong;
};

static void count_warning(void *user, const char *message) {
    (void)message;
    ++*(int *)user;
}

static void quiet(const char *message) {
    (void)message;
}

static void on_one_line(char *text) {
    for (; *text; text++)
        if (*text == '\n' || *text == '\r') *text = ' ';
}

static void compare_file(const char *path, const char *shown, struct count *count) {
    int nwarning = 0;
    sn_load_def options = sn_load_def_default();
    options.warn = count_warning;
    options.user = &nwarning;
    sn_error error;
    char reason[1000] = "", why_reduced[1000] = "";
    sn_model *model = sn_model_load(path, &options, &error);
    mjModel *m = mj_loadXML(path, NULL, reason, sizeof reason);
    on_one_line(reason);

    bool reduced = model && !m && (m = load_reduced(path, why_reduced));
    printf("%-62s ", shown);
    if (model && m) {
        struct difference worst = {0};
        bool meshes = m->nmesh > 0;
        assert_int_equal(sn_model_get(model)->nv, m->nv);
        assert_int_equal(sn_model_get(model)->nq, m->nq);
        note(&worst.mass, sn_model_get(model)->mass - mj_getTotalmass(m), mj_getTotalmass(m));
        compare_tree(m, model, &worst);
        compare_motion(m, model, &worst);
        double all[] = {worst.mass,  worst.com,    worst.inertia, worst.joint,
                        worst.limit, worst.matrix, worst.bias};
        bool good = true;
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            good &= all[i] <= tolerance;
        printf("nv %3d  %8.4f kg  %2d warnings", m->nv, sn_model_get(model)->mass, nwarning);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            printf(" %7.0e", all[i]);
        printf("  %s%s%s\n", good ? "agree" : "DIFFER", meshes ? ", has meshes" : "",
               reduced ? ", reduced" : "");
        if (reduced) printf("    MuJoCo, as it stands: %s\n", reason);
        count->both += !reduced;
        count->reduced += reduced;
        count->wrong += !good && !meshes;
    } else {
        if (model) {
            printf("nv %3d  %8.4f kg  %2d warnings  read here only\n", sn_model_get(model)->nv,
                   sn_model_get(model)->mass, nwarning);
            count->ours++;
        } else {
            puts(m ? "read by MuJoCo only" : "read by neither");
            printf("    Sinew:  %s\n", error.message);
            count->theirs += m != NULL;
            count->neither += m == NULL;
            count->wrong += m && m->nbody > 1;
        }
        on_one_line(why_reduced);
        if (!m) printf("    MuJoCo: %s\n", reason);
        if (why_reduced[0]) printf("    MuJoCo, reduced: %s\n", why_reduced);
    }
    mj_deleteModel(m);
    sn_model_free(model);
}

TEST(mjcf_files_agree_with_mujoco) {
    const char *folder = getenv("SINEW_DATA");
    if (!folder || !folder[0]) {
        puts("skipped: SINEW_DATA does not name a folder with MJCF files");
        skip();
    }
    mju_user_warning = quiet;
    nfile = 0;
    nftw(folder, visit, 16, FTW_PHYS);
    qsort(file, (size_t)nfile, sizeof *file, compare_names);
    printf("%-62s relative differences of mass, centre, inertia, joint, limit, mass matrix, bias force\n",
           "file");
    struct count count = {0};
    for (int i = 0; i < nfile; i++) {
        const char *shown = file[i] + strlen(folder);
        compare_file(file[i], shown + strspn(shown, "/"), &count);
        free(file[i]);
    }
    printf("%d files: read by both %d, and when reduced %d; here only %d, by MuJoCo only %d, by neither %d; "
           "wrong %d\n",
           nfile, count.both, count.reduced, count.ours, count.theirs, count.neither, count.wrong);
    assert_true(nfile > 0);
    assert_int_equal(count.wrong, 0);
}

#endif

int main(void) {
    return run_all("mjcf oracle");
}
