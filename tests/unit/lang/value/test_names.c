/* lang/value/names.h: names and their values. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "lang/value/names.h"

/* A text as a value, so that values can be told apart. */
static struct value text_value(const char *text)
{
    struct value value;
    struct error error;
    if (!value_string(text, strlen(text), &value, &error))
        fail_msg("%s", error.text);
    return value;
}

static bool set(struct names *names, const char *name, const char *text, struct error *reterr)
{
    struct value value = text_value(text), old = {.kind = VALUE_LIST};
    bool ok = names_set(names, name, strlen(name), &value, &old, reterr);
    if (ok) {
        assert_int_equal(value.kind, VALUE_ABSENT); /* it was taken over */
        value_release(&old);
    } else {
        assert_int_equal(value.kind, VALUE_STRING); /* it stayed the caller's */
        assert_int_equal(old.kind, VALUE_LIST);
        value_release(&value);
    }
    return ok;
}

static void must_set(struct names *names, const char *name, const char *text)
{
    struct error error;
    if (!set(names, name, text, &error))
        fail_msg("%s", error.text);
}

static void assert_is(const struct names *names, const char *name, const char *text)
{
    const struct value *value = names_get(names, name, strlen(name));
    assert_non_null(value);
    assert_int_equal(value->kind, VALUE_STRING);
    assert_string_equal(value->as.string->bytes, text);
}

static void test_names__a_name_has_the_value_it_got_last(void **state)
{
    (void)state;
    struct names names = {0};
    assert_null(names_get(&names, "a", 1));
    must_set(&names, "a", "one");
    must_set(&names, "b", "two");
    must_set(&names, "a", "three");
    assert_is(&names, "a", "three");
    assert_is(&names, "b", "two");
    assert_null(names_get(&names, "c", 1));
    names_release(&names);
}

static void test_names__the_old_value_is_handed_back(void **state)
{
    (void)state;
    struct names names = {0};
    struct value one = text_value("one"), two = text_value("two"), old;
    struct error error;
    assert_true(names_set(&names, "a", 1, &one, &old, &error));
    assert_int_equal(old.kind, VALUE_ABSENT);
    assert_true(names_set(&names, "a", 1, &two, &old, &error));
    assert_string_equal(old.as.string->bytes, "one");
    value_release(&old);
    names_release(&names);
}

static void test_names__a_part_of_a_name_is_another_name(void **state)
{
    (void)state;
    struct names names = {0};
    must_set(&names, "scores", "all");
    assert_null(names_get(&names, "scores", 5));
    assert_null(names_get(&names, "scores2", 7));
    must_set(&names, "score", "some");
    assert_is(&names, "scores", "all");
    assert_is(&names, "score", "some");
    assert_null(names_get(&names, "", 0));
    names_release(&names);
}

static void test_names__an_unbound_name_has_no_value_and_can_get_one_again(void **state)
{
    (void)state;
    struct names names = {0};
    struct value nothing = {.kind = VALUE_ABSENT}, old;
    struct error error;
    must_set(&names, "a", "one");
    assert_true(names_set(&names, "a", 1, &nothing, &old, &error));
    value_release(&old);
    assert_null(names_get(&names, "a", 1));
    must_set(&names, "a", "two");
    assert_is(&names, "a", "two");
    names_release(&names);
}

static void test_names__they_stay_in_the_order_of_their_first_values(void **state)
{
    (void)state;
    struct names names = {0};
    must_set(&names, "b", "1");
    must_set(&names, "a", "2");
    must_set(&names, "c", "3");
    must_set(&names, "b", "4");
    assert_int_equal(names.n_variables, 3);
    assert_string_equal(names.variables[0].name, "b");
    assert_string_equal(names.variables[1].name, "a");
    assert_string_equal(names.variables[2].name, "c");
    names_release(&names);
}

static void name_of(size_t i, char name[24])
{
    snprintf(name, 24, "n%zu_%zu", i % 97, i);
}

static void test_names__ten_thousand_of_them(void **state)
{
    (void)state;
    enum { N = 10000 };
    struct names names = {0};
    char name[24];
    for (size_t i = 0; i < N; i++) {
        name_of(i, name);
        must_set(&names, name, name);
    }
    assert_int_equal(names.n_variables, N);
    for (size_t i = 0; i < N; i++) {
        name_of(i, name);
        assert_is(&names, name, name);
    }
    assert_null(names_get(&names, "n1_2", 4)); /* 2 % 97 is not 1 */
    names_release(&names);
}

/* Names added last are forgotten; those that stay are found, and room is left for new ones. */
static void test_names__shrink_forgets_the_last_ones(void **state)
{
    (void)state;
    struct names names = {0};
    char name[24];
    for (size_t round = 0; round < 40; round++) {
        size_t kept = round * 7;
        for (size_t i = kept; i < kept + 150; i++) {
            name_of(i, name);
            must_set(&names, name, name);
        }
        names_shrink(&names, kept + 7);
        assert_int_equal(names.n_variables, kept + 7);
        for (size_t i = 0; i < kept + 150; i++) {
            name_of(i, name);
            if (i < kept + 7)
                assert_is(&names, name, name);
            else
                assert_null(names_get(&names, name, strlen(name)));
        }
    }
    names_shrink(&names, 0);
    assert_null(names_get(&names, "n0_0", 4));
    names_release(&names);
}

static bool set_many(struct names *names, struct error *reterr)
{
    char name[24];
    bool ok = true;
    for (size_t i = 0; ok && i < 60; i++) {
        struct value value = {.kind = VALUE_NONE}, old;
        name_of(i, name);
        ok = names_set(names, name, strlen(name), &value, &old, reterr);
    }
    return ok;
}

static bool set_many_anew(struct error *reterr)
{
    struct names names = {0};
    bool ok = set_many(&names, reterr);
    names_release(&names);
    return ok;
}

static void test_names__without_memory_nothing_changes(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(set_many_anew(&error), error);
    struct names names = {0};
    must_set(&names, "a", "one");
    struct value value = {.kind = VALUE_NONE}, old = {.kind = VALUE_LIST};
    testing_fail_allocation(1);
    assert_error(names_set(&names, "b", 1, &value, &old, &error), error, ERR_MEMORY);
    testing_fail_allocation(0);
    assert_int_equal(names.n_variables, 1);
    assert_null(names_get(&names, "b", 1));
    assert_is(&names, "a", "one");
    /* A name that is there needs no memory. */
    testing_fail_allocation(1);
    assert_true(names_set(&names, "a", 1, &value, &old, &error));
    testing_fail_allocation(0);
    value_release(&old);
    names_release(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names__a_name_has_the_value_it_got_last),
        cmocka_unit_test(test_names__the_old_value_is_handed_back),
        cmocka_unit_test(test_names__a_part_of_a_name_is_another_name),
        cmocka_unit_test(test_names__an_unbound_name_has_no_value_and_can_get_one_again),
        cmocka_unit_test(test_names__they_stay_in_the_order_of_their_first_values),
        cmocka_unit_test(test_names__ten_thousand_of_them),
        cmocka_unit_test(test_names__shrink_forgets_the_last_ones),
        cmocka_unit_test(test_names__without_memory_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
