/* See show_model.h. */
#include "model/show_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/intervene.h"
#include "model/detector.h"
#include "model/run.h"
#include "show/heat.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"
#include "base/size.h"
#include "model/model.h"
#include "show/heat_cell.h"
#include "base/text.h"
#include "model/generate.h"
#include "show/matrix.h"

/* ---- show head ---- */

/* The token at a position, in quotes, and its position. */
static void put_token(const struct run *run, size_t position, struct doc *out)
{
    struct text token = {0};
    float id = tensor_at_position(&run->ids->value, position);
    model_show_token(run->model, (size_t)id, &token);
    doc_add(out, STYLE_LABEL, "\"%s\"", text_string(&token));
    doc_add(out, STYLE_PLAIN, " at %zu", position);
    out->failed = out->failed || token.failed;
    text_release(&token);
}

static bool find_sink(struct run *run, const struct head_look *look, struct pattern_sink *ret,
                      struct error *reterr)
{
    struct tensor weights;
    if (!pattern_of_head(run, look->layer, look->head, &weights, reterr))
        return false;
    *ret = pattern_sink(&weights);
    tensor_release(&weights);
    return true;
}

/* ---- the table ---- */

/* weights (n_heads, n, n) without a key, and the rest of each row scaled to add up to 1; a row that
 * has nothing else becomes 0. */
static struct node *without_key(struct builder *builder, struct node *weights, size_t key)
{
    size_t n = weights->value.shape[2];
    struct tensor hides;
    if (!tensor_zeros(1, &n, &hides, builder->reterr))
        return builder_keep(builder, NULL);
    hides.is_bool = true;
    hides.data[key] = 1;
    struct node *hidden = build_input(builder, &hides, "the key that is hidden");
    struct node *zero = build_number(builder, 0), *one = build_number(builder, 1);
    struct node *rest = build3(builder, OP_MASKED_FILL, weights, hidden, zero);
    struct node *sums = build_reduce(builder, OP_SUM, rest, 1U << 2, true, 0);
    struct node *is_empty = build2(builder, OP_EQ, sums, zero);
    return build2(builder, OP_DIV, rest, build3(builder, OP_WHERE, is_empty, one, sums));
}

/* weights times the length of each key's value; v (n_kv_heads, n, head_dim), of which each head
 * serves several query heads. */
static struct node *times_length(struct builder *builder, struct node *weights, struct node *v)
{
    size_t n_kv_heads = v->value.shape[0], n_heads = weights->value.shape[0];
    struct node *squares = build2(builder, OP_MUL, v, v);
    struct node *sums = build_reduce(builder, OP_SUM, squares, 1U << 2, false, 0);
    struct node *lengths = build_name(builder, build1(builder, OP_SQRT, sums), "lengths");
    if (n_heads > n_kv_heads)
        lengths = build_repeat(builder, lengths, n_heads / n_kv_heads, 0);
    const size_t shape[] = {n_heads, 1, weights->value.shape[2]};
    return build2(builder, OP_MUL, weights, build_reshape(builder, lengths, 3, shape));
}

static struct node *build_look(struct builder *builder, struct run *run,
                               const struct head_look *look, struct node *weights)
{
    struct pattern_sink sink;
    struct node *shown = weights;
    if (look->hides_sink && !find_sink(run, look, &sink, builder->reterr))
        return NULL;
    if (look->hides_sink)
        shown = without_key(builder, weights, sink.key);
    struct node *v = look->by_length ? run_stage(run, STAGE_V, look->layer, builder->reterr) : NULL;
    if (look->by_length)
        shown = v != NULL ? times_length(builder, shown, v) : NULL;
    if (shown == weights || shown == NULL)
        return shown;
    for (unsigned axis = 1; axis <= 2; axis++)
        node_set_labels(shown, axis, weights->labels[axis]);
    return build_name(builder, shown, look->by_length ? "reach" : "rescaled");
}

struct node *head_node(struct run *run, const struct head_look *look, struct error *reterr)
{
    struct node *weights = pattern_node(run, look->layer, reterr), *shown;
    struct builder builder;
    if (weights == NULL)
        return NULL;
    builder_init(&builder, run->graph, reterr);
    shown = build_look(&builder, run, look, weights);
    shown = shown != NULL ? builder_result(&builder, shown) : NULL;
    builder_release(&builder);
    node_free(weights);
    return shown;
}

/* ---- in words ---- */

