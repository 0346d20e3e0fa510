/* What one joint after the other cannot do, the joints of a limb do together.
 *
 * A hinge has one axis: an elbow bends in the plane that the shoulder leaves it, a robot's hip spreads before it
 * swings. With the orientations of retarget.c, projected joint by joint, a limb may end elsewhere than the clip's.
 * Here the angles x of all joints of a limb are moved until its directions d are those t of the clip:
 *
 *   minimise  sum_s |d_s(x) - t_s|^2 + l^2 |x - x0|^2    within the joints' limits
 *
 * s are the parts of the limb, from one driven body to the next; x0 are the angles from orientations, which keep
 * what directions leave open. Where x turns about the axis a through c, the direction d of a way p1 - p0 changes by
 * (I - d d^T) (a x (p1 - c) - a x (p0 - c)) / |p1 - p0|, the terms of points before the joint left out. Gauss-Newton
 * with an active set of limits. The way from a limb's beginning to its end is left to its parts: where proportions
 * differ it could only be had by parts that point elsewhere.
 *
 * A robot's leg of two parts that follows an animal's of four is carried over as a whole instead: d = (p1 - p0) / L
 * over the limb's own length L, t the same of the clip, so that the paw comes to lie where the clip has it; and as
 * high over the floor as the clip has it, in the model's scale. The upper part then only says to which side the knee
 * goes. */
#include "motion/retarget.h"

#include "base/memory.h"
#include "base/quat.h"
#include "motion/motion.h"
#include "model/joint.h"

#include <math.h>
#include <string.h>

enum { MOST_LINKS = 24, MOST_ANGLES = 24, MOST_WAYS = MOST_LINKS + 1, MOST_ROUNDS = 20 };

static const double stay = 1e-3;   /* l^2 */
static const double enough = 1e-4; /* of a direction: nothing to do */

struct angle {
    int link, index; /* of the limb; of the joint's own degrees of freedom */
    double least, most;
    double moved;   /* since x0 */
    double axis[3]; /* in the world */
};

struct way {
    int from, to; /* links whose anchors it connects; to == nlink: the tip */
    int joint[2]; /* of the clip, as above                                 */
    double target[3], d[3], length;
    double span; /* m: d and target are ways over this length; 0: they are directions */
    double weight;
};

static const double hint = 0.02; /* weight of parts where the limb as a whole counts */

struct limb {
    struct retarget *r;
    double *q; /* the current pose */
    int nlink, nangle, nway;
    int link[MOST_LINKS]; /* bodies from its beginning on */
    int top;              /* of the links the first that belongs to no other limb */
    double anchor[MOST_LINKS + 1][3], rot[MOST_LINKS][4];
    struct angle angle[MOST_ANGLES];
    struct way way[MOST_WAYS];
    double height; /* of where the limb begins, when it is carried over as a whole */
};

/* ------------------------------------------------------------------------------------------------- which joints */

/* How many limbs hang on the body, itself included. */
static int limbs_below(const struct retarget *r, int body) {
    int count = 0;
    for (int i = body; i < r->nbody; i++) {
        int up = i;
        if (!sn__limb_ends(r, i)) continue;
        while (up > body)
            up = sn_model_body(r->model, up)->parent;
        count += up == body;
    }
    return count;
}

static void add_angles(struct limb *l, int link) {
    const sn_body_info *info = sn_model_body(l->r->model, l->link[link]);
    const sn_joint_def *joint = &info->joint;
    const int count = sn__joint_is_ball(info) ? 3 : sn__joint_hinges(info);
    for (int i = 0; i < count && l->nangle < MOST_ANGLES; i++) {
        const bool limited = joint->limited && count < 3;
        l->angle[l->nangle++] = (struct angle){.link = link,
                                               .index = i,
                                               .least = limited ? joint->lower[i] : -HUGE_VAL,
                                               .most = limited ? joint->upper[i] : HUGE_VAL};
    }
}

static void add_way(struct limb *l, int from, int to, int joint_from, int joint_to) {
    l->way[l->nway++] = (struct way){.from = from, .to = to, .joint = {joint_from, joint_to}, .weight = 1};
}

