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

static const struct subcommand subcommands[] = {
    {"eval", "eval 'CODE' | -f FILE", "evaluates and prints; exit code 1 on the first error",
     eval_main, eval_help},
    {"repl", "repl", "a prompt for formulas; reads a script from a pipe", repl_main, NULL},
    {"train", "train [TASK|--text FILE]",
     "a small model learns while you watch; saved as a GPT-2 folder", train_main, train_help},
    {"explore", "explore ['SENTENCE'] [--heads N]",
     "the attention of a sentence, every number of it; in a pipe as lines", explore_main,
     explore_help},
    {"lesson", "lesson [ID|FILE.md]", "a lesson, where you stopped", lesson_main, lesson_help},
    {"lessons", "lessons", "lists them, with what is done", lessons_main, NULL},
    {"progress", "progress [export]", "what is done and what is weak", progress_main,
     progress_help},
    {"review", "review [all]", "asks again what you missed", review_main, NULL},
    {"start", "start [DIR]", "makes a folder with the exercises' starters", start_main, NULL},
    {"exercises", "exercises", "lists them, with what is solved", exercises_main, NULL},
    {"task", "task [ID]", "what an exercise asks for", task_main, NULL},
    {"check", "check [FILE|ID]", "grades one file", check_main, check_help},
    {"watch", "watch [DIR|FILE]", "grades a file each time it is saved", watch_main, watch_help},
    {"hint", "hint [ID]", "the next hint", hint_main, NULL},
    {"solutions", "solutions ID", "other ways to write what you have solved", solutions_main,
     solutions_help},
    {"reset", "reset ID", "brings a starter back and keeps what you wrote", reset_main, NULL},
    {"help", "help [WORD...]", "what a command, a function or a term does; answers a question",
     help_main, NULL},
    {"doctor", "doctor [FOLDER]", "what this machine, or a model's folder, has and lacks",
     doctor_main, doctor_help},
    {"view", "view [FOLDER] ['TEXT']", "the heads of a real model on a text, and its next word",
     view_main, view_help},
    {"lint", "lint PATH...", "are lessons and exercises sound? for their authors", lint_main,
     lint_help},
    {"grade", "grade PATH...", "grades a class, unattended", grade_main, grade_help},
    {"bench", "bench attention|grade|diagnose",
     "this machine's limits and how near attention comes; how long a verdict takes", bench_main,
     bench_help},
    {"report", "report FILE.json",
     "a class at a glance, from what grade wrote; other formats; merge", report_main, report_help},
};
enum { N_SUBCOMMANDS = COUNT_OF(subcommands) };

static int print_help(void)
{
    puts("attn teaches the attention mechanism: formulas at a prompt, every number explained.\n\n"
         "usage: attn                        the full screen; in a pipe, the prompt");
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        printf("       attn %-22s %s\n", subcommands[i].usage, subcommands[i].summary);
    puts("\noptions:\n"
         "  --color auto|always|never   colours; NO_COLOR in the environment means never\n"
         "  --ascii                     nothing but ASCII characters\n"
         "  --help, -h                  this page; after a command, what that command takes\n"
         "  --version\n"
         "They may stand before a command or after it.\n\n"
         "At the prompt, help lists the functions and commands of the language; attn help softmax\n"
         "asks the same at the shell.");
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
}

static const struct subcommand *subcommand_find(const char *name)
{
    for (size_t i = 0; i < N_SUBCOMMANDS; i++)
        if (strcmp(subcommands[i].name, name) == 0)
            return &subcommands[i];
    return NULL;
}

static int print_subcommand_help(const struct subcommand *subcommand)
{
    const char *options = subcommand->options != NULL ? subcommand->options : "";
    const char *formats = strstr(options, HELP_FORMATS);
    struct text text = {0};
    text_format(&text, "usage: attn %s\n%s.\n%s", subcommand->usage, subcommand->summary,
                options[0] != '\0' ? "\n" : "");
    if (formats != NULL) {
        text_add(&text, options, (size_t)(formats - options));
        report_list_formats(" or ", &text);
        options = formats + strlen(HELP_FORMATS);
    }
    text_put(&text, options);
    fputs(text_string(&text), stdout);
    text_release(&text);
    return finish_output(true) ? EXIT_OK : EXIT_FAILED;
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
    const struct subcommand *subcommand = NULL;
    size_t n_words = 0;
    for (int i = 1; i < argc; i++) {
        if (common_option(argc, argv, &i, &options))
            continue;
        subcommand = n_words == 0 ? subcommand_find(argv[i]) : NULL;
        text_format(&words, "%s%s", n_words++ > 0 ? " " : "", argv[i]);
    }
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
        suggestion_try(&suggestion, subcommands[i].name);
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
    usage_error("ATTN_ISA: '%s' is no instruction set of this machine; use %s or plain",
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
