/* Leaves: numbers as typed, and numbers from elsewhere. */
#include "graph/op_functions.h"
#include "show/number.h"

EXPLAIN(explain_constant)
{
    (void)node;
    (void)index;
    explain_format(explanation, "as typed");
}

EXPLAIN(explain_input)
{
    (void)index;
    explain_format(explanation, "from %s", node->args.text ? node->args.text : "outside");
}

WRITE(write_constant)
{
    (void)depth;
    char number[NUMBER_TEXT];
    if (node->value.is_bool)
        text_put(text, node->value.data[0] != 0 ? "True" : "False");
    else
        text_put(text, number_short(node->value.data[0], 6, number));
}

WRITE(write_input)
{
    (void)depth;
    text_put(text, node->args.text ? node->args.text : "input");
}
