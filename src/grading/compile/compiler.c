/* Finding a compiler: see compiler.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath() */
#endif
#include "compile/compiler.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "compile/build_cache_internal.h"
#include "files/file.h"

enum {
    VERSION_BYTES = 4096,  /* bytes of the output of --version that are read */
    VERSION_MS = 5000,     /* a compiler that has not said its version after this never will */
    GCC_INITS_LOCALS = 12, /* the first versions with -ftrivial-auto-var-init */
    CLANG_INITS_LOCALS = 8,
};

/* ---- finding it ---- */

/* A program that only starts a compiler: it wants a home and a network, which a box has not. */
static bool is_launcher(const char *name)
{
    return strcmp(name, "ccache") == 0 || strcmp(name, "sccache") == 0 ||
           strcmp(name, "distcc") == 0 || strcmp(name, "icecc") == 0;
}

/* Resolves the links of a path, some of which do not exist in a box; false if it is not a compiler
 * or its path is too long. */
static bool resolve(const char *path, struct compiler *compiler)
{
    char *whole = path_is_program(path) ? realpath(path, NULL) : NULL;
    bool ok = whole != NULL && strlen(whole) < sizeof compiler->path &&
              !is_launcher(path_base_name(whole));
    if (ok)
        memcpy(compiler->path, whole, strlen(whole) + 1);
    free(whole);
    return ok;
}

/* Looks for word[0..size) in the folders of PATH, or takes it as a path if it has a slash. */
static bool locate(const char *word, size_t size, struct compiler *compiler)
{
    char path[PATH_MAX];
    for (const char *at = NULL; path_next_program(&at, word, size, path, sizeof path);)
        if (resolve(path, compiler))
            return true;
    return false;
}

/* Like locate(), for a command such as "ccache gcc -m64", of which only gcc is taken. */
static bool locate_command(const char *command, struct compiler *compiler)
{
    const char *at = command + strspn(command, " \t");
    size_t size = strcspn(at, " \t");
    while (size > 0) {
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        if (!is_launcher(path_base_name(word)))
            return locate(at, size, compiler);
        at += size + strspn(at + size, " \t");
        size = strcspn(at, " \t");
    }
    return false;
}

/* ---- identifying it ---- */

static _Noreturn void become(const char *path, const char *option, int output)
{
    char *argv[] = {(char *)path_base_name(path), (char *)option, NULL};
    char *environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execve(path, argv, environment);
    _exit(127);
}

/* Reads until the other end is closed, for VERSION_MS at most. */
static size_t read_patiently(int fd, char *bytes, size_t capacity)
{
    size_t size = 0;
    ssize_t n = 1;
    while (n > 0 && size + 1 < capacity) {
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (poll(&wait, 1, VERSION_MS) != 1 && errno != EINTR)
            break;
        n = read(fd, bytes + size, capacity - 1 - size);
        if (n > 0)
            size += (size_t)n;
    }
    bytes[size] = '\0';
    return size;
}

/* The compiler's output when it is called with this option alone; false on failure. *ret_why is the
 * system's reason if it could not be called; else NULL. */
static bool ask(const char *path, const char *option, char text[VERSION_BYTES],
                const char **ret_why)
{
    int ends[2], status = -1;
    text[0] = '\0';
    *ret_why = NULL;
    if (!file_pipe(ends)) {
        *ret_why = strerror(errno);
        return false;
    }
    pid_t pid = fork();
    if (pid == 0)
        become(path, option, ends[1]);
    if (pid < 0)
        *ret_why = strerror(errno);
    close(ends[1]);
    size_t size = pid > 0 ? read_patiently(ends[0], text, VERSION_BYTES) : 0;
    close(ends[0]);
    if (pid < 0)
        return false;
    kill(pid, SIGKILL); /* one that has ended still waits to be collected, and is not harmed */
    pid_t ended;
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    return size > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) != 0);
}

static enum compiler_family family_of(const char *text)
{
    if (strstr(text, "clang") != NULL)
        return COMPILER_CLANG;
    if (strstr(text, "Free Software Foundation") != NULL || strstr(text, "gcc") != NULL)
        return COMPILER_GCC;
    if (strncmp(text, "tcc", 3) == 0)
        return COMPILER_TCC;
    return COMPILER_OTHER;
}

/* The number before the first dot of a version such as 12.2.0 in the line; 0 without a version. */
static int major_version(const char *line)
{
    for (const char *at = line; *at != '\0'; at++) {
        bool begins = isdigit((unsigned char)*at) && (at == line || at[-1] == ' ');
        char *end;
        if (!begins)
            continue;
        long number = strtol(at, &end, 10);
        if (*end == '.' && isdigit((unsigned char)end[1]) && number < 1000)
            return (int)number;
    }
    return 0;
}

