/* See change_internal.h. */
#include "lang/session/change_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool change_add(struct change *change, const char *name, size_t size, struct value *value,
                struct error *reterr)
{
    char *copy = malloc(size + 1);
    struct named_value *items =
        array_grow(change->items, change->n, &change->capacity, sizeof *items);
    if (items != NULL)
        change->items = items;
    if (copy == NULL || items == NULL) {
        free(copy);
        return error_memory(reterr, "remembering a change");
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    items[change->n++] = (struct named_value){.name = copy, .value = *value};
    *value = (struct value){.kind = VALUE_ABSENT};
    return true;
}

bool change_copy(const struct change *from, struct change *ret, struct error *reterr)
{
    for (size_t i = 0; i < from->n; i++) {
        const struct named_value *item = &from->items[i];
        struct value value = value_share(&item->value);
        if (!change_add(ret, item->name, strlen(item->name), &value, reterr)) {
            value_release(&value);
            return false;
        }
    }
    return true;
}

void change_clear(struct change *change)
{
    for (size_t i = 0; i < change->n; i++) {
        free(change->items[i].name);
        value_release(&change->items[i].value);
    }
    change->n = 0;
}

void change_release(struct change *change)
{
    change_clear(change);
    free(change->items);
    *change = (struct change){0};
}

void whatif_state_release(struct whatif_state *state)
{
    change_release(&state->pending);
    for (size_t i = 0; i < state->n_undo; i++)
        change_release(&state->undo[i]);
    state->n_undo = 0;
}
