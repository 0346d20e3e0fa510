/* What all copies of a world share: members, ground, constraints, and the world itself. Functions that change it. */
#ifndef SINEW_WORLD_SCENE_H
#define SINEW_WORLD_SCENE_H

#include <stdatomic.h>

#include "base/error.h"
#include "base/pool.h"
#include "collide/collide.h"
#include "dynamics/pack.h"
#include "world/copy.h"

enum { SN__GROUND = -1, SN__NOBODY = -2 };

struct sn__contact;
struct sn__copy;
struct sn__worker;
struct sn__stepper;
struct sn__remote;

/* A shape in the world: of a member's body, or ground. */
struct sn__solid {
    struct sn__geom geom;    /* where it is now, in the copy that a worker steps */
    double reach;            /* of the sphere around its centre that holds it */
    double arm;              /* of the sphere around its body's joint that holds it */
    double pos[3], R[3][3];  /* in the frame of its body that stands at the joint */
    int member, body, shape; /* member SN__GROUND: ground number `body`; SN__NOBODY: a place that is free */
    bool moves;              /* ground that has a velocity */
    bool probed;             /* ground that points are looked up over, in lanes: probes.c */
    bool carries;            /* its surface has a velocity of its own: filter.c */
    bool trigger;            /* touches nothing: triggers.c */
    double linear[3], angular[3]; /* of moving ground */
    double base[3], rot[4];       /* of ground: where the user put it */
    double friction, restitution;
    uint32_t group, mask;
};

/* Ground that was moved, as it was before. */
struct sn__home {
    int ground;
    struct sn__solid solid;
};

/* A model that some member has or had, for snapshots; its joints' inertias, for limits. */
struct sn__known {
    const sn_model *model;
    uint64_t hash;
    double *inertia;                /* [nv] */
    bool owned;                     /* the model goes with the world: sn_world_load */
    struct sn__gains *gains;        /* that its members share: dynamics/share.c */
    struct sn__pack_ground *ground; /* what may touch what, or NULL: probes.c */
};

/* Values of a field as the user sees them, [copy][value]. */
struct sn__view {
    void *memory;     /* NULL: never asked for */
    uint64_t version; /* of the world it was filled from */
};

/* A character or a free body, in all copies. */
struct sn__member {
    int number, known; /* its own, and its model's among those the world knows */
    int handle;        /* what users have: number and generation */
    const sn_model *model;
    struct sn__pack pack; /* state in lanes */
    bool active;
    int first_solid, nsolid;
    int braces;        /* constraints inside MABA: brace.c */
    int rows_wanted;   /* by a step that had too little room for its rows */
    double *phase;     /* [copies] s into the motion */
    double *push_left; /* [nbody] s until a push ends by itself, 0: there is none; NULL: there was never one */
    struct sn__table *motion; /* of the world's tables, that targets follow, or NULL: motion.c */
    double *still;            /* [copies] s it has been slow: sleep.c */
    uint8_t *asleep;          /* [copies] */
    int *island;              /* [copies] the member it fell asleep with */
    double *mean;             /* [copies][nv] velocity, over some time */
    double arm;               /* of one free body: to its farthest point, m; 1 at most, and for all others */
    bool sleeps;              /* the four are there */
    struct sn__conduct *conduct; /* reactions, limbs, assistance; NULL: none. conduct.h */
    struct sn__view *view;       /* [SN_FIELD_COUNT], or NULL: nobody has asked for any */
    void **user;                 /* [1 + nbody + nshape] the user's, of itself, bodies and shapes; or NULL */
};

/* A constraint of the user's: what all copies share. */
struct sn__tie {
    sn_constraint_def def; /* its curve and surface are NULL: */
    const struct sn__guide *guide;
    uint32_t generation;
    bool used;
    int origin; /* which of its member's model it is, from 1; 0: the user's own */
};

/* Two members, or bodies of one, that a constraint joins: joined.c. */
struct sn__join {
    uint64_t members, bodies;
    int tie;
};

