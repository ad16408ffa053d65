/* Home, the heads of a model and a film of a training, in every locale and on terminals of ten
 * kinds: they look alike, but for letters that can't be shown, and for shades in place of colours.
 */
#include "screen_testing.h"

#include <stdio.h>

/* What a screen may look like: the golden that it is compared with ends in this. */
enum look { LOOK_FULL, LOOK_NO_COLOURS, LOOK_ASCII };
static const char *const endings[] = {
    [LOOK_FULL] = "", [LOOK_NO_COLOURS] = "-no-colours", [LOOK_ASCII] = "-ascii"};

/* The first three locales are set nowhere, or exist on no machine. */
static const struct surroundings {
    const char *settings[3];
    enum look look;
} all[] = {
    {{"LANG="}, LOOK_FULL},
    {{"LANG=xx_YY.UTF-8"}, LOOK_FULL},
    {{"LC_ALL=xx_YY.UTF-8"}, LOOK_FULL},
    {{"LC_ALL=C.UTF-8"}, LOOK_FULL},
    {{"LC_ALL=POSIX"}, LOOK_ASCII},
    {{"LC_ALL=POSIX", "TERM=linux"}, LOOK_ASCII},
    {{"TERM=xterm"}, LOOK_FULL},
    {{"TERM=xterm-256color"}, LOOK_FULL},
    {{"TERM=xterm-kitty"}, LOOK_FULL},
    {{"TERM=xterm-ghostty"}, LOOK_FULL},
    {{"TERM=foot-extra"}, LOOK_FULL},
    {{"TERM=screen"}, LOOK_FULL},
    {{"TERM=tmux-256color"}, LOOK_FULL},
    {{"TERM=linux"}, LOOK_FULL},
    {{"TERM=ansi"}, LOOK_FULL},
    {{"TERM=vt100"}, LOOK_NO_COLOURS},
};
enum { N_SURROUNDINGS = sizeof all / sizeof all[0] };

/* Starts attn everywhere, presses a key where one is given, and compares what is shown. has_tints:
 * without colours there are shades in it. */
static void compare(const char *const *arguments, const char *shows, VTermKey key,
                    const char *golden, bool has_tints)
{
    for (size_t i = 0; i < N_SURROUNDINGS; i++) {
        char name[64];
        enum look look = all[i].look == LOOK_NO_COLOURS && !has_tints ? LOOK_FULL : all[i].look;
        snprintf(name, sizeof name, "%s%s", golden, endings[look]);
        print_message("%s: %s\n", name, all[i].settings[0]);
        start(&(struct screen_options){.settings = all[i].settings, .arguments = arguments});
        screen_wait(&screen, shows);
        if (key != VTERM_KEY_NONE)
            press(key);
        wait_golden(name);
        screen_close(&screen);
    }
}

static void test_screen_anywhere__home(void **state)
{
    (void)state;
    compare(NULL, "q quit", VTERM_KEY_NONE, "anywhere-home", false);
}

static void test_screen_anywhere__heads(void **state)
{
    (void)state;
    compare(ATTN("view"), "Enter", VTERM_KEY_NONE, "anywhere-heads", true);
}

static void test_screen_anywhere__a_film(void **state)
{
    (void)state;
    compare(ATTN("train", "--film", "modular"), "Space", VTERM_KEY_END, "anywhere-film", true);
}

/* Where no screen can be shown there are lines; one that nobody knows learns how to get a screen.
 */
static void test_screen_anywhere__lines_with_the_remedy(void **state)
{
    (void)state;
    start(&(struct screen_options){.settings = (const char *const[]){"TERM=dumb", NULL}});
    screen_wait(&screen, "attn>");
    screen_close(&screen);
    start(&(struct screen_options){
        .cols = 200, .settings = (const char *const[]){"TERM=nobody-knows-me", NULL}});
    screen_wait(&screen, "try TERM=xterm-256color attn");
    screen_wait(&screen, "attn>");
}

#define TEST(name) cmocka_unit_test_teardown(test_screen_anywhere__##name, close_screen)

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST(home),
        TEST(heads),
        TEST(a_film),
        TEST(lines_with_the_remedy),
    };
    return RUN_TESTS("screen_anywhere", tests);
}
