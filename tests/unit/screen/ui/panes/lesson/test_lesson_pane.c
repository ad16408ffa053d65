/* ui/panes/lesson/lesson_pane.h: the lesson pane, with each kind of question answered in place.
 * Keys go in, what the pane wishes goes through tutor_line(), and what its pane shows is read back
 * as rows of text. */
#include "canvas_testing.h"
#include "course_testing.h"
#include "lang_testing.h"

#include <stdlib.h>

#include "base/array.h"
#include "course/player/course_command.h"
#include "ui/panes/lesson/lesson_pane.h"

enum { ROWS = 24, NARROW = 40, WIDE = 100 };
enum { LINE_COL = sizeof " your line: " - 1 }; /* where a line to run begins */

/* A question of each kind on a page of its own, with what is hard to show: options that are long,
 * hold code and wide letters; many columns with long names. */
static const char pane_lesson[] =
    "---\n"
    "id: pane\n"
    "title: Answers in place\n"
    "minutes: 5\n"
    "objectives:\n"
    "  - answer in place\n"
    "---\n"
    "\n"
    "# Answers in place\n"
    "\n"
    "Some words before it all.\n"
    "\n"
    "## Long\n"
    "\n"
    "1. a1\n"
    "2. a2\n"
    "3. a3\n"
    "4. a4\n"
    "5. a5\n"
    "6. a6\n"
    "7. a7\n"
    "8. a8\n"
    "9. a9\n"
    "10. a10\n"
    "11. a11\n"
    "12. a12\n"
    "13. a13\n"
    "14. a14\n"
    "15. a15\n"
    "16. a16\n"
    "17. a17\n"
    "18. a18\n"
    "19. a19\n"
    "20. a20\n"
    "21. a21\n"
    "22. a22\n"
    "23. a23\n"
    "24. a24\n"
    "25. a25\n"
    "26. a26\n"
    "27. a27\n"
    "28. a28\n"
    "29. the last line\n"
    "\n"
    "## One\n"
    "\n"
    "### Which axis\n"
    "\n"
    "Which one?\n"
    "\n"
    "1. the `dim=-1` of a softmax, along which all of its numbers add up to one\n"
    "2. \xE4\xBD\xA0\xE5\xA5\xBD and **caf\x65\xCC\x81**\n"
    "3. none\n"
    "\n" LESSON_ANSWER "kind: choice\n"
    "answer: 1\n"
    "because: Each row is for one query.\n"
    "hints:\n"
    "  - The first hint.\n"
    "  - The second hint.\n"
    "wrong:\n"
    "  - is: 2\n"
    "    say: That is a greeting.\n"
    "  - is: 3\n"
    "    say: One of them is right.\n" LESSON_ANSWER_END "## Several\n"
    "\n"
    "### Which are even\n"
    "\n"
    "Name all.\n"
    "\n"
    "1. two\n"
    "2. three\n"
    "3. four\n"
    "\n" LESSON_ANSWER "kind: choice\n"
    "answer: [1, 3]\n"
    "because: Both can be halved.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: 2\n"
    "    say: Three is odd.\n" LESSON_ANSWER_END "## Steps\n"
    "\n"
    "### In which order\n"
    "\n"
    "Put them in order.\n"
    "\n"
    "1. softmax\n"
    "2. scores\n"
    "3. context\n"
    "\n" LESSON_ANSWER "kind: order\n"
    "answer: [2, 1, 3]\n"
    "because: Scores first.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: [1, 2, 3]\n"
    "    say: Softmax of what?\n" LESSON_ANSWER_END "## Cells\n"
    "\n"
    "```attn quiet\n"
    "M = labels([[1, 0.25, 3], [4, 5, 6]], [\"a-name-that-is-long\", \"b\"], [\"one\", \"two\", "
    "\"three\"])\n"
    "```\n"
    "\n"
    "### Fill it in\n"
    "\n"
    "What is in it?\n"
    "\n" LESSON_ANSWER "kind: matrix\n"
    "answer: M\n"
    "cells: [[0, 1], [0, 2], [1, 0]]\n"
    "because: It was typed.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: M + 1\n"
    "    say: That is one too many.\n" LESSON_ANSWER_END "## Columns\n"
    "\n"
    "### Eight of them\n"
    "\n"
    "Count from 1.\n"
    "\n" LESSON_ANSWER "kind: matrix\n"
    "answer: arange(1, 9)\n"
    "because: It was counted.\n"
    "hints:\n"
    "  - Look again.\n" LESSON_ANSWER_END "## Thirds\n"
    "\n"
    "### Two of them\n"
    "\n"
    "One, and two of them, in percent?\n"
    "\n" LESSON_ANSWER "kind: matrix\n"
    "answer: \"[100 / 3, 5000]\"\n"
    "because: It was divided.\n"
    "hints:\n"
    "  - Look again.\n" LESSON_ANSWER_END "## Numbers\n"
    "\n"
    "### Two thirds\n"
    "\n"
    "How much is it?\n"
    "\n" LESSON_ANSWER "kind: number\n"
    "answer: 2 / 3\n"
    "because: Two by three.\n"
    "hints:\n"
    "  - The first hint.\n"
    "  - The second hint.\n"
    "wrong:\n"
    "  - is: 3 / 2\n"
    "    say: The other way round.\n"
    "  - is: 1\n"
    "    say: That is all of it.\n" LESSON_ANSWER_END "## Formulas\n"
    "\n"
    "### Twice\n"
    "\n"
    "Type twice x.\n"
    "\n" LESSON_ANSWER "kind: formula\n"
    "answer: 2 * x\n"
    "draw:\n"
    "  - x = randn(3)\n"
    "because: It doubles.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: 3 * x\n"
    "    say: That is thrice.\n" LESSON_ANSWER_END "## Guesses\n"
    "\n"
    "### A number\n"
    "\n"
    "Guess a number.\n"
    "\n" LESSON_ANSWER "kind: predict\n"
    "answer: 7\n"
    "because: It was seven.\n" LESSON_ANSWER_END "## Ways\n"
    "\n"
    "### Up or down\n"
    "\n"
    "Guess a way.\n"
    "\n"
    "1. up\n"
    "2. down\n"
    "\n" LESSON_ANSWER "kind: predict\n"
    "answer: 2\n"
    "because: It falls.\n" LESSON_ANSWER_END "## Words\n"
    "\n"
    "### For yourself\n"
    "\n"
    "What was new?\n"
    "\n" LESSON_ANSWER "kind: reflection\n" LESSON_ANSWER_END "## Code\n"
    "\n"
    "### In C\n"
    "\n"
    "Write it.\n"
    "\n" LESSON_ANSWER "kind: exercise\n"
    "exercise: softmax-rows\n" LESSON_ANSWER_END;

/* Questions that are answered in a table. */
static const char tables_lesson[] =
    "---\n"
    "id: tables\n"
    "title: Answers in tables\n"
    "objectives:\n"
    "  - answer in tables\n"
    "---\n"
    "\n"
    "# Answers in tables\n"
    "\n"
    "Some words before it all.\n"
    "\n"
    "## Point\n"
    "\n"
    "```attn quiet\n"
    "W = labels([[1, 0.5], [0.25, 2], [3, 4]], [\"le\", \"chat\", \"dort\"], [\"the\", \"cat\"])\n"
    "```\n"
    "\n"
    "### The faulty cell\n"
    "\n"
    "Which cell is it?\n"
    "\n" LESSON_ANSWER "kind: cell\n"
    "matrix: W\n"
    "answer: '[1, 0]'\n"
    "because: It was a quarter.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: '[0, 1]'\n"
    "    say: That is a half.\n" LESSON_ANSWER_END "## Points\n"
    "\n"
    "### All above one\n"
    "\n"
    "Which cells are above one?\n"
    "\n" LESSON_ANSWER "kind: cell\n"
    "matrix: W\n"
    "answer: W > 1\n"
    "because: Three of them are.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: '[0, 0]'\n"
    "    say: One is not above one.\n" LESSON_ANSWER_END "## Tall\n"
    "\n"
    "### A tall one\n"
    "\n"
    "Which cell is it?\n"
    "\n" LESSON_ANSWER "kind: cell\n"
    "matrix: arange(300).reshape(30, 10) + 10000\n"
    "answer: '[29, 9]'\n"
    "because: It is the last.\n"
    "hints:\n"
    "  - Look again.\n" LESSON_ANSWER_END "## Mask\n"
    "\n"
    "### Draw it\n"
    "\n"
    "Draw a causal mask.\n"
    "\n" LESSON_ANSWER "kind: mask\n"
    "answer: \"labels(arange(3)[:, None] >= arange(3), ['le', 'chat', 'dort'], ['le', 'chat', "
    "'dort'])\"\n"
    "because: None looks ahead.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: eye(3) > 0\n"
    "    say: Each sees itself alone.\n" LESSON_ANSWER_END "## Change\n"
    "\n"
    "```attn quiet\n"
    "v = [4, 16, 8]\n"
    "U = [[1, 2], [3, 4]]\n"
    "total = sum(v) + sum(U)\n"
    "```\n"
    "\n"
    "### Make it forty\n"
    "\n"
    "Make the total 40.\n"
    "\n" LESSON_ANSWER "kind: change\n"
    "change: [v, \"U[1]\"]\n"
    "most: 2\n"
    "holds: abs(total - 40) < 0.001\n"
    "makes: total\n"
    "answer: v[0] = 6\n"
    "because: Two more were needed.\n"
    "hints:\n"
    "  - Look again.\n"
    "wrong:\n"
    "  - is: total > 45\n"
    "    say: Far too much.\n"
    "```\n"
    "\n"
    "</details>\n"
    "\n"
    "## Product\n"
    "\n"
    "```attn quiet\n"
    "A = [[1, 2], [3, 5]]\n"
    "B = [[2, 1], [7, 3]]\n"
    "```\n"
    "\n"
    "### Their product\n"
    "\n"
    "Fill in the product.\n"
    "\n" LESSON_ANSWER "kind: matrix\n"
    "answer: A @ B\n"
    "because: Rows by columns.\n"
    "hints:\n"
    "  - Look again.\n" LESSON_ANSWER_END "## Nothing\n"
    "\n"
    "### Nothing at all\n"
    "\n"
    "Draw a mask that hides all.\n"
    "\n"
    "<details><summary>Answer</summary>\n"
    "\n"
    "```yaml\n"
    "kind: mask\n"
    "answer: zeros(2, 2) > 0\n"
    "because: Nothing is seen.\n"
    "hints:\n"
    "  - Look again.\n"
    "```\n"
    "\n"
    "</details>\n"
    "\n"
    "## Lines\n"
    "\n"
    "Some lines to run.\n"
    "\n"
    "```attn type\n"
    "n = arange(3)\n"
    "pair = labels([1,\n"
    "               2], ['a', 'b'])\n"
    "n + 1\n"
    "n + 1\n"
    "```\n"
    "\n"
    "After them.\n"
    "\n"
    "## Hidden\n"
    "\n"
    "### Find it\n"
    "\n"
    "```attn\n"
    "left = [1, 2]\n"
    "right = [3, 4]\n"
    "why dot(left, right)\n"
    "```\n"
    "\n"
    "Which number is it?\n"
    "\n"
    "<details><summary>Answer</summary>\n"
    "\n"
    "```yaml\n"
    "kind: number\n"
    "hides: left[0] * right[0]\n"
    "answer: left[0] * right[0]\n"
    "because: Once three.\n"
    "hints:\n"
    "  - Look again.\n"
    "```\n"
    "\n"
    "</details>\n";

