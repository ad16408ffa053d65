/* The command line as tables. A row says what an option is called, what it sets and what --help
 * says of it; reading, error messages, suggestions and help texts all follow from the rows. */
#ifndef ATTN_CLI_OPTIONS_H
#define ATTN_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "show/doc.h"

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

/* What every command takes. */
struct common_options {
    enum colour_choice colour;
    bool ascii;
};

enum option_kind {
    OPTION_END,    /* ends a table */
    OPTION_WORD,   /* no option: an argument, for --help alone */
    OPTION_FLAG,   /* sets a bool */
    OPTION_TEXT,   /* a const char *: the argument itself, which may be empty */
    OPTION_PATH,   /* the same, not empty */
    OPTION_NUMBER, /* an unsigned integer of any size, from low to high */
    OPTION_OWN,    /* take() reads it */
    OPTION_TABLE,  /* the rows of another table, whose fields lie in a struct at offset */
};

struct option {
    enum option_kind kind;
    const char *name;    /* "--seed", or "-f, --file" with a short form; of a word "FILE" */
    const char *value;   /* what --help calls its value, "N"; NULL for an option without one */
    const char *help;    /* what it does; "{formats}" lists the formats of reports. NULL: an option
                          * that --help leaves out */
    size_t offset, size; /* of the field that it sets: see OPTION_SETS */
    uint64_t low, high;
    /* Reads the value into the field; value is NULL for an option without one. A wrong value ends
     * the program by usage_error(). */
    void (*take)(const char *command, const struct option *option, const char *value, void *field);
    const struct option *table;
    size_t given, given_size; /* of the field that says that it was given: see OPTION_GIVEN */
    /* Once read, the value is overwritten in argv, so that no list of processes shows it. */
    bool is_secret;
};

/* For a row: which field of the command's options it sets. */
#define OPTION_SETS(type, field) .offset = offsetof(type, field), .size = sizeof(((type *)0)->field)
/* For a row: which field says that the option was given. A bool becomes true; a const char *
 * becomes the option's name, as it was typed. */
#define OPTION_GIVEN(type, field) \
    .given = offsetof(type, field), .given_size = sizeof(((type *)0)->field)

/* Rows for struct common_options. */
extern const struct option common_options_table[];
/* The row that puts them into the table of a command whose struct has them in `common`. */
#define OPTIONS_COMMON(type)                                                   \
    {                                                                          \
        OPTION_TABLE, .table = common_options_table, OPTION_SETS(type, common) \
    }

/* One subcommand: `attn NAME ...`. */
struct subcommand {
    const char *name;
    const char *arguments;             /* what --help shows after the name; or NULL */
    const char *summary;               /* what it does, in half a line */
    int (*run)(int argc, char **argv); /* argv[0] is the name */
    const struct option *options;
    const char *about; /* --help shows it above the options; or NULL */
    const char *notes; /* and this below them; or NULL */
};

/* Reads argv[1..argc) into *options, a struct that the command's rows describe, and moves the other
 * arguments to argv[1..n]; returns n, which is at most `most`. The arguments after `--` are not
 * options, and neither are "-", a number such as -1, or text of several words. Wrong usage ends the
 * program with exit code 2. */
size_t options_read(const struct subcommand *command, int argc, char **argv, size_t most,
                    void *options);
/* The same for a table of its own and any number of arguments; command is for messages, NULL for
 * attn without a subcommand. */
size_t options_read_table(const char *command, const struct option *table, int argc, char **argv,
                          void *options);
/* Moves the first argument that is not a common option to argv[1], before the common options that
 * precede it, and returns it; NULL if all are common options. */
const char *options_first_word(int argc, char **argv);
/* A value that must be a whole number from low to high, else the program ends. */
uint64_t option_number(const char *command, const char *name, const char *value, uint64_t low,
                       uint64_t high);
/* What `attn NAME --help` prints, in lines of at most width_cols columns. */
void options_help(const struct subcommand *command, size_t width_cols, struct doc *doc);
/* The rows of a table alone. */
void options_help_table(const struct option *table, size_t width_cols, struct doc *doc);
/* Adds what is typed and what it does, the second wrapped from this column on. */
void options_help_row(struct doc *doc, const char *left, const char *right, size_t column,
                      size_t width_cols);
/* Ends the program: `attn: WHAT: ...`, and where to look; exit code 2. */
_Noreturn void usage_error(const char *format, ...) ERROR_FORMAT(1, 2);

#endif
