/* See help.h. */
#include "ui/help.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/tutor.h"
#include "lang/builtin.h"
#include "lang/command.h"
#include "tensor/grow.h"

enum {
    KEYS_MAX_COLS = 12, /* of the column with the keys: more of them are wrapped */
    TEXT_MIN_COLS = 28, /* of a help text in two columns; below it one is easier to read */
    GAP_COLS = 3,       /* between two columns */
    INDENT_COLS = 4,    /* of a result's text */
    FRAME_COLS = 4,     /* the frame, and a blank inside of it, at both sides */
    FRAME_ROWS = 2,
    MIN_COLS = 24,   /* laid out for so many where there are fewer */
    SEARCH_ROWS = 3, /* the field, a rule, and what Enter does */
    MAX_WORDS = 16,  /* of a search; more are not looked at */
};

const struct binding help_bindings[] = {
    {KEY_F1_, REQ_SEARCH_HELP, "search", "searches all help; / does it too"},
    {'/', REQ_SEARCH_HELP, NULL, NULL},
    {KEY_UP_, REQ_UP, NULL, "scrolls up; k does it too"},
    {'k', REQ_UP, NULL, NULL},
    {KEY_DOWN_, REQ_DOWN, NULL, "scrolls down; j does it too"},
    {'j', REQ_DOWN, NULL, NULL},
    {KEY_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up by a screen"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, "scroll", "scrolls down by a screen"},
    {' ', REQ_PAGE_DOWN, NULL, NULL},
    {KEY_HOME_, REQ_TOP, NULL, "scrolls to the top"},
    {KEY_END_, REQ_BOTTOM, NULL, "scrolls to the end"},
    {KEY_ESCAPE, REQ_CLOSE, "close", "closes the help; q and ? do it too"},
    {'q', REQ_CLOSE, NULL, NULL},
    {'?', REQ_CLOSE, NULL, NULL},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

const struct binding help_search_bindings[] = {
    {KEY_ENTER_, REQ_OPEN, "take", "puts a name into the prompt, or opens the lesson"},
    {KEY_UP_, REQ_UP, NULL, "chooses the result above"},
    {KEY_DOWN_, REQ_DOWN, "choose", "chooses the result below"},
    {KEY_PAGE_UP, REQ_PAGE_UP, NULL, "goes up by a screen"},
    {KEY_PAGE_DOWN, REQ_PAGE_DOWN, NULL, "goes down by a screen"},
    {KEY_ESCAPE, REQ_CLOSE, "close", "closes the help"},
    {KEY_NONE, REQ_NONE, NULL, NULL},
};

/* What can be found. */

/* What is being read, and whether memory ran out. */
struct loading {
    struct help *help;
    bool failed;
};

/* A copy that lives as long as the help. */
static const char *keep(struct loading *loading, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = arena_take(&loading->help->arena, size);
    loading->failed = loading->failed || copy == NULL;
    return copy != NULL ? memcpy(copy, text, size) : "";
}

/* The same of a text that is then given back. */
static const char *keep_text(struct loading *loading, struct text *text)
{
    const char *kept = keep(loading, text_string(text));
    loading->failed = loading->failed || text->failed;
    text_release(text);
    return kept;
}

static void add_entry(struct loading *loading, struct help_entry entry)
{
    struct help *help = loading->help;
    struct help_entry *entries = grow(help->entries, help->n, &help->capacity, sizeof *entries);
    loading->failed = loading->failed || entries == NULL;
    if (entries == NULL)
        return;
    help->entries = entries;
    entries[help->n++] = entry;
}

/* A name, with a blank where something is to be typed behind it. */
static const char *keep_start(struct loading *loading, const char *name, bool takes_more)
{
    struct text text = {0};
    text_format(&text, "%s%s", name, takes_more ? " " : "");
    return keep_text(loading, &text);
}

static void add_words(struct loading *loading)
{
    const char *usage, *summary;
    for (size_t i = 0; tutor_word_help(i, &usage, &summary); i++)
        add_entry(loading, (struct help_entry){HELP_WORD, tutor_word(i), usage, summary, "course",
                                               keep_start(loading, tutor_word(i),
                                                          strcmp(usage, tutor_word(i)) != 0)});
}

static void add_commands(struct loading *loading)
{
    size_t n;
    const struct command *commands = command_table(&n);
    for (size_t i = 0; i < n; i++)
        add_entry(loading, (struct help_entry){HELP_COMMAND, commands[i].name, commands[i].usage,
                                               commands[i].summary, "command",
                                               keep_start(loading, commands[i].name,
                                                          commands[i].takes != TAKES_NOTHING)});
}

static void add_functions(struct loading *loading)
{
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++) {
        struct text signature = {0};
        builtin_signature(builtin, &signature);
        add_entry(loading,
                  (struct help_entry){HELP_FUNCTION, builtin->name, keep_text(loading, &signature),
                                      builtin->summary, "function", builtin->name});
    }
}

/* The binding whose help a binding shares: itself, an earlier one with the same request, or the
 * nearest earlier one that has a help. */
static size_t helped_by(const struct binding *bindings, size_t i)
{
    size_t nearest = i;
    if (bindings[i].help != NULL)
        return i;
    for (size_t j = i; j-- > 0;) {
        if (bindings[j].help == NULL)
            continue;
        if (bindings[j].request == bindings[i].request)
            return j;
        nearest = nearest == i ? j : nearest;
    }
    return nearest;
}

static bool is_alnum_key(int key)
{
    return key > ' ' && key < 127 && isalnum(key);
}

/* Writes the keys that share binding i's help: "Up k", "1-9". */
static void write_keys(const struct binding *bindings, size_t i, struct text *text)
{
    char name[16];
    int last = KEY_NONE, run = 1; /* keys in a row that follow each other, as 1 2 3 do */
    size_t run_end = 0;           /* the text's size behind the first of them */
    for (size_t j = i; bindings[j].key != KEY_NONE; j++) {
        int key = bindings[j].key;
        if (helped_by(bindings, j) != i)
            continue;
        run = is_alnum_key(last) && is_alnum_key(key) && key == last + 1 ? run + 1 : 1;
        last = key;
        if (run > 2) {
            bool failed = text->failed; /* which would be forgotten with what is taken back */
            text_shrink(text, run_end);
            text->failed = failed;
            text_format(text, "-%s", key_text(key, name));
            continue;
        }
        text_format(text, "%s%s", text->size > 0 ? " " : "", key_text(key, name));
        if (run == 1)
            run_end = text->size;
    }
}

static const char *help_of(const struct binding *binding)
{
    return binding->help != NULL ? binding->help : binding->label != NULL ? binding->label : "";
}

static void add_keys(struct loading *loading, const struct help_pane *pane)
{
    for (size_t i = 0; pane->bindings[i].key != KEY_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        struct text keys = {0};
        if (helped_by(pane->bindings, i) != i)
            continue;
        write_keys(pane->bindings, i, &keys);
        add_entry(loading, (struct help_entry){
                               HELP_KEY, binding->label != NULL ? binding->label : "",
                               keep_text(loading, &keys), help_of(binding), pane->title, ""});
    }
}

static void add_steps(struct loading *loading, const struct lesson *lesson, const char *where)
{
    for (size_t i = 0; i < lesson->n_steps; i++) {
        const struct step *step = lesson->steps[i];
        struct text wish = {0};
        text_format(&wish, "lesson %s#%s", lesson->file_name, step->name);
        const char *title = keep(loading, step->title);
        add_entry(loading, (struct help_entry){HELP_STEP, title, title, "", where,
                                               keep_text(loading, &wish)});
    }
}

static void add_lesson(struct loading *loading, const struct course_entry *entry)
{
    struct lesson *lesson;
    struct text where = {0}, text = {0}, wish = {0};
    struct error fault;
    if (!lesson_read(entry->path, &lesson, &fault)) {
        loading->failed = loading->failed || fault.kind == ERR_MEMORY;
        return;
    }
    text_format(&where, "lesson %u", entry->number);
    text_format(&wish, "lesson %s", entry->file_name);
    for (unsigned i = 0; i < lesson->n_objectives; i++)
        text_format(&text, "%s%s", i > 0 ? "\n" : "", lesson->objectives[i].text);
    const char *title = keep(loading, lesson->title), *place = keep_text(loading, &where);
    add_entry(loading, (struct help_entry){HELP_LESSON, title, title, keep_text(loading, &text),
                                           place, keep_text(loading, &wish)});
    add_steps(loading, lesson, place);
    lesson_free(lesson);
}

static bool load_all(struct help *fresh, const struct course *course)
{
    struct loading loading = {.help = fresh};
    add_words(&loading);
    add_commands(&loading);
    add_functions(&loading);
    for (size_t i = 0; i < fresh->n_panes; i++)
        add_keys(&loading, &fresh->panes[i]);
    for (size_t i = 0; course != NULL && i < course->n && !loading.failed; i++)
        add_lesson(&loading, &course->entries[i]);
    if (loading.failed)
        return false;
    fresh->results = calloc(fresh->n + 1, sizeof *fresh->results);
    fresh->lines = calloc(fresh->n + 1, sizeof *fresh->lines);
    return fresh->results != NULL && fresh->lines != NULL;
}

bool help_load(struct help *help, const struct help_pane *panes, size_t n_panes,
               const struct course *course, struct error *reterr)
{
    struct help fresh = {.panes = panes, .n_panes = n_panes, .pane = n_panes};
    fresh.rows = help->rows;
    fresh.cols = help->cols;
    if (!load_all(&fresh, course)) {
        help_release(&fresh);
        return error_memory(reterr, "help");
    }
    help_release(help);
    *help = fresh;
    return true;
}

void help_release(struct help *help)
{
    free(help->entries);
    free(help->results);
    free(help->lines);
    arena_release(&help->arena);
    doc_release(&help->page);
    *help = (struct help){0};
}

/* Laying out. */

/* Adds text as doc_wrap() does, but breaks words that are wider than a line by themselves. */
static void wrap_whole(struct doc *doc, enum style style, const char *text, size_t width,
                       size_t indent)
{
    struct text broken = {0};
    size_t room = width > indent + 2 ? width - indent : 2; /* a wide letter fits */
    while (*text != '\0') {
        size_t word = strcspn(text, " \n");
        while (text_width(text, word) > room) {
            size_t fits = text_fit(text, word, room);
            text_add(&broken, text, fits);
            text_char(&broken, '\n');
            text += fits;
            word -= fits;
        }
        word += text[word] != '\0';
        text_add(&broken, text, word);
        text += word;
    }
    doc_wrap(doc, style, text_string(&broken), width, indent);
    doc->failed = doc->failed || broken.failed;
    text_release(&broken);
}

/* The keys' page: rows under headings, in one column or two. */
struct key_row {
    const struct help_pane *pane;
    size_t binding;
    const char *section; /* the heading that it stands under */
    size_t height;       /* lines in the width at hand, with its heading where it has one */
};

struct key_page {
    struct key_row *rows;
    size_t n, capacity;
    bool failed;
    size_t width_cols; /* of a column */
};

static bool is_moving(enum request request)
{
    return request >= REQ_UP && request <= REQ_BOTTOM;
}

static bool is_typed(int key)
{
    return key >= ' ' && key < KEY_UP_ && key != KEY_BACKSPACE_;
}

/* Adds the rows of one table that move, or those that do not. */
static void add_rows(struct key_page *page, const struct help_pane *pane, bool moving,
                     bool without_letters, const char *section)
{
    for (size_t i = 0; pane->bindings[i].key != KEY_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        if (helped_by(pane->bindings, i) != i || is_moving(binding->request) != moving ||
            (without_letters && is_typed(binding->key)))
            continue;
        struct key_row *rows = grow(page->rows, page->n, &page->capacity, sizeof *rows);
        page->failed = page->failed || rows == NULL;
        if (rows == NULL)
            return;
        page->rows = rows;
        rows[page->n++] = (struct key_row){.pane = pane, .binding = i, .section = section};
    }
}

static void add_all_rows(const struct help *help, struct key_page *page)
{
    const struct help_pane *pane = help->pane < help->n_panes ? &help->panes[help->pane] : NULL;
    if (help->panes == NULL)
        return;
    if (pane != NULL) {
        add_rows(page, pane, false, false, pane->title);
        add_rows(page, pane, true, false, "Moving");
    }
    for (size_t i = 0; i < help->n_panes; i++)
        if (help->panes[i].id == PANE_COUNT && i != help->pane) {
            bool without_letters = pane != NULL && pane->types;
            add_rows(page, &help->panes[i], false, without_letters, help->panes[i].title);
            add_rows(page, &help->panes[i], true, without_letters, help->panes[i].title);
        }
}

static void compose_row(const struct key_page *page, const struct key_row *row, struct doc *doc)
{
    struct text keys = {0};
    struct doc left, right;
    doc_init(&left);
    doc_init(&right);
    write_keys(row->pane->bindings, row->binding, &keys);
    wrap_whole(&left, STYLE_NAME, text_string(&keys), KEYS_MAX_COLS, 0);
    size_t gap = KEYS_MAX_COLS + 2 - doc_width(&left);
    size_t room = page->width_cols > KEYS_MAX_COLS + 10 ? page->width_cols - KEYS_MAX_COLS - 2 : 8;
    wrap_whole(&right, STYLE_PLAIN, help_of(&row->pane->bindings[row->binding]), room, 0);
    doc_append_beside(doc, &left, &right, gap);
    doc->failed = doc->failed || keys.failed || left.failed || right.failed;
    doc_release(&left);
    doc_release(&right);
    text_release(&keys);
}

static bool has_heading(const struct key_page *page, size_t i)
{
    return i == 0 || strcmp(page->rows[i - 1].section, page->rows[i].section) != 0;
}

/* Rows [begin, end), with the headings of the sections that begin among them. */
static void compose_rows(const struct key_page *page, size_t begin, size_t end, struct doc *doc)
{
    for (size_t i = begin; i < end; i++) {
        if (has_heading(page, i)) {
            if (i > begin)
                doc_end_line(doc);
            doc_line(doc, STYLE_TITLE, "%s", page->rows[i].section);
        }
        compose_row(page, &page->rows[i], doc);
    }
}

static void measure_rows(struct key_page *page)
{
    for (size_t i = 0; i < page->n; i++) {
        struct doc doc;
        doc_init(&doc);
        compose_row(page, &page->rows[i], &doc);
        page->rows[i].height = doc.n_lines + (has_heading(page, i) ? 2 : 0);
        page->failed = page->failed || doc.failed;
        doc_release(&doc);
    }
}

static size_t height_of(const struct key_page *page, size_t begin, size_t end)
{
    size_t height = 0;
    for (size_t i = begin; i < end; i++)
        height += page->rows[i].height;
    return height;
}

/* Where the second column begins so that the higher one is as low as can be; a section that is
 * not torn apart is worth two lines. */
static size_t best_split(const struct key_page *page, size_t *ret_height)
{
    size_t best = page->n, best_cost = SIZE_MAX, left = 0, whole = height_of(page, 0, page->n);
    for (size_t i = 0; i <= page->n; i++) {
        size_t height = left > whole - left ? left : whole - left;
        size_t cost = height + (i < page->n && has_heading(page, i) ? 0 : 2);
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
            *ret_height = height;
        }
        left += i < page->n ? page->rows[i].height : 0;
    }
    return best;
}

