/* Byte-level tokenizers: see tokenizer.h. */
#include "files/tokenizer.h"
#include "files/tokenizer_internal.h"

#include <stdlib.h>
#include <string.h>

#include "files/vocabulary_internal.h"
#include "files/file.h"

enum { PATH_BYTES = 4096 };

/* ---- opening ---- */

/* Whether the file is there; its path. */
static bool has_file(const char *folder, const char *name, char path[PATH_BYTES])
{
    return path_join(path, PATH_BYTES, folder, name) && path_is_file(path);
}

static bool read_folder(const char *folder, struct tokenizer *tokenizer, struct error *reterr)
{
    char path[PATH_BYTES], merges[PATH_BYTES], shown[160];
    if (has_file(folder, "tokenizer.json", path))
        return tokenizer_read_json(path, tokenizer, reterr);
    bool has_vocab = has_file(folder, "vocab.json", path);
    bool has_merges = has_file(folder, "merges.txt", merges);
    if (has_vocab && has_merges)
        return tokenizer_read_vocab(path, merges, tokenizer, reterr);
    error_quote(shown, sizeof shown, folder, strlen(folder));
    if (has_vocab || has_merges)
        return error_set(reterr, ERR_FILE, "%s: there is %s and no %s; download it too", shown,
                         has_vocab ? "vocab.json" : "merges.txt",
                         has_vocab ? "merges.txt" : "vocab.json");
    return error_set(reterr, ERR_FILE,
                     "%s: there is no tokenizer in it: no tokenizer.json, and no vocab.json with "
                     "merges.txt%s",
                     shown,
                     has_file(folder, "tokenizer.model", path)
                         ? "; its tokenizer.model is SentencePiece's, which attn does not read"
                         : "; download it too, or use token ids");
}

static struct tokenizer *new_tokenizer(struct error *reterr)
{
    struct tokenizer *tokenizer = calloc(1, sizeof *tokenizer);
    if (tokenizer == NULL)
        error_memory(reterr, "a tokenizer");
    else
        tokenizer->n_owners = 1;
    return tokenizer;
}

bool tokenizer_open(const char *folder, struct tokenizer **ret, struct error *reterr)
{
    struct tokenizer *tokenizer = new_tokenizer(reterr);
    if (tokenizer == NULL)
        return false;
    if (!read_folder(folder, tokenizer, reterr)) {
        tokenizer_close(tokenizer);
        return false;
    }
    *ret = tokenizer;
    return true;
}

bool tokenizer_of_words(const char *const *words, size_t n, struct tokenizer **ret,
                        struct error *reterr)
{
    struct tokenizer *tokenizer = new_tokenizer(reterr);
    if (tokenizer == NULL)
        return false;
    if (!tokenizer_take_words(tokenizer, words, n, reterr)) {
        tokenizer_close(tokenizer);
        return false;
    }
    *ret = tokenizer;
    return true;
}

struct tokenizer *tokenizer_share(struct tokenizer *tokenizer)
{
    tokenizer->n_owners++;
    return tokenizer;
}

void tokenizer_close(struct tokenizer *tokenizer)
{
    if (tokenizer == NULL || --tokenizer->n_owners > 0)
        return;
    bpe_release(&tokenizer->bpe);
    split_release(&tokenizer->split);
    added_tokens_release(&tokenizer->added);
    free(tokenizer);
}

/* ---- encoding ---- */

struct encoding {
    const struct tokenizer *tokenizer;
    struct bpe_work work;
    struct tokens *tokens;
};

static bool encode_piece(void *context, const char *bytes, size_t size, size_t begin,
                         struct error *reterr)
{
    struct encoding *encoding = context;
    return bpe_encode(&encoding->tokenizer->bpe, bytes, size, begin, &encoding->work,
                      encoding->tokens, reterr);
}

/* Encodes a stretch of text, whose letters are composed before, and finds where in the text the
 * tokens come from. */
static bool encode_composed(struct encoding *encoding, const char *bytes, size_t size, size_t begin,
                            struct error *reterr)
{
    struct normal_form form = {0};
    size_t first = encoding->tokens->n;
    bool ok = normal_form_make(&form, bytes, size) || error_memory(reterr, "composing letters");
    ok = ok && split_run(&encoding->tokenizer->split, text_string(&form.text), form.text.size, 0,
                         encode_piece, encoding, reterr);
    for (size_t i = first; i < encoding->tokens->n; i++) {
        struct token *token = &encoding->tokens->items[i];
        normal_form_origin(&form, &token->begin, &token->end);
        token->begin += begin;
        token->end += begin;
    }
    normal_form_release(&form);
    return ok;
}

