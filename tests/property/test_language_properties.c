/* What must hold at the prompt for tensors of any shape, tried on random ones. The seed is fixed,
 * so a failure comes again. */
#include "lang_testing.h"

#include <math.h>
#include <string.h>

#include "attention/attention.h"
#include "graph/node.h"

#define SHAPE(...) ((size_t[]){__VA_ARGS__})

enum { N_TRIES = 200 };

static void run(struct lang *lang, const char *format, ...) ERROR_FORMAT(2, 3);

/* Types one line. */
static void run(struct lang *lang, const char *format, ...)
{
    struct text line = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&line, format, arguments);
    va_end(arguments);
    lang_run(lang, text_string(&line));
    text_release(&line);
}

static const struct tensor *value_of(struct lang *lang, const char *name)
{
    return &lang_node(lang, name)->value;
}

/* Gives a name to a tensor, which stays the caller's. */
static void bind(struct lang *lang, const char *name, const struct tensor *tensor)
{
    struct tensor shared = tensor_share(tensor);
    struct value value = value_node(node_input(&lang->session.graph, &shared, "a test", 6, NULL));
    assert_int_equal(value.kind, VALUE_NODE);
    assert_true(session_bind(&lang->session, name, strlen(name), &value, NULL));
}

/* A random matrix of that name. */
static void bind_random(struct lang *lang, uint64_t *seed, const char *name, size_t rows,
                        size_t columns)
{
    struct tensor x = testing_random_tensor(seed, 2, SHAPE(rows, columns));
    bind(lang, name, &x);
    tensor_release(&x);
}

static bool coin(uint64_t *seed)
{
    return testing_between(seed, 0, 1) == 1;
}

/* |a - b| <= tolerance everywhere, NaN in the same places; 0 asks for the same numbers. */
static void assert_same(const struct tensor *a, const struct tensor *b, double tolerance)
{
    assert_true(tensor_same_shape(a, b));
    for (size_t at = 0; at < tensor_size(a); at++) {
        double left = (double)tensor_at_position(a, at), right = (double)tensor_at_position(b, at);
        if (!(isnan(left) && isnan(right)))
            assert_close(left, right, tolerance);
    }
}

static void assert_equal_names(struct lang *lang, const char *a, const char *b, double tolerance)
{
    assert_same(value_of(lang, a), value_of(lang, b), tolerance);
}

/* attention() against the library. */

struct problem {
    struct tensor query, key, value, mask, d_context;
    struct attention_input input;
    struct text arguments; /* the same input as arguments behind Q, K, V */
    bool exact;            /* scaling is exact, so both ways round in the same places */
};

static struct tensor random_mask(uint64_t *seed, bool is_bool, size_t n_q, size_t n_k)
{
    struct tensor mask = testing_random_tensor(seed, 2, SHAPE(n_q, n_k));
    for (size_t at = 0; at < n_q * n_k; at++) {
        bool open = testing_between(seed, 0, 2) > 0;
        mask.data[at] = is_bool ? open : open ? mask.data[at] : -INFINITY;
    }
    mask.is_bool = is_bool;
    return mask;
}

static void draw_tensors(struct problem *p, uint64_t *seed)
{
    size_t n_batch = testing_between(seed, 1, 2), key_heads = testing_between(seed, 1, 3);
    size_t group = testing_between(seed, 1, 3), n_heads = key_heads * group;
    size_t n_q = testing_between(seed, 1, 7), n_k = testing_between(seed, 1, 7);
    size_t d_k = testing_between(seed, 1, 9), d_v = testing_between(seed, 1, 9);
    p->query = testing_random_tensor(seed, 4, SHAPE(n_batch, n_heads, n_q, d_k));
    p->key = testing_random_tensor(seed, 4, SHAPE(n_batch, key_heads, n_k, d_k));
    p->value = testing_random_tensor(seed, 4, SHAPE(n_batch, key_heads, n_k, d_v));
    p->d_context = testing_random_tensor(seed, 4, SHAPE(n_batch, n_heads, n_q, d_v));
    p->mask = random_mask(seed, coin(seed), n_q, n_k);
    p->input.grouped_query = group > 1;
}

