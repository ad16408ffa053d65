/* Explains a wrong context: which one or two changes of the formula of attention give exactly these
 * numbers? It searches with diagnose/search.h among the edits of assets/edits.yaml. */
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
    double scale;               /* if has_scale; else 1 / sqrt(d_k) */
    size_t n_heads;             /* 0: attention reads the tensors as they are */
    const struct tensor *w_out; /* (d_values, d_out), with heads; or NULL */
    const volatile sig_atomic_t *stop;
};

/* Looks for the mistake, or the two together, that give context within tolerance in each of its
 * finite numbers. want is the right context, which differs from context by more than tolerance.
 * Adds a description to *ret_when, as in "this is what comes out when ..."; adds nothing if there
 * is no such mistake. One set of inputs says little about a context whose rows are all equal: it
 * finds nothing for such a context. With large inputs it tries only as many changes, the most
 * common ones, as take about two seconds; *ret_n_untried is the number of the others. */
bool mistake_find(const struct mistake_input *input, const struct edits *edits,
                  const struct tensor *context, const struct tensor *want, double tolerance,
                  struct text *ret_when, size_t *ret_n_untried, struct error *reterr);

/* Notes in uses[edits->n] the effect of each edit on the formulas that are changed above, with
 * drawn inputs, if it is greater than the effect already noted. For lint. */
bool mistake_note_uses(const struct edits *edits, enum edit_use *uses, struct error *reterr);

#endif
