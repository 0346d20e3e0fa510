/* The matrix of responses of contacts, limits and constraints, against that of the dense mass matrix. */
#include "row_view.h"

#include <sinew/studies.h>

#include "base/quat.h"
#include "sinew/dynamics.h"

/* ------------------------------------------------------------------------------- models with shapes on them */

/* The same tree, with a shape on every body that has mass, and limits on every joint that can have them. */
static sn_model *with_shapes(const sn_model *model, uint64_t seed, bool limited) {
    struct rng rng = {seed};
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        sn_body_def body = sn_body_def_default();
        body.name = b->name;
        body.parent = b->parent >= 0 ? sn_model_body(model, b->parent)->name : NULL;
        memcpy(body.pos, b->pos, sizeof body.pos);
        memcpy(body.rot, b->rot, sizeof body.rot);
        body.joint = b->joint;
        if (limited && b->joint.type != SN_JOINT_FREE && b->joint.type != SN_JOINT_WELD) {
            body.joint.limited = true;
            for (int k = 0; k < 2; k++)
                body.joint.lower[k] = -uniform(&rng, 0.1, 0.6), body.joint.upper[k] = uniform(&rng, 0.1, 0.6);
        }
        body.mass_given = true;
        body.mass = b->mass;
        memcpy(body.com, b->com, sizeof body.com);
        memcpy(body.inertia, b->inertia, sizeof body.inertia);
        sn_builder_add_body(builder, &body);
        if (!(b->mass > 0)) continue;
        sn_shape_def shape = i % 3 == 0   ? sphere_of(uniform(&rng, 0.05, 0.15), 1)
                             : i % 3 == 1 ? capsule_of(0.06, uniform(&rng, 0.05, 0.2), 1)
                                          : box_of(0.1, uniform(&rng, 0.05, 0.2), 0.07, 1);
        random_values(&rng, 0.1, shape.pos, 3);
        random_quaternion(&rng, shape.rot);
        shape.friction = uniform(&rng, 0.2, 1);
        sn_builder_add_shape(builder, b->name, &shape);
    }
    return build_and_free(builder);
}

static const struct {
    const char *name;
    unsigned mix;
    uint64_t seed;
} row_model[] = {
    {"humanoid", 0, 0},
    {"dog", 0, 0},
    {"mixed", 0, 1},
    {"mixed passive", MIX_PASSIVE, 2},
    {"mixed massless armature", MIX_MASSLESS | MIX_ARMATURE, 3},
    {"mixed fixed", MIX_FIXED | MIX_ARMATURE, 6},
    {"mixed torque limits", MIX_LIMIT | MIX_ARMATURE, 8},
};

static sn_model *row_model_of(int i) {
    if (i < 2) {
        sn_model *model = sn_builtin_create(row_model[i].name, NULL);
        assert_non_null(model);
        return model;
    }
    sn_model *plain = mixed_model(row_model[i].seed, row_model[i].mix);
    sn_model *model = with_shapes(plain, row_model[i].seed, true);
    sn_model_free(plain);
    return model;
}

/* ----------------------------------------------------------------------------------------- the dense oracle */

struct oracle {
    sn_world *world;
    sn_dynamics *dynamics[2];
    const sn_model *model[2];
    double q[2][MAX_NQ], qd[2][MAX_NV];
    double kp[2][MAX_NV], kd[2][MAX_NV], target[2][MAX_NQ];
    double J[MAX_ROWS][2][MAX_NV];
    double A[2][MAX_NV * MAX_NV];
    double X[MAX_ROWS][2][MAX_NV];
    struct seen_row row[MAX_ROWS];
    int kinds[3]; /* how many rows of constraints, limits, contacts */
};

/* M + K of member m in full. Where a torque is clamped, the drive's share of K is P' K, P' the derivative of the
   clamp: 0 for one axis, L / |s| (1 - s s^T / |s|^2) for a vector cut to the length L. */