/* Fills in *p, which the input then points into. */
static void problem_init(struct problem *p, uint64_t *seed)
{
    static const double exact_scales[] = {0.5, 1, 2}, other_scales[] = {0.3, 1.7};
    *p = (struct problem){.exact = coin(seed)};
    draw_tensors(p, seed);
    struct attention_input *input = &p->input;
    input->query = &p->query;
    input->key = &p->key;
    input->value = &p->value;
    input->causal = coin(seed);
    input->mask = coin(seed) ? &p->mask : NULL;
    input->mask_kind = p->mask.is_bool ? MASK_MAY_ATTEND : MASK_ADDITIVE;
    input->has_scale = p->exact || coin(seed);
    input->scale = p->exact ? exact_scales[testing_between(seed, 0, 2)]
                            : other_scales[testing_between(seed, 0, 1)];
    input->softcap = p->exact || coin(seed) ? 0 : 1.5;
    text_put(&p->arguments, input->mask != NULL ? ", attn_mask=M" : "");
    text_put(&p->arguments, input->causal ? ", is_causal=True" : "");
    if (input->has_scale)
        text_format(&p->arguments, ", scale=%g", input->scale);
    text_put(&p->arguments, input->grouped_query ? ", enable_gqa=True" : "");
    text_put(&p->arguments, input->softcap > 0 ? ", softcap=1.5" : "");
}

static void problem_release(struct problem *p)
{
    tensor_release(&p->query);
    tensor_release(&p->key);
    tensor_release(&p->value);
    tensor_release(&p->mask);
    tensor_release(&p->d_context);
    text_release(&p->arguments);
}

static void type_problem(struct lang *lang, const struct problem *p)
{
    bind(lang, "Q", &p->query);
    bind(lang, "K", &p->key);
    bind(lang, "V", &p->value);
    bind(lang, "M", &p->mask);
    bind(lang, "dY", &p->d_context);
    run(lang, "Y = attention(Q, K, V%s)", text_string(&p->arguments));
    run(lang, "W = attention_weights(Q, K%s)", text_string(&p->arguments));
    run(lang, "dQ, dK, dV = grad(sum(dY * Y), [Q, K, V])");
}

static void test_attention__is_the_library(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        struct problem p;
        struct tensor context, weights;
        struct attention_gradients gradients;
        lang_open(&lang);
        problem_init(&p, &seed);
        type_problem(&lang, &p);
        assert_true(attention_forward(&p.input, NULL, &context, &weights, NULL));
        assert_true(attention_backward(&p.input, &p.d_context, NULL, &gradients, NULL));
        assert_same(value_of(&lang, "Y"), &context, p.exact ? 0 : 1e-6);
        assert_same(value_of(&lang, "W"), &weights, p.exact ? 0 : 1e-6);
        assert_same(value_of(&lang, "dQ"), &gradients.query, 1e-5);
        assert_same(value_of(&lang, "dK"), &gradients.key, 1e-5);
        assert_same(value_of(&lang, "dV"), &gradients.value, 1e-5);
        attention_gradients_release(&gradients);
        tensor_release(&context);
        tensor_release(&weights);
        problem_release(&p);
        lang_close(&lang);
    }
}

/* Weights. */

/* Along any axis of any shape: positive numbers that sum to 1, and the same when all scores are
 * raised alike. */
static void test_softmax__rows_sum_to_one(void **state)
{
    (void)state;
    uint64_t seed = 22;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        size_t shape[4];
        unsigned n_axes = (unsigned)testing_between(&seed, 1, 4);
        for (unsigned axis = 0; axis < n_axes; axis++)
            shape[axis] = testing_between(&seed, 1, 5);
        int dim = (int)testing_between(&seed, 0, 2 * n_axes - 1) - (int)n_axes;
        struct tensor x = testing_random_tensor(&seed, n_axes, shape);
        lang_open(&lang);
        bind(&lang, "x", &x);
        run(&lang, "w = softmax(50 * x, dim=%d)", dim);
        run(&lang, "shifted = softmax(50 * x + 1000, dim=%d)", dim);
        run(&lang, "total = w.sum(dim=%d, keepdim=True); one = ones_like(total)", dim);
        run(&lang, "low = min(w); high = max(w)");
        assert_equal_names(&lang, "total", "one", 1e-6);
        assert_equal_names(&lang, "w", "shifted", 1e-3); /* 1000 + x is rounded by 3e-5 */
        assert_true(value_of(&lang, "low")->data[0] >= 0);
        assert_true(value_of(&lang, "high")->data[0] <= 1);
        tensor_release(&x);
        lang_close(&lang);
    }
}

/* Order. */

/* "[2, 0, 1]": the numbers 0 to n - 1 shuffled. */
static void shuffled(uint64_t *seed, size_t n, struct text *ret)
{
    size_t order[16];
    for (size_t i = 0; i < n; i++) {
        size_t j = testing_between(seed, 0, i);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < n; i++)
        text_format(ret, "%s%zu", i ? ", " : "[", order[i]);
    text_char(ret, ']');
}

/* Tokens in another order give the same outputs in that order; keys and values in another order
 * change nothing. */
