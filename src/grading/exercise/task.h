/* An exercise's task.md as a learner reads it, with the output of the language in it. */
#ifndef ATTN_EXERCISE_TASK_H
#define ATTN_EXERCISE_TASK_H

#include "base/text.h"
#include "exercise/exercise.h"

/* ---- show header ---- */

/* attn_show.h, the header with which learners look inside their own programs: SHOW(x,
 * rows, cols). It lies in their folder, and beside their file wherever that is compiled. */

#define SHOW_HEADER_FILE "attn_show.h"

/* The effect of SHOW: it prints to standard error, gives its numbers to the runner (wire.h), or
 * does nothing. */
enum show_use { SHOW_PRINTS, SHOW_TO_RUNNER, SHOW_NOTHING };

/* Adds the header. */
void show_header(enum show_use use, struct text *text);

/* Does a file include it? */
bool show_is_asked(const char *source, size_t size);

/* Adds task.md to text, with each ```attn block replaced by a session: its lines after a prompt,
 * and their output below them. The blocks of a task run in one session. data_dir as in
 * session_init(). An error of the language names the exercise and the line. */
bool task_write(const struct exercise *exercise, const char *data_dir, struct text *text,
                struct error *reterr);

#endif
