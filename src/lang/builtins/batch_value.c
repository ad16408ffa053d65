/* See batch_value.h. */
#include "lang/builtins/batch_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/tokenizer.h"
#include "graph/node.h"
#include "lang/value/object.h"
#include "show/doc.h"
#include "task/batch.h"
#include "tensor/tensor.h"
#include "train/source.h"

struct batch_object {
    struct object object;
    char name[48]; /* of the task */
    struct node *inputs, *targets;
    struct tokenizer *tokenizer; /* or NULL */
};

static const struct object_class batch_class;

static void free_batch(struct object *object)
{
    struct batch_object *own = (struct batch_object *)object;
    node_free(own->inputs);
    node_free(own->targets);
    tokenizer_close(own->tokenizer);
    free(own);
}

/* Tokens as a leaf, (rows, n). */
static struct node *leaf_of(const int32_t *tokens, const struct batch *batch, const char *name,
                            const char *from, struct graph *graph, struct error *reterr)
{
    struct tensor value;
    if (!batch_tensor(batch, tokens, &value, reterr))
        return NULL;
    struct node *node = node_input(graph, &value, from, strlen(from), reterr);
    if (node == NULL || node_set_name(node, name, strlen(name), reterr))
        return node;
    node_free(node);
    return NULL;
}

bool value_batch(const struct source *source, const struct batch *batch, const char *from,
                 struct graph *graph, struct value *ret, struct error *reterr)
{
    struct batch_object *own = calloc(1, sizeof *own);
    if (own == NULL)
        return error_memory(reterr, "batch");
    own->object = (struct object){.n_owners = 1, .class = &batch_class};
    snprintf(own->name, sizeof own->name, "%s", source->name);
    own->tokenizer = source->tokenizer != NULL ? tokenizer_share(source->tokenizer) : NULL;
    own->inputs = leaf_of(batch->inputs, batch, "inputs", from, graph, reterr);
    own->targets =
        own->inputs != NULL ? leaf_of(batch->targets, batch, "targets", from, graph, reterr) : NULL;
    if (own->targets == NULL) {
        free_batch(&own->object);
        return false;
    }
    *ret = value_object(&own->object);
    return true;
}

bool value_as_batch(const struct value *value, struct node **ret_inputs, struct node **ret_targets)
{
    struct object *object = value_as_object(value, &batch_class);
    if (object == NULL)
        return false;
    *ret_inputs = ((struct batch_object *)object)->inputs;
    *ret_targets = ((struct batch_object *)object)->targets;
    return true;
}

/* ---- what is shown ---- */

/* A token's letters, or "." for a target that does not count. */
static void put_token(const struct batch_object *own, float token, struct text *out)
{
    size_t size = 0;
    const char *bytes = own->tokenizer != NULL && token >= 0
                            ? tokenizer_token(own->tokenizer, (uint32_t)token, &size)
                            : NULL;
    if (token < 0)
        text_char(out, '.');
    else if (bytes != NULL)
        token_show(bytes, size, true, out);
    else
        text_format(out, "%g", (double)token);
}

/* The first row of both, so that each target stands below its input; as much as fits a line. */
static void show_first(const struct batch_object *own, struct doc *out)
{
    enum { COLUMNS = 78 };
    struct text lines[2] = {{0}, {0}};
    text_put(&lines[0], "  inputs  ");
    text_put(&lines[1], "  targets ");
    for (size_t i = 0; i < own->inputs->value.shape[1]; i++) {
        struct text cells[2] = {{0}, {0}};
        put_token(own, tensor_at_position(&own->inputs->value, i), &cells[0]);
        put_token(own, tensor_at_position(&own->targets->value, i), &cells[1]);
        size_t width = cells[0].size > cells[1].size ? cells[0].size : cells[1].size;
        bool fits = lines[0].size + 1 + width <= COLUMNS;
        for (size_t row = 0; row < 2; row++) {
            if (fits)
                text_format(&lines[row], " %-*s", (int)width, text_string(&cells[row]));
            out->failed = out->failed || cells[row].failed;
            text_release(&cells[row]);
        }
        if (!fits)
            break;
    }
    for (size_t row = 0; row < 2; row++) {
        doc_line(out, STYLE_PLAIN, "%s", text_string(&lines[row]));
        out->failed = out->failed || lines[row].failed;
        text_release(&lines[row]);
    }
}

static void show_batch(const struct object *object, struct doc *out)
{
    const struct batch_object *own = (const struct batch_object *)object;
    const size_t *shape = own->inputs->value.shape;
    doc_add(out, STYLE_NAME, "%s", own->name);
    doc_add(out, STYLE_PLAIN, ": %zu %s of %zu tokens; the first, and its targets:", shape[0],
            shape[0] == 1 ? "sequence" : "sequences", shape[1]);
    doc_end_line(out);
    show_first(own, out);
}

/* ---- parts ---- */

enum batch_attribute { BATCH_INPUTS, BATCH_TARGETS };
static const char *const attributes[] = {"inputs", "targets", NULL};

static bool batch_attribute(struct object *object, size_t which, struct graph *graph,
                            struct value *ret, struct error *reterr)
{
    struct batch_object *own = (struct batch_object *)object;
    (void)graph;
    (void)reterr;
    *ret = value_node(node_share(which == BATCH_INPUTS ? own->inputs : own->targets));
    return true;
}

static const struct object_class batch_class = {.name = "batch",
                                                .attributes = attributes,
                                                .attribute = batch_attribute,
                                                .show = show_batch,
                                                .free = free_batch};
