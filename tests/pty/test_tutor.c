/* The full screen as a person meets it: real keys, a mouse, windows that change their size, and all
 * the ways in which it can end. What must be on the screen is waited for; nothing sleeps.
 *
 * golden/NAME.txt are whole screens. Each begins with lines that say what it shows, behind "# ".
 * With ATTN_UPDATE_SCREENS=1 they are written anew. */
#include "screen.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* cmocka.h needs the first two. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include "course/course.h"
#include "course/page.h"
#include "course/player.h"
#include "course/progress.h"

#define ESCAPE "\x1b"
#define CTRL_C "\x03"
#define CTRL_L "\x0c"
#define CTRL_Z "\x1a"

static struct screen screen;
static char home[64]; /* of the tests that start attn twice, or look into it */

static int close_screen(void **state)
{
    (void)state;
    screen_close(&screen);
    screen_home_remove(home);
    return 0;
}

#define TUTOR(...)                 \
    (const char *const[])          \
    {                              \
        "tutor", __VA_ARGS__, NULL \
    }

static void start(const struct screen_options *options)
{
    static const char *const tutor[] = {"tutor", NULL};
    struct screen_options all = *options;
    if (all.arguments == NULL)
        all.arguments = tutor;
    screen_open(&screen, &all);
}

/* Home, of 80 columns and 24 rows. */
static void start_home(void)
{
    start(&(struct screen_options){0});
    screen_wait(&screen, "q quit");
}

static void start_lesson(int rows, int cols)
{
    start(&(struct screen_options){
        .rows = rows, .cols = cols, .arguments = TUTOR("softmax", "--ascii")});
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
    screen_wait_at(&screen, rows - 1, "n next");
}

static void start_explorer(int rows, int cols)
{
    start(&(struct screen_options){.rows = rows, .cols = cols, .arguments = TUTOR("--ascii")});
    screen_wait(&screen, "Explore attention freely");
    screen_press(&screen, VTERM_KEY_DOWN, VTERM_MOD_NONE);
    screen_press(&screen, VTERM_KEY_ENTER, VTERM_MOD_NONE);
    screen_wait_at(&screen, 0, "Explore");
    screen_wait_at(&screen, rows - 1, "Enter why");
}

static void press(VTermKey key)
{
    screen_press(&screen, key, VTERM_MOD_NONE);
}

static void enter(void)
{
    press(VTERM_KEY_ENTER);
}

/* Types at the prompt, which is in focus, waits until it is shown, and presses Enter. */
static void say(const char *line)
{
    screen_type(&screen, line);
    screen_wait(&screen, line);
    enter();
}

static void assert_shows(const char *text)
{
    if (!screen_shows(&screen, text))
        screen_wait(&screen, text); /* fails with the screen in its message */
}

/* The last row, where the key bar is. */
static void wait_keys(const char *text)
{
    screen_wait_at(&screen, screen.rows - 1, text);
}

static void quit(const char *key)
{
    screen_type(&screen, key);
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_given_back(&screen));
}

/* Golden screens. */

static FILE *open_golden(const char *name, const char *mode)
{
    char path[1024];
    assert_non_null(getenv("ATTN_TEST_SCREENS"));
    snprintf(path, sizeof path, "%s/%s.txt", getenv("ATTN_TEST_SCREENS"), name);
    FILE *file = fopen(path, mode);
    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    return file;
}

/* Reads the file; *ret_screen is where the screen begins, behind what is said about it. */
static char *read_golden(const char *name, char **ret_screen)
{
    enum { CAPACITY = 64 * 1024 };
    char *text = malloc(CAPACITY);
    FILE *file = open_golden(name, "r");
    assert_non_null(text);
    text[fread(text, 1, CAPACITY - 1, file)] = '\0';
    fclose(file);
    *ret_screen = text;
    while (strncmp(*ret_screen, "# ", 2) == 0)
        *ret_screen += strcspn(*ret_screen, "\n") + 1;
    return text;
}

static void write_golden(const char *name, const char *said, size_t size)
{
    screen_settle(&screen, 300, SCREEN_WAIT_MS);
    FILE *file = open_golden(name, "w");
    char *shown = screen_text(&screen);
    assert_int_equal(fwrite(said, 1, size, file), size);
    assert_true(fputs(shown, file) >= 0);
    assert_int_equal(fclose(file), 0);
    free(shown);
}

static void wait_golden(const char *name)
{
    char *wanted, *text = read_golden(name, &wanted);
    if (getenv("ATTN_UPDATE_SCREENS") != NULL)
        write_golden(name, text, (size_t)(wanted - text));
    else
        screen_wait_all(&screen, wanted);
    free(text);
}

