/* What a model is looked at by while it learns. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "model/run.h"
#include "show/backend.h"
#include "show/doc.h"
#include "task/task.h"
#include "train/checkpoint.h"
#include "train/exam.h"

/* The sequence of each task is one that training never draws, with the task's own answers. */
static void test_probe__is_held_out(void **state)
{
    (void)state;
    struct error error;
    for (size_t i = 0; i < n_tasks; i++) {
        struct source *source;
        struct probe probe;
        int32_t targets[PROBE_MOST];
        assert_true(source_task(tasks[i].name, &source, &error));
        assert_true(probe_draw(source, &probe, &error));
        assert_true(probe.n >= 3 && probe.n <= PROBE_MOST);
        if (probe.n < PROBE_MOST || tasks[i].context <= PROBE_MOST)
            assert_true(task_holds_out(&tasks[i], probe.inputs, probe.n));
        assert_true(task_answer(&tasks[i], probe.inputs, probe.n, targets, &error));
        assert_memory_equal(targets, probe.targets, probe.n * sizeof *targets);
        source_free(source);
    }
}

/* After training, the row of the model is the row of what is right. */
static void test_probe__shows_what_the_model_says(void **state)
{
    (void)state;
    struct error error;
    struct source *source;
    struct training *training;
    struct probe probe;
    struct graph graph = {0};
    struct doc doc;
    struct text text = {0};
    const struct training_plan plan = {.task = "previous", .seed = 1};
    assert_true(plan_open(&plan, NULL, NULL, &source, &training, &error));
    for (size_t i = 0; i < 150; i++)
        assert_true(training_step(training, &error));
    assert_true(probe_draw(source, &probe, &error));
    struct model *model = training_model(training, &graph, &error);
    struct run *run = probe_run(&probe, &graph, model, &error);
    assert_non_null(run);
    doc_init(&doc);
    assert_true(probe_show(&probe, run, &doc, &error));
    doc_to_plain(&doc, &text);
    const char *right = strstr(text_string(&text), "right  ");
    const char *said = strstr(text_string(&text), "model 15 of 15 ");
    assert_true(right != NULL && said != NULL);
    assert_memory_equal(right + 15, said + 15, 2 * probe.n - 1);
    text_release(&text);
    doc_release(&doc);
    run_free(run);
    model_free(model);
    training_free(training);
    source_free(source);
}

/* A text that goes on; the same each time. */
static void test_probe__tells(void **state)
{
    (void)state;
    struct error error;
    struct source *source;
    struct training *training;
    struct probe probe;
    struct text told[2] = {{0}};
    struct training_plan plan = {.d_model = 16, .batch = 2, .context = 40};
    snprintf(plan.text, sizeof plan.text, "%s/README.md", getenv("ATTN_DATA_DIR"));
    assert_true(plan_open(&plan, NULL, NULL, &source, &training, &error));
    assert_true(source->tells_next);
    assert_true(probe_draw(source, &probe, &error));
    struct graph graph = {0};
    struct model *model = training_model(training, &graph, &error);
    for (size_t i = 0; i < 2; i++)
        assert_true(probe_tell(&probe, model, NULL, &told[i], &error));
    assert_string_equal(text_string(&told[0]), text_string(&told[1]));
    assert_true(told[0].size > 8);
    text_release(&told[0]);
    text_release(&told[1]);
    model_free(model);
    training_free(training);
    source_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe__is_held_out),
        cmocka_unit_test(test_probe__shows_what_the_model_says),
        cmocka_unit_test(test_probe__tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
