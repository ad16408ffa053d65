/* The head view: the queries at the left, the keys at the right, and lines from the query under the
 * cursor to the keys, the thicker the more of a key it takes. With lines of all queries, or of
 * several heads, the lines go straight from word to word, one over the other. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- lines of several heads, or of all words ---- */

enum {
    SPOT_ACROSS = 2, /* dots of a character of braille */
    SPOT_DOWN = 4,
    MOST_LEVEL = 3,
    FIRST_TINT = 104, /* darker ones are lost on a dark screen, brighter ones on a light one */
    LAST_TINT = 220,
};

/* Lines of smaller weights would cover the others. */
static const float weakest_line = 0.05F;

/* A character between the words: what is seen of the lines through it. */
struct spot {
    unsigned char dots, level; /* of the line on top; level 0 to MOST_LEVEL, as it is drawn */
    unsigned char head;        /* its place in web.heads */
    bool is_taken, is_cursor;  /* the line on top begins at the word under the cursor */
    float weight;
};

/* All lines that are seen, as characters [rows][cols] between the two columns of words. */
struct web {
    const struct head_view *view;
    struct spot *spots; /* owned; NULL: there was no memory for them */
    size_t rows, cols;
    size_t heads[EXPLORER_MARKED_HEADS], n_heads;
    bool is_one_word;        /* lines of the query under the cursor only */
    bool has_colours;        /* heads, or the weights of one head, have colours */
    bool has_dots;           /* braille; else a character for each place of a line */
    size_t n_weak, n_unseen; /* lines below weakest_line; and to keys that are out of sight */
};

