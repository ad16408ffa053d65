/* The tokens of a model: each has a number, its id, and stands for bytes.
 *
 * All bytes lie in one block, which the vocabulary owns. */
#ifndef ATTN_FILES_VOCABULARY_H
#define ATTN_FILES_VOCABULARY_H

#include <stdint.h>

#include "base/text.h"

enum {
    VOCABULARY_MAX_IDS = 1 << 21, /* eight times the largest vocabulary in use */
    VOCABULARY_NO_ID = INT32_MAX, /* no token's id */
};

enum token_kind {
    TOKEN_NONE,  /* no token has this id */
    TOKEN_MADE,  /* bytes, or others merged */
    TOKEN_WHOLE, /* its text is never made of others: a token with a meaning of its own */
};

struct vocabulary_token {
    size_t begin, size; /* of bytes */
    enum token_kind kind;
};

struct vocabulary {
    struct text bytes;
    struct vocabulary_token *tokens; /* by id */
    size_t n_ids;                    /* one more than the largest id */
    size_t n_tokens, capacity;
    uint32_t *sorted; /* the ids of what is made, in the order of their bytes */
    size_t n_sorted, sorted_capacity;
};

void vocabulary_release(struct vocabulary *vocabulary); /* may be all zero bytes */

/* Adds a token with an id below VOCABULARY_MAX_IDS that no token has. False without memory. */
bool vocabulary_put(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size,
                    enum token_kind kind);
/* Adds a token that is made, and keeps the sorted ones sorted. */
bool vocabulary_insert(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size);
/* Sorts what is made, for vocabulary_find(). False without memory. */
bool vocabulary_sort(struct vocabulary *vocabulary);

enum token_kind vocabulary_kind(const struct vocabulary *vocabulary, uint32_t id);
/* The bytes of a token, which may hold zero bytes; NULL where no token has this id. */
const char *vocabulary_bytes(const struct vocabulary *vocabulary, uint32_t id, size_t *ret_size);
/* The id of what is made and has these bytes, or VOCABULARY_NO_ID. */
uint32_t vocabulary_find(const struct vocabulary *vocabulary, const char *bytes, size_t size);

#endif
