/* The text typed or pasted at the prompt at once: one line, or a block of several that run one
 * after the other, up to the first that fails.
 *
 * Prompts before the lines are removed, and lines of output are left out
 * (lang/syntax/transcript.h); lexer_line() finds the lines. Lines are counted in rows of the text,
 * from 1, without empty ones. */
#ifndef ATTN_SHELL_SHELL_BLOCK_H
#define ATTN_SHELL_SHELL_BLOCK_H

#include "base/text.h"

struct shell_block {
    struct text code;  /* the text row for row, without prompts and output */
    bool is_open;      /* a bracket is still open at its end, or a block of Python, which an empty
                        * row ends: more rows belong to it */
    size_t n_left_out; /* rows that were left out as output */
    size_t n_rows;     /* rows of code; rows that ran; and rows of the current line */
    size_t n_ran, n_now;
    size_t at, next_row; /* the next line's first byte in code, and the number of its row */
    struct text line;    /* the current line */
    size_t row;          /* the number of its first row that is not empty */
    bool failed;         /* the current line failed */
    struct text passed;  /* "9, 11": the rows of lines that failed and were passed over */
    size_t n_passed;
};

/* Takes the text apart. *block may be all zero bytes, or hold another block. */
void shell_block_begin(struct shell_block *block, const char *text, size_t size);
void shell_block_release(struct shell_block *block);
/* Whether it has more than one line. */
bool shell_block_has_lines(const struct shell_block *block);
/* The next line, valid until the next call; NULL at the end, and without memory. A block without
 * any code is one empty line. When it is called, the line before has run. */
const struct text *shell_block_next(struct shell_block *block);
/* Whether the current line is the last one. */
bool shell_block_is_over(const struct shell_block *block);
/* Notes that the current line failed: the lines after it do not run. */
void shell_block_stop(struct shell_block *block);
/* Notes that the current line failed because attn does not have what it uses: the lines after it
 * run. */
void shell_block_pass(struct shell_block *block);
/* Adds a sentence about the lines that ran and those that were left out, after shell_block_stop()
 * or at the end; adds nothing if there is nothing to say. */
void shell_block_tell(const struct shell_block *block, struct text *out);
/* Adds its code without the empty rows, as history keeps it. */
void shell_block_write(const struct shell_block *block, struct text *out);

#endif
