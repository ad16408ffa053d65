/* What a program left running when it ended. */
#ifndef ATTN_SANDBOX_ORPHANS_H
#define ATTN_SANDBOX_ORPHANS_H

#include <stdbool.h>

/* From now on processes below this one become its children when their parent ends, where the
 * system can do that. */
void orphans_adopt(void);
/* Ends all processes below this one and waits for them. alone: nothing but them is to be seen from
 * here (this is pid 1 of a namespace). */
void orphans_end(bool alone);

#endif
