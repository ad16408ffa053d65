/* The tokens of a vocabulary that are found in a text before it is cut into words, such as
 * <|endoftext|>. */
#ifndef ATTN_FILES_ADDED_TOKENS_H
#define ATTN_FILES_ADDED_TOKENS_H

#include "files/vocabulary.h"

struct added_tokens {
    uint32_t *ids; /* in the order of their bytes */
    size_t n, capacity;
    bool begins[256]; /* does one of them begin with this byte? */
};

void added_tokens_release(struct added_tokens *added); /* may be all zero bytes */
/* Adds a token of this id and text, which is not empty; where the vocabulary has no such id, to it
 * too. False without memory. */
bool added_tokens_put(struct added_tokens *added, struct vocabulary *vocabulary, uint32_t id,
                      const char *bytes, size_t size);
/* The longest of them that text[0..size) begins with, and its size; VOCABULARY_NO_ID where it
 * begins with none. size is at least 1. */
uint32_t added_tokens_match(const struct added_tokens *added, const struct vocabulary *vocabulary,
                            const char *text, size_t size, size_t *ret_size);

#endif
