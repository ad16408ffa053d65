/* The commands of a learner that grade nothing, and what all of a learner's commands share: see
 * practice.h. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "cli/practice.h"

#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "exercise/solutions.h"
#include "exercise/task.h"
#include "exercise/workspace.h"
#include "batch/submission.h"
#include "show/markdown.h"
#include "result/source.h"

/* ---- options ---- */

enum {
    DEFAULT_SEED = 1, /* the same cases at every save, so that what fails stays in view */
};

/* Seeds stay below 2^53, so that every format keeps them exactly. */
static void take_seed(const char *command, const struct option *option, const char *value,
                      void *field)
{
    char *end;
    unsigned long long seed = text_is_digit(value[0]) ? strtoull(value, &end, 10) : 0;
    if (!text_is_digit(value[0]) || *end != '\0' || seed >= 1ull << 53)
        usage_error("%s: %s takes a whole number below 2^53", command, option->name);
    *(uint64_t *)field = seed;
}

#define SETS(field) OPTION_SETS(struct practice_options, field)

const struct option practice_table[] = {
    OPTIONS_COMMON(struct practice_options),
    {OPTION_TEXT, "--exercises", "DIR", "your own exercises instead of attn's; or $ATTN_EXERCISES",
     SETS(exercises)},
    {.kind = OPTION_END},
};

const struct option practice_grading_table[] = {
    {OPTION_TABLE, .table = practice_table},
    {OPTION_TEXT, "--compiler", "CC", "the compiler, else $CC, cc, gcc, clang or tcc",
     SETS(compiler)},
    {OPTION_OWN, "--seed", "N", "draws other cases", SETS(seed), .take = take_seed},
    {.kind = OPTION_END},
};

struct practice_options practice_options(const struct subcommand *command, int argc, char **argv)
{
    struct practice_options options = {.seed = DEFAULT_SEED};
    if (options_read(command, argc, argv, 1, &options) > 0)
        options.argument = argv[1];
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
    bool ok = real != NULL && source_read(real, limits_default.source_bytes, ret, &why);
    free(real);
    return ok || error_set(reterr, ERR_FILE, "%s: it can't be graded: %s", path, why);
}

static int practice_show(const struct practice_options *options, practice_page *page)
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

/* ---- attn start [DIR]: a folder with the starters; no file is ever overwritten ---- */

static void print_started(const char *folder, const struct workspace_report *report)
{
    printf("%s: ", folder);
    if (report->n_written > 0)
        printf("%zu %s made", report->n_written, report->n_written == 1 ? "file" : "files");
    if (report->n_kept > 0)
        printf("%s%zu %s there already, left as they are", report->n_written > 0 ? ", " : "",
               report->n_kept, report->n_kept == 1 ? "was" : "were");
    printf(".\n\n");
}

