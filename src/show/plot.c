/* Line charts in text: see plot.h.
 *
 * A chart is a canvas of spots, one a character. A spot of braille has 2 x 4 dots, a spot with a
 * sign is one dot; points and lines are drawn in dots either way. */
#include "show/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "show/grid.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    LINES = 12,      /* of the chart */
    COLS_MAX = 72,   /* of chart and tick numbers together */
    COLS_MIN = 8,    /* of the chart, however wide the tick numbers are */
    Y_STEPS = 5,     /* tick numbers on the left are no closer than a fifth of the height */
    X_STEPS = 8,     /* and below no closer than an eighth of the width */
    TICKS_MAX = 16,  /* of one axis */
    TICK_TEXT = 32,  /* bytes of a tick's number */
    TICK_GAP = 2,    /* columns between two numbers below */
    DOTS_ACROSS = 2, /* of a spot of braille */
    DOTS_DOWN = 4,
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

struct canvas {
    const struct plot *plot;
    const struct show_options *options;
    struct axis x, y;
    bool has_signs;
    size_t n_cols, gutter_cols; /* of the chart; of the tick numbers and the gap after them */
    struct spot spots[LINES][COLS_MAX];
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
    return isfinite(*ret_x) && isfinite(*ret_y);
}

static void axis_add(struct axis *axis, double number)
{
    axis->lowest = fmin(axis->lowest, number);
    axis->highest = fmax(axis->highest, number);
}

/* Both axes around all points. False without points. */
static bool find_axes(struct canvas *canvas)
{
    const struct plot *plot = canvas->plot;
    canvas->x = canvas->y = (struct axis){.lowest = HUGE_VAL, .highest = -HUGE_VAL};
    for (size_t curve = 0; curve < plot->n_curves; curve++)
        for (size_t i = 0; i < count_points(plot); i++) {
            double x, y;
            if (!point_at(plot, curve, i, &x, &y))
                continue;
            axis_add(&canvas->x, x);
            axis_add(&canvas->y, y);
        }
    canvas->x.logarithmic =
        plot->x != NULL && canvas->x.lowest > 0 && canvas->x.highest / canvas->x.lowest >= LOG_FROM;
    return canvas->x.lowest <= canvas->x.highest;
}

/* How far along the axis a number lies, from 0 to 1; in the middle where all are the same. */
static double share_of(const struct axis *axis, double number)
{
    double low = axis->lowest, high = axis->highest;
    if (!(high > low))
        return 0.5;
    if (axis->logarithmic)
        return log(number / low) / log(high / low);
    return (number - low) / (high - low);
}

