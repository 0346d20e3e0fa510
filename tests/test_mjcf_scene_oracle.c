/* MJCF scenes as worlds, against MuJoCo itself: bodies, degrees of freedom, mass matrices, gravity, gains, couplings, and runs
 * of a hundred steps without contact, where both integrate alike: semi-implicit Euler with damping at the end of the step. */
#include "parse_helpers.h"
#include "run_tests.h"

#include <sinew/studies.h>

#include <stdio.h>

#if !SN__HAVE_MUJOCO

TEST(scenes_agree_with_mujoco) {
    puts("skipped: MuJoCo (Debian: libmujoco-dev) was not found when this was built");
    skip();
}

#else

#include "sinew/dynamics.h"
#include "sinew/sinew.h"

#include "mujoco_helpers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mjModel *load_mujoco(const char *text) {
    char reason[1000] = "";
    mjModel *m = mujoco_of_text(text, strlen(text), reason);
    if (!m) fail_msg("%s", reason);
    return m;
}

static sn_world *load_world(const char *text, const sn_world_def *def) {
    sn_error error;
    sn_world *world = world_from(text, strlen(text), "scene.xml", def, NULL, &error);
    if (!world) fail_msg("%s", error.message);
    return world;
}

/* A field of all members in a row, which is MuJoCo's order. */
static int gather(sn_world *world, sn_field field, double *values) {
    int n = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        const int size = sn_world_size(world, i, field);
        assert_int_equal(sn_world_get(world, i, field, 0, 1, values + n), SN_OK);
        n += size;
    }
    return n;
}

static double worst(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
    return most;
}

/* qpos as ours: hinges and slides from ref. */
static void pose_of(const mjModel *m, const double *qpos, double *q) {
    memcpy(q, qpos, sizeof *q * (size_t)m->nq);
    for (int j = 0; j < m->njnt; j++) {
        const int at = m->jnt_qposadr[j];
        if (m->jnt_type[j] == mjJNT_HINGE || m->jnt_type[j] == mjJNT_SLIDE) q[at] -= m->qpos0[at];
    }
}

enum { MOST = 128 };

static void compare_matrix(const mjModel *m, const mjData *d, sn_world *world) {
    static double M[MOST * MOST], N[MOST * MOST], whole[MOST * MOST], q[MOST];
    int at = 0;
    mj_fullM(m, M, d->qM);
    memset(whole, 0, sizeof whole);
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        const sn_model *model = sn_world_model(world, i);
        const sn_dynamics_def def = sn_dynamics_def_default();
        sn_dynamics *dynamics = sn_dynamics_create(model, &def, NULL);
        assert_non_null(dynamics);
        const int nv = sn_model_get(model)->nv;
        assert_int_equal(sn_world_get(world, i, SN_FIELD_Q, 0, 1, q), SN_OK);
        assert_int_equal(sn_dynamics_mass_matrix(dynamics, q, N), SN_OK);
        for (int a = 0; a < nv; a++)
            memcpy(whole + (at + a) * m->nv + at, N + a * nv, sizeof *N * (size_t)nv);
        at += nv;
        sn_dynamics_free(dynamics);
    }
    for (int a = 0; a < m->nv; a++)
        for (int b = 0; b < m->nv; b++)
            assert_true(fabs(whole[a * m->nv + b] - M[a * m->nv + b]) <=
                        1e-6 * sqrt(M[a * m->nv + a] * M[b * m->nv + b]));
}

/* -kp and -kd of every actuator on a joint of one axis. */
static void compare_gains(const mjModel *m, sn_world *world) {
    double kp[MOST], kd[MOST], want_kp[MOST] = {0}, want_kd[MOST] = {0};
    gather(world, SN_FIELD_KP, kp), gather(world, SN_FIELD_KD, kd);
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] != mjTRN_JOINT) continue;
        const int j = m->actuator_trnid[2 * i], v = m->jnt_dofadr[j];
        const double gear = m->actuator_gear[6 * i];
        if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
        want_kp[v] -= gear * gear * m->actuator_biasprm[mjNBIAS * i + 1];
        want_kd[v] -= gear * gear * m->actuator_biasprm[mjNBIAS * i + 2];
    }
    assert_true(worst(kp, want_kp, m->nv) <= 1e-6 && worst(kd, want_kd, m->nv) <= 1e-6);
}

/* This MuJoCo has no gravcomp: it is taken out of the text, and a force at the centre of mass stands for it. */
static char *without_lift(const char *text) {
    char *copy = strdup(text);
    for (char *at; (at = strstr(copy, "gravcomp='"));) {
        char *end = strchr(at + 10, '\'');
        memset(at, ' ', (size_t)(end - at) + 1);
    }
    return copy;
}

static void lift_bodies(const mjModel *m, mjData *d, const sn_world *world) {
    for (int b = 1; b < m->nbody; b++) {
        const char *name = mj_id2name(m, mjOBJ_BODY, b);
        int body = -1;
        const int member = name ? sn_world_find_body(world, name, &body) : -1;
        const double lift = member >= 0 ? sn_model_body(sn_world_model(world, member), body)->lift : 0;
        for (int i = 0; i < 3; i++)
            d->xfrc_applied[6 * b + i] = -lift * m->body_mass[b] * m->opt.gravity[i];
    }
}

