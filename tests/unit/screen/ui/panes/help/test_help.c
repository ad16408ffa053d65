/* ui/panes/help/help.h: the keys of a pane, and a search in all help there is. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "ui/panes/help/help.h"

#define WIDE "\xE6\xB3\xA8" /* U+6CE8, two columns */
#define ACUTE "\xCC\x81"    /* U+0301, above the letter before */

static const struct binding lesson_bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on to the next page"},
    {KEYCODE_SHIFT_UP, REQ_MOVE_UP, NULL, "moves a step up"},
    {KEYCODE_UP, REQ_UP, NULL, "goes to the option above; scrolls where there are none"},
    {'K', REQ_MOVE_UP, NULL, NULL}, /* an earlier one with the same request */
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls by a page"},
    {KEYCODE_PAGE_DOWN, REQ_PAGE_DOWN, NULL, NULL}, /* the one before */
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct binding explorer_like[] = {
    {'+', REQ_HOTTER, "hotter", "Raises the temperature: the weights become more even."},
    {'1', REQ_HEAD, "head", "Shows that head."},
    {'2', REQ_HEAD, NULL, NULL},
    {'3', REQ_HEAD, NULL, NULL},
    {'4', REQ_HEAD, NULL, NULL},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct binding prompt_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, NULL, "runs the line"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct binding everywhere[] = {
    {KEYCODE_TAB, REQ_NEXT_PANE, "pane", "goes to the next pane"},
    {'q', REQ_QUIT, "quit", "leaves attn; it goes on here next time"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct pane_ops lesson = {.title = "Lesson", .bindings = lesson_bindings};
static const struct pane_ops explorer = {.title = "Explorer", .bindings = explorer_like};
static const struct pane_ops prompt = {
    .title = "Prompt", .bindings = prompt_bindings, .always_types = true};
static const struct pane_ops all_panes = {
    .title = "Everywhere", .bindings = everywhere, .is_everywhere = true};
static const struct pane_ops unknown = {.title = "Exercise"};
static const struct pane_ops *const panes[] = {&lesson, &explorer, &prompt, &all_panes};
enum { N_PANES = COUNT_OF(panes) };

static const struct settings settings = {.digits = 4, .width_cols = 80};

static struct help loaded(int rows, int cols)
{
    struct help help = {0};
    help_init(&help, &(struct help_sources){panes, N_PANES, &settings, testing_data_dir()});
    help_resize(&help, rows, cols);
    return help;
}

static void open_search(struct help *help)
{
    struct error error;
    assert_true(help_search(help, &error));
}

static void press(struct help *help, const char *keys)
{
    for (; *keys != '\0'; keys++)
        assert_true(help_key(help, *keys));
}

/* The help as drawn, a line a row, without the blanks at their ends. */
static struct text drawn(const struct help *help, bool ascii)
{
    struct canvas canvas = {0};
    struct text text = {0};
    assert_true(canvas_resize(&canvas, help->rows, help->cols));
    help_draw(help, canvas_area(&canvas), true, ascii);
    for (int row = 0; row < canvas.rows; row++) {
        for (int col = 0; col < canvas.cols; col++)
            text_put(&text, canvas.cells[row * canvas.cols + col].bytes);
        text_char(&text, '\n');
    }
    canvas_release(&canvas);
    return text;
}

static void assert_drawn(const struct help *help, const char *part, bool wanted)
{
    struct text text = drawn(help, true);
    if ((strstr(text_string(&text), part) != NULL) != wanted)
        fail_msg("'%s' is %s in\n%s", part, wanted ? "not" : "", text_string(&text));
    text_release(&text);
}

/* All words of a text stand in this order in another one, whatever is between them. */
static bool has_words(const char *where, const char *words)
{
    while (*words != '\0') {
        char word[64];
        size_t size = strcspn(words, " \n");
        snprintf(word, sizeof word, "%.*s", (int)size, words);
        where = strstr(where, word);
        if (where == NULL)
            return false;
        where += size;
        words += size + (words[size] != '\0');
    }
    return true;
}

static const struct manual_entry *result(const struct help *help, size_t i)
{
    assert_true(i < help->found.n);
    return &help->manual.entries[help->found.items[i].entry];
}

static void test_ui_help__shows_the_keys_of_the_pane_and_those_of_everywhere(void **state)
{
    (void)state;
    struct help help = loaded(30, 60);
    help_open(&help, &lesson);
    assert_drawn(&help, "Keys: Lesson", true);
    assert_drawn(&help, "n             goes on to the next page", true);
    assert_drawn(&help, "Moving", true);
    assert_drawn(&help, "Everywhere", true);
    assert_drawn(&help, "Tab           goes to the next pane", true);
    assert_drawn(&help, "temperature", false);
    help_open(&help, &explorer);
    assert_drawn(&help, "temperature", true);
    assert_drawn(&help, "next page", false);
    help_release(&help);
}

static void test_ui_help__keys_share_the_help_of_an_earlier_one(void **state)
{
    (void)state;
    struct help help = loaded(30, 60);
    help_open(&help, &lesson);
    assert_drawn(&help, "Shift-Up K    moves a step up", true);
    assert_drawn(&help, "PgUp PgDn     scrolls by a page", true);
    help_open(&help, &explorer);
    assert_drawn(&help, "1-4           Shows that head.", true);
    help_release(&help);
}

static void test_ui_help__letters_do_nothing_elsewhere_where_one_types(void **state)
{
    (void)state;
    struct help help = loaded(30, 60);
    help_open(&help, &prompt);
    assert_drawn(&help, "runs the line", true);
    assert_drawn(&help, "goes to the next pane", true);
    assert_drawn(&help, "leaves attn", false);
    help_release(&help);
}

static void test_ui_help__a_pane_without_a_table_has_the_keys_of_everywhere(void **state)
{
    (void)state;
    struct help help = loaded(20, 60);
    help_open(&help, &unknown);
    assert_drawn(&help, "Everywhere", true);
    assert_drawn(&help, "leaves attn", true);
    help_release(&help);
}

static void test_ui_help__two_columns_where_they_fit(void **state)
{
    (void)state;
    struct help help = loaded(30, 60);
    help_open(&help, &lesson);
    size_t narrow = help.page.n_lines;
    help_resize(&help, 30, 96);
    assert_true(help.page.n_lines < narrow);
    assert_true(doc_width(&help.page) <= 92);
    assert_drawn(&help, "leaves attn", true);
    help_release(&help);
}

/* Every word of every help can be read by scrolling, in any size. */
static void test_ui_help__every_text_is_whole(void **state)
{
    (void)state;
    static const int sizes[][2] = {{14, 60}, {20, 76}, {22, 96}, {98, 300}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct help help = loaded(sizes[i][0], sizes[i][1]);
        open_search(&help);
        press(&help, "weights");
        assert_true(help.found.n > 8);
        for (size_t entry = 0; entry < help.found.n; entry++) {
            struct text text = {0};
            for (size_t line = help.lines[entry];
                 line < (entry + 1 < help.found.n ? help.lines[entry + 1] : help.page.n_lines);
                 line++) {
                const struct span *spans;
                size_t n = doc_line_spans(&help.page, line, &spans);
                assert_true(doc_line_width(&help.page, line) <= (size_t)sizes[i][1] - 4);
                for (size_t span = 0; span < n; span++)
                    text_add(&text, help.page.text.bytes + spans[span].begin,
                             spans[span].end - spans[span].begin);
                text_char(&text, ' ');
            }
            if (result(&help, entry)->kind != MANUAL_PAGE)
                assert_true(has_words(text_string(&text), result(&help, entry)->text));
            text_release(&text);
        }
        help_release(&help);
    }
}

static void test_ui_help__long_words_and_wide_letters_are_wrapped(void **state)
{
    (void)state;
    static const struct binding odd[] = {
        {0x6CE8, REQ_HINT, NULL,
         WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE
             WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE WIDE " e" ACUTE "nd"},
        {KEYCODE_NONE, REQ_NONE, NULL, NULL},
    };
    static const struct pane_ops home = {.title = WIDE, .bindings = odd};
    static const struct pane_ops *const pane[] = {&home};
    struct help help = {0};
    help_init(&help, &(struct help_sources){pane, 1, &settings, NULL});
    help_resize(&help, 14, 60);
    help_open(&help, &home);
    assert_true(doc_width(&help.page) <= 56);
    assert_drawn(&help, "e" ACUTE "nd", true);
    help_release(&help);
}

static void test_ui_help__scrolling_stays_within_the_page(void **state)
{
    (void)state;
    struct help help = loaded(8, 60);
    help_open(&help, &lesson);
    assert_true(help.page.n_lines > 6);
    size_t last = help.page.n_lines - 6;
    assert_true(help_request(&help, REQ_UP, 0));
    assert_int_equal(help.scroll, 0);
    assert_true(help_request(&help, REQ_BOTTOM, 0));
    assert_int_equal(help.scroll, last);
    assert_true(help_request(&help, REQ_DOWN, 0));
    assert_int_equal(help.scroll, last);
    assert_true(help_request(&help, REQ_PAGE_UP, 0));
    assert_int_equal(help.scroll, last > 5 ? last - 5 : 0);
    help_wheel(&help, 1000);
    assert_int_equal(help.scroll, last);
    help_resize(&help, 90, 60);
    assert_int_equal(help.scroll, 0);
    assert_false(help_request(&help, REQ_CLOSE, 0));
    help_release(&help);
}

static void test_ui_help__the_search_finds_what_is_typed(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    assert_false(help_key(&help, 'x'));
    assert_true(help_request(&help, REQ_SEARCH_HELP, 0));
    assert_int_equal(result(&help, 0)->kind, MANUAL_TOPIC); /* what can be asked */
    press(&help, "what does SOFTMAX do");
    assert_string_equal(result(&help, 0)->name, "softmax");
    size_t found = help.found.n;
    press(&help, " zebra"); /* one word that nothing has does not hide the rest */
    assert_int_equal(help.found.n, found);
    assert_true(help_key(&help, 'U' - '@'));
    press(&help, "qqqq");
    assert_int_equal(help.found.n, 0);
    assert_drawn(&help, "Nothing has this name, and", true);
    assert_drawn(&help, " 0 found", true);
    assert_true(help_request(&help, REQ_OPEN, 0) && help_request(&help, REQ_DOWN, 0));
    assert_false(help_take_request(&help, &(struct pane_request){0}));
    help_release(&help);
}

static void test_ui_help__the_nearest_where_nothing_is_found(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    open_search(&help);
    press(&help, "perature");
    assert_drawn(&help, MANUAL_NOTHING_FITS, true);
    assert_drawn(&help, "> temperature", true);
    assert_drawn(&help, " 0 found", true);
    help_release(&help);
}

static void test_ui_help__a_key_is_found_by_itself_and_by_its_text(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    open_search(&help);
    press(&help, "pgdn");
    assert_string_equal(result(&help, 0)->where, "Lesson");
    open_search(&help);
    press(&help, "hotter");
    assert_string_equal(result(&help, 0)->title, "+");
    assert_true(help_request(&help, REQ_OPEN, 0));
    assert_false(help_take_request(&help, &(struct pane_request){0}));
    assert_drawn(&help, "a key: there is nothing to open", true);
    help_release(&help);
}

static void test_ui_help__enter_gives_a_name_for_the_prompt(void **state)
{
    (void)state;
    static const struct {
        const char *typed, *gives;
    } cases[] = {{"masked_fill", "masked_fill"},
                 {"heat", "heat "},
                 {"bars", "bars "},
                 {"next", "next"},
                 {"answer expression", "answer "}};
    struct help help = loaded(20, 76);
    struct pane_request request;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        open_search(&help);
        press(&help, cases[i].typed);
        assert_true(help_request(&help, REQ_OPEN, 0));
        assert_true(help_take_request(&help, &request));
        assert_int_equal(request.kind, PANE_TO_PROMPT);
        assert_string_equal(text_string(&request.text), cases[i].gives);
        pane_request_release(&request);
        assert_false(help_take_request(&help, &request));
    }
    help_release(&help);
}

/* Who looks for something else must not find a word that takes something away in the prompt, ready
 * to be run: Enter opens a page that explains it. */
static void test_ui_help__enter_never_readies_what_loses_something(void **state)
{
    (void)state;
    static const char *const words[] = {"reset", "undo", "keep", "quit", "skip", "del"};
    struct help help = loaded(20, 76);
    struct pane_request request;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        open_search(&help);
        press(&help, words[i]);
        for (size_t at = 0; at < help.found.n; at++) {
            const struct manual_entry *entry = result(&help, at);
            if (entry->kind != MANUAL_WORD || strcmp(entry->name, words[i]) != 0)
                continue;
            help.chosen = at;
            assert_true(help_request(&help, REQ_OPEN, 0));
            assert_int_equal(help.view, HELP_ENTRY);
            assert_true(help_request(&help, REQ_OPEN, 0)); /* nor on its page */
            assert_false(help_take_request(&help, &request));
            break;
        }
        assert_int_equal(help.view, HELP_ENTRY);
    }
    help_release(&help);
}

static void test_ui_help__an_entry_opens_by_its_name(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    struct error error;
    assert_true(help_open_entry(&help, "starting over", &error));
    assert_int_equal(help.view, HELP_ENTRY);
    assert_drawn(&help, "lesson 1 again", true);
    assert_true(help_request(&help, REQ_CLOSE, KEYCODE_ESCAPE));
    assert_int_equal(help.view, HELP_SEARCH);
    assert_drawn(&help, "find: starting over", true);
    help_release(&help);
}

static void test_ui_help__nothing_fits_where_only_stray_words_match(void **state)
{
    (void)state;
    static const char *const asked[] = {"how do I bake a chocolate cake",
                                        "weather in paris tomorrow", "who won the football match"};
    struct help help = loaded(20, 76);
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        open_search(&help);
        press(&help, asked[i]);
        if (help.found.n > 0 && !help.found.only_near)
            fail_msg("%s: %s", asked[i], result(&help, 0)->title);
        assert_in_range(help.found.n, 0, MANUAL_NEAREST);
    }
    help_release(&help);
}

