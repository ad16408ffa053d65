/* How long the full screen takes, at a pseudo terminal of 250 columns and 70
 * rows: from a key to the end of the frame that it paints, with a matrix of 64x64 on the screen,
 * and with 144 heads of a model on 64 tokens; from the start to the end of the first frame; and
 * what it takes of the processor while nobody types.
 *
 * A frame has ended when nothing has followed it for QUIET_MS; its time is that of its last byte.
 * On a machine that does other things too, much of that is waiting for a processor. So what is
 * judged is the time without such waits, where the system tells them (Linux); on an idle machine it
 * is the same. Two more numbers say what is the program's share: its processor time for the frame;
 * and how long a second child took, which does nothing else, for as many bytes through a terminal
 * of its own, after each key.
 *
 * Prints what it measured beside its limits; exit code 1 when one is broken, 3 when nothing could
 * be measured. Best on a machine that is idle; takes about two minutes. */
#define _GNU_SOURCE /* cfmakeraw() */
#ifdef __APPLE__
#define _DARWIN_C_SOURCE 1
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>

#include "base/array.h"
#include "bench_pty.h"
#include "files/clock.h"
#include "files/file.h"
#include "pty/screen.h"

enum {
    ROWS = 70,
    COLS = 250,
    ROUNDS = 20, /* of all keys below */
    MAX_KEYS = 8,
    MAX_TIMES = ROUNDS * MAX_KEYS,
    N_STARTS = 21,
    QUIET_MS = 50,
    IDLE_MS = 3000,
    UNMEASURED = 3, /* the exit code */
};

static const double key_limit_ms = 16, start_limit_ms = 20;
static const double idle_limit_percent = 0.05; /* what is less is 0.0 */

#define SENTENCE_WORDS "the cat sat on a mat and it"
#define TWICE(text) text " " text
static const char sentence[] = TWICE(TWICE(TWICE(SENTENCE_WORDS)));
enum { SENTENCE_TIMES = 8, N_WORDS = 64 };

#define UP "\x1bOA"
#define DOWN "\x1bOB"
#define RIGHT "\x1bOC"
#define LEFT "\x1bOD"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define HOME "\x1bOH"
#define END "\x1bOF"

/* Each leaves the explorer as it found it: at the first number of the weights. Each key changes
 * what is seen. */
static const struct kind {
    const char *name;
    const char *keys[MAX_KEYS + 1];
} kinds[] = {
    {"cursor", {DOWN, RIGHT, DOWN, RIGHT, UP, LEFT, UP, LEFT}},
    {"page", {PAGE_DOWN, PAGE_UP, END, HOME}},
    {"stage", {"[", "[", "]", "]"}},
    {"mask", {"m", "m", "m"}},
    {"scale", {"s", "s"}},
    {"temperature", {"+", "-"}},
    {"view", {"v", "v", "v"}},
    {"heads", {"H", "2", "\r", "H", "1", "\r"}},
    {"edit, undo", {"e", "2", "\r", "u"}},
    {"why, back", {"\r", "\r", "\x7f", "\x7f"}},
};

/* The same for the heads of a model: each leaves the cursor on the first of all heads. */
static const struct kind head_kinds[] = {
    {"cursor", {DOWN, RIGHT, DOWN, RIGHT, UP, LEFT, UP, LEFT}},
    {"page", {END, HOME}},
    {"one, back", {"\r", "\x7f"}},
    {"next head", {"\r", "]", "}", "[", "{", "\x7f"}},
    {"look", {"\r", "d", "s", "s", "d", "\x7f"}},
    {"zoom", {"\r", "-", "-", "+", "+", "\x7f"}},
    {"rank", {"b", "b", "b", "b", "B", "B", "B", "B"}},
    {"sort", {"b", "o", "o", "B", HOME}},
    {"cut, back", {"0", "0"}},
};
static const char heads_words[] =
    "\"the\", \"cat\", \"sat\", \"on\", \"a\", \"mat\", \"and\", \"it\"";

