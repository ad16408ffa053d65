/* Terminals of many kinds, and all the ways in which the full screen can end. */
#include "screen_testing.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A lesson, its keys, and the way back to the shell, on every kind of terminal. */
static void test_screen_terminal__any_terminal(void **state)
{
    (void)state;
    static const char *const terms[] = {
        "TERM=xterm-256color", "TERM=xterm", "TERM=linux",           "TERM=screen",
        "TERM=vt100",          "TERM=tmux",  "TERM=screen-256color", "TERM=tmux-256color",
        "TERM=rxvt",           "TERM=vt220",
    };
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        const char *const settings[] = {terms[i], NULL};
        start(&(struct screen_options){.settings = settings});
        wait_keys("q quit");
        screen_wait(&screen, "Explore attention freely");
        choose("Explore attention freely"); /* by arrows, as this terminal sends them */
        enter();
        screen_wait(&screen, "E from embed");
        press(VTERM_KEY_RIGHT);
        screen_wait(&screen, "E[\"Hello\", 1]");
        screen_type(&screen, "?");
        screen_wait(&screen, "Keys: Explorer");
        press(VTERM_KEY_ESCAPE);
        screen_wait_gone(&screen, "Keys: Explorer");
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
}

/* Environments, and whether letters outside ASCII can be shown in them. No machine has the first
 * two locales that are named. */
static const struct {
    const char *settings[4];
    bool is_utf8;
} locales[] = {
    {{"LANG="}, true},
    {{"LANG=xx_YY.UTF-8"}, true},
    {{"LC_ALL=xx_YY", "LANG=C"}, true},
    {{"LC_CTYPE=UTF-8"}, true},
    {{"LANG=C.UTF-8"}, true},
    {{"LC_ALL=POSIX"}, false},
    {{"LANG=C"}, false},
    {{"LANG=xx_YY.ISO-8859-1"}, false},
};

static bool shows_only_ascii(void)
{
    char *text = screen_text(&screen);
    bool only = true;
    for (const char *c = text; *c != '\0'; c++)
        only = only && (unsigned char)*c < 0x80;
    free(text);
    return only;
}

/* What is drawn, what is typed, and what attn says about it come from one answer. */
static void test_screen_terminal__letters_in_any_locale(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        start(&(struct screen_options){.settings = locales[i].settings});
        wait_keys("q quit");
        screen_wait(&screen, "Explore attention freely");
        assert_false(screen_shows(&screen, "??")); /* which would stand for a line */
        assert_int_equal(!shows_only_ascii(), locales[i].is_utf8);
        if (locales[i].is_utf8) {
            screen_type(&screen, CTRL_P "tokens(\"h\xC3\xA9llo\")\r");
            screen_wait(&screen, "(\"h\xC3\xA9llo\",)");
        }
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
}

static void test_screen_terminal__letters_typed_in_lines(void **state)
{
    (void)state;
    for (size_t i = 0; locales[i].is_utf8; i++) {
        start(&(struct screen_options){.settings = locales[i].settings, .arguments = ATTN("repl")});
        screen_wait(&screen, "attn>");
        screen_type(&screen,
                    "tokens(\"h\xC3\xA9\xC3\xA8llo\")\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x7f\r");
        screen_wait(&screen, "(\"h\xC3\xA9llo\",)"); /* one letter was deleted, not one byte */
        screen_close(&screen);
    }
}

/* In lines, where those are all that a terminal shows; one that nobody knows is told of them. */
static void test_screen_terminal__lines_on_dumb_terminals(void **state)
{
    (void)state;
    static const struct {
        const char *term, *shows;
        int code;
    } terms[] = {{"TERM=dumb", "context = weights @ V", 0},
                 {"TERM=", "context = weights @ V", 0},
                 {"TERM=nobody-knows-me", "attn repl", 1}};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        start(&(struct screen_options){.settings = (const char *const[]){terms[i].term, NULL},
                                       .arguments = ATTN("explore")});
        assert_int_equal(screen_wait_exit(&screen), terms[i].code);
        assert_shows(terms[i].shows);
        assert_true(screen_is_given_back(&screen));
        screen_close(&screen);
    }
}

