/* See help.h. */
#include "ui/panes/help/help_internal.h"

#include <stdio.h>
#include <string.h>

#include "course/manual/manual_show.h"
#include "ui/terminal/find.h"
#include "ui/terminal/scroll.h"

enum {
    FRAME_ROWS = 2,
    SEARCH_ROWS = 3, /* the field, a rule, and what Enter does */
    ENTRY_ROWS = 2,  /* a rule, and what Enter does */
};

static const struct binding help_bindings[] = {
    {KEYCODE_F1, REQ_SEARCH_HELP, "search", "searches all help, as / does"},
    {'/', REQ_SEARCH_HELP, NULL, NULL},
    {KEYCODE_UP, REQ_UP, NULL, "scrolls up, as k does"},
    {'k', REQ_UP, NULL, NULL},
    {KEYCODE_DOWN, REQ_DOWN, NULL, "scrolls down, as j does"},
    {'j', REQ_DOWN, NULL, NULL},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, "scroll", "scrolls down by a screen"},
    {' ', REQ_PAGE_DOWN, NULL, NULL},
    {KEYCODE_HOME, REQ_TOP, NULL, "scrolls to the top"},
    {KEYCODE_END, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "close", "closes the help, as q and ? do"},
    {'q', REQ_CLOSE, NULL, NULL},
    {'?', REQ_CLOSE, NULL, NULL},
    {KEYCODE_ENTER, REQ_OPEN, NULL, "on the page of a term: opens the lesson that introduces it"},
    {'o', REQ_OPEN, NULL, NULL},
    {KEYCODE_BACKSPACE, REQ_PARENT, NULL, "on the page of a term: goes back to the search"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

static const struct binding help_search_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "take",
     "opens a page of help or a lesson, or puts a name into the prompt; nothing is run by it"},
    {KEYCODE_UP, REQ_UP, NULL, "chooses the result above"},
    {KEYCODE_DOWN, REQ_DOWN, "choose", "chooses the result below"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, close",
     "empties the field; where nothing is typed, closes the help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

/* Rows around the page, inside of the frame. */
static int extra_rows(enum help_view view)
{
    return view == HELP_SEARCH ? SEARCH_ROWS : view == HELP_ENTRY ? ENTRY_ROWS : 0;
}

/* Lines of the page that are seen at once. */
static size_t page_rows(const struct help *help)
{
    int rows = help->rows - FRAME_ROWS - extra_rows(help->view);
    return rows > 1 ? (size_t)rows : 1;
}

/* By so many lines, at most to the page's ends. */
static void scroll_by(struct help *help, ptrdiff_t lines)
{
    size_t rows = page_rows(help), n = help->page.n_lines;
    help->scroll = scroll_step(help->scroll, lines, n > rows ? n - rows + 1 : 1);
}

/* Scrolls so far that the result is seen whole, or from its start. */
static void show_chosen(struct help *help)
{
    if (help->chosen >= help->found.n)
        return;
    size_t begin = help->chosen > 0 ? help->lines[help->chosen] : 0, rows = page_rows(help);
    size_t end =
        help->chosen + 1 < help->found.n ? help->lines[help->chosen + 1] : help->page.n_lines;
    if (end > help->scroll + rows)
        help->scroll = end - rows;
    if (begin < help->scroll)
        help->scroll = begin;
    scroll_by(help, 0);
}

static void lay_out(struct help *help)
{
    doc_clear(&help->page);
    help->page.failed = false;
    if (help->view == HELP_SEARCH)
        help_compose_results(help);
    else if (help->view == HELP_ENTRY)
        help_compose_entry(help);
    else
        help_compose_keys(help);
}

static void search(struct help *help)
{
    bool ok = help_find(help);
    lay_out(help);
    help->page.failed = help->page.failed || !ok;
}

void help_open(struct help *help, const struct pane_ops *pane)
{
    help->view = HELP_KEYS;
    help->found.n = help->chosen = help->scroll = 0;
    for (help->pane = 0; help->pane < help->sources.n_panes; help->pane++)
        if (help->sources.panes[help->pane]->bindings == pane->bindings)
            break;
    lay_out(help);
}

bool help_search(struct help *help, struct error *reterr)
{
    if (!help_read(help, reterr))
        return false;
    help->view = HELP_SEARCH;
    help->field = (struct field){0};
    search(help);
    return doc_check(&help->page, reterr);
}

/* From the results to the chosen one, and back. */
static void show_view(struct help *help, enum help_view view)
{
    help->view = view;
    help->scroll = 0;
    lay_out(help);
    if (view == HELP_SEARCH)
        show_chosen(help);
}

bool help_open_entry(struct help *help, const char *name, struct error *reterr)
{
    if (!help_search(help, reterr))
        return false;
    for (const char *at = name; *at != '\0'; at++)
        (void)field_key(&help->field, (unsigned char)*at);
    search(help);
    if (help_chosen(help) != NULL && strcmp(help_chosen(help)->name, name) == 0)
        show_view(help, HELP_ENTRY);
    return doc_check(&help->page, reterr);
}

void help_resize(void *state, int rows, int cols)
{
    struct help *help = state;
    /* What was seen at the top is kept by its share of the page: lines are others now. */
    size_t before = help->page.n_lines;
    bool same_width = cols == help->cols;
    if (rows == 0)
        return; /* it is not open */
    if (rows == help->rows && same_width)
        return;
    help->rows = rows;
    help->cols = cols;
    if (!same_width)
        lay_out(help);
    if (!same_width && before > 0)
        help->scroll = help->scroll * help->page.n_lines / before;
    scroll_by(help, 0);
    if (help->view == HELP_SEARCH)
        show_chosen(help);
}

/* ---- keys and the mouse ---- */

static bool clear(void *state)
{
    struct help *help = state;
    if (help->view != HELP_SEARCH || !field_clear(&help->field))
        return false;
    search(help);
    return true;
}

bool help_key(void *state, int key)
{
    struct help *help = state;
    if (help->view != HELP_SEARCH)
        return false;
    enum field_change change = field_key(&help->field, key);
    if (change == FIELD_CHANGED)
        search(help);
    return change != FIELD_IGNORED;
}

/* Chooses a result about a screen further down, or up. */
static void choose_by_screen(struct help *help, bool down)
{
    size_t rows = page_rows(help), to = help->chosen;
    if (help->found.n == 0)
        return;
    size_t line = help->lines[to];
    if (down)
        while (to + 1 < help->found.n && help->lines[to] < line + rows)
            to++;
    else
        while (to > 0 && help->lines[to] + rows > line)
            to--;
    help->chosen = to;
    show_chosen(help);
}

/* Whether it has a page of its own. A word of the prompt that takes something away has one, since
 * it is not put into the prompt. */
static bool has_page(const struct manual_entry *entry)
{
    if (entry->kind == MANUAL_WORD)
        return entry->gives[0] == '\0';
    return entry->kind == MANUAL_TERM || entry->kind == MANUAL_OPERATOR ||
           entry->kind == MANUAL_TOPIC;
}

static void open_chosen(struct help *help)
{
    const struct manual_entry *entry = help_chosen(help);
    if (entry == NULL)
        return;
    if (help->view == HELP_SEARCH && has_page(entry))
        show_view(help, HELP_ENTRY);
    else if (entry->gives[0] != '\0')
        pane_request_set(&help->request,
                         manual_opens_lesson(entry) ? PANE_RUN_LINE : PANE_TO_PROMPT, entry->gives);
}

bool help_request(void *state, enum request request, int key)
{
    struct help *help = state;
    bool searches = help->view == HELP_SEARCH;
    size_t rows = page_rows(help), n = searches ? help->found.n : help->page.n_lines;
    bool is_page = request == REQ_PAGE_UP || request == REQ_PAGE_DOWN;
    ptrdiff_t steps;
    struct error error;
    (void)key;
    if (request == REQ_SEARCH_HELP) {
        (void)help_search(help, &error);
    } else if (help->view != HELP_KEYS && request == REQ_OPEN) {
        open_chosen(help);
    } else if (help->view == HELP_ENTRY && (request == REQ_CLOSE || request == REQ_PARENT) &&
               key != 'q') {
        show_view(help, HELP_SEARCH);
    } else if (searches && is_page) {
        choose_by_screen(help, request == REQ_PAGE_DOWN);
    } else if (!scroll_steps_of(request, rows > 2 ? rows - 1 : 1, n, &steps)) {
        return false;
    } else if (searches) {
        help->chosen = scroll_step(help->chosen, steps, n);
        show_chosen(help);
    } else {
        scroll_by(help, steps);
    }
    return true;
}

bool help_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct help *help = state;
    (void)is_double;
    int first = 1 + SEARCH_ROWS - 1; /* the frame, the field and its rule; Enter's line is below */
    if (help->view != HELP_SEARCH || col < 0 || col >= area.cols || row < first ||
        (size_t)(row - first) >= page_rows(help))
        return false;
    size_t line = help->scroll + (size_t)(row - first), i = help->found.n;
    while (i > 0 && help->lines[i - 1] > line)
        i--;
    if (i == 0 || line >= help->page.n_lines)
        return false;
    help->chosen = i - 1;
    show_chosen(help);
    return true;
}

