/* See screen_testing.h. */
#include "screen_testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct screen screen;
char home[64];

/* The row that is chosen, or -1. A list and what lies over it are both wide enough to stand in this
 * column. */
static int find_chosen(void)
{
    int col = screen.cols / 2 < 40 ? screen.cols / 2 : 40;
    for (int row = 1; row < screen.rows; row++)
        if (screen_look(&screen, row, col).reverse)
            return row;
    return -1;
}

const char *chosen_row(void)
{
    int row = find_chosen();
    return row >= 0 ? screen_row(&screen, row) : "";
}

int close_screen(void **state)
{
    (void)state;
    screen_close(&screen);
    screen_home_remove(home);
    return 0;
}

void start(const struct screen_options *options)
{
    screen_open(&screen, options);
}

void start_home(void)
{
    start(&(struct screen_options){0});
    wait_keys("q quit");
}

void start_lesson(int rows, int cols)
{
    start(&(struct screen_options){
        .rows = rows, .cols = cols, .arguments = LESSON("softmax", "--ascii")});
    screen_wait_at(&screen, 0, "Softmax   page 1 of ");
    wait_keys("n next");
}

void go_to_explorer(void)
{
    choose("Explore attention freely");
    enter();
    screen_wait_at(&screen, 0, "Explore");
    wait_keys("Enter why");
    screen_wait(&screen, "E from embed");
}

void go_to_stage(const char *name)
{
    enum { MAX_STAGES = 12 };
    char wanted[32];
    snprintf(wanted, sizeof wanted, "[%s", name);
    for (int i = 0; i < MAX_STAGES && !screen_shows(&screen, wanted); i++) {
        uint64_t hash = screen_hash(&screen);
        screen_type(&screen, "]");
        wait_other(hash, wanted);
        screen_settle(&screen, 30, 1000); /* all of the frame */
    }
    screen_wait(&screen, wanted);
}

/* Presses a key that moves in a list, and waits for all of the frame. */
static void move(VTermKey key)
{
    uint64_t hash = screen_hash(&screen);
    press(key);
    wait_other(hash, "another row of the list");
    screen_settle(&screen, 30, 1000);
}

void choose(const char *text)
{
    enum { MAX_MOVES = 100 };
    wait_keys("Enter open");
    for (int i = 0; i < MAX_MOVES && strstr(chosen_row(), text) == NULL; i++) {
        int wanted = screen_find_row(&screen, 0, text);
        bool at_end = strstr(chosen_row(), "Settings") != NULL;
        move(wanted < 0 && at_end     ? VTERM_KEY_HOME
             : wanted < 0             ? VTERM_KEY_PAGEDOWN
             : wanted < find_chosen() ? VTERM_KEY_UP
                                      : VTERM_KEY_DOWN);
    }
    wait_chosen(text);
}

void unfold(const char *text)
{
    char unfolded[80];
    choose(text);
    press(VTERM_KEY_RIGHT);
    snprintf(unfolded, sizeof unfolded, "- %s", text);
    wait_chosen(unfolded);
    screen_settle(&screen, 30, 1000);
}

void go_to_exercise(void)
{
    unfold("Exercises in C");
    choose("Dot product of two vectors");
    enter();
    screen_wait_at(&screen, 0, "Exercise 1");
    wait_keys("Enter check");
}

void start_explorer(int rows, int cols)
{
    start(&(struct screen_options){.rows = rows, .cols = cols, .arguments = ATTN("--ascii")});
    go_to_explorer();
}

/* Keys and clicks. */

void press(VTermKey key)
{
    screen_press(&screen, key, VTERM_MOD_NONE);
}

void enter(void)
{
    press(VTERM_KEY_ENTER);
}

void press_named(const char *name)
{
    static const struct {
        const char *name;
        VTermKey key;
    } keys[] = {
        {"Enter", VTERM_KEY_ENTER},
        {"Tab", VTERM_KEY_TAB},
        {"Esc", VTERM_KEY_ESCAPE},
        {"Backspace", VTERM_KEY_BACKSPACE},
        {"Up", VTERM_KEY_UP},
        {"Down", VTERM_KEY_DOWN},
        {"Left", VTERM_KEY_LEFT},
        {"Right", VTERM_KEY_RIGHT},
        {"Home", VTERM_KEY_HOME},
        {"End", VTERM_KEY_END},
        {"PgUp", VTERM_KEY_PAGEUP},
        {"PgDn", VTERM_KEY_PAGEDOWN},
        {"F1", (VTermKey)VTERM_KEY_FUNCTION(1)},
        {"F2", (VTermKey)VTERM_KEY_FUNCTION(2)},
        {"F6", (VTermKey)VTERM_KEY_FUNCTION(6)},
        {"Del", VTERM_KEY_DEL},
    };
    size_t i = 0, n = sizeof keys / sizeof keys[0];
    while (i < n && strcmp(keys[i].name, name) != 0)
        i++;
    if (i < n)
        press(keys[i].key);
    else if (strcmp(name, "Space") == 0)
        screen_type(&screen, " ");
    else if (name[0] == '^' && name[1] != '\0')
        screen_type(&screen, (char[]){(char)(name[1] - '@'), '\0'});
    else if (strlen(name) == 1)
        screen_type(&screen, name);
    else
        fail_msg("no key is known by the name %s", name);
}

void say(const char *line)
{
    screen_type(&screen, line);
    screen_wait(&screen, line);
    enter();
}

static bool has_no_scroll(struct screen *shown, const char *what)
{
    (void)what;
    const char *keys =
        screen_row(shown, shown->rows - 1); /* its end comes last when all is painted */
    return strstr(keys, "  F1 ") != NULL && strstr(keys, "PgUp scroll") == NULL;
}

