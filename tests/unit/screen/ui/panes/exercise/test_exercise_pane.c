/* ui/panes/exercise/exercise_pane.h: the exercise pane, with a grader that is a script of the
 * test's, and with attn. */
#include "lang_testing.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "exercise/workspace.h"
#include "ui/panes/exercise/exercise_pane.h"

enum { ROWS = 20, COLS = 60, LIMIT_MS = 20000, TEXT_BYTES = CANVAS_MAX_COLS * 8 };

#define FILE_1 LEARNER_FOLDER "/01_dot.c"
#define FILE_2 LEARNER_FOLDER "/02_attention_scores.c"

struct fixture {
    char before[4096], home[64]; /* the test's folder, and where it was */
    struct progress *progress;
    struct exercise_pane pane;
    struct canvas canvas;
    char program[128];
    char text[TEXT_BYTES * 8];
    bool ascii;
};

/* ---- files ---- */

static void write_file(const char *path, const char *text, mode_t mode)
{
    assert_true(file_replace(path, text, strlen(text), mode));
    assert_int_equal(chmod(path, mode), 0);
}

static const char *read_file(struct fixture *fixture, const char *path)
{
    struct text text = {0};
    struct error error;
    fixture->text[0] = '\0';
    if (file_read_text(path, sizeof fixture->text - 1, &text, &error))
        snprintf(fixture->text, sizeof fixture->text, "%s", text_string(&text));
    text_release(&text);
    return fixture->text;
}

/* What the script does in the grader's place; it notes how it was called. */
static void grader_does(struct fixture *fixture, const char *commands)
{
    char script[2048];
    snprintf(script, sizeof script, "#!/bin/sh\necho \"$*\" >>calls\n%s\n", commands);
    write_file(fixture->program, script, 0755);
}

static void make_files(struct fixture *fixture)
{
    struct workspace_report report;
    struct error error;
    const struct exercises *all = exercise_pane_list(&fixture->pane, &error);
    assert_non_null(all);
    assert_true(workspace_start(all, LEARNER_FOLDER, testing_data_dir(), &report, &error));
}

static void init(struct fixture *fixture, const char *program, bool ascii)
{
    const struct settings settings = {.digits = 4, .width_cols = 80, .ascii = ascii};
    fixture->ascii = ascii;
    exercise_pane_init(&fixture->pane, &settings, testing_data_dir(), program, fixture->progress);
    exercise_pane_resize(&fixture->pane, ROWS, COLS, ROWS, COLS);
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_non_null(getcwd(fixture->before, sizeof fixture->before));
    snprintf(fixture->home, sizeof fixture->home, "/tmp/attn-pane-XXXXXX");
    assert_non_null(mkdtemp(fixture->home));
    assert_int_equal(chdir(fixture->home), 0);
    assert_int_equal(setenv("XDG_STATE_HOME", fixture->home, 1), 0);
    snprintf(fixture->program, sizeof fixture->program, "%s/grader", fixture->home);
    fixture->progress = progress_open(NULL);
    assert_non_null(fixture->progress);
    assert_true(canvas_resize(&fixture->canvas, ROWS, COLS));
    init(fixture, fixture->program, false);
    grader_does(fixture, "printf 'h5:fine!\\n'");
    *state = fixture;
    return 0;
}

