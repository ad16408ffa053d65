/* The calls of system.h for a system about which attn knows nothing but POSIX. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "sandbox/system.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/kept_memory.h"
#include "files/file.h"

void system_stay_on_processor(struct system_processor_set *ret_before)
{
    *ret_before = (struct system_processor_set){.known = false};
}

void system_leave_processor(const struct system_processor_set *before)
{
    (void)before;
}

bool system_random(void *bytes, size_t size)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && file_read_all(fd, bytes, size);
    file_close(&fd);
    return ok;
}

void system_end_with_parent(void)
{
}

/* Orphans are the system's, not ours. */
void system_adopt_orphans(void)
{
}

void system_end_orphans(bool alone)
{
    (void)alone;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

const char *system_program_path(const char *called, char path[SYSTEM_PATH_BYTES])
{
    char found[SYSTEM_PATH_BYTES];
    for (const char *at = NULL;
         path_next_program(&at, called, strlen(called), found, sizeof found);) {
        char *whole = path_is_program(found) ? realpath(found, NULL) : NULL;
        bool ok = whole != NULL && strlen(whole) < SYSTEM_PATH_BYTES;
        if (ok)
            memcpy(path, whole, strlen(whole) + 1);
        free(whole);
        if (ok)
            return path;
    }
    return NULL;
}

int system_memory_file(void)
{
    char path[SYSTEM_PATH_BYTES];
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/' || strlen(place) + 16 > sizeof path)
        place = "/tmp";
    snprintf(path, sizeof path, "%s/attn-XXXXXX", place);
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

size_t system_peak_bytes(void)
{
    return memory_peak_bytes();
}

bool system_sync(const char *path)
{
    (void)path;
    sync();
    return true;
}

void system_give_back_memory(void)
{
}

bool system_memory_file_keep_size(int fd)
{
    (void)fd;
    return true;
}

int system_memory_file_read_only(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    lseek(fd, 0, SEEK_SET);
    return copy;
}
