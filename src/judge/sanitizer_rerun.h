/* Why a program crashed or went beside an array: the same file once more, under the sanitizers. It
 * explains a failure and never decides anything. */
#ifndef ATTN_JUDGE_SANITIZER_RERUN_H
#define ATTN_JUDGE_SANITIZER_RERUN_H

#include "compile/compiler.h"
#include "exercise/fixture.h"
#include "judge/sanitizer_report.h"

/* Builds source[0..size), which the learner knows as file_name, with the address and the
 * undefined-behaviour sanitizer, runs it on the fixture in a box, and adds to *text what they say
 * in the exercise's words, and the line of the source where it happened:
 *
 *   Line 7 of softmax_rows.c: row 3 of weights was written (weights[12]); weights has 3 rows
 *   (0..2).
 *       7 | weights[i * cols + j] = 0;
 *
 * Adds nothing when there is nothing to say, or no sanitizer, box or memory to find it with. What
 * they said is in *ret too; of kind FAULT_NONE where nothing was. A block that is an array of the
 * exercise has no allocated_line there. */
void sanitizer_rerun(const struct compile_request *request, const char *file_name,
                     const char *source, size_t size, const struct fixture *fixture,
                     struct text *text, struct sanitizer_report *ret);

#endif
