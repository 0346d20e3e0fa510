/* Devices: found, opened, their memory, and launches. */
#include "device/device.h"

#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "device/cache.h"
#include "device/opencl.h"
#include "device/program.h"

/* --------------------------------------------------------------------------------------------------- finding one */

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

/* All devices of all platforms, in their order; how many. */
static int list_devices(const struct sn__cl *cl, void *device[MOST_DEVICES]) {
    void *platform[MOST_PLATFORMS];
    uint32_t platforms = 0;
    int n = 0;
    if (cl->GetPlatformIDs(MOST_PLATFORMS, platform, &platforms) != CL_SUCCESS) return 0;
    for (uint32_t i = 0; i < platforms && i < MOST_PLATFORMS; i++) {
        uint32_t found = 0;
        const uint32_t room = (uint32_t)(MOST_DEVICES - n);
        if (room && cl->GetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, room, device + n, &found) == CL_SUCCESS)
            n += (int)(found < room ? found : room);
    }
    return n;
}

static uint64_t number_of(const struct sn__cl *cl, void *device, uint32_t what) {
    uint64_t value = 0;
    cl->GetDeviceInfo(device, what, sizeof value, &value, NULL);
    return value;
}

bool sn__device_name(int index, char name[32], char called[128]) {
    const struct sn__cl *cl = sn__opencl();
    void *device[MOST_DEVICES];
    if (!cl || index < 0 || index >= list_devices(cl, device)) return false;
    snprintf(name, 32, "opencl:%d", index);
    called[0] = '\0';
    cl->GetDeviceInfo(device[index], CL_DEVICE_NAME, 128, called, NULL);
    called[127] = '\0';
    return true;
}

/* "opencl:2", or the first of a kind: "opencl:gpu", "opencl:cpu". */
static void *find_device(const struct sn__cl *cl, const char *name, sn_error *error) {
    void *device[MOST_DEVICES];
    const char *which = strncmp(name, "opencl:", 7) == 0 ? name + 7 : NULL;
    const int n = cl ? list_devices(cl, device) : 0;
    for (int i = 0; i < n && which; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        const uint64_t type = number_of(cl, device[i], CL_DEVICE_TYPE);
        if (!strcmp(which, number) || (!strcmp(which, "gpu") && (type & CL_DEVICE_TYPE_GPU)) ||
            (!strcmp(which, "cpu") && (type & CL_DEVICE_TYPE_CPU)))
            return device[i];
    }
    sn__fail(error, SN_ERROR_UNSUPPORTED,
             !which
                 ? "The device is '%.40s'. Devices are called opencl:0, opencl:1, opencl:gpu or opencl:cpu."
             : !cl ? "There is no device '%.40s': OpenCL is not installed on this machine."
                   : "There is no device '%.40s'. `sinew devices` lists those there are.",
             name);
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------ failures */

bool sn__device_fail(struct sn__device *d, int32_t status, const char *doing) {
    const bool memory = status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
                        status == CL_OUT_OF_HOST_MEMORY || status == CL_INVALID_BUFFER_SIZE;
    if (!d->failed)
        snprintf(d->message, sizeof d->message, "The device %s failed %s: %s (OpenCL error %d).", d->name,
                 doing,
                 memory                              ? "it is out of memory"
                 : status == CL_DEVICE_NOT_AVAILABLE ? "it is no longer available"
                                                     : "it gave an error",
                 (int)status);
    d->failed = true;
    return false;
}

const char *sn__device_message(const struct sn__device *d) {
    return d->message;
}

bool sn__device_has_double(const struct sn__device *d) {
    return d->has_double;
}

/* ------------------------------------------------------------------------------------------------ opening, closing */

struct sn__device *sn__device_open(const char *name, sn_error *error) {
    const struct sn__cl *cl = sn__opencl();
    void *id = find_device(cl, name, error);
    struct sn__device *d = id ? sn__alloc(1, sizeof *d) : NULL;
    int32_t status = CL_SUCCESS;
    if (id && !d) sn__fail(error, SN_ERROR_MEMORY, "There is no memory for a device.");
    if (!d) return NULL;
    d->cl = cl, d->id = id;
    snprintf(d->name, sizeof d->name, "%s", name);
    d->has_double = number_of(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    d->rounds = (number_of(cl, id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    d->group = number_of(cl, id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU ? 1 : 32;
    d->context = cl->CreateContext(NULL, 1, &id, NULL, NULL, &status);
    if (d->context) d->queue = cl->CreateCommandQueue(d->context, id, 0, &status);
    if (d->queue) return d;
    sn__device_fail(d, status, "to open");
    sn__fail(error, SN_ERROR_UNSUPPORTED, "%s", d->message);
    sn__device_close(d);
    return NULL;
}

void sn__device_close(struct sn__device *d) {
    if (!d) return;
    if (d->kernel) d->cl->ReleaseKernel(d->kernel);
    if (d->program) d->cl->ReleaseProgram(d->program);
    if (d->queue) d->cl->ReleaseCommandQueue(d->queue);
    if (d->context) d->cl->ReleaseContext(d->context);
    sn__free(d);
}

/* -------------------------------------------------------------------------------------------------------- buffers */

void sn__buffer_drop(struct sn__device *d, struct sn__buffer *b) {
    if (b->memory) d->cl->ReleaseMemObject(b->memory);
    *b = (struct sn__buffer){0};
}

bool sn__buffer_room(struct sn__device *d, struct sn__buffer *b, size_t bytes) {
    int32_t status = CL_SUCCESS;
    if (d->failed) return false;
    if (bytes < 8) bytes = 8;
    if (b->memory && b->bytes >= bytes) return true;
    sn__buffer_drop(d, b);
    b->memory = d->cl->CreateBuffer(d->context, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (!b->memory) return sn__device_fail(d, status, "to give memory");
    b->bytes = bytes;
    return true;
}

bool sn__buffer_put(struct sn__device *d, struct sn__buffer *b, size_t at, const void *from, size_t bytes) {
    if (d->failed || !bytes) return !d->failed;
    const int32_t status = d->cl->EnqueueWriteBuffer(d->queue, b->memory, 1, at, bytes, from, 0, NULL, NULL);
    return status == CL_SUCCESS || sn__device_fail(d, status, "to take values");
}

bool sn__buffer_take(struct sn__device *d, const struct sn__buffer *b, size_t at, void *to, size_t bytes) {
    if (d->failed || !bytes) return !d->failed;
    const int32_t status = d->cl->EnqueueReadBuffer(d->queue, b->memory, 1, at, bytes, to, 0, NULL, NULL);
    return status == CL_SUCCESS || sn__device_fail(d, status, "to give values back");
}

/* ------------------------------------------------------------------------------------------------------- launches */

bool sn__device_run(struct sn__device *d, const struct sn__buffer *const *argument, int n, int count) {
    if (d->failed) return false;
    const size_t local = d->group, global = ((size_t)count + local - 1) / local * local;
    for (int i = 0; i < n; i++) {
        const int32_t status =
            d->cl->SetKernelArg(d->kernel, (uint32_t)i, sizeof argument[i]->memory, &argument[i]->memory);
        if (status != CL_SUCCESS) return sn__device_fail(d, status, "to take an argument");
    }
    const int32_t status =
        d->cl->EnqueueNDRangeKernel(d->queue, d->kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    if (status != CL_SUCCESS) return sn__device_fail(d, status, "to start a launch");
    d->cl->Flush(d->queue);
    return true;
}
