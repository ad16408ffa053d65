/* See heads_json.h. */
#include "model/heads_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "graph/node.h"
#include "model/intervene.h"
#include "model/model.h"
#include "model/detector.h"
#include "model/generate.h"
#include "model/run.h"
#include "model/show_model.h"
#include "tensor/tensor.h"

enum { MAX_WEIGHTS = 1 << 22, NEXT_TOKENS = 10, FLOAT_DIGITS = 9 };

/* {"id", "text"} */
static json_t *json_of_token(const struct model *model, size_t id)
{
    struct text shown = {0};
    model_show_token(model, id, &shown);
    json_t *token = shown.failed ? NULL
                                 : json_pack("{s:I, s:s%}", "id", (json_int_t)id, "text",
                                             text_string(&shown), shown.size);
    text_release(&shown);
    return token;
}

/* A list that grows; a NULL in it makes all of it NULL. */
static json_t *with_item(json_t *list, json_t *item)
{
    if (list != NULL && json_array_append_new(list, item) == 0)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *json_of_number(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *json_of_tokens(const struct run *run)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < run_length(run); i++) {
        float id = tensor_at_position(&run->ids->value, i);
        list = with_item(list, json_of_token(run->model, (size_t)id));
    }
    return list;
}

static json_t *json_of_table(const struct tensor *table)
{
    json_t *rows = json_array();
    for (size_t i = 0; rows != NULL && i < table->shape[0]; i++) {
        json_t *row = json_array();
        for (size_t j = 0; row != NULL && j < table->shape[1]; j++)
            row = with_item(row, json_of_number((double)tensor_at(table, (size_t[]){i, j})));
        rows = with_item(rows, row);
    }
    return rows;
}

/* A head of a layer with the weights all[head], of which the numbers shown[head] are asked for. */
static json_t *json_of_head(const struct tensor *all, const struct tensor *shown,
                            const struct heads_range *range, size_t layer, size_t head)
{
    struct tensor weights, table;
    if (!tensor_pick(all, 0, head, &weights, NULL))
        return NULL;
    struct pattern_sink sink = pattern_sink(&weights);
    tensor_release(&weights);
    if (!tensor_pick(shown, 0, head, &table, NULL))
        return NULL;
    json_t *named = sink.is_sink ? json_pack("{s:I, s:f}", "position", (json_int_t)sink.key,
                                             "share", sink.share)
                                 : json_null();
    json_t *json = json_pack("{s:I, s:I, s:o, s:o}", "layer", (json_int_t)layer, "head",
                             (json_int_t)head, "weights", json_of_table(&table), "sink", named);
    tensor_release(&table);
    bool ok = (!range->by_length || json_object_set_new(json, "by_length", json_true()) == 0) &&
              (!range->hides_sink || json_object_set_new(json, "without_sink", json_true()) == 0);
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

static bool add_heads(const struct tensor *all, const struct tensor *shown,
                      const struct heads_range *range, size_t layer, json_t *list,
                      struct error *reterr)
{
    bool ok = true;
    for (size_t head = range->first_head; ok && head < range->end_head; head++)
        ok = json_array_append_new(list, json_of_head(all, shown, range, layer, head)) == 0 ||
             error_memory(reterr, "JSON");
    return ok;
}

static bool add_layer(struct run *run, const struct heads_range *range, size_t layer, json_t *list,
                      struct error *reterr)
{
    struct tensor all;
    if (!pattern_of_layer(run, layer, &all, reterr))
        return false;
    bool is_plain = !range->by_length && !range->hides_sink, ok;
    const struct head_look look = {.layer = layer,
                                   .head = range->first_head,
                                   .by_length = range->by_length,
                                   .hides_sink = range->hides_sink};
    struct node *node = is_plain ? NULL : head_node(run, &look, reterr);
    ok = (is_plain || node != NULL) &&
         add_heads(&all, is_plain ? &all : &node->value, range, layer, list, reterr);
    node_free(node);
    tensor_release(&all);
    return ok;
}

/* ---- what is said of a text ---- */

static bool add_next(struct run *run, json_t *list, struct error *reterr)
{
    struct candidate *ranked;
    struct node *logits = run_logits(run, reterr);
    size_t n = size_min(run->model->config.vocab, NEXT_TOKENS);
    if (logits == NULL || !prediction_rank(&logits->value, run_length(run) - 1, 1, &ranked, reterr))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        json_t *token = json_of_token(run->model, ranked[i].token);
        ok = json_object_set_new(token, "probability", json_of_number(ranked[i].probability)) == 0;
        ok = json_array_append_new(list, token) == 0 && ok;
    }
    free(ranked);
    return ok || error_memory(reterr, "JSON");
}

