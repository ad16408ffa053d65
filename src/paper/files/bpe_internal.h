/* Byte pair encoding: a piece of text begins as its bytes, and the pair of neighbours that was
 * learnt first is merged, again and again, until no neighbours are a pair that was learnt. Source:
 * Sennrich, Haddow, Birch 2016, "Neural Machine Translation of Rare Words with Subword Units"; on
 * bytes: Radford et al. 2019 (openai/gpt-2, src/encoder.py). */
#ifndef ATTN_FILES_BPE_INTERNAL_H
#define ATTN_FILES_BPE_INTERNAL_H

#include "base/text.h"
#include "files/tokens_internal.h"
#include "files/vocabulary_internal.h"

/* ---- byte letters ---- */

/* The printable letter for each byte in the files of byte-level tokenizers: a visible byte of
 * Latin-1 is itself, every other byte is the next letter from U+0100 on (a blank is U+0120).
 * Source: openai/gpt-2, src/encoder.py, bytes_to_unicode. */

/* Adds the letters of bytes[0..size). */
void byte_letters_write(const char *bytes, size_t size, struct text *text);

/* Adds the bytes for these letters. False, with nothing added, if a letter is not one of the
 * table's. */
bool byte_letters_read(const char *letters, size_t size, struct text *text);

/* left and right beside each other become id. Of two merges the one of lower rank comes first. */
struct bpe_merge {
    uint32_t left, right, id, rank;
};

struct bpe {
    struct vocabulary vocabulary;
    struct bpe_merge *merges; /* by left, then right, once bpe_index() was called */
    size_t n_merges, capacity;
    size_t *first; /* merges[first[left]] is the first one of left, up to first[left + 1] */
    uint32_t byte_ids[256]; /* VOCABULARY_NO_ID if no token is that byte */
    bool whole_first; /* a piece that is a token stays that token, however it would be merged */
};

void bpe_release(struct bpe *bpe); /* may be all zero bytes */

/* Adds the merge of the next rank. False without memory. */
bool bpe_add_merge(struct bpe *bpe, uint32_t left, uint32_t right, uint32_t id);

/* Makes it ready for use, once the vocabulary is sorted and all merges are there. Of merges of the
 * same pair the last counts. False without memory. */
bool bpe_index(struct bpe *bpe);

/* Memory that pieces share, one after the other. All zero bytes at first. */
struct bpe_work {
    struct bpe_symbol *symbols;
    struct bpe_candidate *candidates;
    size_t capacity; /* bytes of the longest piece that fits */
};

void bpe_work_release(struct bpe_work *work);

/* Adds the tokens of piece[0..size), which begins at `begin` of the text. Takes time in proportion
 * to size * log(size).
 *
 *   ERR_RANGE   a byte without a token
 *   ERR_LIMIT   4 GiB and more
 *   ERR_MEMORY */
bool bpe_encode(const struct bpe *bpe, const char *piece, size_t size, size_t begin,
                struct bpe_work *work, struct tokens *tokens, struct error *reterr);

#endif
