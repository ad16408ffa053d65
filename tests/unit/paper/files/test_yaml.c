/* files/yaml.h: YAML files read by tables of fields. */
#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "files/yaml.h"

/* What the tests read into. */
struct pet {
    char *name;
    unsigned age;
    double weight;
    bool tame;
    void *tricks;
    unsigned n_tricks;
};

static bool read_tricks(struct yaml *yaml, yaml_value value, void *ret)
{
    struct pet *pet = ret;
    return yaml_read_list(yaml, value, yaml_read_text, sizeof(char *), &pet->tricks,
                          &pet->n_tricks);
}

static bool read_pet(struct yaml *yaml, yaml_value value, struct pet *pet)
{
    const struct yaml_field fields[] = {
        {"name", yaml_read_text, &pet->name, true},
        {"age", yaml_read_whole, &pet->age, false},
        {"weight", yaml_read_number, &pet->weight, false},
        {"tame", yaml_read_flag, &pet->tame, false},
        {"tricks", read_tricks, pet, false},
    };
    return yaml_read_fields(yaml, value, "a pet", fields, COUNT_OF(fields));
}

static bool read(const char *text, size_t size, struct arena *arena, struct pet *pet,
                 struct error *reterr)
{
    struct yaml yaml;
    yaml_value root;
    if (!yaml_open(&yaml, "pet.yaml", text, size, arena, &root, reterr))
        return false;
    bool ok = read_pet(&yaml, root, pet);
    yaml_close(&yaml);
    return ok;
}

static void test_yaml__values_go_where_the_fields_say(void **state)
{
    (void)state;
    static const char text[] = "name: Tom   # a cat\n"
                               "age: 7\n"
                               "weight: 4.25\n"
                               "tame: true\n"
                               "tricks:\n"
                               "  - sit\n"
                               "  - \"jump, high\"\n";
    struct arena arena = {0};
    struct pet pet = {0};
    struct error error;
    if (!read(text, strlen(text), &arena, &pet, &error))
        fail_msg("%s", error.text);
    assert_string_equal(pet.name, "Tom");
    assert_int_equal(pet.age, 7);
    assert_close(pet.weight, 4.25, 0);
    assert_true(pet.tame);
    assert_int_equal(pet.n_tricks, 2);
    assert_string_equal(((char **)pet.tricks)[0], "sit");
    assert_string_equal(((char **)pet.tricks)[1], "jump, high");
    arena_release(&arena);
}

static void test_yaml__what_is_left_out_stays_as_it_was(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct pet pet = {.age = 3, .weight = 2};
    struct error error;
    assert_true(read("{name: Tom}", 11, &arena, &pet, &error));
    assert_int_equal(pet.age, 3);
    assert_close(pet.weight, 2, 0);
    arena_release(&arena);
}

static void test_yaml__faults_name_the_line_the_key_and_what_was_expected(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "pet.yaml:1: lines of the form `key: value` are expected"},
        {"- a\n", "pet.yaml:1: lines of the form"},
        {"name: [a\nb: c\n", "pet.yaml:2: this is not YAML"},
        {"name: a\n\tage: 1\n", "pet.yaml:2: this is not YAML"},
        {"name: a\xff\n", "this is not YAML: invalid leading UTF-8 octet; save the file as UTF-8"},
        {"name: a: b\n", "pet.yaml:1: this is not YAML: mapping values are not allowed in this "
                         "context; indent keys equally, and put a text that holds `: ` in quotes"},
        {"name: `a`\n", "; indent with blanks, and put a text that begins with a sign in quotes"},
        {"name: [a\n", "; close the bracket, and put commas between its items"},
        {"name: 'a\n", "; close the quotes"},
        {"name: a\nage\n", "; write `key: value`, or indent what belongs to the line above"},
        {"name: 'a' b\n", "; indent keys equally, and put quotes around the whole of a text"},
        {"name: \"\\q\"\n", "; write \\\\ for \\, or use single quotes"},
        {"name: & b\n", "; put a text that begins with a sign in quotes"},
        {"name: a\nage: 1\n---\nname: b\n", "pet.yaml:4: a second document begins here"},
        {"age: 1\n", "pet.yaml:1: a pet needs the key name"},
        {"name: a\nnmae: b\n", "pet.yaml:2: a pet has no key 'nmae'; name is spelt most like it"},
        {"name: a\nowner: b\n", "pet.yaml:2: a pet has no key 'owner'"},
        {"name: a\nage: 1\nname: b\n", "pet.yaml:3: name appears here twice, first in line 1"},
        {"{name: f(a, b)}\n",
         "pet.yaml:1: 'b)' is not a key of a pet; in { } a comma ends a value"},
        {"name: a\n? [x]\n: b\n", "pet.yaml:2: a key is expected, not a list"},
        {"name:\n", "pet.yaml:1: name: a text is expected; it is empty"},
        {"name: ''\n", "pet.yaml:1: name: a text is expected; it is empty"},
        {"name:\n  - a\n", "pet.yaml:2: name: a text is expected, not a list"},
        {"name: {a: b}\n", "pet.yaml:1: name: a text is expected, not a mapping"},
        {"name: \"a\\0b\"\n", "name: there is a zero byte in it"},
        {"name: a\nage: -1\n",
         "pet.yaml:2: age: a whole number up to 1000000 is expected, not '-1'"},
        {"name: a\nage: 1.5\n", "not '1.5'"},
        {"name: a\nage: 1000001\n", "not '1000001'"},
        {"name: a\nage: 99999999999999999999999\n", "age: a whole number"},
        {"name: a\nage: seven\n", "not 'seven'"},
        {"name: a\nweight: heavy\n", "weight: a number, 0 or more, is expected, not 'heavy'"},
        {"name: a\nweight: -2\n", "not '-2'"},
        {"name: a\nweight: nan\n", "not 'nan'"},
        {"name: a\nweight: 0x10\n", "not '0x10'"},
        {"name: a\nweight: 1e999\n", "not '1e999'"},
        {"name: a\nweight: 2 kg\n", "not '2 kg'"},
        {"name: a\ntame: yes\n", "tame: true or false is expected, not 'yes'"},
        {"name: a\ntricks: sit\n", "tricks: a list is expected, not a single value"},
        {"name: a\ntricks: []\n", "tricks: the list is empty; leave the key out"},
        {"name: a\ntricks:\n  - sit\n  - [x]\n", "pet.yaml:4: tricks: a text is expected"},
        {"name: a\ntricks: &t [*t]\n", "tricks: a text is expected, not a list"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        struct arena arena = {0};
        struct pet pet = {0};
        struct error error;
        if (read(bad[i].text, strlen(bad[i].text), &arena, &pet, &error))
            fail_msg("'%s' was read", bad[i].text);
        assert_int_equal(error.kind, ERR_SYNTAX);
        assert_says(error, bad[i].says);
        arena_release(&arena);
    }
}

