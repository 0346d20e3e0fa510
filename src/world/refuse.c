/* Why a call was refused, in words, and what the fields of a world are called. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/definition.h"
#include "model/joint.h"
#include "world/device.h"
#include "world/fields.h"

const char *sn_world_message(const sn_world *w) {
    return w->message;
}

sn_status sn__world_refuse(const sn_world *world, sn_status status, const char *format, ...) {
    sn_world *w = (sn_world *)world; /* its message is not a part of what it is */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->message, sizeof w->message, format, arguments);
    va_end(arguments);
    return status;
}

static struct sn__member *find_member(const sn_world *w, int member) {
    struct sn__member *m = sn__world_member(w, member);
    if (!m)
        sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no member with the handle %d. Was it removed?",
                         member);
    return m;
}

struct sn__member *sn__world_want(const sn_world *w, int member) {
    sn__world_fetch(w);
    return find_member(w, member);
}

struct sn__member *sn__world_want_of(const sn_world *w, int member, sn_field field) {
    if (w->remote) sn__remote_fetch(w, sn__remote_fields(field));
    return find_member(w, member);
}

sn_status sn__field_settable(const sn_world *w, sn_field field) {
    const struct sn__field_info *f = sn__field(field);
    if (!f) return sn__world_refuse(w, SN_ERROR_ARGUMENT, "There is no field %d.", (int)field);
    if (f->rule == SN__RULE_READ_ONLY)
        return sn__world_refuse(w, SN_ERROR_ARGUMENT, "%s can only be read.", sn__field_get(field)->name);
    return SN_OK;
}

/* What is wrong with a value under a rule; NULL: nothing. */
static const char *fault_of(const sn_world *w, enum sn__rule rule, double x) {
    const bool wide = w->def.precision == SN_PRECISION_DOUBLE;
    if (isnan(x)) return "which is not a number";
    if (isinf(x) && (rule != SN__RULE_LIMITS || x < 0)) return "which is not finite";
    if (!isinf(x) && !wide && fabs(x) > (double)FLT_MAX) return "which is too large for a world in float";
    if (rule == SN__RULE_POSITIVE && !(x >= (wide ? DBL_MIN : (double)FLT_MIN)))
        return "but it must be positive";
    if (rule != SN__RULE_FINITE && rule != SN__RULE_POSE && x < 0) return "but it must not be negative";
    return NULL;
}

static sn_status explain_joints(const sn_world *w, const struct sn__member *m, sn_field field,
                                const char *where, const double *x) {
    for (int i = 0; i < m->model->nbody; i++) {
        const sn_body_info *b = &m->model->body[i];
        const int at = sn__quaternion_of(b);
        const double *q = x + b->q_index + (at < 0 ? 0 : at);
        if (at < 0) continue;
        if (sn__field(field)->rule != SN__RULE_POSE) {
            for (int v = b->v_index; v < b->v_index + b->nv; v += 3)
                if (x[v] != x[v + 1] || x[v] != x[v + 2])
                    return sn__world_refuse(
                        w, SN_ERROR_ARGUMENT,
                        "%s differs among the axes of body '%s' (values %d to %d). Make "
                        "them equal, or set gains_by_axis in the definition of the world.",
                        where, b->name, v, v + 2);
        } else if (!(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) > 1e-150))
            return sn__world_refuse(w, SN_ERROR_ARGUMENT,
                                    "%s has a quaternion of length zero at value %d (body '%s').", where,
                                    b->q_index + at, b->name);
    }
    return sn__world_refuse(w, SN_ERROR_ARGUMENT, "%s is not valid.", where);
}

sn_status sn__field_accept(const sn_world *w, const struct sn__member *m, sn_field field, int copy,
                           const double *x) {
    const sn_status status = sn__field_check(w, m, field, x);
    if (!status || sn__field_settable(w, field)) return status;
    const char *name = sn__field_get(field)->name;
    char where[64];
    if (copy < 0)
        snprintf(where, sizeof where, "%s", name);
    else
        snprintf(where, sizeof where, "%s of copy %d", name, copy);
    const int n = sn_world_size(w, m->number, field);
    for (int i = 0; i < n; i++) {
        const char *fault = fault_of(w, sn__field(field)->rule, x[i]);
        if (fault) return sn__world_refuse(w, status, "%s: value %d is %g, %s.", where, i, x[i], fault);
    }
    if (field == SN_FIELD_DT)
        return sn__world_refuse(w, status,
                                "%s is %g: in a scene with rows all copies have the world's dt, %g.", where,
                                x[0], w->def.dt);
    return explain_joints(w, m, field, where, x);
}
