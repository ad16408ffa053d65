/* The mistake behind a wrong context: which one or two changes of the formula of attention give
 * exactly these numbers? It is looked for with diagnose/search.h among the edits of
 * assets/edits.yaml. */
#ifndef ATTN_VERIFY_VERIFY_MISTAKES_H
#define ATTN_VERIFY_VERIFY_MISTAKES_H

#include <signal.h>

#include "base/text.h"
#include "diagnose/edits.h"
#include "tensor/tensor.h"

/* The inputs of attention. The tensors are the caller's and only read. */
struct mistake_input {
    const struct tensor *query, *key,
        *value;                /* (..., n, d); with heads: projected, not yet split */
    const struct tensor *mask; /* boolean: True may attend; else added to the scores; or NULL */
    bool is_causal;
    bool has_scale;
    double scale;               /* where has_scale; else 1 / sqrt(d_k) */
    size_t n_heads;             /* 0: the tensors are attended with as they are */
    const struct tensor *w_out; /* (d_values, d_out), with heads; or NULL */
    const volatile sig_atomic_t *stop;
};

/* Looks for the mistake, or the two together, that give context within tolerance in each of its
 * finite numbers; want is what attention gives, which differs by more than that. Adds to *ret_when
 * what was done, as in "this is what comes out when ..."; nothing where there is no such mistake.
 * One set of inputs says little of a context whose rows are all alike: nothing is found for it. Of
 * large inputs only so many changes are tried, the most common ones, as take some two seconds;
 * *ret_n_untried is how many are not. */
bool mistake_find(const struct mistake_input *input, const struct edits *edits,
                  const struct tensor *context, const struct tensor *want, double tolerance,
                  struct text *ret_when, size_t *ret_n_untried, struct error *reterr);

/* Notes in uses [edits->n] what each edit does in the formulas that are changed above, with inputs
 * that are drawn, where that is more than what is noted. For lint. */
bool mistake_note_uses(const struct edits *edits, enum edit_use *uses, struct error *reterr);

#endif
