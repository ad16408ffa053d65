/* task/task.h: every task against answers that are found here in another way. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "task/task.h"

enum { ROWS = 400, BATCHES = 5, MOST = TASK_MOST_WIDTH };

/* ---- the answers, by brute force: what a person would do, one place at a time ---- */

static int32_t previous_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    (void)task;
    (void)width;
    return at == 0 ? BATCH_IGNORED : x[at - 1];
}

/* How many tokens stand before the last token of the vocabulary; width when it is not there. */
static size_t n_before_sign(const struct task *task, const int32_t *x, size_t width, int back)
{
    for (size_t i = 0; i < width; i++)
        if (x[i] == (int32_t)task->n_tokens - back)
            return i;
    return width;
}

static int32_t reverse_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    size_t n = n_before_sign(task, x, width, 1);
    return at < n ? BATCH_IGNORED : x[2 * n - 1 - at];
}

static int32_t maximum_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    int32_t best = 0;
    if (at != n_before_sign(task, x, width, 1))
        return BATCH_IGNORED;
    for (size_t i = 0; i < at; i++)
        best = x[i] > best ? x[i] : best;
    return best;
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

static int32_t sort_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    int32_t sorted[MOST];
    size_t n = n_before_sign(task, x, width, 1);
    memcpy(sorted, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    return at < n ? BATCH_IGNORED : sorted[at - n];
}

static int32_t recall_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    int32_t found = BATCH_IGNORED;
    (void)task;
    for (size_t i = 0; at == width - 1 && i + 1 < width; i += 2)
        if (x[i] == x[at])
            found = x[i + 1];
    return found;
}

/* The shortest step after which the whole sequence repeats. */
static int32_t induction_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    size_t period = 1;
    (void)task;
    while (period < width && memcmp(x, x + period, (width - period) * sizeof *x) != 0)
        period++;
    return at < period ? BATCH_IGNORED : x[(at + 1) % period];
}

/* Pairs () are taken out until none is left. */
static int32_t brackets_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    char left[MOST] = "";
    (void)task;
    for (size_t i = 1; i < width; i++)
        left[i - 1] = x[i] == 0 ? '(' : ')';
    for (char *pair; (pair = strstr(left, "()")) != NULL;)
        memmove(pair, pair + 2, strlen(pair + 2) + 1);
    return at > 0 ? BATCH_IGNORED : left[0] == '\0' ? 3 : 4;
}

static int32_t modular_at(const struct task *task, const int32_t *x, size_t width, size_t at)
{
    int32_t sum = x[0] + x[1];
    (void)width;
    return at < 2 ? BATCH_IGNORED : sum >= (int32_t)task->n_numbers ? sum - 113 : sum;
}

static const struct {
    const char *name;
    int32_t (*answer_at)(const struct task *task, const int32_t *x, size_t width, size_t at);
} brute_force[] = {
    {"previous", previous_at}, {"reverse", reverse_at}, {"maximum", maximum_at},
    {"sort", sort_at},         {"recall", recall_at},   {"induction", induction_at},
    {"brackets", brackets_at}, {"fixed", induction_at}, {"modular", modular_at},
};

/* ---- batches of every task ---- */

struct trial {
    const struct task *task;
    enum split split;
    uint64_t number;
    struct batch batch;
};

static void for_each_batch(void (*check)(const struct trial *trial))
{
    for (size_t i = 0; i < n_tasks; i++)
        for (int split = 0; split < SPLIT_COUNT; split++)
            for (uint64_t number = 0; number < BATCHES; number++) {
                struct error error = {0};
                struct trial trial = {&tasks[i], (enum split)split, number, {0}};
                if (split == SPLIT_UNTRAINED && tasks[i].untrained.n == 0)
                    continue;
                if (!task_batch(trial.task, trial.split, 7, number, ROWS, &trial.batch, &error))
                    fail_msg("%s: %s", tasks[i].name, error.text);
                check(&trial);
                batch_release(&trial.batch);
            }
}

