/* New tokenizers, and their files. */
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <jansson.h>

#include "base/array.h"
#include "files/tokenizer.h"
#include "files/tokenizer_internal.h"
#include "base/size.h"
#include "files/bpe_internal.h"
#include "files/file.h"

/* ---- bpe train ---- */

/* Learning merges from a text: the commonest pair of neighbours becomes a token, again and again.
 * Source: Sennrich, Haddow, Birch 2016, algorithm 1; kept up to date as in Larsson, Moffat 1999,
 * "Offline Dictionary-Based Compression" (Re-Pair). */

/* Every symbol of every word has a site. The sites whose symbol and the next are the same pair form
 * a list, so that a merge touches only the sites of its pair and their neighbours. */

/* Words of a text, each with how often it stands there. Their bytes are borrowed. */
struct bpe_word {
    const char *bytes;
    size_t size, count;
};

#define NONE UINT32_MAX

struct site {
    uint32_t id;                       /* of the symbol, which is at the index of its first byte */
    uint32_t previous, next;           /* sites of the same word, or NONE */
    uint32_t pair;                     /* that it begins, or NONE */
    uint32_t same_previous, same_next; /* sites that begin the same pair, or NONE */
    size_t count;                      /* of the word */
};

struct pair {
    uint32_t left, right;
    uint32_t first; /* site that begins it, or NONE */
    uint32_t step;  /* the last merge that made it more common */
    size_t count;
};

/* A pair as common as it was when this was noted. */
struct note {
    size_t count;
    uint32_t pair;
};

struct trainer {
    struct bpe *bpe;
    struct site *sites;
    size_t n_sites;
    struct pair *pairs;
    size_t n_pairs, pairs_capacity;
    uint32_t *slots; /* of a hash table of pairs: the pair, or NONE. A power of two */
    size_t n_slots;
    struct note *heap; /* heap[i] comes before heap[2 i + 1] and heap[2 i + 2] */
    size_t n_heap, heap_capacity;
    uint32_t *touched; /* pairs that the current merge made more common */
    size_t n_touched, touched_capacity;
    uint32_t *places; /* sites of the current pair */
    uint32_t step;
};

/* ---- pairs by their ids ---- */

static size_t slot_of(const struct trainer *trainer, uint32_t left, uint32_t right)
{
    uint64_t hash = ((uint64_t)left << 32 | right) * 0x9E3779B97F4A7C15u; /* Knuth's, 2^64 / phi */
    size_t slot = (size_t)(hash >> 20) & (trainer->n_slots - 1);
    while (trainer->slots[slot] != NONE && (trainer->pairs[trainer->slots[slot]].left != left ||
                                            trainer->pairs[trainer->slots[slot]].right != right))
        slot = (slot + 1) & (trainer->n_slots - 1);
    return slot;
}

static bool grow_slots(struct trainer *trainer)
{
    size_t n = trainer->n_slots > 0 ? 2 * trainer->n_slots : 1024;
    uint32_t *slots = malloc(n * sizeof *slots);
    if (slots == NULL)
        return false;
    memset(slots, 0xFF, n * sizeof *slots);
    free(trainer->slots);
    trainer->slots = slots;
    trainer->n_slots = n;
    for (uint32_t pair = 0; pair < trainer->n_pairs; pair++)
        slots[slot_of(trainer, trainer->pairs[pair].left, trainer->pairs[pair].right)] = pair;
    return true;
}

/* Finds the pair of these ids, or adds it if it is new. False without memory. */
static bool find_pair(struct trainer *trainer, uint32_t left, uint32_t right, uint32_t *ret)
{
    if (2 * trainer->n_pairs >= trainer->n_slots && !grow_slots(trainer))
        return false;
    size_t slot = slot_of(trainer, left, right);
    if (trainer->slots[slot] == NONE) {
        struct pair *pairs =
            array_grow(trainer->pairs, trainer->n_pairs, &trainer->pairs_capacity, sizeof *pairs);
        if (pairs == NULL)
            return false;
        trainer->pairs = pairs;
        pairs[trainer->n_pairs] = (struct pair){left, right, NONE, NONE, 0};
        trainer->slots[slot] = (uint32_t)trainer->n_pairs++;
    }
    *ret = trainer->slots[slot];
    return true;
}

/* ---- sites of a pair ---- */

/* Puts the site into the list of the pair that it begins, if it begins one. False without
 * memory. */
