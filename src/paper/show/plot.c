/* Line charts in text: see plot.h.
 *
 * A chart is made of spots, one a character. A spot of braille has 2 x 4 dots, a spot with a
 * sign is one dot; points and lines are drawn in dots either way. */
#include "show/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "show/grid_internal.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    COLS_USUAL = 72,  /* of chart and tick numbers together */
    COLS_MAX = 144,   /* of those where the chart may grow */
    LINES_MAX = 48,   /* of the chart then */
    COLS_MIN = 8,     /* of the chart, however wide the tick numbers are */
    Y_STEPS = 5,      /* tick numbers on the left are at least a fifth of the usual height apart */
    X_STEPS = 8,      /* and below no closer than an eighth of the usual width */
    Y_STEPS_MAX = 12, /* of a chart that grew */
    X_STEPS_MAX = 12,
    TICKS_MAX = 16,     /* of one axis */
    TICK_TEXT = 32,     /* bytes of a tick's number */
    TICK_GAP = 2,       /* columns between two numbers below */
    BRAILLE_ACROSS = 2, /* dots of a spot of braille */
    BRAILLE_DOWN = 4,
    MIDDLE_DOTS = 0x36, /* the four in its middle */
    FIRST_TINT = 80,    /* of several curves; darker ones are lost on a black screen */
    LAST_TINT = 255,
    KEY_GAP = 2, /* columns between a curve's name and its numbers */
};

/* From here on, x spans factors rather than distances: six doublings. */
static const double LOG_FROM = 64;
/* Numbers of ticks beyond are written with an exponent. */
static const double LARGE_TICK = 1e6, SMALL_TICK = 1e-5;
/* 0.1 in float32 is a little above 0.1: so much of a step does not count. */
static const double SLACK = 1e-6;

static const char signs[PLOT_MAX_CURVES] = {'*', 'o', '+', 'x'};

/* Numbers along one side of the chart. */
struct axis {
    double lowest, highest;
    bool logarithmic;
};

struct tick {
    double at;
    char text[TICK_TEXT];
};

struct ticks {
    size_t n;
    struct tick items[TICKS_MAX];
};

struct spot {
    unsigned char dots;  /* bit i is braille dot i + 1; 0: empty */
    unsigned char curve; /* whose it is */
    bool has_point;
    size_t point; /* the position of a point that lies here */
};

struct chart {
    const struct plot *plot;
    const struct show_options *options;
    struct axis x, y;
    bool has_signs;
    size_t dots_across, dots_down; /* of a spot */
    size_t n_lines, n_cols;        /* of the chart */
    size_t gutter_cols;            /* of the tick numbers and the gap after them */
    struct spot spots[LINES_MAX][COLS_MAX];
};

/* ---- numbers ---- */

static size_t count_points(const struct plot *plot)
{
    return plot->curves[0].y->shape[0];
}

static double number_at(const struct tensor *x, size_t i)
{
    return (double)x->data[(ptrdiff_t)i * x->stride[0]];
}

static double x_at(const struct plot *plot, size_t i)
{
    return plot->x != NULL ? number_at(plot->x, i) : (double)i;
}

/* Point i of a curve. False where there is no point to draw. */
static bool point_at(const struct plot *plot, size_t curve, size_t i, double *ret_x, double *ret_y)
{
    *ret_x = x_at(plot, i);
    *ret_y = number_at(plot->curves[curve].y, i);
    return isfinite(*ret_x) && isfinite(*ret_y) && !(plot->is_log_y && *ret_y <= 0);
}

/* Both axes around all points. False without points. */
static bool find_axes(struct chart *chart)
{
    const struct plot *plot = chart->plot;
    chart->x = chart->y = (struct axis){.lowest = HUGE_VAL, .highest = -HUGE_VAL};
    for (size_t curve = 0; curve < plot->n_curves; curve++)
        for (size_t i = 0; i < count_points(plot); i++) {
            double x, y;
            if (!point_at(plot, curve, i, &x, &y))
                continue;
            chart->x.lowest = fmin(chart->x.lowest, x);
            chart->x.highest = fmax(chart->x.highest, x);
            chart->y.lowest = fmin(chart->y.lowest, y);
            chart->y.highest = fmax(chart->y.highest, y);
        }
    if (plot->x_low < plot->x_high)
        chart->x = (struct axis){.lowest = plot->x_low, .highest = plot->x_high};
    if (plot->y_low < plot->y_high)
        chart->y = (struct axis){.lowest = plot->y_low, .highest = plot->y_high};
    chart->y.logarithmic = plot->is_log_y;
    chart->x.logarithmic = plot->x != NULL && !plot->is_bare && chart->x.lowest > 0 &&
                           chart->x.highest / chart->x.lowest >= LOG_FROM;
    return chart->x.lowest <= chart->x.highest;
}

