/* Letters for bytes: see byte_letters.h. */
#include "files/byte_letters.h"

#include <utf8proc.h>

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
