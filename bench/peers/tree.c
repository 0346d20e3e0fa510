/* The character: a plain tree of bodies, read and written as text, and the little algebra it takes. */
#include "peer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int count) {
    return peer_need((size_t)count, sizeof(double));
}

/* ------------------------------------------------------------------------------------------------ algebra */

void peer_quat_multiply(const double a[4], const double b[4], double c[4]) {
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    const double z = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
    c[0] = w, c[1] = x, c[2] = y, c[3] = z;
}

void peer_quat_rotate(const double q[4], const double v[3], double r[3]) {
    const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                         2 * (q[1] * v[1] - q[2] * v[0])};
    const double x = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    const double y = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    const double z = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
    r[0] = x, r[1] = y, r[2] = z;
}

void peer_quat_error(const double target[4], const double q[4], double e[3]) {
    const double t[4] = {target[0], -target[1], -target[2], -target[3]};
    double d[4];
    peer_quat_multiply(t, q, d);
    const double s = sqrt(d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
    double scale = s > 1e-8 ? 2 * atan2(s, fabs(d[0])) / s : 2;
    if (d[0] < 0) scale = -scale; /* the short way round */
    for (int i = 0; i < 3; i++)
        e[i] = scale * d[i + 1];
}

/* ---------------------------------------------------------------------------------------------- character */

int peer_nq(int joint) {
    static const int nq[] = {0, 1, 4, 7};
    return nq[joint];
}

int peer_nv(int joint) {
    static const int nv[] = {0, 1, 3, 6};
    return nv[joint];
}

static void write_numbers(FILE *file, const double *value, int count) {
    for (int i = 0; i < count; i++)
        fprintf(file, " %.17g", value[i]);
}

static void read_numbers(FILE *file, double *value, int count, const char *path) {
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%lf", &value[i]) != 1) peer_die("a number is missing", path);
}

static void read_counts(FILE *file, int *value, int count, int most, const char *path) {
    for (int i = 0; i < count; i++)
        if (fscanf(file, "%d", &value[i]) != 1 || value[i] < -1 || value[i] > most)
            peer_die("a count is missing or wrong", path);
}

void peer_write_tree(const struct peer_tree *tree, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) peer_die("cannot write", path);
    fprintf(file, "%d %d %d %d\n", tree->nbody, tree->nshape, tree->nq, tree->nv);
    for (int i = 0; i < tree->nbody; i++) {
        const struct peer_body *b = &tree->body[i];
        fprintf(file, "%s %d %d %d %d", b->name, b->parent, b->joint, b->q, b->v);
        write_numbers(file, b->pos, 3);
        write_numbers(file, b->rot, 4);
        write_numbers(file, b->axis, 3);
        write_numbers(file, &b->mass, 1);
        write_numbers(file, b->com, 3);
        write_numbers(file, b->inertia, 6);
        fputc('\n', file);
    }
    for (int i = 0; i < tree->nshape; i++) {
        const struct peer_shape *s = &tree->shape[i];
        fprintf(file, "%d %d", s->body, s->form);
        write_numbers(file, s->size, 3);
        write_numbers(file, s->pos, 3);
        write_numbers(file, s->rot, 4);
        fputc('\n', file);
    }
    write_numbers(file, tree->q, tree->nq);
    write_numbers(file, tree->qd, tree->nv);
    write_numbers(file, tree->tau, tree->nv);
    write_numbers(file, tree->qdd, tree->nv);
    fputc('\n', file);
    if (fclose(file) != 0) peer_die("cannot write", path);
}

static void read_body(FILE *file, struct peer_tree *tree, int index, const char *path) {
    struct peer_body *b = &tree->body[index];
    int count[4];
    if (fscanf(file, "%63s", b->name) != 1) peer_die("a body is missing", path);
    read_counts(file, count, 4, tree->nq, path);
    b->parent = count[0], b->joint = count[1], b->q = count[2], b->v = count[3];
    if (b->parent >= index || b->joint < 0 || b->joint > PEER_FREE || b->q < 0 || b->v < 0 ||
        b->q + peer_nq(b->joint) > tree->nq || b->v + peer_nv(b->joint) > tree->nv)
        peer_die("a body is wrong", path);
    read_numbers(file, b->pos, 3, path);
    read_numbers(file, b->rot, 4, path);
    read_numbers(file, b->axis, 3, path);
    read_numbers(file, &b->mass, 1, path);
    read_numbers(file, b->com, 3, path);
    read_numbers(file, b->inertia, 6, path);
}

