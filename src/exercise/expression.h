/* Running an author's lines in a session between two of its lines. Everything that is shown is
 * thrown away. */
#ifndef ATTN_EXERCISE_EXPRESSION_H
#define ATTN_EXERCISE_EXPRESSION_H

#include "lang/session/session.h"

bool expression_run(struct session *session, const char *statement, struct error *reterr);
/* The tensor that an expression gives, with one owner; NULL with *reterr. */
struct node *expression_value(struct session *session, const char *expression,
                              struct error *reterr);
/* Gives a name a value, which is taken over; a tensor without a name gets it too. */
bool expression_bind(struct session *session, const char *name, struct value *value,
                     struct error *reterr);

#endif
