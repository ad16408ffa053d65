/* See head_exam.h. */
#include "train/head_exam.h"

#include <stdlib.h>

#include "graph/node.h"
#include "model/run.h"
#include "task/story_set.h"
#include "tensor/tensor.h"
#include "train/exam.h"

/* ---- which questions ---- */

static bool is_in_class(const struct word_class *class, int32_t word)
{
    for (unsigned row = 0; row < class->n_rows; row++)
        if (class->tokens[row * class->n_columns + (unsigned)class->column_of[0]] == word)
            return true;
    return false;
}

static bool is_in_group(const struct grammar *grammar, const struct head_group *group,
                        const struct story_question *asked, const int32_t *tokens)
{
    return asked->referent >= 0 && asked->alternative >= 0 &&
           (asked->query == asked->pronoun) == group->at_pronoun &&
           is_in_class(&grammar->classes[group->class], tokens[asked->referent]);
}

/* The stories' tokens up to each question, filled up at the end, where no token looks. */
static bool lay_out(const struct story_exam *drawn, const size_t *first, struct head_exam *exam,
                    struct tensor *ret, struct error *reterr)
{
    size_t shape[2] = {exam->n, 0};
    for (size_t i = 0; i < exam->n; i++)
        if ((size_t)exam->asked[i].query >= shape[1])
            shape[1] = (size_t)exam->asked[i].query + 1;
    if (!tensor_empty(2, shape, ret, reterr))
        return false;
    for (size_t i = 0; i < exam->n; i++)
        for (size_t at = 0; at < shape[1]; at++)
            ret->data[i * shape[1] + at] =
                (float)(at <= (size_t)exam->asked[i].query ? drawn->set.tokens[first[i] + at]
                                                           : (int32_t)TOKEN_PAD);
    return true;
}

/* Keeps the questions of the group; first[i] is where the story of the i-th begins. */
static void select_group(const struct grammar *grammar, const struct head_group *group,
                         const struct story_exam *drawn, struct head_exam *exam, size_t *first)
{
    for (size_t i = 0; i < drawn->n; i++) {
        size_t begin = drawn->set.begin[drawn->asked[i].story];
        const struct story_question *asked = &drawn->set.questions[drawn->asked[i].question];
        if (!is_in_group(grammar, group, asked, drawn->set.tokens + begin))
            continue;
        exam->asked[exam->n] = *asked;
        first[exam->n++] = begin;
    }
}

static bool begin_run(const struct story_exam *drawn, const size_t *first, struct model *model,
                      struct head_exam *exam, struct error *reterr)
{
    struct tensor ids;
    if (exam->n == 0)
        return true;
    if (!lay_out(drawn, first, exam, &ids, reterr))
        return false;
    struct node *node = node_input(&exam->graph, &ids, "stories", 7, reterr);
    exam->run = node != NULL ? run_new(&exam->graph, model, node, NULL, reterr) : NULL;
    node_free(node);
    return exam->run != NULL && head_exam_right_without(exam, NULL, 0, &exam->n_right, reterr);
}

bool head_exam_open(const struct grammar *grammar, struct model *model,
                    const struct head_group *group, uint64_t seed, size_t n_drawn,
                    struct head_exam *ret, struct error *reterr)
{
    struct story_exam drawn;
    *ret = (struct head_exam){.n = 0};
    if (!exam_check_vocabulary(grammar, model, reterr) ||
        !story_exam_draw(grammar, SPLIT_HELD_OUT, group->kind, seed, n_drawn, &drawn, reterr))
        return false;
    size_t *first = calloc(n_drawn + 1, sizeof *first);
    ret->asked = calloc(n_drawn + 1, sizeof *ret->asked);
    bool ok = (first != NULL && ret->asked != NULL) || error_memory(reterr, "questions");
    if (ok)
        select_group(grammar, group, &drawn, ret, first);
    ok = ok && begin_run(&drawn, first, model, ret, reterr);
    free(first);
    story_exam_release(&drawn);
    if (!ok)
        head_exam_close(ret);
    return ok;
}

void head_exam_close(struct head_exam *exam)
{
    run_free(exam->run);
    free(exam->asked);
    *exam = (struct head_exam){.n = 0};
}

/* ---- where heads look ---- */

/* The weight of a head from the query of story i on all places of the word that is meant. */
static double weight_on_referent(const struct head_exam *exam, const struct tensor *weights,
                                 size_t i, size_t head)
{
    const struct tensor *ids = &exam->run->ids->value;
    const struct story_question *asked = &exam->asked[i];
    size_t n_heads = weights->shape[1], n = weights->shape[2], query = (size_t)asked->query;
    float meant = tensor_at_position(ids, i * n + (size_t)asked->referent);
    double sum = 0;
    for (size_t key = 0; key <= query; key++)
        if (tensor_at_position(ids, i * n + key) == meant)
            sum +=
                (double)tensor_at_position(weights, ((i * n_heads + head) * n + query) * n + key);
    return sum;
}

bool head_exam_looks(struct head_exam *exam, struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &exam->run->model->config;
    size_t shape[2] = {config->n_layers, config->n_heads};
    if (!tensor_zeros(2, shape, ret, reterr))
        return false;
    for (size_t at = 0; at < shape[0] * shape[1]; at++) {
        struct node *weights = run_stage(exam->run, STAGE_WEIGHTS, at / shape[1], reterr);
        double sum = 0;
        if (weights == NULL) {
            tensor_release(ret);
            return false;
        }
        for (size_t i = 0; i < exam->n; i++)
            sum += weight_on_referent(exam, &weights->value, i, at % shape[1]);
        ret->data[at] = (float)(sum / (double)exam->n);
    }
    return true;
}

/* ---- what they matter ---- */

static size_t count_right(const struct head_exam *exam, const struct tensor *logits)
{
    size_t right = 0;
    for (size_t i = 0; i < exam->n; i++)
        right += exam_is_right(logits, i * logits->shape[1] + (size_t)exam->asked[i].query,
                               (size_t)exam->asked[i].answer);
    return right;
}

bool head_exam_right_without(struct head_exam *exam, const struct cut *cuts, size_t n_cuts,
                             size_t *ret, struct error *reterr)
{
    struct run *cut = run_cut(exam->run, cuts, n_cuts, CUT_ZERO, NULL, reterr);
    struct node *logits = cut != NULL ? run_logits(cut, reterr) : NULL;
    if (logits != NULL)
        *ret = count_right(exam, &logits->value);
    run_free(cut);
    return logits != NULL;
}

bool head_exam_losses(struct head_exam *exam, struct tensor *ret, struct error *reterr)
{
    const struct model_config *config = &exam->run->model->config;
    size_t shape[2] = {config->n_layers, config->n_heads}, right;
    if (!tensor_empty(2, shape, ret, reterr))
        return false;
    for (size_t at = 0; at < shape[0] * shape[1]; at++) {
        const struct cut cut = {CUT_HEAD, at / shape[1], at % shape[1]};
        if (!head_exam_right_without(exam, &cut, 1, &right, reterr)) {
            tensor_release(ret);
            return false;
        }
        ret->data[at] = 100 * ((float)exam->n_right - (float)right) / (float)exam->n;
    }
    return true;
}
