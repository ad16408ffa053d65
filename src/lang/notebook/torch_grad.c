/* Gradients of tensors: backward(), autograd.grad(), and what a tensor says of itself. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/grad.h"
#include "graph/node_set.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"

static const char *const no_grad_message =
    "element 0 of tensors does not require grad and does not have a grad_fn";
static const char *const twice_message =
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward.";

/* The leaf that a result becomes whose history backward() has freed. */
#define SPENT UINT64_MAX

/* The gradient that a result starts with: `given`, or 1. */
static struct node *first_gradient(struct machine *m, const struct node *node, struct value v,
                                   struct error *reterr)
{
    struct tensor one;
    if (is_tensor(v)) {
        struct node *d = tensor_node(m, as_tensor(v));
        if (d == NULL)
            return NULL;
        if (tensor_same_shape(&d->value, &node->value))
            return node_share(d);
        struct text own = {0}, other = {0};
        tensor_write_shape(&d->value, &own);
        tensor_write_shape(&node->value, &other);
        raise_error(m, ERROR_RUNTIME,
                    "Mismatch in shape: grad_output[0] has a shape of torch.Size(%s) and output[0] "
                    "has a shape of torch.Size(%s).",
                    text_string(&own), text_string(&other));
        text_release(&own);
        text_release(&other);
        return NULL;
    }
    if (tensor_size(&node->value) != 1) {
        raise_error(m, ERROR_RUNTIME, "grad can be implicitly created only for scalar outputs");
        return NULL;
    }
    if (!tensor_full(node->value.n_axes, node->value.shape, 1, &one, reterr))
        return NULL;
    return node_input(m->graph, &one, "the loss itself", 15, reterr);
}

/* Marks the nodes that a gradient of the set's last node reaches: those before OP_DETACH are not.
 */
static void mark_flow(struct node_set *set)
{
    set->entries[set->n_entries - 1].marked = true;
    for (size_t i = set->n_entries; i-- > 0;) {
        const struct node *node = set->entries[i].node;
        if (!set->entries[i].marked || node->op->kind == OP_DETACH)
            continue;
        for (unsigned p = 0; p < node->n_parents; p++)
            node_set_find(set, node->parents[p])->marked = true;
    }
}

/* What an operation saves for the backward pass in PyTorch. Where it is a tensor that the learner
 * can reach, writing to it makes the gradient impossible. */
enum {
    SAVES_RESULT = 1,
    SAVES_OPERANDS = 2,
    SAVES_FACTORS = 4, /* each operand where a gradient flows to another one */
    SAVES_DIVISOR = 8,
    SAVES_DIVIDEND = 16, /* where a gradient flows to the divisor */
    SAVES_OWN = 32,      /* indices, masks and steps that nobody else reaches */
};
static const unsigned char saves[OP_COUNT] = {
    [OP_EXP] = SAVES_RESULT,
    [OP_SQRT] = SAVES_RESULT,
    [OP_TANH] = SAVES_RESULT,
    [OP_RELU] = SAVES_RESULT,
    [OP_SIGMOID] = SAVES_RESULT,
    [OP_SOFTMAX] = SAVES_RESULT,
    [OP_WEIGHTS] = SAVES_RESULT,
    [OP_LOG_SOFTMAX] = SAVES_RESULT,
    [OP_LOG] = SAVES_OPERANDS,
    [OP_ABS] = SAVES_OPERANDS,
    [OP_ERF] = SAVES_OPERANDS,
    [OP_SIN] = SAVES_OPERANDS,
    [OP_COS] = SAVES_OPERANDS,
    [OP_POW] = SAVES_OPERANDS,
    [OP_MAXIMUM] = SAVES_OPERANDS,
    [OP_MINIMUM] = SAVES_OPERANDS,
    [OP_VAR] = SAVES_OPERANDS,
    [OP_STD] = SAVES_OPERANDS | SAVES_RESULT,
    [OP_SILU] = SAVES_OPERANDS,
    [OP_GELU] = SAVES_OPERANDS,
    [OP_GELU_TANH] = SAVES_OPERANDS,
    [OP_LAYER_NORM] = SAVES_OPERANDS,
    [OP_RMS_NORM] = SAVES_OPERANDS,
    [OP_MUL] = SAVES_FACTORS,
    [OP_MATMUL] = SAVES_FACTORS,
    [OP_WEIGHTED_SUM] = SAVES_FACTORS,
    [OP_DIV] = SAVES_DIVISOR | SAVES_DIVIDEND,
    [OP_MAX] = SAVES_OWN,
    [OP_MIN] = SAVES_OWN,
    [OP_WHERE] = SAVES_OWN,
    [OP_MASKED_FILL] = SAVES_OWN,
    [OP_HIDE] = SAVES_OWN,
    [OP_CROSS_ENTROPY] = SAVES_OWN,
    [OP_TAKE] = SAVES_OWN,
    [OP_ATTENTION] = SAVES_OWN,
};

