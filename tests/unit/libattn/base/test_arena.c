/* base/arena.h: memory that is given back all at once. */
#include "testing.h"

#include <stdalign.h>
#include <string.h>

#include "base/arena.h"

static void assert_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(bytes[i], 0);
}

static void test_arena__bytes_are_zero_and_aligned_for_anything(void **state)
{
    (void)state;
    struct arena arena = {0};
    for (size_t size = 1; size < 200; size++) {
        unsigned char *bytes = arena_take(&arena, size);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
        assert_zero(bytes, size);
    }
    arena_release(&arena);
}

static void test_arena__pieces_do_not_overlap(void **state)
{
    (void)state;
    enum { N = 300 };
    struct arena arena = {0};
    unsigned char *pieces[N];
    for (size_t i = 0; i < N; i++) { /* from 1 byte to some 90 kB, across many blocks */
        pieces[i] = arena_take(&arena, i * i + 1);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)(i % 251), i * i + 1);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t at = 0; at < i * i + 1; at++)
            assert_int_equal(pieces[i][at], i % 251);
    arena_release(&arena);
}

static void test_arena__clear_keeps_a_block_and_zeroes_what_it_gives_again(void **state)
{
    (void)state;
    struct arena arena = {0};
    memset(arena_take(&arena, 100), 0xFF, 100);
    assert_non_null(arena_take(&arena, 1000000));
    arena_clear(&arena);
    testing_fail_allocation(0);
    unsigned char *again = arena_take(&arena, 100);
    assert_int_equal(testing_allocations(), 0);
    assert_zero(again, 100);
    arena_release(&arena);
}

static void test_arena__a_long_line_does_not_stay_in_memory(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_non_null(arena_take(&arena, 100));
    assert_non_null(arena_take(&arena, 1000000));
    arena_clear(&arena);
    testing_fail_allocation(0);
    assert_non_null(arena_take(&arena, 1000000)); /* it was given back: it is asked for again */
    assert_true(testing_allocations() > 0);
    arena_release(&arena);
}

static void test_arena__no_memory_is_null_and_what_was_there_stays(void **state)
{
    (void)state;
    struct arena arena = {0};
    testing_fail_allocation(1);
    assert_null(arena_take(&arena, 10));
    char *word = arena_take(&arena, 10);
    assert_non_null(word);
    memcpy(word, "a word", 7);
    testing_fail_allocation(1);
    assert_null(arena_take(&arena, 100000));
    testing_fail_allocation(0);
    assert_string_equal(word, "a word");
    assert_non_null(arena_take(&arena, 100000));
    arena_release(&arena);
}

static void test_arena__sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_null(arena_take(&arena, SIZE_MAX));
    assert_null(arena_take(&arena, SIZE_MAX - sizeof(max_align_t)));
    assert_null(arena_take(&arena, SIZE_MAX - 2 * sizeof(max_align_t)));
    assert_non_null(arena_take(&arena, 1));
    arena_release(&arena);
}

static void test_arena__copies_end_with_a_nul(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_copy(&arena, "abcd", 3), "abc");
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    assert_null(arena_copy(&arena, "", SIZE_MAX));
    arena_release(&arena);
}

static void test_arena__release_of_an_empty_one_and_twice(void **state)
{
    (void)state;
    struct arena arena = {0};
    arena_clear(&arena);
    arena_release(&arena);
    assert_non_null(arena_take(&arena, 1));
    arena_release(&arena);
    arena_release(&arena);
    assert_null(arena.blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena__bytes_are_zero_and_aligned_for_anything),
        cmocka_unit_test(test_arena__pieces_do_not_overlap),
        cmocka_unit_test(test_arena__clear_keeps_a_block_and_zeroes_what_it_gives_again),
        cmocka_unit_test(test_arena__a_long_line_does_not_stay_in_memory),
        cmocka_unit_test(test_arena__no_memory_is_null_and_what_was_there_stays),
        cmocka_unit_test(test_arena__sizes_that_overflow_are_refused),
        cmocka_unit_test(test_arena__copies_end_with_a_nul),
        cmocka_unit_test(test_arena__release_of_an_empty_one_and_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
