/* Episodic policy gradients as in Peters and Schaal, "Policy gradient methods for robotics" (2006): REINFORCE with the best
 * constant baseline, and its natural form, the episodic natural actor-critic.
 *
 * With R the return of an episode and psi the sum of grad log pi(a|s) over its steps,
 *
 *     plain:    g_k = mean of psi_k (R - b_k),  b_k = mean of psi_k^2 R / mean of psi_k^2
 *     natural:  w = (F + damping I)^-1 g,  F = mean of psi psi^T, and R and psi without their means */
#ifndef SINEW_LEARN_POLICY_GRADIENT_H
#define SINEW_LEARN_POLICY_GRADIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "learn/real.h"

/* From psi [episodes][count] and returns [episodes]. The natural gradient needs memory for [episodes][episodes] and [episodes]
   numbers; false: the matrix is singular. `rise` is g^T w. */
void sn__pg_plain(int episodes, int count, const real *psi, const double *returns, real *gradient);
bool sn__pg_natural(int episodes, int count, real *psi, const double *returns, double damping, double *gram,
                    double *weight, real *direction, double *rise);

#endif
