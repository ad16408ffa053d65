/* The whole chain on its area: each stage with its title, the words, and its numbers. Those of the
 * words under the cursor are lit. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "show/heat_cell.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { TINTS = HEAT_TINTS - 1 };

/* What all parts of a drawing share. */
struct drawing {
    const struct explorer *explorer;
    struct explorer_chain *chain;
    struct chain_cell at;                    /* the cursor */
    const struct explorer_chain_box *cursor; /* the box it is in */
    struct chain_light light;
    const struct explorer_why *why;
    const struct explorer_chain_box *masked; /* tells which weights are hidden; or NULL */
    struct area area;
    bool focused, ascii, has_colours;
    double row_highest; /* of the row of weights that is being drawn */
};

/* ---- cells ---- */

/* Of all its numbers, those too that are not seen. */
static double highest_of_row(const struct explorer_chain_box *box, size_t row)
{
    double highest = -(double)INFINITY;
    for (size_t col = 0; col < box->whole_cols; col++)
        highest = fmax(highest, (double)explorer_chain_number(&box->numbers, row, col));
    return highest;
}

static int tint_of(const struct drawing *drawing, const struct explorer_chain_box *box, float x)
{
    enum heat_scale scale = drawing->explorer->scale;
    /* Weights begin at nothing, whatever the smallest of them is. */
    double lowest = box->is_weights ? 0 : box->lowest, highest = box->highest;
    if (box->is_weights && scale == HEAT_UNIT)
        highest = 1;
    else if (box->is_weights && scale == HEAT_ROW)
        highest = drawing->row_highest;
    if (!isfinite(x) || !(highest > lowest))
        return isfinite(x) ? TINTS / 2 : TINT_NONE;
    double share = ((double)x - lowest) / (highest - lowest);
    return (int)lround(fmin(fmax(share, 0), 1) * TINTS);
}

static bool is_hidden(const struct drawing *drawing, const struct explorer_chain_box *box,
                      size_t row, size_t col)
{
    const struct explorer_chain_box *masked = drawing->masked;
    if (masked == NULL || (box != masked && !box->is_weights))
        return false;
    float x = explorer_chain_number(&masked->numbers, row, col);
    return isinf(x) && x < 0;
}

/* The number of a cell, a block, or what stands for a hidden one. */
static void write_cell(const struct drawing *drawing, const struct explorer_chain_box *box, float x,
                       bool hidden, char text[NUMBER_TEXT])
{
    const struct number_style style = {
        .form = NUMBER_FIXED, .digits = box->digits, .shows_tiny = true};
    if (hidden && (box->digits == 0 || box->is_weights))
        snprintf(text, NUMBER_TEXT, "%s", heat_hidden_sign(drawing->ascii));
    else if (box->digits > 0 || !isfinite(x))
        number_write(x, style, text);
    else if (drawing->has_colours)
        text[0] = '\0';
    else
        snprintf(text, NUMBER_TEXT, "%s", heat_shade(tint_of(drawing, box, x), drawing->ascii));
    if (box->digits == 0 && !isfinite(x) && !hidden)
        text[1] = '\0';
}

static bool is_changed(const struct drawing *drawing, const struct explorer_chain_box *box,
                       size_t row, size_t col, float now)
{
    const struct tensor *before = &drawing->explorer->pipeline.stages[box->stage].before;
    if (before->data == NULL)
        return false;
    struct chain_numbers numbers = explorer_chain_numbers(box, before);
    return number_differs(explorer_chain_number(&numbers, row, col), now);
}

/* The marks of what the open cell was made from. */
static unsigned operand_marks(const struct drawing *drawing, const struct explorer_chain_box *box,
                              size_t row, size_t col)
{
    const struct explorer_why *why = drawing->why;
    bool turned = box->role == CHAIN_KEYS;
    size_t at = explorer_position(&box->slice, turned ? col : row, turned ? row : col);
    for (size_t i = 0; i < why->n_cells; i++)
        if (why->cells[i].node == box->node && why->cells[i].position == at)
            return MARK_UNDERLINE |
                   (i == explorer_choice(drawing->explorer, why) ? (unsigned)MARK_BOLD : 0U);
    return 0;
}

