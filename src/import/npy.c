/* "\x93NUMPY", two bytes of version, the length of the header in two bytes (version 1) or four, then the header,
 * which is a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (300, 156), }. The values follow,
 * the last axis first. */
#include "import/npy.h"

#include "base/error.h"

#include <stdint.h>
#include <string.h>

bool sn__npy_is(const char *data, size_t size) {
    return size >= 10 && memcmp(data, "\x93NUMPY", 6) == 0;
}

static bool broken(sn_error *error, const char *reason) {
    sn__fail(error, SN_ERROR_FORMAT, "%s", reason);
    return false;
}

/* Behind the key and its colon; NULL: there is none. */
static const char *value_of(const char *head, const char *end, const char *key) {
    const size_t length = strlen(key);
    for (; (size_t)(end - head) > length; head++)
        if (memcmp(head, key, length) == 0) {
            head += length;
            while (head < end && (*head == ' ' || *head == ':' || *head == '\'' || *head == '"'))
                head++;
            return head < end ? head : NULL;
        }
    return NULL;
}

static bool read_type(const char *at, const char *end, struct sn__npy *array, sn_error *error) {
    if (!at || end - at < 3) return broken(error, "the header of the array has no 'descr'");
    const char order = *at == '<' || *at == '>' || *at == '|' || *at == '=' ? *at++ : '<';
    array->kind = *at++;
    array->bytes = 0;
    while (at < end && *at >= '0' && *at <= '9' && array->bytes < 100000)
        array->bytes = 10 * array->bytes + (*at++ - '0');
    if (order == '>') return broken(error, "the array is big endian, which is not read");
    const bool number = array->kind == 'f'   ? array->bytes == 4 || array->bytes == 8
                        : array->kind == 'b' ? array->bytes == 1
                                             : array->bytes == 1 || array->bytes == 2 || array->bytes == 4 ||
                                                   array->bytes == 8;
    if (strchr("fiub", array->kind) && !number)
        return broken(error, "the array has numbers of a size that is not read");
    return true;
}

static bool read_shape(const char *at, const char *end, struct sn__npy *array, sn_error *error) {
    array->naxis = 0, array->count = 1;
    if (!at || *at++ != '(') return broken(error, "the header of the array has no 'shape'");
    while (at < end && *at != ')') {
        if (*at < '0' || *at > '9') {
            at++;
            continue;
        }
        size_t length = 0;
        while (at < end && *at >= '0' && *at <= '9' && length < SIZE_MAX / 100)
            length = 10 * length + (size_t)(*at++ - '0');
        if (array->naxis == SN__NPY_MOST_AXES) return broken(error, "the array has too many axes");
        array->axis[array->naxis++] = length;
        if (length > 0 && array->count > SIZE_MAX / 16 / length)
            return broken(error, "the array is too large");
        array->count *= length;
    }
    return at < end || broken(error, "the header of the array does not end");
}

bool sn__npy_open(const char *data, size_t size, struct sn__npy *array, sn_error *error) {
    *array = (struct sn__npy){0};
    if (!sn__npy_is(data, size)) return broken(error, "it is not an array of numpy");
    const int wide = data[6] == 1 ? 2 : 4;
    if (size < (size_t)(8 + wide)) return broken(error, "the array ends in its header");
    size_t length = 0;
    for (int i = wide - 1; i >= 0; i--)
        length = length << 8 | (unsigned char)data[8 + i];
    if (length > size - 8 - (size_t)wide) return broken(error, "the array ends in its header");
    const char *head = data + 8 + wide, *end = head + length;
    const char *order = value_of(head, end, "'fortran_order'");
    if (!read_type(value_of(head, end, "'descr'"), end, array, error) ||
        !read_shape(value_of(head, end, "'shape'"), end, array, error))
        return false;
    if (order && *order == 'T' && array->naxis > 1)
        return broken(error, "the array is in Fortran's order, which is not read");
    array->raw = end;
    const size_t left = size - 8 - (size_t)wide - length;
    if (strchr("fiub", array->kind) && array->count > left / (size_t)array->bytes)
        return broken(error, "the array is shorter than its header says");
    return true;
}

double sn__npy_value(const struct sn__npy *array, size_t i) {
    const char *at = array->raw + i * (size_t)array->bytes;
    uint64_t bits = 0;
    for (int k = array->bytes < 8 ? array->bytes - 1 : 7; k >= 0; k--)
        bits = bits << 8 | (unsigned char)at[k];
    if (array->kind == 'f' && array->bytes == 8) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (array->kind == 'f') {
        const uint32_t half = (uint32_t)bits;
        float value;
        memcpy(&value, &half, sizeof value);
        return (double)value;
    }
    if (array->kind == 'u' || array->kind == 'b') return (double)bits;
    const int unused = 64 - 8 * array->bytes;
    return array->kind == 'i' ? (double)((int64_t)(bits << unused) >> unused) : 0;
}