static void test_attention__does_not_know_the_order(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        struct text order = {0};
        size_t n = testing_between(&seed, 1, 9), d = testing_between(&seed, 1, 6);
        shuffled(&seed, n, &order);
        lang_open(&lang);
        bind_random(&lang, &seed, "X", n, d);
        bind_random(&lang, &seed, "W_q", d, d);
        bind_random(&lang, &seed, "W_k", d, d);
        bind_random(&lang, &seed, "W_v", d, d);
        run(&lang, "f(X) = multi_head_attention(X, W_q, W_k, W_v)");
        run(&lang, "order = %s", text_string(&order));
        run(&lang, "a = f(X)[order]; b = f(X[order])");
        assert_equal_names(&lang, "a", "b", 1e-6);
        run(&lang, "Q = X @ W_q; a = attention(Q, X, X); b = attention(Q, X[order], X[order])");
        assert_equal_names(&lang, "a", "b", 1e-6);
        text_release(&order);
        lang_close(&lang);
    }
}

/* Under the causal mask no number of a token j changes an output before it, bit for bit; without
 * it, or from j on, it does. */
static void test_attention__future_does_not_leak(void **state)
{
    (void)state;
    uint64_t seed = 24;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        size_t n = testing_between(&seed, 2, 8), n_heads = testing_between(&seed, 1, 3);
        size_t d = n_heads * testing_between(&seed, 1, 4), j = testing_between(&seed, 1, n - 1);
        lang_open(&lang);
        bind_random(&lang, &seed, "X", n, d);
        bind_random(&lang, &seed, "W_q", d, d);
        bind_random(&lang, &seed, "W_k", d, d);
        bind_random(&lang, &seed, "W_v", d, d);
        run(&lang, "f(X) = multi_head_attention(X, W_q, W_k, W_v, n_heads=%zu, is_causal=True)",
            n_heads);
        run(&lang, "g(X) = multi_head_attention(X, W_q, W_k, W_v, n_heads=%zu)", n_heads);
        run(&lang, "a = f(X); open_a = g(X)");
        run(&lang, "X[%zu, %zu] = 3", j, testing_between(&seed, 0, d - 1));
        run(&lang, "b = f(X); open_b = g(X)");
        run(&lang, "a_past = a[:%zu]; b_past = b[:%zu]", j, j);
        assert_equal_names(&lang, "a_past", "b_past", 0);
        run(&lang, "moved = any(a[%zu] != b[%zu]); open_moved = any(open_a[0] != open_b[0])", j, j);
        assert_close(value_of(&lang, "moved")->data[0], 1, 0);
        assert_close(value_of(&lang, "open_moved")->data[0], 1, 0);
        lang_close(&lang);
    }
}

/* One token at a time, with the keys and values so far in a cache, gives what the whole gives. */
static void test_attention__incremental_is_whole(void **state)
{
    (void)state;
    uint64_t seed = 25;
    for (int i = 0; i < N_TRIES / 4; i++) {
        struct lang lang;
        size_t n = testing_between(&seed, 2, 7), d = testing_between(&seed, 1, 6);
        lang_open(&lang);
        bind_random(&lang, &seed, "Q", n, d);
        bind_random(&lang, &seed, "K", n, d);
        bind_random(&lang, &seed, "V", n, d);
        run(&lang, "whole = attention(Q, K, V, is_causal=True)");
        run(&lang, "keys = K[:1]; values = V[:1]; parts = attention(Q[:1], keys, values)");
        for (size_t t = 1; t < n; t++) {
            run(&lang, "keys = cat([keys, K[%zu:%zu]]); values = cat([values, V[%zu:%zu]])", t,
                t + 1, t, t + 1);
            run(&lang, "mask = causal_mask(1, %zu, offset=%zu)", t + 1, t);
            run(&lang, "parts = cat([parts, attention(Q[%zu:%zu], keys, values, mask)])", t, t + 1);
        }
        assert_equal_names(&lang, "parts", "whole", 0);
        lang_close(&lang);
    }
}

/* Heads. */

static void test_multi_head_attention__one_head_is_a_single_head(void **state)
{
    (void)state;
    uint64_t seed = 26;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        size_t n = testing_between(&seed, 1, 8), d_in = testing_between(&seed, 1, 6);
        size_t d_out = testing_between(&seed, 1, 6);
        const char *causal = coin(&seed) ? ", is_causal=True" : "";
        lang_open(&lang);
        bind_random(&lang, &seed, "X", n, d_in);
        bind_random(&lang, &seed, "W_q", d_in, d_out);
        bind_random(&lang, &seed, "W_k", d_in, d_out);
        bind_random(&lang, &seed, "W_v", d_in, d_out);
        run(&lang, "a = multi_head_attention(X, W_q, W_k, W_v, n_heads=1%s)", causal);
        run(&lang, "b = attention(X @ W_q, X @ W_k, X @ W_v%s)", causal);
        assert_equal_names(&lang, "a", "b", 0);
        lang_close(&lang);
    }
}

