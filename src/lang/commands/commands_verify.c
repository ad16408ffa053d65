/* verify: which checks there are, and their arguments. */
#include <stdio.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "graph/node.h"
#include "lang/commands/command_internal.h"
#include "lang/session/eval.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"
#include "verify/verify.h"

enum { CHECK_MAX_PARAMS = 8 };

/* The kinds of arguments. */
enum param_kind {
    PARAM_TENSOR,
    PARAM_NUMBER, /* a tensor of one number */
    PARAM_FLAG,
};

struct verify_param {
    const char *name;
    enum param_kind kind;
};

typedef bool run_check(struct node *const *tensors, const bool *flags,
                       const struct verify_options *options, struct doc *out, struct error *reterr);

struct verify_check {
    const char *name, *usage;
    size_t n_needed; /* parameters without a default */
    struct verify_param params[CHECK_MAX_PARAMS];
    run_check *run;
};

static bool run_weights(struct node *const *t, const bool *flags,
                        const struct verify_options *options, struct doc *out, struct error *reterr)
{
    struct verify_weights given = {.weights = t[0], .is_causal = flags[1], .attn_mask = t[2]};
    return verify_weights(&given, options, out, reterr);
}

static bool run_attention(struct node *const *t, const bool *flags,
                          const struct verify_options *options, struct doc *out,
                          struct error *reterr)
{
    struct verify_attention given = {.query = t[0],
                                     .key = t[1],
                                     .value = t[2],
                                     .context = t[3],
                                     .attn_mask = t[4],
                                     .is_causal = flags[5],
                                     .scale = t[6]};
    return verify_attention(&given, options, out, reterr);
}

static bool run_multihead(struct node *const *t, const bool *flags,
                          const struct verify_options *options, struct doc *out,
                          struct error *reterr)
{
    struct verify_multihead given = {.x = t[0],
                                     .w_query = t[1],
                                     .w_key = t[2],
                                     .w_value = t[3],
                                     .w_out = t[4],
                                     .n_heads = t[5],
                                     .is_causal = flags[6],
                                     .context = t[7]};
    return verify_multihead(&given, options, out, reterr);
}

static const struct verify_check checks[] = {
    {"weights",
     "verify weights W, is_causal=False, attn_mask=None",
     1,
     {{"W", PARAM_TENSOR}, {"is_causal", PARAM_FLAG}, {"attn_mask", PARAM_TENSOR}},
     run_weights},
    {"attention",
     "verify attention Q, K, V, context, attn_mask=None, is_causal=False, scale=None",
     4,
     {{"Q", PARAM_TENSOR},
      {"K", PARAM_TENSOR},
      {"V", PARAM_TENSOR},
      {"context", PARAM_TENSOR},
      {"attn_mask", PARAM_TENSOR},
      {"is_causal", PARAM_FLAG},
      {"scale", PARAM_NUMBER}},
     run_attention},
    {"multihead",
     "verify multihead X, W_q, W_k, W_v, W_o, n_heads, is_causal=False, context=None",
     6,
     {{"X", PARAM_TENSOR},
      {"W_q", PARAM_TENSOR},
      {"W_k", PARAM_TENSOR},
      {"W_v", PARAM_TENSOR},
      {"W_o", PARAM_TENSOR},
      {"n_heads", PARAM_NUMBER},
      {"is_causal", PARAM_FLAG},
      {"context", PARAM_TENSOR}},
     run_multihead},
};
enum { N_CHECKS = COUNT_OF(checks) };

const char *command_verify_kind(size_t i)
{
    return i < N_CHECKS ? checks[i].name : NULL;
}

static const struct verify_check *find_check(const struct expr *kind, struct error *reterr)
{
    char shown[40], best[64] = "";
    const char *bytes = kind->as.text.bytes;
    size_t size = kind->as.text.size;
    struct suggestion suggestion;
    suggestion_init(&suggestion, bytes, size);
    for (size_t i = 0; i < N_CHECKS; i++) {
        if (text_equals(bytes, size, checks[i].name))
            return &checks[i];
        suggestion_try(&suggestion, checks[i].name);
    }
    if (suggestion.best[0] != '\0')
        snprintf(best, sizeof best, "did you mean %.40s? ", suggestion.best);
    error_set(reterr, ERR_NAME,
              "verify %s: there is no such check; %sthere are weights, attention and multihead, as "
              "in verify weights W",
              error_quote(shown, sizeof shown, bytes, size), best);
    expr_place_error(kind, reterr);
    return NULL;
}