/* What terminfo does not have, but a terminal of its family: a name that no machine describes. */
static void test_screen_terminal__unknown_kinds_of_a_known_family(void **state)
{
    (void)state;
    static const char *const terms[] = {
        "TERM=xterm-attn-test",     "TERM=foot-attn-test",   "TERM=ghostty-attn-test",
        "TERM=alacritty-attn-test", "TERM=wezterm-attn",     "TERM=kitty-attn-test",
        "TERM=tmux-attn-test",      "TERM=screen.attn-test", "TERM=rxvt-unicode-attn-test",
    };
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        start(&(struct screen_options){.settings = (const char *const[]){terms[i], NULL}});
        wait_keys("q quit");
        screen_wait(&screen, "Explore attention freely");
        assert_true(screen_has_colour(&screen));
        press(VTERM_KEY_DOWN);
        wait_chosen("Look into a model");
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
    start(&(struct screen_options){.rows = 60,
                                   .cols = 160,
                                   .settings = (const char *const[]){terms[0], NULL},
                                   .arguments = ATTN("doctor")});
    screen_wait(&screen, "xterm-attn-test, which terminfo does not know here; used as xterm");
}

/* Answers of a terminal to the questions that it was asked at the start. */

#define QUESTION "\x1b]11;?"
#define IS_LIGHT "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"
enum { LIGHT_GROUND = 0xFBFBF8, DARK_GROUND = 0x14171C };

static bool has_asked(struct screen *shown, const char *what)
{
    (void)what;
    return shown->n_watched > 0;
}

static bool is_light(struct screen *shown, const char *what)
{
    (void)what;
    return screen_back(shown, shown->rows - 1, shown->cols - 1) == LIGHT_GROUND;
}

static bool is_dark(struct screen *shown, const char *what)
{
    (void)what;
    return screen_back(shown, shown->rows - 1, shown->cols - 1) == DARK_GROUND;
}

static void start_asked(const char *term)
{
    start(&(struct screen_options){.settings =
                                       (const char *const[]){term, "COLORTERM=truecolor", NULL},
                                   .home = home[0] != '\0' ? home : NULL,
                                   .watched = QUESTION,
                                   .says_nothing = true});
    wait_keys("q quit");
    screen_wait(&screen, "Explore attention freely");
}

static void test_screen_terminal__the_background_chooses_the_theme(void **state)
{
    (void)state;
    screen_home_new(home);
    start_asked("TERM=xterm-256color");
    screen_wait_for(&screen, has_asked, "the question for the background");
    screen_wait_for(&screen, is_dark, "the dark theme");
    screen_type(&screen, "\x1b]11;rgb:ffff/ff"); /* the answer comes in two pieces */
    screen_watch(&screen, 60);
    screen_type(&screen, "ff/ffff\x1b\\");
    screen_wait_for(&screen, is_light, "the light theme");
    screen_type(&screen, CTRL_P "theme dark\r"); /* what is chosen counts more */
    screen_wait_for(&screen, is_dark, "the dark theme");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start_asked("TERM=xterm-256color");
    screen_type(&screen, IS_LIGHT CTRL_P "6 * 7\r");
    screen_wait(&screen, "42");
    screen_wait_for(&screen, is_dark, "the dark theme");
    screen_type(&screen, "set theme auto\r");
    screen_wait_for(&screen, is_light, "the light theme");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start_asked("TERM=linux"); /* which would write what it does not understand */
    assert_int_equal(screen.n_watched, 0);
    quit(CTRL_C CTRL_C);
}

/* Wherever the learner is by then; and whoever leaves at once does not find them at the shell. */
static void test_screen_terminal__answers_that_come_late_are_not_typed(void **state)
{
    (void)state;
    static const char late[] = IS_LIGHT "\x1b[?2026;1$y\x1b[?62;4c";
    start_asked("TERM=xterm-256color");
    screen_type(&screen, CTRL_P "6 *");
    screen_wait_row(&screen, "attn> 6 *");
    screen_type(&screen, late);
    screen_wait_for(&screen, is_light, "the light theme");
    screen_type(&screen, " 7\r");
    screen_wait(&screen, "42");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start_asked("TERM=xterm-256color");
    screen_type(&screen, "q");
    screen_type(&screen, late); /* on its way while attn ends */
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_given_back(&screen));
    for (int row = 0; row < screen.rows; row++)
        assert_null(strstr(screen_row(&screen, row), "2026"));
}

static bool is_synchronized(struct screen *shown, const char *what)
{
    (void)what;
    return shown->n_watched > 0;
}

