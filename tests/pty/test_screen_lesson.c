/* The lesson pane: pages, questions of every kind, a whole lesson. */
#include "lesson_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/lesson/course.h"
#include "course/lesson/page.h"
#include "course/player/player.h"
#include "course/progress/event_internal.h"
#include "course/progress/progress.h"
#include "graph/node.h"
#include "tensor/tensor.h"

static void test_screen_lesson__golden(void **state)
{
    (void)state;
    start_lesson(24, 79);
    screen_type(&screen, "n");
    wait_golden("lesson");
}

/* What the learner draws stands beside the page, and Tab and z give it the whole screen; a number
 * of it is opened, and q leads back, level by level. */
static void draw_a_picture(int rows, int cols)
{
    start_lesson(rows, cols);
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("X = embed(\"Hello shiny sun!\")");
    say("W = softmax(X @ X.T)");
    say("heat W, X @ X.T");
    screen_wait(&screen, "highest");
    press(VTERM_KEY_ESCAPE);
    wait_keys("n next");
    screen_wait(&screen, "Picture   heat W, X @ X.T");
}

static void test_screen_lesson__a_picture_beside_it(void **state)
{
    (void)state;
    draw_a_picture(60, 200);
    wait_golden("picture");
    screen_type(&screen, "\tjl");
    screen_wait(&screen, "W[\"shiny\", \"shiny\"] =");
    enter();
    screen_wait(&screen, "subtracted so that exp()");
    screen_wait(&screen, "Enter down");
    screen_type(&screen, "q");
    screen_wait_gone(&screen, "Enter down");
    screen_type(&screen, "q");
    screen_wait(&screen, "> Picture");
    screen_type(&screen, "q");
    wait_keys("n next");
}

/* Where the page leaves it no room, Tab leads to it. */
static void test_screen_lesson__a_picture_behind_it(void **state)
{
    (void)state;
    draw_a_picture(20, 80);
    screen_wait(&screen, "Tab: Picture   heat W, X @ X.T");
}

static void test_screen_lesson__a_picture_below_it(void **state)
{
    (void)state;
    draw_a_picture(24, 80);
    screen_wait(&screen, "-   Picture   heat W, X @ X.T");
    screen_wait(&screen, "Softmax turns scores into weights");
    screen_type(&screen, "\tz");
    screen_wait_gone(&screen, "Prompt -");
    wait_golden("zoomed");
}

/* Another lesson begins with no picture. */
static void test_screen_lesson__pictures_stay_in_their_lesson(void **state)
{
    (void)state;
    draw_a_picture(30, 120);
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("lesson masking");
    screen_wait_at(&screen, 0, "Masking   page 1 of");
    screen_wait_gone(&screen, "Picture   heat");
}

static void open_page(int rows, int cols, const char *page)
{
    start(&(struct screen_options){
        .rows = rows, .cols = cols, .arguments = ATTN("--ascii", "lesson", page)});
}

/* The pages before this one take seconds to run: the page is there before, without its numbers. */
static void test_screen_lesson__a_page_that_takes_long_is_shown_before(void **state)
{
    (void)state;
    open_page(24, 80, "27#18");
    screen_wait(&screen, "computing");
    screen_wait_at(&screen, 0, "Lesson   Cutting and patching   page 18 of");
    assert_shows("computing"); /* still */
}

/* A picture that the question speaks of is there while an answer is typed, and after a wrong one.
 */
static void test_screen_lesson__the_picture_of_a_question_stays(void **state)
{
    (void)state;
    static const int sizes[][2] = {{24, 80}, {30, 100}, {40, 120}};
    for (size_t i = 0; i < 3; i++) {
        open_page(sizes[i][0], sizes[i][1], "1#7");
        screen_wait(&screen, "your answer:");
        screen_wait(&screen, "labels(window, words, words)  10x10");
        screen_type(&screen, "i - j + 0 * (i + j + i + j + i + j + i + j + i + j + i + j + i + j)");
        screen_wait(&screen, "i - j + 0 * (i + j");
        assert_shows("labels(window, words, words)  10x10");
        enter();
        screen_wait(&screen, "Not yet.");
        assert_shows("labels(window, words, words)  10x10");
        assert_shows("your answer: i - j");
        (void)close_screen(NULL);
    }
}