/* A folder with all that is in it. */
static void remove_tree(const char *path)
{
    int status = 1;
    pid_t process = fork();
    if (process == 0) {
        execlp("rm", "rm", "-rf", path, (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_int_equal(status, 0);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    exercise_pane_release(&fixture->pane);
    progress_close(fixture->progress);
    canvas_release(&fixture->canvas);
    assert_int_equal(chdir(fixture->before), 0);
    remove_tree(fixture->home);
    free(fixture);
    return 0;
}

/* ---- the loop ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* One turn of the screen's loop, which wakes after limit_ms at the latest. */
static void turn(struct fixture *fixture, int limit_ms)
{
    struct exercise_pane *pane = &fixture->pane;
    struct pollfd waits[PANE_MAX_FDS];
    int fds[PANE_MAX_FDS];
    int n_fds = exercise_pane_fds(pane, fds);
    for (int i = 0; i < n_fds; i++)
        waits[i] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    int timeout = exercise_pane_timeout_ms(pane);
    timeout = timeout < 0 || timeout > limit_ms ? limit_ms : timeout;
    (void)poll(waits, (nfds_t)n_fds, timeout);
    exercise_pane_tick(pane, now_ms(), true);
}

/* Until nothing is being graded, and at least once. */
static void wait_idle(struct fixture *fixture)
{
    int64_t end = now_ms() + LIMIT_MS;
    do
        turn(fixture, 50);
    while (fixture->pane.job != EXERCISE_PANE_IDLE && now_ms() < end);
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_IDLE);
}

/* What the pane wants; of kind PANE_WANTS_NOTHING for nothing. */
static struct pane_request take_request(struct fixture *fixture)
{
    struct pane_request request = {.kind = PANE_WANTS_NOTHING};
    if (exercise_pane_take_request(&fixture->pane, &request))
        text_release(&request.text);
    return request;
}

/* Whether it wants one of its two panes to be seen. */
static bool wants(struct fixture *fixture, const struct pane_ops *ops)
{
    struct pane_request request = take_request(fixture);
    return request.kind == PANE_SHOW && request.ops == ops;
}

/* Until a save was noticed and graded. */
static void wait_result(struct fixture *fixture)
{
    int64_t end = now_ms() + LIMIT_MS;
    while (!wants(fixture, &exercise_result_ops) && now_ms() < end)
        turn(fixture, 50);
    assert_true(now_ms() < end);
    wait_idle(fixture);
}

/* Long enough for a save to be noticed, where one would be. */
static void wait_quiet(struct fixture *fixture)
{
    for (int64_t end = now_ms() + 700; now_ms() < end;)
        turn(fixture, 50);
}

static void open_exercise(struct fixture *fixture, const char *name)
{
    struct error error;
    if (!exercise_pane_open(&fixture->pane, name, &error))
        fail_msg("%s", error.text);
    exercise_pane_tick(&fixture->pane, now_ms(), true);
}

static void press(struct fixture *fixture, int key)
{
    assert_true(
        exercise_task_request(&fixture->pane, binding_find(exercise_pane_bindings, key), key));
}

/* ---- what is seen ---- */

static const char *canvas_text(struct fixture *fixture)
{
    char *at = fixture->text;
    for (int row = 0; row < fixture->canvas.rows; row++) {
        for (int col = 0; col < fixture->canvas.cols; col++) {
            const char *bytes = fixture->canvas.cells[row * fixture->canvas.cols + col].bytes;
            memcpy(at, bytes, strlen(bytes));
            at += strlen(bytes);
        }
        *at++ = '\n';
    }
    *at = '\0';
    return fixture->text;
}

static const char *task_pane(struct fixture *fixture)
{
    canvas_clear(&fixture->canvas);
    exercise_task_draw(&fixture->pane, canvas_area(&fixture->canvas), true, fixture->ascii);
    return canvas_text(fixture);
}

static const char *result_pane(struct fixture *fixture)
{
    canvas_clear(&fixture->canvas);
    exercise_result_draw(&fixture->pane, canvas_area(&fixture->canvas), true, fixture->ascii);
    return canvas_text(fixture);
}

static void assert_seen(const char *shown, const char *part)
{
    if (strstr(shown, part) == NULL)
        fail_msg("\"%s\" is not shown in:\n%s", part, shown);
}

static void assert_unseen(const char *shown, const char *part)
{
    if (strstr(shown, part) != NULL)
        fail_msg("\"%s\" is shown in:\n%s", part, shown);
}

/* ---- opening ---- */

static void test_exercise_pane__an_exercise_is_opened_by_any_name(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    assert_null(exercise_pane_current(&fixture->pane));
    open_exercise(fixture, "4");
    assert_string_equal(exercise_pane_current(&fixture->pane)->id, "softmax-rows");
    open_exercise(fixture, "dot");
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 1);
    assert_error(exercise_pane_open(&fixture->pane, "dto", &error), error, ERR_NAME);
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 1);
}

static void test_exercise_pane__without_data_it_says_so(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    fixture->pane.data_dir = NULL;
    assert_error(exercise_pane_open(&fixture->pane, "1", &error), error, ERR_FILE);
    assert_false(exercise_task_request(&fixture->pane, REQ_CHECK, 0));
    exercise_pane_tick(&fixture->pane, 0, true);
    assert_int_equal(exercise_pane_timeout_ms(&fixture->pane), -1);
    task_pane(fixture);
    result_pane(fixture);
}

static void test_exercise_pane__the_task_is_shown_with_what_it_computes(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    const char *shown = task_pane(fixture);
    assert_seen(shown, "Exercise 1 of ");
    assert_seen(shown, "   new   about 5 minutes");
    assert_seen(shown, "Dot product of two vectors");
    press(fixture, KEYCODE_PAGE_DOWN);
    assert_seen(task_pane(fixture), "3  2  -6");
}

