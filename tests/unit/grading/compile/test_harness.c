/* compile/harness_internal.h: the C around a learner's function. */
#include "testing.h"

#include <string.h>

#include "compile/harness_internal.h"

static const char every_kind[] =
    "float all(size_t n, bool on, float p, const float *a, float *b, const bool *c);";

static struct prototype parsed(const char *text)
{
    struct prototype prototype;
    struct error error;
    assert_true(prototype_parse(text, &prototype, &error));
    return prototype;
}

static void call_passes_each_argument_by_its_kind(void **state)
{
    (void)state;
    struct prototype prototype = parsed(every_kind);
    struct text text = {0};
    harness_runner(&prototype, &text);
    assert_non_null(strstr(text_string(&text),
                           "*(float *)arrays[6] = all((size_t)args[0], args[1] != 0, "
                           "number(args[2]), arrays[3], arrays[4], arrays[5]);"));
    text_release(&text);
}

static void runner_holds_nothing_of_ours(void **state)
{
    (void)state;
    struct prototype prototype = parsed("void f(size_t n, float *a);");
    struct text text = {0};
    harness_runner(&prototype, &text);
    assert_null(strstr(text_string(&text), "#include \""));
    assert_non_null(strstr(text_string(&text), "struct wire_request {"));
    assert_non_null(strstr(text_string(&text), "int main(void)"));
    text_release(&text);
}

static void no_memory_is_said(void **state)
{
    (void)state;
    struct prototype prototype = parsed("void f(size_t n, float *a);");
    struct text text = {0};
    testing_fail_allocation(1);
    harness_runner(&prototype, &text);
    testing_fail_allocation(0);
    assert_true(text.failed);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(call_passes_each_argument_by_its_kind),
        cmocka_unit_test(runner_holds_nothing_of_ours),
        cmocka_unit_test(no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
