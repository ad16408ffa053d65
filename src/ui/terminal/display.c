/* See display.h. The terminal is in ncurses' raw mode: every key comes to attn, and what signals a
 * shell's keys would send (Ctrl-C, Ctrl-Z) is done here.
 *
 * Signal handlers set a flag and write a byte to a pipe that the waiting looks at; the handler of
 * crashes gives the terminal back with what was prepared for it at the start. */
#define _DEFAULT_SOURCE 1 /* SIGWINCH */
#define NCURSES_WIDECHAR 1
#include "ui/terminal/display.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/array.h"
#include "files/clock.h"
#include "files/folder.h"
#include "show/colour.h"
#include "terminals.h" /* made by tools/make_terminals.py */

enum {
    ESCAPE_MS = 25, /* so long an Escape waits for what may belong to it; $ESCDELAY says else */
    PASTE_GAP_MS = 1000, /* a paste that stands still for so long has lost its end */
    BUSY_AFTER_MS = 300,
    BUSY_STEP_MS = 500, /* half of what is counted, so that no second is left out */
    BUSY_COLS = 40,
    DOUBLE_CLICK_MS = 400,
    WHEEL_LINES = 3,
    MAX_FDS = 16,
    CRASH_FRAMES = 64,
    ALTERNATE_STACK = 64 * 1024,
};

struct display {
    SCREEN *terminal;
    bool colour;
    int n_colours;
    struct canvas painted; /* what the terminal shows */
    bool repaint;
    int64_t click_ms; /* the last click, for double ones */
    int click_row, click_col;
    mbstate_t character; /* the bytes read so far of one */
    int held;            /* a key that came behind an Escape, to be read next; ERR: none */
    bool pastes;         /* between the marks that terminals put around a paste */
    bool after_return;   /* the last key pasted was Enter */
    int64_t pasted_ms;
    bool has_read; /* since it was asked for input: bytes, which need not make a key */
    bool child_ended;
    bool is_left;
};

volatile sig_atomic_t display_interrupted;
static volatile sig_atomic_t is_watched; /* Ctrl-C stops what is computed */

/* What signal handlers need. */
static struct termios terminal_before;
static char leave_sequence[256]; /* what gives the terminal back */
static size_t leave_size;
static char report_path[4096];
static int wake_pipe[2] = {-1, -1};
static volatile sig_atomic_t resized, continued, gone, child;
static volatile sig_atomic_t is_open;
static struct display *only; /* for atexit */

static void wake(void)
{
    int problem = errno;
    ssize_t written = write(wake_pipe[1], "", 1); /* a full pipe wakes as well */
    (void)written;
    errno = problem;
}

/* The sign that something is computed. It is written behind ncurses' back, since the program is in
 * the middle of computing: by the handlers of the timer and of Ctrl-C, from bytes that were
 * prepared before, and in one write. */

static struct {
    char begin[160]; /* to the last row, and how the sign looks there */
    char end[160];   /* the rest of the row is cleared, and the cursor goes back */
    int64_t since_ms;
    volatile sig_atomic_t is_on, was_shown;
} busy;

/* Both behind text; what does not fit is left out. */
static size_t add_text(char *text, size_t size, size_t capacity, const char *more)
{
    while (*more != '\0' && size + 1 < capacity)
        text[size++] = *more++;
    text[size] = '\0';
    return size;
}

static size_t add_seconds(char *text, size_t size, size_t capacity, long seconds)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + seconds % 10);
    while ((seconds /= 10) > 0 && at > 0);
    return add_text(text, size, capacity, digits + at);
}

