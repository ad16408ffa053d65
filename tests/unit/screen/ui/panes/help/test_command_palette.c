/* ui/panes/help/command_palette.h: all that can be done, narrowed down by letters. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "ui/panes/help/command_palette.h"

#define WIDE "\xE6\xB3\xA8" /* U+6CE8, two columns */

static const struct binding explorer_like[] = {
    {'+', REQ_HOTTER, "hotter", "Raises the temperature: the weights become more even."},
    {'=', REQ_HOTTER, NULL, NULL},
    {'1', REQ_HEAD, "head", "Shows that head."},
    {KEYCODE_UP, REQ_UP, NULL, "Moves the cursor."},
    {KEYCODE_DOWN, REQ_DOWN, NULL, NULL}, /* has no name: it is no action */
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct binding everywhere[] = {
    {'q', REQ_QUIT, "quit", "leaves attn"},
    {':', REQ_COMMAND_PALETTE, "do", "opens the palette"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct pane_ops explorer = {.title = "Explorer", .bindings = explorer_like};
static const struct pane_ops all_panes = {
    .title = "Everywhere", .bindings = everywhere, .is_everywhere = true};
static const struct pane_ops *const panes[] = {&explorer, &all_panes};
static const char *const settings[] = {"theme dark", "theme light", "palette viridis"};

static struct command_palette_sources sources(void)
{
    return (struct command_palette_sources){
        .panes = panes, .n_panes = 2, .settings = settings, .n_settings = 3};
}

static struct command_palette loaded(int rows, int cols)
{
    struct command_palette palette = {0};
    struct command_palette_sources from = sources();
    struct error error;
    assert_true(command_palette_load(&palette, &from, &error));
    command_palette_resize(&palette, rows, cols);
    return palette;
}

static void type(struct command_palette *palette, const char *keys)
{
    for (; *keys != '\0'; keys++)
        assert_true(command_palette_key(palette, *keys));
}

static const struct command_palette_item *found(const struct command_palette *palette, size_t i)
{
    assert_true(i < palette->n_found);
    return &palette->items[palette->found[i]];
}

static struct pane_request take(struct command_palette *palette)
{
    struct pane_request request = {.kind = PANE_WANTS_NOTHING};
    assert_true(command_palette_request(palette, REQ_OPEN, 0));
    assert_true(command_palette_take_request(palette, &request));
    assert_false(command_palette_take_request(palette, &request));
    return request;
}

static struct text drawn(const struct command_palette *palette, bool ascii)
{
    struct canvas canvas = {0};
    struct text text = {0};
    assert_true(canvas_resize(&canvas, palette->rows, palette->cols));
    command_palette_draw(palette, canvas_area(&canvas), true, ascii);
    for (int row = 0; row < canvas.rows; row++) {
        for (int col = 0; col < canvas.cols; col++)
            text_put(&text, canvas.cells[row * canvas.cols + col].bytes);
        text_char(&text, '\n');
    }
    canvas_release(&canvas);
    return text;
}

static void assert_drawn(const struct command_palette *palette, const char *part)
{
    struct text text = drawn(palette, true);
    if (strstr(text_string(&text), part) == NULL)
        fail_msg("no '%s' in\n%s", part, text_string(&text));
    text_release(&text);
}

static void test_command_palette__letters_stand_in_order(void **state)
{
    (void)state;
    assert_int_equal(command_palette_score("", "anything", NULL), 0);
    assert_int_equal(command_palette_score("  ", "anything", NULL), 0);
    assert_true(command_palette_score("xh", "Explorer: hotter", NULL) >= 0);
    assert_true(command_palette_score("EXPL hot", "explorer: Hotter", NULL) > 0);
    assert_int_equal(command_palette_score("toh", "hotter", NULL), -1);
    assert_int_equal(command_palette_score("ttt", "hotter", NULL), -1);
    assert_int_equal(command_palette_score("a", "", NULL), -1);
    assert_true(command_palette_score(WIDE, "a " WIDE, NULL) > 0);
    assert_true(command_palette_score("\xC3\xA9", "\xC3\x89t\xC3\xA9", NULL) >
                0); /* a capital E acute */
}

static void test_command_palette__runs_and_starts_of_words_count_more(void **state)
{
    (void)state;
    static const struct {
        const char *letters, *better, *worse;
    } cases[] = {
        {"td", "theme dark", "hatred"},
        {"hot", "Explorer: hotter", "show to"},
        {"next", "next", "Lesson: next"},
        {"pv", "palette viridis", "palette: improve"},
        {"hot", "Explorer: hotter", "Home: goes up the list"},
        {"le", "x lesson", "x abcle"},
        {"ab", "xaab", "xaxb"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int better = command_palette_score(cases[i].letters, cases[i].better, NULL);
        int worse = command_palette_score(cases[i].letters, cases[i].worse, NULL);
        if (better <= worse)
            fail_msg("%s: %d for %s, %d for %s", cases[i].letters, better, cases[i].better, worse,
                     cases[i].worse);
    }
}

static void test_command_palette__says_which_letters_fit(void **state)
{
    (void)state;
    bool hits[COMMAND_PALETTE_TITLE_CHARS];
    assert_true(command_palette_score("dk", "dad dark", hits) > 0);
    for (size_t i = 0; i < COMMAND_PALETTE_TITLE_CHARS; i++)
        assert_int_equal(hits[i], i == 4 || i == 7);
    assert_int_equal(command_palette_score("zz", "zebra", hits), -1);
    for (size_t i = 0; i < COMMAND_PALETTE_TITLE_CHARS; i++)
        assert_false(hits[i]);
}

enum { NO_WAY = -1000 };

/* The best of all ways to place the letters, tried one by one: what the table must find too. last
 * is where the letter before stands, or -1. */
static int best_way(const char *letters, const char *title, int last)
{
    int best = NO_WAY;
    if (*letters == '\0')
        return 0;
    for (int j = last + 1; title[j] != '\0'; j++) {
        int rest = title[j] == *letters ? best_way(letters + 1, title, j) : NO_WAY;
        bool begins = j == 0 || title[j - 1] == ' ';
        int points = 4 + (begins ? 8 : 0) + (j == 0 ? 2 : 0);
        if (last >= 0)
            points += j == last + 1 ? 8 : -3 - (j - last - 2);
        if (rest > NO_WAY && rest + points > best)
            best = rest + points;
    }
    return best;
}

static void test_command_palette__the_score_is_that_of_the_best_way(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 3000; trial++) {
        char letters[6] = "", title[13] = "";
        bool hits[COMMAND_PALETTE_TITLE_CHARS];
        size_t n_letters = testing_between(&seed, 1, 5), n_title = testing_between(&seed, 0, 12);
        for (size_t i = 0; i < n_letters; i++)
            letters[i] = "ab"[testing_between(&seed, 0, 1)];
        for (size_t i = 0; i < n_title; i++)
            title[i] = "ab "[testing_between(&seed, 0, 2)];
        int score = command_palette_score(letters, title, hits);
        int best = best_way(letters, title, -1);
        assert_int_equal(score, best == NO_WAY ? -1 : best > 0 ? best : 0);
        size_t n_hits = 0;
        for (size_t i = 0; i < COMMAND_PALETTE_TITLE_CHARS; i++)
            n_hits += hits[i];
        assert_int_equal(n_hits, score < 0 ? 0 : n_letters);
    }
}

static void test_command_palette__lists_every_request_with_a_name_once(void **state)
{
    (void)state;
    struct command_palette palette = loaded(20, 72);
    size_t n_requests = 0;
    for (size_t i = 0; i < palette.n; i++)
        n_requests += palette.items[i].kind == PANE_PRESS_KEY;
    assert_int_equal(n_requests, 4); /* hotter, head, up, quit */
    assert_int_equal(palette.n_found, palette.n);
    assert_string_equal(found(&palette, 0)->title, "Explorer: hotter");
    command_palette_release(&palette);
}

static void test_command_palette__enter_gives_back_what_was_chosen(void **state)
{
    (void)state;
    struct command_palette palette = loaded(20, 72);
    type(&palette, "exhead");
    struct pane_request request = take(&palette);
    assert_int_equal(request.kind, PANE_PRESS_KEY);
    assert_true(request.ops == &explorer);
    assert_int_equal(request.key, '1');
    pane_request_release(&request);

    command_palette_open(&palette);
    type(&palette, "thlig");
    request = take(&palette);
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), "theme light");
    pane_request_release(&request);

    command_palette_open(&palette);
    type(&palette, "hint");
    request = take(&palette);
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), "hint");
    pane_request_release(&request);

    command_palette_open(&palette);
    type(&palette, "answer");
    request = take(&palette);
    assert_int_equal(request.kind, PANE_TO_PROMPT);
    assert_string_equal(text_string(&request.text), "answer ");
    pane_request_release(&request);

    command_palette_open(&palette);
    type(&palette, "zzzz");
    assert_int_equal(palette.n_found, 0);
    assert_true(command_palette_request(&palette, REQ_OPEN, 0));
    assert_false(command_palette_take_request(&palette, &request));
    assert_drawn(&palette, "Nothing has this name");
    command_palette_release(&palette);
}

