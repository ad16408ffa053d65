/* ui/panes/explorer: another sentence, or a tensor of another session, asked for in a field. */
#include "explorer_testing.h"

#include <stdio.h>

#include <string.h>

#include "graph/node.h"

/* The fixture, and a session that is the prompt's. */
static void open_prompt(struct fixture *fixture, struct lang *lang, const char *lines)
{
    lang_open(lang);
    lang_run(lang, lines);
    explorer_use_variables(&fixture->explorer, &lang->session);
}

static void close_prompt(struct fixture *fixture, struct lang *lang)
{
    explorer_use_variables(&fixture->explorer, NULL);
    lang_close(lang);
}

static void check_source(struct fixture *fixture, const char *wanted)
{
    struct text text = {0};
    explorer_write_source(&fixture->explorer, &text);
    assert_string_equal(text_string(&text), wanted);
    text_release(&text);
}

static void asks_for_a_sentence(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "w");
    draw(fixture);
    assert_string_equal(row_text(fixture, ROWS - 2), "show: Hello shiny sun!");
    assert_int_equal(fixture->canvas.cursor_row, ROWS - 2);
    assert_int_equal(fixture->canvas.cursor_col, 22);
    assert_non_null(strstr(marked(fixture, MARK_REVERSE), "Hello shiny sun!")); /* chosen */
    type(fixture, "cat, w\n"); /* letters that are keys elsewhere; the first one replaces */
    assert_false(fixture->explorer.is_typing);
    assert_string_equal(fixture->explorer.pipeline.sentence, "cat, w");
    check_source(fixture, "\"cat, w\"");
    assert_int_equal(node_of(fixture, "E")->value.shape[0], 2);
    type(fixture, "w> sun\n"); /* a key that moves keeps it */
    assert_string_equal(fixture->explorer.pipeline.sentence, "cat, w sun");
    type(fixture, "w^^\n"); /* Up: the sentences before */
    assert_string_equal(fixture->explorer.pipeline.sentence, "Hello shiny sun!");
    type(fixture, "w~\n"); /* all of it goes */
    assert_shown(fixture, "there is no word in it");
}

static void escape_leaves_the_sentence(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "e2\nw cat$$"); /* the first empties the field */
    assert_false(fixture->explorer.is_typing);
    assert_string_equal(fixture->explorer.pipeline.sentence, "Hello shiny sun!");
    type(fixture, "w\n"); /* the same one: its edits stay */
    assert_close(number(fixture, "E", 0), 2, 0);
    assert_int_equal(fixture->explorer.pipeline.n_edits, 1);
    type(fixture, "w");
    assert_true(pane_press((struct pane){&explorer_ops, &fixture->explorer}, KEYCODE_CTRL_C));
    assert_false(fixture->explorer.is_typing);
}

static void what_cannot_be_shown_is_mended(void **state)
{
    struct fixture *fixture = *state;
    type(fixture, "w");
    explorer_key(&fixture->explorer, 'U' - '@');
    assert_shown(fixture, "show: a sentence, or a name of the prompt");
    type(fixture, "?!\n");
    assert_true(fixture->explorer.is_typing);
    assert_shown(fixture, "there is no word in it");
    assert_shown(fixture, "show: ?!");
    type(fixture, "zyx");
    assert_not_shown(fixture, "there is no word in it");
    type(fixture, "\n");
    assert_shown(fixture, "\"zyx\" is not in attn's table");
    assert_shown(fixture, "made-up vector"); /* on a line of its own, where it is long */
    assert_shown(fixture, "every time");
}

static void a_name_shows_the_tensor(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    open_prompt(fixture, &lang,
                "X = embed(\"the cat sat\")\nS = X @ X.T\nw = softmax(S, dim=-1)\nalias = w");
    type(fixture, "w");
    explorer_key(&fixture->explorer, 'U' - '@');
    type(fixture, " w \n");
    check_source(fixture, "w of the prompt");
    assert_shown(fixture, "X > S > [w]");
    assert_shown(fixture, "w of the prompt");
    check_equals(fixture, "w",
                 "softmax(embed(\"the cat sat\") @ embed(\"the cat sat\").T, dim=-1)");
    type(fixture, "w");
    assert_shown(fixture, "show: w");
    type(fixture, "~alias\n");
    check_source(fixture, "alias of the prompt");
    type(fixture, "w~~~~~\"w\"\n"); /* quotes make it a sentence */
    check_source(fixture, "\"w\"");
    assert_true(is_stage(fixture, "context"));
    close_prompt(fixture, &lang);
}

