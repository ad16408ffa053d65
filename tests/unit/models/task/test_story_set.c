/* task/story.h: many stories */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "task/story.h"

static struct grammar grammar;

static int open_grammar(void **state)
{
    struct error error = {0};
    (void)state;
    if (!grammar_open(getenv("ATTN_DATA_DIR"), "stories", &grammar, &error))
        fail_msg("%s", error.text);
    return 0;
}

static int close_grammar(void **state)
{
    (void)state;
    grammar_release(&grammar);
    return 0;
}

static struct story_set drawn(enum split split, uint64_t seed, size_t n)
{
    struct story_set set;
    struct error error = {0};
    if (!story_set_draw(&grammar, split, seed, n, &set, &error))
        fail_msg("%s", error.text);
    return set;
}

static size_t length_of(const struct story_set *set, size_t story)
{
    return set->begin[story + 1] - set->begin[story];
}

static void test_story_set__is_made_of_its_seed_alone(void **state)
{
    (void)state;
    struct story_set few = drawn(SPLIT_TRAINING, 5, 100), many = drawn(SPLIT_TRAINING, 5, 300);
    struct story_set other = drawn(SPLIT_TRAINING, 6, 100);
    assert_int_equal(few.n, 100);
    assert_memory_equal(few.begin, many.begin, 101 * sizeof *few.begin);
    assert_memory_equal(few.tokens, many.tokens, few.begin[100] * sizeof *few.tokens);
    assert_memory_equal(few.first_question, many.first_question, 101 * sizeof *few.first_question);
    assert_memory_not_equal(few.tokens, other.tokens, 100 * sizeof *few.tokens);
    for (size_t i = 0; i < many.n; i++) {
        assert_int_equal(many.tokens[many.begin[i]], TOKEN_START);
        assert_int_equal(many.tokens[many.begin[i + 1] - 1], TOKEN_END);
    }
    story_set_release(&few);
    story_set_release(&many);
    story_set_release(&other);
}

/* A saved run draws its stories again: they must not change by accident. */
static void test_story_set__stories_are_those_of_before(void **state)
{
    (void)state;
    struct story_set set = drawn(SPLIT_TRAINING, 1, 1);
    struct text text = {0};
    story_show(&grammar, set.tokens, set.begin[1], &text);
    assert_string_equal(text_string(&text),
                        "emma fisher went to the garage with jack brown . the lion sat by the "
                        "clock because it was useful . so the clock ticked .");
    text_release(&text);
    story_set_release(&set);
}

/* ---- batches ---- */

static void test_story_order__each_story_comes_once_in_a_pass(void **state)
{
    (void)state;
    enum { N = 5003, BATCH = 32 };
    struct story_set set = drawn(SPLIT_TRAINING, 1, N);
    unsigned *n_times = calloc(N, sizeof *n_times);
    struct story_order orders[2];
    struct error error;
    for (uint64_t pass = 0; pass < 2; pass++) {
        assert_true(story_order_draw(&set, BATCH, 9, pass, &orders[pass], &error));
        assert_int_equal(orders[pass].n_batches, N / BATCH);
        for (size_t i = 0; i < N / BATCH * BATCH; i++)
            n_times[orders[pass].stories[i]]++;
        for (size_t i = 0; i < N; i++)
            assert_true(n_times[i] <= pass + 1);
    }
    assert_memory_not_equal(orders[0].stories, orders[1].stories, 1000 * sizeof(uint32_t));
    story_order_release(&orders[0]);
    story_order_release(&orders[1]);
    free(n_times);
    story_set_release(&set);
}

/* What is filled up is little, and batches do not come sorted. */
static void test_story_order__batches_have_one_length_nearly(void **state)
{
    (void)state;
    enum { N = 6400, BATCH = 32 };
    struct story_set set = drawn(SPLIT_TRAINING, 1, N);
    struct story_order order;
    struct error error;
    size_t n_places = 0, n_counting = 0, n_shorter = 0, before = 0;
    assert_true(story_order_draw(&set, BATCH, 9, 0, &order, &error));
    for (size_t at = 0; at < order.n_batches; at++) {
        struct batch batch;
        assert_true(story_order_batch(&set, &order, at, &batch, &error));
        n_places += batch.n_rows * batch.width;
        for (size_t i = 0; i < batch.n_rows * batch.width; i++)
            n_counting += batch.targets[i] != BATCH_IGNORED;
        n_shorter += batch.width < before;
        before = batch.width;
        batch_release(&batch);
    }
    assert_int_equal(n_counting, set.begin[N] - N);
    assert_true(n_places < n_counting * 104 / 100);
    assert_in_range(n_shorter, order.n_batches / 4, order.n_batches * 3 / 4);
    story_order_release(&order);
    story_set_release(&set);
}

