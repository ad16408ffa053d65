/* `why` of an attention weight in a model: what heads and MLPs wrote into the stream, added up
 * again and carried on by the formulas of the two papers, gives the weight; and what is printed
 * adds up. Random models of both families, random cells. */
#include "model_testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/why.h"
#include "graph/node.h"
#include "graph/stream_internal.h"
#include "show/backend.h"
#include "tensor/random.h"
#include "tensor/tensor.h"

enum {
    MODELS = 50,
    CELLS = 20, /* of each model: 1000 in all */
    MOST_TOKENS = 9,
    MOST_WIDTH = 24,
    MOST_HEAD = 6,
    DIGITS = 9, /* so many that rounding on the page does not matter */
};
static const double close_enough = 1e-6;

/* ---- random models ---- */

static size_t between(struct random *random, size_t least, size_t most)
{
    return least + random_below(random, (uint32_t)(most - least + 1));
}

static struct model_config random_config(struct random *random, enum model_family family)
{
    struct model_config config = small_config(family);
    bool llama = family == FAMILY_LLAMA;
    size_t shared = llama ? between(random, 1, 2) : 1;
    config.n_layers = between(random, 2, 4);
    config.n_kv_heads = between(random, 2, llama ? 2 : 4);
    config.n_heads = config.n_kv_heads * shared;
    config.head_dim = 2 * between(random, 1, MOST_HEAD / 2);
    config.d_model = llama ? between(random, 4, MOST_WIDTH) : config.n_heads * config.head_dim;
    config.d_mlp = between(random, 0, 3) > 0 ? between(random, 1, 30) : 0;
    config.has_qkv_bias = random_below(random, 2) == 0;
    config.has_out_bias = random_below(random, 2) == 0;
    config.has_mlp_bias = random_below(random, 2) == 0;
    return config;
}

/* Every weight drawn anew: also those of norms and biases. */
static void draw_weights(struct model *model, struct random *random)
{
    for (size_t at = 0; at < parameter_count(&model->config); at++) {
        struct node *node = model->parameters[at];
        size_t n = node != NULL ? tensor_size(&node->value) : 0, layer;
        enum param which = parameter_which(&model->config, at, &layer);
        bool is_norm = which == PARAM_NORM1 || which == PARAM_NORM2 || which == PARAM_LAST_NORM;
        if (n > 0)
            random_normal(random, n, node->value.data);
        for (size_t i = 0; i < n; i++)
            node->value.data[i] =
                is_norm ? 1 + 0.2F * node->value.data[i] : 0.4F * node->value.data[i];
    }
}

/* ---- the weight, from what was written into the stream ---- */

/* One cell of one head. */
struct place {
    size_t layer, head, query, key;
};

/* How many parts the stream before a layer has: embeddings, and of each layer before it the heads,
 * their bias and the MLP. */
static size_t parts_before(const struct model_config *config, size_t layer)
{
    return (config->family == FAMILY_GPT2 ? 2 : 1) +
           layer * (config->n_heads + config->has_out_bias + (config->d_mlp > 0));
}

static double sum_of_parts(const struct model_config *config, struct cell cell, size_t layer)
{
    struct stream stream;
    struct error error;
    double sum = 0;
    assert_true(stream_is(cell.node));
    assert_true(stream_parts(cell, &stream, &error));
    assert_int_equal(stream.n, parts_before(config, layer));
    for (size_t i = 0; i < stream.n; i++)
        sum += stream.parts[i].value;
    stream_release(&stream);
    return sum;
}

/* LayerNorm or RMSNorm of x, in place. */
static void normalise(const struct bench *bench, size_t layer, double *x)
{
    const struct model_config *config = &bench->model->config;
    size_t d = config->d_model;
    bool rms = config->norm == NORM_RMS;
    double mean = 0, square = 0;
    for (size_t i = 0; i < d; i++)
        mean += rms ? 0 : x[i] / (double)d;
    for (size_t i = 0; i < d; i++)
        square += (x[i] - mean) * (x[i] - mean) / (double)d;
    struct node **parameters = bench->model->parameters;
    const struct node *weight = parameters[parameter_at(config, PARAM_NORM1, layer)];
    const struct node *bias = parameters[parameter_at(config, PARAM_NORM1_BIAS, layer)];
    for (size_t i = 0; i < d; i++) {
        x[i] = (x[i] - mean) / sqrt(square + config->norm_eps) *
               (double)tensor_at_position(&weight->value, i);
        x[i] += bias != NULL ? (double)tensor_at_position(&bias->value, i) : 0;
    }
}

