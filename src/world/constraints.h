/* Constraints of the user: their kinds, and what a step asks of them. tie.h has how their rows are built. */
#ifndef SINEW_WORLD_CONSTRAINTS_H
#define SINEW_WORLD_CONSTRAINTS_H

#include "world/worker.h"

/* Constraints: constraints.c. */
/* How many values the targets of a kind have, and what else it is. */
struct sn__tie_kind {
    int target, velocity; /* values; -1: as many as the joint has */
    bool two_ended, directed, path, acceleration, impulse, joint;
    bool holds, motor; /* constraint_hold.c */
    int forces;        /* how many of its rows, the first ones, are forces; the others are torques */
    int turn;          /* where in the target a quaternion stands, -1: nowhere, or as the joint says */
};
const struct sn__tie_kind *sn__tie_kind(sn_constraint_type type);
static inline bool sn__tie_couples(sn_constraint_type type) { /* two joints of one degree of freedom */
    return type == SN_CONSTRAINT_COUPLING || type == SN_CONSTRAINT_COUPLING_LIMIT;
}
struct sn__tie *sn__tie_find(const sn_world *w, sn_constraint c); /* NULL: no such constraint */
/* Says for sn_world_message that there is no such constraint (t NULL) or no such copy. */
sn_status sn__tie_refuse(const sn_world *w, const struct sn__tie *t, int copy);
/* Rows of such a constraint on the joint of b, or on b, that are forces. */
int sn__tie_forces(sn_constraint_type type, const sn_body_info *b);
bool sn__tie_is_soft(const sn_constraint_def *d);
/* Whether it is a term inside MABA and has no rows: brace.c. */
bool sn__tie_is_inside(const sn_world *w, const struct sn__tie *t);
/* The numbers of a definition, for a body that it holds. */
sn_status sn__tie_check_numbers(const sn_constraint_def *d, const sn_body_info *b, sn_error *error);
/* Where a body is in the pose: constraint_pose.c. */
struct sn__frame sn__frame_now(const struct sn__pack *p, int copy, int body);
/* Where it is at one of the moments t = -h, -h/2, 0, h/2, h, of the pose q (+) t (qd + bend qdd), or after a step of the
   free velocity; kept until they are forgotten. */
struct sn__frame sn__hand_frame(const struct sn__worker *w, struct sn__hand *m, int body, int moment,
                                double h, double bend);
void sn__worker_forget_frames(struct sn__worker *w);
/* Constraints inside MABA, brace.c: how many each member has; memory for them; those of the step, for the kernels,
   where there were none; their forces under the velocities in rate, which join the impulses of the rows in wrench. */
void sn__ties_count_inside(sn_world *w);
bool sn__braces_reserve(struct sn__hand *h);
void sn__worker_brace(struct sn__worker *w, double h);
void sn__worker_read_braces(struct sn__worker *w, int member, double h);
/* After a step that went well: constraint_rows.c. */
void sn__worker_ties_end(struct sn__worker *w);
/* After a solve: rows of paths for the velocities that it came to. The largest change, m/s or rad/s. */
double sn__worker_ties_refine(struct sn__worker *w, double h);
bool sn__worker_impulses_wait(const struct sn__worker *w); /* some of the user's impulses have not acted yet */
void sn__ties_drop(sn_world *w, int member);               /* those of a member that goes */
bool sn__ties_hold(const sn_world *w, int member);         /* whether any says where a body of it should be */
/* And whether any says so of a body or of one that it carries, or, not `beyond`, of any other. */
bool sn__ties_hold_beyond(const sn_world *w, int member, int body, bool beyond);
bool sn__ties_reserve(sn_world *w, int ties);
sn_status sn__ties_of_model(sn_world *w, int member, sn_error *error); /* those that come with a new member */

/* Finds what constraints join; whether two members, or two bodies of one, are joined in the current copy: joined.c. */
bool sn__ties_join(sn_world *w);
bool sn__worker_joins(const struct sn__worker *w, int member, int body, int member2, int body2);
int sn__body_whole(const sn_model *model, int body); /* the body that welds make it part of: contacts.c */

#endif