static bool link_site(struct trainer *trainer, uint32_t place)
{
    struct site *site = &trainer->sites[place];
    if (site->next == NONE)
        return true;
    uint32_t *touched = array_grow(trainer->touched, trainer->n_touched, &trainer->touched_capacity,
                                   sizeof *touched);
    if (touched == NULL)
        return false;
    trainer->touched = touched;
    if (!find_pair(trainer, site->id, trainer->sites[site->next].id, &site->pair))
        return false;
    struct pair *pair = &trainer->pairs[site->pair];
    if (pair->step != trainer->step)
        touched[trainer->n_touched++] = site->pair;
    pair->step = trainer->step;
    pair->count += site->count;
    site->same_previous = NONE;
    site->same_next = pair->first;
    if (pair->first != NONE)
        trainer->sites[pair->first].same_previous = place;
    pair->first = place;
    return true;
}

static void unlink_site(struct trainer *trainer, uint32_t place)
{
    struct site *site = &trainer->sites[place];
    if (site->pair == NONE)
        return;
    struct pair *pair = &trainer->pairs[site->pair];
    pair->count -= site->count;
    if (site->same_previous != NONE)
        trainer->sites[site->same_previous].same_next = site->same_next;
    else
        pair->first = site->same_next;
    if (site->same_next != NONE)
        trainer->sites[site->same_next].same_previous = site->same_previous;
    site->pair = NONE;
}

/* ---- the commonest pair ---- */

static bool comes_before(const struct trainer *trainer, const struct note *a, const struct note *b)
{
    const struct pair *x = &trainer->pairs[a->pair], *y = &trainer->pairs[b->pair];
    if (a->count != b->count)
        return a->count > b->count;
    return x->left != y->left ? x->left < y->left : x->right < y->right;
}

static bool note_pair(struct trainer *trainer, uint32_t pair)
{
    struct note *heap =
        array_grow(trainer->heap, trainer->n_heap, &trainer->heap_capacity, sizeof *heap);
    const struct note note = {trainer->pairs[pair].count, pair};
    if (heap == NULL)
        return false;
    trainer->heap = heap;
    size_t place = trainer->n_heap++;
    for (; place > 0 && comes_before(trainer, &note, &heap[(place - 1) / 2]);
         place = (place - 1) / 2)
        heap[place] = heap[(place - 1) / 2];
    heap[place] = note;
    return true;
}

static struct note take_note(struct trainer *trainer)
{
    struct note *heap = trainer->heap;
    struct note taken = heap[0], last = heap[--trainer->n_heap];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < trainer->n_heap; place = child) {
        child +=
            child + 1 < trainer->n_heap && comes_before(trainer, &heap[child + 1], &heap[child]);
        if (!comes_before(trainer, &heap[child], &last))
            break;
        heap[place] = heap[child];
    }
    heap[place] = last;
    return taken;
}

/* Notes how common the pairs are now that became more common. */
static bool note_touched(struct trainer *trainer)
{
    for (size_t i = 0; i < trainer->n_touched; i++)
        if (!note_pair(trainer, trainer->touched[i]))
            return false;
    trainer->n_touched = 0;
    return true;
}

/* The commonest pair, or NONE if no pair occurs twice: pairs became rarer since they were noted,
 * never commoner. False without memory. */
static bool take_commonest(struct trainer *trainer, uint32_t *ret)
{
    *ret = NONE;
    while (trainer->n_heap > 0) {
        struct note note = take_note(trainer);
        if (trainer->pairs[note.pair].count == note.count) {
            *ret = note.count > 1 ? note.pair : NONE;
            return true;
        }
        if (trainer->pairs[note.pair].count > 1 && !note_pair(trainer, note.pair))
            return false;
    }
    return true;
}

/* ---- one merge ---- */

