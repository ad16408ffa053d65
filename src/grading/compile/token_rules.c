/* Words among the tokens of C: see token_rules_internal.h. */
#include "compile/token_rules_internal.h"

#include <string.h>

#include "exercise/c_tokens.h"

/* The next token that is not quoted text; false at the end. */
static bool next_token(struct c_scan *scan, struct c_token *ret)
{
    while (c_next_token(scan, ret))
        if (!c_token_is_quoted(ret))
            return true;
    return false;
}

/* Do the next tokens spell the word? The scan is a copy. */
static bool spells(struct c_scan scan, const char *word)
{
    struct c_scan wanted = c_scan_of(word, strlen(word));
    struct c_token want, got;
    bool any = false;
    while (next_token(&wanted, &want)) {
        any = true;
        if (!next_token(&scan, &got) || !c_tokens_same(&want, &got))
            return false;
    }
    return any;
}

/* The line of the word, or 0. */
static unsigned line_of(const char *word, const char *source, size_t size)
{
    struct c_scan scan = c_scan_of(source, size), before = scan;
    struct c_token token;
    while (next_token(&scan, &token)) {
        if (spells(before, word))
            return token.line;
        before = scan;
    }
    return 0;
}

struct token_fault token_rules_check(const struct exercise *exercise, const char *source,
                                     size_t size)
{
    for (unsigned i = 0; i < exercise->n_forbid; i++) {
        unsigned line = line_of(exercise->forbid[i].word, source, size);
        if (line > 0)
            return (struct token_fault){&exercise->forbid[i], false, line};
    }
    for (unsigned i = 0; i < exercise->n_require; i++)
        if (line_of(exercise->require[i].word, source, size) == 0)
            return (struct token_fault){&exercise->require[i], true, 0};
    return (struct token_fault){NULL, false, 0};
}
