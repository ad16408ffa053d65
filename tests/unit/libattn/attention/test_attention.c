/* attention/attention.h: forward, traced, backward. */
#include "testing.h"

#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "kernel/kernel.h"
#include "attention/multihead.h"
#include "slope.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})
#define ROW(...) ((float[]){__VA_ARGS__})

static const float LN_3 = 1.09861229f;

/* What a failed call must leave alone. */
static const struct tensor untouched = {.n_axes = 77};

static struct tensor attend(const struct attention_input *input)
{
    struct tensor context;
    struct error error;
    if (!attention_forward(input, NULL, &context, NULL, &error))
        fail_msg("%s", error.text);
    return context;
}

static void assert_same_bits(const struct tensor *a, const struct tensor *b)
{
    assert_true(tensor_same_shape(a, b) && tensor_is_dense(a) && tensor_is_dense(b));
    assert_memory_equal(a->data, b->data, tensor_size(a) * sizeof *a->data);
}

static void fill(struct tensor *x, float number)
{
    size_t size = tensor_size(x);
    for (size_t at = 0; at < size; at++)
        x->data[at] = number;
}

/* Three tensors of one input, made at random and released together. */
struct example {
    struct tensor query, key, value;
    struct attention_input input;
};

static void example_init(struct example *example, uint64_t seed, unsigned n_axes,
                         const size_t *query, const size_t *key, const size_t *value)
{
    example->query = testing_random_tensor(&seed, n_axes, query);
    example->key = testing_random_tensor(&seed, n_axes, key);
    example->value = testing_random_tensor(&seed, n_axes, value);
    example->input = (struct attention_input){
        .query = &example->query,
        .key = &example->key,
        .value = &example->value,
    };
}

static void example_release(struct example *example)
{
    tensor_release(&example->query);
    tensor_release(&example->key);
    tensor_release(&example->value);
}

/* Two queries, two keys of one number each. With scale 1 the scores are
 *     0  0       so the weights are  1/2 1/2
 *     0  ln 3                        1/4 3/4
 * and the contexts of the values (0, 4), (8, 0) are (4, 2) and (6, 1). */
struct by_hand {
    struct tensor query, key, value;
    struct attention_input input;
};

static void by_hand_init(struct by_hand *by_hand)
{
    by_hand->query = testing_tensor(2, SHAPE(2, 1), ROW(0, LN_3));
    by_hand->key = testing_tensor(2, SHAPE(2, 1), ROW(0, 1));
    by_hand->value = testing_tensor(2, SHAPE(2, 2), ROW(0, 4, 8, 0));
    by_hand->input = (struct attention_input){
        .query = &by_hand->query,
        .key = &by_hand->key,
        .value = &by_hand->value,
    };
}

static void by_hand_release(struct by_hand *by_hand)
{
    tensor_release(&by_hand->query);
    tensor_release(&by_hand->key);
    tensor_release(&by_hand->value);
}

/* The context of the example by hand under these settings. */
static void check_by_hand(const struct attention_input *input, const float *want)
{
    struct tensor context = attend(input);
    assert_tensor_close(&context, 2, SHAPE(2, 2), want, 1e-6);
    tensor_release(&context);
}

/* ---- the formula ---- */

static void test_attention__by_hand(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct tensor context, weights;
    by_hand_init(&by_hand);
    assert_true(attention_forward(&by_hand.input, NULL, &context, &weights, NULL));
    assert_tensor_close(&weights, 2, SHAPE(2, 2), ROW(0.5f, 0.5f, 0.25f, 0.75f), 1e-7);
    assert_tensor_close(&context, 2, SHAPE(2, 2), ROW(4, 2, 6, 1), 1e-6);
    tensor_release(&context);
    tensor_release(&weights);
    by_hand_release(&by_hand);
}

