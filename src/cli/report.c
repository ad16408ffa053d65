/* attn report RESULTS.json: the class at a glance, or another format; attn report merge A B...:
 * parts that were graded apart, joined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assignment/class_index.h"
#include "cli/class_rules.h"
#include "cli/cli.h"
#include "cli/outputs.h"
#include "batch/compare_works.h"

enum { NAMES_SHOWN = 20 };

struct report_options {
    struct common_options common;
    struct outputs outputs;
    struct class_rules rules;
    char **paths; /* argv's */
    size_t n_paths;
    bool merge;
    bool is_unclear;           /* whose some work is */
    bool takes_partial;        /* what lacks parts, or was not finished */
    const char *expected_path; /* the class list that all must be on; or NULL */
};

#define SETS(field) OPTION_SETS(struct report_options, field)

static const struct option rows[] = {
    OPTIONS_COMMON(struct report_options),
    {OPTION_TABLE, .table = outputs_table, SETS(outputs)},
    {OPTION_TABLE, .table = class_rules_table, SETS(rules)},
    {OPTION_PATH, "--expect", "LIST",
     "with merge: fails when a student of the class list LIST is in no part", SETS(expected_path)},
    {OPTION_FLAG, "--partial", NULL,
     "with merge: takes reports that lack parts or were ended early", SETS(takes_partial)},
    {.kind = OPTION_END},
};

static int report_main(int argc, char **argv);

const struct subcommand report_command = {
    "report",
    "FILE.json",
    "a class at a glance, from what grade wrote; other formats; merge",
    report_main,
    rows,
    .about = "  attn report FILE.json               pass rates, misconceptions, the slowest\n"
             "  attn report FILE.json --format csv  another format; several in one call\n"
             "  attn report merge A.json B.json...  parts graded apart with one --seed, "
             "joined",
    .notes =
        "With an assignment, a class list or points set by hand, what counts is settled again; "
        "nothing is graded.\ndocs/instructors.md explains it all.",
};

static struct report_options read_options(int argc, char **argv)
{
    struct report_options options = {.paths = argv + 1};
    options.n_paths = options_read(&report_command, argc, argv, SIZE_MAX, &options);
    if (options.n_paths > 0 && strcmp(options.paths[0], "merge") == 0) {
        options.merge = true;
        options.paths++;
        options.n_paths--;
    }
    if (!options.merge && (options.takes_partial || options.expected_path != NULL))
        usage_error("report: --expect and --partial are for attn report merge");
    if (options.n_paths == 0)
        usage_error("report: name a json report, as attn grade --format json writes it");
    if (options.n_paths > 1 && !options.merge)
        usage_error("report: one report at a time; attn report merge A B... joins several");
    if (options.merge && options.outputs.n == 0)
        options.outputs.n = 1; /* to standard output */
    outputs_check(argv[0], &options.outputs, options.merge ? "json" : "text");
    return options;
}