/* Encodes a stretch of text without added tokens. */
static bool encode_stretch(struct encoding *encoding, const char *bytes, size_t size, size_t begin,
                           struct error *reterr)
{
    if (size == 0)
        return true;
    if (encoding->tokenizer->composes)
        return encode_composed(encoding, bytes, size, begin, reterr);
    return split_run(&encoding->tokenizer->split, bytes, size, begin, encode_piece, encoding,
                     reterr);
}

static bool encode_all(struct encoding *encoding, const char *text, size_t size,
                       struct error *reterr)
{
    const struct added_tokens *added = &encoding->tokenizer->added;
    size_t done = 0, token_size = 0;
    for (size_t at = 0; at < size && added->n > 0;) {
        uint32_t id = added_tokens_match(added, &encoding->tokenizer->bpe.vocabulary, text + at,
                                         size - at, &token_size);
        if (id == VOCABULARY_NO_ID) {
            at++;
            continue;
        }
        if (!encode_stretch(encoding, text + done, at - done, done, reterr))
            return false;
        if (!tokens_add(encoding->tokens, id, at, at + token_size))
            return error_memory(reterr, "the tokens of a text");
        done = at += token_size;
    }
    return encode_stretch(encoding, text + done, size - done, done, reterr);
}

bool tokenizer_encode(const struct tokenizer *tokenizer, const char *text, size_t size,
                      struct tokens *tokens, struct error *reterr)
{
    struct encoding encoding = {.tokenizer = tokenizer, .tokens = tokens};
    if (tokenizer->is_words)
        return tokenizer_encode_words(tokenizer, text, size, tokens, reterr);
    bool ok = encode_all(&encoding, text, size, reterr);
    bpe_work_release(&encoding.work);
    return ok;
}

/* ---- decoding ---- */

bool tokenizer_decode(const struct tokenizer *tokenizer, const uint32_t *ids, size_t n,
                      struct text *text, struct error *reterr)
{
    size_t begin = text->size;
    for (size_t i = 0; i < n; i++) {
        size_t size;
        const char *bytes = tokenizer_token(tokenizer, ids[i], &size);
        if (bytes == NULL) {
            text_shrink(text, begin);
            return error_set(reterr, ERR_RANGE,
                             "the token id %lu, number %zu from 0: this vocabulary has ids from 0 "
                             "to %zu%s",
                             (unsigned long)ids[i], i, tokenizer_size(tokenizer) - 1,
                             ids[i] < tokenizer_size(tokenizer) ? ", and not this one" : "");
        }
        if (tokenizer->is_words && i > 0)
            text_char(text, ' ');
        text_add(text, bytes, size);
    }
    if (!text->failed)
        return true;
    text_shrink(text, begin);
    return error_memory(reterr, "the text of tokens");
}

bool tokenizer_is_of_words(const struct tokenizer *tokenizer)
{
    return tokenizer->is_words;
}

bool tokenizer_first(const struct tokenizer *tokenizer, uint32_t *ret_id)
{
    *ret_id = tokenizer->first;
    return tokenizer->has_first;
}

void tokenizer_set_first(struct tokenizer *tokenizer, uint32_t id)
{
    tokenizer->has_first = true;
    tokenizer->first = id;
}

size_t tokenizer_size(const struct tokenizer *tokenizer)
{
    return tokenizer->bpe.vocabulary.n_ids;
}

const char *tokenizer_token(const struct tokenizer *tokenizer, uint32_t id, size_t *ret_size)
{
    return vocabulary_bytes(&tokenizer->bpe.vocabulary, id, ret_size);
}

bool tokenizer_find(const struct tokenizer *tokenizer, const char *bytes, size_t size,
                    uint32_t *ret_id)
{
    const struct vocabulary *vocabulary = &tokenizer->bpe.vocabulary;
    size_t added_size = 0;
    uint32_t id = VOCABULARY_NO_ID;
    if (size > 0)
        id = added_tokens_match(&tokenizer->added, vocabulary, bytes, size, &added_size);
    if (id == VOCABULARY_NO_ID || added_size != size)
        id = vocabulary_find(vocabulary, bytes, size);
    *ret_id = id;
    return id != VOCABULARY_NO_ID;
}
