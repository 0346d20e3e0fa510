/* What the parts of the URDF reader share. */
#ifndef SINEW_IMPORT_URDF_H
#define SINEW_IMPORT_URDF_H

#include "import/frame.h"
#include "import/mesh.h"
#include "import/xml.h"
#include "model/inertia.h"

/* An <origin> inside the node; the identity when there is none. */
bool sn__urdf_origin(const struct sn__xml_node *node, struct frame *frame, sn_error *error);

/* Hulls of meshes, each made once for one file and scale. */
struct urdf_hull {
    const char *file; /* of the XML */
    double scale[3];
    sn_hull *hull; /* NULL: could not be read */
};

struct urdf_meshes {
    struct urdf_hull *hull;
    int nhull, room;
    int coarse; /* meshes whose hull has fewer vertices than theirs */
    double by;  /* m, how far at most */
    char coarsest[128];
    int missing;   /* collisions that are passed over */
    char why[240]; /* of the first */
};

/* The hull of a <mesh>, which `meshes` keeps. 1; 0: none, counted; -1: malformed, or no memory. */
int sn__urdf_mesh(const struct sn__xml_node *node, struct urdf_meshes *meshes, const sn_load_options *options,
                  const sn_hull **hull, sn_error *error);
void sn__urdf_meshes_free(struct urdf_meshes *meshes);

/* The shapes of the link's <collision> elements go to `body`, the link's frame being at `place` in the body's.
   Meshes become their convex hulls; those that cannot be read are passed over and counted; other things without
   counterpart or extent are passed over with a warning. False and a message when something is malformed. */
bool sn__urdf_add_shapes(const struct sn__xml_node *link, const struct frame *place, const char *body,
                         sn_builder *builder, struct urdf_meshes *meshes, const sn_load_options *options,
                         sn_error *error);

/* Mass, centre and inertia of the link, in its frame, from its <inertial>; all zero without one. Inertia
   that no body can have is mended with a warning. */
bool sn__urdf_inertia(const struct sn__xml_node *link, struct inertia *inertia, struct urdf_meshes *meshes,
                      const sn_load_options *options, sn_error *error);

/* The nearest inertia that a body can have: principal moments not negative, none larger than the sum of the
   others. Returns whether it had to be changed. */
bool sn__mend_inertia(double J[6]);

#endif
