/* What is taken along: numbers and tables for the clipboard, pictures for files. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The weights of "Hello shiny sun!" without a mask, the cursor on [shiny, Hello]. */
static void open_weights(void)
{
    start_home();
    go_to_explorer();
    go_to_stage("weights");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "weights[\"shiny\", \"Hello\"]");
}

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* What was copied last, as text; read without the program's own base64. */
static const char *copied_text(void)
{
    static char text[8192];
    size_t size = 0;
    unsigned bits = 0, n_bits = 0;
    assert_memory_equal(screen.copied, "52;c;", 5);
    for (const char *at = screen.copied + 5; *at != '\0' && *at != '='; at++) {
        assert_true(digit_of(*at) >= 0);
        bits = bits << 6 | (unsigned)digit_of(*at);
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            text[size++] = (char)(bits >> n_bits & 0xFF);
        }
    }
    text[size] = '\0';
    return text;
}

static void test_screen_take__a_number_with_all_its_digits(void **state)
{
    (void)state;
    open_weights();
    screen_type(&screen, "y");
    screen_wait(&screen, "copied");
    /* The first session of the README has 0.2703. */
    const char *text = copied_text();
    float number = strtof(text, NULL);
    assert_true(number > 0.27025F && number < 0.27035F);
    assert_in_range(strlen(text), 9, 12);
    assert_true(screen_find_row(&screen, 0, text) >= 0); /* the message names it */
    press(VTERM_KEY_DOWN);
    screen_wait_gone(&screen, "copied");
}

static void test_screen_take__a_matrix_with_its_names(void **state)
{
    (void)state;
    open_weights();
    screen_type(&screen, "m");
    screen_wait(&screen, "masked");
    screen_type(&screen, "[");
    screen_wait(&screen, "[masked]");
    screen_type(&screen, "Y");
    screen_wait(&screen, "3x3 copied as TSV");
    const char *text = copied_text();
    assert_memory_equal(text, "\tHello\tshiny\tsun\nHello\t0.2630", 29);
    assert_non_null(strstr(text, "\t-inf\t-inf\nshiny\t0.4527"));
    assert_int_equal(text[strlen(text) - 1], '\n');
}

static void test_screen_take__the_text_of_a_pane_without_a_table(void **state)
{
    (void)state;
    start_home();
    go_to_exercise();
    screen_type(&screen, "y");
    screen_wait(&screen, "none is here");
    screen_type(&screen, "Y");
    screen_wait(&screen, "copied as text");
    assert_non_null(strstr(copied_text(), "Exercise 1"));
}

/* The file of this name in the home where attn runs. The caller frees it. */
static char *read_saved(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", screen.home, name);
    FILE *file = fopen(path, "r");
    char *bytes = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(bytes);
    assert_in_range(fread(bytes, 1, (1 << 20) - 1, file), 1, (1 << 20) - 2);
    fclose(file);
    return bytes;
}

static void count_file(const char *name, bool wanted)
{
    char path[128];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", screen.home, name);
    assert_int_equal(stat(path, &info) == 0, wanted);
}

static void test_screen_take__a_picture_as_svg(void **state)
{
    (void)state;
    open_weights();
    screen_type(&screen, "v");
    screen_wait(&screen, "its highest");
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-weights.svg");
    enter();
    screen_wait(&screen, "saved as /");
    char *svg = read_saved("attn-weights.svg");
    assert_memory_equal(svg, "<svg ", 5);
    assert_non_null(strstr(svg, "0.2703"));
    assert_non_null(strstr(svg, "<rect x=")); /* the tints */
    assert_non_null(strstr(svg, "its highest"));
    assert_string_equal(svg + strlen(svg) - 7, "</svg>\n");
    free(svg);
    screen_type(&screen, "x"); /* that name is taken now */
    screen_wait(&screen, "save as: attn-weights-2.svg");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "save as");
    count_file("attn-weights-2.svg", false);
    screen_wait(&screen, "[weights]"); /* Escape closed the name alone */
}

/* The picture has the colours of the screen's theme. */
static void test_screen_take__a_picture_in_the_light_theme(void **state)
{
    (void)state;
    open_weights();
    say_from_pane("theme light");
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-weights.svg");
    enter();
    screen_wait(&screen, "saved as /");
    char *svg = read_saved("attn-weights.svg");
    assert_non_null(strstr(svg, "fill=\"#fbfbf8\"")); /* the card */
    assert_non_null(strstr(svg, "fill=\"#0b6271\"")); /* the words */
    free(svg);
}

