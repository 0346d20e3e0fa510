#include "recording.h"

#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    FILE *file;
    char *path, *partial;
    const sn_model *model;
    double rate;
    long frames;
};

/* A JSON string of a name. */
static void write_name(FILE *file, const char *name) {
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', file);
        if (*c < ' ')
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

static void write_shapes(FILE *file, const sn_model *model, const sn_body_info *body) {
    static const char *const type[] = {"sphere", "capsule", "box", "cylinder", "ellipsoid"};
    for (int i = 0; i < body->nshape; i++) {
        const sn_shape_def *s = sn_model_shape(model, body->first_shape + i);
        fprintf(file, "%s{\"type\":\"%s\",\"size\":[%.6g,%.6g,%.6g],\"pos\":[%.6g,%.6g,%.6g]", i ? "," : "",
                type[s->type], s->size[0], s->size[1], s->size[2], s->pos[0], s->pos[1], s->pos[2]);
        fprintf(file, ",\"rot\":[%.6g,%.6g,%.6g,%.6g]}", s->rot[0], s->rot[1], s->rot[2], s->rot[3]);
    }
}

struct recording *recording_open(const char *path, const sn_model *model, const char *character,
                                 const char *clip, double rate) {
    struct recording *r = need_memory(NULL, sizeof *r);
    *r = (struct recording){.path = copy_text(path), .model = model, .rate = rate};
    r->partial = need_memory(NULL, strlen(path) + 9);
    sprintf(r->partial, "%s.partial", path);
    r->file = fopen(r->partial, "w");
    if (!r->file) {
        complain(EXIT_FAILED, "%s cannot be written: %s", r->partial, strerror(errno));
        free(r->path), free(r->partial), free(r);
        return NULL;
    }
    fprintf(r->file, "{\"format\":\"sinew-recording\",\"version\":1,\"character\":");
    write_name(r->file, character);
    fprintf(r->file, ",\"clip\":");
    write_name(r->file, clip);
    fprintf(r->file, ",\"rate\":%.17g,\"bodies\":[", rate);
    for (int i = 0; i < sn_model_nbody(model); i++) {
        const sn_body_info *body = sn_model_body(model, i);
        fprintf(r->file, "%s{\"name\":", i ? "," : "");
        write_name(r->file, body->name);
        fprintf(r->file, ",\"parent\":%d,\"shapes\":[", body->parent);
        write_shapes(r->file, model, body);
        fprintf(r->file, "]}");
    }
    fprintf(r->file, "],\"frames\":[");
    return r;
}

static void write_poses(struct recording *r, sn_character *character) {
    for (int i = 0; i < sn_model_nbody(r->model); i++) {
        double p[3], q[4];
        sn_character_body_pose(character, i, p, q);
        fprintf(r->file, ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", p[0], p[1], p[2], q[0], q[1], q[2], q[3]);
    }
}

void recording_add(struct recording *r, double time, sn_character *simulated, sn_character *reference) {
    if (!r || time * r->rate < (double)r->frames - 1e-9) return;
    fprintf(r->file, "%s\n[%.6g", r->frames++ ? "," : "", time);
    write_poses(r, simulated);
    write_poses(r, reference);
    fputc(']', r->file);
}

bool recording_close(struct recording *r) {
    if (!r) return true;
    fprintf(r->file, "\n]}\n");
    bool ok = !ferror(r->file);
    ok = fclose(r->file) == 0 && ok;
    ok = ok && rename(r->partial, r->path) == 0;
    if (!ok) complain(EXIT_FAILED, "%s cannot be written: %s", r->path, strerror(errno));
    free(r->path), free(r->partial), free(r);
    return ok;
}