static void show_busy(void)
{
    char text[sizeof busy.begin + sizeof busy.end + 64];
    if (!busy.is_on || !is_open || resized || continued || gone)
        return; /* the screen is another one now, or nobody's */
    size_t size = add_text(text, 0, sizeof text, busy.begin);
    size = add_text(text, size, sizeof text, display_interrupted ? "stopping, " : "computing, ");
    size = add_seconds(text, size, sizeof text, (long)((clock_ms() - busy.since_ms) / 1000));
    size = add_text(text, size, sizeof text, display_interrupted ? " s" : " s; ^C stops");
    size = add_text(text, size, sizeof text, busy.end);
    ssize_t written = write(STDOUT_FILENO, text, size);
    (void)written;
    busy.was_shown = 1;
}

static void on_timer(int number)
{
    int problem = errno;
    (void)number;
    show_busy();
    errno = problem;
}

static void on_signal(int number)
{
    if (number == SIGWINCH)
        resized = 1;
    else if (number == SIGCONT)
        continued = 1;
    else if (number == SIGCHLD)
        child = 1;
    else if (number == SIGINT && is_watched) {
        display_interrupted = 1;
        if (busy.was_shown)
            show_busy();
    } else if (number != SIGINT) {
        gone = 1;
        display_interrupted = 1; /* what is computed ends first */
    }
    wake();
}

/* Crashes. Only what is safe in a handler is called, but for the addresses in the report. */

static void put(int fd, const char *text)
{
    ssize_t written = write(fd, text, strlen(text));
    (void)written;
}

static void write_report(int number)
{
    void *frames[CRASH_FRAMES];
    int file = open(report_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    char signal_text[] = "signal 00\n";
    signal_text[7] = (char)('0' + number / 10 % 10);
    signal_text[8] = (char)('0' + number % 10);
    put(file, "attn " ATTN_VERSION " crashed: ");
    put(file, signal_text);
    backtrace_symbols_fd(frames, backtrace(frames, CRASH_FRAMES), file);
    close(file);
    put(STDERR_FILENO, "attn: it crashed, which is a fault of attn; what is known stands in ");
    put(STDERR_FILENO, report_path);
    put(STDERR_FILENO, "; your progress is kept\r\n");
}

static void on_crash(int number)
{
    if (is_open) {
        is_open = 0;
        ssize_t written = write(STDOUT_FILENO, leave_sequence, leave_size);
        (void)written;
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
    }
    write_report(number);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_one(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGALRM); /* one handler writes at a time */
    sigaddset(&action.sa_mask, SIGINT);
    sigaction(number, &action, NULL);
}

static const int ordinary[] = {SIGWINCH, SIGCONT, SIGCHLD, SIGINT, SIGTERM, SIGHUP};
static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void catch_signals(void)
{
    static char stack[ALTERNATE_STACK];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    void *frames[1];
    (void)backtrace(frames, 1); /* loads what it needs while that is safe */
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < COUNT_OF(ordinary); i++)
        catch_one(ordinary[i], on_signal, 0);
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        catch_one(crashes[i], on_crash, SA_ONSTACK | (int)SA_RESETHAND);
    catch_one(SIGPIPE, SIG_IGN, 0);
    /* Whoever computes must not see a read or a write end early. */
    catch_one(SIGALRM, on_timer, SA_RESTART);
}

/* As a program finds them; but a Ctrl-C too many, behind the last key, does nothing. */
static void release_signals(void)
{
    for (size_t i = 0; i < COUNT_OF(ordinary); i++)
        if (ordinary[i] != SIGINT)
            catch_one(ordinary[i], SIG_DFL, 0);
    for (size_t i = 0; i < COUNT_OF(crashes); i++)
        catch_one(crashes[i], SIG_DFL, 0);
    catch_one(SIGPIPE, SIG_DFL, 0);
    catch_one(SIGALRM, SIG_DFL, 0);
}

