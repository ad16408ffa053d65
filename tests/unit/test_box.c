/* grader/box.h: every wall alone (denied with it, allowed without it), limits met exactly, ends
 * told rightly, and nothing left behind. As whoever runs this; and as an ordinary user too where
 * that is root. The programs in the boxes are those of box_deeds.c. */
#define _GNU_SOURCE
#include "testing.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/box.h"
#include "grader/box_verdict.h"
#include "grader/filter.h"

enum { SOMEBODY = 4321, PROGRAM_BYTES = 8 << 20, PATIENCE_MS = 5000 };

static const struct limits *const limits = &limits_default;

/* What all tests share: found once, only read after that. */
static unsigned available;
static int deeds_fd = -1;
static char *deeds_bytes;
static size_t deeds_size;

/* ---- running a box ---- */

/* A deed of box_deeds.c, and what came of it. */
struct deed {
    struct box_plan plan;
    char words[3][64];
    char *argv[4];
    char said[8192]; /* the first line, without its end */
    struct box_end end;
};

static void deed_init(struct deed *deed, enum box_kind kind, unsigned layers, const char *name,
                      const char *argument)
{
    *deed = (struct deed){.plan = {.kind = kind,
                                   .layers = layers,
                                   .limits = kind == BOX_RUN ? limits->run : limits->advice,
                                   .program_fd = deeds_fd,
                                   .path = "/w/deeds",
                                   .fds = {-1},
                                   .n_fds = 3}};
    deed->plan.argv = deed->argv;
    for (unsigned i = 0; i < 3; i++)
        deed->argv[i] = deed->words[i];
    snprintf(deed->words[0], sizeof deed->words[0], "deeds");
    snprintf(deed->words[1], sizeof deed->words[1], "%s", name);
    if (argument != NULL)
        snprintf(deed->words[2], sizeof deed->words[2], "%s", argument);
    if (kind != BOX_RUN)
        deed->plan.in[deed->plan.n_in++] =
            (struct box_file){.name = "deeds", .bytes = deeds_bytes, .size = deeds_size};
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take_output(int fd, struct deed *deed)
{
    size_t size = strlen(deed->said);
    struct pollfd output = {.fd = fd, .events = POLLIN};
    if (poll(&output, 1, 0) != 1 || size + 1 == sizeof deed->said)
        return;
    ssize_t n = read(fd, deed->said + size, sizeof deed->said - 1 - size);
    if (n > 0)
        deed->said[size + (size_t)n] = '\0';
}

/* Until it ends; after its wall time it is killed. */
static void watch(struct box *box, struct deed *deed, int output)
{
    int64_t ends_ms = now_ms() + deed->plan.limits.wall_ms;
    while (!box_ended(box)) {
        struct pollfd fds[] = {{.fd = box_notify_fd(box), .events = POLLIN},
                               {.fd = box_pidfd(box), .events = POLLIN}};
        if (now_ms() >= ends_ms) {
            box_kill(box);
            return;
        }
        poll(fds, 2, 20);
        if (fds[0].revents & POLLIN)
            box_forbidden(box);
        take_output(output, deed);
    }
}

/* Runs it; what it said. */
static const char *run(struct deed *deed)
{
    struct box *box;
    struct error error;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    deed->plan.fds[1] = deed->plan.fds[2] = ends[1];
    if (!box_start(&deed->plan, &box, &error))
        fail_msg("%s", error.text);
    close(ends[1]);
    watch(box, deed, ends[0]);
    box_collect(box, &deed->end);
    take_output(ends[0], deed);
    close(ends[0]);
    return deed->said;
}

/* The verdict on how it ended, with its detail. */
static const char *verdict_of(const struct deed *deed, char text[128])
{
    char detail[96];
    enum verdict verdict = box_verdict(&deed->end, &deed->plan.limits, detail, sizeof detail);
    snprintf(text, 128, "%s%s%s", verdict_name(verdict), detail[0] != '\0' ? " " : "", detail);
    return text;
}

static void compare(const char *file, int line, const struct deed *deed, const char *got,
                    const char *wanted)
{
    char verdict[128];
    if (strncmp(got, wanted, strlen(wanted)) == 0)
        return;
    print_error("%s %s in box %d behind %#x: \"%s\", not \"%s\"; it said \"%s\", %s\n",
                deed->words[1], deed->words[2], (int)deed->plan.kind, deed->plan.layers, got,
                wanted, deed->said, verdict_of(deed, verdict));
    _fail(file, line);
}

/* The deed, behind these layers, says a line that begins like this. */
#define assert_deed_says(kind, layers, name, argument, wanted) \
    deed_says(__FILE__, __LINE__, kind, layers, name, argument, wanted)

static void deed_says(const char *file, int line, enum box_kind kind, unsigned layers,
                      const char *name, const char *argument, const char *wanted)
{
    struct deed deed;
    deed_init(&deed, kind, layers, name, argument);
    run(&deed);
    deed.said[strcspn(deed.said, "\n")] = '\0';
    compare(file, line, &deed, deed.said, wanted);
}

/* The deed, behind these layers, comes to an end that is judged like this. */
#define assert_deed_ends(kind, layers, name, argument, wanted) \
    deed_ends(__FILE__, __LINE__, kind, layers, name, argument, wanted)

static void deed_ends(const char *file, int line, enum box_kind kind, unsigned layers,
                      const char *name, const char *argument, const char *wanted)
{
    struct deed deed;
    char verdict[128];
    deed_init(&deed, kind, layers, name, argument);
    run(&deed);
    compare(file, line, &deed, verdict_of(&deed, verdict), wanted);
}

/* Skips the test on machines that lack one of these. */
static void needs(unsigned layers)
{
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1)
        if ((layers & bit) && !(available & bit)) {
            print_message("skipped: this machine has no %s\n", layer_name((enum layer)bit));
            skip();
        }
}

