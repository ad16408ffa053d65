/* compile/compiler_messages.h: what a learner gets to see of a
 * compiler's words. The input is what gcc 12 and clang 14 print, or newer ones as their release
 * notes tell. */
#include "compile_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "compile/compiler_messages.h"

struct reading {
    struct text messages, plain;
    char detail[64];
};

static struct prototype softmax_rows(void)
{
    struct prototype prototype;
    if (!prototype_parse("void softmax_rows(size_t rows, const float *scores, float *weights);",
                         &prototype, NULL))
        fail();
    return prototype;
}

static struct reading read_as(const char *file_name, const char *printed, size_t size, bool failed)
{
    struct reading reading = {.detail = ""};
    struct prototype prototype = softmax_rows();
    struct compiler_messages_plan plan = {&prototype, &limits_default, testing_hints(), file_name,
                                          failed};
    compiler_messages_read(&plan, printed, size, &reading.messages, &reading.plain);
    assert_false(reading.messages.failed);
    return reading;
}

static struct reading read_failed(const char *printed)
{
    return read_as("anna.c", printed, strlen(printed), true);
}

static struct reading read_link(const char *printed)
{
    struct reading reading = {.detail = "?"};
    struct prototype prototype = softmax_rows();
    struct compiler_messages_plan plan = {&prototype, &limits_default, testing_hints(), "anna.c",
                                          true};
    compiler_messages_read_link(&plan, printed, strlen(printed), &reading.messages, &reading.plain,
                                reading.detail, sizeof reading.detail);
    return reading;
}

static void release(struct reading *reading)
{
    text_release(&reading->messages);
    text_release(&reading->plain);
}

static void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
}

/* ---- trimming ---- */

static void test_compiler_messages__gcc_is_trimmed_to_the_learners_file(void **state)
{
    (void)state;
    struct reading reading = read_failed(
        "submission.c: In function 'softmax_rows':\n"
        "submission.c:3:10: error: 'k' undeclared (first use in this function)\n"
        "    3 |     for (k = 0; k < rows; k++)\n"
        "      |          ^\n"
        "submission.c:3:10: note: each undeclared identifier is reported only once for each "
        "function it appears in\n"
        "submission.c:1:58: warning: unused parameter 'scores' [-Wunused-parameter]\n"
        "    1 | void softmax_rows(size_t rows, const float *scores, float *weights)\n"
        "cc1: some warnings being treated as errors\n");
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:3:10: error: 'k' undeclared (first use in this function)\n"
                        "    3 |     for (k = 0; k < rows; k++)\n"
                        "      |          ^\n");
    assert_string_equal(text_string(&reading.plain),
                        "Line 3: k is not declared. A variable gets its type where it first "
                        "appears: size_t k = 0.");
    release(&reading);
}

static void test_compiler_messages__clang_keeps_its_carets_and_the_brace_it_speaks_of(void **state)
{
    (void)state;
    struct reading reading = read_failed("submission.c:5:2: error: expected '}'\n"
                                         "}\n"
                                         " ^\n"
                                         "submission.c:2:1: note: to match this '{'\n"
                                         "{\n"
                                         "^\n"
                                         "1 error generated.\n");
    assert_string_equal(text_string(&reading.messages), "anna.c:5:2: error: expected '}'\n"
                                                        "}\n"
                                                        " ^\n"
                                                        "anna.c:2:1: note: to match this '{'\n"
                                                        "{\n"
                                                        "^\n");
    assert_contains(text_string(&reading.plain), "Line 5: The file ends too early");
    release(&reading);
}

