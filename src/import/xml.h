/* A small document tree over expat, for readers whose files say everything in attributes: text between the
 * tags is not kept.
 *
 * Made for files of strangers. Documents that declare entities or attributes are refused, and so is what is too large,
 * too deep or has too many nodes; memory is at most a small multiple of the text. Forgiven are NUL bytes and blanks
 * after the last tag, and blanks and comments before the XML declaration.
 *
 * Getters return what they found: 0 when the attribute is absent (the output is then left alone), -1 on an error, which
 * is reported as "file:line: <element> attribute 'name': reason". */
#ifndef SINEW_IMPORT_XML_H
#define SINEW_IMPORT_XML_H

#include "base/error.h"

enum {
    SN__XML_MAX_BYTES = 64 << 20, /* in a document                     */
    SN__XML_MAX_DEPTH = 256,      /* of elements inside each other     */
    SN__XML_MAX_NODES = 1 << 20,  /* elements, and as many attributes  */
    SN__XML_MAX_NUMBER = 255,     /* bytes in a number                 */
};

struct sn__xml_attribute {
    const char *name, *value;
    struct sn__xml_attribute *next; /* in the order of the file; NULL at the end */
};

struct sn__xml_node {
    const char *name;
    const char *file;                           /* the name given to sn__xml_parse, for messages */
    int line;                                   /* where its start tag begins, from 1            */
    struct sn__xml_attribute *attribute;        /* the first; NULL: none */
    struct sn__xml_node *parent, *child, *next; /* child: the first; next: of the same parent */
};

struct sn__xml {
    struct sn__xml_node *root;   /* never NULL */
    struct sn__xml_block *block; /* all memory of the tree */
};

/* The tree of the text, or NULL and a message. name stands for the file in messages. The text is not kept. */
struct sn__xml *sn__xml_parse(const char *text, size_t size, const char *name, sn_error *error);
void sn__xml_free(struct sn__xml *xml); /* NULL is allowed */

/* "file:line: <element> ..." and, with the attribute, "file:line: <element> attribute 'name': ...". Both return the
   status. */
sn_status sn__xml_fail(const struct sn__xml_node *node, sn_error *error, sn_status status, const char *format,
                       ...) SN__PRINTF(4, 5);
sn_status sn__xml_fail_attribute(const struct sn__xml_node *node, const char *name, sn_error *error,
                                 const char *format, ...) SN__PRINTF(4, 5);

/* The first child of that name, and the next node of that name beside a node; NULL: no more. */
const struct sn__xml_node *sn__xml_child(const struct sn__xml_node *node, const char *name);
const struct sn__xml_node *sn__xml_next(const struct sn__xml_node *node, const char *name);

/* The attribute's value as it stands; NULL when absent. */
const char *sn__xml_string(const struct sn__xml_node *node, const char *name);
/* Between least and most finite numbers, with blanks between them; returns how many. */
int sn__xml_numbers(const struct sn__xml_node *node, const char *name, int least, int most, double *value,
                    sn_error *error);
/* Exactly one, two, three ...: returns count, 0 or -1. */
int sn__xml_vector(const struct sn__xml_node *node, const char *name, int count, double *value,
                   sn_error *error);
int sn__xml_number(const struct sn__xml_node *node, const char *name, double *value, sn_error *error);
/* A whole number; returns 1, 0 or -1. */
int sn__xml_integer(const struct sn__xml_node *node, const char *name, int *value, sn_error *error);
/* "true", "false", "1" or "0". */
int sn__xml_bool(const struct sn__xml_node *node, const char *name, bool *value, sn_error *error);
/* One of the words, the list of which ends with NULL; *value is its place. */
int sn__xml_choice(const struct sn__xml_node *node, const char *name, const char *const *words, int *value,
                   sn_error *error);

/* One number in the notation of C, a dot for the point whatever the locale. On success *text stands behind it. False
   for what is not a number, not finite, or longer than SN__XML_MAX_NUMBER bytes. */
bool sn__xml_parse_number(const char **text, double *value);

#endif
