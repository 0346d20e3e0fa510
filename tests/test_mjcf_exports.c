/* What the MJCF writer says, as MuJoCo understands it: who touches whom, and bodies that MuJoCo could not have as they are. */
#include "parse_helpers.h"
#include "file_helpers.h"

#include <stdint.h>

#if !SN__HAVE_MUJOCO

TEST(mujoco_lets_the_same_bodies_touch) {
    puts("skipped: MuJoCo (Debian: libmujoco-dev) was not found when this was built");
    skip();
}

TEST(mujoco_reads_exports_of_what_it_could_not_have_itself) {
    skip();
}

#else

#include "mujoco_helpers.h"

#include "base/memory.h"
#include "import/readers.h"
#include "model/model.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------ touching */

enum { BALLS = 7 };

/* Balls in one heap, with groups and exclusions by the number of the trial. */
static sn_model *make_heap(int trial) {
    static const uint32_t bits[] = {1, 0xffffffff, 0, 6, 0x80000000, 3, 4};
    sn_builder *builder = sn_builder_create();
    char name[BALLS][16];
    for (int i = 0; i < BALLS; i++) {
        snprintf(name[i], sizeof name[i], "b%d", i);
        sn_body_def body = sn_body_def_default();
        body.name = name[i];
        body.joint = sn_joint_def_default(SN_JOINT_FREE);
        body.pos[0] = 0.01 * i;
        sn_builder_add_body(builder, &body);
        sn_shape_def ball = sn_shape_def_default(SN_SHAPE_SPHERE);
        ball.size[0] = 0.1;
        ball.friction = 0.25 * i;
        if (i > 1) ball.group = bits[(i + trial) % BALLS], ball.mask = bits[(2 * i + 3 * trial) % BALLS];
        sn_builder_add_shape(builder, name[i], &ball);
        for (int k = 0; k < i; k++)
            if ((i * k + trial) % 5 == 0) sn_builder_exclude(builder, name[i], name[k]);
    }
    sn_model *model = sn_builder_build(builder, NULL);
    assert_non_null(model);
    sn_builder_free(builder);
    return model;
}

/* What is written, MuJoCo takes, and by its own rules the same pairs touch that sinew.h says. */
TEST(mujoco_lets_the_same_bodies_touch) {
    for (int trial = 0; trial < 20; trial++) {
        sn_model *model = make_heap(trial);
        size_t size;
        char *text = sn__mjcf_write(model, &size), reason[1000] = "";
        mjModel *m = mujoco_of_text(text, size, reason);
        if (!m) fail_msg("%s", reason);
        mjData *d = mj_makeData(m);
        mj_fwdPosition(m, d);
        bool touch[BALLS][BALLS] = {{false}};
        for (int i = 0; i < d->ncon; i++) {
            int a = m->geom_bodyid[d->contact[i].geom1] - 1, b = m->geom_bodyid[d->contact[i].geom2] - 1;
            touch[a][b] = touch[b][a] = true;
        }
        for (int a = 0; a < BALLS; a++) {
            assert_string_equal(mj_id2name(m, mjOBJ_BODY, a + 1), sn_model_body(model, a)->name);
            assert_true(m->geom_friction[3 * a] == sn_model_get(model)->shape[a].friction);
            for (int b = 0; b < a; b++) {
                const sn_shape_def *x = (&sn_model_get(model)->shape[a]),
                                   *y = (&sn_model_get(model)->shape[b]);
                bool meet = ((x->group & y->mask) != 0 || (y->group & x->mask) != 0) &&
                            !sn__model_excluded(model, a, b);
                assert_int_equal(touch[a][b], meet);
            }
        }
        mj_deleteData(d);
        mj_deleteModel(m);
        sn__free(text);
        sn_model_free(model);
    }
}

#define MASS "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/>"
#define LINK(name)                                                                                           \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' "                           \
    "izz='.1'/></inertial></link>"

#define MOMENTS(joint, moments)                                                                              \
    "<mujoco><worldbody><body>" joint "<inertial pos='.1 .2 .3' mass='1' diaginertia='" moments              \
    "' euler='10 20 30'/></body></worldbody></mujoco>"

static int count_of(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* Ranges without width, moving bodies without mass or inertia; rods, plates and points, whose principal moments are zero, or
   as large as the sum of the others. Each body says its inertia once, in one form. */
TEST(mujoco_reads_exports_of_what_it_could_not_have_itself) {
    static const char *const text[] = {
        "<robot name='r'>" LINK("a") LINK("b")
            LINK("c") "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit lower='0' "
                      "upper='0' effort='1'/></joint>"
                      "<joint name='k' type='prismatic'><parent link='b'/><child link='c'/><limit lower='.5' "
                      "upper='.5' effort='1'/></joint></robot>",
        "<mujoco><compiler inertiafromgeom='false'/><worldbody><body name='a'><freejoint/>" MASS
        "<body name='m'><joint/>"
        "<geom size='.1' mass='0'/><body pos='1 0 0'><joint axis='0 1 0'/>" MASS
        "</body><body pos='-1 0 0'><joint axis='0 1 0'/>" MASS "</body></body></body></worldbody></mujoco>",
        "<mujoco><worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1e-16 1e-16 "
        "1e-16'/></body></worldbody></mujoco>",
        MOMENTS("", "0 .1 .1"),
        MOMENTS("<joint/>", ".1 .1 0"),
        MOMENTS("<joint/>", "1e-16 .1 .1"),
        MOMENTS("", "0 0 0"),
        MOMENTS("<freejoint/>", ".1 .1 .2"),
        MOMENTS("<joint/>", ".1 .1 .20000000000000004"),
        "<robot name='r'>" LINK(
            "a") "<link name='b'><inertial><origin rpy='.1 .2 .3'/><mass value='1'/><inertia "
                 "ixx='0' iyy='.1' izz='.1'/></inertial></link><joint name='j' "
                 "type='continuous'><axis xyz='0 1 0'/><parent link='a'/><child "
                 "link='b'/></joint></robot>",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        sn_model *model = model_from(text[i], strlen(text[i]), "text", NULL, NULL);
        assert_non_null(model);
        size_t size;
        char reason[1000] = "", *written = sn__mjcf_write(model, &size);
        mjModel *m = mujoco_of_text(written, size, reason);
        if (!m) fail_msg("export %zu: %s", i, reason);
        assert_true(count_of(written, "<inertial") <= count_of(written, "<body"));
        assert_int_equal(count_of(written, "<inertial"), count_of(written, "fullinertia="));
        assert_int_equal(count_of(written, "diaginertia"), 0);
        assert_int_equal(m->nv, sn_model_get(model)->nv);
        sn_model *again = model_from(written, size, "export", NULL, NULL);
        assert_non_null(again);
        assert_int_equal(sn_model_get(again)->nbody, sn_model_get(model)->nbody);
        assert_true(fabs(sn_model_get(again)->mass - sn_model_get(model)->mass) < 1e-9);
        mj_deleteModel(m);
        sn__free(written);
        sn_model_free(again);
        sn_model_free(model);
    }
}

#endif

int main(void) {
    return run_all("mjcf exports");
}
