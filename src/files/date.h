/* Moments as people write them: 2026-03-01 23:59 +01:00. */
#ifndef ATTN_FILES_DATE_H
#define ATTN_FILES_DATE_H

#include <stdbool.h>
#include <stdint.h>

/* Reads "2026-03-01", "2026-03-01 23:59" or "2026-03-01T23:59:30", then nothing (this machine's
 * zone), Z or +01:00, with or without a blank before it (ISO 8601). A day alone is its end,
 * 23:59:59. Seconds since 1970 UTC. False for anything else, and for days that no calendar has. */
bool date_read(const char *text, int64_t *ret_s);

#endif
