/* attn run FILE.py: runs a file of Python as it stands. What it prints goes to standard output, and
 * nothing else; a traceback goes to standard error, and the exit code is 1. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "lang/notebook/notebook.h"
#include "lang/syntax/parser.h"

struct run_options {
    struct common_options common;
};

static int run_main(int argc, char **argv);

static const struct option rows[] = {
    OPTIONS_COMMON(struct run_options),
    {.kind = OPTION_WORD,
     .name = "FILE.py",
     .value = NULL,
     .help = "a file of Python; - reads standard input"},
    {.kind = OPTION_END},
};

const struct subcommand run_file_command = {
    "run",
    "FILE.py",
    "runs a file of Python and prints what Python prints; exit code 1 on an error",
    run_main,
    rows,
    .notes = "  attn run model.py",
};

static void print_bytes(void *context, const char *bytes, size_t size)
{
    bool *failed = context;
    *failed = *failed || fwrite(bytes, 1, size, stdout) != size;
}

static void print_error_bytes(void *context, const char *bytes, size_t size)
{
    (void)context;
    fflush(stdout);
    fwrite(bytes, 1, size, stderr);
}

static void print_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static int run_text(const char *path, const struct text *source)
{
    bool failed = false;
    struct text trace = {0};
    int code = EXIT_OK;
    struct notebook_options options = {.print = print_bytes,
                                       .print_error = print_error_bytes,
                                       .note = print_note,
                                       .context = &failed,
                                       .stop = &interrupt_flag};
    struct notebook *notebook = notebook_new(&options);
    if (notebook == NULL) {
        fputs("attn: run: not enough memory\n", stderr);
        return EXIT_FAILED;
    }
    interrupt_catch();
    enum notebook_end end =
        notebook_run(notebook, path, text_string(source), source->size, &trace, &code);
    notebook_free(notebook);
    if (!finish_output(!failed))
        end = NOTEBOOK_FAILED;
    fwrite(text_string(&trace), 1, trace.size, stderr);
    text_release(&trace);
    if (end == NOTEBOOK_FAILED)
        end_by_signal(interrupt_flag);
    return end == NOTEBOOK_FAILED ? EXIT_FAILED : code;
}

static int run_main(int argc, char **argv)
{
    struct run_options options = {0};
    struct text source = {0};
    if (options_read(&run_file_command, argc, argv, 1, &options) == 0)
        usage_error("run: give a FILE of Python, as in attn run model.py");
    const char *path = argv[1];
    if (text_ends_with(path, ".ipynb"))
        usage_error("run: %s: notebooks are not read yet; save its code cells as a .py file", path);
    if (!read_whole_file(path, CELL_MAX_BYTES, &source)) {
        fprintf(stderr, "attn: %s: %s; check its name\n", path, strerror(errno));
        text_release(&source);
        return EXIT_FAILED;
    }
    int code = run_text(path, &source);
    text_release(&source);
    return code;
}