static void test_tutor__golden_screens(void **state)
{
    (void)state;
    start(&(struct screen_options){.arguments = TUTOR("--ascii")});
    wait_golden("home");
    (void)close_screen(NULL);
    start_lesson(24, 100);
    screen_type(&screen, "nnn");
    wait_golden("lesson");
    (void)close_screen(NULL);
    start_explorer(24, 80);
    screen_type(&screen, "]]]]]]");
    enter();
    wait_golden("why");
    screen_resize(&screen, 10, 50);
    wait_golden("small");
}

/* Home. */

static const char *chosen_row(void)
{
    for (int row = 0; row < screen.rows; row++)
        if (screen_look(&screen, row, 1).reverse)
            return screen_row(&screen, row);
    return "";
}

static bool is_chosen(struct screen *unused, const char *text)
{
    (void)unused;
    return strstr(chosen_row(), text) != NULL;
}

static void wait_chosen(const char *text)
{
    screen_wait_for(&screen, is_chosen, text);
}

static void test_tutor__home_lists_the_lessons(void **state)
{
    (void)state;
    start_home();
    assert_shows("Begin with lesson 1");
    assert_shows("Explore attention freely");
    assert_shows("1  Why attention");
    assert_true(screen.is_alternate);
    assert_false(screen_is_cooked(&screen));
    wait_chosen("Begin with lesson 1");
    press(VTERM_KEY_DOWN);
    wait_chosen("Explore attention freely");
    screen_type(&screen, "j"); /* over the heading */
    wait_chosen("1  Why attention");
    screen_type(&screen, "k");
    wait_chosen("Explore attention freely");
    press(VTERM_KEY_UP);
    press(VTERM_KEY_UP);
    wait_chosen("Begin with lesson 1");
    press(VTERM_KEY_END);
    wait_chosen("min"); /* the last one of the list */
    press(VTERM_KEY_HOME);
    wait_chosen("Begin with lesson 1");
    press(VTERM_KEY_PAGEDOWN);
    screen_wait_for(&screen, is_chosen, "min");
    press(VTERM_KEY_PAGEUP);
    wait_chosen("Begin with lesson 1");
    quit("q");
}

static void test_tutor__home_opens_a_lesson_and_remembers_it(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Begin with lesson 1");
    enter();
    screen_wait_at(&screen, 0, "Why attention   page 1 of ");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of ");
    screen_type(&screen, ESCAPE);
    screen_wait(&screen, "Go on where you stopped");
    assert_shows("under way");
    quit("q");
    screen_close(&screen);
    start(&(struct screen_options){.home = home});
    screen_wait(&screen, "Go on where you stopped");
    enter();
    screen_wait_at(&screen, 0, "Why attention   page 2 of ");
    quit("q");
}

static void test_tutor__home_with_the_mouse(void **state)
{
    (void)state;
    start_home();
    screen_wait(&screen, "Softmax");
    int row = screen_find_row(&screen, 0, "6  Softmax");
    assert_true(row > 0);
    screen_click(&screen, row, 10);
    wait_chosen("6  Softmax");
    screen_wheel(&screen, row, 10, 1);
    wait_chosen("7  Masking");
    screen_wheel(&screen, row, 10, -1);
    wait_chosen("6  Softmax");
    screen_click(&screen, row, 10); /* the wheel's time lies between: two clicks on one place */
    screen_click(&screen, row, 10);
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
}

/* Keys that are everywhere. */

static void test_tutor__tab_goes_round_the_panes(void **state)
{
    (void)state;
    start_lesson(24, 110);
    screen_type(&screen, "\t");
    wait_keys("Enter why");
    screen_type(&screen, "\t");
    wait_keys("PgUp scroll");
    assert_true(screen.cursor_visible);
    screen_type(&screen, "\t");
    wait_keys("n next");
    screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
    wait_keys("PgUp scroll");
    screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
    wait_keys("Enter why");
    screen_type(&screen, "/");
    wait_keys("PgUp scroll");
    screen_type(&screen, ESCAPE);
    wait_keys("n next");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open"); /* home */
}

static void test_tutor__clicks_choose_the_pane(void **state)
{
    (void)state;
    start_lesson(30, 110);
    screen_click(&screen, 5, 90);
    wait_keys("Enter why");
    screen_click(&screen, 5, 10);
    wait_keys("n next");
    screen_click(&screen, 25, 10);
    wait_keys("PgUp scroll");
}

