/* A program at a pseudo terminal: see bench_pty.h. */
#define _GNU_SOURCE /* posix_openpt(), TIOCSCTTY */
#ifdef __APPLE__
#define _DARWIN_C_SOURCE 1
#include <libproc.h>
#include <mach/mach_time.h>
#endif
#include "base/array.h"
#include "bench_pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files/clock.h"
#include "files/file.h"

enum { READ_BYTES = 65536, CANNOT_RUN = 127, OPEN_FDS = 64 };

static double now_ms(void)
{
    return (double)clock_ns() / 1e6;
}

/* ---- time ---- */

/* Linux tells it in /proc/PID/schedstat: the time on a processor, then the time waiting for one, in
 * ns (Documentation/scheduler/sched-stats.rst). */
static int open_waits(const char *who)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/schedstat", who);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static double waited_ms(int waits)
{
    char text[128], *end;
    ssize_t size = waits >= 0 ? pread(waits, text, sizeof text - 1, 0) : -1;
    if (size <= 0)
        return 0;
    text[size] = '\0';
    (void)strtoull(text, &end, 10);
    return (double)strtoull(end, NULL, 10) / 1e6;
}

static struct pty_moment moment_of(const struct pty *pty)
{
    struct pty_moment now = {.ms = now_ms()};
    for (int side = 0; side < PTY_SIDES; side++)
        now.waited_ms[side] = waited_ms(pty->waits[side]);
    return now;
}

/* Something came of it just now. */
static void note_output(const struct pty *pty, const struct pty_moment *since,
                        struct pty_output *output)
{
    struct pty_moment now = moment_of(pty);
    double waited = 0;
    for (int side = 0; side < PTY_SIDES; side++) {
        double more = now.waited_ms[side] - since->waited_ms[side];
        waited = more > waited ? more : waited;
    }
    output->ms = now.ms - since->ms;
    output->undisturbed_ms = waited < output->ms ? output->ms - waited : 0;
}

/* ---- opening and closing ---- */

static void set_surroundings(void)
{
    static const char *const settings[][2] = {
        {"TERM", "xterm-256color"}, {"COLORTERM", "truecolor"}, {"LC_ALL", "C.UTF-8"}};
    static const char *const unset[] = {"NO_COLOR", "LINES", "COLUMNS"};
    for (size_t i = 0; i < COUNT_OF(settings); i++)
        setenv(settings[i][0], settings[i][1], 1);
    for (size_t i = 0; i < COUNT_OF(unset); i++)
        unsetenv(unset[i]);
}

/* The child's side: a session of its own with that terminal, then the program. */
static _Noreturn void become(const struct pty_program *program, const char *tty)
{
    setsid();
    int terminal = open(tty, O_RDWR);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0)
        _exit(CANNOT_RUN);
    for (int fd = 0; fd < 3; fd++)
        dup2(terminal, fd);
    for (int fd = 3; fd < OPEN_FDS; fd++)
        close(fd); /* whoever holds the other side of its terminal never sees it go */
    set_surroundings();
    if (program->path == NULL)
        _exit(program->run());
    execv(program->path, program->argv);
    _exit(CANNOT_RUN);
}

static int open_terminal(const struct pty_program *program)
{
    struct winsize size = {.ws_row = (unsigned short)program->rows,
                           .ws_col = (unsigned short)program->cols};
    int fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (fd < 0)
        return -1;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && grantpt(fd) == 0 && unlockpt(fd) == 0 &&
        ioctl(fd, TIOCSWINSZ, &size) == 0)
        return fd;
    close(fd);
    return -1;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void pty_close(struct pty *pty)
{
    int status;
    if (pty->program > 0) {
        kill(pty->program, SIGKILL);
        waitpid(pty->program, &status, 0);
    }
    pty->program = 0;
    close_one(&pty->fd);
    for (int side = 0; side < PTY_SIDES; side++)
        close_one(&pty->waits[side]);
}