/* Where the picture has a pane of its own, the text says where it is. */
static void test_screen_lesson__a_picture_is_shown_once(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
        const char *says;
    } sizes[] = {{24, 80, "(the picture is below)"},
                 {40, 120, "(the picture is on the right)"},
                 {60, 200, "(the picture is on the right)"}};
    for (size_t i = 0; i < 3; i++) {
        open_page(sizes[i].rows, sizes[i].cols, "2#11");
        screen_wait(&screen, sizes[i].says);
        screen_wait(&screen, "0.8400");
        assert_int_equal(screen_count_rows(&screen, "0.8400"), 1);
        (void)close_screen(NULL);
    }
    open_page(16, 60, "1#7"); /* no room for it, nor for its title: F6 leads there */
    screen_wait(&screen, "F6: Picture");
    assert_false(screen_shows(&screen, "(the picture is"));
}

static bool is_shown_once(struct screen *shown, const char *text)
{
    return screen_count_rows(shown, text) == 1;
}

/* The same for a picture that a line of the page draws, on that page and on the next, also where
 * the pages of a step stand below each other. */
static void test_screen_lesson__a_picture_that_a_line_drew_is_shown_once(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
        const char *says;
    } sizes[] = {{24, 80, "(the picture is below)"},
                 {30, 130, "(the picture is on the right)"},
                 {50, 130, "(the picture is on the right)"}};
    for (size_t i = 0; i < 3; i++) {
        open_page(sizes[i].rows, sizes[i].cols, "multi-head#14");
        screen_wait(&screen, "your line: W = softmax");
        enter();
        screen_wait(&screen, "your line: heat");
        enter();
        screen_wait(&screen, sizes[i].says);
        screen_wait_for(&screen, is_shown_once, "one scale: 0");
        enter();
        screen_wait_at(&screen, 0, "page 15 of");
        screen_wait(&screen, sizes[i].says);
        screen_wait_for(&screen, is_shown_once, "one scale: 0");
        (void)close_screen(NULL);
    }
}

/* What is drawn at the prompt stands in the picture's pane alone, where that is in sight. */
static void test_screen_lesson__a_picture_of_the_prompt_is_shown_once(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
        const char *says; /* NULL: the picture's pane has no room, and the prompt shows it */
    } sizes[] = {{24, 80, NULL},
                 {50, 80, "(the picture is above)"},
                 {40, 120, "(the picture is on the right)"},
                 {60, 200, "(the picture is on the right)"}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        open_page(sizes[i].rows, sizes[i].cols, "4#7");
        screen_type(&screen, CTRL_P "heat [[1, 2], [3, 4.5]]\r");
        if (sizes[i].says != NULL)
            screen_wait(&screen, sizes[i].says);
        screen_wait_for(&screen, is_shown_once, "3.0000");
        (void)close_screen(NULL);
    }
}

/* A page that is turned to has its picture as one that is opened by its number. */
static void test_screen_lesson__a_picture_comes_with_its_page(void **state)
{
    (void)state;
    open_page(30, 130, "1#6");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_S);
    screen_wait(&screen, "Skipped");
    enter();
    screen_wait_at(&screen, 0, "page 7 of");
    screen_wait(&screen, "labels(window, words, words)  10x10");
}

static bool are_side_by_side(struct screen *shown, const char *text)
{
    (void)text;
    int row = screen_find_row(shown, 1, "W[0]  4x4");
    return row >= 0 && screen_find_text(shown, row, 0, "W[1]  4x4") >= 0;
}

/* What stands side by side at 80 columns does so at 120. */
static void test_screen_lesson__tables_side_by_side_stay_so(void **state)
{
    (void)state;
    for (int cols = 80; cols <= 200; cols += 40) {
        open_page(40, cols, "4#7");
        screen_wait(&screen, "0.5400  -> Hello");
        screen_wait(&screen, "1.2406     sun     0.9270*");
        (void)close_screen(NULL);
        open_page(40, cols, "multi-head#14"); /* what the lines of the page draw */
        screen_wait(&screen, "your line: W = softmax");
        enter();
        screen_wait(&screen, "your line: heat");
        enter();
        if (cols == 120) /* in a pane of half that width they are large, below each other */
            screen_wait(&screen, "W[1]  4x4");
        else
            screen_wait_for(&screen, are_side_by_side, "two matrices in a row");
        (void)close_screen(NULL);
    }
}