static void check_answers(const struct trial *trial)
{
    size_t task = 0, width = trial->batch.width;
    while (strcmp(brute_force[task].name, trial->task->name) != 0)
        assert_true(++task < sizeof brute_force / sizeof *brute_force);
    for (size_t row = 0; row < trial->batch.n_rows; row++)
        for (size_t at = 0; at < width; at++) {
            const int32_t *inputs = trial->batch.inputs + row * width;
            assert_int_equal(trial->batch.targets[row * width + at],
                             brute_force[task].answer_at(trial->task, inputs, width, at));
        }
}

static void test_task__targets_are_what_brute_force_finds(void **state)
{
    (void)state;
    for_each_batch(check_answers);
}

static void check_splits(const struct trial *trial)
{
    const struct task *task = trial->task;
    for (size_t row = 0; row < trial->batch.n_rows; row++) {
        const int32_t *inputs = trial->batch.inputs + row * trial->batch.width;
        bool held_out = task_holds_out(task, inputs, trial->batch.width);
        assert_int_equal(held_out, trial->split != SPLIT_TRAINING);
    }
}

static void test_task__training_never_draws_what_is_held_out(void **state)
{
    (void)state;
    for_each_batch(check_splits);
}

static void check_tokens(const struct trial *trial)
{
    const struct task *task = trial->task;
    assert_in_range(trial->batch.width, 2, task->context);
    for (size_t i = 0; i < trial->batch.n_rows * trial->batch.width; i++) {
        assert_in_range(trial->batch.inputs[i], 0, task->n_tokens - 1);
        if (trial->batch.targets[i] != BATCH_IGNORED)
            assert_in_range(trial->batch.targets[i], 0, task->n_tokens - 1);
    }
}

static void test_task__tokens_are_of_the_vocabulary(void **state)
{
    (void)state;
    for_each_batch(check_tokens);
}

static void check_again(const struct trial *trial)
{
    struct batch again;
    struct error error;
    size_t bytes = trial->batch.n_rows * trial->batch.width * sizeof *again.inputs;
    assert_true(task_batch(trial->task, trial->split, 7, trial->number, ROWS, &again, &error));
    assert_memory_equal(again.inputs, trial->batch.inputs, bytes);
    assert_memory_equal(again.targets, trial->batch.targets, bytes);
    batch_release(&again);
    assert_true(task_batch(trial->task, trial->split, 8, trial->number, ROWS, &again, &error));
    if (again.width == trial->batch.width)
        assert_memory_not_equal(again.inputs, trial->batch.inputs, bytes);
    batch_release(&again);
}

static void test_task__a_batch_is_made_of_its_seed_and_number_alone(void **state)
{
    (void)state;
    for_each_batch(check_again);
}

/* The lengths are told by the width, or by the period. */
static bool has_period(const struct task *task)
{
    return strcmp(task->name, "induction") == 0 || strcmp(task->name, "fixed") == 0;
}

static unsigned length_of(const struct task *task, const int32_t *inputs, size_t width)
{
    unsigned length =
        task->width_each > 0 ? ((unsigned)width - task->width_beside) / task->width_each : 1;
    while (has_period(task) && inputs[length] != inputs[0])
        length++;
    return length;
}

static void check_lengths(const struct trial *trial)
{
    const struct task *task = trial->task;
    for (size_t row = 0; row < trial->batch.n_rows; row++) {
        unsigned length =
            length_of(task, trial->batch.inputs + row * trial->batch.width, trial->batch.width);
        bool trained = false, untrained = false;
        for (unsigned i = 0; i < task->trained.n; i++)
            trained |= task->trained.items[i] == length;
        for (unsigned i = 0; i < task->untrained.n; i++)
            untrained |= task->untrained.items[i] == length;
        assert_int_equal(trained, trial->split != SPLIT_UNTRAINED);
        assert_int_equal(untrained, trial->split == SPLIT_UNTRAINED);
    }
}

static void test_task__untrained_lengths_are_never_trained(void **state)
{
    (void)state;
    for_each_batch(check_lengths);
}

