/* attn tutor: the full screen. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "cli/cli.h"
#include "ui/app.h"

enum { PATH_BYTES = 4096 };

/* Where this very program lies, for it to run again; NULL where that can't be found. */
static const char *own_path(char path[PATH_BYTES])
{
#ifdef __APPLE__
    uint32_t size = PATH_BYTES;
    return _NSGetExecutablePath(path, &size) == 0 ? path : NULL;
#else
    static const char link[] = "/proc/self/exe";
    ssize_t size = readlink(link, path, PATH_BYTES - 1);
    path[size > 0 ? size : 0] = '\0';
    if (size > 0 && access(path, X_OK) == 0)
        return path;
    return access(link, X_OK) == 0 ? link : NULL; /* it was replaced by a newer one */
#endif
}

int tutor_main(int argc, char **argv)
{
    struct common_options common = {0};
    struct app_options options = {0};
    struct error error;
    char path[PATH_BYTES];
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &common))
            continue;
        if (argv[i][0] == '-' || options.lesson != NULL)
            usage_error("tutor: %s: a lesson at most may stand here", argv[i]);
        options.lesson = argv[i];
    }
    options.settings = terminal_settings(&common, 1);
    options.data_dir = data_dir();
    options.program = own_path(path);
    options.screen = (struct display_options){.no_colour = options.settings.colours == COLOURS_NONE,
                                              .ascii = options.settings.ascii};
    if (app_run(&options, &error))
        return EXIT_OK;
    fprintf(stderr, "attn: %s\n", error.text);
    return EXIT_FAILED;
}
