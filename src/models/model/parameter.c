/* See parameter_internal.h: a row a weight. Names: transformers, modeling_gpt2.py,
 * modeling_llama.py. */
#include "model/parameter_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

/* What a side of a weight measures. */
enum side { NO_SIDE, WIDTH, ALL_QKV, QUERIES, KEYS, MLP, VOCAB, POSITIONS };

/* Which models have it, besides that its sides are not 0. */
enum need {
    ALWAYS,
    NEEDS_NORM,
    NEEDS_LAYER_NORM,
    NEEDS_QKV_BIAS,
    NEEDS_OUT_BIAS,
    NEEDS_MLP_BIAS,
    NEEDS_GATE,
    NEEDS_GATE_BIAS,
    NEEDS_POSITIONS,
    NEEDS_UNTIED,
};

struct row {
    const char *names[2]; /* by family; NULL: it has none of it. %zu is the layer */
    enum side in, out;    /* out NO_SIDE: one axis */
    bool is_table;        /* [out, in] in both families: a row a token or position */
    enum need need;
};

#define GPT2(name) "transformer." name
#define LAYER(name) "transformer.h.%zu." name
#define LLAMA(name) "model.layers.%zu." name

static const struct row rows[] = {
    [PARAM_NORM1] = {{LAYER("ln_1.weight"), LLAMA("input_layernorm.weight")},
                     WIDTH,
                     NO_SIDE,
                     false,
                     NEEDS_NORM},
    [PARAM_NORM1_BIAS] = {{LAYER("ln_1.bias"), NULL}, WIDTH, NO_SIDE, false, NEEDS_LAYER_NORM},
    [PARAM_QKV] = {{LAYER("attn.c_attn.weight"), NULL}, WIDTH, ALL_QKV, false, ALWAYS},
    [PARAM_QKV_BIAS] = {{LAYER("attn.c_attn.bias"), NULL}, ALL_QKV, NO_SIDE, false, NEEDS_QKV_BIAS},
    [PARAM_QUERY] = {{NULL, LLAMA("self_attn.q_proj.weight")}, WIDTH, QUERIES, false, ALWAYS},
    [PARAM_QUERY_BIAS] =
        {{NULL, LLAMA("self_attn.q_proj.bias")}, QUERIES, NO_SIDE, false, NEEDS_QKV_BIAS},
    [PARAM_KEY] = {{NULL, LLAMA("self_attn.k_proj.weight")}, WIDTH, KEYS, false, ALWAYS},
    [PARAM_KEY_BIAS] =
        {{NULL, LLAMA("self_attn.k_proj.bias")}, KEYS, NO_SIDE, false, NEEDS_QKV_BIAS},
    [PARAM_VALUE] = {{NULL, LLAMA("self_attn.v_proj.weight")}, WIDTH, KEYS, false, ALWAYS},
    [PARAM_VALUE_BIAS] =
        {{NULL, LLAMA("self_attn.v_proj.bias")}, KEYS, NO_SIDE, false, NEEDS_QKV_BIAS},
    [PARAM_OUT] = {{LAYER("attn.c_proj.weight"), LLAMA("self_attn.o_proj.weight")},
                   QUERIES,
                   WIDTH,
                   false,
                   ALWAYS},
    [PARAM_OUT_BIAS] = {{LAYER("attn.c_proj.bias"), LLAMA("self_attn.o_proj.bias")},
                        WIDTH,
                        NO_SIDE,
                        false,
                        NEEDS_OUT_BIAS},
    [PARAM_NORM2] = {{LAYER("ln_2.weight"), LLAMA("post_attention_layernorm.weight")},
                     WIDTH,
                     NO_SIDE,
                     false,
                     NEEDS_NORM},
    [PARAM_NORM2_BIAS] = {{LAYER("ln_2.bias"), NULL}, WIDTH, NO_SIDE, false, NEEDS_LAYER_NORM},
    [PARAM_GATE] = {{NULL, LLAMA("mlp.gate_proj.weight")}, WIDTH, MLP, false, NEEDS_GATE},
    [PARAM_GATE_BIAS] = {{NULL, LLAMA("mlp.gate_proj.bias")}, MLP, NO_SIDE, false, NEEDS_GATE_BIAS},
    [PARAM_UP] =
        {{LAYER("mlp.c_fc.weight"), LLAMA("mlp.up_proj.weight")}, WIDTH, MLP, false, ALWAYS},
    [PARAM_UP_BIAS] =
        {{LAYER("mlp.c_fc.bias"), LLAMA("mlp.up_proj.bias")}, MLP, NO_SIDE, false, NEEDS_MLP_BIAS},
    [PARAM_DOWN] =
        {{LAYER("mlp.c_proj.weight"), LLAMA("mlp.down_proj.weight")}, MLP, WIDTH, false, ALWAYS},
    [PARAM_DOWN_BIAS] = {{LAYER("mlp.c_proj.bias"), LLAMA("mlp.down_proj.bias")},
                         WIDTH,
                         NO_SIDE,
                         false,
                         NEEDS_MLP_BIAS},
    [PARAM_TOKENS] =
        {{GPT2("wte.weight"), "model.embed_tokens.weight"}, WIDTH, VOCAB, true, ALWAYS},
    [PARAM_POSITIONS] = {{GPT2("wpe.weight"), NULL}, WIDTH, POSITIONS, true, NEEDS_POSITIONS},
    [PARAM_LAST_NORM] =
        {{GPT2("ln_f.weight"), "model.norm.weight"}, WIDTH, NO_SIDE, false, NEEDS_NORM},
    [PARAM_LAST_NORM_BIAS] = {{GPT2("ln_f.bias"), NULL}, WIDTH, NO_SIDE, false, NEEDS_LAYER_NORM},
    [PARAM_LOGITS] = {{"lm_head.weight", "lm_head.weight"}, WIDTH, VOCAB, true, NEEDS_UNTIED},
};

