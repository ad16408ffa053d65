/* See screen.h. */
#include "screen.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* cmocka.h needs the first three. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

enum { MAX_ARGUMENTS = 16, MAX_SETTINGS = 24 };

static long now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000L + time.tv_nsec / 1000L;
}

static long now_ms(void)
{
    return now_us() / 1000;
}

/* What the program is told in its environment. */
struct surroundings {
    const char *settings[MAX_SETTINGS + 1]; /* "NAME=value" */
    size_t n;
    char home[96], state[96], passed[4][1024];
};

/* The first setting of a name counts, and is the only one: shells would take the last. */
static void add_setting(struct surroundings *all, const char *setting)
{
    size_t name_size = strcspn(setting, "=") + 1;
    for (size_t i = 0; i < all->n; i++)
        if (strncmp(all->settings[i], setting, name_size) == 0)
            return;
    assert_true(all->n < MAX_SETTINGS);
    all->settings[all->n++] = setting;
    all->settings[all->n] = NULL;
}

static void surround(struct surroundings *all, const char *home, const char *const *settings)
{
    static const char *const passed_on[] = {"ATTN_DATA_DIR", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                            "VALGRIND_OPTS"};
    *all = (struct surroundings){0};
    for (size_t i = 0; settings != NULL && settings[i] != NULL; i++)
        add_setting(all, settings[i]);
    snprintf(all->home, sizeof all->home, "HOME=%s", home);
    snprintf(all->state, sizeof all->state, "XDG_STATE_HOME=%s/state", home);
    add_setting(all, all->home);
    add_setting(all, all->state);
    add_setting(all, "PATH=/usr/local/bin:/usr/bin:/bin");
    add_setting(all, "INPUTRC=/dev/null");
    add_setting(all, "TERM=xterm-256color");
    add_setting(all, "LANG=C.UTF-8");
    add_setting(all, "NCURSES_GPM_TERMS="); /* the console's mouse library leaks */
    for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++)
        if (getenv(passed_on[i]) != NULL) {
            snprintf(all->passed[i], sizeof all->passed[i], "%s=%s", passed_on[i],
                     getenv(passed_on[i]));
            add_setting(all, all->passed[i]);
        }
}

/* env finds the runner, where there is one. */
static void write_command(const char *argv[MAX_ARGUMENTS + 4], const char *program,
                          const char *const *arguments)
{
    const char *runner = program == NULL ? getenv("ATTN_RUNNER") : NULL;
    size_t n = 0;
    if (runner != NULL && runner[0] != '\0') {
        argv[n++] = "/usr/bin/env";
        argv[n++] = runner;
    }
    argv[n++] = program != NULL ? program : getenv("ATTN");
    for (size_t i = 0; arguments != NULL && arguments[i] != NULL && i < MAX_ARGUMENTS; i++)
        argv[n++] = arguments[i];
    argv[n] = NULL;
}

/* The program's side: its own session with the pty as terminal, then attn. */
static void become_program(const struct screen *screen, const char *tty, const char *const *argv,
                           const char *const *settings)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL); /* whoever runs the tests may have them ignored */
    setsid();
    int terminal = open(tty, O_RDWR);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0 || chdir(screen->home) != 0)
        _exit(126);
    for (int fd = 0; fd < 3; fd++)
        dup2(terminal, fd);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execve(argv[0], (char *const *)argv, (char *const *)settings);
    _exit(127);
}

static void set_size(const struct screen *screen)
{
    struct winsize size = {.ws_row = (unsigned short)screen->rows,
                           .ws_col = (unsigned short)screen->cols};
    assert_int_equal(ioctl(screen->pty, TIOCSWINSZ, &size), 0);
}

/* What the program asks of the terminal. */
static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct screen *screen = user;
    if (property == VTERM_PROP_ALTSCREEN)
        screen->is_alternate = value->boolean;
    else if (property == VTERM_PROP_CURSORVISIBLE)
        screen->cursor_visible = value->boolean;
    else if (property == VTERM_PROP_MOUSE)
        screen->mouse = value->number;
    return 1;
}

/* OSC 52, a text for the clipboard: the library does not know it, and of one that comes in two
 * pieces it keeps 64 bytes. */
