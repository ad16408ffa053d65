/* Tokenizers of words: each word of a list is a token, and blanks lie between them. In
 * tokenizer.json the model is a WordLevel, its pre_tokenizer WhitespaceSplit, and its normalizer
 * Lowercase where no word has a capital letter.
 * Source: huggingface/tokenizers, tokenizers/src/models/wordlevel. */
#include "files/tokenizer_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"

/* ---- making one ---- */

static bool has_capital(const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (word[i] >= 'A' && word[i] <= 'Z')
            return true;
    return false;
}

static bool has_blank(const char *word, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (isspace((unsigned char)word[i]))
            return true;
    return size == 0;
}

/* Adds word number id. */
static bool add_word(struct tokenizer *tokenizer, uint32_t id, const char *word, size_t size,
                     struct error *reterr)
{
    char shown[48];
    if (has_blank(word, size))
        return error_set(reterr, ERR_NAME, "word %lu: \"%s\" is empty or holds a blank",
                         (unsigned long)id, error_quote(shown, sizeof shown, word, size));
    tokenizer->lowers = tokenizer->lowers && !has_capital(word, size);
    return vocabulary_put(&tokenizer->bpe.vocabulary, id, word, size, TOKEN_MADE) ||
           error_memory(reterr, "a tokenizer");
}

/* No word may stand twice: its id would be any of both. */
static bool check_words(const struct tokenizer *tokenizer, struct error *reterr)
{
    const struct vocabulary *vocabulary = &tokenizer->bpe.vocabulary;
    for (uint32_t id = 0; id < vocabulary->n_ids; id++) {
        char shown[48];
        size_t size;
        const char *word = vocabulary_bytes(vocabulary, id, &size);
        if (word != NULL && vocabulary_find(vocabulary, word, size) != id)
            return error_set(reterr, ERR_NAME, "the word \"%s\" stands twice in the vocabulary",
                             error_quote(shown, sizeof shown, word, size));
    }
    return true;
}

bool tokenizer_finish_words(struct tokenizer *tokenizer, struct error *reterr)
{
    if (!vocabulary_sort(&tokenizer->bpe.vocabulary))
        return error_memory(reterr, "a tokenizer");
    return check_words(tokenizer, reterr);
}

bool tokenizer_take_words(struct tokenizer *tokenizer, const char *const *words, size_t n,
                          struct error *reterr)
{
    tokenizer->is_words = tokenizer->lowers = true;
    if (n >= VOCABULARY_MAX_IDS)
        return error_set(reterr, ERR_LIMIT, "a vocabulary has at most %d words",
                         VOCABULARY_MAX_IDS);
    for (size_t i = 0; i < n; i++)
        if (!add_word(tokenizer, (uint32_t)i, words[i], strlen(words[i]), reterr))
            return false;
    return tokenizer_finish_words(tokenizer, reterr);
}

/* ---- encoding ---- */

