/* The parts of a tokenizer, and its readers. */
#ifndef ATTN_FILES_TOKENIZER_INTERNAL_H
#define ATTN_FILES_TOKENIZER_INTERNAL_H

#include <jansson.h>

#include "files/vocabulary_internal.h"
#include "files/bpe_internal.h"
#include "files/split_internal.h"
#include "files/tokenizer.h"

struct tokenizer {
    size_t n_owners;
    struct bpe bpe;
    struct split split;
    bool is_words; /* words between blanks are the tokens: see tokenizer_words.c */
    bool lowers;   /* of words: capital letters are read as small ones */
    bool composes; /* a text's letters are composed first: Unicode's normal form C */
    struct added_tokens added;
    bool has_first; /* every text begins with this token */
    uint32_t first;
};

enum { TOKENIZER_MAX_BYTES = 64 << 20 }; /* of one of its files */

/* The readers fill a tokenizer that is all zero bytes; after a failure it is to be closed. */
bool tokenizer_read_json(const char *path, struct tokenizer *tokenizer, struct error *reterr);
bool tokenizer_read_vocab(const char *vocab_path, const char *merges_path,
                          struct tokenizer *tokenizer, struct error *reterr);

/* ---- tokenizers of words: tokenizer_words.c ---- */

/* Fills a tokenizer that is all zero bytes; after a failure it is to be closed. */
bool tokenizer_take_words(struct tokenizer *tokenizer, const char *const *words, size_t n,
                          struct error *reterr);
/* To be called when all words are in the vocabulary. ERR_NAME: a word appears twice. */
bool tokenizer_finish_words(struct tokenizer *tokenizer, struct error *reterr);
bool tokenizer_encode_words(const struct tokenizer *tokenizer, const char *text, size_t size,
                            struct tokens *tokens, struct error *reterr);
/* The post_processor that puts the first token before a text; null without such a token. */
json_t *tokenizer_template_json(const struct tokenizer *tokenizer);
/* The whole tokenizer.json of a tokenizer of words; NULL without memory. */
json_t *tokenizer_words_json(const struct tokenizer *tokenizer);

#endif
