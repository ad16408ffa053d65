/* judge/repair/c_source_internal.h: words, functions and names of a learner's file. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "judge/repair/c_source_internal.h"

static struct c_source read_text(const char *text)
{
    struct c_source source;
    struct error error;
    if (!c_source_read(text, strlen(text), &source, &error))
        fail_msg("%s", error.text);
    return source;
}

/* The position of the nth word of this spelling, counted from 0. */
static unsigned find(const struct c_source *source, const char *spelling, unsigned nth)
{
    for (unsigned i = 0; i < source->n_words; i++)
        if (c_word_is(&source->words[i], spelling) && nth-- == 0)
            return i;
    fail_msg("there is no such word: %s", spelling);
    return 0;
}

static const struct c_name *name(const struct c_source *source, const char *spelling, unsigned nth)
{
    unsigned at = find(source, spelling, nth);
    return c_name_at(source, &source->functions[0], at, &source->words[at]);
}

static void test_c_source__words_are_whole_signs_and_numbers(void **state)
{
    static const char *const words[] = {"float",  "f",       "(",  "void", ")",  "{",
                                        "return", "1.5e-3f", "+=", "a",    ">=", "b",
                                        "->",     "c",       "++", ";",    "}"};
    struct c_source source =
        read_text("#define A(x) \\\n  ((x) + 1)\nfloat f(void) /* no */ { // no\n"
                  "return 1.5e-3f += a>=b->c++; }\n");
    (void)state;
    assert_int_equal(source.n_code, sizeof words / sizeof *words);
    for (unsigned i = 0; i < source.n_code; i++)
        if (!c_word_is(&source.words[i], words[i]))
            fail_msg("word %u is not %s", i, words[i]);
    assert_int_equal(source.words[0].line, 3);
    assert_int_equal(source.words[7].line, 4);
    /* Then the words of the #define and an empty one. */
    assert_int_equal(source.n_words, source.n_code + 14);
    assert_true(c_word_is(&source.words[source.n_code + 2], "A"));
    assert_int_equal(source.words[source.n_code + 2].line, 1);
    assert_int_equal(source.words[source.n_words - 1].size, 0);
    c_source_release(&source);
}

static void test_c_source__functions_have_names_and_parameters(void **state)
{
    struct c_source source =
        read_text("static float one(float a, const float *b) { return a * *b; }\n"
                  "typedef struct { int n; } shape;\n"
                  "void two(shape s, size_t n, float out[]) { out[n] = s.n; }\n"
                  "void three(void) { }\n");
    (void)state;
    assert_int_equal(source.n_functions, 3);
    assert_true(c_word_is(&source.words[source.functions[1].name], "two"));
    assert_int_equal(source.functions[0].n_params, 2);
    assert_int_equal(source.functions[0].names[0].kind, KIND_FLOAT);
    assert_int_equal(source.functions[0].names[1].kind, KIND_FLOATS);
    assert_true(source.functions[0].names[1].constant);
    assert_int_equal(source.functions[1].n_params, 3);
    assert_int_equal(source.functions[1].names[0].kind, KIND_OTHER);
    assert_int_equal(source.functions[1].names[2].kind, KIND_FLOATS);
    assert_int_equal(source.functions[2].n_params, 0);
    c_source_release(&source);
}

static void test_c_source__a_name_is_known_in_its_block(void **state)
{
    struct c_source source = read_text("void f(size_t n, float *x)\n{\n"
                                       "    for (size_t i = 0; i < n; i++)\n"
                                       "        for (size_t j = 0; j < i; j++) x[i] += x[j];\n"
                                       "    double sum = x[n], more = sum;\n"
                                       "    sum = more;\n}\n");
    (void)state;
    const struct c_name *i = name(&source, "i", 1);
    assert_non_null(i);
    assert_true(i->counts);
    assert_int_equal(i->kind, KIND_INT);
    assert_false(name(&source, "n", 1)->counts);
    unsigned after = find(&source, "more", 1);
    assert_null(
        c_name_at(&source, &source.functions[0], after, &source.words[find(&source, "i", 0)]));
    assert_int_equal(name(&source, "sum", 1)->kind, KIND_FLOAT);
    assert_null(name(&source, "sum", 0)); /* it is not known in its own declaration */
    c_source_release(&source);
}

static void test_c_source__a_statement_ends_with_all_that_it_holds(void **state)
{
    struct c_source source = read_text("void f(int n)\n{\n"
                                       "    if (n) { n = 1; } else n = 2;\n"
                                       "    for (;n;) if (n > 3) n--; else { n = 4; }\n}\n");
    (void)state;
    unsigned end = c_statement_end(&source, find(&source, "if", 0));
    assert_true(c_word_is(&source.words[end - 1], "2"));
    end = c_statement_end(&source, find(&source, "for", 0));
    assert_true(c_word_is(&source.words[end - 2], "4"));
    assert_true(c_word_is(&source.words[end], "}"));
    c_source_release(&source);
}

static void test_c_source__brackets_that_do_not_fit_give_no_functions(void **state)
{
    static const char *const texts[] = {
        "void f(void) { ( }", "}", "void f(void) { ] ", "", "#", "{{{"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct c_source source = read_text(texts[i]);
        assert_int_equal(source.n_functions, 0);
        c_source_release(&source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c_source__words_are_whole_signs_and_numbers),
        cmocka_unit_test(test_c_source__functions_have_names_and_parameters),
        cmocka_unit_test(test_c_source__a_name_is_known_in_its_block),
        cmocka_unit_test(test_c_source__a_statement_ends_with_all_that_it_holds),
        cmocka_unit_test(test_c_source__brackets_that_do_not_fit_give_no_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
