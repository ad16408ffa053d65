/* lang/value/value.h: what names stand for, and who owns it. */
#include "testing.h"

#include <string.h>

#include "graph/node.h"
#include "lang/syntax/ast.h"
#include "lang/syntax/parser.h"
#include "lang/value/value.h"
#include "show/labels.h"

static struct value number(float x)
{
    struct graph graph = {0};
    struct error error;
    struct node *node = node_constant(&graph, x, &error);
    if (node == NULL)
        fail_msg("%s", error.text);
    return value_node(node);
}

static struct value list_of(const struct value *items, size_t n)
{
    struct value list;
    struct error error;
    if (!value_list(items, n, &list, &error))
        fail_msg("%s", error.text);
    return list;
}

static void test_value__a_text_keeps_all_its_bytes_and_a_nul_after_them(void **state)
{
    (void)state;
    struct value value;
    struct error error;
    assert_true(value_string("a\0b", 3, &value, &error));
    assert_int_equal(value.kind, VALUE_STRING);
    assert_int_equal(value.as.string->size, 3);
    assert_memory_equal(value.as.string->bytes, "a\0b", 4);
    value_release(&value);
    assert_int_equal(value.kind, VALUE_ABSENT);
    assert_true(value_string("", 0, &value, &error));
    assert_string_equal(value.as.string->bytes, "");
    value_release(&value);
}

static void test_value__a_shared_value_lives_until_its_last_owner_goes(void **state)
{
    (void)state;
    struct value one = number(7), two = value_share(&one);
    assert_ptr_equal(one.as.node, two.as.node);
    assert_int_equal(one.as.node->n_owners, 2);
    value_release(&one);
    assert_int_equal(two.as.node->n_owners, 1);
    assert_close(two.as.node->value.data[0], 7, 0);
    value_release(&two);
    value_release(&two); /* nothing is left to release */
}

static void test_value__no_node_is_no_value(void **state)
{
    (void)state;
    assert_int_equal(value_node(NULL).kind, VALUE_ABSENT);
}

static void test_value__a_list_shares_its_items(void **state)
{
    (void)state;
    struct value items[2] = {number(1), {.kind = VALUE_NONE}};
    struct value list = list_of(items, 2);
    assert_int_equal(list.as.list->n, 2);
    assert_ptr_equal(list.as.list->items[0].as.node, items[0].as.node);
    assert_int_equal(items[0].as.node->n_owners, 2);
    struct value other = value_share(&list);
    value_release(&list);
    assert_int_equal(items[0].as.node->n_owners, 2);
    value_release(&other);
    assert_int_equal(items[0].as.node->n_owners, 1);
    value_release(&items[0]);
    struct value empty = list_of(NULL, 0);
    assert_int_equal(empty.as.list->n, 0);
    value_release(&empty);
}

static void test_value__lists_nest_32_deep(void **state)
{
    (void)state;
    struct value list = list_of(NULL, 0), outer;
    struct error error;
    for (int depth = 1; depth < 32; depth++) {
        outer = list_of(&list, 1);
        value_release(&list);
        list = outer;
    }
    assert_error(value_list(&list, 1, &outer, &error), error, ERR_LIMIT);
    assert_says(error, "32 deep");
    value_release(&list);
}

/* A list that holds the one before it twice would soon have more items than anyone can show: 2, 6,
 * 14, ..., 2^(k+1) - 2. */
static void test_value__lists_hold_a_million_items_through_all_depths(void **state)
{
    (void)state;
    struct value items[2] = {{.kind = VALUE_NONE}, {.kind = VALUE_NONE}};
    struct error error;
    for (int k = 1; k <= 19; k++) {
        struct value outer = list_of(items, 2);
        value_release(&items[0]);
        value_release(&items[1]);
        items[0] = outer;
        items[1] = value_share(&outer);
    }
    struct value outer;
    assert_true(value_list(items, 1, &outer, &error)); /* 2^20 - 2 and itself */
    value_release(&outer);
    assert_error(value_list(items, 2, &outer, &error), error, ERR_LIMIT);
    assert_says(error, "1048576 items");
    value_release(&items[0]);
    value_release(&items[1]);
}

static void test_value__labels_become_a_list_of_texts(void **state)
{
    (void)state;
    struct labels *labels;
    struct value list;
    struct error error;
    assert_true(labels_new(2, (const char *const[]){"Hello", "sun"}, NULL, &labels, &error));
    assert_true(value_labels(labels, &list, &error));
    labels_free(labels);
    assert_int_equal(list.as.list->n, 2);
    assert_string_equal(list.as.list->items[0].as.string->bytes, "Hello");
    assert_string_equal(list.as.list->items[1].as.string->bytes, "sun");
    value_release(&list);
}

