/* Words and numbers of a plain text file, with the line they stand on. */
#ifndef SINEW_IMPORT_SCAN_H
#define SINEW_IMPORT_SCAN_H

#include "base/error.h"

enum { SN__SCAN_MAX_NUMBER = 255 }; /* bytes in a number */

struct sn__scan {
    const char *at, *end;
    const char *path; /* of the file, for messages                */
    int line;         /* of `at`, from 1                          */
    bool comments;    /* '#' at the start of a word begins one    */
};

struct sn__word {
    const char *text; /* not terminated */
    int length;       /* 0: the end     */
};

struct sn__scan sn__scan_start(const char *text, size_t size, const char *path, bool comments);

/* The next word of the file, or of the line: blanks are spaces, tabs, carriage returns and other control bytes, NUL
   among them. */
struct sn__word sn__scan_word(struct sn__scan *scan);
struct sn__word sn__scan_word_in_line(struct sn__scan *scan);
/* What the next call would give. */
struct sn__word sn__scan_peek(const struct sn__scan *scan);
/* On to the next line; false at the end. */
bool sn__scan_next_line(struct sn__scan *scan);

bool sn__word_is(struct sn__word word, const char *text);     /* upper and lower case are the same */
bool sn__word_copy(struct sn__word word, char *to, int room); /* false: does not fit */
/* The word as a finite number, a dot for the point whatever the locale: rounded correctly. */
bool sn__word_number(struct sn__word word, double *value);
/* How many bytes at the start of a text are one number: a sign, digits, a point, an exponent; 0: none. Looks at no more than
   SN__SCAN_MAX_NUMBER + 1 bytes. */
int sn__number_length(const char *text);
bool sn__word_integer(struct sn__word word, long *value);

/* "file:line: ...", SN_ERROR_FORMAT; returns false. */
bool sn__scan_fail(const struct sn__scan *scan, sn_error *error, const char *format, ...) SN__PRINTF(3, 4);
/* The next count numbers, wherever the lines end. `what` is for the message. */
bool sn__scan_numbers(struct sn__scan *scan, int count, double *value, const char *what, sn_error *error);

#endif
