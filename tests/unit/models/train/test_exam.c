/* The model that ships, in assets/model: what it must know of stories that its training never told.
 * The bars are those of its card. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "task/grammar.h"
#include "tensor/tensor.h"
#include "train/exam.h"

enum { QUESTIONS = 400 };

struct shipped {
    struct grammar grammar;
    struct model *model;
    struct graph graph;
    struct error error;
};

static void shipped_open(struct shipped *shipped)
{
    char path[4096];
    const char *data = getenv("ATTN_DATA_DIR");
    assert_non_null(data);
    *shipped = (struct shipped){.graph = {.last_id = 0}};
    snprintf(path, sizeof path, "%s/assets/model", data);
    shipped->model = model_open(path, &shipped->error);
    if (shipped->model == NULL ||
        !grammar_open(data, "stories", &shipped->grammar, &shipped->error))
        fail_msg("%s", shipped->error.text);
}

static void shipped_close(struct shipped *shipped)
{
    grammar_release(&shipped->grammar);
    model_free(shipped->model);
}

static void test_exam__the_model_that_ships(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        unsigned percent;
    } bars[] = {{"it", 98}, {"she or he", 97}, {"i or you", 95}, {"agreement", 98}, {"names", 98}};
    struct shipped shipped;
    struct exam_result result;
    shipped_open(&shipped);
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        assert_true(exam_run(&shipped.grammar, shipped.model, bars[i].kind, 77, QUESTIONS, &result,
                             &shipped.error));
        /* Where a verb comes, "was" is possible too: of is and are, the right one. */
        size_t right = i == 3 ? result.beats_rival : result.right;
        print_message("%s: %zu of %zu\n", bars[i].kind, right, result.n);
        assert_true(100 * right >= bars[i].percent * result.n);
    }
    assert_true(exam_run_twins(&shipped.grammar, shipped.model, 77, QUESTIONS / 2, &result,
                               &shipped.error));
    assert_true(100 * result.right >= 98 * result.n);
    shipped_close(&shipped);
}

/* The likeliest token after a text. */
static int32_t next_token(struct shipped *shipped, const char *text, size_t size)
{
    struct run *run = run_text(&shipped->graph, shipped->model, text, size, &shipped->error);
    assert_non_null(run);
    struct node *logits = run_logits(run, &shipped->error);
    size_t vocab = shipped->model->config.vocab, last = (run_length(run) - 1) * vocab, best = 0;
    for (size_t i = 1; i < vocab; i++)
        if (tensor_at_position(&logits->value, last + i) >
            tensor_at_position(&logits->value, last + best))
            best = i;
    run_free(run);
    return (int32_t)best;
}

/* Who is tired is the cat, and what is soft is the mat: said of the second "it", which can know. */
static void test_exam__the_cat_or_the_mat(void **state)
{
    (void)state;
    static const char tired[] = "The cat sat on the mat. As it was tired, it";
    static const char soft[] = "The cat sat on the mat. As it was soft, it";
    struct shipped shipped;
    shipped_open(&shipped);
    assert_int_equal(next_token(&shipped, tired, sizeof tired - 1),
                     grammar_token(&shipped.grammar, "meowed", 6));
    assert_int_equal(next_token(&shipped, soft, sizeof soft - 1),
                     grammar_token(&shipped.grammar, "slid", 4));
    shipped_close(&shipped);
}

static void test_exam__refuses_what_is_not_there(void **state)
{
    (void)state;
    struct shipped shipped;
    struct exam_result result;
    shipped_open(&shipped);
    assert_false(
        exam_run(&shipped.grammar, shipped.model, "grammar", 1, 10, &result, &shipped.error));
    assert_int_equal(shipped.error.kind, ERR_NAME);
    shipped_close(&shipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exam__the_model_that_ships),
        cmocka_unit_test(test_exam__the_cat_or_the_mat),
        cmocka_unit_test(test_exam__refuses_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
