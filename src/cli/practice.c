/* The options of a learner's commands, and opening: see practice.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "cli/practice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/class/submission.h"

/* ---- options ---- */

enum {
    DEFAULT_SEED = 1, /* the same cases at every save, so that what fails stays in view */
    MAX_SPANS_COLS = 10000,
};

/* Seeds stay below 2^53, so that every format keeps them exactly. */
static uint64_t read_seed(const char *command, const char *value)
{
    char *end;
    unsigned long long seed = text_is_digit(value[0]) ? strtoull(value, &end, 10) : 0;
    if (!text_is_digit(value[0]) || *end != '\0' || seed >= 1ull << 53)
        usage_error("%s: --seed takes a whole number below 2^53", command);
    return seed;
}

struct practice_options practice_options(int argc, char **argv, unsigned allowed)
{
    struct practice_options options = {.seed = DEFAULT_SEED};
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i], *value;
        if (common_option(argc, argv, &i, &options.common))
            continue;
        if ((value = option_value(argc, argv, &i, "--exercises")) != NULL) {
            options.exercises = value;
            continue;
        }
        if ((allowed & PRACTICE_COMPILER) &&
            (value = option_value(argc, argv, &i, "--compiler")) != NULL) {
            options.compiler = value;
        } else if ((allowed & PRACTICE_SEED) &&
                   (value = option_value(argc, argv, &i, "--seed")) != NULL) {
            options.seed = read_seed(argv[0], value);
        } else if ((allowed & PRACTICE_ALL) && strcmp(arg, "--all") == 0) {
            options.all = true;
        } else if ((allowed & PRACTICE_SPANS) && strcmp(arg, "--again") == 0) {
            options.again = true;
        } else if ((allowed & PRACTICE_SPANS) &&
                   (value = option_value(argc, argv, &i, "--spans")) != NULL) {
            options.spans_cols = option_number(argv[0], "--spans", value, 1, MAX_SPANS_COLS);
        } else if (arg[0] == '-' && arg[1] != '\0') {
            unknown_option(argv[0], "--exercises --compiler --seed --all --again --spans", arg);
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

bool practice_open(const struct practice_options *options, struct practice *ret,
                   struct error *reterr)
{
    struct practice practice = {.options = *options,
                                .settings = terminal_settings(&options->common, 1)};
    if (options->spans_cols > 0)
        practice.settings.width_cols = options->spans_cols;
    if (!catalogue_open(data_dir(), own_exercises(options->exercises), &practice.catalogue, reterr))
        return false;
    practice.progress = progress_open(NULL);
    if (practice.progress == NULL) {
        catalogue_release(&practice.catalogue);
        return error_memory(reterr, "progress");
    }
    if (progress_problem(practice.progress) != NULL)
        fprintf(stderr, "attn: %s\n", progress_problem(practice.progress));
    *ret = practice;
    return true;
}

void practice_close(struct practice *practice)
{
    build_give_up(&practice->ahead);
    if (practice->exercise != NULL) {
        judge_setup_close(&practice->setup);
        exercise_free(practice->exercise);
    }
    progress_close(practice->progress);
    catalogue_release(&practice->catalogue);
    *practice = (struct practice){0};
}

int practice_error(const struct error *error)
{
    print_error(error, "", 0, NULL, 0);
    return error->kind == ERR_NAME ? EXIT_USAGE : EXIT_UNGRADED;
}

bool practice_read(const char *path, struct text *ret, struct error *reterr)
{
    const char *why = "missing";
    char *real = realpath(path, NULL); /* submissions may be no links; one's own files may */
    bool ok = real != NULL && submission_read(real, limits_default.source_bytes, ret, &why);
    free(real);
    return ok || error_set(reterr, ERR_FILE, "%s: it can't be graded: %s", path, why);
}

int practice_show(const struct practice_options *options, practice_page *page)
{
    struct practice practice;
    struct exercise *exercise;
    struct doc doc;
    struct error error;
    if (!practice_open(options, &practice, &error))
        return practice_error(&error);
    int code = EXIT_OK;
    doc_init(&doc);
    if (!(options->argument != NULL
              ? exercises_find_one(&practice.catalogue, options->argument, &exercise, &error)
              : learner_exercise(&practice.catalogue, practice.progress, &exercise, &error))) {
        code = practice_error(&error);
    } else {
        code = page(&practice, exercise, &doc);
        if (code == EXIT_OK && !finish_output(!doc.failed && print_doc(&doc, &practice.settings)))
            code = EXIT_FAILED;
        exercise_free(exercise);
    }
    doc_release(&doc);
    practice_close(&practice);
    return code;
}
