#include "tensorboard.h"

#include <math.h>
#include <string.h>

enum { ROOM = 4096 };

/* A message that is being written. */
struct message {
    uint8_t byte[ROOM];
    size_t size;
};

uint32_t tensorboard_crc(const void *data, size_t size) {
    const uint8_t *byte = data;
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= byte[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (0x82f63b78 & -(crc & 1));
    }
    return ~crc;
}

/* ------------------------------------------------------------------------------------------------- protocol buffers */

static void put_bytes(struct message *m, const void *data, size_t size) {
    if (m->size + size > ROOM) return; /* tags are short, and few */
    memcpy(m->byte + m->size, data, size);
    m->size += size;
}

static void put_varint(struct message *m, uint64_t value) {
    uint8_t byte;
    do {
        byte = (uint8_t)(value & 0x7f) | (value > 0x7f ? 0x80 : 0);
        put_bytes(m, &byte, 1);
    } while (value >>= 7);
}

/* Little-endian, as all such files are. */
static void put_fixed(struct message *m, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        const uint8_t byte = (uint8_t)(bits >> 8 * i);
        put_bytes(m, &byte, 1);
    }
}

enum wire { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

static void put_key(struct message *m, int field, enum wire wire) {
    put_varint(m, (uint64_t)(field << 3 | (int)wire));
}

static void put_field_bytes(struct message *m, int field, const void *data, size_t size) {
    put_key(m, field, BYTES);
    put_varint(m, size);
    put_bytes(m, data, size);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* A record: length, its checksum, the bytes, their checksum. */
static void write_record(FILE *file, const struct message *m) {
    struct message head = {.size = 0}, tail = {.size = 0};
    put_fixed(&head, m->size, 8);
    for (int i = 0; i < 2; i++) {
        const uint32_t crc = i ? tensorboard_crc(m->byte, m->size) : tensorboard_crc(head.byte, head.size);
        put_fixed(i ? &tail : &head, (uint32_t)((crc >> 15 | crc << 17) + 0xa282ead8), 4);
    }
    fwrite(head.byte, 1, head.size, file);
    fwrite(m->byte, 1, m->size, file);
    fwrite(tail.byte, 1, tail.size, file);
}

/* message Event { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; SessionLog = 7 } */
static struct message event(double time, int64_t step) {
    struct message m = {.size = 0};
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    put_key(&m, 1, FIXED64);
    put_fixed(&m, bits, 8);
    put_key(&m, 2, VARINT);
    put_varint(&m, (uint64_t)step);
    return m;
}

void tensorboard_begin(FILE *file, double time, int64_t step) {
    static const char version[] = "brain.Event:2";
    struct message first = event(time, 0);
    put_field_bytes(&first, 3, version, sizeof version - 1);
    write_record(file, &first);
    if (step == 0) return;
    struct message start = event(time, step), log = {.size = 0};
    put_key(&log, 1, VARINT); /* message SessionLog { status = 1: START } */
    put_varint(&log, 1);
    put_field_bytes(&start, 7, log.byte, log.size);
    write_record(file, &start);
}

/* message Summary { repeated Value value = 1 }, message Value { string tag = 1; float simple_value = 2 } */
void tensorboard_add(FILE *file, double time, int64_t step, const struct scalar *scalar, int count) {
    struct message m = event(time, step), summary = {.size = 0};
    for (int i = 0; i < count; i++) {
        struct message value = {.size = 0};
        const float number = (float)scalar[i].value;
        uint32_t bits;
        if (!isfinite(number)) continue;
        memcpy(&bits, &number, sizeof bits);
        put_field_bytes(&value, 1, scalar[i].tag, strlen(scalar[i].tag));
        put_key(&value, 2, FIXED32);
        put_fixed(&value, bits, 4);
        put_field_bytes(&summary, 1, value.byte, value.size);
    }
    put_field_bytes(&m, 5, summary.byte, summary.size);
    write_record(file, &m);
}
