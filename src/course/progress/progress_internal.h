/* Shared by the files of progress: the open file, statements with their parameters,
 * transactions. */
#ifndef ATTN_COURSE_PROGRESS_PROGRESS_INTERNAL_H
#define ATTN_COURSE_PROGRESS_PROGRESS_INTERNAL_H

#include <sqlite3.h>

#include "course/progress/attempt_internal.h"
#include "course/progress/event_internal.h"

enum { PROGRESS_PATH_BYTES = 4096 };

struct progress {
    sqlite3 *file; /* NULL: nothing is remembered */
    char path[PROGRESS_PATH_BYTES];
    char problem[PROGRESS_PATH_BYTES + 256]; /* "" without a problem */
};

/* Why a call of SQLite failed, in words for a learner. file may be NULL. */
const char *progress_reason(sqlite3 *file, int code);

/* A statement with its parameters bound in the order in which they are added. Text is borrowed
 * until query_end(). The first failure is kept, and reported by query_end(). */
struct sql_query {
    const struct progress *progress;
    sqlite3_stmt *statement;
    int code; /* of the first call that failed, else SQLITE_OK */
    int n_bound;
};

/* Each query_of() needs one query_end() or query_run(). */
struct sql_query query_of(const struct progress *progress, const char *sql);
void query_text(struct sql_query *query, const char *text); /* NULL is SQL's NULL */
void query_number(struct sql_query *query, int64_t number);
/* True when there is a row to read. */
bool query_step(struct sql_query *query);
/* A column of that row, from 0: "" and 0 for NULL. The text lives until the next step. */
const char *query_column(const struct sql_query *query, int column);
/* The same for a name, which fits (progress_check_name()). */
void query_column_name(const struct sql_query *query, int column, char name[PROGRESS_NAME_BYTES]);
int64_t query_column_number(const struct sql_query *query, int column);
bool query_end(struct sql_query *query, struct error *reterr);
/* Runs a statement that writes, and ends it. Outside a transaction it is a transaction of its
 * own. */
bool query_run(struct sql_query *query, struct error *reterr);

/* Begins a transaction, in which others can read but not write. Every begin needs an end. */
bool sql_begin(const struct progress *progress, struct error *reterr);
/* Begins one that only reads, and sees the file as it is at its first statement. */
bool sql_begin_reading(const struct progress *progress, struct error *reterr);
/* Commits if ok is set; otherwise rolls everything back. False if ok was not set, or if the commit
 * failed: then it is rolled back too. */
bool sql_end(const struct progress *progress, bool ok, struct error *reterr);

/* False, and ERR_LIMIT, for a name that is too long to be read back whole. */
bool progress_check_name(const char *name, struct error *reterr);

/* ---- inside a transaction ---- */

/* Notes an event in the attempt: it gets the next sequence number. */
bool attempt_touch(const struct progress *progress, int64_t attempt, int64_t time_s,
                   struct error *reterr);
/* EVENT_COUNT for an unknown name. */
enum event_kind event_kind_of(const char *name);
/* Updates the reviews for an event that is not written yet. presentation: the one that it belongs
 * to. After the right answer nothing counts until the question is shown again. */
bool review_plan(const struct progress *progress, const struct event *event, int64_t presentation,
                 struct error *reterr);

#endif
