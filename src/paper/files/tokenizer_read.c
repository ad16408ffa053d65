/* The files of tokenizers: tokenizer.json, or vocab.json and merges.txt. Whatever attn does not
 * know of them is refused by its name, so that no token is a guess. Source: huggingface/tokenizers,
 * tokenizers/src/models/bpe, pre_tokenizers/byte_level.rs. */
#include "files/tokenizer_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "files/bpe_internal.h"
#include "files/file.h"
#include "files/json.h"

struct reader {
    struct tokenizer *tokenizer;
    char name[JSON_NAME_SHOWN]; /* of the file, printable */
    struct text left, right;    /* of the merge that is being read, as bytes, and both joined */
    struct error *reterr;
};

static bool fault(const struct reader *reader, const char *what)
{
    return error_set(reader->reterr, ERR_FILE, "%s: %s", reader->name, what);
}

static bool out_of_memory(const struct reader *reader)
{
    return error_memory(reader->reterr, reader->name);
}

/* ---- tokens ---- */

static bool bad_id(const struct reader *reader, const char *token, const char *what)
{
    char shown[60];
    return error_set(reader->reterr, ERR_FILE, "%s: the token '%s' %s", reader->name,
                     error_quote(shown, sizeof shown, token, strlen(token)), what);
}

static bool take_id(const struct reader *reader, const char *token, const json_t *value,
                    uint32_t *ret)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= VOCABULARY_MAX_IDS)
        return bad_id(reader, token,
                      "has no id, which is a whole number from 0 on and below 2097152");
    *ret = (uint32_t)json_integer_value(value);
    return true;
}

/* One token of the vocabulary. A token that is not written in letters for bytes is never made of
 * others. */
static bool take_token(struct reader *reader, const char *letters, const json_t *value)
{
    struct vocabulary *vocabulary = &reader->tokenizer->bpe.vocabulary;
    uint32_t id;
    if (!take_id(reader, letters, value, &id))
        return false;
    if (vocabulary_kind(vocabulary, id) != TOKEN_NONE)
        return bad_id(reader, letters, "has an id that another token has too");
    text_clear(&reader->left);
    bool is_made =
        byte_letters_read(letters, strlen(letters), &reader->left) && reader->left.size > 0;
    const char *bytes = is_made ? text_string(&reader->left) : letters;
    size_t size = is_made ? reader->left.size : strlen(letters);
    return (!reader->left.failed &&
            vocabulary_put(vocabulary, id, bytes, size, is_made ? TOKEN_MADE : TOKEN_WHOLE)) ||
           out_of_memory(reader);
}

static bool take_vocabulary(struct reader *reader, const json_t *vocabulary)
{
    const char *letters;
    json_t *value;
    if (json_object_size(vocabulary) == 0)
        return fault(reader, "it has no vocabulary, an object with the id of each token");
    json_object_foreach ((json_t *)vocabulary, letters, value)
        if (!take_token(reader, letters, value))
            return false;
    return vocabulary_sort(&reader->tokenizer->bpe.vocabulary) || out_of_memory(reader);
}

/* ---- merges ---- */

static bool bad_merge(const struct reader *reader, size_t number, const char *why)
{
    return error_set(reader->reterr, ERR_FILE, "%s: merge %zu: %s", reader->name, number, why);
}

/* The merge of two tokens in letters; number counts from 1. */
static bool take_merge(struct reader *reader, size_t number, const char *left, size_t left_size,
                       const char *right, size_t right_size)
{
    struct bpe *bpe = &reader->tokenizer->bpe;
    struct text *bytes = &reader->left;
    text_clear(bytes);
    text_clear(&reader->right);
    bool ok = byte_letters_read(left, left_size, bytes) &&
              byte_letters_read(right, right_size, &reader->right);
    if (bytes->failed || reader->right.failed)
        return out_of_memory(reader);
    uint32_t left_id = vocabulary_find(&bpe->vocabulary, text_string(bytes), bytes->size);
    uint32_t right_id =
        vocabulary_find(&bpe->vocabulary, text_string(&reader->right), reader->right.size);
    if (!ok || left_id == VOCABULARY_NO_ID || right_id == VOCABULARY_NO_ID)
        return bad_merge(reader, number, "its two parts are not tokens of the vocabulary");
    text_add(bytes, text_string(&reader->right), reader->right.size);
    if (bytes->failed)
        return out_of_memory(reader);
    uint32_t id = vocabulary_find(&bpe->vocabulary, text_string(bytes), bytes->size);
    if (id == VOCABULARY_NO_ID)
        return bad_merge(reader, number, "its result is not a token of the vocabulary");
    return bpe_add_merge(bpe, left_id, right_id, id) || out_of_memory(reader);
}