/* What all members want of the workers' memory: reserve.c. */
struct sn__wanted {
    long points;    /* that kernels look up */
    size_t largest; /* values of one member on their way in or out */
    size_t store;   /* bytes that the first members are lent */
    int rows;       /* of joints: limits, and a tie per degree of freedom */
    int added;      /* of limits, eight times over: solve_rows.c */
    size_t pool;    /* of values of matrices: half of the worst; it grows where that is too little */
};

/* What the user's own function says about pairs in which a shape has one of the categories: filter.c. */
struct sn__contact_filter {
    sn_contact_filter *call; /* NULL: none */
    void *user;
    uint32_t groups;
};

struct sn_world {
    sn_world_def def;
    const struct sn__stepper *stepping;    /* as def says: steppers.h */
    char lanes[8];                         /* def.lanes, kept */
    char device[32];                       /* def.device, kept */
    struct sn__remote *remote;             /* the device that steps it; NULL: the processor. device.c */
    const struct sn__kernels *k;           /* of all members; NULL: none so far */
    int (*gauss_seidel)(struct sn__pgs *); /* in double, whatever the precision */
    bool spread;                           /* one copy per block: layout.c */
    int blocks;
    double time;
    uint64_t version;              /* counts changes and steps, from 1 */
    uint64_t structure;            /* counts changes of solids and ground, from 1 */
    uint64_t settled;              /* counts changes of what the world is made of, from 1 */
    uint64_t state_of, state_hash; /* a hash of that, and which of these it is of: rollback.c */
    int ntable, table_room;
    struct sn__table **table; /* of all motions there ever were: snapshots may want them back */
    double *snapshot_values;  /* [snapshot_room] */
    size_t snapshot_room;
    int nknown, known_room;
    struct sn__known *known;
    int nmember, member_room;
    struct sn__member **member; /* NULL where one was removed */
    int ngeneration, generation_room;
    int *generation; /* [ngeneration] how many members have left each number */
    int nsolid, solid_room;
    struct sn__solid *solid;
    int nground, ground_room;
    int *ground; /* number of ground -> solid; -1 where it was removed */
    int nhome, home_room;
    struct sn__home *home; /* ground that was moved: rollback.c */
    void **ground_user;    /* [user_room] the user's, by number of ground */
    int user_room;
    int belt_room;
    double (*belt)[3]; /* [nground] velocity of its surface, world axes */
    struct sn__contact_filter filter;
    int carriers;                  /* solids whose surface has a velocity */
    int triggers;                  /* solids that are triggers */
    struct sn__visits *visits;     /* [copies] who is inside them, or NULL: triggers.c */
    struct sn__geom *placed_solid; /* [nsolid] of one copy: triggers.c */
    int placed_room;
    int nfield, field_room;
    int nmesh, mesh_room;
    struct sn__mesh **mesh;   /* all meshes */
    struct sn__field **field; /* of all height fields there ever were: snapshots may want them back */
    int nhull, hull_room;
    const sn_hull **hull; /* hulls of ground; a share of each */
    int nsurface, surface_room;
    struct sn__surface *surface; /* what points are looked up over */
    struct sn__terrain *terrain; /* [surface_room] */
    int *surface_ground;         /* [surface_room] -> number of ground */
    int ntie, tie_room;
    struct sn__tie *tie;
    int njoin, join_room;
    struct sn__join *join; /* sorted: joined.c */
    int nguide, guide_room;
    struct sn__guide **guide; /* of all curves and surfaces there ever were: snapshots may want them back */
    struct sn__copy *copy;    /* [copies] */
    int contact_room;         /* contacts of each copy that there is memory for: grows as steps find more */
    int contact_first;        /* what follows from the structure */
    struct sn__wanted wanted;
    int pairs_wanted, rows_wanted; /* by steps that had too little room: reserve.c */
    size_t pool_wanted;
    int free_solids;                  /* places below nsolid */
    int first_hole, first_free_solid; /* no place below is free: of members, of solids */
    int members;                      /* that are there */
    int shaped, bouncy, moving,
        used_ties;            /* members with shapes; solids that bounce; ground that moves; constraints */
    int unprobed;             /* ground that is neither a plane nor a height field */
    bool surfaces_stale;      /* ground has come, gone or begun to move */
    uint64_t changed, synced; /* counts changes between steps; what the workers' clones have seen of them */
    struct sn__pool *pool;
    int threads;
    struct sn__worker *worker;
    struct sn__report report; /* contacts of all copies */
    double *poses;            /* [nbody][7] of one member: query.c */
    int pose_room;
    atomic_flag reporting; /* somebody fills a report */
    atomic_flag fetching;  /* somebody fetches from the device */
    void **scratch;        /* [threads] lanes: values of one block, as many as the largest field */
    double *values;        /* [threads][largest] values of one copy */
    size_t scratch_bytes;
    size_t largest;
    sn_world_stats stats;
    sn_log log;                        /* warn NULL: there is none */
    int most_dropped;                  /* contacts, of which the log has been told */
    int64_t spent[SN_STEP_PART_COUNT]; /* ns, of the last step; all workers: engine.c */
    char message[256];                 /* why the last call that failed did so: refuse.c */
};