static void test_compiler_messages__notes_about_the_exercises_header_are_left_out(void **state)
{
    (void)state;
    struct reading reading = read_failed(
        "submission.c:1:6: error: conflicting types for 'softmax_rows'; have 'void(int)'\n"
        "    1 | void softmax_rows(int rows)\n"
        "      |      ^~~~~~~~~~~~\n"
        "In file included from <command-line>:\n"
        "./exercise.h:3:6: note: previous declaration of 'softmax_rows' with type 'void(size_t)'\n"
        "    3 | void softmax_rows(size_t rows);\n"
        "      |      ^~~~~~~~~~~~\n");
    assert_string_equal(
        text_string(&reading.messages),
        "anna.c:1:6: error: conflicting types for 'softmax_rows'; have 'void(int)'\n"
        "    1 | void softmax_rows(int rows)\n"
        "      |      ^~~~~~~~~~~~\n");
    assert_contains(text_string(&reading.plain),
                    "void softmax_rows(size_t rows, const float *scores, float *weights);");
    release(&reading);
}

static void test_compiler_messages__an_error_in_a_header_is_told_where_it_is_included(void **state)
{
    (void)state;
    struct reading reading =
        read_failed("In file included from /usr/include/a/secret.h:27,\n"
                    "                 from submission.c:4:\n"
                    "/usr/include/a/secret.h:9:1: error: unknown type name 'root'\n"
                    "    9 | root:x:0:0:root:/root:/bin/bash\n"
                    "      | ^~~~\n"
                    "submission.c:6:1: error: expected identifier or '(' before '{' token\n");
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:4: in secret.h, included here: error: unknown type name 'root'\n"
                        "anna.c:6:1: error: expected identifier or '(' before '{' token\n");
    assert_contains(text_string(&reading.plain), "Line 4: ");
    release(&reading);
}

static void test_compiler_messages__warnings_stay_when_the_build_worked(void **state)
{
    (void)state;
    const char printed[] =
        "submission.c: In function 'softmax_rows':\n"
        "submission.c:5:22: warning: left-hand operand of comma expression has no effect "
        "[-Wunused-value]\n"
        "    5 |     weights[i, j] = 0;\n"
        "/usr/include/math.h:1:1: warning: something else\n";
    struct reading reading = read_as("anna.c", printed, strlen(printed), false);
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:5:22: warning: left-hand operand of comma expression has no effect "
                        "[-Wunused-value]\n    5 |     weights[i, j] = 0;\n");
    assert_contains(text_string(&reading.plain), "x[i * cols + j]");
    release(&reading);
}

static void test_compiler_messages__assembler_and_tcc_are_understood(void **state)
{
    (void)state;
    struct reading reading = read_failed("submission.c: Assembler messages:\n"
                                         "submission.c:2: Error: file not found: /etc/passwd\n");
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:2: Error: file not found: /etc/passwd\n");
    release(&reading);
    reading = read_failed("submission.c:3: error: ';' expected (got \"}\")\n");
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:3: error: ';' expected (got \"}\")\n");
    release(&reading);
}

/* ---- cleaning ---- */

static void test_compiler_messages__nothing_a_terminal_obeys_gets_through(void **state)
{
    (void)state;
    const char printed[] =
        "submission.c:1:1: error: \x1b[31mred\x07 caf\xc3\xa9 \xff \xe2\x80\xae\n"
        "    1 | \x1b]0;title\x07\r\n";
    struct reading reading = read_as("o\x1b[2Jh.c", printed, sizeof printed - 1, true);
    assert_string_equal(text_string(&reading.messages),
                        "o\\x1B[2Jh.c:1:1: error: \\x1B[31mred\\x07 caf\xc3\xa9 \\xFF "
                        "\\xE2\\x80\\xAE\n"
                        "    1 | \\x1B]0;title\\x07\n");
    release(&reading);
}

static void test_compiler_messages__nul_bytes_end_nothing(void **state)
{
    (void)state;
    const char printed[] = "submission.c:1:1: error: a\0b\nsubmission.c:2:1: error: c\n";
    struct reading reading = read_as("anna.c", printed, sizeof printed - 1, true);
    assert_string_equal(text_string(&reading.messages),
                        "anna.c:1:1: error: a\\x00b\nanna.c:2:1: error: c\n");
    release(&reading);
}