static int by_place(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Merges the symbol at this place with the next. */
static bool merge_at(struct trainer *trainer, uint32_t place, uint32_t id)
{
    struct site *site = &trainer->sites[place], *next = &trainer->sites[site->next];
    if (site->previous != NONE)
        unlink_site(trainer, site->previous);
    unlink_site(trainer, place);
    unlink_site(trainer, site->next);
    site->id = id;
    site->next = next->next;
    if (site->next != NONE)
        trainer->sites[site->next].previous = place;
    return (site->previous == NONE || link_site(trainer, site->previous)) &&
           link_site(trainer, place);
}

/* Merges all that begin this pair, from the left: of a a a the first two. */
static bool merge_all(struct trainer *trainer, uint32_t pair, uint32_t id)
{
    size_t n = 0;
    for (uint32_t place = trainer->pairs[pair].first; place != NONE;
         place = trainer->sites[place].same_next)
        trainer->places[n++] = place;
    qsort(trainer->places, n, sizeof *trainer->places, by_place);
    for (size_t i = 0; i < n; i++)
        if (trainer->sites[trainer->places[i]].pair == pair &&
            !merge_at(trainer, trainer->places[i], id))
            return false;
    return true;
}

/* The id of the merged pair, which may already be a token: a bc is abc, as ab c is. */
static bool id_of(struct trainer *trainer, const struct pair *pair, uint32_t *ret,
                  struct error *reterr)
{
    struct vocabulary *vocabulary = &trainer->bpe->vocabulary;
    struct text bytes = {0};
    for (unsigned side = 0; side < 2; side++) {
        size_t size;
        const char *part =
            vocabulary_bytes(vocabulary, side == 0 ? pair->left : pair->right, &size);
        text_add(&bytes, part, size);
    }
    bool ok = !bytes.failed || error_memory(reterr, "learning merges");
    *ret = ok ? vocabulary_find(vocabulary, bytes.bytes, bytes.size) : VOCABULARY_NO_ID;
    if (ok && *ret == VOCABULARY_NO_ID) {
        *ret = (uint32_t)vocabulary->n_ids;
        if (*ret >= VOCABULARY_MAX_IDS)
            ok = error_set(reterr, ERR_LIMIT, "a vocabulary: attn takes at most %d tokens",
                           VOCABULARY_MAX_IDS);
        else if (!vocabulary_insert(vocabulary, *ret, bytes.bytes, bytes.size))
            ok = error_memory(reterr, "learning merges");
    }
    text_release(&bytes);
    return ok;
}

static bool learn(struct trainer *trainer, size_t n_merges, struct error *reterr)
{
    for (trainer->step = 1; trainer->step <= n_merges; trainer->step++) {
        uint32_t pair, id;
        if (!note_touched(trainer) || !take_commonest(trainer, &pair))
            return error_memory(reterr, "learning merges");
        if (pair == NONE)
            break;
        const struct pair merged = trainer->pairs[pair];
        if (!id_of(trainer, &merged, &id, reterr))
            return false;
        if (!bpe_add_merge(trainer->bpe, merged.left, merged.right, id) ||
            !merge_all(trainer, pair, id))
            return error_memory(reterr, "learning merges");
    }
    return true;
}

/* ---- words ---- */

static size_t bytes_of(const struct bpe_word *words, size_t n)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size += words[i].size;
    return size;
}

static void place_word(struct trainer *trainer, const struct bpe_word *word)
{
    uint32_t begin = (uint32_t)trainer->n_sites, end = begin + (uint32_t)word->size;
    for (uint32_t at = begin; at < end; at++)
        trainer->sites[at] = (struct site){
            .id = vocabulary_find(&trainer->bpe->vocabulary, word->bytes + (at - begin), 1),
            .previous = at > begin ? at - 1 : NONE,
            .next = at + 1 < end ? at + 1 : NONE,
            .pair = NONE,
            .count = word->count};
    trainer->n_sites = end;
}

static bool place_all(struct trainer *trainer, const struct bpe_word *words, size_t n_words,
                      struct error *reterr)
{
    size_t size = bytes_of(words, n_words);
    if (size >= NONE)
        return error_set(reterr, ERR_LIMIT,
                         "learning merges: the words have %zu bytes, and attn "
                         "takes less than 4 GiB",
                         size);
    trainer->sites = malloc((size + 1) * sizeof *trainer->sites);
    trainer->places = malloc((size + 1) * sizeof *trainer->places);
    if (trainer->sites == NULL || trainer->places == NULL)
        return error_memory(reterr, "learning merges");
    for (size_t i = 0; i < n_words; i++)
        place_word(trainer, &words[i]);
    for (uint32_t at = 0; at < trainer->n_sites; at++)
        if (!link_site(trainer, at))
            return error_memory(reterr, "learning merges");
    return true;
}

/* Adds to bpe, whose vocabulary is sorted and has the words' bytes, at most n_merges merges and
 * their tokens, with the next free ids. Of equally common pairs the one with the smaller ids comes
 * first. It ends earlier if no pair occurs twice. The caller must call bpe_index() afterwards.
 * ERR_MEMORY; ERR_LIMIT: too many bytes or tokens. */
static bool bpe_train(struct bpe *bpe, const struct bpe_word *words, size_t n_words,
                      size_t n_merges, struct error *reterr)
{
    struct trainer trainer = {.bpe = bpe};
    bool ok = place_all(&trainer, words, n_words, reterr) && learn(&trainer, n_merges, reterr);
    free(trainer.sites);
    free(trainer.places);
    free(trainer.pairs);
    free(trainer.slots);
    free(trainer.heap);
    free(trainer.touched);
    return ok;
}

/* ---- tokenizer write ---- */

enum { PATH_BYTES = 4096, N_BYTES = 256 };

/* ---- learning ---- */

/* The words of a text: first every occurrence, then each word once. */
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

static bool learn_vocabulary(struct tokenizer *tokenizer, const struct tokenizer_plan *plan,
                             const char *text, size_t size, struct error *reterr)
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
        !learn_vocabulary(tokenizer, plan, text, size, reterr) ||
        !add_whole_tokens(tokenizer, plan, reterr)) {
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
