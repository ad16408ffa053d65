/* Running statements: assignments, definitions, expressions and commands. */
#ifndef ATTN_LANG_SESSION_STATEMENT_H
#define ATTN_LANG_SESSION_STATEMENT_H

#include "lang/session/session.h"

/* Runs one statement of the line under way and adds what it shows to out. On failure *reterr has
 * its place. */
bool statement_run(struct session *session, const struct statement *statement, struct doc *out,
                   struct error *reterr);
/* name = *value, as a statement would do it: a name with a fixed meaning is refused, at its place.
 * Takes *value over. */
bool statement_assign(struct session *session, const struct expr *name, struct value *value,
                      struct error *reterr);
/* Where the settings ask for it, adds "X  3x3", so that a learner sees what an assignment did. */
void statement_echo(const struct session *session, const struct expr *name, struct doc *out);

#endif
