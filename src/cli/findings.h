/* What a doctor found: a table of lines, each ok, lacking or broken, with what to do. */
#ifndef ATTN_CLI_FINDINGS_H
#define ATTN_CLI_FINDINGS_H

#include "show/doc.h"
#include "lang/builtins/settings.h"

/* How good a finding is. */
enum health {
    HEALTH_GOOD,
    HEALTH_LACK,   /* something is not there, and attn works on */
    HEALTH_BROKEN, /* it does not */
};

struct findings {
    struct settings settings;
    struct doc doc;
    size_t n_lacks, n_broken;
};

void findings_init(struct findings *findings, const struct settings *settings);
void findings_release(struct findings *findings);
/* A line of the table, or several where what was found is long; below what is not good, the advice:
 * what it costs and what to do. advice may be NULL. */
void findings_tell(struct findings *findings, enum health health, const char *name,
                   const char *found, const char *advice);
/* Prints the table. False when that fails. */
bool findings_print(struct findings *findings);

#endif