static void test_command_palette__what_only_the_help_says_comes_last(void **state)
{
    (void)state;
    struct command_palette palette = loaded(20, 72);
    type(&palette, "EVEN weights");
    assert_int_equal(palette.n_found, 1);
    assert_string_equal(found(&palette, 0)->title, "Explorer: hotter");
    command_palette_open(&palette);
    type(&palette, "head");
    assert_true(found(&palette, 0)->score > 0);
    command_palette_open(&palette);
    type(&palette, "zz"); /* too short for the helps */
    assert_int_equal(palette.n_found, 0);
    command_palette_release(&palette);
}

static void test_command_palette__knows_words_that_mean_the_same(void **state)
{
    (void)state;
    static const char *const asked[] = {"colours", "colour", "sharper", "hot cold"};
    static const char *const titles[] = {"theme", "theme", "Explorer: hotter", "Explorer: hotter"};
    struct command_palette palette = {0};
    struct command_palette_sources from = sources();
    struct error error;
    from.data_dir = testing_data_dir();
    assert_true(command_palette_load(&palette, &from, &error));
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        bool has = false;
        command_palette_open(&palette);
        type(&palette, asked[i]);
        for (size_t at = 0; at < palette.n_found; at++)
            has = has || strncmp(found(&palette, at)->title, titles[i], strlen(titles[i])) == 0;
        if (!has)
            fail_msg("%s does not find %s", asked[i], titles[i]);
    }
    command_palette_release(&palette);
}

