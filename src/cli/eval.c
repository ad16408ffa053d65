/* attn eval 'CODE' | -f FILE: evaluates and prints; exit code 1 on the first error. A FILE that is
 * a cell of Python runs as in attn run. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/map_guard.h"
#include "commands/command.h"
#include "lang/notebook/notebook.h"
#include "lang/syntax/transcript.h"
#include "shell/shell_help.h"
#include "show/backend.h"

struct eval_options {
    struct common_options common;
    const char *code, *file;
    bool svg;
    size_t width_cols; /* 0: the terminal's */
};

#define SETS(field) OPTION_SETS(struct eval_options, field)

static const struct option rows[] = {
    OPTIONS_COMMON(struct eval_options),
    {.kind = OPTION_WORD,
     .name = "CODE",
     .value = NULL,
     .help = "lines of the language, in one pair of quotes"},
    {OPTION_TEXT, "-f, --file", "FILE",
     "the lines of a file, or a cell of Python; - reads standard input", SETS(file)},
    {OPTION_NUMBER, "--width", "COLUMNS", "how wide lines may get, else as wide as the terminal",
     SETS(width_cols), .low = 20, .high = 1000},
    {OPTION_FLAG, "--svg", NULL, "prints a picture of the output as SVG", SETS(svg)},
    {.kind = OPTION_END},
};

const struct subcommand eval_command = {
    "eval",
    "'CODE' | -f FILE",
    "evaluates and prints; exit code 1 on the first error",
    eval_main,
    rows,
    .notes = "  attn eval 'softmax([1, 2, 3])'",
};

static struct eval_options read_options(int argc, char **argv)
{
    struct eval_options options = {0};
    size_t n = options_read(&eval_command, argc, argv, SIZE_MAX, &options);
    if (n > 1)
        usage_error("eval: more than one CODE; put it in one pair of quotes");
    if ((n == 0) == (options.file == NULL))
        usage_error("eval: give CODE in quotes, or -f FILE");
    options.code = n > 0 ? argv[1] : NULL;
    return options;
}

/* Prints what each line shows as soon as it is done. */
struct printer {
    struct session *session;
    bool failed; /* standard output takes no more */
};

static void print_line(void *context, struct doc *out)
{
    struct printer *printer = context;
    if (!printer->failed)
        printer->failed = !print_doc(out, &printer->session->settings);
    printer->session->wants_quit = printer->session->wants_quit || printer->failed;
}

static bool print_svg(const struct doc *doc)
{
    struct text svg = {0};
    doc_to_svg(doc, NULL, &svg);
    bool ok = !svg.failed && fwrite(text_string(&svg), 1, svg.size, stdout) == svg.size &&
              fflush(stdout) == 0;
    text_release(&svg);
    return ok;
}

/* The code without the prompts that it was copied with. What was left out of a file is said. */
static bool read_code(const struct eval_options *options, const char *source, size_t size,
                      struct text *ret)
{
    size_t n_left_out = transcript_read(source, size, ret);
    if (ret->failed) {
        fputs("attn: not enough memory\n", stderr);
        text_release(ret);
        return false;
    }
    if (n_left_out > 0)
        fprintf(stderr, "attn: %s: %zu line%s without a prompt left out\n",
                options->file != NULL ? options->file : "eval", n_left_out,
                n_left_out == 1 ? "" : "s");
    return true;
}

static int run(const struct eval_options *options, const char *source, size_t size)
{
    struct settings settings = terminal_settings(&options->common, 1);
    settings.shows_tiny = false; /* what eval prints does not depend on the terminal */
    if (options->width_cols > 0)
        settings.width_cols = options->width_cols;
    if (options->svg) {
        settings.colours = COLOURS_TRUE;
        settings.ascii = false;
    }
    struct session session;
    struct doc out;
    struct error error;
    struct text code = {0};
    struct printer printer = {.session = &session};
    if (!read_code(options, source, size, &code))
        return EXIT_FAILED;
    source = text_string(&code);
    if (options->file != NULL && !options->svg &&
        notebook_can_read(source, code.size, true, NULL)) {
        int exit_code = run_python(options->file, &code);
        text_release(&code);
        return exit_code;
    }
    struct script script = {.source = source,
                            .size = code.size,
                            .after_line = options->svg ? NULL : print_line,
                            .answer = shell_help_answer,
                            .context = &printer};
    doc_init(&out);
    session_init(&session, command_find, &settings, data_dir(), &interrupt_flag);
    bool ok = session_run_script(&session, &script, &out, &error);
    ok = map_guard_check(&error) && ok;
    if (!ok)
        print_error(&error, source + script.start, code.size - script.start, options->file,
                    script.row);
    else if (options->svg)
        printer.failed = !print_svg(&out);
    printer.failed = !finish_output(!printer.failed);
    session_release(&session);
    doc_release(&out);
    text_release(&code);
    return ok && !printer.failed ? EXIT_OK : EXIT_FAILED;
}

/* Whether CODE is nothing but a question to the help: "help how do I multiply". */
static bool is_question(const char *code)
{
    static const char help[] = "help ";
    size_t blank = strspn(code, " ");
    const char *words = code + blank + sizeof help - 1;
    return strncmp(code + blank, help, sizeof help - 1) == 0 && strpbrk(words, ";\n#") == NULL &&
           strchr(words + strspn(words, " "), ' ') != NULL;
}

int eval_main(int argc, char **argv)
{
    struct eval_options options = read_options(argc, argv);
    if (options.code != NULL && !options.svg && is_question(options.code))
        return lesson_show_line(options.code, &options.common);
    if (options.code != NULL)
        return run(&options, options.code, strlen(options.code));
    struct text text = {0};
    int code = EXIT_FAILED;
    if (read_whole_file(options.file, SIZE_MAX, &text))
        code = run(&options, text_string(&text), text.size);
    else
        fprintf(stderr, "attn: %s: can't be read: %s\n", options.file, strerror(errno));
    text_release(&text);
    return code;
}
