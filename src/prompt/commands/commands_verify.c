/* verify: which checks there are, and their arguments. */
#include <stdio.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "graph/node.h"
#include "commands/command_internal.h"
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

/* Parameters of multihead that take each other's places. */
enum { MULTIHEAD_N_HEADS = 4, MULTIHEAD_W_OUT = 5 };

static bool run_multihead(struct node *const *t, const bool *flags,
                          const struct verify_options *options, struct doc *out,
                          struct error *reterr)
{
    struct verify_multihead given = {.x = t[0],
                                     .w_query = t[1],
                                     .w_key = t[2],
                                     .w_value = t[3],
                                     .n_heads = t[MULTIHEAD_N_HEADS],
                                     .w_out = t[MULTIHEAD_W_OUT],
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
     "verify multihead X, W_q, W_k, W_v, n_heads, W_o, is_causal=False, context=None",
     6,
     {{"X", PARAM_TENSOR},
      {"W_q", PARAM_TENSOR},
      {"W_k", PARAM_TENSOR},
      {"W_v", PARAM_TENSOR},
      {"n_heads", PARAM_NUMBER},
      {"W_o", PARAM_TENSOR},
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
 * such parameter. */
static bool find_param(const struct verify_check *check, const struct argument *argument, size_t at,
                       size_t *ret, struct error *reterr)
{
    char shown[40];
    *ret = at;
    for (size_t i = 0; argument->keyword != NULL && i < CHECK_MAX_PARAMS; i++)
        if (check->params[i].name != NULL &&
            text_equals(argument->keyword, argument->keyword_size, check->params[i].name)) {
            *ret = i;
            return true;
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

/* n_heads and W_o stand side by side. Given by their places they are told apart by what they are, a
 * number and a matrix, so that either order is understood. */
static size_t place_by_kind(const struct verify_check *check, size_t at, const struct node *x)
{
    if (check->run != run_multihead || (at != MULTIHEAD_N_HEADS && at != MULTIHEAD_W_OUT))
        return at;
    return x->value.n_axes == 0 ? MULTIHEAD_N_HEADS : MULTIHEAD_W_OUT;
}

static bool check_kind(const struct verify_param *param, const struct tensor *x,
                       struct error *reterr)
{
    float number = tensor_size(x) == 1 ? tensor_at_position(x, 0) : -1;
    if (param->kind == PARAM_NUMBER && tensor_size(x) != 1)
        return error_set(reterr, ERR_TYPE, "verify: %s must be a single number", param->name);
    return param->kind != PARAM_FLAG || number == 0 || number == 1 ||
           error_set(reterr, ERR_TYPE, "verify: %s must be True or False", param->name);
}

/* The arguments of a check, while they are read. */
struct arguments {
    struct node *tensors[CHECK_MAX_PARAMS]; /* NULL where left out, or None */
    bool flags[CHECK_MAX_PARAMS];
    bool given[CHECK_MAX_PARAMS];
};

/* Argument number i of the call. */
static bool read_argument(struct session *session, const struct verify_check *check, size_t i,
                          const struct argument *argument, struct arguments *arguments,
                          struct error *reterr)
{
    struct value value;
    size_t at;
    if (!find_param(check, argument, i, &at, reterr) ||
        !expr_eval(session, argument->value, &value, reterr))
        return false;
    struct node *node = NULL;
    bool none = value.kind == VALUE_NONE;
    if (!none)
        node = value_to_node(&session->graph, &value, check->params[at].name, reterr);
    value_release(&value);
    if (node != NULL && argument->keyword == NULL)
        at = place_by_kind(check, at, node);
    bool ok = none || (node != NULL && check_kind(&check->params[at], &node->value, reterr));
    if (ok && arguments->given[at])
        ok = error_set(reterr, ERR_TYPE, "verify %s: %s is given twice; write %s", check->name,
                       check->params[at].name, check->usage);
    if (!ok) {
        node_free(node);
        return false;
    }
    arguments->given[at] = true;
    arguments->tensors[at] = node;
    if (node != NULL && check->params[at].kind == PARAM_FLAG)
        arguments->flags[at] = tensor_at_position(&node->value, 0) == 1;
    return true;
}

static bool read_arguments(struct session *session, const struct verify_check *check,
                           const struct expr *call, struct arguments *arguments,
                           struct error *reterr)
{
    bool named = false;
    for (size_t i = 0; i < call->as.call.n; i++) {
        const struct argument *argument = &call->as.call.arguments[i];
        if (named && argument->keyword == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: arguments without a name come first",
                             check->name) ||
                   expr_place_error(argument->value, reterr);
        named = argument->keyword != NULL;
        if (!read_argument(session, check, i, argument, arguments, reterr))
            return expr_place_error(argument->value, reterr);
    }
    for (size_t i = 0; i < check->n_needed; i++)
        if (arguments->tensors[i] == NULL)
            return error_set(reterr, ERR_TYPE, "verify %s: %s is missing; write %s", check->name,
                             check->params[i].name, check->usage);
    return true;
}

COMMAND(command_verify)
{
    const struct expr *call = statement->arguments[0];
    const struct verify_check *check = find_check(call->object, reterr);
    struct arguments arguments = {.tensors = {NULL}};
    struct verify_options options = {.width_cols = session->settings.width_cols,
                                     .digits = session->settings.digits,
                                     .stop = session->graph.stop,
                                     .data_dir = session->data_dir};
    bool ok = check != NULL && read_arguments(session, check, call, &arguments, reterr) &&
              check->run(arguments.tensors, arguments.flags, &options, out, reterr);
    for (size_t i = 0; i < CHECK_MAX_PARAMS; i++)
        node_free(arguments.tensors[i]);
    return ok;
}
