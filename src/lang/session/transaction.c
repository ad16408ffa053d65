/* See transaction.h. */
#include "lang/session/transaction_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/node.h"
#include "kernel/threads.h"
#include "lang/session/session.h"
#include "lang/value/value.h"

/* How many of the last changes are searched for one of the last turn of a loop. */
enum { LOOK_BACK = 64 };

static size_t first_looked_at(size_t n)
{
    return n > LOOK_BACK ? n - LOOK_BACK : 0;
}

/* ---- names of tensors ---- */

/* True for a tensor made in the line under way: when the line fails, it is gone. */
static bool is_new(const struct transaction *transaction, const struct node *node)
{
    return node->id > transaction->last_id;
}

/* Whether the name that a tensor had before the line is remembered already. */
static bool is_renamed(const struct transaction *transaction, const struct node *node)
{
    for (size_t i = first_looked_at(transaction->n_renamed); i < transaction->n_renamed; i++)
        if (transaction->renamed[i].node == node)
            return true;
    return false;
}

/* Gives a tensor the name prefix + name, and remembers the one it had before the line. */
static bool rename_node(struct transaction *transaction, struct node *node, const char *prefix,
                        const char *name, size_t size, struct error *reterr)
{
    struct renamed *renamed = array_grow(transaction->renamed, transaction->n_renamed,
                                         &transaction->renamed_capacity, sizeof *renamed);
    size_t prefix_size = strlen(prefix);
    char *copy = malloc(prefix_size + size + 1);
    if (renamed != NULL)
        transaction->renamed = renamed;
    if (renamed == NULL || copy == NULL) {
        free(copy);
        return error_memory(reterr, "a name");
    }
    memcpy(copy, prefix, prefix_size);
    memcpy(copy + prefix_size, name, size);
    copy[prefix_size + size] = '\0';
    /* A loop would otherwise remember without end. */
    if (is_new(transaction, node) || is_renamed(transaction, node))
        free(node->name);
    else
        renamed[transaction->n_renamed++] = (struct renamed){node_share(node), node->name};
    node->name = copy;
    return true;
}

static void forget_renamed(struct transaction *transaction, bool give_back)
{
    while (transaction->n_renamed > 0) {
        struct renamed *renamed = &transaction->renamed[--transaction->n_renamed];
        free(give_back ? renamed->node->name : renamed->name);
        if (give_back)
            renamed->node->name = renamed->name;
        node_free(renamed->node);
    }
}

/* The old tensor of a name that now means another one: where it lives on, it is shown under another
 * of its names, or as "old X". */
static bool rename_old(struct session *session, const struct value *old, const char *name,
                       struct error *reterr)
{
    struct transaction *transaction = &session->transaction;
    struct node *node = old->kind == VALUE_NODE ? old->as.node : NULL;
    if (node == NULL || node->n_owners == 1 || node->name == NULL || strcmp(node->name, name) != 0)
        return true;
    for (size_t i = 0; i < session->names.n_variables; i++) {
        const struct variable *other = &session->names.variables[i];
        if (other->value.kind == VALUE_NODE && other->value.as.node == node)
            return rename_node(transaction, node, "", other->name, other->size, reterr);
    }
    return rename_node(transaction, node, "old ", name, strlen(name), reterr);
}

/* ---- names of values ---- */

/* Whether the journal's last entry is not the first of its name. A new tensor was bound by the line
 * itself, which has an entry since then; for other values, some entries are searched. */
static bool is_known(const struct transaction *transaction, const struct named_value *last)
{
    if (last->value.kind == VALUE_NODE && is_new(transaction, last->value.as.node))
        return true;
    size_t n = transaction->journal.n - 1;
    for (size_t i = first_looked_at(n); i < n; i++)
        if (strcmp(transaction->journal.items[i].name, last->name) == 0)
            return true;
    return false;
}

