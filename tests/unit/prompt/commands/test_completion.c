/* lang/commands/completion.h: what a half-typed word may become. */
#include "lang_testing.h"

#include <stdlib.h>
#include <string.h>

#include "lang/builtins/builtin.h"
#include "commands/command.h"
#include "commands/completion.h"

static int setup(void **state)
{
    if (lang_setup(state) != 0)
        return 1;
    lang_run(*state, "X = embed(\"Hello shiny sun!\"); scores = X @ X.T; source = 1\n"
                     "W = labels(scores, [\"a b\", \"ac\", \"b\"], [\"it's\", \"if\", \"q\"])\n"
                     "gone = 1; del gone; L = (1, 2)\n");
    return 0;
}

/* Writes all completions of the word before '|' in line, split by blanks. *ret_start: where the
 * word starts. The line ends where its memory does. */
static struct text completions(const struct lang *lang, const char *line, size_t *ret_start)
{
    const char *bar = strchr(line, '|');
    size_t at = (size_t)(bar - line), behind = strlen(bar + 1), state = 0;
    char *copy = malloc(at + behind + 1);
    assert_non_null(copy);
    memcpy(copy, line, at);
    memcpy(copy + at, bar + 1, behind + 1);
    struct text all = {0};
    const char *text;
    while (completion_next(&lang->session, copy, at, &state, ret_start, &text)) {
        assert_true(*ret_start <= at);
        assert_int_equal(strncmp(text, copy + *ret_start, at - *ret_start), 0);
        text_format(&all, "%s%s", all.size ? " " : "", text);
    }
    free(copy);
    return all;
}

static void assert_completes(void **state, const char *line, const char *expected, size_t start)
{
    size_t got_start = SIZE_MAX;
    struct text all = completions(*state, line, &got_start);
    assert_string_equal(text_string(&all), expected);
    assert_int_equal(got_start, start);
    text_release(&all);
}

static void test_completion__names_and_functions(void **state)
{
    assert_completes(state, "x = sc|", "scores scaled_dot_product_attention", 4);
    assert_completes(state, "1 + softm|", "softmax", 4);
    assert_completes(state, "f(log_|", "log_softmax", 2);
    assert_completes(state, "1 + nothing_like_it|", "", 4);
    assert_completes(state, "1 + gone|", "", 4); /* a deleted name */
    assert_completes(state, "X.softm|", "softmax", 2);
    assert_completes(state, "1 + sour| * 2", "source", 4); /* what follows does not matter */
}

static void test_completion__commands_at_the_start_of_a_statement(void **state)
{
    assert_completes(state, "whati|", "whatif", 0);
    assert_completes(state, "  hea|", "heat heads head_scores", 2);
    assert_completes(state, "x = 1; und|", "undo", 7);
    assert_completes(state, "x = 1\nund|", "undo", 6);
    assert_completes(state, "x + und|", "", 4);
    assert_completes(state, "sh|", "show shapes shape", 0);
}

static void test_completion__words_of_loops(void **state)
{
    assert_completes(state, "fo|", "for", 0);
    assert_completes(state, "x = 1; fo|", "for", 7);
    assert_completes(state, "for i i|", "in isnan isinf is_contiguous int item", 6);
    assert_completes(state, "for i in range(3): sho|", "show", 19);
    assert_completes(state, "for i in range(3):sho|", "show", 18);
    assert_completes(state, "for i in range(3): x = 1; sho|", "show", 26);
    assert_completes(state, "[i * i fo|", "for", 7);
    assert_completes(state, "[f(i) fo|", "for", 6);
    assert_completes(state, "[\"]\" fo|", "for", 5);
    assert_completes(state, "y = [i for i i|", "in isnan isinf is_contiguous int item", 13);
    assert_completes(state, "f(x fo|", "", 4); /* not in a list */
    assert_completes(state, "[fo|", "", 1);    /* no item yet */
    assert_completes(state, "[1 + fo|", "", 5);
    assert_completes(state, "x i|", "isnan isinf is_contiguous int item", 2);
    assert_completes(state, "wait for i|", "isnan isinf is_contiguous int item", 9);
    assert_completes(state, "X[1:sho|", "", 4);  /* a slice is no loop */
    assert_completes(state, "\"[\" fo|", "", 4); /* this bracket is a text's */
}

static void test_completion__help_knows_functions_and_commands(void **state)
{
    assert_completes(state, "help softm|", "softmax", 5);
    assert_completes(state, "help wha|", "whatif", 5);
    assert_completes(state, "help sco|", "", 5); /* no names */
}

static void test_completion__nothing_typed_gives_everything(void **state)
{
    size_t start, n, count = 0;
    struct text all = completions(*state, "|", &start);
    for (const char *c = text_string(&all); *c != '\0'; c++)
        count += *c == ' ';
    (void)command_table(&n);
    size_t functions = 0; /* that are no commands */
    for (size_t i = 0; builtin_at(i) != NULL; i++)
        functions += command_find(builtin_at(i)->name, strlen(builtin_at(i)->name)) == NULL;
    assert_int_equal(count + 1, n + 5 + functions); /* X, scores, source, W, L */
    text_release(&all);
}

static void test_completion__labels_inside_an_index(void **state)
{
    assert_completes(state, "X[\"s|", "shiny sun", 3);
    assert_completes(state, "X['|", "Hello shiny sun", 3);
    assert_completes(state, "y = 1 + scores[\"sun\", \"sh|", "shiny", 23);
    assert_completes(state, "X[\"s|\"]", "shiny sun", 3);
    assert_completes(state, "W[\"a|", "a b ac", 3); /* with their blanks */
    assert_completes(state, "W[0, \"i|", "it's if", 6);
    assert_completes(state, "W[\"it's\", \"i|", "it's if", 11);
    assert_completes(state, "X[\"s|un\", 0]", "shiny sun", 3);
}

static void test_completion__labels_look_through_other_brackets(void **state)
{
    assert_completes(state, "W[X[0, 1, 2], \"i|", "it's if", 15);
    assert_completes(state, "W[f(1, 2), \"i|", "it's if", 12);
    assert_completes(state, "X[W[\"a b\", \"i|", "it's if", 12);
    assert_completes(state, "X[len([1, 2]) - 2, \"s|", "", 20); /* axis 1 has no labels */
}

static void test_completion__other_texts_have_no_completions(void **state)
{
    assert_completes(state, "embed(\"s|", "", 7);
    assert_completes(state, "\"s|", "", 1);
    assert_completes(state, "nothing[\"s|", "", 9);
    assert_completes(state, "L[\"s|", "", 3);
    assert_completes(state, "source[\"s|", "", 8);  /* a single number has no axes */
    assert_completes(state, "X[0, 0, \"s|", "", 9); /* X has two axes */
    assert_completes(state, "[\"s|", "", 2);
    assert_completes(state, "X[f(\"s|", "", 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_completion__names_and_functions),
        cmocka_unit_test(test_completion__commands_at_the_start_of_a_statement),
        cmocka_unit_test(test_completion__words_of_loops),
        cmocka_unit_test(test_completion__help_knows_functions_and_commands),
        cmocka_unit_test(test_completion__nothing_typed_gives_everything),
        cmocka_unit_test(test_completion__labels_inside_an_index),
        cmocka_unit_test(test_completion__labels_look_through_other_brackets),
        cmocka_unit_test(test_completion__other_texts_have_no_completions),
    };
    return cmocka_run_group_tests(tests, setup, lang_teardown);
}
