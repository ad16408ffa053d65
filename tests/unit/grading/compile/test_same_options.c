/* compile/same_options_internal.h: pragmas and attributes that change how a function is optimised.
 * The texts are what gcc -E and clang -E print for the source that is told beside them. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "compile/same_options_internal.h"

#define BEGIN "# 0 \"submission.c\"\n# 1 \"./exercise.h\" 1\nint x;\n# 1 \"submission.c\"\n"
#define HEADER "# 1 \"/usr/include/x.h\" 1 3 4\n"
#define BACK "# 2 \"submission.c\" 2\n"

static void check_refused(const char *text, unsigned line, const char *what)
{
    struct option_fault fault = same_options_check(text, strlen(text));
    if (fault.line != line || strcmp(fault.what, what) != 0)
        fail_msg("%s: line %u \"%s\", not line %u \"%s\"", text, fault.line, fault.what, line,
                 what);
}

static void test_options__pragmas_are_refused_by_their_line(void **state)
{
    (void)state;
    check_refused(BEGIN "#pragma GCC optimize(\"O3\")\n", 1, "#pragma GCC optimize");
    check_refused(BEGIN "int y;\n\n#pragma GCC target(\"avx2\")\n", 3, "#pragma GCC target");
    check_refused(BEGIN "# 40 \"submission.c\"\n#pragma GCC optimize(\"O3\")\n", 40,
                  "#pragma GCC optimize"); /* _Pragma in a macro */
    check_refused(BEGIN "  #  pragma GCC  optimize (\"O3\")\n", 1, "#pragma GCC optimize");
    check_refused(BEGIN "#pragma clang fp reassociate(on)\n", 1, "#pragma clang fp");
    check_refused(BEGIN "#pragma clang loop vectorize(enable)\n", 1, "#pragma clang loop");
    check_refused(BEGIN "#pragma clang attribute push(x)\n", 1, "#pragma clang attribute");
    check_refused(BEGIN "#pragma float_control(precise, off)\n", 1, "#pragma float_control");
    check_refused(BEGIN "#pragma GCC optimize 3", 1, "#pragma GCC optimize");
}

static void test_options__attributes_are_refused_in_all_spellings(void **state)
{
    (void)state;
    static const char optimize[] = "__attribute__((optimize))";
    check_refused(BEGIN "__attribute__((optimize(\"O3\"))) void f(void);\n", 1, optimize);
    check_refused(BEGIN "void f(void) __attribute((__optimize__(3)));\n", 1, optimize);
    check_refused(BEGIN "__attribute__\n(\n(hot, aligned(8) ,\noptimize(3))) int f;\n", 4,
                  optimize);
    check_refused(BEGIN "[[gnu::optimize(3)]] int f;\n", 1, optimize);
    check_refused(BEGIN "<:[ __gnu__ :: __optimize__ (3)]] int f;\n", 1, optimize);
    check_refused(BEGIN "__attribute__((target(\"avx2\"))) int f;\n", 1, "__attribute__((target))");
    check_refused(BEGIN "__attribute__((__target_clones__(\"avx2\"))) int f;\n", 1,
                  "__attribute__((target_clones))");
    check_refused(BEGIN "[[clang::cpu_specific(haswell)]] int f;\n", 1,
                  "__attribute__((cpu_specific))");
}

static void test_options__headers_may_name_a_processor_and_nothing_else(void **state)
{
    (void)state;
    check_refused(BEGIN HEADER "#pragma GCC push_options\n#pragma GCC target(\"avx2\")\n"
                               "int y;\n#pragma GCC pop_options\n" BACK "int z;\n",
                  0, "");
    check_refused(BEGIN HEADER "int y __attribute__((__target__(\"avx2\")));\n" BACK, 0, "");
    /* a marker that a learner wrote, and a header that a learner's macro changes */
    check_refused(BEGIN HEADER "#pragma GCC optimize(\"O3\")\n" BACK, 1, "#pragma GCC optimize");
    check_refused(BEGIN HEADER "int y __attribute__((optimize(3)));\n" BACK, 1,
                  "__attribute__((optimize))");
    check_refused(BEGIN HEADER "#pragma clang loop vectorize(enable)\n", 1, "#pragma clang loop");
    /* back in the learner's file, and one that only calls itself a header */
    check_refused(BEGIN HEADER BACK "#pragma GCC target(\"avx2\")\n", 2, "#pragma GCC target");
    check_refused(BEGIN "# 7 \"/usr/include/x.h\"\n#pragma GCC target(\"avx2\")\n", 7,
                  "#pragma GCC target");
}

static void test_options__all_else_is_allowed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        BEGIN "char *s = \"\\\"#pragma GCC optimize(3) __attribute__((optimize(3)))\";\n",
        BEGIN "int optimize(int target); int y = optimize(target);\n",
        BEGIN "int y = target ? optimize : target;\n",
        BEGIN "typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));\n",
        BEGIN "__attribute__((always_inline, hot, pure, aligned(target))) int f(void);\n",
        BEGIN "[[gnu::always_inline]] int f(void);\n",
        BEGIN "#pragma GCC ivdep\n#pragma GCC unroll 8\n#pragma unroll\n#pragma omp simd\n",
        BEGIN "#pragma STDC FP_CONTRACT ON\n#pragma GCC diagnostic push\n#pragma once\n#pragma\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        check_refused(texts[i], 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options__pragmas_are_refused_by_their_line),
        cmocka_unit_test(test_options__attributes_are_refused_in_all_spellings),
        cmocka_unit_test(test_options__headers_may_name_a_processor_and_nothing_else),
        cmocka_unit_test(test_options__all_else_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
