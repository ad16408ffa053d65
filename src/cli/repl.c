/* attn repl: reads lines, runs them, shows what they give. At a terminal with readline's editing,
 * history and completion; from a pipe line by line as they come. */
#include <errno.h>
#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "lang/complete.h"
#include "lang/lexer.h"

enum { HISTORY_LINES = 2000 };

/* readline calls back without an argument: this is what its callbacks look at. */
static struct session *completing;

/* Where the history is kept: $XDG_STATE_HOME/attn/history. Makes the folders. False: nowhere. */
static bool history_path(char *path, size_t capacity)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int size;
    if (state != NULL && state[0] == '/')
        size = snprintf(path, capacity, "%s/attn/history", state);
    else if (home != NULL && home[0] == '/')
        size = snprintf(path, capacity, "%s/.local/state/attn/history", home);
    else
        return false;
    if (size < 0 || (size_t)size >= capacity)
        return false;
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        int made = mkdir(path, 0700);
        *slash = '/';
        if (made != 0 && errno != EEXIST)
            return false;
    }
    return true;
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

static char **completions(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1; /* never file names */
    rl_completion_append_character = '\0';
    return rl_completion_matches(word, next_completion);
}

/* Ctrl-C at the prompt: the line is given up. */
static int on_signal(void)
{
    if (interrupt_flag)
        rl_done = 1;
    return 0;
}

static void start_readline(struct session *session)
{
    completing = session;
    rl_readline_name = "attn";
    rl_catch_signals = 0;
    rl_signal_event_hook = on_signal;
    rl_attempted_completion_function = completions;
    rl_basic_word_break_characters = " \t\n\"'+-*/@=<>&|~()[],:;.%";
    rl_completer_word_break_characters = rl_basic_word_break_characters;
    rl_variable_bind("enable-bracketed-paste", "off"); /* a paste runs as it would when typed */
}

/* Lines. */

struct repl {
    struct session session;
    struct common_options options;
    bool interactive;
    bool had_error;
    bool output_failed; /* standard output takes no more */
    char history[4096]; /* "" when it is not kept */
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

static void run_line(struct repl *repl, const struct text *line)
{
    struct doc out;
    struct error error;
    doc_init(&out);
    size_t width = terminal_width(1);
    if (repl->interactive && width >= 20)
        repl->session.settings.width_cols = width;
    interrupt_flag = 0;
    if (session_run(&repl->session, text_string(line), line->size, &out, &error)) {
        repl->output_failed = !print_doc(&out, &repl->session.settings);
    } else {
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
    if (!history_path(repl->history, sizeof repl->history)) {
        repl->history[0] = '\0';
        return;
    }
    int problem = read_history(repl->history);
    if (problem == ENOENT) { /* append_history() needs a file, for nobody else to read */
        mode_t mask = umask(077);
        problem = write_history(repl->history);
        umask(mask);
    }
    if (problem != 0) {
        fprintf(stderr, "attn: %s: %s; this session's lines will not be kept\n", repl->history,
                strerror(problem));
        repl->history[0] = '\0';
    }
}

static void greet(void)
{
    puts("attn " ATTN_VERSION
         ": attention, number by number. help shows what you can type; quit or "
         "Ctrl-D ends.\n"
         "A first line to try: X = embed(\"Hello shiny sun!\"); softmax(X @ X.T / sqrt(3))");
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
    if (repl->output_failed)
        fprintf(stderr, "attn: standard output: can't be written: %s\n", strerror(errno));
    bool ok = !line.failed && !repl->output_failed && (repl->interactive || !repl->had_error);
    text_release(&line);
    return ok ? EXIT_OK : EXIT_FAILED;
}

int repl_main(int argc, char **argv)
{
    struct repl repl = {.interactive = isatty(0) && isatty(1)};
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