/* The query (2 ln 3, 0, 0, 0) and the key (1, 0, 0, 0) score 2 ln 3, divided by sqrt(4): ln 3. */
static void test_attention__divides_by_the_root_of_d_k(void **state)
{
    (void)state;
    struct tensor query = testing_tensor(2, SHAPE(1, 4), ROW(2 * LN_3, 0, 0, 0));
    struct tensor key = testing_tensor(2, SHAPE(2, 4), ROW(0, 9, 9, 9, 1, 0, 0, 0));
    struct tensor value = testing_tensor(2, SHAPE(2, 1), ROW(0, 4));
    struct attention_input input = {.query = &query, .key = &key, .value = &value};
    struct tensor context = attend(&input);
    assert_tensor_close(&context, 2, SHAPE(1, 1), ROW(3), 1e-6);
    tensor_release(&context);
    /* With scale 1 the score is 2 ln 3 = ln 9: weights 1/10 and 9/10. With 0 they are equal. */
    input.has_scale = true;
    input.scale = 1;
    context = attend(&input);
    assert_tensor_close(&context, 2, SHAPE(1, 1), ROW(3.6f), 1e-6);
    tensor_release(&context);
    input.scale = 0;
    context = attend(&input);
    assert_tensor_close(&context, 2, SHAPE(1, 1), ROW(2), 1e-6);
    tensor_release(&context);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

/* The example by hand with every step at work: the score ln 3 is scaled by 2 and capped by
 * c = 4 ln 3, which makes it c * tanh(2 ln 3 / c) = c * tanh(1/2). */
static void test_attention__trace_keeps_every_step(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct attention_trace trace;
    by_hand_init(&by_hand);
    struct tensor mask = testing_tensor(2, SHAPE(2, 2), ROW(0, -INFINITY, 0.5f, 0));
    struct tensor dropout = testing_tensor(2, SHAPE(2, 2), ROW(2, 2, 0, 2));
    by_hand.input.has_scale = true;
    by_hand.input.scale = 2;
    by_hand.input.softcap = 4 * (double)LN_3;
    by_hand.input.mask = &mask;
    by_hand.input.dropout = &dropout;
    assert_true(attention_forward_traced(&by_hand.input, NULL, &trace, NULL));
    const float capped = 2.0307504f; /* 4.39444915 * 0.46211716 */
    /* e^(0.5 - 2.0307504) = 0.21637325, so the weights of the second row are 0.21637325 and 1 of
     * 1.21637325. */
    const float low = 0.1778839f, high = 0.8221161f;
    assert_tensor_close(&trace.scores, 2, SHAPE(2, 2), ROW(0, 0, 0, LN_3), 1e-6);
    assert_tensor_close(&trace.scaled, 2, SHAPE(2, 2), ROW(0, 0, 0, 2 * LN_3), 1e-6);
    assert_tensor_close(&trace.capped, 2, SHAPE(2, 2), ROW(0, 0, 0, capped), 1e-6);
    assert_tensor_close(&trace.masked, 2, SHAPE(2, 2), ROW(0, -INFINITY, 0.5f, capped), 1e-6);
    assert_tensor_close(&trace.weights, 2, SHAPE(2, 2), ROW(1, 0, low, high), 1e-6);
    assert_tensor_close(&trace.dropped, 2, SHAPE(2, 2), ROW(2, 0, 0, 2 * high), 1e-6);
    assert_tensor_close(&trace.context, 2, SHAPE(2, 2), ROW(0, 8, 16 * high, 0), 1e-5);
    attention_trace_release(&trace);
    attention_trace_release(NULL);
    tensor_release(&mask);
    tensor_release(&dropout);
    by_hand_release(&by_hand);
}

static void test_attention__traced_is_the_same(void **state)
{
    (void)state;
    struct example example;
    struct attention_trace trace;
    struct tensor context, weights;
    example_init(&example, 1, 3, SHAPE(2, 3, 4), SHAPE(2, 5, 4), SHAPE(2, 5, 2));
    example.input.causal = true;
    assert_true(attention_forward_traced(&example.input, NULL, &trace, NULL));
    assert_true(attention_forward(&example.input, NULL, &context, &weights, NULL));
    assert_same_bits(&trace.context, &context);
    assert_same_bits(&trace.weights, &weights);
    tensor_release(&context);
    tensor_release(&weights);
    attention_trace_release(&trace);
    example_release(&example);
}

/* Each step from the one before as the formula reads, in double and in order. */
static void check_digits(const struct attention_trace *trace, const struct attention_input *input)
{
    size_t n_q = input->query->shape[0], d = input->query->shape[1];
    size_t n_k = input->key->shape[0], d_v = input->value->shape[1];
    for (size_t i = 0; i < n_q; i++) {
        const float *masked = trace->masked.data + i * n_k,
                    *weights = trace->weights.data + i * n_k;
        double largest = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            double score = 0;
            for (size_t c = 0; c < d; c++)
                score +=
                    (double)input->query->data[i * d + c] * (double)input->key->data[j * d + c];
            assert_close(trace->scores.data[i * n_k + j], (float)score, 0);
            largest = fmax(largest, (double)masked[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += exp((double)masked[j] - largest);
        for (size_t j = 0; j < n_k; j++)
            assert_close(weights[j], (float)(exp((double)masked[j] - largest) / total), 0);
        for (size_t c = 0; c < d_v; c++) {
            double sum = 0;
            for (size_t j = 0; j < n_k; j++)
                sum += (double)weights[j] * (double)input->value->data[j * d_v + c];
            assert_close(trace->context.data[i * d_v + c], (float)sum, 0);
        }
    }
}

/* Sums that run beside each other, and exponentials that are kept, change no digit. */
static void test_attention__the_same_digits_for_any_size(void **state)
{
    (void)state;
    static const size_t sizes[][2] = {{1, 1}, {2, 3}, {3, 4}, {4, 5},   {5, 2},
                                      {7, 8}, {8, 7}, {9, 9}, {64, 10}, {67, 6}};
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++) {
        struct example example;
        struct attention_trace trace;
        example_init(&example, 5 + at, 2, SHAPE(3, 19), SHAPE(sizes[at][0], 19), sizes[at]);
        assert_true(attention_forward_traced(&example.input, NULL, &trace, NULL));
        check_digits(&trace, &example.input);
        attention_trace_release(&trace);
        example_release(&example);
    }
}

/* With c = 2 ln 3 and a score of c * atanh(1/2), c * tanh(1/2 atanh...) is ln 3: weights 1/4, 3/4.
 */
static void test_attention__softcap_bounds_the_scores(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    double c = 2 * (double)LN_3;
    by_hand.query.data[1] = (float)(c * 0.549306144334054846); /* atanh(1/2) = ln(3) / 2 */
    by_hand.input.softcap = c;
    check_by_hand(&by_hand.input, ROW(4, 2, 6, 1));
    /* The mask comes after the cap: hidden stays hidden. */
    struct tensor mask = testing_tensor(2, SHAPE(1, 2), ROW(0, -INFINITY));
    by_hand.input.mask = &mask;
    check_by_hand(&by_hand.input, ROW(0, 4, 0, 4));
    tensor_release(&mask);
    by_hand_release(&by_hand);
}

/* ---- masks ---- */

static void test_attention__mask_of_each_kind(void **state)
{
    (void)state;
    static const float hides_second[][4] = {
        [MASK_ADDITIVE] = {0, -INFINITY, 0, 0},
        [MASK_MAY_ATTEND] = {1, 0, 1, 1},
        [MASK_MASKED_OUT] = {0, 1, 0, 0},
    };
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    for (int kind = 0; kind < 3; kind++) {
        struct tensor mask = testing_tensor(2, SHAPE(2, 2), hides_second[kind]);
        by_hand.input.mask = &mask;
        by_hand.input.mask_kind = (enum mask_kind)kind;
        check_by_hand(&by_hand.input, ROW(0, 4, 6, 1));
        tensor_release(&mask);
    }
    by_hand_release(&by_hand);
}

/* Adding ln 3 to a score multiplies its exponential by 3: rows 1:3 and 1:9. */
static void test_attention__additive_mask_shifts_scores(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    struct tensor mask = testing_tensor(1, SHAPE(2), ROW(0, LN_3));
    by_hand.input.mask = &mask;
    check_by_hand(&by_hand.input, ROW(6, 1, 7.2f, 0.4f));
    tensor_release(&mask);
    by_hand_release(&by_hand);
}

/* (heads, 1, n_k) and (batch, 1, 1, n_k): who is hidden is told by the head, or by the batch. */
static void test_attention__mask_broadcasts(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 2, 4, SHAPE(2, 2, 3, 4), SHAPE(2, 2, 2, 4), SHAPE(2, 2, 2, 1));
    example.input.mask_kind = MASK_MAY_ATTEND;
    struct tensor by_head = testing_tensor(3, SHAPE(2, 1, 2), ROW(1, 0, 0, 1));
    struct tensor by_batch = testing_tensor(4, SHAPE(2, 1, 1, 2), ROW(1, 0, 0, 1));
    const struct tensor *masks[] = {&by_head, &by_batch};
    for (unsigned m = 0; m < 2; m++) {
        example.input.mask = masks[m];
        struct tensor context = attend(&example.input);
        for (size_t row = 0; row < 12; row++) { /* (batch, head, query) */
            size_t head = row / 3, open = m == 0 ? head % 2 : head / 2;
            assert_close(context.data[row], example.value.data[head * 2 + open], 0);
        }
        tensor_release(&context);
    }
    tensor_release(&by_head);
    tensor_release(&by_batch);
    example_release(&example);
}

/* With equal scores the context is the mean of the open values 1, 2, 3, 4. */
static void check_causal(size_t n_q, ptrdiff_t offset, const float *want)
{
    struct tensor query, key;
    assert_true(tensor_zeros(2, SHAPE(n_q, 2), &query, NULL));
    assert_true(tensor_zeros(2, SHAPE(4, 2), &key, NULL));
    struct tensor value = testing_tensor(2, SHAPE(4, 1), ROW(1, 2, 3, 4));
    struct attention_input input = {
        .query = &query,
        .key = &key,
        .value = &value,
        .causal = true,
        .causal_offset = offset,
    };
    struct tensor context = attend(&input);
    assert_tensor_close(&context, 2, SHAPE(n_q, 1), want, 1e-6);
    tensor_release(&context);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

static void test_attention__causal_with_any_offset(void **state)
{
    (void)state;
    check_causal(4, 0, ROW(1, 1.5f, 2, 2.5f));
    check_causal(2, 0, ROW(1, 1.5f));
    check_causal(2, 2, ROW(2, 2.5f));
    check_causal(6, 0, ROW(1, 1.5f, 2, 2.5f, 2.5f, 2.5f));
    check_causal(6, -2, ROW(0, 0, 1, 1.5f, 2, 2.5f));
    check_causal(2, PTRDIFF_MAX, ROW(2.5f, 2.5f));
    check_causal(2, PTRDIFF_MIN, ROW(0, 0));
}

static void test_attention__key_lengths_hide_padding(void **state)
{
    (void)state;
    struct example example;
    struct tensor weights, context;
    example_init(&example, 3, 3, SHAPE(3, 2, 4), SHAPE(3, 4, 4), SHAPE(3, 4, 2));
    fill(&example.query, 0);
    example.input.key_lengths = SHAPE(4, 2, 0);
    example.input.n_key_lengths = 3;
    assert_true(attention_forward(&example.input, NULL, &context, &weights, NULL));
    assert_tensor_close(&weights, 3, SHAPE(3, 2, 4),
                        ROW(0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, /* all 4 */
                            0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0,                     /* 2 */
                            0, 0, 0, 0, 0, 0, 0, 0),                                /* none */
                        1e-7);
    tensor_release(&weights);
    tensor_release(&context);
    example_release(&example);
}

/* Without leading axes there is one length. */
static void test_attention__key_length_without_a_batch(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    by_hand.input.key_lengths = SHAPE(1);
    by_hand.input.n_key_lengths = 1;
    check_by_hand(&by_hand.input, ROW(0, 4, 0, 4));
    by_hand_release(&by_hand);
}

static void test_attention__row_without_a_key_is_zero(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct tensor context, weights;
    by_hand_init(&by_hand);
    struct tensor mask = testing_tensor(2, SHAPE(2, 2), ROW(-INFINITY, -INFINITY, 0, 0));
    by_hand.input.mask = &mask;
    assert_true(attention_forward(&by_hand.input, NULL, &context, &weights, NULL));
    assert_tensor_close(&weights, 2, SHAPE(2, 2), ROW(0, 0, 0.25f, 0.75f), 1e-7);
    assert_tensor_close(&context, 2, SHAPE(2, 2), ROW(0, 0, 6, 1), 1e-6);
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&mask);
    by_hand_release(&by_hand);
}

/* ... but -1e9 is no mask: it swallows the scores, and the weights are uniform. */
static void test_attention__row_of_minus_1e9_is_uniform(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    struct tensor mask = testing_tensor(1, SHAPE(2), ROW(-1e9f, -1e9f));
    by_hand.input.mask = &mask;
    check_by_hand(&by_hand.input, ROW(4, 2, 4, 2));
    tensor_release(&mask);
    by_hand_release(&by_hand);
}

/* Whatever a hidden key holds, the result is the same bit for bit: the key 1 of 3, for each way of
 * hiding it, with its key and value NaN or infinite. */
static void check_poison(struct example *example, size_t poisoned, size_t first_row,
                         size_t last_row)
{
    struct tensor clean = attend(&example->input);
    const float poisons[] = {NAN, INFINITY, -INFINITY};
    for (size_t p = 0; p < 3; p++) {
        struct tensor key, value;
        assert_true(tensor_copy(&example->key, &key, NULL));
        assert_true(tensor_copy(&example->value, &value, NULL));
        for (size_t d = 0; d < 4; d++)
            key.data[poisoned * 4 + d] = value.data[poisoned * 4 + d] = poisons[p];
        struct attention_input input = example->input;
        input.key = &key;
        input.value = &value;
        struct tensor context = attend(&input);
        assert_memory_equal(context.data + first_row * 4, clean.data + first_row * 4,
                            (last_row - first_row) * 4 * sizeof(float));
        tensor_release(&context);
        tensor_release(&key);
        tensor_release(&value);
    }
    tensor_release(&clean);
}

static void test_attention__hidden_means_never_read(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 4, 2, SHAPE(3, 4), SHAPE(3, 4), SHAPE(3, 4));
    struct tensor masks[3] = {
        [MASK_ADDITIVE] = testing_tensor(1, SHAPE(3), ROW(0, -INFINITY, 0)),
        [MASK_MAY_ATTEND] = testing_tensor(1, SHAPE(3), ROW(1, 0, 1)),
        [MASK_MASKED_OUT] = testing_tensor(1, SHAPE(3), ROW(0, 1, 0)),
    };
    for (int kind = 0; kind < 3; kind++) {
        example.input.mask = &masks[kind];
        example.input.mask_kind = (enum mask_kind)kind;
        check_poison(&example, 1, 0, 3);
        example.input.softcap = 2; /* caps an infinite score to 2, and must not bring it back */
        check_poison(&example, 1, 0, 3);
        example.input.softcap = 0;
        tensor_release(&masks[kind]);
    }
    example.input.mask = NULL;
    example.input.causal = true;
    check_poison(&example, 1, 0, 1);
    check_poison(&example, 2, 0, 2);
    example.input.causal = false;
    example.input.key_lengths = SHAPE(2);
    example.input.n_key_lengths = 1;
    check_poison(&example, 2, 0, 3);
    example_release(&example);
}

