/* Lines that a session runs over and over, each read once. */
#ifndef ATTN_EXERCISE_KEPT_LINES_H
#define ATTN_EXERCISE_KEPT_LINES_H

#include "lang/session/session.h"
#include "lang/syntax/ast.h"

struct kept_lines; /* of one session */

/* NULL without memory. */
struct kept_lines *kept_lines_new(void);
void kept_lines_free(struct kept_lines *kept); /* or NULL */
/* Runs the line, as expression_run() does. When there are too many, all are forgotten. The line may
 * have been read already: `read` is what came of that, else NULL. */
bool kept_lines_run(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                    const struct statement *read, struct error *reterr);

/* What a line that was run gave a name, where that is kept; else NULL. It is up to the caller that
 * all that the line reads is as it was. Valid until the next line is run. */
const struct value *kept_lines_result(const struct kept_lines *kept, const char *line, size_t size);
/* Keeps what the line that ran last gave a name, as long as all that is kept is not too much. */
void kept_lines_keep_result(struct kept_lines *kept, const char *line, size_t size,
                            const struct value *result);

/* Is it known that the line can't be run? *reterr is why, as when it ran. Otherwise as
 * kept_lines_result(). */
bool kept_lines_failed(const struct kept_lines *kept, const char *line, size_t size,
                       struct error *reterr);
/* Keeps why the line that ran last could not be run; not that somebody stopped it, or that memory
 * was lacking. */
void kept_lines_keep_failure(struct kept_lines *kept, const char *line, size_t size,
                             const struct error *error);

#endif
