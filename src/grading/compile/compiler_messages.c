/* Compilers' messages, cleaned and trimmed: see compiler_messages.h.
 *
 * gcc, clang and tcc print a list of messages. Each begins with a line "FILE:LINE:COLUMN: error:
 * TEXT"; the lines after it, up to the next such line, quote the source. Lines that say how a
 * header was included come before the message. */
#include "compile/compiler_messages.h"

#include <string.h>
#include <ctype.h>
#include <stdio.h>

#include "base/array.h"
#include "files/asset.h"
#include "files/yaml.h"
#include "compile/harness_internal.h"

/* ---- compiler hints ---- */

enum {
    MAX_PARTS = 2,     /* %1 and %2 */
    LONGEST_PART = 60, /* bytes of a name that are repeated */
};

/* ---- reading the file ---- */

/* Counts the pairs that were read so far, into those of headers or of names. */
struct pairs {
    struct compiler_hint_pair *items;
    size_t n;
};

static bool read_pair(struct yaml *yaml, yaml_value key, yaml_value value, void *context)
{
    struct pairs *pairs = context;
    struct compiler_hint_pair *pair = &pairs->items[pairs->n++];
    return yaml_read_text(yaml, key, &pair->key) && yaml_read_text(yaml, value, &pair->text);
}

static bool read_pairs(struct yaml *yaml, yaml_value map, void *ret)
{
    struct pairs *pairs = ret;
    pairs->items = arena_take(yaml->arena, (yaml_count(map) + 1) * sizeof *pairs->items);
    return pairs->items != NULL ? yaml_read_pairs(yaml, map, read_pair, pairs)
                                : error_memory(yaml->reterr, yaml->path);
}

struct hint_list {
    void *items;
    unsigned n;
};

static bool read_patterns(struct yaml *yaml, yaml_value list, void *ret)
{
    struct hint_list *patterns = ret;
    return yaml_read_list(yaml, list, yaml_read_text, sizeof(char *), &patterns->items,
                          &patterns->n);
}

static unsigned count_parts(const char *pattern)
{
    unsigned n = 0;
    for (; *pattern != '\0'; pattern++)
        n += *pattern == '%';
    return n;
}

/* Whether a sentence names only parts that each pattern keeps. sentence may be NULL. */
static bool check_sentence(struct yaml *yaml, const struct compiler_hint *hint,
                           const char *sentence)
{
    for (const char *at = sentence; at != NULL && (at = strchr(at, '%')) != NULL; at += 2) {
        if (at[1] == 'f' || at[1] == 'p')
            continue;
        if (at[1] != '1' && at[1] != '2')
            return yaml_fault(yaml, hint->row, "after %% stands 1, 2, f or p");
        for (unsigned i = 0; i < hint->n_when; i++)
            if (count_parts(hint->when[i]) < (unsigned)(at[1] - '0'))
                return yaml_fault(yaml, hint->row, "%%%c is said, and \"%s\" has no such %%", at[1],
                                  hint->when[i]);
    }
    return true;
}

static bool read_hint(struct yaml *yaml, yaml_value value, void *ret)
{
    struct compiler_hint *hint = ret;
    struct hint_list when = {NULL, 0}, line_has = {NULL, 0};
    const struct yaml_field fields[] = {
        {"when", read_patterns, &when, true},
        {"line_has", read_patterns, &line_has, false},
        {"say", yaml_read_text, &hint->say, true},
        {"is_name", yaml_read_flag, &hint->is_name, false},
        {"is_call", yaml_read_flag, &hint->is_call, false},
        {"counter", yaml_read_text, &hint->counter, false},
        {"function", yaml_read_text, &hint->function, false},
    };
    hint->row = yaml_line(value);
    if (!yaml_read_fields(yaml, value, "a hint", fields, COUNT_OF(fields)))
        return false;
    hint->when = when.items;
    hint->n_when = when.n;
    hint->line_has = line_has.items;
    hint->n_line_has = line_has.n;
    for (unsigned i = 0; i < hint->n_when; i++) {
        unsigned n = count_parts(hint->when[i]);
        if (n > MAX_PARTS)
            return yaml_fault(yaml, hint->row, "\"%s\" has more than %d %%", hint->when[i],
                              MAX_PARTS);
        if (n == 0 &&
            (hint->is_name || hint->is_call || hint->counter != NULL || hint->function != NULL))
            return yaml_fault(yaml, hint->row, "\"%s\" has no %% for the name", hint->when[i]);
    }
    return check_sentence(yaml, hint, hint->say) && check_sentence(yaml, hint, hint->counter) &&
           check_sentence(yaml, hint, hint->function);
}

