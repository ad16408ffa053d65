/* A growing piece of UTF-8 text.
 *
 * The writer owns the bytes until text_release(). A failed allocation is remembered in `failed` and
 * makes later additions do nothing, so that code that writes many pieces checks once at the end. */
#ifndef ATTN_BASE_TEXT_H
#define ATTN_BASE_TEXT_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"

struct text {
    char *bytes; /* NUL-terminated once anything was added; NULL before */
    size_t size; /* without the NUL */
    size_t capacity;
    bool failed; /* an allocation failed: the text is incomplete */
};

void text_release(struct text *text); /* text may be all zero bytes */
void text_clear(struct text *text);   /* empties it and keeps the memory */
/* Cuts the text back to a size that it had before; forgets a failure since then. */
void text_shrink(struct text *text, size_t size);
void text_add(struct text *text, const char *bytes, size_t size);
void text_put(struct text *text, const char *string); /* a NUL-terminated string */
void text_char(struct text *text, char c);
void text_repeat(struct text *text, const char *string, size_t count);
void text_format(struct text *text, const char *format, ...) ERROR_FORMAT(2, 3);
void text_vformat(struct text *text, const char *format, va_list arguments) ERROR_FORMAT(2, 0);
/* The bytes as a C string; "" when nothing was added. Valid until the next addition. */
const char *text_string(const struct text *text);

static inline bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
/* Is the whole text a finite decimal number: a sign, digits, a point, an exponent? Neither blanks
 * nor hexadecimal digits, "inf" or "nan" are. */
bool text_decimal(const char *text, double *ret);
/* True when text[0..size) equals this NUL-terminated string. It is inline because tables of names
 * call it for nearly all their rows, most of which differ in the first letter. */
static inline bool text_equals(const char *text, size_t size, const char *string)
{
    size_t i = 0;
    while (i < size && text[i] == string[i] && string[i] != '\0')
        i++;
    return i == size && string[i] == '\0';
}
/* FNV-1a of the bytes. */
static inline uint64_t text_hash(const char *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}
/* True when string has this ending, and something before it. */
bool text_ends_with(const char *string, const char *ending);
/* True for bytes that begin like a text in UTF-16, as Windows saves it; such a text contains zero
 * bytes. */
bool text_is_utf16(const char *bytes, size_t size);
/* True if there are only blanks, tabs and line ends. */
bool text_is_blank(const char *bytes, size_t size);
/* A copy of bytes without the blanks at both ends; the caller frees it. *ret_begin is the offset in
 * bytes at which the copy begins, or size if it is empty. NULL without memory. */
char *text_copy_trimmed(const char *bytes, size_t size, size_t *ret_begin);

/* A copy without the invisible marks that only set the direction of the letters beside them:
 * U+061C, U+200E, U+200F. The caller frees it; NULL without memory. */
char *text_copy_undirected(const char *bytes, size_t size);
/* Like text_copy_undirected(), and composes the letters (Unicode's NFC), so that a name is the same
 * from any system; bytes that are not UTF-8 stay as they are. The caller frees the copy; NULL
 * without memory. */
char *text_copy_name(const char *bytes, size_t size);
/* If text begins with begin, in any case and with both composed, returns the number of bytes of
 * text that match; else 0. */
size_t text_begins_in_any_case(const char *text, const char *begin);

/* The entity for & < > or ", in the text and attributes of XML and HTML; NULL for other
 * characters. */
const char *text_entity(char c);

/* One character as a terminal sees it. */
struct text_character {
    size_t size;    /* bytes, at least 1; a byte that is not UTF-8 is a character by itself */
    size_t cols;    /* columns it takes: 0, 1 or 2 */
    bool printable; /* false for bytes that are not UTF-8, controls, and marks that turn the
                     * direction of the rest of the line */
};

/* The character that bytes[0..size) begins with. size is at least 1. */
struct text_character text_character(const char *bytes, size_t size);
/* Terminal columns that bytes take: two for wide letters, 0 for combining marks and control
 * characters, 1 for each byte that is not UTF-8. (Unicode's East Asian Width, by utf8proc.) */
size_t text_width(const char *bytes, size_t size);
/* The longest prefix of whole characters that takes at most width_cols columns, in bytes. */
size_t text_fit(const char *bytes, size_t size, size_t width_cols);

#endif