static bool is_cursor(const struct drawing *drawing, const struct explorer_chain_box *box,
                      size_t row, size_t col)
{
    bool turned = box->role == CHAIN_KEYS;
    return box == drawing->cursor && drawing->at.row == (turned ? col : row) &&
           drawing->at.col == (turned ? row : col);
}

static void draw_cell(const struct drawing *drawing, const struct explorer_chain_box *box,
                      size_t row, size_t col)
{
    char text[NUMBER_TEXT];
    float x = explorer_chain_number(&box->numbers, row, col);
    bool hidden = is_hidden(drawing, box, row, col);
    bool lit = explorer_chain_is_lit(&drawing->light, box, row, col);
    bool changed = is_changed(drawing, box, row, col, x);
    bool tinted = !hidden && (lit || box->digits == 0 || box->is_weights);
    struct canvas_look look = look_marked(hidden    ? STYLE_QUIET
                                          : changed ? STYLE_CHANGED
                                                    : STYLE_NUMBER,
                                          lit ? MARK_BOLD : 0U);
    struct area cell =
        area_part(drawing->area, box->row + (int)(row - box->first_row),
                  box->col + (int)(col - box->first_col) * box->cell_cols, 1, box->cell_cols);
    if (tinted && drawing->has_colours)
        look.back = (int16_t)tint_of(drawing, box, x);
    area_fill(cell, look);
    write_cell(drawing, box, x, hidden, text);
    int width = (int)text_width(text, strlen(text));
    int at = box->digits == 0 ? 0 : cell.cols - 1 - width;
    unsigned marks = operand_marks(drawing, box, row, col);
    bool here = is_cursor(drawing, box, row, col);
    if (box->digits == 0 && text[0] != '\0') /* a block has two columns */
        area_text(cell, 0, 1, look, text);
    area_text(cell, 0, at > 0 ? at : 0, look, text);
    if (changed)
        area_text(cell, 0, cell.cols - 1, look, "*");
    if (here)
        marks |= MARK_REVERSE | (drawing->focused ? 0U : (unsigned)MARK_DIM);
    area_mark(cell, 0, box->digits == 0 ? 0 : at, box->digits == 0 ? cell.cols : width, marks);
}

/* ---- words and titles ---- */

/* A text in so many columns, cut where it is longer. */
static void put_cut(struct area area, int row, int col, int cols, struct canvas_look look,
                    const char *text, bool ascii)
{
    size_t size = strlen(text);
    struct area place = area_part(area, row, col, 1, cols);
    if (cols <= 0)
        return;
    if ((int)text_width(text, size) <= cols) {
        area_text(place, 0, 0, look, text);
        return;
    }
    int end = area_put(place, 0, 0, look, text, text_fit(text, size, (size_t)cols - 1));
    area_text(place, 0, end, look, cols == 1 ? "" : ascii ? "~" : "\xE2\x80\xA6");
}

static const char *word_of(const struct drawing *drawing, size_t i)
{
    const struct labels *words = drawing->chain->boxes[0].node->labels[0]; /* of E */
    return words != NULL ? labels_name(words, i) : "";
}

static struct canvas_look word_look(bool lit)
{
    return lit ? look_marked(STYLE_TITLE, MARK_BOLD) : look_of(STYLE_LABEL);
}

/* The rows of K.T are the columns of K: their names stand before them, where the gap to the box on
 * the left is wide enough. */
static void draw_key_rows(const struct drawing *drawing, const struct explorer_chain_box *box)
{
    int end = 0;
    for (size_t i = 0; i < drawing->chain->n; i++) {
        const struct explorer_chain_box *other = &drawing->chain->boxes[i];
        int other_end = other->col + (int)other->n_cols * other->cell_cols;
        if (other->band == box->band && other->col < box->col && other_end > end)
            end = other_end;
    }
    for (size_t i = 0; i < box->n_rows; i++) {
        char number[NODE_NUMBER_BYTES];
        const char *name =
            node_position_name(box->node, box->node->value.n_axes - 1, box->first_row + i, number);
        int cols = (int)text_width(name, strlen(name));
        if (box->col - 1 - cols > end)
            area_text(drawing->area, box->row + (int)i, box->col - 1 - cols, look_of(STYLE_LABEL),
                      name);
    }
}