static size_t inner_cols(const struct help *help)
{
    return help->cols >= MIN_COLS ? (size_t)(help->cols - FRAME_COLS) : MIN_COLS - FRAME_COLS;
}

static void compose_columns(struct key_page *page, size_t split, struct doc *doc)
{
    struct doc left, right;
    doc_init(&left);
    doc_init(&right);
    compose_rows(page, 0, split, &left);
    compose_rows(page, split, page->n, &right);
    doc_append_beside(doc, &left, &right, page->width_cols + GAP_COLS - doc_width(&left));
    doc->failed = doc->failed || left.failed || right.failed;
    doc_release(&left);
    doc_release(&right);
}

static void compose_keys(struct help *help)
{
    struct key_page page = {.width_cols = inner_cols(help)};
    size_t two = 0, split;
    add_all_rows(help, &page);
    measure_rows(&page);
    size_t one = height_of(&page, 0, page.n);
    if (inner_cols(help) >= 2 * (KEYS_MAX_COLS + 2 + TEXT_MIN_COLS) + GAP_COLS) {
        page.width_cols = (inner_cols(help) - GAP_COLS) / 2;
        measure_rows(&page);
        split = best_split(&page, &two);
        if (two < one) {
            compose_columns(&page, split, &help->page);
            one = 0;
        }
        page.width_cols = inner_cols(help);
    }
    if (one > 0)
        compose_rows(&page, 0, page.n, &help->page);
    help->page.failed = help->page.failed || page.failed;
    free(page.rows);
}

