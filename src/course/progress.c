/* What a learner has done, in SQLite: see progress.h. */
#include "course/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/folder.h"

enum {
    BUSY_MS = 5000, /* how long to wait for another attn that writes */
    PATH_BYTES = 4096,
};

struct progress {
    sqlite3 *file; /* NULL: nothing is remembered */
    char path[PATH_BYTES];
    char problem[PATH_BYTES + 256]; /* "" when all is well */
};

/* The schema, a step a version: PRAGMA user_version says how many of them a file has seen. A step
 * that was released never changes; what comes new is one more step. */
static const char *const steps[] = {
    "CREATE TABLE attempts ("
    " id INTEGER PRIMARY KEY,"
    " exercise TEXT NOT NULL,"
    " verdict TEXT NOT NULL,"
    " misconception TEXT NOT NULL,"
    " time_s INTEGER NOT NULL);"
    "CREATE INDEX attempts_of_exercise ON attempts (exercise, id);"
    "CREATE TABLE hints ("
    " exercise TEXT NOT NULL,"
    " hint INTEGER NOT NULL,"
    " time_s INTEGER NOT NULL,"
    " PRIMARY KEY (exercise, hint)) WITHOUT ROWID;",
};
enum { N_STEPS = sizeof steps / sizeof steps[0] };

/* Why a call of SQLite failed, in words for the one it happens to. */
static const char *reason(sqlite3 *file, int code)
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
        return "it is no file of attn";
    case SQLITE_IOERR:
        return "reading or writing it fails";
    case SQLITE_NOMEM:
        return "there is not enough memory";
    default:
        return file != NULL ? sqlite3_errmsg(file) : sqlite3_errstr(code);
    }
}

static bool fail(const struct progress *progress, int code, struct error *reterr)
{
    if ((code & 0xff) == SQLITE_NOMEM)
        return error_memory(reterr, "progress");
    return error_set(reterr, ERR_FILE, "%s: %s; what you do now is not remembered", progress->path,
                     reason(progress->file, code));
}

/* A statement with its parameters bound in the order in which they are added. */
struct query {
    const struct progress *progress;
    sqlite3_stmt *statement;
    int code; /* of the first call that failed, else SQLITE_OK */
    int n_bound;
};

static struct query query_of(const struct progress *progress, const char *sql)
{
    struct query query = {.progress = progress};
    query.code = sqlite3_prepare_v2(progress->file, sql, -1, &query.statement, NULL);
    return query;
}

static void bind_text(struct query *query, const char *text)
{
    if (query->code == SQLITE_OK)
        query->code =
            sqlite3_bind_text(query->statement, ++query->n_bound, text, -1, SQLITE_STATIC);
}

static void bind_number(struct query *query, int64_t number)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_bind_int64(query->statement, ++query->n_bound, number);
}

/* True when there is a row to read. */
static bool step(struct query *query)
{
    if (query->code == SQLITE_OK)
        query->code = sqlite3_step(query->statement);
    bool has_row = query->code == SQLITE_ROW;
    if (query->code == SQLITE_ROW || query->code == SQLITE_DONE)
        query->code = SQLITE_OK;
    return has_row;
}

static bool end(struct query *query, struct error *reterr)
{
    sqlite3_finalize(query->statement);
    return query->code == SQLITE_OK || fail(query->progress, query->code, reterr);
}

/* A statement that writes: SQLite makes each a transaction of its own. */
static bool run(struct query *query, struct error *reterr)
{
    (void)step(query);
    return end(query, reterr);
}

/* Opening. */

static int version_of(sqlite3 *file, int *ret)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(file, "PRAGMA user_version", -1, &statement, NULL);
    if (code != SQLITE_OK)
        return code;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *ret = sqlite3_column_int(statement, 0);
    return sqlite3_finalize(statement);
}

static int run_step(sqlite3 *file, int version)
{
    char pragma[64];
    snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", version + 1);
    int code = sqlite3_exec(file, steps[version], NULL, NULL, NULL);
    return code != SQLITE_OK ? code : sqlite3_exec(file, pragma, NULL, NULL, NULL);
}

/* Brings the schema up to date. Another attn may be at it too: the version is read again behind the
 * lock. */