/* Above 40 rows the pages of a step stand below each other, and the answer belongs to the last. */
static void test_screen_lesson__a_tall_screen_shows_the_pages_of_a_step(void **state)
{
    (void)state;
    open_page(60, 200, "1#6");
    screen_wait(&screen, "your answer:");
    screen_wait(&screen, "Then let us make the window wider.");
    screen_type(&screen, "7\r");
    screen_wait(&screen, "Right");
    enter();
    screen_wait_at(&screen, 0, "page 7 of");
    screen_wait(&screen, "Any two words");
    assert_shows("Then let us make the window wider.");
    assert_shows("You have answered this.");
    screen_type(&screen, "i - j\r");
    screen_wait(&screen, "Not yet.");
    assert_shows("Then let us make the window wider.");
    (void)close_screen(NULL);
    open_page(60, 200, "1#7"); /* also where the learner begins in the middle */
    screen_wait(&screen, "Any two words");
    assert_shows("Then let us make the window wider.");
    screen_resize(&screen, 40, 200);
    screen_wait_gone(&screen, "Then let us make the window wider.");
    screen_resize(&screen, 60, 200);
    screen_wait(&screen, "Then let us make the window wider.");
}

/* Nothing stands beside a page without a picture until the learner asks for the explorer, which
 * stays until the page is left. */
static void test_screen_lesson__the_explorer_comes_when_it_is_asked_for(void **state)
{
    (void)state;
    open_page(40, 120, "4#1");
    wait_keys("n next");
    screen_wait(&screen, "Tab: Explore");
    assert_false(screen_shows(&screen, "Enter: why"));
    press_named("Tab");
    screen_wait(&screen, "Enter: why");
    wait_keys("] stage"); /* with the lesson's keys still there, n would follow at once: Alt-n */
    screen_type(&screen, ESCAPE);
    wait_keys("n next");
    assert_shows("Enter: why");
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of");
    screen_wait_gone(&screen, "Enter: why");
}

/* Whole lessons. */

static void ask_for_a_hint(bool by_mouse)
{
    if (by_mouse)
        click_key("^T");
    else
        screen_type(&screen, CTRL_T);
    screen_wait(&screen, "Hint 1 of");
}

static bool is_choice(const struct question *question)
{
    return question->kind == QUESTION_CHOICE;
}

/* A wrong option of a question with one right one, what it is told, and the right one. */
static void choose_wrong_and_right(struct learner *learner, const struct question *question,
                                   bool by_mouse)
{
    if (question->n_wrong > 0) {
        give_options(learner, question->wrong[0].is.text, by_mouse);
        screen_wait(&screen, "Not yet.");
    }
    give_options(learner, question->answer.text, by_mouse);
}

/* Answers question n of the lesson, counted from 0, or skips it: one of them, what only another
 * pane can solve, and by mouse what must be typed. Returns whether it was answered. */
static bool answer_question(struct learner *learner, const struct question *question, unsigned n,
                            bool by_mouse)
{
    if (question->kind == QUESTION_EXERCISE || n == 2 || (by_mouse && !is_choice(question))) {
        if (by_mouse)
            click_key("^S");
        else
            screen_type(&screen, CTRL_S);
        return false;
    }
    if (n == 1 || n == 3)
        ask_for_a_hint(by_mouse);
    if (is_choice(question))
        choose_wrong_and_right(learner, question, by_mouse);
    else
        give_answer(learner, question, question->answer.text);
    screen_wait(&screen, question->kind == QUESTION_PREDICT ? "You guessed it" : "Right");
    return true;
}

static void go_on(bool by_mouse)
{
    if (by_mouse)
        click_key("n");
    else
        screen_type(&screen, "n");
}

/* Every page of the lesson, from the first. Returns how many questions were answered. */
static unsigned go_through(struct learner *learner, bool by_mouse)
{
    char title[64];
    unsigned n_asked = 0, n_answered = 0;
    for (size_t i = 0; i < learner->lesson->n_pages; i++) {
        const struct page *page = &learner->lesson->pages[i];
        bool left = false;
        snprintf(title, sizeof title, "page %zu of %zu", i + 1, learner->lesson->n_pages);
        screen_wait_at(&screen, 0, title);
        screen_settle(&screen, 50, 1000); /* all of the frame */
        read_page(learner, page);
        if (page->question != NULL) {
            left = !answer_question(learner, page->question, n_asked++, by_mouse);
            n_answered += !left;
        }
        run_offer(learner, page);
        for (size_t line = 0; line < count_offered(page); line++) {
            uint64_t before = screen_hash(&screen);
            give(by_mouse);
            wait_other(before, "what was offered to type");
            screen_settle(&screen, 50, 1000);
        }
        if (page->offer.text != NULL)
            give(by_mouse);
        else if (!left)
            go_on(by_mouse);
    }
    return n_answered;
}

