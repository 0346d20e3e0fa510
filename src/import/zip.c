/* The directory stands at the end: a record PK 5 6, which says where the entries PK 1 2 are. Each of those says
 * where the local header PK 3 4 of its file is, behind which the bytes stand, stored or deflated. Sizes of
 * 0xffffffff are found in the extra field of the entry (zip64). Numbers are little endian. Nothing is taken for
 * granted: what lies outside the data ends it. */
#include "import/zip.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>
#include <string.h>

#if SN__HAVE_ZLIB
#include <zlib.h>
#endif

enum { END_SIZE = 22, ENTRY_SIZE = 46, LOCAL_SIZE = 30, LONGEST_COMMENT = 65535, MOST_ENTRIES = 65535 };

static uint64_t number_at(const char *data, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | (unsigned char)data[i];
    return value;
}

bool sn__zip_is(const char *data, size_t size) {
    return size >= 4 && (memcmp(data, "PK\3\4", 4) == 0 || memcmp(data, "PK\5\6", 4) == 0);
}

/* Where the directory begins; size: there is none. */
static size_t find_directory(const char *data, size_t size) {
    for (size_t back = END_SIZE; back <= size && back <= END_SIZE + LONGEST_COMMENT; back++) {
        const char *end = data + size - back;
        if (memcmp(end, "PK\5\6", 4) != 0) continue;
        const uint64_t at = number_at(end + 16, 4);
        return at < size ? (size_t)at : size;
    }
    return size;
}

/* Sizes and place that do not fit into 32 bits, in their order. */
static void read_zip64(const char *extra, size_t length, struct sn__zip_entry *entry) {
    size_t *const wide[3] = {&entry->size, &entry->packed, &entry->at};
    while (length >= 4) {
        const size_t kind = (size_t)number_at(extra, 2), own = (size_t)number_at(extra + 2, 2);
        if (own > length - 4) return;
        for (size_t i = 0, from = 0; kind == 1 && i < 3; i++) {
            if (*wide[i] != 0xffffffff || from + 8 > own) continue;
            *wide[i] = (size_t)number_at(extra + 4 + from, 8);
            from += 8;
        }
        extra += 4 + own, length -= 4 + own;
    }
}

bool sn__zip_entry(const char *data, size_t size, int index, struct sn__zip_entry *entry) {
    size_t at = find_directory(data, size);
    for (int i = 0; i <= index && i < MOST_ENTRIES; i++) {
        if (at > size || size - at < ENTRY_SIZE || memcmp(data + at, "PK\1\2", 4) != 0) return false;
        const char *head = data + at;
        const size_t name = (size_t)number_at(head + 28, 2), extra = (size_t)number_at(head + 30, 2),
                     comment = (size_t)number_at(head + 32, 2);
        if (size - at - ENTRY_SIZE < name + extra + comment) return false;
        *entry = (struct sn__zip_entry){.name = head + ENTRY_SIZE,
                                        .length = name,
                                        .method = (int)number_at(head + 10, 2),
                                        .packed = (size_t)number_at(head + 20, 4),
                                        .size = (size_t)number_at(head + 24, 4),
                                        .at = (size_t)number_at(head + 42, 4)};
        read_zip64(head + ENTRY_SIZE + name, extra, entry);
        at += ENTRY_SIZE + name + extra + comment;
    }
    return true;
}

#if SN__HAVE_ZLIB
static voidpf allocate(voidpf user, uInt count, uInt size) {
    (void)user;
    return sn__alloc(count, size);
}

static void release(voidpf user, voidpf memory) {
    (void)user;
    sn__free(memory);
}

static bool inflate_all(const char *from, size_t packed, char *to, size_t size) {
    z_stream stream = {.zalloc = allocate, .zfree = release};
    if (packed > UINT32_MAX || size > UINT32_MAX || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
    stream.next_in = (Bytef *)(uintptr_t)from;
    stream.avail_in = (uInt)packed;
    stream.next_out = (Bytef *)to;
    stream.avail_out = (uInt)size;
    const int result = inflate(&stream, Z_FINISH);
    const bool good = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return good;
}
#endif

char *sn__zip_read(const char *data, size_t size, const struct sn__zip_entry *entry, size_t most,
                   sn_error *error) {
    const int shown = entry->length < 64 ? (int)entry->length : 64;
    const char *reason = NULL;
    char *text = NULL;
    size_t from = 0;
    if (entry->at >= size || size - entry->at < LOCAL_SIZE || memcmp(data + entry->at, "PK\3\4", 4) != 0)
        reason = "is not where the archive says";
    if (!reason) {
        from = entry->at + LOCAL_SIZE + (size_t)number_at(data + entry->at + 26, 2) +
               (size_t)number_at(data + entry->at + 28, 2);
        if (from > size || size - from < entry->packed) reason = "goes beyond the end of the archive";
    }
    if (!reason && entry->size > most) reason = "is too large";
    if (!reason && entry->method != 0 && entry->method != 8) reason = "is packed in a way that is not known";
    if (!reason && entry->method == 0 && entry->packed != entry->size) reason = "has two sizes";
    if (!reason && !(text = sn__alloc(entry->size + 1, 1))) reason = "does not fit into memory";
    if (!reason && entry->method == 0) memcpy(text, data + from, entry->size);
#if SN__HAVE_ZLIB
    if (!reason && entry->method == 8 && !inflate_all(data + from, entry->packed, text, entry->size))
        reason = "cannot be unpacked: it is broken";
#else
    if (!reason && entry->method == 8)
        reason = "cannot be unpacked: zlib was not there to build with; save it by numpy.savez, not "
                 "savez_compressed";
#endif
    if (!reason) return text;
    sn__free(text);
    sn__fail(error, SN_ERROR_FORMAT, "'%.*s' %s", shown, entry->name, reason);
    return NULL;
}
