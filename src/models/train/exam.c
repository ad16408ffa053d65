/* See exam.h. */
#include "train/exam.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/generate.h"
#include "model/model.h"
#include "model/run.h"
#include "show/doc.h"
#include "tensor/tensor.h"
#include "task/story.h"

/* ---- probe ---- */

enum {
    BEGINNING = 4, /* tokens that the model is given to go on with */
    TOLD = 28,     /* that it tells */
    TITLE_COLS = 15,
};

bool probe_draw(struct source *source, struct probe *ret, struct error *reterr)
{
    struct batch batch;
    *ret = (struct probe){.n = 0};
    if (!source->class->batch(source, SPLIT_HELD_OUT, 0, 0, source->recipe.batch, &batch, reterr))
        return false;
    for (size_t i = 0; i < batch.width && i < PROBE_MOST; i++) {
        ret->inputs[i] = batch.inputs[i];
        ret->targets[i] = batch.targets[i];
        if (batch.targets[i] != BATCH_IGNORED || !source->tells_next) /* no filling at the end */
            ret->n = i + 1;
    }
    batch_release(&batch);
    return ret->n > 0 || error_set(reterr, ERR_RANGE, "%s: its sequences are empty", source->name);
}

static bool ids_of(const struct probe *probe, size_t n, struct tensor *ret, struct error *reterr)
{
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = (float)probe->inputs[i];
    return true;
}