/* All walls that there are, but these. */
static unsigned all_but(unsigned layers)
{
    return available & ~layers;
}

static bool was_root(void)
{
    return geteuid() == 0;
}

/* ---- each wall alone ---- */

static void test_box__a_root_of_its_own_hides_all_files(void **state)
{
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT);
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/etc/passwd", "ENOENT");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/proc/self/mem", "ENOENT");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "open", "/", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_ROOT, "make", "/new", "EROFS");
}

static void test_box__landlock_denies_all_files(void **state)
{
    (void)state;
    needs(LAYER_LANDLOCK);
    assert_deed_says(BOX_RUN, 0, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_RUN, LAYER_LANDLOCK, "open", "/etc/passwd", "EACCES");
    assert_deed_says(BOX_RUN, LAYER_LANDLOCK, "open", "/", "EACCES");
}

static void test_box__tools_see_the_system_and_no_more(void **state)
{
    const unsigned root = LAYER_NAMESPACES | LAYER_ROOT;
    (void)state;
    needs(root | LAYER_LANDLOCK);
    assert_deed_says(BOX_ADVICE, 0, "open", "/etc/passwd", "ok");
    assert_deed_says(BOX_ADVICE, root, "open", "/etc/passwd", "ENOENT");
    assert_deed_says(BOX_ADVICE, LAYER_LANDLOCK, "open", "/etc/passwd", "EACCES");
    assert_deed_says(BOX_ADVICE, available, "open", "/usr/bin", "ok");
    assert_deed_says(BOX_ADVICE, available, "open", "/proc/self/maps", "ok");
    assert_deed_says(BOX_ADVICE, root, "open", "/proc/1/mem", "EACCES");
    assert_deed_says(BOX_ADVICE, root, "make", "/usr/bin/new", "EROFS");
    assert_deed_says(BOX_ADVICE, root, "make", "/new", "EROFS");
    assert_deed_says(BOX_ADVICE, available, "make", "new", "ok");
    assert_deed_says(BOX_ADVICE, available, "write", NULL, "EBADF");
}

static void test_box__namespaces_hide_other_processes(void **state)
{
    char keeper[24];
    (void)state;
    needs(LAYER_NAMESPACES);
    snprintf(keeper, sizeof keeper, "%d", (int)getpid());
    assert_deed_says(BOX_RUN, 0, "kill", keeper, "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "kill", keeper, "ESRCH");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "identity", NULL,
                     "pid 2 parent 1 uid 65534 gid 65534 root 0");
}

static void test_box__namespaces_have_no_network(void **state)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    char port[24];
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)state;
    needs(LAYER_NAMESPACES);
    assert_int_equal(bind(server, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server, 8), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&address, &size), 0);
    snprintf(port, sizeof port, "%u", ntohs(address.sin_port));
    assert_deed_says(BOX_RUN, 0, "connect", port, "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "connect", port, "ENETUNREACH");
    assert_deed_says(BOX_ADVICE, LAYER_SECCOMP, "connect", port, "EPERM");
    close(server);
}

static void test_box__root_becomes_an_ordinary_user(void **state)
{
    (void)state;
    if (!was_root()) {
        print_message("skipped: not started as root\n");
        skip();
    }
    assert_deed_says(BOX_RUN, 0, "open", "/etc/shadow", "ok");
    assert_deed_says(BOX_RUN, LAYER_UID, "open", "/etc/shadow", "EACCES");
    needs(LAYER_NAMESPACES);
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES, "open", "/etc/shadow", "ok");
    assert_deed_says(BOX_RUN, LAYER_NAMESPACES | LAYER_UID, "open", "/etc/shadow", "EACCES");
}

static void test_box__no_program_has_privileges(void **state)
{
    (void)state;
    /* 2: it can't get new ones; 1 more: some are left that a program with rights could take. */
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "capabilities", NULL, "2");
    assert_deed_says(BOX_ADVICE, available, "capabilities", NULL, "2");
    if (was_root())
        assert_deed_says(BOX_RUN, 0, "capabilities", NULL, "2");
}

/* ---- the filter of system calls ---- */

/* Each is carried out where there is no filter, and says so by an error of its own. */
static const struct {
    const char *name;
    long number;
} denied_calls[] = {
    {"openat", SYS_openat},
    {"openat2", SYS_openat2},
    {"socket", SYS_socket},
    {"connect", SYS_connect},
    {"kill", SYS_kill},
    {"tkill", SYS_tkill},
    {"ptrace", SYS_ptrace},
    {"execve", SYS_execve},
    {"clone3", SYS_clone3},
    {"prctl", SYS_prctl},
    {"dup", SYS_dup},
    {"dup3", SYS_dup3},
    {"pipe2", SYS_pipe2},
    {"fcntl", SYS_fcntl},
    {"memfd_create", SYS_memfd_create},
    {"mkdirat", SYS_mkdirat},
    {"unlinkat", SYS_unlinkat},
    {"mount", SYS_mount},
    {"unshare", SYS_unshare},
    {"chdir", SYS_chdir},
    {"wait4", SYS_wait4},
    {"setitimer", SYS_setitimer},
    {"shmget", SYS_shmget},
    {"io_uring_setup", SYS_io_uring_setup},
    /* These end it without a name. */
    {"", SYS_ioctl + 100000},
    {"", SYS_bpf},
    {"", SYS_keyctl},
    {"", SYS_userfaultfd},
    {"", SYS_perf_event_open},
    {"", SYS_process_vm_writev},
    {"", SYS_pidfd_open},
    {"", SYS_seccomp},
    {"", SYS_execveat},
    {"", SYS_mmap},
    {"", SYS_prlimit64},
    {"", SYS_ftruncate},
    {"", SYS_sched_getaffinity},
    {"", SYS_setns},
    {"", SYS_pivot_root},
    {"", SYS_sendmsg},
    {"", SYS_landlock_create_ruleset},
};