/* A result: its title with where it belongs to, and its text below. */
static void compose_result(const struct help *help, const struct help_entry *entry, struct doc *doc)
{
    struct doc left, right;
    size_t width = inner_cols(help), where = text_width(entry->where, strlen(entry->where));
    size_t room = width > where + 6 ? width - where - 4 : 2;
    doc_init(&left);
    doc_init(&right);
    wrap_whole(&left, entry->kind == HELP_KEY ? STYLE_NAME : STYLE_TITLE, entry->title, room, 0);
    doc_add(&right, STYLE_QUIET, "%s", entry->where);
    doc_end_line(&right);
    size_t used = doc_width(&left) + where + 2;
    doc_append_beside(doc, &left, &right, used < width ? width - used : 1);
    wrap_whole(doc, STYLE_PLAIN, entry->text, width - 2, INDENT_COLS - 2);
    doc->failed = doc->failed || left.failed || right.failed;
    doc_release(&left);
    doc_release(&right);
}

static void compose_results(struct help *help)
{
    struct doc result;
    doc_init(&result);
    for (size_t i = 0; i < help->n_results; i++) {
        help->lines[i] = help->page.n_lines;
        doc_clear(&result);
        compose_result(help, &help->entries[help->results[i]], &result);
        doc_append(&help->page, &result, 2);
        help->page.failed = help->page.failed || result.failed;
    }
    doc_release(&result);
    if (help->n_results == 0)
        wrap_whole(&help->page, STYLE_QUIET, "Nothing is called so, and no help speaks of it.",
                   inner_cols(help), 0);
}

