/* The playground's glue: what the page calls. Everything here stands on the public header.
 *
 * A subject is a character and what it shall do. A scene is one character that does it, in a world with ground, balls
 * and a mouse. A crowd is many that do it. Functions named play_* are exported; the page passes pointers into the
 * module's memory and reads them back. No function prints or exits. */
#ifndef SINEW_WEB_PLAY_H
#define SINEW_WEB_PLAY_H

#include <sinew/sinew.h>
#include <stdbool.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#define PLAY_API EMSCRIPTEN_KEEPALIVE
#else
#define PLAY_API
#endif

struct subject {
    sn_model *model;
    sn_motion *motion;   /* NULL: holds its home pose */
    double duration;     /* s of the motion; 0: none */
    bool loops;          /* the motion goes on for ever */
    double *home;        /* [nq] standing on the ground */
    sn_error error;      /* why the last call failed */
    char warnings[2048]; /* what the reader passed over, a line each */
};

/* Target at a time; qd may be NULL. */
void subject_sample(const struct subject *subject, double time, double *q, double *qd);

enum { PLAY_BALLS = 12, PLAY_CONTACTS = 64 };

struct scene {
    const struct subject *subject;
    int contact;                /* sn_contact_method */
    double dt, time;            /* s */
    sn_world *world;            /* NULL: a lone character, as a solver other than MABA asks for */
    sn_character *character;    /* of the world, or alone */
    sn_character *ghost;        /* never stepped; stands in the target pose */
    sn_model *ball;             /* one sphere */
    int balls, next_ball;       /* thrown so far, and whose turn it is */
    sn_constraint grip;         /* of the mouse in a world; 0: none */
    int grip_body;              /* of a lone character; -1: none */
    double grip_point[3];       /* in that body's frame */
    double grip_target[3];      /* where the mouse is */
    double push_left;           /* s for which the push still acts */
    bool diverged;              /* frozen until it is made anew */
    double *q, *qd, *target_qd; /* room: target, velocity */
    double *last;               /* q and qd before the last step, and room for another q */
    float *pose, *ghost_pose;   /* [nbody][7] */
    float *ball_pose;           /* [PLAY_BALLS][7] */
    float *contacts;            /* [PLAY_CONTACTS][6] point and force */
    sn_error error;
};

/* The mouse's pull on a lone character, and the end of a push; before each step. */
void toys_act(struct scene *scene);
bool toys_create(struct scene *scene);
/* Writes the poses of the bodies of a character. */
void poses_write(sn_character *character, float *pose);

#endif