bool show_head_title(struct run *run, const struct head_look *look, struct doc *out,
                     struct error *reterr)
{
    struct pattern_sink sink;
    if (!find_sink(run, look, &sink, reterr))
        return false;
    doc_add(out, STYLE_TITLE, "layer %zu, head %zu", look->layer, look->head);
    doc_add(out, STYLE_PLAIN, ": %s", look->by_length ? "weights x length of v" : "weights");
    if (look->hides_sink) {
        doc_add(out, STYLE_PLAIN, ", without ");
        put_token(run, sink.key, out);
        doc_add(out, STYLE_PLAIN, ", rest rescaled");
    }
    doc_end_line(out);
    return true;
}

bool show_head_sink(struct run *run, const struct head_look *look, struct doc *out,
                    struct error *reterr)
{
    struct pattern_sink sink;
    char share[NUMBER_TEXT];
    if (!find_sink(run, look, &sink, reterr))
        return false;
    if (sink.share < 0) {
        doc_line(out, STYLE_BAD,
                 "Its weights are NaN: so are numbers of the model, or they grew "
                 "too large on the way.");
        return true;
    }
    doc_add(out, STYLE_PLAIN, sink.is_sink ? "Sink: " : "No sink; most attention goes to ");
    put_token(run, sink.key, out);
    if (sink.share < 0.1) /* a share, not a number to compute with: no exponent */
        snprintf(share, sizeof share, "%.2f", sink.share);
    else
        number_short((float)sink.share, 2, share);
    doc_add(out, STYLE_PLAIN, sink.is_sink ? " gets %s of all attention." : ": %s of all.", share);
    doc_end_line(out);
    return true;
}

bool show_head(struct run *run, const struct head_look *look, const struct show_options *options,
               struct doc *out, struct error *reterr)
{
    struct tensor table, hidden;
    if (!show_head_title(run, look, out, reterr))
        return false;
    struct node *node = head_node(run, look, reterr);
    bool ok = node != NULL && tensor_pick(&node->value, 0, look->head, &table, reterr);
    if (ok && pattern_hidden(run, &hidden, reterr)) {
        struct labels *labels[] = {run->labels, run->labels};
        struct picture picture = {.tensor = &table, .labels = labels, .hidden = &hidden};
        heat_show(out, &picture, options);
        tensor_release(&hidden);
        tensor_release(&table);
    } else if (ok) {
        tensor_release(&table);
        ok = false;
    }
    node_free(node);
    return ok && show_head_sink(run, look, out, reterr) && doc_check(out, reterr);
}

bool show_head_difference(struct run *const runs[2], const struct alignment *alignment,
                          const size_t head[2], const struct show_options *options, struct doc *out,
                          struct error *reterr)
{
    struct tensor difference;
    struct labels *names;
    char title[80];
    if (!alignment_labels(alignment, runs[0], runs[1], &names, reterr))
        return false;
    bool ok = head_difference(runs[0], runs[1], alignment, head, &difference, reterr);
    if (ok) {
        snprintf(title, sizeof title, "L%zuH%zu: weights in the second minus those in the first",
                 head[0], head[1]);
        struct labels *labels[2] = {names, names};
        struct picture picture = {.tensor = &difference, .labels = labels, .title = title};
        heat_show(out, &picture, options);
        tensor_release(&difference);
    }
    labels_free(names);
    return ok && doc_check(out, reterr);
}

/* ---- show heads ---- */

enum {
    COLS_MIN = 8, /* of a thumbnail: fewer show no pattern, and have no room for a score */
    LINES_MIN = 3,
};

/* ---- the size ---- */

/* The tokens of a thumbnail; of two texts, the pairs of them. */
static size_t tokens_of(const struct heads_of *of)
{
    return of->other != NULL ? of->alignment->n : run_length(of->run);
}

static struct thumbnail fit(const struct heads_of *of, size_t cols, size_t rows,
                            const struct show_options *options)
{
    struct thumbnail thumbnail = thumbnail_fit(size_max(tokens_of(of), 1), cols, rows, options);
    thumbnail.is_causal = of->run->model->config.is_causal;
    thumbnail.is_signed = of->other != NULL;
    return thumbnail;
}

static bool is_larger(const struct thumbnail *a, const struct thumbnail *b)
{
    return a->n_cells != b->n_cells ? a->n_cells > b->n_cells : a->cell_rows > b->cell_rows;
}

