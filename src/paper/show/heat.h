/* Tensors as heatmaps. */
#ifndef ATTN_SHOW_HEAT_H
#define ATTN_SHOW_HEAT_H

#include "show/matrix.h"

/* Which numbers the two ends of the colours mean. The legend says it. */
enum heat_scale {
    HEAT_AUTO,   /* HEAT_ROW for weights, HEAT_MATRIX for everything else; HEAT_SHARED for several
                  * pictures drawn together */
    HEAT_ROW,    /* each row's own lowest and highest number; for weights 0 and the highest */
    HEAT_MATRIX, /* the lowest and highest number of the whole tensor */
    HEAT_SHARED, /* the lowest and highest number of all pictures that are drawn together */
    HEAT_UNIT,   /* 0 and 1; numbers outside have the colour of the nearer end */
    HEAT_SCALES
};

/* "auto", "row", "matrix", "shared", "unit". */
const char *heat_scale_name(enum heat_scale scale);

/* True if the rows (along the last axis) could be attention weights: no number is negative, and
 * each row adds up to 1 or, all hidden, to 0. *ret_n_ones of them add up to 1. */
bool heat_rows_are_weights(const struct tensor *x, size_t *ret_n_ones);
/* The same, and at least one row adds up to 1. Never for booleans. */
bool heat_is_weights(const struct tensor *x);

struct heat_options {
    enum heat_scale scale;
    size_t heading_lines; /* the most lines for the names of narrow columns, which are then cut to
                           * that many letters; 0: as many as they need */
};

/* The lines that heat_show_as() added, if it is one table: headings first, then its cells, and the
 * legend last. */
struct heat_lines {
    size_t n_headings, n_legend; /* the title, if any, is one of the headings */
};

/* A heatmap: each cell is a tinted block, with its number inside if it fits the width (with fewer
 * decimals, at least two, and shorter column names if that helps), labels at the sides, and a
 * legend that names the scale and its ends. Matrices that are too wide or taller than 40 rows use
 * half-block cells, two rows in a line, and are averaged down if even that is too wide (the legend
 * says so). Without colour, and in ascii, shade characters stand for the tints.
 *
 * Hidden cells (picture->hidden, and -inf) have no colour, but a middle dot, '/' in ascii. +inf and
 * NaN have signs of their own. The legend names the signs that occur. Numbers of one sign whose
 * least is at least 0.8 of the greatest are nearly even: the legend says so, and their colours
 * begin at 0, so that small differences look small. A vector is one row. */
void heat_show(struct doc *doc, const struct picture *picture, const struct show_options *options);
struct heat_lines heat_show_as(struct doc *doc, const struct picture *picture,
                               const struct show_options *options, struct heat_options how);
/* n > 0 heatmaps side by side if there is room for their numbers, else one below the other. With
 * one scale for all they share one legend, which says so. */
void heat_show_together(struct doc *doc, const struct picture *pictures, size_t n,
                        const struct show_options *options, enum heat_scale scale);

#endif
