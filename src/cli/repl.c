/* attn repl: reads lines, runs them, shows what they give; in a lesson or out of one. At a terminal
 * with readline's editing, history and completion; from a pipe line by line as they come. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* readline.h needs it first */

#include <readline/readline.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/line_editor.h"
#include "cli/map_guard.h"
#include "cli/opening.h"
#include "course/player/course_command.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/transcript.h"
#include "shell/shell_block.h"
#include "shell/history.h"
#include "exercise/exercises.h"
#include "shell/shell.h"
#include "show/doc.h"

/* ---- keys ---- */

enum { KEY_GIVE_UP = 'C' - '@', KEY_ABORT = 'G' - '@' };

/* The line was given up, and ^C stands after it. */
static bool shows_give_up;

/* Bound to KEY_GIVE_UP: the line ends here, whatever is in it. The sign for it is written before
 * readline puts the cursor back to the row's beginning, as it does where pastes are marked. */
static int give_up(int count, int key)
{
    (void)count;
    (void)key;
    rl_point = rl_end;
    rl_redisplay();
    fputs("^C\n", rl_outstream);
    (void)fflush(rl_outstream);
    shows_give_up = true;
    rl_done = 1;
    return 0;
}

/* A tab between words of a paste, which more text follows at once, is a blank. */
static int complete_or_blank(int count, int key)
{
    struct pollfd input = {.fd = fileno(rl_instream), .events = POLLIN};
    bool between = rl_point == 0 || strchr(" \t,;()[]=+-*/@", rl_line_buffer[rl_point - 1]) != NULL;
    if (between && poll(&input, 1, 0) > 0)
        return rl_insert_text(" ") < 0;
    if (rl_last_func == complete_or_blank)
        rl_last_func = rl_complete; /* the second tab shows the choices */
    return rl_complete(count, key);
}

/* Set when the stopped program goes on (Ctrl-Z, then fg): the terminal shows other things now. */
static volatile sig_atomic_t continued;

static void on_continue(int signal_number)
{
    (void)signal_number;
    continued = 1;
}

/* Waits for input. The signals that readline must hear of at once are held back (see read_key())
 * but for the time of waiting, so that none can come unseen between looking for it and waiting. */
static bool wait_for_input(int fd, const sigset_t *while_waiting)
{
    fd_set inputs;
    FD_ZERO(&inputs);
    FD_SET(fd, &inputs);
    return pselect(fd + 1, &inputs, NULL, NULL, NULL, while_waiting) > 0;
}

/* The next key, for readline. An interrupt is a key too: first it aborts what readline is in the
 * middle of, such as a search or a question, then it gives up the line. */
static int read_key(FILE *stream)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};
    unsigned char key;
    ssize_t size = -1;
    bool interrupted = false;
    do {
        sigset_t held, before;
        sigemptyset(&held);
        for (size_t i = 0; i < COUNT_OF(signals); i++)
            sigaddset(&held, signals[i]);
        rl_check_signals(); /* with no signal held back: readline raises some of them once more */
        if (continued) {
            continued = 0;
            rl_forced_update_display();
        }
        sigprocmask(SIG_BLOCK, &held, &before);
        if (rl_pending_signal() != 0) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            errno = EINTR;
            continue;
        }
        errno = 0;
        interrupted = interrupt_flag;
        if (!interrupted && wait_for_input(fileno(stream), &before))
            size = read(fileno(stream), &key, 1);
        int problem = errno;
        sigprocmask(SIG_SETMASK, &before, NULL);
        errno = problem;
    } while (!interrupted && size < 0 && errno == EINTR);
    if (interrupted)
        return RL_ISSTATE(RL_STATE_READCMD) ? KEY_GIVE_UP : KEY_ABORT;
    return size == 1 ? key : EOF;
}

