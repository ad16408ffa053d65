/* The search in what was printed: upwards, from what is seen. See prompt_internal.h. */
#include "ui/panes/prompt/prompt_internal.h"

enum { CTRL_O = 'O' - '@' };

/* No line begins with /, but the next row of one may. */
bool prompt_opens_find(const struct prompt *prompt, int key)
{
    bool reads = prompt_is_empty(prompt) && !prompt->is_searching &&
                 !prompt_sees_end(prompt, (size_t)prompt->cols);
    return key == CTRL_O || (key == '/' && reads);
}

void prompt_open_find(struct prompt *prompt)
{
    prompt->is_searching = false;
    prompt->n_rested = 0; /* what rests is searched, too */
    find_open(&prompt->find, prompt_last_line_seen(prompt), true);
}

static void show_place(struct prompt *prompt)
{
    prompt_show_place(prompt, prompt->find.place.line, prompt->find.place.col);
}

/* While words are typed only the keys that lead elsewhere do so; later every other key ends the
 * search, but those that scroll. */
static bool keeps_out(struct prompt *prompt, int key, bool typed)
{
    if (key == KEYCODE_PAGE_UP || key == KEYCODE_PAGE_DOWN)
        return false;
    if (!typed)
        find_close(&prompt->find);
    return typed && key != KEYCODE_F1 && key != KEYCODE_BACK_TAB;
}

bool prompt_find_key(struct prompt *prompt, int key)
{
    bool typed = find_types(&prompt->find);
    enum find_reply reply = find_key(&prompt->find, key);
    if (reply == FIND_IGNORES)
        return keeps_out(prompt, key, typed);
    if (reply != FIND_KEEPS && find_look_around(&prompt->find, &prompt->transcript, reply))
        show_place(prompt);
    return true;
}

bool prompt_clear_find(void *state)
{
    struct prompt *prompt = state;
    bool had_words = find_clear(&prompt->find);
    if (had_words)
        (void)find_look_around(&prompt->find, &prompt->transcript, FIND_BEGINS);
    return had_words;
}

void prompt_find_again(struct prompt *prompt)
{
    if (find_look_again(&prompt->find, &prompt->transcript))
        show_place(prompt);
}
