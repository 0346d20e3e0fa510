/* What the tests of worlds share: scenes, questions to their state, and measures of them. */
#ifndef SINEW_TESTS_WORLD_HELPERS_H
#define SINEW_TESTS_WORLD_HELPERS_H

#include "dynamics_helpers.h"
#include "scenes/shapes.h"

/* Steppers that the tests of physics run with: one entry more switches another one on everywhere. */
struct stepper_case {
    const char *name;
    sn_stepper stepper;
};
extern const struct stepper_case stepper_case[];
extern const int stepper_count;

/* Every way of contact: rows with each friction and each stepper, and implicit contact. */
struct way {
    char name[32];
    sn_contact_method contact;
    sn_friction friction;
    sn_stepper stepper;
};
const struct way *ways(void); /* ends with one whose name is empty */
sn_world_def def_of(const struct way *way);

/* A test that runs once with implicit contact and once with rows for each stepper: `way` is one of these, and the test
   puts `model` into worlds of its own. It is made by the expression and freed afterwards. */
#define TEST_EACH_WAY(sentence, expression)                                                                  \
    static void sentence##_in(const struct way *way, const sn_model *model);                                 \
    TEST(sentence) {                                                                                         \
        for_each_way(expression, sentence##_in);                                                             \
    }                                                                                                        \
    static void sentence##_in(const struct way *way, const sn_model *model)

void for_each_way(sn_model *model, void (*check)(const struct way *way, const sn_model *model));

#ifdef __SANITIZE_ADDRESS__
enum { FAST = 1 }; /* fewer cells of the tables: a step is twenty times slower */
#else
enum { FAST = 0 };
#endif

/* ------------------------------------------------------------------------------------------------- scenes */

sn_world_def rows_def(void); /* the default with every contact as rows */
sn_world *world_of(const sn_world_def *def);
/* A snapshot, to be freed. */
unsigned char *snapshot_of(const sn_world *world, size_t *size);
/* A snapshot is taken, then the world runs; after any change, restoring and running again must give the same bits. */
struct promise {
    unsigned char *bytes;
    size_t size;
    uint64_t hash;
    double time, dt;
};
struct promise promise_of(sn_world *world, double time, double dt);
void keep_promise(sn_world *world, struct promise promise);
int member_of(sn_world *world, const sn_model *model);
int floor_of(sn_world *world, const sn_shape_def *material);         /* the plane z = 0 */
sn_constraint tie_of(sn_world *world, const sn_constraint_def *def); /* adds it, which must succeed */
void step_world(sn_world *world);                                    /* one step, which must succeed */
void run_for(sn_world *world, double seconds, double dt);            /* as many steps as fit best */
sn_world_stats stats_of(const sn_world *world);

sn_model *body_of(sn_shape_def shape);          /* the same by value */
sn_model *limited_arm(void);                    /* a hinge about y at the origin, within half a radian */
sn_model *brick(void);                          /* a free box of 0.2 m by 0.3 m by 0.5 m and 3 kg */
sn_model *free_body(const sn_shape_def *shape); /* a character with one free body of that shape */
/* State and target of a member with one free body, in all copies; rot and velocity may be NULL. */
void put_body(sn_world *world, int member, const double pos[3], const double rot[4],
              const double velocity[6]);
/* A humanoid in its zero pose with its soles on the plane z = 0; zero pose as its target. */
void stand_humanoid(sn_world *world, int member, double *q);
void uniform_gains(sn_world *world, int member, double root_kp, double root_kd, double kp, double kd);
void turn_about(const double axis[3], double angle, double rot[4]);

/* ---------------------------------------------------------------------------------------------- measures */

/* Frame of one body in copy 0; either pointer may be NULL. */
void body_pose(sn_world *world, int member, int body, double pos[3], double rot[4]);
/* Lowest point of all shapes, from the poses of the bodies. */
double lowest_point(sn_world *world, int member);
/* How far any joint is beyond its limits, rad: hinges and universals by axis, balls by swing and twist. */
double past_limits(const sn_model *model, const double *q);
/* Degrees that any joint of any member of copy 0 is beyond its limits. */
double past_all(sn_world *world);
/* Contacts of the last step in copy 0, without those that have ended. */
const sn_contact *contacts_of(const sn_world *world, int *count);
int contact_count(const sn_world *world);
/* Deepest penetration of the contacts of the last step, at its beginning; 0 when none. */
double penetration(const sn_world *world);
/* Kinetic and potential energy of all members. */
double energy_of(sn_world *world);
/* Linear momentum, and angular momentum about the world's origin, of one member. */
void momentum_of(sn_world *world, int member, double p[6]);
double fastest(sn_world *world); /* largest |qd| of any member */
/* All values of a member that can be read, of one copy, as one number: equal bits, equal hash. */
uint64_t hash_fields(sn_world *world, int member, int copy);
uint64_t hash_contacts(const sn_world *world, int copy); /* hash of all its contacts */

/* A box of 3 kg on a plane, or on a large box, that leans by an angle, for some seconds; its speed at the start is downhill. */
struct slide {
    double mu, angle, speed, seconds;
    bool on_box;
};
void slide_box(const sn_world_def *def, const struct slide *slide, double *way, double *speed);

/* The force of each row of a constraint, and how many there are; -1: there is no such constraint. */
int constraint_force(const sn_world *world, sn_constraint constraint, int copy, double *force);
/* Whether it is broken; how far it is off (either may be NULL). */
bool constraint_broken(const sn_world *world, sn_constraint constraint, int copy);
sn_status constraint_error(const sn_world *world, sn_constraint constraint, int copy, double *distance,
                           double *angle);

/* Frees a world and the model in it. */
static inline void end_scene(sn_world *world, sn_model *model) {
    sn_world_free(world);
    sn_model_free(model);
}

#endif