/* "LEFT RIGHT" */
static bool take_merge_line(struct reader *reader, size_t number, const char *line, size_t size)
{
    const char *blank = memchr(line, ' ', size);
    if (blank == NULL || memchr(blank + 1, ' ', size - (size_t)(blank + 1 - line)) != NULL)
        return bad_merge(reader, number, "it is not two tokens with a blank between them");
    return take_merge(reader, number, line, (size_t)(blank - line), blank + 1,
                      size - (size_t)(blank + 1 - line));
}

/* As a list of "LEFT RIGHT", or of ["LEFT", "RIGHT"]. */
static bool take_merge_list(struct reader *reader, const json_t *merges)
{
    if (!json_is_array(merges))
        return fault(reader, "it has no merges, which are a list");
    for (size_t i = 0; i < json_array_size(merges); i++) {
        const json_t *merge = json_array_get(merges, i);
        const json_t *left = json_array_get(merge, 0), *right = json_array_get(merge, 1);
        bool ok;
        if (json_is_string(merge))
            ok =
                take_merge_line(reader, i + 1, json_string_value(merge), json_string_length(merge));
        else if (json_array_size(merge) == 2 && json_is_string(left) && json_is_string(right))
            ok = take_merge(reader, i + 1, json_string_value(left), json_string_length(left),
                            json_string_value(right), json_string_length(right));
        else
            ok = bad_merge(reader, i + 1, "it is neither a text nor a pair of texts");
        if (!ok)
            return false;
    }
    return true;
}

/* The lines of merges.txt; those that begin with #version say nothing. */
static bool take_merge_lines(struct reader *reader, const struct text *lines)
{
    static const char version[] = "#version";
    size_t number = 0;
    for (const char *line = text_string(lines), *next; *line != '\0'; line = next) {
        size_t size = strcspn(line, "\n");
        next = line + size + (line[size] == '\n');
        size -= size > 0 && line[size - 1] == '\r';
        if (size == 0 || strncmp(line, version, sizeof version - 1) == 0)
            continue;
        if (!take_merge_line(reader, ++number, line, size))
            return false;
    }
    return true;
}

static bool index_all(struct reader *reader)
{
    return bpe_index(&reader->tokenizer->bpe) || out_of_memory(reader);
}

/* ---- vocab.json and merges.txt ---- */

static bool read_vocab(struct reader *reader, const char *path)
{
    json_t *root;
    if (!json_read_file(path, TOKENIZER_MAX_BYTES, &root, reader->reterr))
        return false;
    bool ok = take_vocabulary(reader, root);
    json_decref(root);
    return ok;
}

static bool read_merges(struct reader *reader, const char *path)
{
    struct text lines = {0};
    bool ok = file_read_text(path, TOKENIZER_MAX_BYTES, &lines, reader->reterr) &&
              take_merge_lines(reader, &lines);
    text_release(&lines);
    return ok;
}

static void reader_release(struct reader *reader)
{
    text_release(&reader->left);
    text_release(&reader->right);
}

bool tokenizer_read_vocab(const char *vocab_path, const char *merges_path,
                          struct tokenizer *tokenizer, struct error *reterr)
{
    struct reader reader = {.tokenizer = tokenizer, .reterr = reterr};
    error_quote(reader.name, sizeof reader.name, vocab_path, strlen(vocab_path));
    bool ok = read_vocab(&reader, vocab_path);
    error_quote(reader.name, sizeof reader.name, merges_path, strlen(merges_path));
    ok = ok && read_merges(&reader, merges_path) && index_all(&reader) &&
         split_add(&tokenizer->split, SPLIT_GPT2, reterr);
    reader_release(&reader);
    return ok;
}

/* ---- tokenizer.json: the settings besides the tokens ---- */

/* Refuses any value of this key, unless it is missing, null, false or an empty text. */
static bool is_unset(const struct reader *reader, const json_t *object, const char *where,
                     const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_null(value) || json_is_false(value) ||
        (json_is_string(value) && json_string_length(value) == 0))
        return true;
    return error_set(reader->reterr, ERR_NAME, "%s: its %s has %s, which attn does not know",
                     reader->name, where, key);
}

/* The object's "type"; "" without one. */
static const char *type_of(const json_t *object)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    return type != NULL ? type : "";
}

static bool unknown(const struct reader *reader, const char *what, const char *type,
                    const char *known)
{
    char shown[60];
    return error_set(reader->reterr, ERR_NAME, "%s: its %s is '%s'; attn knows %s", reader->name,
                     what, error_quote(shown, sizeof shown, type, strlen(type)), known);
}

