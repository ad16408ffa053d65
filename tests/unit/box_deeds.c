/* What programs do in a box, one deed each: test_box.c builds this as a static program and runs it
 * there. It says on standard output how the deed went: "ok", the name of an error, or a number. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
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
#include <unistd.h>

static int say_error(int failed)
{
    puts(failed ? strerrorname_np(errno) : "ok");
    return 0;
}

static int say_number(long number)
{
    printf("%ld\n", number);
    return 0;
}

static long number_of(const char *text)
{
    return text != NULL ? strtol(text, NULL, 0) : 0;
}

/* ---- files ---- */

static int open_file(const char *path)
{
    return say_error(open(path, O_RDONLY) < 0);
}

static int make_file(const char *path)
{
    return say_error(open(path, O_WRONLY | O_CREAT, 0600) < 0);
}

/* How many bytes a file in the working folder can have. */
static int fill_file(const char *argument)
{
    char byte = 'x';
    long n = 0;
    int fd = open("filled", O_WRONLY | O_CREAT, 0600);
    (void)argument;
    signal(SIGXFSZ, SIG_IGN);
    while (n < 1 << 20 && write(fd, &byte, 1) == 1)
        n++;
    return say_number(n);
}

static int write_given(const char *argument)
{
    (void)argument;
    return say_error(write(3, "x", 1) != 1);
}

/* Leaves in the file out: so many bytes; or a thing that is no file. */
static int leave_out(const char *argument)
{
    if (strcmp(argument, "link") == 0)
        return say_error(symlink("/etc/hostname", "out") != 0);
    if (strcmp(argument, "pipe") == 0)
        return say_error(mkfifo("out", 0600) != 0);
    if (strcmp(argument, "folder") == 0)
        return say_error(mkdir("out", 0700) != 0);
    int fd = open("out", O_WRONLY | O_CREAT, 0600);
    for (long i = number_of(argument); i > 0; i--)
        write(fd, "o", 1);
    return say_error(fd < 0);
}

static int show_file(const char *path)
{
    char bytes[4096];
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, bytes, sizeof bytes);
    return fd < 0 || n < 0 || write(1, bytes, (size_t)n) != n;
}

/* ---- what it was given ---- */

static int count_fds(const char *argument)
{
    (void)argument;
    for (int fd = 0; fd < 4096; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            printf("%d ", fd);
    return 0;
}

static int count_environment(const char *argument)
{
    long n = 0;
    (void)argument;
    while (environ[n] != NULL)
        n++;
    return say_number(n);
}

static int read_input(const char *argument)
{
    char byte;
    (void)argument;
    return say_number(read(0, &byte, 1));
}

static int say_state(const char *argument)
{
    char folder[100];
    sigset_t mask;
    struct sigaction action;
    mode_t old = umask(0);
    (void)argument;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    sigaction(SIGPIPE, NULL, &action);
    printf("umask %o, folder %s, SIGPIPE %s, SIGTERM %s\n", (unsigned)old,
           getcwd(folder, sizeof folder), action.sa_handler == SIG_DFL ? "default" : "ignored",
           sigismember(&mask, SIGTERM) ? "blocked" : "open");
    return 0;
}

/* ---- who it is, and whom it sees ---- */

static int say_identity(const char *argument)
{
    (void)argument;
    printf("pid %d parent %d uid %d gid %d root %d\n", getpid(), getppid(), getuid(), getgid(),
           setuid(0) == 0);
    return 0;
}

static int kill_other(const char *pid)
{
    return say_error(kill((pid_t)number_of(pid), 0) != 0);
}

static int signal_other(const char *pid)
{
    return say_error(syscall(SYS_tgkill, number_of(pid), number_of(pid), 0L) != 0);
}

static int limit_other(const char *pid)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return say_error(prlimit((pid_t)number_of(pid), RLIMIT_CPU, NULL, &limit) != 0);
}

static int connect_to(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)number_of(port)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return say_error(fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0);
}

static int new_namespace(const char *argument)
{
    (void)argument;
    return say_error(unshare(CLONE_NEWUSER) != 0);
}

static int capabilities(const char *argument)
{
    (void)argument;
    return say_number(prctl(PR_CAPBSET_READ, 0, 0, 0, 0) +
                      prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) * 2);
}

/* ---- how much it may take ---- */

static int show_limits(const char *argument)
{
    static const struct {
        __rlimit_resource_t resource;
        const char *name;
    } limits[] = {
        {RLIMIT_AS, "as"},           {RLIMIT_DATA, "data"},
        {RLIMIT_STACK, "stack"},     {RLIMIT_FSIZE, "fsize"},
        {RLIMIT_NOFILE, "nofile"},   {RLIMIT_NPROC, "nproc"},
        {RLIMIT_CPU, "cpu"},         {RLIMIT_CORE, "core"},
        {RLIMIT_MEMLOCK, "memlock"}, {RLIMIT_MSGQUEUE, "msgqueue"},
        {RLIMIT_RTPRIO, "rtprio"},   {RLIMIT_NICE, "nice"},
    };
    (void)argument;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        getrlimit(limits[i].resource, &limit);
        printf("%s %lld..%lld\n", limits[i].name, (long long)limit.rlim_cur,
               (long long)limit.rlim_max);
    }
    return 0;
}

