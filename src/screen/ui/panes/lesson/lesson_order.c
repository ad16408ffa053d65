/* Steps that are put in order: their numbers are typed, or a step is picked up and carried. See
 * lesson_pane_internal.h.
 *
 * The options stand in the order of the answer so far. The first n_typed of them were typed; the
 * steps after these stand as in the file. Once a step is carried, the whole order counts as given.
 */
#include "ui/panes/lesson/lesson_pane_internal.h"

static bool is_digit(int key)
{
    return key >= '0' && key <= '9';
}

/* Between numbers, as in "4, 2, 1, 3". */
static bool is_separator(int key)
{
    return key == ' ' || key == ',' || key == ';' || key == ')';
}

/* Moves the step at one place to another; the steps between them make room. */
static void move_to(struct lesson_pane *pane, size_t from, size_t to)
{
    struct lesson_pane_option moved = pane->options[from];
    for (; from < to; from++)
        pane->options[from] = pane->options[from + 1];
    for (; from > to; from--)
        pane->options[from] = pane->options[from - 1];
    pane->options[to] = moved;
}

/* Puts the steps that were not typed in the order of the file. True: one of them moved. */
static bool sort_rest(struct lesson_pane *pane)
{
    bool any = false;
    for (size_t i = pane->n_typed; i < pane->n_options; i++) {
        size_t least = i;
        for (size_t j = i + 1; j < pane->n_options; j++)
            if (pane->options[j].item < pane->options[least].item)
                least = j;
        any = any || least != i;
        move_to(pane, least, i);
    }
    return any;
}

/* Puts the cursor on the step that was typed last. */
static void show_typed(struct lesson_pane *pane)
{
    pane->option = pane->n_typed > 0 ? pane->n_typed - 1 : 0;
    pane->touched = pane->n_typed > 0;
    lesson_pane_show_cursor(pane);
}

static void take_back(struct lesson_pane *pane)
{
    pane->n_typed--;
    pane->carries = false;
    (void)sort_rest(pane);
    show_typed(pane);
}

/* Where the step of a number stands among those that were not typed; n_options: nowhere. */
static size_t find_untyped(const struct lesson_pane *pane, size_t number)
{
    size_t at = pane->n_typed;
    while (at < pane->n_options && pane->options[at].item + 1 != number)
        at++;
    return at;
}

/* A number of two digits, where there are so many steps, is typed without a blank between them. */
static size_t number_of(struct lesson_pane *pane, size_t digit, int last_key)
{
    if (pane->n_options <= 9 || pane->n_typed == 0 || !is_digit(last_key))
        return digit;
    size_t both = (pane->options[pane->n_typed - 1].item + 1) * 10 + digit;
    if (find_untyped(pane, both) == pane->n_options)
        return digit;
    take_back(pane);
    return both;
}

static void type_digit(struct lesson_pane *pane, size_t digit, int last_key)
{
    size_t number = number_of(pane, digit, last_key);
    pane->carries = false;
    if (number == 0 || number > pane->n_options) {
        lesson_pane_notice(pane, "the steps are numbered 1 to %zu", pane->n_options);
        return;
    }
    if (pane->n_typed == 0) /* what was carried before is replaced */
        (void)sort_rest(pane);
    size_t at = find_untyped(pane, number);
    if (pane->n_typed == pane->n_options) {
        lesson_pane_notice(pane, "all steps have a place: Enter answers, Backspace takes one back");
    } else if (at == pane->n_options) {
        lesson_pane_notice(pane, "step %zu has a place; Backspace takes the last one back", number);
    } else {
        move_to(pane, at, pane->n_typed++);
        show_typed(pane);
    }
}

bool lesson_pane_order_key(struct lesson_pane *pane, int key)
{
    int last_key = pane->last_key;
    pane->last_key = key;
    if (is_digit(key)) {
        type_digit(pane, (size_t)(key - '0'), last_key);
        return true;
    }
    bool is_among_numbers = is_digit(last_key) || last_key == KEYCODE_BACKSPACE ||
                            (last_key != ' ' && is_separator(last_key));
    if (is_separator(key) && is_among_numbers)
        return true;
    if (key == KEYCODE_BACKSPACE && pane->n_typed > 0) {
        take_back(pane);
        return true;
    }
    if (key == 'U' - '@') {
        (void)lesson_pane_clear_order(pane);
        return true;
    }
    if (key != ' ' || !lesson_pane_sees_cursor(pane))
        return false;
    pane->carries = !pane->carries;
    pane->touched = true;
    return true;
}

void lesson_pane_move_step(struct lesson_pane *pane, int by)
{
    size_t to = pane->option + (size_t)by;
    if (lesson_pane_ask(pane) != LESSON_PANE_ASKS_ORDER || to >= pane->n_options)
        return;
    move_to(pane, pane->option, to);
    pane->n_typed = 0;
    pane->touched = true;
    pane->option = to;
    lesson_pane_show_cursor(pane);
}

bool lesson_pane_clear_order(struct lesson_pane *pane)
{
    bool any = pane->n_typed > 0 || pane->carries;
    pane->n_typed = pane->option = 0;
    pane->carries = pane->touched = false;
    return sort_rest(pane) || any;
}

bool lesson_pane_order_is_given(struct lesson_pane *pane)
{
    size_t n_missing = pane->n_typed > 0 ? pane->n_options - pane->n_typed : 0;
    if (pane->carries) {
        pane->carries = false;
        return false;
    }
    if (n_missing > 0) {
        lesson_pane_notice(pane, "%zu of %zu steps %s missing; Backspace takes the last one back",
                           n_missing, pane->n_options, n_missing == 1 ? "is" : "are");
        lesson_pane_show_cursor(pane);
    }
    return n_missing == 0;
}
