/* The six scenes of spd-2011 section 4.1: a humanoid follows a motion, and a ball meets its foot, its forearms or its hands. */
#ifndef SINEW_SCENES_THROWS_H
#define SINEW_SCENES_THROWS_H

#include <sinew/sinew.h>
#include <stdbool.h>

enum reaction_kind { SCENE_KICK, SCENE_PASS, SCENE_CATCH };
enum { REACTION_SCENES = 6 };

struct reaction_scene {
    const char *name, *motion;
    enum reaction_kind kind;
    double radius, mass;  /* of the ball                                        */
    double speed;         /* at which it comes, m/s; 0: it lies there           */
    double arrives;       /* s into the motion, where it flies                  */
    double ratio;         /* kd / (kp dt): table 3                              */
    double hold, recover; /* t_e, t_f of table 3                                */
    double reaction;      /* kr / kt: illegible in the paper, ours              */
};

extern const struct reaction_scene reaction_scene[REACTION_SCENES];

/* The humanoid is member 0, the ball member 1. Joint limits are off. */
struct thrown {
    sn_model *human, *ball;
    sn_motion *motion;
    sn_world *world;
};

/* The humanoid starts on its motion; the ball lies in front of its foot, or flies so that it arrives in time. Free it also
   after a failure. */
bool thrown_create(struct thrown *t, const struct reaction_scene *scene, double dt, sn_form form,
                   sn_error *error);
/* How gains give way to blows in that scene, above a threshold in N s. */
sn_status thrown_react(struct thrown *t, const struct reaction_scene *scene, double threshold);
void thrown_free(struct thrown *t);
/* Where a point of a body is, poses [nbody][7] being those of SN_FIELD_BODY_POSE. */
void point_of_body(const double *pose, int body, const double local[3], double place[3]);

#endif
