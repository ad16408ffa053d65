/* A sanitizer's report in the exercise's words. */
#ifndef ATTN_JUDGE_SANITIZER_EXPLAIN_H
#define ATTN_JUDGE_SANITIZER_EXPLAIN_H

#include "exercise/fixture.h"
#include "judge/sanitizer_report.h"

/* Adds what went wrong, without its place in the source: "row 3 of weights was written
 * (weights[12]); weights has 3 rows (0..2)". addresses[i] is where array i of the fixture lay, 0
 * when it is not known. Adds nothing for FAULT_NONE. */
void sanitizer_explain(const struct sanitizer_report *fault, const struct fixture *fixture,
                       const uint64_t *addresses, struct text *text);

#endif