/* From where the limb begins to its tip, in place of the last part. */
static void add_whole(struct limb *l, int end) {
    const struct retarget *r = l->r;
    const int start = sn__limb_start(r, end), from = l->nlink - 1;
    for (int s = 0; s < l->nway; s++)
        l->way[s].weight = hint;
    int first = from;
    while (first > 0 && l->link[first] != start)
        first--;
    add_way(l, first, l->nlink, r->joint[start], r->beyond[end]);
    l->way[l->nway - 1].span = sn__limb_length(r, end);
}

/* False: a limb that nothing can be done for. */
static bool survey(struct limb *l, int end) {
    const struct retarget *r = l->r;
    const int start = sn__limb_start(r, end);
    int bodies = 1 + r->group[start], driven = -1;
    for (int i = end; i != start; i = sn_model_body(r->model, i)->parent)
        bodies++;
    if (bodies > MOST_LINKS) return false;
    l->nlink = bodies;
    for (int i = end, n = bodies; n > 0; i = sn_model_body(r->model, i)->parent)
        l->link[--n] = i;
    for (l->top = bodies; l->top > 0 && limbs_below(r, l->link[l->top - 1]) == 1;)
        l->top--;
    const bool tip = r->beyond[end] >= 0;
    const int moved =
        tip ? bodies
            : bodies - 1 - r->group[end]; /* what turns a foot or a hand has its orientation to keep */
    for (int n = 0; n < bodies; n++) {
        if (n >= l->top && n < moved) add_angles(l, n);
        const int body = l->link[n];
        if (r->joint[body] < 0) continue;
        if (driven >= 0) add_way(l, driven, n, r->joint[l->link[driven]], r->joint[body]);
        driven = n;
    }
    if (l->nangle == 0) return false;
    if (tip && r->whole[end] > 0)
        add_whole(l, end);
    else if (tip)
        add_way(l, bodies - 1, bodies, r->joint[end], r->beyond[end]);
    return l->nway > 0;
}

/* ------------------------------------------------------------------------------------------------------- moving */

/* Where the clip's frame wants the ways to point, turned as the model stands; one without length is as the model has it. */
static void aim(struct limb *l) {
    const struct retarget *r = l->r;
    for (int s = 0; s < l->nway; s++) {
        struct way *w = &l->way[s];
        for (int k = 0; k < 3; k++)
            w->target[k] = r->place[3 * w->joint[1] + k] - r->place[3 * w->joint[0] + k];
        dquat_rotate(r->H, w->target, w->target);
        dquat_rotate(r->fixed, w->target, w->target);
        if (w->span > 0) {
            const double whole = r->whole[l->link[l->nlink - 1]];
            for (int k = 0; k < 3; k++)
                w->target[k] /= whole;
            if (r->fixed[0] == 1)
                w->target[2] = (r->scale * (r->at[2] + r->place[3 * w->joint[1] + 2]) - l->height) / w->span;
        } else if (dvec_length(w->target) < 1e-6)
            memcpy(w->target, w->d, sizeof w->d);
        else
            dvec_normalise(w->target);
    }
    for (int i = 0; i < l->nangle; i++)
        l->angle[i].moved = 0;
}

