/* See png.h. */
#include "files/png.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char program[] = "rsvg-convert";

/* Starts it between two descriptors. Returns 0, or an errno. */
static int start(int in, int out, pid_t *ret)
{
    posix_spawn_file_actions_t actions;
    char *argv[] = {(char *)program, "-f", "png", NULL};
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawn_file_actions_adddup2(&actions, in, 0);
    if (code == 0)
        code = posix_spawn_file_actions_adddup2(&actions, out, 1);
    if (code == 0)
        code = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (code == 0)
        code = posix_spawnp(ret, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

static void read_all(int from, struct text *ret)
{
    char bytes[1 << 14];
    ssize_t n;
    while ((n = read(from, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            text_add(ret, bytes, (size_t)n);
}

static bool ended_well(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reads the program's output for the file `in`. */
static bool convert(FILE *in, struct text *ret, struct error *reterr)
{
    int ends[2];
    pid_t child;
    if (pipe(ends) != 0)
        return error_set(reterr, ERR_FILE, "PNG: no pipe: %s", strerror(errno));
    int code = start(fileno(in), ends[1], &child);
    close(ends[1]);
    if (code == 0)
        read_all(ends[0], ret);
    close(ends[0]);
    if (code == ENOENT)
        return error_set(reterr, ERR_FILE,
                         "PNG: %s, which draws it, is not installed (Debian: apt-get install "
                         "librsvg2-bin); .svg and .txt need nothing",
                         program);
    if (code != 0)
        return error_set(reterr, ERR_FILE, "PNG: %s: %s", program, strerror(code));
    if (!ended_well(child) || ret->size == 0)
        return error_set(reterr, ERR_FILE, "PNG: %s failed; .svg needs nothing else", program);
    return !ret->failed || error_memory(reterr, "PNG");
}

bool png_of_svg(const char *svg, size_t size, struct text *ret, struct error *reterr)
{
    FILE *in = tmpfile();
    bool ok = in != NULL && fwrite(svg, 1, size, in) == size && fflush(in) == 0 &&
              fseek(in, 0, SEEK_SET) == 0;
    if (!ok)
        error_set(reterr, ERR_FILE, "PNG: a temporary file can't be written: %s", strerror(errno));
    ok = ok && convert(in, ret, reterr);
    if (in != NULL)
        fclose(in);
    return ok;
}
