/* exercise/learner_files.h: where a learner's files are, and which exercise the learner is at. The
 * exercises are empty folders, but for the two that are read, which are attn's own. */
#include "testing.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "exercise/exercises.h"
#include "exercise/learner_files.h"
#include "files/file.h"
#include "lang_testing.h"

/* A folder of its own, which is the working directory, and attn's exercises. */
struct room {
    char folder[64], before[LEARNER_PATH_BYTES];
    struct catalogue catalogue;
    struct progress *progress;
};

static int enter_room(void **state)
{
    struct room *room = calloc(1, sizeof *room);
    struct error error;
    assert_non_null(room);
    snprintf(room->folder, sizeof room->folder, "/tmp/attn-learner-XXXXXX");
    assert_non_null(getcwd(room->before, sizeof room->before));
    assert_non_null(mkdtemp(room->folder));
    assert_true(catalogue_open(testing_data_dir(), NULL, &room->catalogue, &error));
    assert_int_equal(chdir(room->folder), 0);
    char path[128];
    snprintf(path, sizeof path, "%s/progress.db", room->folder);
    room->progress = progress_open(path);
    assert_non_null(room->progress);
    *state = room;
    return 0;
}

static int leave_room(void **state)
{
    struct room *room = *state;
    char command[128];
    progress_close(room->progress);
    catalogue_release(&room->catalogue);
    snprintf(command, sizeof command, "rm -rf '%s'", room->folder);
    int code = chdir(room->before) + system(command); /* NOLINT: a name of our own */
    free(room);
    return code;
}

static void put_file(const char *path, const char *bytes)
{
    assert_true(file_replace(path, bytes, strlen(bytes), 0600));
}

