/* Event files that TensorBoard reads: records with checksums, each a protocol-buffer message of scalars. */
#ifndef SINEW_CLI_TENSORBOARD_H
#define SINEW_CLI_TENSORBOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct scalar {
    const char *tag;
    double value; /* one that is not finite is left out */
};

/* What every file starts with; `step` is where a run that was resumed goes on: later steps of older files do not count. */
void tensorboard_begin(FILE *file, double time, int64_t step);
void tensorboard_add(FILE *file, double time, int64_t step, const struct scalar *scalar, int count);

/* CRC-32C (Castagnoli), as the records have it before it is masked. */
uint32_t tensorboard_crc(const void *data, size_t size);

#endif
