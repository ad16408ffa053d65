/* Tokens and their numbers: see vocabulary.h. */
#include "files/vocabulary_internal.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/array.h"
#include "base/size.h"

/* ---- added tokens ---- */

void added_tokens_release(struct added_tokens *added)
{
    free(added->ids);
    *added = (struct added_tokens){.n = 0};
}

/* The place of a text among them, after those that come before it. */
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

/* ---- normal form ---- */

/* It is made one grapheme cluster at a time: no composition reaches over the end of a cluster
 * (UAX 29, section 3). */

/* Marks are sorted in quadratic time. */
enum { LONGEST_LETTER = 256 };

void normal_form_release(struct normal_form *form)
{
    text_release(&form->text);
    free(form->changes);
    *form = (struct normal_form){.n_changes = 0};
}

/* The character at bytes[0..size), and its size; -1 and 1 for a byte that is not UTF-8. */
static size_t character_at(const char *bytes, size_t size, utf8proc_int32_t *ret)
{
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)size, ret);
    return n > 0 ? (size_t)n : 1;
}

/* The bytes of the letter, with its marks, that bytes[0..size) begin with. */
static size_t letter_size(const char *bytes, size_t size)
{
    utf8proc_int32_t character, next, break_state = 0;
    size_t end = character_at(bytes, size, &character);
    while (end < size && character >= 0) {
        size_t n = character_at(bytes + end, size - end, &next);
        if (next < 0 || utf8proc_grapheme_break_stateful(character, next, &break_state))
            break;
        end += n;
        character = next;
    }
    return end;
}

static bool add_change(struct normal_form *form, size_t begin, size_t end, const char *letter)
{
    struct normal_change *changes =
        array_grow(form->changes, form->n_changes, &form->capacity, sizeof *changes);
    if (changes == NULL)
        return false;
    size_t to_begin = form->text.size;
    form->changes = changes;
    text_put(&form->text, letter);
    changes[form->n_changes++] = (struct normal_change){begin, end, to_begin, form->text.size};
    return true;
}

static bool add_letter(struct normal_form *form, const char *bytes, size_t begin, size_t size)
{
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t n = UTF8PROC_ERROR_INVALIDUTF8;
    bool ok = true;
    if (size > 1 && size <= LONGEST_LETTER) /* one byte is ASCII, or no letter */
        n = utf8proc_map((const utf8proc_uint8_t *)bytes + begin, (utf8proc_ssize_t)size, &composed,
                         UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (n == UTF8PROC_ERROR_NOMEM)
        return false;
    if (n < 0 || ((size_t)n == size && memcmp(composed, bytes + begin, size) == 0))
        text_add(&form->text, bytes + begin, size);
    else
        ok = add_change(form, begin, begin + size, (const char *)composed);
    free(composed);
    return ok && !form->text.failed;
}

bool normal_form_make(struct normal_form *form, const char *bytes, size_t size)
{
    for (size_t at = 0, n; at < size; at += n) {
        n = letter_size(bytes + at, size - at);
        if (!add_letter(form, bytes, at, n))
            return false;
    }
    return true;
}

/* How many changes begin at or before this place of the text. */
static size_t changes_before(const struct normal_form *form, size_t place)
{
    size_t low = 0, high = form->n_changes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (form->changes[middle].to_begin <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void normal_form_origin(const struct normal_form *form, size_t *begin, size_t *end)
{
    size_t at_begin = changes_before(form, *begin);
    size_t at_end = *end > 0 ? changes_before(form, *end - 1) : 0;
    if (at_end > 0) {
        const struct normal_change *change = &form->changes[at_end - 1];
        *end = *end <= change->to_end ? change->end : *end - change->to_end + change->end;
    }
    if (at_begin > 0) {
        const struct normal_change *change = &form->changes[at_begin - 1];
        *begin = *begin < change->to_end ? change->begin : *begin - change->to_end + change->end;
    }
}

/* ---- vocabulary ---- */

void vocabulary_release(struct vocabulary *vocabulary)
{
    text_release(&vocabulary->bytes);
    free(vocabulary->tokens);
    free(vocabulary->sorted);
    *vocabulary = (struct vocabulary){.n_ids = 0};
}

/* Makes room for this id; ids in between have no token. */
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

/* Fills tokens with those of TOKEN_MADE, in order. Returns their number. */
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

/* The place of these bytes among the sorted ones, after those that come before them; *ret_is_there:
 * they are found. */
static size_t slot_of(const struct vocabulary *vocabulary, const char *bytes, size_t size,
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
    size_t place = slot_of(vocabulary, bytes, size, &is_there);
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
    size_t place = slot_of(vocabulary, bytes, size, &is_there);
    if (!vocabulary_put(vocabulary, id, bytes, size, TOKEN_MADE))
        return false;
    memmove(sorted + place + 1, sorted + place, (vocabulary->n_sorted - place) * sizeof *sorted);
    sorted[place] = id;
    vocabulary->n_sorted++;
    return true;
}
