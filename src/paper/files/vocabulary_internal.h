/* The tokens of a model: each has a number, its id, and stands for bytes.
 *
 * All bytes lie in one block, which the vocabulary owns. */
#ifndef ATTN_FILES_VOCABULARY_INTERNAL_H
#define ATTN_FILES_VOCABULARY_INTERNAL_H

#include <stdint.h>

#include "base/text.h"

struct vocabulary;

/* ---- normal form ---- */

/* Text in Unicode's normal form C, and where each byte of it comes from. */

/* Bytes [begin, end) of the original became [to_begin, to_end). */
struct normal_change {
    size_t begin, end, to_begin, to_end;
};

struct normal_form {
    struct text text;
    struct normal_change *changes; /* in order; everything else is unchanged */
    size_t n_changes, capacity;
};

void normal_form_release(struct normal_form *form); /* may be all zero bytes */

/* The normal form of bytes[0..size), letter by letter with the marks above and below it. Bytes that
 * are not UTF-8, and letters with more than 256 bytes of marks, stay as they are. False without
 * memory. form is empty before. */
bool normal_form_make(struct normal_form *form, const char *bytes, size_t size);

/* The bytes of the original from which [begin, end) of the text come: whole letters, if these
 * changed. */
void normal_form_origin(const struct normal_form *form, size_t *begin, size_t *end);

enum {
    VOCABULARY_MAX_IDS = 1 << 21, /* eight times the largest vocabulary in use */
    VOCABULARY_NO_ID = INT32_MAX, /* not the id of any token */
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
    uint32_t *sorted; /* the ids of tokens of TOKEN_MADE, in the order of their bytes */
    size_t n_sorted, sorted_capacity;
};

void vocabulary_release(struct vocabulary *vocabulary); /* may be all zero bytes */

/* Adds a token with an id below VOCABULARY_MAX_IDS that no token has. False without memory. */
bool vocabulary_put(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size,
                    enum token_kind kind);

/* Adds a token of TOKEN_MADE, and keeps the sorted ids sorted. */
bool vocabulary_insert(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size);

/* Sorts the tokens of TOKEN_MADE, for vocabulary_find(). False without memory. */
bool vocabulary_sort(struct vocabulary *vocabulary);

enum token_kind vocabulary_kind(const struct vocabulary *vocabulary, uint32_t id);

/* The bytes of a token, which may include zero bytes; NULL if no token has this id. */
const char *vocabulary_bytes(const struct vocabulary *vocabulary, uint32_t id, size_t *ret_size);

/* The id of the token of TOKEN_MADE with these bytes, or VOCABULARY_NO_ID. */
uint32_t vocabulary_find(const struct vocabulary *vocabulary, const char *bytes, size_t size);

/* ---- added tokens ---- */

/* The tokens of a vocabulary that are found in a text before it is cut into words, such as
 * <|endoftext|>. */

struct added_tokens {
    uint32_t *ids; /* in the order of their bytes */
    size_t n, capacity;
    bool begins[256]; /* does one of them begin with this byte? */
};

void added_tokens_release(struct added_tokens *added); /* may be all zero bytes */

/* Adds a token of this id and text, which is not empty; if the vocabulary does not have this id,
 * adds it there too. False without memory. */
bool added_tokens_put(struct added_tokens *added, struct vocabulary *vocabulary, uint32_t id,
                      const char *bytes, size_t size);

/* The longest of them that text[0..size) begins with, and its size; VOCABULARY_NO_ID if it begins
 * with none of them. size is at least 1. */
uint32_t added_tokens_match(const struct added_tokens *added, const struct vocabulary *vocabulary,
                            const char *text, size_t size, size_t *ret_size);

#endif
