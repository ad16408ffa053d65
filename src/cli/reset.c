/* attn reset ID: the starter again; what was there is kept. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/practice.h"
#include "exercise/workspace.h"

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

int reset_main(int argc, char **argv)
{
    struct practice_options options = practice_options(argc, argv, 0);
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
