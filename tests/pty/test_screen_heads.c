/* The heads of a model: all of them, one, what cutting does, a text that grows. */
#include "screen_testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model of random weights, of so many layers and heads, in a folder of the home. */
static void make_model(unsigned layers, unsigned heads)
{
    char command[1024];
    const char *runner = getenv("ATTN_RUNNER");
    screen_home_new(home);
    snprintf(command, sizeof command,
             "%s %s eval 'manual_seed(2); m = transformer([\"the\", \"cat\", \"sat\", \"on\", "
             "\"mat\", \"it\", \"was\", \"tired\"], d_model=%u, n_heads=%u, n_layers=%u, "
             "n_positions=64); save(\"%s/words\", m)'",
             runner != NULL ? runner : "", getenv("ATTN"), 4 * heads, heads, layers, home);
    assert_int_equal(system(command), 0);
}

static void start_view(int rows, int cols, const char *const *settings)
{
    static char folder[96];
    snprintf(folder, sizeof folder, "%s/words", home);
    start(&(struct screen_options){.rows = rows,
                                   .cols = cols,
                                   .home = home,
                                   .settings = settings,
                                   .arguments = ATTN("view", folder, "the cat sat on the mat")});
    screen_wait(&screen, "layer 0, head 0: weights");
}

static void test_screen_heads__arrows_walk_and_enter_opens_one(void **state)
{
    (void)state;
    make_model(3, 2);
    start_view(24, 80, NULL);
    wait_keys("Enter open");
    wait_keys("0 cut");
    screen_wait(&screen, "text: the cat sat on the mat");
    press(VTERM_KEY_RIGHT);
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "layer 1, head 1: weights");
    enter();
    screen_wait(&screen, "[L1.weights]");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "L1.weights[1, \"cat\", \"the@0\"] = 0.");
    enter(); /* the arithmetic */
    screen_wait(&screen, "softmax");
    screen_press(&screen, VTERM_KEY_BACKSPACE, VTERM_MOD_NONE);
    screen_type(&screen, "]");
    screen_type(&screen, "[");
    screen_wait(&screen, "layer 1, head 0: weights");
    screen_type(&screen, "}");
    screen_wait(&screen, "layer 2, head 0: weights");
    screen_press(&screen, VTERM_KEY_BACKSPACE, VTERM_MOD_NONE);
    screen_wait(&screen, "H1");
    screen_type(&screen, "q");
    screen_wait_gone(&screen, "layer 2, head 0");
    quit("q");
}

static void test_screen_heads__one_head_is_looked_at_in_several_ways(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(30, 120, NULL);
    screen_wait(&screen, "ink"); /* Sink, or No sink */
    enter();
    screen_wait(&screen, "[L0.weights]");
    screen_type(&screen, "d");
    screen_wait(&screen, "weights x length of v");
    screen_wait(&screen, "[reach]");
    screen_type(&screen, "s");
    screen_wait(&screen, "rest rescaled");
    screen_type(&screen, "ds");
    screen_wait(&screen, "layer 0, head 0: weights");
    screen_wait_gone(&screen, "rescaled");
    screen_type(&screen, "v"); /* lines between words */
    screen_wait(&screen, "query");
    screen_type(&screen, "v");
    screen_wait_gone(&screen, "query");
}

/* Two heads over each other, of all words, without colours: each head is its number. */
static void test_screen_heads__lines_of_several_heads(void **state)
{
    (void)state;
    make_model(2, 3);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    enter();
    screen_wait(&screen, "[L0.weights]");
    screen_type(&screen, " ");
    screen_wait(&screen, "head 0 is marked: its lines stay; v shows lines");
    screen_type(&screen, "]]v");
    screen_wait(&screen, "layer 0, head 2: weights");
    screen_wait(&screen, "heads 0 2");
    screen_wait(&screen, "the 0000"); /* of the first word alone */
    screen_type(&screen, "L");
    screen_wait(&screen, "lines of all words");
    screen_wait(&screen, "tired"); /* the next token is not covered */
    screen_type(&screen, "}");
    screen_wait(&screen, "layer 1, head 2: weights");
    screen_wait(&screen, "heads 0 2"); /* of the next layer */
    screen_resize(&screen, 60, 200);
    screen_wait(&screen, "heads 0 2");
    screen_type(&screen, "[[ ]]"); /* takes the mark away */
    screen_wait(&screen, "layer 1, head 2: weights");
    screen_wait_gone(&screen, "heads 0");
}