struct fixture {
    struct place place;
    struct settings settings;
    struct tutor tutor;
    struct lesson_pane pane;
    struct seen seen;
    int rows, cols;
    bool ascii;
    char line[LESSON_PANE_ANSWER_BYTES + 16]; /* what was wished last; "" for nothing */
};

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    place_open(&fixture->place);
    place_write(&fixture->place, "lessons/02-tables.md", tables_lesson);
    place_write(&fixture->place, "lessons/03-pane.md", pane_lesson);
    fixture->settings = (struct settings){.digits = 4, .width_cols = 80, .colours = COLOURS_TRUE};
    tutor_init(&fixture->tutor, &(struct player_setup){.progress = fixture->place.progress,
                                                       .settings = &fixture->settings,
                                                       .data_dir = fixture->place.folder});
    lesson_pane_init(&fixture->pane, &fixture->tutor);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    lesson_pane_release(&fixture->pane);
    tutor_release(&fixture->tutor);
    place_close(&fixture->place);
    canvas_release(&fixture->seen.canvas);
    free(fixture);
    return 0;
}

/* ---- the application around it ---- */

static void open_page(struct fixture *fixture, bool is_turned)
{
    struct error error;
    fixture->pane.rows = fixture->rows;
    if (!lesson_pane_open(&fixture->pane, (size_t)fixture->cols, is_turned, &error))
        fail_msg("%s", error.text);
}

static void resize(struct fixture *fixture, int rows, int cols)
{
    fixture->rows = rows;
    fixture->cols = cols;
    assert_true(canvas_resize(&fixture->seen.canvas, rows, cols));
    open_page(fixture, false);
}

static void do_line(struct fixture *fixture, const char *line)
{
    struct doc shown;
    struct error error;
    const struct player *player = fixture->tutor.player;
    size_t page = player != NULL ? player->page : 0;
    doc_init(&shown);
    if (tutor_line(&fixture->tutor, line, strlen(line), &shown, &error)) {
        const struct player *now = fixture->tutor.player;
        if (now != NULL && !now->finished && (now != player || now->page != page))
            open_page(fixture, true);
        else
            lesson_pane_say(&fixture->pane, &shown);
    } else {
        lesson_pane_say_error(&fixture->pane, &error);
    }
    doc_release(&shown);
}

static void press(struct fixture *fixture, int key)
{
    struct lesson_pane *pane = &fixture->pane;
    struct pane_request request;
    fixture->line[0] = '\0';
    (void)pane_press((struct pane){&lesson_pane_ops, pane}, key);
    if (!lesson_pane_take_request(pane, &request))
        return;
    if (request.kind == PANE_RUN_OWN_LINE) {
        snprintf(fixture->line, sizeof fixture->line, "%s", text_string(&request.text));
        do_line(fixture, fixture->line);
    }
    pane_request_release(&request);
}

/* Characters as they are typed, and < > ^ _ for the arrows, \n, ~ for Backspace, \x1b. */
static void type(struct fixture *fixture, const char *keys)
{
    for (const char *c = keys; *c != '\0'; c++)
        press(fixture, *c == '<'    ? KEYCODE_LEFT
                       : *c == '>'  ? KEYCODE_RIGHT
                       : *c == '^'  ? KEYCODE_UP
                       : *c == '_'  ? KEYCODE_DOWN
                       : *c == '\n' ? KEYCODE_ENTER
                       : *c == '~'  ? KEYCODE_BACKSPACE
                                    : *c);
}

static void press_hint(struct fixture *fixture)
{
    press(fixture, 'T' - '@');
    assert_string_equal(fixture->line, "hint");
}

static void assert_wished(const struct fixture *fixture, const char *line)
{
    assert_string_equal(fixture->line, line);
}

/* What is typed ends in this line being wished; "": in none. */
static void assert_gives(struct fixture *fixture, const char *keys, const char *line)
{
    type(fixture, keys);
    assert_wished(fixture, line);
}

static void draw(struct fixture *fixture)
{
    canvas_clear(&fixture->seen.canvas);
    lesson_pane_draw(&fixture->pane, canvas_area(&fixture->seen.canvas), true, fixture->ascii);
}

/* Opens a step of a lesson in a pane of this width. */
static void go_to(struct fixture *fixture, const char *step, int cols)
{
    char line[64];
    snprintf(line, sizeof line, "lesson %s%s", strchr(step, '#') != NULL ? "" : "pane#", step);
    fixture->rows = ROWS;
    fixture->cols = cols;
    assert_true(canvas_resize(&fixture->seen.canvas, ROWS, cols));
    do_line(fixture, line);
    draw(fixture);
    if (fixture->tutor.player == NULL)
        fail_msg("%s", text_string(&fixture->pane.says.text));
}

static void check_shown(const char *file, int line, struct fixture *fixture, const char *part,
                        bool wanted)
{
    draw(fixture);
    seen_check(file, line, &fixture->seen, part, wanted);
}

#define assert_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, true)
#define assert_not_shown(fixture, part) check_shown(__FILE__, __LINE__, fixture, part, false)

static int row_of(struct fixture *fixture, const char *part)
{
    assert_shown(fixture, part);
    return seen_find(&fixture->seen, part);
}

static bool asks(const struct fixture *fixture)
{
    return player_is_asking(fixture->tutor.player);
}

static void click(struct fixture *fixture, const char *part)
{
    int row = row_of(fixture, part);
    const char *at = strstr(seen_row(&fixture->seen, row), part);
    int col = (int)text_width(fixture->seen.row, (size_t)(at - fixture->seen.row));
    lesson_pane_click(&fixture->pane, canvas_area(&fixture->seen.canvas), row, col, false);
}

typedef void in_width(struct fixture *fixture);

/* The same at 40 columns and at 100, in ASCII too. */
static void in_both_widths(void **state, const char *step, in_width *test)
{
    static const int widths[] = {NARROW, WIDE};
    for (size_t i = 0; i < 4; i++) {
        struct fixture *fixture = *state;
        fixture->ascii = i >= 2;
        go_to(fixture, step, widths[i % 2]);
        test(fixture);
        if (i < 3) {
            teardown(state);
            setup(state);
        }
    }
}

/* ---- options ---- */

static void choose_one(struct fixture *fixture)
{
    const char *cursor = fixture->ascii ? "> " : "\xE2\x96\xB8";
    draw(fixture);
    for (int row = 0; row < ROWS; row++)
        assert_null(strchr(seen_row(&fixture->seen, row), '`'));
    assert_shown(fixture, "1 ( ) the dim=-1 of a softmax");
    assert_not_shown(fixture, cursor); /* nothing was chosen */
    assert_not_shown(fixture, "Enter answer");
    assert_gives(fixture, "\n", ""); /* nobody answers by reading on */
    assert_shown(fixture, fixture->ascii ? "> 1 ( ) the dim" : "\xE2\x96\xB8 1 ( ) the dim");
    assert_shown(fixture, "up to one"); /* the end of what is long */
    assert_shown(fixture, "2 ( ) \xE4\xBD\xA0\xE5\xA5\xBD and caf\x65\xCC\x81");
    assert_not_shown(fixture, "Type the number");
    type(fixture, "2");
    assert_shown(fixture, fixture->ascii ? "2 (*)" : "2 (\xE2\x80\xA2)");
    type(fixture, "3"); /* one at a time */
    assert_shown(fixture, "2 ( )");
    assert_gives(fixture, "^\n", "answer 2"); /* what is picked goes with the cursor */
    assert_shown(fixture, "Not yet.");
    assert_shown(fixture, "That is a greeting.");
    assert_shown(fixture, fixture->ascii ? "2 (x)" : "2 (\xE2\x9C\x97)");
    type(fixture, "3\n");
    assert_not_shown(fixture, "That is a greeting.");
    assert_shown(fixture, "One of them is right.");
    type(fixture, "1\n");
    assert_false(asks(fixture));
    assert_shown(fixture, "Right.");
    assert_shown(fixture, "Each row is for one query.");
    assert_shown(fixture, fixture->ascii ? "1 (*) the dim=-1" : "1 (\xE2\x9C\x93) the dim=-1");
    type(fixture, "2");
    assert_shown(fixture, "2 ( )"); /* it is over */
}

static void test_lesson_pane__one_option(void **state)
{
    in_both_widths(state, "one", choose_one);
}

static void test_lesson_pane__one_option_by_mouse(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", NARROW);
    click(fixture, "up to one"); /* its last row */
    assert_shown(fixture, "1 (\xE2\x80\xA2)");
    click(fixture, "none");
    assert_shown(fixture, "1 ( )");
    assert_shown(fixture, "3 (\xE2\x80\xA2)");
    click(fixture, "Which one?");
    assert_shown(fixture, "3 (\xE2\x80\xA2)");
    assert_false(
        lesson_pane_click(&fixture->pane, canvas_area(&fixture->seen.canvas), ROWS - 1, 5, false));
}

static void choose_several(struct fixture *fixture)
{
    const char *tick = fixture->ascii ? "x" : "\xE2\x9C\x93";
    char box[32];
    assert_gives(fixture, "\n", ""); /* nothing is ticked */
    assert_shown(fixture, "tick what is right");
    type(fixture, "1_ ");
    assert_shown(fixture, "Space tick; Enter answer");
    assert_not_shown(fixture, "tick what is right");
    snprintf(box, sizeof box, "1 [%s] two", tick);
    assert_shown(fixture, box);
    snprintf(box, sizeof box, "2 [%s] three", tick);
    assert_shown(fixture, box);
    assert_gives(fixture, "\n", "answer 1 2");
    assert_shown(fixture, "Three is odd.");
    assert_shown(fixture, box); /* to be mended */
    assert_gives(fixture, "2\n", "answer 1");
    assert_shown(fixture, "not all of it");
    assert_not_shown(fixture, "Three is odd.");
    assert_gives(fixture, "3\n", "answer 1 3");
    assert_shown(fixture, "Both can be halved.");
}

static void test_lesson_pane__several_options(void **state)
{
    in_both_widths(state, "several", choose_several);
}

static void carry_steps(struct fixture *fixture)
{
    const char *held = fixture->ascii ? "^ 3. context" : "\xE2\x86\x95 3. context";
    assert_shown(fixture, "type the numbers in order");
    assert_gives(fixture, "\n", ""); /* nobody answers by reading on */
    assert_shown(fixture, "type the numbers in order; ^T");
    assert_gives(fixture, "\n", "answer 1 2 3"); /* but who means it */
    assert_shown(fixture, "Softmax of what?");
    assert_gives(fixture, "JK", ""); /* letters are no commands */
    assert_shown(fixture, "K does nothing here");
    type(fixture, "__ ");
    assert_shown(fixture, held);
    type(fixture, "^");
    assert_true(row_of(fixture, "3. context") < row_of(fixture, "2. scores"));
    assert_gives(fixture, "___^\n", ""); /* Enter puts it down */
    assert_not_shown(fixture, held);
    assert_shown(fixture, "your order: 1 3 2");
    press(fixture, KEYCODE_SHIFT_DOWN);
    press(fixture, KEYCODE_SHIFT_DOWN); /* there is no further down */
    assert_shown(fixture, "your order: 1 2 3");
    type(fixture, "^^ _ ");
    assert_true(row_of(fixture, "2. scores") < row_of(fixture, "1. softmax"));
    assert_gives(fixture, "\n", "answer 2 1 3");
    assert_shown(fixture, "Scores first.");
    assert_true(row_of(fixture, "2. scores") < row_of(fixture, "1. softmax"));
}