static void test_compiler_messages__tabs_keep_the_columns(void **state)
{
    (void)state;
    struct text text = {.bytes = NULL};
    compiler_messages_clean("a\tb\t\tc", 6, &text);
    assert_string_equal(text_string(&text), "a       b               c");
    text_release(&text);
}

static void test_compiler_messages__no_more_than_max_errors(void **state)
{
    (void)state;
    struct text printed = {.bytes = NULL};
    unsigned n = limits_default.max_errors + 7;
    for (unsigned i = 1; i <= n; i++)
        text_format(&printed, "submission.c:%u:1: error: wrong\n    x\n    ^\n", i);
    struct reading reading = read_as("anna.c", printed.bytes, printed.size, true);
    size_t lines = 0;
    for (const char *at = text_string(&reading.messages); *at != '\0'; at++)
        lines += *at == '\n';
    assert_int_equal(lines, 3 * limits_default.max_errors + 1);
    assert_contains(text_string(&reading.messages), "(and 7 more)\n");
    release(&reading);
    text_release(&printed);
}

static void test_compiler_messages__the_text_is_bounded(void **state)
{
    (void)state;
    struct text printed = {.bytes = NULL};
    for (unsigned i = 0; i < 20; i++) {
        text_format(&printed, "submission.c:%u:1: error: ", i + 1);
        text_repeat(&printed, "\x01", 100000);
        text_put(&printed, "\n");
        for (unsigned j = 0; j < 100; j++)
            text_put(&printed, "    quoted\n");
    }
    struct reading reading = read_as("anna.c", printed.bytes, printed.size, true);
    assert_true(reading.messages.size < limits_default.text_kept_bytes + 4096);
    assert_contains(text_string(&reading.messages), "...\n");
    release(&reading);
    text_release(&printed);
}

/* ---- plain sentences ---- */

