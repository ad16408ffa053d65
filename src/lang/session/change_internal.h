/* Names with the values they had, or would get: for a line that fails, whatif, keep and undo. */
#ifndef ATTN_LANG_SESSION_CHANGE_INTERNAL_H
#define ATTN_LANG_SESSION_CHANGE_INTERNAL_H

#include "lang/value/value.h"

struct change {
    struct named_value {
        char *name;
        struct value value;
    } * items;
    size_t n, capacity;
};

/* Adds a name with *value, which it takes over. */
bool change_add(struct change *change, const char *name, size_t size, struct value *value,
                struct error *reterr);
/* Adds all of from to *ret. */
bool change_copy(const struct change *from, struct change *ret, struct error *reterr);
void change_clear(struct change *change);
void change_release(struct change *change); /* change may be all zero bytes */

enum { WHATIF_UNDO_STEPS = 64 }; /* kept changes that can be taken back */

/* The state of whatif, keep and undo. */
struct whatif_state {
    struct change pending;                 /* the values that the last `whatif` would give */
    struct change undo[WHATIF_UNDO_STEPS]; /* the values before each `keep` */
    size_t n_undo;
};

void whatif_state_release(struct whatif_state *state);

#endif
