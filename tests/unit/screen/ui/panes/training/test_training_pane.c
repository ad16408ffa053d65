/* ui/panes/training: a film plays by the clock that its ticks bring, and nothing that was learnt is
 * lost without a question. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "files/clock.h"
#include "train/film.h"
#include "ui/panes/training/training_pane_internal.h"

enum { STEPS = 40, HALF = STEPS / 2 };

static const struct training_plan plan = {
    .task = "previous", .seed = 1, .n_steps = STEPS, .d_model = 16, .lr = 0.01, .batch = 4};

struct fixture {
    struct film *film;
    struct training_pane pane;
    volatile sig_atomic_t stop;
    bool left;
    int64_t now_ms;
};

static struct film *film_of(size_t n_steps)
{
    struct error error;
    struct source *source;
    struct training *training;
    struct film *film;
    if (!plan_open(&plan, NULL, NULL, &source, &training, &error) ||
        !film_new(&plan, source, training, NULL, &film, &error))
        fail_msg("%s", error.text);
    while (!film_is_done(film) && film_count(film_newest(film)) < n_steps)
        assert_true(film_advance(film, &error));
    while (n_steps == STEPS && !film_is_done(film))
        assert_true(film_advance(film, &error));
    return film;
}

static struct fixture *open_pane(struct film *film, struct training_start start)
{
    static const struct settings settings = {.digits = 4, .width_cols = 80};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct error error;
    assert_non_null(fixture);
    fixture->film = start.film = film;
    start.ret_left = &fixture->left;
    fixture->now_ms = 1000;
    training_pane_init(&fixture->pane, &settings, &fixture->stop);
    assert_true(training_pane_open(&fixture->pane, &start, &error));
    return fixture;
}

static void close_pane(struct fixture *fixture)
{
    training_pane_ops.release(&fixture->pane);
    film_free(fixture->film);
    free(fixture);
}

static void pass(struct fixture *fixture, int64_t ms)
{
    fixture->now_ms += ms;
    training_pane_ops.tick(&fixture->pane, fixture->now_ms, true);
}

/* A pane whose film has begun to play: its first picture is there, and the clock runs. */
static struct fixture *open_film(void)
{
    struct fixture *fixture = open_pane(film_of(STEPS), (struct training_start){.is_played = true});
    for (int i = 0; i < 3; i++)
        pass(fixture, 1);
    assert_true(fixture->pane.is_playing);
    assert_non_null(fixture->pane.look.run);
    return fixture;
}

static bool press(struct fixture *fixture, int key)
{
    return pane_press((struct pane){&training_pane_ops, &fixture->pane}, key);
}

static enum pane_request_kind wanted(struct fixture *fixture)
{
    struct pane_request request = {.kind = PANE_WANTS_NOTHING};
    (void)training_pane_ops.take_request(&fixture->pane, &request);
    enum pane_request_kind kind = request.kind;
    pane_request_release(&request);
    return kind;
}

/* ---- the film ---- */

static void test_training_pane__a_film_plays_from_its_start_to_its_end(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    struct training_pane *pane = &fixture->pane;
    assert_int_equal(training_step_seen(pane), 0);
    size_t seen = 0, n_seen = 1;
    for (int64_t ms = 0; ms < FILM_PLAY_MS - 100; ms += 100) {
        pass(fixture, 100);
        assert_in_range(training_step_seen(pane), seen, STEPS);
        n_seen += training_step_seen(pane) > seen;
        seen = training_step_seen(pane);
        assert_true(pane->is_playing);
    }
    assert_int_equal(n_seen, STEPS); /* every snapshot but the last, where there is time for all */
    pass(fixture, 200);
    assert_false(pane->is_playing);
    assert_int_equal(training_step_seen(pane), STEPS);
    assert_int_equal(training_pane_ops.timeout_ms(pane), -1);
    pass(fixture, 60000);
    assert_int_equal(training_step_seen(pane), STEPS); /* it stands there */

    assert_true(press(fixture, ' ')); /* and plays again from the start */
    assert_true(pane->is_playing);
    assert_int_equal(training_step_seen(pane), 0);
    close_pane(fixture);
}

