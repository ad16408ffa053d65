/* The weights of a transformer: which there are, their shapes, and what files call them. */
#ifndef ATTN_MODEL_PARAMETER_H
#define ATTN_MODEL_PARAMETER_H

#include "model/config.h"
#include "tensor/tensor.h"

/* Those of one layer come first, in the order in which a layer uses them. In GPT-2's family query,
 * key and value are the columns of one matrix, in Llama's they are three. Matrices are [in, out] in
 * GPT-2's files and [out, in] in Llama's. */
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
    PARAM_LOGITS, /* [vocab, d_model]; models that are not tied */
    PARAM_COUNT
};

enum { PARAM_NAME_BYTES = 80 };

/* All weights of a model: those of layer 0, of layer 1, ..., then those of no layer. */
size_t parameter_count(const struct model_config *config);
/* The place of a weight among them. layer counts only for those of a layer. */
size_t parameter_at(const struct model_config *config, enum param which, size_t layer);
/* The other way round. *ret_layer is 0 for a weight of no layer. */
enum param parameter_which(const struct model_config *config, size_t at, size_t *ret_layer);

/* The shape of a weight; false where this model has none of it. */
bool parameter_shape(const struct model_config *config, enum param which, unsigned *ret_n_axes,
                     size_t ret_shape[2]);
/* What files call it: transformer.h.3.attn.c_attn.weight. */
void parameter_name(const struct model_config *config, enum param which, size_t layer,
                    char name[PARAM_NAME_BYTES]);
/* The same without what GPT-2's published files leave out in front: h.3.attn.c_attn.weight. */
const char *parameter_short_name(const char *name);
/* True for a matrix that a vector is multiplied by, which is where AdamW lets weights decay. */
bool parameter_is_matrix(enum param which);
/* How many numbers the whole model has. */
size_t parameter_total(const struct model_config *config);

#endif
