/* attn_show.h, the header with which learners look inside their own programs: SHOW(x, rows, cols).
 * It lies in their folder, and beside their file wherever that is compiled. */
#ifndef ATTN_EXERCISE_SHOW_HEADER_H
#define ATTN_EXERCISE_SHOW_HEADER_H

#include "base/text.h"

#define SHOW_HEADER_FILE "attn_show.h"

/* What SHOW does: print to standard error, give its numbers to the runner (wire.h), or nothing. */
enum show_use { SHOW_PRINTS, SHOW_TO_RUNNER, SHOW_NOTHING };

/* Adds the header. */
void show_header(enum show_use use, struct text *text);
/* Does a file ask for it? */
bool show_is_asked(const char *source, size_t size);

#endif
