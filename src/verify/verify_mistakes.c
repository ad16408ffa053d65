/* See verify_mistakes.h. A recipe says for each aspect of the computation how it is done, 0 being
 * right; a mistake is another choice for one aspect. */
#include "verify/verify_mistakes.h"

#include <math.h>
#include <string.h>

#include "attention/mask.h"
#include "attention/multihead.h"
#include "attention/softmax.h"
#include "base/array.h"
#include "tensor/elementwise.h"
#include "tensor/matmul.h"

/* Multiplications that looking for two mistakes at once may take for each of some hundred pairs. */
static const double PAIRS_MAX_WORK = 1e6;

enum aspect { SPLIT, SCALE, MASK_KIND, MASK_TIME, SOFTMAX, ROLES, MERGE, OUT, N_ASPECTS };

enum { SPLIT_FLAT = 1, SPLIT_ONE };
enum { SCALE_NONE = 1, SCALE_ROOT, SCALE_LINEAR, SCALE_TIMES, SCALE_MODEL, SCALE_INVERSE };
enum { KIND_CAUSAL = 1, KIND_STRICT, KIND_LOOSE, KIND_REVERSED, KIND_INVERTED };
enum { TIME_NEVER = 1, TIME_AFTER, TIME_AS_ZERO };
enum { SOFTMAX_QUERIES = 1, SOFTMAX_NONE };
enum { ROLES_TRANSPOSED = 1, ROLES_EXCHANGED, ROLES_KEYS };
enum { MERGE_FLAT = 1 };
enum { OUT_NONE = 1 };

/* The conditions under which a mistake is possible. */
enum needs {
    NEEDS_NOTHING = 0,
    NEEDS_MASK = 1,          /* a mask of any kind, or causality */
    NEEDS_CAUSAL = 2,        /* is_causal */
    NEEDS_NO_CAUSAL = 4,     /* not that */
    NEEDS_BOOL = 8,          /* a boolean mask */
    NEEDS_SQUARE = 16,       /* as many queries as keys */
    NEEDS_EQUAL_WIDTHS = 32, /* keys as wide as values */
    NEEDS_HEADS = 64,        /* more than one */
    NEEDS_OUT = 128,         /* W_o that keeps the width */
    NEEDS_OWN_SCALE = 256,   /* scale= was given */
    NEEDS_ROOT_SCALE = 512,  /* it was not */
};

static const struct mistake {
    enum aspect aspect;
    int choice;
    unsigned needs;
    const char *text;
} mistakes[] = {
    {SCALE, SCALE_NONE, NEEDS_ROOT_SCALE, "the scores are not divided by sqrt(d_k)"},
    {SCALE, SCALE_NONE, NEEDS_OWN_SCALE, "scale is left out"},
    {SCALE, SCALE_ROOT, NEEDS_OWN_SCALE,
     "the scores are divided by sqrt(d_k), where scale asks for another factor"},
    {SCALE, SCALE_INVERSE, NEEDS_OWN_SCALE, "the scores are divided by scale, not multiplied"},
    {SCALE, SCALE_LINEAR, NEEDS_ROOT_SCALE, "the scores are divided by d_k, not by sqrt(d_k)"},
    {SCALE, SCALE_MODEL, NEEDS_ROOT_SCALE | NEEDS_HEADS,
     "the scores are divided by sqrt(d_model), not by sqrt(head_dim)"},
    {SCALE, SCALE_TIMES, NEEDS_ROOT_SCALE, "the scores are multiplied by sqrt(d_k), not divided"},
    {SOFTMAX, SOFTMAX_QUERIES, NEEDS_NOTHING,
     "softmax runs over the queries (dim=-2), not over the keys (dim=-1)"},
    {MASK_TIME, TIME_NEVER, NEEDS_MASK, "the mask is left out"},
    {MASK_TIME, TIME_AFTER, NEEDS_MASK,
     "the mask comes after softmax, so that rows no longer sum to 1"},
    {MASK_TIME, TIME_AS_ZERO, NEEDS_MASK,
     "hidden scores are set to 0, not to -inf, before softmax"},
    {MASK_KIND, KIND_CAUSAL, NEEDS_NO_CAUSAL,
     "a causal mask is applied, as is_causal=True asks for"},
    {MASK_KIND, KIND_STRICT, NEEDS_CAUSAL,
     "the causal mask hides the diagonal too, so that no token sees itself"},
    {MASK_KIND, KIND_LOOSE, NEEDS_CAUSAL, "the causal mask starts one place too late"},
    {MASK_KIND, KIND_REVERSED, NEEDS_CAUSAL, "the causal mask hides the past, not the future"},
    {MASK_KIND, KIND_INVERTED, NEEDS_BOOL,
     "the mask is read the wrong way round: True means may attend"},
    {SOFTMAX, SOFTMAX_NONE, NEEDS_NOTHING, "softmax is left out"},
    {ROLES, ROLES_TRANSPOSED, NEEDS_SQUARE, "the weights are transposed"},
    {ROLES, ROLES_EXCHANGED, NEEDS_SQUARE, "Q and K are exchanged"},
    {ROLES, ROLES_KEYS, NEEDS_EQUAL_WIDTHS, "the weights mix K, not V"},
    {OUT, OUT_NONE, NEEDS_OUT, "W_o is left out"},
    {SPLIT, SPLIT_ONE, NEEDS_HEADS, "there is one head that takes all columns"},
    {SPLIT, SPLIT_FLAT, NEEDS_HEADS,
     "the columns are reshaped to (n_heads, n, head_dim) at once; reshape to (n, n_heads, "
     "head_dim), then exchange the first two axes"},
    {MERGE, MERGE_FLAT, NEEDS_HEADS,
     "the heads are joined by reshape alone; exchange the axes of heads and tokens back first"},
};
enum { N_MISTAKES = COUNT_OF(mistakes) };

