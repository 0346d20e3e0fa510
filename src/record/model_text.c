/* The model in a recording: what a reader needs to draw it and to name its joints. */
#include "model/joint.h"
#include "model/shape.h"
#include "record/record.h"

static void write_numbers(struct sn__text *t, const char *key, const double *value, int count) {
    sn__text_add(t, "\"%s\":[", key);
    sn__text_numbers(t, value, count, ",");
    sn__text_add(t, "]");
}

static void write_joint(struct sn__text *t, const sn_body_info *body) {
    sn__text_add(t, "\"joint\":{\"type\":\"%s\",", sn__joint_kind[body->joint.type].name);
    write_numbers(t, "anchor", body->joint.anchor, 3);
    sn__text_add(t, ",");
    write_numbers(t, "axis", body->joint.axis, 3);
    sn__text_add(t, ",");
    write_numbers(t, "axis2", body->joint.axis2, 3);
    sn__text_add(t, ",\"dof\":%d,\"ndof\":%d}", body->v_index, body->nv);
}

/* Vertices in a row, and for each face its corners' numbers. */
static void write_hull(struct sn__text *t, const sn_hull_info *hull) {
    sn__text_add(t, ",");
    write_numbers(t, "points", hull->vertex[0], 3 * hull->nvertex);
    sn__text_add(t, ",\"faces\":[");
    for (int f = 0; f < hull->nface; f++)
        for (int i = hull->first[f]; i < hull->first[f + 1]; i++)
            sn__text_add(t, "%s%d%s",
                         i > hull->first[f] ? ","
                         : f                ? ",["
                                            : "[",
                         hull->corner[i], i + 1 < hull->first[f + 1] ? "" : "]");
    sn__text_add(t, "]");
}

static void write_shapes(struct sn__text *t, const sn_model *model, const sn_body_info *body) {
    sn__text_add(t, "\"shapes\":[");
    for (int i = 0; i < body->nshape; i++) {
        const sn_shape_def *shape = (&sn_model_get(model)->shape[body->first_shape + i]);
        sn__text_add(t, "%s{\"type\":\"%s\",", i ? "," : "",
                     sn__shape_name(shape->hull ? SN_SHAPE_HULL : shape->type));
        write_numbers(t, "size", shape->size, 3);
        sn__text_add(t, ",");
        write_numbers(t, "pos", shape->pos, 3);
        sn__text_add(t, ",");
        write_numbers(t, "rot", shape->rot, 4);
        if (shape->hull) write_hull(t, sn_hull_get(shape->hull));
        sn__text_add(t, "}");
    }
    sn__text_add(t, "]");
}

static void write_body(struct sn__text *t, const sn_model *model, const sn_body_info *body) {
    sn__text_add(t, "{\"name\":");
    sn__text_json_string(t, body->name);
    sn__text_add(t, ",\"parent\":%d,", body->parent);
    write_numbers(t, "pos", body->pos, 3);
    sn__text_add(t, ",");
    write_numbers(t, "rot", body->rot, 4);
    sn__text_add(t, ",");
    write_joint(t, body);
    sn__text_add(t, ",");
    write_shapes(t, model, body);
    sn__text_add(t, "}");
}

char *sn__record_model_json(const sn_model *model, const char *name) {
    struct sn__text t = {0};
    size_t size;
    sn__text_add(&t, "{\"name\":");
    sn__text_json_string(&t, name);
    sn__text_add(&t, ",\"nv\":%d,\"mass\":", sn_model_get(model)->nv);
    sn__text_number(&t, sn_model_get(model)->mass);
    sn__text_add(&t, ",\"bodies\":[");
    for (int i = 0; i < sn_model_get(model)->nbody; i++) {
        if (i) sn__text_add(&t, ",");
        write_body(&t, model, sn_model_body(model, i));
    }
    sn__text_add(&t, "]}");
    return sn__text_take(&t, &size);
}