/* On a busy machine ticks are rare: the film leaves snapshots out, and takes no longer. */
static void test_training_pane__a_film_skips_what_it_has_no_time_for(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    size_t n = 0;
    for (; fixture->pane.is_playing && n < 100; n++)
        pass(fixture, 1500);
    assert_int_equal(n, FILM_PLAY_MS / 1500);
    /* Where attn itself was stopped for an hour, the film waits. */
    assert_true(press(fixture, ' '));
    pass(fixture, 1);
    pass(fixture, 3600000);
    assert_true(fixture->pane.is_playing);
    close_pane(fixture);
}

static void test_training_pane__space_and_arrows_stop_a_film(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    struct training_pane *pane = &fixture->pane;
    for (int i = 0; i < 6; i++)
        pass(fixture, 1000);
    assert_in_range(training_step_seen(pane), HALF - 1, HALF + 1);
    size_t step = training_step_seen(pane);
    assert_true(press(fixture, ' '));
    assert_false(pane->is_playing);
    pass(fixture, 5000);
    assert_int_equal(training_step_seen(pane), step);
    assert_true(press(fixture, KEYCODE_RIGHT));
    assert_int_equal(training_step_seen(pane), step + 1);
    assert_true(press(fixture, ' ')); /* on from there */
    assert_true(pane->is_playing);
    assert_int_equal(training_step_seen(pane), step + 1);
    assert_true(press(fixture, KEYCODE_LEFT));
    assert_false(pane->is_playing);
    assert_int_equal(training_step_seen(pane), step);
    assert_true(press(fixture, KEYCODE_END));
    assert_int_equal(training_step_seen(pane), STEPS);
    close_pane(fixture);
}

/* Between two snapshots there is nothing to do, and so nothing is asked for. */
static void test_training_pane__a_film_waits_for_its_next_snapshot(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    assert_in_range(training_play_timeout_ms(&fixture->pane, fixture->now_ms), 200,
                    FILM_PLAY_MS / STEPS + 1);
    assert_int_equal(training_play_timeout_ms(&fixture->pane, fixture->now_ms + 5000), 0);
    close_pane(fixture);
}

static void test_training_pane__the_bar_leads_to_a_step(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    struct training_pane *pane = &fixture->pane;
    struct area area = {0};
    size_t step;
    training_pane_ops.resize(pane, 24, 80);
    int row = pane->layout.film_row, first = 0;
    while (!training_bar_step(pane, row, first, &step))
        assert_true(++first < 80);
    assert_int_equal(step, 0);
    assert_false(training_bar_step(pane, row - 1, first, &step));
    assert_true(training_pane_ops.click(pane, area, row, first + 10, false));
    assert_in_range(training_step_seen(pane), 1, STEPS - 1);
    assert_false(pane->is_playing);
    close_pane(fixture);
}

/* ---- leaving ---- */

static void test_training_pane__leaving_a_film_asks_nothing(void **state)
{
    (void)state;
    struct fixture *fixture = open_film();
    assert_true(press(fixture, 'q'));
    assert_int_equal(wanted(fixture), PANE_QUIT);
    assert_true(fixture->left);
    close_pane(fixture);
}

static struct fixture *open_unsaved(bool from_home, const char *folder)
{
    struct fixture *fixture =
        open_pane(film_of(0), (struct training_start){.folder = folder, .from_home = from_home});
    for (int i = 0; i < 10000 && film_count(film_newest(fixture->film)) < 3; i++)
        training_pane_ops.tick(&fixture->pane, clock_ms(), true); /* it trains in real time */
    assert_true(training_is_unsaved(&fixture->pane));
    return fixture;
}