static void test_screen_terminal__frames_are_shown_at_once_where_that_can_be(void **state)
{
    (void)state;
    static const char *const answers[] = {"\x1b[?2026;2$y", "\x1b[?2026;0$y"};
    for (size_t i = 0; i < 2; i++) {
        start(&(struct screen_options){.watched = "\x1b[?2026h", .says_nothing = true});
        wait_keys("q quit");
        screen_wait(&screen, "Explore attention freely");
        screen_type(&screen, answers[i]);
        press(VTERM_KEY_DOWN);
        wait_chosen("Look into a model");
        press(VTERM_KEY_UP);
        if (i == 0)
            screen_wait_for(&screen, is_synchronized, "a frame between its marks");
        wait_chosen("Begin with lesson 1");
        assert_int_equal(screen.n_watched > 0, i == 0);
        quit(CTRL_C CTRL_C);
        screen_close(&screen);
    }
}

static bool has_mouse(struct screen *shown, const char *what)
{
    (void)what;
    return shown->mouse != VTERM_PROP_MOUSE_NONE;
}

static bool has_no_mouse(struct screen *shown, const char *what)
{
    return !has_mouse(shown, what);
}

static void test_screen_terminal__the_mouse_can_be_turned_off(void **state)
{
    (void)state;
    screen_home_new(home);
    start_asked("TERM=xterm-256color");
    screen_wait_for(&screen, has_mouse, "the mouse");
    screen_type(&screen, CTRL_P "set mouse off\r");
    screen_wait_for(&screen, has_no_mouse, "no mouse");
    quit(CTRL_C CTRL_C);
    screen_close(&screen);
    start_asked("TERM=xterm-256color"); /* it was remembered */
    screen_wait_for(&screen, has_no_mouse, "no mouse");
    screen_type(&screen, "\x1b[20~"); /* F9 */
    screen_wait_for(&screen, has_mouse, "the mouse");
    screen_wait(&screen, "Shift");
    screen_type(&screen, CTRL_P "mouse nonsense\r");
    screen_wait(&screen, "there are off, on");
    quit(CTRL_C CTRL_C);
}

/* Over a line so slow that its Escape was taken for the key Esc. */
static void test_screen_terminal__an_arrow_cut_in_two_is_an_arrow(void **state)
{
    (void)state;
    enum { TRIES = 20 }; /* for a machine so busy that the rest comes too late */
    start_home();
    screen_wait(&screen, "Explore attention freely");
    for (int i = 0; i < TRIES && strstr(chosen_row(), "Look into") == NULL; i++) {
        screen_type(&screen, "?");
        screen_wait(&screen, "Keys: ");
        screen_type(&screen, "\x1b"); /* the byte, which waits */
        screen_wait_gone(&screen, "Keys: ");
        uint64_t before = screen_hash(&screen);
        screen_type(&screen, i % 2 == 0 ? "[B" : "OB");
        wait_other(before, "what the arrow does");
        screen_settle(&screen, 50, 1000);
    }
    wait_chosen("Look into a model");
}

/* Without a subcommand, attn opens the screen where one can be shown, else it reads lines. */
static void test_screen_terminal__attn_alone(void **state)
{
    (void)state;
    start(&(struct screen_options){0});
    wait_keys("q quit");
    screen_wait(&screen, "Begin with lesson 1");
    quit("q");
    screen_close(&screen);
    start(&(struct screen_options){.settings = (const char *const[]){"TERM=dumb", NULL}});
    screen_wait(&screen, "attn>");
    assert_false(screen.is_alternate);
    screen_type(&screen, "6 * 7\r");
    screen_wait(&screen, "42");
}

/* A terminal that nobody has described, and data that are not there: attn says so, and reads lines.
 */
static void test_screen_terminal__lines_where_the_screen_cannot_be(void **state)
{
    (void)state;
    static const char *const settings[] = {"TERM=nobody-knows-me", "ATTN_DATA_DIR=/dev"};
    static const char *const words[] = {"nobody-knows-me is not known here", "attn: "};
    for (size_t i = 0; i < 2; i++) {
        start(&(struct screen_options){.settings = (const char *const[]){settings[i], NULL}});
        screen_wait(&screen, words[i]);
        screen_wait(&screen, "attn>");
        assert_false(screen.is_alternate);
        screen_type(&screen, "6 * 7\r");
        screen_wait(&screen, "42");
        screen_type(&screen, "quit\r");
        assert_int_equal(screen_wait_exit(&screen), 0);
        screen_close(&screen);
    }
}

/* By the signal, so that whoever waits for attn sees why it ended; after the terminal was given
 * back. */
