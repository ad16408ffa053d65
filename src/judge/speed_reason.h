/* Why a program is too slow, as far as that can be found out. */
#ifndef ATTN_JUDGE_SPEED_REASON_H
#define ATTN_JUDGE_SPEED_REASON_H

#include "judge/judge.h"
#include "judge/speed.h"

/* Does the idea slow the program at program_fd down, whose speed was measured? It does when the
 * file that the program was made of, source[0..size), gains a good part of what it lacks once it is
 * compiled with idea->faster_with too: the request is the one that the program was built with.
 * Whatever else becomes of that file, it is no reason. */
bool speed_reason_holds(const struct judge_setup *setup, const struct compile_request *request,
                        const struct misconception *idea, const char *file_name, const char *source,
                        size_t size, int program_fd, const struct speed_result *speed);

#endif