/* Sets the time of a file's last change, in seconds since 1970. */
static void change_at(const char *path, time_t time_s)
{
    const struct timespec times[2] = {{.tv_sec = time_s}, {.tv_sec = time_s}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void solve(struct room *room, const char *id)
{
    struct error error;
    assert_true(progress_exercise_attempt(room->progress, id, "pass", "", 1, &error));
}

static struct exercise *load(const struct room *room, const char *id)
{
    struct exercise *exercise;
    struct error error;
    assert_true(
        catalogue_load(&room->catalogue, catalogue_entry(&room->catalogue, id), &exercise, &error));
    return exercise;
}

/* ---- the folder and the file ---- */

static void test_learner_folder__here_or_in_the_folder_that_start_makes(void **state)
{
    struct room *room = *state;
    char path[LEARNER_PATH_BYTES];
    assert_false(learner_folder(&room->catalogue, ".", path));
    assert_int_equal(mkdir(LEARNER_FOLDER, 0700), 0);
    put_file(LEARNER_FOLDER "/notes.c", "");
    assert_false(learner_folder(&room->catalogue, ".", path));
    put_file(LEARNER_FOLDER "/01_dot.c", "");
    assert_true(learner_folder(&room->catalogue, ".", path));
    assert_string_equal(path, LEARNER_FOLDER);
    assert_true(learner_folder(&room->catalogue, room->folder, path));
    assert_true(strncmp(path, room->folder, strlen(room->folder)) == 0);
    put_file("dot.c", "");
    assert_true(learner_folder(&room->catalogue, ".", path));
    assert_string_equal(path, ".");
}

static void test_learner_folder__a_folder_is_no_file(void **state)
{
    struct room *room = *state;
    char path[LEARNER_PATH_BYTES];
    assert_int_equal(mkdir("01_dot.c", 0700), 0);
    assert_false(learner_folder(&room->catalogue, ".", path));
}

static void test_learner_file__its_number_may_be_missing(void **state)
{
    struct room *room = *state;
    const struct catalogue_entry *entry = catalogue_entry(&room->catalogue, "dot");
    char path[LEARNER_PATH_BYTES];
    struct error error;
    assert_true(learner_file(entry, ".", path, &error));
    assert_string_equal(path, "01_dot.c");
    assert_false(path_is_file(path));
    put_file("dot.c", "");
    assert_true(learner_file(entry, ".", path, &error));
    assert_string_equal(path, "dot.c");
    assert_true(path_is_file(path));
    assert_true(catalogue_entry_has_file(entry, "dot.c"));
    assert_true(catalogue_entry_has_file(entry, "01_dot.c"));
    assert_false(catalogue_entry_has_file(entry, "dot"));
}

/* ---- the starter ---- */

static void test_learner_source__touched_and_written_are_two_questions(void **state)
{
    struct room *room = *state;
    struct exercise *exercise = load(room, "dot");
    struct text source = {0};
    text_put(&source, exercise->starter);
    assert_true(learner_source_untouched(exercise, text_string(&source), source.size));
    assert_true(learner_source_is_starter(exercise, text_string(&source), source.size));
    text_put(&source, "\r\n  ");
    assert_false(learner_source_untouched(exercise, text_string(&source), source.size));
    assert_true(learner_source_is_starter(exercise, text_string(&source), source.size));
    text_put(&source, "x");
    assert_false(learner_source_is_starter(exercise, text_string(&source), source.size));
    text_release(&source);
    exercise_free(exercise);
}

/* Comments, spaces, joined lines and statements that do nothing are no attempt; any other token is
 * one. */
static void test_learner_source__a_starter_is_known_by_its_tokens(void **state)
{
    static const char *const starters[] = {
        "// Anna, group 3\n#include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b)"
        "{ return 0.0f; }",
        "#include <stddef.h> float dot(size_t n,const float*a,const float*b){(void)a;return 0.0f;}",
        "#include <stddef.h>\nfloat dot(size_t n, const float *a, /* the other */ const float *b)\n"
        "{ (void)n; (void) /* so what */ b; (void)b; ret\\\nurn 0.0f; } /* \"' */",
    };
    static const char *const attempts[] = {
        "#include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b) { return 0.1f; }",
        "#include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b)"
        "{ ret urn 0.0f; }",
        "#include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b)"
        "{ (void)\"n\"; return 0.0f; }",
        "#include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b)"
        "{ (void)n /* ; */ return 0.0f; }",
        "/* #include <stddef.h>\nfloat dot(size_t n, const float *a, const float *b)"
        "{ return 0.0f; }",
        "",
    };
    struct exercise *exercise = load(*state, "dot");
    for (size_t i = 0; i < COUNT_OF(starters); i++)
        if (!learner_source_is_starter(exercise, starters[i], strlen(starters[i])))
            fail_msg("no starter: %s", starters[i]);
    for (size_t i = 0; i < COUNT_OF(attempts); i++)
        if (learner_source_is_starter(exercise, attempts[i], strlen(attempts[i])))
            fail_msg("a starter: %s", attempts[i]);
    exercise_free(exercise);
}

/* ---- which exercise ---- */

static void test_learner_current__the_file_that_was_changed_last(void **state)
{
    struct room *room = *state;
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    struct error error;
    assert_error(learner_current(&room->catalogue, room->progress, ".", &exercise, path, &error),
                 error, ERR_FILE);
    assert_says(error, "this folder: no exercises are here; attn start");
    put_file("04_softmax_rows.c", "mine");
    put_file("01_dot.c", "mine");
    change_at("01_dot.c", 1000);
    change_at("04_softmax_rows.c", 2000);
    assert_true(learner_current(&room->catalogue, room->progress, ".", &exercise, path, &error));
    assert_string_equal(exercise->id, "softmax-rows");
    assert_string_equal(path, "04_softmax_rows.c");
    exercise_free(exercise);
}

static void test_learner_current__an_untouched_starter_leads_to_the_first_unsolved(void **state)
{
    struct room *room = *state;
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise = load(room, "softmax-rows");
    struct error error;
    put_file("softmax_rows.c", exercise->starter);
    exercise_free(exercise);
    solve(room, "dot");
    assert_true(learner_current(&room->catalogue, room->progress, ".", &exercise, path, &error));
    assert_int_equal(exercise->number, 2);
    exercise_free(exercise);
}

/* Makes folders in folders up to a path of `size` bytes, and goes into the last one. */
static void enter_long_path(struct room *room, char path[LEARNER_PATH_BYTES], size_t size)
{
    size_t used = (size_t)snprintf(path, LEARNER_PATH_BYTES, "%s", room->folder);
    while (used < size) {
        char name[201];
        size_t n = size - used - 1 < 200 ? size - used - 1 : 200;
        n -= size - used - 1 - n == 1; /* a folder's name needs a byte of its own */
        memset(name, 'd', n);
        name[n] = '\0';
        assert_int_equal(mkdir(name, 0700), 0);
        assert_int_equal(chdir(name), 0);
        used += (size_t)snprintf(path + used, LEARNER_PATH_BYTES - used, "/%s", name);
    }
    assert_int_equal(used, size);
}

/* The path of the short file fits, that of the next exercise does not: this was a failure without
 * an error. */
static void test_learner_current__a_path_that_is_too_long_is_an_error(void **state)
{
    struct room *room = *state;
    char folder[LEARNER_PATH_BYTES], path[LEARNER_PATH_BYTES];
    struct exercise *exercise = load(room, "dot");
    struct error error = {.kind = ERR_NONE};
    enter_long_path(room, folder, LEARNER_PATH_BYTES - 1 - strlen("/dot.c"));
    put_file("dot.c", exercise->starter);
    exercise_free(exercise);
    solve(room, "dot");
    assert_error(learner_current(&room->catalogue, room->progress, folder, &exercise, path, &error),
                 error, ERR_FILE);
    assert_says(error, "its path would be too long");
    assert_int_equal(chdir(room->folder), 0);
}

static void test_learner_next__after_a_number_then_from_the_first(void **state)
{
    struct room *room = *state;
    size_t n = room->catalogue.n;
    const struct catalogue_entry *entries = room->catalogue.entries;
    assert_ptr_equal(learner_next(&room->catalogue, room->progress, 0), &entries[0]);
    assert_ptr_equal(learner_next(&room->catalogue, room->progress, entries[2].number),
                     &entries[3]);
    for (size_t i = 1; i < n; i++)
        solve(room, entries[i].id);
    assert_ptr_equal(learner_next(&room->catalogue, room->progress, 5), &entries[0]);
    solve(room, entries[0].id);
    assert_null(learner_next(&room->catalogue, room->progress, 0));
}

static void test_learner_find__files_and_names(void **state)
{
    struct room *room = *state;
    char path[LEARNER_PATH_BYTES];
    struct exercise *exercise;
    struct error error;
    assert_error(learner_find(&room->catalogue, room->progress, "dot", &exercise, path, &error),
                 error, ERR_FILE);
    assert_error(learner_find(&room->catalogue, room->progress, "dto", &exercise, path, &error),
                 error, ERR_NAME);
    assert_int_equal(mkdir(LEARNER_FOLDER, 0700), 0);
    put_file(LEARNER_FOLDER "/01_dot.c", "mine");
    static const char *const arguments[] = {"dot", "1", "01_dot.c", "01-dot"};
    for (size_t i = 0; i < COUNT_OF(arguments); i++) {
        assert_true(
            learner_find(&room->catalogue, room->progress, arguments[i], &exercise, path, &error));
        assert_string_equal(exercise->id, "dot");
        assert_string_equal(path, LEARNER_FOLDER "/01_dot.c");
        exercise_free(exercise);
    }
    assert_true(
        learner_find(&room->catalogue, room->progress, "elsewhere/dot.c", &exercise, path, &error));
    assert_string_equal(path, "elsewhere/dot.c");
    exercise_free(exercise);
}

#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, enter_room, leave_room)

static void test_catalogue_count__those_that_are_solved(void **state)
{
    struct room *room = *state;
    struct course_count count = {.n_exercises = 0};
    struct error error;
    assert_true(catalogue_count(testing_data_dir(), room->progress, &count, &error));
    assert_int_equal(count.n_exercises, room->catalogue.n);
    assert_int_equal(count.n_solved, 0);
    assert_true(progress_exercise_attempt(room->progress, "dot", "pass", "", 1, &error));
    assert_true(progress_exercise_attempt(room->progress, "softmax-rows", "wrong", "", 1, &error));
    assert_true(catalogue_count(testing_data_dir(), room->progress, &count, &error));
    assert_int_equal(count.n_solved, 1);
    count = (struct course_count){.n_exercises = 0};
    assert_true(catalogue_count(NULL, room->progress, &count, &error));
    assert_true(catalogue_count("nowhere", room->progress, &count, &error));
    assert_int_equal(count.n_exercises, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_ROOM(test_learner_folder__here_or_in_the_folder_that_start_makes),
        IN_ROOM(test_learner_folder__a_folder_is_no_file),
        IN_ROOM(test_learner_file__its_number_may_be_missing),
        IN_ROOM(test_learner_source__a_starter_is_known_by_its_tokens),
        IN_ROOM(test_learner_source__touched_and_written_are_two_questions),
        IN_ROOM(test_learner_current__the_file_that_was_changed_last),
        IN_ROOM(test_learner_current__an_untouched_starter_leads_to_the_first_unsolved),
        IN_ROOM(test_learner_current__a_path_that_is_too_long_is_an_error),
        IN_ROOM(test_learner_next__after_a_number_then_from_the_first),
        IN_ROOM(test_learner_find__files_and_names),
        IN_ROOM(test_catalogue_count__those_that_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
