/* Triangles of a hull joined to the faces they are parts of. */
#ifndef SINEW_MODEL_HULL_FACES_H
#define SINEW_MODEL_HULL_FACES_H

#include <stdbool.h>

struct sn__hull_faces {
    int nface;
    int *first, *corner; /* [nface + 1]; the corners of each, counterclockwise; the caller frees both */
};

/* Triangles within `level` of one plane become one face. Vertices within a face or an edge are left out of all faces.
   False: out of memory. */
bool sn__hull_join(const double (*vertex)[3], int nvertex, const int (*triangle)[3], int n, double level,
                   struct sn__hull_faces *faces);

#endif