static void dense_matrix(struct oracle *o, int m, sn_form form, double dt) {
    const sn_model *model = o->model[m];
    const int nv = sn_model_get(model)->nv;
    const double *kp = o->kp[m], *kd = o->kd[m];
    double Q[MAX_NV], K[MAX_NV], passive[MAX_NV] = {0}, bias[MAX_NV] = {0}, qdd[MAX_NV], *A = o->A[m];
    const struct pd pd = {model, form, dt, o->q[m], o->qd[m], o->target[m], NULL, NULL, kp, kd};
    const sn_drive drive = {.kp = kp, .kd = kd, .target_q = o->target[m]};
    pd_terms(&pd, Q, K);
    passive_terms(&pd, passive, bias);
    assert_int_equal(sn_dynamics_mass_matrix(o->dynamics[m], o->q[m], A), SN_OK);
    assert_int_equal(sn_dynamics_step(o->dynamics[m], &drive, 0, o->q[m], o->qd[m], qdd, NULL), SN_OK);
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        const sn_body_info *b = sn_model_body(model, i);
        const bool turns = b->joint.type == SN_JOINT_BALL || b->joint.type == SN_JOINT_FREE;
        for (int v = b->v_index; v < b->v_index + b->nv;) {
            const bool vector =
                turns && kp[v] == kp[v + 1] && kp[v] == kp[v + 2] && kd[v] == kd[v + 1] && kd[v] == kd[v + 2];
            const int n = vector ? 3 : 1;
            double s[3];
            for (int k = 0; k < n; k++)
                s[k] = Q[v + k] - K[v + k] * qdd[v + k];
            const double length = norm(s, n), L = b->joint.torque_limit;
            for (int k = 0; k < n; k++) {
                A[(v + k) * nv + v + k] += passive[v + k];
                for (int j = 0; j < n; j++) {
                    double P = k == j;
                    if (length > L) P = n == 1 ? 0 : L / length * (P - s[k] * s[j] / (length * length));
                    A[(v + k) * nv + v + j] += P * K[v + j];
                }
            }
            v += n;
        }
    }
}

/* J of a point of a body, in the body's frame, along d, added times `sign`. */
static void add_point(struct oracle *o, int m, int body, const double point[3], const double d[3],
                      double sign, double *J) {
    double full[6 * MAX_NV];
    const int nv = sn_model_get(o->model[m])->nv;
    assert_int_equal(sn_dynamics_jacobian(o->dynamics[m], o->q[m], body, point, full), SN_OK);
    for (int k = 0; k < 3; k++)
        axpy(sign * d[k], full + k * nv, J, nv);
}

/* A point of the world in the frame of a body. */
static void to_body(struct oracle *o, int m, int body, const double x[3], double local[3]) {
    double pos[3], rot[4], back[4];
    body_pose(o->world, m, body, pos, rot);
    const double d[3] = {x[0] - pos[0], x[1] - pos[1], x[2] - pos[2]};
    dquat_conjugate(rot, back);
    dquat_rotate(back, d, local);
}

static void tie_jacobian(struct oracle *o, const sn_constraint_def *d, int k, double J[2][MAX_NV]) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    if (d->type == SN_CONSTRAINT_JOINT_PATH) {
        J[d->member][sn_model_body(o->model[d->member], d->body)->v_index + k] += 1;
        return;
    }
    add_point(o, d->member, d->body, d->point, axis, 1, J[d->member]);
    if (d->type != SN_CONSTRAINT_PIN || d->member2 < 0) return;
    add_point(o, d->member2, d->body2, d->point2, axis, -1, J[d->member2]);
}

/* J of all rows: of constraints from what was asked for, of contacts from points, normals and tangents, of
   limits from the factors of the joint (that these are right, the pendulums show). Returns how many rows there are. */
static int oracle_jacobian(struct oracle *o, const sn_constraint_def *tie, int ntie) {
    memset(o->J, 0, sizeof o->J);
    int row = 0;
    for (int i = 0; i < ntie; i++) {
        const int n = tie[i].type == SN_CONSTRAINT_JOINT_PATH
                          ? sn_model_body(o->model[tie[i].member], tie[i].body)->nv
                          : 3;
        for (int k = 0; k < n; k++)
            tie_jacobian(o, &tie[i], k, o->J[row++]);
    }
    const int n = see_rows(o->world, row, o->row);
    for (int i = 0; i < n; i++) {
        const struct seen_row *r = &o->row[i];
        assert_true((r->kind == ROW_CONSTRAINT) == (i < row));
        o->kinds[r->kind]++;
        if (r->kind == ROW_LIMIT) {
            const sn_body_info *b = sn_model_body(o->model[r->member[0]], r->body[0]);
            memcpy(o->J[i][r->member[0]] + b->v_index, r->factor, sizeof(double) * (size_t)b->nv);
        }
        for (int s = 0; s < 2 && r->kind == ROW_CONTACT; s++) {
            double local[3];
            const int m = r->member[s];
            if (m < 0) continue;
            to_body(o, m, r->body[s], r->pos, local);
            add_point(o, m, r->body[s], local, r->direction, s ? -1 : 1, o->J[i][m]);
        }
    }
    return n;
}