/* Enter on what is chosen asks for this line. */
static void assert_opens(struct help *help, const char *line)
{
    struct pane_request request = {0};
    assert_true(help_request(help, REQ_OPEN, 0) && help_take_request(help, &request));
    assert_int_equal(request.kind, PANE_RUN_LINE);
    assert_string_equal(text_string(&request.text), line);
    pane_request_release(&request);
}

static void test_ui_help__a_term_opens_and_leads_to_its_lesson(void **state)
{
    (void)state;
    struct help help = loaded(30, 76);
    open_search(&help);
    press(&help, "temperature");
    assert_drawn(&help, "Enter opens it", true);
    assert_true(help_request(&help, REQ_OPEN, 0));
    assert_false(help_take_request(&help, &(struct pane_request){0}));
    assert_int_equal(help.view, HELP_ENTRY);
    assert_drawn(&help, "attn> softmax(array([1, 2, 3]) / 2)", true);
    assert_drawn(&help, "0.1863", true); /* the example has run */
    assert_drawn(&help, "Enter opens lesson softmax#temperature", true);
    assert_false(help_key(&help, 'o')); /* nothing is typed there */
    help_resize(&help, 12, 40);
    assert_drawn(&help, "temperature", true);
    assert_true(help_request(&help, REQ_CLOSE, KEYCODE_ESCAPE)); /* back to the search */
    assert_int_equal(help.view, HELP_SEARCH);
    assert_string_equal(help.field.text, "temperature");
    assert_true(help_request(&help, REQ_OPEN, 0));
    assert_false(help_request(&help, REQ_CLOSE, 'q')); /* which closes it all */
    assert_opens(&help, "lesson softmax#temperature");
    help_release(&help);
}

