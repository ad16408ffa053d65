/* Warnings, as Python prints them on standard error: once for each text at each place. Also what
 * numpy says of numbers that are not finite though those they were computed from are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lang/notebook/ndarray_internal.h"

/* FNV-1a */
static uint64_t hashed(uint64_t hash, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001B3U;
    return hash;
}

/* Whether it is the first time; without memory it always is. */
static bool is_new(struct warnings *w, uint64_t key)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->keys[i] == key)
            return false;
    if (w->n == w->capacity) {
        size_t capacity = w->capacity ? 2 * w->capacity : 16;
        uint64_t *larger = realloc(w->keys, capacity * sizeof *larger);
        if (larger == NULL)
            return true;
        w->keys = larger;
        w->capacity = capacity;
    }
    w->keys[w->n++] = key;
    return true;
}

void machine_warn(struct machine *m, const char *category, const char *text)
{
    struct text out = {0};
    if (m->warnings.is_quiet || m->options.note == NULL)
        return;
    errors_write_row(m, category, text, &out);
    if (is_new(&m->warnings, hashed(0xCBF29CE484222325U, text_string(&out), out.size)))
        m->options.note(m->options.context, text_string(&out));
    text_release(&out);
}

void warnings_release(struct warnings *w)
{
    free(w->keys);
}

/* ---- numpy's ---- */

unsigned nd_trouble(double x, double y, double result, bool is_pole)
{
    if (isfinite(result))
        return 0;
    if (isnan(result))
        return isnan(x) || isnan(y) ? 0 : 1U << TROUBLE_INVALID;
    return !isfinite(x) || !isfinite(y) ? 0 : 1U << (is_pole ? TROUBLE_DIVIDE : TROUBLE_OVERFLOW);
}

bool nd_report(struct machine *m, unsigned troubles, bool is_scalar, const char *name)
{
    static const char *const said[TROUBLES] = {[TROUBLE_DIVIDE] = "divide by zero",
                                               [TROUBLE_OVERFLOW] = "overflow",
                                               [TROUBLE_INVALID] = "invalid value"};
    bool ok = true;
    for (size_t i = 0; ok && troubles != 0 && i < TROUBLES; i++) {
        struct text text = {0};
        enum trouble_action action = m->numpy->on_trouble[i];
        if (!(troubles >> i & 1U) || action == TROUBLE_IGNORED)
            continue;
        text_format(&text, "%s encountered in %s%s", said[i], is_scalar ? "scalar " : "", name);
        if (action == TROUBLE_RAISED)
            ok = raise_error(m, ERROR_FLOATING, "%s", text_string(&text));
        else
            machine_warn(m, "RuntimeWarning", text_string(&text));
        text_release(&text);
    }
    return ok;
}