/* Column `column` of x times a matrix, and its bias. */
static double projected(const struct bench *bench, enum param matrix, enum param bias, size_t layer,
                        const double *x, size_t column)
{
    const struct model_config *config = &bench->model->config;
    const struct node *b = bench->model->parameters[parameter_at(config, bias, layer)];
    double sum = b != NULL ? (double)tensor_at_position(&b->value, column) : 0;
    for (size_t i = 0; i < config->d_model; i++)
        sum += x[i] * weight_of(bench, matrix, layer, i, column);
    return sum;
}

/* Turns each pair (i, i + half) by position * theta^(-2 i / head_dim). */
static void rotate(const struct model_config *config, size_t position, double *x)
{
    size_t half = config->head_dim / 2;
    for (size_t i = 0; i < half; i++) {
        double angle =
            (double)position * pow(config->rope_theta, -2.0 * (double)i / (double)config->head_dim);
        double a = x[i], b = x[i + half];
        x[i] = a * cos(angle) - b * sin(angle);
        x[i + half] = b * cos(angle) + a * sin(angle);
    }
}

/* The query of a head at a position, or its key. */
static void query_or_key(const struct bench *bench, const struct place *place, bool is_key,
                         size_t position, const double *normed, double *ret)
{
    const struct model_config *config = &bench->model->config;
    bool gpt2 = config->family == FAMILY_GPT2;
    size_t head = is_key ? place->head / (config->n_heads / config->n_kv_heads) : place->head;
    size_t first = (gpt2 && is_key ? config_query_width(config) : 0) + head * config->head_dim;
    enum param matrix = gpt2 ? PARAM_QKV : is_key ? PARAM_KEY : PARAM_QUERY;
    enum param bias = gpt2 ? PARAM_QKV_BIAS : is_key ? PARAM_KEY_BIAS : PARAM_QUERY_BIAS;
    for (size_t i = 0; i < config->head_dim; i++)
        ret[i] = projected(bench, matrix, bias, place->layer, normed, first + i);
    if (!gpt2)
        rotate(config, position, ret);
}

/* The stream at a position, from its parts, after the norm. */
static void normed_row(struct bench *bench, struct run *run, size_t layer, size_t position,
                       double *ret)
{
    const struct model_config *config = &bench->model->config;
    struct node *stream = run_stage(run, STAGE_RESID, layer, &bench->error);
    assert_non_null(stream);
    for (size_t i = 0; i < config->d_model; i++) {
        struct cell cell = {stream, position * config->d_model + i};
        ret[i] = layer > 0 ? sum_of_parts(config, cell, layer) : (double)cell_value(cell);
    }
    normalise(bench, layer, ret);
}

static double weight_again(struct bench *bench, struct run *run, const struct place *place)
{
    const struct model_config *config = &bench->model->config;
    double row[MOST_WIDTH], query[MOST_HEAD], key[MOST_HEAD], exps[MOST_TOKENS], sum = 0;
    normed_row(bench, run, place->layer, place->query, row);
    query_or_key(bench, place, false, place->query, row, query);
    for (size_t k = 0; k <= place->query; k++) {
        double score = 0;
        normed_row(bench, run, place->layer, k, row);
        query_or_key(bench, place, true, k, row, key);
        for (size_t i = 0; i < config->head_dim; i++)
            score += query[i] * key[i];
        exps[k] = exp(score / sqrt((double)config->head_dim));
        sum += exps[k];
    }
    return exps[place->key] / sum;
}

/* ---- what is printed ---- */

/* A number, "(a number)" or "(26 more, together a number)" at *at, which moves behind it. */
static bool read_term(const char **at, double *ret, bool *ret_is_rest)
{
    bool brackets = **at == '(';
    const char *begin = *at + brackets, *together = NULL;
    char *end;
    *ret = strtod(begin, &end);
    *ret_is_rest = brackets && strncmp(end, " more, together ", 16) == 0;
    if (*ret_is_rest) {
        together = end + 16;
        *ret = strtod(together, &end);
    }
    if (end == begin || end == together || (brackets && *end++ != ')'))
        return false;
    *at = end;
    return true;
}

/* Sums in float32 err by their largest term. */
static bool is_sum(double sum, double value, double largest)
{
    return fabs(sum - value) <= close_enough * fmax(1, fabs(largest));
}

/* Adds up a step that is nothing but numbers, "0.5 + (-1) + ...", each no larger than the one
 * before. False for any other step. */
static bool add_up(const char *step, double *ret)
{
    double last = (double)INFINITY;
    size_t n = 0;
    for (*ret = 0;; step += 3, n++) {
        double term;
        bool is_rest;
        if (!read_term(&step, &term, &is_rest))
            return false;
        *ret += term;
        if (!is_rest && !(fabs(term) <= last + 1e-7))
            last = -1; /* noted: not the largest first */
        last = !is_rest && last >= 0 ? fabs(term) : last;
        if (strncmp(step, " + ", 3) != 0)
            break;
    }
    return *step == '\0' && n > 0 && last >= 0;
}