/* A weight of exactly 0 adds nothing: the second key is open, but its weight is e^-200, which is 0
 * in float32. (In PyTorch 0 * NaN is NaN.) The first key's weight is 1 whatever the scores are, so
 * only its value has a gradient. */
static void test_attention__weight_of_zero_adds_nothing(void **state)
{
    (void)state;
    struct tensor query = testing_tensor(2, SHAPE(1, 1), ROW(1));
    struct tensor key = testing_tensor(2, SHAPE(2, 1), ROW(200, 0));
    struct tensor value = testing_tensor(2, SHAPE(2, 1), ROW(5, NAN));
    struct attention_input input = {.query = &query, .key = &key, .value = &value};
    struct tensor context, weights;
    struct attention_gradients gradients;
    assert_true(attention_forward(&input, NULL, &context, &weights, NULL));
    assert_tensor_close(&weights, 2, SHAPE(1, 2), ROW(1, 0), 0);
    assert_tensor_close(&context, 2, SHAPE(1, 1), ROW(5), 0);
    assert_true(attention_backward(&input, &query, NULL, &gradients, NULL));
    assert_tensor_close(&gradients.query, 2, SHAPE(1, 1), ROW(0), 0);
    assert_tensor_close(&gradients.key, 2, SHAPE(2, 1), ROW(0, 0), 0);
    assert_tensor_close(&gradients.value, 2, SHAPE(2, 1), ROW(1, 0), 0);
    attention_gradients_release(&gradients);
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

/* So does a weight that is dropped: of two equal weights of 1/2 the second is dropped, the first
 * doubled. Scores are equal, q = 1, and d_context = 1: the gradient of the weights is (2 * 3, 0),
 * their mean 3, so those of the scores are (1/2) (6 - 3) and (1/2) (0 - 3). */
static void test_attention__dropped_weight_adds_nothing(void **state)
{
    (void)state;
    struct tensor query = testing_tensor(2, SHAPE(1, 1), ROW(1));
    struct tensor key = testing_tensor(2, SHAPE(2, 1), ROW(1, 1));
    struct tensor value = testing_tensor(2, SHAPE(2, 1), ROW(3, INFINITY));
    struct tensor dropout = testing_tensor(2, SHAPE(1, 2), ROW(2, 0));
    struct attention_input input = {
        .query = &query, .key = &key, .value = &value, .dropout = &dropout};
    struct attention_gradients gradients;
    struct tensor context = attend(&input);
    assert_tensor_close(&context, 2, SHAPE(1, 1), ROW(3), 0);
    assert_true(attention_backward(&input, &query, NULL, &gradients, NULL));
    assert_tensor_close(&gradients.key, 2, SHAPE(2, 1), ROW(1.5f, -1.5f), 1e-6);
    assert_tensor_close(&gradients.value, 2, SHAPE(2, 1), ROW(1, 0), 1e-6);
    attention_gradients_release(&gradients);
    tensor_release(&context);
    tensor_release(&dropout);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

/* Weights are normalised before the sum over values: 3e38 + 3e38 would overflow, its half does not.
 */
static void test_attention__huge_values_do_not_overflow(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    fill(&by_hand.value, 3e38f);
    struct tensor context = attend(&by_hand.input);
    assert_tensor_close(&context, 2, SHAPE(2, 2), ROW(3e38f, 3e38f, 3e38f, 3e38f), 1e32);
    tensor_release(&context);
    by_hand_release(&by_hand);
}

/* ---- leading axes ---- */

/* One key and value for two batch entries and three heads. */
static void test_attention__leading_axes_broadcast(void **state)
{
    (void)state;
    uint64_t seed = 5;
    struct tensor query = testing_random_tensor(&seed, 4, SHAPE(2, 3, 2, 4));
    struct tensor key = testing_random_tensor(&seed, 2, SHAPE(5, 4));
    struct tensor value = testing_random_tensor(&seed, 3, SHAPE(1, 5, 6));
    struct attention_input input = {.query = &query, .key = &key, .value = &value};
    struct tensor whole = attend(&input);
    assert_int_equal(whole.n_axes, 4);
    for (size_t h = 0; h < 6; h++) {
        struct tensor one = testing_tensor(2, SHAPE(2, 4), query.data + h * 8);
        struct tensor want_value = testing_tensor(2, SHAPE(5, 6), value.data);
        struct attention_input alone = {.query = &one, .key = &key, .value = &want_value};
        struct tensor context = attend(&alone);
        assert_memory_equal(whole.data + h * 12, context.data, 12 * sizeof(float));
        tensor_release(&context);
        tensor_release(&one);
        tensor_release(&want_value);
    }
    tensor_release(&whole);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

/* Four query heads on two key heads: 0 and 1 read the first, 2 and 3 the second, in both entries of
 * the batch. Scores are 0; the values of a head are all its own number. */
static void test_attention__grouped_queries_share_keys(void **state)
{
    (void)state;
    struct tensor query, key;
    assert_true(tensor_zeros(4, SHAPE(2, 4, 1, 3), &query, NULL));
    assert_true(tensor_zeros(4, SHAPE(2, 2, 2, 3), &key, NULL));
    struct tensor value = testing_tensor(4, SHAPE(2, 2, 2, 1), ROW(1, 1, 2, 2, 3, 3, 4, 4));
    struct attention_input input = {
        .query = &query,
        .key = &key,
        .value = &value,
        .grouped_query = true,
    };
    struct tensor context = attend(&input);
    assert_tensor_close(&context, 4, SHAPE(2, 4, 1, 1), ROW(1, 1, 2, 2, 3, 3, 4, 4), 0);
    tensor_release(&context);
    struct error error;
    input.grouped_query = false;
    context = untouched;
    assert_error(attention_forward(&input, NULL, &context, NULL, &error), error, ERR_SHAPE);
    assert_says(error, "grouped queries");
    assert_memory_equal(&context, &untouched, sizeof context);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

/* Groups are the same as the key heads repeated, each for its group. */
static void test_attention__grouped_is_repeated_keys(void **state)
{
    (void)state;
    struct example grouped;
    struct tensor keys, values;
    example_init(&grouped, 6, 3, SHAPE(6, 2, 4), SHAPE(3, 5, 4), SHAPE(3, 5, 2));
    assert_true(tensor_zeros(3, SHAPE(6, 5, 4), &keys, NULL));
    assert_true(tensor_zeros(3, SHAPE(6, 5, 2), &values, NULL));
    for (size_t h = 0; h < 6; h++) {
        memcpy(keys.data + h * 20, grouped.key.data + h / 2 * 20, 20 * sizeof(float));
        memcpy(values.data + h * 10, grouped.value.data + h / 2 * 10, 10 * sizeof(float));
    }
    grouped.input.grouped_query = true;
    struct attention_input repeated = {.query = &grouped.query, .key = &keys, .value = &values};
    struct tensor got = attend(&grouped.input), want = attend(&repeated);
    assert_same_bits(&got, &want);
    tensor_release(&got);
    tensor_release(&want);
    tensor_release(&keys);
    tensor_release(&values);
    example_release(&grouped);
}

static void test_attention__views_are_as_good_as_copies(void **state)
{
    (void)state;
    uint64_t seed = 7;
    struct tensor joined = testing_random_tensor(&seed, 3, SHAPE(2, 5, 6)), split, copy;
    assert_true(heads_split(&joined, 3, &split, NULL));
    assert_false(tensor_is_dense(&split));
    assert_true(tensor_copy(&split, &copy, NULL));
    struct attention_input with_views = {.query = &split, .key = &split, .value = &split};
    struct attention_input with_copies = {.query = &copy, .key = &copy, .value = &copy};
    struct tensor got = attend(&with_views), want = attend(&with_copies);
    assert_same_bits(&got, &want);
    tensor_release(&got);
    tensor_release(&want);
    tensor_release(&joined);
    tensor_release(&split);
    tensor_release(&copy);
}

static void test_attention__no_queries_or_no_keys(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 8, 2, SHAPE(0, 4), SHAPE(3, 4), SHAPE(3, 2));
    struct tensor context = attend(&example.input);
    assert_tensor_close(&context, 2, SHAPE(0, 2), NULL, 0);
    tensor_release(&context);
    example_release(&example);
    example_init(&example, 8, 2, SHAPE(1, 4), SHAPE(0, 4), SHAPE(0, 2));
    context = attend(&example.input);
    assert_tensor_close(&context, 2, SHAPE(1, 2), ROW(0, 0), 0);
    tensor_release(&context);
    example_release(&example);
}

/* ---- dropout ---- */

static void test_attention__dropout_multiplies_the_weights(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct tensor context, weights;
    by_hand_init(&by_hand);
    struct tensor dropout = testing_tensor(2, SHAPE(2, 2), ROW(2, 0, 2, 2));
    by_hand.input.dropout = &dropout;
    assert_true(attention_forward(&by_hand.input, NULL, &context, &weights, NULL));
    assert_tensor_close(&weights, 2, SHAPE(2, 2), ROW(0.5f, 0.5f, 0.25f, 0.75f), 1e-7);
    assert_tensor_close(&context, 2, SHAPE(2, 2), ROW(0, 4, 12, 2), 1e-6);
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&dropout);
    by_hand_release(&by_hand);
}

/* Of 2 x 100 x 50 = 10000 factors a quarter is 0, to within 5 standard deviations (217), and the
 * others are 4/3. */
static void test_attention__dropout_factors(void **state)
{
    (void)state;
    struct example example;
    struct tensor first, second;
    struct random random;
    example_init(&example, 9, 3, SHAPE(2, 100, 1), SHAPE(2, 50, 1), SHAPE(2, 50, 1));
    random_seed(&random, 123);
    assert_true(attention_dropout(&example.input, 0.25, &random, &first, NULL));
    size_t n_dropped = 0;
    for (size_t at = 0; at < 10000; at++) {
        n_dropped += first.data[at] == 0;
        assert_true(first.data[at] == 0 || fabs((double)first.data[at] - 4.0 / 3) < 1e-6);
    }
    assert_in_range(n_dropped, 2500 - 217, 2500 + 217);
    random_seed(&random, 123);
    assert_true(attention_dropout(&example.input, 0.25, &random, &second, NULL));
    assert_int_equal(second.n_axes, 3);
    assert_same_bits(&first, &second);
    tensor_release(&first);
    tensor_release(&second);
    example_release(&example);
}

static void test_attention__dropout_of_nothing_and_of_all(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct tensor factors;
    struct random random;
    struct error error;
    by_hand_init(&by_hand);
    random_seed(&random, 1);
    assert_true(attention_dropout(&by_hand.input, 0, &random, &factors, NULL));
    assert_tensor_close(&factors, 2, SHAPE(2, 2), ROW(1, 1, 1, 1), 0);
    tensor_release(&factors);
    assert_true(attention_dropout(&by_hand.input, 1, &random, &factors, NULL));
    assert_tensor_close(&factors, 2, SHAPE(2, 2), ROW(0, 0, 0, 0), 0);
    tensor_release(&factors);
    const double impossible[] = {-0.1, 1.1, (double)NAN};
    for (size_t i = 0; i < 3; i++)
        assert_error(attention_dropout(&by_hand.input, impossible[i], &random, &factors, &error),
                     error, ERR_RANGE);
    by_hand_release(&by_hand);
}

/* ---- errors ---- */

/* This input is refused, forward and backward, and nothing is written. */
static void check_refused(const struct attention_input *input, enum error_kind kind,
                          const char *says)
{
    struct tensor context = untouched, weights = untouched;
    struct attention_trace trace = {.context = untouched};
    struct attention_gradients gradients = {.query = untouched};
    struct error error;
    assert_error(attention_forward(input, NULL, &context, &weights, &error), error, kind);
    assert_says(error, says);
    assert_memory_equal(&context, &untouched, sizeof context);
    assert_memory_equal(&weights, &untouched, sizeof weights);
    assert_error(attention_forward_traced(input, NULL, &trace, &error), error, kind);
    assert_memory_equal(&trace.context, &untouched, sizeof context);
    assert_error(attention_backward(input, input->value, NULL, &gradients, &error), error, kind);
    assert_says(error, says);
    assert_memory_equal(&gradients.query, &untouched, sizeof context);
}

static void check_shapes_refused(unsigned n_axes, const size_t *query, const size_t *key,
                                 const size_t *value, bool grouped, const char *says)
{
    struct example example;
    example_init(&example, 1, n_axes, query, key, value);
    example.input.grouped_query = grouped;
    check_refused(&example.input, ERR_SHAPE, says);
    example_release(&example);
}

static void test_attention__shapes_that_do_not_fit(void **state)
{
    (void)state;
    check_shapes_refused(2, SHAPE(3, 2), SHAPE(3, 4), SHAPE(3, 2), false,
                         "query is 3x2, key is 3x4");
    check_shapes_refused(2, SHAPE(3, 2), SHAPE(3, 2), SHAPE(4, 2), false,
                         "key is 3x2, value is 4x2");
    check_shapes_refused(1, SHAPE(3), SHAPE(3), SHAPE(3), false, "query is (3,)");
    check_shapes_refused(2, SHAPE(3, 0), SHAPE(3, 0), SHAPE(3, 2), false, "no columns");
    check_shapes_refused(3, SHAPE(4, 3, 2), SHAPE(3, 3, 2), SHAPE(3, 3, 2), false,
                         "must be equal or 1");
    check_shapes_refused(2, SHAPE(3, 2), SHAPE(3, 2), SHAPE(3, 2), true, "heads, rows");
    check_shapes_refused(3, SHAPE(4, 3, 2), SHAPE(3, 3, 2), SHAPE(3, 3, 2), true,
                         "query has 4 heads and key has 3");
    check_shapes_refused(3, SHAPE(4, 3, 2), SHAPE(2, 3, 2), SHAPE(3, 3, 2), true,
                         "query has 4 heads and value has 3");
    check_shapes_refused(3, SHAPE(4, 3, 2), SHAPE(0, 3, 2), SHAPE(0, 3, 2), true, "key has 0");
}

static void test_attention__masks_that_do_not_fit(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    struct tensor wide = testing_tensor(1, SHAPE(3), ROW(0, 0, 0));
    struct tensor deep = testing_tensor(3, SHAPE(1, 2, 2), ROW(0, 0, 0, 0));
    struct tensor boolean = testing_tensor(1, SHAPE(2), ROW(1, 1));
    boolean.is_bool = true;
    by_hand.input.mask = &wide;
    check_refused(&by_hand.input, ERR_SHAPE, "the mask is (3,) and the scores are 2x2");
    by_hand.input.mask = &deep;
    check_refused(&by_hand.input, ERR_SHAPE, "the mask is 1x2x2");
    by_hand.input.mask = &boolean;
    check_refused(&by_hand.input, ERR_TYPE, "hide nothing");
    tensor_release(&wide);
    tensor_release(&deep);
    tensor_release(&boolean);
    by_hand_release(&by_hand);
}

static void test_attention__settings_out_of_range(void **state)
{
    (void)state;
    struct by_hand by_hand;
    by_hand_init(&by_hand);
    by_hand.input.softcap = -1;
    check_refused(&by_hand.input, ERR_RANGE, "softcap");
    by_hand.input.softcap = (double)NAN;
    check_refused(&by_hand.input, ERR_RANGE, "softcap");
    by_hand.input.softcap = 0;
    by_hand.input.key_lengths = SHAPE(1, 1);
    by_hand.input.n_key_lengths = 2;
    check_refused(&by_hand.input, ERR_SHAPE, "2 key lengths for 1 batch");
    by_hand.input.key_lengths = SHAPE(3);
    by_hand.input.n_key_lengths = 1;
    check_refused(&by_hand.input, ERR_RANGE, "3 valid keys");
    by_hand.input.key_lengths = NULL;
    struct tensor dropout = testing_tensor(1, SHAPE(2), ROW(1, 1));
    by_hand.input.dropout = &dropout;
    check_refused(&by_hand.input, ERR_SHAPE, "dropout factors are (2,)");
    tensor_release(&dropout);
    by_hand_release(&by_hand);
}

static void test_attention__gradient_of_another_shape(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct attention_gradients gradients;
    struct error error;
    by_hand_init(&by_hand);
    assert_error(attention_backward(&by_hand.input, &by_hand.query, NULL, &gradients, &error),
                 error, ERR_SHAPE);
    assert_says(error, "is 2x1 and the context is 2x2");
    by_hand_release(&by_hand);
}

static void test_attention__stops_when_told(void **state)
{
    (void)state;
    struct by_hand by_hand;
    struct tensor context;
    struct attention_trace trace;
    struct attention_gradients gradients;
    struct error error;
    volatile sig_atomic_t stop = 0;
    by_hand_init(&by_hand);
    assert_true(attention_forward(&by_hand.input, &stop, &context, NULL, NULL));
    tensor_release(&context);
    stop = 1;
    assert_error(attention_forward(&by_hand.input, &stop, &context, NULL, &error), error,
                 ERR_INTERRUPTED);
    assert_error(attention_forward_traced(&by_hand.input, &stop, &trace, &error), error,
                 ERR_INTERRUPTED);
    assert_error(attention_backward(&by_hand.input, &by_hand.value, &stop, &gradients, &error),
                 error, ERR_INTERRUPTED);
    by_hand_release(&by_hand);
}

static void test_attention__failed_allocations(void **state)
{
    (void)state;
    struct example example;
    uint64_t seed = 1;
    struct tensor joined = testing_random_tensor(&seed, 2, SHAPE(3, 4)), split;
    struct tensor context, weights, factors;
    struct attention_trace trace;
    struct attention_gradients gradients;
    struct random random;
    struct error error;
    assert_true(heads_split(&joined, 2, &split, NULL)); /* a view, so a copy has to be made */
    example_init(&example, 10, 3, SHAPE(2, 3, 2), SHAPE(2, 3, 2), SHAPE(2, 3, 2));
    struct tensor mask = testing_tensor(1, SHAPE(3), ROW(0, 0, -INFINITY));
    example.input.query = example.input.key = &split;
    example.input.mask = &mask;
    assert_reports_failed_allocations(
        attention_forward(&example.input, NULL, &context, &weights, &error), error);
    assert_reports_failed_allocations(
        attention_forward_traced(&example.input, NULL, &trace, &error), error);
    assert_reports_failed_allocations(
        attention_backward(&example.input, &context, NULL, &gradients, &error), error);
    random_seed(&random, 1);
    assert_reports_failed_allocations(
        attention_dropout(&example.input, 0.5, &random, &factors, &error), error);
    attention_gradients_release(&gradients);
    attention_gradients_release(NULL);
    attention_trace_release(&trace);
    tensor_release(&factors);
    tensor_release(&context);
    tensor_release(&weights);
    tensor_release(&mask);
    tensor_release(&joined);
    tensor_release(&split);
    example_release(&example);
}

/* ---- gradients ---- */

struct attention_loss {
    const struct attention_input *input;
    const struct tensor *direction; /* the gradient of the context */
};

static double attention_loss(const void *context)
{
    const struct attention_loss *loss = context;
    struct tensor got = attend(loss->input);
    double total = weighted_total(&got, loss->direction);
    tensor_release(&got);
    return total;
}

/* The gradients of this input are the slopes of its loss, along each number of each tensor. */
static void check_gradients(struct example *example, struct tensor *mask)
{
    uint64_t seed = 99;
    struct attention_gradients gradients;
    struct error error;
    struct tensor context = attend(&example->input);
    struct tensor direction = testing_random_tensor(&seed, context.n_axes, context.shape);
    struct attention_loss loss = {&example->input, &direction};
    if (!attention_backward(&example->input, &direction, NULL, &gradients, &error))
        fail_msg("%s", error.text);
    check_slopes(&gradients.query, &example->query, attention_loss, &loss);
    check_slopes(&gradients.key, &example->key, attention_loss, &loss);
    check_slopes(&gradients.value, &example->value, attention_loss, &loss);
    if (mask != NULL)
        check_slopes(&gradients.mask, mask, attention_loss, &loss);
    else
        assert_null(gradients.mask.data);
    attention_gradients_release(&gradients);
    tensor_release(&direction);
    tensor_release(&context);
}

static void test_attention__gradients_are_slopes(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 11, 2, SHAPE(3, 4), SHAPE(5, 4), SHAPE(5, 2));
    check_gradients(&example, NULL);
    example.input.causal = true;
    check_gradients(&example, NULL);
    example.input.causal_offset = -1; /* the first row has no key */
    check_gradients(&example, NULL);
    example_release(&example);
}

/* Two query heads share a key head, and the batch shares a mask: gradients add up. */
static void test_attention__gradients_with_everything_on(void **state)
{
    (void)state;
    struct example example;
    struct random random;
    struct tensor dropout;
    uint64_t seed = 12;
    example_init(&example, 13, 4, SHAPE(2, 4, 3, 3), SHAPE(2, 2, 4, 3), SHAPE(2, 2, 4, 2));
    struct tensor mask = testing_random_tensor(&seed, 3, SHAPE(4, 1, 4));
    mask.data[5] = mask.data[10] = -INFINITY; /* key 1 of head 1, key 2 of head 2 */
    example.input.grouped_query = true;
    example.input.has_scale = true;
    example.input.scale = 0.8;
    example.input.softcap = 1.5;
    example.input.mask = &mask;
    example.input.causal = true;
    example.input.causal_offset = 1;
    example.input.key_lengths = SHAPE(4, 3);
    example.input.n_key_lengths = 2;
    random_seed(&random, 14);
    assert_true(attention_dropout(&example.input, 0.3, &random, &dropout, NULL));
    example.input.dropout = &dropout;
    check_gradients(&example, &mask);
    tensor_release(&dropout);
    tensor_release(&mask);
    example_release(&example);
}

static void test_attention__gradients_of_a_broadcast_key(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 15, 3, SHAPE(3, 2, 2), SHAPE(1, 4, 2), SHAPE(3, 4, 2));
    check_gradients(&example, NULL);
    example_release(&example);
}