static void test_exercise_pane__attempts_and_the_last_verdict_are_shown(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    for (int i = 0; i < 2; i++)
        assert_true(
            progress_exercise_attempt(fixture->progress, "dot", "wrong_answer", "", 1, &error));
    open_exercise(fixture, "1");
    assert_seen(task_pane(fixture), "tried, 2 attempts");
    assert_seen(task_pane(fixture), "last time: It runs, but the numbers are not right yet.");
}

static void test_exercise_pane__next_and_back_stop_at_the_ends(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    press(fixture, 'b');
    assert_seen(task_pane(fixture), "This is the first exercise.");
    press(fixture, 'n');
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 2);
    assert_unseen(task_pane(fixture), "This is");
    press(fixture, 'b');
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 1);
    for (size_t i = 0; i < fixture->pane.exercises.n; i++)
        press(fixture, 'n');
    assert_seen(task_pane(fixture), "This is the last exercise.");
}

static void test_exercise_pane__hints_come_one_by_one_and_stay(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    unsigned n = exercise_pane_current(&fixture->pane)->hints.n;
    assert_in_range(n, 2, 9);
    press(fixture, 'h');
    assert_seen(task_pane(fixture), "Hint 1 of");
    assert_unseen(task_pane(fixture), "Hint 2 of");
    for (unsigned i = 1; i < n; i++)
        press(fixture, 'h');
    press(fixture, 'h');
    assert_seen(task_pane(fixture), "Those were all the hints");
    struct exercise_progress done;
    struct error error;
    assert_true(progress_exercise(fixture->progress, "dot", &done, &error));
    assert_int_equal(done.n_hints, n);
}

static void test_exercise_pane__scrolling_stops_at_both_ends(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    press(fixture, KEYCODE_UP);
    assert_int_equal(fixture->pane.scroll.line, 0);
    press(fixture, KEYCODE_END);
    size_t end = fixture->pane.scroll.line;
    assert_true(end > 0);
    press(fixture, KEYCODE_DOWN);
    press(fixture, KEYCODE_PAGE_DOWN);
    assert_int_equal(fixture->pane.scroll.line, end);
    exercise_pane_resize(&fixture->pane, 200, COLS, 200, COLS);
    assert_int_equal(fixture->pane.scroll.line, 0);
}

/* ---- files ---- */

static void test_exercise_pane__without_files_it_offers_to_make_them(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    assert_seen(task_pane(fixture), "w makes the folder");
    press(fixture, 'o');
    assert_true(wants(fixture, &exercise_task_ops));
    assert_seen(task_pane(fixture), "There is no file of yours yet");
    press(fixture, 'c');
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_IDLE);
    grader_does(fixture, "mkdir -p \"$2\"; echo 'int x;' >\"$2/01_dot.c\"");
    press(fixture, 'w');
    wait_idle(fixture);
    assert_string_equal(read_file(fixture, "calls"), "start attn-exercises\n");
    assert_string_equal(fixture->pane.path, FILE_1);
    assert_true(fixture->pane.watches);
    assert_seen(task_pane(fixture), FILE_1);
    assert_seen(task_pane(fixture), "Your files are in attn-exercises");
}

static void test_exercise_pane__what_keeps_files_from_being_made_is_told(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "1");
    grader_does(fixture, "echo 'attn: the disk is full' >&2; exit 1");
    press(fixture, 'w');
    wait_idle(fixture);
    assert_seen(task_pane(fixture), "attn: the disk is full");
}

static void test_exercise_pane__files_of_the_present_folder_count(void **state)
{
    struct fixture *fixture = *state;
    write_file("dot.c", "int x;\n", 0644); /* without its number */
    open_exercise(fixture, "1");
    assert_string_equal(fixture->pane.path, "dot.c");
    press(fixture, 'n');
    assert_string_equal(fixture->pane.path, "");
}

/* ---- grading ---- */

static void test_exercise_pane__a_pass_is_shown_with_the_way_on(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    (void)take_request(fixture);
    assert_seen(result_pane(fixture), "Nothing has been graded yet.");
    press(fixture, KEYCODE_ENTER);
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_GRADES);
    wait_idle(fixture);
    assert_string_equal(read_file(fixture, "calls"), "check --spans 58 --color=never " FILE_1 "\n");
    assert_true(wants(fixture, &exercise_result_ops));
    const char *shown = result_pane(fixture);
    assert_seen(shown, "passed");
    assert_seen(shown, "fine!");
    assert_seen(shown, "n goes to the next: Attention scores for all pairs");
    assert_seen(task_pane(fixture), "passed");
}