/* All lengths that are trained come, and all that are not. */
static void test_task__every_length_comes(void **state)
{
    (void)state;
    const struct task *task = task_find("induction", NULL);
    unsigned counts[MOST] = {0};
    for (int split = SPLIT_TRAINING; split <= SPLIT_UNTRAINED; split += 2) {
        struct batch batch;
        struct error error;
        assert_true(task_batch(task, (enum split)split, 1, 0, 2000, &batch, &error));
        for (size_t row = 0; row < batch.n_rows; row++)
            counts[length_of(task, batch.inputs + row * batch.width, batch.width)]++;
        batch_release(&batch);
    }
    for (unsigned length = 6; length <= 16; length++)
        assert_in_range(counts[length], 100, 300); /* 182 on average */
    for (unsigned i = 0; i < task->untrained.n; i++)
        assert_in_range(counts[task->untrained.items[i]], 200, 500); /* 333 */
}

static void test_task__half_of_the_brackets_are_balanced(void **state)
{
    (void)state;
    const struct task *task = task_find("brackets", NULL);
    for (int split = 0; split < SPLIT_COUNT; split++) {
        struct batch batch;
        struct error error;
        size_t n_yes = 0;
        assert_true(task_batch(task, (enum split)split, 5, 1, 2000, &batch, &error));
        for (size_t row = 0; row < batch.n_rows; row++)
            n_yes += batch.targets[row * batch.width] == 3;
        assert_in_range(n_yes, 700, 1300);
        batch_release(&batch);
    }
}

/* There are 1430 of 16 brackets (Catalan's numbers), and 12,769 sums. */
static void test_task__all_sequences_are_drawn(void **state)
{
    (void)state;
    const struct task *task = task_find("modular", NULL);
    static unsigned char seen[113][113];
    size_t n_trained = 0, n_held_out = 0;
    for (int split = 0; split < 2; split++) {
        struct batch batch;
        struct error error;
        assert_true(task_batch(task, (enum split)split, 5, 1, 200000, &batch, &error));
        for (size_t row = 0; row < batch.n_rows; row++)
            seen[batch.inputs[3 * row]][batch.inputs[3 * row + 1]] |= (unsigned char)(1 << split);
        batch_release(&batch);
    }
    for (size_t a = 0; a < 113; a++)
        for (size_t b = 0; b < 113; b++) {
            n_trained += seen[a][b] == 1;
            n_held_out += seen[a][b] == 2;
        }
    assert_int_equal(n_trained + n_held_out, 113 * 113);
    assert_in_range(n_trained, 3600, 4060); /* 30 % is 3831 */
}

/* ---- one length, one row ---- */

static void test_task__of_one_length(void **state)
{
    (void)state;
    struct batch batch;
    struct error error;
    const struct task *task = task_find("reverse", NULL);
    assert_true(task_batch_of_length(task, SPLIT_HELD_OUT, 5, 1, 0, 3, &batch, &error));
    assert_int_equal(batch.width, 10);
    assert_int_equal(batch.n_rows, 3);
    batch_release(&batch);
    assert_error(task_batch_of_length(task, SPLIT_TRAINING, 5, 1, 0, 3, &batch, &error), error,
                 ERR_RANGE);
    assert_says(error, "not trained with 5 tokens");
    assert_error(task_batch_of_length(task, SPLIT_HELD_OUT, 9, 1, 0, 3, &batch, &error), error,
                 ERR_RANGE);
    assert_says(error, "reverse has 2 to 8 tokens, not 9");
    task = task_find("brackets", NULL);
    assert_error(task_batch_of_length(task, SPLIT_HELD_OUT, 7, 1, 0, 3, &batch, &error), error,
                 ERR_RANGE);
    assert_says(error, "an even number");
    assert_error(task_batch(task, SPLIT_HELD_OUT, 1, 0, 0, &batch, &error), error, ERR_LIMIT);
    assert_error(task_batch(task_find("modular", NULL), SPLIT_UNTRAINED, 1, 0, 4, &batch, &error),
                 error, ERR_RANGE);
}