static void test_command_palette__opens_lessons(void **state)
{
    (void)state;
    struct command_palette palette = {0};
    struct command_palette_sources from = sources();
    struct course course;
    struct error error;
    assert_true(course_open(testing_data_dir(), &course, &error));
    from.course = &course;
    assert_true(command_palette_load(&palette, &from, &error));
    course_release(&course);
    command_palette_resize(&palette, 20, 72);
    type(&palette, "lessoftmax");
    struct pane_request request = take(&palette);
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), "lesson softmax");
    pane_request_release(&request);
    command_palette_release(&palette);
}

static void test_command_palette__what_is_chosen_is_in_sight(void **state)
{
    (void)state;
    struct command_palette palette = loaded(14, 60);
    size_t rows = 14 - 2 - 2 - 3;
    for (size_t i = 0; i < 2 * palette.n; i++) {
        assert_true(command_palette_request(&palette, REQ_DOWN, 0));
        assert_in_range(palette.chosen, palette.scroll, palette.scroll + rows - 1);
    }
    assert_int_equal(palette.chosen, palette.n - 1);
    assert_int_equal(palette.scroll, palette.n - rows);
    assert_true(command_palette_request(&palette, REQ_PAGE_UP, 0));
    assert_int_equal(palette.chosen, palette.n - 1 - rows);
    command_palette_wheel(&palette, -1000);
    assert_true(palette.chosen == 0 && palette.scroll == 0);
    command_palette_wheel(&palette, 1000);
    command_palette_resize(&palette, 200, 72);
    assert_int_equal(palette.scroll, 0);
    command_palette_resize(&palette, 14, 60);
    assert_in_range(palette.chosen, palette.scroll, palette.scroll + rows - 1);
    assert_false(command_palette_request(&palette, REQ_CLOSE, 0));
    type(&palette, "t");
    assert_true(palette.chosen == 0 && palette.scroll == 0);
    command_palette_release(&palette);
}

static void test_command_palette__a_click_chooses(void **state)
{
    (void)state;
    struct command_palette palette = loaded(20, 72);
    struct area area = {.rows = 20, .cols = 72};
    assert_true(command_palette_click(&palette, area, 5, 9, false));
    assert_int_equal(palette.chosen, 2);
    assert_false(command_palette_click(&palette, area, 1, 9, false));
    assert_false(command_palette_click(&palette, area, 18, 9, false));
    assert_int_equal(palette.chosen, 2);
    command_palette_release(&palette);
}

