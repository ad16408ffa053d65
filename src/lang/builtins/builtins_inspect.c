/* Looking into runs of models: cutting, patterns of heads, what writes a logit, circuits. */
#include <stdlib.h>

#include "base/array.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/model_value.h"
#include "model/circuit.h"
#include "model/intervene.h"
#include "model/lens.h"
#include "model/detector.h"
#include "model/run.h"
#include "model/head_ranking.h"
#include "show/labels.h"

/* Ends a function with numbers, (n_layers, n), which it takes over: L0, L1, ... by PREFIX0, ... */
static bool layers_by(struct call *call, struct tensor *numbers, const char *prefix,
                      struct value *ret)
{
    struct labels *rows = NULL, *columns = NULL;
    size_t n_rows = numbers->shape[0], n_columns = numbers->shape[1];
    bool ok = labels_numbered("L", n_rows, &rows, call->reterr) &&
              labels_numbered(prefix, n_columns, &columns, call->reterr);
    if (!ok)
        tensor_release(numbers);
    ok = ok && call_input(call, numbers, ret);
    if (ok) {
        node_set_labels(ret->as.node, 0, rows);
        node_set_labels(ret->as.node, 1, columns);
    }
    labels_free(rows);
    labels_free(columns);
    return ok;
}

/* Argument 0: a run; of a model alone a run of random tokens, twice, and their period, or NULL. The
 * caller frees it. */
static struct run *run_or_repeats(struct call *call, size_t *ret_period)
{
    struct model *model = value_as_model(&call->args[0]);
    size_t period;
    if (model == NULL) {
        struct run *run = arg_run(call, 0);
        return run != NULL ? run_share(run) : NULL;
    }
    struct run *run =
        run_repeats(call->builder.graph, model, call_random(call), &period, call->reterr);
    if (run != NULL && ret_period != NULL)
        *ret_period = period;
    return run;
}

/* ---- cutting ---- */

enum ablate_parameter {
    ABLATE_RUN,
    ABLATE_HEAD,
    ABLATE_LAYER,
    ABLATE_MLP,
    ABLATE_HOW,
    ABLATE_TO,
    ABLATE_SORTED,
    ABLATE_TOKEN,
    ABLATE_BY,
};

static const char *const how_words[] = {
    [CUT_ZERO] = "zero", [CUT_MEAN] = "mean", [CUT_FROZEN] = "frozen"};
static const char *const effect_words[] = {
    [EFFECT_PROBABILITY] = "probability", [EFFECT_LOSS] = "loss"};

/* What stands in the place of what is cut; to= alone means frozen. */
static bool read_how(struct call *call, enum cut_how *ret, struct run **ret_other)
{
    size_t how;
    bool has_other = arg_given(call, ABLATE_TO);
    if (!arg_word(call, ABLATE_HOW, how_words, COUNT_OF(how_words), CUT_ZERO, &how))
        return false;
    if (has_other && !arg_given(call, ABLATE_HOW))
        how = CUT_FROZEN;
    if (has_other != (how == CUT_FROZEN))
        return error_set(call->reterr, ERR_TYPE,
                         "ablate: how=\"frozen\" and to= go together: to= is the run of another "
                         "text, which the part is frozen to");
    *ret = (enum cut_how)how;
    *ret_other = has_other ? arg_run(call, ABLATE_TO) : NULL;
    return !has_other || *ret_other != NULL;
}

/* The cuts that head=, layer= and mlp= say; the caller frees *ret. */
static bool read_cuts(struct call *call, const struct run *run, struct cut **ret, size_t *ret_n)
{
    *ret = NULL;
    *ret_n = 0;
    return arg_head_cuts(call, ABLATE_HEAD, run->model, ret, ret_n) &&
           arg_layer_cuts(call, ABLATE_LAYER, run->model, false, ret, ret_n) &&
           arg_layer_cuts(call, ABLATE_MLP, run->model, true, ret, ret_n);
}

/* What is watched: by default the probability of the likeliest token, and the loss where the model
 * alone was given. */
