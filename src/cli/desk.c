/* A learner's desk: options, opening, reading. See desk.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "cli/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/submission.h"

/* ---- options ---- */

enum {
    DEFAULT_SEED = 1, /* the same cases at every save, so that what fails stays in view */
    MAX_SPANS_COLS = 10000,
};

/* Seeds stay below 2^53, so that every format keeps them exactly. */
static uint64_t read_seed(const char *command, const char *value)
{
    char *end;
    bool number = value != NULL && value[0] >= '0' && value[0] <= '9';
    unsigned long long seed = number ? strtoull(value, &end, 10) : 0;
    if (!number || *end != '\0' || seed >= 1ull << 53)
        usage_error("%s: --seed takes a whole number below 2^53", command);
    return seed;
}

static size_t read_spans(const char *command, const char *value)
{
    unsigned long cols =
        value != NULL && value[0] >= '0' && value[0] <= '9' ? strtoul(value, NULL, 10) : 0;
    if (cols < 1 || cols > MAX_SPANS_COLS)
        usage_error("%s: --spans takes a number of columns", command);
    return cols;
}

struct desk_options desk_options(int argc, char **argv, unsigned allowed)
{
    struct desk_options options = {.seed = DEFAULT_SEED};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (common_option(argc, argv, &i, &options.common))
            continue;
        if ((allowed & DESK_COMPILER) && strcmp(arg, "--compiler") == 0) {
            if (value == NULL)
                usage_error("%s: --compiler: a compiler's name must follow", argv[0]);
            options.compiler = argv[++i];
        } else if ((allowed & DESK_SEED) && strcmp(arg, "--seed") == 0) {
            options.seed = read_seed(argv[0], value);
            i++;
        } else if ((allowed & DESK_ALL) && strcmp(arg, "--all") == 0) {
            options.all = true;
        } else if ((allowed & DESK_SPANS) && strcmp(arg, "--again") == 0) {
            options.again = true;
        } else if ((allowed & DESK_SPANS) && strcmp(arg, "--spans") == 0) {
            options.spans_cols = read_spans(argv[0], value);
            i++;
        } else if (arg[0] == '-' && arg[1] != '\0') {
            usage_error("%s: %s: no such option; attn --help lists them", argv[0], arg);
        } else if (options.argument != NULL) {
            usage_error("%s: %s: one at a time; %s comes before it", argv[0], arg,
                        options.argument);
        } else {
            options.argument = arg;
        }
    }
    return options;
}

/* ---- opening ---- */

bool desk_open(const struct desk_options *options, struct desk *ret, struct error *reterr)
{
    struct desk desk = {.options = *options, .settings = terminal_settings(&options->common, 1)};
    if (options->spans_cols > 0)
        desk.settings.width_cols = options->spans_cols;
    if (!catalogue_open(data_dir(), &desk.catalogue, reterr))
        return false;
    desk.progress = progress_open(NULL);
    if (desk.progress == NULL) {
        catalogue_release(&desk.catalogue);
        return error_memory(reterr, "progress");
    }
    if (progress_problem(desk.progress) != NULL)
        fprintf(stderr, "attn: %s\n", progress_problem(desk.progress));
    *ret = desk;
    return true;
}

void desk_close(struct desk *desk)
{
    if (desk->exercise != NULL) {
        judge_setup_close(&desk->setup);
        exercise_free(desk->exercise);
    }
    progress_close(desk->progress);
    catalogue_release(&desk->catalogue);
    *desk = (struct desk){0};
}

int desk_error(const struct error *error)
{
    print_error(error, "", 0, NULL, 0);
    return error->kind == ERR_NAME ? EXIT_USAGE : EXIT_UNGRADED;
}

bool desk_read(const char *path, struct text *ret, struct error *reterr)
{
    const char *why = "missing";
    char *real = realpath(path, NULL); /* submissions may be no links; one's own files may */
    bool ok = real != NULL && submission_read(real, limits_default.source_bytes, ret, &why);
    free(real);
    return ok || error_set(reterr, ERR_FILE, "%s: it can't be graded: %s", path, why);
}
