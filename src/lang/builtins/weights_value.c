/* See weights_value_internal.h. */
#include "lang/builtins/weights_value_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/text.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/value/index.h"
#include "lang/value/value.h"
#include "model/model.h"
#include "model/run.h"
#include "show/doc.h"
#include "show/number.h"
#include "tensor/tensor.h"

struct weights_object {
    struct object object;
    struct weights_list list;
};

static const struct object_class weights_class, gradients_class;

static void free_weights(struct object *object)
{
    struct weights_list *list = &((struct weights_object *)object)->list;
    for (size_t i = 0; list->nodes != NULL && i < list->n; i++)
        node_free(list->nodes[i]);
    free(list->nodes);
    free(list->at);
    model_free(list->model);
    free(object);
}

/* An object with room for all weights of the model, and none in it. */
static struct weights_object *new_weights(struct model *model, bool is_gradient,
                                          struct error *reterr)
{
    size_t most = parameter_count(&model->config);
    struct weights_object *made = calloc(1, sizeof *made);
    if (made == NULL) {
        error_memory(reterr, "parameters");
        return NULL;
    }
    made->object.n_owners = 1;
    made->object.class = is_gradient ? &gradients_class : &weights_class;
    made->list.model = model_share(model);
    made->list.is_gradient = is_gradient;
    made->list.nodes = calloc(most + 1, sizeof(struct node *));
    made->list.at = calloc(most + 1, sizeof *made->list.at);
    if (made->list.nodes != NULL && made->list.at != NULL)
        return made;
    free_weights(&made->object);
    error_memory(reterr, "parameters");
    return NULL;
}

bool value_weights(struct model *model, struct graph *graph, struct value *ret,
                   struct error *reterr)
{
    if (!model_can_run(model, reterr))
        return false;
    struct weights_object *made = new_weights(model, false, reterr);
    struct builder builder;
    if (made == NULL)
        return false;
    builder_init(&builder, graph, reterr);
    for (size_t at = 0; !builder.failed && at < parameter_count(&model->config); at++) {
        size_t layer;
        enum param which = parameter_which(&model->config, at, &layer);
        struct node *node = model_parameter(&builder, model, which, layer);
        if (node == NULL)
            continue;
        made->list.at[made->list.n] = at;
        made->list.nodes[made->list.n++] = node_share(node);
    }
    bool ok = !builder.failed;
    builder_release(&builder);
    if (ok)
        *ret = value_object(&made->object);
    else
        free_weights(&made->object);
    return ok;
}

bool value_gradients(const struct weights_list *of, struct node *const *nodes, struct value *ret,
                     struct error *reterr)
{
    struct weights_object *made = new_weights(of->model, true, reterr);
    for (size_t i = 0; i < of->n; i++) {
        if (made == NULL) {
            node_free(nodes[i]);
            continue;
        }
        made->list.at[i] = of->at[i];
        made->list.nodes[made->list.n++] = nodes[i];
    }
    if (made != NULL)
        *ret = value_object(&made->object);
    return made != NULL;
}

const struct weights_list *value_as_weights(const struct value *value)
{
    struct object *object = value_as_object(value, &weights_class);
    if (object == NULL)
        object = value_as_object(value, &gradients_class);
    return object != NULL ? &((const struct weights_object *)object)->list : NULL;
}

/* ---- what is shown ---- */

/* What weight i is called: "h.0.attn.c_attn.weight". */
static const char *name_of(const struct weights_list *list, size_t i, char name[PARAM_NAME_BYTES])
{
    size_t layer;
    enum param which = parameter_which(&list->model->config, list->at[i], &layer);
    parameter_name(&list->model->config, which, layer, name);
    return parameter_short_name(name);
}

static double squares_of(const struct tensor *x)
{
    double sum = 0;
    for (size_t i = 0, n = tensor_size(x); i < n; i++) {
        double number = (double)tensor_at_position(x, i);
        sum += number * number;
    }
    return sum;
}

/* The root of the sum of the squares of all numbers. */
static double norm_of(const struct weights_list *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->n; i++)
        sum += squares_of(&list->nodes[i]->value);
    return sqrt(sum);
}

static void show_row(const struct weights_list *list, size_t i, int widest, struct doc *out)
{
    char name[PARAM_NAME_BYTES], shape[TENSOR_SHAPE_TEXT], norm[NUMBER_TEXT];
    const struct tensor *x = &list->nodes[i]->value;
    doc_add(out, STYLE_LABEL, "%-*s", widest, name_of(list, i, name));
    doc_add(out, STYLE_QUIET, "  %10s", tensor_shape_text(x, shape));
    doc_add(out, STYLE_NUMBER, "  %10s", number_short((float)sqrt(squares_of(x)), 4, norm));
    doc_end_line(out);
}

