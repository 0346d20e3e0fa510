#include "import/mjcf.h"

#include "base/memory.h"
#include "base/quat.h"
#include "model/shape.h"

#include <math.h>
#include <string.h>

/* What MuJoCo calls nothing. */
static const double tiny = 1e-15;

static bool shape_type(int type, sn_shape_type *shape) {
    switch (type) {
    case MJCF_SPHERE:
        *shape = SN_SHAPE_SPHERE;
        return true;
    case MJCF_CAPSULE:
        *shape = SN_SHAPE_CAPSULE;
        return true;
    case MJCF_ELLIPSOID:
        *shape = SN_SHAPE_ELLIPSOID;
        return true;
    case MJCF_CYLINDER:
        *shape = SN_SHAPE_CYLINDER;
        return true;
    case MJCF_BOX:
        *shape = SN_SHAPE_BOX;
        return true;
    default:
        return false;
    }
}

/* Both ends of a shape along z give its place, orientation and half length. z points from the second to the first. */
static bool apply_fromto(const struct mjcf *mjcf, const struct sn__xml_node *node,
                         const struct mjcf_geom *geom, sn_shape_def *shape) {
    if (geom->type == MJCF_SPHERE) {
        sn__xml_fail_attribute(node, "fromto", mjcf->error, "a sphere has no ends");
        return false;
    }
    const double *from = geom->fromto, *to = geom->fromto + 3;
    double z[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
    double half = dvec_length(z) / 2;
    if (!(half > tiny)) {
        sn__xml_fail_attribute(node, "fromto", mjcf->error, "the ends are in one place");
        return false;
    }
    dvec_normalise(z);
    dquat_from_z(z, shape->rot);
    for (int i = 0; i < 3; i++)
        shape->pos[i] = (from[i] + to[i]) / 2;
    if (geom->type == MJCF_CAPSULE || geom->type == MJCF_CYLINDER)
        shape->size[1] = half;
    else
        shape->size[1] = shape->size[0], shape->size[2] = half;
    return true;
}

/* The shape that has, roughly, the inertia of the mesh: that of the box with the same moments. The box's half sides s
   follow from moment[0] = m (s1^2 + s2^2) / 3 and so on; the longest is along z. */
static void fit_to_mesh(const struct inertia *mesh, int type, sn_shape_def *shape) {
    double moment[3], quat[4], side[3], pos[3];
    sn__mjcf_principal(mesh->J, moment, quat);
    for (int i = 0; i < 3; i++)
        side[i] = sqrt(fmax(0, 1.5 * (moment[(i + 1) % 3] + moment[(i + 2) % 3] - moment[i]) / mesh->mass));
    memcpy(pos, mesh->com, sizeof pos);
    sn__mjcf_frame_carry(shape->pos, shape->rot, pos, quat);
    memcpy(shape->pos, pos, sizeof pos);
    memcpy(shape->rot, quat, sizeof quat);
    if (type == MJCF_SPHERE) {
        shape->size[0] = (side[0] + side[1] + side[2]) / 3;
    } else if (type == MJCF_CAPSULE || type == MJCF_CYLINDER) {
        shape->size[0] = (side[0] + side[1]) / 2;
        shape->size[1] = type == MJCF_CYLINDER ? side[2] : fmax(0, side[2] - shape->size[0] / 2);
    } else {
        memcpy(shape->size, side, sizeof side);
    }
}

static bool check_size(const struct mjcf *mjcf, const struct sn__xml_node *node, const sn_shape_def *shape) {
    for (int i = 0; i < sn__shape_nsize(shape->type); i++)
        if (!(shape->size[i] > 0)) {
            sn__xml_fail_attribute(node, "size", mjcf->error, "number %d of a %s is %g, not positive", i + 1,
                                   sn__shape_name(shape->type), shape->size[i]);
            return false;
        }
    return true;
}

static void join(struct mjcf_mass *mass, const struct inertia *part) {
    mass->geoms = mass->ngeom++ == 0 ? *part : sn__inertia_join(&mass->geoms, part);
}

static void set_material(const struct mjcf_geom *geom, sn_shape_def *shape) {
    shape->density = geom->density;
    shape->friction = geom->friction[0];
    shape->group = geom->contype;
    shape->mask = geom->conaffinity;
}

bool sn__mjcf_geom_name(struct mjcf *mjcf, const struct sn__xml_node *node, int link, int number) {
    if (!mjcf->scene || !sn__xml_string(node, "name")) return true;
    struct mjcf_named_geom *grown =
        sn__grow(mjcf->geom, &mjcf->geom_capacity, mjcf->ngeom + 1, sizeof *grown);
    if (!grown) return sn__mjcf_no_memory(mjcf);
    mjcf->geom = grown;
    mjcf->geom[mjcf->ngeom] = (struct mjcf_named_geom){link, number};
    return sn__mjcf_name(mjcf, node, MJCF_GEOM, mjcf->ngeom++) != NULL;
}

static bool add_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                      bool counts, sn_shape_def *shape, struct mjcf_body *body) {
    if (!check_size(mjcf, node, shape)) return false;
    set_material(geom, shape);
    double volume = sn__shape_volume(shape);
    if (geom->has_mass) {
        shape->mass = volume > tiny ? geom->mass : 0;
        shape->density = 0;
    }
    sn_builder_add_shape(mjcf->builder, body->name, shape);
    if (!sn__mjcf_geom_name(mjcf, node, body->last, body->nshape++)) return false;
    if (!counts) return true;
    struct inertia part = sn__shape_inertia(shape);
    join(body->mass, &part);
    return true;
}