static bool read_hints(struct yaml *yaml, yaml_value list, void *ret)
{
    struct hint_list *hints = ret;
    return yaml_read_list(yaml, list, read_hint, sizeof(struct compiler_hint), &hints->items,
                          &hints->n);
}

bool compiler_hints_read(const char *path, const char *text, size_t size,
                         struct compiler_hints *ret, struct error *reterr)
{
    struct compiler_hints read = {.n_hints = 0};
    struct pairs headers = {NULL, 0}, names = {NULL, 0}, functions = {NULL, 0};
    struct hint_list hints = {NULL, 0};
    const struct yaml_field fields[] = {
        {"headers", read_pairs, &headers, true},
        {"names", read_pairs, &names, true},
        {"functions", read_pairs, &functions, false},
        {"hints", read_hints, &hints, true},
    };
    struct yaml yaml;
    yaml_value root;
    if (!yaml_open(&yaml, path, text, size, &read.arena, &root, reterr)) {
        compiler_hints_release(&read);
        return false;
    }
    bool ok = yaml_read_fields(&yaml, root, "the hints", fields, COUNT_OF(fields));
    yaml_close(&yaml);
    if (!ok) {
        compiler_hints_release(&read);
        return false;
    }
    read.headers = headers.items;
    read.n_headers = headers.n;
    read.names = names.items;
    read.n_names = names.n;
    read.functions = functions.items;
    read.n_functions = functions.n;
    read.hints = hints.items;
    read.n_hints = hints.n;
    *ret = read;
    return true;
}

bool compiler_hints_open(const char *data_dir, struct compiler_hints *ret, struct error *reterr)
{
    struct asset file;
    bool ok = asset_read(&file, data_dir, "compiler-hints.yaml", reterr) &&
              compiler_hints_read(file.path, text_string(&file.text), file.text.size, ret, reterr);
    asset_release(&file);
    return ok;
}

void compiler_hints_release(struct compiler_hints *hints)
{
    arena_release(&hints->arena);
    *hints = (struct compiler_hints){.n_hints = 0};
}

/* ---- matching ---- */

struct part {
    const char *begin;
    size_t size;
};

static bool part_is(struct part part, const char *word)
{
    return strlen(word) == part.size && memcmp(word, part.begin, part.size) == 0;
}

/* Does text begin with the pattern up to its next wildcard? Returns the places where both go on. */
static bool literal_matches(const char **pattern, const char **text)
{
    while (**pattern != '\0' && **pattern != '%' && **pattern != '~') {
        if (**pattern != **text)
            return false;
        (*pattern)++;
        (*text)++;
    }
    return true;
}

/* Moves *text to the first place that goes on like the pattern. */
static bool find_literal(const char **pattern, const char **text)
{
    for (const char *at = *text;; at++) {
        const char *p = *pattern, *t = at;
        if (literal_matches(&p, &t) && (*p != '\0' || *t == '\0')) {
            *text = at;
            return true;
        }
        if (*at == '\0')
            return false;
    }
}

/* A wildcard matches as little as the rest of the pattern allows, which suffices here. */
static bool matches(const char *pattern, const char *text, struct part parts[MAX_PARTS])
{
    size_t n = 0;
    while (literal_matches(&pattern, &text)) {
        if (*pattern == '\0')
            return *text == '\0';
        bool kept = *pattern++ == '%';
        const char *begin = text;
        if (*pattern == '\0')
            text += strlen(text);
        else if (!find_literal(&pattern, &text))
            return false;
        if (kept && n < MAX_PARTS)
            parts[n++] = (struct part){begin, (size_t)(text - begin)};
    }
    return false;
}

