/* course/progress/progress.h: what a learner has done. */
#include "testing.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/attempt_internal.h"

/* A folder for one test, and a path in it. */
struct place {
    char folder[64], path[128];
};

static int make_place(void **state)
{
    struct place *place = test_calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/attn-progress-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/new/state/progress.db", place->folder);
    *state = place;
    return 0;
}

static int remove_place(void **state)
{
    struct place *place = *state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    int status = system(command); /* NOLINT: a name of our own */
    test_free(place);
    return status;
}

static struct progress *must_open(const char *path)
{
    struct progress *progress = progress_open(path);
    assert_non_null(progress);
    if (progress_problem(progress) != NULL)
        fail_msg("%s", progress_problem(progress));
    return progress;
}

static void must_attempt(struct progress *progress, const char *exercise, const char *verdict,
                         int64_t time_s)
{
    struct error error;
    if (!progress_exercise_attempt(progress, exercise, verdict, "", time_s, &error))
        fail_msg("%s", error.text);
}

static struct exercise_progress read_back(struct progress *progress, const char *exercise)
{
    struct exercise_progress found;
    struct error error;
    if (!progress_exercise(progress, exercise, &found, &error))
        fail_msg("%s", error.text);
    return found;
}

static void put_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* A path whose folder is there. */
static void flat_path(struct place *place)
{
    snprintf(place->path, sizeof place->path, "%s/progress.db", place->folder);
}

static bool has_begun(struct progress *progress)
{
    bool found;
    struct error error;
    if (!progress_has_begun(progress, &found, &error))
        fail_msg("%s", error.text);
    return found;
}

static void test_progress__nobody_tried_is_all_zero(void **state)
{
    struct place *place = *state;
    struct progress *progress = must_open(place->path);
    assert_false(has_begun(progress));
    struct exercise_progress found = read_back(progress, "dot");
    assert_int_equal(found.n_attempts, 0);
    assert_int_equal(found.n_hints, 0);
    assert_false(found.passed);
    assert_int_equal(found.first_pass_s, 0);
    assert_string_equal(found.last_verdict, "");
    progress_close(progress);
}

static void test_progress__attempts_last_beyond_the_run(void **state)
{
    struct place *place = *state;
    struct progress *progress = must_open(place->path);
    must_attempt(progress, "dot", "wrong_answer", 1000);
    assert_true(has_begun(progress));
    must_attempt(progress, "dot", "pass", 2000);
    must_attempt(progress, "dot", "pass", 3000);
    must_attempt(progress, "dot", "compile_error", 4000);
    must_attempt(progress, "softmax-rows", "crash", 5000);
    progress_close(progress);
    progress = must_open(place->path);
    struct exercise_progress dot = read_back(progress, "dot");
    assert_int_equal(dot.n_attempts, 4);
    assert_true(dot.passed); /* what was solved stays solved */
    assert_int_equal(dot.first_pass_s, 2000);
    assert_string_equal(dot.last_verdict, "compile_error");
    struct exercise_progress softmax = read_back(progress, "softmax-rows");
    assert_int_equal(softmax.n_attempts, 1);
    assert_false(softmax.passed);
    assert_string_equal(softmax.last_verdict, "crash");
    progress_close(progress);
}

static void test_progress__hints_count_the_furthest(void **state)
{
    struct place *place = *state;
    struct error error;
    struct progress *progress = must_open(place->path);
    assert_true(progress_exercise_hint(progress, "dot", 1, 10, &error));
    assert_true(progress_exercise_hint(progress, "dot", 2, 20, &error));
    assert_true(progress_exercise_hint(progress, "dot", 1, 30, &error)); /* shown once more */
    assert_int_equal(read_back(progress, "dot").n_hints, 2);
    assert_int_equal(read_back(progress, "dot").n_attempts, 0);
    assert_int_equal(read_back(progress, "kv-cache").n_hints, 0);
    progress_close(progress);
}

