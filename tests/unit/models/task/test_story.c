/* task/story.h and assets/stories: an independent reader derives every question of a story and its
 * answer from the words alone, by rules that a person would give. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "task/story.h"
#include "tensor/random.h"

enum { STORIES = 20000 };

static struct grammar grammar;

static int close_grammar(void **state)
{
    (void)state;
    grammar_release(&grammar);
    return 0;
}

static void for_each_story(enum split split, uint32_t seed,
                           void (*check)(const struct story *story))
{
    struct random random;
    random_seed(&random, seed);
    for (unsigned i = 0; i < STORIES; i++) {
        struct story story;
        struct error error = {0};
        if (!story_draw(&grammar, split, &random, &story, &error))
            fail_msg("%s", error.text);
        check(&story);
    }
}

/* ---- the lexicon: only which words a class has, and their forms ---- */

static const struct word_class *class_named(const char *name)
{
    unsigned i = 0;
    while (strcmp(grammar.classes[i].name, name) != 0)
        assert_true(++i < grammar.n_classes);
    return &grammar.classes[i];
}

/* The class of each token, or NULL, and its place there. */
static const struct word_class *token_class[GRAMMAR_MOST_WORDS];
static int token_row[GRAMMAR_MOST_WORDS];

static void find_rows(void)
{
    for (const struct word_class *class = grammar.classes;
         class < grammar.classes + grammar.n_classes; class ++)
        for (unsigned row = 0; row < class->n_rows; row++) {
            int32_t token = class->tokens[row * class->n_columns];
            token_class[token] = class;
            token_row[token] = (int)row;
        }
}

static int open_grammar(void **state)
{
    struct error error = {0};
    (void)state;
    if (!grammar_open(getenv("ATTN_DATA_DIR"), "stories", &grammar, &error))
        fail_msg("%s", error.text);
    find_rows();
    return 0;
}

/* The place of a word in a class, or -1. */
static int row_of(const char *class_name, int32_t token)
{
    const struct word_class *class = token_class[token];
    return class != NULL && strcmp(class->name, class_name) == 0 ? token_row[token] : -1;
}

static int32_t form_of(const char *class_name, int row, unsigned column)
{
    const struct word_class *class = class_named(class_name);
    return class->tokens[(unsigned)row * class->n_columns + column];
}

static const char *word_at(const struct story *story, int i)
{
    return i >= 0 && i < (int)story->n_tokens ? grammar.words[story->tokens[i]] : "";
}

static bool is_at(const struct story *story, int i, const char *word)
{
    return strcmp(word_at(story, i), word) == 0;
}

/* The last place up to `until` where a word of the class stands, or -1. */
static int last_of(const struct story *story, const char *class_name, int until)
{
    while (until >= 0 && row_of(class_name, story->tokens[until]) < 0)
        until--;
    return until;
}

/* ---- what a reader expects ---- */

struct expected {
    const char *kind;
    int32_t answer, rival;
    int referent, attractor; /* -1: no matter */
};

/* Who is tired is an animal, and what is soft is a thing: the last ones that were named. */
static bool expect_it(const struct story *story, int query, bool sound, struct expected *ret)
{
    int feeling = last_of(story, "feeling", query), make = last_of(story, "make", query);
    int animal = last_of(story, "animal", query), thing = last_of(story, "thing", query);
    const char *meant = feeling > make ? "animal" : "thing";
    const char *other = feeling > make ? "thing" : "animal";
    int referent = feeling > make ? animal : thing, alternative = feeling > make ? thing : animal;
    *ret = (struct expected){
        .kind = "it",
        .answer = form_of(meant, row_of(meant, story->tokens[referent]), sound),
        .rival = form_of(other, row_of(other, story->tokens[alternative]), sound),
        .referent = referent,
        .attractor = -1,
    };
    return true;
}

/* The two people of the opening, as places of their first names; false where nobody is named. */
static bool has_people(const struct story *story, int people[2])
{
    unsigned n = 0;
    for (int i = 0; i < (int)story->n_tokens && n < 2; i++)
        if (row_of("person", story->tokens[i]) >= 0)
            people[n++] = i;
    assert_true(n == 0 || n == 2);
    return n == 2;
}

static void find_people(const struct story *story, int people[2])
{
    assert_true(has_people(story, people));
}

