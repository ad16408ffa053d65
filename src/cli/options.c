/* Tables of options, read and explained: see options.h. */
#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "base/text.h"
#include "cli/cli.h"
#include "report/report.h"

enum {
    HELP_COLUMN = 23, /* of what options do, at most */
    LINE_BYTES = 100, /* for the left half of a line of --help */
    NAME_BYTES = 40,
};

_Noreturn void usage_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("attn: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_USAGE);
}

/* ---- what every command takes ---- */

static void take_colour(const char *command, const struct option *option, const char *value,
                        void *field)
{
    static const char *const words[] = {
        [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    enum colour_choice *colour = field;
    (void)command;
    (void)option;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(value, words[i]) == 0) {
            *colour = (enum colour_choice)i;
            return;
        }
    usage_error("--color: %s: it takes auto, always or never", value);
}

const struct option common_options_table[] = {
    {OPTION_OWN, "--color", "WHEN", NULL, OPTION_SETS(struct common_options, colour),
     .take = take_colour},
    {OPTION_FLAG, "--ascii", NULL, NULL, OPTION_SETS(struct common_options, ascii)},
    {.kind = OPTION_END},
};

/* ---- reading ---- */

/* A row, and the struct that its field lies in. */
struct found {
    const struct option *option;
    char *fields;
};

/* Whether word[0..size) is the row's name, or one of both in "-f, --file". */
static bool has_name(const struct option *option, const char *word, size_t size)
{
    const char *name = option->name;
    for (;;) {
        size_t length = strcspn(name, ",");
        if (length == size && memcmp(name, word, size) == 0)
            return true;
        if (name[length] == '\0')
            return false;
        name += length + strlen(", ");
    }
}

static bool find(const struct option *table, const char *word, size_t size, void *options,
                 struct found *ret)
{
    for (; table->kind != OPTION_END; table++) {
        char *fields = options;
        if (table->kind == OPTION_TABLE) {
            if (find(table->table, word, size, fields + table->offset, ret))
                return true;
        } else if (table->kind != OPTION_WORD && has_name(table, word, size)) {
            *ret = (struct found){table, fields};
            return true;
        }
    }
    return false;
}

static void suggest(struct suggestion *suggestion, const struct option *table)
{
    for (; table->kind != OPTION_END; table++)
        if (table->kind == OPTION_TABLE)
            suggest(suggestion, table->table);
        else if (table->kind != OPTION_WORD)
            suggestion_try(suggestion, strstr(table->name, "--"));
}

/* "grade: ", or nothing without a command. */
static const char *prefix(const char *command, char text[NAME_BYTES])
{
    snprintf(text, NAME_BYTES, "%s%s", command != NULL ? command : "", command != NULL ? ": " : "");
    return text;
}

static _Noreturn void refuse(const char *command, const struct option *table, const char *word)
{
    struct suggestion suggestion;
    char before[NAME_BYTES];
    suggestion_init(&suggestion, word, strcspn(word, "="));
    suggest(&suggestion, table);
    suggestion_try(&suggestion, "--help");
    if (command == NULL)
        suggestion_try(&suggestion, "--version");
    if (suggestion.best[0] != '\0')
        usage_error("%s%s: no such option; did you mean %s?", prefix(command, before), word,
                    suggestion.best);
    usage_error("%s%s: no such option; attn %s%s--help lists them", prefix(command, before), word,
                command != NULL ? command : "", command != NULL ? " " : "");
}

uint64_t option_number(const char *command, const char *name, const char *value, uint64_t low,
                       uint64_t high)
{
    char *end = NULL;
    bool digits = text_is_digit(value[0]) && strlen(value) < 19;
    unsigned long long number = digits ? strtoull(value, &end, 10) : 0;
    if (!digits || *end != '\0' || number < low || number > high)
        usage_error("%s: %s takes a whole number from %llu to %llu", command, name,
                    (unsigned long long)low, (unsigned long long)high);
    return number;
}

static void set_number(const struct option *option, uint64_t number, void *field)
{
    if (option->size == sizeof(uint64_t)) {
        memcpy(field, &number, sizeof number);
    } else {
        unsigned small = (unsigned)number;
        memcpy(field, &small, sizeof small);
    }
}

static void set(const char *command, const struct found *found, const char *name, const char *value)
{
    const struct option *option = found->option;
    void *field = found->fields + option->offset;
    char before[NAME_BYTES];
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_PATH:
        if (value[0] == '\0')
            usage_error("%s%s: %s must follow, and what follows is empty", prefix(command, before),
                        name, option->value);
        *(const char **)field = value;
        break;
    case OPTION_TEXT:
        *(const char **)field = value;
        break;
    case OPTION_NUMBER:
        set_number(option, option_number(command, name, value, option->low, option->high), field);
        break;
    default:
        option->take(command, option, value, field);
    }
    void *given = found->fields + option->given;
    if (option->given_size == sizeof(bool))
        *(bool *)given = true;
    else if (option->given_size == sizeof(const char *))
        *(const char **)given = option->name;
}

