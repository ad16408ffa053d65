/* ui/terminal/scroll.h: places in lists, and what is seen of them. */
#include "testing.h"

#include "ui/terminal/scroll.h"

static void test_scroll__steps_end_at_the_ends_of_the_list(void **state)
{
    (void)state;
    assert_int_equal(scroll_step(3, 2, 10), 5);
    assert_int_equal(scroll_step(3, -2, 10), 1);
    assert_int_equal(scroll_step(3, -4, 10), 0);
    assert_int_equal(scroll_step(3, 100, 10), 9);
    assert_int_equal(scroll_step(12, -1, 10), 9); /* the list has become shorter */
    assert_int_equal(scroll_step(3, 1, 0), 0);
}

static void test_scroll__moves_no_further_than_needed(void **state)
{
    (void)state;
    assert_int_equal(scroll_into_view(4, 5, 3, 20), 4);
    assert_int_equal(scroll_into_view(4, 2, 3, 20), 2);
    assert_int_equal(scroll_into_view(4, 9, 3, 20), 7);
    assert_int_equal(scroll_into_view(19, 19, 3, 20), 17); /* no empty rows at the end */
    assert_int_equal(scroll_into_view(4, 1, 3, 3), 0);
}

static void test_scroll__requests_are_steps(void **state)
{
    ptrdiff_t steps = 0;
    (void)state;
    assert_true(scroll_steps_of(REQ_UP, 5, 20, &steps));
    assert_int_equal(steps, -1);
    assert_true(scroll_steps_of(REQ_PAGE_DOWN, 5, 20, &steps));
    assert_int_equal(steps, 5);
    assert_true(scroll_steps_of(REQ_TOP, 5, 20, &steps));
    assert_int_equal(steps, -20);
    assert_false(scroll_steps_of(REQ_OPEN, 5, 20, &steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scroll__steps_end_at_the_ends_of_the_list),
        cmocka_unit_test(test_scroll__moves_no_further_than_needed),
        cmocka_unit_test(test_scroll__requests_are_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
