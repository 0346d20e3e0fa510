/* The finished model: masses from shapes, order, poses and built-ins. */
#include "branch_model.h"

#include "base/quat.h"
#include "model/model.h"

/* --------------------------------------------------------------------------------------- mass from shapes */

static bool is_inside(const sn_shape_def *shape, const double p[3]) {
    const double *s = shape->size;
    double round = p[0] * p[0] + p[1] * p[1], beyond = fmax(fabs(p[2]) - s[1], 0);
    switch (shape->type) {
    case SN_SHAPE_SPHERE:
        return round + p[2] * p[2] <= s[0] * s[0];
    case SN_SHAPE_CAPSULE:
        return round + beyond * beyond <= s[0] * s[0];
    case SN_SHAPE_BOX:
        return fabs(p[0]) <= s[0] && fabs(p[1]) <= s[1] && fabs(p[2]) <= s[2];
    case SN_SHAPE_CYLINDER:
        return round <= s[0] * s[0] && fabs(p[2]) <= s[1];
    case SN_SHAPE_HULL: { /* below all faces */
        const sn_hull_info *h = sn_hull_get(shape->hull);
        for (int f = 0; f < h->nface; f++) {
            const double *o = h->vertex[h->corner[h->first[f]]], *a = h->vertex[h->corner[h->first[f] + 1]],
                         *b = h->vertex[h->corner[h->first[f] + 2]];
            double u[3], v[3], w[3], n[3];
            for (int k = 0; k < 3; k++)
                u[k] = a[k] - o[k], v[k] = b[k] - o[k], w[k] = p[k] - o[k];
            dvec_cross(u, v, n);
            if (dvec_dot(n, w) > 0) return false;
        }
        return true;
    }
    case SN_SHAPE_CONE:
        return hypot(p[0], p[1]) <= s[0] * (s[1] - p[2]) / (2 * s[1]);
    default:
        return p[0] * p[0] / (s[0] * s[0]) + p[1] * p[1] / (s[1] * s[1]) + p[2] * p[2] / (s[2] * s[2]) <= 1;
    }
}

/* mass, first moment, second moments xx yy zz xy xz yz, in the body's frame, cell by cell. */
struct moments {
    double m, c[3], s[6];
};

static void integrate(const sn_shape_def *shape, struct moments *sum) {
    enum { N = 120 };
    double half[3] = {shape->size[0], shape->size[0], shape->size[0]}, R[3][3];
    if (shape->type == SN_SHAPE_CAPSULE) half[2] += shape->size[1];
    if (shape->type == SN_SHAPE_CYLINDER || shape->type == SN_SHAPE_CONE) half[2] = shape->size[1];
    if (shape->type == SN_SHAPE_BOX || shape->type == SN_SHAPE_ELLIPSOID)
        memcpy(half, shape->size, sizeof half);
    double cell = 8 * half[0] * half[1] * half[2] / ((double)N * N * N) * shape->density;
    dquat_to_matrix(shape->rot, R);
    for (int n = 0; n < N * N * N; n++) {
        const int at[3] = {n % N, n / N % N, n / N / N};
        double local[3], p[3];
        for (int i = 0; i < 3; i++)
            local[i] = half[i] * ((2 * at[i] + 1) / (double)N - 1);
        if (!is_inside(shape, local)) continue;
        for (int i = 0; i < 3; i++)
            p[i] = shape->pos[i] + dvec_dot(R[i], local);
        sum->m += cell;
        for (int i = 0; i < 3; i++)
            sum->c[i] += cell * p[i], sum->s[i] += cell * p[i] * p[i];
        sum->s[3] += cell * p[0] * p[1];
        sum->s[4] += cell * p[0] * p[2];
        sum->s[5] += cell * p[1] * p[2];
    }
}

