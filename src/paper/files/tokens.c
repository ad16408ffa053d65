/* Tokens of a text: see tokens_internal.h. */
#include "files/tokens_internal.h"

#include <stdlib.h>

#include "base/array.h"

void tokens_release(struct tokens *tokens)
{
    free(tokens->items);
    *tokens = (struct tokens){.n = 0};
}

bool tokens_add(struct tokens *tokens, uint32_t id, size_t begin, size_t end)
{
    struct token *items =
        array_grow(tokens->items, tokens->n, &tokens->capacity, sizeof *tokens->items);
    if (items == NULL)
        return false;
    tokens->items = items;
    items[tokens->n++] = (struct token){id, begin, end};
    return true;
}

/* The replacements for characters that can't be seen. */
static const struct {
    char c;
    const char *sign, *ascii;
} signs[] = {{' ', "\u2423", "_"}, {'\t', "\u21E5", "\\t"}, {'\n', "\u21B5", "\\n"}};

static const char *sign_of(char c, bool ascii)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].c == c)
            return ascii ? signs[i].ascii : signs[i].sign;
    return NULL;
}

void token_show(const char *bytes, size_t size, bool ascii, struct text *text)
{
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        const char *sign = sign_of(bytes[at], ascii);
        bool is_shown = character.printable && character.cols > 0 && !(ascii && character.size > 1);
        if (sign != NULL)
            text_put(text, sign);
        else if (is_shown)
            text_add(text, bytes + at, character.size);
        for (size_t i = 0; sign == NULL && !is_shown && i < character.size; i++)
            text_format(text, "\\x%02X", (unsigned)(unsigned char)bytes[at + i]);
        at += character.size;
    }
}
