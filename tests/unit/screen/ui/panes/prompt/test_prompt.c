/* The prompt of the screen, without a screen: keys go in, lines come out, and what would be drawn
 * is read from a canvas. */
#include "ui/panes/prompt/prompt.h"

#include <stdio.h> /* history.h of readline needs it first */

#include <readline/history.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "course/progress/progress.h"
#include "testing.h"

struct bench {
    struct progress *progress;
    struct tutor tutor;
    struct prompt prompt;
    struct canvas canvas;
    char text[8192]; /* of the last drawing, rows ended by newlines */
};

static int set_up(void **state)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    setenv("XDG_STATE_HOME", "/dev/null", 1); /* nothing is kept */
    bench->progress = progress_open(NULL);
    assert_non_null(bench->progress);
    tutor_init(&bench->tutor,
               &(struct player_setup){.progress = bench->progress, .settings = &settings});
    clear_history();
    prompt_init(&bench->prompt, &bench->tutor);
    doc_clear(&bench->prompt.transcript); /* of what is said about the history */
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    canvas_release(&bench->canvas);
    prompt_release(&bench->prompt);
    tutor_release(&bench->tutor);
    progress_close(bench->progress);
    free(bench);
    return 0;
}

static void type(struct bench *bench, const char *keys)
{
    for (; *keys != '\0'; keys++)
        prompt_key(&bench->prompt, (unsigned char)*keys);
}

/* The only line that waits is this one; NULL: none. */
static void assert_line(struct bench *bench, const char *wanted)
{
    char *line = prompt_take_line(&bench->prompt);
    if (wanted == NULL)
        assert_null(line);
    else
        assert_string_equal(line, wanted);
    free(line);
}

static const char *draw(struct bench *bench, int rows, int cols)
{
    size_t size = 0;
    struct canvas *canvas = &bench->canvas;
    assert_true(canvas_resize(canvas, rows, cols));
    canvas_clear(canvas);
    prompt_resize(&bench->prompt, rows, cols);
    prompt_draw(&bench->prompt, canvas_area(canvas), true, false);
    for (int row = 0; row < rows; row++) {
        size_t begin = size;
        for (int col = 0; col < cols; col++)
            size += (size_t)snprintf(bench->text + size, sizeof bench->text - size, "%s",
                                     canvas->cells[row * cols + col].bytes);
        while (size > begin && bench->text[size - 1] == ' ')
            size--;
        bench->text[size++] = '\n';
    }
    bench->text[size] = '\0';
    return bench->text;
}

/* Lines "line 0", "line 1", ... of so many letters. */
static void add_lines(struct bench *bench, size_t first, size_t n)
{
    struct doc doc;
    for (size_t i = first; i < first + n; i++) {
        doc_init(&doc);
        doc_line(&doc, STYLE_PLAIN, "line %zu", i);
        prompt_add(&bench->prompt, &doc);
        doc_release(&doc);
    }
}

static void test_prompt__gives_the_lines_that_were_entered(void **state)
{
    struct bench *bench = *state;
    type(bench, "a = 1");
    assert_line(bench, NULL);
    assert_false(prompt_is_empty(&bench->prompt));
    type(bench, "\r");
    assert_line(bench, "a = 1");
    assert_line(bench, NULL);
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "sum([1,\r");
    assert_line(bench, NULL);
    assert_string_equal(draw(bench, 2, 40), "attn> sum([1,\n  ...\n");
    type(bench, "2])\r");
    assert_line(bench, "sum([1,\n2])");
    type(bench, "\x04"); /* Ctrl-D on an empty line */
    assert_line(bench, "quit");
}

/* A block is edited in place: rows are indented, the cursor goes from row to row, and an empty row
 * ends it. */
