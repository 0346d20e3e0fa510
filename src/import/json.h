/* A thin layer over cJSON: parsing with limits, and getters that say where in the file something is wrong.
 *
 * cJSON keeps no line numbers. A text that is not JSON is reported as "file:line: reason"; a value that is not
 * what a reader needs is reported by the way to it, "file: Skeleton.Joints[3].Parent: reason". */
#ifndef SINEW_IMPORT_JSON_H
#define SINEW_IMPORT_JSON_H

#include "base/error.h"
#include "sinew/sinew.h"

struct cJSON;

enum {
    SN__JSON_MAX_DEPTH = 64,      /* of arrays and objects inside each other                   */
    SN__JSON_MAX_VALUES = 8 << 20 /* in a file: each costs about 80 bytes while the file is read */
};

/* The tree of the text, to be given back with sn__json_free; or NULL and a message. NUL bytes and blanks
   after the last bracket are forgiven. The text is not kept. */
struct cJSON *sn__json_parse(const char *text, size_t size, const char *path, sn_error *error);
void sn__json_free(struct cJSON *root); /* NULL is allowed */

/* A value and the way to it. Places are kept on the stack: `within` must live as long. */
struct sn__json {
    const struct cJSON *value;     /* NULL: there is none here             */
    const char *path;              /* the file                             */
    const struct sn__json *within; /* the array or object; NULL: the root  */
    const char *key;               /* its name in an object; NULL in an array */
    int index;                     /* its place in an array                */
};

struct sn__json sn__json_root(const struct cJSON *root, const char *path);
/* The member of that name; value NULL where there is none. */
struct sn__json sn__json_member(const struct sn__json *object, const char *key);
/* The first element of an array or object (value NULL when it has none), and the one after that. */
struct sn__json sn__json_first(const struct sn__json *array);
struct sn__json sn__json_next(const struct sn__json *element);

bool sn__json_is_array(const struct sn__json *place);
bool sn__json_is_object(const struct sn__json *place);
int sn__json_count(const struct sn__json *place); /* elements or members; 0 for anything else */

/* "file: way.to[3].value: ..." with SN_ERROR_FORMAT; returns false, so that `return sn__json_fail(...)`
   reads well. */
bool sn__json_fail(const struct sn__json *place, sn_error *error, const char *format, ...) SN__PRINTF(3, 4);

/* Members of an object. One that is absent leaves the output alone and is not an error; one that is of the
   wrong kind gives false and a message. Numbers are always finite. */
bool sn__json_double(const struct sn__json *object, const char *key, double *value, sn_error *error);
bool sn__json_doubles(const struct sn__json *object, const char *key, int count, double *value,
                      sn_error *error);
bool sn__json_int(const struct sn__json *object, const char *key, int *value, sn_error *error);
/* true, false, 0 or 1. */
bool sn__json_bool(const struct sn__json *object, const char *key, bool *value, sn_error *error);
/* The text belongs to the tree. */
bool sn__json_string(const struct sn__json *object, const char *key, const char **value, sn_error *error);
/* False and a message when there is no such member. */
bool sn__json_need(const struct sn__json *object, const char *key, sn_error *error);

/* The hull of an object's "points", x, y, z each, to be freed with sn_hull_free; NULL and a message when there is none. */
sn_hull *sn__json_hull(const struct sn__json *object, sn_error *error);

/* The numbers of an array, exactly count of them. */
bool sn__json_numbers(const struct sn__json *array, int count, double *value, sn_error *error);

#endif
