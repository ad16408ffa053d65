/* Masks in the three conventions: see mask.h. */
#include "attention/mask.h"

#include <math.h>

#include "tensor/elementwise.h"

/* From here on down, an additive number is so large that it is meant as a mask, not as a shift. */
static const float MEANT_TO_HIDE = -1e6f;

static bool is_boolean(enum mask_kind kind)
{
    return kind != MASK_ADDITIVE;
}

/* The number that hides a key, or leaves it, in a mask of this kind. */
static float mask_number(enum mask_kind kind, bool hides)
{
    switch (kind) {
    case MASK_ADDITIVE:
        return hides ? -INFINITY : 0;
    case MASK_MAY_ATTEND:
        return hides ? 0 : 1;
    case MASK_MASKED_OUT:
        break;
    }
    return hides ? 1 : 0;
}

static bool hides_key(enum mask_kind kind, float number)
{
    switch (kind) {
    case MASK_ADDITIVE:
        return number == -INFINITY;
    case MASK_MAY_ATTEND:
        return number == 0;
    case MASK_MASKED_OUT:
        break;
    }
    return number != 0;
}

float mask_apply(enum mask_kind kind, float number, float score)
{
    if (hides_key(kind, number))
        return -INFINITY;
    return kind == MASK_ADDITIVE ? score + number : score;
}

static bool check_zeros_and_ones(const struct tensor *mask, struct error *reterr)
{
    size_t size = tensor_size(mask);
    for (size_t at = 0; at < size; at++) {
        float number = tensor_at_position(mask, at);
        if (number != 0 && number != 1)
            return error_set(reterr, ERR_TYPE,
                             "mask: a boolean mask holds only 0 and 1, and this one holds %g; is "
                             "it an additive mask (0 and -inf)?",
                             (double)number);
    }
    return true;
}

bool mask_check(const struct tensor *mask, enum mask_kind kind, struct error *reterr)
{
    if (is_boolean(kind))
        return mask->is_bool || check_zeros_and_ones(mask, reterr);
    if (mask->is_bool)
        return error_set(reterr, ERR_TYPE,
                         "mask: true and false can't be added to scores: true would raise a score "
                         "by 1 and hide nothing; say whether true means \"may attend\" or "
                         "\"masked out\"");
    return true;
}

/* Says why this number of an additive mask is neither true nor false. */
static bool not_boolean(float number, struct error *reterr)
{
    if (!(number <= MEANT_TO_HIDE))
        return error_set(reterr, ERR_RANGE,
                         "mask: %g shifts a score and hides nothing, so a boolean mask can't say "
                         "it; only 0 (leaves a key) and -inf (hides it) convert",
                         (double)number);
    double spacing = (double)nextafterf(number, 0) - (double)number;
    return error_set(reterr, ERR_RANGE,
                     "mask: %g is finite, it is not -inf: in float32 a score of less than %.2g "
                     "is swallowed when it is added, and a row that is masked throughout gets "
                     "uniform weights instead of zeros; write -inf to hide a key",
                     (double)number, spacing / 2);
}

bool mask_convert(const struct tensor *mask, enum mask_kind from, enum mask_kind to,
                  struct tensor *ret, struct error *reterr)
{
    struct tensor made;
    if (!mask_check(mask, from, reterr) || !tensor_copy(mask, &made, reterr))
        return false;
    size_t size = tensor_size(mask);
    for (size_t at = 0; from != to && at < size; at++) {
        float number = made.data[at];
        bool hides = hides_key(from, number);
        if (from == MASK_ADDITIVE && !hides && number != 0) {
            tensor_release(&made);
            return not_boolean(number, reterr);
        }
        made.data[at] = mask_number(to, hides);
    }
    made.is_bool = is_boolean(to);
    *ret = made;
    return true;
}

bool mask_join(const struct tensor *a, const struct tensor *b, enum mask_kind kind,
               struct tensor *ret, struct error *reterr)
{
    static const enum binary both[] = {
        [MASK_ADDITIVE] = BINARY_ADD,
        [MASK_MAY_ATTEND] = BINARY_AND,
        [MASK_MASKED_OUT] = BINARY_OR,
    };
    return mask_check(a, kind, reterr) && mask_check(b, kind, reterr) &&
           tensor_binary(both[kind], a, b, NULL, ret, reterr);
}

bool mask_causal(size_t n_q, size_t n_k, ptrdiff_t offset, enum mask_kind kind, struct tensor *ret,
                 struct error *reterr)
{
    if (!tensor_zeros(2, (size_t[]){n_q, n_k}, ret, reterr))
        return false;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            bool hides = (ptrdiff_t)j - (ptrdiff_t)i > offset;
            ret->data[i * n_k + j] = mask_number(kind, hides);
        }
    ret->is_bool = is_boolean(kind);
    return true;
}

static bool check_lengths(size_t n_batch, const size_t *lengths, size_t n_k, struct error *reterr)
{
    for (size_t b = 0; b < n_batch; b++)
        if (lengths[b] > n_k)
            return error_set(reterr, ERR_RANGE,
                             "padding mask: batch entry %zu is to have %zu valid keys, and there "
                             "are only %zu",
                             b, lengths[b], n_k);
    return true;
}

bool mask_padding(size_t n_batch, const size_t *lengths, size_t n_k, enum mask_kind kind,
                  struct tensor *ret, struct error *reterr)
{
    if (!check_lengths(n_batch, lengths, n_k, reterr) ||
        !tensor_zeros(4, (size_t[]){n_batch, 1, 1, n_k}, ret, reterr))
        return false;
    for (size_t b = 0; b < n_batch; b++)
        for (size_t j = 0; j < n_k; j++)
            ret->data[b * n_k + j] = mask_number(kind, j >= lengths[b]);
    ret->is_bool = is_boolean(kind);
    return true;
}
