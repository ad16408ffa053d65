/* compile/compiler_messages.h: the shipped file is sound, and what is wrong in one is told by its
 * line. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "compile/compiler_messages.h"

static void assert_explained_at(const struct compiler_hints *hints, const char *message,
                                const char *line, const char *wanted)
{
    struct compiler_hint_context context = {"softmax_rows", "void softmax_rows(size_t rows);",
                                            line};
    struct text text = {.bytes = NULL};
    bool found = compiler_hints_explain(hints, message, &context, &text);
    assert_int_equal(found, wanted[0] != '\0');
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
}

static void assert_explained(const struct compiler_hints *hints, const char *message,
                             const char *wanted)
{
    assert_explained_at(hints, message, "", wanted);
}

static void fill_wildcards(const char *pattern, struct text *text)
{
    for (const char *at = pattern; *at != '\0'; at++)
        if (*at == '%' || *at == '~')
            text_put(text, "zz");
        else
            text_char(text, *at);
}

static void test_compiler_hints__the_shipped_file_is_sound(void **state)
{
    struct compiler_hints hints;
    struct error error;
    (void)state;
    if (!compiler_hints_open(getenv("ATTN_DATA_DIR"), &hints, &error))
        fail_msg("%s", error.text);
    assert_true(hints.n_headers >= 8 && hints.n_names >= 29 && hints.n_hints >= 60);
    unsigned n_patterns = 0;
    for (unsigned i = 0; i < hints.n_hints; i++)
        n_patterns += hints.hints[i].n_when;
    assert_true(n_patterns >= 123);
    assert_explained(&hints, "nothing that a compiler would say", "");
    compiler_hints_release(&hints);
}

/* A pattern that comes after a more general one could never speak. */
static void test_compiler_hints__each_pattern_of_the_shipped_file_is_reached(void **state)
{
    struct compiler_hints hints;
    struct error error;
    (void)state;
    assert_true(compiler_hints_open(getenv("ATTN_DATA_DIR"), &hints, &error));
    for (unsigned i = 0; i < hints.n_hints; i++)
        for (unsigned k = 0; k < hints.hints[i].n_when; k++) {
            /* The pattern with its wildcards filled in is a message that it matches. */
            struct text message = {.bytes = NULL}, line = {.bytes = NULL}, one = {.bytes = NULL},
                        all = {.bytes = NULL};
            fill_wildcards(hints.hints[i].when[k], &message);
            if (hints.hints[i].n_line_has > 0)
                fill_wildcards(hints.hints[i].line_has[0], &line);
            struct compiler_hint_context context = {
                "softmax_rows", "void softmax_rows(size_t rows);", text_string(&line)};
            struct compiler_hints alone = {.hints = &hints.hints[i], .n_hints = 1};
            assert_true(compiler_hints_explain(&alone, text_string(&message), &context, &one));
            assert_true(compiler_hints_explain(&hints, text_string(&message), &context, &all));
            if (strcmp(text_string(&one), text_string(&all)) != 0)
                fail_msg("line %u: \"%s\" is never reached: \"%s\"", hints.hints[i].row,
                         hints.hints[i].when[k], text_string(&all));
            text_release(&message);
            text_release(&line);
            text_release(&one);
            text_release(&all);
        }
    compiler_hints_release(&hints);
}

/* A function of another language explains a call, and no variable of that name. */
static void test_compiler_hints__functions_explain_only_calls(void **state)
{
    static const char text[] = "headers: {math.h: expf}\n"
                               "names: {None: C writes NULL.}\n"
                               "functions: {sum: C has no sum().}\n"
                               "hints:\n"
                               "- when: [\"'%' undeclared\"]\n"
                               "  is_name: true\n"
                               "  say: \"%1 is not declared.\"\n"
                               "- when: [\"no function '%'\"]\n"
                               "  is_call: true\n"
                               "  say: \"%1 is called too early.\"\n";
    struct compiler_hints hints;
    struct error error;
    (void)state;
    assert_true(compiler_hints_read("h.yaml", text, strlen(text), &hints, &error));
    assert_explained(&hints, "'sum' undeclared", "sum is not declared.");
    assert_explained(&hints, "no function 'sum'", "C has no sum().");
    assert_explained(&hints, "no function 'None'", "C writes NULL.");
    assert_explained(&hints, "no function 'total'", "total is called too early.");
    assert_explained(&hints, "no function 'expf'",
                     "expf needs #include <math.h> at the top of the file.");
    compiler_hints_release(&hints);
}