/* Terminal capabilities that end a screen, as far as they are plain text. */
static void prepare_leaving(void)
{
    static const char *const names[] = {"sgr0", "rmkx", "rmcup", "cnorm"};
    static const char mouse_off[] = "\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?2004l"; /* and pastes */
    leave_size = 0;
    for (size_t i = 0; i <= COUNT_OF(names); i++) {
        const char *sequence = i == 0 ? mouse_off : tigetstr((char *)names[i - 1]);
        if (sequence == NULL || (intptr_t)sequence == -1)
            continue;
        size_t size = strcspn(sequence, "$"); /* padding, which only real terminals need */
        if (leave_size + size < sizeof leave_sequence) {
            memcpy(leave_sequence + leave_size, sequence, size);
            leave_size += size;
        }
    }
}

/* The busy sign, from outside of the handlers. */

/* Adds what a terminal calls so; false where it knows none. Padding is for real terminals only. */
static bool add_capability(char *text, size_t *size, size_t capacity, const char *sequence)
{
    if (sequence == NULL || (intptr_t)sequence == -1)
        return false;
    size_t more = strcspn(sequence, "$");
    if (*size + more >= capacity)
        return false;
    memcpy(text + *size, sequence, more);
    *size += more;
    text[*size] = '\0';
    return true;
}

/* False where the terminal's cursor can't be sent anywhere. */
static bool prepare_busy(void)
{
    char *move_to = tigetstr((char *)"cup");
    size_t begin = 0, end = 0;
    if (move_to == NULL || (intptr_t)move_to == -1 || COLS < BUSY_COLS ||
        !add_capability(busy.begin, &begin, sizeof busy.begin, tparm(move_to, LINES - 1, 0)))
        return false;
    (void)add_capability(busy.begin, &begin, sizeof busy.begin, tigetstr((char *)"el"));
    begin = add_text(busy.begin, begin, sizeof busy.begin, " ");
    (void)add_capability(busy.begin, &begin, sizeof busy.begin, tigetstr((char *)"bold"));
    busy.end[0] = '\0';
    (void)add_capability(busy.end, &end, sizeof busy.end, tigetstr((char *)"sgr0"));
    end = add_text(busy.end, end, sizeof busy.end, "  ");
    return add_capability(busy.end, &end, sizeof busy.end,
                          tparm(move_to, getcury(curscr), getcurx(curscr)));
}

static void set_timer(long first_ms, long then_ms)
{
    const struct itimerval times = {
        .it_value = {.tv_sec = first_ms / 1000, .tv_usec = first_ms % 1000 * 1000},
        .it_interval = {.tv_sec = then_ms / 1000, .tv_usec = then_ms % 1000 * 1000},
    };
    (void)setitimer(ITIMER_REAL, &times, NULL);
}

static void begin_busy(void)
{
    busy.was_shown = 0;
    busy.is_on = prepare_busy();
    busy.since_ms = clock_ms();
    if (busy.is_on)
        set_timer(BUSY_AFTER_MS, BUSY_STEP_MS);
}

static void end_busy(void)
{
    if (!busy.is_on)
        return;
    set_timer(0, 0);
    busy.is_on = 0;
    if (busy.was_shown)
        wredrawln(stdscr, LINES - 1, 1); /* which ncurses believes to be as it left it */
}

/* Opening and closing. */

/* Between marks, so that they are told from what is typed. Terminals that know none ignore it. */
static void ask_for_pastes(bool on)
{
    fputs(on ? "\x1b[?2004h" : "\x1b[?2004l", stdout);
    (void)fflush(stdout);
}

/* Leaving the screen brings back the cursor as it was saved last, which editors' terminals
 * (libvterm) take to mean as hidden as it was then: so it is shown behind that. */
