/* The head view: the queries at the left, the keys at the right, and lines from the query under the
 * cursor to the keys, the thicker the more of a key it takes. */
#include "ui/explorer_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/number.h"

enum { WORD_COLS = 12, MIN_LINE = 6, NUMBER_COLS = 8 };

/* How a line is drawn for weights from `from` on. */
static const struct {
    float from;
    const char *sign, *ascii;
} lines[] = {
    {0.6F, "\xE2\x95\x90", "#"}, /* two lines */
    {0.3F, "\xE2\x94\x81", "="}, /* a thick one */
    {0.1F, "\xE2\x94\x80", "-"},
    {0, "\xE2\x94\x88", "."}, /* dots */
};
enum { N_LINES = sizeof lines / sizeof lines[0] };

/* True where a row could be weights: none negative, and 1 or (all hidden) 0 in sum. */
static bool adds_up(const struct tensor *x, size_t first, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        float weight = tensor_at_position(x, first + i);
        if (!(weight >= 0))
            return false;
        sum += (double)weight;
    }
    return sum == 0 || fabs(sum - 1) < 1e-4; /* float32 sums of up to thousands of weights */
}

bool explorer_has_words(const struct node *node)
{
    const struct tensor *x = &node->value;
    if (x->n_axes < 2 || tensor_size(x) == 0)
        return false;
    if (node->name != NULL && strcmp(node->name, "weights") == 0)
        return true; /* an edited row may add up to anything */
    size_t n_cols = x->shape[x->n_axes - 1], size = tensor_size(x);
    for (size_t first = 0; first < size; first += n_cols)
        if (!adds_up(x, first, n_cols))
            return false;
    return true;
}

static const char *sign_for(float weight, bool ascii)
{
    for (size_t i = 0; i < N_LINES; i++)
        if (weight >= lines[i].from && weight > 0)
            return ascii ? lines[i].ascii : lines[i].sign;
    return " ";
}

/* What is drawn, and where. */
struct head_view {
    const struct node *node;
    struct explorer_slice slice;
    size_t query, key; /* the cursor */
    size_t first;      /* the word in the first row */

    int word_cols;              /* of either column of words */
    int trunk, key_col, number; /* columns: of the line downwards, of the keys, of their numbers */
    bool ascii;
};

/* The word at a position, or the position itself. */
static const char *word_at(const struct head_view *view, unsigned from_last, size_t i,
                           char text[24])
{
    const struct node *node = view->node;
    const struct labels *labels = node->labels[node->value.n_axes - from_last];
    if (labels != NULL)
        return labels_name(labels, i);
    snprintf(text, 24, "%zu", i);
    return text;
}

static int widest_word(const struct head_view *view)
{
    char text[24];
    size_t most = 3; /* "key" */
    for (unsigned from_last = 1; from_last <= 2; from_last++) {
        size_t n = from_last == 2 ? view->slice.n_rows : view->slice.n_cols;
        for (size_t i = 0; i < n; i++) {
            const char *word = word_at(view, from_last, i, text);
            size_t cols = text_width(word, strlen(word));
            most = cols > most ? cols : most;
        }
    }
    return (int)(most < WORD_COLS ? most : WORD_COLS);
}

static float weight_of(const struct head_view *view, size_t key)
{
    return tensor_at_position(&view->node->value,
                              explorer_position(&view->slice, view->query, key));
}

/* Headings stand above the words, the meaning of the lines below them, where there is room. */
static int heading_rows(int rows)
{
    return rows > 4 ? 1 : 0;
}

static int legend_rows(int rows)
{
    return rows > 3 ? 1 : 0;
}

size_t explorer_words_seen(int rows)
{
    int seen = rows - heading_rows(rows) - legend_rows(rows);
    return seen > 0 ? (size_t)seen : 1;
}

/* The word in the first row: scrolled as it was, but the query is in sight. */
static size_t first_word(const struct explorer *explorer, int rows, size_t n)
{
    size_t seen = explorer_words_seen(rows), first = explorer->first_row;
    if (explorer->row < first)
        first = explorer->row;
    if (explorer->row >= first + seen)
        first = explorer->row - seen + 1;
    return n <= seen ? 0 : first < n - seen ? first : n - seen;
}

static struct head_view view_of(const struct explorer *explorer, int rows, int cols, bool ascii)
{
    struct head_view view = {.node = explorer_node(explorer),
                             .slice = explorer_slice(explorer),
                             .query = explorer->row,
                             .key = explorer->col,
                             .ascii = ascii};
    size_t n = view.slice.n_rows > view.slice.n_cols ? view.slice.n_rows : view.slice.n_cols;
    view.first = first_word(explorer, rows, n);
    view.word_cols = widest_word(&view);
    int most = (cols - MIN_LINE - NUMBER_COLS) / 2;
    if (view.word_cols > most)
        view.word_cols = most > 1 ? most : 1;
    int line = cols - 2 * view.word_cols - NUMBER_COLS - 3;
    line = line < MIN_LINE ? MIN_LINE : line > 24 ? 24 : line;
    view.trunk = view.word_cols + 1 + line / 3;
    view.key_col = view.word_cols + 2 + line;
    view.number = view.key_col + view.word_cols + 1;
    return view;
}

static void put_word(struct area area, int row, int col, int cols, struct canvas_look look,
                     const char *word)
{
    area_put(area_part(area, row, col, 1, cols), 0, 0, look, word,
             text_fit(word, strlen(word), (size_t)cols));
}

