/* Limbs: where they begin and end, and how far those of the model are from those of the clip. */
#include "motion/retarget.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/quat.h"
#include "clip/clip.h"
#include "motion/motion.h"

#include <math.h>

double sn__angle_of(const double q[4]) {
    return 2 * sn__atan2(dvec_length(q + 1), fabs(q[0]));
}

/* The first driven body of the limb that ends here: above it others begin, too, or the root. */
int sn__limb_start(const struct retarget *r, int end) {
    int start = end;
    while (r->above[start] >= 0 && r->above[start] != r->root) {
        int below = 0;
        for (int i = 0; i < r->nbody; i++)
            below += r->joint[i] >= 0 && r->above[i] == r->above[start];
        if (below > 1 && start != end) break;
        start = r->above[start];
        if (below > 1) break;
    }
    return start;
}

bool sn__limb_ends(const struct retarget *r, int body) {
    if (r->joint[body] < 0 || body == r->root) return false;
    for (int i = body + 1; i < r->nbody; i++)
        if (r->joint[i] >= 0 && r->above[i] == body) return false;
    return true;
}

double sn__retarget_apart(struct retarget *r) {
    const size_t nq = (size_t)sn_model_get(r->model)->nq, n = (size_t)r->clip->njoint;
    const int step = 1 + r->clip->nframe / 100;
    double *pos = sn__alloc((size_t)r->nbody, 3 * sizeof *pos), sum = 0;
    const double origin[3] = {0};
    long count = 0;
    for (int k = 0; k < r->clip->nframe && pos; k += step) {
        sn__pose_globals(r->model, r->q + (size_t)k * nq, pos, r->B);
        sn__clip_globals(r->clip, origin, r->clip->rotation + 4 * n * (size_t)k, r->place, r->G);
        for (int i = 0; i < r->nbody; i++) {
            if (!sn__limb_ends(r, i)) continue;
            const int from = sn__limb_start(r, i), to_joint = r->beyond[i] >= 0 ? r->beyond[i] : r->joint[i];
            double a[3], b[3], model[3], clip[3], back[4], turn[4];
            dquat_rotate(r->B + 4 * from, sn_model_body(r->model, from)->joint.anchor, a);
            dquat_rotate(r->B + 4 * i, sn_model_body(r->model, i)->joint.anchor, b);
            dquat_conjugate(r->Z + 4 * i, back); /* the tip was turned by Z */
            dquat_rotate(back, r->tip + 3 * i, model);
            dquat_rotate(r->B + 4 * i, model, model);
            for (int c = 0; c < 3; c++) {
                model[c] =
                    (r->beyond[i] >= 0 ? model[c] : 0) + pos[3 * i + c] + b[c] - pos[3 * from + c] - a[c];
                clip[c] = r->place[3 * to_joint + c] - r->place[3 * r->joint[from] + c];
            }
            if (dvec_length(model) < 1e-6 || dvec_length(clip) < 1e-6) continue;
            dquat_rotate(r->H, clip, clip);
            dquat_rotate(r->fixed, clip, clip);
            sn__shortest_turn(model, clip, turn);
            sum += sn__angle_of(turn);
            count++;
        }
    }
    sn__free(pos);
    return count > 0 ? sum / (double)count : 0;
}
