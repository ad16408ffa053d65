/* config.json: what is read of it, and what is refused by name. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "model/config.h"
#include "model/parameter.h"

static const char gpt2[] = "{\"model_type\": \"gpt2\", \"vocab_size\": 97, \"n_positions\": 64, "
                           "\"n_embd\": 32, \"n_layer\": 2, \"n_head\": 4}";
static const char llama[] =
    "{\"model_type\": \"llama\", \"vocab_size\": 61, \"hidden_size\": 32, "
    "\"intermediate_size\": 48, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, "
    "\"num_key_value_heads\": 2}";

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
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        struct model_config config, again;
        struct error error;
        struct text text = {0};
        assert_true(read_with(gpt2, more[i], &config, &error));
        assert_true(config_write(&config, &text, &error));
        assert_true(read_text(text_string(&text), &again, &error));
        assert_memory_equal(&config, &again, sizeof config);
        text_release(&text);
    }
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
        {llama, "\"rope_scaling\": {\"rope_type\": \"llama3\"}", "llama3"},
        {llama, "\"attention_bias\": true", "attention_bias"},
        {llama, "\"mlp_bias\": true", "mlp_bias"},
        {llama, "\"head_dim\": 7", "head_dim is 7"},
        {llama, "\"hidden_act\": \"swiglu2\"", "swiglu2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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
        {"{}", "vocab_size"},
        {"[]", "config.json"},
        {"", "config.json"},
        {"{\"vocab_size\": 10, \"n_positions\": 4, \"n_embd\": 9, \"n_layer\": 1, \"n_head\": 2}",
         "n_head"},
        {"{\"vocab_size\": 10, \"n_positions\": 4, \"n_embd\": 8, \"n_layer\": 0, \"n_head\": 2}",
         "n_layer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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
        cmocka_unit_test(test_config__counts_parameters),
        cmocka_unit_test(test_config__each_parameter_has_a_name),
        cmocka_unit_test(test_config__what_is_written_reads_back),
        cmocka_unit_test(test_config__refuses_by_name),
        cmocka_unit_test(test_config__refuses_what_is_no_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