/* What no name of the prompt stands for is told by its formula; a gradient by the name it has. */
static void what_has_no_name_is_told_by_its_formula(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct value value;
    struct error error;
    open_prompt(fixture, &lang, "E = eye(2)");
    assert_true(explorer_show_node(&fixture->explorer, lang_node(&lang, "E"), &error));
    check_source(fixture, "E of the prompt");
    assert_true(session_peek(&lang.session, NULL, "E[0] * 3", &value, &error));
    assert_true(explorer_show_node(&fixture->explorer, value.as.node, &error));
    check_source(fixture, "E[0] * 3");
    value_release(&value);
    assert_true(session_peek(&lang.session, NULL, "grad(sum(E * E), E)", &value, &error));
    assert_true(explorer_show_node(&fixture->explorer, value.as.node, &error));
    check_source(fixture, "d_E");
    value_release(&value);
    close_prompt(fixture, &lang);
}

static void tells_a_tensor_that_is_another_one_now(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    open_prompt(fixture, &lang, "a = [1, 2]");
    assert_true(explorer_show(&fixture->explorer, "a", &error));
    check_source(fixture, "a of the prompt");
    lang_run(&lang, "b = a * 2");
    check_source(fixture, "a of the prompt");
    lang_run(&lang, "a = a * 3");
    check_source(fixture, "a of the prompt, as it was");
    type(fixture, "w\n");
    check_source(fixture, "a of the prompt");
    assert_close(number(fixture, "a", 1), 6, 0);
    lang_run(&lang, "del a");
    check_source(fixture, "a of the prompt, as it was");
    close_prompt(fixture, &lang);
    check_source(fixture, "a of the prompt");
}

static void shows_only_tensors_by_name(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    open_prompt(fixture, &lang, "f(x) = x * 2\ntext = \"the cat\"");
    assert_error(explorer_show(&fixture->explorer, "f", &error), error, ERR_NAME);
    assert_non_null(strstr(error.text, "only tensors can be shown"));
    assert_error(explorer_show(&fixture->explorer, "text", &error), error, ERR_NAME);
    check_source(fixture, "\"Hello shiny sun!\"");
    check_equals(fixture, "context", "attention(E, E, E)");
    close_prompt(fixture, &lang);
}

static void names_are_completed(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    open_prompt(fixture, &lang,
                "weights = ones(2, 2)\nwords = ones(3, 4)\nother = 1\nwho = \"no\"");
    type(fixture, "w");
    assert_shown(fixture, "Enter shows it, Esc cancels"); /* nothing is typed yet */
    type(fixture, "zz");
    assert_shown(fixture, "Enter shows it, Esc clears"); /* no name begins like this */
    explorer_key(&fixture->explorer, 'U' - '@');
    assert_shown(fixture, "Tab: weights 2x2  words 3x4  other a single number");
    type(fixture, "w");
    assert_shown(fixture, "Tab: weights 2x2  words 3x4");
    assert_not_shown(fixture, "other");
    type(fixture, "|");
    assert_shown(fixture, "show: w");
    type(fixture, "o|");
    assert_shown(fixture, "show: words");
    type(fixture, "x|");
    assert_shown(fixture, "begins so");
    type(fixture, "~\n");
    check_source(fixture, "words of the prompt");
    close_prompt(fixture, &lang);
}

static void many_names_are_cut(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    open_prompt(fixture, &lang,
                "a1 = [1, 2]\na2 = a1\na3 = a1\na4 = a1\na5 = a1\na6 = a1\na7 = a1");
    type(fixture, "w");
    explorer_key(&fixture->explorer, 'U' - '@');
    draw(fixture);
    const char *last = row_text(fixture, ROWS - 1);
    assert_string_equal(last + strlen(last) - 4, " ...");
    resize(fixture, 4, 12); /* hardly any room: the field alone */
    draw(fixture);
    assert_string_equal(row_text(fixture, 3), "a sentence,");
    close_prompt(fixture, &lang);
}

/* A tensor of more than two axes: a table of it, chosen by digits, or by H however many there are.
 */
static void tables_of_a_tensor(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    open_prompt(fixture, &lang,
                "t = arange(120).reshape(2, 3, 4, 5)\nm = ones(20, 3)\nv = arange(60)");
    assert_true(explorer_show(&fixture->explorer, "t", &error));
    assert_shown(fixture, "[0, 0, :, :]");
    assert_shown(fixture, "19");
    type(fixture, "5");
    assert_shown(fixture, "[1, 1, :, :]");
    assert_shown(fixture, "t[1, 1, 0, 0] = 80");
    type(fixture, "H");
    assert_shown(fixture, "[1, 2, :, :]");
    type(fixture, "H");
    assert_shown(fixture, "[0, 0, :, :]");
    type(fixture, "7");
    assert_shown(fixture, "there is no table 7: the last one is 6");
    assert_true(explorer_show(&fixture->explorer, "m", &error));
    assert_shown(fixture, "[0:15, 0:3]");
    type(fixture, "H");
    assert_shown(fixture, "this tensor is one table");
    assert_true(explorer_show(&fixture->explorer, "v", &error));
    assert_shown(fixture, "[0:17]"); /* a vector has no rows */
    type(fixture, "s");
    assert_shown(fixture, "this key is for a sentence, and here is a tensor; w asks for");
    assert_shown(fixture, "a sentence"); /* on a line of its own */
    close_prompt(fixture, &lang);
}

