/* What was typed or pasted at the prompt at once: one line, or a block of several that run one
 * after the other, up to the first that fails.
 *
 * Prompts before the lines are taken off, and what lines gave is left out
 * (lang/syntax/transcript.h); lexer_line() cuts the rest. Lines are counted in rows of the text,
 * from 1, empty ones not. */
#ifndef ATTN_SHELL_SHELL_BLOCK_H
#define ATTN_SHELL_SHELL_BLOCK_H

#include "base/text.h"

struct shell_block {
    struct text code;  /* row for row the text, without prompts and without what lines gave */
    bool is_open;      /* a bracket is still open at its end: more rows belong to it */
    size_t n_left_out; /* rows that were taken for what lines gave */
    size_t n_rows;     /* of code; those that ran; and those of the line under way */
    size_t n_ran, n_now;
    size_t at, next_row; /* where the next line begins in code, and the number of its row */
    struct text line;    /* under way */
    size_t row;          /* the number of its first row that is not empty */
    bool failed;         /* it failed */
};

/* Takes the text apart. *block may be all zero bytes, or hold another block. */
void shell_block_begin(struct shell_block *block, const char *text, size_t size);
void shell_block_release(struct shell_block *block);
/* Whether it has more than one line. */
bool shell_block_has_lines(const struct shell_block *block);
/* The next line, valid until the one after it is asked for; NULL at the end, and without memory. A
 * block without any code is one empty line. The line before has run, then. */
const struct text *shell_block_next(struct shell_block *block);
/* Whether no line follows the one under way. */
bool shell_block_is_over(const struct shell_block *block);
/* The line under way failed: those after it do not run. */
void shell_block_stop(struct shell_block *block);
/* Adds the sentence that tells what ran and what was left out, after shell_block_stop() or at the
 * end; nothing where there is nothing to tell. */
void shell_block_tell(const struct shell_block *block, struct text *out);
/* Adds its code without the empty rows, as it is remembered. */
void shell_block_write(const struct shell_block *block, struct text *out);

#endif
