/* See task_value.h. */
#include "lang/builtins/task_value.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "lang/value/value.h"
#include "show/doc.h"
#include "tensor/tensor.h"
#include "train/source.h"

struct task_object {
    struct object object;
    struct source *source;
};

static const struct object_class task_class;

bool value_task(struct source *source, struct value *ret, struct error *reterr)
{
    struct task_object *object = source != NULL ? calloc(1, sizeof *object) : NULL;
    if (object == NULL) {
        source_free(source);
        return source != NULL && error_memory(reterr, "task");
    }
    object->object = (struct object){.n_owners = 1, .class = &task_class};
    object->source = source;
    *ret = value_object(&object->object);
    return true;
}

struct source *value_as_task(const struct value *value)
{
    struct object *object = value_as_object(value, &task_class);
    return object != NULL ? ((struct task_object *)object)->source : NULL;
}

static void free_task(struct object *object)
{
    source_free(((struct task_object *)object)->source);
    free(object);
}

static void show_task(const struct object *object, struct doc *out)
{
    const struct source *source = ((const struct task_object *)object)->source;
    const struct recipe *recipe = &source->recipe;
    doc_line(out, STYLE_NAME, "%s", source->name);
    doc_line(out, STYLE_PLAIN, "  %zu tokens, texts of up to %zu, %s", source->vocab,
             source->context, source->is_causal ? "causal" : "each place sees all");
    doc_line(out, STYLE_QUIET, "  learnt by %u %s x %u %s, %u wide, in %u steps of %u at lr %g",
             recipe->n_layers, recipe->n_layers == 1 ? "layer" : "layers", recipe->n_heads,
             recipe->n_heads == 1 ? "head" : "heads", recipe->d_model, recipe->n_steps,
             recipe->batch, recipe->schedule.lr);
}

enum task_attribute { TASK_NAME, TASK_VOCAB, TASK_CONTEXT, TASK_RATES };
static const char *const attributes[] = {"name", "vocab", "context", "rates", NULL};

/* The learning rate of each step of the recipe. */
static bool rates_of(const struct recipe *recipe, struct graph *graph, struct value *ret,
                     struct error *reterr)
{
    const size_t n = recipe->n_steps;
    struct tensor rates;
    if (!tensor_empty(1, &n, &rates, reterr))
        return false;
    for (size_t i = 0; i < n; i++)
        rates.data[i] = (float)schedule_lr(&recipe->schedule, i);
    *ret = value_node(node_input(graph, &rates, "the recipe of a task", 20, reterr));
    return ret->kind == VALUE_NODE;
}

static bool task_attribute(struct object *object, size_t which, struct graph *graph,
                           struct value *ret, struct error *reterr)
{
    const struct source *source = ((struct task_object *)object)->source;
    if (which == TASK_NAME)
        return value_string(source->name, strlen(source->name), ret, reterr);
    if (which == TASK_RATES)
        return rates_of(&source->recipe, graph, ret, reterr);
    size_t size = which == TASK_VOCAB ? source->vocab : source->context;
    *ret = value_node(node_constant(graph, (float)size, reterr));
    return ret->kind == VALUE_NODE;
}

static const struct object_class task_class = {.name = "task",
                                               .attributes = attributes,
                                               .attribute = task_attribute,
                                               .show = show_task,
                                               .free = free_task};
