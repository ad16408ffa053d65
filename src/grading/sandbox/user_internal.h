/* The ordinary user that attn becomes before it runs anything untrusted, if it was started as
 * root. */
#ifndef ATTN_SANDBOX_USER_INTERNAL_H
#define ATTN_SANDBOX_USER_INTERNAL_H

#include <sys/types.h>

/* No other program's user: limits of processes count by user, and files of nobody (65534) may
 * exist. */
enum { USER_ORDINARY = 64999 };

/* Becomes this user for good, with the same group and no other groups. Returns NULL, or the step
 * that failed with errno. */
const char *user_become_ordinary(void);
/* How many processes and threads that user has on this machine; 0 if it can't be seen. */
unsigned user_count_tasks(uid_t uid);

#endif