/* After its last page. */
static void end_lesson(const struct learner *learner, bool by_mouse)
{
    struct lesson_record record;
    struct error error;
    char path[128];
    screen_wait(&screen, "You can now");
    if (by_mouse)
        click_key("q");
    else
        press(VTERM_KEY_ESCAPE);
    wait_keys("Enter open");
    screen_wait(&screen, "done");
    quit("q");
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    assert_true(progress_lesson(progress, learner->entry->id, &record, &error));
    assert_true(record.finished);
    progress_close(progress);
}

static void test_screen_lesson__a_whole_lesson_by_keys(void **state)
{
    (void)state;
    struct learner learner;
    open_learner(&learner, "softmax");
    screen_home_new(home);
    start(&(struct screen_options){
        .rows = 70, .cols = 140, .home = home, .arguments = LESSON("softmax", "--ascii")});
    unsigned n_answered = go_through(&learner, false);
    assert_in_range(n_answered, 6, 20);
    end_lesson(&learner, false);
    close_learner(&learner);
}

/* What must be typed is skipped; five questions of this lesson are choices. */
static void test_screen_lesson__a_whole_lesson_by_mouse(void **state)
{
    (void)state;
    struct learner learner;
    open_learner(&learner, "debugging");
    screen_home_new(home);
    start(&(struct screen_options){
        .rows = 70, .cols = 200, .home = home, .arguments = ATTN("--ascii")});
    wait_keys("q quit");
    unfold("Why it works, and when it does not");
    click_on("Debugging attention", 3);
    wait_chosen("Debugging attention");
    click_key("Enter");
    unsigned n_answered = go_through(&learner, true);
    assert_in_range(n_answered, 4, 20);
    end_lesson(&learner, true);
    close_learner(&learner);
}

/* Answers as beginners type them, where there is little room and where there is much. */

static const struct {
    int rows, cols;
} sizes[] = {{24, 80}, {60, 200}};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

/* The lesson's first question of a kind, to which pages are skipped. The caller closes learner. */
static const struct question *skip_to(struct learner *learner, const char *id,
                                      enum question_kind kind, size_t size)
{
    char title[64];
    open_learner(learner, id);
    start(&(struct screen_options){
        .rows = sizes[size].rows, .cols = sizes[size].cols, .arguments = LESSON(id, "--ascii")});
    for (size_t i = 0; i < learner->lesson->n_pages; i++) {
        const struct page *page = &learner->lesson->pages[i];
        snprintf(title, sizeof title, "page %zu of", i + 1);
        screen_wait_at(&screen, 0, title);
        read_page(learner, page);
        if (page->question != NULL && page->question->kind == kind)
            return page->question;
        run_offer(learner, page);
        if (page->offer.text != NULL)
            screen_type(&screen, CTRL_S); /* runs it */
        screen_type(&screen, CTRL_S);
    }
    fail_msg("%s: it has no question of kind %d", id, (int)kind);
    return NULL;
}

/* Its first letter, and those that are commands elsewhere. */
static void test_screen_lesson__a_formula_is_typed_letters_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        struct learner learner;
        const struct question *question = skip_to(&learner, "softmax", QUESTION_FORMULA, i);
        screen_type(&screen, "sbqhn(Q");
        screen_wait(&screen, "your answer: sbqhn(Q");
        enter(); /* it can't be read: the text stays, and so does typing */
        screen_wait(&screen, "never closed");
        screen_type(&screen, "x");
        screen_wait(&screen, "sbqhn(Qx");
        press(VTERM_KEY_ESCAPE);
        screen_wait(&screen, "cleared; ^Y brings it back");
        press(VTERM_KEY_ESCAPE);
        screen_wait(&screen, "^Q leaves; any character types again");
        assert_false(screen.cursor_visible);
        screen_type(&screen, "sb");
        screen_wait(&screen, "your answer: sb");
        assert_true(screen.cursor_visible);
        press(VTERM_KEY_LEFT);
        screen_type(&screen, CTRL_U); /* all of it */
        screen_type(&screen, question->answer.text);
        enter();
        screen_wait(&screen, "Right");
        close_learner(&learner);
        (void)close_screen(NULL);
    }
}