/* The bars of the next word move at once, and are marked. */
static void test_screen_heads__cutting_moves_the_next_word(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(45, 160, NULL);
    screen_wait(&screen, "the next token");
    screen_wait(&screen, "u undo");
    screen_wait(&screen, "? help");
    char *before = screen_text(&screen);
    screen_type(&screen, "0");
    screen_wait(&screen, "cut: L0H0 0; u puts back");
    screen_wait(&screen, "* moved");
    press(VTERM_KEY_DOWN);
    screen_type(&screen, "m");
    screen_wait(&screen, "cut: L0H0 0, L1H0 mean");
    screen_wait(&screen, "cut:mean");
    press(VTERM_KEY_UP);
    screen_type(&screen, "0"); /* once more puts it back */
    screen_wait(&screen, "cut: L1H0 mean");
    screen_wait_gone(&screen, "L0H0 0");
    screen_type(&screen, "u");
    screen_wait_gone(&screen, "cut: ");
    screen_wait_all(&screen, before);
    free(before);
}

static void test_screen_heads__a_text_grows_by_a_word(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_wait(&screen, "6 tokens");
    assert_false(screen_has_colour(&screen));
    screen_type(&screen, "w");
    screen_type(&screen, "dog");
    screen_wait(&screen, "text: the cat sat on the mat dog");
    screen_wait(&screen, "unknown words: 1 (underlined)");
    enter();
    screen_wait(&screen, "\"dog\" is not among the 8 words");
    screen_type(&screen, "\x17"
                         "ti\t\r"); /* tired */
    screen_wait(&screen, "7 tokens");
    screen_wait(&screen, "text: the cat sat on the mat tired");
    screen_type(&screen, "tthe mat\r"); /* the first letter takes the place of the old text */
    screen_wait(&screen, "2 tokens");
    screen_type(&screen, "w");
    screen_wait(&screen, "Enter reads it");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "Enter reads it");
    screen_wait(&screen, "2 tokens");
}

/* Words are drawn and taken back, repeatably; what top-k cuts off is marked. */
static void test_screen_heads__the_next_word_is_drawn(void **state)
{
    static char first[256];
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_wait(&screen, "> temperature 1");
    screen_type(&screen, ",");
    screen_wait(&screen, "> temperature 0.8");
    screen_type(&screen, "T,");
    screen_wait(&screen, "> top-k 7");
    screen_type(&screen, ",,,,,,,");
    screen_wait(&screen, "> top-k 1 ");
    screen_wait(&screen, "1  \xE2\x96\x88"); /* all of it is the likeliest one's */
    screen_wait(&screen, "\xC2\xB7");        /* in place of the other probabilities */
    screen_type(&screen, "=");
    screen_wait(&screen, "> top-k all");
    screen_wait(&screen, "  temperature 1");
    screen_wait_gone(&screen, "\xC2\xB7");
    screen_type(&screen, "nnn");
    screen_wait(&screen, "9 tokens");
    snprintf(first, sizeof first, "%s", screen_row(&screen, 1));
    screen_type(&screen, "uuu");
    screen_wait(&screen, "6 tokens");
    screen_type(&screen, "tthe cat sat on the mat\rnnn"); /* the seed begins anew with a text */
    screen_wait(&screen, "9 tokens");
    screen_wait(&screen, first);
    screen_type(&screen, "uN");
    screen_wait(&screen, ", the likeliest; u takes it back");
    screen_type(&screen, "uuu");
    screen_wait(&screen, "6 tokens");
    screen_type(&screen, "u"); /* no more than was added */
    screen_wait(&screen, "nothing is changed");
}

/* The model's own parts, with the layer and head under the cursor; beside the next word where there
 * is room. */
