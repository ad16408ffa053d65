/* New tokenizers, and their files. */
#include "files/tokenizer.h"
#include "files/tokenizer_internal.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "files/bpe_train.h"
#include "files/byte_letters.h"
#include "files/file.h"
#include "files/path.h"

enum { PATH_BYTES = 4096, N_BYTES = 256 };

/* ---- learning ---- */

/* The words of a text: first each by itself, then each once. */
struct words {
    struct bpe_word *items;
    size_t n, capacity;
};

static bool add_word(void *context, const char *bytes, size_t size, size_t begin,
                     struct error *reterr)
{
    struct words *words = context;
    struct bpe_word *items = array_grow(words->items, words->n, &words->capacity, sizeof *items);
    (void)begin;
    if (items == NULL)
        return error_memory(reterr, "the words of a text");
    words->items = items;
    items[words->n++] = (struct bpe_word){bytes, size, 1};
    return true;
}

static int compare_words(const struct bpe_word *a, const struct bpe_word *b)
{
    int order = memcmp(a->bytes, b->bytes, size_min(a->size, b->size));
    return order != 0 ? order : (a->size > b->size) - (a->size < b->size);
}

static int by_bytes(const void *a, const void *b)
{
    return compare_words(a, b);
}

/* Sorts the words and counts those that are equal. */
static void count_words(struct words *words)
{
    size_t n = 0;
    if (words->n > 0)
        qsort(words->items, words->n, sizeof *words->items, by_bytes);
    for (size_t i = 0; i < words->n; i++)
        if (n > 0 && compare_words(&words->items[n - 1], &words->items[i]) == 0)
            words->items[n - 1].count++;
        else
            words->items[n++] = words->items[i];
    words->n = n;
}

/* The bytes in the order of GPT-2's ids: those whose letter is themselves come first. */
static bool put_bytes(struct vocabulary *vocabulary, const bool used[N_BYTES])
{
    bool ok = true;
    for (int pass = 0; pass < 2; pass++)
        for (unsigned byte = 0; ok && byte < N_BYTES; byte++) {
            bool is_visible = (byte > ' ' && byte < 127) || (byte > 160 && byte != 173);
            if (used[byte] && is_visible == (pass == 0))
                ok = vocabulary_put(vocabulary, (uint32_t)vocabulary->n_ids, &(char){(char)byte}, 1,
                                    TOKEN_MADE);
        }
    return ok && vocabulary_sort(vocabulary);
}

static bool put_all_bytes(struct tokenizer *tokenizer, const struct tokenizer_plan *plan,
                          const char *text, size_t size, struct error *reterr)
{
    bool used[N_BYTES];
    for (unsigned byte = 0; byte < N_BYTES; byte++)
        used[byte] = !plan->only_used_bytes;
    for (size_t i = 0; i < size; i++)
        used[(unsigned char)text[i]] = true;
    return put_bytes(&tokenizer->bpe.vocabulary, used) || error_memory(reterr, "a tokenizer");
}

static bool learn(struct tokenizer *tokenizer, const struct tokenizer_plan *plan, const char *text,
                  size_t size, struct error *reterr)
{
    struct words words = {0};
    bool ok = split_run(&tokenizer->split, text, size, 0, add_word, &words, reterr);
    if (ok) {
        count_words(&words);
        ok = bpe_train(&tokenizer->bpe, words.items, words.n, plan->n_merges, reterr);
    }
    free(words.items);
    return ok && (bpe_index(&tokenizer->bpe) || error_memory(reterr, "a tokenizer"));
}

static bool add_whole_tokens(struct tokenizer *tokenizer, const struct tokenizer_plan *plan,
                             struct error *reterr)
{
    struct vocabulary *vocabulary = &tokenizer->bpe.vocabulary;
    for (size_t i = 0; i < plan->n_added; i++)
        if (!added_tokens_put(&tokenizer->added, vocabulary, (uint32_t)vocabulary->n_ids,
                              plan->added[i], strlen(plan->added[i])))
            return error_memory(reterr, "a tokenizer");
    return true;
}