static void a_sentence_that_is_too_long(void **state)
{
    struct fixture *fixture = *state;
    struct error error;
    char line[FIELD_BYTES + 40];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    assert_error(explorer_show(&fixture->explorer, line, &error), error, ERR_LIMIT);
    type(fixture, "w");
    for (int i = 0; i < FIELD_BYTES; i++)
        type(fixture, "b");
    type(fixture, "\n");
    assert_true(fixture->explorer.is_typing);
    assert_shown(fixture, "shorten it");
    check_source(fixture, "\"Hello shiny sun!\"");
}

static void failed_allocations(void **state)
{
    struct fixture *fixture = *state;
    struct lang lang;
    struct error error;
    open_prompt(fixture, &lang, "x = [[1, 2], [3, 4]]\ny = x @ x");
    int rows = fixture->explorer.rows;
    fixture->explorer.rows = 0; /* a table that can't be kept is no error */
    assert_reports_failed_allocations(explorer_show(&fixture->explorer, "y", &error), error);
    fixture->explorer.rows = rows;
    check_source(fixture, "y of the prompt");
    for (long nth = 1; nth < 60; nth++) {
        type(fixture, "w");
        explorer_key(&fixture->explorer, 'U' - '@');
        testing_fail_allocation(nth);
        draw(fixture);
        type(fixture, "x|\n");
        draw(fixture);
        testing_fail_allocation(0);
        while (fixture->explorer.is_typing)
            type(fixture, "$");
        assert_true(is_stage(fixture, "x"));
        draw(fixture);
    }
    close_prompt(fixture, &lang);
}

static void explore(struct fixture *fixture, const char *line)
{
    struct exploration exploration;
    struct error error;
    exploration_init(&exploration);
    if (!exploration_read(line, strlen(line), &exploration, &error) ||
        !explorer_explore(&fixture->explorer, &exploration, &error))
        fail_msg("%s", error.text);
}

static void an_exploration_with_its_options(void **state)
{
    struct fixture *fixture = *state;
    struct exploration wrong;
    struct error error;
    explore(fixture, "my cat saw your dog heads=4 mask=causal at=weights");
    check_source(fixture, "\"my cat saw your dog\"");
    assert_shown(fixture, "[weights]");
    assert_shown(fixture, "head 1/4, causal mask, scaled");
    explore(fixture, "heads=2"); /* the sentence stays */
    check_source(fixture, "\"my cat saw your dog\"");
    assert_shown(fixture, "head 1/2, no mask");
    exploration_init(&wrong);
    snprintf(wrong.at, sizeof wrong.at, "wieghts");
    assert_error(explorer_explore(&fixture->explorer, &wrong, &error), error, ERR_NAME);
    struct text told = {0};
    explorer_describe(&fixture->explorer, &told);
    assert_string_equal(text_string(&told), "my cat saw your dog (2 heads)");
    text_clear(&told);
    explorer_write_exploration(&fixture->explorer, &told);
    assert_string_equal(text_string(&told),
                        "\"my cat saw your dog\" heads=2 mask=none scale=on temperature=1");
    text_release(&told);
}

/* Each once, the last one first; and the last one comes back after a tensor. */
static void sentences_are_remembered(void **state)
{
    struct fixture *fixture = *state;
    struct text kept = {0};
    set_sentence(fixture, "one cat");
    set_sentence(fixture, "two cats");
    set_sentence(fixture, "one cat");
    explorer_write_sentences(&fixture->explorer, &kept);
    assert_string_equal(text_string(&kept), "one cat\ntwo cats\nHello shiny sun!\n");
    for (int i = 0; i < EXPLORER_SENTENCES + 2; i++) {
        char sentence[16];
        snprintf(sentence, sizeof sentence, "cat %d", i);
        set_sentence(fixture, sentence);
    }
    assert_int_equal(fixture->explorer.n_sentences, EXPLORER_SENTENCES);
    assert_string_equal(fixture->explorer.sentences[0], "cat 9");
    explorer_remember(&fixture->explorer, text_string(&kept));
    assert_int_equal(fixture->explorer.n_sentences, 3);
    assert_string_equal(fixture->explorer.sentences[2], "Hello shiny sun!");
    text_release(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        explorer_unit_test(asks_for_a_sentence),
        explorer_unit_test(escape_leaves_the_sentence),
        explorer_unit_test(what_cannot_be_shown_is_mended),
        explorer_unit_test(a_name_shows_the_tensor),
        explorer_unit_test(what_has_no_name_is_told_by_its_formula),
        explorer_unit_test(tells_a_tensor_that_is_another_one_now),
        explorer_unit_test(shows_only_tensors_by_name),
        explorer_unit_test(names_are_completed),
        explorer_unit_test(many_names_are_cut),
        explorer_unit_test(tables_of_a_tensor),
        explorer_unit_test(a_sentence_that_is_too_long),
        explorer_unit_test(failed_allocations),
        explorer_unit_test(an_exploration_with_its_options),
        explorer_unit_test(sentences_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