static void test_prompt__a_block_is_edited_in_its_rows(void **state)
{
    struct bench *bench = *state;
    type(bench, "def f(x):\ry = x\rif y:\rreturn 1\rreturn y");
    assert_string_equal(draw(bench, 6, 60), "attn> def f(x):\n"
                                            "  ...     y = x\n"
                                            "  ...     if y:\n"
                                            "  ...         return 1\n"
                                            "  ...     return y\n\n");
    for (int i = 0; i < 3; i++)
        prompt_key(&bench->prompt, KEYCODE_UP);
    prompt_key(&bench->prompt, KEYCODE_END);
    type(bench, " + 2");
    prompt_key(&bench->prompt, KEYCODE_DOWN);
    prompt_key(&bench->prompt, KEYCODE_HOME);
    prompt_key(&bench->prompt, KEYCODE_TAB); /* a level more, and a level less */
    prompt_key(&bench->prompt, KEYCODE_BACKSPACE);
    assert_string_equal(draw(bench, 3, 60), "attn> def f(x):\n"
                                            "  ...     y = x + 2\n"
                                            "  ...     if y:\n");
    prompt_key(&bench->prompt, 'K' - '@'); /* this row alone */
    prompt_key(&bench->prompt, '_' - '@');
    type(bench, "\r"); /* within the block it begins a row */
    assert_line(bench, NULL);
    prompt_key(&bench->prompt, KEYCODE_BACKSPACE);
    prompt_key(&bench->prompt, KEYCODE_DOWN);
    prompt_key(&bench->prompt, KEYCODE_DOWN);
    prompt_key(&bench->prompt, KEYCODE_END);
    type(bench, "\r");
    assert_string_equal(draw(bench, 6, 60),
                        "attn> def f(x):\n"
                        "  ...     y = x + 2\n"
                        "  ...     if y:\n"
                        "  ...         return 1\n"
                        "  ...     return y\n"
                        "  ...                 Enter: run it  ^X: editor  ^C: give up\n");
    type(bench, "\r");
    assert_line(bench, "def f(x):\n    y = x + 2\n    if y:\n        return 1\n    return y");
    prompt_key(&bench->prompt, KEYCODE_UP); /* one entry of the history */
    type(bench, "\r\r");
    assert_line(bench, "def f(x):\n    y = x + 2\n    if y:\n        return 1\n    return y");
    bench->prompt.is_rushed = true; /* rows that come at once bring their own blanks */
    type(bench, "for i in z:\r    i\r\r");
    assert_line(bench, "for i in z:\n    i");
}

static void test_prompt__gives_up_what_was_begun(void **state)
{
    struct bench *bench = *state;
    assert_false(prompt_give_up(&bench->prompt));
    type(bench, "sum([1,\r2, x");
    assert_line(bench, NULL);
    assert_true(prompt_give_up(&bench->prompt));
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "a\r");
    assert_line(bench, "a");
    type(bench, "\x12"
                "a"); /* in the middle of a search */
    assert_true(prompt_give_up(&bench->prompt));
    type(bench, "b\r");
    assert_line(bench, "b");
}

/* So that the next line doesn't begin with what was left. */
static void test_prompt__a_line_that_is_left_goes_to_the_history(void **state)
{
    struct bench *bench = *state;
    type(bench, "W");
    assert_false(prompt_ops.key(&bench->prompt, KEYCODE_ESCAPE));
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "progress\r");
    assert_line(bench, "progress");
    prompt_key(&bench->prompt, KEYCODE_UP);
    prompt_key(&bench->prompt, KEYCODE_UP);
    assert_string_equal(draw(bench, 1, 40), "attn> W\n");
    type(bench, "\r");
    assert_line(bench, "W");
    type(bench, "sum([1,\r2"); /* an open bracket waits */
    assert_false(prompt_ops.key(&bench->prompt, KEYCODE_ESCAPE));
    type(bench, "])\r");
    assert_line(bench, "sum([1,\n2])");
}

static void test_prompt__a_completed_function_shows_its_signature(void **state)
{
    struct bench *bench = *state;
    type(bench, "log_so");
    prompt_key(&bench->prompt, KEYCODE_TAB);
    assert_string_equal(draw(bench, 3, 60), "log_softmax(input, dim=-1)\nattn> log_softmax\n\n");
    assert_string_equal(draw(bench, 3, 20), "log_softmax(input,\ndim=-1)\nattn> log_softmax\n");
    type(bench, "(");
    assert_string_equal(draw(bench, 3, 60), "log_softmax(input, dim=-1)\nattn> log_softmax(\n\n");
    type(bench, "W)");
    assert_string_equal(draw(bench, 3, 60), "attn> log_softmax(W)\n\n\n");
}

