/* Parts of a class: see parts_internal.h. */
#include "report/parts_internal.h"

#include <stdlib.h>

enum { LACKING_SHOWN = 20 };

void parts_release(struct parts *parts)
{
    free(parts->is_here);
    *parts = (struct parts){0};
}

static bool parts_init(unsigned n, struct parts *ret, struct error *reterr)
{
    *ret = (struct parts){.n = n, .is_here = calloc((size_t)n + 1, sizeof *ret->is_here)};
    return ret->is_here != NULL || error_memory(reterr, "the parts of a class");
}

bool parts_set(unsigned number, unsigned n, struct parts *ret, struct error *reterr)
{
    if (!parts_init(n, ret, reterr))
        return false;
    if (number >= 1 && number <= n)
        ret->is_here[number - 1] = true;
    return true;
}

bool parts_add(struct parts *parts, const struct parts *from, struct error *reterr)
{
    if (from->n == 0)
        return true;
    if (parts->n == 0 && !parts_init(from->n, parts, reterr))
        return false;
    if (parts->n != from->n)
        return error_set(reterr, ERR_RANGE,
                         "parts of a class in %u and of one in %u do not fit together; grade all "
                         "with the same --part K/N",
                         parts->n, from->n);
    for (unsigned i = 0; i < parts->n; i++)
        parts->is_here[i] = parts->is_here[i] || from->is_here[i];
    return true;
}

bool parts_are_whole(const struct parts *parts)
{
    for (unsigned i = 0; i < parts->n; i++)
        if (!parts->is_here[i])
            return false;
    return true;
}

unsigned parts_lacking(const struct parts *parts, struct text *text)
{
    unsigned n = 0;
    for (unsigned i = 0; i < parts->n; i++)
        if (!parts->is_here[i] && n++ < LACKING_SHOWN)
            text_format(text, "%s%u", n > 1 ? ", " : "", i + 1);
    if (n > LACKING_SHOWN)
        text_format(text, " and %u more", n - LACKING_SHOWN);
    return n;
}

/* FNV-1a of 64 bits (Fowler, Noll and Vo), its halves mixed: the low bits alone are less even. */
uint64_t name_hash(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

unsigned part_of(const char *name, unsigned n)
{
    return n > 0 ? (unsigned)(name_hash(name) % n) + 1 : 1;
}

/* ---- json ---- */

json_t *parts_to_json(const struct parts *parts)
{
    json_t *numbers = json_array();
    bool ok = numbers != NULL;
    for (unsigned i = 0; ok && i < parts->n; i++)
        ok = !parts->is_here[i] ||
             json_array_append_new(numbers, json_integer((json_int_t)i + 1)) == 0;
    if (ok)
        return json_pack("{s:i, s:o}", "of", (int)parts->n, "numbers", numbers);
    json_decref(numbers);
    return NULL;
}

static bool no_parts(struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "parts must be {\"of\": N, \"numbers\": [1 to N, ...]}");
}

bool parts_from_json(const json_t *json, struct parts *ret, struct error *reterr)
{
    const json_t *of = json_object_get(json, "of"), *numbers = json_object_get(json, "numbers");
    json_int_t n = json_integer_value(of);
    struct parts parts;
    if (!json_is_integer(of) || n < 1 || n > PARTS_MAX || !json_is_array(numbers))
        return no_parts(reterr);
    if (!parts_init((unsigned)n, &parts, reterr))
        return false;
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        json_int_t number = json_integer_value(json_array_get(numbers, i));
        if (number < 1 || number > n) {
            parts_release(&parts);
            return no_parts(reterr);
        }
        parts.is_here[number - 1] = true;
    }
    *ret = parts;
    return true;
}
