/* A monkey at the full screen: random keys, clicks and sizes of the window, from a seed.
 *
 *   monkey [KEYS [SEED]]   200000 keys; the seed is printed, and gives the same keys again
 *
 * attn ($ATTN, best with sanitizers) may end only because it was asked to, with exit code 0: a
 * crash, a leak (which makes the sanitizers end it with another code), a terminal that is not given
 * back or that stands still fails. It works in a home of its own, and is kept to that: no slash is
 * ever typed into a line, so that no path leads elsewhere, and EDITOR is `true`. */
#include "screen.h"

#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 200000, BURST = 40, HISTORY = 60, QUIET_MS = 40, STUCK_MS = 60000 };

struct monkey {
    uint64_t seed, luck;
    unsigned long n_keys, n_runs, n_clicks, n_resizes, n_stops;
    char home[64];
    char options[1100]; /* ASAN_OPTIONS: reports go to files in home, not over the screen */
    struct screen screen;
    char last[HISTORY][40]; /* what it did last, for whoever looks into a fault */
    unsigned long n_last;
};

static unsigned draw(struct monkey *monkey, unsigned below)
{
    monkey->luck = monkey->luck * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)(monkey->luck >> 33) % below;
}

static void note(struct monkey *monkey, const char *what, int a, int b)
{
    snprintf(monkey->last[monkey->n_last++ % HISTORY], sizeof monkey->last[0], "%.10s %d %d", what,
             a, b);
}

static void print_files(const struct monkey *monkey, const char *name)
{
    char pattern[128], line[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s", monkey->home, name);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            fputs(line, stderr);
        if (file != NULL)
            fclose(file);
    }
    globfree(&found);
}

static void give_up(struct monkey *monkey, const char *what)
{
    char *text = screen_text(&monkey->screen);
    fprintf(stderr, "monkey: %s, after %lu keys with seed %llu\nlast it did:", what, monkey->n_keys,
            (unsigned long long)monkey->seed);
    unsigned long first = monkey->n_last > HISTORY ? monkey->n_last - HISTORY : 0;
    for (unsigned long i = first; i < monkey->n_last; i++)
        fprintf(stderr, " [%s]", monkey->last[i % HISTORY]);
    fprintf(stderr, "\nthe screen shows:\n%s", text);
    free(text);
    print_files(monkey, "state/attn/crash.txt");
    print_files(monkey, "fault.*"); /* what the sanitizers wrote */
    screen_close(&monkey->screen);
    screen_home_remove(monkey->home);
    exit(1);
}

/* Runs. */

static void begin(struct monkey *monkey)
{
    static const char *const terms[] = {"TERM=xterm-256color", "TERM=xterm", "TERM=screen",
                                        "TERM=linux", "TERM=vt100"};
    const char *const settings[] = {terms[draw(monkey, 5)], "EDITOR=true", "VISUAL=true",
                                    monkey->options, NULL};
    const char *const plain[] = {NULL}, *const ascii[] = {"--ascii", NULL};
    const char *const training[] = {"train",   "previous", "--steps", "150", "--batch", "4",
                                    "--width", "16",       "--heads", "2",   NULL};
    const char *const heads[] = {"view", "the cat sat on the mat", NULL};
    const char *const *const starts[] = {plain, plain, ascii, training, heads};
    monkey->n_runs++;
    screen_open(&monkey->screen, &(struct screen_options){.rows = 24 + (int)draw(monkey, 30),
                                                          .cols = 80 + (int)draw(monkey, 100),
                                                          .home = monkey->home,
                                                          .keeps_output = true,
                                                          .settings = settings,
                                                          .arguments = starts[draw(monkey, 5)]});
    /* Before it has the terminal, Ctrl-C is not yet its own. */
    time_t limit = time(NULL) + STUCK_MS / 1000;
    while (screen_is_cooked(&monkey->screen)) {
        if (time(NULL) > limit)
            give_up(monkey, "attn shows nothing");
        screen_watch(&monkey->screen, QUIET_MS);
    }
}