static void test_prompt__shows_what_is_searched_for(void **state)
{
    struct bench *bench = *state;
    type(bench, "first = 1\rother\r");
    assert_line(bench, "first = 1");
    assert_line(bench, "other");
    assert_false(prompt_ops.key(&bench->prompt, KEYCODE_ESCAPE));
    type(bench, "\x12rst");
    assert_string_equal(draw(bench, 1, 60), "(reverse-i-search)`rst': first = 1\n");
    assert_true(prompt_ops.key(&bench->prompt, KEYCODE_ESCAPE)); /* which ends the search */
    assert_string_equal(draw(bench, 1, 60), "attn> first = 1\n");
}

/* A key that means nothing ends a search too. */
static void test_prompt__a_search_may_end_with_any_keys(void **state)
{
    struct bench *bench = *state;
    type(bench, "abc\r");
    assert_line(bench, "abc");
    type(bench, "\x12"
                "b");
    prompt_key(&bench->prompt, 'Q' | KEYCODE_ALT); /* which is none */
    type(bench, "!\r");
    assert_line(bench, "a!bc");
}

/* Undoing still goes back within a line. */
static void test_prompt__undoes_what_was_typed(void **state)
{
    struct bench *bench = *state;
    type(bench, "abc\r");
    assert_line(bench, "abc");
    prompt_key(&bench->prompt, KEYCODE_UP);
    type(bench, "d\x15"); /* Ctrl-U */
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "\x1f"); /* Ctrl-_ */
    assert_string_equal(draw(bench, 1, 60), "attn> abcd\n");
    type(bench, "\x1f\x1f\x1f");
    assert_string_equal(draw(bench, 1, 60), "attn> abc\n");
}

/* The line in hand is kept while the history is looked through. */
static void test_prompt__goes_through_the_history(void **state)
{
    struct bench *bench = *state;
    type(bench, "one\rtwo\r");
    assert_line(bench, "one");
    assert_line(bench, "two");
    type(bench, "mine");
    prompt_key(&bench->prompt, KEYCODE_UP);
    prompt_key(&bench->prompt, 'P' - '@');
    prompt_key(&bench->prompt, KEYCODE_UP); /* there is no earlier one */
    assert_string_equal(draw(bench, 1, 60), "attn> one\n");
    prompt_key(&bench->prompt, KEYCODE_DOWN);
    type(bench, "!");
    assert_string_equal(draw(bench, 1, 60), "attn> two!\n");
    prompt_key(&bench->prompt, 'N' - '@');
    prompt_key(&bench->prompt, KEYCODE_DOWN);
    assert_string_equal(draw(bench, 1, 60), "attn> mine\n");
    prompt_key(&bench->prompt, '<' | KEYCODE_ALT);
    assert_string_equal(draw(bench, 1, 60), "attn> one\n");
    prompt_key(&bench->prompt, '>' | KEYCODE_ALT);
    type(bench, "\r");
    assert_line(bench, "mine");
}

static void test_prompt__searches_on_and_gives_up(void **state)
{
    struct bench *bench = *state;
    type(bench, "abc = 1\rb = 2\rc = 3\r");
    for (int i = 0; i < 3; i++)
        free(prompt_take_line(&bench->prompt));
    type(bench, "x\x12"
                "b");
    assert_string_equal(draw(bench, 1, 60), "(reverse-i-search)`b': b = 2\n");
    type(bench, "\x12");
    assert_string_equal(draw(bench, 1, 60), "(reverse-i-search)`b': abc = 1\n");
    type(bench, "z");
    assert_string_equal(draw(bench, 1, 80), "(failed reverse-i-search)`bz': abc = 1\n");
    prompt_key(&bench->prompt, KEYCODE_BACKSPACE);
    assert_string_equal(draw(bench, 1, 60), "(reverse-i-search)`b': b = 2\n");
    type(bench, "\x07"); /* Ctrl-G */
    assert_string_equal(draw(bench, 1, 60), "attn> x\n");
    type(bench, "\x12"
                "abc\r"); /* Enter runs what was found */
    assert_line(bench, "abc = 1");
}

