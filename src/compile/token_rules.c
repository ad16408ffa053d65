/* Words among the tokens of C: see token_rules.h. */
#include "compile/token_rules.h"

#include <ctype.h>
#include <string.h>

/* Where a scan of C is. A backslash at the end of a line joins it with the next one. */
struct scan {
    const char *at, *end;
    unsigned line;
};

struct c_token {
    const char *begin;
    size_t size;
    unsigned line;
};

static bool is_name_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static char ahead(const struct scan *scan, size_t n)
{
    return (size_t)(scan->end - scan->at) > n ? scan->at[n] : '\0';
}

static void step_over(struct scan *scan, size_t n)
{
    for (; n > 0 && scan->at < scan->end; n--)
        scan->line += *scan->at++ == '\n';
}

/* How long a joined line's end is here: 0, or 2 or 3 bytes. */
static size_t splice(const struct scan *scan)
{
    if (ahead(scan, 0) != '\\')
        return 0;
    return ahead(scan, 1) == '\n' ? 2 : ahead(scan, 1) == '\r' && ahead(scan, 2) == '\n' ? 3 : 0;
}

static void skip_comment(struct scan *scan)
{
    bool to_line_end = ahead(scan, 1) == '/';
    step_over(scan, 2);
    while (scan->at < scan->end) {
        if (to_line_end && ahead(scan, 0) == '\n')
            return;
        if (!to_line_end && ahead(scan, 0) == '*' && ahead(scan, 1) == '/') {
            step_over(scan, 2);
            return;
        }
        size_t joined = splice(scan);
        step_over(scan, joined > 0 ? joined : 1);
    }
}

/* Quoted text ends at its quotation mark, or with the line where that was forgotten. */
static void skip_quoted(struct scan *scan)
{
    char quote = *scan->at;
    step_over(scan, 1);
    while (scan->at < scan->end && *scan->at != quote && *scan->at != '\n') {
        size_t joined = splice(scan);
        step_over(scan, joined > 0 ? joined : *scan->at == '\\' ? 2 : 1);
    }
    if (ahead(scan, 0) == quote)
        step_over(scan, 1);
}

/* The next name, number or sign; false at the end. */
static bool next_token(struct scan *scan, struct c_token *ret)
{
    while (scan->at < scan->end) {
        char c = *scan->at;
        if (c == '/' && (ahead(scan, 1) == '/' || ahead(scan, 1) == '*')) {
            skip_comment(scan);
        } else if (c == '"' || c == '\'') {
            skip_quoted(scan);
        } else if (isspace((unsigned char)c) || splice(scan) > 0) {
            step_over(scan, 1);
        } else {
            size_t size = 1;
            while (is_name_sign(c) && is_name_sign(ahead(scan, size)))
                size++;
            *ret = (struct c_token){scan->at, size, scan->line};
            step_over(scan, size);
            return true;
        }
    }
    return false;
}

/* Do the next tokens spell the word? The scan is a copy. */
static bool spells(struct scan scan, const char *word)
{
    struct scan wanted = {word, word + strlen(word), 1};
    struct c_token want, got;
    bool any = false;
    while (next_token(&wanted, &want)) {
        any = true;
        if (!next_token(&scan, &got) || want.size != got.size ||
            memcmp(want.begin, got.begin, want.size) != 0)
            return false;
    }
    return any;
}

/* The line where the word stands, or 0. */
static unsigned line_of(const char *word, const char *source, size_t size)
{
    struct scan scan = {source, source + size, 1}, before = scan;
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
