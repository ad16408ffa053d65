/* See editor.h. */
#include "ui/terminal/editor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"

enum { NO_COMMAND = 127, PATH_BYTES = 4096 };

static bool is_on_path(const char *command)
{
    char file[PATH_BYTES];
    const char *path = getenv("PATH");
    for (size_t size; path != NULL && *path != '\0'; path += size + (path[size] == ':')) {
        size = strcspn(path, ":");
        int written = snprintf(file, sizeof file, "%.*s/%s", (int)size, path, command);
        if (written > 0 && (size_t)written < sizeof file && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* What the shell is to run: the learner's own choice may have options. */
static const char *editor_command(void)
{
    static const char *const variables[] = {"VISUAL", "EDITOR"};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *command = getenv(variables[i]);
        if (command != NULL && command[0] != '\0')
            return command;
    }
    return is_on_path("nano") ? "nano" : "vi";
}

static void set_signal(int number, void (*handler)(int), struct sigaction *ret_before)
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, ret_before);
}

/* In the new process. */
static _Noreturn void become_editor(const char *command, const char *path)
{
    set_signal(SIGPIPE, SIG_DFL, NULL); /* the screen ignores it */
    set_signal(SIGQUIT, SIG_DFL, NULL);
    set_signal(SIGTSTP, SIG_DFL, NULL);
    execl("/bin/sh", "sh", "-c", command, "sh", path, (char *)NULL);
    _exit(NO_COMMAND);
}

/* Waits for its end. The editor's keys may send signals to attn too: attn ignores Ctrl-\ meanwhile,
 * and Ctrl-Z stops both at once, while the editor has the terminal. */
static int wait_editor(pid_t process)
{
    struct sigaction quit, stop;
    int status = -1;
    pid_t ended;
    set_signal(SIGQUIT, SIG_IGN, &quit);
    set_signal(SIGTSTP, SIG_DFL, &stop);
    do
        ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    sigaction(SIGQUIT, &quit, NULL);
    sigaction(SIGTSTP, &stop, NULL);
    return status;
}

/* Its status as waitpid() gives it; -1 if no process could be made. */
static int run(const char *command, const char *path)
{
    pid_t process = fork();
    if (process == 0)
        become_editor(command, path);
    return process > 0 ? wait_editor(process) : -1;
}

bool editor_run(const char *path, struct text *ret_why)
{
    struct text command = {0};
    text_format(&command, "%s \"$1\"", editor_command());
    int status = command.failed ? -1 : run(text_string(&command), path);
    text_release(&command);
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == NO_COMMAND)
        text_format(ret_why, "%s: there is no such editor; set EDITOR to yours.", editor_command());
    else
        text_format(ret_why, "%s: it did not end well; set EDITOR to your editor.",
                    editor_command());
    return false;
}
