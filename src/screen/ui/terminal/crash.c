/* See crash.h. Handlers make only calls that are safe in a handler, except for the addresses in the
 * report. */
#define _DEFAULT_SOURCE 1 /* sigaltstack */
#include "ui/terminal/crash.h"

#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "ui/terminal/signals.h"
#include "ui/terminal/terminal_internal.h"

enum { CRASH_FRAMES = 64, ALTERNATE_STACK = 64 * 1024 };

static struct {
    struct termios before; /* the terminal's modes */
    char leave[CRASH_LEAVE_BYTES];
    size_t leave_size;
    char report[4096]; /* the path; "" if no folder can hold it */
    volatile sig_atomic_t is_open, has_trace;
} crash;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void put(int fd, const char *text)
{
    ssize_t written = write(fd, text, strlen(text));
    (void)written;
}

static void write_report(int number)
{
    void *frames[CRASH_FRAMES];
    int file = open(crash.report, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    char signal_text[] = "signal 00\n";
    signal_text[7] = (char)('0' + number / 10 % 10);
    signal_text[8] = (char)('0' + number % 10);
    put(file, "attn " ATTN_VERSION " crashed: ");
    put(file, signal_text);
    if (crash.has_trace)
        backtrace_symbols_fd(frames, backtrace(frames, CRASH_FRAMES), file);
    close(file);
    put(STDERR_FILENO, "attn: it crashed, which is a fault of attn; a report is in ");
    put(STDERR_FILENO, crash.report);
    put(STDERR_FILENO, "; your progress is kept\r\n");
}

static void on_crash(int number)
{
    if (crash.is_open) {
        crash.is_open = 0;
        ssize_t written = write(STDOUT_FILENO, crash.leave, crash.leave_size);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &crash.before);
    }
    write_report(number);
    signal(number, SIG_DFL);
    raise(number);
}

void crash_remember_modes(void)
{
    tcgetattr(STDIN_FILENO, &crash.before);
}

void crash_catch(const char *leave, size_t size)
{
    static char stack[ALTERNATE_STACK];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    memcpy(crash.leave, leave, size);
    crash.leave_size = size;
    if (!folder_state_path("crash.txt", crash.report, sizeof crash.report))
        crash.report[0] = '\0';
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        signal_catch(crashes[i], on_crash, SA_ONSTACK | (int)SA_RESETHAND);
}

void crash_load_trace(void)
{
    void *frames[1];
    if (!crash.has_trace)
        (void)backtrace(frames, 1);
    crash.has_trace = 1;
}

void crash_release(void)
{
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        signal_catch(crashes[i], SIG_DFL, 0);
}

void crash_set_open(bool is_open)
{
    crash.is_open = is_open;
}