bool tokenizer_train(const struct tokenizer_plan *plan, const char *text, size_t size,
                     struct tokenizer **ret, struct error *reterr)
{
    struct tokenizer *tokenizer = calloc(1, sizeof *tokenizer);
    if (tokenizer == NULL)
        return error_memory(reterr, "a tokenizer");
    tokenizer->n_owners = 1;
    if (!split_add(&tokenizer->split, SPLIT_GPT2, reterr) ||
        !put_all_bytes(tokenizer, plan, text, size, reterr) ||
        !learn(tokenizer, plan, text, size, reterr) || !add_whole_tokens(tokenizer, plan, reterr)) {
        tokenizer_close(tokenizer);
        return false;
    }
    *ret = tokenizer;
    return true;
}

/* ---- writing ---- */

/* A token as the files have it; NULL without memory. The caller frees it. */
static char *letters_of(const struct tokenizer *tokenizer, uint32_t id)
{
    struct text text = {0};
    size_t size = 0;
    const char *bytes = tokenizer_token(tokenizer, id, &size);
    if (vocabulary_kind(&tokenizer->bpe.vocabulary, id) == TOKEN_MADE)
        byte_letters_write(bytes, size, &text);
    else
        text_add(&text, bytes, size);
    if (!text.failed)
        return text.bytes;
    text_release(&text);
    return NULL;
}

/* {"!": 0, ...}; NULL without memory. */
static json_t *vocabulary_of(const struct tokenizer *tokenizer)
{
    json_t *vocabulary = json_object();
    for (uint32_t id = 0; vocabulary != NULL && id < tokenizer_size(tokenizer); id++) {
        if (vocabulary_kind(&tokenizer->bpe.vocabulary, id) == TOKEN_NONE)
            continue;
        char *letters = letters_of(tokenizer, id);
        if (letters == NULL || json_object_set_new(vocabulary, letters, json_integer(id)) != 0) {
            json_decref(vocabulary);
            vocabulary = NULL;
        }
        free(letters);
    }
    return vocabulary;
}

