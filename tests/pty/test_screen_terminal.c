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
        press(VTERM_KEY_DOWN); /* an arrow, as this terminal sends it */
        wait_chosen("Explore attention freely");
        enter();
        screen_wait(&screen, "E from embed");
        press(VTERM_KEY_RIGHT);
        screen_wait(&screen, "E[\"Hello\", 1]");
        screen_type(&screen, "?");
        screen_wait(&screen, "Keys: Explorer");
        press(VTERM_KEY_ESCAPE);
        screen_wait_gone(&screen, "Keys: Explorer");
        quit(CTRL_C);
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
        quit(CTRL_C);
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

static void test_screen_terminal__ends_when_it_is_told_to(void **state)
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
    screen_type(&screen, CTRL_C);
    screen_wait_row(&screen, "shell>");
    assert_false(screen.is_alternate);
    assert_int_equal(screen.mouse, VTERM_PROP_MOUSE_NONE);
    screen_type(&screen, "exit\n");
    (void)screen_wait_exit(&screen);
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
        TEST(ends_when_it_is_told_to),
        TEST(ends_when_its_window_is_closed),
        TEST(a_crash_gives_the_terminal_back_and_says_where_to_look),
        TEST(ctrl_z_and_fg),
    };
    return RUN_TESTS("screen_terminal", all);
}
