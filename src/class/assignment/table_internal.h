/* The tables that an instructor keeps in a spreadsheet: CSV as RFC 4180 has it, and as programs
 * really write it: with semicolons or tabs in countries with a decimal comma, a byte order mark,
 * ends of lines of any kind. The first row names the columns. */
#ifndef ATTN_ASSIGNMENT_TABLE_INTERNAL_H
#define ATTN_ASSIGNMENT_TABLE_INTERNAL_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

enum { TABLE_MAX_COLUMNS = 10, TABLE_MAX_NAMES = 24, TABLE_NO_COLUMN = -1 };

/* Which columns a table may have, in any order; others are ignored. */
struct table_layout {
    const char *const (
        *names)[TABLE_MAX_NAMES]; /* [n]: of each, in small letters, the best first */
    size_t n;
    unsigned needs[3];  /* sets of columns, a bit each: of every set that is not empty, one column
                         * must be there */
    const char *wanted; /* the columns as the error lists them: "student, points" */
};

struct csv {
    const char *name; /* of the file, for messages; borrowed */
    const char *at, *end;
    char separator;
    unsigned line,
        next_line; /* the first line of the row read last, from 1; and the line after that row */
    char **fields; /* of that row, in the arena; without blanks, tabs and marks of direction at both
                    * ends */
    size_t n_fields, capacity;
    struct arena *arena; /* borrowed */
};

struct table {
    struct text text;
    struct arena arena;
    struct csv csv;
    char **head; /* [n_head], the first row; in the arena */
    size_t n_head;
    int at[TABLE_MAX_COLUMNS]; /* the place of each column of the layout, or TABLE_NO_COLUMN */
};

/* Reads the first row; the table is to be closed either way. ERR_FILE; ERR_SYNTAX "FILE:LINE: ..."
 * if a column is missing or a quote is not closed; ERR_MEMORY. */
bool table_open(struct table *table, const char *path, const struct table_layout *layout,
                struct error *reterr);
void table_close(struct table *table);
/* Reads the next row that is not empty. *ret_is_there is false at the end. */
bool table_next(struct table *table, bool *ret_is_there, struct error *reterr);
/* Opens a table, calls row() with each row after the first, until one returns false, and closes
 * it. */
typedef bool table_row(void *context, const struct table *table, struct error *reterr);
bool table_each(const char *path, const struct table_layout *layout, table_row *row, void *context,
                struct error *reterr);

/* The field of this row in a column of the layout, or in any column; "" if the row is shorter. */
const char *table_field(const struct table *table, unsigned column);
const char *table_field_at(const struct table *table, size_t place);
/* ERR_SYNTAX "FILE:LINE: WHAT: WORD", or without a word. Returns false. */
bool table_fault(const struct table *table, struct error *reterr, const char *what,
                 const char *word);

#endif
