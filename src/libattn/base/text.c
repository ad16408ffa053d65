/* Growing text, and the columns that UTF-8 takes: see text.h. */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"

/* Room for `more` bytes and a NUL after the text. Grows by doubling, so that n additions cost O(n).
 * False, and text->failed, without memory. */
static bool reserve(struct text *text, size_t more)
{
    if (text->failed)
        return false;
    if (more < text->capacity - text->size) /* the NUL makes it strict */
        return true;
    if (more >= SIZE_MAX / 2 - text->size) {
        text->failed = true;
        return false;
    }
    size_t needed = text->size + more + 1;
    size_t capacity = text->capacity < 32 ? 64 : text->capacity * 2;
    if (capacity < needed)
        capacity = needed;
    char *bytes = realloc(text->bytes, capacity);
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void text_release(struct text *text)
{
    if (text == NULL)
        return;
    free(text->bytes);
    *text = (struct text){0};
}

void text_clear(struct text *text)
{
    text_shrink(text, 0);
}

void text_shrink(struct text *text, size_t size)
{
    text->size = size;
    text->failed = false;
    if (text->bytes != NULL)
        text->bytes[size] = '\0';
}

void text_add(struct text *text, const char *bytes, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void text_put(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_char(struct text *text, char c)
{
    text_add(text, &c, 1);
}

void text_repeat(struct text *text, const char *string, size_t count)
{
    size_t size = strlen(string);
    if (size == 0)
        return;
    if (count > SIZE_MAX / 4 / size) {
        text->failed = true;
        return;
    }
    if (!reserve(text, size * count))
        return;
    for (size_t i = 0; i < count; i++)
        text_add(text, string, size);
}

void text_vformat(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int needed = vsnprintf(NULL, 0, format, arguments);
    if (needed < 0)
        text->failed = true;
    else if (reserve(text, (size_t)needed)) {
        vsnprintf(text->bytes + text->size, (size_t)needed + 1, format, again);
        text->size += (size_t)needed;
    }
    va_end(again);
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(text, format, arguments);
    va_end(arguments);
}

const char *text_string(const struct text *text)
{
    return text->bytes != NULL ? text->bytes : "";
}

bool text_ends_with(const char *string, const char *ending)
{
    size_t size = strlen(string), end = strlen(ending);
    return size > end && strcmp(string + size - end, ending) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool text_is_utf16(const char *bytes, size_t size)
{
    return size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0);
}

bool text_is_blank(const char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && is_blank(bytes[i]))
        i++;
    return i == size;
}

char *text_copy_trimmed(const char *bytes, size_t size, size_t *ret_begin)
{
    size_t begin = 0;
    while (begin < size && is_blank(bytes[begin]))
        begin++;
    while (size > begin && is_blank(bytes[size - 1]))
        size--;
    char *copy = malloc(size - begin + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, bytes + begin, size - begin);
    copy[size - begin] = '\0';
    *ret_begin = begin;
    return copy;
}

/* Controls, line separators, and the marks that embed, override or isolate a direction. */
static bool disturbs_line(utf8proc_int32_t code)
{
    utf8proc_category_t category = utf8proc_category(code);
    bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return turns || category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

/* The bytes of the mark of a direction that bytes[0..size) begins with; 0 when it begins otherwise.
 */
static size_t direction_mark(const char *bytes, size_t size)
{
    static const char *const marks[] = {"\u061c", "\u200e", "\u200f"};
    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t length = strlen(marks[i]);
        if (length <= size && memcmp(bytes, marks[i], length) == 0)
            return length;
    }
    return 0;
}

char *text_copy_undirected(const char *bytes, size_t size)
{
    char *copy = malloc(size + 1);
    size_t kept = 0;
    for (size_t at = 0; copy != NULL && at < size;) {
        size_t mark = direction_mark(bytes + at, size - at);
        if (mark == 0)
            copy[kept++] = bytes[at];
        at += mark > 0 ? mark : 1;
    }
    if (copy != NULL)
        copy[kept] = '\0';
    return copy;
}

char *text_copy_name(const char *bytes, size_t size)
{
    char *plain = text_copy_undirected(bytes, size);
    utf8proc_uint8_t *composed = NULL;
    utf8proc_ssize_t length = UTF8PROC_ERROR_NOMEM;
    if (plain != NULL)
        length = utf8proc_map((const utf8proc_uint8_t *)plain, (utf8proc_ssize_t)strlen(plain),
                              &composed, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (length < 0 && length != UTF8PROC_ERROR_NOMEM)
        return plain;
    free(plain);
    return length >= 0 ? (char *)composed : NULL;
}

size_t text_begins_in_any_case(const char *text, const char *begin)
{
    size_t at = 0;
    for (size_t i = 0; begin[i] != '\0';) {
        utf8proc_int32_t wanted = -1, letter = -1;
        utf8proc_ssize_t step = utf8proc_iterate((const utf8proc_uint8_t *)begin + i, -1, &wanted);
        utf8proc_ssize_t there = utf8proc_iterate((const utf8proc_uint8_t *)text + at, -1, &letter);
        bool is_same = step > 0 ? there > 0 && utf8proc_tolower(wanted) == utf8proc_tolower(letter)
                                : text[at] == begin[i];
        if (!is_same)
            return 0;
        i += step > 0 ? (size_t)step : 1;
        at += step > 0 ? (size_t)there : 1;
    }
    return at;
}

const char *text_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

struct text_character text_character(const char *bytes, size_t size)
{
    unsigned char first = (unsigned char)bytes[0];
    if (first >= 0x20 && first < 0x7F)
        return (struct text_character){.size = 1, .cols = 1, .printable = true};
    utf8proc_int32_t code;
    utf8proc_ssize_t window = size < 4 ? (utf8proc_ssize_t)size : 4;
    utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)bytes, window, &code);
    if (length <= 0)
        return (struct text_character){.size = 1, .cols = 1, .printable = false};
    if (disturbs_line(code))
        return (struct text_character){.size = (size_t)length, .cols = 0, .printable = false};
    int cols = utf8proc_charwidth(code);
    return (struct text_character){
        .size = (size_t)length, .cols = cols > 0 ? (size_t)cols : 0, .printable = true};
}

size_t text_width(const char *bytes, size_t size)
{
    size_t cols = 0;
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        cols += character.cols;
        at += character.size;
    }
    return cols;
}

size_t text_fit(const char *bytes, size_t size, size_t width_cols)
{
    size_t cols = 0, at = 0;
    while (at < size) {
        struct text_character character = text_character(bytes + at, size - at);
        if (cols + character.cols > width_cols)
            break;
        cols += character.cols;
        at += character.size;
    }
    return at;
}

bool text_decimal(const char *text, double *ret)
{
    char *end;
    double number = strtod(text, &end);
    bool ok = text[0] != '\0' && *end == '\0' && strspn(text, "0123456789.eE+-") == strlen(text) &&
              isfinite(number);
    if (ok)
        *ret = number;
    return ok;
}