/* Names are data, whatever they look like. */
static void test_progress__quotes_in_names_are_letters(void **state)
{
    struct place *place = *state;
    struct progress *progress = must_open(place->path);
    must_attempt(progress, "a'); DROP TABLE attempts; --", "pass", 1);
    must_attempt(progress, "", "pass", 1);
    assert_true(read_back(progress, "a'); DROP TABLE attempts; --").passed);
    assert_int_equal(read_back(progress, "").n_attempts, 1);
    progress_close(progress);
}

static void test_progress__misconceptions_are_kept(void **state)
{
    struct place *place = *state;
    struct error error;
    sqlite3 *file;
    sqlite3_stmt *row;
    struct progress *progress = must_open(place->path);
    assert_true(progress_exercise_attempt(progress, "dot", "wrong_answer", "no-sum", 77, &error));
    progress_close(progress);
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file,
                                        "SELECT exercise || ' ' || misconception || ' ' || time_s"
                                        " FROM attempts",
                                        -1, &row, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(row, 0), "dot no-sum 77");
    sqlite3_finalize(row);
    sqlite3_close(file);
}

static void test_progress__file_is_for_its_owner_alone(void **state)
{
    struct place *place = *state;
    struct stat info;
    progress_close(must_open(place->path));
    assert_int_equal(stat(place->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

/* A progress that can't be opened says so, and can be used all the same. */
static void assert_forgets(const char *path, const char *says)
{
    struct progress *progress = progress_open(path);
    assert_non_null(progress);
    assert_non_null(progress_problem(progress));
    if (strstr(progress_problem(progress), says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", progress_problem(progress), says);
    must_attempt(progress, "dot", "pass", 1);
    assert_int_equal(read_back(progress, "dot").n_attempts, 0);
    assert_false(read_back(progress, "dot").passed);
    progress_close(progress);
}

static void test_progress__other_file_is_left_alone(void **state)
{
    struct place *place = *state;
    char bytes[5000], after[5000];
    flat_path(place);
    memset(bytes, 'x', sizeof bytes);
    put_file(place->path, bytes, sizeof bytes);
    assert_forgets(place->path, "it is not a file of attn");
    FILE *file = fopen(place->path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(after, 1, sizeof after, file), sizeof after);
    assert_memory_equal(after, bytes, sizeof bytes);
    fclose(file);
}

/* Every page but the first overwritten, as after a disk went bad. */
static void test_progress__damaged_file_ends_nothing(void **state)
{
    struct place *place = *state;
    struct error error;
    struct exercise_progress found;
    char noise[4096];
    flat_path(place);
    struct progress *progress = must_open(place->path);
    for (int i = 0; i < 5; i++)
        must_attempt(progress, "dot", "wrong_answer", i);
    progress_close(progress);
    memset(noise, 0xA5, sizeof noise);
    FILE *file = fopen(place->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 3 * (long)sizeof noise);
    assert_int_equal(fseek(file, sizeof noise, SEEK_SET), 0);
    for (long at = sizeof noise; at < size; at += (long)sizeof noise)
        assert_int_equal(fwrite(noise, 1, sizeof noise, file), sizeof noise);
    fclose(file);
    progress = progress_open(place->path);
    assert_non_null(progress);
    assert_null(progress_problem(progress)); /* the first page tells nothing */
    assert_error(progress_exercise(progress, "dot", &found, &error), error, ERR_FILE);
    assert_says(error, "it is damaged");
    assert_error(progress_exercise_attempt(progress, "dot", "pass", "", 1, &error), error,
                 ERR_FILE);
    progress_close(progress);
}

static void test_progress__newer_file_is_left_alone(void **state)
{
    struct place *place = *state;
    sqlite3 *file;
    flat_path(place);
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    sqlite3_exec(file, "CREATE TABLE later (x); PRAGMA user_version = 999", NULL, NULL, NULL);
    sqlite3_close(file);
    assert_forgets(place->path, "a newer attn wrote it");
}

static void test_progress__file_where_a_folder_should_be(void **state)
{
    struct place *place = *state;
    char path[256];
    flat_path(place);
    put_file(place->path, "x", 1);
    snprintf(path, sizeof path, "%s/state/progress.db", place->path);
    assert_forgets(path, "Not a directory");
    assert_forgets(place->folder, "Is a directory");
}

static void test_progress__no_home(void **state)
{
    (void)state;
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    assert_forgets(NULL, "there is no home folder");
}

static void test_progress__follows_the_state_home(void **state)
{
    struct place *place = *state;
    char path[256];
    setenv("HOME", place->folder, 1);
    setenv("XDG_STATE_HOME", "relative/is/ignored", 1);
    progress_close(must_open(NULL));
    snprintf(path, sizeof path, "%s/.local/state/attn/progress.db", place->folder);
    assert_int_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/chosen", place->folder);
    setenv("XDG_STATE_HOME", path, 1);
    progress_close(must_open(NULL));
    snprintf(path, sizeof path, "%s/chosen/attn/progress.db", place->folder);
    assert_int_equal(access(path, F_OK), 0);
}

/* Runs in a child as an ordinary user, to whom permissions apply. */
static int try_read_only(const char *path)
{
    struct error error;
    struct exercise_progress found;
    struct text theme = {0};
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
        return 1;
    struct progress *progress = progress_open(path);
    if (progress == NULL || progress_problem(progress) == NULL ||
        strstr(progress_problem(progress), "may not be written") == NULL)
        return 2;
    if (!progress_exercise(progress, "dot", &found, &error) || !found.passed)
        return 3;
    if (progress_exercise_attempt(progress, "dot", "pass", "", 1, &error) ||
        strstr(error.text, "may not be written") == NULL)
        return 4;
    if (!progress_setting(progress, "theme", &theme) || strcmp(text_string(&theme), "dark") != 0)
        return 5;
    if (progress_set_setting(progress, "theme", "light", &error) ||
        strstr(error.text, "may not be written") == NULL)
        return 6;
    text_release(&theme);
    progress_close(progress);
    return 0;
}

static int status_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* What is there is shown, and the learner is told that nothing is added. */
static void test_progress__read_only_file_is_read(void **state)
{
    struct place *place = *state;
    struct error error;
    flat_path(place);
    struct progress *progress = must_open(place->path);
    must_attempt(progress, "dot", "pass", 9);
    assert_true(progress_set_setting(progress, "theme", "dark", &error));
    progress_close(progress);
    assert_int_equal(chmod(place->path, 0444), 0);
    assert_int_equal(chmod(place->folder, 0555), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(try_read_only(place->path));
    int status = status_of(child);
    assert_int_equal(chmod(place->folder, 0755), 0);
    assert_int_equal(status, 0);
}

/* Runs in a child: files may not grow beyond what the progress has now, as on a full disk. */
static int try_full(const char *path)
{
    struct error error;
    struct stat info;
    struct progress *progress = progress_open(path);
    if (progress == NULL || stat(path, &info) != 0)
        return 1;
    struct rlimit limit = {.rlim_cur = (rlim_t)info.st_size, .rlim_max = (rlim_t)info.st_size};
    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    for (int i = 0; i < 1000; i++)
        if (!progress_exercise_attempt(progress, "dot", "wrong_answer", "", i, &error))
            return error.kind == ERR_FILE && strstr(error.text, path) != NULL ? 0 : 3;
    return 4;
}

static void test_progress__full_disk_is_an_error_in_a_sentence(void **state)
{
    struct place *place = *state;
    struct progress *progress = must_open(place->path);
    must_attempt(progress, "dot", "pass", 9);
    pid_t child = fork();
    if (child == 0)
        _exit(try_full(place->path));
    assert_int_equal(status_of(child), 0);
    assert_true(read_back(progress, "dot").passed); /* and the file is whole */
    progress_close(progress);
}

enum { WRITERS = 4, EVENTS = 10 };

static int write_events(const char *path, int writer)
{
    struct error error;
    struct progress *progress = progress_open(path);
    if (progress == NULL || progress_problem(progress) != NULL)
        return 1;
    for (int i = 0; i < EVENTS; i++)
        if (!progress_exercise_attempt(progress, "dot", "wrong_answer", "", 100 * writer + i,
                                       &error) ||
            !progress_exercise_hint(progress, "dot", (unsigned)(EVENTS * writer + i + 1), 1,
                                    &error))
            return 2;
    progress_close(progress);
    return 0;
}

/* All start on a file that is not there yet, so that they make the schema at once. */
static void test_progress__several_at_once_lose_nothing(void **state)
{
    struct place *place = *state;
    pid_t children[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(write_events(place->path, i));
    }
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(status_of(children[i]), 0);
    struct progress *progress = must_open(place->path);
    assert_int_equal(read_back(progress, "dot").n_attempts, WRITERS * EVENTS);
    assert_int_equal(read_back(progress, "dot").n_hints, WRITERS * EVENTS);
    progress_close(progress);
}

/* The setting's value, or "none". */
static void assert_setting(struct progress *progress, const char *name, const char *value)
{
    struct text text = {0};
    text_put(&text, "before ");
    if (!progress_setting(progress, name, &text))
        text_put(&text, "none");
    assert_memory_equal(text_string(&text), "before ", 7);
    assert_string_equal(text_string(&text) + 7, value);
    text_release(&text);
}

static void must_set(struct progress *progress, const char *name, const char *value)
{
    struct error error;
    if (!progress_set_setting(progress, name, value, &error))
        fail_msg("%s", error.text);
}

static void test_progress__settings_last(void **state)
{
    struct place *place = *state;
    struct progress *progress = must_open(place->path);
    assert_setting(progress, "theme", "none");
    must_set(progress, "theme", "dark");
    must_set(progress, "palette", "it's \"viridis\"");
    must_set(progress, "empty", "");
    assert_setting(progress, "theme", "dark");
    progress_close(progress);
    progress = must_open(place->path);
    assert_setting(progress, "theme", "dark");
    assert_setting(progress, "palette", "it's \"viridis\"");
    assert_setting(progress, "empty", "");
    assert_setting(progress, "them", "none");
    must_set(progress, "theme", "light"); /* the last one holds */
    assert_setting(progress, "theme", "light");
    progress_close(progress);
}

static void test_progress__settings_without_a_file(void **state)
{
    struct place *place = *state;
    struct progress *progress = progress_open(place->folder); /* no file */
    assert_non_null(progress);
    must_set(progress, "theme", "dark");
    assert_setting(progress, "theme", "none");
    progress_close(progress);
}

static void test_progress__a_setting_without_memory(void **state)
{
    struct place *place = *state;
    struct text text = {0};
    struct progress *progress = must_open(place->path);
    must_set(progress, "theme", "dark");
    testing_fail_allocation(1); /* of the text: SQLite's are its own */
    assert_false(progress_setting(progress, "theme", &text));
    testing_fail_allocation(0);
    assert_int_equal(text.size, 0);
    assert_true(progress_setting(progress, "theme", &text));
    assert_string_equal(text_string(&text), "dark");
    text_release(&text);
    progress_close(progress);
}

/* The schema of version 2 with a row in each table, as the attn before settings wrote it. */
static const char version_2[] =
    "CREATE TABLE attempts (id INTEGER PRIMARY KEY, exercise TEXT NOT NULL,"
    " verdict TEXT NOT NULL, misconception TEXT NOT NULL, time_s INTEGER NOT NULL);"
    "CREATE INDEX attempts_of_exercise ON attempts (exercise, id);"
    "CREATE TABLE hints (exercise TEXT NOT NULL, hint INTEGER NOT NULL, time_s INTEGER NOT NULL,"
    " PRIMARY KEY (exercise, hint)) WITHOUT ROWID;"
    "CREATE TABLE plays (id INTEGER PRIMARY KEY, lesson TEXT NOT NULL, begun_s INTEGER NOT NULL,"
    " last_s INTEGER NOT NULL, finished_s INTEGER, turn INTEGER NOT NULL);"
    "CREATE INDEX plays_of_lesson ON plays (lesson, turn);"
    "CREATE INDEX plays_by_turn ON plays (turn);"
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, play INTEGER NOT NULL, page TEXT NOT NULL,"
    " turn INTEGER NOT NULL);"
    "CREATE INDEX runs_of_play ON runs (play, turn);"
    "CREATE TABLE lines (run INTEGER NOT NULL, number INTEGER NOT NULL, lines TEXT NOT NULL,"
    " PRIMARY KEY (run, number)) WITHOUT ROWID;"
    "CREATE TABLE events (id INTEGER PRIMARY KEY, lesson TEXT NOT NULL, question TEXT NOT NULL,"
    " kind TEXT NOT NULL, detail TEXT NOT NULL, number INTEGER NOT NULL, took_ms INTEGER NOT NULL,"
    " time_s INTEGER NOT NULL, play INTEGER, is_review INTEGER NOT NULL,"
    " showing INTEGER NOT NULL);"
    "CREATE INDEX events_of_question ON events (lesson, question, id);"
    "CREATE INDEX events_of_play ON events (play, question, id);"
    "CREATE TABLE reviews (lesson TEXT NOT NULL, question TEXT NOT NULL, step INTEGER NOT NULL,"
    " due_s INTEGER NOT NULL, PRIMARY KEY (lesson, question)) WITHOUT ROWID;"
    "PRAGMA user_version = 2;"
    "INSERT INTO attempts VALUES (1, 'dot', 'pass', '', 60);"
    "INSERT INTO hints VALUES ('dot', 2, 55);"
    "INSERT INTO plays VALUES (1, 'scaling', 100, 120, NULL, 3);"
    "INSERT INTO runs VALUES (1, 1, 'spread', 3);"
    "INSERT INTO lines VALUES (1, 1, 'a = 1');"
    "INSERT INTO events VALUES (1, 'scaling', 'q', 'wrong', '7', 1, 900, 110, 1, 0, 1);"
    "INSERT INTO reviews VALUES ('scaling', 'q', 1, 90000);";

/* All rows of a table, a line each. */
static void read_table(sqlite3 *file, const char *table, struct text *out)
{
    char sql[200];
    sqlite3_stmt *row;
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(file, sql, -1, &row, NULL), SQLITE_OK);
    while (sqlite3_step(row) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(row); i++) {
            const char *column = (const char *)sqlite3_column_text(row, i);
            text_format(out, "%s|", column != NULL ? column : "NULL");
        }
        text_char(out, '\n');
    }
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
}

/* What a file of version 2 holds. */
static void read_all(const char *path, struct text *out)
{
    static const char *const tables[] = {
        "attempts",
        "hints",
        "plays",
        "runs",
        "lines",
        "(SELECT id, lesson, question, kind, detail, number, took_ms, time_s, play, is_review,"
        " showing FROM events)",
        "reviews"};
    sqlite3 *file;
    assert_int_equal(sqlite3_open(path, &file), SQLITE_OK);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        read_table(file, tables[i], out);
    sqlite3_close(file);
}

static void test_progress__a_file_without_settings_gets_them(void **state)
{
    struct place *place = *state;
    struct text before = {0}, after = {0};
    sqlite3 *file;
    flat_path(place);
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, version_2, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
    read_all(place->path, &before);
    assert_non_null(strstr(text_string(&before), "scaling|q|1|90000|\n"));
    struct progress *progress = must_open(place->path);
    assert_setting(progress, "theme", "none");
    must_set(progress, "theme", "dark");
    assert_true(read_back(progress, "dot").passed);
    assert_int_equal(read_back(progress, "dot").n_hints, 2);
    progress_close(progress);
    read_all(place->path, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    progress = must_open(place->path);
    assert_setting(progress, "theme", "dark");
    progress_close(progress);
    text_release(&before);
    text_release(&after);
}

/* A file in which lessons still have numbers: what was done at 14-dropout is dropout's. */
static void test_progress__lessons_lose_their_numbers(void **state)
{
    static const char numbered[] =
        "INSERT INTO plays VALUES (2, '14-dropout', 200, 220, NULL, 4);"
        "INSERT INTO runs VALUES (2, 2, 'coins', 4);"
        "INSERT INTO lines VALUES (2, 1, 'p = 0.5\n');"
        "INSERT INTO events VALUES (2, '14-dropout', 'a', 'right', '1', 0, 500, 210, 2, 0, 2);"
        "INSERT INTO events VALUES (3, '16-cost', 'b', 'wrong', '1', 0, 500, 215, NULL, 1, 3);"
        "INSERT INTO reviews VALUES ('16-cost', 'b', 0, 500);"
        "INSERT INTO reviews VALUES ('19-cost', 'b', 2, 700);"
        "INSERT INTO reviews VALUES ('19-cost', 'c', 2, 600);"
        "INSERT INTO reviews VALUES ('my-own', 'd', 2, 800);";
    struct place *place = *state;
    struct attempt attempt;
    struct text lines = {0}, reviews = {0};
    struct lesson_record record;
    struct error error;
    char page[PROGRESS_NAME_BYTES], last[PROGRESS_NAME_BYTES];
    bool found;
    sqlite3 *file;
    flat_path(place);
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, version_2, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(file, numbered, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(file);
    struct progress *progress = must_open(place->path);
    assert_null(progress_problem(progress));
    assert_true(progress_last_lesson(progress, last, &error));
    assert_string_equal(last, "dropout");
    assert_true(progress_lesson(progress, "cost", &record, &error));
    assert_int_equal(record.took_ms, 500);
    assert_true(attempt_resume(progress, "dropout", 300, &attempt, page, &lines, &found, &error));
    assert_true(found);
    assert_string_equal(page, "coins");
    assert_string_equal(text_string(&lines), "p = 0.5\n");
    progress_close(progress);
    assert_int_equal(sqlite3_open(place->path, &file), SQLITE_OK);
    read_table(file, "reviews", &reviews);
    sqlite3_close(file);
    assert_string_equal(text_string(&reviews),
                        "cost|b|0|500|\ncost|c|2|600|\nmy-own|d|2|800|\nscaling|q|1|90000|\n");
    text_release(&lines);
    text_release(&reviews);
}

static void test_progress__no_memory_opens_nothing(void **state)
{
    (void)state;
    testing_fail_allocation(1);
    struct progress *progress = progress_open("/nowhere");
    testing_fail_allocation(0);
    assert_null(progress);
    progress_close(NULL);
}

#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_progress__nobody_tried_is_all_zero),
        PLACE_TEST(test_progress__attempts_last_beyond_the_run),
        PLACE_TEST(test_progress__hints_count_the_furthest),
        PLACE_TEST(test_progress__quotes_in_names_are_letters),
        PLACE_TEST(test_progress__misconceptions_are_kept),
        PLACE_TEST(test_progress__file_is_for_its_owner_alone),
        PLACE_TEST(test_progress__other_file_is_left_alone),
        PLACE_TEST(test_progress__damaged_file_ends_nothing),
        PLACE_TEST(test_progress__newer_file_is_left_alone),
        PLACE_TEST(test_progress__file_where_a_folder_should_be),
        PLACE_TEST(test_progress__no_home),
        PLACE_TEST(test_progress__follows_the_state_home),
        PLACE_TEST(test_progress__read_only_file_is_read),
        PLACE_TEST(test_progress__full_disk_is_an_error_in_a_sentence),
        PLACE_TEST(test_progress__several_at_once_lose_nothing),
        PLACE_TEST(test_progress__settings_last),
        PLACE_TEST(test_progress__settings_without_a_file),
        PLACE_TEST(test_progress__a_setting_without_memory),
        PLACE_TEST(test_progress__a_file_without_settings_gets_them),
        PLACE_TEST(test_progress__lessons_lose_their_numbers),
        PLACE_TEST(test_progress__no_memory_opens_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
