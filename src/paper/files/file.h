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

/* The part of path after the last slash, or the whole path; points into path. */
const char *path_base_name(const char *path);

/* Writes folder/name, or name alone for the folder ".". False when it does not fit in capacity
 * bytes. */
bool path_join(char *path, size_t capacity, const char *folder, const char *name);

/* What kind of file path is, following symbolic links: anything but a folder, or a folder. */
bool path_is_file(const char *path);
bool path_is_folder(const char *path);

/* A file that this process may execute. */
bool path_is_program(const char *path);

/* Writes to path a place where the program word[0..size) may be: word itself if it has a slash,
 * else FOLDER/word for the next absolute folder of $PATH. *at is NULL at first, and the place in
 * $PATH after that. False when there is no further folder. */
bool path_next_program(const char **at, const char *word, size_t size, char *path, size_t capacity);

/* ---- folder ---- */

/* Folders: those made for a new file, and the one in which attn keeps what it remembers of a
 * person. */

/* Makes the folders that lead to path, with `private` readable only by their owner. Returns 0, or
 * an errno. */
int folder_make_parents(const char *path, bool private);

/* Whether this process may put files into a folder, which may still have to be made, as may the
 * folders above it: 0, or the errno of the obstacle. Makes nothing. Does not find out what some
 * file systems report only when they are used, such as that they are full. */
int folder_can_be_filled(const char *folder);

/* The same for the folder in which a file will be; the folder must already exist. */
int folder_can_hold(const char *file);

/* Removes the temporary files that killed processes left behind while they were writing: files
 * called .attn-PID-N, of processes that no longer run. */
void folder_clear_leftovers(const char *folder);

/* Writes $XDG_STATE_HOME/attn/NAME, else ~/.local/state/attn/NAME. False if neither variable is
 * set, or the path does not fit. */
bool folder_state_path(const char *name, char *path, size_t capacity);

/* Tells two states of a file apart, as far as the file system records them. */
struct file_stamp {
    struct timespec time; /* of the last write */
    off_t size;
    ino_t inode;
};

struct stat;
struct file_stamp file_stamp_of(const struct stat *info);
bool file_stamp_is(const struct file_stamp *a, const struct file_stamp *b); /* the same state */

/* Writes or reads all of the bytes, in as many calls as it takes; signals in between do not count.
 * False with errno set; a file that ends early is EIO. */
bool file_write_all(int fd, const void *bytes, size_t size);
bool file_read_all(int fd, void *bytes, size_t size);

/* Closes *fd, which becomes -1. Does nothing if it is -1. */
void file_close(int *fd);

/* A pipe whose two ends are closed when a program is executed: ends[0] reads, ends[1] writes. False
 * with errno set; both are -1 then. For a process without threads. */
bool file_pipe(int ends[2]);

/* Opens the regular file at path for reading, without ever waiting for another program; *ret_size
 * is its length in bytes. ERR_FILE, in words that begin with name: the file does not exist, can't
 * be opened, or is a directory, a pipe or a device. */
bool file_open_regular(const char *path, const char *name, int *ret_fd, size_t *ret_size,
                       struct error *reterr);

/* How many of the bytes [begin, begin + size) of a regular file were read; fewer at its end, or
 * with errno set. */
size_t file_read_at(int fd, size_t begin, void *bytes, size_t size);

/* May the file at path be replaced by another? A rename would put a plain file in the place of a
 * directory, a link or a device, and would ignore that the file there may not be written. ERR_FILE,
 * in words that begin with name. */
bool file_may_be_replaced(const char *path, const char *name, struct error *reterr);

/* Adds the whole file at path, of at most max_bytes, to text. ERR_FILE naming the file: it can't be
 * read, is larger, or holds a zero byte, so it is not a text. Adds nothing on failure. */
bool file_read_text(const char *path, size_t max_bytes, struct text *text, struct error *reterr);

/* A file that replaces another one by rename when it is whole. */
struct file_replacement {
    char path[4096], temporary[4096 + 64];
    int fd;
};

/* Begins a replacement; a file that is already at path keeps its mode, a new one gets `mode` (less
 * the umask). False with errno set. */
bool file_replacement_begin(const char *path, mode_t mode, struct file_replacement *ret);
bool file_replacement_add(struct file_replacement *replacement, const void *bytes, size_t size);

/* With ok, renames the replacement into place; else removes it, and nothing has changed. is_synced:
 * the new file survives a power cut; else see system_sync(). False with errno set on failure;
 * without ok, errno stays as it was. */
bool file_replacement_end(struct file_replacement *replacement, bool ok, bool is_synced);

/* Puts the bytes at path by rename, so that the file is whole at any moment: the old one, or all of
 * the new one. An existing file keeps its mode, a new one gets `mode` (less the umask). Anything at
 * path is replaced: ask file_may_be_replaced() first. False with errno set; nothing changed
 * then. */
bool file_replace(const char *path, const void *bytes, size_t size, mode_t mode);

/* The same without waiting for the disk, which takes seconds for thousands of files. Call
 * system_sync() once after all of them; only then do they survive a power cut. */
bool file_replace_one_of_many(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
