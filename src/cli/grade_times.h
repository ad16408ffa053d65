/* attn grade --times: how long grading took, and what took it. */
#ifndef ATTN_CLI_GRADE_TIMES_H
#define ATTN_CLI_GRADE_TIMES_H

#include <stddef.h>
#include <stdint.h>

/* Says on standard error how many files were graded in how many ms; what share of the processor
 * time of this process and all below it, which have ended, the compiler and the linker took
 * (build_us); and the most memory that this process held. */
void grade_times_tell(size_t n_files, uint64_t ms, uint64_t build_us);

#endif
