/* ui/terminal/pane.h: what a key does in a pane, and what a pane wants. */
#include "testing.h"

#include <string.h>

#include "base/array.h"
#include "ui/terminal/pane.h"

struct state {
    bool types, has_field; /* has_field: one that is open for a moment */
    enum request request;
    int key;
};

static bool types(const void *state)
{
    return ((const struct state *)state)->types;
}

static bool cancel(void *state)
{
    struct state *fake = state;
    bool was_open = fake->has_field;
    fake->has_field = false;
    return was_open;
}

/* While it types, it takes small letters. */
static bool take_key(void *state, int key)
{
    struct state *fake = state;
    if (!fake->types || key < 'a' || key > 'z')
        return false;
    fake->key = key;
    return true;
}

static bool take_request(void *state, enum request request, int key)
{
    struct state *fake = state;
    fake->request = request;
    fake->key = key;
    return request != REQ_CLOSE;
}

static const struct binding bindings[] = {
    {'n', REQ_NEXT_PAGE, "next", "goes on"},
    {KEYCODE_PAGE_UP, REQ_PAGE_UP, NULL, "scrolls up"},
    {KEYCODE_ESCAPE, REQ_CLOSE, NULL, "leaves"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};
static const struct pane_ops ops = {
    .bindings = bindings,
    .typing_bindings = field_bindings,
    .types = types,
    .cancel = cancel,
    .key = take_key,
    .request = take_request,
};

static void test_pane__a_key_is_a_letter_or_a_request(void **unused)
{
    (void)unused;
    struct state state = {.types = false};
    struct pane pane = {&ops, &state};
    assert_false(pane_types(pane));
    assert_true(pane_bindings(pane) == bindings);
    assert_true(pane_press(pane, 'n'));
    assert_int_equal(state.request, REQ_NEXT_PAGE);
    assert_int_equal(state.key, 'n');
    assert_false(pane_press(pane, 'x'));

    state = (struct state){.types = true};
    assert_true(pane_types(pane));
    assert_true(pane_bindings(pane) == field_bindings);
    assert_true(pane_press(pane, 'n'));
    assert_int_equal(state.request, REQ_NONE);
    assert_int_equal(state.key, 'n');
    assert_true(pane_press(pane, KEYCODE_ENTER)); /* of the field */
    assert_int_equal(state.request, REQ_OPEN);
    assert_true(pane_press(pane, KEYCODE_PAGE_UP)); /* of the pane */
    assert_int_equal(state.request, REQ_PAGE_UP);
}

/* Brackets and braces need AltGr on many keyboards: other keys stand for them, and only there. */
static void test_pane__keys_in_place_of_brackets(void **unused)
{
    (void)unused;
    static const struct binding brackets[] = {{'[', REQ_PREVIOUS_HEAD, NULL, NULL},
                                              {']', REQ_NEXT_HEAD, NULL, NULL},
                                              {'{', REQ_PREVIOUS_LAYER, NULL, NULL},
                                              {'}', REQ_NEXT_LAYER, NULL, NULL},
                                              {KEYCODE_NONE, REQ_NONE, NULL, NULL}};
    static const int keys[][4] = {{'[', ',', KEYCODE_SHIFT_LEFT, REQ_PREVIOUS_HEAD},
                                  {']', '.', KEYCODE_SHIFT_RIGHT, REQ_NEXT_HEAD},
                                  {'{', '(', KEYCODE_SHIFT_UP, REQ_PREVIOUS_LAYER},
                                  {'}', ')', KEYCODE_SHIFT_DOWN, REQ_NEXT_LAYER}};
    struct pane_ops with_brackets = ops;
    with_brackets.bindings = brackets;
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        for (size_t j = 0; j < 3; j++) {
            struct state state = {.types = false};
            assert_true(pane_press((struct pane){&with_brackets, &state}, keys[i][j]));
            assert_int_equal(state.request, keys[i][3]);
            state = (struct state){.types = true}; /* there it is a letter, or nothing */
            (void)pane_press((struct pane){&with_brackets, &state}, keys[i][j]);
            assert_true(state.request == REQ_NONE || j == 0);
            assert_false(pane_press((struct pane){&ops, &(struct state){0}}, keys[i][j]));
        }
}

static void test_pane__escape_and_ctrl_c_close_a_field_first(void **unused)
{
    (void)unused;
    static const int keys[] = {KEYCODE_ESCAPE, KEYCODE_CTRL_C};
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        struct state state = {.types = true, .has_field = true};
        struct pane pane = {&ops, &state};
        assert_true(pane_press(pane, 'n'));
        assert_true(state.has_field);
        assert_true(pane_press(pane, keys[i]));
        assert_false(state.has_field);
        assert_int_equal(state.request, REQ_NONE);
        assert_false(pane_cancel(pane));
    }
    struct state state = {.types = false};
    assert_false(pane_press((struct pane){&ops, &state}, KEYCODE_CTRL_C));
}

static void test_pane__a_key_that_does_nothing_is_left(void **unused)
{
    (void)unused;
    struct state state = {.types = false};
    assert_false(pane_press((struct pane){&ops, &state}, KEYCODE_ESCAPE));
    assert_int_equal(state.request, REQ_CLOSE);
    static const struct pane_ops little = {.bindings = bindings, .always_types = true};
    struct pane pane = {&little, NULL};
    assert_false(pane_press(pane, 'n'));
    assert_true(pane_types(pane));
    assert_true(pane_bindings(pane) == bindings);
}

static void test_pane__the_last_request_counts_and_is_given_once(void **unused)
{
    (void)unused;
    struct pane_request request = {.kind = PANE_WANTS_NOTHING}, taken;
    assert_false(pane_request_take(&request, &taken));
    pane_request_set(&request, PANE_RUN_LINE, "1 + 1");
    request.key = 'x';
    pane_request_set(&request, PANE_TO_PROMPT, "answer ");
    assert_true(pane_request_take(&request, &taken));
    assert_int_equal(taken.kind, PANE_TO_PROMPT);
    assert_string_equal(text_string(&taken.text), "answer ");
    assert_int_equal(taken.key, 0);
    assert_false(pane_request_take(&request, &(struct pane_request){0}));
    pane_request_release(&taken);
    assert_int_equal(taken.kind, PANE_WANTS_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pane__a_key_is_a_letter_or_a_request),
        cmocka_unit_test(test_pane__keys_in_place_of_brackets),
        cmocka_unit_test(test_pane__escape_and_ctrl_c_close_a_field_first),
        cmocka_unit_test(test_pane__a_key_that_does_nothing_is_left),
        cmocka_unit_test(test_pane__the_last_request_counts_and_is_given_once),
    };
    return cmocka_run_group_tests_name("pane", tests, NULL, NULL);
}
