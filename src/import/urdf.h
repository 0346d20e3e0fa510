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

enum urdf_kind { URDF_FIXED, URDF_HINGE, URDF_SLIDE, URDF_BALL, URDF_UNIVERSAL, URDF_PLANAR, URDF_FLOATING };

struct urdf_joint {
    const struct sn__xml_node *node;
    const char *name;
    enum urdf_kind kind;
    int parent, child;  /* links; parent -1: a world that the file does not list */
    int sibling;        /* the next joint of the same parent, -1                 */
    struct frame frame; /* of the child in the parent                            */
    sn_joint_def def;   /* of kinds that are one joint; planar: axis and rest    */
    double damping[3], friction[3];
};

struct urdf_link {
    const struct sn__xml_node *node;
    const char *name;
    int joint;              /* that ties it to its parent, -1                                  */
    int first;              /* the first joint that has it as parent, -1                       */
    double carried;         /* mass of it and all that hangs on it                             */
    double rigid;           /* mass of it and all that is fixed to it                          */
    int owner;              /* the link whose body holds it: often itself; -1: the world       */
    bool still;             /* cannot move                                                     */
    struct frame place;     /* in the owner's frame                                            */
    struct frame world;     /* of a link that is still: in the world                           */
    struct inertia inertia; /* own, in its frame; of an owner later: of the whole body         */
};

struct urdf_name {
    const char *name;
    int index;
};

struct urdf_robot {
    const char *path;
    const sn_load_def *options;
    sn_error *error;
    struct urdf_link *link;
    struct urdf_joint *joint;
    struct urdf_name *names; /* [nlink] sorted         */
    int *order;              /* [nlink] parents first  */
    int nlink, njoint;
    int no_effort; /* joints that have it as 0 */
    const char *no_effort_name;
    struct urdf_meshes meshes;
    sn_builder *builder;
};

bool sn__urdf_is_joint(const struct sn__xml_node *node);
/* The link of that name; -1: there is none. */
int sn__urdf_find(const struct urdf_robot *robot, const char *name);
int sn__urdf_compare_names(const void *a, const void *b); /* for qsort */
/* Reads all joints into robot->joint and ties the links together. */
bool sn__urdf_joints(struct urdf_robot *robot, const struct sn__xml_node *root);

/* The hull of a <mesh>, which `meshes` keeps. 1; 0: none, counted; -1: malformed, or no memory. */
int sn__urdf_mesh(const struct sn__xml_node *node, struct urdf_meshes *meshes, const sn_load_def *options,
                  const sn_hull **hull, sn_error *error);
void sn__urdf_meshes_free(struct urdf_meshes *meshes);

/* Adds the shapes of the link's <collision> elements to `body`; the link's frame is at `place` in the body's. Meshes become
   their convex hulls. A mesh that cannot be read is skipped and counted; anything else without a counterpart or an extent is
   skipped with a warning. Returns false and a message when something is malformed. */
bool sn__urdf_add_shapes(const struct sn__xml_node *link, const struct frame *place, const char *body,
                         sn_builder *builder, struct urdf_meshes *meshes, const sn_load_def *options,
                         sn_error *error);

/* Mass, centre and inertia of the link, in its frame, from its <inertial>; all zero without one. Inertia
   that no body can have is mended with a warning. */
bool sn__urdf_inertia(const struct sn__xml_node *link, struct inertia *inertia, struct urdf_meshes *meshes,
                      const sn_load_def *options, sn_error *error);

/* The nearest inertia that a body can have: principal moments not negative, none larger than the sum of the
   others. Returns whether it had to be changed. */
bool sn__mend_inertia(double J[6]);

#endif
