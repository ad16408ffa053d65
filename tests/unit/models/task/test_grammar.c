/* task/grammar.h: a small grammar, and what is said of wrong ones. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "task/grammar.h"
#include "task/story.h"
#include "tensor/random.h"

/* Every line is a string, so that a test can put another one in its place. */
static const char *const lines[] = {
    /*  1 */ "longest: 20",
    /*  2 */ "classes:",
    /*  3 */ "  pet:",
    /*  4 */ "    columns: [word, sound]",
    /*  5 */ "    words: [[cat, meowed], [dog, barked]]",
    /*  6 */ "  size:",
    /*  7 */ "    again: true",
    /*  8 */ "    words: [big, small]",
    /*  9 */ "questions:",
    /* 10 */ "  who: {kind: it, about: A, rival: A.sound}",
    /* 11 */ "rules:",
    /* 12 */ "  story:",
    /* 13 */ "    - bind: {A: pet, B: size}",
    /* 14 */ "      say: <meet> and $A!who $A.sound .",
    /* 15 */ "  meet:",
    /* 16 */ "    - weight: 3",
    /* 17 */ "      say: a $B@cue $A came",
    /* 18 */ "    - nobody came",
};
enum { N_LINES = sizeof lines / sizeof *lines };

/* The small grammar with another text in place of a line; 0: as it is. */
static bool read_with(unsigned line, const char *text, struct grammar *ret, struct error *error)
{
    struct text file = {0};
    for (unsigned i = 0; i < N_LINES; i++)
        text_format(&file, "%s\n", i + 1 == line ? text : lines[i]);
    bool ok = grammar_read("small.yaml", text_string(&file), file.size, ret, error);
    text_release(&file);
    return ok;
}

static void assert_fault(unsigned line, const char *text, const char *says)
{
    struct grammar grammar;
    struct error error = {0};
    assert_error(read_with(line, text, &grammar, &error), error, ERR_SYNTAX);
    assert_says(error, says);
}

static void test_grammar__words_are_counted_in_the_order_of_the_file(void **state)
{
    (void)state;
    struct grammar grammar;
    struct error error;
    static const char *const words[] = {"<pad>",  "<mask>", "<start>", "<end>", "cat",
                                        "meowed", "dog",    "barked",  "big",   "small",
                                        "and",    ".",      "a",       "came",  "nobody"};
    assert_true(read_with(0, NULL, &grammar, &error));
    assert_int_equal(grammar.n_tokens, sizeof words / sizeof *words);
    for (unsigned i = 0; i < grammar.n_tokens; i++) {
        assert_string_equal(grammar.words[i], words[i]);
        assert_int_equal(grammar_token(&grammar, words[i], strlen(words[i])), i);
    }
    assert_int_equal(grammar_token(&grammar, "do", 2), -1);
    grammar_release(&grammar);
}

/* All that the small grammar can say, and how often. */
static void test_grammar__choices_come_by_weight(void **state)
{
    (void)state;
    struct grammar grammar;
    struct error error;
    struct random random;
    unsigned n_nobody = 0, n_cats = 0;
    assert_true(read_with(0, NULL, &grammar, &error));
    random_seed(&random, 1);
    for (unsigned i = 0; i < 4000; i++) {
        struct story story;
        struct text text = {0};
        assert_true(story_draw(&grammar, SPLIT_TRAINING, &random, &story, &error));
        story_show(&grammar, story.tokens, story.n_tokens, &text);
        const char *said = text_string(&text);
        bool nobody = strncmp(said, "nobody came and ", 16) == 0;
        bool cat = strstr(said, "cat meowed .") != NULL;
        n_nobody += nobody;
        n_cats += cat;
        assert_true(cat || strstr(said, "dog barked .") != NULL);
        if (!nobody) {
            const char *const size = said[2] == 'b' ? "a big " : "a small ";
            assert_int_equal(strncmp(said, size, strlen(size)), 0);
        }
        /* Before anybody came, nothing tells who it is, and the question is asked all the same. */
        assert_int_equal(story.n_questions, 1);
        assert_int_equal(story.questions[0].referent, nobody ? -1 : 3);
        text_release(&text);
    }
    assert_in_range(n_nobody, 880, 1120);
    assert_in_range(n_cats, 1850, 2150);
    grammar_release(&grammar);
}

