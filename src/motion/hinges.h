/* Hinges in a row that together turn a body, and the angles that bring it to an orientation. */
#ifndef SINEW_MOTION_HINGES_H
#define SINEW_MOTION_HINGES_H

enum { HINGES_MOST = 4 };

struct hinge_row {
    int count;
    double fixed[HINGES_MOST][4]; /* before each hinge */
    double axis[HINGES_MOST][3];
};

/* fixed NULL: the identity. */
void sn__hinge_add(struct hinge_row *row, const double fixed[4], const double axis[3]);
/* angle[count]: from the ones given to ones that turn base to target as nearly as they can. */
void sn__hinge_solve(const struct hinge_row *row, const double base[4], const double target[4],
                     double *angle);

#endif