/* A head as one character: 0 to 9, and letters from a on. */
static char head_sign(const struct explorer *explorer, size_t head)
{
    static const char signs[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-*";
    return signs[explorer_head_number(explorer, head) % (sizeof signs - 1)];
}

/* With several heads, each has a colour of its own; of one head, a brighter line is a larger
 * weight. */
static int16_t tint_of_line(const struct web *web, size_t head, float weight)
{
    double at = web->n_heads > 1 ? (double)head / (double)(web->n_heads - 1)
                                 : sqrt(weight < 1 ? (double)weight : 1);
    return (int16_t)(FIRST_TINT + (int)lround(at * (LAST_TINT - FIRST_TINT)));
}

static void put_dot(const struct web *web, size_t x, size_t y, const struct spot *line)
{
    static const unsigned char dots[SPOT_DOWN][SPOT_ACROSS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    size_t across = web->has_dots ? SPOT_ACROSS : 1, down = web->has_dots ? SPOT_DOWN : 1;
    if (x / across >= web->cols || y / down >= web->rows)
        return;
    struct spot *spot = &web->spots[y / down * web->cols + x / across];
    unsigned char all = (unsigned char)(spot->dots | dots[y % down][x % across]);
    bool is_above = !spot->is_taken || line->is_cursor > spot->is_cursor ||
                    (line->is_cursor == spot->is_cursor && line->weight > spot->weight);
    if (is_above)
        *spot = *line;
    spot->dots = all;
}

/* A straight line between two rows of words: the weaker, the more of its dots are left out; a
 * strong one is two dots thick. */
static void put_line(const struct web *web, size_t from, size_t to, const struct spot *line)
{
    static const size_t every[MOST_LEVEL + 1] = {4, 2, 1, 1};
    double across = (double)(web->has_dots ? web->cols * SPOT_ACROSS : web->cols) - 1;
    double down = web->has_dots ? SPOT_DOWN : 1, middle = web->has_dots ? 1 : 0;
    double y0 = (double)from * down + middle, y1 = (double)to * down + middle;
    size_t n = (size_t)fmax(across, fabs(y1 - y0)), step = every[line->level];
    if (web->n_heads == 1 && !web->has_dots)
        step = 1; /* its characters are the heavier the larger the weight */
    for (size_t i = 0; i <= n; i += step) {
        double at = n > 0 ? (double)i / (double)n : 0;
        size_t x = (size_t)lround(at * across), y = (size_t)lround(y0 + at * (y1 - y0));
        put_dot(web, x, y, line);
        if (web->has_dots && line->level == MOST_LEVEL)
            put_dot(web, x, y + 1, line);
    }
}

/* The lines of the word under the cursor are a level heavier than their weight says, and those of
 * all others never the heaviest. */
static unsigned char level_of(float weight, bool is_emphasised)
{
    int level = 0;
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        level += weight >= lines[i].from && lines[i].from > 0 ? 1 : 0;
    level += is_emphasised ? 1 : 0;
    int most = is_emphasised ? MOST_LEVEL : MOST_LEVEL - 1;
    return (unsigned char)(level < most ? level : most);
}

static void put_lines_of(struct web *web, size_t head, size_t query)
{
    const struct head_view *view = web->view;
    struct explorer_slice slice = view->slice;
    bool is_cursor = query == view->query;
    slice.index = web->heads[head];
    for (size_t key = 0; key < slice.n_cols; key++) {
        float weight =
            tensor_at_position(&view->node->value, explorer_position(&slice, query, key));
        bool is_seen = key >= view->first_key && key - view->first_key < web->rows;
        if (!(weight > 0)) /* nothing, or hidden */
            continue;
        if (weight < weakest_line) {
            web->n_weak++;
        } else if (!is_seen) {
            web->n_unseen++;
        } else {
            struct spot line = {.level = level_of(weight, is_cursor && !web->is_one_word),
                                .head = (unsigned char)head,
                                .is_taken = true,
                                .is_cursor = is_cursor,
                                .weight = weight};
            put_line(web, query - view->first_query, key - view->first_key, &line);
        }
    }
}

/* The heads whose lines are drawn: those that are marked, and the one that is shown. */
static size_t list_heads(const struct explorer *explorer, size_t ret[EXPLORER_MARKED_HEADS])
{
    struct explorer_slice slice = explorer_slice(explorer);
    size_t n = 0;
    for (size_t head = 0; head < slice.n_slices && n < EXPLORER_MARKED_HEADS; head++)
        if (head == slice.index || explorer_is_marked(explorer, head))
            ret[n++] = head;
    return n;
}

/* Without memory its spots are NULL. The caller frees them. */
static struct web make_web(const struct explorer *explorer, const struct head_view *view)
{
    const struct settings *settings = &explorer->pipeline.session.settings;
    struct web web = {.view = view, .is_one_word = !explorer->draws_all_lines};
    size_t n_words = size_max(view->slice.n_rows, view->slice.n_cols);
    web.n_heads = list_heads(explorer, web.heads);
    web.has_colours = settings->colours != COLOURS_NONE && !view->ascii;
    web.has_dots = !view->ascii && (web.has_colours || web.n_heads == 1);
    web.rows = size_min(view->seen, n_words);
    web.cols = (size_t)(view->key_col - view->word_cols - 2);
    web.spots = calloc(web.rows * web.cols, sizeof *web.spots);
    for (size_t head = 0; web.spots != NULL && head < web.n_heads; head++)
        for (size_t i = 0; i < web.rows && view->first_query + i < view->slice.n_rows; i++)
            if (!web.is_one_word || view->first_query + i == view->query)
                put_lines_of(&web, head, view->first_query + i);
    return web;
}

/* What a spot shows: its dots, the sign of its head, or a character for its weight. */
static void write_spot(const struct explorer *explorer, const struct web *web,
                       const struct spot *spot, char sign[4])
{
    if (web->has_dots)
        snprintf(sign, 4, "\xE2%c%c", 0xA0 | spot->dots >> 6, 0x80 | (spot->dots & 0x3F));
    else if (web->n_heads > 1)
        snprintf(sign, 4, "%c", head_sign(explorer, web->heads[spot->head]));
    else
        snprintf(sign, 4, "%s", lines[MOST_LEVEL - spot->level].ascii);
}

static void draw_web_row(const struct explorer *explorer, const struct web *web, struct area area,
                         size_t row)
{
    char sign[4];
    for (size_t col = 0; web->spots != NULL && row < web->rows && col < web->cols; col++) {
        const struct spot *spot = &web->spots[row * web->cols + col];
        struct canvas_look look = look_of(STYLE_PLAIN);
        if (!spot->is_taken)
            continue;
        if (web->has_colours)
            look.front = tint_of_line(web, spot->head, spot->weight);
        else if (!web->is_one_word)
            look.marks = spot->is_cursor ? MARK_BOLD : MARK_DIM;
        write_spot(explorer, web, spot, sign);
        area_text(area, 0, web->view->word_cols + 1 + (int)col, look, sign);
    }
}

/* The heads, each in its colour; how many lines are left out, and how many have an end that is out
 * of sight: "heads 0 2 a=10  below 0.05: 12 left out  unseen: 3". */
static void draw_web_legend(const struct explorer *explorer, const struct web *web,
                            struct area area)
{
    struct canvas_look quiet = look_of(STYLE_QUIET);
    int col = area_text(area, 0, 0, quiet, web->n_heads > 1 ? "heads" : "head");
    for (size_t i = 0; i < web->n_heads; i++) {
        size_t number = explorer_head_number(explorer, web->heads[i]);
        struct canvas_look look = look_marked(STYLE_PLAIN, MARK_BOLD);
        if (web->has_colours && web->n_heads > 1)
            look.front = tint_of_line(web, i, 1);
        col++;
        if (number > 9 && web->n_heads > 1 && !web->has_dots)
            col = area_format(area, 0, col, look, "%c=", head_sign(explorer, web->heads[i]));
        col = area_format(area, 0, col, look, "%zu", number);
    }
    if (web->spots == NULL)
        col = area_text(area, 0, col, look_of(STYLE_BAD), "  no memory for the lines");
    if (web->n_weak > 0)
        col = area_format(area, 0, col, quiet, "  below %g: %zu left out", (double)weakest_line,
                          web->n_weak);
    if (web->n_unseen > 0)
        area_format(area, 0, col, quiet, "  unseen: %zu", web->n_unseen);
}

void explorer_words_draw(const struct explorer *explorer, struct area area, bool focused,
                         bool ascii)
{
    struct head_view view = lay_out(explorer, area.rows, area.cols, ascii);
    size_t heads[EXPLORER_MARKED_HEADS];
    bool is_web = explorer->draws_all_lines || list_heads(explorer, heads) > 1;
    struct web web = is_web ? make_web(explorer, &view) : (struct web){.view = &view};
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
        if (is_web)
            draw_web_row(explorer, &web, line, i);
        else
            draw_lines(&view, line, i);
        draw_key(&view, line, view.first_key + i, digits, cursor);
    }
    struct area legend = area_part(area, row, 0, legend_rows(area.rows), area.cols);
    if (is_web)
        draw_web_legend(explorer, &web, legend);
    else
        draw_legend(&view, legend);
    free(web.spots);
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