/* The nearest of n places along the axis; in the middle where all numbers are the same. */
static size_t place_of(const struct axis *axis, double number, size_t n)
{
    double low = axis->lowest, high = axis->highest, share = 0.5;
    if (high > low && axis->logarithmic)
        share = log(number / low) / log(high / low);
    else if (high > low)
        share = (number - low) / (high - low);
    return (size_t)lround(fmin(fmax(share, 0), 1) * (double)(n - 1));
}

/* ---- ticks ---- */

/* The smallest of 1, 2 and 5 times a power of ten that is not below `least`. */
static double round_step(double least)
{
    static const double parts[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i < 3 && parts[i] * power < least * (1 - SLACK))
        i++;
    return parts[i] * power;
}

/* A number of ticks that are `step` apart, with as many decimals as they all need. */
static void write_tick(double at, double step, double largest, char text[TICK_TEXT])
{
    int decimals = (int)-floor(log10(step) + 1e-9);
    if (at == 0 && (largest >= LARGE_TICK || step < SMALL_TICK)) {
        snprintf(text, TICK_TEXT, "0");
    } else if (largest >= LARGE_TICK || step < SMALL_TICK) {
        int digits = at == 0 ? 0 : (int)floor(log10(fabs(at)) + 1e-9) + decimals;
        snprintf(text, TICK_TEXT, "%.*e", digits < 0 ? 0 : digits > 8 ? 8 : digits, at);
    } else {
        snprintf(text, TICK_TEXT, "%.*f", decimals > 0 ? decimals : 0, at);
    }
}

static struct ticks lone_tick(double at, int digits)
{
    struct ticks ticks = {.n = 1, .items = {{.at = at}}};
    char text[NUMBER_TEXT];
    snprintf(ticks.items[0].text, TICK_TEXT, "%.31s", number_short((float)at, digits, text));
    return ticks;
}

/* Round numbers within the axis, at most n_steps steps from end to end. */
static struct ticks round_ticks(const struct axis *axis, size_t n_steps, bool whole, int digits)
{
    struct ticks ticks = {0};
    double range = axis->highest - axis->lowest;
    double largest = fmax(fabs(axis->lowest), fabs(axis->highest));
    if (!(range > 0) || (float)range == 0)
        return lone_tick(axis->lowest, digits);
    double step = round_step(range / (double)n_steps);
    if (whole)
        step = fmax(step, 1);
    double slack = SLACK * step;
    double first = ceil((axis->lowest - slack) / step);
    for (unsigned i = 0; i < TICKS_MAX && (first + i) * step <= axis->highest + slack; i++) {
        double k = first + i;
        struct tick *tick = &ticks.items[ticks.n++];
        tick->at = k == 0 ? 0 : k * step;
        write_tick(tick->at, step, largest, tick->text);
    }
    return ticks;
}

/* Adds a tick in its place, the lowest first. */
static void add_tick(struct ticks *ticks, double at, int digits)
{
    size_t i = ticks->n;
    if (i == TICKS_MAX)
        return;
    for (; i > 0 && ticks->items[i - 1].at > at; i--)
        ticks->items[i] = ticks->items[i - 1];
    ticks->items[i] = lone_tick(at, digits).items[0];
    ticks->n++;
}

/* Of a logarithmic axis: the points themselves where they are few, else powers of ten. */
static struct ticks log_ticks(const struct chart *chart)
{
    const struct axis *axis = &chart->x;
    int digits = chart->options->digits;
    size_t n = count_points(chart->plot);
    struct ticks ticks = {0};
    if (n <= TICKS_MAX) {
        for (size_t i = 0; i < n; i++)
            if (isfinite(x_at(chart->plot, i)))
                add_tick(&ticks, x_at(chart->plot, i), digits);
        return ticks;
    }
    double first = ceil(log10(axis->lowest) - 1e-9), last = floor(log10(axis->highest) + 1e-9);
    double every = ceil((last - first + 1) / TICKS_MAX);
    for (unsigned i = 0; first + i * every <= last; i++)
        add_tick(&ticks, pow(10, first + i * every), digits);
    return ticks;
}

