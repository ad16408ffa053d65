/* See cost.h. */
#include "graph/cost.h"

#include "graph/node.h"
#include "graph/node_set.h"
#include "graph/ops.h"
#include "tensor/tensor.h"

double cost_attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v)
{
    return (double)n_q * (double)n_k * ((double)d_k + (double)d_v);
}

/* The gradients of query, key and value: the scores once more, then d_weights and d_value of width
 * d_v, d_query and d_key of width d_k. */
static double cost_attention_back(size_t n_q, size_t n_k, size_t d_k, size_t d_v)
{
    return cost_attention(n_q, n_k, d_k, d_v) * 2 + (double)n_q * (double)n_k * (double)d_k;
}

/* How many numbers a position along the last axes stands for: 1 for a vector. */
static size_t axis_size(const struct tensor *x, unsigned from_end)
{
    return x->n_axes >= from_end ? x->shape[x->n_axes - from_end] : 1;
}

/* Each number of the result is a sum over the axis that both sides share. */
static double cost_matmul(const struct node *node)
{
    return (double)tensor_size(&node->value) * (double)axis_size(&node->parents[0]->value, 1);
}

typedef double attention_count(size_t n_q, size_t n_k, size_t d_k, size_t d_v);

/* Of all heads: context is (..., n_q, d_v). */
static double of_heads(const struct node *node, const struct tensor *context,
                       attention_count *of_one)
{
    size_t n_q = axis_size(context, 2), d_v = axis_size(context, 1);
    size_t n_k = axis_size(&node->parents[1]->value, 2),
           d_k = axis_size(&node->parents[0]->value, 1);
    size_t numbers = n_q * d_v;
    double n_heads = numbers > 0 ? (double)tensor_size(context) / (double)numbers : 0;
    return n_heads * of_one(n_q, n_k, d_k, d_v);
}

static double products_of(const struct node *node)
{
    switch (node->op->kind) {
    case OP_MATMUL:
    case OP_WEIGHTED_SUM:
        return cost_matmul(node);
    case OP_ATTENTION:
        return of_heads(node, &node->value, cost_attention);
    case OP_ATTENTION_BACK:
        return of_heads(node, &node->parents[node->n_parents - 1]->value, cost_attention_back);
    default:
        return 0;
    }
}

/* A view sees its parent's numbers. */
static bool is_made(const struct node *node)
{
    for (unsigned i = 0; i < node->n_parents; i++)
        if (node->parents[i]->value.storage == node->value.storage)
            return false;
    return true;
}

static struct cost node_cost(const struct node *node)
{
    double n = is_made(node) ? (double)tensor_size(&node->value) : 0;
    return (struct cost){.products = products_of(node), .bytes = n * sizeof(float)};
}

static void add_cost(const struct node *node, struct cost *sum)
{
    struct cost cost = node_cost(node);
    sum->products += cost.products;
    sum->bytes += cost.bytes;
}

/* Nodes between named ones, each once. */
struct nameless {
    const struct node *nodes[COST_MOST_NODES];
    size_t n;
};

/* False without room. */
static bool include(struct nameless *found, const struct node *node)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->nodes[i] == node)
            return true;
    if (found->n == COST_MOST_NODES)
        return false;
    found->nodes[found->n++] = node;
    return true;
}

bool stage_cost(const struct node *node, struct cost *ret)
{
    struct nameless found = {.nodes = {node}, .n = 1};
    struct cost sum = {0};
    for (size_t i = 0; i < found.n; i++) {
        const struct node *at = found.nodes[i];
        add_cost(at, &sum);
        for (unsigned p = 0; p < at->n_parents; p++)
            if (at->parents[p]->name == NULL && !include(&found, at->parents[p]))
                return false;
    }
    *ret = sum;
    return true;
}

bool formula_cost(struct node *node, uint64_t first_id, struct cost *ret, struct error *reterr)
{
    struct node_set set;
    struct cost sum = {0};
    if (!node_set_init(&set, &node, 1, reterr))
        return false;
    for (size_t i = 0; i < set.n_entries; i++)
        if (set.entries[i].node->id >= first_id)
            add_cost(set.entries[i].node, &sum);
    node_set_release(&set);
    *ret = sum;
    return true;
}
