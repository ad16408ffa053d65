/* Options that every subcommand takes: see cli.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

_Noreturn void usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("attn: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_USAGE);
}

static enum colour_choice colour_choice(const char *when)
{
    if (when != NULL && strcmp(when, "always") == 0)
        return COLOUR_ALWAYS;
    if (when != NULL && strcmp(when, "never") == 0)
        return COLOUR_NEVER;
    if (when != NULL && strcmp(when, "auto") == 0)
        return COLOUR_AUTO;
    usage_error("--color: %s%sit takes auto, always or never", when ? when : "", when ? ": " : "");
}

bool common_option(int argc, char **argv, int *at, struct common_options *options)
{
    const char *option = argv[*at];
    if (strcmp(option, "--ascii") == 0) {
        options->ascii = true;
    } else if (strcmp(option, "--color") == 0) {
        options->colour = colour_choice(*at + 1 < argc ? argv[++*at] : NULL);
    } else if (strncmp(option, "--color=", 8) == 0) {
        options->colour = colour_choice(option + 8);
    } else {
        return false;
    }
    return true;
}
