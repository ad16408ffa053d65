/* What a tokenizer is made of, and its readers. */
#ifndef ATTN_FILES_TOKENIZER_INTERNAL_H
#define ATTN_FILES_TOKENIZER_INTERNAL_H

#include "files/added_tokens.h"
#include "files/bpe.h"
#include "files/split.h"
#include "files/tokenizer.h"

struct tokenizer {
    struct bpe bpe;
    struct split split;
    bool composes; /* a text's letters are composed first: Unicode's normal form C */
    struct added_tokens added;
};

enum { TOKENIZER_MAX_BYTES = 64 << 20 }; /* of one of its files */

/* The readers fill a tokenizer that is all zero bytes; after a failure it is to be closed. */
bool tokenizer_read_json(const char *path, struct tokenizer *tokenizer, struct error *reterr);
bool tokenizer_read_vocab(const char *vocab_path, const char *merges_path,
                          struct tokenizer *tokenizer, struct error *reterr);

#endif
