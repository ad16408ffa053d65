/* lang/syntax/parser.h: from text to statements. Precedence as in Python's reference, 6.17. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/ops.h"
#include "commands/command.h"
#include "lang/syntax/parser.h"

/* Writing trees: (+ 1 (* 2 3)). */

static void write_expr(const struct expr *expr, struct text *text);

static void write_list(const char *open, size_t n, struct expr *const *items, struct text *text)
{
    text_put(text, open);
    for (size_t i = 0; i < n; i++) {
        text_put(text, i ? " " : "");
        write_expr(items[i], text);
    }
}

static const char *operator_sign(const struct expr *expr)
{
    if (expr->as.operation.meaning == OPERATOR_FLOOR_DIVIDE)
        return "//";
    if (expr->as.operation.meaning == OPERATOR_REMAINDER)
        return "%";
    if (expr->as.operation.meaning == OPERATOR_POSITIVE)
        return "pos";
    return op_get(expr->as.operation.op)->name;
}

static void write_call(const struct expr *expr, struct text *text)
{
    text_put(text, "(call ");
    write_expr(expr->object, text);
    for (size_t i = 0; i < expr->as.call.n; i++) {
        const struct argument *argument = &expr->as.call.arguments[i];
        text_char(text, ' ');
        if (argument->keyword != NULL) {
            text_add(text, argument->keyword, argument->keyword_size);
            text_char(text, '=');
        }
        write_expr(argument->value, text);
    }
    text_char(text, ')');
}

static void write_operation(const struct expr *expr, struct text *text)
{
    text_format(text, "(%s ", operator_sign(expr));
    write_expr(expr->as.operation.left, text);
    if (expr->kind == EXPR_BINARY) {
        text_char(text, ' ');
        write_expr(expr->as.operation.right, text);
    }
    text_char(text, ')');
}

static void write_comprehension(const struct expr *expr, struct text *text)
{
    text_put(text, "(build ");
    write_expr(expr->as.comprehension.item, text);
    for (size_t i = 0; i < expr->as.comprehension.n; i++) {
        const struct clause *clause = &expr->as.comprehension.clauses[i];
        text_char(text, ' ');
        if (clause->name != NULL)
            write_expr(clause->name, text);
        text_put(text, clause->name != NULL ? "<" : "if ");
        write_expr(clause->value, text);
    }
    text_char(text, ')');
}

static void write_expr(const struct expr *expr, struct text *text)
{
    if (expr == NULL) {
        text_char(text, '_');
        return;
    }
    switch (expr->kind) {
    case EXPR_NUMBER:
        text_format(text, "%g", expr->as.number);
        break;
    case EXPR_STRING:
    case EXPR_NAME:
        text_put(text, expr->kind == EXPR_STRING ? "'" : "");
        text_add(text, expr->as.text.bytes, expr->as.text.size);
        text_put(text, expr->kind == EXPR_STRING ? "'" : "");
        break;
    case EXPR_LIST:
        write_list("[", expr->as.list.n, expr->as.list.items, text);
        text_char(text, ']');
        break;
    case EXPR_TUPLE:
        write_list("<", expr->as.list.n, expr->as.list.items, text);
        text_char(text, '>');
        break;
    case EXPR_COMPREHENSION:
        write_comprehension(expr, text);
        break;
    case EXPR_UNARY:
    case EXPR_BINARY:
        write_operation(expr, text);
        break;
    case EXPR_CALL:
        write_call(expr, text);
        break;
    case EXPR_ATTRIBUTE:
        text_put(text, "(. ");
        write_expr(expr->object, text);
        text_format(text, " %.*s)", (int)expr->as.text.size, expr->as.text.bytes);
        break;
    case EXPR_INDEX:
        text_put(text, "(at ");
        write_expr(expr->object, text);
        write_list(" ", expr->as.list.n, expr->as.list.items, text);
        text_char(text, ')');
        break;
    case EXPR_SLICE:
        write_expr(expr->as.slice.start, text);
        text_char(text, ':');
        write_expr(expr->as.slice.stop, text);
        text_char(text, ':');
        write_expr(expr->as.slice.step, text);
        break;
    case EXPR_ELLIPSIS:
        text_put(text, "...");
        break;
    default: /* of cells alone */
        break;
    }
}