/* Every length that a task says it has can be drawn, and is as wide as the task says. */
static void test_task__all_lengths_can_be_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tasks; i++)
        for (unsigned n = tasks[i].shortest; n <= tasks[i].longest; n += tasks[i].every) {
            struct batch batch;
            struct error error = {0};
            if (!task_batch_of_length(&tasks[i], SPLIT_HELD_OUT, n, 3, 0, 20, &batch, &error))
                fail_msg("%s", error.text);
            assert_int_equal(batch.width, task_width(&tasks[i], n));
            batch_release(&batch);
        }
}

static void test_task__answers_to_any_inputs(void **state)
{
    (void)state;
    int32_t targets[MOST];
    struct error error;
    const struct task *task = task_find("induction", NULL);
    const int32_t inputs[] = {3, 1, 2, 9, 1, 2, 1};
    const int32_t want[] = {-100, -100, -100, -100, 2, 9, 2};
    assert_true(task_answer(task, inputs, 7, targets, &error));
    assert_memory_equal(targets, want, sizeof want);
    const int32_t bad[] = {3, 32};
    assert_error(task_answer(task, bad, 2, targets, &error), error, ERR_RANGE);
    assert_says(error, "not 32");
    assert_error(task_answer(task, inputs, 33, targets, &error), error, ERR_RANGE);
}

/* Whatever the tokens are: nothing is read or written outside, which the sanitizers see. */
static void test_task__answers_to_nonsense(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (size_t i = 0; i < n_tasks; i++)
        for (unsigned trial = 0; trial < 2000; trial++) {
            size_t width = testing_between(&seed, 0, tasks[i].context);
            int32_t *inputs = malloc((width + 1) * sizeof *inputs);
            int32_t *targets = malloc((width + 1) * sizeof *targets);
            struct error error;
            for (size_t k = 0; k < width; k++)
                inputs[k] = (int32_t)testing_between(&seed, 0, tasks[i].n_tokens - 1);
            assert_true(task_answer(&tasks[i], inputs, width, targets, &error));
            free(inputs);
            free(targets);
        }
}

static void assert_shown(const char *name, const int32_t *tokens, size_t width, const char *want)
{
    struct text text = {0};
    task_show(task_find(name, NULL), tokens, width, &text);
    assert_string_equal(text_string(&text), want);
    text_release(&text);
}

static void test_task__is_readable(void **state)
{
    (void)state;
    assert_shown("reverse", (int32_t[]){0, 2, 15, 16, 15, -100}, 6, "a c p | p .");
    assert_shown("brackets", (int32_t[]){2, 0, 1, 3, 4}, 5, "?   (   )   yes no");
    assert_shown("modular", (int32_t[]){100, 7, 113}, 3, "100 7   =");
    assert_shown("recall", (int32_t[]){31, 16}, 2, "= 0");
}

/* No two tokens of a task have one name, and there is a name for each. */
static void test_task__tokens_have_different_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tasks; i++)
        for (int32_t a = 0; a < (int32_t)tasks[i].n_tokens; a++)
            for (int32_t b = BATCH_IGNORED; b < a; b = b < 0 ? 0 : b + 1) {
                char one[TASK_SYMBOL_BYTES], other[TASK_SYMBOL_BYTES];
                task_symbol(&tasks[i], a, one);
                assert_true(one[0] != '\0');
                assert_string_not_equal(one, task_symbol(&tasks[i], b, other));
            }
}

static void test_task__misspelt_names_are_told(void **state)
{
    (void)state;
    struct error error;
    assert_string_equal(task_find("sort", &error)->name, "sort");
    assert_null(task_find("reverze", &error));
    assert_int_equal(error.kind, ERR_NAME);
    assert_says(error, "did you mean reverse");
    assert_null(task_find("xyzzy\x1b", &error));
    assert_says(error, "'xyzzy?'");
}

static void test_task__reports_failed_allocations(void **state)
{
    (void)state;
    struct batch batch;
    struct error error;
    assert_reports_failed_allocations(
        task_batch(&tasks[0], SPLIT_TRAINING, 1, 1, 4, &batch, &error), error);
    batch_release(&batch);
}

