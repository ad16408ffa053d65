/* lang/syntax/lexer.h: from text to tokens. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "lang/syntax/lexer.h"

/* A lexer over a copy in a block of exactly the size of text, so that a tool sees reads past its
 * end. */
struct source {
    char *bytes;
    struct lexer lexer;
};

static struct source source_of(const char *text, size_t size)
{
    struct source source = {.bytes = malloc(size ? size : 1)};
    assert_non_null(source.bytes);
    memcpy(source.bytes, text, size);
    source.lexer = (struct lexer){.source = source.bytes, .size = size};
    return source;
}

/* Writes the tokens of text, split by blanks, behind one another; a newline as \n. */
static void write_tokens(const char *text, char *got, size_t capacity)
{
    struct source source = source_of(text, strlen(text));
    struct token token;
    struct error error;
    size_t used = 0;
    got[0] = '\0';
    for (;;) {
        if (!lexer_next(&source.lexer, &token, &error))
            fail_msg("%s: %s", text, error.text);
        if (token.kind == TOKEN_END)
            break;
        assert_true(token.begin < token.end && token.end <= strlen(text));
        bool newline = token.kind == TOKEN_NEWLINE;
        used += (size_t)snprintf(got + used, capacity - used, "%s%.*s", used ? " " : "",
                                 newline ? 2 : (int)(token.end - token.begin),
                                 newline ? "\\n" : text + token.begin);
        assert_true(used < capacity);
    }
    assert_int_equal(token.begin, strlen(text));
    free(source.bytes);
}

static void assert_tokens(const char *text, const char *expected)
{
    char got[400];
    write_tokens(text, got, sizeof got);
    assert_string_equal(got, expected);
}

/* The whole of text is one token of this kind. */
static void assert_one(const char *text, enum token_kind kind)
{
    struct source source = source_of(text, strlen(text));
    struct token token;
    struct error error;
    if (!lexer_next(&source.lexer, &token, &error))
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(token.kind, kind);
    assert_int_equal(token.begin, 0);
    assert_int_equal(token.end, strlen(text));
    free(source.bytes);
}

/* Some token of text is refused, with this message and at these bytes. */
static void assert_refused(const char *text, size_t size, const char *says, size_t begin,
                           size_t end)
{
    struct source source = source_of(text, size);
    struct token token = {.kind = TOKEN_NAME};
    struct error error;
    bool ok = true;
    while (ok && token.kind != TOKEN_END)
        ok = lexer_next(&source.lexer, &token, &error);
    assert_error(ok, error, ERR_SYNTAX);
    assert_says(error, says);
    assert_int_equal(error.begin, begin);
    assert_int_equal(error.end, end);
    free(source.bytes);
}

/* Numbers as Python writes them: docs.python.org, Lexical analysis, 2.4. */
static void test_lexer__numbers(void **state)
{
    (void)state;
    const char *const numbers[] = {"0",    "12",    "1.5",  ".5",    "1.",      "1e9",  "1E9",
                                   "1e-9", "1.e+3", ".5e2", "1_000", "1_0.0_1", "1e1_0"};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        assert_one(numbers[i], TOKEN_NUMBER);
}

static void test_lexer__a_number_ends_where_no_digit_follows(void **state)
{
    (void)state;
    assert_tokens("1e", "1 e");
    assert_tokens("1e+", "1 e +");
    assert_tokens("1__0", "1 __0");
    assert_tokens("1_", "1 _");
    assert_tokens("1..2", "1. .2");
    assert_tokens("1.T", "1. T");
    assert_tokens("2x", "2 x");
    assert_tokens("x.5", "x .5");
    assert_tokens("x[1:2]", "x [ 1 : 2 ]");
}

static void test_lexer__names_in_any_script(void **state)
{
    (void)state;
    const char *const names[] = {
        "x",         "_", "W_q1", "gr\xC3\xB6\xC3\x9F", "\xCE\xB1\xCE\xB2", "\xE5\x80\xBC",
        "x\xC2\xB2", /* x and a raised 2 */
        "e\xCC\x81" /* e and a combining accent */};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_one(names[i], TOKEN_NAME);
    assert_refused("\xC2\xB2x", 3, "\xC2\xB2", 0, 2); /* a raised 2 starts no name */
}

static void test_lexer__signs_are_as_long_as_they_can_be(void **state)
{
    (void)state;
    assert_tokens("a**b*c//d/e", "a ** b * c // d / e");
    assert_tokens("a==b=c!=d<=e<f>=g>h", "a == b = c != d <= e < f >= g > h");
    assert_tokens("a+=b-=c*=d/=e", "a += b -= c *= d /= e");
    assert_tokens("x[...,::2]", "x [ ... , : : 2 ]");
    assert_tokens("~a&b|c%d@e.T;f", "~ a & b | c % d @ e . T ; f");
    assert_tokens("a***b", "a ** * b");
}