static void test_ui_help__a_term_without_a_lesson_opens_nothing_more(void **state)
{
    (void)state;
    struct help help = loaded(30, 76);
    open_search(&help);
    press(&help, "entropy");
    assert_true(help_request(&help, REQ_OPEN, 0) && help_request(&help, REQ_OPEN, 0));
    assert_false(help_take_request(&help, &(struct pane_request){0}));
    assert_int_equal(help.view, HELP_ENTRY);
    assert_true(help_request(&help, REQ_PARENT, KEYCODE_BACKSPACE));
    assert_int_equal(help.view, HELP_SEARCH);
    help_release(&help);
}

static void test_ui_help__enter_opens_lessons_and_their_pages(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    open_search(&help);
    press(&help, "queries, keys and values");
    bool found = false;
    for (size_t i = 0; i < help.found.n && !found; i++) {
        found = result(&help, i)->kind == MANUAL_LESSON;
        help.chosen = i;
    }
    assert_true(found);
    assert_opens(&help, help_chosen(&help)->gives);
    open_search(&help);
    press(&help, "push a score, and nothing moves");
    while (help_chosen(&help)->kind != MANUAL_PAGE)
        assert_true(help_request(&help, REQ_DOWN, 0));
    assert_drawn(&help, "Softmax is called saturated then", true);
    assert_drawn(&help, "Enter opens the page", true);
    assert_non_null(strstr(help_chosen(&help)->gives, "scaling#saturation/"));
    assert_opens(&help, help_chosen(&help)->gives);
    help_release(&help);
}

