/* See terminal.h. The terminal is in ncurses' raw mode: every key comes to attn, and what signals a
 * shell's keys would send (Ctrl-C, Ctrl-Z) is done here. */
#define _DEFAULT_SOURCE 1 /* winsize */
#include "ui/terminal/terminal.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "files/file.h"
#include "show/colour.h"
#include "terminals.h" /* made by tools/make_terminals.py */
#include "ui/terminal/busy.h"
#include "ui/terminal/clipboard.h"
#include "ui/terminal/crash.h"
#include "ui/terminal/keys.h"
#include "ui/terminal/painter.h"
#include "ui/terminal/signals.h"
#include "ui/terminal/terminal_internal.h"

enum { MAX_FDS = 16 };

struct terminal {
    SCREEN *screen;
    int n_colours; /* 0: without colours */
    struct painter *painter;
    struct canvas painted; /* what the terminal shows */
    struct text frame;     /* what was sent last */
    bool repaint;
    struct key_reader keys;
    bool child_ended;
    bool is_left;
};

static struct terminal *only; /* for atexit */

/* ---- opening and closing ---- */

/* Between marks, so that they are told from what is typed. Terminals without such marks ignore it.
 */
static void ask_for_pastes(bool on)
{
    fputs(on ? "\x1b[?2004h" : "\x1b[?2004l", stdout);
    (void)fflush(stdout);
}

/* Leaving the screen brings back the cursor as it was saved last, which editors' terminals
 * (libvterm) take to mean as hidden as it was then: so it is shown after that. */
static void end_screen(void)
{
    const char *shown = terminal_capability("cnorm");
    ask_for_pastes(false);
    endwin();
    if (shown != NULL)
        putp(shown);
    (void)fflush(stdout);
}

static bool terminal_can_show(struct error *reterr)
{
    const char *term = getenv("TERM");
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term != NULL && term[0] != '\0' &&
        strcmp(term, "dumb") != 0)
        return true;
    return error_set(reterr, ERR_FILE,
                     "the screen: this terminal shows lines only; attn repl works in it");
}

/* What ends a screen, for a crash. */
static void prepare_crash(void)
{
    static const char *const names[] = {"sgr0", "rmkx", "rmcup", "cnorm"};
    char leave[CRASH_LEAVE_BYTES];
    size_t size = 0;
    /* The mouse and the marks of pastes, which no description knows. */
    (void)terminal_add_capability(leave, &size, sizeof leave,
                                  "\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?2004l");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        (void)terminal_add_capability(leave, &size, sizeof leave, terminal_capability(names[i]));
    crash_catch(leave, size);
}

/* The number of the description that knows all colours of this terminal, on COLORTERM's word for
 * it; -1: no description. */
static int direct_terminal(void)
{
    const char *more = getenv("COLORTERM"), *term = getenv("TERM");
    bool all = more != NULL && (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0);
    for (int i = 0; all && term != NULL && direct_terminals[i].prefix != NULL; i++)
        if (strncmp(term, direct_terminals[i].prefix, strlen(direct_terminals[i].prefix)) == 0)
            return i;
    return -1;
}

/* ncurses takes a description from TERMINFO, which is then again what children are to find. */
static SCREEN *open_direct_terminal(int i)
{
    const char *terminfo = getenv("TERMINFO");
    char *before = terminfo != NULL ? strdup(terminfo) : NULL;
    SCREEN *terminal = NULL;
    if ((terminfo == NULL || before != NULL) &&
        setenv("TERMINFO", direct_terminals[i].description, 1) == 0)
        terminal = newterm((char *)direct_terminals[i].name, stdout, stdin);
    if (before != NULL)
        (void)setenv("TERMINFO", before, 1);
    else if (terminfo == NULL)
        (void)unsetenv("TERMINFO");
    free(before);
    return terminal;
}

