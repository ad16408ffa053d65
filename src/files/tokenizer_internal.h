/* What a tokenizer is made of, and its readers. */
#ifndef ATTN_FILES_TOKENIZER_INTERNAL_H
#define ATTN_FILES_TOKENIZER_INTERNAL_H

#include "files/bpe.h"
#include "files/split.h"
#include "files/tokenizer.h"

struct tokenizer {
    struct bpe bpe;
    struct split split;
    bool composes;   /* a text's letters are composed first: Unicode's normal form C */
    uint32_t *added; /* ids of the tokens that are found in a text, in the order of their bytes */
    size_t n_added;
    bool begins_added[256]; /* does one of them begin with this byte? */
};

enum { TOKENIZER_MAX_BYTES = 64 << 20 }; /* of one of its files */

/* The readers fill a tokenizer that is all zero bytes; after a failure it is to be closed. */
bool tokenizer_read_json(const char *path, struct tokenizer *tokenizer, struct error *reterr);
bool tokenizer_read_vocab(const char *vocab_path, const char *merges_path,
                          struct tokenizer *tokenizer, struct error *reterr);

#endif
