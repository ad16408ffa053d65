/* What makes results count, as grade and report are told it: --exercises, --assignment, --roster,
 * --overrides. */
#ifndef ATTN_CLI_CLASS_RULES_H
#define ATTN_CLI_CLASS_RULES_H

#include "assignment/class_list.h"

/* A help text has these lines. */
#define HELP_CLASS_RULES                                                                \
    "  --exercises DIR  exercises of your own in place of attn's; or $ATTN_EXERCISES\n" \
    "  --assignment FILE  the exercises, points, dates and rules, in YAML\n"            \
    "  --roster FILE    the class list, a CSV: who is missing is reported too\n"        \
    "  --overrides FILE points set by hand, a CSV\n"

struct class_rules {
    const char *assignment_path, *roster_path, *overrides_path; /* or NULL */
    const char *exercises;                                      /* --exercises; or NULL */
    struct assignment assignment;
    struct students roster;
    struct overrides overrides;
    struct settling settling; /* of those above that were read */
};

/* Takes one of the options; *at is its index. False when it is none of them. */
bool class_rules_option(int argc, char **argv, int *at, struct class_rules *rules);
/* Reads the files. Points set by hand name students of rules->settling.roster, which may be set
 * before where no file is named. The errors of their loaders. */
bool class_rules_read(struct class_rules *rules, const struct exercises *exercises,
                      struct error *reterr);

/* Who handed in something: as results call them, "" where nobody is named, and the file. */
struct who {
    const char *student, *file;
};
/* Says on standard error who of who[0..n) is not on the class list, or could be two people. */
void class_rules_say_strangers(const struct students *roster, const struct who *who, size_t n);
/* Says on standard error which points set by hand are for no work of settled results. */
void class_rules_say_unused(const struct class_rules *rules, const struct results *results);
void class_rules_release(struct class_rules *rules);

#endif