static void test_box__forbidden_calls_end_a_run(void **state)
{
    (void)state;
    needs(LAYER_SECCOMP);
    for (size_t i = 0; i < sizeof denied_calls / sizeof *denied_calls; i++) {
        char number[24], wanted[64];
        snprintf(number, sizeof number, "%ld", denied_calls[i].number);
        snprintf(wanted, sizeof wanted, "forbidden_syscall %s", denied_calls[i].name);
        if (denied_calls[i].name[0] == '\0')
            wanted[strlen("forbidden_syscall")] = '\0';
        assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "call", number, "E");
        assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "call", number, wanted);
    }
    assert_deed_ends(BOX_RUN, available, "fork", NULL, "forbidden_syscall fork");
    assert_deed_ends(BOX_RUN, available, "connect", "80", "forbidden_syscall socket");
}

static void test_box__other_ways_to_call_end_a_run(void **state)
{
    (void)state;
    needs(LAYER_SECCOMP);
#ifdef __x86_64__
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "x32", NULL, "ENOSYS");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "x32", NULL, "forbidden_syscall");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "int80", NULL, "forbidden_syscall");
    assert_deed_ends(BOX_ADVICE, LAYER_SECCOMP, "x32", NULL, "forbidden_syscall");
#endif
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP), "executable", NULL, "ok");
    assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "executable", NULL, "forbidden_syscall");
}

static void test_box__tools_go_on_after_a_denied_call(void **state)
{
    static const struct {
        long number;
        const char *error;
    } calls[] = {
        {SYS_socket, "EPERM"},
        {SYS_ptrace, "EPERM"},
        {SYS_mount, "EPERM"},
        {SYS_keyctl, "EPERM"},
        {SYS_bpf, "EPERM"},
        {SYS_perf_event_open, "EPERM"},
        {SYS_process_vm_readv, "EPERM"},
        {SYS_kexec_load, "EPERM"},
        {SYS_init_module, "EPERM"},
        {SYS_unshare, "EPERM"},
        {SYS_setns, "EPERM"},
        {SYS_clone, "EPERM"},
        {SYS_clone3, "ENOSYS"},
        {SYS_io_uring_setup, "ENOSYS"},
        {SYS_userfaultfd, "ENOSYS"},
        {SYS_pidfd_getfd, "EPERM"},
        {SYS_open_tree, "EPERM"},
        {SYS_add_key, "EPERM"},
    };
    (void)state;
    needs(LAYER_SECCOMP);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char number[24];
        snprintf(number, sizeof number, "%ld", calls[i].number);
        assert_deed_says(BOX_ADVICE, LAYER_SECCOMP, "call", number, calls[i].error);
    }
    assert_deed_says(BOX_ADVICE, LAYER_SECCOMP, "tiocsti", NULL, "EPERM");
    assert_deed_says(BOX_ADVICE, 0, "tiocsti", NULL, "ENOTTY");
    assert_deed_says(BOX_ADVICE, available & LAYER_LANDLOCK, "unshare", NULL, "ok");
    assert_deed_says(BOX_ADVICE, LAYER_SECCOMP, "unshare", NULL, "EPERM");
}

/* Some sandboxes listen to calls themselves, and only one can. */
static void test_box__without_a_listener_calls_stay_forbidden(void **state)
{
    struct filter filter;
    struct error error;
    int listener, status;
    (void)state;
    needs(LAYER_SECCOMP);
    assert_true(filter_make(BOX_RUN, true, &filter, &error));
    pid_t pid = fork();
    if (pid == 0) {
        /* Its only rule, after an own listener was taken: everything is allowed. */
        struct {
            unsigned short code;
            unsigned char jt, jf;
            unsigned k;
        } allow = {0x06, 0, 0, 0x7fff0000u};
        struct filter open_one = {.code = &allow, .n_bytes = sizeof allow, .notifies = true};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (filter_install(&open_one, &listener) != NULL)
            _exit(2);
        assert_deed_ends(BOX_RUN, LAYER_SECCOMP, "connect", "80", "forbidden_syscall");
        assert_deed_says(BOX_RUN, LAYER_SECCOMP, "input", NULL, "0");
        _exit(0);
    }
    filter_release(&filter);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* ---- limits ---- */

static void test_box__limits_are_what_was_asked_for(void **state)
{
    struct deed deed;
    struct rlimit core;
    (void)state;
    getrlimit(RLIMIT_CORE, &core);
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "limits", NULL);
    deed.plan.limits.data_bytes = 12 << 20;
    run(&deed);
    assert_string_equal(deed.said, "as 536870912..536870912\n"
                                   "data 12582912..12582912\n"
                                   "stack 8388608..8388608\n"
                                   "fsize 0..0\n"
                                   "nofile 16..16\n"
                                   "nproc 2..2\n"
                                   "cpu 5..6\n"
                                   "core 0..0\n"
                                   "memlock 0..0\n"
                                   "msgqueue 0..0\n"
                                   "rtprio 0..0\n"
                                   "nice 0..0\n");
    deed_init(&deed, BOX_RUN, 0, "limits", NULL);
    run(&deed);
    assert_null(strstr(deed.said, "fsize 0.."));
}

