/* Tensors as tab-separated values, for a spreadsheet or a notebook. */
#ifndef ATTN_SHOW_TSV_H
#define ATTN_SHOW_TSV_H

#include "show/matrix.h"

/* Table number `table` of a picture (see grid_internal.h), whole: a line for each row, numbers with
 * all digits that they need to be read back. If the axes have names, those of the columns are a
 * line above, those of the rows a column before them; a tab or a line's end in a name becomes a
 * blank. Adds nothing for a tensor without numbers. */
void picture_to_tsv(const struct picture *picture, size_t table, struct text *out);
/* The text to copy for a cell of a picture: its number with all its digits or, if `table` is set,
 * the table that it is in. *what names it for a message: the number, or "3x3". */
void picture_copy(const struct picture *picture, size_t position, bool table, struct text *ret,
                  struct text *what);

#endif