void heads_layout_fit(struct heads_layout *layout, const struct heads_of *of, size_t cols,
                      size_t lines, const struct show_options *options)
{
    size_t rows_each = thumbnail_rows_each(options), spare = lines > LINES_MIN ? 1 : 0;
    layout->drawn = fit(of, cols, (lines - spare) * rows_each, options);
    layout->gap_lines = spare;
    if (rows_each == 2 || spare == 0) { /* the last half line is gap enough */
        struct thumbnail tight = fit(of, cols, lines * rows_each - (rows_each - 1), options);
        if (spare == 0 || is_larger(&tight, &layout->drawn)) {
            layout->drawn = tight;
            layout->gap_lines = 0;
        }
    }
    layout->cols = size_max(thumbnail_cols(&layout->drawn), COLS_MIN);
    layout->lines = size_max(thumbnail_lines(&layout->drawn, options), LINES_MIN);
}

struct heads_layout heads_layout_of(const struct heads_of *of, size_t n_layers, size_t width_cols,
                                    size_t lines, const struct show_options *options)
{
    size_t n_heads = of->run->model->config.n_heads;
    size_t width = size_max(width_cols, HEADS_LABEL_COLS + COLS_MIN) - HEADS_LABEL_COLS + 1;
    size_t cols = size_max(width / n_heads, COLS_MIN + 1) - 1;
    size_t each = size_max(lines, HEADS_TOP_LINES + 1) - HEADS_TOP_LINES;
    each = size_max(each / size_max(n_layers, 1), LINES_MIN);
    struct heads_layout layout = {.n_layers = n_layers};
    heads_layout_fit(&layout, of, cols, each, options);
    layout.n_heads = size_min(n_heads, width / (layout.cols + 1));
    return layout;
}

size_t heads_width(size_t n_heads)
{
    return HEADS_LABEL_COLS + n_heads * (COLS_MIN + 1) - 1;
}

/* ---- the tints ---- */

static bool find_table(const struct heads_of *of, const size_t head[2], struct tensor *ret,
                       struct error *reterr)
{
    struct tensor weights;
    if (of->other != NULL)
        return head_difference(of->other, of->run, of->alignment, head, ret, reterr);
    if (!pattern_of_head(of->run, head[0], head[1], &weights, reterr))
        return false;
    bool ok = tensor_dense(&weights, ret, reterr);
    tensor_release(&weights);
    return ok;
}

static size_t n_tints(const struct heads_layout *layout)
{
    return layout->drawn.n_cells * layout->drawn.n_cells;
}

/* The tints of heads of one list, each layer * n_heads + head, one after the other. */
static bool shrink_listed(const struct heads_of *of, const struct heads_layout *layout,
                          const size_t *heads, size_t n, int16_t *tints, struct error *reterr)
{
    size_t n_heads = of->run->model->config.n_heads, size = n_tints(layout);
    for (size_t i = 0; i < n; i++) {
        struct tensor table;
        const size_t head[2] = {heads[i] / n_heads, heads[i] % n_heads};
        if (!find_table(of, head, &table, reterr))
            return false;
        thumbnail_shrink(&layout->drawn, table.data, tints + i * size);
        tensor_release(&table);
    }
    return true;
}

/* Those of the heads of one layer that are shown; the layer's weights are made once. */
static bool shrink_layer(const struct heads_of *of, const struct heads_layout *layout, size_t layer,
                         int16_t *tints, struct error *reterr)
{
    struct tensor all, dense;
    if (!pattern_of_layer(of->run, layer, &all, reterr))
        return false;
    bool ok = tensor_dense(&all, &dense, reterr);
    tensor_release(&all);
    if (!ok)
        return false;
    size_t n = dense.shape[1];
    for (size_t i = 0; i < layout->n_heads; i++)
        thumbnail_shrink(&layout->drawn, dense.data + (layout->first_head + i) * n * n,
                         tints + i * n_tints(layout));
    tensor_release(&dense);
    return true;
}

/* The same of two runs. */
static bool shrink_change(const struct heads_of *of, const struct heads_layout *layout,
                          size_t layer, int16_t *tints, struct error *reterr)
{
    size_t first = layer * of->run->model->config.n_heads + layout->first_head;
    bool ok = true;
    for (size_t i = 0; ok && i < layout->n_heads; i++) {
        size_t head = first + i;
        ok = shrink_listed(of, layout, &head, 1, tints + i * n_tints(layout), reterr);
    }
    return ok;
}

/* ---- the lines ---- */