static void test_lesson_pane__steps_in_order(void **state)
{
    in_both_widths(state, "steps", carry_steps);
}

static void type_steps(struct fixture *fixture)
{
    type(fixture, "3");
    assert_shown(fixture, "your order: 3 _ _");
    assert_true(row_of(fixture, "3. context") < row_of(fixture, "1. softmax"));
    type(fixture, "3");
    assert_shown(fixture, "step 3 has a place");
    type(fixture, "4");
    assert_shown(fixture, "numbered 1 to 3");
    assert_gives(fixture, "1\n", "");
    assert_shown(fixture, "1 of 3 steps is missing");
    type(fixture, "~");
    assert_shown(fixture, "your order: 3 _ _");
    press(fixture, 0x1b);
    assert_shown(fixture, "in their first order");
    assert_shown(fixture, "type the numbers in order");
    assert_true(row_of(fixture, "1. softmax") < row_of(fixture, "3. context"));
    type(fixture, "3, 2, 1");
    assert_shown(fixture, "your order: 3 2 1");
    type(fixture, "1");
    assert_shown(fixture, "all steps have a place");
    assert_gives(fixture, "\n", "answer 3 2 1");
    assert_shown(fixture, "0 of 3 stand right.");
    type(fixture, "1 3 ~ ~~"); /* a blank after a number picks nothing up */
    assert_shown(fixture, "type the numbers in order");
    type(fixture, "2 1 3");
    assert_shown(fixture, "your order: 2 1 3");
    assert_gives(fixture, "\n", "answer 2 1 3");
    assert_false(asks(fixture));
}

static void test_lesson_pane__the_numbers_of_an_order_are_typed(void **state)
{
    in_both_widths(state, "steps", type_steps);
}

static void guess_a_way(struct fixture *fixture)
{
    assert_gives(fixture, "1\n", "answer 1");
    assert_shown(fixture, "You guessed 1.");
    assert_shown(fixture, "It falls.");
    assert_shown(fixture, fixture->ascii ? "1 (*) up" : "1 (\xE2\x80\xA2) up");
    assert_false(asks(fixture));
}

static void test_lesson_pane__a_guess_by_options(void **state)
{
    in_both_widths(state, "ways", guess_a_way);
}

/* ---- cells ---- */

static void fill_cells(struct fixture *fixture)
{
    const char *wrong = fixture->ascii ? " x" : " \xE2\x9C\x97";
    assert_shown(fixture, "a-name");
    const char *cut = fixture->ascii ? "~" : "\xE2\x80\xA6";
    if (fixture->cols == NARROW)
        assert_non_null(strstr(seen_row(&fixture->seen, row_of(fixture, "a-name")), cut));
    assert_shown(fixture, "two");
    assert_not_shown(fixture, "[?]"); /* the player's own table */
    type(fixture, "0.26\n3\n\n");     /* Enter goes to what is empty */
    assert_wished(fixture, "");
    assert_gives(fixture, "5\n", "answer [[1, 0.26, 3], [5, 5, 6]]");
    assert_shown(fixture, "2 of the 3 cells are wrong.");
    assert_shown(fixture, "[0.26");
    assert_shown(fixture, wrong);
    type(fixture, "~5"); /* the first that is wrong, its last digit */
    assert_not_shown(fixture, "of the 3 cells");
    assert_gives(fixture, "\n", "");
    type(fixture, "4"); /* in the place of 5 */
    assert_shown(fixture, "[4 ");
    assert_gives(fixture, "\n", "answer [[1, 0.25, 3], [4, 5, 6]]");
    assert_false(asks(fixture));
    assert_shown(fixture, "It was typed.");
    assert_not_shown(fixture, "[4");
}

static void test_lesson_pane__cells_of_a_matrix(void **state)
{
    in_both_widths(state, "cells", fill_cells);
}

/* ---- pointing ---- */

static void point_at_a_cell(struct fixture *fixture)
{
    assert_shown(fixture, "dort");
    type(fixture, "\n"); /* nobody answers by reading on */
    assert_wished(fixture, "");
    assert_shown(fixture, "to do: arrows move, Enter points");
    assert_gives(fixture, ">\n", "answer 0, 1");
    assert_shown(fixture, "[le, cat]");
    assert_shown(fixture, "That is a half.");
    assert_shown(fixture, fixture->ascii ? "0.5 x" : "0.5 \xE2\x9C\x97");
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "tried already: another cell");
    press_hint(fixture);
    assert_gives(fixture, "_<\n", "answer 1, 0");
    assert_false(asks(fixture));
    assert_shown(fixture, "It was a quarter.");
    assert_shown(fixture, "0.25"); /* the matrix stays in sight */
}

static void test_lesson_pane__a_cell_to_point_at(void **state)
{
    in_both_widths(state, "tables#point", point_at_a_cell);
}

static void test_lesson_pane__keys_among_cells(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#point", WIDE);
    press(fixture, KEYCODE_TAB);
    press(fixture, KEYCODE_TAB);
    assert_int_equal(fixture->pane.point, 2); /* in reading order */
    press(fixture, KEYCODE_BACK_TAB);
    assert_int_equal(fixture->pane.point, 1);
    type(fixture, "<<<");
    assert_int_equal(fixture->pane.point, 0);
    type(fixture, "____>>");
    assert_int_equal(fixture->pane.point, 5); /* and no further */
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_TAB));
    type(fixture, " ");
    assert_shown(fixture, "one cell is asked for");
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_ESCAPE));
    assert_shown(fixture, "arrows move, Enter answers");
    assert_false(lesson_pane_key(&fixture->pane, KEYCODE_DOWN));  /* scrolls */
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_ESCAPE)); /* not home */
    assert_gives(fixture, "\n", "");
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_BACK_TAB));
    click(fixture, "0.25");
    assert_int_equal(fixture->pane.point, 2);
    assert_gives(fixture, "\n", "answer 1, 0");
}

static void point_at_several(struct fixture *fixture)
{
    type(fixture, "\n");
    assert_shown(fixture, "to do: arrows move, Space marks");
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "no cell is marked");
    type(fixture, " _> ");
    assert_shown(fixture, "[1 ");
    assert_shown(fixture, "[2 ");
    type(fixture, "\n");
    assert_wished(fixture, "answer 0, 0; 1, 1");
    assert_shown(fixture, "One is not above one.");
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "tried already: mark others");
    type(fixture, "^< "); /* takes the mark back */
    assert_not_shown(fixture, "[1 ");
    type(fixture, "__ > \n");
    assert_wished(fixture, "answer 1, 1; 2, 0; 2, 1");
    assert_false(asks(fixture));
}

static void test_lesson_pane__several_cells_to_point_at(void **state)
{
    in_both_widths(state, "tables#points", point_at_several);
}

static void test_lesson_pane__a_tall_matrix_to_point_at(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#tall", NARROW);
    type(fixture, "\n\n"); /* down to it */
    assert_shown(fixture, "10000");
    assert_shown(fixture, "more rows");
    for (int i = 0; i < 40; i++)
        type(fixture, "_>");
    assert_int_equal(fixture->pane.point, 299);
    assert_shown(fixture, "10299");
    assert_not_shown(fixture, "more rows");
    resize(fixture, 10, NARROW);
    type(fixture, "<>");
    assert_shown(fixture, "10299");
    assert_shown(fixture, " 9"); /* its column has its name still */
    assert_gives(fixture, "\n", "answer 29, 9");
}

/* A mistake in the formula is named as it is where the matrix is typed whole. */
static void test_lesson_pane__a_mistake_behind_cells_is_named(void **state)
{
    struct fixture *fixture = *state;
    place_link_edits(&fixture->place);
    go_to(fixture, "tables#product", WIDE);
    type(fixture, "4\n13\n11\n36\n"); /* the rows of A by those of B */
    assert_shown(fixture, "This comes out when");
    assert_int_equal(place_number(&fixture->place, "SELECT count(*) FROM events WHERE kind ="
                                                   " 'wrong' AND mistake != ''"),
                     1);
}

/* ---- cells that hold no number ---- */

/* Words are told what may be typed there, and a number typed then takes their place. */
static void test_lesson_pane__words_in_cells(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "cells", WIDE);
    type(fixture, "two\n3\n4\n");
    assert_wished(fixture, "");
    assert_shown(fixture, "two: no such name; digits and");
    assert_int_equal(fixture->tutor.player->state.n_wrong, 0);
    assert_shown(fixture, "row 1, column 2: ");
    type(fixture, "0.25\n");
    assert_wished(fixture, "answer [[1, 0.25, 3], [4, 5, 6]]");
    assert_false(asks(fixture));
}

/* ---- masks ---- */

static void draw_mask(struct fixture *fixture)
{
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "to do: arrows move, Space draws");
    type(fixture, " _ _1"); /* the 1 goes on to the next cell */
    assert_gives(fixture, "\n", "answer 100 100 100");
    assert_shown(fixture, "3 of the 9 cells are wrong.");
    assert_not_shown(fixture, "The first of them");
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "tried already: change a cell");
    type(fixture, " ");
    assert_not_shown(fixture, "of the 9 cells");
    assert_gives(fixture, "\n", "answer 100 100 110");
    assert_shown(fixture, "The first of them is [chat, chat].");
    assert_int_equal(fixture->pane.point, 4); /* there */
    type(fixture, " ");
    assert_shown(fixture, fixture->ascii ? "chat  #" : "chat  \xE2\x96\xA0");
    assert_shown(fixture, fixture->ascii ? "le    #" : "le    \xE2\x96\xA0");
    assert_not_shown(fixture, fixture->ascii ? "dort  ." : "dort  \xC2\xB7");
    assert_gives(fixture, "_>1\n", "answer 100 110 111");
    assert_false(asks(fixture));
    assert_shown(fixture, "None looks ahead.");
}

static void test_lesson_pane__a_mask_to_draw(void **state)
{
    in_both_widths(state, "tables#mask", draw_mask);
}

/* A mask in which nothing is marked is no answer, however often Enter is pressed. */
static void test_lesson_pane__an_empty_mask_is_not_given(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#mask", WIDE);
    type(fixture, "\n\n");
    assert_wished(fixture, "");
    assert_shown(fixture, "nothing is marked yet: Space marks the cell under the cursor");
    type(fixture, "1<0\n"); /* marked, and taken back */
    assert_wished(fixture, "");
    assert_int_equal(fixture->tutor.player->state.n_wrong, 0);
    go_to(fixture, "tables#nothing", WIDE);
    type(fixture, "\n");
    assert_wished(fixture, "");
    type(fixture, "\n"); /* where it is right, it is asked once */
    assert_wished(fixture, "answer 00 00");
    assert_false(asks(fixture));
}

