/* shell/: the words of the prompt, and what a line at it does. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "course_testing.h"
#include "lang_testing.h"
#include "shell/completion.h"
#include "shell/prompt_word.h"
#include "shell/shell.h"

struct fixture {
    struct place place;
    struct tutor tutor;
    struct shell shell;
    struct doc out;
    struct error error;
    struct shell_line ran; /* the last command */
    int n_ran;
    char log[16]; /* b: computing begins, e: it ends, c: a command */
};

static void log_event(struct fixture *fixture, char event)
{
    size_t size = strlen(fixture->log);
    assert_true(size + 1 < sizeof fixture->log);
    fixture->log[size] = event;
    fixture->log[size + 1] = '\0';
}

static void run_command(void *context, struct shell_line *line)
{
    struct fixture *fixture = context;
    fixture->ran = *line;
    fixture->n_ran++;
    log_event(fixture, 'c');
}

static void around_computing(void *context, bool begins)
{
    struct fixture *fixture = context;
    log_event(fixture, begins ? 'b' : 'e');
}

static int setup(void **state)
{
    static const struct settings plain = {.digits = 4, .width_cols = 80, .echo = true};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    place_open(&fixture->place);
    tutor_init(&fixture->tutor, &(struct player_setup){.progress = fixture->place.progress,
                                                       .settings = &plain,
                                                       .data_dir = fixture->place.folder});
    doc_init(&fixture->out);
    fixture->shell = (struct shell){.tutor = &fixture->tutor,
                                    .run_command = run_command,
                                    .around_computing = around_computing,
                                    .context = fixture};
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    doc_release(&fixture->out);
    tutor_release(&fixture->tutor);
    place_close(&fixture->place);
    free(fixture);
    return 0;
}

static enum shell_result run(struct fixture *fixture, const char *line)
{
    doc_clear(&fixture->out);
    fixture->log[0] = '\0';
    return shell_run_line(&fixture->shell, line, strlen(line), &fixture->out, &fixture->error);
}

static bool shows(const struct fixture *fixture, const char *part)
{
    return fixture->out.text.size > 0 && strstr(text_string(&fixture->out.text), part) != NULL;
}

static void test_shell__a_line_computes_between_the_two_calls(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, "1 + 1"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "2"));
    assert_string_equal(fixture->log, "be");
    assert_int_equal(run(fixture, "1 +"), SHELL_FAILED);
    assert_string_equal(fixture->log, "be");
    fixture->shell.around_computing = NULL;
    assert_int_equal(run(fixture, "2 + 2"), SHELL_GAVE_OUTPUT);
    assert_string_equal(fixture->log, "");
}

static void test_shell__a_command_gets_its_words(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, "  check 02-softmax\n"), SHELL_RAN_COMMAND);
    assert_string_equal(fixture->log, "c");
    assert_int_equal(fixture->ran.command, SHELL_CHECK);
    assert_int_equal(fixture->ran.n, 2);
    assert_int_equal(fixture->out.n_lines, 0);
    assert_memory_equal(fixture->ran.rest, "02-softmax", fixture->ran.rest_size);
    /* More words than it takes: a line of the language, which is wrong. */
    assert_int_equal(run(fixture, "check one two"), SHELL_FAILED);
    assert_int_equal(fixture->n_ran, 1);
}

static void test_shell__a_name_in_a_formula_is_no_command(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, "check = 3"), SHELL_GAVE_OUTPUT);
    assert_int_equal(run(fixture, "check + 1"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "4"));
    assert_int_equal(fixture->n_ran, 0);
}

static void test_shell__commands_of_the_screen_are_there_only_in_it(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, "explore \"the shiny sun\""), SHELL_FAILED);
    fixture->shell.in_screen = true;
    assert_int_equal(run(fixture, "explore \"the shiny sun\" "), SHELL_RAN_COMMAND);
    assert_int_equal(fixture->ran.rest_size, strlen("the shiny sun"));
    assert_memory_equal(fixture->ran.rest, "the shiny sun", fixture->ran.rest_size);
    assert_int_equal(fixture->ran.whole_size, strlen("\"the shiny sun\""));
    assert_int_equal(run(fixture, "explore \"the sun\" heads=4 mask=causal"), SHELL_RAN_COMMAND);
}

static void test_shell__help_tells_of_commands_and_lists_them(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, "help check"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "Grades one exercise"));
    assert_string_equal(fixture->log, ""); /* nothing was computed */
    assert_int_equal(run(fixture, "help home"), SHELL_FAILED);
    assert_int_equal(run(fixture, "help"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "exercises in C"));
    assert_false(shows(fixture, "the screen"));
    fixture->shell.in_screen = true;
    assert_int_equal(run(fixture, "help home"), SHELL_GAVE_OUTPUT);
    assert_int_equal(run(fixture, "help"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "the screen"));
}