/* The node whose numbers this one still shares, and which were written to since; or NULL. */
static const struct node *written_to(const struct node *node)
{
    while (node->was_in == NULL) {
        enum op_kind kind = node->op->kind;
        bool is_view = kind == OP_RESHAPE || kind == OP_PERMUTE || kind == OP_EXPAND ||
                       kind == OP_SLICE || kind == OP_DETACH;
        if (!is_view || node->parents[0]->value.storage != node->value.storage)
            return NULL;
        node = node->parents[0];
    }
    return node;
}

/* Raises that the numbers of node, which an operation named by has saved, were written to; false
 * where they were not. by NULL: the tensor itself says how it was made. */
static bool raise_written(struct machine *m, const struct node *node, const char *by)
{
    const struct node *base = written_to(node);
    struct thing *ring = &m->things.ring;
    const struct tensor_thing *found = NULL;
    if (base == NULL)
        return false;
    for (struct thing *at = ring->after; at != ring; at = at->after) {
        const struct tensor_thing *t = (struct tensor_thing *)(void *)at;
        if (thing_id(at) != THING_TENSOR || t->place == NULL ||
            (const void *)tensor_root(t) != base->was_in)
            continue;
        if (t->place->node == base && t->place->version == tensor_root(t)->version)
            return false; /* a line was taken back: the numbers are there again */
        if (found == NULL || t->place->of == NULL)
            found = t;
    }
    if (base->is_unseen) {
        raise_error(m, ERROR_NOT_IMPLEMENTED,
                    "numbers that this gradient needs were changed through .data, and attn still "
                    "has the old ones; change them after backward()");
        return true;
    }
    unsigned now = found != NULL ? tensor_root(found)->n_writes : base->n_writes + 1;
    if (by == NULL && found != NULL)
        by = node == base ? tensor_grad_name(found) : "AsStridedBackward0";
    struct text shape = {0};
    tensor_write_shape(&node->value, &shape);
    raise_error(m, ERROR_RUNTIME,
                "one of the variables needed for gradient computation has been modified by an "
                "inplace operation: [torch.FloatTensor %s]%s%s%s is at version %u; expected "
                "version %u instead. Hint: enable anomaly detection to find the operation that "
                "failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).",
                text_string(&shape), by ? ", which is output 0 of " : "", by ? by : "",
                by ? "," : "", now, base->n_writes);
    text_release(&shape);
    return true;
}

/* Functions that attn computes in several steps and PyTorch in one. */
static const struct {
    const char *name;
    unsigned saves;
} in_one_step[] = {
    {"SigmoidBackward0", SAVES_RESULT},
    {"GeluBackward0", SAVES_OPERANDS},
    {"SiluBackward0", SAVES_OPERANDS},
    {"SoftplusBackward0", SAVES_OPERANDS},
    {"NativeLayerNormBackward0", SAVES_OPERANDS},
};

