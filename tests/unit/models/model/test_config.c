/* config.json: what is read of it, and what is refused by name. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text.h"
#include "model/config_internal.h"
#include "model/parameter_internal.h"

static const char gpt2[] = "{\"model_type\": \"gpt2\", \"vocab_size\": 97, \"n_positions\": 64, "
                           "\"n_embd\": 32, \"n_layer\": 2, \"n_head\": 4}";
static const char llama[] =
    "{\"model_type\": \"llama\", \"vocab_size\": 61, \"hidden_size\": 32, "
    "\"intermediate_size\": 48, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
    "\"num_key_value_heads\": 2}";

static const char qwen2[] =
    "{\"model_type\": \"qwen2\", \"vocab_size\": 61, \"hidden_size\": 32, "
    "\"intermediate_size\": 48, \"num_hidden_layers\": 2, \"num_attention_heads\": 4}";

#define LLAMA3(factor, high)                                                       \
    "{\"rope_type\": \"llama3\", \"factor\": " factor ", \"low_freq_factor\": 1, " \
    "\"high_freq_factor\": " high ", \"original_max_position_embeddings\": 8192}"

/* Reads json as the config.json of a folder of its own. */
static bool read_text(const char *json, struct model_config *ret, struct error *reterr)
{
    char folder[] = "/tmp/attn-config-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/config.json", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(json, file);
    fclose(file);
    bool ok = config_read(folder, ret, reterr);
    unlink(path);
    rmdir(folder);
    return ok;
}

/* json with one more key in front. */
static bool read_with(const char *json, const char *more, struct model_config *ret,
                      struct error *reterr)
{
    char text[1024];
    snprintf(text, sizeof text, "{%s, %s", more, json + 1);
    return read_text(text, ret, reterr);
}

static void test_config__families(void **state)
{
    (void)state;
    struct model_config config;
    struct error error;
    assert_true(read_text(gpt2, &config, &error));
    assert_int_equal(config.family, FAMILY_GPT2);
    assert_int_equal(config.head_dim, 8);
    assert_int_equal(config.d_mlp, 128); /* 4 widths where n_inner is not given */
    assert_true(config.is_tied && config.has_qkv_bias && config.is_causal);
    assert_true(read_text(llama, &config, &error));
    assert_int_equal(config.family, FAMILY_LLAMA);
    assert_int_equal(config.n_kv_heads, 2);
    assert_true(config.is_gated && !config.is_tied && !config.has_qkv_bias);
}

/* Those that the published GPT-2, 124M parameters, has. */
static void test_config__counts_parameters(void **state)
{
    (void)state;
    struct model_config config;
    struct error error;
    assert_true(read_text("{\"vocab_size\": 50257, \"n_positions\": 1024, \"n_embd\": 768, "
                          "\"n_layer\": 12, \"n_head\": 12}",
                          &config, &error));
    assert_int_equal(parameter_total(&config), 124439808);
}

/* Names, places and back again, each parameter once. */
static void test_config__each_parameter_has_a_name(void **state)
{
    (void)state;
    struct model_config config;
    struct error error;
    assert_true(read_text(gpt2, &config, &error));
    for (size_t at = 0; at < parameter_count(&config); at++) {
        size_t layer, shape[2];
        unsigned n_axes;
        char name[PARAM_NAME_BYTES];
        enum param which = parameter_which(&config, at, &layer);
        assert_int_equal(parameter_at(&config, which, layer), at);
        if (!parameter_shape(&config, which, &n_axes, shape))
            continue;
        parameter_name(&config, which, layer, name);
        assert_true(strncmp(name, "transformer.", 12) == 0);
        assert_string_equal(parameter_short_name(name), name + 12);
    }
}

static void reads_back(const char *base, const char *more)
{
    struct model_config config, again;
    struct error error;
    struct text text = {0};
    assert_true(read_with(base, more, &config, &error));
    assert_true(config_write(&config, &text, &error));
    assert_true(read_text(text_string(&text), &again, &error));
    assert_memory_equal(&config, &again, sizeof config);
    text_release(&text);
}

static void test_config__what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const more[] = {"\"n_inner\": 0",
                                       "\"attn_norm\": \"none\"",
                                       "\"attn_positions\": \"rope\"",
                                       "\"attn_causal\": false",
                                       "\"eos_token_id\": 5",
                                       "\"activation_function\": \"relu\"",
                                       "\"scale_attn_by_inverse_layer_idx\": true",
                                       "\"layer_norm_epsilon\": 0.0001"};
    static const char *const more_of_llama[] = {
        "\"attention_bias\": true", "\"mlp_bias\": true",
        "\"rope_parameters\": {\"rope_type\": \"linear\", \"factor\": 4, \"rope_theta\": 7.5}",
        "\"rope_scaling\": " LLAMA3("8.0", "4.0")};
    for (size_t i = 0; i < COUNT_OF(more); i++)
        reads_back(gpt2, more[i]);
    for (size_t i = 0; i < COUNT_OF(more_of_llama); i++)
        reads_back(llama, more_of_llama[i]);
}