void help_wheel(void *state, int steps)
{
    scroll_by(state, steps);
}

bool help_take_request(void *state, struct pane_request *ret)
{
    struct help *help = state;
    return pane_request_take(&help->request, ret);
}

/* ---- drawing ---- */

/* On the lower border: which lines are seen, where not all are. */
static void draw_place(const struct help *help, struct area area)
{
    size_t rows = page_rows(help), n = help->page.n_lines;
    struct text place = {0};
    if (n <= rows && !help->page.failed)
        return;
    size_t end = help->scroll + rows < n ? help->scroll + rows : n;
    if (help->page.failed)
        text_put(&place, " not enough memory to show all ");
    else
        text_format(&place, " lines %zu-%zu of %zu ", help->scroll + 1, end, n);
    int col = area.cols - 2 - (int)text_width(text_string(&place), place.size);
    area_text(area, area.rows - 1, col, look_of(STYLE_QUIET), text_string(&place));
    text_release(&place);
}

/* What Enter does with the chosen result. */
static void draw_hint(const struct help *help, struct area line)
{
    const struct manual_entry *entry = help_chosen(help);
    struct canvas_look look = look_of(STYLE_QUIET);
    if (entry == NULL)
        return;
    if (help->view == HELP_ENTRY && entry->gives[0] != '\0')
        area_format(line, 0, 0, look, "Enter opens %s   Esc back to the search", entry->gives);
    else if (help->view == HELP_ENTRY)
        area_text(line, 0, 0, look, "Esc back to the search");
    else if (entry->kind == MANUAL_PAGE)
        area_text(line, 0, 0, look, "Enter opens the page");
    else if (has_page(entry) || manual_opens_lesson(entry))
        area_text(line, 0, 0, look, "Enter opens it");
    else if (entry->kind == MANUAL_KEY)
        area_text(line, 0, 0, look, "a key: there is nothing to open");
    else
        area_format(line, 0, 0, look, "Enter puts %s into the prompt", entry->name);
}

