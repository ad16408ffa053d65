/* See child.h. */
#include "ui/terminal/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    COULD_NOT_START = 127, /* as shells say it */
    PATIENCE_MS = 300,     /* with one that was asked to end */
    LOOK_MS = 5,
};

void child_init(struct child *child)
{
    *child = (struct child){.fds = {-1, -1}};
}

static void close_fds(struct child *child)
{
    for (int i = 0; i < CHILD_FDS; i++) {
        if (child->fds[i] >= 0)
            close(child->fds[i]);
        child->fds[i] = -1;
    }
}

void child_release(struct child *child)
{
    child_stop(child);
    text_release(&child->output);
    text_release(&child->complaint);
}

/* A pipe that no other program gets hold of; its end here never makes anybody wait. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return true;
}

/* In the new process. Only calls that are safe after fork() are made. */
static _Noreturn void become(const char *path, const char *const *arguments, int output,
                             int complaint)
{
    sigset_t empty;
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    setpgid(0, 0);
    sigemptyset(&by_default.sa_mask);
    sigaction(SIGPIPE, &by_default, NULL); /* the screen ignores it; handlers end by themselves */
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, NULL);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(complaint, STDERR_FILENO) >= 0)
        execv(path, (char *const *)arguments);
    _exit(COULD_NOT_START);
}

static bool no_process(const char *path, int why, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: it can't be started: %s", path, strerror(why));
}

bool child_start(struct child *child, const char *path, const char *const *arguments,
                 struct error *reterr)
{
    int output[2], complaint[2];
    text_clear(&child->output);
    text_clear(&child->complaint);
    if (access(path, X_OK) != 0 || !open_pipe(output))
        return no_process(path, errno, reterr);
    if (!open_pipe(complaint)) {
        int why = errno;
        close(output[0]);
        close(output[1]);
        return no_process(path, why, reterr);
    }
    pid_t process = fork();
    if (process == 0)
        become(path, arguments, output[1], complaint[1]);
    int why = errno;
    close(output[1]);
    close(complaint[1]);
    child->fds[0] = output[0];
    child->fds[1] = complaint[0];
    if (process < 0) {
        close_fds(child);
        return no_process(path, why, reterr);
    }
    setpgid(process, process); /* whoever is first */
    child->process = process;
    return true;
}

/* Reads the bytes that wait there now; after the last, closes the end. */
static void read_one(int *fd, struct text *text)
{
    char bytes[4096];
    while (*fd >= 0) {
        ssize_t size = read(*fd, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0 && errno == EAGAIN)
            return;
        if (size > 0 && text->size < CHILD_MAX_OUTPUT)
            text_add(text, bytes, (size_t)size);
        if (size <= 0) {
            close(*fd);
            *fd = -1;
        }
    }
}

static void read_all(struct child *child)
{
    read_one(&child->fds[0], &child->output);
    read_one(&child->fds[1], &child->complaint);
}

bool child_look(struct child *child)
{
    if (child->process == 0)
        return false;
    pid_t ended = waitpid(child->process, &child->status, WNOHANG);
    read_all(child); /* after the child's end, when all of it is there */
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return false;
    child->process = 0;
    close_fds(child);
    return true;
}

static bool has_ended(struct child *child)
{
    pid_t ended = waitpid(child->process, &child->status, WNOHANG);
    return ended > 0 || (ended < 0 && errno != EINTR);
}

void child_stop(struct child *child)
{
    const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000L};
    if (child->process > 0) {
        kill(-child->process, SIGTERM);
        kill(-child->process, SIGCONT); /* one that is stopped hears it too */
        for (int waited = 0; !has_ended(child); waited += LOOK_MS) {
            if (waited >= PATIENCE_MS)
                kill(-child->process, SIGKILL);
            nanosleep(&moment, NULL);
        }
    }
    child->process = 0;
    close_fds(child);
}
