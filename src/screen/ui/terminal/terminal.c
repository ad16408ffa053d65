/* See terminal.h. The terminal is in raw mode: every key comes to attn, and the signals that a
 * shell's keys would send (Ctrl-C, Ctrl-Z) are acted on here. Of ncurses only the description of
 * the terminal is used (terminfo): its windows would be a second copy of the screen, whose memory
 * costs more time at the start than the first frame. */
#define _DEFAULT_SOURCE 1 /* winsize */
#include "ui/terminal/terminal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/array.h"
#include "files/clock.h"
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

enum {
    MAX_FDS = 16,
    ANSWERS_MS = 150,       /* so long the last answer is waited for when the screen is left */
    ANSWERS_LOST_MS = 2000, /* after so long none is expected any more */
    MAX_ESCAPE_MS = 5000,
};

static const char sync_begin[] = "\x1b[?2026h", sync_end[] = "\x1b[?2026l";
static const char mouse_on[] = "\x1b[?1000h\x1b[?1006h", mouse_off[] = "\x1b[?1006l\x1b[?1000l";

struct terminal {
    TERMINAL *description;
    struct termios shell_modes, modes; /* before, and on the screen */
    int rows, cols;
    int shows_cursor; /* 1 or 0; -1: not known */
    int n_colours;    /* 0: without colours */
    struct painter *painter;
    struct canvas painted; /* the screen that the terminal shows */
    struct text frame;     /* the last bytes sent */
    bool repaint;
    struct key_reader keys;
    bool has_read;    /* the last look found bytes, which need not have made a key */
    int64_t asked_ms; /* when the terminal was asked what it can do */
    bool mouse;       /* clicks are reported, while the screen is not left */
    bool child_ended;
    bool is_left;
};

static struct terminal *only; /* for atexit */

/* ---- opening and closing ---- */

static void send(const char *sequence)
{
    fputs(sequence, stdout);
    (void)fflush(stdout);
}

/* Sends a capability, or nothing for NULL. */
static void send_capability(const char *sequence)
{
    if (sequence != NULL)
        putp(sequence);
}

/* Asks for marks around pasted text, which set it apart from typed keys. Terminals without such
 * marks ignore the request. */
static void ask_for_pastes(bool on)
{
    send(on ? "\x1b[?2004h" : "\x1b[?2004l");
}

static void show_mouse_to(bool program)
{
    send(program ? mouse_on : mouse_off);
}

/* Goes to the modes of the screen and to the terminal's second screen, where it has one; from
 * there, the modes of before would be lost. */
static void begin_screen(const struct terminal *terminal, bool is_there)
{
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->modes);
    if (!is_there)
        send_capability(terminal_capability("smcup"));
    send_capability(terminal_capability("smkx"));
    ask_for_pastes(true);
    if (terminal->mouse)
        show_mouse_to(true);
}

/* Leaving the screen brings back the cursor as it was saved last, which editors' terminals
 * (libvterm) take to mean as hidden as it was then: so it is shown after that. Where there is no
 * second screen, the shell goes on in the last row. */
static void end_screen(const struct terminal *terminal)
{
    const char *place = terminal_capability("cup");
    if (terminal->mouse)
        show_mouse_to(false);
    ask_for_pastes(false);
    if (place != NULL)
        send_capability(tparm(place, terminal->rows - 1, 0));
    send_capability(terminal_capability("sgr0"));
    send_capability(terminal_capability("rmkx"));
    send_capability(terminal_capability("rmcup"));
    send_capability(terminal_capability("cnorm"));
    (void)fflush(stdout);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->shell_modes);
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
    /* A frame that was begun, the mouse and the marks of pastes, which no description knows. */
    (void)terminal_add_capability(leave, &size, sizeof leave, sync_end);
    (void)terminal_add_capability(leave, &size, sizeof leave, mouse_off);
    (void)terminal_add_capability(leave, &size, sizeof leave, "\x1b[?2004l");
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

/* A description is read from TERMINFO, which is then again what children are to find. */
static bool read_direct_terminal(int i)
{
    const char *terminfo = getenv("TERMINFO");
    char *before = terminfo != NULL ? strdup(terminfo) : NULL;
    bool ok = false;
    int found;
    if ((terminfo == NULL || before != NULL) &&
        setenv("TERMINFO", direct_terminals[i].description, 1) == 0)
        ok = setupterm((char *)direct_terminals[i].name, STDOUT_FILENO, &found) == OK;
    if (before != NULL)
        (void)setenv("TERMINFO", before, 1);
    else if (terminfo == NULL)
        (void)unsetenv("TERMINFO");
    free(before);
    return ok;
}

