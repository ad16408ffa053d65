/* How long the full screen takes, through a terminal of 250 columns and 70 rows: from a key to the
 * end of the frame that it paints, with a matrix of 64x64 on the screen; from the start to the end
 * of the first frame; and how much of the processor it takes while nobody types.
 *
 * A frame has ended when nothing has followed it for QUIET_MS; its time is that of its last byte.
 * The start and the idle time are those of $ATTN. For the matrix this program starts itself in the
 * terminal as a small one that has attn's explorer over the whole screen and nothing else. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ui/display.h"
#include "ui/explorer.h"

enum {
    N_KEYS = 500,
    N_STARTS = 21,
    ROWS = 70,
    COLS = 250,
    QUIET_MS = 25,
    LIMIT_MS = 5000,
    IDLE_MS = 3000
};

static const double key_limit_ms = 16, start_limit_ms = 50;

static struct screen screen;

static void start(const char *const *arguments)
{
    screen_open(&screen,
                &(struct screen_options){.rows = ROWS, .cols = COLS, .arguments = arguments});
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The smallest time that so many percent are not above. */
static double percentile(double *times, size_t n, unsigned percent)
{
    qsort(times, n, sizeof *times, by_size);
    size_t at = (n * percent + 99) / 100;
    return times[at > 0 ? at - 1 : 0];
}

static bool report(const char *what, double ms, double limit_ms)
{
    printf("screen: %s %.2f ms, limit %.0f ms\n", what, ms, limit_ms);
    return ms <= limit_ms;
}

/* The start. */

static double first_frame_ms(void)
{
    static const char *const arguments[] = {"tutor", NULL};
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    start(arguments);
    screen_wait(&screen, "q quit"); /* in its last row */
    clock_gettime(CLOCK_MONOTONIC, &after);
    screen_close(&screen);
    return (double)(after.tv_sec - before.tv_sec) * 1e3 +
           (double)(after.tv_nsec - before.tv_nsec) / 1e6;
}

static bool bench_start(void)
{
    double times[N_STARTS];
    for (size_t i = 0; i < N_STARTS; i++)
        times[i] = first_frame_ms();
    return report("first frame after the start, median", percentile(times, N_STARTS, 50),
                  start_limit_ms);
}

/* The explorer alone, in the terminal. */

enum { N_WORDS = 64 };

static void write_sentence(char sentence[512])
{
    static const char *const words[] = {"the", "cat", "sat", "on", "a", "mat", "and", "it"};
    size_t size = 0;
    for (size_t i = 0; i < N_WORDS; i++)
        size +=
            (size_t)snprintf(sentence + size, 512 - size, "%s%s", i > 0 ? " " : "", words[i % 8]);
}

static void paint(struct display *display, struct explorer *explorer, struct canvas *canvas)
{
    struct theme theme = {.n_colours = display_colours(display)};
    int rows, cols;
    display_size(display, &rows, &cols);
    if (rows != canvas->rows || cols != canvas->cols)
        (void)canvas_resize(canvas, rows, cols);
    canvas_clear(canvas);
    explorer_resize(explorer, rows, cols);
    explorer_draw(explorer, canvas_area(canvas), true, false);
    display_paint(display, canvas, &theme);
}

static bool handle(struct explorer *explorer, const struct input *input)
{
    if (input->kind == INPUT_GONE || (input->kind == INPUT_KEY && input->key == 'q'))
        return false;
    if (input->kind == INPUT_KEY && explorer->edits)
        explorer_edit_key(explorer, input->key);
    else if (input->kind == INPUT_KEY)
        (void)explorer_request(explorer, binding_find(explorer_bindings, input->key), 0);
    return true;
}

static int explore(void)
{
    static struct explorer explorer;
    struct display *display = NULL;
    struct canvas canvas = {0};
    struct input input;
    struct error error;
    char sentence[512];
    const struct settings settings = {.digits = 4, .width_cols = COLS, .colours = COLOURS_TRUE};
    write_sentence(sentence);
    if (!explorer_init(&explorer, &settings, getenv("ATTN_DATA_DIR"), NULL, &error) ||
        !explorer_set_sentence(&explorer, sentence, &error) ||
        !display_open(&(struct display_options){0}, &display, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    do {
        if (!display_has_input(display))
            paint(display, &explorer, &canvas);
        bool came;
        do
            came = display_wait_input(display, &(struct display_wait){.timeout_ms = -1}, &input);
        while (!came);
    } while (handle(&explorer, &input));
    display_close(display);
    explorer_release(&explorer);
    canvas_release(&canvas);
    return 0;
}

/* Keys. */

static void open_matrix(const char *self)
{
    static const char *const arguments[] = {"--explore", NULL};
    screen_open(&screen, &(struct screen_options){
                             .rows = ROWS, .cols = COLS, .program = self, .arguments = arguments});
    screen_wait(&screen, "64x3");
    screen_type(&screen, "]]]]]");
    screen_wait(&screen, "64x64");
    screen_settle(&screen, 200, LIMIT_MS);
}

static double key_ms(const char *key)
{
    screen_type(&screen, key);
    return (double)screen_settle(&screen, QUIET_MS, LIMIT_MS) / 1e3;
}

static bool time_keys(const char *what, const char *const *keys, size_t n_keys)
{
    static double times[N_KEYS];
    for (size_t i = 0; i < N_KEYS; i++)
        times[i] = key_ms(keys[i % n_keys]);
    double median = percentile(times, N_KEYS, 50), longest = times[N_KEYS - 1];
    printf("screen: %s: median %.2f ms, longest %.2f ms\n", what, median, longest);
    return report("  99 of 100 keys within", percentile(times, N_KEYS, 99), key_limit_ms);
}

static bool bench_keys(const char *self)
{
    /* the cursor, as it is sent by a terminal that ncurses has told to send keys of applications */
    static const char *const moves[] = {"\x1bOB", "\x1bOC", "\x1bOB", "\x1bOD", "\x1bOA"};
    static const char *const changes[] = {"+", "m", "[", "]", "-", "s", "v", "m", "s", "m"};
    static const char *const edits[] = {"e", "2", "\r", "u"};
    open_matrix(self);
    bool ok = time_keys("the cursor in a matrix of 64x64", moves, 5);
    ok = time_keys("other stages, masks, temperatures, views", changes, 10) && ok;
    ok = time_keys("edits of a number, and undo", edits, 4) && ok;
    screen_close(&screen);
    return ok;
}

/* Idle. */

static double processor_s(void)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(screen.program, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return -1;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool bench_idle(void)
{
    static const char *const arguments[] = {"tutor", NULL};
    start(arguments);
    screen_wait(&screen, "q quit");
    screen_settle(&screen, 300, LIMIT_MS);
    double before = processor_s();
    screen_settle(&screen, IDLE_MS, IDLE_MS);
    double used = processor_s() - before;
    screen_close(&screen);
    printf("screen: %.1f s of the processor in %d idle seconds, limit 0.0\n", used, IDLE_MS / 1000);
    return used < 0.05;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--explore") == 0)
        return explore();
    bool ok = bench_start();
    ok = bench_idle() && ok;
    ok = bench_keys(argv[0]) && ok;
    return ok ? 0 : 1;
}
