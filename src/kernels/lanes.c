/* One lane type: its kernels, and the tables that export them. Compiled once for each type (lane.h). */
#include "kernels/contact/ground.h"
#include "kernels/contact/pgs.h"
#include "kernels/tree/rows.h"
#include "kernels/tree/summary.h"
#include "kernels/tables.h"

/* What struct sn__row_kernels and struct sn__study_kernels say in table.h. */
#define HAS_ROWS (LANE_BITS * LANE_WIDTH <= 256)
#define HAS_STUDY (HAS_ROWS || LANE_BITS == 32)

#if HAS_ROWS
#include "kernels/contact/deltas.h"
#include "kernels/contact/resolve.h"
#include "kernels/contact/row_motion.h"

static const struct sn__row_kernels row_kernels = {
    .velocities = velocities,
    .yield = yield,
    .departs = departs,
    .resolve = resolve,
    .responses = responses,
    .sweep = sweep,
    .apply = apply,
    .limit_gaps = limit_gaps,
    .given = given_in_step,
};
#endif

#if HAS_STUDY
#include "kernels/contact/cut.h"
#include "kernels/tree/chart.h"
#include "kernels/tree/factor.h"
#include "kernels/tree/forward.h"
#include "kernels/tree/jacobian.h"

static const struct sn__study_kernels study_kernels = {
    .dense = dense,
    .sparse = sparse,
    .pcg = pcg,
    .system = system_matrix,
    .aba = aba,
    .crba = crba,
    .pd_torque = pd_torque,
    .cut_torques = cut_torques,
    .add_passive = add_passive,
    .jacobian = jacobian,
    .retract = retract,
    .pull_back = pull_back,
};
#endif

/* In position_lanes.c. */
extern const struct sn__position_kernels POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA);

static size_t work_size(int nbody, int nv, int nslot, int matrix) {
    struct work w;
    return work_layout(&w, 0, nbody, nv, nslot, matrix);
}

#if defined(__FMA__) && !defined(SINEW_STRICT)
_Static_assert(LANE_FMA(LANE_ISA), "tables.h says that this instruction set does not fuse");
#else
_Static_assert(!LANE_FMA(LANE_ISA), "tables.h says that this instruction set fuses");
#endif

const struct sn__kernels LANE_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA) = {
    .info = LANE_INFO(LANE_BITS, LANE_WIDTH, LANE_ISA),
    .elem_size = sizeof(elem),
    .alignment = 64,
#if HAS_ROWS
    .rows = &row_kernels,
#endif
#if HAS_STUDY
    .study = &study_kernels,
#endif
    .position = &POSITION_TABLE(LANE_BITS, LANE_WIDTH, LANE_ISA),
    .work_size = work_size,
    .maba = solve_drives,
    .step = step,
    .step_plain = step_plain,
    .step_ground = step_ground,
    .find = find_contacts,
    .torque = torque,
    .hold_balls = hold_balls,
    .remember = remember,
    .rnea = rnea,
    .drive_share = drive_share,
    .enter = enter,
    .solve = solve,
    .kinematics = kinematics,
    .summary = summary,
    .springs = springs,
    .integrate = integrate,
    .combine = combine,
    .all_below = all_below,
    .to_lanes = to_lanes,
    .from_lanes = from_lanes,
    .follow = follow,
#if LANE_BITS == 64
    .pgs = pgs,
#endif
};
