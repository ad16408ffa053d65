/* What keys and clicks do to the explorer, and what is typed into it. */
#include "ui/panes/explorer/explorer_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    PAGE_ROWS = 10,    /* moved by half of them where the pane has fewer */
    WHY_STEP_ROWS = 4, /* of the arithmetic, for PgUp and PgDn */
};

/* The most important first: those are on the key bar of a narrow screen. */
static const struct binding explorer_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "why",
     "opens the arithmetic of the cell; again: goes down to the number that is chosen in it"},
    {']', REQ_NEXT_STAGE, "stage", "shows the next stage"},
    {'e', REQ_EDIT, "edit",
     "types another number into the cell; all that depends on it follows, and what changed is "
     "marked *"},
    {'m', REQ_MASK, "mask", "changes the mask: none, causal, the last word hidden as padding"},
    {'v', REQ_VIEW, "view", "shows numbers, a heatmap, or words with lines between them"},
    {'r', REQ_COLOURS, NULL,
     "changes what the colours of the heatmap, and of the weights in the chain, stand for: each "
     "row, the matrix, or fixed 0 to 1"},
    {'w', REQ_SENTENCE, "sentence", "asks for another sentence, or for a tensor of the prompt"},
    {'s', REQ_SCALE, "scale", "divides the scores by sqrt(d_k), or leaves them as they are"},
    {'g', REQ_GO_TO_STAGE, "to stage",
     "goes to a stage by its first letter: w weights, s scores, s again scaled; gg to the first "
     "row"},
    {'+', REQ_HOTTER, "- temperature", "raises the temperature: the weights become more even"},
    {'=', REQ_TEMPERATURE_ONE, NULL, "sets the temperature back to 1"},
    {'0', REQ_TEMPERATURE_ONE, NULL, NULL},
    {'u', REQ_UNDO, "undo", "takes the last edit back"},
    {'H', REQ_HEADS, "heads",
     "asks for the number of heads, 1 to 16; Enter alone: the next of 1, 2, 3, 4, 6, 8, 12, 16; "
     "more than one has made-up projections, of seed 0; of a tensor of the prompt: shows the next "
     "of its tables"},
    {' ', REQ_MARK_HEAD, NULL,
     "marks the head that is shown, or takes the mark away: the lines of all marked heads are "
     "drawn "
     "over each other"},
    {'L', REQ_ALL_LINES, NULL,
     "draws the lines of all words, or only of the word under the cursor"},
    {KEYCODE_BACKSPACE, REQ_PARENT, "up", "comes back up in the arithmetic"},
    {'[', REQ_PREVIOUS_STAGE, NULL, "shows the previous stage"},
    {'-', REQ_COLDER, NULL, "lowers the temperature: the weights become sharper"},
    {KEYCODE_DIGIT, REQ_HEAD, NULL, "shows that head"},
    {KEYCODE_UP, REQ_UP, NULL, "moves the cursor; in the arithmetic it chooses a number"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, NULL},
    {KEYCODE_LEFT, REQ_LEFT, NULL, NULL},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, NULL},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL,
     "moves the cursor by a page; in the arithmetic, back up and down"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, NULL},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the first row"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the last row"},
    {'G', REQ_BOTTOM, NULL, NULL},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "closes the arithmetic"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* The sums of rows of weights are told where they differ more: beyond what is rounded. */
#define ROW_TOLERANCE 1e-4

static bool shows_sentence(const struct explorer *explorer)
{
    return explorer->pipeline.sentence[0] != '\0';
}

/* ---- moving ---- */

/* Moves the cursor onto a cell that exists, and scrolls as far as the pane, of the size it had
 * last, needs it. While arithmetic is open, the table waits. */
static void explorer_clamp_cursor(struct explorer *explorer)
{
    explorer->stage = scroll_step(explorer->stage, 0, explorer->pipeline.n_stages);
    struct explorer_slice slice = explorer_slice(explorer);
    explorer->row = scroll_step(explorer->row, 0, slice.n_rows);
    explorer->col = scroll_step(explorer->col, 0, slice.n_cols);
    struct explorer_chain chain;
    explorer_chain_note_words(explorer);
    if (explorer_node(explorer) == NULL || explorer->rows == 0)
        return;
    if (explorer_shows_chain(explorer, explorer->rows, explorer->cols, &chain)) {
        explorer->first_row = explorer_chain_box(&chain, "weights")->first_row;
        explorer->first_col = explorer_chain_box(&chain, "weights")->first_col;
        return;
    }
    if (explorer->depth > 0)
        return;
    int rows = explorer_table_rows(explorer->rows);
    if (!explorer_shows_words(explorer)) {
        explorer_keep_table(explorer, rows, explorer->cols);
        return;
    }
    size_t seen = explorer_words_seen(rows);
    explorer->first_row = scroll_into_view(explorer->first_row, explorer->row, seen, slice.n_rows);
    explorer->first_col = scroll_into_view(explorer->first_col, explorer->col, seen, slice.n_cols);
}

