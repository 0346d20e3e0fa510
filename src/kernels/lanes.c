/* One lane type: all kernels, and the table that exports them. Compiled once for each type (lane.h). */
#include "kernels/contact.h"
#include "kernels/deltas.h"
#include "kernels/factor.h"
#include "kernels/ground.h"
#include "kernels/pgs.h"
#include "kernels/rows.h"
#include "kernels/summary.h"
#include "kernels/tables.h"

static size_t work_size(int nbody, int nv, int nslot, int matrix) {
    struct work w;
    return work_layout(&w, 0, nbody, nv, nslot, matrix);
}

const struct sn__kernels LANE_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .info = {LANE_STRING(LANE_BITS, LANE_WIDTH), LANE_ISA_STRING(LANE_ISA),
             LANE_BITS == 64 ? SN_DOUBLE : SN_FLOAT, LANE_WIDTH,
#if defined(__FMA__) && !defined(SINEW_STRICT)
             true
#else
             false
#endif
    },
    .elem_size = sizeof(elem),
    .alignment = 64,
    .work_size = work_size,
    .maba = maba,
    .dense = dense,
    .sparse = sparse,
    .pcg = pcg,
    .system = system_matrix,
    .step = step,
    .step_plain = step_plain,
    .step_ground = step_ground,
    .find = find_contacts,
    .torque = torque,
    .remember = remember,
    .aba = aba,
    .rnea = rnea,
    .crba = crba,
    .drive = drive,
    .pd_torque = pd_torque,
    .drive_share = drive_share,
    .add_passive = add_passive,
    .enter = enter,
    .solve = solve,
    .velocities = velocities,
    .products = products,
    .responses = responses,
    .test_forces = test_forces,
    .cached_forces = cached_forces,
    .apply = apply,
#if LANE_BITS == 64
    .pgs = pgs,
#endif
    .kinematics = kinematics,
    .summary = summary,
    .jacobian = jacobian,
    .springs = springs,
    .integrate = integrate,
    .retract = retract,
    .pull_back = pull_back,
    .combine = combine,
    .all_below = all_below,
    .freeze = freeze,
    .to_lanes = to_lanes,
    .from_lanes = from_lanes,
    .follow = follow,
};
