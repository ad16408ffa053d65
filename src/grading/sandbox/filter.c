/* The filter of system calls, made by libseccomp: see filter_internal.h. */
#define _GNU_SOURCE
#include "sandbox/filter_internal.h"

#include <errno.h>
#include <stdlib.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <poll.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <asm/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

enum { MAX_CONDITIONS = 2 };

/* A system call under conditions on its arguments, all of which must hold. */
struct filter_call {
    const char *name;
    unsigned n_conditions;
    struct scmp_arg_cmp conditions[MAX_CONDITIONS];
};

#define CALL_IF(call_name, ...)                                                         \
    {                                                                                   \
        .name = call_name,                                                              \
        .n_conditions =                                                                 \
            sizeof((struct scmp_arg_cmp[]){__VA_ARGS__}) / sizeof(struct scmp_arg_cmp), \
        .conditions = {                                                                 \
            __VA_ARGS__                                                                 \
        }                                                                               \
    }
#define BITS(argument, mask, value)                                                  \
    {                                                                                \
        .arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value \
    }
#define COMPARED(argument, how, value)               \
    {                                                \
        .arg = argument, .op = how, .datum_a = value \
    }

/* Stands for the process's id until filter_install() knows it; no process has this one, since they
 * end at 2^22. */
enum { OWN_PID = 0x61747469 };

/* The kernel looks at 32 bits of some arguments: so do we. */
#define LOW_BITS(argument, value) BITS(argument, 0xffffffffu, value)

/* All that a static program needs which computes on memory that it was given. Whatever is not
 * here ends it. */
static const char *const run_allowed[] = {
    "read", "write", "writev", "close", "exit", "exit_group", "brk", "munmap", "mremap", "madvise",
    /* The start of the C library. */
    "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "getrandom", "readlink",
    "readlinkat",
    /* printf. */
    "fstat", "newfstatat",
    /* Signals within the program: a failed assert() must end as SIGABRT. */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "getpid", "gettid",
    /* Waiting and clocks: whoever sleeps runs out of time, which is the right verdict. */
    "futex", "sched_yield", "clock_gettime", "gettimeofday", "nanosleep", "clock_nanosleep",
    "restart_syscall"};

/* A mapping of one kind, which can't be executed. Memory that is shared without a file, or that
 * grows downwards, would count neither as data nor as stack, and so escape every limit. */
#define MAPPING_KINDS (MAP_TYPE | MAP_ANONYMOUS | MAP_GROWSDOWN)
#define MAPPING_IF(kind)                                                  \
    CALL_IF("mmap", BITS(2, PROT_EXEC, 0), BITS(3, MAPPING_KINDS, kind)), \
        CALL_IF("mmap2", BITS(2, PROT_EXEC, 0), BITS(3, MAPPING_KINDS, kind))

/* Those that it needs with some arguments only. */
static const struct filter_call run_allowed_if[] = {
    MAPPING_IF(MAP_PRIVATE | MAP_ANONYMOUS),
    MAPPING_IF(MAP_PRIVATE),
    MAPPING_IF(MAP_SHARED), /* the arrays; their descriptors are closed before the first call */
    CALL_IF("mprotect", BITS(2, PROT_EXEC, 0)),
    /* To ask for its own limits, not to change them. */
    CALL_IF("prlimit64", COMPARED(0, SCMP_CMP_EQ, 0), COMPARED(2, SCMP_CMP_EQ, 0)),
    CALL_IF("tgkill", LOW_BITS(0, OWN_PID)),
    /* The program itself. Its descriptor closes as it starts, and it can open no other. */
    CALL_IF("execveat", LOW_BITS(0, FILTER_PROGRAM_FD), LOW_BITS(4, AT_EMPTY_PATH)),
};

/* Of all that ends it, what a learner may have written: the listener hears the name. */
static const char *const run_told[] = {
    /* Files. */
    "open", "openat", "openat2", "creat", "unlink", "unlinkat", "mkdir", "mkdirat", "rename",
    "renameat2", "memfd_create", "dup", "dup2", "dup3", "pipe", "pipe2", "fcntl", "lseek", "chdir",
    "getcwd", "mount",
    /* The network. */
    "socket", "socketpair", "connect",
    /* Processes. */
    "clone", "clone3", "fork", "vfork", "execve", "wait4", "kill", "tkill", "ptrace", "prctl",
    "setsid", "unshare", "sched_setaffinity", "getppid", "getuid", "setrlimit",
    /* Time, shared memory, the rest. */
    "alarm", "setitimer", "pause", "shmget", "io_uring_setup"};

static const struct filter_call run_told_if[] = {
    CALL_IF("mmap", BITS(3, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS)),
    CALL_IF("mmap", BITS(3, MAP_GROWSDOWN, MAP_GROWSDOWN)),
};