static void test_tutor__redraws_what_others_wrote_over(void **state)
{
    (void)state;
    start_home();
    const char *rubbish = "\x1b[5;5HRUBBISH";
    vterm_input_write(screen.terminal, rubbish, strlen(rubbish));
    assert_shows("RUBBISH");
    screen_type(&screen, CTRL_L);
    screen_wait_gone(&screen, "RUBBISH");
    assert_shows("Explore attention freely");
}

static void test_tutor__q_and_ctrl_c_quit(void **state)
{
    (void)state;
    start_home();
    quit("q");
    screen_close(&screen);
    start_home();
    quit(CTRL_C);
    screen_close(&screen);
    start_home();
    screen_type(&screen, "/");
    wait_keys("PgUp scroll");
    screen_type(&screen, "quit");
    screen_wait(&screen, "attn> quit");
    quit("\r");
}

/* Sizes. */

static void test_tutor__a_resize_loses_nothing(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 100, .cols = 300, .arguments = TUTOR("softmax")});
    screen_wait_at(&screen, 0, "page 1 of ");
    screen_type(&screen, "nnn");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "/");
    screen_type(&screen, "kept = 6 * 7");
    screen_wait(&screen, "> kept = 6 * 7");
    enter();
    screen_type(&screen, "half a li");
    screen_wait(&screen, "> half a li");
    screen_settle(&screen, 300, 3000);
    char *before = screen_text(&screen);

    screen_resize(&screen, 16, 60);
    screen_wait(&screen, "> half a li");
    screen_resize(&screen, 5, 20);
    screen_wait(&screen, "attn needs 60 colum");
    screen_resize(&screen, 100, 300);
    screen_wait_all(&screen, before);
    free(before);
}

static void test_tutor__a_resize_keeps_the_answer_that_is_typed(void **state)
{
    (void)state;
    start_lesson(40, 200);
    screen_type(&screen, "nnn");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "h");
    screen_wait(&screen, "Hint 1 of 2");
    screen_type(&screen, "7.25");
    screen_wait(&screen, "your answer: 7.25");
    screen_resize(&screen, 40, 90);
    screen_settle(&screen, 300, 3000); /* the page is laid out anew a moment later */
    screen_type(&screen, "5");
    screen_wait(&screen, "your answer: 7.255");
    assert_shows("Hint 1 of 2");
}

static void test_tutor__too_small_says_what_it_needs(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 15, .cols = 59});
    screen_wait(&screen, "attn needs 60 columns and 16 rows");
    screen_wait(&screen, "this window has 59 and 15");
    screen_type(&screen, "nnn\r\t/x"); /* does nothing that is not seen */
    screen_settle(&screen, 200, 2000);
    screen_resize(&screen, 16, 60);
    screen_wait(&screen, "Begin with lesson 1");
    wait_keys("Enter open");
    screen_resize(&screen, 1, 10);
    screen_wait(&screen, "attn needs");
    quit("q");
}

static bool fits(struct screen *shown, const char *text)
{
    return strstr(screen_row(shown, 0), "attn") != NULL && screen_shows(shown, text);
}

static void test_tutor__all_sizes_are_drawn(void **state)
{
    (void)state;
    start_explorer(24, 80);
    for (int rows = 16; rows <= 100; rows += 7)
        for (int cols = 60; cols <= 300; cols += 40) {
            screen_resize(&screen, rows, cols);
            screen_wait_at(&screen, rows - 1, "Enter why");
            screen_wait_for(&screen, fits, "E from embed");
        }
}

/* Colours. */

struct terminal {
    const char *term, *colorterm;
    bool colours;
};

static void test_tutor__any_terminal(void **state)
{
    (void)state;
    static const struct terminal terminals[] = {
        {"TERM=xterm-256color", NULL, true}, {"TERM=xterm-256color", "COLORTERM=truecolor", true},
        {"TERM=xterm", NULL, true},          {"TERM=linux", NULL, true},
        {"TERM=screen", NULL, true},         {"TERM=screen-256color", NULL, true},
        {"TERM=tmux", NULL, true},           {"TERM=tmux-256color", "COLORTERM=truecolor", true},
        {"TERM=vt100", NULL, false},
    };
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++) {
        const char *const settings[] = {terminals[i].term, terminals[i].colorterm, NULL};
        start(&(struct screen_options){.settings = settings});
        screen_wait(&screen, "Explore attention freely");
        screen_wait(&screen, "q quit");
        screen_type(&screen, "j\r");
        screen_wait(&screen, "E from embed");
        screen_type(&screen, "]]]]v");
        screen_wait(&screen, "highest");
        if (screen_has_colour(&screen) != terminals[i].colours)
            fail_msg("%s: colours %d", terminals[i].term, !terminals[i].colours);
        quit("q");
        screen_close(&screen);
    }
}