static bool read_effect(struct call *call, struct run *run, struct effect *ret)
{
    size_t on, usual = value_as_model(&call->args[0]) ? EFFECT_LOSS : EFFECT_PROBABILITY;
    if (!arg_word(call, ABLATE_BY, effect_words, COUNT_OF(effect_words), usual, &on))
        return false;
    *ret = (struct effect){.on = (enum effect_on)on};
    if (on == EFFECT_LOSS)
        return true;
    return arg_given(call, ABLATE_TOKEN) ? arg_token(call, ABLATE_TOKEN, run->model, &ret->token)
                                         : run_likeliest(run, &ret->token, call->reterr);
}

/* sorted=True: each head in turn. */
static bool rank_heads(struct call *call, struct run *run, enum cut_how how, struct run *other,
                       struct value *ret)
{
    struct effect effect;
    struct tensor changes;
    return read_effect(call, run, &effect) &&
           heads_measure(run, &effect, how, other, &changes, call->reterr) &&
           layers_by(call, &changes, "H", ret);
}

/* The run without what head=, layer= and mlp= say. */
static bool run_without(struct call *call, struct run *run, enum cut_how how, struct run *other,
                        struct value *ret)
{
    struct cut *cuts;
    size_t n, last = run->model->config.n_layers - 1;
    bool ok = read_cuts(call, run, &cuts, &n);
    if (ok && n == 0)
        ok = error_set(
            call->reterr, ERR_TYPE,
            "ablate: say what to cut: head=(%zu, 0), layer=%zu or mlp=%zu; or sorted=True "
            "for each head in turn",
            last, last, last);
    ok = ok && value_run(run_cut(run, cuts, n, how, other, call->reterr), ret, call->reterr);
    free(cuts);
    return ok;
}

/* ablate(r, head=(5, 1)): a run without it; ablate(r, sorted=True): what each head changes, also
 * of a model alone. */
static bool run_ablate(struct call *call, struct value *ret)
{
    struct run *other = NULL, *run;
    enum cut_how how = CUT_ZERO;
    bool sorted;
    if (!read_how(call, &how, &other) || !arg_flag(call, ABLATE_SORTED, false, &sorted))
        return false;
    if (!sorted) {
        run = arg_run(call, ABLATE_RUN);
        return run != NULL && run_without(call, run, how, other, ret);
    }
    run = run_or_repeats(call, NULL);
    bool ok = run != NULL && rank_heads(call, run, how, other, ret);
    run_free(run);
    return ok;
}

/* ---- detectors ---- */

static const char *const measure_words[] = {[MEASURE_STRIPE] = "stripe", [MEASURE_MUL] = "mul"};

/* The name of a pattern; DETECTORS where none is given. */
static bool arg_detector(struct call *call, size_t i, enum detector *ret)
{
    const char *names[DETECTORS];
    size_t which;
    for (enum detector d = 0; d < DETECTORS; d++)
        names[d] = detector_name(d);
    if (!arg_word(call, i, names, DETECTORS, DETECTORS, &which))
        return false;
    *ret = (enum detector)which;
    return true;
}

/* From argument i on: measure, period. */
static bool read_measure(struct call *call, size_t i, struct detection *ret)
{
    size_t measure;
    if (!arg_word(call, i, measure_words, COUNT_OF(measure_words), MEASURE_STRIPE, &measure) ||
        !arg_size(call, i + 1, 0, &ret->period))
        return false;
    ret->measure = (enum detector_measure)measure;
    return true;
}

/* Arguments 0 to 3: the run, the pattern, measure and period. The caller frees the run. */
static struct run *read_detection(struct call *call, struct detection *ret)
{
    return arg_detector(call, 1, &ret->detector) && read_measure(call, 2, ret)
               ? run_or_repeats(call, &ret->period)
               : NULL;
}

/* head_scores(r, "induction"): layers x heads. */
static bool run_head_scores(struct call *call, struct value *ret)
{
    struct detection detection;
    struct tensor scores;
    struct run *run = read_detection(call, &detection);
    bool ok = run != NULL && detector_scores(run, &detection, &scores, call->reterr) &&
              layers_by(call, &scores, "H", ret);
    run_free(run);
    return ok;
}

