/* Strips of films: which moments they show, and that they fit. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "show/backend.h"
#include "show/doc.h"
#include "show/matrix.h"
#include "train/film_strip.h"

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

static void advance(struct film *film)
{
    struct error error;
    while (!film_is_done(film))
        assert_true(film_advance(film, &error));
}

/* The strip as lines of text. */
static void show(const struct film *film, size_t width_cols, bool ascii, struct doc *out)
{
    struct error error;
    const struct show_options options = {
        .width_cols = width_cols, .digits = 4, .ascii = ascii, .colour = !ascii};
    doc_init(out);
    if (!film_strip_show(film, &options, out, &error))
        fail_msg("%s", error.text);
}

/* The steps behind each "step " of the text. Returns how many. */
static size_t steps_of(const struct doc *doc, size_t steps[FILM_STRIP_MOMENTS + 1])
{
    size_t n = 0;
    struct text text = {0};
    doc_to_plain(doc, &text);
    const char *at = text_string(&text);
    while ((at = strstr(at, "step ")) != NULL && n <= FILM_STRIP_MOMENTS) {
        at += strlen("step ");
        if (text_is_digit(*at) && sscanf(at, "%zu", &steps[n]) == 1)
            n++;
    }
    text_release(&text);
    return n;
}

/* From the first step to the last; between them the loss goes down. */
static void test_film_strip__shows_moments_of_the_fall(void **state)
{
    (void)state;
    const struct training_plan plan = {.task = "previous", .seed = 1};
    struct film *film = film_of(&plan);
    struct doc out;
    size_t steps[FILM_STRIP_MOMENTS + 1];
    advance(film);
    show(film, 80, true, &out);
    size_t n = steps_of(&out, steps);
    assert_in_range(n, 4, FILM_STRIP_MOMENTS);
    assert_int_equal(steps[0], 0);
    assert_int_equal(steps[n - 1], film->branches[0].plan.n_steps > 0
                                       ? film->branches[0].plan.n_steps
                                       : film->branches[0].recipe.n_steps);
    for (size_t i = 1; i < n; i++) {
        const struct film_frame *before = film_frame_at(film, 0, steps[i - 1]);
        const struct film_frame *here = film_frame_at(film, 0, steps[i]);
        assert_true(steps[i] > steps[i - 1]);
        assert_int_equal(here->step, steps[i]);
        assert_true(i + 1 == n || here->held_out.loss < before->held_out.loss);
    }
    doc_release(&out);
    film_free(film);
}

/* Six beside each other where there is room; never wider than what there is, and from 80 columns on
 * no higher than three screens of 24 rows. */
static void check_fits(bool ascii)
{
    const struct training_plan plan = {
        .task = "induction", .seed = 2, .n_steps = 24, .d_model = 16, .lr = 0.01, .batch = 4};
    struct film *film = film_of(&plan);
    advance(film);
    for (size_t width = 20; width <= 240; width += 10) {
        struct doc out;
        show(film, width, ascii, &out);
        assert_in_range(doc_width(&out), 1, width);
        assert_true(width < 80 || doc_count_lines(&out) <= 3 * 24);
        doc_release(&out);
    }
    film_free(film);
}

static void test_film_strip__fits(void **state)
{
    (void)state;
    check_fits(true);
    check_fits(false);
}

static void test_film_strip__needs_a_snapshot(void **state)
{
    (void)state;
    const struct training_plan plan = {.task = "previous", .n_steps = 4};
    const struct show_options options = {.width_cols = 80, .digits = 4};
    struct film *film = film_of(&plan);
    struct error error;
    struct doc out;
    doc_init(&out);
    assert_error(film_strip_show(film, &options, &out, &error), error, ERR_RANGE);
    doc_release(&out);
    film_free(film);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_film_strip__shows_moments_of_the_fall),
        cmocka_unit_test(test_film_strip__fits),
        cmocka_unit_test(test_film_strip__needs_a_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