/* The same for a function of several steps, whose steps no tensor shows. */
static bool check_operands(struct machine *m, const struct node *node, unsigned depth)
{
    enum { MOST_STEPS = 8 };
    for (unsigned p = 0; p < node->n_parents; p++) {
        const struct node *parent = node->parents[p];
        bool is_step = parent->made_by == NULL && parent->n_parents > 0 && depth < MOST_STEPS;
        if (raise_written(m, parent, NULL) || (is_step && !check_operands(m, parent, depth + 1)))
            return false;
    }
    return true;
}

/* Raises where what the operation saved is no longer what it was. flows: gradients flow to this
 * parent. */
static bool check_saved(struct machine *m, const struct node *node, const bool flows[])
{
    unsigned what = saves[node->op->kind], n = node->n_parents;
    for (size_t i = 0; node->made_by != NULL && i < COUNT_OF(in_one_step); i++)
        if (!node->is_in_place && strcmp(node->made_by, in_one_step[i].name) == 0) {
            what = in_one_step[i].saves & SAVES_RESULT;
            if ((in_one_step[i].saves & SAVES_OPERANDS) && !check_operands(m, node, 0))
                return false;
        }
    if ((what & SAVES_RESULT) && raise_written(m, node, node->made_by))
        return false;
    if (node->is_in_place)
        what &= SAVES_RESULT;
    if (node->op->kind == OP_DIV && node_is_constant(node->parents[0]))
        what = 0; /* 3 / x is 3 times the reciprocal, which saves its own result */
    for (unsigned p = 0; p < n; p++) {
        bool other = false;
        for (unsigned q = 0; q < n; q++)
            other = other || (q != p && flows[q]);
        other = other || (n == 2 && node->parents[0] == node->parents[1] && flows[p]);
        bool is_saved = (what & SAVES_OPERANDS) || ((what & SAVES_FACTORS) && other) ||
                        ((what & SAVES_DIVISOR) && p == 1) ||
                        ((what & SAVES_DIVIDEND) && p == 0 && other);
        if (is_saved && raise_written(m, node->parents[p], NULL))
            return false;
    }
    return true;
}

/* Raises where a gradient can't flow through the marked nodes of the set: what they have saved is
 * freed, or was written to. *ret_saves: one of them has saved something. */
static bool check_flow(struct machine *m, const struct node_set *set, bool *ret_saves)
{
    enum { MOST = 16 };
    bool *wanted = calloc(set->n_entries + 1, sizeof *wanted), ok = wanted != NULL, flows[MOST];
    *ret_saves = false;
    if (!ok)
        raise_memory(m);
    for (size_t i = 0; ok && i < set->n_entries; i++) {
        const struct node_entry *entry = &set->entries[i];
        const struct node *node = entry->node;
        unsigned n = node->op->kind == OP_DETACH ? 0 : node->n_parents;
        wanted[i] = node->variable != 0;
        for (unsigned p = 0; p < n; p++) {
            bool flow = wanted[node_set_find(set, node->parents[p]) - set->entries];
            wanted[i] = wanted[i] || flow;
            if (p < MOST)
                flows[p] = flow;
        }
        if (!entry->marked || !wanted[i])
            continue;
        if (node->variable == SPENT || node->is_freed)
            ok = raise_error(m, ERROR_RUNTIME, "%s", twice_message);
        else if (n > 0 && n <= MOST)
            ok = check_saved(m, node, flows);
        *ret_saves = *ret_saves || (n > 0 && saves[node->op->kind] != 0);
    }
    free(wanted);
    return ok;
}

/* What the operations of the marked nodes have saved is freed. */
static void free_saved(const struct node_set *set)
{
    for (size_t i = 0; i < set->n_entries; i++)
        if (set->entries[i].marked && saves[set->entries[i].node->op->kind] != 0)
            set->entries[i].node->is_freed = true;
}

/* The leaves that a result was made from. */
struct leaves {
    struct node **nodes; /* borrowed from the graph */
    size_t n, capacity;
};

