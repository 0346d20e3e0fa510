#include "import/mjcf.h"

#include "base/elementary.h"
#include "base/quat.h"

#include <string.h>

const struct mjcf_frame sn__mjcf_frame_identity = {.quat = {1, 0, 0, 0}};

bool sn__mjcf_frame_read(const struct mjcf *mjcf, const struct sn__xml_node *node, struct mjcf_frame *frame) {
    int axisangle = sn__xml_vector(node, "axisangle", 4, frame->axisangle, mjcf->error);
    int xyaxes = axisangle < 0 ? -1 : sn__xml_vector(node, "xyaxes", 6, frame->xyaxes, mjcf->error);
    int zaxis = xyaxes < 0 ? -1 : sn__xml_vector(node, "zaxis", 3, frame->zaxis, mjcf->error);
    int euler = zaxis < 0 ? -1 : sn__xml_vector(node, "euler", 3, frame->euler, mjcf->error);
    frame->has_axisangle |= axisangle > 0;
    frame->has_xyaxes |= xyaxes > 0;
    frame->has_zaxis |= zaxis > 0;
    frame->has_euler |= euler > 0;
    return euler >= 0 && sn__xml_vector(node, "pos", 3, frame->pos, mjcf->error) >= 0 &&
           sn__xml_vector(node, "quat", 4, frame->quat, mjcf->error) >= 0;
}

/* The rotation by an angle about a unit axis. */
static void about(const double axis[3], double angle, double quat[4]) {
    quat[0] = sn__cos(angle / 2);
    for (int i = 0; i < 3; i++)
        quat[i + 1] = sn__sin(angle / 2) * axis[i];
}

static const char *from_axisangle(const double axisangle[4], double unit, double quat[4]) {
    double axis[3];
    memcpy(axis, axisangle, sizeof axis);
    if (!dvec_normalise(axis)) return "the axis is zero";
    about(axis, axisangle[3] * unit, quat);
    return NULL;
}

/* Of the four numbers the largest is found first: 4 w^2 = 1 + trace and so on. */
void sn__mjcf_quat_from_axes(const double x[3], const double y[3], double quat[4]) {
    double z[3];
    dvec_cross(x, y, z);
    double square[4] = {1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2],
                        1 - x[0] - y[1] + z[2]};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[largest]) largest = i;
    /* quat[i] quat[j] for all pairs */
    double product[4][4] = {{square[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
                            {y[2] - z[1], square[1], x[1] + y[0], z[0] + x[2]},
                            {z[0] - x[2], x[1] + y[0], square[2], y[2] + z[1]},
                            {x[1] - y[0], z[0] + x[2], y[2] + z[1], square[3]}};
    for (int i = 0; i < 4; i++)
        quat[i] = product[largest][i];
    dquat_normalise(quat);
}

static const char *from_xyaxes(const double xyaxes[6], double quat[4]) {
    double x[3], y[3];
    memcpy(x, xyaxes, sizeof x);
    memcpy(y, xyaxes + 3, sizeof y);
    if (!dvec_normalise(x)) return "the x axis is zero";
    if (!dvec_normalise(y)) return "the y axis is zero";
    double along = dvec_dot(x, y);
    for (int i = 0; i < 3; i++)
        y[i] -= along * x[i];
    if (dvec_length(y) < 1e-10) return "the axes are parallel";
    dvec_normalise(y);
    sn__mjcf_quat_from_axes(x, y, quat);
    return NULL;
}

static const char *from_zaxis(const double zaxis[3], double quat[4]) {
    double z[3];
    memcpy(z, zaxis, sizeof z);
    if (!dvec_normalise(z)) return "the axis is zero";
    dquat_from_z(z, quat);
    return NULL;
}

/* Small letters turn about the axes as they have been turned so far, capitals about those that stay. */
static void from_euler(const double euler[3], const char *sequence, double unit, double quat[4]) {
    dquat_identity(quat);
    for (int i = 0; i < 3; i++) {
        double axis[3] = {0, 0, 0}, turn[4];
        bool moving = sequence[i] >= 'a';
        axis[sequence[i] - (moving ? 'x' : 'X')] = 1;
        about(axis, euler[i] * unit, turn);
        dquat_multiply(moving ? quat : turn, moving ? turn : quat, quat);
    }
}

bool sn__mjcf_frame_resolve(const struct mjcf *mjcf, const struct sn__xml_node *node,
                            const struct mjcf_frame *frame, double quat[4]) {
    double unit = mjcf->compiler.degree ? M_PI / 180 : 1;
    const char *attribute = "quat", *wrong = NULL;
    memcpy(quat, frame->quat, 4 * sizeof *quat);
    if (frame->has_euler)
        from_euler(frame->euler, mjcf->compiler.eulerseq, unit, quat);
    else if (frame->has_zaxis)
        attribute = "zaxis", wrong = from_zaxis(frame->zaxis, quat);
    else if (frame->has_xyaxes)
        attribute = "xyaxes", wrong = from_xyaxes(frame->xyaxes, quat);
    else if (frame->has_axisangle)
        attribute = "axisangle", wrong = from_axisangle(frame->axisangle, unit, quat);
    if (!wrong && !dquat_normalise(quat)) wrong = "is zero";
    if (wrong) sn__xml_fail_attribute(node, attribute, mjcf->error, "%s", wrong);
    return !wrong;
}

void sn__mjcf_frame_carry(const double pos[3], const double quat[4], double inner_pos[3],
                          double inner_quat[4]) {
    dquat_rotate(quat, inner_pos, inner_pos);
    for (int i = 0; i < 3; i++)
        inner_pos[i] += pos[i];
    dquat_multiply(quat, inner_quat, inner_quat);
}
