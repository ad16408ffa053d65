/* ui/terminal/find.h: words in the lines of a Doc. Places are counted by hand. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "ui/terminal/find.h"

enum { COLS = 30 };

struct fixture {
    struct doc doc;
    struct find find;
    struct canvas canvas;
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    doc_init(&fixture->doc);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    doc_release(&fixture->doc);
    canvas_release(&fixture->canvas);
    free(fixture);
    return 0;
}

static void fill(struct fixture *fixture, const char *lines)
{
    doc_clear(&fixture->doc);
    doc_put(&fixture->doc, STYLE_PLAIN, lines, strlen(lines));
}

/* A key, and what it asks for. */
static enum find_reply press(struct fixture *fixture, int key)
{
    enum find_reply reply = find_key(&fixture->find, key);
    if (reply == FIND_BEGINS || reply == FIND_BELOW || reply == FIND_ABOVE)
        (void)find_look_around(&fixture->find, &fixture->doc, reply);
    return reply;
}

static void type(struct fixture *fixture, const char *words)
{
    while (*words != '\0') {
        struct text_character character = text_character(words, strlen(words));
        int key = (unsigned char)words[0];
        if (character.size == 2)
            key = (words[0] & 0x1F) << 6 | (words[1] & 0x3F);
        else if (character.size == 3)
            key = (words[0] & 0xF) << 12 | (words[1] & 0x3F) << 6 | (words[2] & 0x3F);
        press(fixture, key);
        words += character.size;
    }
}

static void look_for(struct fixture *fixture, const char *words)
{
    find_open(&fixture->find, 0, false);
    type(fixture, words);
}

#define assert_place(fixture, line_, col_, end_line_, end_col_)      \
    do {                                                             \
        assert_true((fixture)->find.n > 0);                          \
        assert_int_equal((fixture)->find.place.line, line_);         \
        assert_int_equal((fixture)->find.place.col, col_);           \
        assert_int_equal((fixture)->find.place.end_line, end_line_); \
        assert_int_equal((fixture)->find.place.end_col, end_col_);   \
    } while (0)

static void test_find__capitals_are_small_letters(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "one\nthe Softmax row\n\xC3\x89TUDE\n");
    look_for(fixture, "sOFT");
    assert_place(fixture, 1, 4, 1, 8);
    look_for(fixture, "\xC3\xA9tude"); /* an accent: two bytes, one column */
    assert_place(fixture, 2, 0, 2, 5);
    look_for(fixture, "softmaxx");
    assert_true(fixture->find.is_missing);
    press(fixture, KEYCODE_BACKSPACE); /* letters are searched for as they come */
    assert_false(fixture->find.is_missing);
    assert_place(fixture, 1, 4, 1, 11);
}

static void test_find__blanks_go_over_the_ends_of_lines(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "the weights of a\n  row   sum to 1\n\nrow\n");
    look_for(fixture, "of a row sum");
    assert_place(fixture, 0, 12, 1, 11);
    look_for(fixture, " sum to ");
    assert_place(fixture, 1, 8, 1, 14);
    look_for(fixture, "1 row"); /* another paragraph */
    assert_true(fixture->find.is_missing);
    look_for(fixture, "arow");
    assert_true(fixture->find.is_missing);
}

static void test_find__wide_letters_take_two_columns(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "\xE4\xBD\xA0\xE5\xA5\xBD the \xE5\xA5\xBD\n"); /* "ni hao" and "hao" */
    look_for(fixture, "\xE5\xA5\xBD");
    assert_place(fixture, 0, 2, 0, 4);
    press(fixture, KEYCODE_DOWN);
    assert_place(fixture, 0, 9, 0, 11);
}

static void test_find__walks_around(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "a row\nnone\nrow row\n");
    find_open(&fixture->find, 1, false);
    type(fixture, "row");
    assert_place(fixture, 2, 0, 2, 3); /* the first from where one reads */
    assert_int_equal(fixture->find.at, 2);
    assert_int_equal(fixture->find.n, 3);
    press(fixture, KEYCODE_ENTER); /* takes it */
    assert_place(fixture, 2, 0, 2, 3);
    assert_false(find_types(&fixture->find));
    press(fixture, 'n');
    assert_place(fixture, 2, 4, 2, 7);
    press(fixture, KEYCODE_ENTER);
    assert_place(fixture, 0, 2, 0, 5);
    assert_int_equal(fixture->find.at, 1);
    press(fixture, 'N');
    assert_place(fixture, 2, 4, 2, 7);
    press(fixture, 'N');
    assert_place(fixture, 2, 0, 2, 3);
}

static void test_find__goes_up(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "a row\nrow row\nrow\n");
    find_open(&fixture->find, 1, true);
    type(fixture, "row");
    assert_place(fixture, 1, 4, 1, 7);
    press(fixture, KEYCODE_ENTER);
    press(fixture, 'n');
    assert_place(fixture, 1, 0, 1, 3);
    press(fixture, 'N');
    press(fixture, 'N');
    assert_place(fixture, 2, 0, 2, 3);
    press(fixture, 'N');
    assert_place(fixture, 0, 2, 0, 5);
}

