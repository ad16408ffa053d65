/* Programs as files: see image.h. */
#define _GNU_SOURCE
#include "grader/image.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <elf.h>
#include <link.h>

enum { MAX_SEGMENTS = 64 };

size_t image_bytes(int fd)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[MAX_SEGMENTS];
    size_t bytes = 0;
    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header.e_phentsize != sizeof *segments || header.e_phnum > MAX_SEGMENTS)
        return 0;
    size_t size = header.e_phnum * sizeof *segments;
    if (pread(fd, segments, size, (off_t)header.e_phoff) != (ssize_t)size)
        return 0;
    for (unsigned i = 0; i < header.e_phnum; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_memsz <= SIZE_MAX - bytes)
            bytes += segments[i].p_memsz;
    return bytes;
}
#else
size_t image_bytes(int fd)
{
    (void)fd;
    return 0;
}
#endif