static void test_screen_take__no_file_is_replaced_unasked(void **state)
{
    (void)state;
    open_weights();
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-weights.svg");
    screen_type(&screen, CTRL_U "a.txt\r");
    screen_wait(&screen, "saved as /");
    char *before = read_saved("a.txt");
    assert_non_null(strstr(before, "0.2703"));
    assert_null(strstr(before, "<svg"));
    screen_type(&screen, "]x");
    screen_wait(&screen, "save as: attn-context.svg");
    screen_type(&screen, CTRL_U "a.txt\r");
    screen_wait(&screen, "a.txt is there already. Replace it?");
    screen_type(&screen, "nb"); /* n is an answer, and no part of the name */
    screen_wait(&screen, "save as: a.txtb");
    screen_type(&screen, "\x7f\r");
    screen_wait(&screen, "Replace it?");
    char *still = read_saved("a.txt");
    assert_string_equal(still, before);
    screen_type(&screen, "y");
    screen_wait(&screen, "saved as /");
    char *after = read_saved("a.txt");
    assert_null(strstr(after, "0.2703"));
    assert_non_null(strstr(after, "0.39")); /* context["shiny", 0] */
    free(before);
    free(still);
    free(after);
}

/* Nothing but what is drawn: no empty rows, no cursor, no keys. */
static void test_screen_take__a_picture_is_cropped(void **state)
{
    (void)state;
    start(&(struct screen_options){
        .rows = 50, .cols = 160, .arguments = ATTN("--ascii", "lesson", "2#11")});
    screen_wait(&screen, "(the picture is on the right)");
    press(VTERM_KEY_FUNCTION(6));
    screen_wait(&screen, "> Picture");
    press(VTERM_KEY_DOWN);
    screen_wait(&screen, "Y[\"cat\", 0] = 0.92");
    assert_shows(" 0.9200 @@@@@]");
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-picture.svg");
    screen_type(&screen, CTRL_U "a.txt\r");
    screen_wait(&screen, "saved as /");
    char *saved = read_saved("a.txt");
    assert_memory_equal(saved, "Y  6x3\n", 7);
    assert_null(strstr(saved, "@@]"));
    assert_null(strstr(saved, "[@"));
    assert_null(strstr(saved, "Enter"));
    assert_string_equal(strstr(saved, " highest\n"), " highest\n"); /* no empty rows below */
    free(saved);
}

/* The explorer's keys, its views and its cursor are no part of a picture. */
static void test_screen_take__the_explorer_without_its_keys(void **state)
{
    (void)state;
    open_weights();
    screen_wait(&screen, "Enter: why");
    screen_type(&screen, "vx");
    screen_wait(&screen, "save as: attn-weights.svg");
    screen_type(&screen, CTRL_U "a.txt\r");
    screen_wait(&screen, "saved as /");
    char *saved = read_saved("a.txt");
    assert_non_null(strstr(saved, "0.2703"));
    assert_null(strstr(saved, "Enter"));
    assert_null(strstr(saved, "NUMBERS"));
    assert_null(strstr(saved, "HEAT"));
    assert_null(strstr(saved, "[0."));
    assert_null(strstr(saved, "\n\n\n"));
    free(saved);
}

static void test_screen_take__what_cannot_be_saved_is_told(void **state)
{
    (void)state;
    open_weights();
    screen_type(&screen, "x");
    screen_wait(&screen, "save as: attn-weights.svg");
    screen_type(&screen, CTRL_U "a.gif\r");
    screen_wait(&screen, "ends in .svg");
    screen_type(&screen, CTRL_U "no/a.svg\r");
    screen_wait(&screen, "can't be written");
    screen_type(&screen, CTRL_C CTRL_C);
    screen_wait_gone(&screen, "save as");
    count_file("a.png", false);
    screen_wait(&screen, "[weights]");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_take__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest all[] = {
        TEST(a_number_with_all_its_digits),       TEST(a_matrix_with_its_names),
        TEST(the_text_of_a_pane_without_a_table), TEST(a_picture_as_svg),
        TEST(a_picture_in_the_light_theme),       TEST(a_picture_is_cropped),
        TEST(the_explorer_without_its_keys),      TEST(no_file_is_replaced_unasked),
        TEST(what_cannot_be_saved_is_told),
    };
    return RUN_TESTS("screen_take", all);
}