static void test_attention__boolean_mask_has_no_gradient(void **state)
{
    (void)state;
    struct example example;
    example_init(&example, 16, 2, SHAPE(2, 2), SHAPE(3, 2), SHAPE(3, 2));
    struct tensor mask = testing_tensor(1, SHAPE(3), ROW(0, 1, 0));
    example.input.mask = &mask;
    example.input.mask_kind = MASK_MASKED_OUT;
    check_gradients(&example, NULL);
    tensor_release(&mask);
    example_release(&example);
}

static void check_same_gradients(const struct attention_gradients *a,
                                 const struct attention_gradients *b)
{
    assert_same_bits(&a->query, &b->query);
    assert_same_bits(&a->key, &b->key);
    assert_same_bits(&a->value, &b->value);
}

/* NaN in a hidden key and value does not reach any gradient, and theirs are 0. */
static void test_attention__hidden_means_never_read_backwards(void **state)
{
    (void)state;
    struct example example;
    struct attention_gradients clean, poisoned;
    example_init(&example, 17, 2, SHAPE(3, 2), SHAPE(3, 2), SHAPE(3, 2));
    struct tensor mask = testing_tensor(1, SHAPE(3), ROW(0, -INFINITY, 0));
    example.input.mask = &mask;
    example.input.softcap = 3;
    assert_true(attention_backward(&example.input, &example.query, NULL, &clean, NULL));
    struct tensor d_context = tensor_share(&example.query);
    for (size_t d = 2; d < 4; d++)
        example.key.data[d] = example.value.data[d] = NAN;
    assert_true(attention_backward(&example.input, &d_context, NULL, &poisoned, NULL));
    check_same_gradients(&clean, &poisoned);
    assert_close(clean.key.data[2], 0, 0);
    assert_close(clean.value.data[3], 0, 0);
    attention_gradients_release(&clean);
    attention_gradients_release(&poisoned);
    tensor_release(&d_context);
    tensor_release(&mask);
    example_release(&example);
}

