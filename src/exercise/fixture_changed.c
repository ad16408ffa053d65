/* What would come out if one stage went wrong: see fixture_answer_changed() in fixture.h. */
#include <stdlib.h>
#include <string.h>

#include "exercise/fixture_internal.h"
#include "graph/node.h"
#include "tensor/tensor.h"

/* The stages before the changed one are as they were: their values are taken from the right run. */
static void give_right_stages(struct fixture *fixture, const struct kept_names *kept, unsigned n)
{
    struct names *names = &fixture->session->names;
    for (unsigned i = 0; i < n; i++) {
        const char *name;
        size_t size = statement_target(fixture->exercise->stages.items[i], &name);
        size_t at = names_place(names, name, size);
        if (at >= kept->n)
            continue;
        value_release(&names->variables[at].value);
        names->variables[at].value = value_share(&kept->values[at]);
    }
}

/* A node with the numbers changed; NULL with ERR_NONE when that changes nothing here. */
static struct node *changed_node(struct fixture *fixture, const struct stage_change *change,
                                 const struct tensor *value, struct error *reterr)
{
    size_t n = tensor_size(value);
    float *before = malloc((n + 1) * sizeof *before), *after = malloc((n + 1) * sizeof *after);
    struct tensor tensor;
    struct node *node = NULL;
    if (before == NULL || after == NULL) {
        error_memory(reterr, "a changed stage");
    } else {
        tensor_read(value, before);
        memcpy(after, before, n * sizeof *after);
        const struct stage_numbers numbers = {.fixture = fixture,
                                              .before = before,
                                              .after = after,
                                              .n_cells = n,
                                              .n_axes = value->n_axes,
                                              .shape = value->shape,
                                              .boolean = value->is_bool};
        change->apply(change->context, &numbers);
        if (memcmp(before, after, n * sizeof *after) == 0) {
            error_set(reterr, ERR_NONE, "nothing changes here");
        } else if (tensor_from(value->n_axes, value->shape, after, &tensor, reterr)) {
            tensor.is_bool = value->is_bool;
            node = node_input(&fixture->session->graph, &tensor, "changed", 7, reterr);
        }
    }
    free(before);
    free(after);
    return node;
}

/* Puts the changed numbers in the place of a name's value, which moves to *ret_old. */
static bool change_name(struct fixture *fixture, const struct stage_change *change,
                        const char *name, size_t size, struct value *ret_old, struct error *reterr)
{
    struct names *names = &fixture->session->names;
    size_t at = names_place(names, name, size);
    if (at == names->n_variables || names->variables[at].value.kind != VALUE_NODE)
        return error_set(reterr, ERR_TYPE, "%.*s holds no numbers", (int)size, name);
    struct value *value = &names->variables[at].value;
    struct node *node = changed_node(fixture, change, &value->as.node->value, reterr);
    if (node == NULL)
        return false;
    *ret_old = *value;
    *value = value_node(node);
    return true;
}

/* What the stage leaves, changed. Its right numbers are there already. */
static bool change_result(struct fixture *fixture, const struct stage_change *change,
                          struct error *reterr)
{
    struct value old = {.kind = VALUE_ABSENT};
    const char *name;
    size_t size = statement_target(fixture->exercise->stages.items[change->stage], &name);
    bool ok = change_name(fixture, change, name, size, &old, reterr);
    value_release(&old);
    return ok;
}

/* Runs the stage with the changed numbers in the place of one that it reads. */
static bool run_reading(struct fixture *fixture, const struct stage_change *change,
                        struct error *reterr)
{
    struct names *names = &fixture->session->names;
    struct value old = {.kind = VALUE_ABSENT};
    if (!change_name(fixture, change, change->read, change->read_size, &old, reterr))
        return false;
    bool ok =
        expression_run(fixture->session, fixture->exercise->stages.items[change->stage], reterr);
    const char *target;
    size_t size = statement_target(fixture->exercise->stages.items[change->stage], &target);
    if (size == change->read_size && memcmp(target, change->read, size) == 0) {
        value_release(&old); /* the stage has given the name its next value */
        return ok;
    }
    struct value *value =
        &names->variables[names_place(names, change->read, change->read_size)].value;
    value_release(value);
    *value = old;
    return ok;
}

bool fixture_answer_changed(struct fixture *fixture, const struct stage_change *change,
                            struct answer *ret, struct error *reterr)
{
    const struct strings *stages = &fixture->exercise->stages;
    struct kept_names kept;
    if (!fixture_keep_names(fixture, &kept, reterr))
        return false;
    give_right_stages(fixture, &kept, change->stage + (change->read == NULL));
    bool ok = change->read == NULL ? change_result(fixture, change, reterr)
                                   : run_reading(fixture, change, reterr);
    for (unsigned i = change->stage + 1; ok && i < stages->n; i++)
        ok = expression_run(fixture->session, stages->items[i], reterr);
    ok = ok && fixture_read_answer(fixture, ret, reterr);
    fixture_give_back_names(fixture, &kept);
    return ok;
}