/* Lines of the page that are seen at once. */
static size_t page_rows(const struct help *help)
{
    int rows = help->rows - FRAME_ROWS - (help->searches ? SEARCH_ROWS : 0);
    return rows > 1 ? (size_t)rows : 1;
}

static void scroll_to(struct help *help, size_t line)
{
    size_t rows = page_rows(help), n = help->page.n_lines;
    size_t last = n > rows ? n - rows : 0;
    help->scroll = line < last ? line : last;
}

static void scroll_by(struct help *help, long lines)
{
    long to = (long)help->scroll + lines;
    scroll_to(help, to > 0 ? (size_t)to : 0);
}

/* Scrolls so far that the result is seen whole, or from its start. */
static void show_chosen(struct help *help)
{
    if (help->chosen >= help->n_results)
        return;
    size_t begin = help->lines[help->chosen], rows = page_rows(help);
    size_t end =
        help->chosen + 1 < help->n_results ? help->lines[help->chosen + 1] : help->page.n_lines;
    if (end > help->scroll + rows)
        help->scroll = end - rows;
    if (begin < help->scroll)
        help->scroll = begin;
    scroll_to(help, help->scroll);
}

static void lay_out(struct help *help)
{
    doc_clear(&help->page);
    help->page.failed = false;
    if (help->searches)
        compose_results(help);
    else
        compose_keys(help);
}

