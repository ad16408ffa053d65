/* See detector.h. */
#include "model/detector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "graph/node.h"
#include "model/model.h"
#include "model/run.h"
#include "tensor/tensor.h"
#include "tensor/random.h"
#include "model/head_ranking.h"
#include "show/doc.h"
#include "show/labels.h"
#include "files/tokenizer.h"

/* ---- pattern ---- */

static const double SINK_SHARE = 0.3;

enum { SINK_TOKENS = 3 }; /* of two tokens one always gets much */

struct node *pattern_node(struct run *run, size_t layer, struct error *reterr)
{
    if (!run_check_one_text(run, reterr) || run_stage(run, STAGE_CONTEXT, layer, reterr) == NULL)
        return NULL;
    /* A run that shares all else with this one: the weights are gone with it. */
    struct run *look = run_edited(run, NULL, 0, reterr);
    struct node *weights = look != NULL ? run_stage(look, STAGE_WEIGHTS, layer, reterr) : NULL;
    if (weights != NULL)
        node_share(weights);
    run_free(look);
    return weights;
}

bool pattern_of_layer(struct run *run, size_t layer, struct tensor *ret, struct error *reterr)
{
    struct node *weights = pattern_node(run, layer, reterr);
    if (weights == NULL)
        return false;
    *ret = tensor_share(&weights->value);
    node_free(weights);
    return true;
}

bool pattern_of_head(struct run *run, size_t layer, size_t head, struct tensor *ret,
                     struct error *reterr)
{
    size_t n_heads = run->model->config.n_heads;
    struct tensor all;
    if (!pattern_of_layer(run, layer, &all, reterr))
        return false;
    bool ok = head < n_heads ? tensor_pick(&all, 0, head, ret, reterr)
                             : error_set(reterr, ERR_RANGE, "head %zu: %s has %zu %s, 0 to %zu",
                                         head, run->model->name, n_heads,
                                         n_heads == 1 ? "head" : "heads", n_heads - 1);
    tensor_release(&all);
    return ok;
}

struct pattern_sink pattern_sink(const struct tensor *weights)
{
    struct pattern_sink sink = {.share = -1};
    size_t n = weights->shape[0];
    for (size_t key = 0; key < weights->shape[1]; key++) {
        double sum = 0;
        for (size_t query = 0; query < n; query++)
            sum += (double)tensor_at(weights, (size_t[]){query, key});
        if (sum / (double)n > sink.share)
            sink = (struct pattern_sink){.key = key, .share = sum / (double)n};
    }
    sink.is_sink = n >= SINK_TOKENS && sink.share > SINK_SHARE;
    return sink;
}

bool pattern_hidden(const struct run *run, struct tensor *ret, struct error *reterr)
{
    size_t n = run_length(run);
    if (!tensor_zeros(2, (size_t[]){n, n}, ret, reterr))
        return false;
    ret->is_bool = true;
    for (size_t query = 0; run->model->config.is_causal && query < n; query++)
        for (size_t key = query + 1; key < n; key++)
            ret->data[query * n + key] = 1;
    return true;
}

/* ---- repeats ---- */

enum { REPEATS_PERIOD = 50 }; /* the tokens to draw, in a model that can take twice this many */

/* The ids: first, if it is not negative, then period random ones, twice. */
static bool draw_ids(ptrdiff_t first, size_t vocab, size_t period, struct random *random,
                     struct tensor *ret, struct error *reterr)
{
    size_t begin = first >= 0, n = begin + 2 * period;
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    if (begin > 0)
        ret->data[0] = (float)first;
    for (size_t i = 0; i < period; i++)
        ret->data[begin + i] = ret->data[begin + period + i] =
            (float)(random_word(random) % (uint32_t)vocab);
    return true;
}

