/* attention/kv_cache.h. That attending token by token equals attending at once, for random shapes,
 * is in tests/property. */
#include "testing.h"

#include "attention/kv_cache.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

/* A cache for two heads, keys of one number, values of two. */
static struct kv_cache cache_of(size_t capacity)
{
    struct kv_cache cache;
    struct error error;
    if (!kv_cache_init(&cache, 1, SHAPE(2), capacity, 1, 2, &error))
        fail_msg("%s", error.text);
    return cache;
}

/* One token: key (2, 1, 1) and value (2, 1, 2), told apart by its number. */
static void append_token(struct kv_cache *cache, float number)
{
    struct tensor key = testing_tensor(3, SHAPE(2, 1, 1), ROW(number, -number));
    struct tensor value = testing_tensor(3, SHAPE(2, 1, 2), ROW(number, 10 * number, -number, 0));
    struct error error;
    if (!kv_cache_append(cache, &key, &value, &error))
        fail_msg("%s", error.text);
    tensor_release(&key);
    tensor_release(&value);
}

static void test_kv_cache__keeps_rows_in_order(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(4);
    struct tensor key, value;
    append_token(&cache, 1);
    append_token(&cache, 2);
    append_token(&cache, 3);
    assert_int_equal(cache.length, 3);
    assert_true(kv_cache_view(&cache, &key, &value, NULL));
    assert_tensor_close(&key, 3, SHAPE(2, 3, 1), ROW(1, 2, 3, -1, -2, -3), 0);
    assert_tensor_close(&value, 3, SHAPE(2, 3, 2), ROW(1, 10, 2, 20, 3, 30, -1, 0, -2, 0, -3, 0),
                        0);
    tensor_release(&key);
    tensor_release(&value);
    kv_cache_release(&cache);
    kv_cache_release(&cache); /* all zero bytes now */
    kv_cache_release(NULL);
}

static void test_kv_cache__takes_several_rows_and_views(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(3);
    struct tensor turned_key = testing_tensor(3, SHAPE(2, 2, 1), ROW(1, -1, 2, -2));
    struct tensor turned_value = testing_tensor(3, SHAPE(2, 2, 2), ROW(1, 2, 3, 4, 5, 6, 7, 8));
    struct tensor new_key = tensor_transpose(&turned_key, 0, 1);
    struct tensor new_value = tensor_transpose(&turned_value, 0, 1), key, value;
    append_token(&cache, 9);
    assert_true(kv_cache_append(&cache, &new_key, &new_value, NULL));
    assert_true(kv_cache_view(&cache, &key, &value, NULL));
    assert_tensor_close(&key, 3, SHAPE(2, 3, 1), ROW(9, 1, 2, -9, -1, -2), 0);
    assert_tensor_close(&value, 3, SHAPE(2, 3, 2), ROW(9, 90, 1, 2, 5, 6, -9, 0, 3, 4, 7, 8), 0);
    tensor_release(&key);
    tensor_release(&value);
    tensor_release(&new_key);
    tensor_release(&new_value);
    tensor_release(&turned_key);
    tensor_release(&turned_value);
    kv_cache_release(&cache);
}

static void test_kv_cache__views_stay_while_it_grows(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(2);
    struct tensor key, value;
    append_token(&cache, 1);
    assert_true(kv_cache_view(&cache, &key, &value, NULL));
    append_token(&cache, 2);
    kv_cache_release(&cache);
    assert_tensor_close(&key, 3, SHAPE(2, 1, 1), ROW(1, -1), 0);
    assert_tensor_close(&value, 3, SHAPE(2, 1, 2), ROW(1, 10, -1, 0), 0);
    tensor_release(&key);
    tensor_release(&value);
}

static void test_kv_cache__empty(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(0);
    struct tensor key, value;
    assert_true(kv_cache_view(&cache, &key, &value, NULL));
    assert_int_equal(key.shape[1], 0);
    tensor_release(&key);
    tensor_release(&value);
    kv_cache_release(&cache);
}

static void check_append_refused(struct kv_cache *cache, const size_t *key_shape,
                                 const size_t *value_shape, enum error_kind kind, const char *says)
{
    struct tensor key, value;
    struct error error;
    size_t length = cache->length;
    assert_true(tensor_zeros(3, key_shape, &key, NULL));
    assert_true(tensor_zeros(3, value_shape, &value, NULL));
    assert_error(kv_cache_append(cache, &key, &value, &error), error, kind);
    assert_says(error, says);
    assert_int_equal(cache->length, length);
    tensor_release(&key);
    tensor_release(&value);
}

