/* See signals.h. */
#define _DEFAULT_SOURCE 1 /* SIGWINCH */
#include "ui/terminal/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "ui/terminal/busy.h"
#include "ui/terminal/news.h"
#include "ui/terminal/terminal.h"
#include "ui/terminal/terminal_internal.h"

struct terminal_signals terminal_signals;
volatile sig_atomic_t terminal_interrupted;

static int wake_pipe[2] = {-1, -1};
static const int ordinary[] = {SIGWINCH, SIGCONT, SIGTSTP, SIGCHLD,
                               SIGINT,   SIGTERM, SIGHUP,  SIGQUIT};

static void on_timer(int number)
{
    int problem = errno;
    (void)number;
    busy_show();
    news_look();
    errno = problem;
}

static void on_signal(int number)
{
    int problem = errno; /* of whoever is interrupted */
    struct terminal_signals *came = &terminal_signals;
    news_tell();
    if (number == SIGCHLD) {
        came->child_ended = 1;
    } else if (number == SIGINT) {
        if (came->is_watched) {
            terminal_interrupted = 1;
            busy_show_again();
        }
    } else {
        busy_forbid();
        if (number == SIGWINCH) {
            came->resized = 1;
        } else if (number == SIGCONT) {
            came->continued = 1;
        } else if (number == SIGTSTP) {
            came->stopped = 1;
        } else {
            came->gone = number;
            terminal_interrupted = 1; /* the current computation ends first */
        }
    }
    ssize_t written = write(wake_pipe[1], "", 1); /* a full pipe wakes as well */
    (void)written;
    errno = problem;
}

void signal_catch(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGALRM);
    sigaddset(&action.sa_mask, SIGINT);
    sigaction(number, &action, NULL);
}

bool signals_open(struct error *reterr)
{
    if (pipe(wake_pipe) != 0)
        return error_set(reterr, ERR_FILE, "the screen: no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
    }
    for (size_t i = 0; i < COUNT_OF(ordinary); i++)
        signal_catch(ordinary[i], on_signal, 0);
    signal_catch(SIGPIPE, SIG_IGN, 0);
    /* Whoever computes must not see a read or a write end early. */
    signal_catch(SIGALRM, on_timer, SA_RESTART);
    return true;
}

void signals_close(void)
{
    for (size_t i = 0; i < COUNT_OF(ordinary); i++)
        if (ordinary[i] != SIGINT)
            signal_catch(ordinary[i], SIG_DFL, 0);
    signal_catch(SIGPIPE, SIG_DFL, 0);
    signal_catch(SIGALRM, SIG_DFL, 0);
    close(wake_pipe[0]);
    close(wake_pipe[1]);
    wake_pipe[0] = wake_pipe[1] = -1;
}

void signals_let_stop(bool on)
{
    signal_catch(SIGTSTP, on ? SIG_DFL : on_signal, 0);
}

int signals_fd(void)
{
    return wake_pipe[0];
}

void signals_empty(void)
{
    char bytes[64];
    ssize_t size;
    do
        size = read(wake_pipe[0], bytes, sizeof bytes);
    while (size > 0);
}
