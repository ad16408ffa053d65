/* See loop.h. */
#include "lang/session/loop.h"

#include <sys/resource.h>

#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/value/compose.h"
#include "tensor/tensor.h"

static bool too_many_turns(struct error *reterr)
{
    return error_set(reterr, ERR_LIMIT,
                     "a line may turn at most 1,000,000 times, all its loops together; write the "
                     "formula for whole tensors");
}

bool loop_count(const struct value *through, size_t *ret_n, struct error *reterr)
{
    bool rows = through->kind == VALUE_NODE && through->as.node->value.n_axes > 0;
    if (!rows && through->kind != VALUE_LIST) {
        char text[120];
        return error_set(
            reterr, ERR_TYPE,
            "a loop goes through range(n), a list or the rows of a tensor, and this is %s%s",
            value_describe(through, text, sizeof text),
            through->kind == VALUE_NODE ? "; write range(...)" : "");
    }
    *ret_n = rows ? through->as.node->value.shape[0] : through->as.list->n;
    return *ret_n <= LOOP_MAX_TURNS || too_many_turns(reterr);
}

static struct node *row(struct session *session, struct node *node, size_t i, struct error *reterr)
{
    struct graph *graph = &session->graph;
    /* Numbers that nobody would ask `why` about, such as range(3): each is as good as typed. */
    if (node->op->kind == OP_INPUT && node->name == NULL && node->value.n_axes == 1) {
        float number = tensor_at_position(&node->value, i);
        return node->value.is_bool ? node_constant_bool(graph, number != 0, reterr)
                                   : node_constant(graph, number, reterr);
    }
    struct builder builder;
    builder_init(&builder, graph, reterr);
    struct node *result = builder_result(&builder, compose_row(&builder, node, i));
    builder_release(&builder);
    return result;
}

bool loop_item(struct session *session, const struct value *through, size_t i, struct value *ret,
               struct error *reterr)
{
    if (through->kind == VALUE_LIST)
        *ret = value_share(&through->as.list->items[i]);
    else
        *ret = value_node(row(session, through->as.node, i, reterr));
    return ret->kind != VALUE_ABSENT;
}

/* Bytes of memory that the program used at most so far. */
static size_t peak_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
#ifdef __APPLE__
    return (size_t)usage.ru_maxrss;
#else
    return (size_t)usage.ru_maxrss * 1024;
#endif
}

/* A tensor keeps all it was made from, so that a loop can fill the machine's memory in seconds. */
static bool check_memory(struct session *session, struct error *reterr)
{
    size_t peak = peak_bytes();
    if (session->n_turns == 0)
        session->first_peak = peak;
    if (peak - session->first_peak <= session->loop_mib << 20)
        return true;
    return error_set(
        reterr, ERR_LIMIT,
        "the loop has filled %zu MB of memory; each turn's tensors keep what they were "
        "made from, unless it is cut off, as in W = detach(W - step)",
        session->loop_mib);
}

bool loop_turn(struct session *session, struct error *reterr)
{
    const volatile sig_atomic_t *stop = session->graph.stop;
    if (stop != NULL && *stop)
        return error_set(reterr, ERR_INTERRUPTED, "stopped");
    if (!check_memory(session, reterr))
        return false;
    return session->n_turns++ < LOOP_MAX_TURNS || too_many_turns(reterr);
}
