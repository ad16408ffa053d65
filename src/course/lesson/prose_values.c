/* See prose_values_internal.h. Markdown is cut into fenced blocks, code between backticks, and the
 * rest. */
#include "course/lesson/prose_values_internal.h"

#include <string.h>

#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum { SAID_MAX_NUMBERS = 64 }; /* in one sentence; who wants more shows a table */

/* ---- pieces of Markdown ---- */

enum piece_kind { PIECE_END, PIECE_PLAIN, PIECE_CODE, PIECE_BLOCK };

/* A piece of the source; for PIECE_CODE begin and end lie inside of the backticks. */
struct prose_piece {
    enum piece_kind kind;
    size_t begin, end;
    size_t outer_begin, outer_end; /* with the backticks */
};

static size_t line_end(const char *text, size_t at)
{
    return at + strcspn(text + at, "\n");
}

static size_t backticks(const char *text, size_t at)
{
    return strspn(text + at, "`");
}

/* The place after the line that closes the block, or the end of the text. */
static size_t block_end(const char *text, size_t at, size_t fence)
{
    at = line_end(text, at);
    while (text[at] == '\n') {
        size_t start = at + 1 + strspn(text + at + 1, " ");
        at = line_end(text, start);
        if (backticks(text, start) >= fence)
            break;
    }
    return at;
}

/* Finds the next run of exactly n backticks; false if the paragraph has no such run. A blank line
 * ends the paragraph, so that code can't go on after it. */
static bool find_run(const char *text, size_t at, size_t n, size_t *ret)
{
    while (text[at] != '\0' && !(text[at] == '\n' && text[at + 1] == '\n')) {
        size_t run = backticks(text, at);
        if (run == n) {
            *ret = at;
            return true;
        }
        at += run > 0 ? run : 1;
    }
    return false;
}

static struct prose_piece next_piece(const char *text, size_t at)
{
    size_t plain = at;
    while (text[plain] != '\0' && text[plain] != '`')
        plain++;
    if (plain > at)
        return (struct prose_piece){PIECE_PLAIN, at, plain, at, plain};
    if (text[at] == '\0')
        return (struct prose_piece){PIECE_END, at, at, at, at};
    size_t n = backticks(text, at), start = at;
    while (start > 0 && text[start - 1] == ' ')
        start--;
    if (n >= 3 && (start == 0 || text[start - 1] == '\n')) {
        size_t end = block_end(text, at, n);
        return (struct prose_piece){PIECE_BLOCK, at, end, at, end};
    }
    size_t close;
    if (!find_run(text, at + n, n, &close))
        return (struct prose_piece){PIECE_PLAIN, at, at + n, at, at + n};
    return (struct prose_piece){PIECE_CODE, at + n, close, at, close + n};
}

static unsigned count_lines(const char *text, size_t begin, size_t end)
{
    unsigned n = 0;
    for (size_t i = begin; i < end; i++)
        n += text[i] == '\n';
    return n;
}

bool prose_each_plain(const char *markdown,
                      bool (*each)(void *context, const char *text, size_t size, unsigned line),
                      void *context)
{
    struct prose_piece piece;
    unsigned line = 0;
    for (size_t at = 0; (piece = next_piece(markdown, at)).kind != PIECE_END;
         at = piece.outer_end) {
        if (piece.kind == PIECE_PLAIN &&
            !each(context, markdown + piece.begin, piece.end - piece.begin, line))
            return false;
        line += count_lines(markdown, at, piece.outer_end);
    }
    return true;
}

/* ---- values in a sentence ---- */

/* Says the numbers of this axis and those after it, from position *at on. */
static void say_axis(const struct session *session, const struct tensor *x, unsigned axis,
                     size_t *at, struct text *out)
{
    if (axis == x->n_axes) {
        char text[NUMBER_TEXT];
        float number = tensor_at_position(x, (*at)++);
        if (x->is_bool)
            text_put(out, number != 0 ? "True" : "False");
        else
            text_put(out, number_short(number, session->settings.digits, text));
        return;
    }
    text_char(out, '[');
    for (size_t i = 0; i < x->shape[axis]; i++) {
        text_put(out, i > 0 ? ", " : "");
        say_axis(session, x, axis + 1, at, out);
    }
    text_char(out, ']');
}

bool prose_value_say(const struct session *session, const struct value *value, struct text *out,
                     struct error *reterr)
{
    char text[120];
    size_t at = 0;
    switch (value->kind) {
    case VALUE_NODE: {
        const struct tensor *x = &value->as.node->value;
        if (tensor_size(x) > SAID_MAX_NUMBERS)
            return error_set(reterr, ERR_LIMIT,
                             "a sentence can hold %d numbers, and this is a tensor of %s",
                             SAID_MAX_NUMBERS, tensor_shape_text(x, text));
        say_axis(session, x, 0, &at, out);
        return true;
    }
    case VALUE_STRING:
        text_add(out, value->as.string->bytes, value->as.string->size);
        return true;
    case VALUE_LIST:
        text_char(out, '(');
        for (size_t i = 0; i < value->as.list->n; i++) {
            text_put(out, i > 0 ? ", " : "");
            if (!prose_value_say(session, &value->as.list->items[i], out, reterr))
                return false;
        }
        text_char(out, ')');
        return true;
    default:
        return error_set(reterr, ERR_TYPE, "%s can't be said in a sentence",
                         value_describe(value, text, sizeof text));
    }
}

/* ---- prose ---- */

static bool is_computed(const char *text, const struct prose_piece *piece)
{
    return piece->kind == PIECE_CODE && piece->begin - piece->outer_begin == 1 &&
           text[piece->begin] == '=' && text[piece->begin + 1] == ' ';
}

static bool add_computed(struct session *session, const char *source, size_t size, struct text *out,
                         struct error *reterr)
{
    struct text expression = {0};
    struct value value = {.kind = VALUE_ABSENT};
    if (session == NULL) {
        text_put(out, "...");
        return true;
    }
    text_add(&expression, source, size);
    bool ok = !expression.failed || error_memory(reterr, "prose");
    ok = ok && session_peek(session, NULL, text_string(&expression), &value, reterr) &&
         prose_value_say(session, &value, out, reterr);
    value_release(&value);
    text_release(&expression);
    return ok;
}

bool prose_values_fill(struct session *session, const char *markdown, struct text *out,
                       unsigned *ret_line, struct error *reterr)
{
    size_t size = out->size;
    struct prose_piece piece;
    bool ok = true;
    for (size_t at = 0; ok && (piece = next_piece(markdown, at)).kind != PIECE_END;
         at = piece.outer_end) {
        if (is_computed(markdown, &piece))
            ok = add_computed(session, markdown + piece.begin + 2, piece.end - piece.begin - 2, out,
                              reterr);
        else
            text_add(out, markdown + piece.outer_begin, piece.outer_end - piece.outer_begin);
    }
    if (!ok && ret_line != NULL)
        *ret_line = count_lines(markdown, 0, piece.begin);
    ok = ok && (!out->failed || error_memory(reterr, "prose"));
    if (!ok) {
        text_shrink(out, size);
        if (reterr != NULL)
            reterr->begin = reterr->end = 0;
    }
    return ok;
}