static void start_readline(struct tutor *tutor, struct history *history)
{
    Keymap const keymaps[] = {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap};
    char problem[512];
    struct sigaction action = {.sa_handler = on_continue};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
    rl_getc_function = read_key;
    rl_variable_bind("enable-bracketed-paste", "on");   /* a pasted block is one entry */
    rl_variable_bind("echo-control-characters", "off"); /* read_line() tells of Ctrl-C */
    for (size_t i = 0; i < COUNT_OF(keymaps); i++)
        rl_bind_key_in_map(KEY_GIVE_UP, give_up, keymaps[i]);
    rl_bind_key_in_map('\t', complete_or_blank, emacs_standard_keymap);
    rl_bind_key_in_map('\t', complete_or_blank, vi_insertion_keymap);
    line_editor_open(tutor);
    history_open(history, problem);
    if (problem[0] != '\0')
        fprintf(stderr, "attn: %s\n", problem);
}

/* ---- lines ---- */

struct repl {
    struct tutor tutor;
    struct progress *progress;
    struct history history;
    bool interactive;
    bool had_error;
    bool output_failed;           /* standard output takes no more */
    bool was_interrupted;         /* the last line was given up, which is not an empty line */
    size_t terminal_cols;         /* the terminal's width as last seen */
    struct transcript transcript; /* of the rows of a pipe */
    struct text ahead;            /* rows of a pipe that were read and belong to the next lines */
};

/* One row and its size, or NULL at the end of input. The caller frees it. A row from a pipe may
 * hold any bytes, NUL too. */
static char *read_row(const struct repl *repl, bool first, size_t *ret_size)
{
    char *row = NULL;
    if (repl->interactive) {
        struct text prompt = {0};
        tutor_prompt(&repl->tutor, &prompt);
        row = readline(first ? text_string(&prompt) : "  ... ");
        *ret_size = row ? strlen(row) : 0;
        text_release(&prompt);
        return row;
    }
    size_t capacity = 0;
    ssize_t size = getline(&row, &capacity, stdin);
    if (size < 0) {
        free(row);
        return NULL;
    }
    *ret_size = (size_t)size;
    return row;
}

/* Adds the code in a row, and a newline; of a pipe without the prompt before it. */
static void add_row(struct repl *repl, struct text *line, const char *row, size_t size,
                    bool is_open)
{
    size_t begin = 0;
    size -= size > 0 && row[size - 1] == '\n';
    if (!repl->interactive && !transcript_row(&repl->transcript, row, size, is_open, &begin))
        return;
    text_add(line, row + begin, size - begin);
    text_char(line, '\n');
}

/* Reads the indented rows below a line of a pipe that may have some: they run with it, or not at
 * all. The row after them is kept for the next line. */
static void read_body(struct repl *repl, struct text *line)
{
    bool open, is_part = lexer_may_go_on(text_string(line), line->size);
    while (is_part) {
        size_t size, before = line->size;
        char *row = read_row(repl, false, &size);
        if (row == NULL)
            return;
        add_row(repl, line, row, size, false);
        free(row);
        is_part = lexer_line(text_string(line), line->size, &open) > before ||
                  text_is_blank(line->bytes + before, line->size - before);
        if (!is_part) {
            text_add(&repl->ahead, line->bytes + before, line->size - before);
            text_shrink(line, before);
        }
    }
}

/* Whether a bracket, or a block, is open at the end of what was typed or pasted so far. */
static bool is_open(const struct text *text)
{
    struct shell_block block = {0};
    size_t size = text->size;
    size -= size > 0 && text->bytes[size - 1] == '\n';
    shell_block_begin(&block, text_string(text), size);
    bool open = block.is_open;
    shell_block_release(&block);
    return open;
}

/* Adds rows to *line until no bracket, and no block, is open. False at the end of input. */
static bool read_line(struct repl *repl, struct text *line)
{
    bool open = repl->ahead.size == 0;
    text_clear(line);
    if (!open) {
        text_add(line, repl->ahead.bytes, repl->ahead.size);
        text_clear(&repl->ahead);
        (void)lexer_line(text_string(line), line->size, &open);
    }
    while (open) {
        size_t size;
        char *row = read_row(repl, line->size == 0, &size);
        if (row == NULL)
            return line->size > 0;
        add_row(repl, line, row, size, line->size > 0);
        free(row);
        if (interrupt_flag) {
            interrupt_flag = 0;
            text_clear(line);
            if (!shows_give_up)
                puts("^C");
            shows_give_up = false;
            repl->was_interrupted = true;
            return true;
        }
        if (repl->interactive)
            open = is_open(line);
        else
            (void)lexer_line(text_string(line), line->size, &open);
    }
    if (!repl->interactive)
        read_body(repl, line);
    return true;
}