static void test_exercise_pane__a_failure_is_shown_as_it_was_printed(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "printf 'i5:wrong\\nd4:0.5*\\n'; exit 1");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "not right yet");
    assert_seen(result_pane(fixture), "0.5*");
    assert_unseen(result_pane(fixture), "n goes to");
    assert_int_equal(fixture->pane.results[0].verdict, EXERCISE_PANE_FAILED);
}

static void test_exercise_pane__results_of_other_exercises_are_kept(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    press(fixture, 'c');
    wait_idle(fixture);
    press(fixture, 'n');
    assert_seen(result_pane(fixture), "Nothing has been graded yet.");
    press(fixture, 'b');
    assert_seen(result_pane(fixture), "fine!");
}

static void grade_with(struct fixture *fixture, const char *commands, const char *shown)
{
    grader_does(fixture, commands);
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "not graded");
    assert_seen(result_pane(fixture), shown);
}

static void test_exercise_pane__a_grader_that_fails_is_no_failure_of_the_learner(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grade_with(fixture, "echo 'attn: no compiler' >&2; exit 3", "attn: no compiler");
    grade_with(fixture, "exit 3", "exit code 3");
    grade_with(fixture, "printf 'h5:fine!\\n'; kill -KILL $$", "signal 9");
    grade_with(fixture, "rm \"$0\"; exit 127", "exit code 127");
    press(fixture, 'c'); /* it is not there any more */
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_IDLE);
    assert_seen(task_pane(fixture), "can't be started");
}

static void test_exercise_pane__damaged_output_is_told(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "printf 'h5:fine!\\na9:cut'; exit 1");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "fine!");
    assert_seen(result_pane(fixture), "cut off or damaged");
}

static void test_exercise_pane__much_output_does_not_stop_the_loop(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "i=0; while [ $i -lt 3000 ]; do "
                         "printf 'a40:0123456789012345678901234567890123456789\\n'; "
                         "echo 'a warning of some length, again and again' >&2; "
                         "i=$((i + 1)); done");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_int_equal(fixture->pane.results[0].verdict, EXERCISE_PANE_PASSED);
    assert_true(fixture->pane.results[0].doc.n_lines > 6000);
}

static void test_exercise_pane__grading_shows_that_it_goes_on(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "sleep 30");
    press(fixture, 'c');
    exercise_pane_tick(&fixture->pane, 1000, true);
    assert_seen(task_pane(fixture), "compiling and running 0.0 s   Escape stops it");
    assert_in_range(exercise_pane_timeout_ms(&fixture->pane), 1, 100);
    exercise_pane_tick(&fixture->pane, 3400, true);
    assert_seen(task_pane(fixture), "compiling and running 2.4 s");
    assert_seen(result_pane(fixture), "compiling and running 2.4 s");
    fixture->ascii = true;
    assert_seen(task_pane(fixture), "- compiling and running 2.4 s");
    exercise_pane_tick(&fixture->pane, 3500, true);
    assert_seen(task_pane(fixture), "\\ compiling and running 2.5 s");
}

/* What explains it is still looked for. */
static void test_exercise_pane__the_verdict_comes_first(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    (void)take_request(fixture);
    grader_does(fixture,
                "echo 'a7:verdict'; printf '\\v\\na3:the'; while [ ! -e go ]; do sleep 0.05; done;"
                "echo 'a4:rest'; exit 1");
    press(fixture, 'c');
    for (int64_t end = now_ms() + LIMIT_MS; now_ms() < end;) {
        turn(fixture, 50);
        if (wants(fixture, &exercise_result_ops))
            break;
    }
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_GRADES);
    assert_seen(result_pane(fixture), "looking closer");
    assert_seen(result_pane(fixture), "verdict");
    assert_null(strstr(result_pane(fixture), "the"));
    write_file("go", "", 0644);
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "not right yet");
    assert_seen(result_pane(fixture), "verdict");
    assert_seen(result_pane(fixture), "therest");
}

/* What the program shows of itself is a page of its own. */
static void test_exercise_pane__s_turns_to_what_is_shown(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    press(fixture, 's');
    assert_seen(task_pane(fixture), "Your program shows nothing");
    grader_does(fixture, "printf 'a7:verdict\\n\\f\\na6:matrix\\n'; exit 1");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "verdict");
    assert_seen(result_pane(fixture), "s goes to what your program shows");
    assert_null(strstr(result_pane(fixture), "matrix"));
    press(fixture, 's');
    assert_seen(result_pane(fixture), "matrix");
    assert_null(strstr(result_pane(fixture), "verdict"));
    press(fixture, 's');
    assert_seen(result_pane(fixture), "verdict");
    press(fixture, 's');
    grader_does(fixture, "printf 'a5:other\\n'; exit 1"); /* which shows nothing any more */
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "other");
}

