/* See config_internal.h. Keys: transformers, configuration_gpt2.py, configuration_llama.py and
 * configuration_qwen2.py. */
#include "model/config_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "files/json.h"

/* A config.json that is being read. A key that is missing or null takes its default. */
struct reader {
    const json_t *json;
    const char *name;
    struct error *reterr;
    bool failed;
};

static bool fail(struct reader *reader, enum error_kind kind, const char *key, const char *why)
{
    if (!reader->failed)
        error_set(reader->reterr, kind, "%s: \"%s\" %s", reader->name, key, why);
    reader->failed = true;
    return false;
}

/* The value of the first of these keys that is there and not null. keys ends with NULL. */
static const json_t *find(const struct reader *reader, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        const json_t *value = json_object_get(reader->json, *keys);
        if (value != NULL && !json_is_null(value))
            return value;
    }
    return NULL;
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})
enum { CONFIG_MAX_BYTES = 1 << 20 };
enum { MOST = 1 << 30 }; /* more than any size that a tensor can have */
enum {
    MOST_LAYERS = 1 << 12
}; /* the record of each layer takes memory before any weight is read */

static size_t read_size(struct reader *reader, const char *const *keys, size_t otherwise)
{
    const json_t *value = find(reader, keys);
    if (value == NULL)
        return otherwise;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return fail(reader, ERR_FILE, keys[0], "must be a whole number, 0 or more");
    if (json_integer_value(value) > MOST)
        return fail(reader, ERR_LIMIT, keys[0], "is larger than any model attn can hold");
    return (size_t)json_integer_value(value);
}

static size_t read_needed(struct reader *reader, const char *const *keys)
{
    if (find(reader, keys) == NULL)
        return fail(reader, ERR_FILE, keys[0], "is missing");
    size_t size = read_size(reader, keys, 0);
    return size > 0 ? size : fail(reader, ERR_FILE, keys[0], "must be 1 or more");
}

static double read_number(struct reader *reader, const char *const *keys, double otherwise)
{
    const json_t *value = find(reader, keys);
    if (value == NULL)
        return otherwise;
    double number = json_number_value(value);
    if (!json_is_number(value) || !isfinite(number) || number <= 0)
        return fail(reader, ERR_FILE, keys[0], "must be a number above 0");
    return number;
}

static bool read_flag(struct reader *reader, const char *const *keys, bool otherwise)
{
    const json_t *value = find(reader, keys);
    if (value == NULL)
        return otherwise;
    if (!json_is_boolean(value))
        return fail(reader, ERR_FILE, keys[0], "must be true or false");
    return json_is_true(value);
}

static ptrdiff_t read_token(struct reader *reader, const char *const *keys)
{
    const json_t *value = find(reader, keys);
    if (json_is_array(value)) /* Llama 3 has several that end a text: the first one */
        value = json_array_get(value, 0);
    bool is_id = json_is_integer(value) && json_integer_value(value) >= 0 &&
                 json_integer_value(value) <= MOST;
    return is_id ? (ptrdiff_t)json_integer_value(value) : -1;
}

/* A name and what it stands for. */
struct word {
    const char *name;
    int value;
};

/* One of the words; another one is refused by name. */
static int read_word(struct reader *reader, const char *const *keys, const struct word *words,
                     size_t n, int otherwise)
{
    const json_t *value = find(reader, keys);
    if (value == NULL)
        return otherwise;
    const char *name = json_string_value(value);
    for (size_t i = 0; name != NULL && i < n; i++)
        if (strcmp(words[i].name, name) == 0)
            return words[i].value;
    char shown[48], why[160] = "must be a text";
    if (name != NULL) {
        struct text known = {0};
        for (size_t i = 0; i < n; i++)
            text_format(&known, "%s%s", i ? ", " : "", words[i].name);
        snprintf(why, sizeof why, "is \"%s\", which attn can't compute; it knows %s",
                 error_quote(shown, sizeof shown, name, strlen(name)), text_string(&known));
        text_release(&known);
    }
    return fail(reader, ERR_FILE, keys[0], why);
}

static const struct word activations[] = {
    {"gelu_new", ACTIVATION_GELU_TANH}, {"gelu_pytorch_tanh", ACTIVATION_GELU_TANH},
    {"gelu", ACTIVATION_GELU},          {"relu", ACTIVATION_RELU},
    {"silu", ACTIVATION_SILU},          {"swish", ACTIVATION_SILU},
};
static const struct word norms[] = {{"none", NORM_NONE}, {"layer", NORM_LAYER}, {"rms", NORM_RMS}};
static const struct word positions[] = {{"none", POSITIONS_NONE},
                                        {"learned", POSITIONS_LEARNED},
                                        {"sinusoidal", POSITIONS_SINUSOIDAL},
                                        {"rope", POSITIONS_ROPE}};
