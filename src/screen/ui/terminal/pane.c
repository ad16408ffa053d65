/* See pane.h. */
#include "ui/terminal/pane.h"

#include "base/array.h"

const struct binding field_bindings[] = {
    {KEYCODE_ENTER, REQ_OPEN, "take it", "accepts what you typed"},
    {KEYCODE_ESCAPE, REQ_CLOSE, "clear, leave",
     "empties the field; if it is empty, leaves things as they were"},
    {KEYCODE_F1, REQ_SEARCH_HELP, "search help", "searches all help"},
    {KEYCODE_NONE, REQ_NONE, NULL, NULL},
};

bool pane_types(struct pane pane)
{
    return pane.ops->always_types || (pane.ops->types != NULL && pane.ops->types(pane.state));
}

const struct binding *pane_bindings(struct pane pane)
{
    if (pane.ops->bindings_now != NULL)
        return pane.ops->bindings_now(pane.state);
    bool typing = pane.ops->typing_bindings != NULL && pane_types(pane);
    return typing ? pane.ops->typing_bindings : pane.ops->bindings;
}

/* The key that another one means if it has no use of its own: letters for arrows, and, for
 * keyboards that have brackets and braces only with AltGr, keys that every keyboard has. */
static int plain_key(int key)
{
    static const struct {
        int other, key;
    } keys[] = {{'h', KEYCODE_LEFT},
                {'j', KEYCODE_DOWN},
                {'k', KEYCODE_UP},
                {'l', KEYCODE_RIGHT},
                {'g', KEYCODE_HOME},
                {'G', KEYCODE_END},
                {',', '['},
                {'.', ']'},
                {'(', '{'},
                {')', '}'},
                {KEYCODE_SHIFT_LEFT, '['},
                {KEYCODE_SHIFT_RIGHT, ']'},
                {KEYCODE_SHIFT_UP, '{'},
                {KEYCODE_SHIFT_DOWN, '}'}};
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].other == key)
            return keys[i].key;
    return KEYCODE_NONE;
}

bool pane_cancel(struct pane pane)
{
    return pane.ops->cancel != NULL && pane.ops->cancel(pane.state);
}

static bool press(struct pane pane, int key)
{
    bool gives_up = key == KEYCODE_ESCAPE || key == KEYCODE_CTRL_C;
    if (gives_up && pane.ops->clear != NULL && pane.ops->clear(pane.state))
        return true;
    if (gives_up && pane_cancel(pane))
        return true;
    if (pane.ops->key != NULL && pane.ops->key(pane.state, key))
        return true;
    enum request request = binding_find(pane_bindings(pane), key);
    if (request == REQ_NONE)
        request = binding_find(pane.ops->bindings, key);
    return request != REQ_NONE && pane.ops->request != NULL &&
           pane.ops->request(pane.state, request, key);
}

bool pane_press(struct pane pane, int key)
{
    bool typed = pane_types(pane);
    if (press(pane, key))
        return true;
    int plain =
        typed || binding_find(pane.ops->bindings, key) != REQ_NONE ? KEYCODE_NONE : plain_key(key);
    return plain != KEYCODE_NONE && press(pane, plain);
}

void pane_request_set(struct pane_request *request, enum pane_request_kind kind, const char *text)
{
    pane_request_release(request);
    request->kind = kind;
    text_put(&request->text, text);
}

bool pane_request_take(struct pane_request *request, struct pane_request *ret)
{
    if (request->kind == PANE_WANTS_NOTHING)
        return false;
    *ret = *request;
    *request = (struct pane_request){.kind = PANE_WANTS_NOTHING};
    return true;
}

void pane_request_release(struct pane_request *request)
{
    text_release(&request->text);
    *request = (struct pane_request){.kind = PANE_WANTS_NOTHING};
}