static void test_exercise_pane__escape_stops_the_grading_and_all_it_started(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "(sleep 1; echo late >late) & sleep 30");
    press(fixture, 'c');
    int64_t begin = now_ms();
    while (read_file(fixture, "calls")[0] == '\0')
        turn(fixture, 5);
    press(fixture, KEYCODE_ESCAPE);
    assert_true(now_ms() - begin < 10000);
    assert_int_equal(fixture->pane.job, EXERCISE_PANE_IDLE);
    assert_seen(task_pane(fixture), "Stopped");
    assert_false(exercise_task_request(&fixture->pane, REQ_CLOSE, 0)); /* now it goes back */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);                  /* no child is left */
    for (int i = 0; i < 3; i++)
        wait_quiet(fixture);
    assert_int_not_equal(access("late", F_OK), 0);
}

static void test_exercise_pane__one_that_will_not_end_is_killed(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "trap '' TERM; echo here >here; while :; do sleep 1; done");
    press(fixture, 'c');
    while (access("here", F_OK) != 0)
        turn(fixture, 5);
    press(fixture, KEYCODE_ESCAPE);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void test_exercise_pane__without_its_own_path_it_says_so(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    fixture->pane.program = NULL;
    press(fixture, 'c');
    assert_seen(task_pane(fixture), "Nothing can be graded");
}

static void test_exercise_pane__a_narrower_pane_is_graded_again_as_no_attempt(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "printf 'a50:01234567890123456789012345678901234567890123456789\\n'");
    press(fixture, 'c');
    wait_idle(fixture);
    (void)take_request(fixture);
    grader_does(fixture, "printf 'a6:narrow\\n'; exit 1");
    exercise_pane_resize(&fixture->pane, ROWS, COLS, ROWS, 40);
    for (int64_t end = now_ms() + LIMIT_MS;
         strstr(result_pane(fixture), "narrow") == NULL && now_ms() < end;)
        turn(fixture, 50);
    assert_seen(read_file(fixture, "calls"), "check --spans 38 --color=never --again " FILE_1);
    assert_int_equal(take_request(fixture).kind, PANE_WANTS_NOTHING);
    exercise_pane_resize(&fixture->pane, ROWS, COLS, ROWS, 30);
    wait_quiet(fixture); /* it fits: nothing is to be done */
    assert_unseen(read_file(fixture, "calls"), "--spans 28");
}

static void test_exercise_pane__long_lines_are_reached_by_the_arrows(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "printf 'a70:%060dabcdefghij\\n' 0; exit 1");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_unseen(result_pane(fixture), "j");
    assert_seen(result_pane(fixture), "\xE2\x80\xBA");
    for (int i = 0; i < 5; i++)
        assert_true(exercise_result_request(&fixture->pane, REQ_RIGHT, 0));
    assert_seen(result_pane(fixture), "abcdefghij");
    assert_int_equal(fixture->pane.result_scroll.col, 70 - 58);
    for (int i = 0; i < 5; i++)
        assert_true(exercise_result_request(&fixture->pane, REQ_LEFT, 0));
    assert_int_equal(fixture->pane.result_scroll.col, 0);
}

/* ---- saves ---- */

/* ---- finding words ---- */

/* Keys as the screen gives them to a pane. */
static void press_in(struct fixture *fixture, const struct pane_ops *ops, const char *keys)
{
    struct pane pane = {ops, &fixture->pane};
    for (; *keys != '\0'; keys++)
        (void)pane_press(pane, *keys == '\n' ? KEYCODE_ENTER : *keys);
}

/* Whether the first of the words' letters has a mark, where they stand first. */
static bool is_marked(const struct fixture *fixture, const char *words, enum canvas_mark mark)
{
    const struct canvas *canvas = &fixture->canvas;
    for (int at = 0; at + (int)strlen(words) <= canvas->rows * canvas->cols; at++) {
        size_t n = 0;
        while (words[n] != '\0' && canvas->cells[at + (int)n].bytes[0] == words[n])
            n++;
        if (words[n] == '\0')
            return (canvas->cells[at].look.marks & (unsigned)mark) != 0;
    }
    return false;
}

