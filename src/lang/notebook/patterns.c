/* Regular expressions for python/re.py, by PCRE2. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "lang/notebook/machine_internal.h"

enum { MATCH_LIMIT = 5000000 }; /* steps of one search: a pattern must not run for minutes */

/* re's flags, as python/re.py has them. */
enum { FLAG_IGNORECASE = 2, FLAG_MULTILINE = 8, FLAG_DOTALL = 16, FLAG_VERBOSE = 64 };

static pcre2_code *compile_pattern(struct machine *m, const struct string *pattern, int64_t flags,
                                   const char *how)
{
    uint32_t options = PCRE2_UTF | PCRE2_UCP;
    int number;
    PCRE2_SIZE at;
    options |= flags & FLAG_IGNORECASE ? PCRE2_CASELESS : 0;
    options |= flags & FLAG_MULTILINE ? PCRE2_MULTILINE : 0;
    options |= flags & FLAG_DOTALL ? PCRE2_DOTALL : 0;
    options |= flags & FLAG_VERBOSE ? PCRE2_EXTENDED : 0;
    options |= strcmp(how, "search") != 0 ? PCRE2_ANCHORED : 0;
    options |= strcmp(how, "fullmatch") == 0 ? PCRE2_ENDANCHORED : 0;
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)pattern->bytes, pattern->size, options, &number, &at, NULL);
    if (code == NULL) {
        PCRE2_UCHAR said[120] = "";
        pcre2_get_error_message(number, said, sizeof said);
        raise_error(m, ERROR_VALUE, "%s at position %zu", (const char *)said, (size_t)at);
    }
    return code;
}

static int64_t characters_before(const struct string *text, size_t end)
{
    int64_t n = 0;
    for (size_t i = 0; i < end; i++)
        n += ((unsigned char)text->bytes[i] & 0xC0) != 0x80;
    return n;
}

/* (start, end, text) of each group; of one that did not take part (-1, -1, None). */
static bool make_groups(struct machine *m, const struct string *text, const PCRE2_SIZE *at,
                        size_t n, struct value *ret)
{
    struct tuple *groups = tuple_new(&m->things, n);
    bool ok = groups != NULL || raise_memory(m);
    for (size_t i = 0; ok && i < n; i++) {
        struct value parts[3] = {value_int(-1), value_int(-1), value_none()};
        if (at[2 * i] != PCRE2_UNSET) {
            parts[0] = value_int(characters_before(text, at[2 * i]));
            parts[1] = value_int(characters_before(text, at[2 * i + 1]));
            ok = make_str(m, text->bytes + at[2 * i], at[2 * i + 1] - at[2 * i], &parts[2]);
        }
        ok = ok && make_tuple(m, parts, 3, &groups->items[i]);
        value_drop(parts[2]);
    }
    *ret = ok ? value_thing(groups) : value_absent();
    if (!ok)
        value_drop(value_thing(groups));
    return ok;
}

/* find(pattern, text, start, flags, how): what matches first from character `start` on, or None. */
bool pattern_find(struct native_call *c, struct value *ret)
{
    int64_t start, flags;
    struct machine *m = c->m;
    if (c->args[0].kind != VALUE_STRING || c->args[1].kind != VALUE_STRING ||
        c->args[4].kind != VALUE_STRING)
        return raise_error(m, ERROR_TYPE, "expected string or bytes-like object, got '%s'",
                           value_class_name(m, c->args[c->args[0].kind == VALUE_STRING]));
    if (!value_whole(m, c->args[2], &start) || !value_whole(m, c->args[3], &flags))
        return false;
    const struct string *text = c->args[1].as.string;
    pcre2_code *code = compile_pattern(m, c->args[0].as.string, flags, c->args[4].as.string->bytes);
    if (code == NULL)
        return false;
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    bool ok = data != NULL && context != NULL;
    if (ok) {
        pcre2_set_match_limit(context, MATCH_LIMIT);
        int n = pcre2_match(code, (PCRE2_SPTR)text->bytes, text->size,
                            str_offset(text, (size_t)start), 0, data, context);
        *ret = value_none();
        if (n >= 0)
            ok = make_groups(m, text, pcre2_get_ovector_pointer(data),
                             pcre2_get_ovector_count(data), ret);
        else if (n != PCRE2_ERROR_NOMATCH)
            ok = raise_error(m, ERROR_RUNTIME, "this pattern takes too long; write it simpler");
    } else {
        raise_memory(m);
    }
    pcre2_match_context_free(context);
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return ok;
}
