/* The filter of system calls, made by libseccomp: see filter.h. */
#define _GNU_SOURCE
#include "sandbox/filter.h"

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

/* A system call by name, under conditions on its arguments (all must hold). Names that this
 * machine does not have are passed over. */
struct call {
    const char *name;
    unsigned n_conditions;
    struct scmp_arg_cmp conditions[MAX_CONDITIONS];
};

#define CALL(call_name)   \
    {                     \
        .name = call_name \
    }
#define CALL_IF(call_name, ...)                                             \
    {                                                                       \
        .name = call_name, .n_conditions = 1, .conditions = { __VA_ARGS__ } \
    }
#define CALL_IF_BOTH(call_name, ...)                                        \
    {                                                                       \
        .name = call_name, .n_conditions = 2, .conditions = { __VA_ARGS__ } \
    }
#define BITS(argument, mask, value)                                                  \
    {                                                                                \
        .arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value \
    }
#define EQUALS(argument, value)                              \
    {                                                        \
        .arg = argument, .op = SCMP_CMP_EQ, .datum_a = value \
    }

#define DIFFERS(argument, value)                             \
    {                                                        \
        .arg = argument, .op = SCMP_CMP_NE, .datum_a = value \
    }

/* Stands for the process's id until filter_install() knows it; no process has this one, since they
 * end at 2^22. */
enum { OWN_PID = 0x61747469 };

/* The kernel looks at 32 bits of some arguments: so do we. */
#define LOW_BITS(argument, value) BITS(argument, 0xffffffffu, value)

/* All that a static program needs which computes on memory that it was given. Whatever is not
 * here ends it. */
static const struct call run_allowed[] = {
    CALL("read"),
    CALL("write"),
    CALL("writev"),
    CALL("close"),
    CALL("exit"),
    CALL("exit_group"),
    CALL("brk"),
    CALL("munmap"),
    CALL("mremap"),
    CALL("madvise"),
    CALL_IF("mmap", BITS(2, PROT_EXEC, 0)),
    CALL_IF("mmap2", BITS(2, PROT_EXEC, 0)),
    CALL_IF("mprotect", BITS(2, PROT_EXEC, 0)),
    /* The start of the C library. */
    CALL("arch_prctl"),
    CALL("set_tid_address"),
    CALL("set_robust_list"),
    CALL("rseq"),
    CALL("getrandom"),
    CALL("readlink"),
    CALL("readlinkat"),
    CALL_IF("prlimit64", EQUALS(2, 0)), /* to ask, not to change */
    /* printf. */
    CALL("fstat"),
    CALL("newfstatat"),
    /* Signals within the program: a failed assert() must end as SIGABRT. */
    CALL("rt_sigaction"),
    CALL("rt_sigprocmask"),
    CALL("rt_sigreturn"),
    CALL("sigaltstack"),
    CALL("getpid"),
    CALL("gettid"),
    CALL_IF("tgkill", LOW_BITS(0, OWN_PID)),
    /* Waiting and clocks: whoever sleeps runs out of time, which is the right verdict. */
    CALL("futex"),
    CALL("sched_yield"),
    CALL("clock_gettime"),
    CALL("gettimeofday"),
    CALL("nanosleep"),
    CALL("clock_nanosleep"),
    CALL("restart_syscall"),
    /* The program itself. Its descriptor closes as it starts, and it can open no other. */
    CALL_IF_BOTH("execveat", LOW_BITS(0, FILTER_PROGRAM_FD), LOW_BITS(4, AT_EMPTY_PATH)),
};

/* Of all that ends it, what a learner may have written: the listener hears the name. */
static const struct call run_told[] = {
    CALL("open"),
    CALL("openat"),
    CALL("openat2"),
    CALL("creat"),
    CALL("unlink"),
    CALL("unlinkat"),
    CALL("mkdir"),
    CALL("mkdirat"),
    CALL("rename"),
    CALL("renameat2"),
    CALL("memfd_create"),
    CALL("dup"),
    CALL("dup2"),
    CALL("dup3"),
    CALL("pipe"),
    CALL("pipe2"),
    CALL("fcntl"),
    CALL("lseek"),
    CALL("socket"),
    CALL("socketpair"),
    CALL("connect"),
    CALL("clone"),
    CALL("clone3"),
    CALL("fork"),
    CALL("vfork"),
    CALL("execve"),
    CALL("wait4"),
    CALL("kill"),
    CALL("tkill"),
    CALL("ptrace"),
    CALL("prctl"),
    CALL("setrlimit"),
    CALL("alarm"),
    CALL("setitimer"),
    CALL("pause"),
    CALL("setsid"),
    CALL("chdir"),
    CALL("getcwd"),
    CALL("mount"),
    CALL("unshare"),
    CALL("sched_setaffinity"),
    CALL("getppid"),
    CALL("getuid"),
    CALL("shmget"),
    CALL("io_uring_setup"),
};

