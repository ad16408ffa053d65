/* base/suggestion.h: near spellings. One slip is a letter too many, too few, wrong, or exchanged
 * with its neighbour (Damerau 1964); letter case is half a slip. */
#include "testing.h"

#include <string.h>

#include "base/suggestion.h"

static const char *best(struct suggestion *suggestion, const char *word, const char *const *names)
{
    suggestion_init(suggestion, word, strlen(word));
    for (; *names != NULL; names++)
        suggestion_try(suggestion, *names);
    return suggestion->best;
}

static void assert_near(const char *word, const char *name)
{
    struct suggestion suggestion;
    assert_string_equal(best(&suggestion, word, (const char *const[]){name, NULL}), name);
}

static void assert_far(const char *word, const char *name)
{
    struct suggestion suggestion;
    assert_string_equal(best(&suggestion, word, (const char *const[]){name, NULL}), "");
}

static void test_suggest__one_slip_is_forgiven(void **state)
{
    (void)state;
    assert_near("softmx", "softmax");   /* a letter too few */
    assert_near("sooftmax", "softmax"); /* too many */
    assert_near("softmas", "softmax");  /* a wrong one */
    assert_near("sfotmax", "softmax");  /* two exchanged */
    assert_near("weigths", "weights");
    assert_near("sotfmax", "softmax");
    assert_near("xs", "xss"); /* also in a short word */
    assert_near("zeroes", "zeros");
}

static void test_suggest__letter_case_counts_little(void **state)
{
    (void)state;
    assert_near("x", "X");
    assert_near("Scores", "scores");
    assert_near("layer_Norm", "Layer_norm");
}

static void test_suggest__another_word_is_not_suggested(void **state)
{
    (void)state;
    assert_far("a", "b"); /* one slip, but nothing is left of it */
    assert_far("ab", "cd");
    assert_far("banana", "softmax");
    assert_far("q", "sqrt");
    assert_far("mean", "max");
    assert_far("", "x");
}

static void test_suggest__longer_words_may_have_more_slips(void **state)
{
    (void)state;
    assert_near("atention_wieghts", "attention_weights");
    assert_near("causal_maks", "causal_mask");
    assert_far("cat", "cos"); /* two slips in three letters */
}

static void test_suggest__the_nearest_wins_whatever_the_order(void **state)
{
    (void)state;
    struct suggestion suggestion;
    assert_string_equal(
        best(&suggestion, "score", (const char *const[]){"store", "scores", "Score", NULL}),
        "Score");
    assert_string_equal(
        best(&suggestion, "score", (const char *const[]){"Score", "scores", "store", NULL}),
        "Score");
    assert_string_equal(best(&suggestion, "maxx", (const char *const[]){"mask", "max", NULL}),
                        "max");
    /* Of equally near ones, the first. */
    assert_string_equal(best(&suggestion, "sim", (const char *const[]){"sin", "sum", NULL}), "sin");
}

static void test_suggest__very_long_words_are_left_alone(void **state)
{
    (void)state;
    char word[200];
    memset(word, 'a', sizeof word);
    for (size_t size = 38; size < sizeof word; size++) {
        char name[200];
        memcpy(name, word, size);
        name[size] = '\0';
        name[size / 2] = 'b';
        struct suggestion suggestion;
        suggestion_init(&suggestion, word, size);
        suggestion_try(&suggestion, name);
        if (suggestion.best[0] != '\0') { /* then it is whole */
            assert_string_equal(suggestion.best, name);
            assert_true(size <= 40);
        }
    }
}

static void assert_part(const char *word, const char *const *names, const char *wanted)
{
    struct suggestion suggestion;
    suggestion_init(&suggestion, word, strlen(word));
    for (; *names != NULL; names++)
        suggestion_try_part(&suggestion, *names);
    assert_string_equal(suggestion.best, wanted);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_suggest__a_part_of_a_longer_name(void **state)
{
    (void)state;
    assert_part("causal", NAMES("dropout_p", "is_causal"), "is_causal");
    assert_part("Multi_Head", NAMES("merge_heads", "multi_head_attention"), "multi_head_attention");
    assert_part("mask", NAMES("causal_mask", "masked_fill", "padding_mask"), "masked_fill");
    assert_part("mask", NAMES("padding_mask", "causal_mask"), "causal_mask"); /* the shorter one */
    assert_part("maskes", NAMES("masked_fill", "masked"), "masked");          /* near is better */
    assert_part("masked", NAMES("masked_fill", "maskeds"), "maskeds");
    assert_part("sum", NAMES("cumsum"), ""); /* too short to say which */
    assert_part("causalities", NAMES("causal"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suggest__one_slip_is_forgiven),
        cmocka_unit_test(test_suggest__letter_case_counts_little),
        cmocka_unit_test(test_suggest__another_word_is_not_suggested),
        cmocka_unit_test(test_suggest__longer_words_may_have_more_slips),
        cmocka_unit_test(test_suggest__the_nearest_wins_whatever_the_order),
        cmocka_unit_test(test_suggest__very_long_words_are_left_alone),
        cmocka_unit_test(test_suggest__a_part_of_a_longer_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