static void move(struct explorer *explorer, ptrdiff_t rows, ptrdiff_t cols)
{
    struct explorer_slice slice = explorer_slice(explorer);
    struct explorer_chain chain;
    if (explorer->depth > 0) {
        explorer_choose(explorer, rows + cols);
        return;
    }
    if (explorer_shows_chain(explorer, explorer->rows, explorer->cols, &chain)) {
        explorer_chain_move(explorer, &chain, (int)rows, (int)cols);
        return;
    }
    explorer->row = scroll_step(explorer->row, rows, slice.n_rows);
    explorer->col = scroll_step(explorer->col, cols, slice.n_cols);
}

/* Moves the cursor; in the arithmetic, a page scrolls and all else chooses. False for a request
 * that does not move. */
static bool move_request(struct explorer *explorer, enum request request)
{
    size_t page = (size_t)(explorer->rows > PAGE_ROWS ? explorer->rows : PAGE_ROWS) / 2;
    ptrdiff_t steps;
    if (request == REQ_LEFT || request == REQ_RIGHT)
        move(explorer, 0, request == REQ_LEFT ? -1 : 1);
    else if (!scroll_steps_of(request, page, explorer_slice(explorer).n_rows, &steps))
        return false;
    else if (explorer->depth > 0 && (request == REQ_PAGE_UP || request == REQ_PAGE_DOWN))
        explorer_scroll_why(explorer, request == REQ_PAGE_UP ? -WHY_STEP_ROWS : WHY_STEP_ROWS);
    else
        move(explorer, steps, 0);
    return true;
}

static void move_stages(struct explorer *explorer, int stages)
{
    size_t stage = explorer->stage;
    explorer_show_stage(explorer, stages < 0 && stage == 0 ? 0 : stage + (size_t)stages);
}

static void begin_going(struct explorer *explorer, int unused)
{
    (void)unused;
    explorer->is_going = true;
}

/* The next stage whose name begins with the letter, after the one that is shown; g: the first row.
 */
static void end_going(struct explorer *explorer, int key)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    explorer->is_going = false;
    if (key == 'g') {
        explorer_close_path(explorer, 0);
        explorer->row = 0;
        return;
    }
    for (size_t i = 1; key < 128 && i <= pipeline->n_stages; i++) {
        size_t stage = (explorer->stage + i) % pipeline->n_stages;
        if (tolower((unsigned char)pipeline->stages[stage].name[0]) == tolower(key)) {
            explorer_show_stage(explorer, stage);
            return;
        }
    }
    explorer_say(explorer, "no stage begins with that letter");
}

static void open_cell(struct explorer *explorer, int unused)
{
    (void)unused;
    explorer_open(explorer);
}

static void close_cells(struct explorer *explorer, int most)
{
    for (int i = 0; i < most && explorer->depth > 0; i++)
        explorer_climb(explorer);
}

/* ---- what is computed ---- */