static const struct word families[] = {
    {"gpt2", FAMILY_GPT2}, {"llama", FAMILY_LLAMA}, {"qwen2", FAMILY_LLAMA}};

#define READ_WORD(reader, keys, words, otherwise) \
    read_word(reader, keys, words, COUNT_OF(words), otherwise)

/* ---- what is the same in both families ---- */

static void read_common(struct reader *reader, struct model_config *config)
{
    config->vocab = read_needed(reader, KEYS("vocab_size"));
    config->d_model = read_needed(reader, KEYS("n_embd", "hidden_size"));
    config->n_layers = read_needed(reader, KEYS("n_layer", "num_hidden_layers"));
    config->n_heads = read_needed(reader, KEYS("n_head", "num_attention_heads"));
    config->n_kv_heads =
        read_size(reader, KEYS("n_kv_head", "num_key_value_heads"), config->n_heads);
    config->is_causal = read_flag(reader, KEYS("attn_causal"), true);
    config->first_token = read_token(reader, KEYS("bos_token_id"));
    config->last_token = read_token(reader, KEYS("eos_token_id"));
    if (reader->failed)
        return;
    size_t width = config->d_model / config->n_heads;
    config->head_dim = read_size(reader, KEYS("head_dim"), width);
    if (find(reader, KEYS("head_dim")) == NULL && width * config->n_heads != config->d_model)
        fail(reader, ERR_FILE, "n_head",
             "must divide the width of the model: each head has the same share");
    if (find(reader, KEYS("quantization_config")) != NULL)
        fail(reader, ERR_FILE, "quantization_config",
             "says that the weights are quantised, which attn can't read; take the model as F32, "
             "F16 or BF16");
}

static void read_gpt2(struct reader *reader, struct model_config *config)
{
    config->norm = (enum model_norm)READ_WORD(reader, KEYS("attn_norm"), norms, NORM_LAYER);
    config->positions = (enum model_positions)READ_WORD(reader, KEYS("attn_positions"), positions,
                                                        POSITIONS_LEARNED);
    config->activation = (enum model_activation)READ_WORD(reader, KEYS("activation_function"),
                                                          activations, ACTIVATION_GELU_TANH);
    config->n_positions = read_needed(reader, KEYS("n_positions", "max_position_embeddings"));
    config->d_mlp = read_size(reader, KEYS("n_inner"), 4 * config->d_model);
    config->norm_eps = read_number(reader, KEYS("layer_norm_epsilon"), 1e-5);
    config->rope_theta = read_number(reader, KEYS("rope_theta"), 10000);
    config->has_qkv_bias = config->has_out_bias = config->has_mlp_bias = true;
    config->is_tied = read_flag(reader, KEYS("tie_word_embeddings"), true);
    config->scales_scores = read_flag(reader, KEYS("scale_attn_weights"), true);
    config->scales_by_layer = read_flag(reader, KEYS("scale_attn_by_inverse_layer_idx"), false);
    config->scales_embedding = read_flag(reader, KEYS("attn_scale_embedding"), false);
    if (read_flag(reader, KEYS("add_cross_attention"), false))
        fail(reader, ERR_FILE, "add_cross_attention", "is true, which attn can't compute");
}

/* ---- rotary positions ---- */

/* The object that says how positions turn: a reader of it, under the name of its key. */
static bool find_rope(const struct reader *reader, struct reader *ret)
{
    const json_t *json = find(reader, KEYS("rope_parameters", "rope_scaling"));
    *ret = *reader;
    ret->json = json;
    return json != NULL;
}

static const struct word stretches[] = {{"default", STRETCH_NONE},
                                        /* as default, up to the longest text */
                                        {"dynamic", STRETCH_NONE},
                                        {"linear", STRETCH_LINEAR},
                                        {"llama3", STRETCH_LLAMA3}};

/* A number of a stretch, which has no default. */
static double read_stretch(struct reader *rope, const char *key)
{
    if (find(rope, KEYS(key)) == NULL)
        fail(rope, ERR_FILE, key, "is missing in rope_scaling");
    return read_number(rope, KEYS(key), 1);
}

