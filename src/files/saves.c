/* The saves of a folder's files: see saves.h. */
#include "files/saves.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#include <sys/vfs.h>
#endif

#include "base/array.h"

struct saved_file {
    char name[SAVES_NAME_BYTES];
    struct timespec time;
    off_t size;
    ino_t inode;
};

/* ---- what was saved ---- */

static bool add_name(struct saves *saves, const char *name, struct error *reterr)
{
    if (strlen(name) >= SAVES_NAME_BYTES)
        return true;
    for (size_t i = 0; i < saves->n_names; i++)
        if (strcmp(saves->names[i], name) == 0)
            return true;
    char(*names)[SAVES_NAME_BYTES] =
        array_grow(saves->names, saves->n_names, &saves->names_capacity, sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "the saved files");
    saves->names = names;
    snprintf(names[saves->n_names++], SAVES_NAME_BYTES, "%s", name);
    return true;
}

bool saves_next(struct saves *saves, char name[SAVES_NAME_BYTES])
{
    if (saves->n_names == 0)
        return false;
    memcpy(name, saves->names[0], SAVES_NAME_BYTES);
    memmove(saves->names, saves->names + 1, --saves->n_names * sizeof *saves->names);
    return true;
}

/* ---- looking ---- */

static struct saved_file *file_called(struct saves *saves, const char *name)
{
    for (size_t i = 0; i < saves->n_files; i++)
        if (strcmp(saves->files[i].name, name) == 0)
            return &saves->files[i];
    return NULL;
}

static bool same_file(const struct saved_file *a, const struct saved_file *b)
{
    return a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec &&
           a->size == b->size && a->inode == b->inode;
}

/* Notes how a file is now; it counts as saved when that is new. */
static bool note_file(struct saves *saves, const struct saved_file *now, struct error *reterr)
{
    struct saved_file *file = file_called(saves, now->name);
    if (file != NULL && same_file(file, now))
        return true;
    if (file == NULL) {
        struct saved_file *files =
            array_grow(saves->files, saves->n_files, &saves->files_capacity, sizeof *files);
        if (files == NULL)
            return error_memory(reterr, "the saved files");
        saves->files = files;
        file = &files[saves->n_files++];
    }
    *file = *now;
    return add_name(saves, now->name, reterr);
}

static bool is_c_file(const char *name)
{
    size_t size = strlen(name);
    return size > 2 && size < SAVES_NAME_BYTES && strcmp(name + size - 2, ".c") == 0;
}

/* Looks at all C files of the folder. */
static bool scan(struct saves *saves, struct error *reterr)
{
    DIR *folder = opendir(saves->folder);
    bool ok = true;
    saves->gone = folder == NULL;
    for (struct dirent *entry; ok && folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat info;
        if (!is_c_file(entry->d_name) || fstatat(dirfd(folder), entry->d_name, &info, 0) != 0)
            continue;
        struct saved_file now = {.time = info.st_mtim, .size = info.st_size, .inode = info.st_ino};
        snprintf(now.name, sizeof now.name, "%s", entry->d_name);
        ok = note_file(saves, &now, reterr);
    }
    if (folder != NULL)
        closedir(folder);
    return ok;
}

#ifdef __linux__

/* File systems whose files may change without this machine's doing, where no event tells of it;
 * their magic numbers are the kernel's. */
static const char *silent_file_system(const char *folder)
{
    static const struct {
        unsigned long magic;
        const char *name;
    } kinds[] = {{0x01021997, "9p"},      {0x6969, "NFS"},        {0xFF534D42, "CIFS"},
                 {0xFE534D42, "SMB"},     {0x517B, "SMB"},        {0x65735546, "FUSE"},
                 {0x794C7630, "overlay"}, {0x786F4256, "vboxsf"}, {0x00C36400, "Ceph"}};
    struct statfs info;
    if (statfs(folder, &info) != 0)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (((unsigned long)info.f_type & 0xFFFFFFFF) == kinds[i].magic)
            return kinds[i].name;
    return NULL;
}

static int open_events(const char *folder)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const uint32_t wanted = IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
    if (fd >= 0 && inotify_add_watch(fd, folder, wanted | IN_ONLYDIR) < 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool read_events(struct saves *saves, struct error *reterr)
{
    _Alignas(struct inotify_event) char bytes[16384];
    ssize_t size;
    bool ok = true;
    while (ok && (size = read(saves->fd, bytes, sizeof bytes)) > 0) {
        const struct inotify_event *event;
        for (ssize_t at = 0; ok && at < size; at += (ssize_t)(sizeof *event + event->len)) {
            event = (const void *)(bytes + at);
            saves->gone = saves->gone || (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF)) != 0;
            if (event->len > 0 && is_c_file(event->name))
                ok = add_name(saves, event->name, reterr);
        }
    }
    return ok;
}

static void choose_way(struct saves *saves)
{
    saves->fd = open_events(saves->folder);
    saves->polls_why =
        saves->fd < 0 ? "no file events can be had" : silent_file_system(saves->folder);
}

#else

static bool read_events(struct saves *saves, struct error *reterr)
{
    (void)saves;
    (void)reterr;
    return true;
}

static void choose_way(struct saves *saves)
{
    saves->fd = -1;
    saves->polls_why = "this system has no inotify";
}

#endif

/* ---- the whole ---- */

bool saves_open(const char *folder, struct saves *ret, struct error *reterr)
{
    struct saves saves = {.folder = folder, .fd = -1};
    choose_way(&saves); /* before looking, so that no save falls between */
    bool ok = scan(&saves, reterr);
    if (ok && saves.gone)
        ok = error_set(reterr, ERR_FILE, "%s: can't be watched: %s", folder, strerror(errno));
    saves.n_names = 0;
    if (!ok) {
        saves_close(&saves);
        return false;
    }
    *ret = saves;
    return true;
}

void saves_close(struct saves *saves)
{
    if (saves->fd >= 0)
        close(saves->fd);
    free(saves->names);
    free(saves->files);
    *saves = (struct saves){.fd = -1};
}

bool saves_look(struct saves *saves, struct error *reterr)
{
    bool ok = saves->fd < 0 || read_events(saves, reterr);
    return ok && (saves->polls_why == NULL || scan(saves, reterr));
}