static void test_exercise_pane__words_of_the_task_are_found(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "dot");
    assert_unseen(task_pane(fixture), "vectors at right");
    press_in(fixture, &exercise_task_ops, "/VECTORS at right");
    assert_true(exercise_task_ops.types(&fixture->pane));
    assert_seen(task_pane(fixture), "vectors at right");
    assert_seen(task_pane(fixture), "find: VECTORS at right");
    assert_seen(task_pane(fixture), "1 of 1");
    assert_true(is_marked(fixture, "vectors at right", MARK_REVERSE));
    press_in(fixture, &exercise_task_ops,
             "\x15"
             "the products, ret");
    assert_seen(task_pane(fixture), "the products, re");
    press_in(fixture, &exercise_task_ops,
             "\x15"
             "returns");
    assert_seen(task_pane(fixture), "not found");
    press_in(fixture, &exercise_task_ops,
             "\n\x15"
             "word\n"); /* twice in "What it is for" */
    assert_false(exercise_task_ops.types(&fixture->pane));
    assert_seen(task_pane(fixture), "1 of 2");
    press_in(fixture, &exercise_task_ops, "n");
    assert_seen(task_pane(fixture), "2 of 2");
    press_in(fixture, &exercise_task_ops, "jn"); /* scrolling keeps the marks */
    assert_seen(task_pane(fixture), "1 of 2");
    press_in(fixture, &exercise_task_ops, "\x1b");
    assert_unseen(task_pane(fixture), "find:");
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 1);
    press_in(fixture, &exercise_task_ops, "n"); /* is the next exercise again */
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 2);
}

/* Wrapped elsewhere the words are found at their place again. */
static void test_exercise_pane__words_stay_found_in_other_widths(void **state)
{
    struct fixture *fixture = *state;
    open_exercise(fixture, "dot");
    press_in(fixture, &exercise_task_ops, "/the same list of words\n");
    assert_seen(task_pane(fixture), "not found");
    press_in(fixture, &exercise_task_ops,
             "\x15"
             "two words\n");
    assert_true(fixture->pane.find.n > 0);
    for (int cols = 20; cols <= COLS; cols++) {
        exercise_pane_resize(&fixture->pane, 8, cols, 8, cols);
        const struct find *find = &fixture->pane.find;
        assert_int_equal(find->n, 1);
        assert_true(find->place.line >= fixture->pane.scroll.line &&
                    find->place.line < fixture->pane.scroll.line + 8);
    }
}

static void test_exercise_pane__words_of_the_result_are_found(void **state)
{
    struct fixture *fixture = *state;
    grader_does(fixture,
                "i=0; while [ $i -lt 40 ]; do printf 'h7:case %02d\\n' $i; i=$((i+1)); done");
    make_files(fixture);
    open_exercise(fixture, "1");
    press(fixture, KEYCODE_ENTER);
    wait_idle(fixture);
    assert_unseen(result_pane(fixture), "case 31");
    press_in(fixture, &exercise_result_ops, "/Case 3\n");
    assert_seen(result_pane(fixture), "case 30");
    assert_seen(result_pane(fixture), "1 of 10");
    assert_unseen(task_pane(fixture), "find:");   /* the panes search by themselves */
    press_in(fixture, &exercise_result_ops, "N"); /* around: the last line stands over the field */
    assert_seen(result_pane(fixture), "case 39");
    assert_seen(result_pane(fixture), "10 of 10");
    assert_true(is_marked(fixture, "case 39", MARK_UNDERLINE)); /* this one */
    assert_true(is_marked(fixture, "case 38", MARK_REVERSE));
    assert_false(is_marked(fixture, "case 38", MARK_UNDERLINE));
    grader_does(fixture, "printf 'h5:fine!\\n'");
    press(fixture, KEYCODE_ENTER);
    wait_idle(fixture);
    assert_seen(result_pane(fixture), "not found"); /* any more */
}

static void test_exercise_pane__a_save_is_graded_at_once_and_only_once(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    (void)take_request(fixture);
    write_file(FILE_1, "int a;\n", 0644);
    wait_result(fixture);
    write_file(FILE_1, "int a;\n", 0644); /* the same text */
    wait_quiet(fixture);
    write_file(FILE_1, "int b;\n", 0644);
    wait_result(fixture);
    assert_string_equal(read_file(fixture, "calls"), "check --spans 58 --color=never " FILE_1 "\n"
                                                     "check --spans 58 --color=never " FILE_1 "\n");
}