/* Is it a hint for this line? */
static bool is_for_line(const struct compiler_hint *hint, const char *line)
{
    struct part parts[MAX_PARTS];
    for (unsigned i = 0; i < hint->n_line_has; i++)
        if (matches(hint->line_has[i], line, parts))
            return true;
    return hint->n_line_has == 0;
}

/* The first hint with a pattern for the message; NULL: none. */
static const struct compiler_hint *find_hint(const struct compiler_hints *hints,
                                             const char *message, const char *line,
                                             struct part parts[MAX_PARTS])
{
    for (unsigned i = 0; i < hints->n_hints; i++)
        for (unsigned k = 0; k < hints->hints[i].n_when; k++) {
            parts[0] = parts[1] = (struct part){"", 0};
            if (matches(hints->hints[i].when[k], message, parts) &&
                is_for_line(&hints->hints[i], line))
                return &hints->hints[i];
        }
    return NULL;
}

/* ---- saying ---- */

static bool has_word(const char *words, struct part word)
{
    for (size_t size; *words != '\0'; words += size + (words[size] == ' ')) {
        size = strcspn(words, " ");
        if (size == word.size && memcmp(words, word.begin, size) == 0)
            return true;
    }
    return false;
}

static bool explain_word(const struct compiler_hint_pair *words, size_t n, struct part word,
                         struct text *text)
{
    for (size_t i = 0; i < n; i++)
        if (part_is(word, words[i].key)) {
            text_put(text, words[i].text);
            return true;
        }
    return false;
}

/* Explains a name of the C library, or a word of another language: what is a variable's name by
 * right may be that of a function elsewhere. */
static bool explain_name(const struct compiler_hints *hints, struct part name, bool is_call,
                         struct text *text)
{
    for (size_t i = 0; i < hints->n_headers; i++) {
        if (has_word(hints->headers[i].text, name)) {
            text_format(text, "%.*s needs #include <%s> at the top of the file.", (int)name.size,
                        name.begin, hints->headers[i].key);
            return true;
        }
    }
    return (is_call && explain_word(hints->functions, hints->n_functions, name, text)) ||
           explain_word(hints->names, hints->n_names, name, text);
}

static void say(const char *sentence, const struct compiler_hint_context *context,
                const struct part *parts, struct text *text)
{
    for (const char *at = sentence; *at != '\0'; at++) {
        if (*at != '%') {
            text_char(text, *at);
            continue;
        }
        at++;
        if (*at == 'f') {
            text_put(text, context->function);
        } else if (*at == 'p') {
            text_put(text, context->prototype);
        } else {
            struct part part = parts[*at - '1'];
            bool fits = part.size <= LONGEST_PART;
            text_add(text, part.begin, fits ? part.size : LONGEST_PART);
            text_put(text, fits ? "" : "...");
        }
    }
}

bool compiler_hints_explain(const struct compiler_hints *hints, const char *message,
                            const struct compiler_hint_context *context, struct text *text)
{
    struct part parts[MAX_PARTS];
    const struct compiler_hint *hint = find_hint(hints, message, context->line, parts);
    if (hint == NULL)
        return false;
    if ((hint->is_name || hint->is_call) && explain_name(hints, parts[0], hint->is_call, text))
        return true;
    bool is_counter = parts[0].size == 1 && strchr("ijklrcdhnpqt", *parts[0].begin) != NULL;
    if (hint->function != NULL && part_is(parts[0], context->function))
        say(hint->function, context, parts, text);
    else if (hint->counter != NULL && is_counter)
        say(hint->counter, context, parts, text);
    else
        say(hint->say, context, parts, text);
    return true;
}

/* ---- compiler messages ---- */

enum {
    TAB_COLS = 8,
    LONGEST_LINE = 400, /* bytes of one line that are kept */
    MAX_QUOTED = 4,     /* lines that quote the source, after one message */
    LONGEST_NAME = 48,  /* of a symbol that the linker names */
};

