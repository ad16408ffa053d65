/* See roofline.h. */
#include "roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"

enum {
    LINES = 13,
    COLS_MAX = 76,
    GUTTER = 7, /* columns left of the chart: a number, a gap and the axis */
    TICK_GAP = 2,
};

/* ---- the model ---- */

double roof_ridge(const struct roof *roof)
{
    return roof->peak / roof->bandwidth;
}

double roof_limit(const struct roof *roof, double intensity)
{
    return fmin(roof->peak, intensity * roof->bandwidth);
}

double roofline_intensity(const struct roofline_point *point)
{
    return point->operations / point->bytes;
}

double roofline_rate(const struct roofline_point *point)
{
    return point->operations / point->seconds;
}

bool roofline_is_memory_bound(const struct roofline_point *point)
{
    return roofline_intensity(point) < roof_ridge(point->roof);
}

/* ---- the chart ---- */

struct range {
    double low, high; /* above 0 */
};

struct spot {
    char sign;          /* of a point; '\0': none */
    unsigned char roof; /* 1 + which roof passes here; 0: none */
};

struct chart {
    const struct roofline *roofline;
    const struct show_options *options;
    struct range x, y;
    size_t n_cols;
    struct spot spots[LINES][COLS_MAX];
};

static void include(struct range *range, double number)
{
    range->low = fmin(range->low, number);
    range->high = fmax(range->high, number);
}

/* Room around all points, and around the ridges, where the roofs bend. */
static void find_ranges(struct chart *chart)
{
    const struct roofline *roofline = chart->roofline;
    chart->x = chart->y = (struct range){.low = HUGE_VAL, .high = 0};
    for (size_t i = 0; i < roofline->n_roofs; i++) {
        include(&chart->x, roof_ridge(&roofline->roofs[i]) / 4);
        include(&chart->x, roof_ridge(&roofline->roofs[i]) * 4);
        include(&chart->y, roofline->roofs[i].peak * 1.5);
    }
    for (size_t i = 0; i < roofline->n_points; i++) {
        include(&chart->x, roofline_intensity(&roofline->points[i]) / 1.6);
        include(&chart->x, roofline_intensity(&roofline->points[i]) * 1.6);
        include(&chart->y, roofline_rate(&roofline->points[i]) / 1.4);
        include(&chart->y, roofline_rate(&roofline->points[i]) * 1.2);
    }
}

/* The nearest of n places along a logarithmic axis; n or more beyond its end. */
static size_t place(const struct range *range, double number, size_t n)
{
    double share = log(number / range->low) / log(range->high / range->low);
    return share < 0 ? n : (size_t)lround(share * (double)(n - 1));
}

/* The intensity in the middle of a column. */
static double intensity_at(const struct chart *chart, size_t col)
{
    return chart->x.low *
           pow(chart->x.high / chart->x.low, (double)col / (double)(chart->n_cols - 1));
}

static size_t line_of(const struct chart *chart, double rate)
{
    size_t from_below = place(&chart->y, rate, LINES);
    return from_below < LINES ? LINES - 1 - from_below : LINES;
}

static void draw_roof(struct chart *chart, size_t i)
{
    const struct roof *roof = &chart->roofline->roofs[i];
    for (size_t col = 0; col < chart->n_cols; col++) {
        size_t line = line_of(chart, roof_limit(roof, intensity_at(chart, col)));
        if (line < LINES && chart->spots[line][col].roof == 0)
            chart->spots[line][col].roof = (unsigned char)(i + 1);
    }
}

/* 1 to 9, then letters. */
static char sign_of(size_t i)
{
    return (char)(i < 9 ? '1' + (int)i : 'a' + (int)(i - 9));
}

/* Where a point lies another one may stand already: then it stands beside it. */
static void draw_point(struct chart *chart, size_t i)
{
    const struct roofline_point *point = &chart->roofline->points[i];
    size_t line = line_of(chart, roofline_rate(point));
    size_t col = place(&chart->x, roofline_intensity(point), chart->n_cols);
    if (line >= LINES || col >= chart->n_cols)
        return;
    for (size_t step = 0; step < 2 * chart->n_cols; step++) {
        size_t at = col + (step + 1) / 2;
        if (step % 2 == 1) /* right, then left of it, ever further away */
            at = col >= (step + 1) / 2 ? col - (step + 1) / 2 : chart->n_cols;
        if (at < chart->n_cols && chart->spots[line][at].sign == '\0') {
            chart->spots[line][at].sign = sign_of(i);
            return;
        }
    }
}

