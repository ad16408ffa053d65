/* attention/mask.h */
#include "testing.h"

#include <float.h>
#include <math.h>

#include "attention/mask.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

enum { N_KINDS = 3 };

/* One mask of a query and three keys, the middle one hidden, in each kind. */
static const float middle_hidden[N_KINDS][3] = {
    [MASK_ADDITIVE] = {0, -INFINITY, 0},
    [MASK_MAY_ATTEND] = {1, 0, 1},
    [MASK_MASKED_OUT] = {0, 1, 0},
};

static struct tensor example(enum mask_kind kind)
{
    struct tensor mask = testing_tensor(2, SHAPE(1, 3), middle_hidden[kind]);
    mask.is_bool = kind != MASK_ADDITIVE;
    return mask;
}

static void test_mask__converts_between_all_kinds(void **state)
{
    (void)state;
    for (int from = 0; from < N_KINDS; from++)
        for (int to = 0; to < N_KINDS; to++) {
            struct tensor mask = example((enum mask_kind)from), got;
            struct error error;
            if (!mask_convert(&mask, (enum mask_kind)from, (enum mask_kind)to, &got, &error))
                fail_msg("%d to %d: %s", from, to, error.text);
            assert_tensor_close(&got, 2, SHAPE(1, 3), middle_hidden[to], 0);
            assert_int_equal(got.is_bool, to != MASK_ADDITIVE);
            tensor_release(&mask);
            tensor_release(&got);
        }
}

/* In triu(ones(3, 3), 1) 1 means "after the query", as notebooks write it: here the float tensor.
 */
static void test_mask__zeros_and_ones_may_be_floats(void **state)
{
    (void)state;
    struct tensor triu = testing_tensor(2, SHAPE(3, 3), ROW(0, 1, 1, 0, 0, 1, 0, 0, 0)), got;
    assert_true(mask_convert(&triu, MASK_MASKED_OUT, MASK_ADDITIVE, &got, NULL));
    assert_tensor_close(&got, 2, SHAPE(3, 3),
                        ROW(0, -INFINITY, -INFINITY, 0, 0, -INFINITY, 0, 0, 0), 0);
    tensor_release(&triu);
    tensor_release(&got);
}

static void test_mask__additive_keeps_its_shifts_among_themselves(void **state)
{
    (void)state;
    struct tensor bias = testing_tensor(1, SHAPE(2), ROW(0.5f, -INFINITY)), got;
    assert_true(mask_convert(&bias, MASK_ADDITIVE, MASK_ADDITIVE, &got, NULL));
    assert_tensor_close(&got, 1, SHAPE(2), ROW(0.5f, -INFINITY), 0);
    tensor_release(&bias);
    tensor_release(&got);
}

static void check_not_boolean(float number, const char *says)
{
    struct tensor mask = testing_tensor(1, SHAPE(2), ROW(0, number)), got;
    struct error error;
    assert_error(mask_convert(&mask, MASK_ADDITIVE, MASK_MAY_ATTEND, &got, &error), error,
                 ERR_RANGE);
    assert_says(error, says);
    assert_error(mask_convert(&mask, MASK_ADDITIVE, MASK_MASKED_OUT, &got, &error), error,
                 ERR_RANGE);
    tensor_release(&mask);
}

static void test_mask__shift_is_no_boolean(void **state)
{
    (void)state;
    check_not_boolean(0.5f, "0.5 shifts a score and hides nothing");
    check_not_boolean(-3, "-3 shifts");
    check_not_boolean(INFINITY, "inf shifts");
    check_not_boolean(NAN, "nan shifts");
}

/* Float32 numbers around -1e9 are 64 apart: a sum with less than half of that does not move. */
static void test_mask__minus_1e9_is_not_minus_infinity(void **state)
{
    (void)state;
    check_not_boolean(-1e9f, "it is not -inf");
    check_not_boolean(-1e9f, "a score of less than 32 is swallowed");
    check_not_boolean(-1e9f, "uniform weights instead of zeros");
    check_not_boolean(-FLT_MAX, "it is not -inf");
    assert_true(-1e9f + 31.0f == -1e9f);
    assert_true(-1e9f + 33.0f != -1e9f);
}

static void test_mask__bool_can_not_be_added(void **state)
{
    (void)state;
    struct tensor mask = example(MASK_MAY_ATTEND), got;
    struct error error;
    assert_error(mask_check(&mask, MASK_ADDITIVE, &error), error, ERR_TYPE);
    assert_says(error, "hide nothing");
    assert_error(mask_convert(&mask, MASK_ADDITIVE, MASK_MASKED_OUT, &got, &error), error,
                 ERR_TYPE);
    tensor_release(&mask);
}