struct recipe {
    int choice[N_ASPECTS];
};

/* ---- steps: each replaces *x by its result, or leaves it and returns false ---- */

static bool replace(struct tensor *x, bool made_it, const struct tensor *made)
{
    if (!made_it)
        return false;
    tensor_release(x);
    *x = *made;
    return true;
}

static size_t size_from_last(const struct tensor *x, unsigned from_last)
{
    return x->shape[x->n_axes - from_last];
}

static bool multiply(struct tensor *x, double factor, struct error *reterr)
{
    struct tensor number = {0}, made;
    bool ok = tensor_scalar((float)factor, &number, reterr) &&
              tensor_binary(BINARY_MUL, x, &number, &made, reterr);
    tensor_release(&number);
    return replace(x, ok, &made);
}

/* x, but `number` where bias is -inf. */
static bool fill_hidden(struct tensor *x, const struct tensor *bias, float number,
                        struct error *reterr)
{
    struct tensor minus_inf = {0}, filling = {0}, hidden = {0}, made;
    bool ok = tensor_scalar(-INFINITY, &minus_inf, reterr) &&
              tensor_scalar(number, &filling, reterr) &&
              tensor_binary(BINARY_EQ, bias, &minus_inf, &hidden, reterr) &&
              tensor_where(&hidden, &filling, x, &made, reterr);
    tensor_release(&minus_inf);
    tensor_release(&filling);
    tensor_release(&hidden);
    return replace(x, ok, &made);
}

static bool causal_bias(int kind, size_t n_q, size_t n_k, struct tensor *ret, struct error *reterr)
{
    ptrdiff_t offset = kind == KIND_STRICT ? -1 : kind == KIND_LOOSE ? 1 : 0;
    if (kind != KIND_REVERSED)
        return mask_causal(n_q, n_k, offset, MASK_ADDITIVE, ret, reterr);
    if (!tensor_zeros(2, (size_t[]){n_q, n_k}, ret, reterr))
        return false;
    for (size_t i = 0; i < n_q; i++) /* key j comes before query i */
        for (size_t j = 0; j < i && j < n_k; j++)
            ret->data[i * n_k + j] = -INFINITY;
    return true;
}

/* Everything that hides keys as one additive mask; empty where there is nothing. */
static bool make_bias(const struct mistake_input *input, const struct recipe *recipe, size_t n_q,
                      size_t n_k, struct tensor *ret, struct error *reterr)
{
    int kind = recipe->choice[MASK_KIND];
    struct tensor causal = {0}, made;
    *ret = (struct tensor){0};
    if (recipe->choice[MASK_TIME] == TIME_NEVER)
        return true;
    bool is_causal = input->is_causal || kind == KIND_CAUSAL;
    enum mask_kind means = input->mask == NULL || !input->mask->is_bool ? MASK_ADDITIVE
                           : kind == KIND_INVERTED                      ? MASK_MASKED_OUT
                                                                        : MASK_MAY_ATTEND;
    bool ok = (!is_causal || causal_bias(kind, n_q, n_k, &causal, reterr)) &&
              (input->mask == NULL || mask_convert(input->mask, means, MASK_ADDITIVE, ret, reterr));
    if (ok && is_causal && input->mask != NULL)
        ok = replace(ret, mask_join(&causal, ret, MASK_ADDITIVE, &made, reterr), &made);
    else if (ok && is_causal)
        *ret = tensor_share(&causal);
    tensor_release(&causal);
    return ok;
}

