/* Lines with the prompts that they were copied with: attn's own ("attn> ", "scaling 3/17> " in a
 * lesson), Python's (">>> ", "... ") and IPython's ("In [3]: ", "   ...: ", "Out[3]: ").
 *
 * The prompt is taken off. Once a row had one, rows without are what the lines gave, and are left
 * out; but a row that an open bracket leads on to belongs to its line. */
#ifndef ATTN_LANG_SYNTAX_TRANSCRIPT_H
#define ATTN_LANG_SYNTAX_TRANSCRIPT_H

#include <stdbool.h>

#include "base/text.h"

/* How far a text has been read; all zero bytes at its beginning. */
struct transcript {
    bool has_prompts;  /* a row had one */
    bool in_cell;      /* "In [3]:" stood alone: the rows below it are code, up to "Out[3]:" */
    size_t n_left_out; /* rows that are no code, empty ones not counted */
};

/* Reads the next row, without its newline. True: it is code, from byte *ret_begin on; false: it is
 * left out. is_open: a bracket is open in the code before it. */
bool transcript_row(struct transcript *transcript, const char *row, size_t size, bool is_open,
                    size_t *ret_begin);
/* Adds the code of a whole text to *ret, row by row: a row that is left out becomes an empty one,
 * so that rows keep their numbers. Returns how many rows were left out. */
size_t transcript_read(const char *source, size_t size, struct text *ret);

#endif
