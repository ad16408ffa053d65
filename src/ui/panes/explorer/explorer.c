/* The explorer's model: the cursor, the cells that are open, and what the keys do. */
#include "ui/panes/explorer/explorer_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    PAGE_ROWS = 10,
    WHY_STEP_ROWS = 4,
    WHY_MAX_ROWS = 64,
    MAX_HEAT = 12
}; /* temperatures go from 2^-6 to 2^6 */

/* The most important first: those are on the key bar of a narrow screen. */
const struct binding explorer_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "why",
     "opens the arithmetic of the cell; again: goes down to the number that is chosen in it"},
    {']', REQ_NEXT_STAGE, "stage", "shows the next stage"},
    {'e', REQ_EDIT, "edit",
     "types another number into the cell; all that depends on it follows, and what changed is "
     "marked *"},
    {'m', REQ_MASK, "mask", "changes the mask: none, causal, the last word hidden as padding"},
    {'v', REQ_VIEW, "view", "shows numbers, a heatmap, or words with lines between them"},
    {'w', REQ_SENTENCE, "sentence", "asks for another sentence, or for a tensor of the prompt"},
    {'s', REQ_SCALE, "scale", "divides the scores by sqrt(d_k), or leaves them as they are"},
    {'+', REQ_HOTTER, "heat", "raises the temperature: the weights become more even"},
    {'=', REQ_HOTTER, NULL, NULL},
    {'u', REQ_UNDO, "undo", "takes the last edit back"},
    {'H', REQ_HEADS, "heads",
     "changes the number of heads: 1, 2, 3, 6; more than one has random projections, of seed 0, on "
     "6 columns; of a tensor of the prompt: shows the next of its tables"},
    {KEYCODE_BACKSPACE, REQ_PARENT, "up", "comes back up in the arithmetic"},
    {'[', REQ_PREVIOUS_STAGE, NULL, "shows the stage before"},
    {'-', REQ_COLDER, NULL, "lowers the temperature: the weights become sharper"},
    {'1', REQ_HEAD, NULL, "shows that head"},
    {'2', REQ_HEAD, NULL, NULL},
    {'3', REQ_HEAD, NULL, NULL},
    {'4', REQ_HEAD, NULL, NULL},
    {'5', REQ_HEAD, NULL, NULL},
    {'6', REQ_HEAD, NULL, NULL},
    {'7', REQ_HEAD, NULL, NULL},
    {'8', REQ_HEAD, NULL, NULL},
    {'9', REQ_HEAD, NULL, NULL},
    {KEYCODE_UP, REQ_UP, NULL, "moves the cursor; in the arithmetic it chooses a number"},
    {KEYCODE_DOWN, REQ_DOWN, NULL, NULL},
    {KEYCODE_LEFT, REQ_LEFT, NULL, NULL},
    {KEYCODE_RIGHT, REQ_RIGHT, NULL, NULL},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL,
     "moves the cursor by a page; in the arithmetic, back up and down"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, NULL},
    {KEYCODE_HOME, REQ_TOP, NULL, "goes to the first row"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "goes to the last row"},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "closes the arithmetic"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const char example[] = "Hello shiny sun!";

/* Cells. */

struct explorer_slice explorer_slice_of(const struct node *node, size_t head)
{
    const struct tensor *x = &node->value;
    unsigned n = x->n_axes;
    struct explorer_slice slice = {.n_slices = 1,
                                   .n_rows = n > 1 ? x->shape[n - 2] : 1,
                                   .n_cols = n > 0 ? x->shape[n - 1] : 1};
    for (unsigned axis = 0; axis + 2 < n; axis++)
        slice.n_slices *= x->shape[axis];
    slice.index = head < slice.n_slices ? head : slice.n_slices > 0 ? slice.n_slices - 1 : 0;
    return slice;
}

size_t explorer_position(const struct explorer_slice *slice, size_t row, size_t col)
{
    return (slice->index * slice->n_rows + row) * slice->n_cols + col;
}