enum severity { SEVERITY_NONE, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

/* A piece of the output; mostly a line, without its newline. */
struct piece {
    const char *begin;
    size_t size;
};

/* The first line of a message, taken apart. */
struct message {
    enum severity severity; /* NONE: the line is not a message */
    struct piece file;      /* as the compiler calls it */
    struct piece place;     /* ":3:17" after the file's name; may be empty */
    unsigned line;          /* 0: not stated */
    struct piece word;      /* "error", "fatal error", ... */
    struct piece text;
};

struct reading {
    const struct compiler_messages_plan *plan;
    struct text *messages, *plain;
    char prototype[1024]; /* on one line */
    size_t limit;         /* of messages->size */
    unsigned n_errors, n_warnings, n_left_out;
    unsigned included_from; /* the learner's line that includes the header; 0: no header */
    struct piece ahead;     /* the lines after the one being read */
    bool keeps;             /* the message under way is kept, and so are the lines after it */
    unsigned n_quoted;
};

/* ---- text that a terminal can be trusted with ---- */

void compiler_messages_clean(const char *bytes, size_t size, struct text *text)
{
    size_t cols = 0;
    for (size_t i = 0; i < size;) {
        struct text_character character = text_character(bytes + i, size - i);
        if (bytes[i] == '\t') {
            size_t gap = TAB_COLS - cols % TAB_COLS;
            text_repeat(text, " ", gap);
            cols += gap;
        } else if (character.printable) {
            text_add(text, bytes + i, character.size);
            cols += character.cols;
        } else {
            for (size_t j = i; j < i + character.size; j++)
                text_format(text, "\\x%02X", (unsigned char)bytes[j]);
            cols += 4 * character.size;
        }
        i += character.size;
    }
}

static void add_line(struct reading *reading, struct piece line)
{
    bool fits = line.size <= LONGEST_LINE;
    compiler_messages_clean(line.begin, fits ? line.size : LONGEST_LINE, reading->messages);
    text_put(reading->messages, fits ? "\n" : "...\n");
}

static void add_file_name(struct reading *reading)
{
    const char *name = reading->plan->file_name;
    compiler_messages_clean(name, strlen(name), reading->messages);
}

/* ---- taking lines apart ---- */

/* The next line of *rest; false at the end. */
static bool next_line(struct piece *rest, struct piece *ret)
{
    if (rest->size == 0)
        return false;
    const char *newline = memchr(rest->begin, '\n', rest->size);
    size_t size = newline == NULL ? rest->size : (size_t)(newline - rest->begin);
    *ret = (struct piece){rest->begin, size};
    size_t step = size + (newline != NULL);
    rest->begin += step;
    rest->size -= step;
    if (size > 0 && ret->begin[size - 1] == '\r')
        ret->size--;
    return true;
}

static bool starts_with(struct piece piece, const char *start)
{
    size_t size = strlen(start);
    return piece.size >= size && memcmp(piece.begin, start, size) == 0;
}

/* Where `wanted` begins in the piece; its size when it is not there. */
static size_t find(struct piece piece, const char *wanted)
{
    size_t size = strlen(wanted);
    for (size_t i = 0; i + size <= piece.size; i++)
        if (piece.begin[i] == *wanted && memcmp(piece.begin + i, wanted, size) == 0)
            return i;
    return piece.size;
}

static bool contains(struct piece piece, const char *wanted)
{
    return find(piece, wanted) < piece.size;
}

/* piece[from, to) */
static struct piece slice(struct piece piece, size_t from, size_t to)
{
    return (struct piece){piece.begin + from, to - from};
}

/* The number that the piece begins with, or 0. */
static unsigned number_of(struct piece piece)
{
    unsigned number = 0;
    for (size_t i = 0; i < piece.size && isdigit((unsigned char)piece.begin[i]); i++)
        number = 10 * number + (unsigned)(piece.begin[i] - '0');
    return number;
}

/* The size of ":3:17" at the end of a name such as FILE:3:17, and the line in it. */
static size_t place_at_end(struct piece name, unsigned *ret_line)
{
    size_t begin = name.size;
    *ret_line = 0;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t at = begin;
        while (at > 0 && isdigit((unsigned char)name.begin[at - 1]))
            at--;
        if (at == begin || at == 0 || name.begin[at - 1] != ':')
            break;
        *ret_line = number_of(slice(name, at, begin));
        begin = at - 1;
    }
    return name.size - begin;
}