static bool expect_person(const struct story *story, const char *kind, int person,
                          struct expected *ret)
{
    int people[2];
    find_people(story, people);
    int meant = story->tokens[people[0]] == story->tokens[person] ? 0 : 1;
    assert_int_equal(story->tokens[people[meant]], story->tokens[person]);
    *ret = (struct expected){
        .kind = kind,
        .answer = story->tokens[people[meant]],
        .rival = story->tokens[people[1 - meant]],
        .referent = -1,
        .attractor = -1,
    };
    return true;
}

/* She is the one of the two that a girl's name says, and he the other. */
static bool expect_she_he(const struct story *story, int query, struct expected *ret)
{
    int people[2], pronoun = query;
    find_people(story, people);
    while (!is_at(story, pronoun, "she") && !is_at(story, pronoun, "he"))
        assert_true(--pronoun > 0);
    int32_t first = form_of("person", row_of("person", story->tokens[people[0]]), 1);
    int32_t second = form_of("person", row_of("person", story->tokens[people[1]]), 1);
    assert_int_not_equal(first, second); /* else nobody could know */
    return expect_person(story, "she or he", people[story->tokens[pronoun] == first ? 0 : 1], ret);
}

/* In "A B said to C D : ' i", I am A and you are C. */
static bool expect_i_you(const struct story *story, int query, struct expected *ret)
{
    int colon = query;
    while (!is_at(story, colon, ":"))
        assert_true(--colon > 0);
    bool i = is_at(story, colon + 2, "i");
    assert_true(i || is_at(story, colon + 2, "you"));
    return expect_person(story, "i or you", i ? colon - 6 : colon - 2, ret);
}

/* The surname that came after this first name before. */
static bool expect_surname(const struct story *story, int query, struct expected *ret)
{
    int people[2];
    find_people(story, people);
    int meant = story->tokens[people[0]] == story->tokens[query] ? 0 : 1;
    *ret = (struct expected){
        .kind = "names",
        .answer = story->tokens[people[meant] + 1],
        .rival = story->tokens[people[1 - meant] + 1],
        .referent = -1,
        .attractor = -1,
    };
    return people[meant] != query;
}

static bool is_plural(const struct story *story, int noun)
{
    const char *word = word_at(story, noun);
    return word[strlen(word) - 1] == 's';
}

/* The subject is the second word of the sentence; the noun before the verb may differ from it. */
static bool expect_verb(const struct story *story, int query, struct expected *ret)
{
    int subject = query, nearest = last_of(story, "noun", query);
    while (!is_at(story, subject - 2, "."))
        assert_true(--subject > 0);
    assert_true(row_of("noun", story->tokens[subject]) >= 0);
    bool plural = is_plural(story, subject), differs = is_plural(story, nearest) != plural;
    *ret = (struct expected){
        .kind = "agreement",
        .answer = grammar_token(&grammar, plural ? "are" : "is", plural ? 3 : 2),
        .rival = grammar_token(&grammar, plural ? "is" : "are", plural ? 2 : 3),
        .referent = subject,
        .attractor = differs ? nearest : -1,
    };
    return true;
}

/* Was the referent called "it", and not by its name? It stands before the "was" with an adjective.
 */
static bool is_called_it(const struct story *story, int query)
{
    for (int i = query; i > 0; i--)
        if (is_at(story, i, "was") && !is_at(story, i - 1, "who") &&
            (row_of("feeling", story->tokens[i + 1]) >= 0 ||
             row_of("make", story->tokens[i + 1]) >= 0))
            return is_at(story, i - 1, "it");
    return false;
}

/* Is the word after place i one that a reader of tokens[..i] could know? */
static bool expect_at(const struct story *story, int i, struct expected *ret)
{
    const char *word = word_at(story, i);
    bool the = strcmp(word, "the") == 0, so = strcmp(word, "so") == 0;
    if (row_of("person", story->tokens[i]) >= 0)
        return expect_surname(story, i, ret);
    if (the && (is_at(story, i - 1, "so") || is_at(story, i - 1, "?") ||
                (is_at(story, i - 1, "was") && is_at(story, i - 2, "one"))))
        return is_called_it(story, i) && expect_it(story, i, false, ret);
    if (strcmp(word, "it") == 0 && is_at(story, i - 1, ","))
        return expect_it(story, i, true, ret);
    if (so && is_at(story, i - 1, ","))
        return expect_she_he(story, i, ret);
    if (so && is_at(story, i - 2, "'"))
        return expect_i_you(story, i, ret);
    if (strcmp(word, "am") == 0 && is_at(story, i - 4, "said"))
        return expect_she_he(story, i, ret);
    if (strcmp(word, "?") == 0 && !is_at(story, i + 1, "the"))
        return expect_she_he(story, i, ret);
    if ((is_at(story, i + 1, "is") || is_at(story, i + 1, "are")) && strcmp(word, "you") != 0)
        return expect_verb(story, i, ret);
    return false;
}

