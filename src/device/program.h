/* A device from inside. */
#ifndef SINEW_DEVICE_PROGRAM_H
#define SINEW_DEVICE_PROGRAM_H

#include "device/device.h"
#include "device/opencl.h"

struct sn__device {
    const struct sn__cl *cl;
    char name[32];
    void *id, *context, *queue, *program, *kernel;
    bool has_double, rounds; /* rounds: / and sqrt correctly, if asked to */
    size_t group;            /* work-items that run together */
    uint64_t built;          /* hash of the program */
    bool failed;
    char message[256]; /* why */
};

/* Notes that the device has failed in doing something, and returns false. */
bool sn__device_fail(struct sn__device *device, int32_t status, const char *doing);

#endif
