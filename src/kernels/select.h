/* Which lane type to take. */
#ifndef SINEW_KERNELS_SELECT_H
#define SINEW_KERNELS_SELECT_H

#include "kernels/table.h"
#include "sinew/sinew.h"

/* The tables this machine can run, widest first within a precision; NULL past the end. */
const struct sn__kernels *sn__kernels_at(int index);
const sn_lanes_info *sn__lanes_at(int index); /* what they are */
/* By name ("f32x8"); or, with name NULL, what SINEW_LANES names if its precision agrees, else the
   narrowest vector type of the precision, or the widest. NULL and an error when there is none such. */
const struct sn__kernels *sn__kernels_find(const char *name, sn_precision precision, bool wide,
                                           sn_error *error);
/* What a table must have beyond the kernels of all. */
enum sn__part { SN__NO_PART, SN__ROWS, SN__STUDY };
/* As above, with name NULL, among the types that have the part; SINEW_LANES counts where it names one of them. */
const struct sn__kernels *sn__kernels_with(enum sn__part part, sn_precision precision, bool wide,
                                           sn_error *error);
bool sn__kernels_have(const struct sn__kernels *k, enum sn__part part);
/* The names of the types of a precision that have the part, "f64x4, f64x2, f64", for messages. */
void sn__kernels_names(enum sn__part part, sn_precision precision, size_t size, char *names);

#endif
