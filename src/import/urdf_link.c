/* What a URDF link is made of: shapes and inertia. */
#include "import/urdf.h"

#include "base/elementary.h"
#include "import/load.h"
#include "model/shape.h"

#include <stdio.h>
#include <string.h>

bool sn__urdf_origin(const struct sn__xml_node *node, struct frame *frame, sn_error *error) {
    *frame = frame_identity();
    const struct sn__xml_node *origin = sn__xml_child(node, "origin");
    double angle[3] = {0};
    if (!origin) return true;
    if (sn__xml_vector(origin, "xyz", 3, frame->pos, error) < 0) return false;
    if (sn__xml_vector(origin, "rpy", 3, angle, error) < 0) return false;
    frame_from_roll_pitch_yaw(angle, frame->rot);
    return true;
}

static const char *link_name(const struct sn__xml_node *link) {
    const char *name = sn__xml_string(link, "name");
    return name ? name : "";
}

/* ------------------------------------------------------------------------------------------------ shapes */

/* The element without the namespace some tools put before their extensions: <drake:capsule>. */
static const char *bare_name(const struct sn__xml_node *node) {
    const char *colon = strchr(node->name, ':');
    return colon ? colon + 1 : node->name;
}

/* A number, or several, that must be there. */
static bool need(const struct sn__xml_node *node, const char *name, int count, double *value,
                 sn_error *error) {
    int found = sn__xml_vector(node, name, count, value, error);
    if (found == 0) sn__xml_fail_attribute(node, name, error, "is missing");
    return found > 0;
}

/* 1: a shape; 0: of a kind that has no counterpart; -1: malformed. */
static int read_geometry(const struct sn__xml_node *node, sn_shape_def *shape, struct urdf_meshes *meshes,
                         const sn_load_def *options, sn_error *error) {
    const char *kind = bare_name(node);
    double length = 0, side[3] = {0};
    if (strcmp(kind, "mesh") == 0) {
        *shape = sn_shape_def_default(SN_SHAPE_HULL);
        return sn__urdf_mesh(node, meshes, options, &shape->hull, error);
    }
    if (strcmp(kind, "box") == 0) {
        *shape = sn_shape_def_default(SN_SHAPE_BOX);
        if (!need(node, "size", 3, side, error)) return -1;
        for (int i = 0; i < 3; i++)
            shape->size[i] = side[i] / 2;
        return 1;
    }
    if (strcmp(kind, "ellipsoid") == 0) {
        *shape = sn_shape_def_default(SN_SHAPE_ELLIPSOID);
        bool good = need(node, "a", 1, &shape->size[0], error) &&
                    need(node, "b", 1, &shape->size[1], error) && need(node, "c", 1, &shape->size[2], error);
        return good ? 1 : -1;
    }
    if (strcmp(kind, "sphere") == 0)
        *shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    else if (strcmp(kind, "cylinder") == 0)
        *shape = sn_shape_def_default(SN_SHAPE_CYLINDER);
    else if (strcmp(kind, "capsule") == 0)
        *shape = sn_shape_def_default(SN_SHAPE_CAPSULE);
    else
        return 0;
    if (!need(node, "radius", 1, &shape->size[0], error)) return -1;
    if (shape->type != SN_SHAPE_SPHERE && !need(node, "length", 1, &length, error)) return -1;
    if (shape->type != SN_SHAPE_SPHERE) shape->size[1] = length / 2;
    return 1;
}