static int by_rank(const void *a, const void *b)
{
    const struct bpe_merge *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* ["Ġ t", ...]; NULL without memory. */
static json_t *merges_of(const struct tokenizer *tokenizer)
{
    const struct bpe *bpe = &tokenizer->bpe;
    json_t *list = json_array();
    struct bpe_merge *merges = malloc((bpe->n_merges + 1) * sizeof *merges);
    bool ok = list != NULL && merges != NULL;
    if (ok && bpe->n_merges > 0) {
        memcpy(merges, bpe->merges, bpe->n_merges * sizeof *merges);
        qsort(merges, bpe->n_merges, sizeof *merges, by_rank);
    }
    for (size_t i = 0; ok && i < bpe->n_merges; i++) {
        char *left = letters_of(tokenizer, merges[i].left);
        char *right = letters_of(tokenizer, merges[i].right);
        ok = left != NULL && right != NULL &&
             json_array_append_new(list, json_sprintf("%s %s", left, right)) == 0;
        free(left);
        free(right);
    }
    free(merges);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *added_tokens_of(const struct tokenizer *tokenizer)
{
    json_t *list = json_array();
    for (size_t i = 0; i < tokenizer->added.n; i++) {
        size_t size = 0;
        const char *bytes = tokenizer_token(tokenizer, tokenizer->added.ids[i], &size);
        json_array_append_new(list, json_pack("{s:i, s:s%, s:b, s:b, s:b, s:b, s:b}", "id",
                                              (int)tokenizer->added.ids[i], "content", bytes, size,
                                              "single_word", 0, "lstrip", 0, "rstrip", 0,
                                              "normalized", 0, "special", 1));
    }
    return list;
}

/* A Split for each pattern, and bytes behind them. */
static json_t *pre_tokenizer_of(const struct tokenizer *tokenizer)
{
    json_t *steps = json_array();
    for (unsigned i = 0; i < tokenizer->split.n_steps; i++)
        json_array_append_new(steps, json_pack("{s:s, s:{s:s}, s:s, s:b}", "type", "Split",
                                               "pattern", "Regex", tokenizer->split.patterns[i],
                                               "behavior", "Isolated", "invert", 0));
    json_array_append_new(steps,
                          json_pack("{s:s, s:b, s:b, s:b}", "type", "ByteLevel", "add_prefix_space",
                                    0, "trim_offsets", 1, "use_regex", 0));
    return json_pack("{s:s, s:o}", "type", "Sequence", "pretokenizers", steps);
}

/* The whole of tokenizer.json; takes the vocabulary and the merges. NULL without memory. */
static json_t *whole_of(const struct tokenizer *tokenizer, json_t *vocabulary, json_t *merges)
{
    json_t *normalizer = tokenizer->composes ? json_pack("{s:s}", "type", "NFC") : json_null();
    json_t *model = json_pack(
        "{s:s, s:n, s:n, s:n, s:n, s:b, s:b, s:b, s:o, s:o}", "type", "BPE", "dropout", "unk_token",
        "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", 0, "byte_fallback", 0,
        "ignore_merges", tokenizer->bpe.whole_first, "vocab", vocabulary, "merges", merges);
    return json_pack("{s:s, s:n, s:n, s:o, s:o, s:o, s:o, s:{s:s, s:b, s:b, s:b}, s:o}", "version",
                     "1.0", "truncation", "padding", "added_tokens", added_tokens_of(tokenizer),
                     "normalizer", normalizer, "pre_tokenizer", pre_tokenizer_of(tokenizer),
                     "post_processor", tokenizer_template_json(tokenizer), "decoder", "type",
                     "ByteLevel", "add_prefix_space", 0, "trim_offsets", 1, "use_regex", 0, "model",
                     model);
}

static bool write_bytes(const char *folder, const char *name, const char *bytes, size_t size,
                        struct error *reterr)
{
    char path[PATH_BYTES], shown[160];
    error_quote(shown, sizeof shown, folder, strlen(folder));
    if (!path_join(path, sizeof path, folder, name))
        return error_set(reterr, ERR_LIMIT, "%s: the path is too long", shown);
    return file_replace(path, bytes, size, 0666) ||
           error_set(reterr, ERR_FILE, "%s/%s: can't be saved: %s", shown, name, strerror(errno));
}

/* Takes the value. */
static bool write_json(const char *folder, const char *name, json_t *value, struct error *reterr)
{
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    bool ok = text != NULL ? write_bytes(folder, name, text, strlen(text), reterr)
                           : error_memory(reterr, "a tokenizer's files");
    free(text);
    json_decref(value);
    return ok;
}

static bool write_merges(const char *folder, const json_t *merges, struct error *reterr)
{
    struct text lines = {0};
    text_put(&lines, "#version: 0.2\n");
    for (size_t i = 0; i < json_array_size(merges); i++)
        text_format(&lines, "%s\n", json_string_value(json_array_get(merges, i)));
    bool ok = lines.failed ? error_memory(reterr, "a tokenizer's files")
                           : write_bytes(folder, "merges.txt", lines.bytes, lines.size, reterr);
    text_release(&lines);
    return ok;
}

bool tokenizer_save(const struct tokenizer *tokenizer, const char *folder, struct error *reterr)
{
    if (tokenizer->is_words)
        return write_json(folder, "tokenizer.json", tokenizer_words_json(tokenizer), reterr);
    json_t *vocabulary = vocabulary_of(tokenizer), *merges = merges_of(tokenizer);
    bool ok = vocabulary != NULL && merges != NULL;
    if (!ok)
        error_memory(reterr, "a tokenizer's files");
    ok = ok && write_json(folder, "vocab.json", json_incref(vocabulary), reterr) &&
         write_merges(folder, merges, reterr) &&
         write_json(folder, "tokenizer.json",
                    whole_of(tokenizer, json_incref(vocabulary), json_incref(merges)), reterr);
    json_decref(vocabulary);
    json_decref(merges);
    return ok;
}