bool session_bind(struct session *session, const char *name, size_t size, struct value *value,
                  struct error *reterr)
{
    struct transaction *transaction = &session->transaction;
    struct change *journal = &transaction->journal;
    struct value nothing = {.kind = VALUE_ABSENT};
    const char *own = value->kind == VALUE_NODE ? value->as.node->name : "";
    bool takes_name =
        own == NULL || strncmp(own, "old ", 4) == 0; /* the tensor has no name, or lost it */
    if (takes_name && !rename_node(transaction, value->as.node, "", name, size, reterr))
        return false;
    if (!change_add(journal, name, size, &nothing, reterr))
        return false;
    struct named_value *item = &journal->items[journal->n - 1];
    if (!names_set(&session->names, name, size, value, &item->value, reterr)) {
        free(item->name);
        journal->n--;
        return false;
    }
    transaction->changed = true;
    bool ok = rename_old(session, &item->value, item->name, reterr);
    /* An older entry says what the name had before the line; a loop that binds it each turn would
     * fill all memory. */
    if (is_known(transaction, item)) {
        free(item->name);
        value_release(&item->value);
        journal->n--;
    }
    return ok;
}

struct whatif_state *session_whatif(struct session *session, struct error *reterr)
{
    struct transaction *transaction = &session->transaction;
    struct whatif_state *now = &session->whatif, *old = &transaction->whatif;
    transaction->changed = true;
    if (transaction->whatif_changed)
        return now;
    bool ok = change_copy(&now->pending, &old->pending, reterr);
    for (size_t i = 0; ok && i < now->n_undo; i++) {
        old->n_undo = i + 1;
        ok = change_copy(&now->undo[i], &old->undo[i], reterr);
    }
    if (!ok) {
        whatif_state_release(old);
        return NULL;
    }
    transaction->whatif_changed = true;
    return now;
}

/* ---- objects ---- */

bool session_remember(struct session *session, struct object *object, void *before,
                      struct error *reterr)
{
    struct transaction *transaction = &session->transaction;
    transaction->changed = true;
    for (size_t i = 0; i < transaction->n_replaced; i++)
        if (transaction->replaced[i].object == object) { /* what it was before that counts */
            object->class->forget(before);
            return true;
        }
    struct replaced *replaced = array_grow(transaction->replaced, transaction->n_replaced,
                                           &transaction->replaced_capacity, sizeof *replaced);
    if (replaced == NULL) {
        object->class->forget(before);
        return error_memory(reterr, object->class->name);
    }
    transaction->replaced = replaced;
    object->n_owners++;
    replaced[transaction->n_replaced++] = (struct replaced){object, before};
    return true;
}

static void forget_replaced(struct transaction *transaction, bool give_back)
{
    while (transaction->n_replaced > 0) {
        struct replaced *replaced = &transaction->replaced[--transaction->n_replaced];
        struct value owned = value_object(replaced->object);
        if (give_back)
            replaced->object->class->restore(replaced->object, replaced->before);
        else
            replaced->object->class->forget(replaced->before);
        value_release(&owned);
    }
}

/* ---- drawings ---- */

/* It stands here because drawing.c, which evaluates what it draws, is built on this file. */
void drawing_release(struct last_drawing *drawing)
{
    for (size_t i = 0; i < drawing->n; i++)
        node_free(drawing->nodes[i]);
    text_release(&drawing->source);
    *drawing = (struct last_drawing){.n = 0};
}

/* ---- beginning and end ---- */

void session_begin(struct session *session)
{
    struct transaction *transaction = &session->transaction;
    transaction->changed = false;
    transaction->forgets_script = false;
    transaction->whatif_changed = false;
    transaction->last_id = session->graph.last_id;
    transaction->n_names = session->names.n_variables;
    transaction->script_size = session->script.size;
    transaction->settings = session->settings;
    transaction->wants_quit = session->wants_quit;
    transaction->random = session->random;
    transaction->n_drawings = session->n_drawings;
    transaction->n_matrices = session->n_matrices;
}

