/* Time that has passed: a clock that only goes forward, from no date in particular. The clock that
 * tells the date is time(). */
#ifndef ATTN_FILES_CLOCK_H
#define ATTN_FILES_CLOCK_H

#include <stdint.h>

/* Nanoseconds, microseconds and milliseconds, each rounded down. */
uint64_t clock_ns(void);
uint64_t clock_us(void);
int64_t clock_ms(void);
/* Nanoseconds of a processor that this thread has taken so far; and all threads of this process. */
uint64_t clock_spent_ns(void);
uint64_t clock_spent_by_all_ns(void);

#endif