/* True when the program has ended, which it may only do in order. */
static bool has_ended(struct monkey *monkey)
{
    struct screen *screen = &monkey->screen;
    int status;
    pid_t found = waitpid(screen->program, &status, WNOHANG | WUNTRACED);
    if (found != screen->program)
        return false;
    if (WIFSTOPPED(status)) { /* Ctrl-Z: a shell would bring it back */
        monkey->n_stops++;
        kill(screen->program, SIGCONT);
        return false;
    }
    screen->program = 0;
    screen_settle(screen, QUIET_MS, 2000);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        give_up(monkey, "attn ended with a fault");
    if (!screen_is_given_back(screen))
        give_up(monkey, "the terminal was not given back");
    return true;
}

/* Keys. */

static void type(struct monkey *monkey, const char *keys)
{
    monkey->n_keys++;
    screen_type(&monkey->screen, keys);
}

static void press_special(struct monkey *monkey)
{
    static const VTermKey keys[] = {
        VTERM_KEY_ENTER, VTERM_KEY_ENTER,  VTERM_KEY_ENTER,    VTERM_KEY_TAB,
        VTERM_KEY_TAB,   VTERM_KEY_UP,     VTERM_KEY_DOWN,     VTERM_KEY_LEFT,
        VTERM_KEY_RIGHT, VTERM_KEY_DOWN,   VTERM_KEY_RIGHT,    VTERM_KEY_BACKSPACE,
        VTERM_KEY_DEL,   VTERM_KEY_HOME,   VTERM_KEY_END,      VTERM_KEY_PAGEUP,
        VTERM_KEY_INS,   VTERM_KEY_ESCAPE, VTERM_KEY_PAGEDOWN, VTERM_KEY_FUNCTION(1),
    };
    static const VTermModifier modifiers[] = {VTERM_MOD_NONE, VTERM_MOD_NONE,  VTERM_MOD_NONE,
                                              VTERM_MOD_NONE, VTERM_MOD_SHIFT, VTERM_MOD_CTRL,
                                              VTERM_MOD_ALT};
    unsigned key = draw(monkey, sizeof keys / sizeof keys[0]);
    unsigned modifier = draw(monkey, sizeof modifiers / sizeof modifiers[0]);
    note(monkey, "key", (int)keys[key], (int)modifiers[modifier]);
    monkey->n_keys++;
    screen_press(&monkey->screen, keys[key], modifiers[modifier]);
}

/* Letters that do something in the panes more often than others; never a slash. */
static void type_letter(struct monkey *monkey)
{
    static const char often[] = "nnbhsieumvowc[]{}+-=HJKjk123456789.0 ?:pd";
    char key[2] = {0};
    key[0] = draw(monkey, 3) > 0 ? often[draw(monkey, sizeof often - 1)]
                                 : (char)(' ' + draw(monkey, 95));
    if (key[0] == '/' || key[0] == '~' || (key[0] == 'q' && draw(monkey, 20) > 0))
        key[0] = 'n';
    note(monkey, key, 0, 0);
    type(monkey, key);
}

/* What a terminal may send that is no key at all, and letters of other scripts. */
static void type_odd(struct monkey *monkey)
{
    static const char *const odd[] = {
        "\xE4\xBD\xA0", "e\xCC\x81", "\xF0\x9F\x99\x82", "\xC3\xA9",    "\xFF",
        "\xC3",         "\x1b[",     "\x1b[200~",        "\x1b[201~",   "\x1b[I",
        "\x1b[99;99R",  "\x1bO",     "\x1b[<0;500;500M", "\x1b[M\x20!", "\xE2\x80\x8B",
        "\x1b\x1b",     "\x1b[1;5A", "\x1b[<",
    };
    unsigned i = draw(monkey, sizeof odd / sizeof odd[0]);
    note(monkey, "odd", (int)i, 0);
    type(monkey, odd[i]);
}

