/* Models and worlds of the papers that `sinew reproduce` repeats. */
#ifndef SINEW_SCENES_PAPERS_H
#define SINEW_SCENES_PAPERS_H

#include <sinew/sinew.h>

/* The world of kokkevis-2004 as the library has it: constraints as rows, velocity products at the start of the step, and
   every problem solved as far as it goes. The library's own default differs in all three. */
sn_world_def paper_world_def(void);
/* A world of that kind for impacts, on the plane z = 0 where `ground` is given. */
sn_world *impact_world(sn_stepper stepper, double dt, double gravity, const sn_shape_def *ground,
                       sn_error *error);

/* spd-2011 section 3.4: two bobs on massless rods of 1 m that hang straight down at q = 0. The paper gives no masses and
   lengths; the rods are a guess, and the masses are those of a grid that come closest to its tables 1 and 2. */
#define PENDULUM_MASS_1 0.7  /* kg */
#define PENDULUM_MASS_2 0.25 /* kg */
#define PENDULUM_LENGTH 1.0  /* m, both links */
#define PENDULUM_RADIUS 0.05 /* m, of both bobs */
sn_model *pendulum_build(double mass_1, double mass_2, sn_error *error);

/* spd-2011 section 3.2: a mass on a slide along x. */
sn_model *slider_model(double mass, sn_error *error);
/* A hinge about y at the origin with a rod of 1 m and 1 kg that hangs along -z; limits where lower < upper. */
sn_model *build_pendulum(double lower, double upper, sn_error *error);
/* A disc on a stick without mass, upright at q = 1 0 0 0. */
sn_model *top_model(sn_error *error);
/* A ball of 0.1 m and 1 kg. */
sn_model *impact_ball(double friction, double restitution, sn_error *error);
/* A copy of a model whose leaf bodies have `scale` times the mass and inertia. */
sn_model *lighten_leaves(const sn_model *model, double scale, sn_error *error);

#endif
