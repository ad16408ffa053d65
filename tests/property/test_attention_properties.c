/* What must hold for attention of any shape, tried on a few hundred random ones. The seed is fixed,
 * so a failure comes again. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "attention/attention.h"
#include "attention/kv_cache.h"
#include "attention/multihead.h"
#include "attention/self_attention.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

enum { N_TRIES = 300 };

static void succeed(bool ok, const struct error *error)
{
    if (!ok)
        fail_msg("%s", error->text);
}

static void assert_same_bits(const float *a, const float *b, size_t n)
{
    assert_memory_equal(a, b, n * sizeof *a);
}

static bool coin(uint64_t *seed)
{
    return testing_between(seed, 0, 1) == 1;
}

/* order[0..n): the numbers 0 to n - 1 shuffled. */
static void shuffle(uint64_t *seed, size_t *order, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t j = testing_between(seed, 0, i);
        order[i] = order[j];
        order[j] = i;
    }
}

/* Row i of the result is row order[i] of x, a matrix. */
static struct tensor reordered(const struct tensor *x, const size_t *order)
{
    struct tensor made;
    size_t width = x->shape[1];
    assert_true(tensor_copy(x, &made, NULL));
    for (size_t i = 0; i < x->shape[0]; i++)
        memcpy(made.data + i * width, x->data + order[i] * width, width * sizeof *x->data);
    return made;
}

/* Random attention: batch, heads (grouped at times), a mask of one kind, causality, softcap. */

struct problem {
    struct tensor query, key, value, mask;
    struct attention_input input;
    size_t n_batch, n_heads, group, n_q, n_k, d_k, d_v;
};

static struct tensor random_mask(uint64_t *seed, enum mask_kind kind, size_t n_q, size_t n_k)
{
    struct tensor mask = testing_random_tensor(seed, 2, SHAPE(n_q, n_k));
    for (size_t at = 0; at < n_q * n_k; at++) {
        bool picked = testing_between(seed, 0, 2) == 0;
        if (kind != MASK_ADDITIVE)
            mask.data[at] = picked;
        else if (picked)
            mask.data[at] = -INFINITY;
    }
    mask.is_bool = kind != MASK_ADDITIVE;
    return mask;
}

static struct problem random_problem(uint64_t *seed)
{
    struct problem p = {
        .n_batch = testing_between(seed, 1, 3),
        .group = testing_between(seed, 1, 3),
        .n_q = testing_between(seed, 1, 9),
        .n_k = testing_between(seed, 1, 9),
        .d_k = testing_between(seed, 1, 12),
        .d_v = testing_between(seed, 1, 12),
    };
    size_t key_heads = testing_between(seed, 1, 3);
    enum mask_kind kind = (enum mask_kind)testing_between(seed, 0, 2);
    p.n_heads = key_heads * p.group;
    p.query = testing_random_tensor(seed, 4, SHAPE(p.n_batch, p.n_heads, p.n_q, p.d_k));
    p.key = testing_random_tensor(seed, 4, SHAPE(p.n_batch, key_heads, p.n_k, p.d_k));
    p.value = testing_random_tensor(seed, 4, SHAPE(p.n_batch, key_heads, p.n_k, p.d_v));
    p.mask = random_mask(seed, kind, p.n_q, p.n_k);
    p.input = (struct attention_input){
        .mask_kind = kind,
        .causal = coin(seed),
        .causal_offset = (ptrdiff_t)testing_between(seed, 0, 4) - 2,
        .has_scale = true,
        .scale = 1 + (double)testing_between(seed, 0, 4),
        .softcap = coin(seed) ? 2 : 0,
        .grouped_query = true,
    };
    return p;
}

/* The input of a problem that stays where it is. */
static const struct attention_input *input_of(struct problem *p, bool with_mask)
{
    p->input.query = &p->query;
    p->input.key = &p->key;
    p->input.value = &p->value;
    p->input.mask = with_mask ? &p->mask : NULL;
    return &p->input;
}

