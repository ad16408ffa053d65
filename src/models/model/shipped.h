/* The model that comes with attn. */
#ifndef ATTN_MODEL_SHIPPED_H
#define ATTN_MODEL_SHIPPED_H

#include "base/error.h"

struct model;

/* The text that a model reads if none is given. */
extern const char shipped_example[];

/* Opens DATA_DIR/assets/model; data_dir may be NULL. ERR_FILE if the model is not there; else as
 * model_open(). */
struct model *shipped_open(const char *data_dir, struct error *reterr);

#endif
