/* An exploration as a person writes it, at the shell, at the prompt, and as attn remembers it: a
 * sentence, its options, and the first stage to show.
 *
 *   "my cat saw your dog" heads=4 mask=causal scale=off temperature=0.5 at=weights
 *
 * The quotes may be left out. Options are the last words; if one is repeated, the last one
 * counts. */
#ifndef ATTN_PIPELINE_EXPLORATION_H
#define ATTN_PIPELINE_EXPLORATION_H

#include "pipeline/pipeline_internal.h"

enum { EXPLORATION_BYTES = 512, EXPLORATION_WORD_BYTES = 32 };

struct exploration {
    /* A sentence, or the name of a tensor; "": keep the current one. */
    char what[EXPLORATION_BYTES];
    bool is_sentence; /* it was in quotes: not a name */
    bool has_options; /* at least one option was given */
    struct pipeline_options options;
    char at[24]; /* the name of a stage; "": not given */
};

/* The sentence that is explored if none is given. */
extern const char exploration_example[];
/* Word i of those that can be typed after a sentence, for completion: "heads=", "mask=none", ...
 * False from the end of the list on. */
bool exploration_word(size_t i, char word[EXPLORATION_WORD_BYTES]);

/* An empty exploration, with a pipeline's default options. */
void exploration_init(struct exploration *exploration);
/* Sets heads, mask, scale, temperature or at. ERR_NAME, with the nearest spelling, for another
 * name, or a value that it can't have. */
bool exploration_set(struct exploration *exploration, const char *name, const char *value,
                     struct error *reterr);
/* Reads line[0..size), on top of *exploration. ERR_LIMIT if it is too long; other errors as
 * exploration_set(); *exploration is unchanged then. */
bool exploration_read(const char *line, size_t size, struct exploration *exploration,
                      struct error *reterr);
/* Writes a line that exploration_read() reads as the same. */
void exploration_write(const char *sentence, const struct pipeline_options *options,
                       struct text *text);
/* "4 heads, causal mask, not scaled, temperature 0.5": the options that are not the default. */
void exploration_describe(const struct pipeline_options *options, struct text *text);
/* The stage of this name, or the only one that begins with it; n_stages on failure: ERR_NAME lists
 * the stages. */
size_t exploration_stage(const struct pipeline *pipeline, const char *name, struct error *reterr);

#endif
