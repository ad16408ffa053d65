/* A learner's folder of starters. */
#ifndef ATTN_EXERCISE_WORKSPACE_H
#define ATTN_EXERCISE_WORKSPACE_H

#include "exercise/exercises.h"

struct workspace_report {
    size_t n_written, n_kept; /* files that were made; files that existed and stay untouched */
};

/* Makes folder (and its parents) with the starters; tasks/ with their tasks; attn_show.h;
 * headers/, compile_flags.txt and .clangd for an editor; and a short README. Never overwrites a
 * file, nor follows a link in the place of one. data_dir is for computing the tasks. */
bool workspace_start(const struct exercises *exercises, const char *folder, const char *data_dir,
                     struct workspace_report *ret, struct error *reterr);
/* Restores the starter at path, after moving the old file to a backup, path.N.bak with the first
 * free N; *ret_backup (to be freed) is its name, NULL if there was no file. At no moment is path
 * missing or half written. */
bool workspace_reset(const struct exercise *exercise, const char *path, char **ret_backup,
                     struct error *reterr);

#endif