static void test_screen_heads__the_model_has_a_chart(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_type(&screen, "i");
    screen_wait(&screen, "the stream at 5 \"mat\"");
    screen_wait(&screen, ">L0H0 of 2");
    screen_wait(&screen, " L1 attention");
    screen_wait(&screen, "stream   adds"); /* not cut */
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, ">L1H0 of 2");
    screen_wait(&screen, " L0 attention");
    screen_type(&screen, "i");
    screen_wait(&screen, "the next token");
    screen_resize(&screen, 45, 120);
    screen_wait(&screen, "the stream at 5");
    screen_wait(&screen, "the next token");
}

/* Where all heads take the whole width, the key for the chart says where it is; the bar of keys
 * names the way out. */
static void test_screen_heads__a_chart_without_room_is_said(void **state)
{
    (void)state;
    make_model(2, 12);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    wait_keys("q leave");
    screen_type(&screen, "i");
    screen_wait(&screen, "no room for the chart beside all heads: Enter opens one");
    enter();
    screen_wait(&screen, "the stream at 0");
    wait_keys("q leave");
    screen_type(&screen, "t");
    wait_keys("^Q leave");
}

/* Esc and ^C empty the field of a text first, and leave it then; ^Q leaves it at once. */
static void test_screen_heads__a_text_is_cleared_first(void **state)
{
    (void)state;
    static const char *const keys[] = {ESCAPE, "\x03"};
    start_home();
    screen_type(&screen, ":model\r");
    screen_wait(&screen, "text: the cat sat on the mat because it was tired");
    for (size_t i = 0; i < 2; i++) {
        screen_type(&screen, "t");
        screen_wait(&screen, "Enter reads it");
        screen_type(&screen, "the dog");
        screen_wait(&screen, "text: the dog");
        screen_type(&screen, keys[i]);
        screen_wait(&screen, "cleared; Esc leaves the field");
        screen_wait(&screen, "words that the model is to read");
        screen_type(&screen, keys[i]);
        screen_wait(&screen, "text: the cat sat on the mat because it was tired");
        wait_keys("q leave");
    }
    screen_type(&screen, "t");
    screen_wait(&screen, "Enter reads it");
    screen_type(&screen, "the dog");
    screen_wait(&screen, "text: the dog");
    screen_type(&screen, "\x11"); /* ^Q */
    screen_wait(&screen, "text: the cat sat on the mat because it was tired");
    wait_keys("q leave");
}

/* The shipped model lists its words by kind, and tells stories. */
static void test_screen_heads__known_words_and_stories(void **state)
{
    (void)state;
    start_home();
    screen_type(&screen, ":model\r");
    screen_wait(&screen, "text: the cat sat on the mat because it was tired");
    screen_type(&screen, "W");
    screen_wait(&screen, "animal: cat dog");
    screen_type(&screen, "\x1b[6~");
    screen_wait(&screen, "others: and were");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "others: ");
    screen_type(&screen, "t");
    screen_wait(&screen, "Enter reads it");
    screen_type(&screen, "Tom gave Mary a cake. ");
    screen_wait(&screen, "unknown words: 2 (underlined)");
    screen_type(&screen, CTRL_U "the ca\t");
    screen_wait(&screen, "carter cat cawed cart candle candles");
    screen_type(&screen, "we\t");
    screen_wait(&screen, "text: the cawed");
    screen_type(&screen, CTRL_U "the \t");
    screen_wait(&screen, "person: anna");
    screen_type(&screen, "cat\r");
    screen_wait(&screen, "3 tokens"); /* the token that begins every text once */
    screen_type(&screen, "a");
    screen_wait_gone(&screen, "text: the cat ");
    screen_wait_gone(&screen, " 3 tokens");
}

/* Any token, in its place; the bars tell what moved, until the old text is back. */
static void test_screen_heads__a_token_is_edited_in_place(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_wait(&screen, "6 tokens");
    screen_wait(&screen, "? help");
    char *before = screen_text(&screen);
    screen_type(&screen, "e");
    screen_wait(&screen, "token 0 the");
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_DOWN);
    press(VTERM_KEY_UP);
    screen_wait(&screen, "token 1 cat");
    screen_wait(&screen, "the cat sat on the mat");
    screen_type(&screen, "dog\r");
    screen_wait(&screen, "\"dog\" is not among the 8 words");
    screen_type(&screen, CTRL_U "tired\r");
    screen_wait_gone(&screen, "token 1");
    screen_wait(&screen, "* moved");
    screen_wait(&screen, "6 tokens");
    screen_type(&screen, "e");
    screen_wait(&screen, "token 1");
    screen_wait(&screen, "the tired sat on the mat");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "token 1");
    screen_type(&screen, "u");
    screen_wait_gone(&screen, "* moved");
    screen_wait_all(&screen, before);
    free(before);
}

