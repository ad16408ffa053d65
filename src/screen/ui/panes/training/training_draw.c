/* The training pane on the screen: what it shows is laid out when it changes, and copied when it is
 * drawn. */
#include "ui/panes/training/training_pane_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "files/clock.h"
#include "model/detector.h"
#include "model/model.h"
#include "model/run.h"
#include "model/show_model.h"
#include "show/labels.h"
#include "show/matrix.h"
#include "show/plot.h"
#include "tensor/tensor.h"
#include "ui/panes/heads/heads_places.h"

enum {
    STATUS_ROWS = 1,
    FILM_ROWS = 1, /* the bar of the film */
    MESSAGE_ROWS = 1,
    PROBE_ROWS = 3,
    TOLD_ROWS = 2,
    LEFT_MOST = 74, /* columns of the curves: a chart gets no wider */
    GAP = 2,
    BOTH_COLS = 130, /* from here on all heads and one of them stand beside each other */
    BOTH_ROWS = 18,
    PLOT_AXIS = 3, /* lines of a chart beside its own: a title, the axis and its numbers */
    TABLE_MOST = 7,
    BODY_MIN = 12,
};

static const struct model_config *config_of(const struct training_pane *pane)
{
    return &pane->look.run->model->config;
}

static struct show_options options_for(const struct training_pane *pane, int cols)
{
    struct show_options options = settings_show_options(&pane->settings);
    options.width_cols = (size_t)(cols > 1 ? cols : 1);
    return options;
}

/* ---- laying out ---- */

/* Rows of the table of detectors: what is left where the curves and the heads have enough. */
static int table_rows(const struct training_pane *pane, int free_rows)
{
    const struct model_config *config = config_of(pane);
    size_t n = size_min(config->n_layers * config->n_heads + 1, TABLE_MOST);
    int most = free_rows - BODY_MIN;
    if (pane->rows < 40 && n > 3)
        n = 3;
    return most < 2 ? 0 : (int)size_min(n, (size_t)most);
}

/* Lines of the two charts, one over the other. */
static void share_lines(struct training_pane *pane)
{
    struct training_layout *layout = &pane->layout;
    int keys = pane->film->n_branches > 1 ? 1 : 0; /* those below the lower chart find no room */
    int lines = layout->body_rows - 2 * PLOT_AXIS - keys;
    lines = lines > 4 ? lines : 4;
    layout->loss_lines = (lines + 1) / 2 < PLOT_LINES ? (lines + 1) / 2 : PLOT_LINES;
    layout->right_lines = lines / 2 < PLOT_LINES ? lines / 2 : PLOT_LINES;
}

static void place(struct training_pane *pane)
{
    struct training_layout *layout = &pane->layout;
    bool tells = pane->film->training->source->tells_next;
    int cols = pane->cols;
    layout->foot_rows = PROBE_ROWS + (tells ? TOLD_ROWS : 0);
    int free_rows = pane->rows - STATUS_ROWS - FILM_ROWS - MESSAGE_ROWS - layout->foot_rows;
    layout->film_row = pane->rows - MESSAGE_ROWS - FILM_ROWS;
    layout->table_rows = table_rows(pane, free_rows);
    layout->body_rows = free_rows - layout->table_rows;
    layout->left_cols = cols / 2 - GAP < LEFT_MOST ? cols / 2 - GAP : LEFT_MOST;
    layout->heads_col = layout->left_cols + GAP;
    bool both = cols >= BOTH_COLS && layout->body_rows >= BOTH_ROWS;
    layout->shows_heads = both || !pane->is_one;
    layout->shows_one = both || pane->is_one;
    layout->one_col =
        both ? layout->heads_col + (cols - layout->heads_col) * 2 / 5 : layout->heads_col;
    share_lines(pane);
}

static int heads_cols(const struct training_pane *pane)
{
    const struct training_layout *layout = &pane->layout;
    int end = layout->shows_one ? layout->one_col - GAP : pane->cols;
    return end - layout->heads_col;
}

