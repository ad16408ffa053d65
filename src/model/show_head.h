/* One head of a run as a person reads it. */
#ifndef ATTN_MODEL_SHOW_HEAD_H
#define ATTN_MODEL_SHOW_HEAD_H

#include "base/error.h"

struct alignment;
struct doc;
struct node;
struct run;
struct show_options;

/* How a head is looked at. */
struct head_look {
    size_t layer, head;
    bool by_length;  /* each weight times the length of its key's value */
    bool hides_sink; /* the key that gets most is left out, and rest of each row rescaled */
};

/* What a look shows, of all heads of the layer, as a node made of the run's stages: n_heads x n x
 * n, labelled by the tokens; the key that is hidden is look->head's. The caller frees it. NULL on
 * failure, as pattern_of_head(). Source of by_length: Kobayashi and others 2020, "Attention is Not
 * Only a Weight". */
struct node *head_node(struct run *run, const struct head_look *look, struct error *reterr);
/* "layer 5, head 1: weights x length of v, without "The" at 0, rest rescaled". */
bool show_head_title(struct run *run, const struct head_look *look, struct doc *out,
                     struct error *reterr);
/* Names the sink, or says that there is none. */
bool show_head_sink(struct run *run, const struct head_look *look, struct doc *out,
                    struct error *reterr);
/* All of them: the title, the table as a heatmap labelled by the tokens, the sink. */
bool show_head(struct run *run, const struct head_look *look, const struct show_options *options,
               struct doc *out, struct error *reterr);
/* What a head does differently in the second of two runs: its weights there minus those in the
 * first, between the tokens that alignment pairs, as a heatmap with a title. */
bool show_head_difference(struct run *const runs[2], const struct alignment *alignment,
                          const size_t head[2], const struct show_options *options, struct doc *out,
                          struct error *reterr);

#endif