enum { N_KINDS = COUNT_OF(kinds), N_HEAD_KINDS = COUNT_OF(head_kinds) };

/* What the keys of one kind took, or all. */
struct times {
    size_t n;
    size_t bytes; /* of all frames */
    double seen_ms[N_KINDS * MAX_TIMES], frame_ms[N_KINDS * MAX_TIMES],
        processor_ms[N_KINDS * MAX_TIMES], plain_ms[N_KINDS * MAX_TIMES];
};

struct screen_bench {
    char home[64]; /* what attn writes lies there */
    const char *program;
    struct pty screen, plain;
    struct text seen; /* what was painted last, where it is looked at */
    struct times kinds[N_KINDS], all, head_kinds[N_HEAD_KINDS], all_heads;
    double seen_start_ms[N_STARTS], start_ms[N_STARTS], start_processor_ms[N_STARTS],
        version_ms[N_STARTS];
    double idle_percent;
};

/* ---- the children ---- */

static bool open_attn(const struct screen_bench *bench, const char *command, const char *argument,
                      const char *second, struct pty *ret, struct error *reterr)
{
    char *argv[] = {"attn", (char *)command, (char *)argument, (char *)second, NULL};
    const struct pty_program program = {
        .rows = ROWS, .cols = COLS, .path = bench->program, .argv = argv};
    return pty_open(&program, ret, reterr);
}

