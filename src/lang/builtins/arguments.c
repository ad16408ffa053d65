/* See arguments.h. */
#include "lang/builtins/arguments.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "base/text.h"

/* Other spellings of a keyword: numpy's beside PyTorch's. */
static const struct {
    const char *other, *param;
} keyword_aliases[] = {{"axis", "dim"},   {"axis", "dim0"},       {"keepdims", "keepdim"},
                       {"k", "diagonal"}, {"ddof", "correction"}, {"unbiased", "correction"},
                       {"x", "input"},    {"input", "x"},         {"mask", "attn_mask"}};

/* Keywords of PyTorch and numpy that mean nothing here. */
static const struct {
    const char *keyword, *why;
} foreign_keywords[] = {{"dtype", "every tensor is float32"},
                        {"device", "there is one place for tensors"},
                        {"requires_grad", "grad works for every tensor"},
                        {"inplace", "no tensor is changed in place"},
                        {"out", "a result gets its name with ="}};

static bool same_bytes(const char *a, size_t a_size, const char *b, size_t b_size)
{
    return a_size == b_size && memcmp(a, b, a_size) == 0;
}

static bool keyword_fits(const char *keyword, size_t size, const char *param)
{
    size_t param_size = strcspn(param, "=");
    if (same_bytes(keyword, size, param, param_size))
        return true;
    for (size_t i = 0; i < COUNT_OF(keyword_aliases); i++) {
        const char *other = keyword_aliases[i].other, *own = keyword_aliases[i].param;
        if (same_bytes(keyword, size, other, strlen(other)) &&
            same_bytes(param, param_size, own, strlen(own)))
            return true;
    }
    return false;
}

static size_t n_params(const struct builtin *builtin)
{
    size_t n = 0;
    while (n < BUILTIN_MAX_PARAMS && builtin->params[n] != NULL)
        n++;
    return n;
}

bool arguments_fail(const struct call *call, const char *what)
{
    struct text signature = {0};
    builtin_signature(call->builtin, &signature);
    const char *join = what[strlen(what) - 1] == '?' ? "It" : "; it";
    error_set(call->reterr, ERR_TYPE, "%s: %s%s%s is called %s", call->builtin->name, what,
              *join == 'I' ? " " : "", join, text_string(&signature));
    text_release(&signature);
    return false;
}

/* Names the nearest parameter: is_causal for causal or is_casual. */
static bool no_such_keyword(const struct call *call, const char *keyword, size_t size)
{
    const struct builtin *builtin = call->builtin;
    char what[160], shown[40];
    struct suggestion suggestion;
    suggestion_init(&suggestion, keyword, size);
    for (size_t i = 0; i < n_params(builtin); i++) {
        char name[48];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(builtin->params[i], "="),
                 builtin->params[i]);
        if (name[0] != '*')
            suggestion_try_part(&suggestion, name);
    }
    error_quote(shown, sizeof shown, keyword, size);
    if (suggestion.best[0] != '\0')
        snprintf(what, sizeof what, "it has no argument %s; did you mean %s?", shown,
                 suggestion.best);
    else
        snprintf(what, sizeof what, "it has no argument %s", shown);
    return arguments_fail(call, what);
}

bool arguments_find_param(const struct call *call, const char *keyword, size_t size, size_t *ret)
{
    const struct builtin *builtin = call->builtin;
    char what[96], shown[40];
    for (size_t i = 0; i < n_params(builtin); i++) {
        if (!keyword_fits(keyword, size, builtin->params[i]))
            continue;
        *ret = i;
        if (call->args[i].kind == VALUE_ABSENT)
            return true;
        snprintf(what, sizeof what, "%.*s is given twice", (int)strcspn(builtin->params[i], "="),
                 builtin->params[i]);
        return arguments_fail(call, what);
    }
    error_quote(shown, sizeof shown, keyword, size);
    for (size_t i = 0; i < COUNT_OF(foreign_keywords); i++)
        if (strcmp(shown, foreign_keywords[i].keyword) == 0)
            return error_set(call->reterr, ERR_TYPE, "%s: it has no argument %s: %s; leave it out",
                             builtin->name, shown, foreign_keywords[i].why);
    return no_such_keyword(call, keyword, size);
}

bool arguments_bind_positions(struct call *call, struct value *values, size_t n)
{
    size_t at = 0, params = n_params(call->builtin);
    for (size_t i = 0; i < params && at < n; i++) {
        if (call->builtin->params[i][0] == '*') {
            call->rest = values + at;
            call->n_rest = n - at;
            return true;
        }
        call->args[i] = values[at];
        values[at++] = (struct value){.kind = VALUE_ABSENT};
    }
    return at == n || arguments_fail(call, "there are too many arguments");
}

bool arguments_check_required(const struct call *call)
{
    for (size_t i = 0; i < n_params(call->builtin); i++) {
        const char *param = call->builtin->params[i];
        bool required = param[0] != '*' && strchr(param, '=') == NULL;
        if (required && call->args[i].kind == VALUE_ABSENT) {
            char what[80];
            snprintf(what, sizeof what, "%s is missing", param);
            return arguments_fail(call, what);
        }
    }
    return true;
}