static void test_training_pane__leaving_asks_once_before_anything_is_lost(void **state)
{
    (void)state;
    static const int stays[] = {KEYCODE_ESCAPE, KEYCODE_CTRL_C};
    struct fixture *fixture = open_unsaved(false, "nowhere");
    for (size_t i = 0; i < COUNT_OF(stays); i++) {
        assert_true(press(fixture, 'q'));
        assert_true(fixture->pane.is_leaving);
        assert_true(press(fixture, 'x')); /* no answer */
        assert_true(press(fixture, KEYCODE_ENTER));
        assert_true(press(fixture, KEYCODE_LEFT));
        assert_true(fixture->pane.is_leaving);
        assert_true(press(fixture, stays[i]));
        assert_false(fixture->pane.is_leaving);
        assert_int_equal(wanted(fixture), PANE_WANTS_NOTHING);
    }
    for (size_t i = 0; i < COUNT_OF(stays); i++) { /* a field is emptied first, and left then */
        assert_true(press(fixture, 'b'));
        assert_true(fixture->pane.is_typing);
        assert_true(press(fixture, 'x'));
        assert_true(press(fixture, stays[i]));
        assert_true(fixture->pane.is_typing);
        assert_int_equal(fixture->pane.field.size, 0);
        assert_true(press(fixture, stays[i]));
        assert_false(fixture->pane.is_typing);
        assert_int_equal(wanted(fixture), PANE_WANTS_NOTHING);
    }
    assert_true(press(fixture, 'q'));
    assert_true(press(fixture, 'd'));
    assert_int_equal(wanted(fixture), PANE_QUIT);
    assert_true(fixture->left);
    close_pane(fixture);

    fixture = open_unsaved(false, "nowhere"); /* whoever opened it saves then */
    assert_true(press(fixture, 'q'));
    assert_true(press(fixture, 's'));
    assert_int_equal(wanted(fixture), PANE_QUIT);
    assert_false(fixture->left);
    close_pane(fixture);
}

static void test_training_pane__opened_from_home_it_saves_and_goes_home(void **state)
{
    (void)state;
    char path[128], folder[64] = "/tmp/attn-training-pane-XXXXXX", command[160];
    assert_non_null(mkdtemp(folder));
    struct fixture *fixture = open_unsaved(true, folder);
    assert_true(press(fixture, 'q'));
    assert_true(press(fixture, 's'));
    assert_int_equal(wanted(fixture), PANE_GO_HOME);
    assert_false(training_is_unsaved(&fixture->pane));
    snprintf(path, sizeof path, "%s/training.safetensors", folder);
    assert_int_equal(access(path, R_OK), 0);
    assert_true(press(fixture, 'q')); /* nothing is left to be asked about */
    assert_int_equal(wanted(fixture), PANE_GO_HOME);
    close_pane(fixture);

    fixture = open_unsaved(true, path); /* a file stands where the folder should be */
    assert_true(press(fixture, 'q'));
    assert_true(press(fixture, 's'));
    assert_int_equal(wanted(fixture), PANE_WANTS_NOTHING);
    assert_true(fixture->pane.message[0] != '\0');
    close_pane(fixture);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_training_pane__a_film_plays_from_its_start_to_its_end),
        cmocka_unit_test(test_training_pane__a_film_skips_what_it_has_no_time_for),
        cmocka_unit_test(test_training_pane__space_and_arrows_stop_a_film),
        cmocka_unit_test(test_training_pane__a_film_waits_for_its_next_snapshot),
        cmocka_unit_test(test_training_pane__the_bar_leads_to_a_step),
        cmocka_unit_test(test_training_pane__leaving_a_film_asks_nothing),
        cmocka_unit_test(test_training_pane__leaving_asks_once_before_anything_is_lost),
        cmocka_unit_test(test_training_pane__opened_from_home_it_saves_and_goes_home),
    };
    return cmocka_run_group_tests_name("training_pane", tests, NULL, NULL);
}
