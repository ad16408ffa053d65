/* Byte pair encoding: see bpe_internal.h. A piece is a list of symbols, each linked to its
 * neighbours, and a heap of the pairs that can be merged, by rank and then from the left. A pair in
 * the heap that a merge made stale is dropped when it comes up. */
#include "files/bpe_internal.h"

#include <utf8proc.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* ---- byte letters ---- */

/* The invisible bytes are 0 to 32, 127 to 160 and 173, in this order from U+0100 on. */
enum {
    FIRST_LETTER = 0x100,
    AFTER_BLANK = 33,
    DELETE = 127,
    SOFT_HYPHEN = 173,
    LAST_LETTER = 0x143
};

static utf8proc_int32_t letter_of(unsigned char byte)
{
    if (byte < AFTER_BLANK)
        return FIRST_LETTER + byte;
    if (byte == SOFT_HYPHEN)
        return LAST_LETTER;
    return byte < DELETE || byte > 160 ? byte : FIRST_LETTER + AFTER_BLANK + byte - DELETE;
}

/* The byte, or -1. */
static int byte_of(utf8proc_int32_t letter)
{
    int rank = letter - FIRST_LETTER;
    int byte = letter == LAST_LETTER ? SOFT_HYPHEN
               : rank < 0            ? letter
               : rank < AFTER_BLANK  ? rank
                                     : rank - AFTER_BLANK + DELETE;
    return letter >= 0 && letter <= LAST_LETTER && letter_of((unsigned char)byte) == letter ? byte
                                                                                            : -1;
}

void byte_letters_write(const char *bytes, size_t size, struct text *text)
{
    for (size_t i = 0; i < size; i++) {
        utf8proc_uint8_t letter[4];
        utf8proc_ssize_t n = utf8proc_encode_char(letter_of((unsigned char)bytes[i]), letter);
        text_add(text, (const char *)letter, (size_t)n);
    }
}

bool byte_letters_read(const char *letters, size_t size, struct text *text)
{
    size_t begin = text->size;
    utf8proc_int32_t letter;
    for (size_t at = 0; at < size;) {
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)letters + at,
                                              (utf8proc_ssize_t)(size - at), &letter);
        int byte = n > 0 ? byte_of(letter) : -1;
        if (byte < 0) {
            text_shrink(text, begin);
            return false;
        }
        text_char(text, (char)byte);
        at += (size_t)n;
    }
    return true;
}

/* ---- bpe ---- */

/* A symbol is at the index of its first byte. */
struct bpe_symbol {
    uint32_t id;             /* VOCABULARY_NO_ID: merged into another */
    uint32_t previous, next; /* the indices of its neighbours; the piece's size after the last */
};

struct bpe_candidate {
    const struct bpe_merge *merge;
    uint32_t at; /* of its left symbol */
};

/* ---- pairs that can be merged ---- */

void bpe_release(struct bpe *bpe)
{
    vocabulary_release(&bpe->vocabulary);
    free(bpe->merges);
    free(bpe->first);
    *bpe = (struct bpe){.n_merges = 0};
}

bool bpe_add_merge(struct bpe *bpe, uint32_t left, uint32_t right, uint32_t id)
{
    struct bpe_merge *merges =
        array_grow(bpe->merges, bpe->n_merges, &bpe->capacity, sizeof *merges);
    if (merges == NULL)
        return false;
    bpe->merges = merges;
    merges[bpe->n_merges] = (struct bpe_merge){left, right, id, (uint32_t)bpe->n_merges};
    bpe->n_merges++;
    return true;
}

/* By left, right, and the last rank first. */
static int by_pair(const void *a, const void *b)
{
    const struct bpe_merge *x = a, *y = b;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    if (x->right != y->right)
        return x->right < y->right ? -1 : 1;
    return x->rank > y->rank ? -1 : x->rank < y->rank;
}

static void drop_repeated(struct bpe *bpe)
{
    size_t n = 0;
    for (size_t i = 0; i < bpe->n_merges; i++) {
        const struct bpe_merge *merge = &bpe->merges[i];
        if (n == 0 || bpe->merges[n - 1].left != merge->left ||
            bpe->merges[n - 1].right != merge->right)
            bpe->merges[n++] = *merge;
    }
    bpe->n_merges = n;
}

bool bpe_index(struct bpe *bpe)
{
    size_t n_ids = bpe->vocabulary.n_ids, at = 0;
    size_t *first = malloc((n_ids + 1) * sizeof *first);
    if (first == NULL)
        return false;
    if (bpe->n_merges > 0)
        qsort(bpe->merges, bpe->n_merges, sizeof *bpe->merges, by_pair);
    drop_repeated(bpe);
    for (size_t id = 0; id <= n_ids; id++) {
        while (at < bpe->n_merges && bpe->merges[at].left < id)
            at++;
        first[id] = at;
    }
    free(bpe->first);
    bpe->first = first;
    for (unsigned byte = 0; byte < COUNT_OF(bpe->byte_ids); byte++)
        bpe->byte_ids[byte] = vocabulary_find(&bpe->vocabulary, &(char){(char)byte}, 1);
    return true;
}