/* The body made of the shapes has the mass, centre and inertia that the cells have. */
static void compare_with_cells(const sn_shape_def *shape, int nshape) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "lump";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    struct moments sum = {0};
    for (int i = 0; i < nshape; i++) {
        sn_builder_add_shape(builder, "lump", &shape[i]);
        integrate(&shape[i], &sum);
    }
    sn_model *model = build_and_free(builder);
    const sn_body_info *lump = sn_model_body(model, 0);
    double c[3], central[6], J[6];
    for (int i = 0; i < 3; i++)
        c[i] = sum.c[i] / sum.m, central[i] = sum.s[i] - sum.m * c[i] * c[i];
    central[3] = sum.s[3] - sum.m * c[0] * c[1];
    central[4] = sum.s[4] - sum.m * c[0] * c[2];
    central[5] = sum.s[5] - sum.m * c[1] * c[2];
    J[0] = central[1] + central[2], J[1] = central[0] + central[2], J[2] = central[0] + central[1];
    for (int i = 3; i < 6; i++)
        J[i] = -central[i];
    assert_near(lump->mass, sum.m, 2e-3 * sum.m);
    assert_near(sn_model_get(model)->mass, lump->mass, 0);
    assert_near_n(lump->com, c, 3, 1e-3);
    assert_near_n(lump->inertia, J, 6, 2e-3 * (J[0] + J[1] + J[2]));
    sn_model_free(model);
}

TEST(shapes_have_the_mass_and_inertia_of_their_cells) {
    for (int type = 0; type < SN_SHAPE_TYPE_COUNT; type++) {
        sn_shape_def shape = shape_with((sn_shape_type)type);
        compare_with_cells(&shape, 1);
    }
}

TEST(shapes_together_make_one_body) {
    sn_shape_def shape[SN_SHAPE_TYPE_COUNT];
    for (int type = 0; type < SN_SHAPE_TYPE_COUNT; type++) {
        shape[type] = shape_with((sn_shape_type)type);
        shape[type].density = 500 + 300 * type;
        for (int i = 0; i < 3; i++)
            shape[type].pos[i] = noise();
        for (int i = 0; i < 4; i++)
            shape[type].rot[i] = noise();
        dquat_normalise(shape[type].rot);
    }
    compare_with_cells(shape, SN_SHAPE_TYPE_COUNT);
}

TEST(a_shapes_mass_counts_before_its_density) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = sn_body_def_default();
    body.name = "ball";
    body.joint = sn_joint_def_default(SN_JOINT_FREE);
    sn_builder_add_body(builder, &body);
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    shape.mass = 3;
    sn_builder_add_shape(builder, "ball", &shape);
    sn_model *model = build_and_free(builder);
    assert_near(sn_model_get(model)->mass, 3, 1e-15);
    assert_near(sn_model_body(model, 0)->inertia[0], 0.4 * 3 * 0.09, 1e-15);
    sn_model_free(model);
}

TEST(a_given_mass_counts_before_the_shapes) {
    sn_builder *builder = sn_builder_create();
    add(builder, "trunk", NULL, SN_JOINT_FREE);
    sn_shape_def shape = shape_with(SN_SHAPE_SPHERE);
    sn_builder_add_shape(builder, "trunk", &shape);
    sn_model *model = build_and_free(builder);
    assert_near(sn_model_get(model)->mass, 1, 0);
    assert_near(sn_model_body(model, 0)->com[0], 0.1, 0);
    assert_int_equal(sn_model_body(model, 0)->nshape, 1);
    sn_model_free(model);
}

/* --------------------------------------------------------------------------------------------- the model */