/* Everything that does not move, then a run. Returns how far the poses are apart after `steps`. */
static double compare(const char *text, int bodies, int members, int steps) {
    char *plain = without_lift(text);
    mjModel *m = load_mujoco(plain);
    mjData *d = mj_makeData(m);
    double q[MOST], theirs[MOST], gravity[3];
    sn_world_def def = sn_world_def_default();
    def.products = SN_PRODUCTS_EXPLICIT;
    def.form = SN_FORM_EXPLICIT;
    def.setting = SN_SETTING_EXACT;
    sn_world *world = load_world(text, &def);
    free(plain);
    if (m->nkey > 0) mj_resetDataKeyframe(m, d, 0);
    mj_forward(m, d);

    int nq = 0, nv = 0, nbody = 0;
    for (int i = 0; i < sn_world_get_info(world).members; i++) {
        const sn_model *model = sn_world_model(world, i);
        nq += sn_model_get(model)->nq, nv += sn_model_get(model)->nv, nbody += sn_model_get(model)->nbody;
    }
    assert_int_equal(sn_world_get_info(world).members, members);
    assert_int_equal(nbody, bodies);
    assert_int_equal(nq, m->nq);
    assert_int_equal(nv, m->nv);
    compare_matrix(m, d, world);
    compare_gains(m, world);
    assert_int_equal(sn_world_get(world, 0, SN_FIELD_GRAVITY, 0, 1, gravity), SN_OK);
    assert_true(worst(gravity, m->opt.gravity, 3) <= 1e-6);
    gather(world, SN_FIELD_Q, q);
    pose_of(m, d->qpos, theirs);
    assert_true(worst(q, theirs, m->nq) <= 1e-6);
    for (int i = 0; i < steps; i++) {
        lift_bodies(m, d, world);
        mj_step(m, d);
        assert_int_equal(sn_world_step(world), SN_OK);
    }
    assert_true(fabs(sn_world_time(world) - d->time) < 1e-9);
    gather(world, SN_FIELD_Q, q);
    pose_of(m, d->qpos, theirs);
    const double apart = worst(q, theirs, m->nq);
    sn_world_free(world);
    mj_deleteData(d);
    mj_deleteModel(m);
    return apart;
}

/* ------------------------------------------------------------------------------------------------- scenes */

#define GROUND                                                                                               \
    "<geom type='plane' size='5 5 1'/><geom type='box' size='1 1 .1' pos='4 0 .1'/>"                         \
    "<geom type='sphere' size='.3' pos='-4 0 0'/><geom type='capsule' size='.2 1' pos='0 4 0'/>"             \
    "<geom type='cylinder' size='.4 .2' pos='0 -4 0'/>"

#define ARM                                                                                                  \
    "<body name='%s' pos='%d 0 5'><joint name='%s_a' axis='0 1 0' ref='10' damping='.1'/>"                   \
    "<joint name='%s_b' axis='1 0 0' armature='.02'/><geom type='capsule' size='.05' fromto='0 0 0 .4 0 "    \
    "0'/>"                                                                                                   \
    "<body pos='.4 0 0'><joint name='%s_c' axis='0 1 0' %s/>"                                                \
    "<geom type='box' size='.2 .03 .02' pos='.2 0 0'/></body></body>"

static const char *sprung_arms(double step, const char *spring, const char *more, const char *sections) {
    static char text[8192];
    char one[1024], two[1024];
    snprintf(one, sizeof one, ARM, "left", 0, "left", "left", "left", spring);
    snprintf(two, sizeof two, ARM, "right", 1, "right", "right", "right", spring);
    snprintf(text, sizeof text,
             "<mujoco><option timestep='%g' gravity='1 0.5 -9'/><worldbody>" GROUND
             "%s%s%s</worldbody>%s</mujoco>",
             step, one, two, more, sections);
    return text;
}

static const char *arms(const char *more, const char *sections) {
    return sprung_arms(0.001, "", more, sections);
}

TEST(several_characters_and_free_bodies_fall_as_in_mujoco) {
    const double apart = compare(
        arms("<body name='stone' pos='0 2 6'><freejoint/><geom type='ellipsoid' size='.1 .2 .3'/></body>"
             "<body name='crate' pos='3 2 6' euler='20 30 40'><freejoint/><geom type='box' size='.1 .2 "
             ".3'/></body>"
             "<body name='post' pos='2 2 0'><geom type='box' size='.1 .1 1'/></body>",
             "<keyframe><key qpos='.3 -.2 .1 .4 .2 -.1  0 2 6 1 0 0 0  3 2 7 0 1 0 0' "
             "qvel='1 -1 2 0 1 -2  1 0 2 3 -1 2  -1 0 0 1 2 3'/></keyframe>"),
        2 * 3 + 2, 4, 100);
    printf("free fall of two arms and two bodies, 100 steps: %.1e apart\n", apart);
    assert_true(apart <= 1e-4);
}

