/* Attempts at lessons, in SQLite: see attempt_internal.h.
 *
 * An attempt has runs, one for each attn that went on with it, and a run has the lines that make
 * its session. Every write to an attempt or a run gives it the next sequence number, which grows
 * over all attempts. So the highest number is the latest event, whatever the clock says.
 *
 * In the file, attempts at lessons are the table "plays", and sequence numbers are its column
 * "turn": the table "attempts" holds those at exercises. */
#include "course/progress/attempt_internal.h"

#include <string.h>

#include "course/progress/progress_internal.h"

/* The sequence number after all others. Looking at attempts is enough: a run that gets a number
 * gives its attempt the same one. */
#define NEXT_SEQUENCE "(SELECT coalesce(max(turn), 0) + 1 FROM plays)"
#define LAST_SEQUENCE "(SELECT coalesce(max(turn), 0) FROM plays)"

enum { RUNS_KEPT = 8 };

/* Is there something to write to? Without an attempt nothing is remembered of it. */
static bool is_remembered(const struct progress *progress, const struct attempt *attempt)
{
    return progress->file != NULL && attempt->id != 0;
}

/* ---- attempts ---- */

static bool insert_attempt(const struct progress *progress, const char *lesson, int64_t time_s,
                           int64_t *ret_id, struct error *reterr)
{
    struct sql_query query = query_of(progress, "INSERT INTO plays (lesson, begun_s, last_s, turn)"
                                                " VALUES (?1, ?2, ?2, " NEXT_SEQUENCE ")");
    query_text(&query, lesson);
    query_number(&query, time_s);
    bool ok = query_run(&query, reterr);
    if (ok)
        *ret_id = sqlite3_last_insert_rowid(progress->file);
    return ok;
}

