/* Triangle meshes from files, read for what they weigh and for their hulls. */
#ifndef SINEW_IMPORT_MESH_H
#define SINEW_IMPORT_MESH_H

#include "base/error.h"
#include "model/solid.h"

enum { SN__MESH_MAX = 1 << 22 }; /* vertices, and triangles, in one mesh */

struct sn__mesh_file {
    double (*vertex)[3]; /* [nvertex] */
    int (*face)[3];      /* [nface] indices, counterclockwise seen from outside */
    int nvertex, nface;
    int vertex_capacity, face_capacity;
};

/* An STL (binary or text), OBJ or MSH file, by what its name ends with, or NULL and "path: reason". SN_ERROR_FILE when
   it cannot be read at all. */
struct sn__mesh_file *sn__mesh_load(const char *path, sn_error *error);
/* The same of a file's content, with a '\0' behind it. */
struct sn__mesh_file *sn__mesh_parse(const char *path, const char *text, size_t size, sn_error *error);
void sn__mesh_file_free(struct sn__mesh_file *mesh); /* NULL is allowed */

/* One more vertex or triangle; false when out of memory or too many. */
bool sn__mesh_add_vertex(struct sn__mesh_file *mesh, const double vertex[3]);
bool sn__mesh_add_face(struct sn__mesh_file *mesh, int a, int b, int c);

struct sn__scene_ground;
/* Ground takes the vertices and triangles over, which the mesh then lacks: mesh_hull.c. */
void sn__mesh_to_ground(struct sn__mesh_file *mesh, struct sn__scene_ground *ground);

/* Mass, centre and inertia for density 1. False where nothing is enclosed. */
bool sn__mesh_inertia(const struct sn__mesh_file *mesh, enum sn__mesh_fill fill, struct inertia *inertia);

/* Helpers for formats that are texts: past blanks, to the next line, three numbers. */
const char *sn__mesh_skip_blanks(const char *text);
const char *sn__mesh_next_line(const char *text);
bool sn__mesh_read_three(const char *text, double value[3]);

/* mesh_obj.c: adds what an OBJ file holds. Returns what is wrong with it, or NULL. */
const char *sn__mesh_read_obj(struct sn__mesh_file *mesh, const char *text);

/* mesh_hull.c: */

enum { SN__MESH_HULL = 64 }; /* vertices of the hull of a mesh that is to touch */

/* The convex hull of the vertices, at most `most` of them; NULL and the reason: all in one plane, out of memory. */
sn_hull *sn__mesh_hull(const struct sn__mesh_file *mesh, int most, sn_error *error);
/* Whether the mesh is hollow: a part of its surface that counts lies well within its convex hull, or looks inwards. */
bool sn__mesh_is_hollow(const struct sn__mesh_file *mesh);
/* Triangles of the hull, for a mesh of vertices alone; false and the reason. */
bool sn__mesh_close(struct sn__mesh_file *mesh, sn_error *error);
/* The file that `name`, in a document at `path`, means: beside the document, for package://name/rest and the like in
   any folder above it, or at last by its bare name beside the document. To be freed with sn__free; NULL: there is no
   such file, or no memory (error says which). */
char *sn__mesh_find(const char *path, const char *name, sn_error *error);

#endif