static void test_prompt__cuts_words_and_puts_them_back(void **state)
{
    struct bench *bench = *state;
    type(bench, "softmax(scores / 2)");
    prompt_key(&bench->prompt, 'b' | KEYCODE_ALT);
    prompt_key(&bench->prompt, 'b' | KEYCODE_ALT);
    type(bench, "\x0b"); /* Ctrl-K */
    assert_string_equal(draw(bench, 1, 60), "attn> softmax(\n");
    prompt_key(&bench->prompt, KEYCODE_BACKSPACE | KEYCODE_ALT);
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "a\x19\x19"); /* Ctrl-Y */
    assert_string_equal(draw(bench, 1, 60), "attn> asoftmax(softmax(\n");
    type(bench, "\x01");
    prompt_key(&bench->prompt, 'd' | KEYCODE_ALT);
    assert_string_equal(draw(bench, 1, 60), "attn> (softmax(\n");
    type(bench, "\x1f\x1f\x1f\x1f\x1f\x1f\x1f"); /* all undone, back to nothing */
    assert_true(prompt_is_empty(&bench->prompt));
    type(bench, "1\x02\x04\r"); /* Ctrl-B, Ctrl-D */
    assert_line(bench, "");
}

static void test_prompt__completes_names_of_files(void **state)
{
    struct bench *bench = *state;
    char folder[] = "/tmp/attn-prompt-XXXXXX", path[64], wanted[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a file*.npy", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    snprintf(wanted, sizeof wanted, "load \"%s/a", folder);
    type(bench, wanted);
    prompt_key(&bench->prompt, KEYCODE_TAB);
    snprintf(wanted, sizeof wanted, "attn> load \"%s\n", path);
    assert_string_equal(draw(bench, 1, 100), wanted);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_prompt__a_paste_is_text(void **state)
{
    struct bench *bench = *state;
    const char *pasted = "a\t= \x01"
                         "1";
    for (; *pasted != '\0'; pasted++)
        prompt_paste(&bench->prompt, *pasted);
    prompt_paste(&bench->prompt, 0x4F60);
    assert_string_equal(draw(bench, 1, 60), "attn> a = 1\xE4\xBD\xA0\n");
    prompt_paste(&bench->prompt, KEYCODE_ENTER);
    prompt_paste(&bench->prompt, KEYCODE_PASTE_END);
    assert_line(bench, "a = 1\xE4\xBD\xA0");
}

static void test_prompt__choices_stand_in_columns(void **state)
{
    struct bench *bench = *state;
    type(bench, "lo");
    prompt_key(&bench->prompt, KEYCODE_TAB);
    prompt_key(&bench->prompt, KEYCODE_TAB);
    assert_true(bench->prompt.choices.n >= 3); /* load, log, log_softmax, ... */
    const char *text = draw(bench, 12, 200);
    assert_non_null(strstr(text, "log_softmax"));
    assert_non_null(strstr(text, "load"));
    assert_null(strstr(text, " more"));
    size_t widest = 0, n = bench->prompt.choices.n;
    const char *word = text_string(&bench->prompt.choices.words);
    for (size_t i = 0; i < n; i++, word += strlen(word) + 1)
        widest = strlen(word) > widest ? strlen(word) : widest;
    /* One to a row where there is room for one, and the last row counts what finds none. */
    char wanted[64];
    text = draw(bench, 4, (int)widest + 2);
    assert_int_equal(strchr(text, '\n') - text, strlen(text_string(&bench->prompt.choices.words)));
    snprintf(wanted, sizeof wanted, "... and %zu more\nattn> lo", n - 2);
    text = draw(bench, 4, (int)widest + 8);
    assert_non_null(strstr(text, wanted));
    type(bench, "g"); /* the next key takes them away */
    assert_string_equal(draw(bench, 3, 40), "attn> log\n\n\n");
}

static void test_prompt__scrolls_and_comes_back(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 10);
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn>\n");
    prompt_scroll(&bench->prompt, 2);
    assert_string_equal(draw(bench, 4, 20), "line 5\nline 6\nline 7\nattn>\n");
    prompt_scroll(&bench->prompt, 1000);
    assert_string_equal(draw(bench, 4, 20), "line 0\nline 1\nline 2\nattn>\n");
    prompt_scroll(&bench->prompt, -3);
    assert_string_equal(draw(bench, 4, 20), "line 3\nline 4\nline 5\nattn>\n");
    type(bench, "x");
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn> x\n");
    prompt_scroll(&bench->prompt, 3);
    prompt_scroll(&bench->prompt, -1000);
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn> x\n");
}