static void test_command_palette__shows_titles_keys_and_help(void **state)
{
    (void)state;
    struct command_palette palette = loaded(20, 72);
    assert_drawn(&palette, "> Explorer: hotter");
    assert_drawn(&palette, " + |");
    assert_drawn(&palette, "| Raises the temperature: the weights become more even.");
    type(&palette, "lesson");
    assert_drawn(&palette, "close leaves it."); /* the longest help is whole */
    command_palette_release(&palette);
}

static void test_command_palette__draws_in_ascii_and_in_any_size(void **state)
{
    (void)state;
    for (int rows = 1; rows < 40; rows += 2)
        for (int cols = 1; cols < 120; cols += 7) {
            struct command_palette palette = loaded(rows, cols);
            type(&palette, "t");
            struct text text = drawn(&palette, true);
            for (size_t i = 0; i < text.size; i++)
                assert_true((unsigned char)text.bytes[i] < 128);
            text_release(&text);
            command_palette_release(&palette);
        }
}

static void test_command_palette__says_when_memory_runs_out(void **state)
{
    (void)state;
    struct command_palette palette = {0};
    struct command_palette_sources from = sources();
    struct error error;
    assert_reports_failed_allocations(command_palette_load(&palette, &from, &error), error);
    size_t n = palette.n;
    testing_fail_allocation(1);
    assert_false(command_palette_load(&palette, &from, &error));
    testing_fail_allocation(0);
    assert_int_equal(palette.n, n);
    command_palette_release(&palette);
}

/* What people want to do is found in their words, as by F1, and opens its page of help. */
static void test_command_palette__answers_in_plain_words(void **state)
{
    (void)state;
    static const struct {
        const char *asks, *first;
    } cases[] = {{"start a lesson over", "starting over"},
                 {"which questions did I get wrong", "my mistakes"},
                 {"how do I get out of here", "quitting"},
                 {"load my own GPT-2", "own model"}};
    struct command_palette palette = {.rows = 20, .cols = 76};
    struct command_palette_sources from = sources();
    struct error error;
    from.data_dir = testing_data_dir();
    assert_true(command_palette_load(&palette, &from, &error));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        command_palette_open(&palette);
        type(&palette, cases[i].asks);
        assert_string_equal(found(&palette, 0)->title, cases[i].first);
        struct pane_request request = take(&palette);
        assert_int_equal(request.kind, PANE_OPEN_HELP);
        assert_string_equal(text_string(&request.text), cases[i].first);
        pane_request_release(&request);
    }
    command_palette_release(&palette);
}

/* A word that takes something away is found by its name, and by nothing that it is said to do. */
static void test_command_palette__what_loses_something_is_found_by_its_name_alone(void **state)
{
    (void)state;
    static const char *const asked[] = {"forgets", "restarts the random numbers",
                                        "goes on without"};
    struct command_palette palette = {.rows = 20, .cols = 76};
    struct command_palette_sources from = sources();
    struct error error;
    from.data_dir = testing_data_dir();
    assert_true(command_palette_load(&palette, &from, &error));
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        command_palette_open(&palette);
        type(&palette, asked[i]);
        for (size_t at = 0; at < palette.n_found; at++)
            assert_false(found(&palette, at)->is_exact);
    }
    command_palette_open(&palette);
    type(&palette, "reset");
    assert_string_equal(found(&palette, 0)->title, "reset");
    command_palette_release(&palette);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command_palette__letters_stand_in_order),
        cmocka_unit_test(test_command_palette__answers_in_plain_words),
        cmocka_unit_test(test_command_palette__what_loses_something_is_found_by_its_name_alone),
        cmocka_unit_test(test_command_palette__runs_and_starts_of_words_count_more),
        cmocka_unit_test(test_command_palette__says_which_letters_fit),
        cmocka_unit_test(test_command_palette__the_score_is_that_of_the_best_way),
        cmocka_unit_test(test_command_palette__lists_every_request_with_a_name_once),
        cmocka_unit_test(test_command_palette__enter_gives_back_what_was_chosen),
        cmocka_unit_test(test_command_palette__what_only_the_help_says_comes_last),
        cmocka_unit_test(test_command_palette__knows_words_that_mean_the_same),
        cmocka_unit_test(test_command_palette__opens_lessons),
        cmocka_unit_test(test_command_palette__what_is_chosen_is_in_sight),
        cmocka_unit_test(test_command_palette__a_click_chooses),
        cmocka_unit_test(test_command_palette__shows_titles_keys_and_help),
        cmocka_unit_test(test_command_palette__draws_in_ascii_and_in_any_size),
        cmocka_unit_test(test_command_palette__says_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