/* The bars of the next word: the ends of the rows that have them. */
static void read_bars(char bars[12][96])
{
    int row = screen_find_row(&screen, 0, "the next token");
    assert_true(row > 0);
    for (int i = 0; i < 12; i++)
        screen_part(&screen, row + 1 + i, 54, 67, bars[i]);
}

/* The texts differ in one token. What goes into the first layer at its place is all that the first
 * text has of its own: with it the second text has the first one's next word. */
static void test_screen_heads__two_texts_are_compared_and_patched(void **state)
{
    static char a[12][96], b[12][96], patched[12][96];
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_type(&screen, "p");
    screen_wait(&screen, "c compares with a second");
    enter();
    screen_wait(&screen, "[L0.weights]");
    screen_wait(&screen, "the next token");
    read_bars(a);
    screen_type(&screen, "c");
    screen_wait(&screen, "A:    the cat sat on the mat");
    screen_type(&screen, "the tired sat on the mat\r");
    screen_wait(&screen, "cat|tired");
    screen_wait(&screen, "A:    the cat sat on the mat"); /* both stay in sight */
    screen_wait(&screen, "B:    the tired sat on the mat");
    screen_wait(&screen, "6 pairs");
    screen_wait(&screen, "B - A");
    read_bars(b);
    assert_memory_not_equal(a, b, sizeof a);
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "\"cat|tired\" at 1 to \"the\" at 0: A 0.");
    screen_type(&screen, "p");
    screen_wait(&screen, "into L0 at 1 from A");
    read_bars(patched);
    for (int i = 0; i < 8; i++)
        assert_string_equal(a[i], patched[i]);
    enter();
    screen_wait(&screen, "[L0.weights]");
    screen_press(&screen, VTERM_KEY_BACKSPACE, VTERM_MOD_NONE);
    screen_wait(&screen, "B - A");
    screen_press(&screen, VTERM_KEY_BACKSPACE, VTERM_MOD_NONE);
    screen_type(&screen, "up");
    screen_wait(&screen, "cut: L0H0 from A");
    screen_type(&screen, "u");
    screen_wait(&screen, "by change");
    screen_type(&screen, "c");
    screen_wait_gone(&screen, "pairs");
}

/* Of a long text a cell is a mean; Enter comes back to the numbers. */
static void test_screen_heads__a_long_text_is_zoomed(void **state)
{
    enum { TIMES = 10 };
    (void)state;
    make_model(1, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_type(&screen, "t");
    for (int i = 0; i < TIMES; i++)
        screen_type(&screen, "the cat sat on the mat ");
    enter();
    screen_wait(&screen, "60 tokens");
    enter();
    screen_wait(&screen, "[L0.weights]");
    screen_type(&screen, "-");
    screen_wait(&screen, "a cell: the mean of 2 x 1 numbers");
    screen_type(&screen, "-");
    screen_wait(&screen, "a cell: the mean of 4 x 2 numbers");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "\"sat\" at 2 to \"the\" at 0: 0.");
    enter();
    screen_wait(&screen, "L0.weights[0, \"sat@2\", \"the@0\"] = 0.");
}

/* Of many heads those fit that are around the cursor; on a larger screen all do. */
static void test_screen_heads__the_grid_scrolls(void **state)
{
    (void)state;
    make_model(12, 12);
    start_view(24, 80, NULL);
    screen_wait(&screen, "heads 0 to 7 of 12");
    press(VTERM_KEY_LEFT); /* there is nothing more */
    for (int i = 0; i < 11; i++) {
        press(VTERM_KEY_RIGHT);
        press(VTERM_KEY_DOWN);
    }
    screen_wait(&screen, "layer 11, head 11");
    screen_wait(&screen, "heads 4 to 11 of 12");
    screen_resize(&screen, 60, 200);
    screen_wait(&screen, "H11");
    screen_wait(&screen, "L0 ");
    screen_wait(&screen, "L11");
    screen_wait(&screen, "the next token");
    screen_wait_gone(&screen, "the arrows go on");
}

