/* Pragmas and attributes among preprocessed lines: see same_options_internal.h. A line marker `# 12
 * "file.c" 3` says where the next line comes from, and with a 3 that it is a header of the
 * system's. A learner can write such a marker too. That is why directives that change how floats
 * are added are refused everywhere, and only those that name a processor's instructions are allowed
 * in headers. */
#include "compile/same_options_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exercise/c_tokens.h"

/* Pragmas by their first one or two words. In the learner's lines these alone may stand: they
 * change warnings, or are hints about a loop that leave every sum in its order, or ask for what a
 * compiler does anyway (STDC FP_CONTRACT), or are not obeyed without an option (omp).
 * "clang loop" is not among them: its vectorize(enable) changes the order of sums. */
static const char *const harmless[][2] = {
    {"GCC", "diagnostic"},    {"GCC", "ivdep"},        {"GCC", "unroll"},
    {"GCC", "warning"},       {"GCC", "error"},        {"GCC", "poison"},
    {"GCC", "system_header"}, {"GCC", "push_options"}, {"GCC", "pop_options"},
    {"GCC", "visibility"},    {"clang", "diagnostic"}, {"STDC", NULL},
    {"once", NULL},           {"unroll", NULL},        {"nounroll", NULL},
    {"message", NULL},        {"pack", NULL},          {"push_macro", NULL},
    {"pop_macro", NULL},      {"omp", NULL},           {"GCC", "reset_options"},
    {"region", NULL},         {"endregion", NULL},     {"mark", NULL},
};
/* These may stand nowhere, and no header of a system has them. */
static const char *const refused[][2] = {
    {"GCC", "optimize"}, {"clang", "fp"}, {"clang", "loop"}, {"float_control", NULL}};

/* Attributes, without the __ around them. */
static const char *const learner_attributes[] = {"target", "target_clones", "target_version",
                                                 "cpu_dispatch", "cpu_specific"};
static const char refused_attribute[] = "optimize";

struct reading {
    unsigned line; /* of the file that the line under way comes from */
    bool system;   /* a header of the system's */
    unsigned own;  /* the latest line that was in no such header */
    /* Inside of __attribute__( ... ): */
    bool in_attribute;
    unsigned depth;         /* of parentheses */
    struct c_token last[4]; /* the tokens before, the latest first; size 0: none */
    struct option_fault fault;
};

static bool is_word(const struct c_token *token, const char *word)
{
    return strlen(word) == token->size && memcmp(token->begin, word, token->size) == 0;
}

/* Names the place and the directive. Of a learner's words only names are repeated. */
static void refuse(struct reading *reading, const char *before, const struct c_token *first,
                   const struct c_token *second, const char *after)
{
    struct option_fault *fault = &reading->fault;
    bool two = second != NULL && c_token_is_name(second);
    if (fault->line > 0)
        return;
    fault->line = reading->own > 0 ? reading->own : 1;
    snprintf(fault->what, sizeof fault->what, "%s%.*s%s%.*s%s", before,
             c_token_is_name(first) ? (int)first->size : 0, first->begin, two ? " " : "",
             two ? (int)second->size : 0, two ? second->begin : "", after);
}

/* ---- directives ---- */

static bool is_listed(const char *const (*list)[2], size_t n, const struct c_token *first,
                      const struct c_token *second)
{
    for (size_t i = 0; i < n; i++)
        if (is_word(first, list[i][0]) && (list[i][1] == NULL || is_word(second, list[i][1])))
            return true;
    return false;
}

static void read_pragma(struct reading *reading, struct c_scan scan)
{
    struct c_token first = {.begin = ""}, second = {.begin = ""};
    if (!c_next_token(&scan, &first))
        return;
    c_next_token(&scan, &second);
    bool allowed = reading->system ? !is_listed(refused, COUNT_OF(refused), &first, &second)
                                   : is_listed(harmless, COUNT_OF(harmless), &first, &second);
    bool has_space = is_word(&first, "GCC") || is_word(&first, "clang");
    if (!allowed)
        refuse(reading, "#pragma ", &first, has_space ? &second : NULL, "");
}