/* Of the arithmetic that the page hides a number of, nothing is hidden once it is answered. */
static void test_lesson_pane__what_was_hidden_is_shown_at_once(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#hidden", WIDE);
    assert_shown(fixture, "= ? + 8");
    type(fixture, "4\n");
    assert_shown(fixture, "= ? + 8"); /* wrong */
    type(fixture, "3\n");
    assert_false(asks(fixture));
    assert_shown(fixture, "= 3 + 8");
    assert_not_shown(fixture, "= ?");
    assert_not_shown(fixture, "You have answered this."); /* the reply says it */
}

/* Home and End go to the ends of the row, whatever it holds, and change no cell. */
static void test_lesson_pane__home_and_end_in_a_mask(void **state)
{
    struct fixture *fixture = *state;
    enum { SIDE = 3 };
    go_to(fixture, "tables#mask", WIDE);
    for (size_t row = 0; row < SIDE; row++) {
        press(fixture, KEYCODE_END);
        assert_int_equal(fixture->pane.point, row * SIDE + SIDE - 1);
        press(fixture, KEYCODE_END);
        assert_int_equal(fixture->pane.point, row * SIDE + SIDE - 1);
        press(fixture, KEYCODE_HOME);
        assert_int_equal(fixture->pane.point, row * SIDE);
        press(fixture, KEYCODE_HOME);
        assert_int_equal(fixture->pane.point, row * SIDE);
        press(fixture, KEYCODE_END);
        type(fixture, " ");
        press(fixture, KEYCODE_HOME);
        type(fixture, "_");
    }
    for (size_t cell = 0; cell < SIDE * SIDE; cell++)
        assert_int_equal(fixture->pane.marked[cell], cell % SIDE == SIDE - 1);
    assert_gives(fixture, "\n", "answer 001 001 001");
}

static void test_lesson_pane__a_mask_by_mouse_and_digits(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#mask", WIDE);
    click(fixture, "\xC2\xB7"); /* the first */
    assert_true(fixture->pane.marked[0]);
    click(fixture, "\xE2\x96\xA0");
    assert_false(fixture->pane.marked[0]);
    type(fixture, "010");
    assert_false(fixture->pane.marked[0]);
    assert_true(fixture->pane.marked[1]);
    assert_gives(fixture, "h", ""); /* no letter is a command */
    assert_shown(fixture, "h does nothing here: Space, 1 and 0 draw; ^T hint, ^S skip");
    press(fixture, KEYCODE_ESCAPE);
    assert_false(fixture->pane.marked[1]); /* all at once */
    assert_false(fixture->pane.is_left);
    press(fixture, 'Y' - '@');
    assert_true(fixture->pane.marked[1]);
    press(fixture, KEYCODE_CTRL_C);
    assert_false(fixture->pane.marked[1]);
    press(fixture, KEYCODE_ESCAPE);
    assert_true(fixture->pane.is_left);
    type(fixture, "1"); /* draws on */
    assert_false(fixture->pane.is_left);
    resize(fixture, 12, NARROW);
    assert_true(fixture->pane.marked[3]);
    press(fixture, 'S' - '@');
    assert_wished(fixture, "skip");
}

/* ---- changes ---- */

static void change_numbers(struct fixture *fixture)
{
    char change[64];
    assert_true(lesson_pane_types(&fixture->pane));
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "no answer yet");
    type(fixture, "16");
    snprintf(change, sizeof change, "v[0]: 4 %s 16", fixture->ascii ? "->" : "\xE2\x86\x92");
    assert_shown(fixture, change);
    assert_shown(fixture, "[16 ");
    assert_gives(fixture, "\n", "answer v[0] = 16");
    assert_shown(fixture, "That makes total = 50.");
    assert_shown(fixture, "Far too much.");
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "tried already: another number");
    type(fixture, "_7"); /* the row of U that may change */
    assert_int_equal(fixture->pane.input, 1);
    assert_int_equal(fixture->pane.point, 2);
    type(fixture, "\t9");
    assert_shown(fixture, "only 2 numbers may change");
    assert_not_shown(fixture, "[9");
    type(fixture, "^<"); /* from [1] to [0] of v */
    assert_int_equal(fixture->pane.n_changes, 2);
    type(fixture, "~");
    assert_int_equal(fixture->pane.n_changes, 1);
    assert_not_shown(fixture, "v[0]:");
    assert_gives(fixture, "_5\n", "answer U[1, 0] = 5");
    assert_false(asks(fixture));
    assert_shown(fixture, "That makes total = 40.");
    assert_shown(fixture, "Two more were needed.");
}

static void test_lesson_pane__numbers_to_change(void **state)
{
    in_both_widths(state, "tables#change", change_numbers);
}

static void test_lesson_pane__keys_among_numbers(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#change", WIDE);
    type(fixture, ">>>"); /* past what may not change */
    assert_int_equal(fixture->pane.input, 1);
    assert_int_equal(fixture->pane.point, 2);
    press(fixture, KEYCODE_BACK_TAB);
    assert_int_equal(fixture->pane.input, 0);
    assert_int_equal(fixture->pane.point, 2);
    type(fixture, "5");
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_ESCAPE));
    assert_int_equal(fixture->pane.n_changes, 0);
    type(fixture, "5~"); /* an empty one is none */
    assert_int_equal(fixture->pane.n_changes, 0);
    type(fixture, "5");
    press(fixture, KEYCODE_TAB);
    press(fixture, KEYCODE_BACK_TAB);
    type(fixture, "6");
    press(fixture, KEYCODE_ESCAPE);
    assert_int_equal(fixture->pane.n_changes, 0);
    press(fixture, 'Y' - '@');
    assert_shown(fixture, "[6 ");
    press(fixture, 'U' - '@');
    assert_gives(fixture, "no\n", "answer v[2] = no");
    assert_shown(fixture, "no such name");
    assert_true(asks(fixture));
    click(fixture, "16");
    assert_int_equal(fixture->pane.point, 1);
    press(fixture, KEYCODE_ESCAPE); /* leaves the tables */
    assert_true(fixture->pane.is_left);
    type(fixture, "7"); /* and any character types on */
    assert_int_equal(fixture->pane.n_changes, 2);
    press(fixture, 'S' - '@');
    assert_wished(fixture, "skip");
}

/* A whole change typed over a cell is no answer: it is said what to type, and nothing is lost. */
static void test_lesson_pane__a_whole_change_over_a_cell(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#change", WIDE);
    assert_gives(fixture, "v[0] = 6\n", "");
    assert_shown(fixture, "type the number alone: the cell is chosen by the cursor");
    assert_int_equal(fixture->tutor.player->state.n_wrong, 0);
    assert_gives(
        fixture, "sum(v, dim=-1) * 0 + 6\n",
        "answer v[0] = sum(v, dim=-1) * 0 + 6"); /* in place of it; this '=' is inside of a call */
    assert_shown(fixture, "That makes total = 40.");
    assert_false(asks(fixture));
}

/* ---- tables, asked again and without memory ---- */

/* Wrong once, then right, and a day later it is asked again. */
static void review_table(void **state, const char *step, const char *wrong, const char *right)
{
    struct fixture *fixture = *state;
    go_to(fixture, step, WIDE);
    type(fixture, wrong);
    assert_true(asks(fixture));
    assert_int_equal(fixture->tutor.player->state.n_wrong, 1);
    type(fixture, right);
    assert_false(asks(fixture));
    assert_int_equal(place_number(&fixture->place, "UPDATE reviews SET due_s = 1 RETURNING due_s"),
                     1);
    do_line(fixture, "review");
    assert_true(fixture->tutor.player->is_review);
    assert_shown(fixture, "review: Answers in tables");
    type(fixture, wrong); /* nothing of the first time is left in the table */
    assert_true(asks(fixture));
    assert_int_equal(fixture->tutor.player->state.n_wrong, 1);
    type(fixture, right);
    assert_false(asks(fixture));
    assert_shown(fixture, "Right.");
    assert_int_equal(place_number(&fixture->place, "DELETE FROM reviews RETURNING 1"), 1);
}

static void test_lesson_pane__tables_are_asked_again(void **state)
{
    review_table(state, "tables#point", ">\n", "_<\n");
    review_table(state, "tables#points", " \n", " _> _ < \n");
    review_table(state, "tables#mask", "1\n", "<_11_<< > > \n");
    review_table(state, "tables#change", "5\n", "6\n");
}

static void test_lesson_pane__tables_without_memory(void **state)
{
    static const char *const steps[] = {"tables#point", "tables#mask", "tables#change"};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < 3; i++) {
        struct error error = {.kind = ERR_NONE};
        go_to(fixture, "one", WIDE);
        do_line(fixture, "back");
        for (long nth = 1, n = 1; n >= nth; nth++) {
            go_to(fixture, steps[i], WIDE);
            type(fixture, "1");
            testing_fail_allocation(nth);
            fixture->pane.place[0] = '\0';
            bool ok = lesson_pane_open(&fixture->pane, NARROW, true, &error);
            draw(fixture);
            press(fixture, KEYCODE_RIGHT);
            n = testing_allocations();
            testing_fail_allocation(0);
            if (!ok)
                assert_error(ok, error, ERR_MEMORY);
        }
    }
}

static size_t cell_of(const struct fixture *fixture)
{
    return fixture->pane.cell;
}

/* The pane gets another size while the player is at the next page already: nothing of that page's
 * question is asked of the one that is shown. */
static void test_lesson_pane__a_size_between_two_pages(void **state)
{
    struct fixture *fixture = *state;
    struct doc shown;
    struct error error;
    go_to(fixture, "cells", WIDE);
    doc_init(&shown);
    assert_true(tutor_line(&fixture->tutor, "lesson pane#one", 15, &shown, &error));
    doc_release(&shown);
    lesson_pane_ops.resize(&fixture->pane, ROWS - 4, WIDE);
    lesson_pane_ops.resize(&fixture->pane, ROWS, WIDE);
    assert_int_equal(lesson_pane_ops.rows_wanted(&fixture->pane, WIDE), 0);
    open_page(fixture, true);
    assert_shown(fixture, "Which one?");
    assert_true(lesson_pane_ops.rows_wanted(&fixture->pane, WIDE) > 0);
}