static void take_copied(struct screen *screen, const char *bytes, size_t size)
{
    static const char begin[] = "\x1b]52;";
    const size_t n_begin = sizeof begin - 1;
    for (size_t i = 0; i < size; i++) {
        size_t at = screen->n_copying;
        if (at < n_begin) {
            screen->n_copying = bytes[i] == begin[at] ? at + 1 : bytes[i] == begin[0];
            if (screen->n_copying == n_begin)
                snprintf(screen->copied, sizeof screen->copied, "52;");
            continue;
        }
        bool ends = bytes[i] == '\a' || bytes[i] == '\x1b';
        size_t n = at - n_begin + strlen("52;");
        assert_true(n + 1 < sizeof screen->copied);
        screen->copied[n] = ends ? '\0' : bytes[i];
        screen->n_copying = ends ? 0 : at + 1;
    }
}

/* Counts what is watched; it may come in pieces, and holds its first byte only once. */
static void count_watched(struct screen *screen, const char *bytes, size_t size)
{
    for (size_t i = 0; screen->watched != NULL && i < size; i++) {
        bool fits = bytes[i] == screen->watched[screen->watched_size];
        screen->watched_size = fits ? screen->watched_size + 1 : bytes[i] == screen->watched[0];
        if (screen->watched[screen->watched_size] != '\0')
            continue;
        screen->n_watched++;
        screen->watched_size = 0;
    }
}

static void open_terminal(struct screen *screen, bool keeps_output)
{
    static const VTermScreenCallbacks callbacks = {.settermprop = on_property};
    screen->pty = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(screen->pty >= 0);
    assert_int_equal(grantpt(screen->pty), 0);
    assert_int_equal(unlockpt(screen->pty), 0);
    screen->terminal = vterm_new(screen->rows, screen->cols);
    assert_non_null(screen->terminal);
    vterm_set_utf8(screen->terminal, 1);
    screen->cells = vterm_obtain_screen(screen->terminal);
    vterm_screen_set_callbacks(screen->cells, &callbacks, screen);
    vterm_screen_enable_altscreen(screen->cells, 1);
    vterm_screen_reset(screen->cells, 1);
    set_size(screen);
    assert_int_equal(tcgetattr(screen->pty, &screen->before), 0);
    if (!keeps_output)
        return;
    screen->before.c_lflag |= NOFLSH;
    assert_int_equal(tcsetattr(screen->pty, TCSANOW, &screen->before), 0);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    chmod(path, 0700);
    return remove(path);
}

void screen_home_new(char home[64])
{
    snprintf(home, 64, "/tmp/attn-pty-XXXXXX");
    assert_non_null(mkdtemp(home));
}

