/* lang/commands/command.h: the command words. */
#include "lang_testing.h"
#include "op_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "graph/node.h"
#include "kernel/threads.h"
#include "lang/builtins/builtin.h"
#include "commands/command.h"

#define HELLO "X = embed(\"Hello shiny sun!\")\n"
#define SHAPE(...)                                               \
    sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t), (size_t[]) \
    {                                                            \
        __VA_ARGS__                                              \
    }
#define NUMBERS(...) ((float[]){__VA_ARGS__})

/* The line works, and what it shows contains all these parts, in this order. */
static void assert_shows_parts(struct lang *lang, const char *line, size_t n,
                               const char *const *parts)
{
    lang_run(lang, line);
    const char *at = text_string(&lang->shown);
    for (size_t i = 0; i < n; i++) {
        at = strstr(at, parts[i]);
        if (at == NULL)
            fail_msg("%s: \"%s\" is not in, or not in its place:\n%s", line, parts[i],
                     text_string(&lang->shown));
        at += strlen(parts[i]);
    }
}

#define PARTS(...)                                                                           \
    sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *), (const char *const[]) \
    {                                                                                        \
        __VA_ARGS__                                                                          \
    }

static void test_command__each_is_found_by_its_name_only(void **state)
{
    (void)state;
    size_t n;
    const struct command *commands = command_table(&n);
    for (size_t i = 0; i < n; i++) {
        size_t size = strlen(commands[i].name);
        assert_ptr_equal(command_find(commands[i].name, size), &commands[i]);
        assert_true(commands[i].usage[0] != '\0' && commands[i].summary[0] != '\0');
    }
    assert_null(command_find("hea", 3));
    assert_null(command_find("", 0));
    assert_string_equal(command_find("exit", 4)->name, "quit");
}

/* The words that design.md names for this part of attn. */
static void test_command__none_is_missing(void **state)
{
    (void)state;
    static const char *const words[] = {"help", "why",   "whatif", "keep", "undo", "heat",
                                        "bars", "trace", "show",   "vars", "del",  "reset",
                                        "save", "load",  "set",    "quit"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        assert_non_null(command_find(words[i], strlen(words[i])));
}

static void test_command__every_example_runs(void **state)
{
    (void)state;
    char folder[] = "/tmp/attn-command-XXXXXX";
    size_t n;
    const struct command *commands = command_table(&n);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < n; i++) {
        struct lang lang;
        lang_open(&lang);
        lang_run(&lang, commands[i].example);
        assert_non_null(strstr(commands[i].example, commands[i].name));
        lang_close(&lang);
    }
    unlink("work.attn");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void test_command__the_fuzzer_knows_every_word(void **state)
{
    (void)state;
    char path[4096], line[200];
    size_t n, found = 0;
    const struct command *commands = command_table(&n);
    snprintf(path, sizeof path, "%s/tests/fuzz/lang.dict", testing_data_dir());
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        for (size_t i = 0; i < n; i++) {
            size_t size = strlen(commands[i].name);
            found += strncmp(line + 1, commands[i].name, size) == 0 &&
                     strcmp(line + 1 + size, " \"\n") == 0;
        }
    fclose(file);
    assert_int_equal(found, n);
}

/* help */

static void test_command__help_lists_everything(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "help");
    size_t n;
    const struct command *commands = command_table(&n);
    for (size_t i = 0; i < n; i++)
        assert_non_null(strstr(text_string(&lang->shown), commands[i].name));
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        assert_non_null(strstr(text_string(&lang->shown), builtin->name));
}

static void test_command__help_of_a_name_runs_its_example(void **state)
{
    struct lang *lang = *state;
    static const char *const parts[] = {"softmax(input, dim=-1)", "attn> softmax([0.1, 0.2, 0.3])",
                                        "0.3006  0.3322  0.3672"};
    assert_shows_parts(lang, "help softmax", 3, parts);
    assert_shows_parts(lang, "help softmax()", 3, parts);
    assert_shows_parts(lang, "help  expand ", PARTS("broadcast_to(input, *size)"));
    assert_shows_parts(lang, "help why", PARTS("why X[i, j]", "attn> why scores[\"shiny\"", "="));
    /* Both a command and a function. */
    assert_shows_parts(lang, "help save", PARTS("save FILE.attn", "save(path, input)"));
}