/* The names of all patterns. */
static bool labels_of_detectors(struct labels **ret, struct error *reterr)
{
    const char *names[DETECTORS];
    for (enum detector d = 0; d < DETECTORS; d++)
        names[d] = detector_name(d);
    return labels_new(DETECTORS, names, NULL, ret, reterr);
}

/* heads(r): each head with all its scores. */
static bool run_heads(struct call *call, struct value *ret)
{
    struct detection detection;
    struct tensor table;
    struct labels *rows = NULL, *columns = NULL;
    struct run *run = read_detection(call, &detection);
    bool ok = run != NULL && labels_of_detectors(&columns, call->reterr) &&
              detector_table(run, detection.measure, detection.period, detection.detector, &table,
                             &rows, call->reterr) &&
              call_input(call, &table, ret);
    if (ok) {
        node_set_labels(ret->as.node, 0, rows);
        node_set_labels(ret->as.node, 1, columns);
    }
    labels_free(rows);
    labels_free(columns);
    run_free(run);
    return ok;
}

/* ---- what writes a logit ---- */

/* lens(r): the logits after each layer. */
static bool run_lens_at(struct call *call, struct value *ret)
{
    struct run *run = arg_run(call, 0);
    struct labels *rows;
    size_t position;
    if (run == NULL || !arg_position(call, 1, run, &position) ||
        !lens_labels(run->model->config.n_layers, &rows, call->reterr))
        return false;
    struct node *lens = run_lens(run, position, call->reterr);
    if (lens != NULL)
        node_set_labels(lens, 0, rows);
    labels_free(rows);
    *ret = value_node(lens);
    return lens != NULL;
}

/* contributions(r, "cat"): the parts of its logit. */
static bool run_contributions_to(struct call *call, struct value *ret)
{
    struct run *run = arg_run(call, 0);
    struct labels *names;
    size_t position, token;
    if (run == NULL || !arg_position(call, 2, run, &position))
        return false;
    if (!(arg_given(call, 1) ? arg_token(call, 1, run->model, &token)
                             : run_likeliest(run, &token, call->reterr)))
        return false;
    struct node *parts = run_contributions(run, position, token, &names, call->reterr);
    if (parts == NULL)
        return false;
    node_set_labels(parts, 0, names);
    labels_free(names);
    *ret = value_node(parts);
    return true;
}

/* ---- two texts ---- */

/* Arguments 0 to 2: two runs, or a model and two texts. */
static bool arg_runs(struct call *call, struct run *ret[2])
{
    return values_as_runs(call->builder.graph, call->args, arg_given(call, 2) ? 3 : 2,
                          call->builtin->name, ret, call->reterr);
}

/* The change of one head's weights, between the tokens that both texts have. */
static bool difference_of(struct call *call, struct run *const runs[2],
                          const struct alignment *alignment, struct value *ret)
{
    size_t head[2];
    struct tensor difference;
    struct labels *names;
    if (!arg_head(call, 3, runs[0]->model, head) ||
        !alignment_labels(alignment, runs[0], runs[1], &names, call->reterr))
        return false;
    bool ok = head_difference(runs[0], runs[1], alignment, head, &difference, call->reterr) &&
              call_input(call, &difference, ret);
    if (ok) {
        node_set_labels(ret->as.node, 0, names);
        node_set_labels(ret->as.node, 1, names);
    }
    labels_free(names);
    return ok;
}

/* compare(r1, r2): how far each head's weights change. */
static bool run_compare(struct call *call, struct value *ret)
{
    struct run *runs[2];
    struct alignment alignment;
    struct tensor changes;
    if (!arg_runs(call, runs))
        return false;
    bool ok = alignment_of(runs[0], runs[1], &alignment, call->reterr);
    if (ok && arg_given(call, 3))
        ok = difference_of(call, runs, &alignment, ret);
    else if (ok)
        ok = heads_change(runs[0], runs[1], &alignment, &changes, call->reterr) &&
             layers_by(call, &changes, "H", ret);
    alignment_release(&alignment);
    run_free(runs[0]);
    run_free(runs[1]);
    return ok;
}

