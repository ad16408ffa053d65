/* Files into a box and out of it: see box_files_internal.h. */
#include "sandbox/box_files_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/file.h"
#include "sandbox/memory_file.h"

enum { MAX_DEPTH = 64, FILE_MODE = 0700 };

/* ---- attn's side ---- */

bool box_folder_make(uid_t uid, char path[], size_t capacity, struct error *reterr)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/' || strlen(place) + 16 > capacity)
        place = "/tmp";
    snprintf(path, capacity, "%s/attn-XXXXXX", place);
    if (mkdtemp(path) == NULL) {
        error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
        path[0] = '\0';
        return false;
    }
    if (uid != geteuid() && chown(path, uid, (gid_t)-1) != 0)
        return error_set(reterr, ERR_FILE, "%s: %s", path, strerror(errno));
    return true;
}

/* Empties the folder that is open at fd, which it closes. */
static void empty_folder(int fd, unsigned depth)
{
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder == NULL) {
        if (fd >= 0)
            close(fd);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        if (unlinkat(fd, name, 0) == 0 || depth == MAX_DEPTH)
            continue;
        empty_folder(openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1);
        unlinkat(fd, name, AT_REMOVEDIR);
    }
    closedir(folder);
}

void box_folder_remove(const char *path)
{
    empty_folder(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), 0);
    rmdir(path);
}

void box_files_finish(struct box_file *files, int fds[], unsigned n, unsigned fetched,
                      struct box_end *end)
{
    for (unsigned i = 0; i < n; i++) {
        int fd = memory_file_finish(fds[i]), problem = errno;
        fds[i] = -1;
        if (!(fetched & 1u << i)) {
            file_close(&fd);
            continue;
        }
        files[i].fd = fd;
        if (fd < 0) { /* which is not the program's fault */
            end->how = BOX_FAILED;
            snprintf(end->failure, sizeof end->failure, "files: %s: %s", files[i].name,
                     strerror(problem));
        }
    }
}

/* ---- in the box ---- */

static bool copy(int from, int to, size_t size)
{
    char bytes[1 << 15];
    while (size > 0) {
        ssize_t n = read(from, bytes, sizeof bytes < size ? sizeof bytes : size);
        if (n == 0)
            errno = EIO;
        if (n <= 0 || !file_write_all(to, bytes, (size_t)n))
            return false;
        size -= (size_t)n;
    }
    return true;
}

/* A new file in the folder that is open at fd, to be written. */
static int new_file(int folder, const char *name)
{
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
}

/* Ends the steps of one that puts files in. */
static const char *end_putting(int folder, bool ok)
{
    int problem = errno;
    close(folder);
    errno = problem;
    return ok ? NULL : "files: to put them in";
}

const char *box_files_put(const char *folder, const struct box_file *files, unsigned n)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return "files: the folder";
    bool ok = true;
    for (unsigned i = 0; ok && i < n; i++) {
        int file = new_file(fd, files[i].name);
        ok = file >= 0 && file_write_all(file, files[i].bytes, files[i].size);
        if (file >= 0)
            ok = close(file) == 0 && ok;
    }
    return end_putting(fd, ok);
}

const char *box_files_take(const char *folder, const char *name, int from, size_t size)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return "files: the folder";
    int file = new_file(fd, name);
    bool ok = file >= 0 && copy(from, file, size);
    if (file >= 0)
        ok = close(file) == 0 && ok;
    return end_putting(fd, ok);
}

/* The machine's fault: the program can't make an open() fail like this, whatever it left there. */
static bool is_machines_fault(int problem)
{
    return problem == EMFILE || problem == ENFILE || problem == ENOMEM || problem == EIO;
}

/* The program may have put anything in the file's place: a link, a pipe, a folder. False: a failure
 * of ours, with errno. */
static bool fetch_file(int folder, const struct box_file *file, int to, bool *ret_fetched)
{
    struct stat status;
    int fd = openat(folder, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *ret_fetched = false;
    if (fd < 0)
        return !is_machines_fault(errno);
    bool fits = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0 &&
                (size_t)status.st_size <= file->max_size;
    *ret_fetched = fits && copy(fd, to, (size_t)status.st_size);
    int problem = errno;
    close(fd);
    errno = problem;
    return !fits || *ret_fetched;
}

const char *box_files_fetch(const char *folder, const struct box_file *files, const int fds[],
                            unsigned n, unsigned *ret_fetched)
{
    bool ok = true, fetched;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *ret_fetched = 0;
    if (fd < 0)
        return is_machines_fault(errno) ? "files: to fetch them" : NULL;
    for (unsigned i = 0; ok && i < n; i++) {
        ok = fetch_file(fd, &files[i], fds[i], &fetched);
        *ret_fetched |= (fetched ? 1u : 0u) << i;
    }
    int problem = errno;
    close(fd);
    errno = problem;
    return ok ? NULL : "files: to fetch them";
}
