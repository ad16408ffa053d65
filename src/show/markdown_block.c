/* Paragraphs, headings, code, rules, and the air between them: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include <string.h>

void block_ask_for_gap(struct shower *shower)
{
    bool is_first = shower->depth > 0 && !shower->containers[shower->depth - 1].begun;
    if (shower->needs_gap && !is_first) {
        if (!shower->gap || shower->depth < shower->gap_depth)
            shower->gap_depth = shower->depth;
        shower->gap = true;
    }
    shower->needs_gap = false;
    shower->below_rule = false;
}

/* Returns the columns of the widest line. */
static size_t show_flow(struct shower *shower)
{
    size_t cols = line_show(shower, 0, shower->flow.text.failed ? 0 : shower->flow.text.size);
    flow_clear(shower);
    return cols;
}

/* Is this directly in an item of a list without empty lines? */
static bool is_tight(const struct shower *shower)
{
    return shower->depth > 0 && shower->too_deep == 0 &&
           shower->containers[shower->depth - 1].is_tight;
}

void block_end(struct shower *shower)
{
    shower->needs_gap = !is_tight(shower);
    shower->below_rule = false;
}

/* The words of an item without a paragraph of their own end where another block begins. */
void block_end_words(struct shower *shower)
{
    if (shower->flow.text.size == 0 && !shower->flow.text.failed)
        return;
    show_flow(shower);
    block_end(shower);
}

void block_begin(struct shower *shower)
{
    block_end_words(shower);
    if (shower->below_rule)
        shower->needs_gap = false;
    block_ask_for_gap(shower);
}

void block_begin_apart(struct shower *shower)
{
    block_end_words(shower);
    block_ask_for_gap(shower);
}

void block_leave_paragraph(struct shower *shower)
{
    show_flow(shower);
    block_end(shower);
}

static bool is_ruled(unsigned level)
{
    return level <= 2;
}

/* A heading is known by what is below or before it, also without colour. */
void block_enter_heading(struct shower *shower, unsigned level)
{
    block_begin_apart(shower);
    shower->in_title = true;
    if (!is_ruled(level)) /* U+25BA, which also small fonts have */
        container_push(shower, shower->options->ascii ? "> " : "\xE2\x96\xBA ", "  ", false);
}

static void show_rule_of_heading(struct shower *shower, unsigned level, size_t cols)
{
    line_begin(shower, false);
    if (level == 1)
        line_put_rule(shower, "\xE2\x95\x90", '=', cols); /* U+2550 */
    else
        line_put_rule(shower, RULE, '-', cols);
    doc_end_line(shower->doc);
}

void block_leave_heading(struct shower *shower, unsigned level)
{
    size_t cols = show_flow(shower);
    shower->in_title = false;
    if (is_ruled(level) && cols > 0)
        show_rule_of_heading(shower, level, cols);
    if (!is_ruled(level))
        container_pop(shower);
    block_end(shower);
    shower->below_rule = is_ruled(level) && cols > 0;
}

void block_show_rule(struct shower *shower)
{
    block_begin_apart(shower);
    line_begin(shower, false);
    line_put_rule(shower, RULE, '-', line_cols_left(shower));
    doc_end_line(shower->doc);
    block_end(shower);
}

void block_enter_code(struct shower *shower)
{
    block_begin(shower);
    shower->in_block_of_code = true;
    shower->code_cols = 0;
}

/* Code in fences shows what is typed and printed, indented code is a formula. */
void block_leave_code(struct shower *shower, bool is_fenced)
{
    const struct text *text = &shower->flow.text;
    for (size_t at = 0, size; at < text->size && !shower->doc->failed; at += size + 1) {
        const char *newline = memchr(text->bytes + at, '\n', text->size - at);
        size = (newline != NULL ? (size_t)(newline - text->bytes) : text->size) - at;
        line_begin(shower, size == 0);
        if (size > 0)
            doc_add(shower->doc, STYLE_PLAIN, "%*s", (int)CODE_COLS, "");
        doc_put(shower->doc, is_fenced ? STYLE_NUMBER : STYLE_NAME, text->bytes + at, size);
        doc_end_line(shower->doc);
    }
    flow_clear(shower);
    shower->in_block_of_code = false;
    block_end(shower);
}
