/* Detectors against detectors/make.py, which scores the same stored patterns by the published
 * definitions. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "files/file.h"
#include "files/npy.h"
#include "files/tokenizer.h"
#include "graph/node.h"
#include "model/detector.h"
#include "model/model.h"
#include "model/run.h"

enum { VOCAB = 97, LAYERS = 2 };
#define DETECTOR_TOLERANCE 1e-6 /* absolute: scores lie between 0 and 1 */

/* gpt2/tiny_a, which all cases are about, from detectors/tiny_a/CASE. */
#define MODEL "../../../gpt2/tiny_a"

static const char *path_in(const struct golden *golden, const char *name)
{
    static char path[2 * GOLDEN_PATH];
    snprintf(path, sizeof path, "%s/%s", golden->folder, name);
    return path;
}

/* The words of detectors/words.txt, as the model's vocabulary. */
static void add_words(struct golden *golden, struct model *model)
{
    struct text text = {0};
    struct error error;
    const char *words[VOCAB];
    size_t n = 0;
    golden_succeed(
        golden, file_read_text(path_in(golden, "../../words.txt"), 1 << 16, &text, &error), &error);
    for (char *word = strtok(text.bytes, "\n"); word != NULL && n < VOCAB;
         word = strtok(NULL, "\n"))
        words[n++] = word;
    assert_int_equal(n, VOCAB);
    golden_succeed(golden, tokenizer_of_words(words, n, &model->tokenizer, &error), &error);
    text_release(&text);
}

/* An array of a case of the model without its first axis, which is 1, as a leaf. */
static struct node *load(struct golden *golden, struct graph *graph, const char *name)
{
    char path[200];
    struct tensor stored, one;
    struct error error;
    snprintf(path, sizeof path, MODEL "/%s/%s.npy", golden->name, name);
    golden_succeed(golden, npy_load(path_in(golden, path), &stored, &error), &error);
    assert_int_equal(stored.shape[0], 1);
    golden_succeed(
        golden, tensor_reshape(&stored, stored.n_axes - 1, stored.shape + 1, &one, &error), &error);
    tensor_release(&stored);
    struct node *node = node_input(graph, &one, name, strlen(name), &error);
    assert_non_null(node);
    return node;
}

/* A run whose attention weights are the stored ones. */
static struct run *stored_run(struct golden *golden, struct graph *graph, struct model *model)
{
    struct edit edits[LAYERS];
    struct error error;
    struct node *ids = load(golden, graph, "input_ids");
    struct run *run = run_ids(graph, model, ids, &error);
    assert_non_null(run);
    for (size_t layer = 0; layer < LAYERS; layer++) {
        char name[40];
        snprintf(name, sizeof name, "attn_probs_layer%zu", layer);
        edits[layer] =
            (struct edit){.stage = STAGE_WEIGHTS, .layer = layer, .to = load(golden, graph, name)};
    }
    struct run *stored = run_edited(run, edits, LAYERS, &error);
    assert_non_null(stored);
    for (size_t layer = 0; layer < LAYERS; layer++)
        node_free(edits[layer].to);
    node_free(ids);
    run_free(run);
    return stored;
}

/* The scores of a detector against row `row` of an array, or all of it. */
static void compare(struct golden *golden, struct run *run, struct detection detection,
                    const char *array, bool has_rows)
{
    struct tensor *want = golden_needed_array(golden, array), *got = golden_own(golden), row, one;
    struct error error;
    char what[80];
    size_t at = detection.detector;
    snprintf(what, sizeof what, "%s of %s", array, detector_name(detection.detector));
    golden_succeed(golden, detector_scores(run, &detection, got, &error), &error);
    if (!has_rows) {
        golden_compare(golden, what, got, want, 0, DETECTOR_TOLERANCE);
        return;
    }
    assert_int_equal(want->shape[0], DETECTORS);
    golden_succeed(golden, tensor_slice(want, 0, at, 1, 1, &row, &error), &error);
    golden_succeed(golden, tensor_reshape(&row, 2, row.shape + 1, &one, &error), &error);
    golden_compare(golden, what, got, &one, 0, DETECTOR_TOLERANCE);
    tensor_release(&row);
    tensor_release(&one);
}

static void run_case(struct golden *golden)
{
    struct graph graph = {.last_id = 0};
    struct error error;
    struct model *model = model_open(path_in(golden, MODEL), &error);
    golden_succeed(golden, model != NULL, &error);
    add_words(golden, model);
    struct run *run = stored_run(golden, &graph, model);
    for (enum detector d = 0; d < DETECTORS; d++) {
        compare(golden, run, (struct detection){.detector = d}, "stripe", true);
        compare(golden, run, (struct detection){.detector = d, .measure = MEASURE_MUL}, "mul",
                true);
    }
    struct detection repeated = {.detector = DETECT_INDUCTION,
                                 .period = golden_attr_count(golden, "period", 0)};
    compare(golden, run, repeated, "induction_5", false);
    run_free(run);
    model_free(model);
}

static void test_golden__detectors(void **state)
{
    (void)state;
    golden_run_family("detectors/tiny_a", run_case, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden__detectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