/* Is there an attn that a shell finds? */
static bool is_on_path(void)
{
    char file[4096];
    const char *path = getenv("PATH");
    for (size_t size; path != NULL && *path != '\0'; path += size + (path[size] == ':')) {
        size = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/attn", (int)size, path);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* How to call this very program by the name that all its texts use. */
static void print_alias(void)
{
    if (!is_on_path() && program_path() != NULL)
        printf("  alias attn='%s'\n", program_path());
}

static int start_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&start_command, argc, argv);
    const char *folder = options.argument != NULL ? options.argument : LEARNER_FOLDER;
    struct exercises exercises;
    struct workspace_report report;
    struct error error;
    if (!exercises_load(data_dir(), own_exercises(options.exercises), &exercises, &error))
        return practice_error(&error);
    bool ok = workspace_start(&exercises, folder, data_dir(), &report, &error);
    if (ok && exercises.n > 0) {
        print_started(folder, &report);
        print_alias();
        printf("  cd %s\n"
               "  attn task          what the first exercise is about\n"
               "  attn watch         grades a file each time you save it\n\n"
               "Then open %s in your editor, in another window, and fill it in.\n",
               folder, exercises.catalogue.entries[0].file_name);
    }
    exercises_release(&exercises);
    if (!ok) {
        (void)practice_error(&error);
        return EXIT_FAILED;
    }
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

/* ---- attn exercises: the list, with what is solved ---- */

/* "solved", "tried", "new", and how it is shown. */
struct status {
    const char *word;
    enum style style;
};

static struct status status_of(const struct exercise_progress *done)
{
    if (done->passed)
        return (struct status){"solved", STYLE_GOOD};
    if (done->n_attempts > 0)
        return (struct status){"tried", STYLE_NOTE};
    return (struct status){"new", STYLE_QUIET};
}

static bool add_exercise(struct practice *practice, const struct catalogue_entry *entry,
                         bool is_next, struct doc *doc, struct error *reterr)
{
    struct exercise *exercise;
    struct exercise_progress done;
    if (!progress_exercise(practice->progress, entry->id, &done, reterr) ||
        !catalogue_load(&practice->catalogue, entry, &exercise, reterr))
        return false;
    struct status status = status_of(&done);
    doc_add(doc, is_next ? STYLE_TITLE : STYLE_PLAIN, "%s%2u  %-18s", is_next ? ">" : " ",
            entry->number, entry->id);
    doc_add(doc, STYLE_PLAIN, "  %-33s", exercise->title);
    doc_add(doc, STYLE_QUIET, "  %3u  ", exercise->minutes);
    doc_add(doc, status.style, "%s", status.word);
    if (done.n_attempts > 0)
        doc_add(doc, STYLE_QUIET, "%*u", 14 - (int)strlen(status.word), done.n_attempts);
    doc_end_line(doc);
    exercise_free(exercise);
    return true;
}

static bool add_exercises(struct practice *practice, struct doc *doc, struct error *reterr)
{
    const struct catalogue_entry *next = learner_next(&practice->catalogue, practice->progress, 0);
    doc_line(doc, STYLE_QUIET, "     %-18s  %-33s  %3s  %-6s  %s", "exercise", "", "min", "",
             "attempts");
    for (size_t i = 0; i < practice->catalogue.n; i++)
        if (!add_exercise(practice, &practice->catalogue.entries[i],
                          &practice->catalogue.entries[i] == next, doc, reterr))
            return false;
    doc_end_line(doc);
    if (next != NULL)
        doc_line(doc, STYLE_PLAIN, "Next: %s. What it asks for: attn task %u", next->file_name,
                 next->number);
    else
        doc_line(doc, STYLE_GOOD, "All are solved.");
    return true;
}

static int exercises_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&exercises_command, argc, argv);
    struct practice practice;
    struct doc doc;
    struct error error;
    if (options.argument != NULL)
        usage_error("exercises: %s: it takes no argument; attn task %s shows one", options.argument,
                    options.argument);
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    doc_init(&doc);
    bool ok = add_exercises(&practice, &doc, &error) && doc_check(&doc, &error);
    int code = ok ? EXIT_OK : practice_error(&error);
    if (ok && !finish_output(print_doc(&doc, &practice.settings)))
        code = EXIT_FAILED;
    doc_release(&doc);
    practice_close(&practice);
    return code;
}

/* ---- attn task [ID]: what an exercise asks for ---- */

static int show_task(struct practice *practice, const struct exercise *exercise, struct doc *doc)
{
    struct text markdown = {0};
    struct show_options options = settings_show_options(&practice->settings);
    struct error error;
    bool ok = task_write(exercise, data_dir(), &markdown, &error);
    if (ok) {
        markdown_show(doc, text_string(&markdown), markdown.size, &options);
        doc_end_line(doc);
        const struct catalogue_entry *entry = catalogue_entry(&practice->catalogue, exercise->id);
        if (entry != NULL)
            doc_line(doc, STYLE_QUIET, "About %u minutes, in %s.", exercise->minutes,
                     entry->file_name);
    }
    text_release(&markdown);
    return ok && doc_check(doc, &error) ? EXIT_OK : practice_error(&error);
}

static int task_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&task_command, argc, argv);
    return practice_show(&options, show_task);
}

/* ---- attn hint [ID]: the next hint each time ---- */

/* After the last one, the last one again. */
static bool add_hint(struct practice *practice, const struct exercise *exercise, struct doc *doc,
                     struct error *reterr)
{
    struct exercise_progress done = {0};
    unsigned n = exercise->hints.n;
    if (!progress_exercise(practice->progress, exercise->id, &done, reterr))
        return false;
    if (n == 0) {
        doc_line(doc, STYLE_PLAIN, "%s has no hints; attn task %u tells what it is about",
                 exercise->id, exercise->number);
        return true;
    }
    unsigned hint = done.n_hints < n ? done.n_hints + 1 : n;
    doc_add(doc, STYLE_TITLE, "%s", exercise->id);
    doc_add(doc, STYLE_QUIET, "  hint %u of %u%s", hint, n, hint == n ? ", the last one" : "");
    doc_end_line(doc);
    doc_wrap(doc, STYLE_PLAIN, exercise->hints.items[hint - 1], practice->settings.width_cols, 2);
    return progress_exercise_hint(practice->progress, exercise->id, hint, time(NULL), reterr);
}