static void test_lesson_pane__moving_between_cells(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "cells", WIDE);
    assert_int_equal(cell_of(fixture), 0); /* [0, 1], then [0, 2], then [1, 0] */
    type(fixture, ">");
    assert_int_equal(cell_of(fixture), 1);
    type(fixture, "_"); /* the nearest that is asked */
    assert_int_equal(cell_of(fixture), 2);
    type(fixture, "^");
    assert_int_equal(cell_of(fixture), 0);
    press(fixture, KEYCODE_TAB);
    press(fixture, KEYCODE_TAB);
    assert_int_equal(cell_of(fixture), 2);
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_TAB)); /* not to the next pane */
    assert_int_equal(cell_of(fixture), 2);
    press(fixture, KEYCODE_BACK_TAB);
    assert_int_equal(cell_of(fixture), 1);
    type(fixture, "<<<");
    assert_int_equal(cell_of(fixture), 0);
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_BACK_TAB));
    assert_int_equal(cell_of(fixture), 0);
    type(fixture, "78<"); /* in what is typed, and at its ends to the cells beside it */
    assert_int_equal(fixture->pane.cells[0].field.cursor, 1);
    type(fixture, ">>");
    assert_int_equal(cell_of(fixture), 1);
    type(fixture, "<7<");
    assert_int_equal(cell_of(fixture), 0);
    assert_shown(fixture, "[7 ");
    press(fixture, KEYCODE_ESCAPE); /* clears it */
    assert_not_shown(fixture, "[7 ");
    assert_shown(fixture, "^Y brings it back");
    assert_false(fixture->pane.is_left);
    press(fixture, 'Y' - '@');
    assert_shown(fixture, "[7 ");
    press(fixture, KEYCODE_CTRL_C);
    press(fixture, KEYCODE_ESCAPE); /* leaves the matrix */
    assert_true(fixture->pane.is_left);
    assert_shown(fixture, "^Q leaves");
    assert_false(lesson_pane_key(&fixture->pane, KEYCODE_RIGHT)); /* scrolls, if anything */
    assert_true(lesson_pane_key(&fixture->pane, KEYCODE_ESCAPE)); /* not home */
    press_hint(fixture);
    type(fixture, "8>");
    assert_false(fixture->pane.is_left);
    click(fixture, "[8");
    assert_int_equal(cell_of(fixture), 0);
    type(fixture, "1");
    assert_shown(fixture, "[1 ");
    press(fixture, KEYCODE_TAB);
    press(fixture, KEYCODE_BACK_TAB);
    press(fixture, KEYCODE_DELETE);
    assert_not_shown(fixture, "[1 ");
}

static void test_lesson_pane__a_cell_may_be_a_formula(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "cells", NARROW);
    type(fixture, "1/4\nabs(-3)\n2+nope\n");
    assert_wished(fixture, "");
    assert_shown(fixture, "nope: no such name;");
    assert_int_equal(cell_of(fixture), 2); /* where the fault is, at its end */
    assert_int_equal(fixture->pane.cells[2].field.cursor, 6);
    type(fixture, "\x1b"
                  "4\n");
    assert_false(asks(fixture));
}

static void paste(struct fixture *fixture, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        lesson_pane_ops.paste(&fixture->pane, *c == '\n'   ? KEYCODE_ENTER
                                              : *c == '\t' ? KEYCODE_TAB
                                                           : *c);
    lesson_pane_ops.paste(&fixture->pane, KEYCODE_PASTE_END);
}

/* As a learner who answered nothing yet: a page that was answered is passed over. */
static void go_to_new(void **state, const char *step)
{
    (void)teardown(state);
    (void)setup(state);
    go_to(*state, step, WIDE);
}

/* However the numbers of a row or a matrix are written, they fill its cells. */
static void test_lesson_pane__a_list_fills_cells(void **state)
{
    struct fixture *fixture = *state;
    static const char *const rows[] = {
        "1 2 3 4 5 6 7 8",           "1, 2, 3, 4, 5, 6, 7, 8",
        "1,2,3,4,5,6,7,8",           "[1, 2, 3, 4, 5, 6, 7, 8]",
        "[1 2 3 4 5 6 7 8]",         "1\t2\t3\t4\t5\t6\t7\t8\n",
        "1 2 3 4 5 6 7 sum([1, 7])", "[1, 2, 3, 4, 5, 6, 7, 16 / 2]"};
    static const char *const wholes[] = {"[[16, 7], [41, 18]]", "16 7\n41 18", "16\t7\n41\t18\n",
                                         "[16 7]\n[41 18]", "[[16,7],[41,\n 18]]"};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        go_to_new(state, "columns");
        paste(*state, rows[i]);
        type(*state, "\n");
        assert_false(asks(*state));
        if (strchr(rows[i], '\t') != NULL) /* there, it is Tab */
            continue;
        go_to_new(state, "columns");
        type(*state, rows[i]);
        type(*state, "\n");
        assert_false(asks(*state));
    }
    for (size_t i = 0; i < COUNT_OF(wholes); i++) {
        go_to_new(state, "tables#product");
        type(*state, ">>>"); /* a matrix of the same shape begins at the top left */
        paste(*state, wholes[i]);
        fixture = *state;
        assert_gives(fixture, "\n", "answer [[16, 7], [41, 18]]");
    }
    go_to_new(state, "tables#product");
    fixture = *state;
    assert_gives(fixture, "[[16, 7], [41, 18]]\n", "answer [[16, 7], [41, 18]]");
    go_to_new(state, "tables#product");
    fixture = *state;
    assert_gives(fixture, "[16 7\n41 18\n", "answer [[16, 7], [41, 18]]");
}

static void test_lesson_pane__a_list_that_does_not_fit(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#product", WIDE);
    type(fixture, ">");
    paste(fixture, "1 2");
    assert_shown(fixture,
                 "2 numbers are too many: from row 1, column 2 on, the row has room for 1");
    assert_int_equal(fixture->pane.cells[1].field.size, 0);
    paste(fixture, "1\n2\n3");
    assert_shown(fixture, "3 numbers in 3 rows are too many");
    assert_int_equal(fixture->pane.cells[1].field.size, 0);
    paste(fixture, "7\n18"); /* a column */
    type(fixture, "^<[16, 2, 3]");
    assert_shown(fixture, "3 numbers are too many");
    assert_string_equal(fixture->pane.cells[0].field.text, "[16, 2, 3]");
    press(fixture, 0x1b);
    type(fixture, "16 word\n41\n");
    assert_shown(fixture, "row 1, column 2: ");
    assert_gives(fixture, "7\n", "answer [[16, 7], [41, 18]]");
    go_to(fixture, "one", WIDE); /* elsewhere, what is pasted are keys */
    paste(fixture, "3");
    assert_shown(fixture, "3 (\xE2\x80\xA2) none");
}

/* A blank leads on after a complete number alone. */
static void test_lesson_pane__blanks_between_cells(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#product", WIDE);
    type(fixture, "32 / 2 sum([3, 4]), 40 + 1");
    assert_string_equal(fixture->pane.cells[0].field.text, "32 / 2");
    assert_string_equal(fixture->pane.cells[1].field.text, "sum([3, 4])");
    assert_string_equal(fixture->pane.cells[2].field.text, "40 + 1");
    type(fixture, " -18 ");
    assert_string_equal(fixture->pane.cells[3].field.text, "-18");
    assert_shown(fixture, "this is the last cell");
}

static void test_lesson_pane__a_cell_with_too_few_digits(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "thirds", WIDE);
    assert_gives(fixture, "33.3\n5000\n", "answer [33.3, 5000]");
    assert_shown(fixture, " ~");
    assert_not_shown(fixture, " \xE2\x9C\x97");
    type(fixture, "33.333%\n");
    assert_false(asks(fixture));
}

static void test_lesson_pane__many_columns_follow_the_cursor(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "columns", NARROW);
    assert_shown(fixture, "[");
    for (int i = 1; i < 8; i++) {
        char digit[] = {(char)('0' + i), '\n', '\0'};
        type(fixture, digit);
    }
    assert_not_shown(fixture, "[1 ");
    assert_shown(fixture, "[7 ");
    type(fixture, "8");
    assert_shown(fixture, "[8 ");
    assert_gives(fixture, "\n", "answer [1, 2, 3, 4, 5, 6, 7, 8]");
    assert_false(asks(fixture));
}

static void test_lesson_pane__cells_that_the_prompt_filled(void **state)
{
    struct fixture *fixture = *state;
    struct doc shown;
    struct error error;
    go_to(fixture, "cells", WIDE);
    doc_init(&shown);
    assert_true(tutor_line(&fixture->tutor, "0.25", 4, &shown, &error));
    doc_release(&shown);
    assert_shown(fixture, " 0.25 ");
    assert_gives(fixture, "3\n4\n", "answer [[1, 0.25, 3], [4, 5, 6]]");
    assert_false(asks(fixture));
}

/* ---- the field ---- */

static void answer_number(struct fixture *fixture)
{
    assert_shown(fixture, "your answer:");
    assert_shown(fixture, "type a number");
    type(fixture, "1");
    assert_shown(fixture, "Enter answer   Esc clear");
    type(fixture, "\n");
    assert_shown(fixture, "That is all of it.");
    assert_not_shown(fixture, "your answer: 1");
    assert_gives(fixture, "3/2\n", "answer 3/2");
    assert_shown(fixture, "The other way round.");
    assert_not_shown(fixture, "That is all of it.");
    type(fixture, "0.7\n"); /* right as far as it goes */
    assert_shown(fixture, "more digits");
    assert_shown(fixture, "your answer: 0.7");
    assert_gives(fixture, "~667\n", "answer 0.667");
    assert_shown(fixture, "Two by three.");
    assert_not_shown(fixture, "your answer:");
}

static void test_lesson_pane__a_number(void **state)
{
    in_both_widths(state, "numbers", answer_number);
}

/* Letters that are commands elsewhere, in every state of the field. */
static void test_lesson_pane__letters_are_text_in_a_field(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", WIDE);
    assert_gives(fixture, "sqrt(4)hnq?/: ", ""); /* the first letter too */
    assert_shown(fixture, "your answer: sqrt(4)hnq?/:");
    press_hint(fixture);
    assert_shown(fixture, "your answer: sqrt(4)hnq?/:");
    press(fixture, KEYCODE_ESCAPE);
    assert_not_shown(fixture, "sqrt(4)");
    assert_shown(fixture, "cleared; ^Y brings it back");
    press(fixture, 'Y' - '@');
    assert_shown(fixture, "your answer: sqrt(4)hnq?/:");
    press(fixture, KEYCODE_CTRL_C);
    assert_not_shown(fixture, "sqrt(4)");
    press(fixture, KEYCODE_CTRL_C);
    assert_shown(fixture, "there is nothing to clear; ^Q leaves the lesson");
    press(fixture, KEYCODE_ESCAPE);
    assert_shown(fixture, "any character types again");
    assert_true(fixture->pane.is_left);
    press(fixture, KEYCODE_ESCAPE); /* the lesson is not left */
    assert_wished(fixture, "");
    assert_gives(fixture, "h", "");
    assert_false(fixture->pane.is_left);
    assert_shown(fixture, "your answer: h");
    press(fixture, KEYCODE_HOME);
    type(fixture, "exp(0) - 1/3");
    press(fixture, 'U' - '@'); /* all of it, wherever the cursor is */
    assert_string_equal(fixture->pane.field.text, "");
    type(fixture, "xp(0) - 1/3");
    press(fixture, KEYCODE_HOME);
    assert_gives(fixture, "e\n", "answer exp(0) - 1/3");
    assert_false(asks(fixture));
    assert_false(lesson_pane_types(&fixture->pane));
}

/* The pane gets the focus again, by whatever way: the field has the cursor. */
static void test_lesson_pane__the_focus_opens_the_answer(void **state)
{
    static const char *const steps[] = {"numbers", "formulas", "cells", "tables#change",
                                        "tables#mask"};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        go_to(fixture, steps[i], WIDE);
        press(fixture, KEYCODE_ESCAPE);
        assert_true(fixture->pane.is_left);
        lesson_pane_ops.take_focus(&fixture->pane);
        assert_false(fixture->pane.is_left);
        press(fixture, KEYCODE_ESCAPE);
        draw(fixture);
        lesson_pane_click(&fixture->pane, canvas_area(&fixture->seen.canvas), 1, 1, false);
        assert_false(fixture->pane.is_left);
    }
}