/* A mesh touches as its convex hull, unless it is there to be seen only. */
static bool add_hull(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                     const sn_shape_def *place, struct mjcf_body *body) {
    if (geom->contype == 0 && geom->conaffinity == 0) return true;
    sn_shape_def shape = *place;
    shape.type = SN_SHAPE_HULL;
    if (!sn__mjcf_mesh_hull(mjcf, node, geom, &shape.hull)) return false;
    if (!shape.hull) return true;
    memset(shape.size, 0, sizeof shape.size);
    shape.friction = geom->friction[0];
    shape.group = geom->contype;
    shape.mask = geom->conaffinity;
    shape.density = geom->has_mass ? 0 : geom->density;
    shape.mass = geom->has_mass ? geom->mass : 0;
    sn_builder_add_shape(mjcf->builder, body->name, &shape);
    return sn__mjcf_geom_name(mjcf, node, body->last, body->nshape++);
}

/* Its mass is that of the mesh itself. */
static bool add_mesh(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                     bool counts, const sn_shape_def *place, struct mjcf_body *body) {
    if (!add_hull(mjcf, node, geom, place, body)) return false;
    if (!counts) return true;
    struct inertia mesh;
    if (!sn__mjcf_mesh_inertia(mjcf, node, geom, &mesh)) return false;
    if (!(mesh.mass > 0)) return true;
    double scale = geom->has_mass ? geom->mass / mesh.mass : geom->density;
    mesh.mass *= scale;
    for (int i = 0; i < 6; i++)
        mesh.J[i] *= scale;
    struct inertia part = sn__inertia_move(&mesh, place->pos, place->rot);
    join(body->mass, &part);
    return true;
}

static bool check_numbers(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom) {
    if (geom->density < 0 || (geom->has_mass && geom->mass < 0)) {
        sn__xml_fail_attribute(node, geom->has_mass && geom->mass < 0 ? "mass" : "density", mjcf->error,
                               "is negative");
        return false;
    }
    if (geom->friction[0] < 0) {
        sn__xml_fail_attribute(node, "friction", mjcf->error, "is negative");
        return false;
    }
    return true;
}

/* Kind, size and place in the body, before the frames around it. */
static bool place_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                        sn_shape_def *shape, bool *is_shape) {
    *shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    *is_shape = shape_type(geom->type, &shape->type);
    memcpy(shape->size, geom->size, sizeof shape->size);
    memcpy(shape->pos, geom->frame.pos, sizeof shape->pos);
    if (geom->has_fromto && *is_shape) return apply_fromto(mjcf, node, geom, shape);
    return sn__mjcf_frame_resolve(mjcf, node, &geom->frame, shape->rot);
}

