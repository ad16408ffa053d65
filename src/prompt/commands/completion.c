/* See completion.h. */
#include "commands/completion.h"

#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "commands/command.h"
#include "show/labels.h"

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text_is_digit(c) || c == '_' ||
           (unsigned char)c >= 0x80;
}

static size_t word_start(const char *line, size_t at)
{
    while (at > 0 && is_word_byte(line[at - 1]))
        at--;
    return at;
}

static bool starts_with(const char *text, const char *word, size_t size)
{
    return strncmp(text, word, size) == 0;
}

/* Where an open text starts (after its quote), or 0 when no text is open at byte `at`. */
static size_t open_quote(const char *line, size_t at)
{
    char quote = '\0';
    size_t start = 0;
    for (size_t i = 0; i < at; i++)
        if (quote == '\0' && (line[i] == '"' || line[i] == '\'')) {
            quote = line[i];
            start = i + 1;
        } else if (line[i] == quote) {
            quote = '\0';
        }
    return quote != '\0' ? start : 0;
}

/* A bracket that is open before some byte. */
struct open_bracket {
    char sign;         /* '[' or '('; 0: there is none */
    size_t at;         /* where it stands */
    unsigned n_commas; /* after it, outside inner brackets */
};

static struct open_bracket open_bracket_before(const char *line, size_t at)
{
    unsigned n_commas = 0;
    size_t closed = 0; /* brackets that end before the byte */
    char quote = '\0';
    while (at > 0) {
        char c = line[--at];
        bool opens = c == '[' || c == '(';
        if (quote != '\0')
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == ']' || c == ')')
            closed++;
        else if (opens && closed == 0)
            return (struct open_bracket){c, at, n_commas};
        else if (closed > 0)
            closed -= opens;
        else
            n_commas += c == ',';
    }
    return (struct open_bracket){0};
}

/* The tensor in whose index byte `at` lies, X in X["a", "; and which axis it is. */
static const struct node *indexed_tensor(const struct session *session, const char *line, size_t at,
                                         unsigned *ret_axis)
{
    struct open_bracket bracket = open_bracket_before(line, at);
    if (bracket.sign != '[')
        return NULL;
    size_t start = word_start(line, bracket.at);
    const struct value *value = names_get(&session->names, line + start, bracket.at - start);
    *ret_axis = bracket.n_commas;
    return value != NULL && value->kind == VALUE_NODE ? value->as.node : NULL;
}

static bool next_label(const struct session *session, const char *line, size_t start, size_t at,
                       size_t *state, const char **ret_text)
{
    unsigned axis = 0;
    const struct node *x = indexed_tensor(session, line, start - 1, &axis);
    if (x == NULL || axis >= x->value.n_axes)
        return false;
    const struct labels *labels = x->labels[axis];
    while (*state < labels_count(labels)) {
        *ret_text = labels_name(labels, (*state)++);
        if (starts_with(*ret_text, line + start, at - start))
            return true;
    }
    return false;
}

static size_t blanks_start(const char *line, size_t at)
{
    while (at > 0 && line[at - 1] == ' ')
        at--;
    return at;
}

/* True in [x * x |: an item stands before the word. */
static bool follows_item(const char *line, size_t start)
{
    size_t end = blanks_start(line, start);
    return end < start && open_bracket_before(line, start).sign == '[' && end > 0 &&
           (is_word_byte(line[end - 1]) || strchr(")]\"'", line[end - 1]) != NULL);
}

/* True in for x |: a loop's name stands before the word. */
static bool follows_loop_name(const char *line, size_t start)
{
    size_t name_end = blanks_start(line, start), name = word_start(line, name_end);
    size_t end = blanks_start(line, name), word = word_start(line, end);
    return name_end < start && name < name_end && end < name && end - word == 3 &&
           memcmp(line + word, "for", 3) == 0;
}

enum { COMMANDS_FROM = 0, KEYWORDS_FROM = 1 << 9, NAMES_FROM = 1 << 10, FUNCTIONS_FROM = 1 << 24 };

