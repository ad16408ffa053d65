/* A learner's progress, in SQLite: see progress.h. */
#include "course/progress/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/progress_internal.h"
#include "files/file.h"

enum { BUSY_MS = 5000 }; /* how long to wait for another attn that writes */

/* The schema, one step for each version: PRAGMA user_version says how many of them a file has seen.
 * A released step never changes; new tables come in another step. */
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

    /* Attempts at lessons are called plays here, and sequence numbers turns: see attempt.c. A
     * play's turn and a run's grow with the latest event anywhere, so that the order of events does
     * not rest on the clock. A showing is called a presentation in event_internal.h. */
    "CREATE TABLE plays ("
    " id INTEGER PRIMARY KEY,"
    " lesson TEXT NOT NULL,"
    " begun_s INTEGER NOT NULL,"
    " last_s INTEGER NOT NULL,"
    " finished_s INTEGER," /* NULL: it can be continued */
    " turn INTEGER NOT NULL);"
    "CREATE INDEX plays_of_lesson ON plays (lesson, turn);"
    "CREATE INDEX plays_by_turn ON plays (turn);"
    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY,"
    " play INTEGER NOT NULL,"
    " page TEXT NOT NULL,"
    " turn INTEGER NOT NULL);" /* the highest one of an attempt is its current place */
    "CREATE INDEX runs_of_play ON runs (play, turn);"
    "CREATE TABLE lines ("
    " run INTEGER NOT NULL,"
    " number INTEGER NOT NULL,"
    " lines TEXT NOT NULL," /* of one page, each with a newline */
    " PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE events ("
    " id INTEGER PRIMARY KEY,"
    " lesson TEXT NOT NULL,"
    " question TEXT NOT NULL,"
    " kind TEXT NOT NULL,"
    " detail TEXT NOT NULL,"
    " number INTEGER NOT NULL,"
    " took_ms INTEGER NOT NULL,"
    " time_s INTEGER NOT NULL,"
    " play INTEGER," /* NULL: in a review, or of no attempt that is remembered */
    " is_review INTEGER NOT NULL,"
    " showing INTEGER NOT NULL);" /* the same for all that belongs to one attempt or one review */
    "CREATE INDEX events_of_question ON events (lesson, question, id);"
    "CREATE INDEX events_of_play ON events (play, question, id);"
    "CREATE TABLE reviews ("
    " lesson TEXT NOT NULL,"
    " question TEXT NOT NULL,"
    " step INTEGER NOT NULL,"
    " due_s INTEGER NOT NULL,"
    " PRIMARY KEY (lesson, question)) WITHOUT ROWID;",

    "CREATE TABLE settings ("
    " name TEXT NOT NULL PRIMARY KEY,"
    " value TEXT NOT NULL) WITHOUT ROWID;",

    /* Lessons were named by their files, 05-scaling. They are named by their ids since, which stay
     * when numbers change. A question that is to be reviewed under two numbers keeps one review. */
    "UPDATE plays SET lesson = substr(lesson, 4) WHERE lesson GLOB '[0-9][0-9]-?*';"
    "UPDATE events SET lesson = substr(lesson, 4) WHERE lesson GLOB '[0-9][0-9]-?*';"
    "UPDATE OR IGNORE reviews SET lesson = substr(lesson, 4) WHERE lesson GLOB '[0-9][0-9]-?*';"
    "DELETE FROM reviews WHERE lesson GLOB '[0-9][0-9]-?*';",

    /* The mistake found in a wrong answer: an edit's id; "" if none was named. */
    "ALTER TABLE events ADD COLUMN mistake TEXT NOT NULL DEFAULT '';",
};
enum { N_STEPS = COUNT_OF(steps) };

/* ---- opening ---- */

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

/* Brings the schema up to date. Another attn may be at it too: the version is read again after the
 * lock. */
