/* Options that every subcommand takes: see cli.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
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

/* Considers every --word that a help text names. */
static void try_options(struct suggestion *suggestion, const char *help)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
    char name[40];
    for (const char *at = strstr(help, "--"); at != NULL; at = strstr(at + 2, "--")) {
        size_t size = strspn(at, letters);
        if (size > 2 && size < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)size, at);
            suggestion_try(suggestion, name);
        }
    }
}

_Noreturn void unknown_option(const char *command, const char *help, const char *option)
{
    struct suggestion suggestion;
    char prefix[40] = "";
    suggestion_init(&suggestion, option, strcspn(option, "="));
    try_options(&suggestion, "--ascii --color --help --version");
    try_options(&suggestion, help != NULL ? help : "");
    if (command != NULL)
        snprintf(prefix, sizeof prefix, "%s: ", command);
    if (suggestion.best[0] != '\0')
        usage_error("%s%s: no such option; did you mean %s?", prefix, option, suggestion.best);
    usage_error("%s%s: no such option; attn %s%s--help lists them", prefix, option,
                command != NULL ? command : "", command != NULL ? " " : "");
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

const char *options_first_word(int argc, char **argv)
{
    struct common_options ignored = {0};
    int at = 1;
    while (at < argc && common_option(argc, argv, &at, &ignored))
        at++;
    if (at >= argc)
        return NULL;
    char *word = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = word;
    return word;
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
