/* Lines that a session runs over and over, each read once. */
#ifndef ATTN_EXERCISE_KEPT_LINES_INTERNAL_H
#define ATTN_EXERCISE_KEPT_LINES_INTERNAL_H

#include "lang/session/session.h"
#include "lang/syntax/ast.h"

struct kept_lines; /* for one session */

/* NULL without memory. */
struct kept_lines *kept_lines_new(void);
void kept_lines_free(struct kept_lines *kept); /* or NULL */
/* Runs the line, as expression_run() does. When there are too many lines, all are forgotten. If the
 * line has been read already, `read` is the result, else NULL. */
bool kept_lines_run(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                    const struct statement *read, struct error *reterr);

/* The value that a line, when it ran, gave to a name, if that is kept; else NULL. The caller
 * ensures that nothing the line reads has changed. Valid until the next line is run. */
const struct value *kept_lines_result(const struct kept_lines *kept, const char *line, size_t size);
/* Keeps the value that the line that ran last gave to a name, as long as all kept values together
 * are not too large. */
void kept_lines_keep_result(struct kept_lines *kept, const char *line, size_t size,
                            const struct value *result);

/* Is it known that the line can't be run? *reterr is the reason, as when it ran. Otherwise as
 * kept_lines_result(). */
bool kept_lines_failed(const struct kept_lines *kept, const char *line, size_t size,
                       struct error *reterr);
/* Keeps the reason why the line that ran last could not be run, unless somebody stopped it or
 * memory was lacking. */
void kept_lines_keep_failure(struct kept_lines *kept, const char *line, size_t size,
                             const struct error *error);

#endif
