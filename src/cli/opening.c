/* attn alone: the full screen, or the line REPL. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/opening.h"
#include "ui/app/app.h"

bool opening_has_screen(void)
{
    const char *terminal = getenv("TERM");
    return isatty(0) && isatty(1) && terminal != NULL && terminal[0] != '\0' &&
           strcmp(terminal, "dumb") != 0;
}

bool opening_show_screen(const struct opening *opening, struct error *reterr)
{
    const struct app_options options = {
        .settings = terminal_settings(&opening->common, 1),
        .is_utf8 = terminal_has_unicode(),
        .data_dir = data_dir(),
        .program = program_path(),
        .line = opening->line,
        .exploration = opening->exploration,
        .heads = opening->heads,
        .training = opening->training,
    };
    return app_run(&options, reterr);
}

int opening_run(const struct opening *opening)
{
    struct error error;
    if (opening->plain || !opening_has_screen())
        return repl_run(opening);
    if (opening_show_screen(opening, &error))
        return EXIT_OK;
    fprintf(stderr, "attn: %s\n", error.text);
    return repl_run(opening);
}

int attn_main(int argc, char **argv)
{
    static const struct option rows[] = {
        OPTIONS_COMMON(struct opening),
        {.kind = OPTION_END},
    };
    struct opening opening = {.line = NULL};
    if (options_read_table(NULL, rows, argc, argv, &opening) > 0)
        usage_error("%s: no such command; attn --help lists them", argv[1]);
    return opening_run(&opening);
}
