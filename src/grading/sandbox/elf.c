/* Programs as files: see elf.h. */
#define _GNU_SOURCE
#include "sandbox/elf.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <elf.h>
#include <link.h>

enum { MAX_SEGMENTS = 64 };

/* Reads the table of segments. False if the file is not a program that this machine could run. */
static bool read_segments(int fd, ElfW(Phdr) segments[MAX_SEGMENTS], unsigned *ret_n)
{
    ElfW(Ehdr) header;
    if (pread(fd, &header, sizeof header, 0) != (ssize_t)sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header.e_phentsize != sizeof *segments || header.e_phnum > MAX_SEGMENTS)
        return false;
    size_t size = header.e_phnum * sizeof *segments;
    *ret_n = header.e_phnum;
    return pread(fd, segments, size, (off_t)header.e_phoff) == (ssize_t)size;
}

size_t elf_bytes(int fd)
{
    ElfW(Phdr) segments[MAX_SEGMENTS];
    unsigned n;
    size_t bytes = 0;
    if (!read_segments(fd, segments, &n))
        return 0;
    for (unsigned i = 0; i < n; i++)
        if (segments[i].p_type == PT_LOAD && segments[i].p_memsz <= SIZE_MAX - bytes)
            bytes += segments[i].p_memsz;
    return bytes;
}

bool elf_stands_alone(int fd)
{
    ElfW(Phdr) segments[MAX_SEGMENTS];
    unsigned n;
    if (!read_segments(fd, segments, &n))
        return false;
    for (unsigned i = 0; i < n; i++)
        if (segments[i].p_type == PT_INTERP)
            return false;
    return true;
}
