#include "plot_bars.h"

#include "plot.h"
#include "table.h"
#include "platform.h"
#include "terminal.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ink = "#808080"; /* as in plot.c: legible on white and on black */

enum { WIDTH = 900, LABEL = 300, FROM = 312, TO = 780, TOP = 64, ROW = 20, MOST_ROWS = 200 };

/* Rows of one table, and the column drawn. */
struct bars {
    const struct record *row;
    int nrow, first;     /* first: 1 when the rows start with the table's name */
    int keys;            /* so many fields from there on say what a row is */
    int column, paper;   /* paper: -1 when there is none */
    double lower, upper; /* of the axis; logarithms on a logarithmic one */
    bool log;
};

/* Fields that say what was done, not what came of it: words, and the usual parameters. They stand first. */
static int count_keys(const struct record *row, int first) {
    static const char *const parameters[] = {"dt", "kp", "kd", "e", "hertz", "characters", "threads"};
    int n = first;
    for (; n < row->count; n++) {
        const int kind = row->field[n].value.kind;
        bool key = kind == VALUE_TEXT || kind == VALUE_FLAG || kind == VALUE_STEP;
        for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
            key = key || strcmp(row->field[n].key, parameters[i]) == 0;
        if (!key) break;
    }
    return n == first ? 1 : n - first;
}

static double value_of(const struct bars *b, int row, int column) {
    const struct value *value = column < 0 ? NULL : &b->row[row].field[column].value;
    return value && value->kind == VALUE_NUMBER ? value->number : (double)NAN;
}

/* The field "paper_NAME", or -1. */
static int find_paper(const struct record *row, const char *name) {
    for (int i = 0; i < row->count; i++)
        if (strncmp(row->field[i].key, "paper_", 6) == 0 && strcmp(row->field[i].key + 6, name) == 0)
            return i;
    return -1;
}

/* ------------------------------------------------------------------------------------------------------ drawing */

static void words(FILE *file, const char *text) {
    for (; *text; text++) {
        const char *escape = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (escape)
            fputs(escape, file);
        else
            fputc(*text, file);
    }
}

static void label(FILE *file, double x, double y, const char *anchor, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    words(file, text);
    fputs("</text>\n", file);
}

static void set_axis(struct bars *b) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < b->nrow; i++) {
        const double both[2] = {value_of(b, i, b->column), value_of(b, i, b->paper)};
        for (int k = 0; k < 2; k++) {
            if (!isfinite(both[k])) continue;
            least = fmin(least, both[k]);
            most = fmax(most, both[k]);
        }
    }
    b->log = least > 0 && most > 100 * least;
    b->lower = b->log ? floor(log10(least) - 0.3) : fmin(0, least);
    b->upper = b->log ? log10(most) : fmax(0, most);
    if (!(b->upper > b->lower)) b->upper = b->lower + 1;
}

static double place(const struct bars *b, double value) {
    return FROM + (TO - FROM) * ((b->log ? log10(value) : value) - b->lower) / (b->upper - b->lower);
}

static void row_name(const struct bars *b, int row, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = b->first; i < b->first + b->keys && used < size; i++) {
        const struct field *field = &b->row[row].field[i];
        char part[96] = "";
        if (field->value.kind == VALUE_TEXT) snprintf(part, sizeof part, "%s", field->value.text);
        if (field->value.kind == VALUE_STEP)
            snprintf(part, sizeof part, "%s 1/%.0f", field->key, 1 / field->value.number);
        if (field->value.kind == VALUE_FLAG)
            snprintf(part, sizeof part, "%s%s", field->value.flag ? "" : "not ", field->key);
        if (field->value.kind == VALUE_NUMBER)
            snprintf(part, sizeof part, "%s %.6g", field->key, field->value.number);
        used += (size_t)snprintf(text + used, size - used, "%s%s", used && part[0] ? ", " : "", part);
    }
}