bool pty_open(const struct pty_program *program, struct pty *ret, struct error *reterr)
{
    int fd = open_terminal(program);
    const char *tty = fd >= 0 ? ptsname(fd) : NULL;
    struct pty pty = {.fd = fd, .waits = {-1, open_waits("self")}};
    pty.started = moment_of(&pty);
    pid_t child = tty != NULL ? fork() : -1;
    if (child < 0) {
        (void)error_set(reterr, ERR_FILE, "bench: no program at a pseudo terminal: %s",
                        strerror(errno));
        pty_close(&pty);
        return false;
    }
    if (child == 0)
        become(program, tty);
    char who[32];
    snprintf(who, sizeof who, "%ld", (long)child);
    pty.program = child;
    pty.waits[PTY_PROGRAM] = open_waits(who);
    *ret = pty;
    return true;
}

bool pty_wait_exit(struct pty *pty)
{
    struct pty_output rest;
    int status = -1;
    pid_t ended = 0;
    double limit = now_ms() + PTY_PATIENCE_MS;
    while (ended == 0 && now_ms() < limit) {
        pty_listen(pty, &pty->started, 10, NULL,
                   &rest); /* it may wait for its last words to be read */
        ended = waitpid(pty->program, &status, WNOHANG);
    }
    if (ended != 0)
        pty->program = 0;
    return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- what it says ---- */

/* What is there within wait_ms: how many bytes; 0 when nothing is or the program has ended. */
static size_t read_some(struct pty *pty, int wait_ms, size_t limit, struct text *seen)
{
    char bytes[READ_BYTES];
    struct pollfd ready = {.fd = pty->fd, .events = POLLIN};
    ssize_t size;
    if (poll(&ready, 1, wait_ms) <= 0)
        return 0;
    do
        size = read(pty->fd, bytes, limit < sizeof bytes ? limit : sizeof bytes);
    while (size < 0 && errno == EINTR);
    if (size > 0 && seen != NULL)
        text_add(seen, bytes, (size_t)size);
    return size > 0 ? (size_t)size : 0;
}

void pty_listen(struct pty *pty, const struct pty_moment *since, int quiet_ms, struct text *seen,
                struct pty_output *ret)
{
    *ret = (struct pty_output){.bytes = 0};
    size_t size = read_some(pty, PTY_PATIENCE_MS, READ_BYTES, seen);
    while (size > 0) {
        note_output(pty, since, ret);
        ret->bytes += size;
        size = read_some(pty, quiet_ms, READ_BYTES, seen);
    }
}

bool pty_type(struct pty *pty, const char *keys, int quiet_ms, struct text *seen,
              struct pty_output *ret)
{
    struct pty_moment began = moment_of(pty);
    if (!file_write_all(pty->fd, keys, strlen(keys)))
        return false;
    pty_listen(pty, &began, quiet_ms, seen, ret);
    return true;
}

bool pty_ask(struct pty *pty, const void *bytes, size_t size, size_t n_bytes, double *ret_ms)
{
    double began_ms = now_ms();
    size_t came = 1;
    if (!file_write_all(pty->fd, bytes, size))
        return false;
    for (; n_bytes > 0 && came > 0; n_bytes -= came)
        came = read_some(pty, PTY_PATIENCE_MS, n_bytes, NULL);
    *ret_ms = now_ms() - began_ms;
    return n_bytes == 0;
}

/* ---- what it takes ---- */

#ifdef __APPLE__
double pty_processor_ms(const struct pty *pty)
{
    struct rusage_info_v2 usage;
    struct mach_timebase_info unit;
    if (proc_pid_rusage(pty->program, RUSAGE_INFO_V2, (rusage_info_t *)&usage) != 0 ||
        mach_timebase_info(&unit) != KERN_SUCCESS)
        return -1;
    double ticks = (double)usage.ri_user_time + (double)usage.ri_system_time;
    return ticks * unit.numer / unit.denom / 1e6;
}
#else
double pty_processor_ms(const struct pty *pty)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pty->program, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}
#endif