struct run *run_repeats(struct graph *graph, struct model *model, struct random *random,
                        size_t *ret_period, struct error *reterr)
{
    const struct model_config *config = &model->config;
    static const char text[] = "random tokens, twice";
    struct tensor ids;
    size_t room = (config->n_positions - (config->first_token >= 0)) / 2;
    size_t period = room < REPEATS_PERIOD ? room : REPEATS_PERIOD;
    if (period < 2 || config->vocab == 0) {
        error_set(reterr, ERR_RANGE, "%s takes %zu tokens: too few to repeat any", model->name,
                  config->n_positions);
        return NULL;
    }
    if (!draw_ids(config->first_token, config->vocab, period, random, &ids, reterr))
        return NULL;
    struct node *node = node_input(graph, &ids, text, sizeof text - 1, reterr);
    struct run *run = node != NULL ? run_ids(graph, model, node, reterr) : NULL;
    node_free(node);
    *ret_period = period;
    return run;
}

/* ---- detector table ---- */

/* Above this ARENA calls a head by the pattern's name. */
#define NAMED_FROM 0.4F

enum { COLUMN = 8 }; /* columns of a score */

/* The score by which a head is ranked; NaN without a score. */
static float rank_of(const float *scores, enum detector by)
{
    float highest = NAN;
    if (by < DETECTORS)
        return scores[by];
    for (size_t d = 0; d < DETECT_UNIFORM; d++)
        if (!(scores[d] <= highest) && !isnan(scores[d]))
            highest = scores[d];
    return highest;
}

/* Fills one column: a detector's score of each head. */
static bool fill_column(struct run *run, const struct detection *detection, float *table,
                        struct error *reterr)
{
    struct tensor scores;
    if (!detector_scores(run, detection, &scores, reterr))
        return false;
    for (size_t i = 0; i < tensor_size(&scores); i++)
        table[i * DETECTORS + detection->detector] = scores.data[i];
    tensor_release(&scores);
    return true;
}

static bool fill(struct run *run, struct detection detection, float *table, struct error *reterr)
{
    bool ok = true;
    for (enum detector d = 0; ok && d < DETECTORS; d++) {
        detection.detector = d;
        ok = fill_column(run, &detection, table, reterr);
    }
    return ok;
}

/* The heads, the highest first. */
static bool rank(const float *table, size_t n, enum detector by, size_t *ret_order,
                 struct error *reterr)
{
    float *ranks = calloc(n + 1, sizeof *ranks);
    if (ranks == NULL)
        return error_memory(reterr, "a table of heads");
    for (size_t i = 0; i < n; i++)
        ranks[i] = rank_of(table + i * DETECTORS, by);
    bool ok = rank_by_size(ranks, n, ret_order, reterr);
    free(ranks);
    return ok;
}

