/* The sizes and options of a transformer, as its config.json says.
 *
 * Two families: GPT-2's, and the one of Llama, Qwen2 and SmolLM. The keys are those that Hugging
 * Face's transformers writes for each; attn's own models are of GPT-2's family, and add the keys
 * attn_norm, attn_positions and n_inner 0 (no MLP) if they differ from it. */
#ifndef ATTN_MODEL_CONFIG_INTERNAL_H
#define ATTN_MODEL_CONFIG_INTERNAL_H

#include "base/error.h"

struct text;

enum model_family { FAMILY_GPT2, FAMILY_LLAMA };
enum model_norm { NORM_NONE, NORM_LAYER, NORM_RMS };
enum model_positions { POSITIONS_NONE, POSITIONS_LEARNED, POSITIONS_SINUSOIDAL, POSITIONS_ROPE };
enum model_activation { ACTIVATION_GELU_TANH, ACTIVATION_GELU, ACTIVATION_RELU, ACTIVATION_SILU };

/* How a model reads longer texts than it was first trained on: with angles that grow more
 * slowly. */
enum rope_stretch_kind {
    STRETCH_NONE,
    STRETCH_LINEAR, /* divides all angles by factor */
    STRETCH_LLAMA3, /* divides slow turns by factor, but not fast ones: see forward.c */
};

struct rope_stretch {
    enum rope_stretch_kind kind;
    double factor;                 /* 1 or more */
    double slow_turns, fast_turns; /* turns of a pair in n_before positions; slow < fast */
    double n_before;               /* the positions of the model's first training */
};

struct model_config {
    enum model_family family;
    enum model_norm norm;
    enum model_positions positions;
    enum model_activation activation;
    bool is_gated;         /* MLP: down(activation(gate x) * up x), else down(activation(up x)) */
    bool is_tied;          /* the embeddings of the tokens also make the logits */
    bool is_causal;        /* a token may attend to itself and earlier tokens, else to all */
    bool has_qkv_bias;     /* query, key and value have biases */
    bool has_out_bias;     /* the product after the heads has a bias */
    bool has_mlp_bias;     /* the products of the MLP have biases */
    bool scales_scores;    /* by 1 / sqrt(head_dim) */
    bool scales_embedding; /* multiplies tokens' embeddings by sqrt(d_model), before positions are
                            * added */
    bool scales_by_layer;  /* multiplies scores by 1 / (1 + layer), too */
    size_t vocab;
    size_t n_positions; /* the longest text */
    size_t d_model, n_layers;
    size_t n_heads, n_kv_heads; /* n_kv_heads divides n_heads */
    size_t head_dim;
    size_t d_mlp;                      /* 0: no MLP */
    double norm_eps;                   /* added to a variance before its root */
    double rope_theta;                 /* the base of the angles of POSITIONS_ROPE */
    struct rope_stretch stretch;       /* slows the angles down */
    ptrdiff_t first_token, last_token; /* ids of the tokens that begin and end a text; -1: the model
                                        * has no such token */
};

/* Reads the config.json of a folder.
 *
 *   ERR_FILE  it is missing or not such a file, or asks for something attn can't compute: the
 *             message names the key
 *   ERR_LIMIT a size that no tensor can have
 *   ERR_RANGE sizes that don't fit each other */
bool config_read(const char *folder, struct model_config *ret, struct error *reterr);
/* Adds the text of a config.json that config_read() reads back as the same. */
bool config_write(const struct model_config *config, struct text *text, struct error *reterr);
/* Says which sizes don't fit each other (ERR_RANGE), naming `what`. */
bool config_check(const struct model_config *config, const char *what, struct error *reterr);

/* The number of columns that the query, and the key or value, of all heads together have. */
size_t config_query_width(const struct model_config *config);
size_t config_key_width(const struct model_config *config);

#endif
