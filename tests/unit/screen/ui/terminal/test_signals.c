/* The handlers of signals, in a program of their own at a terminal of its own. */
#include "ui/terminal/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testing.h"
#include "ui/terminal/terminal.h"

/* Computes until the sign of it is shown, which then can't be written any more. Whoever computes
 * finds errno as it was. */
static int interrupt_a_computation(void)
{
    const struct timespec moment = {.tv_sec = 1};
    struct terminal *terminal;
    struct error error;
    if (!terminal_open(&(struct terminal_options){0}, &terminal, &error))
        return 10;
    terminal_watch_interrupt(terminal, true);
    (void)nanosleep(&moment, NULL); /* or shorter: the timer's signal ends it */
    int shown_at = dup(STDOUT_FILENO);
    close(STDOUT_FILENO);
    errno = EDOM;
    (void)kill(getpid(), SIGINT); /* the handler runs before it returns */
    int problem = errno;
    (void)dup2(shown_at, STDOUT_FILENO);
    bool stops = terminal_interrupted != 0;
    terminal_watch_interrupt(terminal, false);
    terminal_close(terminal);
    return problem != EDOM ? 11 : stops ? 0 : 12;
}

static void read_all(int terminal)
{
    char bytes[256];
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    ssize_t size = 1;
    while (size > 0 && poll(&ready, 1, 10000) > 0)
        size = read(terminal, bytes, sizeof bytes);
}

static void test_signals__leave_errno_as_it_was(void **state)
{
    (void)state;
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), status = -1;
    if (terminal < 0)
        skip(); /* no terminals here */
    assert_int_equal(grantpt(terminal), 0);
    assert_int_equal(unlockpt(terminal), 0);
    const char *name = ptsname(terminal);
    assert_non_null(name);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setsid();
        int mine = open(name, O_RDWR);
        for (int fd = 0; fd < 3; fd++)
            (void)dup2(mine, fd);
        setenv("TERM", "xterm", 1);
        setenv("LINES", "24", 1);
        setenv("COLUMNS", "80", 1);
        _exit(interrupt_a_computation());
    }
    read_all(terminal);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(terminal);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    static const struct CMUnitTest all[] = {
        cmocka_unit_test(test_signals__leave_errno_as_it_was),
    };
    return cmocka_run_group_tests_name("signals", all, NULL, NULL);
}
