/* What works between two keys is told when one comes. */
#define _DEFAULT_SOURCE 1
#include "ui/terminal/news.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"
#include "ui/terminal/signals.h"

/* Waits until there is news, two seconds at most. */
static bool comes_in_time(void)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    for (int i = 0; i < 400 && !news_came; i++)
        (void)nanosleep(&moment, NULL);
    return news_came != 0;
}

/* Input: none, then a byte, which is still there when one looks again. */
static void test_news__comes_with_input(void **state)
{
    (void)state;
    struct error error;
    int ends[2], input = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_true(signals_open(&error));
    news_watch(true);
    assert_false(news_came);
    assert_int_equal(write(ends[1], "k", 1), 1);
    assert_true(comes_in_time());
    news_watch(false);
    assert_false(news_came);
    news_watch(true);
    assert_true(news_came);
    news_watch(false);
    signals_close();
    (void)dup2(input, STDIN_FILENO);
    close(input);
    close(ends[0]);
    close(ends[1]);
}

/* A signal of the screen is news while it is watched, and none when it is not. */
static void test_news__comes_with_signals(void **state)
{
    (void)state;
    struct error error;
    int ends[2], input = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_true(signals_open(&error));
    (void)raise(SIGWINCH);
    assert_false(news_came);
    news_watch(true);
    (void)raise(SIGWINCH);
    assert_true(news_came);
    news_watch(false);
    signals_close();
    (void)dup2(input, STDIN_FILENO);
    close(input);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_news__comes_with_input),
        cmocka_unit_test(test_news__comes_with_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
