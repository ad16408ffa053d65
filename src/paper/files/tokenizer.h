/* Byte-level tokenizers, as GPT-2, Llama 3, Qwen2 and SmolLM have them: any bytes become tokens,
 * and the tokens the same bytes again. Source: openai/gpt-2, src/encoder.py;
 * huggingface/tokenizers, the format of tokenizer.json. */
#ifndef ATTN_FILES_TOKENIZER_H
#define ATTN_FILES_TOKENIZER_H

#include "files/tokens_internal.h"

struct tokenizer;

/* Opens the tokenizer in a model's folder: tokenizer.json, or else vocab.json and merges.txt with
 * GPT-2's method of cutting text into words. On success tokenizer_close() it.
 *
 *   ERR_FILE   naming the file: it is missing, unreadable, or not what it should be
 *   ERR_NAME   naming the part that attn does not know: another kind of tokenizer, another pattern
 *   ERR_LIMIT  larger than any in use */
bool tokenizer_open(const char *folder, struct tokenizer **ret, struct error *reterr);
/* A tokenizer of words: words[i], NUL-terminated, is the token with id i. A text is cut at its
 * blanks; if a piece is not a word, its signs are cut off. Capital letters are read as small ones
 * if no word has any. ERR_NAME: a word that appears twice, is empty or holds a blank. */
bool tokenizer_of_words(const char *const *words, size_t n, struct tokenizer **ret,
                        struct error *reterr);
/* The same tokenizer with one more owner. */
struct tokenizer *tokenizer_share(struct tokenizer *tokenizer);
/* Gives up one owner. */
void tokenizer_close(struct tokenizer *tokenizer); /* may be NULL */

/* Adds the tokens of text[0..size), which may be any bytes: each covers bytes of it, one after the
 * other, without gaps. The added tokens of a tokenizer.json, such as <|endoftext|>, are found in
 * the text; a folder without tokenizer.json has no added tokens. (If the tokenizer composes letters
 * first, as Qwen2's does, several tokens of a letter that changed cover all of it.) A letter's
 * bytes may be split over two tokens. On failure the tokens added so far stay. ERR_RANGE: a byte
 * without a token, in a vocabulary that lacks some; or words that a tokenizer of words does not
 * know: the message names all of them. */
bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t size,
                      struct tokens *tokens, struct error *reterr);
/* Finds the next word of text[0..size) from byte *end on that a tokenizer of words does not know:
 * bytes [*begin, *end). False if there are no more, and always for a byte-level tokenizer, which
 * knows every text. */
bool tokenizer_next_unknown(const struct tokenizer *tokenizer, const char *text, size_t size,
                            size_t *begin, size_t *end);
/* Whether its tokens are words with blanks between them. */
bool tokenizer_is_of_words(const struct tokenizer *tokenizer);
/* Adds the bytes of these tokens. ERR_RANGE: no token has such an id. On failure nothing is added.
 */
bool tokenizer_decode(const struct tokenizer *tokenizer, const uint32_t *ids, size_t n,
                      struct text *text, struct error *reterr);

/* Settings of tokenizer_train(). */
struct tokenizer_plan {
    size_t n_merges;          /* at most; fewer if the text repeats too little */
    bool only_used_bytes;     /* bytes that the text does not contain get no token */
    const char *const *added; /* tokens that are found in a text, with the last ids; borrowed */
    size_t n_added;
};

/* Learns a tokenizer from text[0..size), cut into words as GPT-2 does: ids 0, 1, ... are bytes, in
 * GPT-2's order, then the merged tokens, then the added tokens. On success tokenizer_close() it.
 * ERR_MEMORY, ERR_LIMIT. */
bool tokenizer_train(const struct tokenizer_plan *plan, const char *text, size_t size,
                     struct tokenizer **ret, struct error *reterr);
/* Writes vocab.json, merges.txt and tokenizer.json into an existing folder; each appears whole or
 * not at all. (The first two alone can't say which tokens are found in a text.) Of a tokenizer of
 * words it writes only tokenizer.json. ERR_FILE. */
bool tokenizer_save(const struct tokenizer *tokenizer, const char *folder, struct error *reterr);

/* The token that a model of words expects before every text, as tokenizer.json's post_processor
 * says; false if there is no such token, and for byte-level tokenizers. tokenizer_encode() does not
 * add it. */
bool tokenizer_first(const struct tokenizer *tokenizer, uint32_t *ret_id);
/* Sets that token, for tokenizer_save(). */
void tokenizer_set_first(struct tokenizer *tokenizer, uint32_t id);
/* One more than the largest id. */
size_t tokenizer_size(const struct tokenizer *tokenizer);
/* The bytes of one token, which may hold zero bytes and parts of letters; NULL if no token has this
 * id. Borrowed. token_show() shows them. */
const char *tokenizer_token(const struct tokenizer *tokenizer, uint32_t id, size_t *ret_size);
/* The id of the token with these bytes. False if there is no such token. */
bool tokenizer_find(const struct tokenizer *tokenizer, const char *bytes, size_t size,
                    uint32_t *ret_id);

#endif