static void write_statement(const struct statement *statement, struct text *text)
{
    if (statement->kind == STATEMENT_COMMAND) {
        text_format(text, "%s!", statement->command->name);
        if (statement->words != NULL)
            text_format(text, "|%.*s|", (int)statement->words_size, statement->words);
    } else if (statement->kind == STATEMENT_DEFINE) {
        text_put(text, "define ");
    }
    if (statement->n_targets > 0) {
        write_list("", statement->n_targets, statement->targets, text);
        text_put(text, " := ");
    }
    write_list("", statement->n_arguments, statement->arguments, text);
    if (statement->value != NULL) {
        text_put(text, statement->n_arguments ? " := " : "");
        write_expr(statement->value, text);
    }
    for (const struct statement *at = statement->body; at != NULL; at = at->next) {
        text_put(text, at == statement->body ? " {" : "; ");
        write_statement(at, text);
        text_put(text, at->next == NULL ? "}" : "");
    }
}

/* Parsing a copy in a block of exactly its size, so that a tool sees reads past its end. */
struct line {
    char *source;
    struct arena arena;
    struct statement *first;
};

static bool line_parse(struct line *line, const char *source, size_t size, struct error *reterr)
{
    char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, source, size);
    struct arena arena = {0};
    struct statement *first = NULL;
    bool ok = parser_parse_line(&arena, command_find, copy, size, &first, reterr);
    *line = (struct line){copy, arena, first};
    return ok;
}

static void line_release(struct line *line)
{
    arena_release(&line->arena);
    free(line->source);
}

static void assert_parses(const char *source, const char *expected)
{
    struct line line;
    struct error error;
    struct text got = {0};
    if (!line_parse(&line, source, strlen(source), &error))
        fail_msg("%s: %s", source, error.text);
    for (const struct statement *at = line.first; at != NULL; at = at->next) {
        text_put(&got, at == line.first ? "" : "; ");
        write_statement(at, &got);
    }
    assert_string_equal(text_string(&got), expected);
    text_release(&got);
    line_release(&line);
}

/* The line is refused with this message, and the marked part of it is `marked`. */
static void assert_refused(const char *source, const char *says, const char *marked)
{
    struct line line;
    struct error error = {.kind = ERR_NONE};
    assert_error(line_parse(&line, source, strlen(source), &error), error, ERR_SYNTAX);
    assert_says(error, says);
    size_t size = strlen(source), end = error.end < size ? error.end : size;
    char got[80] = "";
    if (error.begin < end)
        memcpy(got, source + error.begin, end - error.begin);
    assert_string_equal(got, marked);
    line_release(&line);
}

static void test_parser__products_bind_tighter_than_sums(void **state)
{
    (void)state;
    assert_parses("1 + 2 * 3", "(add 1 (mul 2 3))");
    assert_parses("1 * 2 + 3", "(add (mul 1 2) 3)");
    assert_parses("(1 + 2) * 3", "(mul (add 1 2) 3)");
    assert_parses("Q @ K.T / s + m", "(add (div (matmul Q (. K T)) s) m)");
    assert_parses("a // b % c", "(% (// a b) c)");
}

static void test_parser__equal_operators_group_to_the_left(void **state)
{
    (void)state;
    assert_parses("a - b - c", "(sub (sub a b) c)");
    assert_parses("a / b * c @ d", "(matmul (mul (div a b) c) d)");
    assert_parses("a & b & c | d | e", "(logical_or (logical_or (logical_and (logical_and a b) c) "
                                       "d) e)");
}