static void check_question(const struct story *story, const struct story_question *question,
                           const struct expected *expected)
{
    const struct grammar_question *form = &grammar.questions[question->form];
    assert_string_equal(grammar.kinds[form->kind], expected->kind);
    assert_int_equal(question->answer, expected->answer);
    assert_int_equal(question->answer, story->tokens[question->query + 1]);
    assert_int_equal(question->rival, expected->rival);
    assert_int_equal(question->attractor, expected->attractor);
    if (expected->referent >= 0)
        assert_int_equal(question->referent, expected->referent);
}

static void check_places(const struct story *story, const struct story_question *question)
{
    const char *kind = grammar.kinds[grammar.questions[question->form].kind];
    bool it = strcmp(kind, "it") == 0;
    assert_in_range(question->referent, 1, question->query);
    if (it) {
        assert_true(is_at(story, question->pronoun, "it"));
        int32_t cue = story->tokens[question->cue];
        assert_true(row_of("feeling", cue) >= 0 || row_of("make", cue) >= 0);
        assert_true(question->alternative > 0 && question->alternative < question->pronoun);
    } else if (strcmp(kind, "she or he") == 0) {
        assert_true(is_at(story, question->pronoun, "she") ||
                    is_at(story, question->pronoun, "he"));
    } else if (strcmp(kind, "i or you") == 0) {
        assert_true(is_at(story, question->pronoun, "i") || is_at(story, question->pronoun, "you"));
    }
    /* Names and surnames: where they were said last. */
    if (!it && strcmp(kind, "agreement") != 0)
        for (int i = question->query; i > 0; i--)
            if (story->tokens[i] == question->answer) {
                assert_int_equal(question->referent, i);
                break;
            }
}

/* Every question that a reader finds is asked, and no other. */
static void check_questions(const struct story *story)
{
    unsigned n = 0;
    for (int i = 1; i + 2 < (int)story->n_tokens; i++) {
        struct expected expected;
        if (!expect_at(story, i, &expected))
            continue;
        assert_true(n < story->n_questions);
        assert_int_equal(story->questions[n].query, i);
        check_question(story, &story->questions[n], &expected);
        check_places(story, &story->questions[n]);
        n++;
    }
    assert_int_equal(n, story->n_questions);
}

static void test_story__answers_are_what_a_reader_derives(void **state)
{
    (void)state;
    for_each_story(SPLIT_TRAINING, 1, check_questions);
    for_each_story(SPLIT_HELD_OUT, 2, check_questions);
}

/* ---- what is held out ---- */

/* One in six of the pairs of people, by the sum of their places. */
static bool is_held_of_people(int a, int b)
{
    return (a + b) % 6 == 1;
}

/* And one in five of the animals and things, by the rest of their places. */
static bool is_held(const char *class_a, int32_t a, const char *class_b, int32_t b)
{
    int row_a = row_of(class_a, a), row_b = row_of(class_b, b);
    return strcmp(class_a, class_b) == 0 ? is_held_of_people(row_a, row_b) : row_a % 5 == row_b % 5;
}

static unsigned n_seen[2][24][24]; /* how often each pair stood in one story: things, people */

static void check_pairs(const struct story *story, const char *class_a, const char *class_b)
{
    for (unsigned i = 0; i < story->n_tokens; i++)
        for (unsigned k = 0; k < story->n_tokens; k++) {
            int a = row_of(class_a, story->tokens[i]), b = row_of(class_b, story->tokens[k]);
            if (a < 0 || b < 0 || story->tokens[i] == story->tokens[k])
                continue;
            n_seen[class_a == class_b][a][b]++;
            assert_false(is_held(class_a, story->tokens[i], class_b, story->tokens[k]));
        }
}

static void check_training_pairs(const struct story *story)
{
    static const char person[] = "person";
    check_pairs(story, "animal", "thing");
    check_pairs(story, person, person);
}