void screen_home_remove(char home[64])
{
    if (home[0] != '\0')
        nftw(home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    home[0] = '\0';
}

void screen_open(struct screen *screen, const struct screen_options *options)
{
    *screen = (struct screen){.rows = options->rows ? options->rows : 24,
                              .cols = options->cols ? options->cols : 80,
                              .pty = -1,
                              .answers = !options->says_nothing,
                              .watched = options->watched,
                              .keeps_home = options->home != NULL};
    assert_non_null(getenv("ATTN"));
    if (options->home != NULL)
        snprintf(screen->home, sizeof screen->home, "%s", options->home);
    else
        screen_home_new(screen->home);
    open_terminal(screen, options->keeps_output);
    char tty[128];
    const char *argv[MAX_ARGUMENTS + 4];
    struct surroundings surroundings;
    snprintf(tty, sizeof tty, "%s", ptsname(screen->pty));
    surround(&surroundings, screen->home, options->settings);
    write_command(argv, options->program, options->arguments);
    screen->program = fork();
    assert_true(screen->program >= 0);
    if (screen->program == 0)
        become_program(screen, tty, argv, surroundings.settings);
}

void screen_close(struct screen *screen)
{
    if (screen->program > 0) {
        kill(screen->program, SIGKILL);
        waitpid(screen->program, &screen->exit_status, 0);
        screen->program = 0;
    }
    if (screen->pty >= 0)
        close(screen->pty);
    screen->pty = -1;
    if (screen->terminal != NULL)
        vterm_free(screen->terminal);
    screen->terminal = NULL;
    if (!screen->keeps_home)
        screen_home_remove(screen->home);
}

/* What libvterm answers to the program's questions, such as where the cursor is. */
static void send_answers(struct screen *screen)
{
    char bytes[256];
    size_t size = vterm_output_read(screen->terminal, bytes, sizeof bytes);
    if (size > 0 && screen->answers && write(screen->pty, bytes, size) < 0)
        return; /* the program has gone */
}

/* How many of the last bytes begin a character that goes on after them. */
static size_t cut_bytes(const char *bytes, size_t size)
{
    for (size_t n = 1; n <= 3 && n <= size; n++) {
        unsigned char c = (unsigned char)bytes[size - n];
        if ((c & 0xC0) == 0x80)
            continue;
        size_t whole = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return n < whole ? n : 0;
    }
    return 0;
}

/* libvterm shows a sign for a character that comes in two pieces: its beginning is kept for later.
 */
static void show(struct screen *screen, char *bytes, size_t size)
{
    size_t n_cut = cut_bytes(bytes, size);
    vterm_input_write(screen->terminal, bytes, size - n_cut);
    memcpy(screen->cut, bytes + size - n_cut, n_cut);
    screen->n_cut = n_cut;
}

/* Shows what the program writes within wait_ms; false when it wrote nothing. */
static bool pump(struct screen *screen, int wait_ms)
{
    char bytes[16384];
    struct pollfd ready = {.fd = screen->pty, .events = POLLIN}; /* -1: only the time passes */
    if (poll(&ready, 1, wait_ms) <= 0)
        return false;
    size_t before = screen->n_cut;
    memcpy(bytes, screen->cut, before);
    ssize_t size = read(screen->pty, bytes + before, sizeof bytes - before);
    if (size <= 0) {
        poll(NULL, 0, wait_ms); /* nobody writes any more: its end comes soon */
        return false;
    }
    show(screen, bytes, before + (size_t)size);
    take_copied(screen, bytes + before, (size_t)size);
    count_watched(screen, bytes + before, (size_t)size);
    send_answers(screen);
    return true;
}

/* Shows all that the program has written by now. */
static void drain(struct screen *screen)
{
    bool more = true;
    while (more)
        more = pump(screen, 0);
}

static void send_bytes(struct screen *screen, const char *keys, size_t size)
{
    long limit = now_ms() + SCREEN_WAIT_MS;
    while (size > 0 && now_ms() < limit) {
        struct pollfd ready = {.fd = screen->pty, .events = POLLOUT};
        ssize_t done = poll(&ready, 1, 100) > 0 ? write(screen->pty, keys, size) : 0;
        assert_true(done >= 0);
        keys += done;
        size -= (size_t)done;
        drain(screen);
    }
    assert_int_equal(size, 0);
}

void screen_type(struct screen *screen, const char *keys)
{
    send_bytes(screen, keys, strlen(keys));
}

/* Sends what libvterm made of a key or a click. */
static void send_made(struct screen *screen)
{
    char bytes[256];
    size_t size = vterm_output_read(screen->terminal, bytes, sizeof bytes);
    send_bytes(screen, bytes, size);
}

void screen_press(struct screen *screen, VTermKey key, VTermModifier modifiers)
{
    if (key == VTERM_KEY_ESCAPE && modifiers == VTERM_MOD_NONE) {
        screen_type(screen, SCREEN_ESCAPE);
        return;
    }
    vterm_keyboard_key(screen->terminal, key, modifiers);
    send_made(screen);
}

void screen_press_times(struct screen *screen, VTermKey key, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        screen_press(screen, key, VTERM_MOD_NONE);
}

void screen_click(struct screen *screen, int row, int col)
{
    vterm_mouse_move(screen->terminal, row, col, VTERM_MOD_NONE);
    vterm_mouse_button(screen->terminal, 1, true, VTERM_MOD_NONE);
    vterm_mouse_button(screen->terminal, 1, false, VTERM_MOD_NONE);
    send_made(screen);
}

void screen_wheel(struct screen *screen, int row, int col, int notches)
{
    vterm_mouse_move(screen->terminal, row, col, VTERM_MOD_NONE);
    for (int i = 0; i < abs(notches); i++) { /* libvterm has room for a few keys */
        vterm_mouse_button(screen->terminal, notches < 0 ? 4 : 5, true, VTERM_MOD_NONE);
        send_made(screen);
    }
}

long screen_settle(struct screen *screen, int quiet_ms, int limit_ms)
{
    long began = now_us(), last = began;
    while (now_us() - began < limit_ms * 1000L && pump(screen, quiet_ms))
        last = now_us();
    return last - began;
}

/* Adds one character to text as UTF-8; returns its bytes. */
static size_t put_character(uint32_t c, char *text)
{
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size; i-- > 1; c >>= 6)
        text[i] = (char)(0x80 | (c & 0x3F));
    text[0] = (char)(first[size] | c);
    return size;
}