static void problem_release(struct problem *p)
{
    tensor_release(&p->query);
    tensor_release(&p->key);
    tensor_release(&p->value);
    tensor_release(&p->mask);
}

static bool is_open(const struct problem *p, size_t i, size_t j)
{
    const struct attention_input *input = &p->input;
    if (input->causal && (ptrdiff_t)j > (ptrdiff_t)i + input->causal_offset)
        return false;
    if (input->mask == NULL)
        return true;
    float number = p->mask.data[i * p->n_k + j];
    return input->mask_kind == MASK_ADDITIVE     ? number != -INFINITY
           : input->mask_kind == MASK_MAY_ATTEND ? number != 0
                                                 : number == 0;
}

/* exp(score) of query i and key j, the formula as it stands in the papers, without subtracting a
 * maximum; 0 for a hidden key. */
static double exponential(const struct problem *p, size_t b, size_t h, size_t i, size_t j)
{
    const float *query = p->query.data + ((b * p->n_heads + h) * p->n_q + i) * p->d_k;
    size_t key_head = b * (p->n_heads / p->group) + h / p->group;
    const float *key = p->key.data + (key_head * p->n_k + j) * p->d_k;
    double score = 0;
    if (!is_open(p, i, j))
        return 0;
    for (size_t d = 0; d < p->d_k; d++)
        score += (double)query[d] * (double)key[d];
    score *= p->input.scale;
    if (p->input.softcap > 0)
        score = p->input.softcap * tanh(score / p->input.softcap);
    if (p->input.mask != NULL && p->input.mask_kind == MASK_ADDITIVE)
        score += (double)p->mask.data[i * p->n_k + j];
    return exp(score);
}

/* One row of the result against the formula. */
static void check_row(const struct problem *p, const struct tensor *context,
                      const struct tensor *weights, size_t b, size_t h, size_t i)
{
    size_t row = (b * p->n_heads + h) * p->n_q + i;
    size_t key_head = b * (p->n_heads / p->group) + h / p->group;
    double sum = 0, mixed[12] = {0};
    for (size_t j = 0; j < p->n_k; j++)
        sum += exponential(p, b, h, i, j);
    for (size_t j = 0; j < p->n_k; j++) {
        double weight = sum > 0 ? exponential(p, b, h, i, j) / sum : 0;
        assert_close(weights->data[row * p->n_k + j], weight, 1e-5);
        for (size_t d = 0; d < p->d_v; d++)
            mixed[d] += weight * (double)p->value.data[(key_head * p->n_k + j) * p->d_v + d];
    }
    for (size_t d = 0; d < p->d_v; d++)
        assert_close(context->data[row * p->d_v + d], mixed[d], 1e-5);
}

static void test_attention__is_the_formula(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct tensor context, weights;
        struct error error;
        succeed(attention_forward(input_of(&p, coin(&seed)), NULL, &context, &weights, &error),
                &error);
        for (size_t b = 0; b < p.n_batch; b++)
            for (size_t h = 0; h < p.n_heads; h++)
                for (size_t i = 0; i < p.n_q; i++)
                    check_row(&p, &context, &weights, b, h, i);
        tensor_release(&context);
        tensor_release(&weights);
        problem_release(&p);
    }
}

static size_t n_open_keys(const struct problem *p, size_t i)
{
    size_t n_open = 0;
    for (size_t j = 0; j < p->n_k; j++)
        n_open += is_open(p, i, j);
    return n_open;
}

/* Each weight is from 0 to 1, a hidden key's is 0, and a row sums to 1, or to 0 when no key is
 * open; also for scores of up to about 1e4. */
