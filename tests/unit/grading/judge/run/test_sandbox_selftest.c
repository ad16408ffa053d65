/* judge/run/sandbox_selftest.h: the self-test passes with all layers, and notices each that is
 * missing. */
#include "testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "judge/run/sandbox_selftest.h"

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

static void assert_needs(unsigned missing, bool is_root, const char *wanted)
{
    struct text text = {0};
    layers_needed(USUAL_LAYERS & ~missing, is_root, &text);
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
}

/* By hand, from the table in docs/security.md. Control groups are missing all along, and are named
 * only where they would help. */
static void test_probe__what_is_needed_is_named_and_nothing_else(void **state)
{
    (void)state;
    assert_needs(0, false, "");
    assert_needs(LAYER_LANDLOCK, false, "");
    assert_needs(LAYER_NAMESPACES | LAYER_ROOT, true, "");
    assert_needs(LAYER_SECCOMP, false, "seccomp");
    assert_needs(LAYER_SECCOMP | LAYER_LANDLOCK, false, "seccomp"); /* its own root is enough */
    assert_needs(LAYER_UID, false, "uid");
    assert_needs(LAYER_RLIMITS | LAYER_SECCOMP, true, "rlimits and seccomp");
    assert_needs(LAYER_LANDLOCK | LAYER_ROOT, false, "either root, or landlock");
    assert_needs(LAYER_LANDLOCK | LAYER_ROOT | LAYER_SECCOMP, false,
                 "seccomp, and either root, or landlock");
    assert_needs(LAYER_NAMESPACES | LAYER_ROOT, false,
                 "either namespaces, or cgroup, or a start as root");
    assert_needs(LAYER_NAMESPACES | LAYER_ROOT | LAYER_LANDLOCK, true,
                 "either namespaces and root, or landlock");
    assert_needs(LAYER_NAMESPACES | LAYER_ROOT | LAYER_LANDLOCK, false,
                 "either namespaces and root, or namespaces and landlock, or landlock and cgroup, "
                 "or landlock and a start as root");
}

/* For all combinations: something is named exactly where they are weak, only what is missing, all
 * of it together is enough, and nothing is named that changes nothing. */
static void test_probe__what_is_needed_is_missing_and_enough(void **state)
{
    bool is_root = geteuid() == 0;
    (void)state;
    for (unsigned layers = 0; layers <= LAYERS_ALL; layers++) {
        struct text text = {0};
        unsigned needed = layers_needed(layers, is_root, &text);
        bool is_weak = layers_isolation(layers) == ISOLATION_WEAK;
        assert_int_equal(text.size > 0, is_weak);
        assert_int_equal(needed & layers, 0);
        assert_int_not_equal(layers_isolation(layers | needed), ISOLATION_WEAK);
        for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1) {
            bool helps = false; /* with some others it is what makes the difference */
            for (unsigned more = 0; more <= LAYERS_ALL && is_weak; more++)
                helps = helps || (layers_isolation(layers | more) == ISOLATION_WEAK &&
                                  layers_isolation(layers | more | bit) != ISOLATION_WEAK);
            assert_int_equal((needed & bit) != 0, helps && !(layers & bit));
        }
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe__all_pass_with_all_layers),
        cmocka_unit_test(test_probe__a_missing_filter_is_noticed),
        cmocka_unit_test(test_probe__missing_limits_are_noticed),
        cmocka_unit_test(test_probe__a_compiler_that_makes_nothing_is_an_error),
        cmocka_unit_test(test_probe__isolation_follows_the_table),
        cmocka_unit_test(test_probe__what_is_needed_is_named_and_nothing_else),
        cmocka_unit_test(test_probe__what_is_needed_is_missing_and_enough),
    };
    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