/* All cells but the first are wrong: Enter goes through them, and gives all at the last. */
static void test_screen_lesson__a_matrix_is_corrected(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        struct learner learner;
        struct value value;
        char digits[40], wrong[80];
        const struct question *question =
            skip_to(&learner, "tokens-and-embeddings", QUESTION_MATRIX, i);
        const struct tensor *right = value_of(&learner, question->answer.text, &value);
        size_t n = tensor_size(right);
        for (size_t cell = 0; cell < n; cell++) {
            snprintf(digits, sizeof digits, "%g\r",
                     (double)tensor_at_position(right, cell) + (cell > 0 ? 77 : 0));
            screen_type(&screen, digits);
        }
        snprintf(wrong, sizeof wrong, "%zu of the %zu cells are wrong.", n - 1, n);
        screen_wait(&screen, wrong);
        for (size_t cell = 1; cell < n; cell++) {
            snprintf(digits, sizeof digits, "%g", (double)tensor_at_position(right, cell));
            screen_type(&screen, digits);
            screen_wait_gone(&screen, wrong); /* since the first digit */
            enter();
        }
        screen_wait(&screen, "Right");
        value_release(&value);
        close_learner(&learner);
        (void)close_screen(NULL);
    }
}

/* A row of numbers that is pasted fills the cells. One number too many fills none. */
static void test_screen_lesson__a_row_is_pasted_into_a_matrix(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        struct learner learner;
        struct value value;
        char row[400] = "";
        const struct question *question =
            skip_to(&learner, "tokens-and-embeddings", QUESTION_MATRIX, i);
        const struct tensor *right = value_of(&learner, question->answer.text, &value);
        size_t n_cols = right->shape[right->n_axes - 1];
        for (size_t cell = 0; cell < tensor_size(right); cell++)
            snprintf(row + strlen(row), sizeof row - strlen(row), "%g%c",
                     (double)tensor_at_position(right, cell),
                     (cell + 1) % n_cols == 0 ? '\r' : '\t');
        screen_type(&screen, "\x1b[200~");
        screen_type(&screen, row);
        screen_type(&screen, "1\x1b[201~");
        screen_wait(&screen, "are too many");
        screen_type(&screen, "\x1b[200~");
        screen_type(&screen, row);
        screen_type(&screen, "\x1b[201~");
        screen_wait(&screen, "Enter answer");
        enter();
        screen_wait(&screen, "Right");
        value_release(&value);
        close_learner(&learner);
        (void)close_screen(NULL);
    }
}

/* The numbers are typed with blanks and without, and a step is picked up and carried. */
static void test_screen_lesson__steps_are_put_in_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        struct learner learner;
        (void)skip_to(&learner, "scaling", QUESTION_ORDER, i);
        screen_type(&screen, "1 3 "); /* which brings the steps into sight */
        screen_wait(&screen, "your order: 1 3 _");
        enter();
        screen_wait(&screen, "1 of 3 steps is missing");
        screen_type(&screen, "2");
        screen_wait(&screen, "your order: 1 3 2");
        enter();
        screen_wait(&screen, "the other way round");
        screen_type(&screen, "23");
        screen_wait(&screen, "your order: 2 3 _");
        press(VTERM_KEY_ESCAPE);
        screen_wait(&screen, "in their first order");
        press(VTERM_KEY_UP); /* to where the steps are seen, and no further */
        press(VTERM_KEY_DOWN);
        screen_type(&screen, " ");
        screen_wait(&screen, "arrows carry step");
        enter();
        screen_wait_gone(&screen, "arrows carry step");
        screen_type(&screen, "231");
        screen_wait(&screen, "your order: 2 3 1");
        enter();
        screen_wait(&screen, "Right");
        close_learner(&learner);
        (void)close_screen(NULL);
    }
}

/* Tab completes there as at the prompt, and the field keeps the cursor. */
static void test_screen_lesson__tab_completes_in_an_answer(void **state)
{
    (void)state;
    open_page(24, 80, "1#13");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "deg\t");
    screen_wait(&screen, "your answer: degrees");
    screen_type(&screen, "[argma\t");
    screen_wait(&screen, "your answer: degrees[argmax");
    screen_wait_at(&screen, 0, "> Lesson   Why attention   page 13 of");
    assert_true(screen.cursor_visible);
}

