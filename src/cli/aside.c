/* See aside.h. */
#include "cli/aside.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "shell/asides.h"

/* In a process of its own: a command ends its program where it is used wrongly. */
static void run_apart(int (*run)(int argc, char **argv), int argc, char **argv)
{
    (void)fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        /* Its end would set back the place where the lines are read from. */
        int nowhere = isatty(0) ? -1 : open("/dev/null", O_RDONLY);
        if (nowhere > 0)
            (void)dup2(nowhere, 0);
        int code = run(argc, argv);
        (void)fflush(stdout);
        _exit(code);
    }
    if (process < 0) {
        perror("attn: no process");
        return;
    }
    pid_t ended;
    do
        ended = waitpid(process, NULL, 0);
    while (ended < 0);
}

bool aside_run(const char *line)
{
    static int (*const commands[ASIDE_EXPLORE])(int argc, char **argv) = {
        [ASIDE_EXERCISES] = exercises_main,
        [ASIDE_WORKSPACE] = start_main,
        [ASIDE_EXERCISE] = task_main,
        [ASIDE_CHECK] = check_main,
    };
    struct aside_line read;
    if (!aside_read(line, false, &read))
        return false;
    run_apart(commands[read.aside], read.n, read.words);
    return true;
}