/* The text with capital letters made small, where the vocabulary has none. */
static uint32_t find_word(const struct tokenizer *tokenizer, const char *word, size_t size)
{
    char lower[64];
    if (!tokenizer->lowers || size > sizeof lower)
        return vocabulary_find(&tokenizer->bpe.vocabulary, word, size);
    for (size_t i = 0; i < size; i++)
        lower[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
    return vocabulary_find(&tokenizer->bpe.vocabulary, lower, size);
}

static bool unknown_word(const struct tokenizer *tokenizer, const char *word, size_t size,
                         struct error *reterr)
{
    struct suggestion near;
    char shown[48];
    suggestion_init(&near, word, size);
    for (uint32_t id = 0; id < tokenizer->bpe.vocabulary.n_ids; id++) {
        char name[64];
        size_t name_size;
        const char *bytes = vocabulary_bytes(&tokenizer->bpe.vocabulary, id, &name_size);
        if (bytes == NULL || name_size >= sizeof name)
            continue;
        memcpy(name, bytes, name_size);
        name[name_size] = '\0';
        suggestion_try(&near, name);
    }
    error_quote(shown, sizeof shown, word, size);
    if (near.best[0] != '\0')
        return error_set(reterr, ERR_RANGE,
                         "\"%s\" is none of the %zu words that this model knows; did you mean "
                         "\"%s\"?",
                         shown, tokenizer->bpe.vocabulary.n_ids, near.best);
    return error_set(reterr, ERR_RANGE, "\"%s\" is none of the %zu words that this model knows",
                     shown, tokenizer->bpe.vocabulary.n_ids);
}

/* Letters, digits and all that is not ASCII stand together; any other sign is by itself. */
static size_t part_size(const char *bytes, size_t size)
{
    size_t n = 0;
    while (n < size && (isalnum((unsigned char)bytes[n]) || (unsigned char)bytes[n] >= 0x80))
        n++;
    return n > 0 ? n : 1;
}

/* What stands between two blanks: one word, or words and signs without blanks between them. */
static bool encode_piece(const struct tokenizer *tokenizer, const char *bytes, size_t size,
                         size_t begin, struct tokens *tokens, struct error *reterr)
{
    uint32_t id = find_word(tokenizer, bytes, size);
    if (id != VOCABULARY_NO_ID)
        return tokens_add(tokens, id, begin, begin + size) ||
               error_memory(reterr, "the tokens of a text");
    size_t part = part_size(bytes, size);
    if (part == size)
        return unknown_word(tokenizer, bytes, size, reterr);
    return encode_piece(tokenizer, bytes, part, begin, tokens, reterr) &&
           encode_piece(tokenizer, bytes + part, size - part, begin + part, tokens, reterr);
}

bool tokenizer_encode_words(const struct tokenizer *tokenizer, const char *text, size_t size,
                            struct tokens *tokens, struct error *reterr)
{
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && !isspace((unsigned char)text[end]))
            end++;
        if (end > at && !encode_piece(tokenizer, text + at, end - at, at, tokens, reterr))
            return false;
        at = end + 1;
    }
    return true;
}

/* ---- writing ---- */

json_t *tokenizer_template_json(const struct tokenizer *tokenizer)
{
    size_t size = 0;
    const char *name = tokenizer->has_first
                           ? vocabulary_bytes(&tokenizer->bpe.vocabulary, tokenizer->first, &size)
                           : NULL;
    if (name == NULL)
        return json_null();
    json_t *tokens = json_object();
    json_object_setn_new(tokens, name, size,
                         json_pack("{s:s%, s:[i], s:[s%]}", "id", name, size, "ids",
                                   (int)tokenizer->first, "tokens", name, size));
    return json_pack("{s:s, s:[{s:{s:s%, s:i}}, {s:{s:s, s:i}}], s:[], s:o}", "type",
                     "TemplateProcessing", "single", "SpecialToken", "id", name, size, "type_id", 0,
                     "Sequence", "id", "A", "type_id", 0, "pair", "special_tokens", tokens);
}

json_t *tokenizer_words_json(const struct tokenizer *tokenizer)
{
    json_t *vocab = json_object();
    for (uint32_t id = 0; id < tokenizer->bpe.vocabulary.n_ids; id++) {
        size_t size;
        const char *word = vocabulary_bytes(&tokenizer->bpe.vocabulary, id, &size);
        if (word != NULL)
            json_object_setn_new(vocab, word, size, json_integer((json_int_t)id));
    }
    return json_pack("{s:s, s:[], s:o?, s:{s:s}, s:o, s:n, s:{s:s, s:o, s:s}}", "version", "1.0",
                     "added_tokens", "normalizer",
                     tokenizer->lowers ? json_pack("{s:s}", "type", "Lowercase") : NULL,
                     "pre_tokenizer", "type", "WhitespaceSplit", "post_processor",
                     tokenizer_template_json(tokenizer), "decoder", "model", "type", "WordLevel",
                     "vocab", vocab, "unk_token", "[UNK]");
}
