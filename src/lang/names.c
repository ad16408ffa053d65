/* An open hash table over a list: see names.h. */
#include "lang/names.h"

#include <stdlib.h>
#include <string.h>

void names_release(struct names *names)
{
    for (size_t i = 0; i < names->n_variables; i++) {
        free(names->variables[i].name);
        value_release(&names->variables[i].value);
    }
    free(names->variables);
    free(names->slots);
    *names = (struct names){0};
}

/* FNV-1a */
static size_t hash_of(const char *name, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001B3);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds name, or the free one where it belongs. */
static size_t slot_of(const struct names *names, const char *name, size_t size)
{
    size_t slot = hash_of(name, size) & (names->n_slots - 1);
    for (; names->slots[slot] != 0; slot = (slot + 1) & (names->n_slots - 1)) {
        const struct variable *binding = &names->variables[names->slots[slot] - 1];
        if (binding->size == size && memcmp(binding->name, name, size) == 0)
            break;
    }
    return slot;
}

static struct variable *find(const struct names *names, const char *name, size_t size)
{
    if (names->n_slots == 0)
        return NULL;
    size_t at = names->slots[slot_of(names, name, size)];
    return at ? &names->variables[at - 1] : NULL;
}

const struct value *names_get(const struct names *names, const char *name, size_t size)
{
    const struct variable *binding = find(names, name, size);
    return binding != NULL && binding->value.kind != VALUE_ABSENT ? &binding->value : NULL;
}

static bool grow(struct names *names)
{
    if (names->n_variables == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 16;
        struct variable *wider = realloc(names->variables, capacity * sizeof *wider);
        if (wider == NULL)
            return false;
        names->variables = wider;
        names->capacity = capacity;
    }
    if (names->n_slots > 2 * names->n_variables + 1)
        return true;
    size_t n_slots = names->n_slots ? names->n_slots * 2 : 32;
    size_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    for (size_t i = 0; i < names->n_variables; i++)
        slots[slot_of(names, names->variables[i].name, names->variables[i].size)] = i + 1;
    return true;
}

static struct variable *add(struct names *names, const char *name, size_t size)
{
    char *copy = malloc(size + 1);
    if (copy == NULL || !grow(names)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    struct variable *binding = &names->variables[names->n_variables++];
    *binding = (struct variable){.name = copy, .size = size};
    names->slots[slot_of(names, name, size)] = names->n_variables;
    return binding;
}

bool names_set(struct names *names, const char *name, size_t size, struct value *value,
               struct value *ret_old, struct error *reterr)
{
    struct variable *binding = find(names, name, size);
    if (binding == NULL)
        binding = add(names, name, size);
    if (binding == NULL)
        return error_memory(reterr, "a new name");
    *ret_old = binding->value;
    binding->value = *value;
    *value = (struct value){.kind = VALUE_ABSENT};
    return true;
}