/* After an error what is typed goes on at the end, and ^U clears all of the field. */
static void test_screen_lesson__an_answer_with_an_error_is_mended(void **state)
{
    (void)state;
    open_page(24, 80, "1#7");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "lambda i,j: i-j+1\r");
    screen_wait(&screen, "lambda:");
    screen_type(&screen, "0");
    screen_wait(&screen, "your answer: lambda i,j: i-j+10");
    screen_type(&screen, CTRL_U "abs(i-j)+1");
    screen_wait(&screen, "your answer: abs(i-j)+1");
    assert_false(screen_shows(&screen, "your answer: abs(i-j)+1l"));
}

/* The answer typed at the prompt is said to be it, and Enter there hands it in. */
static void test_screen_lesson__an_answer_at_the_prompt_is_recognised(void **state)
{
    (void)state;
    open_page(40, 120, "1#13");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("degrees[argmax(hours==q)]");
    screen_wait(&screen, "That is the answer to the question");
    enter();
    screen_wait(&screen, "Right, at once.");
}

/* ^B is tmux's own key: Alt-Left leads back too, and so does PgUp at the top of a page. */
static void test_screen_lesson__back_without_control_b(void **state)
{
    (void)state;
    open_page(24, 80, "1#7");
    screen_wait_at(&screen, 0, "page 7 of");
    screen_press(&screen, VTERM_KEY_LEFT, VTERM_MOD_ALT);
    screen_wait_at(&screen, 0, "page 6 of");
    screen_wait(&screen, "your answer:");
    press(VTERM_KEY_PAGEUP);
    screen_wait_at(&screen, 0, "page 5 of");
}

/* After a guess, the option that was right has its mark, and the guess keeps its own. */
static void test_screen_lesson__a_guess_shows_what_was_right(void **state)
{
    (void)state;
    open_page(24, 80, "2#2");
    screen_type(&screen, "1\r");
    screen_wait(&screen, "You guessed 1. It is 3");
    screen_wait(&screen, "1 (*) the letters");
    screen_wait(&screen, "2 ( ) the words");
    screen_wait(&screen, "3 (v) frequent words");
}

static void test_screen_lesson__a_wrong_choice_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        struct learner learner;
        const struct question *question =
            skip_to(&learner, "tokens-and-embeddings", QUESTION_CHOICE, i);
        pick(strtoul(question->wrong[0].is.text, NULL, 10), false);
        enter();
        screen_wait(&screen, "Not yet.");
        enter();
        screen_wait(&screen, "tried already: another one");
        close_learner(&learner);
        (void)close_screen(NULL);
    }
}

static void test_screen_lesson__pages_turn(void **state)
{
    (void)state;
    start_lesson(60, 120);
    screen_type(&screen, "n");
    screen_wait_at(&screen, 0, "page 2 of");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_B);
    screen_wait_at(&screen, 0, "page 1 of");
    enter(); /* nothing is asked: on */
    screen_wait_at(&screen, 0, "page 2 of");
    enter(); /* the question waits */
    screen_wait(&screen, "no answer yet");
    screen_wait_at(&screen, 0, "page 2 of");
    screen_type(&screen, CTRL_S);
    screen_wait_at(&screen, 0, "page 3 of");
    screen_wait(&screen, "your line: x = linspace"); /* what is offered to type */
    enter();
    screen_wait(&screen, "your line: plot x, exp(x)");
    enter();
    screen_wait(&screen, "exp(x)  (25,)");
    enter();
    screen_wait_at(&screen, 0, "page 4 of");
    screen_type(&screen, CTRL_B);
    screen_wait_at(&screen, 0, "page 3 of");
}

/* A number is typed, mended and taken back, and a wrong one told what is wrong with it. */
static void test_screen_lesson__a_number_is_typed(void **state)
{
    (void)state;
    start_lesson(60, 120);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, "12.");
    screen_wait(&screen, "your answer: 12.");
    press(VTERM_KEY_BACKSPACE);
    press(VTERM_KEY_BACKSPACE);
    screen_type(&screen, "9");
    screen_wait(&screen, "your answer: 19");
    press(VTERM_KEY_ESCAPE);
    screen_wait_gone(&screen, "your answer: 19");
    screen_wait_at(&screen, 0, "page 2 of");
    screen_type(&screen, "-1");
    screen_wait(&screen, "your answer: -1");
    enter();
    screen_wait(&screen, "Not yet.");
    screen_wait(&screen, "That is the score."); /* what the lesson says to it */
}