/* Searching. */

struct query {
    const char *words[MAX_WORDS]; /* in the field */
    size_t sizes[MAX_WORDS], n;
};

enum rank { RANK_IS, RANK_BEGINS, RANK_CONTAINS, RANK_TEXT, RANK_NONE };

static struct query query_of(const struct field *field)
{
    struct query query = {0};
    for (const char *at = field->text; query.n < MAX_WORDS;) {
        at += strspn(at, " ");
        size_t size = strcspn(at, " ");
        if (size == 0)
            break;
        query.words[query.n] = at;
        query.sizes[query.n++] = size;
        at += size;
    }
    return query;
}

/* Whether text begins with a word, in capitals or not. */
static bool begins_with(const char *text, const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)text[i]) != tolower((unsigned char)word[i]))
            return false; /* also at the text's end */
    return true;
}

static bool contains(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text++)
        if (begins_with(text, word, size))
            return true;
    return false;
}

/* Whether one of the words of `text` is this one. */
static bool has_word(const char *text, const char *word, size_t size)
{
    for (; *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        if (length == size && begins_with(text, word, size))
            return true;
        text += length;
    }
    return false;
}

bool field_is_within(const struct field *field, const char *text)
{
    struct query query = query_of(field);
    for (size_t i = 0; i < query.n; i++)
        if (!contains(text, query.words[i], query.sizes[i]))
            return false;
    return true;
}