struct node *explorer_node(const struct explorer *explorer)
{
    if (explorer->depth > 0)
        return explorer->path[explorer->depth - 1].cell.node;
    return explorer->stage < explorer->n_stages ? explorer->stages[explorer->stage].node : NULL;
}

struct explorer_slice explorer_slice(const struct explorer *explorer)
{
    const struct node *node = explorer_node(explorer);
    return node ? explorer_slice_of(node, explorer->head) : (struct explorer_slice){.n_rows = 0};
}

struct cell explorer_cell(const struct explorer *explorer)
{
    struct explorer_slice slice = explorer_slice(explorer);
    if (explorer->row >= slice.n_rows || explorer->col >= slice.n_cols || slice.n_slices == 0)
        return (struct cell){.node = NULL};
    return (struct cell){explorer_node(explorer),
                         explorer_position(&slice, explorer->row, explorer->col)};
}

bool explorer_shows_words(const struct explorer *explorer)
{
    return explorer->view == EXPLORE_WORDS && explorer->depth == 0 &&
           explorer->stage < explorer->n_stages && explorer->stages[explorer->stage].has_words;
}

size_t explorer_stage_of(const struct explorer *explorer, const struct node *node)
{
    for (size_t i = 0; i < explorer->n_stages; i++)
        if (explorer->stages[i].node == node)
            return i;
    return explorer->n_stages;
}

void explorer_go_to(struct explorer *explorer, struct cell cell)
{
    struct explorer_slice slice = explorer_slice_of(cell.node, 0);
    size_t stage = explorer_stage_of(explorer, cell.node);
    size_t table = slice.n_rows * slice.n_cols, at = table > 0 ? cell.position % table : 0;
    if (stage < explorer->n_stages)
        explorer->stage = stage;
    if (slice.n_slices > 1 && table > 0)
        explorer->head = (unsigned)(cell.position / table);
    explorer->row = slice.n_cols > 0 ? at / slice.n_cols : 0;
    explorer->col = slice.n_cols > 0 ? at % slice.n_cols : 0;
    explorer_settle(explorer);
}

/* How far a list of which `seen` are seen is scrolled, so that `at` is among them. */
static size_t scrolled(size_t first, size_t at, size_t seen)
{
    if (at < first)
        return at;
    return seen > 0 && at >= first + seen ? at - seen + 1 : first;
}

/* Scrolls as far as the pane, of the size it had last, needs it. While arithmetic is open, the
 * table waits. */
static void scroll(struct explorer *explorer)
{
    if (explorer_node(explorer) == NULL || explorer->rows == 0 || explorer->depth > 0)
        return;
    int rows, top;
    explorer_table_place(explorer->rows, &top, &rows);
    if (explorer_shows_words(explorer)) {
        size_t seen = explorer_words_seen(rows);
        explorer->first_row = scrolled(explorer->first_row, explorer->row, seen);
        explorer->first_col = scrolled(explorer->first_col, explorer->col, seen);
        return;
    }
    explorer_keep_table(explorer, rows, explorer->cols);
}

void explorer_settle(struct explorer *explorer)
{
    struct explorer_slice slice = explorer_slice(explorer);
    if (explorer->stage >= explorer->n_stages)
        explorer->stage = explorer->n_stages > 0 ? explorer->n_stages - 1 : 0;
    if (explorer->row >= slice.n_rows)
        explorer->row = slice.n_rows > 0 ? slice.n_rows - 1 : 0;
    if (explorer->col >= slice.n_cols)
        explorer->col = slice.n_cols > 0 ? slice.n_cols - 1 : 0;
    scroll(explorer);
}

void explorer_resize(struct explorer *explorer, int rows, int cols)
{
    if (explorer->rows == rows && explorer->cols == cols)
        return;
    if (explorer->cols != cols)
        explorer->first_col = 0; /* no blanks at the right of a pane that is wider now */
    explorer->rows = rows;
    explorer->cols = cols;
    explorer_settle(explorer);
}