static void test_command__help_changes_nothing(void **state)
{
    struct lang *lang = *state;
    struct text before = {0}, after = {0};
    lang_run(lang, HELLO "W = 3; manual_seed(9)\n");
    lang_describe(lang, &before);
    lang_run(lang, "help manual_seed\nhelp grad\nhelp reset\nhelp whatif\nhelp set\nhelp quit\n"
                   "help del\nhelp save\nhelp rand\n");
    lang_describe(lang, &after);
    assert_string_equal(text_string(&after), text_string(&before));
    text_release(&before);
    text_release(&after);
}

static void test_command__help_of_what_is_not_there(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "scores = 1");
    assert_fails(lang, "help sofmax", ERR_NAME, "did you mean softmax?");
    assert_fails(lang, "help qqqqq", ERR_NAME, "help lists them");
    assert_fails(lang, "help scores", ERR_NAME, "a name of this session");
}

/* ---- looking ---- */

static void test_command__show_writes_all_of_a_wide_matrix(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "show arange(300).view(2, 150) + 1000");
    for (int i = 0; i < 300; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", 1000 + i);
        if (strstr(text_string(&lang->shown), number) == NULL)
            fail_msg("%s is missing", number);
    }
    assert_fails_at(lang, "show 5, zeros(1025, 1024)", ERR_LIMIT, "1049600 numbers",
                    "zeros(1025, 1024)");
    assert_fails(lang, "show \"text\"", ERR_TYPE, "the text");
    assert_fails(lang, "heat None", ERR_TYPE, "None");
}

/* 0.34 * 0.29 = 0.0986, 0.22 * 0.54 = 0.1188, 0.54 * 0.93 = 0.5022; together 0.7196. */
static void test_command__why_shows_the_arithmetic(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, HELLO "S = X @ X.T; half = S / 2\n");
    assert_shows_parts(lang, "why S[\"Hello\", \"sun\"]",
                       PARTS("S[\"Hello\", \"sun\"] = 0.7196", "0.34 * 0.29", "0.22 * 0.54",
                             "0.54 * 0.93", "0.0986", "0.1188", "0.5022"));
    assert_shows_parts(lang, "why half[0, 2]", PARTS("0.3598", "0.7196 / 2", "0.7196"));
    assert_shows_parts(lang, "why 1 + 2", PARTS("= 3"));
    assert_fails(lang, "why S", ERR_SHAPE, "S[\"Hello\", \"Hello\"]");
    assert_fails(lang, "why S[0]", ERR_SHAPE, "");
    assert_fails(lang, "why \"text\"", ERR_TYPE, "the text");
}

/* "2x3 -" gives "X = randn(2, 3) * SCALE; Y = randn(1)[0] * SCALE". */
static void write_inputs(const char *parents, double scale, struct text *out)
{
    for (char name = 'X'; *parents != '\0'; name++) {
        size_t size = strcspn(parents, " ");
        text_format(out, "%c = ", name);
        if (*parents == '-')
            text_put(out, "randn(1)[0]");
        else {
            text_put(out, "randn(");
            for (size_t i = 0; i < size; i++)
                text_put(out, parents[i] == 'x' ? ", " : (const char[]){parents[i], '\0'});
            text_put(out, ")");
        }
        text_format(out, " * %g\n", scale);
        parents += size + (parents[size] == ' ');
    }
}

/* Columns of the widest line that was shown. */
static size_t widest_shown(const struct lang *lang)
{
    size_t widest = 0;
    for (const char *at = text_string(&lang->shown); *at != '\0';) {
        size_t size = strcspn(at, "\n"), width = text_width(at, size);
        widest = width > widest ? width : widest;
        at += size + (at[size] == '\n');
    }
    return widest;
}

