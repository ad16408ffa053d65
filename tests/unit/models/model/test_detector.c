/* model/detector.h: planted patterns, and the measures against their formulas worked out cell by
 * cell. */
#include "model_testing.h"

#include <math.h>

#include "files/tokenizer.h"
#include "graph/node.h"
#include "model/detector.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum { WORDS = 10, LONG = 16 };

/* "on cat ran , the cat sat mat The cat ran sat the Cat sat mat": few words are the first one's, or
 * signs. */
static const char *const words[WORDS] = {"The", "the", "cat", "Cat", "ran",
                                         ",",   ".",   "sat", "mat", "on"};
static const float ids[LONG] = {9, 2, 4, 5, 1, 2, 7, 8, 0, 2, 4, 7, 1, 3, 7, 8};

static struct run *open_words(struct bench *bench)
{
    struct model_config config = small_config(FAMILY_GPT2);
    bench_open_as(bench, &config);
    assert_true(tokenizer_of_words(words, WORDS, &bench->model->tokenizer, &bench->error));
    return bench_run(bench, LONG, ids);
}

/* The run with its layer 1, in all heads, attending to key[q] alone; to all alike where that is not
 * before q + 1. */
static struct run *planted(struct bench *bench, struct run *run, const size_t *key)
{
    struct tensor weights;
    assert_true(tensor_zeros(2, (size_t[]){LONG, LONG}, &weights, &bench->error));
    for (size_t q = 0; q < LONG; q++)
        for (size_t k = 0; k <= q; k++)
            weights.data[q * LONG + k] = key[q] > q ? 1.0F / (float)(q + 1) : k == key[q];
    struct node *to = node_input(&bench->graph, &weights, "planted", 7, &bench->error);
    struct edit edit = {.stage = STAGE_WEIGHTS, .layer = 1, .to = to};
    struct run *edited = run_edited(run, &edit, 1, &bench->error);
    node_free(to);
    return edited;
}

/* The key that a head of each kind attends to, or LONG where it has none. */
static size_t key_of(enum detector detector, size_t q)
{
    static const size_t spelled[WORDS] = {0, 0, 1, 1, 2, 10, 11, 5, 6, 7};
    size_t duplicate = LONG, same = LONG;
    for (size_t k = 0; k < q; k++) {
        size_t word = spelled[(size_t)ids[k]];
        duplicate = ids[k] == ids[q] ? k : duplicate;
        same = word < 10 && word == spelled[(size_t)ids[q]] ? k : same;
    }
    switch (detector) {
    case DETECT_PREVIOUS:
        return q > 0 ? q - 1 : LONG;
    case DETECT_CURRENT:
        return q;
    case DETECT_FIRST:
        return 0;
    case DETECT_DUPLICATE:
        return duplicate;
    case DETECT_INDUCTION:
        return duplicate + 1;
    case DETECT_SAME_WORD:
        return same;
    default:
        return q > 3 ? 3 : LONG; /* the first comma */
    }
}

static float score(struct bench *bench, struct run *run, struct detection detection)
{
    struct tensor scores;
    assert_true(detector_scores(run, &detection, &scores, &bench->error));
    float of_layer_1 = scores.data[4];
    tensor_release(&scores);
    return of_layer_1;
}

/* The same token is the same word. */
static bool overlap(enum detector a, enum detector b)
{
    return (a == DETECT_DUPLICATE && b == DETECT_SAME_WORD) ||
           (a == DETECT_SAME_WORD && b == DETECT_DUPLICATE);
}

/* A head that attends as the pattern says scores 1 by it, and less than .2 by the others. */
static void test_detector__planted_patterns(void **state)
{
    (void)state;
    struct bench bench;
    struct run *run = open_words(&bench);
    for (enum detector kind = 0; kind <= DETECT_PUNCTUATION; kind++) {
        size_t keys[LONG];
        for (size_t q = 0; q < LONG; q++)
            keys[q] = key_of(kind, q);
        struct run *with = planted(&bench, run, keys);
        for (enum detector d = 0; d <= DETECT_PUNCTUATION; d++) {
            float found = score(&bench, with, (struct detection){.detector = d});
            if (d == kind)
                assert_close(found, 1, 0);
            else if (!overlap(d, kind) && !(found < 0.2F))
                fail_msg("a head planted as %s scores %g as %s", detector_name(kind), (double)found,
                         detector_name(d));
        }
        run_free(with);
    }
    run_free(run);
    bench_close(&bench);
}

/* Words are the same by their letters; signs are no words. */
static void test_detector__words_and_signs(void **state)
{
    (void)state;
    struct bench bench;
    struct run *run = open_words(&bench);
    struct tensor same, signs;
    assert_true(detector_pattern(run, &(struct detection){.detector = DETECT_SAME_WORD}, &same,
                                 &bench.error));
    assert_true(detector_pattern(run, &(struct detection){.detector = DETECT_PUNCTUATION}, &signs,
                                 &bench.error));
    static const size_t spelled[WORDS] = {0, 0, 1, 1, 2, 3, 4, 5, 6, 7};
    for (size_t q = 0; q < LONG; q++)
        for (size_t k = 0; k < LONG; k++) {
            size_t a = (size_t)ids[q], b = (size_t)ids[k];
            bool sign = b == 5 || b == 6;
            assert_int_equal(same.data[q * LONG + k] != 0,
                             k < q && !sign && spelled[a] == spelled[b]);
            assert_int_equal(signs.data[q * LONG + k] != 0, k < q && sign);
        }
    tensor_release(&same);
    tensor_release(&signs);
    run_free(run);
    bench_close(&bench);
}

