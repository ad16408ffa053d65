/* The options of attn grade: see grade_options.h. */
#include "cli/grade_options.h"

#include <string.h>

#include "base/processors.h"
#include "base/size.h"
#include "sandbox/box.h"

enum { MAX_JOBS = 1024 };

const char grade_help[] =
    "A PATH is a file, a folder of files, or a folder with a folder for each student. A file's "
    "name\n"
    "says which exercise it is for: softmax_rows.c, anna_softmax_rows.c, "
    "04_softmax_rows.c.\n\n" HELP_CLASS_RULES
    "  --exercise ID    what all files are for, where their names do not say it\n"
    "  --student NAME   whose files they are, where no folder says it\n"
    "  --jobs N         so many at once (else as many as there are cores)\n"
    "  --part K/N       grades the students of part K of N: see docs/instructors.md, More than one "
    "machine\n"
    "  --seed N         draws the cases of an earlier run again (else random, and in the json "
    "report)\n"
    "  --format FORMAT  " HELP_FORMATS "\n"
    "  --output FILE    where the format before it goes (else to standard output). Pairs of the "
    "two\n"
    "                   can be given several times\n"
    "  --feedback FOLDER  a text and an HTML file for each student, to hand out\n"
    "  --anonymous KEYFILE  pseudonyms in place of names, in all reports; the same key gives the\n"
    "                   same ones. It is made where there is none\n"
    "  --resume         goes on from the json output of a run that was ended\n"
    "  --show-inputs    messages show the numbers that a failing case was given, and what was "
    "printed\n"
    "  --times          says at the end, on standard error, how long it took and what share the\n"
    "                   compiler and the linker have of the processor time\n"
    "  --compiler CC    else $CC, cc, gcc, clang or tcc\n"
    "  --accept-weak-isolation  grades although the sandbox lacks what it needs, and says so\n"
    "  --without LAYER  leaves out a layer of the sandbox, for trials\n"
    "  --limits         shows all limits and grades nothing\n\n"
    "exit code: 0 all pass, 1 some fail, 2 wrong usage, 3 it could not be graded\n"
    "docs/instructors.md tells more.\n";

static unsigned layer_bit(const char *name)
{
    for (unsigned bit = 1; bit < LAYERS_ALL; bit <<= 1)
        if (strcmp(layer_name((enum layer)bit), name) == 0)
            return bit;
    usage_error("grade: --without %s: no such layer; the report's head names them", name);
}

/* "3/200" */
static void read_part(const char *value, struct grade_options *options)
{
    char number[16] = "";
    const char *slash = strchr(value, '/');
    size_t size = slash != NULL ? (size_t)(slash - value) : 0;
    if (size == 0 || size >= sizeof number)
        usage_error("grade: --part %s: a part is K/N: the first of 20 is 1/20", value);
    memcpy(number, value, size);
    options->n_parts = (unsigned)option_number("grade", "--part", slash + 1, 1, PARTS_MAX);
    options->part = (unsigned)option_number("grade", "--part", number, 1, options->n_parts);
}

static bool grade_option(int argc, char **argv, int *at, struct grade_options *options)
{
    const char *value;
    if ((value = option_value(argc, argv, at, "--exercise")) != NULL)
        options->exercise = value;
    else if ((value = option_value(argc, argv, at, "--student")) != NULL)
        options->student = value;
    else if ((value = option_value(argc, argv, at, "--compiler")) != NULL)
        options->compiler = value;
    else if ((value = option_value(argc, argv, at, "--without")) != NULL)
        options->without |= layer_bit(value);
    else if ((value = option_value(argc, argv, at, "--part")) != NULL)
        read_part(value, options);
    else if ((value = option_value(argc, argv, at, "--jobs")) != NULL)
        options->jobs = (unsigned)option_number(argv[0], "--jobs", value, 1, MAX_JOBS);
    else if ((value = option_value(argc, argv, at, "--seed")) != NULL) {
        options->seed =
            option_number(argv[0], "--seed", value, 0, (UINT64_C(1) << RESULTS_MAX_SEED_BITS) - 1);
        options->has_seed = true;
    } else if (strcmp(argv[*at], "--resume") == 0)
        options->resume = true;
    else if (strcmp(argv[*at], "--show-inputs") == 0)
        options->shows_inputs = true;
    else if (strcmp(argv[*at], "--times") == 0)
        options->tells_times = true;
    else if (strcmp(argv[*at], "--accept-weak-isolation") == 0)
        options->accepts_weak = true;
    else if (strcmp(argv[*at], "--limits") == 0)
        options->only_limits = true;
    else
        return false;
    return true;
}

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
    bool only_paths = false; /* after -- */
    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
        if (!only_paths && (common_option(argc, argv, &i, &options.common) ||
                            outputs_option(argc, argv, &i, &options.outputs) ||
                            class_rules_option(argc, argv, &i, &options.rules) ||
                            grade_option(argc, argv, &i, &options)))
            continue;
        if (!only_paths && strcmp(arg, "--") == 0)
            only_paths = true;
        else if (!only_paths && arg[0] == '-')
            unknown_option("grade", grade_help, arg);
        else
            options.paths[options.n_paths++] = arg;
    }
    check(&options);
    return options;
}
