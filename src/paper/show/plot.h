/* Numbers over positions, or over other numbers, as a line chart in text. */
#ifndef ATTN_SHOW_PLOT_H
#define ATTN_SHOW_PLOT_H

#include "show/matrix.h"

enum { PLOT_MAX_CURVES = 4, PLOT_LINES = 12 };

/* One curve: a vector, its title and its id. Borrowed, only read. */
struct plot_curve {
    const struct tensor *y;      /* (n) */
    const struct labels *labels; /* n names of its positions, for places in words; or NULL */
    const char *title;
    uint64_t id;     /* for cell_ref.tensor; 0: spans point at no cell */
    size_t position; /* row-major position of its first number in that tensor */
};

struct plot {
    const struct tensor *x;                    /* (n), in any order; NULL: positions 0 to n - 1 */
    const char *x_title;                       /* used only with x */
    size_t n_curves;                           /* 1 to PLOT_MAX_CURVES */
    struct plot_curve curves[PLOT_MAX_CURVES]; /* all of the same n */

    size_t n_lines; /* lines of the chart, at most PLOT_LINES; 0: PLOT_LINES, and
                     * options->extra_lines more */
    bool
        is_bare; /* without words, except for the names of several curves; x is never logarithmic */
    bool is_log_y;        /* y on a logarithmic axis, without numbers that are not positive */
    double x_low, x_high; /* the ends of the x axis; if equal: the ends of the points */
    double y_low, y_high; /* the same for y */
    bool has_mark;        /* draws a line from top to bottom at x = mark */
    double mark;
};

/* A line from each point to the next in the given order, up to 72 columns wide and PLOT_LINES high
 * (144 wide and 48 high if options->extra_lines lets it grow), between axes with a few round
 * numbers. One curve, or several if there is colour, are drawn in braille dots; otherwise each has
 * a sign of its own: * o + x. Points whose x or y is not finite are left out, with a gap in the
 * line, and counted. An x that is positive throughout and whose largest is at least 64 times its
 * smallest gets a logarithmic axis. Below the chart everything is said in words: the name of each
 * curve, its lowest, highest and last number and their positions. */
void plot_show(struct doc *doc, const struct plot *plot, const struct show_options *options);

#endif
