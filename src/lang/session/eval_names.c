/* The values of names: see eval_internal.h. */
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/suggestion.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/session/eval_internal.h"
#include "lang/session/foreign.h"
#include "show/labels.h"

const struct value *evaluation_find_name(const struct evaluation *e, const struct expr *name)
{
    for (const struct scope *scope = e->scope; scope != NULL; scope = scope->outer)
        if (expr_same_word(scope->name, name))
            return &scope->value;
    const struct statement *definition = e->function ? e->function->definition : NULL;
    for (size_t i = 1; definition != NULL && i < definition->n_targets; i++)
        if (expr_same_word(definition->targets[i], name))
            return &e->arguments[i - 1];
    return names_get(&e->session->names, name->as.text.bytes, name->as.text.size);
}

/* Names with a meaning of their own, unless they are given another. */
static const struct constant {
    const char *name;
    enum { CONSTANT_NONE, CONSTANT_BOOL, CONSTANT_NUMBER } kind;
    double number;
} constants[] = {
    {"True", CONSTANT_BOOL, 1},
    {"False", CONSTANT_BOOL, 0},
    {"None", CONSTANT_NONE, 0},
    {"inf", CONSTANT_NUMBER, (double)INFINITY},
    {"nan", CONSTANT_NUMBER, (double)NAN},
    {"pi", CONSTANT_NUMBER, 3.14159265358979323846},
};

bool evaluation_find_constant(struct evaluation *e, const struct expr *name, struct value *ret,
                              bool *ret_found)
{
    struct graph *graph = &e->session->graph;
    const struct constant *constant = NULL;
    for (size_t i = 0; i < COUNT_OF(constants) && constant == NULL; i++)
        if (expr_is_word(name, constants[i].name))
            constant = &constants[i];
    *ret_found = constant != NULL;
    if (constant == NULL)
        return true;
    if (constant->kind == CONSTANT_NONE)
        *ret = (struct value){.kind = VALUE_NONE};
    else if (constant->kind == CONSTANT_BOOL)
        *ret = value_node(node_constant_bool(graph, constant->number != 0, e->reterr));
    else
        *ret = value_node(node_constant(graph, (float)constant->number, e->reterr));
    return ret->kind != VALUE_ABSENT;
}

/* Whether some tensor of the session has this word as a label. */
static bool is_label(const struct evaluation *e, const struct expr *name)
{
    const struct names *names = &e->session->names;
    for (size_t i = 0; i < names->n_variables; i++) {
        if (names->variables[i].value.kind != VALUE_NODE)
            continue;
        const struct node *node = names->variables[i].value.as.node;
        for (unsigned axis = 0; axis < node->value.n_axes; axis++)
            if (labels_find(node->labels[axis], name->as.text.bytes, name->as.text.size) <
                labels_count(node->labels[axis]))
                return true;
    }
    return false;
}

/* A name of Python's or PyTorch's that attn has not: what to write instead. */
static bool fail_foreign_name(const struct evaluation *e, const struct expr *name,
                              const struct expr *call, const char *advice)
{
    char shown[48];
    struct text product = {0};
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (expr_is_word(name, "einsum") && call != NULL && foreign_einsum(call, e->source, &product) &&
        !product.failed)
        error_set(e->reterr, ERR_NAME, "attn has no einsum; for this one write %s",
                  text_string(&product));
    else
        error_set(e->reterr, ERR_NAME, "attn has no %s; %s", shown, advice);
    text_release(&product);
    return false;
}

/* The name that was meant, of those that the session knows: a near spelling, or, of a function, a
 * longer name. */