/* 1: the shape of the collision; 0: none, counted or with a warning; -1: malformed. */
static int read_collision(const struct sn__xml_node *collision, const char *link, sn_shape_def *shape,
                          struct urdf_meshes *meshes, const sn_load_def *options, sn_error *error) {
    const struct sn__xml_node *geometry = sn__xml_child(collision, "geometry");
    const struct sn__xml_node *kind = geometry ? geometry->child : NULL;
    if (!kind) {
        sn__warn(options, "%s:%d: link '%.64s': a collision without geometry is passed over", collision->file,
                 collision->line, link);
        return 0;
    }
    struct frame frame;
    int found = read_geometry(kind, shape, meshes, options, error);
    if (found < 0 || !sn__urdf_origin(collision, &frame, error)) return -1;
    if (found == 0) {
        if (strcmp(bare_name(kind), "mesh") != 0)
            sn__warn(options, "%s:%d: link '%.64s': its <%.64s> is passed over", kind->file, kind->line, link,
                     kind->name);
        return 0;
    }
    if (shape->type == SN_SHAPE_CAPSULE && shape->size[1] == 0) shape->type = SN_SHAPE_SPHERE;
    for (int i = 0; i < sn__shape_nsize(shape->type); i++)
        if (!(shape->size[i] > 0)) {
            sn__warn(options, "%s:%d: link '%.64s': a %s without extent is passed over", kind->file,
                     kind->line, link, sn__shape_name(shape->type));
            return 0;
        }
    memcpy(shape->pos, frame.pos, sizeof shape->pos);
    memcpy(shape->rot, frame.rot, sizeof shape->rot);
    return 1;
}