static void test_parser__powers_group_to_the_right_and_beat_a_sign_before_them(void **state)
{
    (void)state;
    assert_parses("2 ** 3 ** 2", "(pow 2 (pow 3 2))");
    assert_parses("-2 ** 2", "(neg (pow 2 2))");
    assert_parses("2 ** -1", "(pow 2 -1)");
    assert_parses("(-2) ** 2", "(pow -2 2)");
    assert_parses("a * b ** c", "(mul a (pow b c))");
    assert_parses("2 ** -x ** 3", "(pow 2 (neg (pow x 3)))");
}

static void test_parser__signs(void **state)
{
    (void)state;
    assert_parses("-1", "-1");
    assert_parses("- -1", "(neg -1)");
    assert_parses("-x * y", "(mul (neg x) y)");
    assert_parses("x - -1", "(sub x -1)");
    assert_parses("+x", "(pos x)");
    assert_parses("-x.T", "(neg (. x T))");
    assert_parses("-x[0]", "(neg (at x 0))");
    assert_parses("~a == b", "(eq (logical_not a) b)");
}

/* Python's & and | bind tighter than comparisons, unlike C's. */
static void test_parser__comparisons_bind_least(void **state)
{
    (void)state;
    assert_parses("a + b < c * d", "(lt (add a b) (mul c d))");
    assert_parses("a & b == c", "(eq (logical_and a b) c)");
    assert_parses("a | b & c", "(logical_or a (logical_and b c))");
    assert_parses("a & b + c", "(logical_and a (add b c))");
    assert_parses("(a < b) & (c >= d)", "(logical_and (lt a b) (ge c d))");
    assert_parses("x != y", "(ne x y)");
    assert_refused("a < b < c", "(a < b) & (b < c)", "<");
    assert_refused("a == b >= c", "two comparisons", ">=");
}

static void test_parser__calls_and_attributes(void **state)
{
    (void)state;
    assert_parses("f()", "(call f)");
    assert_parses("f(1, g(2),)", "(call f 1 (call g 2))");
    assert_parses("softmax(x, dim=-1)", "(call softmax x dim=-1)");
    assert_parses("x.view(2, 3).T", "(. (call (. x view) 2 3) T)");
    assert_parses("f(x)(y)[0]", "(at (call (call f x) y) 0)");
    assert_parses("torch.nn.functional.softmax(x)",
                  "(call (. (. (. torch nn) functional) softmax) x)");
    assert_parses("f(a == b, c=d == e)", "(call f (eq a b) c=(eq d e))");
    assert_parses("f(\n1,\n2\n)", "(call f 1 2)");
}

static void test_parser__indices(void **state)
{
    (void)state;
    assert_parses("x[0, -1]", "(at x 0 -1)");
    assert_parses("x[1:2]", "(at x 1:2:_)");
    assert_parses("x[:, ::2, 1::-1]", "(at x _:_:_ _:_:2 1:_:-1)");
    assert_parses("x[..., None]", "(at x ... None)");
    assert_parses("W[\"shiny\", 'sun']", "(at W 'shiny' 'sun')");
    assert_parses("x[[0, 2]]", "(at x [0 2])");
    assert_parses("x[a+1:b*2,]", "(at x (add a 1):(mul b 2):_)");
}

static void test_parser__lists_and_tuples(void **state)
{
    (void)state;
    assert_parses("[]", "[]");
    assert_parses("[1, [2, 3],]", "[1 [2 3]]");
    assert_parses("()", "<>");
    assert_parses("(1,)", "<1>");
    assert_parses("(1)", "1");
    assert_parses("(1, 2)", "<1 2>");
    assert_parses("1, 2", "<1 2>");
}

static void test_parser__texts_with_their_escapes_resolved(void **state)
{
    (void)state;
    assert_parses("\"it's\"", "'it's'");
    assert_parses("'a\\'b'", "'a'b'");
    assert_parses("\"a\\\\b\\\"\"", "'a\\b\"'");
    assert_parses("\"a\\tb\\nc\"", "'a\tb\nc'");
}

