/* manual/manual.h: what is found, and in which order. (tests/unit/ui/panes/help/test_questions.c
 * has the questions that attn's own manual must answer.) */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "course/manual/manual.h"

static void add(struct manual *manual, enum manual_kind kind, const char *name, const char *also,
                const char *text)
{
    manual_add(manual, &(struct manual_entry){.kind = kind,
                                              .name = name,
                                              .also = also,
                                              .title = name,
                                              .text = text,
                                              .where = "here"});
}

static const char words[] = "drop: how do i the a what is\nsame:\n  blend: mix\n";

static struct manual small(void)
{
    struct manual manual = {.n = 0};
    struct error error;
    assert_true(wording_read("w", words, strlen(words), &manual.wording, &error));
    add(&manual, MANUAL_TERM, "mix", "weighted sum", "Adds values by their weights.");
    add(&manual, MANUAL_OPERATOR, "@", "product of matrices", "Rows by columns.");
    add(&manual, MANUAL_FUNCTION, "masked_fill", "", "Hides scores.");
    add(&manual, MANUAL_KEY, "mask", "", "Changes the mask.");
    add(&manual, MANUAL_TERM, "temperature", "", "Makes weights even.");
    add(&manual, MANUAL_PAGE, "", "",
        "Nothing of interest.\nThe masked scores are minus infinity.\nThe end.");
    assert_true(manual_index(&manual, &error));
    return manual;
}

static struct manual_results ask(const struct manual *manual, const char *question)
{
    struct manual_results results;
    struct error error;
    assert_true(manual_find(manual, question, &results, &error));
    return results;
}

static void test_manual__finds_forms_spellings_and_what_means_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *asks;
        size_t first;
    } cases[] = {
        {"mix", 0},
        {"mixing", 0},
        {"How do I blend", 0},
        {"weighted sum", 0},
        {"@", 1},
        {"what is @ ?", 1},
        {"masked_fill", 2},
        {"masked_f", 2},
        {"fill", 2},
        {"temprature", 4},
        {"TEMPERATURES?", 4},
        {"tempe", 4},
        {"infinity", 5},
        {"rows of the zebra", 1},
    };
    struct manual manual = small();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct manual_results results = ask(&manual, cases[i].asks);
        assert_false(results.only_near);
        if (results.n == 0 || results.items[0].entry != cases[i].first)
            fail_msg("%s: %d of %zu", cases[i].asks, results.n ? (int)results.items[0].entry : -1,
                     results.n);
    }
    manual_release(&manual);
}

static void test_manual__names_go_before_texts(void **state)
{
    (void)state;
    struct manual manual = small();
    struct manual_results results = ask(&manual, "weights");
    assert_int_equal(results.items[0].entry, 0); /* one of its other names has the word */
    results = ask(&manual, "mask");
    assert_true(results.n >= 2);
    assert_int_equal(results.items[0].entry, 3);
    for (size_t i = 1; i < results.n; i++)
        assert_true(results.items[i - 1].score >= results.items[i].score);
    assert_true(results.items[0].score > 1); /* it is called so */
    manual_release(&manual);
}

static void test_manual__of_a_page_the_sentence_is_given(void **state)
{
    (void)state;
    struct manual manual = small();
    struct manual_results results = ask(&manual, "infinity");
    const char *text = manual.entries[5].text;
    assert_int_equal(results.items[0].size, strlen("The masked scores are minus infinity."));
    assert_memory_equal(text + results.items[0].begin, "The masked scores", 17);
    manual_release(&manual);
}

static void test_manual__the_nearest_where_nothing_is_called_so(void **state)
{
    (void)state;
    struct manual manual = small();
    struct manual_results results = ask(&manual, "perature");
    assert_true(results.only_near);
    assert_in_range(results.n, 1, MANUAL_NEAREST);
    assert_int_equal(results.items[0].entry, 4);
    results = ask(&manual, "qqqq");
    assert_true(results.n == 0 && !results.only_near);
    results = ask(&manual, "");
    assert_int_equal(results.n, 0);
    results = ask(&manual, "how do i"); /* nothing but words that say nothing */
    assert_true(results.n <= MANUAL_NEAREST);
    manual_release(&manual);
}

