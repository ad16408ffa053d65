/* What makes results count, for grade and report: --exercises, --assignment, --roster, --overrides.
 */
#ifndef ATTN_CLI_CLASS_RULES_H
#define ATTN_CLI_CLASS_RULES_H

#include "assignment/class_list.h"
#include "cli/options.h"

struct class_rules {
    const char *assignment_path, *roster_path, *overrides_path; /* or NULL */
    const char *exercises;                                      /* --exercises; or NULL */
    struct assignment assignment;
    struct students roster;
    struct overrides overrides;
    struct settling settling; /* of those above that were read */
};

/* Rows for the four options: the fields of struct class_rules that they set. */
extern const struct option class_rules_table[];
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
