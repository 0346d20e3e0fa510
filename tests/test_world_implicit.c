/* Contact inside the articulated-body algorithm against contact by rows, and the bounds of its friction. */
#include "world_helpers.h"

#ifdef __SANITIZE_ADDRESS__
enum { STATES = 25 };
#else
enum { STATES = 200 };
#endif

/* One state of the humanoid in contact with the ground. */
struct touch {
    double q0[MAX_NQ], qd0[MAX_NV]; /* a step before */
    double q[MAX_NQ], qd[MAX_NV];
    double target[MAX_NQ];
    double kp, kd;
    int contacts;
};

static sn_world *touch_world(const sn_world_def *def, const sn_model *model, const struct touch *t) {
    sn_world *world = world_of(def);
    floor_of(world, NULL);
    const int c = member_of(world, model);
    uniform_gains(world, c, 0, 0, t->kp, t->kd);
    assert_int_equal(sn_world_set_target(world, c, t->target, NULL), SN_OK);
    return world;
}

static int touching(const sn_world *world) {
    int n = 0, count;
    const sn_contact *contact = contacts_of(world, &count);
    for (int i = 0; i < count; i++)
        n += contact[i].gap < 1e-3;
    return n;
}

/* A humanoid falls from a random pose towards another one; some time after it has three contacts it gets a
   random kick. */
static bool random_touch(struct rng *rng, const sn_model *model, struct touch *t) {
    double qd[MAX_NV], q[MAX_NQ], dv[MAX_NV];
    const int nv = sn_model_get(model)->nv;
    random_state(rng, model, 0.4, 1, t->target, qd);
    random_state(rng, model, 0.4, 1, q, qd);
    random_quaternion(rng, q + 3);
    t->kp = pow(10, uniform(rng, 1, 4)), t->kd = 0.1 * t->kp;
    sn_world_def def = rows_def();
    sn_world *world = touch_world(&def, model, t);
    const int c = 0;
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    q[2] += 0.02 - lowest_point(world, c);
    assert_int_equal(sn_world_set_state(world, c, q, qd), SN_OK);
    int more = (int)uniform(rng, 0, 60);
    for (int k = 0; k < 600 && more > 0; k++) {
        sn_world_get_state(world, c, t->q0, t->qd0);
        step_world(world);
        if (touching(world) >= 3) more--;
    }
    sn_world_get_state(world, c, t->q, t->qd);
    random_values(rng, 0.5, dv, nv);
    axpy(1, dv, t->qd, nv);
    step_world(world); /* to see what touches there */
    t->contacts = touching(world);
    sn_world_free(world);
    return more == 0 && t->contacts >= 3;
}

/* The acceleration of the one step from there; warm: after the step before. */
static void touch_acceleration(const sn_world_def *def, const sn_model *model, const struct touch *t,
                               bool warm, double *qdd, sn_world_stats *stats) {
    sn_world *world = touch_world(def, model, t);
    const int c = 0;
    if (warm) {
        assert_int_equal(sn_world_set_state(world, c, t->q0, t->qd0), SN_OK);
        step_world(world);
    }
    assert_int_equal(sn_world_set_state(world, c, t->q, t->qd), SN_OK);
    step_world(world);
    assert_int_equal(sn_world_get(world, c, SN_FIELD_QDD, 0, 1, qdd), SN_OK);
    *stats = stats_of(world);
    sn_world_free(world);
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantiles(double *e, int n, const char *what) {
    qsort(e, (size_t)n, sizeof *e, compare_doubles);
    print_message(
        "  %s, relative difference of accelerations: 10 %% %.2g, median %.2g, 90 %% %.2g, largest %.2g\n",
        what, e[n / 10], e[n / 2], e[9 * n / 10], e[n - 1]);
    return e[n / 2];
}

struct pair_of_ways {
    sn_world_def rows, implicit;
    bool warm;
};

static double compare_ways(const struct pair_of_ways *w, const char *what) {
    sn_model *model = sn_builtin_create("humanoid", NULL);
    struct rng rng = {7};
    double e[STATES], contacts = 0, sweeps = 0;
    int n = 0, unsettled = 0;
    for (int tries = 0; n < STATES && tries < 4 * STATES; tries++) {
        struct touch t;
        if (!random_touch(&rng, model, &t)) continue;
        double a[MAX_NV], b[MAX_NV];
        sn_world_stats rows, implicit;
        touch_acceleration(&w->rows, model, &t, w->warm, a, &rows);
        touch_acceleration(&w->implicit, model, &t, w->warm, b, &implicit);
        e[n++] = relative_error(b, a, sn_model_get(model)->nv);
        contacts += t.contacts, sweeps += implicit.sweeps;
        unsettled += implicit.sweeps == w->implicit.sweeps;
    }
    sn_model_free(model);
    assert_int_equal(n, STATES);
    print_message("  %d states, %.1f contacts and %.1f sweeps in the mean, %d used up all sweeps\n", n,
                  contacts / n, sweeps / n, unsettled);
    return quantiles(e, n, what);
}

static sn_world_def exact_rows(void) {
    sn_world_def def = rows_def();
    def.iterations = 200000, def.tolerance = 1e-13;
    return def;
}

static sn_world_def default_implicit(void) {
    sn_world_def def = rows_def();
    def.contact = SN_CONTACT_IMPLICIT;
    return def;
}

static void compare_defaults(bool joint_limits) {
    double median[2];
    for (int warm = 0; warm < 2; warm++) {
        struct pair_of_ways w = {exact_rows(), default_implicit(), warm};
        w.rows.joint_limits = w.implicit.joint_limits = joint_limits;
        median[warm] = compare_ways(&w, warm ? "warm" : "cold");
    }
    assert_true(median[0] <= 0.02);
    /* a warm state was kicked by hand: its contacts have slipped and go back, which rows know nothing of */
    assert_true(median[1] <= 0.05);
}

TEST(by_default_it_is_near_the_rigid_rows) {
    compare_defaults(false);
}

TEST(by_default_it_is_near_the_rigid_rows_with_joint_limits) {
    compare_defaults(true);
}

/* Both solve the same problem then: u + f / B = wanted, 1 / B = compliance / recovery. */
TEST(with_the_same_compliance_it_equals_the_rows) {
    static const double compliance[] = {1e-8, 1e-6, 1e-5};
    for (int i = 0; i < COUNT(compliance); i++) {
        struct pair_of_ways w = {exact_rows(), default_implicit(), false};
        w.implicit.sweeps = 500, w.implicit.sweep_tolerance = 1e-13;
        w.rows.compliance = w.implicit.compliance = compliance[i];
        w.rows.joint_limits = w.implicit.joint_limits = false;
        /* rows take velocity products of the motion without contacts, implicit contact those of the motion with them */
        w.rows.products = w.implicit.products = SN_PRODUCTS_EXPLICIT;
        char what[64];
        snprintf(what, sizeof what, "compliance %g m/N", compliance[i]);
        assert_true(compare_ways(&w, what) <= 1e-9);
    }
}

int main(void) {
    return run_all("world implicit");
}