static int update_schema(sqlite3 *file)
{
    int version = 0;
    int code = sqlite3_exec(file, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    code = version_of(file, &version);
    for (; code == SQLITE_OK && version < N_STEPS; version++)
        code = run_step(file, version);
    if (code == SQLITE_OK)
        code = sqlite3_exec(file, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        (void)sqlite3_exec(file, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* From here on nothing is remembered; what a person can do about it follows the reason. */
static void give_up(struct progress *progress, const char *why, const char *what_to_do)
{
    snprintf(progress->problem, sizeof progress->problem,
             "%s: %s; attn goes on without remembering what you do%s", progress->path, why,
             what_to_do);
    sqlite3_close(progress->file);
    progress->file = NULL;
}

static void give_up_code(struct progress *progress, int code)
{
    bool unusable = (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
    give_up(progress, reason(progress->file, code),
            unusable ? "; move the file away to start afresh" : "");
}

/* The file, for nobody else to read: SQLite would make it for all. What went wrong, or 0. */
static int make_file(const char *path)
{
    int problem = folder_make_parents(path, true);
    if (problem != 0)
        return problem;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    problem = file < 0 ? errno : 0;
    if (file >= 0)
        close(file);
    bool protected = problem == EACCES || problem == EROFS;
    return protected && access(path, R_OK) == 0 ? 0 : problem; /* at least shown */
}

static void prepare(struct progress *progress)
{
    int version = 0;
    sqlite3_busy_timeout(progress->file, BUSY_MS);
    int code = version_of(progress->file, &version);
    if (code == SQLITE_OK && version < N_STEPS)
        code = update_schema(progress->file);
    if (code != SQLITE_OK)
        give_up_code(progress, code);
    else if (version > N_STEPS)
        give_up(progress, "a newer attn wrote it", "");
    else if (sqlite3_db_readonly(progress->file, "main") == 1)
        snprintf(progress->problem, sizeof progress->problem,
                 "%s: it may not be written; what you do now is not remembered", progress->path);
}

static void open_file(struct progress *progress)
{
    int problem = make_file(progress->path);
    if (problem != 0) {
        give_up(progress, strerror(problem), "");
        return;
    }
    int code = sqlite3_open_v2(progress->path, &progress->file, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK)
        give_up_code(progress, code);
    else
        prepare(progress);
}

/* False: there is no place for it. */
static bool choose_path(struct progress *progress, const char *path)
{
    if (path == NULL)
        return folder_state_path("progress.db", progress->path, sizeof progress->path);
    int size = snprintf(progress->path, sizeof progress->path, "%s", path);
    return size > 0 && (size_t)size < sizeof progress->path;
}

struct progress *progress_open(const char *path)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (progress == NULL)
        return NULL;
    if (choose_path(progress, path)) {
        open_file(progress);
    } else {
        snprintf(progress->path, sizeof progress->path, "progress");
        give_up(progress, "there is no home folder to keep it in", "");
    }
    return progress;
}

void progress_close(struct progress *progress)
{
    if (progress == NULL)
        return;
    sqlite3_close(progress->file);
    free(progress);
}

const char *progress_problem(const struct progress *progress)
{
    return progress->problem[0] != '\0' ? progress->problem : NULL;
}

/* Exercises. */

bool progress_attempt(struct progress *progress, const char *exercise, const char *verdict,
                      const char *misconception, int64_t time_s, struct error *reterr)
{
    if (progress->file == NULL)
        return true; /* progress_problem() has told why */
    struct query query = query_of(progress, "INSERT INTO attempts (exercise, verdict,"
                                            " misconception, time_s) VALUES (?, ?, ?, ?)");
    bind_text(&query, exercise);
    bind_text(&query, verdict);
    bind_text(&query, misconception);
    bind_number(&query, time_s);
    return run(&query, reterr);
}

bool progress_hint(struct progress *progress, const char *exercise, unsigned hint, int64_t time_s,
                   struct error *reterr)
{
    if (progress->file == NULL)
        return true;
    struct query query = query_of(progress, "INSERT OR IGNORE INTO hints (exercise, hint, time_s)"
                                            " VALUES (?, ?, ?)");
    bind_text(&query, exercise);
    bind_number(&query, hint);
    bind_number(&query, time_s);
    return run(&query, reterr);
}

static void read_exercise(sqlite3_stmt *row, struct exercise_progress *found)
{
    const unsigned char *verdict = sqlite3_column_text(row, 4);
    found->n_attempts = (unsigned)sqlite3_column_int64(row, 0);
    found->n_hints = (unsigned)sqlite3_column_int64(row, 1);
    found->passed = sqlite3_column_type(row, 2) != SQLITE_NULL;
    found->first_pass_s = sqlite3_column_int64(row, 3);
    snprintf(found->last_verdict, sizeof found->last_verdict, "%s",
             verdict != NULL ? (const char *)verdict : "");
}

bool progress_exercise(struct progress *progress, const char *exercise,
                       struct exercise_progress *ret, struct error *reterr)
{
    struct exercise_progress found = {0};
    if (progress->file != NULL) {
        struct query query = query_of(
            progress,
            "SELECT (SELECT count(*) FROM attempts WHERE exercise = ?1),"
            " (SELECT max(hint) FROM hints WHERE exercise = ?1),"
            " (SELECT min(id) FROM attempts WHERE exercise = ?1 AND verdict = 'pass'),"
            " (SELECT min(time_s) FROM attempts WHERE exercise = ?1 AND verdict = 'pass'),"
            " (SELECT verdict FROM attempts WHERE exercise = ?1 ORDER BY id DESC LIMIT 1)");
        bind_text(&query, exercise);
        if (step(&query))
            read_exercise(query.statement, &found);
        if (!end(&query, reterr))
            return false;
    }
    *ret = found;
    return true;
}
