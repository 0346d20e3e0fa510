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
 *   mjcf_contact.c   pairs of bodies that do not touch, pairs of geoms that do
 *   mjcf_actuator.c  gains and torque limits
 *   mjcf_key.c       the pose, velocity and controls of a keyframe
 *   mjcf_names.c     names, with what copies and attached models add to them
 *   mjcf_attach.c    parts that are repeated, and those that come from other models
 *   mjcf_equality.c  joints that follow others, bodies that hold others
 *   mjcf_tendon.c    fixed tendons: joints that are sprung or driven together
 *   mjcf_scene.c     geoms of the world, as ground
 *   mjcf_hfield.c    height fields
 *
 * Functions that can fail return false, and have told why in mjcf->error. */
#ifndef SINEW_IMPORT_MJCF_H
#define SINEW_IMPORT_MJCF_H

#include "import/mesh.h"
#include "import/scene.h"
#include "import/xml.h"
#include "model/inertia.h"

enum {
    MJCF_MAX_INCLUDES = 64,  /* files in all                                */
    MJCF_MAX_CLASSES = 1024, /* default classes                             */
    MJCF_MAX_WARNED = 64,    /* kinds of things that are warned about once  */
    MJCF_MAX_COPIES = 4096,  /* of a part that is repeated                  */
    MJCF_MAX_COPIED = 65536, /* all together, over the passes of reading    */
    MJCF_MAX_GROUND = 4096,
    MJCF_MAX_ATTACHED = 256, /* models that are attached, each time counted */
    MJCF_MAX_CONTROLS = 16 * 1024,
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
    const char *hfield; /* as above                                           */
    struct mjcf_frame frame;
};

struct mjcf_tendon {
    double stiffness, damping, frictionloss;
    double springlength[2]; /* -1: the length where the file places the joints */
    int limited;            /* mjcf_limited */
    double range[2];
};

enum mjcf_target { MJCF_TARGET_NONE, MJCF_TARGET_JOINT, MJCF_TARGET_TENDON, MJCF_TARGET_OTHER };

/* force = gain ctrl + bias[0] + bias[1] length + bias[2] velocity, times gear on the joint. */
struct mjcf_actuator {
    int ctrl_limited, force_limited; /* mjcf_limited */
    double ctrl_range[2], force_range[2];
    double gear[6];
    int target;       /* mjcf_target                                     */
    bool fixed_gain;  /* the gain is a constant                          */
    bool has_bias;    /* the bias is affine                              */
    double dampratio; /* 0: none */
    double gain, bias[3];
};

struct mjcf_class {
    const char *name;
    struct mjcf_joint joint;
    struct mjcf_geom geom;
    struct mjcf_actuator actuator;
    struct mjcf_tendon tendon;
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
    int up;                 /* the link of its parent, -1: the world            */
    double push[6];         /* what its actuators do besides their gains: torque, in order of qd */
    double ratio_kd;        /* sum over actuators of 2 dampratio |gear| sqrt(kp), waiting for the inertia */
};

/* Two joints, or one, that act together: length = coef[0] q1 + coef[1] q2, less what it is at q = 0. */
struct mjcf_rope {
    int njoint, link[2];
    double coef[2];
    double length; /* MuJoCo's at q = 0 */
};

enum mjcf_kind { MJCF_BODY, MJCF_JOINT, MJCF_GEOM, MJCF_TENDON, MJCF_KINDS };

/* What a name in a file means. The full name has the prefix of the models it is attached through, and the numbers of the
   copies it stands in. */
struct mjcf_name {
    enum mjcf_kind kind;
    const char *raw, *full;
    const char *copy; /* the numbers within its own file, "" for none */
    int file;         /* which attached model, 0: the main file */
    int index;        /* of the link, rope, or geom */
};

/* Where names are read: what is put before and after them. */
struct mjcf_scope {
    const char *prefix, *copy, *suffix;
    int file;
};

/* A geom that has a name: the body's link (-1: ground) and its number among the shapes there. */
struct mjcf_named_geom {
    int link, number;
};

