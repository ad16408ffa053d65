/* The whole chain: where each stage of a sentence stands when all are on one screen, and how the
 * cursor goes from one to another.
 *
 * The stages stand as they are multiplied: Q at the left of the scores, K transposed above them, V
 * above the context. So a word has one row of the screen from its query to its context vector, and
 * a product's operands stand at the left of it and above it:
 *
 *   E    K.T                                  V
 *   Q    scores   scaled   masked   weights   context
 *
 * With several heads E and X stand above these, heads and output below. */
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

enum {
    MIN_COLS = 150, /* of a pane that shows the chain */
    LABEL_MAX = 10, /* columns of a word */
    GAP_MIN = 3,    /* columns between stages: a line and its arrow */
    GAP_MAX = 8,    /* more are too far apart */
    BLOCK_COLS = 2, /* of a cell without its number */
    SEEN_MIN = 2,   /* words that must be seen */
    BAND_GAP = 1,   /* rows between bands, for the lines of flow */
    MAIN_TITLE = 3, /* rows above the scores: name, operation, words */
    TITLE = 1,      /* rows above the others */
    N_BANDS = 4,    /* E and X; K and V; from Q to context; heads and output */
    MAIN_BAND = 2,
};

/* How much of a number a cell shows; those that are tried first come first. */
static const struct density {
    int digits, minor_digits; /* minor: of K, scores, scaled, masked; 0: a block of colour */
    int pad;                  /* columns of a cell beside its number */
} densities[] = {{4, 4, 2}, {3, 3, 2}, {2, 2, 2}, {2, 2, 1}, {2, 1, 1}, {1, 1, 1}, {0, 0, 0}};

static const struct placing {
    const char *name;
    enum chain_role role;
    int band, band_of_one; /* with several heads, and with one */
} placings[] = {
    {"E", CHAIN_ROWS, 0, 1},        {"X", CHAIN_ROWS, 0, 0},        {"Q", CHAIN_ROWS, 2, 2},
    {"K", CHAIN_KEYS, 1, 1},        {"V", CHAIN_VALUES, 1, 1},      {"scores", CHAIN_SQUARE, 2, 2},
    {"scaled", CHAIN_SQUARE, 2, 2}, {"masked", CHAIN_SQUARE, 2, 2}, {"weights", CHAIN_SQUARE, 2, 2},
    {"context", CHAIN_ROWS, 2, 2},  {"heads", CHAIN_ROWS, 3, 3},    {"output", CHAIN_ROWS, 3, 3},
};

struct explorer_chain_box *explorer_chain_box(struct explorer_chain *chain, const char *name)
{
    for (size_t i = 0; i < chain->n; i++)
        if (strcmp(chain->boxes[i].name, name) == 0)
            return &chain->boxes[i];
    return NULL;
}

struct explorer_chain_box *explorer_chain_box_of(struct explorer_chain *chain, size_t stage)
{
    for (size_t i = 0; i < chain->n; i++)
        if (chain->boxes[i].stage == stage)
            return &chain->boxes[i];
    return NULL;
}

struct chain_numbers explorer_chain_numbers(const struct explorer_chain_box *box,
                                            const struct tensor *x)
{
    unsigned n = x->n_axes;
    struct chain_numbers numbers = {.first = x->data,
                                    .row_step = n > 1 ? x->stride[n - 2] : 0,
                                    .col_step = n > 0 ? x->stride[n - 1] : 0};
    size_t left = box->slice.index;
    for (unsigned axis = n > 2 ? n - 2 : 0; axis-- > 0; left /= x->shape[axis])
        numbers.first += (ptrdiff_t)(left % x->shape[axis]) * x->stride[axis];
    if (box->role == CHAIN_KEYS) {
        ptrdiff_t step = numbers.row_step;
        numbers.row_step = numbers.col_step;
        numbers.col_step = step;
    }
    return numbers;
}

/* ---- the stages and their numbers ---- */

static void measure_range(struct explorer_chain_box *box)
{
    box->lowest = (double)INFINITY;
    box->highest = -(double)INFINITY;
    for (size_t row = 0; row < box->whole_rows; row++)
        for (size_t col = 0; col < box->whole_cols; col++) {
            double x = (double)explorer_chain_number(&box->numbers, row, col);
            if (!isfinite(x))
                box->has_infinite = true;
            else if (x < box->lowest)
                box->lowest = x;
            if (isfinite(x) && x > box->highest)
                box->highest = x;
        }
    if (box->lowest > box->highest)
        box->lowest = box->highest = 0;
}

