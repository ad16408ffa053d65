/* See help_parts.h. */
#include "ui/panes/help/help_internal.h"

#include <ctype.h>
#include <string.h>

size_t help_owner_of(const struct binding *bindings, size_t i)
{
    size_t nearest = i;
    if (bindings[i].help != NULL)
        return i;
    for (size_t j = i; j-- > 0;) {
        if (bindings[j].help == NULL)
            continue;
        if (bindings[j].request == bindings[i].request)
            return j;
        nearest = nearest == i ? j : nearest;
    }
    return nearest;
}

static bool is_alnum_key(int key)
{
    return key > ' ' && key < 127 && isalnum(key);
}

void help_write_keys(const struct binding *bindings, size_t i, struct text *text)
{
    char name[16];
    int last = KEYCODE_NONE, run = 1; /* keys in a row that follow each other, as 1 2 3 do */
    size_t run_end = 0;               /* the text's size behind the first of them */
    for (size_t j = i; bindings[j].key != KEYCODE_NONE; j++) {
        int key = bindings[j].key;
        if (help_owner_of(bindings, j) != i)
            continue;
        run = is_alnum_key(last) && is_alnum_key(key) && key == last + 1 ? run + 1 : 1;
        last = key;
        if (run > 2) {
            bool failed = text->failed; /* which would be forgotten with what is taken back */
            text_shrink(text, run_end);
            text->failed = failed;
            text_format(text, "-%s", key_text(key, name));
            continue;
        }
        text_format(text, "%s%s", text->size > 0 ? " " : "", key_text(key, name));
        if (run == 1)
            run_end = text->size;
    }
}

const char *help_text_of(const struct binding *binding)
{
    return binding->help != NULL ? binding->help : binding->label != NULL ? binding->label : "";
}
