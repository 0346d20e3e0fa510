#include "plot.h"

#include "platform.h"
#include "terminal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of middle lightness: on white and on black alike. */
const char *const plot_colours[] = {"#3f86cc", "#d0762b", "#3b9c62", "#b263c4", "#cc4f63", NULL};
static const char *const ink = "#808080"; /* axes and words */

enum { WIDTH = 900, HEIGHT = 460, LEFT = 70, RIGHT = 640, TOP = 50, BOTTOM = 400, LEGEND = 662 };

/* Values to pixels. */
struct axis {
    double lower, upper; /* as plotted: logarithms on a logarithmic axis */
    int from, to;        /* pixels */
    bool log;
};

struct drawing {
    FILE *file;
    const struct plot *plot;
    struct axis x, y;
    int crossed;      /* lines with crosses so far */
    double last_tick; /* pixel of the last named tick of the x axis */
};

static bool shown(double value, bool log) {
    return isfinite(value) && (!log || value > 0.0);
}

static double place(const struct axis *axis, double value) {
    const double v = axis->log ? log10(value) : value;
    return axis->from + (axis->to - axis->from) * (v - axis->lower) / (axis->upper - axis->lower);
}

static void widen(struct axis *axis, double value) {
    if (!shown(value, axis->log)) return;
    const double v = axis->log ? log10(value) : value;
    axis->lower = fmin(axis->lower, v);
    axis->upper = fmax(axis->upper, v);
}

/* A little air at both ends; something to show when there are no values at all. */
static void finish(struct axis *axis) {
    if (!(axis->lower <= axis->upper)) axis->lower = 0.0, axis->upper = 1.0;
    const double air = axis->upper > axis->lower ? 0.06 * (axis->upper - axis->lower) : 0.5;
    axis->lower -= air;
    axis->upper += air;
}

/* Room at the top of the y axis when there are crosses. */
static void make_room(struct drawing *d) {
    int crossed = 0;
    for (int i = 0; i < d->plot->nline; i++) {
        bool any = false;
        for (int k = 0; k < d->plot->nx; k++)
            any |= !isfinite(d->plot->line[i].y[k]);
        crossed += any;
    }
    d->y.upper += (d->y.upper - d->y.lower) * 12.0 * crossed / (BOTTOM - TOP);
}

static void words(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
    }
}

static void label(FILE *file, double x, double y, const char *anchor, const char *more, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    words(file, text);
    fputs("</text>\n", file);
}

static void tick(struct drawing *d, const struct axis *axis, double value, const char *name) {
    const double p = place(axis, value);
    if (p < fmin(axis->from, axis->to) || p > fmax(axis->from, axis->to)) return;
    const bool horizontal = axis == &d->x;
    const double x1 = horizontal ? p : LEFT, x2 = horizontal ? p : RIGHT;
    const double y1 = horizontal ? TOP : p, y2 = horizontal ? BOTTOM : p;
    fprintf(d->file,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"0.25\"/>\n",
            x1, y1, x2, y2, ink);
    if (!horizontal) {
        label(d->file, LEFT - 8, p + 4, "end", "", name);
        return;
    }
    const bool crowded = fabs(p - d->last_tick) < 44;
    label(d->file, p, BOTTOM + (crowded ? 32 : 18), "middle", "", name);
    d->last_tick = crowded ? -WIDTH : p;
}

static void number_tick(struct drawing *d, const struct axis *axis, double value) {
    char name[32];
    snprintf(name, sizeof name, "%g", value + 0.0); /* not -0 */
    tick(d, axis, value, name);
}

/* 1, 2 and 5 times powers of ten, or only the powers when there are many. */
static void log_ticks(struct drawing *d, const struct axis *axis) {
    static const double step[] = {1, 2, 5};
    const int each = axis->upper - axis->lower > 3.0 ? 1 : 3;
    for (int power = (int)floor(axis->lower); power <= (int)ceil(axis->upper); power++)
        for (int i = 0; i < each; i++)
            number_tick(d, axis, step[i] * pow(10.0, power));
}

