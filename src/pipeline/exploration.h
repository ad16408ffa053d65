/* An exploration as a person writes it, at the shell, at the prompt, and as attn remembers it: a
 * sentence, the options that it is computed with, the stage to begin at.
 *
 *   "my cat saw your dog" heads=4 mask=causal scale=off temperature=0.5 at=weights
 *
 * The quotes may be left out. Options are the last words, each once or more: the last one counts.
 */
#ifndef ATTN_PIPELINE_EXPLORATION_H
#define ATTN_PIPELINE_EXPLORATION_H

#include "pipeline/pipeline.h"

enum { EXPLORATION_BYTES = 512 };

struct exploration {
    char what[EXPLORATION_BYTES]; /* a sentence, or the name of a tensor; "": what is shown now */
    bool is_sentence;             /* it was in quotes: no name */
    bool has_options;             /* one was said at least */
    struct pipeline_options options;
    char at[24]; /* the name of a stage; "": none was said */
};

/* What is explored where no sentence is said. */
extern const char exploration_example[];
/* The options that an exploration has and their values, for help and completion. */
extern const char *const exploration_words[]; /* "heads=", "mask=none", ...; ends with NULL */

/* Nothing said: the options as a pipeline has them at first. */
void exploration_init(struct exploration *exploration);
/* Sets heads, mask, scale, temperature or at. ERR_NAME, with the nearest spelling, for another name
 * and for a value that it does not have. */
bool exploration_set(struct exploration *exploration, const char *name, const char *value,
                     struct error *reterr);
/* Reads line[0..size), on top of what *exploration says. ERR_LIMIT where it is too long; and as
 * exploration_set(), with *exploration as it was. */
bool exploration_read(const char *line, size_t size, struct exploration *exploration,
                      struct error *reterr);
/* Writes a line that reads as the same again. */
void exploration_write(const char *sentence, const struct pipeline_options *options,
                       struct text *text);
/* "4 heads, causal mask, not scaled, temperature 0.5": those that are not as at first. */
void exploration_describe(const struct pipeline_options *options, struct text *text);
/* The stage of a name, or of the first letters of one alone; n_stages where there is none: ERR_NAME
 * says which there are. */
size_t exploration_stage(const struct pipeline *pipeline, const char *name, struct error *reterr);

#endif