static void draw_words(const struct drawing *drawing, const struct explorer_chain_box *box)
{
    if (box->role == CHAIN_KEYS)
        draw_key_rows(drawing, box);
    for (size_t i = 0; box->label_col >= 0 && i < box->n_rows; i++) {
        size_t word = box->first_row + i;
        put_cut(drawing->area, box->row + (int)i, box->label_col, drawing->chain->label_cols,
                word_look(explorer_chain_is_lit(&drawing->light, box, word, 0)),
                word_of(drawing, word), drawing->ascii);
    }
    for (size_t i = 0; box->role == CHAIN_SQUARE && i < box->n_cols; i++) {
        size_t word = box->first_col + i;
        const char *name = word_of(drawing, word);
        int cols = box->cell_cols - 1, wide = (int)text_width(name, strlen(name));
        int at = box->col + (int)i * box->cell_cols + (wide < cols ? cols - wide : 0);
        bool lit = drawing->light.has_key && word == drawing->light.key;
        struct area place = area_part(drawing->area, box->row - 1, at, 1, cols);
        area_put(place, 0, 0, word_look(lit), name, text_fit(name, strlen(name), (size_t)cols));
    }
}

/* What made a stage, shorter than the language writes it: Q @ K.T, softmax(masked). */
static void write_formula(const struct explorer_chain_box *box, struct text *text)
{
    static const struct {
        const char *longer, *shorter;
    } spellings[] = {
        {"K.transpose(-2, -1)", "K.T"},
        {", dim=-1", ""},
        {"[:]", ""},
        {"(X @ W_q).", "X @ W_q"},
        {"(X @ W_k).", "X @ W_k"},
        {"(X @ W_v).", "X @ W_v"},
        {"context.", "context of all heads"},
    };
    struct text whole = {0};
    node_write_operation(box->node, &whole);
    const char *at = text_string(&whole);
    while (*at != '\0' && strncmp(at, "reshape(", strlen("reshape(")) != 0 &&
           strncmp(at, "transpose(0, 1).reshape(", strlen("transpose(0, 1).reshape(")) != 0) {
        size_t i = 0;
        while (i < COUNT_OF(spellings) &&
               strncmp(at, spellings[i].longer, strlen(spellings[i].longer)) != 0)
            i++;
        if (i < COUNT_OF(spellings)) {
            text_put(text, spellings[i].shorter);
            at += strlen(spellings[i].longer);
        } else {
            text_char(text, *at++);
        }
    }
    if (strcmp(box->name, "X") == 0)
        text_put(text, "   W_in, W_q, W_k, W_v, W_o: made up, seed 0");
    text_release(&whole);
}

