/* The roofline: the highest speed that a program can reach, given its demands on the machine.
 *
 * A program's intensity is its operations per byte that it moves. Memory delivers at most
 * `bandwidth` bytes a second, so the program can do at most intensity * bandwidth operations in
 * that time, and at most the machine's peak. The two limits meet at the ridge, peak / bandwidth:
 * below it memory limits a program, above it arithmetic. Source: Williams, Waterman and Patterson
 * 2009, "Roofline: An Insightful Visual Performance Model for Multicore Architectures". */
#ifndef ATTN_ROOFLINE_ROOFLINE_H
#define ATTN_ROOFLINE_ROOFLINE_H

#include <stdbool.h>

#include "show/matrix.h"

enum { ROOFLINE_MAX_POINTS = 16, ROOFLINE_MAX_ROOFS = 2 };

struct roof {
    size_t n_threads;
    double peak;      /* operations a second */
    double bandwidth; /* bytes a second */
};

struct roofline_point {
    const char *name;
    const char *because; /* a sentence on why it is as fast as it is, or NULL */
    const struct roof *roof;
    double operations, bytes; /* of one call: computed operations, and the least bytes to move */
    double seconds;           /* the time of one call */
};

struct roofline {
    const char *title;
    struct roof roofs[ROOFLINE_MAX_ROOFS]; /* the first is that of one thread */
    size_t n_roofs;
    struct roofline_point points[ROOFLINE_MAX_POINTS];
    size_t n_points;
};

double roof_ridge(const struct roof *roof);                    /* operations per byte */
double roof_limit(const struct roof *roof, double intensity);  /* operations a second */
double roofline_intensity(const struct roofline_point *point); /* operations per byte */
double roofline_rate(const struct roofline_point *point);      /* operations a second */
bool roofline_is_memory_bound(const struct roofline_point *point);

/* Draws it between logarithmic axes, up to 76 columns wide: the roofs as lines, each point as the
 * sign that its sentence below begins with. The sentences say what limits each point, and how much
 * of that limit it reaches. */
void roofline_show(struct doc *doc, const struct roofline *roofline,
                   const struct show_options *options);

#endif
