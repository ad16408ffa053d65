/* attn lesson, lessons, progress, review: the course from the command line. */
#include <stdio.h>
#include <string.h>

#include "cli/opening.h"
#include "course/progress/export.h"
#include "exercise/exercises.h"
#include "shell/shell.h"
#include "show/doc.h"

const char lesson_help[] =
    "ID is a lesson's number or name, or the path of any lesson's file. It goes on where you\n"
    "stopped; without ID, with the lesson you were at.\n\n"
    "  --again   from its first page\n"
    "  --plain   in lines, as in a pipe: for screen readers, and for logs\n\n"
    "In the lesson: next, back, hint, skip, answer, lessons, progress, review, quit; and any "
    "formula.\n";
const char progress_help[] =
    "Without export it shows what is done and what is weak.\n\n"
    "  export [FILE]      all that is remembered, to a file or to standard output\n"
    "  --format json|csv  json where left out\n"
    "  --output FILE      to a file\n";

/* Lines that are built here are short; a path may be long. */
enum { LINE_BYTES = 4200 };

int lesson_main(int argc, char **argv)
{
    struct opening opening = {.line = NULL};
    const char *name = NULL;
    bool again = false;
    char line[LINE_BYTES];
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &opening.options))
            continue;
        if (strcmp(argv[i], "--plain") == 0)
            opening.plain = true;
        else if (strcmp(argv[i], "--again") == 0)
            again = true;
        else if (argv[i][0] == '-')
            unknown_option("lesson", lesson_help, argv[i]);
        else if (name == NULL)
            name = argv[i];
        else
            usage_error("lesson: %s: one lesson at a time", argv[i]);
    }
    if (snprintf(line, sizeof line, "lesson %s%s", name != NULL ? name : "",
                 again ? " again" : "") >= (int)sizeof line)
        usage_error("lesson: the path is too long");
    opening.line = line;
    return opening_run(&opening);
}

int review_main(int argc, char **argv)
{
    struct opening opening = {.line = "review"};
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &opening.options))
            continue;
        if (strcmp(argv[i], "--plain") == 0)
            opening.plain = true;
        else if (strcmp(argv[i], "all") == 0)
            opening.line = "review all";
        else
            usage_error("review: %s: it takes only all and --plain", argv[i]);
    }
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

int lessons_main(int argc, char **argv)
{
    struct common_options options = {0};
    for (int i = 1; i < argc; i++)
        if (!common_option(argc, argv, &i, &options))
            usage_error("lessons: %s: it takes no argument; attn lesson %s opens one", argv[i],
                        argv[i]);
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

int progress_main(int argc, char **argv)
{
    struct common_options options = {0};
    bool exports = false, csv = false;
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        const char *value;
        if (common_option(argc, argv, &i, &options))
            continue;
        if (strcmp(argv[i], "export") == 0)
            exports = true;
        else if (exports && argv[i][0] != '-' && path == NULL) {
            path = argv[i];
            csv = csv || text_ends_with(path, ".csv");
        } else if ((value = option_value(argc, argv, &i, "--format")) != NULL) {
            csv = strcmp(value, "csv") == 0;
            if (!csv && strcmp(value, "json") != 0)
                usage_error("progress: --format takes json or csv");
        } else if ((value = option_value(argc, argv, &i, "--output")) != NULL)
            path = value;
        else
            usage_error("progress: %s: it takes only export and its options", argv[i]);
    }
    return exports ? export_all(csv, path) : lesson_show_line("progress", &options);
}
