/* Lines of a session that are Python: cells. They run in the session's notebook, which is made by
 * the first of them; from then on a line is Python where it uses what a cell made, and where it
 * uses no name at all, such as n = 4. Every other line is a formula.
 *
 * The session's names are the cell's: after each line, a tensor of a cell stands there as its node,
 * so that commands show it and tell where it comes from. */
#ifndef ATTN_LANG_SESSION_PYTHON_INTERNAL_H
#define ATTN_LANG_SESSION_PYTHON_INTERNAL_H

#include "lang/session/session.h"

struct python;

void python_free(struct python *python); /* NULL: nothing */
/* Whether a line that can't be read as a formula is a cell: each of its statements can be read. The
 * first cell of a session imports or defines something, or has a block of rows. */
bool python_can_read(const struct session *session, const char *source, size_t size,
                     struct error *reterr);
/* Whether this expression, or statement, of a formula's line is Python. */
bool python_own(const struct session *session, const struct expr *expr);
bool python_own_statement(const struct session *session, const struct statement *statement);
/* Runs source[begin, end) of the line under way and adds what it prints, and the value of a last
 * expression, to out; also what it had printed when it fails. *ret_shown is that value if it is a
 * tensor with axes, to be freed by the caller; else NULL. */
bool python_run(struct session *session, size_t begin, size_t end, struct doc *out,
                struct node **ret_shown, struct error *reterr);
/* Adds a text of several lines, without style. */
void lines_show(const char *bytes, size_t size, struct doc *out);
/* The line under way has ended; where it did not work, what its statements of Python changed is
 * given back. */
void python_end_line(struct session *session, bool works);
/* The value of an expression that is Python, as a formula takes it. */
bool python_eval(struct session *session, const struct expr *expr, struct value *ret,
                 struct error *reterr);

#endif
