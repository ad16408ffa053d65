/* See probe.h. */
#include "train/probe.h"

#include <stdio.h>

#include "base/size.h"
#include "graph/node.h"
#include "model/generate.h"
#include "model/model.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/doc.h"
#include "tensor/tensor.h"

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

/* ---- what the model says at each place ---- */

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

/* What the model says, and how much of it is right. */
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

/* ---- what it tells ---- */

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