/* Reads the terminal's description, its size and its modes; false if it has no description. */
static bool know_terminal(struct terminal *terminal)
{
    int direct = direct_terminal(), found;
    if ((direct < 0 || !read_direct_terminal(direct)) &&
        setupterm(NULL, STDOUT_FILENO, &found) != OK)
        return false;
    terminal->description = cur_term;
    terminal->rows = LINES; /* of the window, else of $LINES or the description */
    terminal->cols = COLS;
    terminal->shows_cursor = -1;
    if (tcgetattr(STDIN_FILENO, &terminal->shell_modes) != 0)
        return false;
    struct termios *modes = &terminal->modes;
    *modes = terminal->shell_modes;
    modes->c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN | ECHO | ECHONL);
    modes->c_iflag &= ~(tcflag_t)(IXON | BRKINT | PARMRK | ICRNL | INLCR | IGNCR);
    modes->c_oflag &= ~(tcflag_t)ONLCR;
    modes->c_cc[VMIN] = 1;
    modes->c_cc[VTIME] = 0;
    return true;
}

/* 0 for a terminal without colours. */
static int count_colours(void)
{
    int n = tigetnum("colors");
    bool can_set = (terminal_capability("setaf") != NULL && terminal_capability("setab") != NULL) ||
                   (terminal_capability("setf") != NULL && terminal_capability("setb") != NULL);
    return n > 0 && can_set && tigetnum("pairs") > 0 ? n : 0;
}

/* How long an Escape waits for what may belong to it. */
static int escape_ms(void)
{
    const char *chosen = getenv("ESCDELAY");
    char *end;
    long ms = chosen != NULL ? strtol(chosen, &end, 10) : 0;
    return chosen != NULL && end != chosen && *end == '\0' && ms > 0 && ms <= MAX_ESCAPE_MS
               ? (int)ms
               : KEYS_ESCAPE_MS;
}

static void know_keys(struct key_reader *keys)
{
    static const struct {
        const char *capability;
        int key;
    } known[] = {
        {"kcuu1", KEYCODE_UP},        {"kcud1", KEYCODE_DOWN},      {"kcub1", KEYCODE_LEFT},
        {"kcuf1", KEYCODE_RIGHT},     {"khome", KEYCODE_HOME},      {"kend", KEYCODE_END},
        {"kpp", KEYCODE_PAGE_UP},     {"knp", KEYCODE_PAGE_DOWN},   {"kdch1", KEYCODE_DELETE},
        {"kcbt", KEYCODE_BACK_TAB},   {"kbs", KEYCODE_BACKSPACE},   {"kent", KEYCODE_ENTER},
        {"kf1", KEYCODE_F1},          {"kf2", KEYCODE_F2},          {"kf6", KEYCODE_F6},
        {"kf9", KEYCODE_F9},          {"kf18", KEYCODE_SHIFT_F6},   {"kri", KEYCODE_SHIFT_UP},
        {"kind", KEYCODE_SHIFT_DOWN}, {"kLFT", KEYCODE_SHIFT_LEFT}, {"kRIT", KEYCODE_SHIFT_RIGHT},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++)
        key_reader_know(keys, terminal_capability(known[i].capability), known[i].key);
}

/* Asks for the colour of the background, for frames that are shown at once, and, since all
 * terminals answer that, what kind of terminal it is: after this answer no other one comes. Nobody
 * waits for them. Only kinds that are known to pass over what they do not understand are asked. */
static void ask_terminal(struct terminal *terminal)
{
    static const char *const kinds[] = {"xterm",     "tmux",    "foot",    "kitty",
                                        "alacritty", "ghostty", "vte",     "gnome",
                                        "konsole",   "rxvt",    "wezterm", "contour"};
    const char *term = getenv("TERM");
    for (size_t i = 0; i < COUNT_OF(kinds) && term != NULL; i++)
        if (strncmp(term, kinds[i], strlen(kinds[i])) == 0) {
            terminal->keys.answers.is_asked = true;
            terminal->asked_ms = clock_ms();
            send("\x1b]11;?\x1b\\\x1b[?2026$p\x1b[c");
            return;
        }
}

/* ---- reading ---- */

