/* The weights of a transformer: which ones a model has, their shapes, and their names in files. */
#ifndef ATTN_MODEL_PARAMETER_INTERNAL_H
#define ATTN_MODEL_PARAMETER_INTERNAL_H

#include "model/config_internal.h"
#include "tensor/tensor.h"

/* The weights of one layer come first, in the order in which a layer uses them. In GPT-2's family
 * query, key and value are the columns of one matrix, in Llama's they are three matrices. Matrices
 * are [in, out] in GPT-2's files and [out, in] in Llama's. */
enum param {
    PARAM_NORM1,
    PARAM_NORM1_BIAS,
    PARAM_QKV,
    PARAM_QKV_BIAS,
    PARAM_QUERY,
    PARAM_QUERY_BIAS,
    PARAM_KEY,
    PARAM_KEY_BIAS,
    PARAM_VALUE,
    PARAM_VALUE_BIAS,
    PARAM_OUT, /* from the heads' contexts to the residual stream */
    PARAM_OUT_BIAS,
    PARAM_NORM2,
    PARAM_NORM2_BIAS,
    PARAM_GATE,
    PARAM_GATE_BIAS,
    PARAM_UP,
    PARAM_UP_BIAS,
    PARAM_DOWN,
    PARAM_DOWN_BIAS,
    PARAMS_OF_LAYER,

    PARAM_TOKENS = PARAMS_OF_LAYER, /* [vocab, d_model] */
    PARAM_POSITIONS,                /* [n_positions, d_model] */
    PARAM_LAST_NORM,
    PARAM_LAST_NORM_BIAS,
    PARAM_LOGITS, /* [vocab, d_model]; only in models that are not tied */
    PARAM_COUNT
};

enum { PARAM_NAME_BYTES = 80 };

/* The number of weights of a model: those of layer 0, of layer 1, ..., then those outside the
 * layers. */
size_t parameter_count(const struct model_config *config);
/* The position of a weight in this order. layer only matters for weights of a layer. */
size_t parameter_at(const struct model_config *config, enum param which, size_t layer);
/* The inverse of parameter_at(). *ret_layer is 0 for a weight outside the layers. */
enum param parameter_which(const struct model_config *config, size_t at, size_t *ret_layer);

/* The shape of a weight; false if this model has no such weight. */
bool parameter_shape(const struct model_config *config, enum param which, unsigned *ret_n_axes,
                     size_t ret_shape[2]);
/* The name in files: transformer.h.3.attn.c_attn.weight. */
void parameter_name(const struct model_config *config, enum param which, size_t layer,
                    char name[PARAM_NAME_BYTES]);
/* The same without the prefix that GPT-2's published files leave out: h.3.attn.c_attn.weight. */
const char *parameter_short_name(const char *name);
/* True for a matrix that multiplies vectors; AdamW lets these weights decay. */
bool parameter_is_matrix(enum param which);
/* The number of numbers in the whole model. */
size_t parameter_total(const struct model_config *config);

#endif