struct order {
    char text[64];
};

static bool add_pair(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct order *order = context;
    size_t used = strlen(order->text);
    (void)yaml;
    snprintf(order->text + used, sizeof order->text - used, "%s=%s@%u ",
             (const char *)key->data.scalar.value, (const char *)value->data.scalar.value,
             yaml_line(key));
    return true;
}

/* 20,000 open brackets keep libyaml busy for a second, and a million for an hour. */
static void test_yaml__brackets_that_are_never_closed_are_refused(void **state)
{
    (void)state;
    enum { MANY = 1000000 };
    struct arena arena = {0};
    struct pet pet = {0};
    struct error error;
    char *text = malloc(MANY);
    assert_non_null(text);
    for (int pairs = 0; pairs < 2; pairs++) {
        memset(text, pairs ? '{' : '[', MANY);
        memcpy(text, "name: x\nage: ", 13);
        assert_false(read(text, MANY, &arena, &pet, &error));
        assert_string_equal(error.text, "pet.yaml:2: more than 1000 brackets are open; close them");
    }
    /* Those that are closed are no matter. */
    memset(text, ' ', MANY);
    memcpy(text, "name: '", 7);
    for (size_t i = 7; i < MANY - 8; i += 2)
        memcpy(text + i, "[]", 2);
    memcpy(text + MANY - 1, "'", 1);
    assert_true(read(text, MANY, &arena, &pet, &error));
    free(text);
    arena_release(&arena);
}

static void test_yaml__pairs_come_in_the_order_of_the_file(void **state)
{
    (void)state;
    static const char text[] = "z: 1\na: 2..3\n\nm: n + 1\n";
    struct arena arena = {0};
    struct yaml yaml;
    yaml_value root;
    struct error error;
    struct order order = {""};
    assert_true(yaml_open(&yaml, "x", text, strlen(text), &arena, &root, &error));
    assert_int_equal(yaml_count(root), 3);
    assert_true(yaml_read_pairs(&yaml, root, add_pair, &order));
    assert_string_equal(order.text, "z=1@1 a=2..3@2 m=n + 1@4 ");
    yaml_close(&yaml);
    arena_release(&arena);
}

static bool read_anew(struct error *reterr)
{
    static const char text[] = "name: Tom\ntricks: [sit, jump]\n";
    struct arena arena = {0};
    struct pet pet = {0};
    bool ok = read(text, strlen(text), &arena, &pet, reterr);
    arena_release(&arena);
    return ok;
}

static void test_yaml__without_memory_it_says_so(void **state)
{
    (void)state;
    struct error error;
    assert_reports_failed_allocations(read_anew(&error), error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_yaml__values_go_where_the_fields_say),
        cmocka_unit_test(test_yaml__what_is_left_out_stays_as_it_was),
        cmocka_unit_test(test_yaml__faults_name_the_line_the_key_and_what_was_expected),
        cmocka_unit_test(test_yaml__brackets_that_are_never_closed_are_refused),
        cmocka_unit_test(test_yaml__pairs_come_in_the_order_of_the_file),
        cmocka_unit_test(test_yaml__without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