/* Reads the bytes that wait, as far as they fit. */
static void read_bytes(struct terminal *terminal)
{
    char bytes[KEYS_BYTES];
    struct key_reader *keys = &terminal->keys;
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    size_t room = sizeof bytes - (keys->end - keys->begin);
    if (room == 0 || poll(&ready, 1, 0) <= 0)
        return;
    ssize_t size = read(STDIN_FILENO, bytes, room);
    terminal->has_read = size > 0;
    if (size > 0)
        (void)key_reader_take(keys, bytes, (size_t)size, clock_ms());
    else if (size == 0 || (errno != EINTR && errno != EAGAIN))
        terminal_signals.gone = SIGHUP;
}

/* The input that is there. Before time decides what a beginning of a key was, its rest is looked
 * for: attn may have been busy when it came. */
static bool next_input(struct terminal *terminal, struct input *ret)
{
    struct key_reader *keys = &terminal->keys;
    terminal->has_read = false;
    if (!key_reader_is_ready(keys))
        read_bytes(terminal);
    size_t begin = keys->begin;
    bool is_input = key_reader_next(keys, clock_ms(), ret);
    terminal->has_read = terminal->has_read || keys->begin > begin;
    return is_input;
}

/* Answers that are still on their way would be typed into the shell. */
static void await_answers(struct terminal *terminal)
{
    const struct key_answers *answers = &terminal->keys.answers;
    int64_t now = clock_ms(), until = now + ANSWERS_MS;
    if (now - terminal->asked_ms > ANSWERS_LOST_MS)
        return;
    for (; answers->is_asked && !answers->is_done && !terminal_signals.gone && now < until;
         now = clock_ms()) {
        struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
        struct input ignored;
        if (poll(&ready, 1, (int)(until - now)) > 0)
            while (next_input(terminal, &ignored))
                ;
    }
}

/* ---- opening ---- */

static void forget_terminal(struct terminal *terminal)
{
    if (terminal->description != NULL)
        del_curterm(terminal->description);
    free(terminal);
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
    if (!know_terminal(terminal)) {
        error_set(reterr, ERR_FILE,
                  "the screen: TERM=%.60s is not known here; try TERM=xterm-256color attn, or "
                  "install its description (on Debian: ncurses-term); attn repl works without it",
                  getenv("TERM"));
        forget_terminal(terminal);
        return false;
    }
    prepare_crash();
    if (!signals_open(reterr)) {
        crash_release();
        forget_terminal(terminal);
        return false;
    }
    key_reader_init(&terminal->keys, options->is_utf8, escape_ms());
    know_keys(&terminal->keys);
    terminal->n_colours = options->with_colour ? count_colours() : 0;
    begin_screen(terminal, false);
    ask_terminal(terminal);
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
    if (!terminal->is_left)
        await_answers(terminal);
    if (!terminal_signals.gone || isatty(STDOUT_FILENO))
        end_screen(terminal);
    crash_set_open(false);
    crash_release();
    signals_close();
    painter_free(terminal->painter);
    text_release(&terminal->frame);
    canvas_release(&terminal->painted);
    forget_terminal(terminal);
}

void terminal_size(const struct terminal *terminal, int *ret_rows, int *ret_cols)
{
    *ret_rows = terminal->rows;
    *ret_cols = terminal->cols;
}

int terminal_colours(const struct terminal *terminal)
{
    return terminal->n_colours;
}

int32_t terminal_background(const struct terminal *terminal)
{
    return terminal->keys.answers.background;
}

void terminal_set_mouse(struct terminal *terminal, bool on)
{
    const char *term = getenv("TERM");
    bool has_mouse =
        terminal_capability("kmous") != NULL || (term != NULL && strstr(term, "xterm") != NULL);
    if (terminal->mouse == (on && has_mouse))
        return;
    terminal->mouse = on && has_mouse;
    show_mouse_to(terminal->mouse);
}

