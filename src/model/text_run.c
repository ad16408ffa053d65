/* See text_run.h. */
#include "model/text_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/tokenizer.h"
#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "model/shipped.h"
#include "show/labels.h"
#include "tensor/tensor.h"

static bool need_tokenizer(const struct model *model, struct error *reterr)
{
    return model->tokenizer != NULL ||
           error_set(reterr, ERR_NAME,
                     "%s has no vocabulary, so it takes ids and no text: put vocab.json and "
                     "merges.txt, or tokenizer.json, into its folder",
                     model->name);
}

/* The number at a place as an id of the vocabulary. */
static bool id_at(const struct model *model, const struct tensor *ids, size_t i, uint32_t *ret,
                  struct error *reterr)
{
    float id = tensor_at_position(ids, i);
    if (!(id >= 0 && id < (float)model->config.vocab) || id != floorf(id))
        return error_set(reterr, ERR_RANGE, "%g is no token: %s has %zu, 0 to %zu", (double)id,
                         model->name, model->config.vocab, model->config.vocab - 1);
    *ret = (uint32_t)id;
    return true;
}

bool model_can_run(const struct model *model, struct error *reterr)
{
    return model->config.n_layers > 0 ||
           error_set(reterr, ERR_NAME, "%s holds a vocabulary alone: it has no weights to run",
                     model->name);
}

bool model_check_ids(const struct model *model, const struct tensor *ids, struct error *reterr)
{
    uint32_t id;
    for (size_t i = 0; i < tensor_size(ids); i++)
        if (!id_at(model, ids, i, &id, reterr))
            return false;
    return true;
}

void model_show_token(const struct model *model, size_t id, struct text *text)
{
    size_t size;
    const char *bytes =
        model->tokenizer != NULL ? tokenizer_token(model->tokenizer, (uint32_t)id, &size) : NULL;
    if (bytes != NULL && size > 0)
        token_show(bytes, size, false, text);
    else
        text_format(text, "%zu", id);
}

/* ---- labels ---- */

/* Tokens of a model. */
struct token_ids {
    const struct model *model;
    const struct tensor *ids;
};

static void write_token(const void *about, size_t i, struct text *text)
{
    const struct token_ids *all = about;
    model_show_token(all->model, (size_t)tensor_at_position(all->ids, i), text);
}

bool model_label_ids(const struct model *model, const struct tensor *ids, struct labels **ret,
                     struct error *reterr)
{
    const struct token_ids all = {model, ids};
    *ret = NULL;
    if (model->tokenizer == NULL || ids->n_axes != 1 || ids->shape[0] == 0)
        return true;
    return model_check_ids(model, ids, reterr) &&
           labels_written(ids->shape[0], write_token, &all, ret, reterr);
}

/* ---- texts ---- */

/* To an error about words that a model of words lacks: a text that it knows. */
static void add_example(const struct model *model, const char *text, size_t size,
                        struct error *reterr)
{
    size_t begin, end = 0, known = 0;
    if (tokenizer_next_unknown(model->tokenizer, text, size, &begin, &end) &&
        !tokenizer_next_unknown(model->tokenizer, shipped_example, strlen(shipped_example), &begin,
                                &known)) {
        size_t at = strlen(reterr->text);
        snprintf(reterr->text + at, sizeof reterr->text - at, "%s this text works: \"%s\"",
                 at > 0 && reterr->text[at - 1] == '?' ? "" : ";", shipped_example);
    }
}

bool model_encode(const struct model *model, const char *text, size_t size, struct tensor *ret_ids,
                  struct labels **ret_labels, struct error *reterr)
{
    struct tokens tokens = {0};
    bool ok = need_tokenizer(model, reterr) &&
              tokenizer_encode(model->tokenizer, text, size, &tokens, reterr) &&
              tensor_empty(1, &tokens.n, ret_ids, reterr);
    for (size_t i = 0; ok && i < tokens.n; i++)
        ret_ids->data[i] = (float)tokens.items[i].id;
    tokens_release(&tokens);
    if (!ok && model->tokenizer != NULL && reterr != NULL && reterr->kind == ERR_RANGE)
        add_example(model, text, size, reterr);
    if (!ok || model_label_ids(model, ret_ids, ret_labels, reterr))
        return ok;
    tensor_release(ret_ids);
    return false;
}