/* Some messages mean something else where the line has a sign of C++. */
static void test_compiler_hints__a_hint_may_be_for_some_lines_only(void **state)
{
    static const char text[] = "headers: {math.h: expf}\n"
                               "names: {None: C writes NULL.}\n"
                               "hints:\n"
                               "- when: [\"no value\"]\n"
                               "  line_has: [\"~std::~\", \"~<<~\"]\n"
                               "  say: \"This is C++.\"\n"
                               "- when: [\"no ~\"]\n"
                               "  say: \"Something is missing.\"\n";
    struct compiler_hints hints;
    struct error error;
    (void)state;
    assert_true(compiler_hints_read("h.yaml", text, strlen(text), &hints, &error));
    assert_explained_at(&hints, "no value", "  3 |  std::cout", "This is C++.");
    assert_explained_at(&hints, "no value", "  3 |  cout << x;", "This is C++.");
    assert_explained_at(&hints, "no value", "  3 |  x = ;", "Something is missing.");
    assert_explained_at(&hints, "no ;", "  3 |  std::cout", "Something is missing.");
    assert_explained(&hints, "no value", "Something is missing.");
    compiler_hints_release(&hints);
}

static void test_compiler_hints__the_first_pattern_that_matches_speaks(void **state)
{
    static const char text[] = "headers: {math.h: expf sqrtf}\n"
                               "names: {None: C writes NULL.}\n"
                               "hints:\n"
                               "- when: [\"'%' undeclared~\", \"no '%'\"]\n"
                               "  is_name: true\n"
                               "  counter: \"%1 counts.\"\n"
                               "  say: \"%1 is not declared.\"\n"
                               "- when: [\"'%' is no '%'\"]\n"
                               "  function: \"%f is %p\"\n"
                               "  say: \"%2 before %1.\"\n"
                               "- when: [\"~'%'~\"]\n"
                               "  say: \"Something about %1.\"\n";
    struct compiler_hints hints;
    struct error error;
    (void)state;
    assert_true(compiler_hints_read("h.yaml", text, strlen(text), &hints, &error));
    assert_explained(&hints, "'speed' undeclared (first use)", "speed is not declared.");
    assert_explained(&hints, "no 'speed'", "speed is not declared.");
    assert_explained(&hints, "'i' undeclared here", "i counts.");
    assert_explained(&hints, "'expf' undeclared",
                     "expf needs #include <math.h> at the top of the file.");
    assert_explained(&hints, "'exp' undeclared", "exp is not declared.");
    assert_explained(&hints, "'None' undeclared", "C writes NULL.");
    assert_explained(&hints, "'a' is no 'b'", "b before a.");
    assert_explained(&hints, "'softmax_rows' is no 'b'",
                     "softmax_rows is void softmax_rows(size_t rows);");
    assert_explained(&hints, "it's about 'that', or so", "Something about s about .");
    assert_explained(&hints, "no quotes", "");
    compiler_hints_release(&hints);
}

static void test_compiler_hints__bad_rows_are_told_by_their_line(void **state)
{
    static const struct {
        const char *rows, *fault;
    } trials[] = {
        {"- when: [\"'%' x\"]\n  say: \"%2.\"\n",
         "h.yaml:4: hints: %2 is said, and \"'%' x\" has no such %"},
        {"- when: [\"a\"]\n  say: \"%3.\"\n", "h.yaml:4: hints: after % stands 1, 2, f or p"},
        {"- when: [\"a\"]\n  say: \"All of 100 %\"\n",
         "h.yaml:4: hints: after % stands 1, 2, f or p"},
        {"- when: [\"a\"]\n  say: b\n- when: [\"% % %\"]\n  say: c\n",
         "h.yaml:6: hints: \"% % %\" has more than 2 %"},
        {"- when: [\"a\"]\n  counter: b\n  say: c\n",
         "h.yaml:4: hints: \"a\" has no % for the name"},
        {"- when: [\"a\"]\n", "h.yaml:4: "},
        {"- say: c\n", "h.yaml:4: "},
        {"- when: [\"a\"]\n  say: c\n  speak: d\n", "h.yaml:6: "},
        {"- when: []\n  say: c\n", "h.yaml:4: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct compiler_hints hints;
        struct error error;
        struct text text = {.bytes = NULL};
        text_format(&text, "headers: {math.h: expf}\nnames: {None: NULL}\nhints:\n%s",
                    trials[i].rows);
        assert_false(compiler_hints_read("h.yaml", text_string(&text), text.size, &hints, &error));
        if (strstr(error.text, trials[i].fault) != error.text)
            fail_msg("\"%s\" instead of \"%s\"", error.text, trials[i].fault);
        text_release(&text);
    }
}

static void test_compiler_hints__a_folder_without_them_is_told(void **state)
{
    struct compiler_hints hints;
    struct error error;
    (void)state;
    assert_error(compiler_hints_open(NULL, &hints, &error), error, ERR_FILE);
    assert_error(compiler_hints_open("/nowhere", &hints, &error), error, ERR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_hints__the_shipped_file_is_sound),
        cmocka_unit_test(test_compiler_hints__each_pattern_of_the_shipped_file_is_reached),
        cmocka_unit_test(test_compiler_hints__functions_explain_only_calls),
        cmocka_unit_test(test_compiler_hints__a_hint_may_be_for_some_lines_only),
        cmocka_unit_test(test_compiler_hints__the_first_pattern_that_matches_speaks),
        cmocka_unit_test(test_compiler_hints__bad_rows_are_told_by_their_line),
        cmocka_unit_test(test_compiler_hints__a_folder_without_them_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