static void show_weights(const struct object *object, struct doc *out)
{
    enum { ROWS = 60 };
    const struct weights_list *list = &((const struct weights_object *)object)->list;
    char name[PARAM_NAME_BYTES], total[NUMBER_TEXT], norm[NUMBER_TEXT];
    size_t widest = strlen("gradient of"), n_numbers = 0;
    for (size_t i = 0; i < list->n; i++) {
        size_t size = strlen(name_of(list, i, name));
        widest = size > widest ? size : widest;
        n_numbers += tensor_size(&list->nodes[i]->value);
    }
    doc_line(out, STYLE_QUIET, "%-*s  %10s  %10s", (int)widest,
             list->is_gradient ? "gradient of" : "parameter", "shape", "norm");
    for (size_t i = 0; i < list->n && i < ROWS; i++)
        show_row(list, i, (int)widest, out);
    if (list->n > ROWS)
        doc_line(out, STYLE_QUIET, "... and %zu more", list->n - ROWS);
    doc_line(out, STYLE_PLAIN, "%s numbers in %zu tensors, norm %s of all",
             number_grouped(n_numbers, total), list->n,
             number_short((float)norm_of(list), 4, norm));
}

/* ---- parts ---- */

enum weights_attribute { WEIGHTS_NAMES, WEIGHTS_NORM };
static const char *const attributes[] = {"names", "norm", NULL};

static bool names_of(const struct weights_list *list, struct value *ret, struct error *reterr)
{
    struct value *names = calloc(list->n + 1, sizeof *names);
    bool ok = names != NULL || error_memory(reterr, "names");
    for (size_t i = 0; ok && i < list->n; i++) {
        char text[PARAM_NAME_BYTES];
        const char *name = name_of(list, i, text);
        ok = value_string(name, strlen(name), &names[i], reterr);
    }
    ok = ok && value_list(names, list->n, ret, reterr);
    for (size_t i = 0; names != NULL && i < list->n; i++)
        value_release(&names[i]);
    free(names);
    return ok;
}

static bool weights_attribute(struct object *object, size_t which, struct graph *graph,
                              struct value *ret, struct error *reterr)
{
    const struct weights_list *list = &((const struct weights_object *)object)->list;
    if (which == WEIGHTS_NAMES)
        return names_of(list, ret, reterr);
    *ret = value_node(node_constant(graph, (float)norm_of(list), reterr));
    return ret->kind == VALUE_NODE;
}

/* By its name, with or without the "transformer." in front. */
static bool find_name(const struct weights_list *list, const char *name, size_t *ret,
                      struct error *reterr)
{
    struct suggestion suggestion;
    char text[PARAM_NAME_BYTES], shown[PARAM_NAME_BYTES];
    suggestion_init(&suggestion, name, strlen(name));
    for (size_t i = 0; i < list->n; i++) {
        const char *own = name_of(list, i, text);
        suggestion_try_part(&suggestion, own);
        if (strcmp(own, parameter_short_name(name)) != 0)
            continue;
        *ret = i;
        return true;
    }
    error_quote(shown, sizeof shown, name, strlen(name));
    if (suggestion.best[0] != '\0')
        return error_set(reterr, ERR_NAME, "there is no parameter \"%s\"; did you mean \"%s\"?",
                         shown, suggestion.best);
    return error_set(reterr, ERR_NAME, "there is no parameter \"%s\"; .names has all", shown);
}

/* By its number, which may count from the end. */
static bool find_number(const struct weights_list *list, const struct value *value, size_t *ret,
                        struct error *reterr)
{
    float n = (float)list->n;
    bool is_number = value->kind == VALUE_NODE && value->as.node->value.n_axes == 0;
    float at = is_number ? value->as.node->value.data[0] : 0;
    if (!is_number || at != floorf(at))
        return error_set(reterr, ERR_TYPE,
                         "a parameter is chosen by its name, as [\"wte.weight\"], or its number");
    if (at < -n || at >= n)
        return error_set(reterr, ERR_RANGE, "parameter %g: there are %zu, 0 to %zu", (double)at,
                         list->n, list->n - 1);
    *ret = (size_t)(at < 0 ? at + n : at);
    return true;
}

static bool index_weights(struct object *object, struct graph *graph, struct index_item *items,
                          size_t n_items, struct value *ret, struct error *reterr)
{
    const struct weights_list *list = &((const struct weights_object *)object)->list;
    const struct value *first = &items[0].values[0];
    size_t i = 0;
    bool ok = items[0].kind == INDEX_VALUE && first->kind == VALUE_STRING
                  ? find_name(list, first->as.string->bytes, &i, reterr)
                  : find_number(list, first, &i, reterr);
    if (!ok)
        return error_place(reterr, items[0].begin, items[0].end);
    struct value whole = value_node(node_share(list->nodes[i]));
    if (n_items == 1)
        *ret = value_share(&whole);
    else
        ok = index_value(graph, &whole, items + 1, n_items - 1, ret, reterr);
    value_release(&whole);
    return ok;
}

static const struct object_class weights_class = {.name = "model's parameters",
                                                  .attributes = attributes,
                                                  .attribute = weights_attribute,
                                                  .index = index_weights,
                                                  .show = show_weights,
                                                  .free = free_weights};
static const struct object_class gradients_class = {.name = "model's gradients",
                                                    .attributes = attributes,
                                                    .attribute = weights_attribute,
                                                    .index = index_weights,
                                                    .show = show_weights,
                                                    .free = free_weights};
