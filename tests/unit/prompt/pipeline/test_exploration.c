/* exploration: a sentence with its options, read and written. */
#include "lang_testing.h"

#include <string.h>

#include "base/array.h"
#include "pipeline/exploration.h"

static struct exploration read(const char *line)
{
    struct exploration exploration;
    struct error error;
    exploration_init(&exploration);
    if (!exploration_read(line, strlen(line), &exploration, &error))
        fail_msg("%s: %s", line, error.text);
    return exploration;
}

static void a_sentence_and_its_options(void **state)
{
    (void)state;
    struct exploration got = read(
        "  \"my cat saw your dog\"  heads=4 mask=causal scale=off temperature=0.5 at=weights ");
    assert_string_equal(got.what, "my cat saw your dog");
    assert_true(got.is_sentence);
    assert_true(got.has_options);
    assert_int_equal(got.options.n_heads, 4);
    assert_int_equal(got.options.mask, PIPELINE_CAUSAL);
    assert_false(got.options.is_scaled);
    assert_close(got.options.temperature, 0.5, 0);
    assert_string_equal(got.at, "weights");
    got = read("the cat heads=2 heads=3"); /* without quotes; the last one counts */
    assert_string_equal(got.what, "the cat");
    assert_false(got.is_sentence);
    assert_int_equal(got.options.n_heads, 3);
    got = read("mask=padding");
    assert_string_equal(got.what, "");
    assert_int_equal(got.options.mask, PIPELINE_PADDING);
    got = read("\"a b=c\""); /* in quotes all is text */
    assert_string_equal(got.what, "a b=c");
    assert_false(got.has_options);
    got = read("");
    assert_string_equal(got.what, "");
    assert_false(got.has_options);
}

static void wrong_options_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *line, *told;
    } wrong[] = {
        {"cat haeds=4", "haeds: there is no such option; did you mean heads?"},
        {"cat mask=casual", "casual: there is no such mask; did you mean causal?"},
        {"cat mask=", "cat mask="}, /* no option: a word of the sentence */
        {"cat heads=0", "heads=0: takes a whole number from 1 to 16"},
        {"cat heads=2.5", "heads=2.5: takes a whole number from 1 to 16"},
        {"cat temperature=nan", "temperature=nan: takes a number from 0.015625 to 64"},
        {"cat scale=maybe", "maybe: there is no such scale; there are on and off"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct exploration exploration;
        struct error error;
        exploration_init(&exploration);
        exploration.options.n_heads = 3;
        if (exploration_read(wrong[i].line, strlen(wrong[i].line), &exploration, &error)) {
            assert_string_equal(exploration.what, wrong[i].told);
            continue;
        }
        assert_int_equal(error.kind, ERR_NAME);
        assert_string_equal(error.text, wrong[i].told);
        assert_int_equal(exploration.options.n_heads, 3); /* as it was */
        assert_string_equal(exploration.what, "");
    }
    char longer[EXPLORATION_BYTES + 8];
    struct exploration exploration;
    struct error error;
    exploration_init(&exploration);
    memset(longer, 'a', sizeof longer);
    assert_error(exploration_read(longer, sizeof longer, &exploration, &error), error, ERR_LIMIT);
}

static void what_is_written_reads_the_same(void **state)
{
    (void)state;
    static const struct pipeline_options all[] = {
        {PIPELINE_NO_MASK, true, 1, 1},
        {PIPELINE_PADDING, false, 1.41421356, 16},
        {PIPELINE_CAUSAL, true, 0.015625, 5},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct text line = {0};
        exploration_write("say \"hi\" x=1", &all[i], &line);
        struct exploration got = read(text_string(&line));
        assert_string_equal(got.what, "say \"hi\" x=1");
        assert_true(got.is_sentence);
        assert_int_equal(got.options.mask, all[i].mask);
        assert_int_equal(got.options.is_scaled, all[i].is_scaled);
        assert_int_equal(got.options.n_heads, all[i].n_heads);
        assert_close(got.options.temperature, all[i].temperature, 1e-8);
        text_release(&line);
    }
}

static void what_is_described_is_unusual(void **state)
{
    (void)state;
    static const struct {
        struct pipeline_options options;
        const char *wanted;
    } all[] = {
        {{PIPELINE_NO_MASK, true, 1, 1}, ""},
        {{PIPELINE_CAUSAL, true, 1, 4}, "4 heads, causal"},
        {{PIPELINE_PADDING, false, 2, 1}, "last word hidden, not scaled, temperature 2"},
    };
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        struct text text = {0};
        exploration_describe(&all[i].options, &text);
        assert_string_equal(text_string(&text), all[i].wanted);
        text_release(&text);
    }
}

static void stages_by_their_first_letters(void **state)
{
    (void)state;
    static const struct settings plain = {.digits = 3, .width_cols = 80};
    struct pipeline pipeline;
    struct error error;
    pipeline_init(&pipeline, &plain, testing_data_dir(), NULL);
    assert_true(pipeline_set_sentence(&pipeline, "the cat", &error));
    assert_int_equal(exploration_stage(&pipeline, "w", &error),
                     pipeline_find_name(&pipeline, "weights"));
    assert_int_equal(exploration_stage(&pipeline, "sco", &error),
                     pipeline_find_name(&pipeline, "scores"));
    assert_int_equal(exploration_stage(&pipeline, "masked", &error), pipeline.n_stages);
    assert_string_equal(error.text, "masked: without a mask there is no such stage");
    assert_int_equal(exploration_stage(&pipeline, "s", &error), pipeline.n_stages); /* two */
    assert_int_equal(error.kind, ERR_NAME);
    pipeline_release(&pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_and_its_options),
        cmocka_unit_test(wrong_options_are_told),
        cmocka_unit_test(what_is_written_reads_the_same),
        cmocka_unit_test(what_is_described_is_unusual),
        cmocka_unit_test(stages_by_their_first_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