static enum rank rank_word(const struct help_entry *entry, const char *word, size_t size)
{
    bool is_key = entry->kind == HELP_KEY;
    if (begins_with(entry->name, word, size))
        return entry->name[size] == '\0' ? RANK_IS : RANK_BEGINS;
    if (is_key && has_word(entry->title, word, size))
        return RANK_IS;
    if (contains(entry->name, word, size))
        return RANK_CONTAINS;
    if (contains(entry->text, word, size) || contains(entry->where, word, size) ||
        (!is_key && contains(entry->title, word, size)))
        return RANK_TEXT;
    return RANK_NONE;
}

/* The worst of its words' ranks: all of them must be there. */
static enum rank rank_of(const struct help_entry *entry, const struct query *query)
{
    enum rank worst = RANK_IS;
    for (size_t i = 0; i < query->n; i++) {
        enum rank rank = rank_word(entry, query->words[i], query->sizes[i]);
        worst = rank > worst ? rank : worst;
    }
    return worst;
}

/* Looks for what the field says; equal ones stay in the order in which they were read. */
static void find(struct help *help)
{
    struct query query = query_of(&help->field);
    help->n_results = help->chosen = help->scroll = 0;
    for (enum rank rank = RANK_IS; rank < RANK_NONE; rank++)
        for (size_t i = 0; i < help->n; i++)
            if (rank_of(&help->entries[i], &query) == rank)
                help->results[help->n_results++] = i;
    lay_out(help);
}

void help_open(struct help *help, enum pane_id pane)
{
    help->searches = false;
    help->n_results = help->chosen = help->scroll = 0;
    for (help->pane = 0; help->pane < help->n_panes; help->pane++)
        if (help->panes[help->pane].id == pane)
            break;
    lay_out(help);
}