size_t parameter_count(const struct model_config *config)
{
    return config->n_layers * PARAMS_OF_LAYER + (PARAM_COUNT - PARAMS_OF_LAYER);
}

size_t parameter_at(const struct model_config *config, enum param which, size_t layer)
{
    if (which < PARAMS_OF_LAYER)
        return layer * PARAMS_OF_LAYER + which;
    return config->n_layers * PARAMS_OF_LAYER + (which - PARAMS_OF_LAYER);
}

enum param parameter_which(const struct model_config *config, size_t at, size_t *ret_layer)
{
    size_t of_layers = config->n_layers * PARAMS_OF_LAYER;
    *ret_layer = at < of_layers ? at / PARAMS_OF_LAYER : 0;
    return (enum param)(at < of_layers ? at % PARAMS_OF_LAYER : at - of_layers + PARAMS_OF_LAYER);
}

static size_t side_size(const struct model_config *config, enum side side)
{
    switch (side) {
    case WIDTH:
        return config->d_model;
    case ALL_QKV:
        return config_query_width(config) + 2 * config_key_width(config);
    case QUERIES:
        return config_query_width(config);
    case KEYS:
        return config_key_width(config);
    case MLP:
        return config->d_mlp;
    case VOCAB:
        return config->vocab;
    case POSITIONS:
        return config->n_positions;
    case NO_SIDE:
        break;
    }
    return 1;
}

static bool is_needed(const struct model_config *config, enum need need)
{
    switch (need) {
    case ALWAYS:
        return true;
    case NEEDS_NORM:
        return config->norm != NORM_NONE;
    case NEEDS_LAYER_NORM:
        return config->norm == NORM_LAYER;
    case NEEDS_QKV_BIAS:
        return config->has_qkv_bias;
    case NEEDS_OUT_BIAS:
        return config->has_out_bias;
    case NEEDS_MLP_BIAS:
        return config->has_mlp_bias;
    case NEEDS_GATE:
        return config->is_gated;
    case NEEDS_GATE_BIAS:
        return config->is_gated && config->has_mlp_bias;
    case NEEDS_POSITIONS:
        return config->positions == POSITIONS_LEARNED;
    case NEEDS_UNTIED:
        return !config->is_tied;
    }
    return false;
}

/* A model without an MLP has no norm before it either. */
static bool has_mlp(const struct model_config *config)
{
    return config->d_mlp > 0;
}

bool parameter_shape(const struct model_config *config, enum param which, unsigned *ret_n_axes,
                     size_t ret_shape[2])
{
    const struct row *row = &rows[which];
    bool of_mlp = which >= PARAM_NORM2 && which <= PARAM_DOWN_BIAS;
    if (row->names[config->family] == NULL || !is_needed(config, row->need) ||
        (of_mlp && !has_mlp(config)))
        return false;
    size_t in = side_size(config, row->in), out = side_size(config, row->out);
    bool out_first = row->is_table || config->family == FAMILY_LLAMA;
    *ret_n_axes = row->out == NO_SIDE ? 1 : 2;
    ret_shape[0] = row->out != NO_SIDE && out_first ? out : in;
    ret_shape[1] = out_first ? in : out;
    return true;
}

void parameter_name(const struct model_config *config, enum param which, size_t layer,
                    char name[PARAM_NAME_BYTES])
{
    const char *form = rows[which].names[config->family], *hole;
    name[0] = '\0';
    if (form == NULL)
        return;
    hole = strstr(form, "%zu");
    if (hole == NULL)
        snprintf(name, PARAM_NAME_BYTES, "%s", form);
    else
        snprintf(name, PARAM_NAME_BYTES, "%.*s%zu%s", (int)(hole - form), form, layer, hole + 3);
}

const char *parameter_short_name(const char *name)
{
    static const char prefix[] = GPT2("");
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

bool parameter_is_matrix(enum param which)
{
    return rows[which].out != NO_SIDE;
}

size_t parameter_total(const struct model_config *config)
{
    size_t total = 0, layer, shape[2];
    unsigned n_axes;
    for (size_t at = 0; at < parameter_count(config); at++)
        if (parameter_shape(config, parameter_which(config, at, &layer), &n_axes, shape))
            total += shape[0] * (n_axes == 2 ? shape[1] : 1);
    return total;
}