static void draw_title(const struct drawing *drawing, const struct explorer_chain_box *box)
{
    const struct pipeline *pipeline = &drawing->explorer->pipeline;
    const struct pipeline_stage *stage = &pipeline->stages[box->stage];
    bool is_main = box->band == 2, here = box == drawing->cursor;
    int row = box->row - (is_main ? 3 : 1);
    struct text formula = {0};
    char name[48];
    /* Up to the next box of its band, or the end. */
    int end = drawing->area.cols + 1;
    for (size_t i = 0; i < drawing->chain->n; i++) {
        const struct explorer_chain_box *other = &drawing->chain->boxes[i];
        int left = other->label_col > 0 && !is_main ? other->label_col : other->col;
        if (other->band == box->band && other->col > box->col && left < end)
            end = left;
    }
    int room = end - 1 - box->col;
    snprintf(name, sizeof name, "%s%s%s", box->name, box->role == CHAIN_KEYS ? ".T" : "",
             stage->n_changed > 0 ? "*" : "");
    put_cut(drawing->area, row, box->col, room,
            look_marked(stage->n_changed > 0 ? STYLE_CHANGED : STYLE_TITLE,
                        MARK_BOLD | (here ? (unsigned)MARK_UNDERLINE : 0U)),
            name, drawing->ascii);
    int width = (int)strlen(name);
    if (box->slice.n_slices > 1 && strcmp(box->name, "scores") == 0) {
        snprintf(name, sizeof name, "head %zu of %zu", box->slice.index + 1, box->slice.n_slices);
        put_cut(drawing->area, row, box->col + width + 2, room - width - 2, look_of(STYLE_NOTE),
                name, drawing->ascii);
    }
    write_formula(box, &formula);
    if (is_main)
        put_cut(drawing->area, row + 1, box->col, room, look_of(STYLE_QUIET), text_string(&formula),
                drawing->ascii);
    else if (room > width + 3 && box->node->n_parents > 0 && box->role != CHAIN_KEYS) {
        area_text(area_part(drawing->area, row, box->col + width, 1, 3), 0, 0, look_of(STYLE_QUIET),
                  " = ");
        put_cut(drawing->area, row, box->col + width + 3, room - width - 3, look_of(STYLE_QUIET),
                text_string(&formula), drawing->ascii);
    }
    text_release(&formula);
}

/* While no number is open: the way of the lit word from stage to stage. */
static void draw_way(const struct drawing *drawing)
{
    const struct explorer_chain *chain = drawing->chain;
    struct canvas_look look = look_of(STYLE_QUIET);
    const struct explorer_chain_box *before = NULL;
    for (size_t i = 0; i < chain->n; i++) {
        const struct explorer_chain_box *box = &chain->boxes[i];
        bool goes_on = before != NULL && before->band == box->band && box->col > before->col &&
                       (box->role != CHAIN_KEYS && box->role != CHAIN_VALUES);
        size_t row = drawing->light.query;
        if (goes_on && drawing->light.has_query && row >= box->first_row &&
            row < box->first_row + box->n_rows) {
            int y = box->row + (int)(row - box->first_row);
            int from = before->col + (int)before->n_cols * before->cell_cols;
            for (int x = from; x < box->col - 1; x++)
                area_text(drawing->area, y, x, look, drawing->ascii ? "-" : "\xE2\x94\x80");
            area_text(drawing->area, y, box->col - 1, look, drawing->ascii ? ">" : "\xE2\x96\xB8");
        }
        if (box->role != CHAIN_KEYS && box->role != CHAIN_VALUES)
            before = box;
    }
}

void explorer_chain_draw(const struct explorer *explorer, struct explorer_chain *chain,
                         const struct explorer_why *why, struct area area, bool focused, bool ascii)
{
    struct chain_flow flows[PIPELINE_MAX_STAGES];
    struct drawing drawing = {.explorer = explorer,
                              .chain = chain,
                              .at = explorer_chain_cell(explorer),
                              .why = why,
                              .masked = explorer_chain_box(chain, "masked"),
                              .area = area,
                              .focused = focused,
                              .ascii = ascii,
                              .has_colours =
                                  explorer->pipeline.session.settings.colours != COLOURS_NONE};
    drawing.cursor = explorer_chain_box_of(chain, drawing.at.stage);
    if (drawing.cursor == NULL)
        return;
    drawing.light = explorer_chain_light(explorer, drawing.cursor);
    for (size_t i = 0; i < chain->n; i++) {
        const struct explorer_chain_box *box = &chain->boxes[i];
        draw_title(&drawing, box);
        draw_words(&drawing, box);
        for (size_t row = 0; row < box->n_rows; row++) {
            drawing.row_highest = highest_of_row(box, box->first_row + row);
            for (size_t col = 0; col < box->n_cols; col++)
                draw_cell(&drawing, box, box->first_row + row, box->first_col + col);
        }
    }
    if (explorer->depth == 0)
        draw_way(&drawing);
    size_t n = explorer_chain_flows(explorer, chain, why, flows);
    explorer_chain_draw_flows(flows, n, area, ascii);
}
