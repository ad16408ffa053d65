/* What the parts of a proof share. Private to prove*.c. */
#ifndef ATTN_JUDGE_PROVE_INTERNAL_H
#define ATTN_JUDGE_PROVE_INTERNAL_H

#include "judge/prove.h"

/* Adds a fault: "WHERE: ...". */
void prove_fault(struct prove_report *report, const char *where, const char *format, ...)
    ERROR_FORMAT(3, 4);

/* The same for a misconception: "FILE:LINE: misconception ID: WHAT". */
void prove_idea_fault(const struct exercise *exercise, const struct misconception *idea,
                      struct prove_report *report, const char *what);

/* The rules of docs/exercises.md for the cases taken together. */
void prove_cases(const struct exercise *exercise, const struct fixtures *cases,
                 struct prove_report *report);

#endif
