/* Arrays as numpy writes them: .npy. */
#ifndef SINEW_IMPORT_NPY_H
#define SINEW_IMPORT_NPY_H

#include "sinew/sinew.h"

enum { SN__NPY_MOST_AXES = 8 };

struct sn__npy {
    int naxis;
    size_t axis[SN__NPY_MOST_AXES];
    size_t count; /* of values, all axes together */
    char kind; /* 'f' float, 'i' and 'u' integers, 'b' bool; others are not read: 'O' an object, 'U' text */
    int bytes; /* of a value */
    const char *raw; /* points into the data */
};

bool sn__npy_is(const char *data, size_t size);
/* What the data hold; false and a reason without the file's name when they are broken or in an order that is not read. */
bool sn__npy_open(const char *data, size_t size, struct sn__npy *array, sn_error *error);
/* Value i as a number; 0 for kinds that are none. */
double sn__npy_value(const struct sn__npy *array, size_t i);

#endif
