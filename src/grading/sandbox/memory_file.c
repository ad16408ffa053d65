/* Files without a name, in memory: see memory_file.h. */
#include "sandbox/memory_file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/system.h"

int memory_file_open(struct error *reterr)
{
    int fd = system_memory_file();
    if (fd < 0)
        error_set(reterr, ERR_FILE, "a file in memory: %s", strerror(errno));
    return fd;
}

int memory_file_finish(int fd)
{
    int finished = system_memory_file_read_only(fd), problem = errno;
    close(fd);
    errno = problem;
    return finished;
}

bool memory_map(size_t size, struct memory *ret, struct error *reterr)
{
    struct memory memory = {.n_bytes = size};
    memory.fd = memory_file_open(reterr);
    if (memory.fd < 0)
        return false;
    if (ftruncate(memory.fd, (off_t)size) != 0 || !system_memory_file_keep_size(memory.fd)) {
        error_set(reterr, ERR_FILE, "a file in memory: %s", strerror(errno));
        close(memory.fd);
        return false;
    }
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
