/* The registry of functions: see builtin.h. */
#include "lang/builtins/builtin.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "lang/builtins/builtin_internal.h"

static const struct {
    const struct builtin *table;
    const size_t *n;
} tables[] = {
    {builtins_attention, &n_builtins_attention}, {builtins_parameters, &n_builtins_parameters},
    {builtins_layers, &n_builtins_layers},       {builtins_math, &n_builtins_math},
    {builtins_reduce, &n_builtins_reduce},       {builtins_make, &n_builtins_make},
    {builtins_shape, &n_builtins_shape},         {builtins_model, &n_builtins_model},
    {builtins_training, &n_builtins_training},   {builtins_inspect, &n_builtins_inspect},
    {builtins_other, &n_builtins_other},
};

const struct builtin *builtin_at(size_t i)
{
    for (size_t t = 0; t < COUNT_OF(tables); t++) {
        if (i < *tables[t].n)
            return &tables[t].table[i];
        i -= *tables[t].n;
    }
    return NULL;
}

/* Other names of the same function, as PyTorch and numpy have them. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"attention", "scaled_dot_product_attention"},
    {"concat", "cat"},
    {"concatenate", "cat"},
    {"tensor", "array"},
    {"Tensor", "array"},
    {"asarray", "array"},
    {"expand", "broadcast_to"},
    {"absolute", "abs"},
    {"mm", "matmul"},
    {"bmm", "matmul"},
    {"amax", "max"},
    {"amin", "min"},
    {"clip", "clamp"},
    {"identity", "eye"},
    {"numpy", "clone"},
    {"cpu", "clone"},
};

const char *builtin_alias_at(size_t i)
{
    return i < COUNT_OF(aliases) ? aliases[i].alias : NULL;
}

const struct builtin *builtin_find(const char *name, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(aliases); i++)
        if (text_equals(name, size, aliases[i].alias)) {
            name = aliases[i].name;
            size = strlen(name);
            break;
        }
    for (size_t t = 0; t < COUNT_OF(tables); t++)
        for (size_t i = 0; i < *tables[t].n; i++)
            if (text_equals(name, size, tables[t].table[i].name))
                return &tables[t].table[i];
    return NULL;
}

void builtin_signature(const struct builtin *builtin, struct text *text)
{
    text_format(text, "%s(", builtin->name);
    for (size_t i = 0; i < BUILTIN_MAX_PARAMS && builtin->params[i] != NULL; i++)
        text_format(text, "%s%s", i ? ", " : "", builtin->params[i]);
    text_char(text, ')');
}