/* The rows in that order, and their names. */
static bool ordered(const float *table, const size_t *order, size_t n, size_t n_heads,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr)
{
    if (!tensor_empty(2, (size_t[]){n, DETECTORS}, ret, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        memcpy(ret->data + i * DETECTORS, table + order[i] * DETECTORS, DETECTORS * sizeof *table);
    if (labels_of_heads(n_heads, order, n, ret_heads, reterr))
        return true;
    tensor_release(ret);
    return false;
}

bool detector_table(struct run *run, enum detector_measure measure, size_t period, enum detector by,
                    struct tensor *ret, struct labels **ret_heads, struct error *reterr)
{
    const struct model_config *config = &run->model->config;
    size_t n = config->n_layers * config->n_heads;
    struct detection detection = {.measure = measure, .period = period};
    float *table = calloc(n * DETECTORS + 1, sizeof *table);
    size_t *order = calloc(n + 1, sizeof *order);
    bool ok = (table != NULL && order != NULL) || error_memory(reterr, "a table of heads");
    ok = ok && fill(run, detection, table, reterr) && rank(table, n, by, order, reterr) &&
         ordered(table, order, n, config->n_heads, ret, ret_heads, reterr);
    free(table);
    free(order);
    return ok;
}

/* ---- showing ---- */

static void show_names(struct doc *out)
{
    static const char *const shortened[DETECTORS] = {[DETECT_SAME_WORD] = "word",
                                                     [DETECT_PUNCTUATION] = "punct.",
                                                     [DETECT_DUPLICATE] = "duplic.",
                                                     [DETECT_INDUCTION] = "induct."};
    doc_add(out, STYLE_LABEL, "%-8s", "");
    for (enum detector d = 0; d < DETECTORS; d++)
        doc_add(out, STYLE_LABEL, "%*s", COLUMN,
                shortened[d] != NULL ? shortened[d] : detector_name(d));
    doc_end_line(out);
}

static void show_head(const float *scores, const char *name, struct doc *out)
{
    doc_add(out, STYLE_LABEL, "%-8s", name);
    for (size_t d = 0; d < DETECTORS; d++) {
        if (isnan(scores[d]))
            doc_add(out, STYLE_QUIET, "%*s", COLUMN, "-");
        else
            doc_add(out, scores[d] > NAMED_FROM ? STYLE_GOOD : STYLE_NUMBER, "%*.2f", COLUMN,
                    (double)scores[d]);
    }
    doc_end_line(out);
}

bool show_detector_table(const struct tensor *table, const struct labels *heads, size_t n,
                         struct doc *out, struct error *reterr)
{
    size_t n_all = table->shape[0];
    show_names(out);
    for (size_t i = 0; i < n && i < n_all; i++)
        show_head(table->data + i * DETECTORS, labels_name(heads, i), out);
    if (n < n_all)
        doc_line(out, STYLE_QUIET, "... %zu more heads", n_all - n);
    return doc_check(out, reterr);
}

/* ---- detector ---- */

const char *detector_name(enum detector detector)
{
    static const char *const names[DETECTORS] = {"previous",    "current",   "first",
                                                 "duplicate",   "induction", "same word",
                                                 "punctuation", "uniform"};
    return names[detector];
}

/* ---- tokens as words ---- */

/* A token without the space before it. */
struct word {
    const utf8proc_uint8_t *bytes; /* NULL: a model without vocabulary */
    size_t size;
};

static struct word word_of(const struct run *run, size_t i)
{
    size_t size = 0;
    const struct tokenizer *tokenizer = run->model->tokenizer;
    uint32_t id = (uint32_t)tensor_at_position(&run->ids->value, i);
    const char *bytes = tokenizer != NULL ? tokenizer_token(tokenizer, id, &size) : NULL;
    while (bytes != NULL && size > 0 && *bytes == ' ') {
        bytes++;
        size--;
    }
    return (struct word){(const utf8proc_uint8_t *)bytes, size};
}

/* The next letter in lower case, taken off the word; -1 at its end or if the next character is not
 * a letter. */
static utf8proc_int32_t next_letter(struct word *word)
{
    utf8proc_int32_t letter = -1;
    if (word->size == 0)
        return -1;
    utf8proc_ssize_t size = utf8proc_iterate(word->bytes, (utf8proc_ssize_t)word->size, &letter);
    if (size <= 0)
        return -1;
    word->bytes += size;
    word->size -= (size_t)size;
    return utf8proc_tolower(letter);
}

static bool is_sign(utf8proc_int32_t letter)
{
    utf8proc_category_t category = utf8proc_category(letter);
    return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_SO;
}

/* Signs alone, one at least. */
static bool is_punctuation(struct word word)
{
    if (word.bytes == NULL || word.size == 0)
        return false;
    while (word.size > 0) {
        utf8proc_int32_t letter = next_letter(&word);
        if (letter < 0 || !is_sign(letter))
            return false;
    }
    return true;
}

/* The same letters, one at least, and no signs alone. */
static bool is_same_word(struct word a, struct word b)
{
    if (a.bytes == NULL || a.size == 0 || is_punctuation(a))
        return false;
    while (a.size > 0 && b.size > 0) {
        utf8proc_int32_t letter = next_letter(&a);
        if (letter < 0 || letter != next_letter(&b))
            return false;
    }
    return a.size == b.size;
}

/* ---- patterns ---- */

static bool same_token(const struct run *run, size_t i, size_t j)
{
    return tensor_at_position(&run->ids->value, i) == tensor_at_position(&run->ids->value, j);
}

static bool belongs(const struct run *run, const struct detection *detection, size_t q, size_t k)
{
    switch (detection->detector) {
    case DETECT_PREVIOUS:
        return k + 1 == q;
    case DETECT_CURRENT:
        return k == q;
    case DETECT_FIRST:
        return k == 0;
    case DETECT_DUPLICATE:
        return k < q && same_token(run, q, k);
    case DETECT_INDUCTION:
        return detection->period > 0 ? q + 1 == k + detection->period
                                     : k > 0 && k <= q && same_token(run, q, k - 1);
    case DETECT_SAME_WORD:
        return k < q && is_same_word(word_of(run, q), word_of(run, k));
    case DETECT_PUNCTUATION:
        return k < q && is_punctuation(word_of(run, k));
    default:
        return k <= q;
    }
}

bool detector_pattern(const struct run *run, const struct detection *detection, struct tensor *ret,
                      struct error *reterr)
{
    size_t n = run_length(run);
    if (!run_check_one_text(run, reterr) || !tensor_empty(2, (size_t[]){n, n}, ret, reterr))
        return false;
    for (size_t q = 0; q < n; q++)
        for (size_t k = 0; k < n; k++)
            ret->data[q * n + k] = belongs(run, detection, q, k);
    ret->is_bool = true;
    return true;
}

/* ---- measures ---- */

/* Of the weights and the pattern of one head, n x n. */
static double stripe(const float *weights, const float *pattern, size_t n)
{
    double sum = 0;
    size_t n_rows = 0;
    for (size_t q = 0; q < n; q++) {
        bool has_place = false;
        for (size_t k = 0; k < n; k++) {
            has_place = has_place || pattern[q * n + k] != 0;
            sum += (double)weights[q * n + k] * (double)pattern[q * n + k];
        }
        n_rows += has_place;
    }
    return n_rows > 0 ? sum / (double)n_rows : (double)NAN;
}

static double mul(const float *weights, const float *pattern, size_t n)
{
    double on = 0, all = 0;
    for (size_t i = 0; i < n * n; i++) {
        on += (double)weights[i] * (double)pattern[i];
        all += (double)weights[i];
    }
    return all > 0 ? on / all : (double)NAN;
}

static double evenness(const float *weights, size_t n, bool is_causal)
{
    double sum = 0;
    size_t n_rows = 0;
    for (size_t q = 0; q < n; q++) {
        size_t m = is_causal ? q + 1 : n;
        double entropy = 0;
        for (size_t k = 0; k < n; k++) {
            double a = (double)weights[q * n + k];
            entropy -= a != 0 ? a * log(a) : 0; /* NaN stays NaN */
        }
        if (m < 2)
            continue;
        sum += entropy / log((double)m);
        n_rows++;
    }
    return n_rows > 0 ? sum / (double)n_rows : (double)NAN;
}

static double measured(const struct run *run, const struct detection *detection,
                       const float *weights, const float *pattern)
{
    size_t n = run_length(run);
    if (detection->detector == DETECT_UNIFORM)
        return evenness(weights, n, run->model->config.is_causal);
    return detection->measure == MEASURE_MUL ? mul(weights, pattern, n)
                                             : stripe(weights, pattern, n);
}

bool detector_layer_scores(struct run *run, const struct detection *detection, size_t layer,
                           const struct tensor *pattern, float *ret, struct error *reterr)
{
    size_t n = run_length(run);
    struct tensor weights, dense;
    if (!pattern_of_layer(run, layer, &weights, reterr))
        return false;
    bool ok = tensor_dense(&weights, &dense, reterr);
    tensor_release(&weights);
    if (!ok)
        return false;
    for (size_t head = 0; head < run->model->config.n_heads; head++)
        ret[head] = (float)measured(run, detection, dense.data + head * n * n, pattern->data);
    tensor_release(&dense);
    return true;
}

bool detector_scores(struct run *run, const struct detection *detection, struct tensor *ret,
                     struct error *reterr)
{
    size_t n_layers = run->model->config.n_layers, n_heads = run->model->config.n_heads;
    struct tensor pattern, scores;
    if (!detector_pattern(run, detection, &pattern, reterr))
        return false;
    bool made = tensor_empty(2, (size_t[]){n_layers, n_heads}, &scores, reterr), ok = made;
    for (size_t layer = 0; ok && layer < n_layers; layer++)
        ok = detector_layer_scores(run, detection, layer, &pattern, scores.data + layer * n_heads,
                                   reterr);
    tensor_release(&pattern);
    if (ok)
        *ret = scores;
    else if (made)
        tensor_release(&scores);
    return ok;
}
