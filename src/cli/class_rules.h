/* What makes results count, for grade and report: --exercises, --assignment, --roster, --teams,
 * --who, --overrides, --extensions. */
#ifndef ATTN_CLI_CLASS_RULES_H
#define ATTN_CLI_CLASS_RULES_H

#include "assignment/class_list.h"
#include "cli/options.h"
#include "cli/outputs.h"

struct class_rules {
    const char *assignment_path, *roster_path, *who_path, *overrides_path, *times_path,
        *extensions_path, *teams_path; /* or NULL */
    const char *exercises;             /* --exercises; or NULL */
    struct assignment assignment;
    struct students roster;
    struct who_rows who;
    struct students times; /* of handing in */
    struct overrides overrides;
    struct extensions extensions;
    struct teams teams;
    struct settling settling; /* of those above that were read */
};

/* Rows for the options: the fields of struct class_rules that they set. */
extern const struct option class_rules_table[];
/* Reads the files. Points set by hand name students of rules->settling.roster, which may be set
 * before where no file is named. The errors of their loaders. */
bool class_rules_read(struct class_rules *rules, const struct exercises *exercises,
                      struct error *reterr);

/* Says on standard error of which work it is not clear whose it is, and writes unclear.csv, to be
 * filled in, into the folder of the first file that is written, else into the current one; logins
 * that somebody wrote into an earlier one stay. Returns how many folders are unclear. */
size_t class_rules_say_unclear(const struct results *results, const struct outputs *outputs);
/* Says on standard error which points set by hand are for no work of settled results. */
void class_rules_say_unused(const struct class_rules *rules, const struct results *results);
void class_rules_release(struct class_rules *rules);

#endif