TEST(bodies_stand_in_depth_first_order) {
    sn_model *model = branch_model(in_order);
    assert_int_equal(sn_model_get(model)->nbody, 6);
    assert_int_equal(sn_model_get(model)->nq, 7 + 4 + 0 + 1 + 2 + 1);
    assert_int_equal(sn_model_get(model)->nv, 6 + 3 + 0 + 1 + 2 + 1);
    assert_int_equal(sn_model_get(model)->depth, 6 + 3 + 1);
    const int parent[] = {-1, 0, 1, 2, 0, 4}, q[] = {0, 7, 11, 11, 12, 14}, v[] = {0, 6, 9, 9, 10, 12};
    for (int i = 0; i < 6; i++) {
        const sn_body_info *body = sn_model_body(model, i);
        assert_string_equal(body->name, branch[i].name);
        assert_int_equal(sn_model_find_body(model, branch[i].name), i);
        assert_int_equal(body->parent, parent[i]);
        assert_int_equal(body->q_index, q[i]);
        assert_int_equal(body->v_index, v[i]);
        assert_int_equal(body->first_shape, 2 * i);
        assert_int_equal(body->nshape, 2);
        assert_near(sn_model_get(model)->shape[2 * i].size[0], 1 + i, 0);
        assert_near(sn_model_get(model)->shape[2 * i + 1].size[0], 10 + i, 0);
    }
    assert_int_equal(sn_model_get(model)->nshape, 12);
    assert_null(sn_model_body(model, -1));
    assert_null(sn_model_body(model, 6));
    assert_int_equal(sn_model_find_body(model, "nobody"), -1);
    assert_int_equal(sn_model_find_body(model, NULL), -1);
    sn_model_free(model);
}

TEST(bodies_added_children_first_give_the_same_model) {
    const int children_first[] = {3, 2, 5, 1, 4, 0}; /* siblings keep their order: arm before leg */
    sn_model *a = branch_model(in_order), *b = branch_model(children_first);
    for (int i = 0; i < a->nbody; i++) {
        const char *name = b->body[i].name;
        assert_string_equal(a->body[i].name, name);
        const char *joint = b->body[i].joint.name;
        assert_string_equal(a->body[i].joint.name, joint);
        b->body[i].name = a->body[i].name, b->body[i].joint.name = a->body[i].joint.name;
        /* all else bit for bit */
        assert_memory_equal(&a->body[i], &b->body[i], sizeof a->body[i]);
        b->body[i].name = name, b->body[i].joint.name = joint;
    }
    size_t nbody = (size_t)a->nbody, nv = (size_t)a->nv;
    assert_memory_equal(a->shape, b->shape, (size_t)a->nshape * sizeof *a->shape);
    assert_memory_equal(a->dof_parent, b->dof_parent, nv * sizeof *a->dof_parent);
    assert_memory_equal(a->tree_f64.body, b->tree_f64.body, nbody * sizeof *a->tree_f64.body);
    assert_memory_equal(a->tree_f32.body, b->tree_f32.body, nbody * sizeof *a->tree_f32.body);
    assert_memory_equal(a->tree_f64.visit, b->tree_f64.visit, 2 * nbody * sizeof *a->tree_f64.visit);
    sn_model_free(a);
    sn_model_free(b);
}

TEST(degrees_of_freedom_hang_on_those_before_them) {
    sn_model *model = branch_model(in_order);
    const int parent[] = {-1, 0, 1, 2, 3,  4, 5,
                          6,  7, 8, 5, 10, 11}; /* the finger, over the weld, on the arm */
    assert_memory_equal(model->dof_parent, parent, sizeof parent);
    assert_near(model->damping[9], 0.3, 1e-15);
    assert_near(model->stiffness[12], 5, 0);
    assert_near(model->armature[7], 0.01, 0);
    assert_near(model->torque_limit[10], 50, 0);
    assert_true(isinf(model->torque_limit[0]));
    assert_true(model->has_stiffness && model->has_torque_limit);
    sn_model_free(model);
}

TEST(springs_rest_in_the_zero_pose_unless_told) {
    sn_builder *builder = sn_builder_create();
    sn_body_def body = body_with("still", NULL, SN_JOINT_BALL);
    sn_builder_add_body(builder, &body);
    body.name = "bent";
    body.joint.rest[0] = 3, body.joint.rest[2] = 4;
    sn_builder_add_body(builder, &body);
    sn_model *model = build_and_free(builder);
    assert_near_n(sn_model_body(model, 0)->joint.rest, (double[]){1, 0, 0, 0}, 4, 0);
    assert_near_n(sn_model_body(model, 1)->joint.rest, (double[]){0.6, 0, 0.8, 0}, 4, 1e-15);
    assert_false(model->has_stiffness);
    sn_model_free(model);
}