bool sn__mjcf_geom_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                         const struct mjcf_place *outer, sn_shape_def *shape, bool *is_shape) {
    if (!check_numbers(mjcf, node, geom) || !place_shape(mjcf, node, geom, shape, is_shape)) return false;
    *is_shape = *is_shape && !geom->mesh;
    if (*is_shape && !check_size(mjcf, node, shape)) return false;
    set_material(geom, shape);
    sn__mjcf_frame_carry(outer->pos, outer->quat, shape->pos, shape->rot);
    return true;
}

/* A mesh itself is its hull; a sphere, box or the like with a mesh is the one with its inertia. */
bool sn__mjcf_mesh_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                         sn_shape_def *shape, bool *is_shape) {
    struct inertia mesh;
    *is_shape = false;
    if (geom->type == MJCF_MESH || geom->type == MJCF_SDF) {
        if (!sn__mjcf_mesh_hull(mjcf, node, geom, &shape->hull)) return false;
        shape->type = SN_SHAPE_HULL;
        memset(shape->size, 0, sizeof shape->size);
        *is_shape = shape->hull != NULL;
    } else if (shape_type(geom->type, &shape->type)) {
        if (!sn__mjcf_mesh_inertia(mjcf, node, geom, &mesh)) return false;
        *is_shape = mesh.mass > 0;
        if (*is_shape) fit_to_mesh(&mesh, geom->type, shape);
        return !*is_shape || check_size(mjcf, node, shape);
    }
    return true;
}

/* A plane or height field is ground, where its body cannot move. */
static bool add_ground(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                       const struct mjcf_place *outer, const struct mjcf_body *body) {
    bool fixed = mjcf->scene != NULL;
    for (int i = body->last; i >= 0; i = mjcf->link[i].up)
        fixed &= mjcf->link[i].def.joint.type == SN_JOINT_WELD;
    if (!fixed) {
        sn__mjcf_warn_once(mjcf, node, "plane", "is a plane or height field on a body and is left out");
        return true;
    }
    struct mjcf_place place = *outer, at;
    sn__mjcf_link_place(mjcf, body->last, at.pos, at.quat);
    sn__mjcf_frame_carry(at.pos, at.quat, place.pos, place.quat);
    return sn__mjcf_ground_read(mjcf, node, geom, &place);
}

bool sn__mjcf_geom_add(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                       const struct mjcf_place *outer, struct mjcf_body *body) {
    const struct mjcf_compiler *compiler = &mjcf->compiler;
    if (compiler->discardvisual && geom->contype == 0 && geom->conaffinity == 0) return true;
    if (!check_numbers(mjcf, node, geom)) return false;
    bool counts = sn__mjcf_mass_needs_geoms(mjcf, body->mass) && geom->group >= compiler->group_range[0] &&
                  geom->group <= compiler->group_range[1];
    sn_shape_def shape;
    bool is_shape;
    if (!place_shape(mjcf, node, geom, &shape, &is_shape)) return false;
    if (is_shape && geom->mesh) {
        struct inertia mesh = {0};
        if (counts && !sn__mjcf_mesh_inertia(mjcf, node, geom, &mesh)) return false;
        if (!(mesh.mass > 0)) return true;
        fit_to_mesh(&mesh, geom->type, &shape);
    }
    sn__mjcf_frame_carry(outer->pos, outer->quat, shape.pos, shape.rot);
    if (is_shape && geom->shell)
        sn__mjcf_warn_once(mjcf, node, "shellinertia",
                           "asks for shellinertia: its mass is spread over the volume");
    if (is_shape) return add_shape(mjcf, node, geom, counts, &shape, body);
    if (geom->type == MJCF_MESH || geom->type == MJCF_SDF)
        return add_mesh(mjcf, node, geom, counts, &shape, body);
    return add_ground(mjcf, node, geom, outer, body);
}