/* What is read from its beginning, in a pane of any height; the rest is a key away. */
static void test_prompt__shows_the_beginning(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 10);
    prompt_show_beginning(&bench->prompt, 6);
    assert_string_equal(draw(bench, 4, 20), "line 4\nline 5\nline 6\nattn>\n");
    assert_string_equal(draw(bench, 5, 20), "line 4\nline 5\nline 6\nline 7\nattn>\n");
    assert_non_null(strstr(draw(bench, 4, 40), "PgDn: more"));
    assert_string_equal(draw(bench, 8, 20), "line 3\nline 4\nline 5\nline 6\nline 7\nline 8\n"
                                            "line 9\nattn>\n"); /* all has room */
    (void)draw(bench, 4, 40);
    prompt_scroll(&bench->prompt, -1000);
    assert_null(strstr(draw(bench, 4, 40), "PgDn: more"));
    assert_string_equal(draw(bench, 4, 20), "line 7\nline 8\nline 9\nattn>\n");
    prompt_show_beginning(&bench->prompt, 6);
    add_lines(bench, 10, 1); /* the next answer is seen */
    assert_string_equal(draw(bench, 3, 20), "line 9\nline 10\nattn>\n");
}

/* Where the pane has become too narrow, a line goes on in the next row; a wide letter is not cut.
 */
static void test_prompt__long_lines_take_several_rows(void **state)
{
    struct bench *bench = *state;
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "first");
    doc_line(&doc, STYLE_PLAIN, "abcdefghijklmnopqrstu");
    doc_line(&doc, STYLE_PLAIN, "123456789\xE4\xBD\xA0x");
    prompt_add(&bench->prompt, &doc);
    doc_release(&doc);
    assert_string_equal(draw(bench, 4, 30),
                        "first\nabcdefghijklmnopqrstu\n123456789\xE4\xBD\xA0x\nattn>\n");
    assert_string_equal(draw(bench, 7, 10),
                        "first\nabcdefghij\nklmnopqrst\nu\n123456789\n\xE4\xBD\xA0x\nattn>\n");
    assert_string_equal(draw(bench, 4, 10), "u\n123456789\n\xE4\xBD\xA0x\nattn>\n");
    prompt_scroll(&bench->prompt, 1);
    assert_string_equal(draw(bench, 4, 10), "klmnopqrst\nu\n123456789\nattn>\n");
    prompt_scroll(&bench->prompt, 2);
    assert_string_equal(draw(bench, 4, 10), "first\nabcdefghij\nklmnopqrst\nattn>\n");
    prompt_scroll(&bench->prompt, -1);
    assert_string_equal(draw(bench, 4, 10), "abcdefghij\nklmnopqrst\nu\nattn>\n");
    prompt_scroll(&bench->prompt, 1);
    assert_string_equal(draw(bench, 4, 30), "first\nabcdefghijklmnopqrstu\nattn>\n\n");
}

/* ---- finding words in it ---- */

enum { CTRL_O = 'O' - '@' };

static void press_keys(struct bench *bench, const char *keys)
{
    for (; *keys != '\0'; keys++)
        (void)pane_press((struct pane){&prompt_ops, &bench->prompt}, (unsigned char)*keys);
}

static void assert_drawn(struct bench *bench, int rows, int cols, const char *part)
{
    if (strstr(draw(bench, rows, cols), part) == NULL)
        fail_msg("\"%s\" is not in:\n%s", part, bench->text);
}

