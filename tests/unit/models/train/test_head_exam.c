/* train/exam.h: many stories at once say what each of them says alone. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "task/story.h"
#include "tensor/tensor.h"
#include "train/exam.h"

enum { DRAWN = 60, LAYERS = 3, HEADS = 4 };

struct bench {
    struct grammar grammar;
    struct model *model;
    struct head_exam exam;
    struct error error;
};

static unsigned class_named(const struct bench *bench, const char *name)
{
    unsigned i = 0;
    while (i < bench->grammar.n_classes && strcmp(bench->grammar.classes[i].name, name) != 0)
        i++;
    assert_true(i < bench->grammar.n_classes);
    return i;
}

static void bench_open(struct bench *bench, const char *kind, const char *class, bool at_pronoun)
{
    char path[4096];
    const char *data = getenv("ATTN_DATA_DIR");
    assert_non_null(data);
    snprintf(path, sizeof path, "%s/assets/model", data);
    *bench = (struct bench){.model = model_open(path, &bench->error)};
    assert_non_null(bench->model);
    assert_true(grammar_open(data, "stories", &bench->grammar, &bench->error));
    const struct head_group group = {kind, class_named(bench, class), at_pronoun};
    assert_true(head_exam_open(&bench->grammar, bench->model, &group, 5, DRAWN, &bench->exam,
                               &bench->error));
}

static void bench_close(struct bench *bench)
{
    head_exam_close(&bench->exam);
    grammar_release(&bench->grammar);
    model_free(bench->model);
}

/* Question i alone, without the tokens after it. */
static struct run *run_alone(struct bench *bench, struct graph *graph, size_t i)
{
    const struct tensor *all = &bench->exam.run->ids->value;
    size_t n = (size_t)bench->exam.asked[i].query + 1;
    struct tensor ids;
    assert_true(tensor_empty(1, &n, &ids, &bench->error));
    for (size_t at = 0; at < n; at++)
        ids.data[at] = tensor_at(all, (size_t[]){i, at});
    struct node *node = node_input(graph, &ids, "story", 5, &bench->error);
    struct run *run = run_new(graph, bench->model, node, NULL, &bench->error);
    node_free(node);
    assert_non_null(run);
    return run;
}

static bool is_likeliest(const struct tensor *logits, int32_t answer)
{
    size_t last = logits->shape[0] - 1, best = 0;
    for (size_t i = 1; i < logits->shape[1]; i++)
        if (tensor_at(logits, (size_t[]){last, i}) > tensor_at(logits, (size_t[]){last, best}))
            best = i;
    return best == (size_t)answer;
}

/* Adds what one story says of every head. */
static void add_alone(struct bench *bench, size_t i, double looks[LAYERS * HEADS],
                      size_t right[LAYERS * HEADS])
{
    const struct story_question *asked = &bench->exam.asked[i];
    struct graph graph = {.last_id = 0};
    struct run *run = run_alone(bench, &graph, i);
    const struct tensor *ids = &run->ids->value;
    for (size_t at = 0; at < LAYERS * HEADS; at++) {
        const struct cut cut = {CUT_HEAD, at / HEADS, at % HEADS};
        struct node *weights = run_stage(run, STAGE_WEIGHTS, cut.layer, &bench->error);
        for (size_t key = 0; key < ids->shape[0]; key++)
            if (ids->data[key] == ids->data[asked->referent])
                looks[at] += (double)tensor_at(&weights->value,
                                               (size_t[]){cut.head, (size_t)asked->query, key});
        struct run *without = run_cut(run, &cut, 1, CUT_ZERO, NULL, &bench->error);
        right[at] += is_likeliest(&run_logits(without, &bench->error)->value, asked->answer);
        run_free(without);
    }
    run_free(run);
}

static void all_at_once_as_each_alone(const char *kind, const char *class, bool at_pronoun)
{
    double looks[LAYERS * HEADS] = {0};
    size_t right[LAYERS * HEADS] = {0};
    struct bench bench;
    struct tensor weights, losses;
    bench_open(&bench, kind, class, at_pronoun);
    assert_in_range(bench.exam.n, 5, DRAWN);
    for (size_t i = 0; i < bench.exam.n; i++) {
        assert_int_equal(bench.exam.asked[i].query == bench.exam.asked[i].pronoun, at_pronoun);
        add_alone(&bench, i, looks, right);
    }
    assert_true(head_exam_looks(&bench.exam, &weights, &bench.error));
    assert_true(head_exam_losses(&bench.exam, &losses, &bench.error));
    for (size_t at = 0; at < LAYERS * HEADS; at++) {
        double n = (double)bench.exam.n;
        assert_close(weights.data[at], looks[at] / n, 1e-5);
        assert_close(losses.data[at], 100 * ((double)bench.exam.n_right - (double)right[at]) / n,
                     1e-4);
    }
    tensor_release(&weights);
    tensor_release(&losses);
    bench_close(&bench);
}

static void test_head_exam__all_at_once_as_each_alone(void **state)
{
    (void)state;
    all_at_once_as_each_alone("it", "animal", true);
    all_at_once_as_each_alone("it", "thing", false);
    all_at_once_as_each_alone("she or he", "person", false);
}

/* Whether one head that can be shown is there: in some group it looks and matters, or it looks and
 * does not matter. */
struct shown {
    bool matters, does_not;
};

static void look_for_shown(const char *kind, const char *class, bool at_pronoun,
                           struct shown *shown)
{
    struct bench bench;
    struct tensor weights, losses;
    bench_open(&bench, kind, class, at_pronoun);
    assert_true(head_exam_looks(&bench.exam, &weights, &bench.error));
    assert_true(head_exam_losses(&bench.exam, &losses, &bench.error));
    for (size_t at = 0; at < LAYERS * HEADS; at++) {
        shown->matters |= weights.data[at] > 0.5F && losses.data[at] > 20;
        shown->does_not |= weights.data[at] > 0.4F && losses.data[at] < 3;
    }
    tensor_release(&weights);
    tensor_release(&losses);
    bench_close(&bench);
}

/* What the card of the model that ships promises: where there are both, lessons can show that
 * looking is not mattering. */
static void test_head_exam__the_model_that_ships_has_heads_of_both_kinds(void **state)
{
    (void)state;
    struct shown it = {false}, all = {false};
    look_for_shown("it", "animal", true, &it);
    look_for_shown("it", "thing", true, &it);
    assert_true(it.matters);
    look_for_shown("i or you", "person", false, &all);
    look_for_shown("names", "surname", false, &all);
    assert_true(it.does_not || all.does_not);
}

/* No question of "it" means a person. */
static void test_head_exam__a_group_may_be_empty(void **state)
{
    (void)state;
    struct bench bench;
    bench_open(&bench, "it", "person", true);
    assert_int_equal(bench.exam.n, 0);
    assert_null(bench.exam.run);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head_exam__all_at_once_as_each_alone),
        cmocka_unit_test(test_head_exam__the_model_that_ships_has_heads_of_both_kinds),
        cmocka_unit_test(test_head_exam__a_group_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
