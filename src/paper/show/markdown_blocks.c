/* Blocks laid out in lines: paragraphs, headings, code and rules, within quotes and items of lists,
 * with empty lines between them. See markdown_internal.h. */
#include "show/markdown_internal.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_COLS_MIN = 8 }; /* what marks must leave for the text, or they are left out */

/* ---- containers, and the marks that they put before lines ---- */

static size_t container_cols(const struct markdown_printer *printer)
{
    size_t cols = 0;
    for (size_t i = 0; i < printer->depth; i++)
        cols += text_width(printer->containers[i].after, strlen(printer->containers[i].after));
    return cols;
}

/* What stands before its next line. */
static const char *mark_of(const struct markdown_container *container)
{
    return container->begun ? container->after : container->mark;
}

/* Puts the marks of the first `depth` containers. An empty line has no blanks at its end. */
static void container_put_marks(struct markdown_printer *printer, size_t depth, bool empty_line)
{
    size_t last = depth; /* that has a mark to be seen */
    while (empty_line && last > 0) {
        const char *mark = mark_of(&printer->containers[last - 1]);
        if (line_trimmed(mark, strlen(mark)) > 0)
            break;
        last--;
    }
    for (size_t i = 0; i < depth; i++) {
        struct markdown_container *container = &printer->containers[i];
        const char *mark = mark_of(container);
        size_t size = i < last ? strlen(mark) : 0;
        doc_put(printer->doc, STYLE_QUIET, mark,
                empty_line && i + 1 == last ? line_trimmed(mark, size) : size);
        container->begun = true;
    }
}

void container_push(struct markdown_printer *printer, const char *mark, const char *after,
                    bool is_tight)
{
    if (printer->depth == MAX_DEPTH) {
        printer->too_deep++;
        return;
    }
    struct markdown_container *container = &printer->containers[printer->depth];
    *container = (struct markdown_container){.is_tight = is_tight};
    if (container_cols(printer) + text_width(mark, strlen(mark)) + TEXT_COLS_MIN <=
        printer->width_cols) {
        snprintf(container->mark, sizeof container->mark, "%s", mark);
        snprintf(container->after, sizeof container->after, "%s", after);
    }
    printer->depth++;
}

void container_pop(struct markdown_printer *printer)
{
    if (printer->too_deep > 0)
        printer->too_deep--;
    else
        printer->depth--;
    if (printer->gap_depth > printer->depth)
        printer->gap_depth = printer->depth;
}

/* ---- words into lines ---- */

size_t line_trimmed(const char *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == ' ')
        size--;
    return size;
}

/* As doc shows it: '?' for what can't be printed. A kept blank takes one column too. */
static size_t cols_of(struct text_character character)
{
    return character.printable ? character.cols : 1;
}

size_t line_cols(const struct text *text, size_t begin, size_t end)
{
    size_t cols = 0;
    while (begin < end) {
        struct text_character character = text_character(text->bytes + begin, end - begin);
        cols += cols_of(character);
        begin += character.size;
    }
    return cols;
}

size_t line_cols_left(const struct markdown_printer *printer)
{
    return printer->width_cols - container_cols(printer);
}

size_t line_end(const struct text *text, size_t begin, size_t end, size_t cols, size_t *ret_next)
{
    size_t used = 0, blank = begin; /* the last blank seen; none while it is `begin` */
    for (size_t i = begin; i < end;) {
        struct text_character character = text_character(text->bytes + i, end - i);
        if (text->bytes[i] == '\n') {
            *ret_next = i + 1;
            return i;
        }
        if (text->bytes[i] == ' ' && i > begin)
            blank = i;
        used += cols_of(character);
        if (used > cols && i > begin) {
            *ret_next = blank > begin ? blank + 1 : i;
            return blank > begin ? blank : i;
        }
        i += character.size;
    }
    *ret_next = end;
    return end;
}