static void end_screen(void)
{
    const char *shown = tigetstr((char *)"cnorm");
    ask_for_pastes(false);
    endwin();
    if (shown != NULL && (intptr_t)shown != -1)
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

static void close_pipe(void)
{
    close(wake_pipe[0]);
    close(wake_pipe[1]);
    wake_pipe[0] = wake_pipe[1] = -1;
}

static bool open_pipe(struct error *reterr)
{
    if (pipe(wake_pipe) != 0)
        return error_set(reterr, ERR_FILE, "the screen: no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(wake_pipe[i], F_SETFL, O_NONBLOCK);
        fcntl(wake_pipe[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

/* What terminals also send for keys, whatever their description says. */
static void know_more_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } keys[] = {{"\x1b[H", KEY_HOME},  {"\x1b[F", KEY_END},    {"\x1b[1~", KEY_HOME},
                {"\x1b[4~", KEY_END},  {"\x1b[7~", KEY_HOME},  {"\x1b[8~", KEY_END},
                {"\x1bOP", KEY_F(1)},  {"\x1b[11~", KEY_F(1)}, {"\x1b[Z", KEY_BTAB},
                {"\x1b[1;2A", KEY_SR}, {"\x1b[1;2B", KEY_SF},  {"\x1b[A", KEY_UP},
                {"\x1b[B", KEY_DOWN},  {"\x1b[C", KEY_RIGHT},  {"\x1b[D", KEY_LEFT}};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        define_key(keys[i].sequence, keys[i].code);
}

static void set_modes(void)
{
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    know_more_keys();
    nodelay(stdscr, TRUE);
    intrflush(stdscr, FALSE);
    if (getenv("ESCDELAY") == NULL)
        set_escdelay(ESCAPE_MS);
    leaveok(stdscr, FALSE);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
}

static void start_colours(struct display *screen, const struct display_options *options)
{
    screen->colour = !options->no_colour && has_colors() && start_color() == OK;
    if (screen->colour)
        use_default_colors();
    screen->n_colours = screen->colour ? COLORS : 0;
}

/* The number of the description that knows all colours of this terminal, on COLORTERM's word for
 * it; -1: there is none. */
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

static SCREEN *open_terminal(void)
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
    display_close(only);
}

bool display_open(const struct display_options *options, struct display **ret, struct error *reterr)
{
    static bool registered;
    if (!terminal_can_show(reterr) || !open_pipe(reterr))
        return false;
    struct display *screen = calloc(1, sizeof *screen);
    if (screen == NULL) {
        close_pipe();
        return error_memory(reterr, "the screen");
    }
    tcgetattr(STDIN_FILENO, &terminal_before);
    screen->terminal = open_terminal();
    if (screen->terminal == NULL) {
        free(screen);
        close_pipe();
        return error_set(reterr, ERR_FILE,
                         "the screen: TERM=%.60s is not known here; attn repl "
                         "works without it",
                         getenv("TERM"));
    }
    if (!folder_state_path("crash.txt", report_path, sizeof report_path))
        report_path[0] = '\0';
    screen->held = ERR;
    prepare_leaving();
    set_modes();
    ask_for_pastes(true);
    start_colours(screen, options);
    catch_signals();
    is_open = 1;
    only = screen;
    if (!registered)
        registered = atexit(close_at_exit) == 0;
    *ret = screen;
    return true;
}

void display_close(struct display *screen)
{
    if (screen == NULL)
        return;
    only = NULL;
    end_busy();
    if (!gone || isatty(STDOUT_FILENO))
        end_screen();
    is_open = 0;
    release_signals();
    delscreen(screen->terminal);
    canvas_release(&screen->painted);
    free(screen);
    close_pipe();
}

void display_size(const struct display *screen, int *ret_rows, int *ret_cols)
{
    (void)screen;
    getmaxyx(stdscr, *ret_rows, *ret_cols);
}

int display_colours(const struct display *screen)
{
    return screen->n_colours;
}

/* Painting. */

static attr_t attributes(unsigned marks)
{
    return (marks & MARK_BOLD ? A_BOLD : 0) | (marks & MARK_UNDERLINE ? A_UNDERLINE : 0) |
           (marks & MARK_REVERSE ? A_REVERSE : 0) | (marks & MARK_DIM ? A_DIM : 0);
}

static void paint_cell(struct display *screen, const struct canvas_cell *cell, int row, int col,
                       const struct theme *theme)
{
    wchar_t characters[CCHARW_MAX] = {L' '};
    cchar_t complex;
    size_t n = 0;
    const char *at = cell->bytes;
    mbstate_t state = {0};
    while (n + 1 < CCHARW_MAX && *at != '\0') {
        size_t size = mbrtowc(&characters[n], at, MB_CUR_MAX, &state);
        if (size == 0 || size > CANVAS_CELL_BYTES) {
            characters[n++] = L'?';
            break;
        }
        at += size;
        n++;
    }
    characters[n > 0 ? n : 1] = L'\0';
    struct paint paint = theme_paint(theme, &cell->look);
    int pair = 0;
    if (screen->colour && (paint.front >= 0 || paint.back >= 0))
        pair = alloc_pair(theme_index(theme, paint.front), theme_index(theme, paint.back));
    pair = pair < 0 ? 0 : pair;
    if (setcchar(&complex, characters, attributes(paint.marks), (short)0, &pair) == OK)
        mvadd_wch(row, col, &complex);
}

static bool same_cell(const struct canvas_cell *a, const struct canvas_cell *b)
{
    return a->cols == b->cols && a->look.style == b->look.style && a->look.front == b->look.front &&
           a->look.back == b->look.back && a->look.marks == b->look.marks &&
           strcmp(a->bytes, b->bytes) == 0;
}

void display_repaint(struct display *screen)
{
    screen->repaint = true;
}

void display_paint(struct display *screen, const struct canvas *canvas, const struct theme *theme)
{
    struct canvas *painted = &screen->painted;
    bool all = screen->repaint || painted->rows != canvas->rows || painted->cols != canvas->cols;
    if (all) {
        if (!canvas_resize(painted, canvas->rows, canvas->cols))
            return;
        clearok(stdscr, TRUE);
        erase();
    }
    screen->repaint = false;
    for (int row = 0; row < canvas->rows; row++)
        for (int col = 0; col < canvas->cols; col++) {
            size_t at = (size_t)row * (size_t)canvas->cols + (size_t)col;
            const struct canvas_cell *cell = &canvas->cells[at];
            if (cell->cols == 0 || (!all && same_cell(cell, &painted->cells[at])))
                continue;
            paint_cell(screen, cell, row, col, theme);
        }
    memcpy(painted->cells, canvas->cells,
           (size_t)canvas->rows * (size_t)canvas->cols * sizeof *canvas->cells);
    curs_set(canvas->cursor_row >= 0 ? 1 : 0);
    if (canvas->cursor_row >= 0)
        move(canvas->cursor_row, canvas->cursor_col);
    refresh();
}

/* Input. */

static int key_of(int code)
{
    static const struct {
        int code, key;
    } keys[] = {
        {KEY_UP, KEYCODE_UP},         {KEY_DOWN, KEYCODE_DOWN},
        {KEY_LEFT, KEYCODE_LEFT},     {KEY_RIGHT, KEYCODE_RIGHT},
        {KEY_HOME, KEYCODE_HOME},     {KEY_END, KEYCODE_END},
        {KEY_PPAGE, KEYCODE_PAGE_UP}, {KEY_NPAGE, KEYCODE_PAGE_DOWN},
        {KEY_DC, KEYCODE_DELETE},     {KEY_BTAB, KEYCODE_BACK_TAB},
        {KEY_F(1), KEYCODE_F1},       {KEY_SR, KEYCODE_SHIFT_UP},
        {KEY_SF, KEYCODE_SHIFT_DOWN}, {KEY_BACKSPACE, KEYCODE_BACKSPACE},
        {KEY_ENTER, KEYCODE_ENTER},
    };
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].code == code)
            return keys[i].key;
    return KEYCODE_NONE;
}

