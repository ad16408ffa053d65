/* Heads of a run as JSON, for other programs. */
#ifndef ATTN_MODEL_HEADS_JSON_H
#define ATTN_MODEL_HEADS_JSON_H

#include "base/error.h"

struct run;
struct text;

/* Which heads: layers [first_layer, end_layer), heads [first_head, end_head). */
struct heads_range {
    size_t first_layer, end_layer, first_head, end_head;
    bool by_length, hides_sink; /* how one head is looked at (show_model.h) */
};

/* Adds one object, and a newline:
 *
 *   model    its name
 *   tokens   a list of {"id", "text"}, the text as it is shown
 *   heads    a list of {"layer", "head", "weights": rows of numbers that read back as the same
 *            float32, "sink": {"position", "share"} or null}; if the head is looked at in another
 *            way, also "by_length": true, "without_sink": true, and the numbers are those
 *   next     the 10 likeliest tokens at the end: {"id", "text", "probability"}
 *
 * NaN is written as null, since JSON has no NaN. ERR_LIMIT for over 2^22 weights: ask for fewer
 * heads. Other errors as pattern_of_head(). */
bool heads_to_json(struct run *run, const struct heads_range *range, struct text *out,
                   struct error *reterr);

/* The same for the differences between two runs of the model:
 *
 *   first    {"model", "tokens", "next"} as above, of a
 *   second   {"tokens", "next"}, of b
 *   pairs    [place in the first, place in the second] of the tokens that belong together
 *   heads    a list of {"layer", "head",
 *              "change": as heads_change() of intervene.h,
 *              "difference": the weights in b minus those in a, pairs x pairs}
 *
 * range->by_length and range->hides_sink are not used. Errors as above, and as alignment_of(). */
bool heads_comparison_to_json(struct run *a, struct run *b, const struct heads_range *range,
                              struct text *out, struct error *reterr);

#endif
