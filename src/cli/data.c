/* Where attn's data is: see cli.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

static bool holds_assets(const char *folder)
{
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/assets", folder);
    return size > 0 && (size_t)size < sizeof path && access(path, R_OK) == 0;
}

const char *data_dir(void)
{
    const char *chosen = getenv("ATTN_DATA_DIR");
    if (chosen != NULL && chosen[0] != '\0')
        return chosen;
    if (holds_assets(ATTN_SOURCE_DATA_DIR))
        return ATTN_SOURCE_DATA_DIR;
    return holds_assets(ATTN_INSTALL_DATA_DIR) ? ATTN_INSTALL_DATA_DIR : NULL;
}

const char *own_exercises(const char *option)
{
    const char *chosen = getenv("ATTN_EXERCISES");
    if (option != NULL)
        return option;
    return chosen != NULL && chosen[0] != '\0' ? chosen : NULL;
}