static void test_story__training_never_sees_a_held_out_pair(void **state)
{
    (void)state;
    unsigned n_never = 0;
    memset(n_seen, 0, sizeof n_seen);
    for_each_story(SPLIT_TRAINING, 3, check_training_pairs);
    for (unsigned a = 0; a < 16; a++)
        for (unsigned b = 0; b < 16; b++)
            n_never += n_seen[0][a][b] == 0;
    assert_int_equal(n_never, 52); /* of 256; all others come */
    for (unsigned a = 0; a < 24; a++)
        for (unsigned b = 0; b < 24; b++)
            assert_int_equal(n_seen[1][a][b] == 0, a == b || is_held_of_people((int)a, (int)b));
}

/* Of any three people two meet in training, so that all of them have to be told apart. */
static void test_story__no_three_people_never_meet(void **state)
{
    (void)state;
    for (int a = 0; a < 24; a++)
        for (int b = 0; b < a; b++)
            for (int c = 0; c < b; c++)
                assert_false(is_held_of_people(a, b) && is_held_of_people(b, c) &&
                             is_held_of_people(a, c));
}

/* Who is meant and who is not are a held-out pair. */
static void check_held_pairs(const struct story *story)
{
    int people[2];
    if (has_people(story, people))
        assert_true(
            is_held("person", story->tokens[people[0]], "person", story->tokens[people[1]]));
    for (unsigned i = 0; i < story->n_questions; i++) {
        const struct story_question *question = &story->questions[i];
        if (strcmp(grammar.kinds[grammar.questions[question->form].kind], "it") != 0)
            continue;
        int32_t a = story->tokens[question->referent], b = story->tokens[question->alternative];
        assert_true(row_of("animal", a) >= 0 ? is_held("animal", a, "thing", b)
                                             : is_held("animal", b, "thing", a));
    }
}

static void test_story__held_out_stories_are_made_of_held_out_pairs(void **state)
{
    (void)state;
    for_each_story(SPLIT_HELD_OUT, 4, check_held_pairs);
}

/* ---- what stories are like ---- */

static struct {
    size_t n_tokens, n_longest, n_unpeopled, n_without_pronouns, n_alike, n_it, n_it_animal;
    size_t n_attractors, n_verbs, n_cat_and_mat;
    size_t n_kinds[8];
} counts;

static void count_story(const struct story *story)
{
    int people[2];
    bool has_pronoun = false, is_peopled = has_people(story, people);
    counts.n_unpeopled += !is_peopled;
    counts.n_tokens += story->n_tokens - 2;
    if (story->n_tokens > counts.n_longest)
        counts.n_longest = story->n_tokens;
    for (int i = 0; i < (int)story->n_tokens; i++)
        has_pronoun |= is_at(story, i, "she") || is_at(story, i, "he");
    if (is_peopled && !has_pronoun) {
        counts.n_without_pronouns++;
        counts.n_alike += form_of("person", row_of("person", story->tokens[people[0]]), 1) ==
                          form_of("person", row_of("person", story->tokens[people[1]]), 1);
    }
    for (unsigned i = 0; i < story->n_questions; i++) {
        const struct story_question *question = &story->questions[i];
        const char *kind = grammar.kinds[grammar.questions[question->form].kind];
        counts.n_kinds[grammar.questions[question->form].kind]++;
        counts.n_it += strcmp(kind, "it") == 0;
        counts.n_it_animal +=
            strcmp(kind, "it") == 0 && row_of("animal", story->tokens[question->referent]) >= 0;
        counts.n_verbs += strcmp(kind, "agreement") == 0;
        counts.n_attractors += question->attractor >= 0;
    }
}

static void test_story__lengths_and_shares(void **state)
{
    (void)state;
    memset(&counts, 0, sizeof counts);
    for_each_story(SPLIT_TRAINING, 5, count_story);
    assert_in_range(counts.n_tokens, 30 * STORIES, 36 * STORIES);
    assert_in_range(100 * counts.n_unpeopled / STORIES, 27, 30); /* 40 of 140 */
    assert_in_range(counts.n_longest, 68, 72);
    assert_in_range(100 * counts.n_alike / counts.n_without_pronouns, 57, 63);
    assert_in_range(100 * counts.n_it_animal / counts.n_it, 48, 51);
    assert_in_range(100 * counts.n_attractors / counts.n_verbs, 25, 60);
    for (unsigned kind = 0; kind < grammar.n_kinds; kind++)
        assert_true(counts.n_kinds[kind] > STORIES / 7);
}

