/* attn alone, attn explore: the full screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/opening.h"
#include "sandbox/system.h"
#include "ui/app/app.h"

static const char *program_called = "";

void opening_set_program(const char *called)
{
    program_called = called;
}

/* Whether a person sits at a terminal that can show a screen. */
static bool screen_is_there(void)
{
    const char *terminal = getenv("TERM");
    return isatty(0) && isatty(1) && terminal != NULL && terminal[0] != '\0' &&
           strcmp(terminal, "dumb") != 0;
}

/* False with *reterr where the screen can't be shown. */
static bool show_screen(const struct opening *opening, struct error *reterr)
{
    char path[SYSTEM_PATH_BYTES];
    const struct app_options options = {
        .settings = terminal_settings(&opening->options, 1),
        .data_dir = data_dir(),
        .program = system_program_path(program_called, path),
        .line = opening->line,
        .sentence = opening->sentence,
    };
    return app_run(&options, reterr);
}

int opening_run(const struct opening *opening)
{
    struct error error;
    if (opening->plain || !screen_is_there())
        return repl_run(opening);
    if (show_screen(opening, &error))
        return EXIT_OK;
    fprintf(stderr, "attn: %s\n", error.text);
    return repl_run(opening);
}

int attn_main(int argc, char **argv)
{
    struct opening opening = {.line = NULL};
    for (int i = 1; i < argc; i++)
        if (!common_option(argc, argv, &i, &opening.options))
            usage_error("%s: no such option; attn --help lists them", argv[i]);
    return opening_run(&opening);
}

int explore_main(int argc, char **argv)
{
    struct opening opening = {.sentence = ""};
    struct error error;
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &opening.options))
            continue;
        if (argv[i][0] == '-' || opening.sentence[0] != '\0')
            usage_error("explore: %s: one sentence in quotes may stand here", argv[i]);
        opening.sentence = argv[i];
    }
    if (show_screen(&opening, &error))
        return EXIT_OK;
    fprintf(stderr, "attn: %s\n", error.text);
    return EXIT_FAILED;
}