struct mjcf_model { /* an asset */
    const char *name;
    char *path;
    struct sn__xml *xml;
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

extern const struct mjcf_compiler sn__mjcf_compiler_default;

struct mjcf_mesh;   /* mjcf_mesh.c */
struct mjcf_hfield; /* mjcf_hfield.c */
struct mjcf_memory; /* mjcf_names.c */

struct mjcf {
    const char *path;
    const sn_load_def *options;
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
    struct sn__scene *scene; /* where the world's own goes; NULL: only the model is wanted */
    struct mjcf_scope scope;
    struct mjcf_name *name; /* [nname] */
    int nname, name_capacity;
    struct mjcf_memory *strings; /* mjcf_names.c */
    struct mjcf_rope *rope;      /* [nrope] */
    int nrope, rope_capacity;
    struct mjcf_named_geom *geom; /* [ngeom] */
    int ngeom, geom_capacity;
    struct mjcf_model *model; /* [nmodel] */
    int nmodel, model_capacity;
    int ncopied;
    int nattached, depth;       /* models attached so far; how deep */
    struct mjcf_hfield *hfield; /* [nhfield] */
    int nhfield, hfield_capacity;
    double *control; /* [ncontrol] of the keyframe, in the order of actuators */
    int ncontrol, nactuator;
    int nunnamed;                        /* bodies without a name so far */
    int nexclude;                        /* pairs of bodies that do not touch, so far */
    int nscenery;                        /* geoms of the world, other than planes */
    bool incomplete;                     /* something was left out that may have had joints */
    const char *warned[MJCF_MAX_WARNED]; /* kinds that were warned about */
    int nwarned;
    int ncoarse, nabsent; /* meshes whose hull has fewer vertices than theirs; that cannot be read */
    int nunweighed;       /* of those that cannot be read: bodies should have had their mass from them */
    double coarse_by;     /* m, how far at most */
    char coarse_name[64], absent[400]; /* of the coarsest; of the first, where it stands and why */
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

/* The same path if it exists. Otherwise the file is looked for beside the one that `node` stands in, which may have been
   included from another folder, as in MuJoCo. */
char *sn__mjcf_path_from(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *folder,
                         const char *file);

/* The attribute "file"; NULL and a message when it is missing. */
const char *sn__mjcf_file(const struct mjcf *mjcf, const struct sn__xml_node *node);
/* Whether one more of a thing that there are `count` of is within its limit; else "at most 100 names are read". */
bool sn__mjcf_may_add(const struct mjcf *mjcf, const struct sn__xml_node *node, int count, int most,
                      const char *what);

/* False for what is there but no plain file: a folder, a device, a pipe. Files named by files are opened only then. */
bool sn__mjcf_is_file(const char *path);

/* Warns about a kind of thing the first time it is met: "file:line: <element> message". The kind must live as long as
   the reader. */
void sn__mjcf_warn_once(struct mjcf *mjcf, const struct sn__xml_node *node, const char *kind,
                        const char *format, ...) SN__PRINTF(4, 5);
/* The same for an element that has no counterpart. */
void sn__mjcf_skip(struct mjcf *mjcf, const struct sn__xml_node *node);
bool sn__mjcf_no_memory(const struct mjcf *mjcf); /* tells it, and returns false */

/* mjcf_names.c ------------------------------------------------------------------------------------------- */

/* Up to four texts in a row, kept as long as the reader; NULL when out of memory, which is reported. */
const char *sn__mjcf_keep(struct mjcf *mjcf, const char *a, const char *b, const char *c, const char *d);
/* The node's name as it is where it stands, remembered; "" where it has none; NULL: an error, which is reported. */
const char *sn__mjcf_name(struct mjcf *mjcf, const struct sn__xml_node *node, enum mjcf_kind kind, int index);
/* What a name means here: in the copy of those numbers, or as a full name; NULL: nothing. */
const struct mjcf_name *sn__mjcf_find(const struct mjcf *mjcf, enum mjcf_kind kind, const char *raw,
                                      const char *copy);
/* Does something for every copy of what the attribute names; false: an error. What is not there is an error, too, unless
   parts were left out. */
bool sn__mjcf_each(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                   enum mjcf_kind kind,
                   bool (*use)(struct mjcf *mjcf, const struct sn__xml_node *node, const char *copy));
/* One that must be there: *found is NULL where its absence is forgiven. */
bool sn__mjcf_need(struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                   enum mjcf_kind kind, const char *copy, const struct mjcf_name **found);
void sn__mjcf_names_free(struct mjcf *mjcf);

/* mjcf_class.c ------------------------------------------------------------------------------------------- */

bool sn__mjcf_class_init(struct mjcf *mjcf); /* the top class, as MuJoCo has it */
bool sn__mjcf_class_read(struct mjcf *mjcf, const struct sn__xml_node *node);
/* The class that the node's attribute names; without the attribute, the one given. -1: no such class. */
int sn__mjcf_class_of(const struct mjcf *mjcf, const struct sn__xml_node *node, const char *attribute,
                      int otherwise);

/* Each changes what the element says and leaves the rest as it was. */
bool sn__mjcf_joint_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_joint *joint);
bool sn__mjcf_geom_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_geom *geom);
bool sn__mjcf_tendon_attributes(const struct mjcf *mjcf, const struct sn__xml_node *node,
                                struct mjcf_tendon *tendon);
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