static void test_tutor__dumb_terminals_are_told_of_the_line_mode(void **state)
{
    (void)state;
    static const char *const terms[] = {"TERM=dumb", "TERM=", "TERM=nobody-knows-me"};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        start(&(struct screen_options){.settings = (const char *const[]){terms[i], NULL}});
        assert_int_equal(screen_wait_exit(&screen), 1);
        assert_shows("attn repl");
        assert_true(screen_is_given_back(&screen));
        screen_close(&screen);
    }
}

static void test_tutor__no_color_and_color_never(void **state)
{
    (void)state;
    const char *const *const arguments[] = {TUTOR("--color", "never"), TUTOR("--ascii")};
    static const char *const settings[] = {"NO_COLOR=1", NULL};
    for (size_t i = 0; i < 2; i++) {
        start(&(struct screen_options){.settings = i == 1 ? settings : NULL,
                                       .arguments = arguments[i]});
        screen_wait(&screen, "q quit");
        screen_type(&screen, "j\r]]]]v");
        screen_wait(&screen, "highest");
        assert_false(screen_has_colour(&screen));
        quit("q");
        screen_close(&screen);
    }
}

static void assert_ascii(void)
{
    char *text = screen_text(&screen);
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            fail_msg("not ASCII: %.20s", c);
    free(text);
}

static void test_tutor__ascii_is_ascii(void **state)
{
    (void)state;
    start_lesson(40, 110);
    assert_ascii();
    screen_type(&screen, "nnnh");
    screen_wait(&screen, "Hint 1 of");
    assert_ascii();
    screen_type(&screen, "\tv]]]]]]vv");
    screen_wait(&screen, "weights");
    screen_settle(&screen, 100, 3000);
    assert_ascii();
    screen_type(&screen, "\tnope\r");
    screen_wait(&screen, "no such name");
    assert_ascii();
}

/* A whole lesson, by keys. */

struct learner {
    struct course course;
    const struct course_entry *entry;
    struct lesson *lesson;
    struct session session; /* runs what the lesson runs, for its answers */
};

static void open_learner(struct learner *learner, const char *id)
{
    struct error error;
    const char *data = getenv("ATTN_DATA_DIR");
    *learner = (struct learner){0};
    if (!course_open(data, &learner->course, &error) ||
        !course_find(&learner->course, id, &learner->entry, &error) ||
        !lesson_read(learner->entry->path, &learner->lesson, &error))
        fail_msg("%s", error.text);
    session_init(&learner->session, &(struct settings){.digits = 4, .width_cols = 80}, data, NULL);
}

static void close_learner(struct learner *learner)
{
    session_release(&learner->session);
    lesson_free(learner->lesson);
    course_release(&learner->course);
}

static struct tensor *value_of(struct learner *learner, const char *expression, struct value *value)
{
    struct error error;
    if (!session_peek(&learner->session, NULL, expression, value, &error))
        fail_msg("%s: %s", expression, error.text);
    assert_int_equal(value->kind, VALUE_NODE);
    return &value->as.node->value;
}

/* Types a number into the field and gives it. */
static void answer_number(float number)
{
    char digits[40], shown[64];
    snprintf(digits, sizeof digits, "%.6f", (double)number);
    snprintf(shown, sizeof shown, "your answer: %s", digits);
    screen_type(&screen, digits);
    screen_wait(&screen, shown);
    enter();
    screen_wait_gone(&screen, shown);
}

static void answer_numbers(struct learner *learner, const char *expression)
{
    struct value value;
    const struct tensor *numbers = value_of(learner, expression, &value);
    for (size_t i = 0; i < tensor_size(numbers); i++)
        answer_number(tensor_at_position(numbers, i));
    value_release(&value);
}

static void pick(const char *digit)
{
    screen_type(&screen, digit);
    screen_wait(&screen, "[x]");
    enter();
}

/* A wrong option, what it is told, and the right one. */
static void answer_choice(const struct question *question)
{
    if (question->n_wrong > 0) {
        pick(question->wrong[0].is.text);
        screen_wait(&screen, "Not yet.");
        if (screen_shows(&screen, "[x]"))
            screen_type(&screen, question->wrong[0].is.text);
        screen_wait_gone(&screen, "[x]");
    }
    pick(question->answer.text);
}