static void test_parser__assignments(void **state)
{
    (void)state;
    assert_parses("x = 1", "x := 1");
    assert_parses("a, b = b, a", "a b := <b a>");
    assert_parses("(a, b) = f()", "a b := (call f)");
    assert_parses("X[0, 1] = 5", "(at X 0 1) := 5");
    assert_parses("x += y * 2", "x := (add x (mul y 2))");
    assert_parses("x /= 3; x -= 1; x *= 2", "x := (div x 3); x := (sub x 1); x := (mul x 2)");
    assert_parses("t = 1, 2", "t := <1 2>");
}

static void test_parser__definitions(void **state)
{
    (void)state;
    assert_parses("f(x, y) = x + y", "define f x y := (add x y)");
    assert_parses("f() = 1", "define f := 1");
    assert_refused("f(1) = 2", "a parameter must be a name", "1");
    assert_refused("f(x=1) = x", "a parameter must be a name", "1");
}

static void test_parser__what_cannot_be_assigned_to(void **state)
{
    (void)state;
    assert_refused("1 = x", "only a name", "1");
    assert_refused("a + b = x", "only a name", "a + b");
    assert_refused("x.T = y", "only a name", "x.T");
    assert_refused("f(x)[0] = y", "only a name", "f(x)[0]");
    assert_refused("[a, b] = c", "only a name", "[a, b]");
    assert_refused("x[0] += 1", "only a name", "x[0]");
    assert_refused("a = b = c", "expected", "=");
    assert_refused("() = 1", "only a name", "()");
}

static void test_parser__statements_of_a_line(void **state)
{
    (void)state;
    assert_parses("", "");
    assert_parses(";;\n;", "");
    assert_parses("# nothing", "");
    assert_parses("a = 1; b = 2 # two\nc", "a := 1; b := 2; c");
    assert_parses("a;", "a");
}

static void test_parser__a_command_word_starts_a_command(void **state)
{
    (void)state;
    assert_parses("vars", "vars!");
    assert_parses("heat X, Y + 1", "heat!X (add Y 1)");
    assert_parses("whatif X[0, 1] = 2 * 3", "whatif!(at X 0 1) := (mul 2 3)");
    assert_parses("help softmax", "help!|softmax|");
    assert_parses("save  my file.attn  ", "save!|my file.attn|");
    assert_parses("save \"a;b #c\" ; x", "save!|\"a;b #c\"|; x");
    assert_parses("load a.attn # a comment", "load!|a.attn|");
    assert_parses("load ./a.attn", "load!|./a.attn|");
    assert_parses("save ../a.attn; x", "save!|../a.attn|; x");
    assert_parses("exit", "quit!");
    assert_parses("x; vars; show x", "x; vars!; show!x");
}

static void test_parser__a_command_word_may_be_a_name(void **state)
{
    (void)state;
    assert_parses("heat = 3", "heat := 3");
    assert_parses("show += 1; bars /= 2", "show := (add show 1); bars := (div bars 2)");
    assert_parses("vars.T", "(. vars T)");
    assert_parses("load(\"x.npy\")", "(call load 'x.npy')");
    assert_parses("save(\"x.npy\", X)", "(call save 'x.npy' X)");
    assert_parses("x = load(\"x.npy\")", "x := (call load 'x.npy')");
    assert_parses("1 + heat", "(add 1 heat)");
}

static void test_parser__commands_that_lack_something_say_how_they_are_written(void **state)
{
    (void)state;
    assert_refused("heat", "heat X, Y, ...", "heat");
    assert_refused("whatif", "whatif X[i, j] = number", "whatif");
    assert_refused("whatif X[0]", "= and the new number", "");
    assert_refused("vars x", "stands alone", "x");
    assert_refused("why", "why X[i, j]", "why");
}