/* The boxes of the stages, without their places. False for what is not a sentence's pipeline. */
static bool take_stages(const struct explorer *explorer, struct explorer_chain *chain)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    bool is_one = pipeline->options.n_heads == 1;
    for (size_t i = 0; i < pipeline->n_stages; i++) {
        const struct pipeline_stage *stage = &pipeline->stages[i];
        const struct placing *placing = placings, *end = placings + COUNT_OF(placings);
        while (placing < end && strcmp(placing->name, stage->name) != 0)
            placing++;
        if (placing == end)
            return false;
        struct explorer_chain_box *box = &chain->boxes[chain->n++];
        *box = (struct explorer_chain_box){.name = placing->name,
                                           .stage = i,
                                           .node = stage->node,
                                           .role = placing->role,
                                           .band = is_one ? placing->band_of_one : placing->band,
                                           .slice = explorer_slice_of(stage->node, explorer->head),
                                           .label_col = -1};
        bool turned = box->role == CHAIN_KEYS;
        box->is_weights = strcmp(box->name, "weights") == 0;
        box->numbers = explorer_chain_numbers(box, &stage->node->value);
        box->whole_rows = turned ? box->slice.n_cols : box->slice.n_rows;
        box->whole_cols = turned ? box->slice.n_rows : box->slice.n_cols;
        measure_range(box);
    }
    return chain->n > 0;
}

/* ---- columns ---- */

static int number_cols(double number, int digits)
{
    char text[NUMBER_TEXT];
    const struct number_style style = {.form = NUMBER_FIXED, .digits = digits, .shows_tiny = true};
    return (int)strlen(number_write((float)number, style, text));
}

static void measure_cells(struct explorer_chain *chain, const struct density *density)
{
    int most = chain->most_digits;
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        bool is_minor = box->role == CHAIN_KEYS || (box->role == CHAIN_SQUARE && !box->is_weights);
        int low, high;
        box->digits = is_minor ? density->minor_digits : density->digits;
        box->digits = box->digits < most ? box->digits : most;
        box->cell_cols = BLOCK_COLS;
        if (box->digits == 0)
            continue;
        low = number_cols(box->lowest, box->digits);
        high = number_cols(box->highest, box->digits);
        box->cell_cols = low > high ? low : high;
        if (box->has_infinite && box->cell_cols < (int)strlen("-inf"))
            box->cell_cols = (int)strlen("-inf");
        box->cell_cols += density->pad;
    }
}

/* Columns that belong together stand below each other. */
static void pair_cells(struct explorer_chain *chain, const char *upper, const char *lower)
{
    struct explorer_chain_box *a = explorer_chain_box(chain, upper),
                              *b = explorer_chain_box(chain, lower);
    if (a == NULL || b == NULL)
        return;
    a->cell_cols = b->cell_cols = a->cell_cols > b->cell_cols ? a->cell_cols : b->cell_cols;
}

static int box_cols(const struct explorer_chain_box *box)
{
    return box->cell_cols * (int)box->n_cols;
}

/* Puts the boxes of a band side by side from col on. Returns the column after the last one. */
static int place_band(struct explorer_chain *chain, int band, int col, int gap)
{
    int end = col;
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        if (box->band != band)
            continue;
        box->col = col;
        end = col + box_cols(box);
        col = end + gap;
    }
    return end;
}

static void put_above(struct explorer_chain *chain, const char *upper, const char *lower)
{
    struct explorer_chain_box *a = explorer_chain_box(chain, upper),
                              *b = explorer_chain_box(chain, lower);
    if (a != NULL && b != NULL)
        a->col = b->col;
}