/* --------------------------------------------------------------------------------------- structure */

/* The member of a handle, or NULL. */
struct sn__member *sn__world_member(const sn_world *w, int handle);
/* The same; where there is none, sn_world_message says so. */
struct sn__member *sn__world_want(const sn_world *w, int handle);
/* As sn__world_want, for callers that read one field only: a device sends that field alone. */
struct sn__member *sn__world_want_of(const sn_world *w, int handle, sn_field field);
/* Keeps the sentence for sn_world_message and returns the status: refuse.c. */
sn_status sn__world_refuse(const sn_world *w, sn_status status, const char *format, ...) SN__PRINTF(3, 4);
/* The handle of the member with a number; -1: there is none. */
int sn__world_handle(const sn_world *w, int number);
/* How many members have left a number; the largest there is; and setting it, false when out of memory. */
int sn__world_generation(const sn_world *w, int number);
enum { SN__GENERATIONS = 1 << 11 };
bool sn__world_set_generation(sn_world *w, int number, int generation);
/* Values of the world have changed: views are old, and clones of the members' packs. */
void sn__world_touch(sn_world *w);
void sn__world_touch_field(sn_world *w, sn_field field); /* only those */
/* After a change of structure: the layout it needs, and memory for everything a step may want; layout.c. */
sn_status sn__world_settle(sn_world *w, sn_error *error);
sn_status sn__world_settle_member(sn_world *w, int number, sn_error *error); /* after one has come */
/* Memory of a member's hands, and of the workers: reserve.c. */
bool sn__world_reserve(sn_world *w);
bool sn__world_reserve_last(sn_world *w);            /* where only the last member is new */
bool sn__world_grow(sn_world *w);                    /* by what the workers' last steps lacked */
bool sn__world_grow_contacts(sn_world *w, int room); /* of each copy */
bool sn__copy_grow_contacts(struct sn__copy *c, int room);
bool sn__hands_are_made(const sn_world *w, const struct sn__member *m);
bool sn__hands_make(sn_world *w, struct sn__member *m);
void sn__hands_drop(sn_world *w, int member);
sn_status sn__hands_follow(sn_world *w, struct sn__member *m); /* clones are as the pack is */
bool sn__world_lend(sn_world *w, const sn_model *model); /* packs of it have what they need at other times */
/* Members: members.c. */
sn_status sn__member_insert(sn_world *w, const sn_model *model, int number, int first_solid, sn_error *error);
void sn__member_release(sn_world *w, struct sn__member *m);
/* Pushes of a member do not end by themselves any more. */
void sn__member_forget_pushes(struct sn__member *m);
/* Whether such a push ends within the coming `span` seconds, and letting them pass: state.c. */
bool sn__world_pushes_end(const sn_world *w, double span);
void sn__world_pass_pushes(sn_world *w, double span);
void sn__member_take_out(sn_world *w,
                         struct sn__member *m); /* of the structure; the caller settles the layout */
