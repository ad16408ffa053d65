/* See lines.h. */
#include "ui/panes/prompt/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* readline.h needs it first */

#include <readline/history.h>
#include <readline/readline.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "files/folder.h"
#include "lang/commands/complete.h"

enum { HISTORY_LINES = 2000, PATH_BYTES = 4096 };

/* readline calls back without an argument: this is what its callbacks look at. */
static struct tutor *completing;
static const char *(*more)(size_t i);
static char history_path[PATH_BYTES]; /* "" when it is not kept */

/* Completion. */

/* The tutor's words, then the others; NULL behind the last. */
static const char *first_word(size_t i)
{
    size_t n = 0;
    while (n < i && tutor_word(n) != NULL)
        n++;
    if (tutor_word(n) != NULL)
        return tutor_word(n);
    return more != NULL ? more(i - n) : NULL;
}

/* The next of them that begins with what the line holds so far, or NULL. */
static const char *next_first_word(size_t *word)
{
    for (const char *name; (name = first_word(*word)) != NULL;) {
        ++*word;
        if (strncmp(name, rl_line_buffer, (size_t)rl_point) == 0)
            return name;
    }
    return NULL;
}

static char *next_completion(const char *word, int again)
{
    static size_t state, word_at; /* readline asks for one completion after the other */
    size_t start;
    const char *text;
    (void)word;
    if (again == 0)
        state = word_at = 0;
    if (rl_point > 0 && (text = next_first_word(&word_at)) != NULL)
        return strdup(text);
    if (!complete(tutor_session(completing), rl_line_buffer, (size_t)rl_point, &state, &start,
                  &text))
        return NULL;
    return strdup(text);
}

/* The files that `load` and `save` speak of are the only ones that are completed. */
static bool names_file(void)
{
    const char *line = rl_line_buffer + strspn(rl_line_buffer, " ");
    return strncmp(line, "load ", 5) == 0 || strncmp(line, "save ", 5) == 0;
}

static char *word_breaks(void)
{
    static char in_files[] = " \t\n\"'"; /* readline's type wants it writable */
    return names_file() ? in_files : NULL;
}

static char **completions(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = names_file() ? 0 : 1;
    return names_file() ? NULL : rl_completion_matches(word, next_completion);
}

/* The history. */

/* append_history() needs a file, for nobody else to read. */
static int make_history(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

static void open_history(char problem[512])
{
    using_history();
    stifle_history(HISTORY_LINES);
    history_comment_char = '#'; /* with a time before each, entries may have several rows */
    history_write_timestamps = 1;
    problem[0] = '\0';
    if (!folder_state_path("history", history_path, sizeof history_path)) {
        history_path[0] = '\0';
        return;
    }
    int code = folder_make_parents(history_path, true);
    if (code == 0)
        code = make_history(history_path);
    if (code == 0)
        code = read_history(history_path);
    if (code == 0 && history_length == HISTORY_LINES)
        (void)history_truncate_file(history_path, HISTORY_LINES);
    if (code != 0) {
        snprintf(problem, 512, "%.400s: %s; this session's lines will not be kept", history_path,
                 strerror(code));
        history_path[0] = '\0';
    }
}

void lines_remember(const char *line)
{
    char *copy = strdup(line);
    if (copy == NULL)
        return;
    size_t size = strlen(copy);
    while (size > 0 && copy[size - 1] == '\n')
        copy[--size] = '\0';
    bool comment = strchr(copy, '#') != NULL;
    for (size_t i = 0; i < size && !comment; i++)
        if (copy[i] == '\n')
            copy[i] = ' ';
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    /* readline would look for words behind the end of a line that ends so. */
    if (size > 0 && copy[size - 1] == '\\')
        copy[size - 1] = ' ';
    if (size > 0 && (last == NULL || strcmp(last->line, copy) != 0)) {
        add_history(copy);
        if (history_path[0] != '\0')
            append_history(1, history_path);
    }
    free(copy);
}

/* Undoing, and the history.
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
static int play_last_macro(int count, int key);
static int read_settings_again(int count, int key);

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
} stand_ins[] = {HISTORY_COMMANDS(ENTER_MOVE){rl_call_last_kbd_macro, play_last_macro},
                 {rl_re_read_init_file, read_settings_again}};
enum { N_STAND_INS = COUNT_OF(stand_ins) };

/* A search that goes on knows itself by the command before. */
static void begin_move(void)
{
    for (size_t i = 0; i < N_STAND_INS; i++)
        if (rl_last_func == stand_ins[i].stand_in)
            rl_last_func = stand_ins[i].command;
    rl_free_undo_list();
}

static void replace_command(KEYMAP_ENTRY *entry)
{
    for (size_t i = 0; i < N_STAND_INS; i++)
        if (entry->function == stand_ins[i].command)
            entry->function = stand_ins[i].stand_in;
}

/* The keys that may follow this one, which readline keeps where a command would be. */
static Keymap keys_behind(const KEYMAP_ENTRY *entry)
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
            replace_commands(keys_behind(&keys[key]));
}

/* Done before each line, since ~/.inputrc is read at some time before the first. */
static int begin_line(void)
{
    replace_commands(emacs_standard_keymap);
    replace_commands(vi_insertion_keymap);
    replace_commands(vi_movement_keymap);
    return 0;
}

/* Once, whatever the count is: the screen's prompt takes one macro at a time. */
static int play_last_macro(int count, int key)
{
    (void)count;
    return rl_call_last_kbd_macro(1, key);
}

static int read_settings_again(int count, int key)
{
    int code = rl_re_read_init_file(count, key);
    begin_line();
    return code;
}

void lines_open(struct tutor *tutor, const char *(*more_words)(size_t i), char problem[512])
{
    completing = tutor;
    more = more_words;
    rl_readline_name = "attn";
    rl_attempted_completion_function = completions;
    rl_completion_word_break_hook = word_breaks;
    rl_completer_word_break_characters = " \t\n\"'+-*/@=<>&|~()[],:;.%";
    rl_startup_hook = begin_line;
    open_history(problem);
}