/* Carries the steps to their places with J and K, one after the other. */
static void answer_order(struct learner *learner, const struct question *question)
{
    struct value value;
    size_t order[16] = {0}, at = 0, n = question->n_options;
    const struct tensor *wanted = value_of(learner, question->answer.text, &value);
    for (size_t i = 0; i < n; i++)
        order[i] = i + 1;
    for (size_t place = 0; place < n; place++) {
        size_t from = place, step = (size_t)tensor_at_position(wanted, place);
        while (from + 1 < n && order[from] != step)
            from++;
        for (; at < from; at++)
            press(VTERM_KEY_DOWN);
        for (; at > from; at--)
            press(VTERM_KEY_UP);
        for (; at > place; at--) {
            screen_type(&screen, "K");
            order[at] = order[at - 1];
        }
        order[place] = step;
    }
    if (n > 1) { /* down and up again */
        press(VTERM_KEY_UP);
        at--;
        screen_type(&screen, "JK");
    }
    value_release(&value);
    enter();
}

static void answer_formula(const char *formula)
{
    char shown[256];
    snprintf(shown, sizeof shown, "your answer: %s", formula);
    screen_type(&screen, "i");
    screen_type(&screen, formula);
    screen_wait(&screen, shown);
    enter();
}

/* True when the page has been left: a question that was skipped. */
static bool answer_question(struct learner *learner, const struct question *question, unsigned n)
{
    if (question->kind == QUESTION_EXERCISE || n == 2) {
        screen_type(&screen, "s");
        return true;
    }
    if (n == 1) {
        screen_type(&screen, "h");
        screen_wait(&screen, "Hint 1 of");
    }
    if (question->kind == QUESTION_NUMBER || question->kind == QUESTION_MATRIX)
        answer_numbers(learner, question->answer.text);
    else if (question->kind == QUESTION_ORDER)
        answer_order(learner, question);
    else if (question->kind == QUESTION_FORMULA)
        answer_formula(question->answer.text);
    else
        answer_choice(question);
    screen_wait(&screen, "Right");
    return false;
}

static void go_through(struct learner *learner)
{
    char title[64];
    unsigned n_asked = 0;
    struct error error;
    for (size_t i = 0; i < learner->lesson->n_pages; i++) {
        const struct page *page = &learner->lesson->pages[i];
        unsigned line;
        bool left = false;
        snprintf(title, sizeof title, "page %zu of %zu", i + 1, learner->lesson->n_pages);
        screen_wait_at(&screen, 0, title);
        assert_true(page_run(&learner->session, page, NULL, &line, &error));
        if (page->question != NULL)
            left = answer_question(learner, page->question, n_asked++);
        if (page->offer.text != NULL) {
            assert_true(code_run(&learner->session, &page->offer, NULL, &line, &error));
            screen_type(&screen, "n"); /* runs it */
        }
        if (!left)
            screen_type(&screen, "n");
    }
}

static void test_tutor__a_lesson_by_keys(void **state)
{
    (void)state;
    struct learner learner;
    struct lesson_record record;
    struct error error;
    char path[128];
    open_learner(&learner, "softmax");
    screen_home_new(home);
    start(&(struct screen_options){
        .rows = 50, .cols = 110, .home = home, .arguments = TUTOR("softmax", "--ascii")});
    go_through(&learner);
    screen_wait(&screen, "You can now");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open");
    screen_wait(&screen, "done, ");
    quit("q");
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    assert_true(progress_lesson(progress, learner.entry->file_name, &record, &error));
    assert_true(record.finished);
    progress_close(progress);
    close_learner(&learner);
}

static void test_tutor__lesson_keys(void **state)
{
    (void)state;
    start_lesson(24, 100);
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of");
    screen_type(&screen, "b");
    screen_wait_at(&screen, 0, "page 1 of");
    enter(); /* nothing is asked: on */
    screen_wait_at(&screen, 0, "page 2 of");
    press(VTERM_KEY_PAGEDOWN);
    screen_wait(&screen, "next runs it");
    enter();
    screen_wait(&screen, "highest 20.0855"); /* what was offered to type */
    enter();
    screen_wait_at(&screen, 0, "page 3 of");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "12.");
    screen_wait(&screen, "your answer: 12.");
    press(VTERM_KEY_BACKSPACE);
    press(VTERM_KEY_BACKSPACE);
    screen_type(&screen, "9");
    screen_wait(&screen, "your answer: 19");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "your answer: 19");
    screen_wait_at(&screen, 0, "page 3 of");
    screen_type(&screen, "2");
    screen_wait(&screen, "your answer: 2");
    enter();
    screen_wait(&screen, "Not yet.");
    press(VTERM_KEY_HOME);
    screen_wait_at(&screen, 1, "");
    press(VTERM_KEY_END);
    screen_wait(&screen, "Not yet.");
    screen_type(&screen, "n"); /* the question waits */
    screen_wait(&screen, "skip");
    screen_type(&screen, "s");
    screen_wait_at(&screen, 0, "page 4 of");
}