static void test_screen_heads__x_saves_what_is_seen(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(24, 80, NULL);
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-heads.svg");
    enter();
    screen_wait(&screen, "saved as");
    screen_type(&screen, "x" CTRL_U "heads.gif\r");
    screen_wait(&screen, "the name ends in .svg, .png or .txt");
    screen_type(&screen, ESCAPE);
}

/* Without the program that draws it, a PNG is refused with the way out, and the field stays. */
static void test_screen_heads__a_png_needs_a_program(void **state)
{
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("PATH=/nowhere"));
    screen_type(&screen, "x" CTRL_U "heads.png\r");
    screen_wait(&screen, "rsvg-convert, which draws it");
    screen_type(&screen, CTRL_U "heads.txt\r");
    screen_wait(&screen, "saved as");
}

/* The place of the head under the cursor among all, and its score. */
static void read_place(const char *name, unsigned *ret_place, double *ret_score)
{
    char format[64];
    const char *at = strstr(screen_row(&screen, 2), name);
    snprintf(format, sizeof format, "%s %%lf, place %%u of", name);
    assert_non_null(at);
    assert_int_equal(sscanf(at, format, ret_score, ret_place), 2);
}

/* In a text of two tokens the second of the two rows is all that previous, current and first see:
 * the first two add up to 1, and the first is the third but for the first row. */
static void test_screen_heads__heads_are_ranked_and_sorted(void **state)
{
    double previous, current, first, before = 1;
    unsigned place;
    (void)state;
    make_model(2, 2);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_type(&screen, "tthe cat\r");
    screen_wait(&screen, "2 tokens");
    screen_type(&screen, "b");
    screen_wait(&screen, "by previous: weight on the token before");
    read_place("previous", &place, &previous);
    screen_type(&screen, "b");
    screen_wait(&screen, "by current");
    read_place("current", &place, &current);
    screen_type(&screen, "b");
    screen_wait(&screen, "by first");
    read_place("first", &place, &first);
    assert_true(previous > 0 && previous < 1);
    assert_true(fabs(2 * current - 1 - (1 - previous)) < 3e-4);
    assert_true(fabs(first - (1 + previous) / 2) < 3e-4);
    screen_type(&screen, "o");
    screen_wait(&screen, "place 1 of 4");
    for (unsigned i = 1; i <= 4; i++) {
        double score;
        char at[32];
        snprintf(at, sizeof at, "place %u of 4", i);
        screen_wait(&screen, at);
        read_place("first", &place, &score);
        assert_true(score <= before);
        before = score;
        press(VTERM_KEY_RIGHT);
    }
    screen_type(&screen, "BBB");
    screen_wait_gone(&screen, "by first");
    screen_wait(&screen, "L1 ");
}

/* The first bar: the likeliest token's probability. */
static double read_first_bar(const char *token)
{
    double probability;
    int row = screen_find_row(&screen, 3, token);
    assert_true(row >= 0);
    const char *at = strstr(screen_row(&screen, row), token);
    assert_int_equal(sscanf(at + strlen(token), "%lf", &probability), 1);
    return probability;
}

/* Ablation is the probability with the head cut minus that without, as the bars have both. */
static void test_screen_heads__heads_are_ranked_by_ablation(void **state)
{
    char token[64];
    double effect, before;
    unsigned place;
    (void)state;
    make_model(2, 2);
    start_view(45, 160, ATTN("NO_COLOR=1"));
    screen_type(&screen, "B");
    screen_wait(&screen, "by ablation: what cutting does to the probability of \"");
    screen_wait_gone(&screen, "/4 ");
    const char *from = strstr(screen_row(&screen, 43), "of \"");
    assert_non_null(from);
    assert_int_equal(sscanf(from, "of \"%63[^\"]", token), 1);
    strcat(token, "  ");
    read_place("ablation", &place, &effect);
    before = read_first_bar(token);
    screen_type(&screen, "b0");
    screen_wait(&screen, "* moved");
    assert_true(fabs(read_first_bar(token) - before - effect) < 2e-4);
}