/* Gives all boxes their columns. Returns how many columns they take. */
static int place_columns(struct explorer_chain *chain, int gap, bool is_one)
{
    int first = chain->label_cols + 1, end, cols;
    struct explorer_chain_box *value = explorer_chain_box(chain, "V"),
                              *heads = explorer_chain_box(chain, "heads");
    cols = place_band(chain, MAIN_BAND, first, gap);
    put_above(chain, "K", "scores");
    put_above(chain, "V", "context");
    if (is_one)
        put_above(chain, "E", "Q");
    explorer_chain_box(chain, "Q")->label_col = explorer_chain_box(chain, "E")->label_col = 0;
    value->label_col = value->col - first;
    if (is_one)
        return cols;
    end = place_band(chain, 0, first, gap);
    cols = end > cols ? end : cols;
    end = place_band(chain, 3, first, gap);
    if (end < cols) /* below the context */
        place_band(chain, 3, first + cols - end, gap);
    heads->label_col = heads->col - first;
    return end > cols ? end : cols;
}

static void use_density(struct explorer_chain *chain, const struct density *density, bool is_one)
{
    measure_cells(chain, density);
    pair_cells(chain, "K", "scores");
    pair_cells(chain, "V", "context");
    if (is_one)
        pair_cells(chain, "E", "Q");
}

/* Tries so many keys seen. */
static bool try_columns(struct explorer_chain *chain, size_t n_seen, int cols, bool is_one)
{
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        bool by_keys = box->role == CHAIN_SQUARE || box->role == CHAIN_KEYS;
        box->n_cols = by_keys ? n_seen : box->whole_cols;
    }
    int wanted = place_columns(chain, GAP_MIN, is_one);
    if (wanted > cols)
        return false;
    int gap = GAP_MIN + (cols - wanted) / (int)chain->n;
    chain->cols = place_columns(chain, gap < GAP_MAX ? gap : GAP_MAX, is_one);
    return true;
}

/* All keys are seen, with as many digits as fit; else as many of them as fit without digits. False
 * where these are too few. */
static bool fit_columns(struct explorer_chain *chain, size_t n_words, int cols, bool is_one)
{
    size_t least = size_min(n_words, SEEN_MIN);
    for (size_t i = 0; i < COUNT_OF(densities); i++) {
        use_density(chain, &densities[i], is_one);
        if (try_columns(chain, n_words, cols, is_one))
            return true;
    }
    for (size_t n_seen = n_words; n_seen > least;) /* of blocks */
        if (try_columns(chain, --n_seen, cols, is_one))
            return true;
    return false;
}

/* ---- rows ---- */

/* Gives all boxes their rows, so many words seen. Returns how many rows they take. */
static int place_rows(struct explorer_chain *chain, size_t n_seen, int band_gap)
{
    int row = 0, heights[N_BANDS] = {0};
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        box->n_rows = box->role == CHAIN_KEYS ? box->whole_rows : n_seen;
        int height = (int)box->n_rows;
        heights[box->band] = height > heights[box->band] ? height : heights[box->band];
    }
    for (int band = 0; band < N_BANDS; band++) {
        int title = band == MAIN_BAND ? MAIN_TITLE : TITLE;
        if (heights[band] == 0)
            continue;
        row += row > 0 ? band_gap : 0;
        for (size_t i = 0; i < chain->n; i++) {
            struct explorer_chain_box *box = &chain->boxes[i];
            if (box->band == band) /* they stand on one ground */
                box->row = row + title + heights[band] - (int)box->n_rows;
        }
        row += title + heights[band];
        chain->band_ends[band] = row;
    }
    return row;
}

static bool fit_rows(struct explorer_chain *chain, size_t n_words, int rows)
{
    size_t n_seen = n_words, least = size_min(n_words, SEEN_MIN);
    while (n_seen > least && place_rows(chain, n_seen, BAND_GAP) > rows)
        n_seen--;
    chain->rows = place_rows(chain, n_seen, BAND_GAP + 1);
    if (chain->rows > rows)
        chain->rows = place_rows(chain, n_seen, BAND_GAP);
    return chain->rows <= rows;
}

/* ---- all of it ---- */

static int widest_word(const struct node *node)
{
    const struct labels *words = node->labels[0];
    size_t widest = 1;
    for (size_t i = 0; words != NULL && i < node->value.shape[0]; i++) {
        const char *word = labels_name(words, i);
        widest = size_max(widest, text_width(word, strlen(word)));
    }
    return (int)size_min(widest, LABEL_MAX);
}

