/* Files written and read whole. */
#ifndef ATTN_FILES_FILE_H
#define ATTN_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

/* All of the bytes, however many writes or reads it takes; signals in between do not count. False
 * with errno set; a file that ends early is EIO. */
bool file_write_all(int fd, const void *bytes, size_t size);
bool file_read_all(int fd, void *bytes, size_t size);

/* Closes *fd, which becomes -1. -1: nothing is open. */
void file_close(int *fd);
/* A pipe whose two ends are closed when a program is executed: ends[0] reads, ends[1] writes. False
 * with errno set, and then both are -1. For a process without threads. */
bool file_pipe(int ends[2]);

/* Adds the whole file at path, of at most max_bytes, to text. ERR_FILE naming the file: it can't be
 * read, is larger, or holds a zero byte, so it is not a text. Adds nothing on failure. */
bool file_read_text(const char *path, size_t max_bytes, struct text *text, struct error *reterr);

/* Puts the bytes at path by rename, so that the file is whole at any moment: the old one, or all
 * of the new one. A file that was there keeps its mode, a new one gets `mode` (less the umask).
 * Anything at path is replaced: ask first. False with errno set, and then
 * nothing changed. */
bool file_replace(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
