/* The explorer: every number of attention, its arithmetic, and what an edit moves. */
#include "screen_testing.h"

#include <stdio.h>
#include <string.h>

static void test_screen_explorer__golden(void **state)
{
    (void)state;
    start_explorer(24, 80);
    screen_type(&screen, "]]]]]]");
    enter();
    wait_golden("why");
}

/* The whole chain, where there is room for it. */
static void test_screen_explorer__the_whole_chain(void **state)
{
    (void)state;
    start_explorer(60, 200);
    screen_type(&screen, "m");
    screen_wait(&screen, "causal mask");
    go_to_stage("weights");
    press(VTERM_KEY_DOWN);
    wait_golden("chain");
}

/* The room below one stage shows those that follow it, as many as are seen whole. */
static void test_screen_explorer__the_other_stages_fill_the_room(void **state)
{
    (void)state;
    start_explorer(40, 120);
    screen_wait(&screen, "E from embed");
    screen_wait(&screen, "scores = Q @ K.T");
    screen_wait(&screen, "context = weights @ V");
    screen_close(&screen);
    start_explorer(24, 80);
    screen_wait(&screen, "Q = E[:]");
    screen_wait(&screen, "scores = Q @ K.T");
}

static void test_screen_explorer__the_chain_of_six_words_opened(void **state)
{
    (void)state;
    start(&(struct screen_options){.rows = 45,
                                   .cols = 160,
                                   .arguments =
                                       ATTN("explore", "my cat saw your dog today", "--ascii")});
    screen_wait_at(&screen, 0, "Explore");
    wait_keys("Enter why");
    screen_type(&screen, "mH4\r");
    screen_wait(&screen, "head 1/4");
    go_to_stage("scores");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_RIGHT);
    enter();
    wait_golden("chain-open");
}

static void test_screen_explorer__explorer_keys(void **state)
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
    screen_wait(&screen, "heads (now 1):");
    enter();
    screen_wait(&screen, "head 1/2");
    screen_type(&screen, "2");
    screen_wait(&screen, "head 2/2");
    screen_type(&screen, "H1\r");
    screen_wait_gone(&screen, "head 2/");
    screen_type(&screen, "v");
    screen_wait(&screen, "highest");
    go_to_stage("weights");
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

static void test_screen_explorer__an_edit_repaints_all_that_depends_on_it(void **state)
{
    (void)state;
    start_explorer(30, 110);
    screen_type(&screen, "e2.5");
    screen_wait(&screen, "2.5");
    enter();
    screen_wait(&screen, "changed, marked *");
    screen_wait(&screen, "2.5000*");
    go_to_stage("context");
    screen_wait_for(&screen, has_three_marks, "* in three rows");
    screen_wait(&screen, "1 edit");
    screen_type(&screen, "u");
    screen_wait_gone(&screen, "1 edit");
    screen_type(&screen, "[[[[[[[[");
    screen_wait(&screen, "[E]");
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
    screen_type(&screen, "enonsense");
    enter();
    screen_wait(&screen, "this is not a number");
    screen_type(&screen, ESCAPE);
    screen_wait(&screen, "Enter: why");
    screen_wait(&screen, "E[\"Hello\", 0] = 0.34");
}