/* Scrolls rows and columns so that the words under the cursor are seen. */
static void scroll_boxes(const struct explorer *explorer, struct explorer_chain *chain)
{
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        bool by_keys = box->role == CHAIN_SQUARE || box->role == CHAIN_KEYS;
        if (box->role == CHAIN_VALUES)
            box->first_row =
                scroll_into_view(explorer->first_col, explorer->key, box->n_rows, box->whole_rows);
        else if (box->role != CHAIN_KEYS)
            box->first_row = scroll_into_view(explorer->first_row, explorer->query, box->n_rows,
                                              box->whole_rows);
        if (by_keys)
            box->first_col =
                scroll_into_view(explorer->first_col, explorer->key, box->n_cols, box->whole_cols);
    }
}

bool explorer_chain_lay_out(const struct explorer *explorer, int rows, int cols,
                            struct explorer_chain *ret)
{
    bool is_one = explorer->pipeline.options.n_heads == 1;
    *ret = (struct explorer_chain){.most_digits = explorer->pipeline.session.settings.digits};
    if (explorer->pipeline.sentence[0] == '\0' || cols < MIN_COLS || !take_stages(explorer, ret))
        return false;
    size_t n_words = ret->boxes[0].whole_rows; /* of E */
    ret->label_cols = widest_word(ret->boxes[0].node);
    if (!fit_columns(ret, n_words, cols, is_one) || !fit_rows(ret, n_words, rows))
        return false;
    scroll_boxes(explorer, ret);
    return true;
}

/* ---- the cursor ---- */

struct chain_cell explorer_chain_cell(const struct explorer *explorer)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    for (size_t depth = explorer->depth; depth > 0; depth--) {
        struct cell cell = explorer->path[depth - 1].cell;
        size_t stage = pipeline_find_node(pipeline, cell.node);
        if (stage == pipeline->n_stages)
            continue;
        struct explorer_slice slice = explorer_slice_of(cell.node, 0);
        size_t at = cell.position % (slice.n_rows * slice.n_cols);
        return (struct chain_cell){stage, at / slice.n_cols, at % slice.n_cols};
    }
    return (struct chain_cell){explorer->stage, explorer->row, explorer->col};
}

static bool is_input(const char *name)
{
    return strcmp(name, "E") == 0 || strcmp(name, "X") == 0;
}

/* E and X are every word's query, key and value at once. */
void explorer_chain_note_words(struct explorer *explorer)
{
    struct chain_cell at = explorer_chain_cell(explorer);
    if (at.stage >= explorer->pipeline.n_stages)
        return;
    const char *name = explorer->pipeline.stages[at.stage].name;
    for (size_t i = 0; i < COUNT_OF(placings); i++) {
        enum chain_role role = placings[i].role;
        if (strcmp(placings[i].name, name) != 0)
            continue;
        if (role == CHAIN_ROWS || role == CHAIN_SQUARE)
            explorer->query = at.row;
        if (role == CHAIN_SQUARE)
            explorer->key = at.col;
        else if (role == CHAIN_KEYS || role == CHAIN_VALUES || is_input(name))
            explorer->key = at.row;
    }
}

struct chain_light explorer_chain_light(const struct explorer *explorer,
                                        const struct explorer_chain_box *cursor)
{
    bool by_key = cursor->role == CHAIN_KEYS || cursor->role == CHAIN_VALUES;
    return (struct chain_light){.has_query = !by_key,
                                .has_key = by_key || is_input(cursor->name) ||
                                           cursor->role == CHAIN_SQUARE,
                                .query = explorer->query,
                                .key = explorer->key};
}

bool explorer_chain_is_lit(const struct chain_light *light, const struct explorer_chain_box *box,
                           size_t row, size_t col)
{
    switch (box->role) {
    case CHAIN_KEYS:
        return light->has_key && col == light->key;
    case CHAIN_VALUES:
        return light->has_key && row == light->key;
    case CHAIN_SQUARE:
        return light->has_query ? row == light->query : col == light->key;
    case CHAIN_ROWS:
    default:
        if (light->has_query)
            return row == light->query;
        return box->band < MAIN_BAND && row == light->key; /* what a key was made from */
    }
}

/* How far x lies outside of [from, from + n). */
static int distance(int x, int from, int n)
{
    return x < from ? from - x : x >= from + n ? x - (from + n) + 1 : 0;
}

