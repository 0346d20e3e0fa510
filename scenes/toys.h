/* The toys of spd-2011 sections 4.2 and 4.3: a particle on a helix with another one on a rod, and a mouse with keyframes. */
#ifndef SINEW_SCENES_TOYS_H
#define SINEW_SCENES_TOYS_H

#include <sinew/sinew.h>
#include <stdbool.h>

/* The paper gives no size and no mass: a helix that a particle takes more than 20 s to slide down is a guess. */
#define HELIX_RADIUS 2.0 /* m */
#define HELIX_TURNS 3    /* down */
#define HELIX_HEIGHT 0.7 /* m, all of it */
#define TOY_MASS 1.0     /* kg, each particle */
#define TOY_ROD 0.5      /* m, between them */
#define TOY_KP 1e6       /* the paper's */
#define TOY_KD_OVER_KP_DT 1.5

struct toy_def {
    int segments; /* of the helix */
    double dt;
    sn_form form; /* of both constraints */
    bool rows;    /* the curve as rows, not inside MABA */
    bool exact;   /* rows to the last digit */
    bool alone;   /* without the rod and the other particle */
};

struct toy {
    sn_model *model; /* of both particles, which are members 0 and 1 */
    sn_world *world;
    sn_constraint curve, rod;
};

/* Particle 0 at the top of the helix and at rest, the rod level. Free it also after a failure. */
bool toy_create(struct toy *toy, const struct toy_def *def, sn_error *error);
void toy_free(struct toy *toy);

/* Only the root of the mouse is keyed, six times in six seconds; all other joints rest in the zero pose. */
enum { MOUSE_KEYS = 6 };
struct mouse_def {
    double gain, damping; /* k / m_sup, kd / (k dt) */
    double weight;        /* of the root over the tail */
    sn_fade fade;
};
double mouse_key_time(int key);
sn_keyframes *mouse_keyframes(const sn_model *mouse, const struct mouse_def *def, sn_error *error);

#endif