static void test_find__keys_type_and_walk(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "a name\nno\n");
    look_for(fixture, "n"); /* a letter while it types */
    assert_string_equal(fixture->find.field.text, "n");
    press(fixture, KEYCODE_ENTER);
    assert_int_equal(press(fixture, 'x'), FIND_IGNORES); /* one of the pane's */
    assert_int_equal(press(fixture, KEYCODE_UP), FIND_IGNORES);
    press(fixture, '/'); /* what is typed now takes the place of the words */
    type(fixture, "o");
    assert_string_equal(fixture->find.field.text, "o");
    assert_place(fixture, 1, 1, 1, 2);
    press(fixture, KEYCODE_ENTER);
    press(fixture, KEYCODE_BACKSPACE);
    assert_true(find_types(&fixture->find));
    press(fixture, KEYCODE_ENTER); /* empty: it leaves */
    assert_false(find_is_open(&fixture->find));
    look_for(fixture, "zebra");
    press(fixture, KEYCODE_ENTER);
    assert_true(find_types(&fixture->find)); /* to be mended */
    assert_true(fixture->find.is_missing);
    press(fixture, KEYCODE_ESCAPE);
    assert_false(find_is_open(&fixture->find));
}

static void test_find__keeps_its_place_in_other_lines(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "the first row and the second row\n");
    look_for(fixture, "row");
    press(fixture, KEYCODE_DOWN);
    assert_place(fixture, 0, 29, 0, 32);
    fill(fixture, "the first row\nand the second\nrow\n");
    assert_true(find_look_again(&fixture->find, &fixture->doc));
    assert_place(fixture, 2, 0, 2, 3);
    fill(fixture, "the only row\n");
    assert_true(find_look_again(&fixture->find, &fixture->doc));
    assert_place(fixture, 0, 9, 0, 12);
    fill(fixture, "nothing\n");
    assert_false(find_look_again(&fixture->find, &fixture->doc));
    assert_true(fixture->find.is_missing);
}

/* A row of the canvas: R reversed, U underlined too, else a dot. */
static const char *marks(struct fixture *fixture, int row)
{
    static char text[COLS + 1];
    for (int col = 0; col < COLS; col++) {
        unsigned marked = fixture->canvas.cells[row * COLS + col].look.marks;
        text[col] = !(marked & MARK_REVERSE) ? '.' : marked & MARK_UNDERLINE ? 'U' : 'R';
    }
    text[COLS] = '\0';
    return text;
}

static void draw(struct fixture *fixture, size_t first, size_t col)
{
    assert_true(canvas_resize(&fixture->canvas, 3, COLS));
    canvas_clear(&fixture->canvas);
    struct area area = canvas_area(&fixture->canvas);
    area_doc(area, &fixture->doc, first, col);
    find_mark(&fixture->find, &fixture->doc, first, col, area);
}

/* Seen without colours: what was found last is underlined. */
static void test_find__marks_all_places(void **state)
{
    struct fixture *fixture = *state;
    fill(fixture, "\xE4\xBD\xA0 row\nrow and\n  row of a\n  row\n");
    look_for(fixture, "row");
    press(fixture, KEYCODE_DOWN);
    draw(fixture, 0, 0);
    assert_string_equal(marks(fixture, 0), "...RRR........................");
    assert_string_equal(marks(fixture, 1), "UUU...........................");
    assert_string_equal(marks(fixture, 2), "..RRR.........................");
    draw(fixture, 0, 1); /* a column further right */
    assert_string_equal(marks(fixture, 1), "UU............................");
    look_for(fixture, "and row of a row"); /* in three lines */
    draw(fixture, 2, 0);
    assert_string_equal(marks(fixture, 0), "..UUUUUUUU....................");
    assert_string_equal(marks(fixture, 1), "..UUU.........................");
    find_close(&fixture->find);
    draw(fixture, 2, 0);
    assert_string_equal(marks(fixture, 0), "..............................");
}

static void test_find__scrolls_only_where_it_must(void **state)
{
    (void)state;
    assert_int_equal(find_scroll(7, 5, 9, 100), 5);
    assert_int_equal(find_scroll(14, 5, 9, 100), 11); /* lines above it are seen too */
    assert_int_equal(find_scroll(4, 5, 9, 100), 1);
    assert_int_equal(find_scroll(1, 5, 9, 100), 0);
    assert_int_equal(find_scroll(99, 5, 9, 100), 91);
    assert_int_equal(find_scroll(3, 0, 9, 5), 0);
}

static const char *last_row(struct fixture *fixture)
{
    static char text[COLS * 4 + 1];
    size_t size = 0;
    canvas_clear(&fixture->canvas);
    find_draw(&fixture->find, area_part(canvas_area(&fixture->canvas), 2, 0, 1, COLS), "words", "",
              "not found", true);
    for (int col = 0; col < COLS; col++) {
        const char *bytes = fixture->canvas.cells[2 * COLS + col].bytes;
        memcpy(text + size, bytes, strlen(bytes));
        size += strlen(bytes);
    }
    text[size] = '\0';
    return text;
}

static void test_find__says_where_it_is(void **state)
{
    struct fixture *fixture = *state;
    assert_true(canvas_resize(&fixture->canvas, 3, COLS));
    fill(fixture, "row row\n");
    assert_string_equal(last_row(fixture), "                              ");
    look_for(fixture, "");
    assert_string_equal(last_row(fixture), "find: words                   ");
    type(fixture, "row");
    assert_string_equal(last_row(fixture), "find: row              1 of 2 ");
    type(fixture, "x");
    assert_string_equal(last_row(fixture), "find: rowx          not found ");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_find__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(capitals_are_small_letters),
        TEST(blanks_go_over_the_ends_of_lines),
        TEST(wide_letters_take_two_columns),
        TEST(walks_around),
        TEST(goes_up),
        TEST(keys_type_and_walk),
        TEST(keeps_its_place_in_other_lines),
        TEST(marks_all_places),
        TEST(scrolls_only_where_it_must),
        TEST(says_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