/* Whatever the operation and its numbers, no line is wider than the screen. */
static void test_command__why_keeps_to_the_width(void **state)
{
    struct lang *lang = *state;
    static const size_t widths[] = {60, 80, 120};
    static const double scales[] = {1, -123456.7, 9e12};
    const struct trial *trial;
    struct error error;
    size_t n = 0, n_explained = 0;
    for (size_t i = 0; (trial = trial_at(i)) != NULL; i++) {
        for (size_t s = 0; s < COUNT_OF(scales); s++) {
            struct text line = {0};
            write_inputs(trial->parents, scales[s], &line);
            lang_run(lang, text_string(&line));
            text_release(&line);
            text_format(&line, "R = %s; R = R.reshape(-1)", trial->formula);
            bool ok = lang_try(lang, text_string(&line), &error);
            text_release(&line);
            for (size_t w = 0; ok && w < COUNT_OF(widths); w++) {
                lang->session.settings.width_cols = widths[w];
                lang_run(lang, "why R[0]\n");
                if (widest_shown(lang) > widths[w])
                    fail_msg("%s, %zu columns:\n%s", trial->formula, widths[w],
                             text_string(&lang->shown));
            }
            n++;
            n_explained += ok;
        }
    }
    assert_true(2 * n_explained > n); /* some take masks or row numbers, which these are not */
}

/* 0.34^2 + 0.22^2 + 0.54^2 = 0.4556, divided by 1.7321: 0.2630. */
static void test_command__trace_shows_the_stages_in_order(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, HELLO "context = attention(X, X, X)\n");
    assert_shows_parts(lang, "trace context",
                       PARTS("X -> scores -> scaled -> weights -> context", "X", "scores = X @ X.T",
                             "0.4556", "scaled = scores / sqrt(3)", "0.2630", "weights",
                             "context"));
}

static void test_command__vars_lists_names_in_their_order(void **state)
{
    struct lang *lang = *state;
    assert_shows_parts(lang, "vars", PARTS("no names yet"));
    lang_run(lang, "b = [1, 2]; a = 5; f(x) = x + 1; t = \"text\"; S = b * 2; L = (1, 2); c = 1\n"
                   "del c");
    assert_shows_parts(lang, "vars",
                       PARTS("b", "(2,)", "a", "f", "f(x) = x + 1", "t", "\"text\"", "S", "b * 2",
                             "L", "a list of 2"));
    assert_null(strstr(text_string(&lang->shown), "\nc"));
}

/* ---- changing ---- */

static void test_command__whatif_shows_and_changes_nothing_yet(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a = 2; b = a * 3; c = b + 1; d = 9");
    assert_shows_parts(lang, "whatif a = 5", PARTS("a: 2 -> 5", "b: 6 -> 15", "c: 7 -> 16"));
    assert_null(strstr(text_string(&lang->shown), "d:"));
    assert_number(lang, "c", 7, 0);
}

static void test_command__keep_makes_it_so_and_undo_takes_it_back(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = [[1, 2], [3, 4]]; S = X @ X.T; s = sum(S)\n"
                   "whatif X[0, 1] = 5\nkeep\n");
    /* [1 5; 3 4] [1 3; 5 4] = [26 23; 23 25] */
    assert_value(lang, "S", SHAPE(2, 2), NUMBERS(26, 23, 23, 25), 0);
    assert_number(lang, "s", 97, 0);
    lang_run(lang, "whatif X[1, 0] = 0\nkeep"); /* on top of the first change */
    assert_value(lang, "X", SHAPE(2, 2), NUMBERS(1, 5, 0, 4), 0);
    lang_run(lang, "undo");
    assert_value(lang, "X", SHAPE(2, 2), NUMBERS(1, 5, 3, 4), 0);
    lang_run(lang, "undo");
    assert_value(lang, "S", SHAPE(2, 2), NUMBERS(5, 11, 11, 25), 0);
    assert_fails(lang, "undo", ERR_NAME, "nothing to undo");
    assert_fails(lang, "keep", ERR_NAME, "a whatif comes first");
    assert_string_equal(lang_node(lang, "X")->name, "X"); /* and not "old X" */
    assert_string_equal(lang_node(lang, "S")->name, "S");
}

static void test_command__undo_forgets_a_whatif_first(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a = 1; b = a + 1\nwhatif a = 2\nkeep\nwhatif a = 3\nundo");
    assert_fails(lang, "keep", ERR_NAME, "a whatif comes first");
    assert_number(lang, "b", 3, 0);
    lang_run(lang, "undo");
    assert_number(lang, "b", 2, 0);
}