static void test_box__descriptors_are_limited_exactly(void **state)
{
    (void)state;
    assert_deed_says(BOX_RUN, LAYER_RLIMITS, "dup", NULL, "16");
    assert_deed_says(BOX_RUN, 0, "dup", NULL, "1001");
}

/* The init and the program are two of them. */
static void test_box__processes_are_limited_exactly(void **state)
{
    struct deed deed;
    (void)state;
    needs(LAYER_NAMESPACES);
    for (unsigned n = 3; n < 40; n += 18) {
        deed_init(&deed, BOX_ADVICE, LAYER_NAMESPACES | LAYER_RLIMITS | (available & LAYER_UID),
                  "fork", NULL);
        deed.plan.limits.processes = n;
        assert_int_equal(atoi(run(&deed)), n - 2);
    }
    assert_deed_says(BOX_ADVICE, LAYER_NAMESPACES, "fork", NULL, "100");
}

/* Where a user has other processes too, a tool gets some, but not any number. */
static void test_box__processes_are_limited_without_namespaces(void **state)
{
    struct deed deed;
    (void)state;
    deed_init(&deed, BOX_ADVICE, LAYER_RLIMITS | LAYER_UID, "fork", NULL);
    deed.plan.limits.processes = 20;
    int n = atoi(run(&deed));
    assert_in_range(n, 1, 60);
}

static void test_box__address_space_is_limited(void **state)
{
    struct deed deed;
    (void)state;
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "map", NULL);
    deed.plan.limits.address_space_bytes = 100 << 20;
    assert_in_range(atoi(run(&deed)), 95, 99);
    assert_deed_says(BOX_RUN, all_but(LAYER_SECCOMP | LAYER_RLIMITS), "map", NULL, "4096");
}

/* What is shared with the keeper does not count. */
static void test_box__data_is_limited(void **state)
{
    struct deed deed;
    int fd = memfd_create("shared", MFD_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_RUN, available, "allocate", NULL);
    deed.plan.limits.data_bytes = 1 << 20;
    /* A block of 1000 bytes takes 1008, and a part is the program's own. */
    assert_in_range(atoi(run(&deed)), 700, 1040);
    assert_int_equal(ftruncate(fd, 32 << 20), 0);
    deed_init(&deed, BOX_RUN, available, "share", "0x2000000");
    deed.plan.limits.data_bytes = 1 << 20;
    deed.plan.fds[deed.plan.n_fds++] = fd;
    run(&deed);
    compare(__FILE__, __LINE__, &deed, deed.said, "ok");
    close(fd);
}

static void test_box__stack_is_limited(void **state)
{
    (void)state;
    assert_deed_says(BOX_RUN, available, "stack", "6000", "ok");
    assert_deed_ends(BOX_RUN, available, "stack", "9000", "crash SIGSEGV");
}

static void test_box__files_are_limited_exactly(void **state)
{
    struct deed deed;
    int fd = memfd_create("given", MFD_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_ADVICE, available, "fill", NULL);
    deed.plan.limits.file_bytes = 4321;
    assert_int_equal(atoi(run(&deed)), 4321);
    deed_init(&deed, BOX_RUN, available, "write", NULL);
    deed.plan.fds[deed.plan.n_fds++] = fd;
    run(&deed);
    char verdict[128];
    assert_string_equal(verdict_of(&deed, verdict), "output_limit");
    deed_init(&deed, BOX_RUN, all_but(LAYER_RLIMITS), "write", NULL);
    deed.plan.fds[deed.plan.n_fds++] = fd;
    assert_string_equal(run(&deed), "ok\n");
    close(fd);
}

static void test_box__cpu_time_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    deed_init(&deed, BOX_RUN, available, "spin", NULL);
    deed.plan.limits.cpu_s = 1;
    run(&deed);
    assert_string_equal(verdict_of(&deed, verdict), "time_limit cpu");
    assert_in_range(deed.end.cpu_us, 500000, 2200000); /* its clock and the limit's differ */
}

static void test_box__time_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    const unsigned variants[] = {available, all_but(LAYER_NAMESPACES | LAYER_ROOT), 0};
    const char *const numbers[] = {"", "19"}; /* to spin, or to stop itself */
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        deed_init(&deed, BOX_RUN, variants[i % 3], i < 3 ? "spin" : "raise", numbers[i / 3]);
        deed.plan.limits.wall_ms = 60;
        int64_t began_ms = now_ms();
        run(&deed);
        compare(__FILE__, __LINE__, &deed, verdict_of(&deed, verdict), "time_limit wall");
        assert_in_range(now_ms() - began_ms, 60, 2000);
    }
}

static void test_box__memory_is_limited(void **state)
{
    struct deed deed;
    char verdict[128];
    (void)state;
    deed_init(&deed, BOX_RUN, available, "memory", "400");
    deed.plan.limits.address_space_bytes = 200 << 20;
    run(&deed);
    assert_string_equal(verdict_of(&deed, verdict), "memory_limit");
    assert_in_range(deed.end.max_rss_bytes, 160 << 20, 200 << 20);
    assert_deed_says(BOX_RUN, available, "memory", "100", "ok");
}