static void type_control(struct monkey *monkey)
{
    char key[2] = {(char)(1 + draw(monkey, 26)), '\0'};
    bool ends = key[0] == 3 || key[0] == 4 || key[0] == 26;
    if (ends && draw(monkey, 30) > 0)
        key[0] = 'L' - '@';
    note(monkey, "control", key[0], 0);
    type(monkey, key);
}

/* Whole lines of the language, behind what gives up the line that was begun. */
static void type_line(struct monkey *monkey)
{
    static const char *const lines[] = {
        "X = embed(\"Hello shiny sun!\")",
        "W = attention_weights(X, X)",
        "why W[0, 1]",
        "whatif X[0, 0] = 9",
        "keep",
        "heat W",
        "trace W",
        "undo",
        "lesson softmax",
        "lesson masking",
        "next",
        "hint",
        "skip",
        "back",
        "help softmax",
        "vars",
        "sum([1, 2",
        "3])",
        "exercise",
        "progress",
        "review",
        "reset",
        "bars softmax(X[0])",
        "Q @ ",
        "answer 1",
        "lesson 5",
        "model",
        "the cat sat on the mat because it was tired",
        "set width 40",
        "save mine.attn",
        "load mine.attn",
        "random = randn(64, 64)",
        "heat random",
        "answer softmax(X)",
        "lesson",
    };
    unsigned i = draw(monkey, sizeof lines / sizeof lines[0]);
    note(monkey, "line", (int)i, 0);
    type(monkey, "\x15");
    type(monkey, lines[i]);
    type(monkey, "\r");
}

/* The prompt, by its key. Escape leaves what is typed now; it must not stand right before the key,
 * or both would be one. */
static void go_to_prompt(struct monkey *monkey)
{
    struct screen *screen = &monkey->screen;
    note(monkey, "prompt", 0, 0);
    for (int i = 0; i < 3; i++) {
        screen_press(screen, VTERM_KEY_ESCAPE, VTERM_MOD_NONE);
        screen_settle(screen, QUIET_MS, STUCK_MS);
    }
    if (screen_shows(screen, "q quit") && !screen->cursor_visible)
        type(monkey, "\x10");
}

/* Words in what is seen: by ^O where letters are typed; else by the slash, which is no letter of a
 * line there. At home it narrows the list. */
static void look_for(struct monkey *monkey)
{
    static const char *const words[] = {"the",     "e",  "of a", "\xE4\xBD\xA0",
                                        "softmax", "0.", "zebra"};
    unsigned i = draw(monkey, sizeof words / sizeof words[0]);
    note(monkey, "find", (int)i, 0);
    screen_settle(&monkey->screen, QUIET_MS, STUCK_MS);
    type(monkey, monkey->screen.cursor_visible ? "\x0f" : "/");
    type(monkey, words[i]);
    type(monkey, "\rnnN");
}

/* Several lines, between the marks of a paste, of which one is missing at times. */
static void paste(struct monkey *monkey)
{
    unsigned missing = draw(monkey, 6);
    note(monkey, "paste", (int)missing, 0);
    if (missing != 0)
        type(monkey, "\x1b[200~");
    for (unsigned n = draw(monkey, 5); n > 0; n--)
        type(monkey, draw(monkey, 2) == 0 ? "\tx = [1,\r2]\r\n" : "sum(x)\xC3\xA9\x01\n");
    if (missing != 1)
        type(monkey, "\x1b[201~");
}

static void use_mouse(struct monkey *monkey)
{
    struct screen *screen = &monkey->screen;
    int row = (int)draw(monkey, (unsigned)screen->rows);
    int col = (int)draw(monkey, (unsigned)screen->cols);
    monkey->n_clicks++;
    monkey->n_keys++;
    note(monkey, "mouse", row, col);
    if (draw(monkey, 3) == 0)
        screen_wheel(screen, row, col, (int)draw(monkey, 7) - 3);
    else
        for (unsigned n = 1 + draw(monkey, 2); n > 0; n--)
            screen_click(screen, row, col);
}