static void test_manual__the_words_of_a_text(void **state)
{
    (void)state;
    struct manual manual = small();
    const struct wording *wording = &manual.wording;
    assert_true(manual_text_answers(wording, "how do I blend", "mixes two pictures"));
    assert_true(manual_text_answers(wording, "pictures mix", "mixes two pictures"));
    assert_false(manual_text_answers(wording, "pictures zebra", "mixes two pictures"));
    manual_release(&manual);
}

static void test_manual__reads_all_there_is(void **state)
{
    (void)state;
    struct manual manual = {.n = 0};
    struct error error;
    size_t n_kinds[MANUAL_KINDS] = {0};
    manual_add_all(&manual, testing_data_dir());
    assert_true(manual_index(&manual, &error));
    for (size_t i = 0; i < manual.n; i++) {
        n_kinds[manual.entries[i].kind]++;
        assert_true(manual.entries[i].kind != MANUAL_PAGE ||
                    strchr(manual.entries[i].gives, '#') != NULL);
    }
    for (enum manual_kind kind = MANUAL_FUNCTION; kind < MANUAL_KINDS; kind++)
        assert_true(kind == MANUAL_KEY || n_kinds[kind] > 0);
    assert_true(n_kinds[MANUAL_PAGE] > n_kinds[MANUAL_STEP]);
    manual_release(&manual);
}

/* A term that is asked for by its name is the first answer, or shares the name with it. */
static void test_manual__every_name_finds_its_entry(void **state)
{
    (void)state;
    struct manual manual = {.n = 0};
    struct error error;
    manual_add_all(&manual, testing_data_dir());
    assert_true(manual_index(&manual, &error));
    for (size_t i = 0; i < manual.n; i++) {
        const struct manual_entry *entry = &manual.entries[i];
        if (entry->kind != MANUAL_TERM && entry->kind != MANUAL_OPERATOR &&
            entry->kind != MANUAL_FUNCTION)
            continue;
        struct manual_results results = ask(&manual, entry->name);
        bool found = false;
        for (size_t at = 0; at < 3 && at < results.n; at++)
            found = found || results.items[at].entry == i;
        if (!found)
            fail_msg("%s (%s) is not among the first three", entry->name, entry->where);
    }
    manual_release(&manual);
}

static bool load_small(struct error *reterr)
{
    struct manual manual = {.n = 0};
    struct manual_results results;
    bool ok = wording_read("w", words, strlen(words), &manual.wording, reterr);
    if (ok) {
        add(&manual, MANUAL_TERM, "mix", "weighted sum", "Adds values by their weights.");
        add(&manual, MANUAL_TERM, "other", "", "");
        ok = manual_index(&manual, reterr) && manual_find(&manual, "mxi values", &results, reterr);
    }
    manual_release(&manual);
    return ok;
}

static void test_manual__says_when_memory_runs_out(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(load_small(&error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_manual__finds_forms_spellings_and_what_means_the_same),
        cmocka_unit_test(test_manual__names_go_before_texts),
        cmocka_unit_test(test_manual__of_a_page_the_sentence_is_given),
        cmocka_unit_test(test_manual__the_nearest_where_nothing_is_called_so),
        cmocka_unit_test(test_manual__the_words_of_a_text),
        cmocka_unit_test(test_manual__reads_all_there_is),
        cmocka_unit_test(test_manual__every_name_finds_its_entry),
        cmocka_unit_test(test_manual__says_when_memory_runs_out),
    };
    return cmocka_run_group_tests_name("manual", tests, NULL, NULL);
}
