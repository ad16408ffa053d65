/* The ordinary user: see user.h. */
#define _GNU_SOURCE
#include "sandbox/user.h"

#include <ctype.h>
#include <dirent.h>
#include <grp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sys/prctl.h>

static bool change_user(uid_t uid, gid_t gid)
{
    return setgroups(0, NULL) == 0 && setresgid(gid, gid, gid) == 0 &&
           setresuid(uid, uid, uid) == 0 && getuid() == uid && geteuid() == uid &&
           /* Changing the user took away what a process needs to map users for a namespace. */
           prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

const char *user_become_ordinary(void)
{
    return change_user(USER_ORDINARY, USER_ORDINARY) ? NULL : "an ordinary user";
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