static void test_parser__a_bracket_that_is_not_closed_is_marked(void **state)
{
    (void)state;
    assert_refused("(1 + 2", "( is never closed: add )", "(");
    assert_refused("x = f(1, 2", "( is never closed", "(");
    assert_refused("[1, [2, 3]", "[ is never closed", "[");
    assert_refused("x[0", "[ is never closed", "[");
    assert_refused("x[", "[ is never closed", "[");
    assert_refused("f(", "( is never closed", "(");
    assert_refused("(", "( is never closed", "(");
    assert_refused("a * (b + [1, 2)", "',' or ']'", ")");
}

static void test_parser__unexpected_signs_are_marked(void **state)
{
    (void)state;
    assert_refused("1 2", "expected an operator", "2");
    assert_refused("1 +", "the line ends here", "");
    assert_refused("* 2", "expected a number", "*");
    assert_refused("f(x y)", "',' or ')'", "y");
    assert_refused("x.", "a name after the dot", "");
    assert_refused("x.2", "expected an operator", ".2");
    assert_refused("x[]", "an index is missing", "[]");
    assert_refused("x[1:2:3:4]", "',', ':' or ']'", ":");
    assert_refused(")", "expected", ")");
    assert_refused("f(, 1)", "expected", ",");
    assert_refused("[1,, 2]", "expected", ",");
    assert_refused("x = ", "the line ends here", " "); /* right behind the sign */
    assert_refused("x[...:1]", "expected", ":");
}

static void test_parser__words_of_python_come_with_advice(void **state)
{
    (void)state;
    assert_refused("import torch", "nothing needs to be imported", "import");
    assert_refused("def f(x):", "f(x) = ...", "def");
    assert_refused("x = for i in range(3)", "starts its line", "for");
    assert_refused("(i for i in x)", "built in brackets", "for");
    assert_refused("sum(i for i in x)", "built in brackets", "for");
    assert_refused("x[i for i in x]", "built in brackets", "for");
    assert_refused("while x > 0: x = x - 1", "say how often", "while");
    assert_refused("x in y", "belongs to a loop", "in");
    assert_refused("1 if x else 2", "where(condition, a, b)", "if");
    assert_refused("a and b", "write &", "and");
    assert_refused("not a", "write ~", "not");
    assert_refused("f = lambda x: x", "f(x) = ...", "lambda");
}

static void test_parser__loops(void **state)
{
    (void)state;
    assert_parses("for i in x: i", "for!i := x {i}");
    assert_parses("for i in range(3): x = i; y", "for!i := (call range 3) {x := i; y}");
    assert_parses("for i in x:i;", "for!i := x {i}");
    assert_parses("for i in x: ;; i ; ; # comment", "for!i := x {i}");
    assert_parses("a = 1; for i in x: i; j\nb", "a := 1; for!i := x {i; j}; b");
    assert_parses("for i in 1, 2: i", "for!i := <1 2> {i}");
    assert_parses("for i in 1, 2,: i", "for!i := <1 2> {i}");
    assert_parses("for i in X[1:]: i", "for!i := (at X 1:_:_) {i}");
    assert_parses("for i in x: for j in y: a, b = i, j; j",
                  "for!i := x {for!j := y {a b := <i j>; j}}");
    assert_parses("for i in x: help sqrt; show i, x; keep",
                  "for!i := x {help!|sqrt|; show!i x; keep!}");
    assert_parses("for i in x: f(a) = a + i", "for!i := x {define f a := (add a i)}");
    assert_parses("for i in x: X[i] = 2", "for!i := x {(at X i) := 2}");
}