/* What neither a compiler nor a program under sanitizers needs, and what was, or may become, a way
 * out of a box: other processes, the network, mounts and namespaces, keys, tracing and measuring
 * the kernel, and whatever only a system's administrator does. */
static const char *const tools_denied[] = {
    /* The network. */
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    /* Other processes. */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd",
    "pidfd_send_signal", "kcmp", "move_pages", "migrate_pages", "mbind", "set_mempolicy", "shmget",
    "semget", "msgget", "mq_open",
    /* Mounts, namespaces, files beside their names. */
    "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen",
    "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns", "mknod", "mknodat",
    "open_by_handle_at", "name_to_handle_at", "fanotify_init",
    /* Keys, tracing and measuring the kernel. */
    "add_key", "request_key", "keyctl", "bpf", "perf_event_open", "seccomp", "lookup_dcookie",
    /* What only an administrator does. */
    "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "reboot",
    "swapon", "swapoff", "syslog", "acct", "quotactl", "quotactl_fd", "settimeofday",
    "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "iopl", "ioperm",
    "modify_ldt", "nfsservctl", "vhangup"};

/* Denied as if the kernel had never heard of them, so that programs take another way. */
static const char *const tools_unknown[] = {
    "clone3", /* its flags lie in memory, where no filter sees them */
    "io_uring_setup", "io_uring_enter", "io_uring_register", "userfaultfd", "vmsplice"};

/* A program under sanitizers stays one process: what limits its memory does so for one. Threads,
 * which the sanitizers have themselves, share it. */
static const struct filter_call forks_denied[] = {
    {.name = "fork"},
    {.name = "vfork"},
    CALL_IF("clone", BITS(0, CLONE_THREAD, 0)),
};

/* The limits of other processes: those of the init are attn's. */
static const struct filter_call limits_denied[] = {
    CALL_IF("prlimit64", COMPARED(0, SCMP_CMP_NE, 0)),
};

/* Ways to signal other processes, where a user's others can be seen. */
static const char *const signals_denied[] = {"kill", "tkill", "rt_sigqueueinfo",
                                             "rt_tgsigqueueinfo"};
static const struct filter_call signals_denied_if[] = {
    CALL_IF("tgkill", COMPARED(0, SCMP_CMP_NE, OWN_PID)),
    CALL_IF("fcntl", LOW_BITS(1, F_SETOWN)),
    CALL_IF("fcntl", LOW_BITS(1, F_SETOWN_EX)),
    CALL_IF("ioctl", LOW_BITS(1, FIOSETOWN)),
    CALL_IF("ioctl", LOW_BITS(1, SIOCSPGRP)),
};

static const uint64_t namespace_flags[] = {CLONE_NEWUSER,  CLONE_NEWPID, CLONE_NEWNS,
                                           CLONE_NEWNET,   CLONE_NEWIPC, CLONE_NEWUTS,
                                           CLONE_NEWCGROUP};

/* Ways to type into the terminal that attn was started from. */
static const uint64_t terminal_requests[] = {TIOCSTI, 0x541c /* TIOCLINUX */, TIOCSETD, TIOCSCTTY};

/* Names that this machine does not have, or that are newer than libseccomp, are passed over. */
static bool add_call(scmp_filter_ctx context, uint32_t action, const struct filter_call *call)
{
    int number = seccomp_syscall_resolve_name(call->name);
    return number < 0 || seccomp_rule_add_array(context, action, number, call->n_conditions,
                                                call->conditions) == 0;
}

static bool add_calls(scmp_filter_ctx context, uint32_t action, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add_call(context, action, &(struct filter_call){.name = names[i]}))
            return false;
    return true;
}

static bool add_calls_if(scmp_filter_ctx context, uint32_t action, const struct filter_call *calls,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add_call(context, action, &calls[i]))
            return false;
    return true;
}

/* What a program under test may do. */
static bool add_run_rules(scmp_filter_ctx context, bool notifies)
{
    const struct filter_call is_terminal = {.name = "ioctl"}; /* "is this a terminal?" No. */
    return add_calls(context, SCMP_ACT_ALLOW, run_allowed, COUNT_OF(run_allowed)) &&
           add_calls_if(context, SCMP_ACT_ALLOW, run_allowed_if, COUNT_OF(run_allowed_if)) &&
           add_call(context, SCMP_ACT_ERRNO(ENOTTY), &is_terminal) &&
           (!notifies ||
            (add_calls(context, SCMP_ACT_NOTIFY, run_told, COUNT_OF(run_told)) &&
             add_calls_if(context, SCMP_ACT_NOTIFY, run_told_if, COUNT_OF(run_told_if))));
}