/* Computes the sentence with other options; or with those there are, where that fails. */
static void set_options(struct explorer *explorer, const struct pipeline_options *options)
{
    struct pipeline *pipeline = &explorer->pipeline;
    struct pipeline_stage shown = pipeline->stages[explorer->stage];
    struct error error;
    size_t n_dropped;
    if (!pipeline_set_options(pipeline, options, &n_dropped, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    explorer_follow(explorer, shown.name);
    if (n_dropped > 0)
        explorer_say(explorer, "%zu of the edits did not fit this pipeline and %s undone",
                     n_dropped, n_dropped == 1 ? "is" : "are");
}

static void change_option(struct explorer *explorer, int request)
{
    struct pipeline_options options = explorer->pipeline.options;
    if (!shows_sentence(explorer)) {
        explorer_say(explorer, "this key is for a sentence, and here is a tensor; w asks for a "
                               "sentence");
        return;
    }
    if (request == REQ_MASK) {
        options.mask = (enum pipeline_mask)(((int)options.mask + 1) % PIPELINE_MASKS);
    } else if (request == REQ_SCALE) {
        options.is_scaled = !options.is_scaled;
    } else if (request == REQ_TEMPERATURE_ONE) {
        options.temperature = 1;
    } else { /* a step is a factor of sqrt(2) */
        long step = lround(2 * log2(options.temperature)) + (request == REQ_HOTTER ? 1 : -1);
        options.temperature = exp2((double)step / 2);
    }
    set_options(explorer, &options);
}

/* Sets the number of heads that was typed; nothing typed: the next one. */
static void end_heads(struct explorer *explorer)
{
    struct pipeline_options options = explorer->pipeline.options;
    const char *typed = explorer->field.text, *digits = typed + strspn(typed, " ");
    char *end = NULL;
    /* more than fits is ULONG_MAX, too many too */
    unsigned long n_heads = isdigit((unsigned char)*digits) ? strtoul(digits, &end, 10) : 0;
    bool is_number = n_heads > 0 && end[strspn(end, " ")] == '\0';
    if (*digits == '\0')
        n_heads = explorer_next_heads(explorer);
    else if (!is_number || n_heads > PIPELINE_MAX_HEADS) { /* it can be mended */
        explorer_say(explorer, "this is not a number of heads; type one from 1 to %d",
                     PIPELINE_MAX_HEADS);
        return;
    }
    explorer->is_typing = false;
    options.n_heads = (unsigned)n_heads;
    set_options(explorer, &options);
}

/* ---- what is shown of it ---- */

/* Shows one of the tables of a tensor, or of all that share the heads. */
static void go_to_head(struct explorer *explorer, size_t head)
{
    if (explorer->depth > 0 && explorer_slice(explorer).n_slices > 1)
        explorer_close_path(explorer, 0);
    explorer->head = (unsigned)head;
}

static void show_head(struct explorer *explorer, int key)
{
    int digit = key == KEYCODE_DIGIT ? 1 : key - '0';
    size_t n = explorer_slice(explorer).n_slices, n_heads = explorer->pipeline.options.n_heads;
    if (shows_sentence(explorer) && n_heads > n)
        n = n_heads;
    if (digit >= 1 && (size_t)digit <= n)
        go_to_head(explorer, (size_t)digit - 1);
    else if (!shows_sentence(explorer))
        explorer_say(explorer, "there is no table %d: the last one is %zu", digit, n);
    else if (n == 1)
        explorer_say(explorer, "one head: H makes more");
    else
        explorer_say(explorer, "there is no head %d: H makes more", digit);
}

/* Opens the field for a key. */
static void ask(struct explorer *explorer, enum explorer_asks asks)
{
    explorer->is_typing = true;
    explorer->asks = asks;
    explorer->field = (struct field){.size = 0};
}

/* Asks how many; of a tensor, which has as many tables as it has, shows the next table. */
static void begin_heads(struct explorer *explorer, int unused)
{
    struct explorer_slice slice = explorer_slice(explorer);
    (void)unused;
    if (shows_sentence(explorer))
        ask(explorer, ASKS_HEADS);
    else if (slice.n_slices > 1)
        go_to_head(explorer, (slice.index + 1) % slice.n_slices);
    else
        explorer_say(explorer, "this tensor is one table");
}

/* Whether the shown stage has this view. Sets the view while it looks, and then the old one again.
 */
static bool has_view(struct explorer *explorer, enum explorer_view view)
{
    enum explorer_view kept = explorer->view;
    struct explorer_chain chain;
    explorer->view = view;
    bool has = view == EXPLORE_CHAIN
                   ? explorer_shows_chain(explorer, explorer->rows, explorer->cols, &chain)
                   : view != EXPLORE_WORDS || explorer_shows_words(explorer);
    explorer->view = kept;
    return has;
}

/* The next view that the stage has; the stage stays. */
static void next_view(struct explorer *explorer, int steps)
{
    explorer_close_path(explorer, 0); /* beside arithmetic there are numbers only */
    bool was_heat = explorer->view == EXPLORE_HEAT;
    if (explorer->view == EXPLORE_CHAIN && !has_view(explorer, EXPLORE_CHAIN))
        explorer->view = EXPLORE_NUMBERS; /* as it was seen */
    do
        explorer->view = (enum explorer_view)(((int)explorer->view + steps) % EXPLORE_VIEWS);
    while (!has_view(explorer, explorer->view));
    if (was_heat && explorer->view != EXPLORE_WORDS)
        explorer_say(explorer, "lines are drawn for weights: g w goes there");
}

/* What a person does to see lines; "" where they are seen. */
static const char *way_to_lines(const struct explorer *explorer)
{
    return explorer_shows_words(explorer) ? "" : "; v shows lines of weights";
}

/* Marks the head that is shown, or takes its mark away. */
static void mark_head(struct explorer *explorer, int unused)
{
    struct explorer_slice slice = explorer_slice(explorer);
    size_t head = slice.index, number = explorer_head_number(explorer, head), n = 0;
    (void)unused;
    for (size_t i = 0; i < slice.n_slices; i++)
        n += explorer_is_marked(explorer, i) ? 1 : 0;
    if (slice.n_slices < 2) {
        explorer_say(explorer, "there is one head: nothing to draw its lines over");
    } else if (head >= 64) {
        explorer_say(explorer, "head %zu can't be marked: only the first 64 can", number);
    } else if (!explorer_is_marked(explorer, head) && n + 1 >= EXPLORER_MARKED_HEADS) {
        explorer_say(explorer, "%zu heads are marked: more would not be told apart", n);
    } else {
        explorer->marked_heads ^= UINT64_C(1) << head;
        explorer_say(explorer, "head %zu is %s%s", number,
                     explorer_is_marked(explorer, head) ? "marked: its lines stay"
                                                        : "not marked any more",
                     way_to_lines(explorer));
    }
}

static void draw_all_lines(struct explorer *explorer, int unused)
{
    (void)unused;
    explorer->draws_all_lines = !explorer->draws_all_lines;
    explorer_say(explorer, "lines of %s%s",
                 explorer->draws_all_lines ? "all words" : "the word under the cursor",
                 way_to_lines(explorer));
}

/* Of the weights in the chain, which begin at the whole matrix. */
static void next_chain_scale(struct explorer *explorer)
{
    bool was_row = explorer->scale == HEAT_ROW, was_unit = explorer->scale == HEAT_UNIT;
    explorer->scale = was_row ? HEAT_MATRIX : was_unit ? HEAT_ROW : HEAT_UNIT;
    explorer_say(explorer, "the colours of the weights: %s",
                 was_row    ? "the matrix, from 0 to its largest"
                 : was_unit ? "each row, from 0 to its largest"
                            : "fixed, from 0 to 1");
}

/* Each row, the matrix, 0 to 1, and round again. */
static void next_scale(struct explorer *explorer, int unused)
{
    (void)unused;
    if (explorer->view == EXPLORE_CHAIN && has_view(explorer, EXPLORE_CHAIN)) {
        next_chain_scale(explorer);
        return;
    }
    if (explorer->view != EXPLORE_HEAT) {
        explorer_say(explorer, "r changes the colours of the heatmap, which v shows");
        return;
    }
    explorer_close_path(explorer, 0);
    switch (explorer_scale(explorer)) {
    case HEAT_ROW:
        explorer->scale = HEAT_MATRIX;
        break;
    case HEAT_UNIT:
        explorer->scale = HEAT_ROW;
        break;
    case HEAT_MATRIX:
    default:
        explorer->scale = HEAT_UNIT;
        break;
    }
}

/* ---- edits ---- */

static void begin_edit(struct explorer *explorer, int unused)
{
    struct cell cell = explorer_cell(explorer);
    struct error error;
    (void)unused;
    if (cell.node == NULL) {
        explorer_say(explorer, "there is no number here");
    } else if (!pipeline_can_edit(&explorer->pipeline, cell.node, &error)) {
        explorer_say(explorer, "%s", error.text);
    } else {
        ask(explorer, ASKS_NUMBER);
    }
}

/* Of weights whose row does not add up to 1 any more: "the row sums to 0.9; ". */
static void write_row_sum(const struct explorer *explorer, const char *name, size_t position,
                          char *sum, size_t capacity)
{
    const struct node *node = pipeline_node(&explorer->pipeline, name);
    char number[NUMBER_TEXT];
    double total = 0;
    if (node == NULL || strcmp(name, "weights") != 0)
        return;
    size_t n_cols = node->value.shape[node->value.n_axes - 1], first = position - position % n_cols;
    for (size_t i = 0; i < n_cols; i++)
        total += (double)tensor_at_position(&node->value, first + i);
    if (fabs(total - 1) > ROW_TOLERANCE)
        snprintf(sum, capacity, "the row sums to %s; ",
                 number_short((float)total, explorer->pipeline.session.settings.digits, number));
}

/* Makes the change, and says what it moved: E["Hello", 0] = 0.9: 31 numbers downstream ... */
static void end_edit(struct explorer *explorer)
{
    struct pipeline *pipeline = &explorer->pipeline;
    struct pipeline_stage shown = pipeline->stages[explorer->stage];
    struct cell cell = explorer_cell(explorer);
    char name[PIPELINE_MAX_NAME + 1], value[NUMBER_TEXT], *end;
    const char *typed = explorer->field.text;
    struct text what = {0};
    struct error error;
    size_t n = 0;
    float number = strtof(typed, &end);
    bool is_number = end[strspn(end, " ")] == '\0' && !isnan(number);
    explorer->is_typing = !is_number; /* what is wrong can be mended */
    if (!is_number) {
        explorer_say(explorer, "%s: this is not a number; type one such as 0.5", typed);
        return;
    }
    if (typed[strspn(typed, " ")] == '\0' || cell.node == NULL)
        return;
    if (!number_differs(cell_value(cell), number)) {
        explorer_say(explorer, "that is the old number: nothing changes");
        return;
    }
    cell_write(cell, &what);
    snprintf(name, sizeof name, "%s", cell.node->name != NULL ? cell.node->name : "");
    number_short(number, pipeline->session.settings.digits, value);
    if (pipeline_add_edit(pipeline, cell, number, &error)) { /* the node is another one now */
        explorer_follow(explorer, shown.name);
        for (size_t i = 0; i < pipeline->n_stages; i++)
            if (strcmp(pipeline->stages[i].name, name) != 0)
                n += pipeline->stages[i].n_changed;
        char sum[64] = "";
        write_row_sum(explorer, name, cell.position, sum, sizeof sum);
        explorer_say(explorer, "%s = %s: %s%zu %s downstream changed, marked *; u takes it back",
                     text_string(&what), value, sum, n, n == 1 ? "number" : "numbers");
    } else {
        explorer_say(explorer, "%s", error.text);
    }
    text_release(&what);
}

/* An edit as a person reads it: weights[1, 0] = 0.899999976 becomes weights["shiny", "Hello"] =
 * 0.9.
 */
static void write_edit(const struct explorer *explorer, const char *edit, struct text *text)
{
    char name[PIPELINE_MAX_NAME + 1], number[NUMBER_TEXT];
    size_t size = strcspn(edit, "[ "), position = 0;
    const char *at = edit + size, *value = strstr(edit, " = ");
    snprintf(name, sizeof name, "%.*s", (int)size, edit);
    struct node *node = pipeline_node(&explorer->pipeline, name);
    if (node == NULL || value == NULL) {
        text_put(text, edit);
        return;
    }
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        char *end;
        position = position * node->value.shape[axis] + strtoul(at + 1, &end, 10);
        at = end;
    }
    if (position >= tensor_size(&node->value)) { /* it has another shape now */
        text_put(text, edit);
        return;
    }
    cell_write((struct cell){node, position}, text);
    number_short(strtof(value + 3, NULL), explorer->pipeline.session.settings.digits, number);
    text_format(text, " = %s", number);
}

static void undo(struct explorer *explorer, int unused)
{
    struct pipeline *pipeline = &explorer->pipeline;
    struct pipeline_stage shown = pipeline->stages[explorer->stage];
    struct error error;
    (void)unused;
    if (!pipeline_drop_edit(pipeline, &error)) {
        explorer_say(explorer, "%s", error.text);
        return;
    }
    explorer_follow(explorer, shown.name);
    size_t left = pipeline->n_edits;
    struct text edit = {0};
    write_edit(explorer, pipeline->edits[left], &edit); /* it stays there until the next one */
    if (left == 0)
        explorer_say(explorer, "taken back: %s; no edits are left", text_string(&edit));
    else
        explorer_say(explorer, "taken back: %s; %zu %s left", text_string(&edit), left,
                     left == 1 ? "edit is" : "edits are");
    text_release(&edit);
}

/* ---- a sentence, or a tensor of the prompt ---- */

/* What is shown is another sentence or tensor now. */
static void reset_view(struct explorer *explorer)
{
    explorer_close_path(explorer, 0);
    explorer->variable[0] = '\0';
    explorer->is_typing = false;
    explorer->message[0] = '\0';
}

/* Puts a sentence before the others that are remembered, and forgets the oldest. */
static void remember_first(struct explorer *explorer, const char *sentence)
{
    char first[EXPLORER_SENTENCE_BYTES];
    size_t i = 0, n = explorer->n_sentences;
    snprintf(first, sizeof first, "%s", sentence); /* which may be one of them */
    while (i < n && strcmp(explorer->sentences[i], first) != 0)
        i++;
    if (i == n && n < EXPLORER_SENTENCES)
        explorer->n_sentences++;
    i = i < EXPLORER_SENTENCES ? i : EXPLORER_SENTENCES - 1;
    memmove(explorer->sentences[1], explorer->sentences[0], i * sizeof *explorer->sentences);
    memcpy(explorer->sentences[0], first, sizeof first);
}

bool explorer_set_sentence(struct explorer *explorer, const char *sentence, struct error *reterr)
{
    struct pipeline_stage shown = explorer->pipeline.stages[explorer->stage];
    explorer->message[0] = '\0';
    if (!pipeline_set_sentence(&explorer->pipeline, sentence, reterr))
        return false;
    explorer_follow(explorer, shown.name);
    reset_view(explorer);
    if (explorer->pipeline.note[0] != '\0')
        explorer_say(explorer, "%s", explorer->pipeline.note);
    remember_first(explorer, explorer->pipeline.sentence);
    explorer_clamp_cursor(explorer);
    return true;
}

static const char *last_sentence(const struct explorer *explorer)
{
    return explorer->n_sentences > 0 ? explorer->sentences[0] : exploration_example;
}

void explorer_show_sentence(struct explorer *explorer)
{
    struct error error;
    if (!shows_sentence(explorer) &&
        !explorer_set_sentence(explorer, last_sentence(explorer), &error))
        explorer_say(explorer, "%s", error.text);
}

bool explorer_explore(struct explorer *explorer, const struct exploration *exploration,
                      struct error *reterr)
{
    const char *what = exploration->what;
    size_t n_dropped, stage;
    if (what[0] != '\0' &&
        !(exploration->is_sentence ? explorer_set_sentence(explorer, what, reterr)
                                   : explorer_show(explorer, what, reterr)))
        return false;
    if (exploration->has_options || (exploration->at[0] != '\0' && what[0] == '\0'))
        explorer_show_sentence(explorer);
    if (exploration->has_options) {
        struct pipeline_stage shown = explorer->pipeline.stages[explorer->stage];
        if (!pipeline_set_options(&explorer->pipeline, &exploration->options, &n_dropped, reterr))
            return false;
        explorer_follow(explorer, shown.name);
    }
    if (exploration->at[0] != '\0') {
        stage = exploration_stage(&explorer->pipeline, exploration->at, reterr);
        if (stage == explorer->pipeline.n_stages)
            return false;
        explorer_show_stage(explorer, stage);
    }
    explorer_clamp_cursor(explorer);
    return true;
}

void explorer_write_exploration(const struct explorer *explorer, struct text *text)
{
    exploration_write(last_sentence(explorer), &explorer->pipeline.options, text);
}

void explorer_describe(const struct explorer *explorer, struct text *text)
{
    struct text options = {0};
    const char *sentence = last_sentence(explorer);
    exploration_describe(&explorer->pipeline.options, &options);
    if (options.size > 0)
        text_format(text, "%s (%s)", sentence, text_string(&options));
    else if (strcmp(sentence, exploration_example) != 0)
        text_put(text, sentence);
    text_release(&options);
}

void explorer_write_sentences(const struct explorer *explorer, struct text *text)
{
    for (size_t i = 0; i < explorer->n_sentences; i++)
        text_format(text, "%s\n", explorer->sentences[i]);
}

void explorer_remember(struct explorer *explorer, const char *sentences)
{
    explorer->n_sentences = 0;
    while (*sentences != '\0' && explorer->n_sentences < EXPLORER_SENTENCES) {
        size_t size = strcspn(sentences, "\n");
        char *kept = explorer->sentences[explorer->n_sentences];
        if (size > 0 && size < EXPLORER_SENTENCE_BYTES) {
            snprintf(kept, EXPLORER_SENTENCE_BYTES, "%.*s", (int)size, sentences);
            explorer->n_sentences++;
        }
        sentences += size + (sentences[size] != '\0');
    }
}

/* The name that stands for a tensor at the prompt, of several its own. NULL: there is none, as for
 * what a page computed; where the prompt is not known, its own. */
static const char *name_of(const struct explorer *explorer, const struct node *node)
{
    const struct session *session = explorer->variables;
    const char *name = session == NULL ? node->name : NULL;
    for (size_t i = 0; session != NULL && i < session->names.n_variables; i++) {
        const struct variable *variable = &session->names.variables[i];
        bool is_own = node->name != NULL && strcmp(variable->name, node->name) == 0;
        if (variable->value.kind == VALUE_NODE && variable->value.as.node == node &&
            (name == NULL || is_own))
            name = variable->name;
    }
    return name;
}

bool explorer_show_node(struct explorer *explorer, struct node *node, struct error *reterr)
{
    const char *name = name_of(explorer, node);
    if (!pipeline_set_node(&explorer->pipeline, node, reterr))
        return false;
    reset_view(explorer);
    explorer->stage = explorer->pipeline.n_stages - 1;
    explorer->row = explorer->col = explorer->first_row = explorer->first_col = 0;
    explorer->head = 0;
    if (name != NULL && strlen(name) < sizeof explorer->variable)
        snprintf(explorer->variable, sizeof explorer->variable, "%s", name);
    explorer->source_id = node->id;
    if (explorer->pipeline.note[0] != '\0')
        explorer_say(explorer, "%s", explorer->pipeline.note);
    explorer_clamp_cursor(explorer);
    return true;
}

bool explorer_open_number(struct explorer *explorer, struct cell cell, struct error *reterr)
{
    if (!explorer_show_node(explorer, cell.node, reterr))
        return false;
    struct explorer_slice slice = explorer_slice(explorer);
    size_t size = slice.n_rows * slice.n_cols;
    if (size == 0)
        return true;
    explorer->head = (unsigned)(cell.position / size);
    explorer->row = cell.position % size / slice.n_cols;
    explorer->col = cell.position % slice.n_cols;
    explorer_clamp_cursor(explorer);
    explorer_open(explorer);
    return true;
}

void explorer_use_variables(struct explorer *explorer, const struct session *variables)
{
    explorer->variables = variables;
}

/* What a name means at the prompt; NULL: nothing. */
static const struct value *find_variable(const struct explorer *explorer, const char *name,
                                         size_t size)
{
    return explorer->variables != NULL ? names_get(&explorer->variables->names, name, size) : NULL;
}

bool explorer_show(struct explorer *explorer, const char *line, struct error *reterr)
{
    char text[FIELD_BYTES], kind[80];
    const char *begin = line + strspn(line, " ");
    size_t size = strlen(begin);
    while (size > 0 && begin[size - 1] == ' ')
        size--;
    bool is_quoted = size > 1 && begin[0] == '"' && begin[size - 1] == '"';
    const struct value *value = find_variable(explorer, begin, size);
    if (size >= sizeof text) /* too long for a sentence too, which says so */
        return explorer_set_sentence(explorer, line, reterr);
    snprintf(text, sizeof text, "%.*s", (int)(is_quoted ? size - 2 : size), begin + is_quoted);
    if (value == NULL || value->kind == VALUE_ABSENT)
        return explorer_set_sentence(explorer, text, reterr);
    if (value->kind != VALUE_NODE)
        return error_set(reterr, ERR_NAME, "%s: it is %s; only tensors can be shown", text,
                         value_describe(value, kind, sizeof kind));
    if (!explorer_show_node(explorer, value->as.node, reterr))
        return false;
    if (size < sizeof explorer->variable)
        memcpy(explorer->variable, text, size + 1);
    return true;
}

static void begin_source(struct explorer *explorer, int unused)
{
    struct field *field = &explorer->field;
    (void)unused;
    ask(explorer, ASKS_SOURCE);
    snprintf(field->text, sizeof field->text, "%s",
             shows_sentence(explorer) ? explorer->pipeline.sentence : explorer->variable);
    field->size = field->cursor = strlen(field->text);
    field->is_chosen = field->size > 0; /* the first letter takes its place */
    explorer->recalled = explorer->n_sentences;
}

/* Puts an earlier sentence into the field, or a later one. */
static void recall_sentence(struct explorer *explorer, int steps)
{
    struct field *field = &explorer->field;
    size_t n = explorer->n_sentences;
    /* The first one is what is shown, and stands there at first. */
    size_t from = explorer->recalled < n ? explorer->recalled : 0;
    if (n == 0)
        return;
    explorer->recalled = scroll_step(from, steps, n);
    *field = (struct field){.is_chosen = true};
    memcpy(field->text, explorer->sentences[explorer->recalled], EXPLORER_SENTENCE_BYTES);
    field->size = field->cursor = strlen(field->text);
}

static void end_source(struct explorer *explorer)
{
    struct error error;
    const char *typed = explorer->field.text;
    bool is_variable = find_variable(explorer, typed, explorer->field.size) != NULL;
    explorer->is_typing = false;
    if (shows_sentence(explorer) && strcmp(typed, explorer->pipeline.sentence) == 0 && !is_variable)
        return; /* the sentence that is there: its edits stay */
    if (explorer_show(explorer, typed, &error))
        return;
    explorer->is_typing = true; /* what is wrong can be mended */
    explorer_say(explorer, "%s", error.text);
}

/* Goes on with the name that is being typed, as far as it is the same in all that match. */
static void complete_name(struct explorer *explorer)
{
    struct field *field = &explorer->field;
    size_t at = 0;
    const struct variable *first = explorer_matching(explorer, &at), *other;
    if (first == NULL) {
        explorer_say(explorer, "no tensor of the prompt has a name that begins so");
        return;
    }
    size_t same = first->size < sizeof field->text ? first->size : sizeof field->text - 1;
    while ((other = explorer_matching(explorer, &at)) != NULL) {
        size_t size = 0;
        while (size < same && size < other->size && other->name[size] == first->name[size])
            size++;
        same = size;
    }
    memcpy(field->text, first->name, same);
    field->text[same] = '\0';
    field->size = field->cursor = same;
}

/* ---- keys and clicks ---- */

static const struct action {
    enum request request;
    void (*run)(struct explorer *explorer, int argument);
    int argument;
} actions[] = {
    {REQ_NEXT_STAGE, move_stages, 1},
    {REQ_PREVIOUS_STAGE, move_stages, -1},
    {REQ_OPEN, open_cell, 0},
    {REQ_PARENT, close_cells, 1},
    {REQ_CLOSE, close_cells, EXPLORER_MAX_DEPTH},
    {REQ_MASK, change_option, REQ_MASK},
    {REQ_SCALE, change_option, REQ_SCALE},
    {REQ_HOTTER, change_option, REQ_HOTTER},
    {REQ_COLDER, change_option, REQ_COLDER},
    {REQ_TEMPERATURE_ONE, change_option, REQ_TEMPERATURE_ONE},
    {REQ_GO_TO_STAGE, begin_going, 0},
    {REQ_HEADS, begin_heads, 0},
    {REQ_HEAD, show_head, 0}, /* the key is its argument */
    {REQ_VIEW, next_view, 1},
    {REQ_COLOURS, next_scale, 0},
    {REQ_MARK_HEAD, mark_head, 0},
    {REQ_ALL_LINES, draw_all_lines, 0},
    {REQ_EDIT, begin_edit, 0},
    {REQ_UNDO, undo, 0},
    {REQ_SENTENCE, begin_source, 0},
};

bool explorer_request(void *state, enum request request, int key)
{
    struct explorer *explorer = state;
    const struct action *action = actions, *end = actions + COUNT_OF(actions);
    while (action < end && action->request != request)
        action++;
    if ((request == REQ_PARENT || request == REQ_CLOSE) && explorer->depth == 0)
        return false;
    explorer->message[0] = '\0';
    if (action < end)
        action->run(explorer, request == REQ_HEAD ? key : action->argument);
    else if (!move_request(explorer, request))
        return false;
    explorer_clamp_cursor(explorer);
    return true;
}

/* Takes what was typed. */
static void end_typing(struct explorer *explorer)
{
    switch (explorer->asks) {
    case ASKS_SOURCE:
        end_source(explorer);
        break;
    case ASKS_HEADS:
        end_heads(explorer);
        break;
    case ASKS_NUMBER:
    default:
        end_edit(explorer);
        break;
    }
}

/* Also the letter of a stage that is waited for. */
static bool clear(void *state)
{
    struct explorer *explorer = state;
    if (!explorer->is_typing || !field_clear(&explorer->field))
        return false;
    explorer_say(explorer, PANE_CLEARED);
    return true;
}

static bool cancel(void *state)
{
    struct explorer *explorer = state;
    bool was_open = explorer->is_typing || explorer->is_going;
    explorer->is_typing = explorer->is_going = false;
    if (was_open)
        explorer->message[0] = '\0';
    return was_open;
}

bool explorer_key(void *state, int key)
{
    struct explorer *explorer = state;
    bool is_source = explorer->asks == ASKS_SOURCE;
    if (explorer->is_going) {
        explorer->message[0] = '\0';
        end_going(explorer, key);
        explorer_clamp_cursor(explorer);
        return true;
    }
    if (!explorer->is_typing)
        return false;
    explorer->message[0] = '\0';
    if (key == KEYCODE_ENTER)
        end_typing(explorer);
    else if (key == KEYCODE_TAB && is_source)
        complete_name(explorer);
    else if ((key == KEYCODE_UP || key == KEYCODE_DOWN) && is_source)
        recall_sentence(explorer, key == KEYCODE_UP ? 1 : -1);
    else if (field_key(&explorer->field, key) != FIELD_IGNORED && is_source)
        explorer->recalled = explorer->n_sentences;
    explorer_clamp_cursor(explorer);
    return true;
}

bool explorer_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct explorer *explorer = state;
    explorer->message[0] = '\0';
    explorer->is_typing = false; /* it would land in another cell */
    explorer_resize(explorer, area.rows, area.cols);
    bool hit = explorer_go_to_place(explorer, area, row, col, is_double);
    explorer_clamp_cursor(explorer);
    return hit;
}