static void test_exercise_pane__a_starter_that_is_saved_is_not_graded(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    write_file(FILE_1, exercise_pane_current(&fixture->pane)->starter, 0644);
    write_file(FILE_2, fixture->pane.exercises.items[1]->starter, 0644);
    wait_quiet(fixture);
    assert_string_equal(read_file(fixture, "calls"), "");
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 1);
}

static void test_exercise_pane__a_save_of_another_exercise_goes_to_it(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    write_file(FILE_2, "int a;\n", 0644);
    (void)take_request(fixture);
    wait_result(fixture);
    assert_int_equal(exercise_pane_current(&fixture->pane)->number, 2);
    assert_string_equal(read_file(fixture, "calls"), "check --spans 58 --color=never " FILE_2 "\n");
}

static void test_exercise_pane__saves_wait_until_the_pane_is_shown(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    (void)take_request(fixture);
    exercise_pane_tick(&fixture->pane, now_ms(), false);
    write_file(FILE_1, "int a;\n", 0644);
    for (int i = 0; i < 10; i++) {
        poll(NULL, 0, 20);
        exercise_pane_tick(&fixture->pane, now_ms(), false);
        assert_int_equal(fixture->pane.job, EXERCISE_PANE_IDLE);
        assert_int_equal(exercise_pane_timeout_ms(&fixture->pane), -1);
    }
    wait_result(fixture);
    assert_seen(result_pane(fixture), "fine!");
}

static void test_exercise_pane__a_save_while_it_is_graded_grades_the_new_text(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    (void)take_request(fixture);
    grader_does(fixture, "grep -q slow \"$4\" && sleep 30; printf 'h3:new\\n'");
    write_file(FILE_1, "slow\n", 0644);
    for (int64_t end = now_ms() + LIMIT_MS;
         read_file(fixture, "calls")[0] == '\0' && now_ms() < end;)
        turn(fixture, 20);
    write_file(FILE_1, "quick\n", 0644);
    wait_result(fixture);
    assert_seen(result_pane(fixture), "new");
}

static void test_exercise_pane__a_folder_that_goes_is_noticed(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    remove_tree(LEARNER_FOLDER);
    wait_quiet(fixture);
    assert_seen(task_pane(fixture), "w makes the folder");
    assert_false(fixture->pane.watches);
}

/* ---- the editor ---- */

static void test_exercise_pane__the_editor_gets_the_file(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    write_file("editor", "#!/bin/sh\necho \"$*\" >edited\necho 'int c;' >\"$2\"\n", 0755);
    assert_int_equal(setenv("VISUAL", "", 1), 0);
    assert_int_equal(setenv("EDITOR", "./editor --wait", 1), 0);
    press(fixture, 'o');
    struct pane_request request = take_request(fixture);
    assert_int_equal(request.kind, PANE_RUN_OUTSIDE);
    assert_true(request.run == exercise_pane_edit);
    exercise_pane_edit(&fixture->pane);
    assert_string_equal(read_file(fixture, "edited"), "--wait " FILE_1 "\n");
    wait_result(fixture); /* what it saved is graded */
    assert_int_equal(setenv("VISUAL", "./no-such-editor", 1), 0);
    exercise_pane_edit(&fixture->pane);
    assert_seen(task_pane(fixture), "./no-such-editor: there is no such editor");
    assert_int_equal(setenv("VISUAL", "false", 1), 0);
    exercise_pane_edit(&fixture->pane);
    assert_seen(task_pane(fixture), "false: it did not end well");
}

/* ---- any size ---- */

static void test_exercise_pane__any_size_is_drawn(void **state)
{
    struct fixture *fixture = *state;
    make_files(fixture);
    open_exercise(fixture, "1");
    grader_does(fixture, "printf 'i5:wrong\\n'; exit 1");
    press(fixture, 'c');
    wait_idle(fixture);
    static const int sizes[][2] = {{1, 1}, {1, 60}, {2, 2}, {3, 9}, {12, 60}, {16, 80}, {90, 300}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        assert_true(canvas_resize(&fixture->canvas, sizes[i][0], sizes[i][1]));
        exercise_pane_resize(&fixture->pane, sizes[i][0], sizes[i][1], sizes[i][0], sizes[i][1]);
        press(fixture, KEYCODE_END);
        task_pane(fixture);
        result_pane(fixture);
    }
}

