/* The part of OpenCL 1.2 that is used, declared here so that no header of it is needed, and loaded at run time. Names and numbers
 * are those of the standard (Khronos, The OpenCL Specification 1.2). */
#ifndef SINEW_DEVICE_OPENCL_H
#define SINEW_DEVICE_OPENCL_H

#include <stddef.h>
#include <stdint.h>

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_AVAILABLE = -2,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_DEVICE_TYPE_CPU = 1 << 1,
    CL_DEVICE_TYPE_GPU = 1 << 2,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
    CL_MEM_READ_WRITE = 1,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183
};
#define CL_DEVICE_TYPE_ALL 0xffffffffu

/* X(type of what is returned, name, arguments). Handles are void *. */
#define SN__CL_FUNCTIONS(X)                                                                                  \
    X(int32_t, GetPlatformIDs, (uint32_t room, void **platforms, uint32_t *n))                               \
    X(int32_t, GetDeviceIDs, (void *platform, uint64_t type, uint32_t room, void **devices, uint32_t *n))    \
    X(int32_t, GetDeviceInfo, (void *device, uint32_t what, size_t room, void *value, size_t *size))         \
    X(void *, CreateContext,                                                                                 \
      (const intptr_t *properties, uint32_t n, void *const *devices, void *notify, void *user,               \
       int32_t *status))                                                                                     \
    X(int32_t, ReleaseContext, (void *context))                                                              \
    X(void *, CreateCommandQueue, (void *context, void *device, uint64_t properties, int32_t *status))       \
    X(int32_t, ReleaseCommandQueue, (void *queue))                                                           \
    X(void *, CreateProgramWithSource,                                                                       \
      (void *context, uint32_t n, const char **texts, const size_t *sizes, int32_t *status))                 \
    X(void *, CreateProgramWithBinary,                                                                       \
      (void *context, uint32_t n, void *const *devices, const size_t *sizes, const unsigned char **binaries, \
       int32_t *each, int32_t *status))                                                                      \
    X(int32_t, BuildProgram,                                                                                 \
      (void *program, uint32_t n, void *const *devices, const char *options, void *notify, void *user))      \
    X(int32_t, GetProgramInfo, (void *program, uint32_t what, size_t room, void *value, size_t *size))       \
    X(int32_t, GetProgramBuildInfo,                                                                          \
      (void *program, void *device, uint32_t what, size_t room, void *value, size_t *size))                  \
    X(int32_t, ReleaseProgram, (void *program))                                                              \
    X(void *, CreateKernel, (void *program, const char *name, int32_t *status))                              \
    X(int32_t, ReleaseKernel, (void *kernel))                                                                \
    X(int32_t, SetKernelArg, (void *kernel, uint32_t index, size_t size, const void *value))                 \
    X(void *, CreateBuffer, (void *context, uint64_t flags, size_t size, void *host, int32_t *status))       \
    X(int32_t, ReleaseMemObject, (void *memory))                                                             \
    X(int32_t, EnqueueWriteBuffer,                                                                           \
      (void *queue, void *buffer, uint32_t wait, size_t at, size_t size, const void *from, uint32_t n,       \
       const void *const *events, void **event))                                                             \
    X(int32_t, EnqueueReadBuffer,                                                                            \
      (void *queue, void *buffer, uint32_t wait, size_t at, size_t size, void *to, uint32_t n,               \
       const void *const *events, void **event))                                                             \
    X(int32_t, EnqueueNDRangeKernel,                                                                         \
      (void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global,           \
       const size_t *local, uint32_t n, const void *const *events, void **event))                            \
    X(int32_t, Flush, (void *queue))

struct sn__cl {
#define X(result, name, arguments) result(*name) arguments;
    SN__CL_FUNCTIONS(X)
#undef X
};

/* The functions, or NULL: this machine has no OpenCL. */
const struct sn__cl *sn__opencl(void);

#endif
