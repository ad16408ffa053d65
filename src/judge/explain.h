/* A judgement as a learner is shown it. */
#ifndef ATTN_JUDGE_EXPLAIN_H
#define ATTN_JUDGE_EXPLAIN_H

#include "judge/judge.h"
#include "show/matrix.h"

/* The verdict in a sentence, which needs nothing but the verdict (and where it is PASS, the cases);
 * then the failing case small: its inputs as labelled matrices, expected beside got with the
 * differing cells marked, `why` of the first differing cell; the mistake that was found; or the
 * compiler's words with a plain sentence before them. */
void explain_headline(const struct exercise *exercise, const struct judgement *judgement,
                      const struct show_options *options, struct doc *doc);
void explain_rest(const struct exercise *exercise, struct judgement *judgement,
                  const struct show_options *options, struct doc *doc);
/* What the program shows of itself (attn_show.h), beside attn's own; nothing where it shows
 * nothing.
 */
void explain_shown(struct judgement *judgement, const struct show_options *options,
                   struct doc *doc);
/* The judgement in plain text of 80 columns for result.message: bounded to some 60 lines, and
 * without the figures of its speed, which differ from run to run. */
bool explain_message(const struct exercise *exercise, struct judgement *judgement,
                     struct error *reterr);

#endif