/* Checks the lines of a stream's parts, from `at` on: they add up and the largest comes first. */
static void check_parts(char *const *lines, size_t n, size_t at, double value)
{
    double sum = 0, last = (double)INFINITY, largest = strtod(strrchr(lines[at], ' '), NULL);
    for (; at < n && strncmp(lines[at], "      ", 6) == 0; at++) {
        double part = strtod(strrchr(lines[at], ' '), NULL);
        assert_true(fabs(part) <= last);
        last = fabs(part);
        sum += part;
    }
    assert_true(is_sum(sum, value, largest));
}

/* Takes the lines of an explanation apart. Returns how many streams were among what adds up. */
static size_t check_lines(char *const *lines, size_t n, size_t *ret_n_sums)
{
    size_t n_streams = 0;
    double value = NAN, sum;
    bool is_score = false;
    for (size_t i = 0; i < n; i++) {
        const char *is = strstr(lines[i], " = ");
        char step[4096] = "";
        if (lines[i][0] != ' ' && is != NULL) {
            value = strtod(is + 3, NULL);
            is_score = strncmp(lines[i], "scores[", 7) == 0;
        }
        if (strstr(lines[i], "= the sum of all ") != NULL) {
            check_parts(lines, n, i + 1, value);
            n_streams++;
        }
        if (strncmp(lines[i], "  = ", 4) != 0)
            continue;
        strcat(step, lines[i] + 4);
        for (size_t next = i + 1; next < n && strncmp(lines[next], "      + ", 8) == 0; next++)
            strcat(step, lines[next] + 5);
        if (strchr(step, '*') != NULL || strstr(step, " + ") == NULL)
            continue;
        bool is_ordered = add_up(step, &sum);
        if (is_score && !is_ordered)
            fail_msg("%s: the largest does not come first", step);
        if (is_ordered) {
            if (!is_sum(sum, value, strtod(step, NULL)))
                fail_msg("%s is not %.9g, but %.9g", step, value, sum);
            ++*ret_n_sums;
        }
    }
    return n_streams;
}

/* `why` of a cell: its stream's lines, and its sums, add up. */
static void check_why(struct cell cell, size_t layer)
{
    enum { MOST_LINES = 1000 };
    struct doc doc;
    struct text text = {0};
    struct error error;
    char *lines[MOST_LINES];
    size_t n = 0, n_sums = 0;
    doc_init(&doc);
    assert_true(explain_why(cell, DIGITS, &doc, &error));
    doc_to_plain(&doc, &text);
    char *copy = strdup(text_string(&text));
    assert_non_null(copy);
    for (char *line = strtok(copy, "\n"); line != NULL && n < MOST_LINES; line = strtok(NULL, "\n"))
        lines[n++] = line;
    assert_int_equal(check_lines(lines, n, &n_sums), layer > 0);
    assert_true(n_sums >= 2); /* the products of a score, and of a query or key */
    free(copy);
    text_release(&text);
    doc_release(&doc);
}

/* ---- the property ---- */

static void check_cell(struct bench *bench, struct run *run, struct random *random)
{
    const struct model_config *config = &bench->model->config;
    size_t n = run_length(run), query = random_below(random, (uint32_t)n);
    struct place place = {.layer = random_below(random, (uint32_t)config->n_layers),
                          .head = random_below(random, (uint32_t)config->n_heads),
                          .query = query,
                          .key = random_below(random, (uint32_t)(query + 1))};
    struct node *weights = run_stage(run, STAGE_WEIGHTS, place.layer, &bench->error);
    assert_non_null(weights);
    struct cell cell = {weights, (place.head * n + place.query) * n + place.key};
    double again = weight_again(bench, run, &place), given = (double)cell_value(cell);
    if (!(fabs(again - given) <= close_enough))
        fail_msg("L%zuH%zu[%zu, %zu] is %.9g, and its parts give %.9g", place.layer, place.head,
                 place.query, place.key, given, again);
    check_why(cell, place.layer);
}

static void test_model__weights_are_what_was_written(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 11);
    for (size_t i = 0; i < MODELS; i++) {
        struct model_config config = random_config(&random, i % 2 ? FAMILY_LLAMA : FAMILY_GPT2);
        struct bench bench;
        float ids[MOST_TOKENS];
        size_t n = between(&random, 2, MOST_TOKENS);
        bench_open_as(&bench, &config);
        draw_weights(bench.model, &random);
        for (size_t at = 0; at < n; at++)
            ids[at] = (float)random_below(&random, VOCAB);
        struct run *run = bench_run(&bench, n, ids);
        for (size_t c = 0; c < CELLS; c++)
            check_cell(&bench, run, &random);
        run_free(run);
        bench_close(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model__weights_are_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