/* What was saved on the way forward gives the gradients that the input alone gives; and so it does
 * where there was too little to do for anything to be saved. */
static void test_attention_backward__with_what_was_saved(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t n = 9; n <= 90; n += 81) {
        struct tensor query = testing_random_tensor(&seed, 2, SHAPE(n, 40));
        struct tensor key = testing_random_tensor(&seed, 2, SHAPE(n + 1, 40));
        struct tensor value = testing_random_tensor(&seed, 2, SHAPE(n + 1, 40)), context, saved;
        struct tensor d_context = testing_random_tensor(&seed, 2, SHAPE(n, 40));
        struct attention_input input = {.query = &query, .key = &key, .value = &value};
        struct attention_gradients alone, with_saved;
        assert_true(attention_forward_saving(&input, NULL, &context, &saved, NULL));
        assert_int_equal(saved.data != NULL, n == 90 && kernel_get() != NULL);
        assert_true(attention_backward_saved(&input, &context, &saved, &d_context, NULL,
                                             &with_saved, NULL));
        assert_true(attention_backward(&input, &d_context, NULL, &alone, NULL));
        assert_memory_equal(alone.query.data, with_saved.query.data, n * 40 * sizeof(float));
        assert_memory_equal(alone.key.data, with_saved.key.data, (n + 1) * 40 * sizeof(float));
        assert_memory_equal(alone.value.data, with_saved.value.data, (n + 1) * 40 * sizeof(float));
        struct tensor *const all[] = {&query, &key, &value, &context, &saved, &d_context};
        for (size_t i = 0; i < 6; i++)
            tensor_release(all[i]);
        attention_gradients_release(&alone);
        attention_gradients_release(&with_saved);
    }
}

