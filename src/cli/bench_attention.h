/* attn bench attention: the roofline of this machine, and where attention lies below it. */
#ifndef ATTN_CLI_BENCH_ATTENTION_H
#define ATTN_CLI_BENCH_ATTENTION_H

#include "cli/options.h"

/* argv: bench attention ... Returns the exit code; wrong usage ends the program. */
/* Rows for its options. */
extern const struct option bench_attention_table[];
int bench_attention(int argc, char **argv);

#endif