static void test_screen_terminal__ends_by_the_signal_that_ends_it(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT};
    static const struct {
        const char *arguments[6];
        const char *shows;
    } rows[] = {
        {{"lesson", "softmax"}, "page 1 of "},
        {{"view"}, "tokens"},
        {{"explore"}, "E from embed"},
        {{"train", "previous", "--steps", "100000"}, "Space"},
        {{"repl"}, "attn>"},
    };
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        for (size_t j = 0; j < sizeof rows / sizeof rows[0]; j++) {
            start(&(struct screen_options){.cols = 100, .arguments = rows[j].arguments});
            screen_wait(&screen, rows[j].shows);
            kill(screen.program, signals[i]);
            int ended = screen_wait_exit(&screen);
            if (ended != -signals[i])
                fail_msg("%s: %d by signal %d", rows[j].arguments[0], ended, signals[i]);
            assert_true(screen_is_given_back(&screen));
            screen_close(&screen);
        }
}

static void test_screen_terminal__ends_when_its_window_is_closed(void **state)
{
    (void)state;
    start_lesson(24, 100);
    screen_hang_up(&screen);
    (void)screen_wait_exit(&screen);
}

static void test_screen_terminal__a_crash_gives_the_terminal_back_and_says_where_to_look(
    void **state)
{
    (void)state;
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE};
    char path[128];
    struct stat report;
    for (size_t i = 0; i < 3; i++) {
        screen_home_new(home);
        start(&(struct screen_options){.home = home, .arguments = LESSON("softmax")});
        screen_wait_at(&screen, 0, "page 1 of ");
        wait_keys("n next");
        kill(screen.program, signals[i]);
        assert_int_equal(screen_wait_exit(&screen), -signals[i]);
        assert_true(screen_is_given_back(&screen));
        assert_shows("it crashed");
        snprintf(path, sizeof path, "%s/state/attn/crash.txt", home);
        assert_true(stat(path, &report) == 0 && report.st_size > 0);
        screen_close(&screen);
        screen_home_remove(home);
    }
}

/* Words are not cut at the edge of a terminal. */
static void test_screen_terminal__a_list_keeps_to_the_width(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 30, .cols = 60, .arguments = ATTN("train")});
    screen_wait(&screen, "Train one");
    int row = screen_find_row(&screen, 0, "induction ");
    assert_true(row >= 0);
    assert_int_equal(strspn(screen_row(&screen, row + 1), " "), 13);
}

/* A shell whose child it is. */
static void test_screen_terminal__ctrl_z_and_fg(void **state)
{
    (void)state;
    char set[1100];
    snprintf(set, sizeof set, "ATTN=%s", getenv("ATTN"));
    start(&(struct screen_options){.program = "/bin/sh",
                                   .arguments = (const char *const[]){"-i", NULL},
                                   .settings =
                                       (const char *const[]){set, "PS1=shell> ", "ENV=", NULL}});
    screen_wait(&screen, "shell>");
    screen_type(&screen, "echo before; \"$ATTN\" lesson softmax\n");
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
    screen_type(&screen, CTRL_B);
    screen_wait_at(&screen, 0, "page 1 of ");
    screen_type(&screen, CTRL_C CTRL_C);
    screen_wait_row(&screen, "shell>");
    assert_false(screen.is_alternate);
    assert_int_equal(screen.mouse, VTERM_PROP_MOUSE_NONE);
    screen_type(&screen, "exit\n");
    (void)screen_wait_exit(&screen);
}

/* A stop from outside gives the terminal back first; attn takes it again when it goes on. */
static void test_screen_terminal__stopped_from_outside(void **state)
{
    (void)state;
    start_lesson(24, 100);
    kill(screen.program, SIGTSTP); /* nobody could wake it: it goes on, painted anew */
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of ");
    assert_true(screen.is_alternate);
    assert_false(screen_is_cooked(&screen));
    kill(screen.program, SIGTERM);
    (void)screen_wait_exit(&screen);
    assert_true(screen_is_given_back(&screen));
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_terminal__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(any_terminal),
        TEST(letters_in_any_locale),
        TEST(letters_typed_in_lines),
        TEST(attn_alone),
        TEST(lines_on_dumb_terminals),
        TEST(lines_where_the_screen_cannot_be),
        TEST(ends_by_the_signal_that_ends_it),
        TEST(unknown_kinds_of_a_known_family),
        TEST(the_background_chooses_the_theme),
        TEST(answers_that_come_late_are_not_typed),
        TEST(frames_are_shown_at_once_where_that_can_be),
        TEST(the_mouse_can_be_turned_off),
        TEST(an_arrow_cut_in_two_is_an_arrow),
        TEST(ends_when_its_window_is_closed),
        TEST(a_crash_gives_the_terminal_back_and_says_where_to_look),
        TEST(ctrl_z_and_fg),
        TEST(stopped_from_outside),
        TEST(a_list_keeps_to_the_width),
    };
    return RUN_TESTS("screen_terminal", all);
}