static void test_command__a_later_assignment_makes_a_whatif_void(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a = 1; b = a + 1\nwhatif a = 2\nb = 7");
    assert_fails(lang, "keep", ERR_NAME, "a whatif comes first");
    assert_number(lang, "b", 7, 0);
}

static void test_command__64_changes_can_be_taken_back(void **state)
{
    struct lang *lang = *state;
    char line[60];
    lang_run(lang, "a = 0");
    for (int i = 1; i <= 70; i++) {
        snprintf(line, sizeof line, "whatif a = %d\nkeep", i);
        lang_run(lang, line);
    }
    for (int i = 69; i >= 6; i--) {
        lang_run(lang, "undo");
        assert_close(lang_node(lang, "a")->value.data[0], i, 0);
    }
    assert_fails(lang, "undo", ERR_NAME, "nothing to undo");
}

static void test_command__whatif_needs_a_cell_and_a_number(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "X = [[1, 2], [3, 4]]; Y = X * 2");
    assert_fails(lang, "whatif X = 5", ERR_SHAPE, "X[0, 0]");
    assert_fails(lang, "whatif X[0] = [5, 6, 7]", ERR_SHAPE, "(3,), and they replace (2,)");
    assert_fails(lang, "whatif X = sum(X)", ERR_SHAPE, "a single number can't stand for 2x2");
    assert_fails(lang, "whatif X[0, 0] = [1, 2]", ERR_SHAPE, "single number");
    assert_fails(lang, "whatif X[2, 0] = 1", ERR_RANGE, "axis 0");
    assert_fails(lang, "whatif Z[0, 0] = 1", ERR_NAME, "Z");
    /* A computed cell can be changed as well: what it was made from stays. */
    lang_run(lang, "whatif Y[1, 1] = 0\nkeep");
    assert_value(lang, "Y", SHAPE(2, 2), NUMBERS(2, 4, 6, 0), 0);
    assert_value(lang, "X", SHAPE(2, 2), NUMBERS(1, 2, 3, 4), 0);
    /* A transposed cell is the cell of the original. */
    lang_run(lang, "whatif X.T[0, 1] = 9\nkeep");
    assert_value(lang, "X", SHAPE(2, 2), NUMBERS(1, 2, 9, 4), 0);
    assert_shows_parts(lang, "whatif [1, 2][0] = 5", PARTS("no name of this session depends"));
}

static void test_command__del_forgets_names(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "a = 1; b = a + 1; c = 3\ndel a, c");
    assert_fails(lang, "a", ERR_NAME, "a: no such name");
    assert_number(lang, "b", 2, 0);
    assert_fails_at(lang, "del b, d", ERR_NAME, "vars lists them", "d");
    assert_fails_at(lang, "del b, b", ERR_NAME, "vars lists them", "b");
    assert_fails(lang, "del b + 1", ERR_NAME, "");
}

static void test_command__set_changes_what_is_shown(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "set digits 2");
    assert_shows(lang, "pi", "3.14\n");
    lang_run(lang, "set digits = 6");
    assert_shows(lang, "pi", "3.141593\n");
    lang_run(lang, "set width 40; set ascii on; set color 256");
    assert_int_equal(lang->session.settings.width_cols, 40);
    assert_true(lang->session.settings.ascii);
    assert_int_equal(lang->session.settings.colours, COLOURS_256);
    assert_shows_parts(lang, "set", PARTS("digits", "6", "width", "40", "ascii", "on", "256"));
    assert_fails(lang, "set digits 0", ERR_RANGE, "1 to 9");
    assert_fails(lang, "set digits 10", ERR_RANGE, "1 to 9");
    assert_fails(lang, "set digits 99999999999999999999", ERR_RANGE, "1 to 9");
    assert_fails(lang, "set digits two", ERR_RANGE, "1 to 9");
    assert_fails(lang, "set width 19", ERR_RANGE, "20 to 1000");
    assert_fails(lang, "set ascii maybe", ERR_NAME, "on or off");
    assert_fails(lang, "set colour pink", ERR_NAME, "never");
    assert_fails(lang, "set speed 9", ERR_NAME, "speed");
    assert_fails(lang, "set digits", ERR_SYNTAX, "set digits 2");
}

static void test_command__quit_is_remembered(void **state)
{
    struct lang *lang = *state;
    assert_false(lang->session.wants_quit);
    lang_run(lang, "quit");
    assert_true(lang->session.wants_quit);
}

