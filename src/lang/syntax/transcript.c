/* See transcript.h. */
#include "lang/syntax/transcript.h"

#include "lang/syntax/lexer.h"

/* A row under way: what is left of it. */
struct row {
    const char *at, *end;
};

static bool take(struct row *row, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(row->end - row->at) < size || memcmp(row->at, word, size) != 0)
        return false;
    row->at += size;
    return true;
}

static size_t take_all(struct row *row, const char *characters)
{
    const char *begin = row->at;
    while (row->at < row->end && *row->at != '\0' && strchr(characters, *row->at) != NULL)
        row->at++;
    return (size_t)(row->at - begin);
}

/* A blank after the prompt, or nothing. */
static bool take_gap(struct row *row)
{
    return row->at == row->end || *row->at == '\r' || take(row, " ");
}

/* "[3]:", "[ ]:", "[*]:", and the blank after it. */
static bool take_number(struct row *row)
{
    return take(row, "[") && take_all(row, "0123456789 *") > 0 && take(row, "]:") && take_gap(row);
}

/* "scaling 3/17> ", the prompt in a lesson. */
static bool take_lesson_prompt(struct row *row)
{
    static const char digits[] = "0123456789";
    return take_all(row, "abcdefghijklmnopqrstuvwxyz0123456789-") > 0 && take(row, " ") &&
           take_all(row, digits) > 0 && take(row, "/") && take_all(row, digits) > 0 &&
           take(row, ">") && take_gap(row);
}

/* The prompt before a line; not the one before a row that goes on with it. */
static bool take_prompt(struct row *row)
{
    static const char *const prompts[] = {"attn>", "warm-up>", "review>", ">>>"};
    struct row before = *row;
    for (size_t i = 0; i < sizeof prompts / sizeof prompts[0]; i++) {
        if (take(row, prompts[i]) && take_gap(row))
            return true;
        *row = before;
    }
    if (take_lesson_prompt(row))
        return true;
    *row = before;
    if (take(row, "In ") && take_number(row))
        return true;
    *row = before;
    return false;
}

/* "... " of Python and attn, "...: " of IPython. `x[..., 0]` may be broken before its dots: a comma
 * or a bracket after them is no code after a prompt. */
static bool take_dots(struct row *row)
{
    struct row before = *row;
    if (take(row, "...") && (take(row, ":") || true) && take_gap(row) &&
        (row->at == row->end || strchr(",)]", *row->at) == NULL))
        return true;
    *row = before;
    return false;
}

bool transcript_row(struct transcript *transcript, const char *row, size_t size, bool is_open,
                    size_t *ret_begin)
{
    struct row left = {row, row + size};
    *ret_begin = 0;
    (void)take_all(&left, " \t");
    bool is_blank = left.at == left.end || *left.at == '\r';
    if (take_prompt(&left)) {
        struct row rest = left;
        transcript->has_prompts = true;
        (void)take_all(&rest, " \t\r");
        transcript->in_cell = rest.at == rest.end;
        *ret_begin = (size_t)(left.at - row);
        return true;
    }
    if (take(&left, "Out") && take_number(&left)) {
        transcript->has_prompts = true;
        transcript->in_cell = false;
        transcript->n_left_out++;
        return false;
    }
    if ((transcript->has_prompts || !is_blank) && take_dots(&left) &&
        (transcript->has_prompts || left.at < left.end)) {
        *ret_begin = (size_t)(left.at - row);
        return true;
    }
    bool is_code = !transcript->has_prompts || transcript->in_cell || is_open || is_blank;
    transcript->n_left_out += !is_code;
    return is_code;
}

size_t transcript_read(const char *source, size_t size, struct text *ret)
{
    struct transcript transcript = {0};
    size_t line = ret->size; /* where the line under way begins */
    bool is_open = false;
    for (size_t at = 0, row; at < size; at += row) {
        const char *newline = memchr(source + at, '\n', size - at);
        size_t begin, end = newline != NULL ? (size_t)(newline - source) : size;
        row = end - at + (newline != NULL);
        if (transcript_row(&transcript, source + at, end - at, is_open, &begin))
            text_add(ret, source + at + begin, end - at - begin);
        if (newline != NULL)
            text_char(ret, '\n');
        if (ret->failed)
            break;
        if (!transcript.has_prompts) { /* is_open matters to rows after a prompt only */
            line = ret->size;
            continue;
        }
        (void)lexer_line(text_string(ret) + line, ret->size - line, &is_open);
        line = is_open ? line : ret->size;
    }
    return transcript.n_left_out;
}