/* The largest |a - b| against sqrt(b_ii b_jj). */
static double matrix_error(int n, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double size = sqrt(b[i * n + i] * b[j * n + j]);
            const double e = fabs(a[i * n + j] - b[i * n + j]) / (size > 0 ? size : 1);
            if (!(e <= most)) most = e;
        }
    return most;
}

static void oracle_matrix(struct oracle *o, int n, double *K) {
    for (int i = 0; i < n; i++)
        for (int m = 0; m < 2; m++)
            assert_true(solve_spd(o->A[m], o->J[i][m], o->X[i][m], sn_model_get(o->model[m])->nv));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            K[i * n + j] = i == j ? o->row[i].soft : 0;
            for (int m = 0; m < 2; m++)
                K[i * n + j] += inner(o->J[i][m], o->X[j][m], sn_model_get(o->model[m])->nv);
        }
}

static const double scene_dt = 1.0 / 120;

/* Gains, target and state of member m, at random; its lowest point a little over the ground or over the first. */
static void row_member(struct rng *rng, struct oracle *o, int m, double per_axis) {
    const sn_model *model = o->model[m];
    const int c = member_of(o->world, model), nv = sn_model_get(model)->nv;
    double *q = o->q[m], *qd = o->qd[m], dv[MAX_NV];
    if (per_axis > 0) {
        per_axis_gains(rng, model, o->kp[m], o->kd[m]);
        for (int v = 0; v < nv; v++)
            o->kp[m][v] *= per_axis, o->kd[m][v] *= per_axis;
    } else
        sn_gains_uniform(model, 300, 30, pow(10, uniform(rng, 1, 4)), 40, o->kp[m], o->kd[m]);
    assert_int_equal(sn_world_set_gains(o->world, c, o->kp[m], o->kd[m]), SN_OK);
    const bool clamped = isfinite(sn_model_body(model, 1)->joint.torque_limit);
    random_state(rng, model, 0.6, 1, q, qd);
    random_values(rng, clamped ? 0.3 : 0.02, dv, nv);
    sn_model_pose_add(model, 1, q, dv, o->target[m]);
    assert_int_equal(sn_world_set_target(o->world, c, o->target[m], NULL), SN_OK);
    assert_int_equal(sn_world_set_state(o->world, c, q, qd), SN_OK);
    if (sn_model_body(model, 0)->joint.type == SN_JOINT_FREE) {
        q[0] += m ? 0.2 : 0;
        q[2] += (m ? 0.15 : 0.01) - lowest_point(o->world, c);
        assert_int_equal(sn_world_set_state(o->world, c, q, qd), SN_OK);
    }
    sn_world_get_state(o->world, c, q, qd);
}

/* Two members, one over the other, ground below, constraints of every kind. */
static int row_scene(struct rng *rng, struct oracle *o, const sn_model *first, const sn_model *second,
                     sn_form form, double per_axis, sn_constraint_def *tie) {
    sn_world_def def = rows_def();
    def.products =
        SN_PRODUCTS_EXPLICIT; /* as the oracle has them, who finds the clamped torques by the dynamics */
    def.margin = 0.05;
    def.dt = scene_dt, def.form = form;
    def.gains_by_axis = per_axis > 0;
    o->world = world_of(&def);
    floor_of(o->world, NULL);
    sn_dynamics_def alone = sn_dynamics_def_default();
    alone.dt = scene_dt, alone.form = form;
    o->model[0] = first, o->model[1] = second;
    for (int m = 0; m < 2; m++) {
        o->dynamics[m] = sn_dynamics_create(o->model[m], &alone, NULL);
        assert_non_null(o->dynamics[m]);
        row_member(rng, o, m, per_axis);
    }
    int n = 0;
    const int last[2] = {sn_model_get(first)->nbody - 1, sn_model_get(second)->nbody - 1};
    tie[n] = sn_constraint_def_default(SN_CONSTRAINT_PIN); /* a loop */
    tie[n].body = last[0], tie[n].member2 = 0, tie[n++].body2 = last[0] / 2;
    tie[n] = sn_constraint_def_default(SN_CONSTRAINT_PIN); /* one member to the other */
    tie[n].body = 1, tie[n].member2 = 1, tie[n++].body2 = last[1];
    tie[n] = sn_constraint_def_default(SN_CONSTRAINT_PIN); /* to the world */
    tie[n].member = 1, tie[n++].body = last[1] / 2;
    tie[n] = sn_constraint_def_default(SN_CONSTRAINT_POINT_PATH);
    tie[n++].body = last[0] / 3;
    tie[n] = sn_constraint_def_default(SN_CONSTRAINT_SPRING);
    tie[n].body = last[0], tie[n].stiffness = 500, tie[n++].damping = 20;
    for (int b = 0; b < 6; b++) {
        if (sn_model_body(first, b)->nv == 0) continue;
        tie[n] = sn_constraint_def_default(SN_CONSTRAINT_JOINT_PATH);
        tie[n].target[sn_model_body(first, b)->joint.type == SN_JOINT_FREE ? 3 : 0] = 1;
        tie[n++].body = b;
    }
    for (int i = 0; i < n; i++) {
        random_values(rng, 0.2, tie[i].point, 3);
        random_values(rng, 0.2, tie[i].point2, 3);
        assert_true(sn_world_add_constraint(o->world, &tie[i], NULL) != 0);
    }
    return n;
}