/* A message as each compiler words it, and what the sentence must say. */
static const struct {
    const char *gcc, *clang, *sentence;
} common[] = {
    {"'i' undeclared (first use in this function)", "use of undeclared identifier 'i'",
     "size_t i = 0"},
    {"'total' undeclared (first use in this function); did you mean 'totals'?",
     "use of undeclared identifier 'total'; did you mean 'totals'?", "total is not declared"},
    {"'INFINITY' undeclared (first use in this function)",
     "use of undeclared identifier 'INFINITY'", "#include <math.h>"},
    {"'FLT_MAX' undeclared here (not in a function)", "use of undeclared identifier 'FLT_MAX'",
     "#include <float.h>"},
    {"'True' undeclared (first use in this function)", "use of undeclared identifier 'True'",
     "true"},
    {"implicit declaration of function 'expf' [-Werror=implicit-function-declaration]",
     "implicitly declaring library function 'expf' with type 'float (float)' "
     "[-Werror,-Wimplicit-function-declaration]",
     "#include <math.h>"},
    {"implicit declaration of function 'malloc' [-Werror=implicit-function-declaration]",
     "call to undeclared library function 'malloc' with type 'void *(unsigned long)'; ISO C99 and "
     "later do not support implicit function declarations",
     "#include <stdlib.h>"},
    {"implicit declaration of function 'helper' [-Werror=implicit-function-declaration]",
     "call to undeclared function 'helper'; ISO C99 and later do not support implicit function "
     "declarations",
     "helper is called before"},
    {"conflicting types for 'softmax_rows'; have 'void(int)'",
     "conflicting types for 'softmax_rows'", "exactly as the task says"},
    {"static declaration of 'softmax_rows' follows non-static declaration",
     "static declaration of 'softmax_rows' follows non-static declaration", "Leave static away"},
    {"static declaration of 'helper' follows non-static declaration",
     "static declaration of 'helper' follows non-static declaration", "Move its definition up"},
    {"redefinition of 'softmax_rows'", "redefinition of 'softmax_rows'", "twice"},
    {"redefinition of 'sum'", "redefinition of 'sum'", "sum is declared twice"},
    {"conflicting types for 'sum'; have 'double'",
     "redefinition of 'sum' with a different type: 'double' vs 'float'", "sum is declared twice"},
    {"expected ';' before '}' token", "expected ';' after return statement", "a ; at the end"},
    {"expected ',' or ';' before 'weights'", "expected ';' at end of declaration", "a ;"},
    {"expected ')' before ';' token", "expected ')'", "A ) is missing"},
    {"expected ']' before ';' token", "expected ']'", "A ] is missing"},
    {"expected '(' before 'i'", "expected '(' after 'for'", "A ( is missing"},
    {"expected declaration or statement at end of input", "expected '}'",
     "a { further up has no }"},
    {"expected identifier or '(' before '}' token", "extraneous closing brace ('}')",
     "a } too many"},
    {"expected identifier or '(' before '{' token", "expected identifier or '('",
     "outside of every function"},
    {"unterminated comment", "unterminated /* comment", "*/"},
    {"stray '\\342' in program", "unexpected character <U+2013>", "copied from a page"},
    {"'else' without a previous 'if'", "'else' without a previous 'if'", "no if"},
    {"assignment of read-only location '*(scores + (sizetype)(i * 4))'",
     "read-only variable is not assignable", "is const"},
    {"assignment of read-only variable 'sum'",
     "cannot assign to variable 'sum' with const-qualified type 'const float'", "sum is const"},
    {"lvalue required as left operand of assignment", "expression is not assignable",
     "The left side of ="},
    {"subscripted value is neither array nor pointer nor vector",
     "subscripted value is not an array, pointer, or vector", "x[i * cols + j]"},
    {"array subscript is not an integer", "array subscript is not an integer", "whole number"},
    {"left-hand operand of comma expression has no effect [-Wunused-value]",
     "left operand of comma operator has no effect [-Wunused-value]", "x[i * cols + j]"},
    {"incompatible types when initializing type 'float' using type 'const float *'",
     "initializing 'float' with an expression of incompatible type 'const float *'",
     "An array is used where a number is expected"},
    {"initialization of 'double *' from incompatible pointer type 'float *' "
     "[-Wincompatible-pointer-types]",
     "incompatible pointer types initializing 'double *' with an expression of type 'float *' "
     "[-Wincompatible-pointer-types]",
     "A float * can't be used as a double *"},
    {"initialization discards 'const' qualifier from pointer target type [-Wdiscarded-qualifiers]",
     "initializing 'float *' with an expression of type 'const float *' discards qualifiers "
     "[-Wincompatible-pointer-types-discards-qualifiers]",
     "const float *"},
    {"too few arguments to function 'f'", "too few arguments to function call, expected 2, have 1",
     "leaves arguments out"},
    {"too many arguments to function 'f'",
     "too many arguments to function call, expected 1, have 2", "too many arguments"},
    {"called object 'scores' is not a function or function pointer",
     "called object type 'const float *' is not a function or function pointer", "x[i]"},
    {"invalid operands to binary * (have 'const float *' and 'int')",
     "invalid operands to binary expression ('const float *' and 'int')", "in a loop"},
    {"invalid operands to binary % (have 'float' and 'int')",
     "invalid operands to binary expression ('float' and 'int')", "whole numbers only"},
    {"control reaches end of non-void function [-Wreturn-type]",
     "non-void function does not return a value [-Wreturn-type]", "must end with return"},
    {"'return' with a value, in function returning void [-Wreturn-type]",
     "void function 'softmax_rows' should not return a value [-Wreturn-type]",
     "it returns nothing"},
    {"unknown type name 'flaot'; did you mean 'float'?", "unknown type name 'flaot'",
     "C knows no type flaot"},
    {"maths.h: No such file or directory", "'maths.h' file not found", "no header maths.h"},
    {"request for member 'length' in something not a structure or union",
     "member reference base type 'const float *' is not a structure or union", "no members"},
    {"variable-sized object may not be initialized", "variable-sized object may not be initialized",
     "in a loop"},
    {"suggest parentheses around assignment used as truth value [-Wparentheses]",
     "using the result of an assignment as a condition without parentheses [-Wparentheses]", "=="},
    {"'sum' is used uninitialized [-Wuninitialized]",
     "variable 'sum' is uninitialized when used here [-Wuninitialized]",
     "sum is read before it has a value"},
    {"comparison of unsigned expression in '>= 0' is always true [-Wtype-limits]",
     "result of comparison of unsigned expression >= 0 is always true "
     "[-Wtautological-unsigned-zero-compare]",
     "i-- > 0"},
};

