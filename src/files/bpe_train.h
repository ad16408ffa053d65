/* Learning merges from a text: the commonest pair of neighbours becomes a token, again and again.
 * Source: Sennrich, Haddow, Birch 2016, algorithm 1; kept up to date as in Larsson, Moffat 1999,
 * "Offline Dictionary-Based Compression" (Re-Pair). */
#ifndef ATTN_FILES_BPE_TRAIN_H
#define ATTN_FILES_BPE_TRAIN_H

#include "files/bpe.h"

/* Words of a text, each with how often it stands there. Their bytes are borrowed. */
struct bpe_word {
    const char *bytes;
    size_t size, count;
};

/* Adds to bpe, whose vocabulary is sorted and has the words' bytes, at most n_merges merges and the
 * tokens they make, with the next free ids. Of pairs that are as common the one with the smaller
 * ids comes first. It ends earlier where no pair is left that stands there twice. bpe_index() is
 * still to be called. ERR_MEMORY; ERR_LIMIT: more bytes or tokens than there may be. */
bool bpe_train(struct bpe *bpe, const struct bpe_word *words, size_t n_words, size_t n_merges,
               struct error *reterr);

#endif
