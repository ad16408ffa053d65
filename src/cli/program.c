/* Where this very program lies: see cli.h. */
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "cli/cli.h"

const char *own_path(char path[PROGRAM_PATH_BYTES])
{
#ifdef __APPLE__
    uint32_t size = PROGRAM_PATH_BYTES;
    return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
#else
    static const char link[] = "/proc/self/exe";
    char found[PROGRAM_PATH_BYTES];
    ssize_t size = readlink(link, found, sizeof found - 1);
    found[size > 0 ? size : 0] = '\0';
    if (size > 0 && access(found, X_OK) == 0)
        return memcpy(path, found, (size_t)size + 1);
    return access(link, X_OK) == 0 ? link : NULL; /* it was replaced by a newer one */
#endif
}
