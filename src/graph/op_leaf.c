/* Leaves: numbers as typed, and numbers from elsewhere. */
#include "base/array.h"
#include "graph/ops_internal.h"
#include "show/number.h"

static EXPLAIN(explain_constant)
{
    (void)node;
    (void)index;
    explain_format(explanation, "as typed");
}

static EXPLAIN(explain_input)
{
    (void)index;
    explain_format(explanation, "from %s", node->args.text ? node->args.text : "outside");
}

static WRITE(write_constant)
{
    (void)depth;
    char number[NUMBER_TEXT];
    if (node->value.is_bool)
        text_put(text, node->value.data[0] != 0 ? "True" : "False");
    else
        text_put(text, number_short(node->value.data[0], 6, number));
}

static WRITE(write_input)
{
    (void)depth;
    text_put(text, node->args.text ? node->args.text : "input");
}

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_CONSTANT,
     .name = "number",
     .binding = BIND_TIGHT,
     .explain = explain_constant,
     .write = write_constant},
    {.kind = OP_INPUT,
     .name = "input",
     .binding = BIND_TIGHT,
     .explain = explain_input,
     .write = write_input},
};

OP_TABLE(op_leaves, OP_CONSTANT, OP_INPUT);