/* json, which it takes over, with "tokens" and "next" added; NULL on failure. */
static json_t *with_text(json_t *json, struct run *run, struct error *reterr)
{
    json_t *next = json_array();
    bool ok = json_object_set_new(json, "tokens", json_of_tokens(run)) == 0;
    ok = json_object_set_new(json, "next", next) == 0 && ok;
    if ((ok || error_memory(reterr, "JSON")) && add_next(run, next, reterr))
        return json;
    json_decref(json);
    return NULL;
}

/* {"model", "tokens", "next"} */
static json_t *json_of_run(struct run *run, struct error *reterr)
{
    char name[256];
    const char *path = run->model->name;
    return with_text(
        json_pack("{s:s}", "model", error_quote(name, sizeof name, path, strlen(path))), run,
        reterr);
}

static bool write_json(const json_t *json, struct text *out, struct error *reterr)
{
    char *bytes = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(FLOAT_DIGITS));
    if (bytes == NULL)
        return error_memory(reterr, "JSON");
    text_put(out, bytes);
    text_char(out, '\n');
    free(bytes);
    return !out->failed || error_memory(reterr, "JSON");
}

/* Of heads with n queries and as many keys. */
static bool check_size(const struct heads_range *range, size_t n, struct error *reterr)
{
    double heads = (double)(range->end_layer - range->first_layer) *
                   (double)(range->end_head - range->first_head);
    return heads * (double)n * (double)n <= MAX_WEIGHTS ||
           error_set(reterr, ERR_LIMIT,
                     "JSON of %.0f heads of %zu tokens: over %d weights; ask for one layer, or one "
                     "head",
                     heads, n, MAX_WEIGHTS);
}

bool heads_to_json(struct run *run, const struct heads_range *range, struct text *out,
                   struct error *reterr)
{
    if (!check_size(range, run_length(run), reterr))
        return false;
    json_t *json = json_of_run(run, reterr);
    json_t *list = json != NULL ? json_array() : NULL;
    bool ok = json != NULL &&
              (json_object_set_new(json, "heads", list) == 0 || error_memory(reterr, "JSON"));
    for (size_t layer = range->first_layer; ok && layer < range->end_layer; layer++)
        ok = add_layer(run, range, layer, list, reterr);
    ok = ok && write_json(json, out, reterr);
    json_decref(json);
    return ok;
}

/* ---- two texts ---- */

static json_t *json_of_pairs(const struct alignment *alignment)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < alignment->n; i++)
        list = with_item(list, json_pack("[I, I]", (json_int_t)alignment->pairs[i][0],
                                         (json_int_t)alignment->pairs[i][1]));
    return list;
}

static bool add_changes(struct run *const runs[2], const struct alignment *alignment,
                        const struct heads_range *range, json_t *list, struct error *reterr)
{
    struct tensor changes, difference;
    if (!heads_change(runs[0], runs[1], alignment, &changes, reterr))
        return false;
    bool ok = true;
    for (size_t layer = range->first_layer; ok && layer < range->end_layer; layer++)
        for (size_t head = range->first_head; ok && head < range->end_head; head++) {
            const size_t place[2] = {layer, head};
            ok = head_difference(runs[0], runs[1], alignment, place, &difference, reterr);
            if (!ok)
                break;
            json_t *json = json_pack("{s:I, s:I, s:o, s:o}", "layer", (json_int_t)layer, "head",
                                     (json_int_t)head, "change",
                                     json_of_number((double)tensor_at(&changes, place)),
                                     "difference", json_of_table(&difference));
            tensor_release(&difference);
            ok = json_array_append_new(list, json) == 0 || error_memory(reterr, "JSON");
        }
    tensor_release(&changes);
    return ok;
}

static json_t *json_of_comparison(struct run *const runs[2], const struct alignment *alignment,
                                  const struct heads_range *range, struct error *reterr)
{
    json_t *first = json_of_run(runs[0], reterr);
    json_t *second = first != NULL ? with_text(json_object(), runs[1], reterr) : NULL;
    json_t *list = json_array(), *json = NULL;
    bool ok = second != NULL && (list != NULL || error_memory(reterr, "JSON")) &&
              add_changes(runs, alignment, range, list, reterr);
    if (ok) {
        json = json_pack("{s:O, s:O, s:o, s:O}", "first", first, "second", second, "pairs",
                         json_of_pairs(alignment), "heads", list);
        if (json == NULL)
            error_memory(reterr, "JSON");
    }
    json_decref(first);
    json_decref(second);
    json_decref(list);
    return json;
}

bool heads_comparison_to_json(struct run *a, struct run *b, const struct heads_range *range,
                              struct text *out, struct error *reterr)
{
    struct run *const runs[2] = {a, b};
    struct alignment alignment;
    if (!alignment_of(a, b, &alignment, reterr))
        return false;
    bool ok = check_size(range, alignment.n, reterr);
    json_t *json = ok ? json_of_comparison(runs, &alignment, range, reterr) : NULL;
    ok = json != NULL && write_json(json, out, reterr);
    json_decref(json);
    alignment_release(&alignment);
    return ok;
}
