/* judge/repair/repairs_internal.h: which changes of a file are tried, and the file that holds all
 * of them. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/repair/repairs_internal.h"

static const char file[] = "#include <stddef.h>\n"
                           "static float times(float a, float b) { return a + b; }\n"
                           "float dot(size_t n, const float *a, const float *b)\n"
                           "{\n"
                           "    float sum = 0;\n"
                           "    for (size_t i = 0; i < n - 1; i++)\n"
                           "        sum += times(a[i], b[i]);\n"
                           "    return sum;\n"
                           "}\n";

struct listed {
    struct c_source source;
    struct repairs repairs;
};

static struct listed list(const char *text)
{
    struct listed listed;
    struct error error;
    if (!c_source_read(text, strlen(text), &listed.source, &error) ||
        !repairs_list(&listed.source, &listed.repairs, &error))
        fail_msg("%s", error.text);
    return listed;
}

static void release(struct listed *listed)
{
    repairs_release(&listed->repairs);
    c_source_release(&listed->source);
}

/* The repair that makes `after` of the text, or NULL. */
static const struct repair *making(const struct listed *listed, const char *text, const char *after)
{
    for (size_t i = 0; i < listed->repairs.n; i++) {
        const struct repair *one = &listed->repairs.items[i];
        char made[2048];
        snprintf(made, sizeof made, "%.*s%s%s", (int)one->from, text, one->text, text + one->to);
        /* Blanks do not count. */
        const char *a = made, *b = after;
        for (;;) {
            a += strspn(a, " \n");
            b += strspn(b, " \n");
            if (*a != *b || *a == '\0')
                break;
            a++;
            b++;
        }
        if (*a == *b)
            return one;
    }
    return NULL;
}

#define AROUND(body) "void f(size_t n, size_t m, const float *a, float *b)\n{\n" body "\n}\n"
#define LOOPS "for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) "

