/* From the shapes of the public interface to geometry, and the lowest point of a shape. */
#ifndef SINEW_COLLIDE_SHAPE_H
#define SINEW_COLLIDE_SHAPE_H

#include "collide/collide.h"
#include "sinew/sinew.h"

/* The geometry that stands for a shape of a member in contact, as its row of the table in model/shape.c says.
   Fills in the type and the sizes of g, and where the shape's body has its centre: pos, and rot, of unit length;
   the caller places g in the world. False: shapes of this kind do not touch. */
bool sn__geom_make(const sn_shape_def *s, struct sn__geom *g, double pos[3], double rot[4]);

/* The point `at` of a solid that is lowest along the unit vector up, and its height
   up . at. Where a whole edge or face is as low, its middle. A plane and a height field are solid below and
   have no lowest point: the height is -HUGE_VAL, and `at` is not written. */
double sn__lowest_point(const struct sn__geom *g, const double up[3], double at[3]);

#endif