/* One line of n thumbnails side by side. */
static void put_thumbnails(const struct heads_layout *layout, const int16_t *tints, size_t n,
                           size_t line, const struct show_options *options, struct doc *out)
{
    size_t cols = thumbnail_cols(&layout->drawn);
    for (size_t i = 0; i < n; i++) {
        thumbnail_put_line(out, &layout->drawn, tints + i * n_tints(layout), line, options);
        if (i + 1 < n)
            doc_add(out, STYLE_PLAIN, "%*s", (int)(layout->cols - cols + 1), "");
    }
    doc_end_line(out);
}

/* The lines of one layer, its name before the first. */
static void put_layer(const struct heads_layout *layout, size_t layer, const int16_t *tints,
                      const struct show_options *options, struct doc *out)
{
    for (size_t line = 0; line < layout->lines; line++) {
        if (line == 0)
            doc_add(out, STYLE_LABEL, "L%-*zu", HEADS_LABEL_COLS - 1, layer);
        else
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
        put_thumbnails(layout, tints, layout->n_heads, line, options, out);
    }
    for (size_t line = 0; line < layout->gap_lines; line++)
        doc_end_line(out);
}

static void put_names(const struct heads_layout *layout, struct doc *out)
{
    doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
    for (size_t i = 0; i < layout->n_heads; i++)
        doc_add(out, STYLE_LABEL, "H%-*zu", (int)layout->cols, layout->first_head + i);
    doc_end_line(out);
}

bool show_heads(const struct heads_of *of, const struct heads_layout *layout,
                const struct show_options *options, struct doc *out, struct error *reterr)
{
    int16_t *tints = calloc(layout->n_heads * n_tints(layout) + 1, sizeof *tints);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    if (ok)
        put_names(layout, out);
    for (size_t i = 0; ok && i < layout->n_layers; i++) {
        size_t layer = layout->first_layer + i;
        ok = of->other != NULL ? shrink_change(of, layout, layer, tints, reterr)
                               : shrink_layer(of, layout, layer, tints, reterr);
        if (ok)
            put_layer(layout, layer, tints, options, out);
    }
    free(tints);
    return ok && doc_check(out, reterr);
}

/* ---- heads in any order ---- */

static void put_listed_names(const struct heads_layout *layout, const size_t *heads, size_t n,
                             size_t n_heads, struct doc *out)
{
    doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
    for (size_t i = 0; i < n; i++) {
        char name[48];
        snprintf(name, sizeof name, "L%zuH%zu", heads[i] / n_heads, heads[i] % n_heads);
        doc_add(out, STYLE_LABEL, "%-*s ", (int)layout->cols, name);
    }
    doc_end_line(out);
}

bool show_listed_heads(const struct heads_of *of, const struct heads_layout *layout,
                       const size_t *heads, size_t n, const struct show_options *options,
                       struct doc *out, struct error *reterr)
{
    int16_t *tints = calloc(layout->n_heads * n_tints(layout) + 1, sizeof *tints);
    bool ok = tints != NULL || error_memory(reterr, "thumbnails");
    for (size_t at = 0; ok && at < n; at += layout->n_heads) {
        size_t in_row = size_min(layout->n_heads, n - at);
        put_listed_names(layout, heads + at, in_row, of->run->model->config.n_heads, out);
        ok = shrink_listed(of, layout, heads + at, in_row, tints, reterr);
        for (size_t line = 0; ok && line < layout->lines; line++) {
            doc_add(out, STYLE_PLAIN, "%*s", HEADS_LABEL_COLS, "");
            put_thumbnails(layout, tints, in_row, line, options, out);
        }
    }
    free(tints);
    return ok && doc_check(out, reterr);
}

void show_heads_legend(const struct heads_layout *layout, const struct show_options *options,
                       struct doc *out)
{
    const struct thumbnail *drawn = &layout->drawn,
                           cell = {.n = 1, .n_cells = 1, .cell_cols = 1, .cell_rows = 1};
    struct show_options whole = *options;
    whole.ascii = options->ascii || options->colour; /* no half blocks here */
    doc_add(out, STYLE_QUIET, "Rows are queries, columns keys; 0 ");
    enum { STEPS = 5 };
    for (int i = 0; i < STEPS; i++) {
        int16_t tint = (int16_t)(i * (HEAT_TINTS - 1) / (STEPS - 1));
        thumbnail_put_line(out, &cell, &tint, 0, &whole);
    }
    doc_add(out, STYLE_QUIET, " 1, the root of the weight");
    if (drawn->n_cells < drawn->n)
        doc_add(out, STYLE_QUIET, " (the largest of several)");
    doc_add(out, STYLE_QUIET, drawn->is_causal ? "; blank: hidden." : ".");
    doc_end_line(out);
}

