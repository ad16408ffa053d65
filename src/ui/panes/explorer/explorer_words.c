/* The head view: the queries at the left, the keys at the right, and lines from the query under the
 * cursor to the keys, the thicker the more of a key it takes. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "graph/node.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { WORD_COLS = 12, MIN_LINE = 6, MAX_LINE = 120, NUMBER_COLS = 8 };

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

static const char *sign_for(float weight, bool ascii)
{
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        if (weight >= lines[i].from && weight > 0)
            return ascii ? lines[i].ascii : lines[i].sign;
    return " ";
}

/* What is drawn, and where. The two columns of words are scrolled each by itself: so the query is
 * in sight with whichever of its keys. */
struct head_view {
    const struct node *node;
    struct tensor before;      /* the last edit; borrowed; data NULL: it changed nothing */
    const struct node *masked; /* the scores that tell which keys are hidden; or NULL */
    struct explorer_slice slice;
    size_t query, key;             /* the cursor */
    size_t seen;                   /* rows of words */
    size_t first_query, first_key; /* the words in the first of them */

    int word_cols;              /* of either column of words */
    int trunk, key_col, number; /* columns: of the line downwards, of the keys, of their numbers */
    bool ascii;
    double above, below; /* weight of the keys that are out of sight */
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

int explorer_words_rows(const struct explorer *explorer, int rows)
{
    struct explorer_slice slice = explorer_slice(explorer);
    size_t n = size_min(size_max(slice.n_rows, slice.n_cols), explorer_words_seen(rows));
    return heading_rows(rows) + (int)n + legend_rows(rows);
}

/* Where everything stands, in so many rows and columns. */
static struct head_view lay_out(const struct explorer *explorer, int rows, int cols, bool ascii)
{
    struct node *node = explorer_node(explorer);
    struct head_view view = {.node = node,
                             .before = explorer_before(explorer, node),
                             .slice = explorer_slice(explorer),
                             .query = explorer->row,
                             .key = explorer->col,
                             .seen = explorer_words_seen(rows),
                             .ascii = ascii};
    const struct node *masked = pipeline_node(&explorer->pipeline, "masked");
    bool is_theirs = node->name != NULL && strcmp(node->name, "weights") == 0;
    if (masked != NULL && is_theirs && tensor_same_shape(&masked->value, &node->value))
        view.masked = masked;
    size_t n_rows = view.slice.n_rows, n_cols = view.slice.n_cols, widest = strlen("key");
    char text[24];
    view.first_query = scroll_into_view(explorer->first_row, view.query, view.seen, n_rows);
    view.first_key = scroll_into_view(explorer->first_col, view.key, view.seen, n_cols);

    for (unsigned from_last = 1; from_last <= 2; from_last++)
        for (size_t i = 0; i < (from_last == 2 ? n_rows : n_cols); i++) {
            const char *word = word_at(&view, from_last, i, text);
            widest = size_max(widest, text_width(word, strlen(word)));
        }
    int most = (cols - MIN_LINE - NUMBER_COLS) / 2;
    most = most < 1 ? 1 : most < WORD_COLS ? most : WORD_COLS;
    view.word_cols = widest < (size_t)most ? (int)widest : most;
    int line = cols - 2 * view.word_cols - NUMBER_COLS - 3;
    line = line < MIN_LINE ? MIN_LINE : line > MAX_LINE ? MAX_LINE : line;
    view.trunk = view.word_cols + 1 + line / 3;
    view.key_col = view.word_cols + 2 + line;
    view.number = view.key_col + view.word_cols + 1;