/* Where links, axes and ways are; the first link's parent does not move. */
static void look(struct limb *l) {
    static const double origin[3] = {0}, identity[4] = {1, 0, 0, 0};
    const sn_model *model = l->r->model;
    double pos[MOST_LINKS][3], base[MOST_LINKS][4];
    for (int n = 0; n < l->nlink; n++) {
        const sn_body_info *info = sn_model_body(model, l->link[n]);
        const double *before = n > 0              ? l->rot[n - 1]
                               : info->parent < 0 ? identity
                                                  : l->r->B + 4 * info->parent;
        sn__pose_of_body(info, l->q + info->q_index, n > 0 ? pos[n - 1] : origin, before, pos[n], l->rot[n]);
        dquat_multiply(before, info->rot, base[n]);
        dquat_rotate(l->rot[n], info->joint.anchor, l->anchor[n]);
        for (int k = 0; k < 3; k++)
            l->anchor[n][k] += pos[n][k];
    }
    double back[4], arm[3];
    const int end = l->link[l->nlink - 1];
    dquat_conjugate(l->r->Z + 4 * end, back); /* the tip was turned by Z */
    dquat_rotate(back, l->r->tip + 3 * end, arm);
    dquat_rotate(l->rot[l->nlink - 1], arm, arm);
    for (int k = 0; k < 3; k++)
        l->anchor[l->nlink][k] = l->anchor[l->nlink - 1][k] + arm[k];
    for (int i = 0; i < l->nangle; i++) {
        struct angle *x = &l->angle[i];
        const sn_body_info *info = sn_model_body(model, l->link[x->link]);
        const sn_joint_def *joint = &info->joint;
        const double unit[3] = {x->index == 0, x->index == 1, x->index == 2};
        if (sn__joint_is_ball(info)) /* in the body's own axes */
            dquat_rotate(l->rot[x->link], unit, x->axis);
        else if (x->index == 0)
            dquat_rotate(base[x->link], joint->axis, x->axis);
        else
            dquat_rotate(l->rot[x->link], joint->axis2, x->axis);
    }
    for (int s = 0; s < l->nway; s++) {
        struct way *w = &l->way[s];
        for (int k = 0; k < 3; k++)
            w->d[k] = l->anchor[w->to][k] - l->anchor[w->from][k];
        w->length = w->span > 0 ? w->span : dvec_length(w->d);
        for (int k = 0; k < 3 && w->length > 1e-6; k++)
            w->d[k] /= w->length;
    }
}

/* How a way's direction changes with an angle. */
static void slope_of(const struct limb *l, const struct way *w, const struct angle *x, double slope[3]) {
    memset(slope, 0, 3 * sizeof *slope);
    if (w->length <= 1e-6) return;
    for (int end = 0; end < 2; end++) {
        const int link = end ? w->to : w->from;
        double arm[3], turn[3];
        if (link <= x->link) continue; /* at the pivot, or before it */
        for (int k = 0; k < 3; k++)
            arm[k] = l->anchor[link][k] - l->anchor[x->link][k];
        dvec_cross(x->axis, arm, turn);
        for (int k = 0; k < 3; k++)
            slope[k] += (end ? turn[k] : -turn[k]) / w->length;
    }
    const double along = w->span > 0 ? 0 : dvec_dot(slope, w->d);
    for (int k = 0; k < 3; k++)
        slope[k] -= along * w->d[k];
}

/* Solves A x = b, A symmetric and positive, in place by L D L^T; rows and columns that are held stay at 0. */
static void solve(int n, double A[][MOST_ANGLES], const bool *held, double *x) {
    for (int i = 0; i < n; i++)
        if (held[i]) {
            for (int k = 0; k < n; k++)
                A[i][k] = A[k][i] = 0;
            A[i][i] = 1, x[i] = 0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = A[i][j];
            for (int k = 0; k < j; k++)
                sum -= A[i][k] * A[j][k] * A[k][k];
            A[i][j] = j < i ? sum / A[j][j] : sum;
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            x[i] -= A[i][k] * x[k];
    for (int i = 0; i < n; i++)
        x[i] /= A[i][i];
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            x[i] -= A[k][i] * x[k];
}

static double value_of(const struct limb *l, const struct angle *x) {
    const sn_body_info *info = sn_model_body(l->r->model, l->link[x->link]);
    return sn__joint_is_ball(info) ? 0 : l->q[info->q_index + x->index];
}

/* The step to the minimum of the linearised problem; angles at a limit that would leave it are held. */
static void find_step(const struct limb *l, double *step) {
    double A[MOST_ANGLES][MOST_ANGLES] = {{0}}, b[MOST_ANGLES] = {0}, slope[MOST_ANGLES][3];
    bool held[MOST_ANGLES] = {false};
    for (int s = 0; s < l->nway; s++) {
        const struct way *w = &l->way[s];
        double off[3];
        for (int k = 0; k < 3; k++)
            off[k] = w->target[k] - w->d[k];
        for (int i = 0; i < l->nangle; i++) {
            slope_of(l, w, &l->angle[i], slope[i]);
            b[i] += w->weight * dvec_dot(slope[i], off);
            for (int k = 0; k <= i; k++)
                A[i][k] += w->weight * dvec_dot(slope[i], slope[k]);
        }
    }
    for (int i = 0; i < l->nangle; i++) {
        A[i][i] += stay;
        b[i] -= stay * l->angle[i].moved;
        for (int k = 0; k < i; k++)
            A[k][i] = A[i][k];
    }
    for (bool again = true; again;) {
        double copy[MOST_ANGLES][MOST_ANGLES];
        memcpy(copy, A, sizeof copy);
        memcpy(step, b, sizeof b);
        solve(l->nangle, copy, held, step);
        again = false;
        for (int i = 0; i < l->nangle; i++) {
            const struct angle *x = &l->angle[i];
            const double value = value_of(l, x);
            if (held[i] || !((value <= x->least && step[i] < 0) || (value >= x->most && step[i] > 0)))
                continue;
            held[i] = again = true;
        }
    }
}

/* Returns the largest change. */
static double take_step(struct limb *l, const double *step) {
    double largest = 0;
    for (int i = 0; i < l->nangle; i++) {
        struct angle *x = &l->angle[i];
        const sn_body_info *info = sn_model_body(l->r->model, l->link[x->link]);
        const double change = fmax(-0.3, fmin(0.3, step[i]));
        if (sn__joint_is_ball(info)) {
            double turn[3] = {0}, by[4];
            turn[x->index] = change;
            dquat_exp(turn, by);
            dquat_multiply(l->q + info->q_index, by, l->q + info->q_index);
            dquat_normalise(l->q + info->q_index);
            x->moved += change;
        } else {
            double *value = l->q + info->q_index + x->index;
            const double to = fmax(x->least, fmin(x->most, *value + change));
            x->moved += to - *value;
            *value = to;
        }
        largest = fmax(largest, fabs(change));
    }
    return largest;
}

static double off_target(const struct limb *l) {
    double most = 0;
    for (int s = 0; s < l->nway; s++) {
        const struct way *w = &l->way[s];
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(w->d[k] - w->target[k]));
    }
    return most;
}