/* The explorer. */

static void test_tutor__explorer_keys(void **state)
{
    (void)state;
    start_explorer(30, 140);
    screen_wait(&screen, "[E] > Q K V");
    screen_type(&screen, "]");
    screen_wait(&screen, "[Q]");
    screen_type(&screen, "[");
    screen_wait(&screen, "[E]");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_RIGHT);
    screen_wait(&screen, "E[\"shiny\", 1] = 0.34");
    press(VTERM_KEY_UP);
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
    press(VTERM_KEY_END);
    screen_wait(&screen, "E[\"sun\", 0]");
    press(VTERM_KEY_HOME);
    screen_wait(&screen, "E[\"Hello\", 0]");
    screen_type(&screen, "m");
    screen_wait(&screen, "causal mask");
    screen_wait(&screen, "masked");
    screen_type(&screen, "m");
    screen_wait(&screen, "last word hidden");
    screen_type(&screen, "m");
    screen_wait(&screen, "no mask");
    screen_type(&screen, "s");
    screen_wait(&screen, "not scaled");
    screen_wait_gone(&screen, "> scaled >");
    screen_type(&screen, "s");
    screen_wait(&screen, "> scaled >");
    screen_type(&screen, "+");
    screen_wait(&screen, "temperature 1.41");
    screen_type(&screen, "-");
    screen_wait_gone(&screen, "temperature 1.41");
    screen_type(&screen, "H");
    screen_wait(&screen, "head 1/2");
    screen_type(&screen, "2");
    screen_wait(&screen, "head 2/2");
    screen_type(&screen, "HHH");
    screen_wait_gone(&screen, "head 2/");
    screen_type(&screen, "v");
    screen_wait(&screen, "highest");
    screen_type(&screen, "v");
    screen_wait(&screen, "query");
    screen_type(&screen, "v");
    screen_wait_gone(&screen, "query");
}

static bool has_three_marks(struct screen *shown, const char *what)
{
    (void)what;
    return screen_count_rows(shown, "*") >= 3;
}

static void test_tutor__an_edit_repaints_all_that_depends_on_it(void **state)
{
    (void)state;
    start_explorer(30, 110);
    screen_type(&screen, "e2.5");
    screen_wait(&screen, "2.5");
    enter();
    screen_wait(&screen, "changed, marked *");
    screen_wait(&screen, "2.5000*");
    screen_type(&screen, "]]]]]]]"); /* context */
    screen_wait(&screen, "[context]");
    screen_wait_for(&screen, has_three_marks, "* in three rows");
    screen_type(&screen, "u");
    screen_wait_gone(&screen, "1 edit");
    screen_type(&screen, "[[[[[[[[");
    screen_wait(&screen, "[E]");
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
    screen_type(&screen, "enonsense");
    enter();
    screen_wait(&screen, "this is no number");
    screen_type(&screen, "e1" ESCAPE);
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
}

static void test_tutor__from_context_down_to_an_embedding_and_back(void **state)
{
    (void)state;
    static const char *const stations[] = {"context[", "weights[", "scaled[", "scores["};
    start_explorer(30, 110);
    screen_type(&screen, "]]]]]]]");
    screen_wait(&screen, "[context]");
    for (size_t i = 0; i < 4; i++) {
        enter();
        screen_wait(&screen, "  = "); /* the arithmetic */
        screen_wait(&screen, stations[i]);
    }
    enter(); /* Q */
    enter(); /* E */
    screen_wait(&screen, "from embed");
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
    screen_wait(&screen, "[E]");
    for (int i = 0; i < 4; i++)
        press(VTERM_KEY_BACKSPACE);
    screen_wait(&screen, "[weights]");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "  = ");
    screen_wait(&screen, "[context]");
    wait_keys("Enter why");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open");
}