/* Upwards, since what was printed last is nearest. */
static void test_prompt__finds_what_was_printed(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 20);
    press_keys(bench, "x = 6");
    (void)draw(bench, 4, 30);
    (void)prompt_ops.key(&bench->prompt, CTRL_O);
    assert_drawn(bench, 4, 30, "line 17\nline 18\nline 19\nfind: words of the output");
    press_keys(bench, "LINE 1");
    assert_drawn(bench, 4, 30, "line 17\nline 18\nline 19\nfind: LINE 1         11 of 11\n");
    press_keys(bench, "2"); /* while it is typed */
    assert_drawn(bench, 4, 30, "line 11\nline 12\nline 13\nfind: LINE 12          1 of 1\n");
    (void)prompt_ops.key(&bench->prompt, KEYCODE_BACKSPACE);
    press_keys(bench, "\rnnnnnnnnn"); /* from line 19 to line 10, and n is no letter */
    assert_drawn(bench, 4, 30, "line 10\n");
    assert_drawn(bench, 4, 30, "find: LINE 1          2 of 11\n");
    press_keys(bench, "n");
    assert_drawn(bench, 4, 30, "line 0\nline 1\nline 2\nfind: LINE 1          1 of 11\n");
    press_keys(bench, "n"); /* around */
    assert_drawn(bench, 4, 30, "line 19\nfind: LINE 1         11 of 11\n");
    press_keys(bench, "N");
    assert_drawn(bench, 4, 30, "line 0\nline 1\nline 2\nfind: LINE 1          1 of 11\n");
    assert_true(prompt_ops.key(&bench->prompt, KEYCODE_ESCAPE)); /* it stays there */
    assert_drawn(bench, 4, 30, "line 0\nline 1\nline 2\n");
    assert_drawn(bench, 4, 30, "> x = 6\n");
    press_keys(bench, "/ 2"); /* a quotient, since something is typed */
    assert_drawn(bench, 4, 30, "line 19\nattn> x = 6/ 2\n");
}

static void test_prompt__a_slash_finds_where_nothing_is_typed(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 20);
    (void)draw(bench, 4, 60);
    press_keys(bench, "/"); /* the end is seen: one types */
    assert_drawn(bench, 4, 60, "line 19\nattn> /\n");
    (void)prompt_ops.key(&bench->prompt, KEYCODE_BACKSPACE);
    (void)prompt_ops.key(&bench->prompt, KEYCODE_PAGE_UP);
    assert_drawn(bench, 4, 60, "PgDn: more  /: find\n");
    press_keys(bench, "/zebra");
    assert_drawn(bench, 4, 60, "find: zebra");
    assert_drawn(bench, 4, 60, "not found");
    press_keys(bench, "\x15\r"); /* nothing is left of it: it leaves */
    assert_drawn(bench, 4, 60, "attn>");
    press_keys(bench, "/line 5\ra = 1"); /* any other key ends it, and is typed */
    assert_drawn(bench, 4, 60, "line 19\nattn> a = 1\n");
    press_keys(bench, "\x15"
                      "sum([1,\r");
    (void)prompt_ops.key(&bench->prompt, KEYCODE_PAGE_UP);
    press_keys(bench, "/"); /* the next row of a line may begin with it */
    assert_drawn(bench, 4, 60, "/\n");
    assert_null(strstr(bench->text, "find:"));
}

/* A row of it is brought into sight, also when the pane becomes narrower or lower. */
static void test_prompt__finds_in_rows_of_long_lines(void **state)
{
    struct bench *bench = *state;
    struct doc doc;
    doc_init(&doc);
    doc_line(&doc, STYLE_PLAIN, "abcdefghijklmnopqrst\xE4\xBD\xA0uvwxyz");
    prompt_add(&bench->prompt, &doc);
    doc_release(&doc);
    add_lines(bench, 0, 9);
    (void)draw(bench, 4, 40);
    press_keys(bench, "\x0f"
                      "uv\r");
    assert_drawn(bench, 4, 40, "abcdefghijklmnopqrst\xE4\xBD\xA0uvwxyz\nline 0\nline 1\nfind: uv");
    assert_drawn(bench, 2, 20, "\xE4\xBD\xA0uvwxyz\nfind: uv");
    assert_int_not_equal(bench->canvas.cells[2].look.marks & MARK_REVERSE, 0);
    assert_int_not_equal(bench->canvas.cells[3].look.marks & MARK_REVERSE, 0);
    assert_int_equal(bench->canvas.cells[1].look.marks & MARK_REVERSE, 0);
    assert_int_equal(bench->canvas.cells[4].look.marks & MARK_REVERSE, 0);
    add_lines(bench, 9, 1); /* what is printed meanwhile ends it */
    assert_drawn(bench, 2, 20, "line 9\nattn>\n");
}