/* A page that offers lines to type has the cursor in a field: what it invites to type is typed
 * there, letters that are commands elsewhere among them. */
static void test_screen_lesson__what_a_page_offers_is_typed(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SIZES; i++) {
        start(&(struct screen_options){.rows = sizes[i].rows,
                                       .cols = sizes[i].cols,
                                       .arguments = LESSON("multi-head#split", "--ascii")});
        screen_wait(&screen, "your line: Q = 10 * arange(3)[:, None] + arange(6)");
        wait_keys("Enter run");
        screen_type(&screen, "Q = 10 * arange(3)[:, None] + arange(6) @");
        enter();
        screen_wait(&screen, "expected a number");
        screen_type(&screen, "\x7f");
        enter();
        screen_wait(&screen, "Q  3x6");
        screen_wait(&screen, "your line: Q");
        screen_type(&screen, "qnbs?:x");
        screen_wait(&screen, "your line: qnbs?:x");
        screen_type(&screen, "\x03"); /* clears it, and does not end attn */
        screen_wait(&screen, "^Y brings it back");
        screen_type(&screen, "\x03");
        screen_wait(&screen, "^Q leaves the lesson");
        press(VTERM_KEY_TAB);
        wait_keys("Enter run  Esc clear  Tab complete");
        screen_type(&screen, "[1, 5]\r");
        screen_wait(&screen, "Q[1, 5]");
        screen_wait(&screen, "15");
        press(VTERM_KEY_ESCAPE);
        screen_wait(&screen, "any character types again");
        enter();
        screen_wait(&screen, "Enter runs the line in grey");
        enter();
        screen_wait(&screen, "20  21  22");
        screen_type(&screen, "\033[200~a = 6\na * 7\n\033[201~"); /* rows go to the prompt */
        screen_wait(&screen, "42");
        screen_wait(&screen, "multi-head ");
        wait_keys("PgUp scroll");
        press(VTERM_KEY_ESCAPE);
        wait_keys("Enter go on");
        screen_wait(&screen, "Enter goes on");
        enter();
        screen_wait(&screen, "Rows are words, as always");
        close_screen(NULL);
    }
}

/* Closed from the prompt while an option was picked: nothing of the lesson stays. */
static void test_screen_lesson__is_closed_from_the_prompt(void **state)
{
    (void)state;
    start(&(struct screen_options){
        .rows = 40, .cols = 140, .arguments = LESSON("why-attention", "--ascii")});
    wait_keys("n next");
    screen_type(&screen, "n");
    screen_wait(&screen, "1 ( )");
    screen_type(&screen, "1");
    screen_wait(&screen, "1 (*)");
    screen_type(&screen, "\x10");
    wait_keys("PgUp scroll");
    screen_type(&screen, "lesson close\r");
    screen_wait_at(&screen, 0, "home");
    screen_type(&screen, "6 * 7\r");
    screen_wait(&screen, "42");
    screen_type(&screen, "lesson softmax\r");
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
}

/* Lessons 1 to 6 are done, and a question of the last one was missed a week ago: it comes before
 * the first page of lesson 7, where the learner answers or skips it. */
static void miss_one_and_go_on(void)
{
    static const char *const done[] = {"why-attention", "tokens-and-embeddings",
                                       "dot-products",  "score-matrix",
                                       "scaling",       "softmax"};
    static const char *const arguments[] = {"lesson", NULL};
    struct error error;
    char path[128];
    int64_t then_s = time(NULL) - 7 * 24 * 60 * 60;
    struct event event = {.lesson = "softmax",
                          .question = "two-more",
                          .kind = EVENT_WRONG,
                          .detail = "2",
                          .time_s = then_s,
                          .is_review = true};
    screen_home_new(home);
    snprintf(path, sizeof path, "%s/state/attn/progress.db", home);
    struct progress *progress = progress_open(path);
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++) {
        struct attempt attempt;
        assert_true(attempt_begin(progress, done[i], then_s, &attempt, &error) &&
                    attempt_finish(progress, &attempt, then_s, &error));
    }
    assert_true(progress_event(progress, NULL, &event, &error));
    progress_close(progress);
    start(&(struct screen_options){.home = home, .arguments = arguments});
    screen_wait(&screen, "warm-up, from lesson 6, Softmax");
    screen_wait(&screen, "your answer:");
}

