/* Markdown as lines, on md4c, which reads the text and tells of blocks and spans: see markdown.h,
 * and markdown_parts.h for the parts that show them. */
#include "show/markdown_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_COLS_MIN = 20 };

/* ---- what md4c tells ---- */

static void enter_unordered(struct shower *shower, const MD_BLOCK_UL_DETAIL *list)
{
    container_enter_list(shower, (struct list){.is_tight = list->is_tight != 0});
}

static void enter_ordered(struct shower *shower, const MD_BLOCK_OL_DETAIL *list)
{
    container_enter_list(shower, (struct list){.is_tight = list->is_tight != 0,
                                               .is_numbered = true,
                                               .delimiter = list->mark_delimiter,
                                               .number = list->start});
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct shower *shower = context;
    switch (type) {
    case MD_BLOCK_QUOTE:
        container_enter_quote(shower);
        break;
    case MD_BLOCK_UL:
        enter_unordered(shower, detail);
        break;
    case MD_BLOCK_OL:
        enter_ordered(shower, detail);
        break;
    case MD_BLOCK_LI:
        container_enter_item(shower);
        break;
    case MD_BLOCK_HR:
        block_show_rule(shower);
        break;
    case MD_BLOCK_H:
        block_enter_heading(shower, ((MD_BLOCK_H_DETAIL *)detail)->level);
        break;
    case MD_BLOCK_CODE:
        block_enter_code(shower);
        break;
    case MD_BLOCK_P:
        block_begin(shower);
        break;
    case MD_BLOCK_HTML:
        block_end_words(shower);
        break;
    case MD_BLOCK_TABLE:
        table_enter(shower, ((MD_BLOCK_TABLE_DETAIL *)detail)->col_count);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        shower->in_title = type == MD_BLOCK_TH;
        table_enter_cell(shower, ((MD_BLOCK_TD_DETAIL *)detail)->align);
        break;
    case MD_BLOCK_DOC:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_TR:
        break;
    }
    return shower->doc->failed;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *context)
{
    struct shower *shower = context;
    switch (type) {
    case MD_BLOCK_QUOTE:
        container_leave_quote(shower);
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL:
        container_leave_list(shower);
        break;
    case MD_BLOCK_LI:
        container_leave_item(shower);
        break;
    case MD_BLOCK_H:
        block_leave_heading(shower, ((MD_BLOCK_H_DETAIL *)detail)->level);
        break;
    case MD_BLOCK_CODE:
        block_leave_code(shower, ((MD_BLOCK_CODE_DETAIL *)detail)->fence_char != 0);
        break;
    case MD_BLOCK_P:
        block_leave_paragraph(shower);
        break;
    case MD_BLOCK_TABLE:
        table_leave(shower);
        break;
    case MD_BLOCK_TH:
    case MD_BLOCK_TD:
        shower->in_title = false;
        table_leave_cell(shower);
        break;
    case MD_BLOCK_DOC:
    case MD_BLOCK_HR:
    case MD_BLOCK_HTML:
    case MD_BLOCK_THEAD:
    case MD_BLOCK_TBODY:
    case MD_BLOCK_TR:
        break;
    }
    return shower->doc->failed;
}

static int enter_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct shower *shower = context;
    (void)detail;
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG)
        span_enter_emphasis(shower);
    else if (type == MD_SPAN_CODE)
        span_enter_code(shower);
    else if (type == MD_SPAN_A)
        span_enter_link(shower);
    return shower->doc->failed;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *context)
{
    struct shower *shower = context;
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG)
        span_leave_emphasis(shower);
    else if (type == MD_SPAN_CODE)
        span_leave_code(shower);
    else if (type == MD_SPAN_A)
        span_leave_link(shower, &((MD_SPAN_A_DETAIL *)detail)->href);
    return shower->doc->failed;
}

static void add_code(struct shower *shower, const char *bytes, size_t size)
{
    if (shower->in_block_of_code)
        flow_add_code(shower, bytes, size);
    else
        flow_add_code_words(shower, bytes, size);
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *bytes, MD_SIZE size, void *context)
{
    struct shower *shower = context;
    if (shower->in_table && shower->table.cut)
        return shower->doc->failed;
    switch (type) {
    case MD_TEXT_CODE:
        add_code(shower, bytes, size);
        break;
    case MD_TEXT_NORMAL:
        flow_add_words(shower, bytes, size);
        break;
    case MD_TEXT_SOFTBR:
        flow_add_words(shower, " ", 1);
        break;
    case MD_TEXT_BR:
        text_char(&shower->flow.text, '\n');
        break;
    case MD_TEXT_ENTITY:
        entity_add(&shower->flow.text, bytes, size);
        break;
    case MD_TEXT_NULLCHAR:
        entity_add_code_point(&shower->flow.text, 0);
        break;
    default: /* HTML */
        break;
    }
    if (!shower->in_block_of_code)
        flow_close_run(shower, flow_style(shower));
    return shower->doc->failed;
}

/* ---- the text ---- */

static bool has_open_line(const struct doc *doc)
{
    return doc->n_spans > (doc->n_lines > 0 ? doc->line_ends[doc->n_lines - 1] : 0);
}

/* The text with a newline at its end, and more behind it: md4c 0.4.8 looks for the end of a line as
 * in a string, and at what follows a link that the end of the text cuts off. Takes *size to where
 * the text ends now. NULL without memory. */
static char *copy_ended(const char *markdown, size_t *size)
{
    enum { BEHIND_BYTES = 16 };
    char *copy = malloc(*size + BEHIND_BYTES);
    if (copy == NULL)
        return NULL;
    if (*size > 0)
        memcpy(copy, markdown, *size);
    memset(copy + *size, '\n', BEHIND_BYTES - 1);
    copy[*size + BEHIND_BYTES - 1] = '\0';
    *size += *size > 0 && copy[*size - 1] != '\n';
    return copy;
}

static bool parse(struct shower *shower, const char *markdown, size_t size)
{
    const MD_PARSER parser = {.flags = MD_FLAG_TABLES,
                              .enter_block = enter_block,
                              .leave_block = leave_block,
                              .enter_span = enter_span,
                              .leave_span = leave_span,
                              .text = add_text};
    char *copy = size < UINT_MAX / 2 ? copy_ended(markdown, &size) : NULL;
    bool ok = copy != NULL && md_parse(copy, (MD_SIZE)size, &parser, shower) == 0;
    free(copy);
    return ok;
}

void markdown_show(struct doc *doc, const char *markdown, size_t size,
                   const struct show_options *options)
{
    struct shower *shower = calloc(1, sizeof *shower);
    if (shower == NULL) {
        doc->failed = true;
        return;
    }
    shower->doc = doc;
    shower->options = options;
    shower->width_cols =
        options->width_cols > WIDTH_COLS_MIN ? options->width_cols : WIDTH_COLS_MIN;
    if (has_open_line(doc))
        doc_end_line(doc);
    if (!parse(shower, markdown, size))
        doc->failed = true;
    text_release(&shower->flow.text);
    free(shower->flow.runs);
    free(shower->table.cells);
    free(shower);
}