/* A function as the session makes it: from its text, then parsed. */
static bool function_of(const char *source, struct value *ret, struct error *reterr)
{
    if (!value_function(source, strlen(source), ret, reterr))
        return false;
    struct function *function = ret->as.function;
    bool ok = parser_parse_line(&function->arena, NULL, function->source, strlen(function->source),
                                &function->definition, reterr);
    if (!ok)
        value_release(ret);
    return ok;
}

static void test_value__a_function_keeps_its_own_copy_of_its_text(void **state)
{
    (void)state;
    char source[] = "f(x, y) = x @ y.T";
    struct value value;
    struct error error;
    if (!function_of(source, &value, &error))
        fail_msg("%s", error.text);
    memset(source, '#', sizeof source - 1);
    const struct statement *definition = value.as.function->definition;
    assert_string_equal(value.as.function->source, "f(x, y) = x @ y.T");
    assert_int_equal(definition->n_targets, 3);
    assert_memory_equal(definition->targets[2]->as.text.bytes, "y", 1);
    struct value other = value_share(&value);
    value_release(&value);
    assert_memory_equal(other.as.function->definition->targets[0]->as.text.bytes, "f", 1);
    value_release(&other);
    assert_error(function_of("f(x) = )", &value, &error), error, ERR_SYNTAX);
}

static void assert_described(struct value value, const char *words)
{
    char text[120];
    assert_string_equal(value_describe(&value, text, sizeof text), words);
    value_release(&value);
}

static struct value zeros(unsigned n_axes, const size_t *shape)
{
    struct graph graph = {0};
    struct tensor tensor;
    struct error error;
    assert_true(tensor_zeros(n_axes, shape, &tensor, &error));
    return value_node(node_input(&graph, &tensor, "zeros", 5, &error));
}

static struct value text_value(const char *text)
{
    struct value value;
    struct error error;
    assert_true(value_string(text, strlen(text), &value, &error));
    return value;
}

static void test_value__words_for_messages(void **state)
{
    (void)state;
    struct error error;
    struct value function;
    assert_true(function_of("f(x) = x", &function, &error));
    assert_described(number(2), "a single number");
    assert_described(zeros(2, (size_t[]){2, 3}), "a tensor of shape 2x3");
    assert_described(zeros(1, (size_t[]){5}), "a tensor of shape (5,)");
    assert_described(text_value("abc"), "the text \"abc\"");
    assert_described(text_value("a\nb"), "the text \"a?b\"");
    assert_described(list_of((struct value[3]){{.kind = VALUE_NONE}}, 3), "a list of 3");
    assert_described(function, "a function");
    assert_described((struct value){.kind = VALUE_NONE}, "None");
    assert_described((struct value){.kind = VALUE_ABSENT}, "nothing");
    char text[120];
    struct value longer = text_value("a text that is much longer than what a message has room for");
    assert_true(strlen(value_describe(&longer, text, sizeof text)) < 60);
    value_release(&longer);
}

static bool make_all(const struct labels *labels, struct error *reterr)
{
    struct value made[4] = {{.kind = VALUE_ABSENT}};
    bool ok = value_string("abc", 3, &made[0], reterr) && value_list(made, 1, &made[1], reterr) &&
              value_labels(labels, &made[2], reterr) &&
              function_of("f(x) = x + 1", &made[3], reterr);
    for (size_t i = 0; i < 4; i++)
        value_release(&made[i]);
    return ok;
}

static void test_value__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    struct labels *labels;
    assert_true(labels_new(3, (const char *const[]){"a", "b", "c"}, NULL, &labels, &error));
    assert_reports_failed_allocations(make_all(labels, &error), error);
    labels_free(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value__a_text_keeps_all_its_bytes_and_a_nul_after_them),
        cmocka_unit_test(test_value__a_shared_value_lives_until_its_last_owner_goes),
        cmocka_unit_test(test_value__no_node_is_no_value),
        cmocka_unit_test(test_value__a_list_shares_its_items),
        cmocka_unit_test(test_value__lists_nest_32_deep),
        cmocka_unit_test(test_value__lists_hold_a_million_items_through_all_depths),
        cmocka_unit_test(test_value__labels_become_a_list_of_texts),
        cmocka_unit_test(test_value__a_function_keeps_its_own_copy_of_its_text),
        cmocka_unit_test(test_value__words_for_messages),
        cmocka_unit_test(test_value__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