/* A paste goes where letters go. */
static void test_prompt__a_paste_is_found(void **state)
{
    struct bench *bench = *state;
    add_lines(bench, 0, 9);
    (void)draw(bench, 4, 40);
    press_keys(bench, "\x0f");
    for (const char *c = "line\r3"; *c != '\0'; c++)
        prompt_ops.paste(&bench->prompt, (unsigned char)*c);
    assert_drawn(bench, 4, 40, "find: line 3");
    assert_drawn(bench, 4, 40, "1 of 1");
    press_keys(bench, "\x03\x03"); /* empties the field, and closes it */
    assert_drawn(bench, 4, 40, "attn>");
    assert_line(bench, NULL);
}

/* The oldest lines go, and adding does not become slower with what is there: the work of each
 * addition is that of its own lines, but for one in ten thousand. */
static void test_prompt__keeps_the_newest_lines(void **state)
{
    struct bench *bench = *state;
    size_t n = PROMPT_MAX_LINES, drops = 0, before = 0;
    for (size_t i = 0; i < 3 * n; i += 100) {
        add_lines(bench, i, 100);
        drops += bench->prompt.transcript.n_lines < before;
        before = bench->prompt.transcript.n_lines;
        assert_true(before <= n);
        assert_true(before >= n / 2 || before == i + 100);
    }
    assert_in_range(drops, 3, 4);
    assert_string_equal(draw(bench, 3, 20), "line 59998\nline 59999\nattn>\n");
    prompt_scroll(&bench->prompt, 10 * PROMPT_MAX_LINES);
    assert_null(strstr(draw(bench, 3, 20), "line 0\n"));
}

/* Without memory something is missing, but what comes later is there. */
static void test_prompt__goes_on_behind_a_lack_of_memory(void **state)
{
    struct bench *bench = *state;
    for (long n = 1; n <= 12; n++) {
        testing_fail_allocation(n);
        prompt_echo(&bench->prompt, "a = 1");
        add_lines(bench, 0, 3);
        testing_fail_allocation(0);
    }
    add_lines(bench, 7, 2);
    assert_string_equal(draw(bench, 3, 20), "line 7\nline 8\nattn>\n");
    for (long n = 1; n <= 12; n++) { /* lines are lost whole */
        type(bench, "sum([1,\r2]");
        testing_fail_allocation(n);
        type(bench, ")\r");
        char *line = prompt_take_line(&bench->prompt);
        testing_fail_allocation(0);
        if (line != NULL)
            assert_string_equal(line, "sum([1,\n2])");
        free(line);
        (void)prompt_give_up(&bench->prompt);
    }
    type(bench, "a\r");
    assert_line(bench, "a");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_prompt__##name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest all[] = {
        TEST(gives_the_lines_that_were_entered),
        TEST(a_block_is_edited_in_its_rows),
        TEST(gives_up_what_was_begun),
        TEST(a_line_that_is_left_goes_to_the_history),
        TEST(a_completed_function_shows_its_signature),
        TEST(shows_what_is_searched_for),
        TEST(a_search_may_end_with_any_keys),
        TEST(goes_through_the_history),
        TEST(searches_on_and_gives_up),
        TEST(cuts_words_and_puts_them_back),
        TEST(completes_names_of_files),
        TEST(undoes_what_was_typed),
        TEST(a_paste_is_text),
        TEST(choices_stand_in_columns),
        TEST(scrolls_and_comes_back),
        TEST(shows_the_beginning),
        TEST(long_lines_take_several_rows),
        TEST(finds_what_was_printed),
        TEST(a_slash_finds_where_nothing_is_typed),
        TEST(finds_in_rows_of_long_lines),
        TEST(a_paste_is_found),
        TEST(keeps_the_newest_lines),
        TEST(goes_on_behind_a_lack_of_memory),
    };
    return cmocka_run_group_tests_name("prompt", all, NULL, NULL);
}
