/* attn repl: reads lines, runs them, shows what they give. At a terminal with readline's editing,
 * history and completion; from a pipe line by line as they come. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "cli/cli.h"
#include "files/folder.h"
#include "lang/complete.h"
#include "lang/lexer.h"

enum { HISTORY_LINES = 2000 };

/* readline calls back without an argument: this is what its callbacks look at. */
static struct session *completing;

/* append_history() needs a file, for nobody else to read. */
static int make_history(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

/* Completion. */

static char *next_completion(const char *word, int again)
{
    static size_t state; /* readline asks for one completion after the other */
    size_t start;
    const char *text;
    (void)word;
    if (again == 0)
        state = 0;
    if (!complete(completing, rl_line_buffer, (size_t)rl_point, &state, &start, &text))
        return NULL;
    return strdup(text);
}

/* The files that `load` and `save` speak of are the only ones that are completed. */
static bool names_file(void)
{
    const char *line = rl_line_buffer + strspn(rl_line_buffer, " ");
    return strncmp(line, "load ", 5) == 0 || strncmp(line, "save ", 5) == 0;
}

static char *word_breaks(void)
{
    static char in_files[] = " \t\n\"'"; /* readline's type wants it writable */
    return names_file() ? in_files : NULL;
}

static char **completions(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = names_file() ? 0 : 1;
    return names_file() ? NULL : rl_completion_matches(word, next_completion);
}

/* Keys. */

enum { KEY_GIVE_UP = 'C' - '@', KEY_ABORT = 'G' - '@' };

/* Bound to KEY_GIVE_UP: the line ends here, whatever is in it. */
static int give_up(int count, int key)
{
    (void)count;
    (void)key;
    rl_point = rl_end;
    rl_redisplay();
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

/* Does what signals ask for that came since the last call. */
static void heed_signals(void)
{
    rl_check_signals();
    if (continued) {
        continued = 0;
        rl_forced_update_display();
    }
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
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
    unsigned char key;
    ssize_t size = -1;
    bool interrupted = false;
    do {
        sigset_t held, before;
        sigemptyset(&held);
        for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
            sigaddset(&held, signals[i]);
        heed_signals(); /* with no signal held back: readline raises some of them once more */
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

static void bind_keys(void)
{
    Keymap const keymaps[] = {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap};
    for (size_t i = 0; i < sizeof keymaps / sizeof keymaps[0]; i++)
        rl_bind_key_in_map(KEY_GIVE_UP, give_up, keymaps[i]);
    rl_bind_key_in_map('\t', complete_or_blank, emacs_standard_keymap);
    rl_bind_key_in_map('\t', complete_or_blank, vi_insertion_keymap);
}

static void start_readline(struct session *session)
{
    struct sigaction action = {.sa_handler = on_continue};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, NULL);
    completing = session;
    rl_readline_name = "attn";
    rl_getc_function = read_key;
    rl_attempted_completion_function = completions;
    rl_completion_word_break_hook = word_breaks;
    rl_completer_word_break_characters = " \t\n\"'+-*/@=<>&|~()[],:;.%";
    rl_variable_bind("enable-bracketed-paste", "off");  /* a paste runs as it would when typed */
    rl_variable_bind("echo-control-characters", "off"); /* read_line() tells of Ctrl-C */
    bind_keys();
}

/* Lines. */

struct repl {
    struct session session;
    struct common_options options;
    bool interactive;
    bool had_error;
    bool output_failed;   /* standard output takes no more */
    size_t terminal_cols; /* the terminal's width as last seen */
    char history[4096];   /* "" when it is not kept */
};

/* One row and its size, or NULL at the end of input. The caller frees it. A row from a pipe may
 * hold any bytes, NUL too. */
static char *read_row(const struct repl *repl, bool first, size_t *ret_size)
{
    char *row = NULL;
    if (repl->interactive) {
        row = readline(first ? "attn> " : "  ... ");
        *ret_size = row ? strlen(row) : 0;
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

/* Adds rows to *line until no bracket is open. False at the end of input. */
static bool read_line(struct repl *repl, struct text *line)
{
    bool open = true;
    text_clear(line);
    while (open) {
        size_t size;
        char *row = read_row(repl, line->size == 0, &size);
        if (row == NULL)
            return line->size > 0;
        text_add(line, row, size);
        if (size == 0 || row[size - 1] != '\n')
            text_char(line, '\n');
        free(row);
        if (interrupt_flag) {
            interrupt_flag = 0;
            text_clear(line);
            puts("^C");
            return true;
        }
        (void)lexer_line(text_string(line), line->size, &open);
    }
    return true;
}

/* Keeps a line of several rows as one, so that the arrow keys bring it back whole. */
static void remember(const struct repl *repl, const struct text *line)
{
    char *copy = strdup(text_string(line));
    if (copy == NULL)
        return;
    size_t size = strlen(copy);
    while (size > 0 && copy[size - 1] == '\n')
        copy[--size] = '\0';
    bool comment = strchr(copy, '#') != NULL;
    for (size_t i = 0; i < size && !comment; i++)
        if (copy[i] == '\n')
            copy[i] = ' ';
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (size > 0 && (last == NULL || strcmp(last->line, copy) != 0)) {
        add_history(copy);
        if (repl->history[0] != '\0')
            append_history(1, repl->history);
    }
    free(copy);
}

/* After a resize, lines are as wide as the terminal; until then, `set width` holds. */
static void follow_resize(struct repl *repl)
{
    size_t width = terminal_width(1);
    if (width == repl->terminal_cols)
        return;
    repl->terminal_cols = width;
    if (width >= 20)
        repl->session.settings.width_cols = width;
}

static void run_line(struct repl *repl, const struct text *line)
{
    struct doc out;
    struct error error;
    doc_init(&out);
    if (repl->interactive)
        follow_resize(repl);
    if (session_run(&repl->session, text_string(line), line->size, &out, &error)) {
        repl->output_failed = !print_doc(&out, &repl->session.settings);
    } else {
        if (repl->interactive && error.kind == ERR_INTERRUPTED)
            putchar('\n'); /* behind the ^C that the terminal shows */
        print_error(&error, text_string(line), line->size, NULL, 0);
        repl->had_error = true;
    }
    interrupt_flag = 0;
    doc_release(&out);
}

static void open_history(struct repl *repl)
{
    using_history();
    stifle_history(HISTORY_LINES);
    history_comment_char = '#'; /* with a time before each, entries may have several rows */
    history_write_timestamps = 1;
    if (!folder_state_path("history", repl->history, sizeof repl->history)) {
        repl->history[0] = '\0';
        return;
    }
    int problem = folder_make_parents(repl->history, true);
    if (problem == 0)
        problem = make_history(repl->history);
    if (problem == 0)
        problem = read_history(repl->history);
    if (problem == 0 && history_length == HISTORY_LINES)
        (void)history_truncate_file(repl->history, HISTORY_LINES);
    if (problem != 0) {
        fprintf(stderr, "attn: %s: %s; this session's lines will not be kept\n", repl->history,
                strerror(problem));
        repl->history[0] = '\0';
    }
}

static void greet(void)
{
    puts("attn " ATTN_VERSION ": attention, number by number\n"
         "help shows what you can type; quit or Ctrl-D ends.\n"
         "Try this: X = embed(\"Hello shiny sun!\"); softmax(X @ X.T / sqrt(3))");
}

static int run(struct repl *repl)
{
    struct text line = {0};
    while (!repl->session.wants_quit && !repl->output_failed && read_line(repl, &line)) {
        if (repl->interactive)
            remember(repl, &line);
        run_line(repl, &line);
    }
    if (repl->interactive && !repl->session.wants_quit)
        putchar('\n');
    bool ok = finish_output(!repl->output_failed) && !line.failed &&
              (repl->interactive || !repl->had_error);
    text_release(&line);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int repl_main(int argc, char **argv)
{
    struct repl repl = {.interactive = isatty(0) && isatty(1), .terminal_cols = terminal_width(1)};
    for (int i = 1; i < argc; i++)
        if (!common_option(argc, argv, &i, &repl.options))
            usage_error("repl: %s: no such option; attn --help lists them", argv[i]);
    struct settings settings = terminal_settings(&repl.options, 1);
    settings.echo = repl.interactive;
    session_init(&repl.session, &settings, data_dir(), &interrupt_flag);
    if (repl.interactive) {
        interrupt_catch();
        start_readline(&repl.session);
        open_history(&repl);
        greet();
    }
    int code = run(&repl);
    session_release(&repl.session);
    return code;
}
