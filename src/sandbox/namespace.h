/* Namespaces: a process that sees no other processes, no network, no mounts but its own. */
#ifndef ATTN_SANDBOX_NAMESPACE_H
#define ATTN_SANDBOX_NAMESPACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks. isolated: into new namespaces (user, pid, mount, net, ipc, uts, cgroup), where the child
 * is pid 1; whatever is in them ends with it. sibling: it becomes a child of this process' parent.
 * As fork() otherwise. */
pid_t namespace_fork(bool isolated, bool sibling);

/* Called in the child: it is nobody (65534) in there, which stands for the user and group that it
 * is out here. NULL, or the step that failed with errno. */
const char *namespace_map_user(uid_t uid, gid_t gid);

#endif
