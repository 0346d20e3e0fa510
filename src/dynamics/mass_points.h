/* A body's mass as points: what drag, which is linear in the velocity of every gram, needs to know of it. */
#ifndef SINEW_DYNAMICS_MASS_POINTS_H
#define SINEW_DYNAMICS_MASS_POINTS_H

/* S = integral (p - c)(p - c)^T dm over the mass, c the centre of mass, from the inertia J (xx yy zz xy xz yz) about the origin
   and mc = mass c. */
void sn__mass_spread(double mass, const double mc[3], const double J[6], double S[3][3]);
/* Six points of a sixth of the mass each, which have its centre and its second moments. */
void sn__mass_points(double mass, const double mc[3], const double S[3][3], double point[6][3]);
/* Along which the mass spreads most, of unit length: the principal axis about which the body has the least inertia. */
void sn__mass_axis(const double S[3][3], double axis[3]);

#endif