static void test_lexer__texts_keep_their_quotes_and_escapes(void **state)
{
    (void)state;
    assert_one("\"a b\"", TOKEN_STRING);
    assert_one("'a \"b\" c'", TOKEN_STRING);
    assert_one("\"\"", TOKEN_STRING);
    assert_one("'it\\'s'", TOKEN_STRING);
    assert_one("\"back\\\\\"", TOKEN_STRING);
    assert_one("\"# no comment; (\"", TOKEN_STRING);
    assert_tokens("\"a\"\"b\"", "\"a\" \"b\"");
}

static void test_lexer__a_text_that_is_not_closed(void **state)
{
    (void)state;
    assert_refused("x = \"abc", 8, "add \"", 4, 5);
    assert_refused("'abc\n'", 6, "add '", 0, 1);
    assert_refused("\"abc\\\"", 6, "not closed", 0, 1);
    assert_refused("\"abc\\", 5, "not closed", 0, 1);
}

static void test_lexer__bytes_that_are_no_text(void **state)
{
    (void)state;
    assert_refused("1 + \xFF", 5, "0xff", 4, 5);
    assert_refused("a\0b", 3, "NUL", 1, 2);
    assert_refused("\"a\0b\"", 5, "NUL", 2, 3);
    assert_refused("\"caf\xE9\"", 6, "0xe9: this is not UTF-8", 4, 5);
    assert_refused("\xC3", 1, "0xc3", 0, 1);
    assert_refused("\xED\xA0\x80", 3, "0xed", 0, 1); /* half of a surrogate pair */
    assert_tokens("1 # \xFF is fine in a comment", "1");
}

static void test_lexer__characters_pasted_from_papers_come_with_advice(void **state)
{
    (void)state;
    assert_refused("x ^ 2", 5, "**", 2, 3);
    assert_refused("3 \xC3\x97 4", 6, "* or @", 2, 4);
    assert_refused("\xE2\x88\x92"
                   "1",
                   4, "write -", 0, 3);
    assert_refused("\xE2\x88\x9A"
                   "2",
                   4, "sqrt(", 0, 3);
    assert_refused("\xE2\x80\x9C"
                   "a",
                   4, "curly quote", 0, 3);
    assert_refused("a ! b", 5, "~", 2, 3);
    assert_refused("{1}", 3, "[ ]", 0, 1);
    assert_refused("1 \xF0\x9F\x98\x80", 6, "no meaning here", 2, 6);
}

static void test_lexer__comments_and_blanks_are_nothing(void **state)
{
    (void)state;
    assert_tokens("", "");
    assert_tokens(" \t\r", "");
    assert_tokens("# all of it ( [ \"", "");
    assert_tokens("a # one\nb", "a \\n b");
}

static void test_lexer__a_newline_inside_brackets_is_a_blank(void **state)
{
    (void)state;
    assert_tokens("a\nb", "a \\n b");
    assert_tokens("f(a,\n[b\n]\n)\nc", "f ( a , [ b ] ) \\n c");
    assert_tokens("(a # why\n)", "( a )");
    assert_tokens(")\n(\n)", ") \\n ( )"); /* a bracket too many opens nothing */
}

static void assert_line(const char *source, size_t length, bool open)
{
    bool got_open;
    char *copy = malloc(strlen(source) ? strlen(source) : 1);
    assert_non_null(copy);
    memcpy(copy, source, strlen(source));
    assert_int_equal(lexer_line(copy, strlen(source), &got_open), length);
    assert_int_equal(got_open, open);
    free(copy);
}

static void test_lexer__a_line_reaches_to_the_newline_outside_brackets(void **state)
{
    (void)state;
    assert_line("", 0, false);
    assert_line("a", 1, false);
    assert_line("a\nb\n", 2, false);
    assert_line("f(\n1)\nb", 6, false);
    assert_line("[[1,\n2],\n[3]]\nb", 14, false);
    assert_line("a # (\nb", 6, false);
    assert_line("\"(\"\nb", 4, false);
    assert_line("'\\'('\nb", 6, false);
    assert_line(")\nb", 2, false);
}

static void test_lexer__a_line_that_is_still_open(void **state)
{
    (void)state;
    assert_line("f(", 2, true);
    assert_line("f(\n", 3, true);
    assert_line("[1, # ]\n2", 9, true);
    assert_line("([]", 3, true);
}

/* A text that is not closed, and a bracket that closes another kind: the line ends with its row,
 * and the parser tells. It keeps nothing open. */
static void test_lexer__what_no_further_row_could_mend_keeps_nothing_open(void **state)
{
    (void)state;
    assert_line("f(\"abc\nb", 7, false);
    assert_line("([)\nb", 4, false);
    assert_line("(])(\nb", 5, false);
    assert_line("f(1))\nb", 6, false);
}