void peer_read_tree(struct peer_tree *tree, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) peer_die("cannot open", path);
    int count[4];
    read_counts(file, count, 4, 1 << 16, path);
    *tree = (struct peer_tree){.nbody = count[0], .nshape = count[1], .nq = count[2], .nv = count[3]};
    if (tree->nbody < 1 || tree->nshape < 0 || tree->nq < 0 || tree->nv < 0) peer_die("not a tree", path);
    tree->body = peer_need((size_t)tree->nbody, sizeof *tree->body);
    tree->shape = peer_need((size_t)tree->nshape, sizeof *tree->shape);
    for (int i = 0; i < tree->nbody; i++)
        read_body(file, tree, i, path);
    for (int i = 0; i < tree->nshape; i++) {
        struct peer_shape *s = &tree->shape[i];
        read_counts(file, count, 2, tree->nbody - 1, path);
        s->body = count[0], s->form = count[1];
        if (s->body < 0 || s->form < 0 || s->form > PEER_BOX) peer_die("a shape is wrong", path);
        read_numbers(file, s->size, 3, path);
        read_numbers(file, s->pos, 3, path);
        read_numbers(file, s->rot, 4, path);
    }
    tree->q = numbers(tree->nq), tree->qd = numbers(tree->nv);
    tree->tau = numbers(tree->nv), tree->qdd = numbers(tree->nv);
    read_numbers(file, tree->q, tree->nq, path);
    read_numbers(file, tree->qd, tree->nv, path);
    read_numbers(file, tree->tau, tree->nv, path);
    read_numbers(file, tree->qdd, tree->nv, path);
    fclose(file);
}

void peer_free_tree(struct peer_tree *tree) {
    void *const owned[] = {tree->body, tree->shape, tree->q, tree->qd, tree->tau, tree->qdd};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    *tree = (struct peer_tree){0};
}

void peer_zero_pose(const struct peer_tree *tree, double *q) {
    for (int i = 0; i < tree->nbody; i++) {
        const struct peer_body *b = &tree->body[i];
        memset(q + b->q, 0, (size_t)peer_nq(b->joint) * sizeof *q);
        if (b->joint == PEER_BALL) q[b->q] = 1;
        if (b->joint == PEER_FREE) {
            memcpy(q + b->q, b->pos, sizeof b->pos);
            memcpy(q + b->q + 3, b->rot, sizeof b->rot);
        }
    }
}

/* How far a shape reaches below its centre: its support function along -z. */
static double reach_below(const struct peer_shape *shape, const double rot[4]) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double z[3];
    for (int i = 0; i < 3; i++) {
        double axis[3];
        peer_quat_rotate(rot, unit[i], axis);
        z[i] = fabs(axis[2]);
    }
    const double *s = shape->size;
    if (shape->form == PEER_SPHERE) return s[0];
    return shape->form == PEER_CAPSULE ? s[0] + s[1] * z[2] : s[0] * z[0] + s[1] * z[1] + s[2] * z[2];
}

/* Height of the lowest point in the zero pose. */
double peer_lowest_point(const struct peer_tree *tree) {
    double(*pos)[3] = peer_need((size_t)tree->nbody, sizeof *pos), lowest = (double)INFINITY;
    double(*rot)[4] = peer_need((size_t)tree->nbody, sizeof *rot);
    for (int i = 0; i < tree->nbody; i++) {
        const struct peer_body *b = &tree->body[i];
        memcpy(pos[i], b->pos, sizeof pos[i]);
        memcpy(rot[i], b->rot, sizeof rot[i]);
        if (b->parent < 0) continue;
        peer_quat_rotate(rot[b->parent], b->pos, pos[i]);
        for (int k = 0; k < 3; k++)
            pos[i][k] += pos[b->parent][k];
        peer_quat_multiply(rot[b->parent], b->rot, rot[i]);
    }
    for (int i = 0; i < tree->nshape; i++) {
        const struct peer_shape *s = &tree->shape[i];
        double centre[3], turned[4];
        peer_quat_rotate(rot[s->body], s->pos, centre);
        peer_quat_multiply(rot[s->body], s->rot, turned);
        lowest = fmin(lowest, pos[s->body][2] + centre[2] - reach_below(s, turned));
    }
    free(pos);
    free(rot);
    if (!isfinite(lowest)) peer_die("the model has no shapes", NULL);
    return lowest;
}

double peer_kp(const struct peer_options *o, const struct peer_body *body) {
    return body->joint == PEER_FREE ? (o->driven_root ? o->root_kp : 0) : o->kp;
}

double peer_kd(const struct peer_options *o, const struct peer_body *body) {
    return body->joint == PEER_FREE ? (o->driven_root ? o->root_kd : 0) : o->kd;
}
