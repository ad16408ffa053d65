/* Paths: taken apart, joined, looked up. */
#ifndef ATTN_FILES_PATH_H
#define ATTN_FILES_PATH_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
