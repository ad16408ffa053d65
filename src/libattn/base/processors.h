/* The processors of this machine: how many this process may use, and how busy they are. */
#ifndef ATTN_BASE_PROCESSORS_H
#define ATTN_BASE_PROCESSORS_H

#include <stdbool.h>
#include <stddef.h>

/* How many processors this process may use; at least 1. */
size_t processors_count(void);

/* Counts the threads of the whole machine, the caller among them, that run or wait for a processor
 * at this moment. Returns true and sets *ret_n; returns false if the system does not say, or if
 * this process may use only some of the processors, so that the number says nothing about those.
 * Costs about as much as opening a file. Leaves errno as it was. */
bool processors_demand(size_t *ret_n);

/* The processor that the calling thread runs on at this moment; -1 if the system does not say. */
int processors_here(void);

#endif
