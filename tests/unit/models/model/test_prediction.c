/* model/generate.h: drawing against its definition, worked out by sorting everything. */
#include "testing.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/generate.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum { VOCAB = 60, TRIALS = 3000 };

static int likelier_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->probability > y->probability   ? -1
           : x->probability < y->probability ? 1
           : x->token < y->token             ? -1
                                             : 1;
}

/* All probabilities, likeliest first. */
static void rank_all(const float *logits, double temperature, struct candidate *ret)
{
    double sum = 0;
    for (size_t i = 0; i < VOCAB; i++)
        sum += exp((double)logits[i] / temperature);
    for (size_t i = 0; i < VOCAB; i++)
        ret[i] = (struct candidate){i, exp((double)logits[i] / temperature) / sum};
    qsort(ret, VOCAB, sizeof *ret, likelier_first);
}

/* How many stay: the top_k likeliest, of these the fewest that reach top_p of what they have. */
static size_t count_left(const struct candidate *ranked, const struct sampling *sampling)
{
    size_t most = sampling->top_k > 0 && sampling->top_k < VOCAB ? sampling->top_k : VOCAB, n = 0;
    double whole = 0, sum = 0;
    for (size_t i = 0; i < most; i++)
        whole += ranked[i].probability;
    while (n < most && sum < sampling->top_p * whole)
        sum += ranked[n++].probability;
    return n;
}

/* A number in [0, 1) of 53 bits, from two words. */
static double unit(struct random *random)
{
    uint64_t high = random_word(random), low = random_word(random);
    return ldexp((double)((high << 32 | low) >> 11), -53);
}

static size_t expected(const float *logits, const struct sampling *sampling, struct random *random)
{
    struct candidate ranked[VOCAB];
    rank_all(logits, sampling->temperature, ranked);
    size_t n = count_left(ranked, sampling), i = 0;
    double whole = 0, sum = 0;
    for (size_t j = 0; j < n; j++)
        whole += ranked[j].probability;
    double drawn = unit(random) * whole;
    for (sum = ranked[0].probability; i + 1 < n && sum <= drawn; sum += ranked[i].probability)
        i++;
    return ranked[i].token;
}

static void test_prediction__draws_as_defined(void **state)
{
    (void)state;
    static const struct sampling samplings[] = {
        {.temperature = 1, .top_p = 1},
        {.temperature = 0.3, .top_p = 1},
        {.temperature = 1.5, .top_k = 5, .top_p = 1},
        {.temperature = 1, .top_p = 0.7},
        {.temperature = 2, .top_k = 20, .top_p = 0.5},
        {.temperature = 1, .top_p = 1e-6},
    };
    size_t shape[] = {2, VOCAB};
    struct tensor logits;
    struct error error;
    struct random numbers, drawing;
    random_seed(&numbers, 5);
    random_seed(&drawing, 7);
    assert_true(tensor_zeros(2, shape, &logits, &error));
    for (size_t trial = 0; trial < TRIALS; trial++) {
        const struct sampling *sampling =
            &samplings[trial % (sizeof samplings / sizeof *samplings)];
        struct random copy = drawing;
        size_t token = 0;
        random_normal(&numbers, VOCAB, logits.data + VOCAB);
        for (size_t i = 0; i < VOCAB; i++) /* some are alike */
            logits.data[VOCAB + i] = roundf(8 * logits.data[VOCAB + i]) / 4;
        assert_true(prediction_draw(&logits, 1, sampling, &drawing, &token, &error));
        assert_int_equal(token, expected(logits.data + VOCAB, sampling, &copy));
    }
    tensor_release(&logits);
}

/* Every token with its probability: those that top_k and top_p leave, in the order of their ranks,
 * add up to 1 and keep their ratios; the others have 0. Where nothing is cut off, nothing changes.
 */
static void test_prediction__restricts_as_defined(void **state)
{
    (void)state;
    static const size_t top_ks[] = {0, 1, 2, 7, VOCAB - 1, VOCAB, VOCAB + 9};
    static const double top_ps[] = {1, 0.999, 0.9, 0.5, 0.1, 1e-6, 0};
    size_t shape[] = {1, VOCAB};
    struct tensor logits;
    struct error error;
    struct random numbers;
    random_seed(&numbers, 11);
    assert_true(tensor_zeros(2, shape, &logits, &error));
    for (size_t trial = 0; trial < COUNT_OF(top_ks) * COUNT_OF(top_ps); trial++) {
        struct sampling sampling = {.temperature = trial % 2 == 0 ? 1 : 0.4,
                                    .top_k = top_ks[trial / COUNT_OF(top_ps)],
                                    .top_p = top_ps[trial % COUNT_OF(top_ps)]};
        struct candidate sorted[VOCAB], *ranked;
        double whole = 0;
        random_normal(&numbers, VOCAB, logits.data);
        for (size_t i = 0; i < VOCAB; i++) /* some are alike */
            logits.data[i] = roundf(8 * logits.data[i]) / 4;
        rank_all(logits.data, sampling.temperature, sorted);
        size_t left = count_left(sorted, &sampling), wanted = left > 0 ? left : 1;
        for (size_t i = 0; i < wanted; i++)
            whole += sorted[i].probability;
        assert_true(prediction_rank(&logits, 0, sampling.temperature, &ranked, &error));
        assert_int_equal(prediction_restrict(ranked, VOCAB, &sampling), wanted);
        for (size_t i = 0; i < VOCAB; i++) {
            assert_int_equal(ranked[i].token, sorted[i].token);
            if (i < wanted)
                assert_true(fabs(ranked[i].probability - sorted[i].probability / whole) < 1e-12);
            else
                assert_true(ranked[i].probability == 0);
        }
        free(ranked);
    }
    tensor_release(&logits);
}

/* Temperature 0 takes the likeliest, the first of those that are as likely. */
static void test_prediction__likeliest(void **state)
{
    (void)state;
    const float numbers[] = {0, 3, -1, 3};
    struct tensor logits = testing_tensor(2, (size_t[]){1, 4}, numbers);
    struct sampling sampling = {.temperature = 0, .top_p = 1};
    struct error error;
    size_t token = 0;
    assert_true(prediction_draw(&logits, 0, &sampling, NULL, &token, &error));
    assert_int_equal(token, 1);
    tensor_release(&logits);
}

static void test_prediction__nan_is_no_likeliest(void **state)
{
    (void)state;
    const float numbers[] = {0, 1, NAN, 3};
    struct tensor logits = testing_tensor(2, (size_t[]){1, 4}, numbers);
    struct sampling likeliest = {.temperature = 0, .top_p = 1},
                    drawn = {.temperature = 1, .top_p = 1};
    struct random random;
    struct error error;
    size_t token = 0;
    random_seed(&random, 1);
    assert_error(prediction_draw(&logits, 0, &likeliest, NULL, &token, &error), error, ERR_RANGE);
    assert_error(prediction_draw(&logits, 0, &drawn, &random, &token, &error), error, ERR_RANGE);
    assert_non_null(strstr(error.text, "token 2 is NaN"));
    tensor_release(&logits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prediction__draws_as_defined),
        cmocka_unit_test(test_prediction__restricts_as_defined),
        cmocka_unit_test(test_prediction__likeliest),
        cmocka_unit_test(test_prediction__nan_is_no_likeliest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