static SCREEN *open_screen(void)
{
    int direct = direct_terminal(), found = 0;
    SCREEN *terminal = direct >= 0 ? open_direct_terminal(direct) : NULL;
    if (terminal != NULL)
        return terminal;
    if (setupterm(NULL, STDOUT_FILENO, &found) != OK) /* newterm() would lose memory */
        return NULL;
    del_curterm(cur_term);
    return newterm(NULL, stdout, stdin);
}

static void close_at_exit(void)
{
    terminal_close(only);
}

bool terminal_open(const struct terminal_options *options, struct terminal **ret,
                   struct error *reterr)
{
    static bool registered;
    if (!terminal_can_show(reterr))
        return false;
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal == NULL)
        return error_memory(reterr, "the screen");
    crash_remember_modes();
    terminal->screen = open_screen();
    if (terminal->screen == NULL) {
        free(terminal);
        return error_set(reterr, ERR_FILE,
                         "the screen: TERM=%.60s is not known here; attn repl "
                         "works without it",
                         getenv("TERM"));
    }
    prepare_crash();
    if (!signals_open(reterr)) {
        endwin();
        crash_release();
        delscreen(terminal->screen);
        free(terminal);
        return false;
    }
    key_reader_init(&terminal->keys);
    ask_for_pastes(true);
    if (options->with_colour && has_colors() && start_color() == OK)
        terminal->n_colours = COLORS;
    if (terminal->n_colours > 0)
        use_default_colors();
    crash_set_open(true);
    only = terminal;
    terminal->painter = painter_new(terminal->n_colours, options->is_utf8);
    if (terminal->painter == NULL) {
        terminal_close(terminal);
        return error_memory(reterr, "the screen");
    }
    if (!registered)
        registered = atexit(close_at_exit) == 0;
    *ret = terminal;
    return true;
}

void terminal_close(struct terminal *terminal)
{
    if (terminal == NULL)
        return;
    only = NULL;
    (void)busy_end();
    if (!terminal_signals.gone || isatty(STDOUT_FILENO))
        end_screen();
    crash_set_open(false);
    crash_release();
    signals_close();
    delscreen(terminal->screen);
    painter_free(terminal->painter);
    text_release(&terminal->frame);
    canvas_release(&terminal->painted);
    free(terminal);
}

void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_cols)
{
    (void)terminal;
    getmaxyx(stdscr, *ret_rows, *ret_cols);
}

int terminal_colours(const struct terminal *terminal)
{
    return terminal->n_colours;
}

/* ---- painting ---- */

bool terminal_copy(struct terminal *terminal, const char *text, size_t size, struct error *reterr)
{
    struct text sequence = {0};
    (void)terminal;
    bool ok = clipboard_write(text, size, &sequence, reterr);
    if (ok) {
        (void)fwrite(text_string(&sequence), 1, sequence.size, stdout);
        (void)fflush(stdout);
    }
    text_release(&sequence);
    return ok;
}

void terminal_repaint(struct terminal *terminal)
{
    terminal->repaint = true;
}

void terminal_paint(struct terminal *terminal, const struct canvas *canvas,
                    const struct theme *theme)
{
    struct canvas *painted = &terminal->painted;
    struct text *frame = &terminal->frame;
    bool all = terminal->repaint || painted->rows != canvas->rows || painted->cols != canvas->cols;
    if (all) {
        if (!canvas_resize(painted, canvas->rows, canvas->cols))
            return;
        clearok(stdscr, TRUE);
        erase();
        refresh(); /* ncurses clears, and comes back to a screen that was left */
    }
    text_clear(frame);
    painter_write(terminal->painter, all ? NULL : painted, canvas, theme, frame);
    terminal->repaint = frame->failed;
    if (frame->failed)
        return;
    curs_set(canvas->cursor_row >= 0 ? 1 : 0);
    /* What fails is a terminal that is gone, which is heard of when it is asked for input. */
    (void)file_write_all(STDOUT_FILENO, text_string(frame), frame->size);
    memcpy(painted->cells, canvas->cells,
           (size_t)canvas->rows * (size_t)canvas->cols * sizeof *canvas->cells);
    painted->cursor_row = canvas->cursor_row;
    painted->cursor_col = canvas->cursor_col;
}

