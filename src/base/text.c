#include "base/text.h"

#include "base/memory.h"
#include "base/platform.h"

#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(struct sn__text *text, int more) {
    if (text->failed) return false;
    const int most = 1 << 30;
    char *grown =
        more < most - text->length ? sn__grow(text->data, &text->capacity, text->length + more + 1, 1) : NULL;
    if (!grown) text->failed = true;
    if (grown) text->data = grown;
    return grown != NULL;
}

void sn__text_bytes(struct sn__text *text, const char *bytes, int count) {
    if (!reserve(text, count)) return;
    memcpy(text->data + text->length, bytes, (size_t)count);
    text->length += count;
    text->data[text->length] = '\0';
}

void sn__text_add(struct sn__text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) text->failed = true;
    if (length >= 0 && reserve(text, length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += length;
    }
    va_end(again);
    va_end(arguments);
}

void sn__text_number(struct sn__text *text, double value) {
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    const char *point = localeconv()->decimal_point;
    char *comma = point && point[0] && point[0] != '.' ? strchr(digits, point[0]) : NULL;
    if (comma) *comma = '.';
    sn__text_bytes(text, digits, (int)strlen(digits));
}

void sn__text_numbers(struct sn__text *text, const double *value, int count, const char *separator) {
    for (int i = 0; i < count; i++) {
        if (i > 0) sn__text_bytes(text, separator, (int)strlen(separator));
        sn__text_number(text, value[i]);
    }
}

void sn__text_json_string(struct sn__text *text, const char *string) {
    sn__text_bytes(text, "\"", 1);
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (c == '"' || c == '\\')
            sn__text_add(text, "\\%c", c);
        else if (c < 0x20)
            sn__text_add(text, "\\u%04x", c);
        else
            sn__text_bytes(text, string, 1);
    }
    sn__text_bytes(text, "\"", 1);
}

/* How many bytes the UTF-8 character has that starts here; 0: it is none. */
static int utf8_length(const char *string) {
    const unsigned char *s = (const unsigned char *)string;
    int length = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : 0;
    if (s[0] >= 0xf0 && s[0] < 0xf5) length = 4;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    bool never = s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe;
    return overlong || beyond || never ? 0 : length;
}

void sn__text_xml_string(struct sn__text *text, const char *string) {
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        int length = utf8_length(string);
        if (c == '&' || c == '<' || c == '"' || c == '\t' || c == '\n' || c == '\r')
            sn__text_add(text, "&#%d;", c);
        else if (c < 0x20 || length == 0)
            sn__text_bytes(text, "?", 1);
        else {
            sn__text_bytes(text, string, length);
            string += length - 1;
        }
    }
}

char *sn__text_take(struct sn__text *text, size_t *size) {
    if (!reserve(text, 0)) { /* an empty text is a text too */
        sn__free(text->data);
        *text = (struct sn__text){0};
        return NULL;
    }
    text->data[text->length] = '\0';
    char *data = text->data;
    *size = (size_t)text->length;
    *text = (struct sn__text){0};
    return data;
}

sn_status sn__file_write(const char *path, const char *text, size_t size, sn_error *error) {
    FILE *file = sn__platform_open(path, "wb");
    bool good = file && fwrite(text, 1, size, file) == size;
    int reason = good ? 0 : errno;
    if (file && fclose(file) != 0 && good) good = false, reason = errno;
    if (!good) return sn__fail(error, SN_ERROR_FILE, "%s: cannot be written: %s", path, strerror(reason));
    return sn__succeed(error);
}

bool sn__name_has(const char *name, const char *part) {
    for (; *name; name++) {
        int i = 0;
        while (part[i] && (name[i] | 32) == part[i])
            i++;
        if (!part[i]) return true;
    }
    return false;
}

size_t sn__text_hand_out(char *all, size_t size, char *text, size_t room) {
    if (!all) return 0;
    if (room) {
        const size_t part = size < room ? size : room - 1;
        memcpy(text, all, part);
        text[part] = '\0';
    }
    sn__free(all);
    return size;
}