/* ---- writing it out ---- */

/* A slope where the roof rises to the next column, else flat. */
static const char *roof_sign(const struct chart *chart, size_t col, size_t roof)
{
    bool rises = intensity_at(chart, col) < roof_ridge(&chart->roofline->roofs[roof]);
    if (chart->options->ascii)
        return rises ? "/" : roof == 0 ? "-" : "=";
    return rises ? "\xE2\x95\xB1" : roof == 0 ? "\xE2\x94\x80" : "\xE2\x95\x90";
}

static void put_spots(struct doc *doc, const struct chart *chart, size_t line)
{
    size_t end = chart->n_cols;
    while (end > 0 && chart->spots[line][end - 1].sign == '\0' &&
           chart->spots[line][end - 1].roof == 0)
        end--;
    for (size_t col = 0; col < end; col++) {
        const struct spot *spot = &chart->spots[line][col];
        if (spot->sign != '\0')
            doc_add(doc, STYLE_CHANGED, "%c", spot->sign);
        else if (spot->roof > 0)
            doc_add(doc, STYLE_GOOD, "%s", roof_sign(chart, col, (size_t)spot->roof - 1));
        else
            doc_add(doc, STYLE_PLAIN, " ");
    }
    doc_end_line(doc);
}

/* The power of ten, in 10^9 operations, whose place is this line. False for a line without one. */
static bool tick_on(const struct chart *chart, size_t line, double *ret)
{
    for (double power = floor(log10(chart->y.low)); power <= log10(chart->y.high); power++)
        if (line_of(chart, pow(10, power)) == line) {
            *ret = pow(10, power - 9);
            return true;
        }
    return false;
}

static void put_lines(struct doc *doc, const struct chart *chart)
{
    bool ascii = chart->options->ascii;
    for (size_t line = 0; line < LINES; line++) {
        double rate;
        bool has_tick = tick_on(chart, line, &rate);
        if (has_tick)
            doc_add(doc, STYLE_QUIET, "%*.4g %s", GUTTER - 2, rate, ascii ? "+" : "\xE2\x94\xA4");
        else
            doc_add(doc, STYLE_QUIET, "%*s%s", GUTTER - 1, "", ascii ? "|" : "\xE2\x94\x82");
        put_spots(doc, chart, line);
    }
}

/* The axis below: powers of two, as many as have room. */
static void put_x_axis(struct doc *doc, const struct chart *chart)
{
    bool ascii = chart->options->ascii;
    doc_add(doc, STYLE_QUIET, "%*s%s", GUTTER - 1, "", ascii ? "+" : "\xE2\x94\x94");
    for (size_t col = 0; col < chart->n_cols; col++)
        doc_add(doc, STYLE_QUIET, "%s", ascii ? "-" : "\xE2\x94\x80");
    doc_end_line(doc);
    size_t end = 0;
    doc_add(doc, STYLE_QUIET, "%*s", GUTTER, "");
    for (double power = ceil(log2(chart->x.low)); power <= log2(chart->x.high); power++) {
        char text[32];
        size_t cols = (size_t)snprintf(text, sizeof text, "%g", exp2(power));
        size_t col = place(&chart->x, exp2(power), chart->n_cols);
        if (col < end + (end > 0 ? TICK_GAP : 0) || col + cols > chart->n_cols)
            continue;
        doc_add(doc, STYLE_QUIET, "%*s%s", (int)(col - end), "", text);
        end = col + cols;
    }
    doc_end_line(doc);
    doc_line(doc, STYLE_QUIET, "%*soperations for each byte", GUTTER, "");
}

