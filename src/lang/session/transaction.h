/* A line either works whole or changes nothing: the old state that takes a failing line back. */
#ifndef ATTN_LANG_SESSION_TRANSACTION_H
#define ATTN_LANG_SESSION_TRANSACTION_H

#include "lang/builtins/settings.h"
#include "lang/session/change_internal.h"
#include "lang/session/drawing_internal.h"
#include "tensor/random.h"

struct object;
struct session;

/* The line under way: its changes, and the state before it. */
struct transaction {
    bool changed;          /* it did something worth saving */
    bool forgets_script;   /* it said reset */
    struct change journal; /* old values of names, in the order of the changes */
    struct renamed {
        struct node *node;
        char *name;
    } * renamed; /* tensors and the names they had, in the order of the changes */
    size_t n_renamed, renamed_capacity;
    struct replaced {
        struct object *object;
        void *before; /* what it was before the line: see struct object_class */
    } * replaced;
    size_t n_replaced, replaced_capacity;
    uint64_t last_id; /* of the graph: nodes with a higher one are new */
    size_t n_names, script_size;
    struct settings settings;
    bool wants_quit;
    struct random random;
    struct whatif_state whatif; /* where whatif_changed */
    bool whatif_changed;
    /* How many pictures and matrices were drawn before the line, and, where it drew one, the one
     * that was the last until then. */
    unsigned n_drawings, n_matrices;
    struct last_drawing drawing, matrix;
};

/* The lines that worked, so that they can be taken back. */
struct past {
    struct transaction *lines; /* each with the state before it */
    size_t n, capacity;
    bool is_kept; /* false: lines that work are not remembered */
};

void session_begin(struct session *session);
/* The end of a line that worked. */
void session_commit(struct session *session);
/* The end of a line that failed: all is as it was before. */
void session_roll_back(struct session *session);
void transaction_release(struct transaction *transaction); /* it may be all zero bytes */

/* ---- lines that worked ---- */

/* From now on, lines that work can be taken back. What they replaced stays in memory until then. */
void session_keep_past(struct session *session);
/* Takes back all lines but the first n that worked since session_keep_past(): names, objects,
 * drawings, settings and the random stream are as they were after line n, and ids of tensors go on
 * counting. n is at most session->past.n. False where the past was not kept; then nothing
 * changes. */
bool session_take_back(struct session *session, size_t n);

/* ---- changes of the line under way ---- */

/* Binds a name, taking *value over; VALUE_ABSENT deletes it. A node without a name is named so. */
bool session_bind(struct session *session, const char *name, size_t size, struct value *value,
                  struct error *reterr);
/* Remembers what an object was before a call changed it, and takes that over (also when it fails).
 */
bool session_remember(struct session *session, struct object *object, void *before,
                      struct error *reterr);
/* session->whatif, to be changed: its old state is kept first. NULL without memory. */
struct whatif_state *session_whatif(struct session *session, struct error *reterr);

#endif