static const struct word {
    const char *text; /* between ": " and ": " */
    enum severity severity;
} words[] = {
    {": error: ", SEVERITY_ERROR},
    {": warning: ", SEVERITY_WARNING},
    {": note: ", SEVERITY_NOTE},
    {": fatal error: ", SEVERITY_ERROR},
    {": Error: ", SEVERITY_ERROR}, /* the assembler */
    {": Fatal error: ", SEVERITY_ERROR},
    {": Warning: ", SEVERITY_WARNING},
    {": sorry, unimplemented: ", SEVERITY_ERROR},
    {": internal compiler error: ", SEVERITY_ERROR},
};

static struct message message_of(struct piece line)
{
    struct message message = {.severity = SEVERITY_NONE};
    size_t first = line.size;
    const struct word *word = NULL;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        size_t at = find(line, words[i].text);
        if (at < first) {
            first = at;
            word = &words[i];
        }
    }
    struct piece name = slice(line, 0, word == NULL ? 0 : first);
    /* The name of a file has no spaces here, except for <command-line> and similar names, and for
     * the assembler's input from a pipe. */
    bool is_named = name.size > 0 && name.begin[0] != '<' && !starts_with(name, "{standard input}");
    if (name.size == 0 || (is_named && contains(name, " ")))
        return message;
    size_t place = place_at_end(name, &message.line);
    size_t text = first + strlen(word->text);
    message.severity = word->severity;
    message.file = slice(name, 0, name.size - place);
    message.place = slice(name, name.size - place, name.size);
    message.word = slice(line, first + 2, text - 2);
    message.text = slice(line, text, line.size);
    return message;
}

static bool is_learners_file(struct piece file)
{
    size_t size = strlen(SUBMISSION_FILE);
    return file.size >= size && memcmp(file.begin + file.size - size, SUBMISSION_FILE, size) == 0 &&
           (file.size == size || file.begin[file.size - size - 1] == '/');
}

/* ---- which messages are kept ---- */

/* Notes that help; most others only repeat, or speak of places that are not the learner's. */
static bool is_helpful(struct piece note)
{
    static const char *const helpful[] = {"to match this", "did you mean", "declared here",
                                          "previous "};
    for (size_t i = 0; i < COUNT_OF(helpful); i++)
        if (contains(note, helpful[i]))
            return true;
    return false;
}

/* Clang's warning of quotation marks that do not end, which tells more than the errors after it. */
static const char open_quotes[] = "[-Winvalid-pp-token]";

static bool is_wanted(struct reading *reading, const struct message *message)
{
    switch (message->severity) {
    case SEVERITY_NOTE:
        return reading->keeps && is_learners_file(message->file) && is_helpful(message->text);
    case SEVERITY_WARNING:
        return is_learners_file(message->file) &&
               (!reading->plan->failed || contains(message->text, open_quotes));
    case SEVERITY_ERROR:
        return true;
    case SEVERITY_NONE:
        break;
    }
    return false;
}

/* Counts it; false when there are enough of its kind. */
static bool has_room(struct reading *reading, enum severity severity)
{
    unsigned most = reading->plan->limits->max_errors;
    if (reading->messages->size >= reading->limit)
        return false;
    if (severity == SEVERITY_ERROR)
        return reading->n_errors++ < most;
    return severity == SEVERITY_NOTE || reading->n_warnings++ < most;
}

/* ---- telling ---- */

/* The line of the source that compilers quote after a message, or "". */
static void copy_quoted(const struct reading *reading, char ret[LONGEST_LINE])
{
    struct piece rest = reading->ahead, line = {"", 0};
    if (!next_line(&rest, &line) || message_of(line).severity != SEVERITY_NONE)
        line.size = 0;
    snprintf(ret, LONGEST_LINE, "%.*s", (int)line.size, line.begin);
}

/* "Line 3: " and a sentence, for the first message that there is one for. */
static void explain(struct reading *reading, const struct message *message)
{
    struct text text = {.bytes = NULL};
    char quoted[LONGEST_LINE];
    struct compiler_hint_context context = {reading->plan->prototype->function, reading->prototype,
                                            quoted};
    size_t begin = reading->plain->size;
    if (begin > 0 || message->severity == SEVERITY_NOTE || reading->plan->hints == NULL)
        return;
    unsigned line = is_learners_file(message->file) ? message->line : reading->included_from;
    if (line > 0)
        text_format(reading->plain, "Line %u: ", line);
    compiler_messages_clean(message->text.begin, message->text.size, &text);
    copy_quoted(reading, quoted);
    if (text.failed ||
        !compiler_hints_explain(reading->plan->hints, text_string(&text), &context, reading->plain))
        text_shrink(reading->plain, begin);
    text_release(&text);
}

