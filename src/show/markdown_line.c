/* Words into lines of a width: see markdown_parts.h. */
#include "show/markdown_internal.h"

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

size_t line_cols_left(const struct shower *shower)
{
    return shower->width_cols - container_cols(shower);
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
static size_t run_at(const struct flow *flow, size_t at)
{
    size_t low = 0, high = flow->n_runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (flow->runs[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void line_put(struct shower *shower, size_t begin, size_t end)
{
    struct flow *flow = &shower->flow;
    for (size_t i = begin; i < end; i++)
        if (flow->text.bytes[i] == KEPT_BLANK)
            flow->text.bytes[i] = ' ';
    for (size_t run = run_at(flow, begin); begin < end && run < flow->n_runs; run++) {
        size_t stop = flow->runs[run].end < end ? flow->runs[run].end : end;
        doc_put(shower->doc, flow->runs[run].style, flow->text.bytes + begin, stop - begin);
        begin = stop;
    }
}

void line_begin(struct shower *shower, bool empty_line)
{
    if (shower->gap && shower->wrote) {
        container_put_marks(shower, shower->gap_depth, true);
        doc_end_line(shower->doc);
    }
    shower->gap = false;
    container_put_marks(shower, shower->depth, empty_line);
    shower->wrote = true;
}

void line_put_rule(struct shower *shower, const char *sign, char ascii, size_t cols)
{
    struct text rule = {0};
    const char ascii_sign[] = {ascii, '\0'};
    text_repeat(&rule, shower->options->ascii ? ascii_sign : sign, cols);
    shower->doc->failed = shower->doc->failed || rule.failed;
    doc_put(shower->doc, STYLE_QUIET, text_string(&rule), rule.size);
    text_release(&rule);
}

size_t line_show(struct shower *shower, size_t begin, size_t end)
{
    const struct text *text = &shower->flow.text;
    size_t cols = line_cols_left(shower), widest = 0;
    while (begin < end && !shower->doc->failed) {
        size_t next, stop = line_end(text, begin, end, cols, &next);
        size_t shown_end = begin + line_trimmed(text->bytes + begin, stop - begin);
        size_t shown_cols = line_cols(text, begin, shown_end);
        widest = shown_cols > widest ? shown_cols : widest;
        line_begin(shower, begin == stop);
        line_put(shower, begin, shown_end);
        doc_end_line(shower->doc);
        begin = next;
    }
    return widest;
}