/* Whether an argument is written as an option is: -x, --word or --word=VALUE. "-1" and '-x * 2' are
 * not. */
static bool is_option(const char *argument)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
    size_t size = argument[0] == '-' ? strspn(argument, letters) : 0;
    return size > 1 && (argument[size] == '\0' || argument[size] == '=');
}

/* Reads the option at argv[at]; returns how many arguments it takes. */
static int read_one(const char *command, const struct option *table, int argc, char **argv, int at,
                    void *options)
{
    const char *word = argv[at];
    size_t size = strcspn(word, "=");
    const char *value = word[size] == '=' ? word + size + 1 : NULL;
    struct found found;
    char name[NAME_BYTES], before[NAME_BYTES];
    if (!find(table, word, size, options, &found))
        refuse(command, table, word);
    snprintf(name, sizeof name, "%.*s", (int)size, word);
    int n = 1;
    if (found.option->value == NULL && value != NULL)
        usage_error("%s%s: it takes no value", prefix(command, before), name);
    if (found.option->value != NULL && value == NULL) {
        if (at + 1 == argc)
            usage_error("%s%s: %s must follow", prefix(command, before), name, found.option->value);
        value = argv[at + 1];
        n = 2;
    }
    set(command, &found, name, value);
    if (found.option->is_secret && value != NULL) {
        char *shown = argv[at + n - 1] + (n == 1 ? size + 1 : 0);
        memset(shown, 'x', strlen(shown));
    }
    return n;
}

size_t options_read_table(const char *command, const struct option *table, int argc, char **argv,
                          void *options)
{
    size_t n = 0;
    int i = 1;
    while (i < argc) {
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < argc; i++)
                argv[++n] = argv[i];
        } else if (is_option(argv[i])) {
            i += read_one(command, table, argc, argv, i, options);
        } else {
            argv[++n] = argv[i++];
        }
    }
    return n;
}

size_t options_read(const struct subcommand *command, int argc, char **argv, size_t most,
                    void *options)
{
    size_t n = options_read_table(command->name, command->options, argc, argv, options);
    if (n > most && most == 0)
        usage_error("%s: %s: it takes no argument", command->name, argv[1]);
    if (n > most)
        usage_error("%s: %s: %s; %s comes before it", command->name, argv[most + 1],
                    most == 1 ? "one at a time" : "that is one argument too many", argv[most]);
    return n;
}

const char *options_first_word(int argc, char **argv)
{
    struct common_options ignored = {0};
    struct found found;
    int at = 1;
    while (at < argc &&
           find(common_options_table, argv[at], strcspn(argv[at], "="), &ignored, &found))
        at += read_one(NULL, common_options_table, argc, argv, at, &ignored);
    if (at >= argc)
        return NULL;
    char *word = argv[at];
    memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
    argv[1] = word;
    return word;
}

/* ---- help ---- */