/* Words that belong inside a formula or a command. */
static bool next_keyword(const char *line, size_t start, size_t size, size_t *state,
                         const char **ret_text)
{
    static const struct {
        const char *word;
        bool (*fits)(const char *line, size_t start);
    } keywords[] = {{"for", follows_item}, {"in", follows_loop_name}};
    while (*state - KEYWORDS_FROM < COUNT_OF(keywords)) {
        size_t i = (*state)++ - KEYWORDS_FROM;
        *ret_text = keywords[i].word;
        if (starts_with(*ret_text, line + start, size) && keywords[i].fits(line, start))
            return true;
    }
    return false;
}

static bool next_command(const char *word, size_t size, size_t *state, const char **ret_text)
{
    size_t n;
    const struct command *commands = command_table(&n);
    while (*state < n) {
        *ret_text = commands[(*state)++].name;
        if (starts_with(*ret_text, word, size))
            return true;
    }
    return false;
}

/* The checks that verify knows, after its name. */
static bool next_check(const char *word, size_t size, size_t *state, const char **ret_text)
{
    while ((*ret_text = command_verify_kind(*state)) != NULL) {
        ++*state;
        if (starts_with(*ret_text, word, size))
            return true;
    }
    return false;
}

static bool next_name(const struct session *session, const char *word, size_t size, size_t *state,
                      const char **ret_text)
{
    while (*state - NAMES_FROM < session->names.n_variables) {
        const struct variable *variable = &session->names.variables[(*state)++ - NAMES_FROM];
        *ret_text = variable->name;
        if (variable->value.kind != VALUE_ABSENT && starts_with(*ret_text, word, size))
            return true;
    }
    return false;
}

/* without: those that are commands too, which have had their turn. */
static bool next_function(const char *word, size_t size, bool without, size_t *state,
                          const char **ret_text)
{
    const struct builtin *builtin;
    while ((builtin = builtin_at(*state - FUNCTIONS_FROM)) != NULL) {
        ++*state;
        *ret_text = builtin->name;
        bool had = without && command_find(builtin->name, strlen(builtin->name)) != NULL;
        if (!had && starts_with(*ret_text, word, size))
            return true;
    }
    return false;
}

/* True when nothing but blanks stands before byte start in its statement. Outside brackets, a colon
 * is a loop's. */
static bool starts_statement(const char *line, size_t start)
{
    start = blanks_start(line, start);
    return start == 0 || line[start - 1] == ';' || line[start - 1] == '\n' ||
           (line[start - 1] == ':' && open_bracket_before(line, start).sign == '\0');
}

/* True when verify, and nothing else, stands before byte start in its statement. */
static bool follows_verify(const char *line, size_t start)
{
    size_t end = blanks_start(line, start), begin = word_start(line, end);
    return end < start && end - begin == 6 && memcmp(line + begin, "verify", 6) == 0 &&
           starts_statement(line, begin);
}

bool completion_next(const struct session *session, const char *line, size_t at, size_t *state,
                     size_t *ret_start, const char **ret_text)
{
    size_t quoted = open_quote(line, at);
    if (quoted > 0) {
        *ret_start = quoted;
        return next_label(session, line, quoted, at, state, ret_text);
    }
    size_t start = word_start(line, at), size = at - start;
    const char *word = line + start;
    bool help = start >= 5 && strncmp(line, "help ", 5) == 0;
    bool commands = help || starts_statement(line, start);
    *ret_start = start;
    if (follows_verify(line, start))
        return next_check(word, size, state, ret_text);
    if (*state < KEYWORDS_FROM) {
        if (commands && next_command(word, size, state, ret_text))
            return true;
        *state = help ? FUNCTIONS_FROM : KEYWORDS_FROM;
    }
    if (*state < NAMES_FROM) {
        if (next_keyword(line, start, size, state, ret_text))
            return true;
        *state = NAMES_FROM;
    }
    if (*state < FUNCTIONS_FROM) {
        if (next_name(session, word, size, state, ret_text))
            return true;
        *state = FUNCTIONS_FROM;
    }
    return next_function(word, size, commands, state, ret_text);
}
