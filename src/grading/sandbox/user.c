/* The ordinary user: see user_internal.h. */
#define _GNU_SOURCE
#include "sandbox/user_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sys/prctl.h>

const char *user_become_ordinary(void)
{
    const uid_t user = USER_ORDINARY;
    bool ok = setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
              setresuid(user, user, user) == 0 && getuid() == user && geteuid() == user &&
              /* Changing the user took away what a process needs to map users for a namespace. */
              prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
    return ok ? NULL : "an ordinary user";
}

unsigned user_count_tasks(uid_t uid)
{
    unsigned n = 0;
    DIR *processes = opendir("/proc");
    if (processes == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300];
        struct stat status;
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (isdigit((unsigned char)entry->d_name[0]) && stat(path, &status) == 0 &&
            status.st_uid == uid)
            n += (unsigned)status.st_nlink - 2;
    }
    closedir(processes);
    return n;
}