/* 1, 2 and 5 times powers of ten, or the powers alone; where the axis has none, as any other. */
static struct ticks log_ticks_of_y(const struct chart *chart, size_t n_steps)
{
    static const double parts[] = {1, 2, 5};
    const struct axis *axis = &chart->y;
    int first = (int)floor(log10(axis->lowest)), last = (int)ceil(log10(axis->highest));
    for (int n_parts = 3; n_parts > 0; n_parts -= 2) {
        struct ticks ticks = {0};
        for (int power = first; power <= last; power++)
            for (int i = 0; i < n_parts; i++) {
                double at = parts[i] * pow(10, power);
                if (at >= axis->lowest && at <= axis->highest)
                    add_tick(&ticks, at, chart->options->digits);
            }
        if (ticks.n > 0 && (ticks.n <= n_steps + 1 || n_parts == 1))
            return ticks;
    }
    return round_ticks(axis, n_steps, false, chart->options->digits);
}

/* ---- drawing in dots ---- */

static void set_dot(struct chart *chart, size_t across, size_t down, size_t curve)
{
    static const unsigned char bits[BRAILLE_DOWN][BRAILLE_ACROSS] = {
        {0, 3}, {1, 4}, {2, 5}, {6, 7}};
    struct spot *spot = &chart->spots[down / chart->dots_down][across / chart->dots_across];
    spot->dots |= (unsigned char)(1U << bits[down % chart->dots_down][across % chart->dots_across]);
    spot->curve = (unsigned char)curve;
}

struct dot {
    size_t across, down;
};

static struct dot dot_of(const struct chart *chart, double x, double y)
{
    size_t high = chart->n_lines * chart->dots_down;
    return (struct dot){.across = place_of(&chart->x, x, chart->n_cols * chart->dots_across),
                        .down = high - 1 - place_of(&chart->y, y, high)};
}

static size_t between(size_t from, size_t to, size_t k, size_t n)
{
    double along = n > 0 ? (double)k / (double)n : 0;
    return (size_t)lround((double)from + ((double)to - (double)from) * along);
}