/* What a line sets, large work is shared out to; a line that fails sets nothing. */
static void test_command__set_threads(void **state)
{
    struct lang *lang = *state;
    size_t all = threads_most();
    lang_run(lang, "set threads 1");
    assert_int_equal(threads_most(), 1);
    lang_run(lang, "set threads 3");
    assert_int_equal(threads_most(), 3);
    assert_fails(lang, "set threads 1; oops", ERR_NAME, "oops");
    assert_int_equal(threads_most(), 3);
    assert_fails(lang, "set threads 0", ERR_RANGE, "from 1 to 1024");
    assert_fails(lang, "set threads some", ERR_RANGE, "from 1 to 1024");
    lang_run(lang, "set threads all");
    assert_int_equal(threads_most(), all);
}

/* heads is a command in "heads r" and a name everywhere else. */
static void test_command__some_are_names_unless_a_name_follows(void **state)
{
    (void)state;
    struct lang lang;
    lang_open(&lang);
    lang_run(&lang, "heads = [[1, 2]]\nx = heads @ [3, 4]");
    assert_null(strstr(text_string(&lang.shown), "command"));
    assert_value(&lang, "x", SHAPE(1), NUMBERS(11), 0);
    assert_value(&lang, "heads[0, 1]", 0, NULL, NUMBERS(2), 0);
    assert_shows_parts(&lang, "m = transformer(vocab=5); r = m([1, 2]); heads r",
                       PARTS("previous", "L", "may look there and not matter"));
    lang_close(&lang);
}

/* What is shown of a run is what the functions of the same names give. */
static void test_command__looking_into_runs(void **state)
{
    (void)state;
    struct lang lang;
    lang_open(&lang);
    lang_run(&lang, "manual_seed(4); m = transformer(vocab=[\"the\", \"cat\", \"dog\", \"sat\"])\n"
                    "r = m(\"the cat sat\"); s = m(\"the dog sat\")");
    assert_shows_parts(&lang, "ablate r, head=(1, 0), how=\"mean\"", PARTS("the next token", "->"));
    assert_shows_parts(&lang, "ablate r, sorted=True", PARTS("largest first", "L", "not matter"));
    assert_shows_parts(&lang, "lens r", PARTS("embeddings", "after L0", "after L1"));
    assert_shows_parts(&lang, "contributions r, \"dog\"", PARTS("together the logit", "held"));
    assert_shows_parts(&lang, "compare r, s", PARTS("the cat|dog* sat", "minus", "not matter"));
    assert_shows_parts(&lang, "patch r, s, token=\"cat\", against=\"dog\"",
                       PARTS("H0", "H1", "L1"));
    lang_run(&lang, "same = all(patch(r, s, layer=1).logits == r.logits)\n"
                    "logit = abs(sum(contributions(r, \"dog\")) - r.logits[-1, 2]) < 0.0001\n"
                    "last = all(lens(r)[-1] == r.logits[-1])");
    assert_value(&lang, "same & logit & last", 0, NULL, NUMBERS(1), 0);
    lang_close(&lang);
}

/* A token by its text is that token by its id; keep makes it the text. */
static void test_command__whatif_of_a_token(void **state)
{
    (void)state;
    struct lang lang;
    lang_open(&lang);
    lang_run(&lang,
             "m = transformer(vocab=[\"the\", \"cat\", \"dog\", \"sat\"]); r = m(\"the cat sat\")");
    assert_shows_parts(&lang, "whatif r.ids[1] = \"dog\"",
                       PARTS("the next token", "keep makes it so"));
    lang_run(&lang, "keep; same = all(r.logits == m(\"the dog sat\").logits)");
    assert_value(&lang, "same", 0, NULL, NUMBERS(1), 0);
    assert_fails(&lang, "whatif r.ids[1] = \"bird\"", ERR_RANGE, "bird");
    assert_fails(&lang, "x = [1, 2]; whatif x[0] = \"dog\"", ERR_TYPE, "r.ids[3]");
    lang_close(&lang);
}