static void test_attention__rows_sum_to_one(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct tensor context, weights;
        struct error error;
        p.input.scale = pow(10, (double)testing_between(&seed, 0, 4));
        succeed(attention_forward(input_of(&p, coin(&seed)), NULL, &context, &weights, &error),
                &error);
        for (size_t row = 0; row < p.n_batch * p.n_heads * p.n_q; row++) {
            double sum = 0;
            for (size_t j = 0; j < p.n_k; j++) {
                float weight = weights.data[row * p.n_k + j];
                assert_true(weight >= 0 && weight <= 1);
                assert_true(weight == 0 || is_open(&p, row % p.n_q, j));
                sum += (double)weight;
            }
            assert_close(sum, n_open_keys(&p, row % p.n_q) > 0, 1e-6);
        }
        tensor_release(&context);
        tensor_release(&weights);
        problem_release(&p);
    }
}

/* A context is a mean of values, so it lies between the smallest and the largest. */
static void test_attention__context_lies_among_the_values(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct tensor context;
        struct error error;
        succeed(attention_forward(input_of(&p, coin(&seed)), NULL, &context, NULL, &error), &error);
        float low = 0, high = 0; /* 0 for rows without a key */
        for (size_t at = 0; at < tensor_size(&p.value); at++) {
            low = fminf(low, p.value.data[at]);
            high = fmaxf(high, p.value.data[at]);
        }
        for (size_t at = 0; at < tensor_size(&context); at++) {
            assert_true(context.data[at] >= low - 1e-6f);
            assert_true(context.data[at] <= high + 1e-6f);
        }
        tensor_release(&context);
        problem_release(&p);
    }
}

/* Hiding a key is the same in all three conventions, bit for bit, and there and back is no change.
 */
static void test_mask__conversions_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct tensor want, got, there, back;
        enum mask_kind from = MASK_MASKED_OUT, to = (enum mask_kind)testing_between(&seed, 0, 2);
        size_t size = p.n_q * p.n_k;
        for (size_t at = 0; at < size; at++)
            p.mask.data[at] = coin(&seed);
        p.mask.is_bool = true;
        p.input.mask_kind = from;
        assert_true(attention_forward(input_of(&p, true), NULL, &want, NULL, NULL));
        assert_true(mask_convert(&p.mask, from, to, &there, NULL));
        assert_true(mask_convert(&there, to, from, &back, NULL));
        assert_same_bits(back.data, p.mask.data, size);
        p.input.mask = &there;
        p.input.mask_kind = to;
        assert_true(attention_forward(&p.input, NULL, &got, NULL, NULL));
        assert_same_bits(got.data, want.data, tensor_size(&want));
        tensor_release(&want);
        tensor_release(&got);
        tensor_release(&there);
        tensor_release(&back);
        problem_release(&p);
    }
}

/* Adding the same number to every open score of a row changes nothing but rounding. */
static void test_mask__constant_shift_is_harmless(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct tensor want, got;
        p.input.mask_kind = MASK_ADDITIVE;
        p.mask.is_bool = false;
        for (size_t at = 0; at < p.n_q * p.n_k; at++)
            p.mask.data[at] = testing_between(&seed, 0, 2) == 0 ? -INFINITY : 0;
        assert_true(attention_forward(input_of(&p, true), NULL, &want, NULL, NULL));
        for (size_t at = 0; at < p.n_q * p.n_k; at++)
            p.mask.data[at] += (float)(at / p.n_k + 1); /* by 1 in row 0, by 2 in row 1, ... */
        assert_true(attention_forward(&p.input, NULL, &got, NULL, NULL));
        for (size_t at = 0; at < tensor_size(&want); at++)
            assert_close(got.data[at], want.data[at], 1e-5);
        tensor_release(&want);
        tensor_release(&got);
        problem_release(&p);
    }
}

/* Tokens [start, start + count) of x (batch, heads, n, d), as a view. */
static struct tensor tokens_of(const struct tensor *x, size_t start, size_t count)
{
    struct tensor view;
    struct error error;
    succeed(tensor_slice(x, 2, start, count, 1, &view, &error), &error);
    return view;
}