/* What compilers and sanitizers may not do. sees_others: the user's other processes are there. */
static bool add_tool_rules(scmp_filter_ctx context, enum box_kind kind, bool sees_others)
{
    const uint32_t deny = SCMP_ACT_ERRNO(EPERM);
    bool ok = add_calls(context, deny, tools_denied, COUNT_OF(tools_denied)) &&
              add_calls(context, SCMP_ACT_ERRNO(ENOSYS), tools_unknown, COUNT_OF(tools_unknown)) &&
              add_calls_if(context, deny, limits_denied, COUNT_OF(limits_denied));
    for (size_t i = 0; ok && i < COUNT_OF(namespace_flags); i++) {
        struct filter_call clone =
            CALL_IF("clone", BITS(0, namespace_flags[i], namespace_flags[i]));
        ok = add_call(context, deny, &clone);
    }
    for (size_t i = 0; ok && i < COUNT_OF(terminal_requests); i++) {
        struct filter_call request = CALL_IF("ioctl", LOW_BITS(1, terminal_requests[i]));
        ok = add_call(context, deny, &request);
    }
    if (kind == BOX_SANITIZER)
        ok = ok && add_calls_if(context, deny, forks_denied, COUNT_OF(forks_denied));
    if (sees_others)
        ok = ok && add_calls(context, deny, signals_denied, COUNT_OF(signals_denied)) &&
             add_calls_if(context, deny, signals_denied_if, COUNT_OF(signals_denied_if));
    return ok;
}

/* Reads the code that libseccomp writes to a descriptor. */
static bool export(scmp_filter_ctx context, struct filter *filter)
{
    int fd = memfd_create("attn-filter", MFD_CLOEXEC);
    struct stat status;
    bool ok = fd >= 0 && seccomp_export_bpf(context, fd) == 0 && fstat(fd, &status) == 0;
    if (ok) {
        filter->n_bytes = (size_t)status.st_size;
        filter->code = malloc(filter->n_bytes);
        ok = filter->code != NULL &&
             pread(fd, filter->code, filter->n_bytes, 0) == (ssize_t)filter->n_bytes;
    }
    if (fd >= 0)
        close(fd);
    return ok;
}

bool filter_make(enum box_kind kind, unsigned layers, bool notifies, struct filter *ret,
                 struct error *reterr)
{
    uint32_t usually = kind == BOX_RUN ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ALLOW;
    struct filter filter = {.notifies = notifies && kind == BOX_RUN};
    bool sees_others = !(layers & LAYER_NAMESPACES);
    scmp_filter_ctx context = seccomp_init(usually);
    bool ok = context != NULL &&
              /* 32-bit code and the x32 numbers. */
              seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
              (kind == BOX_RUN ? add_run_rules(context, filter.notifies)
                               : add_tool_rules(context, kind, sees_others)) &&
              export(context, &filter);
    if (context != NULL)
        seccomp_release(context);
    if (!ok) {
        filter_release(&filter);
        return error_set(reterr, ERR_MEMORY, "the filter of system calls could not be made");
    }
    *ret = filter;
    return true;
}

void filter_release(struct filter *filter)
{
    free(filter->code);
    *filter = (struct filter){.code = NULL};
}

const char *filter_install(struct filter *filter, int *ret_listener)
{
    struct sock_filter *code = filter->code;
    struct sock_fprog program = {.len = (unsigned short)(filter->n_bytes / sizeof *code),
                                 .filter = code};
    for (size_t i = 0; i < filter->n_bytes / sizeof *code; i++)
        if (BPF_CLASS(code[i].code) == BPF_JMP && code[i].k == OWN_PID)
            code[i].k = (uint32_t)getpid();
    unsigned flags = filter->notifies ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener < 0)
        return "the filter of system calls";
    *ret_listener = filter->notifies ? (int)listener : -1;
    return NULL;
}

static void name_call(const struct seccomp_data *data, char *call, size_t capacity)
{
    char *name = seccomp_syscall_resolve_num_arch(data->arch, data->nr);
    if (name != NULL && strcmp(name, "clone") == 0 && !(data->args[0] & CLONE_VM))
        snprintf(call, capacity, "fork"); /* which the C library makes from clone */
    else if (name != NULL)
        snprintf(call, capacity, "%s", name);
    else
        snprintf(call, capacity, "call %d", data->nr);
    free(name);
}

bool filter_listen(int listener, char *call, size_t capacity)
{
    struct pollfd fds = {.fd = listener, .events = POLLIN};
    struct seccomp_notif *request = NULL;
    struct seccomp_notif_resp *response = NULL;
    if (poll(&fds, 1, 0) <= 0 || !(fds.revents & POLLIN))
        return false;
    bool ok = seccomp_notify_alloc(&request, &response) == 0 &&
              seccomp_notify_receive(listener, request) == 0;
    if (ok)
        name_call(&request->data, call, capacity);
    seccomp_notify_free(request, response);
    return ok;
}
