/* A library without devices (SINEW_DEVICE=OFF): there are none to open. */
#include "device/device.h"

bool sn__device_name(int index, char name[32], char called[128]) {
    (void)index, (void)name, (void)called;
    return false;
}

struct sn__device *sn__device_open(const char *name, sn_error *error) {
    sn__fail(error, SN_ERROR_UNSUPPORTED,
             "There is no device '%.40s': this library was built without devices. Set SINEW_DEVICE=ON.",
             name);
    return NULL;
}

void sn__device_close(struct sn__device *d) {
    (void)d;
}

const char *sn__device_message(const struct sn__device *d) {
    (void)d;
    return "";
}

bool sn__device_has_double(const struct sn__device *d) {
    (void)d;
    return false;
}

bool sn__device_build(struct sn__device *d, const char *tables) {
    (void)d, (void)tables;
    return false;
}

bool sn__buffer_room(struct sn__device *d, struct sn__buffer *b, size_t bytes) {
    (void)d, (void)b, (void)bytes;
    return false;
}

bool sn__buffer_put(struct sn__device *d, struct sn__buffer *b, size_t at, const void *from, size_t bytes) {
    (void)d, (void)b, (void)at, (void)from, (void)bytes;
    return false;
}

bool sn__buffer_take(struct sn__device *d, const struct sn__buffer *b, size_t at, void *to, size_t bytes) {
    (void)d, (void)b, (void)at, (void)to, (void)bytes;
    return false;
}

void sn__buffer_drop(struct sn__device *d, struct sn__buffer *b) {
    (void)d, (void)b;
}

bool sn__device_run(struct sn__device *d, const struct sn__buffer *const *argument, int n, int count) {
    (void)d, (void)argument, (void)n, (void)count;
    return false;
}
