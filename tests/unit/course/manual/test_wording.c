/* manual/glossary.h: words, stems, and the words that say nothing or mean the same. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "lang_testing.h"
#include "course/manual/glossary_internal.h"

static void test_wording__words_and_signs(void **state)
{
    (void)state;
    static const char text[] = "How don't I write K.T, X @ masked_fill(2)?  &  (a) .";
    static const char *const wanted[] = {"how", "dont",        "i", "write", "k", ".t", "x",
                                         "@",   "masked_fill", "2", "&",     "a", "."};
    struct wording_word word;
    size_t at = 0;
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        assert_true(wording_next(text, strlen(text), &at, &word));
        assert_string_equal(word.text, wanted[i]);
        assert_int_equal(word.size, strlen(wanted[i]));
        assert_int_equal(word.is_symbol, strchr("@&.", wanted[i][0]) != NULL && word.size == 1);
    }
    assert_false(wording_next(text, strlen(text), &at, &word));
}

static void test_wording__a_long_word_is_cut(void **state)
{
    (void)state;
    char text[200];
    struct wording_word word;
    size_t at = 0;
    memset(text, 'a', sizeof text);
    assert_true(wording_next(text, sizeof text, &at, &word));
    assert_int_equal(word.size, WORDING_BYTES - 1);
    assert_int_equal(at, sizeof text);
    memset(text, '@', sizeof text);
    at = 0;
    assert_true(wording_next(text, sizeof text, &at, &word));
    assert_int_equal(word.size, WORDING_BYTES - 1);
}

static struct wording_word stem_of(const char *text)
{
    struct wording_word word;
    size_t at = 0;
    assert_true(wording_next(text, strlen(text), &at, &word));
    wording_stem(&word);
    return word;
}

static void test_wording__forms_of_a_word_have_one_stem(void **state)
{
    (void)state;
    static const char *const forms[][4] = {
        {"multiply", "multiplies", "multiplying", "multiplied"},
        {"wrong", "wrongly", "wrong", "wrong"},
        {"mask", "masks", "masked", "Masking"},
        {"scale", "scales", "scaled", "scaling"},
        {"drop", "drops", "dropped", "dropping"},
        {"query", "queries", "query", "query"},
        {"saturated", "saturation", "saturate", "saturates"},
        {"value", "values", "valued", "value"},
    };
    static const char *const apart[][2] = {
        {"head", "heat"}, {"loss", "lo"}, {"axis", "axes"}, {"sing", "s"}, {"masked_fill", "mask"}};
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        for (size_t j = 1; j < COUNT_OF(forms[i]); j++)
            assert_string_equal(stem_of(forms[i][j]).text, stem_of(forms[i][0]).text);
    for (size_t i = 0; i < COUNT_OF(apart); i++)
        assert_string_not_equal(stem_of(apart[i][0]).text, stem_of(apart[i][1]).text);
}

static bool read_wording(const char *text, struct wording *ret, struct error *reterr)
{
    return wording_read("search.yaml", text, strlen(text), ret, reterr);
}

static bool means(const struct wording *wording, const char *from, const char *to)
{
    for (size_t i = 0; i < wording->n_same; i++)
        if (strcmp(wording->same[i].from, from) == 0 && strcmp(wording->same[i].to, to) == 0)
            return true;
    return false;
}

static void test_wording__left_words_mean_all_others_of_the_row(void **state)
{
    (void)state;
    struct wording wording;
    struct error error;
    assert_true(read_wording("drop: the how do\nsame:\n  multiply times: \"@ product\"\n", &wording,
                             &error));
    assert_true(wording_drops(&wording, "how") && wording_drops(&wording, "the"));
    assert_false(wording_drops(&wording, "multiply"));
    assert_true(means(&wording, "multipli", "tim") && means(&wording, "tim", "multipli"));
    assert_true(means(&wording, "tim", "@") && means(&wording, "multipli", "product"));
    assert_false(means(&wording, "@", "tim"));
    wording_release(&wording);
}

static void test_wording__faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"drop: the\n", "same"},
        {"drop: the\nsame:\n  \" \": a\n", "search.yaml:3"},
        {"drop: the\nsame:\n  a: \"1 2 3 4 5 6 7 8 9 a b c d e f g h i j k l m n o p\"\n",
         "search.yaml:3"},
        {"drop: the\nsame: [a]\n", "search.yaml"},
        {"drop: {}\nsame:\n  a: b\n", "search.yaml:1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct wording wording;
        struct error error;
        assert_false(read_wording(cases[i].text, &wording, &error));
        if (strstr(error.text, cases[i].says) == NULL)
            fail_msg("case %zu: %s", i, error.text);
    }
}

static void test_wording__attns_own_file_is_read(void **state)
{
    (void)state;
    struct wording wording = {.n_drop = 0};
    struct error error;
    assert_false(wording_open(NULL, &wording, &error));
    assert_reports_failed_allocations(wording_open(testing_data_dir(), &wording, &error), error);
    assert_true(wording_drops(&wording, "how"));
    assert_true(means(&wording, "multipli", "@"));
    wording_release(&wording);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wording__words_and_signs),
        cmocka_unit_test(test_wording__a_long_word_is_cut),
        cmocka_unit_test(test_wording__forms_of_a_word_have_one_stem),
        cmocka_unit_test(test_wording__left_words_mean_all_others_of_the_row),
        cmocka_unit_test(test_wording__faults_name_their_line),
        cmocka_unit_test(test_wording__attns_own_file_is_read),
    };
    return cmocka_run_group_tests_name("wording", tests, NULL, NULL);
}