static bool read_mouse(struct display *screen, struct input *ret)
{
    MEVENT event;
    if (getmouse(&event) != OK)
        return false;
    *ret = (struct input){.row = event.y, .col = event.x};
    if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        ret->kind = INPUT_WHEEL;
        ret->steps = (event.bstate & BUTTON4_PRESSED) != 0 ? -WHEEL_LINES : WHEEL_LINES;
        return true;
    }
    if (!(event.bstate & BUTTON1_PRESSED))
        return false;
    int64_t now = clock_ms();
    ret->kind = INPUT_CLICK;
    ret->is_double = now - screen->click_ms < DOUBLE_CLICK_MS && event.y == screen->click_row &&
                     event.x == screen->click_col;
    screen->click_ms = ret->is_double ? 0 : now;
    screen->click_row = event.y;
    screen->click_col = event.x;
    return true;
}

/* The next byte, or code of a key; ERR where there is none yet. */
static int next_code(struct display *screen)
{
    int code = screen->held != ERR ? screen->held : getch();
    screen->held = ERR;
    return code;
}

/* The character that a byte ends; false where more bytes belong to it, which may come later, or
 * where it is none. */
static bool end_character(struct display *screen, int byte, int *ret_key)
{
    wchar_t wide = 0;
    char c = (char)byte;
    bool fresh = mbsinit(&screen->character) != 0;
    size_t size = mbrtowc(&wide, &c, 1, &screen->character);
    if (size == (size_t)-1) { /* a character was cut off, and the next one may begin here */
        screen->character = (mbstate_t){0};
        return !fresh && end_character(screen, byte, ret_key);
    }
    *ret_key = (int)wide;
    return size != (size_t)-2;
}

