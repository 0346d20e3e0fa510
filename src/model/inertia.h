/* Mass, centre of mass and inertia of a rigid body, and what can be done with them. */
#ifndef SINEW_MODEL_INERTIA_H
#define SINEW_MODEL_INERTIA_H

/* Symmetric 3x3 matrices are xx yy zz xy xz yz. */
struct inertia {
    double mass;
    double com[3]; /* centre of mass in some frame        */
    double J[6];   /* about the centre of mass, its axes  */
};

/* out = R J R^T, with R the rotation of the unit quaternion. */
void sn__sym_rotate(const double rot[4], const double J[6], double out[6]);
/* J += m (|d|^2 1 - d d^T): from the centre of mass to a point d away. */
void sn__sym_parallel_axis(double mass, const double d[3], double J[6]);
/* a^T J b. */
double sn__sym_between(const double a[3], const double J[6], const double b[3]);
/* Smallest first. */
void sn__sym_eigenvalues(const double J[6], double value[3]);

/* The part seen from the frame that its own frame stands in, at pos and rot. */
struct inertia sn__inertia_move(const struct inertia *part, const double pos[3], const double rot[4]);
/* Both as one rigid body. */
struct inertia sn__inertia_join(const struct inertia *a, const struct inertia *b);

#endif