TEST(the_zero_pose_has_unit_quaternions_and_free_bodies_in_place) {
    sn_model *model = branch_model(in_order);
    double q[15];
    sn_model_zero_pose(model, q);
    const double expected[15] = {0, 0.2, -0.3, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    assert_near_n(q, expected, 15, 0);
    sn_model_free(model);
}

/* -------------------------------------------------------------------------------------------------- poses */

TEST(pose_subtract_is_the_inverse_of_pose_add) {
    sn_model *model = branch_model(in_order);
    double q[15], moved[15], dv[13], back[13], again[15];
    for (int trial = 0; trial < 200; trial++) {
        double size = trial < 100 ? 1.7 : trial < 150 ? 1e-6 : 1e-12; /* turns stay below pi */
        for (int i = 0; i < 15; i++)
            q[i] = noise();
        for (int i = 0; i < 13; i++)
            dv[i] = size * noise();
        dquat_normalise(q + 3), dquat_normalise(q + 7);
        sn_model_pose_add(model, 1, q, dv, moved);
        sn_model_pose_subtract(model, 1, moved, q, back);
        assert_near_n(back, dv, 13, 1e-14 + 1e-14 * size);
        for (int i = 3; i < 7; i++)
            moved[i] = -moved[i]; /* the same rotation */
        sn_model_pose_subtract(model, 1, moved, q, back);
        assert_near_n(back, dv, 13, 1e-14 + 1e-14 * size);
        memcpy(again, q, sizeof again);
        sn_model_pose_add(model, 1, again, dv, again); /* in place */
        for (int i = 3; i < 7; i++)
            again[i] = -again[i];
        assert_near_n(again, moved, 15, 1e-15);
    }
    sn_model_free(model);
}

TEST(pose_add_turns_about_the_childs_own_axes) {
    sn_model *model = branch_model(in_order);
    double q[15], dv[13] = {0}, x[3] = {1, 0, 0}, turned[3];
    sn_model_zero_pose(model, q);
    dquat_identity(q + 3);
    dv[6] = M_PI / 2; /* the arm about its x ... */
    sn_model_pose_add(model, 1, q, dv, q);
    dv[6] = 0, dv[8] = M_PI / 2; /* ... then about its own z, which is now the parent's -y */
    sn_model_pose_add(model, 1, q, dv, q);
    dquat_rotate(q + 7, x, turned);
    assert_near_n(turned, (double[]){0, 0, 1}, 3, 1e-15);
    dv[8] = 0, dv[0] = 2, dv[5] = M_PI; /* a free body moves along world axes, whichever way it is turned */
    sn_model_pose_add(model, 1, q, dv, q);
    sn_model_pose_add(model, 1, q, dv, q);
    assert_near(q[0], 4, 1e-15);
    sn_model_free(model);
}

TEST(pose_subtract_goes_the_shorter_way) {
    sn_model *model = branch_model(in_order);
    double q[15], far[15], dv[13] = {0}, back[13];
    sn_model_zero_pose(model, q);
    dv[7] = 1.5 * M_PI;
    sn_model_pose_add(model, 1, q, dv, far);
    sn_model_pose_subtract(model, 1, far, q, back);
    assert_near(back[7], -0.5 * M_PI, 1e-14);
    sn_model_free(model);
}

/* ---------------------------------------------------------------------------------------------- built-ins */

TEST(builtin_models_have_the_sizes_they_are_known_by) {
    static const struct {
        const char *name;
        int nbody, nv, depth;
        double mass;
    } known[] = {
        {"humanoid", 13, 34, 13, 45},  {"dog", 23, 72, 24, 25},
        {"snake36", 11, 36, 36, 0},    {"snake72", 23, 72, 72, 0},
        {"snake195", 64, 195, 195, 0}, {"mouse", 17, 54, 51, 0.1491264578089875},
    };
    const double link = 1000 * M_PI * (0.05 * 0.05 * 0.1 + 4.0 / 3.0 * 0.05 * 0.05 * 0.05);
    for (int i = 0; i < COUNT(known); i++) {
        sn_error error;
        assert_string_equal(sn_builtin_name(i), known[i].name);
        sn_model *model = sn_builtin_create(known[i].name, &error);
        if (!model) fail_msg("%s", error.message);
        assert_int_equal(sn_model_get(model)->nbody, known[i].nbody);
        assert_int_equal(sn_model_get(model)->nv, known[i].nv);
        assert_int_equal(sn_model_get(model)->depth, known[i].depth);
        assert_near(sn_model_get(model)->mass, known[i].mass > 0 ? known[i].mass : known[i].nbody * link,
                    1e-12);
        sn_model_free(model);
    }
    assert_null(sn_builtin_name(COUNT(known)));
    assert_null(sn_builtin_name(-1));
    sn_error error;
    assert_null(sn_builtin_create("cat", &error));
    assert_int_equal(error.status, SN_ERROR_ARGUMENT);
    assert_message_has(&error, "'cat'");
    assert_null(sn_builtin_create(NULL, NULL));
}

/* Lowest and highest point of all shapes at q = 0, where all body axes are the world's. */
static void extent(const sn_model *model, double *low, double *high) {
    double origin[64][3];
    *low = 1e9, *high = -1e9;
    for (int i = 0; i < model->nbody; i++) {
        const sn_body_info *body = &model->body[i];
        for (int k = 0; k < 3; k++)
            origin[i][k] = body->pos[k] + (body->parent >= 0 ? origin[body->parent][k] : 0);
        for (int k = body->first_shape; k < body->first_shape + body->nshape; k++) {
            const sn_shape_def *shape = &model->shape[k];
            double z[3] = {0, 0, 1}, along[3], reach = shape->size[0];
            dquat_rotate(shape->rot, z, along);
            if (shape->type == SN_SHAPE_CAPSULE) reach += shape->size[1] * fabs(along[2]);
            if (shape->type == SN_SHAPE_BOX) reach = shape->size[2];
            *low = fmin(*low, origin[i][2] + shape->pos[2] - reach);
            *high = fmax(*high, origin[i][2] + shape->pos[2] + reach);
        }
    }
}

TEST(the_figures_stand_upright_on_even_feet) {
    double low, high;
    sn_model *model = sn_builtin_create("humanoid", NULL);
    extent(model, &low, &high);
    assert_near(high - low, 1.6, 0.05);
    int left = sn_model_find_body(model, "left_thigh"), right = sn_model_find_body(model, "right_thigh");
    assert_true(left >= 0 && right >= 0);
    assert_true(sn_model_body(model, left)->pos[1] > 0);
    assert_near(sn_model_body(model, left)->pos[1], -sn_model_body(model, right)->pos[1], 0);
    sn_model_free(model);
    model = sn_builtin_create("dog", NULL);
    extent(model, &low, &high);
    assert_near(high - low, 0.75, 0.1);
    int fore = sn_model_find_body(model, "left_fore_paw"), hind = sn_model_find_body(model, "left_hind_paw");
    double z[2] = {0, 0};
    for (int i = fore; i >= 0; i = model->body[i].parent)
        z[0] += model->body[i].pos[2];
    for (int i = hind; i >= 0; i = model->body[i].parent)
        z[1] += model->body[i].pos[2];
    z[0] -= 0.03 + 0.03, z[1] -= 0.025 + 0.025; /* the soles */
    assert_near(z[0], low, 1e-12);
    assert_near(z[1], low, 1e-12);
    sn_model_free(model);
}

int main(void) {
    return run_all("model");
}
