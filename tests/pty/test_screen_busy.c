/* While something is computed: the sign of it in the row of keys, Ctrl-C, and what is typed. */
#include "screen_testing.h"

#include <stdio.h>
#include <string.h>

/* What takes many minutes on any machine: 432 TFLOP. */
#define LONG_LINE "for i in range(1000): B = A @ A"

static void start_computation(const struct screen_options *options)
{
    start(options);
    screen_wait(&screen, "q quit");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
    say("A = ones(6000, 6000)");
    screen_wait(&screen, "A  6000x6000");
    say(LONG_LINE);
}

static void stop_computation(void)
{
    screen_type(&screen, CTRL_C);
    screen_wait(&screen, "stopped");
    screen_wait_gone(&screen, "^C stops");
}

static void test_screen_busy__counts_its_seconds(void **state)
{
    (void)state;
    int row, col, busy_row, busy_col;
    char keys[1024];
    start(&(struct screen_options){0});
    screen_wait(&screen, "q quit");
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("A = ones(6000, 6000)");
    screen_wait(&screen, "A  6000x6000");
    wait_keys("PgUp scroll");
    snprintf(keys, sizeof keys, "%s", screen_row(&screen, screen.rows - 1));
    screen_type(&screen, LONG_LINE);
    screen_wait(&screen, "> " LONG_LINE);
    screen_cursor(&screen, &row, &col);
    enter();
    wait_keys("computing, 1 s; ^C stops");
    assert_null(strstr(screen_row(&screen, screen.rows - 1), "PgUp"));
    wait_keys("computing, 2 s; ^C stops");
    screen_cursor(&screen, &busy_row, &busy_col);
    assert_int_equal(busy_row, row); /* the cursor stays where it was */
    assert_int_equal(busy_col, col);
    stop_computation();
    screen_wait_at(&screen, screen.rows - 1, keys);
    assert_string_equal(screen_row(&screen, screen.rows - 1), keys);
}

static void test_screen_busy__quick_lines_show_none(void **state)
{
    (void)state;
    start_home();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    for (int i = 0; i < 20; i++) {
        char line[32];
        snprintf(line, sizeof line, "%d * 1000", i);
        say(line);
        assert_int_equal(screen_find_row(&screen, 0, "computing"), -1);
    }
    screen_wait(&screen, "19000");
    screen_settle(&screen, 700, 2000); /* longer than it takes for the sign to come */
    assert_int_equal(screen_find_row(&screen, 0, "computing"), -1);
}

static void test_screen_busy__on_any_terminal(void **state)
{
    (void)state;
    static const char *const plain[] = {"--ascii", "--color", "never", NULL};
    static const char *const ordinary[] = {NULL};
    static const char *const terms[] = {"TERM=vt100", "TERM=linux", "TERM=screen-256color"};
    for (size_t i = 0; i < 3; i++) {
        const char *const settings[] = {terms[i], NULL};
        start_computation(&(struct screen_options){
            .rows = 16, .cols = 60, .settings = settings, .arguments = i == 0 ? plain : ordinary});
        wait_keys("computing, 1 s; ^C stops");
        stop_computation();
        say("6 * 7");
        screen_wait(&screen, "42");
        screen_close(&screen);
    }
}

/* The window becomes another one under it: no row of the sign is left behind. */
static void test_screen_busy__leaves_nothing_behind_a_resize(void **state)
{
    (void)state;
    start_computation(&(struct screen_options){.rows = 30, .cols = 100});
    wait_keys("computing, 0 s; ^C stops");
    screen_resize(&screen, 20, 70);
    stop_computation();
    wait_keys("PgUp scroll");
    assert_int_equal(screen_find_row(&screen, 0, "computing"), -1);
    assert_int_equal(screen_find_row(&screen, 0, "stopping"), -1);
}

static void test_screen_busy__what_is_typed_is_kept(void **state)
{
    (void)state;
    start_home();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    /* some seconds, which nobody stops */
    say("for i in range(400000): s = sum(ones(20, 20) * 2)");
    wait_keys("; ^C stops");
    screen_type(&screen, "a = 41\rb = a + 1\rb * 1000\r");
    screen_wait(&screen, "42000");
    screen_wait_row(&screen, "attn>");
    assert_int_equal(screen_find_row(&screen, 0, "computing"), -1);
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_busy__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(counts_its_seconds),    TEST(quick_lines_show_none),
        TEST(on_any_terminal),       TEST(leaves_nothing_behind_a_resize),
        TEST(what_is_typed_is_kept),
    };
    return RUN_TESTS("screen_busy", all);
}
