/* The program of a device, compiled by its driver, or taken from the cache. */
#include "device/program.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "device/cache.h"
#include "device/program_text.h"

/* Denormals are flushed as the processor's are (base/flush.h). Without SINEW_STRICT the driver may fuse multiply-adds. */
static void write_options(const struct sn__device *d, char options[256]) {
    snprintf(options, 256,
             "-cl-std=CL1.2 -cl-denorms-are-zero -cl-single-precision-constant%s -DSN__HAS_DOUBLE=%d%s",
             d->rounds ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", d->has_double,
#ifdef SINEW_STRICT
             " -DSN__STRICT=1"
#else
             ""
#endif
    );
}

/* Hashes everything that the binary depends on. */
static uint64_t hash_of(const struct sn__device *d, const char *options, const char *tables) {
    const uint32_t what[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_VERSION};
    uint64_t hash = sn__hash(options, strlen(options), 0);
    hash = sn__hash(tables, strlen(tables), hash);
    for (int i = 0; i < SN__PROGRAM_PIECES; i++)
        if (SN__PROGRAM[i]) hash = sn__hash(SN__PROGRAM[i], strlen(SN__PROGRAM[i]), hash);
    for (int i = 0; i < 4; i++) {
        char text[256] = {0};
        d->cl->GetDeviceInfo(d->id, what[i], sizeof text - 1, text, NULL);
        hash = sn__hash(text, strlen(text), hash);
    }
    return hash;
}

static void *from_cache(struct sn__device *d, uint64_t hash, const char *options) {
    size_t size = 0;
    unsigned char *binary = sn__cache_read(hash, &size);
    if (!binary) return NULL;
    const unsigned char *only = binary;
    int32_t each = 0, status = 0;
    void *program = d->cl->CreateProgramWithBinary(d->context, 1, &d->id, &size, &only, &each, &status);
    sn__free(binary);
    if (program && d->cl->BuildProgram(program, 1, &d->id, options, NULL, NULL) == CL_SUCCESS) return program;
    if (program) d->cl->ReleaseProgram(program);
    return NULL;
}

static void to_cache(const struct sn__device *d, void *program, uint64_t hash) {
    size_t size = 0;
    d->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *binary = size ? sn__alloc(size, 1) : NULL;
    if (binary &&
        d->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        sn__cache_write(hash, binary, size);
    sn__free(binary);
}

/* What the compiler says first. */
static bool tell_log(struct sn__device *d, void *program, int32_t status) {
    size_t size = 0;
    d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = sn__alloc(size + 1, 1);
    if (log) d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    sn__device_fail(d, status, "to compile its program");
    const size_t length = strlen(d->message);
    const char *fault = log ? strstr(log, "error") : NULL;
    if (log) snprintf(d->message + length, sizeof d->message - length, " %.120s", fault ? fault : log);
    sn__free(log);
    d->cl->ReleaseProgram(program);
    return false;
}

static void *from_text(struct sn__device *d, const char *options, const char *tables) {
    const char **text = sn__alloc((size_t)SN__PROGRAM_PIECES, sizeof *text);
    int32_t status = CL_OUT_OF_HOST_MEMORY;
    for (int i = 0; text && i < SN__PROGRAM_PIECES; i++)
        text[i] = SN__PROGRAM[i] ? SN__PROGRAM[i] : tables;
    void *program =
        text ? d->cl->CreateProgramWithSource(d->context, (uint32_t)SN__PROGRAM_PIECES, text, NULL, &status)
             : NULL;
    sn__free(text);
    if (!program) {
        sn__device_fail(d, status, "to take its program");
        return NULL;
    }
    status = d->cl->BuildProgram(program, 1, &d->id, options, NULL, NULL);
    if (status == CL_SUCCESS) return program;
    tell_log(d, program, status);
    return NULL;
}

static void drop(struct sn__device *d) {
    if (d->kernel) d->cl->ReleaseKernel(d->kernel);
    if (d->program) d->cl->ReleaseProgram(d->program);
    d->kernel = d->program = NULL;
}

bool sn__device_build(struct sn__device *d, const char *tables) {
    char options[256];
    if (d->failed) return false;
    write_options(d, options);
    const uint64_t hash = hash_of(d, options, tables);
    if (d->kernel && hash == d->built) return true;
    drop(d);
    d->program = from_cache(d, hash, options);
    const bool cached = d->program != NULL;
    if (!cached) d->program = from_text(d, options, tables);
    if (!d->program) return false;
    int32_t status = 0;
    d->kernel = d->cl->CreateKernel(d->program, "sn__run", &status);
    if (!d->kernel) return sn__device_fail(d, status, "to find its program");
    if (!cached) to_cache(d, d->program, hash);
    d->built = hash;
    return true;
}
