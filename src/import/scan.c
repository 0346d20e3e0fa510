#include "import/scan.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return (unsigned char)c <= ' ' && c != '\n';
}

/* Over blanks, and over lines too when `lines`. */
static void skip(struct sn__scan *scan, bool lines) {
    while (scan->at < scan->end) {
        if (*scan->at == '\n') {
            if (!lines) return;
            scan->line++;
        } else if (scan->comments && *scan->at == '#') {
            while (scan->at < scan->end && *scan->at != '\n')
                scan->at++;
            continue;
        } else if (!is_blank(*scan->at)) {
            return;
        }
        scan->at++;
    }
}

static struct sn__word take(struct sn__scan *scan) {
    const char *start = scan->at;
    while (scan->at < scan->end && (unsigned char)*scan->at > ' ')
        scan->at++;
    const ptrdiff_t length = scan->at - start;
    return (struct sn__word){start, length > (1 << 30) ? 1 << 30 : (int)length};
}

struct sn__scan sn__scan_start(const char *text, size_t size, const char *path, bool comments) {
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3; /* byte order mark */
    return (struct sn__scan){.at = text, .end = text + size, .path = path, .line = 1, .comments = comments};
}

struct sn__word sn__scan_word(struct sn__scan *scan) {
    skip(scan, true);
    return take(scan);
}

struct sn__word sn__scan_word_in_line(struct sn__scan *scan) {
    skip(scan, false);
    return take(scan);
}

struct sn__word sn__scan_peek(const struct sn__scan *scan) {
    struct sn__scan copy = *scan;
    return sn__scan_word(&copy);
}

bool sn__scan_next_line(struct sn__scan *scan) {
    const char *end = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    if (!end) {
        scan->at = scan->end;
        return false;
    }
    scan->at = end + 1;
    scan->line++;
    return scan->at < scan->end;
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sn__word_is(struct sn__word word, const char *text) {
    for (int i = 0; i < word.length; i++)
        if (lower(word.text[i]) != lower(text[i])) return false; /* stops at the end of text, which is '\0' */
    return text[word.length] == '\0';
}

bool sn__word_copy(struct sn__word word, char *to, int room) {
    if (word.length >= room) return false;
    memcpy(to, word.text, (size_t)word.length);
    to[word.length] = '\0';
    return true;
}

/* What strtod says, in the C locale. */
static bool parse_slowly(struct sn__word word, double *value) {
    char text[SN__SCAN_MAX_NUMBER + 1], *end;
    if (!sn__word_copy(word, text, sizeof text)) return false;
    /* strtod knows "inf", "nan" and hexadecimal numbers; these files do not */
    if (strspn(text, "+-.0123456789eE") != (size_t)word.length) return false;
    const struct lconv *conventions = localeconv();
    const char *point = conventions ? conventions->decimal_point : ".";
    char local[SN__SCAN_MAX_NUMBER + 16];
    const char *dot = strchr(text, '.');
    if (dot && strcmp(point, ".") != 0) {
        if (strlen(point) > 8) return false;
        const int before = (int)(dot - text);
        snprintf(local, sizeof local, "%.*s%s%s", before, text, point, dot + 1);
    } else {
        memcpy(local, text, sizeof text);
    }
    *value = strtod(local, &end);
    return end != local && *end == '\0' && isfinite(*value);
}

/* Up to 15 digits make an integer that a double holds exactly, and so are the powers of ten up to 22: one operation on
   two exact numbers is rounded correctly. */
bool sn__word_number(struct sn__word word, double *value) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *c = word.text, *end = c + word.length;
    if (word.length < 1 || word.length > SN__SCAN_MAX_NUMBER) return false;
    const bool negative = *c == '-';
    if (*c == '-' || *c == '+') c++;
    int64_t mantissa = 0;
    int digits = 0, exponent = 0;
    bool point = false, any = false;
    for (; c < end; c++) {
        if (*c == '.') {
            if (point) return false;
            point = true;
            continue;
        }
        if (*c < '0' || *c > '9') break;
        any = true;
        if (digits > 0 || *c != '0') digits++;
        if (digits > 15) return parse_slowly(word, value);
        mantissa = 10 * mantissa + (*c - '0');
        exponent -= point;
    }
    if (!any) return false;
    if (c < end && (*c == 'e' || *c == 'E')) {
        const bool down = c + 1 < end && c[1] == '-';
        int written = 0;
        c += c + 1 < end && (c[1] == '-' || c[1] == '+') ? 2 : 1;
        if (c >= end) return false;
        for (; c < end && *c >= '0' && *c <= '9'; c++)
            if (written < 10000) written = 10 * written + (*c - '0');
        exponent += down ? -written : written;
    }
    if (c != end) return false;
    if (mantissa == 0) {
        *value = negative ? -0.0 : 0.0;
        return true;
    }
    if (exponent < -22 || exponent > 22) return parse_slowly(word, value);
    const double size =
        exponent < 0 ? (double)mantissa / power[-exponent] : (double)mantissa * power[exponent];
    *value = negative ? -size : size;
    return true;
}

static int digits_at(const char *text, int from) {
    int at = from;
    while (at <= SN__SCAN_MAX_NUMBER && text[at] >= '0' && text[at] <= '9')
        at++;
    return at - from;
}

int sn__number_length(const char *text) {
    int at = *text == '+' || *text == '-';
    const int before = digits_at(text, at);
    at += before;
    if (text[at] == '.') {
        const int after = digits_at(text, at + 1);
        if (!before && !after) return 0;
        at += 1 + after;
    } else if (!before) {
        return 0;
    }
    if (text[at] != 'e' && text[at] != 'E') return at;
    const int sign = text[at + 1] == '+' || text[at + 1] == '-', power = digits_at(text, at + 1 + sign);
    return power ? at + 1 + sign + power : at;
}

bool sn__word_integer(struct sn__word word, long *value) {
    double number;
    if (!sn__word_number(word, &number) || !(fabs(number) <= 2147483647.0) || number != floor(number))
        return false;
    *value = (long)number;
    return true;
}

bool sn__scan_fail(const struct sn__scan *scan, sn_error *error, const char *format, ...) {
    char reason[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    sn__fail(error, SN_ERROR_FORMAT, "%s:%d: %s", scan->path, scan->line, reason);
    return false;
}

bool sn__scan_numbers(struct sn__scan *scan, int count, double *value, const char *what, sn_error *error) {
    for (int i = 0; i < count; i++) {
        struct sn__word word = sn__scan_word(scan);
        if (!sn__word_number(word, &value[i]))
            return sn__scan_fail(scan, error, "%s needs %d number%s, and '%.*s' is none", what, count,
                                 count > 1 ? "s" : "", word.length < 20 ? word.length : 20, word.text);
    }
    return true;
}
