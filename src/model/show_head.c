/* See show_head.h. */
#include "model/show_head.h"

#include <stdio.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "model/compare.h"
#include "model/pattern.h"
#include "model/run.h"
#include "model/text_run.h"
#include "show/heat.h"
#include "show/labels.h"
#include "show/number.h"
#include "tensor/tensor.h"

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