/* The merge of this pair, or NULL. */
static const struct bpe_merge *merge_of(const struct bpe *bpe, uint32_t left, uint32_t right)
{
    size_t low = bpe->first[left], high = bpe->first[left + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bpe->merges[middle].right == right)
            return &bpe->merges[middle];
        if (bpe->merges[middle].right < right)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- memory ---- */

void bpe_work_release(struct bpe_work *work)
{
    free(work->symbols);
    free(work->candidates);
    *work = (struct bpe_work){.capacity = 0};
}

/* A merge takes one candidate and may make two, and there are fewer merges than bytes. */
static bool make_room(struct bpe_work *work, size_t size)
{
    if (size <= work->capacity)
        return true;
    size_t capacity = size < 64 ? 64 : size;
    bpe_work_release(work);
    work->symbols = malloc(capacity * sizeof *work->symbols);
    work->candidates = malloc(2 * capacity * sizeof *work->candidates);
    if (work->symbols == NULL || work->candidates == NULL)
        return false;
    work->capacity = capacity;
    return true;
}

/* ---- one piece ---- */

struct piece {
    const struct bpe *bpe;
    struct bpe_symbol *symbols;
    struct bpe_candidate
        *heap; /* the next to be merged is heap[0]; i comes before 2 i + 1, 2 i + 2 */
    uint32_t n_bytes;
    size_t n_heap;
};

static bool comes_before(const struct bpe_candidate *a, const struct bpe_candidate *b)
{
    return a->merge->rank != b->merge->rank ? a->merge->rank < b->merge->rank : a->at < b->at;
}

/* Notes that the symbol at `at` can be merged with the next one, if it can. */
static void offer(struct piece *piece, uint32_t at)
{
    uint32_t next = piece->symbols[at].next;
    if (next >= piece->n_bytes)
        return;
    const struct bpe_merge *merge =
        merge_of(piece->bpe, piece->symbols[at].id, piece->symbols[next].id);
    if (merge == NULL)
        return;
    const struct bpe_candidate candidate = {merge, at};
    size_t place = piece->n_heap++;
    for (; place > 0 && comes_before(&candidate, &piece->heap[(place - 1) / 2]);
         place = (place - 1) / 2)
        piece->heap[place] = piece->heap[(place - 1) / 2];
    piece->heap[place] = candidate;
}

static struct bpe_candidate take_next(struct piece *piece)
{
    struct bpe_candidate taken = piece->heap[0], last = piece->heap[--piece->n_heap];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < piece->n_heap; place = child) {
        child +=
            child + 1 < piece->n_heap && comes_before(&piece->heap[child + 1], &piece->heap[child]);
        if (!comes_before(&piece->heap[child], &last))
            break;
        piece->heap[place] = piece->heap[child];
    }
    piece->heap[place] = last;
    return taken;
}

static void merge(struct piece *piece, const struct bpe_candidate *candidate)
{
    struct bpe_symbol *left = &piece->symbols[candidate->at];
    if (left->id != candidate->merge->left || left->next >= piece->n_bytes ||
        piece->symbols[left->next].id != candidate->merge->right)
        return; /* another merge came before */
    struct bpe_symbol *right = &piece->symbols[left->next];
    left->id = candidate->merge->id;
    left->next = right->next;
    right->id = VOCABULARY_NO_ID;
    if (left->next < piece->n_bytes)
        piece->symbols[left->next].previous = candidate->at;
    if (candidate->at > 0)
        offer(piece, left->previous);
    offer(piece, candidate->at);
}

static bool no_such_byte(unsigned char byte, struct error *reterr)
{
    return error_set(reterr, ERR_RANGE,
                     "the byte 0x%02X has no token in this vocabulary; leave it out", byte);
}

static bool begin_as_bytes(struct piece *piece, const char *bytes, struct error *reterr)
{
    for (uint32_t at = 0; at < piece->n_bytes; at++) {
        unsigned char byte = (unsigned char)bytes[at];
        piece->symbols[at] =
            (struct bpe_symbol){piece->bpe->byte_ids[byte], at > 0 ? at - 1 : 0, at + 1};
        if (piece->symbols[at].id == VOCABULARY_NO_ID)
            return no_such_byte(byte, reterr);
    }
    for (uint32_t at = 0; at < piece->n_bytes; at++)
        offer(piece, at);
    return true;
}

bool bpe_encode(const struct bpe *bpe, const char *piece_bytes, size_t size, size_t begin,
                struct bpe_work *work, struct tokens *tokens, struct error *reterr)
{
    uint32_t whole =
        bpe->whole_first ? vocabulary_find(&bpe->vocabulary, piece_bytes, size) : VOCABULARY_NO_ID;
    if (whole != VOCABULARY_NO_ID)
        return tokens_add(tokens, whole, begin, begin + size) ||
               error_memory(reterr, "the tokens of a text");
    if (size >= UINT32_MAX)
        return error_set(reterr, ERR_LIMIT, "a word of %zu bytes: attn takes less than 4 GiB",
                         size);
    if (!make_room(work, size))
        return error_memory(reterr, "the tokens of a text");
    struct piece piece = {bpe, work->symbols, work->candidates, (uint32_t)size, 0};
    if (!begin_as_bytes(&piece, piece_bytes, reterr))
        return false;
    while (piece.n_heap > 0) {
        struct bpe_candidate next = take_next(&piece);
        merge(&piece, &next);
    }
    for (uint32_t at = 0; at < piece.n_bytes; at = piece.symbols[at].next)
        if (!tokens_add(tokens, piece.symbols[at].id, begin + at, begin + piece.symbols[at].next))
            return error_memory(reterr, "the tokens of a text");
    return true;
}