/* The same input with these queries, keys and values. */
static struct attention_input with_tokens(const struct attention_input *input,
                                          const struct tensor *query, const struct tensor *key,
                                          const struct tensor *value)
{
    struct attention_input changed = *input;
    changed.query = query;
    changed.key = key;
    changed.value = value;
    return changed;
}

/* Takes `count` new tokens into the cache; their contexts are those rows of whole, bit for bit. */
static void check_step(struct kv_cache *cache, const struct attention_input *input, size_t count,
                       const struct tensor *whole)
{
    struct error error;
    struct tensor query = tokens_of(input->query, cache->length, count);
    struct tensor key = tokens_of(input->key, cache->length, count);
    struct tensor value = tokens_of(input->value, cache->length, count);
    struct tensor want = tokens_of(whole, cache->length, count), want_dense, got;
    struct attention_input step = with_tokens(input, &query, &key, &value);
    succeed(kv_cache_attend(cache, &step, NULL, &got, NULL, &error), &error);
    succeed(tensor_dense(&want, &want_dense, &error), &error);
    assert_same_bits(got.data, want_dense.data, tensor_size(&want));
    struct tensor *all[] = {&query, &key, &value, &want, &want_dense, &got};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        tensor_release(all[i]);
}

/* Attending token by token, or a few at a time, with a cache gives what attending to the whole text
 * at once gives. */
static void test_kv_cache__incremental_equals_whole(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct problem p = random_problem(&seed);
        struct kv_cache cache;
        struct tensor whole;
        struct error error;
        size_t n_tokens = p.n_q < p.n_k ? p.n_q : p.n_k; /* as many queries as keys */
        struct tensor query = tokens_of(&p.query, 0, n_tokens);
        struct tensor key = tokens_of(&p.key, 0, n_tokens);
        struct tensor value = tokens_of(&p.value, 0, n_tokens);
        p.input.causal = true;
        p.input.causal_offset = 0;
        struct attention_input input = with_tokens(&p.input, &query, &key, &value);
        succeed(attention_forward(&input, NULL, &whole, NULL, &error), &error);
        succeed(kv_cache_init(&cache, 2, key.shape, n_tokens + 2, p.d_k, p.d_v, &error), &error);
        while (cache.length < n_tokens)
            check_step(&cache, &input, testing_between(&seed, 1, n_tokens - cache.length), &whole);
        kv_cache_release(&cache);
        tensor_release(&whole);
        tensor_release(&query);
        tensor_release(&key);
        tensor_release(&value);
        problem_release(&p);
    }
}

/* Self-attention layers over random tokens. */

struct layer {
    struct tensor w_query, w_key, w_value, w_out;
    struct multihead multihead;
    size_t d_in;
};

static struct layer random_layer(uint64_t *seed, size_t n_heads)
{
    size_t d_in = testing_between(seed, 1, 8);
    size_t d_model = n_heads * testing_between(seed, 1, 4);
    size_t d_values = n_heads * testing_between(seed, 1, 4);
    return (struct layer){
        .w_query = testing_random_tensor(seed, 2, SHAPE(d_in, d_model)),
        .w_key = testing_random_tensor(seed, 2, SHAPE(d_in, d_model)),
        .w_value = testing_random_tensor(seed, 2, SHAPE(d_in, d_values)),
        .w_out = testing_random_tensor(seed, 2, SHAPE(d_values, 3)),
        .d_in = d_in,
        .multihead.n_heads = n_heads,
    };
}

static struct tensor run_layer(struct layer *layer, const struct tensor *x, bool causal)
{
    struct tensor out;
    struct error error;
    struct multihead_input input = {.query = x, .key = x, .value = x};
    layer->multihead.w_query = &layer->w_query;
    layer->multihead.w_key = &layer->w_key;
    layer->multihead.w_value = &layer->w_value;
    layer->multihead.w_out = &layer->w_out;
    layer->multihead.causal = causal;
    succeed(multihead_forward(&layer->multihead, &input, NULL, &out, NULL, &error), &error);
    return out;
}

