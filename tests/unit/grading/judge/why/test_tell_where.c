/* judge/why/tell_where.h: what right and wrong cases have in common. The cases are those of attn's
 * exercises; the tests say which of them are wrong. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/why/tell_where.h"
#include "lang_testing.h"

struct class
{
    struct exercise *exercise;
    struct fixtures cases, probes;
    struct answered_case *answered;
    struct answer *answers;
    size_t n;
};

static void class_open(struct class *class, const char *folder)
{
    char path[4096];
    struct error error;
    snprintf(path, sizeof path, "%s/exercises/%s", testing_data_dir(), folder);
    if (!exercise_load(path, &class->exercise, &error) ||
        !fixtures_draw(class->exercise, 1, false, testing_data_dir(), &class->cases, &error) ||
        !fixtures_draw(class->exercise, 1, true, testing_data_dir(), &class->probes, &error))
        fail_msg("%s", error.text);
    class->n = class->cases.n + class->probes.n;
    class->answered = calloc(class->n, sizeof *class->answered);
    class->answers = calloc(class->n, sizeof *class->answers);
    assert_true(class->answered != NULL && class->answers != NULL);
    for (size_t i = 0; i < class->n; i++) {
        struct fixture *f =
            i < class->cases.n ? class->cases.items[i] : class->probes.items[i - class->cases.n];
        assert_true(fixture_right_answer(f, &class->answers[i], &error));
        class->answered[i] = (struct answered_case){f, &class->answers[i]};
    }
}

static void class_close(struct class *class)
{
    for (size_t i = 0; i < class->n; i++)
        answer_release(&class->answers[i]);
    free(class->answered);
    free(class->answers);
    fixtures_release(&class->cases);
    fixtures_release(&class->probes);
    exercise_free(class->exercise);
}

/* Makes an array wrong in the cases where is_wrong says so. */
static void spoil(struct class *class, unsigned array,
                  bool (*is_wrong)(const struct fixture *fixture))
{
    for (size_t i = 0; i < class->n; i++)
        if (is_wrong(class->answered[i].fixture))
            class->answers[i].floats[array][0] = 3 * class->answers[i].floats[array][0] + 1000;
}

static void assert_told(struct class *class, const char *wanted)
{
    struct text text = {0};
    tell_where(class->exercise, class->answered, class->n, false, &text);
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
}

static bool everywhere(const struct fixture *fixture)
{
    (void)fixture;
    return true;
}

static bool d_k_above_one(const struct fixture *fixture)
{
    return fixture->scalars[2] > 1;
}

static bool far_apart(const struct fixture *fixture)
{
    return strcmp(fixture->source->name, "all scores far below 0") == 0;
}

static bool more_keys(const struct fixture *fixture)
{
    return fixture->scalars[1] > fixture->scalars[0];
}

static bool causal(const struct fixture *fixture)
{
    return fixture->scalars[3] != 0 && fixture->scalars[0] > 1;
}

static void test_tell_where__nothing_to_tell(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "08-attention");
    assert_told(&class, "");
    spoil(&class, 3, everywhere);
    assert_told(&class, "");
    class_close(&class);
}

static void test_tell_where__by_a_size_of_one(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "08-attention");
    spoil(&class, 3, d_k_above_one);
    assert_told(
        &class,
        "Right in all cases with d_k = 1. Right for these inputs: d_k = 1, so that the scale is 1, "
        "and the context shows the weights. Wrong for these: scores of 0 and values of 1, so that "
        "the context shows what the weights add up to.");
    class_close(&class);
}

static void test_tell_where__by_two_sizes(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "05-causal-mask");
    spoil(&class, 0, more_keys);
    struct text text = {0};
    tell_where(class.exercise, class.answered, class.n, false, &text);
    assert_non_null(strstr(text_string(&text), "Wrong in all cases with n_q < n_k."));
    text_release(&text);
    class_close(&class);
}

static void test_tell_where__by_the_names_of_a_few(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "08-attention");
    spoil(&class, 3, far_apart);
    assert_told(&class, "Only \"all scores far below 0\" is wrong.");
    class_close(&class);
}

static void test_tell_where__by_what_is_true(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "11-multi-head");
    spoil(&class, 5, causal);
    struct text text = {0};
    tell_where(class.exercise, class.answered, class.n, false, &text);
    if (strncmp(text_string(&text), "Right in all cases with ", 24) != 0 ||
        strstr(text_string(&text), "causal false") == NULL)
        fail_msg("%s", text_string(&text));
    text_release(&text);
    class_close(&class);
}

static void test_tell_where__by_arrays(void **state)
{
    (void)state;
    struct class class;
    class_open(&class, "18-attention-backward");
    spoil(&class, 5, everywhere);
    assert_told(&class, "d_query and d_value are right; d_key is wrong.");
    spoil(&class, 4, everywhere);
    assert_told(&class, "d_value is right; d_query and d_key are wrong.");
    class_close(&class);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tell_where__nothing_to_tell),
        cmocka_unit_test(test_tell_where__by_a_size_of_one),
        cmocka_unit_test(test_tell_where__by_two_sizes),
        cmocka_unit_test(test_tell_where__by_the_names_of_a_few),
        cmocka_unit_test(test_tell_where__by_what_is_true),
        cmocka_unit_test(test_tell_where__by_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