/* ---- how a program finds itself ---- */

static void test_box__a_program_starts_afresh(void **state)
{
    struct deed deed;
    struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
    sigset_t terminated, mask;
    mode_t old = umask(0);
    (void)state;
    sigaction(SIGPIPE, &ignored, &before);
    sigemptyset(&terminated);
    sigaddset(&terminated, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminated, &mask);
    deed_init(&deed, BOX_RUN, all_but(LAYER_SECCOMP), "state", NULL);
    run(&deed);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGPIPE, &before, NULL);
    umask(old);
    assert_string_equal(deed.said, "umask 77, folder /, SIGPIPE default, SIGTERM open\n");
    setenv("SECRET", "seed", 1);
    assert_deed_says(BOX_RUN, available, "environment", NULL, "0");
    assert_deed_says(BOX_RUN, available, "input", NULL, "0");
    assert_deed_says(BOX_ADVICE, available, "state", NULL, "umask 77, folder /");
}

static void test_box__a_program_has_its_descriptors_only(void **state)
{
    struct deed deed;
    const unsigned variants[] = {all_but(LAYER_SECCOMP), LAYER_RLIMITS, 0};
    int kept[40], own = open("/dev/null", O_RDWR);
    (void)state;
    for (size_t i = 0; i < 40; i++) /* not close-on-exec */
        kept[i] = dup(own);
    for (size_t i = 0; i < 3; i++) {
        deed_init(&deed, BOX_RUN, variants[i], "fds", NULL);
        deed.plan.fds[3] = kept[7];
        deed.plan.fds[4] = -1;
        deed.plan.fds[5] = kept[3];
        deed.plan.n_fds = 6;
        run(&deed);
        compare(__FILE__, __LINE__, &deed, deed.said, "0 1 2 3 4 5 ");
        assert_int_equal(strlen(deed.said), 12);
    }
    for (size_t i = 0; i < 40; i++)
        close(kept[i]);
    close(own);
}

/* The keeper's own descriptors may have any numbers, those of a program's among them. */
static void test_box__works_where_low_descriptors_are_free(void **state)
{
    int status;
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        struct deed deed;
        deed_init(&deed, BOX_RUN, available, "exit", "5");
        run(&deed);
        _exit(deed.end.how == BOX_EXITED && deed.end.code == 5 ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* ---- ends ---- */

static void test_box__ends_are_told_apart(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_NAMESPACES | LAYER_ROOT), 0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_deed_ends(BOX_RUN, variants[i], "exit", "0", "exited_early exit code 0");
        assert_deed_ends(BOX_RUN, variants[i], "exit", "127", "exited_early exit code 127");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "6", "crash SIGABRT");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "10", "crash SIGUSR1");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "9", "crash SIGKILL");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "15", "crash SIGTERM");
        assert_deed_ends(BOX_RUN, variants[i], "raise", "40", "crash signal 40");
    }
}

static void test_box__failures_are_ours(void **state)
{
    struct deed deed;
    char verdict[128];
    int text = memfd_create("text", MFD_CLOEXEC);
    (void)state;
    assert_int_equal(write(text, "no program\n", 11), 11);
    deed_init(&deed, BOX_RUN, available, "exit", "0");
    deed.plan.program_fd = text;
    run(&deed);
    compare(__FILE__, __LINE__, &deed, verdict_of(&deed, verdict), "internal_error the program: ");
    deed_init(&deed, BOX_COMPILE, available, "exit", "0");
    deed.plan.path = "/usr/bin/there-is-no-such-compiler";
    run(&deed);
    compare(__FILE__, __LINE__, &deed, verdict_of(&deed, verdict),
            "internal_error the program: No such file");
    close(text);
}

static void test_box__plans_that_make_no_sense_are_refused(void **state)
{
    struct deed deed;
    struct box *box;
    struct error error;
    (void)state;
    deed_init(&deed, BOX_RUN, available, "exit", "0");
    deed.plan.n_fds = 2;
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_RANGE);
    deed_init(&deed, BOX_ADVICE, available, "exit", "0");
    deed.plan.in[0].name = "../deeds";
    assert_error(box_start(&deed.plan, &box, &error), error, ERR_RANGE);
}

/* ---- files in and out ---- */

static int fetch(unsigned layers, const char *what, size_t max_size)
{
    struct deed deed;
    struct box_file out[2] = {{.name = "nothing", .max_size = 100, .fd = 77},
                              {.name = "out", .max_size = max_size, .fd = 77}};
    deed_init(&deed, BOX_ADVICE, layers, "out", what);
    deed.plan.out = out;
    deed.plan.n_out = 2;
    run(&deed);
    compare(__FILE__, __LINE__, &deed, deed.said, "ok");
    assert_int_equal(out[0].fd, -1);
    return out[1].fd;
}

static void test_box__files_come_out(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_ROOT), all_but(LAYER_NAMESPACES), 0};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        char bytes[8] = "";
        int fd = fetch(variants[i], "6", 6);
        assert_true(fd >= 0);
        assert_int_equal(read(fd, bytes, sizeof bytes), 6);
        assert_string_equal(bytes, "oooooo");
        assert_int_equal(write(fd, "x", 1), -1);
        close(fd);
        assert_int_equal(fetch(variants[i], "7", 6), -1);
        /* What the other walls would not let it make. */
        unsigned bare = variants[i] & ~(unsigned)(LAYER_LANDLOCK | LAYER_SECCOMP);
        assert_int_equal(fetch(bare, "folder", 6), -1);
        assert_int_equal(fetch(bare, "link", 5000), -1);
        assert_int_equal(fetch(bare, "pipe", 6), -1);
    }
}