static void test_ui_help__what_is_chosen_is_in_sight(void **state)
{
    (void)state;
    struct help help = loaded(14, 60);
    open_search(&help);
    size_t n = help.found.n;
    assert_true(n > 20);
    for (size_t i = 0; i + 1 < n; i++) {
        assert_true(help_request(&help, REQ_DOWN, 0));
        assert_int_equal(help.chosen, i + 1);
        assert_in_range(help.lines[help.chosen], help.scroll, help.scroll + 8);
    }
    assert_true(help_request(&help, REQ_DOWN, 0));
    assert_int_equal(help.chosen, n - 1);
    size_t before = help.chosen;
    while (help.chosen > 0) {
        assert_true(help_request(&help, REQ_PAGE_UP, 0));
        assert_true(help.chosen < before);
        before = help.chosen;
        assert_in_range(help.lines[help.chosen], help.scroll, help.scroll + 8);
    }
    while (help.chosen + 1 < n) {
        assert_true(help_request(&help, REQ_PAGE_DOWN, 0));
        assert_true(help.chosen > before);
        before = help.chosen;
    }
    help_resize(&help, 40, 96);
    assert_int_equal(help.chosen, n - 1);
    assert_in_range(help.lines[help.chosen], help.scroll, help.scroll + 40);
    help_release(&help);
}

