/* An Acclaim skeleton, between its file and the clip. */
#ifndef SINEW_IMPORT_ASF_H
#define SINEW_IMPORT_ASF_H

#include "import/scan.h"
#include "clip/clip.h"

enum { ASF_TX, ASF_TY, ASF_TZ, ASF_RX, ASF_RY, ASF_RZ, ASF_LENGTH, ASF_DOF_KINDS };

struct asf_bone {
    clip_name name;
    double direction[3], length; /* file's axes and unit                                  */
    double angle[3];             /* of the bone's own axes, as written                    */
    unsigned char order[3];      /* which axis each turns about: 0 x, 1 y, 2 z            */
    double axes[4];              /* the same as a rotation, C: Y-up world                 */
    int ndof;
    unsigned char dof[ASF_DOF_KINDS]; /* in the order in which an AMC gives them               */
    int parent;                       /* bone, -1 for the root, -2: not in the hierarchy       */
    int joint;                        /* of the clip                                           */
};

struct asf {
    struct asf_bone *bone; /* [nbone], the first is the root */
    int nbone, room;
    double position[3]; /* of the root, file's axes and unit */
    double metres;      /* to one unit of length             */
    bool degrees;
};

/* False and a message when it is not right. Either way to be released. */
bool sn__asf_parse(struct asf *asf, const char *text, size_t size, const char *path, sn_error *error);
void sn__asf_release(struct asf *asf);
/* The bone; -1: none. `near` is tried first. */
int sn__asf_find(const struct asf *asf, struct sn__word name, int near);
/* The joints of the clip: one at the start of each bone, and an "_end" at the tip of those without children. */
bool sn__asf_joints(struct asf *asf, struct clip_draft *draft, sn_error *error);

/* Files have Y up: (x, y, z) -> (x, -z, y). */
static inline void asf_turn(double v[3]) {
    const double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

#endif
