/* A text that grows as it is written, for the writers of files. */
#ifndef SINEW_BASE_TEXT_H
#define SINEW_BASE_TEXT_H

#include "base/error.h"

/* Start with all zero. After the first failure nothing is added any more; sn__text_take tells of it. */
struct sn__text {
    char *data; /* '\0' at the end */
    int length, capacity;
    bool failed; /* out of memory */
};

void sn__text_add(struct sn__text *text, const char *format, ...) SN__PRINTF(2, 3);
/* The shortest of %.15g, %.16g and %.17g that reads back as the same number; a dot for the point whatever the
   locale. */
void sn__text_number(struct sn__text *text, double value);
void sn__text_bytes(struct sn__text *text, const char *bytes, int count);
/* Numbers with the separator between them. */
void sn__text_numbers(struct sn__text *text, const double *value, int count, const char *separator);
/* In quotes, with what JSON wants escaped. */
void sn__text_json_string(struct sn__text *text, const char *string);
/* For an attribute in double quotes. Characters that XML cannot hold become '?'. */
void sn__text_xml_string(struct sn__text *text, const char *string);

/* What was written, now the caller's to sn__free; NULL when memory ran out on the way. */
char *sn__text_take(struct sn__text *text, size_t *size);
/* The file with that text in it, or "path: cannot be written: reason". */
sn_status sn__file_write(const char *path, const char *text, size_t size, sn_error *error);

/* Whether a name holds a word in small letters, however it is capitalised itself. */
bool sn__name_has(const char *name, const char *part);

/* Hands out a text that was made, and frees it: as much as there is room for, ended by NUL. Returns how long all of it is;
   0: the text is NULL. */
size_t sn__text_hand_out(char *all, size_t size, char *text, size_t room);

#endif
