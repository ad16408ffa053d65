/* The options of attn grade: see grade_options.h. */
#include "cli/grade_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "base/size.h"
#include "base/text.h"
#include "sandbox/box.h"

enum { MAX_JOBS = 1024 };

static void take_layer(const char *command, const struct option *option, const char *value,
                       void *field)
{
    (void)option;
    unsigned *without = field;
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1)
        if (strcmp(layer_name((enum layer)bit), value) == 0) {
            *without |= bit;
            return;
        }
    usage_error("%s: --without %s: no such layer; the report's head names them", command, value);
}

/* "3/200" */
static void take_part(const char *command, const struct option *option, const char *value,
                      void *field)
{
    (void)option;
    struct grade_part *part = field;
    char number[16] = "";
    const char *slash = strchr(value, '/');
    size_t size = slash != NULL ? (size_t)(slash - value) : 0;
    if (size == 0 || size >= sizeof number)
        usage_error("%s: --part %s: a part is K/N: the first of 20 is 1/20", command, value);
    memcpy(number, value, size);
    part->n = (unsigned)option_number(command, "--part", slash + 1, 1, PARTS_MAX);
    part->k = (unsigned)option_number(command, "--part", number, 1, part->n);
}

#define MAX_SEED ((UINT64_C(1) << RESULTS_MAX_SEED_BITS) - 1)

/* The number that is all of a file: a seed on the command line can be read by everybody on the
 * machine while attn starts. */
static void take_seed_file(const char *command, const struct option *option, const char *value,
                           void *field)
{
    char text[64], *end;
    bool is_stdin = strcmp(value, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(value, "r");
    if (file == NULL)
        usage_error("%s: %s %s: %s", command, option->name, value, strerror(errno));
    size_t size = fread(text, 1, sizeof text - 1, file);
    if (!is_stdin)
        fclose(file);
    text[size] = '\0';
    errno = 0;
    unsigned long long seed = strtoull(text, &end, 10);
    end += strspn(end, " \t\r\n");
    if (!text_is_digit(text[0]) || *end != '\0' || errno != 0 || seed > MAX_SEED)
        usage_error("%s: %s %s: it holds no seed: a whole number from 0 to %llu, and nothing else",
                    command, option->name, value, (unsigned long long)MAX_SEED);
    *(uint64_t *)field = seed;
}

#define SETS(field) OPTION_SETS(struct grade_options, field)

const struct option grade_table[] = {
    OPTIONS_COMMON(struct grade_options),
    {OPTION_TABLE, .table = class_rules_table, SETS(rules)},
    {OPTION_TEXT, "--exercise", "ID",
     "which exercise all files are for, if their names do not say it", SETS(exercise)},
    {OPTION_TEXT, "--student", "NAME", "whose files they are, if no folder says it", SETS(student)},
    {OPTION_PATH, "--handed-in", "FILE",
     "when each student handed in, a CSV as schools' systems write it", SETS(rules.times_path)},
    {OPTION_PATH, "--compare", "FOLDER",
     "works to compare with, such as last year's, which are not graded", SETS(compare_path)},
    {OPTION_NUMBER, "--jobs", "N", "how many are graded at once; else as many as there are cores",
     SETS(jobs), .low = 1, .high = MAX_JOBS},
    {OPTION_OWN, "--part", "K/N",
     "grades the students of part K of N; see More than one machine in docs/instructors.md",
     SETS(part), .take = take_part},
    {OPTION_NUMBER, "--seed", "N",
     "draws the cases of an earlier run again; else the seed is random, and stands in the json "
     "report",
     SETS(seed), .high = MAX_SEED, OPTION_GIVEN(struct grade_options, has_seed), .is_secret = true},
    {OPTION_OWN, "--seed-file", "FILE",
     "the same, with the seed in a file that only you can read; - is standard input", SETS(seed),
     .take = take_seed_file, OPTION_GIVEN(struct grade_options, has_seed)},
    {OPTION_TABLE, .table = outputs_table, SETS(outputs)},
    {OPTION_FLAG, "--resume", NULL, "goes on from the json report of a run that was ended early",
     SETS(resume)},
    {OPTION_FLAG, "--show-inputs", NULL,
     "messages show the numbers that a failing case was given, and what was printed",
     SETS(shows_inputs)},
    {OPTION_FLAG, "--times", NULL,
     "says at the end, on standard error, how long it took and how much of the processor time the "
     "compiler and the linker needed",
     SETS(tells_times)},
    {OPTION_TEXT, "--compiler", "CC", "else $CC, cc, gcc, clang or tcc", SETS(compiler)},
    {OPTION_FLAG, "--accept-weak-isolation", NULL,
     "grades although the sandbox lacks something it needs, and says so", SETS(accepts_weak)},
    {OPTION_OWN, "--without", "LAYER", "leaves out a layer of the sandbox, for trials",
     SETS(without), .take = take_layer},
    {OPTION_FLAG, "--limits", NULL, "shows all limits and grades nothing", SETS(only_limits)},
    {.kind = OPTION_END},
};

static void check(struct grade_options *options)
{
    if (options->only_limits)
        return;
    if (options->rules.assignment_path != NULL && options->exercise != NULL)
        usage_error(
            "grade: --exercise %s: the assignment says what the exercises are; leave one out",
            options->exercise);
    if (options->n_paths == 0)
        usage_error("grade: name what to grade: a file, a folder of files, or a folder with a "
                    "folder for each student");
    if (options->outputs.n == 0)
        options->outputs.n = 1; /* text to standard output */
    if (options->resume && options->outputs.anonymous != NULL)
        usage_error("grade: --resume --anonymous: a report without names can't be gone on from; "
                    "attn report --anonymous takes them away later");
    outputs_check("grade", &options->outputs, "text");
    if (options->resume && outputs_json(&options->outputs) == NULL)
        usage_error("grade: --resume needs the report to go on from: --format json --output FILE");
}

struct grade_options grade_options(int argc, char **argv)
{
    struct grade_options options = {.paths = argv + 1,
                                    .jobs = (unsigned)size_min(processors_count(), MAX_JOBS)};
    options.n_paths = options_read_table("grade", grade_table, argc, argv, &options);
    check(&options);
    return options;
}
