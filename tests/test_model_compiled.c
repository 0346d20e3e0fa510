/* What of a model is compiled for the kernels: the walk over its tree, frames, and the tree in float. */
#include "branch_model.h"

#include "base/quat.h"
#include "model/model.h"

/* ------------------------------------------------------------------------------------------ compiled tree */

/* Plays the walk and checks that nobody's sum is lost: a slot that is stored into holds nothing still needed,
   and a body finds in its slot what all its children brought there. */
static void play_walk(const sn_model *model) {
    const struct tree_f64 *tree = &model->tree_f64;
    int holder[512], children[512] = {0}, brought[512] = {0}, entered = 0, left = 0, inside = -1, most = 0;
    bool used[512] = {false};
    assert_true(tree->nbody <= 512);
    for (int i = 0; i < tree->nslot; i++)
        holder[i] = -1;
    for (int i = 0; i < tree->nbody; i++)
        if (tree->body[i].parent >= 0) children[tree->body[i].parent]++;
    for (int n = 0; n < 2 * tree->nbody; n++) {
        int at = tree->visit[n].body;
        const struct tree_body_f64 *body = &tree->body[at];
        if (!tree->visit[n].leaving) {
            assert_int_equal(at, entered++);
            assert_int_equal(body->parent, inside); /* parents before children */
            inside = at;
            continue;
        }
        assert_int_equal(at, inside);
        inside = body->parent;
        left++;
        assert_int_equal(body->leaf, children[at] == 0);
        assert_int_equal(brought[at], children[at]);
        if (body->leaf)
            assert_int_equal(body->slot, -1);
        else {
            assert_int_equal(holder[body->slot], at);
            holder[body->slot] = -1; /* read */
        }
        if (body->parent < 0) {
            assert_int_equal(body->parent_slot, -1);
            continue;
        }
        assert_in_range(body->parent_slot, 0, tree->nslot - 1);
        assert_int_equal(body->parent_slot, tree->body[body->parent].slot);
        assert_int_equal(body->first, brought[body->parent] == 0);
        assert_int_equal(holder[body->parent_slot], body->first ? -1 : body->parent);
        holder[body->parent_slot] = body->parent;
        used[body->parent_slot] = true;
        brought[body->parent]++;
        int in_use = 0;
        for (int i = 0; i < tree->nslot; i++)
            in_use += holder[i] >= 0;
        if (in_use > most) most = in_use;
    }
    assert_int_equal(entered, tree->nbody);
    assert_int_equal(left, tree->nbody);
    assert_int_equal(most, tree->nslot);
    for (int i = 0; i < tree->nslot; i++)
        assert_true(used[i]);
}

TEST(the_walk_never_loses_a_slot) {
    for (int i = 0; sn_builtin_name(i); i++) {
        sn_model *model = sn_builtin_create(sn_builtin_name(i), NULL);
        play_walk(model);
        if (strncmp(sn_builtin_name(i), "snake", 5) == 0) assert_int_equal(model->tree_f64.nslot, 1);
        sn_model_free(model);
    }
    for (int trial = 0; trial < 50; trial++) { /* random forests */
        char name[16], parent[16];
        sn_builder *builder = sn_builder_create();
        int n = 1 + trial * 6;
        for (int i = 0; i < n; i++) {
            int above = (int)floor((noise() + 1) / 2 * (i + 1)) - 1, near = i - 1 - i % 3;
            if (trial % 2 && near > above) above = near; /* deep rather than bushy */
            snprintf(name, sizeof name, "b%d", i);
            snprintf(parent, sizeof parent, "b%d", above);
            add(builder, name, above >= 0 ? parent : NULL, SN_JOINT_HINGE);
        }
        sn_model *model = build_and_free(builder);
        play_walk(model);
        sn_model_free(model);
    }
}

/* World frames at q = 0: of bodies along pos and rot, of kernels along offset and rot. */
TEST(compiled_frames_stand_at_the_anchors) {
    sn_model *model = branch_model(in_order);
    double at[6][3], turn[6][4], kernel[6][3];
    const double zero[3] = {0, 0, 0}, identity[4] = {1, 0, 0, 0};
    for (int i = 0; i < 6; i++) {
        const sn_body_info *body = &model->body[i];
        const struct tree_body_f64 *compiled = &model->tree_f64.body[i];
        int p = body->parent;
        double step[3], anchor[3], back[3], R[3][3], expected[3], m[3], J[6];
        dquat_rotate(p >= 0 ? turn[p] : identity, body->pos, step);
        for (int k = 0; k < 3; k++)
            at[i][k] = (p >= 0 ? at[p] : zero)[k] + step[k];
        dquat_multiply(p >= 0 ? turn[p] : identity, body->rot, turn[i]);
        dquat_rotate(p >= 0 ? turn[p] : identity, compiled->offset, step);
        for (int k = 0; k < 3; k++)
            kernel[i][k] = (p >= 0 ? kernel[p] : zero)[k] + step[k];
        dquat_rotate(turn[i], body->joint.anchor, anchor);
        for (int k = 0; k < 3; k++)
            expected[k] = at[i][k] + anchor[k];
        assert_near_n(kernel[i], expected, 3, 1e-14);
        dquat_to_matrix(turn[i], R); /* and back from the kernel's origin to the body's */
        for (int k = 0; k < 3; k++)
            back[k] = kernel[i][k] + dvec_dot(R[k], compiled->origin);
        assert_near_n(back, at[i], 3, 1e-14);

        /* a mass of 1 at (0.1, -y, 0) from the anchor (0, y, 0), and 0.01 about each axis */
        double x = 0.1, y = -body->joint.anchor[1];
        m[0] = x, m[1] = y, m[2] = 0;
        J[0] = 0.01 + y * y, J[1] = 0.01 + x * x, J[2] = 0.01 + x * x + y * y;
        J[3] = -x * y, J[4] = J[5] = 0;
        assert_near_n(compiled->mc, m, 3, 1e-15);
        assert_near_n(compiled->J, J, 6, 1e-15);
        assert_int_equal(compiled->rotated, i > 0);
        assert_int_equal(compiled->joint, branch[i].type);
        assert_int_equal(compiled->has_spring, branch[i].type != SN_JOINT_WELD && i > 0);
    }
    sn_model_free(model);
}

TEST(the_float_tree_is_the_double_tree_rounded) {
    sn_model *model = branch_model(in_order);
    assert_int_equal(model->tree_f32.nbody, 6);
    assert_int_equal(model->tree_f32.nq, 15);
    assert_int_equal(model->tree_f32.nv, 13);
    assert_int_equal((uintptr_t)model->tree_f64.body % 64, 0);
    assert_int_equal((uintptr_t)model->tree_f32.body % 64, 0);
    for (int i = 0; i < 6; i++) {
        const struct tree_body_f64 *d = &model->tree_f64.body[i];
        const struct tree_body_f32 *f = &model->tree_f32.body[i];
        assert_memory_equal(f, d, offsetof(struct tree_body_f32, offset)); /* all the integers */
        const double *from = d->offset; /* offset to rest stand one after the other in both */
        const float *to = f->offset;
        size_t n = (sizeof *d - offsetof(struct tree_body_f64, offset)) / sizeof *from;
        for (size_t k = 0; k < n; k++)
            assert_true(to[k] == (float)from[k]);
    }
    sn_model_free(model);
}

int main(void) {
    return run_all("model compiled");
}
