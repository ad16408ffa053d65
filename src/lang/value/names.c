/* An open hash table over a list: see names.h. */
#include "lang/value/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

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

static size_t hash_of(const char *name, size_t size)
{
    uint64_t hash = text_hash(name, size);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds name, or the free one where it belongs. */
static size_t slot_of(const struct names *names, const char *name, size_t size)
{
    size_t slot = hash_of(name, size) & (names->n_slots - 1);
    for (; names->slots[slot] != 0; slot = (slot + 1) & (names->n_slots - 1)) {
        const struct variable *variable = &names->variables[names->slots[slot] - 1];
        if (variable->size == size && memcmp(variable->name, name, size) == 0)
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
    const struct variable *variable = find(names, name, size);
    return variable != NULL && variable->value.kind != VALUE_ABSENT ? &variable->value : NULL;
}

size_t names_place(const struct names *names, const char *name, size_t size)
{
    const struct variable *variable = find(names, name, size);
    return variable != NULL ? (size_t)(variable - names->variables) : names->n_variables;
}

static bool make_room(struct names *names)
{
    struct variable *variables =
        array_grow(names->variables, names->n_variables, &names->capacity, sizeof *variables);
    if (variables == NULL)
        return false;
    names->variables = variables;
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
    if (copy == NULL || !make_room(names)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    struct variable *variable = &names->variables[names->n_variables++];
    *variable = (struct variable){.name = copy, .size = size};
    names->slots[slot_of(names, name, size)] = names->n_variables;
    return variable;
}

bool names_set(struct names *names, const char *name, size_t size, struct value *value,
               struct value *ret_old, struct error *reterr)
{
    struct variable *variable = find(names, name, size);
    if (variable == NULL)
        variable = add(names, name, size);
    if (variable == NULL)
        return error_memory(reterr, "a new name");
    *ret_old = variable->value;
    variable->value = *value;
    *value = (struct value){.kind = VALUE_ABSENT};
    return true;
}

void names_shrink(struct names *names, size_t n)
{
    while (names->n_variables > n) {
        struct variable *variable = &names->variables[--names->n_variables];
        /* No name was put after it on the way to its slot: it came last. */
        names->slots[slot_of(names, variable->name, variable->size)] = 0;
        free(variable->name);
        value_release(&variable->value);
    }
}