static void test_parser__loops_that_can_t_be_read(void **state)
{
    (void)state;
    assert_refused("for i in range(3):", "nothing stands after the colon", ":");
    assert_refused("for i in range(3): # x", "nothing stands after the colon", ":");
    assert_refused("for i in range(3): ;", "nothing stands after the colon", ":");
    assert_refused("for i in range(3):\n    x", "The 1 line below belongs to it", "for");
    assert_refused("@a\nclass B:\n    x\n\n    y", "class: attn does not run indented lines",
                   "class");
    assert_refused("if a:\n    x\nelse:\n    y", "The 3 lines below belong to it", "if");
    assert_refused("for i in x: for j in y:", "nothing stands after the colon", ":");
    assert_refused("for i in x", "the line ends here: expected ':'", "");
    assert_refused("for i in x; i", "';': expected ':'", ";");
    assert_refused("for i in x i", "'i': expected ':'", "i");
    assert_refused("for i x: i", "expected in, as in for i in range(3)", "x");
    assert_refused("for", "the line ends here: expected a name", "");
    assert_refused("for i", "the line ends here: expected in", "");
    assert_refused("for in x: i", "belongs to a loop", "in");
    assert_refused("for 3 in x: i", "'3': expected a name", "3");
    assert_refused("for (i, j) in x: i", "'(': expected a name", "(");
    assert_refused("for i, j in x: i", "a loop has one name", ",");
    assert_refused("for if in x: i", "no branches", "if");
    assert_refused("for i in: i", "expected a number, a name", ":");
    assert_refused("for i in x: i +", "the line ends here", "");
    assert_refused("for i in x: i j", "'j': expected an operator", "j");
    assert_refused("for i in x: y: i", "':': expected an operator", ":");
    assert_refused("for i in x: i; load a.attn", "a loop can't repeat it", "load");
    assert_refused("for i in x: save a.attn", "save: a loop can't repeat it", "save");
    assert_refused("for i in x: for j in y: reset", "reset: a loop can't repeat it", "reset");
    assert_refused("for i in x: quit", "quit: a loop can't repeat it", "quit");
    assert_refused("for = 3", "a loop starts its line", "for");
}

static void test_parser__loops_within_loops_have_a_limit(void **state)
{
    (void)state;
    struct text line = {0};
    struct line parsed;
    struct error error;
    for (size_t i = 0; i < PARSER_MAX_LOOPS; i++)
        text_put(&line, "for i in x: ");
    text_put(&line, "i");
    assert_true(line_parse(&parsed, text_string(&line), line.size, &error));
    line_release(&parsed);
    text_clear(&line);
    for (size_t i = 0; i <= PARSER_MAX_LOOPS; i++)
        text_put(&line, "for i in x: ");
    text_put(&line, "i");
    assert_error(line_parse(&parsed, text_string(&line), line.size, &error), error, ERR_LIMIT);
    line_release(&parsed);
    text_release(&line);
}

static void test_parser__lists_that_are_built(void **state)
{
    (void)state;
    assert_parses("[i for i in x]", "(build i i<x)");
    assert_parses("[i * j for i in x for j in y]", "(build (mul i j) i<x j<y)");
    assert_parses("[i for i in x if i > 0 if i < 3]", "(build i i<x if (gt i 0) if (lt i 3))");
    assert_parses("[i for i in x if i > 0 for j in i]", "(build i i<x if (gt i 0) j<i)");
    assert_parses("[[j for j in i] for i in x]", "(build (build j j<i) i<x)");
    assert_parses("[[i for i in x]]", "[(build i i<x)]");
    assert_parses("[[i for i in x], 1]", "[(build i i<x) 1]");
    assert_parses("[i for i in x,]", "(build i i<x)");
    assert_parses("[i\n for i in [1,\n 2]]", "(build i i<[1 2])");
    assert_parses("sum([i for i in x]).T[0]", "(at (. (call sum (build i i<x)) T) 0)");
    assert_parses("f(y) = [i for i in y]", "define f y := (build i i<y)");
    assert_parses("for i in [j for j in x]: i", "for!i := (build j j<x) {i}");
    assert_refused("[i for i in x, 2]", "holds nothing else", "2");
    assert_refused("[1, i for i in x]", "built in brackets", "for");
    assert_refused("[i for i in x", "never closed", "[");
    assert_refused("[i for i x]", "expected in", "x");
    assert_refused("[i for i in x if]", "expected a number", "]");
    assert_refused("[i if i > 0 else 0 for i in x]", "no branches", "if");
    assert_refused("[i if i > 0]", "no branches", "if");
    assert_refused("[i for i in x else 3]", "'else': expected ',' or ']'", "else");
    assert_parses("[i for i in x for i in x if 1 if 1]", "(build i i<x i<x if 1 if 1)");
    struct line line;
    struct error error;
    static const char five[] = "[i for i in x if 1 if 1 if 1 if 1]";
    assert_error(line_parse(&line, five, sizeof five - 1, &error), error, ERR_LIMIT);
    assert_non_null(strstr(error.text, "at most 4"));
    line_release(&line);
}