int terminal_ended_by(void)
{
    return terminal_signals.gone;
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

/* Without padding; nothing for NULL. */
static void put_capability(struct text *text, const char *sequence)
{
    if (sequence != NULL)
        text_add(text, sequence, strcspn(sequence, "$"));
}

/* Exchanges the cells: those that were painted last are the canvas's to draw on. Without memory for
 * the first exchange everything is sent again the next time. */
static void keep_painted(struct terminal *terminal, struct canvas *canvas)
{
    struct canvas *painted = &terminal->painted;
    struct canvas_cell *cells = painted->cells;
    if (painted->rows != canvas->rows || painted->cols != canvas->cols) {
        cells = malloc((size_t)canvas->rows * (size_t)canvas->cols * sizeof *cells);
        canvas_release(painted);
        if (cells == NULL)
            return;
    }
    *painted = *canvas;
    canvas->cells = cells;
}

void terminal_paint(struct terminal *terminal, struct canvas *canvas, const struct theme *theme)
{
    const struct canvas *painted = &terminal->painted;
    struct text *frame = &terminal->frame;
    bool all = terminal->repaint || painted->rows != canvas->rows || painted->cols != canvas->cols;
    int shows_cursor = canvas->cursor_row >= 0;
    text_clear(frame);
    if (canvas->cells == NULL)
        return;
    if (terminal->keys.answers.has_sync)
        text_put(frame, sync_begin);
    size_t begin = frame->size;
    if (all) {
        put_capability(frame, terminal_capability("sgr0"));
        put_capability(frame, terminal_capability("clear"));
    }
    if (shows_cursor != terminal->shows_cursor)
        put_capability(frame, terminal_capability(shows_cursor ? "cnorm" : "civis"));
    painter_write(terminal->painter, all ? NULL : painted, canvas, theme, frame);
    terminal->repaint = frame->failed;
    if (frame->failed)
        return;
    if (frame->size == begin)
        text_clear(frame);
    else if (begin > 0)
        text_put(frame, sync_end);
    /* What fails is a terminal that is gone, which is heard of when it is asked for input. */
    (void)file_write_all(STDOUT_FILENO, text_string(frame), frame->size);
    terminal->shows_cursor = shows_cursor;
    keep_painted(terminal, canvas);
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

static void follow_resize(struct terminal *terminal)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return;
    terminal->rows = size.ws_row;
    terminal->cols = size.ws_col;
}

/* Gives the terminal to the shell and stops; whom: as kill(2) takes it. A program that nobody could
 * wake goes on. */
static void stop(struct terminal *terminal, pid_t whom)
{
    terminal_leave(terminal);
    signals_let_stop(true);
    kill(whom, SIGTSTP);
    signals_let_stop(false);
    terminal_return(terminal);
    terminal_signals.continued = 0;
    terminal_signals.resized = 1;
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
    if (came->stopped) {
        came->stopped = 0;
        stop(terminal, getpid());
    }
    if (came->continued) {
        came->continued = 0;
        terminal_return(terminal);
        came->resized = 1;
    }
    if (came->resized) {
        came->resized = 0;
        follow_resize(terminal);
        terminal_repaint(terminal);
        *ret = (struct input){.kind = INPUT_RESIZE};
        return true;
    }
    return false;
}

bool terminal_has_input(struct terminal *terminal)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    return key_reader_is_ready(&terminal->keys) || poll(&ready, 1, 0) > 0;
}

bool terminal_wait_input(struct terminal *terminal, struct terminal_wait *wait, struct input *ret)
{
    struct pollfd fds[2 + MAX_FDS];
    nfds_t n = 2;
    if (heed_signals(terminal, ret) || next_input(terminal, ret))
        return true;
    if (terminal->child_ended || terminal->has_read) /* no painting waits for input any more */
        return false;
    fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = signals_fd(), .events = POLLIN};
    for (int i = 0; i < wait->n_fds && i < MAX_FDS; i++)
        fds[n++] = (struct pollfd){.fd = wait->fds[i], .events = POLLIN};
    crash_load_trace();
    int timeout_ms = wait->timeout_ms, key_ms = key_reader_wait_ms(&terminal->keys, clock_ms());
    if (key_ms >= 0 && (timeout_ms < 0 || key_ms < timeout_ms))
        timeout_ms = key_ms;
    int found = poll(fds, n, timeout_ms);
    if (found < 0 && errno != EINTR)
        terminal_signals.gone = SIGHUP;
    if (found > 0 && fds[1].revents != 0)
        signals_empty();
    if (heed_signals(terminal, ret) || next_input(terminal, ret))
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
    await_answers(terminal);
    end_screen(terminal);
}

void terminal_return(struct terminal *terminal)
{
    begin_screen(terminal, !terminal->is_left);
    terminal->is_left = false;
    terminal->shows_cursor = -1;
    crash_set_open(true);
    follow_resize(terminal);
    terminal_repaint(terminal);
}

void terminal_suspend(struct terminal *terminal)
{
    stop(terminal, 0);
}

void terminal_watch_interrupt(struct terminal *terminal, bool on)
{
    struct termios now;
    terminal_signals.is_watched = on;
    terminal_interrupted = terminal_signals.gone;
    if (on)
        busy_begin(&terminal_interrupted,
                   &(struct busy_screen){.rows = terminal->rows,
                                         .cols = terminal->cols,
                                         .cursor_row = terminal->painted.cursor_row,
                                         .cursor_col = terminal->painted.cursor_col});
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
