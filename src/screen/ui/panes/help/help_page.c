/* See help_internal.h: the page, laid out for the width of the pane. */
#include "ui/panes/help/help_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "course/manual/manual_show.h"

enum {
    KEYS_MAX_COLS = 12, /* of the column with the keys: more of them are wrapped */
    TEXT_MIN_COLS = 28, /* of a help text in two columns; below it one is easier to read */
    GAP_COLS = 3,       /* between two columns */
    INDENT_COLS = 4,    /* of a result's text */
};

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

/* ---- bindings, as help tells of them ---- */

size_t help_owner_of(const struct binding *bindings, size_t i)
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

void help_write_keys(const struct binding *bindings, size_t i, struct text *text)
{
    char name[16];
    int last = KEYCODE_NONE, run = 1; /* keys in a row that follow each other, as 1 2 3 do */
    size_t run_end = 0;               /* the text's size after the first of them */
    for (size_t j = i; bindings[j].key != KEYCODE_NONE; j++) {
        int key = bindings[j].key;
        if (help_owner_of(bindings, j) != i)
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

const char *help_text_of(const struct binding *binding)
{
    return binding->help != NULL ? binding->help : binding->label != NULL ? binding->label : "";
}

/* ---- the page of the keys: rows under headings, in one column or two ---- */

struct key_row {
    const struct pane_ops *pane;
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

/* Adds the rows of one table that move, or those that do not. */
static void add_rows(struct key_page *page, const struct pane_ops *pane, bool moving,
                     bool without_letters, const char *section)
{
    for (size_t i = 0; pane->bindings[i].key != KEYCODE_NONE; i++) {
        const struct binding *binding = &pane->bindings[i];
        int key = binding->key;
        bool is_letter = key >= ' ' && key < KEYCODE_UP && key != KEYCODE_BACKSPACE;
        bool moves = binding->request >= REQ_UP && binding->request <= REQ_BOTTOM;
        if (help_owner_of(pane->bindings, i) != i || moves != moving ||
            (without_letters && is_letter))
            continue;
        struct key_row *rows = array_grow(page->rows, page->n, &page->capacity, sizeof *rows);
        page->failed = page->failed || rows == NULL;
        if (rows == NULL)
            return;
        page->rows = rows;
        rows[page->n++] = (struct key_row){.pane = pane, .binding = i, .section = section};
    }
}

static void add_all_rows(const struct help *help, struct key_page *page)
{
    if (help->sources.panes == NULL)
        return;
    const struct pane_ops *pane =
        help->pane < help->sources.n_panes ? help->sources.panes[help->pane] : NULL;
    if (pane != NULL) {
        add_rows(page, pane, false, false, pane->title);
        add_rows(page, pane, true, false, "Moving");
    }
    for (size_t i = 0; i < help->sources.n_panes; i++)
        if (help->sources.panes[i]->is_everywhere && i != help->pane) {
            bool without_letters = pane != NULL && pane->always_types;
            add_rows(page, help->sources.panes[i], false, without_letters,
                     help->sources.panes[i]->title);
            add_rows(page, help->sources.panes[i], true, without_letters,
                     help->sources.panes[i]->title);
        }
}

static void compose_row(const struct key_page *page, const struct key_row *row, struct doc *doc)
{
    struct text keys = {0};
    struct doc left, right;
    doc_init(&left);
    doc_init(&right);
    help_write_keys(row->pane->bindings, row->binding, &keys);
    wrap_whole(&left, STYLE_NAME, text_string(&keys), KEYS_MAX_COLS, 0);
    size_t gap = KEYS_MAX_COLS + 2 - doc_width(&left);
    size_t room = page->width_cols > KEYS_MAX_COLS + 10 ? page->width_cols - KEYS_MAX_COLS - 2 : 8;
    wrap_whole(&right, STYLE_PLAIN, help_text_of(&row->pane->bindings[row->binding]), room, 0);
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

static size_t help_inner_cols(const struct help *help)
{
    return help->cols >= HELP_MIN_COLS ? (size_t)(help->cols - HELP_FRAME_COLS)
                                       : HELP_MIN_COLS - HELP_FRAME_COLS;
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

void help_compose_keys(struct help *help)
{
    struct key_page page = {.width_cols = help_inner_cols(help)};
    size_t two = 0, split;
    add_all_rows(help, &page);
    measure_rows(&page);
    size_t one = height_of(&page, 0, page.n);
    if (help_inner_cols(help) >= 2 * (KEYS_MAX_COLS + 2 + TEXT_MIN_COLS) + GAP_COLS) {
        page.width_cols = (help_inner_cols(help) - GAP_COLS) / 2;
        measure_rows(&page);
        split = best_split(&page, &two);
        if (two < one) {
            compose_columns(&page, split, &help->page);
            one = 0;
        }
        page.width_cols = help_inner_cols(help);
    }
    if (one > 0)
        compose_rows(&page, 0, page.n, &help->page);
    help->page.failed = help->page.failed || page.failed;
    free(page.rows);
}

/* ---- the page of the results ---- */

/* A title, with where it belongs to at the right. */
static void compose_title(const struct help *help, const struct manual_entry *entry,
                          struct doc *doc)
{
    struct doc left, right;
    size_t width = help_inner_cols(help), where = text_width(entry->where, strlen(entry->where));
    size_t room = width > where + 6 ? width - where - 4 : 2;
    doc_init(&left);
    doc_init(&right);
    wrap_whole(&left, entry->kind == MANUAL_KEY ? STYLE_NAME : STYLE_TITLE, entry->title, room, 0);
    doc_add(&right, STYLE_QUIET, "%s", entry->where);
    doc_end_line(&right);
    size_t used = doc_width(&left) + where + 2;
    doc_append_beside(doc, &left, &right, used < width ? width - used : 1);
    doc->failed = doc->failed || left.failed || right.failed;
    doc_release(&left);
    doc_release(&right);
}

/* A result: its title, and its text below. */
static void compose_result(const struct help *help, const struct manual_result *result,
                           struct doc *doc)
{
    const struct manual_entry *entry = &help->manual.entries[result->entry];
    struct text text = {0};
    manual_add_text(entry, result, &text);
    compose_title(help, entry, doc);
    wrap_whole(doc, STYLE_PLAIN, text_string(&text), help_inner_cols(help) - 2, INDENT_COLS - 2);
    doc->failed = doc->failed || text.failed;
    text_release(&text);
}

void help_compose_results(struct help *help)
{
    struct doc result;
    doc_init(&result);
    if (help->found.only_near)
        wrap_whole(&help->page, STYLE_QUIET, MANUAL_NOTHING_FITS, help_inner_cols(help), 0);
    for (size_t i = 0; i < help->found.n; i++) {
        help->lines[i] = help->page.n_lines;
        doc_clear(&result);
        compose_result(help, &help->found.items[i], &result);
        doc_append(&help->page, &result, 2);
        help->page.failed = help->page.failed || result.failed;
    }
    doc_release(&result);
    if (help->found.n == 0)
        wrap_whole(&help->page, STYLE_QUIET, "Nothing has this name, and no help mentions it.",
                   help_inner_cols(help), 0);
}

/* ---- the page of one entry ---- */

const struct manual_entry *help_chosen(const struct help *help)
{
    return help->chosen < help->found.n
               ? &help->manual.entries[help->found.items[help->chosen].entry]
               : NULL;
}

static void compose_example(struct help *help, const struct manual_entry *entry)
{
    struct settings settings = *help->sources.settings;
    struct error error;
    settings.width_cols = help_inner_cols(help);
    const struct manual_setup setup = {&settings, help->sources.data_dir, NULL};
    if (entry->example[0] == '\0')
        return;
    doc_end_line(&help->page);
    if (!manual_show_example(entry, &setup, &help->page, &error))
        doc_line(&help->page, STYLE_BAD, "%s", error.text);
}

void help_compose_entry(struct help *help)
{
    const struct manual_entry *entry = help_chosen(help);
    size_t width = help_inner_cols(help);
    if (entry == NULL)
        return;
    compose_title(help, entry, &help->page);
    doc_end_line(&help->page);
    wrap_whole(&help->page, STYLE_PLAIN, entry->text, width, 0);
    if (entry->also[0] != '\0' && entry->kind != MANUAL_TOPIC) { /* a topic's are ways to ask */
        struct text also = {0};
        text_format(&also, "Also: %s", entry->also);
        doc_end_line(&help->page);
        wrap_whole(&help->page, STYLE_QUIET, text_string(&also), width, 0);
        help->page.failed = help->page.failed || also.failed;
        text_release(&also);
    }
    if (entry->kind == MANUAL_WORD) {
        doc_end_line(&help->page);
        wrap_whole(&help->page, STYLE_QUIET,
                   "It is typed at the prompt, so that nothing is lost by a key pressed too early.",
                   width, 0);
    }
    compose_example(help, entry);
}