/* FLT_MAX is 3.4028234664e38, the smallest float32 above 0 is 1.4012985e-45. */
static void test_parser__numbers_outside_float32_are_refused(void **state)
{
    (void)state;
    assert_parses("3.4028234e38", "3.40282e+38");
    assert_parses("1.5e-45", "1.5e-45");
    assert_parses("0e999", "0");
    assert_parses("1_000.5", "1000.5");
    assert_refused("x * 1e39", "3.4e38", "1e39");
    assert_refused("1e999", "3.4e38", "1e999");
    assert_refused("1e-46", "out of range", "1e-46");
    assert_refused("1e-999", "out of range", "1e-999");
    assert_refused("[1, 0.00000000000000000000000000000000000000000000000000000000000000000001]",
                   "60 digits",
                   "0.00000000000000000000000000000000000000000000000000000000000000000001");
}

/* Repeats: `before` n times, `middle`, `after` n times. */
static struct text repeated(const char *before, const char *middle, const char *after, size_t n)
{
    struct text text = {0};
    text_repeat(&text, before, n);
    text_put(&text, middle);
    text_repeat(&text, after, n);
    assert_false(text.failed);
    return text;
}

static void assert_limit(const char *before, const char *middle, const char *after, size_t n,
                         bool fits)
{
    struct text text = repeated(before, middle, after, n);
    struct line line;
    struct error error = {.kind = ERR_NONE};
    bool ok = line_parse(&line, text_string(&text), text.size, &error);
    if (fits && !ok)
        fail_msg("%zu times %s: %s", n, before, error.text);
    if (!fits) {
        assert_error(ok, error, ERR_LIMIT);
        assert_says(error, "name a part of the formula");
        assert_true(error.begin < error.end && error.end <= text.size);
    }
    line_release(&line);
    text_release(&text);
}

static void test_parser__brackets_nest_200_deep(void **state)
{
    (void)state;
    static const char *const brackets[][3] = {
        {"(", "1", ")"},  {"[", "1", "]"}, {"f(", "1", ")"},
        {"x[", "1", "]"}, {"-", "x", ""},  {"~", "x", ""},
    };
    for (size_t i = 0; i < COUNT_OF(brackets); i++) {
        assert_limit(brackets[i][0], brackets[i][1], brackets[i][2], 200, true);
        assert_limit(brackets[i][0], brackets[i][1], brackets[i][2], 201, false);
        assert_limit(brackets[i][0], brackets[i][1], brackets[i][2], 100000, false);
    }
    assert_limit("(", "", "", 100000, false);
    assert_limit("[", "", "", 100000, false);
}

static void test_parser__a_statement_has_1000_operators(void **state)
{
    (void)state;
    static const char *const chains[] = {"1+", "2**", "x.T@", "1-"};
    for (size_t i = 0; i < COUNT_OF(chains); i++) {
        size_t links = i == 2 ? 500 : 1000; /* .T counts as well */
        assert_limit(chains[i], "1", "", links, true);
        assert_limit(chains[i], "1", "", links + 1, false);
    }
    assert_limit("", "x", ".T", 1000, true);
    assert_limit("", "x", ".T", 1001, false);
    assert_limit("", "x", "[0]", 1001, false);
    /* Each statement has its own. */
    struct text text = repeated("1+1;", "", "", 2000);
    struct line line;
    struct error error;
    assert_true(line_parse(&line, text_string(&text), text.size, &error));
    line_release(&line);
    text_release(&text);
}

