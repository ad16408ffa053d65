/* verify/verify.h, verify_dump(), and the rooms below it. The verdicts of whole dumps are in
 * tests/script/test_verify.py. */
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "show/backend.h"
#include "verify/difference_internal.h"
#include "verify/question_internal.h"
#include "verify/reference_internal.h"
#include "verify/roles_internal.h"
#include "verify/verify.h"

static const char *data(void)
{
    const char *folder = getenv("ATTN_DATA_DIR");
    return folder != NULL ? folder : ".";
}

static const char *dump_path(const char *name)
{
    static char path[1024];
    const char *golden = getenv("ATTN_TEST_GOLDEN");
    snprintf(path, sizeof path, "%s/dumps/%s", golden != NULL ? golden : "tests/golden", name);
    return path;
}

/* ---- differences ---- */

static const char *const axes[] = {"head", "query", "key"};

static void describe(const struct tensor *got, const struct tensor *want, const char *expected)
{
    struct text text = {0};
    struct error error;
    assert_true(difference_describe(got, want, 1e-6, axes, &text, &error));
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void test_difference__how(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t shape[] = {3, 4, 4};
    struct tensor want = testing_random_tensor(&random, 3, shape), got;
    struct error error;
    assert_true(tensor_copy(&want, &got, &error));
    describe(&got, &want, "");
    for (size_t i = 0; i < 48; i++)
        got.data[i] = 2 * want.data[i];
    describe(&got, &want, "Each number is 2 times the right one. ");
    for (size_t i = 0; i < 48; i++)
        got.data[i] = want.data[(i + 16) % 48];
    describe(&got, &want,
             "Along the axis of heads all are shifted: head 0 holds what belongs to head 1. ");
    for (size_t i = 0; i < 48; i++)
        got.data[i] = want.data[i / 16 * 16 + i % 4 * 4 + i / 4 % 4];
    describe(&got, &want, "It is the right one with the axes of queries and keys exchanged. ");
    for (size_t i = 0; i < 48; i++)
        got.data[i] = want.data[i / 16 * 16 + 15 - i % 16 / 4 * 4 - (3 - i % 4)];
    describe(&got, &want, "Along the axis of queries the order is reversed. ");
    tensor_release(&got);
    tensor_release(&want);
}

static void test_difference__where(void **state)
{
    (void)state;
    uint64_t random = 2;
    size_t shape[] = {3, 4, 4};
    struct tensor want = testing_random_tensor(&random, 3, shape), got;
    struct error error;
    assert_true(tensor_copy(&want, &got, &error));
    got.data[16 + 1] += 1; /* head 1, query 0, key 1 */
    got.data[16 + 2] += 2;
    describe(
        &got, &want,
        "Only head 1 is wrong. Only query 0 is wrong. Only the keys 1 to 2 are wrong. All wrong "
        "numbers lie above the diagonal, in the future of their row. ");
    struct difference off = difference_of(&got, &want, 1e-6);
    assert_int_equal(off.n_wrong, 2);
    assert_int_equal(off.first, 17);
    tensor_release(&got);
    tensor_release(&want);
}

static void test_difference__a_large_negative_number_is_minus_infinity(void **state)
{
    (void)state;
    float hidden[] = {-1e9F, 1}, infinite[] = {-INFINITY, 1}, low[] = {-500, 1};
    size_t shape[] = {2};
    struct tensor a = testing_tensor(1, shape, hidden), b = testing_tensor(1, shape, infinite),
                  c = testing_tensor(1, shape, low);
    assert_int_equal(difference_of(&a, &b, 1e-6).n_wrong, 0);
    assert_int_equal(difference_of(&b, &a, 1e-6).n_wrong, 0);
    assert_int_equal(difference_of(&c, &b, 1e-6).n_wrong, 1);
    tensor_release(&a);
    tensor_release(&b);
    tensor_release(&c);
}

/* ---- names ---- */

static void test_roles__names(void **state)
{
    (void)state;
    char plain[ROLES_NAME_BYTES];
    char *items[] = {"q_proj_weight", "wq", "x"};
    const struct reference_names names = {items, COUNT_OF(items)};
    roles_plain_name("Encoder.0.Q_proj.weight", plain);
    assert_string_equal(plain, "encoder_0_q_proj_weight");
    assert_true(roles_name_fits(&names, plain));
    assert_true(roles_name_fits(&names, "wq"));
    assert_true(roles_name_fits(&names, "x"));
    assert_false(roles_name_fits(&names, "my_x")); /* a letter alone is no end of a name */
    assert_false(roles_name_fits(&names, "mywq"));
}

/* ---- the table ---- */

static const char *name_end(const char *statement)
{
    return statement + strcspn(statement, " ");
}

static bool has_step(const struct reference *reference, const char *name, size_t size)
{
    for (unsigned i = 0; i < reference->n_steps; i++)
        if (strlen(reference->steps[i].step) > size &&
            strncmp(reference->steps[i].step, name, size) == 0 &&
            reference->steps[i].step[size] == ' ')
            return true;
    return false;
}

/* Each statement can be read, and each result and mistake speaks of a step. */
static void test_references__the_table_is_whole(void **state)
{
    (void)state;
    struct references references;
    struct error error;
    assert_true(references_open(data(), &references, &error));
    for (unsigned i = 0; i < references.n; i++) {
        const struct reference *reference = &references.items[i];
        struct arena arena = {0};
        struct formula_step step;
        assert_true(reference->n_roles <= ROLES_MAX);
        for (unsigned k = 0; k < reference->n_steps; k++)
            assert_true(formula_step_read(&arena, reference->steps[k].step, &step, &error));
        for (unsigned k = 0; k < reference->n_results; k++)
            assert_true(has_step(reference, reference->results[k].step,
                                 strlen(reference->results[k].step)));
        for (unsigned k = 0; k < reference->n_mistakes; k++)
            for (const char *at = reference->mistakes[k].step; at != NULL; at = strstr(at, "; ")) {
                at += at == reference->mistakes[k].step ? 0 : 2;
                if (!has_step(reference, at, (size_t)(name_end(at) - at)))
                    fail_msg("%s: no step for %s", reference->id, at);
            }
        arena_release(&arena);
    }
    references_release(&references);
}

/* ---- dumps ---- */

static bool read_once(const char *name, struct error *reterr)
{
    struct arrays arrays;
    if (!arrays_open(dump_path(name), &arrays, reterr))
        return false;
    arrays_release(&arrays);
    return true;
}

static bool verify_once(const struct arrays *arrays, struct error *reterr)
{
    const struct verify_options options = {.width_cols = 80, .digits = 4, .data_dir = data()};
    const struct verify_dump given = {.name = "dump"};
    enum verify_verdict verdict;
    struct doc doc;
    doc_init(&doc);
    bool ok = verify_dump(arrays, &given, &options, &doc, &verdict, reterr);
    doc_release(&doc);
    return ok;
}

/* Dumps whose formula can be worked out with every mistake: the message of one that can't may be
 * cut short without harm. */
static void test_dump__without_memory_it_says_so(void **state)
{
    (void)state;
    static const char *const names[] = {"norm_unbiased.npz", "loss_sum.npz"};
    struct error error;
    assert_reports_failed_allocations(read_once("attention_tensors.safetensors", &error), error);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct arrays arrays;
        assert_reports_failed_allocations(read_once(names[i], &error), error);
        assert_true(arrays_open(dump_path(names[i]), &arrays, &error));
        assert_reports_failed_allocations(verify_once(&arrays, &error), error);
        arrays_release(&arrays);
    }
}

static void test_dump__it_can_be_stopped(void **state)
{
    (void)state;
    volatile sig_atomic_t stop = 1;
    const struct verify_options options = {
        .width_cols = 80, .digits = 4, .data_dir = data(), .stop = &stop};
    const struct verify_dump given = {.name = "dump"};
    enum verify_verdict verdict;
    struct arrays arrays;
    struct error error;
    struct doc doc;
    doc_init(&doc);
    assert_true(arrays_open(dump_path("attention_no_scale.npz"), &arrays, &error));
    assert_error(verify_dump(&arrays, &given, &options, &doc, &verdict, &error), error,
                 ERR_INTERRUPTED);
    arrays_release(&arrays);
    doc_release(&doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_difference__how),
        cmocka_unit_test(test_difference__where),
        cmocka_unit_test(test_difference__a_large_negative_number_is_minus_infinity),
        cmocka_unit_test(test_roles__names),
        cmocka_unit_test(test_references__the_table_is_whole),
        cmocka_unit_test(test_dump__without_memory_it_says_so),
        cmocka_unit_test(test_dump__it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