enum patch_parameter {
    PATCH_HEAD = 3,
    PATCH_LAYER,
    PATCH_POSITION,
    PATCH_BY,
    PATCH_TOKEN,
    PATCH_AGAINST
};

static const char *const patch_words[] = {[PATCH_HEADS] = "head", [PATCH_POSITIONS] = "position"};

/* The two tokens whose logits are compared: what either text is likeliest to go on with. */
static bool read_tokens(struct call *call, struct run *const runs[2], size_t ret[2])
{
    for (size_t i = 0; i < 2; i++) {
        bool ok = arg_given(call, PATCH_TOKEN + i)
                      ? arg_token(call, PATCH_TOKEN + i, runs[i]->model, &ret[i])
                      : run_likeliest(runs[i], &ret[i], call->reterr);
        if (!ok)
            return false;
    }
    return ret[0] != ret[1] ||
           error_set(call->reterr, ERR_RANGE,
                     "patch: both texts go on with the same token; name two that they differ on, "
                     "as token=\" cat\", against=\" dog\"");
}

/* One part alone: the second text's run with it. */
static bool patch_one(struct call *call, struct run *const runs[2], struct value *ret)
{
    struct cut *heads = NULL;
    size_t n = 0, layer, position = 0;
    struct run *patched = NULL;
    if (arg_given(call, PATCH_HEAD)) {
        bool ok = arg_head_cuts(call, PATCH_HEAD, runs[1]->model, &heads, &n);
        patched = ok ? run_cut(runs[1], heads, n, CUT_FROZEN, runs[0], call->reterr) : NULL;
        free(heads);
    } else if (arg_layer(call, PATCH_LAYER, runs[1]->model, &layer)) {
        bool all = !arg_given(call, PATCH_POSITION);
        if (all || arg_position(call, PATCH_POSITION, runs[1], &position))
            patched =
                run_patched(runs[1], runs[0], layer, all ? -1 : (ptrdiff_t)position, call->reterr);
    }
    return value_run(patched, ret, call->reterr);
}

/* Each part in turn. */
static bool patch_each(struct call *call, struct run *const runs[2], struct value *ret)
{
    size_t by, tokens[2];
    struct tensor recovered;
    if (!arg_word(call, PATCH_BY, patch_words, COUNT_OF(patch_words), PATCH_HEADS, &by) ||
        !read_tokens(call, runs, tokens) ||
        !patch_recovered(runs[1], runs[0], (enum patch_by)by, tokens, &recovered, call->reterr) ||
        !layers_by(call, &recovered, by == PATCH_HEADS ? "H" : "", ret))
        return false;
    if (by == PATCH_POSITIONS && runs[0]->labels != NULL)
        node_set_labels(ret->as.node, 1, runs[0]->labels);
    return true;
}

/* Would an argument that is given be passed over? */
static bool check_patch(struct call *call, bool one)
{
    bool streams = arg_given(call, PATCH_LAYER) || arg_given(call, PATCH_POSITION);
    if (arg_given(call, PATCH_HEAD) && streams)
        return error_set(call->reterr, ERR_TYPE,
                         "patch: head= puts a head in at all positions; layer= and position= put "
                         "the stream in; one of both");
    return !one ||
           !(arg_given(call, PATCH_BY) || arg_given(call, PATCH_TOKEN) ||
             arg_given(call, PATCH_AGAINST)) ||
           error_set(call->reterr, ERR_TYPE,
                     "patch: by=, token= and against= are for each part in turn; leave them out "
                     "with head= or layer=, which give the run");
}

/* patch(r1, r2): what r1 puts into r2. */
static bool run_patch(struct call *call, struct value *ret)
{
    struct run *runs[2];
    bool one = arg_given(call, PATCH_HEAD) || arg_given(call, PATCH_LAYER) ||
               arg_given(call, PATCH_POSITION);
    if (!check_patch(call, one) || !arg_runs(call, runs))
        return false;
    bool ok = one ? patch_one(call, runs, ret) : patch_each(call, runs, ret);
    run_free(runs[0]);
    run_free(runs[1]);
    return ok;
}