static void layer_release(struct layer *layer)
{
    tensor_release(&layer->w_query);
    tensor_release(&layer->w_key);
    tensor_release(&layer->w_value);
    tensor_release(&layer->w_out);
}

/* Tokens in another order give the same outputs in that order: attention knows no positions. */
static void test_multihead__is_permutation_equivariant(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct layer layer = random_layer(&seed, testing_between(&seed, 1, 4));
        size_t n_tokens = testing_between(&seed, 2, 12), order[12] = {0};
        struct tensor x = testing_random_tensor(&seed, 2, SHAPE(n_tokens, layer.d_in));
        shuffle(&seed, order, n_tokens);
        struct tensor shuffled_x = reordered(&x, order);
        struct tensor out = run_layer(&layer, &x, false);
        struct tensor got = run_layer(&layer, &shuffled_x, false);
        struct tensor want = reordered(&out, order);
        for (size_t at = 0; at < tensor_size(&want); at++)
            assert_close(got.data[at], want.data[at], 1e-5);
        tensor_release(&x);
        tensor_release(&shuffled_x);
        tensor_release(&out);
        tensor_release(&got);
        tensor_release(&want);
        layer_release(&layer);
    }
}

/* Whatever becomes of token j, another number, NaN or infinity, no output before j changes by a bit
 * under the causal mask. */
static void test_multihead__does_not_leak_the_future(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct layer layer = random_layer(&seed, testing_between(&seed, 1, 4));
        size_t n_tokens = testing_between(&seed, 2, 12),
               j = testing_between(&seed, 1, n_tokens - 1);
        struct tensor x = testing_random_tensor(&seed, 2, SHAPE(n_tokens, layer.d_in));
        struct tensor want = run_layer(&layer, &x, true);
        const float changes[] = {testing_number(&seed), 1e30f, NAN, INFINITY, -INFINITY};
        for (size_t c = 0; c < COUNT_OF(changes); c++) {
            for (size_t d = 0; d < layer.d_in; d++)
                x.data[j * layer.d_in + d] = changes[c];
            struct tensor got = run_layer(&layer, &x, true);
            assert_same_bits(got.data, want.data, j * 3);
            assert_memory_not_equal(got.data + j * 3, want.data + j * 3, 3 * sizeof(float));
            tensor_release(&got);
        }
        tensor_release(&x);
        tensor_release(&want);
        layer_release(&layer);
    }
}

/* Multi-head attention with one head is a single head, bit for bit. */
static void test_multihead__one_head_is_a_single_head(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (size_t n = 0; n < N_TRIES; n++) {
        struct layer layer = random_layer(&seed, 1);
        bool causal = coin(&seed);
        size_t n_tokens = testing_between(&seed, 1, 12);
        struct tensor x = testing_random_tensor(&seed, 2, SHAPE(n_tokens, layer.d_in)), want;
        struct self_attention head = {
            .w_query = &layer.w_query,
            .w_key = &layer.w_key,
            .w_value = &layer.w_value,
            .w_out = &layer.w_out,
            .causal = causal,
        };
        assert_true(self_attention_forward(&head, &x, NULL, &want, NULL, NULL));
        struct tensor got = run_layer(&layer, &x, causal);
        assert_same_bits(got.data, want.data, tensor_size(&want));
        tensor_release(&x);
        tensor_release(&want);
        tensor_release(&got);
        layer_release(&layer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention__is_the_formula),
        cmocka_unit_test(test_attention__rows_sum_to_one),
        cmocka_unit_test(test_attention__context_lies_among_the_values),
        cmocka_unit_test(test_mask__conversions_round_trip),
        cmocka_unit_test(test_mask__constant_shift_is_harmless),
        cmocka_unit_test(test_kv_cache__incremental_equals_whole),
        cmocka_unit_test(test_multihead__is_permutation_equivariant),
        cmocka_unit_test(test_multihead__does_not_leak_the_future),
        cmocka_unit_test(test_multihead__one_head_is_a_single_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