/* "the cat VERB WHERE the mat because it was FEELING": with any of the verbs, and so on. */
static void find_the_cat(const struct story *story)
{
    for (int i = 0; i + 9 < (int)story->n_tokens; i++)
        counts.n_cat_and_mat += is_at(story, i, "the") && is_at(story, i + 1, "cat") &&
                                is_at(story, i + 4, "the") && is_at(story, i + 5, "mat") &&
                                is_at(story, i + 6, "because") && is_at(story, i + 7, "it") &&
                                is_at(story, i + 8, "was") &&
                                row_of("feeling", story->tokens[i + 9]) >= 0;
}

static void test_story__the_cat_sat_on_the_mat_because_it_was_tired(void **state)
{
    (void)state;
    int32_t tokens[16];
    size_t n;
    struct error error;
    assert_true(grammar_tokens(&grammar, "The cat sat on the mat because it was tired.", tokens, 16,
                               &n, &error));
    assert_int_equal(n, 11);
    assert_true(row_of("did", tokens[2]) >= 0 && row_of("at", tokens[3]) >= 0 &&
                row_of("feeling", tokens[9]) >= 0);
    memset(&counts, 0, sizeof counts);
    for_each_story(SPLIT_HELD_OUT, 6, find_the_cat);
    assert_true(counts.n_cat_and_mat >= 3); /* about ten */
}

/* ---- twins ---- */

static void check_twins(const struct story twins[2], unsigned question)
{
    const struct story_question *one = &twins[0].questions[question];
    const struct story_question *other = &twins[1].questions[question];
    assert_int_equal(one->query, other->query);
    assert_int_equal(one->answer, other->rival);
    assert_int_equal(one->rival, other->answer);
    assert_int_equal(one->referent, other->alternative);
    assert_true(row_of("feeling", twins[0].tokens[one->cue]) >= 0);
    assert_true(row_of("make", twins[1].tokens[other->cue]) >= 0);
    for (int i = 0; i <= one->query; i++) {
        if (twins[0].tokens[i] == twins[1].tokens[i])
            continue;
        assert_int_equal(twins[0].tokens[i], twins[0].tokens[one->cue]);
        assert_int_equal(twins[1].tokens[i], twins[1].tokens[other->cue]);
    }
}

static void test_story__twins_differ_in_the_cue_alone(void **state)
{
    (void)state;
    struct random random;
    unsigned n_forms[16] = {0};
    random_seed(&random, 7);
    for (unsigned i = 0; i < 2000; i++) {
        struct story twins[2];
        struct error error;
        unsigned question;
        assert_true(story_draw_twins(&grammar, SPLIT_HELD_OUT, &random, twins, &question, &error));
        check_twins(twins, question);
        check_questions(&twins[0]);
        check_questions(&twins[1]);
        check_held_pairs(&twins[0]);
        check_held_pairs(&twins[1]);
        n_forms[twins[0].questions[question].form]++;
    }
    for (unsigned form = 0; form < grammar.n_questions; form++)
        if (strcmp(grammar.kinds[grammar.questions[form].kind], "it") == 0)
            assert_true(n_forms[form] > 100);
}

static void test_story__of_untrained_lengths_there_are_none(void **state)
{
    (void)state;
    struct random random;
    struct story story;
    struct error error;
    random_seed(&random, 1);
    assert_error(story_draw(&grammar, SPLIT_UNTRAINED, &random, &story, &error), error, ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_story__answers_are_what_a_reader_derives),
        cmocka_unit_test(test_story__training_never_sees_a_held_out_pair),
        cmocka_unit_test(test_story__no_three_people_never_meet),
        cmocka_unit_test(test_story__held_out_stories_are_made_of_held_out_pairs),
        cmocka_unit_test(test_story__lengths_and_shares),
        cmocka_unit_test(test_story__the_cat_sat_on_the_mat_because_it_was_tired),
        cmocka_unit_test(test_story__twins_differ_in_the_cue_alone),
        cmocka_unit_test(test_story__of_untrained_lengths_there_are_none),
    };
    return cmocka_run_group_tests(tests, open_grammar, close_grammar);
}
