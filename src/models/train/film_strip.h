/* A film at a glance: some moments of its first branch with all heads of the model, and below them
 * the loss of every step. */
#ifndef ATTN_TRAIN_FILM_STRIP_H
#define ATTN_TRAIN_FILM_STRIP_H

#include "train/film.h"

struct doc;
struct show_options;

enum { FILM_STRIP_MOMENTS = 6 };

/* Shows the first and the last snapshot, and between them those at which the loss on held-out
 * sequences has gone down by another fifth of its total fall, so that busy phases have more. As
 * many as fit the width are side by side, each with its step, its score, and the weights of all
 * heads on one held-out sequence. ERR_RANGE if there are no snapshots yet. */
bool film_strip_show(const struct film *film, const struct show_options *options, struct doc *out,
                     struct error *reterr);

#endif
