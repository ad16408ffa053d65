/* show/tsv.h: tensors as tab-separated values. */
#include "testing.h"

#include <math.h>

#include "show/labels.h"
#include "show/tsv.h"
#include "tensor/tensor.h"

static void assert_tsv(const struct picture *picture, size_t table, const char *expected)
{
    struct text text = {0};
    picture_to_tsv(picture, table, &text);
    assert_false(text.failed);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void test_tsv__numbers_can_be_read_back(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(2, (size_t[]){2, 3},
                                     (float[]){0.1F, 1.0F / 3, -INFINITY, 16777216, NAN, 1e-20F});
    assert_tsv(&(struct picture){.tensor = &x}, 0, "0.1\t0.33333334\t-inf\n16777216\tnan\t1e-20\n");
    struct tensor vector = testing_tensor(1, (size_t[]){2}, (float[]){1, 2});
    assert_tsv(&(struct picture){.tensor = &vector}, 0, "1\t2\n");
    struct tensor none = testing_tensor(2, (size_t[]){0, 2}, NULL);
    assert_tsv(&(struct picture){.tensor = &none}, 0, "");
    tensor_release(&none);
    tensor_release(&vector);
    tensor_release(&x);
}

static void test_tsv__names_stand_above_and_before(void **state)
{
    (void)state;
    struct tensor x = testing_tensor(3, (size_t[]){2, 1, 2}, (float[]){1, 2, 3, 4});
    struct labels *rows, *cols;
    struct error error;
    assert_true(labels_new(1, (const char *const[]){"cat"}, NULL, &rows, &error));
    assert_true(labels_new(2, (const char *const[]){"a\tb", "c"}, NULL, &cols, &error));
    struct picture picture = {.tensor = &x, .labels = (struct labels *[]){NULL, rows, cols}};
    assert_tsv(&picture, 1, "\ta b\tc\ncat\t3\t4\n");
    picture.labels = (struct labels *[]){NULL, NULL, cols};
    assert_tsv(&picture, 0, "a b\tc\n1\t2\n");
    labels_free(rows);
    labels_free(cols);
    tensor_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tsv__numbers_can_be_read_back),
        cmocka_unit_test(test_tsv__names_stand_above_and_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
