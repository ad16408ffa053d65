/* Tokenizers of words: each word of a list is a token, and blanks lie between them. In
 * tokenizer.json the model is a WordLevel, its pre_tokenizer WhitespaceSplit, and its normalizer
 * Lowercase if no word has a capital letter. Source: huggingface/tokenizers,
 * tokenizers/src/models/wordlevel. */
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
            return error_set(reterr, ERR_NAME, "the word \"%s\" appears twice in the vocabulary",
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

/* Looks the word up in small letters if the vocabulary has no capital ones. */
static uint32_t find_word(const struct tokenizer *tokenizer, const char *word, size_t size)
{
    char lower[64];
    if (!tokenizer->lowers || size > sizeof lower)
        return vocabulary_find(&tokenizer->bpe.vocabulary, word, size);
    for (size_t i = 0; i < size; i++)
        lower[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] - 'A' + 'a') : word[i];
    return vocabulary_find(&tokenizer->bpe.vocabulary, lower, size);
}

/* Letters, digits and everything outside ASCII stay together; any other sign is a part of its
 * own. */
static size_t part_size(const char *bytes, size_t size)
{
    size_t n = 0;
    while (n < size && (isalnum((unsigned char)bytes[n]) || (unsigned char)bytes[n] >= 0x80))
        n++;
    return n > 0 ? n : 1;
}

/* A word of a text, or a piece that is not a word. */
struct piece {
    size_t begin, end;
    uint32_t id; /* VOCABULARY_NO_ID: no word */
};

/* The next piece from piece->end on: everything up to the next blank if that is a word, else the
 * letters or the sign that come first. False at the end of the text. */
static bool next_piece(const struct tokenizer *tokenizer, const char *text, size_t size,
                       struct piece *piece)
{
    size_t begin = piece->end, end;
    while (begin < size && isspace((unsigned char)text[begin]))
        begin++;
    for (end = begin; end < size && !isspace((unsigned char)text[end]); end++)
        ;
    if (begin == end)
        return false;
    *piece = (struct piece){begin, end, find_word(tokenizer, text + begin, end - begin)};
    if (piece->id == VOCABULARY_NO_ID) {
        piece->end = begin + part_size(text + begin, end - begin);
        piece->id = find_word(tokenizer, text + begin, piece->end - begin);
    }
    return true;
}

bool tokenizer_next_unknown(const struct tokenizer *tokenizer, const char *text, size_t size,
                            size_t *begin, size_t *end)
{
    struct piece piece = {.end = *end};
    if (!tokenizer->is_words)
        return false;
    while (next_piece(tokenizer, text, size, &piece)) {
        if (piece.id != VOCABULARY_NO_ID)
            continue;
        *begin = piece.begin;
        *end = piece.end;
        return true;
    }
    return false;
}

/* ---- words that are unknown ---- */

/* The word that is spelt most like this one; "" if none is similar. */
static void put_nearest(const struct tokenizer *tokenizer, const char *word, size_t size,
                        struct text *text)
{
    struct suggestion near;
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
    if (near.best[0] != '\0')
        text_format(text, "; did you mean \"%s\"?", near.best);
}

/* Whether the text has the same unknown word before byte `begin` too. */
static bool is_repeated(const struct tokenizer *tokenizer, const char *text, size_t begin,
                        size_t size)
{
    size_t at = 0, end = 0;
    while (tokenizer_next_unknown(tokenizer, text, begin, &at, &end))
        if (end - at == size && memcmp(text + at, text + begin, size) == 0)
            return true;
    return false;
}

/* Names all words of the text that are unknown, each once. */
static bool unknown_words(const struct tokenizer *tokenizer, const char *text, size_t size,
                          struct error *reterr)
{
    enum { MOST_NAMED = 8 };
    struct text names = {0}, near = {0};
    size_t begin = 0, end = 0, n = 0;
    while (tokenizer_next_unknown(tokenizer, text, size, &begin, &end)) {
        char shown[32];
        if (is_repeated(tokenizer, text, begin, end - begin) || n++ >= MOST_NAMED)
            continue;
        text_format(&names, "%s\"%s\"", n > 1 ? ", " : "",
                    error_quote(shown, sizeof shown, text + begin, end - begin));
        if (n == 1)
            put_nearest(tokenizer, text + begin, end - begin, &near);
    }
    if (n > MOST_NAMED)
        text_format(&names, " and %zu more", n - MOST_NAMED);
    error_set(reterr, ERR_RANGE, "%s %s not among the %zu words that this model knows%s",
              text_string(&names), n > 1 ? "are" : "is", tokenizer->bpe.vocabulary.n_ids,
              n > 1 ? "" : text_string(&near));
    text_release(&names);
    text_release(&near);
    return false;
}

bool tokenizer_encode_words(const struct tokenizer *tokenizer, const char *text, size_t size,
                            struct tokens *tokens, struct error *reterr)
{
    struct piece piece = {.end = 0};
    while (next_piece(tokenizer, text, size, &piece)) {
        if (piece.id == VOCABULARY_NO_ID)
            return unknown_words(tokenizer, text, size, reterr);
        if (!tokens_add(tokens, piece.id, piece.begin, piece.end))
            return error_memory(reterr, "the tokens of a text");
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
