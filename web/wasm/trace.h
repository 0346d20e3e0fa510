/* The humanoid's run, for comparing this library with itself in another build. */
#ifndef SINEW_WEB_TRACE_H
#define SINEW_WEB_TRACE_H

enum { TRACE_RUNS = 3 }; /* contact inside MABA, by rows, none and no ground: as sn_contact_method */

int trace_size(void); /* nq + nv of the humanoid */
/* Pose and velocity of the run at 0, dt, ... steps dt: [steps + 1][nq + nv]. Returns 0 when it could. */
int trace_targets(int steps, double dt, double *targets);
/* Follows the targets in a world in double, and writes the last q and qd. Returns 0 when every step was good. */
int trace_run(int contact, int steps, double dt, const double *targets, double *state);

#endif
