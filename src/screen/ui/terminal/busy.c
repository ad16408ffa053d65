/* See busy.h. */
#define _DEFAULT_SOURCE 1 /* setitimer */
#include "ui/terminal/busy.h"

#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "files/clock.h"
#include "ui/terminal/terminal_internal.h"

enum {
    BUSY_AFTER_MS = 300,
    BUSY_STEP_MS = 500, /* half of the second that is counted, so that no second is left out */
    BUSY_COLS = 40,     /* a narrower screen shows no sign */
};

static struct {
    char begin[160]; /* to the last row, and how the sign looks there */
    char end[160];   /* the rest of the row is cleared, and the cursor goes back */
    int64_t since_ms;
    const volatile sig_atomic_t *interrupted;
    volatile sig_atomic_t is_on, is_forbidden, was_shown;
} busy;

/* Both add to text of size bytes; the rest that does not fit is left out. */
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

void busy_show(void)
{
    char text[sizeof busy.begin + sizeof busy.end + 64];
    if (!busy.is_on || busy.is_forbidden)
        return;
    size_t size = add_text(text, 0, sizeof text, busy.begin);
    size = add_text(text, size, sizeof text, *busy.interrupted ? "stopping, " : "computing, ");
    size = add_seconds(text, size, sizeof text, (long)((clock_ms() - busy.since_ms) / 1000));
    size = add_text(text, size, sizeof text, *busy.interrupted ? " s" : " s; ^C stops");
    size = add_text(text, size, sizeof text, busy.end);
    ssize_t written = write(STDOUT_FILENO, text, size);
    (void)written;
    busy.was_shown = 1;
}

void busy_show_again(void)
{
    if (busy.was_shown)
        busy_show();
}

void busy_forbid(void)
{
    busy.is_forbidden = 1;
}

/* False on a terminal whose cursor can't be moved. */
static bool prepare_busy(const struct busy_screen *screen)
{
    const char *move_to = terminal_capability("cup");
    int row = screen->cursor_row, col = screen->cursor_col;
    size_t begin = 0, end = 0;
    if (move_to == NULL || screen->cols < BUSY_COLS ||
        !terminal_add_capability(busy.begin, &begin, sizeof busy.begin,
                                 tparm(move_to, screen->rows - 1, 0)))
        return false;
    (void)terminal_add_capability(busy.begin, &begin, sizeof busy.begin, terminal_capability("el"));
    begin = add_text(busy.begin, begin, sizeof busy.begin, " ");
    (void)terminal_add_capability(busy.begin, &begin, sizeof busy.begin,
                                  terminal_capability("bold"));
    busy.end[0] = '\0';
    (void)terminal_add_capability(busy.end, &end, sizeof busy.end, terminal_capability("sgr0"));
    end = add_text(busy.end, end, sizeof busy.end, "  ");
    return terminal_add_capability(busy.end, &end, sizeof busy.end,
                                   tparm(move_to, row > 0 ? row : 0, col > 0 ? col : 0));
}

static void set_timer(long first_ms, long then_ms)
{
    const struct itimerval times = {
        .it_value = {.tv_sec = first_ms / 1000, .tv_usec = first_ms % 1000 * 1000},
        .it_interval = {.tv_sec = then_ms / 1000, .tv_usec = then_ms % 1000 * 1000},
    };
    (void)setitimer(ITIMER_REAL, &times, NULL);
}

void busy_begin(const volatile sig_atomic_t *interrupted, const struct busy_screen *screen)
{
    busy.was_shown = busy.is_forbidden = 0;
    busy.interrupted = interrupted;
    busy.since_ms = clock_ms();
    busy.is_on = prepare_busy(screen);
    if (busy.is_on)
        set_timer(BUSY_AFTER_MS, BUSY_STEP_MS);
}

bool busy_end(void)
{
    if (!busy.is_on)
        return false;
    set_timer(0, 0);
    busy.is_on = 0;
    return busy.was_shown;
}