/* "mul" from the definition of each pattern, on the weights of a model. */
static void test_detector__mul_is_the_share_of_attention(void **state)
{
    (void)state;
    struct bench bench;
    struct run *run = open_words(&bench);
    const struct tensor *weights = stage_of(&bench, run, STAGE_WEIGHTS, 1);
    double on[DETECTORS] = {0}, all = 0;
    for (size_t q = 0; q < LONG; q++)
        for (size_t k = 0; k < LONG; k++) {
            double a = (double)tensor_at(weights, (size_t[]){0, q, k});
            bool earlier = k < q && ids[q] == ids[k];
            all += a;
            on[DETECT_PREVIOUS] += q == k + 1 ? a : 0;
            on[DETECT_CURRENT] += q == k ? a : 0;
            on[DETECT_FIRST] += k == 0 ? a : 0;
            on[DETECT_DUPLICATE] += earlier ? a : 0;
            on[DETECT_INDUCTION] += k > 0 && k <= q && ids[k - 1] == ids[q] ? a : 0;
        }
    for (enum detector d = 0; d <= DETECT_INDUCTION; d++)
        assert_close(score(&bench, run, (struct detection){.detector = d, .measure = MEASURE_MUL}),
                     on[d] / all, 1e-6);
    run_free(run);
    bench_close(&bench);
}

/* ARENA's stripes: means of a diagonal or a column. */
static void test_detector__stripes_are_means_of_diagonals(void **state)
{
    (void)state;
    struct bench bench;
    struct run *run = open_words(&bench);
    const struct tensor *weights = stage_of(&bench, run, STAGE_WEIGHTS, 1);
    double previous = 0, current = 0, first = 0, induction = 0;
    for (size_t i = 0; i < LONG; i++) {
        current += (double)tensor_at(weights, (size_t[]){0, i, i}) / LONG;
        first += (double)tensor_at(weights, (size_t[]){0, i, 0}) / LONG;
        if (i > 0)
            previous += (double)tensor_at(weights, (size_t[]){0, i, i - 1}) / (LONG - 1);
        if (i >= 7) /* 1 - 8 of a text of 8 tokens, twice */
            induction += (double)tensor_at(weights, (size_t[]){0, i, i - 7}) / (LONG - 7);
    }
    assert_close(score(&bench, run, (struct detection){.detector = DETECT_CURRENT}), current, 1e-6);
    assert_close(score(&bench, run, (struct detection){.detector = DETECT_FIRST}), first, 1e-6);
    assert_close(score(&bench, run, (struct detection){.detector = DETECT_PREVIOUS}), previous,
                 1e-6);
    assert_close(score(&bench, run, (struct detection){.detector = DETECT_INDUCTION, .period = 8}),
                 induction, 1e-6);
    run_free(run);
    bench_close(&bench);
}

static void test_detector__uniform_is_entropy(void **state)
{
    (void)state;
    struct bench bench;
    struct run *run = open_words(&bench);
    struct tensor even;
    assert_true(tensor_zeros(2, (size_t[]){LONG, LONG}, &even, &bench.error));
    for (size_t q = 0; q < LONG; q++)
        for (size_t k = 0; k <= q; k++)
            even.data[q * LONG + k] = 1.0F / (float)(q + 1);
    struct node *to = node_input(&bench.graph, &even, "even", 4, &bench.error);
    struct edit edit = {.stage = STAGE_WEIGHTS, .layer = 1, .to = to};
    struct run *with = run_edited(run, &edit, 1, &bench.error);
    assert_close(score(&bench, with, (struct detection){.detector = DETECT_UNIFORM}), 1, 1e-6);
    assert_true(score(&bench, with, (struct detection){.detector = DETECT_PREVIOUS}) < 0.2F);
    run_free(with);
    node_free(to);
    run_free(run);
    bench_close(&bench);
}

/* No token came before: there is no place, and no score; nor are there words without a vocabulary.
 */
static void test_detector__no_place(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, FAMILY_LLAMA);
    struct run *run = bench_run(&bench, 3, (float[]){1, 2, 3});
    assert_true(isnan(score(&bench, run, (struct detection){.detector = DETECT_DUPLICATE})));
    assert_true(isnan(score(&bench, bench.a, (struct detection){.detector = DETECT_SAME_WORD})));
    assert_close(score(&bench, run,
                       (struct detection){.detector = DETECT_DUPLICATE, .measure = MEASURE_MUL}),
                 0, 0);
    run_free(run);
    bench_close(&bench);
}

/* Random tokens, twice, behind the token that begins a text; as many as the model takes. */
static void test_detector__repeats(void **state)
{
    (void)state;
    struct bench bench;
    struct random random;
    struct model_config config = small_config(FAMILY_GPT2);
    config.first_token = 9;
    config.n_positions = 16;
    bench_open_as(&bench, &config);
    random_seed(&random, 1);
    size_t period;
    struct run *run = run_repeats(&bench.graph, bench.model, &random, &period, &bench.error);
    const struct tensor *drawn = &run->ids->value;
    assert_int_equal(period, 7);
    assert_int_equal(tensor_size(drawn), 15);
    assert_close(drawn->data[0], 9, 0);
    for (size_t i = 1; i <= period; i++)
        assert_close(drawn->data[i], drawn->data[i + period], 0);
    run_free(run);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detector__planted_patterns),
        cmocka_unit_test(test_detector__words_and_signs),
        cmocka_unit_test(test_detector__mul_is_the_share_of_attention),
        cmocka_unit_test(test_detector__stripes_are_means_of_diagonals),
        cmocka_unit_test(test_detector__uniform_is_entropy),
        cmocka_unit_test(test_detector__no_place),
        cmocka_unit_test(test_detector__repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
