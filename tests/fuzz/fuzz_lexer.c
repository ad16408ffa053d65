/* Fuzzes the lexer: any bytes, cut into tokens as a formula and as a cell, and into lines. Tokens
 * stand in the source one after another, blocks that begin end, and lines make up the whole. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lang/syntax/lexer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

static void check_refusal(const struct error *error, size_t size)
{
    check(error->kind != ERR_NONE && error->text[0] != '\0');
    check(error->begin <= error->end && error->end <= size + 1);
}

static void read_tokens(const char *source, size_t size, bool is_cell)
{
    struct lexer lexer = {.source = source, .size = size, .is_cell = is_cell};
    struct error error = {0};
    size_t at = 0, n_blocks = 0;
    for (size_t n = 0;; n++) {
        struct token token;
        if (!lexer_next(&lexer, &token, &error)) {
            check_refusal(&error, size);
            return;
        }
        check(token.kind < TOKEN_COUNT);
        check(at <= token.begin && token.begin <= token.end && token.end <= size);
        check(n <= 4 * size + 2); /* a token without bytes is not given for ever */
        at = token.begin;
        if (token.kind == TOKEN_INDENT)
            n_blocks++;
        else if (token.kind == TOKEN_DEDENT)
            check(n_blocks-- > 0);
        else if (token.kind == TOKEN_END)
            break;
    }
    check(n_blocks == 0);
}

static void read_lines(const char *source, size_t size)
{
    for (size_t at = 0; at < size;) {
        bool is_open;
        struct lexer_construct construct;
        size_t n = lexer_line(source + at, size - at, &is_open);
        check(n > 0 && n <= size - at);
        if (lexer_construct(source + at, n, &construct))
            check(construct.begin < construct.end && construct.end <= n);
        (void)lexer_may_go_on(source + at, n);
        at += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *source = malloc(size + (size == 0)); /* of exactly this size */
    if (source == NULL)
        return 0;
    memcpy(source, data, size);
    read_tokens(source, size, false);
    read_tokens(source, size, true);
    read_lines(source, size);
    free(source);
    return 0;
}
