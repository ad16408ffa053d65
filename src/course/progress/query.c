/* Statements and transactions: see progress_internal.h. */
#include "course/progress/progress_internal.h"

#include <stdio.h>
#include <string.h>

const char *progress_reason(sqlite3 *file, int code)
{
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program keeps it locked";
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "it may not be written";
    case SQLITE_CORRUPT:
        return "it is damaged";
    case SQLITE_NOTADB:
        return "it is not a file of attn";
    case SQLITE_IOERR:
        return "reading or writing it fails";
    case SQLITE_NOMEM:
        return "there is not enough memory";
    default:
        return file != NULL ? sqlite3_errmsg(file) : sqlite3_errstr(code);
    }
}

/* ERR_MEMORY or ERR_FILE for a call that failed with this code. Returns false. */
static bool progress_fail(const struct progress *progress, int code, struct error *reterr)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_memory(reterr, "progress");
    bool unusable = (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
    if (unusable)
        return error_set(reterr, ERR_FILE,
                         "%s: %s; what you do now is not remembered; move the file away to start "
                         "afresh",
                         progress->path, progress_reason(progress->file, code));
    return error_set(reterr, ERR_FILE, "%s: %s; what you do now is not remembered", progress->path,
                     progress_reason(progress->file, code));
}

/* A name that is too long to be read back whole is not written. */
bool progress_check_name(const char *name, struct error *reterr)
{
    char shown[48];
    if (strlen(name) < PROGRESS_NAME_BYTES)
        return true;
    error_quote(shown, sizeof shown, name, strlen(name));
    return error_set(reterr, ERR_LIMIT,
                     "%s: the name is too long to be remembered; use fewer than %d bytes", shown,
                     (int)PROGRESS_NAME_BYTES);
}

struct sql_query query_of(const struct progress *progress, const char *sql)
{
    struct sql_query query = {.progress = progress};
    query.code = sqlite3_prepare_v2(progress->file, sql, -1, &query.statement, NULL);
    return query;
}

void query_text(struct sql_query *query, const char *text)
{
    if (query->code == SQLITE_OK)
        query->code =
            sqlite3_bind_text(query->statement, ++query->n_bound, text, -1, SQLITE_STATIC);
}

void query_number(struct sql_query *query, int64_t number)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, ++query->n_bound, number);
}

bool query_step(struct sql_query *query)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_step(query->statement);
    bool has_row = query->code == SQLITE_ROW;
    if (query->code == SQLITE_ROW || query->code == SQLITE_DONE)
        query->code = SQLITE_OK;
    return has_row;
}

const char *query_column(const struct sql_query *query, int column)
{
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    return text != NULL ? (const char *)text : "";
}

void query_column_name(const struct sql_query *query, int column, char name[PROGRESS_NAME_BYTES])
{
    snprintf(name, PROGRESS_NAME_BYTES, "%s", query_column(query, column));
}

int64_t query_column_number(const struct sql_query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

bool query_end(struct sql_query *query, struct error *reterr)
{
    sqlite3_finalize(query->statement);
    query->statement = NULL;
    return query->code == SQLITE_OK || progress_fail(query->progress, query->code, reterr);
}

bool query_run(struct sql_query *query, struct error *reterr)
{
    (void)query_step(query);
    return query_end(query, reterr);
}

static bool execute(const struct progress *progress, const char *sql, struct error *reterr)
{
    int code = sqlite3_exec(progress->file, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || progress_fail(progress, code, reterr);
}

bool sql_begin(const struct progress *progress, struct error *reterr)
{
    return execute(progress, "BEGIN IMMEDIATE", reterr);
}

bool sql_begin_reading(const struct progress *progress, struct error *reterr)
{
    return execute(progress, "BEGIN", reterr);
}

bool sql_end(const struct progress *progress, bool ok, struct error *reterr)
{
    ok = ok && execute(progress, "COMMIT", reterr);
    if (!ok) /* SQLite may have done so already: then this fails, which does not matter */
        (void)sqlite3_exec(progress->file, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}