static void test_ui_help__a_click_chooses_the_result_that_is_seen_there(void **state)
{
    (void)state;
    struct help help = loaded(20, 76);
    struct area area = {.rows = 20, .cols = 76};
    open_search(&help);
    assert_true(help_click(&help, area, 3 + (int)help.lines[2], 5, false));
    assert_int_equal(help.chosen, 2);
    assert_false(help_click(&help, area, 1, 5, false));
    assert_false(help_click(&help, area, 18, 5, false));
    assert_int_equal(help.chosen, 2);
    help_release(&help);
}

static void test_ui_help__the_field_is_edited(void **state)
{
    (void)state;
    struct field field = {0};
    static const int keys[] = {'a', 'e', 0x301, 0x6CE8, ' ', 'b'};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        assert_int_equal(field_key(&field, keys[i]), FIELD_CHANGED);
    assert_string_equal(field.text, "ae" ACUTE WIDE " b");
    assert_int_equal(field_key(&field, 'W' - '@'), FIELD_CHANGED);
    assert_int_equal(field_key(&field, KEYCODE_BACKSPACE), FIELD_CHANGED);
    assert_string_equal(field.text, "ae" ACUTE WIDE);
    assert_int_equal(field_key(&field, KEYCODE_LEFT), FIELD_KEPT);
    assert_int_equal(field_key(&field, KEYCODE_BACKSPACE),
                     FIELD_CHANGED); /* the letter and its mark */
    assert_string_equal(field.text, "a" WIDE);
    assert_int_equal(field_key(&field, KEYCODE_DELETE), FIELD_CHANGED);
    assert_int_equal(field_key(&field, KEYCODE_DELETE), FIELD_KEPT);
    assert_int_equal(field_key(&field, KEYCODE_HOME), FIELD_KEPT);
    assert_int_equal(field_key(&field, KEYCODE_BACKSPACE), FIELD_KEPT);
    assert_int_equal(field_key(&field, KEYCODE_RIGHT), FIELD_KEPT);
    assert_int_equal(field_key(&field, 'U' - '@'), FIELD_CHANGED);
    assert_string_equal(field.text, "");
    static const int ignored[] = {KEYCODE_NONE, KEYCODE_ENTER,    KEYCODE_ESCAPE, KEYCODE_UP,
                                  KEYCODE_F1,   KEYCODE_TAB,      0x202E,         0xD800,
                                  0x110000,     KEYCODE_ALT + 'x'};
    for (size_t i = 0; i < COUNT_OF(ignored); i++)
        assert_int_equal(field_key(&field, ignored[i]), FIELD_IGNORED);
    for (int i = 0; i < FIELD_BYTES / 3 + 3; i++)
        (void)field_key(&field, 0x6CE8);
    assert_true(field.size < FIELD_BYTES && field.size % 3 == 0);
    assert_true(field.is_full); /* and says so, until the next key */
    struct canvas canvas = {.rows = 0};
    assert_true(canvas_resize(&canvas, 1, 40));
    field_draw(&field, canvas_area(&canvas), "", true);
    assert_string_equal(canvas.cells[21].bytes, "f"); /* full: no more fits */
    (void)field_key(&field, KEYCODE_BACKSPACE);
    assert_false(field.is_full);
    canvas_release(&canvas);
}

