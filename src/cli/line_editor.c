/* See line_editor.h. */
#include "cli/line_editor.h"

#include <stdio.h> /* readline.h needs it first */

#include <readline/readline.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "cli/cli.h"
#include "shell/completion.h"

/* ---- completion ---- */

/* readline calls back without an argument: this is what its callbacks look at. */
static struct tutor *completing;

/* readline asks for one after the other. */
static char *next_completion(const char *word, int again)
{
    static struct completions found;
    static size_t at;
    (void)word;
    if (again == 0) {
        at = 0;
        completions_find(completing, false, rl_line_buffer, (size_t)rl_point, &found);
    }
    if (at >= found.words.size) {
        completions_release(&found);
        return NULL;
    }
    const char *next = found.words.bytes + at;
    at += strlen(next) + 1;
    return strdup(next);
}

static char *word_breaks(void)
{
    static char in_files[] = " \t\n\"'"; /* readline's type wants it writable */
    return completion_names_file(rl_line_buffer) ? in_files : NULL;
}

static char **completions(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = 1;
    char **matches = rl_completion_matches(word, next_completion);
    rl_filename_completion_desired =
        completion_names_file(rl_line_buffer); /* shows last parts only */
    return matches;
}

/* ---- undoing, and the history ----
 *
 * readline hangs one and the same list of what can be undone on the line in
 * hand, on the line that it sets aside while the history is looked through, and on entries of the
 * history; whoever comes first frees it, and the next one writes into what was freed. Some keys
 * of undoing, moving and searching, in vi's mode and in Emacs', end in a crash. So each command
 * that moves about the history begins without such a list, and none comes to be shared: undoing
 * goes back to where the line was brought from the history, and no further. */

#if RL_READLINE_VERSION >= 0x0802
#define NEWER_HISTORY_COMMANDS(DO) DO(rl_fetch_history)
#else
#define NEWER_HISTORY_COMMANDS(DO)
#endif
#define HISTORY_COMMANDS(DO)              \
    DO(rl_get_previous_history)           \
    DO(rl_get_next_history)               \
    DO(rl_beginning_of_history)           \
    DO(rl_end_of_history)                 \
    DO(rl_reverse_search_history)         \
    DO(rl_forward_search_history)         \
    DO(rl_noninc_forward_search)          \
    DO(rl_noninc_reverse_search)          \
    DO(rl_noninc_forward_search_again)    \
    DO(rl_noninc_reverse_search_again)    \
    DO(rl_history_search_forward)         \
    DO(rl_history_search_backward)        \
    DO(rl_history_substr_search_forward)  \
    DO(rl_history_substr_search_backward) \
    DO(rl_vi_search)                      \
    DO(rl_vi_search_again)                \
    DO(rl_vi_fetch_history)               \
    NEWER_HISTORY_COMMANDS(DO)

static void begin_move(void);
static int read_settings_again(int count, int key);
static int take_paste(int count, int key);

#define DEFINE_MOVE(command)                         \
    static int move_by_##command(int count, int key) \
    {                                                \
        begin_move();                                \
        return command(count, key);                  \
    }
HISTORY_COMMANDS(DEFINE_MOVE)

/* What stands in for which of readline's commands. */
#define ENTER_MOVE(command) {command, move_by_##command},
static const struct {
    rl_command_func_t *command, *stand_in;
} stand_ins[] = {HISTORY_COMMANDS(ENTER_MOVE){rl_re_read_init_file, read_settings_again},
                 {rl_bracketed_paste_begin, take_paste}};

/* A search that goes on knows itself by the command before. */
static void begin_move(void)
{
    for (size_t i = 0; i < COUNT_OF(stand_ins); i++)
        if (rl_last_func == stand_ins[i].stand_in)
            rl_last_func = stand_ins[i].command;
    rl_free_undo_list();
}

static void replace_command(KEYMAP_ENTRY *entry)
{
    for (size_t i = 0; i < COUNT_OF(stand_ins); i++)
        if (entry->function == stand_ins[i].command)
            entry->function = stand_ins[i].stand_in;
}

/* The keys that may follow this one, which readline keeps where a command would be. */
static Keymap keys_after(const KEYMAP_ENTRY *entry)
{
    Keymap keys = NULL;
    _Static_assert(sizeof keys == sizeof entry->function, "a table as a function's address");
    memcpy(&keys, &entry->function, sizeof keys);
    return keys;
}

/* In a table of keys and those that lead on from it. */
static void replace_commands(Keymap keys)
{
    for (int key = 0; keys != NULL && key < KEYMAP_SIZE; key++)
        if (keys[key].type == ISFUNC)
            replace_command(&keys[key]);
        else if (keys[key].type == ISKMAP)
            replace_commands(keys_after(&keys[key]));
}

/* Done before each line, since ~/.inputrc is read at some time before the first. */
static int begin_line(void)
{
    replace_commands(emacs_standard_keymap);
    replace_commands(vi_insertion_keymap);
    replace_commands(vi_movement_keymap);
    return 0;
}

static int read_settings_again(int count, int key)
{
    int code = rl_re_read_init_file(count, key);
    begin_line();
    return code;
}

/* ---- pastes ---- */

/* Reads what is pasted, up to the mark at its end. Ends of rows become newlines and tabs blanks;
 * other control characters are left out. */
static void read_paste(struct text *pasted)
{
    static const char end[] = "\x1b[201~";
    size_t n_end = 0; /* bytes of the mark that came last */
    char before = '\0';
    for (int key; n_end + 1 < sizeof end && !pasted->failed && (key = rl_read_key()) > 0;) {
        char c = (char)key;
        n_end = c == end[n_end] ? n_end + 1 : c == end[0] ? 1 : 0;
        if (c == '\r' || (c == '\n' && before != '\r'))
            text_char(pasted, '\n');
        else if (c == '\t')
            text_char(pasted, ' ');
        else if ((unsigned char)c >= ' ' && c != 127)
            text_char(pasted, c);
        before = c;
        if (interrupt_flag)
            break;
    }
    if (n_end + 1 == sizeof end) /* the mark's own letters, without the Escape before them */
        text_shrink(pasted, pasted->size - (sizeof end - 2));
}

/* A pasted block goes into the line as it is. Where its last row is whole, it runs. */
static int take_paste(int count, int key)
{
    struct text pasted = {0};
    (void)count;
    (void)key;
    read_paste(&pasted);
    bool is_whole = pasted.size > 0 && pasted.bytes[pasted.size - 1] == '\n';
    while (pasted.size > 0 && pasted.bytes[pasted.size - 1] == '\n')
        text_shrink(&pasted, pasted.size - 1);
    if (pasted.failed)
        rl_ding();
    else
        rl_insert_text(text_string(&pasted));
    text_release(&pasted);
    return is_whole ? rl_newline(1, '\n') : 0;
}

void line_editor_open(struct tutor *tutor)
{
    completing = tutor;
    rl_readline_name = "attn";
    rl_startup_hook = begin_line;
    rl_attempted_completion_function = completions;
    rl_completion_word_break_hook = word_breaks;
    rl_completer_word_break_characters = " \t\n\"'+-*/@=<>&|~()[],:;.%";
}
