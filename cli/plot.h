/* Line plots as SVG files, legible on white and on dark pages. */
#ifndef SINEW_CLI_PLOT_H
#define SINEW_CLI_PLOT_H

#include <stdbool.h>

struct plot_line {
    const char *name;
    const double *y;    /* [nx]; a value that is not finite is left out, with a cross at the top edge */
    const char *colour; /* one of plot_colours, or any of SVG */
    bool dashed;
    double width; /* pixels; wide lines first, so that thin ones on top leave them visible */
};

extern const char *const plot_colours[]; /* ends with NULL */

struct plot {
    const char *title, *x_label, *y_label;
    const char *crosses;       /* what a cross means, below the legend when there are any; may be NULL */
    bool log_x, log_y;         /* a logarithmic axis leaves out what is not above 0 */
    const double *x;           /* [nx], for all lines */
    const char *const *x_name; /* [nx] ticks at the values of x; NULL: round numbers */
    int nx;
    const struct plot_line *line;
    int nline;
    const double *const *low,
        *const *high; /* [nline][nx] what is shaded about each line; values that are not finite are
                                               then left out without a cross. NULL: nothing */
};

/* A plot of lines over x; what else it wants is set afterwards. */
struct plot plot_of(const char *title, const char *x_label, const char *y_label, const double *x, int nx,
                    const struct plot_line *line, int nline);

/* Both say why on stderr when they return false. The folder is made when it is missing, with its parents. */
bool plot_make_folder(const char *path);
bool plot_write(const char *path, const struct plot *plot);

#endif
