/* Films of trainings: snapshots are the bits of a training that stopped there, in little memory;
 * branches; files. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph/node.h"
#include "model/run.h"
#include "train/film.h"

static const struct training_plan small = {
    .task = "induction", .seed = 5, .n_steps = 60, .d_model = 16, .lr = 0.01, .batch = 8};

static struct film *film_of(const struct training_plan *plan)
{
    struct error error;
    struct source *source;
    struct training *training;
    struct film *film;
    if (!plan_open(plan, NULL, NULL, &source, &training, &error) ||
        !film_new(plan, source, training, NULL, &film, &error))
        fail_msg("%s", error.text);
    return film;
}

static void advance_to(struct film *film, size_t n_steps)
{
    struct error error;
    while (!film_is_done(film) && film_count(film_newest(film)) < n_steps)
        if (!film_advance(film, &error))
            fail_msg("%s", error.text);
}

static void advance_to_end(struct film *film)
{
    struct error error;
    while (!film_is_done(film))
        assert_true(film_advance(film, &error));
}

/* The weights of a training that took n steps of the plan, without a film. */
static float *weights_after(const struct training_plan *plan, size_t n, double *ret_loss)
{
    struct error error;
    struct source *source;
    struct training *training;
    assert_true(plan_open(plan, NULL, NULL, &source, &training, &error));
    for (size_t i = 0; i < n; i++)
        assert_true(training_step(training, &error));
    float *weights = calloc(trainer_total(training->trainer), sizeof *weights);
    trainer_read(training->trainer, weights, NULL);
    *ret_loss = training->loss;
    training_free(training);
    source_free(source);
    return weights;
}

static void assert_same_weights(const struct film *film, const float *a, const float *b)
{
    assert_memory_equal(a, b, trainer_total(film->training->trainer) * sizeof(float));
}

static void test_film__snapshots_are_the_bits_of_a_training_that_stopped_there(void **state)
{
    (void)state;
    static const size_t looked_at[] = {0, 13, 37, 60};
    struct film *film = film_of(&small);
    advance_to_end(film);
    assert_int_equal(film_count(film_newest(film)), 60);
    for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) {
        double loss;
        const struct film_frame *frame = film_frame_at(film, 0, looked_at[i]);
        float *weights = weights_after(&small, frame->step, &loss);
        assert_same_weights(film, frame->weights, weights);
        if (frame->step > 0)
            assert_close(film_loss(film, 0, frame->step), loss, 1e-6);
        free(weights);
    }
    assert_int_equal(film_frame_at(film, 0, 60)->step, 60);
    assert_true(isnan(film_loss(film, 0, 0)) && isnan(film_loss(film, 0, 61)));
    film_free(film);
}

/* The model of a snapshot is that of the training, by what it says of held-out sequences. */
static void test_film__models_of_snapshots_are_as_measured(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    struct score score;
    advance_to(film, 30);
    const struct film_frame *frame = film_frame_at(film, 0, 30);
    struct graph graph = {.last_id = 0};
    struct model *model = film_model(film, frame, &graph, &error);
    struct training *other;
    assert_non_null(model);
    assert_true(training_of_model(film->training->source, model, &graph, &film->training->recipe,
                                  small.seed, &other, &error));
    assert_true(training_score(other, SPLIT_HELD_OUT, FILM_SCORE_BATCHES, &score, &error));
    assert_close(score.loss, frame->held_out.loss, 0);
    assert_close(score.right, frame->held_out.right, 0);
    assert_true(frame->untrained.n > 0);
    training_free(other);
    model_free(model);
    film_free(film);
}

/* A run of 400 steps stays under 5 MB; of a model with more numbers there are fewer snapshots. */
static void test_film__keeps_little(void **state)
{
    (void)state;
    static const char *const names[] = {"induction", "sort"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct training_plan plan = {.n_steps = 400, .batch = 1};
        snprintf(plan.task, sizeof plan.task, "%s", names[i]);
        struct film *film = film_of(&plan);
        advance_to_end(film);
        assert_true(film_bytes(film) < 5000000);
        assert_true(film->branches[0].n_frames >= 20);
        film_free(film);
    }
}