/* Which parameter an argument is for: the next one, or the one it names. False when there is no
 * such parameter, or it has its argument already. */
static bool find_param(const struct verify_check *check, const struct argument *argument, size_t at,
                       const bool *given, size_t *ret, struct error *reterr)
{
    char shown[40];
    *ret = at;
    for (size_t i = 0; argument->keyword != NULL && i < CHECK_MAX_PARAMS; i++)
        if (check->params[i].name != NULL &&
            text_equals(argument->keyword, argument->keyword_size, check->params[i].name)) {
            *ret = i;
            return !given[i] || error_set(reterr, ERR_TYPE, "verify %s: %s is given twice",
                                          check->name, check->params[i].name);
        }
    if (argument->keyword != NULL)
        return error_set(
            reterr, ERR_TYPE, "verify %s: it has no argument %s; write %s", check->name,
            error_quote(shown, sizeof shown, argument->keyword, argument->keyword_size),
            check->usage);
    return (at < CHECK_MAX_PARAMS && check->params[at].name != NULL) ||
           error_set(reterr, ERR_TYPE, "verify %s: there are too many arguments; write %s",
                     check->name, check->usage);
}

/* An argument's tensor, or NULL for None; a flag's truth goes to *ret_flag. */
static bool read_argument(struct session *session, const struct verify_param *param,
                          const struct expr *expr, struct node **ret, bool *ret_flag,
                          struct error *reterr)
{
    struct value value;
    if (!expr_eval(session, expr, &value, reterr))
        return false;
    if (value.kind == VALUE_NONE)
        return true;
    *ret = value_to_node(&session->graph, &value, param->name, reterr);
    value_release(&value);
    if (*ret == NULL)
        return false;
    const struct tensor *x = &(*ret)->value;
    float number = tensor_size(x) == 1 ? tensor_at_position(x, 0) : -1;
    if (param->kind == PARAM_NUMBER && tensor_size(x) != 1)
        return error_set(reterr, ERR_TYPE, "verify: %s must be a single number", param->name);
    if (param->kind == PARAM_FLAG && number != 0 && number != 1)
        return error_set(reterr, ERR_TYPE, "verify: %s must be True or False", param->name);
    *ret_flag = param->kind == PARAM_FLAG && number == 1;
    return true;
}

static bool read_arguments(struct session *session, const struct verify_check *check,
                           const struct expr *call, struct node **tensors, bool *flags,
                           struct error *reterr)
{
    bool given[CHECK_MAX_PARAMS] = {false}, named = false;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct argument *argument = &call->as.call.arguments[i];
        size_t at;
        if (named && argument->keyword == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: arguments without a name come first",
                             check->name) ||
                   expr_place_error(argument->value, reterr);
        named = argument->keyword != NULL;
        if (!find_param(check, argument, i, given, &at, reterr) ||
            !read_argument(session, &check->params[at], argument->value, &tensors[at], &flags[at],
                           reterr))
            return expr_place_error(argument->value, reterr);
        given[at] = true;
    }
    for (size_t i = 0; i < check->n_needed; i++)
        if (tensors[i] == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: %s is missing; write %s", check->name,
                             check->params[i].name, check->usage);
    return true;
}

COMMAND(command_verify)
{
    const struct expr *call = statement->arguments[0];
    const struct verify_check *check = find_check(call->object, reterr);
    struct node *tensors[CHECK_MAX_PARAMS] = {NULL};
    bool flags[CHECK_MAX_PARAMS] = {false};
    struct verify_options options = {.width_cols = session->settings.width_cols,
                                     .digits = session->settings.digits,
                                     .stop = session->graph.stop};
    bool ok = check != NULL && read_arguments(session, check, call, tensors, flags, reterr) &&
              check->run(tensors, flags, &options, out, reterr);
    for (size_t i = 0; i < CHECK_MAX_PARAMS; i++)
        node_free(tensors[i]);
    return ok;
}
