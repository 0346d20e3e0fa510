/* OBJ meshes. A face may have any number of corners and is cut into triangles exactly as MuJoCo cuts it (by tinyobjloader):
 * a face of four along its shorter diagonal, a larger one ear by ear. How a face is cut matters for the mass if the face is
 * bent or not convex, and bodies without <inertial> have their mass from meshes. Also as in MuJoCo, only the first object
 * that has faces is weighed; the vertices of all objects count for the hull. */
#include "import/mesh.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct obj {
    struct sn__mesh_file *mesh;
    int *corner, capacity, count; /* [count] vertices of the face that is read */
    bool weighed;                 /* the first object is complete */
    int axis[2];                  /* of the plane in which ears are looked for */
};

static const char *const no_room = "too large, or out of memory";

/* ----------------------------------------------------------------------------------------------- triangles */

static bool add_face(struct obj *obj, int a, int b, int c) {
    return sn__mesh_add_face(obj->mesh, obj->corner[a], obj->corner[b], obj->corner[c]);
}

static double diagonal(const struct obj *obj, int a, int b) {
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = obj->mesh->vertex[obj->corner[a]][k] - obj->mesh->vertex[obj->corner[b]][k];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static bool cut_four(struct obj *obj) {
    if (diagonal(obj, 0, 2) < diagonal(obj, 1, 3)) return add_face(obj, 0, 1, 2) && add_face(obj, 0, 2, 3);
    return add_face(obj, 0, 1, 3) && add_face(obj, 1, 2, 3);
}

static bool cut_fan(struct obj *obj) {
    for (int i = 2; i < obj->count; i++)
        if (!add_face(obj, 0, i - 1, i)) return false;
    return true;
}

static float along(const struct obj *obj, int corner, int axis) {
    return (float)obj->mesh->vertex[obj->corner[corner % obj->count]][axis];
}

/* Absolute components of the cross product of two edges that follow each other. */
static void turn_at(const struct obj *obj, int corner, float turn[3]) {
    float e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = along(obj, corner + 1, k) - along(obj, corner, k);
        f[k] = along(obj, corner + 2, k) - along(obj, corner + 1, k);
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        turn[k] = fabsf(e[l] * f[m] - e[m] * f[l]);
    }
}

/* The pair of axes whose plane is nearest to the first corner that is not straight. */
static void choose_plane(struct obj *obj) {
    obj->axis[0] = 1, obj->axis[1] = 2;
    for (int i = 0; i < obj->count; i++) {
        float turn[3];
        turn_at(obj, i, turn);
        if (!(fmaxf(turn[0], fmaxf(turn[1], turn[2])) > FLT_EPSILON)) continue;
        if (turn[0] > turn[1] && turn[0] > turn[2]) return;
        obj->axis[0] = 0;
        if (turn[2] > turn[0] && turn[2] > turn[1]) obj->axis[1] = 1;
        return;
    }
}

/* Whether a point is inside a triangle: a ray from it crosses the edges an odd number of times. */
static bool is_inside(const float x[3], const float y[3], float px, float py) {
    bool inside = false;
    for (int i = 0, j = 2; i < 3; j = i++)
        if ((y[i] > py) != (y[j] > py) && px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i])
            inside = !inside;
    return inside;
}

/* Whether the corner after `first` can be cut off. Which way the face goes around is judged from the edge's side of the
   origin, as in tinyobjloader: where that misjudges, so does MuJoCo. */
static bool is_ear(const struct obj *obj, int first) {
    float x[3], y[3];
    for (int k = 0; k < 3; k++)
        x[k] = along(obj, first + k, obj->axis[0]), y[k] = along(obj, first + k, obj->axis[1]);
    const float cross = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
    const float side = (x[0] * y[1] - y[0] * x[1]) * 0.5f;
    if (cross * side < 0) return false;
    for (int k = 3; k < obj->count; k++)
        if (is_inside(x, y, along(obj, first + k, obj->axis[0]), along(obj, first + k, obj->axis[1])))
            return false;
    return true;
}