static void test_ui_help__draws_in_ascii_and_in_any_size(void **state)
{
    (void)state;
    struct help help = loaded(1, 1);
    for (int rows = 1; rows < 40; rows += 3)
        for (int cols = 1; cols < 120; cols += 7)
            for (int view = HELP_KEYS; view <= HELP_ENTRY; view++) {
                help_resize(&help, rows, cols);
                help_open(&help, &lesson);
                if (view != HELP_KEYS)
                    open_search(&help);
                if (view == HELP_ENTRY)
                    assert_true(help_request(&help, REQ_OPEN, 0));
                struct text text = drawn(&help, true);
                for (size_t i = 0; i < text.size; i++)
                    assert_true((unsigned char)text.bytes[i] < 128);
                text_release(&text);
            }
    help_release(&help);
}

static void test_ui_help__says_when_memory_runs_out(void **state)
{
    (void)state;
    struct help help = {0};
    struct error error;
    help_init(&help, &(struct help_sources){panes, N_PANES, &settings, NULL});
    assert_reports_failed_allocations(help_search(&help, &error), error);
    help_resize(&help, 20, 76);
    help_open(&help, &lesson);
    testing_fail_allocation(2);
    help_resize(&help, 20, 60);
    testing_fail_allocation(0);
    assert_drawn(&help, "not enough memory", true);
    help_open(&help, &lesson);
    assert_drawn(&help, "not enough memory", false);
    help_release(&help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ui_help__shows_the_keys_of_the_pane_and_those_of_everywhere),
        cmocka_unit_test(test_ui_help__keys_share_the_help_of_an_earlier_one),
        cmocka_unit_test(test_ui_help__letters_do_nothing_elsewhere_where_one_types),
        cmocka_unit_test(test_ui_help__a_pane_without_a_table_has_the_keys_of_everywhere),
        cmocka_unit_test(test_ui_help__two_columns_where_they_fit),
        cmocka_unit_test(test_ui_help__every_text_is_whole),
        cmocka_unit_test(test_ui_help__long_words_and_wide_letters_are_wrapped),
        cmocka_unit_test(test_ui_help__scrolling_stays_within_the_page),
        cmocka_unit_test(test_ui_help__the_search_finds_what_is_typed),
        cmocka_unit_test(test_ui_help__the_nearest_where_nothing_is_found),
        cmocka_unit_test(test_ui_help__a_key_is_found_by_itself_and_by_its_text),
        cmocka_unit_test(test_ui_help__enter_gives_a_name_for_the_prompt),
        cmocka_unit_test(test_ui_help__enter_never_readies_what_loses_something),
        cmocka_unit_test(test_ui_help__an_entry_opens_by_its_name),
        cmocka_unit_test(test_ui_help__nothing_fits_where_only_stray_words_match),
        cmocka_unit_test(test_ui_help__a_term_opens_and_leads_to_its_lesson),
        cmocka_unit_test(test_ui_help__a_term_without_a_lesson_opens_nothing_more),
        cmocka_unit_test(test_ui_help__enter_opens_lessons_and_their_pages),
        cmocka_unit_test(test_ui_help__what_is_chosen_is_in_sight),
        cmocka_unit_test(test_ui_help__a_click_chooses_the_result_that_is_seen_there),
        cmocka_unit_test(test_ui_help__the_field_is_edited),
        cmocka_unit_test(test_ui_help__draws_in_ascii_and_in_any_size),
        cmocka_unit_test(test_ui_help__says_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