/* So many heads on a text of 60 tokens. */
static void view_many(unsigned layers, unsigned heads)
{
    enum { TIMES = 10 };
    make_model(layers, heads);
    start_view(24, 80, ATTN("NO_COLOR=1"));
    screen_type(&screen, "t");
    for (int i = 0; i < TIMES; i++)
        screen_type(&screen, "the cat sat on the mat ");
    enter();
    screen_wait(&screen, "60 tokens");
}

/* It takes a while, says how far it is, and stops. */
static void test_screen_heads__ablation_can_be_stopped(void **state)
{
    (void)state;
    view_many(12, 12);
    screen_type(&screen, "B" ESCAPE);
    screen_wait(&screen, "/144 stopped");
    screen_type(&screen, "bB");
    screen_wait_gone(&screen, "stopped");
    screen_wait(&screen, "Esc stops");
}

/* Where there is much to look through, patterns are looked for layer by layer: in the end each head
 * has its score. */
static void test_screen_heads__patterns_of_many_heads_are_all_found(void **state)
{
    unsigned place;
    double score;
    (void)state;
    view_many(24, 25);
    screen_type(&screen, "b");
    screen_wait(&screen, "by previous: weight on the token before; 0 tells if it matters");
    read_place("previous", &place, &score);
    assert_true(score > 0 && score < 1);
    screen_type(&screen, "o");
    screen_wait(&screen, "place 1 of 600");
    screen_type(&screen, "o");
    for (int i = 0; i < 23; i++)
        press(VTERM_KEY_DOWN);
    screen_wait(&screen, "layer 23, head ");
    read_place("previous", &place, &score);
    assert_true(score > 0 && score < 1);
}

/* The word of the screen that opens the page, and a variable and a function of its name. */
static void test_screen_heads__the_palette_opens_the_model(void **state)
{
    (void)state;
    start_home();
    screen_type(&screen, ":model\r");
    screen_wait(&screen, "11 tokens");
    screen_wait(&screen, "layer 0, head 0: weights");
    press(VTERM_KEY_RIGHT);
    screen_wait(&screen, "layer 0, head 1: weights");
    screen_type(&screen, "q" CTRL_P);
    say("model the cat sat");
    screen_wait(&screen, "4 tokens"); /* one begins every text */
    screen_wait(&screen, "layer 0, head 1: weights");
    screen_type(&screen, "q" CTRL_P);
    say("model");
    screen_wait(&screen, "4 tokens");
    screen_type(&screen, "q" CTRL_P);
    say("model = 1234");
    say("model");
    screen_wait(&screen, "1234");
    say("help model");
    screen_wait(&screen, "model, model TEXT");
    screen_wait(&screen, "model(path=None)");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_teardown(name, close_screen)
    const struct CMUnitTest tests[] = {
        TEST(test_screen_heads__arrows_walk_and_enter_opens_one),
        TEST(test_screen_heads__one_head_is_looked_at_in_several_ways),
        TEST(test_screen_heads__lines_of_several_heads),
        TEST(test_screen_heads__cutting_moves_the_next_word),
        TEST(test_screen_heads__a_text_grows_by_a_word),
        TEST(test_screen_heads__the_next_word_is_drawn),
        TEST(test_screen_heads__a_chart_without_room_is_said),
        TEST(test_screen_heads__a_text_is_cleared_first),
        TEST(test_screen_heads__known_words_and_stories),
        TEST(test_screen_heads__the_model_has_a_chart),
        TEST(test_screen_heads__a_token_is_edited_in_place),
        TEST(test_screen_heads__two_texts_are_compared_and_patched),
        TEST(test_screen_heads__a_long_text_is_zoomed),
        TEST(test_screen_heads__the_grid_scrolls),
        TEST(test_screen_heads__heads_are_ranked_and_sorted),
        TEST(test_screen_heads__heads_are_ranked_by_ablation),
        TEST(test_screen_heads__ablation_can_be_stopped),
        TEST(test_screen_heads__patterns_of_many_heads_are_all_found),
        TEST(test_screen_heads__the_palette_opens_the_model),
        TEST(test_screen_heads__x_saves_what_is_seen),
        TEST(test_screen_heads__a_png_needs_a_program),
    };
    return RUN_TESTS("screen_heads", tests);
}