static void read_llama3(struct reader *rope, struct rope_stretch *ret)
{
    ret->slow_turns = read_stretch(rope, "low_freq_factor");
    ret->fast_turns = read_stretch(rope, "high_freq_factor");
    ret->n_before = read_stretch(rope, "original_max_position_embeddings");
    if (!rope->failed && ret->fast_turns <= ret->slow_turns)
        fail(rope, ERR_FILE, "high_freq_factor", "must be more than low_freq_factor");
}

/* Older files name it "type", or give theta beside it. */
static void read_rope(struct reader *reader, struct model_config *config)
{
    struct reader rope;
    config->rope_theta = read_number(reader, KEYS("rope_theta"), 10000);
    if (read_number(reader, KEYS("partial_rotary_factor"), 1) < 1)
        fail(reader, ERR_FILE, "partial_rotary_factor", "is below 1, which attn can't compute");
    if (!find_rope(reader, &rope))
        return;
    if (!json_is_object(rope.json)) {
        fail(reader, ERR_FILE, "rope_scaling", "must be an object, or null");
        return;
    }
    if (find(&rope, KEYS("rope_type", "type", "rope_theta")) == NULL)
        fail(reader, ERR_FILE, "rope_scaling", "has no \"rope_type\"");
    config->rope_theta = read_number(&rope, KEYS("rope_theta"), config->rope_theta);
    config->stretch.kind = (enum rope_stretch_kind)READ_WORD(&rope, KEYS("rope_type", "type"),
                                                             stretches, STRETCH_NONE);
    if (config->stretch.kind != STRETCH_NONE)
        config->stretch.factor = read_stretch(&rope, "factor");
    if (config->stretch.kind == STRETCH_LLAMA3)
        read_llama3(&rope, &config->stretch);
    if (read_number(&rope, KEYS("partial_rotary_factor"), 1) < 1)
        fail(&rope, ERR_FILE, "partial_rotary_factor", "is below 1, which attn can't compute");
    reader->failed = reader->failed || rope.failed;
}

/* Qwen2's and newer files say it of each layer. */
static void check_windows(struct reader *reader)
{
    const json_t *types = find(reader, KEYS("layer_types"));
    const json_t *window = find(reader, KEYS("sliding_window"));
    bool may_have = find(reader, KEYS("use_sliding_window")) == NULL; /* Qwen2's says it there */
    if (read_flag(reader, KEYS("use_sliding_window"), false))
        fail(reader, ERR_FILE, "use_sliding_window",
             "is true: attn can't compute attention in a sliding window");
    if (may_have && window != NULL && !json_is_null(window))
        fail(reader, ERR_FILE, "sliding_window",
             "is set: attn can't compute attention in a sliding window");
    for (size_t i = 0; i < json_array_size(types); i++) {
        const char *name = json_string_value(json_array_get(types, i));
        if (name == NULL || strcmp(name, "full_attention") != 0)
            fail(reader, ERR_FILE, "layer_types",
                 "has others than \"full_attention\": attn can't compute attention in a sliding "
                 "window");
    }
}

/* Which products have biases: Llama's file says it, Qwen2's does not. */
static void read_biases(struct reader *reader, const char *type, struct model_config *config)
{
    bool is_qwen2 = strcmp(type, "qwen2") == 0;
    bool attention = !is_qwen2 && read_flag(reader, KEYS("attention_bias"), false);
    config->has_qkv_bias = is_qwen2 || attention;
    config->has_out_bias = attention;
    config->has_mlp_bias = !is_qwen2 && read_flag(reader, KEYS("mlp_bias"), false);
}

static void read_llama(struct reader *reader, const char *type, struct model_config *config)
{
    config->norm = NORM_RMS;
    config->positions = POSITIONS_ROPE;
    config->is_gated = true;
    config->scales_scores = true;
    config->activation =
        (enum model_activation)READ_WORD(reader, KEYS("hidden_act"), activations, ACTIVATION_SILU);
    config->n_positions = read_size(reader, KEYS("max_position_embeddings"), 2048);
    config->d_mlp = read_needed(reader, KEYS("intermediate_size"));
    config->norm_eps = read_number(reader, KEYS("rms_norm_eps"), 1e-6);
    config->is_tied = read_flag(reader, KEYS("tie_word_embeddings"), false);
    read_biases(reader, type, config);
    read_rope(reader, config);
}

/* ---- the whole ---- */

