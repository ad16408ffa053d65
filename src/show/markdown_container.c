/* Quotes and items of lists, and the marks that they put before lines: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_COLS_MIN = 8 }; /* what marks must leave for the text, or they are left out */

size_t container_cols(const struct shower *shower)
{
    size_t cols = 0;
    for (size_t i = 0; i < shower->depth; i++)
        cols += text_width(shower->containers[i].after, strlen(shower->containers[i].after));
    return cols;
}

/* What stands before its next line. */
static const char *mark_of(const struct container *container)
{
    return container->begun ? container->after : container->mark;
}

/* How many of the first `depth` containers have more than blanks before a line, or hold one that
 * has. */
static size_t last_seen(const struct shower *shower, size_t depth)
{
    while (depth > 0) {
        const char *mark = mark_of(&shower->containers[depth - 1]);
        if (line_trimmed(mark, strlen(mark)) > 0)
            break;
        depth--;
    }
    return depth;
}

void container_put_marks(struct shower *shower, size_t depth, bool empty_line)
{
    size_t last = empty_line ? last_seen(shower, depth) : depth;
    for (size_t i = 0; i < depth; i++) {
        struct container *container = &shower->containers[i];
        const char *mark = mark_of(container);
        size_t size = i < last ? strlen(mark) : 0;
        doc_put(shower->doc, STYLE_QUIET, mark,
                empty_line && i + 1 == last ? line_trimmed(mark, size) : size);
        container->begun = true;
    }
}

void container_push(struct shower *shower, const char *mark, const char *after, bool is_tight)
{
    if (shower->depth == MAX_DEPTH) {
        shower->too_deep++;
        return;
    }
    struct container *container = &shower->containers[shower->depth];
    *container = (struct container){.is_tight = is_tight};
    if (container_cols(shower) + text_width(mark, strlen(mark)) + TEXT_COLS_MIN <=
        shower->width_cols) {
        snprintf(container->mark, sizeof container->mark, "%s", mark);
        snprintf(container->after, sizeof container->after, "%s", after);
    }
    shower->depth++;
}

void container_pop(struct shower *shower)
{
    if (shower->too_deep > 0)
        shower->too_deep--;
    else
        shower->depth--;
    if (shower->gap_depth > shower->depth)
        shower->gap_depth = shower->depth;
}

void container_enter_quote(struct shower *shower)
{
    const char *bar = shower->options->ascii ? "| " : "\xE2\x94\x82 "; /* U+2502 */
    block_begin(shower);
    container_push(shower, bar, bar, false);
}

void container_leave_quote(struct shower *shower)
{
    block_end_words(shower);
    container_pop(shower);
    block_end(shower);
}

void container_enter_list(struct shower *shower, struct list list)
{
    block_begin(shower);
    if (shower->n_lists < MAX_DEPTH)
        shower->lists[shower->n_lists] = list;
    shower->n_lists++;
}

void container_leave_list(struct shower *shower)
{
    shower->n_lists--;
    block_end(shower);
}

static void write_mark(const struct shower *shower, const struct list *list, char mark[MARK_BYTES])
{
    if (list->is_numbered)
        snprintf(mark, MARK_BYTES, "%u%c ", list->number, list->delimiter);
    else
        snprintf(mark, MARK_BYTES, "%s", shower->options->ascii ? "- " : "\xE2\x80\xA2 ");
}

/* The innermost list; those that lie too deep share the last place. */
static struct list *list_now(struct shower *shower)
{
    size_t n = shower->n_lists < MAX_DEPTH ? shower->n_lists : MAX_DEPTH;
    return &shower->lists[n - 1];
}

void container_enter_item(struct shower *shower)
{
    struct list *list = list_now(shower);
    char mark[MARK_BYTES], after[MARK_BYTES];
    write_mark(shower, list, mark);
    snprintf(after, sizeof after, "%*s", (int)text_width(mark, strlen(mark)), "");
    if (list->begun)
        shower->needs_gap = !list->is_tight;
    block_ask_for_gap(shower);
    container_push(shower, mark, after, list->is_tight);
    list->begun = true;
    list->number++;
}

/* Is the innermost container one that nothing was written in? */
static bool is_empty(const struct shower *shower)
{
    if (shower->depth == 0 || shower->too_deep > 0)
        return false;
    const struct container *container = &shower->containers[shower->depth - 1];
    return !container->begun && container->mark[0] != '\0';
}

void container_leave_item(struct shower *shower)
{
    block_end_words(shower);
    if (is_empty(shower)) {
        line_begin(shower, true);
        doc_end_line(shower->doc);
    }
    container_pop(shower);
}
