/* The MJCF reader, in parts. mjcf.c says what is read and how it is understood.
 *
 *   mjcf.c           the sections of a file, in their order; from links to a model
 *   mjcf_include.c   included files, walking over them, warnings
 *   mjcf_class.c     default classes; the attributes of joints, geoms and actuators
 *   mjcf_frame.c     the ways to say an orientation
 *   mjcf_body.c      the tree: bodies, frames, joints
 *   mjcf_mass.c      the mass of a body: inertial, or that of its geoms; the compiler's corrections
 *   mjcf_geom.c      a geom's shape and inertia
 *   mjcf_mesh.c      mesh assets and what geoms need of them
 *   mjcf_contact.c   pairs of bodies that do not touch
 *   mjcf_actuator.c  gains and torque limits; the pose of the first keyframe
 *
 * Functions that can fail return false, and have told why in mjcf->error. */
#ifndef SINEW_IMPORT_MJCF_H
#define SINEW_IMPORT_MJCF_H

#include "import/mesh.h"
#include "import/xml.h"
#include "model/inertia.h"

enum {
    MJCF_MAX_INCLUDES = 64,  /* files in all                                */
    MJCF_MAX_CLASSES = 1024, /* default classes                             */
    MJCF_MAX_WARNED = 64,    /* kinds of things that are warned about once  */
};

/* ---------------------------------------------------------------------------------- as the file says it */

/* A place and an orientation. Where several ways to say the orientation are given, the last of these counts. */
struct mjcf_frame {
    double pos[3];
    double quat[4];
    bool has_axisangle, has_xyaxes, has_zaxis, has_euler;
    double axisangle[4], xyaxes[6], zaxis[3], euler[3];
};

enum mjcf_joint_type { MJCF_FREE, MJCF_BALL, MJCF_SLIDE, MJCF_HINGE };
enum mjcf_limited { MJCF_LIMITED_FALSE, MJCF_LIMITED_TRUE, MJCF_LIMITED_AUTO };

struct mjcf_joint {
    int type;    /* mjcf_joint_type                                  */
    int limited; /* mjcf_limited                                     */
    double pos[3], axis[3];
    double range[2], ref, springref; /* in the file's angles                             */
    double stiffness, damping, armature, frictionloss;
    double springdamper[2];
    int force_limited;     /* mjcf_limited, of force_range                     */
    double force_range[2]; /* actuatorfrcrange                                 */
};

enum mjcf_geom_type {
    MJCF_PLANE,
    MJCF_HFIELD,
    MJCF_SPHERE,
    MJCF_CAPSULE,
    MJCF_ELLIPSOID,
    MJCF_CYLINDER,
    MJCF_BOX,
    MJCF_MESH,
    MJCF_SDF
};

struct mjcf_geom {
    int type; /* mjcf_geom_type */
    double size[3];
    bool has_fromto, has_mass;
    double fromto[6], mass, density;
    uint32_t contype, conaffinity;
    int group;
    double friction[3]; /* sliding, torsion, rolling */
    bool shell;         /* shellinertia: the mass of a mesh is on its surface */
    const char *mesh;   /* name of the asset; NULL: none                      */
    struct mjcf_frame frame;
};

enum mjcf_target { MJCF_TARGET_NONE, MJCF_TARGET_JOINT, MJCF_TARGET_OTHER };

/* force = gain ctrl + bias[0] + bias[1] length + bias[2] velocity, times gear on the joint. */
struct mjcf_actuator {
    int ctrl_limited, force_limited; /* mjcf_limited */
    double ctrl_range[2], force_range[2];
    double gear[6];
    int target; /* mjcf_target */
    const char *target_name;
    bool fixed_gain; /* the gain is a constant                          */
    bool has_bias;   /* the bias is affine                              */
    bool has_dampratio;
    double gain, bias[3];
};

struct mjcf_class {
    const char *name;
    struct mjcf_joint joint;
    struct mjcf_geom geom;
    struct mjcf_actuator actuator;
    double mesh_scale[3];
};

/* -------------------------------------------------------------------------------------------- as it is read */

