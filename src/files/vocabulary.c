/* Tokens and their numbers: see vocabulary.h. */
#include "files/vocabulary.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

void vocabulary_release(struct vocabulary *vocabulary)
{
    text_release(&vocabulary->bytes);
    free(vocabulary->tokens);
    free(vocabulary->sorted);
    *vocabulary = (struct vocabulary){.n_ids = 0};
}

/* Room for this id; what lies between has no token. */
static bool reach(struct vocabulary *vocabulary, uint32_t id)
{
    while (vocabulary->capacity <= id) {
        struct vocabulary_token *tokens = array_grow(vocabulary->tokens, vocabulary->capacity,
                                                     &vocabulary->capacity, sizeof *tokens);
        if (tokens == NULL)
            return false;
        vocabulary->tokens = tokens;
    }
    for (; vocabulary->n_ids <= id; vocabulary->n_ids++)
        vocabulary->tokens[vocabulary->n_ids] = (struct vocabulary_token){.kind = TOKEN_NONE};
    return true;
}

bool vocabulary_put(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size,
                    enum token_kind kind)
{
    size_t begin = vocabulary->bytes.size;
    if (!reach(vocabulary, id))
        return false;
    text_add(&vocabulary->bytes, bytes, size);
    if (vocabulary->bytes.failed)
        return false;
    vocabulary->n_tokens++;
    vocabulary->tokens[id] = (struct vocabulary_token){begin, size, kind};
    return true;
}

/* ---- by their bytes ---- */

static int compare(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int order = memcmp(a, b, size_min(a_size, b_size));
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

/* A token while tokens are sorted. */
struct sortable {
    const char *bytes;
    size_t size;
    uint32_t id;
};

static int by_bytes(const void *a, const void *b)
{
    const struct sortable *x = a, *y = b;
    return compare(x->bytes, x->size, y->bytes, y->size);
}

/* Fills tokens with what is made, in order. Returns how many these are. */
static size_t sort_made(const struct vocabulary *vocabulary, struct sortable *tokens)
{
    size_t n = 0;
    for (uint32_t id = 0; id < vocabulary->n_ids; id++)
        if (vocabulary->tokens[id].kind == TOKEN_MADE) {
            tokens[n].id = id;
            tokens[n].bytes = vocabulary_bytes(vocabulary, id, &tokens[n].size);
            n++;
        }
    qsort(tokens, n, sizeof *tokens, by_bytes);
    return n;
}

bool vocabulary_sort(struct vocabulary *vocabulary)
{
    struct sortable *tokens = malloc((vocabulary->n_tokens + 1) * sizeof *tokens);
    uint32_t *sorted = malloc((vocabulary->n_tokens + 1) * sizeof *sorted);
    bool ok = tokens != NULL && sorted != NULL;
    if (ok) {
        size_t n = sort_made(vocabulary, tokens);
        for (size_t at = 0; at < n; at++)
            sorted[at] = tokens[at].id;
        free(vocabulary->sorted);
        vocabulary->sorted = sorted;
        vocabulary->n_sorted = n;
        vocabulary->sorted_capacity = vocabulary->n_tokens + 1;
    } else {
        free(sorted);
    }
    free(tokens);
    return ok;
}

/* ---- looking ---- */

enum token_kind vocabulary_kind(const struct vocabulary *vocabulary, uint32_t id)
{
    return id < vocabulary->n_ids ? vocabulary->tokens[id].kind : TOKEN_NONE;
}

const char *vocabulary_bytes(const struct vocabulary *vocabulary, uint32_t id, size_t *ret_size)
{
    if (vocabulary_kind(vocabulary, id) == TOKEN_NONE)
        return NULL;
    *ret_size = vocabulary->tokens[id].size;
    return text_string(&vocabulary->bytes) + vocabulary->tokens[id].begin;
}

/* Where these bytes lie among what is sorted, behind what comes before them; *ret_is_there: they
 * do. */
static size_t place_of(const struct vocabulary *vocabulary, const char *bytes, size_t size,
                       bool *ret_is_there)
{
    size_t low = 0, high = vocabulary->n_sorted;
    *ret_is_there = false;
    while (low < high && !*ret_is_there) {
        size_t middle = low + (high - low) / 2, middle_size = 0;
        const char *token = vocabulary_bytes(vocabulary, vocabulary->sorted[middle], &middle_size);
        int order = compare(token, middle_size, bytes, size);
        *ret_is_there = order == 0;
        if (order < 0)
            low = middle + 1;
        else if (order > 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

uint32_t vocabulary_find(const struct vocabulary *vocabulary, const char *bytes, size_t size)
{
    bool is_there;
    size_t place = place_of(vocabulary, bytes, size, &is_there);
    return is_there ? vocabulary->sorted[place] : VOCABULARY_NO_ID;
}

bool vocabulary_insert(struct vocabulary *vocabulary, uint32_t id, const char *bytes, size_t size)
{
    bool is_there;
    uint32_t *sorted = array_grow(vocabulary->sorted, vocabulary->n_sorted,
                                  &vocabulary->sorted_capacity, sizeof *sorted);
    if (sorted == NULL)
        return false;
    vocabulary->sorted = sorted;
    size_t place = place_of(vocabulary, bytes, size, &is_there);
    if (!vocabulary_put(vocabulary, id, bytes, size, TOKEN_MADE))
        return false;
    memmove(sorted + place + 1, sorted + place, (vocabulary->n_sorted - place) * sizeof *sorted);
    sorted[place] = id;
    vocabulary->n_sorted++;
    return true;
}