/* The loss of a branch where nothing is different is that of the branch that it comes from. */
static void test_film__branches_with_the_same_settings_are_the_same(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    const struct film_change same = {.lr = 0};
    film->every = 4;
    film->moments_every = 5; /* so that it goes back to step 20, and on to 28 */
    advance_to_end(film);
    const struct film_frame *frame = film_frame_at(film, 0, 30);
    assert_int_equal(frame->step, 28);
    assert_null(frame->moments);
    assert_true(film_fork(film, 0, frame, &same, &error));
    assert_true(film_goes_back(film));
    advance_to_end(film);
    const struct film_branch *branch = film_newest(film);
    assert_true(branch == &film->branches[1] && branch->begin == 28);
    assert_int_equal(film_count(branch), 60);
    for (size_t step = 1; step <= 60; step++)
        assert_close(film_loss(film, 1, step), film_loss(film, 0, step), 0);
    assert_same_weights(film, film_frame_at(film, 0, 60)->weights,
                        film_frame_at(film, 1, 60)->weights);
    film_free(film);
}

/* Until the branch the same, then another loss; the first branch stays as it was, and goes on. */
static void test_film__branches_differ_from_where_they_begin(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    struct film_change change;
    double loss;
    float *whole = weights_after(&small, 60, &loss);
    film->every = 5;
    advance_to(film, 40);
    assert_true(film_change_parse("lr 3e-2, seed 7", &change, &error));
    assert_true(film_fork(film, 0, film_frame_at(film, 0, 20), &change, &error));
    advance_to(film, 40);
    assert_string_equal(film->branches[1].name, "lr 0.03 seed 7");
    assert_close(film_loss(film, 1, 20), film_loss(film, 0, 20), 0);
    assert_true(film_loss(film, 1, 22) != film_loss(film, 0, 22));
    assert_int_equal(film_frame_at(film, 1, 15)->step, 15);
    /* From its beginning on they are its own, before it its parent's. */
    assert_true(film_frame_after(film, 1, 14) == film_frame_at(film, 0, 15));
    assert_true(film_frame_after(film, 1, 15) == &film->branches[1].frames[0]);
    assert_true(film_frame_after(film, 1, 20) == &film->branches[1].frames[1]);
    assert_null(film_frame_after(film, 1, 40));
    film_resume(film, 0);
    advance_to_end(film);
    assert_same_weights(film, film_frame_at(film, 0, 60)->weights, whole);
    assert_int_equal(film_count(&film->branches[1]), 40);
    film_resume(film, 1);
    advance_to_end(film);
    assert_int_equal(film_count(&film->branches[1]), 60);
    free(whole);
    film_free(film);
}

static void test_film__branches_take_other_data(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    struct film_change change = {.task = "fixed"};
    advance_to(film, 10);
    const struct film_frame *frame = film_frame_at(film, 0, 10);
    assert_true(film_fork(film, 0, frame, &change, &error));
    advance_to(film, 20);
    assert_string_equal(film->training->source->name, "fixed");
    assert_true(film_fork(film, 1, film_frame_at(film, 1, 10), &change, &error));
    change = (struct film_change){.task = "sort"};
    assert_false(film_fork(film, 0, film_frame_at(film, 0, 0), &change, &error));
    assert_says(error, "sort");
    change = (struct film_change){.task = "fxied"};
    assert_false(film_fork(film, 0, film_frame_at(film, 0, 0), &change, &error));
    assert_says(error, "fixed");
    film_free(film);
}

static void test_film__branches_are_few(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    const struct film_change same = {.lr = 0};
    advance_to(film, 5);
    for (size_t i = 1; i < FILM_MAX_BRANCHES; i++) {
        assert_true(film_fork(film, 0, film_frame_at(film, 0, 5), &same, &error));
        assert_true(
            film_fork(film, 0, film_frame_at(film, 0, 5), &same, &error)); /* in its place */
        advance_to(film, 8);
        assert_int_equal(film->n_branches, i + 1);
    }
    assert_false(film_fork(film, 0, film_frame_at(film, 0, 5), &same, &error));
    assert_int_equal(error.kind, ERR_LIMIT);
    film_free(film);
}

static void test_film__after_the_last_step_there_is_no_branch(void **state)
{
    (void)state;
    struct film *film = film_of(&small);
    struct error error;
    const struct film_change change = {.lr = 0.1};
    advance_to_end(film);
    size_t n = film_count(film_newest(film));
    assert_false(film_fork(film, 0, film_frame_at(film, 0, n), &change, &error));
    assert_int_equal(error.kind, ERR_RANGE);
    assert_int_equal(film->n_branches, 1);
    assert_true(film_fork(film, 0, film_frame_at(film, 0, n - 1), &change, &error));
    film_free(film);
}