bool sn__urdf_add_shapes(const struct sn__xml_node *link, const struct frame *place, const char *body,
                         sn_builder *builder, struct urdf_meshes *meshes, const sn_load_def *options,
                         sn_error *error) {
    const struct sn__xml_node *collision = sn__xml_child(link, "collision");
    for (; collision; collision = sn__xml_next(collision, "collision")) {
        sn_shape_def shape;
        int found = read_collision(collision, link_name(link), &shape, meshes, options, error);
        if (found < 0) return false;
        if (found == 0) continue;
        struct frame own;
        memcpy(own.pos, shape.pos, sizeof own.pos);
        memcpy(own.rot, shape.rot, sizeof own.rot);
        own = frame_compose(place, &own);
        memcpy(shape.pos, own.pos, sizeof shape.pos);
        memcpy(shape.rot, own.rot, sizeof shape.rot);
        sn_builder_add_shape(builder, body, &shape);
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------- inertia */

/* J = V diag(value) V^T by Jacobi's method; columns of V are the axes. */
static void principal_axes(const double J[6], double value[3], double V[3][3]) {
    enum { SWEEPS = 12 };
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            V[i][j] = i == j;
    for (int step = 0; step < 3 * SWEEPS; step++) {
        int p = pair[step % 3][0], q = pair[step % 3][1], r = 3 - p - q;
        if (A[p][q] == 0) continue;
        double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c, arp = A[r][p], arq = A[r][q], apq = A[p][q];
        A[p][p] -= t * apq;
        A[q][q] += t * apq;
        A[p][q] = A[q][p] = 0;
        A[r][p] = A[p][r] = c * arp - s * arq;
        A[r][q] = A[q][r] = s * arp + c * arq;
        for (int i = 0; i < 3; i++) {
            double vip = V[i][p], viq = V[i][q];
            V[i][p] = c * vip - s * viq;
            V[i][q] = s * vip + c * viq;
        }
    }
    for (int i = 0; i < 3; i++)
        value[i] = A[i][i];
}

bool sn__mend_inertia(double J[6]) {
    double value[3], V[3][3];
    principal_axes(J, value, V);
    bool changed = false;
    int most = 0;
    double largest = 0;
    for (int i = 0; i < 3; i++)
        largest = fmax(largest, fabs(value[i]));
    for (int i = 0; i < 3; i++) {
        if (value[i] < 0) {
            changed |= value[i] < -1e-9 * largest;
            value[i] = 0;
        }
        if (value[i] > value[most]) most = i;
    }
    /* The nearest point of the plane on which the largest is the sum of the others, and a hair further. */
    double excess = 2 * value[most] - (value[0] + value[1] + value[2]);
    if (excess > 1e-9 * largest) {
        changed = true;
        excess += 1e-7 * largest;
        for (int i = 0; i < 3; i++)
            value[i] += (i == most ? -excess : excess) / 3;
    }
    if (!changed) return false;
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        J[k] = 0;
        for (int i = 0; i < 3; i++)
            J[k] += V[row[k]][i] * value[i] * V[column[k]][i];
    }
    return true;
}

/* A mass without inertia gets that of its shapes, filled evenly; without shapes, that of a ball of water. */
static bool guess_inertia(const struct sn__xml_node *link, struct inertia *inertia,
                          struct urdf_meshes *meshes, const sn_load_def *options, sn_error *error) {
    struct inertia sum = {0};
    const int missing = meshes->missing;
    const sn_load_def quiet = sn_load_def_default();
    const struct sn__xml_node *collision = sn__xml_child(link, "collision");
    for (; collision; collision = sn__xml_next(collision, "collision")) {
        sn_shape_def shape;
        int found = read_collision(collision, "", &shape, meshes, &quiet, error);
        if (found < 0) return false;
        if (found == 0) continue;
        struct inertia part = sn__shape_inertia(&shape);
        sum = sn__inertia_join(&sum, &part);
    }
    meshes->missing = missing; /* they are counted when shapes are made */
    const char *from = "its collision shapes, filled evenly";
    if (sum.mass > 0 && isfinite(sum.mass)) {
        for (int i = 0; i < 6; i++)
            inertia->J[i] = sum.J[i] * (inertia->mass / sum.mass);
    } else {
        double radius = sn__cbrt(inertia->mass / (4.0 / 3.0 * M_PI * 1000));
        for (int i = 0; i < 3; i++)
            inertia->J[i] = 0.4 * inertia->mass * radius * radius;
        from = "a ball of water";
    }
    sn__warn(options, "%s:%d: link '%.64s' has mass but no inertia: it gets that of %s", link->file,
             link->line, link_name(link), from);
    return true;
}

static bool read_moments(const struct sn__xml_node *node, double J[6], sn_error *error) {
    static const char *const name[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    for (int i = 0; i < 6; i++)
        if (i < 3 ? !need(node, name[i], 1, &J[i], error) : sn__xml_number(node, name[i], &J[i], error) < 0)
            return false;
    return true;
}

bool sn__urdf_inertia(const struct sn__xml_node *link, struct inertia *inertia, struct urdf_meshes *meshes,
                      const sn_load_def *options, sn_error *error) {
    const struct sn__xml_node *inertial = sn__xml_child(link, "inertial");
    *inertia = (struct inertia){0};
    if (!inertial) return true;
    const struct sn__xml_node *mass = sn__xml_child(inertial, "mass"),
                              *moments = sn__xml_child(inertial, "inertia");
    struct frame frame;
    double J[6] = {0};
    if (mass && !need(mass, "value", 1, &inertia->mass, error)) return false;
    if (inertia->mass < 0) {
        sn__xml_fail(mass, error, SN_ERROR_MODEL, "of link '%.64s': mass %g is negative", link_name(link),
                     inertia->mass);
        return false;
    }
    if (!sn__urdf_origin(inertial, &frame, error)) return false;
    if (moments && !read_moments(moments, J, error)) return false;
    bool none = true;
    for (int i = 0; i < 6; i++)
        none &= J[i] == 0;
    if (inertia->mass == 0) {
        if (!none)
            sn__warn(options, "%s:%d: link '%.64s' has inertia but no mass: taken as without both",
                     link->file, link->line, link_name(link));
        return true;
    }
    memcpy(inertia->com, frame.pos, sizeof inertia->com);
    if (none) return guess_inertia(link, inertia, meshes, options, error);
    if (sn__mend_inertia(J))
        sn__warn(
            options,
            "%s:%d: link '%.64s': no body can have its inertia (a principal moment is negative or larger "
            "than the sum of the others): the nearest possible one is taken",
            moments->file, moments->line, link_name(link));
    sn__sym_rotate(frame.rot, J, inertia->J);
    return true;
}
