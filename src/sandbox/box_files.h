/* The files of a box: those that are put into its folder, and those that are fetched from there. */
#ifndef ATTN_SANDBOX_BOX_FILES_H
#define ATTN_SANDBOX_BOX_FILES_H

#include "sandbox/box.h"

/* A folder for one box below $TMPDIR or /tmp, for where it gets no file system of its own. It
 * belongs to uid. */
bool box_folder_make(uid_t uid, char path[], size_t capacity, struct error *reterr);
/* With all that is in it; links are not followed. Nothing that could change it may run any more. */
void box_folder_remove(const char *path);

/* Makes files[i].fd of fds[i], into which it was fetched where bit i of fetched is set; closes the
 * others. What was fetched and can't be had all the same is a failure of ours, told in *end. */
void box_files_finish(struct box_file *files, int fds[], unsigned n, unsigned fetched,
                      struct box_end *end);

/* By the box's init. NULL, or the step that failed with errno. */
const char *box_files_put(const char *folder, const struct box_file *files, unsigned n);
/* Puts one more in, whose bytes come from a descriptor. As box_files_put(). */
const char *box_files_take(const char *folder, const char *name, int from, size_t size);
/* Copies what there is of files to fds. *ret_fetched is a bit for each that was fetched: a regular
 * file that is not too large. NULL, or the step that failed with errno; that a file is missing, or
 * can't be opened for what the program made of it, is no failure. */
const char *box_files_fetch(const char *folder, const struct box_file *files, const int fds[],
                            unsigned n, unsigned *ret_fetched);

#endif