/* One joint of a body, or a body without joints: what becomes one body of the model. */
struct mjcf_link {
    const struct sn__xml_node *node; /* for messages                                     */
    char name[SN_MAX_NAME + 1], parent[SN_MAX_NAME + 1];
    bool has_parent;
    sn_body_def def;        /* without its names                                */
    const char *joint_name; /* NULL: none                                       */
    double ref;             /* what MuJoCo's position shows where ours shows 0  */
    double force_limit;     /* of all its actuators together; infinity: none    */
    bool driven;            /* some actuator acts on it                         */
};

enum mjcf_inertia_source { MJCF_INERTIA_NOT_FROM_GEOM, MJCF_INERTIA_FROM_GEOM, MJCF_INERTIA_AUTO };

struct mjcf_compiler {
    bool degree, autolimits, balanceinertia, discardvisual, exact_mesh_inertia;
    char eulerseq[4];
    int inertia_source;                           /* mjcf_inertia_source */
    int group_range[2];                           /* inertiagrouprange */
    double boundmass, boundinertia, settotalmass; /* settotalmass <= 0: none */
    const char *meshdir;
};

struct mjcf_mesh; /* mjcf_mesh.c */

struct mjcf {
    const char *path;
    const sn_load_options *options;
    sn_error *error;
    sn_builder *builder;
    struct mjcf_compiler compiler;
    struct {
        const struct sn__xml_node *at; /* the <include> */
        struct sn__xml *xml;
        char *path;
        int within; /* the include that this one stands in; -1: the main file */
    } include[MJCF_MAX_INCLUDES];
    int ninclude;
    size_t included_bytes;
    struct mjcf_class *class; /* [nclass], the first is the top one */
    int nclass, class_capacity;
    struct mjcf_mesh *mesh; /* [nmesh] */
    int nmesh, mesh_capacity;
    struct mjcf_link *link; /* [nlink], parents before children */
    int nlink, link_capacity;
    int nunnamed;                        /* bodies without a name so far */
    int nexclude;                        /* pairs of bodies that do not touch, so far */
    int nscenery;                        /* geoms of the world, other than planes */
    bool incomplete;                     /* something was left out that may have had joints */
    const char *warned[MJCF_MAX_WARNED]; /* kinds that were warned about */
    int nwarned;
};

/* mjcf_include.c ----------------------------------------------------------------------------------------- */

/* Reads every file that the tree includes, and those these include. */
bool sn__mjcf_include_all(struct mjcf *mjcf, const struct sn__xml_node *root);
void sn__mjcf_include_free(struct mjcf *mjcf);

/* Walks over the children of a node as if included files stood where they are included:
     for (struct mjcf_walk walk = sn__mjcf_walk(node); (child = sn__mjcf_next(mjcf, &walk));) */
struct mjcf_walk {
    const struct sn__xml_node *next;         /* NULL: at the end of its file     */
    const struct sn__xml_node *within, *top; /* the parent of next; the node walked over */
};
struct mjcf_walk sn__mjcf_walk(const struct sn__xml_node *node);
const struct sn__xml_node *sn__mjcf_next(const struct mjcf *mjcf, struct mjcf_walk *walk);

/* Folder of the main file joined with the file's name, given back with sn__free; NULL when out of memory. */
char *sn__mjcf_path(const struct mjcf *mjcf, const char *folder, const char *file);

/* False for what is there but no plain file: a folder, a device, a pipe. Files named by files are opened only then. */
bool sn__mjcf_is_file(const char *path);

/* Warns about a kind of thing the first time it is met: "file:line: <element> message". The kind must live as long as
   the reader. */
void sn__mjcf_warn_once(struct mjcf *mjcf, const struct sn__xml_node *node, const char *kind,
                        const char *format, ...) SN__PRINTF(4, 5);
/* The same for an element that has no counterpart. */
void sn__mjcf_skip(struct mjcf *mjcf, const struct sn__xml_node *node);
bool sn__mjcf_no_memory(const struct mjcf *mjcf); /* tells it, and returns false */

/* mjcf_class.c ------------------------------------------------------------------------------------------- */

bool sn__mjcf_class_init(struct mjcf *mjcf); /* the top class, as MuJoCo has it */
bool sn__mjcf_class_read(struct mjcf *mjcf, const struct sn__xml_node *node);
/* The class that the node's attribute names; without the attribute, the one given. -1: no such class. */
int sn__mjcf_class_of(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                      int otherwise);

