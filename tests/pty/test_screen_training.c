/* A training on the screen: it learns while keys are answered; the film, branches, saving. */
#include "screen_testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A small model, whose training waits at its end. */
static void start_training(int rows, int cols, const char *steps, const char *const *settings)
{
    start(&(struct screen_options){.rows = rows,
                                   .cols = cols,
                                   .settings = settings,
                                   .arguments = ATTN("train", "previous", "--seed", "1", "--steps",
                                                     steps, "--batch", "4", "--width", "16")});
}

/* What was learnt is in no file: attn asks, once. */
static void leave_unsaved(void)
{
    screen_type(&screen, "q");
    screen_wait(&screen, "s saves it and leaves, d drops it, Esc stays");
    wait_keys("d drop it");
    quit("d");
}

static void test_screen_training__learns_by_itself(void **state)
{
    (void)state;
    start_training(24, 80, "30", NULL);
    screen_wait(&screen, "loss, by step");
    screen_wait(&screen, "held out");
    screen_wait(&screen, "step 30 of 30");
    screen_wait(&screen, "done");
    assert_shows("100%");
    assert_shows("H0");
    assert_shows("L0");
    assert_shows("previous"); /* the detectors */
    assert_shows("probe ");
    assert_shows("model ");
    wait_keys("Space play, stop");
    wait_keys("q leave");
    leave_unsaved();
}

/* What was seen at a step comes back, letter by letter, when one looks back at it. */
static void test_screen_training__the_film_shows_a_step_as_it_was(void **state)
{
    (void)state;
    start_training(24, 80, "30", NULL);
    screen_wait(&screen, "done");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back at step 29 of 30");
    screen_wait(&screen, "step 29  loss");
    char *before = screen_text(&screen);
    uint64_t hash = screen_hash(&screen);
    press(VTERM_KEY_PAGEUP);
    screen_wait(&screen, "looking back at step 19");
    press(VTERM_KEY_HOME);
    screen_wait(&screen, "looking back at step 0");
    press(VTERM_KEY_END);
    screen_wait(&screen, "done");
    press(VTERM_KEY_LEFT);
    wait_same(before, hash);
    free(before);
    press(VTERM_KEY_RIGHT);
    screen_wait(&screen, "done");
    screen_type(&screen, " "); /* all steps are taken: it is a film now */
    screen_wait(&screen, "playing");
    screen_type(&screen, " ");
    screen_wait(&screen, "looking back at step");
}

static void test_screen_training__space_pauses_and_goes_on(void **state)
{
    (void)state;
    start_training(24, 80, "100000", NULL);
    screen_wait(&screen, "ms a step");
    screen_type(&screen, " ");
    screen_wait(&screen, "paused");
    char *before = screen_text(&screen);
    screen_settle(&screen, 300, 1000);
    screen_wait_all(&screen, before);
    free(before);
    screen_type(&screen, " ");
    screen_wait(&screen, "ms a step");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back");
    screen_type(&screen, " ");
    screen_wait(&screen, "ms a step");
    screen_type(&screen, "?");
    screen_wait(&screen, "pauses a training, and goes on with it");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "pauses a training");
    screen_type(&screen, "q");
    screen_wait(&screen, "s saves it and leaves, d drops it, Esc stays");
    screen_type(&screen, "n" CTRL_C); /* neither is an answer that loses anything */
    screen_wait(&screen, "ms a step");
    leave_unsaved();
    screen_wait(&screen, "nothing was saved");
}

static void test_screen_training__branches_train_on_from_a_step(void **state)
{
    (void)state;
    start_training(30, 100, "30", ATTN("NO_COLOR=1"));
    screen_wait(&screen, "done");
    assert_false(screen_has_colour(&screen));
    press(VTERM_KEY_PAGEUP);
    screen_wait(&screen, "looking back at step 20");
    screen_type(&screen, "b");
    screen_wait(&screen, "branch from step 20 with");
    screen_type(&screen, "lr fast\r");
    screen_wait(&screen, "it must be a number above 0");
    screen_type(&screen, CTRL_U "lr 1e-1\r");
    screen_wait(&screen, "branch: lr 0.1   step 30 of 30");
    screen_wait(&screen, "* the first  o lr 0.1"); /* both curves, told apart without colour */
    screen_type(&screen, "o");
    screen_wait(&screen, "previous   step 30 of 30");
    screen_type(&screen, "b"); /* nothing could be trained from there */
    screen_wait(&screen, "no step is left to branch from");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back at step 29");
    screen_type(&screen, "b");
    screen_wait(&screen, "branch from");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "branch from");
    leave_unsaved();
}

static void test_screen_training__opens_the_model_and_comes_back(void **state)
{
    (void)state;
    start_training(24, 80, "20", NULL);
    screen_wait(&screen, "done");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back at step 19");
    screen_type(&screen, "v");
    screen_wait(&screen, "layer 0, head 0: weights");
    screen_wait(&screen, "the next token");
    screen_type(&screen, "q");
    screen_wait(&screen, "looking back at step 19");
    leave_unsaved();
}

/* The other answer: the model is saved, as ^C saves it. */
static void test_screen_training__leaving_can_save(void **state)
{
    (void)state;
    screen_home_new(home);
    start(&(struct screen_options){
        .home = home,
        .arguments = ATTN("train", "previous", "--steps", "20", "--batch", "4", "--width", "16")});
    screen_wait(&screen, "done");
    screen_type(&screen, "\x11"); /* ^Q, as q */
    screen_wait(&screen, "s saves it and leaves, d drops it, Esc stays");
    quit("s");
    screen_wait(&screen, "saved in previous-model");
}