/* What a recipe trains, counted by the shapes of GPT-2 without biases at the end: the embeddings of
 * tokens and places, in each layer a norm, q k v and what joins the heads, perhaps an MLP with a
 * norm, and the way back to tokens. */
static size_t n_trained(const struct task *task)
{
    const struct recipe *recipe = &task->recipe;
    size_t d = recipe->d_model, mlp = recipe->d_mlp, norm = recipe->norm[0] == 'p' ? 2 * d : 0;
    size_t attention = norm + d * 3 * d + 3 * d + d * d + d;
    size_t layer = attention + (mlp > 0 ? norm + d * mlp + mlp + mlp * d + d : 0);
    return 2 * task->n_tokens * d + task->context * d + recipe->n_layers * layer + norm;
}

/* The numbers of the models that were measured: vocabulary and context are theirs. */
static void test_task__recipes_train_the_models_that_were_measured(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n;
    } known[] = {{"previous", 6912}, {"reverse", 5952},    {"maximum", 6688},   {"sort", 12000},
                 {"recall", 11104},  {"induction", 11712}, {"brackets", 18016}, {"fixed", 11712}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(n_trained(task_find(known[i].name, NULL)), known[i].n);
    for (size_t i = 0; i < n_tasks; i++) {
        const struct recipe *recipe = &tasks[i].recipe;
        assert_int_equal(recipe->d_model % recipe->n_heads, 0);
        assert_true(recipe->n_steps > 0 && recipe->batch > 0 && recipe->schedule.lr > 0);
        assert_true((recipe->d_mlp > 0) == (recipe->activation != NULL));
    }
}

/* Batches must stay as they are: a run that goes on, or is looked at again, draws them anew. */
static void test_task__sequences_are_those_of_before(void **state)
{
    (void)state;
    static const char *const first_rows[] = {
        "K g B O H D O d F I c a m L g m",
        "k g b o h d o d | d o d h o b g",
        "7  28 8  3  28 0  5  22 ?",
        "10 6  1  14 7  3  14 3  |  1  3  3  6  7  10 14",
        "k * e 3 l 5 d 8 n 2 c 0 l",
        "l F e G o i O k D j g n l F e G o i O k D j g n l F e G o i O k",
        "l F e G o i O k D j g n a J l F e G o i O k D j g n a J l F e G",
        "?   (   (   (   )   (   )",
        "86  94  =",
    };
    assert_int_equal(n_tasks, sizeof first_rows / sizeof *first_rows);
    for (size_t i = 0; i < n_tasks; i++) {
        struct batch batch;
        struct error error;
        assert_true(task_batch(&tasks[i], SPLIT_TRAINING, 1, 0, 2, &batch, &error));
        assert_shown(tasks[i].name, batch.inputs, batch.width, first_rows[i]);
        batch_release(&batch);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_task__targets_are_what_brute_force_finds),
        cmocka_unit_test(test_task__training_never_draws_what_is_held_out),
        cmocka_unit_test(test_task__tokens_are_of_the_vocabulary),
        cmocka_unit_test(test_task__a_batch_is_made_of_its_seed_and_number_alone),
        cmocka_unit_test(test_task__untrained_lengths_are_never_trained),
        cmocka_unit_test(test_task__every_length_comes),
        cmocka_unit_test(test_task__half_of_the_brackets_are_balanced),
        cmocka_unit_test(test_task__all_sequences_are_drawn),
        cmocka_unit_test(test_task__of_one_length),
        cmocka_unit_test(test_task__all_lengths_can_be_drawn),
        cmocka_unit_test(test_task__answers_to_any_inputs),
        cmocka_unit_test(test_task__answers_to_nonsense),
        cmocka_unit_test(test_task__is_readable),
        cmocka_unit_test(test_task__tokens_have_different_names),
        cmocka_unit_test(test_task__misspelt_names_are_told),
        cmocka_unit_test(test_task__reports_failed_allocations),
        cmocka_unit_test(test_task__recipes_train_the_models_that_were_measured),
        cmocka_unit_test(test_task__sequences_are_those_of_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