/* On a page with a question of any kind, or with lines to run, no character, no Tab, Esc, ^C or ^U
 * asks for anything but an answer, and none is left to the application, whose commands they would
 * be. */
static void test_lesson_pane__no_character_is_a_command(void **state)
{
    static const char *const steps[] = {
        "one",          "several",       "steps",       "cells",         "numbers",
        "formulas",     "guesses",       "ways",        "words",         "code",
        "tables#point", "tables#points", "tables#mask", "tables#change", "tables#lines"};
    static const int others[] = {KEYCODE_TAB, KEYCODE_BACK_TAB, KEYCODE_ESCAPE, KEYCODE_CTRL_C};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        go_to(fixture, steps[i], WIDE);
        struct pane pane = {&lesson_pane_ops, &fixture->pane};
        struct pane_request request;
        assert_true(lesson_pane_types(&fixture->pane));
        for (int round = 0; round < 2; round++) {
            for (int key = ' '; key < 127; key++) {
                assert_true(pane_press(pane, key));
                assert_false(lesson_pane_take_request(&fixture->pane, &request));
            }
            for (size_t k = 0; k < COUNT_OF(others); k++) {
                assert_true(pane_press(pane, others[k]));
                assert_false(lesson_pane_take_request(&fixture->pane, &request));
            }
        }
    }
}

/* ---- lines that a page offers ---- */

/* The line that is offered stands in the empty field in grey; Enter runs one after the other. */
static void test_lesson_pane__offered_lines_are_run_by_enter(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#lines", WIDE);
    int row = row_of(fixture, "your line: n = arange(3)");
    const struct canvas_cell *cells =
        fixture->seen.canvas.cells + (size_t)row * (size_t)fixture->seen.canvas.cols;
    assert_int_equal(cells[LINE_COL].look.style, STYLE_QUIET);
    assert_int_equal(fixture->seen.canvas.cursor_row, row);
    assert_int_equal(fixture->seen.canvas.cursor_col, LINE_COL);
    assert_gives(fixture, "\n", "n = arange(3)");
    assert_shown(fixture, "attn> n = arange(3)");
    assert_shown(fixture, "your line: pair = labels([1, 2], ['a', 'b'])"); /* in one row */
    assert_gives(fixture, "\n", "pair = labels([1, 2], ['a', 'b'])");
    assert_shown(fixture, "attn> n = arange(3)"); /* what ran before stays */
    assert_gives(fixture, "\n", "n + 1");
    assert_shown(fixture, "1  2  3");
    assert_gives(fixture, "\n", "n + 1"); /* offered twice, it is run twice */
    assert_shown(fixture, "Enter goes on");
    size_t page = fixture->tutor.player->page;
    assert_gives(fixture, "\n", "next");
    assert_int_equal(fixture->tutor.player->page, page + 1);
    assert_shown(fixture, "After them.");
    assert_shown(fixture, "1  2  3"); /* above the page, which may speak of it */
    assert_gives(fixture, "b", "back");
    assert_not_shown(fixture, "your line:"); /* the page was left */
    assert_shown(fixture, "1  2  3");
}

/* Any other line can be typed, also after those of the page have run. */
static void test_lesson_pane__another_line_is_run(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#lines", WIDE);
    assert_gives(fixture, "next = 5", ""); /* a letter is no key, though n and q are elsewhere */
    assert_shown(fixture, "your line: next = 5");
    press(fixture, KEYCODE_CTRL_C);
    assert_shown(fixture, "your line: n = arange(3)");
    paste(fixture, "attn> 6 * 7"); /* copied with its prompt */
    assert_gives(fixture, "\n", "6 * 7");
    assert_shown(fixture, "42");
    assert_shown(fixture, "your line: n = arange(3)"); /* it is still offered */
    press(fixture, KEYCODE_TAB);
    assert_string_equal(fixture->pane.field.text, "n = arange(3)");
    assert_gives(fixture, "~~4)\n", "n = arange(4)");
    assert_shown(fixture, "your line: n = arange(3)");
    assert_gives(fixture, "\n\n\n\n", "n + 1");
    assert_gives(fixture, "ara", "");
    press(fixture, KEYCODE_TAB);
    assert_string_equal(fixture->pane.field.text, "arange");
    assert_gives(fixture, "(5)\n", "arange(5)");
    assert_shown(fixture, "0  1  2  3  4");
    press(fixture, 'N' - '@');
    assert_wished(fixture, "next");
    assert_shown(fixture, "After them.");
}

/* A line that fails comes back, with its fault underlined and the cursor at its end. */
static void test_lesson_pane__a_line_that_fails_is_kept(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#lines", WIDE);
    assert_gives(fixture, "2 * nothere + 1\n", "2 * nothere + 1");
    assert_shown(fixture, "no such name");
    assert_shown(fixture, "your line: 2 * nothere + 1");
    assert_int_equal(fixture->pane.slip, 4);
    assert_int_equal(fixture->pane.slip_end, 11);
    assert_int_equal(fixture->pane.field.cursor, strlen("2 * nothere + 1"));
    press(fixture, KEYCODE_ESCAPE);
    assert_shown(fixture, "cleared; ^Y brings it back");
    assert_shown(fixture, "your line: n = arange(3)");
    press(fixture, 'Y' - '@');
    assert_shown(fixture, "your line: 2 * nothere + 1");
    press(fixture, 'U' - '@');
    press(fixture, KEYCODE_ESCAPE);
    assert_shown(fixture, "any character types again");
    assert_gives(fixture, "\n", ""); /* back to the field */
    assert_gives(fixture, "\n", "n = arange(3)");
    assert_not_shown(fixture, "no such name");
    press(fixture, 'N' - '@'); /* all that is left */
    assert_wished(fixture, "next");
    assert_shown(fixture, "attn> n + 1");
    assert_shown(fixture, "Enter goes on");
}

/* One row goes into the field, without being run; several are for the prompt. */
static void test_lesson_pane__lines_are_pasted(void **state)
{
    struct fixture *fixture = *state;
    struct pane_request request;
    go_to(fixture, "tables#lines", WIDE);
    paste(fixture, "n\n");
    assert_false(lesson_pane_take_request(&fixture->pane, &request));
    paste(fixture, " ** 2");
    assert_shown(fixture, "your line: n ** 2");
    paste(fixture, "a = 1\na + 1\n");
    assert_true(lesson_pane_take_request(&fixture->pane, &request));
    assert_int_equal(request.kind, PANE_PASTE);
    assert_string_equal(text_string(&request.text), "a = 1\na + 1\n");
    pane_request_release(&request);
    assert_shown(fixture, "your line: n ** 2");
}

/* At 40 columns a long line takes more rows, which the text above makes room for. */
static void test_lesson_pane__a_long_line_is_seen_whole(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "tables#lines", NARROW);
    type(fixture, "\n");
    assert_shown(fixture, "your line: pair = labels([1, 2],");
    assert_shown(fixture, "           ['a', 'b'])");
}

/* Without memory nothing is run by half, and what is typed stays. */
static void test_lesson_pane__lines_without_memory(void **state)
{
    struct fixture *fixture = *state;
    struct pane pane = {&lesson_pane_ops, &fixture->pane};
    struct pane_request request;
    go_to(fixture, "tables#lines", WIDE);
    for (int typed = 0; typed < 2; typed++)
        for (long nth = 1, n = 1; n >= nth; nth++) {
            if (typed)
                field_set(&fixture->pane.field, "6 * 7", 5);
            testing_fail_allocation(nth);
            (void)pane_press(pane, KEYCODE_ENTER);
            n = testing_allocations();
            testing_fail_allocation(0);
            if (!lesson_pane_take_request(&fixture->pane, &request))
                assert_true(fixture->pane.says_error);
            else if (!request.text.failed)
                assert_string_equal(text_string(&request.text), typed ? "6 * 7" : "n = arange(3)");
            pane_request_release(&request);
        }
}

/* The control keys are the same for all kinds of questions, and the row of keys shows them. */
static void test_lesson_pane__control_keys_of_all_kinds(void **state)
{
    static const char *const steps[] = {"one",           "several",     "steps",        "cells",
                                        "numbers",       "words",       "code",         "ways",
                                        "tables#points", "tables#mask", "tables#change"};
    static const int keys[] = {KEYCODE_ENTER,  KEYCODE_ESCAPE, 'T' - '@',  'S' - '@', 'B' - '@',
                               KEYCODE_CTRL_Q, KEYCODE_F1,     KEYCODE_F6, 'P' - '@', KEYCODE_F2};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        go_to(fixture, steps[i], WIDE);
        const struct binding *shown = lesson_pane_ops.bindings_now(&fixture->pane);
        for (size_t k = 0; k < COUNT_OF(keys); k++) {
            const struct binding *at = shown;
            while (at->key != KEYCODE_NONE && at->key != keys[k])
                at++;
            assert_true(at->key == keys[k] && at->label != NULL);
        }
    }
    press(fixture, KEYCODE_LEFT | KEYCODE_ALT);
    assert_wished(fixture, "back");
    press(fixture, KEYCODE_PAGE_UP); /* at the top of the page */
    assert_wished(fixture, "back");
}

/* Tab completes as at the prompt; it never leads to another pane. */
static void test_lesson_pane__tab_completes_in_a_field(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "formulas", WIDE);
    type(fixture, "2 * softm\t");
    assert_shown(fixture, "your answer: 2 * softmax");
    press(fixture, 'U' - '@');
    type(fixture, "ze\t\t"); /* several: they are listed */
    assert_shown(fixture, "zeros_like");
    type(fixture, "r");
    assert_not_shown(fixture, "zeros_like");
    press(fixture, 'U' - '@');
    type(fixture, "sk\t"); /* no word of the course */
    assert_shown(fixture, "there is nothing to complete; F6 goes to the next pane");
    assert_shown(fixture, "your answer: sk");
    press(fixture, 'U' - '@');
    type(fixture, "\t");
    assert_shown(fixture, "there is nothing to complete");
}

/* The text of a refused answer stays, what is wrong with it is marked, and typing goes on at its
 * end. */
static void test_lesson_pane__an_error_does_not_end_typing(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", NARROW);
    assert_gives(fixture, "2 / nope + 1\n", "answer 2 / nope + 1");
    assert_int_equal(fixture->pane.field.cursor, 12);
    assert_int_equal(fixture->pane.slip, 4);
    assert_int_equal(fixture->pane.slip_end, 8);
    press(fixture, 'U' - '@');
    assert_int_equal(fixture->pane.slip_end, 0);
    assert_gives(fixture, "2 / 3\n", "answer 2 / 3");
    assert_false(asks(fixture));
}