static void test_repairs__known_mistakes_are_among_them(void **state)
{
    static const struct {
        const char *wrong, *right, *id;
    } trials[] = {
        {AROUND(LOOPS "b[i] += a[i * n + j];"), AROUND(LOOPS "b[i] += a[i * m + j];"),
         "other-size"},
        {AROUND(LOOPS "b[i] = a[i * m + j];"), AROUND(LOOPS "b[i] += a[i * m + j];"),
         "set-for-added"},
        {AROUND(LOOPS "b[i] += a[i * m + i];"), AROUND(LOOPS "b[i] += a[i * m + j];"),
         "another-index"},
        {AROUND("for (size_t i = 0; i <= n; i++) b[i] = a[i];"),
         AROUND("for (size_t i = 0; i < n; i++) b[i] = a[i];"), "comparison"},
        {AROUND("float s = 3; b[0] = s / m;"), AROUND("float s = 3; b[0] = s / sqrtf(m);"),
         "root-left-out"},
        {AROUND("float top = 0; b[0] = top;"),
         AROUND("float top = - __builtin_inff(); b[0] = top;"), "start-value"},
        {AROUND("float e = expf(a[n]), top = a[m]; b[0] = e + top;"),
         AROUND("float e = expf(a[n]), top = a[m]; b[0] = e - top;"), "plus-for-minus"},
        {AROUND(LOOPS "b[j * n + i] = a[j * n + i] / n;"),
         AROUND(LOOPS "b[j * n + i] = a[j * n + i];"), "division-too-many"},
        {AROUND(LOOPS "b[i * m + j] = a[j * n + i];"), AROUND(LOOPS "b[i * m + j] = a[i * m + j];"),
         "transposed"},
        {AROUND(LOOPS "b[i] = *(a + j);"), AROUND(LOOPS "b[i] = *(a + j * m);"),
         "length-forgotten"},
        {AROUND("size_t all = n; for (size_t i = 0; i < all; i++) b[i] = 0;"),
         AROUND("size_t all = n * m; for (size_t i = 0; i < all; i++) b[i] = 0;"), "only-some"},
        {AROUND("if (n > 3); b[0] = a[0];"), AROUND("if (n > 3) b[0] = a[0];"), "empty-condition"},
        {AROUND("int s = 0; s += a[0]; b[0] = s;"), AROUND("double s = 0; s += a[0]; b[0] = s;"),
         "truncated"},
        {AROUND("static float s = 0; s += a[0]; b[0] = s;"),
         AROUND("float s = 0; s += a[0]; b[0] = s;"), "state-kept"},
        {AROUND("for (size_t i = 0; i < n; i++) { if (a[i] > 0) b[i] = a[i]; }"),
         AROUND("for (size_t i = 0; i < n; i++) { if (a[i] > 0) b[i] = a[i]; else b[i] = 0; }"),
         "not-written"},
        {AROUND("b[0] = a[n * n]; b[1] = 0;"), AROUND("b[0] = a[m * m]; b[1] = 0;"), "other-size"},
        {"#define FILL 0.0f\n" AROUND("b[0] = FILL;"),
         "#define FILL - __builtin_inff()\n" AROUND("b[0] = FILL;"), "fill"},
        {AROUND("if (n > 3) b[0] = a[0];"), AROUND("if (!(n > 3)) b[0] = a[0];"),
         "condition-turned"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct listed listed = list(trials[i].wrong);
        const struct repair *found = making(&listed, trials[i].wrong, trials[i].right);
        if (found == NULL)
            fail_msg("nothing makes %s", trials[i].right);
        assert_string_equal(found->rule->id, trials[i].id);
        release(&listed);
    }
}

static void test_repairs__the_line_is_that_of_the_change(void **state)
{
    struct listed listed = list(file);
    char right[sizeof file];
    (void)state;
    memcpy(right, file, sizeof file);
    *strchr(right, '+') = '-';
    const struct repair *found = making(&listed, file, right);
    assert_non_null(found);
    assert_int_equal(found->line, 2);
    struct text says = {0};
    repair_say(&listed.source, found, &says);
    assert_string_equal(text_string(&says), "this adds where it should subtract");
    text_release(&says);
    release(&listed);
}

static void test_repairs__a_sum_is_set_to_0_before_each_loop_around_it(void **state)
{
    static const char text[] = AROUND("float s = 0;\n" LOOPS "s += a[i * m + j];\nb[0] = s;");
    struct listed listed = list(text);
    unsigned n = 0;
    (void)state;
    for (size_t i = 0; i < listed.repairs.n; i++) {
        const struct repair *one = &listed.repairs.items[i];
        if (one->rule != &repair_specials[REPAIR_RESET])
            continue;
        n++;
        assert_string_equal(one->text, "s = 0;");
        assert_int_equal(one->line, 4);
    }
    assert_int_equal(n, 2);
    release(&listed);
}

static void test_repairs__what_is_declared_measured_or_counted_stays(void **state)
{
    static const char text[] =
        AROUND("float *p = malloc(n * sizeof *p); for (size_t i = 0; i < n; i++) p[i] = 0;");
    struct listed listed = list(text);
    (void)state;
    for (size_t i = 0; i < listed.repairs.n; i++) {
        const struct repair *one = &listed.repairs.items[i];
        const char *at = text + one->from;
        if (at <= strstr(text, "sizeof") && text + one->to > strstr(text, "sizeof") + 6 &&
            strstr(one->text, "sizeof") == NULL)
            fail_msg("sizeof is changed to %s", one->text);
        assert_true(strncmp(at, "*p = malloc", 4) != 0);
        assert_true(strncmp(at, "i++", 3) != 0);
    }
    release(&listed);
}

/* As the compiler must be able to read it: brackets in pairs, and each number once or more. */
static void test_repairs__all_of_them_stand_in_one_file(void **state)
{
    struct listed listed = list(file);
    struct text text = {0};
    int depth = 0;
    (void)state;
    assert_true(
        repairs_write(&listed.source, "dot", listed.repairs.items, listed.repairs.n, &text));
    for (const char *at = text_string(&text); *at != '\0'; at++) {
        depth += strchr("([{", *at) != NULL ? 1 : strchr(")]}", *at) != NULL ? -1 : 0;
        assert_true(depth >= 0);
    }
    assert_int_equal(depth, 0);
    for (size_t i = 0; i < listed.repairs.n; i++) {
        char mark[64];
        if (listed.repairs.items[i].variant == 0)
            continue;
        snprintf(mark, sizeof mark, "attn_variant == %u", listed.repairs.items[i].variant);
        assert_non_null(strstr(text_string(&text), mark));
    }
    text_clear(&text);
    assert_false(repairs_write(&listed.source, "none", listed.repairs.items, 1, &text));
    text_release(&text);
    release(&listed);
}

/* What is clear from the name leaves no other row; a name that nobody knows leaves all. */
static void test_repairs__the_name_of_the_mistake_decides(void **state)
{
    static const char text[] = AROUND("int s = 0;\n" LOOPS "s += a[i * n + j];\nb[0] = s;");
    static const char *const names[] = {"truncated", "other-size", "unknown"};
    (void)state;
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        struct listed listed = list(text);
        size_t n_before = listed.repairs.n, n_fit = 0;
        repairs_hold_against(&listed.repairs, &names[name], 1);
        while (n_fit < listed.repairs.n && listed.repairs.items[n_fit].fits)
            n_fit++;
        for (size_t i = n_fit; i < listed.repairs.n; i++)
            assert_false(listed.repairs.items[i].fits);
        assert_int_equal(n_fit > 0, name < 2);
        assert_int_equal(listed.repairs.n == n_before, name > 0);
        if (name == 0)
            assert_int_equal(listed.repairs.n, n_fit);
        if (name == 0)
            assert_string_equal(listed.repairs.items[0].rule->id, "truncated");
        release(&listed);
    }
}

static void test_repairs__without_memory_there_are_none(void **state)
{
    struct c_source source;
    struct repairs repairs = {0};
    struct error error;
    bool ok = false;
    (void)state;
    for (long nth = 1; !ok && nth < 5000; nth++) {
        testing_fail_allocation(nth);
        ok = c_source_read(file, strlen(file), &source, &error);
        bool listed = ok && repairs_list(&source, &repairs, &error);
        testing_fail_allocation(0);
        if (!ok || !listed)
            assert_int_equal(error.kind, ERR_MEMORY);
        if (ok)
            c_source_release(&source);
        repairs_release(&repairs);
        ok = listed;
    }
    assert_true(ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repairs__known_mistakes_are_among_them),
        cmocka_unit_test(test_repairs__the_line_is_that_of_the_change),
        cmocka_unit_test(test_repairs__a_sum_is_set_to_0_before_each_loop_around_it),
        cmocka_unit_test(test_repairs__what_is_declared_measured_or_counted_stays),
        cmocka_unit_test(test_repairs__all_of_them_stand_in_one_file),
        cmocka_unit_test(test_repairs__the_name_of_the_mistake_decides),
        cmocka_unit_test(test_repairs__without_memory_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
