/* The tokens of a C file: names, numbers, signs and quoted text, without spaces and comments. */
#ifndef ATTN_EXERCISE_C_TOKENS_H
#define ATTN_EXERCISE_C_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

/* The current place of a scan. A copy goes on from the same place. */
struct c_scan {
    const char *at, *end;
    unsigned line; /* from 1 */
};

/* A name, a number, one sign, or text in quotation marks with them. */
struct c_token {
    const char *begin; /* in the scanned bytes; a backslash may join its lines */
    size_t size;
    unsigned line;
};

/* A scan from the first token of source[0..size), which is borrowed. */
struct c_scan c_scan_of(const char *source, size_t size);
/* False at the end. Text in quotation marks ends with its line if the last mark is missing. */
bool c_next_token(struct c_scan *scan, struct c_token *ret);

bool c_token_is_quoted(const struct c_token *token);
bool c_token_is_name(const struct c_token *token); /* or a number */
/* Are they spelt the same, apart from joined lines? */
bool c_tokens_same(const struct c_token *a, const struct c_token *b);

#endif