static void test_shell__help_answers_questions(void **state)
{
    struct fixture *fixture = *state;
    fixture->tutor.session.data_dir = testing_data_dir();
    assert_int_equal(run(fixture, "help how do I multiply?\n"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "@   (operator)") && shows(fixture, "*   (operator)"));
    assert_true(shows(fixture, "  12")); /* the example has run */
    assert_int_equal(run(fixture, "help @"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "lesson score-matrix#dot-products"));
    assert_false(shows(fixture, "*   (operator)"));
    assert_int_equal(run(fixture, "help push a score, and nothing moves"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "Softmax is called saturated then"));
    assert_int_equal(run(fixture, "help perature"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "The nearest:") && shows(fixture, "temperature   (term)"));
    assert_int_equal(run(fixture, "help qqqq"), SHELL_FAILED);
    assert_non_null(strstr(fixture->error.text, "nothing has this or a similar name"));
    assert_string_equal(fixture->log, ""); /* nothing of it was computed */
}

static void test_shell__help_is_left_to_the_language_where_it_knows_better(void **state)
{
    struct fixture *fixture = *state;
    fixture->tutor.session.data_dir = testing_data_dir();
    assert_int_equal(run(fixture, "help sofmax"), SHELL_FAILED);
    assert_non_null(strstr(fixture->error.text, "did you mean softmax?"));
    assert_int_equal(run(fixture, "help softmax()"), SHELL_GAVE_OUTPUT);
    assert_true(shows(fixture, "softmax(input, dim=-1)"));
    assert_int_equal(run(fixture, "head = 3"), SHELL_GAVE_OUTPUT);
    assert_int_equal(run(fixture, "help head"), SHELL_FAILED);
    assert_non_null(strstr(fixture->error.text, "a name of this session"));
    assert_int_equal(run(fixture, "help = 2"), SHELL_GAVE_OUTPUT);
}

static void test_shell__an_empty_line(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(run(fixture, ""), SHELL_GAVE_OUTPUT);
    fixture->shell.empty_line_goes_on = true;
    assert_int_equal(run(fixture, " \n"), SHELL_GAVE_OUTPUT);
    assert_int_equal(fixture->out.n_lines, 0);
}

static void test_shell__the_list_has_every_word_once(void **state)
{
    (void)state;
    struct prompt_word word, other;
    size_t n_kinds[WORD_OF_LANGUAGE + 1] = {0};
    enum prompt_word_kind last = WORD_OF_COURSE;
    for (size_t i = 0; prompt_word(i, &word); i++) {
        assert_true(word.name[0] != '\0' && word.summary[0] != '\0');
        assert_memory_equal(word.usage, word.name, strlen(word.name));
        assert_true(word.kind >= last);
        last = word.kind;
        n_kinds[word.kind]++;
        for (size_t j = 0; j < i && prompt_word(j, &other); j++)
            assert_string_not_equal(other.name, word.name);
    }
    for (size_t i = 0; i <= WORD_OF_LANGUAGE; i++)
        assert_true(n_kinds[i] > 0);
    assert_int_equal(n_kinds[WORD_OF_SHELL], shell_command_count(false));
    assert_int_equal(n_kinds[WORD_OF_SHELL] + n_kinds[WORD_OF_SCREEN], SHELL_COMMANDS);
}

static void test_shell__every_word_is_completed(void **state)
{
    struct fixture *fixture = *state;
    struct prompt_word word;
    for (size_t i = 0; prompt_word(i, &word); i++) {
        struct completions found = {0};
        completions_find(&fixture->tutor, true, word.name, 1, &found);
        const char *at = text_string(&found.words);
        bool has = false;
        for (size_t n = 0; n < found.n; n++, at += strlen(at) + 1)
            has = has || strcmp(at, word.name) == 0;
        if (!has)
            fail_msg("%s is no completion of its first letter", word.name);
        completions_release(&found);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_shell__##name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_line_computes_between_the_two_calls),
        TEST(a_command_gets_its_words),
        TEST(a_name_in_a_formula_is_no_command),
        TEST(commands_of_the_screen_are_there_only_in_it),
        TEST(help_tells_of_commands_and_lists_them),
        TEST(help_answers_questions),
        TEST(help_is_left_to_the_language_where_it_knows_better),
        TEST(an_empty_line),
        TEST(the_list_has_every_word_once),
        TEST(every_word_is_completed),
    };
    return cmocka_run_group_tests_name("shell", tests, NULL, NULL);
}