static void assert_explained(const char *message, const char *sentence)
{
    struct text printed = {.bytes = NULL};
    text_format(&printed, "submission.c:7:3: error: %s\n", message);
    struct reading reading = read_failed(text_string(&printed));
    assert_contains(text_string(&reading.plain), "Line 7: ");
    assert_contains(text_string(&reading.plain), sentence);
    release(&reading);
    text_release(&printed);
}

static void test_compiler_messages__common_mistakes_have_a_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(common); i++) {
        assert_explained(common[i].gcc, common[i].sentence);
        assert_explained(common[i].clang, common[i].sentence);
    }
}

/* Some mistakes show in the line that the compiler quotes, and not in its words. */
static void test_compiler_messages__the_quoted_line_tells_more_than_the_message(void **state)
{
    static const struct {
        const char *printed, *sentence;
    } trials[] = {
        {"submission.c:2:10: fatal error: vector: No such file or directory\n"
         "    2 | #include <vector>\n",
         "This is C, not C++: this header"},
        {"submission.c:2:10: fatal error: 'iostream' file not found\n"
         "#include <iostream>\n",
         "This is C, not C++: this header"},
        {"submission.c:6:9: error: expected expression before ':' token\n"
         "    6 |     std::cout << s;\n",
         "leave out std::"},
        {"submission.c:6:8: error: expected expression\n"
         "    std::cout << s;\n",
         "leave out std::"},
        {"submission.c:2:23: error: expected ';', ',' or ')' before '&' token\n"
         "    2 | static void add(float &s, float x)\n",
         "has no references"},
        {"submission.c:2:10: error: expected '=', ',', ';', 'asm' before '<' token\n"
         "    2 | template <typename T> T mul(T a, T b)\n",
         "for one type, float"},
        {"submission.c:5:10: error: type defaults to 'int' in declaration of 'i'\n"
         "    5 |     for (auto i = 0; i < n; i++)\n",
         "auto stands for no type"},
        {"submission.c:8:16: error: 'new' undeclared (first use in this function)\n"
         "    8 |     float *s = new float[n];\n",
         "malloc("},
        {"submission.c:6:5: error: use of undeclared identifier 'cout'\n"
         "    cout << s;\n",
         "printf("},
        {"submission.c:6:19: error: invalid operands to binary ^ (have 'float' and 'double')\n"
         "    6 |     float s = x ^ 0.5;\n",
         "sqrtf(x) is a root, powf(x, y) any power"},
        {"submission.c:6:17: error: invalid operands to binary expression ('float' and 'double')\n"
         "    float s = x ^ 0.5;\n",
         "sqrtf(x) is a root, powf(x, y) any power"},
        {"submission.c:7:9: error: 'sum' undeclared (first use in this function)\n"
         "    7 |         sum += a[k];\n",
         "sum is not declared here."},
        {"submission.c:7:9: error: implicit declaration of function 'sum'\n"
         "    7 |         total = sum(a);\n",
         "C has no sum()"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct reading reading = read_failed(trials[i].printed);
        assert_contains(text_string(&reading.plain), trials[i].sentence);
        release(&reading);
    }
}

static void test_compiler_messages__the_first_known_mistake_is_explained(void **state)
{
    (void)state;
    struct reading reading =
        read_failed("submission.c:2:1: error: something nobody has seen before\n"
                    "submission.c:4:1: error: 'i' undeclared (first use in this function)\n"
                    "submission.c:5:1: error: expected ';' before '}' token\n");
    assert_string_equal(text_string(&reading.plain),
                        "Line 4: i is not declared. A variable gets its type where it first "
                        "appears: size_t i = 0.");
    release(&reading);
    reading = read_failed("submission.c:2:1: error: something nobody has seen before\n");
    assert_string_equal(text_string(&reading.plain), "");
    release(&reading);
}

static void test_compiler_messages__a_long_name_is_cut_in_the_sentence(void **state)
{
    (void)state;
    struct text printed = {.bytes = NULL};
    text_put(&printed, "submission.c:1:1: error: '");
    text_repeat(&printed, "long", 50000);
    text_put(&printed, "' undeclared (first use in this function)\n");
    struct reading reading = read_failed(text_string(&printed));
    assert_true(reading.plain.size > 0 && reading.plain.size < 400);
    release(&reading);
    text_release(&printed);
}

/* ---- linkers ---- */

static void test_compiler_messages__a_missing_function_is_named_by_the_linker(void **state)
{
    (void)state;
    struct reading reading =
        read_link("/usr/bin/ld: runner.o: in function `runner_call':\n"
                  "runner.c:(.text+0x4a1): undefined reference to `softmax_rows'\n"
                  "collect2: error: ld returned 1 exit status\n");
    assert_string_equal(reading.detail, "function missing");
    assert_contains(text_string(&reading.plain), "The file has no function softmax_rows");
    assert_string_equal(text_string(&reading.messages),
                        "anna.c: undefined reference to softmax_rows\n");
    release(&reading);
    reading = read_link("ld.lld: error: undefined symbol: softmax_rows\n"
                        ">>> referenced by runner.c\n");
    assert_string_equal(reading.detail, "function missing");
    release(&reading);
}

static void test_compiler_messages__a_second_main_is_named_by_the_linker(void **state)
{
    (void)state;
    struct reading reading = read_link(
        "/usr/bin/ld: submission.o: in function `main':\n"
        "submission.c:1: multiple definition of `main'; runner.o:runner.c:(.text+0x11): first "
        "defined here\n");
    assert_string_equal(reading.detail, "main defined");
    assert_contains(text_string(&reading.plain), "main()");
    release(&reading);
    reading = read_link("ld.lld: error: duplicate symbol: malloc\n>>> defined at x.c:1\n");
    assert_string_equal(reading.detail, "malloc defined");
    release(&reading);
}

static void test_compiler_messages__a_symbol_is_told_once(void **state)
{
    (void)state;
    struct reading reading = read_link("submission.c:5: undefined reference to `helper'\n"
                                       "submission.c:6: undefined reference to `helper'\n"
                                       "submission.c:7: undefined reference to `other'\n");
    assert_string_equal(reading.detail, "helper missing");
    assert_string_equal(text_string(&reading.messages), "anna.c: undefined reference to helper\n"
                                                        "anna.c: undefined reference to other\n");
    release(&reading);
    reading = read_link("ld: undefined reference to ` '\nld: undefined reference to \nsomething\n");
    assert_string_equal(reading.detail, "");
    release(&reading);
}

/* ---- whatever it is ---- */

static void test_compiler_messages__bytes_behind_the_end_are_not_read(void **state)
{
    (void)state;
    static const char *const ends[] = {"In file included from submission.c:", "submission.c:1:",
                                       "submission.c:1:1: error: ", "submission.c:1: error:"};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        size_t size = strlen(ends[i]);
        char *copy = malloc(size); /* in a block of just its size, for a sanitizer to watch */
        assert_non_null(copy);
        memcpy(copy, ends[i], size);
        struct reading reading = read_as("anna.c", copy, size, true);
        release(&reading);
        free(copy);
    }
}

