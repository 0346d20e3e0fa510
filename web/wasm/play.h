/* The playground's glue: what the page calls. Everything here stands on the public header.
 *
 * A subject is a character and what it should do. A scene is a world in which it does it, on the ground: one copy, with
 * balls, a mouse and a ghost that shows what is wanted; or a crowd of copies, each at its own phase of the motion.
 * Functions named play_* are exported; the page passes pointers into the module's memory and reads them back. No
 * function prints or exits. */
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
    sn_motion *motion;  /* NULL: holds its home pose, or goes by keyframes */
    sn_keyframes *keys; /* of the mouse, round after round; NULL: none */
    int serve;          /* the kind of ball its motion is for: play_serve.c; 0: none */
    double duration;    /* s of the motion; 0: none */
    bool loops;         /* the motion goes on for ever */
    double *home;       /* [nq] standing on the ground */
    double *curve;      /* [curve_points][3] that the tinkertoy's bead slides on; NULL: of others */
    int curve_points;
    sn_error error;      /* why the last call failed */
    char warnings[2048]; /* what the reader passed over, one line each */
};

/* name: sn_builtin_name or sn_builtin_motion_name. */
bool is_builtin(const char *(*name)(int), const char *wanted);
struct subject *play_subject_create(const char *model, const char *motion);
void play_subject_free(struct subject *subject);
/* Target at a time; qd may be NULL. */
void subject_sample(const struct subject *subject, double time, double *q, double *qd);

enum { PLAY_BALLS = 12, PLAY_CONTACTS = 64, PLAY_TIES = 3 };
enum { PLAY_POSITION = SN_CONTACT_NONE + 1 }; /* beside the methods of contact: the position stepper */

struct scene {
    const struct subject *subject;
    int copies, drawn;            /* the first so many are drawn */
    double dt, time;              /* s; time of the first copy's motion */
    int substeps;                 /* steps of dt in one step of the world */
    sn_world *world;              /* the subject is member 0 of it */
    sn_world *ghost;              /* never stepped: the subject in the target pose; NULL in a crowd */
    sn_model *ball;               /* one sphere; made when the first ball is thrown */
    int balls;                    /* thrown so far; the last PLAY_BALLS of them are out */
    int member[PLAY_BALLS];       /* of the balls that are out */
    sn_form form;                 /* of drives and ties */
    sn_constraint tie[PLAY_TIES]; /* the tinkertoy's; 0: of others */
    sn_constraint grip;           /* the mouse; 0: none */
    int grip_body;                /* that it holds */
    double grip_point[3];         /* in that body's frame */
    double push_left;             /* s for which the push still acts */
    double served;                /* time of the last ball that a motion was served; negative: none yet */
    bool diverged;                /* the only copy, which is frozen until the scene is made again */
    double *q, *qd;               /* room for a target; its velocity */
    double *before;               /* q and qd before the last step */
    double *room;                 /* [drawn][nbody][7] poses as the world gives them */
    float *pose, *ghost_pose;     /* [drawn][nbody][7], [nbody][7], filled by play_scene_look */
    float *ball_pose;             /* [PLAY_BALLS][7], as above */
    float *contacts;              /* [PLAY_CONTACTS][6] point and force, as above */
    sn_error error;
};

/* Keyframes of the mouse, as cli and tests have them in a file; NULL and an error. */
sn_keyframes *make_mouse_keys(const sn_model *mouse, sn_error *error);
/* The tinkertoy: its model; where it starts and its curve, "helix" or one of "corners"; its ties; how far they are off, m. */
bool is_tinkertoy(const char *model);
sn_model *make_tinkertoy(sn_error *error);
bool tinkertoy_start(struct subject *subject, const char *motion);
bool tinkertoy_tie(struct scene *scene, double kp, double kd);
double tinkertoy_error(const struct scene *scene);
/* What a motion with a ball is called to; 0: it has none. And its ball, when it is due; before each step. */
int serve_kind(const char *motion);
void serve_act(struct scene *scene);
/* The end of a push; before each step. */
/* A free ball, which bounces as told. */
sn_model *toy_ball(double radius, double mass, double restitution);
void toys_act(struct scene *scene);
PLAY_API double play_ball_radius(void);
/* Poses of the balls that are out; returns how many. */
int toys_look(struct scene *scene);
/* Writes the poses [count][nbody][7] of a member in the first copies. */
void poses_write(sn_world *world, int member, int count, double *room, float *pose);

#endif
