/* What the files of progress share: the open file, statements with their parameters, transactions.
 * Nobody else includes this. */
#ifndef ATTN_COURSE_PROGRESS_QUERY_H
#define ATTN_COURSE_PROGRESS_QUERY_H

#include <sqlite3.h>

#include "course/progress/progress.h"

enum { PROGRESS_PATH_BYTES = 4096 };

struct progress {
    sqlite3 *file; /* NULL: nothing is remembered */
    char path[PROGRESS_PATH_BYTES];
    char problem[PROGRESS_PATH_BYTES + 256]; /* "" when all is well */
};

/* Why a call of SQLite failed, in words for the one it happens to. file may be NULL. */
const char *progress_reason(sqlite3 *file, int code);
/* ERR_MEMORY or ERR_FILE for a call that failed with this code. Returns false. */
bool progress_fail(const struct progress *progress, int code, struct error *reterr);

/* A statement with its parameters bound in the order in which they are added. Text is borrowed
 * until query_end(). What fails is remembered, and said by query_end(). */
struct query {
    const struct progress *progress;
    sqlite3_stmt *statement;
    int code; /* of the first call that failed, else SQLITE_OK */
    int n_bound;
};

/* Each query_of() needs one query_end() or query_run(). */
struct query query_of(const struct progress *progress, const char *sql);
void query_text(struct query *query, const char *text); /* NULL is SQL's NULL */
void query_number(struct query *query, int64_t number);
/* True when there is a row to read. */
bool query_step(struct query *query);
/* A column of that row, from 0: "" and 0 where it is NULL. The text lives until the next step. */
const char *query_column(const struct query *query, int column);
int64_t query_column_number(const struct query *query, int column);
bool query_end(struct query *query, struct error *reterr);
/* A statement that writes, run and ended. Outside of a transaction it is one of its own. */
bool query_run(struct query *query, struct error *reterr);

/* A transaction in which others can read, and write no more. Every begin needs an end. */
bool transaction_begin(const struct progress *progress, struct error *reterr);
/* One that only reads, and sees the file as it is at its first statement. */
bool transaction_begin_reading(const struct progress *progress, struct error *reterr);
/* Keeps what was done where ok is set, else takes it all back. False where ok was not set, or where
 * it could not be kept: then it is taken back too. */
bool transaction_end(const struct progress *progress, bool ok, struct error *reterr);

#endif
