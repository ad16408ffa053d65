/* What reaches the prompt from terminals of all kinds: pastes of many lines, characters and keys
 * that come in pieces. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PASTE_BEGINS "\x1b[200~"
#define PASTE_ENDS "\x1b[201~"

static void start_prompt(const struct screen_options *options)
{
    start(options);
    screen_wait(&screen, "q quit");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
}

static void test_screen_paste__lines_run_in_order(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "a = 1\rb = a\t+ 1\n\rf(x) = x *\t100\r\nf(b)\r" PASTE_ENDS);
    screen_wait(&screen, "200");
    screen_wait_row(&screen, "attn>");
    screen_type(&screen, PASTE_BEGINS "sum([1,\r\t2,\r\t39])\r" PASTE_ENDS);
    screen_wait(&screen, "42");
}

/* Each line counts on the one before, so that none can be lost, doubled or moved. */
static void test_screen_paste__two_thousand_lines(void **state)
{
    (void)state;
    enum { N = 2000, LINE_BYTES = 32 };
    char *text = malloc(N * LINE_BYTES);
    size_t size = 0;
    assert_non_null(text);
    for (int i = 1; i <= N; i++)
        size +=
            (size_t)snprintf(text + size, LINE_BYTES, "n = n * 0 + n %% 997 * 7 + %d\r", i % 10);
    unsigned long n = 0; /* as computed here */
    for (int i = 1; i <= N; i++)
        n = n % 997 * 7 + (unsigned)i % 10;
    start_prompt(&(struct screen_options){.rows = 40});
    say("n = 0");
    screen_wait_row(&screen, "attn>");
    screen_type(&screen, PASTE_BEGINS);
    screen_type(&screen, text);
    screen_type(&screen, PASTE_ENDS "n + 1000000\r");
    free(text);
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%lu", n + 1000000);
    screen_wait(&screen, wanted);
}

static void test_screen_paste__a_very_long_line(void **state)
{
    (void)state;
    enum { N = 20000 };
    char *text = malloc(2 * N + 8), wanted[32];
    size_t size = 0;
    assert_non_null(text);
    text[size++] = '1';
    for (int i = 1; i < N; i++)
        size += (size_t)snprintf(text + size, 4, "+%d", 1);
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "x = [");
    for (size_t i = 0; i < size; i++) /* [1,1,1,...] */
        text[i] = text[i] == '+' ? ',' : text[i];
    screen_type(&screen, text);
    screen_type(&screen, "]" PASTE_ENDS "\r");
    free(text);
    screen_wait_row(&screen, "attn>");
    say("sum(x) * 10");
    snprintf(wanted, sizeof wanted, "%d", N * 10);
    screen_wait(&screen, wanted);
}

/* Also what would be keys of its own. */
static void test_screen_paste__is_text_whatever_keys_it_holds(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "6 *\x01\x15\x1b[A 7" PASTE_ENDS);
    screen_wait_row(&screen, "attn> 6 * 7");
    enter();
    screen_wait(&screen, "42");
}

/* A block is one entry: it stops at its first error and says what ran, and Up brings all of it. */
static void test_screen_paste__a_block_stops_at_its_first_error(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "a = 41\rb = a + 1\rb\rnope\rb = 7\r" PASTE_ENDS);
    screen_wait(&screen, "line 4: nope");
    screen_wait(&screen, "3 of 5 lines ran; line 4 failed; line 5 was not run.");
    screen_wait_row(&screen, "attn>");
    say("b * 10");
    screen_wait(&screen, "420");
    press(VTERM_KEY_UP);
    press(VTERM_KEY_UP);
    screen_wait(&screen, "a = 41");
    screen_wait(&screen, "b = 7");
}

/* Without a last Enter it waits to be looked at. */
static void test_screen_paste__a_block_that_is_not_ended_waits(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "a = 41\ra + 1" PASTE_ENDS);
    screen_wait(&screen, "  ... a + 1");
    assert_false(screen_shows(&screen, "42"));
    enter();
    screen_wait(&screen, "42");
}

/* What attn printed can be pasted back. */
static void test_screen_paste__prompts_are_taken_off(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "attn> A = [[1, 2],\r  ... [3, 4]]\rA  2x2\rattn> sum(A) * "
                                      "10\r10\r" PASTE_ENDS);
    screen_wait(&screen, "100");
    screen_wait(&screen, "2 lines without a prompt were left out.");
    screen_wait_row(&screen, "attn>");
    say(">>> sum(A) * 20");
    screen_wait(&screen, "200");
}

