/* lang/syntax/transcript.h */
#include "testing.h"

#include "commands/command.h"
#include "lang/syntax/sentence.h"
#include "lang/syntax/transcript.h"

static void assert_code(const char *source, const char *code, size_t n_left_out)
{
    struct text read = {0};
    assert_int_equal(transcript_read(source, strlen(source), &read), n_left_out);
    assert_string_equal(text_string(&read), code);
    text_release(&read);
}

static void test_transcript__prompts_are_taken_off(void **state)
{
    (void)state;
    assert_code("attn> A = ones(2, 2)", "A = ones(2, 2)", 0);
    assert_code(">>> A", "A", 0);
    assert_code("  >>> A\r\n>>>\r\n", "A\r\n\r\n", 0);
    assert_code("In [3]: A", "A", 0);
    assert_code("In [ ]: A\nIn [*]: B", "A\nB", 0);
    assert_code("scaling 3/17> A", "A", 0);
    assert_code("queries-keys-values 3/17> ", "", 0);
    assert_code("warm-up> 4\nreview> 5", "4\n5", 0);
    assert_code("... 3]", "3]", 0);
}

static void test_transcript__rows_that_go_on_keep_their_indent(void **state)
{
    (void)state;
    assert_code("attn> sum([1,\n  ... 2])", "sum([1,\n2])", 0);
    assert_code(">>> for i in x:\n...     print(i)\n...\n0\n1", "for i in x:\n    print(i)\n\n\n",
                2);
    assert_code("In [1]: for i in x:\n   ...:     i\n   ...: ", "for i in x:\n    i\n", 0);
    assert_code(">>> x = [1,\n2]\n>>> x", "x = [1,\n2]\nx", 0); /* the bracket leads on */
}

static void test_transcript__what_lines_gave_is_left_out(void **state)
{
    (void)state;
    assert_code("attn> X\n1 2\n3 4\nattn> Y\n5\n", "X\n\n\nY\n\n", 3);
    assert_code("In [1]: x\nOut[1]: 5\n\nIn [2]: y", "x\n\n\ny", 1);
    assert_code("In [1]:\nx = 1\nx\nOut[1]:\n1\nIn [2]: y", "\nx = 1\nx\n\n\ny", 2);
    assert_code("A = 1\nattn> B = 2\nB = 2", "A = 1\nB = 2\n", 1); /* selected from the middle on */
}

static void test_transcript__formulas_stay(void **state)
{
    (void)state;
    static const char *const codes[] = {
        "",          "\n",          "x",      "a > b",       "attn>0.5",
        "attn >= 2", "x[\n..., 0]", "...",    "a>> b",       "x[\n... , 0]",
        "# >>> x",   "In + 1",      "Out[0]", "review >= 1", "a 3/4",
    };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        assert_code(codes[i], codes[i], 0);
}

static void test_transcript__sentences_are_no_formulas(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "what is a query",
        "how do I multiply two matrices?",
        "why are there zeros above the diagonal",
        "What's a head",
        "explain softmax to me",
        "softmax?",
    };
    static const char *const sentences[] = {
        "It hides the future.",
        "it's the mask's job",
        "I think that Q @ K.T compares all pairs",
        "because they see it, all of them",
    };
    static const char *const formulas[] = {
        "why scores[0, 1]",
        "what",
        "how + 1",
        "is = 3",
        "[i for i in range(3) if i > 1]",
        "softmax(Q @ K.T)",
        "help softmax",
        "heat weights",
        "x == y",
        "for i in x: y = i",
        "show x",
        "why what",
        "1 2",
    };
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        assert_true(sentence_asks(command_find, questions[i], strlen(questions[i])));
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++) {
        assert_true(sentence_is(command_find, sentences[i], strlen(sentences[i])));
        assert_false(sentence_asks(command_find, sentences[i], strlen(sentences[i])));
    }
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        assert_false(sentence_is(command_find, formulas[i], strlen(formulas[i])));
        assert_false(sentence_asks(command_find, formulas[i], strlen(formulas[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transcript__prompts_are_taken_off),
        cmocka_unit_test(test_transcript__rows_that_go_on_keep_their_indent),
        cmocka_unit_test(test_transcript__what_lines_gave_is_left_out),
        cmocka_unit_test(test_transcript__formulas_stay),
        cmocka_unit_test(test_transcript__sentences_are_no_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