static void reach(struct limb *l, const double *before) {
    struct retarget *r = l->r;
    double step[MOST_ANGLES];
    look(l);
    aim(l);
    if (off_target(l) < enough) return;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        find_step(l, step);
        const double change = take_step(l, step);
        look(l);
        if (change < 1e-6) break;
    }
    for (int n = l->top; n < l->nlink; n++)
        memcpy(r->B + 4 * l->link[n], l->rot[n], sizeof l->rot[n]);
    const int end = l->link[l->nlink - 1];
    static const double origin[3] = {0};
    if (r->beyond[end] < 0)
        sn__retarget_place(r, end, origin, l->q, before); /* hands and feet as they were */
}

struct sn__limbs {
    int count;
    struct limb limb[];
};

struct sn__limbs *sn__limbs_create(struct retarget *r) {
    int count = 0;
    for (int i = 0; i < r->nbody; i++)
        count += sn__limb_ends(r, i);
    struct sn__limbs *limbs = sn__alloc(1, sizeof *limbs + (size_t)count * sizeof *limbs->limb);
    for (int i = 0; i < r->nbody && limbs; i++) {
        struct limb *limb = &limbs->limb[limbs->count];
        if (!sn__limb_ends(r, i)) continue;
        *limb = (struct limb){.r = r};
        limbs->count += survey(limb, i);
    }
    return limbs;
}

/* The height of where each limb begins that is carried over as a whole. */
static void find_heights(struct sn__limbs *limbs, const double *q) {
    bool any = false;
    for (int i = 0; i < limbs->count; i++) {
        struct limb *l = &limbs->limb[i];
        const struct retarget *r = l->r;
        const struct way *w = &l->way[l->nway - 1];
        const int body = l->link[w->from];
        double anchor[3];
        if (!(w->span > 0)) continue;
        if (!any) sn__pose_globals(r->model, q, r->pos, r->rot);
        any = true;
        dquat_rotate(r->rot + 4 * body, sn_model_body(r->model, body)->joint.anchor, anchor);
        l->height = r->pos[3 * body + 2] + anchor[2];
    }
}

void sn__limbs_reach(struct sn__limbs *limbs, double *q, const double *before) {
    find_heights(limbs, q);
    for (int i = 0; i < limbs->count; i++) {
        limbs->limb[i].q = q;
        reach(&limbs->limb[i], before);
    }
}