static void test_screen_explorer__from_context_down_to_an_embedding_and_back(void **state)
{
    (void)state;
    static const char *const stations[] = {"context[", "weights[", "scaled[", "scores["};
    start_explorer(30, 110);
    go_to_stage("context");
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

static void test_screen_explorer__with_the_mouse(void **state)
{
    (void)state;
    start_explorer(30, 110);
    click_on("scores", 1);
    screen_wait(&screen, "[scores]");
    click_on("1.3569", 2);
    screen_wait(&screen, "scores[\"shiny\", \"shiny\"] = 1.3569");
    click_on("1.2406", 2);
    screen_wait(&screen, "scores[\"sun\", \"sun\"] = 1.2406");
    click_on("1.2406", 2);
    screen_wait(&screen, "  = "); /* a second click opens it */
}

/* The line of the cell, and its arithmetic, stand below its matrix however tall the screen is. */
static void test_screen_explorer__a_cell_is_told_of_below_its_matrix(void **state)
{
    (void)state;
    start_explorer(50, 110);
    go_to_stage("scores");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "scores[\"sun\", \"Hello\"] = 0.7196   Enter: why");
    screen_settle(&screen, 30, 1000);
    int last = screen_find_row(&screen, 0, "sun     0.7196");
    assert_int_equal(screen_find_row(&screen, 0, "Enter: why"), last + 2);
    enter();
    screen_wait(&screen, "K[\"Hello\", 2] = 0.54");
    screen_settle(&screen, 30, 1000); /* all of the frame */
    last = screen_find_row(&screen, 0, "sun     0.7196");
    assert_int_equal(screen_find_row(&screen, 0, "scores[\"sun\", \"Hello\"] = "), last + 2);
    click_on("K[\"Hello\", 1] = 0.22", 2);
    enter();
    screen_wait(&screen, "[K]");
    screen_wait(&screen, "E[\"Hello\", 1] = 0.22");
    screen_settle(&screen, 30, 1000);
    last = screen_find_row(&screen, 0, "sun     0.2900");
    assert_int_equal(screen_find_row(&screen, 0, "K[\"Hello\", 1] = 0.22"), last + 2);
}

/* A sentence of 40 words, whose weights are wider than what old mice could point at. */
static void start_long_sentence(void)
{
    static char sentence[40 * 4 + 1];
    for (size_t i = 0; i < 40; i++)
        snprintf(sentence + i * 4, 5, "w%zu%s", 10 + i, i < 39 ? " " : "");
    start(&(struct screen_options){
        .rows = 60,
        .cols = 300,
        .arguments = (const char *const[]){"explore", sentence, "--ascii", NULL}});
    screen_wait_at(&screen, 0, "Explore");
    wait_keys("Enter why");
    screen_wait(&screen, "w10");
    screen_type(&screen, "v"); /* numbers, not the whole chain */
    go_to_stage("weights");
}

static void test_screen_explorer__mouse_beyond_column_223(void **state)
{
    (void)state;
    char wanted[64], word[3 * 4 * VTERM_MAX_CHARS_PER_CELL + 1] = "";
    start_long_sentence();
    screen_settle(&screen, 100, 2000);
    int names = screen_find_row(&screen, 1, "w10 "), col = screen.cols - 1;
    int row = screen_find_row(&screen, names + 1, "w15 ");
    for (; col > 230 && word[0] != 'w'; col--) /* the last word that is named, above its numbers */
        screen_part(&screen, names, col - 1, col + 2, word);
    assert_int_equal(word[0], 'w');
    screen_click(&screen, row, col + 1);
    snprintf(wanted, sizeof wanted, "weights[\"w15\", \"%.3s\"]", word);
    screen_wait(&screen, wanted);
    screen_wheel(&screen, row, col, 1); /* what is under the wheel, beyond it too */
    screen_wait_gone(&screen, wanted);
}

/* The wheel belongs to what lies under it, wherever the focus is. */
static void test_screen_explorer__wheel_scrolls_what_lies_under_it(void **state)
{
    (void)state;
    start_home();
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    screen_wheel(&screen, 5, 10, 1);
    wait_chosen("Look into a model");
    screen_wheel(&screen, 5, 10, -1);
    wait_chosen("Begin with lesson 1");
    wait_keys("PgUp scroll"); /* the prompt has the keys still */
    screen_click(&screen, 6, 10);
    wait_keys("Enter open");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_explorer__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(golden),
        TEST(the_whole_chain),
        TEST(the_other_stages_fill_the_room),
        TEST(the_chain_of_six_words_opened),
        TEST(explorer_keys),
        TEST(an_edit_repaints_all_that_depends_on_it),
        TEST(from_context_down_to_an_embedding_and_back),
        TEST(with_the_mouse),
        TEST(a_cell_is_told_of_below_its_matrix),
        TEST(mouse_beyond_column_223),
        TEST(wheel_scrolls_what_lies_under_it),
    };
    return RUN_TESTS("screen_explorer", all);
}
