/* What the parts of the URDF reader share. */
#ifndef SINEW_IMPORT_URDF_H
#define SINEW_IMPORT_URDF_H

#include "import/frame.h"
#include "import/xml.h"
#include "model/inertia.h"

/* An <origin> inside the node; the identity when there is none. */
bool sn__urdf_origin(const struct sn__xml_node *node, struct frame *frame, sn_error *error);

/* The shapes of the link's <collision> elements go to `body`, the link's frame being at `place` in the
   body's. Meshes are passed over and counted; other things without counterpart or extent are passed over
   with a warning. False and a message when something is malformed. */
bool sn__urdf_add_shapes(const struct sn__xml_node *link, const struct frame *place, const char *body,
                         sn_builder *builder, int *meshes, const sn_load_options *options, sn_error *error);

/* Mass, centre and inertia of the link, in its frame, from its <inertial>; all zero without one. Inertia
   that no body can have is mended with a warning. */
bool sn__urdf_inertia(const struct sn__xml_node *link, struct inertia *inertia,
                      const sn_load_options *options, sn_error *error);

/* The nearest inertia that a body can have: principal moments not negative, none larger than the sum of the
   others. Returns whether it had to be changed. */
bool sn__mend_inertia(double J[6]);

#endif
