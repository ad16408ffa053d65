/* See loop.h; and the command `for`. */
#include "lang/session/loop.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "graph/ops.h"
#include "lang/commands/commands.h"
#include "lang/session/eval.h"
#include "lang/value/compose.h"
#include "tensor/tensor.h"

static bool too_many_turns(struct error *reterr)
{
    return error_set(reterr, ERR_LIMIT,
                     "a line may turn at most 1,000,000 times, all its loops together; write the "
                     "formula for whole tensors");
}

static bool cannot_go_through(const struct value *value, struct error *reterr)
{
    char text[120];
    bool number = value->kind == VALUE_NODE;
    return error_set(
        reterr, ERR_TYPE,
        "a loop goes through range(n), a list or the rows of a tensor, and this is %s%s",
        value_describe(value, text, sizeof text), number ? "; write range(...)" : "");
}

bool loop_count(const struct value *through, size_t *ret_n, struct error *reterr)
{
    bool rows = through->kind == VALUE_NODE && through->as.node->value.n_axes > 0;
    if (!rows && through->kind != VALUE_LIST)
        return cannot_go_through(through, reterr);
    *ret_n = rows ? through->as.node->value.shape[0] : through->as.list->n;
    return *ret_n <= LOOP_MAX_TURNS || too_many_turns(reterr);
}

/* Numbers that nobody would ask `why` about, such as range(3): each is as good as typed. */
static bool is_plain(const struct node *node)
{
    return node->op->kind == OP_INPUT && node->name == NULL && node->value.n_axes == 1;
}

static struct node *row(struct session *session, struct node *node, size_t i, struct error *reterr)
{
    struct graph *graph = &session->graph;
    if (is_plain(node)) {
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

/* The command. */

static bool run_body(struct session *session, const struct statement *loop, struct doc *out,
                     struct error *reterr)
{
    for (const struct statement *s = loop->body; s != NULL; s = s->next) {
        if (!session_run_statement(session, s, out, reterr))
            return false;
        if (out->n_lines <= LOOP_MAX_SHOWN)
            continue;
        error_set(reterr, ERR_LIMIT,
                  "a loop shows at most 20,000 lines; show something behind the loop, on a line of "
                  "its own");
        if (reterr != NULL) {
            reterr->begin = s->begin;
            reterr->end = s->end;
        }
        return false;
    }
    return true;
}

/* The loop's name gets item i, and the body runs. */
static bool run_turn(struct session *session, const struct statement *loop,
                     const struct value *through, size_t i, struct doc *out, struct error *reterr)
{
    struct value item = {.kind = VALUE_ABSENT};
    bool ok = loop_turn(session, reterr) && loop_item(session, through, i, &item, reterr) &&
              session_assign(session, loop->targets[0], &item, reterr);
    value_release(&item);
    return ok && run_body(session, loop, out, reterr);
}

/* Where the first turn works, the number of a later one that fails helps to see why. */
static void tell_turn(size_t i, size_t n, struct error *reterr)
{
    char text[sizeof reterr->text];
    if (i == 0 || reterr == NULL || strncmp(reterr->text, "in turn ", 8) == 0)
        return;
    if (reterr->kind == ERR_INTERRUPTED || reterr->kind == ERR_MEMORY || reterr->kind == ERR_LIMIT)
        return;
    snprintf(text, sizeof text, "in turn %zu of %zu: %.400s", i + 1, n, reterr->text);
    memcpy(reterr->text, text, sizeof text);
}

static bool run_turns(struct session *session, const struct statement *loop,
                      const struct value *through, struct doc *out, struct error *reterr)
{
    size_t n;
    if (!loop_count(through, &n, reterr))
        return error_place(reterr, loop->value);
    for (size_t i = 0; i < n; i++)
        if (!run_turn(session, loop, through, i, out, reterr)) {
            tell_turn(i, n, reterr);
            return false;
        }
    return true;
}

/* Names that were assigned in loops, each once and not too many. */
struct echoes {
    const struct expr *names[16];
    size_t n;
};

static void add_echo(struct echoes *echoes, const struct expr *name)
{
    bool known = echoes->n == COUNT_OF(echoes->names);
    for (size_t i = 0; i < echoes->n && !known; i++)
        known =
            echoes->names[i]->as.text.size == name->as.text.size &&
            memcmp(echoes->names[i]->as.text.bytes, name->as.text.bytes, name->as.text.size) == 0;
    if (!known)
        echoes->names[echoes->n++] = name;
}

static void gather_echoes(const struct statement *loop, struct echoes *echoes)
{
    for (const struct statement *s = loop->body; s != NULL; s = s->next) {
        if (s->body != NULL)
            gather_echoes(s, echoes);
        for (size_t i = 0; s->kind == STATEMENT_ASSIGN && i < s->n_targets; i++)
            add_echo(echoes,
                     s->targets[i]->kind == EXPR_INDEX ? s->targets[i]->object : s->targets[i]);
    }
}

/* What the assignments of all turns came to; a line for each turn would be too many. */
static void echo_loop(struct session *session, const struct statement *loop, struct doc *out)
{
    struct echoes echoes = {.n = 0};
    gather_echoes(loop, &echoes);
    for (size_t i = 0; i < echoes.n; i++)
        session_echo(session, echoes.names[i], out);
}

COMMAND(command_for)
{
    struct value through = {.kind = VALUE_ABSENT};
    if (!eval(session, statement->value, &through, reterr))
        return false;
    session->n_loops++;
    bool ok = run_turns(session, statement, &through, out, reterr);
    session->n_loops--;
    value_release(&through);
    if (ok && session->n_loops == 0 && session->settings.echo)
        echo_loop(session, statement, out);
    return ok && doc_check(out, reterr);
}