void screen_part(struct screen *screen, int row, int col, int end, char *text)
{
    size_t size = 0;
    while (col < end) {
        VTermScreenCell cell;
        vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
        if (cell.chars[0] == 0)
            text[size++] = ' ';
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
            size += put_character(cell.chars[i], text + size);
        col += cell.width > 0 ? cell.width : 1;
    }
    text[size] = '\0';
}

const char *screen_row(struct screen *screen, int row)
{
    static char text[SCREEN_MAX_COLS * 4 * VTERM_MAX_CHARS_PER_CELL + 1];
    screen_part(screen, row, 0, screen->cols, text);
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == ' ')
        end--;
    text[end] = '\0';
    return text;
}

char *screen_text(struct screen *screen)
{
    size_t capacity = (size_t)screen->rows * (SCREEN_MAX_COLS * 4 + 1) + 1, size = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    for (int row = 0; row < screen->rows; row++)
        size += (size_t)snprintf(text + size, capacity - size, "%s\n", screen_row(screen, row));
    return text;
}

int screen_find_row(struct screen *screen, int from, const char *text)
{
    for (int row = from; row < screen->rows; row++)
        if (strstr(screen_row(screen, row), text) != NULL)
            return row;
    return -1;
}

bool screen_shows(struct screen *screen, const char *text)
{
    return screen_find_row(screen, 0, text) >= 0;
}

int screen_count_rows(struct screen *screen, const char *text)
{
    int count = 0;
    for (int row = 0; row < screen->rows; row++)
        count += strstr(screen_row(screen, row), text) != NULL;
    return count;
}

static VTermPos cursor_of(const struct screen *screen)
{
    VTermPos cursor;
    vterm_state_get_cursorpos(vterm_obtain_state(screen->terminal), &cursor);
    return cursor;
}

/* True when the last row that is not blank is an empty prompt, with the cursor behind it. */
static bool at_prompt(struct screen *screen)
{
    int last = screen->rows - 1;
    while (last > 0 && screen_row(screen, last)[0] == '\0')
        last--;
    VTermPos cursor = cursor_of(screen);
    return strcmp(screen_row(screen, last), "attn>") == 0 && cursor.row == last && cursor.col == 6;
}

static void fail_with_screen(struct screen *screen, const char *wanted)
{
    char *text = screen_text(screen);
    fprintf(stderr, "waited for: %s\nthe screen shows:\n%s", wanted, text); /* cmocka's cuts it */
    free(text);
    screen_close(screen);
    fail();
}

/* Shows what comes until done() says so. */
static void wait_until(struct screen *screen, bool (*done)(struct screen *, const char *),
                       const char *text)
{
    long limit = now_ms() + SCREEN_WAIT_MS;
    while (!done(screen, text)) {
        if (now_ms() > limit)
            fail_with_screen(screen, text);
        pump(screen, 50);
    }
}

void screen_wait(struct screen *screen, const char *text)
{
    wait_until(screen, screen_shows, text);
}

static bool is_gone(struct screen *screen, const char *text)
{
    return !screen_shows(screen, text);
}

void screen_wait_gone(struct screen *screen, const char *text)
{
    wait_until(screen, is_gone, text);
}

void screen_wait_at(struct screen *screen, int row, const char *text)
{
    long limit = now_ms() + SCREEN_WAIT_MS;
    while (strstr(screen_row(screen, row), text) == NULL) {
        if (now_ms() > limit)
            fail_with_screen(screen, text);
        pump(screen, 50);
    }
}

static bool is_all(struct screen *screen, const char *text)
{
    char *shown = screen_text(screen);
    bool same = strcmp(shown, text) == 0;
    free(shown);
    return same;
}