void say_from_pane(const char *line)
{
    screen_type(&screen, CTRL_P);
    wait_keys("PgUp scroll");
    say(line);
    press(VTERM_KEY_ESCAPE);
    screen_wait_for(&screen, has_no_scroll, "the keys of a pane");
}

void click_on(const char *text, int col)
{
    screen_wait(&screen, text);
    int row = screen_find_row(&screen, 0, text);
    screen_click(&screen, row, screen_find_text(&screen, row, 0, text) + col);
}

void quit(const char *key)
{
    screen_type(&screen, key);
    assert_int_equal(screen_wait_exit(&screen), 0);
    assert_true(screen_is_given_back(&screen));
}

/* What is seen. */

void assert_shows(const char *text)
{
    if (!screen_shows(&screen, text))
        screen_wait(&screen, text); /* fails with the screen in its message */
}

static bool has_keys(struct screen *shown, const char *text)
{
    return strstr(screen_row(shown, shown->rows - 1), text) != NULL;
}

void wait_keys(const char *text)
{
    screen_wait_for(&screen, has_keys, text);
}

static uint64_t asked_hash;

static bool is_same(struct screen *shown, const char *what)
{
    (void)what;
    return screen_hash(shown) == asked_hash;
}

static bool is_other(struct screen *shown, const char *what)
{
    (void)what;
    return screen_hash(shown) != asked_hash || !shown->is_alternate;
}

void wait_same(const char *text, uint64_t hash)
{
    screen_wait_all(&screen, text);
    asked_hash = hash;
    screen_wait_for(&screen, is_same, "the same colours and marks as before");
}

void wait_other(uint64_t hash, const char *what)
{
    asked_hash = hash;
    screen_wait_for(&screen, is_other, what);
}

static bool is_chosen(struct screen *unused, const char *text)
{
    (void)unused;
    return strstr(chosen_row(), text) != NULL;
}

void wait_chosen(const char *text)
{
    screen_wait_for(&screen, is_chosen, text);
}

/* The row of keys. */

static bool is_bold(int row, int col)
{
    return screen_look(&screen, row, col).bold;
}

/* The cells of one kind from col on, without the blanks around them; returns where they end. */
static int read_run(int row, int col, char *text, size_t size)
{
    char run[SCREEN_MAX_COLS * 4 * VTERM_MAX_CHARS_PER_CELL + 1];
    int end = col;
    while (end < screen.cols && is_bold(row, end) == is_bold(row, col))
        end++;
    screen_part(&screen, row, col, end, run);
    char *first = run + strspn(run, " "), *last = run + strlen(run);
    while (last > first && last[-1] == ' ')
        last--;
    *last = '\0';
    snprintf(text, size, "%s",
             first); /* a message in place of the keys may be longer: it is none */
    return end;
}

size_t read_keys(struct key_label keys[MAX_KEYS])
{
    int row = screen.rows - 1, col = 0;
    size_t n = 0;
    while (col < screen.cols && n < MAX_KEYS) {
        if (!is_bold(row, col)) {
            col++;
            continue;
        }
        keys[n].col = col;
        col = read_run(row, col, keys[n].key, sizeof keys[n].key);
        col = read_run(row, col, keys[n].label, sizeof keys[n].label);
        n++;
    }
    return n;
}

/* Its column, or -1. */
static int find_key(const char *key)
{
    struct key_label keys[MAX_KEYS];
    size_t n = read_keys(keys), i = 0;
    while (i < n && strcmp(keys[i].key, key) != 0)
        i++;
    return i < n ? keys[i].col : -1;
}

static bool shows_key(struct screen *shown, const char *key)
{
    (void)shown;
    return find_key(key) >= 0;
}

void click_key(const char *key)
{
    screen_wait_for(&screen, shows_key, key);
    screen_settle(&screen, 50, 1000); /* all of the frame */
    screen_click(&screen, screen.rows - 1, find_key(key));
}

/* Golden screens. */

static FILE *open_golden(const char *name, const char *mode)
{
    char path[1024];
    assert_non_null(getenv("ATTN_TEST_SCREENS"));
    snprintf(path, sizeof path, "%s/%s.txt", getenv("ATTN_TEST_SCREENS"), name);
    FILE *file = fopen(path, mode);
    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    return file;
}

/* Reads the file; *ret_screen is where the screen begins, after what is said about it. */
static char *read_golden(const char *name, char **ret_screen)
{
    enum { CAPACITY = 64 * 1024 };
    char *text = malloc(CAPACITY);
    FILE *file = open_golden(name, "r");
    assert_non_null(text);
    text[fread(text, 1, CAPACITY - 1, file)] = '\0';
    fclose(file);
    *ret_screen = text;
    while (strncmp(*ret_screen, "# ", 2) == 0)
        *ret_screen += strcspn(*ret_screen, "\n") + 1;
    return text;
}

static void write_golden(const char *name, const char *said, size_t size)
{
    screen_settle(&screen, 300, SCREEN_WAIT_MS);
    FILE *file = open_golden(name, "w");
    char *shown = screen_text(&screen);
    assert_int_equal(fwrite(said, 1, size, file), size);
    assert_true(fputs(shown, file) >= 0);
    assert_int_equal(fclose(file), 0);
    free(shown);
}

void wait_golden(const char *name)
{
    char *wanted, *text = read_golden(name, &wanted);
    if (getenv("ATTN_UPDATE_SCREENS") != NULL)
        write_golden(name, text, (size_t)(wanted - text));
    else {
        print_message("(ATTN_UPDATE_SCREENS=1 writes %s.txt anew)\n", name);
        screen_wait_all(&screen, wanted);
    }
    free(text);
}
