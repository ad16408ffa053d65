/* attn train --exam FOLDER: what a model of stories knows, and what its heads do for it. */
#ifndef ATTN_CLI_TRAIN_EXAM_H
#define ATTN_CLI_TRAIN_EXAM_H

#include <stdbool.h>
#include <stdint.h>

/* Prints what the model of a folder knows, or, asks_heads, what its heads look at and are needed
 * for. The exit code; a folder that is no model ends the program. */
int train_exam(const char *folder, uint64_t seed, bool asks_heads);

#endif
