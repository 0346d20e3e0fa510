/* The rows of one constraint of the user's, as they are being built: constraint_rows.c, constraint_hold.c. */
#ifndef SINEW_WORLD_TIE_H
#define SINEW_WORLD_TIE_H

#include "world/constraints.h"
#include "world/rows.h"

/* A constraint whose rows are being built. */
struct sn__build {
    struct sn__worker *w;
    const struct sn__tie *tie;
    const sn_constraint_def *def;
    const struct sn__tie_kind *kind;
    struct sn__tied *tied;
    double h;
    int made; /* rows so far */
};

/* The next row; two-sided within max_force. NULL: there is no room. */
struct sn__pgs_row *sn__tie_row(struct sn__build *b, const struct sn__row *r);
/* A row of both ends along d: the velocity of the body's matter at the world point x less that of the other's at y. */
struct sn__pgs_row *sn__tie_point_row(struct sn__build *b, const double x[3], const double y[3],
                                      const double d[3]);
/* As above, of the angular velocities. */
struct sn__pgs_row *sn__tie_turn_row(struct sn__build *b, const double d[3]);

/* The ends of a constraint at one moment. */
struct sn__ends {
    struct sn__frame body, other; /* the world's frame where there is none */
    double x[3], y[3];            /* point and point2 in the world */
    double d[3];                  /* direction */
};

/* At a moment of the step: sn__hand_frame. */
struct sn__ends sn__ends_at(const struct sn__worker *w, const sn_constraint_def *d, int moment, double h,
                            double bend);
/* Of frames that are known. */
struct sn__ends sn__ends_of(const sn_constraint_def *d, const struct sn__frame *body,
                            const struct sn__frame *other);
/* The rotation vector, world axes, that takes orientation a to b. */
void sn__turn_between(const double a[4], const double b[4], double turn[3]);

/* Rows of what holds, and of springs and motors: constraint_hold.c. */
void sn__hold_rows(struct sn__build *b);
/* Of joints that follow others: coupling_rows.c. */
void sn__coupling_rows(struct sn__build *b);
void sn__coupling_limit_rows(struct sn__build *b);

/* A coordinate that a constraint holds at zero: how far it is off now; how far it would be after a step without the
   constraint, and its rate in that step (constraint_hold.c). */
struct sn__line {
    double d[3]; /* its direction in the world */
    double now, ahead, rate;
};

/* Of pins, distances, ropes, curves and surfaces: how many. The ends now come out, too. */
int sn__lines_of(const struct sn__worker *w, const struct sn__tie *t, const struct sn__tied *tied, double h,
                 struct sn__ends *now, struct sn__line line[3]);

/* A force -B (u - wanted) + push along a coordinate whose rate is u at the end of the step. */
struct sn__damper {
    double B, wanted, push;
};
/* By the stiffness and damping of the definition. */
struct sn__damper sn__damper_of(const sn_constraint_def *d, const struct sn__line *line, double h);

/* Whether it holds rigidly what rows of straight coordinates can hold: pins, welds, hinges, sliders, orientations. */
bool sn__tie_is_held(const sn_constraint_def *d);
/* Sets the rows of one for where the velocity qd + bend qdd leads; rate: J times that velocity, of each row. The largest change
   of a row's velocity: constraint_ahead.c. */
double sn__held_ahead(struct sn__worker *w, const struct sn__tie *t, struct sn__tied *tied, double h,
                      double bend, const double *rate);
/* Rows that may damp what constraints pull; as much damping as the current impulses need; their rows for the current damping:
   tension.c. */
void sn__worker_tension_rows(struct sn__worker *w, double h);
void sn__worker_tension(struct sn__worker *w, double h);
void sn__worker_set_tension(struct sn__worker *w);
/* Solves rows that look ahead again, for where their answer leads: refine.c. */
void sn__worker_refine(struct sn__worker *w, double h, double share);
/* How far rigid constraints are apart at the end of the step, for the statistics: constraint_error.c. */
void sn__worker_ties_apart(struct sn__worker *w);
/* x from the other end, in the other body's axes. */
void sn__seen_from_other(const struct sn__ends *e, double p[3]);
/* The turn of the body against what the constraint keeps; the same for a hinge, from where its axis is in the body to where it is
   in the other. */
void sn__turned(const struct sn__ends *e, const double keep[4], double off[3]);
void sn__tilted(const struct sn__ends *e, const sn_constraint_def *d, const double keep[4], double off[3]);

/* Two unit vectors across t and each other, the same whenever t is. */
void sn__across(const double t[3], double n[2][3]);

#endif
