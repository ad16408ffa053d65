/* show/labels.h: names along an axis. */
#include "testing.h"

#include <string.h>

#include "show/labels.h"

static struct labels *words(size_t n, const char *const *names)
{
    struct labels *made;
    struct error error;
    if (!labels_new(n, names, NULL, &made, &error))
        fail_msg("%s", error.text);
    return made;
}

static struct labels *sentence(void)
{
    return words(4, (const char *const[]){"Hello", "shiny", "", "sun"});
}

/* labels_take() with nothing to go wrong. */
static struct labels *take(struct labels *labels, size_t start, size_t count, ptrdiff_t step)
{
    struct labels *taken;
    struct error error;
    if (!labels_take(labels, start, count, step, &taken, &error))
        fail_msg("%s", error.text);
    return taken;
}

static void test_labels__names_are_copied(void **state)
{
    (void)state;
    char name[] = "sun";
    struct labels *labels = words(1, (const char *const[]){name});
    name[0] = 'f';
    assert_string_equal(labels_name(labels, 0), "sun");
    labels_free(labels);
}

static void test_labels__names_keep_their_order(void **state)
{
    (void)state;
    struct labels *labels = sentence();
    assert_int_equal(labels_count(labels), 4);
    assert_string_equal(labels_name(labels, 0), "Hello");
    assert_string_equal(labels_name(labels, 1), "shiny");
    assert_string_equal(labels_name(labels, 2), "");
    assert_string_equal(labels_name(labels, 3), "sun");
    labels_free(labels);
}

static void test_labels__sizes_cut_names_out_of_a_line(void **state)
{
    (void)state;
    static const char line[] = "Hello shiny sun!";
    struct labels *labels;
    struct error error;
    assert_true(labels_new(3, (const char *const[]){line, line + 6, line + 12}, (size_t[]){5, 5, 3},
                           &labels, &error));
    assert_string_equal(labels_name(labels, 0), "Hello");
    assert_string_equal(labels_name(labels, 1), "shiny");
    assert_string_equal(labels_name(labels, 2), "sun");
    labels_free(labels);
}

static void test_labels__none_is_null(void **state)
{
    (void)state;
    assert_int_equal(labels_count(NULL), 0);
    assert_int_equal(labels_find(NULL, "x", 1), 0);
    assert_null(labels_share(NULL));
    labels_free(NULL);
    struct labels *taken = take(NULL, 5, 3, 2);
    assert_null(taken);
}

static void test_labels__no_names_at_all(void **state)
{
    (void)state;
    struct labels *empty = words(0, NULL);
    assert_int_equal(labels_count(empty), 0);
    assert_int_equal(labels_find(empty, "", 0), 0);
    labels_free(empty);
}

static void test_labels__find_gives_the_first_equal_name(void **state)
{
    (void)state;
    struct labels *labels = words(4, (const char *const[]){"a", "bb", "a", ""});
    assert_int_equal(labels_find(labels, "a", 1), 0);
    assert_int_equal(labels_find(labels, "bb", 2), 1);
    assert_int_equal(labels_find(labels, "bbx", 2), 1);
    assert_int_equal(labels_find(labels, "b", 1), 4);
    assert_int_equal(labels_find(labels, "bbb", 3), 4);
    assert_int_equal(labels_find(labels, "A", 1), 4);
    assert_int_equal(labels_find(labels, "", 0), 3);
    labels_free(labels);
}

static void test_labels__live_until_the_last_owner_lets_go(void **state)
{
    (void)state;
    struct labels *labels = sentence();
    assert_ptr_equal(labels_share(labels), labels);
    labels_free(labels);
    assert_string_equal(labels_name(labels, 3), "sun");
    labels_free(labels);
}

static void test_labels__take_follows_steps(void **state)
{
    (void)state;
    struct labels *labels = sentence();
    struct labels *every_other = take(labels, 0, 2, 2);
    struct labels *backwards = take(labels, 3, 4, -1);
    struct labels *none = take(labels, 4, 0, 1);
    struct labels *last = take(labels, 3, 1, 1000);
    assert_int_equal(labels_count(every_other), 2);
    assert_string_equal(labels_name(every_other, 0), "Hello");
    assert_string_equal(labels_name(every_other, 1), "");
    assert_int_equal(labels_count(backwards), 4);
    assert_string_equal(labels_name(backwards, 0), "sun");
    assert_string_equal(labels_name(backwards, 3), "Hello");
    assert_int_equal(labels_count(none), 0);
    assert_int_equal(labels_count(last), 1);
    assert_string_equal(labels_name(last, 0), "sun");
    labels_free(labels); /* what was taken stands alone */
    assert_string_equal(labels_name(every_other, 0), "Hello");
    labels_free(every_other);
    labels_free(backwards);
    labels_free(none);
    labels_free(last);
}

static void test_labels__take_of_all_shares(void **state)
{
    (void)state;
    struct labels *labels = sentence();
    struct labels *all = take(labels, 0, 4, 1);
    assert_ptr_equal(all, labels);
    labels_free(labels);
    assert_string_equal(labels_name(all, 0), "Hello");
    labels_free(all);
}

static void test_labels__take_outside_is_refused(void **state)
{
    (void)state;
    struct labels *labels = sentence(), *untouched = labels;
    struct error error;
    assert_error(labels_take(labels, 2, 3, 1, &untouched, &error), error, ERR_RANGE);
    assert_error(labels_take(labels, 4, 1, 1, &untouched, &error), error, ERR_RANGE);
    assert_error(labels_take(labels, 1, 3, -1, &untouched, &error), error, ERR_RANGE);
    assert_error(labels_take(labels, 0, 2, PTRDIFF_MAX, &untouched, &error), error, ERR_RANGE);
    assert_error(labels_take(labels, 3, 2, PTRDIFF_MIN, &untouched, &error), error, ERR_RANGE);
    assert_error(labels_take(labels, 0, SIZE_MAX, 1, &untouched, &error), error, ERR_RANGE);
    assert_ptr_equal(untouched, labels);
    labels_free(labels);
}

static void test_labels__failed_allocations_are_errors(void **state)
{
    (void)state;
    struct labels *labels, *taken;
    struct error error;
    const char *const names[] = {"Hello", "sun"};
    assert_reports_failed_allocations(labels_new(2, names, NULL, &labels, &error), error);
    assert_reports_failed_allocations(labels_take(labels, 1, 1, 1, &taken, &error), error);
    assert_string_equal(labels_name(taken, 0), "sun");
    labels_free(labels);
    labels_free(taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels__names_are_copied),
        cmocka_unit_test(test_labels__names_keep_their_order),
        cmocka_unit_test(test_labels__sizes_cut_names_out_of_a_line),
        cmocka_unit_test(test_labels__none_is_null),
        cmocka_unit_test(test_labels__no_names_at_all),
        cmocka_unit_test(test_labels__find_gives_the_first_equal_name),
        cmocka_unit_test(test_labels__live_until_the_last_owner_lets_go),
        cmocka_unit_test(test_labels__take_follows_steps),
        cmocka_unit_test(test_labels__take_of_all_shares),
        cmocka_unit_test(test_labels__take_outside_is_refused),
        cmocka_unit_test(test_labels__failed_allocations_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