static void test_tutor__explorer_with_the_mouse(void **state)
{
    (void)state;
    start_explorer(30, 110);
    screen_wait(&screen, "[E] > Q");
    int row = screen_find_row(&screen, 0, "[E] > Q");
    const char *text = screen_row(&screen, row);
    int col = (int)(strstr(text, "scores") - text);
    screen_click(&screen, row, col + 1);
    screen_wait(&screen, "[scores]");
    screen_wait(&screen, "1.3569");
    int cell_row = screen_find_row(&screen, row + 2, "shiny ");
    cell_row = screen_find_row(&screen, cell_row + 1, "shiny");
    text = screen_row(&screen, cell_row);
    col = (int)(strstr(text, "1.3569") - text);
    screen_click(&screen, cell_row, col + 2);
    screen_wait(&screen, "scores[\"shiny\", \"shiny\"] = 1.3569");
    screen_click(&screen, cell_row, col + 2);
    screen_wait(&screen, "  = "); /* a second click opens it */
}

/* The prompt. */

static void start_prompt(const struct screen_options *options)
{
    start(options);
    screen_wait(&screen, "q quit");
    screen_type(&screen, "/");
    wait_keys("PgUp scroll");
}

static void test_tutor__prompt_computes_and_marks_errors(void **state)
{
    (void)state;
    int row, col;
    start_prompt(&(struct screen_options){.rows = 40});
    say("Q = ones(3, 2)");
    screen_wait(&screen, "Q  3x2");
    say("Q @ Q");
    screen_wait(&screen, "the inner sizes differ");
    screen_wait(&screen, "  ^^^^^");
    say("sum(Q) * 7");
    screen_wait(&screen, "42");
    screen_type(&screen, "half");
    screen_wait(&screen, "attn> half");
    screen_cursor(&screen, &row, &col);
    assert_true(screen.cursor_visible);
    assert_int_equal(col, 10);
    assert_string_equal(screen_row(&screen, row), "attn> half");
}

static void test_tutor__prompt_completes(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, "softm\t");
    screen_wait(&screen, "attn> softmax");
    screen_type(&screen, "\x15"); /* Ctrl-U */
    screen_wait_gone(&screen, "attn> softmax");
    screen_type(&screen, "ma\t\t");
    screen_wait(&screen, "masked_fill");
    screen_wait(&screen, "matmul");
    screen_type(&screen, "x"); /* the choices go with the next key */
    screen_wait_gone(&screen, "matmul");
}

static void test_tutor__prompt_remembers_lines(void **state)
{
    (void)state;
    screen_home_new(home);
    start_prompt(&(struct screen_options){.rows = 40, .home = home});
    say("first = 1");
    screen_wait(&screen, "first = 1");
    say("second = 2");
    screen_wait_row(&screen, "attn>");
    press(VTERM_KEY_UP); /* the one just given */
    screen_wait_row(&screen, "attn> second = 2");
    press(VTERM_KEY_UP);
    screen_wait_row(&screen, "attn> first = 1");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    screen_wait_row(&screen, "attn>");
    screen_type(&screen, "quit");
    screen_wait(&screen, "> quit");
    quit("\r");
    screen_close(&screen);
    start_prompt(&(struct screen_options){.rows = 40, .home = home});
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> quit");
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> second = 2");
    press(VTERM_KEY_UP);
    screen_wait(&screen, "attn> first = 1");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "attn> second = 2");
}

static void test_tutor__prompt_goes_on_while_a_bracket_is_open(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, "sum([1,\r");
    screen_wait(&screen, "  ...");
    screen_type(&screen, "41])\r");
    screen_wait(&screen, "42");
    screen_type(&screen, "sum([1,\r2,\r37, 3])\r"); /* as pasted */
    screen_wait(&screen, "43");
}

/* While something is computed Ctrl-C is a signal; else it is a key. */
static bool is_computing(struct screen *shown, const char *what)
{
    struct termios mode;
    (void)what;
    return tcgetattr(shown->pty, &mode) == 0 && (mode.c_lflag & ISIG) != 0;
}

static void test_tutor__ctrl_c_stops_a_computation(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    say("A = ones(6000, 6000)");
    screen_wait(&screen, "A  6000x6000");
    say("B = A @ A"); /* 432 GFLOP: it would take minutes */
    screen_wait_for(&screen, is_computing, "Ctrl-C as a signal");
    screen_type(&screen, CTRL_C);
    screen_wait(&screen, "stopped");
    say("6 * 7");
    screen_wait(&screen, "42");
    screen_type(&screen, ESCAPE);
    wait_keys("Enter open");
    quit("q");
}

/* Ends. */