/* Each head by itself, from its own columns, put side by side. */
static void test_multi_head_attention__is_its_heads(void **state)
{
    (void)state;
    uint64_t seed = 27;
    for (int i = 0; i < N_TRIES / 2; i++) {
        struct lang lang;
        struct text heads = {0};
        size_t n = testing_between(&seed, 1, 6), n_heads = testing_between(&seed, 1, 4);
        size_t head_dim = testing_between(&seed, 1, 3), d = n_heads * head_dim;
        lang_open(&lang);
        bind_random(&lang, &seed, "X", n, d);
        bind_random(&lang, &seed, "W", d, d);
        bind_random(&lang, &seed, "W_out", d, d);
        run(&lang,
            "head(i) = attention(X @ W[:, i*%zu:(i+1)*%zu], X @ W.T[:, "
            "i*%zu:(i+1)*%zu], X[:, i*%zu:(i+1)*%zu])",
            head_dim, head_dim, head_dim, head_dim, head_dim, head_dim);
        for (size_t h = 0; h < n_heads; h++)
            text_format(&heads, "%shead(%zu)", h ? ", " : "", h);
        run(&lang, "a = multi_head_attention(X, W, W.T, eye(%zu), n_heads=%zu, W_out=W_out)", d,
            n_heads);
        run(&lang, "b = cat([%s], dim=-1) @ W_out", text_string(&heads));
        assert_equal_names(&lang, "a", "b", 1e-6);
        run(&lang, "c = merge_heads(split_heads(X, %zu))", n_heads);
        assert_equal_names(&lang, "c", "X", 0);
        text_release(&heads);
        lang_close(&lang);
    }
}

/* Algebra on random shapes. */

static void test_language__broadcasting_is_repeating(void **state)
{
    (void)state;
    static const char operators[] = "+-*/";
    uint64_t seed = 28;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        size_t full[3], own[2][3];
        for (unsigned axis = 0; axis < 3; axis++) {
            full[axis] = testing_between(&seed, 1, 4);
            bool left_repeats = coin(&seed), right_repeats = !left_repeats && coin(&seed);
            own[0][axis] = left_repeats ? 1 : full[axis];
            own[1][axis] = right_repeats ? 1 : full[axis];
        }
        unsigned missing = (unsigned)testing_between(&seed, 0, 2);
        struct tensor x = testing_random_tensor(&seed, 3, own[0]);
        struct tensor y = testing_random_tensor(&seed, 3 - missing, own[1] + missing);
        char sign = operators[testing_between(&seed, 0, 3)];
        lang_open(&lang);
        bind(&lang, "x", &x);
        bind(&lang, "y", &y);
        run(&lang, "a = x %c y; s = a.shape", sign);
        run(&lang, "b = x.expand(s) %c y.expand(s)", sign);
        assert_equal_names(&lang, "a", "b", 0);
        tensor_release(&x);
        tensor_release(&y);
        lang_close(&lang);
    }
}

static void test_language__products_of_matrices(void **state)
{
    (void)state;
    uint64_t seed = 29;
    for (int i = 0; i < N_TRIES; i++) {
        struct lang lang;
        size_t n = testing_between(&seed, 1, 6), k = testing_between(&seed, 1, 6);
        size_t m = testing_between(&seed, 1, 6);
        lang_open(&lang);
        bind_random(&lang, &seed, "A", n, k);
        bind_random(&lang, &seed, "B", k, m);
        bind_random(&lang, &seed, "C", k, m);
        run(&lang, "a = (A @ B).T; b = B.T @ A.T");
        assert_equal_names(&lang, "a", "b", 0);
        run(&lang, "a = A @ (B + C); b = A @ B + A @ C");
        assert_equal_names(&lang, "a", "b", 2e-6);
        run(&lang, "a = A @ B; b = sum(A.unsqueeze(2) * B.unsqueeze(0), dim=1)");
        assert_equal_names(&lang, "a", "b", 2e-6);
        lang_close(&lang);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attention__is_the_library),
        cmocka_unit_test(test_softmax__rows_sum_to_one),
        cmocka_unit_test(test_attention__does_not_know_the_order),
        cmocka_unit_test(test_attention__future_does_not_leak),
        cmocka_unit_test(test_attention__incremental_is_whole),
        cmocka_unit_test(test_multi_head_attention__one_head_is_a_single_head),
        cmocka_unit_test(test_multi_head_attention__is_its_heads),
        cmocka_unit_test(test_language__broadcasting_is_repeating),
        cmocka_unit_test(test_language__products_of_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