    for (size_t key = 0; key < n_cols; key++)
        if (key < view.first_key)
            view.above += (double)weight_of(&view, key);
        else if (key >= view.first_key + view.seen)
            view.below += (double)weight_of(&view, key);
    return view;
}

static void put_word(struct area area, int col, int cols, struct canvas_look look, const char *word)
{
    area_put(area_part(area, 0, col, 1, cols), 0, 0, look, word,
             text_fit(word, strlen(word), (size_t)cols));
}

/* The rows that the line downwards goes through: from the query to the keys that it reaches, and to
 * the edge where there are more of them. False where it reaches none. */
static bool reach(const struct head_view *view, size_t *ret_top, size_t *ret_bottom)
{
    size_t at = view->query - view->first_query;
    bool any = view->above > 0 || view->below > 0;
    *ret_top = view->above > 0 ? 0 : at;
    *ret_bottom = view->below > 0 ? view->seen : at; /* it goes on after the last row */
    for (size_t row = 0; row < view->seen && view->first_key + row < view->slice.n_cols; row++) {
        if (!(weight_of(view, view->first_key + row) > 0))
            continue;
        any = true;
        *ret_top = size_min(*ret_top, row);
        *ret_bottom = size_max(*ret_bottom, row);
    }
    return any;
}

const char *explorer_joint(bool up, bool down, bool left, bool right, bool ascii, char sign[4])
{
    /* The last of its three bytes. One end alone is drawn as a whole line. */
    static const unsigned char last[16] = {' ',  0x80, 0x80, 0x80, 0x82, 0x8C, 0x90, 0xAC,
                                           0x82, 0x94, 0x98, 0xB4, 0x82, 0x9C, 0xA4, 0xBC};
    int at = (up ? 8 : 0) + (down ? 4 : 0) + (left ? 2 : 0) + (right ? 1 : 0);
    if (at == 0)
        snprintf(sign, 4, " ");
    else if (ascii)
        snprintf(sign, 4, "%c", at <= 3 ? '-' : at % 4 == 0 ? '|' : '+');
    else
        snprintf(sign, 4, "\xE2\x94%c", last[at]);
    return sign;
}

/* The lines in a row: from the query, down or up, and to a key. */
static void draw_lines(const struct head_view *view, struct area area, size_t row)
{
    char sign[4];
    size_t top, bottom, key = view->first_key + row;
    float weight = key < view->slice.n_cols ? weight_of(view, key) : 0;
    bool is_query = view->first_query + row == view->query;
    struct canvas_look look = look_of(STYLE_PLAIN);
    if (!reach(view, &top, &bottom) || row < top || row > bottom)
        return;
    bool up = row > top || (row == 0 && view->above > 0), down = row < bottom;
    if (is_query)
        for (int col = view->word_cols + 1; col < view->trunk; col++)
            area_text(area, 0, col, look,
                      explorer_joint(false, false, true, true, view->ascii, sign));
    area_text(area, 0, view->trunk, look,
              explorer_joint(up, down, is_query, weight > 0, view->ascii, sign));
    for (int col = view->trunk + 1; col + 1 < view->key_col; col++)
        area_text(area, 0, col, look, sign_for(weight, view->ascii));
}

/* As short as there are columns for: a number that is cut off would be another one. */
static void write_weight(float weight, int digits, int cols, char number[NUMBER_TEXT])
{
    if ((int)strlen(number_short(weight, digits, number)) > cols)
        snprintf(number, NUMBER_TEXT, "%.*f", digits, (double)weight);
}

static void draw_key(const struct head_view *view, struct area area, size_t key, int digits,
                     unsigned cursor)
{
    char text[24], number[NUMBER_TEXT];
    unsigned marks = key == view->key ? cursor : 0;
    if (key >= view->slice.n_cols)
        return;
    size_t at = explorer_position(&view->slice, view->query, key);
    bool changed = view->before.data != NULL &&
                   number_differs(tensor_at_position(&view->before, at), weight_of(view, key));
    put_word(area, view->key_col, view->word_cols, look_marked(STYLE_LABEL, marks),
             word_at(view, 1, key, text));
    if (view->masked != NULL && isinf(tensor_at_position(&view->masked->value, at)))
        snprintf(number, sizeof number, "hidden");
    else
        write_weight(weight_of(view, key), digits, area.cols - view->number - 1, number);
    area_format(area, 0, view->number, look_marked(changed ? STYLE_CHANGED : STYLE_NUMBER, marks),
                "%s%s", number, changed ? "*" : "");
}

/* What the lines mean, in three lengths: "weight: ... < 0.1  --- < 0.3", "weight: .<0.1 -<0.3" and
 * ".<0.1 -<0.3". */
static void write_legend(int shorter, bool ascii, struct text *text)
{
    text_put(text, shorter > 1 ? "" : "weight: ");
    for (size_t i = COUNT_OF(lines); i-- > 0;) {
        text_repeat(text, ascii ? lines[i].ascii : lines[i].sign, shorter > 0 ? 1 : 3);
        if (i > 0)
            text_format(text, shorter > 0 ? "<%g " : " < %g  ", (double)lines[i - 1].from);
        else
            text_put(text, shorter > 0 ? "more" : " more");
    }
}

/* The legend, and of the keys that the pane has no rows for: "  unseen: 0.31 above, 0.12 below". */
static void draw_legend(const struct head_view *view, struct area area)
{
    struct text text = {0};
    for (int shorter = 0; shorter < 3; shorter++) {
        text_clear(&text);
        write_legend(shorter, view->ascii, &text);
        if (view->above > 0 || view->below > 0)
            text_put(&text, "  unseen: ");
        if (view->above > 0)
            text_format(&text, "%.2g above%s", view->above, view->below > 0 ? ", " : "");
        if (view->below > 0)
            text_format(&text, "%.2g below", view->below);
        if (text_width(text_string(&text), text.size) <= (size_t)area.cols)
            break;
    }
    area_text(area, 0, 0, look_of(STYLE_QUIET), text_string(&text));
    text_release(&text);
}

void explorer_words_draw(const struct explorer *explorer, struct area area, bool focused,
                         bool ascii)
{
    struct head_view view = lay_out(explorer, area.rows, area.cols, ascii);
    unsigned cursor = MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
    size_t n = size_max(view.slice.n_rows, view.slice.n_cols);
    int row = heading_rows(area.rows), digits = explorer->pipeline.session.settings.digits;
    char text[24];
    if (row > 0) {
        struct canvas_look look = look_of(STYLE_QUIET);
        area_text(area_part(area, 0, 0, 1, view.trunk), 0, 0, look, "query");
        area_text(area_part(area, 0, view.key_col, 1, view.word_cols + 1), 0, 0, look, "key");
        area_text(area, 0, view.number, look, "weight");
    }
    for (size_t i = 0; i < view.seen && i < n; i++) {
        struct area line = area_part(area, row++, 0, 1, area.cols);
        size_t query = view.first_query + i;
        if (query < view.slice.n_rows)
            put_word(line, 0, view.word_cols,
                     look_marked(STYLE_LABEL, query == view.query ? cursor : 0),
                     word_at(&view, 2, query, text));
        draw_lines(&view, line, i);
        draw_key(&view, line, view.first_key + i, digits, cursor);
    }
    if (legend_rows(area.rows) > 0)
        draw_legend(&view, area_part(area, row, 0, 1, area.cols));
}

bool explorer_words_at(const struct explorer *explorer, struct area area, int row, int col,
                       size_t *ret_row, size_t *ret_col)
{
    struct head_view view = lay_out(explorer, area.rows, area.cols, false);
    row -= heading_rows(area.rows);
    if (row < 0 || (size_t)row >= view.seen)
        return false;
    size_t query = view.first_query + (size_t)row, key = view.first_key + (size_t)row;
    if (col < view.trunk && query < view.slice.n_rows)
        *ret_row = query;
    else if (col >= view.trunk && key < view.slice.n_cols)
        *ret_col = key;
    else
        return false;
    return true;
}