static bool take_normalizer(struct reader *reader, const json_t *normalizer)
{
    if (normalizer == NULL || json_is_null(normalizer))
        return true;
    const json_t *list = json_object_get(normalizer, "normalizers");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(type_of(json_array_get(list, i)), "NFC") == 0)
            reader->tokenizer->composes = true;
        else
            return unknown(reader, "normalizer", type_of(json_array_get(list, i)), "NFC");
    if (strcmp(type_of(normalizer), "Sequence") == 0)
        return true;
    reader->tokenizer->composes = strcmp(type_of(normalizer), "NFC") == 0;
    return reader->tokenizer->composes || unknown(reader, "normalizer", type_of(normalizer), "NFC");
}

static bool add_pattern(struct reader *reader, const char *pattern)
{
    if (split_add(&reader->tokenizer->split, pattern, reader->reterr))
        return true;
    error_prefix(reader->reterr, "%s: ", reader->name);
    return false;
}

static bool take_byte_level(struct reader *reader, const json_t *step)
{
    return is_unset(reader, step, "ByteLevel", "add_prefix_space") &&
           (json_is_false(json_object_get(step, "use_regex")) || add_pattern(reader, SPLIT_GPT2));
}

static bool take_digits(struct reader *reader, const json_t *step)
{
    return json_is_true(json_object_get(step, "individual_digits"))
               ? add_pattern(reader, SPLIT_DIGIT)
               : error_set(reader->reterr, ERR_NAME,
                           "%s: its Digits keep numbers whole; attn knows individual_digits",
                           reader->name);
}

static bool take_split(struct reader *reader, const json_t *step)
{
    const json_t *pattern = json_object_get(json_object_get(step, "pattern"), "Regex");
    const char *behavior = json_string_value(json_object_get(step, "behavior"));
    if (!json_is_string(pattern))
        return fault(reader, "its Split has no pattern that is a Regex");
    if (behavior == NULL || strcmp(behavior, "Isolated") != 0)
        return unknown(reader, "Split's behavior", behavior != NULL ? behavior : "", "Isolated");
    return is_unset(reader, step, "Split", "invert") &&
           add_pattern(reader, json_string_value(pattern));
}

static bool take_step(struct reader *reader, const json_t *step, bool *has_byte_level)
{
    const char *type = type_of(step);
    if (strcmp(type, "ByteLevel") == 0) {
        *has_byte_level = true;
        return take_byte_level(reader, step);
    }
    return strcmp(type, "Digits") == 0 ? take_digits(reader, step)
           : strcmp(type, "Split") == 0
               ? take_split(reader, step)
               : unknown(reader, "pre_tokenizer", type, "Sequence, Split, Digits and ByteLevel");
}

/* ByteLevel alone, or a Sequence that ends in it. */
static bool take_pre_tokenizer(struct reader *reader, const json_t *pre_tokenizer)
{
    bool has_byte_level = false;
    const json_t *steps = json_object_get(pre_tokenizer, "pretokenizers");
    if (strcmp(type_of(pre_tokenizer), "Sequence") != 0) {
        if (!take_step(reader, pre_tokenizer, &has_byte_level))
            return false;
    } else {
        for (size_t i = 0; i < json_array_size(steps); i++)
            if (has_byte_level)
                return fault(reader, "its pre_tokenizer goes on after ByteLevel");
            else if (!take_step(reader, json_array_get(steps, i), &has_byte_level))
                return false;
    }
    return has_byte_level || error_set(reader->reterr, ERR_NAME,
                                       "%s: its pre_tokenizer has no ByteLevel; attn reads "
                                       "byte-level tokenizers",
                                       reader->name);
}

/* ---- tokenizer.json: tokens, merges, and tokens that are found in a text ---- */

static bool take_model(struct reader *reader, const json_t *model)
{
    static const char *const unknown_keys[] = {"dropout", "continuing_subword_prefix",
                                               "end_of_word_suffix", "byte_fallback"};
    const char *type = type_of(model);
    if (*type != '\0' && strcmp(type, "BPE") != 0)
        return unknown(reader, "model", type, "BPE and WordLevel");
    for (size_t i = 0; i < COUNT_OF(unknown_keys); i++)
        if (!is_unset(reader, model, "model", unknown_keys[i]))
            return false;
    reader->tokenizer->bpe.whole_first = json_is_true(json_object_get(model, "ignore_merges"));
    return take_vocabulary(reader, json_object_get(model, "vocab"));
}

/* No other token has this id. */
static bool fits(const struct reader *reader, uint32_t id, const char *text, size_t size)
{
    size_t known_size;
    const char *known = vocabulary_bytes(&reader->tokenizer->bpe.vocabulary, id, &known_size);
    return known == NULL || (known_size == size && memcmp(known, text, size) == 0) ||
           bad_id(reader, text, "is added with an id that another token has");
}

