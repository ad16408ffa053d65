/* Predictions as a person reads them: the next tokens as bars, and what a change did to them. */
#ifndef ATTN_MODEL_SHOW_PREDICTION_H
#define ATTN_MODEL_SHOW_PREDICTION_H

#include "base/error.h"

struct doc;
struct run;
struct sampling;
struct show_options;

/* The n likeliest tokens after position `row` of a run of one text (-1: its last), with their
 * probabilities at this temperature (> 0). ERR_RANGE for a position that is not there; ERR_SHAPE
 * for a run of several texts. */
bool show_prediction(struct run *run, ptrdiff_t row, size_t n, double temperature,
                     const struct show_options *options, struct doc *out, struct error *reterr);
/* The n likeliest tokens at the end of a run as bars, with the probabilities by which they are
 * drawn (temperature > 0); of those that top_k and top_p cut off, a sign stands in place of the
 * number. Tokens whose probability in base, a run of the same vocabulary, differs by half of the
 * last decimal shown or more are marked. */
bool show_prediction_beside(struct run *run, struct run *base, size_t n,
                            const struct sampling *sampling, const struct show_options *options,
                            struct doc *out, struct error *reterr);
/* The likeliest tokens at the end before or after a change, with both probabilities; those that
 * differ are marked. */
bool show_prediction_change(struct run *before, struct run *after, int digits, struct doc *out,
                            struct error *reterr);

#endif