/* Behind "Escape [": what belongs to a sequence that ncurses does not know, which is no key. */
static void skip_sequence(struct display *screen, int code)
{
    static const char paste_begins[] = "200~", paste_ends[] = "201~";
    char text[8] = {0};
    size_t n = 0;
    timeout(ESCAPE_MS);
    for (; code >= ' ' && code < 0x100; code = getch()) {
        if (n + 1 < sizeof text)
            text[n++] = (char)code;
        if (code >= '@')
            break;
    }
    nodelay(stdscr, TRUE);
    if (code >= 0x100)
        screen->held = code;
    if (strcmp(text, paste_begins) == 0 || strcmp(text, paste_ends) == 0) {
        screen->pastes = text[2] == '0';
        screen->after_return = false;
        screen->pasted_ms = clock_ms();
    }
}

/* A key that came right behind an Escape belongs to it. */
static int key_behind_escape(struct display *screen)
{
    int code = getch(), key = KEYCODE_NONE, after;
    if (code == ERR)
        return KEYCODE_ESCAPE;
    if (code >= 0x100) {
        screen->held = code;
        return KEYCODE_ESCAPE;
    }
    if ((code == '[' || code == 'O') && (after = getch()) != ERR) {
        if (code == '[')
            skip_sequence(screen, after);
        return KEYCODE_NONE;
    }
    while (!end_character(screen, code, &key))
        if ((code = getch()) == ERR || code >= 0x100)
            return KEYCODE_ESCAPE;
    return key | KEYCODE_ALT;
}

/* Of a paste come characters, Enter and Tab, and nothing that acts. */
static int pasted_key(struct display *screen, int key)
{
    bool after_return = screen->after_return;
    bool acts = key < ' ' || key == KEYCODE_BACKSPACE;
    if (acts && key != '\r' && key != '\n' && key != KEYCODE_TAB)
        return KEYCODE_NONE;
    screen->after_return = key == '\r';
    screen->pasted_ms = clock_ms();
    if (key == '\n')
        return after_return ? KEYCODE_NONE : KEYCODE_ENTER;
    return key;
}

static int plain_key(struct display *screen, int key)
{
    bool pasted = screen->pastes;
    if (key == KEYCODE_ESCAPE)
        key = key_behind_escape(screen);
    else if (pasted)
        return pasted_key(screen, key);
    if (pasted)
        return KEYCODE_NONE;
    if (key == 8)
        return KEYCODE_BACKSPACE;
    return key == '\n' ? KEYCODE_ENTER : key;
}