/* Takes the sign that something is computed away. What stood in its row is painted again: nothing
 * is drawn that looks like cells of zeros. */
static void end_busy(struct terminal *terminal)
{
    struct canvas *painted = &terminal->painted;
    if (!busy_end() || painted->rows == 0)
        return;
    size_t cols = (size_t)painted->cols;
    memset(&painted->cells[(size_t)(painted->rows - 1) * cols], 0, cols * sizeof *painted->cells);
}

/* ---- waiting ---- */

static void follow_resize(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}

/* What signals brought. True with *ret when it is input. */
static bool heed_signals(struct terminal *terminal, struct input *ret)
{
    struct terminal_signals *came = &terminal_signals;
    if (came->child_ended) {
        came->child_ended = 0;
        terminal->child_ended = true;
    }
    if (came->gone) {
        *ret = (struct input){.kind = INPUT_GONE};
        return true;
    }
    if (came->continued) {
        came->continued = 0;
        terminal_return(terminal);
        came->resized = 1;
    }
    if (came->resized) {
        came->resized = 0;
        follow_resize();
        terminal_repaint(terminal);
        *ret = (struct input){.kind = INPUT_RESIZE};
        return true;
    }
    return false;
}

bool terminal_has_input(struct terminal *terminal)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    return terminal->keys.held != KEYS_NONE || poll(&ready, 1, 0) > 0;
}

bool terminal_wait_input(struct terminal *terminal, struct terminal_wait *wait, struct input *ret)
{
    struct pollfd fds[2 + MAX_FDS];
    nfds_t n = 2;
    if (heed_signals(terminal, ret) || key_reader_next(&terminal->keys, ret))
        return true;
    if (terminal->child_ended || terminal->keys.has_read) /* no painting waits for input any more */
        return false;
    fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = signals_fd(), .events = POLLIN};
    for (int i = 0; i < wait->n_fds && i < MAX_FDS; i++)
        fds[n++] = (struct pollfd){.fd = wait->fds[i], .events = POLLIN};
    int found = poll(fds, n, wait->timeout_ms);
    if (found < 0 && errno != EINTR)
        terminal_signals.gone = 1;
    if (found > 0 && fds[1].revents != 0)
        signals_empty();
    if (heed_signals(terminal, ret) || key_reader_next(&terminal->keys, ret))
        return true;
    if (found > 0 && (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        *ret = (struct input){.kind = INPUT_GONE};
        return true;
    }
    return false;
}

bool terminal_child_ended(struct terminal *terminal)
{
    bool ended = terminal->child_ended;
    terminal->child_ended = false;
    return ended;
}

/* ---- leaving for a while ---- */

void terminal_leave(struct terminal *terminal)
{
    if (terminal->is_left)
        return;
    terminal->is_left = true;
    crash_set_open(false);
    end_busy(terminal);
    def_prog_mode();
    end_screen();
}

void terminal_return(struct terminal *terminal)
{
    reset_prog_mode();
    ask_for_pastes(true);
    terminal->is_left = false;
    crash_set_open(true);
    follow_resize();
    terminal_repaint(terminal);
}

void terminal_watch_interrupt(struct terminal *terminal, bool on)
{
    struct termios now;
    terminal_signals.is_watched = on;
    terminal_interrupted = terminal_signals.gone;
    if (on)
        busy_begin(&terminal_interrupted, terminal->painted.cursor_row,
                   terminal->painted.cursor_col);
    else
        end_busy(terminal);
    if (terminal_signals.resized || terminal_signals.continued || terminal_signals.gone)
        busy_forbid();
    if (tcgetattr(STDIN_FILENO, &now) != 0)
        return;
    if (on)
        now.c_lflag |= ISIG;
    else
        now.c_lflag &= ~(tcflag_t)ISIG;
    now.c_cc[VINTR] = 3;
    now.c_cc[VQUIT] = now.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(STDIN_FILENO, TCSANOW, &now);
}