bool attempt_touch(const struct progress *progress, int64_t attempt, int64_t time_s,
                   struct error *reterr)
{
    struct sql_query query = query_of(progress, "UPDATE plays SET turn = " NEXT_SEQUENCE
                                                ", last_s = max(last_s, ?2) WHERE id = ?1");
    query_number(&query, attempt);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

/* A run of the attempt at page, which gets the attempt's sequence number. */
static bool add_run(const struct progress *progress, int64_t attempt, const char *page,
                    int64_t *ret_id, struct error *reterr)
{
    struct sql_query query = query_of(
        progress, "INSERT INTO runs (play, page, turn) VALUES (?1, ?2, " LAST_SEQUENCE ")");
    query_number(&query, attempt);
    query_text(&query, page);
    bool ok = query_run(&query, reterr);
    if (ok)
        *ret_id = sqlite3_last_insert_rowid(progress->file);
    return ok;
}

bool attempt_begin(struct progress *progress, const char *lesson, int64_t time_s,
                   struct attempt *ret, struct error *reterr)
{
    struct attempt attempt = {0};
    if (!progress_check_name(lesson, reterr))
        return false;
    if (progress->file != NULL) {
        if (!sql_begin(progress, reterr))
            return false;
        bool ok = insert_attempt(progress, lesson, time_s, &attempt.id, reterr) &&
                  add_run(progress, attempt.id, "", &attempt.run, reterr);
        if (!sql_end(progress, ok, reterr))
            return false;
    }
    *ret = attempt;
    return true;
}

/* The lesson's last attempt and the run that turned a page last; attempt->id stays 0 when there is
 * no attempt, or the last one is finished. */
static bool find_attempt(const struct progress *progress, const char *lesson,
                         struct attempt *attempt, char page[PROGRESS_NAME_BYTES],
                         struct error *reterr)
{
    struct sql_query query = query_of(
        progress, "SELECT plays.id, runs.id, page, finished_s IS NULL FROM plays, runs"
                  " WHERE lesson = ? AND play = plays.id ORDER BY plays.turn DESC, runs.turn DESC"
                  " LIMIT 1");
    query_text(&query, lesson);
    if (query_step(&query) && query_column_number(&query, 3)) {
        attempt->id = query_column_number(&query, 0);
        attempt->run = query_column_number(&query, 1);
        query_column_name(&query, 2, page);
    }
    return query_end(&query, reterr);
}

static bool read_lines(const struct progress *progress, int64_t run, struct text *lines,
                       struct error *reterr)
{
    struct sql_query query =
        query_of(progress, "SELECT lines FROM lines WHERE run = ? ORDER BY number");
    query_number(&query, run);
    while (query_step(&query))
        text_put(lines, query_column(&query, 0));
    return query_end(&query, reterr) &&
           (!lines->failed || error_memory(reterr, "a lesson's lines"));
}

static bool copy_lines(const struct progress *progress, int64_t from, int64_t to,
                       struct error *reterr)
{
    struct sql_query query =
        query_of(progress, "INSERT INTO lines (run, number, lines)"
                           " SELECT ?2, number, lines FROM lines WHERE run = ?1");
    query_number(&query, from);
    query_number(&query, to);
    return query_run(&query, reterr);
}

/* Which runs of attempt ?1 are of use no more. */
#define OLD_RUNS \
    "(SELECT id FROM runs WHERE play = ?1 ORDER BY turn DESC, id DESC LIMIT -1 OFFSET ?2)"

static bool forget(const struct progress *progress, int64_t attempt, const char *sql,
                   struct error *reterr)
{
    struct sql_query query = query_of(progress, sql);
    query_number(&query, attempt);
    query_number(&query, RUNS_KEPT);
    return query_run(&query, reterr);
}

/* A run of its own, which begins as the one that was found. */
static bool fork_run(const struct progress *progress, struct attempt *attempt, const char *page,
                     int64_t time_s, struct error *reterr)
{
    int64_t from = attempt->run;
    return attempt_touch(progress, attempt->id, time_s, reterr) &&
           add_run(progress, attempt->id, page, &attempt->run, reterr) &&
           copy_lines(progress, from, attempt->run, reterr) &&
           forget(progress, attempt->id, "DELETE FROM lines WHERE run IN " OLD_RUNS, reterr) &&
           forget(progress, attempt->id, "DELETE FROM runs WHERE id IN " OLD_RUNS, reterr);
}

bool attempt_resume(struct progress *progress, const char *lesson, int64_t time_s,
                    struct attempt *ret, char page[PROGRESS_NAME_BYTES], struct text *lines,
                    bool *ret_found, struct error *reterr)
{
    struct attempt found = {0};
    char found_page[PROGRESS_NAME_BYTES] = "";
    size_t size_before = lines->size;
    bool ok = true;
    if (progress->file != NULL) {
        /* A file that may not be written can be read all the same. */
        bool only_reads = sqlite3_db_readonly(progress->file, "main") == 1;
        if (!(only_reads ? sql_begin_reading(progress, reterr) : sql_begin(progress, reterr)))
            return false;
        ok = find_attempt(progress, lesson, &found, found_page, reterr) &&
             (found.id == 0 ||
              (read_lines(progress, found.run, lines, reterr) &&
               (only_reads || fork_run(progress, &found, found_page, time_s, reterr))));
        if (only_reads)
            found.run = 0;
        ok = sql_end(progress, ok, reterr);
    }
    if (!ok) {
        text_shrink(lines, size_before);
        return false;
    }
    *ret_found = found.id != 0;
    if (*ret_found) {
        *ret = found;
        memcpy(page, found_page, PROGRESS_NAME_BYTES);
    }
    return true;
}

/* The run is at page, with its attempt's sequence number. Its row is gone when RUNS_KEPT others
 * were begun since. */
static bool move_run(const struct progress *progress, const struct attempt *attempt,
                     const char *page, struct error *reterr)
{
    struct sql_query query = query_of(progress, "UPDATE runs SET page = ?2, turn = " LAST_SEQUENCE
                                                " WHERE id = ?1 AND play = ?3");
    query_number(&query, attempt->run);
    query_text(&query, page);
    query_number(&query, attempt->id);
    if (!query_run(&query, reterr))
        return false;
    return sqlite3_changes(progress->file) > 0 ||
           error_set(reterr, ERR_FILE,
                     "%s: attn was started %d times more in this lesson since; where you are in it"
                     " is not remembered here",
                     progress->path, (int)RUNS_KEPT);
}

static bool add_lines(const struct progress *progress, int64_t run, const char *lines,
                      struct error *reterr)
{
    struct sql_query query =
        query_of(progress, "INSERT INTO lines (run, number, lines) VALUES (?1,"
                           " (SELECT coalesce(max(number), 0) + 1 FROM lines WHERE run = ?1),"
                           " CASE WHEN substr(?2, -1) = char(10) THEN ?2 ELSE ?2 || char(10) END)");
    query_number(&query, run);
    query_text(&query, lines);
    return query_run(&query, reterr);
}

bool attempt_turn_page(struct progress *progress, const struct attempt *attempt, const char *page,
                       const char *lines, int64_t time_s, struct error *reterr)
{
    if (!progress_check_name(page, reterr))
        return false;
    if (!is_remembered(progress, attempt))
        return true;
    if (!sql_begin(progress, reterr))
        return false;
    bool ok = attempt_touch(progress, attempt->id, time_s, reterr) &&
              move_run(progress, attempt, page, reterr) &&
              (lines[0] == '\0' || add_lines(progress, attempt->run, lines, reterr));
    return sql_end(progress, ok, reterr);
}

bool attempt_finish(struct progress *progress, const struct attempt *attempt, int64_t time_s,
                    struct error *reterr)
{
    if (!is_remembered(progress, attempt))
        return true;
    struct sql_query query = query_of(
        progress, "UPDATE plays SET finished_s = coalesce(finished_s, ?2), turn = " NEXT_SEQUENCE
                  ", last_s = max(last_s, ?2) WHERE id = ?1");
    query_number(&query, attempt->id);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

/* ---- lessons ---- */

bool progress_lesson(struct progress *progress, const char *lesson, struct lesson_record *ret,
                     struct error *reterr)
{
    struct lesson_record found = {0};
    if (progress->file != NULL) {
        struct sql_query query = query_of(
            progress,
            "SELECT (SELECT count(*) FROM plays WHERE lesson = ?1),"
            " (SELECT count(finished_s) FROM plays WHERE lesson = ?1),"
            " (SELECT finished_s IS NULL FROM plays WHERE lesson = ?1 ORDER BY turn DESC LIMIT 1),"
            " max(coalesce((SELECT max(last_s) FROM plays WHERE lesson = ?1), 0),"
            "     coalesce((SELECT max(time_s) FROM events WHERE lesson = ?1), 0)),"
            " (SELECT sum(took_ms) FROM events WHERE lesson = ?1)");
        query_text(&query, lesson);
        if (query_step(&query))
            found = (struct lesson_record){
                .started = query_column_number(&query, 0) > 0,
                .finished = query_column_number(&query, 1) > 0,
                .open = query_column_number(&query, 2) != 0,
                .last_s = query_column_number(&query, 3),
                .took_ms = query_column_number(&query, 4),
            };
        if (!query_end(&query, reterr))
            return false;
    }
    *ret = found;
    return true;
}

bool progress_lesson_page(struct progress *progress, const char *lesson,
                          char page[PROGRESS_NAME_BYTES], struct error *reterr)
{
    struct attempt found = {0};
    char found_page[PROGRESS_NAME_BYTES] = "";
    if (progress->file != NULL && !find_attempt(progress, lesson, &found, found_page, reterr))
        return false;
    if (found.id == 0)
        return error_set(reterr, ERR_NAME, "lesson %s: it is not under way", lesson);
    memcpy(page, found_page, PROGRESS_NAME_BYTES);
    return true;
}

bool progress_last_lesson(struct progress *progress, char lesson[PROGRESS_NAME_BYTES],
                          struct error *reterr)
{
    char found[PROGRESS_NAME_BYTES] = "";
    if (progress->file != NULL) {
        struct sql_query query = query_of(
            progress, "SELECT lesson FROM plays WHERE finished_s IS NULL AND turn ="
                      " (SELECT max(turn) FROM plays AS others WHERE others.lesson = plays.lesson)"
                      " ORDER BY turn DESC LIMIT 1");
        if (query_step(&query))
            query_column_name(&query, 0, found);
        if (!query_end(&query, reterr))
            return false;
    }
    memcpy(lesson, found, sizeof found);
    return true;
}
