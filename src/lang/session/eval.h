/* From expressions to values. */
#ifndef ATTN_LANG_SESSION_EVAL_H
#define ATTN_LANG_SESSION_EVAL_H

#include "lang/session/session.h"

/* ---- loop ---- */

/* Going through values: what `for` and lists built in brackets share. */

enum {
    LOOP_MAX_TURNS = 1000000, /* of all loops of one line together */
    LOOP_MAX_SHOWN = 20000,   /* lines that a line with a loop shows */
    LOOP_MAX_ITEMS = 100000,  /* of a list built in brackets */
};

/* How many items a loop goes through: those of a list, or the rows of a tensor. ERR_TYPE for a
 * value that has neither, ERR_LIMIT for more than LOOP_MAX_TURNS. */
bool loop_count(const struct value *through, size_t *ret_n, struct error *reterr);

/* Item i of what loop_count() counted. The caller releases *ret. */
bool loop_item(struct session *session, const struct value *through, size_t i, struct value *ret,
               struct error *reterr);

/* Counts one turn of the line under way. ERR_LIMIT when there were too many, or when they took more
 * than session->loop_mib of memory; ERR_INTERRUPTED when the learner stopped it. */
bool loop_turn(struct session *session, struct error *reterr);

/* The value of an expression of the session's current line. The caller releases *ret. */
bool expr_eval(struct session *session, const struct expr *expr, struct value *ret,
               struct error *reterr);

/* What the function gives that has the name of the statement's command, and takes what the
 * statement gives it: ablate r, head=(5, 1) is ablate(r, head=(5, 1)). */
bool statement_call(struct session *session, const struct statement *statement, struct value *ret,
                    struct error *reterr);

/* The same, where a tensor is needed: a list of numbers becomes one. The caller frees the node. */
struct node *expr_eval_node(struct session *session, const struct expr *expr, struct error *reterr);

/* X[i, j] as one cell of X: the index must pick a single number. The caller frees the node. */
bool expr_eval_cell(struct session *session, const struct expr *expr, struct cell *ret,
                    struct error *reterr);

#endif