/* Where older and newer files keep what rotary positions need. */
static void test_config__rotary_positions(void **state)
{
    (void)state;
    struct model_config c;
    struct error error;
    assert_true(read_with(llama, "\"rope_theta\": 5e5, \"rope_scaling\": null", &c, &error));
    assert_true(c.rope_theta == 5e5 && c.stretch.kind == STRETCH_NONE);
    assert_true(read_with(llama, "\"rope_parameters\": {\"rope_theta\": 5e5}", &c, &error));
    assert_true(c.rope_theta == 5e5 && c.stretch.kind == STRETCH_NONE);
    assert_true(
        read_with(llama, "\"rope_theta\": 5e5, \"rope_scaling\": " LLAMA3("8", "4"), &c, &error));
    assert_true(c.rope_theta == 5e5 && c.stretch.kind == STRETCH_LLAMA3);
    assert_true(c.stretch.factor == 8 && c.stretch.slow_turns == 1 && c.stretch.fast_turns == 4);
    assert_true(c.stretch.n_before == 8192);
    assert_true(
        read_with(llama, "\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}", &c, &error));
    assert_true(c.stretch.kind == STRETCH_LINEAR && c.stretch.factor == 2);
}

/* Qwen2's q, k and v have biases, whatever its file says; Llama's file says it of all. */
static void test_config__biases(void **state)
{
    (void)state;
    struct model_config c;
    struct error error;
    assert_true(read_with(llama, "\"attention_bias\": true, \"mlp_bias\": false", &c, &error));
    assert_true(c.has_qkv_bias && c.has_out_bias && !c.has_mlp_bias);
    assert_true(read_with(llama, "\"mlp_bias\": true", &c, &error));
    assert_true(!c.has_qkv_bias && !c.has_out_bias && c.has_mlp_bias);
    assert_true(read_with(qwen2, "\"attention_bias\": true", &c, &error));
    assert_true(c.has_qkv_bias && !c.has_out_bias && !c.has_mlp_bias);
}

static void test_config__refuses_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *base, *more, *says;
    } cases[] = {
        {gpt2, "\"activation_function\": \"quick_gelu\"", "\"quick_gelu\", which attn can't"},
        {gpt2, "\"quantization_config\": {\"bits\": 4}", "quantised"},
        {gpt2, "\"add_cross_attention\": true", "add_cross_attention"},
        {gpt2, "\"n_inner\": -1", "n_inner"},
        {gpt2, "\"n_inner\": 2.5", "n_inner"},
        {gpt2, "\"n_inner\": 99999999999", "n_inner"},
        {gpt2, "\"layer_norm_epsilon\": \"small\"", "layer_norm_epsilon"},
        {gpt2, "\"tie_word_embeddings\": 1", "tie_word_embeddings"},
        {gpt2, "\"n_layer\": 2", "n_layer"}, /* a key that stands twice */
        {llama, "\"use_sliding_window\": true", "sliding"},
        {llama, "\"sliding_window\": 8", "\"sliding_window\" is set"},
        {gpt2, "\"sliding_window\": 8", "\"sliding_window\" is set"},
        {qwen2, "\"layer_types\": [\"full_attention\", \"sliding_attention\"]", "layer_types"},
        {llama, "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2}", "\"yarn\""},
        {llama, "\"rope_scaling\": {\"rope_type\": \"linear\"}", "\"factor\" is missing"},
        {llama, "\"rope_scaling\": {\"factor\": 2}", "no \"rope_type\""},
        {llama, "\"rope_scaling\": 5", "must be an object"},
        {llama, "\"rope_scaling\": " LLAMA3("8", "1"), "high_freq_factor"},
        {llama, "\"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 2}",
         "\"low_freq_factor\" is missing"},
        {llama, "\"partial_rotary_factor\": 0.5", "partial_rotary_factor"},
        {llama, "\"rope_parameters\": {\"rope_theta\": 5, \"partial_rotary_factor\": 0.5}",
         "partial_rotary_factor"},
        {llama, "\"attention_bias\": 1", "attention_bias"},
        {llama, "\"head_dim\": 7", "head_dim is 7"},
        {llama, "\"hidden_act\": \"swiglu2\"", "swiglu2"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct model_config config;
        struct error error;
        assert_false(read_with(cases[i].base, cases[i].more, &config, &error));
        assert_says(error, cases[i].says);
    }
}

static void test_config__refuses_what_is_no_configuration(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{\"model_type\": \"mamba\"}", "\"mamba\""},
        {"{\"architectures\": [\"BertModel\"]}", "BertModel"},
        {"{\"model_type\": 7}", "\"model_type\" must be a text"},
        {"{}", "vocab_size"},
        {"[]", "config.json"},
        {"", "config.json"},
        {"{\"vocab_size\": 10, \"n_positions\": 4, \"n_embd\": 9, \"n_layer\": 1, \"n_head\": 2}",
         "n_head"},
        {"{\"vocab_size\": 10, \"n_positions\": 4, \"n_embd\": 8, \"n_layer\": 0, \"n_head\": 2}",
         "n_layer"},
        {"{\"vocab_size\": 10, \"n_positions\": 4, \"n_embd\": 8, \"n_layer\": 1000000000, "
         "\"n_head\": 2}",
         "1000000000 layers; attn takes up to 4096"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct model_config config;
        struct error error;
        assert_false(read_text(cases[i].json, &config, &error));
        assert_says(error, cases[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config__families),
        cmocka_unit_test(test_config__rotary_positions),
        cmocka_unit_test(test_config__biases),
        cmocka_unit_test(test_config__counts_parameters),
        cmocka_unit_test(test_config__each_parameter_has_a_name),
        cmocka_unit_test(test_config__what_is_written_reads_back),
        cmocka_unit_test(test_config__refuses_by_name),
        cmocka_unit_test(test_config__refuses_what_is_no_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
