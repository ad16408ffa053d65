/* Files written and read whole: see file.h. */
#include "files/file.h"
#include "files/path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100 };

/* A file under way is named by this, its process, "-" and a number. */
#define TEMPORARY_BEGIN ".attn-"

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

bool file_is_abandoned(const char *name)
{
    size_t size = strlen(TEMPORARY_BEGIN);
    char *end;
    if (strncmp(name, TEMPORARY_BEGIN, size) != 0)
        return false;
    long process = strtol(name + size, &end, 10);
    return *end == '-' && process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
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
                                 : "there is a zero byte in it; it is no text");
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
