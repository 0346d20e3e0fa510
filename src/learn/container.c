#include "learn/container.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/platform.h"

enum { NAME = 8, HEAD = 16, ORDER = 0x01020304, LARGEST = 1 << 30 };

/* -------------------------------------------------------------------------------------------------- writing */

void sn__container_begin(struct sn__text *out, const char kind[8], uint32_t version) {
    const uint32_t order = ORDER;
    sn__text_bytes(out, kind, NAME);
    sn__text_bytes(out, (const char *)&order, sizeof order);
    sn__text_bytes(out, (const char *)&version, sizeof version);
}

void sn__container_add(struct sn__text *out, const char *name, const void *data, size_t size) {
    const char zeros[8] = {0};
    char label[NAME] = {0};
    const uint64_t bytes = size;
    memcpy(label, name, strnlen(name, NAME));
    sn__text_bytes(out, label, NAME);
    sn__text_bytes(out, (const char *)&bytes, sizeof bytes);
    if (size > LARGEST) out->failed = true;
    if (size <= LARGEST) sn__text_bytes(out, data, (int)size);
    sn__text_bytes(out, zeros, (int)(-size % 8));
}

/* `synced`: waits for the disk, which a pipe does not have. */
static bool write_file(const char *path, const char *data, size_t size, bool synced) {
    FILE *file = sn__platform_open(path, "wb");
    if (!file) return false;
    const bool good =
        fwrite(data, 1, size, file) == size && fflush(file) == 0 && (!synced || sn__platform_sync(file));
    const int reason = errno;
    if (fclose(file) != 0 && good) return false;
    if (!good) errno = reason;
    return good;
}

sn_status sn__file_replace(const char *path, const char *data, size_t size, sn_error *error) {
    const size_t length = strlen(path);
    /* Devices, pipes and the like are written to directly: a file in their place would take them from everyone. */
    if (sn__platform_is_other(path)) {
        if (write_file(path, data, size, false)) return sn__succeed(error);
        return sn__fail(error, SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(errno));
    }
    char *beside = sn__alloc(length + sizeof ".part", 1);
    if (!beside) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    memcpy(beside, path, length);
    memcpy(beside + length, ".part", sizeof ".part");
    const bool good = write_file(beside, data, size, true) && sn__platform_replace(beside, path);
    const int reason = errno;
    if (!good) remove(beside);
    sn__free(beside);
    if (!good) return sn__fail(error, SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(reason));
    return sn__succeed(error);
}

char *sn__container_end(struct sn__text *out, size_t *size) {
    const char zeros[NAME] = {0};
    sn__text_bytes(out, zeros, NAME);
    const uint64_t hash = out->failed ? 0 : sn__hash(out->data, (size_t)out->length, 0);
    sn__text_bytes(out, (const char *)&hash, sizeof hash);
    return sn__text_take(out, size);
}

sn_status sn__container_write(struct sn__text *out, const char *path, sn_error *error) {
    size_t size = 0;
    char *data = sn__container_end(out, &size);
    if (!data) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    const sn_status status = sn__file_replace(path, data, size, error);
    sn__free(data);
    return status;
}

/* -------------------------------------------------------------------------------------------------- reading */

static sn_status read_whole(struct sn__container *c, sn_error *error) {
    FILE *file = sn__platform_open(c->path, "rb");
    if (!file) return sn__fail(error, SN_ERROR_FILE, "%s: cannot be read: %s", c->path, strerror(errno));
    int capacity = 0;
    size_t got = 0;
    const char *reason = NULL;
    errno = 0;
    do {
        char *grown = c->size > LARGEST ? NULL : sn__grow(c->data, &capacity, (int)c->size + (64 << 10), 1);
        if (!grown) {
            reason = c->size > LARGEST ? "it is larger than 1 GB" : "out of memory";
            break;
        }
        c->data = grown;
        got = fread(c->data + c->size, 1, (size_t)capacity - c->size, file);
        c->size += got;
    } while (got > 0);
    if (!reason && ferror(file)) reason = errno ? strerror(errno) : "reading failed";
    fclose(file);
    if (reason) return sn__fail(error, SN_ERROR_FILE, "%s: cannot be read: %s", c->path, reason);
    return SN_OK;
}