/* Each changes what the element says and leaves the rest as it was. */
bool sn__mjcf_joint_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_joint *joint);
bool sn__mjcf_geom_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_geom *geom);
bool sn__mjcf_actuator_read(struct mjcf *mjcf, const struct sn__xml_node *node,
                            struct mjcf_actuator *actuator);
/* Whether a range counts, by its flag and by the compiler's rule for "auto". */
bool sn__mjcf_is_limited(const struct mjcf *mjcf, int limited, const double range[2]);

/* mjcf_frame.c ------------------------------------------------------------------------------------------- */

extern const struct mjcf_frame sn__mjcf_frame_identity;
bool sn__mjcf_frame_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_frame *frame);
/* The orientation as a unit quaternion. */
bool sn__mjcf_frame_resolve(const struct mjcf *mjcf, const struct sn__xml_node *node,
                            const struct mjcf_frame *frame, double quat[4]);
/* The rotation that takes the x and y axes to these, of unit length and at right angles. */
void sn__mjcf_quat_from_axes(const double x[3], const double y[3], double quat[4]);
/* A place and unit quaternion in a frame, seen from where that frame stands. */
void sn__mjcf_frame_carry(const double pos[3], const double quat[4], double inner_pos[3],
                          double inner_quat[4]);

/* mjcf_body.c -------------------------------------------------------------------------------------------- */

bool sn__mjcf_world_read(struct mjcf *mjcf, const struct sn__xml_node *worldbody);

/* mjcf_mass.c -------------------------------------------------------------------------------------------- */

/* What a body is made of, collected while it is read. */
struct mjcf_mass {
    const struct sn__xml_node *inertial; /* NULL: none */
    struct inertia given;                /* what the inertial says, in the body's frame */
    struct inertia geoms;                /* of the geoms that count, in the body's frame */
    int ngeom;                           /* how many those are */
};

bool sn__mjcf_inertial_read(struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_mass *mass);
/* Whether the geoms of a body matter for its mass, given its element. */
bool sn__mjcf_mass_needs_geoms(const struct mjcf *mjcf, const struct mjcf_mass *mass);
/* The body's mass, checked and corrected as the compiler wants it. */
bool sn__mjcf_mass_finish(const struct mjcf *mjcf, const struct sn__xml_node *body,
                          const struct mjcf_mass *mass, sn_body_def *def);
/* Scales all masses so that they add up to what the compiler wants. */
void sn__mjcf_mass_scale_all(struct mjcf *mjcf);
/* Principal moments, largest first, and their axes as a unit quaternion. J must be finite. */
void sn__mjcf_principal(const double J[6], double moment[3], double quat[4]);

/* mjcf_geom.c -------------------------------------------------------------------------------------------- */

/* Adds the geom's shape to the body and its mass to what the body is made of. outer: the frame elements around it. */
bool sn__mjcf_geom_add(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                       const double outer_pos[3], const double outer_quat[4], const char *body,
                       struct mjcf_mass *mass);

/* mjcf_mesh.c -------------------------------------------------------------------------------------------- */

bool sn__mjcf_mesh_read(struct mjcf *mjcf,
                        const struct sn__xml_node *node); /* an asset; its file is not touched yet */
/* What the mesh weighs for density 1, in its own frame. Mass 0: its file is not there, which is forgiven, and warned
   about. */
bool sn__mjcf_mesh_inertia(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                           struct inertia *inertia);
/* Its convex hull, in the frame of the asset, which keeps it. NULL: there is none, which is warned about. */
bool sn__mjcf_mesh_hull(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                        const sn_hull **hull);
void sn__mjcf_mesh_free(struct mjcf *mjcf);

/* mjcf_contact.c ----------------------------------------------------------------------------------------- */

bool sn__mjcf_contact_read(struct mjcf *mjcf, const struct sn__xml_node *node);

/* mjcf_actuator.c ---------------------------------------------------------------------------------------- */

bool sn__mjcf_actuators_apply(struct mjcf *mjcf, const struct sn__xml_node *root);
bool sn__mjcf_keyframe_apply(struct mjcf *mjcf, const struct sn__xml_node *root);

#endif