static void test_screen_lesson__warms_up(void **state)
{
    (void)state;
    miss_one_and_go_on();
    screen_wait_at(&screen, 0, "Warm-up   before Masking");
    screen_wait(&screen, "One question, then Masking begins. Skipping it is free");
    screen_type(&screen, "exp(2)");
    enter();
    screen_wait(&screen, "Right, at once.");
    enter();
    screen_wait_at(&screen, 0, "Masking   page 1 of");
    assert_false(screen_shows(&screen, "warm-up"));
}

static void test_screen_lesson__a_warm_up_is_skipped(void **state)
{
    (void)state;
    miss_one_and_go_on();
    screen_type(&screen, CTRL_S);
    screen_wait_at(&screen, 0, "Masking   page 1 of");
    assert_false(screen_shows(&screen, "Skipped"));
}

/* Who chooses a lesson gets that lesson. */
static void test_screen_lesson__a_lesson_that_is_chosen_has_no_warm_up(void **state)
{
    (void)state;
    miss_one_and_go_on();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say("lesson 7");
    screen_wait_at(&screen, 0, "Masking   page 1 of");
}

static void test_screen_lesson__a_long_page_scrolls(void **state)
{
    (void)state;
    start_lesson(16, 100);
    screen_type(&screen, "n");
    screen_wait(&screen, "your answer:");
    screen_type(&screen, CTRL_S);
    screen_wait(&screen, "[2, -1, 1]");
    assert_false(screen_shows(&screen, "plot x, exp(x)"));
    press(VTERM_KEY_END);
    screen_wait(&screen, "plot x, exp(x)");
    assert_false(screen_shows(&screen, "[2, -1, 1]"));
    press(VTERM_KEY_HOME);
    screen_wait(&screen, "[2, -1, 1]");
    press(VTERM_KEY_PAGEDOWN);
    screen_wait_gone(&screen, "[2, -1, 1]");
    press(VTERM_KEY_PAGEUP);
    screen_wait(&screen, "[2, -1, 1]");
    screen_wheel(&screen, 6, 6, 3);
    screen_wait_gone(&screen, "[2, -1, 1]");
    screen_wheel(&screen, 6, 6, -3);
    screen_wait(&screen, "[2, -1, 1]");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_lesson__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(golden),
        TEST(a_picture_beside_it),
        TEST(a_picture_behind_it),
        TEST(a_picture_below_it),
        TEST(pictures_stay_in_their_lesson),
        TEST(a_page_that_takes_long_is_shown_before),
        TEST(the_picture_of_a_question_stays),
        TEST(a_picture_is_shown_once),
        TEST(a_picture_that_a_line_drew_is_shown_once),
        TEST(a_picture_of_the_prompt_is_shown_once),
        TEST(a_picture_comes_with_its_page),
        TEST(tables_side_by_side_stay_so),
        TEST(a_tall_screen_shows_the_pages_of_a_step),
        TEST(the_explorer_comes_when_it_is_asked_for),
        TEST(a_whole_lesson_by_keys),
        TEST(a_whole_lesson_by_mouse),
        TEST(is_closed_from_the_prompt),
        TEST(a_formula_is_typed_letters_first),
        TEST(a_matrix_is_corrected),
        TEST(a_row_is_pasted_into_a_matrix),
        TEST(steps_are_put_in_order),
        TEST(tab_completes_in_an_answer),
        TEST(an_answer_with_an_error_is_mended),
        TEST(an_answer_at_the_prompt_is_recognised),
        TEST(back_without_control_b),
        TEST(a_guess_shows_what_was_right),
        TEST(a_wrong_choice_twice),
        TEST(pages_turn),
        TEST(a_number_is_typed),
        TEST(what_a_page_offers_is_typed),
        TEST(warms_up),
        TEST(a_warm_up_is_skipped),
        TEST(a_lesson_that_is_chosen_has_no_warm_up),
        TEST(a_long_page_scrolls),
    };
    return RUN_TESTS("screen_lesson", all);
}
