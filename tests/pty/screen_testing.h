/* What the tests of the full screen share: one screen, the ways into each view, the row of keys.
 *
 * What must be on the screen is waited for; nothing sleeps. Where it stands is not asked, unless
 * that is what is tested. */
#ifndef ATTN_TESTS_PTY_SCREEN_TESTING_H
#define ATTN_TESTS_PTY_SCREEN_TESTING_H

#include "screen.h"

/* cmocka.h needs the first two. */
#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define ESCAPE SCREEN_ESCAPE
#define CTRL_B "\x02"
#define CTRL_C "\x03"
#define CTRL_L "\x0c"
#define CTRL_P "\x10"
#define CTRL_Q "\x11"
#define CTRL_S "\x13"
#define CTRL_T "\x14"
#define CTRL_U "\x15"
#define CTRL_Z "\x1a"

extern struct screen screen;
extern char home[64]; /* of the tests that start attn twice, or look into it; else empty */

/* The teardown of every test: closes the screen and removes home. */
int close_screen(void **state);

/* main()'s body: with an argument, only the tests whose names contain it. */
#define RUN_TESTS(name, tests)                             \
    (argc > 1 ? cmocka_set_test_filter(argv[1]) : (void)0, \
     cmocka_run_group_tests_name(name, tests, NULL, NULL))

/* Arguments of attn; and of a lesson. */
#define ATTN(...) ((const char *const[]){__VA_ARGS__, NULL})
#define LESSON(...) ATTN("lesson", __VA_ARGS__)

/* Starts attn on `screen`. */
void start(const struct screen_options *options);
/* Home, of 80 columns and 24 rows. */
void start_home(void);
/* The lesson about softmax, its first page, in ASCII. */
void start_lesson(int rows, int cols);
/* The explorer, in ASCII, with the example sentence; its cursor is on E["Hello", 0]. */
void start_explorer(int rows, int cols);
/* From home to the explorer, with any terminal. */
void go_to_explorer(void);
/* Goes on until this stage is shown: "weights". */
void go_to_stage(const char *name);
/* From home to the first exercise, dot. */
void go_to_exercise(void);
/* Goes through the list at home until the row that is chosen contains text. */
void choose(const char *text);
/* Chooses a line at home that folds, by its title, and shows what is below it. */
void unfold(const char *text);

void press(VTermKey key);
void enter(void);
/* Presses a key by its name in the row of keys: "n", "Enter", "PgUp". */
void press_named(const char *name);
/* Types at the prompt, which is in focus, waits until it is shown, and presses Enter. */
void say(const char *line);
/* Goes to the prompt, says it, and comes back to the pane. */
void say_from_pane(const char *line);
/* A click on the first place where text stands, col columns behind its first letter. */
void click_on(const char *text, int col);

void assert_shows(const char *text); /* now */
/* Waits for text in the last row, where the keys are. */
void wait_keys(const char *text);
/* Waits until all looks as it did, by its text as screen_text() gave it and by screen_hash(). */
void wait_same(const char *text, uint64_t hash);
/* Waits until anything looks other than screen_hash() said, or attn has ended; what names it. */
void wait_other(uint64_t hash, const char *what);
/* Presses the key: attn ends with exit code 0 and gives the terminal back. */
void quit(const char *key);

/* The row of the list at home, or of another list, that is chosen: the first one that is reversed
 * or begins with the sign for it. "" for none. */
const char *chosen_row(void);
void wait_chosen(const char *text);

/* The row of keys, read from the screen: a key is bold, what it does follows. */
enum { MAX_KEYS = 32, SCREEN_KEY_BYTES = 16 };
struct key_label {
    char key[SCREEN_KEY_BYTES], label[32];
    int col;
};
/* Returns how many there are. */
size_t read_keys(struct key_label keys[MAX_KEYS]);
/* Clicks on it, once it is shown. */
void click_key(const char *key);

/* Waits until the whole screen is that of $ATTN_TEST_SCREENS/NAME.txt. Such a file begins with
 * lines that say what it shows, behind "# ". With ATTN_UPDATE_SCREENS=1 they are written anew. */
void wait_golden(const char *name);

#endif
