/* judge/run/bounds.h: a place beside an array, in words. */
#include "testing.h"

#include <string.h>

#include "judge/run/bounds.h"

static struct exercise_array arrays[] = {{.name = "weights"}, {.name = "a"}, {.name = "mask"}};
static struct exercise exercise = {.arrays = arrays, .n_arrays = 3};
static const struct fixture fixture = {
    .exercise = &exercise,
    .arrays = {{.present = true, .n_axes = 2, .shape = {3, 4}, .n_cells = 12},
               {.present = true, .n_axes = 1, .shape = {6}, .n_cells = 6},
               {.present = true, .boolean = true, .n_axes = 2, .shape = {1, 5}, .n_cells = 5}}};

static void says(unsigned array, int64_t offset, enum access access, const char *words)
{
    char text[DETAIL_BYTES];
    assert_string_equal(bounds_describe(&fixture, array, offset, access, text, sizeof text), words);
}

static void matrix_by_its_row(void **state)
{
    (void)state;
    says(0, 12 * 4, ACCESS_WRITTEN,
         "row 3 of weights was written (weights[12], 1 past its end); weights has 3 rows (0..2)");
    says(0, 19 * 4 + 3, ACCESS_READ,
         "row 4 of weights was read (weights[19], 8 past its end); weights has 3 rows (0..2)");
    says(0, -1, ACCESS_UNKNOWN,
         "row -1 of weights was touched (weights[-1], 1 before its begin); weights has 3 rows "
         "(0..2)");
    says(0, -17, ACCESS_WRITTEN,
         "row -2 of weights was written (weights[-5], 5 before its begin); weights has 3 rows "
         "(0..2)");
}

static void vector_by_its_number(void **state)
{
    (void)state;
    says(1, 6 * 4, ACCESS_READ, "a[6] was read, 1 past its end; a has 6 numbers (0..5)");
    says(1, -4, ACCESS_WRITTEN, "a[-1] was written, 1 before its begin; a has 6 numbers (0..5)");
}

static void booleans_are_bytes(void **state)
{
    (void)state;
    says(2, 5, ACCESS_READ,
         "row 1 of mask was read (mask[5], 1 past its end); mask has 1 row (0..0)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_by_its_row),
        cmocka_unit_test(vector_by_its_number),
        cmocka_unit_test(booleans_are_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
