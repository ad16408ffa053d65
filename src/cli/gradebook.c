/* attn gradebook TERM.yaml: the assignments of a term in one table. */
#include <stdio.h>

#include "assignment/class_list.h"
#include "assignment/term.h"
#include "cli/cli.h"
#include "cli/outputs.h"

struct gradebook_options {
    struct common_options common;
    struct outputs outputs;
    const char *roster_path, *exercises; /* or NULL */
};

#define SETS(field) OPTION_SETS(struct gradebook_options, field)

static const struct option rows[] = {
    OPTIONS_COMMON(struct gradebook_options),
    {OPTION_PATH, "--roster", "FILE", "the class list, a CSV; else that of the reports",
     SETS(roster_path)},
    {OPTION_PATH, "--exercises", "DIR", "your own exercises instead of attn's; or $ATTN_EXERCISES",
     SETS(exercises)},
    {OPTION_TABLE, .table = outputs_table, SETS(outputs)},
    {.kind = OPTION_END},
};

static int gradebook_main(int argc, char **argv);

const struct subcommand gradebook_command = {
    "gradebook",
    "TERM.yaml",
    "the assignments of a term in one table: the best of them, grace days",
    gradebook_main,
    rows,
    .notes = "A column of the table is an assignment. docs/instructors.md has the keys of "
             "TERM.yaml.\nexit code: 0, 1 a report can't be read, 2 wrong usage, 3 whose some work "
             "is is not clear",
};

static bool settle(const struct gradebook_options *options, const char *path, struct results *ret,
                   size_t *ret_n_unclear, struct error *reterr)
{
    struct term term = {0};
    struct students roster = {0};
    struct exercises exercises = {0};
    const char *data = data_dir();
    bool ok = data != NULL || error_set(reterr, ERR_FILE,
                                        "the exercises are missing; set ATTN_DATA_DIR to the "
                                        "folder that holds them");
    ok = ok && exercises_load(data, own_exercises(options->exercises), &exercises, reterr) &&
         term_load(path, &term, reterr) &&
         (options->roster_path == NULL || class_list_load(options->roster_path, &roster, reterr)) &&
         term_settle(&term, options->roster_path != NULL ? &roster : NULL, &exercises, ret,
                     ret_n_unclear, reterr) &&
         outputs_anonymize(&options->outputs, ret, reterr);
    term_release(&term);
    students_release(&roster);
    exercises_release(&exercises);
    return ok;
}

static int gradebook_main(int argc, char **argv)
{
    struct gradebook_options options = {0};
    struct results results = {0};
    struct error error;
    size_t n_unclear = 0;
    size_t n = options_read(&gradebook_command, argc, argv, 1, &options);
    if (n == 0)
        usage_error("gradebook: name the file of the term; see attn gradebook --help");
    if (options.outputs.n == 0)
        options.outputs.n = 1; /* to standard output */
    outputs_check(argv[0], &options.outputs, "table");
    bool ok = settle(&options, argv[1], &results, &n_unclear, &error);
    if (ok) {
        ok = outputs_write_files(&options.outputs, &results, true);
        ok = outputs_print(&options.outputs, &results) && ok;
    } else {
        print_error(&error, NULL, 0, NULL, 0);
    }
    if (n_unclear > 0)
        fprintf(stderr,
                "attn: gradebook: of %zu %s it is not clear whose they are, and they are left out; "
                "settle that with attn report --who\n",
                n_unclear, n_unclear == 1 ? "work" : "works");
    results_release(&results);
    return !ok ? EXIT_FAILED : n_unclear > 0 ? EXIT_UNGRADED : EXIT_OK;
}