/* In a header that the learner includes; only its last name is shown. */
static void tell_header(struct reading *reading, struct piece file)
{
    size_t name = file.size;
    while (name > 0 && file.begin[name - 1] != '/')
        name--;
    add_file_name(reading);
    text_format(reading->messages, ":%u: in ", reading->included_from);
    compiler_messages_clean(file.begin + name, file.size - name, reading->messages);
    text_put(reading->messages, ", included here");
}

static void tell_first_line(struct reading *reading, const struct message *message)
{
    if (is_learners_file(message->file)) {
        add_file_name(reading);
        compiler_messages_clean(message->place.begin, message->place.size, reading->messages);
    } else if (reading->included_from > 0) {
        tell_header(reading, message->file);
    } else {
        text_put(reading->messages, "compiler");
    }
    text_put(reading->messages, ": ");
    compiler_messages_clean(message->word.begin, message->word.size, reading->messages);
    text_put(reading->messages, ": ");
    add_line(reading, message->text);
}

static void take_message(struct reading *reading, const struct message *message)
{
    bool wanted = is_wanted(reading, message);
    bool keeps = wanted && has_room(reading, message->severity);
    if (keeps) {
        tell_first_line(reading, message);
        explain(reading, message);
    }
    reading->n_left_out += wanted && !keeps && message->severity != SEVERITY_NOTE;
    /* The lines that a dropped note quotes are dropped with it, but the notes after it may stay. */
    if (message->severity != SEVERITY_NOTE)
        reading->keeps = keeps;
    bool quotes = keeps && is_learners_file(message->file);
    reading->n_quoted = quotes ? 0 : MAX_QUOTED;
    if (message->severity != SEVERITY_NOTE)
        reading->included_from = 0;
}

/* Lines around messages: how a header was come by, in which function it is, how many there were. */
static bool take_surroundings(struct reading *reading, struct piece line)
{
    size_t at = find(line, SUBMISSION_FILE ":");
    if (starts_with(line, "In file included from ") ||
        starts_with(line, "                 from ")) {
        if (at < line.size)
            reading->included_from =
                number_of(slice(line, at + strlen(SUBMISSION_FILE ":"), line.size));
        return true;
    }
    return contains(line, ": In function ") || contains(line, ": At top level:") ||
           contains(line, ": Assembler messages:") || contains(line, " generated.") ||
           starts_with(line, "compilation terminated") || starts_with(line, "cc1: ");
}

static void take_line(struct reading *reading, struct piece line)
{
    struct message message = message_of(line);
    if (message.severity != SEVERITY_NONE) {
        take_message(reading, &message);
    } else if (!take_surroundings(reading, line) && reading->n_quoted < MAX_QUOTED &&
               reading->messages->size < reading->limit) {
        reading->n_quoted++; /* the source as it stands, or carets below it */
        add_line(reading, line);
    }
}

/* The prototype as the exercise's header has it. */
static void write_prototype(const struct prototype *prototype, char *line, size_t capacity)
{
    struct text header = {.bytes = NULL};
    prototype_header(prototype, &header);
    struct piece rest = {text_string(&header), header.size}, next;
    line[0] = '\0';
    while (next_line(&rest, &next))
        if (next.size > 0 && *next.begin != '#')
            snprintf(line, capacity, "%.*s", (int)next.size, next.begin);
    text_release(&header);
}

static struct reading begin_reading(const struct compiler_messages_plan *plan,
                                    struct text *messages, struct text *plain)
{
    struct reading reading = {.plan = plan, .messages = messages, .plain = plain};
    reading.limit = messages->size + plan->limits->text_kept_bytes;
    reading.n_quoted = MAX_QUOTED; /* lines before the first message are not quotations */
    write_prototype(plan->prototype, reading.prototype, sizeof reading.prototype);
    return reading;
}

