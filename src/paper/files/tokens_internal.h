/* Tokens of a text: ids, and the bytes of the text that each covers. */
#ifndef ATTN_FILES_TOKENS_INTERNAL_H
#define ATTN_FILES_TOKENS_INTERNAL_H

#include <stdint.h>

#include "base/text.h"

struct token {
    uint32_t id;
    size_t begin, end; /* bytes [begin, end) of the text */
};

struct tokens {
    struct token *items;
    size_t n, capacity;
};

void tokens_release(struct tokens *tokens); /* may be all zero bytes */
/* False without memory. */
bool tokens_add(struct tokens *tokens, uint32_t id, size_t begin, size_t end);

/* Adds a token's bytes in a form that can be shown anywhere: a blank as U+2423, a tab as U+21E5, a
 * line end as U+21B5, each byte of anything else that is not printable as \xNN. In ascii they are _
 * \t \n, and all bytes that are not ASCII are \xNN too. */
void token_show(const char *bytes, size_t size, bool ascii, struct text *text);

#endif