static void linear_ticks(struct drawing *d, const struct axis *axis) {
    const double span = axis->upper - axis->lower, decade = pow(10.0, floor(log10(span / 5.0)));
    const double rough = span / 5.0 / decade;
    const double step = decade * (rough < 2.0 ? 1.0 : rough < 5.0 ? 2.0 : 5.0);
    for (double i = ceil(axis->lower / step); i * step <= axis->upper; i += 1.0)
        number_tick(d, axis, i * step);
}

static void ticks(struct drawing *d, const struct axis *axis) {
    if (axis == &d->x && d->plot->x_name) {
        for (int i = 0; i < d->plot->nx; i++)
            tick(d, axis, d->plot->x[i], d->plot->x_name[i]);
    } else if (axis->log) {
        log_ticks(d, axis);
    } else {
        linear_ticks(d, axis);
    }
}

/* A cross at the top edge for every value that is not finite; each line has a row of its own. */
static void draw_crosses(struct drawing *d, const struct plot_line *line) {
    const double y = TOP + 12 + 10.0 * d->crossed;
    bool any = false;
    for (int i = 0; i < d->plot->nx; i++) {
        if (isfinite(line->y[i]) || !shown(d->plot->x[i], d->plot->log_x)) continue;
        fprintf(d->file, "<path d=\"M%.1f %.1fl6 6m0 -6l-6 6\" stroke=\"%s\" stroke-width=\"1.8\"/>\n",
                place(&d->x, d->plot->x[i]) - 3, y - 3, line->colour);
        any = true;
    }
    d->crossed += any;
}

/* From the lower edge forwards, along the upper one back. */
static void draw_band(struct drawing *d, int line) {
    const struct plot *plot = d->plot;
    const double *edge[2] = {plot->low[line], plot->high[line]};
    bool open = false;
    fprintf(d->file, "<path fill=\"%s\" fill-opacity=\"0.15\" d=\"", plot->line[line].colour);
    for (int k = 0; k < 2 * plot->nx; k++) {
        const int i = k < plot->nx ? k : 2 * plot->nx - 1 - k;
        if (!shown(plot->x[i], plot->log_x) || !shown(edge[0][i], plot->log_y) ||
            !shown(edge[1][i], plot->log_y))
            continue;
        fprintf(d->file, "%c%.1f %.1f", open ? 'L' : 'M', place(&d->x, plot->x[i]),
                place(&d->y, edge[k >= plot->nx][i]));
        open = true;
    }
    fputs(open ? "Z\"/>\n" : "\"/>\n", d->file);
}

static void draw_line(struct drawing *d, const struct plot_line *line) {
    const struct plot *plot = d->plot;
    const char *dash = line->dashed ? " stroke-dasharray=\"6 4\"" : "";
    bool open = false;
    fprintf(d->file,
            "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linejoin=\"round\"%s d=\"",
            line->colour, line->width, dash);
    for (int i = 0; i < plot->nx; i++) {
        const bool drawn = shown(plot->x[i], plot->log_x) && shown(line->y[i], plot->log_y);
        if (drawn)
            fprintf(d->file, "%c%.1f %.1f", open ? 'L' : 'M', place(&d->x, plot->x[i]),
                    place(&d->y, line->y[i]));
        open = drawn;
    }
    fputs("\"/>\n", d->file);
    for (int i = 0; i < plot->nx; i++)
        if (shown(plot->x[i], plot->log_x) && shown(line->y[i], plot->log_y))
            fprintf(d->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n",
                    place(&d->x, plot->x[i]), place(&d->y, line->y[i]), 1.5 + 0.5 * line->width,
                    line->colour);
    if (!plot->low) draw_crosses(d, line);
}

