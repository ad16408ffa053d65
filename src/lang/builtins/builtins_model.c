/* Models: opening one, running it on a text, tokens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/file.h"
#include "files/tokenizer.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/builtins/model_value.h"
#include "model/generate.h"
#include "model/initial.h"
#include "model/model.h"
#include "model/run.h"
#include "show/labels.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

/* The folder of the model that ships with attn. */
static bool shipped_path(struct call *call, char *path, size_t capacity)
{
    const char *data = call->context->data_dir;
    return (data != NULL && path_join(path, capacity, data, "assets/model")) ||
           error_set(call->reterr, ERR_FILE,
                     "model: attn's own model is not found; name a folder, as model(\"FOLDER\")");
}

/* model("FOLDER"), or model() for the one that ships. */
static bool run_model(struct call *call, struct value *ret)
{
    const struct string *given;
    char shipped[4096];
    const char *path = shipped;
    if (!arg_given(call, 0)) {
        if (!shipped_path(call, shipped, sizeof shipped))
            return false;
    } else if (settings_allow_files(call->context->settings, "model", call->reterr) &&
               arg_text(call, 0, &given)) {
        path = given->bytes;
    } else {
        return false;
    }
    return value_model(model_open(path, call->reterr), ret, call->reterr);
}

static const char *const positions_words[] = {[POSITIONS_NONE] = "none",
                                              [POSITIONS_LEARNED] = "learned",
                                              [POSITIONS_SINUSOIDAL] = "sinusoidal",
                                              [POSITIONS_ROPE] = "rope"};
static const char *const norm_words[] = {
    [NORM_NONE] = "none", [NORM_LAYER] = "layer", [NORM_RMS] = "rms"};
static const char *const family_words[] = {[FAMILY_GPT2] = "gpt2", [FAMILY_LLAMA] = "llama"};
static const char *const initial_words[] = {[INITIAL_GPT2] = "gpt2", [INITIAL_TORCH] = "torch"};

/* How many tokens there are: a number, or as many as the words of a list, which become *ret_words.
 */
static bool arg_vocab(struct call *call, size_t *ret_n, struct tokenizer **ret_words)
{
    *ret_words = NULL;
    if (call->args[0].kind != VALUE_LIST)
        return arg_size(call, 0, 0, ret_n);
    const struct list *list = call->args[0].as.list;
    const char **words = calloc(list->n + 1, sizeof(*words));
    bool ok = words != NULL || error_memory(call->reterr, "transformer");
    for (size_t i = 0; ok && i < list->n; i++) {
        ok = list->items[i].kind == VALUE_STRING ||
             error_set(call->reterr, ERR_TYPE,
                       "transformer: vocab must be a number or a list of words");
        words[i] = ok ? list->items[i].as.string->bytes : NULL;
    }
    ok = ok && tokenizer_of_words(words, list->n, ret_words, call->reterr);
    free(words);
    *ret_n = list->n;
    return ok;
}

/* What all models of a family have: GPT-2 biases, Llama none, and a gate in its MLP. */
static struct model_config family_config(enum model_family family)
{
    bool is_gpt2 = family == FAMILY_GPT2;
    return (struct model_config){.family = family,
                                 .activation = is_gpt2 ? ACTIVATION_GELU_TANH : ACTIVATION_SILU,
                                 .positions = is_gpt2 ? POSITIONS_LEARNED : POSITIONS_ROPE,
                                 .norm = is_gpt2 ? NORM_LAYER : NORM_RMS,
                                 .is_gated = !is_gpt2,
                                 .has_qkv_bias = is_gpt2,
                                 .has_out_bias = is_gpt2,
                                 .has_mlp_bias = is_gpt2,
                                 .scales_scores = true,
                                 .norm_eps = 1e-5,
                                 .rope_theta = 10000,
                                 .first_token = -1,
                                 .last_token = -1};
}

/* A Llama's file has no word for anything else. */
static bool check_llama(const struct model_config *c, struct error *reterr)
{
    return (c->positions == POSITIONS_ROPE && c->norm == NORM_RMS && c->d_mlp > 0 &&
            c->is_causal) ||
           error_set(reterr, ERR_RANGE,
                     "transformer: the family \"llama\" has positions=\"rope\", norm=\"rms\", "
                     "mlp=True and causal=True; leave these out, or the family");
}

