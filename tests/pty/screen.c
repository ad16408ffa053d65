/* See screen.h. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
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

enum { MAX_ARGUMENTS = 16 };

static long now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000L + time.tv_nsec / 1000000L;
}

/* The program's side: its own session with the pty as terminal, its environment, then attn. */
static void become_program(struct screen *screen, const char *tty,
                           const struct screen_options *options)
{
    char home[96], state[96];
    const char *argv[MAX_ARGUMENTS + 2] = {getenv("ATTN"), NULL};
    const char *envp[MAX_ARGUMENTS + 8];
    size_t n = 0;
    snprintf(home, sizeof home, "HOME=%s", screen->home);
    snprintf(state, sizeof state, "XDG_STATE_HOME=%s/state", screen->home);
    envp[n++] = home;
    envp[n++] = state;
    envp[n++] = "PATH=/usr/bin:/bin";
    for (size_t i = 0; options->settings && options->settings[i] && i < MAX_ARGUMENTS; i++)
        envp[n++] = options->settings[i];
    envp[n++] = "TERM=xterm-256color"; /* the first of a name counts */
    envp[n++] = "LANG=C.UTF-8";
    envp[n] = NULL;
    for (size_t i = 0; options->arguments && options->arguments[i] && i < MAX_ARGUMENTS; i++) {
        argv[i + 1] = options->arguments[i];
        argv[i + 2] = NULL;
    }
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL); /* whoever runs the tests may have them ignored */
    setsid();
    int terminal = open(tty, O_RDWR);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0)
        _exit(126);
    for (int fd = 0; fd < 3; fd++)
        dup2(terminal, fd);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execve(argv[0], (char *const *)argv, (char *const *)envp);
    _exit(127);
}

static void set_size(const struct screen *screen)
{
    struct winsize size = {.ws_row = (unsigned short)screen->rows,
                           .ws_col = (unsigned short)screen->cols};
    assert_int_equal(ioctl(screen->pty, TIOCSWINSZ, &size), 0);
}

static void open_terminal(struct screen *screen)
{
    screen->pty = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(screen->pty >= 0);
    assert_int_equal(grantpt(screen->pty), 0);
    assert_int_equal(unlockpt(screen->pty), 0);
    screen->terminal = vterm_new(screen->rows, screen->cols);
    assert_non_null(screen->terminal);
    vterm_set_utf8(screen->terminal, 1);
    screen->cells = vterm_obtain_screen(screen->terminal);
    vterm_screen_reset(screen->cells, 1);
    set_size(screen);
}

void screen_open(struct screen *screen, const struct screen_options *options)
{
    *screen = (struct screen){.rows = options->rows ? options->rows : 24,
                              .cols = options->cols ? options->cols : 80,
                              .pty = -1,
                              .keeps_home = options->home != NULL};
    assert_non_null(getenv("ATTN"));
    snprintf(screen->home, sizeof screen->home, "%s",
             options->home ? options->home : "/tmp/attn-pty-XXXXXX");
    if (options->home == NULL)
        assert_non_null(mkdtemp(screen->home));
    open_terminal(screen);
    char tty[128];
    snprintf(tty, sizeof tty, "%s", ptsname(screen->pty));
    screen->program = fork();
    assert_true(screen->program >= 0);
    if (screen->program == 0)
        become_program(screen, tty, options);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    chmod(path, 0700);
    return remove(path);
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
    if (!screen->keeps_home && screen->home[0] != '\0')
        nftw(screen->home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    screen->home[0] = '\0';
}

/* What libvterm answers to the program's questions, such as where the cursor is. */
static void send_answers(struct screen *screen)
{
    char bytes[256];
    size_t size = vterm_output_read(screen->terminal, bytes, sizeof bytes);
    if (size > 0 && write(screen->pty, bytes, size) < 0)
        return; /* the program has gone */
}

/* Shows what the program writes within wait_ms; false when it wrote nothing. */
static bool pump(struct screen *screen, int wait_ms)
{
    char bytes[16384];
    struct pollfd ready = {.fd = screen->pty, .events = POLLIN};
    if (screen->pty < 0 || poll(&ready, 1, wait_ms) <= 0)
        return false;
    ssize_t size = read(screen->pty, bytes, sizeof bytes);
    if (size <= 0)
        return false;
    vterm_input_write(screen->terminal, bytes, (size_t)size);
    send_answers(screen);
    return true;
}

void screen_type(struct screen *screen, const char *keys)
{
    size_t size = strlen(keys);
    long limit = now_ms() + SCREEN_WAIT_MS;
    while (size > 0 && now_ms() < limit) {
        struct pollfd ready = {.fd = screen->pty, .events = POLLOUT};
        ssize_t done = poll(&ready, 1, 100) > 0 ? write(screen->pty, keys, size) : 0;
        assert_true(done >= 0);
        keys += done;
        size -= (size_t)done;
        while (pump(screen, 0))
            continue;
    }
    assert_int_equal(size, 0);
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

const char *screen_row(struct screen *screen, int row)
{
    static char text[SCREEN_MAX_COLS * 4 * VTERM_MAX_CHARS_PER_CELL + 1];
    size_t size = 0, end = 0;
    for (int col = 0; col < screen->cols;) {
        VTermScreenCell cell;
        vterm_screen_get_cell(screen->cells, (VTermPos){.row = row, .col = col}, &cell);
        if (cell.chars[0] == 0)
            text[size++] = ' ';
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++)
            size += put_character(cell.chars[i], text + size);
        if (cell.chars[0] != 0 && cell.chars[0] != ' ')
            end = size;
        col += cell.width > 0 ? cell.width : 1;
    }
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

/* True once the last row that is not blank is an empty prompt, with the cursor behind it. */
static bool at_prompt(struct screen *screen)
{
    int last = screen->rows - 1;
    while (last > 0 && screen_row(screen, last)[0] == '\0')
        last--;
    VTermPos cursor;
    vterm_state_get_cursorpos(vterm_obtain_state(screen->terminal), &cursor);
    return strcmp(screen_row(screen, last), "attn>") == 0 && cursor.row == last && cursor.col == 6;
}

static void fail_with_screen(struct screen *screen, const char *wanted)
{
    char *text = screen_text(screen);
    print_error("waited for: %s\nthe screen shows:\n%s", wanted, text);
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

static bool prompt_is_there(struct screen *screen, const char *text)
{
    (void)text;
    while (pump(screen, 0))
        continue;
    return at_prompt(screen);
}

void screen_wait_prompt(struct screen *screen)
{
    wait_until(screen, prompt_is_there, "an empty prompt");
}

/* Types a line without Enter and waits until readline shows its end. */
static bool no_longer_empty(struct screen *screen, const char *text)
{
    (void)text;
    return !at_prompt(screen);
}

void screen_line(struct screen *screen, const char *line)
{
    screen_type(screen, line);
    wait_until(screen, no_longer_empty, line);
    screen_type(screen, "\r");
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
    while (pump(screen, 0))
        continue;
    int status = screen->exit_status;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void screen_resize(struct screen *screen, int rows, int cols)
{
    screen->rows = rows;
    screen->cols = cols;
    vterm_set_size(screen->terminal, rows, cols);
    set_size(screen);
}

static int32_t rgb_of(struct screen *screen, VTermColor colour)
{
    vterm_screen_convert_color_to_rgb(screen->cells, &colour);
    return colour.rgb.red << 16 | colour.rgb.green << 8 | colour.rgb.blue;
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