static void draw_legend(struct drawing *d) {
    const struct plot *plot = d->plot;
    double y = TOP + 10;
    for (int i = 0; i < plot->nline; i++, y += 20) {
        const struct plot_line *line = &plot->line[i];
        fprintf(d->file, "<path stroke=\"%s\" stroke-width=\"%.1f\"%s d=\"M%d %.1fh26\"/>\n", line->colour,
                line->width, line->dashed ? " stroke-dasharray=\"6 4\"" : "", LEGEND, y);
        label(d->file, LEGEND + 34, y + 4, "start", "", line->name);
    }
    if (d->crossed && plot->crosses) {
        fprintf(d->file, "<path d=\"M%d %.1fl6 6m0 -6l-6 6\" stroke=\"%s\" stroke-width=\"1.6\"/>\n",
                LEGEND + 10, y - 3, ink);
        label(d->file, LEGEND + 34, y + 4, "start", "", plot->crosses);
    }
}

static void draw(struct drawing *d) {
    const struct plot *plot = d->plot;
    char turn[64];
    fprintf(d->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n<title>",
            WIDTH, HEIGHT, WIDTH, HEIGHT, ink);
    words(d->file, plot->title);
    fputs("</title>\n", d->file);
    label(d->file, (LEFT + RIGHT) / 2.0, 26, "middle", " font-size=\"15\"", plot->title);
    ticks(d, &d->x);
    ticks(d, &d->y);
    fprintf(d->file, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"%s\"/>\n",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, ink);
    label(d->file, (LEFT + RIGHT) / 2.0, BOTTOM + 50, "middle", "", plot->x_label);
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 18 %d)\"", (TOP + BOTTOM) / 2);
    label(d->file, 18, (TOP + BOTTOM) / 2.0, "middle", turn, plot->y_label);
    for (int i = 0; i < plot->nline && plot->low; i++)
        draw_band(d, i);
    for (int i = 0; i < plot->nline; i++)
        draw_line(d, &plot->line[i]);
    draw_legend(d);
    fputs("</svg>\n", d->file);
}

struct plot plot_of(const char *title, const char *x_label, const char *y_label, const double *x, int nx,
                    const struct plot_line *line, int nline) {
    return (struct plot){
        .title = title, .x_label = x_label, .y_label = y_label, .x = x, .nx = nx, .line = line, .nline = nline};
}

bool plot_write(const char *path, const struct plot *plot) {
    struct drawing d = {.file = open_file(path, "wb"),
                        .plot = plot,
                        .last_tick = -WIDTH,
                        .x = {INFINITY, -INFINITY, LEFT, RIGHT, plot->log_x},
                        .y = {INFINITY, -INFINITY, BOTTOM, TOP, plot->log_y}};
    bool good = d.file != NULL;
    if (good) {
        for (int i = 0; i < plot->nx; i++)
            widen(&d.x, plot->x[i]);
        for (int i = 0; i < plot->nline; i++)
            for (int k = 0; k < plot->nx; k++) {
                widen(&d.y, plot->line[i].y[k]);
                if (plot->low) widen(&d.y, plot->low[i][k]);
                if (plot->low) widen(&d.y, plot->high[i][k]);
            }
        finish(&d.x);
        finish(&d.y);
        if (!plot->low) make_room(&d);
        draw(&d);
        good = !ferror(d.file);
        good = fclose(d.file) == 0 && good;
    }
    if (!good) complain(EXIT_FAILED, "%s cannot be written: %s", path, strerror(errno));
    return good;
}

bool plot_make_folder(const char *path) {
    char *part = copy_text(path);
    for (char *slash = strchr(part + (*part == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        make_folder(part); /* what matters is the last one */
        *slash = '/';
    }
    const bool made = make_folder(part);
    const int reason = errno;
    free(part);
    if (made) return true;
    return complain(EXIT_FAILED, "%s: the folder cannot be made: %s", path,
                    exists(path) ? "there is a file of that name" : strerror(reason)) == EXIT_DONE;
}
