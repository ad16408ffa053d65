/* tensor/random.h: PyTorch's stream of random numbers. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/npy.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- MT19937 ---- */

static void test_random__words_are_those_of_mt19937(void **state)
{
    (void)state;
    /* The C++ standard, [rand.predef], requires the 10000th word after the default seed 5489 to be
     * 4123659995. The first one is in the authors' own list of outputs. */
    struct random random;
    random_seed(&random, 5489);
    assert_int_equal(random_word(&random), 3499211612U);
    uint32_t word = 0;
    for (int i = 2; i <= 10000; i++)
        word = random_word(&random);
    assert_int_equal(word, 4123659995U);
}

static void draw(uint32_t seed, struct random *random, float numbers[20])
{
    random_seed(random, seed);
    random_normal(random, 3, numbers); /* odd: the second of a pair is left behind */
    random_normal(random, 17, numbers + 3);
}

static void test_random__a_seed_starts_the_same_stream_again(void **state)
{
    (void)state;
    struct random random;
    float first[20], again[20], other[20];
    draw(7, &random, first);
    draw(7, &random, again);
    draw(8, &random, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

/* ---- uniform ---- */

static void check_golden(struct random *random, const char *name)
{
    char path[600];
    const char *golden = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/torch/multihead/six_tokens_v1_seed123/%s.weight.npy",
             golden ? golden : "tests/golden", name);
    struct tensor want;
    struct error error;
    if (!npy_load(path, &want, &error))
        fail_msg("%s", error.text);
    float got[6];
    assert_int_equal(tensor_size(&want), LENGTH(got));
    random_uniform(random, LENGTH(got), got);
    assert_memory_equal(got, want.data, sizeof got); /* every bit */
    tensor_release(&want);
}

static void test_random__uniform_is_torch_rand_bit_for_bit(void **state)
{
    (void)state;
    /* PyTorch 1.13.1: torch.manual_seed(123), then torch.rand(3, 2) for query, key and value. */
    struct random random;
    random_seed(&random, 123);
    check_golden(&random, "W_query");
    check_golden(&random, "W_key");
    check_golden(&random, "W_value");
}

static void test_random__uniform_is_the_low_24_bits(void **state)
{
    (void)state;
    struct random random, words;
    static float numbers[2000];
    random_seed(&random, 1);
    random_seed(&words, 1);
    random_uniform(&random, LENGTH(numbers), numbers);
    double sum = 0;
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        assert_close(numbers[i], (random_word(&words) % 16777216U) / 16777216.0, 0);
        assert_true(numbers[i] >= 0 && numbers[i] < 1);
        sum += (double)numbers[i];
    }
    /* The mean of 2000 has a standard deviation of 0.0065; the seed is fixed. */
    assert_close(sum / LENGTH(numbers), 0.5, 0.02);
}

/* Normal: what PyTorch prints for some seeds, to its four decimals. Its blocks may go through
 * vectorised approximations of log, sin and cos, so no more than that can be asked for. */

static void check_normal(struct random *random, size_t count, const float *want)
{
    float got[64];
    random_normal(random, count, got);
    for (size_t i = 0; i < count; i++)
        assert_close(got[i], want[i], 0.5e-4 + 1e-6);
}

static void test_random__few_normals_come_one_by_one(void **state)
{
    (void)state;
    struct random random;
    /* torch.manual_seed(0); torch.randn(12) */
    random_seed(&random, 0);
    check_normal(&random, 12,
                 (float[]){1.5410f, -0.2934f, -2.1788f, 0.5684f, -1.0845f, -1.3986f, 0.4033f,
                           0.8380f, -0.7193f, -0.4033f, -0.5966f, 0.1820f});
    /* torch.manual_seed(42); torch.randn(3, 5): 15 is the longest of this kind */
    random_seed(&random, 42);
    check_normal(&random, 15,
                 (float[]){0.3367f, 0.1288f, 0.2345f, 0.2303f, -1.1229f, -0.1863f, 2.2082f,
                           -0.6380f, 0.4617f, 0.2674f, 0.5349f, 0.8094f, 1.1103f, -1.6898f,
                           -0.9890f});
}

static void test_random__few_normals_go_on_where_the_last_ones_ended(void **state)
{
    (void)state;
    struct random random;
    float whole[15], pieces[15];
    random_seed(&random, 42);
    random_normal(&random, 15, whole);
    random_seed(&random, 42);
    random_normal(&random, 3, pieces); /* the pair of the third is kept */
    random_normal(&random, 0, pieces);
    random_normal(&random, 5, pieces + 3);
    random_normal(&random, 7, pieces + 8);
    assert_memory_equal(pieces, whole, sizeof whole);
}

