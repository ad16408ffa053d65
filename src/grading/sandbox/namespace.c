/* Namespaces: see namespace_internal.h. */
#define _GNU_SOURCE
#include "sandbox/namespace_internal.h"

#include <errno.h>
#include <unistd.h>

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "sandbox/kernel_file_internal.h"

enum { NOBODY = 65534 };

/* The numbers that clone3() takes, as many as its first version did; those that we set. */
enum { CLONE_FLAGS = 0, CLONE_EXIT_SIGNAL = 4, N_CLONE_ARGUMENTS = 8 };

static const uint64_t all_namespaces = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET |
                                       CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

pid_t namespace_fork(bool isolated, bool sibling)
{
    uint64_t arguments[N_CLONE_ARGUMENTS] = {0};
    arguments[CLONE_EXIT_SIGNAL] = sibling ? 0 : SIGCHLD;
    if (isolated)
        arguments[CLONE_FLAGS] |= all_namespaces;
    if (sibling)
        arguments[CLONE_FLAGS] |= CLONE_PARENT;
    long pid = syscall(SYS_clone3, arguments, sizeof arguments);
    if (pid < 0 && (errno == ENOSYS || errno == EPERM)) /* as many containers answer */
        pid = syscall(SYS_clone, arguments[CLONE_FLAGS] | arguments[CLONE_EXIT_SIGNAL], 0, 0, 0, 0);
    return (pid_t)pid;
}

const char *namespace_map_user(uid_t uid, gid_t gid)
{
    char users[48], groups[48];
    snprintf(users, sizeof users, "%d %lu 1\n", NOBODY, (unsigned long)uid);
    snprintf(groups, sizeof groups, "%d %lu 1\n", NOBODY, (unsigned long)gid);
    if (!kernel_file_write("deny", "/proc/self/setgroups"))
        return "user namespace: /proc/self/setgroups";
    if (!kernel_file_write(users, "/proc/self/uid_map"))
        return "user namespace: /proc/self/uid_map";
    if (!kernel_file_write(groups, "/proc/self/gid_map"))
        return "user namespace: /proc/self/gid_map";
    return NULL;
}