static void test_kv_cache__rows_that_do_not_fit(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(2);
    append_token(&cache, 1);
    check_append_refused(&cache, SHAPE(2, 2, 1), SHAPE(2, 2, 2), ERR_LIMIT,
                         "1 of at most 2 rows, and 2 more");
    check_append_refused(&cache, SHAPE(2, 1, 2), SHAPE(2, 1, 2), ERR_SHAPE, "must be 2x1x1");
    check_append_refused(&cache, SHAPE(3, 1, 1), SHAPE(3, 1, 2), ERR_SHAPE, "new key is 3x1x1");
    check_append_refused(&cache, SHAPE(2, 1, 1), SHAPE(2, 0, 2), ERR_SHAPE, "new value is 2x0x2");
    struct tensor number;
    struct error error;
    assert_true(tensor_scalar(1, &number, NULL));
    assert_error(kv_cache_append(&cache, &number, &number, &error), error, ERR_SHAPE);
    tensor_release(&number);
    kv_cache_release(&cache);
}

static void test_kv_cache__too_large(void **state)
{
    (void)state;
    struct kv_cache cache;
    struct error error;
    assert_error(kv_cache_init(&cache, 5, SHAPE(1, 1, 1, 1, 1), 1, 1, 1, &error), error, ERR_LIMIT);
    assert_error(kv_cache_init(&cache, 1, SHAPE(2), SIZE_MAX, 1, 1, &error), error, ERR_LIMIT);
}

/* Scores are 0, so the context is the mean of the values that are open: after 1 and 2 were cached,
 * the new tokens 3 and 4 see 1, 2, 3 and 1, 2, 3, 4. */
static void test_kv_cache__attends_to_all_that_came_before(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(4);
    struct tensor query, context, weights;
    assert_true(tensor_zeros(3, SHAPE(2, 2, 1), &query, NULL));
    struct tensor key = testing_tensor(3, SHAPE(2, 2, 1), ROW(3, 4, -3, -4));
    struct tensor value = testing_tensor(3, SHAPE(2, 2, 2), ROW(3, 30, 4, 40, -3, 0, -4, 0));
    append_token(&cache, 1);
    append_token(&cache, 2);
    struct attention_input input = {
        .query = &query,
        .key = &key,
        .value = &value,
        .causal = true,
    };
    assert_true(kv_cache_attend(&cache, &input, NULL, &context, &weights, NULL));
    assert_tensor_close(&context, 3, SHAPE(2, 2, 2), ROW(2, 20, 2.5f, 25, -2, 0, -2.5f, 0), 1e-5);
    assert_int_equal(weights.shape[2], 4);
    assert_int_equal(cache.length, 4);
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    kv_cache_release(&cache);
}

static void test_kv_cache__failed_step_changes_nothing(void **state)
{
    (void)state;
    struct kv_cache cache = cache_of(4);
    struct tensor query, context;
    struct error error;
    assert_true(tensor_zeros(3, SHAPE(2, 1, 3), &query, NULL)); /* keys have 1 number, not 3 */
    struct tensor key = testing_tensor(3, SHAPE(2, 1, 1), ROW(3, -3));
    struct tensor value = testing_tensor(3, SHAPE(2, 1, 2), ROW(3, 30, -3, 0));
    append_token(&cache, 1);
    struct attention_input input = {.query = &query, .key = &key, .value = &value};
    assert_error(kv_cache_attend(&cache, &input, NULL, &context, NULL, &error), error, ERR_SHAPE);
    assert_int_equal(cache.length, 1);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    kv_cache_release(&cache);
}

static void test_kv_cache__failed_allocations(void **state)
{
    (void)state;
    struct kv_cache cache;
    struct tensor context;
    struct error error;
    struct tensor key = testing_tensor(3, SHAPE(2, 1, 1), ROW(3, -3));
    struct tensor value = testing_tensor(3, SHAPE(2, 1, 2), ROW(3, 30, -3, 0));
    struct attention_input input = {.query = &key, .key = &key, .value = &value};
    assert_reports_failed_allocations(kv_cache_init(&cache, 1, SHAPE(2), 2, 1, 2, &error), error);
    append_token(&cache, 1);
    assert_reports_failed_allocations(kv_cache_attend(&cache, &input, NULL, &context, NULL, &error),
                                      error);
    assert_int_equal(cache.length, 2);
    tensor_release(&context);
    tensor_release(&key);
    tensor_release(&value);
    kv_cache_release(&cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kv_cache__keeps_rows_in_order),
        cmocka_unit_test(test_kv_cache__takes_several_rows_and_views),
        cmocka_unit_test(test_kv_cache__views_stay_while_it_grows),
        cmocka_unit_test(test_kv_cache__empty),
        cmocka_unit_test(test_kv_cache__rows_that_do_not_fit),
        cmocka_unit_test(test_kv_cache__too_large),
        cmocka_unit_test(test_kv_cache__attends_to_all_that_came_before),
        cmocka_unit_test(test_kv_cache__failed_step_changes_nothing),
        cmocka_unit_test(test_kv_cache__failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