void explorer_wheel(void *state, int steps)
{
    struct explorer *explorer = state;
    if (explorer->is_typing) /* what is typed may be for this cell */
        return;
    move(explorer, steps, 0);
    explorer_clamp_cursor(explorer);
}

void explorer_resize(void *state, int rows, int cols)
{
    struct explorer *explorer = state;
    if (explorer->rows == rows && explorer->cols == cols)
        return;
    if (explorer->cols != cols)
        explorer->first_col = 0; /* no blanks at the right of a pane that is wider now */
    explorer->rows = rows;
    explorer->cols = cols;
    explorer_clamp_cursor(explorer);
}

/* ---- opening and closing ---- */

bool explorer_init(struct explorer *explorer, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct error *reterr)
{
    *explorer = (struct explorer){.view = EXPLORE_CHAIN};
    pipeline_init(&explorer->pipeline, settings, data_dir, stop);
    if (explorer_set_sentence(explorer, exploration_example, reterr))
        return true;
    explorer_release(explorer);
    return false;
}

void explorer_release(void *state)
{
    struct explorer *explorer = state;
    explorer_close_path(explorer, 0);
    explorer_drop_table(explorer);
    pipeline_release(&explorer->pipeline);
}

/* ---- the table of operations ---- */

static bool types(const void *state)
{
    return ((const struct explorer *)state)->is_typing;
}

static int write_title(const void *state, struct text *title)
{
    text_put(title, "Explore   ");
    explorer_write_source(state, title);
    return -1;
}

/* The stages, the formula, the table under its labels, the cell and the state. */
static int rows_wanted(void *state, int cols)
{
    enum { OTHER_ROWS = 6, ALL_ROWS = 1000 };
    const struct explorer *explorer = state;
    (void)cols;
    size_t n_rows = explorer_slice(explorer).n_rows;
    return explorer->depth > 0 || n_rows > ALL_ROWS ? ALL_ROWS : OTHER_ROWS + (int)n_rows;
}

const struct pane_ops explorer_ops = {
    .rows_wanted = rows_wanted,
    .title = "Explorer",
    .bindings = explorer_bindings,
    .typing_bindings = field_bindings,
    .types = types,
    .clear = clear,
    .cancel = cancel,
    .key = explorer_key,
    .request = explorer_request,
    .click = explorer_click,
    .wheel = explorer_wheel,
    .resize = explorer_resize,
    .draw = explorer_draw,
    .draw_bare = explorer_draw_bare,
    .write_title = write_title,
    .copy = explorer_copy,
    .write_name = explorer_write_name,
    .release = explorer_release,
};