/* model_type, or what the name of the architecture says where a file has no model_type. */
static const char *type_of(struct reader *reader)
{
    const char *type = json_string_value(json_object_get(reader->json, "model_type"));
    const char *architecture =
        json_string_value(json_array_get(json_object_get(reader->json, "architectures"), 0));
    if (type != NULL)
        return type;
    if (architecture == NULL || strncmp(architecture, "GPT2", 4) == 0)
        return "gpt2"; /* the published GPT-2 of 2019 named neither */
    return strncmp(architecture, "Llama", 5) == 0   ? "llama"
           : strncmp(architecture, "Qwen2", 5) == 0 ? "qwen2"
                                                    : architecture;
}

static void read_config(struct reader *reader, struct model_config *config)
{
    const char *type = type_of(reader);
    char shown[48], why[160];
    if (find(reader, KEYS("model_type")) != NULL &&
        !json_is_string(find(reader, KEYS("model_type")))) {
        fail(reader, ERR_FILE, "model_type", "must be a text");
        return;
    }
    size_t i = 0;
    while (i < COUNT_OF(families) && strcmp(families[i].name, type) != 0)
        i++;
    if (i == COUNT_OF(families)) {
        snprintf(why, sizeof why,
                 "is \"%s\", which attn can't compute; it knows gpt2, llama, qwen2",
                 error_quote(shown, sizeof shown, type, strlen(type)));
        fail(reader, ERR_FILE, "model_type", why);
        return;
    }
    config->family = (enum model_family)families[i].value;
    read_common(reader, config);
    check_windows(reader);
    if (!reader->failed && config->family == FAMILY_GPT2)
        read_gpt2(reader, config);
    else if (!reader->failed)
        read_llama(reader, type, config);
}

bool config_read(const char *folder, struct model_config *ret, struct error *reterr)
{
    struct model_config config = {0};
    char path[4096];
    json_t *root;
    int size = snprintf(path, sizeof path, "%s/config.json", folder);
    if (size < 0 || (size_t)size >= sizeof path)
        return error_set(reterr, ERR_FILE, "%.80s...: the path is too long", folder);
    if (!json_read_file(path, CONFIG_MAX_BYTES, &root, reterr))
        return false;
    struct reader reader = {.json = root, .name = path, .reterr = reterr};
    read_config(&reader, &config);
    json_decref(root);
    if (reader.failed || !config_check(&config, path, reterr))
        return false;
    *ret = config;
    return true;
}

size_t config_query_width(const struct model_config *config)
{
    return config->n_heads * config->head_dim;
}

size_t config_key_width(const struct model_config *config)
{
    return config->n_kv_heads * config->head_dim;
}

bool config_check(const struct model_config *config, const char *what, struct error *reterr)
{
    const size_t sizes[] = {config->vocab,    config->n_positions, config->d_model,
                            config->n_layers, config->n_heads,     config->n_kv_heads,
                            config->head_dim, config->d_mlp};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        if (sizes[i] > MOST)
            return error_set(reterr, ERR_LIMIT, "%s: a size of the model is too large", what);
    if (config->n_layers > MOST_LAYERS)
        return error_set(reterr, ERR_LIMIT, "%s: %zu layers; attn takes up to %d", what,
                         config->n_layers, MOST_LAYERS);
    if (config->n_kv_heads == 0 || config->n_heads % config->n_kv_heads != 0)
        return error_set(reterr, ERR_RANGE,
                         "%s: %zu query heads can't share %zu heads of keys: each key head serves "
                         "the same number of query heads",
                         what, config->n_heads, config->n_kv_heads);
    if (config->head_dim == 0)
        return error_set(reterr, ERR_RANGE,
                         "%s: %zu heads are more than a width of %zu has room for", what,
                         config->n_heads, config->d_model);
    if (config->positions == POSITIONS_ROPE && config->head_dim % 2 != 0)
        return error_set(reterr, ERR_RANGE,
                         "%s: rotary positions turn pairs of numbers, and head_dim is %zu", what,
                         config->head_dim);
    return true;
}

static const char *word_for(const struct word *words, size_t n, int value)
{
    for (size_t i = 0; i < n; i++)
        if (words[i].value == value)
            return words[i].name;
    return "?";
}

#define WORD_FOR(words, value) word_for(words, COUNT_OF(words), (int)(value))
#define SIZE(value) json_integer((json_int_t)(value))