static void test_film__changes_are_read(void **state)
{
    (void)state;
    static const char *const wrong[] = {"lr",      "lr fast",  "lr -1",     "lr nan", "seed x",
                                        "seed -1", "seed 1.5", "rate 1e-2", "task"};
    struct film_change change;
    struct error error;
    assert_true(film_change_parse("  seed=5 task fixed,lr = 1e-2 ", &change, &error));
    assert_true(change.has_seed && change.seed == 5);
    assert_close(change.lr, 0.01, 1e-12);
    assert_string_equal(change.task, "fixed");
    assert_true(film_change_parse("", &change, &error));
    assert_true(change.lr == 0 && !change.has_seed && change.task[0] == '\0');
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_error(film_change_parse(wrong[i], &change, &error), error, ERR_SYNTAX);
}

/* ---- files ---- */

static char folder[] = "/tmp/attn-film-XXXXXX", path[64];

static int make_folder(void **state)
{
    (void)state;
    memcpy(strrchr(folder, '-') + 1, "XXXXXX", 6);
    snprintf(path, sizeof path, "%s/film", mkdtemp(folder));
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void test_film__comes_back_from_a_file(void **state)
{
    (void)state;
    struct film *film = film_of(&small), *read;
    struct error error;
    advance_to(film, 40);
    assert_true(film_save(film, path, &error));
    assert_true(film_open(path, NULL, NULL, &read, &error));
    assert_int_equal(film_count(&read->branches[0]), 40);
    for (size_t step = 1; step <= 40; step++)
        assert_close(film_loss(read, 0, step), film_loss(film, 0, step), 0);
    assert_int_equal(read->branches[0].n_frames, film->branches[0].n_frames);
    for (size_t i = 0; i < read->branches[0].n_frames; i++) {
        const struct film_frame *a = &read->branches[0].frames[i],
                                *b = &film->branches[0].frames[i];
        assert_int_equal(a->step, b->step);
        assert_same_weights(film, a->weights, b->weights);
        assert_close(a->held_out.right, b->held_out.right, 1e-6);
    }
    /* Both go on to the same end. */
    advance_to_end(film);
    advance_to_end(read);
    assert_same_weights(film, film_frame_at(film, 0, 60)->weights,
                        film_frame_at(read, 0, 60)->weights);
    film_free(film);
    film_free(read);
}

/* Cut short anywhere, or something else: refused, and nothing is left behind. */
static void test_film__refuses_other_files(void **state)
{
    (void)state;
    struct film *film = film_of(&small), *read;
    struct error error;
    advance_to(film, 10);
    assert_true(film_save(film, path, &error));
    FILE *file = fopen(path, "r");
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    fclose(file);
    for (int i = 9; i >= 0; i--) {
        assert_int_equal(truncate(path, size * i / 10), 0);
        assert_false(film_open(path, NULL, NULL, &read, &error));
        assert_int_equal(error.kind, ERR_FILE);
    }
    assert_true(trainer_save(film->training->trainer, path, "{}", &error));
    assert_false(film_open(path, NULL, NULL, &read, &error));
    assert_says(error, "is not a film");
    assert_false(film_save(film, "/nowhere/at/all/film", &error));
    film_free(film);
}

static void test_film__reports_failed_allocations(void **state)
{
    (void)state;
    struct film *film = film_of(&small), *read;
    struct error error;
    advance_to(film, 4);
    const struct film_change change = {.task = "fixed"};
    assert_reports_failed_allocations(
        film_fork(film, 0, film_frame_at(film, 0, 3), &change, &error), error);
    assert_reports_failed_allocations(film_save(film, path, &error), error);
    assert_reports_failed_allocations(film_open(path, NULL, NULL, &read, &error), error);
    film_free(film);
    film_free(read);
}

/* ---- the film that ships ---- */

enum { NUMBERS = 113 };

/* All sums of two numbers, each with the sign = behind it. */
static struct node *all_sums(struct graph *graph)
{
    struct tensor ids;
    struct error error;
    assert_true(tensor_empty(2, (size_t[]){NUMBERS * NUMBERS, 3}, &ids, &error));
    for (size_t i = 0; i < (size_t)NUMBERS * NUMBERS; i++) {
        ids.data[3 * i] = (float)(i / NUMBERS);
        ids.data[3 * i + 1] = (float)(i % NUMBERS);
        ids.data[3 * i + 2] = NUMBERS;
    }
    return node_input(graph, &ids, "sums", 4, &error);
}

/* The share of all sums that the model of a snapshot has right. */
static double share_of_sums(const struct film *film, const struct film_frame *frame)
{
    struct graph graph = {.last_id = 0};
    struct error error;
    size_t n_right = 0;
    struct model *model = film_model(film, frame, &graph, &error);
    struct node *ids = all_sums(&graph);
    struct run *run = run_new(&graph, model, ids, NULL, &error);
    const struct node *logits = run_logits(run, &error);
    assert_non_null(logits);
    for (size_t i = 0; i < (size_t)NUMBERS * NUMBERS; i++) {
        size_t right = (i / NUMBERS + i % NUMBERS) % NUMBERS, best = 0;
        for (size_t k = 1; k <= NUMBERS; k++)
            if (tensor_at(&logits->value, (size_t[]){i, 2, k}) >
                tensor_at(&logits->value, (size_t[]){i, 2, best}))
                best = k;
        n_right += best == right;
    }
    run_free(run);
    node_free(ids);
    model_free(model);
    return (double)n_right / (NUMBERS * NUMBERS);
}

/* First the sums of the training are learnt by heart, some 30 % of all; then the rule. */
static void test_film__the_one_that_ships_shows_a_rule_found_late(void **state)
{
    (void)state;
    struct film *film;
    struct error error;
    char shipped[4200];
    size_t n_by_heart = 0;
    snprintf(shipped, sizeof shipped, "%s/assets/films/modular.film", getenv("ATTN_DATA_DIR"));
    if (!film_open(shipped, NULL, NULL, &film, &error))
        fail_msg("%s", error.text);
    const struct film_branch *branch = &film->branches[0];
    /* All 9,409 sums of a snapshot take a while. */
    for (size_t i = 1; i < branch->n_frames; i += 2) {
        const struct film_frame *frame = &branch->frames[i];
        if (!(film_loss(film, 0, frame->step) < 0.3))
            continue;
        double right = share_of_sums(film, frame);
        n_by_heart += right < 0.4;
        assert_true(fabs((right - 0.3) / 0.7 - frame->held_out.right) < 0.05);
    }
    assert_true(n_by_heart >= 3);
    assert_true(share_of_sums(film, &branch->frames[branch->n_frames - 1]) > 0.99);
    film_free(film);
}

/* Where something happened: the first snapshot that had learnt so much. */
static void test_film__knows_when_so_much_was_right(void **state)
{
    (void)state;
    struct film *film;
    struct error error;
    char shipped[4200];
    snprintf(shipped, sizeof shipped, "%s/assets/films/modular.film", getenv("ATTN_DATA_DIR"));
    if (!film_open(shipped, NULL, NULL, &film, &error))
        fail_msg("%s", error.text);
    const struct film_frame *half = film_frame_right(film, 0, 0.5);
    const struct film_frame *most = film_frame_right(film, 0, 0.99);
    assert_non_null(half);
    assert_non_null(most);
    assert_true(half->step <= most->step && half->held_out.right >= 0.5);
    assert_true(film_frame_at(film, 0, half->step - 1)->held_out.right < 0.5);
    assert_null(film_frame_right(film, 0, 0));   /* it had that from the start */
    assert_null(film_frame_right(film, 0, 1.1)); /* nobody has that */
    film_free(film);
}

int main(void)
{
#define FILE_TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_film__snapshots_are_the_bits_of_a_training_that_stopped_there),
        cmocka_unit_test(test_film__models_of_snapshots_are_as_measured),
        cmocka_unit_test(test_film__keeps_little),
        cmocka_unit_test(test_film__branches_with_the_same_settings_are_the_same),
        cmocka_unit_test(test_film__branches_differ_from_where_they_begin),
        cmocka_unit_test(test_film__branches_take_other_data),
        cmocka_unit_test(test_film__branches_are_few),
        cmocka_unit_test(test_film__after_the_last_step_there_is_no_branch),
        cmocka_unit_test(test_film__changes_are_read),
        FILE_TEST(test_film__comes_back_from_a_file),
        FILE_TEST(test_film__refuses_other_files),
        FILE_TEST(test_film__reports_failed_allocations),
        cmocka_unit_test(test_film__the_one_that_ships_shows_a_rule_found_late),
        cmocka_unit_test(test_film__knows_when_so_much_was_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