/* What a colon at a line's end opens is one line, however it goes on. */
static void test_lexer__an_indented_body_belongs_to_its_line(void **state)
{
    (void)state;
    static const char *const wholes[] = {
        "for i in x:\n  y\n",
        "for i in x: # why\n  for j in y:\n\n    z\n  # end\n  w\n",
        "if a:\n  b\nelif c:\n  d\nelse:\n  e\n",
        "try:\n\tb\nexcept E as e:\n\td\nfinally:\n\te\n",
        "@a\n@b(1)\n# c\ndef f(x,\n y):\n  return x\n",
        "class A(B):\n  \"\"\"(\nx\n\"\"\"\n  def f(self):\n    return g(\n1)\n",
        "  with a:\n    b\n",
    };
    char source[200];
    for (size_t i = 0; i < sizeof wholes / sizeof wholes[0]; i++) {
        struct lexer_construct construct;
        assert_line(wholes[i], strlen(wholes[i]), false);
        snprintf(source, sizeof source, "%s\n  # after\nx = 1\n", wholes[i]);
        assert_line(source, strlen(wholes[i]), false);
        assert_true(lexer_construct(wholes[i], strlen(wholes[i]), &construct));
    }
    assert_line("for i in x:\ny", 12, false); /* no body */
    assert_line("for i in x: y\n  z", 14, false);
    assert_line("x[1:]\n  z", 6, false);
    assert_line("  a\n  b\n", 4, false); /* an indented block, without what is above it */
    assert_line("  for i in x:\n  b\n", 14, false);
}

static void test_lexer__a_construct_is_named_with_its_rows(void **state)
{
    (void)state;
    struct lexer_construct construct;
    static const char line[] = "@cached\ndef f(x):\n  y = x\n\n  return y";
    assert_true(lexer_construct(line, strlen(line), &construct));
    assert_int_equal(construct.n_below, 3);
    assert_memory_equal(line + construct.begin, "def", construct.end - construct.begin);
    assert_false(lexer_construct("for i in x:\n", 12, &construct));
    assert_false(lexer_construct("x = 1", 5, &construct));
    assert_true(lexer_may_go_on("for i in x:", 11));
    assert_true(lexer_may_go_on("@cached", 7));
    assert_false(lexer_may_go_on("x[1:]", 5));
}

/* Brackets far deeper than the parser goes are still counted. */
static void test_lexer__a_line_of_a_thousand_brackets(void **state)
{
    (void)state;
    enum { N = 1000 };
    char line[2 * N + 2];
    memset(line, '(', N);
    memset(line + N, ')', N);
    line[2 * N] = '\n';
    line[2 * N + 1] = '\0';
    assert_line(line, 2 * N + 1, false);
    line[2 * N - 1] = '\n';
    assert_line(line, 2 * N + 1, true);
}

/* Whatever the bytes: the tokens follow each other inside the source, or one is refused at a place
 * inside it, and the line that lexer_line() cuts off is never empty. */
static void test_lexer__any_bytes_end_in_tokens_or_in_a_message(void **state)
{
    (void)state;
    static const char bytes[] = "ab1.e_\"'\\\n #([)],;+*=:\xC3\xA4\xE2\x88\x92\xFF\0";
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        char text[24];
        size_t size = testing_between(&random, 0, sizeof text), at = 0;
        for (size_t i = 0; i < size; i++)
            text[i] = bytes[testing_between(&random, 0, sizeof bytes - 1)];
        struct source source = source_of(text, size);
        struct token token = {.kind = TOKEN_NAME};
        struct error error = {.kind = ERR_NONE};
        while (token.kind != TOKEN_END && lexer_next(&source.lexer, &token, &error)) {
            assert_true(token.begin >= at && token.end >= token.begin && token.end <= size);
            assert_true(token.end > token.begin || token.kind == TOKEN_END);
            at = token.end;
        }
        if (error.kind != ERR_NONE)
            assert_true(error.begin >= at && error.end > error.begin && error.end <= size);
        bool open;
        size_t length = lexer_line(source.bytes, size, &open);
        assert_true(length <= size && (length > 0 || size == 0));
        free(source.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexer__numbers),
        cmocka_unit_test(test_lexer__a_number_ends_where_no_digit_follows),
        cmocka_unit_test(test_lexer__names_in_any_script),
        cmocka_unit_test(test_lexer__signs_are_as_long_as_they_can_be),
        cmocka_unit_test(test_lexer__texts_keep_their_quotes_and_escapes),
        cmocka_unit_test(test_lexer__a_text_that_is_not_closed),
        cmocka_unit_test(test_lexer__bytes_that_are_no_text),
        cmocka_unit_test(test_lexer__characters_pasted_from_papers_come_with_advice),
        cmocka_unit_test(test_lexer__comments_and_blanks_are_nothing),
        cmocka_unit_test(test_lexer__a_newline_inside_brackets_is_a_blank),
        cmocka_unit_test(test_lexer__a_line_reaches_to_the_newline_outside_brackets),
        cmocka_unit_test(test_lexer__a_line_that_is_still_open),
        cmocka_unit_test(test_lexer__what_no_further_row_could_mend_keeps_nothing_open),
        cmocka_unit_test(test_lexer__an_indented_body_belongs_to_its_line),
        cmocka_unit_test(test_lexer__a_construct_is_named_with_its_rows),
        cmocka_unit_test(test_lexer__a_line_of_a_thousand_brackets),
        cmocka_unit_test(test_lexer__any_bytes_end_in_tokens_or_in_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
