/* See shell_block.h. */
#include "shell/shell_block.h"

#include "lang/syntax/lexer.h"
#include "lang/syntax/transcript.h"

void shell_block_release(struct shell_block *block)
{
    text_release(&block->code);
    text_release(&block->line);
    text_release(&block->passed);
    *block = (struct shell_block){0};
}

/* How many rows of these lines are not empty; *ret_empty: how many empty ones come first. */
static size_t count_rows(const char *text, size_t size, size_t *ret_empty)
{
    size_t n = 0;
    *ret_empty = 0;
    for (size_t at = 0, row; at < size; at += row) {
        const char *newline = memchr(text + at, '\n', size - at);
        row = newline != NULL ? (size_t)(newline - text) - at + 1 : size - at;
        if (!text_is_blank(text + at, row))
            n++;
        else if (n == 0)
            ++*ret_empty;
    }
    return n;
}

static size_t count_newlines(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += text[i] == '\n';
    return n;
}

static bool ends_in_empty_row(const struct text *code)
{
    size_t begin = code->size;
    while (begin > 0 && code->bytes[begin - 1] != '\n')
        begin--;
    return text_is_blank(code->bytes + begin, code->size - begin);
}

void shell_block_begin(struct shell_block *block, const char *text, size_t size)
{
    size_t empty;
    shell_block_release(block);
    block->n_left_out = transcript_read(text, size, &block->code);
    block->n_rows = count_rows(text_string(&block->code), block->code.size, &empty);
    block->next_row = 1;
    for (size_t at = 0, length; at < block->code.size; at += length) {
        const char *line = block->code.bytes + at;
        length = lexer_line(line, block->code.size - at, &block->is_open);
        if (at + length == block->code.size && lexer_may_go_on(line, length))
            block->is_open = block->is_open || !ends_in_empty_row(&block->code);
    }
}

/* The size of the next line, without the empty rows before it, which are passed over. */
static size_t find_line(struct shell_block *block)
{
    bool open;
    const struct text *code = &block->code;
    while (block->at < code->size) {
        const char *line = code->bytes + block->at;
        size_t size = lexer_line(line, code->size - block->at, &open);
        if (!text_is_blank(line, size) || block->n_rows == 0)
            return size;
        block->next_row += count_newlines(line, size);
        block->at += size;
    }
    return 0;
}

bool shell_block_is_over(const struct shell_block *block)
{
    struct shell_block seen = *block;
    return block->failed || block->n_rows == 0 || find_line(&seen) == 0;
}

bool shell_block_has_lines(const struct shell_block *block)
{
    struct shell_block seen = *block;
    seen.failed = false;
    seen.at = 0;
    seen.at += find_line(&seen);
    return !shell_block_is_over(&seen);
}

const struct text *shell_block_next(struct shell_block *block)
{
    size_t empty;
    bool is_first = block->row == 0;
    if (block->failed || block->next_row == 0) /* or it was never begun */
        return NULL;
    block->n_ran += block->n_now;
    block->n_now = 0;
    size_t size = find_line(block);
    text_clear(&block->line);
    if (size == 0 && !(is_first && block->n_rows == 0))
        return NULL;
    const char *line = text_string(&block->code) + block->at;
    text_add(&block->line, line, size);
    block->n_now = count_rows(line, size, &empty);
    block->row = block->next_row + (block->n_now > 0 ? empty : 0);
    block->next_row += count_newlines(line, size);
    block->at += size;
    while (block->line.size > 0 && strchr("\r\n", block->line.bytes[block->line.size - 1]) != NULL)
        text_shrink(&block->line, block->line.size - 1);
    return block->line.failed || block->code.failed ? NULL : &block->line;
}

void shell_block_stop(struct shell_block *block)
{
    block->failed = true;
}

void shell_block_pass(struct shell_block *block)
{
    text_format(&block->passed, "%s%zu", block->n_passed++ > 0 ? ", " : "", block->row);
    block->n_now = 0;
}

/* "line 5", "lines 5 to 9": the rows of code from byte `at` on. */
static void write_rest(const struct shell_block *block, size_t at, size_t row, struct text *out)
{
    size_t first = 0, last = 0;
    for (size_t size; at < block->code.size; at += size, row++) {
        const char *text = block->code.bytes + at;
        const char *newline = memchr(text, '\n', block->code.size - at);
        size = newline != NULL ? (size_t)(newline - text) + 1 : block->code.size - at;
        if (text_is_blank(text, size))
            continue;
        first = first == 0 ? row : first;
        last = row;
    }
    if (first > 0 && first == last)
        text_format(out, "; line %zu was not run", first);
    else if (first > 0)
        text_format(out, "; lines %zu to %zu were not run", first, last);
}

void shell_block_tell(const struct shell_block *block, struct text *out)
{
    size_t begin = out->size;
    if (block->failed && shell_block_has_lines(block)) {
        size_t last_row = block->row + count_newlines(block->line.bytes, block->line.size);
        text_format(out, "%zu of %zu lines ran", block->n_ran, block->n_rows);
        if (last_row > block->row)
            text_format(out, "; lines %zu to %zu failed", block->row, last_row);
        else
            text_format(out, "; line %zu failed", block->row);
        write_rest(block, block->at, block->next_row, out);
    }
    if (!block->failed && block->n_passed > 0 && block->n_rows > 1)
        text_format(out, "%zu of %zu lines ran", block->n_ran, block->n_rows);
    if (block->n_passed > 0 && block->n_rows > 1)
        text_format(out, "%sattn does not have what line%s %s %s", out->size > begin ? "; " : "",
                    block->n_passed == 1 ? "" : "s", text_string(&block->passed),
                    block->n_passed == 1 ? "uses" : "use");
    if (block->n_left_out > 0)
        text_format(out, "%s%zu line%s without a prompt %s left out", out->size > begin ? "; " : "",
                    block->n_left_out, block->n_left_out == 1 ? "" : "s",
                    block->n_left_out == 1 ? "was" : "were");
    if (out->size > begin)
        text_char(out, '.');
}

void shell_block_write(const struct shell_block *block, struct text *out)
{
    for (size_t at = 0, size; at < block->code.size; at += size) {
        const char *text = block->code.bytes + at;
        const char *newline = memchr(text, '\n', block->code.size - at);
        size = newline != NULL ? (size_t)(newline - text) + 1 : block->code.size - at;
        if (!text_is_blank(text, size))
            text_add(out, text, size);
    }
    while (out->size > 0 && out->bytes[out->size - 1] == '\n')
        text_shrink(out, out->size - 1);
}
