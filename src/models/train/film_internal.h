/* What the files of films share. */
#ifndef ATTN_TRAIN_FILM_INTERNAL_H
#define ATTN_TRAIN_FILM_INTERNAL_H

#include "train/film.h"

#endif
