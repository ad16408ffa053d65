/* Errors as values: see error.h. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 sequence that starts at s (1 to 4), or 0 where no sequence starts. Overlong
 * forms and surrogates are not sequences. Source: The Unicode Standard, table 3-7. */
static size_t utf8_sequence(const unsigned char *s, size_t size)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (s[0] > 0xF4 || length == 0 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool not_a_character = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return overlong || not_a_character ? 0 : length;
}

/* False for the control characters: U+0000 to U+001F, and U+007F to U+009F. */
static bool is_printable(const unsigned char *s, size_t length)
{
    if (length == 1)
        return s[0] >= 0x20 && s[0] != 0x7F;
    return length > 2 || (length == 2 && (s[0] != 0xC2 || s[1] > 0x9F));
}

/* Ends text before a character that snprintf cut in two. */
static void drop_partial_character(char *text)
{
    size_t size = strlen(text);
    size_t start = size;
    while (start > 0 && size - start < 3 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0)
        start--;
    if (start < size && utf8_sequence((unsigned char *)text + start, size - start) == 0)
        text[start] = '\0';
}

bool error_set(struct error *reterr, enum error_kind kind, const char *format, ...)
{
    if (reterr == NULL)
        return false;
    va_list arguments;
    va_start(arguments, format);
    int needed = vsnprintf(reterr->text, sizeof reterr->text, format, arguments);
    va_end(arguments);
    if (needed < 0)
        reterr->text[0] = '\0';
    else if ((size_t)needed >= sizeof reterr->text)
        drop_partial_character(reterr->text);
    reterr->kind = kind;
    reterr->begin = reterr->end = 0;
    return false;
}

bool error_memory(struct error *reterr, const char *what)
{
    return error_set(reterr, ERR_MEMORY, "%s: not enough memory; free some or use smaller sizes",
                     what);
}

bool error_is_stop(const struct error *error)
{
    return error->kind == ERR_MEMORY || error->kind == ERR_INTERRUPTED;
}

bool error_place(struct error *reterr, size_t begin, size_t end)
{
    if (reterr != NULL && reterr->begin == reterr->end) {
        reterr->begin = begin;
        reterr->end = end;
    }
    return false;
}

void error_prefix(struct error *reterr, const char *format, ...)
{
    char prefix[sizeof((struct error){0}.text)];
    if (reterr == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(prefix, sizeof prefix, format, arguments);
    va_end(arguments);
    size_t used = strlen(prefix), old = strlen(reterr->text), room = sizeof prefix - 1 - used;
    bool cut = old > room;
    old = cut ? room : old;
    memmove(reterr->text + used, reterr->text, old);
    memcpy(reterr->text, prefix, used);
    reterr->text[used + old] = '\0';
    if (cut)
        drop_partial_character(reterr->text);
}

char *error_quote(char *dst, size_t capacity, const char *src, size_t size)
{
    const unsigned char *s = (const unsigned char *)src;
    size_t used = 0;
    size_t cut = 0; /* the last place after which "..." still fits */
    for (size_t i = 0; i < size;) {
        size_t length = utf8_sequence(s + i, size - i);
        bool keep = is_printable(s + i, length);
        size_t step = keep ? length : 1;
        if (used + step >= capacity) {
            memcpy(dst + cut, "...", sizeof "...");
            return dst;
        }
        if (keep)
            memcpy(dst + used, s + i, step);
        else
            dst[used] = '?';
        used += step;
        i += length > 0 ? length : 1;
        if (used + sizeof "..." <= capacity)
            cut = used;
    }
    dst[used] = '\0';
    return dst;
}