static void suggest_name(const struct evaluation *e, bool called, struct suggestion *suggestion)
{
    const struct names *names = &e->session->names;
    for (size_t i = 0; i < names->n_variables; i++)
        if (names->variables[i].value.kind != VALUE_ABSENT)
            suggestion_try(suggestion, names->variables[i].name);
    for (size_t i = 0; i < COUNT_OF(constants); i++)
        suggestion_try(suggestion, constants[i].name);
    const struct builtin *builtin;
    for (size_t i = 0; (builtin = builtin_at(i)) != NULL; i++)
        if (called)
            suggestion_try_part(suggestion, builtin->name);
        else
            suggestion_try(suggestion, builtin->name);
    const char *alias;
    for (size_t i = 0; (alias = builtin_alias_at(i)) != NULL; i++)
        if (suggestion->is_part || suggestion->best[0] == '\0')
            suggestion_try(suggestion, alias);
}

enum { PRODUCT_BYTES = 64 }; /* each way to cut a word is tried: a long one is no product */

static const struct node *find_tensor(const struct evaluation *e, const char *word, size_t size)
{
    const struct value *value = names_get(&e->session->names, word, size);
    return value != NULL && value->kind == VALUE_NODE ? value->as.node : NULL;
}

/* QK of a paper, where Q and K are names: their product as it is written here, with the .T that
 * follows it or that was typed as a letter. False where it is no product of two names. */
static bool write_product(const struct evaluation *e, const struct expr *name, struct text *out)
{
    const char *word = name->as.text.bytes;
    size_t size = name->as.text.size;
    bool is_turned = strncmp(e->source + name->end, ".T", 2) == 0;
    if (size > PRODUCT_BYTES)
        return false;
    for (size_t n = 1; n < size; n++) {
        const struct node *left = find_tensor(e, word, n);
        const struct node *right = left != NULL ? find_tensor(e, word + n, size - n) : NULL;
        bool has_t = right == NULL && left != NULL && size - n > 1 && word[size - 1] == 'T';
        if (has_t)
            right = find_tensor(e, word + n, size - n - 1);
        if (right == NULL)
            continue;
        bool is_scalar = left->value.n_axes == 0 || right->value.n_axes == 0;
        text_format(out, "%.*s %s %.*s%s", (int)n, word, is_scalar ? "*" : "@",
                    (int)(size - n - has_t), word + n, has_t || is_turned ? ".T" : "");
        return true;
    }
    return false;
}

/* False: the name is no product. */
static bool fail_product(const struct evaluation *e, const struct expr *name, const char *shown)
{
    struct text product = {0};
    bool is_product = write_product(e, name, &product);
    if (is_product)
        error_set(e->reterr, ERR_NAME, "%s: no such name; did you mean %s?", shown,
                  text_string(&product));
    text_release(&product);
    return is_product;
}

bool evaluation_fail_unknown_name(const struct evaluation *e, const struct expr *name,
                                  const struct expr *call)
{
    char shown[48];
    bool called = call != NULL;
    struct suggestion suggestion;
    error_quote(shown, sizeof shown, name->as.text.bytes, name->as.text.size);
    if (builtin_find(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME, "%s is a function: write %s(...), or help %s", shown,
                         shown, shown);
    if (e->session->find_command(name->as.text.bytes, name->as.text.size) != NULL)
        return error_set(e->reterr, ERR_NAME,
                         "%s is a command: it must stand first in its line; help %s says how",
                         shown, shown);
    if (!called && is_label(e, name))
        return error_set(e->reterr, ERR_NAME, "%s: no such name; for the label write \"%s\"", shown,
                         shown);
    const char *advice = foreign_advice(name->as.text.bytes, name->as.text.size);
    if (called && advice != NULL)
        return fail_foreign_name(e, name, call, advice);
    if (!called && fail_product(e, name, shown))
        return false;
    suggestion_init(&suggestion, name->as.text.bytes, name->as.text.size);
    suggest_name(e, called, &suggestion);
    if (suggestion.best[0] != '\0')
        return error_set(e->reterr, ERR_NAME, "%s: no such name; did you mean %s?", shown,
                         suggestion.best);
    return error_set(e->reterr, ERR_NAME,
                     called ? "%s: no such function; define it with %s(x) = ..., or see help"
                            : "%s: no such name; give it a value with %s = ..., or see vars and "
                              "help",
                     shown, shown);
}
