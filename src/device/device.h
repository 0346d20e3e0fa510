/* Devices beside the processor, by OpenCL: listing and opening them, buffers, and the one program that a world runs. The library
 * of OpenCL is loaded when a device is first asked for, by name, so that nothing is linked. Where it is missing, there are no
 * devices.
 *
 * Functions that can fail keep a sentence in the device (sn__device_message) and return false. After a failure of the device
 * itself (it was lost, or is out of memory) all calls fail. */
#ifndef SINEW_DEVICE_DEVICE_H
#define SINEW_DEVICE_DEVICE_H

#include <stdint.h>

#include "base/error.h"

struct sn__device;

/* Tells the name of device `index` as definitions take it ("opencl:0"), and what it is called. Returns false if there is no
   such device. */
bool sn__device_name(int index, char name[32], char called[128]);

/* NULL and an error: there is no such device, or it cannot be used. */
struct sn__device *sn__device_open(const char *name, sn_error *error);
void sn__device_close(struct sn__device *device); /* NULL is allowed */
const char *sn__device_message(const struct sn__device *device);
bool sn__device_has_double(const struct sn__device *device);

/* Compiles the program with these tables (world/device_text.c), or takes it from the user's cache. The last one stays until
   then. */
bool sn__device_build(struct sn__device *device, const char *tables);

/* A piece of the device's memory. All zero: none. */
struct sn__buffer {
    void *memory;
    size_t bytes;
};

/* Makes room for at least `bytes` bytes. If the buffer grows, it loses what was in it. */
bool sn__buffer_room(struct sn__device *device, struct sn__buffer *buffer, size_t bytes);
bool sn__buffer_put(struct sn__device *device, struct sn__buffer *buffer, size_t at, const void *from,
                    size_t bytes);
bool sn__buffer_take(struct sn__device *device, const struct sn__buffer *buffer, size_t at, void *to,
                     size_t bytes);
void sn__buffer_drop(struct sn__device *device, struct sn__buffer *buffer);

/* Starts the program for `count` work-items with these buffers as arguments; it has ended when something is taken. */
bool sn__device_run(struct sn__device *device, const struct sn__buffer *const *arguments, int n, int count);

/* Bytes of working memory that kernels need for a character in float, one work-item each: work_bytes.c. */
size_t sn__device_work_bytes(int nbody, int nv, int nslot);

#endif