/* One column stays free for the mark at the right of a thumbnail. */
static void place_heads(struct training_pane *pane, const struct heads_of *of,
                        const struct show_options *options)
{
    const struct model_config *config = config_of(pane);
    struct heads_layout was = pane->heads;
    pane->heads =
        heads_places_fit(of, (size_t)heads_cols(pane) - 1, (size_t)pane->layout.body_rows, options);
    heads_places_scroll(&pane->heads, &was, pane->layer, config->n_layers, pane->head,
                        config->n_heads);
}

static bool fill_grid(struct training_pane *pane, struct error *reterr)
{
    struct show_options options = options_for(pane, heads_cols(pane));
    doc_clear(&pane->grid);
    if (!pane->layout.shows_heads)
        return true;
    const struct heads_of of = {.run = pane->look.run};
    place_heads(pane, &of, &options);
    return show_heads(&of, &pane->heads, &options, &pane->grid, reterr);
}

/* One head as a thumbnail that takes all the room. */
static bool fill_large_thumbnail(struct training_pane *pane, int cols, struct error *reterr)
{
    struct show_options options = options_for(pane, cols);
    size_t lines = (size_t)(pane->layout.body_rows - 1 - HEADS_TOP_LINES);
    const struct heads_of of = {.run = pane->look.run};
    struct heads_layout layout = {
        .first_layer = pane->layer, .first_head = pane->head, .n_layers = 1, .n_heads = 1};
    heads_layout_fit(&layout, &of, (size_t)(cols - HEADS_LABEL_COLS), lines, &options);
    const struct head_look look = {.layer = pane->layer, .head = pane->head};
    doc_clear(&pane->one);
    return show_head_title(pane->look.run, &look, &pane->one, reterr) &&
           show_heads(&of, &layout, &options, &pane->one, reterr);
}

/* The head with the names of the tokens, where these have room. */
static bool fill_one(struct training_pane *pane, struct error *reterr)
{
    int cols = pane->cols - pane->layout.one_col;
    struct show_options options = options_for(pane, cols);
    const struct head_look look = {.layer = pane->layer, .head = pane->head};
    doc_clear(&pane->one);
    if (!pane->layout.shows_one)
        return true;
    if (!show_head(pane->look.run, &look, &options, &pane->one, reterr))
        return false;
    bool fits = doc_count_lines(&pane->one) <= (size_t)pane->layout.body_rows &&
                doc_width(&pane->one) <= (size_t)cols;
    return fits || fill_large_thumbnail(pane, cols, reterr);
}

static bool fill_table(struct training_pane *pane, struct error *reterr)
{
    struct tensor table;
    struct labels *heads;
    doc_clear(&pane->table);
    if (pane->layout.table_rows == 0)
        return true;
    if (!detector_table(pane->look.run, MEASURE_STRIPE, 0, DETECTORS, &table, &heads, reterr))
        return false;
    bool ok = show_detector_table(&table, heads, (size_t)pane->layout.table_rows - 1, &pane->table,
                                  reterr);
    labels_free(heads);
    tensor_release(&table);
    return ok;
}

static bool fill_foot(struct training_pane *pane, struct error *reterr)
{
    struct text told = {0};
    doc_clear(&pane->foot);
    if (!probe_show(&pane->probe, pane->look.run, &pane->foot, reterr))
        return false;
    if (pane->film->training->source->tells_next) {
        text_format(&told, "It tells: %s", text_string(&pane->look.told));
        doc_wrap(&pane->foot, STYLE_PLAIN, text_string(&told), (size_t)pane->cols, 0);
        text_release(&told);
    }
    return doc_check(&pane->foot, reterr);
}

void training_lay_out(struct training_pane *pane)
{
    struct error error;
    if (pane->film == NULL || !pane->is_stale || pane->rows == 0 || pane->cols == 0 ||
        pane->look.run == NULL)
        return;
    pane->is_stale = false;
    place(pane);
    if (!training_fill_curves(pane, &error) || !fill_grid(pane, &error) ||
        !fill_one(pane, &error) || !fill_table(pane, &error) || !fill_foot(pane, &error))
        training_say(pane, "%s", error.text);
}