static int duplicate_fds(const char *argument)
{
    int fd, last = -1;
    (void)argument;
    while (last < 1000 && (fd = dup(0)) >= 0)
        last = fd;
    return say_number(last + 1);
}

/* Processes that live at once, beside this one; at most 100. */
static int fork_many(const char *argument)
{
    long n = 0;
    pid_t pid = 1;
    (void)argument;
    while (n < 100 && (pid = fork()) > 0)
        n++;
    if (pid == 0) {
        pause();
        _exit(0);
    }
    say_number(n);
    return 0;
}

static int map_much(const char *argument)
{
    long mib = 0;
    (void)argument;
    while (mib < 4096 &&
           mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        mib++;
    return say_number(mib);
}

/* In blocks of a KiB, which come from brk; at most 64 MiB. */
static int allocate_much(const char *argument)
{
    long kib = 0;
    (void)argument;
    while (kib < 65536 && malloc(1000) != NULL)
        kib++;
    return say_number(kib);
}

static int map_given(const char *size)
{
    size_t n = (size_t)number_of(size);
    char *bytes = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if (bytes != MAP_FAILED)
        memset(bytes, 1, n);
    return say_error(bytes == MAP_FAILED);
}

static int use_stack(const char *kib)
{
    char room[1024];
    memset(room, (int)number_of(kib), sizeof room);
    char rest[24];
    snprintf(rest, sizeof rest, "%ld", number_of(kib) - 1);
    if (number_of(kib) <= 0)
        return say_error(0);
    return use_stack(rest) + room[512] * 0;
}

static int spin(const char *argument)
{
    (void)argument;
    for (volatile int on = 1; on;)
        ;
    return 0;
}

static int use_memory(const char *mib)
{
    for (long i = number_of(mib); i > 0; i--) {
        char *block = malloc(1 << 20);
        if (block == NULL)
            raise(SIGSEGV);
        memset(block, 1, 1 << 20);
    }
    return say_error(0);
}

/* ---- ends, and what goes on after them ---- */

static int raise_signal(const char *number)
{
    raise((int)number_of(number));
    puts("still here");
    return 0;
}

static int leave(const char *code)
{
    return (int)number_of(code);
}

/* Lives on in a session of its own, deaf to signals, holding descriptor 3 open. */
static int leave_daemon(const char *argument)
{
    (void)argument;
    if (fork() == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        for (int i = 1; i < NSIG; i++)
            signal(i, SIG_IGN);
        for (;;)
            sleep(1000);
    }
    wait(NULL);
    return 0;
}

/* The same, and does not end itself. */
static int stay_with_daemon(const char *argument)
{
    leave_daemon(argument);
    return pause();
}

/* ---- calls ---- */

/* A call with arguments that can't be right: an error of its own says that it was carried out. */
static int call(const char *number)
{
    long result = syscall(number_of(number), -1L, -1L, -1L, -1L, -1L, -1L);
    return say_error(result < 0);
}

static int call_x32(const char *argument)
{
    (void)argument;
    return say_error(syscall(0x40000000 + SYS_getpid) < 0);
}

static int call_32_bits(const char *argument)
{
    long result = 20; /* getpid, for 32-bit code */
    (void)argument;
#ifdef __x86_64__
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
#endif
    return say_error(result < 0);
}

static int map_executable(const char *argument)
{
    (void)argument;
    return say_error(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
                     MAP_FAILED);
}

static int push_input(const char *argument)
{
    (void)argument;
    return say_error(syscall(SYS_ioctl, 0, 0x5412 + (1L << 32), "x") < 0);
}

static const struct {
    const char *name;
    int (*does)(const char *argument);
} deeds[] = {
    {"open", open_file},
    {"make", make_file},
    {"fill", fill_file},
    {"write", write_given},
    {"out", leave_out},
    {"show", show_file},
    {"fds", count_fds},
    {"environment", count_environment},
    {"input", read_input},
    {"state", say_state},
    {"identity", say_identity},
    {"kill", kill_other},
    {"tgkill", signal_other},
    {"prlimit", limit_other},
    {"connect", connect_to},
    {"unshare", new_namespace},
    {"capabilities", capabilities},
    {"limits", show_limits},
    {"dup", duplicate_fds},
    {"fork", fork_many},
    {"map", map_much},
    {"allocate", allocate_much},
    {"share", map_given},
    {"stack", use_stack},
    {"spin", spin},
    {"memory", use_memory},
    {"raise", raise_signal},
    {"exit", leave},
    {"daemon", leave_daemon},
    {"stay", stay_with_daemon},
    {"call", call},
    {"x32", call_x32},
    {"int80", call_32_bits},
    {"executable", map_executable},
    {"tiocsti", push_input},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(argv[1], deeds[i].name) == 0)
            return deeds[i].does(argc > 2 ? argv[2] : "");
    return 99;
}