static int middle_of(const struct explorer_chain_box *box, size_t col)
{
    return box->col + ((int)col - (int)box->first_col) * box->cell_cols + box->cell_cols / 2;
}

/* The box that comes after one at its left or right side. */
static struct explorer_chain_box *beside(struct explorer_chain *chain,
                                         const struct explorer_chain_box *from, int step)
{
    struct explorer_chain_box *best = NULL;
    for (size_t i = 0; i < chain->n; i++) {
        struct explorer_chain_box *box = &chain->boxes[i];
        bool is_there =
            box->band == from->band && (step > 0 ? box->col > from->col : box->col < from->col);
        if (is_there && (best == NULL || (step > 0 ? box->col < best->col : box->col > best->col)))
            best = box;
    }
    return best;
}

/* The box above or below a column of the screen. */
static struct explorer_chain_box *beyond(struct explorer_chain *chain, int band, int step, int x)
{
    struct explorer_chain_box *best = NULL;
    for (band += step; best == NULL && band >= 0 && band < N_BANDS; band += step)
        for (size_t i = 0; i < chain->n; i++) {
            struct explorer_chain_box *box = &chain->boxes[i];
            if (box->band == band && (best == NULL || distance(x, box->col, box_cols(box)) <
                                                          distance(x, best->col, box_cols(best))))
                best = box;
        }
    return best;
}

static size_t nearest(int at, int from, int each, size_t first, size_t n)
{
    int steps = at < from ? 0 : (at - from) / each;
    return first + size_min((size_t)steps, n - 1);
}

/* Puts the cursor on the cell of a box at a row and column of it, as it is seen. */
static void set_cursor(struct explorer *explorer, const struct explorer_chain_box *box, size_t row,
                       size_t col)
{
    bool turned = box->role == CHAIN_KEYS;
    explorer->stage = box->stage;
    explorer->row = turned ? col : row;
    explorer->col = turned ? row : col;
}

void explorer_chain_move(struct explorer *explorer, struct explorer_chain *chain, int rows,
                         int cols)
{
    struct explorer_chain_box *box = explorer_chain_box_of(chain, explorer->stage), *to;
    if (box == NULL)
        return;
    bool turned = box->role == CHAIN_KEYS;
    size_t row = turned ? explorer->col : explorer->row,
           col = turned ? explorer->row : explorer->col;
    bool stays = rows < 0   ? row > 0
                 : rows > 0 ? row + 1 < box->whole_rows
                 : cols < 0 ? col > 0
                            : col + 1 < box->whole_cols;
    if (stays || (rows != 1 && rows != -1 && rows != 0)) {
        set_cursor(explorer, box, scroll_step(row, rows, box->whole_rows),
                   scroll_step(col, cols, box->whole_cols));
        return;
    }
    int y = box->row + (int)(row - box->first_row), x = middle_of(box, col);
    to = cols != 0 ? beside(chain, box, cols) : beyond(chain, box->band, rows, x);
    if (to == NULL)
        return;
    size_t to_row = nearest(y, to->row, 1, to->first_row, to->n_rows);
    size_t to_col = nearest(x, to->col, to->cell_cols, to->first_col, to->n_cols);
    if (cols != 0) /* through the side that it came to */
        to_col = cols > 0 ? 0 : to->whole_cols - 1;
    else
        to_row = rows > 0 ? 0 : to->whole_rows - 1;
    set_cursor(explorer, to, to_row, to_col);
}

bool explorer_chain_at(const struct explorer_chain *chain, int row, int col, size_t *ret_stage,
                       size_t *ret_row, size_t *ret_col)
{
    for (size_t i = 0; i < chain->n; i++) {
        const struct explorer_chain_box *box = &chain->boxes[i];
        if (row < box->row || row >= box->row + (int)box->n_rows || col < box->col ||
            col >= box->col + box_cols(box))
            continue;
        size_t down = box->first_row + (size_t)(row - box->row);
        size_t across = box->first_col + (size_t)((col - box->col) / box->cell_cols);
        bool turned = box->role == CHAIN_KEYS;
        *ret_stage = box->stage;
        *ret_row = turned ? across : down;
        *ret_col = turned ? down : across;
        return true;
    }
    return false;
}
