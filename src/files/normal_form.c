/* Normal form C: see normal_form.h. It is made one grapheme cluster at a time, which no composition
 * reaches over (UAX 29, section 3). */
#include "files/normal_form.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/array.h"

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