static double scale_of(const struct mistake_input *input, const struct recipe *recipe, double d_k)
{
    switch (recipe->choice[SCALE]) {
    case SCALE_NONE:
        return 1;
    case SCALE_ROOT:
        return 1 / sqrt(d_k);
    case SCALE_LINEAR:
        return 1 / d_k;
    case SCALE_TIMES:
        return sqrt(d_k);
    case SCALE_MODEL:
        return 1 / sqrt(d_k * (double)input->n_heads);
    case SCALE_INVERSE:
        return 1 / input->scale;
    default:
        return input->has_scale ? input->scale : 1 / sqrt(d_k);
    }
}

/* scores = query key^T, scaled */
static bool score(const struct mistake_input *input, const struct recipe *recipe,
                  const struct tensor *query, const struct tensor *key, struct tensor *ret,
                  struct error *reterr)
{
    bool exchanged = recipe->choice[ROLES] == ROLES_EXCHANGED;
    const struct tensor *left = exchanged ? key : query, *right = exchanged ? query : key;
    struct tensor turned = tensor_transpose(right, right->n_axes - 2, right->n_axes - 1);
    bool ok = tensor_matmul(left, &turned, input->stop, ret, reterr);
    tensor_release(&turned);
    return ok && multiply(ret, scale_of(input, recipe, (double)size_from_last(query, 1)), reterr);
}

/* From scaled scores to weights, with the mask before, after or as zeros. */
static bool weigh(const struct recipe *recipe, const struct tensor *bias, struct tensor *x,
                  struct error *reterr)
{
    int time = recipe->choice[MASK_TIME], over = recipe->choice[SOFTMAX];
    bool has_bias = bias->storage != NULL, ok = true;
    struct tensor made;
    if (has_bias && time == TIME_AS_ZERO)
        ok = fill_hidden(x, bias, 0, reterr);
    else if (has_bias && time != TIME_AFTER)
        ok = replace(x, tensor_binary(BINARY_ADD, x, bias, &made, reterr), &made) &&
             fill_hidden(x, bias, -INFINITY, reterr); /* also where the score is NaN */
    if (ok && over != SOFTMAX_NONE)
        ok =
            replace(x, softmax_weights(x, over == SOFTMAX_QUERIES ? -2 : -1, &made, reterr), &made);
    return ok && (!has_bias || time != TIME_AFTER || fill_hidden(x, bias, 0, reterr));
}

/* context = weights value */
static bool mix(const struct mistake_input *input, const struct recipe *recipe,
                const struct tensor *weights, const struct tensor *key, const struct tensor *value,
                struct tensor *ret, struct error *reterr)
{
    int roles = recipe->choice[ROLES];
    unsigned n = weights->n_axes;
    struct tensor used =
        roles == ROLES_TRANSPOSED ? tensor_transpose(weights, n - 2, n - 1) : tensor_share(weights);
    bool ok =
        tensor_weighted_sum(&used, roles == ROLES_KEYS ? key : value, input->stop, ret, reterr);
    tensor_release(&used);
    return ok;
}

static bool attend(const struct mistake_input *input, const struct recipe *recipe,
                   const struct tensor *query, const struct tensor *key, const struct tensor *value,
                   struct tensor *ret, struct error *reterr)
{
    struct tensor weights = {0}, bias = {0};
    bool ok =
        score(input, recipe, query, key, &weights, reterr) &&
        make_bias(input, recipe, size_from_last(query, 2), size_from_last(key, 2), &bias, reterr) &&
        weigh(recipe, &bias, &weights, reterr) &&
        mix(input, recipe, &weights, key, value, ret, reterr);
    tensor_release(&weights);
    tensor_release(&bias);
    return ok;
}

/* ---- heads ---- */

static bool split(const struct mistake_input *input, const struct recipe *recipe,
                  const struct tensor *x, struct tensor *ret, struct error *reterr)
{
    int how = recipe->choice[SPLIT];
    unsigned n = x->n_axes;
    size_t shape[TENSOR_MAX_AXES];
    if (how != SPLIT_FLAT)
        return heads_split(x, how == SPLIT_ONE ? 1 : input->n_heads, ret, reterr);
    memcpy(shape, x->shape, (n - 2) * sizeof *shape);
    shape[n - 2] = input->n_heads;
    shape[n - 1] = size_from_last(x, 2);
    shape[n] = size_from_last(x, 1) / input->n_heads;
    return tensor_reshape(x, n + 1, shape, ret, reterr);
}

static bool merge(const struct recipe *recipe, const struct tensor *x, struct tensor *ret,
                  struct error *reterr)
{
    unsigned n = x->n_axes;
    size_t shape[TENSOR_MAX_AXES];
    if (recipe->choice[MERGE] != MERGE_FLAT)
        return heads_merge(x, ret, reterr);
    memcpy(shape, x->shape, (n - 3) * sizeof *shape);
    shape[n - 3] = size_from_last(x, 2);
    shape[n - 2] = size_from_last(x, 3) * size_from_last(x, 1);
    return tensor_reshape(x, n - 1, shape, ret, reterr);
}

