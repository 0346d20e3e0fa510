#include "import/xml.h"

#include "base/memory.h"
#include "import/scan.h"

#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------- memory */

enum { BLOCK_BYTES = 64 * 1024, BLOCK_ALIGNMENT = _Alignof(max_align_t) };

struct sn__xml_block {
    struct sn__xml_block *next;
    size_t used, size;
    max_align_t data[];
};

/* Memory that lives as long as the tree; zeroed; NULL when there is none. */
static void *take(struct sn__xml_block **head, size_t bytes) {
    bytes = (bytes + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
    struct sn__xml_block *block = *head;
    if (!block || bytes > block->size - block->used) {
        size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        block = sn__alloc(1, sizeof *block + size);
        if (!block) return NULL;
        block->size = size;
        block->next = *head;
        *head = block;
    }
    char *memory = (char *)block->data + block->used;
    block->used += bytes;
    return memory;
}

static char *copy_text(struct sn__xml_block **head, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = take(head, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void release(struct sn__xml_block *block) {
    while (block) {
        struct sn__xml_block *next = block->next;
        sn__free(block);
        block = next;
    }
}

void sn__xml_free(struct sn__xml *xml) {
    if (!xml) return;
    release(xml->block);
    sn__free(xml);
}

/* ------------------------------------------------------------------------------------------------- parsing */

struct reader {
    XML_Parser parser;
    struct sn__xml_block *block;
    const char *file;                                 /* in the blocks                                    */
    struct sn__xml_node *root, *open;                 /* open: the element the parser is inside of        */
    struct sn__xml_node *last[SN__XML_MAX_DEPTH + 1]; /* by depth, the youngest child there        */
    int depth, nnode, nattribute;
    int skipped_lines; /* before the text that expat sees                  */
    sn_error mistake;  /* SN_OK: none                                      */
};

static int line_of(const struct reader *reader) {
    XML_Size line = XML_GetCurrentLineNumber(reader->parser);
    return line > (XML_Size)(INT_MAX - reader->skipped_lines) ? INT_MAX : (int)line + reader->skipped_lines;
}

static void stop(struct reader *reader, sn_status status, const char *reason) {
    if (reader->mistake.status != SN_OK) return;
    sn__fail(&reader->mistake, status, "%.200s:%d: %s", reader->file, line_of(reader), reason);
    XML_StopParser(reader->parser, XML_FALSE);
}

/* False when out of memory. */
static bool add_attributes(struct reader *reader, struct sn__xml_node *node, const XML_Char **pair) {
    struct sn__xml_attribute **end = &node->attribute;
    for (; pair[0]; pair += 2, end = &(*end)->next) {
        struct sn__xml_attribute *attribute = take(&reader->block, sizeof *attribute);
        if (!attribute) return false;
        attribute->name = copy_text(&reader->block, pair[0]);
        attribute->value = copy_text(&reader->block, pair[1]);
        if (!attribute->name || !attribute->value) return false;
        *end = attribute;
        reader->nattribute++;
    }
    return true;
}

static void XMLCALL start_element(void *user, const XML_Char *name, const XML_Char **pair) {
    struct reader *reader = user;
    if (reader->mistake.status != SN_OK) return;
    if (reader->depth == SN__XML_MAX_DEPTH) {
        stop(reader, SN_ERROR_TOO_LARGE, "elements are nested too deeply");
        return;
    }
    if (reader->nnode == SN__XML_MAX_NODES || reader->nattribute > SN__XML_MAX_NODES) {
        stop(reader, SN_ERROR_TOO_LARGE, "too many elements or attributes");
        return;
    }
    struct sn__xml_node *node = take(&reader->block, sizeof *node);
    if (node) node->name = copy_text(&reader->block, name);
    if (!node || !node->name || !add_attributes(reader, node, pair)) {
        stop(reader, SN_ERROR_MEMORY, "out of memory");
        return;
    }
    node->file = reader->file;
    node->line = line_of(reader);
    node->parent = reader->open;
    if (!reader->open)
        reader->root = node;
    else if (reader->last[reader->depth])
        reader->last[reader->depth]->next = node;
    else
        reader->open->child = node;
    reader->last[reader->depth] = node;
    reader->open = node;
    reader->last[++reader->depth] = NULL;
    reader->nnode++;
}

static void XMLCALL end_element(void *user, const XML_Char *name) {
    struct reader *reader = user;
    (void)name;
    if (reader->mistake.status != SN_OK) return;
    reader->open = reader->open->parent;
    reader->depth--;
}

static void XMLCALL start_doctype(void *user, const XML_Char *name, const XML_Char *system_id,
                                  const XML_Char *public_id, int has_internal_subset) {
    (void)name, (void)system_id, (void)public_id;
    if (has_internal_subset)
        stop(user, SN_ERROR_FORMAT, "entities and other declarations in the document type are refused");
}

static void XMLCALL skipped_entity(void *user, const XML_Char *name, int is_parameter_entity) {
    (void)name, (void)is_parameter_entity;
    stop(user, SN_ERROR_FORMAT, "undefined entity");
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* How many bytes of blanks and comments stand before an XML declaration; 0 without one, or where it comes first. */
static size_t before_declaration(const char *text, size_t size) {
    size_t at = 0;
    for (;;) {
        while (at < size && is_blank(text[at]))
            at++;
        if (size - at < 6) return 0;
        if (memcmp(text + at, "<?xml", 5) == 0) return is_blank(text[at + 5]) ? at : 0;
        if (memcmp(text + at, "<!--", 4) != 0) return 0;
        for (at += 4; size - at >= 3 && memcmp(text + at, "-->", 3) != 0;)
            at++;
        if (size - at < 3) return 0;
        at += 3;
    }
}

static void parse(struct reader *reader, const char *text, size_t size) {
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, start_element, end_element);
    XML_SetStartDoctypeDeclHandler(reader->parser, start_doctype);
    XML_SetSkippedEntityHandler(reader->parser, skipped_entity);
    if (XML_Parse(reader->parser, text, (int)size, XML_TRUE) == XML_STATUS_OK) return;
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    stop(reader, code == XML_ERROR_NO_MEMORY ? SN_ERROR_MEMORY : SN_ERROR_FORMAT, XML_ErrorString(code));
}

static void *allocate(size_t bytes) {
    return sn__resize(NULL, bytes);
}

/* The parser's memory is the library's. */
static const XML_Memory_Handling_Suite MEMORY = {allocate, sn__resize, sn__free};

struct sn__xml *sn__xml_parse(const char *text, size_t size, const char *name, sn_error *error) {
    while (size > 0 && (text[size - 1] == '\0' || is_blank(text[size - 1])))
        size--;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, size -= 3;
    const char *reason = NULL;
    if (size > SN__XML_MAX_BYTES)
        reason = "the file is larger than 64 MiB";
    else if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        reason = "the file is in UTF-16; only UTF-8 is read";
    if (reason) {
        sn__fail(error, size > SN__XML_MAX_BYTES ? SN_ERROR_TOO_LARGE : SN_ERROR_FORMAT, "%.200s:1: %s", name,
                 reason);
        return NULL;
    }

    struct sn__xml *xml = sn__alloc(1, sizeof *xml);
    struct reader *reader = sn__alloc(1, sizeof *reader);
    if (reader) reader->parser = XML_ParserCreate_MM(NULL, &MEMORY, NULL);
    if (reader && reader->parser) reader->file = copy_text(&reader->block, name);
    if (!xml || !reader || !reader->file) {
        sn__fail(error, SN_ERROR_MEMORY, "%.200s: out of memory", name);
    } else {
        size_t skip = before_declaration(text, size);
        for (size_t i = 0; i < skip; i++)
            reader->skipped_lines += text[i] == '\n';
        parse(reader, text + skip, size - skip);
        if (error) *error = reader->mistake;
        xml->block = reader->block;
        xml->root = reader->mistake.status == SN_OK ? reader->root : NULL;
    }
    if (reader) {
        if (reader->parser) XML_ParserFree(reader->parser);
        if (!xml) release(reader->block);
        sn__free(reader);
    }
    if (xml && xml->root) return xml;
    sn__xml_free(xml);
    return NULL;
}

/* -------------------------------------------------------------------------------------------------- errors */

static sn_status fail_at(const struct sn__xml_node *node, const char *attribute, sn_error *error,
                         sn_status status, const char *format, va_list arguments) {
    char reason[320];
    vsnprintf(reason, sizeof reason, format, arguments);
    if (attribute)
        return sn__fail(error, status, "%.120s:%d: <%.30s> attribute '%.30s': %s", node->file, node->line,
                        node->name, attribute, reason);
    return sn__fail(error, status, "%.120s:%d: <%.30s> %s", node->file, node->line, node->name, reason);
}

sn_status sn__xml_fail(const struct sn__xml_node *node, sn_error *error, sn_status status, const char *format,
                       ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(node, NULL, error, status, format, arguments);
    va_end(arguments);
    return status;
}

sn_status sn__xml_fail_attribute(const struct sn__xml_node *node, const char *name, sn_error *error,
                                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fail_at(node, name, error, SN_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return SN_ERROR_FORMAT;
}

/* ------------------------------------------------------------------------------------------------- getters */

const struct sn__xml_node *sn__xml_child(const struct sn__xml_node *node, const char *name) {
    const struct sn__xml_node *child = node->child;
    return !child || strcmp(child->name, name) == 0 ? child : sn__xml_next(child, name);
}

const struct sn__xml_node *sn__xml_next(const struct sn__xml_node *node, const char *name) {
    for (node = node->next; node; node = node->next)
        if (strcmp(node->name, name) == 0) return node;
    return NULL;
}

const char *sn__xml_string(const struct sn__xml_node *node, const char *name) {
    for (const struct sn__xml_attribute *attribute = node->attribute; attribute; attribute = attribute->next)
        if (strcmp(attribute->name, name) == 0) return attribute->value;
    return NULL;
}

/* How many bytes from here could belong to a number: at most one more than is allowed. */
static size_t number_length(const char *text) {
    size_t length = 0;
    while (length <= SN__XML_MAX_NUMBER && text[length] && strchr("+-.0123456789eE", text[length]))
        length++;
    return length;
}

bool sn__xml_parse_number(const char **text, double *value) {
    size_t length = number_length(*text);
    if (length == 0 || length > SN__XML_MAX_NUMBER) return false;
    const struct sn__word word = {.text = *text, .length = sn__number_length(*text)};
    if (!sn__word_number(word, value)) return false;
    *text += word.length;
    return true;
}

static const char *skip_blanks(const char *text) {
    while (is_blank(*text))
        text++;
    return text;
}

static int fail_number(const struct sn__xml_node *node, const char *name, const char *at, sn_error *error) {
    int length = (int)strcspn(at, " \t\r\n");
    if (number_length(at) > SN__XML_MAX_NUMBER)
        sn__xml_fail_attribute(node, name, error, "a number is longer than %d bytes",
                               (int)SN__XML_MAX_NUMBER);
    else
        sn__xml_fail_attribute(node, name, error, "'%.*s' is not a finite number", length < 40 ? length : 40,
                               at);
    return -1;
}

int sn__xml_numbers(const struct sn__xml_node *node, const char *name, int least, int most, double *value,
                    sn_error *error) {
    const char *text = sn__xml_string(node, name);
    if (!text) return 0;
    int count = 0;
    for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
        const char *start = text;
        double number;
        if (!sn__xml_parse_number(&text, &number) || (*text && !is_blank(*text)))
            return fail_number(node, name, start, error);
        if (count < most) value[count] = number;
        if (++count > most) break;
    }
    if (count >= least && count <= most) return count;
    if (count > most)
        sn__xml_fail_attribute(node, name, error, "has more than %d number%s", most, most == 1 ? "" : "s");
    else
        sn__xml_fail_attribute(node, name, error, "has %d number%s, needs %s%d", count, count == 1 ? "" : "s",
                               least == most ? "" : "at least ", least);
    return -1;
}

int sn__xml_vector(const struct sn__xml_node *node, const char *name, int count, double *value,
                   sn_error *error) {
    return sn__xml_numbers(node, name, count, count, value, error);
}

int sn__xml_number(const struct sn__xml_node *node, const char *name, double *value, sn_error *error) {
    return sn__xml_numbers(node, name, 1, 1, value, error);
}

int sn__xml_integer(const struct sn__xml_node *node, const char *name, int *value, sn_error *error) {
    double number;
    int found = sn__xml_number(node, name, &number, error);
    if (found <= 0) return found;
    if (number != floor(number) || fabs(number) > INT_MAX) {
        sn__xml_fail_attribute(node, name, error, "%g is not a whole number", number);
        return -1;
    }
    *value = (int)number;
    return 1;
}

int sn__xml_choice(const struct sn__xml_node *node, const char *name, const char *const *words, int *value,
                   sn_error *error) {
    const char *text = sn__xml_string(node, name);
    if (!text) return 0;
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0) {
            *value = i;
            return 1;
        }
    char list[160] = "";
    for (int i = 0; words[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    sn__xml_fail_attribute(node, name, error, "'%.40s' is none of %s", text, list);
    return -1;
}

int sn__xml_bool(const struct sn__xml_node *node, const char *name, bool *value, sn_error *error) {
    static const char *const words[] = {"false", "true", "0", "1", NULL};
    int word;
    int found = sn__xml_choice(node, name, words, &word, error);
    if (found > 0) *value = word % 2 == 1;
    return found;
}