/* How wide the MLP is: as many numbers with a gate as without, in whole eights. */
static size_t mlp_width(const struct model_config *c)
{
    size_t width = 4 * c->d_model;
    return c->is_gated ? (width * 2 / 3 + 7) / 8 * 8 : width;
}

/* The sizes and kinds that the arguments say, of a family. */
static bool read_transformer(struct call *call, struct model_config *c, enum initial *ret_initial)
{
    bool has_mlp;
    size_t positions, norm, initial;
    if (!arg_size(call, 1, 32, &c->d_model) || !arg_size(call, 2, 2, &c->n_heads) ||
        !arg_size(call, 3, 2, &c->n_layers) || !arg_flag(call, 4, true, &has_mlp) ||
        !arg_size(call, 5, 64, &c->n_positions) ||
        !arg_word(call, 6, positions_words, COUNT_OF(positions_words), c->positions, &positions) ||
        !arg_word(call, 7, norm_words, COUNT_OF(norm_words), c->norm, &norm) ||
        !arg_flag(call, 8, false, &c->is_tied) || !arg_flag(call, 9, true, &c->is_causal) ||
        !arg_word(call, 10, initial_words, COUNT_OF(initial_words), INITIAL_TORCH, &initial) ||
        !arg_size(call, 12, c->n_heads, &c->n_kv_heads))
        return false;
    if (c->vocab == 0 || c->d_model == 0 || c->n_heads == 0 || c->n_layers == 0 ||
        c->n_positions == 0 || c->d_model % c->n_heads != 0)
        return error_set(call->reterr, ERR_RANGE,
                         "transformer: vocab, d_model, n_heads, n_layers and n_positions must be 1 "
                         "or more, and n_heads must divide d_model");
    c->positions = (enum model_positions)positions;
    c->norm = (enum model_norm)norm;
    c->head_dim = c->d_model / c->n_heads;
    c->d_mlp = has_mlp ? mlp_width(c) : 0;
    *ret_initial = (enum initial)initial;
    if (c->family == FAMILY_LLAMA)
        return check_llama(c, call->reterr);
    return c->n_kv_heads == c->n_heads ||
           error_set(call->reterr, ERR_RANGE,
                     "transformer: heads that share keys, n_kv_heads, are for family=\"llama\"");
}

/* transformer(vocab, ...): a new model. */
static bool run_transformer(struct call *call, struct value *ret)
{
    size_t family;
    if (!arg_word(call, 11, family_words, COUNT_OF(family_words), FAMILY_GPT2, &family))
        return false;
    struct model_config c = family_config((enum model_family)family);
    enum initial initial = INITIAL_TORCH;
    struct tokenizer *words;
    if (!arg_vocab(call, &c.vocab, &words))
        return false;
    struct model *model = read_transformer(call, &c, &initial)
                              ? model_random(call->builder.graph, &c, initial, call_random(call),
                                             "transformer", call->reterr)
                              : NULL;
    if (model == NULL) {
        tokenizer_close(words);
        return false;
    }
    model->tokenizer = words;
    return value_model(model, ret, call->reterr);
}

/* The tokens of an argument, a text or ids, as a run. */
static bool run_on_model(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    if (model == NULL)
        return false;
    struct graph *graph = call->builder.graph;
    struct run *run = NULL;
    if (call->args[1].kind == VALUE_STRING) {
        const struct string *text = call->args[1].as.string;
        run = run_text(graph, model, text->bytes, text->size, call->reterr);
    } else {
        struct node *ids = arg_node(call, 1);
        run = ids != NULL ? run_ids(graph, model, ids, call->reterr) : NULL;
    }
    return value_run(run, ret, call->reterr);
}

/* encode(m, "text"): the ids of its tokens, labelled by them. */
static bool run_encode(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    const struct string *text;
    struct labels *labels;
    struct tensor ids;
    if (model == NULL || !arg_text(call, 1, &text) ||
        !model_encode(model, text->bytes, text->size, &ids, &labels, call->reterr))
        return false;
    bool ok = call_input(call, &ids, ret);
    if (ok)
        node_set_labels(ret->as.node, 0, labels);
    labels_free(labels);
    return ok;
}

