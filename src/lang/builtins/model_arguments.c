/* See model_arguments.h. */
#include "lang/builtins/model_arguments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/node.h"
#include "lang/builtins/model_value.h"
#include "model/cut.h"
#include "model/model.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/labels.h"

/* A parameter's name alone. */
static int name_length(const struct call *call, size_t i)
{
    return (int)strcspn(call->builtin->params[i], "=");
}

struct model *arg_model(struct call *call, size_t i)
{
    char text[120];
    struct model *model = value_as_model(&call->args[i]);
    if (model == NULL)
        error_set(call->reterr, ERR_TYPE,
                  "%s: %s must be a model, as model(\"FOLDER\") gives one, and this is %s",
                  call->builtin->name, call->builtin->params[i],
                  value_describe(&call->args[i], text, sizeof text));
    return model;
}

struct run *arg_run(struct call *call, size_t i)
{
    char text[120];
    struct run *run = value_as_run(&call->args[i]);
    if (run == NULL && value_as_model(&call->args[i]) != NULL)
        error_set(
            call->reterr, ERR_TYPE,
            "%s: %.*s is a model, which has read nothing yet: write r = m(\"the cat\"), and r "
            "in place of the model",
            call->builtin->name, name_length(call, i), call->builtin->params[i]);
    else if (run == NULL)
        error_set(call->reterr, ERR_TYPE,
                  "%s: %.*s must be a run of a model, as r = m(\"text\") gives one, and this is %s",
                  call->builtin->name, name_length(call, i), call->builtin->params[i],
                  value_describe(&call->args[i], text, sizeof text));
    return run;
}

/* Says which words there are. */
static bool no_such_word(struct call *call, size_t i, const char *const *words, size_t n)
{
    struct text all = {0};
    for (size_t w = 0; w < n; w++)
        text_format(&all, "%s\"%s\"", w == 0 ? "" : w + 1 == n ? " or " : ", ", words[w]);
    if (all.failed)
        error_memory(call->reterr, call->builtin->name);
    else
        error_set(call->reterr, ERR_NAME, "%s: %.*s must be %s", call->builtin->name,
                  name_length(call, i), call->builtin->params[i], text_string(&all));
    text_release(&all);
    return false;
}

bool arg_word(struct call *call, size_t i, const char *const *words, size_t n, size_t otherwise,
              size_t *ret)
{
    const struct string *given;
    *ret = otherwise;
    if (!arg_given(call, i))
        return true;
    if (!arg_text(call, i, &given))
        return false;
    for (size_t w = 0; w < n; w++)
        if (strcmp(given->bytes, words[w]) == 0) {
            *ret = w;
            return true;
        }
    return no_such_word(call, i, words, n);
}

bool arg_token(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    const struct value *value = &call->args[i];
    if (value->kind == VALUE_STRING)
        return model_find_token(model, value->as.string->bytes, value->as.string->size, ret,
                                call->reterr);
    if (!arg_size(call, i, 0, ret))
        return false;
    return *ret < model->config.vocab ||
           error_set(call->reterr, ERR_RANGE, "%s: %zu is no token: %s has %zu, 0 to %zu",
                     call->builtin->name, *ret, model->name, model->config.vocab,
                     model->config.vocab - 1);
}

/* A whole number from 0 to n - 1, or from -n, which counts from the end. */
static bool within(struct call *call, const char *what, float number, size_t n, size_t *ret)
{
    if (!(number >= -(float)n && number < (float)n) || number != floorf(number))
        return error_set(call->reterr, ERR_RANGE, "%s: %s %g: there are %zu, 0 to %zu",
                         call->builtin->name, what, (double)number, n, n - 1);
    *ret = (size_t)(number < 0 ? number + (float)n : number);
    return true;
}

bool arg_layer(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    ptrdiff_t layer;
    return arg_whole(call, i, 0, &layer) &&
           within(call, "layer", (float)layer, model->config.n_layers, ret);
}

bool arg_head_number(struct call *call, size_t i, const struct model *model, size_t *ret)
{
    ptrdiff_t head;
    return arg_whole(call, i, 0, &head) &&
           within(call, "head", (float)head, model->config.n_heads, ret);
}