bool model_decode(const struct model *model, const struct tensor *ids, struct text *text,
                  struct error *reterr)
{
    if (!need_tokenizer(model, reterr))
        return false;
    if (ids->n_axes > 1 && ids->shape[ids->n_axes - 1] != tensor_size(ids)) {
        char shape[TENSOR_SHAPE_TEXT];
        return error_set(reterr, ERR_SHAPE, "decode: ids must be one text, (n,), and this is %s",
                         tensor_shape_text(ids, shape));
    }
    size_t n = tensor_size(ids);
    uint32_t *list = calloc(n + 1, sizeof *list);
    bool ok = list != NULL || error_memory(reterr, "a text");
    for (size_t i = 0; ok && i < n; i++)
        ok = id_at(model, ids, i, &list[i], reterr);
    ok = ok && tokenizer_decode(model->tokenizer, list, n, text, reterr);
    free(list);
    return ok;
}

bool model_write_text(const struct model *model, const struct tensor *ids, struct text *text,
                      struct error *reterr)
{
    uint32_t first;
    struct tensor rest = tensor_share(ids), whole;
    size_t n = tensor_size(ids);
    bool has_first = model->tokenizer != NULL && tokenizer_first(model->tokenizer, &first) &&
                     n > 0 && tensor_at_position(ids, 0) == (float)first;
    if (has_first) {
        whole = rest;
        n--;
        bool ok = tensor_empty(1, &n, &rest, reterr);
        for (size_t i = 0; ok && i < n; i++)
            rest.data[i] = tensor_at_position(ids, i + 1);
        tensor_release(&whole);
        if (!ok)
            return false;
    }
    bool ok = n == 0 || model_decode(model, &rest, text, reterr);
    tensor_release(&rest);
    return ok;
}

bool model_find_token(const struct model *model, const char *text, size_t size, size_t *ret,
                      struct error *reterr)
{
    struct tokens tokens = {0};
    uint32_t id = 0;
    if (!need_tokenizer(model, reterr))
        return false;
    bool ok = tokenizer_find(model->tokenizer, text, size, &id);
    if (!ok && tokenizer_encode(model->tokenizer, text, size, &tokens, reterr)) {
        ok = tokens.n == 1;
        id = ok ? tokens.items[0].id : 0;
        if (!ok)
            error_set(reterr, ERR_NAME,
                      "\"%.*s\" is %zu tokens of %s, not one: give the token with its space, as "
                      "\" cat\", or its id; encode(m, \"...\") shows them",
                      (int)(size < 40 ? size : 40), text, tokens.n, model->name);
    }
    tokens_release(&tokens);
    *ret = ok ? id : 0;
    return ok;
}

struct run *run_ids(struct graph *graph, struct model *model, struct node *ids,
                    struct error *reterr)
{
    struct labels *labels;
    if (!model_can_run(model, reterr) || !forward_check_length(model, &ids->value, 0, reterr) ||
        !model_check_ids(model, &ids->value, reterr) ||
        !model_label_ids(model, &ids->value, &labels, reterr))
        return NULL;
    struct run *run = run_new(graph, model, ids, labels, reterr);
    labels_free(labels);
    return run;
}

bool model_encode_whole(const struct model *model, const char *text, size_t size,
                        struct tensor *ret_ids, size_t *ret_n_added, struct error *reterr)
{
    struct tensor ids;
    struct labels *labels;
    uint32_t first;
    if (!model_encode(model, text, size, &ids, &labels, reterr))
        return false;
    labels_free(labels);
    *ret_n_added = tokenizer_first(model->tokenizer, &first);
    if (*ret_n_added == 0) {
        *ret_ids = ids;
        return true;
    }
    size_t n = tensor_size(&ids) + 1;
    bool ok = tensor_empty(1, &n, ret_ids, reterr);
    if (ok) {
        ret_ids->data[0] = (float)first;
        tensor_read(&ids, ret_ids->data + 1);
    }
    tensor_release(&ids);
    return ok;
}

struct run *run_text(struct graph *graph, struct model *model, const char *text, size_t size,
                     struct error *reterr)
{
    struct tensor ids;
    size_t n_added;
    static const char name[] = "ids";
    if (!model_encode_whole(model, text, size, &ids, &n_added, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, name, sizeof name - 1, reterr);
    struct run *run = NULL;
    if (node != NULL && node_set_name(node, name, sizeof name - 1, reterr))
        run = run_ids(graph, model, node, reterr);
    if (run != NULL)
        node_set_labels(node, 0, run->labels);
    node_free(node);
    return run;
}