/* What can't be done says what to do. */
static void test_command__looking_into_runs_fails_with_advice(void **state)
{
    (void)state;
    struct lang lang;
    lang_open(&lang);
    lang_run(&lang, "m = transformer(vocab=[\"the\", \"cat\", \"sat\"]); r = m(\"the cat\")");
    assert_fails(&lang, "ablate r", ERR_TYPE, "say what to cut: head=(");
    assert_fails(&lang, "ablate r, head=5", ERR_TYPE, "as (5, 1)");
    assert_fails(&lang, "ablate r, head=(0, 2)", ERR_RANGE, "there are 2, 0 to 1");
    assert_fails(&lang, "ablate(r, head=(0, 1), to=m(\"cat\"))", ERR_SHAPE, "as many tokens");
    assert_fails(&lang, "contributions(r, \"the cat\")", ERR_NAME, "is 2 tokens");
    assert_fails(&lang, "head_scores(r, \"inductive\")", ERR_NAME, "\"induction\"");
    assert_fails(&lang, "compare(r, \"the\")", ERR_TYPE, "compare(m, \"A\", \"B\")");
    assert_fails(&lang, "patch(r, r)", ERR_RANGE, "token=");
    assert_fails(&lang, "qk(transformer(vocab=900), 0, 0)", ERR_LIMIT, "words=");
    assert_fails(&lang, "qk(m, 0, 0, [7])", ERR_RANGE, "7 is not a token");
    lang_close(&lang);
}

/* What a mask hides is a dot in tables for people; scripts read numbers. */
static void test_command__hidden_weights_are_dots(void **state)
{
    struct lang *lang = *state;
    lang_run(lang, "S = [[1, 2], [3, 3]]\nW = softmax(S + causal_mask(2))\n");
    lang->session.settings.echo = true;
    assert_shows(lang, "W", "1.0000       \xC2\xB7\n0.5000  0.5000\n\xC2\xB7 hidden: weight 0\n");
    assert_shows(lang, "W[0]", "1  \xC2\xB7\n\xC2\xB7 hidden: weight 0\n");
    assert_shows(lang, "W * 1", "1.0000  0.0000\n0.5000  0.5000\n"); /* computed since */
    assert_shows(lang, "show W",
                 "W  2x2\n1.0000       \xC2\xB7\n0.5000  0.5000\n\xC2\xB7 hidden: weight 0\n");
    lang->session.settings.echo = false;
    assert_shows(lang, "W", "1.0000  0.0000\n0.5000  0.5000\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_command__each_is_found_by_its_name_only),
        cmocka_unit_test(test_command__none_is_missing),
        cmocka_unit_test(test_command__every_example_runs),
        cmocka_unit_test(test_command__the_fuzzer_knows_every_word),
        lang_unit_test(test_command__help_lists_everything),
        lang_unit_test(test_command__help_of_a_name_runs_its_example),
        lang_unit_test(test_command__help_changes_nothing),
        lang_unit_test(test_command__help_of_what_is_not_there),
        lang_unit_test(test_command__show_writes_all_of_a_wide_matrix),
        lang_unit_test(test_command__why_shows_the_arithmetic),
        lang_unit_test(test_command__why_keeps_to_the_width),
        lang_unit_test(test_command__trace_shows_the_stages_in_order),
        lang_unit_test(test_command__vars_lists_names_in_their_order),
        lang_unit_test(test_command__whatif_shows_and_changes_nothing_yet),
        lang_unit_test(test_command__keep_makes_it_so_and_undo_takes_it_back),
        lang_unit_test(test_command__undo_forgets_a_whatif_first),
        lang_unit_test(test_command__a_later_assignment_makes_a_whatif_void),
        lang_unit_test(test_command__64_changes_can_be_taken_back),
        lang_unit_test(test_command__whatif_needs_a_cell_and_a_number),
        lang_unit_test(test_command__del_forgets_names),
        lang_unit_test(test_command__set_changes_what_is_shown),
        lang_unit_test(test_command__set_threads),
        lang_unit_test(test_command__quit_is_remembered),
        lang_unit_test(test_command__some_are_names_unless_a_name_follows),
        lang_unit_test(test_command__looking_into_runs),
        lang_unit_test(test_command__whatif_of_a_token),
        lang_unit_test(test_command__looking_into_runs_fails_with_advice),
        lang_unit_test(test_command__hidden_weights_are_dots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