/* Writes as many bytes as it is asked for, until the terminal is gone. */
static int run_plain(void)
{
    static const char bytes[1 << 20];
    uint32_t n;
    struct termios mode;
    if (tcgetattr(0, &mode) != 0)
        return EXIT_FAILURE;
    cfmakeraw(&mode);
    if (tcsetattr(0, TCSANOW, &mode) != 0 || !file_write_all(1, bytes, 1)) /* it is ready */
        return EXIT_FAILURE;
    while (file_read_all(0, &n, sizeof n))
        if (n > sizeof bytes || !file_write_all(1, bytes, n))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

static bool open_plain(struct screen_bench *bench, struct error *reterr)
{
    const struct pty_program program = {.rows = ROWS, .cols = COLS, .run = run_plain};
    double ms;
    if (!pty_open(&program, &bench->plain, reterr))
        return false;
    return pty_ask(&bench->plain, "", 0, 1, &ms) ||
           error_set(reterr, ERR_FILE, "bench: the plain child does not answer");
}

/* ---- the first frame ---- */

static size_t count_of(const char *word, const struct text *seen)
{
    size_t n = 0;
    for (const char *at = strstr(text_string(seen), word); at != NULL; at = strstr(at + 1, word))
        n++;
    return n;
}

/* Whether these bytes are the whole screen that is meant: its rows begin with the words, and the
 * keys stand in its last row. */
static bool shows_sentence(const struct text *seen)
{
    char words[] = SENTENCE_WORDS, *rest = words;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (count_of(word, seen) < SENTENCE_TIMES)
            return false;
    return !seen->failed && count_of("quit", seen) > 0;
}

/* Opens the explorer and waits for its first frame. */
static bool open_screen(struct screen_bench *bench, struct pty_output *ret, struct error *reterr)
{
    text_clear(&bench->seen);
    if (!open_attn(bench, "explore", sentence, NULL, &bench->screen, reterr))
        return false;
    do /* it sets the terminal up first */
        pty_listen(&bench->screen, &bench->screen.started, QUIET_MS, &bench->seen, ret);
    while (ret->bytes > 0 && !shows_sentence(&bench->seen));
    return ret->bytes > 0 ||
           error_set(reterr, ERR_FILE, "bench: the first frame of attn explore is not its screen");
}

static bool time_start(struct screen_bench *bench, size_t i, struct error *reterr)
{
    struct pty_output frame;
    struct pty version = PTY_CLOSED;
    if (!open_screen(bench, &frame, reterr))
        return false;
    bench->seen_start_ms[i] = frame.ms;
    bench->start_ms[i] = frame.undisturbed_ms;
    bench->start_processor_ms[i] = pty_processor_ms(&bench->screen);
    pty_close(&bench->screen);
    if (!open_attn(bench, "--version", NULL, NULL, &version, reterr))
        return false;
    pty_listen(&version, &version.started, QUIET_MS, NULL, &frame);
    pty_close(&version);
    bench->version_ms[i] = frame.undisturbed_ms;
    return frame.bytes > 0 || error_set(reterr, ERR_FILE, "bench: attn --version says nothing");
}

/* ---- keys ---- */

static bool time_key(struct screen_bench *bench, const struct kind *kind, const char *key,
                     struct times *times, struct error *reterr)
{
    struct pty_output frame;
    double before_ms = pty_processor_ms(&bench->screen), plain_ms;
    if (!pty_type(&bench->screen, key, QUIET_MS, NULL, &frame) || frame.bytes == 0)
        return error_set(reterr, ERR_FILE, "bench: a key of %s paints nothing", kind->name);
    uint32_t n = (uint32_t)frame.bytes;
    if (!pty_ask(&bench->plain, &n, sizeof n, n, &plain_ms))
        return error_set(reterr, ERR_FILE, "bench: the plain child does not answer");
    times->seen_ms[times->n] = frame.ms;
    times->frame_ms[times->n] = frame.undisturbed_ms;
    times->processor_ms[times->n] = pty_processor_ms(&bench->screen) - before_ms;
    times->plain_ms[times->n++] = plain_ms;
    times->bytes += frame.bytes;
    return true;
}

/* From the embeddings to the weights, the sixth stage, where a matrix of 64x64 is on the screen. */
static bool go_to_weights(struct screen_bench *bench, struct error *reterr)
{
    struct pty_output frame;
    text_clear(&bench->seen);
    for (int i = 0; i < 5; i++)
        if (!pty_type(&bench->screen, "]", QUIET_MS, &bench->seen, &frame))
            return error_set(reterr, ERR_FILE, "bench: attn explore has ended");
    return strstr(text_string(&bench->seen), "64x64") != NULL ||
           error_set(reterr, ERR_FILE, "bench: no matrix of 64x64 is on the screen");
}

static bool time_rounds(struct screen_bench *bench, const struct kind *of, size_t n,
                        struct times *times, struct error *reterr)
{
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < n; i++)
            for (const char *const *key = of[i].keys; *key != NULL; key++)
                if (!time_key(bench, &of[i], *key, &times[i], reterr))
                    return false;
    return true;
}

static bool leave(struct screen_bench *bench, struct error *reterr)
{
    struct pty_output frame;
    return (pty_type(&bench->screen, "\x03\x03", QUIET_MS, NULL, &frame) &&
            pty_wait_exit(&bench->screen)) ||
           error_set(reterr, ERR_FILE, "bench: attn was not left with ^C");
}

static bool time_keys(struct screen_bench *bench, struct error *reterr)
{
    struct pty_output frame;
    bool ok = open_screen(bench, &frame, reterr) && open_plain(bench, reterr) &&
              go_to_weights(bench, reterr) &&
              time_rounds(bench, kinds, N_KINDS, bench->kinds, reterr) && leave(bench, reterr);
    pty_close(&bench->screen);
    pty_close(&bench->plain);
    return ok;
}

/* ---- the heads of a model ---- */

/* A model of 12 layers and 12 heads with random weights, in a folder. */
static bool make_model(const struct screen_bench *bench, const char *folder, struct error *reterr)
{
    struct text command = {0};
    text_format(&command,
                "%s eval 'manual_seed(2); m = transformer([%s], d_model=96, n_heads=12, "
                "n_layers=12, n_positions=64); save(\"%s\", m)' >/dev/null",
                bench->program, heads_words, folder);
    bool ok = !command.failed && system(text_string(&command)) == 0;
    text_release(&command);
    return ok || error_set(reterr, ERR_FILE, "bench: no model could be made");
}