static bool find_leaves(struct machine *m, const struct node_set *set, struct leaves *ret)
{
    bool ok = true;
    *ret = (struct leaves){0};
    for (size_t i = 0; ok && i < set->n_entries; i++) {
        struct node *leaf = set->entries[i].node;
        if (leaf->variable == 0 || !set->entries[i].marked)
            continue;
        struct node **nodes = array_grow(ret->nodes, ret->n, &ret->capacity, sizeof *nodes);
        if (nodes == NULL) {
            ok = raise_memory(m);
            break;
        }
        ret->nodes = nodes;
        nodes[ret->n++] = leaf;
    }
    if (!ok) {
        free(ret->nodes);
        *ret = (struct leaves){0};
    }
    return ok;
}

/* t.grad += d. Where a gradient is cut off, the graph multiplies by 0, and PyTorch writes 0: so -0
 * becomes 0. */
static bool add_gradient(struct machine *m, struct tensor_thing *t, struct node *d)
{
    struct value made;
    struct work work;
    work_begin(&work, m);
    if (!is_tensor(t->grad)) {
        d = build2(&work.b, OP_ADD, d, build_number(&work.b, 0));
        if (!work_end(&work, d, t->dtype, NULL, &made))
            return false;
        value_put(&t->grad, made);
        return true;
    }
    struct node *before = work_tensor(&work, as_tensor(t->grad));
    struct node *sum = before ? build2(&work.b, OP_ADD, before, d) : NULL;
    bool ok = sum != NULL && tensor_write(m, as_tensor(t->grad), sum, false, NULL);
    return work_stop(&work, ok);
}

static uint64_t variable_of(const struct tensor_thing *t)
{
    if (t->place->retained != 0)
        return t->place->retained;
    return t->place->of == NULL || t->place->kind == OP_DETACH ? t->place->variable : 0;
}

/* Calls the hooks of the tensors that are these leaves, those first that were computed last. What a
 * hook returns stands in the place of the gradient. */
static bool call_hooks(struct machine *m, const struct leaves *leaves, struct node **gradients)
{
    for (size_t i = leaves->n; m->torch->hook_caller.kind != VALUE_ABSENT && i-- > 0;) {
        struct value args[2] = {value_int((int64_t)leaves->nodes[i]->variable)}, other;
        if (!tensor_make(m, node_share(gradients[i]), DTYPE_FLOAT32, NULL, &args[1]))
            return false;
        bool ok = machine_call(m, m->torch->hook_caller, args, 2, NULL, &other);
        value_drop(args[1]);
        if (!ok)
            return false;
        struct node *node = is_tensor(other) ? tensor_node(m, as_tensor(other)) : gradients[i];
        if (node != NULL && !tensor_same_shape(&node->value, &gradients[i]->value)) {
            raise_error(m, ERROR_RUNTIME, "hook '<lambda>' has changed the size of value");
            node = NULL;
        }
        if (node != NULL && node != gradients[i]) {
            node_share(node);
            node_free(gradients[i]);
            gradients[i] = node;
        }
        value_drop(other);
        if (node == NULL)
            return false;
    }
    return true;
}

/* Hands the gradients out to the tensors that are these leaves; those that nobody names go. */
static bool hand_out(struct machine *m, const struct leaves *leaves, struct node *const *gradients)
{
    struct thing *ring = &m->things.ring;
    bool ok = true;
    for (struct thing *at = ring->after; ok && at != ring; at = at->after) {
        if (thing_id(at) != THING_TENSOR)
            continue;
        struct tensor_thing *t = (struct tensor_thing *)(void *)at;
        uint64_t variable = t->place ? variable_of(t) : 0;
        if (variable != 0 && variable == t->place->retained && t->place->is_only_hooked)
            continue;
        for (size_t i = 0; ok && variable != 0 && i < leaves->n; i++)
            if (leaves->nodes[i]->variable == variable)
                ok = add_gradient(m, t, gradients[i]);
    }
    return ok;
}

