/* The table of functions behind position-based stepping. What they take is in args.h. */
#ifndef SINEW_KERNELS_POSITION_TABLE_H
#define SINEW_KERNELS_POSITION_TABLE_H

#include "kernels/position/args.h"

/* Lane types that have them say so in sn__kernels.position. */
struct sn__position_kernels {
    /* The gradient of one pose, the energy, and delta = -H^-1 g in O(n): any but SN__EXACT. */
    void (*sweep)(const struct sn__position_args *, int hessian);
    /* A step of a world; returns the sweeps it took. */
    size_t (*step_memory)(int nbody, int nv, int nq, int nslot, int nprobe, int nside, int past);
    int (*step)(const struct sn__position_step *, void *q, void *qd, void *qdd);
};

#endif