bool arg_position(struct call *call, size_t i, const struct run *run, size_t *ret)
{
    ptrdiff_t position;
    return run_check_one_text(run, call->reterr) && arg_whole(call, i, -1, &position) &&
           within(call, "position", (float)position, run_length(run), ret);
}

static struct run *run_of_text(struct graph *graph, struct model *model, const struct value *text,
                               struct error *reterr)
{
    const struct string *string = text->as.string;
    return run_text(graph, model, string->bytes, string->size, reterr);
}

bool values_as_runs(struct graph *graph, const struct value *values, size_t n, const char *what,
                    struct run *ret[2], struct error *reterr)
{
    struct model *model = n == 3 ? value_as_model(&values[0]) : NULL;
    struct run *a = n == 2 ? value_as_run(&values[0]) : NULL;
    struct run *b = n == 2 ? value_as_run(&values[1]) : NULL;
    if (a != NULL && b != NULL) {
        ret[0] = run_share(a);
        ret[1] = run_share(b);
        return true;
    }
    if (model == NULL || values[1].kind != VALUE_STRING || values[2].kind != VALUE_STRING)
        return error_set(reterr, ERR_TYPE,
                         "%s: it takes two runs, or a model and two texts: %s(m, \"A\", \"B\")",
                         what, what);
    ret[0] = run_of_text(graph, model, &values[1], reterr);
    ret[1] = ret[0] != NULL ? run_of_text(graph, model, &values[2], reterr) : NULL;
    if (ret[1] == NULL)
        run_free(ret[0]);
    return ret[1] != NULL;
}

/* ---- words ---- */

enum { FEW_TOKENS = 200 }; /* of a vocabulary that is taken whole */

