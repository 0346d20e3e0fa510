#include "import/mjcf.h"

#include "base/quat.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------ principal axes */

/* Jacobi's method on A, with the rotations gathered in the columns of V: A = V diag V^T. */
static void diagonalise(double A[3][3], double V[3][3]) {
    enum { SWEEPS = 12 };
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (A[p][q] == 0) continue;
                double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
                double t = (theta < 0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int i = 0; i < 3; i++) {
                    double ap = A[i][p], aq = A[i][q], vp = V[i][p], vq = V[i][q];
                    A[i][p] = c * ap - s * aq, A[i][q] = s * ap + c * aq;
                    V[i][p] = c * vp - s * vq, V[i][q] = s * vp + c * vq;
                }
                for (int i = 0; i < 3; i++) {
                    double ap = A[p][i], aq = A[q][i];
                    A[p][i] = c * ap - s * aq, A[q][i] = s * ap + c * aq;
                }
            }
}

void sn__mjcf_principal(const double J[6], double moment[3], double quat[4]) {
    double A[3][3] = {{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}};
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    diagonalise(A, V);
    int order[3] = {0, 1, 2};
    for (int i = 1; i < 3; i++)
        for (int j = i; j > 0 && A[order[j]][order[j]] > A[order[j - 1]][order[j - 1]]; j--) {
            int larger = order[j];
            order[j] = order[j - 1], order[j - 1] = larger;
        }
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        moment[i] = A[order[i]][order[i]];
        x[i] = V[i][order[0]];
        y[i] = V[i][order[1]];
    }
    sn__mjcf_quat_from_axes(x, y, quat);
}

/* ----------------------------------------------------------------------------------------------- inertial */

bool sn__mjcf_inertial_read(struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_mass *mass) {
    sn_error *error = mjcf->error;
    if (mass->inertial) {
        sn__xml_fail(node, error, SN_ERROR_FORMAT, "is the second one of its body");
        return false;
    }
    struct mjcf_frame frame = sn__mjcf_frame_identity;
    double quat[4], diagonal[6] = {0}, full[6];
    if (!sn__mjcf_frame_read(mjcf, node, &frame) || !sn__mjcf_frame_resolve(mjcf, node, &frame, quat))
        return false;
    int has_mass = sn__xml_number(node, "mass", &mass->given.mass, error);
    int has_diagonal = has_mass < 0 ? -1 : sn__xml_vector(node, "diaginertia", 3, diagonal, error);
    int has_full = has_diagonal < 0 ? -1 : sn__xml_vector(node, "fullinertia", 6, full, error);
    if (has_full < 0) return false;
    if (!has_mass) {
        sn__xml_fail_attribute(node, "mass", error, "is missing");
        return false;
    }
    if (has_full && has_diagonal) {
        sn__xml_fail(node, error, SN_ERROR_FORMAT, "has both diaginertia and fullinertia");
        return false;
    }
    memcpy(mass->given.com, frame.pos, sizeof frame.pos);
    sn__sym_rotate(quat, has_full ? full : diagonal, mass->given.J);
    mass->inertial = node;
    return true;
}

/* --------------------------------------------------------------------------------------------- the result */

bool sn__mjcf_mass_needs_geoms(const struct mjcf *mjcf, const struct mjcf_mass *mass) {
    int source = mjcf->compiler.inertia_source;
    return source == MJCF_INERTIA_FROM_GEOM || (source == MJCF_INERTIA_AUTO && !mass->inertial);
}

bool sn__mjcf_mass_finish(const struct mjcf *mjcf, const struct sn__xml_node *body,
                          const struct mjcf_mass *mass, sn_body_def *def) {
    const double largest = 1e100; /* so that nothing made of it overflows */
    const struct mjcf_compiler *compiler = &mjcf->compiler;
    struct inertia all = mass->given;
    if (sn__mjcf_mass_needs_geoms(mjcf, mass) && (mass->ngeom > 0 || !mass->inertial)) all = mass->geoms;

    double sum = all.mass, moment[3], quat[4];
    for (int i = 0; i < 6; i++)
        sum += fabs(all.J[i]);
    if (!(sum < largest)) {
        sn__xml_fail(body, mjcf->error, SN_ERROR_FORMAT, "has a mass or an inertia that is too large");
        return false;
    }
    sn__mjcf_principal(all.J, moment, quat);
    all.mass = fmax(all.mass, compiler->boundmass);
    if (moment[2] < compiler->boundinertia) {
        double J[6] = {0};
        for (int i = 0; i < 3; i++)
            J[i] = moment[i] = fmax(moment[i], compiler->boundinertia);
        sn__sym_rotate(quat, J, all.J);
    }
    if (moment[1] + moment[2] < moment[0] && compiler->balanceinertia) {
        all.J[0] = all.J[1] = all.J[2] = (moment[0] + moment[1] + moment[2]) / 3;
        all.J[3] = all.J[4] = all.J[5] = 0;
    }
    def->mass_given = true;
    def->mass = all.mass;
    memcpy(def->com, all.com, sizeof all.com);
    memcpy(def->inertia, all.J, sizeof all.J);
    return true;
}

void sn__mjcf_mass_scale_all(struct mjcf *mjcf) {
    if (!(mjcf->compiler.settotalmass > 0)) return;
    double total = 0;
    for (int i = 0; i < mjcf->nlink; i++)
        total += mjcf->link[i].def.mass;
    if (!(total > 0)) return;
    double scale = mjcf->compiler.settotalmass / total;
    for (int i = 0; i < mjcf->nlink; i++) {
        sn_body_def *def = &mjcf->link[i].def;
        def->mass *= scale;
        for (int k = 0; k < 6; k++)
            def->inertia[k] *= scale;
    }
}
