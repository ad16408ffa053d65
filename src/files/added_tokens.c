/* Tokens that are found in a text: see added_tokens.h. */
#include "files/added_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

void added_tokens_release(struct added_tokens *added)
{
    free(added->ids);
    *added = (struct added_tokens){.n = 0};
}

/* Where a text lies among them, behind those that come before it. */
static size_t place_of(const struct added_tokens *added, const struct vocabulary *vocabulary,
                       const char *bytes, size_t size)
{
    size_t low = 0, high = added->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2, middle_size;
        const char *token = vocabulary_bytes(vocabulary, added->ids[middle], &middle_size);
        int order = memcmp(token, bytes, size_min(middle_size, size));
        if (order < 0 || (order == 0 && middle_size < size))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool added_tokens_put(struct added_tokens *added, struct vocabulary *vocabulary, uint32_t id,
                      const char *bytes, size_t size)
{
    uint32_t *ids = array_grow(added->ids, added->n, &added->capacity, sizeof *ids);
    if (ids == NULL)
        return false;
    added->ids = ids;
    if (vocabulary_kind(vocabulary, id) == TOKEN_NONE &&
        !vocabulary_put(vocabulary, id, bytes, size, TOKEN_WHOLE))
        return false;
    size_t place = place_of(added, vocabulary, bytes, size);
    memmove(ids + place + 1, ids + place, (added->n - place) * sizeof *ids);
    ids[place] = id;
    added->n++;
    added->begins[(unsigned char)*bytes] = true;
    return true;
}

/* The first of the tokens [low, high), which have the same first `place` bytes, whose next byte is
 * at least `byte`. A token that ends there counts as less. */
static size_t first_from(const struct added_tokens *added, const struct vocabulary *vocabulary,
                         size_t low, size_t high, size_t place, int byte)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2, size;
        const char *bytes = vocabulary_bytes(vocabulary, added->ids[middle], &size);
        if (place >= size || (unsigned char)bytes[place] < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t added_tokens_match(const struct added_tokens *added, const struct vocabulary *vocabulary,
                            const char *text, size_t size, size_t *ret_size)
{
    uint32_t found = VOCABULARY_NO_ID;
    size_t low = 0, high = added->begins[(unsigned char)*text] ? added->n : 0;
    for (size_t place = 0; place < size && low < high; place++) {
        int byte = (unsigned char)text[place];
        size_t token_size;
        low = first_from(added, vocabulary, low, high, place, byte);
        high = first_from(added, vocabulary, low, high, place, byte + 1);
        if (low == high)
            break;
        vocabulary_bytes(vocabulary, added->ids[low], &token_size); /* the shortest comes first */
        if (token_size == place + 1) {
            found = added->ids[low];
            *ret_size = token_size;
        }
    }
    return found;
}
