/* Files written and read whole: see file.h. */
#include "files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

/* ---- path ---- */

const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

bool path_join(char *path, size_t capacity, const char *folder, const char *name)
{
    int size = strcmp(folder, ".") == 0 ? snprintf(path, capacity, "%s", name)
                                        : snprintf(path, capacity, "%s/%s", folder, name);
    return size > 0 && (size_t)size < capacity;
}

bool path_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool path_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool path_is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool path_next_program(const char **at, const char *word, size_t size, char *path, size_t capacity)
{
    if (size == 0 || size >= capacity)
        return false;
    if (memchr(word, '/', size) != NULL) {
        bool is_first = *at == NULL;
        snprintf(path, capacity, "%.*s", (int)size, word);
        *at = "";
        return is_first;
    }
    if (*at == NULL)
        *at = getenv("PATH");
    if (*at == NULL)
        *at = "/usr/bin:/bin";
    while (**at != '\0') {
        const char *folder = *at;
        size_t n = strcspn(folder, ":");
        int written = snprintf(path, capacity, "%.*s/%.*s", (int)n, folder, (int)size, word);
        *at += n + (folder[n] == ':');
        if (*folder == '/' && written < (int)capacity)
            return true;
    }
    return false;
}

/* ---- folder ---- */

/* An existing folder counts as made, even if nothing new may be put there. */
static int make_folder(const char *path, mode_t mode)
{
    struct stat info;
    if (mkdir(path, mode) == 0)
        return 0;
    int problem = errno;
    if (stat(path, &info) != 0)
        return problem;
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

int folder_make_parents(const char *path, bool private)
{
    if (path[0] == '\0')
        return ENOENT;
    char *copy = strdup(path);
    int problem = copy == NULL ? ENOMEM : 0;
    for (char *slash = copy; problem == 0 && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        problem = make_folder(copy, private ? 0700 : 0777);
        *slash = '/';
    }
    free(copy);
    return problem;
}

/* Cuts the last name off a path, so that it names the folder that holds it. */
static void cut_last_name(char *path)
{
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/')
        size--;
    while (size > 0 && path[size - 1] != '/')
        size--;
    while (size > 1 && path[size - 1] == '/')
        size--;
    path[size] = '\0';
    if (size == 0)
        snprintf(path, 2, ".");
}

/* Of a folder that is there. */
static int try_folder(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return errno;
    if (!S_ISDIR(info.st_mode))
        return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

int folder_can_be_filled(const char *folder)
{
    char *path = strdup(folder[0] != '\0' ? folder : ".");
    if (path == NULL)
        return ENOMEM;
    int problem = try_folder(path);
    while (problem == ENOENT && strcmp(path, "/") != 0 && strcmp(path, ".") != 0) {
        cut_last_name(path);
        problem = try_folder(path);
    }
    free(path);
    return problem;
}

int folder_can_hold(const char *file)
{
    char *path = strdup(file[0] != '\0' ? file : "."); /* room for "." */
    if (path == NULL)
        return ENOMEM;
    cut_last_name(path);
    int problem = try_folder(path);
    free(path);
    return problem;
}

/* A file under way is named by this, its process, "-" and a number. */
#define TEMPORARY_BEGIN ".attn-"

/* Whether a file's name is that of a replacement whose process ended before it did. */
static bool file_is_abandoned(const char *name)
{
    size_t size = strlen(TEMPORARY_BEGIN);
    char *end;
    if (strncmp(name, TEMPORARY_BEGIN, size) != 0)
        return false;
    long process = strtol(name + size, &end, 10);
    return *end == '-' && process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

void folder_clear_leftovers(const char *folder)
{
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (file_is_abandoned(entry->d_name))
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

bool folder_state_path(const char *name, char *path, size_t capacity)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int size;
    if (state != NULL && state[0] == '/') /* a relative one is to be ignored, says its standard */
        size = snprintf(path, capacity, "%s/attn/%s", state, name);
    else if (home != NULL && home[0] == '/')
        size = snprintf(path, capacity, "%s/.local/state/attn/%s", home, name);
    else
        return false;
    return size > 0 && (size_t)size < capacity;
}

/* ---- file ---- */

enum { TEMPORARY_TRIES = 100 };

struct file_stamp file_stamp_of(const struct stat *info)
{
    return (struct file_stamp){info->st_mtim, info->st_size, info->st_ino};
}

bool file_stamp_is(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec &&
           a->size == b->size && a->inode == b->inode;
}

bool file_write_all(int fd, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(fd, (const char *)bytes + done, size - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool file_read_all(int fd, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(fd, (char *)bytes + done, size - done);
        if (n < 0 && errno != EINTR)
            return false;
        if (n == 0) {
            errno = EIO;
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool is_regular(int fd, const char *name, size_t *ret_size, struct error *reterr)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return error_set(reterr, ERR_FILE, "%s: can't be read: %s", name, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return error_set(reterr, ERR_FILE, "%s: it is a directory; name a file in it", name);
    if (!S_ISREG(info.st_mode))
        return error_set(reterr, ERR_FILE,
                         "%s: it is a pipe or a device, and attn loads regular files", name);
    *ret_size = (size_t)info.st_size;
    return true;
}

bool file_open_regular(const char *path, const char *name, int *ret_fd, size_t *ret_size,
                       struct error *reterr)
{
    /* O_NONBLOCK: a pipe nobody writes to must not keep us waiting. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return error_set(reterr, ERR_FILE,
                         "%s: there is no such file; check the name and the folder", name);
    if (fd < 0)
        return error_set(reterr, ERR_FILE, "%s: can't be opened: %s", name, strerror(errno));
    if (!is_regular(fd, name, ret_size, reterr)) {
        close(fd);
        return false;
    }
    *ret_fd = fd;
    return true;
}

size_t file_read_at(int fd, size_t begin, void *bytes, size_t size)
{
    size_t done = 0;
    errno = 0;
    while (done < size) {
        ssize_t n = pread(fd, (char *)bytes + done, size - done, (off_t)(begin + done));
        if (n == 0 || (n < 0 && errno != EINTR))
            break;
        done += n > 0 ? (size_t)n : 0;
        errno = 0;
    }
    return done;
}

bool file_may_be_replaced(const char *path, const char *name, struct error *reterr)
{
    struct stat old;
    if (lstat(path, &old) != 0)
        return true;
    const char *why = S_ISDIR(old.st_mode)    ? "it is a directory"
                      : S_ISLNK(old.st_mode)  ? "it is a symbolic link"
                      : !S_ISREG(old.st_mode) ? "it is a pipe or a device"
                      : faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0 ? "it may not be written"
                                                                         : NULL;
    return why == NULL ||
           error_set(reterr, ERR_FILE, "%s: not saved: %s and stays as it is; choose another name",
                     name, why);
}

void file_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool file_pipe(int ends[2])
{
    if (pipe(ends) == 0) {
        if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0)
            return true;
        int problem = errno;
        close(ends[0]);
        close(ends[1]);
        errno = problem;
    }
    ends[0] = ends[1] = -1;
    return false;
}

/* Opens a new file in the folder of path, and puts its name in temporary. */
static int open_beside(const char *path, mode_t mode, char *temporary, size_t capacity)
{
    int folder = (int)(path_base_name(path) - path);
    int fd = -1;
    for (int attempt = 0; fd < 0 && attempt < TEMPORARY_TRIES; attempt++) {
        snprintf(temporary, capacity, "%.*s" TEMPORARY_BEGIN "%ld-%d", folder, path, (long)getpid(),
                 attempt);
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

bool file_replacement_begin(const char *path, mode_t mode, struct file_replacement *ret)
{
    struct stat old;
    size_t size = strlen(path);
    if (size >= sizeof ret->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(ret->path, path, size + 1);
    ret->fd = open_beside(path, mode, ret->temporary, sizeof ret->temporary);
    if (ret->fd < 0)
        return false;
    bool keeps_mode = lstat(path, &old) == 0 && S_ISREG(old.st_mode);
    return !keeps_mode || fchmod(ret->fd, old.st_mode & 0777) == 0 ||
           file_replacement_end(ret, false, false);
}

bool file_replacement_add(struct file_replacement *replacement, const void *bytes, size_t size)
{
    return file_write_all(replacement->fd, bytes, size);
}

bool file_replacement_end(struct file_replacement *replacement, bool ok, bool is_synced)
{
    ok = ok && (!is_synced || fsync(replacement->fd) == 0);
    int why = errno;
    if (close(replacement->fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    errno = why;
    if (ok && rename(replacement->temporary, replacement->path) == 0)
        return true;
    why = errno;
    unlink(replacement->temporary);
    errno = why;
    return false;
}

static bool replace(const char *path, const void *bytes, size_t size, mode_t mode, bool is_synced)
{
    struct file_replacement replacement;
    return file_replacement_begin(path, mode, &replacement) &&
           file_replacement_end(&replacement, file_replacement_add(&replacement, bytes, size),
                                is_synced);
}

bool file_replace(const char *path, const void *bytes, size_t size, mode_t mode)
{
    return replace(path, bytes, size, mode, true);
}

bool file_replace_one_of_many(const char *path, const void *bytes, size_t size, mode_t mode)
{
    return replace(path, bytes, size, mode, false);
}

static bool can_not_read(const char *path, struct error *reterr)
{
    return error_set(reterr, ERR_FILE, "%s: can't be read: %s", path, strerror(errno));
}

static bool add_file(FILE *file, const char *path, size_t max_bytes, struct text *text,
                     struct error *reterr)
{
    char bytes[8192];
    size_t begin = text->size, size;
    while ((size = fread(bytes, 1, sizeof bytes, file)) > 0) {
        text_add(text, bytes, size);
        if (text->size - begin > max_bytes)
            return error_set(reterr, ERR_FILE, "%s: it is over %zu bytes", path, max_bytes);
        if (memchr(bytes, '\0', size) != NULL && !text->failed)
            return error_set(reterr, ERR_FILE, "%s: %s", path,
                             text_is_utf16(text->bytes + begin, text->size - begin)
                                 ? "it is UTF-16; save it as UTF-8"
                                 : "there is a zero byte in it; it is not text");
    }
    if (ferror(file))
        return can_not_read(path, reterr);
    return !text->failed || error_memory(reterr, path);
}

bool file_read_text(const char *path, size_t max_bytes, struct text *text, struct error *reterr)
{
    size_t begin = text->size;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return can_not_read(path, reterr);
    bool ok = add_file(file, path, max_bytes, text, reterr);
    fclose(file);
    if (!ok)
        text_shrink(text, begin);
    return ok;
}
