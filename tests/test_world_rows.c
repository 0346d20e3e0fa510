/* Rows of contacts, limits and constraints: their matrix, their solvers, and the interface to them. */
#include "world_helpers.h"

#include "base/quat.h"
#include "solve/lcp.h"
#include "world/world.h"

/* ------------------------------------------------------------------------------- models with shapes on them */

/* The same tree, with a shape on every body that has mass, and limits on every joint that can have them. */
static sn_model *with_shapes(const sn_model *model, uint64_t seed, bool limited) {
    struct rng rng = {seed};
    sn_builder *builder = sn_builder_create();
    for (int i = 0; i < sn_model_nbody(model); i++) {
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

enum { MAX_ROWS = 400 };

/* M + K of one character in full. Where a torque is clamped, the drive's share of K is P' K, P' the
   derivative of the clamp: 0 for one axis, L / |s| (1 - s s^T / |s|^2) for a vector cut to the length L. */
static void dense_matrix(sn_character *c, sn_form form, double dt, const double *target, const double *kp,
                         const double *kd, double *A) {
    const sn_model *model = sn_character_model(c);
    const int nv = sn_model_nv(model);
    double q[MAX_NQ], qd[MAX_NV], Q[MAX_NV], K[MAX_NV], passive[MAX_NV] = {0}, bias[MAX_NV] = {0},
                                                        qdd[MAX_NV];
    sn_character_get_state(c, q, qd);
    const struct pd pd = {model, form, dt, q, qd, target, NULL, NULL, kp, kd};
    pd_terms(&pd, Q, K);
    passive_terms(&pd, passive, bias);
    assert_int_equal(sn_character_mass_matrix(c, A), SN_OK);
    assert_int_equal(sn_character_drive_acceleration(c, qdd), SN_OK);
    for (int i = 0; i < sn_model_nbody(model); i++) {
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
static void add_point(sn_character *c, int body, const double point[3], const double d[3], double sign,
                      double *J) {
    double full[6 * MAX_NV];
    const int nv = sn_model_nv(sn_character_model(c));
    assert_int_equal(sn_character_jacobian(c, body, point, full), SN_OK);
    for (int k = 0; k < 3; k++)
        axpy(sign * d[k], full + k * nv, J, nv);
}

/* A point of the world in the frame of a body. */
static void to_body(sn_character *c, int body, const double x[3], double local[3]) {
    double pos[3], rot[4], back[4];
    assert_int_equal(sn_character_body_pose(c, body, pos, rot), SN_OK);
    const double d[3] = {x[0] - pos[0], x[1] - pos[1], x[2] - pos[2]};
    dquat_conjugate(rot, back);
    dquat_rotate(back, d, local);
}

struct oracle {
    sn_world *world;
    double kp[2][MAX_NV], kd[2][MAX_NV], target[2][MAX_NQ];
    double J[MAX_ROWS][2][MAX_NV];
    double A[2][MAX_NV * MAX_NV];
    double X[MAX_ROWS][2][MAX_NV];
    int kinds[3]; /* how many rows of constraints, limits, contacts */
};

static void tie_jacobian(struct oracle *o, const sn_constraint_def *d, int k, double J[2][MAX_NV]) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    sn_character *c = sn_world_character(o->world, d->character);
    if (d->type == SN_JOINT_PATH) {
        J[d->character][sn_model_body(sn_character_model(c), d->body)->v_index + k] += 1;
        return;
    }
    add_point(c, d->body, d->point, axis, 1, J[d->character]);
    if (d->type != SN_PIN || d->character2 < 0) return;
    add_point(sn_world_character(o->world, d->character2), d->body2, d->point2, axis, -1, J[d->character2]);
}

/* J of all rows: of constraints from what was asked for, of contacts from points, normals and tangents, of
   limits from the factors of the joint (that these are right, the pendulums show). */
static void oracle_jacobian(struct oracle *o, const sn_constraint_def *tie, int ntie) {
    const sn_world *w = o->world;
    memset(o->J, 0, sizeof o->J);
    int row = 0;
    for (int i = 0; i < ntie; i++) {
        const sn_model *model = sn_character_model(sn_world_character(o->world, tie[i].character));
        const int n = tie[i].type == SN_JOINT_PATH ? sn_model_body(model, tie[i].body)->nv : 3;
        for (int k = 0; k < n; k++)
            tie_jacobian(o, &tie[i], k, o->J[row++]);
    }
    o->kinds[0] += row;
    for (; row < w->nrow; row++) {
        const struct sn__side side = w->row[row].side[0];
        if (side.block < 0 || w->row[row].side[1].block >= 0 || !w->member[side.block].row[side.index].joint)
            break;
        const struct sn__row *r = &w->member[side.block].row[side.index];
        const sn_body_info *b = sn_model_body(sn_character_model(w->member[side.block].character), r->body);
        memcpy(o->J[row][side.block] + b->v_index, r->w, sizeof(double) * (size_t)b->nv);
        o->kinds[1]++;
    }
    o->kinds[2] += w->nrow - row;
    for (int i = 0; row < w->nrow; i++) { /* what response_matrix found stands in last */
        assert_true(i < w->def.max_contacts);
        const struct sn__contact *c = &w->last[i];
        if (c->row != row) continue;
        const double *direction[3] = {c->normal, c->tangent[0], c->tangent[1]};
        for (int k = 0; k < 3 && row < w->nrow && (k == 0 || w->row[row].normal == c->row); k++, row++)
            for (int s = 0; s < 2; s++) {
                const struct sn__solid *solid = &w->solid[c->solid[s]];
                if (solid->member < 0) continue;
                sn_character *character = sn_world_character(o->world, solid->member);
                double local[3];
                to_body(character, solid->body, c->pos, local);
                add_point(character, solid->body, local, direction[k], s ? -1 : 1, o->J[row][solid->member]);
            }
    }
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
        for (int m = 0; m < 2; m++) {
            const int nv = sn_model_nv(sn_character_model(sn_world_character(o->world, m)));
            assert_true(solve_spd(o->A[m], o->J[i][m], o->X[i][m], nv));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            K[i * n + j] = i == j ? o->world->row[i].soft : 0;
            for (int m = 0; m < 2; m++)
                K[i * n + j] += inner(o->J[i][m], o->X[j][m],
                                      sn_model_nv(sn_character_model(sn_world_character(o->world, m))));
        }
}

/* Two characters, one over the other, ground below, constraints of every kind. */
static int row_scene(struct rng *rng, struct oracle *o, const sn_model *first, const sn_model *second,
                     sn_form form, double per_axis, sn_constraint_def *tie) {
    sn_world_def def = sn_world_def_default();
    def.margin = 0.05;
    def.dt = 1.0 / 120;
    o->world = world_of(&def);
    floor_of(o->world, NULL);
    sn_member_def member = sn_member_def_default();
    member.form = form;
    const sn_model *model[2] = {first, second};
    for (int m = 0; m < 2; m++) {
        sn_character *c = sn_world_character(o->world, member_of(o->world, model[m], &member));
        double q[MAX_NQ], qd[MAX_NV];
        if (per_axis > 0) {
            per_axis_gains(rng, model[m], o->kp[m], o->kd[m]);
            for (int v = 0; v < sn_model_nv(model[m]); v++)
                o->kp[m][v] *= per_axis, o->kd[m][v] *= per_axis;
        } else
            sn_gains_uniform(model[m], 300, 30, pow(10, uniform(rng, 1, 4)), 40, o->kp[m], o->kd[m]);
        assert_int_equal(sn_character_set_gains(c, o->kp[m], o->kd[m]), SN_OK);
        double dv[MAX_NV];
        const bool clamped = isfinite(sn_model_body(model[m], 1)->joint.torque_limit);
        random_state(rng, model[m], 0.6, 1, q, qd);
        random_values(rng, clamped ? 0.3 : 0.02, dv, sn_model_nv(model[m]));
        sn_model_pose_add(model[m], q, dv, o->target[m]);
        assert_int_equal(sn_character_set_target(c, o->target[m], NULL), SN_OK);
        assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
        const sn_body_info *root = sn_model_body(model[m], 0);
        if (root->joint.type != SN_JOINT_FREE) continue;
        q[0] += m ? 0.2 : 0;
        q[2] += (m ? 0.15 : 0.01) - lowest_point(c);
        assert_int_equal(sn_character_set_state(c, q, qd), SN_OK);
    }
    int n = 0;
    const int last[2] = {sn_model_nbody(first) - 1, sn_model_nbody(second) - 1};
    tie[n] = sn_constraint_def_default(SN_PIN); /* a loop */
    tie[n].body = last[0], tie[n].character2 = 0, tie[n++].body2 = last[0] / 2;
    tie[n] = sn_constraint_def_default(SN_PIN); /* one character to the other */
    tie[n].body = 1, tie[n].character2 = 1, tie[n++].body2 = last[1];
    tie[n] = sn_constraint_def_default(SN_PIN); /* to the world */
    tie[n].character = 1, tie[n++].body = last[1] / 2;
    tie[n] = sn_constraint_def_default(SN_POINT_PATH);
    tie[n++].body = last[0] / 3;
    tie[n] = sn_constraint_def_default(SN_SPRING);
    tie[n].body = last[0], tie[n].stiffness = 500, tie[n++].damping = 20;
    for (int b = 0; b < 6; b++) {
        if (sn_model_body(first, b)->nv == 0) continue;
        tie[n] = sn_constraint_def_default(SN_JOINT_PATH);
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
            const int n = sn_world_response_matrix(o.world, SN_RESPONSE_DELTAS, K[0], MAX_ROWS * MAX_ROWS);
            assert_true(n > 0 && n <= MAX_ROWS);
            oracle_jacobian(&o, tie, ntie);
            for (int m = 0; m < 2; m++) {
                sn_character *c = sn_world_character(o.world, m);
                dense_matrix(c, form, o.world->def.dt, o.target[m], o.kp[m], o.kd[m], o.A[m]);
            }
            oracle_matrix(&o, n, K[3]);
            assert_int_equal(
                sn_world_response_matrix(o.world, SN_RESPONSE_TEST_FORCES, K[1], MAX_ROWS * MAX_ROWS), n);
            assert_int_equal(sn_world_response_matrix(o.world, SN_RESPONSE_CACHED, K[2], MAX_ROWS * MAX_ROWS),
                             n);
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

/* ---------------------------------------------------------------------------------------------- the solvers */

enum { MAX_N = 48, STRIDE = 48 };

struct system {
    int n;
    double *K; /* [n][STRIDE] */
    double A[MAX_N * MAX_N], b[MAX_N];
    struct sn__pgs_row row[MAX_N];
    struct sn__bound bound[MAX_N];
};

/* Bilateral, one-sided and boxed rows, and contacts with two friction rows or one; well conditioned. */
static void random_system(struct rng *rng, struct system *s) {
    const int n = s->n = 3 + (int)uniform(rng, 0, MAX_N - 6);
    double G[MAX_N][2 * MAX_N];
    memset(s->K, 0, sizeof(double) * MAX_N * STRIDE);
    for (int i = 0; i < n; i++)
        random_values(rng, 1, G[i], 2 * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->K[i * STRIDE + j] = inner(G[i], G[j], 2 * n) / n;
    random_values(rng, 1, s->b, n);
    for (int i = 0; i < n;) {
        const int kind = (int)uniform(rng, 0, 5), more = kind == 3 ? 2 : kind == 4 ? 1 : 0;
        const int rows = i + more < n ? 1 + more : 1;
        for (int k = 0; k < rows; k++) {
            struct sn__pgs_row *r = &s->row[i + k];
            *r = (struct sn__pgs_row){.side = {{0, i + k}, {-1, 0}}, .b = s->b[i + k], .normal = -1};
            r->soft = uniform(rng, 0, 0.1);
            r->lo = kind == 0 ? -HUGE_VAL : kind == 2 ? -uniform(rng, 0, 0.5) : 0;
            r->hi = kind == 2 ? uniform(rng, 0, 0.5) : HUGE_VAL;
            if (k == 0) continue;
            r->normal = i, r->mu = uniform(rng, 0.1, 0.6), r->one_way = kind == 4;
        }
        i += rows;
    }
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &s->row[i];
        s->bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
        for (int j = 0; j < n; j++)
            s->A[i * n + j] = s->K[i * STRIDE + j] + (i == j ? r->soft : 0);
    }
}

static int solve_pgs(const struct sn__kernels *table, struct system *s, double *v, double *f) {
    const struct sn__pgs_block block = {s->n, STRIDE, s->K, v};
    struct sn__pgs p = {s->n, 1, s->row, &block, f, 100000, 1e-15, false, 0};
    memset(f, 0, sizeof *f * (size_t)s->n);
    return table->rows->pgs(&p);
}

TEST(gauss_seidel_comes_to_the_answer_of_the_direct_solver) {
    struct rng rng = {11};
    static struct system s;
    s.K = aligned_alloc(64, sizeof(double) * MAX_N * STRIDE);
    double *v = aligned_alloc(64, sizeof(double) * STRIDE);
    const struct sn__kernels *table = sn__kernels_with(SN__ROWS, SN_DOUBLE, true, NULL);
    struct worst worst = {0}, residual = {0};
    for (int k = 0; k < 300; k++) {
        double f[MAX_N], g[MAX_N], d[MAX_N];
        random_system(&rng, &s);
        double *work = malloc(sizeof *work * sn__lcp_room(s.n));
        assert_true(sn__lcp_direct(s.n, s.A, s.b, s.bound, g, work) >= 0);
        free(work);
        solve_pgs(table, &s, v, f);
        for (int i = 0; i < s.n; i++)
            d[i] = f[i] - g[i];
        worst_add(&worst, norm(d, s.n) / norm(g, s.n), "system %d of %d rows", k, s.n);
        worst_add(&residual, sn__lcp_residual(s.n, s.A, s.b, s.bound, false, f), "system %d", k);
    }
    free(s.K);
    free(v);
    assert_worst(&worst, 1e-8, "relative difference of impulses");
    assert_worst(&residual, 1e-12, "residual of Gauss-Seidel");
}

TEST(gauss_seidel_has_the_same_bits_in_all_lanes) {
    static struct system s;
    s.K = aligned_alloc(64, sizeof(double) * MAX_N * STRIDE);
    double *v = aligned_alloc(64, sizeof(double) * STRIDE);
    struct rng rng = {13};
    int compared = 0;
    for (int k = 0; k < 20; k++) {
        double first[2][MAX_N];
        bool known[2] = {false, false};
        random_system(&rng, &s);
        const struct sn__kernels *table;
        for (int i = 0; (table = sn__kernels_at(i)); i++) {
            if (table->info.precision != SN_DOUBLE || table->info.width == 1 || !table->rows) continue;
            double f[MAX_N];
            solve_pgs(table, &s, v, f);
            if (known[table->info.fma]) {
                assert_memory_equal(f, first[table->info.fma], sizeof *f * (size_t)s.n);
                compared++;
            } else {
                memcpy(first[table->info.fma], f, sizeof f);
                known[table->info.fma] = true;
            }
        }
    }
    free(s.K);
    free(v);
    print_message("  %d comparisons\n", compared);
}

/* ------------------------------------------------------------------------------------------------- scenes */

enum scene { STANDING, FALLING, RAGDOLL, PILE, SLOPE, SCENES };
static const char *const scene_name[] = {"standing", "falling", "ragdoll", "pile", "box on a slope"};

/* Returns the model its characters share, to be freed after the world. */
static sn_model *make_scene(enum scene scene, const sn_world_def *def, sn_world **world) {
    sn_world *w = *world = world_of(def);
    double q[MAX_NQ];
    if (scene <= RAGDOLL) {
        floor_of(w, NULL);
        sn_model *model = sn_builtin_create("humanoid", NULL);
        sn_character *c = sn_world_character(w, member_of(w, model, NULL));
        if (scene != RAGDOLL) set_gains(c, 0, 0, 1000, 100);
        stand_humanoid(c, q);
        if (scene == STANDING) return model;
        q[2] += 0.3;
        turn_about((const double[3]){0.6, 0.8, 0}, 0.7, q + 3);
        assert_int_equal(sn_character_set_state(c, q, NULL), SN_OK);
        return model;
    }
    const double a = 0.3, normal[3] = {-sin(a), 0, cos(a)}, zero[3] = {0};
    const sn_shape_def shape = scene == PILE ? capsule_of(0.05, 0.1, 1) : box_of(0.2, 0.15, 0.1, 3);
    sn_model *model = free_body(&shape);
    if (scene == PILE) {
        floor_of(w, NULL);
        struct rng rng = {5};
        for (int i = 0; i < 10; i++) {
            double rot[4];
            random_quaternion(&rng, rot);
            const double pos[3] = {uniform(&rng, -0.1, 0.1), uniform(&rng, -0.1, 0.1), 0.2 + 0.15 * i};
            put_body(sn_world_character(w, member_of(w, model, NULL)), pos, rot, NULL);
        }
    } else {
        double rot[4];
        turn_about((const double[3]){0, -1, 0}, a, rot);
        assert_true(sn_world_add_plane(w, zero, normal, NULL, NULL) >= 0);
        put_body(sn_world_character(w, member_of(w, model, NULL)),
                 (const double[3]){-0.1 * sin(a), 0, 0.1 * cos(a)}, rot, NULL);
    }
    return model;
}

/* The residual of the last step by a full matrix, independent of what the solver says of itself. */
static double true_residual(sn_world *w) {
    static double A[MAX_ROWS * MAX_ROWS], b[MAX_ROWS];
    static struct sn__bound bound[MAX_ROWS];
    const struct sn__problem p = sn__world_problem(w);
    const int n = w->nrow;
    assert_true(n <= MAX_ROWS);
    for (int i = 0; i < n; i++) {
        const struct sn__pgs_row *r = &w->row[i];
        bound[i] = (struct sn__bound){r->lo, r->hi, r->normal, r->mu, r->one_way};
        b[i] = r->b;
        for (int j = 0; j < n; j++)
            A[i * n + j] = sn__problem_coupling(&p, i, j);
    }
    return n ? sn__lcp_residual(n, A, b, bound, w->def.friction == SN_FRICTION_CONE, w->f) : 0;
}

TEST(rows_meet_their_conditions_at_default_settings) {
    struct worst told[2] = {{0}}, seen[2] = {{0}};
    for (int scene = 0; scene < SCENES; scene++) {
        const int limp = scene == RAGDOLL;
        const sn_world_def def = sn_world_def_default();
        sn_world *w;
        sn_model *model = make_scene((enum scene)scene, &def, &w);
        double most[2] = {0, 0};
        int iterations = 0, rows = 0;
        for (int k = 0; k < 480; k++) {
            step_world(w);
            most[0] = fmax(most[0], stats_of(w).residual);
            most[1] = fmax(most[1], true_residual(w));
            iterations = stats_of(w).iterations > iterations ? stats_of(w).iterations : iterations;
            rows = w->nrow > rows ? w->nrow : rows;
            worst_add(&told[limp], stats_of(w).residual, "%s, step %d", scene_name[scene], k);
            worst_add(&seen[limp], true_residual(w), "%s, step %d", scene_name[scene], k);
        }
        print_message("  %s: residual %.2g as told, %.2g as seen; at most %d iterations, %d rows\n",
                      scene_name[scene], most[0], most[1], iterations, rows);
        sn_world_free(w);
        sn_model_free(model);
    }
    assert_worst(&told[0], 1e-6, "residual as told, m/s");
    assert_worst(&seen[0], 1e-6, "residual as seen, m/s");
    /* a limp body turns on points at many heights, whose friction contradicts itself (subspace.c): slow to
       the end */
    assert_worst(&told[1], 1e-5, "residual as told, limp, m/s");
    assert_worst(&seen[1], 1e-5, "residual as seen, limp, m/s");
}

/* Both step from the same state, again and again, so that nothing but the solver makes a difference. A
   pyramid on a rank-deficient matrix can have more than one answer: two that both meet all conditions are
   both right. */
TEST(worlds_step_alike_under_either_solver) {
    static const sn_friction friction[] = {SN_FRICTION_PYRAMID, SN_FRICTION_ONE_WAY};
    static const char *const friction_name[] = {"pyramid", "one way"};
    struct worst alike = {0}, residual = {0};
    int steps = 0, cycling = 0, two_answers = 0;
    for (int scene = 0; scene < SCENES; scene++)
        for (int k = 0; k < COUNT(friction); k++) {
            if (scene == PILE) continue; /* too many rows for pivoting in a test */
            sn_world_def def = sn_world_def_default();
            def.friction = friction[k];
            def.iterations = 200000, def.tolerance = 1e-13;
            sn_world *w[2];
            sn_model *model[2];
            model[0] = make_scene((enum scene)scene, &def, &w[0]);
            def.row_solver = SN_ROWS_DIRECT;
            model[1] = make_scene((enum scene)scene, &def, &w[1]);
            const int nv = sn_model_nv(model[0]);
            double most = 0, unsolved[2] = {0, 0};
            int other = 0;
            for (int i = 0; i < 100; i++) {
                double q[MAX_NQ], qd[MAX_NV], v[2][MAX_NV], r[2];
                sn_character_get_state(sn_world_character(w[0], 0), q, qd);
                assert_int_equal(sn_character_set_state(sn_world_character(w[1], 0), q, qd), SN_OK);
                for (int s = 0; s < 2; s++) {
                    step_world(w[s]);
                    sn_character_get_state(sn_world_character(w[s], 0), NULL, v[s]);
                    r[s] = true_residual(w[s]);
                    unsolved[s] = fmax(unsolved[s], r[s]);
                }
                worst_add(&residual, r[1], "%s, %s, step %d", scene_name[scene], friction_name[k], i);
                steps++;
                cycling += r[0] > 1e-10;
                axpy(-1, v[0], v[1], nv);
                const double e = norm(v[1], nv) / fmax(1, norm(v[0], nv));
                other += e > 1e-8;
                most = fmax(most, e);
                two_answers += r[0] <= 1e-10 && r[1] <= 1e-10 && e > 1e-8;
                if (scene == STANDING || scene == SLOPE)
                    worst_add(&alike, e, "%s, %s, step %d", scene_name[scene], friction_name[k], i);
            }
            print_message(
                "  %s, %s: velocities differ by at most %.2g, in %d of 100 steps by more than 1e-8; "
                "residual %.2g of PGS, %.2g direct\n",
                scene_name[scene], friction_name[k], most, other, unsolved[0], unsolved[1]);
            for (int s = 0; s < 2; s++) {
                sn_world_free(w[s]);
                sn_model_free(model[s]);
            }
        }
    print_message("  of %d steps Gauss-Seidel did not come to an end in %d and found another answer in %d\n",
                  steps, cycling, two_answers);
    assert_worst(&residual, 1e-9, "residual of the direct solver, m/s");
    assert_worst(&alike, 1e-8, "difference of velocities, standing and on a slope");
    assert_true(cycling * 100 <= steps);
    assert_true(two_answers * 100 <= steps);
}

/* -------------------------------------------------------------------------------------------- the interface */

static sn_world *pendulum_world(sn_model **model) {
    const sn_world_def def = sn_world_def_default();
    sn_world *w = world_of(&def);
    *model = mixed_model(1, 0);
    member_of(w, *model, NULL);
    member_of(w, *model, NULL);
    return w;
}

TEST(handles_stay_and_old_ones_are_refused) {
    sn_model *model;
    sn_world *w = pendulum_world(&model);
    sn_constraint c[40];
    double force[6];
    for (int i = 0; i < COUNT(c); i++) {
        sn_constraint_def d = sn_constraint_def_default(i % 2 ? SN_SPRING : SN_POINT_PATH);
        d.body = i % sn_model_nbody(model);
        d.stiffness = 1;
        c[i] = sn_world_add_constraint(w, &d, NULL);
        assert_true(c[i] != 0);
        for (int k = 0; k < i; k++)
            assert_true(c[k] != c[i]);
    }
    for (int i = 0; i < COUNT(c); i++)
        assert_true(sn_world_constraint_force(w, c[i], force) >= 0);
    for (int i = 0; i < COUNT(c); i += 3) {
        assert_int_equal(sn_world_remove_constraint(w, c[i]), SN_OK);
        assert_int_equal(sn_world_remove_constraint(w, c[i]), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_constraint_force(w, c[i], force), -1);
        assert_int_equal(sn_world_set_constraint(w, c[i], force, NULL), SN_ERROR_ARGUMENT);
    }
    for (int round = 0; round < 20; round++) { /* places are used again, handles are not */
        sn_constraint_def d = sn_constraint_def_default(SN_SPRING);
        d.damping = 1;
        const sn_constraint fresh = sn_world_add_constraint(w, &d, NULL);
        for (int i = 0; i < COUNT(c); i++)
            assert_true(fresh != c[i]);
        assert_int_equal(sn_world_remove_constraint(w, c[0]), SN_ERROR_ARGUMENT);
        assert_int_equal(sn_world_remove_constraint(w, fresh), SN_OK);
    }
    step_world(w);
    for (int i = 0; i < COUNT(c); i++) {
        const int rows = sn_world_constraint_force(w, c[i], force);
        assert_int_equal(rows, i % 3 == 0 ? -1 : 3);
        if (rows == 3) assert_true(isfinite(force[0] + force[1] + force[2]));
    }
    assert_int_equal(sn_world_remove_constraint(w, 0), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_remove_constraint(w, UINT64_MAX), SN_ERROR_ARGUMENT);
    sn_world_free(w);
    sn_model_free(model);
}

static void refuse(sn_world *w, const sn_constraint_def *d, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_true(sn_world_add_constraint(w, d, &error) == 0);
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_message_has(&error, part);
    assert_true(sn_world_add_constraint(w, d, NULL) == 0);
}

TEST(wrong_constraints_are_refused_with_a_reason) {
    sn_model *model;
    sn_world *w = pendulum_world(&model);
    const sn_constraint_def pin = sn_constraint_def_default(SN_PIN),
                            path = sn_constraint_def_default(SN_POINT_PATH),
                            joint = sn_constraint_def_default(SN_JOINT_PATH),
                            spring = sn_constraint_def_default(SN_SPRING);
    sn_constraint_def d;
    int weld = 0;
    while (sn_model_body(model, weld)->nv)
        weld++;
    refuse(w, NULL, "NULL");
#define REFUSE(base, change, part)                                                                           \
    d = base;                                                                                                \
    change;                                                                                                  \
    refuse(w, &d, part)
    REFUSE(pin, d.type = (sn_constraint_type)17, "kind");
    REFUSE(pin, d.character = 2, "character 2");
    REFUSE(pin, d.character = -1, "character -1");
    REFUSE(pin, d.body = 99, "body 99");
    REFUSE(pin, d.body = -1, "body -1");
    REFUSE(pin, (d.character2 = 1, d.body2 = 77), "body 77");
    REFUSE(pin, d.character2 = 5, "character 5");
    REFUSE(pin, d.character2 = 0, "itself");
    REFUSE(pin, d.point[1] = NAN, "finite");
    REFUSE(pin, d.point2[2] = INFINITY, "finite");
    REFUSE(path, d.target[0] = NAN, "finite");
    REFUSE(path, d.target_velocity[0] = NAN, "finite");
    REFUSE(path, d.settle = 0, "settle");
    REFUSE(path, d.settle = NAN, "settle");
    REFUSE(path, d.max_force = 0, "max_force");
    REFUSE(path, d.max_force = NAN, "max_force");
    REFUSE(joint, d.body = weld, "degree of freedom");
    REFUSE(spring, d.stiffness = 0, "stiffness");
    REFUSE(spring, d.stiffness = -1, "stiffness");
    REFUSE(spring, (d.stiffness = 1, d.damping = -1), "damping");
    REFUSE(spring, d.stiffness = INFINITY, "stiffness");
#undef REFUSE
    const sn_constraint c = sn_world_add_constraint(w, &path, NULL);
    const double bad[3] = {0, NAN, 0};
    assert_int_equal(sn_world_set_constraint(w, c, bad, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_constraint(w, c, NULL, bad), SN_ERROR_ARGUMENT);
    step_world(w);
    sn_world_free(w);
    sn_model_free(model);
}

static void refuse_def(sn_world_def d, const char *part) {
    sn_error error = {SN_OK, ""};
    assert_null(sn_world_create(&d, &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_message_has(&error, part);
}

TEST(wrong_worlds_and_ground_are_refused) {
    sn_world_def d = sn_world_def_default();
#define REFUSE(change, part)                                                                                 \
    d = sn_world_def_default();                                                                              \
    change;                                                                                                  \
    refuse_def(d, part)
    REFUSE(d.dt = 0, "dt");
    REFUSE(d.dt = NAN, "dt");
    REFUSE(d.gravity[1] = INFINITY, "gravity");
    REFUSE(d.tolerance = -1, "tolerance");
    REFUSE(d.slop = NAN, "finite");
    REFUSE(d.iterations = 0, "iteration");
    REFUSE(d.max_contacts = -1, "contacts");
    REFUSE(d.sweeps = 0, "sweep");
    REFUSE(d.compliance = -1, "negative");
#undef REFUSE
    d = sn_world_def_default();
    sn_world *w = world_of(&d);
    sn_error error;
    const double zero[3] = {0}, up[3] = {0, 0, 1}, bad[3] = {NAN, 0, 0}, turn[4] = {1, 0, 0, 0},
                 none[4] = {0};
    const sn_shape_def sphere = sphere_of(1, 1), point = sphere_of(0, 1), rough = material_of(-1, 0),
                       hot = material_of(1, 1.5);
    assert_int_equal(sn_world_add_plane(w, zero, zero, NULL, &error), -1);
    assert_message_has(&error, "normal");
    assert_int_equal(sn_world_add_plane(w, bad, up, NULL, &error), -1);
    assert_int_equal(sn_world_add_plane(w, zero, up, &rough, &error), -1);
    assert_message_has(&error, "friction");
    assert_int_equal(sn_world_add_plane(w, zero, up, &hot, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &point, zero, turn, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, bad, turn, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, zero, none, &error), -1);
    assert_int_equal(sn_world_add_shape(w, NULL, zero, turn, &error), -1);
    sn_heightfield_def field = {1, 2, {1, 1}, {0, 0, 0}, zero};
    assert_int_equal(sn_world_add_heightfield(w, &field, NULL, &error), -1);
    assert_int_equal(sn_world_add_shape(w, &sphere, zero, turn, &error), 0);
    assert_int_equal(sn_world_move(w, 1, zero, turn, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_move(w, 0, bad, turn, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_move(w, 0, zero, none, NULL, NULL), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_active(w, 0, false), SN_ERROR_ARGUMENT);
    assert_null(sn_world_character(w, 0));
    assert_int_equal(sn_world_set_dt(w, -1), SN_ERROR_ARGUMENT);
    assert_int_equal(sn_world_set_dt(w, NAN), SN_ERROR_ARGUMENT);
    step_world(w);
    sn_world_free(w);
    sn_world_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_of_responses_is_that_of_the_dense_mass_matrix),
        cmocka_unit_test(gauss_seidel_comes_to_the_answer_of_the_direct_solver),
        cmocka_unit_test(gauss_seidel_has_the_same_bits_in_all_lanes),
        cmocka_unit_test(rows_meet_their_conditions_at_default_settings),
        cmocka_unit_test(worlds_step_alike_under_either_solver),
        cmocka_unit_test(handles_stay_and_old_ones_are_refused),
        cmocka_unit_test(wrong_constraints_are_refused_with_a_reason),
        cmocka_unit_test(wrong_worlds_and_ground_are_refused),
    };
    return cmocka_run_group_tests_name("world rows", tests, NULL, NULL);
}
