/* Sinew: motions made of keyframes by physics. sinew.h includes this file. */
#ifndef SINEW_KEYFRAMES_H
#define SINEW_KEYFRAMES_H

#include "sinew/files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Poses of some joints at some times. Between two keys of a joint two stable-PD controllers pull it, one
   to the key before and one to the key after, with gains that fade against each other (spd-2011 section
   4.2). With a the part of the way from one key to the next, 0 to 1, and k = gain * weight * m, m the
   mass that the joint carries (its body and all that hangs on it), kd = damping k dt:

       polynomial   (1 - a)^n k          and  (a^n + floor) k       stiff near keys, compliant between them
       linear       (1 - a) k            and  a k                   stiff throughout
       curve        curve(1 - a) k       and  curve(a) k            your own

   Both together are one controller: gains add up, and the target is between the two keys. Before its
   first and after its last key a joint is held there. A joint that is never keyed is held in the zero
   pose as if every key had it there. Only two keys count at a time: changing one changes nothing beyond
   its neighbours. */
typedef struct sn_keyframes sn_keyframes;

typedef enum sn_fade { SN_FADE_POLYNOMIAL, SN_FADE_LINEAR, SN_FADE_CURVE } sn_fade;

typedef struct sn_keyframe {
    /* s; each later than the one before. */
    double time;
    /* [nq] The pose, of which the keyed joints count. */
    const double *q;
    /* [nbody] 1: the joint of this body has a key here. NULL: all have. */
    const uint8_t *keyed;
} sn_keyframe;

/* Make one with sn_keyframes_def_default. */
typedef struct sn_keyframes_def {
    /* Set by sn_keyframes_def_default. */
    uint32_t struct_size;
    /* Number of keys, at least two. [default 0] */
    int count;
    /* [count] The keys; copied. [default NULL] */
    const sn_keyframe *key;
    /* How gains fade. [default SN_FADE_POLYNOMIAL] */
    sn_fade fade;
    /* Exponent n of the polynomial. [default 20] */
    double exponent;
    /* Least part of the gain with which the next key pulls. [default 0.005] */
    double floor;
    /* SN_FADE_CURVE: not negative for 0 <= a <= 1. [default NULL] */
    double (*curve)(double a, void *user);
    /* Last argument of `curve`. [default NULL] */
    void *user;
    /* Gain for each kilogram that the joint carries. [N/m or N m/rad; default 130] */
    double gain;
    /* kd / (k dt). [default 10] */
    double damping;
    /* [nbody] Factors of the gain. NULL: all 1. [default NULL] */
    const double *weight;
} sn_keyframes_def;

static inline sn_keyframes_def sn_keyframes_def_default(void) {
    SN_RETURN_DEFAULT(sn_keyframes_def);
}

/* Makes keyframes for a model, which must outlive them. Returns NULL and a message that names the key at
   fault. */
SN_API sn_keyframes *sn_keyframes_create(const sn_model *model, const sn_keyframes_def *definition,
                                         sn_error *error);
/* Reads a JSON file with the format "sinew-keyframes", see docs/formats.md, or `text` of the options. */
SN_API sn_keyframes *sn_keyframes_load(const char *path, const sn_model *model, const sn_load_def *options,
                                       sn_error *error);
/* Frees keyframes. NULL is allowed. */
SN_API void sn_keyframes_free(sn_keyframes *keyframes);

/* What keyframes have. It belongs to them. */
typedef struct sn_keyframes_info {
    /* Number of keys. */
    int count;
    /* [count] Their times, s. */
    const double *time;
} sn_keyframes_info;

SN_API const sn_keyframes_info *sn_keyframes_get(const sn_keyframes *keyframes);
/* Sets these drives for a member of the same model, before a step that ends at `time`, in one copy or in
   all (-1); each copy from its own pose. */
SN_API sn_status sn_keyframes_apply(const sn_keyframes *keyframes, sn_world *world, sn_member member,
                                    int copy, double time);
/* What animation programs do instead: a smooth cubic through the keys of each joint, at rest at the first
   and the last. qd may be NULL. */
SN_API void sn_keyframes_spline(const sn_keyframes *keyframes, double time, double *q, double *qd);

#ifdef __cplusplus
}
#endif

#endif