static void test_random__sixteen_normals_are_a_block(void **state)
{
    (void)state;
    /* torch.manual_seed(0); torch.randn(4, 4) */
    struct random random;
    random_seed(&random, 0);
    check_normal(&random, 16,
                 (float[]){-1.1258f, -1.1524f, -0.2506f, -0.4339f, 0.8487f, 0.6920f, -0.3160f,
                           -2.1152f, 0.3223f, -1.2633f, 0.3500f, 0.3081f, 0.1198f, 1.2377f, 1.1168f,
                           -0.2473f});
}

static void test_random__the_rest_of_a_block_is_redrawn(void **state)
{
    (void)state;
    /* torch.manual_seed(0); torch.randn(4, 5): numbers 4 to 15 differ from those of randn(4, 4). */
    struct random random;
    random_seed(&random, 0);
    check_normal(&random, 20,
                 (float[]){-1.1258f, -1.1524f, -0.2506f, -0.4339f, 0.5988f, -1.5551f, -0.3414f,
                           1.8530f,  0.4681f,  -0.1577f, 1.4437f,  0.2660f, 1.3894f,  1.5863f,
                           0.9463f,  -0.8437f, 0.9318f,  1.2590f,  2.0050f, 0.0537f});
}

static void test_random__blocks_follow_each_other_across_calls(void **state)
{
    (void)state;
    /* torch.manual_seed(0); torch.randn(10, 4); torch.randn(4, 4): the last numbers of the first,
     * and the second. */
    static const float end[8] = {1.2032f,  0.0845f,  -1.2001f, -0.0048f,
                                 -0.5181f, -0.3067f, -1.5810f, 1.7066f};
    struct random random;
    float first[40];
    random_seed(&random, 0);
    random_normal(&random, 40, first);
    for (size_t i = 0; i < 8; i++)
        assert_close(first[32 + i], end[i], 0.5e-4 + 1e-6);
    check_normal(&random, 16,
                 (float[]){0.2055f, -0.4503f, -0.5731f, -0.5554f, 0.5943f, 1.5419f, 0.5073f,
                           -0.5910f, -1.3253f, 0.1886f, -0.0691f, -0.4949f, -1.4959f, -0.1938f,
                           0.4455f, 1.3253f});
}

static void test_random__normals_have_mean_0_and_variance_1(void **state)
{
    (void)state;
    static float numbers[100000];
    struct random random;
    random_seed(&random, 1);
    random_normal(&random, LENGTH(numbers), numbers);
    double sum = 0, squares = 0, fourth = 0;
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        double x = (double)numbers[i];
        assert_true(isfinite(x));
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    /* Standard deviations of the three means: 0.0032, 0.0045, 0.031. */
    assert_close(sum / LENGTH(numbers), 0, 0.015);
    assert_close(squares / LENGTH(numbers), 1, 0.02);
    assert_close(fourth / LENGTH(numbers), 3, 0.15);
}

static void test_random__count_0_draws_nothing(void **state)
{
    (void)state;
    struct random random, fresh;
    random_seed(&random, 3);
    random_seed(&fresh, 3);
    random_uniform(&random, 0, NULL);
    random_normal(&random, 0, NULL);
    random_dropout(&random, 0.5, 0, NULL);
    assert_int_equal(random_word(&random), random_word(&fresh));
}

/* ---- whole numbers ---- */

static void test_random__below_is_torch_randint(void **state)
{
    (void)state;
    /* torch.manual_seed(0); torch.randint(0, 10, (5,)); torch.randint(0, 10, (3,)), and
     * torch.manual_seed(42); torch.randint(1, 11, (2, 3)). */
    static const uint32_t seed_0[] = {4, 9, 3, 0, 3, 9, 7, 3};
    static const uint32_t seed_42[] = {3, 8, 7, 5, 7, 6};
    struct random random;
    random_seed(&random, 0);
    for (size_t i = 0; i < LENGTH(seed_0); i++)
        assert_int_equal(random_below(&random, 10), seed_0[i]);
    random_seed(&random, 42);
    for (size_t i = 0; i < LENGTH(seed_42); i++)
        assert_int_equal(1 + random_below(&random, 10), seed_42[i]);
}