static void test_mask__boolean_holds_zeros_and_ones_only(void **state)
{
    (void)state;
    struct tensor mask = example(MASK_ADDITIVE), got;
    struct error error;
    assert_error(mask_check(&mask, MASK_MAY_ATTEND, &error), error, ERR_TYPE);
    assert_says(error, "-inf");
    assert_error(mask_convert(&mask, MASK_MASKED_OUT, MASK_ADDITIVE, &got, &error), error,
                 ERR_TYPE);
    assert_true(mask_check(&mask, MASK_ADDITIVE, NULL));
    tensor_release(&mask);
}

static void test_mask__apply_leaves_or_hides_a_score(void **state)
{
    (void)state;
    assert_close(mask_apply(MASK_ADDITIVE, 0, 2), 2, 0);
    assert_close(mask_apply(MASK_ADDITIVE, 0.5f, 2), 2.5, 0);
    assert_close(mask_apply(MASK_MAY_ATTEND, 1, 2), 2, 0);
    assert_close(mask_apply(MASK_MASKED_OUT, 0, 2), 2, 0);
    const float scores[] = {2, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 4; i++) {
        assert_close(mask_apply(MASK_ADDITIVE, -INFINITY, scores[i]), -INFINITY, 0);
        assert_close(mask_apply(MASK_MAY_ATTEND, 0, scores[i]), -INFINITY, 0);
        assert_close(mask_apply(MASK_MASKED_OUT, 1, scores[i]), -INFINITY, 0);
    }
}

/* What a finite -1e9 does: the score is gone. */
static void test_mask__minus_1e9_swallows_the_score(void **state)
{
    (void)state;
    assert_close(mask_apply(MASK_ADDITIVE, -1e9f, 5), -1e9f, 0);
    assert_close(mask_apply(MASK_ADDITIVE, -1e9f, -5), -1e9f, 0);
}

static void check_causal(size_t n_q, size_t n_k, ptrdiff_t offset, const float *may_attend)
{
    struct tensor mask;
    assert_true(mask_causal(n_q, n_k, offset, MASK_MAY_ATTEND, &mask, NULL));
    assert_tensor_close(&mask, 2, SHAPE(n_q, n_k), may_attend, 0);
    assert_true(mask.is_bool);
    tensor_release(&mask);
}

static void test_mask__causal_hides_what_comes_after(void **state)
{
    (void)state;
    check_causal(3, 3, 0, ROW(1, 0, 0, 1, 1, 0, 1, 1, 1));
    /* Top left, and bottom right. */
    check_causal(2, 4, 0, ROW(1, 0, 0, 0, 1, 1, 0, 0));
    check_causal(2, 4, 2, ROW(1, 1, 1, 0, 1, 1, 1, 1));
    /* More queries than keys: bottom right leaves the first rows without a key. */
    check_causal(3, 2, 0, ROW(1, 0, 1, 1, 1, 1));
    check_causal(3, 2, -1, ROW(0, 0, 1, 0, 1, 1));
    check_causal(2, 2, PTRDIFF_MAX, ROW(1, 1, 1, 1));
    check_causal(2, 2, PTRDIFF_MIN, ROW(0, 0, 0, 0));
    check_causal(0, 2, 0, ROW(0));
}

static void test_mask__causal_in_each_kind(void **state)
{
    (void)state;
    struct tensor mask;
    assert_true(mask_causal(2, 2, 0, MASK_ADDITIVE, &mask, NULL));
    assert_tensor_close(&mask, 2, SHAPE(2, 2), ROW(0, -INFINITY, 0, 0), 0);
    assert_false(mask.is_bool);
    tensor_release(&mask);
    assert_true(mask_causal(2, 2, 0, MASK_MASKED_OUT, &mask, NULL));
    assert_tensor_close(&mask, 2, SHAPE(2, 2), ROW(0, 1, 0, 0), 0);
    tensor_release(&mask);
}

static void test_mask__padding_leaves_the_first_keys(void **state)
{
    (void)state;
    struct tensor mask;
    assert_true(mask_padding(3, SHAPE(2, 0, 3), 3, MASK_MASKED_OUT, &mask, NULL));
    assert_tensor_close(&mask, 4, SHAPE(3, 1, 1, 3), ROW(0, 0, 1, 1, 1, 1, 0, 0, 0), 0);
    assert_true(mask.is_bool);
    tensor_release(&mask);
}

static void test_mask__padding_longer_than_the_keys(void **state)
{
    (void)state;
    struct tensor mask;
    struct error error;
    assert_error(mask_padding(2, SHAPE(1, 4), 3, MASK_ADDITIVE, &mask, &error), error, ERR_RANGE);
    assert_says(error, "entry 1 is to have 4");
}

