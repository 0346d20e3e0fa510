/* The tinkertoy of spd-2011 section 4.3: a bead slides down a helix, others hang on it by rods. Both are stable-PD terms of a
 * very large gain, whose form and gains are the page's: the penalty method (PD) beside the others. */
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.7, TOP = 2.0, BOTTOM = 0.7, TURNS = 3, ROD = 0.25; /* m */
enum { BEADS = PLAY_TIES, SMOOTH = 2400, ROUGH = 24 };

bool is_tinkertoy(const char *model) {
    return strcmp(model, "tinkertoy") == 0;
}

sn_model *make_tinkertoy(sn_error *error) {
    static const char *const name[BEADS] = {"bead", "middle", "end"};
    sn_builder *builder = sn_builder_create();
    sn_shape_def shape = sn_shape_def_default(SN_SHAPE_SPHERE);
    shape.size[0] = 0.06, shape.mass = 1;
    for (int i = 0; builder && i < BEADS; i++) {
        sn_body_def body = sn_body_def_default();
        body.name = name[i];
        body.joint = sn_joint_def_default(SN_JOINT_FREE);
        sn_builder_add_body(builder, &body);
        sn_builder_add_shape(builder, name[i], &shape);
    }
    sn_model *model = sn_builder_build(builder, error);
    sn_builder_free(builder);
    return model;
}

/* Down the helix; the straight pieces between its points are the curve. */
static bool make_curve(struct subject *s, int segments) {
    s->curve = malloc(3 * ((size_t)segments + 1) * sizeof *s->curve);
    s->curve_points = s->curve ? segments + 1 : 0;
    for (int i = 0; i < s->curve_points; i++) {
        const double part = (double)i / segments, angle = 6.283185307179586 * TURNS * part;
        s->curve[3 * i] = RADIUS * cos(angle);
        s->curve[3 * i + 1] = RADIUS * sin(angle);
        s->curve[3 * i + 2] = TOP + (BOTTOM - TOP) * part;
    }
    return s->curve;
}

/* From rest at the top, the rods level and outward; the bead is at the bottom after about 6 s. */
bool tinkertoy_start(struct subject *s, const char *motion) {
    const bool corners = strcmp(motion, "corners") == 0;
    if (*motion && !corners && strcmp(motion, "helix") != 0) {
        s->error = (sn_error){SN_ERROR_ARGUMENT, "the tinkertoy has no joints for a motion"};
        return false;
    }
    s->home = calloc((size_t)sn_model_get(s->model)->nq + 1, sizeof *s->home);
    for (int i = 0; s->home && i < BEADS; i++) {
        double *q = s->home + 7 * i;
        q[0] = RADIUS + i * ROD, q[2] = TOP, q[3] = 1;
    }
    s->duration = 7;
    return s->home && make_curve(s, corners ? ROUGH : SMOOTH);
}

/* Ties of these gains in place of the last ones. */
bool tinkertoy_tie(struct scene *s, double kp, double kd) {
    const sn_curve_def curve = {
        .struct_size = sizeof(sn_curve_def), .npoint = s->subject->curve_points, .points = s->subject->curve};
    for (int i = 0; i < BEADS; i++) {
        sn_constraint_def def = sn_constraint_def_default(i ? SN_CONSTRAINT_DISTANCE : SN_CONSTRAINT_CURVE);
        if (s->tie[i]) sn_world_remove_constraint(s->world, s->tie[i]);
        if (i) def.body = i, def.member2 = 0, def.body2 = i - 1, def.target[0] = ROD;
        if (!i) def.curve = &curve;
        def.stiffness = kp, def.damping = kd, def.form = s->form;
        s->tie[i] = sn_world_add_constraint(s->world, &def, &s->error);
        if (!s->tie[i]) return false;
    }
    return true;
}

/* How far the worst tie is from where it should be, m. */
double tinkertoy_error(const struct scene *s) {
    double most = 0;
    sn_constraint_state state;
    for (int i = 0; i < BEADS; i++)
        if (sn_world_get_constraint(s->world, s->tie[i], 0, &state) == SN_OK)
            most = fmax(most, state.distance);
    return most;
}

PLAY_API int play_subject_curve_points(const struct subject *s) {
    return s->curve_points;
}
PLAY_API const double *play_subject_curve(const struct subject *s) {
    return s->curve;
}
