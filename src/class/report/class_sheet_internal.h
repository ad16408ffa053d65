/* Results as a table: a row for each student, a column for each exercise. */
#ifndef ATTN_REPORT_CLASS_SHEET_INTERNAL_H
#define ATTN_REPORT_CLASS_SHEET_INTERNAL_H

#include "report/results.h"

/* One student; or, if no student is named, all files in one folder. Borrows from the results. */
struct sheet_row {
    const char *login;             /* or "": not named */
    const char *folder;            /* if not named: the folder that */
    size_t folder_size;            /* tells them apart, folder[0..folder_size) */
    const struct student *student; /* the class list's entry; NULL: it does not name them */
    const struct result **cells;   /* [n_columns], the result that counts, or NULL */
    double score, max_score, cpu_ms;
    size_t n_passed, n_late, n_missing, n_by_hand;
    size_t n_unclear;           /* cells that may yet have points; their sum says nothing */
    const struct result *odd;   /* a file for no exercise that can't be graded; or NULL */
    const struct result *doubt; /* a work of which it is not clear that it is theirs; or NULL */
    size_t n_extra; /* results that are in no cell: duplicates, and files for no exercise */
    size_t rank;    /* position in the class list; past its end if they are not in it */
};

struct sheet_column {
    const char *exercise;
    size_t n, n_handed_in,
        n_passed; /* results that count, those of them that are files, and passes */
    double share; /* sum of score / max_score */
};

struct class_sheet {
    struct sheet_row
        *rows; /* in the order of the class list, then students who are not in it, by name */
    size_t n_rows;
    struct sheet_column *columns; /* in the order of the exercises */
    size_t n_columns;
    const struct result **cells;
};

/* Results must outlive the sheet. ERR_MEMORY. */
bool class_sheet_make(const struct results *results, struct class_sheet *ret, struct error *reterr);
void class_sheet_release(struct class_sheet *sheet);
/* Does the result belong to the row's student? */
bool sheet_row_has(const struct sheet_row *row, const struct result *result);
/* Adds the login, or the folder if no student is named. */
void sheet_row_label(const struct sheet_row *row, struct text *text);
/* Adds remarks on the row's points: "late: dot, mask; missing: heads; by hand: dot". */
void sheet_row_flags(const struct class_sheet *sheet, const struct sheet_row *row,
                     struct text *text);

#endif
