/* Words with their styles, as they are gathered for a block: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include "base/array.h"

enum style flow_style(const struct shower *shower)
{
    if (shower->n_code > 0)
        return STYLE_NAME;
    return shower->in_title || shower->n_strong > 0 ? STYLE_TITLE : STYLE_PLAIN;
}

void flow_close_run(struct shower *shower, enum style style)
{
    struct flow *flow = &shower->flow;
    struct style_run *last = flow->n_runs > 0 ? &flow->runs[flow->n_runs - 1] : NULL;
    if (flow->text.size == (last != NULL ? last->end : 0))
        return;
    if (last != NULL && last->style == style) {
        last->end = flow->text.size;
        return;
    }
    struct style_run *runs = array_grow(flow->runs, flow->n_runs, &flow->runs_capacity, sizeof *runs);
    if (runs == NULL) {
        shower->doc->failed = true;
        return;
    }
    flow->runs = runs;
    runs[flow->n_runs++] = (struct style_run){.end = flow->text.size, .style = style};
}

/* A word may begin here: blanks at the start of a line and after others are left out. */
static bool at_gap(const struct shower *shower)
{
    const struct text *text = &shower->flow.text;
    size_t begin = shower->in_table && shower->table.n_cells > 0
                       ? shower->table.cells[shower->table.n_cells - 1].begin
                       : 0;
    return text->size == begin || text->bytes[text->size - 1] == ' ' ||
           text->bytes[text->size - 1] == '\n';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* One character, '?' where a terminal can't be trusted with it. Returns its size. */
static size_t add_character(struct text *text, const char *bytes, size_t size)
{
    struct text_character character = text_character(bytes, size);
    text_add(text, character.printable ? bytes : "?", character.printable ? character.size : 1);
    return character.size;
}

void flow_add_words(struct shower *shower, const char *bytes, size_t size)
{
    struct text *text = &shower->flow.text;
    for (size_t i = 0; i < size && !text->failed;) {
        if (!is_blank(bytes[i])) {
            i += add_character(text, bytes + i, size - i);
            continue;
        }
        if (!at_gap(shower))
            text_char(text, ' ');
        i++;
    }
}

void flow_add_code_words(struct shower *shower, const char *bytes, size_t size)
{
    struct text *text = &shower->flow.text;
    for (size_t i = 0; i < size;) {
        bool blank = is_blank(bytes[i]);
        i += add_character(text, blank ? " " : bytes + i, blank ? 1 : size - i);
    }
}

static void add_tab(struct shower *shower)
{
    size_t cols = CODE_COLS - shower->code_cols % CODE_COLS;
    text_repeat(&shower->flow.text, " ", cols);
    shower->code_cols += cols;
}

void flow_add_code(struct shower *shower, const char *bytes, size_t size)
{
    struct text *text = &shower->flow.text;
    for (size_t i = 0; i < size;) {
        if (bytes[i] == '\n') {
            text_char(text, bytes[i++]);
            shower->code_cols = 0;
        } else if (bytes[i] == '\t') {
            add_tab(shower);
            i++;
        } else {
            size_t before = text->size;
            i += add_character(text, bytes + i, size - i);
            shower->code_cols += text_width(text_string(text) + before, text->size - before);
        }
    }
}

void flow_clear(struct shower *shower)
{
    shower->doc->failed = shower->doc->failed || shower->flow.text.failed;
    text_clear(&shower->flow.text);
    shower->flow.n_runs = 0;
}
