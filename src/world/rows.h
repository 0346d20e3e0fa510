/* Rows: scalar conditions on the velocities of members, how they are built and solved, and what they do. */
#ifndef SINEW_WORLD_ROWS_H
#define SINEW_WORLD_ROWS_H

#include "world/worker.h"

/* A row beyond what the solver reads. */
struct sn__world_row {
    double softness; /* its compliance as a part of its response, which is known only later; 0: in the row */
    double bias;     /* velocity that only moves positions: recovery from penetration */
    double *owner;   /* where its force goes after the solve, or NULL */
    double *impulse; /* where its impulse goes when the step has gone well, or NULL */
    bool still;      /* a constraint's that asks for no motion, and so gives no energy: slow.c */
    const struct sn__contact *contact; /* whose normal it is, or NULL */
    double asked, best;                /* refine.c: b before a round, and that of the best one */
    double change;                     /* refine.c: of b in the last round */
    double kept[2]; /* solve_rows.c: b and soft without what draws an impulse to where it is */
    double wanted;  /* the velocity it should have, which its b is without */
    /* bounce.c: wanted, b and bounds as they were at first, b before a round, the part of its impulse that positions get,
       and how much that is at least */
    double surface, b, lo, hi, middle, before, part, least;
};

/* Rows of joint limits that a step adds as it finds that it needs them, behind those of constraints and contacts. */
struct sn__added {
    int member, body;
    int side;       /* of the limit, as the kernels count them */
    double axis[3]; /* away from the limit */
    double gap;     /* what is left before it; negative: beyond it */
    double rest;    /* the velocity it may have towards the limit */
    double impulse; /* in the last round */
};

/* A turn of a body that is damped as far as the pull of constraints needs it: tension.c. */
struct sn__tension {
    int member, body;
    double axis[3];
    double E;           /* h times its damping */
    double asked, best; /* refine.c: the E before a round, and that of the best one */
    double torque;      /* of the last solve */
};

/* Accelerations under the drives and implicit contacts; fills free_qd, and rate and qd when there may be rows:
   implicit.c. */
void sn__worker_solve_free(struct sn__worker *w, double h);
/* Once more, of those who were given forces of rows, without these. */
void sn__worker_solve_unpushed(struct sn__worker *w, double h);
void sn__hand_take_pushes(const struct sn__hand *m, struct sn__args *args);
void sn__worker_solve_member(struct sn__worker *w, int member,
                             double h); /* again, under the forces it is given */
/* Impulses [nbody][6] about the joints as forces over h, on top of m->values, into every lane of `push`: torque.c. */
void sn__hand_push(const struct sn__hand *m, const double *impulse, double h, void *push);
void sn__worker_read_extras(struct sn__worker *w, struct sn__hand *h);
bool sn__worker_has_rows(const struct sn__worker *w);
bool sn__worker_has_limits(const struct sn__worker *w); /* whether any torque has one */
/* Rows of contacts, limits and constraints: rows.c, limit_rows.c, constraint_rows.c. */
void sn__worker_build_rows(struct sn__worker *w, double h);
/* Limits near enough to matter, into the added rows; those that are passed all the same under impulses f, whether there
   were any; a row of one. */
void sn__worker_find_stops(struct sn__worker *w, double h);
bool sn__worker_see_stops(struct sn__worker *w, double h, const double *f);
/* The event stepper's: whether a joint runs into a limit it stands at; and the part of the substep of h just made after
   which the first limit was reached that was passed in it, 1: none. */
bool sn__worker_hits_stops(const struct sn__worker *w);
double sn__worker_passes_stops(const struct sn__worker *w, double h);
void sn__worker_limit_row(struct sn__worker *w, const struct sn__added *a, double h);
void sn__worker_tie_rows(struct sn__worker *w, double h);
/* Contacts without rows: waiting.c. Whether one waits that has this speed along its normal without rows; those that must
   not under impulses f are called, whether there are any. */
bool sn__contact_waits(const struct sn__worker *w, const struct sn__contact *c, double speed, double h);
bool sn__worker_call_contacts(struct sn__worker *w, double h, const double *f);
struct sn__pgs_row *sn__worker_add_row(struct sn__worker *w); /* NULL when there is no room */
/* A row's side on a member; false when there is no room. */
bool sn__worker_add_side(struct sn__worker *w, struct sn__pgs_row *row, int side, int member,
                         const struct sn__row *r);