struct run *probe_run(const struct probe *probe, struct graph *graph, struct model *model,
                      struct error *reterr)
{
    struct tensor ids;
    if (!ids_of(probe, probe->n, &ids, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, "probe", 5, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    node_free(node);
    return run;
}

/* ---- the model's answer at each place ---- */

static int32_t likeliest(const struct tensor *logits, size_t row)
{
    size_t vocab = logits->shape[logits->n_axes - 1], best = 0;
    for (size_t i = 1; i < vocab; i++)
        if (tensor_at_position(logits, row * vocab + i) >
            tensor_at_position(logits, row * vocab + best))
            best = i;
    return (int32_t)best;
}

static void name_of(const struct model *model, int32_t token, struct text *text)
{
    if (token == BATCH_IGNORED)
        text_char(text, '.');
    else
        model_show_token(model, (size_t)token, text);
}

/* One token, as wide as the widest of the vocabulary that occurs here. */
static void put_token(const struct model *model, int32_t token, size_t cols, enum style style,
                      struct doc *out)
{
    struct text name = {0};
    name_of(model, token, &name);
    size_t width = text_width(text_string(&name), name.size);
    doc_add(out, style, "%s%*s", text_string(&name), (int)(cols - size_min(width, cols)), "");
    out->failed = out->failed || name.failed;
    text_release(&name);
}

static size_t widest_of(const struct model *model, const int32_t *tokens, size_t n)
{
    size_t widest = 1;
    for (size_t i = 0; i < n; i++) {
        struct text name = {0};
        name_of(model, tokens[i], &name);
        widest = size_max(widest, text_width(text_string(&name), name.size));
        text_release(&name);
    }
    return widest;
}

static void put_row(const char *title, const struct model *model, const int32_t *tokens, size_t n,
                    size_t cols, struct doc *out)
{
    doc_add(out, STYLE_LABEL, "%-*s", TITLE_COLS, title);
    for (size_t i = 0; i < n; i++)
        put_token(model, tokens[i], cols, STYLE_PLAIN, out);
    doc_end_line(out);
}

static bool is_right(const struct probe *probe, const int32_t *answers, size_t i)
{
    return probe->targets[i] != BATCH_IGNORED && answers[i] == probe->targets[i];
}

/* "model 14 of 22", which comes first so that a narrow screen does not cut it off. */
static void put_count(const struct probe *probe, const int32_t *answers, struct doc *out)
{
    char title[48];
    size_t n_right = 0, n_asked = 0;
    for (size_t i = 0; i < probe->n; i++) {
        n_asked += probe->targets[i] != BATCH_IGNORED;
        n_right += is_right(probe, answers, i);
    }
    snprintf(title, sizeof title, "model %zu of %zu", n_right, n_asked);
    doc_add(out, STYLE_LABEL, "%-*s", TITLE_COLS, title);
}

/* The model's answers, and how much of them is right. */
static void put_answers(const struct probe *probe, const struct model *model,
                        const int32_t *answers, size_t cols, struct doc *out)
{
    put_count(probe, answers, out);
    for (size_t i = 0; i < probe->n; i++) {
        enum style style = probe->targets[i] == BATCH_IGNORED ? STYLE_QUIET
                           : is_right(probe, answers, i)      ? STYLE_GOOD
                                                              : STYLE_BAD;
        put_token(model, answers[i], cols, style, out);
    }
    doc_end_line(out);
}

bool probe_show(const struct probe *probe, struct run *run, struct doc *out, struct error *reterr)
{
    const struct node *logits = run_logits(run, reterr);
    const struct model *model = run->model;
    int32_t answers[PROBE_MOST] = {0};
    size_t n = probe->n;
    if (logits == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        answers[i] =
            probe->targets[i] == BATCH_IGNORED ? BATCH_IGNORED : likeliest(&logits->value, i);
    size_t cols =
        1 + size_max(widest_of(model, probe->inputs, n),
                     size_max(widest_of(model, probe->targets, n), widest_of(model, answers, n)));
    put_row("probe", model, probe->inputs, n, cols, out);
    put_row("right", model, probe->targets, n, cols, out);
    put_answers(probe, model, answers, cols, out);
    return doc_check(out, reterr);
}

/* ---- its own text ---- */

/* Draws tokens one by one until it ends the text. Returns how many. */
static bool tell(struct generator *generator, const struct model *model, float *told, size_t most,
                 size_t *ret_n, struct error *reterr)
{
    const struct sampling sampling = {.temperature = 0.8, .top_p = 1};
    struct random random;
    random_seed(&random, 1);
    for (*ret_n = 0; *ret_n < most; ++*ret_n) {
        size_t token;
        if (!generator_next(generator, &sampling, &random, &token, reterr))
            return false;
        if ((ptrdiff_t)token == model->config.last_token)
            break;
        told[*ret_n] = (float)token;
    }
    return true;
}

bool probe_tell(const struct probe *probe, struct model *model, const volatile sig_atomic_t *stop,
                struct text *ret, struct error *reterr)
{
    struct tensor ids, all;
    struct generator *generator;
    float tokens[BEGINNING + TOLD];
    size_t n = size_min(BEGINNING, probe->n), n_told = 0;
    size_t most = size_min(TOLD, model->config.n_positions - n);
    if (!ids_of(probe, n, &ids, reterr))
        return false;
    tensor_read(&ids, tokens);
    bool ok = generator_new(model, &ids, most, stop, &generator, reterr);
    tensor_release(&ids);
    if (!ok)
        return false;
    ok = tell(generator, model, tokens + n, most, &n_told, reterr);
    generator_free(generator);
    size_t first = model->config.first_token >= 0 && tokens[0] == (float)model->config.first_token;
    ok = ok && tensor_from(1, (size_t[]){n + n_told - first}, tokens + first, &all, reterr);
    if (ok) {
        ok = model_decode(model, &all, ret, reterr);
        tensor_release(&all);
    }
    return ok;
}

/* ---- exam ---- */

/* Whether the answer to one question is the likeliest token, and likelier than its rival. */
struct answered {
    bool right, beats_rival;
};

/* Whether a token is likelier than any other by a row of logits (their last axis is the
 * vocabulary). */
static bool exam_is_right(const struct tensor *logits, size_t row, size_t answer)
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

/* ERR_SHAPE: the model's vocabulary is not the grammar's. */
static bool exam_check_vocabulary(const struct grammar *grammar, const struct model *model,
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

/* ---- head exam ---- */

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

/* The stories' tokens up to each question, padded at the end, which no token looks at. */
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

/* Keeps the questions of the group; first[i] is the begin of the story of the i-th. */
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

/* ---- the effect of a cut ---- */

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