void screen_wait_all(struct screen *screen, const char *text)
{
    wait_until(screen, is_all, text);
}

void screen_wait_for(struct screen *screen, bool (*done)(struct screen *, const char *what),
                     const char *what)
{
    wait_until(screen, done, what);
}

static bool is_cursor_row(struct screen *screen, const char *text)
{
    return strcmp(screen_row(screen, cursor_of(screen).row), text) == 0;
}

void screen_wait_row(struct screen *screen, const char *text)
{
    wait_until(screen, is_cursor_row, text);
}

void screen_watch(struct screen *screen, int wait_ms)
{
    bool more;
    do
        more = pump(screen, wait_ms);
    while (more);
}

static bool is_only_row(struct screen *screen, const char *text)
{
    return cursor_of(screen).row == 0 && is_cursor_row(screen, text) &&
           screen_row(screen, 1)[0] == '\0';
}

void screen_clear(struct screen *screen, const char *prompt)
{
    screen_type(screen, "\x0c");
    wait_until(screen, is_only_row, prompt);
}

static bool prompt_is_there(struct screen *screen, const char *text)
{
    (void)text;
    drain(screen);
    return at_prompt(screen);
}

void screen_wait_prompt(struct screen *screen)
{
    wait_until(screen, prompt_is_there, "an empty prompt");
}

static bool line_is_shown(struct screen *screen, const char *line)
{
    const char *row = screen_row(screen, cursor_of(screen).row);
    return strncmp(row, "attn> ", 6) == 0 && strcmp(row + 6, line) == 0;
}

/* Enter moves the cursor down before the line runs. */
static bool line_is_taken(struct screen *screen, const char *line)
{
    return !line_is_shown(screen, line);
}

void screen_enter(struct screen *screen, const char *line)
{
    screen_type(screen, line);
    wait_until(screen, line_is_shown, line);
    screen_type(screen, "\r");
    wait_until(screen, line_is_taken, line);
}

void screen_line(struct screen *screen, const char *line)
{
    screen_enter(screen, line);
    screen_wait_prompt(screen);
}

void screen_interrupt(struct screen *screen)
{
    screen_type(screen, "\x03");
    screen_wait_prompt(screen);
}

static bool has_ended(struct screen *screen, const char *text)
{
    (void)text;
    if (screen->program > 0 &&
        waitpid(screen->program, &screen->exit_status, WNOHANG) == screen->program)
        screen->program = 0;
    return screen->program == 0;
}

int screen_wait_exit(struct screen *screen)
{
    wait_until(screen, has_ended, "the end of the program");
    drain(screen); /* its last words */
    int status = screen->exit_status;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void screen_kill(struct screen *screen)
{
    if (screen->program == 0)
        return;
    kill(screen->program, SIGKILL);
    waitpid(screen->program, &screen->exit_status, 0);
    screen->program = 0;
}

void screen_hang_up(struct screen *screen)
{
    close(screen->pty);
    screen->pty = -1;
}

bool screen_is_cooked(const struct screen *screen)
{
    struct termios mode;
    assert_int_equal(tcgetattr(screen->pty, &mode), 0);
    return (mode.c_lflag & ICANON) != 0 && (mode.c_lflag & ECHO) != 0;
}

bool screen_is_given_back(const struct screen *screen)
{
    struct termios mode;
    const struct termios *before = &screen->before;
    assert_int_equal(tcgetattr(screen->pty, &mode), 0);
    return mode.c_iflag == before->c_iflag && mode.c_oflag == before->c_oflag &&
           mode.c_cflag == before->c_cflag && mode.c_lflag == before->c_lflag &&
           memcmp(mode.c_cc, before->c_cc, sizeof mode.c_cc) == 0 && !screen->is_alternate &&
           screen->cursor_visible && screen->mouse == VTERM_PROP_MOUSE_NONE;
}

void screen_resize(struct screen *screen, int rows, int cols)
{
    screen->rows = rows;
    screen->cols = cols;
    vterm_set_size(screen->terminal, rows, cols);
    set_size(screen);
}

int screen_find_col(struct screen *screen, int row, char wanted)
{
    for (int col = 0; col < screen->cols; col++) {
        VTermScreenCell cell;
        vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
        if (cell.chars[0] == (uint32_t)wanted)
            return col;
    }
    return -1;
}

/* Whether the cells from there on are text. */
static bool stands_at(struct screen *screen, int row, int col, const char *text)
{
    char part[4 * VTERM_MAX_CHARS_PER_CELL + 1];
    while (*text != '\0' && col < screen->cols) {
        screen_part(screen, row, col, col + 1, part);
        size_t size = strlen(part);
        if (strncmp(part, text, size) != 0)
            return false;
        VTermScreenCell cell;
        vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
        col += cell.width > 0 ? cell.width : 1;
        text += size;
    }
    return *text == '\0';
}

int screen_find_text(struct screen *screen, int row, int from, const char *text)
{
    for (int col = from; col < screen->cols; col++)
        if (stands_at(screen, row, col, text))
            return col;
    return -1;
}

static int32_t rgb_of(struct screen *screen, VTermColor colour)
{
    vterm_screen_convert_color_to_rgb(screen->cells, &colour);
    return colour.rgb.red << 16 | colour.rgb.green << 8 | colour.rgb.blue;
}

void screen_cursor(const struct screen *screen, int *ret_row, int *ret_col)
{
    VTermPos cursor = cursor_of(screen);
    *ret_row = cursor.row;
    *ret_col = cursor.col;
}

struct screen_look screen_look(struct screen *screen, int row, int col)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
    return (struct screen_look){
        .front = VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) ? -1 : rgb_of(screen, cell.fg),
        .back = VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) ? -1 : rgb_of(screen, cell.bg),
        .bold = cell.attrs.bold,
        .underline = cell.attrs.underline != 0,
        .reverse = cell.attrs.reverse,
    };
}