/* What neither a compiler nor a program under sanitizers needs, and what was, or may become, a way
 * out of a box: other processes, the network, mounts and namespaces, keys, tracing and measuring
 * the kernel, and whatever only a system's administrator does. */
static const struct call tools_denied[] = {
    CALL("socket"),
    CALL("socketpair"),
    CALL("connect"),
    CALL("bind"),
    CALL("listen"),
    CALL("accept"),
    CALL("accept4"),
    CALL("ptrace"),
    CALL("process_vm_readv"),
    CALL("process_vm_writev"),
    CALL("process_madvise"),
    CALL("pidfd_getfd"),
    CALL("pidfd_send_signal"),
    CALL("kcmp"),
    CALL("mount"),
    CALL("umount"),
    CALL("umount2"),
    CALL("pivot_root"),
    CALL("chroot"),
    CALL("open_tree"),
    CALL("move_mount"),
    CALL("fsopen"),
    CALL("fsconfig"),
    CALL("fsmount"),
    CALL("fspick"),
    CALL("mount_setattr"),
    CALL("unshare"),
    CALL("setns"),
    CALL("mknod"),
    CALL("mknodat"),
    CALL("open_by_handle_at"),
    CALL("name_to_handle_at"),
    CALL("add_key"),
    CALL("request_key"),
    CALL("keyctl"),
    CALL("bpf"),
    CALL("perf_event_open"),
    CALL("seccomp"),
    CALL("kexec_load"),
    CALL("kexec_file_load"),
    CALL("init_module"),
    CALL("finit_module"),
    CALL("delete_module"),
    CALL("reboot"),
    CALL("swapon"),
    CALL("swapoff"),
    CALL("syslog"),
    CALL("acct"),
    CALL("quotactl"),
    CALL("quotactl_fd"),
    CALL("settimeofday"),
    CALL("clock_settime"),
    CALL("clock_adjtime"),
    CALL("adjtimex"),
    CALL("sethostname"),
    CALL("setdomainname"),
    CALL("iopl"),
    CALL("ioperm"),
    CALL("modify_ldt"),
    CALL("lookup_dcookie"),
    CALL("nfsservctl"),
    CALL("vhangup"),
    CALL("fanotify_init"),
    CALL("move_pages"),
    CALL("migrate_pages"),
    CALL("mbind"),
    CALL("set_mempolicy"),
    CALL("shmget"),
    CALL("semget"),
    CALL("msgget"),
    CALL("mq_open"),
};

/* Denied as if the kernel had never heard of them, so that programs take another way. */
static const struct call tools_unknown[] = {
    CALL("clone3"), /* its flags lie in memory, where no filter sees them */
    CALL("io_uring_setup"), CALL("io_uring_enter"), CALL("io_uring_register"),
    CALL("userfaultfd"),    CALL("vmsplice"),
};

/* Ways to signal other processes, or to limit them to death, where a user's others can be seen. */
static const struct call signals_denied[] = {
    CALL("kill"),
    CALL("tkill"),
    CALL("rt_sigqueueinfo"),
    CALL("rt_tgsigqueueinfo"),
    CALL_IF("tgkill", DIFFERS(0, OWN_PID)),
    CALL_IF("prlimit64", DIFFERS(0, 0)),
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

static bool add_call(scmp_filter_ctx context, uint32_t action, const struct call *call)
{
    int number = seccomp_syscall_resolve_name(call->name);
    if (number < 0) /* not on this machine, or newer than libseccomp */
        return true;
    return seccomp_rule_add_array(context, action, number, call->n_conditions, call->conditions) ==
           0;
}

static bool add_calls(scmp_filter_ctx context, uint32_t action, const struct call *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!add_call(context, action, &calls[i]))
            return false;
    return true;
}

