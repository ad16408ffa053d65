/* Namespaces: a process that sees no processes, network or mounts but its own. */
#ifndef ATTN_SANDBOX_NAMESPACE_INTERNAL_H
#define ATTN_SANDBOX_NAMESPACE_INTERNAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks. isolated: into new namespaces (user, pid, mount, net, ipc, uts, cgroup), in which the
 * child is pid 1 and whose processes all end with it. sibling: it becomes a child of this process'
 * parent. As fork() otherwise. */
pid_t namespace_fork(bool isolated, bool sibling);

/* Called in the child: inside, it is nobody (65534), which stands for its user and group outside.
 * Returns NULL, or the step that failed with errno. */
const char *namespace_map_user(uid_t uid, gid_t gid);

#endif
