/* lang/notes.h: a note is told once, and no other note hides it. */
#include "testing.h"

#include "lang/builtins/notes.h"

static void test_notes__one_a_line(void **state)
{
    (void)state;
    struct text notes = {0};
    notes_add(&notes, "note: %s", "one");
    notes_add(&notes, "note: %s", "two");
    assert_string_equal(text_string(&notes), "note: one\nnote: two\n");
    text_release(&notes);
}

static void test_notes__the_same_note_is_told_once(void **state)
{
    (void)state;
    struct text notes = {0};
    for (size_t i = 0; i < 3; i++) {
        notes_add(&notes, "note: one");
        notes_add(&notes, "note: two");
    }
    assert_string_equal(text_string(&notes), "note: one\nnote: two\n");
    text_release(&notes);
}

static void test_notes__a_note_within_another_is_told_too(void **state)
{
    (void)state;
    struct text notes = {0};
    notes_add(&notes, "note: one and two");
    notes_add(&notes, "note: one");
    notes_add(&notes, "two");
    notes_add(&notes, "note: one and two");
    notes_add(&notes, "note: one");
    assert_string_equal(text_string(&notes), "note: one and two\nnote: one\ntwo\n");
    text_release(&notes);
}

static bool add_all(struct text *notes)
{
    notes_add(notes, "note: one");
    notes_add(notes, "note: two");
    return !notes->failed;
}

static void test_notes__without_memory_they_are_incomplete(void **state)
{
    (void)state;
    bool ok = false;
    for (long n = 1; !ok; n++) {
        struct text notes = {0};
        testing_fail_allocation(n);
        ok = add_all(&notes);
        testing_fail_allocation(0);
        if (ok)
            assert_string_equal(text_string(&notes), "note: one\nnote: two\n");
        text_release(&notes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notes__one_a_line),
        cmocka_unit_test(test_notes__the_same_note_is_told_once),
        cmocka_unit_test(test_notes__a_note_within_another_is_told_too),
        cmocka_unit_test(test_notes__without_memory_they_are_incomplete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
