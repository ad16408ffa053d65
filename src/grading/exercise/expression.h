/* Runs an author's lines in a session between two of its own lines. Everything they show is thrown
 * away. */
#ifndef ATTN_EXERCISE_EXPRESSION_H
#define ATTN_EXERCISE_EXPRESSION_H

#include "lang/session/session.h"

bool expression_run(struct session *session, const char *statement, struct error *reterr);
/* The tensor that an expression gives, owned by the caller; NULL with *reterr. */
struct node *expression_value(struct session *session, const char *expression,
                              struct error *reterr);
/* Gives a name a value, of which it takes ownership; a tensor without a name gets it too. */
bool expression_bind(struct session *session, const char *name, struct value *value,
                     struct error *reterr);

#endif
