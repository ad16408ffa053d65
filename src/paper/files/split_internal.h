/* How a text is cut into pieces before they become tokens: no token reaches over the end of a
 * piece. Each model has patterns of its own, regular expressions that pcre2 finds. */
#ifndef ATTN_FILES_SPLIT_INTERNAL_H
#define ATTN_FILES_SPLIT_INTERNAL_H

#include "base/error.h"

enum { SPLIT_MAX_STEPS = 4 };

/* Steps, each of which cuts the pieces that the steps before it left whole. All zero bytes: nothing
 * is cut. */
struct split {
    const char *patterns[SPLIT_MAX_STEPS]; /* as tokenizer.json has them; static */
    struct pcre2_real_code_8 *codes[SPLIT_MAX_STEPS];
    unsigned n_steps;
};

#define SPLIT_GPT2 \
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"
#define SPLIT_DIGIT "\\p{N}" /* each digit alone */

void split_release(struct split *split);
/* Adds a step: each match of the pattern is a piece, and so is the text between two matches.
 * ERR_NAME: not a pattern of a model that attn knows; ERR_LIMIT: too many steps. */
bool split_add(struct split *split, const char *pattern, struct error *reterr);

/* Handles the piece bytes[0..size), which begins at `begin` of the text. False ends the run. */
typedef bool split_each(void *context, const char *bytes, size_t size, size_t begin,
                        struct error *reterr);
/* Calls each for every piece of text[0..size), from the first to the last; they follow each other
 * without gaps, and none is empty. Bytes that are not UTF-8 are pieces of their own. `begin` is
 * added to the place at which a piece begins. */
bool split_run(const struct split *split, const char *text, size_t size, size_t begin,
               split_each *each, void *context, struct error *reterr);

#endif
