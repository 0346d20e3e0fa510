/* The swimmer and the spider of pbad-2018 section 6.2, with gaits made by hand. X is forward, y left, z up. */
#ifndef SINEW_SCENES_CREATURES_H
#define SINEW_SCENES_CREATURES_H

#include <sinew/sinew.h>

enum { SPIDER_LEGS = 4 };

/* Four links behind one another, hinges about z between them: 9 degrees of freedom. */
sn_model *swimmer_model(sn_error *error);
/* A wave that runs from head to tail once per second; q [nq] and qd [nv] of the joints, the root at rest at the origin. */
void swimmer_gait(const sn_model *model, double time, double *q, double *qd);

/* A trunk on four legs, each with a hip of two axes and a knee: 18 degrees of freedom. */
sn_model *spider_model(sn_error *error);
/* A trot: two legs across stand and push back while the two others swing forward; the root above the origin, where it
   stands at the zero pose. */
void spider_gait(const sn_model *model, double time, double *q, double *qd);
/* The bodies that carry a tip, and the tips in their frames [SPIDER_LEGS][3]. */
void spider_feet(const sn_model *model, int body[SPIDER_LEGS], double *point);

/* Gains of all joints but the root, whose are 0; [nv] each. */
void creature_gains(const sn_model *model, double kp, double kd, double *gain_p, double *gain_d);

#endif