static json_t *gpt2_json(const struct model_config *c)
{
    json_t *json = json_object();
    json_object_set_new(json, "architectures", json_pack("[s]", "GPT2LMHeadModel"));
    json_object_set_new(json, "model_type", json_string("gpt2"));
    json_object_set_new(json, "vocab_size", SIZE(c->vocab));
    json_object_set_new(json, "n_positions", SIZE(c->n_positions));
    json_object_set_new(json, "n_ctx", SIZE(c->n_positions));
    json_object_set_new(json, "n_embd", SIZE(c->d_model));
    json_object_set_new(json, "n_layer", SIZE(c->n_layers));
    json_object_set_new(json, "n_head", SIZE(c->n_heads));
    json_object_set_new(json, "n_inner", SIZE(c->d_mlp));
    json_object_set_new(json, "activation_function",
                        json_string(WORD_FOR(activations, c->activation)));
    json_object_set_new(json, "layer_norm_epsilon", json_real(c->norm_eps));
    json_object_set_new(json, "tie_word_embeddings", json_boolean(c->is_tied));
    json_object_set_new(json, "scale_attn_weights", json_boolean(c->scales_scores));
    json_object_set_new(json, "scale_attn_by_inverse_layer_idx", json_boolean(c->scales_by_layer));
    if (c->norm != NORM_LAYER)
        json_object_set_new(json, "attn_norm", json_string(WORD_FOR(norms, c->norm)));
    if (c->positions != POSITIONS_LEARNED)
        json_object_set_new(json, "attn_positions", json_string(WORD_FOR(positions, c->positions)));
    if (c->scales_embedding)
        json_object_set_new(json, "attn_scale_embedding", json_true());
    if (!c->is_causal)
        json_object_set_new(json, "attn_causal", json_false());
    return json;
}

static json_t *stretch_json(const struct rope_stretch *stretch)
{
    json_t *json = json_object();
    json_object_set_new(json, "rope_type", json_string(WORD_FOR(stretches, stretch->kind)));
    json_object_set_new(json, "factor", json_real(stretch->factor));
    if (stretch->kind == STRETCH_LLAMA3) {
        json_object_set_new(json, "low_freq_factor", json_real(stretch->slow_turns));
        json_object_set_new(json, "high_freq_factor", json_real(stretch->fast_turns));
        json_object_set_new(json, "original_max_position_embeddings", json_real(stretch->n_before));
    }
    return json;
}

static json_t *llama_json(const struct model_config *c)
{
    json_t *json = json_object();
    bool is_qwen2 = c->has_qkv_bias && !c->has_out_bias;
    json_object_set_new(json, "architectures",
                        json_pack("[s]", is_qwen2 ? "Qwen2ForCausalLM" : "LlamaForCausalLM"));
    json_object_set_new(json, "model_type", json_string(is_qwen2 ? "qwen2" : "llama"));
    json_object_set_new(json, "vocab_size", SIZE(c->vocab));
    json_object_set_new(json, "max_position_embeddings", SIZE(c->n_positions));
    json_object_set_new(json, "hidden_size", SIZE(c->d_model));
    json_object_set_new(json, "intermediate_size", SIZE(c->d_mlp));
    json_object_set_new(json, "num_hidden_layers", SIZE(c->n_layers));
    json_object_set_new(json, "num_attention_heads", SIZE(c->n_heads));
    json_object_set_new(json, "num_key_value_heads", SIZE(c->n_kv_heads));
    json_object_set_new(json, "head_dim", SIZE(c->head_dim));
    json_object_set_new(json, "hidden_act", json_string(WORD_FOR(activations, c->activation)));
    json_object_set_new(json, "rms_norm_eps", json_real(c->norm_eps));
    json_object_set_new(json, "rope_theta", json_real(c->rope_theta));
    if (c->stretch.kind != STRETCH_NONE)
        json_object_set_new(json, "rope_scaling", stretch_json(&c->stretch));
    json_object_set_new(json, "tie_word_embeddings", json_boolean(c->is_tied));
    if (!is_qwen2) {
        json_object_set_new(json, "attention_bias", json_boolean(c->has_qkv_bias));
        json_object_set_new(json, "mlp_bias", json_boolean(c->has_mlp_bias));
    }
    return json;
}

bool config_write(const struct model_config *config, struct text *text, struct error *reterr)
{
    json_t *json = config->family == FAMILY_GPT2 ? gpt2_json(config) : llama_json(config);
    json_object_set_new(json, "torch_dtype", json_string("float32"));
    if (config->first_token >= 0)
        json_object_set_new(json, "bos_token_id", SIZE(config->first_token));
    if (config->last_token >= 0)
        json_object_set_new(json, "eos_token_id", SIZE(config->last_token));
    char *bytes = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(json);
    if (bytes != NULL) {
        text_put(text, bytes);
        text_char(text, '\n');
    }
    free(bytes);
    return (bytes != NULL && !text->failed) || error_memory(reterr, "a configuration");
}