static void test_lesson_pane__a_wrong_answer_is_not_given_twice(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", WIDE);
    assert_gives(fixture, "2\n\n", "");
    assert_shown(fixture, "tried already: another one, or ^T for a hint (2 left)");
    assert_shown(fixture, "\xE2\x96\xB8 3 ( ) none"); /* the next one */
    assert_gives(fixture, "\n", "answer 3");
    type(fixture, "\n");
    assert_shown(fixture, "\xE2\x96\xB8 1 ( )");
    go_to(fixture, "several", WIDE);
    assert_gives(fixture, "2\n\n", "");
    assert_shown(fixture, "tried already: tick others, or ^T for a hint (1 left)");
    go_to(fixture, "steps", WIDE);
    assert_gives(fixture, "132\n\n", "");
    assert_shown(fixture, "tried already: another order, or ^T for a hint (1 left)");
    go_to(fixture, "columns", WIDE);
    assert_gives(fixture, "2\n2\n3\n4\n5\n6\n7\n8\n\n", "");
    assert_shown(fixture, "tried already: change a cell, or ^T for a hint (1 left)");
}

/* A notice has a row of its own: the line that was the last is still seen above it. */
static void test_lesson_pane__a_notice_covers_no_line(void **state)
{
    struct fixture *fixture = *state;
    const char *blanks = " \xE2\x96\x8C"; /* and the sign of what is new */
    for (int rows = 6; rows <= ROWS; rows++) {
        char last[1024] = "";
        go_to(fixture, "one", WIDE);
        resize(fixture, rows, WIDE);
        type(fixture, "2");
        for (int i = 0; i < 20 && fixture->pane.notice[0] == '\0'; i++) {
            int row = rows;
            draw(fixture);
            do
                snprintf(last, sizeof last, "%s", seen_row(&fixture->seen, --row));
            while (row > 0 && strspn(last, blanks) == strlen(last));
            type(fixture, "\n"); /* reads on, answers, and answers the same again */
        }
        assert_shown(fixture, "tried already");
        char *text = last + strspn(last, blanks), *bar = strstr(text, "  "); /* that scrolls */
        text[bar != NULL ? (size_t)(bar - text) : strlen(text)] = '\0';
        assert_shown(fixture, text);
    }
}

static bool is_cell_marked(struct fixture *fixture, size_t cell, int judged)
{
    return (int)fixture->pane.cells[cell].judged == judged;
}

/* Right cells are ticked and left out. */
static void test_lesson_pane__enter_goes_through_the_wrong_cells(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "columns", WIDE);
    type(fixture, "9\n2\n3\n9\n5\n6\n9\n8\n");
    assert_shown(fixture, "3 of the 8 cells are wrong.");
    assert_shown(fixture, "[2        \xE2\x9C\x93");
    assert_true(is_cell_marked(fixture, 1, LESSON_PANE_CELL_RIGHT));
    assert_int_equal(cell_of(fixture), 0);
    assert_false(lesson_pane_ops.bindings_now(&fixture->pane)[0].label[0] == 'a');
    type(fixture, "1\n");
    assert_int_equal(cell_of(fixture), 3);
    assert_wished(fixture, "");
    press(fixture, KEYCODE_TAB); /* past one */
    press(fixture, KEYCODE_TAB);
    press(fixture, KEYCODE_TAB);
    type(fixture, "7\n");
    assert_int_equal(cell_of(fixture), 3);
    type(fixture, "4");
    assert_string_equal(lesson_pane_ops.bindings_now(&fixture->pane)[0].label, "answer");
    assert_gives(fixture, "\n", "answer [1, 2, 3, 4, 5, 6, 7, 8]");
    assert_false(asks(fixture));
}

static void type_formula(struct fixture *fixture)
{
    assert_gives(fixture, "\n", "");
    assert_shown(fixture, "no answer yet: ^T hint, ^S skip");
    assert_gives(fixture, "3 * x\n", "answer 3 * x");
    assert_shown(fixture, "That is thrice.");
    assert_shown(fixture, "your answer: 3 * x"); /* to be mended */
    press(fixture, KEYCODE_HOME);
    press(fixture, KEYCODE_DELETE);
    assert_gives(fixture, "2\n", "answer 2 * x");
    assert_shown(fixture, "It doubles.");
}

static void test_lesson_pane__a_formula(void **state)
{
    in_both_widths(state, "formulas", type_formula);
}

static void test_lesson_pane__a_slip_in_a_formula(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "formulas", NARROW);
    type(fixture, "2 * nope\n");
    assert_shown(fixture, "nope");
    assert_int_equal(fixture->pane.field.cursor, 8);
    for (int i = 0; i < 4; i++)
        type(fixture, "~");
    type(fixture, "x\n");
    assert_false(asks(fixture));
}

/* Words in the field of a number give way to the number that is typed next. */
static void test_lesson_pane__a_number_after_words(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", WIDE);
    type(fixture, "a lot\n");
    assert_shown(fixture, "'lot': expected an operator; digits and + - * / here");
    type(fixture, "4");
    assert_string_equal(fixture->pane.field.text, "4");
    type(fixture, " lot\n1");
    assert_string_equal(fixture->pane.field.text, "4 lot1"); /* what has a digit is corrected */
}

/* Words are told what is asked for in the words of a formula, not of the prompt. */
static void test_lesson_pane__words_for_a_formula(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "formulas", WIDE);
    type(fixture, "two times x\n");
    assert_shown(fixture, "'times': expected an operator; a formula is asked for, such as 2 * x");
    press(fixture, 'U' - '@');
    type(fixture, "y\n");
    assert_shown(fixture, "y: no such name; the names here are x");
    type(fixture, "~6\n");
    assert_shown(fixture, "That is a number. Write a formula with names");
    assert_int_equal(fixture->tutor.player->state.n_wrong, 0);
}

static void guess_number(struct fixture *fixture)
{
    assert_gives(fixture, "6\n", "answer 6");
    assert_shown(fixture, "You guessed 6.");
    assert_shown(fixture, "It was seven.");
}

static void test_lesson_pane__a_guess(void **state)
{
    in_both_widths(state, "guesses", guess_number);
}

static size_t pane_cursor(const struct fixture *fixture)
{
    return fixture->pane.field.cursor;
}

static void write_words(struct fixture *fixture)
{
    static const char words[] = "that a sum of weights is one, and that nobody had told me so "
                                "in all the years before, not even at school, so it was new";
    type(fixture, words);
    assert_shown(fixture, "so it was new"); /* the field has grown */
    if (fixture->cols == WIDE)
        assert_shown(fixture, "your answer: that a sum of weights");
    press(fixture, KEYCODE_UP); /* moves in it */
    assert_true(pane_cursor(fixture) < strlen(words));
    assert_true(pane_cursor(fixture) > 0);
    press(fixture, KEYCODE_DOWN);
    assert_true(pane_cursor(fixture) > strlen(words) - 40);
    press(fixture, KEYCODE_HOME);
    assert_shown(fixture, "your answer: that a sum");
    press(fixture, KEYCODE_ESCAPE);
    assert_not_shown(fixture, "your answer: that a sum");
    press(fixture, 'Y' - '@'); /* nothing is lost */
    press(fixture, 'N' - '@');
    assert_shown(fixture, "no answer yet");
    assert_true(asks(fixture));
    type(fixture, "\n");
    assert_memory_equal(fixture->line, "answer that a sum", 17);
    assert_shown(fixture, "Kept, for you alone.");
    assert_shown(fixture, "so it was new");
    assert_false(asks(fixture));
}

static void test_lesson_pane__words_for_oneself(void **state)
{
    in_both_widths(state, "words", write_words);
}

static void test_lesson_pane__letters_of_all_kinds(void **state)
{
    struct fixture *fixture = *state;
    static const int keys[] = {0x4F60, 0x597D, 'e', 0x301, 0x1F600};
    go_to(fixture, "words", NARROW);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        press(fixture, keys[i]);
    assert_shown(fixture, "\xE4\xBD\xA0\xE5\xA5\xBD\x65\xCC\x81\xF0\x9F\x98\x80");
    type(fixture, "~~~"); /* the letter with its mark at once */
    assert_string_equal(fixture->pane.field.text, "\xE4\xBD\xA0");
}

static void test_lesson_pane__an_exercise(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "code", NARROW);
    assert_shown(fixture, "Enter goes to it");
    assert_gives(fixture, "no", "");
    assert_shown(fixture, "o does nothing here: Enter opens");
    press(fixture, 'N' - '@');
    assert_shown(fixture, "not solved yet");
}

/* ---- what is said ---- */

static void test_lesson_pane__hints_add_up_and_are_marked(void **state)
{
    struct fixture *fixture = *state;
    static const char bar[] = "\xE2\x96\x8C";
    go_to(fixture, "numbers", NARROW);
    type(fixture, "1\n");
    press_hint(fixture);
    int first = row_of(fixture, "The first hint.");
    assert_non_null(strstr(seen_row(&fixture->seen, first), bar));
    assert_shown(fixture, "That is all of it.");
    press_hint(fixture);
    int second = row_of(fixture, "The second hint.");
    assert_non_null(strstr(seen_row(&fixture->seen, second), bar));
    first = row_of(fixture, "The first hint.");
    assert_true(first < second);
    assert_null(strstr(seen_row(&fixture->seen, first), bar));
    type(fixture, "1.5\n");
    assert_shown(fixture, "The second hint.");
    assert_true(row_of(fixture, "The other way round.") > row_of(fixture, "The second hint."));
    fixture->ascii = true;
    assert_int_equal(*seen_row(&fixture->seen, row_of(fixture, "The other way round.")), '|');
}

static void test_lesson_pane__what_is_new_is_seen_and_the_question_too(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", NARROW);
    resize(fixture, 12, NARROW);
    type(fixture, "1\n");
    assert_shown(fixture, "Two thirds");
    assert_shown(fixture, "That is all of it.");
    resize(fixture, 7, NARROW); /* both do not fit */
    type(fixture, "1.5\n");
    assert_shown(fixture, "Not yet.");
}

/* As when a picture opens below the text. */
static void test_lesson_pane__what_is_new_stays_in_sight_in_fewer_rows(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", NARROW);
    resize(fixture, 14, NARROW);
    type(fixture, "1\n");
    assert_shown(fixture, "Not yet.");
    for (int rows = 13; rows >= 6; rows--) {
        resize(fixture, rows, NARROW);
        assert_shown(fixture, "Not yet.");
    }
}

static void test_lesson_pane__an_answer_survives_another_width(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", WIDE);
    type(fixture, "2\n3");
    resize(fixture, ROWS, NARROW);
    assert_shown(fixture, "up to one");
    assert_shown(fixture, "That is a greeting.");
    assert_shown(fixture, "3 (\xE2\x80\xA2)");
    go_to(fixture, "formulas", WIDE);
    type(fixture, "2 *");
    resize(fixture, ROWS, NARROW);
    type(fixture, " x\n");
    assert_false(asks(fixture));
}

/* What was said is one paragraph in any width. */
static void test_lesson_pane__a_reply_is_wrapped_anew(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "numbers", NARROW);
    resize(fixture, ROWS, 24);
    type(fixture, "2 + nope\n");
    assert_not_shown(fixture, "nope: no such name; digits and + - * / here");
    resize(fixture, ROWS, WIDE);
    assert_shown(fixture, "nope: no such name; digits and + - * / here");
    resize(fixture, ROWS, 24);
    assert_not_shown(fixture, "nope: no such name; digits and + - * / here");
    assert_shown(fixture, "no such name;");
}

static void test_lesson_pane__an_answer_survives_a_look_elsewhere(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "words", NARROW);
    type(fixture, "kept");
    open_page(fixture, true);
    assert_shown(fixture, "your answer: kept");
    go_to(fixture, "formulas", NARROW);
    assert_not_shown(fixture, "kept");
}