/* Its file, as it is now. False for a script, behind which another compiler may stand tomorrow. */
static bool version_key(const struct compiler *compiler, struct build_key *key)
{
    struct stat info;
    char begin[2] = "";
    unsigned number = 2166136261u;
    int fd = open(compiler->path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &info) == 0 && read(fd, begin, 2) == 2 && begin[0] != '#';
    file_close(&fd);
    for (const char *c = compiler->path; *c != '\0'; c++)
        number = (number ^ (unsigned char)*c) * 16777619u;
    *key = (struct build_key){.slot = ""};
    snprintf(key->slot, sizeof key->slot, "%08x.compiler", number);
    if (ok)
        text_format(&key->text, "attn %s\n%s\n%jd %jd %jd %jd\n", ATTN_VERSION, compiler->path,
                    (intmax_t)info.st_size, (intmax_t)info.st_mtim.tv_sec,
                    (intmax_t)info.st_mtim.tv_nsec, (intmax_t)info.st_ino);
    return ok && !key->text.failed;
}

/* As ask(), from the cache if it was asked before. */
static bool ask_once(const char *path, const struct build_key *key, char text[VERSION_BYTES],
                     const char **ret_why)
{
    struct text said = {.bytes = NULL};
    int fd = -1;
    bool ok = build_cache_get(key, &fd, &said) && said.size > 0 && said.size < VERSION_BYTES;
    file_close(&fd);
    if (ok) {
        memcpy(text, said.bytes, said.size + 1);
    } else if ((ok = ask(path, "--version", text, ret_why))) {
        text_clear(&said);
        text_put(&said, text);
        build_cache_put(key, &said, "", 0);
    }
    text_release(&said);
    return ok;
}

static bool says_version(const struct compiler *compiler, bool remembers, char text[VERSION_BYTES],
                         const char **ret_why)
{
    struct build_key key = {.slot = ""};
    bool ok = remembers && version_key(compiler, &key)
                  ? ask_once(compiler->path, &key, text, ret_why)
                  : ask(compiler->path, "--version", text, ret_why);
    build_key_release(&key);
    return ok || ask(compiler->path, "-v", text, ret_why);
}

/* False if it does not identify itself. *ret_why is the reason when that is this machine's fault,
 * else NULL. */
static bool identify(struct compiler *compiler, bool remembers, const char **ret_why)
{
    char text[VERSION_BYTES] = "";
    *ret_why = NULL;
    if (!says_version(compiler, remembers, text, ret_why)) {
        const char *lack = build_lack_in(*ret_why != NULL ? *ret_why : text);
        *ret_why = lack != NULL ? lack : *ret_why;
        return false;
    }
    error_quote(compiler->version, sizeof compiler->version, text, strcspn(text, "\r\n"));
    compiler->family = family_of(text);
    int major = major_version(compiler->version);
    compiler->inits_locals = (compiler->family == COMPILER_GCC && major >= GCC_INITS_LOCALS) ||
                             (compiler->family == COMPILER_CLANG && major >= CLANG_INITS_LOCALS);
    return true;
}

static bool find(const char *named, bool remembers, struct compiler *ret, struct error *reterr)
{
    struct compiler compiler = {.path = ""};
    const char *chosen = named != NULL ? named : getenv("CC"), *what = named != NULL ? "" : "CC=";
    char shown[128];
    if (chosen != NULL && chosen[strspn(chosen, " \t")] != '\0') {
        error_quote(shown, sizeof shown, chosen, strlen(chosen));
        if (!locate_command(chosen, &compiler))
            return error_set(reterr, ERR_FILE,
                             "%s%s: there is no such compiler; give the name of one that is on "
                             "PATH, such as gcc or clang",
                             what, shown);
    }
    static const char *const usual[] = {"cc", "gcc", "clang", "tcc"};
    for (size_t i = 0; i < COUNT_OF(usual) && compiler.path[0] == '\0'; i++)
        locate(usual[i], strlen(usual[i]), &compiler);
    if (compiler.path[0] == '\0') {
        return error_set(reterr, ERR_FILE,
                         "compiler: none was found on PATH; install one, as with "
                         "\"apt install gcc libc6-dev\"");
    }
    const char *why;
    if (!identify(&compiler, remembers, &why)) {
        error_quote(shown, sizeof shown, compiler.path, strlen(compiler.path));
        if (why != NULL)
            return error_set(reterr, ERR_FILE, "%s: it can't be started: %s", shown, why);
        return error_set(reterr, ERR_FILE, "%s: it does not say its version; is it a compiler?",
                         shown);
    }
    *ret = compiler;
    return true;
}

bool compiler_find(const char *named, struct compiler *ret, struct error *reterr)
{
    return find(named, false, ret, reterr);
}

bool compiler_find_again(const char *named, struct compiler *ret, struct error *reterr)
{
    return find(named, true, ret, reterr);
}