void explorer_say(struct explorer *explorer, const char *format, ...)
{
    char line[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    error_quote(explorer->message, sizeof explorer->message, line, strlen(line));
}

/* Moving. */

static void move_by(size_t *at, ptrdiff_t steps, size_t n)
{
    size_t up = steps < 0 ? (size_t)-steps : 0;
    size_t next = steps < 0 ? (*at > up ? *at - up : 0) : *at + (size_t)steps;
    *at = next < n ? next : n > 0 ? n - 1 : 0;
}

static void move(struct explorer *explorer, ptrdiff_t rows, ptrdiff_t cols)
{
    if (explorer->depth > 0) {
        explorer_choose(explorer, rows + cols);
        return;
    }
    struct explorer_slice slice = explorer_slice(explorer);
    move_by(&explorer->row, rows, slice.n_rows);
    move_by(&explorer->col, cols, slice.n_cols);
    explorer_settle(explorer);
}

void explorer_show_stage(struct explorer *explorer, size_t stage)
{
    if (stage >= explorer->n_stages)
        return;
    explorer_close_path(explorer, 0);
    explorer->stage = stage;
    explorer_settle(explorer);
}

static bool is_sentence(struct explorer *explorer)
{
    if (explorer->sentence[0] == '\0')
        explorer_say(explorer, "this key is for a sentence, and here is a tensor; w asks for a "
                               "sentence");
    return explorer->sentence[0] != '\0';
}

static bool has_one_word(const struct explorer *explorer)
{
    return explorer->n_stages > 0 && explorer->stages[0].node->value.shape[0] == 1;
}

/* The settings that make a pipeline. */
struct choices {
    enum explorer_mask mask;
    bool scale;
    double temperature;
    unsigned n_heads;
};

static struct choices choices_of(const struct explorer *explorer)
{
    return (struct choices){explorer->mask, explorer->scale, explorer->temperature,
                            explorer->n_heads};
}

static void set_choices(struct explorer *explorer, struct choices choices)
{
    explorer->mask = choices.mask;
    explorer->scale = choices.scale;
    explorer->temperature = choices.temperature;
    explorer->n_heads = choices.n_heads;
}

/* Runs the pipeline with those of the edits that fit it: one may be of a stage, or a place, that is
 * gone. False, with the edits as they were, where it can't be run at all. */
static bool rebuild_without_some(struct explorer *explorer, struct error *reterr)
{
    char all[EXPLORER_MAX_EDITS][sizeof explorer->edit_lines[0]];
    size_t n = explorer->n_edits, kept = 0;
    bool ok = true;
    memcpy(all, explorer->edit_lines, sizeof all);
    for (size_t i = 0; ok && i < n; i++) {
        memcpy(explorer->edit_lines[kept], all[i], sizeof all[i]);
        explorer->n_edits = kept + 1;
        if (explorer_rebuild(explorer, reterr))
            kept++;
        else
            ok = reterr->kind != ERR_MEMORY && reterr->kind != ERR_INTERRUPTED;
    }
    explorer->n_edits = kept;
    ok = ok && explorer_rebuild(explorer, reterr);
    if (!ok) {
        memcpy(explorer->edit_lines, all, sizeof all);
        explorer->n_edits = n;
        return false;
    }
    explorer_say(explorer, "%zu of the edits did not fit this pipeline and %s undone", n - kept,
                 n - kept == 1 ? "is" : "are");
    return true;
}

/* Another pipeline, or the one there is where that fails. */
static void apply(struct explorer *explorer, struct choices choices)
{
    struct choices old = choices_of(explorer);
    struct error error;
    set_choices(explorer, choices);
    if (explorer_rebuild(explorer, &error))
        return;
    bool edits = error.kind != ERR_MEMORY && error.kind != ERR_INTERRUPTED && explorer->n_edits > 0;
    if (edits && rebuild_without_some(explorer, &error))
        return;
    set_choices(explorer, old);
    if (edits) /* some tries may have worked */
        explorer_rebuild(explorer, NULL);
    explorer_say(explorer, "%s", error.text);
}

static void next_mask(struct explorer *explorer)
{
    struct choices choices = choices_of(explorer);
    bool alone = has_one_word(explorer);
    choices.mask = (enum explorer_mask)((choices.mask + 1) % EXPLORE_MASKS);
    if (choices.mask == EXPLORE_PADDING && alone)
        choices.mask = EXPLORE_NO_MASK;
    apply(explorer, choices);
}

static void next_heads(struct explorer *explorer)
{
    struct choices choices = choices_of(explorer);
    do
        choices.n_heads = choices.n_heads % EXPLORER_WIDTH + 1;
    while (EXPLORER_WIDTH % choices.n_heads != 0);
    apply(explorer, choices);
}

static void change_temperature(struct explorer *explorer, int steps)
{
    struct choices choices = choices_of(explorer);
    long heat = lround(2 * log2(choices.temperature)) + steps;
    if (heat < -MAX_HEAT || heat > MAX_HEAT) {
        explorer_say(explorer, "the temperature goes from 1/64 to 64");
        return;
    }
    choices.temperature = exp2((double)heat / 2);
    apply(explorer, choices);
}

/* Shows one of the tables of a tensor, or of all that share the heads. */
static void go_to_head(struct explorer *explorer, size_t head)
{
    bool moves = explorer->depth > 0 && explorer_slice(explorer).n_slices > 1;
    if (moves)
        explorer_close_path(explorer, 0);
    explorer->head = (unsigned)head;
    explorer_settle(explorer);
}

static void show_head(struct explorer *explorer, int digit)
{
    bool of_sentence = explorer->sentence[0] != '\0';
    size_t n = explorer_slice(explorer).n_slices,
           most = n > explorer->n_heads || !of_sentence ? n : explorer->n_heads;
    if (digit >= 1 && (size_t)digit <= most)
        go_to_head(explorer, (size_t)digit - 1);
    else if (!of_sentence)
        explorer_say(explorer, "there is no table %d: the last one is %zu", digit, most);
    else if (most == 1)
        explorer_say(explorer, "one head: H makes more");
    else
        explorer_say(explorer, "there is no head %d: H makes more", digit);
}

/* The next table of a tensor with more than two axes, however many there are. */
static void next_table(struct explorer *explorer)
{
    struct explorer_slice slice = explorer_slice(explorer);
    if (slice.n_slices > 1)
        go_to_head(explorer, (slice.index + 1) % slice.n_slices);
    else
        explorer_say(explorer, "this tensor is one table");
}

static void next_view(struct explorer *explorer)
{
    explorer_close_path(explorer, 0); /* beside arithmetic there are numbers only */
    explorer->view = (enum explorer_view)((explorer->view + 1) % EXPLORE_VIEWS);
    if (explorer->view != EXPLORE_WORDS || explorer_shows_words(explorer)) {
        explorer_settle(explorer);
        return;
    }
    for (size_t i = 0; i < explorer->n_stages; i++)
        if (explorer->stages[i].has_words) {
            explorer_show_stage(explorer, i);
            return;
        }
    explorer->view = EXPLORE_NUMBERS;
    explorer_say(explorer, "there are no weights here to draw lines for");
    explorer_settle(explorer);
}

/* Requests. */

static void scroll_why(struct explorer *explorer, int rows)
{
    int up = explorer->why_up + rows;
    explorer->why_up = up < 0 ? 0 : up > WHY_MAX_ROWS ? WHY_MAX_ROWS : up;
}

/* Those that move about; false when it is none of them. */
static bool move_request(struct explorer *explorer, enum request request)
{
    ptrdiff_t page = explorer->rows > PAGE_ROWS ? explorer->rows / 2 : PAGE_ROWS / 2;
    ptrdiff_t all = (ptrdiff_t)explorer_slice(explorer).n_rows;
    if (explorer->depth > 0 && (request == REQ_PAGE_UP || request == REQ_PAGE_DOWN)) {
        scroll_why(explorer, request == REQ_PAGE_UP ? WHY_STEP_ROWS : -WHY_STEP_ROWS);
        return true;
    }
    switch ((int)request) {
    case REQ_UP:
        move(explorer, -1, 0);
        return true;
    case REQ_DOWN:
        move(explorer, 1, 0);
        return true;
    case REQ_LEFT:
        move(explorer, 0, -1);
        return true;
    case REQ_RIGHT:
        move(explorer, 0, 1);
        return true;
    case REQ_PAGE_UP:
        move(explorer, -page, 0);
        return true;
    case REQ_PAGE_DOWN:
        move(explorer, page, 0);
        return true;
    case REQ_TOP:
        move(explorer, -all, 0);
        return true;
    case REQ_BOTTOM:
        move(explorer, all, 0);
        return true;
    case REQ_NEXT_STAGE:
        explorer_show_stage(explorer, explorer->stage + 1);
        return true;
    case REQ_PREVIOUS_STAGE:
        explorer_show_stage(explorer, explorer->stage > 0 ? explorer->stage - 1 : 0);
        return true;
    case REQ_OPEN:
        explorer_open(explorer);
        return true;
    default:
        return false;
    }
}

/* Those that make another pipeline of a sentence. */
static bool change_request(struct explorer *explorer, enum request request)
{
    bool mine = request == REQ_MASK || request == REQ_SCALE || request == REQ_HOTTER ||
                request == REQ_COLDER || request == REQ_HEADS;
    if (request == REQ_HEADS && explorer->sentence[0] == '\0') {
        next_table(explorer);
        return true;
    }
    if (!mine || !is_sentence(explorer))
        return mine;
    struct choices choices = choices_of(explorer);
    if (request == REQ_MASK) {
        next_mask(explorer);
    } else if (request == REQ_SCALE) {
        choices.scale = !choices.scale;
        apply(explorer, choices);
    } else if (request == REQ_HEADS) {
        next_heads(explorer);
    } else {
        change_temperature(explorer, request == REQ_HOTTER ? 1 : -1);
    }
    return true;
}

bool explorer_request(struct explorer *explorer, enum request request, int digit)
{
    if ((request == REQ_PARENT || request == REQ_CLOSE) && explorer->depth == 0)
        return false;
    explorer->message[0] = '\0';
    if (move_request(explorer, request) || change_request(explorer, request))
        return true;
    switch ((int)request) {
    case REQ_PARENT:
        explorer_climb(explorer);
        return true;
    case REQ_CLOSE:
        while (explorer->depth > 0)
            explorer_climb(explorer);
        return true;
    case REQ_EDIT:
        explorer_begin_edit(explorer);
        return true;
    case REQ_SENTENCE:
        explorer_ask(explorer);
        return true;
    case REQ_UNDO:
        explorer_undo(explorer);
        return true;
    case REQ_HEAD:
        show_head(explorer, digit);
        return true;
    case REQ_VIEW:
        next_view(explorer);
        return true;
    default:
        return false;
    }
}

void explorer_wheel(struct explorer *explorer, int steps)
{
    if (!explorer->edits) /* what is typed may be for this cell */
        move(explorer, steps, 0);
}

/* Opening and closing. */

bool explorer_init(struct explorer *explorer, const struct settings *settings, const char *data_dir,
                   const volatile sig_atomic_t *stop, struct error *reterr)
{
    struct settings own = *settings;
    own.echo = false;
    own.no_files = true;
    *explorer = (struct explorer){.scale = true, .temperature = 1, .n_heads = 1};
    session_init(&explorer->session, &own, data_dir, stop);
    if (explorer_set_sentence(explorer, example, reterr))
        return true;
    explorer_release(explorer);
    return false;
}

void explorer_show_sentence(struct explorer *explorer)
{
    struct error error;
    if (explorer->sentence[0] == '\0' && !explorer_set_sentence(explorer, example, &error))
        explorer_say(explorer, "%s", error.text);
}

void explorer_release(struct explorer *explorer)
{
    explorer_close_path(explorer, 0);
    explorer_drop_table(explorer);
    for (size_t i = 0; i < explorer->n_stages; i++) {
        node_free(explorer->stages[i].node);
        tensor_release(&explorer->stages[i].before);
    }
    explorer->n_stages = 0;
    session_release(&explorer->session);
}