static int update_schema(sqlite3 *file)
{
    char pragma[64];
    int version = 0;
    int code = sqlite3_exec(file, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    code = version_of(file, &version);
    for (; code == SQLITE_OK && version < N_STEPS; version++) {
        snprintf(pragma, sizeof pragma, "PRAGMA user_version = %d", version + 1);
        code = sqlite3_exec(file, steps[version], NULL, NULL, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(file, pragma, NULL, NULL, NULL);
    }
    if (code == SQLITE_OK)
        code = sqlite3_exec(file, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        (void)sqlite3_exec(file, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* From here on nothing is remembered; after the reason comes advice for the learner. */
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
    give_up(progress, progress_reason(progress->file, code),
            unusable ? "; move the file away to start afresh" : "");
}

/* Makes the file, readable only by its owner: SQLite would make it for everybody. Returns 0, or an
 * errno. */
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

static void open_file(struct progress *progress)
{
    int version = 0, problem = make_file(progress->path);
    if (problem != 0) {
        give_up(progress, strerror(problem), "");
        return;
    }
    int code = sqlite3_open_v2(progress->path, &progress->file, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(progress->file, BUSY_MS);
        code = version_of(progress->file, &version);
    }
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

struct progress *progress_open(const char *path)
{
    struct progress *progress = calloc(1, sizeof *progress);
    if (progress == NULL)
        return NULL;
    size_t capacity = sizeof progress->path;
    bool has_path = path == NULL ? folder_state_path("progress.db", progress->path, capacity)
                                 : path[0] != '\0' && snprintf(progress->path, capacity, "%s",
                                                               path) < (int)capacity;
    if (has_path) {
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

/* ---- exercises ---- */

bool progress_exercise_attempt(struct progress *progress, const char *exercise, const char *verdict,
                               const char *misconception, int64_t time_s, struct error *reterr)
{
    if (progress->file == NULL)
        return true; /* progress_problem() has the reason */
    struct sql_query query = query_of(progress, "INSERT INTO attempts (exercise, verdict,"
                                                " misconception, time_s) VALUES (?, ?, ?, ?)");
    query_text(&query, exercise);
    query_text(&query, verdict);
    query_text(&query, misconception);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

bool progress_exercise_hint(struct progress *progress, const char *exercise, unsigned hint,
                            int64_t time_s, struct error *reterr)
{
    if (progress->file == NULL)
        return true;
    struct sql_query query =
        query_of(progress, "INSERT OR IGNORE INTO hints (exercise, hint, time_s)"
                           " VALUES (?, ?, ?)");
    query_text(&query, exercise);
    query_number(&query, hint);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

bool progress_exercise(struct progress *progress, const char *exercise,
                       struct exercise_progress *ret, struct error *reterr)
{
    struct exercise_progress found = {0};
    if (progress->file != NULL) {
        struct sql_query query = query_of(
            progress,
            "SELECT (SELECT count(*) FROM attempts WHERE exercise = ?1),"
            " (SELECT max(hint) FROM hints WHERE exercise = ?1),"
            " (SELECT min(id) FROM attempts WHERE exercise = ?1 AND verdict = 'pass'),"
            " (SELECT min(time_s) FROM attempts WHERE exercise = ?1 AND verdict = 'pass'),"
            " (SELECT verdict FROM attempts WHERE exercise = ?1 ORDER BY id DESC LIMIT 1)");
        query_text(&query, exercise);
        if (query_step(&query)) {
            found.n_attempts = (unsigned)query_column_number(&query, 0);
            found.n_hints = (unsigned)query_column_number(&query, 1);
            found.passed = sqlite3_column_type(query.statement, 2) != SQLITE_NULL;
            found.first_pass_s = query_column_number(&query, 3);
            snprintf(found.last_verdict, sizeof found.last_verdict, "%s", query_column(&query, 4));
        }
        if (!query_end(&query, reterr))
            return false;
    }
    *ret = found;
    return true;
}

bool progress_is_solved(struct progress *progress, const char *exercise)
{
    struct exercise_progress done;
    return progress_exercise(progress, exercise, &done, NULL) && done.passed;
}

bool progress_has_begun(struct progress *progress, bool *ret, struct error *reterr)
{
    *ret = false;
    if (progress->file == NULL)
        return true;
    struct sql_query query = query_of(
        progress, "SELECT EXISTS (SELECT 1 FROM plays) OR EXISTS (SELECT 1 FROM attempts)");
    if (query_step(&query))
        *ret = query_column_number(&query, 0) != 0;
    return query_end(&query, reterr);
}

/* ---- settings ---- */

bool progress_setting(struct progress *progress, const char *name, struct text *out)
{
    size_t size_before = out->size;
    if (progress->file == NULL)
        return false;
    struct sql_query query = query_of(progress, "SELECT value FROM settings WHERE name = ?");
    query_text(&query, name);
    bool found = query_step(&query);
    if (found)
        text_put(out, query_column(&query, 0));
    bool ok = query_end(&query, NULL) && found && !out->failed;
    if (!ok)
        text_shrink(out, size_before);
    return ok;
}

bool progress_set_setting(struct progress *progress, const char *name, const char *value,
                          struct error *reterr)
{
    if (progress->file == NULL)
        return true;
    struct sql_query query = query_of(progress, "INSERT INTO settings (name, value) VALUES (?, ?)"
                                                " ON CONFLICT (name) DO UPDATE SET value = "
                                                "excluded.value");
    query_text(&query, name);
    query_text(&query, value);
    return query_run(&query, reterr);
}

bool progress_merge_setting(struct progress *progress, const char *name, const char *known,
                            const char *value, const char *added, struct error *reterr)
{
    if (progress->file == NULL)
        return true;
    struct sql_query query =
        query_of(progress, "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name)"
                           " DO UPDATE SET value = CASE WHEN value = ?3 THEN ?2"
                           " ELSE value || ?4 END");
    query_text(&query, name);
    query_text(&query, value);
    query_text(&query, known);
    query_text(&query, added);
    return query_run(&query, reterr);
}