/* ---- show prediction ---- */

enum { SHOWN = 8 }; /* tokens of which a change is shown */

/* The row of the logits that a position means. */
static bool find_row(const struct run *run, ptrdiff_t row, size_t *ret, struct error *reterr)
{
    ptrdiff_t n = (ptrdiff_t)run_length(run);
    if (!run_check_one_text(run, reterr))
        return false;
    if (row < -n || row >= n)
        return error_set(reterr, ERR_RANGE,
                         "predict: position %td: the text has %td tokens, 0 to %td", row, n, n - 1);
    *ret = (size_t)(row < 0 ? row + n : row);
    return true;
}

/* Candidates of a model. */
struct candidates {
    const struct model *model;
    const struct candidate *ranked;
};

static void write_candidate(const void *about, size_t i, struct text *text)
{
    const struct candidates *all = about;
    model_show_token(all->model, all->ranked[i].token, text);
}

/* The first n candidates as a vector of probabilities, labelled by their tokens. */
static bool labelled(const struct model *model, const struct candidate *ranked, size_t n,
                     struct tensor *ret, struct labels **ret_labels, struct error *reterr)
{
    const struct candidates all = {model, ranked};
    if (!labels_written(n, write_candidate, &all, ret_labels, reterr))
        return false;
    if (!tensor_empty(1, &n, ret, reterr)) {
        labels_free(*ret_labels);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        ret->data[i] = (float)ranked[i].probability;
    return true;
}

bool show_prediction(struct run *run, ptrdiff_t row, size_t n, double temperature,
                     const struct show_options *options, struct doc *out, struct error *reterr)
{
    struct candidate *ranked;
    struct tensor bars;
    struct labels *labels;
    size_t at = 0, vocab = run->model->config.vocab;
    struct node *logits = find_row(run, row, &at, reterr) ? run_logits(run, reterr) : NULL;
    if (logits == NULL || !prediction_rank(&logits->value, at, temperature, &ranked, reterr))
        return false;
    n = n < vocab ? n : vocab;
    bool ok = labelled(run->model, ranked, n, &bars, &labels, reterr);
    if (ok) {
        struct picture picture = {.tensor = &bars, .labels = &labels};
        bars_show(out, &picture, options);
        tensor_release(&bars);
        labels_free(labels);
    }
    free(ranked);
    return ok && doc_check(out, reterr);
}

/* The probability of a token; ranked holds all of them. */
static double probability_of(const struct candidate *ranked, size_t n, size_t token)
{
    for (size_t i = 0; i < n; i++)
        if (ranked[i].token == token)
            return ranked[i].probability;
    return 0;
}

/* What the n first had before, as bars have it; what looks the same is the same. */
static bool probabilities_before(const struct candidate *ranked, const struct candidate *was,
                                 size_t vocab, size_t n, int digits, struct tensor *ret,
                                 struct error *reterr)
{
    if (!tensor_empty(1, &n, ret, reterr))
        return false;
    double seen = 0.5 * pow(10, -digits);
    for (size_t i = 0; i < n; i++) {
        double before = probability_of(was, vocab, ranked[i].token);
        bool same = fabs(before - ranked[i].probability) < seen;
        ret->data[i] = (float)(same ? ranked[i].probability : before);
    }
    return true;
}

/* The candidates at the end of a run, with the probabilities by which they are drawn. */
static bool rank_drawn(struct run *run, const struct sampling *sampling, struct candidate **ret,
                       size_t *ret_allowed, struct error *reterr)
{
    struct node *logits = run_logits(run, reterr);
    if (logits == NULL ||
        !prediction_rank(&logits->value, run_length(run) - 1, sampling->temperature, ret, reterr))
        return false;
    *ret_allowed = prediction_restrict(*ret, run->model->config.vocab, sampling);
    return true;
}

/* Booleans, (n,): whether each of the first n is cut off. */
static bool cut_off(size_t n, size_t n_allowed, struct tensor *ret, struct error *reterr)
{
    if (!tensor_full(1, &n, 0, ret, reterr))
        return false;
    for (size_t i = n_allowed; i < n; i++)
        ret->data[i] = 1;
    return true;
}

bool show_prediction_beside(struct run *run, struct run *base, size_t n,
                            const struct sampling *sampling, const struct show_options *options,
                            struct doc *out, struct error *reterr)
{
    struct candidate *ranked = NULL, *was = NULL;
    struct tensor bars = {.n_axes = 0}, before = bars, hidden = bars;
    struct labels *labels = NULL;
    size_t vocab = run->model->config.vocab, n_allowed, n_before;
    n = n < vocab ? n : vocab;
    bool ok = rank_drawn(run, sampling, &ranked, &n_allowed, reterr) &&
              rank_drawn(base, sampling, &was, &n_before, reterr) &&
              labelled(run->model, ranked, n, &bars, &labels, reterr) &&
              probabilities_before(ranked, was, vocab, n, options->digits, &before, reterr) &&
              cut_off(n, n_allowed, &hidden, reterr);
    if (ok) {
        struct picture picture = {
            .tensor = &bars, .labels = &labels, .before = &before, .hidden = &hidden};
        bars_show(out, &picture, options);
    }
    tensor_release(&bars);
    tensor_release(&before);
    tensor_release(&hidden);
    labels_free(labels);
    free(ranked);
    free(was);
    return ok && doc_check(out, reterr);
}

/* Both predictions of all tokens, in the order of the tokens. */
static int by_token(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return x->token < y->token ? -1 : x->token > y->token;
}

/* One line: the token, its probability before and after. */
static void show_token(const struct model *model, size_t token, double before, double after,
                       int digits, struct doc *out)
{
    struct text name = {0};
    char was[NUMBER_TEXT], is[NUMBER_TEXT];
    model_show_token(model, token, &name);
    number_short((float)before, digits, was);
    number_short((float)after, digits, is);
    bool differs = number_differs((float)before, (float)after);
    int cols = (int)text_width(text_string(&name), name.size);
    doc_add(out, STYLE_LABEL, "  %s%*s", text_string(&name), cols < 16 ? 16 - cols : 1, "");
    doc_add(out, STYLE_NUMBER, "%-10s", was);
    doc_add(out, STYLE_QUIET, " -> ");
    doc_add(out, differs ? STYLE_CHANGED : STYLE_NUMBER, "%s%s", is, differs ? " *" : "");
    doc_end_line(out);
    out->failed = out->failed || name.failed;
    text_release(&name);
}

/* Each of ranked[0..n), and each of other's best that is not among them. */
static void show_both(const struct model *model, const struct candidate *was,
                      const struct candidate *is, const struct candidate *was_by_token,
                      const struct candidate *is_by_token, int digits, struct doc *out)
{
    size_t n = model->config.vocab < SHOWN ? model->config.vocab : SHOWN;
    for (size_t i = 0; i < n; i++)
        show_token(model, is[i].token, was_by_token[is[i].token].probability, is[i].probability,
                   digits, out);
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < n && is[j].token != was[i].token)
            j++;
        if (j == n)
            show_token(model, was[i].token, was[i].probability,
                       is_by_token[was[i].token].probability, digits, out);
    }
}