/* Through the front door, where the size decides: 1 x 70 x 70 x 40 is enough for the kernels. */
static void test_attention_forward__what_is_hidden_may_be_nan(void **state)
{
    (void)state;
    uint64_t seed = 3;
    struct tensor query = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct tensor key = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct tensor value = testing_random_tensor(&seed, 2, SHAPE(70, 40));
    struct attention_input input = {.query = &query, .key = &key, .value = &value, .causal = true};
    struct tensor before, after;
    assert_true(attention_forward(&input, NULL, &before, NULL, NULL));
    value.data[69 * 40] = NAN;
    key.data[69 * 40] = INFINITY;
    assert_true(attention_forward(&input, NULL, &after, NULL, NULL));
    for (size_t at = 0; at < 69 * 40; at++)
        assert_close(after.data[at], before.data[at], 2e-6);
    assert_true(isnan(after.data[69 * 40]));
    tensor_release(&before);
    tensor_release(&after);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention__by_hand),
        cmocka_unit_test(test_attention__divides_by_the_root_of_d_k),
        cmocka_unit_test(test_attention__trace_keeps_every_step),
        cmocka_unit_test(test_attention__traced_is_the_same),
        cmocka_unit_test(test_attention__the_same_digits_for_any_size),
        cmocka_unit_test(test_attention__softcap_bounds_the_scores),
        cmocka_unit_test(test_attention__mask_of_each_kind),
        cmocka_unit_test(test_attention__additive_mask_shifts_scores),
        cmocka_unit_test(test_attention__mask_broadcasts),
        cmocka_unit_test(test_attention__causal_with_any_offset),
        cmocka_unit_test(test_attention__key_lengths_hide_padding),
        cmocka_unit_test(test_attention__key_length_without_a_batch),
        cmocka_unit_test(test_attention__row_without_a_key_is_zero),
        cmocka_unit_test(test_attention__row_of_minus_1e9_is_uniform),
        cmocka_unit_test(test_attention__hidden_means_never_read),
        cmocka_unit_test(test_attention__weight_of_zero_adds_nothing),
        cmocka_unit_test(test_attention__dropped_weight_adds_nothing),
        cmocka_unit_test(test_attention__huge_values_do_not_overflow),
        cmocka_unit_test(test_attention__leading_axes_broadcast),
        cmocka_unit_test(test_attention__grouped_queries_share_keys),
        cmocka_unit_test(test_attention__grouped_is_repeated_keys),
        cmocka_unit_test(test_attention__views_are_as_good_as_copies),
        cmocka_unit_test(test_attention__no_queries_or_no_keys),
        cmocka_unit_test(test_attention__dropout_multiplies_the_weights),
        cmocka_unit_test(test_attention__dropout_factors),
        cmocka_unit_test(test_attention__dropout_of_nothing_and_of_all),
        cmocka_unit_test(test_attention__shapes_that_do_not_fit),
        cmocka_unit_test(test_attention__masks_that_do_not_fit),
        cmocka_unit_test(test_attention__settings_out_of_range),
        cmocka_unit_test(test_attention__gradient_of_another_shape),
        cmocka_unit_test(test_attention__stops_when_told),
        cmocka_unit_test(test_attention__failed_allocations),
        cmocka_unit_test(test_attention__gradients_are_slopes),
        cmocka_unit_test(test_attention__gradients_with_everything_on),
        cmocka_unit_test(test_attention__gradients_of_a_broadcast_key),
        cmocka_unit_test(test_attention__boolean_mask_has_no_gradient),
        cmocka_unit_test(test_attention__hidden_means_never_read_backwards),
        cmocka_unit_test(test_attention_backward__with_what_was_saved),
        cmocka_unit_test(test_attention_forward__what_is_hidden_may_be_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