static void test_parser__a_line_of_one_mebibyte(void **state)
{
    (void)state;
    for (size_t over = 0; over < 2; over++) {
        struct text text = repeated("1,", "", "", 1024 * 1024 / 2 - 1);
        text_put(&text, over ? "123" : "12");
        struct line line;
        struct error error = {.kind = ERR_NONE};
        bool ok = line_parse(&line, text_string(&text), text.size, &error);
        if (over == 0) {
            assert_true(ok);
            assert_int_equal(line.first->value->as.list.n, 512 * 1024);
        } else {
            assert_error(ok, error, ERR_LIMIT);
            assert_says(error, "1048576");
        }
        line_release(&line);
        text_release(&text);
    }
}

static void test_parser__without_a_table_of_commands_every_word_is_a_name(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct statement *first;
    struct error error;
    assert_true(parser_parse_line(&arena, NULL, "vars", 4, &first, &error));
    assert_int_equal(first->kind, STATEMENT_EXPRESSION);
    assert_error(parser_parse_line(&arena, NULL, "heat X", 6, &first, &error), error, ERR_SYNTAX);
    arena_release(&arena);
}

/* Parses with a fresh arena, which is given back; for the injection of failures. */
static bool parse_once(const char *source, struct error *reterr)
{
    struct arena arena = {0};
    struct statement *first;
    bool ok = parser_parse_line(&arena, command_find, source, strlen(source), &first, reterr);
    arena_release(&arena);
    return ok;
}

static void test_parser__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    struct text text = repeated("f(x, [1, 'a'], k=-y ** 2)[0, 1:2].T; ", "g(a, b) = a + b", "", 90);
    assert_reports_failed_allocations(parse_once(text_string(&text), &error), error);
    text_release(&text);
    assert_reports_failed_allocations(parse_once("whatif X[0] = 1; save a", &error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parser__products_bind_tighter_than_sums),
        cmocka_unit_test(test_parser__equal_operators_group_to_the_left),
        cmocka_unit_test(test_parser__powers_group_to_the_right_and_beat_a_sign_before_them),
        cmocka_unit_test(test_parser__signs),
        cmocka_unit_test(test_parser__comparisons_bind_least),
        cmocka_unit_test(test_parser__calls_and_attributes),
        cmocka_unit_test(test_parser__indices),
        cmocka_unit_test(test_parser__lists_and_tuples),
        cmocka_unit_test(test_parser__texts_with_their_escapes_resolved),
        cmocka_unit_test(test_parser__assignments),
        cmocka_unit_test(test_parser__definitions),
        cmocka_unit_test(test_parser__what_cannot_be_assigned_to),
        cmocka_unit_test(test_parser__statements_of_a_line),
        cmocka_unit_test(test_parser__a_command_word_starts_a_command),
        cmocka_unit_test(test_parser__a_command_word_may_be_a_name),
        cmocka_unit_test(test_parser__without_a_table_of_commands_every_word_is_a_name),
        cmocka_unit_test(test_parser__commands_that_lack_something_say_how_they_are_written),
        cmocka_unit_test(test_parser__a_bracket_that_is_not_closed_is_marked),
        cmocka_unit_test(test_parser__unexpected_signs_are_marked),
        cmocka_unit_test(test_parser__loops),
        cmocka_unit_test(test_parser__loops_that_can_t_be_read),
        cmocka_unit_test(test_parser__loops_within_loops_have_a_limit),
        cmocka_unit_test(test_parser__lists_that_are_built),
        cmocka_unit_test(test_parser__words_of_python_come_with_advice),
        cmocka_unit_test(test_parser__numbers_outside_float32_are_refused),
        cmocka_unit_test(test_parser__brackets_nest_200_deep),
        cmocka_unit_test(test_parser__a_statement_has_1000_operators),
        cmocka_unit_test(test_parser__a_line_of_one_mebibyte),
        cmocka_unit_test(test_parser__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