/* ---- drawing ---- */

/* The loss of the step that is seen, and what was right at its snapshot. */
static void draw_status(const struct training_pane *pane, struct area line)
{
    const struct film_frame *frame = training_frame_seen(pane);
    size_t step = training_step_seen(pane);
    double loss = film_loss(pane->film, pane->branch, step);
    int col = area_format(line, 0, 0, look_marked(STYLE_TITLE, MARK_BOLD), "step %zu", step);
    if (isfinite(loss)) /* before the first step of a film there is none */
        col = area_format(line, 0, col + 2, look_of(STYLE_PLAIN), "loss %.4f", loss);
    if (frame == NULL)
        return;
    col = area_format(line, 0, col + 2, look_of(STYLE_PLAIN), "held out %.4f, %.1f %% right",
                      frame->held_out.loss, 100 * frame->held_out.right);
    if (frame->untrained.n > 0)
        area_format(line, 0, col + 2, look_of(STYLE_PLAIN), "other lengths %.1f %%",
                    100 * frame->untrained.right);
}

/* "2 s", "14 min", "3.5 h" */
static void put_time(struct area line, int col, double seconds)
{
    if (seconds < 120)
        area_format(line, 0, col, look_of(STYLE_PLAIN), ", %.0f s left", seconds);
    else if (seconds < 7200)
        area_format(line, 0, col, look_of(STYLE_PLAIN), ", %.0f min left", seconds / 60);
    else
        area_format(line, 0, col, look_of(STYLE_PLAIN), ", %.1f h left", seconds / 3600);
}

/* "training   7.6 ms a step, 2 s left" */
static void draw_speed(const struct training_pane *pane, struct area line)
{
    const struct film *film = pane->film;
    size_t count = training_count(film->training), taken = count - pane->run_step;
    size_t end = film_newest(film)->recipe.n_steps;
    double each = taken > 0 ? (double)(clock_ms() - pane->run_ms) / (double)taken : 0;
    int col = film_goes_back(film)
                  ? area_format(line, 0, 0, look_of(STYLE_NOTE), "going back to step %zu: at %zu",
                                film->goal, count)
                  : area_text(line, 0, 0, look_of(STYLE_GOOD), "training");
    if (taken == 0)
        return;
    col = area_format(line, 0, col, look_of(STYLE_PLAIN), "   %.1f ms a step", each);
    put_time(line, col, each * (double)(end > count ? end - count : 0) / 1000);
}

/* What is going on: it trains, plays, waits, or an earlier step is seen. */
static void draw_state(const struct training_pane *pane, struct area line)
{
    size_t count = film_count(&pane->film->branches[pane->branch]);
    bool is_film = training_is_film(pane);
    if (pane->is_running)
        draw_speed(pane, line);
    else if (pane->is_playing)
        area_text(line, 0, 0, look_of(STYLE_GOOD),
                  "playing; Space stops, Left and Right go step by step");
    else if (training_looks_back(pane))
        area_format(line, 0, 0, look_of(STYLE_NOTE),
                    "looking back at step %zu of %zu; Right goes on, Space %s", pane->step, count,
                    is_film ? "plays on" : "trains on");
    else if (is_film && pane->start.is_played && pane->branch == 0)
        area_text(line, 0, 0, look_of(STYLE_GOOD),
                  "the end of the film; Space plays it again, Left goes back");
    else if (is_film)
        area_text(line, 0, 0, look_of(STYLE_GOOD),
                  "done; Space plays it from the start, Left goes back, b branches");
    else
        area_text(line, 0, 0, look_of(STYLE_NOTE), "paused; Space goes on, Left looks back");
}

/* Is the message too long to stand behind what is typed? Then it stands alone, until the next key.
 */