/* The nearest of n places along the axis. */
static size_t place_of(const struct axis *axis, double number, size_t n)
{
    double share = fmin(fmax(share_of(axis, number), 0), 1);
    return (size_t)lround(share * (double)(n - 1));
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
static struct ticks log_ticks(const struct canvas *canvas)
{
    const struct axis *axis = &canvas->x;
    int digits = canvas->options->digits;
    size_t n = count_points(canvas->plot);
    struct ticks ticks = {0};
    if (n <= TICKS_MAX) {
        for (size_t i = 0; i < n; i++)
            if (isfinite(x_at(canvas->plot, i)))
                add_tick(&ticks, x_at(canvas->plot, i), digits);
        return ticks;
    }
    double first = ceil(log10(axis->lowest) - 1e-9), last = floor(log10(axis->highest) + 1e-9);
    double every = ceil((last - first + 1) / TICKS_MAX);
    for (unsigned i = 0; first + i * every <= last; i++)
        add_tick(&ticks, pow(10, first + i * every), digits);
    return ticks;
}

/* ---- drawing in dots ---- */

static void set_dot(struct canvas *canvas, size_t across, size_t down, size_t curve)
{
    static const unsigned char bits[DOTS_DOWN][DOTS_ACROSS] = {{0, 3}, {1, 4}, {2, 5}, {6, 7}};
    size_t wide = canvas->has_signs ? 1 : DOTS_ACROSS, high = canvas->has_signs ? 1 : DOTS_DOWN;
    struct spot *spot = &canvas->spots[down / high][across / wide];
    spot->dots |= (unsigned char)(1U << bits[down % high][across % wide]);
    spot->curve = (unsigned char)curve;
}

struct place {
    size_t across, down;
};

static struct place dot_of(const struct canvas *canvas, double x, double y)
{
    size_t wide = canvas->n_cols * (canvas->has_signs ? 1 : DOTS_ACROSS);
    size_t high = LINES * (canvas->has_signs ? 1 : DOTS_DOWN);
    return (struct place){.across = place_of(&canvas->x, x, wide),
                          .down = high - 1 - place_of(&canvas->y, y, high)};
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

static void draw_line(struct canvas *canvas, struct place from, struct place to, size_t curve)
{
    size_t n = size_max(distance(from.across, to.across), distance(from.down, to.down));
    for (size_t k = 0; k <= n; k++)
        set_dot(canvas, between(from.across, to.across, k, n), between(from.down, to.down, k, n),
                curve);
}

/* Remembers whose point lies there; one that lies alone gets more than its dot, to be seen. */
static void mark_point(struct canvas *canvas, struct place at, size_t curve, size_t i, bool alone)
{
    size_t wide = canvas->has_signs ? 1 : DOTS_ACROSS, high = canvas->has_signs ? 1 : DOTS_DOWN;
    struct spot *spot = &canvas->spots[at.down / high][at.across / wide];
    if (alone)
        spot->dots = MIDDLE_DOTS;
    spot->curve = (unsigned char)curve;
    spot->has_point = true;
    spot->point = i;
}

/* True where a point lies alone, between such as are left out. */
static bool is_alone(const struct plot *plot, size_t curve, size_t i)
{
    double x, y;
    return (i == 0 || !point_at(plot, curve, i - 1, &x, &y)) &&
           (i + 1 == count_points(plot) || !point_at(plot, curve, i + 1, &x, &y));
}

/* A line through all points, broken where one is left out. */
static void draw_curve(struct canvas *canvas, size_t curve)
{
    struct place last = {0};
    bool joined = false;
    for (size_t i = 0; i < count_points(canvas->plot); i++) {
        double x, y;
        bool is_point = point_at(canvas->plot, curve, i, &x, &y);
        if (is_point) {
            struct place here = dot_of(canvas, x, y);
            draw_line(canvas, joined ? last : here, here, curve);
            mark_point(canvas, here, curve, i, is_alone(canvas->plot, curve, i));
            last = here;
        }
        joined = is_point;
    }
}

/* ---- writing it out ---- */

/* How a curve looks: a tint where several must be told apart by colour. */
static struct span look_of(const struct canvas *canvas, size_t curve)
{
    struct span look = {.style = STYLE_NUMBER, .front = TINT_NONE, .back = TINT_NONE};
    size_t n = canvas->plot->n_curves;
    if (n > 1 && canvas->options->colour)
        look.front = (int16_t)(LAST_TINT - (LAST_TINT - FIRST_TINT) * (int)curve / (int)(n - 1));
    return look;
}

/* A character of braille, or the curve's sign. Returns its bytes. */
static size_t write_spot(const struct canvas *canvas, const struct spot *spot, char text[3])
{
    if (canvas->has_signs) {
        text[0] = signs[spot->curve];
        return 1;
    }
    text[0] = (char)0xE2; /* U+2800 and the dots */
    text[1] = (char)(0xA0 | spot->dots >> 6);
    text[2] = (char)(0x80 | (spot->dots & 0x3F));
    return 3;
}

static void put_spot(struct doc *doc, const struct canvas *canvas, const struct spot *spot)
{
    const struct plot_curve *curve = &canvas->plot->curves[spot->curve];
    struct span look = look_of(canvas, spot->curve);
    char text[3];
    if (spot->has_point && curve->id != 0)
        look.cell =
            (struct cell_ref){.tensor = curve->id, .position = curve->position + spot->point};
    size_t size = write_spot(canvas, spot, text);
    doc_put_span(doc, text, size, look);
}

/* The spots of a line up to its last. */
static void put_spots(struct doc *doc, const struct canvas *canvas, size_t line)
{
    size_t empty = 0;
    for (size_t col = 0; col < canvas->n_cols; col++) {
        const struct spot *spot = &canvas->spots[line][col];
        if (spot->dots == 0) {
            empty++;
            continue;
        }
        grid_pad(doc, empty);
        empty = 0;
        put_spot(doc, canvas, spot);
    }
}

/* The number of the tick that stands on this line, or NULL. */
static const char *tick_on(const struct canvas *canvas, const struct ticks *ticks, size_t line)
{
    for (size_t i = 0; i < ticks->n; i++) {
        struct place place = dot_of(canvas, canvas->x.lowest, ticks->items[i].at);
        if (place.down / (canvas->has_signs ? 1 : DOTS_DOWN) == line)
            return ticks->items[i].text;
    }
    return NULL;
}

static void put_lines(struct doc *doc, const struct canvas *canvas, const struct ticks *ticks)
{
    bool ascii = canvas->options->ascii;
    for (size_t line = 0; line < LINES; line++) {
        const char *number = tick_on(canvas, ticks, line);
        const char *plain = ascii ? "|" : "\xE2\x94\x82", *marked = ascii ? "+" : "\xE2\x94\xA4";
        doc_add(doc, STYLE_QUIET, "%*s %s", (int)canvas->gutter_cols - 1, number ? number : "",
                number ? marked : plain);
        put_spots(doc, canvas, line);
        doc_end_line(doc);
    }
}

/* Where the numbers below stand, relative to the left end of the chart; those that would touch the
 * one before them are left out. Returns how many are left. */
static size_t place_ticks(const struct canvas *canvas, struct ticks *ticks, size_t *starts)
{
    size_t n = 0, end = 0;
    for (size_t i = 0; i < ticks->n; i++) {
        size_t cols = strlen(ticks->items[i].text);
        size_t col = place_of(&canvas->x, ticks->items[i].at, canvas->n_cols);
        size_t start = col > cols / 2 ? col - cols / 2 : 0;
        if (start + cols > canvas->n_cols)
            start = canvas->n_cols > cols ? canvas->n_cols - cols : 0;
        if (n > 0 && start < end + TICK_GAP)
            continue;
        ticks->items[n] = ticks->items[i];
        starts[n++] = start;
        end = start + cols;
    }
    return n;
}

/* Round numbers below the chart, as many as have room. */
static struct ticks x_ticks(const struct canvas *canvas, size_t starts[TICKS_MAX])
{
    struct ticks ticks;
    const struct tensor *x = canvas->plot->x;
    bool whole = x == NULL || number_range_of(x).all_whole;
    if (canvas->x.logarithmic) {
        ticks = log_ticks(canvas);
        ticks.n = place_ticks(canvas, &ticks, starts);
        return ticks;
    }
    for (size_t n_steps = X_STEPS; n_steps > 0; n_steps--) {
        ticks = round_ticks(&canvas->x, n_steps, whole, canvas->options->digits);
        size_t n = place_ticks(canvas, &ticks, starts);
        bool all = n == ticks.n;
        ticks.n = n;
        if (all)
            break;
    }
    return ticks;
}

static bool is_tick(const struct canvas *canvas, const struct ticks *ticks, size_t col)
{
    for (size_t i = 0; i < ticks->n; i++)
        if (place_of(&canvas->x, ticks->items[i].at, canvas->n_cols) == col)
            return true;
    return false;
}

/* The axis below with its numbers. */
static void put_x_axis(struct doc *doc, const struct canvas *canvas)
{
    size_t starts[TICKS_MAX] = {0}, at = 0;
    struct ticks ticks = x_ticks(canvas, starts);
    bool ascii = canvas->options->ascii;
    grid_pad(doc, canvas->gutter_cols);
    doc_add(doc, STYLE_QUIET, "%s", ascii ? "+" : "\xE2\x94\x94");
    for (size_t col = 0; col < canvas->n_cols; col++)
        doc_add(doc, STYLE_QUIET, "%s",
                is_tick(canvas, &ticks, col) ? (ascii ? "+" : "\xE2\x94\xAC")
                                             : (ascii ? "-" : "\xE2\x94\x80"));
    doc_end_line(doc);
    grid_pad(doc, canvas->gutter_cols + 1);
    for (size_t i = 0; i < ticks.n; i++) {
        grid_pad(doc, starts[i] - at);
        doc_add(doc, STYLE_QUIET, "%s", ticks.items[i].text);
        at = starts[i] + strlen(ticks.items[i].text);
    }
    doc_end_line(doc);
}

/* ---- in words ---- */

/* Adds a name; where only ASCII is allowed, with '?' for other characters. */
static void add_name(struct text *text, const char *name, bool ascii)
{
    size_t size = strlen(name);
    for (size_t at = 0; at < size;) {
        size_t length = text_character(name + at, size - at).size;
        if (ascii && (length > 1 || (unsigned char)name[at] >= 0x80))
            text_char(text, '?');
        else
            text_add(text, name + at, length);
        at += length;
    }
}

/* " at 3", " at \"sun\"", " at x = 0.5" */
static void add_place(struct text *text, const struct canvas *canvas, size_t curve, size_t i)
{
    const struct plot *plot = canvas->plot;
    const struct labels *labels = plot->curves[curve].labels;
    char number[NUMBER_TEXT];
    if (plot->x != NULL) {
        text_format(text, " at x = %s",
                    number_short((float)x_at(plot, i), canvas->options->digits, number));
    } else if (i < labels_count(labels)) {
        text_put(text, " at \"");
        add_name(text, labels_name(labels, i), canvas->options->ascii);
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

static void add_extreme(struct text *text, const struct canvas *canvas, size_t curve,
                        const char *which, size_t i)
{
    char number[NUMBER_TEXT];
    text_format(text, "%s%s", which,
                number_short((float)number_at(canvas->plot->curves[curve].y, i),
                             canvas->options->digits, number));
}

static void describe_curve(struct text *text, const struct canvas *canvas, size_t curve)
{
    const struct plot *plot = canvas->plot;
    struct extremes found = extremes_of(plot, curve);
    size_t n = count_points(plot), n_out = n - found.n_points;
    const struct tensor *y = plot->curves[curve].y;
    if (found.n_points == 0) {
        text_put(text, "no point that could be drawn");
    } else if (found.n_points == 1) {
        add_extreme(text, canvas, curve, "one point, ", found.last);
        add_place(text, canvas, curve, found.last);
    } else if (number_at(y, found.lowest) == number_at(y, found.highest)) {
        text_format(text, "all %zu points are", found.n_points);
        add_extreme(text, canvas, curve, " ", found.last);
    } else {
        add_extreme(text, canvas, curve, "lowest ", found.lowest);
        add_place(text, canvas, curve, found.lowest);
        add_extreme(text, canvas, curve, ", highest ", found.highest);
        add_place(text, canvas, curve, found.highest);
        add_extreme(text, canvas, curve, ", last ", found.last);
    }
    if (n_out > 0)
        text_format(text, "; %zu of %zu left out: nan or infinite", n_out, n);
}

/* The sign or the line of a curve, and its name. */
static void put_key(struct doc *doc, const struct canvas *canvas, size_t curve)
{
    if (canvas->has_signs)
        doc_put_span(doc, &signs[curve], 1, look_of(canvas, curve));
    else
        doc_put_span(doc, "\xE2\xA0\x92\xE2\xA0\x92", 6, look_of(canvas, curve));
    grid_pad(doc, 1);
    grid_put_title(doc, canvas->plot->curves[curve].title, canvas->options);
}

/* A curve in words, after its key where there are several; below it where the room is too small. */
static void put_words(struct doc *doc, const struct canvas *canvas, size_t curve)
{
    struct text words = {0};
    bool several = canvas->plot->n_curves > 1;
    size_t width = grid_width(canvas->options);
    describe_curve(&words, canvas, curve);
    doc->failed = doc->failed || words.failed;
    if (several)
        put_key(doc, canvas, curve);
    size_t taken = doc_line_width(doc, doc->n_lines) + KEY_GAP;
    if (several && taken + text_width(text_string(&words), words.size) <= width) {
        grid_pad(doc, KEY_GAP);
        doc_put(doc, STYLE_QUIET, text_string(&words), words.size);
        doc_end_line(doc);
    } else {
        if (several)
            doc_end_line(doc);
        doc_wrap(doc, STYLE_QUIET, text_string(&words), width, several ? KEY_GAP : 0);
    }
    text_release(&words);
}

/* What x is, unless that is just x. */
static void put_x_legend(struct doc *doc, const struct canvas *canvas)
{
    const char *title = canvas->plot->x_title;
    struct text words = {0};
    if (canvas->plot->x == NULL)
        return;
    bool named = strcmp(title, "x") != 0;
    if (!named && !canvas->x.logarithmic)
        return;
    text_put(&words, named ? "x: " : "x");
    if (named)
        add_name(&words, title, canvas->options->ascii);
    if (canvas->x.logarithmic)
        text_put(&words, named ? ", on a logarithmic axis" : " on a logarithmic axis");
    doc->failed = doc->failed || words.failed;
    doc_wrap(doc, STYLE_QUIET, text_string(&words), grid_width(canvas->options), 0);
    text_release(&words);
}

static void draw_chart(struct doc *doc, struct canvas *canvas)
{
    struct ticks ticks = round_ticks(&canvas->y, Y_STEPS, false, canvas->options->digits);
    size_t width = grid_width(canvas->options);
    width = width < COLS_MAX ? width : COLS_MAX;
    canvas->gutter_cols = 0;
    for (size_t i = 0; i < ticks.n; i++)
        canvas->gutter_cols = size_max(canvas->gutter_cols, strlen(ticks.items[i].text));
    canvas->gutter_cols++;
    size_t taken = canvas->gutter_cols + 1;
    canvas->n_cols = size_max(COLS_MIN, width > taken ? width - taken : 0);
    for (size_t curve = canvas->plot->n_curves; curve-- > 0;) /* the first lies on top */
        draw_curve(canvas, curve);
    put_lines(doc, canvas, &ticks);
    put_x_axis(doc, canvas);
}

void plot_show(struct doc *doc, const struct plot *plot, const struct show_options *options)
{
    struct canvas canvas = {.plot = plot, .options = options};
    canvas.has_signs = options->ascii || (plot->n_curves > 1 && !options->colour);
    if (plot->n_curves == 1)
        grid_title(doc,
                   &(struct picture){.tensor = plot->curves[0].y, .title = plot->curves[0].title},
                   options);
    if (find_axes(&canvas)) {
        draw_chart(doc, &canvas);
        put_x_legend(doc, &canvas);
    }
    for (size_t curve = 0; curve < plot->n_curves; curve++)
        put_words(doc, &canvas, curve);
}