TEST(drives_and_their_controls_act_as_in_mujoco) {
    const double apart = compare(
        arms("", "<actuator><position joint='left_a' kp='20' ctrllimited='true' ctrlrange='-1 1'/>"
                 "<velocity joint='left_b' kv='.5' gear='2'/><motor joint='left_c' gear='3'/>"
                 "<general joint='right_a' gainprm='8' biastype='affine' biasprm='.5 -8 -.2' gear='-1.5'/>"
                 "</actuator><keyframe><key ctrl='5 .6 .2 .4'/></keyframe>"),
        2 * 3, 2, 100);
    printf("driven arms, 100 steps: %.1e apart\n", apart);
    assert_true(apart <= 1e-4);
}

TEST(gravity_compensation_acts_as_in_mujoco) {
    const double apart = compare(
        arms("<body name='balloon' pos='0 2 6' gravcomp='1.2'><freejoint/><geom size='.2' pos='.3 0 0'/>"
             "<body name='tail' pos='.5 0 0' gravcomp='.4'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 "
             "0'/></body>"
             "</body>",
             ""),
        2 * 3 + 2, 3, 100);
    printf("bodies that are carried, 100 steps: %.1e apart\n", apart);
    assert_true(apart <= 1e-4);
}

/* MuJoCo's friction of joints is soft near rest: joints that turn against it all the time agree. */
TEST(friction_loss_slows_as_in_mujoco) {
    const double apart =
        compare("<mujoco><option timestep='.001' gravity='0 0 0'/><worldbody><body pos='0 0 2'>"
                "<joint axis='0 0 1' frictionloss='.3'/><geom type='box' size='.3 .2 .1'/></body>"
                "<body pos='2 0 2'><joint type='slide' axis='1 0 0' frictionloss='2'/><geom "
                "size='.1'/></body></worldbody>"
                "<keyframe><key qpos='0 0' qvel='3 2'/></keyframe></mujoco>",
                2, 2, 100);
    printf("joints with dry friction, 100 steps: %.1e apart\n", apart);
    assert_true(apart <= 1e-4);
}

/* Springs are explicit there and implicit here: with short steps that makes no difference. */
TEST(springs_and_tendons_pull_as_in_mujoco) {
    const char *sections =
        "<tendon><fixed name='t' stiffness='3' damping='.05' springlength='.2'>"
        "<joint joint='left_a' coef='.5'/><joint joint='left_c' coef='-1.5'/></fixed>"
        "<fixed name='u'><joint joint='right_a' coef='1'/><joint joint='right_b' coef='2'/></fixed>"
        "</tendon><actuator><position tendon='u' kp='4' gear='1.5'/></actuator>"
        "<keyframe><key qpos='.3 .2 .1 -.1 -.2 -.3' qvel='1 2 3 4 5 6' ctrl='.7'/></keyframe>";
    const double apart =
        compare(sprung_arms(1e-4, "stiffness='4' springref='20'", "", sections), 2 * 3, 2, 100);
    printf("arms with springs and tendons, 100 steps: %.1e apart\n", apart);
    assert_true(apart <= 1e-4);
}

/* ---------------------------------------------------------------------------------------------- couplings */

TEST(equalities_are_those_of_mujoco) {
    const char *text =
        arms("<body name='a' pos='0 3 4' euler='10 20 30'><freejoint/><geom size='.1'/></body>"
             "<body name='b' pos='.5 3 4' euler='-40 5 60'><freejoint/><geom size='.1'/></body>",
             "<equality><joint joint1='left_a' joint2='left_c' polycoef='.1 -2 .3 .04 .005'/><joint "
             "joint1='right_b'/>"
             "<connect body1='a' body2='b' anchor='.1 .2 .3'/><weld body1='b' body2='right'/></equality>");
    mjModel *m = load_mujoco(text);
    sn_world *world = load_world(text, NULL);
    const sn_model *left = sn_world_model(world, sn_world_find_body(world, "left", NULL));
    const sn_model *right = sn_world_model(world, sn_world_find_body(world, "right", NULL));
    assert_int_equal(sn_model_get(left)->nconstraint, 1);
    assert_int_equal(sn_model_get(right)->nconstraint, 1);
    assert_true(worst(sn_model_get(left)->constraint[0].ratio, m->eq_data, 5) <= 1e-6);
    assert_true(fabs(sn_model_get(right)->constraint[0].ratio[0] - m->eq_data[mjNEQDATA]) <= 1e-6);
    assert_int_equal(sn_model_get(right)->constraint[0].member2, -1);
    /* rows of a connect and of a weld hold from the start: no position is off */
    assert_int_equal(sn_world_step(world), SN_OK);
    assert_int_equal(sn_study_response_matrix(world, 0, SN_ROW_RESPONSE_DELTAS, NULL, 0), 2 + 3 + 6);
    sn_world_free(world);
    mj_deleteModel(m);
}

#endif

int main(void) {
    return run_all("mjcf scenes against MuJoCo");
}