/* The run that holds byte `at` of the text. */
static size_t run_at(const struct markdown_words *words, size_t at)
{
    size_t low = 0, high = words->n_runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (words->runs[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void line_put(struct markdown_printer *printer, size_t begin, size_t end)
{
    struct markdown_words *words = &printer->words;
    for (size_t i = begin; i < end; i++)
        if (words->text.bytes[i] == KEPT_BLANK)
            words->text.bytes[i] = ' ';
    for (size_t run = run_at(words, begin); begin < end && run < words->n_runs; run++) {
        size_t stop = words->runs[run].end < end ? words->runs[run].end : end;
        doc_put(printer->doc, words->runs[run].style, words->text.bytes + begin, stop - begin);
        begin = stop;
    }
}

void line_begin(struct markdown_printer *printer, bool empty_line)
{
    if (printer->gap && printer->wrote) {
        container_put_marks(printer, printer->gap_depth, true);
        doc_end_line(printer->doc);
    }
    printer->gap = false;
    container_put_marks(printer, printer->depth, empty_line);
    printer->wrote = true;
}

void line_put_rule(struct markdown_printer *printer, const char *sign, const char *ascii,
                   size_t cols)
{
    struct text rule = {0};
    text_repeat(&rule, printer->options->ascii ? ascii : sign, cols);
    printer->doc->failed = printer->doc->failed || rule.failed;
    doc_put(printer->doc, STYLE_QUIET, text_string(&rule), rule.size);
    text_release(&rule);
}

size_t line_show(struct markdown_printer *printer, size_t begin, size_t end)
{
    const struct text *text = &printer->words.text;
    size_t cols = line_cols_left(printer), widest = 0;
    while (begin < end && !printer->doc->failed) {
        size_t next, stop = line_end(text, begin, end, cols, &next);
        size_t shown_end = begin + line_trimmed(text->bytes + begin, stop - begin);
        size_t shown_cols = line_cols(text, begin, shown_end);
        widest = shown_cols > widest ? shown_cols : widest;
        line_begin(printer, begin == stop);
        line_put(printer, begin, shown_end);
        doc_end_line(printer->doc);
        begin = next;
    }
    return widest;
}

void words_clear(struct markdown_printer *printer)
{
    printer->doc->failed = printer->doc->failed || printer->words.text.failed;
    text_clear(&printer->words.text);
    printer->words.n_runs = 0;
}

/* ---- where blocks begin and end ---- */

void block_ask_for_gap(struct markdown_printer *printer)
{
    bool is_first = printer->depth > 0 && !printer->containers[printer->depth - 1].begun;
    if (printer->needs_gap && !is_first) {
        if (!printer->gap || printer->depth < printer->gap_depth)
            printer->gap_depth = printer->depth;
        printer->gap = true;
    }
    printer->needs_gap = false;
    printer->below_rule = false;
}

/* None is needed directly in an item of a list without empty lines. */
void block_end(struct markdown_printer *printer)
{
    bool is_tight = printer->depth > 0 && printer->too_deep == 0 &&
                    printer->containers[printer->depth - 1].is_tight;
    printer->needs_gap = !is_tight;
    printer->below_rule = false;
}

/* Returns the columns of the widest line. */
static size_t show_words(struct markdown_printer *printer)
{
    const struct text *text = &printer->words.text;
    size_t cols = line_show(printer, 0, text->failed ? 0 : text->size);
    words_clear(printer);
    return cols;
}

/* The words of an item that has no paragraph of its own end where another block begins. */
static void end_words(struct markdown_printer *printer)
{
    if (printer->words.text.size == 0 && !printer->words.text.failed)
        return;
    show_words(printer);
    block_end(printer);
}

void block_begin(struct markdown_printer *printer, bool apart)
{
    end_words(printer);
    if (printer->below_rule && !apart)
        printer->needs_gap = false;
    block_ask_for_gap(printer);
}

/* ---- the blocks ---- */

static void show_rule(struct markdown_printer *printer, const char *sign, const char *ascii,
                      size_t cols)
{
    line_begin(printer, false);
    line_put_rule(printer, sign, ascii, cols);
    doc_end_line(printer->doc);
}

/* The line below or before a heading shows its level, also without colour: those of levels 1 and 2
 * have a rule below them. */
static bool is_ruled(unsigned level)
{
    return level <= 2;
}

static void enter_heading(struct markdown_printer *printer, unsigned level)
{
    block_begin(printer, true);
    printer->in_title = true;
    if (!is_ruled(level)) /* U+25BA, which also small fonts have */
        container_push(printer, printer->options->ascii ? "> " : "\xE2\x96\xBA ", "  ", false);
}

static void leave_heading(struct markdown_printer *printer, unsigned level)
{
    size_t cols = show_words(printer);
    printer->in_title = false;
    if (!is_ruled(level))
        container_pop(printer);
    else if (cols > 0 && level == 1)
        show_rule(printer, "\xE2\x95\x90", "=", cols); /* U+2550 */
    else if (cols > 0)
        show_rule(printer, RULE, "-", cols);
    block_end(printer);
    printer->below_rule = is_ruled(level) && cols > 0;
}

/* Code in fences shows what is typed and printed, indented code is a formula. */
static void leave_code(struct markdown_printer *printer, bool is_fenced)
{
    const struct text *text = &printer->words.text;
    for (size_t at = 0, size; at < text->size && !printer->doc->failed; at += size + 1) {
        const char *newline = memchr(text->bytes + at, '\n', text->size - at);
        size = (newline != NULL ? (size_t)(newline - text->bytes) : text->size) - at;
        line_begin(printer, size == 0);
        if (size > 0)
            doc_add(printer->doc, STYLE_PLAIN, "%*s", (int)CODE_COLS, "");
        doc_put(printer->doc, is_fenced ? STYLE_NUMBER : STYLE_NAME, text->bytes + at, size);
        doc_end_line(printer->doc);
    }
    words_clear(printer);
    printer->in_block_of_code = false;
    block_end(printer);
}

static void enter_list(struct markdown_printer *printer, struct markdown_list list)
{
    block_begin(printer, false);
    if (printer->n_lists < MAX_DEPTH)
        printer->lists[printer->n_lists] = list;
    printer->n_lists++;
}

/* Lists that lie too deep share the last place. */
static void enter_item(struct markdown_printer *printer)
{
    size_t n_lists = printer->n_lists < MAX_DEPTH ? printer->n_lists : MAX_DEPTH;
    struct markdown_list *list = &printer->lists[n_lists - 1];
    char mark[MARK_BYTES], after[MARK_BYTES];
    if (list->is_numbered)
        snprintf(mark, sizeof mark, "%u%c ", list->number, list->delimiter);
    else
        snprintf(mark, sizeof mark, "%s", printer->options->ascii ? "- " : "\xE2\x80\xA2 ");
    snprintf(after, sizeof after, "%*s", (int)text_width(mark, strlen(mark)), "");
    if (list->begun)
        printer->needs_gap = !list->is_tight;
    block_ask_for_gap(printer);
    container_push(printer, mark, after, list->is_tight);
    list->begun = true;
    list->number++;
}

/* An item in which nothing was written shows its mark. */
static void leave_item(struct markdown_printer *printer)
{
    end_words(printer);
    if (printer->depth > 0 && printer->too_deep == 0) {
        const struct markdown_container *item = &printer->containers[printer->depth - 1];
        if (!item->begun && item->mark[0] != '\0') {
            line_begin(printer, true);
            doc_end_line(printer->doc);
        }
    }
    container_pop(printer);
}

void block_enter(struct markdown_printer *printer, MD_BLOCKTYPE type, const void *detail)
{
    const char *bar = printer->options->ascii ? "| " : "\xE2\x94\x82 "; /* U+2502 */
    const MD_BLOCK_OL_DETAIL *numbered = detail;
    switch (type) {
    case MD_BLOCK_QUOTE:
        block_begin(printer, false);
        container_push(printer, bar, bar, false);
        break;
    case MD_BLOCK_UL:
        enter_list(printer, (struct markdown_list){
                                .is_tight = ((const MD_BLOCK_UL_DETAIL *)detail)->is_tight != 0});
        break;
    case MD_BLOCK_OL:
        enter_list(printer, (struct markdown_list){.is_tight = numbered->is_tight != 0,
                                                   .is_numbered = true,
                                                   .delimiter = numbered->mark_delimiter,
                                                   .number = numbered->start});
        break;
    case MD_BLOCK_LI:
        enter_item(printer);
        break;
    case MD_BLOCK_HR:
        block_begin(printer, true);
        show_rule(printer, RULE, "-", line_cols_left(printer));
        block_end(printer);
        break;
    case MD_BLOCK_H:
        enter_heading(printer, ((const MD_BLOCK_H_DETAIL *)detail)->level);
        break;
    case MD_BLOCK_CODE:
        block_begin(printer, false);
        printer->in_block_of_code = true;
        printer->code_cols = 0;
        break;
    case MD_BLOCK_P:
        block_begin(printer, false);
        break;
    case MD_BLOCK_HTML:
        end_words(printer);
        break;
    default:
        break;
    }
}

void block_leave(struct markdown_printer *printer, MD_BLOCKTYPE type, const void *detail)
{
    switch (type) {
    case MD_BLOCK_QUOTE:
        end_words(printer);
        container_pop(printer);
        block_end(printer);
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        printer->n_lists--;
        block_end(printer);
        break;
    case MD_BLOCK_LI:
        leave_item(printer);
        break;
    case MD_BLOCK_H:
        leave_heading(printer, ((const MD_BLOCK_H_DETAIL *)detail)->level);
        break;
    case MD_BLOCK_CODE:
        leave_code(printer, ((const MD_BLOCK_CODE_DETAIL *)detail)->fence_char != 0);
        break;
    case MD_BLOCK_P:
        show_words(printer);
        block_end(printer);
        break;
    default:
        break;
    }
}
