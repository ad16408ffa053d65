/* Files without a name, in memory: see memory_file.h. */
#define _GNU_SOURCE
#include "sandbox/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __linux__
/* Programs come back in such files, so they must be executable where systems ask (since 6.3). */
static int nameless_file(void)
{
    const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING, executable = 0x10;
    int fd = memfd_create("attn", flags | executable);
    return fd >= 0 || errno != EINVAL ? fd : memfd_create("attn", flags);
}

static bool keep_size(int fd)
{
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

/* A program can't be executed while somebody holds a descriptor that writes to it. */
static int read_only(int fd)
{
    char path[48];
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}
#else
static int nameless_file(void)
{
    char path[] = "/tmp/attn-XXXXXX";
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

static bool keep_size(int fd)
{
    (void)fd;
    return true;
}

static int read_only(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    lseek(fd, 0, SEEK_SET);
    return copy;
}
#endif

int memory_file_open(struct error *reterr)
{
    int fd = nameless_file();
    if (fd < 0)
        error_set(reterr, ERR_FILE, "a file in memory: %s", strerror(errno));
    return fd;
}

int memory_file_finish(int fd)
{
    int finished = read_only(fd), problem = errno;
    close(fd);
    errno = problem;
    return finished;
}

int memory_file_new(size_t size, struct error *reterr)
{
    int fd = memory_file_open(reterr);
    if (fd < 0 || (ftruncate(fd, (off_t)size) == 0 && keep_size(fd)))
        return fd;
    error_set(reterr, ERR_FILE, "a file in memory: %s", strerror(errno));
    close(fd);
    return -1;
}

bool memory_map(size_t size, struct memory *ret, struct error *reterr)
{
    struct memory memory = {.n_bytes = size};
    memory.fd = memory_file_new(size, reterr);
    if (memory.fd < 0)
        return false;
    if (size > 0)
        memory.bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, 0);
    if (memory.bytes == MAP_FAILED) {
        close(memory.fd);
        return error_set(reterr, ERR_MEMORY, "shared memory: %s", strerror(errno));
    }
    *ret = memory;
    return true;
}

void memory_release(struct memory *memory)
{
    if (memory->fd < 0)
        return;
    if (memory->bytes != NULL)
        munmap(memory->bytes, memory->n_bytes);
    close(memory->fd);
    *memory = (struct memory){.fd = -1};
}