static bool read_all(const struct report_options *options, struct results *ret,
                     struct error *reterr)
{
    for (size_t i = 0; i < options->n_paths; i++) {
        struct results part = {0};
        bool ok = read_report(options->paths[i], &part, reterr);
        if (ok && options->merge && part.is_unfinished && !options->takes_partial)
            ok = error_set(reterr, ERR_RANGE,
                           "%s: its run was ended early; finish it with attn grade --resume, or "
                           "--partial takes what there is",
                           options->paths[i]);
        ok = ok && report_merge(ret, &part, reterr);
        results_release(&part);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- is the class whole? ---- */

static bool check_parts(const struct results *results, struct error *reterr)
{
    struct text lacking = {0};
    unsigned n = parts_lacking(&results->parts, &lacking);
    bool ok = n == 0 || error_set(reterr, ERR_RANGE,
                                  "part%s %s of %u %s not here; grade %s, or --partial takes what "
                                  "there is",
                                  n == 1 ? "" : "s", text_string(&lacking), results->parts.n,
                                  n == 1 ? "is" : "are", n == 1 ? "it again" : "them again");
    text_release(&lacking);
    return ok;
}

/* Marks who is on the list and in the results: with a row, or on the list of a part. */
static void mark_here(const struct class_index *list, const struct results *results, bool *is_here)
{
    const struct student *first = list->students->items;
    for (size_t i = 0; i < results->students.n; i++) {
        const struct student *found =
            students_find(list->students, results->students.items[i].login);
        if (found != NULL)
            is_here[found - first] = true;
    }
    for (size_t i = 0; i < results->n; i++) {
        const struct student *found =
            class_index_find(list, result_word(results->items[i].student));
        if (found != NULL)
            is_here[found - first] = true;
    }
}

static bool check_students(const struct students *list, const struct results *results,
                           struct error *reterr)
{
    struct text names = {0};
    size_t n = 0;
    struct class_index index;
    if (!class_index_open(list, &index, reterr))
        return false;
    bool *is_here = calloc(list->n + 1, sizeof *is_here);
    if (is_here != NULL)
        mark_here(&index, results, is_here);
    class_index_close(&index);
    if (is_here == NULL)
        return error_memory(reterr, "the class list");
    for (size_t i = 0; i < list->n; i++)
        if (!is_here[i] && n++ < NAMES_SHOWN)
            text_format(&names, "%s%s", n > 1 ? ", " : "", list->items[i].login);
    if (n > NAMES_SHOWN)
        text_format(&names, " and %zu more", n - NAMES_SHOWN);
    free(is_here);
    bool ok = n == 0 || error_set(reterr, ERR_RANGE,
                                  "in no part at all, neither graded nor missing: %s; grade their "
                                  "part again, with --roster",
                                  text_string(&names));
    text_release(&names);
    return ok;
}

/* Nobody's work may be lost on the way. */
static bool check_whole(const struct report_options *options, const struct results *results,
                        struct error *reterr)
{
    struct students list = {0};
    if (!options->merge || (!options->takes_partial && !check_parts(results, reterr)))
        return !options->merge;
    if (options->expected_path == NULL)
        return true;
    bool ok = class_list_load(options->expected_path, &list, reterr) &&
              check_students(&list, results, reterr);
    students_release(&list);
    return ok;
}

static bool has_rules(const struct class_rules *rules)
{
    return rules->assignment_path != NULL || rules->roster_path != NULL ||
           rules->who_path != NULL || rules->extensions_path != NULL ||
           rules->overrides_path != NULL || rules->teams_path != NULL;
}

static bool has_duplicates(const struct results *results)
{
    for (size_t i = 0; i < results->n; i++)
        if (!result_counts(&results->items[i]))
            return true;
    return false;
}

/* Are these the points of an assignment? Settled without it they would be others. */
static bool has_points_of_assignment(const struct results *results)
{
    bool has = results->title != NULL;
    for (size_t i = 0; i < results->n && !has; i++) {
        const struct result *result = &results->items[i];
        has = result_counts(result) &&
              (result->days_late > 0 || result->max_score < result->judged_max_score ||
               result->max_score > result->judged_max_score);
    }
    return has;
}

/* Where no class list is given, the one that the report has stays. */
static bool read_rules(struct class_rules *rules, const struct results *results,
                       const struct exercises *exercises, struct error *reterr)
{
    if (rules->assignment_path == NULL && has_points_of_assignment(results))
        return error_set(reterr, ERR_FILE,
                         "the points in this report are those of an assignment, and would be lost; "
                         "name it as well, with --assignment FILE");
    if (rules->roster_path == NULL && results->students.n > 0)
        rules->settling.roster = &results->students;
    return class_rules_read(rules, exercises, reterr);
}

/* Without rules what counts stays, but for what several parts have of the same work. */
static bool settle(struct report_options *options, struct results *results, struct error *reterr)
{
    struct class_rules *rules = &options->rules;
    struct exercises exercises;
    const char *data = data_dir();
    if (!has_rules(rules) && options->n_paths == 1 && has_duplicates(results))
        return true;
    if (!has_rules(rules))
        return results_doubt_missing(results, reterr) &&
               results_mark_duplicates(results, DUPLICATES_BY_STUDENT, reterr);
    if (data == NULL)
        return error_set(reterr, ERR_FILE,
                         "the exercises are missing; set ATTN_DATA_DIR to the folder that holds "
                         "them");
    if (!exercises_load(data, own_exercises(rules->exercises), &exercises, reterr))
        return false;
    bool ok = read_rules(rules, results, &exercises, reterr);
    rules->settling.is_complete = true;
    if (ok && (rules->roster_path != NULL || rules->who_path != NULL || rules->teams_path != NULL))
        ok = results_call_by(results, rules->settling.roster, &rules->who, reterr);
    ok = ok && results_settle(results, &rules->settling, reterr);
    if (ok)
        class_rules_say_unused(rules, results);
    if (ok && (rules->roster_path != NULL || rules->who_path != NULL))
        options->is_unclear = class_rules_say_unclear(results, &options->outputs) > 0;
    class_rules_release(rules);
    exercises_release(&exercises);
    return ok;
}

/* Works of parts that were graded apart are compared when the parts come together. */
static bool compare_parts(const struct report_options *options, struct results *results,
                          struct error *reterr)
{
    struct exercises exercises;
    const char *data = data_dir();
    if (!options->merge)
        return true;
    bool are_there = data != NULL && exercises_load(data, own_exercises(options->rules.exercises),
                                                    &exercises, NULL);
    bool ok = results_compare_marked(results, are_there ? &exercises : NULL, data, reterr);
    if (are_there)
        exercises_release(&exercises);
    return ok;
}

static bool show_class(const struct report_options *options, const struct results *results)
{
    struct settings settings = terminal_settings(&options->common, 1);
    struct doc doc;
    doc_init(&doc);
    report_class(results, settings.width_cols, settings.ascii, &doc);
    bool ok = finish_output(!doc.failed && print_doc(&doc, &settings));
    doc_release(&doc);
    return ok;
}

static int report_main(int argc, char **argv)
{
    struct report_options options = read_options(argc, argv);
    struct results results = {0};
    struct error error;
    bool ok = read_all(&options, &results, &error) && check_whole(&options, &results, &error) &&
              settle(&options, &results, &error) && compare_parts(&options, &results, &error) &&
              outputs_anonymize(&options.outputs, &results, &error);
    if (!ok)
        print_error(&error, NULL, 0, NULL, 0);
    else if (options.outputs.n == 0)
        ok =
            outputs_write_files(&options.outputs, &results, true) && show_class(&options, &results);
    else {
        ok = outputs_write_files(&options.outputs, &results, true);
        ok = outputs_print(&options.outputs, &results) && ok;
    }
    results_release(&results);
    return !ok ? EXIT_FAILED : options.is_unclear ? EXIT_UNGRADED : EXIT_OK;
}
