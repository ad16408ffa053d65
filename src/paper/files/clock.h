/* Elapsed time: a clock that only goes forward and has no date. For the date, use time(). */
#ifndef ATTN_FILES_CLOCK_H
#define ATTN_FILES_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* ---- date ---- */

/* Moments as people write them: 2026-03-01 23:59 +01:00. */

/* Reads "2026-03-01", "2026-03-01 23:59" or "2026-03-01T23:59:30", then nothing (this machine's
 * zone), Z or +01:00, with or without a blank before it (ISO 8601). A day alone is its end,
 * 23:59:59. Seconds since 1970 UTC. False for anything else, and for days that are in no
 * calendar. */
bool date_read(const char *text, int64_t *ret_s);

/* Nanoseconds, microseconds and milliseconds, each rounded down. */
uint64_t clock_ns(void);
uint64_t clock_us(void);
int64_t clock_ms(void);

/* Nanoseconds of processor time that this thread has used so far; and those of all threads of this
 * process. */
uint64_t clock_spent_ns(void);
uint64_t clock_spent_by_all_ns(void);

#endif
