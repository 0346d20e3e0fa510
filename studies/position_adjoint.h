/* Algorithms 1 to 3 of pbad-2018 as they are written there: derivatives of
 *
 *     I(q_a, q_b) = integral rho P(q_a) . P(q_b) = sum_i [T^i(q_a)^T T^i(q_b)] : M~^i - m
 *
 * by 4 x 4 matrices and the adjoint method, in O(n) and O(n^2). Twins of the kernels' passes, and what the paper's
 * optimisers are made of. Derivatives by a ball are in the chart q exp(delta). */
#ifndef SINEW_DYNAMICS_POSITION_ADJOINT_H
#define SINEW_DYNAMICS_POSITION_ADJOINT_H

#include "model/model.h"

struct sn__adjoint;

struct sn__adjoint *sn__adjoint_create(const sn_model *model, int poses); /* NULL: no memory */
void sn__adjoint_free(struct sn__adjoint *a);

/* Sets pose number `index`. */
void sn__adjoint_pose(struct sn__adjoint *a, int index, const double *q);
/* Or the rate of a pose, of which no derivatives are asked: as sn__study_table.affine_rate gives it, [nbody][12]. */
void sn__adjoint_rate(struct sn__adjoint *a, int index, const double *T);

/* Algorithm 1: I(q_a, q_b), and g += w dI/dq_b. */
double sn__adjoint_gradient(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *g);
/* Of the energy of gravity, -integral rho gravity . P(q_b): g += w d/dq_b. */
void sn__adjoint_gravity(struct sn__adjoint *a, int pose_b, const double gravity[3], double w, double *g);
/* Algorithm 2: H[nv][stride] += w d^2 I / dq_b^2; and of gravity's energy. */
void sn__adjoint_hessian(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *H, int stride);
void sn__adjoint_gravity_hessian(struct sn__adjoint *a, int pose_b, const double gravity[3], double w,
                                 double *H, int stride);
/* Algorithm 3: H[v_b][v_a] += w d^2 I / dq_a dq_b, rows by q_b. */
void sn__adjoint_mixed(struct sn__adjoint *a, int pose_a, int pose_b, double w, double *H, int stride);

#endif
