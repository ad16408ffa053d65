/* attn bench attention: the roofline of this machine, and where attention lies below it. */
#ifndef ATTN_CLI_BENCH_ATTENTION_H
#define ATTN_CLI_BENCH_ATTENTION_H

/* argv: bench attention ... Returns the exit code; wrong usage ends the program. */
int bench_attention(int argc, char **argv);

#endif
