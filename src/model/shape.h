/* The table of shapes: everything that depends on the type of a shape stands in its row, in shape.c. */
#ifndef SINEW_MODEL_SHAPE_H
#define SINEW_MODEL_SHAPE_H

#include "model/inertia.h"
#include "sinew/sinew.h"

/* A circle about the local z axis, of the surface of a shape. */
struct sn__ring {
    double z, radius;
    double across, along; /* normal: away from the axis, and along it */
};

enum { SN__HALF_RINGS = 7, SN__MOST_RINGS = 2 * SN__HALF_RINGS + 2 };

/* The geometry of src/collide that a shape of a member touches with, which brings distances and casts along. */
enum sn__shape_contact {
    SN__CONTACT_SPHERE,
    SN__CONTACT_CAPSULE,
    SN__CONTACT_BOX,
    SN__CONTACT_HULL,
};

struct sn__shape_kind {
    const char *name;
    int nsize;     /* how many of size[] it uses */
    bool exact;    /* the geometry of contact is the shape itself: ground of it touches in the same way */
    bool rounded;  /* size[0] is the radius of balls around a core */
    double corner; /* how far its surface is along the diagonal of the box around it */
    enum sn__shape_contact contact;
    /* The capsule that a member of this shape touches with: its radius and half length, and its direction in `turn`. NULL: the
       sizes are those of the geometry. */
    void (*capsule)(const double size[3], double capsule[2], double turn[4]);
    /* Mass: the volume, the principal moments about the centre of mass for unit mass, and the z of that centre (NULL: 0). */
    double (*volume)(const double size[3]);
    void (*moments)(const double size[3], double J[3]);
    double (*centre)(const double size[3]);
    /* How far it reaches from its origin along the unit vector d. NULL: a hull, which has vertices. */
    double (*support)(const double size[3], const double d[3]);
    /* Its surface as rings from below, times `scale` in x, y and z; how many. Drawings and contact hulls are made of them. NULL:
       it is not round. */
    int (*rings)(const double size[3], struct sn__ring ring[SN__MOST_RINGS], double scale[3]);
};

extern const struct sn__shape_kind sn__shape_kinds[SN_SHAPE_TYPE_COUNT];

int sn__shape_nsize(sn_shape_type type);
const char *sn__shape_name(sn_shape_type type);
/* The type of that name; -1: there is none. */
int sn__shape_type(const char *name);

double sn__shape_volume(const sn_shape_def *shape);
/* In the frame of the body; rot of unit length. */
struct inertia sn__shape_inertia(const sn_shape_def *shape);
/* How far the shape reaches from its origin along a unit vector of its own frame. */
double sn__shape_reach(const sn_shape_def *shape, const double d[3]);
/* A hull of the shape's rings, freed with sn_hull_free; NULL after an error. */
sn_hull *sn__shape_facets(const sn_shape_def *shape, sn_error *error);

#endif
