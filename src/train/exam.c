/* See exam.h. */
#include "train/exam.h"

#include "graph/node.h"
#include "model/run.h"
#include "task/story_set.h"
#include "tensor/tensor.h"

/* Whether the answer to one question is the likeliest token, and likelier than its rival. */
struct answered {
    bool right, beats_rival;
};

bool exam_is_right(const struct tensor *logits, size_t row, size_t answer)
{
    size_t vocab = logits->shape[logits->n_axes - 1];
    float likeliest = tensor_at_position(logits, row * vocab + answer);
    for (size_t i = 0; i < vocab; i++)
        if (i != answer && tensor_at_position(logits, row * vocab + i) >= likeliest)
            return false;
    return true;
}

static struct answered read_answer(const struct tensor *logits, const struct story_question *asked)
{
    size_t row = (size_t)asked->query, first = row * logits->shape[logits->n_axes - 1];
    float answer = tensor_at_position(logits, first + (size_t)asked->answer);
    return (struct answered){.right = exam_is_right(logits, row, (size_t)asked->answer),
                             .beats_rival =
                                 asked->rival < 0 ||
                                 tensor_at_position(logits, first + (size_t)asked->rival) < answer};
}

/* Runs the model on a story up to the question. */
static bool ask(struct model *model, const struct story_exam *exam, size_t i, struct answered *ret,
                struct error *reterr)
{
    const struct story_question *asked = &exam->set.questions[exam->asked[i].question];
    const int32_t *tokens = exam->set.tokens + exam->set.begin[exam->asked[i].story];
    size_t n = (size_t)asked->query + 1;
    struct graph graph = {.last_id = 0};
    struct tensor ids;
    if (!tensor_empty(1, &n, &ids, reterr))
        return false;
    for (size_t at = 0; at < n; at++)
        ids.data[at] = (float)tokens[at];
    struct node *node = node_input(&graph, &ids, "story", 5, reterr);
    struct run *run = node != NULL ? run_new(&graph, model, node, NULL, reterr) : NULL;
    struct node *logits = run != NULL ? run_logits(run, reterr) : NULL;
    if (logits != NULL)
        *ret = read_answer(&logits->value, asked);
    run_free(run);
    node_free(node);
    return logits != NULL;
}

bool exam_check_vocabulary(const struct grammar *grammar, const struct model *model,
                           struct error *reterr)
{
    return model->config.vocab == grammar->n_tokens ||
           error_set(reterr, ERR_SHAPE,
                     "%s: has %zu tokens, and the stories have %u: it was not "
                     "trained on them",
                     model->name, model->config.vocab, grammar->n_tokens);
}

bool exam_run(const struct grammar *grammar, struct model *model, const char *kind, uint64_t seed,
              size_t n, struct exam_result *ret, struct error *reterr)
{
    struct story_exam exam;
    struct exam_result result = {.n = n};
    if (!exam_check_vocabulary(grammar, model, reterr) ||
        !story_exam_draw(grammar, SPLIT_HELD_OUT, kind, seed, n, &exam, reterr))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        struct answered answered = {.right = false};
        ok = ask(model, &exam, i, &answered, reterr);
        result.right += answered.right;
        result.beats_rival += answered.beats_rival;
    }
    story_exam_release(&exam);
    *ret = result;
    return ok;
}

bool exam_run_twins(const struct grammar *grammar, struct model *model, uint64_t seed, size_t n,
                    struct exam_result *ret, struct error *reterr)
{
    struct story_exam exam;
    struct exam_result result = {.n = n};
    if (!exam_check_vocabulary(grammar, model, reterr) ||
        !story_exam_draw_twins(grammar, SPLIT_HELD_OUT, seed, n, &exam, reterr))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        struct answered one = {.right = false}, other = {.right = false};
        ok = ask(model, &exam, 2 * i, &one, reterr) && ask(model, &exam, 2 * i + 1, &other, reterr);
        result.right += one.right && other.right;
        result.beats_rival += one.beats_rival && other.beats_rival;
    }
    story_exam_release(&exam);
    *ret = result;
    return ok;
}
