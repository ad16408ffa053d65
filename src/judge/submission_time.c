/* When files were handed in: see submission_time.h. */
#include "judge/submission_time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "files/clock.h"
#include "files/file.h"
#include "files/path.h"

enum { GIT_MS = 10000, ANSWER_BYTES = 128 };

static int64_t time_of_file(const char *path)
{
    struct stat here;
    return lstat(path, &here) == 0 && here.st_mtime > 0 ? (int64_t)here.st_mtime : 0;
}

/* ---- git ---- */

/* Nothing of the repository's configuration that would start a program: no monitor of files, no
 * signatures, no fetching of what is missing (rev-list looks at none of the other settings). */
static char *const git_environment[] = {
    "PATH=/usr/bin:/bin:/usr/local/bin",
    "GIT_CONFIG_NOSYSTEM=1",
    "GIT_CONFIG_GLOBAL=/dev/null",
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    "HOME=/nonexistent",
    "LC_ALL=C",
    NULL,
};

static pid_t start_git(char *folder, char *name, int output)
{
    char *const argv[] = {"git",
                          "-c",
                          "safe.directory=*",
                          "-c",
                          "core.fsmonitor=false",
                          "-c",
                          "core.hooksPath=/dev/null",
                          "-C",
                          folder,
                          "rev-list",
                          "-1",
                          "--timestamp",
                          "HEAD",
                          "--",
                          name,
                          NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t pid = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    if (posix_spawnattr_init(&attributes) == 0) {
        bool ready = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
                     posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, output, 1) == 0 &&
                     posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0;
        if (!ready || posix_spawnp(&pid, "git", &actions, &attributes, argv, git_environment) != 0)
            pid = -1;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* Reads to the end, or until it takes too long. The text of what came. */
static void read_answer(int fd, char answer[ANSWER_BYTES])
{
    uint64_t deadline_ms = (uint64_t)clock_ms() + GIT_MS;
    size_t size = 0;
    bool goes_on = true;
    while (goes_on && size < ANSWER_BYTES - 1) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        uint64_t now_ms = (uint64_t)clock_ms();
        int n_ready = now_ms < deadline_ms ? poll(&ready, 1, (int)(deadline_ms - now_ms)) : 0;
        ssize_t n =
            n_ready > 0 ? read(fd, answer + size, ANSWER_BYTES - 1 - size) : (ssize_t)n_ready;
        goes_on = n > 0 || (n < 0 && errno == EINTR);
        size += n > 0 ? (size_t)n : 0;
    }
    answer[size] = '\0';
}

/* "1772405940 0123abc...": the time of the last commit that touched the file; 0 where it is not in
 * a repository, is not committed, or git is missing. */
static int64_t time_of_commit(const char *path)
{
    char answer[ANSWER_BYTES];
    const char *base = path_base_name(path);
    char *folder = base > path ? strndup(path, (size_t)(base - path)) : strdup(".");
    char *name = strdup(base);
    int ends[2];
    int64_t time_s = 0;
    if (folder == NULL || name == NULL || !file_pipe(ends)) {
        free(folder);
        free(name);
        return 0;
    }
    pid_t pid = start_git(folder, name, ends[1]);
    file_close(&ends[1]);
    if (pid > 0) {
        read_answer(ends[0], answer);
        kill(-pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        time_s = strtoll(answer, NULL, 10);
    }
    file_close(&ends[0]);
    free(folder);
    free(name);
    return time_s > 0 ? time_s : 0;
}

/* ---- names ---- */

/* What a system calls late without a moment is late by as little as can be. */
static int64_t time_in_name(const struct submission *submission,
                            const struct assignment *assignment)
{
    int64_t grace_s = (int64_t)(assignment->late.grace_minutes * 60);
    if (submission->submitted_s != 0 || !submission->is_late || assignment->due_s == 0)
        return submission->submitted_s;
    return assignment->due_s + grace_s + 1;
}

void submissions_note_times(struct submissions *submissions, const struct assignment *assignment)
{
    for (size_t i = 0; i < submissions->n; i++) {
        struct submission *submission = &submissions->items[i];
        switch (assignment != NULL ? assignment->time : TIME_OF_FILE) {
        case TIME_OF_FILE:
            submission->submitted_s = time_of_file(submission->path);
            break;
        case TIME_OF_COMMIT:
            submission->submitted_s = time_of_commit(submission->path);
            break;
        case TIME_IN_NAME:
        default:
            submission->submitted_s = time_in_name(submission, assignment);
            break;
        }
    }
}