static bool cut_ear(struct obj *obj, int first) {
    const int n = obj->count, tip = (first + 1) % n;
    if (!add_face(obj, first, tip, (first + 2) % n)) return false;
    memmove(obj->corner + tip, obj->corner + tip + 1, (size_t)(n - 1 - tip) * sizeof *obj->corner);
    obj->count--;
    return true;
}

/* What is left when no corner is an ear is dropped, and so is what follows an ear that the last look found: so it is in
   tinyobjloader. What is left when time runs out, which no sensible face needs, becomes a fan. */
static bool cut_ears(struct obj *obj) {
    const double looks = 64, most = 1 << 26; /* corners looked at for each ear; in all */
    double time = fmin(looks * obj->count * obj->count, most);
    choose_plane(obj);
    for (int first = 0, before = obj->count, left = before; obj->count > 3 && left > 0 && time > 0;) {
        first %= obj->count;
        left = before == obj->count ? left - 1 : obj->count;
        before = obj->count;
        time -= obj->count;
        const bool ear = is_ear(obj, first);
        if (ear && !cut_ear(obj, first)) return false;
        first += !ear;
    }
    return obj->count == 3 || time <= 0 ? cut_fan(obj) : true;
}

/* --------------------------------------------------------------------------------------------------- text */

/* One corner of a face, "7", "7/1", "7/1/3" or "7//3": its vertex, from 1, or from -1 backwards. */
static bool read_corner(const char **text, int nvertex, int *index) {
    const char *at = *text;
    bool backwards = *at == '-';
    at += backwards;
    long value = 0;
    if (*at < '0' || *at > '9') return false;
    for (; *at >= '0' && *at <= '9'; at++)
        if ((value = value * 10 + (*at - '0')) > SN__MESH_MAX) return false;
    value = backwards ? nvertex - value : value - 1;
    if (value < 0 || value >= nvertex) return false;
    *index = (int)value;
    *text = at + strspn(at, "/-0123456789");
    return true;
}

static const char *read_face(struct obj *obj, const char *text) {
    obj->count = 0;
    for (text = sn__mesh_skip_blanks(text); *text && *text != '\n' && *text != '#';
         text = sn__mesh_skip_blanks(text)) {
        int *grown = sn__grow(obj->corner, &obj->capacity, obj->count + 1, sizeof *grown);
        if (!grown) return no_room;
        obj->corner = grown;
        if (!read_corner(&text, obj->mesh->nvertex, &obj->corner[obj->count++]))
            return "a face of the OBJ file has a vertex that does not exist";
    }
    if (obj->count < 3) return "a face of the OBJ file has fewer than three corners";
    const bool good = obj->count == 4 ? cut_four(obj) : cut_ears(obj);
    return good ? NULL : no_room;
}

static const char *read_lines(struct obj *obj, const char *text) {
    for (; *text; text = sn__mesh_next_line(text)) {
        const char *word = sn__mesh_skip_blanks(text), *wrong = NULL;
        bool blank = word[0] && (word[1] == ' ' || word[1] == '\t');
        double vertex[3];
        if (word[0] == 'v' && blank) {
            if (!sn__mesh_read_three(word + 2, vertex))
                return "a vertex of the OBJ file is not three numbers";
            if (!sn__mesh_add_vertex(obj->mesh, vertex)) return no_room;
        } else if ((word[0] == 'o' || word[0] == 'g') && blank) {
            if (obj->mesh->nface > 0) obj->weighed = true;
        } else if (word[0] == 'f' && blank && !obj->weighed) {
            wrong = read_face(obj, word + 2);
        }
        if (wrong) return wrong;
    }
    return NULL;
}

const char *sn__mesh_read_obj(struct sn__mesh_file *mesh, const char *text) {
    struct obj obj = {.mesh = mesh};
    const char *wrong = read_lines(&obj, text);
    sn__free(obj.corner);
    return wrong;
}