int practice_hint(struct practice *practice, const struct exercise *exercise, struct doc *doc)
{
    struct error error;
    if (!add_hint(practice, exercise, doc, &error))
        fprintf(stderr, "attn: %s\n", error.text);
    return EXIT_OK;
}

static int hint_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&hint_command, argc, argv);
    return practice_show(&options, practice_hint);
}

/* ---- attn reset ID: the starter again; the old file is kept ---- */

static int reset(const struct exercise *exercise, const char *path)
{
    char *backup;
    struct error error;
    if (!workspace_reset(exercise, path, &backup, &error)) {
        (void)practice_error(&error);
        return EXIT_FAILED;
    }
    printf("%s is the starter again", path);
    if (backup != NULL)
        printf("; what you had is %s", backup);
    printf(".\n");
    free(backup);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

static int reset_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&reset_command, argc, argv);
    char path[LEARNER_PATH_BYTES];
    struct practice practice;
    struct error error;
    struct exercise *exercise;
    int code;
    if (options.argument == NULL)
        usage_error("reset: which exercise? attn exercises lists them");
    if (!practice_open(&options, &practice, &error))
        return practice_error(&error);
    if (!learner_find(&practice.catalogue, practice.progress, options.argument, &exercise, path,
                      &error)) {
        code = practice_error(&error);
    } else {
        code = reset(exercise, path);
        exercise_free(exercise);
    }
    practice_close(&practice);
    return code;
}

/* ---- attn solutions ID: other ways to write what one has solved ---- */

enum { SOLUTIONS_SHOWN = 2 }; /* unless all are asked for */

static bool add_solutions(struct practice *practice, const struct exercise *exercise,
                          struct doc *doc, struct error *reterr)
{
    int n_left;
    bool has_ladder = exercise->speed != NULL && exercise->speed->n_ladder > 0;
    if (has_ladder &&
        !solutions_show_ladder(data_dir(), exercise, practice->settings.width_cols, doc, reterr))
        return false;
    if (has_ladder)
        doc_line(doc, STYLE_QUIET,
                 "How fast they are here, and how fast they could be: attn bench "
                 "attention");
    if (has_ladder && !practice->options.all)
        return doc_check(doc, reterr);
    if (!solutions_show(data_dir(), exercise, practice->options.all ? INT_MAX : SOLUTIONS_SHOWN,
                        doc, &n_left, reterr))
        return false;
    if (n_left > 0)
        doc_line(doc, STYLE_QUIET, "%d more: attn solutions %u --all", n_left, exercise->number);
    return doc_check(doc, reterr);
}

/* Only learners who have solved it see solutions. */
static bool may_see(struct practice *practice, const struct exercise *exercise,
                    struct error *reterr)
{
    struct exercise_progress done;
    if (!progress_exercise(practice->progress, exercise->id, &done, reterr))
        return false;
    return done.passed ||
           error_set(reterr, ERR_RANGE,
                     "solutions: %s is not solved yet; they are shown once it is. attn hint %u "
                     "helps",
                     exercise->id, exercise->number);
}

static int show_solutions(struct practice *practice, const struct exercise *exercise,
                          struct doc *doc)
{
    struct error error;
    if (may_see(practice, exercise, &error) && add_solutions(practice, exercise, doc, &error))
        return EXIT_OK;
    (void)practice_error(&error);
    return EXIT_FAILED;
}

static int solutions_main(int argc, char **argv)
{
    struct practice_options options = practice_options(&solutions_command, argc, argv);
    if (options.argument == NULL)
        usage_error("solutions: of which exercise? attn exercises lists them");
    return practice_show(&options, show_solutions);
}

/* ---- the commands ---- */

static const struct option solutions_rows[] = {
    {OPTION_TABLE, .table = practice_table},
    {OPTION_FLAG, "--all", NULL, "all that there are, else two", SETS(all)},
    {.kind = OPTION_END},
};

const struct subcommand start_command = {
    "start",
    "[DIR]",
    "makes a folder with the exercises' starters",
    start_main,
    .options = practice_table,
};
const struct subcommand exercises_command = {
    "exercises",
    NULL,
    "lists them, with those you solved",
    exercises_main,
    .options = practice_table,
};
const struct subcommand task_command = {
    "task", "[ID]", "what an exercise asks for", task_main, .options = practice_table,
};
const struct subcommand hint_command = {
    "hint", "[ID]", "the next hint", hint_main, .options = practice_table,
};
const struct subcommand reset_command = {
    "reset",
    "ID",
    "brings a starter back and keeps what you wrote",
    reset_main,
    .options = practice_table,
};
const struct subcommand solutions_command = {
    "solutions",
    "ID",
    "other solutions of what you have solved",
    solutions_main,
    .options = solutions_rows,
};