static void test_tutor__ends_when_it_is_told_to(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP};
    for (size_t i = 0; i < 2; i++) {
        start_lesson(24, 100);
        assert_false(screen_is_given_back(&screen));
        kill(screen.program, signals[i]);
        (void)screen_wait_exit(&screen);
        assert_true(screen_is_given_back(&screen));
        screen_close(&screen);
    }
}

static void test_tutor__ends_when_its_window_is_closed(void **state)
{
    (void)state;
    start_lesson(24, 100);
    screen_hang_up(&screen);
    (void)screen_wait_exit(&screen);
}

static void test_tutor__a_crash_gives_the_terminal_back_and_says_where_to_look(void **state)
{
    (void)state;
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE};
    char path[128];
    for (size_t i = 0; i < 3; i++) {
        screen_home_new(home);
        start(&(struct screen_options){.home = home, .arguments = TUTOR("softmax")});
        screen_wait_at(&screen, 0, "page 1 of ");
        wait_keys("n next");
        kill(screen.program, signals[i]);
        assert_int_equal(screen_wait_exit(&screen), -signals[i]);
        assert_true(screen_is_given_back(&screen));
        assert_shows("it crashed");
        snprintf(path, sizeof path, "%s/state/attn/crash.txt", home);
        assert_int_equal(access(path, R_OK), 0);
        screen_close(&screen);
        screen_home_remove(home);
    }
}

/* A shell whose child it is. */
static void test_tutor__ctrl_z_and_fg(void **state)
{
    (void)state;
    char set[1100];
    snprintf(set, sizeof set, "ATTN=%s", getenv("ATTN"));
    start(&(struct screen_options){.program = "/bin/sh",
                                   .arguments = (const char *const[]){"-i", NULL},
                                   .settings =
                                       (const char *const[]){set, "PS1=shell> ", "ENV=", NULL}});
    screen_wait(&screen, "shell>");
    screen_type(&screen, "echo before; \"$ATTN\" tutor softmax\n");
    screen_wait_at(&screen, 0, "page 1 of ");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of ");
    screen_type(&screen, CTRL_Z);
    screen_wait(&screen, "before");
    screen_wait_row(&screen, "shell>");
    assert_false(screen.is_alternate);
    assert_true(screen_is_cooked(&screen));
    screen_resize(&screen, 30, 100); /* it has another size when it comes back */
    screen_type(&screen, "fg\n");
    screen_wait_at(&screen, 0, "page 2 of ");
    wait_keys("n next");
    screen_type(&screen, "b");
    screen_wait_at(&screen, 0, "page 1 of ");
    screen_type(&screen, "q");
    screen_wait_row(&screen, "shell>");
    assert_false(screen.is_alternate);
    assert_int_equal(screen.mouse, VTERM_PROP_MOUSE_NONE);
    screen_type(&screen, "exit\n");
    (void)screen_wait_exit(&screen);
}

#define TEST(name) cmocka_unit_test_teardown(test_tutor__##name, close_screen)

/* With an argument, only the tests whose names contain it. */
int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(golden_screens),
        TEST(home_lists_the_lessons),
        TEST(home_opens_a_lesson_and_remembers_it),
        TEST(home_with_the_mouse),
        TEST(tab_goes_round_the_panes),
        TEST(clicks_choose_the_pane),
        TEST(redraws_what_others_wrote_over),
        TEST(q_and_ctrl_c_quit),
        TEST(a_resize_loses_nothing),
        TEST(a_resize_keeps_the_answer_that_is_typed),
        TEST(too_small_says_what_it_needs),
        TEST(all_sizes_are_drawn),
        TEST(any_terminal),
        TEST(dumb_terminals_are_told_of_the_line_mode),
        TEST(no_color_and_color_never),
        TEST(ascii_is_ascii),
        TEST(a_lesson_by_keys),
        TEST(lesson_keys),
        TEST(explorer_keys),
        TEST(an_edit_repaints_all_that_depends_on_it),
        TEST(from_context_down_to_an_embedding_and_back),
        TEST(explorer_with_the_mouse),
        TEST(prompt_computes_and_marks_errors),
        TEST(prompt_completes),
        TEST(prompt_remembers_lines),
        TEST(prompt_goes_on_while_a_bracket_is_open),
        TEST(ctrl_c_stops_a_computation),
        TEST(ends_when_it_is_told_to),
        TEST(ends_when_its_window_is_closed),
        TEST(a_crash_gives_the_terminal_back_and_says_where_to_look),
        TEST(ctrl_z_and_fg),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("tutor", all, NULL, NULL);
}