static void test_box__files_go_in(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_ROOT), 0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct deed deed;
        deed_init(&deed, BOX_ADVICE, variants[i], "show", "note");
        deed.plan.in[deed.plan.n_in++] =
            (struct box_file){.name = "note", .bytes = "ab\n", .size = 3};
        assert_string_equal(run(&deed), "ab\n");
    }
}

/* ---- a compiler ---- */

/* Compiles text; what the compiler said, with the end in *ret_ok. */
static const char *compile(unsigned layers, const char *path, const char *text, struct deed *deed,
                           int *ret_fd)
{
    struct box_file out = {.name = "it.o", .max_size = PROGRAM_BYTES, .fd = -1};
    deed_init(deed, BOX_COMPILE, layers, "", NULL);
    snprintf(deed->words[0], sizeof deed->words[0], "%s", path);
    deed->plan.limits = limits->compile;
    deed->plan.path = path;
    deed->plan.argv = (char *[]){deed->words[0], "-c", "-o", "it.o", "it.c", NULL};
    deed->plan.in[0] = (struct box_file){.name = "it.c", .bytes = text, .size = strlen(text)};
    deed->plan.out = &out;
    deed->plan.n_out = 1;
    run(deed);
    *ret_fd = out.fd;
    if (ret_fd != NULL && out.fd >= 0)
        close(out.fd);
    return deed->said;
}

static bool compiles(unsigned layers, const char *path, const char *text)
{
    struct deed deed;
    int fd;
    compile(layers, path, text, &deed, &fd);
    if (deed.end.how == BOX_FAILED)
        fail_msg("%s", deed.end.failure);
    return fd >= 0;
}

static void test_box__compilers_work(void **state)
{
    const char *const paths[] = {"/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang", "/usr/bin/tcc"};
    const char *const right = "#include <math.h>\n#include <stdio.h>\nint x = 1;\n";
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        if (access(paths[i], X_OK) != 0)
            continue;
        n++;
        assert_true(compiles(available, paths[i], right));
        assert_true(compiles(0, paths[i], right));
        assert_false(compiles(available, paths[i], "int x = ;\n"));
    }
    assert_true(n > 0);
}

/* The compiler answers where it sees the file; each wall alone hides it. */
static void test_box__compilers_read_no_files_of_others(void **state)
{
    char secret[] = "/tmp/attn-test-XXXXXX", text[200];
    const char *const forms[] = {"#include \"%s\"\n", "__asm__(\".incbin \\\"%s\\\"\");\n",
                                 "#if !__has_include(\"%s\")\n#error no\n#endif\n"};
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT | LAYER_LANDLOCK);
    int fd = mkstemp(secret);
    assert_int_equal(fchmod(fd, 0644), 0);
    assert_int_equal(write(fd, "int secret;\n", 12), 12);
    close(fd);
    for (size_t i = 0; i < 3; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, forms[i], secret);
#pragma GCC diagnostic pop
        assert_true(compiles(all_but(LAYER_ROOT | LAYER_LANDLOCK), "/usr/bin/cc", text));
        assert_false(compiles(all_but(LAYER_LANDLOCK), "/usr/bin/cc", text));
        if (i < 2) /* whether there is a file is no secret to Landlock */
            assert_false(compiles(all_but(LAYER_ROOT), "/usr/bin/cc", text));
    }
    unlink(secret);
    assert_false(compiles(available, "/usr/bin/cc", "#include \"/dev/zero\"\n"));
    assert_false(compiles(available, "/usr/bin/cc", "#include \"/proc/self/environ\"\n"));
}

/* A compiler that somebody keeps in a folder of their own is shown, and not what lies beside it. */
static void test_box__a_compiler_can_lie_anywhere(void **state)
{
    char folder[] = "/tmp/attn-test-XXXXXX", path[64], other[64], text[128];
    (void)state;
    needs(LAYER_NAMESPACES | LAYER_ROOT);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0755), 0);
    snprintf(path, sizeof path, "%s/cc", folder);
    snprintf(other, sizeof other, "%s/other.h", folder);
    for (size_t i = 0; i < 2; i++) {
        const char *bytes = i == 0 ? "#!/bin/sh\nexec /usr/bin/cc \"$@\"\n" : "int other;\n";
        int fd = open(i == 0 ? path : other, O_WRONLY | O_CREAT, 0755);
        assert_int_equal(write(fd, bytes, strlen(bytes)), strlen(bytes));
        close(fd);
    }
    snprintf(text, sizeof text, "#include \"%s\"\n", other);
    assert_true(compiles(available, path, "int x;\n"));
    assert_false(compiles(available, path, text));
    assert_true(compiles(0, path, text));
    unlink(path);
    unlink(other);
    rmdir(folder);
}

/* ---- nothing stays ---- */

/* Whether everybody has closed the other end of a pipe, soon. */
static bool is_closed_soon(int fd)
{
    struct pollfd far = {.fd = fd, .events = POLLIN};
    char byte;
    return poll(&far, 1, PATIENCE_MS) == 1 && read(fd, &byte, 1) == 0;
}