/* ---- circuits ---- */

/* Arguments 0 to 3: the model, layer, head and words. */
static bool word_by_word(struct call *call, enum circuit circuit, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct labels *names;
    size_t head[2];
    if (model == NULL || !arg_layer(call, 1, model, &head[0]) ||
        !arg_head_number(call, 2, model, &head[1]))
        return false;
    struct node *ids = arg_words(call, 3, model, &names);
    struct node *words =
        ids != NULL ? circuit_words(call->builder.graph, model, circuit, head, ids, call->reterr)
                    : NULL;
    if (words != NULL && names != NULL) {
        node_set_labels(words, 0, names);
        node_set_labels(words, 1, names);
    }
    if (ids != NULL)
        labels_free(names);
    *ret = value_node(words);
    return words != NULL;
}

RUN_WITH(qk, word_by_word, CIRCUIT_QK)
RUN_WITH(ov, word_by_word, CIRCUIT_OV)

static const char *const composition_words[] = {
    [COMPOSITION_Q] = "Q", [COMPOSITION_K] = "K", [COMPOSITION_V] = "V"};

/* The column of one head as layers x heads: what each earlier head gives it. */
static bool scores_with_head(struct call *call, const struct model *model,
                             const struct tensor *table, struct value *ret)
{
    size_t head[2], n_heads = model->config.n_heads;
    struct tensor scores;
    if (!arg_head(call, 2, model, head) ||
        !tensor_empty(2, (size_t[]){model->config.n_layers, n_heads}, &scores, call->reterr))
        return false;
    for (size_t i = 0; i < tensor_size(&scores); i++)
        scores.data[i] = table->data[i * table->shape[1] + head[0] * n_heads + head[1]];
    return layers_by(call, &scores, "H", ret);
}

/* All pairs, L0H0 by L0H0; takes the table over. */
static bool all_scores(struct call *call, const struct model *model, struct tensor *table,
                       struct value *ret)
{
    struct labels *names;
    if (!labels_of_heads(model->config.n_heads, NULL, table->shape[0], &names, call->reterr)) {
        tensor_release(table);
        return false;
    }
    bool ok = call_input(call, table, ret);
    if (ok) {
        node_set_labels(ret->as.node, 0, names);
        node_set_labels(ret->as.node, 1, names);
    }
    labels_free(names);
    return ok;
}

/* composition(m, "K"): how far later heads read earlier ones. */
static bool run_composition(struct call *call, struct value *ret)
{
    struct model *model = arg_model(call, 0);
    struct tensor table;
    size_t kind;
    if (model == NULL ||
        !arg_word(call, 1, composition_words, COUNT_OF(composition_words), COMPOSITION_K, &kind) ||
        !compositions(call->builder.graph, model, (enum composition)kind, &table, call->reterr))
        return false;
    if (!arg_given(call, 2))
        return all_scores(call, model, &table, ret);
    bool ok = scores_with_head(call, model, &table, ret);
    tensor_release(&table);
    return ok;
}

#define MODELS "models"

