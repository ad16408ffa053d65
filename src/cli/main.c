/* attn: finds the subcommand and runs it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/kept_memory.h"
#include "base/suggestion.h"
#include "cli/cli.h"
#include "cli/map_guard.h"
#include "cli/opening.h"
#include "cli/outputs.h"
#include "kernel/kernel.h"
#include "ui/terminal/kind.h"
#include "ui/terminal/terminal.h"

static int help_main(int argc, char **argv);

static const struct option no_options[] = {
    {OPTION_TABLE, .table = common_options_table},
    {.kind = OPTION_END},
};

static const struct subcommand help_command = {
    "help",
    "[WORD...]",
    "what a command, a function or a term does; answers a question",
    help_main,
    .options = no_options,
};

/* In the order of --help. */
static const struct subcommand *const subcommands[] = {
    &eval_command,      &run_file_command, &repl_command,     &train_command,  &explore_command,
    &lesson_command,    &lessons_command,  &progress_command, &review_command, &start_command,
    &exercises_command, &task_command,     &check_command,    &watch_command,  &hint_command,
    &solutions_command, &reset_command,    &help_command,     &doctor_command, &verify_command,
    &view_command,      &lint_command,     &grade_command,    &bench_command,  &report_command,
    &gradebook_command,
};
enum { N_SUBCOMMANDS = COUNT_OF(subcommands) };

enum { HELP_COLUMN = 30 }; /* of what a command does */

static int print_page(struct doc *doc)
{
    const struct settings settings = {.ascii = true};
    bool ok = finish_output(!doc->failed && print_doc(doc, &settings));
    doc_release(doc);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* As wide as the terminal, and not too wide to read. */
static size_t help_width(void)
{
    size_t width = terminal_width(1);
    return width == 0 || width > 80 ? 80 : width < 60 ? 60 : width;
}

static int print_help(void)
{
    static const struct option rows[] = {
        {.kind = OPTION_WORD,
         .name = "--color",
         .value = "auto|always|never",
         .help = "colours; NO_COLOR in the environment means never"},
        {.kind = OPTION_WORD,
         .name = "--ascii",
         .value = NULL,
         .help = "nothing but ASCII characters"},
        {.kind = OPTION_WORD,
         .name = "-h, --help",
         .value = NULL,
         .help = "this page; after a command, what the command takes"},
        {.kind = OPTION_WORD, .name = "--version", .value = NULL, .help = "the version of attn"},
        {.kind = OPTION_END},
    };
    const size_t width_cols = help_width();
    struct doc doc;
    doc_init(&doc);
    doc_wrap(&doc, STYLE_PLAIN,
             "attn teaches the attention mechanism: formulas at a prompt, every number explained.",
             width_cols, 0);
    doc_end_line(&doc);
    doc_line(&doc, STYLE_PLAIN,
             "usage: attn                   the full screen; in a pipe, the prompt");
    doc_line(&doc, STYLE_PLAIN, "       attn COMMAND ...");
    doc_end_line(&doc);
    for (size_t i = 0; i < N_SUBCOMMANDS; i++) {
        const struct subcommand *command = subcommands[i];
        char left[80];
        snprintf(left, sizeof left, "  %s%s%s", command->name,
                 command->arguments != NULL ? " " : "",
                 command->arguments != NULL ? command->arguments : "");
        options_help_row(&doc, left, command->summary, HELP_COLUMN, width_cols);
    }
    doc_end_line(&doc);
    doc_line(&doc, STYLE_PLAIN, "options, before a command or after it:");
    options_help_table(rows, width_cols, &doc);
    doc_end_line(&doc);
    doc_wrap(
        &doc, STYLE_PLAIN,
        "At the prompt, help lists the functions and commands of the language; attn help softmax "
        "asks the same at the shell.",
        width_cols, 0);
    return print_page(&doc);
}

static const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        if (strcmp(subcommands[i]->name, name) == 0)
            return subcommands[i];
    return NULL;
}