TEST(the_matrix_of_responses_is_that_of_the_dense_mass_matrix) {
    static struct oracle o;
    static double K[4][MAX_ROWS * MAX_ROWS];
    struct worst worst[4] = {{0}};
    static const char *const name[3] = {"deltas against test forces", "deltas against cached forces",
                                        "deltas against J (M + K)^-1 J^T"};
    static const char *const form_name[] = {"stable", "explicit", "implicit D", "full"};
    memset(o.kinds, 0, sizeof o.kinds);
    int rows = 0;
    for (int i = 0; i < COUNT(row_model); i++) {
        sn_model *model = row_model_of(i), *other = row_model_of(i == 2 ? 0 : 2);
        struct rng rng = {(uint64_t)(100 + i)};
        for (int k = 0; k < 12; k++) { /* one gain for all axes; gains by axis, low and high */
            const sn_form form = (sn_form)(k % 4);
            sn_constraint_def tie[16];
            const int ntie = row_scene(&rng, &o, model, other, form, k >= 8 ? 1 : k >= 4 ? 0.02 : 0, tie);
            const int n = sn_study_response_matrix(o.world, 0, SN_ROW_RESPONSE_DELTAS, K[0], MAX_ROWS);
            assert_true(n > 0 && n <= MAX_ROWS);
            assert_int_equal(oracle_jacobian(&o, tie, ntie), n);
            for (int m = 0; m < 2; m++)
                dense_matrix(&o, m, form, scene_dt);
            oracle_matrix(&o, n, K[3]);
            assert_int_equal(
                sn_study_response_matrix(o.world, 0, SN_ROW_RESPONSE_TEST_FORCES, K[1], MAX_ROWS), n);
            assert_int_equal(sn_study_response_matrix(o.world, 0, SN_ROW_RESPONSE_CACHED, K[2], MAX_ROWS), n);
            /* test forces are differences of accelerations and lose the digits that those of stiff drives
               take up: high gains are for the dense matrix alone */
            for (int m = k >= 8 ? 2 : 0; m < 3; m++)
                worst_add(&worst[m], matrix_error(n, K[0], K[m + 1]), "%s, %s%s", row_model[i].name,
                          form_name[form], k >= 4 ? ", gains by axis" : "");
            double symmetric = 0;
            for (int a = 0; a < n; a++)
                for (int b = 0; b < a; b++)
                    symmetric = fmax(symmetric, fabs(K[0][a * n + b] - K[0][b * n + a]) /
                                                    sqrt(K[0][a * n + a] * K[0][b * n + b]));
            worst_add(&worst[3], symmetric, "%s, %s", row_model[i].name, form_name[form]);
            rows += n;
            sn_world_free(o.world);
            for (int m = 0; m < 2; m++)
                sn_dynamics_free(o.dynamics[m]);
        }
        sn_model_free(model);
        sn_model_free(other);
    }
    print_message("  %d rows: %d of constraints, %d of limits, %d of contacts\n", rows, o.kinds[0],
                  o.kinds[1], o.kinds[2]);
    assert_true(o.kinds[0] > 500 && o.kinds[1] > 200 && o.kinds[2] > 500);
    for (int m = 0; m < 3; m++)
        assert_worst(&worst[m], 1e-9, name[m]);
    assert_worst(&worst[3], 1e-9, "asymmetry of deltas");
}

int main(void) {
    return run_all("world responses");
}
