/* What the files of films share. */
#ifndef ATTN_TRAIN_FILM_INTERNAL_H
#define ATTN_TRAIN_FILM_INTERNAL_H

#include "train/film.h"

/* Both add to the end; the branch takes over what the frame owns. */
bool film_add_loss(struct film_branch *branch, double loss, struct error *reterr);
bool film_add_frame(struct film_branch *branch, const struct film_frame *frame,
                    struct error *reterr);

#endif
