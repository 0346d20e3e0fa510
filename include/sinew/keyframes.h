/* Sinew: motions from keyframes by physics. Part of section 10 of sinew.h, which includes this file. */
#ifndef SINEW_KEYFRAMES_H
#define SINEW_KEYFRAMES_H

#include "sinew/sinew.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ 10. Keyframes */

/* Poses of some joints at some times. Between two keys of a joint two stable-PD controllers pull it, one to the key before
   and one to the key after, with gains that fade against each other (spd-2011 section 4.2). With a the part of the way from
   one key to the next, 0 to 1, and k = gain * weight * m, m the mass that the joint carries (its body and all that hangs on
   it), kd = damping k dt:

       polynomial   (1 - a)^n k          and  (a^n + floor) k       near keys stiff, compliant between them
       linear       (1 - a) k            and  a k                   stiff throughout
       curve        curve(1 - a) k       and  curve(a) k            the user's own

   Both are one controller again: gains add up, and the target is between the two keys. Before its first and after its last
   key a joint is held there; one that is never keyed is held in the zero pose as if every key had it there. Only two keys
   count at a time: changing one changes nothing beyond its neighbours. */
typedef struct sn_keyframes sn_keyframes;

typedef enum sn_fade { SN_FADE_POLYNOMIAL, SN_FADE_LINEAR, SN_FADE_CURVE } sn_fade;

typedef struct sn_keyframe {
    double time;          /* s; each later than the one before */
    const double *q;      /* [nq] the pose, of which the keyed joints count */
    const uint8_t *keyed; /* [nbody] 1: the joint of this body has a key here; NULL: all have */
} sn_keyframe;

typedef struct sn_keyframes_def {
    int count;                             /* of keys, two at least */
    const sn_keyframe *key;                /* [count]; all is copied */
    sn_fade fade;                          /* default SN_FADE_POLYNOMIAL */
    double exponent;                       /* n; default 20 */
    double floor;                          /* default 0.005 */
    double (*curve)(double a, void *user); /* SN_FADE_CURVE: 0 or more for 0 <= a <= 1; default NULL */
    void *user;                            /* handed to it */
    double gain;                           /* per kg that is carried, N/m or N m/rad; default 130 */
    double damping;                        /* kd / (k dt); default 10 */
    const double *weight;                  /* [nbody] factors of the gain; NULL: all 1; default NULL */
} sn_keyframes_def;

SN_API sn_keyframes_def sn_keyframes_def_default(void);
/* The model must outlive it. NULL and a message that names the key at fault. */
SN_API sn_keyframes *sn_keyframes_create(const sn_model *model, const sn_keyframes_def *definition,
                                         sn_error *error);
/* From a file, docs/formats.md: JSON with the format "sinew-keyframes". */
SN_API sn_keyframes *sn_keyframes_load(const char *path, const sn_model *model, sn_error *error);
/* The same from a text of so many bytes; `name` stands for the file in messages. */
SN_API sn_keyframes *sn_keyframes_parse(const char *text, size_t size, const char *name,
                                        const sn_model *model, sn_error *error);
SN_API void sn_keyframes_free(sn_keyframes *keyframes);
SN_API int sn_keyframes_count(const sn_keyframes *keyframes);
SN_API double sn_keyframes_time(const sn_keyframes *keyframes, int key);
/* The pose of a key; joints that it does not have are where the spline below has them. */
SN_API void sn_keyframes_pose(const sn_keyframes *keyframes, int key, double *q);
/* The drives for a step of dt that ends at `time`, from the pose q: gains [nv] and target [nq]. */
SN_API void sn_keyframes_drive(const sn_keyframes *keyframes, double time, double dt, const double *q,
                               double *kp, double *kd, double *target_q);
/* The same into a world, before a step of a member of the same model, in one copy or in all (-1); each copy from its own
   pose. The step ends at `time`. */
SN_API sn_status sn_keyframes_apply(const sn_keyframes *keyframes, sn_world *world, int member, int copy,
                                    double time);
/* What animation programs do instead: a smooth cubic through the keys of each joint, at rest at the first and the last. qd
   may be NULL. */
SN_API void sn_keyframes_spline(const sn_keyframes *keyframes, double time, double *q, double *qd);

#ifdef __cplusplus
}
#endif

#endif