static void test_grammar__faults_name_their_lines(void **state)
{
    (void)state;
    static const struct {
        unsigned line;
        const char *text, *says;
    } faults[] = {
        {1, "longest: 2", "small.yaml:1: longest: 4 to 128 tokens are expected, not 2"},
        {1, "longest: 20\ntwins: met", "small.yaml:1: no rule is called 'met'; meet is spelt"},
        {1, "longest: 20\ntwins: story", "<story> has 1 choices; twins need one of two"},
        {1, "longst: 20", "the file has no key 'longst'; longest is spelt"},
        {1, "longest: 20\nheld_out: [{words: [pet, sise], one_in: 3}]",
         "small.yaml:2: no class is called 'sise'; size is spelt"},
        {1, "longest: 20\nheld_out: [{words: [pet], one_in: 3}]", "two classes are expected"},
        {1, "longest: 20\nheld_out: [{words: [pet, size], one_in: 1}]", "one_in: 2 or more"},
        {5, "    words: [[cat], [dog, barked]]",
         "small.yaml:5: class pet: each word has 2 forms, not 1"},
        {5, "    words: [[cat, meowed], [Dog, barked]]",
         "'Dog': a word is written in small letters"},
        {5, "    words: [[cat, meowed], [big dog, barked]]", "'big dog': a word is written"},
        {5, "    words: [[cat, meowed], [cat, barked]]", "cat stands in class pet already"},
        {8, "    words: [big, cat]", "small.yaml:8: cat stands in class pet already"},
        {8, "    words: []", "small.yaml:8: words: the list is empty"},
        {4, "    columns: [word, sound, sound]", "columns: sound stands twice"},
        {10, "  who: {kind: it, about: A}", "small.yaml:10: question who needs the key other, or"},
        {10, "  who: {kind: it, about: C, rival: A}", "small.yaml:10: no name is called 'C'"},
        {10, "  who: {kind: it, about: A, rival: A, needs: [pronoum]}",
         "small.yaml:10: no mark is called 'pronoum'; pronoun is spelt"},
        {13, "    - bind: {A: bet, B: size}", "small.yaml:13: no class is called 'bet'; pet is"},
        {13, "    - bind: {A: pet, B: $C}", "small.yaml:13: no name is called 'C'"},
        {13, "    - bind: {A: $B, B: size}", "small.yaml:13: bind: no word is bound to B here"},
        {13, "    - bind: {A: pet}", "no name is called 'B'"},
        {13, "    - bind: {A: pet, B: size}\n      where: [A == B]", "NAME.form = NAME.form is"},
        {13, "    - bind: {A: pet, B: size}\n      where: [A != B.sound]",
         "where: B may be of class size, which has no form sound"},
        {13, "    - bind: {A: pet, B: size}\n      when: [A = A]", "when: no word is bound to A"},
        {14, "      say: <meet> and $A!hwo", "small.yaml:13: no question is called 'hwo'; who is"},
        {14, "      say: <met> and $A!who", "no rule is called 'met'; meet is spelt"},
        {14, "      say: <meet> and $A.soun", "no form of a word is called 'soun'; sound is"},
        {14, "      say: <meet> and $B.sound", "say: B may be of class size, which has no form"},
        {14, "      say: no one . $A!who", "small.yaml:15: no story comes to <meet>"},
        {16, "    - weight: 0", "small.yaml:16: rules: weight: 1 or more is expected"},
        {16, "    - weight: 3\n      bind: {C: pet}\n      when: [C = C]", "no word is bound to C"},
        {17, "      say: a $B@que $A came", "no mark is called 'que'; cue is spelt"},
        {18, "    - nobody but <story>", "goes round in a circle"},
        {18, "    - nobody came!who\n    - a@cue@cue", "a word is written in small letters"},
        {15, "  meat:", "no rule is called 'meet'; meat is spelt"},
        {12, "  tale:", "no rule is called 'story'"},
        {18, "    -", "a text is expected; it is empty"},
        {18, "    - [a, b]", "a mapping {name: value, ...} is expected, not a list"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_fault(faults[i].line, faults[i].text, faults[i].says);
}

/* Twenty rules that each say the next one twice would be a million of them. */
static void test_grammar__rules_that_multiply_are_refused(void **state)
{
    (void)state;
    struct text file = {0};
    struct grammar grammar;
    struct error error;
    text_put(&file, "longest: 20\nclasses: {a: {words: [a]}}\nrules:\n  story: [<r0>]\n");
    for (unsigned i = 0; i < 20; i++)
        text_format(&file, "  r%u: [<r%u> <r%u>]\n", i, i + 1, i + 1);
    text_put(&file, "  r20: [a]\n");
    assert_error(grammar_read("deep.yaml", text_string(&file), file.size, &grammar, &error), error,
                 ERR_SYNTAX);
    assert_says(error, "in each other in too many ways");
    text_release(&file);
}

/* A story that is always too long, and words that can't be bound: told, and not tried for ever. */
static void test_grammar__stories_that_can_not_be_told(void **state)
{
    (void)state;
    struct grammar grammar;
    struct random random;
    struct story story;
    struct error error;
    random_seed(&random, 1);
    assert_true(read_with(1, "longest: 5", &grammar, &error));
    assert_error(story_draw(&grammar, SPLIT_TRAINING, &random, &story, &error), error, ERR_RANGE);
    assert_says(error, "no story could be made in 1000 tries");
    grammar_release(&grammar);
    assert_true(
        read_with(13, "    - bind: {A: pet, B: size}\n      where: [A != A]", &grammar, &error));
    assert_error(story_draw(&grammar, SPLIT_TRAINING, &random, &story, &error), error, ERR_RANGE);
    assert_says(error, "at line 13 of the grammar");
    unsigned question;
    struct story twins[2];
    assert_error(story_draw_twins(&grammar, SPLIT_TRAINING, &random, twins, &question, &error),
                 error, ERR_RANGE);
    grammar_release(&grammar);
}

static void test_grammar__what_a_person_types(void **state)
{
    (void)state;
    struct grammar grammar;
    struct error error;
    int32_t tokens[8];
    size_t n;
    assert_true(read_with(0, NULL, &grammar, &error));
    assert_true(grammar_tokens(&grammar, " A big Dog came.", tokens, 8, &n, &error));
    const int32_t want[] = {12, 8, 6, 13, 11};
    assert_int_equal(n, 5);
    assert_memory_equal(tokens, want, sizeof want);
    assert_error(grammar_tokens(&grammar, "a smal dog", tokens, 8, &n, &error), error, ERR_NAME);
    assert_says(error, "no word 'smal' in them; did you mean small?");
    assert_error(grammar_tokens(&grammar, "a dog; <pad>", tokens, 8, &n, &error), error, ERR_NAME);
    assert_says(error, "';'");
    assert_error(grammar_tokens(&grammar, "\xff\x1b[2J", tokens, 8, &n, &error), error, ERR_NAME);
    assert_says(error, "'?'");
    assert_error(grammar_tokens(&grammar, "a a a a a a a a a", tokens, 8, &n, &error), error,
                 ERR_LIMIT);
    assert_true(grammar_tokens(&grammar, " ", tokens, 8, &n, &error));
    assert_int_equal(n, 0);
    grammar_release(&grammar);
}

static void test_grammar__reports_failed_allocations(void **state)
{
    (void)state;
    struct grammar grammar;
    struct error error;
    static const char text[] = "longest: 9\nclasses: {a: {words: [b, c]}}\n"
                               "rules: {story: [{bind: {A: a}, say: $A}]}\n";
    assert_reports_failed_allocations(
        grammar_read("a.yaml", text, sizeof text - 1, &grammar, &error), error);
    grammar_release(&grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar__words_are_counted_in_the_order_of_the_file),
        cmocka_unit_test(test_grammar__choices_come_by_weight),
        cmocka_unit_test(test_grammar__faults_name_their_lines),
        cmocka_unit_test(test_grammar__rules_that_multiply_are_refused),
        cmocka_unit_test(test_grammar__stories_that_can_not_be_told),
        cmocka_unit_test(test_grammar__what_a_person_types),
        cmocka_unit_test(test_grammar__reports_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