static void end(struct transaction *transaction)
{
    if (transaction->whatif_changed)
        whatif_state_release(&transaction->whatif);
    change_clear(&transaction->journal);
}

/* Gives up the state before a line that worked. */
static void forget(struct transaction *transaction)
{
    forget_renamed(transaction, false);
    forget_replaced(transaction, false);
    drawing_release(&transaction->drawing);
    drawing_release(&transaction->matrix);
    end(transaction);
}

/* Moves the line under way to the past. */
static void keep(struct session *session)
{
    struct past *past = &session->past;
    past->lines[past->n++] = session->transaction;
    session->transaction = (struct transaction){0};
}

void session_commit(struct session *session)
{
    struct transaction *transaction = &session->transaction;
    struct text *script = &session->script;
    if (transaction->forgets_script && script->size > 0) {
        size_t left = script->size - transaction->script_size;
        memmove(script->bytes, script->bytes + transaction->script_size, left);
        text_shrink(script, left);
    }
    if (session->past.is_kept)
        keep(session);
    else
        forget(transaction);
}

/* The last drawing becomes the one before the line, where the line drew one. */
static void give_back(struct last_drawing *now, struct last_drawing *before, unsigned *n,
                      unsigned n_before)
{
    if (*n == n_before)
        return;
    drawing_release(now);
    *now = *before;
    *before = (struct last_drawing){.n = 0};
    *n = n_before;
}

void session_roll_back(struct session *session)
{
    struct transaction *transaction = &session->transaction;
    for (size_t i = transaction->journal.n; i-- > 0;) {
        struct named_value *item = &transaction->journal.items[i];
        struct value newer;
        if (names_set(&session->names, item->name, strlen(item->name), &item->value, &newer, NULL))
            value_release(&newer);
    }
    names_shrink(&session->names, transaction->n_names);
    forget_renamed(transaction, true);
    forget_replaced(transaction, true);
    if (session->settings.threads != transaction->settings.threads)
        threads_set(transaction->settings.threads);
    session->settings = transaction->settings;
    session->wants_quit = transaction->wants_quit;
    session->random = transaction->random;
    if (transaction->whatif_changed) {
        struct whatif_state newer = session->whatif;
        session->whatif = transaction->whatif;
        transaction->whatif = newer;
    }
    if (transaction->script_size <= session->script.size) /* after a reset it may be shorter */
        text_shrink(&session->script, transaction->script_size);
    give_back(&session->drawing, &transaction->drawing, &session->n_drawings,
              transaction->n_drawings);
    give_back(&session->matrix, &transaction->matrix, &session->n_matrices,
              transaction->n_matrices);
    end(transaction);
}

void transaction_release(struct transaction *transaction)
{
    change_release(&transaction->journal);
    free(transaction->renamed);
    free(transaction->replaced);
}

/* ---- lines that worked ---- */

bool past_make_room(struct past *past, struct error *reterr)
{
    if (!past->is_kept)
        return true;
    struct transaction *lines =
        array_grow(past->lines, past->n, &past->capacity, sizeof *past->lines);
    if (lines == NULL)
        return error_memory(reterr, "a line that can be taken back");
    past->lines = lines;
    return true;
}

void session_keep_past(struct session *session)
{
    session->past.is_kept = true;
}

bool session_take_back(struct session *session, size_t n)
{
    struct past *past = &session->past;
    if (!past->is_kept)
        return false;
    while (past->n > n) {
        transaction_release(&session->transaction);
        session->transaction = past->lines[--past->n];
        session_roll_back(session);
    }
    return true;
}

void past_release(struct past *past)
{
    for (size_t i = past->n; i-- > 0;) {
        forget(&past->lines[i]);
        transaction_release(&past->lines[i]);
    }
    free(past->lines);
    *past = (struct past){0};
}