sn_status sn__member_make_pack(sn_world *w, struct sn__member *m, sn_error *error);
int sn__world_know(sn_world *w, const sn_model *model); /* its number among the known, -1: out of memory */
void sn__world_forget_solid(sn_world *w, int solid);    /* contacts with it, in every copy */
void sn__world_forget_copy(sn_world *w, int copy);      /* contacts and limits of the last step */
/* Places for n solids in a row; -1: out of memory. */
int sn__solids_take(sn_world *w, int n);
void sn__solids_give_back(sn_world *w, int first, int n);
void sn__solid_set_material(struct sn__solid *s, const sn_shape_def *shape);
bool sn__solids_meet(const struct sn__solid *a, const struct sn__solid *b);
/* Whether kernels look up the contacts of a shape with ground that is probed. Rows or extras have those that bounce, those of a
   surface with a velocity, and those that the user's function is asked about. */
static inline bool sn__world_probes(const sn_world *w, const struct sn__solid *s,
                                    const struct sn__solid *ground) {
    return !(s->restitution > 0) && !(ground->restitution > 0) && !s->carries && !ground->carries &&
           !(w->filter.call && ((s->group | ground->group) & w->filter.groups));
}
/* What changes when a solid comes (1) or goes (-1): members.c. */
void sn__solid_count(sn_world *w, const struct sn__solid *s, int by);
/* Ground: ground.c. */
void sn__solid_place_ground(struct sn__solid *s);
bool sn__solid_moves(const struct sn__solid *s);
sn_status sn__ground_insert(sn_world *w, int number, int place, const struct sn__solid *solid);
void sn__ground_take_out(sn_world *w, int number);
void sn__world_move_grounds(struct sn__solid *solid, const sn_world *w, double h);
/* What points are tested against, from the ground; and the probes of all members: probes.c. */
sn_status sn__surfaces_make(sn_world *w);

/* A line for the user's log, if there is one: engine.c. */
void sn__world_warn(const sn_world *w, const char *format, ...) SN__PRINTF(2, 3);
/* After a step: what the user should know of it, where it is new. */
void sn__world_warn_of_step(sn_world *w, bool frozen);
void sn__world_forget_user(sn_world *w, int ground); /* the user's data on ground that comes or goes */

/* ---------------------------------------------------------------------------------------- of members */

/* Wakes a member in some copies, or all members: something has changed that any of them may rest on. sleep.c. */
void sn__member_wake(struct sn__member *m, int first, int count);
void sn__world_wake_all(sn_world *w);
/* Whether a member is frozen in a copy; lets it go on, with those that constraints join to it: freeze.c. */
bool sn__member_frozen(const struct sn__member *m, int copy);
void sn__world_thaw_member(sn_world *w, const struct sn__member *m, int copy);
/* States have been set: copies first .. go on if they were frozen, and wake. */
void sn__world_thaw(sn_world *w, struct sn__member *m, int first, int count);
bool sn__world_frozen(const sn_world *w, int copy); /* some member of the copy: freeze.c */
bool sn__world_moves(const sn_world *w);            /* some member of some copy is not */
/* The degree of freedom of a copy whose gains its form bears least, or -1: stiff.c. */
void sn__world_stiffest(const sn_world *w, int copy, int *member, int *dof);
void sn__member_mark_axes(const sn_world *w, struct sn__member *m);
/* What the position stepper keeps of each member: step_position.c. */
void sn__member_restart(struct sn__member *m, int copy); /* a copy's history is no longer its own */
void sn__position_release(struct sn__pack *p);
/* Motions: motion.c. */
void sn__table_free(struct sn__table *table);
size_t sn__table_memory(const struct sn__table *table);
int sn__table_number(const sn_world *w, const struct sn__table *table); /* -1: none */
/* Moves the phases of copies first .. first + n - 1, which stand in a block, on by dt, and sets their targets. */
void sn__member_follow(const sn_world *w, struct sn__member *m, struct sn__pack *p, int block, int first,
                       int n);

#endif