/* A folder that attn view reads, and where it goes on. */
static void test_screen_training__saves(void **state)
{
    (void)state;
    char command[512];
    screen_home_new(home);
    start(&(struct screen_options){.home = home,
                                   .arguments = ATTN("train", "previous", "--steps", "100000",
                                                     "--batch", "4", "--width", "16")});
    screen_wait(&screen, "ms a step");
    screen_type(&screen, " ");
    screen_wait(&screen, "paused");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back");
    screen_type(&screen, "w");
    screen_wait(&screen, "in previous-model-step-");
    screen_type(&screen, CTRL_C);
    screen_wait(&screen, "attn train --resume previous-model goes on");
    const char *runner = getenv("ATTN_RUNNER");
    snprintf(command, sizeof command,
             "cd %s && %s %s view previous-model --ids '1 2 3' --json | grep -q weights && "
             "%s %s view previous-model-step-* --ids '1 2 3' --json | grep -q weights",
             home, runner != NULL ? runner : "", getenv("ATTN"), runner != NULL ? runner : "",
             getenv("ATTN"));
    assert_int_equal(system(command), 0);
}

/* --save-every says after how many steps; what is seen then need not be saved by hand. */
static void test_screen_training__saves_as_often_as_is_said(void **state)
{
    (void)state;
    char path[512];
    screen_home_new(home);
    start(
        &(struct screen_options){.home = home,
                                 .arguments = ATTN("train", "previous", "--steps", "20", "--batch",
                                                   "4", "--width", "16", "--save-every", "1")});
    screen_wait(&screen, "done");
    snprintf(path, sizeof path, "%s/previous-model/training.safetensors", home);
    assert_int_equal(access(path, R_OK), 0);
    quit("q"); /* all is saved: nothing is asked */
    screen_wait(&screen, "the last save is in previous-model");
}

static void test_screen_training__plays_a_film(void **state)
{
    (void)state;
    screen_home_new(home);
    start(
        &(struct screen_options){.home = home,
                                 .arguments = ATTN("train", "previous", "--steps", "20", "--batch",
                                                   "4", "--width", "16", "--film", "short.film")});
    screen_wait(&screen, "done");
    screen_type(&screen, CTRL_C);
    screen_wait(&screen, "attn train --film short.film plays it again");
    screen_close(&screen);
    start(
        &(struct screen_options){.home = home, .arguments = ATTN("train", "--film", "short.film")});
    screen_wait(&screen, "playing; Space stops");
    screen_wait(&screen, "step 1  loss");
    screen_type(&screen, " ");
    screen_wait(&screen, "looking back at step");
    wait_keys("Space play, stop");
    press(VTERM_KEY_END);
    screen_wait(&screen, "the end of the film; Space plays it again");
    assert_shows("step 20 of 20");
    screen_type(&screen, " ");
    screen_wait(&screen, "playing");
    screen_wait(&screen, "step 0 of 20");
    press(VTERM_KEY_END);
    screen_wait(&screen, "the end of the film");
    press(VTERM_KEY_LEFT);
    screen_wait(&screen, "looking back at step 19");
    screen_type(&screen, "b");
    screen_wait(&screen, "branch from step 19");
    screen_type(&screen, "seed 4\r");
    screen_wait(&screen, "branch: seed 4   step 20 of 20");
    leave_unsaved();
}

/* A step of this model takes seconds, and longer on a busy machine: who sees the pause while no
 * step is done was answered in the middle of one. */
static void test_screen_training__keys_end_a_long_step(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text, "%s/README.md", getenv("ATTN_DATA_DIR"));
    start(&(struct screen_options){.arguments =
                                       ATTN("train", "--text", text, "--width", "512", "--layers",
                                            "4", "--batch", "64", "--context", "64")});
    screen_wait(&screen, "step 0 of 2000");
    screen_wait(&screen, "training");
    screen_type(&screen, " ");
    screen_wait(&screen, "paused");
    assert_shows("step 0 of 2000");
}

/* From the smallest screen to a large one, all is laid out anew. */
static void test_screen_training__fits_any_size(void **state)
{
    (void)state;
    start_training(16, 60, "20", NULL);
    screen_wait(&screen, "done");
    screen_resize(&screen, 60, 200);
    screen_wait(&screen, "layer 0, head 0: weights"); /* beside all heads */
    screen_wait(&screen, "L0");
    screen_resize(&screen, 24, 80);
    screen_wait_gone(&screen, "layer 0, head 0: weights");
    enter();
    screen_wait(&screen, "layer 0, head 0: weights");
    screen_type(&screen, ESCAPE);
    screen_wait_gone(&screen, "layer 0, head 0: weights");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_teardown(name, close_screen)
    const struct CMUnitTest tests[] = {
        TEST(test_screen_training__learns_by_itself),
        TEST(test_screen_training__the_film_shows_a_step_as_it_was),
        TEST(test_screen_training__space_pauses_and_goes_on),
        TEST(test_screen_training__branches_train_on_from_a_step),
        TEST(test_screen_training__opens_the_model_and_comes_back),
        TEST(test_screen_training__leaving_can_save),
        TEST(test_screen_training__saves),
        TEST(test_screen_training__saves_as_often_as_is_said),
        TEST(test_screen_training__plays_a_film),
        TEST(test_screen_training__keys_end_a_long_step),
        TEST(test_screen_training__fits_any_size),
    };
    return RUN_TESTS("screen_training", tests);
}