static bool run_decode(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct node *ids = model != NULL ? arg_node(call, 1) : NULL;
    struct text text = {0};
    bool ok = ids != NULL && model_decode(model, &ids->value, &text, call->reterr) &&
              value_string(text_string(&text), text.size, ret, call->reterr);
    text_release(&text);
    return ok;
}

/* ---- texts that grow ---- */

/* How tokens are drawn, from argument i on: temperature, top_k, top_p. */
static bool read_sampling(struct call *call, size_t i, struct sampling *ret)
{
    if (!arg_number(call, i, 1, &ret->temperature) || !arg_size(call, i + 1, 0, &ret->top_k) ||
        !arg_number(call, i + 2, 1, &ret->top_p))
        return false;
    if (!(ret->temperature >= 0 && isfinite(ret->temperature)))
        return error_set(call->reterr, ERR_RANGE,
                         "generate: temperature must be 0 (always the likeliest token) or more");
    if (!(ret->top_p > 0 && ret->top_p <= 1))
        return error_set(call->reterr, ERR_RANGE,
                         "generate: top_p is a probability above 0, up to 1");
    return true;
}

/* The stream that tokens are drawn from: the session's own, or one of a seed. */
static bool read_seed(struct call *call, size_t i, struct random *own, struct random **ret)
{
    size_t seed;
    *ret = call_random(call);
    if (!arg_given(call, i))
        return true;
    if (!arg_size(call, i, 0, &seed))
        return false;
    random_seed(own, (uint32_t)seed);
    *ret = own;
    return true;
}

/* A copy of ids, (n,) or (1, n), as (n,). */
static bool one_text(struct call *call, const struct tensor *ids, struct tensor *ret)
{
    size_t n = tensor_size(ids);
    char shape[TENSOR_SHAPE_TEXT];
    struct tensor copy;
    if (ids->n_axes != 1 && (ids->n_axes != 2 || ids->shape[0] != 1))
        return error_set(call->reterr, ERR_SHAPE, "%s: ids must be one text, (n,), and this is %s",
                         call->builtin->name, tensor_shape_text(ids, shape));
    if (!tensor_copy(ids, &copy, call->reterr))
        return false;
    bool ok = tensor_reshape(&copy, 1, &n, ret, call->reterr);
    tensor_release(&copy);
    return ok;
}

/* Ids that have grown, with the axes that they were given with. */
static bool grown_ids(struct call *call, struct tensor *ids, struct value *ret)
{
    size_t shape[2] = {1, tensor_size(ids)};
    struct tensor shaped;
    struct node *given = arg_node(call, 1);
    if (given == NULL || given->value.n_axes == 1)
        return call_input(call, ids, ret);
    bool ok = tensor_reshape(ids, 2, shape, &shaped, call->reterr);
    tensor_release(ids);
    return ok && call_input(call, &shaped, ret);
}

/* The ids that a text or a tensor of ids stands for; the caller releases *ret. *ret_n_added of them
 * begin every text. */
static bool read_ids(struct call *call, const struct model *model, size_t i, struct tensor *ret,
                     size_t *ret_n_added)
{
    *ret_n_added = 0;
    if (call->args[i].kind != VALUE_STRING) {
        struct node *ids = arg_node(call, i);
        return ids != NULL && one_text(call, &ids->value, ret);
    }
    const struct string *text = call->args[i].as.string;
    return model_encode_whole(model, text->bytes, text->size, ret, ret_n_added, call->reterr);
}