void help_search(struct help *help)
{
    help->searches = true;
    help->field = (struct field){0};
    find(help);
}

void help_resize(struct help *help, int rows, int cols)
{
    /* What was seen at the top is kept by its share of the page: lines are others now. */
    size_t before = help->page.n_lines, scroll = help->scroll;
    bool same_width = cols == help->cols;
    if (rows == help->rows && same_width)
        return;
    help->rows = rows;
    help->cols = cols;
    if (!same_width)
        lay_out(help);
    scroll_to(help, same_width || before == 0 ? scroll : scroll * help->page.n_lines / before);
    if (help->searches)
        show_chosen(help);
}

/* Handling. */

bool help_key(struct help *help, int key)
{
    if (!help->searches)
        return false;
    enum field_change change = field_key(&help->field, key);
    if (change == FIELD_CHANGED)
        find(help);
    return change != FIELD_IGNORED;
}

static void choose(struct help *help, long to)
{
    long last = (long)help->n_results - 1;
    if (last < 0)
        return;
    help->chosen = (size_t)(to < 0 ? 0 : to > last ? last : to);
    show_chosen(help);
}

/* Chooses a result about a screen further down, or up. */
static void choose_by_screen(struct help *help, bool down)
{
    size_t rows = page_rows(help), to = help->chosen;
    if (help->n_results == 0)
        return;
    size_t line = help->lines[to];
    if (down)
        while (to + 1 < help->n_results && help->lines[to] < line + rows)
            to++;
    else
        while (to > 0 && help->lines[to] + rows > line)
            to--;
    choose(help, (long)to);
}

static void wish_for_chosen(struct help *help)
{
    if (help->chosen >= help->n_results)
        return;
    const struct help_entry *entry = &help->entries[help->results[help->chosen]];
    if (entry->wish[0] == '\0' || strlen(entry->wish) >= HELP_WISH_BYTES)
        return;
    bool opens = entry->kind == HELP_LESSON || entry->kind == HELP_STEP;
    help->wish.kind = opens ? HELP_LINE : HELP_TO_PROMPT;
    snprintf(help->wish.text, sizeof help->wish.text, "%s", entry->wish);
}

static bool search_request(struct help *help, enum request request)
{
    switch (request) {
    case REQ_UP:
        choose(help, (long)help->chosen - 1);
        return true;
    case REQ_DOWN:
        choose(help, (long)help->chosen + 1);
        return true;
    case REQ_PAGE_UP:
    case REQ_PAGE_DOWN:
        choose_by_screen(help, request == REQ_PAGE_DOWN);
        return true;
    case REQ_TOP:
        choose(help, 0);
        return true;
    case REQ_BOTTOM:
        choose(help, (long)help->n_results - 1);
        return true;
    case REQ_OPEN:
        wish_for_chosen(help);
        return true;
    default:
        return false;
    }
}

static bool keys_request(struct help *help, enum request request)
{
    long rows = (long)page_rows(help);
    switch (request) {
    case REQ_UP:
        scroll_by(help, -1);
        return true;
    case REQ_DOWN:
        scroll_by(help, 1);
        return true;
    case REQ_PAGE_UP:
        scroll_by(help, rows > 1 ? 1 - rows : -1);
        return true;
    case REQ_PAGE_DOWN:
        scroll_by(help, rows > 1 ? rows - 1 : 1);
        return true;
    case REQ_TOP:
        scroll_to(help, 0);
        return true;
    case REQ_BOTTOM:
        scroll_to(help, help->page.n_lines);
        return true;
    default:
        return false;
    }
}

bool help_request(struct help *help, enum request request)
{
    if (request == REQ_SEARCH_HELP) {
        help_search(help);
        return true;
    }
    return help->searches ? search_request(help, request) : keys_request(help, request);
}

