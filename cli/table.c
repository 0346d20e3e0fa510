#include "table.h"

#include "terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void table_start(struct table *table, int ncolumn, const char *const *headings) {
    *table = (struct table){.ncolumn = ncolumn, .left = need_memory(NULL, (size_t)ncolumn * sizeof(bool))};
    memset(table->left, 0, (size_t)ncolumn * sizeof(bool));
    table->cell = need_memory(NULL, (size_t)ncolumn * sizeof(char *));
    for (int c = 0; c < ncolumn; c++)
        table->cell[c] = copy_text(headings[c]);
    table->ncell = ncolumn;
}

void table_add(struct table *table, const char *text, bool is_words) {
    table->cell = need_memory(table->cell, (size_t)(table->ncell + 1) * sizeof(char *));
    if (is_words) table->left[table->ncell % table->ncolumn] = true;
    table->cell[table->ncell++] = copy_text(text);
}

static void print_row(const struct table *table, const int *width, int row, FILE *out) {
    for (int c = 0; c < table->ncolumn; c++) {
        const char *text = table->cell[row * table->ncolumn + c];
        const bool last = c + 1 == table->ncolumn;
        if (table->left[c])
            fprintf(out, "%-*s", last ? 0 : width[c], text);
        else
            fprintf(out, "%*s", width[c], text);
        fputs(last ? "\n" : "  ", out);
    }
}

void table_print(const struct table *table, FILE *out) {
    int *width = need_memory(NULL, (size_t)table->ncolumn * sizeof(int));
    for (int c = 0; c < table->ncolumn; c++)
        width[c] = 0;
    for (int i = 0; i < table->ncell; i++) {
        const int length = (int)strlen(table->cell[i]), c = i % table->ncolumn;
        if (length > width[c]) width[c] = length;
    }
    fputs(style(out, STYLE_BOLD), out);
    print_row(table, width, 0, out);
    fputs(style(out, STYLE_PLAIN), out);
    for (int row = 1; row < table->ncell / table->ncolumn; row++)
        print_row(table, width, row, out);
    free(width);
}

void table_free(struct table *table) {
    for (int i = 0; i < table->ncell; i++)
        free(table->cell[i]);
    free(table->cell);
    free(table->left);
    *table = (struct table){0};
}

void number_text(double number, char text[32]) {
    const double size = fabs(number);
    int digits = 4;
    if (!isfinite(number)) {
        snprintf(text, 32, "%s", isnan(number) ? "nan" : number > 0 ? "inf" : "-inf");
        return;
    }
    if (size == floor(size) && size < 1e7)
        digits = 0;
    else if (size >= 1e7 || size < 1e-3)
        digits = -1;
    else if (size >= 1000)
        digits = 0;
    else if (size >= 100)
        digits = 1;
    else if (size >= 10)
        digits = 2;
    else if (size >= 1)
        digits = 3;
    if (digits < 0)
        snprintf(text, 32, "%.3g", number);
    else
        snprintf(text, 32, "%.*f", digits, number);
}
