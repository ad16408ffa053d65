/* The names of a session and their values. */
#ifndef ATTN_LANG_VALUE_NAMES_H
#define ATTN_LANG_VALUE_NAMES_H

#include "lang/value/value.h"

struct variable {
    char *name; /* NUL-terminated */
    size_t size;
    struct value value; /* VALUE_ABSENT: the name was deleted */
};

struct names {
    struct variable *variables; /* in the order of first assignment */
    size_t n_variables, capacity;
    size_t *slots; /* hash table: index into variables + 1, or 0 */
    size_t n_slots;
};

void names_release(struct names *names); /* names may be all zero bytes */
/* The value of a name, or NULL when it has no value. Valid until the next change. */
const struct value *names_get(const struct names *names, const char *name, size_t size);
/* The place of a name in variables, whether it has a value or not; n_variables where there is none.
 */
size_t names_place(const struct names *names, const char *name, size_t size);
/* Binds a name to *value, which it takes over (VALUE_ABSENT: unbinds); the old value moves to
 * *ret_old, VALUE_ABSENT where it had no value. On failure *value stays the caller's. */
bool names_set(struct names *names, const char *name, size_t size, struct value *value,
               struct value *ret_old, struct error *reterr);
/* Forgets the names that were added last, so that n are left. */
void names_shrink(struct names *names, size_t n);

#endif
