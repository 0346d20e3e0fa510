/* What a clip's file leaves open: which axis is up, in the motion and in the rest pose, and how long a unit is. */
#ifndef SINEW_IMPORT_ORIENT_H
#define SINEW_IMPORT_ORIENT_H

#include "clip/axes.h"

struct orientation {
    int up, rest_up; /* axes of the file, see clip/axes.h */
    double metres;   /* per unit of the file */
    double stature;  /* in units of the file; what of it is unknown: 0 */
    char why[96];    /* in words */
};

/* Looks at the draft, which has the axes and the unit of the file. False: out of memory. */
bool sn__orient(const struct clip_draft *draft, struct orientation *found);
/* The turn for this up axis of a file, and for the way it faces where the options say so. False and a message when they
   do not go together. */
bool sn__axes_for(const sn_load_def *options, int up, struct sn__axes *axes, sn_error *error);
/* What is the same for all formats, of a clip that a reader has made: overruled axes and unit, where the reader has not
   seen to that; first frames left out. usual_up: the axis of the file that the reader took for up; -1: it has seen to
   it. The clip may be another one afterwards, or NULL and a message. */
sn_clip *sn__clip_settle(sn_clip *clip, int usual_up, const char *path, const sn_load_def *options,
                         sn_error *error);

#endif
