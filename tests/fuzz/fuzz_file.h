/* An input as a file, for readers that take a path: one file in $TMPDIR, written anew each time. */
#ifndef ATTN_TESTS_FUZZ_FILE_H
#define ATTN_TESTS_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that is there until the program ends. */
static inline const char *fuzz_folder(void)
{
    static char folder[200];
    const char *parent = getenv("TMPDIR");
    if (folder[0] != '\0')
        return folder;
    snprintf(folder, sizeof folder, "%s/attn-fuzz-%ld", parent != NULL ? parent : "/tmp",
             (long)getpid());
    if (mkdir(folder, 0700) != 0)
        abort();
    return folder;
}

/* Writes FOLDER/name; path has room for 300 bytes. Returns path. */
static inline const char *fuzz_write(char *path, const char *name, const void *bytes, size_t size)
{
    snprintf(path, 300, "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

#endif
