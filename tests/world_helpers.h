/* What the tests of worlds share: scenes, questions to their state, and measures of them. */
#ifndef SINEW_TESTS_WORLD_HELPERS_H
#define SINEW_TESTS_WORLD_HELPERS_H

#include "dynamics_helpers.h"

/* Steppers that the tests of physics run with: one entry more switches another one on everywhere. */
struct stepper_case {
    const char *name;
    sn_stepper stepper;
};
extern const struct stepper_case stepper_case[];
extern const int stepper_count;

/* Every way of contact: rows with each friction and each stepper, and implicit contact. */
enum { WAYS = 8 };
struct way {
    char name[32];
    sn_contact_method contact;
    sn_friction friction;
    sn_stepper stepper;
};
int ways_of(struct way *way); /* fills WAYS at most; returns how many there are */
sn_world_def def_of(const struct way *way);

#ifdef __SANITIZE_ADDRESS__
enum { FAST = 1 }; /* fewer cells of the tables: a step is twenty times slower */
#else
enum { FAST = 0 };
#endif

/* ------------------------------------------------------------------------------------------------- scenes */

sn_world *world_of(const sn_world_def *def);
int member_of(sn_world *world, const sn_model *model, const sn_member_def *def);
sn_shape_def material_of(double friction, double restitution);
int floor_of(sn_world *world, const sn_shape_def *material); /* the plane z = 0 */
void step_world(sn_world *world);                            /* one step, which must succeed */
sn_world_stats stats_of(const sn_world *world);

sn_shape_def sphere_of(double radius, double mass);
sn_shape_def capsule_of(double radius, double half, double mass);
sn_shape_def box_of(double x, double y, double z, double mass);
sn_model *free_body(const sn_shape_def *shape); /* a character with one free body of that shape */
void put_body(sn_character *character, const double pos[3], const double rot[4], const double velocity[6]);
/* The humanoid in its zero pose with its soles on the plane z = 0; zero pose as its target. */
void stand_humanoid(sn_character *character, double *q);
void turn_about(const double axis[3], double angle, double rot[4]);

/* ---------------------------------------------------------------------------------------------- measures */

/* Lowest point of all shapes, from the poses of the bodies. */
double lowest_point(sn_character *character);
/* Deepest penetration of the contacts of the last step, at its beginning; 0 when none. */
double penetration(const sn_world *world);
/* Kinetic and potential energy of all characters. */
double energy_of(sn_world *world);
/* Linear momentum, and angular momentum about the world's origin, of one character. */
void momentum_of(sn_character *character, double p[6]);
double fastest(sn_world *world); /* largest |qd| of any character */

#endif