struct sn__row sn__point_row(const struct sn__hand *h, int body, const double point[3], const double d[3],
                             double sign);
/* The member on a side of a row. */
static inline struct sn__hand *sn__worker_seat(const struct sn__worker *w, struct sn__side side) {
    return &w->hand[w->seated[side.block]];
}
double sn__worker_row_velocity(const struct sn__worker *w,
                               const struct sn__pgs_row *row); /* under the free velocities */
/* Relative acceleration along the normal of members that fall freely; gravity of the current copy. */
double sn__contact_fall(const struct sn__worker *w, const struct sn__contact *c);
void sn__hand_gravity(const struct sn__worker *w, const struct sn__hand *h, double gravity[3]);
double sn__world_recovery(const sn_world *w, double h);    /* time constant of recovery */
void sn__worker_read_rows(struct sn__worker *w, double h); /* forces from impulses */
void sn__worker_read_contact(const struct sn__worker *w, struct sn__contact *c, double h); /* of one */
/* Matrices of all members; false when they do not fit: respond.c. */
bool sn__worker_respond(struct sn__worker *w, sn__respond *respond); /* NULL: by deltas */
/* What impulses f do to the velocities of a member, in lanes; what they are together, as wrenches about the origins of its
   bodies and on its joints; what such do: respond.c. */
void sn__worker_impulse(struct sn__worker *w, int member, const double *f, void *change);
void sn__worker_sum_rows(const struct sn__worker *w, int member, const double *f, double *wrench,
                         double *tau);
void sn__worker_apply(const struct sn__worker *w, int member, const double *wrench, const double *tau,
                      void *change);
struct sn__problem sn__worker_problem(struct sn__worker *w); /* solve_rows.c */
/* Solves for f, with or without what only moves positions, by `share` of the iterations that are left: solve_rows.c. */
void sn__worker_solve_rows(struct sn__worker *w, double *f, bool biased, double share);
/* The same, without, for a step in which something bounces; false: nothing does, and nothing is done: bounce.c. */
bool sn__worker_bounce(struct sn__worker *w, double h);
/* Impulses of an impact, made smaller where friction would give a contact energy: with restitution by velocities,
   v+ = -e v-, it can, where the impact itself turns the sliding round. The work at a contact is f . (u- + u+) / 2. Leaves
   b of the rows as the velocities after the impact have it. */
void sn__worker_tame(struct sn__worker *w, double *f);
/* The drives' torque under contacts and rows: torque.c. */
void sn__worker_torque(struct sn__worker *w, int member, double h);

/* Rows built, answered and solved for the members' free velocities; returns whether positions move on their own
   (f_moved): solve_rows.c. */
bool sn__worker_solve_constraints(struct sn__worker *w, double h);
/* The whole scene, rows and members in turn; the same. Leaves the velocities in `known`: newton.c. */
bool sn__worker_solve_scene(struct sn__worker *w, double h);
/* The most rows that any one member has. */
int sn__worker_densest(const struct sn__worker *w);
/* After all have moved: slows down members that gained energy nothing gave them. Whether there were any: slow.c. */
bool sn__worker_slow(struct sn__worker *w, double h);
/* The step of a member once more, with a part of its velocities. */
void sn__worker_move_less(struct sn__worker *w, int member, double part, double h);
void sn__worker_substep_less(struct sn__worker *w, int member, double part, double h); /* step_event.c */
/* How much of the change of velocity in `change` that only moves positions a member may have: recover.c. */
double sn__worker_recovery_part(struct sn__worker *w, int member, double h);
/* After it has moved: takes joints back to the limits that they have passed on their way. */
void sn__worker_keep_limits(struct sn__worker *w, int member, double h);
/* Impulses as the forces that the kernels take, and what a step begins with: expect.c. */
void sn__worker_give_forces(const struct sn__worker *w, struct sn__hand *m, double h);
void sn__worker_expect_forces(struct sn__worker *w,
                              double h); /* before the first solve: contacts push as they did */
/* After it: takes these forces back if members that they act on move too far. */
void sn__worker_mind_forces(struct sn__worker *w, double h);
void sn__worker_begin_rows(struct sn__worker *w,
                           double h); /* solve_rows.c: those of limits, for the first round */
bool sn__worker_solve_round(struct sn__worker *w, double h);
/* What positions have beyond velocities, if that was postponed: into f_moved. */
void sn__worker_recover(struct sn__worker *w);

#endif
