/* Where this program lies, and its data: see cli.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/cli.h"
#include "sandbox/system.h"

static char path_room[SYSTEM_PATH_BYTES], data_room[PATH_MAX];
static const char *program_at;

/* Where the data lies, from the folder of the program. A build has a link to its source tree there,
 * so that no installed program ever looks into the folder that it was built from: whoever can write
 * there could put other exercises in place of these. */
static const char *const beside[] = {ATTN_DATA_FROM_PROGRAM, "source"};

void program_set(const char *called)
{
    program_at = system_program_path(called, path_room);
}

const char *program_path(void)
{
    return program_at;
}

static bool holds_assets(const char *folder)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s/assets", folder);
    return size > 0 && (size_t)size < sizeof path && access(path, R_OK) == 0;
}

const char *data_dir(void)
{
    const char *chosen = getenv("ATTN_DATA_DIR");
    if (chosen != NULL && chosen[0] != '\0')
        return chosen;
    const char *slash = program_at != NULL ? strrchr(program_at, '/') : NULL;
    for (size_t i = 0; slash != NULL && data_room[0] == '\0' && i < COUNT_OF(beside); i++) {
        char folder[PATH_MAX], found[PATH_MAX];
        int size = snprintf(folder, sizeof folder, "%.*s/%s", (int)(slash - program_at), program_at,
                            beside[i]);
        if (size > 0 && (size_t)size < sizeof folder && holds_assets(folder) &&
            realpath(folder, found) != NULL)
            memcpy(data_room, found, strlen(found) + 1);
    }
    return data_room[0] != '\0' ? data_room : NULL;
}

const char *own_exercises(const char *option)
{
    const char *chosen = getenv("ATTN_EXERCISES");
    if (option != NULL)
        return option;
    return chosen != NULL && chosen[0] != '\0' ? chosen : NULL;
}

bool read_whole_file(const char *path, size_t most, struct text *text)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char bytes[65536];
    size_t n;
    if (file == NULL)
        return false;
    while (text->size <= most && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
        text_add(text, bytes, n);
    bool ok = !ferror(file) && !text->failed;
    int problem = errno;
    if (file != stdin)
        fclose(file);
    errno = problem;
    return ok;
}