void compiler_messages_read(const struct compiler_messages_plan *plan, const char *printed,
                            size_t size, struct text *messages, struct text *plain)
{
    struct reading reading = begin_reading(plan, messages, plain);
    struct piece line;
    reading.ahead = (struct piece){printed, size};
    while (next_line(&reading.ahead, &line))
        take_line(&reading, line);
    if (reading.n_left_out > 0)
        text_format(messages, "(and %u more)\n", reading.n_left_out);
}

/* ---- linkers ---- */

/* A linker's words before a symbol's name. */
static const struct complaint {
    const char *words;
    bool missing; /* else defined twice */
} complaints[] = {
    {"undefined reference to ", true},  {"undefined symbol: ", true},
    {"multiple definition of ", false}, {"duplicate symbol: ", false},
    {"duplicate symbol ", false},
};

static bool is_symbol_sign(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static void explain_symbol(const struct reading *reading, const char *symbol, bool missing)
{
    const char *function = reading->plan->prototype->function;
    if (missing && strcmp(symbol, function) == 0)
        text_format(reading->plain,
                    "The file has no function %s. Is its name spelt exactly so, and is it neither "
                    "static nor inline?",
                    function);
    else if (missing)
        text_format(reading->plain,
                    "%s is declared and used, but the file does not define it, and the C library "
                    "does not either.",
                    symbol);
    else if (strcmp(symbol, "main") == 0)
        text_format(reading->plain,
                    "The file has a main(). Take it away: attn has one of its own, which calls %s.",
                    function);
    else
        text_format(reading->plain,
                    "%s is the name of something in the C library or in attn. Choose another "
                    "name, or make yours static.",
                    symbol);
}

static bool was_said(const struct reading *reading, size_t begin, size_t end)
{
    const char *bytes = reading->messages->bytes;
    for (size_t at = 0; at + (end - begin) <= begin; at++)
        if ((at == 0 || bytes[at - 1] == '\n') &&
            memcmp(bytes + at, bytes + begin, end - begin) == 0)
            return true;
    return false;
}

/* One line for each symbol, which linkers name once for each place. */
static void tell_symbol(struct reading *reading, const char *complaint, const char *symbol)
{
    size_t begin = reading->messages->size;
    add_file_name(reading);
    text_format(reading->messages, ": %s%s\n", complaint, symbol);
    if (reading->messages->failed)
        return;
    if (was_said(reading, begin, reading->messages->size) || !has_room(reading, SEVERITY_ERROR))
        text_shrink(reading->messages, begin);
}

/* The complaint in a line about a symbol, whose name is written to name; NULL when there is no
 * complaint. */
static const struct complaint *complaint_in(struct piece line, char name[LONGEST_NAME + 1])
{
    for (size_t i = 0; i < COUNT_OF(complaints); i++) {
        size_t at = find(line, complaints[i].words);
        if (at == line.size)
            continue;
        size_t n = 0, begin = at + strlen(complaints[i].words); /* of `name' or 'name' or name */
        if (begin < line.size && !is_symbol_sign(line.begin[begin]))
            begin++;
        while (n < LONGEST_NAME && begin + n < line.size && is_symbol_sign(line.begin[begin + n]))
            n++;
        snprintf(name, LONGEST_NAME + 1, "%.*s", (int)n, line.begin + begin);
        return n > 0 ? &complaints[i] : NULL;
    }
    return NULL;
}

void compiler_messages_read_link(const struct compiler_messages_plan *plan, const char *printed,
                                 size_t size, struct text *messages, struct text *plain,
                                 char *detail, size_t capacity)
{
    struct reading reading = begin_reading(plan, messages, plain);
    struct piece rest = {printed, size}, line;
    detail[0] = '\0';
    while (next_line(&rest, &line)) {
        char name[LONGEST_NAME + 1];
        const struct complaint *complaint = complaint_in(line, name);
        if (complaint == NULL)
            continue;
        if (detail[0] == '\0') {
            bool is_function = strcmp(name, plan->prototype->function) == 0;
            snprintf(detail, capacity, "%s %s",
                     complaint->missing && is_function ? "function" : name,
                     complaint->missing ? "missing" : "defined");
            explain_symbol(&reading, name, complaint->missing);
        }
        tell_symbol(&reading, complaint->words, name);
    }
}