/* The frame elements around a thing inside a body, together. */
struct mjcf_place {
    double pos[3], quat[4];
};

/* A body while its contents are read. */
struct mjcf_body {
    const struct sn__xml_node *node;
    char name[SN_MAX_NAME + 1];
    int first, last; /* its links */
    int nshape;      /* of it so far */
    struct mjcf_mass *mass;
};

enum mjcf_pass { MJCF_PASS_JOINTS, MJCF_PASS_INERTIAL, MJCF_PASS_GEOMS, MJCF_PASS_BODIES };

bool sn__mjcf_world_read(struct mjcf *mjcf, const struct sn__xml_node *worldbody);
/* One pass over all that stands in a body (NULL: the world), through its frames. */
bool sn__mjcf_contents_read(struct mjcf *mjcf, const struct sn__xml_node *node,
                            const struct mjcf_place *place, int class, enum mjcf_pass pass,
                            struct mjcf_body *body);
bool sn__mjcf_body_read(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                        int class, int up);
/* Where a link stands when all joints are at 0; -1: the world. */
void sn__mjcf_link_place(const struct mjcf *mjcf, int link, double pos[3], double quat[4]);

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

/* mjcf_attach.c ------------------------------------------------------------------------------------------ */

bool sn__mjcf_replicate(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                        int class, enum mjcf_pass pass, struct mjcf_body *body);
bool sn__mjcf_model_read(struct mjcf *mjcf, const struct sn__xml_node *node); /* an asset */
bool sn__mjcf_attach(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_place *place,
                     struct mjcf_body *body);
void sn__mjcf_models_free(struct mjcf *mjcf);

/* mjcf.c ------------------------------------------------------------------------------------------------- */

/* How the children of an element are read, by name; the last has none. A reader of NULL: silently passed over. */
struct mjcf_child {
    const char *name;
    bool (*read)(struct mjcf *mjcf, const struct sn__xml_node *node);
};
/* Reads all children that are known and warns of the others. */
bool sn__mjcf_children(struct mjcf *mjcf, const struct sn__xml_node *parent, const struct mjcf_child *known);
/* All sections of a name, in the order of the file. */
bool sn__mjcf_sections(struct mjcf *mjcf, const struct sn__xml_node *root, const char *name,
                       bool (*read)(struct mjcf *, const struct sn__xml_node *));
bool sn__mjcf_setup_read(struct mjcf *mjcf, const struct sn__xml_node *root); /* compiler, classes, assets */
bool sn__mjcf_links_read(struct mjcf *mjcf,
                         const struct sn__xml_node *root); /* what refers to bodies and joints */

/* mjcf_geom.c -------------------------------------------------------------------------------------------- */