/* A marker gives the place of the next line. */
static void read_marker(struct reading *reading, const struct c_token *number, const char *end)
{
    const char *flags = end;
    while (flags > number->begin && flags[-1] != '"')
        flags--;
    if (flags == number->begin)
        flags = end;
    reading->line = (unsigned)strtoul(number->begin, NULL, 10) - 1; /* counted up after this line */
    reading->system = memchr(flags, '3', (size_t)(end - flags)) != NULL;
}

static void read_directive(struct reading *reading, struct c_scan scan)
{
    struct c_token word;
    if (!c_next_token(&scan, &word))
        return;
    if (is_word(&word, "line"))
        c_next_token(&scan, &word);
    if (is_word(&word, "pragma"))
        read_pragma(reading, scan);
    else if (*word.begin >= '0' && *word.begin <= '9')
        read_marker(reading, &word, scan.end);
}

/* ---- attributes ---- */

static bool is_one_of(const char *const *words, size_t n, const struct c_token *token)
{
    for (size_t i = 0; i < n; i++)
        if (is_word(token, words[i]))
            return true;
    return false;
}

/* Is it the name of an attribute: [[gnu::NAME]], or NAME right below __attribute__((...))? */
static bool names_attribute(const struct reading *reading)
{
    static const char *const spaces[] = {"gnu", "__gnu__", "clang", "_Clang", "__clang__"};
    const struct c_token *last = reading->last;
    if (reading->in_attribute && reading->depth == 2)
        return is_word(&last[1], "(") || is_word(&last[1], ",");
    return is_word(&last[1], ":") && is_word(&last[2], ":") &&
           is_one_of(spaces, COUNT_OF(spaces), &last[3]);
}

static void check_attribute(struct reading *reading, struct c_token name)
{
    if (name.size > 4 && memcmp(name.begin, "__", 2) == 0 &&
        memcmp(name.begin + name.size - 2, "__", 2) == 0) {
        name.begin += 2;
        name.size -= 4;
    }
    if (is_word(&name, refused_attribute) ||
        (!reading->system && is_one_of(learner_attributes, COUNT_OF(learner_attributes), &name)))
        refuse(reading, "__attribute__((", &name, NULL, "))");
}

static void read_token(struct reading *reading, const struct c_token *token)
{
    static const char *const keywords[] = {"__attribute__", "__attribute"};
    memmove(reading->last + 1, reading->last, sizeof reading->last - sizeof *reading->last);
    reading->last[0] = *token;
    if (names_attribute(reading))
        check_attribute(reading, *token);
    if (is_one_of(keywords, COUNT_OF(keywords), token) && !reading->in_attribute) {
        reading->in_attribute = true;
        reading->depth = 0;
    } else if (is_word(token, "(")) {
        reading->depth++;
    } else if (is_word(token, ")") && reading->depth > 0 && --reading->depth == 0) {
        reading->in_attribute = false;
    }
}

/* ---- lines ---- */

static void read_line(struct reading *reading, const char *line, const char *end)
{
    struct c_scan scan = c_scan_of(line, (size_t)(end - line));
    struct c_token token;
    bool first = true;
    if (!reading->system)
        reading->own = reading->line;
    while (c_next_token(&scan, &token)) {
        if (first && is_word(&token, "#")) {
            read_directive(reading, scan);
            break;
        }
        first = false;
        read_token(reading, &token);
    }
    reading->line++;
}

struct option_fault same_options_check(const char *text, size_t size)
{
    struct reading reading = {.line = 1};
    const char *end = text + size;
    for (const char *line = text; line < end && reading.fault.line == 0;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        read_line(&reading, line, newline != NULL ? newline : end);
        line = newline != NULL ? newline + 1 : end;
    }
    return reading.fault;
}