/* Forgets how a result was made; it still says that it has a gradient, and refuses a second
 * backward(). */
static void spend(struct machine *m, struct tensor_thing *t)
{
    struct place *root = tensor_root(t);
    struct op_args none = {0};
    if (root->variable != 0 || !root->tracks || root->node->n_parents == 0)
        return;
    struct node *leaf = NULL;
    if (m->torch->keeps_history) {
        leaf = node_new(m->graph, op_get(OP_DETACH), 1, &root->node, &none, NULL);
    } else {
        struct tensor share = tensor_share(&root->node->value);
        leaf = node_input(m->graph, &share, "a result", 8, NULL);
    }
    if (leaf == NULL)
        return;
    leaf->variable = SPENT;
    node_free(root->node);
    root->node = leaf;
    root->version++;
}

/* x.backward(gradient=None, retain_graph=None, create_graph=False) */
TORCH(run_backward)
{
    struct error error = {0};
    struct leaves leaves;
    bool retains, creates;
    struct machine *m = c->m;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(m, t) : NULL;
    *ret = value_none();
    if (node == NULL || !native_flag(c, 2, false, &retains) || !native_flag(c, 3, false, &creates))
        return false;
    if (creates)
        return raise_error(m, ERROR_NOT_IMPLEMENTED,
                           "attn's backward() makes no graph of gradients; write "
                           "torch.autograd.grad(..., create_graph=True)");
    if (!tensor_tracks(t))
        return raise_error(m, ERROR_RUNTIME, "%s", no_grad_message);
    struct node *d = first_gradient(m, node, c->args[1], &error);
    if (d == NULL)
        return m->raised.kind != VALUE_ABSENT ? false : raise_graph_error(m, &error);
    node = node_share(node);
    struct node_set set = {0};
    bool saved = false, ok = node_set_init(&set, &node, 1, &error) || raise_graph_error(m, &error);
    if (ok)
        mark_flow(&set);
    ok = ok && check_flow(m, &set, &saved);
    leaves = (struct leaves){0};
    ok = ok && find_leaves(m, &set, &leaves);
    struct node **gradients = ok ? calloc(leaves.n + 1, sizeof *gradients) : NULL;
    if (ok && gradients == NULL)
        ok = raise_memory(m);
    bool made = ok && graph_back(m->graph, node, d, leaves.nodes, leaves.n, gradients, &error);
    if (ok && !made)
        ok = raise_graph_error(m, &error);
    node_free(d);
    ok = ok && call_hooks(m, &leaves, gradients) && hand_out(m, &leaves, gradients);
    for (size_t i = 0; made && i < leaves.n; i++)
        node_free(gradients[i]);
    free(gradients);
    free(leaves.nodes);
    if (ok && !retains && saved && !m->torch->keeps_history)
        free_saved(&set);
    node_set_release(&set);
    node_free(node);
    if (ok && !retains && saved)
        spend(m, t);
    return ok;
}

/* Only the marked entries that were made from one of these nodes stay marked: where a gradient of
 * them alone passes. */
static void unmark_others(struct node_set *set, struct node *const *nodes, size_t n)
{
    for (size_t i = 0; i < set->n_entries; i++) {
        const struct node *node = set->entries[i].node;
        bool passes = false;
        for (size_t k = 0; !passes && k < n; k++)
            passes = nodes[k] == node;
        for (unsigned p = 0; !passes && p < node->n_parents; p++)
            passes = node_set_find(set, node->parents[p])->marked;
        set->entries[i].marked = set->entries[i].marked && passes;
    }
}