/* After a resize, lines are as wide as the terminal; until then, `set width` holds. */
static void follow_resize(struct repl *repl)
{
    size_t width = terminal_width(1);
    if (width == repl->terminal_cols)
        return;
    repl->terminal_cols = width;
    if (width >= 20)
        tutor_set_width(&repl->tutor, width);
}

/* Shows what a line gave, or why it failed; row: of a block, the line's row; else 0. */
static void show_result(struct repl *repl, bool ok, const struct doc *out,
                        const struct error *error, const struct text *line, size_t row)
{
    if (ok) {
        repl->output_failed = !print_doc(out, &tutor_session(&repl->tutor)->settings);
        return;
    }
    if (out->n_lines > 0) /* what it had printed, and the calls of Python */
        repl->output_failed = !print_doc(out, &tutor_session(&repl->tutor)->settings);
    if (repl->interactive && error->kind == ERR_INTERRUPTED)
        putchar('\n'); /* after the ^C that the terminal shows */
    print_error(error, text_string(line), line->size, row > 0 ? "pasted" : NULL, row);
    repl->had_error = true;
}

/* What came through a pipe, so that a log of a lesson tells what was answered. */
static void echo_line(const struct repl *repl, const struct text *line)
{
    struct text prompt = {0};
    tutor_prompt(&repl->tutor, &prompt);
    printf("%s%s\n", text_string(&prompt), text_string(line));
    text_release(&prompt);
}

/* Runs a shell command as the command of attn that it is, in a process of its own, which a command
 * ends where it is used wrongly. */
static void run_command(void *context, struct shell_line *line)
{
    static const struct subcommand *const commands[] = {
        [SHELL_EXERCISES] = &exercises_command,
        [SHELL_WORKSPACE] = &start_command,
        [SHELL_EXERCISE] = &task_command,
        [SHELL_CHECK] = &check_command,
    };
    _Static_assert(COUNT_OF(commands) == SHELL_EXPLORE, "a row for each word that lines have");
    (void)context;
    (void)fflush(stdout);
    pid_t process = fork();
    if (process == 0) {
        /* Its end would set back the place where the lines are read from. */
        int nowhere = isatty(0) ? -1 : open("/dev/null", O_RDONLY);
        if (nowhere > 0)
            (void)dup2(nowhere, 0);
        int code = commands[line->command]->run(line->n, line->words);
        (void)fflush(stdout);
        _exit(code);
    }
    if (process < 0) {
        perror("attn: no process");
        return;
    }
    pid_t ended;
    do
        ended = waitpid(process, NULL, 0);
    while (ended < 0);
}

/* False where the line failed. */
static bool run_line(struct repl *repl, const struct text *line, size_t row)
{
    const struct shell shell = {
        .tutor = &repl->tutor, .empty_line_goes_on = repl->interactive, .run_command = run_command};
    struct doc out;
    struct error error;
    doc_init(&out);
    if (repl->interactive)
        follow_resize(repl);
    if (!repl->interactive && repl->tutor.player != NULL)
        echo_line(repl, line);
    enum shell_result result = shell_run_line(&shell, text_string(line), line->size, &out, &error);
    bool ok = map_guard_check(&error) && result != SHELL_FAILED;
    show_result(repl, ok, &out, &error, line, row);
    interrupt_flag = 0;
    doc_release(&out);
    return ok;
}

static bool wants_quit(const struct repl *repl)
{
    const struct tutor *tutor = &repl->tutor;
    return tutor->session.wants_quit ||
           (tutor->player != NULL && tutor->player->learner.session.wants_quit);
}

/* A line failed: the block goes on if attn only lacks what the line uses. */
static void end_failed(struct repl *repl, struct shell_block *block)
{
    if (tutor_session(&repl->tutor)->lacked)
        shell_block_pass(block);
    else
        shell_block_stop(block);
}

