/* The learner's files: where they are, and the editor. See exercise_pane_internal.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "ui/panes/exercise/exercise_pane_internal.h"

enum { NO_COMMAND = 127 };

size_t exercise_pane_exercise_of(const struct exercise_pane *pane, const char *file_name)
{
    size_t i = 0;
    while (i < pane->exercises.n &&
           !catalogue_entry_has_file(&pane->exercises.catalogue.entries[i], file_name))
        i++;
    return i;
}

/* Writes the path of the learner's file for exercise `at`. False when it is missing. */
static bool find_file(const struct exercise_pane *pane, size_t at, char path[LEARNER_PATH_BYTES])
{
    struct error error;
    return pane->folder[0] != '\0' &&
           learner_file(&pane->exercises.catalogue.entries[at], pane->folder, path, &error) &&
           path_is_file(path);
}

void exercise_pane_find_files(struct exercise_pane *pane)
{
    struct error error;
    char found[LEARNER_PATH_BYTES];
    if (!learner_folder(&pane->exercises.catalogue, ".", found))
        found[0] = '\0';
    bool is_new = strcmp(found, pane->folder) != 0;
    if (pane->watches && (is_new || pane->saves.gone)) {
        saves_close(&pane->saves);
        pane->watches = false;
    }
    if (is_new)
        memcpy(pane->folder, found, sizeof found);
    if (found[0] != '\0' && !pane->watches) {
        pane->watches = saves_open(pane->folder, &pane->saves, &error);
        if (!pane->watches)
            exercise_pane_say(pane, STYLE_NOTE, "Saves are not noticed (%s); Enter grades.",
                              error.text);
    }
    if (!find_file(pane, pane->at, pane->path))
        pane->path[0] = '\0';
}

bool exercise_pane_read_source(const struct exercise_pane *pane, size_t at, struct text *text)
{
    struct error error;
    char path[LEARNER_PATH_BYTES];
    text_clear(text);
    return find_file(pane, at, path) &&
           file_read_text(path, EXERCISE_PANE_SOURCE_BYTES, text, &error);
}

/* ---- the editor ---- */

static bool is_on_path(const char *command)
{
    char file[LEARNER_PATH_BYTES];
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

/* Waits for its end. The editor's keys may send signals to attn too: Ctrl-\ is none of its business
 * now, and Ctrl-Z stops both at once, while the editor has the terminal. */
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

/* Its status as waitpid() gives it; -1 where it could not be run. */
static int run_editor(const char *command, const char *path)
{
    pid_t process = fork();
    if (process == 0)
        become_editor(command, path);
    return process > 0 ? wait_editor(process) : -1;
}

void exercise_pane_edit(void *state)
{
    struct exercise_pane *pane = state;
    struct text command = {0};
    text_format(&command, "%s \"$1\"", editor_command());
    int status = command.failed ? -1 : run_editor(text_string(&command), pane->path);
    text_release(&command);
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == NO_COMMAND)
        exercise_pane_say(pane, STYLE_BAD, "%s: there is no such editor; set EDITOR to yours.",
                          editor_command());
    else if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        exercise_pane_say(pane, STYLE_BAD, "%s: it did not end well; set EDITOR to your editor.",
                          editor_command());
}
