/* Orphans: see orphans.h. */
#define _GNU_SOURCE
#include "sandbox/orphans.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>

enum { MAX_ROUNDS = 2000 }; /* of a millisecond and more: then they can't be ended */

void orphans_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The parent of a process as /proc/PID/stat tells it, after a name that can hold anything; 0 when
 * it is gone. */
static pid_t parent_of(const char *pid)
{
    char path[300], line[512];
    pid_t parent = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    size_t size = fread(line, 1, sizeof line - 1, file);
    line[size] = '\0';
    fclose(file);
    char *behind_name = strrchr(line, ')');
    if (behind_name != NULL && strlen(behind_name) > 4)
        parent = (pid_t)strtol(behind_name + 4, NULL, 10);
    return parent;
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    if (processes == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;)
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid())
            kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    closedir(processes);
}

/* Takes those that ended; false when there is no child any more. */
static bool reap(void)
{
    pid_t pid;
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return pid == 0 || errno != ECHILD;
}

/* Each that ends leaves its own children to us, for the next round. */
void orphans_end(bool alone)
{
    const struct timespec a_while = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < MAX_ROUNDS && reap(); i++) {
        if (alone)
            kill(-1, SIGKILL);
        else
            kill_children();
        if (alone)
            while (waitpid(-1, NULL, 0) > 0)
                ;
        else
            nanosleep(&a_while, NULL);
    }
}
