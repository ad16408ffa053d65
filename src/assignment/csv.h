/* Tables of a spreadsheet: CSV as RFC 4180 has it, and as it is written in fact: with semicolons or
 * tabs where a comma is the decimal point, a byte order mark, ends of lines of any kind. */
#ifndef ATTN_ASSIGNMENT_CSV_H
#define ATTN_ASSIGNMENT_CSV_H

#include "base/arena.h"
#include "base/error.h"

struct csv {
    const char *name; /* of the file, for messages; borrowed */
    const char *at, *end;
    char separator;
    unsigned line, next_line; /* where the row read last begins, from 1; and the one after it */
    char **fields; /* of that row, in the arena; without blanks, tabs and marks of direction at
                    * both ends */
    size_t n_fields, capacity;
    struct arena *arena; /* borrowed */
};

/* Reads text[0..size), which must live as long. The separator is the one of , ; and tab that the
 * first line has most of. */
void csv_open(struct csv *csv, const char *name, const char *text, size_t size,
              struct arena *arena);
/* Reads the next row that is not empty. *ret_is_there is false at the end. ERR_SYNTAX "NAME:LINE:
 * ..." for a quote that is not closed; ERR_MEMORY. */
bool csv_row(struct csv *csv, bool *ret_is_there, struct error *reterr);
/* The field of that number, "" where the row is shorter. */
const char *csv_field(const struct csv *csv, size_t i);
void csv_close(struct csv *csv);

#endif