void options_help_row(struct doc *doc, const char *left, const char *right, size_t column,
                      size_t width_cols)
{
    struct doc names, lines;
    bool has_room = strlen(left) + 2 <= column;
    doc_init(&names);
    doc_init(&lines);
    if (!has_room)
        doc_line(doc, STYLE_PLAIN, "%s", left);
    doc_line(&names, STYLE_PLAIN, "%-*s", (int)column, has_room ? left : "");
    doc_wrap(&lines, STYLE_PLAIN, right, width_cols - column, 0);
    doc_append_beside(doc, &names, &lines, 0);
    doc_release(&names);
    doc_release(&lines);
}

/* "  -f, --file FILE" */
static void write_left(const struct option *option, char left[LINE_BYTES])
{
    snprintf(left, LINE_BYTES, "  %s%s%s", option->name, option->value != NULL ? " " : "",
             option->value != NULL ? option->value : "");
}

/* The column in which the rows' right halves begin: after the widest of the usual left halves. */
static size_t column_of(const struct option *table)
{
    size_t column = 0;
    for (; table->kind != OPTION_END; table++) {
        char left[LINE_BYTES];
        size_t cols = table->kind == OPTION_TABLE ? column_of(table->table) : 0;
        if (table->kind != OPTION_TABLE && table->help != NULL) {
            write_left(table, left);
            cols = strlen(left) + 2;
        }
        if (cols > column && cols <= HELP_COLUMN)
            column = cols;
    }
    return column;
}

/* What the row does, with its formats listed. */
static void write_right(const struct option *option, struct text *text)
{
    static const char formats[] = "{formats}";
    const char *at = strstr(option->help, formats);
    if (at == NULL) {
        text_put(text, option->help);
        return;
    }
    text_add(text, option->help, (size_t)(at - option->help));
    report_list_formats(" or ", text);
    text_put(text, at + strlen(formats));
}

static void add_rows(const struct option *table, size_t column, size_t width_cols, struct doc *doc)
{
    for (; table->kind != OPTION_END; table++) {
        char left[LINE_BYTES];
        struct text right = {0};
        if (table->kind == OPTION_TABLE)
            add_rows(table->table, column, width_cols, doc);
        if (table->kind == OPTION_TABLE || table->help == NULL)
            continue;
        write_left(table, left);
        write_right(table, &right);
        options_help_row(doc, left, text_string(&right), column, width_cols);
        doc->failed = doc->failed || right.failed;
        text_release(&right);
    }
}

void options_help_table(const struct option *table, size_t width_cols, struct doc *doc)
{
    add_rows(table, column_of(table), width_cols, doc);
}

/* Paragraphs, each wrapped; those that begin with a blank stay as they are. */
static void add_paragraphs(const char *text, size_t width_cols, struct doc *doc)
{
    while (*text != '\0') {
        struct text line = {0};
        size_t size = strcspn(text, "\n");
        text_add(&line, text, size);
        if (size == 0)
            doc_end_line(doc);
        else if (text[0] == ' ')
            doc_line(doc, STYLE_PLAIN, "%s", text_string(&line));
        else
            doc_wrap(doc, STYLE_PLAIN, text_string(&line), width_cols, 0);
        doc->failed = doc->failed || line.failed;
        text_release(&line);
        text += size + (text[size] == '\n');
    }
}

void options_help(const struct subcommand *command, size_t width_cols, struct doc *doc)
{
    struct text summary = {0};
    text_format(&summary, "%s.", command->summary);
    doc_line(doc, STYLE_PLAIN, "usage: attn %s%s%s", command->name,
             command->arguments != NULL ? " " : "",
             command->arguments != NULL ? command->arguments : "");
    doc_wrap(doc, STYLE_PLAIN, text_string(&summary), width_cols, 0);
    if (command->about != NULL) {
        doc_end_line(doc);
        add_paragraphs(command->about, width_cols, doc);
    }
    if (column_of(command->options) > 0) {
        doc_end_line(doc);
        options_help_table(command->options, width_cols, doc);
    }
    if (command->notes != NULL) {
        doc_end_line(doc);
        add_paragraphs(command->notes, width_cols, doc);
    }
    doc->failed = doc->failed || summary.failed;
    text_release(&summary);
}