static bool attend_in_heads(const struct mistake_input *input, const struct recipe *recipe,
                            struct tensor *ret, struct error *reterr)
{
    struct tensor query = {0}, key = {0}, value = {0}, heads = {0}, joined = {0};
    bool ok = split(input, recipe, input->query, &query, reterr) &&
              split(input, recipe, input->key, &key, reterr) &&
              split(input, recipe, input->value, &value, reterr) &&
              attend(input, recipe, &query, &key, &value, &heads, reterr) &&
              merge(recipe, &heads, &joined, reterr);
    if (ok && input->w_out != NULL && recipe->choice[OUT] != OUT_NONE)
        ok = tensor_matmul(&joined, input->w_out, input->stop, ret, reterr);
    else if (ok)
        *ret = tensor_share(&joined);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    tensor_release(&heads);
    tensor_release(&joined);
    return ok;
}

static bool follow(const struct mistake_input *input, const struct recipe *recipe,
                   struct tensor *ret, struct error *reterr)
{
    return input->n_heads > 0
               ? attend_in_heads(input, recipe, ret, reterr)
               : attend(input, recipe, input->query, input->key, input->value, ret, reterr);
}

/* ---- the search ---- */

static unsigned conditions_of(const struct mistake_input *input)
{
    unsigned has = input->has_scale ? NEEDS_OWN_SCALE : NEEDS_ROOT_SCALE;
    has |= input->is_causal ? NEEDS_CAUSAL | NEEDS_MASK : NEEDS_NO_CAUSAL;
    if (input->mask != NULL)
        has |= NEEDS_MASK | (input->mask->is_bool ? NEEDS_BOOL : 0U);
    if (size_from_last(input->query, 2) == size_from_last(input->key, 2))
        has |= NEEDS_SQUARE;
    if (size_from_last(input->key, 1) == size_from_last(input->value, 1))
        has |= NEEDS_EQUAL_WIDTHS;
    if (input->n_heads > 1)
        has |= NEEDS_HEADS;
    if (input->w_out != NULL && input->w_out->shape[0] == input->w_out->shape[1])
        has |= NEEDS_OUT;
    return has;
}

/* Whether both agree in all finite numbers of context. */
static bool agree(const struct tensor *context, const struct tensor *tried, double tolerance)
{
    if (!tensor_same_shape(context, tried))
        return false;
    for (size_t i = 0, n = tensor_size(context); i < n; i++) {
        float got = tensor_at_position(context, i);
        double away = fabs((double)got - (double)tensor_at_position(tried, i));
        if (isfinite(got) && !(away <= tolerance))
            return false;
    }
    return true;
}

/* Mistake number `first` alone, then with each later one that concerns another aspect. */
static bool try_with(const struct mistake_input *input, const struct tensor *context,
                     double tolerance, size_t first, bool pairs, const char **ret_what,
                     const char **ret_also, struct error *reterr)
{
    unsigned has = conditions_of(input);
    for (size_t second = pairs ? first + 1 : first; second < (pairs ? N_MISTAKES : first + 1);
         second++) {
        const struct mistake *a = &mistakes[first], *b = &mistakes[second];
        struct recipe recipe = {{0}};
        struct tensor tried;
        if ((b->needs & ~has) != 0 || (pairs && a->aspect == b->aspect))
            continue;
        recipe.choice[a->aspect] = a->choice;
        recipe.choice[b->aspect] = b->choice;
        if (!follow(input, &recipe, &tried, reterr))
            return false;
        bool agrees = agree(context, &tried, tolerance);
        tensor_release(&tried);
        if (agrees) {
            *ret_what = a->text;
            *ret_also = pairs ? b->text : NULL;
            return true;
        }
    }
    return true;
}

bool mistake_find(const struct mistake_input *input, const struct tensor *context, double tolerance,
                  const char **ret_what, const char **ret_also, struct error *reterr)
{
    unsigned has = conditions_of(input);
    /* Multiplications of one attempt, roughly. */
    double work = (double)tensor_size(input->query) * (double)size_from_last(input->key, 2);
    bool ok = true, may_pair = work <= PAIRS_MAX_WORK;
    *ret_what = *ret_also = NULL;
    for (int pairs = 0; pairs <= (may_pair ? 1 : 0); pairs++)
        for (size_t i = 0; ok && *ret_what == NULL && i < N_MISTAKES; i++)
            if ((mistakes[i].needs & ~has) == 0)
                ok = try_with(input, context, tolerance, i, pairs == 1, ret_what, ret_also, reterr);
    return ok;
}