/* One key or click that is there already. */
static bool read_input(struct display *screen, struct input *ret)
{
    int code, key;
    if (screen->pastes && clock_ms() - screen->pasted_ms > PASTE_GAP_MS)
        screen->pastes = false;
    screen->has_read = false;
    while ((code = next_code(screen)) != ERR) {
        screen->has_read = true;
        *ret = (struct input){.kind = INPUT_KEY};
        if (code >= 0x100)
            screen->character = (mbstate_t){0};
        if (code == KEY_MOUSE && read_mouse(screen, ret))
            return true;
        if (code == KEY_MOUSE || code == KEY_RESIZE)
            continue; /* of the size our own signal tells */
        if (code < 0x100 && !end_character(screen, code, &key))
            continue;
        if (code >= 0x100)
            ret->key = screen->pastes ? KEYCODE_NONE : key_of(code);
        else
            ret->key = plain_key(screen, key);
        ret->is_pasted = screen->pastes;
        if (ret->key != KEYCODE_NONE)
            return true;
    }
    return false;
}

static void follow_resize(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
}

/* What signals brought. True with *ret when it is input. */
static bool heed_signals(struct display *screen, struct input *ret)
{
    if (child) {
        child = 0;
        screen->child_ended = true;
    }
    if (gone) {
        *ret = (struct input){.kind = INPUT_GONE};
        return true;
    }
    if (continued) {
        continued = 0;
        display_return(screen);
        resized = 1;
    }
    if (resized) {
        resized = 0;
        follow_resize();
        display_repaint(screen);
        *ret = (struct input){.kind = INPUT_RESIZE};
        return true;
    }
    return false;
}

static void empty_pipe(void)
{
    char bytes[64];
    ssize_t size;
    do
        size = read(wake_pipe[0], bytes, sizeof bytes);
    while (size > 0);
}

bool display_has_input(struct display *screen)
{
    struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
    return screen->held != ERR || poll(&ready, 1, 0) > 0;
}

bool display_wait_input(struct display *screen, struct display_wait *wait, struct input *ret)
{
    struct pollfd fds[2 + MAX_FDS];
    nfds_t n = 2;
    if (heed_signals(screen, ret) || read_input(screen, ret))
        return true;
    if (screen->child_ended || screen->has_read) /* no painting waits for input any more */
        return false;
    fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = wake_pipe[0], .events = POLLIN};
    for (int i = 0; i < wait->n_fds && i < MAX_FDS; i++)
        fds[n++] = (struct pollfd){.fd = wait->fds[i], .events = POLLIN};
    int found = poll(fds, n, wait->timeout_ms);
    if (found < 0 && errno != EINTR)
        gone = 1;
    if (found > 0 && fds[1].revents != 0)
        empty_pipe();
    if (heed_signals(screen, ret) || read_input(screen, ret))
        return true;
    if (found > 0 && (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        *ret = (struct input){.kind = INPUT_GONE};
        return true;
    }
    return false;
}

bool display_child_ended(struct display *screen)
{
    bool ended = screen->child_ended;
    screen->child_ended = false;
    return ended;
}

/* Leaving for a while. */

void display_leave(struct display *screen)
{
    if (screen->is_left)
        return;
    screen->is_left = true;
    is_open = 0;
    end_busy();
    def_prog_mode();
    end_screen();
}

void display_return(struct display *screen)
{
    reset_prog_mode();
    ask_for_pastes(true);
    screen->is_left = false;
    is_open = 1;
    follow_resize();
    display_repaint(screen);
}

void display_watch_interrupt(struct display *screen, bool on)
{
    struct termios now;
    (void)screen;
    is_watched = on;
    display_interrupted = gone;
    if (on)
        begin_busy();
    else
        end_busy();
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
