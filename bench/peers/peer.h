/* What the programs of this folder share: the character, the scenes, the clock and the answer. Each program is one
 * engine behind the few functions of struct peer_engine; peer_main does the rest, the same for all.
 *
 * Conventions are those of sinew.h: quaternions (w, x, y, z); a ball joint has a quaternion and the angular velocity in
 * the child's axes; a free joint has position and quaternion, velocity in world axes and angular velocity in its own. */
#ifndef SINEW_BENCH_PEER_H
#define SINEW_BENCH_PEER_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- character */

enum peer_joint { PEER_WELD, PEER_HINGE, PEER_BALL, PEER_FREE };
enum peer_form { PEER_SPHERE, PEER_CAPSULE, PEER_BOX };

struct peer_body {
    char name[64];
    int parent, joint; /* parent -1: the world; enum peer_joint */
    int q, v;          /* its joint's place in q and in qd */
    double pos[3], rot[4], axis[3];
    double mass, com[3], inertia[6]; /* xx yy zz xy xz yz, about the centre of mass */
};

struct peer_shape {
    int body, form;                 /* enum peer_form */
    double size[3], pos[3], rot[4]; /* radius; radius and half length along z; half extents */
};

struct peer_tree {
    int nbody, nshape, nq, nv;
    struct peer_body *body;
    struct peer_shape *shape;
    /* One state, torques, and Sinew's accelerations of them without contact; NULL: not known. */
    double *q, *qd, *tau, *qdd;
};

void peer_read_tree(struct peer_tree *tree, const char *path); /* as peer_sinew --write wrote it */
void peer_write_tree(const struct peer_tree *tree, const char *path);
void peer_free_tree(struct peer_tree *tree);
void peer_zero_pose(const struct peer_tree *tree, double *q);
double peer_lowest_point(const struct peer_tree *tree); /* its height in the zero pose */
int peer_nq(int joint);                                 /* values of a joint in q, and in qd */
int peer_nv(int joint);

/* ------------------------------------------------------------------------------------------------ algebra */

void peer_quat_multiply(const double a[4], const double b[4], double c[4]);
void peer_quat_rotate(const double q[4], const double v[3], double r[3]);
/* Rotation vector, in the child's axes, from the orientation target to q. */
void peer_quat_error(const double target[4], const double q[4], double e[3]);

/* ------------------------------------------------------------------------------------------------- engines */

struct peer_options {
    const char *model, *scene, *method, *poses, *check, *write;
    double dt, seconds, kp, kd, root_kp, root_kd;
    double hertz, sway; /* of track: how fast and how far joints swing */
    int repeat;
    bool root_free, no_limits;
    bool root_still;          /* of track: the root does not swing */
    bool ground, driven_root; /* by the scene: stand, fall, push; track */
};

/* Of the last step. */
struct peer_look {
    int contacts, rows;
    double penetration;
};

/* The drives are stable PD, tau = -kp (e + h qd) - kd (qd + h qdd), or what of the engine's own comes next to it. */
struct peer_engine {
    const char *name, *precision;
    const char *(*version)(void);
    const char *const *methods; /* the first is the default; ends with NULL */
    double tolerance;           /* of the accelerations, relative to their largest */
    /* Makes the character and, when options->ground, the plane z = 0; fills the tree. */
    void *(*create)(const struct peer_options *options, struct peer_tree *tree);
    void (*destroy)(void *self);
    void (*start)(void *self, const double *q, const double *qd);
    void (*state)(void *self, double *q);                      /* the pose now */
    void (*target)(void *self, const double *q);               /* of all steps from now on; not timed */
    void (*push)(void *self, int body, const double force[3]); /* through the body's origin, until changed */
    bool (*step)(void *self);                                  /* timed; false: a number is bad */
    void (*look)(void *self, struct peer_look *look);
    void (*load)(void *self, const double *tau);   /* joint torques, for the next */
    void (*forward)(void *self);                   /* timed: accelerations of these torques, without drives */
    void (*acceleration)(void *self, double *qdd); /* what it found */
};

/* All of them, where an engine's functions have these names. */
#define PEER_FUNCTIONS                                                                                       \
    .create = create, .destroy = destroy, .start = start, .state = state, .target = target, .push = push,    \
    .step = step, .look = look, .load = load, .forward = forward, .acceleration = acceleration

int peer_main(const struct peer_engine *engine, int argc, char **argv);
/* The program of an engine in C that calculates in double, its functions and `methods` having these names. */
#define PEER_PROGRAM(engine_name, engine_version, relative)                                                  \
    int main(int argc, char **argv) {                                                                        \
        static const struct peer_engine engine = {.name = engine_name,                                       \
                                                  .precision = "double",                                     \
                                                  .version = engine_version,                                 \
                                                  .methods = methods,                                        \
                                                  .tolerance = relative,                                     \
                                                  PEER_FUNCTIONS};                                           \
        return peer_main(&engine, argc, argv);                                                               \
    }

/* For the engines' own use. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void peer_die(const char *what, const char *detail);
void *peer_need(size_t count, size_t size); /* zeroed */
char *peer_read_text(const char *path);
/* Gains of a body's joint: those of the root, zero unless it is driven, or of the others. */
double peer_kp(const struct peer_options *options, const struct peer_body *body);
double peer_kd(const struct peer_options *options, const struct peer_body *body);

#ifdef __cplusplus
}
#endif

#endif