static size_t distance(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

static void draw_line(struct chart *chart, struct dot from, struct dot to, size_t curve)
{
    size_t n = size_max(distance(from.across, to.across), distance(from.down, to.down));
    for (size_t k = 0; k <= n; k++)
        set_dot(chart, between(from.across, to.across, k, n), between(from.down, to.down, k, n),
                curve);
}

/* A line through all points, broken where one is left out. A point that lies alone, between such as
 * are left out, gets more than its dot, to be seen. */
static void draw_curve(struct chart *chart, size_t curve)
{
    struct dot last = {0};
    bool joined = false;
    for (size_t i = 0, n = count_points(chart->plot); i < n; i++) {
        double x, y, next[2];
        bool is_point = point_at(chart->plot, curve, i, &x, &y);
        if (is_point) {
            struct dot here = dot_of(chart, x, y);
            struct spot *spot =
                &chart->spots[here.down / chart->dots_down][here.across / chart->dots_across];
            draw_line(chart, joined ? last : here, here, curve);
            spot->has_point = true;
            spot->point = i;
            if (!joined && (i + 1 == n || !point_at(chart->plot, curve, i + 1, &next[0], &next[1])))
                spot->dots = MIDDLE_DOTS;
            last = here;
        }
        joined = is_point;
    }
}

/* ---- writing it out ---- */

/* How a curve looks: a tint where several must be told apart by colour. */
static struct span look_of(const struct chart *chart, size_t curve)
{
    struct span look = {.style = STYLE_NUMBER, .front = TINT_NONE, .back = TINT_NONE};
    size_t n = chart->plot->n_curves;
    if (n > 1 && chart->options->colour)
        look.front = (int16_t)(LAST_TINT - (LAST_TINT - FIRST_TINT) * (int)curve / (int)(n - 1));
    return look;
}

/* A character of braille, or the curve's sign, which points at the number that lies there. */
static void put_spot(struct doc *doc, const struct chart *chart, const struct spot *spot)
{
    const struct plot_curve *curve = &chart->plot->curves[spot->curve];
    struct span look = look_of(chart, spot->curve);
    const char braille[] = {(char)0xE2, (char)(0xA0 | spot->dots >> 6), /* U+2800 and the dots */
                            (char)(0x80 | (spot->dots & 0x3F))};
    if (spot->has_point && curve->id != 0)
        look.cell =
            (struct cell_ref){.tensor = curve->id, .position = curve->position + spot->point};
    if (chart->has_signs)
        doc_put_span(doc, &signs[spot->curve], 1, look);
    else
        doc_put_span(doc, braille, sizeof braille, look);
}

/* The column of the mark; none: n_cols. */
static size_t mark_col(const struct chart *chart)
{
    const struct plot *plot = chart->plot;
    bool is_seen =
        plot->has_mark && plot->mark >= chart->x.lowest && plot->mark <= chart->x.highest;
    return is_seen ? place_of(&chart->x, plot->mark, chart->n_cols) : chart->n_cols;
}

/* The spots of a line up to its last. */
static void put_spots(struct doc *doc, const struct chart *chart, size_t line)
{
    size_t empty = 0, mark = mark_col(chart);
    for (size_t col = 0; col < chart->n_cols; col++) {
        const struct spot *spot = &chart->spots[line][col];
        if (spot->dots == 0 && col == mark) {
            grid_pad(doc, empty);
            empty = 0;
            doc_add(doc, STYLE_NOTE, "%s", chart->options->ascii ? ":" : "\xE2\x94\x8A");
            continue;
        }
        if (spot->dots == 0) {
            empty++;
            continue;
        }
        grid_pad(doc, empty);
        empty = 0;
        put_spot(doc, chart, spot);
    }
}

/* The number of the tick that stands on this line, or NULL. */
static const char *tick_on(const struct chart *chart, const struct ticks *ticks, size_t line)
{
    for (size_t i = 0; i < ticks->n; i++) {
        struct dot dot = dot_of(chart, chart->x.lowest, ticks->items[i].at);
        if (dot.down / chart->dots_down == line)
            return ticks->items[i].text;
    }
    return NULL;
}

static void put_lines(struct doc *doc, const struct chart *chart, const struct ticks *ticks)
{
    bool ascii = chart->options->ascii;
    for (size_t line = 0; line < chart->n_lines; line++) {
        const char *number = tick_on(chart, ticks, line);
        const char *plain = ascii ? "|" : "\xE2\x94\x82", *marked = ascii ? "+" : "\xE2\x94\xA4";
        doc_add(doc, STYLE_QUIET, "%*s %s", (int)chart->gutter_cols - 1, number ? number : "",
                number ? marked : plain);
        put_spots(doc, chart, line);
        doc_end_line(doc);
    }
}

/* Where the numbers below stand, relative to the left end of the chart; those that would touch the
 * one before them are left out. Returns how many are left. */
static size_t place_ticks(const struct chart *chart, struct ticks *ticks, size_t *starts)
{
    size_t n = 0, end = 0;
    for (size_t i = 0; i < ticks->n; i++) {
        size_t cols = strlen(ticks->items[i].text);
        size_t col = place_of(&chart->x, ticks->items[i].at, chart->n_cols);
        size_t start = col > cols / 2 ? col - cols / 2 : 0;
        if (start + cols > chart->n_cols)
            start = chart->n_cols > cols ? chart->n_cols - cols : 0;
        if (n > 0 && start < end + TICK_GAP)
            continue;
        ticks->items[n] = ticks->items[i];
        starts[n++] = start;
        end = start + cols;
    }
    return n;
}

/* Round numbers below the chart, as many as have room. */
static struct ticks x_ticks(const struct chart *chart, size_t starts[TICKS_MAX])
{
    const struct tensor *x = chart->plot->x;
    bool whole = x == NULL || number_range_of(x).all_whole;
    size_t most = size_max(X_STEPS, size_min(X_STEPS * chart->n_cols / COLS_USUAL, X_STEPS_MAX));
    for (size_t n_steps = most;; n_steps--) {
        struct ticks ticks = chart->x.logarithmic
                                 ? log_ticks(chart)
                                 : round_ticks(&chart->x, n_steps, whole, chart->options->digits);
        size_t n = place_ticks(chart, &ticks, starts);
        bool is_last = chart->x.logarithmic || n == ticks.n || n_steps == 1;
        ticks.n = n;
        if (is_last)
            return ticks;
    }
}

static bool is_tick(const struct chart *chart, const struct ticks *ticks, size_t col)
{
    for (size_t i = 0; i < ticks->n; i++)
        if (place_of(&chart->x, ticks->items[i].at, chart->n_cols) == col)
            return true;
    return false;
}

/* The axis below with its numbers. */
static void put_x_axis(struct doc *doc, const struct chart *chart)
{
    size_t starts[TICKS_MAX] = {0}, at = 0;
    struct ticks ticks = x_ticks(chart, starts);
    bool ascii = chart->options->ascii;
    grid_pad(doc, chart->gutter_cols);
    doc_add(doc, STYLE_QUIET, "%s", ascii ? "+" : "\xE2\x94\x94");
    for (size_t col = 0; col < chart->n_cols; col++)
        doc_add(doc, STYLE_QUIET, "%s",
                is_tick(chart, &ticks, col) ? (ascii ? "+" : "\xE2\x94\xAC")
                                            : (ascii ? "-" : "\xE2\x94\x80"));
    doc_end_line(doc);
    grid_pad(doc, chart->gutter_cols + 1);
    for (size_t i = 0; i < ticks.n; i++) {
        grid_pad(doc, starts[i] - at);
        doc_add(doc, STYLE_QUIET, "%s", ticks.items[i].text);
        at = starts[i] + strlen(ticks.items[i].text);
    }
    doc_end_line(doc);
}

/* ---- in words ---- */

/* " at 3", " at \"sun\"", " at x = 0.5" */
static void add_place(struct text *text, const struct chart *chart, size_t curve, size_t i)
{
    const struct plot *plot = chart->plot;
    const struct labels *labels = plot->curves[curve].labels;
    char number[NUMBER_TEXT];
    if (plot->x != NULL) {
        text_format(text, " at x = %s",
                    number_short((float)x_at(plot, i), chart->options->digits, number));
    } else if (i < labels_count(labels)) {
        text_put(text, " at \"");
        grid_add_name(text, labels_name(labels, i), chart->options->ascii);
        text_char(text, '"');
    } else {
        text_format(text, " at %zu", i);
    }
}

/* What there is to say of a curve. */
struct extremes {
    size_t n_points, lowest, highest, last; /* positions; of equals the first */
};

static struct extremes extremes_of(const struct plot *plot, size_t curve)
{
    struct extremes found = {0};
    double low = 0, high = 0;
    for (size_t i = 0; i < count_points(plot); i++) {
        double x, y;
        if (!point_at(plot, curve, i, &x, &y))
            continue;
        if (found.n_points == 0 || y < low) {
            low = y;
            found.lowest = i;
        }
        if (found.n_points++ == 0 || y > high) {
            high = y;
            found.highest = i;
        }
        found.last = i;
    }
    return found;
}

static void add_extreme(struct text *text, const struct chart *chart, size_t curve,
                        const char *which, size_t i)
{
    char number[NUMBER_TEXT];
    text_format(text, "%s%s", which,
                number_short((float)number_at(chart->plot->curves[curve].y, i),
                             chart->options->digits, number));
}

static void describe_curve(struct text *text, const struct chart *chart, size_t curve)
{
    const struct plot *plot = chart->plot;
    struct extremes found = extremes_of(plot, curve);
    size_t n = count_points(plot), n_out = n - found.n_points;
    const struct tensor *y = plot->curves[curve].y;
    if (found.n_points == 0) {
        text_put(text, "no point that could be drawn");
    } else if (found.n_points == 1) {
        add_extreme(text, chart, curve, "one point, ", found.last);
        add_place(text, chart, curve, found.last);
    } else if (number_at(y, found.lowest) == number_at(y, found.highest)) {
        text_format(text, "all %zu points are", found.n_points);
        add_extreme(text, chart, curve, " ", found.last);
    } else {
        add_extreme(text, chart, curve, "lowest ", found.lowest);
        add_place(text, chart, curve, found.lowest);
        add_extreme(text, chart, curve, ", highest ", found.highest);
        add_place(text, chart, curve, found.highest);
        add_extreme(text, chart, curve, ", last ", found.last);
    }
    if (n_out > 0)
        text_format(text, "; %zu of %zu left out: nan or infinite", n_out, n);
}

/* The sign or the line of a curve, and its name. */
static void put_key(struct doc *doc, const struct chart *chart, size_t curve)
{
    if (chart->has_signs)
        doc_put_span(doc, &signs[curve], 1, look_of(chart, curve));
    else
        doc_put_span(doc, "\xE2\xA0\x92\xE2\xA0\x92", 6, look_of(chart, curve));
    grid_pad(doc, 1);
    grid_put_title(doc, chart->plot->curves[curve].title, chart->options);
}

/* The keys of all curves, where there are several, in one line. */
static void put_keys(struct doc *doc, const struct chart *chart)
{
    for (size_t curve = 0; curve < chart->plot->n_curves; curve++) {
        grid_pad(doc, curve > 0 ? KEY_GAP : 0);
        put_key(doc, chart, curve);
    }
    doc_end_line(doc);
}

/* A curve in words. Where there are several, its key (its sign or line, and its name) comes first:
 * before the words, or above them where the room is too small. */
static void put_words(struct doc *doc, const struct chart *chart, size_t curve)
{
    struct text words = {0};
    size_t width = grid_width(chart->options), indent = 0;
    describe_curve(&words, chart, curve);
    doc->failed = doc->failed || words.failed;
    if (chart->plot->n_curves > 1) {
        indent = KEY_GAP;
        put_key(doc, chart, curve);
        size_t taken = doc_line_width(doc, doc->n_lines) + KEY_GAP;
        if (taken + text_width(text_string(&words), words.size) <= width) {
            grid_pad(doc, KEY_GAP);
            doc_put(doc, STYLE_QUIET, text_string(&words), words.size);
            text_clear(&words);
        }
        doc_end_line(doc);
    }
    if (words.size > 0)
        doc_wrap(doc, STYLE_QUIET, text_string(&words), width, indent);
    text_release(&words);
}

/* What x is, unless that is just x. */
static void put_x_legend(struct doc *doc, const struct chart *chart)
{
    const char *title = chart->plot->x_title;
    struct text words = {0};
    if (chart->plot->x == NULL)
        return;
    bool named = strcmp(title, "x") != 0;
    if (!named && !chart->x.logarithmic)
        return;
    text_put(&words, named ? "x: " : "x");
    if (named)
        grid_add_name(&words, title, chart->options->ascii);
    if (chart->x.logarithmic)
        text_put(&words, named ? ", on a logarithmic axis" : " on a logarithmic axis");
    doc->failed = doc->failed || words.failed;
    doc_wrap(doc, STYLE_QUIET, text_string(&words), grid_width(chart->options), 0);
    text_release(&words);
}

static void draw_chart(struct doc *doc, struct chart *chart)
{
    size_t most = size_max(Y_STEPS, size_min(Y_STEPS * chart->n_lines / PLOT_LINES, Y_STEPS_MAX));
    size_t n_steps = size_min(most, chart->n_lines / 2); /* of a low chart each second line */
    struct ticks ticks = chart->y.logarithmic
                             ? log_ticks_of_y(chart, n_steps)
                             : round_ticks(&chart->y, n_steps, false, chart->options->digits);
    size_t width = grid_width(chart->options);
    width = size_min(width, chart->options->extra_lines > 0 ? COLS_MAX : COLS_USUAL);
    chart->gutter_cols = 0;
    for (size_t i = 0; i < ticks.n; i++)
        chart->gutter_cols = size_max(chart->gutter_cols, strlen(ticks.items[i].text));
    chart->gutter_cols++;
    size_t taken = chart->gutter_cols + 1;
    chart->n_cols = size_max(COLS_MIN, width > taken ? width - taken : 0);
    for (size_t curve = chart->plot->n_curves; curve-- > 0;) /* the first lies on top */
        draw_curve(chart, curve);
    put_lines(doc, chart, &ticks);
    put_x_axis(doc, chart);
}

void plot_show(struct doc *doc, const struct plot *plot, const struct show_options *options)
{
    struct chart chart = {.plot = plot, .options = options};
    chart.has_signs = options->ascii || (plot->n_curves > 1 && !options->colour);
    chart.dots_across = chart.has_signs ? 1 : BRAILLE_ACROSS;
    chart.dots_down = chart.has_signs ? 1 : BRAILLE_DOWN;
    chart.n_lines = size_min(PLOT_LINES + options->extra_lines, LINES_MAX);
    if (plot->n_lines > 0)
        chart.n_lines = size_min(plot->n_lines, PLOT_LINES);
    if (plot->n_curves == 1 && !plot->is_bare)
        grid_title(doc,
                   &(struct picture){.tensor = plot->curves[0].y, .title = plot->curves[0].title},
                   options);
    if (find_axes(&chart)) {
        draw_chart(doc, &chart);
        if (!plot->is_bare)
            put_x_legend(doc, &chart);
    }
    if (plot->is_bare && plot->n_curves > 1)
        put_keys(doc, &chart);
    for (size_t curve = 0; !plot->is_bare && curve < plot->n_curves; curve++)
        put_words(doc, &chart, curve);
}
