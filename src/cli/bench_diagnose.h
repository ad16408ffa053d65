/* The part of attn bench that is about naming mistakes. */
#ifndef ATTN_CLI_BENCH_DIAGNOSE_H
#define ATTN_CLI_BENCH_DIAGNOSE_H

#include "base/error.h"

/* Measures and prints a table. *ret_kept: what was measured is within the limits. */
bool bench_diagnose(bool *ret_kept, struct error *reterr);

#endif