static void test_story_order__rows_are_stories(void **state)
{
    (void)state;
    struct story_set set = drawn(SPLIT_TRAINING, 1, 200);
    struct story_order order;
    struct batch batch;
    struct error error;
    assert_true(story_order_draw(&set, 8, 9, 0, &order, &error));
    assert_true(story_order_batch(&set, &order, 3, &batch, &error));
    for (size_t row = 0; row < 8; row++) {
        size_t story = order.stories[3 * 8 + row], n = length_of(&set, story);
        const int32_t *tokens = set.tokens + set.begin[story];
        for (size_t i = 0; i < batch.width; i++) {
            assert_int_equal(batch.inputs[row * batch.width + i],
                             i < n - 1 ? tokens[i] : TOKEN_PAD);
            assert_int_equal(batch.targets[row * batch.width + i],
                             i < n - 1 ? tokens[i + 1] : BATCH_IGNORED);
        }
    }
    batch_release(&batch);
    story_order_release(&order);
    assert_error(story_order_draw(&set, 201, 9, 0, &order, &error), error, ERR_RANGE);
    assert_error(story_order_draw(&set, 0, 9, 0, &order, &error), error, ERR_RANGE);
    story_set_release(&set);
}

/* ---- questions ---- */

static void test_story_exam__asks_one_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"it", "she or he", "i or you", "agreement", "names"};
    assert_int_equal(grammar.n_kinds, sizeof kinds / sizeof *kinds);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct story_exam exam;
        struct error error = {0};
        if (!story_exam_draw(&grammar, SPLIT_HELD_OUT, kinds[kind], 3, 150, &exam, &error))
            fail_msg("%s", error.text);
        assert_int_equal(exam.n, 150);
        for (size_t i = 0; i < exam.n; i++) {
            const struct story_question *question = &exam.set.questions[exam.asked[i].question];
            const int32_t *tokens = exam.set.tokens + exam.set.begin[exam.asked[i].story];
            assert_string_equal(grammar.kinds[grammar.questions[question->form].kind], kinds[kind]);
            assert_int_equal(tokens[question->query + 1], question->answer);
            assert_int_equal(exam.asked[i].story, i);
        }
        story_exam_release(&exam);
    }
}

static void test_story_exam__of_twins(void **state)
{
    (void)state;
    struct story_exam exam;
    struct error error;
    assert_true(story_exam_draw_twins(&grammar, SPLIT_HELD_OUT, 3, 104, &exam, &error));
    assert_int_equal(exam.n, 208);
    for (size_t i = 0; i < exam.n; i += 2) {
        const struct story_question *one = &exam.set.questions[exam.asked[i].question];
        const struct story_question *other = &exam.set.questions[exam.asked[i + 1].question];
        assert_int_equal(one->answer, other->rival);
        assert_int_equal(one->query, other->query);
    }
    story_exam_release(&exam);
}

static void test_story_exam__knows_its_kinds(void **state)
{
    (void)state;
    struct story_exam exam;
    struct error error;
    assert_error(story_exam_draw(&grammar, SPLIT_HELD_OUT, "agreemnt", 3, 1, &exam, &error), error,
                 ERR_NAME);
    assert_says(error, "'agreemnt'; did you mean agreement");
}

static void test_story_set__reports_failed_allocations(void **state)
{
    (void)state;
    struct story_set set;
    struct story_order order;
    struct story_exam exam;
    struct error error;
    assert_reports_failed_allocations(story_set_draw(&grammar, SPLIT_TRAINING, 1, 60, &set, &error),
                                      error);
    assert_reports_failed_allocations(story_order_draw(&set, 7, 1, 0, &order, &error), error);
    assert_reports_failed_allocations(
        story_exam_draw_twins(&grammar, SPLIT_HELD_OUT, 1, 20, &exam, &error), error);
    story_exam_release(&exam);
    assert_reports_failed_allocations(
        story_exam_draw(&grammar, SPLIT_HELD_OUT, "it", 1, 20, &exam, &error), error);
    story_exam_release(&exam);
    story_order_release(&order);
    story_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_story_set__is_made_of_its_seed_alone),
        cmocka_unit_test(test_story_set__stories_are_those_of_before),
        cmocka_unit_test(test_story_order__each_story_comes_once_in_a_pass),
        cmocka_unit_test(test_story_order__batches_have_one_length_nearly),
        cmocka_unit_test(test_story_order__rows_are_stories),
        cmocka_unit_test(test_story_exam__asks_one_kind),
        cmocka_unit_test(test_story_exam__of_twins),
        cmocka_unit_test(test_story_exam__knows_its_kinds),
        cmocka_unit_test(test_story_set__reports_failed_allocations),
    };
    return cmocka_run_group_tests(tests, open_grammar, close_grammar);
}
