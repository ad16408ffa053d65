/* attn lesson, lessons, progress, review: the course from the command line. */
#include <stdio.h>
#include <string.h>

#include "cli/opening.h"
#include "course/progress/export.h"
#include "exercise/exercises.h"
#include "shell/shell.h"
#include "show/doc.h"

/* Lines that are built here are short; a path may be long. */
enum { LINE_BYTES = 4200 };

#define SETS(field) OPTION_SETS(struct lesson_options, field)

struct lesson_options {
    struct opening opening;
    bool again;
};

#define PLAIN_HELP "in lines, as in a pipe: for screen readers, and for logs"

static const struct option lesson_rows[] = {
    {OPTION_TABLE, .table = common_options_table, SETS(opening.common)},
    {OPTION_FLAG, "--again", NULL, "from its first page", SETS(again)},
    {OPTION_FLAG, "--plain", NULL, PLAIN_HELP, SETS(opening.plain)},
    {.kind = OPTION_END},
};

static const struct option review_rows[] = {
    OPTIONS_COMMON(struct opening),
    {OPTION_FLAG, "--plain", NULL, PLAIN_HELP, OPTION_SETS(struct opening, plain)},
    {.kind = OPTION_END},
};

static const struct option lessons_rows[] = {
    {OPTION_TABLE, .table = common_options_table, .offset = 0},
    {.kind = OPTION_END},
};

static int lesson_main(int argc, char **argv)
{
    struct lesson_options options = {.again = false};
    char line[LINE_BYTES];
    size_t n = options_read(&lesson_command, argc, argv, 1, &options);
    if (snprintf(line, sizeof line, "lesson %s%s", n > 0 ? argv[1] : "",
                 options.again ? " again" : "") >= (int)sizeof line)
        usage_error("lesson: the path is too long");
    options.opening.line = line;
    return opening_run(&options.opening);
}

static int review_main(int argc, char **argv)
{
    struct opening opening = {.line = "review"};
    size_t n = options_read(&review_command, argc, argv, 1, &opening);
    if (n > 0 && strcmp(argv[1], "all") != 0)
        usage_error("review: %s: it takes only all and --plain", argv[1]);
    if (n > 0)
        opening.line = "review all";
    return opening_run(&opening);
}

int lesson_show_line(const char *line, const struct common_options *options)
{
    struct tutor tutor;
    struct doc out;
    struct error error;
    struct settings settings = terminal_settings(options, 1);
    struct progress *progress = progress_open(NULL);
    if (progress == NULL) {
        fputs("attn: not enough memory\n", stderr);
        return EXIT_FAILED;
    }
    if (progress_problem(progress) != NULL)
        fprintf(stderr, "attn: %s\n", progress_problem(progress));
    tutor_init(&tutor, &(struct player_setup){.progress = progress,
                                              .settings = &settings,
                                              .data_dir = data_dir(),
                                              .count_exercises = catalogue_count});
    doc_init(&out);
    const struct shell shell = {.tutor = &tutor};
    bool ok = shell_run_line(&shell, line, strlen(line), &out, &error) != SHELL_FAILED;
    if (!ok)
        fprintf(stderr, "attn: %s\n", error.text);
    else
        ok = finish_output(print_doc(&out, &settings));
    doc_release(&out);
    tutor_release(&tutor);
    progress_close(progress);
    return ok ? EXIT_OK : EXIT_FAILED;
}

static int lessons_main(int argc, char **argv)
{
    struct common_options options = {0};
    if (options_read(&lessons_command, argc, argv, 1, &options) > 0)
        usage_error("lessons: %s: it takes no argument; attn lesson %s opens one", argv[1],
                    argv[1]);
    return lesson_show_line("lessons", &options);
}

/* Writes all that is remembered. Without its lessons, the course is left out. */
static int export_all(bool csv, const char *path)
{
    struct error error = {0};
    struct course course = {0};
    struct progress *progress = progress_open(NULL);
    bool has_course = course_open(data_dir(), &course, &error);
    error = (struct error){0};
    bool ok = progress != NULL || error_memory(&error, "progress");
    if (ok && progress_problem(progress) != NULL)
        ok = error_set(&error, ERR_FILE, "%s", progress_problem(progress));
    if (ok && path != NULL) {
        ok = progress_export_file(progress, has_course ? &course : NULL, csv, path, &error);
    } else if (ok) {
        struct text text = {0};
        ok = csv ? progress_export_csv(progress, &text, &error)
                 : progress_export_json(progress, has_course ? &course : NULL, &text, &error);
        ok = ok && finish_output(fwrite(text_string(&text), 1, text.size, stdout) == text.size);
        text_release(&text);
    }
    if (!ok && error.text[0] != '\0') /* output that could not be written has been reported */
        fprintf(stderr, "attn: %s\n", error.text);
    course_release(&course);
    progress_close(progress);
    return ok ? EXIT_OK : EXIT_FAILED;
}

struct progress_options {
    struct common_options common;
    bool csv;
    const char *path; /* or NULL: standard output */
};

static void take_format(const char *command, const struct option *option, const char *value,
                        void *field)
{
    bool *csv = field;
    *csv = strcmp(value, "csv") == 0;
    if (!*csv && strcmp(value, "json") != 0)
        usage_error("%s: %s takes json or csv", command, option->name);
}

static const struct option progress_rows[] = {
    OPTIONS_COMMON(struct progress_options),
    {.kind = OPTION_WORD,
     .name = "export",
     .value = "[FILE]",
     .help = "all that is remembered, to a file or to standard output"},
    {OPTION_OWN, "--format", "json|csv", "json unless FILE ends with .csv",
     OPTION_SETS(struct progress_options, csv), .take = take_format},
    {OPTION_TEXT, "--output", "FILE", "to a file", OPTION_SETS(struct progress_options, path)},
    {.kind = OPTION_END},
};

static int progress_main(int argc, char **argv)
{
    struct progress_options options = {.csv = false};
    size_t n = options_read(&progress_command, argc, argv, 2, &options);
    if (n == 0)
        return lesson_show_line("progress", &options.common);
    if (strcmp(argv[1], "export") != 0)
        usage_error("progress: %s: it takes only export and its options", argv[1]);
    if (n == 2) {
        options.path = argv[2];
        options.csv = options.csv || text_ends_with(argv[2], ".csv");
    }
    return export_all(options.csv, options.path);
}

const struct subcommand lesson_command = {
    "lesson",
    "[ID|FILE.md]",
    "a lesson, where you stopped",
    lesson_main,
    lesson_rows,
    .about =
        "ID is a lesson's number or name, or the path of any lesson's file. It goes on where you "
        "stopped; without ID, with the lesson you were at.",
    .notes =
        "In the lesson: next, back, hint, skip, answer, lessons, progress, review, quit; and any "
        "formula.",
};
const struct subcommand lessons_command = {
    "lessons", NULL, "lists them, with your progress", lessons_main, .options = lessons_rows,
};
const struct subcommand progress_command = {
    "progress",
    "[export]",
    "your finished lessons and your weak spots",
    progress_main,
    .options = progress_rows,
};
const struct subcommand review_command = {
    "review", "[all]", "asks again what you missed", review_main, .options = review_rows,
};
