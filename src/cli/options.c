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

const char *option_value(int argc, char **argv, int *at, const char *name)
{
    const char *arg = argv[*at];
    size_t size = strlen(name);
    if (strncmp(arg, name, size) != 0 || (arg[size] != '\0' && arg[size] != '='))
        return NULL;
    if (arg[size] == '=')
        return arg + size + 1;
    if (*at + 1 == argc)
        usage_error("%s: %s: a value must follow", argv[0], name);
    return argv[++*at];
}

uint64_t option_number(const char *command, const char *name, const char *value, uint64_t low,
                       uint64_t high)
{
    char *end = NULL;
    bool digits = text_is_digit(value[0]) && strlen(value) < 19;
    unsigned long long number = digits ? strtoull(value, &end, 10) : 0;
    if (!digits || *end != '\0' || number < low || number > high)
        usage_error("%s: %s takes a whole number from %llu to %llu", command, name,
                    (unsigned long long)low, (unsigned long long)high);
    return number;
}
