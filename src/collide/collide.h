/* Contact points between two shapes, and pairs of shapes that are near. Double precision, no state. */
#ifndef SINEW_COLLIDE_COLLIDE_H
#define SINEW_COLLIDE_COLLIDE_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

enum sn__geom_type {
    SN__GEOM_SPHERE,  /* size[0] radius */
    SN__GEOM_CAPSULE, /* size[0] radius, size[1] half length, along local z */
    SN__GEOM_BOX,     /* size[0..2] half extents */
    SN__GEOM_HULL,    /* a convex hull about its centre; size[0] is the radius of the ball within */
    SN__GEOM_PLANE,   /* through pos; local z is its normal; solid below */
    SN__GEOM_FIELD,   /* a height field; solid below; pos and R are not used */
    SN__GEOM_MESH,    /* triangles, solid behind their fronts; pos is the middle of all, R is not used */
    SN__GEOM_TYPES
};

/* Heights over a grid: point (i, j) stands at origin + (i step[0], j step[1], height[j nx + i]). Each cell
   is two triangles, split from its corner (i, j) to (i + 1, j + 1). */
struct sn__field {
    int nx, ny;
    double step[2], origin[3];
    double lowest, highest; /* z, in the world */
    double *height;
    float *height32; /* the heights for kernels of float, or NULL */
    uint64_t hash;   /* tells it from others */
    int32_t *sharp;  /* [ny][nx] sums of field_sharp.c, or NULL: nothing is known to be smooth */
};

struct sn__geom {
    enum sn__geom_type type;
    double size[3];
    double pos[3];  /* centre, in the world */
    double R[3][3]; /* columns are its axes: world = R local */
    const struct sn__field *field;
    const struct sn_hull *hull;
    const struct sn__mesh *mesh;
};

/* One point of a contact. The surfaces' own points are pos + normal gap / 2 (a's) and pos - normal gap / 2
   (b's). */
struct sn__touch {
    double pos[3];
    double normal[3]; /* unit, from b to a */
    double gap;       /* negative: penetration */
    uint32_t feature; /* stays the same while the same features touch */
};

enum { SN__MOST_TOUCHES = 16 }; /* of one pair */

/* The contact points of a and b with gap < margin; how many. b may be a plane, a field or a mesh, a may not. Which
   of two solids comes first does not matter to the points, only to the sign of the normal. */
int sn__collide(const struct sn__geom *a, const struct sn__geom *b, double margin,
                struct sn__touch touch[SN__MOST_TOUCHES]);

/* Contact points of a, which moves along `way` relative to b, both solids: those of now where they are nearer than the
   margin, else those of where they will meet. With reach > 0, for solids that turn so much on their way that where they
   meet is open, points are those of now up to there. How many. */
struct sn__swept {
    struct sn__touch
        touch; /* pos where they meet, b standing; gap is what is left of the way along the normal */
    double t;  /* part of the way until then */
};
int sn__collide_swept(const struct sn__geom *a, const double way[3], const struct sn__geom *b, double margin,
                      double reach, struct sn__swept swept[SN__MOST_TOUCHES]);
/* The last of them alone: where the ball inside the smaller of the two will meet the other. 1, or 0 where that is a ball
   already, or does not meet it. */
int sn__collide_core(const struct sn__geom *a, const double way[3], const struct sn__geom *b,
                     struct sn__swept *swept);
#define SN__CORE UINT32_C(0xffffffff) /* feature: the ball inside the smaller one */

/* Bounding boxes in the world; a plane's is infinite. */
struct sn__box {
    double min[3], max[3];
};

/* Marks the cells of a field where its surface bends by more than 25 degrees; `sharp` has its memory. */
void sn__field_mark_sharp(struct sn__field *f);
/* Is any such cell, or the border, below or above the rectangle? Where there is no field there is nothing sharp. */
bool sn__field_is_sharp(const struct sn__field *f, const double min[2], const double max[2]);

/* How a solid moves over a height field, or a mesh (f is then NULL), in a step of h. */
struct sn__stride {
    double way[3]; /* of its centre */
    double turn;   /* how far its points move beside that, at most */
    double reach;  /* what is nearer than that may be touched: all of it, or what is left beside the way */
    bool fast;     /* far for its size, over sharp ground or over more than a cell: see where it leads */
};
struct sn__stride sn__stride_over(const struct sn__geom *a, const struct sn__field *f, const double linear[3],
                                  const double angular[3], double h, double margin);

/* Contact points of a solid and a height field or mesh: those of now, and where something lies in the way of what is fast also
   those of where it will meet it, and slide along to from there. `pos` is where a point of the solid meets the ground,
   `back` leads to it from where the point is now, and the gap is what is left along the normal. How many. */
struct sn__met {
    struct sn__touch touch;
    double back[3];
};
int sn__collide_field(const struct sn__geom *a, const struct sn__stride *stride, const struct sn__geom *field,
                      double margin, struct sn__met met[SN__MOST_TOUCHES]);

struct sn__box sn__geom_bounds(const struct sn__geom *g);
/* Radius of the sphere around pos that holds a solid. */
double sn__geom_reach(const struct sn__geom *g);
/* Of the largest ball around pos within a solid; infinite for planes, fields and meshes. */
double sn__geom_inner(const struct sn__geom *g);

/* Pairs of boxes that overlap, by sweeping along the axis where they spread most. */
struct sn__pair {
    int32_t a, b; /* a < b */
};

struct sn__sweeper; /* working memory, and the order of the last time */

struct sn__sweeper *sn__sweeper_create(int boxes); /* NULL when out of memory */
void sn__sweeper_free(struct sn__sweeper *s);
size_t sn__sweeper_bytes(void); /* of each box */
/* All overlapping pairs (a, b) of n boxes for which moving[a] or moving[b], in ascending order of (a, b),
   whatever came before. Writes at most `room` of them and returns how many there are. Does not allocate. */
int sn__sweeper_pairs(struct sn__sweeper *s, int n, const struct sn__box *box, const bool *moving,
                      struct sn__pair *pair, int room);

#endif
