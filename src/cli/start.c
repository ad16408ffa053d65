/* attn start [DIR]: makes a folder with the starters; never overwrites a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/practice.h"
#include "exercise/workspace.h"

static void print_report(const char *folder, const struct workspace_report *report)
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

int start_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, 0);
    const char *folder = options.argument != NULL ? options.argument : LEARNER_FOLDER;
    struct exercises exercises;
    struct workspace_report report;
    struct error error;
    if (!exercises_load(data_dir(), own_exercises(options.exercises), &exercises, &error))
        return practice_error(&error);
    bool ok = workspace_start(&exercises, folder, data_dir(), &report, &error);
    if (ok && exercises.n > 0) {
        print_report(folder, &report);
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