static bool hides_field(const struct training_pane *pane, struct area line)
{
    enum { PROMPT = 32 }; /* columns before the field, about */
    return PROMPT + pane->field.size + strlen(pane->message) > (size_t)line.cols;
}

static void draw_message(const struct training_pane *pane, struct area line, bool focused)
{
    if (pane->is_leaving) {
        area_text(line, 0, 0, look_marked(STYLE_NOTE, MARK_BOLD),
                  "The model is not saved. s saves it and leaves, d drops it, Esc stays");
    } else if (pane->is_typing && (pane->message[0] == '\0' || !hides_field(pane, line))) {
        int col = area_format(line, 0, 0, look_of(STYLE_NAME),
                              "branch from step %zu with: ", training_step_seen(pane));
        field_draw(&pane->field, area_part(line, 0, col, 1, line.cols - col),
                   "lr 1e-2, seed 5, task fixed; Enter", focused);
        if (pane->message[0] != '\0' && pane->field.size > 0)
            area_text(line, 0, col + (int)pane->field.size + 3, look_of(STYLE_NOTE), pane->message);
    } else if (pane->message[0] != '\0') {
        area_text(line, 0, 0, look_of(STYLE_NOTE), pane->message);
    } else {
        draw_state(pane, line);
    }
}

/* ---- the bar of the film ---- */

/* What the bar marks: where half of what is held out was right first, where nearly all of it, and
 * where the branch begins. */
struct film_marks {
    size_t steps[3];
    size_t n;
    char legend[48];
};

static void add_mark(struct film_marks *marks, size_t step, const char *name)
{
    size_t size = strlen(marks->legend);
    marks->steps[marks->n++] = step;
    snprintf(marks->legend + size, sizeof marks->legend - size, "%s%s", size > 0 ? ", " : "", name);
}

static struct film_marks marks_of(const struct training_pane *pane)
{
    static const struct {
        double share;
        const char *name;
    } shares[] = {{0.5, "half right"}, {0.99, "99 %"}};
    const struct film_branch *branch = &pane->film->branches[pane->branch];
    struct film_marks marks = {.n = 0};
    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        const struct film_frame *frame =
            film_frame_right(pane->film, pane->branch, shares[i].share);
        if (frame != NULL)
            add_mark(&marks, frame->step, shares[i].name);
    }
    if (pane->branch > 0)
        add_mark(&marks, branch->begin, "branch");
    return marks;
}

/* The columns of the bar itself: the step stands before it, what the marks are after it. */
static void place_bar(const struct training_pane *pane, const struct film_marks *marks,
                      int *ret_col, int *ret_cols)
{
    enum { SIGN_COLS = 4, LEAST_COLS = 16 }; /* a mark with blanks around it */
    size_t begin, end;
    char number[24];
    training_film_span(pane, &begin, &end);
    int digits = snprintf(number, sizeof number, "%zu", end);
    *ret_col = (int)strlen("step  of ") + 2 * digits + 2;
    int room = pane->cols - *ret_col;
    int legend = marks->n > 0 ? SIGN_COLS + (int)strlen(marks->legend) : 0;
    *ret_cols = room - legend >= LEAST_COLS ? room - legend : room;
}

static int column_of(size_t step, size_t begin, size_t end, int cols)
{
    double share = end > begin && step > begin ? (double)(step - begin) / (double)(end - begin) : 0;
    return (int)lround((share < 1 ? share : 1) * (cols - 1));
}

bool training_bar_step(const struct training_pane *pane, int row, int col, size_t *ret_step)
{
    const struct film_marks marks = marks_of(pane);
    size_t begin, end;
    int from, cols;
    place_bar(pane, &marks, &from, &cols);
    training_film_span(pane, &begin, &end);
    if (row != pane->layout.film_row || cols < 2 || col < from || col >= from + cols)
        return false;
    *ret_step = begin + (size_t)((double)(end - begin) * (col - from) / (cols - 1) + 0.5);
    return true;
}