static void put_chart(struct doc *doc, const struct roofline *roofline,
                      const struct show_options *options)
{
    struct chart chart = {.roofline = roofline, .options = options};
    chart.n_cols = size_min(size_max(options->width_cols, 40), COLS_MAX) - GUTTER;
    find_ranges(&chart);
    for (size_t i = 0; i < roofline->n_roofs; i++)
        draw_roof(&chart, i);
    for (size_t i = 0; i < roofline->n_points; i++)
        draw_point(&chart, i);
    doc_line(doc, STYLE_QUIET, "GFLOP/s (10^9 operations a second)");
    put_lines(doc, &chart);
    put_x_axis(doc, &chart);
}

/* ---- the sentences ---- */

static void put_roofs(struct doc *doc, const struct roofline *roofline,
                      const struct show_options *options)
{
    for (size_t i = 0; i < roofline->n_roofs; i++) {
        const struct roof *roof = &roofline->roofs[i];
        struct text line = {0};
        text_format(&line,
                    "%zu %s: peak %.3g GFLOP/s, memory %.3g GB/s, ridge at %.3g operations for "
                    "each byte.",
                    roof->n_threads, roof->n_threads == 1 ? "thread" : "threads", roof->peak / 1e9,
                    roof->bandwidth / 1e9, roof_ridge(roof));
        doc_wrap(doc, STYLE_PLAIN, text_string(&line), options->width_cols, 0);
        doc->failed = doc->failed || line.failed;
        text_release(&line);
    }
}

/* What the share of the limit says of the limit itself: one that is passed, or far away. */
static const char *remark_on(double percent, bool memory)
{
    if (memory && percent > 110)
        return " That is more than memory gives: what it reads lies in the caches.";
    return percent < 10 ? " So far below, other things hold it back." : "";
}

/* "Arithmetic limits it: 128 operations for each byte are above the ridge, 4.9. ..." */
static void limit_sentence(const struct roofline_point *point, struct text *text)
{
    bool memory = roofline_is_memory_bound(point);
    double intensity = roofline_intensity(point), limit = roof_limit(point->roof, intensity);
    double percent = 100 * roofline_rate(point) / limit;
    text_format(text,
                "%s limits it: %.3g operations for each byte are %s the ridge, so %.3g GFLOP/s are "
                "possible, and it reaches %.*f %% of them.%s",
                memory ? "Memory" : "Arithmetic", intensity, memory ? "below" : "above",
                limit / 1e9, percent < 10 ? 1 : 0, percent, remark_on(percent, memory));
    if (point->because != NULL)
        text_format(text, " %s", point->because);
}

/* How many times as fast as the first point, where the line has room for it. */
static void put_times(struct doc *doc, double times, const struct show_options *options)
{
    char text[40];
    snprintf(text, sizeof text, ", %.*f times the first", times < 10 ? 1 : 0, times);
    if (doc_line_width(doc, doc->n_lines) + strlen(text) <= options->width_cols)
        doc_add(doc, STYLE_QUIET, "%s", text);
}

static void put_point(struct doc *doc, const struct roofline *roofline, size_t i,
                      const struct show_options *options)
{
    const struct roofline_point *point = &roofline->points[i];
    struct text sentence = {0};
    limit_sentence(point, &sentence);
    doc_add(doc, STYLE_CHANGED, "%c", sign_of(i));
    doc_add(doc, STYLE_NAME, " %s", point->name);
    doc_add(doc, STYLE_NUMBER, "  %.3g GFLOP/s", roofline_rate(point) / 1e9);
    if (i > 0)
        put_times(doc, roofline_rate(point) / roofline_rate(&roofline->points[0]), options);
    doc_end_line(doc);
    doc_wrap(doc, STYLE_PLAIN, text_string(&sentence), options->width_cols, 2);
    doc->failed = doc->failed || sentence.failed;
    text_release(&sentence);
}

void roofline_show(struct doc *doc, const struct roofline *roofline,
                   const struct show_options *options)
{
    doc_line(doc, STYLE_TITLE, "%s", roofline->title);
    put_roofs(doc, roofline, options);
    doc_end_line(doc);
    put_chart(doc, roofline, options);
    doc_end_line(doc);
    for (size_t i = 0; i < roofline->n_points; i++)
        put_point(doc, roofline, i, options);
}