/* What a program under test may do. */
static bool add_run_rules(scmp_filter_ctx context, bool notifies)
{
    static const struct call ioctl_call = CALL("ioctl"); /* "is this a terminal?" No. */
    return add_calls(context, SCMP_ACT_ALLOW, run_allowed, COUNT_OF(run_allowed)) &&
           add_call(context, SCMP_ACT_ERRNO(ENOTTY), &ioctl_call) &&
           (!notifies || add_calls(context, SCMP_ACT_NOTIFY, run_told, COUNT_OF(run_told)));
}

/* A program under sanitizers stays one process: what limits its memory does so for one. Threads,
 * which the sanitizers have themselves, share it. */
static bool add_sanitizer_rules(scmp_filter_ctx context)
{
    static const struct call forks[] = {CALL("fork"), CALL("vfork")};
    const struct call clone = CALL_IF("clone", BITS(0, CLONE_THREAD, 0));
    return add_calls(context, SCMP_ACT_ERRNO(EPERM), forks, COUNT_OF(forks)) &&
           add_call(context, SCMP_ACT_ERRNO(EPERM), &clone);
}

/* What compilers and sanitizers may not do. */
static bool add_tool_rules(scmp_filter_ctx context)
{
    bool ok = add_calls(context, SCMP_ACT_ERRNO(EPERM), tools_denied, COUNT_OF(tools_denied)) &&
              add_calls(context, SCMP_ACT_ERRNO(ENOSYS), tools_unknown, COUNT_OF(tools_unknown));
    for (size_t i = 0; ok && i < COUNT_OF(namespace_flags); i++) {
        struct call clone = CALL_IF("clone", BITS(0, namespace_flags[i], namespace_flags[i]));
        ok = add_call(context, SCMP_ACT_ERRNO(EPERM), &clone);
    }
    for (size_t i = 0; ok && i < COUNT_OF(terminal_requests); i++) {
        struct call ioctl_call = CALL_IF("ioctl", LOW_BITS(1, terminal_requests[i]));
        ok = add_call(context, SCMP_ACT_ERRNO(EPERM), &ioctl_call);
    }
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
    bool sees_others = kind != BOX_RUN && !(layers & LAYER_NAMESPACES);
    scmp_filter_ctx context = seccomp_init(usually);
    bool ok =
        context != NULL &&
        /* 32-bit code and the x32 numbers. */
        seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
        (kind == BOX_RUN ? add_run_rules(context, filter.notifies) : add_tool_rules(context)) &&
        (kind != BOX_SANITIZER || add_sanitizer_rules(context)) &&
        (!sees_others ||
         add_calls(context, SCMP_ACT_ERRNO(EPERM), signals_denied, COUNT_OF(signals_denied))) &&
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

/* Puts this process's id where the rules stand that compare with it. */
static void put_own_pid(struct filter *filter)
{
    struct sock_filter *code = filter->code;
    for (size_t i = 0; i < filter->n_bytes / sizeof *code; i++)
        if (BPF_CLASS(code[i].code) == BPF_JMP && code[i].k == OWN_PID)
            code[i].k = (uint32_t)getpid();
}

const char *filter_install(struct filter *filter, int *ret_listener)
{
    put_own_pid(filter);
    struct sock_fprog program = {
        .len = (unsigned short)(filter->n_bytes / sizeof(struct sock_filter)),
        .filter = filter->code,
    };
    unsigned flags = filter->notifies ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (listener < 0)
        return "the filter of system calls";
    *ret_listener = filter->notifies ? (int)listener : -1;
    return NULL;
}

/* fork() is made from clone by the C library. */
static bool is_fork(const char *name, const struct seccomp_data *data)
{
    return name != NULL && strcmp(name, "clone") == 0 && !(data->args[0] & CLONE_VM);
}

static void name_call(const struct seccomp_data *data, char *call, size_t capacity)
{
    char *name = seccomp_syscall_resolve_num_arch(data->arch, data->nr);
    if (is_fork(name, data))
        snprintf(call, capacity, "fork");
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