/* A loop with rows is Python, and a line that fails in it gives back what it changed. */
static void test_screen_paste__a_loop_of_rows_works_whole(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen,
                PASTE_BEGINS "xbow = 4\rfor b in range(2):\r    for t in range(3):\r"
                             "        xbow = xbow + 1\r\r    xbow = xbow * 10\rxbow\r" PASTE_ENDS);
    screen_wait(&screen, "730");
    screen_wait_row(&screen, "attn>");
    screen_type(&screen,
                PASTE_BEGINS "for b in range(2):\r    xbow = 0\r    nope()\rxbow\r" PASTE_ENDS);
    screen_wait(&screen, "line 1: NameError: name 'nope' is not defined");
    screen_wait(&screen, "0 of 4 lines ran; lines 1 to 3 failed; line 4 was not run.");
    screen_wait_row(&screen, "attn>");
    say("xbow + 1");
    screen_wait(&screen, "731");
}

/* A class as it stands in a book: each number that it computed opens. */
static void test_screen_paste__a_class_opens_its_numbers(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, PASTE_BEGINS "import torch\rimport torch.nn as nn\r\r"
                                      "class Head(nn.Module):\r    def forward(self, x):\r"
                                      "        scores = x @ x.T\r\r"
                                      "        weights = torch.softmax(scores, dim=-1)\r"
                                      "        return weights @ x\r\r"
                                      "context = Head()(torch.tensor([[1., 2.], [3., 4.]]))\r"
                                      "context\r" PASTE_ENDS);
    screen_wait(&screen, "2.9951  3.9951"); /* weights of 5 and 11: 1/(1 + e^6) and the rest */
    screen_wait_row(&screen, "attn>");
    say("explore context");
    screen_wait(&screen, "context = weights @ x");
    screen_wait(&screen, "= 0.0025 * 1 + 0.9975 * 3");
}

/* ^X hands the rows to the learner's editor, and takes back what it leaves. */
static void test_screen_paste__rows_go_to_the_editor(void **state)
{
    (void)state;
    char folder[] = "/tmp/attn-test-XXXXXX", path[64], setting[80];
    const char *const settings[] = {setting, NULL};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/editor", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\nsed -i 's/x \\* 2/x * 21/' \"$1\"\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(setting, sizeof setting, "VISUAL=%s", path);
    start_prompt(&(struct screen_options){.rows = 40, .settings = settings});
    screen_type(&screen, PASTE_BEGINS "import torch\rdef f(x):\r    return x * 2" PASTE_ENDS);
    screen_wait(&screen, "  ...     return x * 2");
    screen_type(&screen, "\x18");
    screen_wait(&screen, "  ...     return x * 21");
    screen_type(&screen, "\r\r");
    screen_wait_row(&screen, "attn>");
    say("f(2)");
    screen_wait(&screen, "42");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_screen_paste__characters_in_pieces(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    static const char *const pieces[] = {"\"",       "\xE4",     "\xBD", "\xA0",
                                         "\xF0\x9F", "\x99\x82", "\""};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        screen_type(&screen, pieces[i]);
        screen_settle(&screen, 100, 1000); /* so that they are read apart */
    }
    screen_wait_row(&screen, "attn> \"\xE4\xBD\xA0\xF0\x9F\x99\x82\"");
    /* Bytes that are no characters take nothing with them. */
    screen_type(&screen, CTRL_U "\xFF"
                                "6 \xC3* \xE4\xBD"
                                "7");
    screen_wait_row(&screen, "attn> 6 * 7");
}

static void test_screen_paste__sequences_of_unknown_keys_type_nothing(void **state)
{
    (void)state;
    start_prompt(&(struct screen_options){.rows = 40});
    screen_type(&screen, "6 \x1b[1;5P\x1b[I\x1b[99;99R* \x1b[?64;1;9c\x1bOx"
                         "7\x1b[24~");
    screen_wait_row(&screen, "attn> 6 * 7");
    assert_true(screen.cursor_visible);
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_paste__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(a_block_stops_at_its_first_error),
        TEST(a_block_that_is_not_ended_waits),
        TEST(prompts_are_taken_off),
        TEST(a_loop_of_rows_works_whole),
        TEST(a_class_opens_its_numbers),
        TEST(rows_go_to_the_editor),
        TEST(lines_run_in_order),
        TEST(two_thousand_lines),
        TEST(a_very_long_line),
        TEST(is_text_whatever_keys_it_holds),
        TEST(characters_in_pieces),
        TEST(sequences_of_unknown_keys_type_nothing),
    };
    return RUN_TESTS("screen_paste", all);
}
