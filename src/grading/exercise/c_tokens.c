/* The tokens of a C file: see c_tokens.h. A backslash at the end of a line joins it with the next
 * one, wherever it stands. */
#include "exercise/c_tokens.h"

#include <ctype.h>

struct c_scan c_scan_of(const char *source, size_t size)
{
    return (struct c_scan){source, source + size, 1};
}

static char ahead(const struct c_scan *scan, size_t n)
{
    return (size_t)(scan->end - scan->at) > n ? scan->at[n] : '\0';
}

static void step_over(struct c_scan *scan, size_t n)
{
    for (; n > 0 && scan->at < scan->end; n--)
        scan->line += *scan->at++ == '\n';
}

/* How long a joined line's end is here: 0, or 2 or 3 bytes. */
static size_t splice(const struct c_scan *scan)
{
    if (ahead(scan, 0) != '\\')
        return 0;
    return ahead(scan, 1) == '\n' ? 2 : ahead(scan, 1) == '\r' && ahead(scan, 2) == '\n' ? 3 : 0;
}

static void skip_splices(struct c_scan *scan)
{
    for (size_t size; (size = splice(scan)) > 0;)
        step_over(scan, size);
}

static void skip_comment(struct c_scan *scan)
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

static void skip_quoted(struct c_scan *scan)
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

static bool is_name_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next sign of a name may stand after joined lines, which then are part of the token. */
static void skip_name(struct c_scan *scan)
{
    struct c_scan next = *scan;
    while (is_name_sign(ahead(&next, 0))) {
        step_over(&next, 1);
        *scan = next;
        skip_splices(&next);
    }
}

bool c_next_token(struct c_scan *scan, struct c_token *ret)
{
    while (scan->at < scan->end) {
        const char *begin = scan->at;
        unsigned line = scan->line;
        if (*begin == '/' && (ahead(scan, 1) == '/' || ahead(scan, 1) == '*')) {
            skip_comment(scan);
            continue;
        }
        if (isspace((unsigned char)*begin) || splice(scan) > 0) {
            step_over(scan, 1);
            continue;
        }
        if (*begin == '"' || *begin == '\'')
            skip_quoted(scan);
        else if (is_name_sign(*begin))
            skip_name(scan);
        else
            step_over(scan, 1);
        *ret = (struct c_token){begin, (size_t)(scan->at - begin), line};
        return true;
    }
    return false;
}

bool c_token_is_quoted(const struct c_token *token)
{
    return *token->begin == '"' || *token->begin == '\'';
}

bool c_token_is_name(const struct c_token *token)
{
    return is_name_sign(*token->begin);
}

bool c_tokens_same(const struct c_token *a, const struct c_token *b)
{
    struct c_scan left = c_scan_of(a->begin, a->size), right = c_scan_of(b->begin, b->size);
    for (;;) {
        skip_splices(&left);
        skip_splices(&right);
        if (left.at == left.end || right.at == right.end)
            return left.at == left.end && right.at == right.end;
        if (*left.at++ != *right.at++)
            return false;
    }
}