static void test_random__below_stays_below(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 1);
    bool seen[3] = {false};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(random_below(&random, 1), 0);
        uint32_t below = random_below(&random, 3);
        assert_true(below < 3);
        seen[below] = true;
        assert_true(random_below(&random, UINT32_MAX) < UINT32_MAX);
    }
    assert_true(seen[0] && seen[1] && seen[2]);
}

/* ---- dropout ---- */

static void check_dropout(double p, size_t count, float *numbers)
{
    struct random random;
    random_seed(&random, 1);
    random_dropout(&random, p, count, numbers);
}

static void test_random__dropout_of_nothing_and_of_everything(void **state)
{
    (void)state;
    float numbers[1000];
    check_dropout(0, LENGTH(numbers), numbers);
    for (size_t i = 0; i < LENGTH(numbers); i++)
        assert_close(numbers[i], 1, 0);
    check_dropout(1, LENGTH(numbers), numbers);
    for (size_t i = 0; i < LENGTH(numbers); i++)
        assert_close(numbers[i], 0, 0);
}

/* torch.manual_seed(123); torch.dropout(torch.ones(12), 0.5, True), and of 8 with p = 0.2 */
static void test_random__dropout_is_torch_dropout(void **state)
{
    (void)state;
    static const float half[] = {2, 2, 0, 2, 2, 0, 0, 0, 0, 2, 0, 2};
    static const float fifth[] = {1.25F, 1.25F, 1.25F, 1.25F, 1.25F, 1.25F, 1.25F, 1.25F};
    float numbers[LENGTH(half)];
    struct random random;
    random_seed(&random, 123);
    random_dropout(&random, 0.5, LENGTH(half), numbers);
    for (size_t i = 0; i < LENGTH(half); i++)
        assert_close(numbers[i], half[i], 0);
    random_seed(&random, 123);
    random_dropout(&random, 0.2, LENGTH(fifth), numbers);
    for (size_t i = 0; i < LENGTH(fifth); i++)
        assert_close(numbers[i], fifth[i], 1e-6);
}

static void test_random__dropout_keeps_the_expected_sum(void **state)
{
    (void)state;
    static const double rates[] = {0.1, 0.5, 0.9};
    static float numbers[20000];
    for (size_t r = 0; r < LENGTH(rates); r++) {
        double keep = 1 - rates[r];
        size_t n_zeros = 0;
        check_dropout(rates[r], LENGTH(numbers), numbers);
        for (size_t i = 0; i < LENGTH(numbers); i++) {
            n_zeros += numbers[i] == 0;
            if (numbers[i] != 0)
                assert_close(numbers[i], 1 / keep, 1e-6);
        }
        /* A share of 20000 has a standard deviation of at most 0.0035. */
        assert_close((double)n_zeros / LENGTH(numbers), rates[r], 0.015);
    }
}

static void test_random__dropout_repeats_with_its_seed(void **state)
{
    (void)state;
    float first[200], again[200];
    check_dropout(0.5, LENGTH(first), first);
    check_dropout(0.5, LENGTH(again), again);
    assert_memory_equal(first, again, sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random__words_are_those_of_mt19937),
        cmocka_unit_test(test_random__a_seed_starts_the_same_stream_again),
        cmocka_unit_test(test_random__uniform_is_torch_rand_bit_for_bit),
        cmocka_unit_test(test_random__uniform_is_the_low_24_bits),
        cmocka_unit_test(test_random__few_normals_come_one_by_one),
        cmocka_unit_test(test_random__few_normals_go_on_where_the_last_ones_ended),
        cmocka_unit_test(test_random__sixteen_normals_are_a_block),
        cmocka_unit_test(test_random__the_rest_of_a_block_is_redrawn),
        cmocka_unit_test(test_random__blocks_follow_each_other_across_calls),
        cmocka_unit_test(test_random__normals_have_mean_0_and_variance_1),
        cmocka_unit_test(test_random__count_0_draws_nothing),
        cmocka_unit_test(test_random__below_is_torch_randint),
        cmocka_unit_test(test_random__below_stays_below),
        cmocka_unit_test(test_random__dropout_of_nothing_and_of_everything),
        cmocka_unit_test(test_random__dropout_is_torch_dropout),
        cmocka_unit_test(test_random__dropout_keeps_the_expected_sum),
        cmocka_unit_test(test_random__dropout_repeats_with_its_seed),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
