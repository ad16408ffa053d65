/* lang/literal.h: lists as tensors. */
#include "testing.h"

#include <string.h>

#include "graph/node.h"
#include "lang/value/literal.h"
#include "tensor/tensor.h"

static struct value number(struct graph *graph, float x)
{
    struct error error;
    struct node *node = node_constant(graph, x, &error);
    if (node == NULL)
        fail_msg("%s", error.text);
    return value_node(node);
}

/* A tensor of n zeros with a name, as a learner would make it. */
static struct value named_zeros(struct graph *graph, size_t n)
{
    struct tensor tensor;
    struct error error;
    assert_true(tensor_zeros(1, (size_t[]){n}, &tensor, &error));
    struct node *node = node_input(graph, &tensor, "zeros", 5, &error);
    assert_true(node_set_name(node, "X", 1, &error));
    return value_node(node);
}

static void release_all(struct value *items, size_t n)
{
    for (size_t i = 0; i < n; i++)
        value_release(&items[i]);
}

static void test_literal__numbers_are_joined_as_they_were_typed(void **state)
{
    (void)state;
    struct graph graph = {0};
    struct error error;
    struct value items[] = {number(&graph, 1), number(&graph, 2)};
    assert_true(literal_all(items, 2));
    assert_false(literal_all(items, 0));
    struct node *node = literal_join(&graph, "[1, 2]", 6, items, 2, &error);
    assert_non_null(node);
    assert_tensor_close(&node->value, 1, (size_t[]){2}, ((float[]){1, 2}), 0);
    assert_string_equal(node->args.text, "[1, 2]");
    node_free(node);
    release_all(items, 2);
}

static void test_literal__a_tensor_with_a_name_is_not_one(void **state)
{
    (void)state;
    struct graph graph = {0};
    struct value items[] = {number(&graph, 1), named_zeros(&graph, 2)};
    assert_true(literal_all(items, 1));
    assert_false(literal_all(items, 2));
    release_all(items, 2);
}

static void test_literal__a_list_is_a_tensor_where_one_is_needed(void **state)
{
    (void)state;
    struct graph graph = {0};
    struct error error;
    struct value items[] = {number(&graph, 1), number(&graph, 2)}, list;
    assert_true(value_list(items, 2, &list, &error));
    struct node *node = value_to_node(&graph, &list, "x", &error);
    assert_non_null(node);
    assert_tensor_close(&node->value, 1, (size_t[]){2}, ((float[]){1, 2}), 0);
    assert_string_equal(node->args.text, "(1, 2)");
    node_free(node);
    value_release(&list);
    assert_true(value_list(NULL, 0, &list, &error));
    node = value_to_node(&graph, &list, "x", &error);
    assert_non_null(node);
    assert_tensor_close(&node->value, 1, (size_t[]){0}, ((float[]){0}), 0);
    node_free(node);
    value_release(&list);
    release_all(items, 2);
}

static void test_literal__tensors_are_stacked_and_keep_their_parents(void **state)
{
    (void)state;
    struct graph graph = {0};
    struct error error;
    struct value items[] = {named_zeros(&graph, 3), named_zeros(&graph, 3), named_zeros(&graph, 2)};
    struct value list;
    assert_true(value_same_shapes(items, 2));
    assert_false(value_same_shapes(items, 3));
    assert_true(value_list(items, 2, &list, &error));
    struct node *node = value_stack(&graph, list.as.list, "x", &error);
    assert_non_null(node);
    assert_int_equal(node->value.n_axes, 2);
    assert_int_equal(node->n_parents, 2);
    node_free(node);
    value_release(&list);
    assert_true(value_list(items, 3, &list, &error));
    assert_error(value_to_node(&graph, &list, "x", &error) != NULL, error, ERR_SHAPE);
    value_release(&list);
    release_all(items, 3);
}

static void test_literal__other_values_are_named_in_the_error(void **state)
{
    (void)state;
    struct graph graph = {0};
    struct error error;
    struct value text;
    assert_true(value_string("abc", 3, &text, &error));
    assert_error(value_to_node(&graph, &text, "softmax: input", &error) != NULL, error, ERR_TYPE);
    assert_says(error, "softmax: input: ");
    assert_says(error, "\"abc\"");
    value_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literal__numbers_are_joined_as_they_were_typed),
        cmocka_unit_test(test_literal__a_tensor_with_a_name_is_not_one),
        cmocka_unit_test(test_literal__a_list_is_a_tensor_where_one_is_needed),
        cmocka_unit_test(test_literal__tensors_are_stacked_and_keep_their_parents),
        cmocka_unit_test(test_literal__other_values_are_named_in_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