/* The causal mask of three tokens of which the last is padding. */
static void test_mask__join_hides_where_either_hides(void **state)
{
    (void)state;
    static const float want[N_KINDS][9] = {
        [MASK_ADDITIVE] = {0, -INFINITY, -INFINITY, 0, 0, -INFINITY, 0, 0, -INFINITY},
        [MASK_MAY_ATTEND] = {1, 0, 0, 1, 1, 0, 1, 1, 0},
        [MASK_MASKED_OUT] = {0, 1, 1, 0, 0, 1, 0, 0, 1},
    };
    for (int kind = 0; kind < N_KINDS; kind++) {
        struct tensor causal, padding, both;
        assert_true(mask_causal(3, 3, 0, (enum mask_kind)kind, &causal, NULL));
        assert_true(mask_padding(1, SHAPE(2), 3, (enum mask_kind)kind, &padding, NULL));
        assert_true(mask_join(&causal, &padding, (enum mask_kind)kind, &both, NULL));
        assert_tensor_close(&both, 4, SHAPE(1, 1, 3, 3), want[kind], 0);
        assert_int_equal(both.is_bool, kind != MASK_ADDITIVE);
        tensor_release(&causal);
        tensor_release(&padding);
        tensor_release(&both);
    }
}

static void test_mask__join_of_two_kinds(void **state)
{
    (void)state;
    struct tensor additive = example(MASK_ADDITIVE), boolean = example(MASK_MAY_ATTEND), both;
    struct error error;
    assert_error(mask_join(&additive, &boolean, MASK_ADDITIVE, &both, &error), error, ERR_TYPE);
    assert_error(mask_join(&boolean, &additive, MASK_MAY_ATTEND, &both, &error), error, ERR_TYPE);
    tensor_release(&additive);
    tensor_release(&boolean);
}

static void test_mask__join_of_shapes_that_do_not_fit(void **state)
{
    (void)state;
    struct tensor a = testing_tensor(1, SHAPE(2), ROW(0, 0));
    struct tensor b = testing_tensor(1, SHAPE(3), ROW(0, 0, 0)), both;
    struct error error;
    assert_error(mask_join(&a, &b, MASK_ADDITIVE, &both, &error), error, ERR_SHAPE);
    tensor_release(&a);
    tensor_release(&b);
}

static void test_mask__too_large(void **state)
{
    (void)state;
    struct tensor mask;
    struct error error;
    assert_error(mask_causal(SIZE_MAX, 2, 0, MASK_ADDITIVE, &mask, &error), error, ERR_LIMIT);
}

static void test_mask__failed_allocations(void **state)
{
    (void)state;
    struct tensor mask = example(MASK_ADDITIVE), got;
    struct error error;
    assert_reports_failed_allocations(
        mask_convert(&mask, MASK_ADDITIVE, MASK_MAY_ATTEND, &got, &error), error);
    tensor_release(&got);
    assert_reports_failed_allocations(mask_join(&mask, &mask, MASK_ADDITIVE, &got, &error), error);
    tensor_release(&got);
    assert_reports_failed_allocations(mask_causal(2, 2, 0, MASK_ADDITIVE, &got, &error), error);
    tensor_release(&got);
    assert_reports_failed_allocations(mask_padding(1, SHAPE(1), 2, MASK_ADDITIVE, &got, &error),
                                      error);
    tensor_release(&got);
    tensor_release(&mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mask__converts_between_all_kinds),
        cmocka_unit_test(test_mask__zeros_and_ones_may_be_floats),
        cmocka_unit_test(test_mask__additive_keeps_its_shifts_among_themselves),
        cmocka_unit_test(test_mask__shift_is_no_boolean),
        cmocka_unit_test(test_mask__minus_1e9_is_not_minus_infinity),
        cmocka_unit_test(test_mask__bool_can_not_be_added),
        cmocka_unit_test(test_mask__boolean_holds_zeros_and_ones_only),
        cmocka_unit_test(test_mask__apply_leaves_or_hides_a_score),
        cmocka_unit_test(test_mask__minus_1e9_swallows_the_score),
        cmocka_unit_test(test_mask__causal_hides_what_comes_after),
        cmocka_unit_test(test_mask__causal_in_each_kind),
        cmocka_unit_test(test_mask__padding_leaves_the_first_keys),
        cmocka_unit_test(test_mask__padding_longer_than_the_keys),
        cmocka_unit_test(test_mask__join_hides_where_either_hides),
        cmocka_unit_test(test_mask__join_of_two_kinds),
        cmocka_unit_test(test_mask__join_of_shapes_that_do_not_fit),
        cmocka_unit_test(test_mask__too_large),
        cmocka_unit_test(test_mask__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
