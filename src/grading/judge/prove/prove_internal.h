/* How the parts of a proof note a fault. */
#ifndef ATTN_JUDGE_PROVE_PROVE_INTERNAL_H
#define ATTN_JUDGE_PROVE_PROVE_INTERNAL_H

#include "judge/prove/prove.h"

/* Adds a fault: "WHERE: ...". */
void prove_fault(struct prove_report *report, const char *where, const char *format, ...)
    ERROR_FORMAT(3, 4);

#endif
