/* Tensors as tab-separated values, for a spreadsheet or a notebook. */
#ifndef ATTN_SHOW_TSV_H
#define ATTN_SHOW_TSV_H

#include "show/matrix.h"

/* Table number `table` of a picture (see grid.h), whole: a line for each row, numbers with all
 * digits that they need to be read back. The names of the columns are a line above, those of the
 * rows a column before them, where there are any; a tab or a line's end in a name becomes a blank.
 * Adds nothing for a tensor without numbers. */
void picture_to_tsv(const struct picture *picture, size_t table, struct text *out);

#endif
