/* The processors of this machine: how many this process may use, and how many others want them. */
#ifndef ATTN_BASE_PROCESSORS_H
#define ATTN_BASE_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>

/* How many processors this process may use; at least 1. */
size_t processors_count(void);

/* How many threads of the whole machine run or wait for a processor at this moment, the caller
 * among them: true and *ret_n. False where the system does not say, and where this process may use
 * only some of the processors, so that the number says nothing about those. It costs about as much
 * as opening a file. errno stays as it was. */
bool processors_demand(size_t *ret_n);

/* The processor that the calling thread runs on at this moment; -1 where the system does not say.
 */
int processors_here(void);

#endif