/* Each token of the vocabulary. */
static bool all_ids(struct call *call, const struct model *model, struct tensor *ret)
{
    size_t n = model->config.vocab;
    if (n > FEW_TOKENS)
        return error_set(call->reterr, ERR_LIMIT,
                         "%s: %s has %zu tokens: choose some, as words=\"the cat sat\"",
                         call->builtin->name, model->name, n);
    if (!tensor_empty(1, &n, ret, call->reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = (float)i;
    return true;
}

/* A list of tokens by their texts. */
static bool listed_ids(struct call *call, const struct model *model, const struct list *list,
                       struct tensor *ret)
{
    if (!tensor_empty(1, &list->n, ret, call->reterr))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const struct value *item = &list->items[i];
        size_t id = 0;
        bool ok = item->kind == VALUE_STRING
                      ? model_find_token(model, item->as.string->bytes, item->as.string->size, &id,
                                         call->reterr)
                      : error_set(call->reterr, ERR_TYPE, "%s: words must be texts or ids",
                                  call->builtin->name);
        if (!ok) {
            tensor_release(ret);
            return false;
        }
        ret->data[i] = (float)id;
    }
    return true;
}

/* Ids as numbers, each a token of the model. */
static bool given_ids(struct call *call, size_t i, const struct model *model, struct tensor *ret)
{
    struct node *ids = arg_node(call, i);
    size_t n = ids != NULL ? tensor_size(&ids->value) : 0, vocab = model->config.vocab;
    if (ids == NULL || !tensor_empty(1, &n, ret, call->reterr))
        return false;
    tensor_read(&ids->value, ret->data);
    for (size_t at = 0; at < n; at++)
        if (!(ret->data[at] >= 0 && ret->data[at] < (float)vocab) ||
            ret->data[at] != floorf(ret->data[at])) {
            error_set(call->reterr, ERR_RANGE, "%s: %g is no token: %s has %zu, 0 to %zu",
                      call->builtin->name, (double)ret->data[at], model->name, vocab, vocab - 1);
            tensor_release(ret);
            return false;
        }
    return true;
}

static bool is_list_of_texts(const struct value *value)
{
    return value->kind == VALUE_LIST && value->as.list->n > 0 &&
           value->as.list->items[0].kind == VALUE_STRING;
}

struct node *arg_words(struct call *call, size_t i, struct model *model, struct labels **ret_names)
{
    const struct value *value = &call->args[i];
    struct tensor ids;
    bool ok;
    *ret_names = NULL;
    if (!arg_given(call, i)) {
        ok = all_ids(call, model, &ids);
    } else if (value->kind == VALUE_STRING) {
        ok = model_encode(model, value->as.string->bytes, value->as.string->size, &ids, ret_names,
                          call->reterr);
        labels_free(ok ? *ret_names : NULL);
        *ret_names = NULL;
    } else {
        ok = is_list_of_texts(value) ? listed_ids(call, model, value->as.list, &ids)
                                     : given_ids(call, i, model, &ids);
    }
    if (!ok)
        return NULL;
    if (!model_label_ids(model, &ids, ret_names, call->reterr)) {
        tensor_release(&ids);
        return NULL;
    }
    struct node *node = build_input(&call->builder, &ids, "words");
    if (node == NULL) {
        labels_free(*ret_names);
        *ret_names = NULL;
    }
    return node;
}

/* Numbers 2 * at and 2 * at + 1 as a layer and a head. */
static bool head_at(struct call *call, const struct model *model, const struct tensor *pairs,
                    size_t at, size_t ret[2])
{
    return within(call, "layer", tensor_at_position(pairs, 2 * at), model->config.n_layers,
                  &ret[0]) &&
           within(call, "head", tensor_at_position(pairs, 2 * at + 1), model->config.n_heads,
                  &ret[1]);
}

/* Argument i as pairs of a layer and a head. */
static struct node *read_pairs(struct call *call, size_t i)
{
    struct node *pairs = arg_node(call, i);
    unsigned n_axes = pairs != NULL ? pairs->value.n_axes : 0;
    if (pairs == NULL)
        return NULL;
    if ((n_axes == 1 || n_axes == 2) && pairs->value.shape[n_axes - 1] == 2)
        return pairs;
    error_set(call->reterr, ERR_TYPE, "%s: %.*s must be a layer and a head, as (5, 1)",
              call->builtin->name, name_length(call, i), call->builtin->params[i]);
    return NULL;
}

bool arg_head(struct call *call, size_t i, const struct model *model, size_t ret[2])
{
    struct node *pairs = read_pairs(call, i);
    if (pairs == NULL)
        return false;
    if (tensor_size(&pairs->value) != 2)
        return error_set(call->reterr, ERR_SHAPE, "%s: one head is needed, as (5, 1)",
                         call->builtin->name);
    return head_at(call, model, &pairs->value, 0, ret);
}

/* Room for n more cuts. */
static bool more_cuts(struct call *call, size_t n, struct cut **ret, size_t n_cuts)
{
    struct cut *cuts = realloc(*ret, (n_cuts + n + 1) * sizeof *cuts);
    if (cuts == NULL)
        return error_memory(call->reterr, call->builtin->name);
    *ret = cuts;
    return true;
}

bool arg_head_cuts(struct call *call, size_t i, const struct model *model, struct cut **ret,
                   size_t *ret_n)
{
    if (!arg_given(call, i))
        return true;
    struct node *pairs = read_pairs(call, i);
    size_t n = pairs != NULL ? tensor_size(&pairs->value) / 2 : 0;
    bool ok = pairs != NULL && more_cuts(call, n, ret, *ret_n);
    for (size_t at = 0; ok && at < n; at++) {
        size_t head[2] = {0, 0};
        ok = head_at(call, model, &pairs->value, at, head);
        (*ret)[(*ret_n)++] = (struct cut){CUT_HEAD, head[0], head[1]};
    }
    return ok;
}

bool arg_layer_cuts(struct call *call, size_t i, const struct model *model, bool mlp,
                    struct cut **ret, size_t *ret_n)
{
    if (!arg_given(call, i))
        return true;
    struct node *layers = arg_node(call, i);
    size_t n = layers != NULL ? tensor_size(&layers->value) : 0;
    bool ok = layers != NULL && more_cuts(call, n, ret, *ret_n);
    for (size_t at = 0; ok && at < n; at++) {
        struct cut *cut = &(*ret)[(*ret_n)++];
        *cut = (struct cut){.part = mlp ? CUT_MLP : CUT_LAYER};
        ok = within(call, "layer", tensor_at_position(&layers->value, at), model->config.n_layers,
                    &cut->layer);
    }
    return ok;
}