static bool open_heads(struct screen_bench *bench, struct error *reterr)
{
    char folder[80];
    struct pty_output frame;
    snprintf(folder, sizeof folder, "%s/heads", bench->home);
    text_clear(&bench->seen);
    if (!make_model(bench, folder, reterr) ||
        !open_attn(bench, "view", folder, sentence, &bench->screen, reterr))
        return false;
    do
        pty_listen(&bench->screen, &bench->screen.started, QUIET_MS, &bench->seen, &frame);
    while (frame.bytes > 0 && count_of("H11", &bench->seen) == 0);
    return frame.bytes > 0 ||
           error_set(reterr, ERR_FILE, "bench: the first frame of attn view is not its screen");
}

static bool time_heads(struct screen_bench *bench, struct error *reterr)
{
    bool ok = open_heads(bench, reterr) && open_plain(bench, reterr) &&
              time_rounds(bench, head_kinds, N_HEAD_KINDS, bench->head_kinds, reterr) &&
              leave(bench, reterr);
    pty_close(&bench->screen);
    pty_close(&bench->plain);
    return ok;
}

/* ---- idle ---- */

static bool time_idle(struct screen_bench *bench, struct error *reterr)
{
    struct pty_output frame;
    if (!open_screen(bench, &frame, reterr))
        return false;
    double before_ms = pty_processor_ms(&bench->screen), began_ms = (double)clock_ns() / 1e6;
    struct timespec pause = {.tv_sec = IDLE_MS / 1000};
    nanosleep(&pause, NULL);
    double passed_ms = (double)clock_ns() / 1e6 - began_ms;
    bench->idle_percent = 100 * (pty_processor_ms(&bench->screen) - before_ms) / passed_ms;
    pty_close(&bench->screen);
    return true;
}

/* ---- the report ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The smallest of the values that so many percent of them are not above; sorts them. n > 0. */
static double percentile(double *values, size_t n, unsigned percent)
{
    qsort(values, n, sizeof *values, by_size);
    size_t at = (n * percent + 99) / 100;
    return values[at > 0 ? at - 1 : 0];
}

static const char *verdict(bool ok)
{
    return ok ? "" : "   BROKEN";
}

static void add_times(struct times *all, const struct times *times)
{
    size_t size = times->n * sizeof(double);
    memcpy(all->seen_ms + all->n, times->seen_ms, size);
    memcpy(all->frame_ms + all->n, times->frame_ms, size);
    memcpy(all->processor_ms + all->n, times->processor_ms, size);
    memcpy(all->plain_ms + all->n, times->plain_ms, size);
    all->n += times->n;
    all->bytes += times->bytes;
}

static void print_pair(double *values, size_t n)
{
    printf(" %8.2f %6.2f", percentile(values, n, 50), percentile(values, n, 99));
}

/* Returns the 99th percentile of the frames. */
static double report_times(const char *name, struct times *times)
{
    size_t n = times->n;
    double most = percentile(times->frame_ms, n, 99);
    printf("  %-12s %5zu", name, n);
    print_pair(times->frame_ms, n);
    printf(" %6.2f", times->frame_ms[n - 1]); /* sorted by now */
    print_pair(times->seen_ms, n);
    print_pair(times->processor_ms, n);
    print_pair(times->plain_ms, n);
    printf(" %7zu\n", times->bytes / n);
    return most;
}

static double sum(const double *values, size_t n)
{
    double all = 0;
    for (size_t i = 0; i < n; i++)
        all += values[i];
    return all;
}

