/* Self-attention with one head: see self_attention.h. */
#include "attention/self_attention.h"

#include "attention/attention.h"
#include "attention/linear.h"

bool self_attention_plain(const struct tensor *x, const volatile sig_atomic_t *stop,
                          struct tensor *ret_context, struct tensor *ret_weights,
                          struct error *reterr)
{
    struct attention_input input = {
        .query = x,
        .key = x,
        .value = x,
        .has_scale = true,
        .scale = 1,
    };
    return attention_forward(&input, stop, ret_context, ret_weights, reterr);
}

bool self_attention_forward(const struct self_attention *head, const struct tensor *x,
                            const volatile sig_atomic_t *stop, struct tensor *ret_out,
                            struct tensor *ret_weights, struct error *reterr)
{
    struct tensor query = {0}, key = {0}, value = {0}, context = {0}, weights = {0};
    struct attention_input input = {
        .query = &query,
        .key = &key,
        .value = &value,
        .causal = head->causal,
    };
    bool ok = linear_forward(x, head->w_query, NULL, stop, &query, reterr) &&
              linear_forward(x, head->w_key, NULL, stop, &key, reterr) &&
              linear_forward(x, head->w_value, NULL, stop, &value, reterr) &&
              attention_forward(&input, stop, &context, ret_weights ? &weights : NULL, reterr);
    if (ok && head->w_out != NULL)
        ok = linear_forward(&context, head->w_out, NULL, stop, ret_out, reterr);
    else if (ok)
        *ret_out = tensor_share(&context);
    if (ok && ret_weights != NULL)
        *ret_weights = tensor_share(&weights);
    tensor_release(&query);
    tensor_release(&key);
    tensor_release(&value);
    tensor_release(&context);
    tensor_release(&weights);
    return ok;
}