/* Adds the geom's shape to the body and its mass to what the body is made of. outer: the frame elements around it. */
bool sn__mjcf_geom_add(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                       const struct mjcf_place *outer, struct mjcf_body *body);
/* The shape of a geom of the world, in its place; false: an error, *is_shape false: it is none. */
bool sn__mjcf_geom_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                         const struct mjcf_place *outer, sn_shape_def *shape, bool *is_shape);
/* What a geom with a mesh touches as, in its place; is_shape false: its file is not there, which is reported. */
bool sn__mjcf_mesh_shape(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                         sn_shape_def *shape, bool *is_shape);
/* A name that a contact pair may use. */
bool sn__mjcf_geom_name(struct mjcf *mjcf, const struct sn__xml_node *node, int link, int number);

/* mjcf_scene.c, mjcf_hfield.c ---------------------------------------------------------------------------- */

bool sn__mjcf_ground_read(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                          const struct mjcf_place *place);
bool sn__mjcf_option_read(struct mjcf *mjcf, const struct sn__xml_node *node);
bool sn__mjcf_hfield_read(struct mjcf *mjcf, const struct sn__xml_node *node); /* an asset */
/* The asset of a name as ground around the origin; false: an error. */
bool sn__mjcf_hfield_ground(struct mjcf *mjcf, const struct sn__xml_node *node, const char *name,
                            struct sn__scene_ground *ground);
void sn__mjcf_hfields_free(struct mjcf *mjcf);

/* mjcf_mesh.c -------------------------------------------------------------------------------------------- */

/* The name of a mesh or height field: given, or that of its file without folders and ending. NULL: no memory. */
char *sn__mjcf_asset_name(const struct sn__xml_node *node);
bool sn__mjcf_mesh_read(struct mjcf *mjcf,
                        const struct sn__xml_node *node); /* an asset; its file is not touched yet */
/* What the mesh weighs for density 1, in its own frame. Mass 0: its file is not there, which is forgiven, and warned
   about. */
bool sn__mjcf_mesh_inertia(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                           struct inertia *inertia);
/* The triangles of a mesh of the world in their place, as ground, if the mesh is hollow; false: it is not, or cannot be read. */
bool sn__mjcf_mesh_ground(struct mjcf *mjcf, const struct mjcf_geom *geom, const sn_shape_def *place,
                          struct sn__scene_ground *ground);
/* Its convex hull, in the frame of the asset, which keeps it. NULL: there is none, which is warned about. */
bool sn__mjcf_mesh_hull(struct mjcf *mjcf, const struct sn__xml_node *node, const struct mjcf_geom *geom,
                        const sn_hull **hull);
/* What there is to say about all meshes, at the end. */
void sn__mjcf_mesh_tell(const struct mjcf *mjcf);
void sn__mjcf_mesh_free(struct mjcf *mjcf);

/* mjcf_contact.c ----------------------------------------------------------------------------------------- */

bool sn__mjcf_contact_read(struct mjcf *mjcf, const struct sn__xml_node *node);

/* mjcf_equality.c, mjcf_tendon.c ------------------------------------------------------------------------- */

bool sn__mjcf_equality_read(struct mjcf *mjcf, const struct sn__xml_node *section);
bool sn__mjcf_tendons_read(struct mjcf *mjcf, const struct sn__xml_node *section);
/* A spring, damper or servo on a rope: stiffness and damping of its length, which is drawn to `length` (MuJoCo's) and to
   `speed`, with max_force at most. */
void sn__mjcf_rope_spring(struct mjcf *mjcf, const struct mjcf_rope *rope, double stiffness, double damping,
                          double length, double speed, double max_force);

/* mjcf_actuator.c ---------------------------------------------------------------------------------------- */

bool sn__mjcf_actuators_read(struct mjcf *mjcf, const struct sn__xml_node *section);
void sn__mjcf_actuators_end(struct mjcf *mjcf); /* when all are read */
/* Damping that goes by the inertia of joints, and targets from controls, into the draft of the model. */
void sn__mjcf_actuators_finish(struct mjcf *mjcf, sn_model *draft);

/* mjcf_key.c --------------------------------------------------------------------------------------------- */

bool sn__mjcf_key_controls(struct mjcf *mjcf,
                           const struct sn__xml_node *root);                /* before actuators are read */
bool sn__mjcf_key_pose(struct mjcf *mjcf, const struct sn__xml_node *root); /* when all joints are there */

#endif
