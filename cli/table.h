/* A table of text: columns as wide as their widest cell, numbers to the right, words to the left. */
#ifndef SINEW_CLI_TABLE_H
#define SINEW_CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct table {
    int ncolumn, ncell;
    char **cell; /* [ncell], row by row; the first row is the heading */
    bool *left;  /* [ncolumn] the column holds words */
};

void table_start(struct table *table, int ncolumn, const char *const *headings);
/* Puts a cell at the end; every ncolumn cells make a row. */
void table_add(struct table *table, const char *text, bool is_words);
void table_print(const struct table *table, FILE *out);
void table_free(struct table *table);

/* A number as a reader wants it in a table: about four digits. `text` has room for 32 bytes. */
void number_text(double number, char text[32]);

#endif