static void draw_search(const struct help *help, struct area area, bool focused, bool ascii)
{
    struct area inside = area_frame(area, "Search all help", ascii);
    find_draw_field(&help->field, area_part(inside, 0, 0, 1, inside.cols),
                    "how do I multiply?  a word, a sign, a key", focused);
    area_rule_across(inside, 1, ascii);
    if (help->field.size > 0) {
        char count[32];
        snprintf(count, sizeof count, " %zu found ", help->found.only_near ? 0 : help->found.n);
        area_text(inside, 1, inside.cols - (int)strlen(count), look_of(STYLE_QUIET), count);
    }
    int rows = inside.rows - SEARCH_ROWS;
    struct area list = area_part(inside, 2, 0, rows, inside.cols);
    area_doc(list, &help->page, help->scroll, 0);
    size_t line = help->chosen < help->found.n ? help->lines[help->chosen] : SIZE_MAX;
    if (line >= help->scroll && line - help->scroll < (size_t)list.rows) {
        int row = (int)(line - help->scroll);
        area_text(list, row, 0, look_of(STYLE_TITLE), ascii ? ">" : "\xE2\x96\xB8");
        area_choose(list, row, 0, list.cols);
    }
    draw_hint(help, area_part(inside, inside.rows - 1, 0, 1, inside.cols));
}

static void draw_entry(const struct help *help, struct area area, bool ascii)
{
    struct area inside = area_frame(area, "Help", ascii);
    int rows = inside.rows - ENTRY_ROWS;
    area_doc(area_part(inside, 0, 0, rows, inside.cols), &help->page, help->scroll, 0);
    area_rule_across(inside, rows, ascii);
    draw_hint(help, area_part(inside, rows + 1, 0, 1, inside.cols));
}

void help_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct help *help = state;
    if (area.rows <= FRAME_ROWS || area.cols <= HELP_FRAME_COLS)
        return;
    if (help->view == HELP_SEARCH) {
        draw_search(help, area, focused, ascii);
    } else if (help->view == HELP_ENTRY) {
        draw_entry(help, area, ascii);
    } else {
        char title[80] = "Keys";
        if (help->pane < help->sources.n_panes)
            snprintf(title, sizeof title, "Keys: %s", help->sources.panes[help->pane]->title);
        area_doc(area_frame(area, title, ascii), &help->page, help->scroll, 0);
    }
    draw_place(help, area);
}

static bool types(const void *state)
{
    return ((const struct help *)state)->view == HELP_SEARCH;
}

const struct pane_ops help_ops = {
    .bindings = help_bindings,
    .typing_bindings = help_search_bindings,
    .types = types,
    .clear = clear,
    .key = help_key,
    .request = help_request,
    .click = help_click,
    .wheel = help_wheel,
    .resize = help_resize,
    .draw = help_draw,
    .take_request = help_take_request,
    .release = help_release,
};
