/* Places in a learner's file: see symptom_source_internal.h. */
#include "judge/why/symptom_source_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "exercise/c_tokens.h"

static bool is(const struct c_token *token, const char *word)
{
    return text_equals(token->begin, token->size, word);
}

static void keep_name(const struct c_token *token, char name[SOURCE_NAME_BYTES])
{
    snprintf(name, SOURCE_NAME_BYTES, "%.*s", (int)token->size, token->begin);
}

/* ---- static ---- */

/* Behind `static`: a variable that may change, and no function. */
static bool take_variable(struct c_scan scan, struct source_place *ret)
{
    struct c_token token, name = {.size = 0};
    while (c_next_token(&scan, &token)) {
        if (is(&token, "const") || is(&token, "(") || is(&token, "inline"))
            return false;
        if (!c_token_is_name(&token))
            break;
        name = token;
    }
    if (name.size == 0)
        return false;
    ret->line = name.line;
    keep_name(&name, ret->name);
    return true;
}

struct source_place source_static(const char *source, size_t size)
{
    struct source_place place = {.line = 0};
    struct c_scan scan = c_scan_of(source, size);
    struct c_token token;
    while (c_next_token(&scan, &token))
        if (is(&token, "static") && take_variable(scan, &place))
            break;
    return place;
}

/* ---- malloc ---- */

static bool gives_memory(const struct c_token *token)
{
    return is(token, "malloc") || is(token, "calloc") || is(token, "realloc") ||
           is(token, "aligned_alloc");
}

static bool is_freed(const char *source, size_t size, const struct c_token *name)
{
    struct c_scan scan = c_scan_of(source, size);
    struct c_token before = {.size = 0}, token;
    bool is_call = false; /* the two tokens before are free ( */
    while (c_next_token(&scan, &token)) {
        if (is_call && c_tokens_same(&token, name))
            return true;
        is_call = is(&token, "(") && before.size > 0 && is(&before, "free");
        before = token;
    }
    return false;
}

struct source_place source_never_freed(const char *source, size_t size)
{
    struct source_place place = {.line = 0};
    struct c_scan scan = c_scan_of(source, size);
    struct c_token before = {.size = 0}, target = {.size = 0}, token;
    while (c_next_token(&scan, &token)) {
        if (is(&token, "=") && before.size > 0 && c_token_is_name(&before))
            target = before;
        else if (is(&token, ";"))
            target.size = 0;
        else if (gives_memory(&token) && target.size > 0 && !is_freed(source, size, &target)) {
            place.line = token.line;
            keep_name(&target, place.name);
            break;
        }
        before = token;
    }
    return place;
}

/* ---- variables without a value ---- */

static bool is_type(const struct c_token *token)
{
    static const char *const types[] = {"float", "double", "int", "long", "unsigned", "size_t"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (is(token, types[i]))
            return true;
    return false;
}

bool source_has_unset(const char *source, size_t size)
{
    struct c_scan scan = c_scan_of(source, size);
    struct c_token token;
    int braces = 0, parens = 0;
    bool in_declaration = false, after_name = false;
    while (c_next_token(&scan, &token)) {
        braces += is(&token, "{") - is(&token, "}");
        parens += is(&token, "(") - is(&token, ")");
        if (is_type(&token))
            in_declaration = braces > 0 && parens == 0;
        else if (in_declaration && after_name &&
                 (is(&token, ";") || is(&token, ",") || is(&token, "[")))
            return true;
        else if (is(&token, ";") || is(&token, "{"))
            in_declaration = false;
        after_name = c_token_is_name(&token) && !is_type(&token);
    }
    return false;
}

/* ---- numbers that are not what they seem ---- */

static bool is_number(const struct c_token *token)
{
    return token->size > 0 && (text_is_digit(token->begin[0]) || is(token, "."));
}

struct source_place source_power_sign(const char *source, size_t size)
{
    struct source_place place = {.line = 0};
    struct c_scan scan = c_scan_of(source, size);
    struct c_token token;
    while (place.line == 0 && c_next_token(&scan, &token)) {
        struct c_scan ahead = scan;
        struct c_token next;
        if (!is(&token, "^") || !c_next_token(&ahead, &next))
            continue;
        if (is(&next, "(") && !c_next_token(&ahead, &next))
            continue;
        if (is_number(&next))
            place.line = token.line;
    }
    return place;
}

/* After these signs a value is stored, or given back. */
static bool takes_value(const struct c_token *token)
{
    return is(token, "=") || is(token, "?") || is(token, ":") || is(token, "return");
}

struct source_place source_least_positive(const char *source, size_t size)
{
    struct source_place place = {.line = 0};
    struct c_scan scan = c_scan_of(source, size);
    struct c_token before = {.size = 0}, token;
    while (place.line == 0 && c_next_token(&scan, &token)) {
        if (is(&token, "FLT_MIN") && before.size > 0 && takes_value(&before))
            place.line = token.line;
        if (!is(&token, "-") || !takes_value(&before)) /* -FLT_MIN is meant in the same way */
            before = token;
    }
    return place;
}

/* ---- loops ---- */

static bool is_size(const struct prototype *prototype, const struct c_token *token)
{
    int param = prototype_param(prototype, token->begin, token->size);
    return param >= 0 && prototype->params[param].kind == PARAM_SIZE;
}

/* Behind `for (init;`: is the condition NAME <= SIZE, and nothing more? */
static bool take_condition(const struct prototype *prototype, struct c_scan scan,
                           struct source_place *ret)
{
    struct c_token token[5];
    for (int i = 0; i < 5; i++)
        if (!c_next_token(&scan, &token[i]))
            return false;
    if (!c_token_is_name(&token[0]) || !is(&token[1], "<") || !is(&token[2], "=") ||
        !is_size(prototype, &token[3]) || !is(&token[4], ";"))
        return false;
    ret->line = token[0].line;
    keep_name(&token[0], ret->name);
    keep_name(&token[3], ret->limit);
    return true;
}

struct source_place source_loop_too_far(const struct prototype *prototype, const char *source,
                                        size_t size)
{
    struct source_place place = {.line = 0};
    struct c_scan scan = c_scan_of(source, size);
    struct c_token token;
    struct c_token before = {.size = 0};
    bool in_head = false;
    while (c_next_token(&scan, &token)) {
        if (in_head && is(&token, ";") && is(&before, "0") &&
            take_condition(prototype, scan, &place))
            break;
        in_head = is(&token, "for") || (in_head && !is(&token, ";") && !is(&token, "{"));
        before = token;
    }
    return place;
}