static sn_status check(struct sn__container *c, const char kind[8], const char *what, uint32_t version,
                       sn_error *error) {
    uint32_t order;
    uint64_t hash;
    if (c->size < NAME || memcmp(c->data, kind, NAME))
        return sn__fail(error, SN_ERROR_FORMAT, "%s: it is not a %s of this library", c->path, what);
    if (c->size < HEAD + NAME + sizeof hash)
        return sn__fail(error, SN_ERROR_FORMAT, "%s: the %s is cut off after %zu bytes", c->path, what,
                        c->size);
    memcpy(&order, c->data + 8, sizeof order);
    memcpy(&c->version, c->data + 12, sizeof c->version);
    if (order != ORDER)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: the %s was written on a machine with another order of bytes", c->path, what);
    if (c->version != version)
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: the %s has version %u, but this library reads version %u", c->path, what,
                        c->version, version);
    memcpy(&hash, c->data + c->size - sizeof hash, sizeof hash);
    if (hash != sn__hash(c->data, c->size - sizeof hash, 0))
        return sn__fail(error, SN_ERROR_FORMAT,
                        "%s: the %s is damaged or cut off: its bytes do not have its hash", c->path, what);
    return SN_OK;
}

sn_status sn__container_read(struct sn__container *c, const char *path, const char kind[8], const char *what,
                             uint32_t version, sn_error *error) {
    *c = (struct sn__container){.path = path};
    sn_status status = read_whole(c, error);
    if (!status) status = check(c, kind, what, version, error);
    if (status) sn__container_free(c);
    return status;
}

sn_status sn__container_parse(struct sn__container *c, const void *bytes, size_t size, const char kind[8],
                              const char *what, uint32_t version, sn_error *error) {
    *c = (struct sn__container){.path = what, .data = sn__alloc(size ? size : 1, 1), .size = size};
    if (!c->data) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", what);
    if (size) memcpy(c->data, bytes, size);
    const sn_status status = check(c, kind, what, version, error);
    if (status) sn__container_free(c);
    return status;
}

void sn__container_free(struct sn__container *c) {
    sn__free(c->data);
    c->data = NULL;
    c->size = 0;
}

sn_status sn__container_find(const struct sn__container *c, const char *name, const void **data, size_t *size,
                             sn_error *error) {
    const size_t end = c->size - NAME - sizeof(uint64_t);
    char label[NAME] = {0};
    memcpy(label, name, strnlen(name, NAME));
    for (size_t at = HEAD; at + NAME + sizeof(uint64_t) <= end;) {
        uint64_t bytes;
        memcpy(&bytes, c->data + at + NAME, sizeof bytes);
        const size_t begin = at + NAME + sizeof bytes;
        if (bytes > end - begin) break;
        if (!memcmp(c->data + at, label, NAME)) {
            *data = c->data + begin;
            *size = (size_t)bytes;
            return SN_OK;
        }
        at = begin + ((size_t)bytes + 7) / 8 * 8;
    }
    return sn__fail(error, SN_ERROR_FORMAT, "%s: there is no section '%.8s' in it", c->path, name);
}

sn_status sn__container_take(const struct sn__container *c, const char *name, void *data, size_t size,
                             sn_error *error) {
    const void *found;
    size_t bytes;
    const sn_status status = sn__container_find(c, name, &found, &bytes, error);
    if (status) return status;
    if (bytes != size)
        return sn__fail(error, SN_ERROR_FORMAT, "%s: its section '%.8s' has %zu bytes instead of %zu",
                        c->path, name, bytes, size);
    memcpy(data, found, size);
    return SN_OK;
}