/* autograd.grad(output, inputs, gradient, create_graph, retain_graph): a tuple */
TORCH(run_grad)
{
    struct error error = {0};
    bool creates, retains, ok = true;
    struct machine *m = c->m;
    struct array *inputs = NULL;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(m, t) : NULL;
    if (node == NULL || !native_flag(c, 3, false, &creates) ||
        !native_flag(c, 4, creates, &retains) || !native_tensors(c, 1, &inputs))
        return false;
    if (!tensor_tracks(t))
        ok = raise_error(m, ERROR_RUNTIME, "%s", no_grad_message);
    struct node *d = ok ? first_gradient(m, node, c->args[2], &error) : NULL;
    if (ok && d == NULL)
        ok = m->raised.kind != VALUE_ABSENT ? false : raise_graph_error(m, &error);
    size_t n = inputs->n;
    struct node **wrt = calloc(2 * n + 1, sizeof *wrt), **gradients = wrt + n;
    struct tuple *made = tuple_new(&m->things, n);
    struct node_set set = {0};
    if (ok && (wrt == NULL || made == NULL))
        ok = raise_memory(m);
    if (ok && !node_set_init(&set, &node, 1, &error))
        ok = raise_graph_error(m, &error);
    if (ok)
        mark_flow(&set);
    for (size_t i = 0; ok && i < n; i++) {
        wrt[i] = tensor_node(m, as_tensor(inputs->items[i]));
        ok = wrt[i] != NULL;
        if (ok && !tensor_tracks(as_tensor(inputs->items[i])))
            ok = raise_error(m, ERROR_RUNTIME,
                             "One of the differentiated Tensors does not require grad");
        const struct node_entry *entry = ok ? node_set_find(&set, wrt[i]) : NULL;
        if (ok && (entry == NULL || !entry->marked))
            ok = raise_error(m, ERROR_RUNTIME,
                             "One of the differentiated Tensors appears to not have been used in "
                             "the graph. Set allow_unused=True if this is the desired behavior.");
    }
    bool saved;
    ok = ok && check_flow(m, &set, &saved);
    bool back = ok && graph_back(m->graph, node, d, wrt, n, gradients, &error);
    if (ok && !back)
        ok = raise_graph_error(m, &error);
    if (back && !retains && !m->torch->keeps_history) {
        unmark_others(&set, wrt, n);
        free_saved(&set);
    }
    node_set_release(&set);
    for (size_t i = 0; back && i < n; i++) {
        ok = ok && tensor_make(m, node_share(gradients[i]), as_tensor(inputs->items[i])->dtype,
                               !creates                           ? NULL
                               : gradients[i]->op->kind == OP_MUL ? "MulBackward0"
                                                                  : "AddBackward0",
                               &made->items[i]);
        node_free(gradients[i]);
    }
    node_free(d);
    free(wrt);
    value_drop(value_thing(inputs));
    if (ok)
        *ret = value_thing(made);
    else
        value_drop(value_thing(made));
    return ok;
}

/* _torch.set_grad(True): gives what it was. */
TORCH(run_set_grad)
{
    bool wanted;
    *ret = value_bool(!c->m->torch->no_grad);
    if (!native_flag(c, 0, true, &wanted))
        return false;
    c->m->torch->no_grad = !wanted;
    return true;
}

TORCH(run_is_grad)
{
    *ret = value_bool(!c->m->torch->no_grad);
    return true;
}

/* x.requires_grad_(True) */
TORCH(run_requires_grad)
{
    bool wanted;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !native_flag(c, 1, true, &wanted) ||
        !tensor_set_requires_grad(c->m, t, wanted))
        return false;
    *ret = value_take(c->args[0]);
    return true;
}

enum { IS_DETACH, IS_DATA };

/* x.detach(), x.data: the same numbers. */
TORCH(run_detach)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !tensor_make_view(c->m, t, OP_DETACH, 0, NULL, NULL, ret))
        return false;
    as_tensor(*ret)->place->is_unseen = row_of(c)->kind == IS_DATA;
    return true;
}

/* x.detach_(): forgets where it comes from. */
TORCH(run_detach_in_place)
{
    struct value made;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !tensor_make(c->m, node_share(node), t->dtype, NULL, &made))
        return false;
    struct place *place = t->place;
    t->place = as_tensor(made)->place;
    as_tensor(made)->place = place;
    value_drop(made);
    *ret = value_take(c->args[0]);
    return true;
}