bool help_click(struct help *help, struct area area, int row, int col)
{
    int first = 1 + SEARCH_ROWS - 1; /* the frame, the field and its rule; Enter's line is below */
    if (!help->searches || col < 0 || col >= area.cols || row < first ||
        (size_t)(row - first) >= page_rows(help))
        return false;
    size_t line = help->scroll + (size_t)(row - first), i = help->n_results;
    while (i > 0 && help->lines[i - 1] > line)
        i--;
    if (i == 0 || line >= help->page.n_lines)
        return false;
    choose(help, (long)i - 1);
    return true;
}

void help_wheel(struct help *help, int steps)
{
    scroll_by(help, steps);
}

bool help_take_wish(struct help *help, struct help_wish *ret)
{
    if (help->wish.kind == HELP_NO_WISH)
        return false;
    *ret = help->wish;
    help->wish = (struct help_wish){.kind = HELP_NO_WISH};
    return true;
}

/* Drawing. */

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

static void draw_keys(const struct help *help, struct area area, bool ascii)
{
    struct text title = {0};
    if (help->pane < help->n_panes)
        text_format(&title, "Keys: %s", help->panes[help->pane].title);
    else
        text_put(&title, "Keys");
    struct area inside = area_frame(area, text_string(&title), ascii);
    text_release(&title);
    area_doc(inside, &help->page, help->scroll, 0);
}

/* What Enter does with the chosen result. */
static void draw_hint(const struct help *help, struct area line)
{
    if (help->chosen >= help->n_results)
        return;
    const struct help_entry *entry = &help->entries[help->results[help->chosen]];
    if (entry->kind == HELP_LESSON || entry->kind == HELP_STEP)
        area_text(line, 0, 0, look_of(STYLE_QUIET), "Enter opens it");
    else if (entry->kind == HELP_KEY)
        area_text(line, 0, 0, look_of(STYLE_QUIET), "a key: there is nothing to open");
    else
        area_format(line, 0, 0, look_of(STYLE_QUIET), "Enter puts %s into the prompt", entry->name);
}

/* The pointer before what is chosen, and its lines in reverse. */
static void mark_chosen(const struct help *help, struct area list, bool ascii)
{
    if (help->chosen >= help->n_results)
        return;
    size_t line = help->lines[help->chosen];
    if (line < help->scroll || line - help->scroll >= (size_t)list.rows)
        return;
    int row = (int)(line - help->scroll);
    area_text(list, row, 0, look_of(STYLE_TITLE), ascii ? ">" : "\xE2\x96\xB8");
    area_mark(list, row, 0, list.cols, MARK_REVERSE);
}

static void draw_search(const struct help *help, struct area area, bool focused, bool ascii)
{
    struct area inside = area_frame(area, "Search all help", ascii);
    int col = area_text(inside, 0, 0, look_of(STYLE_TITLE), "find: ");
    field_draw(&help->field, area_part(inside, 0, col, 1, inside.cols - col),
               "a name, a key, or what it is about", focused);
    area_rule_across(inside, 1, ascii);
    if (help->field.size > 0) {
        char count[32];
        snprintf(count, sizeof count, " %zu found ", help->n_results);
        area_text(inside, 1, inside.cols - (int)strlen(count), look_of(STYLE_QUIET), count);
    }
    int rows = inside.rows - SEARCH_ROWS;
    struct area list = area_part(inside, 2, 0, rows, inside.cols);
    area_doc(list, &help->page, help->scroll, 0);
    mark_chosen(help, list, ascii);
    draw_hint(help, area_part(inside, inside.rows - 1, 0, 1, inside.cols));
}

void help_draw(const struct help *help, struct area area, bool focused, bool ascii)
{
    if (area.rows <= FRAME_ROWS || area.cols <= FRAME_COLS)
        return;
    if (help->searches)
        draw_search(help, area, focused, ascii);
    else
        draw_keys(help, area, ascii);
    draw_place(help, area);
}