/* The keys that lines go to, among the rows seen; false when there is none. */
static bool reach(const struct head_view *view, size_t *ret_top, size_t *ret_bottom)
{
    bool any = false;
    *ret_top = *ret_bottom = view->query;
    for (size_t key = 0; key < view->slice.n_cols; key++) {
        if (!(weight_of(view, key) > 0))
            continue;
        any = true;
        *ret_top = key < *ret_top ? key : *ret_top;
        *ret_bottom = key > *ret_bottom ? key : *ret_bottom;
    }
    return any;
}

/* The sign where lines meet: with an end upwards, downwards, at the left and at the right. */
static const char *joint(bool up, bool down, bool left, bool right, bool ascii)
{
    static const char *const signs[16] = {" ",
                                          "\xE2\x94\x80",
                                          "\xE2\x94\x80",
                                          "\xE2\x94\x80", /* -, r, l, lr */
                                          "\xE2\x94\x82",
                                          "\xE2\x94\x8C",
                                          "\xE2\x94\x90",
                                          "\xE2\x94\xAC", /* d, dr, dl, dlr */
                                          "\xE2\x94\x82",
                                          "\xE2\x94\x94",
                                          "\xE2\x94\x98",
                                          "\xE2\x94\xB4", /* u, ur, ul, ulr */
                                          "\xE2\x94\x82",
                                          "\xE2\x94\x9C",
                                          "\xE2\x94\xA4",
                                          "\xE2\x94\xBC"}; /* ud, udr, udl, all */
    int at = (up ? 8 : 0) + (down ? 4 : 0) + (left ? 2 : 0) + (right ? 1 : 0);
    if (!ascii || at == 0)
        return signs[at];
    return at <= 3 ? "-" : at % 4 == 0 ? "|" : "+";
}

static void draw_lines(const struct head_view *view, struct area area, int row, size_t at)
{
    size_t top, bottom;
    if (!reach(view, &top, &bottom))
        return;
    float weight = at < view->slice.n_cols ? weight_of(view, at) : 0;
    bool is_query = at == view->query;
    struct canvas_look look = look_of(STYLE_PLAIN);
    if (at < top || at > bottom)
        return;
    if (is_query)
        for (int col = view->word_cols + 1; col < view->trunk; col++)
            area_text(area, row, col, look, joint(false, false, true, true, view->ascii));
    area_text(area, row, view->trunk, look,
              joint(at > top, at<bottom, is_query, weight> 0, view->ascii));
    for (int col = view->trunk + 1; col + 1 < view->key_col; col++)
        area_text(area, row, col, look, sign_for(weight, view->ascii));
}

static void draw_row(const struct explorer *explorer, const struct head_view *view,
                     struct area area, int row, size_t at, bool focused)
{
    char text[24], number[NUMBER_TEXT];
    unsigned cursor = MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
    if (at < view->slice.n_rows)
        put_word(area, row, 0, view->word_cols,
                 look_marked(STYLE_LABEL, at == view->query ? cursor : 0),
                 word_at(view, 2, at, text));
    draw_lines(view, area, row, at);
    if (at >= view->slice.n_cols)
        return;
    unsigned marks = at == view->key ? cursor : 0;
    put_word(area, row, view->key_col, view->word_cols, look_marked(STYLE_LABEL, marks),
             word_at(view, 1, at, text));
    number_short(weight_of(view, at), explorer->session.settings.digits, number);
    area_text(area, row, view->number, look_marked(STYLE_NUMBER, marks), number);
}

/* What the lines mean. */
static void draw_legend(struct area area, int row, bool ascii)
{
    int col = 0;
    for (size_t i = N_LINES; i-- > 0;) {
        const char *sign = ascii ? lines[i].ascii : lines[i].sign;
        col = area_format(area, row, col, look_of(STYLE_QUIET), "%s%s%s", sign, sign, sign);
        if (i > 0)
            col = area_format(area, row, col, look_of(STYLE_QUIET), " < %g  ",
                              (double)lines[i - 1].from);
        else
            area_text(area, row, col, look_of(STYLE_QUIET), " more");
    }
}

static void draw_headings(const struct head_view *view, struct area area)
{
    area_text(area_part(area, 0, 0, 1, view->trunk), 0, 0, look_of(STYLE_QUIET), "query");
    area_text(area_part(area, 0, view->key_col, 1, view->word_cols + 1), 0, 0, look_of(STYLE_QUIET),
              "key");
    area_text(area, 0, view->number, look_of(STYLE_QUIET), "weight");
}

void explorer_words_draw(const struct explorer *explorer, struct area area, bool focused,
                         bool ascii)
{
    struct head_view view = view_of(explorer, area.rows, area.cols, ascii);
    size_t n = view.slice.n_rows > view.slice.n_cols ? view.slice.n_rows : view.slice.n_cols;
    size_t seen = explorer_words_seen(area.rows);
    int row = heading_rows(area.rows);
    if (row > 0)
        draw_headings(&view, area);
    for (size_t i = 0; i < seen && view.first + i < n; i++)
        draw_row(explorer, &view, area, row++, view.first + i, focused);
    if (legend_rows(area.rows) > 0)
        draw_legend(area, row, ascii);
}

bool explorer_words_at(const struct explorer *explorer, struct area area, int row, int col,
                       size_t *ret_row, size_t *ret_col)
{
    struct head_view view = view_of(explorer, area.rows, area.cols, false);
    row -= heading_rows(area.rows);
    size_t at = view.first + (size_t)row;
    if (row < 0 || (size_t)row >= explorer_words_seen(area.rows))
        return false;
    if (col < view.trunk && at < view.slice.n_rows)
        *ret_row = at;
    else if (col >= view.trunk && at < view.slice.n_cols)
        *ret_col = at;
    else
        return false;
    return true;
}