int32_t screen_back(struct screen *screen, int row, int col)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
    return VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) ? -1 : rgb_of(screen, cell.bg);
}

bool screen_has_colour(struct screen *screen)
{
    for (int row = 0; row < screen->rows; row++)
        for (int col = 0; col < screen->cols; col++) {
            VTermScreenCell cell;
            vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
            if (!VTERM_COLOR_IS_DEFAULT_BG(&cell.bg) || !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg))
                return true;
        }
    return false;
}

int screen_back_index(struct screen *screen, int row, int col)
{
    VTermScreenCell cell;
    vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
    if (VTERM_COLOR_IS_DEFAULT_BG(&cell.bg))
        return SCREEN_OWN;
    return VTERM_COLOR_IS_RGB(&cell.bg) ? SCREEN_RGB : cell.bg.indexed.idx;
}

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t add_to_hash(uint64_t hash, uint64_t word)
{
    for (int i = 0; i < 8; i++, word >>= 8)
        hash = (hash ^ (word & 0xFF)) * 0x100000001B3U;
    return hash;
}

static uint64_t hash_cell(struct screen *screen, int row, int col, uint64_t hash)
{
    VTermScreenCell cell;
    struct screen_look look = screen_look(screen, row, col);
    vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
    bool is_blank = cell.chars[0] == 0 || (cell.chars[0] == ' ' && cell.chars[1] == 0);
    if (is_blank && !look.underline && !look.reverse) { /* no letter: these are not seen */
        look.front = 0;
        look.bold = false;
    }
    hash = add_to_hash(hash, cell.chars[0] == 0 ? ' ' : cell.chars[0]);
    for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[0] != 0 && cell.chars[i] != 0; i++)
        hash = add_to_hash(hash, cell.chars[i]);
    hash = add_to_hash(hash, (uint32_t)look.front);
    hash = add_to_hash(hash, (uint32_t)look.back);
    return add_to_hash(hash, (uint64_t)look.bold << 2 | (uint64_t)look.underline << 1 |
                                 (uint64_t)look.reverse);
}

uint64_t screen_hash(struct screen *screen)
{
    uint64_t hash = 0xCBF29CE484222325U;
    VTermPos cursor = cursor_of(screen);
    for (int row = 0; row < screen->rows; row++)
        for (int col = 0; col < screen->cols; col++)
            hash = hash_cell(screen, row, col, hash);
    if (screen->cursor_visible)
        hash = add_to_hash(hash, (uint64_t)cursor.row << 32 | (uint64_t)cursor.col);
    return hash;
}