/* Processes that a program leaves behind end with its box: descriptor 3 is a pipe that they hold
 * open, and shows it. */
static void test_box__no_process_stays(void **state)
{
    const unsigned variants[] = {all_but(LAYER_SECCOMP | LAYER_RLIMITS),
                                 all_but(LAYER_SECCOMP | LAYER_RLIMITS | LAYER_NAMESPACES),
                                 LAYER_LANDLOCK & available, 0};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        struct deed deed;
        int ends[2];
        char verdict[128];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        deed_init(&deed, BOX_RUN, variants[i / 2], i % 2 == 0 ? "daemon" : "stay", NULL);
        deed.plan.fds[deed.plan.n_fds++] = ends[1];
        deed.plan.limits.wall_ms = 200;
        run(&deed);
        compare(__FILE__, __LINE__, &deed, verdict_of(&deed, verdict),
                i % 2 == 0 ? "exited_early exit code 0" : "time_limit wall");
        close(ends[1]);
        assert_true(is_closed_soon(ends[0]));
        close(ends[0]);
    }
}

/* Whatever becomes of the keeper. */
static void test_box__a_killed_keeper_leaves_nothing(void **state)
{
    const unsigned variants[] = {available, all_but(LAYER_SECCOMP | LAYER_RLIMITS),
                                 all_but(LAYER_SECCOMP | LAYER_RLIMITS | LAYER_NAMESPACES)};
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        pid_t keeper = fork();
        if (keeper == 0) {
            struct deed deed;
            struct box *box;
            deed_init(&deed, BOX_RUN, variants[i % 3], i % 3 == 0 ? "spin" : "stay", NULL);
            deed.plan.fds[1] = deed.plan.fds[2] = deed.plan.fds[3] = ends[1];
            deed.plan.n_fds = 4;
            if (box_start(&deed.plan, &box, NULL))
                pause();
            _exit(1);
        }
        close(ends[1]);
        /* From the very first moment to when it has long been running. */
        nanosleep(&(struct timespec){.tv_nsec = (long)(i / 3) * (long)(i / 3) * 4000000}, NULL);
        kill(keeper, SIGKILL);
        assert_int_equal(waitpid(keeper, NULL, 0), keeper);
        assert_true(is_closed_soon(ends[0]));
        close(ends[0]);
    }
}

static size_t count_entries(const char *path, const char *prefix)
{
    size_t n = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    closedir(folder);
    return n;
}

static void test_box__many_boxes_leave_nothing(void **state)
{
    const char *const names[] = {"exit", "raise", "fork", "open", "out"};
    char folder[] = "/tmp/attn-test-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chmod(folder, 0755), 0);
    setenv("TMPDIR", folder, 1);
    size_t fds = count_entries("/proc/self/fd", "");
    for (unsigned i = 0; i < 200; i++) {
        struct deed deed;
        bool runs = i % 5 != 4;
        struct box_file out = {.name = "out", .max_size = 100, .fd = -1};
        deed_init(&deed, runs ? BOX_RUN : BOX_ADVICE, i % 4 == 0 ? 0 : available, names[i % 5],
                  "6");
        if (!runs) {
            deed.plan.out = &out;
            deed.plan.n_out = 1;
        }
        run(&deed);
        if (deed.end.how == BOX_FAILED)
            fail_msg("%s", deed.end.failure);
        if (out.fd >= 0)
            close(out.fd);
    }
    assert_int_equal(count_entries("/proc/self/fd", ""), fds);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    unsetenv("TMPDIR");
    assert_int_equal(rmdir(folder), 0); /* it is empty */
}

static void test_box__many_at_once(void **state)
{
    enum { N = 12 };
    struct deed deeds[N];
    struct box *boxes[N];
    struct box_end end;
    struct error error;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)state;
    for (int i = 0; i < N; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", i);
        deed_init(&deeds[i], BOX_RUN, available, i % 3 == 0 ? "spin" : "exit", code);
        deeds[i].plan.fds[1] = deeds[i].plan.fds[2] = nowhere;
        if (!box_start(&deeds[i].plan, &boxes[i], &error))
            fail_msg("%s", error.text);
    }
    for (int i = N - 1; i >= 0; i--) {
        if (i % 3 == 0)
            box_kill(boxes[i]);
        box_collect(boxes[i], &end);
        assert_int_equal(end.how, i % 3 == 0 ? BOX_KILLED : BOX_EXITED);
        assert_int_equal(end.code, i % 3 == 0 ? 0 : i);
    }
    close(nowhere);
}

static void test_box__reports_failed_allocations(void **state)
{
    struct deed deed;
    struct error error;
    struct box *box;
    struct box_end end;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)state;
    deed_init(&deed, BOX_RUN, available, "exit", "3");
    deed.plan.fds[1] = deed.plan.fds[2] = nowhere;
    assert_reports_failed_allocations(box_start(&deed.plan, &box, &error), error);
    box_collect(box, &end);
    assert_int_equal(end.code, 3);
    close(nowhere);
}

/* ---- layers ---- */

static void test_box__layers_have_names(void **state)
{
    (void)state;
    assert_string_equal(layer_name(LAYER_NAMESPACES), "namespaces");
    assert_string_equal(layer_name(LAYER_UID), "uid");
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1)
        assert_string_not_equal(layer_name((enum layer)bit), "?");
}