static int print_subcommand_help(const struct subcommand *subcommand)
{
    struct doc doc;
    doc_init(&doc);
    options_help(subcommand, help_width(), &doc);
    return print_page(&doc);
}

/* Whether --help or -h is among the arguments. */
static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* What `help WORDS` says at the prompt. One word is looked up as eval does it; several are a
 * question. */
static int look_up(const char *words, size_t n_words, const struct common_options *options)
{
    char eval[] = "eval", ascii[] = "--ascii", colour[] = "--color";
    char whens[][8] = {
        [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    struct text line = {0};
    text_format(&line, "help %s", words);
    if (line.failed)
        usage_error("help: there is not enough memory");
    char *arguments[] = {eval, line.bytes, colour, whens[options->colour], ascii, NULL};
    int code = n_words > 1 ? lesson_show_line(text_string(&line), options)
                           : eval_main(options->ascii ? 5 : 4, arguments);
    text_release(&line);
    return code;
}

/* attn help WORD...: of a subcommand its usage; else what the help of the language says. */
static int help_main(int argc, char **argv)
{
    struct common_options options = {0};
    struct text words = {0};
    size_t n_words = options_read(&help_command, argc, argv, SIZE_MAX, &options);
    const struct subcommand *subcommand = n_words == 1 ? subcommand_find(argv[1]) : NULL;
    for (size_t i = 1; i <= n_words; i++)
        text_format(&words, "%s%s", i > 1 ? " " : "", argv[i]);
    int code = n_words == 0         ? print_help()
               : subcommand != NULL ? print_subcommand_help(subcommand)
                                    : look_up(text_string(&words), n_words, &options);
    text_release(&words);
    return code;
}

/* Ends the program: no subcommand has this name. */
static _Noreturn void refuse_name(const char *name)
{
    struct suggestion suggestion;
    suggestion_init(&suggestion, name, strlen(name));
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        suggestion_try(&suggestion, subcommands[i]->name);
    if (suggestion.best[0] != '\0')
        usage_error("%s: no such command; did you mean %s?", name, suggestion.best);
    usage_error("%s: no such command; attn --help lists them, attn help %s looks it up", name,
                name);
}

/* ATTN_ISA names the instruction set that the kernels use. */
static void check_instruction_set(void)
{
    const char *name = getenv("ATTN_ISA");
    const struct kernel *sets[KERNEL_MAX_SETS + 1];
    char quoted[40];
    struct text known = {0};
    if (name == NULL || kernel_name_fits(name))
        return;
    kernel_sets(sets);
    for (size_t i = 0; sets[i] != NULL; i++)
        text_format(&known, "%s%s", i > 0 ? ", " : "", sets[i]->name);
    usage_error("ATTN_ISA: '%s' is not an instruction set of this machine; use %s or plain",
                error_quote(quoted, sizeof quoted, name, strlen(name)), text_string(&known));
}

/* Where a signal ended the full screen, it ends the program, too. Returns the exit code. */
static int end(int code)
{
    end_by_signal(terminal_ended_by());
    return code;
}

int main(int argc, char **argv)
{
    terminal_choose_locale();
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        (void)terminal_find_kind();
    /* Where who started us ignores it, no child could be waited for. */
    signal(SIGCHLD, SIG_DFL);
    map_guard_install(&interrupt_flag, &terminal_interrupted);
    keep_freed_memory();
    if (argc > 0)
        program_set(argv[0]);
    check_instruction_set();
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        puts("attn " ATTN_VERSION);
        return finish_output(true) ? EXIT_OK : EXIT_FAILED;
    }
    const char *name = options_first_word(argc, argv);
    const struct subcommand *named = name != NULL ? subcommand_find(name) : NULL;
    if (asks_for_help(argc, argv))
        return named != NULL ? print_subcommand_help(named) : print_help();
    if (named != NULL)
        return end(named->run(argc - 1, argv + 1));
    if (name == NULL || name[0] == '-')
        return end(attn_main(argc, argv));
    refuse_name(name);
}
