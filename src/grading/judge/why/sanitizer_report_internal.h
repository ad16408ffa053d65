/* Reading a sanitizer's report by itself. */
#ifndef ATTN_JUDGE_WHY_SANITIZER_REPORT_INTERNAL_H
#define ATTN_JUDGE_WHY_SANITIZER_REPORT_INTERNAL_H

#include "base/text.h"
#include "judge/why/sanitizer_report.h"

/* Reads the first report in a program's output, which may hold anything. file is the name under
 * which the learner's file was compiled. ret->kind FAULT_NONE: the output holds no report. */
void sanitizer_report_read(const char *printed, const char *file, struct sanitizer_report *ret);
/* Adds what a report of FAULT_UNDEFINED means. Of the program's output only a known sentence of the
 * sanitizer's, with numbers and types of C's own, is repeated. */
void sanitizer_say_undefined(const struct sanitizer_report *fault, struct text *text);

#endif