static void test_exercise_pane__ascii_shows_nothing_else(void **state)
{
    struct fixture *fixture = *state;
    exercise_pane_release(&fixture->pane);
    init(fixture, fixture->program, true);
    make_files(fixture);
    open_exercise(fixture, "1");
    press(fixture, 'c');
    wait_idle(fixture);
    assert_seen(read_file(fixture, "calls"), "--color=never --ascii attn-exercises");
    for (int pass = 0; pass < 2; pass++) {
        const char *shown = pass == 0 ? task_pane(fixture) : result_pane(fixture);
        for (const char *c = shown; *c != '\0'; c++)
            assert_true((unsigned char)*c < 0x80);
    }
}

/* ---- with attn itself ---- */

static const char right[] = "#include <stddef.h>\n"
                            "float dot(size_t n, const float *a, const float *b)\n"
                            "{\n"
                            "    double sum = 0;\n"
                            "    for (size_t i = 0; i < n; i++)\n"
                            "        sum += (double)a[i] * b[i];\n"
                            "    return (float)sum;\n"
                            "}\n";
static const char wrong[] = "#include <stddef.h>\n"
                            "float dot(size_t n, const float *a, const float *b)\n"
                            "{\n"
                            "    (void)n;\n"
                            "    return a[0] * b[0];\n"
                            "}\n";

static void test_exercise_pane__attn_grades_from_red_to_green(void **state)
{
    struct fixture *fixture = *state;
    const char *attn = getenv("ATTN");
    if (attn == NULL)
        skip();
    exercise_pane_release(&fixture->pane);
    init(fixture, attn, false);
    open_exercise(fixture, "1");
    press(fixture, 'w');
    wait_idle(fixture);
    assert_seen(task_pane(fixture), FILE_1);
    write_file(FILE_1, wrong, 0644);
    wait_result(fixture);
    assert_seen(result_pane(fixture), "It runs, but the numbers are not right yet.");
    assert_seen(result_pane(fixture), "known idea");
    assert_seen(task_pane(fixture), "tried, 1 attempt ");
    write_file(FILE_1, right, 0644);
    wait_result(fixture);
    assert_seen(result_pane(fixture), "Right in every case.");
    assert_seen(task_pane(fixture), "solved, 2 attempts");
}

#define exercise_pane_test(name) \
    cmocka_unit_test_setup_teardown(test_exercise_pane__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        exercise_pane_test(an_exercise_is_opened_by_any_name),
        exercise_pane_test(without_data_it_says_so),
        exercise_pane_test(the_task_is_shown_with_what_it_computes),
        exercise_pane_test(attempts_and_the_last_verdict_are_shown),
        exercise_pane_test(next_and_back_stop_at_the_ends),
        exercise_pane_test(hints_come_one_by_one_and_stay),
        exercise_pane_test(scrolling_stops_at_both_ends),
        exercise_pane_test(without_files_it_offers_to_make_them),
        exercise_pane_test(what_keeps_files_from_being_made_is_told),
        exercise_pane_test(files_of_the_present_folder_count),
        exercise_pane_test(a_pass_is_shown_with_the_way_on),
        exercise_pane_test(a_failure_is_shown_as_it_was_printed),
        exercise_pane_test(results_of_other_exercises_are_kept),
        exercise_pane_test(a_grader_that_fails_is_no_failure_of_the_learner),
        exercise_pane_test(damaged_output_is_told),
        exercise_pane_test(much_output_does_not_stop_the_loop),
        exercise_pane_test(grading_shows_that_it_goes_on),
        exercise_pane_test(the_verdict_comes_first),
        exercise_pane_test(s_turns_to_what_is_shown),
        exercise_pane_test(escape_stops_the_grading_and_all_it_started),
        exercise_pane_test(one_that_will_not_end_is_killed),
        exercise_pane_test(without_its_own_path_it_says_so),
        exercise_pane_test(a_narrower_pane_is_graded_again_as_no_attempt),
        exercise_pane_test(long_lines_are_reached_by_the_arrows),
        exercise_pane_test(words_of_the_task_are_found),
        exercise_pane_test(words_stay_found_in_other_widths),
        exercise_pane_test(words_of_the_result_are_found),
        exercise_pane_test(a_save_is_graded_at_once_and_only_once),
        exercise_pane_test(a_starter_that_is_saved_is_not_graded),
        exercise_pane_test(a_save_of_another_exercise_goes_to_it),
        exercise_pane_test(saves_wait_until_the_pane_is_shown),
        exercise_pane_test(a_save_while_it_is_graded_grades_the_new_text),
        exercise_pane_test(a_folder_that_goes_is_noticed),
        exercise_pane_test(the_editor_gets_the_file),
        exercise_pane_test(any_size_is_drawn),
        exercise_pane_test(ascii_shows_nothing_else),
        exercise_pane_test(attn_grades_from_red_to_green),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
