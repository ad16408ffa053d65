/* Lines that a session runs over and over, each read once. */
#ifndef ATTN_EXERCISE_KEPT_LINES_H
#define ATTN_EXERCISE_KEPT_LINES_H

#include "lang/session/session.h"

struct kept_lines; /* of one session */

/* NULL without memory. */
struct kept_lines *kept_lines_new(void);
void kept_lines_free(struct kept_lines *kept); /* or NULL */
/* Runs the line, as expression_run() does. When there are too many, all are forgotten. */
bool kept_lines_run(struct kept_lines *kept, struct session *session, const char *line, size_t size,
                    struct error *reterr);

#endif