static void draw_row(FILE *file, const struct bars *b, int row) {
    const double y = TOP + ROW * row, ours = value_of(b, row, b->column), paper = value_of(b, row, b->paper);
    const double zero = b->log ? FROM : place(b, 0);
    char text[160], short_text[32];
    row_name(b, row, text, sizeof text);
    label(file, LABEL, y + 13, "end", text);
    if (isfinite(ours)) {
        const double end = place(b, ours);
        fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" rx=\"2\" fill=\"%s\"/>\n",
                fmin(zero, end), y + 3, fmax(1, fabs(end - zero)), plot_colours[0]);
        number_text(ours, short_text);
        label(file, TO + 10, y + 13, "start", short_text);
    } else if (b->row[row].field[b->column].value.kind == VALUE_NUMBER) {
        label(file, FROM + 6, y + 13, "start", "diverges");
    }
    if (isfinite(paper))
        fprintf(file, "<path d=\"M%.1f %.1fv18\" stroke=\"%s\" stroke-width=\"3\"/>\n", place(b, paper), y,
                plot_colours[1]);
}

static void draw(FILE *file, const struct bars *b, const char *title) {
    const int height = TOP + ROW * b->nrow + 20;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n<title>",
            WIDTH, height, WIDTH, height, ink);
    words(file, title);
    fputs("</title>\n<g font-size=\"15\">", file);
    label(file, WIDTH / 2.0, 24, "middle", title);
    fputs("</g>\n", file);
    label(file, FROM, 46, "start", b->log ? "logarithmic scale" : "");
    if (b->paper >= 0) {
        fprintf(file, "<path d=\"M%d 34v18\" stroke=\"%s\" stroke-width=\"3\"/>\n", TO - 46, plot_colours[1]);
        label(file, TO - 38, 46, "start", "paper");
    }
    fprintf(file, "<path d=\"M%.1f %dV%d\" stroke=\"%s\" stroke-opacity=\"0.5\"/>\n",
            b->log ? FROM : place(b, 0), TOP, TOP + ROW * b->nrow, ink);
    for (int i = 0; i < b->nrow; i++)
        draw_row(file, b, i);
    fputs("</svg>\n", file);
}

/* -------------------------------------------------------------------------------------------------------- files */

/* A name a file can have: letters and digits, the rest as '-'. */
static void file_name(const char *text, char *name, size_t size) {
    size_t used = 0;
    for (; *text && used + 1 < size && used < 40; text++)
        if (isalnum((unsigned char)*text))
            name[used++] = *text;
        else if (used && name[used - 1] != '-')
            name[used++] = '-';
    while (used && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

static bool write_bars(struct bars *b, const struct result *result, int number, const char *folder) {
    const char *key = b->row->field[b->column].key;
    char path[4096], column[64], title[256];
    file_name(key, column, sizeof column);
    snprintf(path, sizeof path, "%s/table%d-%s.svg", folder, number, column);
    snprintf(title, sizeof title, "%s: %s%s%s", result->experiment, key, table_name(b->row)[0] ? ", " : "",
             table_name(b->row));
    set_axis(b);
    FILE *file = open_file(path, "wb");
    if (file) draw(file, b, title);
    bool good = file && !ferror(file);
    if (file) good = fclose(file) == 0 && good;
    if (!good) complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    return good;
}

static bool is_measured(const struct bars *b, int column) {
    for (int i = 0; i < b->nrow; i++)
        if (b->row[i].field[column].value.kind == VALUE_NUMBER) return true;
    return false;
}

int plot_bars(const struct result *result, const char *folder) {
    int count = 0, number = 0;
    for (int first = 0, last; first < result->nrow; first = last) {
        const struct record *row = &result->row[first];
        for (last = first + 1; last < result->nrow && same_table(row, &result->row[last]); last++)
            continue;
        struct bars b = {.row = row, .nrow = last - first < MOST_ROWS ? last - first : MOST_ROWS};
        b.first = table_name(row)[0] != '\0';
        b.keys = count_keys(row, b.first);
        number++;
        for (b.column = b.first + b.keys; b.column < row->count; b.column++) {
            const char *key = row->field[b.column].key;
            if (strncmp(key, "paper_", 6) == 0 || !is_measured(&b, b.column)) continue;
            b.paper = find_paper(row, key);
            if (!write_bars(&b, result, number, folder)) return -1;
            count++;
        }
    }
    return count;
}