/* Grows the ids by n tokens, or up to the one that ends a text. */
static bool grow(struct call *call, struct model *model, struct tensor *ids, size_t n,
                 const struct sampling *sampling, struct random *random)
{
    struct generator *generator;
    size_t n_ids = tensor_size(ids), most = n_ids + n;
    struct tensor all;
    if (!generator_new(model, ids, n, call->builder.graph->stop, &generator, call->reterr))
        return false;
    if (!tensor_zeros(1, &most, &all, call->reterr)) {
        generator_free(generator);
        return false;
    }
    tensor_read(ids, all.data);
    bool ok = true, ended = false;
    while (ok && !ended && n_ids < most) {
        size_t token = 0;
        ok = generator_next(generator, sampling, random, &token, call->reterr);
        all.data[n_ids] = (float)token;
        n_ids += ok;
        ended = (ptrdiff_t)token == model->config.last_token;
    }
    generator_free(generator);
    tensor_release(ids);
    *ids = (struct tensor){0};
    ok = ok && tensor_slice(&all, 0, 0, n_ids, 1, ids, call->reterr);
    tensor_release(&all);
    return ok;
}

/* generate(m, "text", n): the text with what the model says comes next; ids give ids. */
static bool run_generate(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct sampling sampling;
    struct random own, *random;
    struct tensor ids;
    size_t n, n_added;
    if (model == NULL || !arg_size(call, 2, 20, &n) || !read_sampling(call, 3, &sampling) ||
        !read_seed(call, 6, &own, &random) || !read_ids(call, model, 1, &ids, &n_added))
        return false;
    if (!grow(call, model, &ids, n, &sampling, random)) {
        tensor_release(&ids);
        return false;
    }
    if (call->args[1].kind != VALUE_STRING)
        return grown_ids(call, &ids, ret);
    struct text text = {0};
    struct tensor shown;
    bool ok = tensor_slice(&ids, 0, n_added, tensor_size(&ids) - n_added, 1, &shown, call->reterr);
    tensor_release(&ids);
    if (ok) {
        ok = model_decode(model, &shown, &text, call->reterr) &&
             value_string(text_string(&text), text.size, ret, call->reterr);
        tensor_release(&shown);
    }
    text_release(&text);
    return ok;
}

#define MODELS "models"

const struct builtin builtins_model[] = {
    {"model",
     MODELS,
     {"path=None"},
     "A model from a folder as Hugging Face writes it, or the small one that ships with attn; "
     "m(\"text\") runs it.",
     "m = model(); r = m(\"the cat sat on the mat\"); r",
     run_model},
    {"transformer",
     MODELS,
     {"vocab", "d_model=32", "n_heads=2", "n_layers=2", "mlp=True", "n_positions=64",
      "positions=\"learned\"", "norm=\"layer\"", "tied=False", "causal=True", "init=\"torch\"",
      "family=\"gpt2\"", "n_kv_heads=n_heads"},
     "A new model with random weights; positions may be \"learned\", \"sinusoidal\", \"rope\" or "
     "\"none\", norm \"layer\", \"rms\" or \"none\", init \"torch\" or \"gpt2\"; family "
     "\"llama\" has rope, rms and a gate in its MLP, and n_kv_heads heads of keys.",
     "m = transformer(vocab=9, mlp=False); r = m([3, 1]); r.weights[1]",
     run_transformer},
    {"run",
     MODELS,
     {"model", "text"},
     "What a model makes of a text or ids, stage by stage; m(text) is the same.",
     "m = transformer(vocab=9); r = run(m, [3, 1]); r.q[0]",
     run_on_model},
    {"encode",
     MODELS,
     {"model", "text"},
     "The ids of a text's tokens, labelled by them.",
     "m = transformer(vocab=[\"the\", \"cat\", \"sat\"]); encode(m, \"The cat sat\")",
     run_encode},
    {"generate",
     MODELS,
     {"model", "text", "n=20", "temperature=1.0", "top_k=0", "top_p=1.0", "seed=None"},
     "A text, or ids, and n tokens that the model adds to it; temperature 0 is the likeliest.",
     "m = transformer(vocab=[\"a\", \"b\"]); generate(m, \"a\", 3, seed=1)",
     run_generate},
    {"decode",
     MODELS,
     {"model", "ids"},
     "The text that ids stand for.",
     "m = transformer(vocab=[\"the\", \"cat\", \"sat\"]); decode(m, [0, 1, 2])",
     run_decode},
};
const size_t n_builtins_model = COUNT_OF(builtins_model);
