/* The files of a box: those put into its folder, and those fetched from it. */
#ifndef ATTN_SANDBOX_BOX_FILES_INTERNAL_H
#define ATTN_SANDBOX_BOX_FILES_INTERNAL_H

#include "sandbox/box.h"

/* Makes a folder for one box below $TMPDIR or /tmp, for boxes without a file system of their own.
 * It belongs to uid. */
bool box_folder_make(uid_t uid, char path[], size_t capacity, struct error *reterr);
/* Removes the folder with everything in it; does not follow links. No process that could change it
 * may still run. */
void box_folder_remove(const char *path);

/* Makes files[i].fd of fds[i], if bit i of fetched is set; closes the others. If a fetched file
 * can't be used all the same, that is attn's failure, reported in *end. */
void box_files_finish(struct box_file *files, int fds[], unsigned n, unsigned fetched,
                      struct box_end *end);

/* Puts files into the folder; called by the box's init. Returns NULL, or the step that failed with
 * errno. */
const char *box_files_put(const char *folder, const struct box_file *files, unsigned n);
/* Puts in one more file, whose bytes come from a descriptor. As box_files_put(). */
const char *box_files_take(const char *folder, const char *name, int from, size_t size);
/* Copies those of files that exist to fds. *ret_fetched has a bit for each fetched file: a regular
 * file that is not too large. Returns NULL, or the step that failed with errno; it is not a failure
 * if a file is missing, or can't be opened as the program left it. */
const char *box_files_fetch(const char *folder, const struct box_file *files, const int fds[],
                            unsigned n, unsigned *ret_fetched);

#endif