static void test_box__missing_layers_have_reasons(void **state)
{
    struct text reasons = {0};
    unsigned n = 0;
    (void)state;
    assert_int_equal(layers_available(&reasons), available);
    for (unsigned bit = 1; bit <= LAYERS_ALL; bit <<= 1) {
        bool told =
            reasons.size > 0 && strstr(text_string(&reasons), layer_name((enum layer)bit)) != NULL;
        assert_int_equal(told, (available & bit) == 0);
        n += told;
    }
    for (size_t i = 0; i < reasons.size; i++)
        n -= reasons.bytes[i] == '\n';
    assert_int_equal(n, 0);
    text_release(&reasons);
}

/* ---- all of them ---- */

/* The program that all tests run, from a compile box that lets its files out. */
static void build_deeds(void)
{
    char path[600];
    struct box_file out = {.name = "deeds", .max_size = PROGRAM_BYTES, .fd = -1};
    struct deed deed;
    struct stat status;
    snprintf(path, sizeof path, "%s/tests/unit/box_deeds.c", getenv("ATTN_DATA_DIR"));
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    static char source[1 << 16];
    size_t size = fread(source, 1, sizeof source, file);
    fclose(file);
    deed_init(&deed, BOX_COMPILE, available, "", NULL);
    deed.plan.limits = limits->compile;
    deed.plan.path = "/usr/bin/cc";
    deed.plan.argv = (char *[]){"/usr/bin/cc", "-O1", "-static", "-w", "-o", "deeds", "it.c", NULL};
    deed.plan.in[0] = (struct box_file){.name = "it.c", .bytes = source, .size = size};
    deed.plan.out = &out;
    deed.plan.n_out = 1;
    run(&deed);
    if (out.fd < 0)
        fail_msg("%s%s", deed.said, deed.end.failure);
    assert_int_equal(fstat(out.fd, &status), 0);
    deeds_fd = out.fd;
    deeds_size = (size_t)status.st_size;
    deeds_bytes = mmap(NULL, deeds_size, PROT_READ, MAP_PRIVATE, deeds_fd, 0);
    assert_true(deeds_bytes != MAP_FAILED);
}

static int set_up(void **state)
{
    (void)state;
    available = layers_available(NULL);
    build_deeds();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    munmap(deeds_bytes, deeds_size);
    close(deeds_fd);
    return 0;
}

static int run_all(const char *as)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box__a_root_of_its_own_hides_all_files),
        cmocka_unit_test(test_box__landlock_denies_all_files),
        cmocka_unit_test(test_box__tools_see_the_system_and_no_more),
        cmocka_unit_test(test_box__namespaces_hide_other_processes),
        cmocka_unit_test(test_box__namespaces_have_no_network),
        cmocka_unit_test(test_box__root_becomes_an_ordinary_user),
        cmocka_unit_test(test_box__no_program_has_privileges),
        cmocka_unit_test(test_box__forbidden_calls_end_a_run),
        cmocka_unit_test(test_box__other_ways_to_call_end_a_run),
        cmocka_unit_test(test_box__tools_go_on_after_a_denied_call),
        cmocka_unit_test(test_box__without_a_listener_calls_stay_forbidden),
        cmocka_unit_test(test_box__limits_are_what_was_asked_for),
        cmocka_unit_test(test_box__descriptors_are_limited_exactly),
        cmocka_unit_test(test_box__processes_are_limited_exactly),
        cmocka_unit_test(test_box__processes_are_limited_without_namespaces),
        cmocka_unit_test(test_box__address_space_is_limited),
        cmocka_unit_test(test_box__data_is_limited),
        cmocka_unit_test(test_box__stack_is_limited),
        cmocka_unit_test(test_box__files_are_limited_exactly),
        cmocka_unit_test(test_box__cpu_time_is_limited),
        cmocka_unit_test(test_box__time_is_limited),
        cmocka_unit_test(test_box__memory_is_limited),
        cmocka_unit_test(test_box__a_program_starts_afresh),
        cmocka_unit_test(test_box__a_program_has_its_descriptors_only),
        cmocka_unit_test(test_box__works_where_low_descriptors_are_free),
        cmocka_unit_test(test_box__ends_are_told_apart),
        cmocka_unit_test(test_box__failures_are_ours),
        cmocka_unit_test(test_box__plans_that_make_no_sense_are_refused),
        cmocka_unit_test(test_box__files_come_out),
        cmocka_unit_test(test_box__files_go_in),
        cmocka_unit_test(test_box__compilers_work),
        cmocka_unit_test(test_box__compilers_read_no_files_of_others),
        cmocka_unit_test(test_box__a_compiler_can_lie_anywhere),
        cmocka_unit_test(test_box__no_process_stays),
        cmocka_unit_test(test_box__a_killed_keeper_leaves_nothing),
        cmocka_unit_test(test_box__many_boxes_leave_nothing),
        cmocka_unit_test(test_box__many_at_once),
        cmocka_unit_test(test_box__reports_failed_allocations),
        cmocka_unit_test(test_box__layers_have_names),
        cmocka_unit_test(test_box__missing_layers_have_reasons),
    };
    return _cmocka_run_group_tests(as, tests, sizeof tests / sizeof *tests, set_up, tear_down);
}

static int run_all_as_somebody(void)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(SOMEBODY) != 0 || setuid(SOMEBODY) != 0)
            exit(1);
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
        exit(run_all("box, as an ordinary user"));
    }
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(void)
{
    int failed = run_all(geteuid() == 0 ? "box, as root" : "box");
    if (geteuid() == 0)
        failed += run_all_as_somebody();
    return failed;
}