const struct builtin builtins_inspect[] = {
    {"ablate",
     MODELS,
     {"run", "head=None", "layer=None", "mlp=None", "how=\"zero\"", "to=None", "sorted=False",
      "token=None", "by=\"probability\""},
     "A run without a head, the whole of a layer, or its MLP: how is \"zero\", \"mean\" (over the "
     "positions) or \"frozen\" to the run in to. sorted=True cuts each head in turn and gives how "
     "much the probability of a token (the likeliest) or the loss changes, layers x heads; of a "
     "model alone the loss, in random tokens, twice.",
     "m = transformer(vocab=9); r = m([3, 1, 4])\nablate(r, head=(1, 0)); ablate(r, sorted=True)",
     run_ablate},
    {"head_scores",
     MODELS,
     {"run", "pattern", "measure=\"stripe\"", "period=None"},
     "How far each head's attention lies on a pattern, 0 to 1, layers x heads: \"previous\", "
     "\"current\", \"first\", \"duplicate\", \"induction\", \"same word\", \"punctuation\" or "
     "\"uniform\". \"stripe\" is the mean weight on it over the tokens that have a place in it, "
     "\"mul\" the share of all attention; period= gives induction in a text of that many tokens, "
     "repeated. Of a model alone: in random tokens, twice.",
     "m = transformer(vocab=9); r = m([3, 1, 4, 3, 1, 4])\nhead_scores(r, \"induction\")",
     run_head_scores},
    {"heads",
     MODELS,
     {"run", "by=None", "measure=\"stripe\"", "period=None"},
     "All heads with their scores by every pattern of head_scores, the highest first, or the "
     "highest by one pattern. Of a model alone: in random tokens, twice.",
     "m = transformer(vocab=9); r = m([3, 1, 4, 3, 1, 4])\nheads(r, by=\"first\")",
     run_heads},
    {"lens",
     MODELS,
     {"run", "position=-1"},
     "The logit lens: the logits of the residual stream before the first layer and after each, "
     "through the last norm; the last row is the model's own.",
     "m = transformer(vocab=9); r = m([3, 1, 4]); lens(r)",
     run_lens_at},
    {"contributions",
     MODELS,
     {"run", "token=None", "position=-1"},
     "What the embeddings, each head, bias and MLP add to the logit of a token (the likeliest): "
     "they add up to it, with the last norm's scale held at what it is in this run.",
     "m = transformer(vocab=9); r = m([3, 1, 4]); contributions(r, 5)",
     run_contributions_to},
    {"compare",
     MODELS,
     {"run", "other", "text=None", "head=None"},
     "How far each head's weights change from one run to another, or from one text to another of a "
     "model, compare(m, A, B): half the sum of the differences, the mean over the tokens that both "
     "have, layers x heads. head=(5, 1) gives the change of its weights.",
     "m = transformer(vocab=9); compare(m([3, 1, 4]), m([3, 2, 4]))",
     run_compare},
    {"patch",
     MODELS,
     {"run", "other", "text=None", "head=None", "layer=None", "position=None", "by=\"head\"",
      "token=None", "against=None"},
     "How much of the first run's preference for token over against each head brings back when it "
     "is put into the other run: 1 all, 0 none; layers x heads, or by=\"position\", the stream "
     "into each layer at each token. head=, or layer= with or without position=, gives the run.",
     "m = transformer(vocab=9)\npatch(m([3, 1, 4]), m([3, 2, 5]), token=4, against=5)",
     run_patch},
    {"qk",
     MODELS,
     {"model", "layer", "head", "words=None"},
     "A head's query-key circuit, word by word: the score that each word (row) gives each (column) "
     "by their embeddings alone, E W_Q W_K.T E.T / sqrt(head_dim). Positions, norms and biases are "
     "left out. words: a text, a list of tokens or ids.",
     "m = transformer(vocab=[\"the\", \"cat\", \"sat\"]); qk(m, 0, 1)",
     run_qk},
    {"ov",
     MODELS,
     {"model", "layer", "head", "words=None"},
     "A head's output-value circuit, word by word: what attending to a word (row) adds to the "
     "logit of each (column), E W_V W_O U.T. Norms and biases are left out.",
     "m = transformer(vocab=[\"the\", \"cat\", \"sat\"]); ov(m, 0, 1, \"the cat\")",
     run_ov},
    {"composition",
     MODELS,
     {"model", "kind=\"K\"", "head=None"},
     "How far the query, key or value (\"Q\", \"K\", \"V\") of a head (column) is made of what an "
     "earlier head (row) writes, by Frobenius norms; head=(5, 1) gives that head's alone, layers x "
     "heads.",
     "m = transformer(vocab=9); composition(m, \"K\", head=(1, 0))",
     run_composition},
};
const size_t n_builtins_inspect = COUNT_OF(builtins_inspect);
