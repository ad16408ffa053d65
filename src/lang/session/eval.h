/* From expressions to values. */
#ifndef ATTN_LANG_SESSION_EVAL_H
#define ATTN_LANG_SESSION_EVAL_H

#include "lang/session/session.h"

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