static void draw_bar(const struct training_pane *pane, struct area line, bool ascii)
{
    static const char *const signs[2][4] = {
        {"\xE2\x94\x81", "\xE2\x94\x80", "\xE2\x97\x8F", "\xE2\x94\xB4"}, {"=", "-", "o", "^"}};
    enum { PASSED, AHEAD, HERE, MARK };
    const struct film_marks marks = marks_of(pane);
    size_t begin, end, step = training_step_seen(pane);
    int from, cols;
    place_bar(pane, &marks, &from, &cols);
    training_film_span(pane, &begin, &end);
    area_format(line, 0, 0, look_of(STYLE_PLAIN), "step %zu of %zu", step, end);
    int here = column_of(step, begin, end, cols);
    for (int i = 0; i < cols; i++)
        area_text(line, 0, from + i, look_of(i <= here ? STYLE_NAME : STYLE_QUIET),
                  signs[ascii][i < here ? PASSED : AHEAD]);
    for (size_t i = 0; i < marks.n; i++)
        area_text(line, 0, from + column_of(marks.steps[i], begin, end, cols), look_of(STYLE_NOTE),
                  signs[ascii][MARK]);
    area_text(line, 0, from + here, look_marked(STYLE_NAME, MARK_BOLD), signs[ascii][HERE]);
    if (marks.n > 0 && from + cols < line.cols) {
        int col = area_text(line, 0, from + cols + 1, look_of(STYLE_NOTE), signs[ascii][MARK]);
        area_text(line, 0, col + 1, look_of(STYLE_QUIET), marks.legend);
    }
}

/* ---- the page ---- */

static void draw_cursor(const struct training_pane *pane, struct area grid, bool focused,
                        bool ascii)
{
    int row, col;
    unsigned marks = MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM);
    if (!heads_places_find(&pane->heads, pane->layer, pane->head, &row, &col))
        return;
    heads_places_mark(&pane->heads, grid, row, col, ascii);
    area_mark(grid, 0, col, pane->head > 9 ? 3 : 2, marks);
    area_mark(grid, row, 0, pane->layer > 9 ? 3 : 2, marks);
}

static void draw_body(const struct training_pane *pane, struct area body, bool focused, bool ascii)
{
    const struct training_layout *layout = &pane->layout;
    struct area left = area_part(body, 0, 0, body.rows, layout->left_cols);
    int below = (int)doc_count_lines(&pane->loss);
    area_doc(left, &pane->loss, 0, 0);
    area_doc(area_part(left, below, 0, left.rows - below, left.cols), &pane->right, 0, 0);
    if (layout->shows_heads) {
        struct area grid = area_part(body, 0, layout->heads_col, body.rows, heads_cols(pane));
        area_doc(grid, &pane->grid, 0, 0);
        draw_cursor(pane, grid, focused, ascii);
    }
    if (layout->shows_one)
        area_doc(area_part(body, 0, layout->one_col, body.rows, body.cols - layout->one_col),
                 &pane->one, 0, 0);
}

void training_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct training_pane *pane = state;
    const struct training_layout *layout = &pane->layout;
    if (pane->film == NULL) {
        area_text(area, 0, 0, look_of(STYLE_QUIET), "Nothing trains: attn train TASK begins");
        return;
    }
    draw_status(pane, area);
    draw_body(pane, area_part(area, STATUS_ROWS, 0, layout->body_rows, area.cols), focused, ascii);
    int row = STATUS_ROWS + layout->body_rows;
    area_doc(area_part(area, row, 0, layout->table_rows, area.cols), &pane->table, 0, 0);
    row += layout->table_rows;
    area_doc(area_part(area, row, 0, layout->foot_rows, area.cols), &pane->foot, 0, 0);
    draw_bar(pane, area_part(area, layout->film_row, 0, FILM_ROWS, area.cols), ascii);
    draw_message(pane, area_part(area, area.rows - MESSAGE_ROWS, 0, MESSAGE_ROWS, area.cols),
                 focused);
}