static void test_lesson_pane__an_answered_page_shows_its_options_once(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "several", NARROW);
    type(fixture, "13\nn");
    press(fixture, 'B' - '@');
    assert_shown(fixture, "You have answered this.");
    int row = row_of(fixture, "three");
    for (int i = row + 1; i < ROWS; i++)
        assert_null(strstr(seen_row(&fixture->seen, i), "three"));
}

/* ---- the way on ---- */

static void test_lesson_pane__space_reads_on(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "long", NARROW);
    size_t page = fixture->tutor.player->page;
    assert_not_shown(fixture, "the last line");
    assert_non_null(strstr(seen_row(&fixture->seen, ROWS - 1), "\xE2\x86\x93"));
    type(fixture, " ");
    assert_shown(fixture, "the last line");
    assert_int_equal(fixture->tutor.player->page, page);
    assert_non_null(strstr(seen_row(&fixture->seen, 0), "\xE2\x86\x91"));
    assert_gives(fixture, " ", "next");
    assert_int_equal(fixture->tutor.player->page, page + 1);
}

/* However little of the page is seen: what was chosen by its number is answered with. */
static void test_lesson_pane__a_number_and_enter_answer(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", NARROW);
    resize(fixture, 8, NARROW);
    assert_gives(fixture, "3\n", "answer 3");
}

static void test_lesson_pane__the_question_is_not_passed_silently(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", NARROW);
    resize(fixture, 8, NARROW);
    press(fixture, 'N' - '@');
    assert_wished(fixture, "");
    assert_shown(fixture, "choose by number or arrows");
    assert_true(asks(fixture));
    type(fixture, "\n1"); /* Enter gives no answer either that nobody chose */
    assert_true(asks(fixture));
    press(fixture, 'S' - '@');
    assert_wished(fixture, "skip");
    assert_shown(fixture, "Which are even");
}

static void test_lesson_pane__arrows_scroll_to_options_that_are_not_seen(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "one", NARROW);
    resize(fixture, 5, NARROW);
    assert_not_shown(fixture, "1 ( )");
    for (int i = 0; i < 10 && fixture->pane.option == 0; i++)
        type(fixture, "_");
    assert_int_equal(fixture->pane.option, 1);
    assert_shown(fixture, "\xE2\x96\xB8 2 ( )");
}

static void test_lesson_pane__behind_the_last_page(void **state)
{
    struct fixture *fixture = *state;
    place_write(&fixture->place, "lessons/04-after.md",
                "---\nid: after\ntitle: After\nminutes: 1\nobjectives:\n  - go on\n---\n\n"
                "# After\n\n## On\n\nIt goes on.\n");
    go_to(fixture, "code", NARROW);
    press(fixture, 'S' - '@');
    assert_true(fixture->tutor.player->finished);
    assert_shown(fixture, "You can now");
    assert_shown(fixture, "Enter opens lesson 4, Esc home");
    assert_not_shown(fixture, "Write it.");
    assert_gives(fixture, "\n", "next");
    type(fixture, "n");
    assert_shown(fixture, "It goes on.");
    type(fixture, "n");
    assert_shown(fixture, "You have finished After.");
    assert_not_shown(fixture, "Enter opens");
    assert_shown(fixture, "Esc goes home");
    assert_gives(fixture, "\n", "");
}

static void test_lesson_pane__ascii_is_ascii(void **state)
{
    struct fixture *fixture = *state;
    static const char *const steps[] = {"several",  "steps",   "cells", "columns", "numbers",
                                        "formulas", "guesses", "ways",  "words",   "code"};
    fixture->tutor.session.settings.ascii = true;
    fixture->ascii = true;
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        go_to(fixture, steps[i], NARROW);
        resize(fixture, 6, NARROW); /* with a scroll bar */
        type(fixture, "1\n\x1bhQ");
        draw(fixture);
        seen_check_ascii(&fixture->seen);
    }
}

static void test_lesson_pane__any_size(void **state)
{
    struct fixture *fixture = *state;
    static const char *const steps[] = {"one", "steps", "cells", "columns", "numbers", "words"};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        go_to(fixture, steps[i], WIDE);
        for (int rows = 1; rows < 30; rows += 3)
            for (int cols = 1; cols < 120; cols += 9) {
                resize(fixture, rows, cols);
                type(fixture, "1_^>");
                draw(fixture);
            }
        type(fixture,
             "\n\x1bh "); /* in the last size: these are remembered, which takes its time */
        draw(fixture);
    }
}

/* What can't be shown anew stays as it was; what can't be drawn whole is drawn in part. */
static void test_lesson_pane__without_memory_all_is_as_before(void **state)
{
    struct fixture *fixture = *state;
    struct error error = {.kind = ERR_NONE};
    go_to(fixture, "one", WIDE);
    type(fixture, "2");
    for (long nth = 1, n = 1; n >= nth; nth++) {
        testing_fail_allocation(nth);
        bool ok = lesson_pane_open(&fixture->pane, NARROW, false, &error);
        draw(fixture);
        n = testing_allocations();
        testing_fail_allocation(0);
        if (!ok)
            assert_error(ok, error, ERR_MEMORY);
        assert_int_equal(fixture->pane.width_cols, ok ? NARROW : WIDE);
        assert_shown(fixture, "2 (\xE2\x80\xA2)");
        if (ok)
            fixture->pane.width_cols = WIDE;
    }
}

static void test_lesson_pane__finds_words_on_any_page(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "long", WIDE);
    assert_not_shown(fixture, "the last line");
    type(fixture, "/the LAST line");
    assert_shown(fixture, "find: the LAST line");
    assert_gives(fixture, "\n", ""); /* it is on this page */
    assert_shown(fixture, "the last line");
    assert_gives(fixture, "\n", ""); /* there is no other: it stays */
    assert_shown(fixture, "the last line");
    for (int i = 0; i < 20; i++)
        type(fixture, "~");
    assert_gives(fixture, "name all\n", "lesson pane#which-are-even");
    assert_shown(fixture, "Name all.");
    assert_int_equal(fixture->pane.find.place.line,
                     fixture->pane.scroll + (size_t)row_of(fixture, "Name all."));
    for (int i = 0; i < 20; i++)
        type(fixture, "~");
    assert_gives(fixture, "which one?^", "lesson pane#which-axis"); /* the page before */
    assert_shown(fixture, "Which one?");
    type(fixture, "zebra\n");
    assert_shown(fixture, "no page has it");
    press(fixture, KEYCODE_ESCAPE); /* the field is empty */
    assert_not_shown(fixture, "no page has it");
    assert_shown(fixture, "find: words of this lesson");
    press(fixture, KEYCODE_ESCAPE);
    assert_not_shown(fixture, "find:");
}

/* Once Enter was pressed letters are keys: n and N of the search, the others the lesson's. */
static void test_lesson_pane__walks_through_what_it_finds(void **state)
{
    struct fixture *fixture = *state;
    go_to(fixture, "long", WIDE);
    type(fixture, "/a1\n");
    assert_wished(fixture, "");
    size_t first = fixture->pane.find.place.line, n = fixture->pane.find.n;
    assert_int_equal(n, 11); /* a1, a10 to a19 */
    assert_shown(fixture, "1 of 11 on this page");
    type(fixture, "n");
    assert_wished(fixture, ""); /* no page is turned */
    assert_shown(fixture, "2 of 11 on this page");
    assert_int_equal(fixture->pane.find.place.line, first + 9);
    type(fixture, "N");
    assert_shown(fixture, "1 of 11 on this page");
    type(fixture, "/zebra"); /* other words */
    assert_shown(fixture, "find: zebra");
    type(fixture, "\n");
    assert_shown(fixture, "no page has it");
    press(fixture, 'U' - '@');
    type(fixture, "a1\nn");
    assert_shown(fixture, "2 of 11 on this page");
    press(fixture, KEYCODE_PAGE_DOWN); /* the marks stay */
    assert_shown(fixture, "find: a1");
    type(fixture, "b"); /* and any other key ends it */
    assert_wished(fixture, "back");
    assert_false(find_is_open(&fixture->pane.find));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_lesson_pane__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(finds_words_on_any_page),
        TEST(walks_through_what_it_finds),
        TEST(one_option),
        TEST(one_option_by_mouse),
        TEST(several_options),
        TEST(steps_in_order),
        TEST(the_numbers_of_an_order_are_typed),
        TEST(a_guess_by_options),
        TEST(cells_of_a_matrix),
        TEST(a_mistake_behind_cells_is_named),
        TEST(a_size_between_two_pages),
        TEST(a_cell_to_point_at),
        TEST(keys_among_cells),
        TEST(several_cells_to_point_at),
        TEST(a_tall_matrix_to_point_at),
        TEST(a_mask_to_draw),
        TEST(words_in_cells),
        TEST(an_empty_mask_is_not_given),
        TEST(what_was_hidden_is_shown_at_once),
        TEST(home_and_end_in_a_mask),
        TEST(a_mask_by_mouse_and_digits),
        TEST(numbers_to_change),
        TEST(keys_among_numbers),
        TEST(a_whole_change_over_a_cell),
        TEST(tables_are_asked_again),
        TEST(tables_without_memory),
        TEST(moving_between_cells),
        TEST(a_cell_may_be_a_formula),
        TEST(a_list_fills_cells),
        TEST(a_list_that_does_not_fit),
        TEST(blanks_between_cells),
        TEST(a_cell_with_too_few_digits),
        TEST(many_columns_follow_the_cursor),
        TEST(cells_that_the_prompt_filled),
        TEST(a_number),
        TEST(letters_are_text_in_a_field),
        TEST(the_focus_opens_the_answer),
        TEST(no_character_is_a_command),
        TEST(offered_lines_are_run_by_enter),
        TEST(another_line_is_run),
        TEST(a_line_that_fails_is_kept),
        TEST(lines_are_pasted),
        TEST(a_long_line_is_seen_whole),
        TEST(lines_without_memory),
        TEST(control_keys_of_all_kinds),
        TEST(tab_completes_in_a_field),
        TEST(an_error_does_not_end_typing),
        TEST(a_wrong_answer_is_not_given_twice),
        TEST(a_notice_covers_no_line),
        TEST(enter_goes_through_the_wrong_cells),
        TEST(a_formula),
        TEST(a_slip_in_a_formula),
        TEST(a_number_after_words),
        TEST(words_for_a_formula),
        TEST(a_guess),
        TEST(words_for_oneself),
        TEST(letters_of_all_kinds),
        TEST(an_exercise),
        TEST(hints_add_up_and_are_marked),
        TEST(what_is_new_is_seen_and_the_question_too),
        TEST(what_is_new_stays_in_sight_in_fewer_rows),
        TEST(an_answer_survives_another_width),
        TEST(a_reply_is_wrapped_anew),
        TEST(an_answer_survives_a_look_elsewhere),
        TEST(an_answered_page_shows_its_options_once),
        TEST(space_reads_on),
        TEST(a_number_and_enter_answer),
        TEST(the_question_is_not_passed_silently),
        TEST(arrows_scroll_to_options_that_are_not_seen),
        TEST(behind_the_last_page),
        TEST(ascii_is_ascii),
        TEST(any_size),
        TEST(without_memory_all_is_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
