/* The ordinary user that attn becomes for what it does not trust, where it was started as root. */
#ifndef ATTN_SANDBOX_USER_H
#define ATTN_SANDBOX_USER_H

#include <sys/types.h>

/* Of nobody else: limits of processes count by user, and files of nobody (65534) can be there. */
enum { USER_ORDINARY = 64999 };

/* For good, with that group and no others. NULL, or the step that failed with errno. */
const char *user_become_ordinary(void);
/* How many processes and threads that user has on this machine; 0 where it can't be seen. */
unsigned user_count_tasks(uid_t uid);

#endif