static void report_shares(const struct times *times)
{
    double seen = sum(times->seen_ms, times->n) / 100;
    printf("  of their time with waits the program computed %.0f %%; as many bytes alone took "
           "%.0f %% of it\n",
           sum(times->processor_ms, times->n) / seen, sum(times->plain_ms, times->n) / seen);
}

/* The limit is for all keys together: no kind is so rare that it could break it by itself and not
 * be seen in the 99th percentile. */
static bool report_keys(const char *title, const struct kind *of, size_t n, struct times *times,
                        struct times *all)
{
    printf("\nms from a key to the end of its frame, %s\n", title);
    printf("  %-12s %5s %22s %15s %15s %15s\n", "", "", "frame", "with waits", "its processor",
           "as many bytes");
    printf("  %-12s %5s %8s %6s %6s %8s %6s %8s %6s %8s %6s %7s\n", "keys", "n", "p50", "p99",
           "most", "p50", "p99", "p50", "p99", "p50", "p99", "bytes");
    for (size_t i = 0; i < n; i++) {
        add_times(all, &times[i]);
        (void)report_times(of[i].name, &times[i]);
    }
    double most = report_times("all", all);
    report_shares(all);
    printf("  99 of 100 frames within %.2f ms, limit %.0f%s\n", most, key_limit_ms,
           verdict(most <= key_limit_ms));
    return most <= key_limit_ms;
}

static bool report_start(struct screen_bench *bench)
{
    double start_ms = percentile(bench->start_ms, N_STARTS, 50);
    bool ok = start_ms <= start_limit_ms;
    printf("first frame   %.1f ms after the start, limit %.0f%s\n", start_ms, start_limit_ms,
           verdict(ok));
    printf("              with waits %.1f ms, its processor %.1f ms; attn --version %.1f ms; "
           "medians of %d\n",
           percentile(bench->seen_start_ms, N_STARTS, 50),
           percentile(bench->start_processor_ms, N_STARTS, 50),
           percentile(bench->version_ms, N_STARTS, 50), N_STARTS);
    return ok;
}

static int report(struct screen_bench *bench)
{
    bool ok = report_start(bench);
    bool idle_ok = bench->idle_percent < idle_limit_percent;
    printf("idle          %.2f %% of a processor in %d s, limit 0.0%s\n", bench->idle_percent,
           IDLE_MS / 1000, verdict(idle_ok));
    ok =
        report_keys("a matrix of 64x64 on the screen", kinds, N_KINDS, bench->kinds, &bench->all) &&
        ok && idle_ok;
    ok = report_keys("144 heads of a model, or one, on 64 tokens", head_kinds, N_HEAD_KINDS,
                     bench->head_kinds, &bench->all_heads) &&
         ok;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- all together ---- */

static bool measure(struct screen_bench *bench, struct error *reterr)
{
    bench->program = getenv("ATTN");
    if (bench->program == NULL)
        return error_set(reterr, ERR_FILE, "bench: ATTN must name the program");
    screen_home_new(bench->home);
    setenv("XDG_STATE_HOME", bench->home, 1);
    setenv("XDG_CACHE_HOME", bench->home, 1);
    for (size_t i = 0; i < N_STARTS; i++)
        if (!time_start(bench, i, reterr))
            return false;
    return time_idle(bench, reterr) && time_keys(bench, reterr) && time_heads(bench, reterr);
}

int main(void)
{
    struct error error;
    struct screen_bench *bench = calloc(1, sizeof *bench);
    int code = UNMEASURED;
    if (bench == NULL) {
        (void)error_memory(&error, "bench");
    } else {
        bench->screen = bench->plain = (struct pty)PTY_CLOSED;
        code = measure(bench, &error) ? report(bench) : UNMEASURED;
        pty_close(&bench->screen);
        pty_close(&bench->plain);
        screen_home_remove(bench->home);
        text_release(&bench->seen);
    }
    if (code == UNMEASURED)
        fprintf(stderr, "%s\n", error.text);
    free(bench);
    return code;
}