static bool take_added_token(struct reader *reader, const json_t *token)
{
    static const char *const unknown_keys[] = {"single_word", "lstrip", "rstrip"};
    const json_t *content = json_object_get(token, "content");
    const char *text = json_string_value(content);
    uint32_t id;
    if (text == NULL || json_string_length(content) == 0)
        return fault(reader, "one of its added_tokens has no content");
    for (size_t i = 0; i < COUNT_OF(unknown_keys); i++)
        if (!is_unset(reader, token, "added token", unknown_keys[i]))
            return false;
    size_t size = json_string_length(content);
    if (!take_id(reader, text, json_object_get(token, "id"), &id) || !fits(reader, id, text, size))
        return false;
    return added_tokens_put(&reader->tokenizer->added, &reader->tokenizer->bpe.vocabulary, id, text,
                            size) ||
           out_of_memory(reader);
}

static bool take_added_tokens(struct reader *reader, const json_t *tokens)
{
    for (size_t i = 0; i < json_array_size(tokens); i++)
        if (!take_added_token(reader, json_array_get(tokens, i)))
            return false;
    return true;
}

/* A WordLevel: the keys of its vocabulary are the words themselves. */
static bool take_words(struct reader *reader, const json_t *root, const json_t *model)
{
    struct tokenizer *tokenizer = reader->tokenizer;
    const json_t *normalizer = json_object_get(root, "normalizer");
    const char *key, *cut = type_of(json_object_get(root, "pre_tokenizer"));
    json_t *value, *vocab = json_object_get(model, "vocab");
    tokenizer->is_words = true;
    tokenizer->lowers = strcmp(type_of(normalizer), "Lowercase") == 0;
    if (json_is_object(normalizer) && !tokenizer->lowers)
        return unknown(reader, "normalizer", type_of(normalizer), "Lowercase");
    if (strcmp(cut, "WhitespaceSplit") != 0)
        return unknown(reader, "pre_tokenizer", cut, "WhitespaceSplit");
    json_object_foreach (vocab, key, value) {
        uint32_t id;
        if (!take_id(reader, key, value, &id))
            return false;
        if (vocabulary_kind(&tokenizer->bpe.vocabulary, id) != TOKEN_NONE)
            return bad_id(reader, key, "has an id that another token has too");
        if (!vocabulary_put(&tokenizer->bpe.vocabulary, id, key, strlen(key), TOKEN_MADE))
            return out_of_memory(reader);
    }
    return tokenizer->bpe.vocabulary.n_ids > 0 ? tokenizer_finish_words(tokenizer, reader->reterr)
                                               : fault(reader, "its vocab has no word");
}

static bool take_all(struct reader *reader, const json_t *root)
{
    const json_t *model = json_object_get(root, "model");
    if (!json_is_object(model))
        return fault(reader, "it has no model");
    if (strcmp(type_of(model), "WordLevel") == 0)
        return take_words(reader, root, model);
    return take_model(reader, model) && take_merge_list(reader, json_object_get(model, "merges")) &&
           index_all(reader) && take_normalizer(reader, json_object_get(root, "normalizer")) &&
           take_pre_tokenizer(reader, json_object_get(root, "pre_tokenizer")) &&
           take_added_tokens(reader, json_object_get(root, "added_tokens"));
}

/* The token that a TemplateProcessing puts before a text of words: the first of its `single`, by
 * the id that special_tokens gives it. */
static void take_first(struct reader *reader, const json_t *processor)
{
    if (strcmp(type_of(processor), "TemplateProcessing") != 0)
        return;
    const json_t *single = json_array_get(json_object_get(processor, "single"), 0);
    const char *name =
        json_string_value(json_object_get(json_object_get(single, "SpecialToken"), "id"));
    const json_t *token =
        name != NULL ? json_object_get(json_object_get(processor, "special_tokens"), name) : NULL;
    const json_t *id = json_array_get(json_object_get(token, "ids"), 0);
    if (json_is_integer(id) && json_integer_value(id) >= 0 &&
        (size_t)json_integer_value(id) < reader->tokenizer->bpe.vocabulary.n_ids) {
        reader->tokenizer->has_first = true;
        reader->tokenizer->first = (uint32_t)json_integer_value(id);
    }
}

bool tokenizer_read_json(const char *path, struct tokenizer *tokenizer, struct error *reterr)
{
    struct reader reader = {.tokenizer = tokenizer, .reterr = reterr};
    json_t *root;
    error_quote(reader.name, sizeof reader.name, path, strlen(path));
    if (!json_read_file(path, TOKENIZER_MAX_BYTES, &root, reterr))
        return false;
    bool ok = take_all(&reader, root);
    if (ok && tokenizer->is_words)
        take_first(&reader, json_object_get(root, "post_processor"));
    json_decref(root);
    reader_release(&reader);
    return ok;
}