/* The gradient of a result is wanted: its node counts as a leaf too. */
static void retain(struct machine *m, struct tensor_thing *t, struct node *node)
{
    if (t->place->retained == 0)
        t->place->retained = ++m->torch->last_variable;
    node->variable = t->place->retained;
}

/* x.retain_grad(): a result keeps its gradient too. */
TORCH(run_retain_grad)
{
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    if (!tensor_tracks(t))
        return raise_error(c->m, ERROR_RUNTIME,
                           "can't retain_grad on Tensor that has requires_grad=False");
    *ret = value_none();
    if (tensor_is_leaf(t))
        return true;
    t->place->is_only_hooked = false;
    retain(c->m, t, node);
    return true;
}

/* _hooked(x, caller): caller(number, gradient) gets x's gradient under this number. */
TORCH(run_hooked)
{
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    if (!tensor_tracks(t))
        return raise_error(c->m, ERROR_RUNTIME,
                           "cannot register a hook on a tensor that doesn't require gradient");
    if (!tensor_is_leaf(t)) {
        t->place->is_only_hooked = t->place->is_only_hooked || t->place->retained == 0;
        retain(c->m, t, node);
    }
    value_put(&c->m->torch->hook_caller, value_take(c->args[1]));
    *ret = value_int((int64_t)variable_of(t));
    return true;
}

/* ---- properties ---- */

enum { IS_REQUIRED, IS_LEAF };

TORCH(run_is)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    *ret = value_bool(row_of(c)->kind == IS_REQUIRED ? tensor_tracks(t) : tensor_is_leaf(t));
    return true;
}

TORCH(run_get_grad)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    *ret = value_take(t->grad);
    return true;
}

/* <AddBackward0 object at 0x...> */
TORCH(run_grad_fn)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    const char *name = tensor_grad_name(t);
    *ret = value_none();
    if (name == NULL)
        return true;
    struct text text = {0};
    text_format(&text, "<%s object at 0x7f0000000000>", name);
    return text_to_str(c->m, &text, ret);
}

/* ---- the table ---- */

static const struct torch_row rows[] = {
    {{"backward",
      {"self", "gradient=None", "retain_graph=None", "create_graph=False"},
      run_backward},
     IN_METHODS,
     0,
     NULL},
    {{"_grad", {"output", "inputs", "gradient", "create_graph", "retain_graph"}, run_grad},
     IN_HIDDEN,
     0,
     NULL},
    {{"_set_grad", {"mode"}, run_set_grad}, IN_HIDDEN, 0, NULL},
    {{"is_grad_enabled", {NULL}, run_is_grad}, IN_TORCH, 0, NULL},
    {{"requires_grad_", {"self", "requires_grad=True"}, run_requires_grad}, IN_METHODS, 0, NULL},
    {{"detach", {"input"}, run_detach}, IN_BOTH, IS_DETACH, NULL},
    {{"detach_", {"input"}, run_detach_in_place}, IN_METHODS, 0, NULL},
    {{"retain_grad", {"self"}, run_retain_grad}, IN_METHODS, 0, NULL},
    {{"_hooked", {"input", "caller"}, run_hooked}, IN_HIDDEN, 0, NULL},
    {{"data", {"self"}, run_detach}, IN_PROPERTIES, IS_DATA, NULL},
    {{"requires_grad", {"self"}, run_is}, IN_PROPERTIES, IS_REQUIRED, NULL},
    {{"is_leaf", {"self"}, run_is}, IN_PROPERTIES, IS_LEAF, NULL},
    {{"grad", {"self"}, run_get_grad}, IN_PROPERTIES, 0, NULL},
    {{"grad_fn", {"self"}, run_grad_fn}, IN_PROPERTIES, 0, NULL},
};

const struct torch_table torch_gradients = {rows, COUNT_OF(rows)};