static void resize(struct monkey *monkey)
{
    unsigned kind = draw(monkey, 10);
    int rows = kind == 0 ? 1 + (int)draw(monkey, 16) : 16 + (int)draw(monkey, 60);
    /* In one column, libvterm falls over letters that take two. */
    int cols = kind == 0 ? 2 + (int)draw(monkey, 59) : 60 + (int)draw(monkey, 200);
    note(monkey, "resize", rows, cols);
    monkey->n_resizes++;
    screen_resize(&monkey->screen, rows, cols);
}

static void do_one_thing(struct monkey *monkey)
{
    unsigned kind = draw(monkey, 1000);
    if (kind < 330)
        press_special(monkey);
    else if (kind < 800)
        type_letter(monkey);
    else if (kind < 860)
        use_mouse(monkey);
    else if (kind < 900)
        type_control(monkey);
    else if (kind < 930)
        type_odd(monkey);
    else if (kind < 960)
        type_line(monkey);
    else if (kind < 980)
        resize(monkey);
    else if (kind < 984)
        go_to_prompt(monkey);
    else if (kind < 988)
        paste(monkey);
    else if (kind < 992)
        look_for(monkey);
    else
        screen_settle(&monkey->screen, 5, 200); /* watches for a moment */
}

/* Waits until it has done what was typed: an answer to Ctrl-L. */
static void catch_up(struct monkey *monkey)
{
    if (screen_settle(&monkey->screen, QUIET_MS, STUCK_MS) >= (STUCK_MS - 1000) * 1000L)
        give_up(monkey, "attn never comes to rest");
}

/* Leaves by the key for it, from wherever it is. */
static void leave(struct monkey *monkey)
{
    screen_resize(&monkey->screen, 24, 80);
    time_t limit = time(NULL) + STUCK_MS / 1000;
    while (!has_ended(monkey)) {
        if (time(NULL) > limit)
            give_up(monkey, "attn does not end when it is asked to");
        screen_type(&monkey->screen, "\x03");
        screen_settle(&monkey->screen, QUIET_MS, 1000);
    }
    screen_close(&monkey->screen);
}

static void play(struct monkey *monkey, unsigned long n_keys)
{
    begin(monkey);
    while (monkey->n_keys < n_keys) {
        for (unsigned n = 1 + draw(monkey, BURST); n > 0 && monkey->screen.program > 0; n--) {
            do_one_thing(monkey);
            if (has_ended(monkey)) {
                screen_close(&monkey->screen);
                begin(monkey);
            }
        }
        if (draw(monkey, 4) == 0)
            catch_up(monkey);
        if (draw(monkey, 100) == 0) { /* with other settings */
            leave(monkey);
            begin(monkey);
        }
    }
    leave(monkey);
}

int main(int argc, char **argv)
{
    struct monkey *monkey = calloc(1, sizeof *monkey);
    unsigned long n_keys = argc > 1 ? strtoul(argv[1], NULL, 10) : KEYS;
    if (monkey == NULL || getenv("ATTN") == NULL || n_keys == 0) {
        fprintf(stderr, "monkey: usage: ATTN=PROGRAM monkey [KEYS [SEED]]\n");
        free(monkey);
        return 2;
    }
    monkey->seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    monkey->luck = monkey->seed;
    printf("monkey: seed %llu\n", (unsigned long long)monkey->seed);
    (void)fflush(stdout);
    screen_home_new(monkey->home);
    const char *options = getenv("ASAN_OPTIONS");
    snprintf(monkey->options, sizeof monkey->options, "ASAN_OPTIONS=%s%slog_path=%s/fault",
             options != NULL ? options : "", options != NULL ? ":" : "", monkey->home);
    play(monkey, n_keys);
    screen_home_remove(monkey->home);
    printf("monkey: %lu keys, %lu of them of the mouse, %lu sizes, %lu starts, %lu stops: nothing "
           "found\n",
           monkey->n_keys, monkey->n_clicks, monkey->n_resizes, monkey->n_runs, monkey->n_stops);
    free(monkey);
    return 0;
}
