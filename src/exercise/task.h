/* An exercise's task.md as a learner reads it: the blocks of the language computed. */
#ifndef ATTN_EXERCISE_TASK_H
#define ATTN_EXERCISE_TASK_H

#include "exercise/exercise.h"
#include "base/text.h"

/* Adds task.md to text, in which each ```attn block has become a session: its lines after a
 * prompt, and under them what they show. The blocks of a task run in one session. data_dir as in
 * session_init(). An error of the language names the exercise and the line. */
bool task_write(const struct exercise *exercise, const char *data_dir, struct text *text,
                struct error *reterr);

#endif