/* Runs what was typed or pasted: a block of lines up to the first that fails. */
static void run_block(struct repl *repl, const struct text *typed)
{
    struct shell_block block = {0};
    struct text says = {0};
    const struct text *line;
    shell_block_begin(&block, text_string(typed), typed->size);
    if (repl->interactive) {
        shell_block_write(&block, &says);
        history_remember(&repl->history, text_string(&says));
        text_clear(&says);
    }
    bool has_lines = shell_block_has_lines(&block);
    while ((line = shell_block_next(&block)) != NULL && !wants_quit(repl) && !repl->output_failed)
        if (!run_line(repl, line, has_lines ? block.row : 0))
            end_failed(repl, &block);
    shell_block_tell(&block, &says);
    if (says.size > 0 && !repl->output_failed && !wants_quit(repl)) {
        struct doc told;
        doc_init(&told);
        doc_wrap(&told, STYLE_QUIET, text_string(&says),
                 tutor_session(&repl->tutor)->settings.width_cols, 0);
        repl->output_failed = !print_doc(&told, &tutor_session(&repl->tutor)->settings);
        doc_release(&told);
    }
    text_release(&says);
    shell_block_release(&block);
}

static int run(struct repl *repl)
{
    struct text line = {0};
    while (!wants_quit(repl) && !repl->output_failed && read_line(repl, &line)) {
        if (repl->was_interrupted) {
            repl->was_interrupted = false;
            continue;
        }
        while (line.size > 0 && line.bytes[line.size - 1] == '\n')
            text_shrink(&line, line.size - 1);
        if (repl->interactive)
            run_block(repl, &line);
        else
            (void)run_line(repl, &line, 0);
    }
    if (repl->interactive && !wants_quit(repl))
        putchar('\n');
    bool ok = finish_output(!repl->output_failed) && !line.failed &&
              (repl->interactive || !repl->had_error);
    text_release(&line);
    text_release(&repl->ahead);
    return ok ? EXIT_OK : EXIT_FAILED;
}

/* What is shown before the first line. False when the lesson can't be opened. */
static bool begin(struct repl *repl, const struct opening *opening)
{
    struct text line = {0};
    struct doc out;
    struct error error;
    if (opening->line == NULL) {
        if (repl->interactive)
            puts("attn " ATTN_VERSION ": attention, number by number\n"
                 "help shows what you can type; lesson starts the course; quit or Ctrl-D ends.\n"
                 "Try this: X = embed(\"Hello shiny sun!\"); softmax(X @ X.T / sqrt(3))");
        return true;
    }
    doc_init(&out);
    text_put(&line, opening->line);
    bool ok = tutor_line(&repl->tutor, text_string(&line), line.size, &out, &error);
    show_result(repl, ok, &out, &error, &line, 0);
    text_release(&line);
    doc_release(&out);
    return ok;
}

int repl_run(const struct opening *opening)
{
    struct repl repl = {.interactive = isatty(0) && isatty(1), .terminal_cols = terminal_width(1)};
    struct settings settings = terminal_settings(&opening->common, 1);
    settings.echo = repl.interactive;
    repl.progress = progress_open(NULL);
    if (repl.progress == NULL) {
        fputs("attn: not enough memory\n", stderr);
        return EXIT_FAILED;
    }
    tutor_init(&repl.tutor, &(struct player_setup){.progress = repl.progress,
                                                   .settings = &settings,
                                                   .data_dir = data_dir(),
                                                   .stop = &interrupt_flag,
                                                   .count_exercises = catalogue_count});
    /* Why progress is not kept is said once, at the start. */
    if (opening->line != NULL && progress_problem(repl.progress) != NULL)
        fprintf(stderr, "attn: %s\n", progress_problem(repl.progress));
    if (repl.interactive) {
        interrupt_catch();
        start_readline(&repl.tutor, &repl.history);
    }
    int code = begin(&repl, opening) ? run(&repl) : EXIT_FAILED;
    tutor_release(&repl.tutor);
    progress_close(repl.progress);
    return code;
}

static const struct option rows[] = {
    OPTIONS_COMMON(struct opening),
    {.kind = OPTION_END},
};

static int repl_main(int argc, char **argv)
{
    struct opening opening = {.line = NULL};
    options_read(&repl_command, argc, argv, 0, &opening);
    return repl_run(&opening);
}

const struct subcommand repl_command = {
    "repl", NULL, "a prompt for formulas; reads a script from a pipe", repl_main, .options = rows,
};