/* Pieces of messages in any order, with bytes changed, cut anywhere. */
static void test_compiler_messages__garbage_is_read_without_harm(void **state)
{
    (void)state;
    static const char *const pieces[] = {"submission.c",
                                         ":",
                                         "1",
                                         "999999999999999999999",
                                         ": error: ",
                                         ": note: ",
                                         "'",
                                         "`",
                                         "\n",
                                         "In file included from ",
                                         "                 from ",
                                         "undefined reference to ",
                                         "~",
                                         "%",
                                         "multiple definition of `main'",
                                         "expected ",
                                         "' undeclared",
                                         "\xff",
                                         "\x1b",
                                         " | ",
                                         "^"};
    uint64_t random = 7;
    for (int round = 0; round < 5000; round++) {
        struct text printed = {.bytes = NULL};
        size_t n = testing_between(&random, 1, 30);
        for (size_t i = 0; i < n; i++)
            text_put(&printed, pieces[testing_between(&random, 0, COUNT_OF(pieces) - 1)]);
        /* In a block of its own, so that a sanitizer sees a step too far. */
        char *copy = malloc(printed.size + (printed.size == 0));
        assert_non_null(copy);
        memcpy(copy, printed.bytes, printed.size);
        struct reading reading = read_as("anna.c", copy, printed.size, round % 2 == 0);
        for (size_t i = 0; i < reading.messages.size; i++)
            assert_true(reading.messages.bytes[i] == '\n' ||
                        (unsigned char)reading.messages.bytes[i] >= ' ');
        release(&reading);
        text_char(&printed, '\0');
        reading = read_link(printed.bytes);
        release(&reading);
        free(copy);
        text_release(&printed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiler_messages__gcc_is_trimmed_to_the_learners_file),
        cmocka_unit_test(test_compiler_messages__clang_keeps_its_carets_and_the_brace_it_speaks_of),
        cmocka_unit_test(test_compiler_messages__notes_about_the_exercises_header_are_left_out),
        cmocka_unit_test(test_compiler_messages__an_error_in_a_header_is_told_where_it_is_included),
        cmocka_unit_test(test_compiler_messages__warnings_stay_when_the_build_worked),
        cmocka_unit_test(test_compiler_messages__assembler_and_tcc_are_understood),
        cmocka_unit_test(test_compiler_messages__nothing_a_terminal_obeys_gets_through),
        cmocka_unit_test(test_compiler_messages__nul_bytes_end_nothing),
        cmocka_unit_test(test_compiler_messages__tabs_keep_the_columns),
        cmocka_unit_test(test_compiler_messages__no_more_than_max_errors),
        cmocka_unit_test(test_compiler_messages__the_text_is_bounded),
        cmocka_unit_test(test_compiler_messages__common_mistakes_have_a_sentence),
        cmocka_unit_test(test_compiler_messages__the_quoted_line_tells_more_than_the_message),
        cmocka_unit_test(test_compiler_messages__the_first_known_mistake_is_explained),
        cmocka_unit_test(test_compiler_messages__a_long_name_is_cut_in_the_sentence),
        cmocka_unit_test(test_compiler_messages__a_missing_function_is_named_by_the_linker),
        cmocka_unit_test(test_compiler_messages__a_second_main_is_named_by_the_linker),
        cmocka_unit_test(test_compiler_messages__a_symbol_is_told_once),
        cmocka_unit_test(test_compiler_messages__bytes_behind_the_end_are_not_read),
        cmocka_unit_test(test_compiler_messages__garbage_is_read_without_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
