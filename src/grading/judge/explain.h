/* A judgement in the words and tables that a learner sees. */
#ifndef ATTN_JUDGE_EXPLAIN_H
#define ATTN_JUDGE_EXPLAIN_H

#include "judge/judge.h"
#include "show/matrix.h"

/* The headline is the verdict in a sentence. It needs only the verdict and, for PASS, the cases.
 * The rest is the failing case, made small: its inputs as labelled matrices, expected beside got
 * with the differing cells marked, `why` of the first differing cell, and the mistake that was
 * found; or the compiler's messages with a plain sentence before them. */
void explain_headline(const struct exercise *exercise, const struct judgement *judgement,
                      const struct show_options *options, struct doc *doc);
void explain_rest(const struct exercise *exercise, struct judgement *judgement,
                  const struct show_options *options, struct doc *doc);
/* Adds the matrices that the program shows of itself (attn_show.h), beside attn's own; adds nothing
 * if it shows none. */
void explain_shown(struct judgement *judgement, const struct show_options *options,
                   struct doc *doc);
/* Writes the judgement into result.message, as plain text of 80 columns and at most some 60 lines.
 * Its speed is left out, since the figures differ from run to run. */
bool explain_message(const struct exercise *exercise, struct judgement *judgement,
                     struct error *reterr);

#endif
