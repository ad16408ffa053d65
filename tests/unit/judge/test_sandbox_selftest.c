/* judge/sandbox_selftest.h: the self-test passes with all layers, and notices each that is
 * missing. */
#include "testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "judge/sandbox_selftest.h"

enum { USUAL_LAYERS = LAYERS_ALL & ~LAYER_CGROUP };

static struct compiler the_compiler(void)
{
    struct compiler compiler = {.family = COMPILER_GCC};
    snprintf(compiler.path, sizeof compiler.path, "/usr/bin/cc");
    return compiler;
}

/* Runs them; which of the six got their verdict, by name. */
static struct text run(unsigned layers, bool *ret_ok)
{
    struct compiler compiler = the_compiler();
    struct selftest_result results[SELFTEST_PROBES];
    struct text right = {0};
    struct error error;
    if (!selftest_run(&compiler, &limits_default, layers, results, ret_ok, &error))
        fail_msg("%s", error.text);
    for (unsigned i = 0; i < SELFTEST_PROBES; i++)
        if (results[i].got == results[i].probe->expects)
            text_format(&right, "%s ", results[i].probe->name);
    return right;
}

static void needs(unsigned layers)
{
    if ((layers_available(NULL) & layers) == layers)
        return;
    print_message("skipped: this machine lacks some layers\n");
    skip();
}

static void test_probe__all_pass_with_all_layers(void **state)
{
    bool ok = false;
    (void)state;
    needs(USUAL_LAYERS);
    struct text right = run(USUAL_LAYERS, &ok);
    assert_string_equal(text_string(&right), "fork socket open spin allocate exit ");
    assert_true(ok);
    text_release(&right);
}

static void test_probe__a_missing_filter_is_noticed(void **state)
{
    bool ok = true;
    (void)state;
    needs(USUAL_LAYERS);
    struct text right = run(USUAL_LAYERS & ~LAYER_SECCOMP, &ok);
    assert_string_equal(text_string(&right), "spin allocate exit ");
    assert_false(ok);
    text_release(&right);
}

static void test_probe__missing_limits_are_noticed(void **state)
{
    bool ok = true;
    (void)state;
    needs(USUAL_LAYERS);
    struct text right = run(USUAL_LAYERS & ~LAYER_RLIMITS, &ok);
    assert_string_equal(text_string(&right), "fork socket open spin exit ");
    assert_false(ok);
    text_release(&right);
}

static void test_probe__a_compiler_that_makes_nothing_is_an_error(void **state)
{
    struct compiler compiler = the_compiler();
    struct selftest_result results[SELFTEST_PROBES];
    struct error error;
    bool ok;
    (void)state;
    snprintf(compiler.path, sizeof compiler.path, "/usr/bin/false");
    assert_error(
        selftest_run(&compiler, &limits_default, layers_available(NULL), results, &ok, &error),
        error, ERR_FILE);
    assert_says(error, "/usr/bin/false");
}

static void test_probe__isolation_follows_the_table(void **state)
{
    const unsigned needed = LAYER_SECCOMP | LAYER_RLIMITS | LAYER_UID;
    enum isolation without_namespaces = geteuid() == 0 ? ISOLATION_REDUCED : ISOLATION_WEAK;
    (void)state;
    assert_int_equal(layers_isolation(LAYERS_ALL), ISOLATION_FULL);
    assert_int_equal(layers_isolation(USUAL_LAYERS), ISOLATION_FULL);
    assert_int_equal(layers_isolation(USUAL_LAYERS & ~LAYER_LANDLOCK), ISOLATION_REDUCED);
    assert_int_equal(layers_isolation(USUAL_LAYERS & ~LAYER_ROOT), ISOLATION_REDUCED);
    assert_int_equal(layers_isolation(needed | LAYER_LANDLOCK | LAYER_CGROUP), ISOLATION_REDUCED);
    assert_int_equal(layers_isolation(needed | LAYER_LANDLOCK), without_namespaces);
    assert_int_equal(layers_isolation(needed | LAYER_CGROUP),
                     ISOLATION_WEAK); /* files can be read */
    assert_int_equal(layers_isolation(needed | LAYER_NAMESPACES), ISOLATION_WEAK);
    assert_int_equal(layers_isolation(needed | LAYER_ROOT | LAYER_CGROUP), ISOLATION_WEAK);
    assert_int_equal(layers_isolation(LAYERS_ALL & ~LAYER_SECCOMP), ISOLATION_WEAK);
    assert_int_equal(layers_isolation(LAYERS_ALL & ~LAYER_RLIMITS), ISOLATION_WEAK);
    assert_int_equal(layers_isolation(LAYERS_ALL & ~LAYER_UID), ISOLATION_WEAK);
    assert_int_equal(layers_isolation(0), ISOLATION_WEAK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe__all_pass_with_all_layers),
        cmocka_unit_test(test_probe__a_missing_filter_is_noticed),
        cmocka_unit_test(test_probe__missing_limits_are_noticed),
        cmocka_unit_test(test_probe__a_compiler_that_makes_nothing_is_an_error),
        cmocka_unit_test(test_probe__isolation_follows_the_table),
    };
    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