/* All candidates of the last row, likeliest first, and a copy in the order of the tokens. */
static bool both_orders(struct run *run, struct candidate **ret_ranked,
                        struct candidate **ret_by_token, struct error *reterr)
{
    struct node *logits = run_logits(run, reterr);
    size_t vocab = run->model->config.vocab;
    *ret_ranked = *ret_by_token = NULL;
    if (logits == NULL)
        return false;
    size_t rows = tensor_size(&logits->value) / vocab;
    if (!prediction_rank(&logits->value, rows - 1, 1, ret_ranked, reterr) ||
        !prediction_rank(&logits->value, rows - 1, 1, ret_by_token, reterr))
        return false;
    qsort(*ret_by_token, vocab, sizeof **ret_by_token, by_token);
    return true;
}

static void show_change_title(const struct run *run, struct doc *out)
{
    size_t n_texts = run->ids->value.n_axes == 2 ? run->ids->value.shape[0] : 1;
    if (n_texts > 1)
        doc_line(out, STYLE_QUIET, "the next token of the last of %zu texts:", n_texts);
    else
        doc_line(out, STYLE_QUIET, "the next token:");
}

bool show_prediction_change(struct run *before, struct run *after, int digits, struct doc *out,
                            struct error *reterr)
{
    struct candidate *was, *is = NULL, *was_by_token, *is_by_token = NULL;
    bool ok = both_orders(before, &was, &was_by_token, reterr) &&
              both_orders(after, &is, &is_by_token, reterr);
    if (ok) {
        show_change_title(before, out);
        show_both(before->model, was, is, was_by_token, is_by_token, digits, out);
    }
    free(was);
    free(was_by_token);
    free(is);
    free(is_by_token);
    return ok && doc_check(out, reterr);
}
