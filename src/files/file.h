/* Files written and read whole. */
#ifndef ATTN_FILES_FILE_H
#define ATTN_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "base/text.h"

/* ---- path ---- */

/* Paths: taken apart, joined, looked up. */

/* What follows the last slash of path, or the whole path; part of path. */
const char *path_base_name(const char *path);

/* Writes folder/name, or name alone for the folder ".". False when it does not fit in capacity
 * bytes. */
bool path_join(char *path, size_t capacity, const char *folder, const char *name);

/* What is at path, symbolic links followed: something that is not a folder, or a folder. */
bool path_is_file(const char *path);
bool path_is_folder(const char *path);

/* A file that this process may execute. */
bool path_is_program(const char *path);

/* Writes to path where the program word[0..size) may lie: word itself where it has a slash, else
 * FOLDER/word for the next absolute folder of $PATH. *at is NULL at first, and the place in $PATH
 * after that. False when there is no further one. */
bool path_next_program(const char **at, const char *word, size_t size, char *path, size_t capacity);

/* ---- folder ---- */

/* Folders: made on the way to a file, and where attn keeps what it remembers of a person. */

/* Makes the folders that lead to path, which nobody else may read where `private`. Returns 0, or
 * an errno. */
int folder_make_parents(const char *path, bool private);

/* Whether this process may put files into a folder, which with those above it may have to be made
 * first: 0, or the errno of what is in the way. Nothing is made. What a file system of its own kind
 * says only when it is tried, such as that it is full, is not found out. */
int folder_can_be_filled(const char *folder);

/* The same of the folder in which a file will be; it must be there already. */
int folder_can_hold(const char *file);

/* Removes what processes that were killed left of files that they were writing (file.h): files
 * called .attn-PID-N, of processes that are no more. */
void folder_clear_leftovers(const char *folder);

/* Writes $XDG_STATE_HOME/attn/NAME, else ~/.local/state/attn/NAME. False when there is neither, or
 * it does not fit. */
bool folder_state_path(const char *name, char *path, size_t capacity);

/* Tells two states of a file apart, as far as its system notes them. */
struct file_stamp {
    struct timespec time; /* of the last write */
    off_t size;
    ino_t inode;
};

struct stat;
struct file_stamp file_stamp_of(const struct stat *info);
bool file_stamp_is(const struct file_stamp *a, const struct file_stamp *b); /* the same state */

/* All of the bytes, however many writes or reads it takes; signals in between do not count. False
 * with errno set; a file that ends early is EIO. */
bool file_write_all(int fd, const void *bytes, size_t size);
bool file_read_all(int fd, void *bytes, size_t size);

/* Closes *fd, which becomes -1. -1: nothing is open. */
void file_close(int *fd);

/* A pipe whose two ends are closed when a program is executed: ends[0] reads, ends[1] writes. False
 * with errno set, and then both are -1. For a process without threads. */
bool file_pipe(int ends[2]);

/* Opens the regular file at path for reading, and never waits for anybody; *ret_size is how long it
 * is. ERR_FILE, in words that begin with name: there is none, it can't be opened, it is a
 * directory, a pipe or a device. */
bool file_open_regular(const char *path, const char *name, int *ret_fd, size_t *ret_size,
                       struct error *reterr);

/* How many of the bytes [begin, begin + size) of a regular file there are; fewer at its end, or
 * with errno set. */
size_t file_read_at(int fd, size_t begin, void *bytes, size_t size);

/* May the file at path be replaced by another? A rename would put a plain file in the place of a
 * directory, a link or a device, and would not ask whether the file there may be written. ERR_FILE,
 * in words that begin with name. */
bool file_may_be_replaced(const char *path, const char *name, struct error *reterr);

/* Adds the whole file at path, of at most max_bytes, to text. ERR_FILE naming the file: it can't be
 * read, is larger, or holds a zero byte, so it is not a text. Adds nothing on failure. */
bool file_read_text(const char *path, size_t max_bytes, struct text *text, struct error *reterr);

/* A file that takes another one's place by rename when it is whole. */
struct file_replacement {
    char path[4096], temporary[4096 + 64];
    int fd;
};

/* Begins one; a file that is at path keeps its mode, a new one gets `mode` (less the umask). False
 * with errno set. */
bool file_replacement_begin(const char *path, mode_t mode, struct file_replacement *ret);
bool file_replacement_add(struct file_replacement *replacement, const void *bytes, size_t size);

/* Puts it in its place where ok, else it is gone and nothing has changed. is_synced: that it is
 * there outlives a power cut; else see system_sync(). False with errno set when it could not be, or
 * as it was where not ok. */
bool file_replacement_end(struct file_replacement *replacement, bool ok, bool is_synced);

/* Puts the bytes at path by rename, so that the file is whole at any moment: the old one, or all
 * of the new one. A file that was there keeps its mode, a new one gets `mode` (less the umask).
 * Anything at path is replaced: ask first. False with errno set, and then
 * nothing changed. */
bool file_replace(const char *path, const void *bytes, size_t size, mode_t mode);

/* The same, without waiting for the disk, which for thousands of files takes seconds: after all of
 * them comes one system_sync(), and only then does it hold that a power cut spoils none. */
bool file_replace_one_of_many(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
